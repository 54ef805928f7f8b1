"""Kernels for operators that nobody has defined, where that is most likely a slip of the pen.

`m.impl("scael", f)` is legal: kernels may be registered before their operator, by another file, and
PyTorch has a list of those that are left over (`Dispatcher::findDanglingImpls`). But a file that
defines a namespace knows its operators, so there a kernel without one is worth a warning. A fragment
shares its namespace with other files: there only a name that resembles one of its own is told. And a
namespace that nobody defines may be another file's, unless it resembles one that is defined here and
has that very operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.library.library import Kind, Library
from registry_runtime.aten.world import World
from registry_runtime.diagnostic import Diagnostic
from registry_runtime.near import nearest


def undefined_operators(world: World, libraries: Sequence[Library]) -> Iterator[Diagnostic]:
    """A warning at each `m.impl` of a text's `libraries` for an operator without a schema, in a
    namespace that the same text defines."""
    owned = {library.ns_ for library in libraries if library.kind_ is Kind.DEF}
    entries = [entry for library in libraries for entry in library.registered]
    defined = [entry.kernel_name for entry in entries if entry.kind == "def"]
    namespaces = {_parts(name)[0] for name in defined}
    for entry in entries:
        if entry.kind not in ("impl", "fallthrough"):
            continue
        ns, own = _parts(entry.kernel_name)
        known = world.dispatcher.findSchema(OperatorName.parse(entry.kernel_name)) is not None
        if known or ns not in namespaces or entry.kernel_name in defined:
            continue
        there = [_parts(name)[1] for name in defined if _parts(name)[0] == ns]
        near = nearest(own, there)
        if near or ns in owned:
            yield Diagnostic(
                f"a kernel for {entry.kernel_name}, which no m.def defines",
                entry.call,
                f"did you mean {near}?" if near else f"{ns} has {', '.join(there[:5])}",
                "warning",
            )


def undefined_namespaces(libraries: Sequence[Library]) -> Iterator[Diagnostic]:
    """A warning for each block of kernels of a text whose namespace seems to be misspelt."""
    entries = [entry for library in libraries for entry in library.registered]
    defined = {entry.kernel_name for entry in entries if entry.kind == "def"}
    namespaces = {library.ns_ for library in libraries if library.kind_ is not Kind.IMPL}
    for library in libraries:
        ns = library.ns_
        if ns is None or ns in namespaces or library.kind_ is not Kind.IMPL or _is_known(library):
            continue
        own = {_parts(entry.kernel_name)[1] for entry in library.registered}
        sharing = {_parts(name)[0] for name in defined if _parts(name)[1] in own}
        if near := nearest(ns, sharing):
            yield Diagnostic(
                f"kernels for the namespace {ns}, which nothing here defines",
                library.at,
                f"did you mean {near}?",
                "warning",
            )


def _is_known(library: Library) -> bool:
    """Whether its namespace is PyTorch's own, or some operator of it has a schema."""
    ns, dispatcher = library.ns_, library.world.dispatcher
    if ns == "aten" or ns in dispatcher.libraries_:
        return True
    defined = (op for op in dispatcher.operatorLookupTable_.values() if op.hasSchema())
    return any(op.operator_name().namespace() == ns for op in defined)


def _parts(name: str) -> tuple[str, str]:
    ns, _, own = name.partition("::")
    return ns, own
