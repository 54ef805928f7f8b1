"""All keys, read off the bindings themselves, so that no list can be out of date."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from visualizer.tui.screens.panel import Panel, table

_MOUSE = (
    ("timeline", "a click goes to that place, ◀ and ▶ step"),
    ("source", "a click on another invocation (▸) opens it"),
    ("registry", "a click selects an entry"),
    ("footer", "a click presses that key"),
)
_SIGNS = {
    "enter": "Enter",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "question_mark": "?",
}


class KeysScreen(Panel):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark", "close", "Close")]

    def __init__(self, bindings: Iterable[BindingType]) -> None:
        super().__init__("Keys")
        self._keys = list(Binding.make_bindings(bindings))

    def content(self) -> Content:
        rows: list[tuple[str | Content, ...]] = []
        for keys, meaning in _paired(self._keys):
            rows.append((Content.styled(keys, "bold $accent"), meaning))
        rows.append((Content.styled("Tab", "bold $accent"), "Focus the next pane"))
        rows += [("", "")]
        rows += [(Content.styled(what, "$quiet"), how) for what, how in _MOUSE]
        rows += [("", "")]
        rows.append((Content.styled("underlined", "underline"), "is consumed by the next step"))
        rows.append((Content.styled("bold", "bold"), "was produced by the last one"))
        rows.append((Content.styled("struck", "strike"), "a painted name: never a macro again"))
        return table(rows)


def _paired(bindings: list[Binding]) -> Iterable[tuple[str, str]]:
    """Keys with their meanings; two neighbours with the same tooltip go together."""
    row: list[Binding] = []
    for binding in [*bindings, None]:
        if row and (binding is None or binding.tooltip != row[0].tooltip or not binding.tooltip):
            keys = " ".join(_SIGNS.get(b.key, b.key) for b in row)
            yield keys, row[0].tooltip or row[0].description
            row = []
        if binding is not None:
            row.append(binding)
