"""What an InferShape says of outputs, by their names; an InferMeta says it to the outputs.

`SetOutputDim` and `ShareLoD` are about one tensor. What sets all tensors of a duplicable output at
once becomes a loop, for PHI's functions take one MetaTensor after the other.

Fluid could live with an output whose dims were left open, on one way through the function or on all:
the kernel resized it itself. PHI allocates nothing for an output without dims, and a program can't be
built over one. So each way through is followed, and where it ends every output must have been named
by something that sets dims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.fluid_text import FluidText, span_of, walk
from visualizer.migration.reading.functions import (
    ContextCall,
    call_on,
    context_of,
    locals_of,
    reads,
)
from visualizer.migration.reading.names import (
    Aliases,
    first_name,
    method_of_call,
    name_in,
    parts_of_call,
)
from visualizer.migration.reading.signature import Kind, Parameter
from visualizer.migration.rewriting.body import FunctionBody
from visualizer.migration.rewriting.edits import Fragment

_NOT_PLAIN = "which output is meant isn't plain from the maker's names"


def _set_dims(body: FunctionBody, read: ContextCall) -> None:
    """`ctx->SetOutputDim("Out", dims)`."""
    output = _named(body, read.arguments[:1], "output")
    if output is None or output.many or len(read.arguments) != 2:
        body.cannot(read, _NOT_PLAIN)
        return
    value = span_of(read.arguments[1])
    _put(body, read, output, "set_dims", f"{output.name}->set_dims(", value, ")")


def _set_all_dims(body: FunctionBody, read: ContextCall) -> None:
    """`ctx->SetOutputsDim("Out", dims)`."""
    output = _named(body, read.arguments[:1], "output")
    if output is None or not output.many or len(read.arguments) != 2:
        body.cannot(read, _NOT_PLAIN)
        return
    value = read.arguments[1]
    given = _whose_dims(body, value)
    if given is not None:
        _put_loop(body, read, output, "all_dims", f"set_dims({given.several}[i]->dims())")
    elif value.type == "identifier":
        _put_loop(body, read, output, "all_dims", "set_dims(", span_of(value), "[i])")
    else:
        body.cannot(read, "keep these dims in a variable, and set each output's with set_dims")


def _share(body: FunctionBody, read: ContextCall) -> None:
    """`ctx->ShareLoD("X", "Out")`, perhaps with the places of two tensors of several."""
    given = _named(body, read.arguments[:1], "input")
    output = _named(body, read.arguments[1:2], "output")
    if given is None or output is None or len(read.arguments) > 4:
        body.cannot(read, _NOT_PLAIN)
        return
    method, rule = _SHARED[read.method]
    places = [body.rewriter.source.spell(a) for a in read.arguments[2:]] + ["0", "0"]
    taker = f"{output.name}[{places[1]}]" if output.many else output.name
    giver = f"*{given.several}[{places[0]}]" if given.many else given.name
    _put(body, read, output, rule, f"{taker}->{method}({giver})")


def _share_all(body: FunctionBody, read: ContextCall) -> None:
    """`ctx->ShareAllLoD("X", "Out")`."""
    given = _named(body, read.arguments[:1], "input")
    output = _named(body, read.arguments[1:2], "output")
    if given is None or output is None or not (given.many and output.many):
        body.cannot(read, _NOT_PLAIN)
        return
    _put_loop(body, read, output, "share_lod", f"share_lod(*{given.several}[i])")


_SHARED = {"ShareLoD": ("share_lod", "share_lod"), "ShareDim": ("share_dims", "set_dims")}

# By the method of an InferShapeContext.
SETTERS: Mapping[str, Callable[[FunctionBody, ContextCall], None]] = {
    "SetOutputDim": _set_dims,
    "SetOutputsDim": _set_all_dims,
    "ShareDim": _share,
    "ShareLoD": _share,
    "ShareAllLoD": _share_all,
}


def _named(body: FunctionBody, arguments: tuple[Node, ...], kind: Kind) -> Parameter | None:
    """The parameter whose name is in that argument."""
    assert body.signature is not None
    rewriter = body.rewriter
    name = first_name(rewriter.source, rewriter.aliases, arguments)
    return body.signature.find(kind, name) if name is not None else None


def _whose_dims(body: FunctionBody, value: Node) -> Parameter | None:
    """Of `ctx->GetInputsDim("X")`: the parameter."""
    if value.type != "call_expression":
        return None
    receiver, method, _ = method_of_call(body.rewriter.source, value)
    if method != "GetInputsDim" or receiver is None or not body.rewriter.is_fluid_context(receiver):
        return None
    return _named(body, tuple(parts_of_call(value)[1]), "input")


def _put(
    body: FunctionBody, read: ContextCall, output: Parameter, rule: str, *parts: Fragment
) -> None:
    guard = [f"if ({output.name}) "] if _may_be_missing(body, read, output) else []
    body.rewriter.put(read.call, *guard, *parts, rule=rule, anchor=output.anchor)


def _may_be_missing(body: FunctionBody, read: ContextCall, output: Parameter) -> bool:
    """Whether nobody asks here if a gradient is wanted: one of several may be a nullptr in PHI, where
    Fluid went over it or said that it was missing."""
    signature = body.signature
    if signature is None or not signature.is_gradient or len(signature.of("output")) < 2:
        return False
    here: Node | None = read.call.parent
    if output.many or here is None or here.type != "expression_statement":
        return False
    while here is not None and here.type != "function_definition":
        if here.type in ("if_statement", "for_statement", "for_range_loop"):
            return False
        here = here.parent
    return True


def _put_loop(
    body: FunctionBody, read: ContextCall, output: Parameter, rule: str, *parts: Fragment
) -> None:
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


# --- Dims that are left open ----------------------------------------------------------------------


Said = frozenset[str]


@dataclass(frozen=True, slots=True)
class OpenShape:
    """`at`: the return that leaves it open; the call that sets it, if that is passed over now and
    then; or the function's name, where nothing sets it."""

    output: str
    at: Node
    reason: str


