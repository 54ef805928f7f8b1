"""PyTorch's entries on the screen: the registry, all about one, the run pane, the comparison."""

import numpy as np
import pytest
from textual.widgets import Button, Input, Static

from registry_runtime.lab.aten.trial import try_operator
from tests.cli.test_operators import REFUSING
from tests.tui.bare_app import BareApp
from visualizer.expansion import Options
from visualizer.frameworks.aten import report as operator_report
from visualizer.learning.parts import Run
from visualizer.tui.app import UnfoldApp
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.keys import KeysScreen
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.entry import opening as entry_screens
from visualizer.tui.entry.screen import EntryScreen
from visualizer.tui.ink.listing import Listing
from visualizer.tui.lesson.run_box import RunBox
from visualizer.tui.run.benchmark import BenchmarkScreen
from visualizer.tui.run.blank_row import BlankRow
from visualizer.tui.run.choice_row import ChoiceRow
from visualizer.tui.run.screen import RunScreen
from visualizer.tui.stepper.entry_detail import EntryDetail
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

ATEN = samples_folder() / "aten"


@pytest.fixture(scope="module")
def add():
    return open_file(ATEN / "add.cc")


@pytest.fixture(scope="module")
def kernel():
    return open_file(ATEN / "ufunc_add_kernel.cc")


def entry_of(bench, name, key):
    return next(
        e for e in bench.entries if (e.registration.kernel_name, e.registration.key) == (name, key)
    )


def rows(app, pane):
    widget = app.screen.query_one(pane)
    return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]


async def settle(pilot):
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_operators_stand_in_the_registry_with_a_row_for_each_key(add):
    block = entry_of(add, "aten::add.Tensor", "CPU").expansion
    app = UnfoldApp(add, block, 10**6)
    async with app.run_test(size=(160, 48)) as pilot:
        await settle(pilot)
        shown = [row.strip() for row in rows(app, RegistryPane)]
        assert "▾ aten::add.Tensor" in shown
        place = shown.index("▾ aten::add.Tensor")
        assert shown[place + 1].startswith("schema")
        assert shown[place + 2].split()[0] == "CPU"
        assert shown[place + 2].endswith("at::wrapper_CPU_add_Tensor")
        told = rows(app, EntryDetail)
        assert any("changes 1 slot of the table" in row for row in told)


async def test_the_statement_of_the_chosen_entry_stands_out_in_the_tail(add):
    entry = entry_of(add, "aten::add.out", "CPU")
    app = UnfoldApp(add, entry.expansion, 10**6)
    async with app.run_test(size=(160, 48)) as pilot:
        await settle(pilot)
        app.screen.query_one(RegistryPane).chosen = entry
        await pilot.pause()
        line = app.screen.query_one(LineView)
        seen = min(line.size.height, len(line._line.rows))
        parts = [part for y in range(seen) for part in line.draw(y)]
        stands_out = [text for text, look in parts if "line--statement" in look]
        assert '"add.out"' in stands_out
        assert '"add.Tensor"' not in stands_out


async def test_enter_tells_the_table_and_the_way_of_a_call(add):
    entry = entry_of(add, "aten::add_.Tensor", "Autograd")
    app = UnfoldApp(add, entry.expansion, 10**6)
    async with app.run_test(size=(160, 48)) as pilot:
        app.push_screen(entry_screens.all_about(add, entry))
        await pilot.pause()
        assert isinstance(app.screen, EntryScreen)
        told = app.screen.query_one("#entry-told", Listing).text
        assert "aten::add_.Tensor(Tensor(a!) self" in told
        assert "registered at " in told
        assert "● AutogradOther" in told
        assert "The operator's table, right after this registration" in told
        way = app.screen.query_one("#entry-path", Listing)
        assert "after the whole file" in str(way.border_title)
        assert "AutogradCPU → ADInplaceOrView → CPU" in way.text
        await pilot.press("t")
        assert "✓ ADInplaceOrView → CPU" in way.text
        await pilot.press("d")
        assert app.screen.query_one("#entry-device", ChoiceList).value == "CUDA"
        assert "Could not run 'aten::add_.Tensor'" in way.text
        await pilot.press("escape")
        assert not isinstance(app.screen, EntryScreen)


