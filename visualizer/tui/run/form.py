"""What is to be run: rows to choose from and to type in, and below them what follows.

Every change makes a new form of what is filled in. A row that is in the new one too stays where it is,
and so does the focus; what the reader has typed is never typed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from visualizer.frameworks.presenter import Choice
from visualizer.frameworks.runnable import Blank, Filled, Runnable
from visualizer.layout.rows import QUIET
from visualizer.layout.words import Parts
from visualizer.tui.run.blank_row import BlankRow
from visualizer.tui.run.choice_row import ChoiceRow


class RunForm(VerticalScroll, can_focus=False):
    """`form` is what there is to fill in, and all that follows from how it is filled in."""

    class Changed(Message):
        """Something else is to be run: the same on other arguments, or `another`."""

        def __init__(self, *, another: bool) -> None:
            super().__init__()
            self.another = another

    class Submitted(Message):
        """Enter in a row."""

    def __init__(self, runnable: Runnable, *, id: str) -> None:
        super().__init__(id=id)
        self._runnable = runnable
        self.filled = runnable.first
        self.form = runnable.form(self.filled)

    def compose(self) -> ComposeResult:
        yield Vertical(*map(self._row, self.form.choices.items()), id="run-choices")
        yield Vertical(*map(self._row, self.form.blanks.items()), id="run-blanks")
        yield Static(self._told(), id="run-told")

    @on(ChoiceRow.Changed)
    async def _chosen(self, message: ChoiceRow.Changed) -> None:
        """All rows are asked: another one may have been turned before this is told."""
        another = message.row.name == next(iter(self.form.choices))
        chosen = {**self.filled.chosen, **self._words("#run-choices")}
        typed = {} if another else {**self.filled.typed, **self._words("#run-blanks")}
        await self._fill_in(Filled(chosen, typed))

    def _words(self, box: str) -> dict[str, str]:
        rows = self.query_one(box).query_children(ChoiceRow)
        return {str(row.name): row.value for row in rows}

    @on(BlankRow.Changed)
    async def _typed(self, message: BlankRow.Changed) -> None:
        typed = {**self.filled.typed, str(message.row.name): message.row.text}
        await self._fill_in(replace(self.filled, typed=typed))

    @on(BlankRow.Submitted)
    def _submit(self) -> None:
        self.post_message(self.Submitted())

    async def _fill_in(self, filled: Filled) -> None:
        before = self.form
        self.filled, self.form = filled, self._runnable.form(filled)
        await self._arrange("#run-choices", self.form.choices)
        await self._arrange("#run-blanks", self.form.blanks)
        self.query_one("#run-told", Static).update(self._told())
        another = (before.name, before.key) != (self.form.name, self.form.key)
        self.post_message(self.Changed(another=another))

    async def _arrange(self, box: str, rows: Mapping[str, Choice | Blank]) -> None:
        """Keep the rows up to the first one that isn't as it was."""
        there, kept = self.query_one(box, Vertical), 0
        for widget, (name, one) in zip(list(there.children), rows.items(), strict=False):
            if widget.name != name or isinstance(widget, ChoiceRow) != isinstance(one, Choice):
                break
            self._offer(widget, one)
            kept += 1
        await there.remove_children(there.children[kept:])
        await there.mount_all(map(self._row, [*rows.items()][kept:]))

    def _offer(self, widget: Widget, one: Choice | Blank) -> None:
        if isinstance(widget, ChoiceRow) and isinstance(one, Choice):
            widget.offer(one)
        elif isinstance(widget, BlankRow) and isinstance(one, Blank):
            typed = str(widget.name) in self.filled.typed
            widget.offer(replace(one, text=widget.text) if typed else one)

    def _row(self, named: tuple[str, Choice | Blank]) -> ChoiceRow | BlankRow:
        name, one = named
        if isinstance(one, Choice):
            return ChoiceRow(one, name=name)
        return BlankRow(replace(one, text=self.filled.typed.get(name, one.text)), name=name)

    def _told(self) -> Content:
        """What comes out of it, or why it can't be run."""
        if self.form.problem:
            return Content.assemble(("✗ ", "bold $error"), self.form.problem)
        return Content("\n").join(map(_content, self.form.told))


def _content(row: Parts) -> Content:
    return Content.assemble(*((text, "$quiet" if look == QUIET else "") for text, look in row))
