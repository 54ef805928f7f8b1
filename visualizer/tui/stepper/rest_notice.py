"""A row that says that there is more to come: one line of a long file is shown, the rest is being read.

Esc ends the waiting; then the row says how to have the rest after all, until that is there.
"""

from __future__ import annotations

from typing import ClassVar

from visualizer.layout.words import Parts, clipped
from visualizer.tui.ink.inked import Drawn


class RestNotice(Drawn):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"changed--what", "changed--key", "changed--quiet"}

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.display = False
        self.under_way = False
        self._seconds = 0

    def on_mount(self) -> None:
        self.set_interval(1, self._tick)

    def begin(self) -> None:
        """The rest is being read from now on."""
        self.under_way = self.display = True
        self.refresh()

    def end(self) -> None:
        """Nobody waits for it any more."""
        self.under_way = False
        self.refresh()

    def _tick(self) -> None:
        if self.under_way:
            self._seconds += 1
            self.refresh()

    def draw(self, y: int) -> Parts:
        if y:
            return []
        said, key, does = " Only this line was read.  ", " l ", "reads the rest"
        if self.under_way:
            so_far = f", {self._seconds} s so far" if self._seconds else ""
            said, key, does = f" Reading the rest of the file{so_far} …  ", " Esc ", "stops"
        parts: Parts = [(said, ("changed--what",)), (key, ("changed--key",))]
        return clipped([*parts, (f" {does}", ("changed--quiet",))], self.size.width, "…")
