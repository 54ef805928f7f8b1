"""The workshop: the source or the macros in an editor, and beside it what they come to.

Each key changes the text at once. A moment later the text is traced by a thread; keys that come while
it runs only make it run again when it is done. So what is shown is always that of one text, in the
end of the latest, and no key waits. A text that differs from its file is kept as a draft from then on,
whatever happens to the app.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Static, TextArea

from visualizer.expansion.source_files import display_path
from visualizer.messages import N_, _
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.dialogs.jump import JumpScreen
from visualizer.tui.in_order import COMING
from visualizer.tui.ink.footer import Footer
from visualizer.tui.stepper.changed_notice import ChangedNotice, Offer
from visualizer.tui.workshop.editors import Editors
from visualizer.tui.workshop.files import which_file
from visualizer.tui.workshop.find import FindScreen
from visualizer.tui.workshop.heading import WorkshopHeading
from visualizer.tui.workshop.live_attempts import LiveAttempts
from visualizer.tui.workshop.outcome_pane import OutcomePane
from visualizer.tui.workshop.own_kernels import OwnKernels, is_kernels
from visualizer.tui.workshop.problems_pane import ProblemsPane
from visualizer.tui.workshop.results import Results
from visualizer.tui.workshop.talk import Talk
from visualizer.workshop.attempt import Attempt
from visualizer.workshop.comparison import before_and_after
from visualizer.workshop.session import Edited, Session, begin, choices

if TYPE_CHECKING:
    from visualizer.tui.app import UnfoldApp
    from visualizer.workbench.bench import Workbench

_HISTORY = "Undo and redo"
_SAVE = "Write the file; of a sample, or where it can't be written, a copy"
_KERNEL = "Write, or open, the Python kernel of the registration on this line"
_SAVE_AS = "Write a new file, and go on with that one"


class WorkshopScreen(Screen["Workbench | None"]):
    """It opens on `line` of the bench's own file, or of the header `path`.

    Ends with the file as it is on disk now, if something was saved, else with None.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (60, "-narrow"), (120, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-too-low"), (16, "-flat"), (36, "-tall")]  # noqa: RUF012
    MOUSE: ClassVar[tuple[tuple[str, str], ...]] = (
        ("errors", "a click goes to the place in the text"),
        ("expansion", "a double click steps through it"),
        ("file name", "a click lists the files of the trace"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save", priority=True, tooltip=_SAVE),
        Binding("f12", "save_as", "save as …", show=False, tooltip=_SAVE_AS),
        Binding("ctrl+e", "step", "step", priority=True, tooltip="Step through the edited text"),
        Binding("escape", "leave", "leave", tooltip="Back to where you came from"),
        Binding("f2", "files", "files", tooltip="Edit another file of the trace: the macros"),
        Binding("f3", "problem", "error", tooltip="Go to the next error"),
        Binding("f4", "compare", "compare", tooltip="Compare with the file on disk"),
        Binding("f5", "kernel", "kernel", tooltip=_KERNEL),
        Binding("f8", "turn", "view", tooltip="The next of expansion, registry, errors"),
        Binding("ctrl+r", "reset", "reset", show=False, tooltip="Back to the file; can be undone"),
        Binding(
            "f9", "settle(True)", "theirs", show=False, tooltip="Take the file as it is on disk"
        ),
        Binding(
            "f10", "settle(False)", "mine", show=False, tooltip="Keep mine, whatever is on disk"
        ),
        Binding("ctrl+z", "undo", "undo", show=False, tooltip=_HISTORY),
        Binding("ctrl+y", "redo", "redo", show=False, tooltip=_HISTORY),
        Binding("ctrl+f", "find", "find", priority=True, tooltip="Find letters in this text"),
        Binding("ctrl+g", "line", "line", priority=True, tooltip="Go to a line by its number"),
        Binding("h", "leave", "leave", show=False, tooltip="Back to where you came from"),
    ]

    def __init__(self, bench: Workbench, line: int | None = None, path: Path | None = None) -> None:
        super().__init__()
        self._opened_on = bench
        self._first = path
        self._line = line
        self._session: Session | None = None
        self._path = Path(bench.path)
        self._shown: int | None = None  # the invocation whose outcome is shown
        self._wrote = False
        self.editors = Editors(id="editors")
        self.results = Results(id="results")

    @property
    def session(self) -> Session:
        assert self._session is not None
        return self._session

    @property
    def file(self) -> Edited:
        """The one that is looked at."""
        return self.session.files[self._path]

    @property
    def choices(self) -> Sequence[Path]:
        return choices(self.live.bench or self._opened_on)

    def compose(self) -> ComposeResult:
        yield WorkshopHeading(id="workshop-heading")
        yield ChangedNotice(
            [Offer(N_("take theirs"), "F9"), Offer(N_("keep mine"), "F10")], id="changed"
        )
        with Horizontal(id="workshop-panes"):
            yield self.editors
            yield self.results
        yield Footer()
        yield Static(_("The workshop needs at least 60 columns and 16 rows."), id="too-small")

    async def on_mount(self) -> None:
        try:
            self._session = begin(self._opened_on)
        except OSError as error:
            self.app.notify(
                _("The file can't be read: {error}").format(error=error),
                severity="error",
                markup=False,
            )
            self.dismiss(None)
            return
        self._talk = Talk(self)
        self.own_kernels = OwnKernels(self)
        self.live = LiveAttempts(
            self.session,
            self.run_worker,
            self._show,
            self._glance,
            self._talk.warn_once,
            self._line_in_source,
        )
        await self.open(self.session.source, None if self._first else self._line)
        if self._first is not None:
            await self._try_to_open(self._first.absolute(), self._line)
        self.live.ask()
        self.run_worker(self._talk.offer_drafts(self.choices))

    def on_unmount(self) -> None:
        if self._session is not None:
            self._read_editors()
            self._session.close()
            self.own_kernels.stop()

    async def open(self, path: Path, line: int | None = None, column: int = 1) -> None:
        """Look at a file, the cursor at a place of it. Raises OSError if it can't be read."""
        file = self.session.edit(path)
        if self.editors.of(path) is None:
            self._talk.introduce(file)
            if is_kernels(path):
                self._run_kernel(file, saved=False)
        editor = await self.editors.open(file)
        self._path = path
        self.results.turn_to(is_kernels(path))
        self.refresh_bindings()  # whether it can be saved
        if line is not None:
            editor.go_to(line, column)
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A file that can't be edited has nothing to save."""
        saves = action in ("save", "save_as")
        return not saves or self._session is None or not self.file.disk.why_fixed

    def may_be_edited(self, file: Edited) -> None:
        """Or not, now that it has been read again."""
        editor = self.editors.of(file.path)
        if editor is not None:
            editor.read_only = bool(file.disk.why_fixed)
        self.refresh_bindings()

    # ------------------------------------------------------------------ as one types

    def _read_editors(self) -> bool:
        """Whether a text has changed."""
        before = [file.text for file in self.session.files.values()]
        for path, text in self.editors.texts():
            self.session.files[path].text = text
        return before != [file.text for file in self.session.files.values()]

    @on(TextArea.Changed)
    def _typed(self) -> None:
        if self._read_editors():
            self.attempt_anew()

    @on(TextArea.SelectionChanged)
    def _moved(self) -> None:
        self._show_outcome()

    def attempt_anew(self, disk_changed: bool = False) -> None:
        """The texts have changed, or the files that they are compared with."""
        self.live.ask(disk_changed)
        self._show_heading()

    async def settled(self) -> Attempt:
        """The attempt at the texts as they are now."""
        self._typed()
        return await self.live.settled()

    # ------------------------------------------------------------------ what is shown

    def _show(self) -> None:
        if self._is_gone:
            return
        if self.live.base is not None and self.live.tried is not None:
            self.show_kernels()
        self._show_outcome()
        self._show_heading()
        known = {path: file.disk.seen for path, file in self.session.files.items()}
        self.query_one(ChangedNotice).watch_files({*known, *self.choices}, known)

    def show_kernels(self) -> None:
        """What the texts come to, and what is wrong in a Python kernel beside them."""
        base, tried, more = self.live.base, self.live.tried, self.own_kernels.diagnostics
        if base is not None and tried is not None:
            self.results.show(base, tried, display_path(self.session.source), more)
            self.editors.mark([*tried.diagnostics, *more])

    def _run_kernel(self, file: Edited, saved: bool) -> None:
        self.run_worker(self.own_kernels.run(file, saved), group="kernel", exclusive=True)

    def _glance(self) -> None:
        if not self._is_gone:
            self._show_outcome()

    def _show_outcome(self) -> None:
        """The invocation under the cursor; where there is none, as in a header, the last one."""
        tried = self.live.tried
        if tried is None:
            return
        editor, early = self.editors.here, self.live.early
        row, _ = editor.cursor_location
        if early is not None and early.bench is not None and self._line_in_source() is not None:
            ahead = early.bench.expansion_at(row + 1)
            if ahead is not None:
                self.results.show_invocation(early, ahead)
                return
        found = tried.invocation_at(self._path, row + 1, editor.document.lines)
        if found is None and tried.outlines:
            found = min(self._shown or 0, len(tried.outlines) - 1)
        self._shown = found
        self.results.show_invocation(tried, found)

    def _line_in_source(self) -> int | None:
        """The cursor's; None while it is in another file."""
        is_there = self._path == self.session.source
        return self.editors.here.cursor_location[0] + 1 if is_there else None

    @property
    def _is_gone(self) -> bool:
        """An attempt may come back to a screen that is taken apart, or has been."""
        return not self.query(WorkshopHeading)

    def _show_heading(self) -> None:
        if self._is_gone:
            return
        others = len(self.session.unsaved().keys() - {self._path})
        heading = self.query_one(WorkshopHeading)
        heading.show(self.file, others, self.live.tried, self.live.behind)

    # ------------------------------------------------------------------ what the reader wants

    @on(WorkshopHeading.FilesWanted)
    def action_files(self) -> None:
        unsaved = list(self.session.unsaved())
        self.app.push_screen(which_file(self.choices, unsaved), self._try_to_open)

    def look_at(self, path: Path) -> None:
        self.run_worker(self._try_to_open(path))

    def action_find(self) -> None:
        self.app.push_screen(FindScreen(self.editors.here))

    def action_line(self) -> None:
        editor = self.editors.here
        row, last = editor.cursor_location[0], editor.document.line_count

        def typed(line: int | None) -> None:
            if line is not None:
                editor.go_to(line, 1)

        self.app.push_screen(JumpScreen(row + 1, last, "line", first=1), typed)

    async def _try_to_open(
        self, path: Path | None, line: int | None = None, column: int = 1
    ) -> None:
        if path is not None:
            try:
                await self.open(path, line, column)
            except OSError as error:
                self._talk.warn(
                    _("{name} can't be read: {error}").format(name=path.name, error=error)
                )

    @on(ProblemsPane.Chosen)
    async def _problem_chosen(self, message: ProblemsPane.Chosen) -> None:
        where = message.diagnostic.where
        files = [*self.session.files, *self.choices]
        path = next((f for f in files if display_path(f) == where.file), None)
        if path is None:
            self._talk.warn(_("{file} is no file that can be edited here.").format(file=where.file))
        else:
            await self._try_to_open(path, where.line, where.column)

    def action_problem(self) -> None:
        if not self.query_one(ProblemsPane).next():
            self.notify(_("There is no error to go to."))

    def action_turn(self) -> None:
        self.results.turn()

    def action_undo(self) -> None:
        self.editors.here.undo()

    def action_redo(self) -> None:
        self.editors.here.redo()

    def action_reset(self) -> None:
        self._talk.reset(self.file)

    @on(OutcomePane.Opened)
    def action_step(self) -> None:
        self.run_worker(self._step(), group=COMING)

    async def _step(self) -> None:
        bench = (await self.settled()).bench
        if bench is None or self._shown is None:
            self._talk.warn(_("There is nothing to step through: see the errors."))
        else:
            cast("UnfoldApp", self.app).step_over(bench, self._shown)

    def action_compare(self) -> None:
        self.run_worker(self._compare(), group=COMING)

    async def _compare(self) -> None:
        tried = await self.settled()
        before = self.live.base.bench if self.live.base is not None else None
        sides = None
        if before is not None and tried.bench is not None and self._shown is not None:
            sides = before_and_after(before, tried.bench, self._shown)
        if sides is None:
            self._talk.warn(_("The file on disk has no such invocation to compare this one with."))
        else:
            self.app.push_screen(CompareScreen(*sides))

    def action_save(self) -> None:
        self.run_worker(self._talk.save(self.file))

    def action_save_as(self) -> None:
        self.run_worker(self._talk.save_as(self.file))

    def saved(self, old: Path, new: Path) -> None:
        """A text has been written, under another name perhaps."""
        if new != old:
            self.session.moved(old, new)
            self.editors.moved(old, new)
            self._path = new if self._path == old else self._path
        self._wrote = True
        self.query_one(ChangedNotice).accept([new])
        self.attempt_anew(disk_changed=True)
        if is_kernels(new):
            self._run_kernel(self.session.files[new], saved=True)
        self.notify(_("{new} is saved.").format(new=display_path(new)), markup=False)

    def action_kernel(self) -> None:
        self.run_worker(self._kernel(), group=COMING)

    async def _kernel(self) -> None:
        bench = (await self.settled()).bench
        if bench is None:
            self._talk.warn(_("There is nothing to write a kernel for: see the errors."))
        elif (path := self.own_kernels.begin(bench, self._line_in_source())) is not None:
            await self._try_to_open(path)

    def action_leave(self) -> None:
        self.run_worker(self._talk.leave(), exclusive=True, group=COMING)

    async def end(self) -> None:
        """Leave. What is not saved now stays as a draft."""
        if self._wrote:
            await self.live.settled()
        base = self.live.base if self._wrote else None
        self.dismiss(base.bench if base is not None else None)

    # ------------------------------------------------------------------ what others do to the files

    @on(ChangedNotice.Noticed)
    def _disk_changed(self, message: ChangedNotice.Noticed) -> None:
        self._talk.disk_changed(message.files)

    @on(ChangedNotice.Wanted)
    def _offer_taken(self, message: ChangedNotice.Wanted) -> None:
        self.action_settle(theirs=message.offer == "take theirs")

    def action_settle(self, theirs: bool) -> None:
        self._talk.settle(theirs)
