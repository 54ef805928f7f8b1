"""One of Fluid's operators, called on what the reader chooses, with each step of the call told.

There is a field for each of the operator's names. What is called stands in the program of the file on
the bench, and of those that its build links it with: PHI's kernel, if there is one, or else Fluid's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static

from registry_runtime.kernels import KernelError
from registry_runtime.lab.fluid.experiment import DTYPES, OpExperiment, fields
from visualizer.frameworks.aten.report import introduction, refused
from visualizer.frameworks.fluid import report as op_report
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.listing import Listing
from visualizer.tui.run.blank_row import FieldRow
from visualizer.tui.run.choice_row import FIELDS, ChoiceRow

if TYPE_CHECKING:
    from registry_runtime.fluid.registered import Registration
    from registry_runtime.fluid.run_op import OpStory
    from registry_runtime.fluid.runtime import Runtime
    from visualizer.layout.words import Parts

Tell = Callable[[int], "list[Parts]"]
_TABS = "The outputs, the steps of the call"
_HAS = "Inputs are random; [1, 2] stands for its own values. An empty one is left out."


class RunByNamesScreen(Screen[None]):
    AUTO_FOCUS = "#run-kernel"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "run", "run", tooltip="Call it, and tell each step"),
        Binding("f5", "run_typed", "run", key_display="Enter", tooltip="Call it, from a field"),
        Binding("1", "tab(0)", "outputs", tooltip=_TABS, show=False),
        Binding("2", "tab(1)", "steps", tooltip=_TABS, show=False),
        Binding("up", "app.focus_previous", "field above", tooltip=FIELDS, show=False),
        Binding("down", "app.focus_next", "field below", tooltip=FIELDS, show=False),
        Binding("escape", "leave", "close", key_display="Esc", tooltip="Back to the steps"),
        Binding("q", "close", "close", tooltip="Back to the steps", show=False),
    ]

    class Done(Message):
        """The thread has come to an end: the story of the call, or what was refused before it."""

        def __init__(self, run: int, story: OpStory | None, refused: str = "") -> None:
            super().__init__()
            self.run, self.story, self.refused = run, story, refused

    def __init__(self, fluid: Runtime, registration: Registration, dtype: str = DTYPES[0]) -> None:
        """The registration's operator is chosen first, its inputs of that data type."""
        super().__init__()
        self._fluid, self._first, self._dtype = fluid, registration, dtype
        self._tabs: Sequence[tuple[str, Tell]] = ()
        self._run = 0

    def compose(self) -> ComposeResult:
        yield Static(id="run-heading")
        with Horizontal(id="run-body"):
            with VerticalScroll(id="run-form", can_focus=False):
                yield ChoiceRow("call", id="run-kernel")
                yield Vertical(id="run-blanks")
                yield Static(Content.styled(_HAS, "$quiet"), id="run-told")
            with Vertical(id="run-output"):
                yield TabRow(id="run-tabs")
                yield Listing(id="run-listing")
        yield Static(id="run-status")
        yield Footer()

    async def on_mount(self) -> None:
        row = self.query_one("#run-kernel", ChoiceRow)
        named = dict.fromkeys((*self._fluid.op_info_map.map(), self._first.op_type))
        row.options, row.value = tuple(named), self._first.op_type
        await self._fill_in()

    @property
    def chosen(self) -> str:
        return self.query_one("#run-kernel", ChoiceRow).value

    @property
    def text(self) -> str:
        """What the listing shows, without colour."""
        return self.query_one(Listing).text

    # The form

    async def _fill_in(self) -> None:
        box = self.query_one("#run-blanks", Vertical)
        await box.remove_children()
        heading = Content.styled("Run  ", "$quiet") + Content.styled(self.chosen, "bold")
        self.query_one("#run-heading", Static).update(heading)
        rows: list[FieldRow | ChoiceRow] = []
        try:
            for one in fields(self._fluid, self.chosen):
                rows.append(FieldRow(one.name, one.text, one.type.replace("std::", "")))
                if one.kind == "input":
                    dtype = ChoiceRow("dtype")
                    dtype.options, dtype.value = DTYPES, self._dtype
                    rows.append(dtype)
        except (KernelError, LookupError) as error:
            self._show([("Outputs", partial(refused, str(error)))])
        else:
            keys = [("r", "calls it, and tells each step")]
            self._show([("Outputs", partial(introduction, self.chosen, "", keys))])
        await box.mount_all(rows)

    def _experiment(self) -> OpExperiment:
        box = self.query_one("#run-blanks", Vertical)
        texts: dict[str, str] = {}
        dtypes: dict[str, str] = {}
        name = ""
        for row in box.children:
            if isinstance(row, FieldRow):
                name = row.label
                texts[name] = row.text
            elif isinstance(row, ChoiceRow):
                dtypes[name] = row.value
        return OpExperiment(self.chosen, texts, dtypes)

    @on(ChoiceRow.Changed, "#run-kernel")
    async def _another(self) -> None:
        await self._fill_in()

    @on(FieldRow.Submitted)
    def _submitted(self) -> None:
        self.action_run()

    # What is asked for

    def action_run(self) -> None:
        self._run += 1
        self._say("Calling …")
        self._call(self._run, self._experiment())

    def action_run_typed(self) -> None:
        self.action_run()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In a field `r` is a letter, and Enter runs."""
        types = isinstance(self.focused, Input)
        return types if action == "run_typed" else not (types and action == "run")

    def action_tab(self, index: int) -> None:
        if index < len(self._tabs):
            self.query_one(TabRow).current = index
            self.query_one(Listing).show(self._tabs[index][1])

    @on(TabRow.Wanted)
    def _tab_wanted(self, message: TabRow.Wanted) -> None:
        self.action_tab(message.index)

    def action_leave(self) -> None:
        if isinstance(self.focused, Input):
            self.query_one(Listing).focus()
        else:
            self.dismiss()

    def action_close(self) -> None:
        self.dismiss()

    @work(thread=True, exclusive=True)
    def _call(self, run: int, experiment: OpExperiment) -> None:
        try:
            done = self.Done(run, experiment.call(self._fluid))
        except KernelError as error:
            done = self.Done(run, None, str(error))
        except Exception as error:  # whatever goes wrong, the reader should see it and go on
            done = self.Done(run, None, f"{type(error).__name__}: {error}")
        with suppress(RuntimeError):  # the app has ended meanwhile
            self.post_message(done)

    @on(Done)
    def _done(self, message: Done) -> None:
        if message.run != self._run:
            return
        story = message.story
        said = message.refused or (str(story.error) if story is not None and story.error else "")
        self._say(f"✗ {said.partition(chr(10))[0]}" if said else "")
        if story is None:
            self._show([("Outputs", partial(refused, said))])
        else:
            self._show(
                [
                    ("Outputs", partial(op_report.outputs, story)),
                    ("Steps", partial(op_report.steps, story)),
                ]
            )

    def _show(self, tabs: Sequence[tuple[str, Tell]]) -> None:
        self._tabs = tabs
        self.query_one(TabRow).tabs = tuple(title for title, _ in tabs)
        self.action_tab(0)

    def _say(self, text: str) -> None:
        self.query_one("#run-status", Static).update(Content(text))
