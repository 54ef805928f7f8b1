"""Numbers that nobody knows yet: an element of a tensor, in the lambda that a loop is made of.

A body is run once on names, and what it does to them is written down. So C++'s own operators, its
conversions and `?:` ask such an operand what it makes of them. What needs the number now, an `if`, is
refused.
"""

from __future__ import annotations

from typing import Any

from registry_runtime.cxx.types import Type


class Symbolic:
    """What an operand of this kind is asked for. Each may raise Refusal."""

    __slots__ = ()

    @property
    def type(self) -> Type:
        """The type that it has in C++."""
        raise NotImplementedError

    def operated(self, operator: str, *operands: Any) -> Symbolic:
        """An operator with one operand or two, or `?:` with three; `self` is one of them."""
        raise NotImplementedError

    def converted(self, to: Type) -> Symbolic:
        """The same as another type: of a cast, of a variable, of a result."""
        raise NotImplementedError

    def called(self, function: str, *arguments: Any) -> Symbolic:
        """A function of C++'s library, `sqrt`; `self` is one of its arguments."""
        raise NotImplementedError

    def replaced(self, value: Any) -> Symbolic:
        """What a variable that holds this holds after `value` is assigned to it."""
        raise NotImplementedError


def symbolic(*values: object) -> Symbolic | None:
    """The first of the values that is one."""
    return next((value for value in values if isinstance(value, Symbolic)), None)
