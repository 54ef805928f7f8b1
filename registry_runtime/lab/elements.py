"""What a kernel made of what: the first elements of a run, as a sum is written on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

_SHOWN = 4


class Tried(Protocol):
    """What came of a trial: its values first, then the figures. `agrees` is None where NumPy has
    nothing to compare with."""

    @property
    def agrees(self) -> bool | None: ...
    @property
    def results(self) -> Mapping[str, NDArray[Any]]:
        """The arrays that came of it, by the names of the outputs."""

    def values(self, name: str) -> tuple[str, ...]:
        """The first elements, of what was called by that name; none where no array came of it."""

    def report(self, values: Iterable[str] = ()) -> Iterator[str]:
        """Lines to read."""


_CALLED = frozenset({"bitwise_not", "cast", "exp", "isfinite", "maximum", "minimum", "relu"})
_SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
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


def elements(name: str, inputs: Sequence[NDArray[Any]], result: NDArray[Any]) -> Iterator[str]:
    """`12 & 10 = 8`, an element a line. Where an element of the result doesn't come of one of each
    input alone, the first elements of the result."""
    bare = name.rpartition("::")[2].partition(".")[0].rstrip("_")
    sign = _SIGNS.get(bare) if len(inputs) == 2 else None
    by_element = sign is not None or bare in _CALLED
    if not by_element or any(each.shape != result.shape for each in inputs):
        given = ", ".join(f"{each.dtype}{list(each.shape)}" for each in inputs)
        more = ", …" if result.size > _SHOWN else ""
        shown = ", ".join(map(_spelled, result.flat[:_SHOWN]))
        yield f"{bare}({given}) = {result.dtype}{list(result.shape)}: {shown}{more}"
        return
    first = [each.flat[:_SHOWN] for each in (*inputs, result)]
    for *operands, made in zip(*first, strict=True):
        spelled = [_spelled(one) for one in operands]
        call = f" {sign} ".join(spelled) if sign else f"{bare}({', '.join(spelled)})"
        yield f"{call} = {_spelled(made)}"


def labelled(lines: Iterable[str]) -> Iterator[str]:
    """The same as a part of a report, whose other lines have labels."""
    for i, line in enumerate(lines):
        yield f"{'' if i else 'values':<12}{line}"


def _spelled(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    return f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)
