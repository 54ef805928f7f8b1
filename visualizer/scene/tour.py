"""One invocation, from its source line to what the compiler reads: what every document tells of it.

A tour has *stops*, the moments that a view leaves of a timeline. Stop k leads from state k to state
k + 1. It is called by the number of the moment in the whole timeline, so that a reader finds the same
step in a document, in the terminal and on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from visualizer.expansion.diagnostics import Diagnostic
from visualizer.expansion.hiding import Merged
from visualizer.expansion.hints import hints
from visualizer.expansion.moments import Timeline
from visualizer.expansion.passes import told
from visualizer.expansion.predefined import is_cxx
from visualizer.expansion.tokens import Token
from visualizer.expansion.trace import Expansion, Trace
from visualizer.expansion.views import FINE, View, view
from visualizer.expansion.wording import counted
from visualizer.messages import _, ngettext

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


@dataclass(frozen=True, slots=True)
class Made:
    """A registry entry that the expansion makes. Its declaration is there in part from state `begun`
    on, and whole from state `complete` on."""

    name: str
    key: str
    function: str
    begun: int
    complete: int


@dataclass(frozen=True, eq=False)
class Tour:
    """Build it with `tour`. `tail` are the tokens behind the invocation that complete what it began,
    `{}` or a block, and `written_tail` the same as they stand in the source. `wrong` is what was found
    wrong in its arguments, or in what it became. `language` is the name that Markdown has for the
    text's."""

    trace: Trace
    expansion: Expansion
    view: View
    tail: Sequence[Token]
    made: Sequence[Made]
    written_tail: Sequence[Token] = ()
    wrong: Sequence[Diagnostic] = ()
    language: str = "cpp"

    @property
    def timeline(self) -> Timeline:
        return self.view.timeline

    @property
    def place(self) -> str:
        """`kernel.cc:72`, and of a text that is included where that is done."""
        file, line, _ = self.expansion.where
        return ", ".join(filter(None, [f"{file}:{line}", told(self.trace)]))

    @property
    def outcome(self) -> str:
        """What to call the tokens at the end."""
        directive = self.expansion.directive
        return (
            _("What #{directive} comes to").format(directive=directive)
            if directive
            else _("What the compiler reads")
        )

    def summary(self) -> str:
        before, after = len(self.expansion.before), len(self.expansion.after)
        steps, seen = len(self.view.whole), len(self.timeline)
        text = ngettext(
            "{steps} turns {before} into {after}.", "{steps} turn {before} into {after}.", steps
        ).format(
            steps=counted(steps, "step"),
            before=counted(before, "token"),
            after=counted(after, "token"),
        )
        if seen == steps:
            return text
        fewer = _("Some are drawn together here, to {count:,}.").format(count=seen)
        return _("{sentence} {another}").format(sentence=text, another=fewer)

    def number(self, stop: int) -> str:
        """`7`, or `5–9` where moments were drawn together."""
        first, last = self.view.spans[stop]
        return str(first + 1) if first == last else f"{first + 1}–{last + 1}"

    def hides(self, stop: int) -> bool:
        """Whether a stop stands for hidden macros, and not for one macro that can be told of."""
        moment = self.timeline.moments[stop]
        return isinstance(moment, Merged) and not moment.whole_call

    def around(self, stop: int) -> list[str]:
        """The macros that a stop happens inside of, outermost first, without hidden ones."""
        return [name for name in self.timeline.invocations(stop) if name in self._told]

    @cached_property
    def hints(self) -> dict[int, list[str]]:
        """What is worth pointing at, by stop."""
        found: dict[int, list[str]] = {}
        for hint in hints(self.trace, self.view.whole):
            stop = self.view.from_whole(hint.moment + 1) - 1
            if not self.hides(stop):
                found.setdefault(stop, []).append(hint.text)
        return found

    @cached_property
    def _told(self) -> set[str]:
        moments = self.timeline.moments
        return {moments[k].step.macro for k in range(len(moments)) if not self.hides(k)}


def tour(
    trace: Trace,
    expansion: Expansion,
    bench: Workbench | None = None,
    seen: View | None = None,
) -> Tour:
    """The tour of one of a trace's expansions, as it is `seen`: by default, every moment of it.

    `bench`, the workbench that has this trace, adds what was registered, and the tokens behind the
    invocation that belong to it.
    """
    seen = seen or view(Timeline(expansion), FINE)
    if bench is None:
        return Tour(trace, expansion, seen, (), ())
    index = bench.index_of(expansion)
    made = tuple(made_by(bench, index, seen))
    written, wrong = bench.tail_as_written(index), tuple(_wrong(bench, expansion))
    language = "cpp" if is_cxx(bench.options.std) else "c"
    return Tour(trace, expansion, seen, bench.tail(index), made, written, wrong, language)


def _wrong(bench: Workbench, expansion: Expansion) -> Iterator[Diagnostic]:
    for diagnostic in bench.diagnostics:
        file, places = expansion.where.file, diagnostic.places()
        if any(at.file == file and expansion.stands_on(at.line) for at in places):
            yield diagnostic


def made_by(bench: Workbench, expansion: int, seen: View | None = None) -> Iterator[Made]:
    """The entries that an expansion makes; their states are those of the view in which it is `seen`,
    or of the whole timeline."""
    for entry in bench.entries_by_expansion.get(expansion, ()):
        begun, complete = bench.born(entry)
        if seen is not None:
            begun, complete = seen.from_whole(begun), seen.from_whole(complete)
        registration = entry.registration
        name, key = registration.kernel_name, str(registration.key)
        yield Made(name, key, registration.function, begun, complete)
