"""What every framework has to tell of its entries, and who tells it.

A framework is a folder here whose module `presenter` has the functions of `Presenter`. A registration
names its framework, and nobody else asks which one it is: a new framework is a new folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from visualizer.layout.words import Parts
from visualizer.messages import N_, _, ngettext

if TYPE_CHECKING:
    from registry_runtime.program import Program, Registration
    from visualizer.frameworks.runnable import Measurable, Runnable
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown

Tell = Callable[[int], list[Parts]]  # a width to rows


class Table(NamedTuple):
    """A table of the listing; the one of the lowest number comes first."""

    number: int
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Words to choose from: a title, the words, the one to begin with, and notes before them."""

    title: str
    words: Sequence[str]
    value: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """All there is to tell of one entry. `answer` takes what was chosen, and gives a title and rows;
    without `choices` it says why nothing is asked. `load` loads or unloads what the entry waits for."""

    name: str
    key: str
    told: Tell
    answer: Callable[[Mapping[str, str]], tuple[str, Tell]]
    choices: Mapping[str, Choice] = field(default_factory=dict)
    load: Callable[[], None] | None = None


class Presenter(Protocol):
    """The functions of a framework's module `presenter`; each takes that framework's own entries."""

    def label(self, registration: Any) -> str:
        """The entry's row below its kernel's name."""

    def function(self, registration: Any) -> str:
        """What computes, without the namespaces in which the framework's own things stand."""

    def is_declared_only(self, registration: Any) -> bool:
        """Whether it names a kernel that nobody wrote in Python."""

    def arguments(self, registration: Any) -> object:
        """What describes the kernel's arguments, if an edit can change it and leave the function."""

    def became(self, made: Sequence[Any]) -> str:
        """The sentence about what an expansion has put into the registry."""

    def dry_run(self, registration: Any, program: Program) -> Tried:
        """What a dry run of the entry says; it may take a few hundredths of a second."""

    def detail(
        self, bench: Workbench, shown: Shown, registration: Any, width: int, tried: Tried | None
    ) -> list[Parts]:
        """The entry in a few rows, for the pane below the registry; None where it isn't tried yet."""

    def about(self, bench: Workbench, entry: Entry, registration: Any) -> Subject:
        """All about the entry, and which calls find it."""

    def to_run(
        self, bench: Workbench, entry: Entry, registration: Any, size: int
    ) -> Runnable | None:
        """What can be filled in and run, tensors of `size` elements at first; None for what can't."""

    def to_measure(self, bench: Workbench, entry: Entry, registration: Any) -> Measurable | None:
        """What the benchmark measures; None where running it says all."""

    def row(
        self,
        entry: Entry,
        registration: Any,
        instead_of: Entry | None,
        program: Program,
        tried: Tried,
    ) -> tuple[Table, tuple[str, ...]]:
        """The table that the entry stands in, and its cells; it replaced `instead_of`, and that came of
        its dry run."""

    def record(
        self,
        entry: Entry,
        registration: Any,
        instead_of: Entry | None,
        program: Program,
        tried: Tried,
    ) -> dict[str, Any]:
        """What JSON says of the entry."""


def presenter_of(registration: Registration) -> Presenter:
    """Who tells of such an entry."""
    return _presenter(registration.framework)


@lru_cache
def _presenter(framework: str) -> Presenter:
    return cast(Presenter, import_module(f"visualizer.frameworks.{framework}.presenter"))


def in_the_registry(made: Sequence[Registration], one: str, more: str, runs: bool) -> str:
    """`6 kernels are in the registry because of it; r runs the one that is selected.`"""
    count = len(made)
    if runs:
        said = ngettext(
            "{count} {kind} is in the registry because of it; r runs the one that is selected.",
            "{count} {kind} are in the registry because of it; r runs the one that is selected.",
            count,
        )
    else:
        said = ngettext(
            "{count} {kind} is in the registry because of it.",
            "{count} {kind} are in the registry because of it.",
            count,
        )
    return said.format(count=count, kind=_(one if count == 1 else more))


_KINDS = N_("kernel"), N_("kernels"), N_("entry"), N_("entries"), N_("operator"), N_("operators")
