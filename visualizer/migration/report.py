"""A migration in words: what was done where, what is left, the pieces one after the other, and the
command that loads them once they are written.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from visualizer.expansion import Diagnostic
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source
from visualizer.expansion.wording import counted
from visualizer.migration.compiling import why_not_compiled
from visualizer.migration.migration import GUESS, STATUSES, UNSETTLED, Mark, Migration, line_of
from visualizer.migration.reading.fluid_text import source_at
from visualizer.migration.table import GUIDE_ROWS
from visualizer.workbench.samples import samples_folder


def as_text(
    migration: Migration,
    verdicts: Mapping[str, str],
    not_compiled: str = "",
    ran: Sequence[str] = (),
    most: int | None = None,
    cuda: str = "",
) -> Iterator[str]:
    """A line a mark, with one of the four words; then the pieces' names, with what the compiler said of
    them or why it wasn't asked, what came of running both bodies, and how many marks have each word.
    Of a stretch of code, `most` letters. `cuda` is the path of CUDA's compiler, if it is there."""
    for mark in migration.marks:
        file, line, column = _where(migration, mark)
        where = f"{file}:{line}:{column}"
        idiom = _line(mark.idiom, most) or "(new)"
        if mark.status in UNSETTLED:
            reason = mark.reason.removeprefix(GUESS)
            yield f"{where}: {mark.status}: {idiom}: {reason}{_in_piece(migration, mark)}"
        else:
            becomes = _line(mark.becomes, most) or "(taken out)"
            rule = f"[{mark.rule.section} {mark.rule.key}]"
            yield f"{where}: {mark.status}: {idiom} -> {becomes}  {rule}"
    yield ""
    for piece in migration.pieces:
        said = verdicts.get(piece.path) or (
            why_not_compiled(migration, piece, cuda) if verdicts else ""
        )
        lines = counted(piece.text.count("\n"), "line")
        yield f"{piece.path}: {lines}" + (f", {said}" if said else "")
    for path in migration.superseded:
        yield f"{display_path(path)}: nothing is left of it, delete it when the rest is in place"
    if not_compiled:
        yield not_compiled
    yield from ran
    counts = {status: migration.count(status) for status in STATUSES}
    words = {**{s: s for s in STATUSES}, "guess": "guess" if counts["guess"] == 1 else "guesses"}
    yield ", ".join(f"{counts[status]} {words[status]}" for status in STATUSES)


def _in_piece(migration: Migration, mark: Mark) -> str:
    """`  (paddle/phi/kernels/cpu/x_kernel.cc:12)`"""
    if mark.new is None:
        return ""
    piece = migration.pieces[mark.new.file]
    return f"  ({piece.path}:{line_of(piece, mark.new)})"


def as_json(migration: Migration) -> str:
    """All of it, for other programs. Lines and columns count from 1."""
    marks = [
        {
            "rule": mark.rule.key,
            "section": mark.rule.section,
            "in_a_table": mark.rule in GUIDE_ROWS,
            "file": str(where[0]),
            "line": where[1],
            "column": where[2],
            "idiom": mark.idiom,
            "becomes": mark.becomes,
            "piece": None if mark.new is None else migration.pieces[mark.new.file].path,
            "status": mark.status,
            "reason": mark.reason,
        }
        for mark in migration.marks
        for where in [_where(migration, mark)]
    ]
    pieces = [{"path": piece.path, "text": piece.text} for piece in migration.pieces]
    superseded = [display_path(path) for path in migration.superseded]
    return json.dumps({"pieces": pieces, "marks": marks, "superseded": superseded}, indent=1)


def pieces(migration: Migration) -> Iterator[str]:
    """Each piece under its path."""
    for piece in migration.pieces:
        yield f"==> {piece.path} <==\n{piece.text}"


def warnings(migration: Migration) -> list[Diagnostic]:
    """What isn't settled, at its place in the old file."""
    return [
        Diagnostic(
            "warning",
            mark.reason if mark.status == "guess" else f"left as it is: {mark.reason}",
            Source(*_where(migration, mark)),
            f"look for TODO(migrate) in {migration.pieces[mark.new.file].path}"
            if mark.new is not None
            else "",
        )
        for mark in migration.left
    ]


def _where(migration: Migration, mark: Mark) -> Source:
    old = migration.old[mark.old.file]
    return source_at(old.path, old.text, mark.old.span.start)


def _line(text: str, most: int | None) -> str:
    """A stretch of code as one line."""
    line = " ".join(text.split())
    return line if most is None or len(line) <= most else line[: most - 1] + "…"


# --- The command that loads it --------------------------------------------------------------------


def command(migration: Migration, folder: Path) -> str:
    """`unfold kernels out/phi/kernels/cpu/x_kernel.cc … -I …`, for pieces that lie below `folder`.

    Pieces for Paddle's own tree find each other from the folder, and the rest in the tree that the
    old files are of. Where they are in none, it is in an installed paddlepaddle; that brings no
    headers of Fluid's, so what stays in Fluid is left out.
    """
    units = [piece.path for piece in migration.pieces if piece.path.endswith((".cc", ".cu"))]
    flags = [f for name in ("phi", "fluid") for f in ("-I", display_path(samples_folder() / name))]
    if any(path.startswith("paddle/") for path in units):
        tree = _paddle(migration.old[0].path.resolve())
        if tree is None:
            units = [path for path in units if path.startswith("paddle/phi/")]
        rest = ["--paddle"] if tree is None else ["-I", display_path(tree)]
        flags = ["-I", display_path(folder), *rest]
    files = [display_path(folder / path) for path in units]
    return shlex.join(["unfold", "kernels", *files, *flags])


def _paddle(file: Path) -> Path | None:
    """The root of the tree, for a file below ROOT/paddle/fluid."""
    return next((p.parent.parent for p in file.parents if p.match("paddle/fluid")), None)
