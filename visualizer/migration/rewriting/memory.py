"""Memory, and whose it is: allocations, copies, and questions about where a tensor is.

A tensor of Fluid's allocated its own memory, and said with a place on which device. In PHI the
context does it, which owns the device's memory; so of each place it must be found which context is
meant.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.fluid_names import ALLOCATION_TYPES, COPIES
from visualizer.migration.reading.fluid_text import line_start, span_of
from visualizer.migration.reading.functions import Local, is_fluid_context
from visualizer.migration.reading.names import method_of_call, template_arguments
from visualizer.migration.rewriting.edits import Edit, Fragment, Rewriter, enclosing_statement
from visualizer.migration.table import RULES


def allocate(
    rewriter: Rewriter, call: Node, receiver: Node, named: Node | None, arguments: list[Node]
) -> None:
    """`out->mutable_data<T>(…)`: for memory that is there, or of a place, or of new dims, too; and
    with the type as an argument instead of `<T>`."""
    types = template_arguments(named)
    type_parts: tuple[Fragment, ...] = ("<", span_of(types[0]), ">") if types else ()
    if not arguments:
        rewriter.put(call, *_object_of(call, receiver), "data", *type_parts, "()", rule="data")
    elif not types:
        _allocate_dtype(rewriter, call, receiver, arguments)
    elif len(arguments) == 2 and _device_for(rewriter, arguments[0]) is None:
        allocation = _allocation(rewriter, call, receiver, type_parts, arguments[1])
        if allocation is not None:
            _resize_first(rewriter, call, receiver, arguments[0], allocation)
    elif len(arguments) == 1:
        allocation = _allocation(rewriter, call, receiver, type_parts, arguments[0])
        if allocation is not None:
            rewriter.put(call, *allocation, rule="alloc")
    else:
        rewriter.note(call, "alloc", _WHOSE)


_WHOSE = "whose memory is this? ask that context's Alloc for it"


def _allocate_dtype(rewriter: Rewriter, call: Node, receiver: Node, arguments: list[Node]) -> None:
    """`out->mutable_data(place, dtype)`."""
    device = _device_for(rewriter, arguments[0])
    if len(arguments) != 2 or device is None:
        reason = "say of which type the memory is, and ask dev_ctx for it"
        rewriter.note(call, "alloc_dtype", reason)
        return
    given = (*_address(call, receiver), ", ", span_of(arguments[1]))
    method = _method(rewriter, arguments[0])
    rewriter.put(call, *device, f"{method}(", *given, ")", rule="alloc_dtype")


def _allocation(
    rewriter: Rewriter, call: Node, receiver: Node, types: tuple[Fragment, ...], place: Node
) -> tuple[Fragment, ...] | None:
    """`dev_ctx.template Alloc<T>(out)`; None, and a note, if nobody knows whose memory it is."""
    device = _device_for(rewriter, place)
    if device is None:
        rewriter.note(call, "alloc", _WHOSE)
        return None
    asked = f"template {_method(rewriter, place)}"
    return (*device, asked, *types, "(", *_address(call, receiver), ")")


def _method(rewriter: Rewriter, place: Node) -> str:
    """What a context is asked for the memory of a place: on a GPU it has the host's too."""
    return "HostAlloc" if _place_type(rewriter, place) == "CPUPlace" else "Alloc"


def _resize_first(
    rewriter: Rewriter, call: Node, receiver: Node, dims: Node, allocation: tuple[Fragment, ...]
) -> None:
    """`out->Resize(dims);` as a statement of its own, before the one that allocates."""
    statement = enclosing_statement(call)
    if statement.parent is None or statement.parent.type != "compound_statement":
        rewriter.note(call, "resize_alloc", "Resize first, and then Alloc: two statements")
        return
    line = line_start(rewriter.source.text, statement.start_byte)
    indent = rewriter.source.text[line : statement.start_byte]
    gap = f"\n{indent[rewriter.shift :]}" if not indent.strip() else " "
    resize = (*_object_of(call, receiver), "Resize(", span_of(dims), ");", gap)
    before = Span(statement.start_byte, statement.start_byte)
    rewriter.edits.add(Edit(before, resize, RULES["resize_alloc"], "", "", span_of(dims)))
    rewriter.put(call, *allocation, rule="resize_alloc")


def _address(call: Node, receiver: Node) -> tuple[Fragment, ...]:
    """The pointer to what a method is called on."""
    return (span_of(receiver),) if _member_operator(call) == "->" else ("&", span_of(receiver))


# --- Copies and places ----------------------------------------------------------------------------


