"""The loops that run on the CPU, before Numba has made machine code of them.

An element-wise kernel has one loop, of the form that NumPy calls the inner loop of a ufunc:
`(pointers, count, steps in bytes)`. It is written out as Python text for the kernel's number of
operands, with an element's type and the function left open; `_bind` fills them in as C++ fills in
`T` and a functor. It becomes a real `numpy.ufunc`, so that broadcasting, strides and overlap are
NumPy's own work and a call costs what NumPy's cost. For large flat operands `split`, compiled once
for all kernels, hands a piece of the memory to the same loop on every core.

float16 and bfloat16 lie in memory as uint16, are computed with as float32 and rounded once. The
loops are spelt out because `numba.vectorize` gets two of their cases wrong: it tests the inputs'
steps but not the output's, so that a strided output is written past its end, and a loop that works
in place isn't vectorised. Only `registry_runtime.kernels.cpu` imports this module, for it imports
Numba.
"""

from __future__ import annotations

import os
import platform
import zlib
from collections.abc import Callable, Collection
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.kernels import compile_cache, numbers
from registry_runtime.kernels.dtypes import COMPLEX, FLOATS
from registry_runtime.kernels.own_numba import numba
from registry_runtime.phi.data_type import DataType

carray, prange, types = numba.carray, numba.prange, numba.types
_internal: Any = import_module("numba.np.ufunc._internal")

# TBB, which Numba would take if some library has brought one along, wakes its threads so late that the
# first has done the work of all by then.
if "NUMBA_THREADING_LAYER_PRIORITY" not in os.environ:
    numba.config.THREADING_LAYER_PRIORITY = ["omp", "tbb", "workqueue"]

_CLEAR_FLAGS = types.ExternalFunction("feclearexcept", types.int32(types.int32))
_ALL_FLAGS = 0x3D if platform.machine() in ("x86_64", "AMD64") else 0x1F

_OURS = zlib.crc32(
    b"".join(
        Path(__file__).with_name(f"{name}.py").read_bytes() for name in ("numbers", "loops", "rows")
    )
)

T: Any = None  # the element's NumPy scalar type


def fill(out: Any, value: Any) -> None:
    for i in range(out.size):
        out[i] = value


def fill_threaded(out: Any, value: Any) -> None:
    for i in prange(out.size):
        out[i] = value


class Elementwise(NamedTuple):
    """A function applied to each element: `ufunc` on any memory, `threaded` on flat memory.

    Both take arrays of `carriers`, the inputs' and the output's; those of half precision are views.
    """

    ufunc: np.ufunc
    threaded: Callable[..., None]
    carriers: tuple[np.dtype[Any], ...]
    from_cache: bool
    code: Callable[[], str]
    llvm: Callable[[], str]


