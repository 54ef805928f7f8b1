"""Random keys at random moments: nothing falls. What fell once is here, by the keys that did it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.settled import settled
from visualizer.tui.app import UnfoldApp
from visualizer.tui.stepper.notice import Notice
from visualizer.workbench.opening import Opening

ROOT = Path(__file__).parents[2]
SEED, ROUNDS, KEYS = 0, 22, 10  # a round for each place to start at


@pytest.mark.slow
def test_whatever_is_typed_nothing_falls() -> None:
    """`make fuzz` types more; by hand, with other seeds: python -m tests.tui.monkey SEED ROUNDS"""
    done = subprocess.run(
        [sys.executable, "-m", "tests.tui.monkey", *map(str, (SEED, ROUNDS, KEYS))],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # Textual draws the whole stack there
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


async def test_a_window_that_cuts_a_word_of_what_happened(bitwise) -> None:
    app = UnfoldApp(bitwise, 3, 60)
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.resize_terminal(12, 30)
        await settled(pilot)
        assert app.is_running


@pytest.mark.parametrize("key", ["up", "down"])
async def test_a_row_further_where_no_row_is_drawn(bitwise, key) -> None:
    app = UnfoldApp(bitwise, 3, 60)
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.resize_terminal(26, 40)
        await settled(pilot)
        await pilot.press("i", key)
        await settled(pilot)
        assert app.is_running


async def test_a_window_too_narrow_for_why_nothing_is_stepped(tmp_path) -> None:
    (tmp_path / "a.cc").write_text("#define ONE 1\nint a = ONE;\nint b;\n")
    app = UnfoldApp(opening=Opening(tmp_path / "a.cc", 3))
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        assert app.screen.query_one(Notice).asked is not None
        for width in (4, 3, 2, 1):
            await pilot.resize_terminal(width, 30)
            await settled(pilot)
        assert app.is_running


@pytest.mark.parametrize("size", [(4, 3), (1, 1)])
async def test_a_window_too_small_for_the_palette(size) -> None:
    app = UnfoldApp()
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+p")
        await settled(pilot)
        await pilot.resize_terminal(*size)
        await settled(pilot)
        await pilot.press("pageup")
        await settled(pilot)
        assert app.is_running
