"""An exercise in the workshop: the learner's file, what it comes to as one types, and the check."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Markdown, Static

from visualizer import safe_file
from visualizer.learning import checks, progress
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Exercise
from visualizer.learning.player import options_of
from visualizer.learning.verdict import Verdict
from visualizer.tui.background import in_background
from visualizer.tui.screens.workshop import WorkshopScreen
from visualizer.workbench import Workbench, open_file

if TYPE_CHECKING:
    from visualizer.tui.app import UnfoldApp


def open_exercise(lesson: Lesson, exercise: Exercise) -> Workbench:
    """The learner's own copy of the file, made if there is none yet. Raises OSError."""
    path = progress.exercise_path(lesson, exercise)
    progress.carry_over(lesson, exercise)
    if not path.exists():
        safe_file.write(path, lesson.file(exercise.file).read_text(encoding="utf-8"))
    return open_file(path, options_of(lesson))


class ExerciseScreen(WorkshopScreen):
    """`name` is the exercise's in the learner's progress."""

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
            tooltip="Show a solution; Ctrl+Z takes it back",
        ),
    ]

    def __init__(
        self, bench: Workbench, lesson: Lesson, exercise: Exercise, name: str, task: str = ""
    ) -> None:
        super().__init__(bench)
        self._lesson, self._exercise, self._part = lesson, exercise, name
        self._hints, self._asked_for = 0, task

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="task"):
            yield Markdown(self._asked_for)
        yield Static(
            _say("F5 checks it, F6 gives a hint, Esc goes back to the lesson."), id="verdict"
        )
        yield from super().compose()

    def action_check(self) -> None:
        self._tell(_say("Checking …"))
        self.run_worker(self._save_and_check(), exclusive=True, group="check")

    async def _save_and_check(self) -> None:
        await self._save()
        text, app = self.file.text, cast("UnfoldApp", self.app)
        verdict = await in_background(lambda: checks.check(self._lesson, self._exercise, text))
        if verdict.passed:
            progress.solved(self._lesson, self._part, app.say)
        self._judge(verdict)

    async def _save(self) -> None:
        """The file is the learner's own copy: it is saved without asking."""
        self._typed()
        if self.file.unsaved:
            await self._talk.save(self.file)

    def action_leave(self) -> None:
        self.run_worker(self._save_and_leave(), exclusive=True, group="leave")

    async def _save_and_leave(self) -> None:
        await self._save()
        await self.end()

    def action_reset(self) -> None:
        path = self._lesson.file(self._exercise.file)
        self._talk.replace_text(self.file, path.read_text(encoding="utf-8"))
        self._tell(_say("This is how the exercise began. Ctrl+Z brings your text back."))

    def _judge(self, verdict: Verdict) -> None:
        if verdict.passed:
            self._tell(Content.styled("✓ Solved. Esc goes back to the lesson.", "bold $success"))
            return
        where = f"line {verdict.where.line}: " if verdict.where else ""
        hint = f"  → {verdict.hint}" if verdict.hint else ""
        self._tell(Content.assemble(("✗ ", "bold $error"), where, verdict.failed, (hint, "$quiet")))

    def action_hint(self) -> None:
        hints = self._exercise.hints
        if not hints:
            self._tell(_say("There is no hint for this one. F7 shows a solution."))
            return
        number = self._hints % len(hints)
        self._hints += 1
        last = number + 1 == len(hints)
        more = "  F7 shows a solution." if last else "  F6 gives another."
        label = f"hint {number + 1} of {len(hints)}: "
        self._tell(Content.assemble((label, "bold $accent"), hints[number], (more, "$quiet")))

    def action_solution(self) -> None:
        path = self._lesson.file(self._exercise.solution)
        self._talk.replace_text(self.file, path.read_text(encoding="utf-8"))
        self._tell(_say("This is one solution. Ctrl+Z brings your text back."))

    def _tell(self, told: Content) -> None:
        self.query_one("#verdict", Static).update(told)


def _say(text: str) -> Content:
    return Content.styled(text, "$quiet")
