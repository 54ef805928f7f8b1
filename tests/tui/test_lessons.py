"""Lessons, played through the pilot: pages, questions, runs, exercises, and what is kept of them."""

import pytest
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets._toast import Toast

from tests.tui.settled import settled
from tests.waiting import until
from visualizer.learning import checks, lesson, player, progress, questions
from visualizer.learning.parts import Asked, Changeable, Exercise, Go, Predict, Run
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.ink.footer import Footer
from visualizer.tui.lesson.exercise import ExerciseScreen
from visualizer.tui.lesson.offered import offered
from visualizer.tui.lesson.pane import LessonPane
from visualizer.tui.lesson.predict_box import PredictBox
from visualizer.tui.lesson.run_box import RunBox
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.run.benchmark import BenchmarkScreen
from visualizer.tui.stepper.card import Card
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.tui.stepper.timeline_bar import TimelineBar

FIRST = "macros/01-two-kinds-of-macros"
ENTERS = 40  # are enough to read any page to its end
WIDE, SMALL = (160, 48), (80, 24)


def silent(text):
    raise AssertionError(text)


async def answer(app, pilot, text):
    """Give this answer to the question that waits."""
    waiting = app.screen.query("PredictBox Input, PredictBox OptionList").first()
    waiting.focus()
    await pilot.pause()
    if isinstance(waiting, Input):
        waiting.value = text
    else:
        prompts = [str(option.prompt) for option in waiting.options]
        waiting.highlighted = prompts.index(text)
    await pilot.press("enter")
    await settled(pilot)


async def go_on(app, pilot):
    """Read what is there, until the page asks something or ends."""
    for _ in range(ENTERS):
        if not app.screen.query_one(LessonPane).waits:
            return
        await pilot.press("enter")
        await settled(pilot)
    raise AssertionError(f"Enter leads no further: {app.focused} has the keys, {app.is_running=}")


async def solve(app, pilot, read, exercise):
    """A wrong answer, a hint, and the solution."""
    app.screen.query_one(".exercise", Button).press()
    await settled(pilot)
    assert isinstance(app.screen, ExerciseScreen)
    await pilot.press("f5")
    await settled(pilot)
    assert "✗" in str(app.screen.query_one("#verdict").content)
    await pilot.press("f6")
    assert exercise.hints[0] in str(app.screen.query_one("#verdict").content)
    await pilot.press("f7", "f5")
    await settled(pilot)
    assert "✓" in str(app.screen.query_one("#verdict").content)
    await pilot.press("escape")
    await settled(pilot)


def left_at(read, number):
    """Where the screen stands when a page is done: a changed file is seen until the next go."""
    parts = read.pages[number].parts
    ways = [n for n, part in enumerate(parts) if isinstance(part, Go | Changeable)]
    if ways and isinstance(change := parts[ways[-1]], Changeable):
        return player.changed(read, number, ways[-1], change.solution).stand
    return player.stand(read, number, len(parts))


@pytest.mark.parametrize("folder", lesson.folders(), ids=lambda f: f"{f.parent.name}-{f.name}")
async def test_a_lesson_from_its_first_page_to_its_last(folder):
    read = lesson.load(folder)
    app = UnfoldApp(lesson=read.id)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        for number, page in enumerate(read.pages):
            assert isinstance(app.screen, LessonScreen), f"page {number}"
            for at, part in enumerate(page.parts):
                if isinstance(part, Predict):
                    truth = player.truth(part.truth, player.stand(read, number, at))
                    fitting = [c for c in part.choices if questions.same(c, truth)]
                    await answer(app, pilot, fitting[0] if part.choices else truth)
                    await go_on(app, pilot)
                elif isinstance(part, Changeable):
                    await answer(app, pilot, part.solution)
                    await go_on(app, pilot)
                elif isinstance(part, Run):
                    assert app.screen.query(RunBox)
                elif isinstance(part, Exercise) and at == len(page.parts) - 1:
                    await solve(app, pilot, read, part)
            assert not app.screen.query_one(LessonPane).asks
            stand = left_at(read, number)
            if stand.place is not None:
                assert app.screen.bench.trace is stand.bench.trace
                assert app.screen.bench.program is not stand.bench.program
                assert app.screen.scene.expansion == stand.place.expansion
                assert app.screen.scene.state == stand.place.state
            await pilot.press("ctrl+right")
            await settled(pilot)
        if lesson.following(read) is None:
            assert isinstance(app.screen, HomeScreen)
        else:
            assert isinstance(app.screen, LessonScreen)
            assert app.screen.query_one(LessonPane).border_title != read.title
    kept = progress.of_lesson(read, silent)
    assert kept.seen == tuple(page.name for page in read.pages)


