"""The run pane: chosen, filled in, built, run, measured, cancelled, and sent to the benchmark."""

import re
import threading
from functools import partial

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from registry_runtime.lab.phi import experiment as laboratory
from registry_runtime.phi.kernel_template import KernelError
from tests.tui.bare_app import BareApp
from tests.tui.settled import settled
from tests.waiting import PATIENCE
from visualizer.expansion import Options
from visualizer.frameworks.phi.running import to_run
from visualizer.frameworks.presenter import Choice
from visualizer.frameworks.runnable import (
    Blank,
    CodeTab,
    Doing,
    Done,
    Filled,
    Form,
    Runnable,
    named,
    refusal,
)
from visualizer.frameworks.story import Chapter, Story, StoryStep
from visualizer.tui.dialogs.choice import ChoiceScreen
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.entry import opening
from visualizer.tui.ink.code import coloured
from visualizer.tui.ink.listing import Listing
from visualizer.tui.run.benchmark import BenchmarkScreen
from visualizer.tui.run.blank_row import BlankRow
from visualizer.tui.run.choice_row import ChoiceRow
from visualizer.tui.run.screen import RunScreen
from visualizer.tui.story.pane import StoryList
from visualizer.workbench.bench import open_file
from visualizer.workbench.new_kernel import new_kernel
from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi"


@pytest.fixture(scope="module")
def softmax():
    return open_file(PHI / "softmax_kernel.cc")


@pytest.fixture(scope="module")
def elementwise():
    return open_file(PHI / "elementwise_kernel.cc")


class Bench:
    """A run pane in a test: what it says, and how to fill it in."""

    def __init__(self, pilot: Pilot) -> None:
        self.pilot, self.app = pilot, pilot.app

    async def open(self, bench, name, dtype="float32", backend="CPU") -> "Bench":
        registration = next(
            e.registration
            for e in bench.entries
            if e.registration.kernel_name == name
            and (backend, dtype) == (str(e.registration.key.backend), str(e.registration.key.dtype))
        )
        self.app.push_screen(RunScreen(to_run(bench.program.phi, registration, 1024)))
        await self.pilot.pause()
        return self

    async def open_first(self, bench, size) -> "Bench":
        """As the app opens its first entry: the file may be compiled."""
        self.app.push_screen(opening.to_run(bench, bench.entries[0], size))
        await self.pilot.pause()
        return self

    async def type(self, name, text) -> None:
        row = next(row for row in self.app.screen.query(BlankRow) if row.blank.title == name)
        row.query_one(Input).value = text
        await self.pilot.pause()

    async def settle(self) -> str:
        """Wait for the thread; then, what the listing says."""
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()
        return self.listing

    @property
    def listing(self) -> str:
        return self.app.screen.query_one(Listing).text

    @property
    def status(self) -> str:
        return str(self.app.screen.query_one("#run-status", Static).content)

    @property
    def told(self) -> str:
        return str(self.app.screen.query_one("#run-told", Static).content)

    @property
    def blanks(self) -> dict[str, str]:
        rows = self.app.screen.query(BlankRow)
        return {row.blank.title: row.query_one(Input).value for row in rows}

    def choice(self, name) -> ChoiceRow:
        return next(row for row in self.app.screen.query(ChoiceRow) if row.name == name)


