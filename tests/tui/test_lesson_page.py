"""A page of a made-up lesson: what Enter does, what a wrong answer says, where the screen stands."""

import threading
from itertools import pairwise
from math import inf

import pytest
from textual.geometry import Region
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets._toast import Toast

from tests.tui.settled import settled
from tests.waiting import until
from visualizer.learning import checks, lesson, player, progress
from visualizer.learning.verdict import Verdict
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.loading import LoadingScreen
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.ink.footer import Footer
from visualizer.tui.lesson import pane as lesson_pane
from visualizer.tui.lesson.exercise import ExerciseScreen
from visualizer.tui.lesson.pane import LessonPane
from visualizer.tui.lesson.predict_box import PredictBox
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.lesson.solutions import SolutionsScreen
from visualizer.tui.workshop.editor import Editor

LONG = "\n\n".join(
    f"Paragraph {n}, which is to be read before the page is turned." for n in range(30)
)
TEXT = f"""\
+++
title = "Twice"
idea = "A macro that is used twice"
sample = "twice.c"
+++

## What becomes of it

```toml go
line = 3
```

```toml predict
ask = "What does TWICE(ONE) become in the end?"
truth = "result"
choices = ["2", "ONE + ONE", "1 + 1"]
because = "The preprocessor doesn't compute."
consequences = {{ "2" = "Somebody would have to add them." }}
```

A remark on that.

```toml go
line = 4
```

```toml predict
ask = "Which macro comes next?"
truth = "next"
```

{LONG}

## The second page

The end.
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    made = tmp_path / "macros" / "01-twice"
    made.mkdir(parents=True)
    (made / "lesson.md").write_text(TEXT)
    (made / "twice.c").write_text(
        "#define ONE 1\n#define TWICE(x) x + x\nint n = TWICE(ONE);\nint m = ONE;\n"
    )
    monkeypatch.setattr(lesson, "find", lambda id: made)
    monkeypatch.setattr(lesson, "folders", lambda: [made])
    return made


def silent(text):
    raise AssertionError(text)


async def press(app, pilot, *keys):
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def settled_when(pilot, so):
    await until(so)
    await settled(pilot)


async def give(app, pilot, *keys):
    """Answer the question that waits, and hear what is said to that."""
    await settled_when(pilot, lambda: isinstance(app.focused, OptionList | Input))
    box = last_box(app)
    said = [str(keys.content) for keys in box.query(".predict-keys")]
    await pilot.press(*keys)

    def heard():
        now = [str(keys.content) for keys in box.query(".predict-keys")]
        return bool(box.query(".predict-told")) or (now and now != said)

    await settled_when(pilot, heard)


def last_box(app):
    return app.screen.query(PredictBox).last()


def said(app):
    return str(last_box(app).query_one(".predict-keys").content)


async def test_nothing_is_chosen_until_the_reader_chooses():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        options = app.screen.query_one("PredictBox OptionList", OptionList)
        await settled_when(pilot, lambda: app.focused is options)
        await press(app, pilot, "enter", "enter", "enter")
        assert options.highlighted is None
        assert last_box(app).asks
        await press(app, pilot, "escape")
        assert app.focused is app.screen.query_one(LessonPane), "and it may be left"
        await press(app, pilot, "enter")
        await give(app, pilot, "down", "enter")
        assert "Somebody would have to add them." in said(app)
        assert options.highlighted is None, "nor is anything for the second try"
        assert options.get_option_at_index(0).disabled


async def test_after_a_wrong_answer_the_arrows_go_on_from_it():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await give(app, pilot, "down", "down", "enter")
        options = last_box(app).query_one(OptionList)
        assert options.get_option_at_index(1).disabled
        await press(app, pilot, "up")
        assert options.highlighted == 0


async def test_where_the_question_has_the_keys_none_is_told_to_read_on_with_enter():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        pane = app.screen.query_one(LessonPane)
        foot = pane.query_one("#lesson-more", Static)
        await pilot.resize_terminal(80, 16)
        await settled(pilot)
        assert isinstance(app.focused, OptionList)
        assert pane.unread
        assert "choose, Enter answers" in str(foot.content)


async def test_no_letter_is_promised_where_letters_answer(folder):
    (folder / "lesson.md").write_text(TEXT.replace("```toml go\nline = 4\n```\n", ""))
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await give(app, pilot, "up", "enter")
        foot = app.screen.query_one("#lesson-more", Static)
        await settled_when(pilot, lambda: isinstance(app.focused, Input))
        assert "watch it happen" not in str(foot.content)
        await press(app, pilot, "escape")
        assert "a watch it happen" in str(foot.content)


def test_what_is_left_is_told_with_its_number():
    left = progress.Left(9, unread=(4, 7), asked=(1, 3, 3), missed=(5,), unsolved=(2,))
    assert str(lesson_pane._told_left(left)).splitlines()[1:] == [
        "not read: pages 4, 7",
        "not answered: 3 questions on pages 1, 3",
        "answered wrongly: 1 question on page 5",
        "not solved: 1 exercise on page 2",
    ]


async def test_nothing_of_a_page_that_is_not_yet_laid_out_is_promised(with_long_task, monkeypatch):
    promised = []
    monkeypatch.setattr(LessonPane, "watch_wants", lambda _, wants: promised.append(wants), False)
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 20)) as pilot:
        await settled(pilot)
        await settled_when(pilot, lambda: "Enter read on" in footer(app))
        promised.clear()
        await press(app, pilot, "l")
        await settled_when(pilot, lambda: "Enter read on" in footer(app))
        assert "read on" in promised
        assert "exercise" not in promised


async def test_a_question_that_has_the_keys_stays_in_sight_when_the_terminal_shrinks():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(133, 36)) as pilot:
        await settled(pilot)
        assert isinstance(app.focused, OptionList)
        await pilot.resize_terminal(80, 24)
        await settled(pilot)
        pane, question = app.screen.query_one(LessonPane), app.focused
        assert isinstance(question, OptionList)
        assert pane.scrollable_content_region.contains_region(question.region)


async def test_a_wrong_answer_tells_its_consequence_and_may_be_tried_again():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await give(app, pilot, "down", "down", "enter")
        assert "ONE is a macro, and is replaced too." in said(app)
        assert "1 + 1" not in said(app)
        read = lesson.load(lesson.find("macros/1"))
        assert progress.of_lesson(read, silent).left(read).missed == (1,)
        await give(app, pilot, "down", "enter")
        told = str(last_box(app).query_one(".predict-told").content)
        assert told.splitlines()[:2] == ["✓ Right, at the second try.", "you said  ONE + ONE"]
        kept = progress.of_lesson(read, silent)
        assert kept.predicted[read.part_name(0, 1)] == ("ONE + ONE", "1 + 1")
        assert kept.left(read).missed == ()


async def test_after_one_try_the_truth_is_told_to_who_wants_it():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await settled_when(pilot, lambda: isinstance(app.focused, OptionList))
        await press(app, pilot, "f2")
        assert last_box(app).asks, "one is to be tried first"
        await give(app, pilot, "down", "enter")
        await give(app, pilot, "f2")
        assert "it is     1 + 1" in str(last_box(app).query_one(".predict-told").content)


async def test_the_screen_stays_where_it_was_asked_until_the_reader_goes_on():
    app = UnfoldApp(lesson="macros/1")
    app.animation_level = "none"
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await give(app, pilot, "up", "enter")
        assert not app.screen.query_one(LessonPane).asks
        assert app.screen.scene.invocation.macro == "TWICE"
        assert app.screen.scene.state == 0
        assert len(app.screen.query(PredictBox)) == 1
        await press(app, pilot, "a")
        assert app.screen.scene.state == len(app.screen.scene.timeline), "it was watched"
        await press(app, pilot, "enter")
        assert app.screen.scene.invocation.macro == "ONE"
        assert len(app.screen.query(PredictBox)) == 2


async def test_who_walks_on_while_watching_is_not_taken_back():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await give(app, pilot, "up", "enter")
        await pilot.press("a", "home", "right")
        await settled(pilot)
        assert app.screen.scene.state == 1


async def test_enter_reads_to_the_end_before_it_turns_the_page():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await give(app, pilot, "up", "enter")
        await press(app, pilot, "enter")
        waiting = app.screen.query_one("PredictBox Input")
        while not waiting.has_focus:
            await press(app, pilot, "enter")
        waiting.value = "TWICE"
        await give(app, pilot, "enter")
        assert "TWICE doesn't stand on the line." in said(app)
        waiting.value = "ONE"
        await give(app, pilot, "enter")
        pane = app.screen.query_one(LessonPane)
        seen = []
        while app.screen._page == 0:
            assert pane.unread or pane.max_scroll_y - pane.scroll_y <= 2
            seen.append((pane.scroll_y, pane.unread))
            await press(app, pilot, "enter")
        assert len(seen) > 2
        steps = [b - a for (a, _), (b, _) in pairwise(seen)]
        assert all(0 < step < pane.scrollable_content_region.height for step in steps)
        assert [unread for _, unread in seen] == [True] * (len(seen) - 1) + [False]


async def test_answers_are_asked_of_a_program_that_the_screen_does_not_change(monkeypatch):
    """With its plug-in loaded, a kernel would be found that the lesson says isn't."""
    monkeypatch.undo()
    read = lesson.load(lesson.find("phi/13"))
    (page, number), asked = next(
        ((n, at), part)
        for n, each in enumerate(read.pages)
        for at, part in enumerate(each.parts)
        if getattr(part, "truth", "").startswith("selects") and "Custom" in part.truth
    )
    before = player.answer(read, page, number)
    progress.at_page(read, page, silent)
    app = UnfoldApp(lesson=read.id)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, LessonScreen)
        phi = app.screen.bench.program.phi
        (device,) = [d for d, loaded in phi.custom_devices.items() if not loaded]
        phi.load_custom_device(device)
        assert player.answer(read, page, number) == before == "not found", asked


