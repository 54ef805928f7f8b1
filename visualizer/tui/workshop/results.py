"""What the edited text comes to: the expansion under the cursor, the registry, the errors.

Of a Python kernel's file, what that made stands in the expansion's place. On a wide screen the three
stand one above the other. On a narrow one there is room for one; it turns to the errors by itself when
the text gets some, and back when they are gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

from visualizer.expansion.wording import counted
from visualizer.messages import _
from visualizer.tui.ink.pane import Pane
from visualizer.tui.workshop.changes_pane import ChangesPane
from visualizer.tui.workshop.kernel_pane import KernelPane
from visualizer.tui.workshop.outcome_pane import OutcomePane
from visualizer.tui.workshop.problems_pane import ProblemsPane
from visualizer.workshop.registry_changes import registry_changes

if TYPE_CHECKING:
    from visualizer.expansion import Diagnostic
    from visualizer.workbench.bench import Workbench
    from visualizer.workshop.attempt import Attempt

VIEWS = ("outcome", "changes", "problems")


class Results(Vertical):
    def compose(self) -> ComposeResult:
        yield OutcomePane(id="outcome")
        yield KernelPane(id="kernel")
        yield ChangesPane(id="changes")
        yield ProblemsPane(id="problems")

    def on_mount(self) -> None:
        self._shown: tuple[Workbench, int] | None = None
        self._had_errors = False
        self.look_at("outcome")

    @property
    def view(self) -> str:
        return next(name for name in VIEWS if self.has_class(f"-see-{name}"))

    def look_at(self, view: str) -> None:
        """On a narrow screen, show this one."""
        self.update_classes({f"-see-{name}": name == view for name in VIEWS})

    def turn(self) -> Pane:
        """Look at the next one."""
        self.look_at(VIEWS[(VIEWS.index(self.view) + 1) % len(VIEWS)])
        return self.query_one(f"#{self.view}", Pane)

    def turn_to(self, kernels: bool) -> None:
        """The file that is looked at is a Python kernel's, or isn't."""
        self.set_class(kernels, "-of-kernel")

    def show(
        self, base: Attempt, tried: Attempt, file: str, more: Sequence[Diagnostic] = ()
    ) -> None:
        """What the texts come to, beside what the files on disk do; `file` is the source's name, and
        `more` is wrong beside what the texts say."""
        diagnostics = [*tried.diagnostics, *more]
        self.query_one(ProblemsPane).show(diagnostics, file)
        if tried.bench is not None:
            before = base.bench.entries if base.bench is not None else ()
            changes = registry_changes(before, tried.bench.entries)
            self.query_one(ChangesPane).show(changes)
        errors = any(d.severity == "error" for d in diagnostics)
        if errors != self._had_errors:
            self.look_at("problems" if errors else "outcome")
        self._had_errors = errors

    def show_invocation(self, tried: Attempt, index: int | None) -> None:
        """The outcome of one invocation, if that isn't what stands here already."""
        pane = self.query_one(OutcomePane)
        bench = tried.bench
        if bench is None:
            pane.say(_("this text can't be traced: see the errors"))
        elif index is None:
            pane.say(_("no macro is invoked here"))
        elif (bench, index) != self._shown:
            expansion = bench.expansions[index]
            steps = counted(tried.outlines[index].moments, "step")
            where = _("{macro}, line {line}").format(
                macro=expansion.macro, line=expansion.where.line
            )
            pane.show(
                _("{where}: {steps}").format(where=where, steps=steps),
                [*expansion.after, *bench.tail(index)],
            )
        self._shown = (bench, index) if bench is not None and index is not None else None
