"""The registry pane: it fills as the line unfolds, and its entries can be selected and run."""

import threading

import numpy as np
import pytest

from registry_runtime.kernels import KernelError
from registry_runtime.trial import Trial
from visualizer.samples import samples_folder
from visualizer.tui.app import UnfoldApp
from visualizer.tui.screens.entry import EntryScreen
from visualizer.tui.screens.stepper import StepperScreen
from visualizer.tui.screens.trial import TrialScreen, values
from visualizer.tui.widgets.entry_detail import EntryDetail
from visualizer.tui.widgets.registry_pane import RegistryPane
from visualizer.workbench import open_file

PHI = samples_folder() / "phi"


@pytest.fixture
def opened():
    """A bench of one's own on a sample: its registry may be changed."""
    return lambda name: open_file(PHI / name)


def trial(agrees=True):
    x = np.arange(4, dtype=np.int32)
    reference = x if agrees else x + 1
    return Trial(
        function="phi::F<int, phi::CPUContext>",
        source="registry_runtime/kernels/f.py",
        backend="CPU",
        inputs=(x, x),
        result=x,
        reference=reference,
        agrees=agrees,
        seconds=1e-6,
        compile_seconds=0.25,
        from_cache=False,
        gigabytes_per_second=12.0,
        elements_per_second=4e6,
    )


def text_of(pane):
    return [pane.render_line(y).text.rstrip() for y in range(pane.content_size.height)]


async def panel_text(app, pilot):
    await app.workers.wait_for_complete()
    await pilot.pause()
    return str(app.screen.query_one("#panel-text").content)


async def test_entries_appear_one_by_one(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(160, 48)) as pilot:
        pane = app.screen.query_one(RegistryPane)
        assert pane.border_subtitle == "0 registered"
        for number, birth in enumerate(app.screen.scene.births):
            app.screen.go(birth)
            await pilot.pause(0)
            assert pane.border_subtitle == f"{number + 1} registered"
            assert sum("★" in row for row in text_of(pane)) == 1
        app.screen.go(app.screen.scene.births[2])
        await pilot.pause(0)
        assert pane.border_subtitle == "3 registered"


async def test_brackets_go_from_birth_to_birth(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(160, 48)) as pilot:
        births = app.screen.scene.births
        for birth in births:
            await pilot.press("]")
            assert app.screen.scene.state == birth
        await pilot.press("]")
        assert app.screen.scene.state == births[-1]
        await pilot.press("[")
        assert app.screen.scene.state == births[-2]


async def test_a_half_produced_entry_ends_in_dots_and_is_not_run(bitwise):
    app = UnfoldApp(bitwise, 3)
    ran = []
    async with app.run_test(size=(160, 48)) as pilot:
        app.screen._run_kernel = ran.append
        app.screen.go(app.screen.scene.births[0] - 1)
        await pilot.pause(0)
        assert any(row.endswith(" …") for row in text_of(app.screen.query_one(RegistryPane)))
        await pilot.press("r")
        assert isinstance(app.screen, StepperScreen)
    assert not ran


async def test_the_selection_follows_the_newest_until_one_is_chosen(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(160, 48)) as pilot:
        pane = app.screen.query_one(RegistryPane)
        await pilot.press("end")
        assert str(pane.selected.entry.registration.key).endswith("int64)")
        pane.focus()
        await pilot.press("up", "up")
        chosen = pane.selected.entry
        assert str(chosen.registration.key).endswith("int16)")
        assert app.screen.scene.state == len(bitwise.timeline(3)), "in the registry ↑ selects"
        await pilot.press("left")
        assert pane.selected.entry is chosen
        await pilot.press("home")
        assert pane.selected is None
        await pilot.press("end")
        assert pane.selected.entry is chosen


async def test_the_selected_entry_shows_its_arguments(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.press("end")
        await pilot.pause()
        shown = text_of(app.screen.query_one(EntryDetail))
        assert any("input 1" in row and "int64" in row for row in shown)
        assert any("output 0" in row for row in shown)
        assert any("runnable" in row for row in shown)


@pytest.mark.parametrize(
    ("agrees", "verdict"),
    [(True, "✓ the kernel and NumPy agree"), (False, "✗ the kernel and NumPy differ")],
)
async def test_r_runs_the_selected_kernel_and_shows_the_result(bitwise, agrees, verdict):
    given = []

    def run(kernel):
        given.append(kernel)
        return trial(agrees)

    app = UnfoldApp(bitwise, 3, run_kernel=run)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("end", "r")
        assert isinstance(app.screen, TrialScreen)
        shown = await panel_text(app, pilot)
        assert verdict in shown
        assert "int32[4]  0, 1, 2, 3" in shown
        assert "250 ms" in shown
        await pilot.press("r")
        await panel_text(app, pilot)
        await pilot.press("escape")
        assert isinstance(app.screen, StepperScreen)
        selected = app.screen.query_one(RegistryPane).selected
        assert given == [selected.entry.registration.kernel] * 2


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (KernelError("nobody wrote the kernel in Python"), "✗ nobody wrote the kernel in Python"),
        (ZeroDivisionError("division by zero"), "✗ ZeroDivisionError: division by zero"),
    ],
)
async def test_a_kernel_that_cannot_run_says_why(bitwise, error, shown):
    def run(kernel):
        raise error

    app = UnfoldApp(bitwise, 3, run_kernel=run)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("end", "r")
        assert shown in await panel_text(app, pilot)
        await pilot.press("q")
        assert isinstance(app.screen, StepperScreen)


