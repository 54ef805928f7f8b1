"""What is remembered of an expansion: the trace.

A trace is data, and knows no window. Each expansion starts from the tokens of one invocation in the
source, and every step is one *splice*: at position `at`, take `remove` tokens out, put `insert` in.
Applying the splices in order gives the expanded tokens. Nothing else is stored, so that a trace costs
memory proportional to what was spliced, not to the number of steps times the length of the line.

Even that is much for a long file, whose reader looks at a few of its invocations. The same tokens come
to the same by the same macros, always. So behind the first of a file an invocation's steps may be
*postponed*: its tokens and the macros that it met are kept, and it is expanded once more, recorded,
when somebody asks for a step or where a token comes from.

An argument whose parameter stands free of `#` and `##` is completely expanded before it is put in
(C23 §6.10.5.2). That *prescan* is a sequence of its own, with steps of its own, inside the step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Literal, TypeAlias, overload
from weakref import ref

from visualizer.expansion.definitions import Definition
from visualizer.expansion.diagnostics import Diagnostic
from visualizer.expansion.tokens import Origin, Source, Token, spell

# The `#include`s that lead to a text, the main file's first; to the main file itself, none. No two
# texts have the same: an `#include` is done once in each reading of the file that it stands in.
Through: TypeAlias = tuple[Source, ...]

# function, object: a macro replaced. builtin: `__LINE__` and its like. painted: a name met inside its
# own replacement, from now on no macro. refused: an invocation with the wrong number of arguments.
# stopped: an invocation in whose arguments a limit was reached. In a condition: answered, `defined X`
# and its like; unknown, a name that is left, and counts as 0; computed, an operator applied.
StepKind = Literal[
    "function",
    "object",
    "builtin",
    "painted",
    "refused",
    "stopped",
    "answered",
    "unknown",
    "computed",
]

OperationKind = Literal[
    "substitute", "stringize", "paste", "placemarker", "va_opt", "comma", "compute"
]


@dataclass(slots=True, eq=False)
class Operation:
    """One thing done while a replacement list is filled in, in the order in which it was done.

    `index` is the place in the replacement list, `operands` what went in (spellings), `result` the
    tokens that came out: of a paste that makes no valid token, both operands. A condition is no
    replacement list: there, `compute` is all that is done.
    """

    kind: OperationKind
    index: int
    parameter: str | None
    operands: tuple[str, ...]
    result: tuple[Token, ...]

    def pastes(self) -> bool:
        """Whether it is a paste that makes one token."""
        return self.kind == "paste" and len(self.result) == 1

    def fails(self) -> bool:
        """Whether it is a paste that makes none."""
        return self.kind == "paste" and len(self.result) != 1


@dataclass(slots=True, eq=False)
class Prescan:
    """The complete expansion of one argument, as if it were all of the rest of the file.

    `left` are names of function-like macros that were left alone, as no parenthesis followed them;
    `space` is what vanished at its end leaves (`spacing`).
    """

    steps: list[Step]
    after: list[Token]
    left: Sequence[Token] = ()
    space: int | None = None


@dataclass(slots=True, eq=False)
class Argument:
    """What a parameter is bound to. `start` counts tokens from the macro's name to `raw`.

    `omitted` says that no variable argument was given, not even an empty one behind a comma.
    """

    parameter: str
    raw: list[Token]
    start: int
    prescan: Prescan | None = None
    omitted: bool = False

    def changed(self) -> bool:
        """Whether the prescan made other text of it."""
        prescan = self.prescan
        return (
            prescan is not None and bool(prescan.steps) and spell(prescan.after) != spell(self.raw)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A macro whose replacement is being rescanned, and the one around it."""

    macro: str
    outer: Frame | None

    def names(self) -> list[str]:
        """Outermost first."""
        names = []
        frame: Frame | None = self
        while frame is not None:
            names.append(frame.macro)
            frame = frame.outer
        return names[::-1]


@dataclass(slots=True, eq=False)
class Step:
    """One thing happening to the line, with all that was needed for it."""

    kind: StepKind
    name: Token
    definition: Definition | None
    at: int
    remove: int
    insert: list[Token]
    arguments: tuple[Argument, ...] = ()
    operations: tuple[Operation, ...] = ()
    inside: Frame | None = None

    @property
    def macro(self) -> str:
        return self.name.text


_ONE_AT_A_TIME = RLock()  # that the same invocation has the same tokens in all threads


class Postponed(Sequence[Step]):
    """Steps of the invocation of `name`, at least one, recorded when somebody asks. They are kept as
    long as somebody has them, or they are among the `recent` ones. `macros` are those that it met.
    Invocations that take the same steps, by the same macros, have the same in `alike`; then the token
    at a place may have a `twin` of the same origin that takes no recording."""

    __slots__ = ("_again", "_last", "_recent", "_twin", "alike", "macros", "name")

    def __init__(
        self,
        name: Token,
        macros: Mapping[str, Definition],
        again: Callable[[], Expansion],
        recent: deque[Expansion],
        alike: object = None,
        twin: Callable[[int], Token] | None = None,
    ) -> None:
        self.name, self.macros, self.alike, self._twin = name, macros, alike, twin
        self._again, self._recent = again, recent
        self._last: Callable[[], Expansion | None] = lambda: None

    def expansion(self) -> Expansion:
        """The same invocation with its steps."""
        known = self._last()
        if known is None:
            with _ONE_AT_A_TIME:
                known = self._last() or self._again()
                self._last = ref(known)
                self._recent.append(known)
        return known

    def origin_of(self, place: int) -> Origin:
        """Where the token comes from that stands at this place behind the steps."""
        if self._twin is not None and self._last() is None:
            return self._twin(place).origin
        return self.expansion().after[place].origin

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self.expansion().steps)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | Sequence[Step]:
        return self.expansion().steps[index]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.expansion().steps)


