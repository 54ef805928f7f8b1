"""The registry pane: it fills as the line unfolds, and its entries can be selected and run."""

import re
from dataclasses import replace

import pytest

from tests.pace import quickest, slowness
from tests.tui.settled import settled
from tests.waiting import until
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.entry.opening import all_about
from visualizer.tui.entry.screen import EntryScreen
from visualizer.tui.ink.listing import Listing
from visualizer.tui.run.screen import RunScreen
from visualizer.tui.stepper.entry_detail import EntryDetail
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.tui.stepper.registry_rows import (
    first_choice,
    grouped,
    row_of,
    rows_of,
    with_letters,
)
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.workbench.bench import open_file
from visualizer.workbench.entries import Shown
from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi"


@pytest.fixture
def opened():
    """A bench of one's own on a sample: its registry may be changed."""
    return lambda name: open_file(PHI / name)


def text_of(pane):
    return [pane.render_line(y).text.rstrip() for y in range(pane.content_size.height)]


def told(app, id):
    return app.screen.query_one(f"#{id}", Listing).text


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
    async with app.run_test(size=(160, 48)) as pilot:
        app.screen.go(app.screen.scene.births[0] - 1)
        await pilot.pause(0)
        assert any(
            " …" in row and row.endswith("%") for row in text_of(app.screen.query_one(RegistryPane))
        )
        await pilot.press("r")
        assert isinstance(app.screen, StepperScreen)


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


async def test_the_mark_of_a_kernel_is_what_a_dry_run_says():
    bench = open_file(samples_folder() / "aten" / "override.cc")
    app = UnfoldApp(bench, 1)
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.press("end")
        await app.workers.wait_for_complete()
        await pilot.pause()
        shown = "\n".join(text_of(app.screen.query_one(EntryDetail)))
        assert "✗ not by this file alone" in shown
        said = "override.cc:11:55: Could not find schema for aten::neg"
        assert said in " ".join(shown.split())


async def test_r_opens_the_run_pane_on_the_selected_kernel(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("end", "r")
        await settled(pilot)
        assert isinstance(app.screen, RunScreen)
        selected = app.screen_stack[-2].query_one(RegistryPane).selected
        form, registration = app.screen.form, selected.entry.registration
        assert (form.name, form.key) == (registration.kernel_name, str(registration.key))
        await pilot.press("escape")
        assert isinstance(app.screen, StepperScreen)


async def test_enter_tells_all_about_the_selected_entry(opened):
    app = UnfoldApp(opened("full_kernel.cc"), 1, 1000)
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, EntryScreen)
        shown = told(app, "entry-told")
        for words in (
            "const DenseTensor& x",
            "backend CPU → Undefined layout NCHW dtype bool",
            "type_index vector<int>",
            "ALL_LAYOUT is another word",
            "TypeTag<int>",
        ):
            assert words in shown
        assert "✓ found: FullBatchSizeLikeKernel<bool, CPUContext>" in told(app, "entry-path")
        await pilot.press("escape")
        assert isinstance(app.screen, StepperScreen)


async def test_what_is_only_declared_is_said_not_to_run(opened):
    app = UnfoldApp(opened("flip_kernel.cc"), 1, 1000)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right_square_bracket", "enter")
        await settled(pilot)
        assert isinstance(app.screen, EntryScreen)
        assert "no: declared only, nobody wrote it in Python" in told(app, "entry-told")


async def test_the_selection_is_told_anew_at_every_row_of_the_lists(opened):
    app = UnfoldApp(opened("full_kernel.cc"), 1, 1000)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "2")
        await pilot.pause()
        backends = app.screen.query_one("#entry-backend", ChoiceList)
        assert app.focused is backends
        assert "found" in told(app, "entry-path")
        await pilot.press(*["down"] * list(backends.words).index("GPU"))
        assert backends.value == "GPU"
        assert "fell back to the CPU" in told(app, "entry-path")
        dtypes = app.screen.query_one("#entry-dtype", ChoiceList)
        await pilot.press("d")
        assert app.focused is dtypes
        dtypes.here = list(dtypes.words).index("complex64")
        await pilot.pause()
        assert "not found" in told(app, "entry-path")
        title = str(app.screen.query_one("#entry-path").border_title)
        assert title == "A call with tensors of (GPU, NCHW, complex64)"
        assert await pilot.click("#entry-layout", offset=(4, 2))
        assert "NCHW" not in str(app.screen.query_one("#entry-path").border_title)


