"""Work that may take long, in a thread that nobody waits for at the end.

Python waits for the threads of its pools before it ends a process. An expansion that runs to its limit
would hold up the reader's `quit` for seconds; a daemon thread is simply dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

from visualizer.expansion import memory

_T = TypeVar("_T")


async def in_background(work: Callable[[], _T]) -> _T:
    """What `work` gives or raises. Whoever stops waiting for it leaves it running."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[_T] = loop.create_future()

    def finish(result: _T | None, error: BaseException | None) -> None:
        if outcome.done():
            return
        if error is not None:
            outcome.set_exception(error)
        else:
            outcome.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            with memory.together():
                result = work()
        except BaseException as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop has ended in the meantime
            loop.call_soon_threadsafe(finish, result, error)

    # A widget that is made there has to know its app.
    threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return await outcome
