"""What the screen tells of a place, whole: its panes have the height that they have, and cut what is
longer. What happened and what comes next; of a token that is followed, all of its way too."""

from __future__ import annotations

from textual.content import Content

from visualizer.scene.scene import Scene
from visualizer.tui.dialogs.panel import Panel
from visualizer.tui.stepper.origin_card import trail_rows

_AS_LONG_AS_IT_IS = 10_000  # columns


class UnabridgedScreen(Panel):
    def __init__(self, scene: Scene) -> None:
        super().__init__("Unabridged", "↑↓ scroll, Esc closes")
        self._scene = scene

    def content(self) -> Content:
        scene = self._scene
        told = [
            Content.assemble(("✓ ", "bold $success"), scene.happened_text()),
            Content.assemble(("▸ ", "bold $accent"), scene.upcoming_text()),
        ]
        if scene.token is not None:
            rows = trail_rows(scene.token, _AS_LONG_AS_IT_IS)
            told.append(Content("\n").join(Content("".join(t for t, _ in row)) for row in rows))
        return Content("\n\n").join(told)
