"""Something to change in a lesson's page: at each key the engine says what comes of it, and the screen
beside the page follows."""

import pytest
from textual.screen import Screen
from textual.widgets import Input, Static

from tests.tui.settled import settled
from tests.waiting import until
from visualizer.learning import lesson, progress
from visualizer.tui.app import UnfoldApp
from visualizer.tui.lesson.call_pane import CallPane
from visualizer.tui.lesson.change_box import ChangeBox
from visualizer.tui.lesson.pane import LessonPane
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.stepper.registry_pane import RegistryPane

FRONT = """\
+++
title = "Changed"
idea = "What is changed"
sample = "SAMPLE"
+++

## Change

"""
TYPES = """\
```toml go
line = 72
at = "end"
look = "registry"
```

```toml change
edits = "bool"
ask = "Let there be eight."
truth = "registers"
gives = "8"
solution = "float, double, bool"
label = "kernels"
```

What is told after it.
"""
CALL = """\
```toml change
text = "Float[3]"
ask = "Let it be a double."
truth = "iterator compute_types common_dtype {} Int[3]"
gives = "Double"
solution = "Double[3]"
call = "aten::add.Tensor {} Int[3]"
```
"""


@pytest.fixture
def begin(tmp_path, monkeypatch):
    made = tmp_path / "phi" / "01-changed"
    made.mkdir(parents=True)
    monkeypatch.setattr(lesson, "find", lambda id: made)
    monkeypatch.setattr(lesson, "folders", lambda: [made])

    def app(sample, text):
        (made / "lesson.md").write_text(FRONT.replace("SAMPLE", sample) + text)
        lesson._load.cache_clear()
        begun = UnfoldApp(lesson="phi/1")
        begun.animation_level = "none"
        return begun

    return app


def rows(app):
    return str(app.screen.query_one(".change-rows", Static).content)


def keys(app):
    return str(app.screen.query_one(".predict-keys", Static).content)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_registry_follows_what_is_typed(begin, size):
    app = begin("phi/bitwise_kernel.cc", TYPES)
    async with app.run_test(size=size) as pilot:
        await until(lambda: app.screen.query(ChangeBox))
        await settled(pilot)
        assert isinstance(app.focused, Input), "the field has the keys"
        assert rows(app).split() == ["kernels", "6"]
        assert len(app.screen.scene.registry) == 6
        await pilot.press("home", *"float, ")
        await until(lambda: rows(app).split() == ["kernels", "7"])
        await until(lambda: len(app.screen.scene.registry) == 7)
        await settled(pilot)
        assert app.screen.query_one(RegistryPane).region.area
        assert "float, bool" in app.screen.bench.source_lines[75]
        assert isinstance(app.focused, Input), "and keeps them"
        await pilot.press("enter")
        await until(lambda: "It is to be 8." in keys(app))
        await pilot.press("f2")
        await until(lambda: app.screen.query(".predict-told"))
        await settled(pilot)
        told = str(app.screen.query_one(".predict-told", Static).content)
        assert told.startswith("This is a way to it.")
        assert "What is told after it." in app.screen._lesson.pages[0].parts[-1]
        kept = progress.of_lesson(app.screen._lesson, print)
        assert [*kept.predicted.values()] == [("float, bool",)]
        assert not kept.missed


async def test_below_a_text_it_is_announced_and_comes_whole(begin):
    """The field, and what comes of it: one without the other is nothing to try."""
    long = "\n\n".join(f"What is to be read first, {n}." for n in range(12))
    app = begin(
        "phi/bitwise_kernel.cc", TYPES.replace("```toml change", f"{long}\n\n```toml change")
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: app.screen.query(ChangeBox))
        await settled(pilot)
        pane, box = app.screen.query_one(LessonPane), app.screen.query_one(ChangeBox)
        told = app.screen.query_one("#lesson-more", Static)
        assert "something to change ▾ Enter" in str(told.content)
        pane.action_read_on()
        await settled(pilot)
        assert app.focused is pane, "half of it is seen by now, or none"
        for _ in range(5):
            pane.action_read_on()
            await settled(pilot)
        assert isinstance(app.focused, Input)
        assert pane.scrollable_content_region.contains_region(box.region)
        assert "something to change" not in str(told.content)


async def test_what_is_reached_is_said_before_enter(begin):
    app = begin("phi/bitwise_kernel.cc", TYPES)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(lambda: app.screen.query(ChangeBox))
        await settled(pilot)
        await pilot.press("home", *"float, double, ")
        await until(lambda: "So it is to be" in keys(app))
        await pilot.press("enter")
        await until(lambda: app.screen.query(".predict-told"))
        await settled(pilot)
        assert len(app.screen.scene.registry) == 8, "it stays as it was made"
        assert not app.screen._pane.asks


async def test_a_change_that_leaves_no_invocation_shows_none_and_comes_back(begin):
    app = begin("macros.c", TYPES)
    text = TYPES.replace("line = 72\n", "").replace('"bool"', '"ONE"').replace("registers", "end")
    app = begin("one.c", text.replace('look = "registry"', "").replace('"8"', '"2"'))
    (lesson.find("") / "one.c").write_text("#define ONE 1\n#define TWO 2\nint a = ONE;\n")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(lambda: app.screen.query(ChangeBox))
        await settled(pilot)
        await pilot.press("end", "backspace", "backspace", "backspace", "7")
        await until(lambda: "invokes no macro" in rows(app))
        await until(lambda: app.screen.scene is None)
        await pilot.press("backspace", *"TWO")
        await until(lambda: rows(app).split()[-1] == "2")
        await until(lambda: app.screen.scene is not None)


async def test_a_call_beside_the_page_follows(begin):
    app = begin("aten/add.cc", CALL)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(lambda: app.screen.query(ChangeBox))
        await settled(pilot)
        field = app.screen.query_one("ChangeBox Input", Input)
        field.value = "Double[3]"
        await until(lambda: "Double" in rows(app))
        await until(
            lambda: app.screen.query_one(CallPane).call.startswith("aten::add.Tensor Double")
        )
        field.value = "Dubble[3]"
        await until(lambda: "Dubble" in rows(app))


async def test_what_comes_when_the_page_has_led_on_changes_nothing(begin, monkeypatch):
    """The next page has a screen of its own: what comes of a change reaches one that makes way
    for it."""
    shown = LessonScreen.show_rewritten

    async def makes_way(screen, bench, scene):
        screen.app.switch_screen(Screen())
        await shown(screen, bench, scene)

    app = begin("phi/bitwise_kernel.cc", TYPES)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(lambda: app.screen.query(ChangeBox))
        await settled(pilot)
        monkeypatch.setattr(LessonScreen, "show_rewritten", makes_way)
        await pilot.press("home", *"float, ")
        await until(lambda: not isinstance(app.screen, LessonScreen))
        await settled(pilot)
        assert app.is_running


async def test_what_was_said_of_an_older_text_is_not_said_of_a_newer(begin):
    """It stands there in grey, leads the screen nowhere, and is no end to the task."""
    app = begin("aten/add.cc", CALL.replace('"Float[3]"', '"Float[2]"', 1))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(lambda: app.screen.query(ChangeBox))
        box = app.screen.query_one(ChangeBox)
        await until(lambda: box._outcome is not None)
        await settled(pilot)
        came = ChangeBox.Came(box, box.written, box._change, box._outcome, app.screen.bench)
        assert not came.is_late
        box._text = "Double[2]"
        assert came.is_late
        assert {str(span.style) for span in box._rows().spans} == {"$quiet"}
        assert "Enter goes on" not in str(box._keys())
