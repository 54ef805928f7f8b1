"""CuPy's own calls: NumPy's functions, each of them CuPy's ready-made kernel for the GPU."""

from __future__ import annotations

from registry_runtime.benchmark.peers import Library, LibraryError, numpy_calls
from registry_runtime.kernels import device
from registry_runtime.phi.kernel_template import KernelError


def library(backend: str) -> Library:
    try:
        cupy = device.cupy()
    except KernelError as error:
        raise LibraryError(str(error)) from None
    return Library(
        "cupy",
        cupy.__version__,
        numpy_calls.calls(cupy),
        tensor=lambda array: array,
        dtype=lambda data_type: data_type.numpy,
        dtype_of=numpy_calls.dtype_of,
        in_line=True,
    )
