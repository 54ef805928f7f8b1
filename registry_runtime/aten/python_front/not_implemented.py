"""Why `tensor + "a"` is Python's error and not PyTorch's.

Python asks both operands of `+` before it gives up, and a method says that it can't by returning
NotImplemented. `add` raises a TypeError instead, so the method table wraps it: a TypeError becomes
the return value NotImplemented. Only a TypeError does: that shapes don't broadcast is no question
for the other operand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

PyCFunctionWithKeywords = Callable[[Any, tuple[Any, ...], Mapping[str, Any] | None], Any]


def TypeError_to_NotImplemented_(function: PyCFunctionWithKeywords) -> PyCFunctionWithKeywords:
    """`function`, with NotImplemented for a TypeError."""

    @wraps(function)
    def wrapped(self: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None) -> Any:
        try:
            return function(self, args, kwargs)
        except TypeError:
            return NotImplemented

    return wrapped
