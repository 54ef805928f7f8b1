"""Words as a row of the screen: what wears the same styles becomes one segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from visualizer.layout.words import Part, Styles


def strip_of(parts: Iterable[Part], style_of: Callable[[Styles], Style], width: int) -> Strip:
    """One row of the screen, with `…` where it is cut. Neighbours that look the same become one
    segment."""
    segments: list[Segment] = []
    text, current, cells = "", None, 0
    for more, names in parts:
        if not more:
            continue
        cells += cell_len(more)
        if names == current:
            text += more
            continue
        if current is not None:
            segments.append(Segment(text, style_of(current)))
        text, current = more, names
    if current is not None:
        segments.append(Segment(text, style_of(current)))
    if cells < width:
        segments.append(Segment(" " * (width - cells), style_of(())))
    strip = Strip(segments, max(cells, width))
    if cells > width and strip.crop(width).text.strip():
        last = strip.crop(width - 1, width)
        return Strip.join(
            [strip.crop(0, width - 1), Strip([Segment("…", s.style) for s in last][:1])]
        )
    return strip.crop(0, width)
