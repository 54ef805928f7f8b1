"""Home: what it offers, finding it, opening it, and coming back."""

import gc
import os
import threading
import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual import events
from textual.widgets import DirectoryTree, Input

from tests.tui.settled import settled
from tests.waiting import PATIENCE, until
from visualizer.expansion.tokens import spell
from visualizer.expansion.under_way import given
from visualizer.personal import recent_files
from visualizer.tui import external_editor
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.choices import ListedLesson, first_lines, opening_comment
from visualizer.tui.home.list import HomeList
from visualizer.tui.home.loading import LoadingScreen
from visualizer.tui.home.open_file import OpenFileScreen
from visualizer.tui.home.preview import HomePreview
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.ink.themes import LIGHT
from visualizer.tui.lesson import offered as lessons
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.notice import Notice
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench import opening as opening_module
from visualizer.workbench.bench import open_file
from visualizer.workbench.flags import Flags
from visualizer.workbench.opening import Opening

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "phi"
BITWISE = SAMPLES / "bitwise_kernel.cc"


@pytest.fixture(autouse=True)
def _no_lessons(monkeypatch):
    """Samples and files are what these tests are about."""
    monkeypatch.setattr(lessons, "glanced", lambda app: ())
    monkeypatch.setattr(lessons, "offered", lambda app: ())


def rows(app):
    listed = app.screen.query_one(HomeList)
    return [listed.render_line(y).text for y in range(listed.size.height)]


def shown(app):
    return [choice.title for choice in app.screen.query_one(HomeList).shown]


async def stepping(pilot):
    await until(lambda: isinstance(pilot.app.screen, StepperScreen))


async def test_unfold_alone_opens_home_on_the_sample_to_begin_with():
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)) as pilot:
        assert isinstance(app.screen, HomeScreen)
        assert any("▸ bitwise_kernel.cc" in row for row in rows(app))
        assert any("There are none yet" in row for row in rows(app))
        await pilot.press("enter")
        await stepping(pilot)
        assert app.bench.path == BITWISE
        await pilot.press("h")
        assert isinstance(app.screen, HomeScreen)


async def test_every_sample_is_offered_with_what_it_says_of_itself():
    app = UnfoldApp()
    async with app.run_test(size=(160, 60)):
        offered = {c.opening.path: c for c in app.screen.query_one(HomeList).shown if c.opening}
        assert set(offered) == set(SAMPLES.parent.rglob("*.cc"))
        for path, choice in offered.items():
            framework = path.relative_to(SAMPLES.parent).parts[0]
            assert choice.section == f"Samples · {framework}"
            assert choice.about
            assert " ".join(opening_comment(path)).startswith(choice.about)


async def test_typing_leaves_what_has_the_words():
    app = UnfoldApp()
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("slash", "s", "o", "f", "t", "m", "a", "x")
        assert set(shown(app)) == {"softmax_kernel.cc", "plugin_softmax_kernel.cc"}
        await pilot.press("space", "p", "l", "u", "g")
        assert shown(app) == ["plugin_softmax_kernel.cc"]
        await pilot.press("enter")
        await stepping(pilot)
        assert app.bench.path.name == "plugin_softmax_kernel.cc"


async def test_a_slash_begins_the_filter_the_arrows_still_choose_and_escape_ends_it():
    app = UnfoldApp()
    async with app.run_test(size=(120, 30)) as pilot:
        everything = shown(app)
        await pilot.press("slash", *"transpose")
        assert shown(app) == ["transpose_kernel.cc"]
        keys = app.screen._compositor.render_strips()[-1].text
        assert "Enter open" in keys
        assert "Esc show all" in keys
        await pilot.press("slash", "slash")
        assert shown(app) == ["transpose_kernel.cc"], "the key again asks for nothing else"
        await pilot.press("z")
        assert shown(app) == []
        assert "nothing here fits" in rows(app)[0]
        await pilot.press("enter", "escape")
        assert shown(app) == everything
        await pilot.press("slash", "slash", "k", "down")
        assert app.screen.query_one(Input).value == "k"
        listed = app.screen.query_one(HomeList)
        assert listed.cursor == listed.shown[1]


async def test_who_comes_back_from_what_a_filter_found_has_the_keys_again():
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash", *"bitwise_kernel", "enter")
        await stepping(pilot)
        await pilot.press("h")
        await until(lambda: isinstance(app.screen, HomeScreen))
        assert isinstance(app.focused, HomeList)
        assert app.screen.query_one("#home-filter", Input).value == "bitwise_kernel"


