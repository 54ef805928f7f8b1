"""What a migration's screen says in words: the card of a mark."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from visualizer.layout.rows import BAD, GOOD, QUIET, STRONG, labelled
from visualizer.layout.words import Part, Parts, Word, clipped, fill, prose
from visualizer.messages import N_, _
from visualizer.migration.compiling import Compiled
from visualizer.migration.migration import (
    GUESS,
    STATUSES,
    UNSETTLED,
    Mark,
    Migration,
    Piece,
    Status,
    line_of,
)
from visualizer.migration.table import Rule
from visualizer.tui.dialogs.panel import table
from visualizer.tui.dialogs.unabridged import MORE

_ROOM = 9  # what stands before each fact
_AS_LONG_AS_IT_IS = 10_000  # columns and rows
_SAID: dict[Status, str] = {
    "proved": N_("proved"),
    "written": N_("written"),
    "guess": N_("a guess"),
    "left to you": N_("left to you"),
}
_COUNTED: dict[Status, str] = {
    "proved": N_("{count} proved"),
    "written": N_("{count} written"),
    "guess": N_("{count} guessed"),
    "left to you": N_("{count} left to you"),
}
_HUES = {
    "proved": "$success",
    "written": "",
    "guess": "bold $warning",
    "left to you": "bold $error",
}
_VERSION = "3.3.1"  # whose headers say what the guide doesn't


def card(migration: Migration, mark: Mark, width: int, height: int) -> list[Parts]:
    """Of one mark: whether it is done and where, what became of what, and by which rule. Code has what
    the rest leaves of the height."""
    done = mark.status not in UNSETTLED
    status = _status(migration, mark, width)
    rule = labelled("rule", _rule(mark.rule), width, room=_ROOM) if done or mark.rule.phi else []
    nothing = "it is left out" if done else "as it was, with a comment: TODO(migrate)"
    if mark.status == "guess":
        nothing = "it was put, with a comment: TODO(migrate)"
    fluid = _code("Fluid", mark.idiom, "nothing stands here", width)
    phi = _code("PHI", mark.becomes, nothing, width)
    room = max(height - len(status) - len(rule), 2)
    theirs = max(room // 2, room - len(fluid))
    ours = max(room - len(phi), room - theirs)
    return [*status, *_cut(fluid, ours, width), *_cut(phi, theirs, width), *rule]


def unabridged(migration: Migration, mark: Mark, verdicts: Mapping[int, Compiled]) -> Content:
    """The card and the list of files, whole, with what the compiler said of each."""
    rows = card(migration, mark, _AS_LONG_AS_IT_IS, _AS_LONG_AS_IT_IS)
    files: list[tuple[str | Content, ...]] = [
        (p.path, role_of(p), verdicts[i].told() if i in verdicts else "")
        for i, p in enumerate(migration.pieces)
    ]
    told = Content("\n").join(Content("".join(text for text, _ in row)) for row in rows)
    return Content("\n\n").join([told, table(files)])


def role_of(piece: Piece) -> str:
    """What a piece is, in a few words."""
    backend, _space, rest = piece.role.partition(" ")
    if backend.isupper() and rest == "kernel":
        return _("{backend} kernel").format(backend=backend)
    return _(piece.role)


def note(migration: Migration, number: int, verdict: Compiled | None) -> str:
    """What a piece is, behind a sign for what there is to do in it, or that the compiler takes it."""
    here = [m for m in migration.left if m.new is not None and m.new.file == number]
    sign = "! " if any(m.status == "left to you" for m in here) else "? " if here else ""
    if verdict is not None and verdict.errors:
        sign = "✗ "
    elif verdict is not None and not verdict.missing and not sign:
        sign = "✓ "
    return sign + role_of(migration.pieces[number])


def counts(migration: Migration) -> Content:
    """How many marks have which word."""
    parts = [
        Content.styled(_(_COUNTED[status]).format(count=count), _HUES[status])
        for status in STATUSES
        if (count := migration.count(status)) or status == "left to you"
    ]
    return Content(", ").join(parts)


def source(rule: Rule) -> str:
    """Who says so."""
    if rule.section == _VERSION:
        return f"Paddle {_VERSION}"
    return _("{section} of the guide").format(section=rule.section)


def _status(migration: Migration, mark: Mark, width: int) -> list[Parts]:
    where = ""
    if mark.new is not None:
        piece = migration.pieces[mark.new.file]
        where = f"{piece.path}:{line_of(piece, mark.new)}, {role_of(piece)}"
    if mark.status not in UNSETTLED:
        words = [Word(_(_SAID[mark.status]), 0, STRONG)]
        said = _("in {where}").format(where=where)
        words += [Word(word, 1) for word in said.split() if where]
        return _signed(("✓ ", GOOD), fill(words, width - 2, hanging=0))
    reason = mark.reason.removeprefix(GUESS)
    rows = prose(f"{_(_SAID[mark.status])}: {reason}", width - 2, STRONG)
    found = _signed(("? " if mark.status == "guess" else "! ", BAD), rows)
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
