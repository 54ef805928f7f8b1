"""What a dry run says of a call that is refused: a sentence, which knows where a body said so."""

from __future__ import annotations

from registry_runtime.phi.kernel_template import KernelError


class Refused(str):
    """The first line of what ended the call. `error` has the token of the body that ran, if one did."""

    error: KernelError

    @classmethod
    def of(cls, error: KernelError) -> Refused:
        made = cls(str(error).partition("\n")[0])
        made.error = error
        return made