def open_shapes(
    fluid: Fluid, source: FluidText, function: Node, outputs: Iterable[str]
) -> list[OpenShape]:
    """At most one for each output, in the order of `outputs`. Where the context is handed on whole,
    anything may be set there, and nothing is said."""
    block = function.child_by_field_name("body")
    context = context_of(source, locals_of(source, function))
    if block is None or context is None or any(call_on(use) is None for use in context.uses):
        return []
    found = list(reads(fluid, source, context))
    ways = _Ways(source, fluid.aliases[source.index], found, frozenset(outputs))
    at_the_end = ways.through(block, frozenset(_asked_beforehand(found)))
    if at_the_end is not None:
        ways.ends.append((function, at_the_end))
    return [o for name in outputs for o in _first_open(ways, name, function)]


def _asked_beforehand(found: list[ContextCall]) -> Iterator[str]:
    """`bool wanted = ctx->HasOutput("Mean");`: an output that may be missing."""
    for read in found:
        kept = read.call.parent is not None and read.call.parent.type == "init_declarator"
        if kept and read.method in ("HasOutput", "HasOutputs") and read.name is not None:
            yield read.name


def _first_open(ways: _Ways, output: str, function: Node) -> Iterator[OpenShape]:
    end = next((node for node, said in ways.ends if output not in said), None)
    if end is None:
        return
    setter = next((r.call for r in ways.found if output in ways.set_by(r)), None)
    if end.type == "return_statement":
        yield OpenShape(output, end, f"{output} has no dims yet where this returns: set_dims first")
    elif setter is not None:
        reason = f"{output} gets its dims only now and then: set_dims on every way through"
        yield OpenShape(output, setter, reason)
    else:
        reason = f"nothing says the dims of {output}: set_dims"
        yield OpenShape(output, _name_of(function), reason)


def _name_of(function: Node) -> Node:
    head = function.child_by_field_name("declarator")
    while head is not None and (inner := head.child_by_field_name("declarator")) is not None:
        head = inner
    return head if head is not None else function


@dataclass(slots=True)
class _Ways:
    """`ends` are where a way ends, each with the outputs whose dims were said on it."""

    source: FluidText
    aliases: Aliases
    found: list[ContextCall]
    outputs: Said
    ends: list[tuple[Node, Said]] = field(default_factory=list)

    def through(self, node: Node, said: Said) -> Said | None:
        """What is said behind a statement, if `said` was before it; None if nothing gets there."""
        if node.type == "return_statement":
            self.ends.append((node, said | self._below(node)))
            return None
        if node.type == "throw_statement" or self._throws(node):
            return None
        if node.type == "if_statement":
            return self._either(node, said)
        if node.type in ("compound_statement", "else_clause"):
            for statement in node.named_children:
                behind = self.through(statement, said)
                if behind is None:
                    return None
                said = behind
            return said
        if node.type in ("for_statement", "for_range_loop", "while_statement", "do_statement"):
            body = node.child_by_field_name("body")
            behind = self.through(body, said) if body is not None else said
            return said if behind is None else behind  # which is taken to run at least once
        return said | self._below(node)

    def _either(self, node: Node, said: Said) -> Said | None:
        condition = node.child_by_field_name("condition")
        if condition is not None:  # whoever asks for an output knows what he does
            said |= {r.name for r in self._within(condition) if r.name and "Output" in r.method}
        first = node.child_by_field_name("consequence")
        second = node.child_by_field_name("alternative")
        behind = [self.through(n, said) if n is not None else said for n in (first, second)]
        left = [s for s in behind if s is not None]
        return frozenset.intersection(*left) if left else None

    def _throws(self, node: Node) -> bool:
        if node.type != "expression_statement" or not node.named_children:
            return False  # among them a lone `;`
        call = node.named_children[0]
        if call.type != "call_expression":
            return False
        return method_of_call(self.source, call)[1] == "PADDLE_THROW"

    def _below(self, node: Node) -> Said:
        return frozenset(name for r in self._within(node) for name in self.set_by(r))

    def _within(self, node: Node) -> list[ContextCall]:
        here = {n.id for n in walk(node)}
        return [r for r in self.found if r.call.id in here]

    def set_by(self, read: ContextCall) -> Said:
        """The outputs whose dims a call sets: all, if it doesn't say which by a plain name."""
        if read.method not in _SETTERS:
            return frozenset()
        arguments = parts_of_call(read.call)[1]
        place = 1 if read.method == "ShareDim" else 0
        name = name_in(self.source, self.aliases, arguments[place]) if arguments[place:] else None
        return self.outputs if name is None else frozenset({name})


_SETTERS = ("SetOutputDim", "SetOutputsDim", "ShareDim", "SetDims", "SetReaderDims")
