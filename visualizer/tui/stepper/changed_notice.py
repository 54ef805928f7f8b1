"""A row that appears when a file has changed, or gone, under the app, and offers what to do.

The widget looks once a second at the files that it was given, and says so once for each change. What
the keys of the offers do is the screen's affair: it binds them, and hears `Wanted` for a click.

    notice = ChangedNotice([Offer("reload", "l")])
    notice.watch_files(paths)           # again whenever others are shown
    notice.accept(notice.changed)       # they were read anew, or the reader wants to hear no more
    @on(ChangedNotice.Wanted)           # message.offer is the name of an offer
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message

from visualizer.expansion.include_path import Stamp, stamp
from visualizer.expansion.wording import listed
from visualizer.layout.words import Parts, clipped, length
from visualizer.tui.ink.drawn import Drawn

_EVERY = 1.0  # seconds


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done about it: a word to click on, and the key that does the same."""

    name: str
    key: str


class ChangedNotice(Drawn):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"changed--what", "changed--key", "changed--quiet"}

    class Wanted(Message):
        """The reader has clicked on an offer."""

        def __init__(self, offer: str, files: Sequence[Path]) -> None:
            super().__init__()
            self.offer = offer
            self.files = files

    class Noticed(Message):
        """These files are not what they were."""

        def __init__(self, files: Sequence[Path]) -> None:
            super().__init__()
            self.files = files

    def __init__(self, offers: Sequence[Offer], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._offers = offers
        self._stamps: dict[Path, Stamp | None] = {}
        self.changed: tuple[Path, ...] = ()
        self.display = False

    def on_mount(self) -> None:
        self.set_interval(_EVERY, self.look_again)

    def watch_files(
        self, files: Iterable[Path], known: Mapping[Path, Stamp | None] | None = None
    ) -> None:
        """From now on, these. `known` are the stamps that they had when they were read; without one,
        a file is compared with what it was when it was first watched."""
        before = {**self._stamps, **(known or {})}
        self._stamps = {f: before[f] if f in before else stamp(str(f)) for f in files}
        self.look_again()

    def accept(self, files: Iterable[Path]) -> None:
        """What these are now is what they are from now on: the reader has decided."""
        accepted = set(files)
        self._stamps |= {file: stamp(str(file)) for file in accepted}
        self._show(tuple(file for file in self.changed if file not in accepted))

    def look_again(self) -> None:
        """Compare the files with what they were. Called each second; call it when time matters."""
        changed = tuple(f for f, known in self._stamps.items() if stamp(str(f)) != known)
        if changed != self.changed:
            self._show(changed)
            if changed:
                self.post_message(self.Noticed(changed))

    def _show(self, changed: tuple[Path, ...]) -> None:
        self.changed = changed
        self.display = bool(changed)
        self.refresh()

    def draw(self, y: int) -> Parts:
        if y or not self.changed:
            return []
        parts: Parts = [(f" ! {self._what()}  ", ("changed--what",))]
        for offer in self._offers:
            parts.append((f" {offer.key} ", ("changed--key",)))
            parts.append((f"{offer.name}  ", ("changed--quiet",)))
        return clipped(parts, self.size.width, "…")

    def _what(self) -> str:
        gone = [f for f in self.changed if not f.exists()]
        which = gone or self.changed
        names, one = listed(f.name for f in which), len(which) == 1
        if gone:
            return f"{names} {'was' if one else 'were'} removed."
        return f"{names} {'has' if one else 'have'} changed on disk."

    def on_click(self, event: events.Click) -> None:
        end = length(self.draw(0)[:1])
        for offer in self._offers:
            end += cell_len(f" {offer.key} {offer.name}  ")
            if event.x < end:
                self.post_message(self.Wanted(offer.name, self.changed))
                return
