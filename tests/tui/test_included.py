"""Included texts in the app: stepped into, told apart by their pass, and left again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.settled import pressing, settled
from visualizer.expansion import Options
from visualizer.expansion.tokens import spell
from visualizer.learning import lesson, progress
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.choice import ChoiceScreen
from visualizer.tui.ink.footer import Footer
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.palette import places
from visualizer.tui.stepper.changed_notice import ChangedNotice
from visualizer.tui.stepper.heading import Heading
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.flags import Flags
from visualizer.workbench.opening import Opening

SIZES = pytest.mark.parametrize(
    "size", [(80, 24), (120, 40), (160, 48)], ids=["80x24", "120x40", "160x48"]
)
FILES = {
    "colours.def": "COLOUR(red, 0xff0000)\nCOLOUR(green, 0x00ff00)\n#undef COLOUR\n",
    "paint.h": "#ifndef PAINT\n#define PAINT\n#define FIRST red\nint first = FIRST;\n#endif\n",
    "x.c": (
        '#include "paint.h"\n#define COLOUR(name, value) name = value,\nenum colour {\n'
        '#include "colours.def"\n};\n'
        "#define COLOUR(name, value) #name,\nconst char *names[] = {\n"
        '#include "colours.def"\n};\n#include "paint.h"\n'
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def unit() -> Workbench:
    return open_file("x.c", Options(cc="none"))


def heading(app: UnfoldApp) -> str:
    return app.screen.query_one(Heading).render_line(0).text


def line(app: UnfoldApp) -> str:
    return spell(app.screen.scene.tokens)


def footer(app: UnfoldApp) -> str:
    row = app.screen.query_one(Footer).region.y
    return "".join(s.text for s in app.screen._compositor.render_strips()[row])


@SIZES
async def test_the_key_leads_into_a_pass_and_back(size: tuple[int, int]) -> None:
    app = UnfoldApp(unit())
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert "#include" in footer(app)
        await pressing("g", "enter", "right")(pilot)
        assert "colours.def:1, included from x.c:4, pass 1 of 2" in heading(app)
        assert line(app) == "red = 0xff0000,"
        assert "back" in footer(app)
        assert "passes" in footer(app)
        await pressing("n", "g", "right")(pilot)
        assert "colours.def:2, included from x.c:8, pass 2 of 2" in heading(app)
        assert line(app) == '"green",'
        await pressing("escape")(pilot)
        assert app.screen.bench.path == Path("x.c")
        await pressing("escape")(pilot)
        assert app.screen.bench.path == Path("x.c")


async def test_the_row_in_the_source_leads_into_it() -> None:
    app = UnfoldApp(unit())
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        source = app.screen.query_one(SourcePane)
        rows = [source.render_line(y).text for y in range(10)]
        assert [y + 1 for y, row in enumerate(rows) if "▸" in row] == [1, 4, 8, 10]
        await pilot.click(SourcePane, offset=(12, 8))
        await settled(pilot)
        assert "included from x.c:8, pass 2 of 2" in heading(app)


async def test_the_tree_of_includes_leads_into_them() -> None:
    app = UnfoldApp(unit())
    async with app.run_test(size=(120, 40)) as pilot:
        await pressing("v", *"paint", "enter")(pilot)
        assert "paint.h:4, included from x.c:1 " in heading(app)
        assert line(app) == "FIRST"


async def test_a_text_that_is_not_read_again_is_not_entered() -> None:
    app = UnfoldApp(unit())
    async with app.run_test(size=(120, 40)) as pilot:
        await pressing("g", *"line 10", "enter")(pilot)
        assert app.screen.bench.path == Path("x.c")
        (said,) = app._notifications
        assert "paint.h is not read here" in said.message


async def test_a_line_with_an_include_is_opened_in_its_text_over_its_file() -> None:
    app = UnfoldApp(opening=Opening(Path("x.c"), 8, Flags(cc="none")))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert "colours.def:1, included from x.c:8, pass 2 of 2" in heading(app)
        await pressing("escape")(pilot)
        assert app.screen.bench.path == Path("x.c")


async def test_a_text_is_opened_from_the_file_that_includes_it() -> None:
    flags = Flags(cc="none", main="x.c", nth=2)
    app = UnfoldApp(opening=Opening(Path("colours.def"), 2, flags))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert "colours.def:2, included from x.c:8, pass 2 of 2" in heading(app)
        await pressing("g", "right")(pilot)
        assert "pass 1 of 2" in heading(app)
        assert line(app) == "green = 0x00ff00,"


async def test_why_is_asked_of_the_pass_that_is_open() -> None:
    app = UnfoldApp(open_file("colours.def", Options(cc="none", main="x.c", nth=2)))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        app.screen.ask_why(1)
        await settled(pilot)
        assert isinstance(app.screen, ChoiceScreen)
        told = "\n".join(str(row.words) for row in app.screen._candidates)
        assert 'COLOUR expands to `"red",`' in told


async def test_it_is_edited_in_its_pass() -> None:
    app = UnfoldApp(open_file("colours.def", Options(cc="none", main="x.c", nth=2)))
    async with app.run_test(size=(120, 40)) as pilot:
        await pressing("w")(pilot)
        assert isinstance(app.screen, WorkshopScreen)
        assert [path.name for path in app.screen.choices] == ["colours.def", "x.c", "paint.h"]


async def test_the_palette_leads_into_it() -> None:
    app = UnfoldApp(unit())
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        found = {command.name: command for command in places(app.screen)}
        found["Into line 8: colours.def"].run()
        await settled(pilot)
        assert "pass 2 of 2" in heading(app)


async def test_a_text_read_again_stays_in_its_pass(tmp_path: Path) -> None:
    app = UnfoldApp(unit())
    async with app.run_test(size=(120, 40)) as pilot:
        await pressing("g", *"line 8", "enter")(pilot)
        (tmp_path / "x.c").write_text("\n" + FILES["x.c"])
        await pressing("l")(pilot)
        assert "colours.def:1, included from x.c:9, pass 2 of 2" in heading(app)


async def test_a_header_that_was_written_anew_with_what_it_held_has_not_changed(
    tmp_path: Path,
) -> None:
    app = UnfoldApp(unit())
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        notice, header = app.screen.query_one(ChangedNotice), tmp_path / "paint.h"
        for text, changed in (("", ()), ("int b;\n", (header,)), ("", ())):
            (tmp_path / "other").write_text(FILES["paint.h"] + text)
            (tmp_path / "other").rename(header)
            notice.look_again()
            assert notice.changed == changed


async def test_a_lesson_leads_into_the_list_and_back(monkeypatch) -> None:
    folder = lesson.find("macros/8")
    read = lesson.load(folder)
    page = next(n for n, page in enumerate(read.pages) if "of its own" in page.title)
    progress.at_page(read, page, print)
    app = UnfoldApp(lesson=read.id)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert app.screen.bench.path.name == "market.c"
        assert "#include" in footer(app)
        await pressing("g", *"line 9", "enter", "right")(pilot)
        assert "fruits.def:1, included from market.c:9, pass 2 of 2" in heading(app)
        assert line(app) == "3,"
        await pressing("escape")(pilot)
        assert isinstance(app.screen, LessonScreen)


@SIZES
def test_an_included_text(snap_compare, size) -> None:
    bench = open_file("colours.def", Options(cc="none", main="x.c", nth=2))
    assert snap_compare(UnfoldApp(bench), terminal_size=size)


@SIZES
def test_what_can_be_stepped_into(snap_compare, size) -> None:
    assert snap_compare(UnfoldApp(unit()), terminal_size=size, press=["g"])
