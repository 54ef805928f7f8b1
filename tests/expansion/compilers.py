"""gcc and clang as second opinions: what they make of a text, as a list of token spellings."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from contextvars import Context
from pathlib import Path

import pytest

from visualizer.expansion.lexer import tokenize

INSTALLED = [c for c in ("g++", "clang++") if shutil.which(c)]

needs_compiler = pytest.mark.skipif(not INSTALLED, reason="neither g++ nor clang++ is installed")


_SUFFIX = re.compile(r"(?<=[\"'])[^\W\d]\w*\Z")


def spellings(text: str) -> list[str]:
    """The tokens of preprocessed text: layout is not compared, only what a parser would see. A suffix
    is one by itself: in what gcc prints a name that never was one touches a string too.

    A limit on memory that a command has set in this process is for its reading, and not for this."""
    read = Context().run(lambda: list(tokenize(text, "")))
    lines = [[t for word in line for t in _parted(word.text)] for line in read]
    return [t for line in lines if line[:2] != ["#", "pragma"] for t in line]


def _parted(text: str) -> list[str]:
    suffix = _SUFFIX.search(text) if text[0] in "\"'uULR" else None
    return [text] if suffix is None else [text[: suffix.start()], suffix.group()]


def preprocessed_by(compiler: str, file: Path, flags: Sequence[str] = ()) -> list[str] | None:
    """The compiler's tokens, or None where it reports an error."""
    command = [compiler, "-E", "-P", "-w", "-x", "c++", "-std=gnu++20", *flags, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return spellings(done.stdout) if done.returncode == 0 else None
