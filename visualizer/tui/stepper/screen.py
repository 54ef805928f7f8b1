"""The stepper: one expansion, one state at a time, beside the registry that it fills.

The screen knows where the reader is and nothing else. It makes a `Scene` of that, and the widgets
that are bound to `scene` draw themselves anew; what a reader does to a widget comes back up as a
message. Where the terminal is too narrow for all panes, some are hidden behind tabs: the style sheet
decides which, by the classes that the screen wears. Of a text that registers nothing there is no
registry to be seen, and no key for one.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Static

from visualizer.expansion import InputError
from visualizer.expansion.passes import told
from visualizer.expansion.tokens import Source
from visualizer.expansion.under_way import given
from visualizer.messages import _
from visualizer.personal import consent
from visualizer.personal.drafts import are_left_behind
from visualizer.tui import external_editor
from visualizer.tui.dialogs.unabridged import UnabridgedScreen
from visualizer.tui.home.loading import LoadingScreen, loaded
from visualizer.tui.in_order import COMING
from visualizer.tui.ink.footer import Footer
from visualizer.tui.stepper.breadcrumb import Breadcrumb
from visualizer.tui.stepper.card import Card
from visualizer.tui.stepper.changed_notice import ChangedNotice, Offer
from visualizer.tui.stepper.entry_detail import EntryDetail
from visualizer.tui.stepper.heading import TABS, Heading
from visualizer.tui.stepper.included import includes_text, texts, which_text
from visualizer.tui.stepper.keys import KEYS
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.narration import Narration
from visualizer.tui.stepper.notice import Notice, first_to_tell
from visualizer.tui.stepper.origin_card import OriginCard
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.tui.stepper.rest_notice import RestNotice
from visualizer.tui.stepper.source_pane import SourcePane, text_of
from visualizer.tui.stepper.timeline_bar import TimelineBar
from visualizer.tui.stepper.tree_pane import TreePane
from visualizer.tui.stepper.walking import WalkingScreen, nowhere
from visualizer.workbench.background import in_background
from visualizer.workbench.bench import open_pass, reopen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from textual.screen import Screen
    from textual.widget import Widget

    from visualizer.expansion import Diagnostic
    from visualizer.expansion.trace import IncludedFile
    from visualizer.scene.scene import Scene
    from visualizer.tui.app import UnfoldApp
    from visualizer.tui.dialogs.choice import Candidate, ChoiceScreen
    from visualizer.tui.stepper.directives import Place
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry
    from visualizer.workbench.opening import Opening

# Actions
OF_REGISTRY = frozenset({"birth", "run", "benchmark", "entry"})
OF_INCLUDED = frozenset({"passes", "included", "headers"})
OF_FOLLOWING = frozenset({"beside", "row", "birth_of_followed", "end_of_followed", "let_go"})
OF_STEPPING = frozenset({"go_back", "go_on", "back_over", "over", "nothing_followed"})
OF_A_PLACE = OF_STEPPING | {"invocation", "turn_card", "share"}  # in a file that invokes something

_A_MOMENT = 0.2  # seconds
WIDE = 120  # columns from which on all panes stand side by side
WIDEST = 190  # from which on the tree stands beside them as well


class StepperScreen(WalkingScreen):
    AUTO_FOCUS = "LineView"
    TABS: ClassVar[tuple[str, ...]] = TABS
    FIRST_TAB = "line"
    TELLS_OF_DRAFTS = True
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
        title = ", ".join(filter(None, [self.bench.path.name, told(self.bench.trace)]))
        yield Heading(title, self._tabs, id="heading").data_bind(scene)
        yield Notice(self.bench.diagnostics, id="notice").data_bind(scene)
        yield ChangedNotice([Offer("reload", "l")], id="changed")
        yield RestNotice(id="rest")
        yield Breadcrumb(id="breadcrumb").data_bind(scene)
        with Horizontal(id="panes"):
            yield from self.beside()
            yield Container(*self._views(), id="views")
        yield Narration(id="narration").data_bind(scene)
        yield TimelineBar(id="timeline").data_bind(scene)
        yield Footer()
        yield Static(
            _("Unfold needs a terminal of at least 60 columns and 16 rows."), id="too-small"
        )

    def _views(self) -> Iterator[Widget]:
        scene = WalkingScreen.scene
        yield Vertical(
            LineView(nowhere(self.bench), id="line").data_bind(scene),
            Card(id="card").data_bind(scene),
            OriginCard(id="origin").data_bind(scene),
            id="left",
        )
        yield TreePane(id="tree").data_bind(scene)
        yield Vertical(
            SourcePane(text_of(self.bench), id="source").data_bind(scene),
            RegistryPane(self.bench, id="registry").data_bind(scene),
            EntryDetail(self.bench, id="entry"),
            id="right",
        )

    async def show_rewritten(self, bench: Workbench, scene: Scene | None) -> None:
        """The same file with other text in it, in place of this one."""
        views = self.query_one("#views")
        with self.app.batch_update():
            await views.remove_children()
            self.bench, self.scene = bench, scene
            await views.mount_all(self._views())
        self.set_class(not bench.registers, "-registers-nothing", update=False)

    def beside(self) -> ComposeResult:
        """What else stands on the screen, at its left."""
        yield from ()

    def on_mount(self) -> None:
        self.set_class(not self.bench.registers, "-registers-nothing", update=False)
        self.action_tab(self.FIRST_TAB)
        if not self.bench.options.unsaved:
            if self.TELLS_OF_DRAFTS and are_left_behind(self.bench.path.absolute()):
                name = self.bench.path.name
                self.notify(
                    _("Unsaved work on {name}: w opens it in the workshop.").format(name=name),
                    markup=False,
                )
            self.query_one(ChangedNotice).watch_files(self.bench.files())

    def on_resize(self, event: events.Resize) -> None:
        self.query_one(Heading).tabbed = event.size.width < WIDE

    def watch_scene(self) -> None:
        if self.follows != self.has_class("-following"):
            self.wear({"-following": self.follows})
            self.refresh_bindings()

    def wear(self, classes: Mapping[str, bool]) -> None:
        """Classes by which panes show or hide. Nothing within the footer or a lesson's page depends on
        them, and that is most of what Textual would style anew."""
        worn = self.classes
        self.update_classes(classes, update=False)
        if self.classes != worn:
            panes, views = self.query_one("#panes").children, self.query_one("#views")
            within = views.walk_children(with_self=False)
            self.app.stylesheet.update_nodes([self, *self.children, *panes, *within], animate=True)

    def action_tab(self, tab: str) -> None:
        self.query_one(Heading).tab = tab
        self.wear({f"-tab-{name}": name == tab for name in self.TABS})
        for pane in self.query(f"#{tab}"):  # none, in an app that ends while this is made
            self.call_after_refresh(pane.focus)

    @property
    def hides_steps(self) -> bool:
        """Whether the source stands in front of the line: nothing there moves as one steps."""
        left, source = self.query_one("#left"), self.query_one("#source")
        return bool(source.region.area and not left.region.area)

    def show_steps(self) -> None:
        if self.hides_steps:
            self.bring_line()

    def bring_line(self) -> None:
        """The line to the front."""
        self.action_tab("line")

    def action_follow(self) -> None:
        super().action_follow()
        if self.follows and not self.query_one(LineView).region.area:
            self.bring_line()  # the arrows choose another token of it

    def _complete_entry(self) -> Entry | None:
        """The selected entry, if it is more than a beginning; otherwise the reader is told. Another
        invocation's is taken only if it was chosen, or can be seen."""
        pane = self.query_one(RegistryPane)
        shown = pane.selected
        here = None if self.scene is None else self.scene.expansion
        mine = any(entry.expansion == here for entry in self.bench.entries)
        seen = pane.picked or bool(self.query_one(EntryDetail).region.area)
        if shown is None and not self.bench.entries:
            why = _(": e tells what is wrong with it") if self.bench.diagnostics else ""
            self.notify(_("This file registers nothing{why}.").format(why=why))
        elif shown is None:
            self.notify(
                _("Nothing is registered yet: ] goes to where the first entry is complete.")
            )
        elif mine and shown.entry.expansion != here and not seen:
            self.notify(_("This invocation has registered nothing yet: ] goes to where it has."))
            return None
        elif shown.pending:
            self.notify(_("This entry is still being produced: step on until it is complete."))
        return None if shown is None or shown.pending else shown.entry

    def action_run(self) -> None:
        from visualizer.tui.entry.opening import to_run

        if entry := self._complete_entry():
            size = cast("UnfoldApp", self.app).settings.run_size
            self.open_over(partial(to_run, self.bench, entry, size))

    def action_benchmark(self) -> None:
        from visualizer.tui.entry.opening import to_measure

        if entry := self._complete_entry():
            self.open_over(partial(to_measure, self.bench, entry))

    def action_entry(self) -> None:
        from visualizer.tui.entry.opening import all_about

        if entry := self._complete_entry():
            self.open_over(partial(all_about, self.bench, entry))

    @work(exclusive=True, group=COMING)
    async def open_over(self, make: Callable[[], Screen[None]]) -> None:
        """A screen over the steps. A thread makes it: it may have to link a whole program first."""
        made = await loaded(self.app, self.bench.path.name, make)
        if made is not None and self.is_current:
            # A plug-in may be loaded there.
            self.app.push_screen(made, lambda _: self.query_one(EntryDetail).tell())

    def show_line(self, line: int, why: Diagnostic) -> None:
        """A line of the source on which nothing can be stepped, and why."""
        if self.scene is not None:
            self.scene = replace(self.scene, seen=line, token=None)
        self.query_one(Notice).tell(line, why)
        if self.query_one(Heading).tabbed:
            self.action_tab("source")
        self.refresh_bindings()

    @property
    def shows_line(self) -> bool:
        return any(notice.asked for notice in self.query_children(Notice))

    @property
    def _reads(self) -> bool:
        """Whether the rest of the file is being read. The footer checks some fifty actions each time:
        only those ask that it concerns, and none of what is in the panes is walked through."""
        return any(notice.under_way for notice in self.query_children(RestNotice))

    def action_close_line(self) -> None:
        """The steps again."""
        self.query_one(Notice).tell(0, None)
        if self.scene is not None:
            self.scene = replace(self.scene, seen=None)
        self.refresh_bindings()
        self.show_steps()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "close_line":
            return self.shows_line and not self.follows
        pictured = self.scene is not None and bool(self.scene.picture)
        if action == "close_picture":
            return pictured and not self.follows and not self.shows_line
        if action in ("nothing_to_end", "leave", "back_to_workshop") and (
            self.shows_line or pictured
        ):
            return False
        if action == "stop_reading":
            return self._reads and not self.follows
        if action == "tab":
            return parameters[0] in self._tabs
        if action == "nowhere" or (action in OF_A_PLACE and self.scene is None):
            return (action == "nowhere") == (self.scene is None)
        if action in OF_REGISTRY:
            return self.bench.registers
        if action == "nothing_registered":
            return not self.bench.registers
        if action == "nothing_to_migrate":
            return not self._holds_fluid
        if action in OF_INCLUDED:
            return action == self._leads_to
        if action == "nothing_to_end":
            elsewhere = self.follows or self._over_workshop or self._over_including
            return not elsewhere and not self._reads
        if action == "leave":
            return self._over_including and not self.follows
        if action in OF_FOLLOWING | OF_STEPPING:
            return self.follows == (action in OF_FOLLOWING)
        if action == "back_to_workshop":
            return self._over_workshop and not self.follows and not self._over_including
        if action == "unabridged":  # where a lesson asks, it would give the answer away
            return not self.has_class("-asking")
        if action == "editor":
            return not self.app.is_web
        return action != "migrate" or self._holds_fluid

    def action_wrap_source(self) -> None:
        source = self.query_one(SourcePane)
        source.wraps = not source.wraps
        if not source.region.area:
            self.notify(
                _("The source's lines are wrapped now.")
                if source.wraps
                else _("The source's lines are cut now.")
            )

    def action_nowhere(self) -> None:
        self._place()

    def action_nothing_registered(self) -> None:
        self.notify(_("This text registers nothing: it has no entries."))

    def action_nothing_to_migrate(self) -> None:
        self.notify(
            _(
                "Only Fluid's operators are migrated, and this file registers none. "
                "The sample fluid/trace_op.cc does: Ctrl+P finds it."
            )
        )

    def action_nothing_to_end(self) -> None:
        if len(self.app._notifications):  # of before this screen was opened
            self.app.clear_notifications()
            return
        goes_home = self.app.check_action("home", ())
        self.notify(
            _("Nothing is open over the steps: h goes home.")
            if goes_home
            else _("Nothing is open over the steps: q quits.")
        )

    def action_migrate(self) -> None:
        if self.bench.options.unsaved:
            self.notify(_("Save it first: a migration reads the files as they are on the disk."))
        else:
            cast("UnfoldApp", self.app).open_migration(self.bench.path)

    def action_verify(self) -> None:
        if reason := consent.why_not_here():
            self.notify(f"{reason[0].upper()}{reason[1:]}.")
        elif self.bench.options.unsaved:
            self.notify(_("Save it first: a compiler reads the files as they are on the disk."))
        else:
            from visualizer.tui.verify.screen import VerifyScreen

            self.app.push_screen(VerifyScreen(self.bench))

    def action_let_go(self) -> None:
        """The steps again: home has a key of its own."""
        if self.scene is not None:
            self.scene = replace(self.scene, token=None)

    def action_leave(self) -> None:
        self.dismiss()

    def action_back_to_workshop(self) -> None:
        from visualizer.tui.workshop.screen import WorkshopScreen

        while not isinstance(self.app.screen, WorkshopScreen):
            self.app.pop_screen()

    @property
    def _over_including(self) -> bool:
        """Whether it was opened from the text that includes this one."""
        stack = self.app.screen_stack
        below = stack[: stack.index(self)] if self in stack else []
        return bool(below) and isinstance(below[-1], StepperScreen)

    @cached_property
    def _leads_to(self) -> str | None:
        """What can be stepped into from here; a footer has no room for headers."""
        if len(self.bench.trace.passes) > 1:
            return "passes"
        if not self.bench.trace.includes:
            return None
        return "included" if includes_text(self.bench) else "headers"

    def action_headers(self) -> None:
        self.action_included()

    def action_passes(self) -> None:
        self.action_included()

    def action_included(self) -> None:
        def chosen(text: IncludedFile | None) -> None:
            if text is not None:
                self.enter(text)

        found, scene = texts(self.bench), self.scene
        if len(found) == 1:
            self.enter(found[0].value)
        else:
            line = 1 if scene is None else scene.invocation.where.line
            self.app.push_screen(which_text(self.bench, line), chosen)

    @work(exclusive=True, group=COMING)
    async def enter(self, text: IncludedFile) -> None:
        """Step through a text that is included, over this one; through another pass of this one, in its
        place, at the same line."""
        name = Path(text.file).name
        try:
            bench = await loaded(self.app, name, partial(open_pass, self.bench, text))
        except InputError as error:
            self.notify(str(error.diagnostic), severity="error", markup=False)
            return
        if bench is None or not self.is_current:
            return
        scene, another_pass = self.scene, bench.trace.file == self.bench.trace.file
        line = scene.invocation.where.line if scene is not None and another_pass else 1
        other = StepperScreen(bench, bench.expansion_near(line) or 0, 0)
        if scene is not None and other.scene is not None:
            other.set_reactive(StepperScreen.scene, other.scene.looked_at(scene.look))
        if another_pass:
            self.make_way(other)
        else:
            self.app.push_screen(other)

    @property
    def _over_workshop(self) -> bool:
        """Whether it was opened from the workshop, on a text that is edited there."""
        from visualizer.tui.workshop.screen import WorkshopScreen

        return any(isinstance(screen, WorkshopScreen) for screen in self.app.screen_stack)

    def action_unabridged(self) -> None:
        from visualizer.tui.stepper.unabridged import unabridged

        if (scene := self._place()) is not None:
            self.app.push_screen(UnabridgedScreen(unabridged(scene)))

    def action_share(self) -> None:
        from visualizer.tui.stepper.share import ShareScreen

        if (scene := self._place()) is not None:
            self.app.push_screen(ShareScreen(scene))

    def action_workshop(self) -> None:
        self.edit(line=None if self.scene is None else self.scene.invocation.where.line)

    def edit(self, path: Path | None = None, line: int | None = None) -> None:
        """The workshop, on this file or on a header of it."""
        from visualizer.tui.workshop.screen import WorkshopScreen

        if self._over_workshop:
            self.action_back_to_workshop()
        else:
            self.app.push_screen(WorkshopScreen(self.bench, line, path), self.show_anew)

    @work(thread=True, exclusive=True, group=COMING)
    def action_compare(self) -> None:
        from visualizer.tui.compare.screen import CompareScreen
        from visualizer.workshop.comparison import what_to_compare

        if self.scene is None:
            self.app.call_from_thread(self._place)
            return
        try:
            sides = what_to_compare(self.bench, self.scene.expansion)
        except InputError as error:
            self.app.call_from_thread(self.notify, str(error.diagnostic), markup=False)
            return
        if sides is None:
            said = _("Microsoft's older preprocessor knows no such invocation.")
            self.app.call_from_thread(self.notify, said)
        else:
            self.app.call_from_thread(self.app.push_screen, CompareScreen(*sides))

    @work(thread=True, exclusive=True, group=COMING)
    def action_reload(self) -> None:
        try:
            bench = reopen(self.bench)
        except InputError as error:
            self.app.call_from_thread(self.notify, str(error.diagnostic), markup=False)
        else:
            self.app.call_from_thread(self.show_anew, bench)
            said = _("{name} has been read again.").format(name=bench.path.name)
            self.app.call_from_thread(self.app.notify, said, markup=False)

    @work(exclusive=True, group="rest")
    async def read_rest(self, opening: Opening) -> None:
        """The whole of the file of which this is one line: in its place, at the same step."""
        from visualizer.workbench.opening import load

        notice = self.query_one(RestNotice)
        given.set(notice.begin())
        self.refresh_bindings()
        try:
            whole, _ = await in_background(partial(load, opening))
        except InputError as error:
            notice.end()
            self.notify(str(error.diagnostic), severity="error", markup=False)
            return
        while not self.is_current:  # something stands over it
            await asyncio.sleep(_A_MOMENT)
        scene = self.scene
        places = [one.where for one in whole.expansions]
        if scene is None or scene.invocation.where not in places:  # the file has changed meanwhile
            self.show_anew(whole)
            return
        other = StepperScreen(whole, places.index(scene.invocation.where), scene.whole_state)
        if other.scene is not None:
            other.set_reactive(StepperScreen.scene, other.scene.looked_at(scene.look))
        self.make_way(other)

    def action_stop_reading(self) -> None:
        self.workers.cancel_group(self, "rest")
        self.query_one(RestNotice).end()
        self.refresh_bindings()

    def show_anew(self, bench: Workbench | None) -> None:
        """The file as it is now, at the same invocation, if there is another reading of it."""
        if bench is not None:
            scene = self.scene
            at = bench.first_registration()
            if scene is not None:
                at = bench.expansion_again(scene.invocation.where, self.bench.source_lines)
            self.make_way(StepperScreen(bench, at or 0, 0))

    def make_way(self, other: StepperScreen) -> None:
        """Another screen in place of this one, unless the reader has left it meanwhile."""
        if self.is_active:
            self.app.switch_screen(other)

    def action_directives(self) -> None:
        from visualizer.tui.stepper.directives import places, which_place

        self._choose_place(partial(places, self.bench), which_place)

    def ask_why(self, line: int) -> None:
        """Why the names on a source line are replaced, or not."""
        from visualizer.tui.stepper.why import of_line, which_reason

        self._choose_place(
            partial(of_line, self.bench, line),
            partial(which_reason, _("Why? Line {line}").format(line=line)),
        )

    def tell_history(self, macro: str) -> None:
        from visualizer.tui.stepper.why import of_macro, which_reason

        self._choose_place(
            partial(of_macro, self.bench, macro),
            partial(which_reason, _("History of {macro}").format(macro=macro)),
        )

    def _choose_place(
        self,
        find: Callable[[], list[Candidate[Place]]],
        ask: Callable[[list[Candidate[Place]]], ChoiceScreen[Place]],
    ) -> None:
        """A thread looks for places of the file; the reader goes to one: to its steps, if it has any,
        else to its file, which is shown there."""

        def chosen(place: Place | None) -> None:
            if isinstance(place, tuple):
                path, line = place
                is_here = path.absolute() == Path(self.bench.trace.file).absolute()
                at = self.bench.expansion_at(line) if is_here else None
                if at is None:
                    where = Source(str(path), line, 1)
                    self.go_to_definition(path.name, where, here=True)
                else:
                    self.open_invocation(at)
                    self.show_steps()
            elif place is not None:
                self.enter(place)

        def read(outcome: list[Candidate[Place]] | Exception | None) -> None:
            if isinstance(outcome, InputError):
                self.notify(str(outcome.diagnostic), severity="error", markup=False)
            elif isinstance(outcome, Exception):
                raise outcome
            elif outcome is not None:
                self.app.push_screen(ask(outcome), chosen)

        self.app.push_screen(LoadingScreen(self.bench.path.name, find), read)

    def action_diagnostics(self) -> None:
        from visualizer.tui.stepper.diagnostics import DiagnosticsScreen

        def chosen(diagnostic: Diagnostic | None) -> None:
            if diagnostic is None:
                return
            line = diagnostic.where.line
            expansion = self.bench.expansion_at(line)
            if diagnostic.where.file != self.bench.trace.file:
                self.notify(_("No invocation of this file stands there."))
            elif expansion is None:
                self.show_line(line, diagnostic)
            else:
                self.open_invocation(expansion)

        told = self.bench.diagnostics
        here = first_to_tell(told, self.scene)
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

    @on(SourcePane.Sought)
    def _name_sought(self, message: SourcePane.Sought) -> None:
        self.go_to_definition(message.name, message.where)

    @on(Card.Sought)
    def _definition_sought(self, message: Card.Sought) -> None:
        self.go_to_definition(message.name, message.where, here=True)

    @work(exclusive=True, group=COMING)
    async def go_to_definition(self, name: str, at: Source, here: bool = False) -> None:
        """The file with the definition of a name over the steps: as it is in force at a place, or the
        one that stands `here`."""
        from visualizer.tui.stepper.definition import go_to_definition

        await go_to_definition(self.app, self.bench, name, at, here)

    def action_editor(self) -> None:
        """The line that is shown in the reader's editor, or that of the name that is chosen."""
        chosen, scene = self.query_one(SourcePane).cursor, self.scene
        line = 1 if scene is None else scene.seen or scene.invocation.where.line
        external_editor.edit(self.app, self.bench.path, line if chosen is None else chosen.line + 1)

    @on(SourcePane.Entered)
    def _include_chosen(self, message: SourcePane.Entered) -> None:
        self.enter(message.text)

    @on(SourcePane.Asked)
    def _line_asked_about(self, message: SourcePane.Asked) -> None:
        self.ask_why(message.line)

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
