"""What a kernel made of what: the first elements of a run, as a sum is written on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SHOWN = 4
_SIGNS = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    "equal": "==",
    "not_equal": "!=",
    "less_than": "<",
    "less_equal": "<=",
    "greater_than": ">",
    "greater_equal": ">=",
}


def values(name: str, inputs: Sequence[NDArray[Any]], result: NDArray[Any]) -> Iterator[str]:
    """`12 & 10 = 8`, an element a line. Where the result has no element for each of the inputs', its
    first ones."""
    bare = name.rpartition("::")[2].partition(".")[0].rstrip("_")
    if not inputs or any(each.shape != result.shape for each in inputs):
        given = ", ".join(f"{each.dtype}{list(each.shape)}" for each in inputs)
        more = ", …" if result.size > _SHOWN else ""
        shown = ", ".join(map(_spelled, result.flat[:_SHOWN]))
        yield f"{bare}({given}) = {result.dtype}{list(result.shape)}: {shown}{more}"
        return
    elements = [each.flat[:_SHOWN] for each in (*inputs, result)]
    for *operands, made in zip(*elements, strict=True):
        spelled = [_spelled(one) for one in operands]
        sign = _SIGNS.get(bare) if len(spelled) == 2 else None
        call = f" {sign} ".join(spelled) if sign else f"{bare}({', '.join(spelled)})"
        yield f"{call} = {_spelled(made)}"


def _spelled(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    return f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)
