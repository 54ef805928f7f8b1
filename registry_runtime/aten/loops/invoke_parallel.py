"""`at::internal::invoke_parallel`: the same function called by every thread of a team.

PyTorch writes `#pragma omp parallel`, and gcc makes of it a call of `GOMP_parallel` with the body's
address. This is that call, made from our own machine code. Numba's `prange` comes to it as well, by
way of a scheduler that takes a microsecond and a half; `add` of 100,000 elements takes eight. Where
there is no libgomp (it is gcc's), `prange` has to do. Source: `aten/src/ATen/ParallelOpenMP.h`.

Within the team nobody asks which thread it is: each takes the next number until none is left. Then a
team that came up short still does all of the work.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from llvmlite import ir

from registry_runtime.aten.loops.vector_types import intrinsic
from registry_runtime.kernels.own_numba import numba

types = numba.types

_I32, _I64 = ir.IntType(32), ir.IntType(64)


@cache
def gomp_parallel() -> int:
    """The address of libgomp's `GOMP_parallel`; 0 where there is no libgomp."""
    try:
        library = ctypes.CDLL("libgomp.so.1")
        return ctypes.cast(library.GOMP_parallel, ctypes.c_void_p).value or 0
    except (OSError, AttributeError):
        return 0


@intrinsic
def invoke_parallel(
    typing_context: Any, gomp_parallel: Any, body: Any, data: Any, num_threads: Any
) -> Any:
    """Calls the C function at the address `body` with `data`, on so many threads; waits for all."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        function = ir.FunctionType(ir.VoidType(), [_I64, _I64, _I32, _I32]).as_pointer()
        address, body, data, num_threads = values
        threads, flags = builder.trunc(num_threads, _I32), ir.Constant(_I32, 0)
        builder.call(builder.inttoptr(address, function), [body, data, threads, flags])
        return context.get_dummy_value()

    return types.void(*[types.intp] * 4), code


@intrinsic
def next_number(typing_context: Any, address: Any) -> Any:
    """The integer at `address`, which is one more afterwards: no two threads get the same."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], _I64.as_pointer())
        return builder.atomic_rmw("add", pointer, ir.Constant(_I64, 1), "monotonic")

    return types.intp(types.intp), code
