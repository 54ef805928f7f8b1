"""What a migration's screen says in words: the card of a mark."""

from __future__ import annotations

from textual.content import Content

from visualizer.layout.rows import BAD, GOOD, QUIET, STRONG, labelled
from visualizer.layout.words import Part, Parts, Word, clipped, fill, prose
from visualizer.migration.migration import Mark, Migration
from visualizer.migration.table import Rule
from visualizer.tui.dialogs.panel import table
from visualizer.tui.dialogs.unabridged import MORE

_ROOM = 9  # what stands before each fact
_AS_LONG_AS_IT_IS = 10_000  # columns and rows
_VERSION = "3.3.1"  # whose headers say what the guide doesn't


def card(migration: Migration, mark: Mark, width: int, height: int) -> list[Parts]:
    """Of one mark: whether it is done and where, what became of what, and by which rule. Code has what
    the rest leaves of the height."""
    done = mark.status == "done"
    status = _status(migration, mark, width)
    rule = labelled("rule", _rule(mark.rule), width, room=_ROOM) if done or mark.rule.phi else []
    nothing = "it is left out" if done else "as it was, with a comment: TODO(migrate)"
    fluid = _code("Fluid", mark.idiom, "nothing stands here", width)
    phi = _code("PHI", mark.becomes, nothing, width)
    room = max(height - len(status) - len(rule), 2)
    theirs = max(room // 2, room - len(fluid))
    ours = max(room - len(phi), room - theirs)
    return [*status, *_cut(fluid, ours, width), *_cut(phi, theirs, width), *rule]


def unabridged(migration: Migration, mark: Mark) -> Content:
    """The card and the list of files, whole."""
    rows = card(migration, mark, _AS_LONG_AS_IT_IS, _AS_LONG_AS_IT_IS)
    files: list[tuple[str | Content, ...]] = [(p.path, p.role) for p in migration.pieces]
    told = Content("\n").join(Content("".join(text for text, _ in row)) for row in rows)
    return Content("\n\n").join([told, table(files)])


def source(rule: Rule) -> str:
    """Who says so."""
    if rule.section == _VERSION:
        return f"Paddle {_VERSION}"
    return f"{rule.section} of the guide"


def _status(migration: Migration, mark: Mark, width: int) -> list[Parts]:
    where = ""
    if mark.new is not None:
        piece = migration.pieces[mark.new.file]
        line = piece.text.count("\n", 0, mark.new.span.start) + 1
        where = f"{piece.path}:{line}, {piece.role}"
    if mark.status == "done":
        words = [Word("done", 0, STRONG)]
        words += [Word(word, 1) for word in f"in {where}".split() if where]
        return _signed(("✓ ", GOOD), fill(words, width - 2, hanging=0))
    rows = prose(f"needs a person: {mark.reason}", width - 2, STRONG)
    found = _signed(("! ", BAD), rows)
    return found + (labelled("in", where, width, room=_ROOM) if where else [])


def _signed(sign: Part, rows: list[Parts]) -> list[Parts]:
    return [[sign if i == 0 else ("  ", ()), *row] for i, row in enumerate(rows)]


def _rule(rule: Rule) -> str:
    """The row of the table. Misspelt ones are what a reader of the guide looks for in vain."""
    became = f"{rule.fluid} → {rule.phi}"
    if not rule.phi:
        became = f"{rule.fluid} is left out"
    elif not rule.fluid:
        became = f"{rule.phi} is added"
    printed = f"; printed there: {rule.printed}" if rule.printed else ""
    return f"{became} ({source(rule)}{printed})"


def _code(name: str, text: str, nothing: str, width: int) -> list[Parts]:
    if not text.strip():
        return labelled(name, nothing, width, QUIET, _ROOM)
    return labelled(name, text, width, STRONG, _ROOM)


def _cut(rows: list[Parts], most: int, width: int) -> list[Parts]:
    if len(rows) <= most:
        return rows
    last = clipped(rows[most - 1], width - len(MORE))
    return [*rows[: most - 1], [*last, (MORE, QUIET)]]
