"""A call that is told beside a lesson's page: stepped by the same keys, watched, and written anew."""

import pytest
from textual.widgets import Input

from tests.tui.settled import settled
from tests.waiting import until
from visualizer.learning import lesson
from visualizer.tui.app import UnfoldApp
from visualizer.tui.lesson.call_pane import CallPane
from visualizer.tui.story.pane import StoryList, StoryTable

TEXT = """\
+++
title = "Told"
idea = "A call, told"
sample = "aten/add.cc"
+++

## A call

```toml go
call = "aten::add.Tensor Float[2,3] Int[3]"
told = "mark_resize_outputs"
```

```toml predict
ask = "Of which type is it?"
truth = "iterator compute_types common_dtype Float[2,3] Int[3]"
```
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    made = tmp_path / "aten" / "01-told"
    made.mkdir(parents=True)
    (made / "lesson.md").write_text(TEXT)
    monkeypatch.setattr(lesson, "find", lambda id: made)
    monkeypatch.setattr(lesson, "folders", lambda: [made])
    return made


def step_of(app):
    story = app.screen.query_one(CallPane).story
    return story.story.steps[story.at].name if story.story is not None else None


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_call_is_stepped_watched_and_written_anew(size):
    app = UnfoldApp(lesson="aten/1")
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await until(lambda: step_of(app) == "mark_resize_outputs")
        listed, table = app.screen.query_one(StoryList), app.screen.query_one(StoryTable)
        assert listed.region.area
        assert table.region.area
        assert not app.screen.query_one("#line").region.area
        assert "promote" not in listed.text, "that is asked"

        await pilot.press(*"Float", "enter")
        await until(lambda: app.screen._reading.watched == "compute_types")
        await settled(pilot)
        await pilot.press("a")
        await until(lambda: step_of(app) == "compute_types")
        assert "promote" in listed.text
        await pilot.press("left")
        await until(lambda: step_of(app) == "mark_resize_outputs")

        await pilot.press("t")
        await until(lambda: isinstance(app.focused, Input))
        app.focused.value = "aten::add.Tensor Float[2,3] Float[4]"
        await pilot.press("enter")
        await until(lambda: "size of tensor a (3)" in listed.text)
        app.focused.value = "aten::add.Tensor Flaot[2]"
        await pilot.press("enter")
        await until(lambda: "Flaot" in listed.text)
        assert "size of tensor" not in listed.text, "that is another call's"
        assert not table.text
        await pilot.press("escape", "1")
        await until(lambda: app.screen.query_one("#line").region.area > 0)
