"""The app: the keys that work everywhere, the themes, and the way from one screen to another.

Without a file it begins at home. A file is read by a thread while a screen waits for it, and takes the
place of the one that was open; home stays beneath.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content

from visualizer import messages
from visualizer.expansion import InputError
from visualizer.messages import N_, _
from visualizer.personal import folders, safe_file
from visualizer.personal import settings as settings_file
from visualizer.tui.in_order import COMING
from visualizer.tui.ink.inked import Inked
from visualizer.tui.ink.themes import DARK, THEMES
from visualizer.tui.terminal import TerminalApp
from visualizer.workbench.background import in_background
from visualizer.workbench.opening import first_look, nothing_on, why_not

if TYPE_CHECKING:
    from textual.command import Provider

    from visualizer.expansion.tokens import Source
    from visualizer.expansion.views import Look
    from visualizer.learning.lesson import Lesson
    from visualizer.learning.recall import Recall
    from visualizer.migration import Migration
    from visualizer.tui.home.screen import HomeScreen
    from visualizer.tui.stepper.screen import StepperScreen
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.opening import Opening


def _keys_of_palette() -> Content:
    return Content("  ").join(
        Content.assemble((key, "$footer-key-foreground"), f" {_(does)}")
        for key, does in (("↑↓", N_("choose")), ("Enter", N_("does it")), ("Esc", N_("closes")))
    )


def _commands() -> type[Provider]:
    from visualizer.tui.palette import PaletteCommands

    return PaletteCommands


def _migrate(path: Path) -> Migration:
    from visualizer.migration import migrate

    return migrate(path)


class UnfoldApp(TerminalApp):
    """Without `bench`, it opens what `opening` names as soon as that is read, or else home. If it
    can't be read, the app ends, and `refused` says why.

    With `bench`, it opens the stepper: `expansion` is the index of an invocation in `bench.trace`,
    `state` one of its states. `opening` then says how the file was opened; it is kept among the
    recent files. `lessons` are asked for whenever home is shown, and
    `open_lesson` gets the id of the one that is chosen. `migrating` is a file to open the migration
    bench with.
    """

    TITLE = "Unfold"
    CSS_PATH = "unfold.tcss"
    COMMANDS = {_commands}  # noqa: RUF012
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "turn_theme", "theme", show=False, tooltip="The next theme"),
        Binding("L", "turn_language", "language", show=False, tooltip="English, 中文"),
        *(Binding(key, "keys", "keys", tooltip="All keys") for key in ("question_mark", "f1")),
        Binding("ctrl+o", "ask", "open a file", show=False, tooltip="Open any file"),
        Binding("h", "home", "home", tooltip="Home: lessons, samples, recent files"),
        Binding("q", "quit", "quit", tooltip="Quit"),
        Binding("ctrl+c", "help_quit", "copy", show=False, tooltip="Copy the selected text"),
    ]

    def __init__(
        self,
        bench: Workbench | None = None,
        expansion: int = 0,
        state: int = 0,
        *,
        opening: Opening | None = None,
        lesson: str = "",
        migrating: Path | None = None,
    ) -> None:
        super().__init__()
        self.bench = bench
        self.settings = settings_file.load(self.say)
        messages.speak(self.settings.language)
        self._start = expansion, state
        self._opening = opening
        self._has_home = bench is None
        self._home: HomeScreen | None = None
        self.refused: Exception | None = None
        self._places: dict[Path, tuple[Source, int]] = {}  # where the reader left each file
        self._lesson = lesson
        self._migrating = migrating
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = THEMES[self.settings.theme].name
        self.stylesheet.set_variables(self.get_css_variables())
        self._is_drawn = False

    def refresh_css(self, animate: bool = True) -> None:
        """Textual reads its sheet a second time at the start, for the theme that it was read for."""
        if self._is_drawn:
            super().refresh_css(animate)
        else:
            self.stylesheet.update(self, animate=animate)
        self._is_drawn = True

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DARK.variables

    def on_mount(self) -> None:
        self.run_worker(partial(safe_file.sweep, folders.state_folder()), thread=True)
        if self.bench is not None:
            self._step_through(self.bench, *self._start)
            if self._opening is not None:
                self._remember(self._opening)
        elif self._opening is not None:
            self.open_file(self._opening)
        elif self._migrating is not None:
            self.open_migration(self._migrating)
        else:
            self.action_go_home()
            if self._lesson:
                self.open_lesson(self._lesson)

    # Opening

    def open_file(self, opening: Opening) -> None:
        """Open a file in the stepper. It is read by a thread; if it can't be read, a message says so
        and all stays as it is."""
        from visualizer.tui.home.loading import LoadingScreen

        left = self._places.get(opening.path.absolute())
        look = partial(first_look, opening, left[0].line if left else None)
        waiting = LoadingScreen(opening.path.name, look)
        self.push_screen(waiting, partial(self._opened, opening))

    def action_ask(self) -> None:
        from visualizer.tui.home.open_file import OpenFileScreen

        def answered(opening: Opening | None) -> None:
            if opening is not None:
                self.open_file(opening)

        if not isinstance(self.screen, OpenFileScreen):
            self.push_screen(OpenFileScreen(), answered)

    def _opened(
        self, opening: Opening, outcome: tuple[Workbench, str, bool] | Exception | None
    ) -> None:
        at_start = len(self.screen_stack) == 1
        if outcome is None or isinstance(outcome, Exception):
            if outcome is None and at_start:
                self.action_go_home()
            elif outcome is not None:
                self._refuse(outcome, at_start)
            return
        bench, note, is_all = outcome
        asked, text = opening.line, None
        if asked is not None and bench.expansion_at(asked) is not None:
            asked = None  # it can be stepped through
        elif asked is not None:
            text = bench.include_at(asked)
        if asked is not None and text is None and at_start and not bench.expansions:
            self._tell_of_line(asked, bench, None)
            return
        if note:
            self.notify(note, severity="warning", markup=False)
        at = None if opening.line is None else bench.expansion_near(opening.line)
        stepper = self._step_through(bench, *(self._left_at(bench) if at is None else (at, 0)))
        self._remember(opening)
        if not is_all:
            stepper.call_after_refresh(stepper.read_rest, opening)
        if not bench.source_lines:
            stepper.call_after_refresh(stepper.edit)  # there is nothing yet to step through
        elif text is not None:
            stepper.enter(text)
        elif asked is not None:
            self._tell_of_line(asked, bench, stepper)

    def _left_at(self, bench: Workbench) -> tuple[int, int]:
        """The invocation at which the reader left a file, and the state; or the first to look at."""
        where, state = self._places.get(bench.path.absolute(), (None, 0))
        at = next((i for i, e in enumerate(bench.expansions) if e.where == where), None)
        return (bench.first_registration() or 0, 0) if at is None else (at, state)

    @work(exclusive=True, group=COMING)
    async def _tell_of_line(
        self, line: int, bench: Workbench, stepper: StepperScreen | None
    ) -> None:
        """A thread finds out what the line has instead of an invocation. Without a stepper, that is all
        there is to say."""
        found = await in_background(partial(nothing_on, line, bench))
        if stepper is None:
            self._refuse(InputError.of(found), at_start=True)
        elif stepper.is_attached:
            stepper.call_after_refresh(stepper.show_line, line, found)  # the first tab is open

    def _refuse(self, error: Exception, at_start: bool) -> None:
        if at_start:
            self.refused = error
            self.exit()
        else:
            self.notify(why_not(error), severity="error", timeout=10, markup=False)

    def _step_through(self, bench: Workbench, expansion: int, state: int = 0) -> StepperScreen:
        from visualizer.tui.stepper.screen import StepperScreen

        self.bench = bench
        self.keep()
        self.leave_what_is_open()
        stepper = StepperScreen(bench, expansion, state)
        if stepper.scene is not None and self._look() != stepper.scene.look:
            stepper.set_reactive(StepperScreen.scene, stepper.scene.looked_at(self._look()))
        self.push_screen(stepper)
        return stepper

    def step_over(self, bench: Workbench, expansion: int) -> None:
        """The stepper over what is open, which it goes back to."""
        from visualizer.tui.stepper.screen import StepperScreen

        self.push_screen(StepperScreen(bench, expansion, 0))

    def _look(self) -> Look:
        """Which steps the settings show."""
        from visualizer.expansion.views import Look

        return Look(self.settings.granularity == "coarse", self.settings.hidden_macros)

    def _remember(self, opening: Opening) -> None:
        from visualizer.personal.recent_files import remember

        kept = self.settings.recent_files
        self.run_worker(partial(remember, opening, self.say, kept), thread=True)

    # The migration bench

    def open_migration(self, path: Path) -> None:
        """Fluid's operators in a file beside their PHI form, over what is open. A thread makes it;
        if it can't, a message says why and all stays as it is."""
        from visualizer.tui.home.loading import LoadingScreen

        waiting = LoadingScreen(path.name, partial(_migrate, path), _(" and the files beside it"))
        self.push_screen(waiting, self._migrated)

    def _migrated(self, outcome: Migration | Exception | None) -> None:
        at_start = len(self.screen_stack) == 1
        if isinstance(outcome, Exception):
            self._refuse(outcome, at_start)
        elif outcome is not None:
            from visualizer.tui.migrate.screen import MigrateScreen

            self.push_screen(
                MigrateScreen(outcome, compiles=True), lambda _: self._home_from(at_start)
            )
        else:
            self._home_from(at_start)

    def _home_from(self, at_start: bool) -> None:
        if at_start:  # there is nothing else to go back to
            self.action_go_home()

    # Home

    def open_lesson(self, id: str) -> None:
        from visualizer.tui.lesson.offered import open_lesson

        open_lesson(self, id)

    def open_recall(self, asked: Sequence[Recall]) -> None:
        """Questions of earlier lessons, one behind the other."""
        from visualizer.tui.lesson.offered import open_recall

        open_recall(self, lambda: asked)

    def recall_before(self, lesson: Lesson) -> None:
        """Some of the lessons that stand before this one in its track."""
        from visualizer.tui.lesson.offered import answered_before, open_recall

        open_recall(self, partial(answered_before, lesson, self.say))

    def leave_what_is_open(self) -> None:
        """Back to home, or to nothing where there is none."""
        if len(self.screen_stack) == 1:
            return
        from visualizer.tui.home.screen import HomeScreen
        from visualizer.tui.stepper.walking import WalkingScreen

        for screen in self.screen_stack:
            if isinstance(screen, WalkingScreen) and screen.scene is not None:
                place = screen.scene.invocation.where, screen.scene.whole_state
                self._places[screen.bench.path.absolute()] = place
        while len(self.screen_stack) > 1 and not isinstance(self.screen, HomeScreen):
            self.pop_screen()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        seen = next((s for s in reversed(self.screen_stack) if not s.is_modal), None)
        return action != "home" or (self._has_home and seen is not self._home)

    def action_home(self) -> None:
        self.action_go_home()

    def action_go_home(self) -> None:
        """Home, also from a file that was opened on its own."""
        from visualizer.tui.home.screen import HomeScreen
        from visualizer.tui.lesson.offered import glanced, offered

        self.leave_what_is_open()
        if not isinstance(self.screen, HomeScreen):
            self._home = HomeScreen(
                self.open_file,
                self.open_lesson,
                partial(glanced, self),
                partial(offered, self),
                self.say,
            )
            self.push_screen(self._home)

    def save_picture(self) -> None:
        """The screen as it is now, as a picture in the working folder; in a browser, for it to keep."""
        if self.is_web:
            self.deliver_screenshot()
            return
        try:
            self.notify(_("Saved {path}").format(path=self.save_screenshot(path=".")), markup=False)
        except OSError as error:
            self.notify(
                _("No picture can be written here: {strerror}").format(strerror=error.strerror),
                severity="error",
            )

    # Themes, settings, help

    def action_help_quit(self) -> None:
        """Ctrl+C where nothing is selected: in most programs that run in a terminal, it quits."""
        self.notify(_("Nothing is selected that could be copied. Ctrl+Q quits, from everywhere."))

    def action_turn_theme(self) -> None:
        names = list(THEMES)
        here = names.index(self.settings.theme)
        self.change_settings(theme=names[(here + 1) % len(names)])

    def action_turn_language(self) -> None:
        every = [messages.ENGLISH, *messages.languages()]
        here = every.index(messages.spoken()) if messages.spoken() in every else 0
        self.change_settings(language=every[(here + 1) % len(every)])

    def change_settings(self, **values: Any) -> None:
        """Change settings, here and in the user's file. Raises ValueError for a value that is none."""
        settings_file.change(self.say, **values)
        self.settings = replace(self.settings, **values)
        self.theme = THEMES[self.settings.theme].name
        if values.keys() & {"granularity", "hidden_macros"}:
            self._look_anew()
        if "language" in values:
            self._speak_anew()

    def _speak_anew(self) -> None:
        """What stands on the screens is said again, in the language of the settings."""
        from visualizer.tui.home.screen import HomeScreen
        from visualizer.tui.lesson.screen import LessonScreen

        os.environ.pop(messages.ASKED, None)
        messages.speak(self.settings.language)
        for screen in self.screen_stack:
            if isinstance(screen, HomeScreen):
                screen.say_anew()
            for pane in screen.query(Inked):
                pane.say_anew()
        if isinstance(self.screen, LessonScreen):
            self.open_lesson(self.screen.lesson)
        self.screen.refresh_bindings()

    def _look_anew(self) -> None:
        from visualizer.tui.stepper.screen import StepperScreen

        for screen in self.screen_stack:
            if isinstance(screen, StepperScreen) and screen.scene is not None:
                screen.scene = screen.scene.looked_at(self._look())

    def action_command_palette(self) -> None:
        from visualizer.tui.dialogs.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(placeholder=_("Search for commands…"), id="--command-palette"))
        self.screen.border_subtitle = _keys_of_palette()

    def action_keys(self) -> None:
        from visualizer.tui.dialogs.keys import KeysScreen

        if not isinstance(self.screen, KeysScreen):
            self.push_screen(KeysScreen(self.screen, self))