EXERCISE = """

```toml exercise
file = "start.c"
solution = "solution.c"
hints = ["One more plus."]

[[check]]
yields = [["THRICE(4)", "4 + 4 + 4"]]
```
"""


@pytest.fixture
def with_an_exercise(folder):
    text = TEXT.partition("```toml go")[0] + EXERCISE + "\n## The second page\n\nThe end.\n"
    (folder / "lesson.md").write_text(text)
    (folder / "start.c").write_text("#define THRICE(x) x\n\nint n = THRICE(4);\n")
    (folder / "solution.c").write_text("#define THRICE(x) x + x + x\n\nint n = THRICE(4);\n")
    (folder / "right").mkdir()
    (folder / "right" / "otherwise.c").write_text(
        "#define THRICE(y) y + y + y\n\nint n = THRICE(4);\n"
    )


@pytest.fixture
def with_long_task(folder, with_an_exercise):
    text = (folder / "lesson.md").read_text()
    told = "\n\n".join(f"The {n}th thing to do." for n in range(8))
    (folder / "lesson.md").write_text(
        text.replace("```toml exercise", f"{told}\n\n```toml exercise")
    )


async def test_a_file_that_is_read_anew_leaves_the_reader_in_the_lesson():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        before = app.screen
        await press(app, pilot, "escape", "l")
        assert app.screen is not before
        assert isinstance(app.screen, LessonScreen)


