"""Sharing what is on the screen: copied, saved, never over another file without a question."""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from pathlib import Path

import pytest
from textual.events import Mount
from textual.widgets import Input, OptionList, Static

from tests.tui.settled import settled
from tests.waiting import until
from visualizer.export.html import html
from visualizer.export.markdown import markdown
from visualizer.export.svg import svg
from visualizer.scene.scene import Scene
from visualizer.scene.tour import tour
from visualizer.tui import app
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.question import QuestionScreen
from visualizer.tui.stepper import share
from visualizer.tui.stepper.share import ShareScreen, WayToShare
from visualizer.workbench.opening import Opening

STATE = 8


class Alone(UnfoldApp):
    """The app with nothing but this screen."""

    CSS_PATH = Path(app.__file__).with_name("unfold.tcss")

    def __init__(self, screen: ShareScreen) -> None:
        super().__init__()
        self.only = screen

    def on_mount(self, event: Mount) -> None:
        event.prevent_default()
        self.push_screen(self.only)


class Sharing:
    """The panel open on a registration, its files going to a folder of the test's."""

    def __init__(self, bench, folder: Path, size=(80, 24)) -> None:
        self.scene = Scene(bench, 3, STATE)
        self.screen = ShareScreen(self.scene, folder)
        self.app = Alone(self.screen)
        self._running = self.app.run_test(size=size)

    async def __aenter__(self):
        self.pilot = await self._running.__aenter__()
        await self.pilot.pause()
        return self

    async def __aexit__(self, *error):
        await self._running.__aexit__(*error)

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self):
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def save_as(self, path):
        self.screen.query_one(Input).value = str(path)
        await self.press("enter")

    @property
    def said(self) -> str:
        return str(self.screen.query_one("#share-said", Static).content)


@pytest.fixture
def toured(bitwise):
    return tour(bitwise.trace, bitwise.trace.expansions[3], bitwise)


async def test_the_expansion_the_line_and_the_walk_through_are_copied(bitwise, toured, tmp_path):
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.press("1")
        copied = "".join(sharing.app.clipboard.split())
        after = [*toured.expansion.after, *toured.tail]
        assert copied == "".join("".join(t.text.split()) for t in after)
        await sharing.press("2")
        copied = "".join(sharing.app.clipboard.split())
        assert copied == "".join("".join(t.text.split()) for t in sharing.scene.tokens)
        await sharing.press("3")
        assert sharing.app.clipboard == "".join(markdown(toured))
        assert re.match(r"✓ Copied \d+ KB, if this terminal", sharing.said)


@pytest.mark.parametrize(
    ("key", "name", "write"),
    [
        ("4", "bitwise_kernel-72.md", markdown),
        ("5", "bitwise_kernel-72.html", html),
        ("6", "bitwise_kernel-72-step-8.svg", lambda toured: svg(toured, STATE)),
    ],
)
async def test_each_is_saved_under_a_name_of_its_own(bitwise, toured, tmp_path, key, name, write):
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.press(key, "enter")
        assert (tmp_path / name).read_text(encoding="utf-8") == "".join(write(toured))
        assert sharing.said.startswith(f"✓ Saved {tmp_path / name}, ")
        assert os.listdir(tmp_path) == [name]
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o644


async def test_the_trace_is_saved_as_steps_prints_it(bitwise, tmp_path):
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.press("7", "enter")
    document = json.loads((tmp_path / "bitwise_kernel-72.json").read_text())
    assert [e["macro"] for e in document["expansions"]] == ["PD_REGISTER_KERNEL"]


async def test_an_empty_field_wants_a_file_and_not_a_kernel_to_open(bitwise, tmp_path):
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.press("4", "ctrl+u")
        assert sharing.screen.query_one(Input).placeholder == "path/to/file"


async def test_a_name_may_be_typed(bitwise, tmp_path):
    (tmp_path / "folder").mkdir()
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.press("down", "down", "down", "enter")
        assert sharing.screen.focused is sharing.screen.query_one(Input)
        await sharing.save_as(tmp_path / "folder" / "b1.md")
        assert (tmp_path / "folder" / "b1.md").exists()
        await sharing.press("4")
        assert sharing.screen.query_one(Input).value.startswith(str(tmp_path / "folder"))


