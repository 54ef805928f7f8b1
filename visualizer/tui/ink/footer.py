"""The last row: as many keys of the screen as fit into it, each of them whole.

The keys that work everywhere stand at its end whatever the width, and `?` among them tells the others;
where one types, and `?` is a letter, it is F1 that always stands there.
A screen that has the keys of another besides its own says in `FOOTER_FIRST` which actions come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from textual import events, widgets
from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.dom import DOMNode
from textual.widget import Widget
from textual.widgets._footer import FooterKey, FooterLabel, KeyGroup


class Footer(widgets.Footer):
    def __init__(self) -> None:
        super().__init__(show_command_palette=False)

    _made_of: object = None

    def _made_from(self) -> object:
        """All that what stands here follows from."""
        keys = self.screen.active_bindings.values()
        return self.screen.size.width, [active for active in keys if active.binding.show]

    async def recompose(self) -> None:
        """Only where it comes to something else: to style thirty keys takes longer than a frame."""
        if self.is_attached and self._made_from() != self._made_of:
            await super().recompose()

    def compose(self) -> ComposeResult:
        self._made_of = self._made_from() if self._bindings_ready else None
        pieces = list(self._pieces()) if self._bindings_ready else []
        room = self.screen.size.width - sum(cells for _, cells, stays in pieces if stays)
        for shown, cells, stays in pieces:
            if stays or cells <= room:
                room -= 0 if stays else cells
                yield from shown

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.recompose)

    def _pieces(self) -> Iterator[tuple[list[Widget], int, bool]]:
        """What shows a key or a group of keys, how many cells that takes, and whether it stays."""
        keys: dict[tuple[DOMNode, str], ActiveBinding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show:
                keys.setdefault((active.node, active.binding.action), active)
        first = getattr(self.screen, "FOOTER_FIRST", ())
        ordered = sorted(keys.values(), key=lambda a: a.binding.action not in first)
        for group, grouped in groupby(ordered, lambda a: a.binding.group):
            members = list(grouped)
            if group is not None and len(members) > 1:
                signs = [self._key(a, grouped=True) for a in members]
                classes = "-compact" if group.compact else ""
                row: list[Widget] = [KeyGroup(*signs, classes=classes)]
                around = 2 if group.compact else 2 * len(signs)
                cells = sum(len(sign.key_display) for sign in signs) + around
                yield (
                    [*row, FooterLabel(group.description)],
                    cells + len(group.description) + 1,
                    False,
                )
                continue
            for active in members:
                key = self._key(active)
                cells = len(key.key_display) + len(key.description) + 3
                yield [key], cells, active.node is self.app or active.binding.action == "app.keys"

    def _key(self, active: ActiveBinding, grouped: bool = False) -> FooterKey:
        _, binding, enabled, tooltip = active
        key = FooterKey(
            binding.key,
            self.app.get_key_display(binding),
            "" if grouped else binding.description,
            binding.action,
            disabled=not enabled,
            tooltip=tooltip or binding.description,
            classes="-grouped" if grouped else "",
        )
        key.set_reactive(FooterKey.compact, False)
        return key
