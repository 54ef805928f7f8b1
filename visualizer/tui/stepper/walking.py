"""The keys that walk: whatever takes the reader to another place of the trace, and nothing else.

A screen that walks has a workbench and a scene. `walk.py` says where each key leads; here the keys are
bound to it, and the reader is asked where that takes a question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.reactive import reactive
from textual.screen import Screen

from visualizer.expansion.breakpoints import of_words
from visualizer.expansion.wording import counted
from visualizer.messages import N_, _
from visualizer.scene import walk
from visualizer.scene.scene import Scene
from visualizer.tui.dialogs.choice import one_of
from visualizer.tui.dialogs.jump import JumpScreen
from visualizer.tui.stepper.folds import folds, proposed
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.patterns import what_to_hide, where_to_stop
from visualizer.tui.stepper.search import a_token

if TYPE_CHECKING:
    from visualizer.expansion.search import FoundToken
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_SOURCE = N_("This is the source line: no step lies before it.")
_EXPANDED = N_("The line is expanded: no step is left.")


def nowhere(bench: Workbench) -> str:
    """What is said of a file that invokes nothing."""
    if bench.trace.includes:
        return _("This file invokes no macro itself: g steps into what it includes.")
    if any(macro.where.file == bench.trace.file for macro in bench.trace.definitions.values()):
        return _("This file defines macros and invokes none: w opens it, to write an invocation.")
    return _("This file invokes no macro: there is nothing to step through.")


class WalkingScreen(Screen[None]):
    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)

    def __init__(self, bench: Workbench, expansion: int, state: int) -> None:
        super().__init__()
        self.bench = bench
        self._breakpoints: tuple[str, ...] = ()
        if bench.expansions:
            expansion = min(max(expansion, 0), len(bench.expansions) - 1)
            state = min(max(state, 0), len(bench.timeline(expansion)))
            self.set_reactive(WalkingScreen.scene, Scene(bench, expansion, 0).at_whole(state))

    def go(self, state: int) -> None:
        """Show another state of this expansion."""
        self._walk(lambda scene: scene.at(state))

    def _place(self) -> Scene | None:
        """Where the reader is. In a file that invokes nothing that is nowhere, and they are told so."""
        if self.scene is None:
            self.notify(nowhere(self.bench))
        return self.scene

    def go_to_entry(self, entry: Entry) -> None:
        """Show the state in which an entry of the registry is complete."""
        if self.scene is not None and entry.expansion is not None:
            there = replace(self.scene, expansion=entry.expansion, state=0, token=None)
            self.scene = there.at_whole(self.bench.born(entry)[1])

    def open_invocation(self, expansion: int) -> None:
        """Show another invocation of the file, or a directive, from its beginning."""
        if (scene := self._place()) is not None:
            there = replace(scene, expansion=expansion, state=0)
            self.scene = replace(there, token=None, seen=None)

    def _walk(self, to: Callable[[Scene], Scene], otherwise: str = "") -> None:
        """Go to a place; `otherwise` says why, where that is the one that the reader is at."""
        scene = self._place()
        if scene is None:
            return
        there = to(scene)
        if (there.state, there.token) != (scene.state, scene.token):
            self.scene = there
        elif otherwise:
            self.notify(otherwise)
        if there.state != scene.state:
            self.show_steps()

    def show_steps(self) -> None:
        """A step has been taken: it is to be seen."""

    def action_go_on(self) -> None:
        self._walk(lambda s: s.at(s.state + 1), _EXPANDED)

    def action_go_back(self) -> None:
        self._walk(lambda s: s.at(s.state - 1), _SOURCE)

    def action_over(self) -> None:
        self._walk(lambda s: s.at(s.timeline.over(s.state)), _EXPANDED)

    def action_back_over(self) -> None:
        self._walk(lambda s: s.at(s.timeline.back_over(s.state)), _SOURCE)

    def action_out(self) -> None:
        self._walk(lambda s: s.at(walk.out(s.timeline, s.state)), _EXPANDED)

    def action_first(self) -> None:
        self._walk(lambda s: s.at(0), _SOURCE)

    def action_last(self) -> None:
        self._walk(lambda s: s.at(len(s.timeline)), _EXPANDED)

    def action_birth(self, by: int) -> None:
        where = _("further on") if by > 0 else _("further back")
        said = _("No entry is completed {where} in this invocation: n and p go to others.").format(
            where=where
        )
        self._walk(lambda s: walk.to_birth(s, by), said)

    def action_follow(self) -> None:
        self._walk(
            lambda s: walk.taken_up(s) if s.token is None else replace(s, token=None),
            _("No token is left on the line that could be followed."),
        )

    @property
    def follows(self) -> bool:
        return self.scene is not None and self.scene.token is not None

    def action_beside(self, by: int) -> None:
        last, first = (
            _("This is the last token of the line."),
            _("This is the first token of the line."),
        )
        self._walk(lambda s: walk.beside(s, by), last if by > 0 else first)

    def action_row(self, by: int) -> None:
        """The token that stands a row further down is followed instead."""
        line = self.query_one(LineView)
        last, first = (
            _("This is the last row of the line."),
            _("This is the first row of the line."),
        )
        self._walk(
            lambda s: walk.beside(s, line.token_above(at := s.followed or 0, by) - at),
            last if by > 0 else first,
        )

    def action_birth_of_followed(self) -> None:
        self._go_or_say(walk.to_its_birth, _("Here it came into being."))

    def action_end_of_followed(self) -> None:
        stays = self.scene is not None and self.scene.upcoming is None
        said = _("Nothing uses it up: it stays.") if stays else _("The next step uses it up.")
        self._go_or_say(walk.to_its_end, said)

    def _go_or_say(self, to: Callable[[Scene], Scene], said: str) -> None:
        """Where the followed token's life leads, or that the reader is there already."""
        scene = self.scene
        if scene is not None and scene.followed in scene.tail:
            self.notify(
                _("It stands behind the invocation: no step makes it, and none uses it up.")
            )
        elif scene is not None and to(scene).state == scene.state:
            self.notify(said)
        else:
            self._walk(to)

    def action_nothing_followed(self) -> None:
        self.notify(_("No token is followed: i takes one up, and so does a click on it."))

    def action_picture(self) -> None:
        """The next picture that there is to be drawn here, and behind the last one the card again."""
        from visualizer.scene.pictures import next_picture

        if (scene := self._place()) is None:
            return
        name = next_picture(scene)
        if not name and not scene.picture:
            self.notify(
                _(
                    "Nothing here is drawn: there are pictures of counting, of lists that shorten, of "
                    "arguments expanded first, and of PHI's maps."
                )
            )
        self.scene = replace(scene, picture=name)

    def action_close_picture(self) -> None:
        """The card again."""
        if self.scene is not None:
            self.scene = replace(self.scene, picture="")

    def action_jump(self) -> None:
        if (scene := self._place()) is not None:
            whole = JumpScreen(scene.state, len(scene.timeline))
            self.app.push_screen(whole, lambda state: None if state is None else self.go(state))

    def action_run_to(self, by: int) -> None:
        scene = self._place()
        if scene is None:
            return
        if not self._breakpoints:
            self.notify(_("There is no breakpoint yet: k sets one, at a macro or at an event."))
            return
        found = walk.to_breakpoint(scene, of_words(self._breakpoints), by)
        if found is None:
            self.notify(
                _("No breakpoint lies ahead.") if by > 0 else _("No breakpoint lies behind.")
            )
        else:
            self.scene = replace(found, token=None)
            self.show_steps()

    def action_breakpoints(self) -> None:
        def chosen(words: tuple[str, ...] | None) -> None:
            if words is not None:
                self._breakpoints = words

        if (scene := self._place()) is not None:
            self.app.push_screen(where_to_stop(scene, self._breakpoints), chosen)

    def action_fold(self) -> None:
        scene = self._place()
        if scene is None:
            return
        offered = folds(scene)
        words = {f"{name}: {counted(steps, 'step')}": look for name, look, steps in offered}
        first = list(words)[offered.index(proposed(scene, offered))]

        def chosen(word: str | None) -> None:
            if word is not None and self.scene is not None:
                self.scene = self.scene.looked_at(words[word])

        self.app.push_screen(one_of(_("Stop at"), [*words], first), chosen)

    def action_hide(self) -> None:
        def chosen(words: tuple[str, ...] | None) -> None:
            if words is not None and self.scene is not None:
                self.scene = self.scene.looked_at(replace(self.scene.look, hidden=words))

        if (scene := self._place()) is not None:
            self.app.push_screen(what_to_hide(scene), chosen)

    def action_search(self) -> None:
        def chosen(found: FoundToken | None) -> None:
            if found is not None and self.scene is not None:
                self.scene = replace(self.scene.at_whole(found.born), token=found.token)
                self.show_steps()

        if (scene := self._place()) is not None:
            self.app.push_screen(a_token(scene.view), chosen)

    def action_invocation(self, by: int) -> None:
        if (scene := self._place()) is None:
            return
        if scene.expansion + by in self.bench.among(scene.expansion):
            self.open_invocation(scene.expansion + by)
        else:
            what = "directive with steps" if scene.invocation.directive else "invocation"
            self.notify(f"This is the {'last' if by > 0 else 'first'} {what} of the file.")

    def action_turn_card(self) -> None:
        if (scene := self._place()) is not None:
            self.scene = scene.turned()
            if not scene.state:
                self.notify(_("Nothing has happened yet: the card tells what comes next."))