async def test_a_file_is_overwritten_only_if_the_answer_is_so(bitwise, toured, tmp_path):
    path = tmp_path / "bitwise_kernel-72.md"
    path.write_text("mine")
    async with Sharing(bitwise, tmp_path) as sharing:
        for answer, kept in (("k", True), ("escape", True), ("o", False)):
            await sharing.press("4", "enter")
            assert isinstance(sharing.app.screen, QuestionScreen)
            await sharing.press(answer)
            assert (path.read_text() == "mine") is kept
            await sharing.press(*(["escape"] if kept else []))
    assert path.read_text() == "".join(markdown(toured))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "✗ Type a file's name."),
        ("{}", "✗ Type a file's name."),
        ("~nobody-of-this-name/a.md", "✗ ~nobody-of-this-name/a.md names no place: "),
        ("{}/nowhere/a.md", "✗ There is no folder {}/nowhere."),
        ("{}/" + "long" * 100, "can't be written: File name too long."),
    ],
    ids=["nothing", "a folder", "no such user", "in no folder", "too long"],
)
async def test_what_goes_wrong_is_one_message(bitwise, tmp_path, typed, said):
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.press("4")
        await sharing.save_as(typed.format(tmp_path))
        assert said.format(tmp_path) in sharing.said
        assert os.listdir(tmp_path) == []
        await sharing.save_as(tmp_path / "a.md")
        assert os.listdir(tmp_path) == ["a.md"]


async def test_by_mouse(bitwise, tmp_path):
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.pilot.click(OptionList, offset=(10, 3))
        await sharing.pilot.click(Input)
        await sharing.press("enter")
        assert os.listdir(tmp_path) == ["bitwise_kernel-72.md"]
        await sharing.pilot.click(offset=(0, 0))
        assert sharing.app.screen is not sharing.screen


async def test_escape_goes_back_one_thing_at_a_time(bitwise, tmp_path):
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.press("5", "escape")
        assert sharing.app.screen is sharing.screen
        await sharing.press("escape")
        assert sharing.app.screen is not sharing.screen
        assert os.listdir(tmp_path) == []


async def test_a_browser_is_handed_the_file(bitwise, toured, tmp_path, monkeypatch):
    handed = {}
    monkeypatch.setattr(UnfoldApp, "is_web", True)
    monkeypatch.setattr(
        UnfoldApp,
        "deliver_text",
        lambda self, file, save_filename: handed.update({save_filename: file.read()}),
    )
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.press("5")
        assert handed == {"bitwise_kernel-72.html": "".join(html(toured))}
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("keys", [[], ["5"]], ids=["list", "name"])
@pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])
def test_how_it_looks(snap_compare, bitwise, size, keys):
    screen = ShareScreen(Scene(bitwise, 3, STATE), Path("/home/reader"))
    assert snap_compare(Alone(screen), terminal_size=size, press=keys)


async def test_a_picture_of_a_file_whose_name_is_no_utf8(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(os.fsdecode(b"caf\xe9.cc"))
    path.write_bytes(b'#define A(x) x x\nint y = A("\xe9");\n')
    app = UnfoldApp(opening=Opening(path))
    async with app.run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        app.save_picture()
        await settled(pilot)
        (picture,) = tmp_path.glob("*.svg")
        assert "caf\ufffd.cc" in picture.read_text()


@pytest.mark.parametrize("leaves", [False, True])
async def test_esc_ends_what_takes_long_to_write(bitwise, tmp_path, monkeypatch, leaves):
    begun, ended = threading.Event(), threading.Event()

    def endless(scene, write):
        try:
            while True:
                write("again ")
                begun.set()
        finally:
            ended.set()

    monkeypatch.setattr(share, "WAYS", (WayToShare("Save no end of it", endless, ".txt"),))
    async with Sharing(bitwise, tmp_path) as sharing:
        await sharing.pilot.press("1", "enter")
        await until(begun.is_set)
        assert "Esc cancels" in sharing.said
        if leaves:
            sharing.screen.dismiss()
        else:
            await sharing.press("escape")
            assert sharing.said == "Given up: nothing was written."
        await until(ended.is_set)
    assert os.listdir(tmp_path) == []
