"""Whose fault it is that a call fails: the token of a text, in the error that the caller gets.

A body that refuses something raises a CxxError, which has a place and no text; a check in Python raises
an EnforceNotMet, which has neither. What a kernel refuses is known only when it runs, and the nearest
place there is for that is where the kernel was registered.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from registry_runtime.cxx import CxxClass, CxxError, CxxFunction
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.kernel_template import KernelError


@contextmanager
def told(op_type: str, of: CxxClass | None) -> Iterator[None]:
    """What the text or a check refuses becomes an OpError, at the text's token if it has one.

    `of` is a class of the text whose bodies run meanwhile.
    """
    try:
        yield
    except CxxError as error:
        text = error.text or (of.program.source.text if of else "")
        raise OpError(f"{op_type}: {_said(error.message, error.hint)}", error.span, text) from None
    except EnforceNotMet as error:
        raise OpError(f"{op_type}: {_said(error.message, error.hint)}") from None


@contextmanager
def registered_as(op_type: str, named: CxxClass | CxxFunction | None) -> Iterator[None]:
    """What a kernel refuses becomes an OpError where its class or function was registered; None for a
    kernel that was not registered by a text. An OpError that has a place of its own keeps it."""
    try:
        yield
    except (KernelError, EnforceNotMet) as error:
        if named is None or (isinstance(error, KernelError) and error.span is not None):
            raise
        said = _said(error.message, error.hint) if isinstance(error, EnforceNotMet) else str(error)
        message = said if said.startswith(f"{op_type}: ") else f"{op_type}: {said}"
        raise OpError(message, named.span, named.program.source.text) from None


def _said(message: str, hint: str) -> str:
    """A message, and behind it what to do."""
    if not hint:
        return message
    return f"{message} ({hint})" if message.endswith(".") else f"{message}; {hint}"
