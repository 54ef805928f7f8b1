"""The migration bench: Fluid's files on the left, the files of the PHI form on the right.

Each idiom of Fluid's is a mark, and the reader goes from mark to mark: it is lit on the left, what
took its place is lit on the right, and the card below says by which rule, or why a person must look
at it. Nothing is written until it is asked for, and never over another file without a question.
"""

from __future__ import annotations

import contextlib
import io
import threading
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Static

from registry_runtime.native.compiler import CompilerFailed
from visualizer.expansion import InputError
from visualizer.expansion.source_files import display_path
from visualizer.expansion.wording import listed
from visualizer.messages import N_, _, ngettext
from visualizer.migration.compiling import (
    Compiled,
    can_be_compiled,
    compiled,
    is_for_cuda,
    with_errors,
    words_for,
)
from visualizer.migration.migration import UNSETTLED, Status
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.question import QuestionScreen, Reply
from visualizer.tui.dialogs.saving import save_below
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.dialogs.unabridged import UnabridgedScreen
from visualizer.tui.ink.code_pane import CodePane, Stretch
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.listing import Listing
from visualizer.tui.migrate import told as migration_told
from visualizer.tui.migrate.scene import MigrationScene, beginning
from visualizer.workbench.background import in_background
from visualizer.workbench.machine_compiler import NoCompiler, cuda_compiler, cxx_compiler

if TYPE_CHECKING:
    from visualizer.migration import Migration

SIDES = ("fluid", "phi", "files")
_TABS = ("Fluid", "PHI", N_("files"))
_MARK = Binding.Group("idiom", compact=True)
_MARKS = "The previous and the next idiom"
_TURN = "Fluid's side, PHI's side, the list of PHI's files"
_PIECES = "The previous and the next file of PHI's"
_ENDS = "The first and the last idiom"


