"""What the stepper tells of a place, whole: what happened and what comes next; of a token that is
followed, all of its way too."""

from __future__ import annotations

from textual.content import Content

from visualizer.scene.scene import Scene
from visualizer.tui.stepper.origin_card import trail_rows

_AS_LONG_AS_IT_IS = 10_000  # columns


def unabridged(scene: Scene) -> Content:
    told = [Content.assemble(("✓ ", "bold $success"), scene.happened_text())]
    if upcoming := scene.upcoming_text():
        told.append(Content.assemble(("▸ ", "bold $accent"), upcoming))
    if scene.token is not None:
        rows = trail_rows(scene.token, _AS_LONG_AS_IT_IS)
        told.append(Content("\n").join(Content("".join(t for t, _ in row)) for row in rows))
    return Content("\n\n").join(told)
