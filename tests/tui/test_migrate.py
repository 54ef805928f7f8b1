"""The migration bench: from idiom to idiom, what stands beside each, and saving what comes of it."""

import io
import shutil
import subprocess
import sys
import zipfile

import pytest
from textual.widgets import Input, Static

from tests.migration.operator_text import operator_text
from tests.tui.answering import is_at_once
from tests.tui.bare_app import BareApp
from tests.tui.settled import settled
from tests.waiting import until
from visualizer import cli
from visualizer.commands import migrate as command
from visualizer.commands import reporting
from visualizer.expansion import InputError
from visualizer.migration import migrate
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.question import QuestionScreen
from visualizer.tui.dialogs.saving import SaveScreen
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.ink.code_pane import CodePane, Stretch
from visualizer.tui.ink.listing import Listing
from visualizer.tui.migrate import screen as migrate_screen
from visualizer.tui.migrate.screen import MigrateScreen
from visualizer.tui.palette import commands
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

TRACE = samples_folder() / "fluid" / "trace_op.cc"
ODD = """\
    auto* x = ctx.Input<framework::Tensor>("X");
    framework::Odd odd;
    const char* said = "framework::Odd in a string"; platform::Strange(x, "and a long one", odd);
"""


@pytest.fixture(scope="module")
def trace():
    return migrate(TRACE)


@pytest.fixture
def odd(tmp_path):
    """An operator in which three idioms are for a person, or two; the table decides."""
    path = tmp_path / "odd_op.cc"
    path.write_text(operator_text(ODD, op_type="odd"))
    return migrate(path)


def rows(screen, side):
    pane = screen.query_one(f"#migrate-{side}", CodePane)
    return [pane.render_line(y).text for y in range(pane.size.height)]


def lit_rows(screen, side):
    """What is drawn in the rows that are looked at, without their numbers."""
    return [row.split(maxsplit=1)[-1] for row in rows(screen, side) if row.startswith("▌")]


def told(screen):
    """The card, as one row."""
    return " ".join(screen.query_one("#migrate-card", Listing).text.split())


async def walk_to(pilot, screen, wanted):
    marks = screen.scene.migration.marks
    screen.scene = screen.scene.at(next(i for i, mark in enumerate(marks) if wanted(mark)))
    await pilot.pause()


async def test_every_idiom_is_lit_beside_what_took_its_place(trace):
    screen = MigrateScreen(trace)
    first_of_each_rule = {mark.rule.key: mark for mark in reversed(trace.marks)}.values()
    async with BareApp(screen).run_test(size=(160, 48)) as pilot:
        for mark in first_of_each_rule:
            await walk_to(pilot, screen, lambda one, wanted=mark: one is wanted)
            fluid, phi = (
                screen.query_one(f"#migrate-{side}", CodePane) for side in ("fluid", "phi")
            )
            assert fluid.lit == mark.idiom
            first = mark.idiom.split("\n")[0]
            if first:
                assert first[:40] in lit_rows(screen, "fluid")[0]
            assert phi.lit == ("" if mark.new is None else mark.becomes)
            if mark.new is None:
                assert lit_rows(screen, "phi") == []
                assert "it is left out" in told(screen)
            else:
                assert lit_rows(screen, "phi")
                assert trace.pieces[mark.new.file].path in told(screen)
            assert f"({mark.rule.section} of the guide" in told(screen) or (
                "(Paddle 3.3.1)" in told(screen)
            )


async def test_the_keys_lead_from_end_to_end(trace):
    screen = MigrateScreen(trace)
    async with BareApp(screen).run_test(size=(80, 24)) as pilot:
        for key, there in (("n", 1), ("down", 2), ("p", 1), ("up", 0), ("up", 0)):
            await pilot.press(key)
            assert screen.scene.here == there
        for key, there in (("end", -1), ("n", -1)):
            await pilot.press(key)
            assert screen.scene.mark is trace.marks[there]
            assert lit_rows(screen, "fluid")[0].strip() == trace.marks[there].idiom.split("\n")[0]


