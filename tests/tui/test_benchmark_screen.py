"""The benchmark screen: rows as they are measured, a plot, and keys to stop, save and close."""

import dataclasses
import threading
from pathlib import Path

import pytest
from textual.widgets import Static

from registry_runtime.benchmark.call_cost import CallCost
from registry_runtime.benchmark.machine import Machine
from registry_runtime.benchmark.results import Results, load
from registry_runtime.benchmark.run import Progress
from registry_runtime.benchmark.sweep import BenchmarkError, Peer, Row
from tests.waiting import until
from visualizer.frameworks.runnable import Measurable
from visualizer.tui.app import UnfoldApp
from visualizer.tui.run.benchmark import BenchmarkScreen
from visualizer.tui.stepper.screen import StepperScreen

MACHINE = Machine("a chip", 4, 2, "Linux x86_64", {})


def row(size):
    seconds = 3e-7 + size * 1e-9
    peers = {"numpy": Peer(seconds / 2, 1e-9, 0.5), "torch": Peer(3 * seconds, 1e-9, 3.0)}
    return Row("add", "float32", size, "CPU", seconds, 1e-8, 12 * size, 0.5, 0.2, False, peers)


def measure(cancelled):
    rows = ()
    yield Progress("loading", 0, 9, None)
    for power in range(8):
        rows = (*rows, row(10**power))
        results = Results("2026", MACHINE, 4e10, rows, complete=False)
        yield Progress("add", 1 + power, 9, results)
    cost = CallCost("add", "float32", 1, "CPU", 7e-6, 8e-8, 3e-7, 0.0)
    yield Progress("", 9, 9, Results("2026", MACHINE, 4e10, rows, (cost,)))


def text(app, widget):
    pane = app.screen.query_one(widget, Static)
    return [
        "".join(segment.text for segment in pane.render_line(y)).rstrip()
        for y in range(pane.size.height)
    ]


async def opened(app, pilot, measuring):
    app.push_screen(BenchmarkScreen(Measurable("add", "", measuring)))
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_all_of_it_is_on_one_screen(bitwise, size):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=size) as pilot:
        await opened(app, pilot, measure)
        await app.workers.wait_for_complete()
        await pilot.pause()
        lines = text(app, "#bench-table")
        assert len(lines) == 9
        assert lines[0].endswith("numpy is      torch is")
        assert lines[8].endswith("  2.00× faster  3.00× slower")
        assert len({len(line) for line in lines}) == 1  # right-aligned
        plot = text(app, "#bench-plot")
        assert max(map(len, plot)) <= size[0]
        assert sum(line.count("u") for line in plot[1:]) >= 7
        assert "7 µs" in text(app, "#bench-call")[1]
        assert "the fastest peer is 2.00× faster" in text(app, "#bench-progress")[0]
        assert app.screen.query_one("#bench-body").max_scroll_y == 0


async def test_the_heading_is_whole_at_80_columns(bitwise):
    chip = dataclasses.replace(MACHINE, device="Some(R) Long(R) Gold 6999P CPU @ 2.60GHz with more")

    def once(cancelled):
        yield Progress("", 9, 9, Results("2026", chip, 4e10, tuple(row(10**n) for n in range(8))))

    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, once)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "copies at 40.0 GB/s" in " ".join(text(app, "#bench-heading"))
        assert app.screen.query_one("#bench-body").max_scroll_y == 0


async def test_what_the_table_doesn_t_explain_itself_is_said_under_it(bitwise):
    def doubtful(cancelled):
        rows = [dataclasses.replace(row(10**n), spread=1.0, copy_share=1.49) for n in range(8)]
        numpy = dataclasses.replace(rows[-1].peers["numpy"], told=False)
        rows[-1] = dataclasses.replace(rows[-1], peers={"numpy": numpy})
        yield Progress("", 9, 9, Results("2026", MACHINE, 4e10, tuple(rows)))

    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, doubtful)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert text(app, "#bench-table")[8].split()[-2:] == ["unclear", "–"]
        assert app.screen.query_one("#bench-remarks").region.bottom < 24, "none scrolls to it"
        told = " ".join(text(app, "#bench-remarks"))
        assert "149%" in "".join(text(app, "#bench-table"))
        assert "Above 100% of copy" in told
        assert "Noisy: " in told
        assert "Unclear: " in told


async def test_c_stops_and_keeps_the_rows_and_s_saves_them(bitwise, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = threading.Event()

    def endless(cancelled):
        results = Results("2026", MACHINE, 4e10, (row(1),), complete=False)
        yield Progress("add", 1, 9, results)
        while not cancelled():
            asked.wait(0.01)
        yield Progress("add", 2, 9, results)

    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, endless)
        while len(text(app, "#bench-table")) < 2:
            await pilot.pause(0.01)
        await pilot.press("c")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "Stopped" in text(app, "#bench-progress")[0]
        await pilot.press("s")
        (saved,) = Path().glob("*.json")
        assert load(saved).rows == (row(1),)
        (said,) = app._notifications
        assert f"unfold bench --compare {saved.name} measures it again" in said.message
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StepperScreen)


async def test_the_keys_are_those_of_what_runs_or_has_ended(bitwise):
    go_on = threading.Event()

    def waits(cancelled):
        yield Progress("add", 1, 9, Results("2026", MACHINE, 4e10, (row(1),), complete=False))
        go_on.wait()
        yield Progress("", 9, 9, Results("2026", MACHINE, 4e10, (row(1),)))

    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        try:
            await opened(app, pilot, waits)
            await until_footer_has(pilot, "c stop")
            assert "r again" not in footer(app)
        finally:
            go_on.set()
        await until_footer_has(pilot, "r again")
        assert "c stop" not in footer(app)
        await pilot.press("r")
        await until_footer_has(pilot, "r again")
        assert "fastest peer" in text(app, "#bench-progress")[0]


def footer(app):
    return app.screen._compositor.render_strips()[-1].text


async def until_footer_has(pilot, key):
    await until(lambda: key in footer(pilot.app))


async def test_what_cannot_be_measured_is_said(bitwise):
    def fail(cancelled):
        raise BenchmarkError("add is declared only")
        yield

    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, fail)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert text(app, "#bench-progress")[0].strip() == "✗ add is declared only"
        await pilot.press("s", "r")


async def test_b_measures_the_selected_kernel_for_real(bitwise, monkeypatch):
    from registry_runtime.benchmark import bandwidth, peers, sweep

    monkeypatch.setattr(bandwidth, "copy_bandwidth", lambda threads: 4e10)
    monkeypatch.setattr(peers, "installed", lambda name: name == "numpy")
    planned = sweep.plan
    monkeypatch.setattr(
        sweep, "plan", lambda names, dtypes, backend: planned(names, dtypes, [1, 1000], backend)
    )
    app = UnfoldApp(bitwise, 3, 10**6)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("b")
        await until(lambda: isinstance(app.screen, BenchmarkScreen))
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert len(text(app, "#bench-table")) == 3
        assert len(text(app, "#bench-call")) == 3
