"""The loops that run on the CPU, before Numba has made machine code of them.

Each loop is a template, like the kernel around it: `T`, `size` and `scalar` are left open, and
`_bind` fills them in as C++ fills in `T` and a functor. An element-wise kernel has two loops. One
has the form that NumPy calls the inner loop of a ufunc, `(pointers, count, steps in bytes)`, and
becomes a real `numpy.ufunc`, so that broadcasting, strides and overlap are NumPy's own work and a
call costs what NumPy's cost. The other splits flat memory over all cores.

The inner loops are spelt out because `numba.vectorize` gets two of their cases wrong: it tests the
inputs' steps but not the output's, so that a strided output is written past its end, and a loop
that works in place isn't vectorised. Only `registry_runtime.kernels.cpu` imports this module, for
it imports Numba.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any

import numba
import numpy as np

from registry_runtime.kernels import compile_cache
from registry_runtime.phi.data_type import DataType

# Through Any, as Numba's type stubs leave out some of its public names and all private ones.
_numba: Any = numba
carray, prange, types = _numba.carray, _numba.prange, _numba.types
_internal: Any = import_module("numba.np.ufunc._internal")

T: Any = None  # the element's NumPy scalar type
size = 1  # its bytes


def scalar(*elements: Any) -> Any:
    """What happens to one element, or to a pair."""


def unary_loop(args: Any, dims: Any, steps: Any, data: Any) -> None:
    n, sx, so = dims[0], steps[0] // size, steps[1] // size
    # A length of 0, as the bounds aren't checked and a negative index then counts from the start.
    x, out = carray(args[0], 0, T), carray(args[1], 0, T)
    if sx == 1 and so == 1:
        if x.ctypes.data == out.ctypes.data:
            for i in range(n):
                out[i] = scalar(out[i])
        else:
            for i in range(n):
                out[i] = scalar(x[i])
    else:
        for i in range(n):
            out[i * so] = scalar(x[i * sx])


def binary_loop(args: Any, dims: Any, steps: Any, data: Any) -> None:
    n, sx, sy, so = dims[0], steps[0] // size, steps[1] // size, steps[2] // size
    x, y, out = carray(args[0], 0, T), carray(args[1], 0, T), carray(args[2], 0, T)
    if sx == 1 and sy == 1 and so == 1:
        # Each case names its pointers so that LLVM sees which of them are one.
        if x.ctypes.data == out.ctypes.data:
            for i in range(n):
                out[i] = scalar(out[i], y[i])
        elif y.ctypes.data == out.ctypes.data:
            for i in range(n):
                out[i] = scalar(x[i], out[i])
        else:
            for i in range(n):
                out[i] = scalar(x[i], y[i])
    elif sx == 1 and sy == 0 and so == 1:
        right = y[0]
        for i in range(n):
            out[i] = scalar(x[i], right)
    elif sx == 0 and sy == 1 and so == 1:
        left = x[0]
        for i in range(n):
            out[i] = scalar(left, y[i])
    else:
        for i in range(n):
            out[i * so] = scalar(x[i * sx], y[i * sy])


def unary_threaded(x: Any, out: Any) -> None:
    for i in prange(out.size):
        out[i] = scalar(x[i])


def binary_threaded(x: Any, y: Any, out: Any) -> None:
    for i in prange(out.size):
        out[i] = scalar(x[i], y[i])


def fill(out: Any, value: Any) -> None:
    for i in range(out.size):
        out[i] = value


def fill_threaded(out: Any, value: Any) -> None:
    for i in prange(out.size):
        out[i] = value


def elementwise(
    function: Callable[..., Any], dtype: DataType, nin: int
) -> tuple[np.ufunc, Callable[..., None], bool, Callable[[], str]]:
    """The ufunc and the threaded loop over flat contiguous arrays that apply `function`.

    Also whether both came from the cache, and a function that gives the ufunc's assembly. All
    arrays hold `dtype`: a bool or an integer type. Raises Numba's errors for a bad `function`.
    """
    target = dtype.numpy
    element = _numba.from_dtype(target)
    loop = _bind(unary_loop if nin == 1 else binary_loop, dtype, function)
    inner = compile_cache.compiled(lambda cache: _numba.cfunc(_INNER_LOOP, cache=cache), loop)
    # NumPy keeps the address alone; the last but one argument keeps the code behind it alive.
    ufunc: np.ufunc = _internal.fromfunc(
        function.__name__,
        function.__doc__,
        [inner.address],
        [[target.num] * (nin + 1)],
        nin,
        1,
        [None],
        inner,
        _internal.PyUFunc_None,
    )
    source = types.Array(element, 1, "C", readonly=True)  # accepts writable arrays too
    signature = types.void(*[source] * nin, types.Array(element, 1, "C"))
    threaded, cached = _jit(
        unary_threaded if nin == 1 else binary_threaded, signature, dtype, function
    )
    # Numba keeps no assembly with cached code, so whoever wants to read it has it made again.
    return (
        ufunc,
        threaded,
        cached and bool(inner.cache_hits),
        lambda: str(_numba.cfunc(_INNER_LOOP)(loop)._library.get_asm_str()),
    )


def constant(
    dtype: DataType,
) -> tuple[Callable[..., None], Callable[..., None], bool, Callable[[], str]]:
    """`fill(out, value)` on one core and on all, for flat contiguous `out` and a `T` value."""
    element = _numba.from_dtype(dtype.numpy)
    signature = types.void(types.Array(element, 1, "C"), element)
    single, cached = _jit(fill, signature, dtype)
    threaded, threaded_cached = _jit(fill_threaded, signature, dtype)

    def assembly() -> str:
        fresh = _numba.njit(signature)(_bind(fill, dtype))
        return str(fresh.inspect_asm(fresh.signatures[0]))

    return single, threaded, cached and threaded_cached, assembly


_INNER_LOOP = types.void(
    types.CPointer(types.voidptr),
    types.CPointer(types.intp),
    types.CPointer(types.intp),
    types.voidptr,
)


def _jit(
    template: Callable[..., None],
    signature: Any,
    dtype: DataType,
    function: Callable[..., Any] | None = None,
) -> tuple[Callable[..., None], bool]:
    threaded = template.__name__.endswith("_threaded")
    loop = compile_cache.compiled(
        lambda cache: _numba.njit(signature, parallel=threaded, nogil=True, cache=cache),
        _bind(template, dtype, function),
    )
    return loop, bool(loop.stats.cache_hits)


def _bind(
    template: Callable[..., None], dtype: DataType, function: Callable[..., Any] | None = None
) -> Callable[..., None]:
    """A copy of the loop with its open names filled in.

    Numba finds cached code by name, so the name carries everything that makes this copy different,
    down to a checksum of the function: the file that it comes from isn't the one that Numba checks.
    """
    target = dtype.numpy
    names = {"T": target.type, "size": target.itemsize, "carray": carray, "prange": prange}
    label = f"{template.__name__}_{dtype}"
    if function is not None:
        code = function.__code__
        label += (
            f"_{function.__name__}_{zlib.crc32(code.co_code + repr(code.co_consts).encode()):08x}"
        )
        names["scalar"] = _numba.njit(function)
    bound = FunctionType(template.__code__, names, label)
    bound.__qualname__, bound.__module__ = label, template.__module__
    return bound
