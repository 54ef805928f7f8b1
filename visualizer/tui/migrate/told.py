"""What a migration's screen says in words: the card of a mark."""

from __future__ import annotations

from visualizer.layout.words import Part, Parts, clipped, prose
from visualizer.migration.migration import Mark, Migration
from visualizer.migration.table import Rule

_INDENT = 9  # what stands before each fact
_VERSION = "3.3.1"  # whose headers say what the guide doesn't


def card(migration: Migration, mark: Mark, width: int) -> list[Parts]:
    """Of one mark: whether it is done and where, what became of what, and by which rule."""
    done = mark.status == "done"
    rows = _status(migration, mark, width)
    rows.append(_code("Fluid", mark.idiom, "nothing stands here", width))
    if done or mark.becomes:
        rows.append(_code("PHI", mark.becomes, "it is left out", width))
    else:
        rows.append(_code("PHI", "", "as it was, with a comment: TODO(migrate)", width))
    if done or mark.rule.phi:
        rows += _fact("rule", _rule(mark.rule), width)
    return rows


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
        said: Parts = [("✓ ", ("pane--good",)), ("done", ("pane--strong",))]
        return [clipped([*said, (f" in {where}" if where else "", ())], width, "…")]
    rows = prose(f"needs a person: {mark.reason}", width - 2, ("pane--strong",))
    signs: list[Part] = [("! ", ("pane--bad",)), *[("  ", ())] * (len(rows) - 1)]
    found = [[sign, *row] for sign, row in zip(signs, rows, strict=True)]
    return found + (_fact("in", where, width) if where else [])


def _rule(rule: Rule) -> str:
    """The row of the table. Misspelt ones are what a reader of the guide looks for in vain."""
    became = f"{rule.fluid} → {rule.phi}"
    if not rule.phi:
        became = f"{rule.fluid} is left out"
    elif not rule.fluid:
        became = f"{rule.phi} is added"
    printed = f"; printed there: {rule.printed}" if rule.printed else ""
    return f"{became} ({source(rule)}{printed})"


def _fact(name: str, text: str, width: int) -> list[Parts]:
    rows = prose(text, width - _INDENT)
    names = [name, *[""] * (len(rows) - 1)]
    return [[_named(n), *row] for n, row in zip(names, rows, strict=True)]


def _code(name: str, text: str, nothing: str, width: int) -> Parts:
    line = " ".join(text.split())
    shown: Parts = [(line, ("pane--strong",))] if line else [(nothing, ("pane--quiet",))]
    return [_named(name), *clipped(shown, width - _INDENT, "…")]


def _named(name: str) -> Part:
    return f"{name:<{_INDENT}}", ("pane--quiet",)
