"""An operator of PyTorch's in the run pane, called with the whole way told; and a dispatch stub, whose
kernel is built for each instruction set and timed.

What is called stands in a program of its own: the file on the bench, and those that its build links
it with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from registry_runtime.lab.aten.capabilities import SAMPLE_SIZE, builds
from registry_runtime.lab.aten.experiment import LAYOUTS, OperatorExperiment, fields
from registry_runtime.lab.aten.trial import try_call
from registry_runtime.lab.values import DTYPES
from registry_runtime.phi.kernel_template import KernelError
from visualizer.frameworks.aten import report
from visualizer.frameworks.aten.operator_story import story
from visualizer.frameworks.bodies import with_bodies
from visualizer.frameworks.presenter import Choice
from visualizer.frameworks.runnable import (
    Blank,
    Cancelled,
    CodeTab,
    Doing,
    Done,
    Filled,
    Form,
    Runnable,
    Tab,
    dtype_row,
    dtypes,
    named,
    offered,
    texts,
)

if TYPE_CHECKING:
    from registry_runtime.aten.library.registered import Registration
    from registry_runtime.aten.runtime import Runtime
    from visualizer.workbench.entries import Entry

_DEVICES = ("CPU", "Meta", "GPU")
_STUB = "stub: "
_SHAPE = "4x5"


def to_run(runtime: Runtime, registration: Registration, entries: Sequence[Entry] = ()) -> Runnable:
    """The registration's operator is chosen first, or the stub."""
    there = runtime.dispatcher.operatorLookupTable_.values()
    operators = sorted(str(op.operator_name()) for op in there if op.hasSchema())
    words = (*operators, *(f"{_STUB}{stub}" for stub in sorted(runtime.stubs)))
    name = registration.kernel_name
    first = f"{_STUB}{name}" if name in runtime.stubs else name
    # An operator without a schema is no option, and yet the one that the reader asked about.
    known = first in words or "::" in name
    call = first if known else next(iter(words), "")
    return Runnable(Filled({"call": call}), partial(_form, runtime, entries, words))


# What there is to fill in


def _form(runtime: Runtime, entries: Sequence[Entry], words: Sequence[str], filled: Filled) -> Form:
    chosen = filled.chosen["call"]
    call = Choice("call", words, chosen)
    if chosen.startswith(_STUB):
        return _form_of_stub(runtime, chosen.removeprefix(_STUB), call, filled)
    of = [entry for entry in entries if entry.registration.kernel_name == chosen]
    device = offered("device", _DEVICES, filled.chosen.get("device"))
    layout = offered("layout", LAYOUTS, filled.chosen.get("layout"))
    choices = {"call": call, "device": device, "layout": layout}
    form = Form(chosen, "", choices, with_bodies(partial(named, chosen, ""), of))
    if not chosen:  # there is no operator
        return form
    try:
        blanks = _blanks(runtime, chosen, filled.typed)
    except KernelError as error:
        return replace(form, problem=str(error))
    one = OperatorExperiment(
        chosen, texts(blanks, filled.typed), dtypes(blanks), device.value, layout.value
    )
    told = "calls it, compares with NumPy, and tells the whole way"
    does = {"r": Doing("Calling", told, partial(_call, runtime, one, of))}
    return replace(form, blanks=blanks, does=does)


def _blanks(runtime: Runtime, call: str, typed: Mapping[str, str]) -> dict[str, Blank | Choice]:
    """A row for each parameter, and below a tensor's one for its data type."""
    rows: dict[str, Blank | Choice] = {}
    for one in fields(runtime, call, _SHAPE):
        rows[one.name] = Blank(one.name, one.text, "" if one.is_tensor else one.kind)
        rows |= dtype_row(one.name, typed) if one.is_tensor else {}
    return rows


def _form_of_stub(runtime: Runtime, stub: str, call: Choice, filled: Filled) -> Form:
    dtype = offered("dtype", DTYPES, filled.chosen.get("dtype"))
    size = Blank("size", str(SAMPLE_SIZE), "elements")
    work = partial(_build, runtime, stub, dtype.value, filled.typed.get("size", size.text))
    told = "builds them, and times them against one another"
    return Form(
        stub,
        "",
        {"call": call, "dtype": dtype},
        partial(
            named, stub, "Its kernel is built for each instruction set that PyTorch builds for."
        ),
        blanks={"size": size},
        does={"r": Doing("Building for each instruction set", told, work)},
        result="Builds",
    )


# What a thread does


def _call(
    runtime: Runtime, one: OperatorExperiment, of: Sequence[Entry], cancelled: Cancelled
) -> Done:
    trial = try_call(runtime, one.operator, one.arguments(runtime))
    # Arguments of its own, for a call in place would write into the result once more.
    told = story(runtime, one.operator, one.arguments(runtime))
    tabs: dict[str, Tab] = {
        "Result": with_bodies(partial(report.result, trial), of),
        "Story": told,
        "Time": partial(report.time, trial),
    }
    return Done(tabs, "Result")


def _build(runtime: Runtime, stub: str, dtype: str, text: str, cancelled: Cancelled) -> Done:
    size = text.replace(",", "").replace("_", "")
    if not size.isdecimal() or int(size) == 0:
        raise KernelError(f"'{text}' is no number of elements")
    found = builds(runtime, stub, dtype, int(size))
    codes = {str(b.capability): CodeTab("assembly", b.loop or b.assembly) for b in found}
    return Done({"Builds": partial(report.builds, found), **codes}, "Builds")
