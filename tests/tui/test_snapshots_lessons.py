"""Pictures of a lesson and of its exercise. The lesson is made up: a real one may be put better."""

import pytest

from tests.tui.settled import settled
from visualizer.learning import lesson
from visualizer.scene import scene
from visualizer.tui.app import UnfoldApp
from visualizer.tui.lesson import offered as lessons
from visualizer.tui.lesson.pane import LessonPane

SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])
TEXT = """\
+++
title = "Twice"
idea = "A macro that is used twice"
sample = "twice.c"
+++

## What becomes of it

A macro is replaced by its *replacement list*.

```toml go
line = 2
```

```toml predict
ask = "What does TWICE(3) become?"
truth = "result"
choices = ["3 + 3", "6"]
because = "The preprocessor doesn't compute."
```

Now write one yourself: `THRICE(x)`.

```toml exercise
file = "start.c"
solution = "solution.c"
hints = ["One more plus."]

[[check]]
yields = [["THRICE(4)", "4 + 4 + 4"]]
```
"""


@pytest.fixture(autouse=True)
def made_up(tmp_path, monkeypatch):
    folder = tmp_path / "macros" / "01-twice"
    folder.mkdir(parents=True)
    (folder / "lesson.md").write_text(TEXT)
    (folder / "twice.c").write_text("#define TWICE(x) x + x\nint n = TWICE(3);\n")
    (folder / "start.c").write_text("#define THRICE(x) x\n\nint n = THRICE(4);\n")
    (folder / "solution.c").write_text("#define THRICE(x) x + x + x\n\nint n = THRICE(4);\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lesson, "find", lambda id: folder)
    monkeypatch.setattr(lessons, "offered", lambda app: [])
    monkeypatch.setattr(scene, "sentence", lambda step: f"{step.macro} is replaced.")


@SIZES
@pytest.mark.parametrize("stage", ["asked", "refused", "answered", "checked"])
def test_a_lesson(snap_compare, size, stage):
    async def played(pilot):
        if stage == "asked":
            return
        pilot.app.screen.query_one("PredictBox OptionList").focus()
        await pilot.press(*["down"] * (2 if stage == "refused" else 1), "enter")
        await settled(pilot)
        pilot.app.screen.query_one(LessonPane).scroll_end(animate=False)
        await settled(pilot)
        if stage == "checked":
            pilot.app.screen.query_one(".exercise").press()
            await settled(pilot)
            await pilot.press("f5")

    assert snap_compare(UnfoldApp(lesson="macros/1"), terminal_size=size, run_before=played)