async def test_what_becomes_of_the_calls_inputs_is_told(source):
    text = (PHI / "full_kernel.cc").read_text().replace('"kernel', f'"{PHI}/kernel')
    bench = source(
        text.replace("SetBackend(phi::Backend::ALL_BACKEND)", "SetBackend(phi::Backend::GPU)")
    )
    entry = next(e for e in bench.entries if str(e.registration.key.dtype) == "float32")
    app = UnfoldApp(bench, entry.expansion)
    async with app.run_test(size=(160, 48)) as pilot:
        app.push_screen(all_about(bench, entry))
        await pilot.pause()
        assert "⇒ input 0 is copied from CPU to GPU before the call" in told(app, "entry-path")
        assert "backend CPU → GPU" in told(app, "entry-told")


async def test_l_loads_and_unloads_the_plugins_runtime(opened):
    app = UnfoldApp(opened("plugin_softmax_kernel.cc"), 0, 1000)
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.press("enter")
        for held, found in (("until its plug-in is loaded", "✗"), ("in KernelFactory", "✓")) * 2:
            await pilot.pause()
            assert held in told(app, "entry-told").replace("\n             ", " ")
            assert told(app, "entry-path").startswith(found)
            await pilot.press("l")


async def test_a_kernel_whose_plugin_is_not_loaded_is_not_called_runnable(opened):
    app = UnfoldApp(opened("plugin_softmax_kernel.cc"), 0, 1000)
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.pause()
        detail = app.screen.query_one(EntryDetail)
        for keys, state in ((), "waits for its plug-in"), (("enter", "l", "escape"), "runnable"):
            await pilot.press(*keys)
            await pilot.pause()
            said = "\n".join(text_of(detail))
            assert state in said
            assert ("waits" in said) is (state != "runnable")


async def test_a_structure_is_told_as_one(opened):
    bench = opened("send_v2_kernel.cc")
    app = UnfoldApp(bench, len(bench.trace.expansions) - 1, 1000)
    async with app.run_test(size=(120, 40)) as pilot:
        assert "one of Fluid's structures" in "\n".join(text_of(app.screen.query_one(EntryDetail)))
        await pilot.press("enter")
        shown = told(app, "entry-told")
        assert "structure" in shown
        assert "its type tells nothing" in shown.replace("\n", " ")
        assert "peels" not in shown


_AGAIN = """\
namespace phi {
template <typename T, typename Context>
void AgainKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}
"""


async def test_an_entry_says_what_it_replaces(opened, tmp_path):
    bench = opened("bitwise_kernel.cc")
    path = tmp_path / "again.cc"
    text = bench.path.read_text().replace('"kernel_registry.h"', f'"{PHI}/kernel_registry.h"')
    register = text[text.index("PD_REGISTER_KERNEL(") :].partition("{}")[0]
    again = register.replace("CPU,", "CPU, ANY,", 1).replace("ALL_LAYOUT,", "", 1)
    path.write_text(text + _AGAIN + again.replace("BitwiseAnd", "Again") + "{}\n")
    bench = open_file(path)
    assert not bench.has_errors()
    last = len(bench.trace.expansions) - 1
    app = UnfoldApp(bench, last, 1000)
    async with app.run_test(size=(400, 40)) as pilot:  # the path stands on one row
        await pilot.press("enter")
        assert f"the one registered at {path}:72" in told(app, "entry-told")


async def test_what_the_braces_changed_stands_before_and_after(opened):
    app = UnfoldApp(opened("full_kernel.cc"), 1, 1000)
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause()
        shown = text_of(app.screen.query_one(EntryDetail))
        assert any("input 0  CPU → Undefined  NCHW  bool" in row for row in shown)


async def test_names_fold_and_unfold(bitwise):
    app = UnfoldApp(bitwise, len(bitwise.trace.expansions) - 1, 10**6)
    async with app.run_test(size=(160, 48)) as pilot:
        pane = app.screen.query_one(RegistryPane)
        pane.focus()
        await pilot.pause()
        rows = len(bitwise.entries) + len({e.registration.kernel_name for e in bitwise.entries})
        assert pane.virtual_size.height >= rows
        await pilot.press(*["pageup"] * 5)
        assert "▾ bitwise_and" in text_of(pane)[0]
        await pilot.click(RegistryPane, offset=(4, 1))
        assert "▸ bitwise_and" in text_of(pane)[0]
        assert "bitwise_or" in text_of(pane)[1]
        await pilot.press("enter")
        assert isinstance(app.screen, StepperScreen)
        assert "▾ bitwise_and" in text_of(pane)[0]
        await pilot.press("z")
        assert all(row.startswith(" ▸") for row in text_of(pane) if row)
        await pilot.press("z", "down", "enter")
        assert isinstance(app.screen, EntryScreen), "on an entry Enter tells all"