async def test_the_panel_can_be_closed_while_the_kernel_is_being_built(bitwise):
    go_on = threading.Event()

    def run(kernel):
        go_on.wait(10)
        return trial()

    app = UnfoldApp(bitwise, 3, run_kernel=run)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("end", "r")
        assert "Building" in str(app.screen.query_one("#panel-text").content)
        await pilot.press("escape", "left")
        assert app.screen.scene.state == len(bitwise.timeline(3)) - 1
        go_on.set()
        await pilot.pause()


async def test_enter_tells_all_about_the_selected_entry(opened):
    app = UnfoldApp(opened("full_kernel.cc"), 1, 1000)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("enter")
        assert isinstance(app.screen, EntryScreen)
        shown = await panel_text(app, pilot)
        for told in (
            "const DenseTensor& x",
            "CPU NCHW bool",
            "Undefined NCHW bool",
            "ALL_LAYOUT is another word",
            "TypeTag<int>",
            "✓ found: FullBatchSizeLikeKernel<bool, CPUContext>",
        ):
            assert told in shown
        await pilot.press("b")
        assert "fell back to the CPU" in await panel_text(app, pilot)
        await pilot.press("d", "d")
        assert "(GPU, NCHW, float64)" in await panel_text(app, pilot)
        await pilot.press("escape")
        assert isinstance(app.screen, StepperScreen)


async def test_l_loads_and_unloads_the_plugins_runtime(opened):
    app = UnfoldApp(opened("plugin_softmax_kernel.cc"), 0, 1000)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("enter")
        for held, found in (("until its plug-in is loaded", "✗"), ("in KernelFactory", "✓")) * 2:
            shown = await panel_text(app, pilot)
            assert held in shown
            assert f"{found} " in shown
            await pilot.press("l")


async def test_a_structure_is_told_as_one(opened):
    bench = opened("send_v2_kernel.cc")
    app = UnfoldApp(bench, len(bench.trace.expansions) - 1, 1000)
    async with app.run_test(size=(120, 40)) as pilot:
        assert "one of Fluid's structures" in "\n".join(text_of(app.screen.query_one(EntryDetail)))
        await pilot.press("enter")
        shown = await panel_text(app, pilot)
        assert "structure" in shown
        assert "its type tells nothing" in shown
        assert "peels" not in shown


async def test_an_entry_says_what_it_replaces(opened, tmp_path):
    bench = opened("bitwise_kernel.cc")
    path = tmp_path / "again.cc"
    text = bench.path.read_text().replace('"kernel_registry.h"', f'"{PHI}/kernel_registry.h"')
    register = text[text.index("PD_REGISTER_KERNEL(") :].partition("{}")[0]
    again = register.replace("CPU,", "CPU, ANY,", 1).replace("ALL_LAYOUT,", "", 1)
    path.write_text(text + again + "{}\n")
    bench = open_file(path)
    assert not bench.has_errors() or bench.diagnostics
    last = len(bench.trace.expansions) - 1
    app = UnfoldApp(bench, last, 1000)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter")
        assert f"the one registered at {path}:72" in await panel_text(app, pilot)


async def test_enter_before_anything_is_registered_says_so(bitwise):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press("enter")
        assert isinstance(app.screen, StepperScreen)
        assert any("No entry is complete" in n.message for n in app._notifications)


async def test_r_before_anything_is_registered_says_so(bitwise):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press("r")
        assert isinstance(app.screen, StepperScreen)
        assert any("Nothing is registered yet" in n.message for n in app._notifications)


def test_an_array_is_shown_with_as_many_values_as_there_is_room_for():
    assert values(np.array([[1, 2], [3, 4]], np.int8), 40) == "int8[2, 2]  1, 2, 3, 4"
    assert values(np.arange(100), 10) == "int64[100]  0, 1, 2, 3, …"
    assert values(np.array([], np.float32), 10) == "float32[0]  "
