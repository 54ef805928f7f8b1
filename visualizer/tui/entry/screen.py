"""All about one entry of a registry: what it is, and which calls find it.

On the left stands the registration with what follows from it: PHI's arguments, PyTorch's table, Fluid's
list of names. On the right the reader says what a call is like, and the way of such a call is told anew
at every row: it is worked out from the keys, and nothing is run for it.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from visualizer.frameworks.presenter import Subject
from visualizer.messages import N_, _
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.listing import Listing

_TABS = (N_("Registration"), N_("Call"))
_TAB = "What it is, which calls find it"
WIDE = 120


class EntryScreen(Screen[None]):
    AUTO_FOCUS = "#entry-told"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "turn('backend')", "backend", tooltip="The next backend of a call"),
        Binding("d", "turn('device')", "device", tooltip="The next device of a call's tensors"),
        Binding("o", "turn('other')", "other", tooltip="The next device of the other tensor"),
        Binding("t", "turn('thread')", "thread", tooltip="What the thread is doing that calls"),
        Binding("c", "turn('capability')", "capability", tooltip="What the processor can do"),
        Binding("p", "turn('place')", "place", tooltip="The next place of a call"),
        Binding("l", "turn('library')", "library", tooltip="The next library of a call's key"),
        Binding("d", "turn('dtype')", "dtype", tooltip="The next data type of a call"),
        Binding("y", "turn('layout')", "layout", tooltip="The next layout of a call"),
        Binding("l", "load", "load", tooltip="Load or unload the plug-in", show=False),
        Binding("1", "tab(0)", "registration", tooltip=_TAB, show=False),
        Binding("2", "tab(1)", "call", tooltip=_TAB),
        Binding("escape,q", "close", "close", tooltip="Back to the steps"),
    ]

    def __init__(self, subject: Subject) -> None:
        super().__init__()
        self._subject = subject

    def compose(self) -> ComposeResult:
        subject = self._subject
        marked = any(any(choice.notes) for choice in subject.choices.values())
        about = f"{subject.key}{_('   ✓ is registered') if marked else ''}"
        heading = Content.assemble((f"{subject.name} ", "bold"), (about, "$quiet"))
        yield Static(heading, id="entry-heading")
        yield TabRow(id="entry-tabs")
        with Horizontal(id="entry-body"):
            yield Listing(id="entry-told")
            with Vertical(id="entry-selection"):
                with Horizontal(id="entry-choices"):
                    for name, choice in subject.choices.items():
                        yield ChoiceList(choice.title, id=f"entry-{name}")
                yield Listing(id="entry-path")
        yield Footer()

    def on_mount(self) -> None:
        for name, choice in self._subject.choices.items():
            self._list(name).offer(choice.words, choice.value, choice.notes)
        self.query_one("#entry-tabs", TabRow).tabs = _TABS
        self.action_tab(0)
        self._tell()

    def on_resize(self, event: events.Resize) -> None:
        self.action_tab(self.query_one("#entry-tabs", TabRow).current, focus=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "load":
            return self._subject.load is not None
        return action != "turn" or parameters[0] in self._subject.choices

    def _list(self, name: str) -> ChoiceList:
        return self.query_one(f"#entry-{name}", ChoiceList)

    def _tell(self) -> None:
        self.query_one("#entry-told", Listing).show(self._subject.told)
        self._answer()

    @on(ChoiceList.Moved)
    def _answer(self) -> None:
        chosen = {name: self._list(name).value or "" for name in self._subject.choices}
        title, tell = self._subject.answer(chosen)
        way = self.query_one("#entry-path", Listing)
        way.show(tell)
        way.entitle(title)

    def action_turn(self, name: str) -> None:
        choices = self._list(name)
        choices.here = (choices.here + 1) % len(choices.words)
        self.action_tab(1, focus=False)
        choices.focus()

    def action_tab(self, index: int, focus: bool = True) -> None:
        """In a narrow terminal one of the two is seen at a time."""
        self.query_one("#entry-tabs", TabRow).current = index
        wide = self.app.size.width >= WIDE
        self.query_one("#entry-told").display = wide or index == 0
        self.query_one("#entry-selection").display = wide or index == 1
        if focus:
            first = next(iter(self._subject.choices), "path")
            self.query_one("#entry-told" if index == 0 else f"#entry-{first}").focus()

    @on(TabRow.Wanted)
    def _tab_wanted(self, message: TabRow.Wanted) -> None:
        self.action_tab(message.index)

    def action_load(self) -> None:
        if self._subject.load is not None:
            self._subject.load()
            self._tell()

    def action_close(self) -> None:
        self.dismiss()
