"""A line of a long file is there at once; the rest of the file comes meanwhile, or is left."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from tests.waiting import until
from visualizer.expansion.tokens import spell
from visualizer.expansion.under_way import CalledOff, UnderWay
from visualizer.tui.app import UnfoldApp
from visualizer.tui.stepper.rest_notice import RestNotice
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.workbench import opening as openings
from visualizer.workbench.flags import Flags
from visualizer.workbench.opening import Opening
from visualizer.workbench.samples import samples_folder

PHI = Flags(include_folders=(str(samples_folder() / "phi"),))
ENTRIES = 1000
LINE = 3 + ENTRIES // 2
HEAD = "#define PAIR(a, b) a b\n#define ENTRY(n) int PAIR(n, = __COUNTER__);\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "long.cc"
    file.write_text(HEAD + "".join(f"ENTRY(entry_{n})\n" for n in range(ENTRIES)))
    return file


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The whole is only read when this is set."""
    opened, load = threading.Event(), openings.load

    def waiting(opening: Opening):  # type: ignore[no-untyped-def]
        opened.wait()
        return load(opening)

    monkeypatch.setattr(openings, "load", waiting)
    return opened


def stepper(app: UnfoldApp) -> bool:
    return isinstance(app.screen, StepperScreen) and bool(app.screen.query(RestNotice))


def rest(app: UnfoldApp) -> str:
    notice = app.screen.query_one(RestNotice)
    return notice.render_line(0).text if notice.display else ""


async def test_the_rest_comes_and_the_reader_stays(path: Path, gate: threading.Event) -> None:
    app = UnfoldApp(opening=Opening(path, LINE))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(lambda: stepper(app) and "Reading the rest" in rest(app))
        assert [e.where.line for e in app.screen.bench.trace.expansions] == [LINE]
        assert "Esc stops" in rest(app).replace("  ", " ")
        await pilot.press("right", "right")
        part, state = app.screen.bench, app.screen.scene.whole_state
        before = spell(app.screen.scene.tokens)
        assert state == 2
        gate.set()
        await until(lambda: stepper(app) and app.screen.bench is not part)
        scene = app.screen.scene
        assert len(app.screen.bench.trace.expansions) == ENTRIES
        assert (scene.whole_state, scene.invocation.where.line) == (state, LINE)
        assert spell(scene.tokens) == before
        assert rest(app) == ""
        await pilot.press("end")
        assert f"= {ENTRIES // 2}" in spell(app.screen.scene.tokens)


async def test_who_wants_no_more_has_the_line_and_may_ask_again(
    path: Path, gate: threading.Event
) -> None:
    app = UnfoldApp(opening=Opening(path, LINE))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(lambda: stepper(app) and "Reading the rest" in rest(app))
        await pilot.press("escape")
        await until(lambda: "Only this line was read" in rest(app))
        part = app.screen.bench
        gate.set()
        await pilot.press("end")
        assert f"= {ENTRIES // 2}" in spell(app.screen.scene.tokens)
        assert app.screen.bench is part
        await pilot.press("l")
        await until(lambda: stepper(app) and app.screen.bench is not part)
        assert len(app.screen.bench.trace.expansions) == ENTRIES
        assert app.screen.scene.invocation.where.line == LINE


async def test_what_stands_over_the_line_is_not_taken_away(
    path: Path, gate: threading.Event
) -> None:
    app = UnfoldApp(opening=Opening(path, LINE))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(lambda: stepper(app) and "Reading the rest" in rest(app))
        part = app.screen.bench
        await pilot.press("question_mark")
        over = app.screen
        assert not isinstance(over, StepperScreen)
        gate.set()
        assert app.screen is over
        await pilot.press("escape")
        await until(lambda: stepper(app) and app.screen.bench is not part)


@pytest.mark.parametrize("text", ["short", "no invocation"])
async def test_other_files_are_read_at_once(
    text: str, path: Path, gate: threading.Event, tmp_path: Path
) -> None:
    gate.set()
    line = LINE
    if text == "short":
        path.write_text(HEAD + "ENTRY(a)\nENTRY(b)\n")
        line = 3
    else:
        path.write_text(path.read_text() + "int none;\n")
        line = ENTRIES + 3
    app = UnfoldApp(opening=Opening(path, line))
    async with app.run_test(size=(100, 30)):
        await until(lambda: stepper(app))
        assert len(app.screen.bench.trace.expansions) == (2 if text == "short" else ENTRIES)
        assert rest(app) == ""


@pytest.fixture
def registrations(tmp_path: Path) -> Path:
    file = tmp_path / "many.cc"
    each = "".join(
        f"PD_REGISTER_KERNEL(k{n}, CPU, ALL_LAYOUT, f, float) {{}}\n" for n in range(300)
    )
    file.write_text(f'#include "kernel_registry.h"\nint first;\n{each}')
    return file


async def test_without_a_line_the_first_registration_is_there_at_once(
    registrations: Path, gate: threading.Event
) -> None:
    app = UnfoldApp(opening=Opening(registrations, flags=PHI))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(lambda: stepper(app) and "Reading the rest" in rest(app))
        part = app.screen.bench
        assert [e.where.line for e in part.trace.expansions] == [3]
        gate.set()
        await until(lambda: stepper(app) and app.screen.bench is not part)
        assert len(app.screen.bench.trace.expansions) == 300
        await pilot.press("n", "right", "right", "h")
        place = app._places[registrations]
        await until(lambda: not stepper(app))
        app.open_file(Opening(registrations, flags=PHI))
        await until(lambda: stepper(app))
        assert app.screen.scene.invocation.where == place[0]
        assert app.screen.scene.whole_state == place[1] == 2
        assert place[0].line == 4


async def test_a_bar_says_how_much_is_read_and_esc_ends_the_reading(
    registrations: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    went_on, ended, shares = threading.Event(), threading.Event(), []
    read = UnderWay.read

    def halfway(under_way: UnderWay, share: float) -> None:
        shares.append(share)
        if share > 0.5:
            went_on.wait()
        try:
            read(under_way, share)
        except CalledOff:
            ended.set()
            raise

    monkeypatch.setattr(UnderWay, "read", halfway)
    app = UnfoldApp(opening=Opening(registrations, flags=PHI))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(lambda: stepper(app) and rest(app).count("━") in range(10, 16))
        assert rest(app).count("━") + rest(app).count("─") == 20
        await pilot.press("escape")
        await until(lambda: "Only this line was read" in rest(app))
        went_on.set()
        assert await asyncio.to_thread(ended.wait, 60)
        assert max(shares) < 0.6
