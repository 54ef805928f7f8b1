"""What to say where the arguments of a macro are too many, too few, or never closed: what was taken for
each, and the cure.

Only parentheses keep a comma from separating arguments. Who writes `F({1, 2})` or `F(pair<int, int>())`
thinks of one argument, and gave two; where the count would be right if the other brackets held their
commas together, that is what happened, and there is a way out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from visualizer.expansion.arguments import ArgumentList
from visualizer.expansion.definitions import Definition
from visualizer.expansion.diagnostics import (
    Code,
    Cure,
    Diagnostic,
    Note,
    Severity,
    around,
    at_token,
    spanning,
)
from visualizer.expansion.language import Language
from visualizer.expansion.tokens import (
    IDENTIFIER,
    Source,
    Token,
    first_made,
    spelled_at,
    written_at,
)
from visualizer.expansion.wording import counted, listed, plural, quoted

_GOES_ON = "no ')' stands before this ;: to the compiler, all below is an argument too"
_MOST = 8  # arguments that are told one by one
_CLOSING = {"{": "}", "[": "]", "<": ">"}
_NO_TEMPLATE = ("{", "}", ";", "&&", "||")  # nothing of a list of template arguments


def wrong_number(
    severity: Severity, definition: Definition, name: Token, read: ArgumentList, language: Language
) -> Diagnostic:
    """Of an invocation, from the macro's `name` to the `)` that was `read`."""
    defined = f"{definition.head()} is defined at {definition.where.file}:{definition.where.line}"
    hint = "; ".join(filter(None, (_cure(definition, name, read, language), defined)))
    said = _complaint(definition, len(read.arguments))
    found = at_token(severity, said, name, hint, Code.ARGUMENT_COUNT)
    found = spanning(found, name, read.tokens[-1])
    cures = tuple(_in_parentheses(definition, read, language))
    return replace(found, notes=tuple(_taken(definition, read)), cures=cures)


def never_closed(
    name: Token, opening: Token, read: ArgumentList, *, reads_file: bool
) -> Diagnostic:
    """Of an invocation whose list of arguments has no `)`: it begins at its name, and runs to the end
    of the file, unless it is one of a directive or an argument; where a statement ends in it, the `)`
    is missing before that."""
    said = f'unterminated argument list invoking macro "{name.text}"'
    code = Code.OPEN_LIST if reads_file else None
    found = replace(at_token("error", said, name, "write the missing ')'", code), about=name.text)
    braces = 0
    for token in read.tokens:
        braces += (token.text == "{") - (token.text == "}")
        if token.text == ";" and braces <= 0:
            cures: tuple[Cure, ...] = ()
            if isinstance(first_made(token).origin, Source):
                at = written_at(token)
                cures = (Cure("write the missing )", ((at, at, ")"),)),)
            found = replace(found, notes=(Note(_GOES_ON, written_at(token)),), cures=cures)
            break
    return spanning(found, name, opening)


def left_open_above(said: Iterable[Diagnostic], where: Source) -> Diagnostic | None:
    """The error of the first invocation on a line above that is never closed. What stands below is
    stepped as it was meant, but is an argument to a compiler, unless it is a directive."""
    here = (d for d in said if d.code is Code.OPEN_LIST and d.where.file == where.file)
    above = (d for d in here if d.where.line < where.line)
    return min(above, key=lambda d: d.where, default=None)


def note_below(said: Iterable[Diagnostic], where: Source) -> str:
    """What that error makes of what stands here, or "" where there is none."""
    open_list = left_open_above(said, where)
    return of_a_line_below(open_list) if open_list is not None else ""


def of_a_line_below(open_list: Diagnostic) -> str:
    """What it makes of a line that stands below."""
    begun = f"{open_list.about}( on line {open_list.where.line} is never closed"
    return f"{begun}: to the compiler, this line is an argument of it"


def _complaint(definition: Definition, passed: int) -> str:
    """As gcc says it, for which `F()` has one argument, which is empty."""
    wanted = len(definition.parameters or ())
    if passed > wanted:
        given_to_it = plural(passed, "argument", "arguments")
        return f'macro "{definition.name}" passed {given_to_it}, but takes just {wanted}'
    some = f"at least {wanted}" if definition.variadic else str(wanted)
    noun = "argument" if wanted == 1 else "arguments"
    return f'macro "{definition.name}" requires {some} {noun}, but only {passed} given'


