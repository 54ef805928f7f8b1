"""What the row under the cursor is about: where the file lies, what it says of itself, its macros."""

from __future__ import annotations

import re
from itertools import islice

from textual.reactive import reactive

from visualizer.layout.words import Parts, Styles, clipped, prose
from visualizer.messages import _
from visualizer.tui.home.choices import HomeRow, first_lines, opening_comment, short_path
from visualizer.tui.ink.pane import Pane

_INVOCATION = re.compile(r"[A-Z][A-Z0-9_]{2,}\s*\(.*")
_SHOWN = 40  # invocations


class HomePreview(Pane):
    can_focus = False

    choice: reactive[HomeRow | None] = reactive["HomeRow | None"](None, repaint=False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: list[Parts] = []

    def watch_choice(self) -> None:
        self._lay_out()

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        if not self.is_mounted or not self.room:
            return
        self._rows = list(_rows(self.choice, self.room - 1)) if self.choice else []
        self.entitle(self.choice.title if self.choice else "")
        self.hold(len(self._rows))
        self.scroll_to(y=0, animate=False, force=True)
        self.repaint()

    def draw(self, row: int) -> Parts:
        return self._rows[row]


def _rows(choice: HomeRow, width: int) -> list[Parts]:
    opening = choice.opening
    if opening is None:
        pages = [prose(f"{n}  {page}", width) for n, page in enumerate(choice.pages, 1)]
        left = (
            prose(_("Still open: {left}").format(left=choice.left), width, ("pane--accent",))
            if choice.left
            else []
        )
        listed = [row for rows in pages for row in rows]
        return [*prose(choice.about, width), [], *left, *([[]] * bool(left)), *listed]
    rows: list[Parts] = []

    def paragraph(text: str, styles: Styles = ()) -> None:
        rows.extend(prose(text, width, styles))
        rows.append([])

    paragraph(short_path(opening.path), ("pane--quiet",))
    if flags := opening.flags.text():
        paragraph(flags, ("pane--accent",))
    if choice.gone:
        paragraph(_("This file is not there any more. Delete takes it off the list."))
        return rows
    for text in opening_comment(opening.path):
        paragraph(text)
    for number, text in _invocations(choice):
        parts: Parts = [(f"{number:>4} ", ("pane--quiet",)), (text, ("hue--0",))]
        rows.append(clipped(parts, width, "…"))
    return rows


def _invocations(choice: HomeRow) -> list[tuple[int, str]]:
    """The lines that look like a macro's invocation, from a glance at the file."""
    assert choice.opening is not None
    lines = enumerate(first_lines(choice.opening.path), 1)
    return list(islice(((n, text) for n, text in lines if _INVOCATION.match(text)), _SHOWN))