async def test_a_key_of_the_entry_page_is_told_once(add):
    screen = entry_screens.all_about(add, entry_of(add, "aten::add_.Tensor", "Autograd"))
    app = UnfoldApp(add)
    async with app.run_test(size=(160, 48)) as pilot:
        app.push_screen(screen)
        await pilot.pause()
        rows = [row.split("  ")[0] for row in KeysScreen(screen, app).content().plain.splitlines()]
    assert [rows.count(key) for key in ("t", "Esc q")] == [1, 1]
    headings = [row for row in rows if row.startswith("in the ")]
    assert len(headings) == len(set(headings))


async def test_a_stub_tells_its_slots_and_which_is_taken(kernel):
    screen = entry_screens.all_about(kernel, kernel.entries[0])
    async with BareApp(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        listing = screen.query_one("#entry-path", Listing)
        capabilities = screen.query_one("#entry-capability", ChoiceList)
        await pilot.press("c")
        assert capabilities.value == "DEFAULT"
        assert "▸  DEFAULT  at::native::add_kernel" in listing.text
        await pilot.press("c", "c")
        assert "AVX512   nullptr" in listing.text
        assert "▸  AVX2" in listing.text
        await pilot.press("d")
        assert "▸  CUDA" in listing.text


async def test_a_fallback_is_asked_nothing(add):
    entry = entry_of(add, "_", "ADInplaceOrView")
    screen = entry_screens.all_about(add, entry)
    async with BareApp(screen).run_test(size=(160, 48)):
        assert "it serves others" in screen.query_one("#entry-path", Listing).text


@pytest.fixture
async def running(add):
    entry = entry_of(add, "aten::add.Tensor", "CPU")
    app = BareApp(entry_screens.to_run(add, entry, 0))
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        yield pilot


async def test_an_operator_without_a_schema_is_not_exchanged_for_another(tmp_path):
    path = tmp_path / "kernel.cc"
    path.write_text(
        f'#include "{ATEN}/library.h"\n'
        "at::Tensor f(const at::Tensor& x) { return x; }\n"
        'TORCH_LIBRARY_IMPL(own, CPU, m) { m.impl("f", &f); }\n'
        'TORCH_LIBRARY(others, m) { m.def("g(Tensor x) -> Tensor"); }\n'
    )
    bench = open_file(path)
    app = BareApp(entry_screens.to_run(bench, entry_of(bench, "own::f", "CPU"), 0))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        assert choice(app.screen, "call").value == "own::f"
        told = " ".join(app.screen.text.split())
        assert "load the file too that defines it, in TORCH_LIBRARY(own, m)" in told


def choice(screen, name):
    return next(row for row in screen.query(ChoiceRow) if row.name == name)


def field(pilot, name):
    return next(r for r in pilot.app.screen.query(BlankRow) if r.name == name)


async def test_r_calls_the_operator_and_tells_the_whole_way(running):
    screen = running.app.screen
    assert isinstance(screen, RunScreen)
    assert [r.blank.title for r in screen.query(BlankRow)] == ["self", "other", "alpha"]
    await running.press("r")
    await settle(running)
    assert "✓ the operator and NumPy agree" in screen.text
    assert "AutogradCPU → CPU" in screen.text
    await running.press("2")
    assert "Python finds" in screen.text
    assert "fast_set_up" in screen.text
    await running.press("3")
    assert "µs" in screen.text or "ms" in screen.text


def test_each_of_several_results_has_its_numbers(tmp_path):
    (tmp_path / "mine.cc").write_text(
        f'#include "{samples_folder()}/aten/library.h"\n'
        "std::tuple<at::Tensor, at::Tensor> swap(const at::Tensor& x, const at::Tensor& y) {\n"
        "  return {y, x};\n}\n"
        'TORCH_LIBRARY(mine, m) { m.def("swap(Tensor x, Tensor y) -> (Tensor, Tensor)", &swap); }\n'
    )
    runtime = open_file(tmp_path / "mine.cc").program.aten
    rows = operator_report.result(try_operator(runtime, "mine::swap", shape=(3,)), 80)
    told = ["".join(text for text, _ in row) for row in rows]
    assert sum(line.startswith("result       float32[3]") for line in told) == 2
    assert "Tensor(" not in "".join(told)


async def test_other_shapes_and_dtypes_take_another_way(running):
    screen = running.app.screen
    field(running, "other").query_one(Input).value = "5"
    choice(screen, "other.dtype").choose("float64")
    choice(screen, "layout").choose("strided")
    await running.pause()
    await running.press("r")
    await settle(running)
    assert "float32[4, 5]" in screen.text  # ours, of the higher dimension: its category is the same
    assert "✓" in screen.text
    await running.press("2")
    assert "reorder_dimensions" in screen.text


async def test_an_operator_in_place_is_shown_after_one_call(running, monkeypatch):
    screen, trials = running.app.screen, []
    tell = operator_report.result
    monkeypatch.setattr(
        operator_report, "result", lambda trial, width: trials.append(trial) or tell(trial, width)
    )
    choice(screen, "call").choose("aten::add_.Tensor")
    choice(screen, "layout").choose("strided")
    await running.pause()
    await running.press("r")
    await settle(running)
    self, other = (tensor.numpy() for tensor in trials[0].inputs)
    np.testing.assert_array_equal(trials[0].result.numpy(), self + other)
    assert trials[0].inputs[0].strides == (10, 2)


async def test_in_a_field_enter_runs(running):
    def offered():
        active = running.app.screen.active_bindings.values()
        return {b.binding.key for b in active if b.enabled and b.binding.description == "run"}

    assert offered() == {"r"}
    field(running, "alpha").query_one(Input).focus()
    await running.pause()
    assert offered() == {"f5"}
    await running.press("enter")
    await settle(running)
    assert "✓" in running.app.screen.text


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("other", "3", "The size of tensor a (5) must match the size of tensor b (3)"),
        ("self", "four", "self:"),
        ("alpha", "two", "alpha: 'two' is no number"),
    ],
)
async def test_what_is_refused_is_said(running, name, text, said):
    field(running, name).query_one(Input).value = text
    await running.pause()
    await running.press("r")
    await settle(running)
    assert running.app.screen.text.startswith("✗")
    assert said in " ".join(running.app.screen.text.split())