@dataclass(slots=True, eq=False, weakref_slot=True)
class Expansion:
    """All that became of one invocation in the source, down to tokens that no macro changes.

    `before` are the source tokens that were used up: more than the invocation's own where a name at
    the end of the replacement found its parenthesis behind it. Of a `directive`, it is the line, from
    `#` on, and what becomes of it is no part of the output.
    """

    before: list[Token]
    steps: Sequence[Step]
    after: list[Token]
    at: int = 0  # where `after` begins in the translation unit's output
    left: Sequence[Token] = ()  # as in a Prescan
    directive: str = ""  # `if`, `include`
    counted: int = 0  # how often `__COUNTER__` was asked before

    @property
    def macro(self) -> str:
        """What is invoked: a macro, or the directive with its `#`."""
        return f"#{self.directive}" if self.directive else self.before[0].text

    def recorded(self) -> Expansion:
        """This one, with steps that lead to the very tokens `after` them."""
        if not isinstance(self.steps, Postponed):
            return self
        found = self.steps.expansion()
        found.at, found.counted = self.at, self.counted
        return found

    def macros(self) -> Collection[str]:
        """The names of those that its steps replace; or, where these are postponed, of all it met."""
        if isinstance(self.steps, Postponed):
            return self.steps.macros
        return {step.macro for step in self.steps}

    @property
    def where(self) -> Source:
        origin = self.before[0].origin
        assert isinstance(origin, Source)
        return origin

    def stands_on(self, line: int) -> bool:
        """Whether its invocation stands on this source line, wholly or in part."""
        return self.where.line <= line <= self.last_line()

    def last_line(self) -> int:
        """The source line of the last token that was used up."""
        origins, file = (t.origin for t in self.before), self.where.file
        return max(at.line for at in origins if isinstance(at, Source) and at.file == file)


@dataclass(frozen=True, slots=True)
class Branch:
    """A conditional directive: whether the lines after it count, and why.

    `parts` are the subexpressions of an `#if` or `#elif` with their values, the whole first; None
    stands for what was not evaluated. `definition` is that of the macro which an `#ifdef` or its like
    asks for, where it is one. `asked` is False where an earlier group was taken already, or
    the directive itself is skipped.
    """

    where: Source
    directive: str
    depth: int
    counts: bool  # whether the lines after it are taken
    asked: bool
    parts: tuple[tuple[str, int | None], ...] = ()
    definition: Definition | None = None


@dataclass(slots=True)
class IncludedFile:
    """A file that was entered, by which `#include`s, and how long it took with all that it includes.

    `branches` are its conditional directives, and `skipped` its lines in groups that are not taken:
    of the main file, and of the others where directives are explained.
    """

    file: str
    through: Through
    seconds: float = 0.0
    branches: list[Branch] = field(default_factory=list)
    skipped: list[range] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return len(self.through)


@dataclass(slots=True, eq=False)
class Trace:
    """A file, preprocessed: its tokens after phase 4, and how its own invocations became them. One that
    is included is read in a *pass* for each chain of `#include`s that leads to it: this is the one that
    they lead `through`, and `output` is the main file's with this text in it."""

    file: str
    output: list[Token]
    expansions: list[Expansion]
    diagnostics: list[Diagnostic]
    definitions: dict[str, Definition]  # the macros at the end of the file
    included: list[str] = field(default_factory=list)  # paths, in the order of their first reading
    branches: list[Branch] = field(default_factory=list)
    directives: list[Expansion] = field(default_factory=list)  # of its own, those with a step
    skipped: list[range] = field(default_factory=list)  # its own lines that no group taken has
    entered: list[IncludedFile] = field(default_factory=list)  # a tree, in order; empty if cached
    includes: list[IncludedFile] = field(default_factory=list)  # by this text itself, in order
    spelled: dict[str, str] = field(default_factory=dict)  # of a file's name, `__FILE__` in it
    ascii_names: bool = (
        False  # whether the compiler prints names in ASCII, as gcc: `caf\\U000000e9`
    )
    # Names that invocations might have come to which were not expanded, as nobody asked for them.
    passed_over: frozenset[str] = frozenset()
    through: Through = ()
    passes: Sequence[Through] = ((),)
    end: int | None = None  # where in `output` this text has been read, if more comes behind it

    @property
    def nth(self) -> int:
        """Which of the passes this is, from 1."""
        return self.passes.index(self.through) + 1

    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)


def replay(before: Sequence[Token], steps: Sequence[Step]) -> list[Token]:
    """The tokens after these steps: the first invariant, in code."""
    now = list(before)
    for step in steps:
        now[step.at : step.at + step.remove] = step.insert
    return now


def every(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps in the order in which they happen, prescans before what they are done for."""
    waiting: list[Step | Prescan] = list(reversed(steps))
    opened: set[int] = set()
    while waiting:
        one = waiting[-1]
        if isinstance(one, Prescan):
            waiting.pop()
            waiting += reversed(one.steps)
        elif id(one) in opened:
            waiting.pop()
            yield one
        else:
            opened.add(id(one))
            waiting += [a.prescan for a in reversed(one.arguments) if a.prescan is not None]
