"""How many files of `visualizer` the data goes through, all of which a reader of the code has to open.

A file counts where one of its functions is called; reading a module in is none, which is why each way
is gone twice and counted the second time, when whatever is read or remembered once has been, whichever
tests ran before. The limits are what was reached. The aim is 60 to the first picture, 15 for a key, and
20 for an answer that is predicted: what is above it is mostly panes, a file each, which all have
something else to show.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

import registry_runtime.cxx
import visualizer
import visualizer.expansion
import visualizer.workbench
from registry_runtime.cxx.bindings import registers
from registry_runtime.program import Program
from registry_runtime.registering import NAMES
from tests.tui.settled import settled
from tests.waiting import until
from visualizer.cli import main
from visualizer.commands import open_file as open_command
from visualizer.learning import lesson, player, questions
from visualizer.learning.parts import Predict
from visualizer.personal.folders import CHOSEN
from visualizer.tui.app import UnfoldApp
from visualizer.tui.lesson import pane
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.stepper import changed_notice
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

PACKAGE = str(Path(visualizer.__file__).parent)
BITWISE = samples_folder() / "phi" / "bitwise_kernel.cc"
NEW_LOCALS = 2  # a function's code has this flag, a module's or a class's body hasn't
FIRST_PICTURE, KEY, ANSWER = 110, 42, 60


@contextmanager
def crossed() -> Iterator[set[str]]:
    """The files of whose functions one was called meanwhile, here and in each thread that begins then:
    a loop that has run before has its threads already."""
    files: set[str] = set()

    def heard(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & NEW_LOCALS and code.co_filename.startswith(PACKAGE):
            files.add(code.co_filename.removeprefix(PACKAGE))

    threading.setprofile(heard)
    sys.setprofile(heard)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks for changed files meanwhile, as a clock does once a second."""
    monkeypatch.setattr(changed_notice, "_EVERY", 3600.0)


@pytest.fixture
def afresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A user who has opened nothing yet, in a folder where no sample's trace was kept."""
    folders = count()

    def begin() -> None:
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv(CHOSEN, str(folder))

    return begin


def test_from_the_command_line_to_the_first_picture(
    monkeypatch: pytest.MonkeyPatch, afresh: Callable[[], None]
) -> None:
    async def shown(app: UnfoldApp) -> None:
        async with app.run_test(size=(120, 40)) as pilot:
            await until(lambda: isinstance(app.screen, StepperScreen))
            await settled(pilot)

    def run(app: UnfoldApp) -> None:
        asyncio.run(shown(app))

    monkeypatch.setattr(open_command, "has_screen", lambda: True)
    monkeypatch.setattr(UnfoldApp, "run", run)
    afresh()
    assert main(["open", str(BITWISE)]) == 0
    afresh()
    with crossed() as files:
        assert main(["open", str(BITWISE)]) == 0
    assert len(files) <= FIRST_PICTURE, (len(files), sorted(files))


@pytest.mark.parametrize("key", ["right", "left", "down", "1"])
def test_from_a_key_to_its_picture(key: str) -> None:
    asyncio.run(_pressed(key))
    files = asyncio.run(_pressed(key))
    assert len(files) <= KEY, (len(files), sorted(files))


async def _pressed(key: str) -> set[str]:
    app = UnfoldApp(open_file(BITWISE), 3, 20)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        with crossed() as files:
            await pilot.press(key)
            await settled(pilot)
    return files


def test_from_an_answer_to_its_verdict(
    monkeypatch: pytest.MonkeyPatch, afresh: Callable[[], None]
) -> None:
    monkeypatch.setattr(pane, "GLANCE", 0.0)
    afresh()
    asyncio.run(_answered())
    afresh()
    files = asyncio.run(_answered())
    assert len(files) <= ANSWER, (len(files), sorted(files))


async def _answered() -> set[str]:
    read = lesson.load(lesson.find("phi/1"))
    at, part = next((n, p) for n, p in enumerate(read.pages[0].parts) if isinstance(p, Predict))
    truth = player.truth(part.truth, player.stand(read, 0, at))
    app = UnfoldApp(lesson=read.id)
    async with app.run_test(size=(160, 48)) as pilot:
        await _asked(app, pilot)
        choices = app.screen.query("PredictBox OptionList").first(OptionList)
        choices.focus()
        right = [questions.same(str(o.prompt), truth) for o in choices.options]
        choices.highlighted = right.index(True)
        await settled(pilot)
        with crossed() as files:
            await pilot.press("enter")
            await settled(pilot)
    return files


async def _asked(app: UnfoldApp, pilot: Pilot[Any]) -> None:
    await until(lambda: isinstance(app.screen, LessonScreen))
    await settled(pilot)


OWN = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void OwnKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}
PD_REGISTER_KERNEL(own, CPU, ALL_LAYOUT, phi::OwnKernel, float, int) {}
"""


@pytest.mark.parametrize(
    "words",
    [
        *(["steps", "own.cc"], ["kernels", "own.cc"], ["why", "own.cc:6"]),
        *(["steps", f"{BITWISE}"], ["why", f"{BITWISE}:72"]),
    ],
    ids=lambda words: " ".join([words[0], Path(words[1]).name]),
)
def test_what_a_text_registers_is_read_without_numpy(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "own.cc").write_text(OWN)
    assert "numpy" not in modules_of([*words, "-I", str(BITWISE.parent)], tmp_path)


def modules_of(words: list[str], folder: Path) -> set[str]:
    """What a command imports."""
    told = f"import sys; from visualizer.cli import main; print(main({words!r}), *sys.modules)"
    said = subprocess.check_output([sys.executable, "-c", told], text=True, cwd=folder)
    code, *modules = said.splitlines()[-1].split()
    assert code == "0"
    return set(modules)


@pytest.mark.parametrize("words", [["steps"], ["steps", "--format", "json"]])
def test_a_text_of_c_that_registers_nothing_is_told_without_the_registries(
    words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "two.c").write_text("#define TWICE(x) x x\nint TWICE(a);\n")
    imported = modules_of([*words, "two.c"], tmp_path)
    light = {"registry_runtime", *(f"registry_runtime.{m}" for m in ("cxx", "cxx.span"))}
    light |= {f"registry_runtime.{m}" for m in ("diagnostic", "near", "registering")}
    assert {m for m in imported if m.startswith("registry_runtime")} == light
    assert not imported & {"tree_sitter", "numpy", "textual"}


def test_what_registers_is_known_by_its_name() -> None:
    program = Program()
    bound = program.phi.bindings | program.phi.c_api_bindings
    bound = bound | program.fluid.bindings | program.aten.bindings
    registering = {name for name, of in bound.names.items() if registers(of)}
    assert set(NAMES) == {name.rpartition("::")[2] for name in registering}


def test_what_is_asked_of_a_package_when_it_is_wanted_is_no_module_of_it() -> None:
    """Which would be found in its place as soon as that is imported."""
    for package in (registry_runtime.cxx, visualizer.expansion, visualizer.workbench):
        modules = {path.stem for path in Path(package.__path__[0]).iterdir()}
        assert not modules.intersection(package.__all__)
        assert all(hasattr(package, name) for name in package.__all__)
