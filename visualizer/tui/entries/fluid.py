"""An entry of Fluid's registries, in rows.

An operator is all that its classes said: the names that its maker lists, each with the line on which
it was added, the call of its gradient, the function that says what comes out. A kernel is its key and
its class. The key is shown beside PHI's, which kept three of its five members, and of the class what
its body will ask for, since no type says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from registry_runtime.fluid.name_check import operator_names
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_kernel_type import ClassKernel, OpKernelType
from visualizer.fluid_story import (
    Asked,
    ProtoRow,
    asked_for,
    gradient_call,
    infer_meta_name,
    key_label,
    key_members,
    proto_rows,
    short,
)
from visualizer.tui.ink import Look, Parts, Word, clipped, fill, prose
from visualizer.workbench import replacements

if TYPE_CHECKING:
    from registry_runtime.cxx import Span
    from registry_runtime.fluid.registered import Registration
    from visualizer.expansion.tokens import Source
    from visualizer.workbench import Entry, Shown, Workbench

_LABEL = 13
_QUIET: Look = ("pane--quiet",)
_STRONG: Look = ("pane--strong",)
_TITLE: Look = ("code--label",)
_ACCENT: Look = ("pane--accent",)
_CHANGED: Look = ("pane--accent", "pane--strong")
_EVERY = "Behind these Fluid adds the same extra attributes to every operator: "
_KEYS = (
    "AllOpKernels() compares all five members. PHI's key has three, packed into one number of 32 "
    "bits: the place and the library became one backend, the customised value is no more."
)
_ASKS = (
    "Compute is given one ExecutionContext, whatever the operator is. Only its body says what it "
    "takes, by these names."
)


def label(registration: Registration) -> str:
    """The entry's row below its operator's name."""
    return key_label(registration.key)


def detail(shown: Shown, registration: Registration, width: int) -> list[Parts]:
    """The registration in a few rows."""
    rows: list[Parts] = [
        [(registration.op_type, _STRONG)],
        [(label(registration), ())],
        *prose(short(registration.function), width, _QUIET),
        [_state(shown, registration), (f"  line {shown.entry.where.line}", _QUIET)],
    ]
    if registration.kind == "kernel":
        asked = asked_for(cast(ClassKernel, registration.entered).kernel_type)
        rows += _names(asked, width)
    else:
        info = cast(OpInfo, registration.entered)
        for row in proto_rows(info.proto) if info.proto else ():
            rows.append([(f"{row.kind:>6}  ", _QUIET), *_declared(row)])
        if info.infer_shape:
            rows.append([("shapes  ", _QUIET), (short(info.infer_shape.function.name), ())])
        if info.grad_op_maker:
            rows.append([("  grad  ", _QUIET), (short(str(info.grad_op_maker)), ())])
    return [clipped(row, width, "…") for row in rows]


def _state(shown: Shown, registration: Registration) -> tuple[str, Look]:
    if shown.pending:
        return "… still being produced", _QUIET
    if registration.kind == "operator":
        return "✓ in OpInfoMap: r calls it", ("pane--good",)
    if registration.runnable:
        return "✓ runnable: r calls the operator", ("pane--good",)
    return "declared: no Python class", _ACCENT


def all_about(
    bench: Workbench, entry: Entry, registration: Registration, width: int
) -> list[Parts]:
    """What was registered, and all that follows from it."""
    if registration.kind == "kernel":
        sections = _kernel(bench, entry, registration, width)
    else:
        sections = _operator(bench, entry, registration, width)
    rows: list[Parts] = []
    for section in sections:
        rows += [[], *section] if rows and section else section
    return rows


# --- An operator ----------------------------------------------------------------------------------


def _operator(
    bench: Workbench, entry: Entry, registration: Registration, width: int
) -> list[list[Parts]]:
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
    yield from _labelled("operator", short(str(info.op_class or "no class")), width)
    yield from _labelled("registered", f"line {entry.where.line}, into OpInfoMap", width)
    yield from _labelled("classes", ", ".join(map(short, registration.args)), width)
    own = info.op_class.method("GetExpectedKernelType") if info.op_class else None
    key = short(own.name) if own else "by default: the inputs' data type, where the program runs"
    yield from _labelled("kernel key", key, width)
    if info.no_need_buffer_vars:
        unread = ", ".join(info.no_need_buffer_vars)
        yield from _labelled("no buffer", f"{unread}: only the shape is read", width)


def _proto(
    bench: Workbench, registration: Registration, info: OpInfo, width: int
) -> Iterator[Parts]:
    if info.proto is None:
        yield [("It has no OpProto", _TITLE)]
        found = operator_names(bench.program.fluid.world, registration.op_type)
        if found is None:
            yield from prose("No maker lists its names.", width)
            return
        said = f"Nobody calls it by hand. Its names are those that {found.said_by} sets:"
        yield from prose(said, width)
        yield from _names(Asked(found.inputs, found.outputs, ()), width)
        return
    yield [("OpProto: the names that the maker's Make adds", _TITLE)]
    rows = proto_rows(info.proto)
    lines = [_line(bench, row.span) for row in rows]
    widest = max((len(line) for line in lines), default=0)
    for row, line in zip(rows, lines, strict=True):
        declared = fill(_words(row), width - widest - 2, 0, hanging=_LABEL)
        first, *others = declared
        blanks = " " * max(width - widest - sum(len(text) for text, _ in first), 1)
        yield [*first, (blanks, ()), (line.rjust(widest), _QUIET)]
        yield from others
        for told in prose(row.comment, max(width - _LABEL, 8), _QUIET):
            yield [(" " * _LABEL, ()), *told]
    if info.proto.comment:
        yield from _labelled("comment", info.proto.comment, width)
    added = [r.name for r in proto_rows(info.proto, of_every_operator=True) if r.span is None]
    yield from prose(f"{_EVERY}{', '.join(added)}.", width, _QUIET)


def _words(row: ProtoRow) -> list[Word]:
    words = [Word(f"{row.kind:<{_LABEL - 1}}", 0, _QUIET)]
    return words + [
        Word(text, 1, look) for part, look in _declared(row) for text in part.split() if text
    ]


def _declared(row: ProtoRow) -> Parts:
    """`int axis1 = 0  dispensable`"""
    parts: Parts = [(f"{row.type} ", ())] if row.type else []
    parts.append((row.name, _STRONG))
    if row.default:
        parts.append((f" = {row.default}", ()))
    elif row.kind == "attr":
        parts.append((" must be given", _QUIET))
    if row.flags:
        parts.append((f"  {', '.join(row.flags)}", _ACCENT))
    return parts


def _shapes(bench: Workbench, info: OpInfo, width: int) -> Iterator[Parts]:
    if info.infer_shape is None:
        yield [("Nothing infers its shapes", _TITLE)]
        yield from prose("It has no InferShape, and no InferShapeFunctor was registered.", width)
        return
    function = info.infer_shape.function
    yield [(f"What comes out: {short(function.name)}", _TITLE)]
    if info.infer_meta is not None:
        text = (
            "An InferShapeFunctor: it puts the call's variables into the order of the operator's "
            "signature, and hands them to PHI's"
        )
        yield from prose(f"{text} {infer_meta_name(info) or 'InferMeta'}.", width)
        return
    yield from _labelled("written", _place(bench, function.span), width)
    if info.op_class is not None:
        yield from _names(asked_for(info.op_class, function), width)


def _gradient(
    bench: Workbench, registration: Registration, info: OpInfo, width: int
) -> Iterator[Parts]:
    if info.grad_op_maker is None:
        yield [("It has no grad op maker", _TITLE)]
        yield from prose(
            "A program that is differentiated ends here, if a gradient is wanted.", width
        )
        return
    maker = short(str(info.grad_op_maker))
    yield [(f"The gradient's call, as {maker} writes it", _TITLE)]
    if info.use_empty_grad_op_desc_maker:
        yield from prose("An EmptyGradOpMaker: the operator has no gradient.", width)
        return
    call = gradient_call(registration.op_type, info)
    if call is None or isinstance(call, str):
        yield from prose(call or "It writes no call.", width, ("pane--bad",))
        return
    yield [(call.type, _STRONG)]
    room = max(_LABEL, *(len(name) + 4 for name in (*call.inputs, *call.outputs)))
    for arrow, slots in (("←", call.inputs), ("→", call.outputs)):
        for name, variables in slots.items():
            said = f"{arrow} {', '.join(variables) or 'nothing'}"
            yield from _labelled(f"  {name}", said, width, room=room)
    own = (
        [n for n in call.attrs if n in {r.name for r in proto_rows(info.proto)}]
        if info.proto
        else []
    )
    if own:
        yield from _labelled("  attributes", ", ".join(own), width, room=room)
    if info.dygraph_grad_op_maker is None:
        yield from prose(
            "Only for programs that are built before they run: no maker for imperative::OpBase was "
            "registered.",
            width,
            _QUIET,
        )


# --- A kernel -------------------------------------------------------------------------------------


def _kernel(
    bench: Workbench, entry: Entry, registration: Registration, width: int
) -> list[list[Parts]]:
    kernel = cast(ClassKernel, registration.entered)
    return [
        list(_kernel_facts(bench, entry, registration, kernel, width)),
        list(_two_keys(bench, cast(OpKernelType, registration.key), width)),
        list(_compute(bench, kernel, width)),
    ]


def _kernel_facts(
    bench: Workbench, entry: Entry, registration: Registration, kernel: ClassKernel, width: int
) -> Iterator[Parts]:
    yield from _labelled("class", short(str(kernel)), width)
    yield from _labelled("registered", f"line {entry.where.line}, into AllOpKernels()", width)
    held = bench.program.fluid.op_kernels.get(registration.op_type, {}).get(
        cast(OpKernelType, registration.key)
    )
    if held is not kernel:
        yield from _labelled("held", "no more: another registration took its key", width)
    replaced = replacements(bench.entries).get(entry)
    if replaced is not None:
        place = f"{replaced.where.file}:{replaced.where.line}"
        yield from _labelled("replaces", f"the one registered at {place}, in silence", width)
    runs = "yes: a Python class stands in for it" if registration.runnable else "no: declared only"
    yield from _labelled("runs", runs, width)


def _two_keys(bench: Workbench, key: OpKernelType, width: int) -> Iterator[Parts]:
    yield [("The key: Fluid's OpKernelType, and what PHI's KernelKey keeps of it", _TITLE)]
    members = list(key_members(key, bench.program.phi.devices))
    widest = max(max(len(short(m.in_fluid)) for m in members), len("OpKernelType"))
    head = f"{'':{_LABEL}}{'OpKernelType':{widest}}    KernelKey"
    yield clipped([(head, _QUIET)], width, "…")
    for member in members:
        gone = member.in_phi.startswith("gone")
        row: Parts = [
            (member.name.ljust(_LABEL), _QUIET),
            (short(member.in_fluid).ljust(widest), _STRONG),
            ("    ", ()) if gone else (" →  ", _CHANGED),
            (member.in_phi, _QUIET if gone else _ACCENT),
        ]
        yield clipped(row, width, "…")
    phi_key = key.phi_kernel_key(bench.program.phi.devices)
    yield from _labelled("as a number", f"{phi_key.hash_value:#x}", width)
    yield from prose(_KEYS, width, _QUIET)


def _compute(bench: Workbench, kernel: ClassKernel, width: int) -> Iterator[Parts]:
    yield [("What Compute asks its context for", _TITLE)]
    compute = kernel.kernel_type.method("Compute")
    if compute is None:
        yield from prose("The class's body is not in the text: nothing says what it takes.", width)
        return
    yield from _labelled("written", _place(bench, compute.span), width)
    yield from _names(asked_for(kernel.kernel_type), width)
    yield from prose(_ASKS, width, _QUIET)


# --- Rows -----------------------------------------------------------------------------------------


def _names(asked: Asked, width: int) -> Iterator[Parts]:
    for what, names in (
        ("inputs", asked.inputs),
        ("outputs", asked.outputs),
        ("attributes", asked.attrs),
    ):
        if names:
            yield from _labelled(what, ", ".join(names), width)


def _line(bench: Workbench, span: Span | None) -> str:
    where = _where(bench, span)
    if where is None:
        return ""
    return f"line {where.line}" if where.file == bench.trace.file else _spelled(where)


def _place(bench: Workbench, span: Span) -> str:
    where = _where(bench, span)
    return _spelled(where) if where else ""


def _where(bench: Workbench, span: Span | None) -> Source | None:
    return None if span is None else bench.written_at(span)


def _spelled(where: Source) -> str:
    return f"{where.file.rpartition('/')[2]}:{where.line}"


def _labelled(text: str, said: str, width: int, look: Look = (), room: int = _LABEL) -> list[Parts]:
    rows: Sequence[Parts] = prose(said, max(width - room, 8), look)
    return [
        [((f"{text} " if i == 0 else "").ljust(room), _QUIET), *row] for i, row in enumerate(rows)
    ]
