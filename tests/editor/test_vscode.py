"""What the extension for VS Code consists of, in node, without VS Code: it speaks with the server
through the library that VS Code's client has too. `make vscode` fetches that."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from wire import COMMAND

from visualizer.workbench.samples import samples_folder

HERE = Path(__file__).parent
EXTENSION = HERE.parents[1] / "visualizer" / "editor" / "clients" / "vscode"
PACKAGES = EXTENSION / "node_modules"
ESBUILD = PACKAGES / ".bin" / "esbuild"
NODE = shutil.which("node")
TEXT = (
    f'#include "{samples_folder()}/phi/kernel_registry.h"\n'
    "#define TWICE(x) x x\n#define FOUR(x) TWICE(x x)\n#define EIGHT(x) FOUR(x x)\n"
    "/* 😀 */ int a[] = {EIGHT(1)};\n"
    "template <typename T, typename Context>\n"
    "void K(const Context& dev_ctx, const phi::DenseTensor& x, phi::DenseTensor* out) {}\n"
    "PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, K, float) {}\n"
    f"#define ONE 1\n#define MANY(x) {'ONE ' * 1234}\nMANY(0)\n"
)


def driven(folder: Path) -> Any:
    edited = folder / "a@b 中.cc"
    asked = {
        "command": COMMAND,
        "folder": str(folder),
        "uri": edited.as_uri(),
        "text": TEXT,
        "result": str(folder / "result.json"),
    }
    (folder / "drive.json").write_text(json.dumps(asked))
    bundle = folder / "drive.js"
    subprocess.run(
        [ESBUILD, HERE / "vscode_drive.ts", "--bundle", "--platform=node", f"--outfile={bundle}"],
        env={**os.environ, "NODE_PATH": str(PACKAGES)},
        check=True,
        capture_output=True,
    )
    assert NODE is not None
    done = subprocess.run(
        [NODE, bundle],
        env={
            **os.environ,
            "PYTHONPATH": str(HERE.parents[1]),
            "UNFOLD_DRIVE": str(folder / "drive.json"),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "result.json").read_text())


@pytest.mark.editor
@pytest.mark.skipif(NODE is None, reason="no node: apt-get install nodejs")
@pytest.mark.skipif(not ESBUILD.exists(), reason="none of npm's packages: make vscode")
def test_the_extension_steps_lists_and_runs(tmp_path: Path) -> None:
    told = driven(tmp_path)
    assert told["words"] == [*COMMAND, "-I", str(tmp_path), "--cc", "none"]
    assert (told["begun"], told["nothing"]) == ("document", "nothing")
    assert told["states"][:2] == [0, 1]
    assert told["states"][-3:] == [2, 1, 3]
    assert told["two"] == "TWICE(1 1 1 1)"
    assert told["same"]
    assert told["whole"] == "1 1 1 1 1 1 1 1"
    assert told["tree"] == [["EIGHT", [["FOUR", [["TWICE", []]]]]]]
    assert told["leading"] == [None, 1, 2, 3]
    assert told["parents"] == [2, 1]
    assert told["rows"] == 1234
    assert told["kept"]
    (edit,) = told["edits"][0]["changes"].values()
    assert (edit[0]["newText"], edit[0]["range"]["start"]) == (
        "1 1 1 1 1 1 1 1",
        {"line": 4, "character": 20},
    )
    assert told["outcomes"] == [
        ["unfold.step", "document"],
        ["unfold.step", "document"],
        ["unfold.run", "terminal"],
        ["unfold.verify", "terminal"],
    ]
    assert told["terminal"][:5] == [*COMMAND[:-1], "open"]
    assert told["plain"] == ["/x/unfold", "run", "a"]
    assert told["wrapper"] == ["my-unfold", "run", "a"]
    assert told["empty"] is None
