"""Questions that come back: what was understood once is soon forgotten, unless it is asked again.

A question that was answered is due a day later. Whoever answers it rightly then is asked after three
days, then after a week, and so on, each time later; a wrong answer begins anew. It is asked alone, at
the place where its lesson asked it, and nothing that is kept of that lesson changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from visualizer.learning import progress
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Predict
from visualizer.learning.progress import Progress
from visualizer.messages import _

AFTER = (1, 3, 8, 21, 55)  # days, by how often it has come back
AT_ONCE = 3  # questions that are asked one behind the other


@dataclass(frozen=True, eq=False)
class Recall:
    """A question of a lesson, by the number of its page and part; `overdue` by so many days."""

    lesson: Lesson
    page: int
    part: int
    overdue: int

    @property
    def name(self) -> str:
        return self.lesson.part_name(self.page, self.part)

    def alone(self) -> Lesson:
        """A lesson of nothing but this question, which is kept apart from the one that it is of."""
        page = self.lesson.pages[self.page]
        gos = [go for _page, _at, go in self.lesson.followed(self.page, self.part)]
        told = _("From {lesson}, {page}:").format(
            lesson=f"{self.lesson.short_id}, *{self.lesson.title}*", page=f"*{page.title}*"
        )
        parts = (told, *gos, page.parts[self.part])
        asked = replace(page, parts=parts, lines=(page.line,) * len(parts))
        id = f"recall/{self.lesson.name.replace('/', '-')}"
        return replace(self.lesson, id=id, title=_("Asked again"), pages=(asked,), continues="")


def answered(every: Mapping[str, Progress], lessons: Iterable[Lesson], today: int) -> list[Recall]:
    """The questions of these lessons that were answered once, the most overdue first. Those that
    aren't due yet are overdue by less than none."""
    found = []
    for lesson in lessons:
        kept = progress.within(every, lesson)
        for number, page in enumerate(lesson.pages):
            for at, part in enumerate(page.parts):
                name = lesson.part_name(number, at) if isinstance(part, Predict) else ""
                if name in kept.predicted:
                    times, day = kept.recalled.get(name, (0, 0))
                    overdue = today - day - AFTER[min(times, len(AFTER) - 1)]
                    found.append(Recall(lesson, number, at, overdue))
    return sorted(found, key=lambda recall: -recall.overdue)


def due(every: Mapping[str, Progress], lessons: Iterable[Lesson], today: int) -> list[Recall]:
    return [recall for recall in answered(every, lessons, today) if recall.overdue >= 0]
