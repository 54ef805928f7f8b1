"""Who is here. A visitor is a browser, known by the name in its cookie, and has a folder: `files`,
their copy of the served folder, `settings`, where the app keeps their progress, and `tmp`.

The folder waits for a visitor who has left, for an hour, so that a reload or a lost connection costs
nothing. Then it is removed; all of them are when the server ends. A server that is killed leaves them
behind, and the next one removes them: it knows them by the lock that a living server holds.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from visualizer.personal.safe_file import lock
from visualizer.serving import folder

KEPT = 3600.0  # seconds that a visitor's folder waits for their return
_PATIENCE = 3.0  # seconds for somebody's place to become free
_PREFIX = "unfold-serve-"  # of the folder of all visitors of a server


class FullError(Exception):
    """As many are here as there may be."""


@dataclass(eq=False)
class Visitor:
    folder: Path
    name: str
    serves: str = "files"  # the name of the served folder, for its copy to have
    present: int = 0  # pages open
    removal: asyncio.TimerHandle | None = None

    @property
    def files(self) -> Path:
        return self.folder / "files" / self.serves

    @property
    def settings(self) -> Path:
        return self.folder / "settings"

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"


class Visitors:
    """Those who are here, at most `limit` pages, and those who may come back, at most as many."""

    def __init__(self, served: Path, limit: int, kept: float = KEPT) -> None:
        self.limit = limit
        self._served = served
        self._kept = kept
        _sweep()
        self._root, self._lock = _new_root()
        self._known: dict[str, Visitor] = {}  # by name, the one who left longest ago first
        self._copying = asyncio.Lock()
        self._places = asyncio.Semaphore(limit)

    @contextlib.asynccontextmanager
    async def visit(self, name: str) -> AsyncIterator[Visitor]:
        """For as long as a page is open, its visitor.

        Raises FullError, and FolderError if the served folder can't be copied any more.
        """
        await self._place()
        try:
            async with self._copying:
                visitor = self._known.get(name) or await self._newcomer(name)
                visitor.present += 1
            if visitor.removal is not None:
                visitor.removal.cancel()
                visitor.removal = None
            try:
                yield visitor
            finally:
                self._left(visitor)
        finally:
            self._places.release()

    async def wait_for_room(self) -> None:
        """Until one more page can be opened; one that is closing is waited for. Raises FullError."""
        await self._place()
        self._places.release()

    def close(self) -> None:
        """Remove everybody's folder."""
        for visitor in self._known.values():
            if visitor.removal is not None:
                visitor.removal.cancel()
        self._known.clear()
        shutil.rmtree(self._root, ignore_errors=True)
        os.close(self._lock)

    async def _place(self) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._places.acquire()
        except TimeoutError:
            raise FullError(
                f"{self.limit} visitors are here, and there is no room for more. Try again later."
            ) from None

    async def _newcomer(self, name: str) -> Visitor:
        own = Path(tempfile.mkdtemp(dir=self._root))
        visitor = Visitor(own, name, self._served.name or "files")
        try:
            await asyncio.to_thread(folder.copy, self._served, visitor.files)
            visitor.settings.mkdir()
            visitor.temporary.mkdir()
        except BaseException:
            shutil.rmtree(visitor.folder, ignore_errors=True)
            raise
        self._known[name] = visitor
        return visitor

    def _left(self, visitor: Visitor) -> None:
        visitor.present -= 1
        if visitor.present or self._known.pop(visitor.name, None) is None:
            return
        self._known[visitor.name] = visitor
        loop = asyncio.get_running_loop()
        visitor.removal = loop.call_later(self._kept, self._forget, visitor)
        gone = [one for one in self._known.values() if not one.present]
        for one in gone[: max(0, len(gone) - self.limit)]:
            self._forget(one)

    def _forget(self, visitor: Visitor) -> None:
        if visitor.removal is not None:
            visitor.removal.cancel()
        self._known.pop(visitor.name, None)
        shutil.rmtree(visitor.folder, ignore_errors=True)


def _new_root() -> tuple[Path, int]:
    """A folder for the visitors of this server, and the handle that holds its lock."""
    while True:
        root = Path(tempfile.mkdtemp(prefix=_PREFIX))
        with contextlib.suppress(FileNotFoundError):
            handle = os.open(root, os.O_RDONLY)
            if lock(handle) and root.exists():
                return root, handle
            os.close(handle)  # a server that starts at this moment took it for one left behind


def _sweep() -> None:
    """Remove what servers have left behind that were killed."""
    for root in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(handle).st_uid == os.getuid() and lock(handle):
                    shutil.rmtree(root, ignore_errors=True)
            finally:
                os.close(handle)
