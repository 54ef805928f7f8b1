"""Running a body of the text from Python, with PyTorch's errors."""

from __future__ import annotations

from collections.abc import Callable

from registry_runtime.aten.errors import TorchError
from registry_runtime.cxx import CxxError


def run(function: Callable[..., object], *values: object) -> object:
    """Run a body of the text. What a check in it throws, the caller gets as PyTorch's error, which
    knows the place in the innermost of the bodies that ran."""
    try:
        return function(*values)
    except CxxError as error:
        thrown = error.__cause__
        if isinstance(thrown, TorchError):
            thrown.at = thrown.at or error
            raise thrown from None
        made = TorchError(error.message, hint=error.hint)
        made.at = error
        raise made from error