async def test_the_keys_that_work_everywhere_work_here_until_one_filters():
    app = UnfoldApp()
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("t")
        assert app.theme == LIGHT.name
        await pilot.press("slash", "t")
        assert app.screen.query_one(Input).value == "t"
        assert app.theme == LIGHT.name
        await pilot.press("escape", "q")
        await pilot.pause()
        assert app._exit


async def test_the_preview_follows_the_cursor():
    app = UnfoldApp()
    async with app.run_test(size=(160, 48)) as pilot:
        preview = app.screen.query_one(HomePreview)
        text = "\n".join(preview.render_line(y).text for y in range(preview.size.height))
        assert "Four kernels for the bits of integers" in text
        assert "PD_REGISTER_KERNEL(bitwise_and" in text
        await pilot.press("down")
        assert preview.choice == app.screen.query_one(HomeList).cursor
        await pilot.press("home")
        assert "any C or C++ source" in preview.render_line(0).text


async def test_a_click_opens_a_row():
    app = UnfoldApp()
    async with app.run_test(size=(120, 40)) as pilot:
        row = next(y for y, text in enumerate(rows(app)) if "cast_kernel.cc" in text)
        listed = app.screen.query_one(HomeList)
        await pilot.click(HomeList, offset=(10, row + listed.gutter.top))
        await stepping(pilot)
        assert app.bench.path.name == "cast_kernel.cc"


async def test_opened_files_are_recent_with_their_flags_and_gone_ones_are_marked(tmp_path):
    gone = tmp_path / "gone.cc"
    recent_files.remember(Opening(gone), print)
    app = UnfoldApp()
    async with app.run_test(size=(100, 40)) as pilot:
        app.open_file(Opening(BITWISE, 72, Flags(macros=(("D", "NDEBUG"),))))
        await stepping(pilot)
        assert app.bench.trace.expansions[app.screen.scene.expansion].where.line == 72
        assert ("D", "NDEBUG") in app.bench.options.macros
        await until(lambda: len(recent_files.recent_files(print)) == 2)
        await pilot.press("h")
        text = "\n".join(rows(app))
        assert "bitwise_kernel.cc:72" in text
        assert "-D NDEBUG" in text
        assert "just now" in text
        assert next(row for row in rows(app) if "gone.cc" in row).rstrip().endswith("gone")
        await pilot.press("end", "home", "down", "down")
        assert app.screen.query_one(HomeList).cursor.gone
        await pilot.press("delete")
        assert "gone.cc" not in "\n".join(rows(app))


async def test_a_file_that_cannot_be_read_gives_one_message_and_home_stays(tmp_path):
    path = tmp_path / "bad.cc"
    app = UnfoldApp()
    async with app.run_test(size=(120, 40)):
        for count, content in enumerate([None, b"\0\1\2"], 1):
            if content is not None:
                path.write_bytes(content)
            app.open_file(Opening(path))
            await until(lambda count=count: len(app._notifications) == count)
            assert isinstance(app.screen, HomeScreen)
        assert all("bad.cc" in message.message for message in app._notifications)
        assert recent_files.recent_files(print) == []


async def test_a_long_wait_shows_and_escape_ends_it(monkeypatch):
    may_end = threading.Event()

    def slow(opening):
        may_end.wait(PATIENCE)
        raise AssertionError("nobody waits for this")

    monkeypatch.setattr(opening_module, "load", slow)
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await until(lambda: app.screen.has_class("-shown"))
        assert isinstance(app.screen, LoadingScreen)
        assert "bitwise_kernel.cc" in str(app.screen.query_one("#loading").content)
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)
        may_end.set()
        await settled(pilot)
        assert isinstance(app.screen, HomeScreen)
        assert not app._notifications


async def test_a_reading_that_is_called_off_is_no_trouble(monkeypatch, caplog):
    """Though it ends before whoever waited for it is gone."""

    def left(opening):
        given.get().wanted = False
        given.get().step()

    monkeypatch.setattr(opening_module, "load", left)
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, LoadingScreen))
        await until(lambda: app.screen not in [worker.node for worker in app.workers])
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)
    gc.collect()
    assert "never retrieved" not in caplog.text


async def test_an_opening_that_is_refused_ends_the_app_with_the_reason(tmp_path):
    (tmp_path / "none.c").write_text("int a;\nint b;\n")
    app = UnfoldApp(opening=Opening(tmp_path / "none.c", 2))
    async with app.run_test(size=(80, 24)):
        await until(lambda: app.refused is not None)
    assert "no macro is invoked on this line" in str(app.refused.diagnostic)


