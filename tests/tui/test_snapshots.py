"""Pictures of the screen, small and large, dark and light. `--snapshot-update` takes new ones."""

import pytest

from visualizer.scene import scene
from visualizer.tui.app import UnfoldApp


@pytest.fixture(autouse=True)
def _fixed_wording(monkeypatch):
    """The pictures are of the screen: a sentence that is put better should not need new ones."""
    long = "its arguments go into the places of its parameters in its replacement list. " * 2
    monkeypatch.setattr(scene, "sentence", lambda step: f"{step.macro} is replaced: {long}")
    monkeypatch.setattr(scene, "meeting", lambda step: f"{step.macro} is met.")


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(
    ("size", "state"), [((80, 24), 8), ((160, 48), 86)], ids=["80x24", "160x48"]
)
def test_the_stepper(snap_compare, bitwise, size, state, theme):
    keys = ["t"] if theme == "light" else []
    assert snap_compare(UnfoldApp(bitwise, 3, state), terminal_size=size, press=keys)
