"""Static members that a class of the text has from a bound template: `Squared::apply`.

`struct Squared : public Function<Squared>` hands its own name to its base, so that the base's functions
can call those of the class: the base's members are made for the class that is derived from it.
"""

from __future__ import annotations

from registry_runtime.cxx.access import check_publicly_derived
from registry_runtime.cxx.bindings import ClassTemplate, refusals_at
from registry_runtime.cxx.classes import CxxClass
from registry_runtime.cxx.lookup import Found
from registry_runtime.cxx.program import Program
from registry_runtime.cxx.span import Span
from registry_runtime.cxx.types import TemplateArgument


def inherited_member(
    program: Program, found: Found, arguments: tuple[TemplateArgument, ...], span: Span
) -> object | None:
    """What `X::member` is, if a bound template among the bases of the class has it; else None. Raises
    CxxError where the class says that its bases are nobody else's business."""
    if len(found.rest) != 1:
        return None
    of = CxxClass(found.path, arguments, found.part.span, program)
    for base in of.bases():
        bound = program.bindings.names.get(base.name)
        if isinstance(bound, ClassTemplate):
            members = refusals_at(span, [], bound.instantiate, base.arguments)
            if found.rest[0].name in members:
                check_publicly_derived(of)
                return members[found.rest[0].name]
    return None