async def test_what_the_guide_misspells_is_told(trace):
    screen = MigrateScreen(trace)
    async with BareApp(screen).run_test(size=(160, 48)) as pilot:
        await walk_to(pilot, screen, lambda mark: mark.rule.key == "alloc")
        assert "printed there: out->mutbale_data(ctx.GetPlace()/place)" in " ".join(
            told(screen).split()
        )


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_an_idiom_has_the_rows_that_are_free_and_u_tells_the_rest(trace, size):
    screen = MigrateScreen(trace)
    app = BareApp(screen)
    longest = max(trace.marks, key=lambda mark: len(mark.idiom) + len(mark.becomes))
    async with app.run_test(size=size) as pilot:
        card = screen.query_one("#migrate-card", Listing)
        for mark in trace.marks:
            await walk_to(pilot, screen, lambda one, wanted=mark: one is wanted)
            rows = card.text.splitlines()
            assert len(rows) <= card.rows_visible
            if "u ▾" in card.text:
                assert len(rows) == card.rows_visible
        await walk_to(pilot, screen, lambda one: one is longest)
        assert "… u ▾" in card.text
        await pilot.press("u")
        await pilot.pause()
        whole = " ".join(str(app.screen.query_one("#panel-text", Static).content).split())
        assert " ".join(longest.idiom.split()) in whole
        assert " ".join(longest.becomes.split()) in whole
        for piece in trace.pieces:
            assert f"{piece.path} {piece.role}" in whole


