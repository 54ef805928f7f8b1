"""A kernel that can be run where the lesson speaks of it: built, run beside NumPy, measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from visualizer.learning.parts import Run

if TYPE_CHECKING:
    from visualizer.workbench import Workbench


class RunBox(Widget):
    """The kernel is the one that the open file registers; an operator of PyTorch's is called in a
    program that has PyTorch's `add` too."""

    class BenchmarkWanted(Message):
        def __init__(self, run: Run) -> None:
            super().__init__()
            self.run = run

    def __init__(self, run: Run, bench: Workbench) -> None:
        super().__init__()
        self._asked, self._bench = run, bench

    def compose(self) -> ComposeResult:
        run = self._asked
        what = ", ".join(filter(None, (run.dtype, run.backend, f"{run.size:,} elements")))
        yield Static(Content.assemble((run.kernel, "bold"), (f"  {what}", "$quiet")))
        with Horizontal():
            yield Button("Run", id="run", compact=True)
            yield Button("Benchmark", id="benchmark", compact=True)
        yield Static(id="run-outcome")

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "benchmark":
            self.post_message(self.BenchmarkWanted(self._asked))
        else:
            self._tell(Content.styled("Building it, and running it …", "$quiet"))
            self._try()

    @work(thread=True, exclusive=True)
    def _try(self) -> None:
        from registry_runtime.kernels import KernelError

        try:
            told = Content("\n".join(self._report()))
        except KernelError as error:
            told = Content.assemble(("✗ ", "bold $error"), str(error))
        except Exception as error:  # whatever else goes wrong, the lesson goes on
            told = Content.assemble(("✗ ", "bold $error"), f"{type(error).__name__}: {error}")
        self.app.call_from_thread(self._tell, told)

    def _report(self) -> Iterator[str]:
        run, phi = self._asked, self._bench.program.phi
        if "::" in run.kernel:
            from registry_runtime.lab.aten.trial import try_operator
            from visualizer.learning.dispatch_questions import whole_program

            dtype, aten = run.dtype or "float32", whole_program(self._bench).aten
            return try_operator(aten, run.kernel, dtype, (run.size,), run.backend).report()
        from registry_runtime.lab.phi.trial import find_registered, try_kernel

        if phi.custom_devices.get(run.backend or "") is False:
            phi.load_custom_device(str(run.backend))  # the plug-in's, as its users do
        kernel = find_registered(phi, run.kernel, run.backend, run.dtype)
        return try_kernel(kernel, run.size).report()

    def _tell(self, told: Content) -> None:
        if self.is_mounted:
            self.query_one("#run-outcome", Static).update(told)