def test_an_exercise_shows_its_file():
    read = lesson.load(lesson.find("phi/1"))
    stand = player.stand(read, 3, len(read.pages[3].parts))
    assert stand.bench.path.name == "relu.cc"


def narration(app):
    """What has happened, and what comes next."""
    row = app.screen.query_one("#narration").region.y
    told = app.screen._compositor.render_strips()
    return [told[row].text.strip(), told[row + 2].text.strip()]


async def test_whoever_has_gone_elsewhere_is_led_back_by_the_next_question():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await answer(app, pilot, "2 + 3")
        begun = app.screen.scene
        pane = app.screen.query_one(LessonPane)
        pane.focus()
        await pilot.press("n")
        await settled(pilot)
        assert app.screen.scene.expansion != begun.expansion
        assert pane.asked.ask.endswith("Which number is a?")
        while not app.screen.query("PredictBox OptionList:focus"):
            await pilot.press("enter")
            await settled(pilot)
        assert (app.screen.scene.expansion, app.screen.scene.state) == (
            begun.expansion,
            begun.state,
        )
        await pilot.press("escape", "right")
        await settled(pilot)
        assert app.screen.scene.state == begun.state + 1, "from there one may step on"


async def test_before_the_first_page_is_none():
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+left")
        assert [n.message for n in app._notifications] == ["This is the first page of the lesson."]


async def test_a_question_waits_for_its_answer():
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert app.screen.query_one(LessonPane).asks
        assert app.screen.query_one("#page-next", Button).disabled
        assert app.screen.scene.state == 0
        assert narration(app) == ["✓ SUM stands in the source. → does the first step.", ""]
        await pilot.press("escape", "right")
        await settled(pilot)
        assert narration(app) == ["✓ SUM stands for 2 + 3.", ""], "what has happened, and no more"
        first = app.screen.query_one("PredictBox OptionList", OptionList)
        box = app.screen.query(PredictBox).first()
        await answer(app, pilot, str(first.options[-1].prompt))
        refused = str(box.query_one(".predict-keys").content)
        assert f"‘{first.options[-1].prompt}’ is not so." in refused, "it may be tried again"
        await answer(app, pilot, str(first.options[0].prompt))
        told = str(box.query_one(".predict-told").content)
        assert "Not so." in told
        assert "it is" in told


async def test_before_any_try_f2_says_what_it_wants():
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("f2")
        assert [n.message for n in app._notifications] == [
            "Try an answer first; then F2 tells you."
        ]
        assert app.screen.query_one(LessonPane).asks


async def test_letters_with_which_a_choice_begins_choose_it():
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        choices = app.screen.query_one("PredictBox OptionList", OptionList)
        choices.focus()
        last = str(choices.options[-1].prompt)
        await pilot.press(*last)
        assert choices.highlighted == choices.option_count - 1
        assert app.focused is choices, "no letter of it was another's key"
        await pilot.press("n", "x", "d", "t")
        assert app.focused is choices
        assert app.screen.scene.expansion == 0, "nor goes another away from what is asked about"


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_at_a_choice_the_letters_of_the_footer_are_the_screen_s_and_no_others(size):
    """Asked of the footer itself, whatever it has room for."""
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        screen, choices = app.screen, app.screen.query_one("PredictBox OptionList", OptionList)
        choices.focus()
        await settled(pilot)
        told = {s.does.binding.key for s in screen.query_one(Footer).signs if s.does is not None}
        begun = {str(option.prompt)[0].lower() for option in choices.options}
        assert not {"p", "n"} & told
        assert {"c", "h", "q"} <= told
        for letter in sorted(set("abcdefghijklmnoprsuvwxyz") - begun - told):
            await pilot.press(letter)
            assert app.screen is screen
            assert app.focused is choices
        app.clear_notifications()
        await pilot.press("c")
        assert any("Nothing has happened yet" in told.message for told in app._notifications)