def copy(rewriter: Rewriter, call: Node, name: str, arguments: list[Node]) -> None:
    """`framework::TensorCopy(x, place, out)`; phi::Copy wants the context, too."""
    device = device_or_note(rewriter, call, "copy")
    if not device:
        return
    if len(arguments) not in (3, 4):
        rewriter.note(call, "copy", "phi::Copy takes a context, source, place, blocking and target")
        return
    given = [span_of(a) for a in arguments]
    context: Fragment = given[2] if len(arguments) == 4 else _dereferenced(device)
    rewriter.headers.add("paddle/phi/core/tensor_utils.h")
    rewriter.put(
        call,
        "phi::Copy(",
        context,
        ", ",
        given[0],
        ", ",
        given[1],
        f", {COPIES[name]}, ",
        given[-1],
        ")",
        rule="copy",
    )


def ask_place(rewriter: Rewriter, call: Node, name: str, place: Node) -> None:
    """`platform::is_cpu_place(place)`: a comparison, in parentheses where it needs them."""
    simple = place.type in ("identifier", "call_expression", "field_expression")
    question: tuple[Fragment, ...] = (span_of(place),) if simple else ("(", span_of(place), ")")
    text = f".GetType() == phi::AllocationType::{ALLOCATION_TYPES[name]}"
    outer = call.parent
    alone = outer is not None and outer.type in (
        "condition_clause",
        "parenthesized_expression",
        "argument_list",
        "init_declarator",
        "return_statement",
        "expression_statement",
        "assignment_expression",
    )
    parts = (*question, text) if alone else ("(", *question, text, ")")
    rewriter.put(call, *parts, rule="is_place")


def _dereferenced(device: str) -> str:
    return device[:-1] if device.endswith(".") else f"*{device[:-2]}"


# --- Which device is meant ------------------------------------------------------------------------


_IN_ITS_PLACE = "dev_ctx."  # what a function is given that took an ExecutionContext


def _device_here(rewriter: Rewriter) -> str:
    """`dev_ctx.` or `ctx->`: a context that is in scope; "" if there is none."""
    if rewriter.device:
        return f"{rewriter.device}."
    for local in rewriter.locals:
        if is_fluid_context(rewriter.source, local):
            return _IN_ITS_PLACE
        if _type_of(rewriter, local).endswith(("DeviceContext", "Context")):
            return f"{local.name}{'->' if local.kind == '*' else '.'}"
    return ""


def device_or_note(rewriter: Rewriter, node: Node, rule: str) -> str:
    """The same; and a note at `node` if there is none."""
    device = _device_here(rewriter)
    if not device:
        rewriter.note(node, rule, "there is no device context here: give the function one")
    return device


def _device_for(rewriter: Rewriter, place: Node) -> tuple[Fragment, ...] | None:
    """Whose Alloc is meant by a place: `dev_ctx.`, or None if that isn't seen."""
    said = _said_by(rewriter, place)
    if said is not None and said.type == "call_expression":
        receiver, method, _ = method_of_call(rewriter.source, said)
        if method == "GetPlace" and receiver is not None:
            if rewriter.is_fluid_context(receiver):
                return (_IN_ITS_PLACE,)
            return _object_of(said, receiver)
    if not _place_type(rewriter, place):
        return None
    device = _device_here(rewriter)
    return (device,) if device else None


def _place_type(rewriter: Rewriter, place: Node) -> str:
    """`CPUPlace`, where an expression is certainly of this type; `""` where any place may be meant,
    as by a `platform::Place`."""
    said = _said_by(rewriter, place)
    if said is None:
        return ""
    if said.type == "call_expression":
        name = rewriter.called(said)
        name = name if name.startswith("platform::") else ""
    else:
        local = rewriter.local_of(said) if said.type == "identifier" else None
        name = _type_of(rewriter, local) if local is not None else ""
    last = name.rpartition("::")[2]
    return last if last.endswith("Place") and last != "Place" else ""


def _said_by(rewriter: Rewriter, place: Node) -> Node | None:
    """What a place was made of: the expression itself, or behind a variable's name its value. None
    where the variable is given another one later."""
    seen: set[str] = set()
    while place.type == "identifier":
        local = rewriter.local_of(place)
        if local is None or local.name in seen:
            return place
        if any(map(_is_assigned, local.uses)):
            return None
        if local.value is None:
            return place
        seen.add(local.name)
        place = local.value
    return place


def _is_assigned(use: Node) -> bool:
    outer = use.parent
    if outer is None or outer.type != "assignment_expression":
        return False
    left = outer.child_by_field_name("left")
    return left is not None and left.id == use.id


def _type_of(rewriter: Rewriter, local: Local) -> str:
    return rewriter.source.spell(local.type_node) if local.type_node is not None else ""


def _object_of(call: Node, receiver: Node) -> tuple[Fragment, ...]:
    """`out->` of `out->mutable_data<T>(…)`."""
    return span_of(receiver), _member_operator(call)


def _member_operator(call: Node) -> str:
    """`->` or `.`, as the call has it."""
    function = call.child_by_field_name("function")
    operator = function.child_by_field_name("operator") if function is not None else None
    return operator.type if operator is not None else "."
