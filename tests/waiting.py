"""How tests wait: for a state, and never for a time, which a busy machine makes too short.

What never comes ends a test as well, but late: a hundred times as long as it takes where it is quiet
costs nothing, but where the test fails anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 120.0  # seconds


async def until(holds: Callable[[], object]) -> None:
    """Wait until this holds, while the loop that it is asked in goes on."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)
