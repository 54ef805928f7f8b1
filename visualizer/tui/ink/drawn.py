"""A widget that is a few rows of ink, the same number always, and needs no scrolling."""

from __future__ import annotations

from textual.reactive import reactive

from visualizer.scene.scene import Scene
from visualizer.tui.ink.inked import Inked


class Drawn(Inked):
    """A subclass draws row `y` of the scene, no wider than `self.size.width`."""

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)

    def watch_scene(self) -> None:
        self.repaint()
