"""The workshop: what is typed is traced, kept, saved, and never lost."""

import asyncio
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest
from textual.app import App
from textual.screen import Screen
from textual.widgets import Input, TextArea

from tests.pace import slowness
from tests.tui.settled import settled
from tests.waiting import until
from visualizer.expansion import Options
from visualizer.personal import drafts
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.choice import ChoiceScreen
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.question import QuestionScreen
from visualizer.tui.dialogs.saving import SaveScreen
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.themes import DARK
from visualizer.tui.stepper.changed_notice import ChangedNotice
from visualizer.tui.workshop import editor as editor_widget
from visualizer.tui.workshop import live_attempts
from visualizer.tui.workshop.changes_pane import ChangesPane
from visualizer.tui.workshop.editor import COLOURED, Editor
from visualizer.tui.workshop.heading import WorkshopHeading
from visualizer.tui.workshop.outcome_pane import OutcomePane
from visualizer.tui.workshop.problems_pane import ProblemsPane
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.tui.workshop.settling import Settling
from visualizer.workbench.bench import open_file
from visualizer.workshop.attempt import attempt
from visualizer.workshop.text_file import is_ours_to_write

HEADER = "#define TWICE(x) x x\n#define NAME(n) kernel_##n\n"
SOURCE = '#include "macros.h"\nint a = TWICE(1 +) 1;\nint NAME(b) = 2;\n'
REGISTRATION = """#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void DoubleKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}  // namespace phi
PD_REGISTER_KERNEL(double, CPU, ALL_LAYOUT, phi::DoubleKernel, float, int) {}
"""
SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "phi"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Nothing lies under the workshop that would be waited for; and no pause is waited for."""
    monkeypatch.setattr(UnfoldApp, "on_mount", lambda self: None)
    monkeypatch.setattr(live_attempts, "PAUSE", 0.02)
    monkeypatch.setattr(live_attempts, "KEPT_AFTER", 0.02)


@pytest.fixture
def path(tmp_path):
    """A source of the user's, and beside it the header with its macros."""
    (tmp_path / "macros.h").write_text(HEADER)
    (tmp_path / "source.cc").write_text(SOURCE)
    return tmp_path / "source.cc"


class Workshop:
    """The app with the workshop open on a file."""

    def __init__(self, path, line=None, size=(120, 36), options=None):
        self.bench = open_file(path, options or Options())
        self.app = UnfoldApp(self.bench)
        self._line = line
        self._running = self.app.run_test(size=size)
        self.ended = []

    async def __aenter__(self):
        self.pilot = await self._running.__aenter__()
        self.screen = WorkshopScreen(self.bench, self._line)
        await self.app.push_screen(self.screen, self.ended.append)
        await self.settle()
        return self

    async def __aexit__(self, *error):
        await self._running.__aexit__(*error)

    async def settle(self):
        await self.pilot.pause()
        await self.screen.settled()
        await self.screen.live.keeping.done()
        await self.pilot.pause()

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.settle()

    async def until(self, screen):
        await until(lambda: type(self.app.screen) is screen)
        await self.pilot.pause()

    @property
    def editor(self):
        return self.screen.editors.here

    def shown(self, pane):
        widget = self.screen.query_one(pane)
        return "\n".join(widget.render_line(y).text.strip() for y in range(widget.size.height))


async def test_the_expansion_follows_what_is_typed(path):
    async with Workshop(path, line=2) as shop:
        assert "1 + 1 +" in shop.shown(OutcomePane)
        await shop.press("home", *["right"] * 14, "2")
        assert shop.editor.document.lines[1] == "int a = TWICE(21 +) 1;"
        assert "21 + 21 +" in shop.shown(OutcomePane)
        assert "not saved" in shop.shown(WorkshopHeading)
        assert path.read_text() == SOURCE


async def test_the_invocation_under_the_cursor_is_the_one_that_is_shown(path):
    async with Workshop(path, line=2) as shop:
        await shop.press("down")
        assert "kernel_b" in shop.shown(OutcomePane)
        assert "NAME, line 3: 1 step" in str(shop.screen.query_one(OutcomePane).border_subtitle)


