"""Ways through a trace beyond step by step: breakpoints, search, the tree, a followed token."""

import itertools
import time
from dataclasses import replace

import pytest
from textual.widgets import Input, SelectionList
from textual.widgets._toast import Toast

from tests.tui.settled import burst, settled
from tests.waiting import until
from visualizer.expansion.hiding import Merged
from visualizer.expansion.tokens import spell
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.ink.footer import Footer
from visualizer.tui.stepper.definition import DefinitionScreen
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.narration import Narration
from visualizer.tui.stepper.origin_card import OriginCard
from visualizer.tui.stepper.patterns import PatternsScreen
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.tui.stepper.timeline_bar import TimelineBar
from visualizer.tui.stepper.tree_pane import TreePane
from visualizer.workbench.bench import open_file
from visualizer.workbench.opening import Opening
from visualizer.workbench.samples import samples_folder

SAMPLES = samples_folder() / "phi"

WIDE, SMALL = (160, 48), (80, 24)
DEEP = """\
#define EVAL(...) EVAL1(EVAL1(EVAL1(__VA_ARGS__)))
#define EVAL1(...) EVAL2(EVAL2(EVAL2(__VA_ARGS__)))
#define EVAL2(...) __VA_ARGS__
#define ADD(a, b) a + b
int n = EVAL(ADD(EVAL(1), 2));
"""


def rows(pane):
    """What stands in a pane, row by row."""
    return [pane.render_line(y).text.rstrip() for y in range(pane.size.height)]


def type_(text):
    names = {"_": "underscore", "*": "asterisk", ":": "colon", " ": "space"}
    return [names.get(c, c) for c in text]


