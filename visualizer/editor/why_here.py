"""Why a name is not expanded where it stands, as `unfold why` says it, but at once.

`unfold why` reads all headers with eyes open, which takes seconds behind those of a framework. Mostly
what is known already settles it: what the expansions did with the name, what it stands in, and the
macros that are there at the end of the file, if no directive of the file itself changes this one. Where
it doesn't, the headers are read after all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from visualizer.editor.texts import EditedText
from visualizer.expansion.definitions import Definition
from visualizer.expansion.preprocessor import Preprocessor
from visualizer.expansion.tokens import Source, spell
from visualizer.expansion.why.answers import Answer, answer, why
from visualizer.expansion.why.history import Event, Record
from visualizer.expansion.why.places import NamePlace, names_on
from visualizer.expansion.why.wording import reasons, sentence
from visualizer.workbench.bench import Workbench
from visualizer.workbench.registration_macros import MACROS

_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")


class _Unsure(Exception):
    """It takes the headers to say."""


@dataclass(frozen=True, slots=True, eq=False)
class _AtHand(Record):
    """What is known without reading a header again: the definition that a macro has at the end."""

    text: str = ""

    def before(self, name: str, where: Source) -> Event | None:
        definition = self.definition(name)
        if definition is None:
            return None
        last = max((text.through[-1].line for text in self.trace.includes), default=0)
        if last >= where.line and not definition.where.file.startswith("<"):
            raise _Unsure
        text = f"#define {definition.head()} {spell(definition.replacement)}".rstrip()
        place = definition.where
        return Event("define", name, text, place, True, None, definition, (), ())

    def behind(self, name: str, where: Source) -> Event | None:
        return None

    def definition(self, name: str) -> Definition | None:
        if is_changed_in(self.text, name):
            raise _Unsure
        return self.trace.definitions.get(name)


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


def why_not(bench: Workbench, text: EditedText, offset: int) -> str:
    """What the name at a place is, and a line for each reason; "" where it is no name. It may take
    seconds. Raises InputError where a header can't be read any more."""
    found = _answer(bench, text, offset)
    if found is None:
        return ""
    return "\n".join([f"`{found.place.name}` {sentence(found)}", *map(str.strip, reasons(found))])


def defining(bench: Workbench, text: EditedText, offset: int) -> Definition | None:
    """The definition that holds where a name stands, if it is a macro there; else the first behind it.
    It may take seconds. Raises InputError as `why_not`."""
    found = _answer(bench, text, offset)
    return found.definition if found is not None else None


def _answer(bench: Workbench, text: EditedText, offset: int) -> Answer | None:
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
    known = _AtHand(trace, (), built_in, operators, 0, text=text.text)
    if place.directive() in ("if", "elif", "ifdef", "ifndef", "elifdef", "elifndef", "pragma"):
        return None
    try:
        return answer(place, known)
    except _Unsure:
        return None
