"""The grad op makers, run once before anybody asks for a gradient.

What a maker's body holds is only met where a program is differentiated, which may be never. So each is
run on a made-up call, in which every variable is called as the name that it stands under, and the
attributes are as the operator's own maker sets them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from registry_runtime.cxx import CxxError
from registry_runtime.diagnostic import Diagnostic
from registry_runtime.fluid.grad_op_maker import OpDesc
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_proto import OpProto
from registry_runtime.fluid.registered import Registration
from registry_runtime.phi.enforce import EnforceNotMet


def made_up_gradient(op_type: str, info: OpInfo) -> OpDesc | None:
    """The call that the grad op maker writes; None where there is no maker, or it is empty.

    Raises the CxxError of what its body holds, and EnforceNotMet.
    """
    if not info.HasNonEmptyGradOpMaker():
        return None
    proto = info.proto or OpProto(op_type)
    call = OpDesc(
        op_type,
        {var.name: [var.name] for var in proto.inputs},
        {var.name: [var.name] for var in proto.outputs},
        {} if info.checker is None else info.checker.GetDefaultAttrsMap(),
    )
    calls = info.GradOpMaker(call)
    return calls[0] if calls else None


def failing_makers(registrations: Iterable[Registration]) -> Iterator[Diagnostic]:
    """Warnings for the makers of these operators that fail, at the token that is to blame."""
    for registration in registrations:
        if registration.key != "operator":
            continue
        try:
            made_up_gradient(registration.op_type, cast("OpInfo", registration.entered))
        except (CxxError, EnforceNotMet) as error:
            span = error.span if isinstance(error, CxxError) else registration.span
            message = f"{registration.op_type}'s grad op maker fails: {error.message}"
            yield Diagnostic(message, span, error.hint, "warning")