async def test_what_is_said_beside_a_lesson_covers_none_of_its_text():
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await settled(pilot)
        app.notify("This is said beside the page, in as many words as go into two rows of it.")
        await until(lambda: app.screen.query(Toast))
        await settled(pilot)
        told = app.screen.query_one(Toast).region
        assert told.area
        for pane in (LessonPane, TimelineBar, Footer):
            assert not told.overlaps(app.screen.query_one(pane).region)


async def test_a_first_page_leads_nowhere_back():
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        assert not app.screen.query("#page-back")
        await pilot.press("ctrl+right")
        await settled(pilot)
        assert app.screen.query("#page-back")


async def test_a_wrong_answer_is_underlined_from_where_it_parts():
    read = lesson.load(lesson.find(FIRST))
    progress.at_page(read, 3, silent)
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await answer(app, pilot, "(8) ((8) / 2)")
        told = app.screen.query_one(PredictBox).query_one(".predict-keys", Static).content
        under = [told.plain[s.start : s.end] for s in told.spans if "underline" in str(s.style)]
        assert under == ["8) ((8) / 2)"]


async def test_what_was_answered_is_there_the_next_time():
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await answer(app, pilot, "2 + 3")
        answered = len(app.screen.query(".predict-told"))
    again = UnfoldApp(lesson=FIRST)
    async with again.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert len(again.screen.query(".predict-told")) == answered == 1


async def test_a_kernel_is_run_in_the_page_and_measured():
    """The page of lesson 12 that offers one, with what leads to it answered."""
    read = lesson.load(lesson.find("phi/12"))
    page, run = next(
        (n, part)
        for n, each in enumerate(read.pages)
        for part in each.parts
        if isinstance(part, Run)
    )
    for number, part in enumerate(read.pages[page].parts):
        if isinstance(part, Asked):
            progress.predicted(read, read.part_name(page, number), ("-",), silent)
    progress.at_page(read, page, silent)
    app = UnfoldApp(lesson=read.id)
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        box = app.screen.query_one(RunBox)
        box.scroll_visible(animate=False)
        await settled(pilot)
        app.screen.query_one(LessonPane).focus(scroll_visible=False)
        await pilot.press("r")
        await settled(pilot)
        told = str(box.query_one("#run-outcome").content).splitlines()
        assert told[0].startswith(f"{run.kernel}("), "values come first"
        assert " = " in told[0]
        assert "✓ NumPy agrees" in told
        assert not any(line.startswith("throughput") for line in told)
        outcome = box.query_one("#run-outcome").region
        assert app.screen.query_one(LessonPane).region.contains_region(outcome)
        await pilot.press("g")
        told = str(box.query_one("#run-outcome").content).splitlines()
        assert any(line.startswith("throughput") for line in told)
        await pilot.press("b")
        await until(lambda: isinstance(app.screen, BenchmarkScreen))
        await pilot.press("c", "escape")


async def test_home_offers_lessons_and_h_comes_back_to_it():
    app = UnfoldApp()
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert any(choice.title.startswith("macros/1") for choice in offered(app))
        app.open_lesson(FIRST)
        await settled(pilot)
        assert isinstance(app.screen, LessonScreen)
        app.screen.query_one(LessonPane).focus()
        await pilot.press("escape", "escape")
        assert isinstance(app.screen, LessonScreen), "Escape throws nobody out of a lesson"
        await pilot.press("h")
        assert isinstance(app.screen, HomeScreen)


async def test_code_as_wide_as_the_readme_allows_is_whole_beside_the_screen(tmp_path, monkeypatch):
    readme = (lesson.folders()[0].parents[1] / "README.md").read_text()
    columns = int(readme.partition("break lines of code at ")[2].partition(" ")[0])
    line = "w" * columns
    page = "## Wide\n\n```c\n" + f"{line}\n" * 40 + "```\n"
    (tmp_path / "lesson.md").write_text(f'+++\ntitle = "T"\nidea = "I"\n+++\n\n{page}')
    monkeypatch.setattr(lesson, "find", lambda id: tmp_path)
    app = UnfoldApp(lesson="made/1")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert line in app.export_screenshot()


