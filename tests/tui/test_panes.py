"""Which panes there are: those that the text has something for, and they share the width."""

import pytest
from textual.widgets._toast import Toast

from tests.tui.settled import pressing, settled
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.keys import KeysScreen
from visualizer.tui.ink.footer import Footer
from visualizer.tui.lesson.pane import LessonPane
from visualizer.tui.stepper.card import Card
from visualizer.tui.stepper.entry_detail import EntryDetail
from visualizer.tui.stepper.heading import Heading
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.notice import Notice
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.workbench.bench import open_file, reopen

MACROS = "#define TWICE(x) x + x\nint n = TWICE(3);\n"
REGISTERS = """\
namespace phi { struct KernelRegistrar { KernelRegistrar(int); }; }
#define OBJECT(name) static phi::KernelRegistrar name(1)
OBJECT(one);
"""


def area(app, pane):
    return app.screen.query_one(pane).region.area


async def test_text_that_registers_nothing_has_no_registry_and_gives_its_width_away(source):
    app = UnfoldApp(source(MACROS))
    async with app.run_test(size=(120, 40)):
        assert not area(app, RegistryPane)
        assert not area(app, EntryDetail)
        line, beside = (
            app.screen.query_one(LineView).region,
            app.screen.query_one(SourcePane).region,
        )
        assert line.width == beside.width == 60


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 48)])
async def test_in_a_lesson_too_no_pane_is_wider_than_the_screen(size):
    app = UnfoldApp(lesson="macros/1")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = app.screen
        panes = [screen.query_one(kind).region for kind in (LessonPane, LineView, SourcePane)]
        assert all(pane.right <= size[0] for pane in panes), panes


async def test_of_text_that_registers_nothing_no_tab_and_no_key_is_about_the_registry(source):
    app = UnfoldApp(source(MACROS))
    async with app.run_test(size=(80, 24)) as pilot:
        heading = app.screen.query_one(Heading).render_line(0).text
        assert "2 Source  4 Tree" in heading
        await pilot.press("3")
        assert area(app, LineView), "the key of a tab that isn't there does nothing"
        await pilot.pause()
        assert " r " not in app.screen.query_one(Footer).render_line(0).text
        await pilot.press("question_mark")
        assert isinstance(app.screen, KeysScreen)
        told = str(app.screen.query_one("#panel-text").content)
        assert "Measure the selected kernel" not in told
        assert "Registry" not in told


async def test_the_panes_come_back_when_the_text_begins_to_register(source):
    bench = source(MACROS)
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        bench.path.write_text(REGISTERS)
        app.screen.show_anew(reopen(bench))
        await pilot.pause()
        assert isinstance(app.screen, StepperScreen)
        assert area(app, RegistryPane)
        assert area(app, EntryDetail)


@pytest.mark.parametrize(
    ("edited", "line"),
    [
        (lambda lines: ["// one", "// more", *lines], 6),  # above where one was
        (lambda lines: [*lines, "int z = TWICE(9);"], 4),  # below
        (lambda lines: [*lines[:3], "int b = TWICE(7);", *lines[4:]], 4),  # right there
        (lambda lines: lines[:3], 3),  # it is gone: the nearest
    ],
)
async def test_who_reads_the_file_anew_is_where_they_were(source, edited, line):
    lines = [MACROS.splitlines()[0], *(f"int v{n} = TWICE({n});" for n in range(5))]
    bench = source("\n".join(lines) + "\n")
    app = UnfoldApp(bench, 2)
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.screen.scene.invocation.where.line == 4
        bench.path.write_text("\n".join(edited(lines)) + "\n")
        app.screen.show_anew(reopen(bench))
        await pilot.pause()
        assert app.screen.scene.invocation.where.line == line


async def test_a_text_that_invokes_nothing_offers_no_key_that_steps(source):
    app = UnfoldApp(source("int n;\n"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        offered = app.screen.query_one(Footer).render_line(0).text
        for sign in ("step", "over", "invocation", "card", "share"):
            assert sign not in offered
        assert "edit" in offered
        for key in ("right", "n", "c", "s"):
            app.clear_notifications()
            await pilot.press(key)
            (said,) = app._notifications
            assert "invokes no macro" in said.message, key


async def test_a_toast_leaves_the_row_that_tells_of_errors(source):
    app = UnfoldApp(source(MACROS + "#error wrong\n"))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("Unsaved work on this file waits in the workshop: w opens it.")
        await settled(pilot)
        (toast,) = app.screen.query(Toast)
        assert toast.region.area
        assert not toast.region.overlaps(app.screen.query_one(Notice).region)


async def test_what_is_said_twice_at_once_stands_there_once(source):
    app = UnfoldApp(source("int n;\n"))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("This is the first page.")
        app.notify("This is the first page.")
        await settled(pilot)
        (toast,) = app.screen.query(Toast)
        assert toast._notification.message == "This is the first page.  ×2"


@pytest.mark.parametrize("length", range(34, 42))
async def test_a_toast_is_as_high_as_what_it_says(length, source):
    app = UnfoldApp(source("int n;\n"))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        said = "This is the first page of the lesson, said."[:length]
        app.notify(said)
        await settled(pilot)
        rows = [strip.text[38:] for strip in app.screen._compositor.render_strips()]
        shown = " ".join(row.strip(" ▌") for row in rows if "▌" in row)
        assert said.strip() in shown


async def test_that_a_file_is_not_utf_8_is_said_where_it_is_seen(tmp_path):
    path = tmp_path / "gbk.c"
    path.write_bytes('#define SAY(x) puts(x)\nSAY("你好");\n'.encode("gbk"))
    app = UnfoldApp(open_file(path))
    async with app.run_test(size=(80, 24)):
        said = app.screen.query_one(Notice)
        assert said.region.area
        row = said.render_line(0).text
        assert "The file is not UTF-8: shown as GBK" in row
        assert row.rstrip().endswith("e shows all")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)], ids=str)
