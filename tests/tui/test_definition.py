"""From a name to its definition as it is in force there, and back; a line in the reader's editor."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import stat
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.settled import settled
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.keys import KeysScreen
from visualizer.tui.external_editor import command, edit
from visualizer.tui.stepper.card import Card
from visualizer.tui.stepper.definition import DefinitionScreen
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.workbench.bench import Workbench, open_file

MAIN = """\
#include "d.h"
#define X TWICE(1)
int x = X;
#undef X
#define X 2
int y = X + LATER + __LINE__;
#define LATER 3
int z = SKIPPED + nothing;
"""
HEADER = """\
#ifdef NOPE
#define TWICE(x) x
#define SKIPPED
#else
#define TWICE(x) BOTH(x, x)
#endif
#define BOTH(x, y) x + y
"""


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    (tmp_path / "d.h").write_text(HEADER)
    (tmp_path / "x.c").write_text(MAIN)
    return open_file(tmp_path / "x.c")


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def pane(app: UnfoldApp) -> SourcePane:
    return app.screen.query_one(SourcePane)


def heading(app: UnfoldApp) -> str:
    assert isinstance(app.screen, DefinitionScreen)
    return str(app.screen.query_one("#definition-heading").content)  # type: ignore[attr-defined]


async def test_enter_on_the_card_goes_to_the_definition_that_it_shows(bench: Workbench) -> None:
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        app.screen.query_one(Card).focus()
        await press(pilot, "enter")
        assert heading(app).endswith("x.c:2")
        cursor = pane(app).cursor
        assert cursor is not None
        assert (cursor.text, cursor.line, cursor.start) == ("X", 1, 8)
        await press(pilot, "right", "enter")
        assert heading(app).partition("d.h:")[2] == "5  TWICE as in force on line 2 of x.c"
        await press(pilot, "escape", "escape")
        assert isinstance(app.screen, StepperScreen)


async def test_names_are_chosen_with_the_arrows_and_looked_up_where_they_stand(
    bench: Workbench,
) -> None:
    app = UnfoldApp(bench, 1)
    async with app.run_test(size=(120, 40)) as pilot:
        pane(app).focus()
        await press(pilot, "enter")
        cursor = pane(app).cursor
        assert cursor is not None
        assert (cursor.text, cursor.line) == ("X", 5)
        await press(pilot, "enter")
        assert heading(app).partition("x.c:")[2] == "5  X as in force on line 6 of x.c"
        await press(pilot, "enter")
        assert isinstance(app.screen, DefinitionScreen)
        assert [n.message for n in app._notifications] == [
            "This is the definition of X. Enter goes on from other names."
        ]
        await press(pilot, "escape", "right", "enter")
        assert "7  LATER is not defined yet on line 6 of x.c, but from here on" in heading(app)
        await press(pilot, "escape", "right", "enter")
        assert isinstance(app.screen, StepperScreen)
        assert "__LINE__ is built in: no #define makes it." in {
            n.message for n in app._notifications
        }
        state = app.screen.scene
        await press(pilot, "up", "up", "up", "enter")
        assert "2  X as in force on line 3 of x.c" in heading(app)
        await press(pilot, "escape", "escape", "right")
        assert app.screen.scene is not state  # the arrows step again


async def test_a_header_is_shown_with_what_is_skipped_in_it(bench: Workbench) -> None:
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "right")
        app.screen.query_one(Card).focus()
        await press(pilot, "enter")
        assert heading(app).endswith("d.h:5")
        drawn = ["".join(text for text, _ in pane(app).draw(row)) for row in range(7)]
        assert [row[0] == "┊" for row in drawn] == [False, True, True, False, False, False, False]
        await press(pilot, "escape")
        pane(app).choose(7)
        pane(app).focus()
        await press(pilot, "right", "right", "enter")
        assert "3  SKIPPED is no macro on line 8 of x.c: its #define is skipped" in heading(app)
        await press(pilot, "escape", "right", "enter")
        assert isinstance(app.screen, StepperScreen)
        assert "nothing is no macro on line 8 of x.c." in {n.message for n in app._notifications}


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("vi", ["vi", "+7", "/a b.c"]),
        ("/usr/bin/emacs -nw", ["/usr/bin/emacs", "-nw", "+7", "/a b.c"]),
        ("code --wait", ["code", "--wait", "--goto", "/a b.c:7"]),
        ("hx", ["hx", "/a b.c:7"]),
        ("'my editor' -x", ["my editor", "-x", "+7", "/a b.c"]),
    ],
)
def test_how_an_editor_is_told_the_line(editor: str, words: list[str]) -> None:
    assert command(editor, Path("/a b.c"), 7) == words


async def test_without_an_editor_a_sentence_says_what_to_do(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "E")
        assert [n.message.partition(":")[0] for n in app._notifications] == [
            "Name your editor first"
        ]


async def test_a_browser_is_offered_no_editor(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EDITOR", f"touch {tmp_path}/started")
    monkeypatch.setattr(UnfoldApp, "is_web", property(lambda _: True))
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        for keys in ((), ("tab", "enter")):
            await press(pilot, *keys, "E", "question_mark")
            assert isinstance(app.screen, KeysScreen)
            assert "own editor" not in str(app.screen.query_one("#panel-text").content)  # type: ignore[attr-defined]
            await press(pilot, "escape")
        edit(app, bench.path, 1)
        await settled(pilot)
        assert [n.message for n in app._notifications] == [
            "Your editor can't be opened from a browser."
        ]
    assert not (tmp_path / "started").exists()


def test_the_editor_gets_the_terminal_and_the_app_comes_back(
    bench: Workbench, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\nprintf %s "$*" > {tmp_path}/told\necho EDITING\n')
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", "from visualizer.cli import main; main()", f"{bench.path}:6"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm-256color", "EDITOR": str(editor), "VISUAL": ""},
    )
    os.close(terminal)
    try:
        drawn = before = b" "
        # A key is typed again when nothing is drawn after it: one that comes before the app listens is
        # lost, and one that comes while the editor has the terminal is echoed, which isn't an answer.
        for key, wanted in (
            (b"", b"invocation"),
            (b"E", b"EDITING"),
            (b"", b"invocation"),
            (b"q", b"[?1049l"),
        ):
            drawn = drawn.partition(before)[2]
            before = wanted
            silences = 0
            os.write(screen, key)
            while wanted not in drawn and silences < 200:
                if select.select([screen], [], [], 0.5)[0]:
                    drawn += os.read(screen, 65_536)
                else:
                    silences += 1
                    os.write(screen, key)
            assert wanted in drawn
        assert (tmp_path / "told").read_text() == f"+6 {bench.path}"
    finally:
        process.kill()
        process.wait()
        os.close(screen)