@pytest.mark.usefixtures("with_an_exercise")
async def test_a_narrow_footer_has_the_lessons_own_keys():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "next page" in footer(app)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, ExerciseScreen)
        assert "check" in footer(app)
        assert "hint" in footer(app)


@pytest.mark.usefixtures("with_an_exercise")
async def test_an_enter_too_many_types_nothing_into_an_exercise():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, ExerciseScreen)
        await press(app, pilot, "enter", "enter")
        assert not app.screen.file.unsaved
        await press(app, pilot, "end", "enter")
        assert app.screen.file.unsaved, "whoever has moved in the text types"


@pytest.fixture
def with_a_long_file(folder, with_an_exercise):
    """What is to be changed stands below the edge of a small editor."""
    above = "".join(f"int n{n};\n" for n in range(30))
    for name in ("start.c", "solution.c"):
        (folder / name).write_text(above + (folder / name).read_text())


@pytest.mark.usefixtures("with_a_long_file")
async def test_a_small_editor_goes_to_what_is_wrong_and_to_what_the_solution_changes():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter")
        exercise = app.screen
        assert isinstance(exercise, ExerciseScreen)
        editor = exercise.editors.here

        def seen():
            top = editor.scroll_offset.y
            return range(top + 1, top + 1 + editor.scrollable_content_region.height)

        assert 31 not in seen()
        exercise.file.text = editor.text.replace("x) x", "x) x\n#else")
        editor.load_text(exercise.file.text)
        await press(app, pilot, "f5")
        assert "line 32: " in str(exercise.query_one("#verdict").content)
        assert 32 in seen()
        await press(app, pilot, "ctrl+home")
        assert 31 not in seen()
        await press(app, pilot, "f7")
        assert 31 in seen()
        assert editor.cursor_location == (30, 0)