async def test_what_a_body_refuses_is_said_with_its_place(tmp_path):
    path = tmp_path / "picky.cc"
    path.write_text(REFUSING)
    bench = open_file(path, Options(include_folders=(str(ATEN),)))
    app = BareApp(entry_screens.to_run(bench, entry_of(bench, "mine::picky", "CPU"), 4))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("r")
        await settle(pilot)
        assert "✗ picky.cc:3:3: seven dimensions are wanted" in app.screen.text


async def test_a_stubs_builds_are_compared(kernel):
    app = BareApp(entry_screens.to_run(kernel, kernel.entries[0], 0))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert choice(app.screen, "call").value == "stub: add_stub"
        await pilot.press("r")
        await settle(pilot)
        tabs = app.screen.query_one(TabRow).tabs
        assert tabs == ("Builds", "DEFAULT", "AVX2", "AVX512")
        assert "256 bits" in app.screen.text
        await pilot.press("3")
        assert "ymm" in app.screen.text


def test_a_benchmark_is_of_the_operator(add, kernel):
    screen = entry_screens.to_measure(add, entry_of(add, "aten::add.Tensor", "CPU"))
    assert isinstance(screen, BenchmarkScreen)
    stub = entry_screens.to_measure(kernel, kernel.entries[0])
    assert isinstance(stub, RunScreen), "its builds are measured against one another"


async def test_the_compilations_of_a_file_are_compared_and_exchanged(kernel):
    app = UnfoldApp(kernel, kernel.first_registration())
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.press("d")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, CompareScreen)

        def sides():
            titles = (screen.query_one(f"#compare-{s}").border_title for s in ("left", "right"))
            return [str(title) for title in titles]

        first = sides()
        assert all(side.startswith("CPU_CAPABILITY=") for side in first)
        await pilot.press("r")
        await pilot.pause()
        assert sides()[0] == first[0]
        assert sides()[1] not in first
        await pilot.press("l")
        await pilot.pause()
        assert sides()[0] == first[1]


async def test_an_operator_is_run_where_a_lesson_speaks_of_it(add):
    box = RunBox(Run("aten::add_.Tensor", dtype="int32", size=100), lambda: add)
    app = BareApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.mount(box)
        box.query_one("#run", Button).press()
        await pilot.pause()
        await settle(pilot)
        assert "✓ NumPy agrees" in str(box.query_one("#run-outcome", Static).content)
        box.turn()  # the hops are among the figures, which come at a key
        told = str(box.query_one("#run-outcome", Static).content)
        assert "AutogradCPU → ADInplaceOrView → CPU" in told
        assert "agrees" in told
