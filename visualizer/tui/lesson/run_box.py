"""A kernel that can be run where the lesson speaks of it: built, run beside NumPy, measured.

What it made of what stands first; how it was built and how fast it was comes at a key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from visualizer.frameworks.by_name import try_by_name
from visualizer.learning.parts import Run
from visualizer.messages import _
from visualizer.workbench.background import in_background

if TYPE_CHECKING:
    from registry_runtime.lab.elements import Tried
    from visualizer.workbench.bench import Workbench


class RunBox(Widget):
    """The kernel is the one that the open file registers; an operator of PyTorch's is called in a
    program that has PyTorch's `add` too. `opened` is called by a thread."""

    class BenchmarkWanted(Message):
        def __init__(self, run: Run) -> None:
            super().__init__()
            self.run = run

    def __init__(self, run: Run, opened: Callable[[], Workbench]) -> None:
        super().__init__()
        self._asked, self._opened = run, opened
        self._bench: Workbench | None = None
        self._ran: Tried | None = None
        self._all = False  # the figures as well

    def compose(self) -> ComposeResult:
        run = self._asked
        what = ", ".join(
            filter(None, (run.dtype, run.backend, _("{size:,} elements").format(size=run.size)))
        )
        yield Static(Content.assemble((run.kernel, "bold"), (f"  {what}", "$quiet")))
        with Horizontal():
            yield Button(_("Run (r)"), id="run", compact=True)
            yield Button(_("Benchmark (b)"), id="benchmark", compact=True)
        yield Static(id="run-outcome")

    def run_it(self) -> None:
        self._tell(Content.styled(_("Building it, and running it …"), "$quiet"))
        self.run_worker(self._try(), exclusive=True)

    def measure(self) -> None:
        self.post_message(self.BenchmarkWanted(self._asked))

    def turn(self) -> None:
        """The figures, or the values alone."""
        if self._ran is not None:
            self._all = not self._all
            self._tell(_told(self._ran, self._asked.kernel, self._all))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "benchmark":
            self.measure()
        else:
            self.run_it()

    async def _try(self) -> None:
        from registry_runtime.phi.kernel_template import KernelError

        try:
            self._ran = await in_background(self._run)
        except KernelError as error:
            self._tell(Content.assemble(("✗ ", "bold $error"), str(error)))
        except Exception as error:  # whatever else goes wrong, the lesson goes on
            told = f"{type(error).__name__}: {error}"
            self._tell(Content.assemble(("✗ ", "bold $error"), told))
        else:
            self._tell(_told(self._ran, self._asked.kernel, self._all))

    def _run(self) -> Tried:
        self._bench = self._bench or self._opened()
        run = self._asked
        return try_by_name(self._bench, run.kernel, run.backend, run.dtype, run.size)

    def _tell(self, told: Content) -> None:
        if self.is_mounted:
            self.query_one("#run-outcome", Static).update(told)
            self.call_after_refresh(self.scroll_visible, animate=False)


def _told(ran: Tried, name: str, figures: bool) -> Content:
    parts = [Content(line) for line in ran.values(name)]
    if ran.agrees is not None:
        said = (
            (_("✓ NumPy agrees"), "$success") if ran.agrees else (_("✗ NumPy disagrees"), "$error")
        )
        parts.append(Content.styled(said[0], f"bold {said[1]}"))
    if figures:
        parts += [Content(""), *map(Content, ran.report())]
    shows = _("hides the figures") if figures else _("shows the figures: time, build, source")
    parts.append(Content.styled(f"g {shows}", "$quiet"))
    return Content("\n").join(parts)
