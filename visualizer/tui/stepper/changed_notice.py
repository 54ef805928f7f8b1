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

from visualizer.expansion.wording import listed
from visualizer.layout.words import Parts, clipped, length
from visualizer.messages import _, ngettext
from visualizer.tui.ink.inked import Drawn
from visualizer.workbench.background import in_background
from visualizer.workbench.seen import Seen, seen, touched, unchanged

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
        self._seen: dict[Path, Seen] = {}
        self.changed: tuple[Path, ...] = ()
        self.display = False

    def on_mount(self) -> None:
        self.set_interval(_EVERY, self.look_again)

    def watch_files(self, files: Iterable[Path], known: Mapping[Path, Seen] | None = None) -> None:
        """From now on, these. `known` is how they were when they were read; without that, a file is
        compared with what it was when it was first watched."""
        before = {**self._seen, **(known or {})}
        self._seen = {f: before[f] if f in before else touched(f) for f in files}
        self.look_again()
        if any(one.stamp and not one.digest for one in self._seen.values()):
            self.run_worker(self._read(self._seen), exclusive=True)

    async def _read(self, watched: dict[Path, Seen]) -> None:
        """Read those of which only the metadata are known, in the background: they may be thousands."""
        only_touched = [f for f, known in watched.items() if known.stamp and not known.digest]
        read = await in_background(lambda: {file: seen(file) for file in only_touched})
        for file, now in read.items():
            if watched[file].stamp == now.stamp:
                watched[file] = now

    def accept(self, files: Iterable[Path]) -> None:
        """What these are now is what they are from now on: the reader has decided."""
        accepted = set(files)
        self._seen |= {file: seen(file) for file in accepted}
        self._show(tuple(file for file in self.changed if file not in accepted))

    def look_again(self) -> None:
        """Compare the files with what they were. Called each second; call it when time matters."""
        now = {file: unchanged(file, known) for file, known in self._seen.items()}
        self._seen |= {file: known for file, known in now.items() if known}
        changed = tuple(file for file, known in now.items() if not known)
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
            parts.append((f"{_(offer.name)}  ", ("changed--quiet",)))
        return clipped(parts, self.size.width, "…")

    def _what(self) -> str:
        gone = [f for f in self.changed if not f.exists()]
        which = gone or self.changed
        names, one = listed(f.name for f in which), len(which) == 1
        if gone:
            return ngettext(
                "{names} was removed.", "{names} were removed.", 1 if one else 2
            ).format(names=names)
        return ngettext(
            "{names} has changed on disk.", "{names} have changed on disk.", 1 if one else 2
        ).format(names=names)

    def on_click(self, event: events.Click) -> None:
        end = length(self.draw(0)[:1])
        for offer in self._offers:
            end += cell_len(f" {offer.key} {_(offer.name)}  ")
            if event.x < end:
                self.post_message(self.Wanted(offer.name, self.changed))
                return
