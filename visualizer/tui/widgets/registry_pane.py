"""The registry as of this state: kernel names, and under each the keys that it is registered with.

The newest entry has a star. One that is only half produced is dim and ends in dots. The selection
follows the newest entry until the reader chooses one; a chosen entry stays chosen for as long as it
exists, forwards and backwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from visualizer.tui.ink import Look, Parts
from visualizer.tui.scene import Scene
from visualizer.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from visualizer.workbench import Entry, Shown, Workbench


_SELECTS = "Select an entry, when the registry has the focus"


class RegistryPane(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "registry--name",
        "registry--newest",
        "registry--pending",
        "registry--cursor",
        "registry--declared",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "select(-1)", "above", tooltip=_SELECTS, show=False),
        Binding("down", "select(1)", "below", tooltip=_SELECTS, show=False),
    ]

    scene: reactive[Scene | None] = reactive[Scene | None](None, repaint=False)
    chosen: reactive[Entry | None] = reactive["Entry | None"](None)

    class Selected(Message):
        """Another entry is selected, or its state has changed; None if the registry is empty."""

        def __init__(self, shown: Shown | None) -> None:
            super().__init__()
            self.shown = shown

    def __init__(self, bench: Workbench, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._bench = bench
        self.entitle("Registry")
        self._rows: list[Shown | str] = []
        self._selected: Shown | None = None
        self._reported: Shown | None = None

    @property
    def selected(self) -> Shown | None:
        """The chosen entry; if there is none, the newest, the last that is complete, the first."""
        return self._selected

    def _find_selected(self) -> Shown | None:
        entries = [row for row in self._rows if not isinstance(row, str)]
        ranks = [self._rank(s, i) for i, s in enumerate(entries)]
        return entries[ranks.index(max(ranks))] if ranks else None

    def _rank(self, shown: Shown, place: int) -> tuple[bool, bool, bool, int]:
        complete = not shown.pending
        return shown.entry is self.chosen, shown.newest, complete, place if complete else -place

    def watch_scene(self, scene: Scene | None) -> None:
        registry = self._bench.registry_at(0, 0) if scene is None else scene.registry
        self._rows = _grouped(registry)
        self._selected = self._find_selected()
        self._show()

    def watch_chosen(self) -> None:
        self._selected = self._find_selected()
        self._show()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if not self.is_mounted:
            return
        self.hold(max(len(self._rows), 1))
        complete = sum(not isinstance(r, str) and not r.pending for r in self._rows)
        self.entitle("Registry", f"{complete:,} registered")
        selected = self._selected
        if selected is not None:
            row = self._rows.index(selected)
            above = row - 1 if isinstance(self._rows[row - 1], str) else row
            self.reveal(above, row)
        self.repaint()
        if _differ(selected, self._reported):
            self._reported = selected
            self.post_message(self.Selected(selected))

    def draw(self, row: int) -> Parts:
        if not self._rows:
            return [("  nothing is registered yet", ("pane--quiet",))]
        item = self._rows[row]
        if isinstance(item, str):
            return [(f" {item}", ("registry--name",))]
        ground: Look = ("registry--cursor",) if item is self.selected else ()
        look: Look = ground
        mark = "  "
        if item.pending:
            look = (*ground, "registry--pending")
        elif item.newest:
            look, mark = (*ground, "registry--newest"), "★ "
        registration = item.entry.registration
        text = f"  {mark}{registration.key}{' …' if item.pending else ''}"
        note = "" if registration.kernel.runnable else "declared "
        space = self.room - len(text) - len(note)
        return [
            (text, look),
            (" " * max(space, 1), ground),
            (note, (*ground, "registry--declared")),
        ]

    def action_select(self, by: int) -> None:
        entries = [row for row in self._rows if not isinstance(row, str)]
        if entries:
            here = entries.index(self.selected) if self.selected in entries else 0
            self.chosen = entries[min(max(here + by, 0), len(entries) - 1)].entry

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = self.top + offset.y if offset is not None else -1
        if 0 <= row < len(self._rows):
            item = self._rows[row]
            if not isinstance(item, str):
                self.chosen = item.entry


def _grouped(registry: list[Shown]) -> list[Shown | str]:
    """A row with each kernel's name, and below it its entries."""
    kernels: dict[str, list[Shown]] = {}
    for shown in registry:
        kernels.setdefault(shown.entry.registration.kernel_name, []).append(shown)
    rows: list[Shown | str] = []
    for name, entries in kernels.items():
        rows += [name, *entries]
    return rows


def _differ(a: Shown | None, b: Shown | None) -> bool:
    if a is None or b is None:
        return a is not b
    return a.entry is not b.entry or a.pending != b.pending
