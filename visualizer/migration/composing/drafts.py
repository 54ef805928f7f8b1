"""A piece while it is written: text of our own, and stretches of the old files with their edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from registry_runtime.cxx import Span
from visualizer.migration.composing.destinations import SourceTree
from visualizer.migration.reading.fluid_text import (
    FluidText,
    comment_above,
    license_of,
    line_start,
)
from visualizer.migration.rewriting.edits import COMMENT, Edit, Edits, render
from visualizer.migration.table import RULES


@dataclass(frozen=True, slots=True)
class Placed:
    """An edit of old file `old`, and where it stands in the piece."""

    edit: Edit
    old: FluidText
    new: Span


@dataclass(slots=True)
class PieceDraft:
    """`role` and `is_shared` are the piece's. anchors: where the parameters stand, by their names in
    Fluid."""

    path: str
    role: str
    is_shared: bool
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

    def write_sorted(self, lines: Iterable[str]) -> None:
        """Whole lines in their order; "" is none."""
        self.write("".join(sorted(lines)))

    @contextmanager
    def namespace(self, name: str) -> Iterator[None]:
        """What is written meanwhile stands in a namespace."""
        self.write(f"\nnamespace {name} {{\n\n")
        yield
        self.write(f"}}  // namespace {name}\n")

    def copy_comment_above(self, source: FluidText, item: Span) -> None:
        """The comments above a declaration, if there are any."""
        above = comment_above(source, item)
        if above is not None:
            self.write(source.cut(above) + "\n")

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

    def note_above(self, at: int, source: FluidText, old: Span, reason: str) -> None:
        """A comment above the line of a place in what is written, for a stretch of an old file."""
        text = self.text
        at = line_start(text, at)
        note = f"{COMMENT}{reason}\n"

        def behind(span: Span) -> Span:
            by = len(note) if span.start >= at else 0
            return Span(span.start + by, span.end + by)

        self.placed = [Placed(p.edit, p.old, behind(p.new)) for p in self.placed]
        self.anchors = {name: behind(span) for name, span in self.anchors.items()}
        self.parts, self.length = [text[:at], note, text[at:]], len(text) + len(note)
        edit = Edit(old, (note,), RULES["kernel"], reason)
        self.placed.append(Placed(edit, source, Span(at, at + len(note))))

    @property
    def text(self) -> str:
        return "".join(self.parts)


@dataclass(slots=True)
class Drafts:
    """All pieces so far, in the order in which they were begun. `first` is the named file, whose
    license the new files get."""

    layout: SourceTree
    first: FluidText
    by_path: dict[str, PieceDraft] = field(default_factory=dict)

    def at(self, path: str, role: str, is_shared: bool = False) -> PieceDraft:
        """The piece of that path, begun if there is none. What stays in Fluid has its license
        already."""
        path = self.layout.path(path)
        if path not in self.by_path:
            draft = self.by_path[path] = PieceDraft(path, role, is_shared)
            if not path.startswith(self.layout.path("fluid/operators/")):
                draft.write(license_of(self.first))
        return self.by_path[path]

    def include(self, header: str) -> str:
        """The line by which a piece includes a header of PHI's or Fluid's; "" if it can't."""
        return self.layout.include(header)

    def include_piece(self, draft: PieceDraft, other: str) -> str:
        """The line by which a piece includes another one."""
        return self.layout.include_piece(draft.path, self.layout.path(other))
