"""One registered kernel, run: what went in, what came out, and what NumPy says.

Building a kernel may take seconds, so it is done in a thread; the frame says so meanwhile, and can be
closed without waiting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content

from visualizer.tui.screens.panel import Panel, table

if TYPE_CHECKING:
    from typing import ClassVar

    from registry_runtime.phi.kernel import Kernel
    from registry_runtime.phi.runtime import Registration
    from registry_runtime.trial import Trial

_VALUES = 8  # that many of an array are shown


class TrialScreen(Panel):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("r", "again", "Run it again")]

    def __init__(self, registration: Registration, run_kernel: Callable[[Kernel], Trial]) -> None:
        super().__init__(f"{registration.kernel_name} {registration.key}")
        self._registration = registration
        self._run_kernel = run_kernel
        self._outcome: Trial | str | None = None

    def on_mount(self) -> None:
        self._try()

    def action_again(self) -> None:
        if self._outcome is not None:
            self._outcome = None
            self.show()
            self._try()

    @work(thread=True, exclusive=True)
    def _try(self) -> None:
        try:
            outcome: Trial | str = self._run_kernel(self._registration.kernel)
        except Exception as error:  # a kernel may fail in any way; the reader should see how
            outcome = str(error) or type(error).__name__
        self.app.call_from_thread(self._finish, outcome)

    def _finish(self, outcome: Trial | str) -> None:
        self._outcome = outcome
        if self.is_mounted:
            self.show()

    def content(self) -> Content:
        if self._outcome is None:
            return Content.styled("Building the kernel and running it …", "$quiet")
        if isinstance(self._outcome, str):
            return Content.assemble(("✗ ", "bold $error"), self._outcome)
        return _told(self._outcome)


def _told(trial: Trial) -> Content:
    rows: list[tuple[str | Content, ...]] = []
    for i, array in enumerate(trial.inputs):
        rows.append((_label(f"input {i}"), values(array)))
    rows.append((_label("result"), values(trial.result)))
    if trial.reference is not None:
        rows.append((_label("NumPy"), values(trial.reference)))
    rows.append((Content(""),))
    rows.append((_label("agree"), _verdict(trial.agrees)))
    rows.append((_label("built in"), f"{trial.compile_seconds * 1e3:,.0f} ms"))
    speed = f"{trial.elements_per_second / 1e6:,.0f} million elements a second"
    rows.append((_label("ran in"), f"{trial.seconds * 1e6:,.1f} µs"))
    rows.append((_label("throughput"), f"{trial.gigabytes_per_second:,.1f} GB/s, {speed}"))
    told = table(rows)
    return Content("\n\n").join([told, Content(trial.message)]) if trial.message else told


def _label(text: str) -> Content:
    return Content.styled(text, "$quiet")


def _verdict(agrees: bool | None) -> Content:
    if agrees is None:
        return Content("there is no NumPy reference to compare with")
    if agrees:
        return Content.styled("✓ the kernel and NumPy agree", "bold $success")
    return Content.styled("✗ the kernel and NumPy differ", "bold $error")


def values(array: Any) -> str:
    """An array's dtype, shape and first values: `int32[1000000]  3, -7, …`."""
    flat = array.reshape(-1)
    shown = ", ".join(str(v) for v in flat[:_VALUES].tolist())
    more = ", …" if flat.size > _VALUES else ""
    shape = ", ".join(map(str, array.shape))
    return f"{array.dtype}[{shape}]  {shown}{more}"
