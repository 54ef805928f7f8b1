"""Without colours: what stands on a ground like the text's own is drawn in reverse video.

The style sheet says what stands out by its ground (the row under the cursor, the followed token, a
selection), and colours are the first thing that a terminal without them leaves away, grounds with
them. So a bright ground in a dark theme, or a dark one in a light theme, becomes reverse video before.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

if TYPE_CHECKING:
    from textual.app import App


class ReverseVideo(LineFilter):
    """Textual sends every row through this before it takes the colours away."""

    def __init__(self, app: App[Any]) -> None:
        super().__init__()
        self._app = app

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        dark = self._app.current_theme.dark
        return [Segment(text, style and _seen(style, dark), more) for text, style, more in segments]


@lru_cache(1024)
def _seen(style: Style, dark: bool) -> Style:
    ground = style.bgcolor
    if ground is None or ground.is_default:
        return style
    bright = Color(*ground.get_truecolor()).brightness > 0.5
    return style + Style(reverse=True) if bright == dark else style
