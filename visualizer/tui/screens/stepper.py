"""The stepper: one expansion, one state at a time, beside the registry that it fills.

The screen knows where the reader is and nothing else. It makes a `Scene` of that, and the widgets
that are bound to `scene` draw themselves anew; what a reader does to a widget comes back up as a
message. Where the terminal is too narrow for all panes, some are hidden behind tabs: the style sheet
decides which, by the classes that the screen wears.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Footer, Static

from visualizer.tui.scene import Scene
from visualizer.tui.screens.benchmark import BenchmarkScreen
from visualizer.tui.screens.diagnostics import DiagnosticsScreen
from visualizer.tui.screens.trial import TrialScreen
from visualizer.tui.widgets.breadcrumb import Breadcrumb
from visualizer.tui.widgets.card import Card
from visualizer.tui.widgets.entry_detail import EntryDetail
from visualizer.tui.widgets.heading import TABS, Heading
from visualizer.tui.widgets.line_view import LineView
from visualizer.tui.widgets.narration import Narration
from visualizer.tui.widgets.notice import Notice
from visualizer.tui.widgets.registry_pane import RegistryPane
from visualizer.tui.widgets.source_pane import SourcePane
from visualizer.tui.widgets.timeline_bar import TimelineBar

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import Kernel
    from registry_runtime.trial import Trial
    from visualizer.workbench import Workbench

WIDE = 120  # columns from which on all panes stand side by side
_STEP = Binding.Group("step", compact=True)
_OVER = Binding.Group("over", compact=True)
_FILE = Binding.Group("invocation")
_STEPS = "One step back, one step on"
_OVERS = "Back over and over a whole invocation"
_ENDS = "The source line, the fully expanded line"
_BIRTHS = "Previous and next entry of the registry (★)"
_NEIGHBOURS = "Previous and next invocation in the file"
_TABS = "Line, source, registry"


class StepperScreen(Screen[None]):
    AUTO_FOCUS = "LineView"
    ALLOW_SELECT = False
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (60, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-too-low"), (16, "-flat"), (28, "-low"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go_back", "back", tooltip=_STEPS, group=_STEP),
        Binding("right", "go_on", "step", tooltip=_STEPS, group=_STEP),
        Binding("up", "back_over", "back over", tooltip=_OVERS, group=_OVER),
        Binding("down", "over", "over", tooltip=_OVERS, group=_OVER),
        Binding("home", "first", "first", tooltip=_ENDS, show=False),
        Binding("end", "last", "last", tooltip=_ENDS, show=False),
        Binding("p", "invocation(-1)", "previous", tooltip=_NEIGHBOURS, group=_FILE),
        Binding("n", "invocation(1)", "next", tooltip=_NEIGHBOURS, group=_FILE),
        Binding("left_square_bracket", "birth(-1)", "before", tooltip=_BIRTHS, show=False),
        Binding("right_square_bracket", "birth(1)", "after", tooltip=_BIRTHS, show=False),
        Binding("c", "turn_card", "card", tooltip="Turn the card: what comes next, what happened"),
        Binding("r", "run", "run", tooltip="Run the selected kernel beside NumPy"),
        Binding("b", "benchmark", "bench", tooltip="Measure the selected kernel", show=False),
        Binding("enter", "entry", "entry", tooltip="All about the selected entry", show=False),
        Binding("e", "diagnostics", "errors", tooltip="What is wrong with this file", show=False),
        Binding("1", "tab('line')", "line", tooltip=_TABS, show=False),
        Binding("2", "tab('source')", "source", tooltip=_TABS, show=False),
        Binding("3", "tab('registry')", "registry", tooltip=_TABS, show=False),
    ]

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)

    def __init__(
        self,
        bench: Workbench,
        expansion: int,
        state: int,
        run_kernel: Callable[[Kernel], Trial],
    ) -> None:
        super().__init__()
        self.bench = bench
        self._run_kernel = run_kernel
        if bench.trace.expansions:
            expansion = min(max(expansion, 0), len(bench.trace.expansions) - 1)
            state = min(max(state, 0), len(bench.timeline(expansion)))
            self.set_reactive(StepperScreen.scene, Scene(bench, expansion, state))

    def compose(self) -> ComposeResult:
        scene = StepperScreen.scene
        yield Heading(self.bench.path.name, id="heading").data_bind(scene)
        yield Notice(self.bench.diagnostics, id="notice")
        yield Breadcrumb(id="breadcrumb").data_bind(scene)
        with Horizontal(id="panes"):
            with Vertical(id="left"):
                yield LineView(id="line").data_bind(scene)
                yield Card(id="card").data_bind(scene)
            with Vertical(id="right"):
                yield SourcePane(self.bench, id="source").data_bind(scene)
                yield RegistryPane(self.bench, id="registry").data_bind(scene)
                yield EntryDetail(id="entry")
        yield Narration(id="narration").data_bind(scene)
        yield TimelineBar(id="timeline").data_bind(scene)
        yield Footer(show_command_palette=False)
        yield Static("Unfold needs a terminal of at least 60 columns and 16 rows.", id="too-small")

    def on_mount(self) -> None:
        self.add_class("-tab-line")

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(Heading).tabbed = event.size.width < WIDE

    def go(self, state: int) -> None:
        """Show another state of this expansion."""
        scene = self.scene
        if scene is None:
            return
        state = min(max(state, 0), len(scene.timeline))
        if state != scene.state:
            self.scene = Scene(self.bench, scene.expansion, state, scene.facing)

    def open_invocation(self, expansion: int) -> None:
        """Show another invocation of the file, from its beginning."""
        if self.scene is None or not 0 <= expansion < len(self.bench.trace.expansions):
            self.app.bell()
        else:
            self.scene = Scene(self.bench, expansion, 0, self.scene.facing)

    def action_go_on(self) -> None:
        self._walk(lambda scene: scene.state + 1)

    def action_go_back(self) -> None:
        self._walk(lambda scene: scene.state - 1)

    def action_over(self) -> None:
        self._walk(lambda scene: scene.timeline.over(scene.state))

    def action_back_over(self) -> None:
        self._walk(lambda scene: scene.timeline.back_over(scene.state))

    def action_first(self) -> None:
        self._walk(lambda scene: 0)

    def action_last(self) -> None:
        self._walk(lambda scene: len(scene.timeline))

    def action_birth(self, by: int) -> None:
        def nearest(scene: Scene) -> int:
            births = [b for b in scene.births if (b - scene.state) * by > 0]
            return min(births, key=lambda b: abs(b - scene.state), default=scene.state)

        self._walk(nearest)

    def _walk(self, to: Callable[[Scene], int]) -> None:
        if self.scene is not None:
            self.go(to(self.scene))

    def action_invocation(self, by: int) -> None:
        if self.scene is not None:
            self.open_invocation(self.scene.expansion + by)

    def action_turn_card(self) -> None:
        if self.scene is not None:
            self.scene = self.scene.turned()

    def action_tab(self, tab: str) -> None:
        self.query_one(Heading).tab = tab
        for name in TABS:
            self.set_class(name == tab, f"-tab-{name}")
        self.query_one(f"#{tab}").focus()

    def action_run(self) -> None:
        shown = self.query_one(RegistryPane).selected
        if shown is None:
            self.notify("Nothing is registered yet: step on until an entry appears.")
        elif shown.pending:
            self.notify("This entry is still being produced: step on until it is complete.")
        else:
            self.app.push_screen(TrialScreen(shown.entry.registration, self._run_kernel))

    def action_benchmark(self) -> None:
        shown = self.query_one(RegistryPane).selected
        if shown is None or shown.pending:
            self.notify("No entry is complete yet: step on until one is.")
        else:
            self.app.push_screen(BenchmarkScreen(shown.entry.registration, self.bench.runtime))

    def action_entry(self) -> None:
        shown = self.query_one(RegistryPane).selected
        if shown is None or shown.pending:
            self.notify("No entry is complete yet: step on until one is.")
        else:
            from visualizer.tui.screens.entry import EntryScreen

            self.app.push_screen(EntryScreen(self.bench, shown.entry))

    def action_diagnostics(self) -> None:
        self.app.push_screen(DiagnosticsScreen(self.bench.diagnostics))

    @on(TimelineBar.Wanted)
    def _state_wanted(self, message: TimelineBar.Wanted) -> None:
        self.go(message.state)

    @on(SourcePane.Chosen)
    def _invocation_chosen(self, message: SourcePane.Chosen) -> None:
        self.open_invocation(message.expansion)

    @on(Heading.InvocationWanted)
    def _neighbour_wanted(self, message: Heading.InvocationWanted) -> None:
        self.action_invocation(message.by)

    @on(Heading.TabWanted)
    def _tab_wanted(self, message: Heading.TabWanted) -> None:
        self.action_tab(message.tab)

    @on(RegistryPane.Selected)
    def _entry_selected(self, message: RegistryPane.Selected) -> None:
        self.query_one(EntryDetail).shown = message.shown

    @on(EntryDetail.Opened)
    def _entry_opened(self) -> None:
        self.action_entry()

    @on(Notice.Opened)
    def _notice_opened(self) -> None:
        self.action_diagnostics()
