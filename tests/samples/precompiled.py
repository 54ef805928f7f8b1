"""Headers that a compiler has read beforehand: what is common to hundreds of compilations is read once.

Reading a few headers of the standard library takes three times as long as the sample behind them.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from functools import cache
from itertools import pairwise
from pathlib import Path


@cache
def kept() -> Path:
    """A folder of this process, for what is compiled once in it."""
    folder = tempfile.mkdtemp(prefix="unfold-precompiled-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def precompiled(compiler: str, *words: str) -> tuple[str, ...]:
    """The same words for the same compiler, but what they `-include` is read already. What is compiled
    may be for other `-D`; g++ reads the headers themselves where what it has read doesn't fit."""
    names = [name for word, name in pairwise(words) if word == "-include"]
    others = [word for word in words if word != "-include" and word not in names]
    header = kept() / f"{len(list(kept().iterdir()))}.h"
    header.write_text("".join(f"#include <{name}>\n" for name in names))
    made = header.with_suffix(".h.gch" if compiler == "g++" else ".h.pch")
    command = [compiler, *others, "-x", "c++-header", str(header), "-o", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    beside = ("-include", str(header)) if compiler == "g++" else ("-include-pch", str(made))
    return (*others, *beside)
