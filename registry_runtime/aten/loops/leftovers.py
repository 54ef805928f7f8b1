"""The elements that no vector takes: whose products are rounded before they are added.

`self + alpha * other` is fused: one rounding. But gcc makes vectors of its own of the elements that
`vectorized_loop` leaves over, as far as they fill registers, and what it makes of those is compiled
otherwise than what stands before and behind them.

- Where `other` is one scalar for a row, `alpha * other` is computed once, before that loop, and the
  fused instruction has nothing left to fuse: of Float and Double those that fill registers of 16 bytes
  are rounded apart, and the others are fused.
- A product of ComplexFloat is fused in registers alone, of 32 bytes, or of two elements where each is
  loaded by itself, or where it is all that is computed. By themselves its parts are rounded, as in a
  vector. Those of ComplexDouble are fused.
- Of a quotient of ComplexFloat the numerator is fused in registers of 16 bytes alone, and the
  denominator everywhere. One of ComplexDouble is fused.

Found out from PyTorch 2.13's wheel, element by element; a build for DEFAULT has nothing to fuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from registry_runtime.aten.loops.element_forms import DIVIDED
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.tensor.scalar_type import ScalarType


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Whether a product is rounded apart: of the first element, or None where it is as the others; of
    those behind it that fill registers of so many `bytes`; of the rest."""

    first: bool | None
    filled: bool
    rest: bool
    bytes: int


# By the input that is one scalar for a row; 0 for none, None where each element is loaded by itself.
Ways = Mapping[int | None, Leftovers]


def leftovers(
    op: Callable[..., Any], arity: int, captures: int, T: ScalarType, capability: CPUCapability
) -> Ways:
    """Those ways of which not all products are fused, or none is."""
    if capability is CPUCapability.DEFAULT:
        return {}
    done = _done(op, arity + captures) if T is ScalarType.ComplexFloat else frozenset()
    if T is ScalarType.ComplexFloat and "*" not in done:
        if DIVIDED.__name__ not in op.__code__.co_names:
            return {}
        return dict.fromkeys(
            (None, *range(arity + 1)), Leftovers(None, filled=False, rest=True, bytes=16)
        )
    if T is ScalarType.ComplexFloat:
        scalar = Leftovers(first=True, filled=False, rest=True, bytes=32)
        return {
            None: Leftovers(None, filled=False, rest=True, bytes=16),
            0: Leftovers(None, filled=False, rest=True, bytes=32 if "+" in done else 16),
            **dict.fromkeys(range(1, arity + 1), scalar),
        }
    if T in (ScalarType.Float, ScalarType.Double):
        held = (S for S in range(1, arity + 1) if _adds_held(op, arity, captures, S))
        return dict.fromkeys(held, Leftovers(first=False, filled=True, rest=False, bytes=16))
    return {}


def _done(op: Callable[..., Any], count: int) -> frozenset[str]:
    """Which of `*` and `+` a function of elements comes to, before it does something else."""
    done: set[str] = set()
    with suppress(TypeError, AttributeError, NotImplementedError):
        op(*(_Value(held=False, done=done) for _ in range(count)))
    return frozenset(done)


class _IsHeld(Exception): ...


@dataclass(frozen=True, slots=True)
class _Value:
    """A value in a function of elements; `held` if it is the same for a whole row."""

    held: bool
    is_product: bool = False
    done: set[str] = field(default_factory=set)

    def __mul__(self, other: _Value) -> _Value:
        self.done.add("*")
        return _Value(self.held and other.held, True, self.done)

    def __add__(self, other: _Value) -> _Value:
        self.done.add("+")
        for one, another in ((self, other), (other, self)):
            if one.is_product and one.held and not another.held:
                raise _IsHeld
        return _Value(self.held and other.held, done=self.done)


def _adds_held(op: Callable[..., Any], arity: int, captures: int, S: int) -> bool:
    try:
        op(*(_Value(i == S) for i in range(1, arity + 1)), *[_Value(True)] * captures)
    except _IsHeld:
        return True
    except (TypeError, AttributeError, NotImplementedError):
        pass  # it does something else than to multiply and to add
    return False
