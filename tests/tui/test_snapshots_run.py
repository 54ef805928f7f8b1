"""Pictures of the run pane, of all about an entry, and of the registry, small and large.

What a run takes and which machine code it becomes differ from machine to machine; the pictures are of
outcomes that are made up.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from registry_runtime.benchmark import experiment as stopwatch
from registry_runtime.benchmark.experiment import Timed
from registry_runtime.lab.phi import experiment as laboratory
from registry_runtime.lab.phi.code import Code
from registry_runtime.lab.phi.operands import SAMPLE_SIZE
from registry_runtime.lab.phi.outcome import Outcome
from registry_runtime.lab.timing import Timing
from tests.tui.bare_app import BareApp
from tests.tui.settled import pressing
from visualizer.frameworks.phi.running import to_run
from visualizer.tui.app import UnfoldApp
from visualizer.tui.entry.opening import all_about
from visualizer.tui.run.screen import RunScreen
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi"
SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])

LOOP = """\
.LBB0_30:
	vmovups	(%rsi,%rax,4), %zmm0
	vaddps	(%rdi,%rax,4), %zmm0, %zmm0	# comment
	vmovups	%zmm0, (%rcx,%rax,4)
	addq	$16, %rax
	cmpq	%rax, %rdx
	jne	.LBB0_30"""


@pytest.fixture(autouse=True)
def _made_up_outcomes(monkeypatch):
    x = np.arange(6, dtype=np.int64).reshape(2, 3)
    codes = [
        Code("Loop", "assembly", LOOP, "6 instructions; 512 bits, 16 of float32 at a time"),
        Code("Asm", "assembly", LOOP),
        Code("LLVM", "LLVM IR", ""),
    ]
    build = SimpleNamespace(compile_seconds=0.25, from_cache=False)
    outcome = Outcome("f", {"x": x, "y": x}, {"out": x + x}, {"out": x + x}, (), 1.25e-6)
    timed = Timed(
        Timing((1e-6, 2e-6, 3e-6)), Timing((4e-6, 5e-6, 6e-6)), "its own functions", 24, 6
    )
    monkeypatch.setattr(laboratory, "build", lambda one: build)
    monkeypatch.setattr(laboratory, "codes", lambda one: iter(codes))
    monkeypatch.setattr(laboratory, "run", lambda one: outcome)
    monkeypatch.setattr(stopwatch, "time_it", lambda one, seconds, cancelled: timed)


def run_pane(bitwise, light=False):
    registration = next(
        entry.registration
        for entry in bitwise.entries
        if (entry.registration.kernel_name, str(entry.registration.key.dtype))
        == ("bitwise_and", "int64")
    )
    return BareApp(RunScreen(to_run(bitwise.program.phi, registration, SAMPLE_SIZE)), light=light)


@SIZES
@pytest.mark.parametrize(
    ("keys", "light"), [("r", False), ("m", False), ("u", True)], ids=["run", "measured", "built"]
)
def test_the_run_pane(snap_compare, bitwise, size, keys, light):
    app = run_pane(bitwise, light)
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@SIZES
def test_what_is_wrong_in_the_run_pane(snap_compare, bitwise, size):
    keys = pressing(*["tab"] * 3, "y")
    assert snap_compare(run_pane(bitwise), terminal_size=size, run_before=keys)


def test_a_list_to_choose_from(snap_compare, bitwise):
    keys = pressing("down", "enter", "i", "n", "t")
    assert snap_compare(run_pane(bitwise), terminal_size=(80, 24), run_before=keys)


@SIZES
@pytest.mark.parametrize("keys", ["", "bd"], ids=["registration", "selection"])
def test_all_about_an_entry(snap_compare, size, keys):
    bench = open_file(PHI / "full_kernel.cc")
    app = BareApp(all_about(bench, bench.entries[-1]))
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@SIZES
def test_the_registry_filtered_and_folded(snap_compare, bitwise, size):
    async def go(pilot):
        await pilot.press("3")
        pilot.app.screen.query_one(RegistryPane).focus()
        await pilot.press("slash", *"int", "enter", *["pageup"] * 9, "enter")

    last = len(bitwise.trace.expansions) - 1
    assert snap_compare(UnfoldApp(bitwise, last, 10**6), terminal_size=size, run_before=go)
