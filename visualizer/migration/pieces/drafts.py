"""A piece while it is written: text of our own, and stretches of the old files with their edits."""

from __future__ import annotations

from dataclasses import dataclass, field

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit, Edits, render
from visualizer.migration.fluid_text import FluidText
from visualizer.migration.layout import Layout
from visualizer.migration.reading.comments import license_of
from visualizer.migration.table import RULES


@dataclass(frozen=True, slots=True)
class Placed:
    """An edit of old file `old`, and where it stands in the piece."""

    edit: Edit
    old: FluidText
    new: Span


@dataclass(slots=True)
class Draft:
    """`anchors`: where the parameters stand, by their names in Fluid."""

    path: str
    parts: list[str] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    anchors: dict[str, Span] = field(default_factory=dict)
    length: int = 0

    def write(self, text: str, anchor: str = "") -> Span:
        """Text of our own; returns where it stands."""
        span = Span(self.length, self.length + len(text))
        self.parts.append(text)
        self.length = span.end
        if anchor:
            self.anchors.setdefault(anchor, span)
        return span

    def copy(self, source: FluidText, span: Span, edits: Edits) -> None:
        """A stretch of an old file, edited."""
        rendered = render(source.text, span, edits)
        for edit, at in rendered.placed:
            new = Span(self.length + at.start, self.length + at.end)
            self.placed.append(Placed(edit, source, new))
        self.write(rendered.text)

    def instead(self, source: FluidText, old: Span, text: str, rule: str, reason: str = "") -> None:
        """Text of our own that takes the place of a stretch of an old file."""
        new = self.write(text)
        edit = Edit(old, (text,), RULES[rule], reason)
        self.placed.append(Placed(edit, source, new))

    @property
    def text(self) -> str:
        return "".join(self.parts)


@dataclass(slots=True)
class Drafts:
    """All pieces so far, in the order in which they were begun. `first` is the named file, whose
    license the new files get."""

    layout: Layout
    first: FluidText
    by_path: dict[str, Draft] = field(default_factory=dict)

    def at(self, path: str) -> Draft:
        """The piece of that path, begun if there is none. What stays in Fluid has its license
        already."""
        path = self.layout.path(path)
        if path not in self.by_path:
            draft = self.by_path[path] = Draft(path)
            if not path.startswith(self.layout.path("fluid/operators/")):
                draft.write(license_of(self.first))
        return self.by_path[path]

    def include(self, header: str) -> str:
        """The line by which a piece includes a header of PHI's or Fluid's; "" if it can't."""
        return self.layout.include(header)

    def include_piece(self, draft: Draft, other: str) -> str:
        """The line by which a piece includes another one."""
        return self.layout.include_piece(draft.path, self.layout.path(other))
