"""The command palette: everything that can be done here and now, and every place of the open file, by
name: its invocations, macros, kernels, entries and headers. Over a dialog, that of the screen beneath
it too: to do it closes the dialog. The places are there over whatever stands over the file.

There may be thousands of places, so they are listed only when letters are typed, and are looked
through a few milliseconds at a time: a key that comes meanwhile is answered first.

Textual asks for this module when the palette is opened for the first time, so that it costs nothing
before that.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from textual.app import App
from textual.binding import ActiveBinding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

from visualizer.expansion.breakpoints import at_macro
from visualizer.expansion.tokens import spell
from visualizer.messages import _
from visualizer.personal.settings import GRANULARITIES, settings_path
from visualizer.scene import walk
from visualizer.tui.dialogs.dialog import Dialog
from visualizer.tui.dialogs.keys import own_bindings
from visualizer.tui.home.choices import OTHER, choices
from visualizer.tui.in_order import COMING
from visualizer.tui.ink.keyboard import sign_of
from visualizer.tui.ink.themes import THEMES
from visualizer.tui.stepper.included import texts
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.share import WAYS, ShareScreen
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench.background import in_background

if TYPE_CHECKING:
    from visualizer.expansion.definitions import Definition
    from visualizer.tui.app import UnfoldApp


_MOST = 100  # places that one word finds; with more letters, they are others
_SLICE = 0.004  # seconds


class PaletteCommand(NamedTuple):
    name: str
    about: str
    run: Callable[[], object]


class PaletteCommands(Provider):
    """All commands of the screen that the palette was opened over, and of the one beneath dialogs."""

    async def startup(self) -> None:
        self._commands = list(commands(cast("UnfoldApp", self.app), self.screen))

    async def discover(self) -> Hits:
        for command in self._commands:
            yield DiscoveryHit(command.name, command.run, help=command.about)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        async for command in _a_few_at_a_time(self._commands):
            score = matcher.match(command.name)
            if score <= 0 and query.lower() in command.about.lower():
                score = 0.1
            if score > 0:
                shown = matcher.highlight(command.name)
                yield Hit(score, shown, command.run, command.name, command.about)
        words, found, file = query.lower().split(), 0, _with_the_file(self.screen)
        async for place in _a_few_at_a_time(_reached(self.screen, file, places(file))):
            if all(word in place.name.lower() for word in words):
                score, shown = max(matcher.match(place.name), 0.1), matcher.highlight(place.name)
                yield Hit(score, shown, place.run, place.name, place.about)
                found += 1
                if found == _MOST:
                    return


async def _a_few_at_a_time(commands: Iterable[PaletteCommand]) -> AsyncIterator[PaletteCommand]:
    """All of them, with pauses in which a key can be answered."""
    began = time.monotonic()
    for command in commands:
        yield command
        if time.monotonic() - began > _SLICE:
            await asyncio.sleep(0)
            began = time.monotonic()


def commands(app: UnfoldApp, screen: Screen[Any]) -> Iterator[PaletteCommand]:
    """Keys first, then files, then the rest."""
    yield from _keys(app, screen)
    below = _beneath(screen)
    if below is not screen:
        yield from _reached(screen, below, _keys(app, below))
    yield from _reached(screen, below, _of_steps(app, below))
    yield PaletteCommand(
        _("Save a picture of the screen (SVG)"), _("as it is now"), app.save_picture
    )
    yield from _files(app)
    for name in THEMES:
        yield PaletteCommand(
            _("Theme: {name}").format(name=name),
            _("the colours"),
            partial(app.change_settings, theme=name),
        )
    for name in GRANULARITIES:
        change = partial(app.change_settings, granularity=name)
        yield PaletteCommand(
            _("Granularity: {name}").format(name=name),
            _("what a step is, here and in every file"),
            change,
        )
    if isinstance(below, StepperScreen) and below.scene is not None:
        hidden = below.scene.look.hidden
        if hidden != app.settings.hidden_macros:
            keep = partial(app.change_settings, hidden_macros=hidden)
            about = ", ".join(hidden) or _("none any more")
            yield PaletteCommand(_("Settings: hide these macros in every file"), about, keep)
    where = str(settings_path())
    yield PaletteCommand(
        _("Settings: where they are"), where, partial(app.notify, where, markup=False)
    )


def _of_steps(app: UnfoldApp, screen: Screen[Any]) -> Iterator[PaletteCommand]:
    """What can be done with the steps of an open file, besides its keys."""
    if isinstance(screen, StepperScreen):
        yield PaletteCommand(_("Home"), _("lessons, samples and recent files"), app.action_go_home)
        yield from _ways_to_share(screen)
        yield from _whys(screen)


# --- What stands over what ------------------------------------------------------------------------


def _from_the_top(screen: Screen[Any]) -> list[Screen[Any]]:
    """This one, and those that it stands over."""
    stack = screen.app.screen_stack
    return [*reversed(stack[: stack.index(screen) + 1])]


def _beneath(screen: Screen[Any]) -> Screen[Any]:
    """The screen itself, or the one that a dialog and those below it stand over."""
    return next(one for one in _from_the_top(screen) if not isinstance(one, Dialog))


def _with_the_file(screen: Screen[Any]) -> Screen[Any]:
    """The screen that has the open file's text, or the screen itself where no file is open."""
    have_it = (s for s in _from_the_top(screen) if isinstance(s, StepperScreen | WorkshopScreen))
    return next(have_it, screen)


