"""The registrations of a whole folder by their kernels' names, as a survey finds them.

The first question has the folder surveyed, which may take a minute for a framework's tree; what is
saved later is surveyed again by itself.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from visualizer.expansion import InputError
from visualizer.survey import survey
from visualizer.survey.recognise import Registered
from visualizer.survey.walk import SOURCES
from visualizer.workbench.background import in_background
from visualizer.workbench.flags import Flags

MOST = 200  # that are told at once


@dataclass(frozen=True, slots=True)
class KernelName:
    """A kernel, and a place that registers it, for some keys."""

    name: str
    keys: str
    path: str
    line: int


class Index:
    """Of the folders that an editor has open."""

    def __init__(self, flags: Flags) -> None:
        # As the command has it: whose macros are predefined seldom matters, and asking takes long.
        self._flags = replace(flags, cc="none") if flags.cc == "auto" else flags
        self._by_file: dict[str, list[Registered]] = {}
        self._roots: tuple[str, ...] = ()
        self._building: asyncio.Task[None] | None = None

    async def find(self, sought: str, roots: Sequence[str]) -> list[KernelName]:
        """Those whose names have these letters in this order, the shortest first."""
        if self._building is None or self._roots != tuple(roots):
            self._roots = tuple(roots)
            self._building = asyncio.get_running_loop().create_task(self._build(self._roots))
        await asyncio.shield(self._building)
        found = (one for one in self._each() if _has(one.name, sought))
        return sorted(found, key=lambda one: (len(one.name), one.name, one.path, one.line))[:MOST]

    async def changed(self, path: str) -> None:
        """A file was written, or has gone."""
        if self._building is None or not path.lower().endswith(SOURCES):
            return
        await asyncio.shield(self._building)
        if any(path.startswith(root + os.sep) for root in self._roots):
            self._by_file.pop(path, None)
            self._put(await in_background(partial(_surveyed, (path,), self._flags)))

    async def _build(self, roots: tuple[str, ...]) -> None:
        self._by_file = {}
        self._put(await in_background(partial(_surveyed, roots, self._flags)))
        await in_background(gc.collect)  # each file that was read in this process left some

    def _put(self, each: Iterable[Registered]) -> None:
        for one in each:
            self._by_file.setdefault(os.path.abspath(one.file), []).append(one)

    def _each(self) -> Iterator[KernelName]:
        for path, registered in self._by_file.items():
            together = defaultdict[tuple[str, int], list[str]](list)
            for one in registered:
                key = " ".join(filter(None, (one.backend, one.layout, one.dtype)))
                together[one.kernel, one.line].append(key)
            for (name, line), keys in together.items():
                told = keys[0] if len(keys) == 1 else f"{keys[0]} … {keys[-1]}"
                yield KernelName(name, told, path, line)


def _surveyed(roots: Sequence[str], flags: Flags) -> Sequence[Registered]:
    """What these register; nothing, where one has gone."""
    try:
        given = flags.options()
        return survey(
            [root for root in roots if os.path.exists(root)],
            lambda path: flags.options_for(path, given)[0],
        ).registrations
    except InputError:  # flags that can't be followed: said where a file is opened
        return ()


def _has(name: str, sought: str) -> bool:
    letters = iter(name.casefold())
    return all(letter in letters for letter in sought.casefold())
