"""Running a body of the text from Python, with PyTorch's errors."""

from __future__ import annotations

from collections.abc import Callable

from registry_runtime.aten.errors import TorchError
from registry_runtime.cxx import CxxError


def run(function: Callable[..., object], *values: object) -> object:
    """Run a body of the text. What a check in it throws, the caller gets as PyTorch's error."""
    try:
        return function(*values)
    except CxxError as error:
        if isinstance(error.__cause__, TorchError):
            raise error.__cause__ from None
        raise TorchError(error.message, hint=error.hint) from error
