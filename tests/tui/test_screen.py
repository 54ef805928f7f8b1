"""The screen as a whole: tabs, sizes, themes, mouse, help, and files in which something is wrong."""

import subprocess
import sys

import pytest
from rich.cells import cell_len
from textual.widgets import OptionList

from tests.waiting import until
from visualizer.tui.app import UnfoldApp
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.dialogs.keys import KeysScreen
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.themes import DARK, HIGH_CONTRAST, LIGHT
from visualizer.tui.stepper.breadcrumb import crumbs, elided
from visualizer.tui.stepper.card import Card
from visualizer.tui.stepper.diagnostics import DiagnosticsScreen
from visualizer.tui.stepper.heading import Heading
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.notice import Notice
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.tui.stepper.timeline_bar import TimelineBar, cell_of, state_at
from visualizer.workbench.flag_words import read_flags
from visualizer.workbench.opening import Opening, load
from visualizer.workbench.samples import samples_folder

SAMPLES = samples_folder() / "phi"


def visible(app):
    panes = (LineView, Card, SourcePane, RegistryPane)
    return [p.__name__ for p in panes if app.screen.query_one(p).region.area]


async def test_a_wide_terminal_shows_all_panes_at_once(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 30)):
        assert visible(app) == ["LineView", "Card", "SourcePane", "RegistryPane"]


async def test_a_narrow_terminal_shows_one_tab_at_a_time(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        assert visible(app) == ["LineView", "Card"]
        await pilot.press("2")
        assert visible(app) == ["SourcePane"]
        await pilot.press("3")
        assert visible(app) == ["RegistryPane"]
        assert isinstance(app.focused, RegistryPane)
        await pilot.press("right")
        assert app.screen.scene.state == 1
        await pilot.press("1")
        assert visible(app) == ["LineView", "Card"]
        for tab in ("2", "3", "4"):
            await pilot.press(tab, "i")
            assert "LineView" in visible(app), "a token is followed where it can be seen"
            await pilot.press("escape")


async def test_tabs_are_clicked_too(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(Heading, offset=(62, 0))
        assert visible(app) == ["RegistryPane"]


@pytest.mark.parametrize("size", [(59, 24), (80, 15)])
async def test_a_terminal_that_is_too_small_is_told_so(bitwise, size):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=size) as pilot:
        assert app.screen.query_one("#too-small").region.area
        assert visible(app) == []
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert not app.screen.query_one("#too-small").region.area
        assert visible(app) == ["LineView", "Card"]


async def test_the_theme_turns_light_then_of_high_contrast_then_dark_again(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 30)) as pilot:
        line = app.screen.query_one(LineView)
        dark = line.render_line(0).text, [s.style for s in line.render_line(0)]
        await pilot.press("t")
        assert app.theme == LIGHT.name
        light = line.render_line(0).text, [s.style for s in line.render_line(0)]
        assert light[0] == dark[0]
        assert light[1] != dark[1]
        await pilot.press("t")
        assert app.theme == HIGH_CONTRAST.name
        await pilot.press("t")
        assert app.theme == DARK.name
        assert [s.style for s in line.render_line(0)] == dark[1]


async def test_a_click_on_the_timeline_goes_there(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(160, 48)) as pilot:
        bar = app.screen.query_one(TimelineBar)
        cells = bar._cells(app.screen.scene)
        await pilot.click(TimelineBar, offset=(1 + 3 + cells - 1, 0))
        assert app.screen.scene.state == len(bitwise.timeline(3))
        await pilot.click(TimelineBar, offset=(2, 0))
        assert app.screen.scene.state == len(bitwise.timeline(3)) - 1
        await pilot.click(TimelineBar, offset=(1 + 3, 0))
        assert app.screen.scene.state == 0
        await pilot.click(TimelineBar, offset=(1 + 3 + cells + 1, 0))
        assert app.screen.scene.state == 1


def test_a_click_on_the_cell_of_a_state_comes_near_that_state():
    for state in range(143):
        assert abs(state_at(cell_of(state, 142, 60), 142, 60) - state) <= 142 / 59


async def test_a_click_on_another_invocation_opens_it(bitwise):
    app = UnfoldApp(bitwise, 3, 20)
    async with app.run_test(size=(160, 48)) as pilot:
        pane = app.screen.query_one(SourcePane)
        first = bitwise.trace.expansions[4].where.line
        await pilot.click(SourcePane, offset=(10, first - 1 - pane.top + 1))
        assert (app.screen.scene.expansion, app.screen.scene.state) == (4, 0)