@pytest.mark.usefixtures("with_an_exercise")
async def test_an_exercise_whose_solution_was_shown_can_be_tried_after_that():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter")
        begun = app.screen.file.text
        await press(app, pilot, "f7", "escape")
        button = app.screen.query_one(".exercise", Button)
        assert str(button.label) == "the solution was shown: try it yourself"
        button.press()
        await settled(pilot)
        assert app.screen.file.text == begun
        app.screen.editors.here.load_text("#define THRICE(x) 3 * x\n\nint n = THRICE(4);\n")
        await press(app, pilot, "escape")
        app.screen.query_one(".exercise", Button).press()
        await settled(pilot)
        assert "3 * x" in app.screen.file.text, "one's own text stays"


@pytest.mark.usefixtures("with_an_exercise")
async def test_an_exercise_may_hold_any_bytes_when_its_solution_was_shown():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter")
        path = app.screen.file.path
        await press(app, pilot, "f7", "escape")
        path.write_bytes(b"int n = 1; // \xe9\n")
        app.screen.query_one(".exercise", Button).press()
        await settled(pilot)
        assert "int n = 1;" in app.screen.file.text
        assert path.read_bytes() == b"int n = 1; // \xe9\n"


@pytest.mark.usefixtures("with_long_task")
async def test_the_exercise_says_enter_where_enter_opens_it():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        pane, button = app.screen.query_one(LessonPane), app.screen.query_one(".exercise", Button)
        assert pane.wants == "read on"
        assert footer(app).startswith(" Enter read on "), "it comes before the way to another page"
        assert str(button.label) == "Edit the file"
        while pane.wants == "read on":
            await press(app, pilot, "enter")
        assert str(button.label) == "Edit the file (Enter)"
        await press(app, pilot, "enter")
        assert isinstance(app.screen, ExerciseScreen)


@pytest.mark.usefixtures("with_an_exercise")
async def test_what_is_solved_offers_what_there_is_to_see_of_it_and_the_way_on():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter", "ctrl+n")
        exercise = app.screen
        assert isinstance(exercise, ExerciseScreen), "nothing is solved yet"
        assert not exercise.query_one("#solved").display
        await press(app, pilot, "f7", "f5")
        assert exercise.query_one("#solved").display
        assert not exercise.query_one("#solved-registry").display, "it registers nothing"
        await press(app, pilot, "f7")
        assert isinstance(app.screen, SolutionsScreen)
        told = str(app.screen.query_one("#panel-text").content)
        assert "otherwise.c, 1 of 1" in told, "one's own isn't another"
        assert "#define THRICE(y) y + y + y" in told
        await press(app, pilot, "escape", "ctrl+e")
        assert app.screen.scene.invocation.macro == "THRICE"
        await press(app, pilot, "escape")
        assert app.screen is exercise
        await press(app, pilot, "ctrl+n")
        assert isinstance(app.screen, LessonScreen)
        assert app.screen.query_one(LessonPane).onward == "the lessons", "it is the second page"


async def test_arrows_in_a_typed_answer_take_no_step_that_gives_it_away():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await give(app, pilot, "down", "down", "down", "enter")
        await press(app, pilot, "enter")
        await settled_when(pilot, lambda: isinstance(app.focused, Input))
        at = app.screen.scene
        await press(app, pilot, "down", "up", "enter", "down")
        assert app.screen.scene == at


