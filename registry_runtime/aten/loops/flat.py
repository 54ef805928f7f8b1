"""The shortest call of a `loop2d`: arrays of one shape, each of them flat memory.

That is what an iterator comes to whose fast set-up found everything contiguous: one dimension, and
strides of one element. What such a call still has to check, every time, is done in machine code,
because in Python it would cost more than the loop over a few elements: that the arrays have the same
shape and type, and that they are contiguous. The facts are read where NumPy keeps them; the layout of
its `PyArrayObject` is part of NumPy's binary interface, and `run_flat` compares what is read with what
NumPy says. This module imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir

from registry_runtime.aten.loops.build import COMPILING
from registry_runtime.aten.loops.drivers import (
    ALONE,
    call_loop2d,
    counter_words,
    get_num_threads,
    parallel,
    parallel_for_each,
    pointer_words,
    set_word,
    team,
)
from registry_runtime.aten.loops.for_each import GRAIN_SIZE, cut
from registry_runtime.aten.loops.vector_types import intrinsic, word
from registry_runtime.kernels import compile_cache, cores
from registry_runtime.kernels.own_numba import numba

_extending: Any = numba.extending
types: Any = numba.types
_I64 = ir.IntType(64)

# PyArrayObject, in words: the header that every object has, then data, nd (an int), dimensions,
# strides, base, descr, flags (an int).
DATA = object.__basicsize__ // 8
ND, DIMENSIONS, DESCR, FLAGS = DATA + 1, DATA + 2, DATA + 5, DATA + 6
_INT = 0xFFFFFFFF
_C_CONTIGUOUS_AND_ALIGNED = 0x101

MISMATCH = -1


class ArrayObject(types.Type):  # type: ignore[misc]
    """A NumPy array as an argument: its object's address, nothing copied or checked."""

    def __init__(self) -> None:
        super().__init__("ArrayObject")


ARRAY = ArrayObject()


@_extending.register_model(ArrayObject)
class _Model(_extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _I64)


def _unbox(type_: Any, array: Any, context: Any) -> Any:
    return _extending.NativeValue(context.builder.ptrtoint(array, _I64))


_extending.unbox(ArrayObject)(_unbox)


@intrinsic
def address_of(typing_context: Any, array: Any) -> Any:
    """The address of the array's object."""
    return types.intp(ARRAY), lambda context, builder, signature, values: values[0]


def _run_flat(call: int, out: Any, a: Any, b: Any) -> int:
    result, first, second = address_of(out), address_of(a), address_of(b)
    ndim = word(first, ND) & _INT
    if (
        word(second, ND) & _INT != ndim
        or word(first, DESCR) != word(second, DESCR)
        or word(first, DESCR) != word(result, DESCR)
        or word(first, FLAGS) & word(second, FLAGS) & _C_CONTIGUOUS_AND_ALIGNED
        != _C_CONTIGUOUS_AND_ALIGNED
    ):
        return MISMATCH
    size = 1
    for i in range(ndim):
        length = word(word(first, DIMENSIONS), i)
        if length != word(word(second, DIMENSIONS), i):
            return MISMATCH
        size *= length
    if size > word(call, 3):
        return size
    itemsize = word(call, 2)
    pointers, strides = pointer_words(), counter_words()
    set_word(pointers, 0, word(result, DATA))
    set_word(pointers, 1, word(first, DATA))
    set_word(pointers, 2, word(second, DATA))
    for i in range(3):
        set_word(strides, i, itemsize)
        set_word(strides, 3 + i, 0)
    if size > 0:
        call_loop2d(word(call, 0), pointers, strides, size, 1, word(call, 1))
    return 0


_cut = numba.njit(cut)


def _run_ranges(
    gomp: int, body: int, threads: int, call: int, out: Any, a: Any, b: Any, numel: int
) -> None:
    chunk, pieces = _cut(numel, GRAIN_SIZE, threads)
    # What drivers.py calls facts, of one dimension: see `for_each.facts_of`.
    facts = counter_words()
    set_word(facts, 0, 1)
    set_word(facts, 1, 3)
    set_word(facts, 2, numel)
    for i in range(3):
        set_word(facts, 3 + i, word(call, 2))
        set_word(facts, 6 + i, 0)
    set_word(facts, 9, word(address_of(out), DATA))
    set_word(facts, 10, word(address_of(a), DATA))
    set_word(facts, 11, word(address_of(b), DATA))
    parallel_for_each(gomp, body, word(call, 0), word(call, 1), facts, chunk, numel, pieces)


def run_on_all_cores(call: int, out: Any, a: Any, b: Any, nbytes: int, numel: int) -> None:
    """What `run_flat` left alone because there is so much of it: a range for each thread."""
    runner, gomp, body, threads = _range_runner()
    if not cores.on_all_cores(runner, nbytes, gomp, body, threads, call, out, a, b, numel):
        runner(*ALONE, threads, call, out, a, b, numel)


@cache
def _range_runner() -> tuple[Callable[..., None], int, int, int]:
    words = types.intp
    signature = types.void(*[words] * 4, *[ARRAY] * 3, words)
    parallel()  # starts the threads
    return _compiled(_run_ranges, signature, nogil=True), *team(), get_num_threads()


def _facts(array: Any) -> tuple[int, int, int, int]:
    at = address_of(array)
    return (
        word(at, DATA),
        word(at, ND) & _INT,
        word(word(at, DIMENSIONS), 0),
        word(at, FLAGS) & _C_CONTIGUOUS_AND_ALIGNED,
    )


@cache
def run_flat() -> Callable[..., int] | None:
    """`run_flat(call, out, a, b)`, for three NumPy arrays.

    `call` is the address of four integers: the loop's address, that of what it captured, the bytes
    of an element, and `most`. `out` is contiguous and has `a`'s shape. Returns 0 when it has
    computed; MISMATCH where `a` and `b` aren't flat arrays of one shape and type; and the number of
    elements, not having done anything, where there are more than `most`. None if NumPy's arrays
    look different from what this module knows.
    """
    words = types.intp
    facts = _compiled(_facts, types.UniTuple(words, 4)(ARRAY))
    array = np.zeros((3, 2), np.int16)
    if facts(array) != (array.ctypes.data, 2, 3, _C_CONTIGUOUS_AND_ALIGNED):
        return None
    if facts(array[:, :1])[3] != 0x100:
        return None
    return _compiled(_run_flat, words(words, ARRAY, ARRAY, ARRAY))


def _compiled(
    function: Callable[..., Any], signature: Any, *, nogil: bool = False
) -> Callable[..., Any]:
    """By default the GIL stays: a few elements are done sooner than another thread could take it."""
    with COMPILING:
        made = compile_cache.compiled(
            lambda cache: numba.njit(signature, nogil=nogil, error_model="numpy", cache=cache),
            function,
        )
    entry: Callable[..., Any] = made.overloads[signature.args].entry_point
    return entry
