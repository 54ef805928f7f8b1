"""The walk-through of an invocation as one HTML page that steps with the arrow keys.

The page needs nothing but itself: its style, its script and the trace stand in it, and its policy
forbids to load anything. The trace is there as splices, which the script replays forwards and
backwards, so that the page grows with what was spliced, not with the steps times the line. Without
JavaScript, and on paper, it is a list of the steps.

`page.html` is the frame, with a comment wherever something is put in. All that comes from a source
file goes through `_escaped`, or into the JSON, in which no `<` is left that could end its element.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from visualizer.expansion.definitions import VA_ARGS, Definition
from visualizer.expansion.hiding import narration
from visualizer.expansion.moments import Moment
from visualizer.expansion.sentences import ending
from visualizer.expansion.tokens import Token, spell
from visualizer.expansion.trace import Argument
from visualizer.expansion.wording import short
from visualizer.layout.colours import DARK, LIGHT
from visualizer.layout.shown import shown_chars
from visualizer.messages import _, spoken
from visualizer.scene.code import definition_lines, laid_out, source_lines
from visualizer.scene.marks import arguments_in_line, hue_of
from visualizer.scene.tour import Tour

_PLACEHOLDER = re.compile(
    r"<!--(\w+|_ .*?)-->"
)  # `<!--_ Steps-->` is said in the reader's language
_WORD_OR_LITERAL = re.compile(r'"(?:\\.|[^"\\])*"|[^\W\d][\w$]*|\.\.\.')
_CELL = 200  # characters of an argument in a table
_AROUND = 6  # names of the macros that a step happens inside of
_COLUMNS = 600  # of the picture of how deep the steps are


def html(tour: Tour) -> Iterator[str]:
    """The page, piece by piece."""
    parts: dict[str, Callable[[Tour], Iterator[str]]] = {
        "language": lambda tour: iter([spoken()]),
        "title": lambda tour: iter([_escaped(f"{tour.expansion.macro} at {tour.place}")]),
        "heading": _heading,
        "summary": lambda tour: iter([_escaped(tour.summary())]),
        "source": lambda tour: iter([_escaped("\n".join(source_lines(tour)))]),
        "registry": _registry,
        "steps": _steps,
        "outcome": lambda tour: iter([_escaped(tour.outcome)]),
        "result": _result,
        "skyline": _skyline,
        "last": lambda tour: iter([str(len(tour.timeline))]),
        "trace": lambda tour: iter([_json(trace_for_page(tour))]),
        "style": lambda tour: iter([_colours(), _beside("page.css")]),
        "script": lambda tour: iter([_beside("page.js")]),
    }
    for i, piece in enumerate(_PLACEHOLDER.split(_beside("page.html"))):
        if i % 2 and piece.startswith("_ "):
            yield _(piece[2:])
        elif i % 2:
            yield from parts[piece](tour)
        else:
            yield piece


def trace_for_page(tour: Tour) -> dict[str, Any]:
    """What the script replays; `page.js` describes it."""
    texts: dict[str, int] = {}

    def coded(tokens: Sequence[Token]) -> list[int]:
        return [
            texts.setdefault(str(t.text), len(texts)) * 4 + bool(t.space) + 2 * t.painted
            for t in tokens
        ]

    before, tail = coded(tour.expansion.before), coded(tour.tail)
    steps = [
        [
            moment.at,
            moment.remove,
            coded(moment.insert),
            moment.level,
            moment.partner,
            moment.step.remove if moment.meeting else 0,
            [] if tour.hides(stop) else _bound(moment),
        ]
        for stop, moment in enumerate(tour.timeline.moments)
    ]
    return {
        "texts": list(texts),
        "before": before,
        "tail": tail,
        "steps": steps,
        "opening": _("{name} stands in the source.").format(name=tour.expansion.macro),
        "ending": ending(tour.expansion),
    }


def _bound(moment: Moment) -> list[list[int]]:
    return [[where.start, len(where), hue] for where, hue in arguments_in_line(moment)]


def _json(document: object) -> str:
    return json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8").rstrip("\n")


def _colours() -> str:
    light, dark = ("".join(f"--{k}:{v};" for k, v in colours.items()) for colours in (LIGHT, DARK))
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"


def _heading(tour: Tour) -> Iterator[str]:
    yield f"{_code(tour.expansion.macro)} <small>{_escaped(tour.place)}</small>"


def _result(tour: Tour) -> Iterator[str]:
    yield _escaped("\n".join(laid_out([*tour.expansion.after, *tour.tail])) or "Nothing.")


# ---------------------------------------------------------------------- the steps


def _steps(tour: Tour) -> Iterator[str]:
    defined: dict[Definition, int] = {}
    for stop, moment in enumerate(tour.timeline.moments):
        number = tour.number(stop)
        yield f'<li id="step-{number.partition("–")[0]}">\n'
        what = _("Hidden macros") if tour.hides(stop) else _code(moment.step.macro)
        met = _("{macro} is met").format(macro=what) if moment.meeting else what
        yield f"<h3>{number}. {met}</h3>\n"
        around = tour.around(stop)
        if around:
            names = " › ".join(_code(name) for name in around[-_AROUND:])
            dots = "… › " if len(around) > _AROUND else ""
            inside = _("Inside {names}").format(names=f"{dots}{names}")
            yield f'<p class="around">{inside}</p>\n'
        yield f'<p class="told">{_escaped(narration(moment))}</p>\n'
        for hint in tour.hints.get(stop, []):
            yield f'<p class="hint"><strong>{_("Mind:")}</strong> {_escaped(hint)}</p>\n'
        if not tour.hides(stop):
            yield from _definition(moment, defined)
            yield from _arguments(moment)
        if not moment.meeting:
            became = _escaped("\n".join(laid_out(moment.insert)))
            yield f'<pre class="code becomes">{became}</pre>\n' if became else ""
        yield "</li>\n"


def _definition(moment: Moment, defined: dict[Definition, int]) -> Iterator[str]:
    """The definition where it is met for the first time, later a link to it."""
    definition = moment.step.definition
    if definition is None:
        return
    known = definition in defined
    number = defined.setdefault(definition, len(defined))
    if known:
        link = f'<a class="defined" href="#definition-{number}">{_code(definition.name)}</a>'
        above = _("The definition of {macro} stands above.").format(macro=link)
        yield f"<p>{above}</p>\n"
        return
    text = _hued("\n".join(definition_lines(definition)), definition)
    file, line = definition.where[:2]
    place = _("the compiler itself") if file.startswith("<") else f"{file}:{line}"
    yield f'<figure id="definition-{number}"><pre class="code">{text}</pre>'
    yield f'<figcaption class="place">{_escaped(place)}</figcaption></figure>\n'


def _hued(text: str, definition: Definition) -> str:
    """A definition with its parameters in their hues."""
    pieces, end = [], 0
    for match in _WORD_OR_LITERAL.finditer(text):
        name = match[0]
        if name == "..." and definition.variadic == VA_ARGS:
            name = VA_ARGS
        hue = hue_of(definition, name)
        if hue is not None:
            pieces += [
                _escaped(text[end : match.start()]),
                f'<span class="h h{hue}">{_escaped(match[0])}</span>',
            ]
            end = match.end()
    return "".join(pieces) + _escaped(text[end:])


def _arguments(moment: Moment) -> Iterator[str]:
    arguments = moment.step.arguments
    if not arguments:
        return
    prescanned = not moment.meeting and any(a.changed() for a in arguments)
    heads = [_("parameter"), _("argument"), *[_("expanded by itself")] * prescanned]
    yield "<table><thead><tr>"
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>\n"
    for argument in arguments:
        yield from _argument(moment, argument, prescanned)
    yield "</tbody></table>\n"


def _argument(moment: Moment, argument: Argument, prescanned: bool) -> Iterator[str]:
    hue = hue_of(moment.step.definition, argument.parameter)
    hued = "" if hue is None else f' class="h{hue}"'
    yield f'<tr><th scope="row"{hued}>{_code(argument.parameter)}</th>'
    yield f"<td{hued}>{_tokens(argument.raw)}</td>"
    if prescanned:
        after = argument.prescan.after if argument.prescan and argument.changed() else None
        yield f"<td{hued}>{'' if after is None else _tokens(after)}</td>"
    yield "</tr>\n"


# ---------------------------------------------------------------------- beside the steps


def _registry(tour: Tour) -> Iterator[str]:
    if tour.made or tour.wrong:
        title = "registry-title" if tour.made else "wrong-title"
        yield f'<section id="registry" aria-labelledby="{title}">\n'
        yield from _made(tour)
        yield from _wrong(tour)
        yield "</section>\n"


def _made(tour: Tour) -> Iterator[str]:
    if not tour.made:
        return
    yield f'<h2 id="registry-title">{_("What it registers")}</h2>\n'
    name = None
    for made in tour.made:
        if made.name != name:
            yield "</ul>\n" if name is not None else ""
            yield f"<h3>{_code(made.name)}</h3>\n<ul>\n"
            name = made.name
        since = tour.number(made.complete - 1) if made.complete else "0"
        yield f'<li class="entry" data-begun="{made.begun}" data-complete="{made.complete}">'
        from_step = _("{function}, from step {step} on").format(
            function=_code(made.function), step=since.rpartition("–")[2]
        )
        yield f"{_code(made.key)} <span class='since'>{from_step}</span></li>\n"
    yield "</ul>\n"


def _wrong(tour: Tour) -> Iterator[str]:
    if not tour.wrong:
        return
    yield '<h2 id="wrong-title">What is wrong with it</h2>\n<ul>\n'
    for diagnostic in tour.wrong:
        file, line, column = diagnostic.where
        yield f"<li><strong>{diagnostic.severity}</strong> at {_code(f'{file}:{line}:{column}')}: "
        yield "<br>\n".join(map(_quoting, diagnostic.message.splitlines()))
        if diagnostic.hint:
            yield f'<p class="hint"><strong>Hint:</strong> {_quoting(diagnostic.hint)}</p>'
        yield "</li>\n"
    yield "</ul>\n"


def _quoting(text: str) -> str:
    """A message, which puts C++ between backticks."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:  # one of them closes nothing
        return _escaped(text)
    return "".join(_code(p) if i % 2 else _escaped(p) for i, p in enumerate(pieces))