async def test_letters_leave_the_entries_that_have_them(bitwise):
    app = UnfoldApp(bitwise, len(bitwise.trace.expansions) - 1, 10**6)
    async with app.run_test(size=(160, 48)) as pilot:
        pane = app.screen.query_one(RegistryPane)
        pane.focus()
        state = app.screen.scene.state
        await pilot.press("slash", *"or int64")
        assert [row.split()[0] for row in text_of(pane) if "int64" not in row and row] == ["▾"] * 2
        assert "2 with these letters" in pane.border_subtitle
        assert pane.border_title == "Registry /or int64▏"
        await pilot.press(*["backspace"] * 9, *"xyz")
        assert "none has these letters" in text_of(pane)[0]
        await pilot.press("escape")
        assert pane.letters is None
        assert app.screen.scene.state == state
        assert pane.border_title == "Registry"
        await pilot.press("slash", *"xor", "enter")
        assert isinstance(app.screen, StepperScreen)
        await pilot.press("r")
        assert app.screen.form.name == "bitwise_xor"


def many(count):
    """A registry of so many kernels, ten of each name."""
    entry = open_file(PHI / "bitwise_kernel.cc").entries[0]
    for i in range(count):
        registration = replace(entry.registration, kernel_name=f"kernel_{i // 10}")
        yield Shown(replace(entry, registration=registration), pending=False, newest=i == count - 1)


def test_thousands_of_entries_are_folded_but_for_the_selected_ones():
    kernels = grouped(many(5000))
    newest = first_choice(kernels, None)
    rows = rows_of(kernels, {}, newest.entry.registration.kernel_name)
    assert len(rows) == 500 + 10
    assert rows[row_of(rows, newest, "kernel_499")] is newest
    assert len(rows_of(with_letters(kernels, "kernel_12 bool"), {}, None)) == 11 + 110


def test_a_step_with_thousands_of_entries_is_quick():
    registry = list(many(5000))

    def step():
        kernels = grouped(registry)
        rows = rows_of(kernels, {}, "kernel_3")
        row_of(rows, first_choice(kernels, None), "kernel_3")

    assert quickest(step) < 0.016 * slowness()


@pytest.mark.parametrize("key", ["enter", "r", "b"])
async def test_before_anything_is_registered_the_keys_say_so(bitwise, key):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press(key)
        assert isinstance(app.screen, StepperScreen)
        assert any("Nothing is registered yet" in n.message for n in app._notifications)


async def test_before_an_invocation_has_registered_anything_no_kernel_out_of_sight_is_run(bitwise):
    """Whoever wants that one chooses it; where its pane says what r does, r does it."""
    later = bitwise.entries[-1].expansion
    app = UnfoldApp(bitwise, later)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("r")
        assert isinstance(app.screen, StepperScreen)
        assert any(
            "This invocation has registered nothing" in n.message for n in app._notifications
        )
        app.screen.query_one(RegistryPane).action_select(1)
        await pilot.press("r")
        assert not isinstance(app.screen, StepperScreen)


async def test_what_the_pane_of_an_entry_offers_its_keys_do(bitwise):
    app = UnfoldApp(bitwise, bitwise.entries[-1].expansion)
    async with app.run_test(size=(120, 40)) as pilot:
        detail = app.screen.query_one(EntryDetail)
        await until(lambda: "r runs it" in "\n".join(text_of(detail)))  # once it has been tried
        await pilot.press("r")
        assert not isinstance(app.screen, StepperScreen)


async def test_a_file_of_which_nothing_is_registered_says_where_the_reason_stands(tmp_path):
    for header in samples_folder().joinpath("phi").glob("*.h"):
        (tmp_path / header.name).write_bytes(header.read_bytes())
    text = samples_folder().joinpath("phi", "softmax_kernel.cc").read_text()
    path = tmp_path / "softmax_kernel.cc"
    path.write_text(re.sub(r"(\(\s*softmax, )CPU", r"\1XCPU", text))
    bench = open_file(path)
    assert bench.registers
    assert not bench.entries
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.press("end", "r")
        await settled(pilot)
        assert [n.message for n in app._notifications] == [
            "This file registers nothing: e tells what is wrong with it."
        ]
        pane = app.screen.query_one(RegistryPane)
        assert "".join(text for text, _ in pane.draw(0)).strip() == "nothing is registered"
