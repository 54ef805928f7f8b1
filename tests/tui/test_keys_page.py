"""What the page of keys and the footer say of a screen: each key a sentence, each sign explained."""

from itertools import pairwise

import pytest

from tests.tui.every_screen import PICTURES
from tests.tui.settled import settled
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.keys import KeysScreen, _is_there, own_bindings
from visualizer.tui.ink.footer import Footer

ASKED = [
    *("CompareScreen", "EntryScreen", "HomeScreen", "LessonScreen", "MigrateScreen"),
    *("RunScreen", "StepperScreen", "WorkshopScreen"),
]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where the screens' files are written


def footer(app):
    return " ".join(
        str(shown.render())
        for shown in app.screen.query_one(Footer).query("FooterKey, FooterLabel")
    )


@pytest.mark.parametrize("name", ASKED)
async def test_each_key_of_a_screen_and_its_panes_is_told_by_a_sentence(bitwise, name):
    make, _ = PICTURES[name]
    app = make(bitwise)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        screen = app.screen
        nodes = [screen, *(n for n in screen.query("*") if n.display)]
        bare = {
            (type(node).__name__, binding.key, binding.tooltip)
            for node in nodes
            for binding in own_bindings(node)
            if _is_there(node, binding) and " " not in binding.tooltip
        }
        assert bare == set()


async def test_all_signs_of_the_stepper_are_explained(bitwise):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(120, 60)) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, KeysScreen)
        page = str(app.screen.query_one("#panel-text").content)
        assert all(f"\n{sign}" in page for sign in ("+ −", "▸", "◆", "★", "✓", "italic"))


async def test_where_a_question_mark_is_a_letter_the_footer_has_f1(bitwise):
    make, _ = PICTURES["WorkshopScreen"]
    app = make(bitwise)
    async with app.run_test(size=(60, 24)) as pilot:
        await settled(pilot)
        assert "f1 keys" in footer(app).replace("  ", " ")


async def test_the_footer_of_a_comparison_says_nothing_twice(bitwise):
    make, _ = PICTURES["CompareScreen"]
    app = make(bitwise)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        words = footer(app).split()
        assert not any(a == b for a, b in pairwise(words))


async def test_a_question_names_its_keys(bitwise):
    make, _ = PICTURES["QuestionScreen"]
    app = make(bitwise)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        hint = str(app.screen.frame.border_subtitle)
        assert all(key in hint for key in ("letter", "←→", "Enter", "Esc"))


async def test_the_lists_of_an_entry_have_titles_that_fit(bitwise):
    make, _ = PICTURES["EntryScreen"]
    app = make(bitwise)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        lists = app.screen.query("#entry-choices ChoiceList")
        assert lists
        assert all(len(str(each.border_title)) <= each.size.width - 2 for each in lists)
        assert "✓ is registered" in str(app.screen.query_one("#entry-heading").content)
