"""Building and launching on the CPU.

What a call costs is decided here. One element takes longer to check than to compute, so a launch
makes the few tests that make the common case safe and hands over to the ufunc; whatever fails them
goes the long way, which says what is wrong, converts, threads. Threads pay only where the memory
that moves is worth waking them; below that one core is faster.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from registry_runtime.kernels.cores import elements_for_one_core, on_all_cores, start_threads
from registry_runtime.kernels.template import Build, Builder, KernelError, KernelTemplate
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor

Array = NDArray[Any]

_COMPILING = threading.Lock()


def elementwise(scalar: Callable[..., Any], for_bool: Callable[..., Any] | None = None) -> Builder:
    """Builds a kernel that applies `scalar` to the elements of one or two tensors.

    `for_bool` takes its place where T is bool: C++ would specialise the functor.
    """

    def build(template: KernelTemplate, dtype: DataType) -> Build:
        function = for_bool if for_bool and dtype is DataType.BOOL else scalar
        nin = len(template.inputs)

        def compiled(loops: ModuleType) -> tuple[Any, ...]:
            ufunc, threaded, cached, code = loops.elementwise(function, dtype, nin)
            start_threads(threaded, *[np.empty(0, dtype.numpy)] * (nin + 1))
            make = _unary_launch if nin == 1 else _binary_launch
            return make(_long_way(template, dtype, ufunc, threaded), dtype, ufunc), cached, code

        return timed(template, dtype, compiled)

    return build


def timed(
    template: KernelTemplate, dtype: DataType, compiled: Callable[[ModuleType], tuple[Any, ...]]
) -> Build:
    """The build around `compiled(loops)`, which returns the launch, `from_cache` and the code.

    Only one build runs at a time. Raises KernelError where Numba can't compile.
    """
    # Imported before the clock starts: half a second of Numba is no kernel's compile time.
    import numba

    from registry_runtime.kernels import loops

    with _COMPILING:
        started = time.perf_counter()
        try:
            launch, cached, code = compiled(loops)
        except (numba.core.errors.NumbaError, NotImplementedError) as error:
            reason = str(error).strip().splitlines()[0]
            raise KernelError(f"Numba can't build {template.name} for {dtype}: {reason}") from None
        return Build("CPU", launch, time.perf_counter() - started, cached, code)


def _unary_launch(
    long_way: Callable[..., Array], dtype: DataType, ufunc: np.ufunc
) -> Callable[..., Array]:
    T, few, ndarray = dtype.numpy, elements_for_one_core(dtype), np.ndarray

    def launch(x: Any, out: Any = None) -> Array:
        try:
            if x.dtype is T and out is None and x.size <= few:
                result = ufunc(x)
                if type(result) is ndarray:
                    return result
        except (AttributeError, TypeError):
            pass  # no array at all: the long way says so
        return long_way((x,), out)

    return launch


def _binary_launch(
    long_way: Callable[..., Array], dtype: DataType, ufunc: np.ufunc
) -> Callable[..., Array]:
    T, few, ndarray = dtype.numpy, elements_for_one_core(dtype), np.ndarray

    def launch(x: Any, y: Any, out: Any = None) -> Array:
        try:
            # Without the test of the dtypes a ufunc would cast in silence. A small x with a large
            # y is fine: operands that broadcast don't go to threads anyway.
            if x.dtype is T is y.dtype and out is None and x.size <= few:
                result = ufunc(x, y)
                if type(result) is ndarray:
                    return result
        except (AttributeError, TypeError, ValueError):
            pass  # no array, or shapes that don't broadcast: the long way says so
        return long_way((x, y), out)

    return launch


def _long_way(
    template: KernelTemplate, dtype: DataType, ufunc: np.ufunc, threaded: Callable[..., None]
) -> Callable[[tuple[Any, ...], Any], Array]:
    T, few = dtype.numpy, elements_for_one_core(dtype)

    def launch(args: tuple[Any, ...], out: Any) -> Array:
        if all(type(x) is np.ndarray and x.dtype is T and x.shape == args[0].shape for x in args):
            operands, dims = args, args[0].shape
        else:
            tensors = template.bind(*args)
            operands = tuple(
                operand(template, dtype, parameter.name, tensor)
                for parameter, tensor in zip(template.inputs, tensors, strict=True)
            )
            dims = template.infer_meta(*tensors).dims
        result = None if out is None else output(template, dtype, dims, out)
        if math.prod(dims) > few and (order := _common_order(dims, operands)):
            fresh = result is None
            result = np.empty(dims, T, order) if result is None else result
            if fresh or (_common_order(dims, (result,)) == order and _in_step(operands, result)):
                flat = [x.ravel(order) for x in (*operands, result)]
                if on_all_cores(threaded, result.nbytes, *flat):
                    return result
        return np.asarray(ufunc(*operands)) if result is None else ufunc(*operands, result)

    return launch


def _common_order(dims: tuple[int, ...], arrays: tuple[Array, ...]) -> Literal["C", "F"] | None:
    """The order in which all arrays are one flat piece of memory with these dims, if there is one."""
    if any(x.shape != dims or not x.flags.aligned for x in arrays):
        return None
    if all(x.flags.c_contiguous for x in arrays):
        return "C"
    return "F" if all(x.flags.f_contiguous for x in arrays) else None


def _in_step(operands: tuple[Array, ...], out: Array) -> bool:
    """Whether each operand is out itself, element for element, or shares no memory with it."""
    return all(
        x.ctypes.data == out.ctypes.data or not np.may_share_memory(x, out) for x in operands
    )


def operand(template: KernelTemplate, dtype: DataType, name: str, tensor: DenseTensor) -> Array:
    """The tensor's array, if it holds `dtype` in host memory. Raises KernelError otherwise."""
    kernel = f"{template.name}<{dtype}, CPUContext>"
    if tensor.backend != "CPU":
        raise KernelError(
            f"{kernel}: {name} lies on the GPU; copy it with .get(), or run the GPU kernel"
        )
    if tensor.dtype != dtype:
        raise KernelError(
            f"{kernel}: {name} is {tensor.dtype}; cast it to {dtype}, "
            f"or run the kernel that is registered for {tensor.dtype}"
        )
    return np.asarray(tensor.data)


def output(template: KernelTemplate, dtype: DataType, dims: tuple[int, ...], out: Any) -> Array:
    """A new array of these dims, or `out` if it can take the result. Raises KernelError."""
    if out is None:
        return np.empty(dims, dtype.numpy)
    kernel = f"{template.name}<{dtype}, CPUContext>"
    array = out.data if isinstance(out, DenseTensor) else out
    if not isinstance(array, np.ndarray):
        raise KernelError(
            f"{kernel}: out must be a NumPy array or a DenseTensor, not {type(out).__name__}"
        )
    if array.dtype != dtype.numpy or array.shape != dims:
        raise KernelError(
            f"{kernel}: out is {array.dtype} of shape {array.shape}; it must be {dtype} of shape {dims}"
        )
    if not array.flags.writeable:
        raise KernelError(f"{kernel}: out is read-only; pass a writable array, or none")
    return array
