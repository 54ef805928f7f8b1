"""While a file is read: a thread works, and Esc stops waiting for it.

Most files are there at once, so over another screen the frame shows only after a moment. Python can't
stop a thread: one that nobody waits for any more finishes on its own, and doesn't keep the process
from ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import ClassVar, TypeVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

PATIENCE = 0.25  # seconds until the frame shows

Result = TypeVar("Result")


class LoadingScreen(ModalScreen["Result | Exception | None"]):
    """Ends with what `load` returns or raises, or None where the reader didn't want to wait."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]

    def __init__(self, file: str, load: Callable[[], Result], along: str = "its headers") -> None:
        """`along` is what is read with the file."""
        super().__init__()
        self._file, self._load, self._along = file, load, along

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
        self.dismiss(None)

    def _appear(self) -> None:
        self.add_class("-shown")
        self._tell()
        self.set_interval(1, self._tell)

    def _tell(self) -> None:
        so_far = f", {self._seconds} s so far" if self._seconds else ""
        self._seconds += 1
        text = Content.assemble("Reading ", (self._file, "bold"), f" and {self._along}{so_far} …")
        text += Content.styled("  Esc cancels", "$quiet")
        self.query_one("#loading", Static).update(text)

    @work
    async def _wait(self) -> None:
        try:
            outcome: Result | Exception = await in_thread(self._load)
        except Exception as error:  # reported by whoever asked for the file
            outcome = error
        if self.is_attached:
            self.dismiss(outcome)


def in_thread(function: Callable[[], Result]) -> asyncio.Future[Result]:
    """Call a function in a thread of its own that may outlive the event loop."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = function()
        except Exception as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the app has ended meanwhile
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name="load", daemon=True).start()
    return future
