"""A kernel that can be run where the lesson speaks of it: built, run beside NumPy, measured."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Static

from registry_runtime.phi.runtime import Runtime
from visualizer.learning.parts import Run


class RunBox(Widget):
    """The kernel is the one in `runtime`, the registry that the open file fills."""

    class BenchmarkWanted(Message):
        def __init__(self, run: Run) -> None:
            super().__init__()
            self.run = run

    def __init__(self, run: Run, runtime: Runtime) -> None:
        super().__init__()
        self._asked, self._runtime = run, runtime

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
        from registry_runtime.trial import find_registered, try_kernel

        run = self._asked
        try:
            if self._runtime.custom_devices.get(run.backend or "") is False:
                self._runtime.load_custom_device(str(run.backend))  # the plug-in's, as its users do
            kernel = find_registered(self._runtime, run.kernel, run.backend, run.dtype)
            told = Content("\n".join(try_kernel(kernel, run.size).report()))
        except KernelError as error:
            told = Content.assemble(("✗ ", "bold $error"), str(error))
        except Exception as error:  # whatever else goes wrong, the lesson goes on
            told = Content.assemble(("✗ ", "bold $error"), f"{type(error).__name__}: {error}")
        self.app.call_from_thread(self._tell, told)

    def _tell(self, told: Content) -> None:
        if self.is_mounted:
            self.query_one("#run-outcome", Static).update(told)
