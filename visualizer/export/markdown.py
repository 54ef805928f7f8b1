"""The walk-through of an invocation as Markdown, as one would write it for a colleague.

The source first. Then macro by macro, in the order in which they are replaced: the definition where it
is met for the first time, a table of the arguments, a sentence, and what the macro became. At the end
what the compiler reads, what that put into the registry, and what was found wrong with it.

C++ is full of characters that mean something in Markdown. Code stands in fences that are longer than
any run of backticks in it; in a table, `|` is escaped even inside code; in prose, names are set as
code and everything else that Markdown might read is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from visualizer.expansion.definitions import Definition
from visualizer.expansion.diagnostics import Diagnostic
from visualizer.expansion.hiding import narration
from visualizer.expansion.moments import Moment
from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.wording import short
from visualizer.layout.row_breaks import is_wide
from visualizer.layout.shown import shown_chars
from visualizer.messages import _
from visualizer.scene.code import definition_lines, laid_out, source_lines
from visualizer.scene.tour import Made, Tour

_CELL = 80  # characters of an argument in a table
_MOST_LINES = 30  # of what a macro became; the whole of it stands at the end
_HEAD, _FOOT = 16, 8  # how many of them are shown if there are more
_OUTLINED = 6  # steps from which on an outline is worth its place
_DEEPEST = 8  # levels of it: there are parsers that give up at twenty lists and items
_AROUND = 4  # names of the macros that a step happens inside of

_RUN_OF_BACKTICKS = re.compile("`+")
_APOSTROPHE = r"(?<!\w')(?<!\w'\w)"  # `t` in "doesn't" is no name
_NAME = _APOSTROPHE + r"(?:::)?[^\W\d][\w…$]*(?:::[\w…$]+)*"
_CALL = r"\((?:[^()]|\([^()]*\))*\)"
_IN_PROSE = rf"##?|(?P<name>{_NAME})(?:{_CALL})?"
_SPECIAL = re.compile(r"[\\`*<>&|~$\[\]{}_#]")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


def markdown(tour: Tour) -> Iterator[str]:
    """The document, piece by piece; each piece is some lines and ends in a newline."""
    yield f"# {code(tour.expansion.macro)} at {code(tour.place)}\n\n"
    yield fenced(source_lines(tour), tour.language)
    yield f"\n{prose(tour.summary())}\n"
    if len(tour.timeline) >= _OUTLINED:
        yield from _outline(tour)
    yield f"\n## {_('The steps')}\n"
    defined: dict[Definition, int] = {}
    for stop in range(len(tour.timeline)):
        yield from _step(tour, stop, defined)
    yield f"\n## {tour.outcome}\n\n"
    yield (
        fenced(laid_out([*tour.expansion.after, *tour.tail]), tour.language) or f"{_('Nothing.')}\n"
    )
    if tour.made:
        yield f"\n## {_('What it registered')}\n\n"
        yield from _registry(tour, tour.made)
    if tour.wrong:
        yield f"\n## {_('What is wrong with it')}\n\n"
        yield from map(_diagnostic, tour.wrong)


def _outline(tour: Tour) -> Iterator[str]:
    moments = tour.timeline.moments
    yield f"\n<details>\n<summary>{_('All {count} steps').format(count=len(moments))}</summary>\n\n"
    levels: list[int] = []
    for stop, moment in enumerate(moments):
        while levels and levels[-1] >= moment.level:
            levels.pop()
        yield f"{'  ' * min(len(levels), _DEEPEST)}- {_link(tour, stop)}\n"
        levels.append(moment.level)
    yield "\n</details>\n"


def _step(tour: Tour, stop: int, defined: dict[Definition, int]) -> Iterator[str]:
    moment = tour.timeline.moments[stop]
    yield f"\n### {_heading(tour, stop)}\n"
    around = tour.around(stop)
    if around:
        names = " › ".join(code(name) for name in around[-_AROUND:])
        dots = "… › " if len(around) > _AROUND else ""
        yield f"\n{_('Inside {names}.').format(names=dots + names)}\n"
    if not tour.hides(stop):
        yield from _definition(tour, moment, stop, defined)
        yield from _arguments(moment)
    spelled = _spelled(moment)
    told = narration(moment)
    for text in spelled:  # which will be code, and needs no other marks
        told = told.replace(f"`{text}`", text)
    yield f"\n{prose(told, spelled)}\n"
    for hint in tour.hints.get(stop, []):
        yield f"\n> **{_('Mind:')}** {prose(hint, spelled)}\n"
    if not moment.meeting and spell(moment.insert) not in told:
        gives = _("Together they give") if tour.hides(stop) else _("It becomes")
        yield f"\n{gives}\n\n"
        yield fenced(_shortened(laid_out(moment.insert)), tour.language)


def _definition(
    tour: Tour, moment: Moment, stop: int, defined: dict[Definition, int]
) -> Iterator[str]:
    definition = moment.step.definition
    if definition is None:
        return
    first = defined.setdefault(definition, stop)
    if first == stop:
        file, line = definition.where[:2]
        said = (
            _("{macro} is defined by the compiler itself:")
            if file.startswith("<")
            else _("{macro} is defined in {place}:")
        )
        place = code(f"{file}:{line}")
        yield f"\n{said.format(macro=code(definition.name), place=place)}\n\n"
        yield fenced(definition_lines(definition), tour.language)
    elif moment.partner == first:
        ready = _("The arguments of step {step} are ready.").format(step=_link(tour, first))
        yield f"\n{ready}\n"
    else:
        there = _("Its definition stands in step {step}.").format(step=_link(tour, first))
        yield f"\n{there}\n"


def _arguments(moment: Moment) -> Iterator[str]:
    """A table with a row for each parameter; where an argument became another by itself, that too."""
    arguments = moment.step.arguments
    prescanned = not moment.meeting and any(a.changed() for a in arguments)
    if prescanned:
        yield f"\n| {_('parameter')} | {_('argument')} | {_('expanded by itself')} |\n|---|---|---|\n"
    elif arguments:
        yield f"\n| {_('parameter')} | {_('argument')} |\n|---|---|\n"
    for argument in arguments:
        row = [cell(argument.parameter), _tokens_cell(argument.raw)]
        if prescanned:
            after = argument.prescan.after if argument.prescan and argument.changed() else None
            row.append("" if after is None else _tokens_cell(after))
        yield f"| {' | '.join(row)} |\n"


def _spelled(moment: Moment) -> set[str]:
    """How sentences may spell the tokens of this step."""
    lists = [moment.insert, *(a.raw for a in moment.step.arguments)]
    lists += [a.prescan.after for a in moment.step.arguments if a.prescan]
    spelled = {t for tokens in lists for t in (spell(tokens), short(tokens)) if not t.isalnum()}
    operands = {text for o in moment.step.operations for text in o.operands if len(text) > 3}
    return spelled | operands


def _registry(tour: Tour, made: Iterable[Made]) -> Iterator[str]:
    heads = _("kernel"), _("key"), _("C++ function"), _("complete after step")
    yield f"| {' | '.join(heads)} |\n|---|---|---|---|\n"
    for entry in made:
        step = _link(tour, entry.complete - 1) if entry.complete else _("the source")
        names = [cell(entry.name), cell(entry.key), cell(entry.function)]
        yield f"| {' | '.join(names)} | {step} |\n"


def _diagnostic(diagnostic: Diagnostic) -> str:
    file, line, column = diagnostic.where
    told = f"- **{diagnostic.severity}** at {code(f'{file}:{line}:{column}')}: "
    lines = "\n  ".join(map(_quoting, diagnostic.message.splitlines()))
    hint = f"\n  *Hint:* {_quoting(diagnostic.hint)}" if diagnostic.hint else ""
    return f"{told}{lines}{hint}\n"


def _quoting(text: str) -> str:
    """A message, which puts C++ between backticks itself, as Markdown does."""
    pieces = re.split("`([^`]+)`", text)
    return "".join(code(p) if i % 2 else prose(p) for i, p in enumerate(pieces))


def _heading(tour: Tour, stop: int) -> str:
    moment = tour.timeline.moments[stop]
    what = _("Hidden macros") if tour.hides(stop) else code(moment.step.macro)
    met = _("{macro} is met").format(macro=what) if moment.meeting else what
    return f"{tour.number(stop)}. {met}"


def _link(tour: Tour, stop: int) -> str:
    """A link to a step's heading, under the name that GitHub gives it."""
    heading = _heading(tour, stop)
    slug = _NOT_IN_SLUG.sub("", heading).lower().replace(" ", "-")
    return f"[{heading}](#{slug})"


