"""One state of an expansion as a picture: the line, what happened to it, and what comes next.

The text is text, so that it can be selected, searched and read aloud; the fonts are the reader's own.
Each row says how long it is, so that it fits its picture in any monospaced font. What the next step
consumes is underlined, what the last one produced is bold, and a painted name is in italics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from rich.cells import cell_len

from visualizer.expansion.hiding import narration
from visualizer.expansion.sentences import ending
from visualizer.expansion.tokens import PUNCTUATOR, Token
from visualizer.layout.colours import DARK, LIGHT
from visualizer.layout.line_layout import gap, lay_out, shown_text
from visualizer.layout.row_breaks import filled
from visualizer.layout.shown import shown_chars
from visualizer.layout.words import HUE_STYLES, Parts
from visualizer.messages import N_, _, spoken
from visualizer.scene.marks import arguments_in_line, consumed, produced
from visualizer.scene.tour import Tour

_CELL, _ROW, _SIZE = 8.4, 20, 14  # a character's width, a row's height, the font's size, in pixels
_EDGE = 16  # the picture's margin
WIDTH = 100  # of a row, in characters
_MARGIN = 3  # cells at the left, where signs stand beside the rows
_LEGEND = {
    "consumed": N_("underlined: what the next step takes"),
    "produced": N_("bold: what the last step made"),
    "painted": N_("italics: a name that stays as it is"),
}


_LOOK_OF = {
    **{style: f"h{n}" for n, style in enumerate(HUE_STYLES)},
    "pane--quiet": "quiet",
    "pane--strong": "strong",
    "pane--accent": "head",
    "pane--good": "produced-sign",
}
_SIGNS = ((0, "+", "produced"), (0, "−", "gone"), (1, "▸", "head"))


class _Run(NamedTuple):
    """Text of one look, from a cell of its row on."""

    cell: int
    text: str
    look: tuple[str, ...]


def svg(tour: Tour, state: int, width: int = WIDTH, picture: Sequence[Parts] = ()) -> Iterator[str]:
    """The picture of one state, piece by piece; `width` is that of a row, in characters. What is drawn
    of the macros in that state stands below the line.

    Only a name that is longer makes it wider. Raises IndexError where there is no such state.
    """
    if not 0 <= state <= len(tour.timeline):
        raise IndexError(f"there are {len(tour.timeline) + 1} states; {state} is none of them")
    rows = list(_rows(tour, state, width))
    title = f"{tour.expansion.macro} at {tour.place}, step {state} of {len(tour.timeline)}"
    told = list(_told(tour, state, width))
    pictured = [*map(_runs, picture)]
    cells = max([width, len(title), *(_MARGIN + _length(row) for row in (*rows, *pictured))])
    high = 2 * _EDGE + _ROW * (len(rows) + len(told) + 4 + (len(pictured) + 1) * bool(pictured))
    wide = 2 * _EDGE + cells * _CELL
    yield f'<svg xmlns="http://www.w3.org/2000/svg" xml:lang="{spoken()}" '
    yield f'width="{wide:.0f}" height="{high}" '
    yield f'viewBox="0 0 {wide:.0f} {high}" role="img" aria-labelledby="title told">\n'
    yield f'<title id="title">{_escaped(title)}</title>\n'
    yield f'<desc id="told">{_escaped(" ".join(text for text, _ in told))}</desc>\n'
    yield f"<style>\n{_STYLE}</style>\n"
    yield f'<rect class="ground" width="{wide:.0f}" height="{high}" rx="6"/>\n'
    y = _EDGE + _ROW - 6
    yield _text(y, [_Run(0, title, ("strong",))])
    y += 2 * _ROW
    for row in rows:
        yield from _grounds(y, row)
        yield _text(y, row)
        y += _ROW
    y += _ROW // 2
    for row in [*pictured, []] if pictured else []:
        yield _text(y, row)
        y += _ROW
    for text, look in told:
        yield _text(y, [_Run(0, text, (look,))])
        y += _ROW
    worn = {role for row in rows for run in row for role in run.look}
    legend = "   ".join(_(text) for role, text in _LEGEND.items() if role in worn)
    yield _text(y + _ROW // 2, [_Run(0, legend, ("quiet",))])
    yield "</svg>\n"


def drawing(title: str, picture: Sequence[Parts], told: str, width: int = WIDTH) -> Iterator[str]:
    """A drawing that belongs to no line: the picture, and below it a sentence."""
    rows = [[_Run(0, title, ("strong",))], [], *map(_runs, picture), []]
    rows += [[_Run(0, row, ("quiet",))] for row in filled(shown_chars(told), width)]
    cells = max(_MARGIN + width, *map(_length, rows))
    wide, high = 2 * _EDGE + cells * _CELL, 2 * _EDGE + _ROW * len(rows)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" xml:lang="{spoken()}" '
    yield f'width="{wide:.0f}" height="{high}" '
    yield f'viewBox="0 0 {wide:.0f} {high}" role="img" aria-labelledby="title told">\n'
    yield f'<title id="title">{_escaped(title)}</title>\n'
    yield f'<desc id="told">{_escaped(told)}</desc>\n'
    yield f"<style>\n{_STYLE}</style>\n"
    yield f'<rect class="ground" width="{wide:.0f}" height="{high}" rx="6"/>\n'
    for n, row in enumerate(rows):
        yield _text(_EDGE + _ROW * (n + 1) - 6, row)
    yield "</svg>\n"


def _rows(tour: Tour, state: int, width: int) -> Iterator[list[_Run]]:
    line = tour.timeline.state(state)
    tokens = [*line, *tour.tail]
    looks = _looks(tour, state, tokens, len(line))
    row: list[_Run] = []
    for first, last, indent, skip, _stop in lay_out(tokens, width - _MARGIN):
        if not skip:  # else the first token was cut for a screen, and stands here as a whole
            if row:
                yield _signed(row)
            row = [_Run(_MARGIN + indent, shown_text(tokens[first]), looks[first])]
        for i in range(first + 1, last):
            blank = " " * gap(tokens[i - 1], tokens[i])
            text, look = shown_text(tokens[i]), looks[i]
            before = row[-1]
            if look == before.look:
                row[-1] = before._replace(text=f"{before.text}{blank}{text}")
                continue
            if any(role in look and role in before.look for role in ("produced", "consumed")):
                row[-1] = before._replace(text=before.text + blank)  # marked like what it is within
            row.append(_Run(before.cell + cell_len(before.text + blank), text, look))
    if row:
        yield _signed(row)


def _runs(parts: Parts) -> list[_Run]:
    """A row of a pane, with its looks."""
    runs, at = [], 0
    for text, styles in parts:
        if text.strip():
            look = tuple(_LOOK_OF[style] for style in styles if style in _LOOK_OF)
            runs.append(_Run(_MARGIN + at, text.rstrip(), look))
        at += cell_len(text)
    return runs


def _looks(tour: Tour, state: int, tokens: list[Token], length: int) -> list[tuple[str, ...]]:
    moments = tour.timeline.moments
    upcoming = moments[state] if state < len(moments) else None
    happened = moments[state - 1] if state else None
    looks: list[list[str]] = [
        ["quiet"] if t.kind == PUNCTUATOR or i >= length else [] for i, t in enumerate(tokens)
    ]
    if happened is not None:
        for i in produced(happened):
            looks[i].append("produced")
        if happened.remove and not happened.insert and tokens:
            looks[min(happened.at, len(tokens) - 1)].append("gone")
    if upcoming is not None:
        looks[upcoming.at].append("head")
        for i in consumed(upcoming):
            looks[i].append("consumed")
        for where, hue in [] if tour.hides(state) else arguments_in_line(upcoming):
            for i in where:
                looks[i].append(f"h{hue}")
    for look, token in zip(looks, tokens, strict=True):
        if token.painted:
            look.append("painted")
    return [tuple(look) for look in looks]


def _signed(row: list[_Run]) -> list[_Run]:
    """A row with the signs beside it, so that it also reads without colours and fonts."""
    roles = {role for run in row for role in run.look}
    here = [_Run(cell, sign, (f"{role}-sign",)) for cell, sign, role in _SIGNS if role in roles]
    return here + row


def _told(tour: Tour, state: int, width: int) -> Iterator[tuple[str, str]]:
    """The sentences below the line, in rows, each with its look."""
    moments = tour.timeline.moments
    happened = narration(moments[state - 1]) if state else "This stands in the source."
    upcoming = narration(moments[state]) if state < len(moments) else ending(tour.expansion)
    for mark, text, look in (("✓", happened, "plain"), ("▸", upcoming, "quiet")):
        rows = filled(shown_chars(text), width - 2)
        yield from ((f"{mark if i == 0 else ' '} {row}", look) for i, row in enumerate(rows))


def _length(row: list[_Run]) -> int:
    return row[-1].cell + cell_len(row[-1].text) if row else 0


def _grounds(y: float, row: list[_Run]) -> Iterator[str]:
    """What lies under the stretches that are marked."""
    for role in ("produced", "consumed"):
        marked = [run for run in row if role in run.look]  # they stand beside each other
        if marked:
            x = _EDGE + marked[0].cell * _CELL
            wide = (_length(marked) - marked[0].cell) * _CELL
            yield f'<rect class="on-{role}" x="{x:.1f}" y="{y - _SIZE - 1}" '
            yield f'width="{wide:.1f}" height="{_ROW - 1}"/>\n'


def _text(y: float, row: list[_Run]) -> str:
    spans = []
    ends = [0, *(run.cell + cell_len(run.text) for run in row)]
    for run, end in zip(row, ends, strict=False):
        spans.append(" " * (run.cell - end))
        text = _escaped(run.text)
        spans.append(f'<tspan class="{" ".join(run.look)}">{text}</tspan>' if run.look else text)
    length = _length(row) * _CELL
    return (
        f'<text x="{_EDGE}" y="{y}" textLength="{length:.1f}" xml:space="preserve">'
        f"{''.join(spans)}</text>\n"
    )


def _escaped(text: str) -> str:
    return escape(shown_chars(text), quote=False)


def _colours(colour: dict[str, str]) -> str:
    fills = {".ground": "ground", "text": "text", ".quiet": "quiet"}
    fills |= {".on-consumed": "ground-consumed", ".on-produced": "ground-produced"}
    fills |= {f".{name}": name for name in colour if name[0] == "h"}
    fills |= {".head, .head-sign": "consumed", ".produced-sign, .gone-sign": "produced"}
    return " ".join(f"{selector} {{ fill: {colour[name]} }}" for selector, name in fills.items())


_FONTS = 'ui-monospace, Menlo, Consolas, "Noto Sans Mono CJK SC", monospace'
_STYLE = f"""\
text {{ font: {_SIZE}px {_FONTS}; white-space: pre }}
.strong, .produced, .head-sign, .produced-sign, .gone-sign {{ font-weight: bold }}
.consumed {{ text-decoration: underline }}
.painted {{ font-style: italic }}
{_colours(LIGHT)}
@media (prefers-color-scheme: dark) {{ {_colours(DARK)} }}
"""