async def test_errors_come_and_go_and_are_marked(path):
    async with Workshop(path, line=2) as shop:
        await shop.press("end", "enter", *"TWICE(")
        assert "unterminated argument list" in shop.shown(ProblemsPane)
        assert "✗" in shop.editor.render_line(2).text[:6]
        assert "1 error" in shop.shown(WorkshopHeading)
        await shop.press(*")")
        assert "nothing is wrong" in shop.shown(ProblemsPane)
        assert "✗" not in shop.editor.render_line(2).text


async def test_keys_and_clicks_go_from_an_error_to_its_place(path):
    async with Workshop(path, line=1) as shop:
        await shop.press("end", "enter", *"#bad", "enter", *"#worse", "enter")
        await shop.press("f3")
        assert shop.editor.cursor_location == (1, 1)
        await shop.press("f3")
        assert shop.editor.cursor_location == (2, 1)
        await shop.pilot.click(ProblemsPane, offset=(4, 1))
        await shop.settle()
        assert shop.editor.cursor_location == (1, 1)
        assert isinstance(shop.app.focused, Editor)


async def test_editing_a_macro_changes_what_uses_it(path):
    async with Workshop(path) as shop:
        await shop.press("f2")
        await shop.until(ChoiceScreen)
        await shop.pilot.press(*"macros")
        assert shop.app.screen.query_one(ChoiceList).words == ["  macros.h"]
        await shop.pilot.press("enter")
        await shop.until(WorkshopScreen)
        await shop.press("end", *" + x")
        assert shop.editor.text.startswith("#define TWICE(x) x x + x\n")
        assert "1 + 1 + + 1 +" in shop.shown(OutcomePane)
        await shop.press("down")
        assert "kernel_b" in shop.shown(OutcomePane)
        assert (path.parent / "macros.h").read_text() == HEADER


async def test_an_error_in_a_header_opens_the_header(path):
    (path.parent / "macros.h").write_text(HEADER + "#bad\n")
    async with Workshop(path) as shop:
        await shop.press("f3")
        assert shop.screen.file.path.name == "macros.h"
        assert shop.editor.cursor_location == (2, 1)
        assert "✗ macros.h:3:2" in shop.shown(ProblemsPane)
        shop.editor.put(HEADER + "#define TWICE 2\n")
        await shop.settle()
        told = shop.shown(ProblemsPane)
        assert "macros.h:1" in told, "where it was defined before"
        assert str(path.parent)[:20] not in told, "the folder, which may be any"


async def test_the_registry_is_compared_with_that_of_the_file(tmp_path):
    for header in ("kernel_registry.h", "phi.h"):
        (tmp_path / header).write_text((SAMPLES / header).read_text())
    path = tmp_path / "double.cc"
    path.write_text(REGISTRATION)
    async with Workshop(path, line=6) as shop:
        await shop.press("end", *["left"] * 4, *["backspace"] * 3, *"double")
        shown = shop.shown(ChangesPane)
        assert "+ (CPU, Undefined(AnyLayout), float64)" in shown
        assert "− (CPU, Undefined(AnyLayout), int32)" in shown
        assert "1 unchanged" in shown
        assert "2 entries, +1 −1" in str(shop.screen.query_one(ChangesPane).border_subtitle)


async def test_undo_and_redo(path):
    async with Workshop(path, line=2) as shop:
        await shop.press("x")
        await shop.press("ctrl+z")
        assert shop.editor.text == SOURCE
        assert "not saved" not in shop.shown(WorkshopHeading)
        await shop.press("ctrl+y")
        assert shop.editor.text != SOURCE


async def test_reset_can_be_undone(path):
    async with Workshop(path, line=2) as shop:
        await shop.press(*"lost")
        edited = shop.editor.text
        await shop.press("ctrl+r")
        assert shop.editor.text == SOURCE
        await shop.press("ctrl+z")
        assert shop.editor.text == edited


