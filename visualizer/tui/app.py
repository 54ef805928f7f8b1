"""The app: two themes, the keys that work everywhere, and the stepper on a workbench."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from visualizer.tui.screens.keys import KeysScreen
from visualizer.tui.screens.stepper import StepperScreen
from visualizer.tui.themes import DARK, LIGHT
from visualizer.tui.widgets.pane import Pane
from visualizer.tui.widgets.registry_pane import RegistryPane

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import Kernel
    from registry_runtime.trial import Trial
    from visualizer.workbench import Workbench

TRIAL_SIZE = 1_000_000  # elements with which a kernel is tried


def run_registered(kernel: Kernel) -> Trial:
    """Run a kernel on made-up inputs. What it needs is imported only now: Numba takes its time."""
    from registry_runtime.trial import try_kernel

    return try_kernel(kernel, TRIAL_SIZE)


class UnfoldApp(App[None]):
    """Steps through one file. `expansion` is the index of an invocation in `bench.trace`."""

    TITLE = "Unfold"
    CSS_PATH = "unfold.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "turn_light", "Dark theme or light", show=False),
        Binding("question_mark", "keys", "keys", key_display="?", tooltip="All keys"),
        Binding("q", "quit", "quit", tooltip="Quit"),
        Binding("ctrl+c", "quit", show=False, priority=True),
    ]

    def __init__(
        self,
        bench: Workbench,
        expansion: int = 0,
        state: int = 0,
        *,
        run_kernel: Callable[[Kernel], Trial] = run_registered,
    ) -> None:
        super().__init__()
        self.bench = bench
        self._start = expansion, state
        self._run_kernel = run_kernel
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = DARK.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DARK.variables

    def on_mount(self) -> None:
        if not self.is_headless:
            # A long trace is a hundred thousand objects that stay. Looking through them for garbage
            # again and again is what makes a key wait.
            gc.freeze()
        self.push_screen(StepperScreen(self.bench, *self._start, self._run_kernel))

    def action_turn_light(self) -> None:
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_keys(self) -> None:
        if not isinstance(self.screen, KeysScreen):
            panes = [*RegistryPane.BINDINGS, *Pane.BINDINGS]
            self.push_screen(KeysScreen([*StepperScreen.BINDINGS, *panes, *self.BINDINGS]))