async def test_what_is_said_to_a_wrong_answer_is_in_view(folder):
    text = (folder / "lesson.md").read_text()
    text = text.replace("```toml predict", "One.\n\nTwo.\n\n```toml predict", 1)
    (folder / "lesson.md").write_text(text)
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await settled_when(pilot, lambda: isinstance(app.focused, OptionList))
        pane = app.screen.query_one(LessonPane)
        assert pane.scroll_y == 0
        assert pane.unread, "the choices end where the screen does"
        await give(app, pilot, "down", "enter")
        told = last_box(app).query_one(".predict-keys")
        await settled_when(
            pilot, lambda: pane.scrollable_content_region.contains_region(told.region)
        )


def verdict_of(exercise):
    return str(exercise.query_one("#verdict").content)


@pytest.mark.usefixtures("with_an_exercise")
async def test_enter_behind_solved_goes_on_until_the_text_is_another():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter", "f7", "f5")
        exercise = app.screen
        solution = exercise.file.text
        assert "the solution that was shown. Enter goes on" in verdict_of(exercise)
        await press(app, pilot, "x")
        assert "Enter goes on" not in verdict_of(exercise)
        assert not exercise.query_one("#solved").display
        await press(app, pilot, "enter")
        assert app.screen is exercise, "and Enter types again"
        assert exercise.file.text != solution
        await press(app, pilot, "ctrl+z", "ctrl+z", "f5", "enter")
        assert isinstance(app.screen, LessonScreen)
        assert app.screen.query_one(LessonPane).onward == "the lessons", "it is the second page"


@pytest.mark.usefixtures("with_an_exercise")
async def test_a_solution_that_was_shown_is_marked_as_shown_until_one_is_written():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter", "f7", "f5", "escape")
        button = app.screen.query_one(".exercise", Button)
        assert "the solution was shown" in str(button.label)
        await press(app, pilot, "ctrl+right")
        left = app.screen.query_one("#lesson-left", Static).content
        assert "solution shown: 1 exercise on page 1" in str(left)
        await press(app, pilot, "ctrl+left")
        button = app.screen.query_one(".exercise", Button)
        assert "the solution was shown" in str(button.label), "it is kept"
        button.press()
        await settled(pilot)
        app.screen.query_one(Editor).load_text("#define THRICE(y) y + y + y\n")
        await press(app, pilot, "f5")
        assert "✓ Solved." in verdict_of(app.screen)
        await press(app, pilot, "escape")
        assert "✓ solved" in str(app.screen.query_one(".exercise", Button).label)


@pytest.mark.usefixtures("with_an_exercise")
async def test_a_verdict_is_read_to_its_end_in_a_small_terminal(monkeypatch):
    why = " ".join(["the kernel that is registered here is of another type"] * 7)
    monkeypatch.setattr(checks, "check", lambda *_: Verdict(why, hint="the last word"))
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter", "f5")
        rows = app.screen.query_one("#verdict").render_lines(Region(0, 0, 80, 8))
        assert "the last word" in " ".join(row.text.strip() for row in rows)
        assert app.screen.query_one("#verdict").region.height == 6


async def test_a_task_is_seen_whole_in_a_tall_terminal_and_can_be_read_on_in_a_low_one(
    with_long_task,
):
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter")
        task = app.screen.query_one("#task")
        await settled_when(pilot, lambda: task.size.height > 9)
        assert task.max_scroll_y == 0
        assert "to the lesson." in verdict_of(app.screen)
        await pilot.resize_terminal(80, 24)
        await settled_when(pilot, lambda: "Shift+Tab, ↓" in verdict_of(app.screen))
        assert app.screen.query_one("#verdict").region.height == 1
        await press(app, pilot, "x", "shift+tab", "down")
        assert task.scroll_y == 1


@pytest.mark.usefixtures("with_an_exercise")
async def test_nothing_that_is_said_covers_an_exercises_task():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(app, pilot, "enter", "end", "x", "ctrl+s")
        assert not app.screen.query(Toast)
        assert "is saved" in str(app.screen.query_one("#verdict").content)
        await press(app, pilot, "ctrl+z", "f3")
        assert "no error" in str(app.screen.query_one("#verdict").content)