def _reached(
    screen: Screen[Any], below: Screen[Any], commands: Iterable[PaletteCommand]
) -> Iterator[PaletteCommand]:
    """These commands of the screen `below`: those that stand over it are closed first."""
    above = [*takewhile(lambda one: one is not below, _from_the_top(screen))]
    for command in commands:
        run = partial(_behind, above, command.run) if above else command.run
        yield command._replace(run=run)


def _behind(above: Sequence[Screen[Any]], run: Callable[[], object]) -> None:
    for screen in above:
        if isinstance(screen, Dialog):
            screen.action_close()
        else:
            screen.dismiss()
        if screen.is_current:
            return  # it has something to ask before
    above[0].app.call_later(run)


# --- What there is --------------------------------------------------------------------------------


def _keys(app: UnfoldApp, screen: Screen[Any]) -> Iterator[PaletteCommand]:
    """What a key does here: the screen's, then those that work everywhere, then the panes'."""

    def rank(active: ActiveBinding) -> int:
        return 0 if active.node is screen else 1 if active.node is app else 2

    active_ones = screen.active_bindings.values()
    told = Counter(said for _, said in {(_which(a), _meaning(a)) for a in active_ones})
    seen = {"ask", "app.ask"}  # the question for a file stands among the files
    for active in sorted(screen.active_bindings.values(), key=rank):
        binding = active.binding
        meaning = _meaning(active)
        if binding.action in seen or not active.enabled or not meaning:
            continue
        if binding not in own_bindings(active.node):  # Textual's, for focus and copying
            continue
        seen.add(binding.action)
        run = partial(app.run_action, binding.action, active.node)
        # A sentence about two keys says of neither line what it does: its name does that.
        about = meaning if told[meaning] == 1 else ""
        yield PaletteCommand(
            f"{_title(_(binding.description) or meaning)}  {sign_of(binding)}", about, run
        )


def _which(active: ActiveBinding) -> str:
    """A page that works everywhere may have two keys; of the others, each has a line of its own."""
    return active.binding.action if isinstance(active.node, App) else active.binding.key


def _meaning(active: ActiveBinding) -> str:
    return _(active.tooltip or active.binding.tooltip or active.binding.description)


def _ways_to_share(screen: StepperScreen) -> Iterator[PaletteCommand]:
    if screen.scene is not None:
        for number, way in enumerate(WAYS):
            share = partial(screen.app.push_screen, ShareScreen(screen.scene, chosen=number))
            yield PaletteCommand(_(way.title), _("share"), share)


