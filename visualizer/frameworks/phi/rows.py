"""An entry of PHI's registry, in rows.

In short, for the stepper: PHI's own `KernelArgsDef`, which says on which backend, in which layout and
with which dtype every tensor is expected or will be left, and of what type each attribute is; where
the braces behind the registration have changed something, both stand there: before → after. And at
length: where the kernel is, what became of each C++ parameter, how its `Compute` peels them off, and
how a call finds it or doesn't.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.kernel import TO_RUN_IT, KernelRegisteredType
from visualizer.frameworks.bodies import another_body
from visualizer.frameworks.phi.story import (
    ALL_LAYOUT,
    STRUCTURE,
    argument_steps,
    held_in,
    peeling,
    runs_by_names,
)
from visualizer.frameworks.tried import mark, why_not
from visualizer.layout.rows import (
    ACCENT,
    BAD,
    CHANGED,
    GOOD,
    LABEL,
    QUIET,
    STRONG,
    TITLE,
    labelled,
    marked,
)
from visualizer.layout.words import Parts, Styles, Word, clipped, fill, prose
from visualizer.messages import N_, _
from visualizer.workbench.entries import replacements

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import TensorArgDef
    from registry_runtime.phi.registered import Registration
    from registry_runtime.phi.selection import Selection
    from visualizer.frameworks.phi.story import ArgumentStep
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown

_HELD = {
    "KernelFactory": N_("in KernelFactory, where calls look for it"),
    "CustomKernelMap": N_("in CustomKernelMap until its plug-in is loaded: no call finds it"),
    "replaced": N_("in no map any more: another registration has replaced it"),
}


def detail(
    bench: Workbench, shown: Shown, registration: Registration, width: int, tried: Tried | None
) -> list[Parts]:
    """The kernel that a key leads to, in a few rows: its C++ function, and each of its arguments."""
    where = shown.entry.where
    rows: list[Parts] = [
        [(registration.kernel_name, STRONG)],
        [(str(registration.key), ())],
        *prose(registration.function, width, QUIET),
        [
            _state(bench, shown, registration, tried),
            (_("  line {line}").format(line=where.line), QUIET),
        ],
        *why_not(tried, width),
        *another_body(shown.entry, width),
    ]
    now, before = registration.kernel.args_def, registration.args_def_before
    for word, tensors, earlier in (
        ("input", now.input_defs, before.input_defs),
        ("output", now.output_defs, before.output_defs),
    ):
        for i, tensor in enumerate(tensors):
            old = earlier[i] if i < len(earlier) else None
            rows += [
                [(label, QUIET), *parts]
                for label, parts in zip(
                    (f"{word:>6} {i}  ", "  braces  "),
                    _tensor(tensor, old, width - 10),
                    strict=False,
                )
            ]
    for i, attribute in enumerate(now.attribute_defs):
        rows.append([(f"  attr {i}  ", QUIET), (str(attribute.type_index), ())])
    return [clipped(row, width, "…") for row in rows]


def _state(
    bench: Workbench, shown: Shown, registration: Registration, tried: Tried | None
) -> tuple[str, Styles]:
    if shown.pending:
        return _("… still being produced"), QUIET
    if held_in(bench.program.phi, registration) == "CustomKernelMap":
        return _("waits for its plug-in"), ACCENT
    if registration.runnable:
        return mark(_("✓ runnable: r runs it"), _("✗ a call of it is refused"), tried)
    if runs_by_names(registration):
        return _("✓ runs when its operator is called, by names"), GOOD
    if registration.kernel.registered_type is KernelRegisteredType.STRUCTURE:
        return _("declared: one of Fluid's structures"), ACCENT
    return _("declared: no Python kernel"), ACCENT


def _tensor(tensor: TensorArgDef, before: TensorArgDef | None, width: int) -> list[Parts]:
    """Backend, layout and dtype, `before → after` where the braces have changed one of them; in two
    rows if one has no room for that."""
    whole: Parts = []
    for name in ("backend", "layout", "dtype"):
        value = str(getattr(tensor, name))
        old = value if before is None else str(getattr(before, name))
        whole += [(old, ()), (f" → {value}", ACCENT)] if old != value else [(value, ())]
        whole.append(("  ", ()))
    if before is None or sum(len(text) for text, _ in whole) - 2 <= width:
        return [whole[:-1]]
    was = f"{before.backend}  {before.layout}  {before.dtype}"
    return [
        [(was, ())],
        [("→ ", ACCENT), (f"{tensor.backend}  {tensor.layout}  {tensor.dtype}", ACCENT)],
    ]


def all_about(
    bench: Workbench, entry: Entry, registration: Registration, refusal: str, width: int
) -> list[Parts]:
    """The entry's facts, its arguments, and the peeling; `refusal` is why its plug-in isn't loaded."""
    parts = [
        list(_facts(bench, entry, registration, refusal, width)),
        list(_arguments(registration, width)),
        list(_peeling(registration, width)),
    ]
    rows: list[Parts] = []
    for part in parts:
        rows += [[], *part] if rows and part else part
    return rows


def _facts(
    bench: Workbench, entry: Entry, registration: Registration, refusal: str, width: int
) -> Iterator[Parts]:
    where, phi = entry.where, bench.program.phi
    kind = registration.kernel.registered_type.name.lower()
    yield from labelled(kind, registration.function.replace("phi::", ""), width)
    yield from labelled(
        "registered",
        _("{name}, line {line}").format(name=registration.reg_type.name, line=where.line),
        width,
    )
    yield from labelled("held", _(_HELD[held_in(phi, registration)]), width)
    replaced = replacements(bench.entries).get(entry)
    if replaced is not None:
        place = f"{replaced.where.file}:{replaced.where.line}"
        yield from labelled(
            "replaces", _("the one registered at {place}, in silence").format(place=place), width
        )
    device = str(registration.key.backend)
    loaded = phi.custom_devices.get(device)
    if loaded is not None:
        state = _("loaded: l unloads it") if loaded else _("not loaded: l loads it")
        yield from labelled(
            "plug-in", _("for {device}, {state}").format(device=device, state=state), width
        )
    if entry.stand_in is not None:
        yield from labelled("runs", entry.stand_in.told, width)
    elif not registration.runnable and not runs_by_names(registration):
        said = _("no: declared only, nobody wrote it in Python; {how}").format(how=_(TO_RUN_IT))
        yield from labelled("runs", said, width, ACCENT)
    if refusal:
        yield from labelled("refused", refusal, width, BAD)


def _arguments(registration: Registration, width: int) -> Iterator[Parts]:
    yield [(_("SetKernelArgsDef describes each parameter"), TITLE)]
    steps = argument_steps(registration)
    if registration.kernel.registered_type is KernelRegisteredType.STRUCTURE:
        yield from prose(STRUCTURE, width)
    elif not steps:
        yield from prose(_("The function is not declared here: its slots are open."), width)
    for step in steps:
        yield from fill([Word(step.becomes.ljust(LABEL - 1), 0, QUIET), *_words(step)], width)
        yield from fill(list(_description(step)), width, LABEL, hanging=0)
    if steps and registration.key.layout is DataLayout.ALL_LAYOUT:
        yield from prose(ALL_LAYOUT, width, QUIET)


def _words(step: ArgumentStep) -> Iterator[Word]:
    for word in step.parameter.split():
        yield Word(word, 1, STRONG)


def _description(step: ArgumentStep) -> Iterator[Word]:
    if step.kind == "context":
        yield from (Word(word, 1, QUIET) for word in f"skipped; {step.note}".split())
        return
    for name, before, after in step.changes:
        yield Word(name, 1, QUIET)
        yield Word(before, 1)
        if after != before:
            yield Word("→", 1, CHANGED)
            yield Word(after, 1, CHANGED)
    yield Word("type_index", 1, QUIET)
    yield from (Word(word, 1) for word in step.type_index.split())


def _peeling(registration: Registration, width: int) -> Iterator[Parts]:
    peels = peeling(registration)
    if not peels:
        return
    yield [(_("KernelImpl::Compute peels them off, down to TypeTag<int>"), TITLE)]
    widest = max(len(peel.specialisation) for peel in peels)
    for peel in peels:
        taken = f"Compute<{', '.join(map(str, peel.at))}>"
        beside = width >= len(taken) + widest + 24
        named = peel.specialisation.ljust(widest) if beside else peel.specialisation
        row: Parts = [(f"{taken}  ", QUIET), (named, ())]
        takes = (f"  {peel.takes}", QUIET)
        yield [*row, takes] if beside else row
        if not beside:
            yield [(" " * len(taken), ()), takes]
    yield from prose(
        _("<contexts, inputs, attributes, outputs> are those taken so far."), width, QUIET
    )


def path(selection: Selection, width: int) -> list[Parts]:
    """Each place that was looked in, what was found, and what becomes of the call's inputs."""
    rows: list[Parts] = []
    if selection.result is None:
        rows += marked("✗", _("not found: {error}").format(error=selection.error), width, BAD)
    else:
        function = selection.result.kernel.fn.name.replace("phi::", "")
        rows += marked("✓", f"{selection.outcome}: {function}", width, GOOD)
        rows += [row for told in selection.transforms for row in marked("⇒", told, width, ACCENT)]
    rows.append([])
    for number, step in enumerate(selection.steps, 1):
        rows += marked(f"{number}.", step, width)
    return rows
