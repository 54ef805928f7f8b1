"""A file expanded for its text alone: what a compiler would read, and no trace of how it came about.

It goes the same way as for a trace: through pcpp's loop, each directive as there, each invocation to
the same expander. But directives are found without reading the text between them (`directives`), text
goes through as it is where nothing in it is replaced (`passages`), and a definition is read when it is
used (`macro_table`). What is so odd that this is not surely the same is read token by token, as for a
trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from visualizer.expansion.conditionals import CONDITIONALS, lines_count
from visualizer.expansion.directives import Directive, Directives, read_directives
from visualizer.expansion.dispatch import FLUSH
from visualizer.expansion.language import Language
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.line_checks import checked, poisoned
from visualizer.expansion.macro_table import NAME, WrittenDefinition, is_plain, same_text
from visualizer.expansion.passages import Passage, is_blank
from visualizer.expansion.tokens import IDENTIFIER, LONGEST, Source, Token

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor
    from visualizer.expansion.read_file import ReadFile

_COMMENT = r"(?://[^\\\n]*|/\*[^\n*]*\*/[ \t]*)?\Z"
_NOTHING = re.compile(rf"[ \t]*{_COMMENT}")
_NAME = re.compile(rf"[ \t]*[A-Za-z_$][A-Za-z_0-9$]*[ \t]*{_COMMENT}")
_ANYTHING = re.compile("")
# What stands behind a conditional directive, if nothing else is to be said of it.
_ALONE = {
    **dict.fromkeys(("else", "endif"), _NOTHING),
    **dict.fromkeys(("ifdef", "ifndef", "elifdef", "elifndef"), _NAME),
}
_WORDS = re.compile(r"[A-Za-z_$][A-Za-z_0-9$]*")
# The text of a definition that a lexer has no complaint about: quotes are closed, and no string has a
# name at its end.
_SOUND = re.compile(
    r"""(?: [^"'\\/@`\x00-\x08\x0e-\x1f\x7f-\U0010ffff]+ | \\\n | /(?![/*\\])
          | "(?:[^"\\\n]|\\[^\n])*+"(?![A-Za-z_$\\])
          | (?<!\w)'(?:[^'\\\n]|\\[^\n])*+'(?![A-Za-z_$\\])
          | //[^\\\n]* | /\*(?:[^*\\]|\*(?!/))*+\*/ )*+\Z""",
    re.VERBOSE,
)


def directives_of(text: str, language: Language, file: str) -> Directives | None:
    """The directives of a text that can be read this way; None of one that can't."""
    if language.assembler or language.division_before_comment or language.msvc_traditional:
        return None
    return read_directives(text, language, file)


class Groups:
    """What counts of one file: passages of its text, and directives."""

    def __init__(self, p: Preprocessor, directives: Directives, text: str, file: ReadFile) -> None:
        self.p = p
        self.directives = directives
        self.text = text.replace("\r\n", "\n") if "\r" in text else text
        self.file = file
        self.waiting = False  # whether there is text that pcpp has not had expanded

    def __iter__(self) -> Iterator[list[Token]]:
        """As lines for pcpp: each passage that counts, and of the directives what pcpp is to do."""
        p, file = self.p, self.file
        enabled, at, line = True, 0, 1
        for directive in self.directives.each:
            if enabled:
                yield from self._passage(at, directive.start, line)
            at, line = directive.stop, directive.line + directive.rest.count("\n") + 1
            if directive.name in CONDITIONALS:
                if self.waiting and directive.name in ("if", "elif") and self._may_count(directive):
                    yield from self._flushed()  # text before may count `__COUNTER__` that this asks for
                enabled = self._conditional(directive, enabled)
            elif enabled and directive.name:
                yield from self._flushed()
                if directive.name != "define" or not self._define(directive):
                    sharp, name, rest = self._line(directive)
                    yield from p.directive(sharp, name, checked(p, rest, p.diagnostics), file)
        if enabled:
            yield from self._passage(at, len(self.text), line)
        p.at_end = True

    def are_between_directives(self) -> bool:
        """Whether the text begins and ends with a directive."""
        each = self.directives.each
        if not each:
            return False
        around = self.text[: each[0].start], self.text[each[-1].stop :]
        return all(is_blank(text, self.p.language) for text in around)

    def _passage(self, start: int, stop: int, line: int) -> Iterator[list[Any]]:
        text = self.text[start:stop]
        if text and not text.isspace():
            self.waiting = True
            yield [Passage(text, self.file.name, line, start > 0)]

    def _flushed(self) -> Iterator[list[Token]]:
        """What has pcpp expand the text so far."""
        if self.waiting:
            self.waiting = False
            yield FLUSH

    def _may_count(self, directive: Directive) -> bool:
        """Whether a condition has macros in it, which may be, or count, what the text before does."""
        words = _WORDS.findall(directive.rest)
        p = self.p
        return not (p.macros.keys().isdisjoint(words) and p.builtins.keys().isdisjoint(words))

    def _conditional(self, directive: Directive, enabled: bool) -> bool:
        """Whether the lines behind this conditional directive count."""
        p, name, rest = self.p, directive.name, directive.rest
        if p.poisoned or _ALONE.get(name, _ANYTHING).match(rest) is None:
            line = self._line(directive)
            if enabled and p.poisoned:
                p.diagnostics += poisoned(p.poisoned, line[2])
            return p.conditional(self.file, [line[0], line[1], *line[2]], enabled)

        def holds() -> bool:
            known = p.condition.holds_quickly(name, rest)
            return p.condition.holds(*self._line(directive)[1:]) if known is None else known

        where = Source(self.file.name, directive.line, directive.sharp + 1)
        token = Token(IDENTIFIER, name, False, where)
        return lines_count(self.file.conditionals, token, enabled, holds, p.error)

    def _define(self, directive: Directive) -> bool:
        """Do what a `#define` says that nothing can be wrong with; of others, False."""
        p, text = self.p, directive.rest
        m = NAME.match(text)
        if m is None or len(text) > LONGEST or p.poisoned or p.is_built_in(m.group()):
            return False
        if not is_plain(m.group(), text) or _SOUND.match(text) is None:
            return False
        place = Source(self.file.name, directive.line, directive.column)
        made = WrittenDefinition(m.group(), text, *place, p.language)
        known = p.macros.get(made.name)
        if known is not None and not same_text(known, made) and not known.same_as(made):
            p.warn_redefined(known, Token(IDENTIFIER, made.name, True, place))
        p.tell_cache("define", text)
        p.give(made.name, made)
        return True

    def _line(self, directive: Directive) -> tuple[Token, Token, list[Token]]:
        """A directive as tokens: its `#`, its name, and what stands behind it."""
        text = self.text[directive.start : directive.stop]
        (sharp, name, *rest), *_ = tokenize(text, self.file.name, self.p.language, directive.line)
        return sharp, name, rest
