"""Pieces on the disk: all of them or none, and over nothing that is there already.

One kind of file isn't the operator's alone. PHI keeps InferMetas in a few files, counted by the
tensors that come in: all that take one are in phi/infermeta/unary.h and unary.cc. So to such a file,
if it is there, only what it lacks is added: a function before the brace that closes namespace phi,
an #include line below those that are there.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from tree_sitter import Node

from registry_runtime.cxx import Span
from registry_runtime.cxx import parse as cxx
from registry_runtime.cxx.braces import UnpairedBraces, unpaired_braces
from visualizer.expansion.readable import is_below
from visualizer.migration.migration import Migration, Piece
from visualizer.migration.reading.fluid_text import parse_text, walk
from visualizer.personal import safe_file


class WouldOverwrite(Exception):
    """A piece's file is there already, and stays. `path` is the first one; is_original: the
    migration was read from it, so that no permission to overwrite will do."""

    def __init__(self, path: Path, is_original: bool) -> None:
        said = "is one of Fluid's files that were read" if is_original else "is there already"
        super().__init__(f"{path} {said}")
        self.path = path
        self.is_original = is_original


class WouldLose(Exception):
    """A shared file is there, and what is new can't be added to it. The message says why."""


def write(migration: Migration, folder: Path, overwrite: bool = False) -> list[Path]:
    """Write the pieces below `folder`; returns their paths. What several operators share is added
    to.

    Raises WouldOverwrite unless told to overwrite, and for a file that the migration was read from
    in any case; WouldLose for a shared file that can't be added to, and where a link leads out of the
    folder; and OSError if one can't be written. Then every file is as it was before.
    """
    paths = [folder / piece.path for piece in migration.pieces]
    for path in paths:
        if not is_below(path, (os.path.realpath(folder),)):
            raise WouldLose(f"{path} leads out of {folder}, to {path.resolve()}")
    originals = {old.path.resolve() for old in migration.old}
    for path, piece in zip(paths, migration.pieces, strict=True):
        is_original = path.resolve() in originals
        if is_original or (path.exists() and not overwrite and not piece.is_shared):
            raise WouldOverwrite(path, is_original)
    texts = [_text_for(p, piece) for p, piece in zip(paths, migration.pieces, strict=True)]
    before = {path: _bytes_of(path) for path in paths}
    made: list[Path] = []
    try:
        for path, text in zip(paths, texts, strict=True):
            safe_file.write(path, text, mode=0o644)
            made.append(path)
    except BaseException:
        for path in made:
            _put_back(path, before[path])
        raise
    return paths


def _text_for(path: Path, piece: Piece) -> str:
    """What is to stand in the file."""
    there = _bytes_of(path) if piece.is_shared else None
    if there is None:
        return piece.text
    try:
        return _joined(there.decode(), piece.text)
    except UnicodeDecodeError as error:
        raise WouldLose(f"{path} isn't UTF-8, so that nothing can be added to it") from error
    except CannotJoin as error:
        raise WouldLose(f"{path} {error}") from error


def _bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _put_back(path: Path, data: bytes | None) -> None:
    with contextlib.suppress(OSError):
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data)


# --- Adding to a file that several operators share ------------------------------------------------


_PAIRED = UnpairedBraces((), ())


class CannotJoin(Exception):
    """Why a file can't be added to, to be said behind its name."""


def _joined(there: str, new: str) -> str:
    """`there`, and those functions of `new` that it lacks. What is there keeps every character.

    Raises CannotJoin where `there` has no namespace phi that is closed, or has a function of the
    same name that says something else.
    """
    old, added = parse_text(there), parse_text(new)
    space = next(_spaces(old), None)
    if space is None:
        raise CannotJoin("has no namespace phi to add to: choose another folder")
    if unpaired_braces(body := old.spell(space)) != _PAIRED or body[-1:] != "}":
        raise CannotJoin("has braces that don't pair up, so that nothing can be added: correct it")
    flat = _one_line(there)
    missing: list[str] = []
    for name, text in _functions(added):
        if _one_line(text) in flat:
            continue
        if re.search(rf"\b{name}\s*\(", there):
            raise CannotJoin(f"has another {name}: take that out of it, or choose another folder")
        missing.append(text)
    if not missing:
        return there
    closing = space.end_byte - 1
    before = there[:closing]
    gap = "" if before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
    text = before + gap + "".join(f"{each}\n\n" for each in missing) + there[closing:]
    at, lines = _place_of_includes(old), _missing_includes(old, added)
    if at == 0 and lines:
        lines.append("\n")
    return text[:at] + "".join(lines) + text[at:]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _spaces(source: cxx.Source) -> Iterator[Node]:
    """The bodies of namespace phi."""
    for node in walk(source.root):
        if node.type == "namespace_definition":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name is not None and body is not None and source.spell(name) == "phi":
                yield body


def _functions(source: cxx.Source) -> Iterator[tuple[str, str]]:
    """The functions in namespace phi, defined or declared: name and text."""
    for space in _spaces(source):
        for node in walk(space):
            if node.type not in ("function_definition", "declaration") or _is_local(node, space):
                continue
            head = next((n for n in walk(node) if n.type == "function_declarator"), None)
            name = head.child_by_field_name("declarator") if head is not None else None
            if name is not None:
                yield source.spell(name), source.spell(node)


def _is_local(node: Node, space: Node) -> bool:
    here = node.parent
    while here is not None and here.id != space.id:
        if here.type in ("compound_statement", "field_declaration_list"):
            return True
        here = here.parent
    return False


def _includes(source: cxx.Source) -> Iterator[tuple[str, Span]]:
    """The #include lines that stand under no condition."""
    for node in source.root.children:
        path = node.child_by_field_name("path") if node.type == "preproc_include" else None
        if path is not None:
            yield source.spell(path), Span(node.start_byte, node.end_byte)


def _missing_includes(old: cxx.Source, added: cxx.Source) -> list[str]:
    there = {path for path, _ in _includes(old)}
    return [f"#include {path}\n" for path, _ in _includes(added) if path not in there]


def _place_of_includes(source: cxx.Source) -> int:
    """Below the last line that includes something; else below #pragma once; else at the top."""
    ends = [span.end for _, span in _includes(source)]
    if not ends:
        once = source.text.find("#pragma once")
        ends = [once] if once >= 0 else []
    if not ends:
        return 0
    end = max(ends)
    if source.text[end - 1 : end] == "\n":
        return end
    return source.text.find("\n", end) + 1 or len(source.text)
