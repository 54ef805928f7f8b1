"""Pictures of what opens over the stepper, and of its panes while one walks: tree, followed token."""

import pytest

from visualizer.scene import scene
from visualizer.tui.app import UnfoldApp

SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])
KEYS = {
    "tree": ["4"],
    "followed": ["i"],
    "coarse": ["f", "enter", "4"],
    "breakpoints": ["k"],
    "hidden": ["x"],
    "searched": ["slash", *"FN_bit"],
    "jump": ["j", "9", "9", "9", "enter"],
}


@pytest.fixture(autouse=True)
def _fixed_wording(monkeypatch):
    """The pictures are of the screen: a sentence that is put better should not need new ones."""
    monkeypatch.setattr(scene, "sentence", lambda step: f"{step.macro} is replaced.")
    monkeypatch.setattr(scene, "meeting", lambda step: f"{step.macro} is met.")


@SIZES
@pytest.mark.parametrize("name", KEYS)
def test_walking(snap_compare, bitwise, size, name):
    assert snap_compare(UnfoldApp(bitwise, 3, 60), terminal_size=size, press=KEYS[name])


@SIZES
def test_what_is_wrong_with_a_file(snap_compare, source, monkeypatch, tmp_path, size):
    monkeypatch.chdir(tmp_path)
    bench = source("#define P(a, b) a##b\nint P(x, y);\nint P(+, /);\n#warning soon\nint P(1);\n")
    assert snap_compare(UnfoldApp(bench), terminal_size=size, press=["e"])


CONDITIONAL = """\
#define A 7
#define B(x) ((x) > 1)
#if defined(A) && B(2) && NOTHING == 0
int yes = A;
#elif A
#  if B(3)
int never;
#  endif
#else
int no;
#endif
"""
THREE = pytest.mark.parametrize(
    "size", [(80, 24), (120, 40), (160, 48)], ids=lambda s: f"{s[0]}x{s[1]}"
)


@THREE
@pytest.mark.parametrize(
    "keys", [["right", "right"], ["2", "enter", "right"]], ids=["steps", "names"]
)
def test_a_directive(snap_compare, source, monkeypatch, tmp_path, size, keys):
    monkeypatch.chdir(tmp_path)
    bench = source(CONDITIONAL)
    assert bench.expansions[1].directive == "if"
    assert snap_compare(UnfoldApp(bench, 1), terminal_size=size, press=keys)


@SIZES
def test_conditionals_and_includes(snap_compare, source, monkeypatch, tmp_path, size):
    monkeypatch.chdir(tmp_path)
    bench = source("#define N 3\n#if N > 2 && defined(M)\nint a = N;\n#else\nint b = N;\n#endif\n")
    assert snap_compare(UnfoldApp(bench), terminal_size=size, press=["v"])
