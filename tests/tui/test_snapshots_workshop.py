"""Pictures of the workshop and of a comparison, small and large. `--snapshot-update` takes new ones."""

import pytest

from tests.tui.settled import settled
from visualizer.tui.app import UnfoldApp
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench.bench import open_file

SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])
HEADER = "#define TWICE(x) x x\n#define STRING(x) #x\n#define NAME(n) kernel_##n\n"
SOURCE = (
    '#include "macros.h"\n\n/* How often? */\nint a = TWICE(1 +) 1;\n'
    "const char* text = STRING(b + c);\nint NAME(b) = 2;\n"
)


@pytest.fixture
def bench(tmp_path, monkeypatch):
    """A file beside a header with its macros, by names that are the same on every machine."""
    monkeypatch.setattr(UnfoldApp, "on_mount", lambda self: None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "macros.h").write_text(HEADER)
    (tmp_path / "source.cc").write_text(SOURCE)
    return open_file("source.cc")


def opened(bench, *keys):
    """What opens the workshop on line 4, and presses keys there."""

    async def open_and_press(pilot):
        screen = WorkshopScreen(bench, 4)
        await pilot.app.push_screen(screen)
        await settled(pilot)
        await pilot.press(*keys[:-1])
        await screen.settled()  # what is turned to, or left, follows from what has been understood
        await pilot.press(keys[-1])
        await screen.settled()
        await screen.live.keeping.done()

    return open_and_press


@SIZES
def test_the_workshop(snap_compare, bench, size):
    app = UnfoldApp(bench)
    assert snap_compare(app, terminal_size=size, run_before=opened(bench, "end", *" + NAME(9"))


@SIZES
def test_a_macro_is_edited(snap_compare, bench, size):
    app = UnfoldApp(bench)
    keys = ["f2", *"macros", "enter", "end", *" x x"]
    assert snap_compare(app, terminal_size=size, run_before=opened(bench, *keys))


@SIZES
def test_what_is_not_saved_is_asked_about(snap_compare, bench, size):
    app = UnfoldApp(bench)
    assert snap_compare(app, terminal_size=size, run_before=opened(bench, *"long ", "escape"))


@SIZES
def test_before_and_after(snap_compare, bench, size):
    app = UnfoldApp(bench)
    keys = [*["right"] * 14, *"20 * ", "f4"]
    assert snap_compare(app, terminal_size=size, run_before=opened(bench, *keys))