async def test_saving_writes_the_file_and_what_is_compared_with_it(path, own_folder):
    async with Workshop(path, line=2) as shop:
        await shop.press(*"long ")
        assert drafts.are_left_behind(path) is False  # it is held
        await shop.press("ctrl+s")
        assert path.read_text() == SOURCE.replace("int a", "long int a")
        assert "not saved" not in shop.shown(WorkshopHeading)
        assert not list((own_folder / "drafts").glob("*.json"))
        await shop.pilot.press("escape")
        await shop.until(Screen)
    assert [token.text for token in shop.ended[0].trace.output][:2] == ["long", "int"]


async def test_a_byte_order_mark_and_line_ends_stay_as_they_are(path):
    path.write_bytes(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode())
    async with Workshop(path, line=2) as shop:
        await shop.press("x", "ctrl+s")
    wanted = SOURCE.replace("int a", "xint a").replace("\n", "\r\n")
    assert path.read_bytes() == b"\xef\xbb\xbf" + wanted.encode()


async def test_a_sample_is_saved_as_a_copy_that_finds_its_headers(tmp_path):
    sample = SAMPLES / "bitwise_kernel.cc"
    before = sample.read_text()
    async with Workshop(sample, line=1) as shop:
        await shop.press(*"// ", "ctrl+s")
        await shop.until(SaveScreen)
        shop.app.screen.query_one(Input).value = str(sample)
        await shop.pilot.press("enter")
        assert "give another name" in str(shop.app.screen.query_one("#save-complaint").content)
        shop.app.screen.query_one(Input).value = str(tmp_path / "mine.cc")
        await shop.pilot.press("enter")
        await shop.until(WorkshopScreen)
        await shop.settle()
        assert "mine.cc" in shop.shown(WorkshopHeading)
        assert "nothing is wrong" in shop.shown(ProblemsPane)
        assert "24 entries" in str(shop.screen.query_one(ChangesPane).border_subtitle)
    assert sample.read_text() == before
    assert (tmp_path / "mine.cc").read_text() == "// " + before


async def test_save_as_goes_on_with_a_new_file_and_leaves_the_old_one(path):
    new = path.with_name("new.cc")
    async with Workshop(path, line=2) as shop:
        await shop.press(*"long ", "f12")
        await shop.until(SaveScreen)
        await shop.pilot.press("enter")
        assert "give another name" in str(shop.app.screen.query_one("#save-complaint").content)
        shop.app.screen.query_one(Input).value = str(new)
        await shop.pilot.press("enter")
        await shop.until(WorkshopScreen)
        await shop.settle()
        assert "new.cc" in shop.shown(WorkshopHeading)
        await shop.press("x", "ctrl+s")
    assert path.read_text() == SOURCE
    assert new.read_text() == SOURCE.replace("int a", "long xint a")


