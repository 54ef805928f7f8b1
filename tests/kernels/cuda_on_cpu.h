// What our CUDA sources use of CUDA and of CuPy's headers, on a CPU.
//
// Blocks run one after the other. A block's threads are fibres: each runs up to the next
// __syncthreads, where the next one takes over; when all of them are there, the first goes on. Which one
// is the first can be turned round, and whoever needs a barrier that isn't there sees it one way or the
// other. Shared memory is static memory, as there is only one block at a time.
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __shared__ static
#define CUPY_FOR(i, n) \
  for (ptrdiff_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)

struct Dim {
  unsigned x, y;
};
static Dim threadIdx, blockIdx, blockDim, gridDim;

using std::complex, std::exp, std::isfinite, std::isnan, std::min, std::sqrt;
template <typename Real>
bool isfinite(complex<Real> x) {
  return isfinite(x.real()) && isfinite(x.imag());
}
template <typename Real>
bool operator<(complex<Real> x, complex<Real> y) {  // CuPy's order
  return x.real() == y.real() ? x.imag() < y.imag() : x.real() < y.real();
}

struct Half {
  static unsigned short bits(float value) {
    _Float16 half = value;
    unsigned short bits;
    return memcpy(&bits, &half, 2), bits;
  }
  static float value(unsigned short bits) {
    _Float16 half;
    return memcpy(&half, &bits, 2), half;
  }
};
struct Brain {
  static unsigned short bits(float value) {
    unsigned bits;
    memcpy(&bits, &value, 4);
    return value != value ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
  static float value(unsigned short bits) {
    unsigned wide = bits << 16;
    float value;
    return memcpy(&value, &wide, 4), value;
  }
};
template <typename Format>
class Short {
  unsigned short bits;

 public:
  Short() {}
  Short(float value) : bits(Format::bits(value)) {}
  template <typename Number>
  explicit Short(Number value) : Short(float(value)) {}
  template <typename Number>
  Short& operator=(const Number& value) { return *this = Short(value); }
  operator float() const { return Format::value(bits); }
};
using float16 = Short<Half>;
using bfloat16 = Short<Brain>;

static int __popc(unsigned bits) { return __builtin_popcount(bits); }

template <typename Number>
void atomicMin(Number* at, Number value) {
  if (value < *at) *at = value;
}

struct Fibre {
  jmp_buf at;
  std::vector<char> stack = std::vector<char>(1 << 15);
  bool started = false, done = false;
};
static std::vector<Fibre> fibres(256);
static jmp_buf scheduler;
static std::function<void()> kernel_body;

static void yield() {
  if (!_setjmp(fibres[threadIdx.x].at)) _longjmp(scheduler, 1);
}

static void __syncthreads() { yield(); }

// Of all threads of the block, which must be on their way to the same one.
static unsigned __shfl_xor_sync(unsigned, unsigned value, int distance) {
  static unsigned held[256];
  held[threadIdx.x] = value;
  yield();
  unsigned other = held[threadIdx.x ^ distance];
  yield();
  return other;
}

static void fibre() {  // a thread of one block, and then of the next
  for (;;) {
    kernel_body();
    fibres[threadIdx.x].done = true;
    yield();
  }
}

static void run_to_barrier(Fibre& thread) {
  if (_setjmp(scheduler)) return;
  if (thread.started) _longjmp(thread.at, 1);
  thread.started = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = thread.stack.data();
  context.uc_stack.ss_size = thread.stack.size();
  makecontext(&context, fibre, 0);
  setcontext(&context);
}

// False if some threads ended while others waited for them.
static bool run_block(bool turned) {
  unsigned count = blockDim.x, ended = 0;
  for (unsigned i = 0; i < count; ++i) fibres[i].done = false;
  while (ended == 0) {
    for (unsigned i = 0; i < count; ++i) {
      threadIdx.x = turned ? count - 1 - i : i;
      run_to_barrier(fibres[threadIdx.x]);
      ended += fibres[threadIdx.x].done;
    }
  }
  if (ended != count) fibres = std::vector<Fibre>(256);
  return ended == count;
}

template <typename... Parameters, size_t... I>
const char* launch_with(
    void (*kernel)(Parameters...), const unsigned* dims, int count, void** arguments,
    const int* sizes, std::index_sequence<I...>) {
  if (count != sizeof...(I)) return "another number of arguments than of parameters";
  if (((sizes[I] != sizeof(Parameters)) || ...)) return "an argument of another size";
  kernel_body = [=] { kernel(*static_cast<std::remove_const_t<Parameters>*>(arguments[I])...); };
  gridDim = {dims[0], dims[1]}, blockDim = {dims[2], 1};
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
      if (!run_block(dims[3])) return "a barrier that some threads never reach";
  return nullptr;
}

template <typename... Parameters>
const char* launch(
    void (*kernel)(Parameters...), const unsigned* dims, int count, void** arguments,
    const int* sizes) {
  return launch_with(
      kernel, dims, count, arguments, sizes, std::index_sequence_for<Parameters...>());
}
