"""A context that is handed on: to a function of these files, which asks it as the kernel would.

What such a function reads is read by the kernel, too: it counts for the kernel's parameters, and the
function gets those that it needs of them in the context's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tree_sitter import Node

from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.fluid_text import FluidText, walk
from visualizer.migration.reading.functions import (
    ATTRIBUTES,
    ContextCall,
    context_of,
    locals_of,
    reads_of,
)
from visualizer.migration.reading.names import parts_of_call, qualified
from visualizer.migration.reading.signature import Parameter, Signature

Function = tuple[FluidText, Node]
# What the functions read that are handed a context, by their definitions' ids.
Handed = Mapping[int, Signature]


def functions_below(fluid: Fluid, function: Function) -> list[Function]:
    """A function, and all that the context gets to from there: each once."""
    found = [function]
    for source, node in found:
        context = context_of(source, locals_of(source, node))
        for use in context.uses if context is not None else ():
            call = call_with(use)
            for other in callees(fluid, source, call) if call is not None else ():
                if all(other[1].id != known[1].id for known in found):
                    found.append(other)
    return found


def call_with(argument: Node) -> Node | None:
    """The call that is given this."""
    listed = argument.parent
    call = listed.parent if listed is not None and listed.type == "argument_list" else None
    return call if call is not None and call.type == "call_expression" else None


def callees(fluid: Fluid, source: FluidText, call: Node) -> list[Function]:
    """The functions of these files that a call may mean, and that take a context."""
    name = name_of(source, parts_of_call(call)[0])
    return [
        (text, node)
        for text, node in bodies(fluid, name)
        if context_of(text, locals_of(text, node)) is not None
    ]


def name_of(source: FluidText, called: Node | None) -> str:
    """`Fill` of `Fill(…)`, `math::Fill<T>(…)` and `Fill<Context, T>()(…)`; "" of a method."""
    while called is not None and called.type == "call_expression":
        called = called.child_by_field_name("function")
    if called is not None and called.type == "field_expression":
        receiver = called.child_by_field_name("argument")
        if receiver is None or receiver.type != "this":
            return ""
        called = called.child_by_field_name("field")
    return qualified(source, called).parts[-1] if called is not None else ""


def bodies(fluid: Fluid, name: str) -> Iterator[Function]:
    """The functions of that name, a kernel's own among them, and a functor's calls."""
    for declared in fluid.declarations:
        if name and declared.name == name:
            for node in walk(declared.node):
                if node.type == "function_definition" and (
                    _declared_in(node) in (name, "operator()")
                ):
                    yield declared.source, node
    for kernel in fluid.kernels.values():
        if name in kernel.methods and kernel.methods[name] is not kernel.compute:
            node = kernel.methods[name]
            yield fluid.source_of(node), node


def _declared_in(function: Node) -> str:
    """What a function_definition defines, without the scopes before it."""
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    return (name.text or b"").decode().rpartition("::")[2] if name is not None else ""


# --- What they read -------------------------------------------------------------------------------


def parameter_for(signature: Signature, read: ContextCall) -> Parameter | None:
    """What stands for the name that is read."""
    if read.name is None:
        return None
    if read.method in ATTRIBUTES or read.method == "HasAttr":
        return signature.find("attribute", read.name)
    return signature.find("output" if "Output" in read.method else "input", read.name)


def handed_by(fluid: Fluid, computes: Iterable[Function], signature: Signature) -> Handed:
    """Each function that the kernels hand their context to, with those of the kernel's parameters
    that it needs."""
    found: dict[int, Signature] = {}
    for compute in computes:
        for source, node in functions_below(fluid, compute)[1:]:
            wanted = {
                (known.kind, known.fluid_name)
                for text, function in functions_below(fluid, (source, node))
                for read in reads_of(fluid, text, function)
                if (known := parameter_for(signature, read)) is not None
            }
            needed = (p for p in signature.parameters if (p.kind, p.fluid_name) in wanted)
            found[node.id] = replace(signature, parameters=tuple(needed))
    return found


def agreed(tables: Iterable[Handed]) -> Handed:
    """Of several operators' functions, those that are the same function to all of them."""
    found: dict[int, Signature] = {}
    differ: set[int] = set()
    for table in tables:
        for function, signature in table.items():
            known = found.setdefault(function, signature)
            if _shape(known) != _shape(signature):
                differ.add(function)
    return {function: s for function, s in found.items() if function not in differ}


def _shape(signature: Signature) -> list[tuple[str, str, str]]:
    return [(p.fluid_name, p.name, p.type()) for p in signature.parameters]
