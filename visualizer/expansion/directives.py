r"""The directives of a file, found without reading the text between them.

An included header is some thousand lines of C++ that nobody looks at, and some dozen directives that
decide what macros mean. To find those we search for lines that begin with `#`, and look at what lies
between only as far as it could hide such a line: a comment, a raw string, a line that goes on behind
a backslash. Which directives belong to one `#if` is noted once, so that a group that is not taken is
skipped in one jump.

Whatever is too odd to be read this way (a directive behind a comment on its line, a name cut in two
by a backslash, an `#endif` too many …) makes `read_directives` return None: then the file is read
token by token, as the main file is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from visualizer.expansion import memory
from visualizer.expansion.conditionals import LATER
from visualizer.expansion.language import Language
from visualizer.expansion.tokens import Source

_LOOK = 4096  # directives between two looks at the memory that is held
_SHARP = re.compile(r"\n[ \t\f\v]*#[ \t\f\v]*([A-Za-z_0-9]*)[ \t\f\v]*")
_COMMENTS = re.compile(r"(?:/\*(?:[^*\\]|\*(?!/))*+\*/[ \t\f\v]*)*(?://[^\\\n]*)?")
# A splice with blanks behind the backslash, a directive behind a comment, a digraph for `#`.
_ODD = (re.compile(r"\\[ \t\f\v]+\n"), re.compile(r"\*/[ \t\f\v]*#"), re.compile(r"%:"))
_TRIGRAPH = re.compile(r"\?\?[=/]")
_OPENING = frozenset(("if", "ifdef", "ifndef"))
_FURTHER = frozenset(("elif", "elifdef", "elifndef", "else"))
_GUARD = re.compile(r"![ \t]*defined[ \t]*\(?[ \t]*([A-Za-z_]\w*)[ \t]*\)?[ \t]*\Z")


@lru_cache
def _text(language: Language) -> re.Pattern[str]:
    """What may hide a directive, and what may look like that; the ends of lines between. Names and
    numbers are taken whole: the `R` of `xR"("` begins no raw string, the `'` of `1'0` no character."""
    suffix = r"(?:[A-Za-z_$][\w$]*)?" if language.literal_suffixes else ""
    raw = (
        r'(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\((?:.*?\)(?P=delimiter)"' + suffix + "|.*)"
    )
    separator = r"|'(?=\w)" if language.digit_separators else ""
    return re.compile(
        rf"""//(?:[^\\\n]|\\.)*+          # a comment to the end of the line
      | /\*(?:.*?\*/|(?P<open>.*))    # one that goes on to its */
      | (?P<raw> {raw if language.raw_strings else "(?!)"} )
      | [^\W\d][\w$]* | \.?\d(?:[eEpP][+-]|[\w.$]{separator})*+
      | "(?:[^"\\\n]|\\.)*+(?:"{suffix})? | '(?:[^'\\\n]|\\.)*+(?:'{suffix})?
      | \n""",
        re.VERBOSE | re.DOTALL,
    )


class Directive(NamedTuple):
    """A directive: its name, the text behind it as the file has it, and where that text begins; and
    which characters of the text are its lines."""

    name: str
    rest: str
    line: int
    column: int
    sharp: int  # the column of the #
    start: int
    stop: int


class Directives(NamedTuple):
    """A file's directives. `jumps` leads from each conditional one to the next of the same `#if`.

    `guard` is the macro that, once defined, makes the file say nothing.
    """

    text: str
    each: list[Directive]
    jumps: list[int]
    guard: str | None


def read_directives(text: str, language: Language, file: str) -> Directives | None:
    """The directives of a file's text; None where it must be read token by token. Raises InputError if
    they take more memory than reading it may."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if any(odd.search(text) for odd in _ODD) or (language.trigraphs and _TRIGRAPH.search(text)):
        return None
    found = _find(text, language.raw_strings, _text(language), file)
    if found is None:
        return None
    if not language.elifdef and any(directive.name in LATER for directive in found):
        return None
    jumps = _jumps(found)
    return None if jumps is None else Directives(text, found, jumps, _guard(found, jumps))


def _find(
    text: str, raw_strings: bool, hiding: re.Pattern[str], file: str
) -> list[Directive] | None:
    text = "\n" + text  # every line now begins behind a newline; line numbers count newlines
    each: list[Directive] = []
    search, find = _SHARP.search, text.find
    new = tuple.__new__
    comment = find("/*")  # the first at or behind `at`; len(text) if there is none
    raw = find('R"') if raw_strings else -1
    end = len(text)
    comment = end if comment < 0 else comment
    raw = end if raw < 0 else raw
    at = start = 0  # `start` is where text begins that is known to be code
    while (m := search(text, at)) is not None:
        sharp = m.start()
        if comment < sharp or raw < sharp:
            resume = _hidden(hiding, text, start, sharp, comment, raw)
            if resume >= 0:
                at = start = resume
                comment, raw = _next(text, "/*", start, comment), _next(text, 'R"', start, raw)
                continue
            comment, raw = _next(text, "/*", sharp, comment), _next(text, 'R"', sharp, raw)
        if text[sharp - 1] == "\\" and sharp:
            if not _blank_before(text, sharp):
                at = m.end()  # this line goes on from the one above
                continue
            return None
        name, begin = m[1], m.end()
        stop = find("\n", begin)
        stop = end if stop < 0 else stop
        while text[stop - 1] == "\\" and stop < end:
            stop = find("\n", stop + 1)
            stop = end if stop < 0 else stop
        if comment < stop or raw < stop:
            stop = _directive_end(hiding, text, begin)
            comment, raw = _next(text, "/*", stop, comment), _next(text, 'R"', stop, raw)
        unsure = begin < stop and text[begin] in "\\/" and (not name or text[begin] == "\\")
        if unsure and (name or _COMMENTS.fullmatch(text, begin, stop) is None):
            return None  # the name may stand behind a comment, or go on
        line_start = sharp + 1
        each.append(
            new(
                Directive,
                (
                    name,
                    text[begin:stop],
                    sharp,
                    begin - line_start + 1,
                    m.group().index("#"),
                    sharp,
                    stop,
                ),
            )
        )
        at = start = stop
        if len(each) % _LOOK == 0:
            memory.expect_room(Source(file, text.count("\n", 0, line_start), 1))
    return _with_lines(text, each)


def _with_lines(text: str, each: list[Directive]) -> list[Directive]:
    """`line` was an offset into the text; now it is the number of the line."""
    line = before = 0
    count, new = text.count, tuple.__new__
    for i, (name, rest, offset, column, sharp, start, stop) in enumerate(each):
        line += count("\n", before, offset + 1)
        before = offset + 1
        each[i] = new(Directive, (name, rest, line, column, sharp, start, stop))
    return each


def _next(text: str, what: str, start: int, known: int) -> int:
    """Where `what` next stands at or behind `start`; `known` is where it stood at or before."""
    if known >= start:
        return known
    at = text.find(what, start)
    return len(text) if at < 0 else at


def _hidden(
    hiding: re.Pattern[str], text: str, start: int, sharp: int, comment: int, raw: int
) -> int:
    """Where code goes on behind the comment or raw string in which `sharp` lies; -1 if in none."""
    if raw >= sharp:
        # A comment that is closed before `sharp` closes all that was open; the first one that is
        # not, may hide it.
        while comment < sharp:
            closed = text.find("*/", comment + 2)
            if closed < 0 or closed > sharp:
                break
            comment = text.find("/*", closed + 2)
            comment = len(text) if comment < 0 else comment
        else:
            return -1
    at = start
    while (m := hiding.search(text, at)) is not None and m.start() < sharp:
        at = m.end()
        if at > sharp and text[m.start()] != "\n":
            return at
    return -1


def _directive_end(hiding: re.Pattern[str], text: str, begin: int) -> int:
    """The newline that ends a directive with comments in it."""
    at = begin
    while (m := hiding.search(text, at)) is not None:
        if m.group() == "\n" and text[m.start() - 1] != "\\":
            return m.start()
        at = m.end()
    return len(text)


def _blank_before(text: str, sharp: int) -> bool:
    """Whether all that stands on the line that goes on here is backslashes."""
    line = text.rfind("\n", 0, sharp) + 1
    while line > 1 and text[line - 2] == "\\":
        line = text.rfind("\n", 0, line - 1) + 1
    return not text[line:sharp].strip("\\ \t\n\f\v")


def _jumps(each: list[Directive]) -> list[int] | None:
    jumps = [0] * len(each)
    open_ones: list[tuple[int, bool]] = []  # the last directive of each open #if; was it #else
    for i, directive in enumerate(each):
        name = directive.name
        if name in _OPENING:
            open_ones.append((i, False))
        elif name == "endif" or name in _FURTHER:
            if not open_ones:
                return None
            before, was_else = open_ones.pop()
            if was_else and name != "endif":
                return None
            jumps[before] = i
            if name != "endif":
                open_ones.append((i, name == "else"))
    return None if open_ones else jumps


def _guard(each: list[Directive], jumps: list[int]) -> str | None:
    """The macro of an `#ifndef` that is around all directives of a file."""
    if not each or jumps[0] != len(each) - 1:
        return None
    name, rest = each[0].name, each[0].rest.strip()
    if name == "ifndef" and rest.isidentifier():
        return rest
    m = _GUARD.match(rest) if name == "if" else None
    return m[1] if m is not None else None
