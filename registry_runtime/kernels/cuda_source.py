"""CUDA C++: the names of data types in it, and how a block's threads share out lines.

A kernel of several elements works on lines: rows, columns, whatever runs along the axis. A line's
elements lie `inner` apart. Some threads of a block, its lanes, walk one line together, each taking
every so many-th element; neighbouring threads always read neighbouring elements, which lie in one
line if `inner` is 1 and in as many lines otherwise. What the lanes found is folded in pairs: from
register to register where 32 neighbours, a warp, work on one line, and in shared memory otherwise.

The sources use no more of CUDA than blocks, threads, `__shared__`, `__syncthreads` and
`__shfl_xor_sync`, so that a test can run them on a CPU as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from registry_runtime.phi.data_type import DataType

# CuPy's own, in front of every kernel that it makes.
HEADERS = """\
#include <cupy/complex.cuh>
#include <cupy/carray.cuh>
#include <cupy/float16.cuh>
#include <cupy/bfloat16.cuh>
"""
CUDA_TYPES = {
    DataType.BOOL: "bool",
    DataType.UINT8: "unsigned char",
    DataType.INT8: "signed char",
    DataType.UINT16: "unsigned short",
    DataType.INT16: "short",
    DataType.UINT32: "unsigned int",
    DataType.INT32: "int",
    DataType.UINT64: "unsigned long long",
    DataType.INT64: "long long",
    DataType.FLOAT32: "float",
    DataType.FLOAT64: "double",
    DataType.COMPLEX64: "complex<float>",
    DataType.COMPLEX128: "complex<double>",
    DataType.FLOAT16: "float16",
    DataType.BFLOAT16: "bfloat16",
}
_COMPLEX = (DataType.COMPLEX64, DataType.COMPLEX128)

THREADS = 256  # in a block
_OVER = """\
// A quotient of numbers that aren't negative. Of 64 bits a GPU takes a hundred instructions for it.
__device__ long long over(long long number, long long by) {
  return (number | by) >> 32 ? number / by : (unsigned)number / (unsigned)by;
}
"""
_LINES = f"""\
#define THREADS {THREADS}
{_OVER}\
struct Line {{
  long long number, begin;  // which one, and where it begins
  long long length;         // 0 in a thread that is one too many
  int lane;                 // which of its threads this is
  int apart;                // from this thread to the next lane's
  __device__ Line(long long lines, long long length, long long inner, int lanes)
      : length(length) {{
    int thread = threadIdx.x, log = __popc(lanes - 1), many = THREADS >> log;
    lane = inner == 1 ? thread & (lanes - 1) : thread / many;
    apart = inner == 1 ? 1 : many;
    number = (long long)blockIdx.x * many + (inner == 1 ? thread >> log : thread & (many - 1));
    begin = over(number, inner) * (length - 1) * inner + number;
    if (number >= lines) this->length = 0;
  }}
}};
template <typename Value>
__device__ Value across(Value value, int distance) {{
  unsigned words[(sizeof(Value) + 3) / 4] = {{}};
  memcpy(words, &value, sizeof(Value));
  for (unsigned& word : words) word = __shfl_xor_sync(0xffffffff, word, distance);
  memcpy(&value, words, sizeof(Value));
  return value;
}}
template <typename Value, typename Fold>
__device__ Value folded(Value value, const Line& line, int lanes, Fold fold) {{
  __shared__ Value values[THREADS];
  int me = threadIdx.x;
  if (line.apart == 1) {{
    for (int half = min(lanes, 32) / 2; half > 0; half /= 2) value = fold(value, across(value, half));
    if (lanes <= 32) return value;
    int first = me - line.lane;
    values[me] = value;
    __syncthreads();
    value = values[first];
    for (int i = 32; i < lanes; i += 32) value = fold(value, values[first + i]);
    __syncthreads();
    return value;
  }}
  values[me] = value;
  for (int half = lanes / 2; half > 0; half /= 2) {{
    __syncthreads();
    if (line.lane < half) values[me] = fold(values[me], values[me + half * line.apart]);
  }}
  __syncthreads();
  Value result = values[me - line.lane * line.apart];
  __syncthreads();
  return result;
}}
struct Plus {{
  template <typename Value>
  __device__ Value operator()(Value a, Value b) const {{ return a + b; }}
}};
"""


def typed(body: str, **types: DataType) -> str:
    """`body` behind a typedef for each of its type names; `wide(x)` makes a T a U, if it has both."""
    lines = [f"typedef {CUDA_TYPES[dtype]} {name};" for name, dtype in types.items()]
    if {"T", "U"} <= types.keys():
        real = types["T"] in _COMPLEX and types["U"] not in _COMPLEX
        lines.append(f"__device__ U wide(T x) {{ return U({'x.real()' if real else 'x'}); }}")
    return "\n".join([*lines, _LINES + body])


@dataclass(frozen=True)
class Elements:
    """A statement that runs on each element, `out = x + y`.

    `tensors` and `numbers` are its variables: elements, and what is the same for all of them. `types`
    are names that it uses for data types.
    """

    name: str
    tensors: Mapping[str, DataType]
    numbers: Mapping[str, DataType]
    out: DataType
    statement: str
    types: Mapping[str, DataType] = field(default_factory=dict)

    @property
    def together(self) -> int:
        """So many elements of the widest type are 16 bytes, the most that one instruction moves."""
        held = (*self.tensors.values(), self.out)
        return 16 // max(dtype.numpy.itemsize for dtype in held)

    def in_one_piece(self) -> str:
        """The kernel for operands without gaps, that begin where `together` elements may lie."""
        tensors = {x: CUDA_TYPES[dtype] for x, dtype in self.tensors.items()}
        out = CUDA_TYPES[self.out]
        taken = [f"const {kind}* {x}" for x, kind in tensors.items()]
        packs = [
            f"Pack<{kind}> {x}s = ((const Pack<{kind}>*){x})[i];" for x, kind in tensors.items()
        ]
        return f"""\
{self._element()}template <typename Value>
struct alignas({self.together} * sizeof(Value)) Pack {{
  Value at[{self.together}];
}};
extern "C" __global__ void {self.name}(
    {", ".join([*taken, *self._numbers(), f"{out}* out, long long n"])}) {{
  long long i = (long long)blockIdx.x * {BESIDE} + threadIdx.x, begin = i * {self.together};
  if (begin + {self.together} <= n) {{
    {" ".join([*packs, f"Pack<{out}> results;"])}
#pragma unroll
    for (int k = 0; k < {self.together}; ++k) {self._call("s.at[k]", "results.at[k]")}
    ((Pack<{out}>*)out)[i] = results;
  }} else {{
    for (long long k = begin; k < n; ++k) {self._call("[k]", "out[k]")}
  }}
}}
"""

    def by_strides(self) -> str:
        """The kernel for operands of up to `MOST_DIMS` dims and any strides, in bytes; `out` has no
        gaps. Of the dims it takes all but the first."""
        tensors = {x: CUDA_TYPES[dtype] for x, dtype in self.tensors.items()}
        out, dims = CUDA_TYPES[self.out], range(MOST_DIMS)
        taken = [*(f"const char* {x}" for x in tensors), *self._numbers()]
        sizes = [f"long long size{d}" for d in dims[1:]]
        strides = [f"long long {x}{d}" for x in tensors for d in dims]
        found = "".join(
            f"  long long rest{d} = over(rest{d + 1}, size{d});\n"
            f"  long long at{d} = rest{d + 1} - rest{d} * size{d};\n"
            for d in reversed(dims[1:])
        )
        read = "".join(
            f"  const {kind}& {x}_ = *(const {kind}*)"
            f"({x} + {' + '.join(f'{at} * {x}{d}' for d, at in enumerate(_PLACES))});\n"
            for x, kind in tensors.items()
        )
        return f"""\
{self._element()}{_OVER}extern "C" __global__ void {self.name}_by_strides(
    {", ".join([*taken, *sizes, *strides, f"{out}* out, long long n"])}) {{
  long long rest{MOST_DIMS} = (long long)blockIdx.x * {BESIDE} + threadIdx.x;
  if (rest{MOST_DIMS} >= n) return;
{found}{read}  {self._call("_", f"out[rest{MOST_DIMS}]")}
}}
"""

    def _element(self) -> str:
        types = [f"typedef {CUDA_TYPES[dtype]} {name};\n" for name, dtype in self.types.items()]
        taken = [f"const {CUDA_TYPES[dtype]}& {x}" for x, dtype in self.tensors.items()]
        parameters = ", ".join([*taken, *self._numbers(), f"{CUDA_TYPES[self.out]}& out"])
        return (
            f"{''.join(types)}__device__ void element({parameters}) {{\n  {self.statement};\n}}\n"
        )

    def _numbers(self) -> list[str]:
        return [f"{CUDA_TYPES[dtype]} {x}" for x, dtype in self.numbers.items()]

    def _call(self, behind: str, out: str) -> str:
        return f"element({', '.join([*(x + behind for x in self.tensors), *self.numbers, out])});"


MOST_DIMS, BESIDE = 4, 128  # dims of operands with gaps; threads of a block, each with its elements
_PLACES = ("rest1", *(f"at{d}" for d in range(1, MOST_DIMS)))


def over_all(size: int) -> tuple[tuple[int], tuple[int]]:
    """Blocks and threads for elements of which each thread takes every so-manieth."""
    return (min(-(-size // THREADS), 1 << 16),), (THREADS,)


Launch = tuple[tuple[int], tuple[int], int]
_FULL = 1 << 17  # threads that keep a large GPU busy


def over_lines(lines: int, length: int, inner: int) -> Launch:
    """Blocks, threads, and how many lanes a line has: a power of 2."""
    lanes, most = 1, THREADS if inner == 1 else 32
    if inner == 1:  # a warp, or more, with sixteen elements a lane, or four where lines are few
        while lanes < min(length, most) and (
            lanes < 32 or 16 * lanes < length or (4 * lanes < length and lines * lanes < _FULL)
        ):
            lanes *= 2
    else:  # a lane for a column as long as there are columns enough
        while lanes < min(length, most) and lines * lanes < _FULL:
            lanes *= 2
    return (-(-lines * lanes // THREADS),), (THREADS,), lanes
