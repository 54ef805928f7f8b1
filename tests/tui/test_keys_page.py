"""What the page of keys and the footer say of a screen: each key a sentence, each sign explained."""

from itertools import pairwise

import pytest

from tests.tui.every_screen import PICTURES
from tests.tui.settled import settled
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.keys import KeysScreen, _is_there, own_bindings
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.keyboard import sign

ASKED = [
    *(
        "CompareScreen",
        "DefinitionScreen",
        "EntryScreen",
        "HomeScreen",
        "LessonScreen",
        "MigrateScreen",
    ),
    *("RunScreen", "StepperScreen", "WorkshopScreen"),
]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where the screens' files are written


def footer(app):
    return app.screen.query_one(Footer).render_line(0).text


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
            if _is_there(node, binding, screen.focused) and binding.description
            if " " not in binding.tooltip
        }
        assert bare == set()


async def test_all_signs_of_the_stepper_are_explained(bitwise):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(120, 60)) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, KeysScreen)
        page = str(app.screen.query_one("#panel-text").content)
        assert all(f"\n{sign}" in page for sign in ("+ −", "▸", "◆", "★", "✓", "italic"))


@pytest.mark.parametrize("width", [60, 80])
async def test_what_is_too_long_for_a_row_goes_on_below_itself(bitwise, width):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(width, 24)) as pilot:
        await pilot.press("question_mark")
        await settled(pilot)
        text = app.screen.query_one("#panel-text")
        rows = str(text.content).split("\n")
        assert text.size.height == len(rows), "no row is wrapped by the terminal's width"
        assert "             Go" not in rows
        assert any(row.startswith(" " * 12) and row.strip() for row in rows)


async def test_where_a_question_mark_is_a_letter_the_footer_has_f1(bitwise):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.press("w")
        await settled(pilot)
        assert "F1 keys" in footer(app).replace("  ", " ")


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


async def page_of_keys(pilot, *keys):
    for key in keys:
        await pilot.press(key)
        await settled(pilot)
    assert isinstance(pilot.app.screen, KeysScreen)
    return str(pilot.app.screen.query_one("#panel-text").content)


def told_keys(page):
    return " ".join(row.split("  ")[0] for row in page.splitlines() if "  " in row).split()


async def test_where_one_types_no_letter_is_told_as_a_key(bitwise):
    async with UnfoldApp(bitwise, 3).run_test(size=(120, 60)) as pilot:
        keys = told_keys(await page_of_keys(pilot, "w", "f1"))
        assert [key for key in keys if len(key) == 1 and key.isalpha()] == []
        assert {"Esc", "Ctrl+S", "F2", "Ctrl+Q"} <= {*keys}


async def test_a_run_has_keys_for_the_tabs_that_there_are(bitwise):
    async with UnfoldApp(bitwise, 3, 142).run_test(size=(120, 60)) as pilot:
        keys = told_keys(await page_of_keys(pilot, "r", "question_mark"))
        tabs = pilot.app.screen_stack[-2].query_one(TabRow).tabs
        assert [key for key in keys if key.isdigit()] == [str(n + 1) for n in range(len(tabs))]


async def test_a_key_to_a_pane_says_which(bitwise):
    async with UnfoldApp(bitwise, 3).run_test(size=(120, 60)) as pilot:
        page = await page_of_keys(pilot, "question_mark")
        assert all(f"To the {pane}" in page for pane in ("line", "source", "registry", "tree"))


@pytest.mark.parametrize(
    ("options", "keys", "spelled"),
    [
        ({}, ["w", "f1"], ["Ctrl+S save", "Esc leave", "F1 keys"]),
        ({"lesson": "macros/2"}, ["f1"], ["Ctrl+→ next page", "F1 keys"]),
    ],
)
async def test_the_footer_spells_keys_as_their_page_does(bitwise, options, keys, spelled):
    app = UnfoldApp(None if options else bitwise, **options)
    async with app.run_test(size=(160, 60)) as pilot:
        await settled(pilot)
        for key in keys[:-1]:
            await pilot.press(key)
            await settled(pilot)
        foot = " ".join(footer(app).split())
        page = told_keys(await page_of_keys(pilot, keys[-1]))
        for each in spelled:
            assert each in foot
            assert each.split()[0] in page


@pytest.mark.parametrize(
    ("key", "spelled"),
    [("ctrl+o", "Ctrl+O"), ("ctrl+home", "Ctrl+Home"), ("f10", "F10"), ("slash", "/"), ("q", "q")],
)
def test_a_key_is_spelled_as_it_stands_on_a_keyboard(key, spelled):
    assert sign(key) == spelled


async def test_the_way_out_of_the_workshop_stands_in_its_footer_at_80_columns(bitwise):
    async with UnfoldApp(bitwise, 3).run_test(size=(80, 24)) as pilot:
        await pilot.press("w")
        await settled(pilot)
        assert "Esc leave" in " ".join(footer(pilot.app).split())
