"""An exercise in the workshop: the learner's file, what it comes to as one types, and the check.

Once it is solved, it offers what there is to see of it: its expansion, its registry, how others have
solved it, and the way on.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Markdown, Static

from visualizer.expansion.source_files import read_source
from visualizer.learning import checks, progress
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Exercise
from visualizer.learning.player import options_of
from visualizer.learning.verdict import Verdict
from visualizer.messages import N_, _
from visualizer.personal import safe_file
from visualizer.tui.in_order import COMING
from visualizer.tui.ink.keyboard import sign
from visualizer.tui.lesson.solutions import SolutionsScreen
from visualizer.tui.workshop.editor import Editor
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench.background import in_background
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workshop.text_diff import most_changed

if TYPE_CHECKING:
    from visualizer.tui.app import UnfoldApp


_READS = N_("The task's next rows, while nothing is typed yet")
_ALL_SEEN = N_("F5 checks it, F6 gives a hint, Esc goes back to the lesson.")
_CUT = N_("F5 checks it, F6 gives a hint, Esc goes back. More of the task: Shift+Tab, ↓.")


def open_exercise(lesson: Lesson, exercise: Exercise, shown: bool = False) -> Workbench:
    """The learner's own copy of the file, made if there is none yet, or if it is the solution that was
    `shown`: then the exercise is still to be tried. Raises OSError, and InputError."""
    path = progress.exercise_path(lesson, exercise)
    progress.carry_over(lesson, exercise)
    begun, solution = map(lesson.text, (exercise.file, exercise.solution))
    if not path.exists() or (shown and _same(read_source(path), solution)):
        safe_file.write(path, begun)
    return open_file(path, options_of(lesson))


class ExerciseScreen(WorkshopScreen):
    """`name` is the exercise's in the learner's progress, `onward` says what comes behind it. `goes_on`
    once its reader wants that."""

    FOOTER_FIRST = ("check", "hint")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f5", "check", "check", priority=True, tooltip="Is it right? The file is saved as well"
        ),
        Binding("f6", "hint", "hint", priority=True, tooltip="A hint; once more, and the next one"),
        Binding(
            "f7",
            "solution",
            "solution",
            priority=True,
            tooltip="Show a solution; Ctrl+Z takes it back. Once it is solved: others, beside yours",
        ),
        Binding("ctrl+t", "registry", "my registry", priority=True, tooltip="What it registers"),
        Binding("ctrl+n", "onward", "go on", priority=True, tooltip="To the lesson's next page"),
        Binding("enter", "read_task", "read on", priority=True, show=False, tooltip=_READS),
        Binding("enter", "onward", "go on", priority=True, show=False),
    ]

    def __init__(
        self,
        bench: Workbench,
        lesson: Lesson,
        exercise: Exercise,
        name: str,
        task: str = "",
        onward: str = "next page",
    ) -> None:
        super().__init__(bench)
        self._onward, self.goes_on = onward, False
        self._judged: str | None = None  # the text that the verdict is on
        self._passed: str | None = None  # that text, if it was found right
        self._lesson, self._exercise, self._part = lesson, exercise, name
        self._hints, self._asked_for = 0, task
        self._told: Content | None = None  # if None, the keys

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="task"):
            yield Markdown(self._asked_for)
        yield Static(_say(_(_ALL_SEEN)), id="verdict")
        with Horizontal(id="solved"):
            yield _button("expansion", "ctrl+e", "step")
            yield _button("registry", "ctrl+t", "registry")
            yield _button("solutions", "f7", "solution")
            yield _button(f"{_(self._onward)} ▸", "ctrl+n", "onward")
        yield from super().compose()

    async def on_mount(self) -> None:
        self.watch(self._asks, "show_vertical_scrollbar", lambda: self._tell(self._told))

    @property
    def _asks(self) -> VerticalScroll:
        return self.query_one("#task", VerticalScroll)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "save_as":
            return False  # what is checked is the learner's own copy
        if action == "read_task":
            return self._untouched
        if action == "registry":
            return self._solved and self._registers
        if action == "onward":
            return self._solved and not isinstance(self.focused, Button)
        return super().check_action(action, parameters)

    @property
    def _untouched(self) -> bool:
        """Whether the editor waits as it was opened: an Enter then was meant for the lesson."""
        editor = self.focused
        if self._session is None or not isinstance(editor, Editor) or self._solved:
            return False
        return editor.cursor_location == (0, 0) and editor.text == self.file.disk.text

    @property
    def _solution(self) -> str:
        return self._lesson.text(self._exercise.solution)

    @property
    def _solved(self) -> bool:
        """Whether the text that stands here has been found right."""
        return self._passed is not None and self._passed == self.file.text

    def attempt_anew(self, disk_changed: bool = False) -> None:
        """A verdict is one on the text that was checked, not on this one."""
        super().attempt_anew(disk_changed)
        if self._judged not in (None, self.file.text):
            self._judged = self._passed = None
            self._tell(None)
            self._show_solved()

    def action_read_task(self) -> None:
        self._asks.scroll_page_down(animate=False)

    @property
    def _registers(self) -> bool:
        tried = self.live.tried
        return tried is not None and tried.bench is not None and bool(tried.bench.entries)

    def action_registry(self) -> None:
        self.run_worker(self._show_registry(), group=COMING)

    async def _show_registry(self) -> None:
        from visualizer.tui.stepper.screen import StepperScreen

        bench = (await self.settled()).bench
        last = (
            None if bench is None else max((e.expansion or 0 for e in bench.entries), default=None)
        )
        if bench is not None and last is not None:
            end = len(bench.timeline(last)) if bench.trace.expansions else 0
            screen = StepperScreen(bench, last, end)
            screen.FIRST_TAB = "registry"
            self.app.push_screen(screen)

    def action_onward(self) -> None:
        self.goes_on = True
        self.action_leave()

    def action_check(self) -> None:
        self._tell(_say(_("Checking …")))
        self.run_worker(self._save_and_check(), exclusive=True, group="check")

    async def _save_and_check(self) -> None:
        await self._save()
        text, app = self.file.text, cast("UnfoldApp", self.app)
        verdict = await in_background(lambda: checks.judged(self._lesson, self._exercise, text))
        shown = self._part in progress.of_lesson(self._lesson, app.say).shown
        own = not shown or not _same(text, self._solution)
        if verdict.passed and own:
            progress.solved(self._lesson, self._part, app.say)
        self._judge(verdict, text, own)

    async def _save(self) -> None:
        """The file is the learner's own copy: it is saved without asking."""
        self._typed()
        if self.file.unsaved:
            await self._talk.save(self.file)

    def action_leave(self) -> None:
        self.run_worker(self._save_and_leave(), exclusive=True, group=COMING)

    async def _save_and_leave(self) -> None:
        await self._save()
        await self.end()

    def action_reset(self) -> None:
        self._talk.replace_text(self.file, self._lesson.text(self._exercise.file))
        self._tell(_say(_("This is how the exercise began. Ctrl+Z brings your text back.")))

    def _show_solved(self) -> None:
        self.update_classes({"-solved": self._solved, "-registers": self._registers})
        self.refresh_bindings()

    def _judge(self, verdict: Verdict, text: str, own: bool) -> None:
        if text != self.file.text:
            self._tell(None)
            return  # it has been edited while it was checked
        self._judged = text
        if verdict.passed:
            self._passed = text
            found = _("Solved.") if own else _("That is the solution that was shown.")
            note = f"  ({verdict.note})" if verdict.note else ""
            said = (
                _("✓ {found} Enter goes on: {onward}").format(found=found, onward=_(self._onward)),
                _("  Esc goes back to the page.{note}").format(note=note),
            )
            self._tell(Content.assemble((said[0], "bold $success"), (said[1], "$quiet")))
            self._show_solved()
            return
        where = ""
        if verdict.where:
            file, line = verdict.where[:2]
            where = _("line {line}: ").format(line=line)
            if Path(file).name == self.file.path.name:
                self.editors.here.reveal(line)
            else:
                where = f"{Path(file).name}, {where}"
        hint = f"  → {verdict.hint}" if verdict.hint else ""
        self._tell(Content.assemble(("✗ ", "bold $error"), where, verdict.failed, (hint, "$quiet")))

    def action_hint(self) -> None:
        hints = self._exercise.hints
        if not hints:
            self._tell(_say(_("There is no hint for this one. F7 shows a solution.")))
            return
        number = self._hints % len(hints)
        self._hints += 1
        last = number + 1 == len(hints)
        more = _("  F7 shows a solution.") if last else _("  F6 gives another.")
        label = _("hint {number} of {count}: ").format(number=number + 1, count=len(hints))
        self._tell(Content.assemble((label, "bold $accent"), hints[number], (more, "$quiet")))

    def action_solution(self) -> None:
        if self._solved:
            self.app.push_screen(
                SolutionsScreen(_others(self._lesson, self._exercise, self.file.text))
            )
            return
        progress.shown(self._lesson, self._part, cast("UnfoldApp", self.app).say)
        line = most_changed(self.file.text, self._solution)
        self._talk.replace_text(self.file, self._solution)
        self.editors.here.go_to(line, 1)
        self._tell(_say(_("This is one solution. Ctrl+Z brings your text back.")))

    def notify(self, message: str, **_: Any) -> None:
        """What else there is to say stands in that row too: elsewhere it would cover the task."""
        self._tell(_say(message))

    def _tell(self, told: Content | None) -> None:
        """What is wrong has room at the task's expense, which can be scrolled."""
        self._told = told
        self.set_class(self._judged is not None and self._passed is None, "-refused")
        keys = _say(_(_CUT if self._asks.show_vertical_scrollbar else _ALL_SEEN))
        self.query_one("#verdict", Static).update(keys if told is None else told)


def _same(text: str, other: str) -> bool:
    """But for white space."""
    return text.split() == other.split()


def _others(lesson: Lesson, exercise: Exercise, mine: str) -> list[tuple[str, str]]:
    """Right answers, each with its file's name, but for one's own."""
    stem = exercise.file.rpartition("/")[2].partition(".")[0]
    folders = lesson.folder.glob("right/*"), lesson.folder.glob(f"right-{stem}/*")
    paths = [lesson.file(exercise.solution), *sorted(folders[0]), *sorted(folders[1])]
    texts = [(path.name, read_source(path)) for path in paths]
    return [(name, text) for name, text in texts if not _same(text, mine)]


def _button(label: str, key: str, action: str) -> Button:
    return Button(
        f"{label} {sign(key)}", id=f"solved-{action}", compact=True, action=f"screen.{action}"
    )


def _say(text: str) -> Content:
    return Content.styled(text, "$quiet")
