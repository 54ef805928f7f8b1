"""An app in our dress with nothing opened: a screen that is tested alone needs no stepper beneath."""

from __future__ import annotations

from pathlib import Path

from textual.screen import Screen

from visualizer import tui
from visualizer.tui.ink.themes import DARK, LIGHT, THEMES
from visualizer.tui.terminal import TerminalApp


class BareApp(TerminalApp):
    """`opened` is the screen to begin with."""

    CSS_PATH = Path(tui.__file__).parent / "unfold.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, opened: Screen | None = None, *, light: bool = False) -> None:
        super().__init__()
        self._opened = opened
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = LIGHT.name if light else DARK.name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DARK.variables

    def on_mount(self) -> None:
        if self._opened is not None:
            self.push_screen(self._opened)