def _whys(screen: StepperScreen) -> Iterator[PaletteCommand]:
    scene = screen.scene
    if scene is None:
        return
    line = scene.invocation.where.line
    about = _(
        "of each name on line {line}, what decided it; a click on a line asks this too"
    ).format(line=line)
    yield PaletteCommand(_("Why is it replaced, or not?"), about, partial(screen.ask_why, line))
    macro = scene.invocation.macro
    about = _(
        "of {macro}: each #define and #undef, in headers too, and the conditions that decided"
    ).format(macro=macro)
    yield PaletteCommand(_("History of this macro"), about, partial(screen.tell_history, macro))


def places(screen: Screen[Any]) -> Iterator[PaletteCommand]:
    """What the open file has that can be gone to."""
    if isinstance(screen, StepperScreen):
        yield from _invocations(screen)
        yield from _entries(screen)
        yield from _macros(screen)
        for row in texts(screen.bench):
            about = _("step through that text")
            yield PaletteCommand(
                _("Into {words}").format(words=row.words), about, partial(screen.enter, row.value)
            )
        for header in screen.bench.trace.included:
            about = _("a header of this file: {header}").format(header=header)
            yield PaletteCommand(
                _("Edit {name}").format(name=Path(header).name),
                about,
                partial(screen.edit, Path(header)),
            )
    elif isinstance(screen, WorkshopScreen):
        for path in screen.choices:
            yield PaletteCommand(
                _("Edit {name}").format(name=path.name), str(path), partial(screen.look_at, path)
            )


def _entries(screen: StepperScreen) -> Iterator[PaletteCommand]:
    for entry in (e for e in screen.bench.entries if e.expansion is not None):
        name = f"{entry.registration.kernel_name} {entry.registration.key}"
        about = _("entry of the registry, line {line}: the step that completes it").format(
            line=entry.where.line
        )
        yield PaletteCommand(name, about, partial(screen.go_to_entry, entry))


def _macros(screen: StepperScreen) -> Iterator[PaletteCommand]:
    for macro in screen.bench.trace.definitions.values():
        about = _("macro of {file}:{line}: its first use, or else its definition").format(
            file=macro.where.file, line=macro.where.line
        )
        yield PaletteCommand(macro.head(), about, partial(_go_to_macro, screen, macro))


def _go_to_macro(screen: StepperScreen, macro: Definition) -> None:
    """A thread looks for its first use: it may have to make all timelines of the file."""

    async def go() -> None:
        scene = screen.scene
        if scene is not None:
            first = replace(scene, expansion=0, state=-1)
            stop = at_macro(macro.name)
            found = await in_background(lambda: walk.to_breakpoint(first, stop, 1))
            if found is not None:
                screen.scene = replace(found, token=None)
                return
        screen.go_to_definition(macro.name, macro.where, here=True)

    screen.run_worker(go(), exclusive=True, group=COMING)


def _invocations(screen: StepperScreen) -> Iterator[PaletteCommand]:
    for i, expansion in enumerate(screen.bench.expansions):
        text = spell(expansion.before[:40])
        what = _("directive") if expansion.directive else _("invocation")
        about = _("line {line}, {what} {number}").format(
            line=expansion.where.line, what=what, number=i - screen.bench.among(i).start + 1
        )
        yield PaletteCommand(text, about, partial(screen.open_invocation, i))


def _files(app: UnfoldApp) -> Iterator[PaletteCommand]:
    for choice in choices((), app.say):
        if choice.opening is not None and not choice.gone:
            about = _("{section}: {about}").format(section=choice.section, about=choice.about)
            yield PaletteCommand(
                _("Open {title}").format(title=choice.title),
                about,
                partial(app.open_file, choice.opening),
            )
        elif choice.section == _(OTHER):
            yield PaletteCommand(choice.title, choice.about, app.action_ask)


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]
