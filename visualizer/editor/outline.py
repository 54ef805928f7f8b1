"""What a file registers, and where: its outline, and what is written beside the registrations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from visualizer.editor.hover import label
from visualizer.editor.standing import extent
from visualizer.editor.texts import EditedText
from visualizer.expansion.wording import counted
from visualizer.messages import _
from visualizer.workbench.bench import Workbench
from visualizer.workbench.entries import Entry


@dataclass(frozen=True, slots=True)
class Registering:
    """An invocation that registers: which it is on the bench, where it begins and ends in the text, the
    macro, and what is registered."""

    index: int
    begin: int
    end: int
    macro: str
    entries: Sequence[Entry]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(entry.registration.kernel_name for entry in self.entries))

    def in_short(self) -> str:
        """`6 kernels: bool … int64`."""
        return _("{kernels}: {keys}").format(
            kernels=counted(len(self.entries), "kernel"),
            keys=_apart(list(map(label, self.entries))),
        )


def _apart(keys: list[str]) -> str:
    """The first of several keys and the last, by what tells them from each other."""
    if len(keys) == 1:
        return keys[0]
    parts = [key.removeprefix("(").removesuffix(")").split(", ") for key in keys]
    if len({len(part) for part in parts}) == 1:
        differs = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
        told = [", ".join(w for w, d in zip(part, differs, strict=True) if d) for part in parts]
        keys = told if any(differs) else keys[:1]
    each = list(dict.fromkeys(keys))
    return " … ".join((each[0], each[-1])) if len(each) > 2 else ", ".join(each)


def registering(bench: Workbench, text: EditedText) -> Iterator[Registering]:
    """The invocations that register something, in the order of the text."""
    for index, entries in sorted(
        (index, made) for index, made in bench.entries_by_expansion.items() if index is not None
    ):
        expansion = bench.expansions[index]
        begin, end = extent(expansion, text)
        yield Registering(index, begin, end, expansion.macro, entries)


def key_at(entry: Entry, within: Registering, text: EditedText) -> tuple[int, int]:
    """Where the statement stands that registers an entry, else its invocation."""
    at = entry.statement_at
    if not entry.statement or at.line < text.place(within.begin).line:
        return within.begin, within.end
    start = text.offset_of(at)
    return start, start + len(entry.statement[0].text)