async def test_a_click_on_an_entry_selects_it(bitwise):
    app = UnfoldApp(bitwise, 3, 142)
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.click(RegistryPane, offset=(10, 3))
        selected = app.screen.query_one(RegistryPane).selected
        assert str(selected.entry.registration.key).endswith("uint8)")


async def test_clicks_on_the_footer_and_the_heading_do_what_they_say(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        await pilot.click(Footer, offset=(2, 0))  # the second of the keys that step
        await pilot.pause()
        assert app.screen.scene.state == 1
        await pilot.click(Heading, offset=(157, 0))
        assert app.screen.scene.expansion == 4


@pytest.mark.parametrize("width", [80, 120])
async def test_the_heading_tells_a_standard_that_the_name_of_the_file_does_not(tmp_path, width):
    for name, flags, told in (
        ("a.h", (), "a.h:2  gnu++17  "),
        ("a.c", (), "a.c:2  gnu17  "),
        ("a.h", (), "a.h:2  gnu17  "),  # which is now among files of C
        ("a.cc", (), "a.cc:2  "),
        ("a.cc", ("--std", "c++20"), "a.cc:2  c++20  "),
    ):
        (tmp_path / name).write_text("#define ONE 1\nint one = ONE;\n")
        bench, _ = load(Opening(tmp_path / name, flags=read_flags(("--cc", "none", *flags))))
        app = UnfoldApp(bench)
        async with app.run_test(size=(width, 30)) as pilot:
            await pilot.pause()
            heading = app.screen.query_one(Heading).render_line(0).text
            place = "1/1 ONE" if width == 80 else "ONE"
            assert heading.startswith(f" {told}{place}")


async def test_the_help_lists_every_key_of_the_stepper(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, KeysScreen)
        shown = str(app.screen.query_one("#panel-text").content)
        for key in ("← →", "↑ ↓", "Home End", "p n", "\nc ", "\nr ", "\ne ", "\nt ", "\nq "):
            assert key in shown
        await pilot.press("question_mark")
        assert isinstance(app.screen, StepperScreen)


async def test_q_quits(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("q")
        await pilot.pause()
        assert app._exit


async def test_a_file_without_macros_opens_and_says_so(source):
    app = UnfoldApp(source("int main() { return 0; }\n"))
    async with app.run_test(size=(120, 40)) as pilot:
        assert "invokes no macro" in app.screen.query_one(LineView).render_line(0).text
        keys = ["right", "left", "down", "up", "home", "end", "n", "p", "c", "r", "e", "escape"]
        await pilot.press(*keys, "1", "2", "3", "tab", "t")
        await pilot.click(TimelineBar, offset=(20, 0))
        assert isinstance(app.screen, StepperScreen)


async def test_a_file_with_errors_opens_and_says_what_and_where(source):
    bench = source("#define F(a, b) a + b\nint x = F(1);\nint y = F(1, 2);\n")
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        notice = app.screen.query_one(Notice)
        assert "1 error" in notice.render_line(0).text
        assert "line 2" in notice.render_line(0).text
        await pilot.press("e")
        assert isinstance(app.screen, DiagnosticsScreen)
        assert "sample.cc:2:9" in told(app)
        await pilot.press("escape")
        await pilot.click(Notice)
        assert isinstance(app.screen, DiagnosticsScreen)


@pytest.mark.parametrize(
    ("above", "message"),
    [("", "does not name a type"), ('#include "nowhere.h"\n', "nowhere.h")],
)
async def test_a_stray_word_before_a_registration_is_one_line(source, above, message):
    text = (SAMPLES / "as_strided_kernel.cc").read_text()
    text = text.replace('#include "', f'{above}#include "{SAMPLES}/')
    bench = source(text.replace("PD_REGISTER_KERNEL_FOR", "MY_EXPORT\nPD_REGISTER_KERNEL_FOR"))
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        errors = [d for d in bench.diagnostics if "MY_EXPORT" in f"{d.message} {d.hint}"]
        assert len(errors) == 1
        assert not app._notifications
        await pilot.press("e")
        lines = [str(option.prompt) for option in app.screen.query_one(OptionList).options]
        (line,) = (line for line in lines if "MY_EXPORT" in line)
        assert message in line
        assert len(lines) == len(bench.diagnostics)


def told(app):
    options = app.screen.query_one(OptionList).options
    return "\n".join(str(option.prompt) for option in options)


async def test_the_notice_tells_of_the_invocation_that_is_shown(source):
    bench = source("#define F(a, b) a + b\nint x = F(1);\nint y = F(1, 2);\nint z = F(3);\n")
    app = UnfoldApp(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        for expansion, told in ((0, "  line 2:"), (1, "elsewhere, line 2:"), (2, "  line 4:")):
            app.screen.open_invocation(expansion)
            await pilot.pause()
            said = app.screen.query_one(Notice).render_line(0).text
            assert told in said
            assert "e shows all" in said, "what is cut is the message"
        await pilot.press("e")
        assert app.screen.query_one(OptionList).highlighted == 1


@pytest.mark.parametrize("width", [80, 100, 120, 160])
async def test_no_key_in_the_footer_is_cut_and_those_of_everywhere_are_there(width):
    app = UnfoldApp()
    async with app.run_test(size=(width, 24)) as pilot:
        app.open_file(Opening(SAMPLES / "bitwise_kernel.cc"))
        for keys, opened in (
            ([], StepperScreen),
            (["d"], CompareScreen),
            (["escape", "h"], HomeScreen),
        ):
            await pilot.press(*keys)
            await until(lambda opened=opened: type(app.screen) is opened and "quit" in footer(app))
            told = footer(app)
            assert cell_len(told) <= width
            assert "? keys" in told
            assert ("home" in told) is (opened is not HomeScreen)


def footer(app):
    return "".join(shown.render_line(0).text for shown in app.screen.query(Footer))


async def test_a_message_leads_to_its_invocation(source):
    bench = source("#define P(a, b) a##b\nint P(x, y);\nint P(+, /);\n")
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        assert app.screen.scene.expansion == 0
        await pilot.press("e", "enter")
        assert app.screen.scene.expansion == 1


async def test_escape_takes_a_warning_away_before_anything_else(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i", "left")
        assert app.screen.follows
        app.notify("one", severity="warning")
        app.notify("two")
        await pilot.press("escape")
        assert not app._notifications
        assert app.screen.follows
        app.notify("it was saved, say")
        await pilot.press("escape")
        assert not app.screen.follows, "what is only told holds nobody up"
        app.notify("one", severity="error")
        await pilot.press("e", "escape")
        assert isinstance(app.screen, StepperScreen), "what was opened later goes first"
        assert app._notifications
        await pilot.press("escape")
        assert not app._notifications


async def test_a_sound_file_has_no_notice(bitwise):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(120, 40)):
        assert not app.screen.query_one(Notice).region.area


async def test_brackets_in_names_are_no_markup(source):
    bench = source("#define S(x) #x\nconst char* s = S([bold]a[/] [x);\n#error [red]no\n")
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("right", "e")
        assert "[red]no" in told(app)


def test_the_middle_of_a_deep_stack_is_left_out():
    names = [f"MACRO_{n}" for n in range(20)]
    shown = elided(names, 60)
    assert shown[0] == "MACRO_0"
    assert shown[-1] == "MACRO_19"
    assert len(" › ".join(shown)) <= 60
    text = "".join(t for t, _ in crumbs(names, 60))
    assert text.startswith("20 deep")
    assert len(text) <= 60
    assert elided(["A", "B"], 60) == ["A", "B"]


def test_opening_the_app_does_not_import_numba():
    code = "import sys, visualizer.tui.app; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


async def test_below_an_invocation_that_nobody_closed_the_notice_says_what_that_means(source):
    bench = source(
        "#define F(a, b) a + b\nint v = F(1);\nint w = F(1, 2);\nint x = F(1, 2;\nint y = F(1, 2);\n"
        "#if F(1, 2)\nint z = F(3);\n#endif\n"
    )
    app = UnfoldApp(bench)
    told = ("  line 2:", "elsewhere, line 2:", "  F( on line 4 is never closed: to", "  line 7:")
    async with app.run_test(size=(80, 24)) as pilot:
        directive = bench.expansion_at(6)
        for expansion, text in [*enumerate(told), (directive, "elsewhere, line 2:")]:
            app.screen.open_invocation(expansion)
            await pilot.pause()
            assert text in app.screen.query_one(Notice).render_line(0).text
        app.screen.open_invocation(2)
        await pilot.press("e")
        assert app.screen.query_one(OptionList).highlighted == 1