OWN = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void TwiceKernel(const Context& dev_ctx, const DenseTensor& x, float by, DenseTensor* out) {
  out->Resize(x.dims());
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = static_cast<T>(x.data<T>()[i] * by);
}
}  // namespace phi
PD_REGISTER_KERNEL(twice, CPU, ALL_LAYOUT, phi::TwiceKernel, float) {}
"""


def written(folder, text=OWN):
    path = folder / "twice_kernel.cc"
    path.write_text(text)
    return open_file(path, Options(include_folders=(str(PHI),), cc="auto"))


@pytest.mark.compiler
async def test_c_runs_a_sample_s_own_body_beside_python_and_numpy(softmax):
    async with BareApp().run_test(size=(120, 40)) as pilot:
        pane = await Bench(pilot).open_first(softmax, 64)
        await pane.type("axis", "0")
        await pilot.press("c")
        said = await pane.settle()
        assert "phi::SoftmaxKernel<float, phi::CPUContext>, its C++" in said
        assert re.search(r"inputs +float32\[1, 64\]", said)
        assert re.search(r"Python +agrees", said)
        assert re.search(r"NumPy +agrees", said)


@pytest.mark.compiler
async def test_c_runs_a_kernel_that_nobody_wrote_in_python_at_its_user_s_word(tmp_path):
    async with BareApp().run_test(size=(300, 40)) as pilot:
        pane = await Bench(pilot).open_first(written(tmp_path), 3)
        assert pane.blanks == {"x": "3", "by": "", "out": ""}
        await pilot.press("c")
        assert "by has to be filled in: it is a float" in await pane.settle()
        await pane.type("x", "[1, 2, 4]")
        await pane.type("by", "2.5")
        await pilot.press("c")
        assert "code of the file" in pane.status
        await pilot.press("c")
        assert "float32[3]: 2.5, 5, 10" in await pane.settle()
        await pane.open_first(written(tmp_path), 3)
        await pane.type("by", "2")
        await pilot.press("c")  # the word was given
        assert re.search(r"result +float32\[3\]", await pane.settle())
        await pane.open_first(written(tmp_path, OWN.replace("* by", "* bye")), 3)
        await pane.type("by", "2")
        await pilot.press("c")
        assert "code of the file" in pane.status
        await pilot.press("c")
        assert ":7:83: 'bye' was not declared in this scope" in await pane.settle()


def python_beside(bench):
    """What `unfold kernel new` writes for the first registration."""
    made = new_kernel(bench, None)
    made.write()
    return made.path


async def test_p_runs_the_python_beside_the_file_at_its_user_s_word(tmp_path):
    bench = written(tmp_path, OWN)
    path = python_beside(bench)
    async with BareApp().run_test(size=(120, 40)) as pilot:
        pane = await Bench(pilot).open_first(bench, 3)
        assert "twice_kernel.py lies beside it" in pane.told
        await pane.type("x", "[1, 2, 4]")
        await pane.type("by", "2.5")
        await pilot.press("p")
        assert "This runs the Python of twice_kernel.py" in pane.status
        path.write_text(path.read_text() + "# another\n")
        await pilot.press("p")
        assert "This runs the Python" in pane.status, "of other contents"
        await pilot.press("p")
        told = await pane.settle()
        assert "float32[3]: 2.5, 5, 10" in told
        assert re.search(r"reference +float32\[3\]: 2.5, 5, 10", told)
        assert re.search(r"NumPy +agrees", told)
        assert bench.entries[0].registration.kernel.implementation is None
        path.write_text(
            path.read_text().replace("import numpy as np\n", "import numpy as np\n1 / 0\n")
        )
        await pilot.press("p")
        assert "This runs the Python" in pane.status
        await pilot.press("p")
        assert re.search(r"twice_kernel\.py:\d+:1: ZeroDivisionError", await pane.settle())


async def test_nobody_s_code_is_compiled_in_a_served_app(tmp_path, monkeypatch):
    bench = written(tmp_path)
    monkeypatch.setenv("UNFOLD_ROOTS", str(tmp_path))
    async with BareApp().run_test(size=(120, 40)) as pilot:
        pane = await Bench(pilot).open_first(bench, 3)
        await pane.type("by", "2")
        await pilot.press("c")
        assert "in a served app nothing that a visitor brings is compiled or run" in pane.status
        assert not pilot.app.screen.busy


async def test_nobody_s_python_is_run_in_a_served_app(tmp_path, monkeypatch):
    bench = written(tmp_path)
    python_beside(bench)
    monkeypatch.setenv("UNFOLD_ROOTS", str(tmp_path))
    async with BareApp().run_test(size=(120, 40)) as pilot:
        pane = await Bench(pilot).open_first(bench, 3)
        await pilot.press("p", "p")
        assert "in a served app nothing that a visitor brings is compiled or run" in pane.status
        assert not pilot.app.screen.busy


async def test_the_blanks_hold_the_sample_and_what_comes_out_of_it(softmax):
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        assert pane.blanks == {"x": "1x1024", "axis": "-1"}
        assert "out    1x1024 float32" in pane.told
        assert pane.choice("key").value == "CPU Any float32"
        assert "SoftmaxKernel<float," in pane.listing


async def test_tensors_follow_the_first_until_they_are_typed(elementwise):
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(elementwise, "add")
        await pane.type("x", "4x3")
        assert pane.blanks == {"x": "4x3", "y": "4x3"}
        await pane.type("y", "3")
        await pane.type("x", "5x3")
        assert pane.blanks == {"x": "5x3", "y": "3"}
        assert "5x3 float32" in pane.told


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x", "3x4y", "'3x4y' is no shape: write 4096x1024"),
        ("axis", "2", "Attr(axis) value should be in range [-R, R-1]"),
        ("axis", "one", "axis: 'one' is no number"),
    ],
)
async def test_what_is_no_argument_is_said_at_once_and_not_run(softmax, name, text, said):
    async with BareApp().run_test(size=(160, 48)) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        await pane.type(name, text)
        assert said in pane.told
        await pilot.press("r")
        assert not pane.app.screen.busy
        assert said in pane.listing
        await pane.type(name, "3" if name == "x" else "0")
        assert "✗" not in pane.told


async def test_the_key_that_shows_what_is_cut_of_the_code_is_told(softmax):
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        output = pane.app.screen.output
        output.show(
            Done({"Asm": CodeTab("assembly", "\tvmovdqu64\t" + "(%r9,%rax,8), " * 5)}, "Asm")
        )
        await settled(pilot)
        listing = output.query_one(Listing)
        number = str(1 + [*output._tabs].index("Asm"))
        assert str(listing.border_title) == f"{number} and → show what is cut …"
        await pilot.press(number)
        assert listing.has_focus
        assert str(listing.border_title) == "→ shows what is cut …"
        while "what is cut" in str(listing.border_title):
            await pilot.press("right")
        assert listing.render_line(0).text.rstrip().endswith("(%r9,%rax,8),")


async def test_r_runs_it_beside_numpy(softmax):
    async with BareApp().run_test(size=(160, 48)) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        await pane.type("x", "[[0, 0], [1, nan]]")
        await pilot.press("r")
        shown = await pane.settle()
        assert "✓ the kernel and NumPy agree" in shown
        assert "float32[2, 2]" in shown
        assert "[0.5 0.5]" in shown
        assert pane.status.startswith("Built in ")


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_a_result_of_what_was_filled_in_before_is_marked_until_it_is_run_again(softmax, size):
    def marked() -> bool:
        rows = pane.app.screen._compositor.render_strips()
        return any("of what was filled in before" in row.text for row in rows)

    async with BareApp().run_test(size=size) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        await pane.type("x", "[[0, 0], [1, 2]]")
        await settled(pilot)
        assert not marked()  # nothing has been run
        await pilot.press("r")
        await pane.settle()
        await settled(pilot)
        assert not marked()
        await pane.type("axis", "0")
        await settled(pilot)
        assert marked()
        await pilot.press("2", "1")
        await settled(pilot)
        assert marked()
        await pilot.press("r")
        await pane.settle()
        await settled(pilot)
        assert not marked()


async def test_enter_in_a_field_runs_it_and_escape_leaves_the_field(softmax):
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        pane.app.screen.query(Input).first().focus()
        await pilot.press("end", *["backspace"] * 6, "3", "enter")
        assert "float32[3]" in await pane.settle()
        await pilot.press("escape")
        assert isinstance(pane.app.screen, RunScreen)
        await pilot.press("escape")
        assert not isinstance(pane.app.screen, RunScreen)


async def test_a_difference_is_shown_where_it_begins(elementwise, monkeypatch):
    template = elementwise.entries[0].registration.kernel.implementation
    monkeypatch.setattr(type(template), "roundings", 0, raising=False)
    reference = laboratory.Instance.reference
    monkeypatch.setattr(laboratory.Instance, "reference", lambda *a: reference(*a) + 1)
    async with BareApp().run_test(size=(160, 48)) as pilot:
        pane = await Bench(pilot).open(elementwise, "add", "int32")
        await pane.type("x", "[1, 2]")
        await pane.type("y", "[1, 1]")
        await pilot.press("r")
        shown = await pane.settle()
        assert "✗ the kernel and NumPy differ" in shown
        assert "the first is [0]: 2, and NumPy has 3, off by -1" in shown


async def test_u_builds_and_the_tabs_hold_the_code(elementwise):
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(elementwise, "add")
        await pilot.press("u")
        await pane.settle()
        titles = pane.app.screen.query_one(TabRow).tabs
        assert titles[:2] == ("Result", "Time")
        assert titles[-2:] == ("Asm", "LLVM")
        await pilot.press(str(len(titles)))
        assert "define" in pane.listing
        listing = pane.app.screen.query_one(Listing)
        listing.focus()
        await pilot.press("end")
        await pilot.pause()
        bottom = listing.render_line(listing.rows_visible - 1).text.strip()
        seen = bottom.removesuffix("…")  # which marks what is cut
        assert seen == pane.listing.splitlines()[-1].strip()[: len(seen)] != ""
        assert await pilot.click(TabRow, offset=(2, 0))
        assert pane.app.screen.query_one(TabRow).current == 0


@pytest.mark.parametrize("language", ["assembly", "LLVM IR", "PTX", "CUDA"])
def test_colour_changes_no_letter_of_the_code(language):
    for line in (
        "\tvmovups\t64(%rsi,%rax,4), %zmm1\t# 0x1f",
        '@".const" = constant [4 x i8] c"a;b\\00" ; a comment',
        "  %.9 = load <16 x float>, ptr %arg.dims, align 8",
        "  const float& x = _x[_i]; // 1e-5f",
        "$L__BB0_2:\tsetp.ge.s64 \t%p1, %rd76, -1;",
        "",
    ):
        parts = coloured(line, language)
        assert "".join(text for text, _ in parts) == line.expandtabs(8)
        assert {look for _, looks in parts for look in looks} <= Listing.COMPONENT_CLASSES


async def test_m_measures_it_beside_numpy(elementwise, monkeypatch):
    monkeypatch.setattr("visualizer.frameworks.phi.running._SECONDS", 0.02)
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(elementwise, "add")
        await pilot.press("m")
        shown = await pane.settle()
        assert "GB/s" in shown
        assert "as fast" in shown or "no difference that this run can tell" in " ".join(
            shown.split()
        )
        assert "x 1024, y 1024" in shown


async def test_the_list_of_keys_is_filtered_and_one_is_taken(elementwise):
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(elementwise, "add")
        await pilot.press("down", "enter")
        assert isinstance(pane.app.screen, ChoiceScreen)
        await pilot.press(*"cpu", "space", *"int64", "enter")
        assert pane.choice("key").value == "CPU Any int64"
        assert "int64" in pane.told
        await pilot.press("enter", *"no such key", "enter")
        assert isinstance(pane.app.screen, ChoiceScreen | RunScreen)


async def test_another_kernel_brings_its_own_blanks_and_keeps_the_dtype(elementwise):
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(elementwise, "add", "int64")
        await pane.type("x", "7")
        await pilot.press("right")
        await pilot.pause()
        assert pane.choice("kernel").value == "divide"
        assert pane.choice("key").value == "CPU Any int64"
        assert pane.blanks == {"x": "1024", "y": "1024"}


async def test_ones_own_values_are_spelt_out_to_be_changed(elementwise):
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(elementwise, "add")
        assert "NaN and infinities" in pane.choice("data").options
        await pilot.press("down", "down", "left")
        assert pane.blanks == {"x": "[0, 1, 2]", "y": "[0, 1, 2]"}
        await pilot.press("right")
        assert pane.choice("data").value == "random"
        assert pane.blanks["x"] == "1024"
        await pilot.click(pane.choice("data"), offset=(10, 0))
        assert pane.choice("data").value == "my own values", "a click on ‹ goes back"
        await pilot.click(pane.choice("data"), offset=(14, 0))
        assert isinstance(pane.app.screen, ChoiceScreen), "a click on the word lists them all"
        await pilot.click(ChoiceList, offset=(4, 1))
        assert pane.choice("data").value == "zeros"
        await pane.open(elementwise, "add", "int32")
        assert "NaN and infinities" not in pane.choice("data").options


async def test_escape_cancels_a_build_and_no_key_waits_for_it(softmax, monkeypatch):
    go_on = threading.Event()
    build = laboratory.build
    monkeypatch.setattr(laboratory, "build", lambda one: go_on.wait(PATIENCE) and build(one))
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        await pilot.press("r")
        assert "Esc cancels" in pane.status
        await pilot.press("escape")
        assert pane.status.startswith("Cancelled")
        assert isinstance(pane.app.screen, RunScreen)
        await pilot.press("2")
        assert "m measures" in pane.listing
        go_on.set()
        await pane.settle()
        assert pane.status.startswith("Cancelled")
        await pilot.press("r")
        assert "✓" in await pane.settle()


@pytest.mark.parametrize("error", [KernelError("no memory"), ZeroDivisionError("by zero")])
async def test_what_goes_wrong_is_said_and_the_pane_goes_on(softmax, monkeypatch, error):
    def fail(one):
        raise error

    monkeypatch.setattr(laboratory, "run", fail)
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        await pilot.press("r")
        assert str(error) in await pane.settle()
        assert pane.status.startswith("✗")
        await pilot.press("u")
        await pane.settle()
        assert pane.status.startswith("Built in ")


async def test_a_kernel_that_is_only_declared_says_so():
    bench = open_file(PHI / "flip_kernel.cc")
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(bench, "flip")
        assert "nobody wrote the kernel" in pane.told
        assert pane.blanks == {}
        await pilot.press("r", "m", "u", "b")
        assert not pane.app.screen.busy
        assert "nobody wrote" in pane.listing.replace("\n  ", " ")
        assert any("it can't be run" in n.message for n in pane.app._notifications)


async def test_without_a_gpu_its_kernels_show_their_source(tmp_path, monkeypatch):
    from registry_runtime.kernels import device

    def absent():
        raise KernelError("a GPU kernel needs a CUDA device")

    monkeypatch.setattr(device, "cupy", absent)
    text = (PHI / "elementwise_kernel.cc").read_text().replace('"kernel', f'"{PHI}/kernel')
    path = tmp_path / "gpu.cc"
    path.write_text(text.replace("CPU", "GPU"))
    bench = open_file(path)
    async with BareApp().run_test(size=(80, 24)) as pilot:
        pane = await Bench(pilot).open(bench, "subtract", "float64", "GPU")
        await pilot.press("r")
        shown = await pane.settle()
        assert "needs a CUDA device" in pane.status
        assert "SubtractKernel(" in shown
        await pilot.press("1")
        assert "needs a CUDA device" in pane.listing


async def test_b_sends_exactly_this_to_the_benchmark(softmax, monkeypatch):
    from registry_runtime.benchmark import bandwidth, peers

    monkeypatch.setattr(bandwidth, "copy_bandwidth", lambda threads: 4e10)
    monkeypatch.setattr(peers, "installed", lambda name: name == "numpy")
    async with BareApp().run_test(size=(120, 30)) as pilot:
        pane = await Bench(pilot).open(softmax, "softmax")
        await pane.type("x", "30x7")
        await pane.type("axis", "0")
        await pilot.press("b")
        screen = pane.app.screen
        assert isinstance(screen, BenchmarkScreen)
        assert "x 30x7, axis 0" in str(screen.query_one("#bench-heading", Static).content)
        await pane.app.workers.wait_for_complete()
        await pilot.pause()
        (row,) = screen._results.rows
        assert (row.kernel, row.size) == ("softmax", 210)
        await pilot.press("escape")
        await pilot.pause()
        assert pane.blanks["x"] == "30x7"


class TestAnyFramework:
    """What the screen does with a form that no framework here has made."""

    @staticmethod
    def runnable(work) -> Runnable:
        def form(filled: Filled) -> Form:
            call = filled.chosen["call"]
            return Form(
                call,
                "",
                {"call": Choice("call", ("one", "two"), call)},
                partial(named, call, "made up"),
                blanks={"x": Blank("x", "4x5")},
                does={"r": Doing("Calling", "calls it", partial(work, filled))},
            )

        return Runnable(Filled({"call": "one"}), form)

    async def test_only_the_keys_of_the_form_are_offered(self):
        screen = RunScreen(self.runnable(lambda filled, cancelled: Done({}, "Result")))
        async with BareApp(screen).run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            keys = {key for key, one in screen.active_bindings.items() if one.enabled}
            assert "r" in keys
            assert not keys & {"u", "m", "f5"}
            assert screen.active_bindings["b"].binding.action == "nothing_to_measure"
            screen.query_one(Input).focus()
            await pilot.pause()
            keys = {key for key, one in screen.active_bindings.items() if one.enabled}
            assert "f5" in keys
            assert "r" not in keys

    async def test_a_change_while_it_runs_cancels_it(self):
        go_on, stopped = threading.Event(), []

        def work(filled, cancelled):
            go_on.wait(PATIENCE)
            stopped.append(cancelled())
            return refusal("Result", "too late")

        screen = RunScreen(self.runnable(work))
        async with BareApp(screen).run_test(size=(80, 24)) as pilot:
            await pilot.press("r")
            assert screen.busy
            screen.query_one(Input).value = "7"
            await pilot.pause()
            assert not screen.busy
            assert Bench(pilot).status == "Cancelled: something else is to be run."
            go_on.set()
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
            assert stopped == [True]
            assert "too late" not in screen.text

    async def test_a_refusal_takes_away_what_was_shown_before(self):
        def work(filled, cancelled):
            if "x" in filled.typed:
                raise KernelError("no shape")
            return Done({"Result": _nothing, "Story": _nothing}, "Story")

        screen = RunScreen(self.runnable(work))
        async with BareApp(screen).run_test(size=(80, 24)) as pilot:
            await pilot.press("r")
            await Bench(pilot).settle()
            tabs = screen.query_one(TabRow)
            assert (tabs.tabs, tabs.current) == (("Result", "Story"), 1)
            screen.query_one(Input).value = "four"
            await pilot.pause()
            await pilot.press("r")
            assert "✗ no shape" in await Bench(pilot).settle()
            assert tabs.tabs == ("Result",)

    async def test_whoever_reads_a_tab_reads_on_in_the_one_that_takes_its_place(self):
        story = Story("one(x)", (Chapter("call", (StoryStep("one", "is called"),)),))

        def work(filled, cancelled):
            if "x" in filled.typed:
                raise KernelError("no shape")
            return Done({"Result": _nothing, "Story": story}, "Story")

        screen = RunScreen(self.runnable(work))
        async with BareApp(screen).run_test(size=(80, 24)) as pilot:
            await pilot.press("1", "r")
            await Bench(pilot).settle()
            assert isinstance(screen.focused, StoryList)
            screen.query_one(Input).value = "four"
            await pilot.pause()
            await pilot.press("r")
            assert "✗ no shape" in await Bench(pilot).settle()
            assert isinstance(screen.focused, Listing)

    async def test_another_call_forgets_what_was_typed(self):
        screen = RunScreen(self.runnable(lambda filled, cancelled: Done({}, "Result")))
        async with BareApp(screen).run_test(size=(80, 24)) as pilot:
            screen.query_one(Input).value = "7"
            await pilot.pause()
            await pilot.press("right")
            await pilot.pause()
            assert screen.form.name == "two"
            assert screen.query_one(Input).value == "4x5"


def _nothing(width):
    return []
