"""The registry that the edited text fills, compared with the one that the file on disk fills.

`+` is an entry that the edit has brought, `−` one that it has taken away, `~` one that is another
kernel now. Kernels that the edit leaves alone take one row each.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar

from visualizer.layout.words import Parts, Styles, clipped
from visualizer.messages import _, ngettext
from visualizer.tui.ink.pane import Pane
from visualizer.workshop.registry_changes import RegistryChange

_STYLES: dict[str, Styles] = {
    "+": ("pane--good",),
    "−": ("pane--bad",),
    "~": ("pane--accent",),
    " ": ("pane--quiet",),
}


class ChangesPane(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"changes--name"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entitle(_("Registry"))
        self._rows: list[Parts] = [[(_("  nothing is registered"), ("pane--quiet",))]]

    def show(self, changes: Sequence[RegistryChange]) -> None:
        self._rows = []
        first = None
        for name, group in groupby(changes, key=lambda c: c.kernel_name):
            entries = list(group)
            changed = [c for c in entries if c.sign != " "]
            stay = len(entries) - len(changed)
            self._rows.append(
                [(f" {name}", ("changes--name",)), (_stays(stay, bool(changed)), ("pane--quiet",))]
            )
            if changed and first is None:
                first = len(self._rows) - 1
            self._rows += map(_row, changed)
        if not self._rows:
            self._rows.append([(_("  nothing is registered"), ("pane--quiet",))])
        self.entitle(_("Registry"), summed_up(changes))
        self.hold(len(self._rows))
        if first is not None:
            self.reveal(first, first + 1)
        self.repaint()

    def on_resize(self) -> None:
        self.hold(len(self._rows))
        self.repaint()

    def draw(self, row: int) -> Parts:
        return clipped(self._rows[row], self.room, "…")


def summed_up(changes: Sequence[RegistryChange]) -> str:
    """`24 entries, +1 −2 ~1`."""
    held = sum(c.sign != "−" for c in changes)
    there = ngettext("{count:,} entry", "{count:,} entries", held).format(count=held)
    signs = [(s, sum(c.sign == s for c in changes)) for s in ("+", "−", "~")]
    tally = " ".join(f"{sign}{count}" for sign, count in signs if count)
    return f"{there}, {tally}" if tally else there


def _stays(count: int, others_changed: bool) -> str:
    return (
        _("  {count:,} unchanged").format(count=count)
        if count and others_changed
        else f"  {count:,}" * bool(count)
    )


def _row(change: RegistryChange) -> Parts:
    styles = _STYLES[change.sign]
    note = f"  {change.note}" if change.note else ""
    return [(f"  {change.sign} {change.key}", styles), (note, ("pane--quiet",))]
