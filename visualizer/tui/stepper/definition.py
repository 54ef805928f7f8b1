"""The file in which a name is defined, at its definition: the one that is in force where the name was
chosen, whichever header and however many `#define`s there are.

A name in that file can be chosen in turn, and is looked up as that place of the file is read. So one
goes from definition to definition, each over the one before it, and back.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from visualizer.expansion import InputError
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import Source
from visualizer.messages import N_, _
from visualizer.tui.external_editor import edit
from visualizer.tui.home.loading import loaded
from visualizer.tui.in_order import COMING
from visualizer.tui.ink.footer import Footer
from visualizer.tui.stepper.source_pane import SourcePane, SourceText

if TYPE_CHECKING:
    from visualizer.expansion.why.history import Event, Record
    from visualizer.workbench.bench import Workbench

_ELSEWHERE = {
    "<built-in>": N_("by the compiler itself"),
    "<command-line>": N_("on the command line"),
}


class DefinitionScreen(Screen[None]):
    """A file to be read, with the cursor on the name at `where`. `said` is the first row."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", tooltip="Back to where the name was chosen"),
        Binding("E", "editor", "$EDITOR", tooltip="This line in your own editor: VISUAL or EDITOR"),
        Binding(
            "z", "wrap_source", "wrap", tooltip="Wrap the lines that are too long, or cut them"
        ),
    ]

    def __init__(self, bench: Workbench, text: SourceText, where: Source, said: str) -> None:
        super().__init__()
        self._bench, self._text, self._where, self._said = bench, text, where, said

    def compose(self) -> ComposeResult:
        yield Static(Content(self._said), id="definition-heading")
        yield SourcePane(self._text, id="definition-source", only_names=True)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(SourcePane).focus()
        self.call_after_refresh(self._choose)

    def _choose(self) -> None:
        self.query_one(SourcePane).choose(self._where.line - 1, self._where.column - 1)

    def action_back(self) -> None:
        self.dismiss()

    def action_wrap_source(self) -> None:
        pane = self.query_one(SourcePane)
        pane.wraps = not pane.wraps

    def action_editor(self) -> None:
        name = self.query_one(SourcePane).cursor
        line = self._where.line if name is None else name.line + 1
        edit(self.app, Path(self._text.file), line)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "editor" or not self.app.is_web

    @on(SourcePane.Sought)
    def _sought(self, message: SourcePane.Sought) -> None:
        self.go_to_definition(message.name, message.where)

    @work(exclusive=True, group=COMING)
    async def go_to_definition(self, name: str, at: Source) -> None:
        await go_to_definition(self.app, self._bench, name, at)


async def go_to_definition(
    app: App[None], bench: Workbench, name: str, at: Source, here: bool = False
) -> None:
    """Show it over what is open, or say why there is nothing to show. A thread looks it up: the file is
    preprocessed once more for that. `at` is where the name was chosen, or, if it stands `here`, where
    it is defined."""
    screen = app.screen
    look_up = partial(_look_up, bench, name, at, here)
    try:
        found = await loaded(app, name, look_up, "", _("Looking up"))
    except InputError as error:
        app.notify(str(error.diagnostic), severity="error", markup=False)
        return
    if isinstance(found, str):
        app.notify(found, markup=False)
    elif found is not None and app.screen is screen:
        app.push_screen(DefinitionScreen(bench, *found))


def _look_up(
    bench: Workbench, name: str, at: Source, here: bool
) -> tuple[SourceText, Source, str] | str:
    """The file to show, the place in it and the first row; or what to say instead."""
    from visualizer.expansion.why.history import record

    known = record(bench.path, bench.options, {name}, at)
    if here:
        where, said = at, ""
    elif any(event.where == at and event.deed == "define" for event in known.of(name)):
        return _("This is the definition of {name}. Enter goes on from other names.").format(
            name=name
        )
    else:
        event, said = _event(known, name, at)
        if event is None:
            return said
        where = event.where
    if where.file in _ELSEWHERE:
        return _("{name} is defined {where}.").format(name=name, where=_(_ELSEWHERE[where.file]))
    lines = read_source(where.file, True, bench.options.unsaved).splitlines()
    text = SourceText(where.file, lines, known.skipped(where.file))
    return text, where, f"{where.file}:{where.line}  {said}".rstrip()


def _event(known: Record, name: str, at: Source) -> tuple[Event | None, str]:
    """What defines a name, and what is to be said of that; or of there being nothing."""
    place = _("line {line} of {file}").format(line=at.line, file=os.path.basename(at.file))
    if (event := known.in_force(name)) is not None:
        return event, _("{name} as in force on {place}").format(name=name, place=place)
    if name in known.built_in:
        return None, _("{name} is built in: no #define makes it.").format(name=name)
    if (event := known.in_force_later(name)) is not None:
        return event, _("{name} is not defined yet on {place}, but from here on").format(
            name=name, place=place
        )
    skipped = [event for event in known.of(name) if event.deed == "define"]
    if skipped:
        return skipped[-1], _("{name} is no macro on {place}: its #define is skipped").format(
            name=name, place=place
        )
    return None, _("{name} is no macro on {place}.").format(name=name, place=place)