async def test_an_enter_pressed_too_soon_skips_nothing(monkeypatch):
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        monkeypatch.setattr(lesson_pane, "GLANCE", inf)
        await give(app, pilot, "up", "enter")
        pane, shown = app.screen.query_one(LessonPane), len(app.screen.query(PredictBox))
        assert pane.waits
        await press(app, pilot, "enter", "enter")
        assert pane.waits, "nobody has read what was told"
        monkeypatch.setattr(lesson_pane, "GLANCE", 0)
        await press(app, pilot, "enter")
        assert len(app.screen.query(PredictBox)) > shown


def footer(app):
    return app.screen.query_one(Footer).render_line(0).text


async def test_the_footer_says_what_enter_does_and_where_the_last_page_leads(folder):
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await press(app, pilot, "escape")
        assert "Enter answer" in footer(app)
        await press(app, pilot, "enter")
        await give(app, pilot, "up", "enter")
        assert "Enter go on" in footer(app)
        assert "Ctrl+→ next page" in footer(app)
        await press(app, pilot, "ctrl+right")
        assert "Enter the lessons" in footer(app)
        assert "Ctrl+→ the lessons" in footer(app)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, HomeScreen)


@pytest.fixture
def with_another_file(folder):
    text = TEXT.partition("The end.")[0]
    (folder / "lesson.md").write_text(text + '```toml go\nfile = "other.c"\nline = 2\n```\n')
    (folder / "other.c").write_text("#define SIX 6\nint n = SIX;\n")


async def held_up(app, pilot, monkeypatch, where, name, *keys):
    """Press these keys while what they lead to can't be read; tells the screens that are seen then."""
    door, real = threading.Event(), getattr(where, name)

    def waiting(*arguments, **options):
        door.wait()
        return real(*arguments, **options)

    monkeypatch.setattr(where, name, waiting)
    await pilot.press(*keys)
    await until_shown(pilot)
    seen = list(app.screen_stack)
    door.set()
    await settled(pilot)
    return seen


async def until_shown(pilot):
    def framed():
        return isinstance(pilot.app.screen, LoadingScreen) and pilot.app.screen.has_class("-shown")

    await until(framed)


@pytest.mark.usefixtures("with_another_file")
async def test_a_page_that_takes_long_to_open_says_so(monkeypatch):
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        before = app.screen
        seen = await held_up(app, pilot, monkeypatch, player, "read", "ctrl+right")
        assert seen[-2] is before
        assert isinstance(app.screen, LessonScreen)
        assert app.screen.bench.path.name == "other.c"


async def test_the_next_lesson_comes_without_home_in_between(folder, monkeypatch):
    behind = folder.with_name("02-thrice")
    behind.mkdir()
    for path in folder.iterdir():
        (behind / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(lesson, "folders", lambda: [folder, behind])
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await press(app, pilot, "ctrl+right")
        last = app.screen
        monkeypatch.setattr(lesson, "find", lambda id: behind)
        offers = []
        monkeypatch.setattr(HomeScreen, "offer", lambda home: offers.append(home.is_active))
        seen = await held_up(app, pilot, monkeypatch, lesson, "load", "ctrl+right")
        assert seen[-2] is last, "the last page stays until the next lesson is there"
        assert isinstance(app.screen, LessonScreen)
        assert app.screen is not last
        assert last not in app.screen_stack
        assert not any(offers)


async def test_a_choice_of_two_rows_is_seen_to_be_one(folder):
    text = (folder / "lesson.md").read_text()
    longer = "nothing at all, since the preprocessor gives up where a name is met twice in a line"
    text = text.replace('"ONE + ONE"', f'"{longer}"')
    (folder / "lesson.md").write_text(text)
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        options = app.screen.query_one("PredictBox OptionList", OptionList)
        rows = [options.render_line(y).text.rstrip() for y in range(options.size.height)]
        assert [row[0] for row in rows] == ["•", "•", " ", "•"]
        assert [row[1] for row in rows] == [" "] * 4
        assert rows[2][2] != " "


async def test_a_page_that_is_being_taken_away_looks_at_nothing_any_more():
    """As where the language is chosen in it, and it gets the keys once more."""
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        pane = app.screen.query_one(LessonPane)
        pane.on_focus()
        await pane.query("#lesson-more").remove()
        pane.on_focus()
        await settled(pilot)
        assert app.is_running
