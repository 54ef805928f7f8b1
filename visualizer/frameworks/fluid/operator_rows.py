"""An operator of Fluid's, at length: what its classes said when it was registered.

The names that its maker lists, each with the line on which it was added; the function that says what
comes out; and the call of its gradient, which the grad op maker is run to get.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from registry_runtime.fluid.name_check import operator_names
from registry_runtime.fluid.op_info import OpInfo
from visualizer.frameworks.fluid.common_rows import declared, line_of, names, place
from visualizer.frameworks.fluid.story import (
    Asked,
    ProtoRow,
    asked_for,
    gradient_call,
    infer_meta_name,
    proto_rows,
    short,
)
from visualizer.layout.rows import BAD, LABEL, QUIET, STRONG, TITLE, labelled
from visualizer.layout.words import Parts, Word, fill, prose

if TYPE_CHECKING:
    from registry_runtime.fluid.registered import Registration
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_EVERY = "Behind these Fluid adds the same extra attributes to every operator: "


def operator(
    bench: Workbench, entry: Entry, registration: Registration, width: int
) -> list[list[Parts]]:
    """Its sections."""
    info = cast(OpInfo, registration.entered)
    return [
        list(_operator_facts(bench, entry, registration, info, width)),
        list(_proto(bench, registration, info, width)),
        list(_shapes(bench, info, width)),
        list(_gradient(bench, registration, info, width)),
    ]


def _operator_facts(
    bench: Workbench, entry: Entry, registration: Registration, info: OpInfo, width: int
) -> Iterator[Parts]:
    yield from labelled("operator", short(str(info.op_class or "no class")), width)
    yield from labelled("registered", f"line {entry.where.line}, into OpInfoMap", width)
    yield from labelled("classes", ", ".join(map(short, registration.args)), width)
    own = info.op_class.method("GetExpectedKernelType") if info.op_class else None
    key = short(own.name) if own else "by default: the inputs' data type, where the program runs"
    yield from labelled("kernel key", key, width)
    if info.no_need_buffer_vars:
        unread = ", ".join(info.no_need_buffer_vars)
        yield from labelled("no buffer", f"{unread}: only the shape is read", width)


def _proto(
    bench: Workbench, registration: Registration, info: OpInfo, width: int
) -> Iterator[Parts]:
    if info.proto is None:
        yield [("It has no OpProto", TITLE)]
        found = operator_names(bench.program.fluid.world, registration.op_type)
        if found is None:
            yield from prose("No maker lists its names.", width)
            return
        said = f"Nobody calls it by hand. Its names are those that {found.said_by} sets:"
        yield from prose(said, width)
        yield from names(Asked(found.inputs, found.outputs, ()), width)
        return
    yield [("OpProto: the names that the maker's Make adds", TITLE)]
    rows = proto_rows(info.proto)
    lines = [line_of(bench, row.span) for row in rows]
    widest = max((len(line) for line in lines), default=0)
    for row, line in zip(rows, lines, strict=True):
        words = fill(_words(row), width - widest - 2, 0, hanging=LABEL)
        first, *others = words
        blanks = " " * max(width - widest - sum(len(text) for text, _ in first), 1)
        yield [*first, (blanks, ()), (line.rjust(widest), QUIET)]
        yield from others
        for told in prose(row.comment, max(width - LABEL, 8), QUIET):
            yield [(" " * LABEL, ()), *told]
    if info.proto.comment:
        yield from labelled("comment", info.proto.comment, width)
    added = [r.name for r in proto_rows(info.proto, of_every_operator=True) if r.span is None]
    yield from prose(f"{_EVERY}{', '.join(added)}.", width, QUIET)


def _words(row: ProtoRow) -> list[Word]:
    words = [Word(f"{row.kind:<{LABEL - 1}}", 0, QUIET)]
    return words + [
        Word(text, 1, look) for part, look in declared(row) for text in part.split() if text
    ]


def _shapes(bench: Workbench, info: OpInfo, width: int) -> Iterator[Parts]:
    if info.infer_shape is None:
        yield [("Nothing infers its shapes", TITLE)]
        yield from prose("It has no InferShape, and no InferShapeFunctor was registered.", width)
        return
    function = info.infer_shape.function
    yield [(f"What comes out: {short(function.name)}", TITLE)]
    if info.infer_meta is not None:
        text = (
            "An InferShapeFunctor: it puts the call's variables into the order of the operator's "
            "signature, and hands them to PHI's"
        )
        yield from prose(f"{text} {infer_meta_name(info) or 'InferMeta'}.", width)
        return
    yield from labelled("written", place(bench, function.span), width)
    if info.op_class is not None:
        yield from names(asked_for(info.op_class, function), width)


def _gradient(
    bench: Workbench, registration: Registration, info: OpInfo, width: int
) -> Iterator[Parts]:
    if info.grad_op_maker is None:
        yield [("It has no grad op maker", TITLE)]
        yield from prose(
            "A program that is differentiated ends here, if a gradient is wanted.", width
        )
        return
    maker = short(str(info.grad_op_maker))
    yield [(f"The gradient's call, as {maker} writes it", TITLE)]
    if info.use_empty_grad_op_desc_maker:
        yield from prose("An EmptyGradOpMaker: the operator has no gradient.", width)
        return
    call = gradient_call(registration.op_type, info)
    if call is None or isinstance(call, str):
        yield from prose(call or "It writes no call.", width, BAD)
        return
    yield [(call.type, STRONG)]
    room = max(LABEL, *(len(name) + 4 for name in (*call.inputs, *call.outputs)))
    for arrow, slots in (("←", call.inputs), ("→", call.outputs)):
        for name, variables in slots.items():
            said = f"{arrow} {', '.join(variables) or 'nothing'}"
            yield from labelled(f"  {name}", said, width, room=room)
    own = (
        [n for n in call.attrs if n in {r.name for r in proto_rows(info.proto)}]
        if info.proto
        else []
    )
    if own:
        yield from labelled("  attributes", ", ".join(own), width, room=room)
    if info.dygraph_grad_op_maker is None:
        yield from prose(
            "Only for programs that are built before they run: no maker for imperative::OpBase was "
            "registered.",
            width,
            QUIET,
        )
