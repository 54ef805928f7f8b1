"""What the screen on PyTorch's entries asks and answers: for an operator, the way of a call through
the dispatcher; for a stub, the slot that a call takes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from registry_runtime.aten.tensor.device import DeviceType
from visualizer.frameworks.aten import dispatch_story, stub_story
from visualizer.frameworks.aten import rows as aten
from visualizer.frameworks.presenter import Choice, Subject, Tell
from visualizer.layout.rows import ACCENT, BAD, GOOD, QUIET, STRONG, labelled, marked
from visualizer.layout.words import Parts, Styles, clipped, prose
from visualizer.workbench.linking import linked

if TYPE_CHECKING:
    from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
    from registry_runtime.aten.dispatch.operator_entry import OperatorEntry
    from registry_runtime.aten.library.registered import Registration
    from registry_runtime.aten.stub.dispatch_stub import DispatchStub
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_MARK = 3  # columns in which the number of a stop stands
_ONE = "none"  # where there is no second tensor


def subject(bench: Workbench, entry: Entry, registration: Registration) -> Subject:
    """What to ask about this entry: nothing, where it belongs to no operator and to no stub."""
    told = partial(aten.all_about, bench, entry, registration)
    if registration.kind == "stub":
        stub = linked(bench).aten.stubs[registration.kernel_name]
        return Subject(
            registration.kernel_name, registration.key, told, partial(_slots, stub), _of_a_stub()
        )
    operator = aten.operator_entry(bench.program, registration)
    if operator is None:
        return Subject(registration.kernel_name, registration.key, told, _nothing)
    return Subject(
        registration.kernel_name,
        registration.key,
        told,
        partial(_way, operator),
        _of_an_operator(),
    )


def _of_an_operator() -> dict[str, Choice]:
    devices = [d.name for d in dispatch_story.DEVICES]
    return {
        "device": Choice("tensor", devices, "CPU"),
        "other": Choice("another", [_ONE, *devices], _ONE),
        "thread": Choice("thread", list(dispatch_story.THREADS), "as usual"),
    }


def _way(entry: OperatorEntry, chosen: Mapping[str, str]) -> tuple[str, Tell]:
    named = [chosen["device"], chosen["other"]]
    devices = [DeviceType[name] for name in named if name != _ONE]
    way = dispatch_story.way(entry, devices, chosen["thread"])
    guard = dispatch_story.THREADS[chosen["thread"]]
    return "The way of such a call, after the whole file", partial(_told_way, way, guard)


def _told_way(way: dispatch_story.Way, guard: str, width: int) -> list[Parts]:
    rows: list[Parts] = []
    if way.error:
        rows += [[("✗ ", BAD), *row] for row in prose(f"{way.hops}: no kernel", width - 2, BAD)]
    else:
        rows += [[("✓ ", GOOD), *row] for row in prose(way.hops, width - 2, STRONG)]
    rows.append([])
    for number, keys in enumerate(way.arguments, 1):
        rows += labelled(f"tensor {number}", _keys(keys), width)
    rows += labelled("+ thread", _keys(way.included), width)
    rows += labelled("− thread", _keys(way.excluded), width)
    if guard:
        rows += labelled("by", guard, width)
    if way.masked:
        rows += labelled("− fall", f"{_keys(way.masked)}: fallthroughs of this operator", width)
    rows += labelled("= call", _keys(way.keys), width, STRONG)
    for number, stop in enumerate(way.stops, 1):
        rows.append([])
        rows += marked(f"{number}.", f"{stop.key} is the highest key", width, ACCENT)
        if stop.passed_by:
            rows += marked(
                "", f"passed by: {', '.join(map(str, stop.passed_by))}", width, QUIET, _MARK
            )
        rows += marked("", f"{stop.kernel or 'nothing'} [{stop.reason}]", width, (), _MARK)
        if number < len(way.stops):
            rows += marked("", "hands on, with the keys below its own", width, QUIET, _MARK)
    if way.error:
        rows.append([])
        for line in way.error.splitlines():
            rows += prose(line, width, BAD)
    return rows


def _of_a_stub() -> dict[str, Choice]:
    devices = [d.name for d in stub_story.DEVICES]
    words = stub_story.capability_words()
    return {
        "device": Choice("device", devices, "CPU"),
        "capability": Choice("capability", words, words[0]),
    }


def _slots(stub: DispatchStub, chosen: Mapping[str, str]) -> tuple[str, Tell]:
    device = DeviceType[chosen["device"]]
    slots = stub_story.slots(stub, device, chosen["capability"])
    steps = list(stub_story.choice(stub, device, chosen["capability"]))
    return "The slot that such a call takes", partial(_told_slots, slots, steps)


def _told_slots(slots: list[stub_story.Slot], steps: list[str], width: int) -> list[Parts]:
    rows: list[Parts] = []
    for slot in slots:
        held = slot.function or ("nullptr" if slot.function == "" else "empty")
        styles: Styles = STRONG if slot.chosen else () if slot.function else QUIET
        mark, note = "▸" if slot.chosen else " ", "" if slot.runs else "  can't run here"
        row: Parts = [(f"{mark}  {slot.name:9}{held}", styles), (note, QUIET)]
        rows.append(clipped(row, width, "…"))
    rows.append([])
    for number, step in enumerate(steps, 1):
        rows += marked(f"{number}.", step, width)
    return rows


def _nothing(chosen: Mapping[str, str]) -> tuple[str, Tell]:
    return "", lambda width: prose("No call finds it: it serves others.", width, QUIET)


def _keys(keys: DispatchKeySet) -> str:
    return ", ".join(map(str, keys)) or "nothing"
