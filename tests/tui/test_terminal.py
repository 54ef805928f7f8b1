"""Terminals that are small, change their size, or lack UTF-8."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.widgets._toast import Toast

from tests.waiting import PATIENCE
from visualizer import tui
from visualizer.personal.settings import settings_path
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.list import HomeList
from visualizer.tui.ink.plain_letters import PlainLetters, has_utf8
from visualizer.tui.stepper.line_view import LineView

GROUND = Color(0, 0, 0)


@pytest.mark.parametrize("size", [(59, 24), (80, 15), (10, 3)])
async def test_home_says_that_a_terminal_is_too_small_and_comes_back_when_it_grows(size):
    app = UnfoldApp()
    async with app.run_test(size=size) as pilot:
        assert app.screen.query_one("#too-small").region.area
        assert not app.screen.query_one(HomeList).region.area
        await pilot.resize_terminal(80, 24)
        assert not app.screen.query_one("#too-small").region.area
        listed = app.screen.query_one(HomeList)
        assert any("▸" in listed.render_line(y).text for y in range(listed.size.height))


async def test_a_resize_in_mid_step_loses_neither_the_step_nor_a_token(bitwise):
    app = UnfoldApp(bitwise, 3, 20)
    async with app.run_test(size=(160, 48)) as pilot:
        for width, height in [(80, 24), (59, 10), (61, 17), (200, 60), (120, 30)]:
            await pilot.press("right")
            before = app.screen.scene.state
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert app.screen.scene.state == before
            await pilot.press("right")
            assert app.screen.scene.state == before + 1
        line = app.screen.query_one(LineView)
        rows = [line.render_line(y) for y in range(line.size.height)]
        assert all(row.cell_length == line.size.width for row in rows)
        assert any("bitwise_and" in row.text for row in rows)


async def test_a_path_in_a_toast_is_not_broken_within_a_name(bitwise):
    names = [f"folder-number-{n}" for n in range(9)]
    path = "/" + "/".join(names)
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify(f"Saved: {path}", markup=False)
        await pilot.pause()
        (toast,) = app.screen.query(Toast)
        rows = [toast.render_line(y).text.strip(" ▌") for y in range(toast.size.height)]
        assert "".join(rows) == f"Saved:{path}"
        assert all(any(name in row for row in rows) for name in names)


def plain(text):
    (segment,) = PlainLetters().apply([Segment(text)], GROUND)
    return segment.text


def test_every_sign_that_the_screens_draw_with_has_a_letter_of_its_width():
    for file in Path(tui.__file__).parent.rglob("*.py"):
        for sign in set(file.read_text("utf-8")):
            if not sign.isascii() and not sign.isalnum():
                assert plain(sign).isascii(), sign
                assert plain(sign).strip("?") or sign.isspace(), f"{sign} in {file.name}"
                assert len(plain(sign)) == cell_len(sign)


def test_what_was_cut_ends_in_a_sign_that_is_no_part_of_a_name():
    assert plain("PD_REGISTER_KERNE…") == "PD_REGISTER_KERNE~"
    assert plain("comparing …") == "comparing.."


def test_letters_that_ascii_lacks_keep_their_place():
    assert plain("a│漢é\u0301z") == "a|???z"


@pytest.mark.parametrize(
    ("environment", "answer"),
    [
        ({}, True),
        ({"LANG": "C"}, False),
        ({"LANG": "POSIX"}, False),
        ({"LANG": "de_DE.ISO-8859-1"}, False),
        ({"LANG": "C.UTF-8"}, True),
        ({"LANG": "C", "LC_CTYPE": "UTF-8"}, True),
        ({"LANG": "en_US.utf8", "LC_ALL": "C"}, False),
        ({"LANG": "en_US.utf8", "LC_ALL": ""}, True),
    ],
    ids=str,
)
def test_what_the_terminal_takes_is_said_by_the_locale(environment, answer):
    assert has_utf8(environment) is answer


def test_without_utf8_nothing_but_ascii_is_sent_to_the_terminal():
    drawn = sent_to_a_terminal({"LC_ALL": "C", "PYTHONUTF8": "0"})
    assert b"Files" in drawn
    assert max(drawn) < 128
    assert b" > " in drawn


def test_what_had_to_be_said_is_on_stderr_when_the_app_has_ended(own_folder):
    settings_path().write_text("theme = ")
    said = sent_to_a_terminal({}, keys=b"q").rpartition(b"\x1b[?1049l")[2]
    assert b"settings.toml.damaged-1" in said


def test_with_no_color_no_colour_is_sent_to_the_terminal():
    drawn = sent_to_a_terminal({"NO_COLOR": "1", "COLORTERM": "truecolor"})
    assert b"\x1b[38;" not in drawn
    assert b"\x1b[48;" not in drawn
    assert b"\x1b[38;" in sent_to_a_terminal({"NO_COLOR": "", "COLORTERM": "truecolor"})


def sent_to_a_terminal(environment, keys=None):
    """All that `unfold` alone sends until the last row of home is there, or with `keys`, until it has
    ended because of them."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", "from visualizer.cli import main; main()"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )
    os.close(terminal)
    drawn = b""
    try:
        while b"quit" not in drawn:
            assert select.select([screen], [], [], PATIENCE)[0]
            drawn += os.read(screen, 65_536)
        while keys and b"\x1b[?1049l" not in drawn:
            os.write(screen, keys)
            if select.select([screen], [], [], 0.3)[0]:
                drawn += os.read(screen, 65_536)
        with suppress(OSError):  # nobody has the terminal open any more
            while keys and select.select([screen], [], [], PATIENCE)[0]:
                drawn += os.read(screen, 65_536)
        return drawn
    finally:
        process.kill()
        process.wait()
        os.close(screen)
