"""`gpu_kernel`: the same function of elements on CUDA, one thread for each of them.

The iterator did its work already: what comes here are a shape of as few dimensions as could be, and
strides in bytes. A thread finds out which element is its own by dividing its number by the sizes, and
where the operands have it by the strides (`OffsetCalculator` in PyTorch). Where all are contiguous,
the number is the offset; that is a kernel of its own, as in PyTorch.

The arithmetic is done in `opmath_type<scalar_t>`: float for BFloat16 and Half, complex<float> for
ComplexHalf. An operand that is one number in host memory is read there and becomes an argument.

Source: `aten/src/ATen/native/cuda/Loops.cuh`, `CUDALoops.cuh`, `ATen/OpMathType.h`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.kernels import cuda_source, device, nvrtc
from registry_runtime.phi.kernel_template import KernelError

THREADS = 128
MOST_DIMS = 25  # MAX_DIMS of PyTorch's OffsetCalculator

_CUDA_TYPES = {
    ScalarType.Bool: "bool",
    ScalarType.Byte: "unsigned char",
    ScalarType.Char: "signed char",
    ScalarType.Short: "short",
    ScalarType.Int: "int",
    ScalarType.Long: "long long",
    ScalarType.UInt16: "unsigned short",
    ScalarType.UInt32: "unsigned int",
    ScalarType.UInt64: "unsigned long long",
    ScalarType.Half: "float16",
    ScalarType.BFloat16: "bfloat16",
    ScalarType.Float: "float",
    ScalarType.Double: "double",
    ScalarType.ComplexHalf: "ComplexHalf",
    ScalarType.ComplexFloat: "complex<float>",
    ScalarType.ComplexDouble: "complex<double>",
}
_OPMATH = {
    ScalarType.Half: ScalarType.Float,
    ScalarType.BFloat16: ScalarType.Float,
    ScalarType.ComplexHalf: ScalarType.ComplexFloat,
}

_SOURCE = """\
struct ComplexHalf {{
  float16 real, imag;
  __device__ operator complex<float>() const {{
    return complex<float>((float)real, (float)imag);
  }}
  __device__ static ComplexHalf of(complex<float> x) {{
    return {{float16(x.real()), float16(x.imag())}};
  }}
}};
typedef {scalar_t} scalar_t;
typedef {opmath_t} opmath_t;
struct Layout {{ long long sizes[{dims}], strides[{dims}][{tensors}]; }};

__device__ scalar_t function({parameters}) {{
  opmath_t result = {formula};
  return {narrowed};
}}

extern "C" __global__ void contiguous(
    long long n, scalar_t* out, {pointers}, {captured}) {{
  long long i = blockIdx.x * (long long){threads} + threadIdx.x;
  if (i < n) out[i] = function({flat}, {names});
}}

extern "C" __global__ void strided(
    long long n, int ndim, Layout layout, char* out, {addresses}, {captured}) {{
  long long rest = blockIdx.x * (long long){threads} + threadIdx.x;
  if (rest >= n) return;
  long long at[{tensors}] = {{}};
  for (int dim = 0; dim < ndim; dim++) {{
    long long size = layout.sizes[dim], i = rest % size;
    rest /= size;
    for (int arg = 0; arg < {tensors}; arg++) at[arg] += i * layout.strides[dim][arg];
  }}
  *(scalar_t*)(out + at[0]) = function({loaded}, {names});
}}
"""


def opmath_type(T: ScalarType) -> ScalarType:
    """`at::opmath_type<T>`: what is computed with for elements of `T`."""
    return _OPMATH.get(T, T)


def source(formula: str, T: ScalarType, arity: int, captures: int) -> str:
    """The CUDA source of a functor's two kernels, behind CuPy's headers.

    `formula` is a C++ expression of the elements `x0`, `x1` … and what was captured, `c0` …, all of
    them of `opmath_t`.
    """
    inputs, names = range(arity), [f"c{i}" for i in range(captures)]
    result = {ScalarType.ComplexHalf: "ComplexHalf::of(result)"}.get(T, "scalar_t(result)")
    parameters = [*(f"opmath_t x{i}" for i in inputs), *(f"opmath_t {name}" for name in names)]
    text = _SOURCE.format(
        scalar_t=_CUDA_TYPES[T],
        opmath_t=_CUDA_TYPES[opmath_type(T)],
        dims=MOST_DIMS,
        tensors=arity + 1,
        threads=THREADS,
        parameters=", ".join(parameters),
        formula=formula,
        narrowed=result,
        pointers=", ".join(f"const scalar_t* in{i}" for i in inputs),
        addresses=", ".join(f"const char* in{i}" for i in inputs),
        captured=", ".join(f"opmath_t {name}" for name in names),
        flat=", ".join(f"opmath_t(in{i}[i])" for i in inputs),
        loaded=", ".join(f"opmath_t(*(const scalar_t*)(in{i} + at[{i + 1}]))" for i in inputs),
        names=", ".join(names),
    )
    return cuda_source.HEADERS + text


def ptx(formula: str, T: ScalarType, arity: int, captures: int, architecture: str = "sm_90") -> str:
    """What NVRTC makes of `source`; it takes no device. Raises KernelError where there is no NVRTC."""
    return nvrtc.ptx(source(formula, T, arity, captures), "gpu_kernel", architecture)


@cache
def _compiled(formula: str, T: ScalarType, arity: int, captures: int) -> Any:
    module = device.cupy()
    text = source(formula, T, arity, captures)
    # A product is rounded before it is added to, or not, as nvcc does it by default: fused.
    return nvrtc.loaded(module, text, "gpu_kernel")


def gpu_kernel(iter: Any, formula: str, captured: Sequence[Any]) -> None:
    """Computes `formula` for all elements of `iter`, on the device of its output.

    `captured` are NumPy scalars of `opmath_type(T)`. Raises TorchError where there is no CuPy, no
    driver or no device.
    """
    T, arity, numel = iter.common_dtype, len(iter.operands) - 1, iter.numel
    try:
        made = _compiled(formula, T, arity, len(captured))
    except KernelError as error:
        raise TorchError(str(error)) from None
    if numel == 0:
        return
    blocks = ((numel + THREADS - 1) // THREADS,)
    addresses = [np.intp(operand.data) for operand in iter.operands]
    if iter.is_contiguous():
        kernel = made.get_function("contiguous")
        kernel(blocks, (THREADS,), (np.int64(numel), *addresses, *captured))
        return
    layout = np.zeros(MOST_DIMS * (2 + arity), np.int64)
    layout[: len(iter.shape)] = iter.shape
    strides = iter.get_strides()[: len(iter.shape) * (arity + 1)]
    layout[MOST_DIMS : MOST_DIMS + len(strides)] = strides
    packed = layout.view(np.dtype((np.void, layout.nbytes)))[0]
    made.get_function("strided")(
        blocks,
        (THREADS,),
        (np.int64(numel), np.int32(len(iter.shape)), packed, *addresses, *captured),
    )
