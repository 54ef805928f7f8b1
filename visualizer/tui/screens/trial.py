"""One registered kernel, run: what went in, what came out, and what NumPy says.

Building a kernel may take seconds, so it is done in a thread; the frame says so meanwhile, and can be
closed without waiting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.content import Content

from visualizer.tui.screens.panel import Panel, table

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import Kernel
    from registry_runtime.phi.runtime import Registration
    from registry_runtime.trial import Trial

_MOST = 12  # values of an array that are shown, if there is room for them
_BESIDE = 42  # cells for the frame, the labels, an array's dtype and shape


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
        from registry_runtime.kernels import KernelError

        try:
            outcome: Trial | str = self._run_kernel(self._registration.kernel)
        except KernelError as error:
            outcome = str(error)
        except Exception as error:  # whatever else goes wrong, the reader should see it and go on
            outcome = f"{type(error).__name__}: {error}"
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
        return _told(self._outcome, max(self.app.size.width - _BESIDE, 20))


def _told(trial: Trial, room: int) -> Content:
    rows: list[tuple[str | Content, ...]] = [(_label("kernel"), trial.function)]
    for i, array in enumerate(trial.inputs):
        rows.append((_label(f"input {i}"), values(array, room)))
    rows.append((_label("result"), values(trial.result, room)))
    if trial.reference is not None:
        rows.append((_label("NumPy"), values(trial.reference, room)))
    rows.append((Content(""),))
    rows.append((_label("agree"), _verdict(trial.agrees)))
    cached = ", from the cache on disk" if trial.from_cache else ""
    speed = f"{trial.elements_per_second / 1e6:,.0f} million elements a second"
    rows.append((_label("built in"), f"{trial.compile_seconds * 1e3:,.0f} ms{cached}"))
    rows.append((_label("ran in"), f"{trial.seconds * 1e6:,.1f} µs on {trial.backend}"))
    rows.append((_label("throughput"), f"{trial.gigabytes_per_second:,.1f} GB/s, {speed}"))
    return table(rows)


def _label(text: str) -> Content:
    return Content.styled(text, "$quiet")


def _verdict(agrees: bool | None) -> Content:
    if agrees is None:
        return Content("there is no NumPy reference to compare with")
    if agrees:
        return Content.styled("✓ the kernel and NumPy agree", "bold $success")
    return Content.styled("✗ the kernel and NumPy differ", "bold $error")


def values(array: Any, room: int) -> str:
    """An array's dtype, shape and as many of its first values as fit: `int32[1000000]  3, -7, …`."""
    flat = array.reshape(-1)
    shown: list[str] = []
    for value in flat[:_MOST].tolist():
        shown.append(str(value))
        if len(", ".join(shown)) > room:
            shown.pop()
            break
    if flat.size > len(shown):
        shown.append("…")
    shape = ", ".join(map(str, array.shape))
    return f"{array.dtype}[{shape}]  {', '.join(shown)}"
