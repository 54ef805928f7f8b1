"""Keys that come in one burst, as over a slow line: each acts where those before it have led."""

import threading

import pytest
from textual import events
from textual.widgets import Input

from tests.tui.settled import burst, settled
from tests.waiting import PATIENCE
from visualizer.learning import lesson
from visualizer.personal import drafts
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.question import QuestionScreen
from visualizer.tui.home.loading import LoadingScreen
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.lesson.predict_box import PredictBox
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench import opening
from visualizer.workbench.opening import Opening

LESSON = """\
+++
title = "Once"
idea = "A macro that is used"
sample = "once.c"
+++

## What comes next

Read on.

```toml go
line = 2
```

```toml predict
ask = "Which macro comes next?"
truth = "next"
```
"""


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "once.c"
    made.write_text("#define ONE 1\nint n = ONE;\n")
    return made


@pytest.fixture
def once(path, monkeypatch):
    """The made-up lesson, as if it were the only one."""
    (path.parent / "lesson.md").write_text(LESSON)
    monkeypatch.setattr(lesson, "find", lambda id: path.parent)
    monkeypatch.setattr(lesson, "folders", lambda: [path.parent])


async def test_letters_and_arrows_are_typed_in_their_order(path):
    app = UnfoldApp(opening=Opening(path))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await burst(pilot, "w", *"ab", "left", "c", "home", "d", "enter", "e", "ctrl+s")
        assert isinstance(app.screen, WorkshopScreen)
        assert path.read_text() == "#define ONE 1\nd\neacbint n = ONE;\n"


async def test_pasted_text_stands_where_it_was_pasted(path):
    app = UnfoldApp(opening=Opening(path))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        app.post_message(events.Key("w", "w"))
        app.post_message(events.Key("left", None))
        app.post_message(events.Paste("// pasted"))
        await burst(pilot, "!", "ctrl+s")
        assert path.read_text() == "#define ONE 1// pasted!\nint n = ONE;\n"


async def test_a_burst_goes_through_several_screens(path, bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await burst(pilot, "right", "right", "w", "escape", "right", "j", *"20", "enter", "right")
        assert isinstance(app.screen, StepperScreen)
        assert app.screen.scene.state == 21


async def test_a_pane_has_the_keys_that_come_behind_its_own(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await burst(pilot, "4", "down", "down", "down", "enter")
        assert app.screen.scene.state == 3, "not three invocations further"


async def test_what_is_typed_while_a_file_is_read_is_for_that_file(path, monkeypatch):
    read, go_on = opening.load, threading.Event()
    monkeypatch.setattr(opening, "load", lambda wanted: (go_on.wait(PATIENCE), read(wanted))[1])
    app = UnfoldApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        app.open_file(Opening(path))
        await pilot.press("right", "c")
        assert isinstance(app.screen, LoadingScreen)
        go_on.set()
        await settled(pilot)
        assert isinstance(app.screen, StepperScreen)
        assert app.screen.scene.state == 1


async def test_who_stops_waiting_for_a_file_has_typed_nothing(path, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(opening, "load", lambda wanted: go_on.wait(PATIENCE))
    app = UnfoldApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        app.open_file(Opening(path))
        await pilot.press("q", "escape")
        go_on.set()
        await settled(pilot)
        assert isinstance(app.screen, HomeScreen)
        assert app.is_running


@pytest.mark.usefixtures("once")
async def test_a_question_gets_what_is_typed_for_it():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, LessonScreen)
        assert isinstance(app.focused, Input)
        await burst(pilot, *"NE", "home", "O", "enter")
        told = str(app.screen.query_one(PredictBox).query_one(".predict-told").content)
        assert told.startswith("✓ Right.")


@pytest.mark.usefixtures("once")
async def test_a_second_try_behind_a_wrong_one_is_kept_until_that_is_judged():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await burst(pilot, *"TWO", "enter", *"ONE", "enter")
        told = str(app.screen.query_one(PredictBox).query_one(".predict-told").content)
        assert told.startswith("✓ Right, at the second try.")


async def test_letters_typed_before_an_unasked_question_stood_are_no_answer(path):
    """Else what was meant for the editor would throw the draft away."""
    draft = drafts.Draft(path)
    draft.keep("#define TWO 2\n")
    draft.release()
    app = UnfoldApp(opening=Opening(path))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await burst(pilot, "w", *"tttttttttttttttttttt")
        assert isinstance(app.screen, QuestionScreen)
        assert drafts.are_left_behind(path) is False, "it is held, and not gone"
        await pilot.press("r")
        await settled(pilot)
        assert "TWO" in app.screen.editors.here.text
