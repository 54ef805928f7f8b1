"""A widget that is a few rows of ink, the same number always, and needs no scrolling."""

from __future__ import annotations

from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from visualizer.tui.ink import Look, Parts, strip_of
from visualizer.tui.scene import Scene


class Drawn(Widget):
    """A subclass draws row `y` of the scene, no wider than `self.size.width`."""

    scene: reactive[Scene | None] = reactive[Scene | None](None)

    def draw(self, y: int) -> Parts:
        raise NotImplementedError

    def look(self, names: Look) -> Style:
        return self.get_visual_style(*names).rich_style

    def render_line(self, y: int) -> Strip:
        return strip_of(self.draw(y), self.look, self.size.width)