async def test_a_registration_that_fails_keeps_its_empty_registry(source, size):
    app = UnfoldApp(source(REGISTERS))
    async with app.run_test(size=size) as pilot:
        await pilot.press("3")
        assert area(app, RegistryPane)


LONG = f"#define ONE 1\n/* */ int sum = {' + '.join(f'number_{n}' for n in range(20))} + ONE;\n"


def shown(app):
    pane = app.screen.query_one(SourcePane)
    return [
        pane.render_line(y).text.rstrip()
        for y in range(pane.rows_visible)
        if pane.row_at(y) is not None
    ]


async def test_a_source_line_that_is_cut_is_marked_and_scrolled_sideways(source):
    app = UnfoldApp(source(LONG))
    async with app.run_test(size=(120, 40)) as pilot:
        assert shown(app)[1].endswith("…")
        app.screen.query_one(SourcePane).focus()
        await pilot.press(*["shift+right"] * 40)
        assert shown(app)[1].endswith("+ ONE;")
        assert "…" in shown(app)[1]
        await pilot.press(*["shift+left"] * 40)
        assert "int sum" in shown(app)[1]


async def test_the_followed_token_is_in_view_however_far_to_the_right_it_stands(source):
    app = UnfoldApp(source(LONG))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("i")
        assert app.screen.scene.token.text == "ONE"
        assert "ONE;" in shown(app)[1]
        await pilot.press("i")
        assert "int sum" in shown(app)[1], "nothing is followed any more"


async def test_to_follow_a_token_slides_no_further_than_to_it_and_leaves_short_lines(source):
    long = f"int sum = {' + '.join(f'number_{n}' for n in range(5))} + ONE + {'a' * 40};"
    app = UnfoldApp(source(f"#define ONE 1\n{long}\nint short_one;\n"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("i")
        define, cut, short = shown(app)
        assert cut.rstrip("… ").endswith("ONE"), "it stands at the edge"
        assert define.endswith("#define ONE 1")
        assert short.endswith("int short_one;")


async def test_z_wraps_the_source_and_loses_no_word(source):
    app = UnfoldApp(source(LONG))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("z")
        rows = shown(app)
        assert not any("…" in row for row in rows)
        assert all(len(row) <= app.screen.query_one(SourcePane).room for row in rows)
        told = " ".join(rows)
        assert all(f"number_{n} " in told for n in range(20))
        await pilot.press("z")
        assert len(shown(app)) == 2


async def test_a_line_that_was_hidden_is_seen_as_it_is_now(source):
    """The next invocation's is shorter than what the pane held when it was hidden."""
    long = "#define LIST(x) x x x x x x x x x x x x x x x x x x x x x x x x x x x x\nLIST(a + b)\n"
    app = UnfoldApp(source(f"{long}#define ONE 1\nint n = ONE;\n"), 0, 1)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.screen.action_tab("source")
        await settled(pilot)
        app.screen.open_invocation(1)
        await settled(pilot)
        app.screen.action_tab("line")
        await settled(pilot)
        assert app.screen.query_one(LineView).render_line(0).text.split() == ["▸", "ONE"]


async def test_a_step_brings_the_line_in_front_of_the_source(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await pressing("2", "right")(pilot)
        assert area(app, LineView)
        assert app.screen.query_one(Heading).tab == "line"
        await pressing("3", "right")(pilot)
        assert area(app, RegistryPane), "what a step does to the registry is seen there"
        assert app.screen.scene.state == 2


async def test_a_step_beside_a_page_that_looks_at_the_source_is_seen():
    app = UnfoldApp(lesson="fluid/3")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert not area(app, LineView)
        await pressing("escape", "right")(pilot)
        assert area(app, LineView)
        assert area(app, LessonPane), "the page stays"


async def test_a_card_that_has_become_lower_has_a_scrollbar_only_for_what_does_not_fit(source):
    app = UnfoldApp(source(MACROS))
    async with app.run_test(size=(130, 48)) as pilot:
        await settled(pilot)
        card = app.screen.query_one(Card)
        before = card.region.height
        await pilot.resize_terminal(130, 30)
        await settled(pilot)
        assert card.region.height < before
        assert card.max_scroll_y == 0
