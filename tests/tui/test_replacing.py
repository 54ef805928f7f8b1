"""A screen that is taken away while it is still being made."""

import pytest

from tests.tui.settled import settled
from tests.tui.test_lessons import silent
from visualizer.learning import lesson, progress
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.lesson.pane import LessonPane
from visualizer.tui.lesson.screen import LessonScreen


@pytest.mark.parametrize("then", ["another page", "home"])
async def test_a_lesson_that_goes_on_twice_at_once(then):
    """Its next page opens another file, and the second wish comes before that stands."""
    read = lesson.load(lesson.find("phi/8"))
    progress.at_page(read, 1, silent)
    app = UnfoldApp(lesson="phi/8")
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        screen = app.screen
        screen.post_message(LessonPane.PageWanted(1))
        screen.post_message(LessonPane.PageWanted(1))
        if then == "home":
            screen.call_later(app.action_go_home)
        await settled(pilot)
        assert isinstance(app.screen, HomeScreen if then == "home" else LessonScreen)
        assert len(app.screen_stack) == (2 if then == "home" else 3)
