"""The command palette: everything that can be done here and now, by name.

Textual asks for this module when the palette is opened for the first time, so that it costs nothing
before that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

from visualizer.expansion.tokens import spell
from visualizer.settings import GRANULARITIES, settings_path
from visualizer.tui.choices import OTHER, choices
from visualizer.tui.screens.keys import own_bindings, sign
from visualizer.tui.screens.stepper import StepperScreen
from visualizer.tui.themes import THEMES

if TYPE_CHECKING:
    from visualizer.tui.app import UnfoldApp


class Command(NamedTuple):
    name: str
    about: str
    run: Callable[[], object]


class Commands(Provider):
    """All commands of the screen that the palette was opened over."""

    async def startup(self) -> None:
        self._all = list(commands(cast("UnfoldApp", self.app), self.screen))

    async def discover(self) -> Hits:
        for command in self._all:
            yield DiscoveryHit(command.name, command.run, help=command.about)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._all:
            score = matcher.match(command.name)
            if score <= 0 and query.lower() in command.about.lower():
                score = 0.1
            if score > 0:
                shown = matcher.highlight(command.name)
                yield Hit(score, shown, command.run, command.name, command.about)


def commands(app: UnfoldApp, screen: Screen[Any]) -> Iterator[Command]:
    """Keys first, then files, then the rest."""
    yield from _keys(app, screen)
    if isinstance(screen, StepperScreen):
        yield from _invocations(screen)
        yield Command("Home", "lessons, samples and recent files", app.action_go_home)
    yield from _files(app)
    for name in THEMES:
        yield Command(f"Theme: {name}", "the colours", partial(app.change_settings, theme=name))
    for name in GRANULARITIES:
        change = partial(app.change_settings, granularity=name)
        yield Command(f"Granularity: {name}", "what a step is, here and in every file", change)
    if isinstance(screen, StepperScreen) and screen.scene is not None:
        hidden = screen.scene.look.hidden
        if hidden != app.settings.hidden_macros:
            keep = partial(app.change_settings, hidden_macros=hidden)
            about = ", ".join(hidden) or "none any more"
            yield Command("Settings: hide these macros in every file", about, keep)
    where = str(settings_path())
    yield Command("Settings: where they are", where, partial(app.notify, where, markup=False))


def _keys(app: UnfoldApp, screen: Screen[Any]) -> Iterator[Command]:
    """What a key does here: the screen's, then those that work everywhere, then the panes'."""

    def rank(active: ActiveBinding) -> int:
        return 0 if active.node is screen else 1 if active.node is app else 2

    seen = {"ask", "app.ask"}  # the question for a file stands among the files
    for active in sorted(screen.active_bindings.values(), key=rank):
        binding = active.binding
        meaning = active.tooltip or binding.tooltip or binding.description
        if binding.action in seen or not active.enabled:
            continue
        if binding not in own_bindings(active.node):  # Textual's, for focus and copying
            continue
        seen.add(binding.action)
        run = partial(app.run_action, binding.action, active.node)
        yield Command(f"{_title(binding.description or meaning)}  {sign(binding)}", meaning, run)


def _invocations(screen: StepperScreen) -> Iterator[Command]:
    for i, expansion in enumerate(screen.bench.trace.expansions):
        text = spell(expansion.before[:40])
        about = f"line {expansion.where.line}, invocation {i + 1}"
        yield Command(text, about, partial(screen.open_invocation, i))


def _files(app: UnfoldApp) -> Iterator[Command]:
    for choice in choices((), app.say):
        if choice.opening is not None and not choice.gone:
            about = f"{choice.section}: {choice.about}"
            yield Command(f"Open {choice.title}", about, partial(app.open_file, choice.opening))
        elif choice.section == OTHER:
            yield Command(choice.title, choice.about, app.action_ask)


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]
