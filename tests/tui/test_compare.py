"""Two traces side by side: what is the same, where they part, and how they end."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.screen import Screen

from tests.tui.settled import settled
from tests.waiting import until
from visualizer.expansion.tokens import spell
from visualizer.tui.app import UnfoldApp
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.compare.state import StateCompared
from visualizer.tui.compare.steps import StepsCompared
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder
from visualizer.workshop.comparison import (
    Side,
    align,
    align_steps,
    counterpart,
    differing,
    errors_apart,
    in_both_dialects,
    what_to_compare,
)

BITWISE = samples_folder() / "phi" / "bitwise_kernel.cc"
ONE = "#define ADD(x, y) x PLUS y\n#define PLUS +\nint unused;\nint a = ADD(1, 2);\n"
# Microsoft's traditional preprocessor hands __VA_ARGS__ on as one argument.
VARIADIC = "#define F(x, ...) first x rest __VA_ARGS__\n#define G(...) F(__VA_ARGS__)\nG(1, 2)\n"


@pytest.fixture(autouse=True)
def _nothing_beneath(monkeypatch):
    monkeypatch.setattr(UnfoldApp, "on_mount", lambda self: None)


@pytest.fixture
def sides(tmp_path):
    """Two texts of a file, each with the invocation that stands in its last line."""

    def opened(left, right):
        path = tmp_path / "sample.cc"
        path.write_text(left)
        before = open_file(path)
        after = open_file(path, replace(before.options, unsaved=((str(path), right),)))
        return tuple(
            Side(label, bench, len(bench.trace.expansions) - 1)
            for label, bench in (("before", before), ("after", after))
        )

    return opened


def shown(screen, pane):
    widget = screen.query_one(pane)
    return [widget.render_line(y).text.strip() for y in range(widget.size.height)]


@given(st.text("abAB", max_size=12), st.text("abAB", max_size=12))
def test_an_alignment_has_every_place_once_and_in_order(left, right):
    pairs = align(left, right, str, str.lower)
    assert [p.left for p in pairs if p.left is not None] == list(range(len(left)))
    assert [p.right for p in pairs if p.right is not None] == list(range(len(right)))
    for pair in pairs:
        if pair.left is not None and pair.right is not None:
            assert left[pair.left].lower() == right[pair.right].lower()
            assert pair.same == (left[pair.left] == right[pair.right])


@given(st.text("abc", max_size=12))
def test_what_is_the_same_is_aligned_with_itself(text):
    assert all(pair.same and pair.left == pair.right for pair in align(text, text, str, str))


def test_only_the_tokens_that_the_other_side_lacks_differ(sides):
    left, right = sides(ONE, ONE.replace("(1, 2)", "(1, 30)"))
    some, others = differing(left.invocation.after, right.invocation.after)
    assert [left.invocation.after[i].text for i in some] == ["2"]
    assert [right.invocation.after[i].text for i in others] == ["30"]


def test_a_macro_that_is_not_there_any_more_has_no_partner(sides):
    left, right = sides(ONE, ONE.replace("x PLUS y", "x + y"))
    pairs = align_steps(left.timeline, right.timeline)
    assert [(p.left, p.right, p.same) for p in pairs] == [(0, 0, False), (1, None, False)]


def test_an_invocation_is_found_again_below_new_lines(sides):
    left, right = sides(ONE, ONE.replace("int unused;", "int u = ADD(7, 7);\n\nint v = ADD(8, 8);"))
    assert left.expansion == 0
    assert counterpart(left, right.bench) == 2
    assert counterpart(right, left.bench) == 0


def test_the_dialects_differ_in_variable_arguments(sides):
    side, _ = sides(VARIADIC, VARIADIC)
    standard, traditional = in_both_dialects(side.bench, side.expansion)
    assert (standard.label, traditional.label) == ("standard", "msvc-traditional")
    assert spell(standard.invocation.after) == "first 1 rest 2"
    assert spell(traditional.invocation.after) == "first 1, 2 rest"


def test_an_edited_text_is_compared_with_its_file(sides):
    left, right = sides(ONE, ONE.replace("(1, 2)", "(1, 3)"))
    before, after = what_to_compare(right.bench, right.expansion)
    assert (before.label, after.label) == ("on disk", "as edited")
    assert spell(before.invocation.after) == "1 + 2"
    assert spell(after.invocation.after) == "1 + 3"
    assert what_to_compare(left.bench, left.expansion)[1].label == "msvc-traditional"


async def test_the_screen_opens_at_the_first_difference_and_goes_to_the_next(sides):
    left, right = sides(ONE, ONE.replace("PLUS +", "PLUS -").replace("#define ADD", "#define  ADD"))
    app = UnfoldApp(left.bench)
    async with app.run_test(size=(160, 40)) as pilot:
        await app.push_screen(CompareScreen(left, right))
        await settled(pilot)
        screen = app.screen
        steps = screen.query_one(StepsCompared)
        assert steps.here == 1
        rows = shown(screen, StepsCompared)
        assert "=" in rows[0]
        assert "PLUS → +" in rows[1]
        assert "≠" in rows[1]
        assert "PLUS → -" in rows[1]
        assert shown(screen, "#compare-left")[0] == "− 1 + 2"
        assert shown(screen, "#compare-right")[0] == "+ 1 - 2"
        for pane in screen.query(StateCompared):
            for y in range(pane.size.height):
                margin = pane.render_line(y).crop(0, 3)
                blanks = [s.style for s in margin if not s.text.strip()]
                assert not any(style.strike or style.underline for style in blanks)
        await pilot.press("n")
        assert steps.here == 1
        await pilot.press("up")
        assert shown(screen, "#compare-left")[0] == shown(screen, "#compare-right")[0] == "1 PLUS 2"
        await pilot.press("n")
        assert steps.here == 1
        await pilot.press("end")
        assert "the end" in str(screen.query_one("#compare-left", StateCompared).border_subtitle)
        await pilot.press("escape")
        assert not isinstance(app.screen, CompareScreen)


async def test_the_arrows_are_those_of_the_stepper(sides):
    left, right = sides(ONE, ONE)
    app = UnfoldApp(left.bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(CompareScreen(left, right))
        await app.workers.wait_for_complete()
        await pilot.pause()
        steps = app.screen.query_one(StepsCompared)
        places = []
        for key in ("home", "right", "left", "down", "up"):
            await pilot.press(key)
            places.append(steps.here)
        over = left.timeline.over(0)
        assert places == [0, 1, 0, over, left.timeline.back_over(over)]


async def test_a_step_without_a_partner(sides):
    left, right = sides(ONE, ONE.replace("x PLUS y", "x + y"))
    app = UnfoldApp(left.bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(CompareScreen(left, right))
        await settled(pilot)
        await pilot.press("n")
        assert "−" in shown(app.screen, StepsCompared)[1]
        subtitle = str(app.screen.query_one("#compare-right", StateCompared).border_subtitle)
        assert "no such step" in subtitle
        await pilot.press("home")
        await pilot.click(StepsCompared, offset=(5, 3))
        assert app.screen.query_one(StepsCompared).here == 2


async def test_two_traces_that_are_the_same_say_so(sides):
    left, right = sides(ONE, ONE)
    app = UnfoldApp(left.bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(CompareScreen(left, right))
        await settled(pilot)
        assert "no difference" in str(app.screen.query_one("#compare-heading").content)


async def test_an_error_that_only_moved_is_no_difference(sides):
    """Nor is one whose hint names a line that moved with it: where the macro is defined."""
    wrong = "#define SQUARE(x) x * x\nint f = SQUARE(3, 4);\nint g = SQUARE(5);\n"
    twice = wrong.replace("int g", "int h = SQUARE(6, 7);\nint g")
    for edited, said in (("\n" + wrong, "no difference"), (twice, "1 error only in after, line 3")):
        left, right = sides(wrong, edited)
        assert [d.hint for d in left.bench.diagnostics] != [d.hint for d in right.bench.diagnostics]
        app = UnfoldApp(left.bench)
        async with app.run_test(size=(120, 40)) as pilot:
            await app.push_screen(CompareScreen(left, right))
            await settled(pilot)
            heading = str(app.screen.query_one("#compare-heading").content)
            assert said in heading
            assert "only in before" not in heading


async def test_what_went_wrong_is_a_difference(sides):
    left, right = sides(ONE, "#error no\n" + ONE)
    for one, other in ((left, right), (right, left)):
        app = UnfoldApp(left.bench)
        async with app.run_test(size=(80, 24)) as pilot:
            await app.push_screen(CompareScreen(one, other))
            await settled(pilot)
            said = str(app.screen.query_one("#compare-heading").content)
            assert f"the same steps; 1 error only in {right.label}, line 1: #error no" in said


def test_braces_that_are_missing_are_an_error_of_one_side():
    """To the preprocessor alone, they make no difference."""
    before, text = open_file(BITWISE), BITWISE.read_text()
    edited = text.replace("{}", "", 1)
    after = open_file(BITWISE, replace(before.options, unsaved=((str(BITWISE), edited),)))
    none, (error, *_) = errors_apart(before, after)
    assert not none
    assert error.where.line > text[: text.index("PD_REGISTER_KERNEL(")].count("\n")


async def test_before_and_after_the_edit(tmp_path):
    path = tmp_path / "sample.cc"
    path.write_text(ONE)
    bench = open_file(path)
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        workshop = WorkshopScreen(bench, 4)
        await app.push_screen(workshop)
        await pilot.pause()
        await workshop.settled()
        await pilot.press("end", "left", "left", "9", "f4")
        await until(lambda: isinstance(app.screen, CompareScreen) and app.screen._pairs)
        await settled(pilot)
        await pilot.press("end")
        assert shown(app.screen, "#compare-left")[0] == "− 1 + 2"
        assert shown(app.screen, "#compare-right")[0] == "+ 1 + 29"
        await pilot.press("d")
        assert app.screen is workshop
        assert type(app.screen_stack[0]) is Screen
