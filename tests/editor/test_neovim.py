"""Neovim with our Lua file, without a window: files of PHI, of PyTorch and of plain C in it, each
request asked of them, and an invocation stepped through with the keys of the file."""

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

NEOVIM = shutil.which("nvim")
HERE = Path(__file__).parent
CLIENT = HERE.parents[1] / "visualizer" / "editor" / "clients" / "neovim.lua"
PLAIN = "/* 😀中 */\n#define TWICE(x) x x\n#define FOUR(x) TWICE(x x)\nint a[] = {FOUR(1)};\n"
KERNEL = (
    '#include "{folder}/kernel_registry.h"\n'
    "template <typename T, typename Context>\n"
    "void K(const Context& dev_ctx, const phi::DenseTensor& x, phi::DenseTensor* out) {{}}\n"
    "PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, K, float, double) {{}}\n"
)


def driven(folder: Path) -> Any:
    phi, plain = folder / "kernel.cc", folder / "plain.c"
    phi.write_text(KERNEL.format(folder=samples_folder() / "phi"))
    plain.write_text(PLAIN)
    asked = {
        "client": str(CLIENT),
        "command": [*COMMAND, "--cc", "none"],
        "patience": 200_000,
        "result": str(folder / "result.json"),
        "files": [
            {
                "name": "phi",
                "path": str(phi),
                "filetype": "cpp",
                "sought": "PD_REGISTER_KERNEL(",
                "step": "PD_REGISTER_KERNEL(",
            },
            {
                "name": "aten",
                "path": str(samples_folder() / "aten" / "myops.cc"),
                "filetype": "cpp",
                "sought": "TORCH_LIBRARY(",
            },
            {
                "name": "plain",
                "path": str(plain),
                "filetype": "c",
                "sought": "FOUR(1",
                "step": "FOUR(1",
            },
        ],
    }
    (folder / "drive.json").write_text(json.dumps(asked))
    assert NEOVIM is not None
    done = subprocess.run(
        [NEOVIM, "--clean", "--headless", "-n", "-c", f"luafile {HERE / 'neovim_drive.lua'}"],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(HERE.parents[1]),
            "UNFOLD_DRIVE": str(folder / "drive.json"),
            "HOME": str(folder),
        },
        capture_output=True,
        text=True,
    )
    result = folder / "result.json"
    assert result.exists(), done.stderr
    told = json.loads(result.read_text())
    assert "problem" not in told, (told["problem"], done.stderr)
    return told["result"]


@pytest.mark.editor
@pytest.mark.skipif(NEOVIM is None, reason="no Neovim: apt-get install neovim")
def test_neovim_asks_and_steps(tmp_path: Path) -> None:
    told = driven(tmp_path)
    phi, aten, plain = told["phi"], told["aten"], told["plain"]
    assert "- `mine` (CPU, Undefined(AnyLayout), float32)" in phi["hover"]
    assert phi["definition"]["uri"].endswith("kernel_registry.h")
    assert phi["symbols"] == ["mine"]
    assert (phi["lenses"], aten["lenses"] > 0, plain["lenses"]) == (4, True, 0)
    assert "Step through PD_REGISTER_KERNEL" in phi["actions"]
    assert any("myops::" in name for name in aten["symbols"])
    assert "1 1 1 1" in plain["hover"]
    assert plain["references"] == 2
    for step in (phi["step"], plain["step"]):
        assert step["states"] == [0, 1, 2, 1]
        assert step["coloured"]
        assert step["undone"]
        assert step["closed"]
    assert plain["step"]["shown"][-1] == "TWICE(1 1)"
    assert plain["step"]["after"][3] == "int a[] = {TWICE(1 1)};"
    assert phi["step"]["after"][3].startswith("_PD_REGISTER_KERNEL(::phi::RegType::INNER, mine,")
    assert told["workspace"] == 1
    assert told["diagnostics"] == "open-list"
