"""PyTorch's dispatcher as facts: ours as interpreted, and an installed one's, both from their dumps.

`_dispatch_dump` lists what is registered for an operator, `_dispatch_dump_table` what a call with each
key leads to, and why; ours prints both in PyTorch's words. Where a file that was compiled stands in a
folder, the two sides name it differently, so places are compared by the file's name and the line.

What libtorch has of an operator besides is no matter of the file's. So of an operator that was there
before the file was loaded, what is new is compared, and its table isn't: that is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_table import SLOTS
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.judge.facts import Holding

if TYPE_CHECKING:
    from registry_runtime.aten.library.registered import Registration
    from registry_runtime.aten.runtime import Runtime

_ALL = "_"  # the name of what is registered for all operators
_KERNEL = re.compile(
    r"(?P<key>\w+)(?:\[alias\])?(?P<inactive> \(inactive\))?: "
    r"(?P<debug>.*) :: (?P<schema>.*) \[ (?P<state>.*)\]"
)
_FOLDER = re.compile(r"\S*/(?=[^/\s]+:\d+)")  # of a file and its line


class Operator(TypedDict):
    """An operator of an installed PyTorch: its dump before the file was loaded, empty if it was not
    there; the one after; and the table after."""

    before: str
    dump: str
    table: str


class Answer(TypedDict):
    """What `asked_torch` prints. `fallbacks` are the tables of an operator without kernels, before and
    after."""

    version: str
    operators: dict[str, Operator]
    fallbacks: list[str]


def compared(
    runtime: Runtime, registrations: Sequence[Registration], answer: Answer
) -> tuple[Holding, Holding]:
    """What a file registered as it was interpreted into `runtime`, and what the answer holds of it."""
    theirs = dict(answer["operators"])
    ours: dict[tuple[str, str], Mapping[str, str]] = {}
    its: dict[tuple[str, str], Mapping[str, str]] = {}
    there_before = []
    for name in _operators(registrations):
        found = runtime.dispatcher.findOp(OperatorName(name))
        if found is None:
            continue
        other = theirs.get(name)
        whole = other is None or not other["before"]
        if not whole:
            there_before.append(name)
        ours |= _operator(name, found.dumpState(), "", found.dumpComputedTable() if whole else "")
    for name, other in theirs.items():
        table = "" if other["before"] else other["table"]
        its |= _operator(name, other["dump"], other["before"], table)
    ours |= _fallbacks(runtime, registrations)
    before, after = (_lines(table) for table in answer["fallbacks"])
    its |= {(_ALL, key): {"kernel": told} for key, told in after.items() if before.get(key) != told}
    return Holding(ours, tuple(_left_out(registrations, there_before))), Holding(its)


def held(answer: Answer) -> Holding:
    """All that the answer holds, without anything to compare it with."""
    facts: dict[tuple[str, str], Mapping[str, str]] = {}
    for name, of in answer["operators"].items():
        facts |= _operator(name, of["dump"], of["before"], "" if of["before"] else of["table"])
    return Holding(facts)


def _operators(registrations: Iterable[Registration]) -> list[str]:
    made = (r.kernel_name for r in registrations if r.kind in ("def", "impl", "fallthrough"))
    return [name for name in dict.fromkeys(made) if name != _ALL]


def _operator(
    name: str, dump: str, before: str, table: str
) -> dict[tuple[str, str], Mapping[str, str]]:
    """Its facts: the schema, each kernel under its key, the table."""
    facts: dict[tuple[str, str], Mapping[str, str]] = {}
    known = set(before.splitlines())
    new = [line for line in dump.splitlines() if line not in known]
    about = {
        what: told
        for what, colon, told in (line.partition(": ") for line in new)
        if colon and what in ("schema", "debug", "alias analysis kind")
    }
    if about.get("schema", "(none)") != "(none)":
        facts[name, "schema"] = {what: _placed(told) for what, told in about.items()}
    for line in new:
        if (kernel := _KERNEL.fullmatch(line)) is None:
            continue
        key, more = kernel["key"] + (kernel["inactive"] or ""), 1
        while (name, key) in facts:
            more += 1
            key = f"{kernel['key']} (inactive {more})"
        facts[name, key] = {
            "kernel": _placed(kernel["debug"]),
            "schema of its type": kernel["schema"],
            "called": kernel["state"].strip(),
        }
    if table:
        facts[name, "table"] = _lines(table)
    return facts


def _lines(table: str) -> dict[str, str]:
    """A table's lines by their keys."""
    rows = (line.partition(": ") for line in table.splitlines())
    return {key: _placed(told) for key, colon, told in rows if colon}


def _placed(told: str) -> str:
    return _FOLDER.sub("", told)


def _fallbacks(
    runtime: Runtime, registrations: Iterable[Registration]
) -> dict[tuple[str, str], Mapping[str, str]]:
    facts: dict[tuple[str, str], Mapping[str, str]] = {}
    for made in registrations:
        if made.kernel_name == _ALL and made.kind in ("fallback", "fallthrough"):
            kernel = runtime.dispatcher.backendFallbackKernels_[SLOTS[DispatchKey[made.key]]]
            through = "fallthrough " if kernel.kernel.isFallthrough() else ""
            told = f"{through}{kernel.debug} [backend fallback]"
            facts[_ALL, made.key] = {"kernel": _placed(told)}
    return facts


def _left_out(registrations: Iterable[Registration], there_before: Sequence[str]) -> Iterable[str]:
    stubs = sum(made.kind == "stub" for made in registrations)
    if stubs:
        yield f"{stubs} slots of dispatch stubs: PyTorch lists no stub"
    for name in there_before:
        yield f"the table of {name}: PyTorch has kernels of its own there"
