"""The stepper: one expansion, one state at a time, beside the registry that it fills.

The screen knows where the reader is and nothing else. It makes a `Scene` of that, and the widgets
that are bound to `scene` draw themselves anew; what a reader does to a widget comes back up as a
message. Where the terminal is too narrow for all panes, some are hidden behind tabs: the style sheet
decides which, by the classes that the screen wears. Of a text that registers nothing there is no
registry to be seen, and no key for one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Static

from visualizer.expansion import InputError
from visualizer.personal.drafts import are_left_behind
from visualizer.tui.ink.footer import Footer
from visualizer.tui.stepper.breadcrumb import Breadcrumb
from visualizer.tui.stepper.card import Card
from visualizer.tui.stepper.changed_notice import ChangedNotice, Offer
from visualizer.tui.stepper.entry_detail import EntryDetail
from visualizer.tui.stepper.heading import TABS, Heading
from visualizer.tui.stepper.keys import KEYS
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.narration import Narration
from visualizer.tui.stepper.notice import Notice, is_about
from visualizer.tui.stepper.origin_card import OriginCard
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.tui.stepper.timeline_bar import TimelineBar
from visualizer.tui.stepper.tree_pane import TreePane
from visualizer.tui.stepper.walking import WalkingScreen

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic
    from visualizer.tui.app import UnfoldApp
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

# Actions
OF_REGISTRY = frozenset({"birth", "run", "benchmark", "entry"})
OF_FOLLOWING = frozenset({"beside", "row", "birth_of_followed", "end_of_followed", "let_go"})
OF_STEPPING = frozenset({"go_back", "go_on", "back_over", "over", "nothing_followed"})

WIDE = 120  # columns from which on all panes stand side by side
WIDEST = 190  # from which on the tree stands beside them as well


class StepperScreen(WalkingScreen):
    AUTO_FOCUS = "LineView"
    TABS: ClassVar[tuple[str, ...]] = TABS
    FIRST_TAB = "line"
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        *((0, "-too-narrow"), (60, "-narrow"), (WIDE, "-wide"), (WIDEST, "-widest"))
    ]
    VERTICAL_BREAKPOINTS = [(0, "-too-low"), (16, "-flat"), (28, "-low"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [*KEYS]

    @cached_property
    def _holds_fluid(self) -> bool:
        return any(entry.registration.framework == "fluid" for entry in self.bench.entries)

    @property
    def _tabs(self) -> dict[str, int]:
        """The panes that this text has something for, with their keys."""
        keys = {tab: n for n, tab in enumerate(self.TABS, 1)}
        return {tab: n for tab, n in keys.items() if tab != "registry" or self.bench.registers}

    def compose(self) -> ComposeResult:
        scene = WalkingScreen.scene
        yield Heading(self.bench.path.name, self._tabs, id="heading").data_bind(scene)
        yield Notice(self.bench.diagnostics, id="notice").data_bind(scene)
        yield ChangedNotice([Offer("reload", "l")], id="changed")
        yield Breadcrumb(id="breadcrumb").data_bind(scene)
        with Horizontal(id="panes"):
            yield from self.beside()
            with Container(id="views"):
                with Vertical(id="left"):
                    yield LineView(id="line").data_bind(scene)
                    yield Card(id="card").data_bind(scene)
                    yield OriginCard(id="origin").data_bind(scene)
                yield TreePane(id="tree").data_bind(scene)
                with Vertical(id="right"):
                    yield SourcePane(self.bench, id="source").data_bind(scene)
                    yield RegistryPane(self.bench, id="registry").data_bind(scene)
                    yield EntryDetail(self.bench, id="entry")
        yield Narration(id="narration").data_bind(scene)
        yield TimelineBar(id="timeline").data_bind(scene)
        yield Footer()
        yield Static("Unfold needs a terminal of at least 60 columns and 16 rows.", id="too-small")

    def beside(self) -> ComposeResult:
        """What else stands on the screen, at its left."""
        yield from ()

    def on_mount(self) -> None:
        self.set_class(not self.bench.registers, "-registers-nothing", update=False)
        self.action_tab(self.FIRST_TAB)
        if not self.bench.options.unsaved:
            if are_left_behind(self.bench.path.absolute()):
                self.notify("Unsaved work on this file waits in the workshop: w opens it.")
            included = map(Path, self.bench.trace.included)
            self.query_one(ChangedNotice).watch_files([self.bench.path, *included])

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(Heading).tabbed = event.size.width < WIDE

    def watch_scene(self) -> None:
        if self.follows != self.has_class("-following"):
            self.set_class(self.follows, "-following")
            self.refresh_bindings()

    def action_tab(self, tab: str) -> None:
        self.query_one(Heading).tab = tab
        self.update_classes({f"-tab-{name}": name == tab for name in self.TABS})
        for pane in self.query(f"#{tab}"):  # none, in an app that ends while this is made
            self.call_after_refresh(pane.focus)

    def _complete_entry(self) -> Entry | None:
        """The selected entry, if it is more than a beginning; otherwise the reader is told. Another
        invocation's is taken only if it was chosen, or can be seen."""
        pane = self.query_one(RegistryPane)
        shown = pane.selected
        here = None if self.scene is None else self.scene.expansion
        mine = any(entry.expansion == here for entry in self.bench.entries)
        seen = pane.picked or bool(self.query_one(EntryDetail).region.area)
        if shown is None:
            self.notify("Nothing is registered yet: ] goes to where the first entry is complete.")
        elif mine and shown.entry.expansion != here and not seen:
            self.notify("This invocation has registered nothing yet: ] goes to where it has.")
            return None
        elif shown.pending:
            self.notify("This entry is still being produced: step on until it is complete.")
        return None if shown is None or shown.pending else shown.entry

    def action_run(self) -> None:
        from visualizer.tui.entry.opening import to_run

        if entry := self._complete_entry():
            size = cast("UnfoldApp", self.app).settings.run_size
            self.app.push_screen(to_run(self.bench, entry, size))

    def action_benchmark(self) -> None:
        from visualizer.tui.entry.opening import to_measure

        if entry := self._complete_entry():
            self.app.push_screen(to_measure(self.bench, entry))

    def action_entry(self) -> None:
        from visualizer.tui.entry.opening import all_about

        if entry := self._complete_entry():
            # Its plug-in may be loaded there.
            again = self.query_one(EntryDetail).tell
            self.app.push_screen(all_about(self.bench, entry), lambda _: again())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "tab":
            return parameters[0] in self._tabs
        if action in OF_REGISTRY:
            return self.bench.registers
        if action in OF_FOLLOWING | OF_STEPPING:
            return self.follows == (action in OF_FOLLOWING)
        if action == "back_to_workshop":
            return self._over_workshop and not self.follows
        if action == "unabridged":  # where a lesson asks, it would give the answer away
            return not self.has_class("-asking")
        return action != "migrate" or self._holds_fluid

    def action_wrap_source(self) -> None:
        source = self.query_one(SourcePane)
        source.wraps = not source.wraps

    def action_migrate(self) -> None:
        if self.bench.options.unsaved:
            self.notify("Save it first: a migration reads the files as they are on the disk.")
        else:
            cast("UnfoldApp", self.app).open_migration(self.bench.path)

    def action_let_go(self) -> None:
        """The steps again: home has a key of its own."""
        if self.scene is not None:
            self.scene = replace(self.scene, token=None)

    def action_back_to_workshop(self) -> None:
        self.dismiss()

    @property
    def _over_workshop(self) -> bool:
        """Whether it was opened from the workshop, on a text that is edited there."""
        from visualizer.tui.workshop.screen import WorkshopScreen

        return any(isinstance(screen, WorkshopScreen) for screen in self.app.screen_stack)

    def action_unabridged(self) -> None:
        from visualizer.tui.stepper.unabridged import UnabridgedScreen

        if self.scene is not None:
            self.app.push_screen(UnabridgedScreen(self.scene))

    def action_share(self) -> None:
        from visualizer.tui.stepper.share import ShareScreen

        if self.scene is not None:
            self.app.push_screen(ShareScreen(self.scene))

    def action_workshop(self) -> None:
        self.edit(line=None if self.scene is None else self.scene.invocation.where.line)

    def edit(self, path: Path | None = None, line: int | None = None) -> None:
        """The workshop, on this file or on a header of it."""
        from visualizer.tui.workshop.screen import WorkshopScreen

        if self._over_workshop:
            self.dismiss()
        else:
            self.app.push_screen(WorkshopScreen(self.bench, line, path), self.show_anew)

    @work(thread=True, exclusive=True)
    def action_compare(self) -> None:
        from visualizer.tui.compare.screen import CompareScreen
        from visualizer.workshop.comparison import what_to_compare

        if self.scene is None:
            return
        try:
            sides = what_to_compare(self.bench, self.scene.expansion)
        except InputError as error:
            self.app.call_from_thread(self.notify, str(error.diagnostic), markup=False)
            return
        if sides is None:
            said = "Microsoft's older preprocessor knows no such invocation."
            self.app.call_from_thread(self.notify, said)
        else:
            self.app.call_from_thread(self.app.push_screen, CompareScreen(*sides))

    @work(thread=True, exclusive=True)
    def action_reload(self) -> None:
        from visualizer.workbench.bench import reopen

        try:
            bench = reopen(self.bench)
        except InputError as error:
            self.app.call_from_thread(self.notify, str(error.diagnostic), markup=False)
        else:
            self.app.call_from_thread(self.show_anew, bench)

    def show_anew(self, bench: Workbench | None) -> None:
        """The file as it is now, at the same invocation, if there is another reading of it."""
        if bench is not None:
            scene = self.scene
            at = None if scene is None else bench.expansion_at(scene.invocation.where.line)
            if at is None:
                at = bench.first_registration() or 0
            self.make_way(StepperScreen(bench, at, 0))

    def make_way(self, other: StepperScreen) -> None:
        """Another screen in place of this one, unless the reader has left it meanwhile."""
        if self.is_active:
            self.app.switch_screen(other)

    def action_directives(self) -> None:
        from visualizer.tui.stepper.directives import DirectivesScreen

        self.app.push_screen(DirectivesScreen(self.bench))

    def action_diagnostics(self) -> None:
        from visualizer.tui.stepper.diagnostics import DiagnosticsScreen

        def chosen(diagnostic: Diagnostic | None) -> None:
            if diagnostic is None:
                return
            expansion = self.bench.expansion_at(diagnostic.where.line)
            if diagnostic.where.file != self.bench.trace.file or expansion is None:
                self.notify("No invocation of this file stands there.")
            else:
                self.open_invocation(expansion)

        scene, told = self.scene, self.bench.diagnostics
        here = next((i for i, d in enumerate(told) if scene and is_about(d, scene)), 0)
        self.app.push_screen(DiagnosticsScreen(told, here), chosen)

    @on(ChangedNotice.Wanted)
    def _reload_wanted(self) -> None:
        self.action_reload()

    @on(LineView.Picked)
    def _token_picked(self, message: LineView.Picked) -> None:
        self._walk(lambda s: replace(s, token=s.tokens[message.index]))

    @on(TreePane.Wanted)
    @on(TimelineBar.Wanted)
    def _state_wanted(self, message: TimelineBar.Wanted | TreePane.Wanted) -> None:
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
        self.query_one(LineView).entry = message.shown.entry if message.shown else None

    @on(EntryDetail.Opened)
    def _entry_opened(self) -> None:
        self.action_entry()

    @on(Notice.Opened)
    def _notice_opened(self) -> None:
        self.action_diagnostics()
