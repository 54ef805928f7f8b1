"""Questions of earlier lessons, one behind the other: each on a page of its own, beside the place where
its lesson asked it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from visualizer.learning import progress
from visualizer.learning.recall import Recall
from visualizer.tui.lesson.pane import ENDS
from visualizer.tui.lesson.predict_box import PredictBox
from visualizer.tui.lesson.screen import LessonScreen, prepared

if TYPE_CHECKING:
    from visualizer.learning.player import Answered
    from visualizer.personal.settings import Say


class RecallScreen(LessonScreen):
    """The first of some; the others come behind it."""

    def __init__(self, asked: Sequence[Recall], say: Say) -> None:
        """Reads a file, and so is made by a thread. Raises LessonError, InputError."""
        alone = asked[0].alone()
        progress.begin_anew(alone, say)
        super().__init__(*prepared(alone, say))
        self._asked = asked

    @cached_property
    def _end(self) -> str:
        return ENDS[2] if self._asked[1:] else ENDS[1]

    def action_finish(self, end: str) -> None:
        if self._asked[1:]:
            self._unfold.open_recall(self._asked[1:])
        else:
            self._unfold.action_go_home()

    def keep_answer(self, message: PredictBox.Given, answered: Answered) -> None:
        first = len(message.tries) == 1 and answered.right
        asked = self._asked[0]
        progress.came_back(asked.lesson, asked.name, first, self._unfold.say)