def elementwise(
    function: Callable[..., Any],
    operands: tuple[DataType, ...],
    constant: tuple[bool, ...],
) -> Elementwise:
    """`function` of one element of each input, for `operands`, the inputs' types and the output's.

    `constant` says of which inputs one value serves all elements. Raises Numba's errors for a bad
    `function`.
    """
    carriers = tuple(numbers.CARRIER.get(dtype, dtype).numpy for dtype in operands)
    names = {f"T{i}": dtype.type for i, dtype in enumerate(carriers)}
    # Numba types each call anew, so no call loads what lies in memory as it is computed with.
    names |= {f"load{i}": numbers.LOAD[T] for i, T in enumerate(operands) if T in numbers.LOAD}
    if operands[-1] in numbers.STORE:
        names["store"] = numbers.STORE[operands[-1]]
    text = _inner_loop(tuple(dtype.itemsize for dtype in carriers), constant, names.keys())
    if any(dtype in FLOATS | COMPLEX for dtype in operands):
        # C++ divides by zero in silence; NumPy would warn of the flags that this raises.
        names["clear"] = _CLEAR_FLAGS
        text += f"\n clear({_ALL_FLAGS})"
    space: dict[str, Any] = {}
    # Numba looks for a function's file to know when its cached code is out of date.
    exec(compile(text, __file__, "exec"), space)
    label = f"elementwise_{'_'.join(map(str, operands))}_{zlib.crc32(text.encode()):08x}"
    loop = _bind(space["loop"], label, function, names)
    inner = compile_cache.compiled(
        lambda cache: numba.cfunc(INNER_LOOP, cache=cache), loop, keep=is_ours(function)
    )
    # NumPy keeps the address alone; the last but one argument keeps the code behind it alive.
    ufunc: np.ufunc = _internal.fromfunc(
        function.__name__,
        function.__doc__,
        [inner.address],
        [[dtype.num for dtype in carriers]],
        len(operands) - 1,
        1,
        [None],
        inner,
        _internal.PyUFunc_None,
    )
    split_flat, threads = split(), numba.get_num_threads()
    steps = np.array([d.itemsize for d in carriers], np.intp)
    steps[:-1][list(constant)] = 0
    sizes, steps_at, address = steps.tolist(), steps.ctypes.data, inner.address

    def threaded(*flat: Any) -> None:
        bounds = np.arange(threads + 1, dtype=np.intp) * flat[-1].size // threads
        counts = np.diff(bounds)
        first = np.array([x.ctypes.data for x in flat], np.intp)
        pointers = first + bounds[:-1, None] * steps
        split_flat(address, pointers.ctypes.data, counts.ctypes.data, steps_at, threads, len(sizes))

    # Numba keeps no assembly with cached code, so whoever wants to read it has it made again.
    library = cache(lambda: numba.cfunc(INNER_LOOP)(loop)._library)
    return Elementwise(
        ufunc,
        threaded,
        carriers,
        bool(inner.cache_hits),
        lambda: str(library().get_asm_str()),
        lambda: str(library().get_llvm_str()),
    )


def _inner_loop(sizes: tuple[int, ...], constant: tuple[bool, ...], known: Collection[str]) -> str:
    """The text of a ufunc's inner loop: a case for each pattern of steps worth vectorising. Which of
    `load0`, `load1` … and `store` it calls, `known` says."""
    n = len(sizes) - 1
    patterns = [tuple(0 if c else 1 for c in constant)]
    if n == 2 and not any(constant):
        patterns += [(1, 0), (0, 1)]
    lines = ["def loop(args, dims, steps, data):", " n = dims[0]"]
    # A length of 0, as the bounds aren't checked and a negative index then counts from the start.
    for i, size in enumerate(sizes):
        lines.append(f" s{i} = steps[{i}] // {size}; x{i} = carray(args[{i}], 0, T{i})")

    def call(function: str, value: str) -> str:
        return f"{function}({value})" if function in known else value

    def case(indent: str, index: Callable[[int], str]) -> None:
        elements = ", ".join(
            f"c{i}" if index(i) == "0" else call(f"load{i}", index(i)) for i in range(n)
        )
        result = call("store", f"scalar({elements})")
        lines.append(f"{indent}for i in range(n): {index(n)} = {result}")

    for k, pattern in enumerate(patterns):
        test = " and ".join(f"s{i} == {s}" for i, s in enumerate((*pattern, 1)))
        lines.append(f" {'elif' if k else 'if'} {test}:")
        lines += [f"  c{i} = {call(f'load{i}', f'x{i}[0]')}" for i in range(n) if not pattern[i]]

        def flat(i: int, pattern: tuple[int, ...] = pattern, same: int = -1) -> str:
            return "0" if i < n and not pattern[i] else f"x{n if i == same else i}[i]"

        # Each case names its pointers so that LLVM sees which of them are one.
        aliases = [i for i in range(n) if pattern[i] and sizes[i] == sizes[n]] if not k else []
        for j, i in enumerate(aliases):
            lines.append(f"  {'elif' if j else 'if'} x{i}.ctypes.data == x{n}.ctypes.data:")
            case("   ", lambda m, i=i, flat=flat: flat(m, same=i))  # type: ignore[misc]
        if aliases:
            lines.append("  else:")
        case("   ", flat)
        if not aliases:
            lines[-1] = lines[-1][1:]
    lines.append(" else:")
    case("  ", lambda i: f"x{i}[i * s{i}]")
    return "\n".join(lines)


