"""Where Python runs in the place of a C++ body, and whether that body is the one it was written for.

A kernel of Unfold's is found by its C++ name, and was compared with what the sample of that name does.
A text may have another body under the name; then what runs is still Unfold's kernel, and a check of it
says nothing about the text. So each entry says which of the two it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from registry_runtime.cxx import CxxClass, CxxFunction, body_spans
from visualizer.expansion import Token
from visualizer.expansion.tokens import Computed, Passed, Source, standing_at
from visualizer.expansion.wording import listed
from visualizer.workbench.expanded_text import ExpandedText
from visualizer.workbench.samples import sample_files, samples_folder

if TYPE_CHECKING:
    from visualizer.workbench.entries import Entry

Stood: TypeAlias = CxxFunction | CxxClass
Written: TypeAlias = tuple[str, ...]


class Body(StrEnum):
    """How the text's body relates to the one that runs."""

    NONE = "no body here"
    EMPTY = "an empty body"
    SAMPLES = "same body as the sample's"
    ANOTHER = "another body"
    BROUGHT = "a kernel of one's own"


@dataclass(frozen=True, slots=True)
class StandIn:
    """Python runs in the place of the C++ function or class `name`; `where` its body stands. A kernel
    of one's own stands in `file`, an installed package's in `package`."""

    name: str
    body: Body
    where: Source | None = None
    file: Path | None = None
    package: str = ""

    @property
    def is_another(self) -> bool:
        """Whether what the text says isn't what runs, as far as anybody has compared."""
        return self.body is Body.ANOTHER

    @property
    def cell(self) -> str:
        """What a table says in its column `runs`."""
        if self.file is not None:
            return f"in {self.file.name}"
        if self.package:
            return f"in {self.package}"
        return "in Python, another body" if self.is_another else "in Python"

    @property
    def told(self) -> str:
        """A sentence for a reader."""
        if self.file is not None:
            return f"{self.file.name} stands in for the body of {self.name} in C++"
        if self.package:
            return f"{self.package}, installed here, stands in for the body of {self.name} in C++"
        if self.is_another and self.where is not None:
            place = f"{self.name} at {self.where.file}:{self.where.line}"
            said = f"not the body that Unfold's kernel was compared with ({place})"
            return f"{said}: what runs, and is checked, is Unfold's kernel by that name"
        if self.body is Body.NONE:
            return f"Python stands in for the body of {self.name}, which isn't in this text"
        if self.body is Body.EMPTY:
            return f"Python stands in for the body of {self.name}, which is empty"
        return f"Unfold's {self.name} in Python, compared with the body in C++"


def told_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    """What their stand-ins say, each thing once."""
    return tuple(dict.fromkeys(told for entry in entries for told in _told(entry)))


def _told(entry: Entry) -> Iterator[str]:
    if entry.stand_in is not None:
        yield entry.stand_in.told
    if names := entry.registration.linked:
        yield f"Python stands in for {listed(names)}, which the text's body calls and only declares"


def stand_in(
    of: Stood, expanded: ExpandedText, in_sample: Callable[[Path], Mapping[str, Written]] | None
) -> StandIn:
    """How the body of `of` in this text relates to the samples'. `in_sample` opens one, and gives its
    bodies by name; None where the text is a sample's itself."""
    spans = body_spans(of)
    if isinstance(of, CxxFunction):
        file, package = _brought(of.name)
        if file is not None or package:
            return StandIn(of.name, Body.BROUGHT, None, file, package)
    if not spans:
        return StandIn(of.name, Body.NONE)
    ours = written(of, expanded)
    where = standing_at(expanded.place_of(spans[0])[1])
    if ours == ("{", "}"):
        return StandIn(of.name, Body.EMPTY, where)
    theirs = (in_sample(file).get(of.name) for file in _naming(of.name)) if in_sample else [ours]
    body = Body.SAMPLES if ours in theirs else Body.ANOTHER
    return StandIn(of.name, body, where)


def _brought(name: str) -> tuple[Path | None, str]:
    """The file of the user's own kernel that runs under this name, in a process that has brought it;
    or the package that has it, where it is installed."""
    from registry_runtime import kernels  # many a text has no kernel

    return kernels.brought.file_of(name), kernels.package_of(name)


def is_sample(path: Path) -> bool:
    """Whether a file is one of the samples."""
    return path.absolute().is_relative_to(samples_folder())


def _naming(name: str) -> Iterator[Path]:
    """The samples in which the last word of the name stands: all that can register it."""
    word = re.compile(rf"\b{re.escape(name.rpartition('::')[2])}\b")
    return (file for file, text in _texts().items() if word.search(text) is not None)


@cache
def _texts() -> dict[Path, str]:
    return {file: file.read_text(encoding="utf-8") for file in sample_files()}


def written(of: Stood, expanded: ExpandedText) -> Written:
    """The body and what it names, as tokens: white space and comments make no difference, nor does
    the line on which `__LINE__` stands."""
    return tuple(_spelled(t) for span in body_spans(of) for t in expanded.covering(span))


def _spelled(token: Token) -> str:
    origin = token.origin
    while isinstance(origin, Passed):
        origin = origin.token.origin
    return origin.by.text if isinstance(origin, Computed) else token.text
