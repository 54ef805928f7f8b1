"""The command palette, from anywhere."""

import asyncio
import subprocess
import sys
import time

import pytest
from textual.actions import parse
from textual.command import CommandInput, CommandList, CommandPalette

from tests.pace import slowness
from tests.tui.settled import settled
from tests.waiting import until
from visualizer.expansion.views import Look
from visualizer.personal import recent_files, settings
from visualizer.tui.app import UnfoldApp
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.dialogs.keys import KeysScreen
from visualizer.tui.dialogs.path_input import PathInput
from visualizer.tui.home.open_file import OpenFileScreen
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.palette import PaletteCommands, commands
from visualizer.tui.stepper.definition import DefinitionScreen
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.share import ShareScreen
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench.opening import Opening
from visualizer.workshop.comparison import Side


def last_row(app):
    return app.screen._compositor.render_strips()[-1].text.strip()


async def chosen(pilot, text):
    """Type into the palette, and take what it finds first: this."""
    await pilot.press("ctrl+p")
    pilot.app.screen.query_one(CommandInput).value = text
    found = pilot.app.screen.query_one(CommandList)
    await until(lambda: (o := found.highlighted_option) and text in o.hit.text.lower())
    await pilot.press("enter")
    await until(lambda: not isinstance(pilot.app.screen, CommandPalette))
    await settled(pilot)


async def test_every_key_of_the_screen_is_a_command_with_what_it_does(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)):
        named = {c.name: c.about for c in commands(app, app.screen)}
        words = " ".join([*named, *named.values()]).lower()
        acts = {
            binding.tooltip
            for binding in StepperScreen.BINDINGS
            if app.screen.check_action(*parse(binding.action)[1:])
        }
        for binding in StepperScreen.BINDINGS:
            # In this file is nothing of Fluid's to migrate, and no token is followed. Of two keys with
            # one sentence, each is told by its name.
            _, action, parameters = parse(binding.action)
            if not binding.description:
                continue  # it only says why there is nothing to do
            if app.screen.check_action(action, parameters):
                assert binding.tooltip in named.values() or binding.description in words
            elif binding.tooltip not in acts:
                assert binding.tooltip not in named.values()
        assert named["Keys  ?"] == "All keys"
        assert not any("palette" in name.lower() for name in named)


async def test_the_last_row_tells_its_keys_and_not_those_of_the_screen_below():
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await until(lambda: app.screen.query_one(CommandList).option_count)
        assert last_row(app) == "↑↓ choose  Enter does it  Esc closes"
        assert "Home  h" not in [o.hit.text for o in app.screen.query_one(CommandList).options]
        await pilot.press("escape")
        await settled(pilot)
        assert "Ctrl+O open a file" in last_row(app)


