"""The stack of expansions that we are inside of, outermost first.

When there is no room for all, the middle is left out: where we came from and where we are matter.
"""

from __future__ import annotations

from typing import ClassVar

from visualizer.layout.words import Parts, clipped
from visualizer.messages import _
from visualizer.tui.ink.inked import Drawn

_SEPARATOR = " › "


class Breadcrumb(Drawn):
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "breadcrumb--quiet",
        "breadcrumb--name",
        "breadcrumb--here",
    }

    def draw(self, y: int) -> Parts:
        if y or self.scene is None or self.scene.asked == "inside":
            return []
        return crumbs(self.scene.invocations(), self.size.width)


def crumbs(names: list[str], width: int) -> Parts:
    """The names in no more than `width` cells."""
    if not names:
        return [(_("not inside of any expansion"), ("breadcrumb--quiet",))]
    depth = _("{count} deep  ").format(count=len(names))
    shown = elided(names, width - len(depth))
    parts: Parts = [(depth, ("breadcrumb--quiet",))]
    for i, name in enumerate(shown):
        if i:
            parts.append((_SEPARATOR, ("breadcrumb--quiet",)))
        last = i == len(shown) - 1
        parts.append((name, ("breadcrumb--here" if last else "breadcrumb--name",)))
    return clipped(parts, width, "…")


def elided(names: list[str], width: int) -> list[str]:
    """The first name and as many of the last as there is room for; `…` stands for the others."""
    if len(_SEPARATOR.join(names)) <= width:
        return names
    for keep in range(len(names) - 2, 0, -1):
        shown = [
            names[0],
            _("… {count} more …").format(count=len(names) - 1 - keep),
            *names[-keep:],
        ]
        if len(_SEPARATOR.join(shown)) <= width:
            return shown
    return (
        [_("… {count} more …").format(count=len(names) - 1), names[-1]] if len(names) > 1 else names
    )
