"""What PyTorch throws: its sentences, in the text of an exception.

`TORCH_CHECK` throws `c10::Error`, which Python sees as a RuntimeError; some checks throw a kind of
their own, and `torch/csrc/Exceptions.h` gives Python its kind too. Thrown while C++ text is run, an
error is a diagnostic at the token that caused it; so it is a `Refusal`, which may name an argument.
"""

from __future__ import annotations

from registry_runtime.cxx import CxxError, Refusal


class TorchError(Refusal, RuntimeError):
    """A check of PyTorch's failed. `message` is PyTorch's own sentence. `at` is where in a text's body
    that was; None where no body ran."""

    at: CxxError | None = None


class NotImplementedTorchError(TorchError, NotImplementedError):
    """`c10::NotImplementedError`: no kernel for this dtype or this dispatch key."""


class IndexTorchError(TorchError, IndexError):
    """`c10::IndexError`: a dimension that the tensor doesn't have."""


class TypeTorchError(TorchError, TypeError):
    """`c10::TypeError`, and what the argument parser throws: arguments of the wrong type."""


class ValueTorchError(TorchError, ValueError):
    """`c10::ValueError`: a value that can't be meant."""


class NoSchema(TorchError):
    """A call of an `operator`, by its name without the overload, that nobody has defined."""

    def __init__(self, message: str, operator: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.operator = operator


def undefined_operator(error: BaseException | None) -> str | None:
    """The operator for want of which something failed, however deep in the bodies that ran."""
    while error is not None and not isinstance(error, NoSchema):
        error = error.__cause__
    return error.operator if error is not None else None