def _skyline(tour: Tour) -> Iterator[str]:
    """How deep the steps are, and where a registry entry is complete, behind the slider."""
    levels = [moment.level for moment in tour.timeline.moments]
    if not levels:
        return
    width = -(-len(levels) // _COLUMNS)
    tops = [max(levels[i : i + width]) + 1 for i in range(0, len(levels), width)]
    height = max(tops) + 1
    outline = "".join(f"V{height - top}h1" for top in tops)
    yield f'<svg viewBox="0 0 {len(tops)} {height}" preserveAspectRatio="none" aria-hidden="true">'
    yield f'<path class="depth" d="M0 {height}{outline}V{height}z"/>'
    for state in sorted({made.complete for made in tour.made}):
        x = max(state - 1, 0) // width
        yield f'<rect class="birth" x="{x}" y="0" width="1" height="{height}"/>'
    yield "</svg>"


def _tokens(tokens: list[Token]) -> str:
    return _code(short(tokens, _CELL)) if spell(tokens) else '<span class="nothing">nothing</span>'


def _code(text: str) -> str:
    return f"<code>{_escaped(text)}</code>"


def _escaped(text: str) -> str:
    """Text for HTML; what can't be shown is a dot, but lines stay lines."""
    return escape("\n".join(shown_chars(line) for line in text.split("\n")))
