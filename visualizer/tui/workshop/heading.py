"""The workshop's first row: the file, whether it is saved, and whether what is shown is that of the
text as it is now."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message

from visualizer.layout.words import Parts, clipped
from visualizer.messages import _, ngettext
from visualizer.tui.ink.inked import Drawn
from visualizer.workshop.attempt import Attempt
from visualizer.workshop.session import Edited


class WorkshopHeading(Drawn):
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "workshop--file",
        "workshop--quiet",
        "workshop--unsaved",
        "workshop--errors",
    }

    class FilesWanted(Message):
        """The reader clicked on the file's name."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._file_name = ""
        self._parts: Parts = []
        self._right = ""

    def show(self, file: Edited, others_unsaved: int, tried: Attempt | None, behind: bool) -> None:
        """A file, how many others aren't saved, and the latest attempt, if it is not behind."""
        self._file_name = file.path.name
        self._parts = [(f" {self._file_name}", ("workshop--file",)), (" ▾", ("workshop--quiet",))]
        if file.disk.why_fixed:
            self._parts.append((f"  read-only: {file.disk.why_fixed}", ("workshop--quiet",)))
        elif file.unsaved:
            self._parts.append((_("  ● not saved"), ("workshop--unsaved",)))
        if others_unsaved:
            self._parts.append(
                (_("  ● {count} more").format(count=others_unsaved), ("workshop--unsaved",))
            )
        diagnostics = tried.diagnostics if tried is not None else ()
        errors = sum(d.severity == "error" for d in diagnostics)
        if errors:
            text = ngettext("{errors:,} error", "{errors:,} errors", errors).format(errors=errors)
            self._parts.append((f"  ✗ {text}", ("workshop--errors",)))
        self._right = "tracing … " if behind else ""
        self.refresh()

    def draw(self, y: int) -> Parts:
        if y:
            return []
        room = max(self.size.width - cell_len(self._right), 0)
        parts = clipped(self._parts, room, "…")
        used = sum(cell_len(text) for text, _ in parts)
        return [*parts, (" " * (room - used), ()), (self._right, ("workshop--quiet",))]

    def on_click(self, event: events.Click) -> None:
        if event.x < cell_len(self._file_name) + 3:
            self.post_message(self.FilesWanted())
