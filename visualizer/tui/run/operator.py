"""An operator of PyTorch's, called on what the reader chooses, with the whole way told; and a dispatch
stub, whose kernel is built for each instruction set and timed.

What is called stands in a program of its own: the file on the bench, and those that its build links
it with. Everything that takes time is done by a thread.
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
from visualizer.frameworks.aten import report as operator_report
from visualizer.layout.words import Parts
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.listing import Listing
from visualizer.tui.run.blank_row import FieldRow
from visualizer.tui.run.choice_row import FIELDS, ChoiceRow

if TYPE_CHECKING:
    from registry_runtime.aten.library.registered import Registration
    from registry_runtime.lab.aten.capabilities import Build
    from registry_runtime.lab.aten.experiment import OperatorExperiment
    from registry_runtime.lab.aten.trial import OperatorTrial
    from registry_runtime.program import Program
    from visualizer.frameworks.aten.operator_story import Chapter

Tell = Callable[[int], list[Parts]]
Tab = tuple[str, Tell | str]  # a title, and rows or assembly

_TABS = "Result, story, time; or a build's code"
_DTYPES = (
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "bool",
    "complex64",
    "complex128",
)
_DEVICES = ("CPU", "Meta", "GPU")
_STUB = "stub: "
_SHAPE = "4x5"


class RunOperatorScreen(Screen[None]):
    AUTO_FOCUS = "#run-kernel"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "run", "run", tooltip="Call it, and tell the way of the call"),
        Binding("f5", "run_typed", "run", key_display="Enter", tooltip="Call it, from a field"),
        *(
            Binding(str(n), f"tab({n - 1})", f"tab {n}", tooltip=_TABS, show=False)
            for n in range(1, 6)
        ),
        Binding("up", "app.focus_previous", "field above", tooltip=FIELDS, show=False),
        Binding("down", "app.focus_next", "field below", tooltip=FIELDS, show=False),
        Binding("escape", "leave", "close", key_display="Esc", tooltip="Back to the steps"),
        Binding("q", "close", "close", tooltip="Back to the steps", show=False),
    ]

    class Done(Message):
        """The thread has come to an end: tabs to show, or what was refused."""

        def __init__(self, run: int, tabs: Sequence[Tab], refused: str = "") -> None:
            super().__init__()
            self.run, self.tabs, self.refused = run, tabs, refused

    def __init__(self, link: Callable[[], Program], registration: Registration) -> None:
        """`link` gives the program, once it is asked for; the registration is chosen first."""
        super().__init__()
        self._link, self._first = link, registration
        self._program: Program | None = None
        self._tabs: Sequence[Tab] = ()
        self._run = 0

    def compose(self) -> ComposeResult:
        yield Static(id="run-heading")
        with Horizontal(id="run-body"):
            with VerticalScroll(id="run-form", can_focus=False):
                yield ChoiceRow("call", id="run-kernel")
                yield ChoiceRow("device", id="run-device")
                yield ChoiceRow("layout", id="run-layout")
                yield Vertical(id="run-blanks")
                yield Static(id="run-told")
            with Vertical(id="run-output"):
                yield TabRow(id="run-tabs")
                yield Listing(id="run-listing")
        yield Static(id="run-status")
        yield Footer()

    async def on_mount(self) -> None:
        from registry_runtime.lab.aten.experiment import LAYOUTS

        runtime = self.program.aten
        named = runtime.dispatcher.operatorLookupTable_.values()
        operators = sorted(str(op.operator_name()) for op in named if op.hasSchema())
        name = self._first.kernel_name
        row = self.query_one("#run-kernel", ChoiceRow)
        row.options = (*operators, *(f"{_STUB}{stub}" for stub in sorted(runtime.stubs)))
        wanted = f"{_STUB}{name}" if name in runtime.stubs else name
        # An operator without a schema is no option, and yet the one that the reader asked about.
        known = wanted in row.options or "::" in name
        row.value = wanted if known else next(iter(row.options), "")
        for id, options in (("device", _DEVICES), ("layout", LAYOUTS)):
            choice = self.query_one(f"#run-{id}", ChoiceRow)
            choice.options, choice.value = options, options[0]
        await self._fill_in()

    @property
    def program(self) -> Program:
        if self._program is None:
            self._program = self._link()
        return self._program

    @property
    def chosen(self) -> str:
        return self.query_one("#run-kernel", ChoiceRow).value

    @property
    def text(self) -> str:
        """What the listing shows, without colour."""
        return self.query_one(Listing).text

    # The form

    async def _fill_in(self) -> None:
        """Rows for the parameters of this operator; a stub has a dtype and a size."""
        from registry_runtime.lab.aten.capabilities import SAMPLE_SIZE
        from registry_runtime.lab.aten.experiment import fields

        of_stub = self.chosen.startswith(_STUB)
        for id in ("device", "layout"):
            self.query_one(f"#run-{id}").display = not of_stub
        box = self.query_one("#run-blanks", Vertical)
        await box.remove_children()
        told = self.query_one("#run-told", Static)
        told.update("")
        refused = ""
        rows: list[FieldRow | ChoiceRow] = []
        if of_stub:
            rows = [
                _dtype_row("dtype"),
                FieldRow("size", str(SAMPLE_SIZE), "elements", id="of-size"),
            ]
        elif self.chosen:
            try:
                for one in fields(self.program.aten, self.chosen, _SHAPE):
                    kind = "" if one.is_tensor else one.kind
                    rows.append(FieldRow(one.name, one.text, kind, id=f"of-{one.name}"))
                    rows += [_dtype_row(one.name)] if one.is_tensor else []
            except KernelError as error:
                refused = str(error)
                told.update(Content.assemble(("✗ ", "bold $error"), refused))
        await box.mount_all(rows)
        self._head()
        if refused:
            self._show([("Result", partial(operator_report.refused, refused))])
        else:
            self._introduce(of_stub)

    def _experiment(self) -> OperatorExperiment:
        from registry_runtime.lab.aten.experiment import OperatorExperiment

        return OperatorExperiment(
            self.chosen,
            {row.label: row.text for row in self.query(FieldRow)},
            {
                (row.id or "").removeprefix("dtype-"): row.value
                for row in self.query("#run-blanks ChoiceRow").results(ChoiceRow)
            },
            self.query_one("#run-device", ChoiceRow).value,
            self.query_one("#run-layout", ChoiceRow).value,
        )

    @on(ChoiceRow.Changed, "#run-kernel")
    async def _another(self) -> None:
        await self._fill_in()

    @on(FieldRow.Submitted)
    def _submitted(self) -> None:
        self.action_run()

    # What is asked for

    def action_run(self) -> None:
        self._run += 1
        if self.chosen.startswith(_STUB):
            self._say("Building for each instruction set …")
            self._build(self._run, self.chosen.removeprefix(_STUB), self._experiment())
        elif self.chosen:
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
            self._open(index)

    def action_leave(self) -> None:
        if isinstance(self.focused, Input):
            self.query_one(Listing).focus()
        else:
            self.dismiss()

    def action_close(self) -> None:
        self.dismiss()

    @work(thread=True, exclusive=True)
    def _call(self, run: int, experiment: OperatorExperiment) -> None:
        from registry_runtime.lab.aten.trial import try_call
        from visualizer.frameworks.aten.operator_story import chapters

        def tried() -> Sequence[Tab]:
            runtime = self.program.aten
            operator = experiment.operator
            trial = try_call(runtime, operator, experiment.arguments(runtime))
            # Arguments of its own, for a call in place would write into the result once more.
            told = chapters(runtime, operator, experiment.arguments(runtime))
            return _call_tabs(trial, told)

        self._finish(run, tried)

    @work(thread=True, exclusive=True)
    def _build(self, run: int, stub: str, experiment: OperatorExperiment) -> None:
        from registry_runtime.lab.aten.capabilities import builds

        def tried() -> Sequence[Tab]:
            size = experiment.texts["size"].replace(",", "").replace("_", "")
            if not size.isdecimal() or int(size) == 0:
                raise KernelError(f"'{experiment.texts['size']}' is no number of elements")
            dtype = experiment.dtypes["dtype"]
            return _build_tabs(builds(self.program.aten, stub, dtype, int(size)))

        self._finish(run, tried)

    def _finish(self, run: int, tried: Callable[[], Sequence[Tab]]) -> None:
        try:
            done = self.Done(run, tried())
        except KernelError as error:
            done = self.Done(run, (), str(error))
        except Exception as error:  # whatever goes wrong, the reader should see it and go on
            done = self.Done(run, (), f"{type(error).__name__}: {error}")
        with suppress(RuntimeError):  # the app has ended meanwhile
            self.post_message(done)

    @on(Done)
    def _done(self, message: Done) -> None:
        if message.run != self._run:
            return
        self._say(f"✗ {message.refused.partition(chr(10))[0]}" if message.refused else "")
        if message.refused:
            self._show([("Result", partial(operator_report.refused, message.refused))])
        else:
            self._show(message.tabs)

    # What is shown

    def _introduce(self, of_stub: bool) -> None:
        if of_stub:
            stub = self.chosen.removeprefix(_STUB)
            told = "Its kernel is built for each instruction set that PyTorch builds for."
            keys = [("r", "builds them, and times them against one another")]
            tell = partial(operator_report.introduction, stub, told, keys)
        else:
            keys = [("r", "calls it, compares with NumPy, and tells the whole way")]
            tell = partial(operator_report.introduction, self.chosen, "", keys)
        self._show([("Result", tell)])

    def _show(self, tabs: Sequence[Tab]) -> None:
        self._tabs = tabs
        self.query_one(TabRow).tabs = tuple(title for title, _ in tabs)
        self._open(0)

    def _open(self, index: int) -> None:
        self.query_one(TabRow).current = index
        listing, told = self.query_one(Listing), self._tabs[index][1]
        if isinstance(told, str):
            listing.show_code(told, "assembly")
        else:
            listing.show(told)

    @on(TabRow.Wanted)
    def _tab_wanted(self, message: TabRow.Wanted) -> None:
        self.action_tab(message.index)

    def _head(self) -> None:
        named = Content.styled(self.chosen.removeprefix(_STUB), "bold")
        self.query_one("#run-heading", Static).update(Content.styled("Run  ", "$quiet") + named)

    def _say(self, text: str) -> None:
        self.query_one("#run-status", Static).update(Content(text))


def _dtype_row(of: str) -> ChoiceRow:
    row = ChoiceRow("dtype", id=f"dtype-{of}")
    row.options, row.value = _DTYPES, _DTYPES[0]
    return row


def _call_tabs(trial: OperatorTrial, chapters: Sequence[Chapter]) -> list[Tab]:
    return [
        ("Result", partial(operator_report.result, trial)),
        ("Story", partial(operator_report.story, chapters)),
        ("Time", partial(operator_report.time, trial)),
    ]


def _build_tabs(found: Sequence[Build]) -> list[Tab]:
    tabs: list[Tab] = [("Builds", partial(operator_report.builds, found))]
    return [*tabs, *((str(b.capability), b.loop or b.assembly) for b in found)]
