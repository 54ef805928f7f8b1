"""Home offers the lesson that was left in the middle, and questions that are due; at a lesson's end
those of the lessons before it are a key away, and nobody has to answer them."""

from datetime import date

from textual.widgets import OptionList

from tests.tui.settled import settled
from tests.waiting import until
from visualizer.learning import lesson, player, progress, questions
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.list import HomeList
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.lesson.recall import RecallScreen
from visualizer.tui.lesson.screen import LessonScreen


def silent(text):
    raise AssertionError(text)


def answered(read, page, at):
    name = read.part_name(page, at)
    progress.predicted(read, name, ("2 + 3",), silent)
    return name


async def test_home_offers_what_was_left_and_what_is_due(monkeypatch):
    read = lesson.load(lesson.find("macros/1"))
    progress.at_page(read, 1, silent)
    name = answered(read, 0, 2)
    progress.came_back(read, name, True, silent)
    app = UnfoldApp()
    app.animation_level = "none"
    async with app.run_test(size=(120, 40)) as pilot:
        await until(lambda: isinstance(app.screen, HomeScreen))
        await until(
            lambda: any(row.section == "Go on" for row in app.screen.query_one(HomeList).shown)
        )
        await settled(pilot)
        rows = app.screen.query_one(HomeList).shown
        assert app.screen.query_one(HomeList).cursor is rows[0], "Enter goes on with it"
        assert [row.lesson for row in rows if row.section == "Go on"] == [read.id], "nothing is due"

        then = date.fromordinal(date.today().toordinal() + 3)
        monkeypatch.setattr(
            "visualizer.tui.lesson.offered.date", type("", (), {"today": lambda: then})
        )
        app.screen.offer()
        await until(
            lambda: any(row.lesson == "recall" for row in app.screen.query_one(HomeList).shown)
        )
        listed = app.screen.query_one(HomeList)
        listed.cursor = next(row for row in listed.shown if row.lesson == "recall")
        assert listed.cursor.title == "1 question from before"
        listed.focus()
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, RecallScreen))
        await until(lambda: app.screen.query("PredictBox OptionList"))
        await settled(pilot)
        choices = app.screen.query_one("PredictBox OptionList", OptionList)
        truth = player.truth(read.pages[0].parts[2].truth, player.stand(read, 0, 2))
        right = [questions.same(str(option.prompt), truth) for option in choices.options]
        choices.focus()
        choices.highlighted = right.index(True)
        await pilot.press("enter")
        await until(lambda: not app.screen._pane.asks)
        await settled(pilot)
        kept = progress.of_lesson(read, silent)
        assert kept.recalled[name][0] == 2, "twice it has come back"
        assert kept.predicted == {name: ("2 + 3",)}, "the lesson keeps what was said in it"
        await pilot.press("ctrl+right")
        await until(lambda: isinstance(app.screen, HomeScreen))


async def test_at_a_lessons_end_earlier_questions_are_a_key_away():
    first, read = (lesson.load(lesson.find(id)) for id in ("macros/1", "macros/2"))
    answered(first, 0, 2)
    progress.at_page(read, len(read.pages) - 1, silent)
    app = UnfoldApp(lesson=read.id)
    app.animation_level = "none"
    async with app.run_test(size=(120, 40)) as pilot:
        await until(lambda: isinstance(app.screen, LessonScreen) and app.screen.query("#recall"))
        await settled(pilot)
        await pilot.press("y")
        await until(lambda: isinstance(app.screen, RecallScreen))
        await until(lambda: app.screen.query("PredictBox"))
        await settled(pilot)
        assert app.screen._lesson.folder == first.folder
        await pilot.press("escape", "ctrl+right")
        await until(lambda: isinstance(app.screen, HomeScreen))
