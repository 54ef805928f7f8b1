"""Where the followed token comes from, hop by hop, until characters of a source file.

It lies where the macro's card lies otherwise. Each hop shows the line of the file that explains it: the
invocation, or the place in a macro's replacement list, with the token's place in it marked.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import ClassVar

from textual.reactive import reactive

from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import Source, Token
from visualizer.expansion.trail import Hop, trail
from visualizer.layout.shown import shown_chars
from visualizer.layout.words import Parts, clipped, prose
from visualizer.messages import N_, _, ngettext
from visualizer.scene.scene import Scene
from visualizer.tui.dialogs.unabridged import MORE
from visualizer.tui.ink.pane import Pane

_GONE = N_("It does not stand on this line: , goes to where it came into being.")


class OriginCard(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"origin--token", "origin--mark", "origin--step"}

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: list[Parts] = []

    def watch_scene(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        scene = self.scene
        token = None if scene is None else scene.token
        if scene is None or token is None or not self.room:
            return
        hops = sum(1 for _ in trail(token))
        self.entitle(
            _("where {text} comes from").format(text=shown_chars(token.text)),
            ngettext("{count} hop", "{count} hops", hops).format(count=hops),
        )
        gone = prose(_(_GONE), self.room) if scene.followed is None else []
        self._rows = [*gone, *trail_rows(token, self.room)]
        self.hold(len(self._rows))
        self.scroll_to(y=0, animate=False)
        self.repaint()

    def draw(self, row: int) -> Parts:
        return self._rows[row]


def trail_rows(token: Token, width: int) -> list[Parts]:
    """The way of a token, two rows for each hop."""
    return [row for hop in trail(token) for row in _hop_rows(hop, width)]


def _hop_rows(hop: Hop, width: int) -> list[Parts]:
    indent = "  " * min(hop.depth, 8)
    where = f"{hop.where.file.rpartition('/')[2]}:{hop.where.line}"
    head: Parts = [
        (indent, ()),
        (shown_chars(hop.token.text), ("origin--token",)),
        (f"  {hop.text}", ("origin--step",)),
        (f"  {where}", ("pane--quiet",)),
    ]
    return [clipped(head, width, MORE), _line_of(hop, f"{indent}  │ ", width)]


def _line_of(hop: Hop, margin: str, width: int) -> Parts:
    """The source line of a hop, from where its token can be seen, with the token marked."""
    text = shown_chars(_line(hop.where).replace("\t", " "))  # which keeps its columns
    start = min(hop.where.column - 1, len(text))
    parameter = hop.parameter or hop.token.text
    end = start + len(parameter) if text.startswith(parameter, start) else start + 1
    lead = len(text) - len(text.lstrip())
    cut = max(lead, end - (width - len(margin)) + 4) if end > width - len(margin) else lead
    dots = "…" if cut > lead else ""
    parts: Parts = [
        (margin + dots, ("pane--quiet",)),
        (text[min(cut, start) : start], ("pane--quiet",)),
        (text[start:end], ("origin--mark",)),
        (text[end:], ("pane--quiet",)),
    ]
    return clipped(parts, width, "…")


def _line(where: Source) -> str:
    try:
        lines = _lines(where.file, os.stat(where.file).st_mtime_ns)
    except (OSError, InputError):
        return ""  # it has gone since it was read
    return lines[where.line - 1] if 0 < where.line <= len(lines) else ""


@lru_cache(maxsize=64)
def _lines(file: str, changed: int) -> list[str]:
    return read_source(file, included=True).splitlines()