async def test_only_what_needs_a_person(odd):
    screen = MigrateScreen(odd)
    async with BareApp(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("c", "home")
        for mark in odd.left:
            assert screen.query_one("#migrate-fluid", CodePane).lit == mark.idiom
            assert mark.reason.removeprefix("a guess: ") in told(screen)
            assert ", with a comment: TODO(migrate)" in told(screen)
            await pilot.press("n")
        assert len(odd.left) > 1
        signs = [row[1] for row in rows(screen, "fluid")]
        assert "!" in signs
        assert "▸" not in signs
        await pilot.press("c")
        assert screen.query_one("#migrate-fluid", CodePane).lit == odd.left[-1].idiom
        assert "▸" in [row[1] for row in rows(screen, "fluid")]


async def test_where_nothing_needs_a_person_it_says_so(trace):
    screen = MigrateScreen(trace)
    app = BareApp(screen)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("c")
        assert [n.message for n in app._notifications] == ["Everything here is settled."]
        assert not screen.scene.only_left


async def test_a_narrow_terminal_shows_one_side_at_a_time(trace):
    screen = MigrateScreen(trace)

    def seen():
        sides = ("fluid", "phi", "files")
        return [s for s in sides if screen.query_one(f"#migrate-{s}").region.area]

    async with BareApp(screen).run_test(size=(80, 24)) as pilot:
        for key, side in (("tab", "phi"), ("left", "fluid"), ("3", "files"), ("right", "fluid")):
            await pilot.press(key)
            await pilot.pause()
            assert seen() == [side]
            assert screen.focused.id == f"migrate-{side}"
        await pilot.resize_terminal(160, 48)
        await pilot.pause()
        assert seen() == ["fluid", "phi", "files"]


async def test_other_files_are_turned_to_and_the_next_idiom_comes_back(trace):
    screen = MigrateScreen(trace)
    async with BareApp(screen).run_test(size=(80, 24)) as pilot:
        await pilot.press("3")
        await pilot.pause()
        await pilot.press(*["up"] * 12)
        assert screen.scene.piece == 0
        await pilot.press("enter")
        await pilot.pause()
        assert screen.focused.id == "migrate-phi"
        assert "TraceKernel" in "".join(rows(screen, "phi"))
        await pilot.press("right_square_bracket")
        assert screen.query_one(ChoiceList).value == trace.pieces[1].path
        await pilot.press("o")
        assert screen.query_one("#migrate-fluid", CodePane).border_title.endswith("trace_op.h")
        assert lit_rows(screen, "phi") == []
        await pilot.press("n")
        assert screen.scene.file == 0
        assert screen.scene.piece == trace.marks[1].new.file


async def test_a_click_on_what_took_its_place_looks_at_the_idiom(trace):
    screen = MigrateScreen(trace)
    async with BareApp(screen).run_test(size=(160, 90)) as pilot:
        await walk_to(pilot, screen, lambda mark: mark.rule.key == "alloc")
        wanted = screen.scene.here
        await pilot.press("home")
        await pilot.press("3")
        await pilot.pause()
        await pilot.press(*["up"] * 12, *["down"] * trace.marks[wanted].new.file)
        await pilot.pause()
        y = next(y for y, row in enumerate(rows(screen, "phi")) if "Alloc<T>(out)" in row)
        x = rows(screen, "phi")[y].index("Alloc")
        await pilot.click("#migrate-phi", offset=(x + 1, y + 1))
        assert screen.scene.here == wanted


async def test_a_stretch_far_to_the_right_is_seen(odd):
    """Its row is drawn from a later column on; the rows about it stay."""
    screen = MigrateScreen(odd)
    async with BareApp(screen).run_test(size=(60, 24)) as pilot:
        await walk_to(pilot, screen, lambda mark: mark.idiom == "platform::Strange")
        assert "platform::Strange" in lit_rows(screen, "fluid")[0]
        assert any("framework::Odd odd;" in row for row in rows(screen, "fluid"))
        await pilot.press("shift+right")
        assert not any("framework::Odd odd;" in row for row in rows(screen, "fluid"))


async def test_tabs_and_long_stretches_stand_where_they_are_lit():
    from registry_runtime.cxx.span import Span

    text = "\tint a;\tint b;\nvoid f() {\n  return;\n}\n\n"
    pane = CodePane(id="migrate-phi")
    app = BareApp()
    async with app.run_test(size=(40, 10)) as pilot:
        await app.screen.mount(pane)
        for inside in ("int b;", "f() {\n  return;\n}\n\n"):
            at = text.index(inside)
            stretch = Stretch(0, Span(at, at + len(inside)))
            pane.show(text, [stretch], stretch)
            await pilot.pause()
            lit = []
            for y in range(5):
                strip = pane.render_line(y)
                lit.append(
                    "".join(s.text for s in strip if s.style and s.style.bold and "▌" not in s.text)
                )
            assert "\n".join(lit).strip() == "\n".join(
                line.strip() for line in inside.strip().split("\n")
            )


async def saving(pilot, folder):
    await pilot.press("s")
    await until(lambda: isinstance(pilot.app.screen, SaveScreen))
    pilot.app.screen.query_one(Input).value = str(folder)
    await pilot.press("enter")
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def files_in(folder):
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


async def test_the_files_are_saved_below_a_folder_and_not_over_others(odd, tmp_path):
    screen, folder = MigrateScreen(odd), tmp_path / "new"
    expected = {piece.path: piece.text for piece in odd.pieces}
    app = BareApp(screen)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await saving(pilot, folder)
        assert files_in(folder) == expected
        said = [n.message for n in app._notifications][-1].replace("\n", "")
        assert f"Saved {len(expected)} files below {folder}." in said
        name = odd.pieces[0].path
        (folder / name).write_text("mine")
        await saving(pilot, folder)
        assert isinstance(app.screen, QuestionScreen)
        await pilot.press("k")
        assert (folder / name).read_text() == "mine"
        await saving(pilot, folder)
        await pilot.press("a")
        await pilot.pause()
        assert isinstance(app.screen, SaveScreen)
        await pilot.press("escape")
        await saving(pilot, folder)
        await pilot.press("o")
        await app.workers.wait_for_complete()
        assert files_in(folder) == expected


async def test_fluids_own_files_are_never_written_over(tmp_path):
    path = tmp_path / "fluid" / "operators" / "scale_op.cc"
    path.parent.mkdir(parents=True)
    path.write_text(operator_text())
    app = BareApp(MigrateScreen(migrate(path)))
    async with app.run_test(size=(80, 24)) as pilot:
        await saving(pilot, tmp_path)
        if isinstance(app.screen, QuestionScreen):
            await pilot.press("o")
            await app.workers.wait_for_complete()
            await pilot.pause()
        assert isinstance(app.screen, SaveScreen)
        said = str(app.screen.query_one("#save-complaint").render())
        assert "is one of Fluid's files" in said
    assert files_in(tmp_path) == {"fluid/operators/scale_op.cc": operator_text()}


async def test_a_place_that_takes_no_files(odd, tmp_path):
    (tmp_path / "file").write_text("")
    app = BareApp(MigrateScreen(odd))
    async with app.run_test(size=(80, 24)) as pilot:
        for name, said in (
            ("file", "is a file: give a folder"),
            ("file/below", "Nothing was saved"),
            ("x" * 300, "Nothing was saved: File name too long"),
        ):
            await saving(pilot, tmp_path / name)
            assert isinstance(app.screen, SaveScreen)
            assert said in str(app.screen.query_one("#save-complaint").render())
            await pilot.press("escape")
    assert files_in(tmp_path)["file"] == ""


async def test_a_shared_file_that_cannot_be_added_to_is_kept(odd, tmp_path):
    shared = next(piece.path for piece in odd.pieces if "infermeta" in piece.path)
    there = tmp_path / "new" / shared
    there.parent.mkdir(parents=True)
    there.write_bytes(b"\xff")
    app = BareApp(MigrateScreen(odd))
    async with app.run_test(size=(80, 24)) as pilot:
        await saving(pilot, tmp_path / "new")
        assert isinstance(app.screen, SaveScreen)
        assert "isn't UTF-8" in str(app.screen.query_one("#save-complaint").render())
    assert there.read_bytes() == b"\xff"
    assert [p for p in (tmp_path / "new").rglob("*") if p.is_file()] == [there]


async def test_a_browser_is_handed_one_archive(odd, tmp_path, monkeypatch):
    handed = {}
    monkeypatch.setattr(BareApp, "is_web", True)
    monkeypatch.setattr(
        BareApp,
        "deliver_binary",
        lambda self, file, save_filename: handed.update({save_filename: file}),
    )
    async with BareApp(MigrateScreen(odd)).run_test(size=(80, 24)) as pilot:
        await pilot.press("s")
    ((name, file),) = handed.items()
    assert name == "odd_op_phi.zip"
    with zipfile.ZipFile(io.BytesIO(file.read())) as archive:
        assert {n: archive.read(n).decode() for n in archive.namelist()} == {
            piece.path: piece.text for piece in odd.pieces
        }


async def test_the_shown_file_is_copied(trace):
    screen = MigrateScreen(trace)
    app = BareApp(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end", "y")
        assert app.clipboard == trace.pieces[trace.marks[-1].new.file].text


# --- The ways there and back ----------------------------------------------------------------------


async def test_the_stepper_on_a_file_of_fluids_opens_the_bench():
    app = UnfoldApp(open_file(TRACE))
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Migrate  m" in [one.name for one in commands(app, app.screen)]
        await pilot.press("m")
        await until(lambda: isinstance(app.screen, MigrateScreen))
        await pilot.press("escape")
        assert isinstance(app.screen, StepperScreen)


async def test_elsewhere_the_key_says_why_there_is_nothing(bitwise):
    app = UnfoldApp(bitwise)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("m")
        await settled(pilot)
        assert isinstance(app.screen, StepperScreen)
        (told,) = app._notifications
        assert "trace_op.cc" in told.message


async def test_a_file_that_changed_for_the_worse_is_a_message(tmp_path):
    path = tmp_path / "scale_op.cc"
    (tmp_path / "op_registry.h").write_text((TRACE.parent / "op_registry.h").read_text())
    path.write_text(operator_text())
    app = UnfoldApp(open_file(path))
    async with app.run_test(size=(80, 24), notifications=True):
        path.write_text(operator_text().replace("Make() override {", "Make( override {"))
        app.open_migration(path)
        await until(lambda: bool(app._notifications))
        (said,) = [n.message for n in app._notifications]
        assert "scale_op.cc:" in said
        assert "error:" in said
        assert isinstance(app.screen, StepperScreen)


async def test_from_the_command_line_the_way_back_is_home():
    app = UnfoldApp(migrating=TRACE)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: isinstance(app.screen, MigrateScreen))
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, HomeScreen))


