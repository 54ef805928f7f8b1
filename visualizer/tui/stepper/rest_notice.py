"""A row that says that there is more to come: one line of a long file is shown, the rest is being read,
and a bar says how much of it is.

Esc ends the reading; then the row says how to have the rest after all, until that is there.
"""

from __future__ import annotations

from typing import ClassVar

from visualizer.expansion.under_way import UnderWay
from visualizer.layout.words import Parts, clipped
from visualizer.messages import _
from visualizer.tui.ink.inked import Drawn

_CELLS, _DONE, _TO_COME = 20, "━", "─"


class RestNotice(Drawn):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"changed--what", "changed--key", "changed--quiet"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.display = False
        self._reading: UnderWay | None = None

    def on_mount(self) -> None:
        self.set_interval(0.5, self._tick)

    @property
    def under_way(self) -> bool:
        return self._reading is not None

    def begin(self) -> UnderWay:
        """The rest is being read from now on, by whoever tells here how far it is."""
        self.display = True
        self._reading = UnderWay()
        self.refresh()
        return self._reading

    def end(self) -> None:
        """Nobody waits for it any more."""
        if self._reading is not None:
            self._reading.wanted = False
        self._reading = None
        self.refresh()

    def _tick(self) -> None:
        if self.under_way:
            self.refresh()

    def draw(self, y: int) -> Parts:
        if y:
            return []
        said: Parts = [(_(" Only this line was read.  "), ("changed--what",))]
        key, does = " l ", _("reads the rest")
        if self._reading is not None:
            done = min(round(_CELLS * self._reading.done), _CELLS)
            said = [
                (_(" Reading the rest of the file "), ("changed--what",)),
                (_DONE * done, ("changed--what",)),
                (_TO_COME * (_CELLS - done), ("changed--quiet",)),
                ("  ", ("changed--what",)),
            ]
            key, does = " Esc ", "stops"
        parts: Parts = [*said, (key, ("changed--key",))]
        return clipped([*parts, (f" {does}", ("changed--quiet",))], self.size.width, "…")
