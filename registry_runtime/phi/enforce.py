"""What PHI throws, by its kinds (`paddle/common/errors.h`).

In Paddle a failed check throws `EnforceNotMet` with one of some dozen error codes. Thrown while
static objects are constructed it ends the program, before `main()`; here it is a diagnostic at the
registration that caused it.
"""

from __future__ import annotations

from registry_runtime.cxx import Refusal


class EnforceNotMet(Refusal):
    """A check of PHI's failed. `message` says which."""


class NotFound(EnforceNotMet, LookupError):
    """There is no such kernel."""


class AlreadyExists(EnforceNotMet):
    """There is one already, and it may not be replaced."""


class Unavailable(EnforceNotMet):
    """PHI can't do this; a kernel parameter of a type that it doesn't know, for instance."""


class InvalidArgument(EnforceNotMet):
    """A value of the wrong type or out of its range."""


class PreconditionNotMet(EnforceNotMet):
    """Something that should hold before doesn't; `dot` says so of its operands' shapes."""


class PermissionDenied(EnforceNotMet):
    """It may not be called, as the InferShape that an operator should have overridden."""


class Unimplemented(EnforceNotMet):
    """Nobody has written this case."""


class OutOfRange(EnforceNotMet, IndexError):
    """What `std::vector::at` throws, `std::out_of_range`: not PHI's own, but met in its kernels."""