async def test_out_of_an_invocation(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        for _ in range(9):
            await pilot.press("right")
        inside = app.screen.scene.invocations()
        await pilot.press("o")
        assert len(app.screen.scene.invocations()) < len(inside)
        await pilot.press("o", "o", "o", "o", "o", "o", "o", "o")
        assert app.screen.scene.upcoming is None


async def test_running_to_breakpoints_through_all_invocations(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("space")
        assert app.screen.scene.state == 0, "without a breakpoint, nothing moves"
        await pilot.press("k", *type_("PD_NARGS"), "enter", "escape")
        assert isinstance(app.screen, StepperScreen)
        places = []
        for _ in range(5):
            await pilot.press("space")
            scene = app.screen.scene
            places.append((scene.expansion, scene.state))
            assert scene.upcoming.step.macro == "PD_NARGS"
        assert places == sorted(set(places))
        assert places[-1][0] > 3
        for place in places[-2::-1]:
            await pilot.press("backspace")
            assert (app.screen.scene.expansion, app.screen.scene.state) == place


async def test_a_breakpoint_at_an_event(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("k", "down", "space", "escape", "space")
        assert any(o.kind == "paste" for o in app.screen.scene.upcoming.step.operations)
        await pilot.press("k")
        assert app.screen.query_one(SelectionList).selected == ["on:paste"]
        await pilot.press("down", "delete", "escape", "home", "space")
        assert app.screen.scene.state == 0


@pytest.mark.parametrize("key", ["k", "x"])
async def test_a_pattern_that_fits_nothing_says_so(bitwise, key):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        for word, fits in (("NOWHERE", False), ("PD_NARGS", True), ("NO[WHERE", False)):
            await pilot.press(key, *type_(word.replace("[", "?")), "enter")
            await settled(pilot)
            assert (word in app.screen.query_one(SelectionList).selected) is fits
            said = str(app.screen.query_one("#patterns-hint").content)
            assert ("✗ Nothing in this file" in said) is not fits
            await pilot.press("escape")


async def test_of_a_misspelled_name_the_one_that_may_be_meant_is_said(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("k", *type_("PD_NRAGS"), "enter")
        await settled(pilot)
        assert "Did you mean PD_NARGS?" in str(app.screen.query_one("#patterns-hint").content)


async def test_no_breakpoint_is_ahead(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("k", *type_("PD_NARGS"), "enter", "escape")
        await pilot.press("n", "n", "n", "end", "space")
        assert "No breakpoint lies ahead." in [n.message for n in app._notifications]


async def test_coarse_and_fine_keep_the_place(bitwise):
    """The list of folds proposes what makes declarations, and then every step again."""
    app = UnfoldApp(bitwise, 3, 58)
    async with app.run_test(size=WIDE) as pilot:
        line = spell(app.screen.scene.tokens)
        await pilot.press("f", "enter")
        scene = app.screen.scene
        assert scene.look.coarse
        assert len(scene.timeline) < 100
        assert scene.whole_state >= 58
        await pilot.press("f", "enter")
        assert len(app.screen.scene.timeline) == 142
        if scene.whole_state == 58:
            assert spell(app.screen.scene.tokens) == line
        await pilot.press("f", "enter", "end")
        last = app.screen.scene
        assert spell(last.tokens[: last.tail.start]) == spell(bitwise.trace.expansions[3].after)
        assert len(last.registry) == len(bitwise.registry_at(3, 142))


async def test_a_macro_without_declarations_is_folded_by_depth(source):
    app = UnfoldApp(source(DEEP))
    async with app.run_test(size=WIDE) as pilot:
        whole = len(app.screen.scene.timeline)
        await pilot.press("f")
        listed = app.screen.query_one(ChoiceList)
        assert listed.value.endswith("steps")
        assert "levels" in listed.value
        await pilot.press("enter")
        assert 1 < len(app.screen.scene.timeline) < whole
        await pilot.press("f", *type_("1 level:"), "enter")
        assert len(app.screen.scene.timeline) == 1
        await pilot.press("f", *type_("every"), "enter")
        assert len(app.screen.scene.timeline) == whole


async def test_only_macros_of_my_files_are_stopped_at(tmp_path):
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    theirs.mkdir()
    (theirs / "twice.h").write_text("#define TWICE(x) SUM(x, x)\n#define SUM(a, b) a + b\n")
    (mine / "main.c").write_text(
        '#include "../theirs/twice.h"\n#define ONE 1\nint n = TWICE(ONE);\n'
    )
    app = UnfoldApp(open_file(mine / "main.c"))
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("f", *type_("my files"), "enter")
        moments = app.screen.scene.timeline.moments
        assert [m.step.macro for m in moments if not isinstance(m, Merged)] == ["ONE"]
        assert spell(moments[-1].insert) == "1 + 1"


async def test_hidden_macros_are_not_stopped_at(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("x", *type_("PD_*"), "enter", "escape")
        scene = app.screen.scene
        assert scene.look.hidden == ("PD_*",)
        assert len(scene.timeline) < 142
        await pilot.press("right")
        assert "hidden" in app.screen.scene.happened_text()
        await pilot.press("x")
        assert isinstance(app.screen, PatternsScreen)
        await pilot.press("down", "delete", "escape")
        assert len(app.screen.scene.timeline) == 142


async def test_a_blank_ticks_a_row_also_where_names_are_typed(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("k", "space")
        assert app.screen.query_one(Input).value == ""
        await pilot.press("down", "space", "escape")
        await pilot.press("k")
        assert app.screen.query_one(SelectionList).selected == ["on:paste", "on:stringize"]


async def test_enter_on_a_row_closes_with_what_is_ticked(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("k", "down", "space", "enter")
        assert isinstance(app.screen, StepperScreen)
        await pilot.press("k")
        assert app.screen.query_one(SelectionList).selected == ["on:paste"]


@pytest.mark.parametrize("key", ["k", "x"])
async def test_a_name_can_be_typed_from_the_rows_too(bitwise, key):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press(key, "down", "space", *type_("PD_NARGS"))
        assert app.screen.query_one(Input).value == "PD_NARGS"
        await pilot.press("enter")
        await settled(pilot)
        ticked = app.screen.query_one(SelectionList).selected
        assert len(ticked) == 2
        assert "PD_NARGS" in ticked


async def test_searching_a_token(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("slash", *type_("args_def_FN"))
        listed = app.screen.query_one(ChoiceList)
        assert "__PD_KERNEL_args_def_FN_" in listed.words[0]
        await pilot.press("enter")
        scene = app.screen.scene
        assert "args_def_FN" in scene.tokens[scene.followed].text
        assert scene.followed in scene.produced, "it is born in this very step"
        await pilot.press("i", "slash", *type_("nosuchtoken"), "enter")
        assert not app.screen.query_one(ChoiceList).words
        await pilot.press("escape")
        assert app.screen.scene == scene or app.screen.scene.state == scene.state


async def test_where_macros_are_hidden_a_found_token_has_the_step_that_one_gets_to(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("x", *type_("PD_EXPAND"), "enter", "escape", "slash")
        await pilot.press(*type_("_PD_KERNEL_REGISTRAR_INIT_3"))
        await settled(pilot)
        listed = "".join(strip.text for strip in app.screen._compositor.render_strips())
        await pilot.press("enter")
        await settled(pilot)
        scene = app.screen.scene
        assert scene.whole_state > scene.state
        assert f"  step {scene.state} → step " in listed
        count = app.screen.query_one(TimelineBar).render_line(0).text
        assert f"step {scene.state:>3} of {len(scene.timeline)} shown" in count
        assert scene.invocations()[0] == "PD_REGISTER_KERNEL", "all that it lies in is told"


async def test_jumping_to_a_step(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("j", "1", "2", "0", "enter")
        assert app.screen.scene.state == 120
        await pilot.press("j", "9", "9", "9", "enter")
        assert app.screen.query_one(Input), (
            "143 steps and more there are not: it says so, and stays"
        )
        await pilot.press("escape")
        assert app.screen.scene.state == 120


async def test_following_a_token_to_its_origin_and_back(bitwise):
    app = UnfoldApp(bitwise, 3, 142)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("i")
        scene = app.screen.scene
        names = [t.text for t in scene.tokens]
        for _ in range(abs(names.index("BitwiseAndKernel") - scene.followed)):
            await pilot.press(
                "left" if app.screen.scene.followed > names.index("BitwiseAndKernel") else "right"
            )
        scene = app.screen.scene
        assert scene.tokens[scene.followed].text == "BitwiseAndKernel"
        assert scene.state == 142, "the arrows choose a token now, and don't step"
        hops = "\n".join(rows(app.screen.query_one(OriginCard)))
        assert "the argument x of PD_EXPAND" in hops
        source = app.screen.query_one(SourcePane)
        assert list(source._lit) == [74], "line 75 of the source lights up"
        await pilot.press("comma")
        assert app.screen.scene.state == 0, "it stood in the source already"
        assert app.screen.scene.tokens[app.screen.scene.followed].text == "BitwiseAndKernel"
        await pilot.press("full_stop")
        gone = app.screen.scene
        assert gone.state == 142, "it stays to the end"
        await pilot.press("i", "left")
        assert app.screen.scene.token is None
        assert app.screen.scene.state == 141


async def test_a_clicked_token_is_followed(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.click(LineView, offset=(30, 1))
        scene = app.screen.scene
        assert scene.tokens[scene.followed].text == "bitwise_and"
        assert app.screen.query_one(OriginCard).region.area


async def test_the_life_of_a_token_that_is_used_up(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("right", "i")
        name = app.screen.scene.token
        assert name.text == "_PD_REGISTER_KERNEL"
        await pilot.press("full_stop")
        scene = app.screen.scene
        assert scene.upcoming.step.name is name
        await pilot.press("comma")
        assert app.screen.scene.happened.insert[0] is name


async def test_up_and_down_choose_a_token_in_another_row(bitwise):
    app = UnfoldApp(bitwise, 3, 100)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("i")
        first = app.screen.scene.followed
        await pilot.press("down")
        assert app.screen.scene.followed > first
        await pilot.press("up")
        assert abs(app.screen.scene.followed - first) < 20


async def test_the_tree_goes_along_and_leads(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("4")
        tree = app.screen.query_one(TreePane)
        shown = rows(tree)
        assert shown[0].startswith("▶▾ PD_REGISTER_KERNEL")
        await pilot.press("right", "right")
        assert rows(tree)[2].lstrip().startswith("▶")
        await pilot.press("down", "down", "enter")
        assert app.screen.scene.state == 4, "in the tree, the arrows choose a row"
        await pilot.press("up", "up", "up", "space")
        assert "▸" in "".join(rows(tree))
        await pilot.press("space")
        assert "▸" not in "".join(rows(tree))


async def test_the_tree_is_clicked(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("4")
        tree = app.screen.query_one(TreePane)
        assert tree.region.width > 30
        assert app.screen.query_one(LineView).region.area, "it stands beside the line"
        await pilot.click(TreePane, offset=(20, 6))
        assert app.screen.scene.state == 5


async def test_the_tree_tells_how_deep_a_step_is_however_deep(source):
    deep = "".join(f"#define M{n + 1} M{n} \n" for n in range(30))
    app = UnfoldApp(source(f"#define M0 0\n{deep}int n = M30;\n"))
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await burst(pilot, "4", "end")
        tree = app.screen.query_one(TreePane)
        levels = [moment.level for moment in app.screen.scene.timeline.moments]
        most = tree.room // 3
        assert max(levels) > most + 1
        told = ["".join(text for text, _ in tree.draw(row)) for row in range(len(levels))]
        for level, row in zip(levels, told, strict=True):
            before = row[1 : row.index("M") - 2]
            assert before == (" " * level if level <= most else f"{level} ".rjust(most))


async def test_what_is_left_out_of_the_tree_takes_no_indentation(bitwise):
    """No row lies further in than one level below the row above it."""
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        scene = app.screen.scene
        app.screen.scene = scene.looked_at(replace(scene.look, coarse=True))
        await burst(pilot, "4", "end")
        levels = [moment.level for moment in app.screen.scene.timeline.moments]
        assert any(b > a + 1 for a, b in itertools.pairwise(levels)), "levels are left out"
        tree = app.screen.query_one(TreePane)
        told = ["".join(text for text, _ in tree.draw(row)) for row in range(tree.count)]
        depths = [len(row[1:]) - len(row[1:].lstrip()) for row in told]
        assert len(depths) == len(levels)
        assert depths[0] == 0
        assert all(b <= a + 1 for a, b in itertools.pairwise(depths))


async def test_conditionals_and_includes_are_places_to_go_to(tmp_path):
    """Their rows begin with what tells them apart, however long the path is."""
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "macros.h").write_text("#define ONE 1\n")
    text = '#include "near/macros.h"\n#if ONE > 2\n#endif\nint n = ONE;\n'
    (tmp_path / "file.c").write_text(text)
    app = UnfoldApp(open_file(tmp_path / "file.c"))
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await burst(pilot, "v")
        listed = [row for row in rows(app.screen.query_one(ChoiceList)) if row]
        assert listed[0].split() == ["▸", "2", "#if", "ONE", ">", "2", "not", "taken"]
        assert "ONE > 2 = 0" in listed[1]
        assert "near" in listed[-1].split()
        assert listed[-1].split()[:2] == ["#include", "macros.h"]
        await burst(pilot, "escape", "2", "v", "down", "enter")
        assert isinstance(app.screen, StepperScreen)
        assert app.screen.scene.invocation.directive == "if"
        assert not app.screen.hides_steps
        await burst(pilot, "v", *"mac", "enter")
        assert app.screen.bench.trace.file.endswith("macros.h")


async def test_a_conditional_without_steps_is_shown_in_its_file(source):
    app = UnfoldApp(source("#define ONE 1\n#ifdef ONE\nint n = ONE;\n#endif\n"))
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await burst(pilot, "v", "enter")
        await settled(pilot)
        assert isinstance(app.screen, DefinitionScreen)
        chosen = app.screen.query_one("#definition-source").cursor
        assert (chosen.line, chosen.text) == (1, "ifdef")
        await burst(pilot, "escape")
        assert isinstance(app.screen, StepperScreen)


async def test_a_file_without_conditionals_says_so(source):
    app = UnfoldApp(source("int x;\n"))
    async with app.run_test(size=SMALL) as pilot:
        await settled(pilot)
        await burst(pilot, "v")
        assert rows(app.screen.query_one(ChoiceList))[0].strip() == "This file has none."


@pytest.mark.parametrize("key", ["o", "k", "x", "f", "i", "comma", "full_stop", "slash", "j", "4"])
async def test_keys_on_a_file_without_macros(source, key):
    app = UnfoldApp(source("int x;\n"))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press(key, "right", "escape")
        assert app.screen.scene is None


async def test_escape_ends_what_one_is_in_and_never_the_stepper():
    app = UnfoldApp()
    async with app.run_test(size=WIDE) as pilot:
        app.open_file(Opening(SAMPLES / "bitwise_kernel.cc"))
        await until(lambda: isinstance(app.screen, StepperScreen))
        for begins in (["i"], ["slash"], ["j"], ["question_mark"], ["k"], []):
            await pilot.press(*begins, "escape")
            assert isinstance(app.screen, StepperScreen)
            assert app.screen.scene.token is None
        await pilot.press("escape")  # the message that nothing was open
        await pilot.press("3", "slash", *type_("and"), "enter", "i")
        assert app.screen.scene.token is not None
        await pilot.press("escape")
        assert app.screen.query_one(RegistryPane).letters is None
        await pilot.press("escape")
        assert app.screen.scene.token is None


async def test_home_and_back_keeps_the_place():
    app = UnfoldApp()
    async with app.run_test(size=WIDE) as pilot:
        path = SAMPLES / "bitwise_kernel.cc"
        for keys in (["right"] * 9, []):
            app.open_file(Opening(path))
            await until(lambda: isinstance(app.screen, StepperScreen))
            await pilot.press(*keys)
            assert app.screen.scene.state == 9
            await pilot.press("h")
            assert not isinstance(app.screen, StepperScreen)


@pytest.mark.parametrize("key", ["question_mark", "f1"])
@pytest.mark.parametrize("opens", [[], ["w"], ["d"], ["r"], ["enter"], ["s"], ["b"]])
async def test_the_keys_of_every_screen_are_told(bitwise, opens, key):
    app = UnfoldApp(bitwise, 3, 142)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press(*opens)
        await app.workers.wait_for_complete()
        await pilot.press(key)
        await pilot.pause()
        assert app.is_running
        assert app._exception is None
        if opens == ["b"]:
            await pilot.press("escape", "c", "escape")


async def test_what_is_chosen_can_be_told_without_colour(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("k", "down", "space")
        listed = app.screen.query_one(SelectionList)
        assert listed.render_line(0).text.startswith("[✓]")
        assert listed.render_line(1).text.startswith("[ ]")


def footer(app):
    """The keys that it shows, with what it says of them."""
    return app.screen.query_one(Footer).render_line(0).text


async def test_while_a_token_is_followed_the_footer_has_the_keys_of_that(bitwise):
    app = UnfoldApp(bitwise, 3, 10)
    async with app.run_test(size=SMALL) as pilot:
        assert "step" in footer(app)
        await pilot.press("i")
        await settled(pilot)
        for words in ("token", "its origin", "its end", "let go"):
            assert words in footer(app)
        assert "step" not in footer(app)
        await pilot.press("escape")
        await settled(pilot)
        assert "step" in footer(app)


async def test_where_a_tokens_life_leads_no_further_that_is_said(source):
    app = UnfoldApp(source("#define TWICE(x) x x\nint a = TWICE(1);\n"))
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await pilot.press("comma", "i", "comma", "full_stop")
        await pilot.press("i", "end", "i", "full_stop", "comma", "comma")
        said = [n.message for n in app._notifications]
        assert {message.partition("  ×")[0] for message in said} == {
            "No token is followed: i takes one up, and so does a click on it.",
            "Here it came into being.",
            "The next step uses it up.",
            "Nothing uses it up: it stays.",
        }


async def test_what_is_cut_is_told_whole_by_the_key_that_stands_there(bitwise):
    app = UnfoldApp(bitwise, 3, 40)
    async with app.run_test(size=SMALL) as pilot:
        told = app.screen.query_one(Narration)
        assert told.render_line(2).text.rstrip().endswith("… u ▾")
        await pilot.press("i", "u")
        whole = str(app.screen.query_one("#panel-text").content)
        assert "adding PD_NARGS(bool, uint8_t, … int64_t)." in whole
        assert "kernel_instantiation_macro of _PD_KERNEL_INSTANTIATION_5" in whole
        await pilot.press("escape")
        assert isinstance(app.screen, StepperScreen)


async def test_an_included_file_and_its_time_stand_in_one_row(tmp_path, monkeypatch):
    deep = tmp_path / ("folder" * 12)
    deep.mkdir()
    (deep / "header.h").write_text("#define A 1\n")
    (tmp_path / "sample.cc").write_text(f'#include "{deep / "header.h"}"\nint a = A;\n')
    app = UnfoldApp(open_file(tmp_path / "sample.cc"))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("v")
        await settled(pilot)
        times = [line for line in rows(app.screen.query_one(ChoiceList)) if " ms" in line]
        assert times
        assert all("header.h" in line for line in times)


async def test_a_tab_in_the_source_is_a_blank_where_a_token_comes_from(source):
    app = UnfoldApp(source("#define ONE\t1\nint a = ONE;\n"))
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("right", "i")
        assert any("#define ONE 1" in row for row in rows(app.screen.query_one(OriginCard)))


SOURCE_LINE, EXPANDED = "This is the source line", "The line is expanded"


@pytest.mark.parametrize(
    ("state", "keys", "said"),
    [
        (0, ["left"], SOURCE_LINE),
        (0, ["up"], SOURCE_LINE),
        (0, ["home"], SOURCE_LINE),
        (142, ["right"], EXPANDED),
        (142, ["down"], EXPANDED),
        (142, ["end"], EXPANDED),
        (142, ["o"], EXPANDED),
        (0, ["left_square_bracket"], "No entry is completed further back"),
        (142, ["right_square_bracket"], "No entry is completed further on"),
        (0, ["p", "p", "p", "p"], "This is the first invocation of the file."),
        (0, [*("n" for _ in range(20))], "This is the last invocation of the file."),
        (0, ["c"], "Nothing has happened yet"),
        (0, ["i", *("left" for _ in range(3))], "This is the first token of the line."),
        (0, ["i", *("right" for _ in range(40))], "This is the last token of the line."),
        (0, ["i", "up", "up"], "This is the first row of the line."),
        (0, ["comma"], "No token is followed"),
        (0, ["space"], "There is no breakpoint yet"),
        (0, ["enter"], "Nothing is registered yet"),
        (0, ["escape"], "Nothing is open over the steps"),
        (0, ["m"], "this file registers none. The sample fluid/trace_op.cc does"),
    ],
)
async def test_a_key_that_leads_nowhere_says_why(bitwise, state, keys, said):
    app = UnfoldApp(bitwise, 3, state)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await burst(pilot, *keys)
        assert said in " ".join(toast.message for toast in app._notifications)


async def test_in_a_file_that_invokes_nothing_each_key_says_so(source):
    walk = ("left", "right", "up", "down", "home", "end", "o", "p", "n", "c", "i", "u", "s", "d")
    asks = ("j", "space", "backspace", "k", "f", "x", "/")
    said = dict.fromkeys(
        (*walk, *asks),
        "This file defines macros and invokes none: w opens it, to write an invocation.",
    )
    entries = dict.fromkeys(
        ("r", "b", "enter", "[", "]", "3"), "This text registers nothing: it has no entries."
    )
    app = UnfoldApp(source("#define ONE 1\nint n;\n"))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        told = {}
        for key in (*said, *entries):
            await burst(pilot, key)
            told[key] = " ".join(toast.message for toast in app._notifications)
            app.clear_notifications()
            await settled(pilot)
        assert told == said | entries


async def test_a_key_that_is_held_at_the_end_says_it_once_and_for_as_long_as_it_is_held(bitwise):
    app = UnfoldApp(bitwise, 3)
    app.NOTIFICATION_TIMEOUT = 2.0
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await burst(pilot, "r")
        (shown,) = app.screen.query(Toast)
        said = str(shown.render())
        first_end = time.monotonic() + app.NOTIFICATION_TIMEOUT
        pressed = 1
        while time.monotonic() < first_end + 0.5:
            await pilot.press("r")
            pressed += 1
            assert [str(toast.render()) for toast in app.screen.query(Toast)] == [
                f"{said}  ×{pressed}"
            ]
        await until(lambda: not app.screen.query(Toast))
        await burst(pilot, "r")
        assert [str(toast.render()) for toast in app.screen.query(Toast)] == [said]


async def test_what_a_line_has_no_token_left_for_says_so(source):
    app = UnfoldApp(source("#define NOTHING\nNOTHING\n"), 0, 1)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settled(pilot)
        await burst(pilot, "i")
        assert [t.message for t in app._notifications] == [
            "No token is left on the line that could be followed."
        ]
