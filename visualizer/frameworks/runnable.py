"""What of an entry can be filled in, run and measured: said by its framework, shown by one screen.

What the reader has filled in makes a `Form`, and every change makes another. A form has all that the
screen needs: the rows, what follows from them before anything runs, and what each key does to exactly
this. So a framework says nothing but what stands there, and the screen knows no framework.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from registry_runtime.lab.values import DTYPES
from visualizer.frameworks.presenter import Choice, Tell
from visualizer.frameworks.story import Story
from visualizer.layout.rows import QUIET, STRONG, labelled, refused
from visualizer.layout.words import Parts, prose
from visualizer.messages import _

if TYPE_CHECKING:
    from registry_runtime.benchmark.operator_case import OperatorCase
    from registry_runtime.benchmark.run import Progress
    from registry_runtime.benchmark.sweep import Case
    from registry_runtime.phi.runtime import Runtime

Cancelled: TypeAlias = Callable[[], bool]

_DTYPE = ".dtype"  # behind a tensor's name, which has no point in it


@dataclass(frozen=True, slots=True)
class Filled:
    """What the reader chose and typed, by the names of the rows; the others say what the form does."""

    chosen: Mapping[str, str] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Blank:
    """A text to fill in: its label, what stands there until somebody types, and what kind it is."""

    title: str
    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class CodeTab:
    """A tab of machine code or source: its language, the text, and a word about it."""

    language: str
    text: str
    told: str = ""


Tab: TypeAlias = Tell | CodeTab | Story


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it: tabs by their titles, the one to open, and a line to say. After a refusal, what
    was done before is no longer shown."""

    tabs: Mapping[str, Tab]
    opened: str
    said: str = ""
    is_refusal: bool = False


@dataclass(frozen=True, slots=True)
class Doing:
    """What a key does, in a thread: what is said meanwhile, what is told of it before, and the work.
    It may raise KernelError, and `Cancelled` once nobody waits for it any more. For two its user's word
    is needed: `own_code`, it runs code of the file that is open; `python`, it runs this file, and is
    handed the text that the word was given for behind `cancelled`."""

    said: str
    told: str
    work: Callable[..., Done]
    own_code: bool = False
    python: Path | None = None


@dataclass(frozen=True, slots=True)
class Measurable:
    """What the benchmark measures: its name, on what, and the measuring, row by row."""

    name: str
    told: str
    measure: Callable[[Cancelled], Iterator[Progress]]


@dataclass(frozen=True, slots=True)
class Form:
    """What there is to fill in, and all that follows from how it is filled in.

    name, key: what is to be run. What was shown of another one is forgotten.
    choices, blanks: the rows, above and below; another first choice brings blanks of its own.
    facts: what there is to know before anything is run, in the tab `result`; `tabs` are the others.
    does: by key, `u`, `r`, `m`, `c` or `p`; `measurable` goes to the benchmark.
    told: what is known already of what comes out; `problem`, why it can't be run.
    """

    name: str
    key: str
    choices: Mapping[str, Choice]
    facts: Tell
    blanks: Mapping[str, Blank | Choice] = field(default_factory=dict)
    does: Mapping[str, Doing] = field(default_factory=dict)
    measurable: Measurable | None = None
    told: Sequence[Parts] = ()
    problem: str = ""
    result: str = "Result"
    tabs: Mapping[str, Tab] = field(default_factory=dict)

    def introduction(self, width: int) -> list[Parts]:
        """The facts, and what each key does; or why there is nothing to do."""
        if not self.does:
            return [*self.facts(width), [], *refused(self.problem, width)]
        keys = [(key, doing.told) for key, doing in self.does.items()]
        if self.measurable is not None:
            keys.append(("b", _("sends exactly this to the benchmark")))
        rows = [*self.facts(width), []]
        for key, told in keys:
            rows += labelled(key, told, width)
        return rows


@dataclass(frozen=True, slots=True)
class Runnable:
    """An entry that can be run: what is filled in at first, and the form of whatever is filled in."""

    first: Filled
    form: Callable[[Filled], Form]


def offered(title: str, words: Sequence[str], chosen: str | None) -> Choice:
    """These words, with the one that was chosen; the first, if none of them was."""
    return Choice(title, words, chosen if chosen is not None and chosen in words else words[0])


def dtype_row(tensor: str, typed: Mapping[str, str], first: str = DTYPES[0]) -> dict[str, Choice]:
    """The row below a tensor's, in which its data type is chosen."""
    row = tensor + _DTYPE
    return {row: offered("dtype", DTYPES, typed.get(row, first))}


def texts(rows: Mapping[str, Blank | Choice], typed: Mapping[str, str]) -> dict[str, str]:
    """What stands in the blanks, typed or not."""
    blanks = ((row, one) for row, one in rows.items() if isinstance(one, Blank))
    return {row: typed.get(row, one.text) for row, one in blanks}


def dtypes(rows: Mapping[str, Blank | Choice]) -> dict[str, str]:
    """The data type of each tensor that has such a row."""
    chosen = ((row, one.value) for row, one in rows.items() if isinstance(one, Choice))
    return {row.removesuffix(_DTYPE): dtype for row, dtype in chosen}


def refusal(title: str, text: str, more: Mapping[str, Tab] | None = None) -> Done:
    """An error: the first line of it is said, all of it stands in the tab of that title."""
    tabs = {title: partial(refused, text), **(more or {})}
    return Done(tabs, title, f"✗ {text.partition(chr(10))[0]}", is_refusal=True)


def named(name: str, told: str, width: int) -> list[Parts]:
    """What is to be run, and a sentence about it."""
    return [[(name, STRONG)], *prose(told, width, QUIET)]


def measured(
    cases: Callable[[], Sequence[Case | OperatorCase]],
    runtime: Runtime | None,
    cancelled: Cancelled,
) -> Iterator[Progress]:
    """A benchmark on all cores, row by row. Raises BenchmarkError or KernelError where the cases can't
    be run."""
    from registry_runtime.benchmark import threads
    from registry_runtime.benchmark.run import Request, run

    yield from run(Request(cases(), thread_count=threads.cores(), runtime=runtime), cancelled)