def _shortened(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    left_out = len(lines) - _HEAD - _FOOT
    return [*lines[:_HEAD], f"// … {left_out} more lines …", *lines[-_FOOT:]]


# ---------------------------------------------------------------------- escaping


def fenced(lines: Sequence[str], language: str) -> str:
    """A code block, behind a fence that nothing in it can close; "" without lines."""
    if not lines:
        return ""
    text = "\n".join(lines)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{text}\n{fence}\n"


def code(text: str) -> str:
    """A code span."""
    text = shown_chars(text)
    ticks = "`" * (_longest_run(text) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{blank}{text}{blank}{ticks}" if text.strip() else ""


def cell(text: str) -> str:
    """A code span for a table. A backslash before a `|` leaves no way to escape that in code."""
    if "\\|" not in text and not text.endswith("\\"):
        return code(text).replace("|", "\\|")
    return (
        f"<code>{''.join(c if c.isalnum() else f'&#{ord(c)};' for c in shown_chars(text))}</code>"
    )


def prose(text: str, known: Iterable[str] = ()) -> str:
    """A sentence, with the names in it as code, and what else is `known` to be code."""
    text = shown_chars(text)
    here = (k for k in map(shown_chars, known) if k and k in text)
    exact = "|".join(map(re.escape, sorted(here, key=len, reverse=True)))
    pattern = rf"(?P<known>(?<![\w…])(?:{exact or '(?!)'})(?![\w…]))|{_IN_PROSE}"
    pieces, end = [], 0
    for match in re.finditer(pattern, text):
        is_code = bool(match["known"]) or match[0] in ("#", "##")
        is_code = is_code or bool(match["name"] and _is_code(match["name"]))
        pieces += [(False, text[end : match.start()]), (is_code, match[0])]
        end = match.end()
    pieces.append((False, text[end:]))
    told = ""  # code beside code is one span, or their backticks would be one run
    for is_code, run in groupby(filter(itemgetter(1), pieces), itemgetter(0)):
        words = "".join(word for _, word in run)
        told += code(words) if is_code else _SPECIAL.sub(r"\\\g<0>", words)
    return f"\\{told}" if told[:1] in ("-", "+", "=") else told


def _is_code(name: str) -> bool:
    """Whether this word is rather C++ than English, or Chinese."""
    if is_wide(name):
        return False
    if len(name) == 1:
        return name not in "aAI"
    return re.search(r"_|\d|::|[a-z][A-Z]|[A-Z]{2}", name) is not None


def _tokens_cell(tokens: list[Token]) -> str:
    closed_up = [  # behind a `(`, a blank only tells that the source goes on in the next line
        replace(token, space=False) if i and tokens[i - 1].text == "(" else token
        for i, token in enumerate(tokens)
    ]
    return cell(short(closed_up, _CELL)) if tokens else "*nothing*"


def _longest_run(text: str) -> int:
    return max(map(len, _RUN_OF_BACKTICKS.findall(text)), default=0)