class MigrateScreen(Screen[None]):
    AUTO_FOCUS = "#migrate-fluid"
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (60, "-narrow"), (120, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-too-low"), (16, "-flat"), (36, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "previous", tooltip=_MARKS, group=_MARK),
        Binding("down", "move(1)", "next", tooltip=_MARKS, group=_MARK),
        Binding("p", "move(-1)", "previous", tooltip=_MARKS, show=False),
        Binding("n", "move(1)", "next", tooltip=_MARKS, show=False),
        Binding("home", "move(-1000000)", "first", tooltip=_ENDS, show=False),
        Binding("end", "move(1000000)", "last", tooltip=_ENDS, show=False),
        Binding("left", "turn(-1)", "left", tooltip=_TURN, show=False),
        Binding("right", "turn(1)", "right", tooltip=_TURN, show=False),
        Binding("tab", "turn(1)", "turn", tooltip=_TURN),
        *(
            Binding(str(n), f"open('{side}')", side, tooltip=_TURN, show=False)
            for n, side in enumerate(SIDES, 1)
        ),
        Binding("left_square_bracket", "piece(-1)", "before", tooltip=_PIECES, show=False),
        Binding("right_square_bracket", "piece(1)", "after", tooltip=_PIECES, show=False),
        Binding("o", "file", "old file", tooltip="The next of Fluid's files", show=False),
        Binding("c", "only_left", "what's left", tooltip="Only what isn't settled, or all"),
        Binding("g", "next_of('guess')", "guess", tooltip="The next guess", show=False),
        Binding("d", "next_of('left to you')", "to do", tooltip="The next that is left to you"),
        Binding("x", "stop", "stop", tooltip="Stop compiling", show=False),
        Binding(
            "u",
            "unabridged",
            "unabridged",
            tooltip="Unabridged: what is cut in the card and in the list (u ▾)",
            show=False,
        ),
        Binding("s", "save", "save", tooltip="Save PHI's files; asks where"),
        Binding("y", "copy", "copy", tooltip="Copy the file of PHI's that is shown"),
        Binding("escape,m", "leave", "back", tooltip="Back to where you came from"),
    ]

    scene: reactive[MigrationScene | None] = reactive[MigrationScene | None](None, repaint=False)

    def __init__(self, migration: Migration, compiles: bool = False) -> None:
        """compiles: whether to have the pieces compiled, where a compiler and the headers are."""
        super().__init__()
        self._migration = migration
        self._compiles = compiles
        self._verdicts: dict[int, Compiled] = {}
        self._stop = threading.Event()
        self._said = ""  # of the compiler, in the heading

    def compose(self) -> ComposeResult:
        yield Static(id="migrate-heading")
        yield TabRow(id="migrate-tabs")
        with Horizontal(id="migrate-sides"):
            yield CodePane(id="migrate-fluid")
            yield CodePane(id="migrate-phi")
        with Horizontal(id="migrate-foot"):
            yield Listing(id="migrate-card")
            yield ChoiceList("PHI's files", id="migrate-files")
        yield Footer()
        yield Static(
            _("The migration bench needs at least 60 columns and 16 rows."), id="too-small"
        )

    def on_mount(self) -> None:
        self._offer_pieces(0)
        self.query_one("#migrate-card", Listing).can_focus = False
        self.query_one(TabRow).tabs = _TABS
        self.add_class("-side-fluid")
        self.scene = beginning(self._migration)
        if self._compiles:
            self._ask_the_compiler()

    def on_unmount(self) -> None:
        self._stop.set()

    def _offer_pieces(self, here: int) -> None:
        pieces, told = self._migration.pieces, migration_told.note
        notes = [told(self._migration, i, self._verdicts.get(i)) for i in range(len(pieces))]
        self.query_one(ChoiceList).offer([p.path for p in pieces], pieces[here].path, notes)

    @property
    def _now(self) -> MigrationScene:
        return self.scene if self.scene is not None else beginning(self._migration)

    # Where the reader goes

    def action_move(self, by: int) -> None:
        self.scene = self._now.moved(by)

    def action_piece(self, by: int) -> None:
        scene, last = self._now, len(self._migration.pieces) - 1
        self.scene = replace(scene, piece=min(max(scene.piece + by, 0), last))

    def action_file(self) -> None:
        scene = self._now
        self.scene = replace(scene, file=(scene.file + 1) % len(self._migration.old))

    def action_only_left(self) -> None:
        if not self._migration.left:
            self.notify(_("Everything here is settled."))
        else:
            self.scene = self._now.with_only_left(not self._now.only_left)

    def action_next_of(self, status: Status) -> None:
        there = self._now.next_of(status)
        if there is not None:
            self.scene = there
        elif status == "guess":
            self.notify(_("There is no guess here."))
        else:
            self.notify(_("Nothing is left to you here."))

    def action_turn(self, by: int) -> None:
        here = next((i for i, side in enumerate(SIDES) if self.has_class(f"-side-{side}")), 0)
        self.action_open(SIDES[(here + by) % len(SIDES)])

    def action_open(self, side: str) -> None:
        """Give it the focus; in a narrow terminal, it is the one that is seen."""
        self.update_classes({f"-side-{other}": other == side for other in SIDES})
        self.query_one(TabRow).current = SIDES.index(side)
        self.call_after_refresh(self.query_one(f"#migrate-{side}").focus)

    @on(TabRow.Wanted)
    def _tab_wanted(self, message: TabRow.Wanted) -> None:
        self.action_open(SIDES[message.index])

    @on(CodePane.Picked)
    def _picked(self, message: CodePane.Picked) -> None:
        self.scene = self._now.at(message.name)

    @on(ChoiceList.Moved)
    def _piece_chosen(self) -> None:
        self.scene = replace(self._now, piece=self.query_one(ChoiceList).here)

    @on(ChoiceList.Taken)
    def _piece_taken(self) -> None:
        self.action_open("phi")

    def action_unabridged(self) -> None:
        mark = self._now.mark
        if mark is not None:
            told = migration_told.unabridged(self._migration, mark, self._verdicts)
            self.app.push_screen(UnabridgedScreen(told))

    def action_leave(self) -> None:
        self.dismiss()

    # What is shown

    def watch_scene(self, before: MigrationScene | None, scene: MigrationScene | None) -> None:
        if scene is None:
            return
        if before is None or before.only_left != scene.only_left:
            # Updating it lays out the whole screen anew, which no step has the time for.
            self.query_one("#migrate-heading", Static).update(_heading(scene, self._said))
        self._show_fluid(scene)
        self._show_phi(scene)
        self.query_one(ChoiceList).here = scene.piece
        card = self.query_one("#migrate-card", Listing)
        mark = scene.mark
        if mark is not None:
            card.show(
                lambda width: migration_told.card(self._migration, mark, width, card.rows_visible)
            )
            card.entitle(
                _("Idiom {number} of {count}").format(number=scene.number, count=len(scene.walked))
            )

    def _show_fluid(self, scene: MigrationScene) -> None:
        marks, old = self._migration.marks, self._migration.old[scene.file]
        stretches = [
            Stretch(i, marks[i].old.span, marks[i].status in UNSETTLED)
            for i in scene.walked
            if marks[i].old.file == scene.file
        ]
        here = next((s for s in stretches if s.name == scene.here), None)
        pane = self.query_one("#migrate-fluid", CodePane)
        pane.show(old.text, stretches, here)
        gone = _("nothing is left of it") if old.path in self._migration.superseded else ""
        number = f"{scene.file + 1}/{len(self._migration.old)}"
        pane.entitle(
            _("Fluid {number}: {path}").format(number=number, path=display_path(old.path)), gone
        )

    def _show_phi(self, scene: MigrationScene) -> None:
        marks, piece = self._migration.marks, self._migration.pieces[scene.piece]
        stretches = [
            Stretch(i, new.span, marks[i].status in UNSETTLED)
            for i in scene.walked
            if (new := marks[i].new) is not None and new.file == scene.piece
        ]
        here = next((s for s in stretches if s.name == scene.here), None)
        landed = scene.landed
        near = landed.span if landed is not None and landed.file == scene.piece else None
        self.query_one("#migrate-phi", CodePane).show(piece.text, stretches, here, near)
        self._entitle_phi(scene)

    def _entitle_phi(self, scene: MigrationScene) -> None:
        piece = self._migration.pieces[scene.piece]
        number = f"{scene.piece + 1}/{len(self._migration.pieces)}"
        verdict = self._verdicts.get(scene.piece)
        role = migration_told.role_of(piece)
        said = f"{role}, {verdict.told()}" if verdict is not None else role
        pane = self.query_one("#migrate-phi", CodePane)
        pane.entitle(f"PHI {number}: {piece.path}", said)

    # The compiler's verdict

    @work(exclusive=True, group="compiler")
    async def _ask_the_compiler(self) -> None:
        """Of one file after the other, while the reader reads; a file's errors come at the end."""
        migration = self._migration

        def ask() -> list[Compiled]:
            compiler, words, cuda = cxx_compiler(), words_for(migration), cuda_compiler()
            found: list[Compiled] = []
            for verdict in compiled(migration, compiler, words, self._stop.is_set, cuda):
                found.append(verdict)
                with contextlib.suppress(RuntimeError):  # the app has ended
                    self.app.call_from_thread(self._compiled, verdict)
            return found

        self._head(_("compiling, x stops it"))
        try:
            verdicts = await in_background(ask)
        except (NoCompiler, InputError, OSError) as error:
            self._head(_("not compiled: {reason}").format(reason=error))
            return
        except CompilerFailed as error:
            self._head(_("not compiled: {reason}").format(reason=str(error).partition("\n")[0]))
            return
        if self._stop.is_set():
            self._head(_("compiling was stopped"))
            return
        self._migration = with_errors(migration, verdicts)
        self._offer_pieces(self._now.piece)
        self.scene = self._now.among(self._migration)
        self._head("")

    def _compiled(self, verdict: Compiled) -> None:
        self._verdicts[verdict.piece] = verdict
        self._offer_pieces(self._now.piece)
        all_of_them, cuda = self._migration, cuda_compiler()
        count = sum(
            can_be_compiled(piece) or bool(cuda and is_for_cuda(all_of_them, piece))
            for piece in all_of_them.pieces
        )
        done = _("compiled {done} of {count}, x stops it").format(
            done=len(self._verdicts), count=count
        )
        self._head(done)
        self._entitle_phi(self._now)

    def _head(self, said: str) -> None:
        self._said = said
        self.query_one("#migrate-heading", Static).update(_heading(self._now, said))

    def action_stop(self) -> None:
        self._stop.set()

    # For others

    def action_copy(self) -> None:
        piece = self._migration.pieces[self._now.piece]
        self.app.copy_to_clipboard(piece.text)
        self.notify(
            _("Copied {path}, if this terminal lets programs copy.").format(path=piece.path),
            markup=False,
        )

    def action_save(self) -> None:
        if self.app.is_web:  # there is no folder to write to: the browser keeps what it is given
            name = f"{self._stem}.zip"
            self.app.deliver_binary(_zipped(self._migration), save_filename=name)
            self.notify(_("{name} is for your browser to keep.").format(name=name), markup=False)
        else:
            self._ask_where(_in_this_folder(self._stem))

    @property
    def _stem(self) -> str:
        """`trace_op.cu.cc` to `trace_op_phi`"""
        return f"{self._migration.old[0].path.name.partition('.')[0]}_phi"

    def _ask_where(self, suggestion: Path, complaint: str = "") -> None:
        def answered(folder: Path | None) -> None:
            if folder is not None:
                self._save(folder)

        paths = [piece.path for piece in self._migration.pieces]
        self.app.push_screen(save_below(paths, suggestion, complaint), answered)

    @work(exclusive=True)
    async def _save(self, folder: Path, overwrite: bool = False) -> None:
        from visualizer.migration.writing import WouldLose, WouldOverwrite, write

        try:
            paths = await in_background(lambda: write(self._migration, folder, overwrite))
        except WouldOverwrite as error:
            if error.is_original:
                self._ask_where(
                    folder,
                    _("{path} is one of Fluid's files: they are kept.").format(path=error.path),
                )
            else:
                self._ask_to_overwrite(folder, error.path)
        except WouldLose as error:
            self._ask_where(folder, _("Nothing was saved: {error}.").format(error=error))
        except (OSError, RuntimeError) as error:  # RuntimeError: links that lead in a circle
            reason = getattr(error, "strerror", None) or error
            self._ask_where(folder, _("Nothing was saved: {reason}.").format(reason=reason))
        else:
            self.notify(_saved(self._migration, folder, len(paths)), timeout=10, markup=False)

    def _ask_to_overwrite(self, folder: Path, there: Path) -> None:
        answers = [
            Reply("overwrite", "o", N_("overwrite")),
            Reply("other", "a", _("another folder")),
            Reply("keep", "k", _("keep it, save nothing")),
        ]

        def answered(answer: str | None) -> None:
            if answer == "overwrite":
                self._save(folder, overwrite=True)
            elif answer == "other":
                self._ask_where(folder)

        told = Content(
            _("There is a file {there} already, and there may be others of these names.").format(
                there=there
            )
        )
        self.app.push_screen(QuestionScreen(_("Overwrite?"), told, answers), answered)


def _in_this_folder(name: str) -> Path:
    try:
        return Path.cwd() / name
    except OSError:  # it is gone
        return Path(name)


def _heading(scene: MigrationScene, said: str) -> Content:
    migration = scene.migration
    name = migration.old[0].path.name
    counts = migration_told.counts(migration)
    only = Content.styled(_("  only these are shown"), "$quiet") if scene.only_left else Content("")
    return (
        Content.assemble((f" {name}", "bold"), ("  Fluid → PHI  ", "$quiet"))
        + counts
        + only
        + (Content.styled(f"  {said}", "$quiet") if said else Content(""))
    )


def _zipped(migration: Migration) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for piece in migration.pieces:
            archive.writestr(piece.path, piece.text)
    file.seek(0)
    return file


def _saved(migration: Migration, folder: Path, count: int) -> str:
    said = ngettext(
        "Saved {count} file below {folder}.", "Saved {count} files below {folder}.", count
    ).format(count=count, folder=folder)
    if migration.superseded:
        names = listed(path.name for path in migration.superseded)
        said += _(" Nothing is left of {names}: delete when the rest is in place.").format(
            names=names
        )
    return said
