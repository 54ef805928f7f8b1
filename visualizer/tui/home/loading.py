"""While a file is read: a thread works, says how far it is, and Esc calls it off.

Most files are there at once, so over another screen the frame shows only after a moment; keys that come
meanwhile are kept for what is opened. Python can't stop a thread: an expansion stops by itself where it
is called off, and what else is under way finishes, and doesn't keep the process from ending.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from visualizer.expansion.under_way import CalledOff, UnderWay, given
from visualizer.messages import N_, _
from visualizer.workbench.background import in_background

PATIENCE = 0.25  # seconds until the frame shows

Result = TypeVar("Result")


class LoadingScreen(ModalScreen["Result | Exception | None"]):
    """Ends with what `load` returns or raises, or None where the reader didn't want to wait. A thread
    calls it, unless it is under way already."""

    KEEPS_KEYS = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]

    def __init__(
        self,
        file: str,
        load: Callable[[], Result] | asyncio.Future[Result],
        along: str = N_(" and its headers"),
        does: str = N_("Reading"),
    ) -> None:
        """It says what it `does` with the file, and what goes `along`."""
        super().__init__()
        self._file, self._load, self._along, self._does = file, load, along, does
        self._under_way = UnderWay()

    def compose(self) -> ComposeResult:
        yield Static(id="loading")

    def on_mount(self) -> None:
        from visualizer.expansion.depth import make_room_to_nest

        make_room_to_nest()  # the screens that come next walk through what is read here
        self._seconds = 0
        if len(self.app.screen_stack) > 2:
            self.set_timer(PATIENCE, self._appear)
        else:  # nothing is seen beneath
            self._appear()
        self._wait()

    def action_cancel(self) -> None:
        self._under_way.wanted = False
        self.dismiss(None)

    def _appear(self) -> None:
        self.add_class("-shown")
        self._tell()
        self.set_interval(1, self._tell)

    def _tell(self) -> None:
        so_far = _(", {seconds} s so far").format(seconds=self._seconds) if self._seconds else ""
        self._seconds += 1
        here = self._under_way
        if here.file:
            so_far += _(", at {name}:{line:,}").format(name=Path(here.file).name, line=here.line)
        if here.steps:
            so_far += _(", {steps:,} steps").format(steps=here.steps)
        text = Content.assemble(
            _(self._does), " ", (self._file, "bold"), f"{_(self._along)}{so_far} …"
        )
        text += Content.styled(_("  Esc cancels"), "$quiet")
        self.query_one("#loading", Static).update(text)

    @work
    async def _wait(self) -> None:
        try:
            if isinstance(self._load, asyncio.Future):
                outcome: Result | Exception = await asyncio.shield(self._load)
            else:
                given.set(self._under_way)
                outcome = await in_background(self._load)
        except CalledOff:  # by the reader, who has left
            return
        except Exception as error:  # reported by whoever asked for the file
            outcome = error
        if self.is_attached:
            self.dismiss(outcome)


async def loaded(
    app: App[Any],
    file: str,
    load: Callable[[], Result],
    along: str = N_(" and its files"),
    does: str = N_("Reading"),
) -> Result | None:
    """What `load` returns, for a worker that waits for it: over the screen as it is, or in the frame
    where that takes longer than a moment. Raises what it raises. None: the reader didn't wait."""
    under_way = asyncio.ensure_future(in_background(load))
    await asyncio.wait([under_way], timeout=PATIENCE)
    if not under_way.done():
        await app.push_screen_wait(LoadingScreen(file, under_way, along, does))
    return under_way.result() if under_way.done() else None
