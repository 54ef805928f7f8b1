"""What an InferShape says of outputs, by their names; an InferMeta says it to the outputs.

`SetOutputDim` and `ShareLoD` are about one tensor. What sets all tensors of a duplicable output at
once becomes a loop, for PHI's functions take one MetaTensor after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tree_sitter import Node

from visualizer.migration.bodies.body import Body, anchor_of
from visualizer.migration.fluid_text import span_of
from visualizer.migration.reading.calls import method_of_call, name_in, parts_of_call
from visualizer.migration.reading.context_reads import Read
from visualizer.migration.rewriting.rewriter import Part
from visualizer.migration.signature import Kind, Parameter

NOT_PLAIN = "which output is meant isn't plain from the maker's names"


def _set_dims(body: Body, read: Read) -> None:
    """`ctx->SetOutputDim("Out", dims)`."""
    output = _named(body, read.arguments[:1], "output")
    if output is None or output.many or len(read.arguments) != 2:
        body.cannot(read, NOT_PLAIN)
        return
    value = span_of(read.arguments[1])
    _put(body, read, output, "set_dims", f"{output.name}->set_dims(", value, ")")


def _set_all_dims(body: Body, read: Read) -> None:
    """`ctx->SetOutputsDim("Out", dims)`."""
    output = _named(body, read.arguments[:1], "output")
    if output is None or not output.many or len(read.arguments) != 2:
        body.cannot(read, NOT_PLAIN)
        return
    value = read.arguments[1]
    given = _whose_dims(body, value)
    if given is not None:
        _put_loop(body, read, output, "all_dims", f"set_dims({given.several}[i]->dims())")
    elif value.type == "identifier":
        _put_loop(body, read, output, "all_dims", "set_dims(", span_of(value), "[i])")
    else:
        body.cannot(read, "keep these dims in a variable, and set each output's with set_dims")


def _share(body: Body, read: Read) -> None:
    """`ctx->ShareLoD("X", "Out")`, perhaps with the places of two tensors of several."""
    given = _named(body, read.arguments[:1], "input")
    output = _named(body, read.arguments[1:2], "output")
    if given is None or output is None or len(read.arguments) > 4:
        body.cannot(read, NOT_PLAIN)
        return
    method, rule = _SHARED[read.method]
    places = [body.rewriter.source.spell(a) for a in read.arguments[2:]] + ["0", "0"]
    taker = f"{output.name}[{places[1]}]" if output.many else output.name
    giver = f"*{given.several}[{places[0]}]" if given.many else given.name
    _put(body, read, output, rule, f"{taker}->{method}({giver})")


def _share_all(body: Body, read: Read) -> None:
    """`ctx->ShareAllLoD("X", "Out")`."""
    given = _named(body, read.arguments[:1], "input")
    output = _named(body, read.arguments[1:2], "output")
    if given is None or output is None or not (given.many and output.many):
        body.cannot(read, NOT_PLAIN)
        return
    _put_loop(body, read, output, "share_lod", f"share_lod(*{given.several}[i])")


_SHARED = {"ShareLoD": ("share_lod", "share_lod"), "ShareDim": ("share_dims", "set_dims")}

# By the method of an InferShapeContext.
SETTERS: Mapping[str, Callable[[Body, Read], None]] = {
    "SetOutputDim": _set_dims,
    "SetOutputsDim": _set_all_dims,
    "ShareDim": _share,
    "ShareLoD": _share,
    "ShareAllLoD": _share_all,
}


def _named(body: Body, arguments: tuple[Node, ...], kind: Kind) -> Parameter | None:
    """The parameter whose name is in that argument."""
    assert body.signature is not None
    rewriter = body.rewriter
    name = name_in(rewriter.source, rewriter.aliases, arguments[0] if arguments else None)
    return body.signature.find(kind, name) if name is not None else None


def _whose_dims(body: Body, value: Node) -> Parameter | None:
    """Of `ctx->GetInputsDim("X")`: the parameter."""
    if value.type != "call_expression":
        return None
    receiver, method, _ = method_of_call(body.rewriter.source, value)
    if method != "GetInputsDim" or receiver is None or not body.rewriter.is_fluid_context(receiver):
        return None
    return _named(body, tuple(parts_of_call(value)[1]), "input")


def _put(body: Body, read: Read, output: Parameter, rule: str, *parts: Part) -> None:
    body.rewriter.put(read.call, *parts, rule=rule, anchor=anchor_of(output))


def _put_loop(body: Body, read: Read, output: Parameter, rule: str, *parts: Part) -> None:
    """The same for each tensor. A gradient that nobody wants is a nullptr, which Fluid passed
    over."""
    assert body.signature is not None
    if read.call.parent is None or read.call.parent.type != "expression_statement":
        body.cannot(read, "this sets several outputs: write a loop over them")
        return
    name = output.name
    guard = f"if ({name}[i] != nullptr) " if body.signature.is_gradient else ""
    head = f"for (size_t i = 0; i < {name}.size(); ++i) {guard}{name}[i]->"
    _put(body, read, output, rule, head, *parts)
