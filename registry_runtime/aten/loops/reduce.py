"""Reductions as machine code: many elements into one, by a function of two.

Every sum of floats loses digits of what is small beside what it has come to. So results are joined in
a cascade: a few elements make a sum, a few of these sums one of the next level, and so on for four
levels; a sum of n elements then errs like one of the fourth root of n. Elements that lie side by side
are joined a vector at a time. That is how PyTorch sums floats (`cascade_sum`); here the reductions of
integers go the same way, to whom the order is nothing.

What PyTorch does besides, and this leaves out: several threads; several outputs at a time where
neighbours in memory belong to different ones; and more than one input or output. So its sums of floats
are rounded otherwise in the last digits.

This module imports Numba. Sources: `aten/src/ATen/native/cpu/SumKernel.cpp`, `Reduce.h` of PyTorch
2.13.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.loops import element_forms, vector_types
from registry_runtime.aten.loops.build import COMPILING, OURS, inlined, spelled
from registry_runtime.aten.loops.drivers import counter_words
from registry_runtime.aten.loops.for_each import Iterates
from registry_runtime.aten.loops.targets import compiled, types
from registry_runtime.aten.loops.vector_types import VectorizedType, word
from registry_runtime.aten.loops.vectorized import vector_size
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.kernels.loops import bind

_LEVELS = 4
# kept, reduced, the addresses of output and input, the identity's, and log2 of a level's elements.
_HEAD = 6


def _text(widens: bool) -> str:
    """The loop over all outputs, and for each over all that is reduced into it."""
    one = "widened(load(at))" if widens else "load(at)"
    many = "widened(loadv(at))" if widens else "loadv(at)"
    total = "narrowed(a)" if widens else "a"
    lines = [
        "def reduce(facts):",
        " kept = word(facts, 0); reduced = word(facts, 1)",
        " out = word(facts, 2); first = word(facts, 3)",
        " a_identity = identity(word(facts, 4)); v_identity = identities(word(facts, 4))",
        " power = word(facts, 5)",
        f" sizes = facts + 8 * {_HEAD}",
        " to_steps = sizes + 8 * kept; steps = to_steps + 8 * kept",
        " inner_sizes = steps + 8 * kept; inner_steps = inner_sizes + 8 * reduced",
        " outputs = 1",
        " for d in range(kept): outputs *= word(sizes, d)",
        " rows = 1",
        " for d in range(1, reduced): rows *= word(inner_sizes, d)",
        " inner = word(inner_sizes, 0); step = word(inner_steps, 0)",
        " spilled = counter_words()",
        " for o in range(outputs):",
        "  to = out; start = first; rest = o",
        "  for d in range(kept):",
        "   i = rest % word(sizes, d); rest = rest // word(sizes, d)",
        "   to += i * word(to_steps, d); start += i * word(steps, d)",
        "  a_count = 0; v_count = 0",
        *(f"  a{level} = a_identity; v{level} = v_identity" for level in range(_LEVELS)),
        "  for r in range(rows):",
        "   at = start; rest = r",
        "   for d in range(1, reduced):",
        "    i = rest % word(inner_sizes, d); rest = rest // word(inner_sizes, d)",
        "    at += i * word(inner_steps, d)",
        "   i = 0",
        "   if step == ITEM:",
        "    while i <= inner - SIZE:",
        f"     v0 = vop(v0, {many})",
        "     i += SIZE; at += SIZE * ITEM; v_count += 1",
        *_carried("v", "vop", "     "),
        "   while i < inner:",
        f"    a0 = op(a0, {one})",
        "    i += 1; at += step; a_count += 1",
        *_carried("a", "op", "    "),
        "  store(spilled, vop(vop(vop(v0, v1), v2), v3))",
        "  a = op(op(op(a0, a1), a2), a3)",
        "  if v_count > 0:",
        "   for i in range(SIZE): a = op(a, identity(spilled + i * WIDE))",
        f"  store(to, {total})",
    ]
    return "\n".join(lines)


def _carried(name: str, join: str, indent: str) -> list[str]:
    """Behind an element: a level that is full goes into the next."""
    lines, inner = [], indent
    for level in range(_LEVELS - 1):
        lines += [
            f"{inner}if {name}_count & ((1 << {level + 1} * power) - 1) == 0:",
            f"{inner} {name}{level + 1} = {join}({name}{level + 1}, {name}{level})",
            f"{inner} {name}{level} = {name}_identity",
        ]
        inner += " "
    return lines


def reduce_over(
    iter: Iterates,
    op: Callable[..., Any],
    vop: Callable[..., Any],
    identity: float,
    T: ScalarType,
    wide: ScalarType,
    capability: CPUCapability,
) -> None:
    """Join all elements of the iterator's one input, of type `T`, into its output, in `wide`.

    `op` joins two single elements and `vop` two vectors; `identity` changes nothing. Raises TorchError
    for other operands.
    """
    if len(iter.operands) != 2:
        raise TorchError(
            "not understood: a reduction of more than one input, or into more than one"
        )
    out, of = iter.operands
    dims = range(len(iter.shape))
    reduced = [d for d in dims if out.stride_bytes[d] == 0]
    kept = [d for d in dims if out.stride_bytes[d] != 0]
    inner = [(iter.shape[d], of.stride_bytes[d]) for d in reduced] or [(1, 0)]
    count = math.prod(size for size, _ in inner)
    neutral = np.full(1, identity, wide.numpy)
    facts = np.array(
        [
            len(kept),
            len(inner),
            out.data,
            of.data,
            neutral.ctypes.data,
            max(4, math.ceil(math.log2(max(count, 2)) / _LEVELS)),
            *(iter.shape[d] for d in kept),
            *(out.stride_bytes[d] for d in kept),
            *(of.stride_bytes[d] for d in kept),
            *(size for size, _ in inner),
            *(step for _, step in inner),
        ],
        np.int64,
    )
    machine_reduction(op, vop, T, wide, capability)(facts.ctypes.data)


@cache
def machine_reduction(
    op: Callable[..., Any],
    vop: Callable[..., Any],
    T: ScalarType,
    wide: ScalarType,
    capability: CPUCapability,
) -> Callable[[int], None]:
    """The compiled loop: a function of the address of what it reads."""
    has_fma = capability in (CPUCapability.AVX2, CPUCapability.AVX512)
    size = vector_size(T, capability)
    several, wide_ones = VectorizedType(T, size, has_fma), VectorizedType(wide, size, has_fma)
    one, wide_one = VectorizedType(T, 1, has_fma), VectorizedType(wide, 1, has_fma)
    space: dict[str, Any] = {}
    exec(compile(_text(widens=T is not wide), __file__, "exec"), space)
    names = {
        "op": inlined(op),
        "vop": inlined(vop),
        "load": vector_types.loader(one),
        "loadv": vector_types.loader(several),
        "identity": vector_types.loader(wide_one),
        "identities": vector_types.broadcaster(wide_ones),
        "store": vector_types.store,
        "widened": element_forms.CAST[wide],
        "narrowed": element_forms.CAST[T],
        "word": word,
        "counter_words": counter_words,
        "ITEM": T.itemsize,
        "WIDE": wide.itemsize,
        "SIZE": size,
    }
    label = f"reduce_{spelled(op)}_{spelled(vop)}_{T}_{wide}_{capability}_{OURS:08x}"
    with COMPILING:
        made = compiled(bind(space["reduce"], label, names), types.void(types.intp), capability)
    return made.ctypes  # type: ignore[no-any-return]
