"""The definition that is in force at a place, in a header too: what gcc and clang replace a name with
that is written there."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from visualizer.expansion import Options
from visualizer.expansion.tokens import Source, spell
from visualizer.expansion.why.history import record

COMPILERS = [c for c in ("gcc", "clang") if shutil.which(c)]
needs_compiler = pytest.mark.skipif(not COMPILERS, reason="neither gcc nor clang is installed")
NAME = "NAME"


def lines(rng: random.Random, file: str) -> Iterator[str]:
    """Definitions of one name, each of another text, in and out of conditionals, and text."""
    for n in range(12):
        match rng.randrange(6):
            case 0:
                yield f"#undef {NAME}"
                yield f"#define {NAME} {file}_{n}"
            case 1:
                yield f"#undef {NAME}"
            case 2:
                yield f"#if{rng.choice(('', 'n'))}def {NAME}"
                yield f"#undef {NAME}"
                yield f"#define {NAME} {file}_{n}_inside"
                yield "#endif"
            case 3 if file == "main":
                yield f'#include "{rng.choice(("a.h", "b.h"))}"'
            case 4:
                yield f'#pragma {rng.choice(("push", "pop"))}_macro("{NAME}")'
            case _:
                yield ";"


def replaced(compiler: str, folder: Path, marker: str) -> str | None:
    """What a name behind the marker has become, the first time that it is read."""
    command = [compiler, "-E", "-P", "-w", str(folder / "main.c")]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return out[out.index(marker) + 1] if marker in out else None


@needs_compiler
@pytest.mark.parametrize("seed", range(25))
def test_it_is_what_a_name_there_is_replaced_with(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    texts = {f"{name}.h": [*lines(rng, name)] for name in ("a", "b")}
    texts["main.c"] = ['#include "a.h"', *lines(rng, "main"), '#include "b.h"']
    file = rng.choice([*texts])
    line = rng.randrange(1, len(texts[file]) + 1)
    for name, text in texts.items():
        (tmp_path / name).write_text("\n".join(text) + "\n")
    place = Source(str(tmp_path / file), line, 1)
    known = record(tmp_path / "main.c", Options(), {NAME}, place)
    event = known.in_force(NAME)
    ours = spell(event.after.replacement) if event is not None and event.after else NAME
    probed = [*texts[file][: line - 1], f"MARKER {NAME}", *texts[file][line - 1 :]]
    (tmp_path / file).write_text("\n".join(probed) + "\n")
    for compiler in COMPILERS:
        theirs = replaced(compiler, tmp_path, "MARKER")
        assert theirs in (ours, None)  # None: the place is skipped


def test_a_definition_that_comes_later_is_known(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text("NAME\n#define NAME 1\n#undef NAME\n#define NAME 2\n")
    place = Source(str(tmp_path / "main.c"), 1, 1)
    known = record(tmp_path / "main.c", Options(), {NAME}, place)
    later = known.in_force_later(NAME)
    assert known.in_force(NAME) is None
    assert later is not None
    assert later.where.line == 2
