"""`serial_for_each` and the body of `parallel_for` as machine code.

They know no type of element: a loop is an address to call. So they are compiled once, for the host.
This module imports Numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any

from llvmlite import ir

from registry_runtime.aten.loops.build import COMPILING
from registry_runtime.aten.loops.invoke_parallel import (
    gomp_parallel,
    invoke_parallel,
    next_number,
)
from registry_runtime.aten.loops.vector_types import intrinsic, word
from registry_runtime.kernels import compile_cache, cores
from registry_runtime.kernels.own_numba import numba

# Imported for what it sets: Numba's threads come from OpenMP where there is a choice.
_loops: Any = import_module("registry_runtime.kernels.loops")
_cgutils: Any = import_module("numba.core.cgutils")
prange, types = numba.prange, numba.types

_I64 = ir.IntType(64)
MOST_TENSORS, MOST_DIMS = 8, 64


@intrinsic
def set_word(typing_context: Any, address: Any, index: Any, value: Any) -> Any:
    """`set_word(address, i, value)` of the 64-bit integers that lie there."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], _I64.as_pointer())
        builder.store(values[2], builder.gep(pointer, [values[1]]))
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, types.intp), code


def _words(count: int) -> Any:
    @intrinsic
    def words(typing_context: Any) -> Any:
        """The address of so many integers on the stack."""

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.ptrtoint(_cgutils.alloca_once(builder, _I64, count), _I64)

        return types.intp(), code

    return words


pointer_words, counter_words = _words(MOST_TENSORS), _words(MOST_DIMS)


@intrinsic
def call_loop2d(
    typing_context: Any, loop: Any, data: Any, strides: Any, size0: Any, size1: Any, captured: Any
) -> Any:
    """Calls the C function at the address `loop`."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        function = ir.FunctionType(ir.VoidType(), [_I64] * 5).as_pointer()
        builder.call(builder.inttoptr(values[0], function), list(values[1:]))
        return context.get_dummy_value()

    return types.void(*[types.intp] * 6), code


def _serial_for_each(loop: int, captured: int, facts: int, begin: int, end: int) -> None:
    ndim, ntensors = word(facts, 0), word(facts, 1)
    shape = facts + 16
    strides = shape + 8 * ndim
    bases = strides + 8 * ntensors * max(ndim, 2)
    pointers = pointer_words()
    if ndim <= 1:
        for i in range(ntensors):
            set_word(pointers, i, word(bases, i) + begin * word(strides, i))
        call_loop2d(loop, pointers, strides, end - begin, 1, captured)
        return
    values = counter_words()  # DimCounter
    rest = begin
    for dim in range(ndim):
        size = word(shape, dim)
        set_word(values, dim, rest % size)
        rest = rest // size
    size0, size1 = word(shape, 0), word(shape, 1)
    offset = begin
    while offset < end:
        for i in range(ntensors):
            pointer = word(bases, i)
            for dim in range(ndim):
                pointer += word(values, dim) * word(strides, dim * ntensors + i)
            set_word(pointers, i, pointer)
        step0, step1 = min(size0 - word(values, 0), end - offset), 1
        if step0 == size0:
            step1 = min(size1 - word(values, 1), (end - offset) // size0)
        call_loop2d(loop, pointers, strides, step0, step1, captured)
        offset += step0 * step1
        dim, overflow = 0, step0
        if step1 != 1:
            dim, overflow = 1, step1
        while dim < ndim and overflow > 0:
            value = word(values, dim) + overflow
            overflow = 0
            if value >= word(shape, dim):
                value -= word(shape, dim)
                overflow = 1
            set_word(values, dim, value)
            dim += 1


def _compiled(
    function: Callable[..., Any], count: int, *, parallel: bool = False
) -> Callable[..., None]:
    signature = types.void(*[types.intp] * count)
    with COMPILING:
        made = compile_cache.compiled(
            lambda cache: numba.njit(
                signature, parallel=parallel, nogil=True, error_model="numpy", cache=cache
            ),
            function,
        )
    # What Numba's dispatcher would choose by the arguments' types, without the choosing.
    entry: Callable[..., None] = made.overloads[signature.args].entry_point
    return entry


_serial: Any = numba.njit(_serial_for_each, nogil=True, error_model="numpy")


@cache
def serial() -> Callable[..., None]:
    """`serial_for_each(loop, captured, facts, begin, end)`."""
    return _compiled(_serial_for_each, 5)


# A team is two numbers: OpenMP's address, or zero for Numba's own threads; and a thread's body.
_NOBODY = 1
ALONE = (0, _NOBODY)

# What a team shares: the next range's number, how many there are, and the arguments of `_serial`.
_NEXT, _PIECES, _LOOP, _CAPTURED, _FACTS, _CHUNK, _END = range(7)


def _ranges_of_one_thread(team: int) -> None:
    i = next_number(team)
    while i < word(team, _PIECES):
        begin = i * word(team, _CHUNK)
        end = min(word(team, _END), begin + word(team, _CHUNK))
        _serial(word(team, _LOOP), word(team, _CAPTURED), word(team, _FACTS), begin, end)
        i = next_number(team)


def _parallel_for_each(
    gomp: int, body: int, loop: int, captured: int, facts: int, chunk: int, end: int, pieces: int
) -> None:
    if body == _NOBODY:
        for i in range(pieces):
            _serial(loop, captured, facts, i * chunk, min(end, (i + 1) * chunk))
    elif gomp == 0:
        for i in prange(pieces):
            _serial(loop, captured, facts, i * chunk, min(end, (i + 1) * chunk))
    else:
        team = pointer_words()
        set_word(team, _NEXT, 0)
        set_word(team, _PIECES, pieces)
        set_word(team, _LOOP, loop)
        set_word(team, _CAPTURED, captured)
        set_word(team, _FACTS, facts)
        set_word(team, _CHUNK, chunk)
        set_word(team, _END, end)
        invoke_parallel(gomp, body, team, pieces)  # for no pieces at all, every thread is started


parallel_for_each: Any = numba.njit(
    _parallel_for_each, parallel=True, nogil=True, error_model="numpy"
)


@cache
def _body() -> Any:
    with COMPILING:
        return compile_cache.compiled(
            lambda cache: numba.cfunc(types.void(types.intp), cache=cache), _ranges_of_one_thread
        )


def team() -> tuple[int, int]:
    """The first two arguments of `parallel_for_each`, for as many threads as there are."""
    return (gomp_parallel(), _body().address) if gomp_parallel() else (0, 0)


@cache
def parallel() -> Callable[..., None]:
    """`parallel(loop, captured, facts, chunk, end, pieces)`: a range of `chunk` to each thread."""
    entry = partial(_compiled(_parallel_for_each, 8, parallel=True), *team())
    cores.start_threads(entry, 0, 0, 0, 1, 0, 0)
    return entry


def get_num_threads() -> int:
    """`at::get_num_threads`."""
    return int(numba.get_num_threads())


def _run_loop2d(loop: int, data: int, strides: int, size0: int, size1: int, captured: int) -> None:
    call_loop2d(loop, data, strides, size0, size1, captured)


@cache
def run_loop2d() -> Callable[..., None]:
    """`run_loop2d(loop, data, strides, size0, size1, captured)`: one step."""
    return _compiled(_run_loop2d, 6)
