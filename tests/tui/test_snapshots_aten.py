"""Pictures of PyTorch's entries: in the registry, all about one, run, and a file's compilations.

Which slot a stub takes and how long a build takes differ from machine to machine: the pictures are of
a processor that can do AVX2, and of builds that are made up.
"""

from pathlib import Path

import pytest

from registry_runtime.aten.stub import dispatch_stub
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.lab.aten.capabilities import Build
from tests.tui.bare_app import BareApp
from tests.tui.settled import pressing
from tests.tui.test_aten import entry_of
from visualizer.frameworks.aten import running, stub_story
from visualizer.tui.app import UnfoldApp
from visualizer.tui.entry import opening as entry_screens
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

ATEN = samples_folder() / "aten"
SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])
LOOP = """\
.LBB0_46:
	vmovups	(%rbp,%rcx), %ymm1
	vaddps	(%r13,%rcx), %ymm1, %ymm1
	vmovups	%ymm1, (%rsi,%rcx)
	jne	.LBB0_46"""


@pytest.fixture(autouse=True)
def _one_machine(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    for module in (dispatch_stub, stub_story):
        monkeypatch.setattr(module, "get_cpu_capability", lambda: CPUCapability.AVX2)
    monkeypatch.setattr(stub_story, "can_run", lambda capability: True)
    builds = [
        Build(CPUCapability.DEFAULT, "at::native::add_kernel", False, 128, 8, LOOP, LOOP, 6e-6),
        Build(CPUCapability.AVX2, "at::native::add_kernel", True, 256, 8, LOOP, LOOP, 3e-6),
        Build(CPUCapability.AVX512, "nullptr", False, 512, 16, LOOP, LOOP, None),
    ]
    monkeypatch.setattr(running, "builds", lambda *_: builds)


@pytest.fixture
def add():
    return open_file(Path("cpp_samples/aten/add.cc"))


@pytest.fixture
def kernel():
    return open_file(Path("cpp_samples/aten/ufunc_add_kernel.cc"))


@SIZES
@pytest.mark.parametrize("keys", ["1", "3"], ids=["line", "registry"])
def test_a_block_of_registrations(snap_compare, add, size, keys):
    app = UnfoldApp(add, entry_of(add, "aten::add.Tensor", "CPU").expansion, 10**6)
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@SIZES
@pytest.mark.parametrize("keys", ["1", "2", "2t"], ids=["registration", "call", "thread"])
def test_all_about_an_operators_kernel(snap_compare, add, size, keys):
    app = BareApp(entry_screens.all_about(add, entry_of(add, "aten::add_.Tensor", "Autograd")))
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@SIZES
def test_all_about_a_stubs_slot(snap_compare, kernel, size):
    app = BareApp(entry_screens.all_about(kernel, kernel.entries[0]))
    assert snap_compare(app, terminal_size=size, run_before=pressing("2"))


@SIZES
@pytest.mark.parametrize("keys", ["r", "r2"], ids=["result", "story"])
def test_an_operator_that_was_run(snap_compare, add, size, keys):
    app = BareApp(entry_screens.to_run(add, entry_of(add, "aten::add.Tensor", "CPU"), 0))
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@SIZES
@pytest.mark.parametrize("keys", ["r", "r3"], ids=["builds", "code"])
def test_a_stubs_builds(snap_compare, kernel, size, keys):
    app = BareApp(entry_screens.to_run(kernel, kernel.entries[0], 0))
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@SIZES
def test_two_compilations(snap_compare, kernel, size):
    app = UnfoldApp(kernel, kernel.first_registration())
    assert snap_compare(app, terminal_size=size, run_before=pressing("d", "r"))
