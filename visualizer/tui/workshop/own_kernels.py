"""The Python kernels that lie beside the source in the workshop: begun, and run at each save.

Opening one runs nothing, unless its reader has said before that exactly this text may. The first save
asks; from then on what is typed and saved here runs, until the file is changed by somebody else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from registry_runtime.kernels.brought import KernelFileError
from registry_runtime.phi.kernel_template import KernelError
from visualizer.expansion import Diagnostic
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source
from visualizer.messages import N_, _
from visualizer.tui.dialogs.question import QuestionScreen, Reply
from visualizer.tui.permission import Permission
from visualizer.tui.workshop.kernel_pane import KernelPane
from visualizer.workbench.background import in_background
from visualizer.workbench.new_kernel import NewKernel, new_kernel
from visualizer.workbench.own_python import Kernels, ToTry, kernels_beside, try_kernel
from visualizer.workshop.session import Edited
from visualizer.workshop.text_file import is_ours_to_write

if TYPE_CHECKING:
    from visualizer.tui.workshop.screen import WorkshopScreen
    from visualizer.workbench.bench import Workbench

_RUN = Reply("run", "r", N_("run it at each save")), Reply("not", "n", N_("not now"))


def is_kernels(path: Path) -> bool:
    """Whether a file of the session is Python's."""
    return path.suffix == ".py"


class OwnKernels:
    """Those of one workshop. `diagnostics` is what the last run of each found wrong in its file."""

    def __init__(self, screen: WorkshopScreen) -> None:
        self._screen = screen
        self._trusted: set[Path] = set()
        self._turn = 0
        self._wrong: dict[Path, Diagnostic] = {}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(self._wrong.values())

    def changed_by_others(self, path: Path) -> None:
        self._trusted.discard(path)

    def stop(self) -> None:
        """Nobody waits for it any more."""
        self._turn += 1

    async def run(self, file: Edited, saved: bool) -> None:
        """Run what the file holds on disk, at its reader's word; where it wasn't `saved` just now, only
        what the word was given for before."""
        self._turn += 1
        turn, pane = self._turn, self._screen.query_one(KernelPane)
        bench = (await self._screen.settled()).bench
        of = kernels_beside(bench).get(file.path) if bench is not None else None
        if bench is None or of is None:
            pane.say(_("The source registers no kernel that this file is for."))
            return
        text = file.disk.bytes
        if refused := await self._refused(Permission(bench), file.path, text, saved):
            pane.say(refused)
            return
        pane.say(_("running {file} in a process of its own …").format(file=file.path.name))
        work = partial(
            try_kernel,
            bench,
            Kernels(file.path, text),
            ToTry(of.kernel_name, str(of.key)),
            lambda: self._turn != turn,
        )
        self._wrong.pop(file.path, None)
        try:
            tried = await in_background(work)
        except KernelFileError as error:
            where = Source(display_path(file.path), error.line, error.column)
            self._wrong[file.path] = Diagnostic("error", error.said, where)
            wrong = f"{error.line}:{error.column}: {error.said}"
            self._finish(turn, lambda: pane.refuse(wrong))
        except KernelError as error:
            wrong = str(error)
            self._finish(turn, lambda: pane.refuse(wrong))
        else:
            self._finish(turn, lambda: pane.tell(tried))

    def _finish(self, turn: int, show: Callable[[], None]) -> None:
        if turn == self._turn and self._screen.is_mounted:
            show()
            self._screen.show_kernels()

    async def _refused(self, may: Permission, path: Path, text: bytes, saved: bool) -> str:
        """Why it isn't run; empty where it may be."""
        if may.refused:
            return may.refused
        if not may.has_to_be_asked_of(path, text):
            return ""
        if not saved:
            return _("Ctrl+S saves it and runs it.")
        if path not in self._trusted:
            said = _(
                "{file} is Python, and runs in a process with limits. What is saved here from now on "
                "is run at each save, and shown beside its reference."
            )
            question = QuestionScreen(
                _("Run this kernel?"), Content(said.format(file=path.name)), _RUN
            )
            if await self._screen.app.push_screen_wait(question) != "run":
                return _("It isn't run: the next save asks again.")
            self._trusted.add(path)
        may.give(self._screen.notify)
        return ""

    def begin(self, bench: Workbench, line: int | None) -> Path | None:
        """Write the beginning of the kernel for the registration on that line, or for the only one.
        Gives the file, which may have been there; None where there is none, which is said."""
        from registry_runtime.kernels.skeleton.text import NoKernel

        try:
            made = _new(bench, line)
        except NoKernel as reason:
            self._warn(str(reason))
            return None
        if not made.path.exists() and not is_ours_to_write(bench.path):
            said = _(
                "{source} comes with Unfold, or can't be written: save a copy with F12, and the "
                "kernel goes beside that."
            )
            self._warn(said.format(source=bench.path.name))
            return None
        try:
            made.write()
        except FileExistsError:
            self._warn(
                _("{file} is there already, and stays as it is.").format(file=made.path.name)
            )
        except OSError as error:
            self._warn(
                _("{path} can't be written: {error}").format(path=made.path, error=error.strerror)
            )
            return None
        else:
            said = _("{file} is written: a Python kernel for {name}. Ctrl+S runs it.")
            if made.reason:
                said = _("{file} is written. What it computes is to be filled in ({why}).")
            told = said.format(file=made.path.name, name=made.name, why=made.reason)
            self._screen.notify(told, markup=False)
        return made.path.absolute()

    def _warn(self, text: str) -> None:
        self._screen.notify(text, severity="warning", markup=False)


def _new(bench: Workbench, line: int | None) -> NewKernel:
    """For the registration on the line; where none stands there, for the file's only one."""
    from registry_runtime.kernels.skeleton.text import NoKernel

    try:
        return new_kernel(bench, line)
    except NoKernel:
        if line is None or len({e.registration.kernel_name for e in bench.entries}) != 1:
            raise
        return new_kernel(bench, None)
