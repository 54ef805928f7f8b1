"""CUDA C++: the names of data types in it, and how a block's threads share out lines.

A kernel of several elements works on lines: rows, columns, whatever runs along the axis. A line's
elements lie `inner` apart. Some threads of a block, its lanes, walk one line together, each taking
every so many-th element; neighbouring threads always read neighbouring elements, which lie in one
line if `inner` is 1 and in as many lines otherwise. What the lanes found is folded in shared memory,
in pairs.

The sources use no more of CUDA than blocks, threads, `__shared__` and `__syncthreads`, so that a test
can run them on a CPU as well.
"""

from __future__ import annotations

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
_LINES = f"""\
#define THREADS {THREADS}
// A quotient of numbers that aren't negative. Of 64 bits a GPU takes a hundred instructions for it.
__device__ long long over(long long number, long long by) {{
  return (number | by) >> 32 ? number / by : (unsigned)number / (unsigned)by;
}}
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
template <typename Value, typename Fold>
__device__ Value folded(Value value, const Line& line, int lanes, Fold fold) {{
  __shared__ Value values[THREADS];
  int me = threadIdx.x;
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


def elementwise(
    name: str, tensors: dict[str, DataType], numbers: dict[str, DataType], out: DataType, code: str
) -> str:
    """The kernel that `cupy.ElementwiseKernel` makes of a statement, for contiguous memory."""
    parameters = [f"const {CUDA_TYPES[type_]}* _{x}" for x, type_ in tensors.items()]
    parameters += [f"{CUDA_TYPES[type_]} {x}" for x, type_ in numbers.items()]
    return "\n".join(
        [
            f"__global__ void {name}(",
            f"    {', '.join(parameters)}, {CUDA_TYPES[out]}* _out, ptrdiff_t _n) {{",
            "  CUPY_FOR(_i, _n) {",
            *(f"    const {CUDA_TYPES[type_]}& {x} = _{x}[_i];" for x, type_ in tensors.items()),
            f"    {CUDA_TYPES[out]}& out = _out[_i];",
            f"    {code};",
            "  }",
            "}",
        ]
    )


def over_all(size: int) -> tuple[tuple[int], tuple[int]]:
    """Blocks and threads for elements of which each thread takes every so-manieth."""
    return (min(-(-size // THREADS), 1 << 16),), (THREADS,)


Launch = tuple[tuple[int], tuple[int], int]


def over_lines(lines: int, length: int, inner: int) -> Launch:
    """Blocks, threads, and how many lanes a line has: a power of 2."""
    lanes, most = 1, THREADS if inner == 1 else 32
    if inner == 1:  # four elements a lane, but 32 neighbouring threads read one piece of memory
        while lanes < min(length, most) and (lanes < 32 or 4 * lanes < length):
            lanes *= 2
    else:  # a lane for a column as long as there are columns enough
        while lanes < min(length, most) and lines * lanes < 1 << 17:
            lanes *= 2
    return (-(-lines * lanes // THREADS),), (THREADS,), lanes
