"""What the compilers say of a file's includes: the macros at its end, and the files it read."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from visualizer.expansion import Options, Trace, preprocess
from visualizer.expansion.definitions import Definition, read_definition
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.tokens import Token

Shape = tuple[tuple[str, ...] | None, str | None, tuple[str, ...]]


def shape(definition: Definition) -> Shape:
    """What a definition means: parameters, variadic name, replacement."""
    replacement = tuple(t.text for t in definition.replacement)
    return definition.parameters, definition.variadic, replacement


def macros_of(compiler: str, file: Path, std: str, folders: Sequence[str] = ()) -> dict[str, Shape]:
    """The macro table at the end, as `-dM` prints it."""
    name = Token("identifier", "define", False, tokenize("x", "")[0][0].origin)
    lines = (tokenize(line, "")[0][2:] for line in _said(compiler, "-dM", file, std, folders))
    return {line[0].text: shape(read_definition(line, name)) for line in lines}


def files_of(compiler: str, file: Path, std: str, folders: Sequence[str] = ()) -> set[str]:
    """The included files, as `-M` lists them; the one that gcc includes unasked left out."""
    text = " ".join(_said(compiler, "-M", file, std, folders)).replace("\\", " ")
    words = text.partition(": ")[2].split()
    return {os.path.realpath(w) for w in words if "stdc-predef" not in w} - {os.path.realpath(file)}


def scanned(compiler: str, file: Path, std: str, folders: Sequence[str] = ()) -> Trace:
    """Ours, with included text skipped."""
    return preprocess(file, Options(tuple(folders), cc=compiler, std=std), skip_included_text=True)


def _said(compiler: str, what: str, file: Path, std: str, folders: Sequence[str]) -> list[str]:
    language = "c++" if "++" in std else "c"
    flags = [f"-I{folder}" for folder in folders]
    command = [compiler, "-E", what, "-w", "-x", language, f"-std={std}", *flags, str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