def _taken(definition: Definition, read: ArgumentList) -> Iterator[Note]:
    """What was taken for each argument, at its place in the source."""
    named = definition.parameters or ()
    for n, (start, tokens) in enumerate(read.arguments[:_MOST]):
        # Of an empty one, the comma or the ) behind it.
        first = tokens[0] if tokens else read.tokens[start - 2]
        whose = f"is {named[n]}" if n < len(named) else "has no parameter"
        yield Note(f"argument {n + 1} {whose}: {quoted(tokens) or 'empty'}", spelled_at(first))
    behind = spelled_at(read.tokens[-1])
    if len(read.arguments) > _MOST:
        yield Note(f"and {counted(len(read.arguments) - _MOST, 'more argument')}", behind)
    if missing := named[len(read.arguments) :]:
        yield Note(f"no argument is left for {listed(missing)}", behind)


# ---------------------------------------------------------------------- the cure


@dataclass(frozen=True, slots=True)
class _Torn:
    """An argument as its writer meant it, that commas within `bracket` tore apart, and which one it
    is of all, counted as they were meant."""

    place: int
    bracket: str
    tokens: Sequence[Token]


def _cure(definition: Definition, name: Token, read: ArgumentList, language: Language) -> str:
    """What to do about it, where that is known; else nothing. Who invokes a macro of a header leaves
    the header alone, whose macro may take a value there or a type."""
    wanted = len(definition.parameters or ())
    torn = _torn(definition, read, language)
    if not torn:
        return ""
    first = torn[0]
    own = spelled_at(name).file == definition.where.file
    pair = first.bracket + _CLOSING[first.bracket]
    ways = []
    if first.tokens[0].text == "{":
        named = "give it a name first, and pass that"
    elif first.tokens[-1].text in (">", ">>"):
        what = (
            "name the type" if own else "wrap the argument in parentheses; if it is a type, name it"
        )
        named = f"{what} with `using` first, and pass that"
    else:
        named = ""
        ways.append("wrap the argument in parentheses")
    if own and len(torn) == 1 and first.place == wanted - 1:
        parameter = (definition.parameters or ())[-1]
        ways.append(f"make the parameter {parameter} `...`, which is __VA_ARGS__ in the definition")
    said = ", or ".join(ways) or named
    return f"commas inside {pair} separate arguments: {said}"


def _in_parentheses(
    definition: Definition, read: ArgumentList, language: Language
) -> Iterator[Cure]:
    """The torn arguments wrapped, where that is what they are told to be."""
    torn = _torn(definition, read, language)
    if any(one.tokens[0].text == "{" or one.tokens[-1].text in (">", ">>") for one in torn):
        return
    stretches = [around(one.tokens) for one in torn]
    edits = [e for s in stretches if s for e in ((s[0], s[0], "("), (s[1], s[1], ")"))]
    if torn and len(edits) == 2 * len(torn):
        yield Cure("wrap the argument in parentheses", tuple(edits))


def _torn(definition: Definition, read: ArgumentList, language: Language) -> list[_Torn]:
    """The arguments that commas tore apart, where the count would be right without that."""
    wanted = len(definition.parameters or ())
    if definition.variadic is not None or len(read.arguments) <= wanted:
        return []
    torn, meant = _meant(read, language)
    return torn if meant == wanted else []


def _meant(read: ArgumentList, language: Language) -> tuple[list[_Torn], int]:
    """The arguments that hold together if brackets do so as parentheses do; and how many there are
    then of all."""
    ends = _template_ends(read.tokens) if language.cxx else {}
    closing = Counter(ends.values())  # `>>` may close two
    begun: list[str] = []
    torn: list[_Torn] = []
    begin = count = 0
    torn_by = ""
    for i, token in enumerate(read.tokens):
        text = token.text
        if not begun and (text == "," or i == len(read.tokens) - 1):
            if torn_by:
                torn.append(_Torn(count, torn_by, read.tokens[begin:i]))
            begin, torn_by, count = i + 1, "", count + 1
        elif text == "," and "(" not in begun:
            torn_by = begun[0]
        elif text in ("(", "[", "{") or i in ends:
            begun.append(text)
        else:
            closes = closing[i] or text in (")", "]", "}")
            del begun[len(begun) - closes :]
    return torn, count


def _template_ends(tokens: Sequence[Token]) -> dict[int, int]:
    """Where each `<` that looks like one of a template is closed: it stands right behind a name."""
    ends: dict[int, int] = {}
    begun: list[int | None] = []  # None is a parenthesis
    for i, token in enumerate(tokens):
        text = token.text
        if text == "<" and i and tokens[i - 1].kind == IDENTIFIER and not token.space:
            begun.append(i)
        elif text in ("(", "["):
            begun.append(None)
        elif text in (")", "]"):
            while begun and begun.pop() is not None:
                pass
        elif text in (">", ">>"):
            for _ in text:
                if begun and begun[-1] is not None:
                    ends[begun.pop() or 0] = i
        elif text in _NO_TEMPLATE:
            while begun and begun[-1] is not None:
                begun.pop()
    return ends