async def test_a_line_without_an_invocation_opens_at_the_nearest_and_says_so(tmp_path):
    text = "#define ONE 1\nint a = ONE;\n\n\nint none;\nint b = ONE;\nint c = ONE;\n"
    (tmp_path / "near.c").write_text(text)
    app = UnfoldApp(opening=Opening(tmp_path / "near.c", 5))
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        await until(lambda: app.screen.shows_line)
        await settled(pilot)
        assert app.screen.scene.invocation.where.line == 6
        assert "line 5: no macro is invoked on this line" in notice(app)
        await pilot.press("n")
        assert "no macro" not in notice(app)


async def test_a_name_that_an_ifdef_asks_for_in_vain_is_no_error(tmp_path):
    (tmp_path / "asks.c").write_text("#define ONE 1\n#ifdef NOPE\n#endif\nint a = ONE;\n")
    app = UnfoldApp(opening=Opening(tmp_path / "asks.c", 2))
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        await until(lambda: app.screen.shows_line)
        await settled(pilot)
        assert "NOPE is asked for: it is no macro here" in notice(app)
        assert "✗" not in notice(app)
        assert app.screen.query_one(Notice).has_class("-plain")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_line_where_an_invocation_is_not_closed_is_shown_and_says_so(
    tmp_path, size, monkeypatch
):
    text = "#define MAX(a, b) a\nint b = MAX(1, 2);\n\n\nint c = MAX(3, 4;\n"
    (tmp_path / "open.c").write_text(text)
    app = UnfoldApp(opening=Opening(tmp_path / "open.c", 5))
    async with app.run_test(size=size) as pilot:
        await stepping(pilot)
        await until(lambda: app.screen.shows_line)
        await settled(pilot)
        assert not app._notifications, "a message would cover what is shown"
        assert notice(app).startswith("✗ line 5: unterminated argument list invoking macro")
        assert "no ')' stands before this ;" in notice(app)
        source = app.screen.query_one(SourcePane)
        rows = [source.render_line(y).text for y in range(source.size.height)]
        assert "→ 5 int c = MAX(3, 4;" in "\n".join(rows)
        edited = []
        monkeypatch.setattr(external_editor, "edit", lambda *told: edited.append(told[-1]))
        await pilot.press("E")
        assert edited == [5]
        await pilot.press("escape")
        assert "elsewhere, line 5" in notice(app)
        assert app.screen.query_one(LineView).region.area
        assert not app._notifications
        await pilot.press("escape")
        assert "Nothing is open" in next(iter(app._notifications)).message


def notice(app):
    shown = app.screen.query_one(Notice)
    return " ".join(shown.render_line(y).text.strip() for y in range(shown.size.height))


async def test_an_invocation_that_is_not_closed_ends_the_app_with_the_reason(tmp_path):
    (tmp_path / "open.c").write_text("#define MAX(a, b) a\nint c = MAX(3, 4;\n")
    app = UnfoldApp(opening=Opening(tmp_path / "open.c", 2))
    async with app.run_test(size=(80, 24)):
        await until(lambda: app.refused is not None)
    assert "unterminated argument list" in app.refused.diagnostic.message
    assert app.refused.diagnostic.notes


async def test_any_file_is_opened_by_its_path_which_completes_itself(tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "kernel_one.cc").write_text("#define ID(x) x\nint a = ID(V);\n")
    monkeypatch.chdir(tmp_path)
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await pilot.press("d", "tab", "tab")
        path = app.screen.query_one("#open-path", Input)
        assert path.value == "deep/kernel_one.cc"
        await pilot.press("tab")
        await pilot.press(*"-D V")
        await pilot.press("enter")
        await stepping(pilot)
        assert app.bench.path.absolute() == tmp_path / "deep" / "kernel_one.cc"
        assert app.bench.options.macros == (("D", "V"),)


