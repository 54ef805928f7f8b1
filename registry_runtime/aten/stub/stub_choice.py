"""Which slot a stub took when it was called, for those who want to be told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StubChoice:
    """A stub was called: which slot it took (`AVX2`; a device's name where it has but one kernel),
    which function was there, and which slots are filled."""

    stub: str
    slot: str
    function: str
    filled: tuple[str, ...]


@contextmanager
def told_to(stories: list[list[StubChoice]], choices: list[StubChoice]) -> Iterator[None]:
    """Inside, every stub of a world that is called says so in `choices`; `stories` are the world's."""
    stories.append(choices)
    try:
        yield
    finally:
        stories[:] = [story for story in stories if story is not choices]
