"""A line for a path, which completes itself: Tab takes as much as is certain, → takes the guess."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.suggester import Suggester
from textual.widgets import Input

from visualizer.expansion.readable import may_read
from visualizer.messages import _

_SHOWN = 2_000  # entries of a folder that are looked at
_LONGEST = 4_096  # letters of a path; what is pasted by mistake may be megabytes


def completions(text: str) -> list[str]:
    """What a typed path may become, folders with a slash behind; hidden files only if asked for."""
    folder, name = os.path.split(text)
    try:
        with os.scandir(expanded(folder) or ".") as entries:
            found = [e for _, e in zip(range(_SHOWN), entries, strict=False)]
    except (OSError, ValueError):
        return []
    return sorted(
        os.path.join(folder, entry.name) + "/" * os.path.isdir(entry.path)
        for entry in found
        if entry.name.startswith(name) and (name or not entry.name.startswith("."))
        if may_read(entry.path)
    )


def agreed(texts: Sequence[str]) -> str:
    """What all of these begin with, letter by letter."""
    first, last = min(texts, default=""), max(texts, default="")
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(letter for letter, _ in same)


class _Guess(Suggester):
    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        return next(iter(completions(value)), None) if value else None


class PathInput(Input):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", "complete", tooltip="Complete the path"),
    ]

    def __init__(self, form: str = "path/to/file", *, id: str | None = None) -> None:
        """`form` is what stands there while nothing is typed."""
        super().__init__(placeholder=form, suggester=_Guess(), max_length=_LONGEST, id=id)

    def propose(self, path: Path) -> None:
        """A name that is there to be changed, not to be replaced."""
        self.select_on_focus = False
        self.value = str(path)
        self.cursor_position = len(self.value)

    def action_complete(self) -> None:
        """Go on as far as all completions agree; where they don't, on to the next field."""
        certain = agreed(completions(self.value)) if self.value else ""
        if len(certain) > len(self.value):
            self.value = certain
            self.cursor_position = len(certain)
        else:
            self.screen.focus_next()


def expanded(typed: str) -> str:
    """With somebody's home for a `~`; as it is where nobody can be called so."""
    try:
        return os.path.expanduser(typed)
    except ValueError:  # a null, half a character
        return typed


def place(typed: str) -> Path:
    """The place that a typed path names. ValueError says why it names none."""
    try:
        return Path(typed).expanduser().absolute()
    except (OSError, RuntimeError, ValueError) as error:  # no such user; the folder is gone; a null
        raise ValueError(
            _("{typed} names no place: {error}.").format(typed=typed, error=error)
        ) from error


def folder_of(text: str, otherwise: Path) -> Path:
    """The folder that a typed path lies in, as far as there is one."""
    folder = expanded(os.path.split(text)[0] or str(otherwise))
    return Path(folder) if may_read(folder) and os.path.isdir(folder) else otherwise
