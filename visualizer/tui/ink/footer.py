"""The last row: as many keys of the screen as fit into it, each of them whole.

The keys that work everywhere stand at its end whatever the width, and `?` among them tells the others;
where one types, and `?` is a letter, it is F1 that always stands there.
A screen that has the keys of another besides its own says in `FOOTER_FIRST` which actions come first.

Textual's own footer is a widget for each key. To make and style thirty of them takes longer than all
else that a screen shows at first, so here they are pieces of one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.binding import ActiveBinding
from textual.dom import DOMNode
from textual.screen import Screen

from visualizer.layout.words import Parts
from visualizer.messages import _
from visualizer.tui.ink.inked import Inked

_KEY, _WORDS, _OFF, _POINTED = (f"footer--{name}" for name in ("key", "words", "off", "pointed"))


class Sign(NamedTuple):
    """A key, or what is said of one or of several."""

    key: str
    words: str
    does: ActiveBinding | None

    @property
    def cells(self) -> int:
        return cell_len(self.key) + cell_len(self.words)


class Footer(Inked):
    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {_KEY, _WORDS, _OFF, _POINTED}

    def __init__(self) -> None:
        super().__init__()
        self._asked = False  # a screen's keys are known once it has been drawn
        self._pointed: Sign | None = None
        self.signs: Sequence[Sign] = ()

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def _bindings_changed(self, screen: Screen[object]) -> None:
        self._asked = True
        if screen.app.app_focus:
            self.call_after_refresh(self._tell)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._tell)

    def _tell(self) -> None:
        if not (self._asked and self.is_attached):
            return
        groups = list(self._groups())
        room = self.size.width - sum(s.cells for signs, stays in groups if stays for s in signs)
        told: list[Sign] = []
        for signs, stays in groups:
            cells = sum(sign.cells for sign in signs)
            if stays or cells <= room:
                room -= 0 if stays else cells
                told += signs
        self.signs = told
        self.repaint()

    def _groups(self) -> Iterator[tuple[list[Sign], bool]]:
        """Signs that are shown together or not at all, and whether they always are."""
        keys: dict[tuple[DOMNode, str], ActiveBinding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show:
                keys.setdefault((active.node, active.binding.action), active)
        first = {action: n for n, action in enumerate(getattr(self.screen, "FOOTER_FIRST", ()))}
        ordered = sorted(keys.values(), key=lambda a: first.get(a.binding.action, len(first)))
        for group, grouped in groupby(ordered, lambda a: a.binding.group):
            members = list(grouped)
            names = [self.app.get_key_display(active.binding) for active in members]
            if group is None or len(members) == 1:
                for active, name in zip(members, names, strict=True):
                    sign = Sign(f" {name} ", f"{_(active.binding.description)} ", active)
                    yield [sign], active.node is self.app
            else:
                gap = "" if group.compact else " "
                signs = [
                    Sign(f"{gap}{name}", "", a) for a, name in zip(members, names, strict=True)
                ]
                if group.compact:
                    signs[0] = signs[0]._replace(key=f" {names[0]}")
                yield [*signs, Sign("", f" {_(group.description)} ", None)], False

    def tells(self, key: str) -> bool:
        """Whether it is one of the keys that stand here."""
        return any(sign.does is not None and sign.does.binding.key == key for sign in self.signs)

    def draw(self, row: int) -> Parts:
        parts: Parts = []
        for sign in self.signs if row == 0 else ():
            off = () if sign.does is None or sign.does.enabled else (_OFF,)
            pointed = (_POINTED,) if sign.does is not None and sign == self._pointed else ()
            parts += [(sign.key, (_KEY, *off, *pointed)), (sign.words, (_WORDS, *off, *pointed))]
        return parts

    def _sign_at(self, x: int) -> Sign | None:
        for sign in self.signs:
            if x < sign.cells:
                return sign
            x -= sign.cells
        return None

    def _point_at(self, sign: Sign | None) -> None:
        if sign != self._pointed:
            self._pointed = sign
            does = sign.does if sign is not None else None
            self.tooltip = does and _(does.tooltip or does.binding.description)
            self.repaint()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._point_at(self._sign_at(event.x))

    def on_leave(self, event: events.Leave) -> None:
        self._point_at(None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        sign = self._sign_at(event.x)
        if sign is None or sign.does is None:
            return
        if sign.does.enabled:
            self.app.simulate_key(sign.does.binding.key)
        else:
            self.app.bell()
