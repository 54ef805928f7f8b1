"""What opens over a screen: all of it closes in the same ways, and all lists that letters make shorter
move in the same way."""

from pathlib import Path

import pytest
from textual.content import Content
from textual.widgets import Button, Input

from tests.tui.bare_app import BareApp
from tests.tui.settled import settled
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.choice import one_of
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.jump import JumpScreen
from visualizer.tui.dialogs.question import QuestionScreen, Reply
from visualizer.tui.dialogs.saving import SaveScreen, save_as, save_below
from visualizer.tui.home.open_file import OpenFileScreen
from visualizer.tui.ink.footer import Footer
from visualizer.tui.stepper.diagnostics import DiagnosticsScreen
from visualizer.tui.stepper.patterns import PatternsScreen
from visualizer.tui.stepper.search import a_token
from visualizer.tui.stepper.share import ShareScreen
from visualizer.tui.workshop.files import which_file
from visualizer.tui.workshop.find import FindScreen

WORDS = ("one", "two", "three", "twenty-one")
DIALOGS = {
    "choice": lambda scene: one_of("Words", WORDS, "two"),
    "search": lambda scene: a_token(scene.view),
    "files": lambda scene: which_file([Path("a.cc"), Path("a.h")], ()),
    "jump": lambda scene: JumpScreen(3, 9),
    "find": lambda scene: FindScreen(None),
    "patterns": lambda scene: PatternsScreen("Words", "Some.", [("a", "at a")], (), bool, ()),
    "diagnostics": lambda scene: DiagnosticsScreen(()),
    "share": ShareScreen,
    "copy": lambda scene: save_as("Save a copy", "Why?", Path("a.cc")),
    "below": lambda scene: save_below(["a.cc"], Path("new")),
    "file": lambda scene: OpenFileScreen(Path(__file__).parent),
    "question": lambda scene: QuestionScreen("?", Content(""), [Reply("no", "n", "no")]),
}


@pytest.fixture
def scene(bitwise):
    from visualizer.scene.scene import Scene

    return Scene(bitwise, 3, 0)


@pytest.mark.parametrize("name", DIALOGS)
async def test_every_dialog_closes_at_escape_and_at_a_click_beside(scene, name):
    """Both end with the same; a click inside closes nothing."""
    app = BareApp()
    async with app.run_test(size=(120, 40)) as pilot:
        ends = []
        for leave in (lambda: pilot.press("escape"), lambda: pilot.click(offset=(0, 38))):
            dialog = DIALOGS[name](scene)
            app.push_screen(dialog, ends.append)
            await pilot.pause()
            await pilot.click("#dialog", offset=(3, 0))
            assert app.screen is dialog
            await leave()
            assert len(app.screen_stack) == 1
        assert len(ends) == 2
        assert ends[0] == ends[1]


@pytest.mark.parametrize("size", [(60, 16), (80, 24)])
async def test_the_answers_are_seen_however_long_the_question_is(size):
    app = BareApp()
    async with app.run_test(size=size) as pilot:
        long = Content("\n".join(f"line {n}" for n in range(90)))
        app.push_screen(QuestionScreen("?", long, [Reply("no", "n", "no")]))
        await settled(pilot)
        dialog, answer = app.screen.query_one("#dialog"), app.screen.query_one(Button)
        assert dialog.content_region.contains_region(answer.region)


@pytest.mark.parametrize("name", DIALOGS)
async def test_over_a_screen_a_dialog_covers_the_keys_that_do_nothing_now(scene, name):
    app = UnfoldApp(scene.bench, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(DIALOGS[name](scene))
        await settled(pilot)
        below, above = app.screen_stack[-2:]
        assert below.query_one(Footer).region.y == 23
        assert above._compositor.render_strips()[-1].text.isspace()


async def test_the_arrows_move_in_the_list_while_letters_are_typed():
    app = BareApp()
    async with app.run_test(size=(80, 24)) as pilot:
        ends = []
        app.push_screen(one_of("Words", WORDS, "two"), ends.append)
        await pilot.press("o")
        listed = app.screen.query_one(ChoiceList)
        assert (listed.words, listed.value) == (["one", "two", "twenty-one"], "two")
        await pilot.press("down", "down", "down")
        assert listed.value == "twenty-one", "it stays at the last"
        await pilot.press("pageup")
        assert listed.value == "one"
        assert isinstance(app.focused, Input)
        await pilot.press("end", "x")
        assert not listed.words
        await pilot.press("enter")
        assert app.screen.query(ChoiceList), "there is nothing to take"
        await pilot.press("backspace", "enter")
        assert ends == ["one"]


async def test_equal_words_are_taken_each_for_itself(scene):
    """A comma that comes into being twice is two tokens."""
    app = BareApp()
    async with app.run_test(size=(80, 24)) as pilot:
        ends = []
        app.push_screen(a_token(scene.view), ends.append)
        await pilot.press("comma", "down", "enter")
        app.push_screen(a_token(scene.view), ends.append)
        await pilot.press("comma", "enter")
        assert ends[0].token.text == ends[1].token.text == ","
        assert ends[0] is not ends[1]
        assert ends[0].token is not ends[1].token


@pytest.mark.parametrize("name", ["~nobody-of-this-name/x.cc", "x" * 300 + "/y.cc", "x" * 300])
async def test_a_name_that_names_no_place_is_refused_or_left_to_the_writer(tmp_path, name):
    app = BareApp()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(save_as("Save a copy", "Why?", tmp_path / "a.cc"))
        await pilot.pause()
        app.screen.query_one(Input).value = name
        await pilot.press("enter")
        said = isinstance(app.screen, SaveScreen) and app.screen.query_one("#save-complaint")
        assert not said or str(said.content)


@pytest.mark.parametrize("dialog", ["copy", "below"])
async def test_a_visitor_learns_nothing_of_what_stands_outside(
    scene, dialog, tmp_path, monkeypatch
):
    """Whether there is such a file, such a folder, or neither, the answer is one."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "there").write_text("")
    monkeypatch.setenv("UNFOLD_ROOTS", str(inside))
    app = BareApp(DIALOGS[dialog](scene))
    answers = set()
    async with app.run_test(size=(120, 40)) as pilot:
        for typed in (outside / "there", outside / "missing", outside / "no" / "such", outside):
            app.screen.query_one(Input).value = str(typed)
            await pilot.press("enter")
            await settled(pilot)
            told = str(app.screen.query_one("#save-complaint").render())
            answers.add(told.replace(str(typed), "PATH"))
    assert answers == {"PATH is outside of the served folder."}