def test_the_samples_of_any_checkout_are_not_the_users_to_write(tmp_path):
    for name in ("cpp_samples/phi/a.cc", "lessons/phi/01/b.cc", "mine/c.cc"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("")
    assert all(is_ours_to_write(file) for file in tmp_path.rglob("*.cc")), "these are no checkout"
    (tmp_path / "visualizer" / "workbench").mkdir(parents=True)
    (tmp_path / "visualizer" / "workbench" / "samples.py").write_text("")
    assert [f.name for f in tmp_path.rglob("*.cc") if is_ours_to_write(f)] == ["c.cc"]


async def test_a_copy_of_a_header_counts_beside_a_copy_of_the_source(tmp_path):
    async def save_as(path):
        await shop.pilot.press("ctrl+s")
        await shop.until(SaveScreen)
        shop.app.screen.query_one(Input).value = str(path)
        await shop.pilot.press("enter")
        await shop.until(WorkshopScreen)
        await shop.settle()

    async with Workshop(SAMPLES / "bitwise_kernel.cc", line=1) as shop:
        await shop.screen.open(SAMPLES / "kernel_registry.h", 1)
        await shop.press("enter", "up", *"#define bool unsigned", "down")
        await save_as(tmp_path / "kernel_registry.h")
        said = [notification.message for notification in shop.app._notifications]
        assert any("goes on including" in text for text in said)
        await shop.screen.open(SAMPLES / "bitwise_kernel.cc", 1)
        await shop.press(*"// ")
        await save_as(tmp_path / "mine.cc")
        bench = shop.screen.live.bench
        assert str(tmp_path / "kernel_registry.h") in bench.trace.included
        assert bench.trace.definitions["bool"].replacement[0].text == "unsigned"


async def test_stepping_through_the_text_as_it_is(path):
    from visualizer.tui.stepper.screen import StepperScreen

    async with Workshop(path, line=2) as shop:
        await shop.pilot.press("home", *["right"] * 14, "7", "ctrl+e")
        await shop.until(StepperScreen)
        scene = shop.app.screen.scene
        assert [t.text for t in scene.tokens][:4] == ["TWICE", "(", "71", "+"]
        assert "TWICE(71" in shop.app.screen.bench.source_lines[1]


async def test_leaving_asks_about_what_is_not_saved(path):
    async with Workshop(path, line=2) as shop:
        await shop.press("x")
        await shop.pilot.press("escape")
        await shop.until(QuestionScreen)
        assert "+ xint a" in str(shop.app.screen.query_one("#question-text").content)
        await shop.pilot.press("g")
        await shop.until(WorkshopScreen)
        await shop.pilot.press("escape")
        await shop.until(QuestionScreen)
        await shop.pilot.press("t")
        await shop.until(Screen)
    assert path.read_text() == SOURCE
    assert drafts.are_left_behind(path) is False


async def test_work_that_is_kept_is_offered_the_next_time(path):
    async with Workshop(path, line=2) as shop:
        await shop.press("x")
        await shop.pilot.press("escape")
        await shop.until(QuestionScreen)
        await shop.pilot.press("k")
        await shop.until(Screen)
    assert path.read_text() == SOURCE
    async with Workshop(path) as shop:
        await shop.until(QuestionScreen)
        assert "+ xint a" in str(shop.app.screen.query_one("#question-text").content)
        await shop.pilot.press("r")
        await shop.until(WorkshopScreen)
        await shop.settle()
        assert "\nxint a" in shop.editor.text
        await shop.press("ctrl+s")
    assert "\nxint a" in path.read_text()
    assert drafts.are_left_behind(path) is False


async def test_quitting_the_app_loses_nothing(path):
    async with Workshop(path, line=2) as shop:
        await shop.pilot.press("x")  # and no time to keep it
    assert drafts.are_left_behind(path)


CRASH = """
import asyncio, os, signal, sys
from visualizer.tui.app import UnfoldApp
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench.bench import open_file
from visualizer.workshop.text_file import is_ours_to_write

UnfoldApp.on_mount = lambda self: None

async def type_and_wait():
    bench = open_file(sys.argv[1])
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(WorkshopScreen(bench, 2))
        await pilot.pause()
        await pilot.press(*"precious")
        await app.screen.live.keeping.done()
        print("typed", flush=True)
        await asyncio.sleep(60)

asyncio.run(type_and_wait())
"""


async def test_work_survives_a_crash(path):
    crashing = subprocess.Popen(
        [sys.executable, "-c", CRASH, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert crashing.stdout.readline() == "typed\n"
    assert not drafts.are_left_behind(path)  # somebody is still at it
    crashing.send_signal(signal.SIGKILL)
    crashing.wait()
    crashing.stdout.close()
    async with Workshop(path) as shop:
        await shop.until(QuestionScreen)
        await shop.pilot.press("r")
        await shop.until(WorkshopScreen)
        await shop.settle()
        assert "\npreciousint a" in shop.editor.text


async def test_a_text_nobody_touched_follows_its_file(path):
    async with Workshop(path, line=2) as shop:
        path.write_text(SOURCE.replace("1 +", "5 +"))
        shop.screen.query_one(ChangedNotice).look_again()
        await shop.settle()
        assert "5 + 5 +" in shop.shown(OutcomePane)
        assert "TWICE(5 +)" in shop.editor.text


async def test_what_was_saved_here_is_not_taken_for_somebody_elses(path):
    async with Workshop(path, line=2) as shop:
        await shop.press("x")
        shop.screen.file.save()
        shop.screen.saved(path, path)
        notice = shop.screen.query_one(ChangedNotice)
        notice.look_again()  # before the attempt at what was saved is over
        assert not notice.changed


async def test_a_file_that_was_written_anew_with_what_it_held_has_not_changed(path):
    async with Workshop(path, line=2) as shop:
        await shop.press("x")
        other = path.with_name("other")
        other.write_text(SOURCE)
        other.rename(path)
        notice = shop.screen.query_one(ChangedNotice)
        notice.look_again()
        assert not notice.changed
        await shop.press("ctrl+s")
        assert path.read_text() == SOURCE.replace("int a", "xint a")


@pytest.mark.parametrize(("key", "kept"), [("f9", "TWICE(5 +)"), ("f10", "xint a")])
async def test_a_file_changed_under_an_edit_leaves_the_choice(path, key, kept):
    async with Workshop(path, line=2) as shop:
        await shop.press("x")
        path.write_text(SOURCE.replace("1 +", "5 +"))
        await shop.press("ctrl+s")  # is not written over what somebody else wrote
        assert "5 +" in path.read_text()
        notice = shop.screen.query_one(ChangedNotice)
        assert notice.display
        assert "source.cc has changed on disk" in notice.render_line(0).text
        await shop.press(key)
        assert not notice.display
        assert kept in shop.editor.text
        await shop.press("ctrl+s")
        assert kept in path.read_text()


async def test_a_file_that_is_removed_can_be_written_again(path):
    async with Workshop(path, line=2) as shop:
        path.unlink()
        shop.screen.query_one(ChangedNotice).look_again()
        await shop.settle()
        assert shop.editor.text == SOURCE
        assert "1 + 1 +" in shop.shown(OutcomePane)
        await shop.press("ctrl+s")
        assert path.read_text() == SOURCE


async def longest_wait(until):
    """How long the keys would have had to wait, at most, while this was done: of this thread's time, so
    that neither others on the machine count nor a thread beside it."""
    waits, done = [0.0], asyncio.ensure_future(until)
    while not done.done():
        began = time.thread_time()
        await asyncio.sleep(0.01)
        waits.append(time.thread_time() - began)
    return max(waits)


async def test_the_line_of_the_cursor_waits_for_no_other(path, monkeypatch):
    """Nor for the registry, and the errors: that is told a moment later."""
    path.write_text(SOURCE + "int z;\n" * 3)
    async with Workshop(path, line=2) as shop:
        may_end = threading.Event()

        def late(*args):
            may_end.wait()
            return attempt(*args)

        monkeypatch.setattr(live_attempts, "attempt", late)
        try:
            await shop.pilot.press("home", *["right"] * 14, "2")
            await until(lambda: "21 + 21 +" in shop.shown(OutcomePane))
            assert shop.screen.live.behind
            await shop.pilot.press("3")
            await until(lambda: "231 + 231 +" in shop.shown(OutcomePane))
        finally:
            may_end.set()
        await shop.settle()
        assert "231 + 231 +" in shop.shown(OutcomePane)
        assert shop.screen.live.early is None


async def test_an_expansion_that_never_ends_stops_and_says_so(path):
    bomb = "".join(f"#define A{i} A{i + 1} A{i + 1}\n" for i in range(16)) + "#define A16 x\nA0\n"
    path.write_text("int x;\n#define A0\nA0\n")
    async with Workshop(path, line=3, options=Options(step_limit=50_000)) as shop:
        shop.editor.put(bomb)
        shop.editor.go_to(18, 1)
        began = time.process_time()
        longest = await longest_wait(shop.screen.settled())
        assert longest < (time.process_time() - began) / 2
        await shop.settle()
        assert "stopped after 50,000" in shop.shown(ProblemsPane)
        assert "50,000 steps" in str(shop.screen.query_one(OutcomePane).border_subtitle)
        outcome = shop.screen.query_one(OutcomePane)
        assert "more tokens" in "".join(text for text, _ in outcome.draw(outcome._count - 1))


async def test_megabytes_can_be_pasted(path):
    async with Workshop(path, line=3) as shop:
        shop.editor.insert("// a line of no meaning\n" * 100_000)
        assert await longest_wait(shop.pilot.press("y")) < slowness()  # it is 0.1
        await shop.settle()
        assert shop.editor.language is None
        assert "more than 1,000,000" in shop.shown(ProblemsPane)
        await shop.press("ctrl+s")
    assert len(path.read_text()) > 2_000_000 > COLOURED


async def test_an_empty_text_is_one_that_invokes_nothing(path):
    async with Workshop(path) as shop:
        shop.editor.put("")
        await shop.settle()
        assert not shop.app.screen.live.tried.diagnostics
        await shop.press("ctrl+e", "f4", "f3", "f8", "tab", "enter")
        assert isinstance(shop.app.screen, WorkshopScreen)
        await shop.press("ctrl+z")
        assert shop.editor.text == SOURCE


async def test_a_file_of_other_bytes_is_not_edited(path):
    (path.parent / "macros.h").write_bytes(HEADER.encode() + b"// caf\xe9\n")
    async with Workshop(path) as shop:
        await shop.screen.open(path.parent / "macros.h")
        await shop.press("x")
        assert shop.editor.text.startswith("#define TWICE")
        assert "not UTF-8 (iconv -f GBK -t UTF-8" in shop.shown(WorkshopHeading)
        assert "Ctrl+S save" not in shop.shown(Footer)
        await shop.press("ctrl+s")
        assert b"\xe9" in (path.parent / "macros.h").read_bytes()
        (path.parent / "macros.h").write_text(HEADER)  # as iconv would
        shop.screen.query_one(ChangedNotice).look_again()
        await shop.settle()
        await shop.press("x")
        assert shop.editor.text.startswith("x#define TWICE")
        assert "Ctrl+S save" in shop.shown(Footer)


async def test_a_narrow_screen_shows_one_view_at_a_time(path):
    async with Workshop(path, line=2, size=(80, 24)) as shop:
        panes = (OutcomePane, ChangesPane, ProblemsPane)

        def visible():
            return [p for p in panes if shop.screen.query_one(p).region.area]

        assert visible() == [OutcomePane]
        await shop.press("f8")
        assert visible() == [ChangesPane]
        await shop.press("end", "enter", *"#bad")
        assert visible() == [ProblemsPane]


async def test_a_file_that_is_gone_is_not_opened(path):
    bench = open_file(path)
    path.unlink()
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 36)) as pilot:
        app.push_screen(WorkshopScreen(bench))
        await settled(pilot)
        assert type(app.screen) is Screen


async def test_another_instance_on_the_file_is_not_disturbed(path):
    other = drafts.Draft(path)
    other.keep("what somebody types in another window")
    async with Workshop(path, line=2) as shop:
        await shop.press("x")
        assert type(shop.app.screen) is WorkshopScreen  # nothing is offered
    mine = list(drafts.left_behind(path))
    assert ["xint" in draft.kept().text for draft in mine] == [True]
    assert other.kept().text == "what somebody types in another window"
    for draft in (*mine, other):
        draft.release()


async def test_a_damaged_draft_is_set_aside_and_said_so(path, own_folder):
    draft = drafts.Draft(path)
    draft.keep("lost")
    draft.release()
    (file,) = (own_folder / "drafts").glob("*.json")
    file.write_bytes(file.read_bytes()[:-9])
    async with Workshop(path) as shop:
        await settled(shop.pilot)
        said = [notification.message for notification in shop.app._notifications]
        assert any("damaged" in text and "damaged-1" in text for text in said)
        assert shop.editor.text == SOURCE
    assert len(list((own_folder / "drafts").glob("*damaged-1"))) == 1


class BothEditors(App):
    """Ours, in the way in which it edits long texts, and Textual's."""

    CSS_PATH = "../../visualizer/tui/unfold.tcss"

    def get_theme_variable_defaults(self):
        return DARK.variables

    def compose(self):
        yield Editor("a\n\tb\tc\nlast")
        yield TextArea("a\n\tb\tc\nlast", soft_wrap=False, show_line_numbers=True)


async def test_a_long_text_is_edited_as_a_short_one_is(monkeypatch):
    monkeypatch.setattr(editor_widget, "COLOURED", -1)
    random = Random(0)
    app = BothEditors()
    async with app.run_test():
        ours, theirs = app.query_one(Editor), app.query(TextArea).last()
        for _ in range(200):
            row = random.randrange(theirs.document.line_count)
            column = random.randint(0, len(theirs.document[row]))
            text = random.choice(["x\ty", "\n", "p\nq\tr\ns"])
            doing = random.choice(["insert", "delete", "move", "undo"])
            for area in (ours, theirs):
                match doing:
                    case "insert":
                        area.insert(text, (row, column))
                    case "delete":
                        area.delete((max(row - 2, 0), 0), (row, column))
                    case "move":
                        area.move_cursor((row, column))
                    case "undo":
                        area.undo()
            assert (ours.text, ours.cursor_location) == (theirs.text, theirs.cursor_location)
            assert ours.wrapped_document.height == theirs.wrapped_document.height
            end = ours.document.end
            offsets = [a.wrapped_document.location_to_offset(end) for a in (ours, theirs)]
            assert offsets[0] == offsets[1]


async def test_what_is_asked_for_at_every_key_is_done_once_and_last():
    text, seen, begun, may_end = [""], [], asyncio.Event(), asyncio.Event()

    async def look():
        begun.set()
        now = text[0]
        await may_end.wait()
        seen.append(now)

    settling = Settling(asyncio.ensure_future, look, pause=0.3)
    for letter in "typing":
        text[0] += letter
        settling.ask()
        await asyncio.sleep(0)
    may_end.set()
    await settling.done()
    assert seen == ["typing"]
    begun.clear()
    may_end.clear()
    settling.ask()
    await begun.wait()
    text[0] = "later"
    settling.ask()
    may_end.set()
    await settling.done()
    assert seen[-1] == "later"
    assert len(seen) == 3


async def test_letters_are_found_forwards_backwards_and_around(path):
    async with Workshop(path) as shop:
        await shop.pilot.press("ctrl+f", *"INT")
        places = []
        for key in ("enter", "enter", "up"):
            places.append(min(shop.screen.editors.here.selection))
            await shop.pilot.press(key)
        assert places == [(1, 0), (2, 0), (1, 0)]
        assert str(shop.app.screen.query_one("#dialog").border_title) == "Find: 2 of 2"
        await shop.pilot.press(*"xyz")
        assert "none" in str(shop.app.screen.query_one("#dialog").border_title)
        await shop.pilot.press("escape")
        assert shop.app.screen is shop.screen
        assert shop.screen.editors.here.text == SOURCE


async def test_a_line_is_gone_to_by_its_number(path):
    async with Workshop(path) as shop:
        await shop.pilot.press("ctrl+g", "9", "enter")
        assert shop.app.screen is not shop.screen, "there is no such line"
        await shop.pilot.press("backspace", "2", "enter")
        assert shop.screen.editors.here.cursor_location == (1, 0)
        assert shop.screen.editors.here.has_focus


async def test_what_was_shown_before_errors_is_not_drawn_with_what_comes_behind_them(tmp_path):
    """In a small terminal the errors take the place of the expansion, which is laid out when it has
    one again."""
    path = tmp_path / "source.c"
    path.write_text("#define TWO 1 + 1\nint a = TWO;\n")
    async with Workshop(path, line=2, size=(80, 24)) as shop:
        pane = shop.screen.query_one(OutcomePane)
        assert "1 + 1" in shop.shown(OutcomePane)
        pane.display = False
        await shop.settle()
        pane.show("TWO", shop.bench.trace.output[:1])
        assert not pane.count, "nothing of it can be drawn before it is laid out"
        pane.display = True
        await shop.settle()
        assert shop.shown(OutcomePane).split() == ["int"]