async def test_a_key_s_command_does_what_the_key_does(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await chosen(pilot, "the expanded line  end")
        assert app.screen.scene.state == len(app.screen.scene.timeline)


async def test_an_invocation_is_found_by_its_text(bitwise):
    app = UnfoldApp(bitwise, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        await chosen(pilot, "bitwise_xor, cpu")
        assert app.screen.scene.invocation.before[2].text == "bitwise_xor"


async def test_an_entry_of_the_registry_leads_to_the_step_that_completes_it(bitwise):
    app = UnfoldApp(bitwise, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        await chosen(pilot, "bitwise_xor (cpu, undefined(anylayout), int8)")
        scene = app.screen.scene
        assert scene.registry[-1].newest
        assert scene.registry[-1].entry.registration.kernel_name == "bitwise_xor"
        assert scene.state in scene.births


async def test_over_a_dialog_it_finds_what_the_screen_beneath_has(bitwise):
    """A dialog's own keys, the screen's, and places of the file: to go there closes the dialog."""
    app = UnfoldApp(bitwise, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        stepper = app.screen
        for opened, sought in ("question_mark", "bitwise_xor, cpu"), ("s", "the expanded line"):
            await pilot.press(opened)
            await settled(pilot)
            assert app.screen is not stepper
            named = [command.name for command in commands(app, app.screen)]
            assert any("Esc" in name for name in named), "its own key"
            await chosen(pilot, sought)
            await until(lambda: app.screen is stepper)
            await settled(pilot)
        scene = stepper.scene
        assert scene.invocation.before[2].text == "bitwise_xor"
        assert scene.state == len(scene.timeline)


async def test_over_a_comparison_it_finds_what_the_file_has(bitwise):
    """To go there closes the comparison, and the frame over it."""
    app = UnfoldApp(bitwise, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        stepper = app.screen
        for keys in ([], ["question_mark"]):
            stepper.scene = stepper.scene.at(0)
            app.push_screen(CompareScreen(*[Side("a", bitwise, 0), Side("b", bitwise, 0)]))
            await settled(pilot)
            await pilot.press(*keys)
            await settled(pilot)
            assert app.screen is not stepper
            await chosen(pilot, "bitwise_xor, cpu")
            await until(lambda: app.screen is stepper)
            await settled(pilot)
            assert stepper.scene.invocation.before[2].text == "bitwise_xor"


async def test_a_macro_leads_to_its_first_use_or_to_its_definition(source):
    bench = source("#define USED(x) x\n#define UNUSED y\nint a = USED(1);\n")
    app = UnfoldApp(bench, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        app.screen.action_last()
        await chosen(pilot, "used(x)")
        await app.workers.wait_for_complete()
        assert app.screen.scene.upcoming.step.macro == "USED"
        await chosen(pilot, "unused")
        await until(lambda: isinstance(app.screen, DefinitionScreen))
        await settled(pilot)
        assert app.screen.query_one(SourcePane).cursor.line == 1


async def test_a_header_is_edited_by_name(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await chosen(pilot, "edit kernel_registry.h")
        await until(lambda: isinstance(app.screen, WorkshopScreen) and app.screen.file)
        await app.workers.wait_for_complete()
        assert app.screen.file.path.name == "kernel_registry.h"


async def test_among_thousands_of_macros_no_key_waits(source):
    text = "".join(f"#define MACRO_NUMBER_{n}(x) x\n" for n in range(3_000))
    app = UnfoldApp(source(f"{text}int a = MACRO_NUMBER_7(1);\n"), 0)
    async with app.run_test(size=(120, 40)):
        provider = PaletteCommands(app.screen)
        await provider.startup()
        assert not [hit async for hit in provider.discover() if "MACRO_NUMBER" in hit.text]
        waits = []

        async def other_things():
            began = time.thread_time()
            while True:
                waits[-1] = max(waits[-1], time.thread_time() - began)
                began = time.thread_time()
                await asyncio.sleep(0)

        for _ in range(3):
            waits.append(0.0)
            beside = asyncio.create_task(other_things())
            await asyncio.sleep(0)
            waits[-1] = 0.0
            found = [hit async for hit in provider.search("number_2999")]
            beside.cancel()
            assert [hit.text for hit in found] == ["MACRO_NUMBER_2999(x)"]
        assert 0 < min(waits) < 0.016 * slowness()


async def test_a_picture_of_the_screen_is_saved(bitwise, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await chosen(pilot, "save a picture of the screen")
        (picture,) = tmp_path.glob("*.svg")
        assert "PD_REGISTER_KERNEL" in picture.read_text("utf-8")
        await chosen(pilot, "save this step as a picture")
        await until(lambda: isinstance(app.screen, ShareScreen))
        await pilot.pause()
        assert app.screen.query_one(PathInput).value.endswith(".svg")
        assert "Enter saves" in str(app.screen.frame.border_subtitle)
        await pilot.press("escape")
        assert "Enter does it" in str(app.screen.frame.border_subtitle)


async def test_samples_and_recent_files_are_opened_by_name(tmp_path):
    mine = tmp_path / "my_own.cc"
    mine.write_text("#define ID(x) x\nint a = ID(1);\n")
    recent_files.remember(Opening(mine), print)
    app = UnfoldApp()
    async with app.run_test(size=(120, 40)) as pilot:
        assert isinstance(app.screen, HomeScreen)
        for text, name in [("open my_own", "my_own.cc"), ("open softmax_k", "softmax_kernel.cc")]:
            await chosen(pilot, text)
            await until(lambda name=name: app.bench and app.bench.path.name == name)
        await chosen(pilot, "home")
        assert isinstance(app.screen, HomeScreen)
        assert len(app.screen_stack) == 2


async def test_it_opens_over_a_frame_too(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, KeysScreen)
        await chosen(pilot, "open a file …")
        assert isinstance(app.screen, OpenFileScreen)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("theme: high", "theme", "high-contrast"),
        ("granularity: coarse", "granularity", "coarse"),
    ],
)
async def test_settings_are_changed_by_name_and_kept(bitwise, text, key, value):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        await chosen(pilot, text)
        assert getattr(app.settings, key) == value
        assert app.screen.scene.look.coarse is (app.settings.granularity == "coarse")
    assert getattr(settings.load(print), key) == value


async def test_the_macros_hidden_here_are_hidden_in_every_file_from_then_on(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.screen
        screen.scene = screen.scene.looked_at(Look(hidden=("PD_*",)))
        fewer = len(screen.scene.timeline)
        await chosen(pilot, "hide these macros")
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        assert app.screen.scene.look.hidden == ("PD_*",)
        assert len(app.screen.scene.timeline) == fewer < len(bitwise.timeline(3))


def test_it_costs_nothing_before_it_is_opened():
    code = "import sys\nfrom visualizer.tui.app import UnfoldApp\nUnfoldApp()\n"
    code += "print('visualizer.tui.palette' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


async def test_no_two_commands_say_the_same(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)):
        here = [c for c in commands(app, app.screen) if not c.name.startswith(("Open ", "Theme"))]
        names = [command.name.rpartition("  ")[0] or command.name for command in here]
        assert len(set(names)) == len(names)
        keys = [c.about for c in here if "  " in c.name and c.about]
        assert len(set(keys)) == len(keys)
