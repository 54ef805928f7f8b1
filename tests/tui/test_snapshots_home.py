"""Pictures of home, of the question for a file, of the palette and of the keys."""

from pathlib import Path

import pytest

from visualizer.tui.app import UnfoldApp
from visualizer.tui.home import preview as home_preview
from visualizer.tui.home import screen as home
from visualizer.tui.home.choices import HomeRow
from visualizer.tui.ink.themes import THEMES
from visualizer.workbench.flag_words import read_flags
from visualizer.workbench.opening import Opening

SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])
SAMPLES = {
    "phi": ["bitwise", "activation", "batch_norm_train", "softmax", "where"],
    "aten": ["add", "dispatch"],
    "puzzles": ["deferred"],
}


@pytest.fixture(autouse=True)
def _fixed_content(monkeypatch, tmp_path):
    """The pictures are of the screen: a new sample or another folder should not need new ones."""

    def choices(lessons, say):
        yield HomeRow("Files", "Open a file …", "any C or C++ source")
        flags = read_flags(["-I", "include", "-DPADDLE_WITH_CUDA"])
        mine = Opening(Path("/mine/kernel.cc"), 40, flags)
        about = f"/mine  {flags.text()}"
        yield HomeRow("Recent files", "kernel.cc:40", about, "2 hours ago", mine)
        gone = Opening(Path("/mine/gone.cc"))
        yield HomeRow("Recent files", "gone.cc", "/mine", "gone", gone, gone=True)
        yield HomeRow("Lessons", "Two tokens become one", note="50 %", lesson="paste")
        yield HomeRow("Lessons", "What a painted name is", note="new", lesson="paint")
        for framework, names in SAMPLES.items():
            for name in names:
                about = f"What {name} has to teach, in a sentence that may be quite long."
                path = Path(f"/samples/{name}_kernel.cc")
                section = f"Samples · {framework}"
                yield HomeRow(section, path.name, about, opening=Opening(path))

    lines = [
        "// What it is about.",
        "",
        "PD_REGISTER_KERNEL(softmax, CPU, ALL_LAYOUT, F, float) {}",
    ]
    monkeypatch.setattr(home, "choices", lambda *known: list(choices(*known)))
    monkeypatch.setattr(home_preview, "first_lines", lambda path: lines)
    monkeypatch.setattr(home_preview, "opening_comment", lambda path: ["What it is about. " * 9])
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kernel.cc").write_text("")
    monkeypatch.chdir(tmp_path / "folder")


@pytest.mark.parametrize(
    ("size", "theme"),
    [((80, 24), "dark"), *(((160, 48), theme) for theme in THEMES)],
    ids=["80x24", *(f"160x48-{theme}" for theme in THEMES)],
)
def test_home(snap_compare, size, theme):
    keys = ["t"] * list(THEMES).index(theme)
    assert snap_compare(UnfoldApp(), terminal_size=size, press=[*keys, *["down"] * 5])


@SIZES
def test_home_without_colours(snap_compare, monkeypatch, size):
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(UnfoldApp(), terminal_size=size, press=["down", "down"])


@SIZES
def test_the_question_for_a_file(snap_compare, size):
    assert snap_compare(UnfoldApp(), terminal_size=size, press=["ctrl+o", "enter"])


@SIZES
def test_the_keys_of_home(snap_compare, size):
    assert snap_compare(UnfoldApp(), terminal_size=size, press=["question_mark"])
