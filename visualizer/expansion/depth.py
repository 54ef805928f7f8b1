"""How deep arguments may be nested, and room for walking that deep.

A prescan inside a prescan is a call inside a call, here and wherever a trace is walked through. Python
stops at a thousand calls; a macro can nest some hundreds of invocations, at several calls each. Calls
of Python functions take no space on the C stack, so that the limit can be raised safely.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

DEPTH_LIMIT = 1_000  # prescans inside prescans
_CALLS_A_PRESCAN = 20  # from one prescan to the next inside it, with room to spare


@contextmanager
def room_to_nest() -> Iterator[None]:
    """Raises Python's recursion limit to what a trace at the depth limit needs."""
    limit = sys.getrecursionlimit()
    make_room_to_nest()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def make_room_to_nest() -> None:
    """The same for as long as the process lives."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEPTH_LIMIT * _CALLS_A_PRESCAN + 1_000))
