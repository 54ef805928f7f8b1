"""Emacs with our file and eglot, without a window: an invocation stepped through with its keys."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from wire import COMMAND

EMACS = shutil.which("emacs")
HERE = Path(__file__).parent
CLIENT = HERE.parents[1] / "visualizer" / "editor" / "clients" / "emacs.el"
# Where Debian puts what Emacs 28 doesn't have itself.
FOLDERS = [w for d in Path("/usr/share/emacs/site-lisp/elpa").glob("*/") for w in ("-L", str(d))]
TEXT = (
    "#define TWO 2\n#define TWICE(x) x x\n"
    '#define FOUR(x) TWICE("😀😀" x TWO)\n/* 😀 */ auto s = FOUR("中");\n'
)


def emacs(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    assert EMACS is not None
    return subprocess.run(
        [EMACS, "--batch", "-Q", *FOLDERS, *words],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(HERE.parents[1]),
            "UNFOLD_DRIVE": str(folder / "drive.json"),
            "HOME": str(folder),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


@pytest.mark.editor
@pytest.mark.skipif(EMACS is None, reason="no Emacs: apt-get install emacs-nox elpa-eglot")
def test_emacs_steps(tmp_path: Path) -> None:
    if emacs(tmp_path, "--eval", "(require 'eglot)").returncode != 0:
        pytest.skip("no eglot: Emacs 29 has it, or apt-get install elpa-eglot")
    (tmp_path / "file.cc").write_text(TEXT)
    asked = {
        "client": str(CLIENT),
        "command": [*COMMAND, "--cc", "none"],
        "file": str(tmp_path / "file.cc"),
        "result": str(tmp_path / "result.json"),
    }
    (tmp_path / "drive.json").write_text(json.dumps(asked))
    done = emacs(tmp_path, "-l", str(HERE / "emacs_drive.el"))
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "result.json").read_text())
    assert told["states"] == ["1", "3", "2", "3"]
    assert told["shown"].endswith('\nTWICE("😀😀" "中" 2)\n')
    assert "→" not in told["shown"]
    assert told["marked"] == "2"
    assert told["place"] == len('TWICE("😀😀" "中" '.encode("utf-16-le")) // 2
    assert told["keys"].startswith("n next · p back")
    assert told["after"] == TEXT.replace('FOUR("中")', 'TWICE("😀😀" "中" 2)')
