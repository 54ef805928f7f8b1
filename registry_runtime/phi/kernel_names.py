"""Whether the kernels that an operator is mapped to exist: by their names, before any call.

A mapping names its kernel in a string, and so does a base kernel name; nothing compares it with what
was registered until the operator is called. A file of mappings is often read without its kernels, so
a kernel that is written in Python counts as known, registered or not, and so does a form of one:
`add_raw` is beside `add`, `scale_sr` beside `scale`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from registry_runtime.cxx import Span
from registry_runtime.cxx.calls_by_name import calls_by_name
from registry_runtime.diagnostic import Diagnostic
from registry_runtime.near import nearest
from registry_runtime.phi.kernel_registrar import World

if TYPE_CHECKING:
    from registry_runtime.phi.registered import CompatRegistration

_NOWHERE = (
    "unregistered"  # by which Paddle's own mappings say that there is no kernel for this call
)


def unknown_kernels(world: World, entry: CompatRegistration) -> dict[str, Span]:
    """The kernels that a mapping or a base name leads to and that nobody has, each with its token in
    the text that names it. Empty for an InferMeta."""
    registered = {*world.factory.kernels, *world.custom_kernels.kernels}
    named = {name: span for name, span in _named(world, entry) if name not in registered}
    if not named:
        return {}
    known = registered | {*world.written()}
    return {name: span for name, span in named.items() if not _is_known(name, known)}


def slips(world: World, entry: CompatRegistration) -> Iterator[Diagnostic]:
    """Warnings for those of them that look like a kernel that there is: any other may be registered
    by a file that is still to be read."""
    for name, span in unknown_kernels(world, entry).items():
        known = {*world.factory.kernels, *world.written()}
        if near := nearest(name, known, 0.8):
            message = f"no kernel `{name}` is registered so far, and a call of {entry.kernel_name}"
            hint = f"did you mean `{near}`?"
            yield Diagnostic(f"{message} will look for it", span, hint, "warning")


def _named(world: World, entry: CompatRegistration) -> Iterator[tuple[str, Span]]:
    function = entry.registered.cxx_function
    if entry.key == "base kernel name":
        yield entry.function, entry.name_span
    elif entry.key == "argument mapping" and function is not None:
        for call in calls_by_name(world.defining(function)):
            is_name = call.function == "KernelSignature" and call.argument == 0
            if is_name and call.name != _NOWHERE:
                yield call.name, call.span


def _is_known(name: str, known: Collection[str]) -> bool:
    return any(name == of or name.startswith(f"{of}_") for of in known)


def name_token(name: str, text: str, declaration: Span) -> Span:
    """Where in a registrar's declaration a name stands as a string; the declaration if nowhere."""
    at = text.rfind(f'"{name}"', declaration.start, declaration.end)
    return declaration if at < 0 else Span(at, at + len(name) + 2)
