"""Loops over rows: for kernels that need all of a row at once, as a sum or a softmax does.

Such a kernel is a Python function `rows(begin, end, *arrays)` that does the rows from `begin` to `end`.
No row depends on another, so one core may do them all, or each core a part: the same machine code, at
an address that the element-wise kernels' `split` can call.

`load` and `store` are open names in the function: float16 and bfloat16 lie in memory as uint16 and are
computed with as float32. Only builders import this module, for it imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.kernels import compile_cache, cores, loops, numbers
from registry_runtime.kernels.own_numba import numba
from registry_runtime.phi.data_type import DataType

types = numba.types

# A sum's order is free, so that LLVM may keep one sum for each lane of a register.
REASSOCIATE = frozenset({"reassoc", "nsz", "contract"})


class Rows(NamedTuple):
    """`single(begin, end, *arrays)`, and `run(n, nbytes, *arrays)`: all rows, on as many cores as pay
    for `nbytes` of memory that are read and written. `of(n, nbytes)` is `run` for so many each time:
    it takes the arrays alone."""

    single: Callable[..., None]
    run: Callable[..., None]
    of: Callable[[int, int], Callable[..., None]]
    from_cache: bool
    code: Callable[[], str]
    llvm: Callable[[], str]


@numbers.njit
def _same(x: Any) -> Any:
    return x


def carrier(dtype: DataType) -> np.dtype[Any]:
    """What a `dtype` lies in memory as, for Numba."""
    return numbers.CARRIER.get(dtype, dtype).numpy


def rows(
    function: Callable[..., None],
    T: DataType,
    arrays: Sequence[tuple[DataType, int]],
    names: dict[str, Any] | None = None,
    fastmath: frozenset[str] = frozenset(),
) -> Rows:
    """`function` compiled for C-contiguous arrays of these data types and numbers of dims.

    `load` and `store` are those of `T`; `names` are the other open names in `function`.
    """
    elements = [numba.from_dtype(carrier(dtype)) for dtype, _ in arrays]
    given = [
        types.Array(element, ndim, "C") for element, (_, ndim) in zip(elements, arrays, strict=True)
    ]
    open_names = {
        "load": numbers.LOAD.get(T, _same),
        "store": numbers.STORE.get(T, _same),
    }
    open_names |= names or {}
    label = "_".join([function.__name__, str(T), *(f"{d}{n}" for d, n in arrays)])
    bound = loops.bind(function, label, open_names)
    signature = types.void(types.intp, types.intp, *given)
    how: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": set(fastmath)}
    single = compile_cache.compiled(
        lambda cache: numba.njit(signature, cache=cache, **how), bound, keep=loops.is_ours(function)
    )

    inner_loop = cache(lambda: _as_c_function(bound.__name__, single, arrays))

    def threaded(n: int, *values: Any) -> None:
        pieces = numba.get_num_threads()
        bounds = np.arange(pieces + 1, dtype=np.intp) * n // pieces
        pointers = np.array([x.ctypes.data for x in values], np.intp)
        shapes = np.array([dim for x in values for dim in x.shape], np.intp)
        # Every piece gets the same pointers, and its bounds by their place in the list.
        loops.split()(
            inner_loop().address,
            pointers.ctypes.data,
            bounds.ctypes.data,
            shapes.ctypes.data,
            pieces,
            0,
        )

    cores.start_threads(loops.split(), 0, 0, 0, 0, 0, 0)
    few = cores.elements_for_one_core(DataType.INT8)

    def run(n: int, nbytes: int, *values: Any) -> None:
        if nbytes <= few or n == 1 or not cores.on_all_cores(threaded, nbytes, n, *values):
            single(0, n, *values)

    def of(n: int, nbytes: int) -> Callable[..., None]:
        if nbytes <= few or n == 1:
            # There is but one signature to choose: so past the dispatcher, to what it would call.
            return partial(single.overloads[signature.args].entry_point, 0, n)
        return partial(run, n, nbytes)

    fresh = cache(lambda: numba.njit(signature, **how)(bound))
    return Rows(
        single,
        run,
        of,
        bool(single.stats.cache_hits),
        lambda: str(fresh().inspect_asm(fresh().signatures[0])),
        lambda: str(fresh().inspect_llvm(fresh().signatures[0])),
    )


def _as_c_function(
    name: str, single: Callable[..., None], arrays: Sequence[tuple[DataType, int]]
) -> Any:
    """The same rows, as a C function `(pointers, bounds, shapes, unused)`."""
    lines = ["def loop(args, bounds, shapes, data):"]
    at = 0
    for i, (_, ndim) in enumerate(arrays):
        shape = "".join(f"shapes[{at + k}], " for k in range(ndim))
        lines.append(f" a{i} = carray(args[{i}], ({shape}), T{i})")
        at += ndim
    every = ", ".join(f"a{i}" for i in range(len(arrays)))
    lines.append(f" rows(bounds[0], bounds[1], {every})")
    space: dict[str, Any] = {}
    exec(compile("\n".join(lines), loops.__file__, "exec"), space)
    called = {"rows": single} | {f"T{i}": carrier(d).type for i, (d, _) in enumerate(arrays)}
    return numba.cfunc(loops.INNER_LOOP)(loops.bind(space["loop"], f"split_{name}", called))


def flat(array: Any, *shape: int) -> Any:
    """The array's elements in C order as their carrier, with these dims; a copy where it must be."""
    whole = array if array.flags.carray else np.array(array, order="C")
    half = _HALF.get(array.dtype)
    whole = whole if half is None else whole.view(half)
    return whole if whole.shape == shape else whole.reshape(shape)


_HALF = {dtype.numpy: carried.numpy for dtype, carried in numbers.CARRIER.items()}
