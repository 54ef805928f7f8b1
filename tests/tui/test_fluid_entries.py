"""Fluid's entries: in the registry pane, all about one, and its operator called by names."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from textual.widgets import Input

from registry_runtime.lab.fluid.experiment import OpExperiment
from tests.tui.bare_app import BareApp
from tests.tui.settled import settled
from visualizer.frameworks.fluid import presenter
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.entry import opening as entry_screens
from visualizer.tui.entry.screen import EntryScreen
from visualizer.tui.ink.listing import Listing
from visualizer.tui.run.blank_row import BlankRow
from visualizer.tui.run.choice_row import ChoiceRow
from visualizer.tui.run.screen import RunScreen
from visualizer.tui.stepper.diagnostics import DiagnosticsScreen
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder
from visualizer.workshop.registry_changes import registry_changes

FLUID = samples_folder() / "fluid"


@pytest.fixture(scope="module")
def trace():
    return open_file(FLUID / "trace_op.cc")


def entry_of(bench, name: str, label: str):
    return next(
        e
        for e in bench.entries
        if e.registration.kernel_name == name and presenter.label(e.registration) == label
    )


DOUBLE = "{double; AnyLayout; cpu; PLAIN}"


async def test_entries_appear_with_the_step_that_makes_them(trace) -> None:
    kernels = entry_of(trace, "trace", DOUBLE).expansion
    app = UnfoldApp(trace, kernels, 2)
    async with app.run_test(size=(160, 48)) as pilot:
        pane = app.screen.query_one(RegistryPane)
        assert "2 registered" in str(pane.border_subtitle)
        await pilot.press("right")
        await pilot.pause()
        assert "9 registered" in str(pane.border_subtitle)
        assert pane.selected.newest
        assert app.screen.scene.births == [3]
        await pilot.press("left")
        await pilot.pause()
        assert "2 registered" in str(pane.border_subtitle)


async def test_the_summary_says_what_was_registered(trace) -> None:
    operator = entry_of(trace, "trace", "operator").expansion
    app = UnfoldApp(trace, operator, 10**6)
    async with app.run_test(size=(160, 48)):
        said = app.screen.scene.summary()
        assert "1 operator is in the registry because of it; r runs" in said


async def test_enter_tells_all_about_an_operator(trace) -> None:
    operator = entry_of(trace, "trace", "operator")
    app = UnfoldApp(trace, operator.expansion, 10**6)
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, EntryScreen)
        told = app.screen.query_one("#entry-told", Listing).text
    lines = trace.source_lines
    for name in ('AddInput("Input"', 'AddAttr<int>("axis2"'):
        at = next(i for i, line in enumerate(lines, 1) if name in line)
        assert f"line {at}" in told
    assert "int axis2 = 1" in told
    assert "TraceOp::InferShape" in told
    assert "trace_grad" in told
    assert "← Out@GRAD" in told


async def test_a_gradient_has_the_names_that_its_grad_op_maker_sets(trace) -> None:
    screen = entry_screens.all_about(trace, entry_of(trace, "trace_grad", "operator"))
    async with BareApp(screen).run_test(size=(160, 48)):
        told = screen.query_one("#entry-told", Listing).text
    assert "It has no OpProto" in told
    assert "Input, Out@GRAD" in told
    assert "Input: only the shape is read" in told
    assert "TraceOpGrad::GetExpectedKernelType" in told


async def test_a_kernels_key_stands_beside_phis(trace) -> None:
    entry = entry_of(trace, "trace", DOUBLE)
    screen = entry_screens.all_about(trace, entry)
    async with BareApp(screen).run_test(size=(160, 48)) as pilot:
        told = screen.query_one("#entry-told", Listing).text
        assert "Place(cpu)" in told
        assert "backend CPU" in told
        assert "dtype float64" in told
        key = entry.registration.key.phi_kernel_key(trace.program.phi.devices)
        assert f"{key.hash_value:#x}" in told
        assert "offset, axis1, axis2" in told
        way = screen.query_one("#entry-path", Listing)
        assert "found in Fluid: TraceKernel<CPUContext, double>" in way.text
        await pilot.press("p")
        await pilot.pause()
        assert screen.query_one("#entry-place", ChoiceList).value == "gpu:0"
        assert "not found: (NotFound) Operator (trace) does not have kernel" in way.text


@pytest.mark.parametrize("key", ["r", "b"])
async def test_a_kernels_operator_is_called_by_names(trace, key: str) -> None:
    kernel = entry_of(trace, "trace", DOUBLE)
    app = UnfoldApp(trace, kernel.expansion, 10**6)
    async with app.run_test(size=(160, 48)) as pilot:
        app.screen.query_one(RegistryPane).chosen = kernel
        await pilot.press(key)
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, RunScreen)
        assert [row.blank.title for row in screen.query(BlankRow)] == [
            *("Input", "offset", "axis1", "axis2"),
        ]
        await pilot.press("r")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        data = OpExperiment("trace", {}, {"Input": "float64"}).inputs(trace.program.fluid)["Input"]
        assert "Out  float64[1]" in screen.text
        assert f"{np.trace(data):.4f}" in screen.text
        await pilot.press("2")
        assert "Fluid has TraceKernel<CPUContext, double> under that key" in screen.text


async def test_another_operator_brings_its_own_fields_and_an_error_is_told(trace) -> None:
    screen = entry_screens.to_run(trace, entry_of(trace, "trace", "operator"), 0)
    async with BareApp(screen).run_test(size=(100, 40)) as pilot:
        screen.query(ChoiceRow).first().focus()
        await pilot.press("right")
        await pilot.pause()
        labels = [row.blank.title for row in screen.query(BlankRow)]
        assert labels[:2] == ["Input", "Out@GRAD"]
        await pilot.press("left")
        await pilot.pause()
        screen.query(BlankRow).last().query_one(Input).value = "7"
        await pilot.pause()
        await pilot.press("r")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert "✗ trace: Attr(dim2) is out of range" in screen.text


async def test_a_kernel_whose_operator_nobody_registers_is_told_and_not_called(source) -> None:
    bench = source(
        f'#include "{FLUID}/op_registry.h"\n'
        "template <typename DeviceContext, typename T>\n"
        "class NegKernel : public paddle::framework::OpKernel<T> {\n"
        " public: void Compute(const paddle::framework::ExecutionContext& context) const override {\n"
        "    Negate<DeviceContext, T>(context);\n"
        "  }\n"
        "};\n"
        "REGISTER_OP_CPU_KERNEL(neg, NegKernel<phi::CPUContext, float>);\n"
    )
    (entry,) = bench.entries
    assert presenter.is_declared_only(entry.registration)
    screen = entry_screens.all_about(bench, entry)
    async with BareApp(screen).run_test(size=(160, 48)):
        assert (
            "no, declared only: `Negate<DeviceContext, T>` in its Compute"
            in screen.query_one("#entry-told", Listing).text
        )
        way = screen.query_one("#entry-path", Listing).text
        assert "Operator (neg) is not registered." in way
    screen = entry_screens.to_run(bench, entry, 0)
    async with BareApp(screen).run_test(size=(160, 48)) as pilot:
        assert "nobody says which names neg has" in screen.text
        await pilot.press("r")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert "nobody says which names neg has" in screen.text


async def test_fluids_errors_stand_on_the_diagnostics_screen(source) -> None:
    bench = source(
        f'#include "{FLUID}/op_registry.h"\n'
        "class NegOp : public paddle::framework::OperatorWithKernel {"
        " public: using paddle::framework::OperatorWithKernel::OperatorWithKernel; };\n"
        "REGISTER_OPERATOR(neg, NegOp, NegOpMaker);\n"
    )
    app = UnfoldApp(bench, 0, 0)
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert isinstance(app.screen, DiagnosticsScreen)
        (found,) = bench.diagnostics
        assert found.where.line == 3
        assert [name for name, _ in found.through] == ["REGISTER_OPERATOR"]
        listed = app.screen.query_one("OptionList").get_option_at_index(0).prompt
        assert "`NegOpMaker` is nothing that REGISTER_OPERATOR knows" in str(listed)
        assert "in expansion of macro 'REGISTER_OPERATOR'" in str(listed)


async def test_what_infers_shapes_is_told_alone() -> None:
    before = open_file(FLUID / "trace_op.cc")
    screen = entry_screens.all_about(before, entry_of(before, "trace_grad", "operator"))
    async with BareApp(screen).run_test(size=(160, 48)):
        told = screen.query_one("#entry-told", Listing).text.partition("What comes out")[2]
    assert "Input@GRAD" in told
    assert "Out@GRAD" not in told  # which only GetExpectedKernelType asks for
    between = open_file(FLUID / "between" / "trace_op.cc")
    screen = entry_screens.all_about(between, entry_of(between, "trace", "operator"))
    async with BareApp(screen).run_test(size=(160, 48)):
        told = screen.query_one("#entry-told", Listing).text.partition("What comes out")[2]
    assert "TraceInferShapeFunctor" in told
    assert "phi::TraceInferMeta." in " ".join(told.split())


def test_a_text_of_phis_imports_nothing_of_fluids_runtime() -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from visualizer.workbench import open_file\n"
        "from visualizer.frameworks import presenter\n"
        "from visualizer.tui.entry import opening\n"
        "from visualizer.tui.stepper import screen\n"
        "open_file(Path(sys.argv[1]))\n"
        "print(*(m for m in sys.modules if m.startswith('registry_runtime.fluid')))\n"
    )
    sample = samples_folder() / "phi" / "bitwise_kernel.cc"
    done = subprocess.run(
        [sys.executable, "-c", program, str(sample)], capture_output=True, text=True, check=True
    )
    assert "registry_runtime.fluid.runtime" not in done.stdout.split()
    assert "registry_runtime.fluid.op_info" not in done.stdout.split()


def test_an_edit_that_takes_a_kernel_away_says_which(trace, source) -> None:
    text = (FLUID / "trace_op.cc").read_text()
    for header in ("trace_op.h", "enforce.h"):
        text = text.replace(f'"{header}"', f'"{FLUID / header}"')
    line = "    ops::TraceKernel<paddle::platform::CPUDeviceContext, double>,\n"
    assert line in text
    edited = source(text.replace(line, ""))
    changed = [c for c in registry_changes(trace.entries, edited.entries) if c.sign != " "]
    assert [(c.sign, c.kernel_name, c.key) for c in changed] == [("−", "trace", DOUBLE)]
