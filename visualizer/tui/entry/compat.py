"""What joins an operator of Fluid's to PHI, told in a frame over the stepper.

Such an entry has no key to select by and nothing to run, so one frame answers all three keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from visualizer.frameworks.phi.compat_rows import told
from visualizer.frameworks.places import place
from visualizer.tui.dialogs.panel import Panel, table

if TYPE_CHECKING:
    from registry_runtime.phi.runtime import CompatRegistration
    from visualizer.workbench.bench import Entry


class CompatPanel(Panel):
    def __init__(self, entry: Entry, registration: CompatRegistration) -> None:
        super().__init__(f"{registration.kernel_name}: {registration.key}")
        self._entry, self._registration = entry, registration

    def content(self) -> Content:
        registration = self._registration
        rows: list[tuple[str | Content, ...]] = [
            ("leads to", registration.function),
            ("registered", place(self._entry)),
        ]
        said = f"{told(registration)} It is no kernel: the kernels that it leads to can be run."
        return table(rows) + Content("\n\n") + Content(said)
