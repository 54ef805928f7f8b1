"""What is wrong with the invocation that is shown, or else where something is wrong, in one row. It is
not there when nothing is wrong: warnings alone, of which real headers give some, wait behind the key
`e`. But that a file is not UTF-8 is said, as it is seen in each of its lines that has such a byte.

Who asked for a line on which nothing can be stepped is told why, in as many rows as that takes, for as
long as the line is shown: plainly, unless the file has an error there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message
from textual.widgets._toast import ToastRack

from visualizer.expansion.diagnostics import Code
from visualizer.expansion.wording import counted
from visualizer.expansion.wrong_arguments import left_open_above, of_a_line_below
from visualizer.layout.words import Part, Parts, clipped, length, prose
from visualizer.messages import _
from visualizer.scene.scene import Scene
from visualizer.tui.ink.inked import Drawn

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic


class Notice(Drawn):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"notice--error", "notice--quiet", "pane--quiet"}

    class Opened(Message):
        """The reader wants to see all diagnostics."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._diagnostics = diagnostics
        self._asked: Diagnostic | None = None
        self._line = 0
        self._telling = [d for d in diagnostics if d.severity == "error"]
        self._telling += [d for d in diagnostics if d.code == Code.NOT_UTF8]
        self.display = bool(self._telling)

    @property
    def asked(self) -> Diagnostic | None:
        """Why nothing can be stepped on the line that is shown."""
        is_shown = self.scene is None or self.scene.seen == self._line
        return self._asked if is_shown else None

    def tell(self, line: int, why: Diagnostic | None) -> None:
        self._line, self._asked = line, why
        self._arrange()

    def watch_scene(self) -> None:
        if self._asked is not None and self.asked is None:
            self._asked = None
            self._arrange()
            self.screen.refresh_bindings()  # Esc has nothing to end any more
        super().watch_scene()

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        self.display = bool(self.asked or self._telling)
        self.set_class(self._is_plain, "-plain")
        self.styles.height = height = max(len(self._rows()), 1)
        for rack in self.screen.query(ToastRack):  # toasts stand below what is said here
            rack.styles.margin = (1 + height * self.display, 0, 0, 0)
        self.repaint()

    @property
    def _is_plain(self) -> bool:
        return self.asked is not None and self.asked not in self._diagnostics

    def _rows(self) -> list[Parts]:
        """Why, in rows; none where nobody asked."""
        if self.asked is None or not self.size.width:
            return []
        hint = self.asked.hint and f" ({self.asked.hint})"
        notes = "".join(f"; {note.text}" for note in self.asked.notes)
        rows = prose(
            _("line {line}: {message}{hint}{notes}").format(
                line=self._line, message=self.asked.message, hint=hint, notes=notes
            ),
            self.size.width - 4,
        )
        key: Part = (_("  Esc closes"), ("notice--quiet",))
        mark = (" · ", ("notice--quiet",)) if self._is_plain else (" ✗ ", ("notice--error",))
        rows = [[("   ", ()) if i else mark, *row] for i, row in enumerate(rows)]
        if length([*rows[-1], key]) > self.size.width:
            rows.append([])
        return [*rows[:-1], [*rows[-1], key]]

    def draw(self, y: int) -> Parts:
        if rows := self._rows():
            return rows[y] if y < len(rows) else []
        if y or self.asked is not None or not self._telling:
            return []
        told = self._telling[first_to_tell(self._telling, self.scene)]
        where = _("line {line}: {message}").format(line=told.where.line, message=told.message)
        if self.scene is None or not is_about(told, self.scene):
            is_open = told == _above(self._telling, self.scene)
            where = of_a_line_below(told) if is_open else f"elsewhere, {where}"
        count: Part = (f" ✗ {summed_up(self._diagnostics)}  ", ("notice--error",))
        if told.severity != "error":
            where, count = (
                _("The file is not UTF-8: {hint}").format(hint=_(told.hint)),
                (" ! ", ("notice--quiet",)),
            )
        key: Part = (_("  e shows all"), ("notice--quiet",))
        return [count, *clipped([(where, ())], self.size.width - length([count, key]), "…"), key]

    def on_click(self) -> None:
        self.post_message(self.Opened())


def is_about(diagnostic: Diagnostic, scene: Scene) -> bool:
    """Whether it points into the invocation that is shown."""
    invocation = scene.invocation
    lines = range(invocation.where.line, invocation.last_line() + 1)
    return diagnostic.where.file == invocation.where.file and diagnostic.where.line in lines


def first_to_tell(diagnostics: Sequence[Diagnostic], scene: Scene | None) -> int:
    """Which one to tell while this is shown: the first that is about it, or that of an invocation above
    which nobody closed, or else the first."""
    here = (i for i, d in enumerate(diagnostics) if scene is not None and is_about(d, scene))
    above = _above(diagnostics, scene)
    return next(here, diagnostics.index(above) if above is not None else 0)


def _above(diagnostics: Sequence[Diagnostic], scene: Scene | None) -> Diagnostic | None:
    if scene is None or scene.invocation.directive:
        return None
    return left_open_above(diagnostics, scene.invocation.where)


def summed_up(diagnostics: tuple[Diagnostic, ...]) -> str:
    """`2 errors, 1 warning`."""
    parts = []
    for severity in ("error", "warning"):
        number = sum(d.severity == severity for d in diagnostics)
        if number:
            parts.append(counted(number, severity))
    return ", ".join(parts)
