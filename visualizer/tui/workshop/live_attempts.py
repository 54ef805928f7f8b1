"""The texts of a session traced as they are typed, and kept on disk.

Each is done a moment after the last key, by a thread. The two don't wait for each other: however long
a text takes to trace, the draft of it is written. What stands under the cursor waits for neither: it is
traced ahead of the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from visualizer.messages import _
from visualizer.tui.workshop.settling import Settling
from visualizer.workbench.background import in_background
from visualizer.workbench.bench import Workbench
from visualizer.workshop.ahead import ahead
from visualizer.workshop.attempt import Attempt, attempt
from visualizer.workshop.session import Session

PAUSE = 0.12  # seconds after the last key until the text is traced
KEPT_AFTER = 0.3  # and until it is kept on disk


class LiveAttempts:
    """`base` is the attempt at the files as they are on disk, `tried` that at the texts as they are
    here, or were a moment ago; `early` is one at the line of the cursor alone, of a later text than
    that. `start` runs a coroutine, `report` is told when there is a new one, `glance` when that is but
    an early one, and `warn` when a draft can't be written; `line` says where the cursor stands in the
    source."""

    def __init__(
        self,
        session: Session,
        start: Callable[[Coroutine[None, None, None]], Any],
        report: Callable[[], None],
        glance: Callable[[], None],
        warn: Callable[[str], None],
        line: Callable[[], int | None],
    ) -> None:
        self.base: Attempt | None = None
        self.tried: Attempt | None = None
        self.early: Attempt | None = None
        self._session = session
        self._report = report
        self._glance = glance
        self._warn = warn
        self._line = line
        self._disk_changed = True
        self._in_progress = False
        self._tracing = Settling(start, self._trace, PAUSE)
        self._looking = Settling(start, self._look_ahead, 0)
        self.keeping = Settling(start, self._keep, KEPT_AFTER)

    @property
    def bench(self) -> Workbench | None:
        return self.tried.bench if self.tried is not None else None

    @property
    def behind(self) -> bool:
        """Whether `tried` is of a text that is no longer the latest."""
        return self._in_progress or self._tracing.waiting

    def ask(self, disk_changed: bool = False) -> None:
        """The texts have changed, or the files that they are compared with."""
        self._disk_changed |= disk_changed
        self._looking.ask()
        self._tracing.ask()
        self.keeping.ask()

    async def settled(self) -> Attempt:
        """The attempt at the texts as they are now."""
        await self._tracing.done()
        assert self.tried is not None
        return self.tried

    async def _trace(self) -> None:
        self._in_progress = True
        source, options = self._session.named, self._session.options
        texts, base = self._session.unsaved(), self.base
        if base is None or self._disk_changed:
            self._disk_changed = False
            base = await in_background(partial(attempt, source, options, {}))
        tried = base
        if texts:
            tried = await in_background(partial(attempt, source, options, texts))
        self.base, self.tried = base, tried
        self.early = self.early if self._tracing.waiting else None
        self._in_progress = False
        self._report()

    async def _look_ahead(self) -> None:
        tried, line, source = self.tried, self._line(), self._session.source
        if tried is None or line is None or self._disk_changed:
            return
        texts = {**self._session.unsaved(), source: self._session.files[source].text}
        found = await in_background(partial(ahead, tried, texts, line))
        if self.tried is tried:
            self.early = found
            self._glance()

    async def _keep(self) -> None:
        try:
            for file in list(self._session.files.values()):
                await asyncio.to_thread(file.keep)
        except OSError as error:
            self._warn(_("Unsaved work can't be kept on disk: {error}").format(error=error))