async def test_a_file_whose_name_is_no_utf8_is_opened_and_remembered(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.cc")
    path.write_text("#define ID(x) x\nint a = ID(V);\n")
    async with UnfoldApp(open_file(path)).run_test(size=(80, 24)) as pilot:
        await pilot.press("right")
    told = []
    recent_files.remember(Opening(path), told.append)
    assert recent_files.recent_files(told.append)[0].opening.path == path
    assert told == []
    async with UnfoldApp().run_test(size=(80, 24)) as pilot:
        await until(lambda: "caf" in " ".join(rows(pilot.app)))


async def test_a_file_has_the_name_that_its_reader_typed_in_the_workshop_too(tmp_path, monkeypatch):
    """As the compiler says it, which is given the same path; recent files are kept for any folder."""
    (tmp_path / "here.c").write_text("#define HERE __FILE__\nconst char *file = HERE;\n")
    monkeypatch.chdir(tmp_path)
    app = UnfoldApp(opening=Opening(Path("here.c"), flags=Flags(cc="none")))
    async with app.run_test(size=(80, 24)) as pilot:
        await stepping(pilot)
        assert spell(app.bench.trace.expansions[0].after) == '"here.c"'
        await pilot.press("w")
        await until(lambda: isinstance(app.screen, WorkshopScreen))
        tried = await app.screen.settled()
        assert spell(tried.bench.trace.expansions[0].after) == '"here.c"'
        assert [f.opening.path for f in recent_files.recent_files(print)] == [tmp_path / "here.c"]


async def test_what_is_wrong_with_the_path_or_the_flags_is_said_before_anything_is_opened(tmp_path):
    app = UnfoldApp()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        screen = app.screen
        for path, flags, said in [
            ("", "", "Type a path"),
            (str(tmp_path), "", "is a folder"),
            (str(tmp_path / "none.cc"), "", "There is no file"),
            ("~nosuchuser/a.cc", "", "There is no file"),
            ("i.cc:", "", "There is no file"),
            ("a.cc:" + "1" * 5000, "", "There is no file"),
            ("a\0b.cc", "", "There is no file"),
            ("~\0", "", "There is no file"),
            ("~\ud800/a.cc", "", "There is no file"),
            ("/dev/zero", "", "is no regular file"),
            (str(BITWISE), "-D 1=2", "'1' is not a macro name"),
            (str(BITWISE), "-D 'X", "no closing quotation"),
            (str(BITWISE), "--std fortran", "not a standard"),
            (str(BITWISE), "--standard-of-nobody", "--standard-of-nobody"),
        ]:
            screen.query_one("#open-path", Input).value = path
            screen.query_one("#open-flags", Input).value = flags
            await pilot.pause()
            await pilot.press("enter")
            assert said in str(screen.query_one("#open-message").content)
            assert app.screen is screen
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_a_link_that_leads_to_itself_is_a_file_like_others(tmp_path, monkeypatch):
    """What it leads to can't be asked: a letter of its name, typed, ended the app."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "loops").mkdir()
    app = UnfoldApp()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        await pilot.press("l", "tab")
        await settled(pilot)
        assert app.screen.query_one("#open-path", Input).value == "loop"
        await pilot.press("s", "tab")
        assert app.screen.query_one("#open-path", Input).value == "loops/"


async def test_megabytes_pasted_do_no_harm():
    much = "x/" * 500_000 + "\0.cc:12"
    app = UnfoldApp()
    async with app.run_test(size=(100, 30)) as pilot:
        everything = shown(app)
        await pilot.press("slash")
        app.screen.query_one("#home-filter").post_message(events.Paste(much))
        await pilot.pause()
        assert shown(app) == everything
        await pilot.press("escape", "ctrl+o")
        for count in (10, 500_000):
            for name in ("#open-flags", "#open-path"):
                app.screen.query_one(name).focus()
                await pilot.pause()
                app.screen.query_one(name).post_message(events.Paste(much[-count:]))
            await pilot.press("enter")
            assert "There is no file" in str(app.screen.query_one("#open-message").content)


async def test_a_new_file_is_made_and_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o", *"none/a.c", "enter")
        message = app.screen.query_one("#open-message")
        assert str(message.content) == f"✗ There is no file {tmp_path}/none/a.c."
        await pilot.press("ctrl+n")
        assert str(message.content) == f"✗ There is no folder {tmp_path}/none."
        app.screen.query_one("#open-path").value = "a.c"
        await pilot.press("enter")
        assert "Ctrl+N makes it" in str(message.content)
        await pilot.press("ctrl+n")
        await until(lambda: isinstance(app.screen, WorkshopScreen))
        await settled(pilot)
        app.screen.editors.here.put("#define TWO 2\nint n = TWO;\n")
        await pilot.press("ctrl+s")
        await settled(pilot)
        assert (tmp_path / "a.c").read_text() == "#define TWO 2\nint n = TWO;\n"
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen.scene.invocation.where.line == 2
        await pilot.press("ctrl+o", *"a.c", "ctrl+n")
        message = app.screen.query_one("#open-message")
        assert "is there already" in str(message.content)


async def test_a_file_is_chosen_in_the_tree(tmp_path, monkeypatch):
    (tmp_path / "only.cc").write_text("#define ID(x) x\nint a = ID(1);\n")
    monkeypatch.chdir(tmp_path)
    app = UnfoldApp()
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("ctrl+o")
        assert isinstance(app.screen, OpenFileScreen)
        tree = app.screen.query_one(DirectoryTree)
        await until(lambda: tree.root.children)
        tree.focus()
        await pilot.press("down", "enter")
        await stepping(pilot)
        assert app.bench.path == tmp_path / "only.cc"


async def test_lessons_stand_with_their_progress_and_open_by_their_id(monkeypatch):
    opened = []
    offered = [
        ListedLesson("begin", "The beginning", 1.0),
        ListedLesson("paste", "Two tokens become one", 0.5),
        ListedLesson("last", "The end"),
    ]
    glanced = [ListedLesson(lesson.id, lesson.title, None) for lesson in offered]
    monkeypatch.setattr(lessons, "glanced", lambda app: glanced)
    monkeypatch.setattr(lessons, "offered", lambda app: offered)
    monkeypatch.setattr(lessons, "open_lesson", lambda app, id: opened.append(id))
    app = UnfoldApp()
    async with app.run_test(size=(100, 30)) as pilot:
        await until(lambda: "50 %" in "\n".join(rows(app)))
        assert next(row for row in rows(app) if "Two tokens" in row).rstrip().endswith("50 %")
        assert next(row for row in rows(app) if "beginning" in row).rstrip().endswith("done ✓")
        assert next(row for row in rows(app) if "The end" in row).rstrip().endswith("new")
        await pilot.press("enter")
        assert opened == ["paste"]


def test_how_long_ago_it_was():
    now = datetime(2030, 1, 31, 12, tzinfo=UTC)
    for ago, text in [
        (timedelta(seconds=-5), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(days=1), "yesterday"),
        (timedelta(days=6), "6 days ago"),
        (timedelta(days=20), "2 weeks ago"),
        (timedelta(days=800), "2 years ago"),
    ]:
        assert recent_files.ago(now - ago, now) == text


async def test_in_a_narrow_terminal_too_the_idea_of_the_chosen_lesson_is_told_whole(monkeypatch):
    idea = "A name that stands for tokens, and one that takes some: what each of them becomes."
    told = (ListedLesson("macros/1", "macros/1  Two kinds of macros", 0.0, idea),)
    monkeypatch.setattr(lessons, "glanced", lambda app: told)
    monkeypatch.setattr(lessons, "offered", lambda app: told)
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        preview = app.screen.query_one(HomePreview)
        shown = " ".join(preview.render_line(y).text.strip() for y in range(preview.size.height))
        assert idea in shown


async def test_a_window_that_grows_gives_the_names_room():
    app = UnfoldApp()
    async with app.run_test(size=(60, 48)) as pilot:
        await settled(pilot)
        listed = app.screen.query_one(HomeList)
        first, *others = listed.shown[1:]
        listed.offer([replace(first, title="t" * 40, about="About it."), *others])
        await pilot.resize_terminal(100, 48)
        await settled(pilot)
        long = next(row for row in rows(app) if "About it." in row)
        short = next(row for row in rows(app) if "From one type" in row)
        assert long.index("About it.") == short.index("From one type")


async def test_a_trace_that_is_called_off_ends_and_says_how_far_it_is_before(tmp_path):
    """Its thread too, which Python can't stop."""
    doubling = "".join(f"#define A{i} A{i - 1} + A{i - 1}\n" for i in range(1, 60))
    (tmp_path / "bomb.c").write_text(f"#define A0 1\n{doubling}" + "int x = A59;\n" * 100)
    app = UnfoldApp()
    async with app.run_test(size=(120, 30)) as pilot:
        await settled(pilot)
        threads = {*threading.enumerate()}
        app.open_file(Opening(tmp_path / "bomb.c"))
        await until(lambda: app.screen.query("#loading"))
        told = app.screen.query_one("#loading")
        await until(lambda: ", at bomb.c:160, " in str(told.render()))
        assert " steps" in str(told.render())
        (working,) = [t for t in threading.enumerate() if t not in threads and t.daemon]
        await pilot.press("escape")
        working.join(PATIENCE)
        assert not working.is_alive()
        assert isinstance(app.screen, HomeScreen)


def test_a_glance_at_a_file_takes_little_of_it_however_long_it_is(tmp_path):
    path = tmp_path / "grown.cc"
    path.write_text("// one\n// two\n")
    os.truncate(path, 1 << 30)
    tracemalloc.start()
    try:
        lines = [*first_lines(path)]
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()
    assert lines[:2] == ["// one", "// two"]
    assert opening_comment(path) == ["one two"]
