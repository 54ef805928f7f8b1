"""One key changes the language of what stands there, and the settings keep it."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from visualizer import messages
from visualizer.personal import settings
from visualizer.tui.app import UnfoldApp
from visualizer.tui.ink.footer import Footer
from visualizer.tui.lesson.pane import LessonPane
from visualizer.tui.stepper.narration import Narration

SIZE = (80, 24)


@pytest.fixture
def chinese():
    settings.change(print, language="zh")


def keys_told(app) -> str:
    return "".join(sign.words for sign in app.screen.query_one(Footer).signs)


def narrated(app) -> str:
    pane = app.screen.query_one(Narration)
    return "".join(text for row in range(pane.size.height) for text, _ in pane.draw(row))


async def test_home_is_said_again():
    app = UnfoldApp()
    async with app.run_test(size=SIZE) as pilot:
        assert "quit" in keys_told(app)
        await pilot.press("L")
        await pilot.pause()
        assert messages.spoken() == settings.load(print).language == "zh"
        assert "退出" in keys_told(app)
        assert "从宏到内核" in str(app.screen.query_one("#home-heading", Static).render())
        await pilot.press("L")
        await pilot.pause()
        assert messages.spoken() == settings.load(print).language == "en"
        assert "quit" in keys_told(app)


async def test_the_steps_are_told_again(bitwise):
    app = UnfoldApp(bitwise, 3, 2)
    async with app.run_test(size=SIZE) as pilot:
        assert "hands its 2 arguments on" in narrated(app)
        await pilot.press("L")
        await pilot.pause()
        assert "它的 2 个实参转交给" in narrated(app)
        assert "宏调用" in keys_told(app)


async def test_a_lesson_is_read_in_the_other_language():
    app = UnfoldApp(lesson="macros/2")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("L")
        await pilot.pause()
        assert str(app.screen.query_one(LessonPane).border_title) == "实参预展开与重新扫描"


@pytest.mark.parametrize("name", ["steps", "keys", "jump"])
def test_screens_in_chinese(snap_compare, bitwise, chinese, name):
    keys = {"steps": ["right"], "keys": ["question_mark"], "jump": ["j", "9", "9", "9", "enter"]}
    assert snap_compare(UnfoldApp(bitwise, 3, 2), terminal_size=SIZE, press=keys[name])