async def test_a_file_without_a_kernel_of_fluids_ends_the_app(tmp_path):
    path = tmp_path / "x.cc"
    path.write_text("int x;\n")
    app = UnfoldApp(migrating=path)
    async with app.run_test(size=(80, 24)):
        await until(lambda: app.refused is not None)
    assert isinstance(app.refused, InputError)
    assert "no kernel is registered here" in str(app.refused.diagnostic)


@pytest.mark.parametrize(
    ("words", "opens"),
    [
        ([], True),
        (["--check"], False),
        (["--format", "text"], False),
        (["--format", "json"], False),
    ],
)
def test_a_terminal_gets_the_screen_unless_a_report_is_asked_for(words, opens, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(command, "has_screen", lambda: True)
    monkeypatch.setattr(UnfoldApp, "run", lambda self: opened.append(self))
    assert cli.main(["migrate", str(TRACE), *words]) == reporting.OK
    assert bool(opened) is opens
    assert bool(capsys.readouterr().out) is not opens


def test_what_is_wrong_with_a_file_is_said_on_stderr(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "has_screen", lambda: True)
    assert cli.main(["migrate", str(tmp_path / "none.cc")]) == reporting.INPUT_ERROR
    assert "no such file" in capsys.readouterr().err


def test_nothing_is_imported_before_it_is_wanted():
    code = "import visualizer.tui.app, visualizer.tui.stepper.screen, sys;" + (
        "print([name for name in sys.modules if name.startswith('visualizer.migration')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


async def test_a_key_is_answered_at_once(trace):
    assert await is_at_once(lambda: BareApp(MigrateScreen(trace)), "down", len(trace.marks) - 1)


async def test_keys_lead_to_the_next_guess_and_to_what_is_left(tmp_path):
    path = tmp_path / "odd_op.cc"
    body = 'auto* out = ctx.Output<framework::Tensor>("Out");\nplatform::Strange(out);\n'
    path.write_text(operator_text(body + "framework::Odd odd;", op_type="odd"))
    odd = migrate(path)
    screen = MigrateScreen(odd)
    async with BareApp(screen).run_test(size=(120, 40)) as pilot:
        for key, status in (("g", "guess"), ("d", "left to you")):
            wanted = [i for i, mark in enumerate(odd.marks) if mark.status == status]
            assert wanted
            for here in (*wanted, wanted[0]):  # behind the last one comes the first
                await pilot.press(key)
                assert screen.scene.here == here


async def test_where_there_is_no_guess_the_key_says_so(trace):
    screen = MigrateScreen(trace)
    async with BareApp(screen).run_test(size=(120, 40)) as pilot:
        await pilot.press("g", "d")
        said = [n.message for n in pilot.app._notifications]
        assert said == ["There is no guess here.", "Nothing is left to you here."]


def heading(screen):
    return str(screen.query_one("#migrate-heading", Static).render())


def notes(screen):
    """The rows of the list of files."""
    files = screen.query_one("#migrate-files", ChoiceList)
    return [files.render_line(y).text for y in range(files.size.height)]


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not on PATH")
async def test_the_compilers_verdict_stands_beside_each_file(tmp_path):
    path = tmp_path / "odd_op.cc"
    path.write_text(operator_text("unheard_of();", op_type="odd"))
    screen = MigrateScreen(migrate(path), compiles=True)
    before = screen._migration
    async with BareApp(screen).run_test(size=(160, 48)) as pilot:
        await until(lambda: screen.scene.migration is not before)
        await settled(pilot)
        await pilot.press("d")
        assert "the compiler: " in told(screen)
        assert "unheard_of" in told(screen)
        title = screen.query_one("#migrate-phi", CodePane).border_subtitle
        assert "refused by the compiler, " in str(title)
        assert any("✗ CPU kernel" in row for row in notes(screen))


async def test_compiling_can_be_stopped(trace, tmp_path, monkeypatch):
    slow = tmp_path / "g++"
    slow.write_text("#!/bin/sh\nexec sleep 600\n")
    slow.chmod(0o755)
    monkeypatch.setattr(migrate_screen, "cxx_compiler", lambda: str(slow))
    screen = MigrateScreen(trace, compiles=True)
    async with BareApp(screen).run_test(size=(160, 48)) as pilot:
        await until(lambda: "x stops it" in heading(screen))
        await pilot.press("x")
        await until(lambda: "compiling was stopped" in heading(screen))
        assert screen.scene.migration is trace
