"""The opened file before its judge: it is compiled, and what it registers then is compared with what
the stepper shows.

Opening a file runs nothing of it, so this does only at the reader's word: Enter says yes, once for
these contents of the file and its own headers. A thread waits for the children; what they are doing
stands at the bottom, and `c` calls it off.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from registry_runtime.judge.compiling import JudgeFailed, Watch
from registry_runtime.native.compiler import CompilerFailed
from visualizer.messages import _
from visualizer.tui.ink.footer import Footer
from visualizer.tui.permission import Permission
from visualizer.workbench.bench import Workbench
from visualizer.workbench.machine_compiler import NoCompiler
from visualizer.workbench.verdict import Judgement, NoJudge, advice, doing, judges_of, verify

_MARGINS = 4  # columns


class VerifyScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "yes", "compile and run it", tooltip="Compile this file and run it"),
        Binding("c", "stop", "stop", tooltip="Call it off"),
        Binding("r", "again", "again", tooltip="Compile and compare again"),
        Binding("escape,q", "close", "close", tooltip="Back to the steps"),
    ]

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench, self._flags = bench, judges_of(bench.options)
        self._permission = Permission(bench)
        self._asks = self._permission.has_to_be_asked()
        self._runs = self._stopped = False
        self._verdicts: list[Judgement] = []
        self._failed: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static(id="verify-heading")
        with VerticalScroll(id="verify-body"):
            yield Static(id="verify-told")
        yield Static(id="verify-progress")
        yield Footer()

    def on_mount(self) -> None:
        name = Content.styled(self._bench.path.name, "bold")
        self.query_one("#verify-heading", Static).update(name + Content(_("  Is it so?")))
        if self._asks:
            self._say(_("Enter compiles and runs it, and remembers that it may; Esc leaves it."))
            self._draw()
        else:
            self._begin()

    def on_unmount(self) -> None:
        self._stopped = True

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """It begins at a word, can be stopped while it runs, and begun again when it has ended."""
        idle = not self._runs and not self._asks
        return {"yes": self._asks, "stop": self._runs, "again": idle}.get(action, True)

    def action_yes(self) -> None:
        self._permission.give(self.notify)
        self._asks = False
        self._begin()

    def action_stop(self) -> None:
        self._stopped = True
        self._say(_("Stopping …"))

    def action_again(self) -> None:
        self._begin()

    def action_close(self) -> None:
        self.dismiss()

    def _begin(self) -> None:
        self._runs, self._stopped = True, False
        self._verdicts, self._failed = [], []
        self.refresh_bindings()
        self._draw()
        self._work()

    @work(thread=True, exclusive=True)
    def _work(self) -> None:
        from visualizer.expansion import InputError

        worker = get_current_worker()

        def cancelled() -> bool:
            return self._stopped or worker.is_cancelled

        def say(told: str) -> None:
            if not cancelled():
                self.app.call_from_thread(self._say, f"{told} …")

        failed: list[str] = []
        try:
            for verdict in verify(self._bench, self._flags, Watch(say, cancelled)):
                self._verdicts.append(verdict)
        except CompilerFailed as refused:
            failed = [str(error) for error in refused.errors or (refused,)]
            failed += advice(self._bench)
        except (InputError, JudgeFailed, NoCompiler, NoJudge, OSError) as refused:
            failed = [str(refused)]
        if not worker.is_cancelled:
            self.app.call_from_thread(self._finish, failed)

    def _finish(self, failed: list[str]) -> None:
        self._runs, self._failed = False, failed
        if self.is_mounted:
            self.refresh_bindings()
            self._say("")
            self._draw()

    def _say(self, text: str) -> None:
        if self.is_mounted:
            self.query_one("#verify-progress", Static).update(Content(text))

    def _draw(self) -> None:
        self.query_one("#verify-told", Static).update(Content("\n".join(self._lines())))

    def _lines(self) -> Iterator[str]:
        from visualizer.export.verdict import lines

        if self._asks:
            yield _("{bench}: that runs code of the file.").format(
                bench=doing(self._bench, self._flags)
            )
            yield _("What it registers then is compared with what is shown here.")
        for verdict in self._verdicts:
            yield from lines(Path(self._bench.path.name), verdict, self.app.size.width - _MARGINS)
            yield ""
        yield from (f"✗ {line}" for line in self._failed)
