"""Headers that every hosted C and C++ has. Without a compiler they are taken to be there and empty.

What they define is not what a reader of a kernel's registration looks for; that Paddle's headers can
be read where no compiler is installed is. `--cc gcc` and `--cc clang` read the real ones.
"""

from __future__ import annotations

_C = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time
uchar wchar wctype
"""
_CXX = """
algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv
chrono cinttypes ciso646 climits clocale cmath codecvt compare complex concepts condition_variable
coroutine csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath
ctime cuchar cwchar cwctype deque exception execution expected filesystem flat_map flat_set format
forward_list fstream functional future generator initializer_list iomanip ios iosfwd iostream istream
iterator latch limits list locale map mdspan memory memory_resource mutex new numbers numeric optional
ostream print queue random ranges ratio regex scoped_allocator semaphore set shared_mutex
source_location span spanstream sstream stack stacktrace stdexcept stdfloat stop_token streambuf string
string_view strstream syncstream system_error thread tuple type_traits typeindex typeinfo
unordered_map unordered_set utility valarray variant vector version cxxabi.h
"""
_POSIX = """
dirent dlfcn execinfo fcntl immintrin netdb poll pthread pwd sched semaphore strings sys/mman
sys/resource sys/socket sys/stat sys/syscall sys/time sys/types sys/wait unistd x86intrin
"""

STANDARD_HEADERS = frozenset((*_CXX.split(), *(f"{name}.h" for name in (_C + _POSIX).split())))