@pytest.mark.parametrize(
    ("name", "page", "words"),
    [
        ("phi/4", 3, "#define PD_CONCATENATE1(arg1"),
        ("phi/7", 0, "kernel->OutputAt(0)"),
        ("phi/10", 0, "void FullBatchSizeLikeKernel("),
        ("fluid/2", 2, "auto* input"),
    ],
)
async def test_the_line_that_a_page_speaks_of_is_seen_until_the_reader_goes_elsewhere(
    name, page, words
):
    app = UnfoldApp(lesson=name)
    async with app.run_test(size=(200, 30)) as pilot:
        await settled(pilot)
        for _ in range(page):
            await pilot.press("ctrl+right")
            await settled(pilot)
        screen, source = app.screen, app.screen.query_one(SourcePane)
        seen = [source.render_line(y).text for y in range(source.rows_visible)]
        assert any(words in row for row in seen)
        screen.open_invocation(screen.scene.expansion)
        assert screen.scene.seen is None


async def test_in_a_small_terminal_a_lesson_is_a_tab():
    app = UnfoldApp(lesson=FIRST)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        pane = app.screen.query_one(LessonPane)
        assert pane.region.width > 70
        await pilot.press("pagedown")
        await settled(pilot)
        assert isinstance(app.focused, OptionList | Input), "once it can be seen, it has the keys"
        pane.focus()
        await pilot.press("1")
        assert not pane.region.area


async def test_two_windows_on_one_lesson_lose_nothing():
    read = lesson.load(lesson.find("macros/1"))
    progress.at_page(read, 1, silent)
    progress.predicted(read, "a question", ("2 + 3",), silent)
    progress.solved(read, "an exercise", silent)
    progress.at_page(read, 0, silent)
    kept = progress.of_lesson(read, silent)
    assert kept.page_in(read) == 0
    assert kept.seen == (read.pages[1].name, read.pages[0].name)
    assert kept.solved == ("an exercise",)
    assert kept.predicted == {"a question": ("2 + 3",)}


def test_damaged_progress_is_kept_aside_and_said():
    read = lesson.load(lesson.find("macros/1"))
    progress.at_page(read, 1, silent)
    path = progress.progress_path()
    path.write_text("{ damaged")
    said = []
    assert progress.of_lesson(read, said.append) == progress.Progress()
    assert "progress.json.damaged-1" in said[0]
    assert path.with_name("progress.json.damaged-1").read_text() == "{ damaged"


def test_an_exercise_that_never_ends_is_stopped():
    read = lesson.load(lesson.find("macros/1"))
    _, exercise = next(read.exercises())
    endless = "".join(
        f"#define L{n + 1} L{n} L{n} L{n} L{n} L{n} L{n} L{n} L{n}\n" for n in range(9)
    )
    verdict = checks.check(
        read, exercise, f"{endless}#define SQUARE(x) L9\nint area = SQUARE(1 + 2);\n"
    )
    assert verdict.failed == "expansion stopped, since it takes more than 80,000 steps"


def test_an_exercise_of_megabytes_is_not_read():
    read = lesson.load(lesson.find("macros/1"))
    _, exercise = next(read.exercises())
    assert "characters" in checks.check(read, exercise, "x" * 3_000_000).failed


@pytest.mark.parametrize(
    "text",
    ["#if", "/*", '"', "#define SQUARE(x", "int area = SQUARE(", "\0", "#include <nowhere.h>"],
)
def test_an_exercise_that_breaks_the_file_is_told(text):
    read = lesson.load(lesson.find("macros/1"))
    _, exercise = next(read.exercises())
    assert checks.check(read, exercise, text).failed


async def test_the_card_goes_along_to_another_page():
    app = UnfoldApp(lesson="aten/06-keys-hop-by-hop")
    async with app.run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+right")
        await settled(pilot)
        card, scene = app.screen.query_one(Card), app.screen.scene
        assert scene.card is None
        told = " ".join(
            "".join(text for text, *_ in card.draw(y)) for y in range(len(card._content))
        )
        assert " ".join(told.split()) == scene.summary()


async def test_a_page_begins_with_its_first_line_wherever_the_one_before_was_left():
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=(80, 24)) as pilot:
        for page in range(1, 4):
            await settled(pilot)
            while not (told := app.screen.query("#lesson-more")) or (
                f"page {page} of" not in str(told.first().content)
            ):
                await pilot.pause(0.02)
            await settled(pilot)
            pane = app.screen.query_one(LessonPane)
            title = pane.query_one(".lesson-title")
            assert pane.scrollable_content_region.contains_region(title.region)
            pane.scroll_end(animate=False)
            await settled(pilot)
            await pilot.press("ctrl+right")
