"""Why a name is not expanded where it stands, as `unfold why` says it, but at once.

`unfold why` reads all headers with eyes open, which takes seconds behind those of a framework. Mostly
what is known already settles it: what the expansions did with the name, what it stands in, and the
macros that are there at the end of the file, if no directive of the file itself changes this one. Where
one does, the text above the place is run for its directives, which says what holds there and takes what
is kept of the headers. What isn't known then, as why a name is no macro at all, the headers are read
for after all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from visualizer.editor.texts import EditedText
from visualizer.expansion.definitions import Definition
from visualizer.expansion.preprocessor import Preprocessor
from visualizer.expansion.tokens import Source, spell, spelled_at
from visualizer.expansion.why.answers import Answer, answer, why
from visualizer.expansion.why.history import Event, Record
from visualizer.expansion.why.places import NamePlace, names_on
from visualizer.expansion.why.wording import reasons, sentence
from visualizer.workbench.bench import Workbench, line_alone
from visualizer.workbench.registration_macros import MACROS

_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")


class _Unsure(Exception):
    """It takes the headers to say."""


@dataclass(frozen=True, slots=True, eq=False)
class _AtHand(Record):
    """What is known without reading the headers with eyes open: the definitions at the end, and those
    `above` a line, which is asked only where the two may differ."""

    place: NamePlace
    text: str
    above: Callable[[int], Mapping[str, Definition]]

    def before(self, name: str, where: Source) -> Event | None:
        definition = self._there(name, where)
        if definition is not None:
            return _defining(definition)
        if name in self.trace.definitions or self._may_change(name, where):
            return self._taken_away(name, where)
        return None

    def behind(self, name: str, where: Source) -> Event | None:
        return None

    def done_here(self, name: str) -> Iterator[Event]:
        directive, where = self.place.directive(), self.place.where
        if directive == "undef":
            before = self._there(name, where)
            yield Event("undef", name, f"#undef {name}", where, True, before, None, (), ())
        elif directive == "define":
            after = self.above(spelled_at(self.place.line[-1]).line + 1).get(name)
            if after is not None and after.where == where:
                yield _defining(after)

    def _there(self, name: str, where: Source) -> Definition | None:
        if not self._may_change(name, where):
            return self.trace.definitions.get(name)
        directive = self.place.directive() is not None
        line = spelled_at(self.place.line[0]).line if directive else where.line
        return self.above(line).get(name)

    def _taken_away(self, name: str, where: Source) -> Event:
        """The `#undef` of this text that left no macro there, if it is the last word on it."""
        said = re.compile(rf"[ \t]*#[ \t]*undef[ \t]+{re.escape(name)}(?![\w$])")
        rows = self.text.split("\n")[: where.line - 1]
        upwards = ((n, said.match(rows[n - 1])) for n in range(len(rows), 0, -1))
        line, found = next(((n, m) for n, m in upwards if m is not None), (0, None))
        between = range(line, where.line)
        if (
            found is None
            or any(line in lines for lines in self.trace.skipped)
            or any(text.through[-1].line in between for text in self.trace.includes)
            or (before := self.above(line).get(name)) is None
        ):
            raise _Unsure  # whether it was one, and what has taken it away
        at = Source(self.trace.file, line, found.end() - len(name) + 1)
        return Event("undef", name, f"#undef {name}", at, True, before, None, (), ())

    def _may_change(self, name: str, where: Source) -> bool:
        """Whether it may be defined otherwise at the end than there."""
        last = max((text.through[-1].line for text in self.trace.includes), default=0)
        known = self.trace.definitions.get(name)
        from_header = known is not None and not known.where.file.startswith("<")
        return is_changed_in(self.text, name) or (last >= where.line and from_header)


def _defining(definition: Definition) -> Event:
    text = f"#define {definition.head()} {spell(definition.replacement)}".rstrip()
    place = definition.where
    return Event("define", definition.name, text, place, True, None, definition, (), ())


def _macros_above(bench: Workbench, text: EditedText, line: int) -> Mapping[str, Definition]:
    """The macros that are there when a line is come to."""
    above = "".join(f"{row}\n" for row in text.lines[: line - 1])
    own = os.path.abspath(bench.path)
    others = [(path, other) for path, other in bench.options.unsaved if path != own]
    options = replace(bench.options, unsaved=((own, above), *others))
    return line_alone(bench.path, options, line).trace.definitions


def word_at(text: EditedText, offset: int) -> tuple[str, int]:
    """The name at a place, and where it begins; "" where none is."""
    place = text.place(offset)
    start = offset - place.column + 1
    for m in _WORD.finditer(text.lines[place.line - 1]):
        if m.start() <= place.column - 1 <= m.end():
            return m[0], start + m.start()
    return "", offset


def is_changed_in(text: str, name: str) -> bool:
    """Whether the text itself seems to have a directive that makes it a macro, or no macro any more."""
    said = rf"\b(?:define|undef)\s+{re.escape(name)}(?![\w$])|(?:push|pop)_macro|\bpoison\b"
    return name in text and re.search(said, text) is not None


def may_be_macro(bench: Workbench, text: EditedText, name: str) -> bool:
    """Whether there is anything to say of it: most names of a text are none of a macro's."""
    trace = bench.trace
    return name in trace.definitions or name in MACROS or is_changed_in(text.text, name)


def looked_into(bench: Workbench, text: EditedText, offset: int) -> Answer | None:
    """What the name at a place is; None where it is no name. It may take seconds. Raises InputError
    where a header can't be read any more, and CalledOff."""
    name, start = word_at(text, offset)
    where = text.place(start, bench.trace.file)
    unit = Preprocessor(bench.options)
    places = names_on(text.text, bench.trace.file, where.line, unit.language)
    place = next((p for p in places if p.where == where and p.name == name), None)
    if place is None:
        return None
    found = _at_hand(bench, text, place, unit)
    if found is None:
        options = bench.options.with_text(bench.path, text.text)
        others = [one for one in bench.options.unsaved if one[0] != options.unsaved[0][0]]
        options = replace(options, unsaved=(*options.unsaved, *others))
        known = why(bench.path, where.line, options, where.column)
        found = known.each[0] if known.each else None
    return found


def why_not(found: Answer) -> str:
    """What the name is, and a line for each reason."""
    return "\n".join([f"`{found.place.name}` {sentence(found)}", *map(str.strip, reasons(found))])


def _at_hand(
    bench: Workbench, text: EditedText, place: NamePlace, unit: Preprocessor
) -> Answer | None:
    trace = bench.trace
    if place.inside != "code":
        return Answer(place, place.inside)
    if any(place.where.line in lines for lines in trace.skipped):
        return Answer(place, "skipped")
    operators = frozenset(unit.condition.operators)
    built_in = operators.union(unit.builtins)
    above = cache(partial(_macros_above, bench, text))
    known = _AtHand(trace, (), built_in, operators, 0, place, text.text, above)
    if place.directive() in ("elif", "elifdef", "elifndef", "pragma"):
        return None  # it takes what was decided above
    try:
        return answer(place, known)
    except _Unsure:
        return None