def split_pieces(
    address: int, pointers: int, counts: int, steps: int, pieces: int, operands: int
) -> None:
    for i in prange(pieces):
        numbers.call_inner_loop(address, pointers + i * operands * 8, counts + i * 8, steps)


@cache
def split() -> Callable[..., None]:
    signature = types.void(*[types.intp] * 6)
    compiled: Callable[..., None] = compile_cache.compiled(
        lambda cache: numba.njit(signature, parallel=True, nogil=True, cache=cache), split_pieces
    )
    return compiled


def constant(
    dtype: DataType,
) -> tuple[Callable[..., None], Callable[..., None], bool, Callable[[], str]]:
    """`fill(out, value)` on one core and on all, for flat contiguous `out` and a `T` value."""
    element = numba.from_dtype(dtype.numpy)
    signature = types.void(types.Array(element, 1, "C"), element)
    single, cached = _jit(fill, signature, dtype)
    threaded, threaded_cached = _jit(fill_threaded, signature, dtype)

    def assembly() -> str:
        fresh = numba.njit(signature)(_bind(fill, "fill", None, {}))
        return str(fresh.inspect_asm(fresh.signatures[0]))

    return single, threaded, cached and threaded_cached, assembly


INNER_LOOP = types.void(
    types.CPointer(types.voidptr),
    types.CPointer(types.intp),
    types.CPointer(types.intp),
    types.voidptr,
)


def _jit(
    template: Callable[..., None], signature: Any, dtype: DataType
) -> tuple[Callable[..., None], bool]:
    threaded = template.__name__.endswith("_threaded")
    loop = compile_cache.compiled(
        lambda cache: numba.njit(signature, parallel=threaded, nogil=True, cache=cache),
        _bind(template, f"{template.__name__}_{dtype}", None, {"T": dtype.numpy.type}),
    )
    return loop, bool(loop.stats.cache_hits)


def _bind(
    template: Callable[..., None],
    label: str,
    function: Callable[..., Any] | None,
    names: dict[str, Any],
) -> Callable[..., None]:
    """A copy of the loop with its open names, and the function that it applies, filled in."""
    if function is not None:
        label += f"_{function.__name__}_{checksum(function)}"
        # C++'s arithmetic: dividing by zero is no exception.
        names = names | {"scalar": numba.njit(function, error_model="numpy")}
    return bind(template, label, names)


def bind(template: Callable[..., None], label: str, names: dict[str, Any]) -> Callable[..., None]:
    """A copy of a function with its open names filled in.

    Numba finds cached code by name, so the name carries everything that makes this copy different,
    down to a checksum of the function: the file that it comes from isn't the one that Numba checks.
    And what is called is compiled in, so these modules' own text is part of the name as well.
    """
    label = f"{label}_{checksum(template)}_{_OURS:08x}"
    bound = FunctionType(
        template.__code__, {"carray": carray, "prange": prange, "range": range} | names, label
    )
    bound.__qualname__, bound.__module__ = label, __name__
    return bound


def checksum(function: Callable[..., Any]) -> str:
    code = function.__code__
    return f"{zlib.crc32(code.co_code + repr(code.co_consts).encode()):08x}"


def is_ours(function: Callable[..., Any]) -> bool:
    """Whether its code may be kept: the checksum knows a function's text, not that of what it calls,
    which somebody else may change between two runs."""
    return Path(function.__code__.co_filename).is_relative_to(Path(__file__).parent.parent)
