"""A wheel carries the samples and lessons with it, and finds them wherever it is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_an_installed_wheel_finds_its_samples_and_lessons(tmp_path: Path) -> None:
    elsewhere = tmp_path / "site"
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("unfold-*.whl")
    assert wheel.stat().st_size < 3_000_000
    with ZipFile(wheel) as packed:  # answers that only tests read stay at home
        folders = {folder for name in packed.namelist() for folder in name.split("/")[:-1]}
    assert "right" in folders
    assert not [folder for folder in folders if folder.startswith("wrong")]
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, "--target", str(elsewhere), str(wheel)], check=True)
    code = (
        "import visualizer; from visualizer.workbench.samples import *\n"
        "from visualizer.cli import main\n"
        "print(visualizer.__file__)\n"
        "print(*sample_files(), *lessons_folder().rglob('*.md'), sep='\\n')\n"
        "main(['kernels'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(elsewhere)},
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [Path(line) for line in done.stdout.splitlines() if line.startswith("/")]
    assert len(paths) >= 5
    assert all(path.is_relative_to(elsewhere) for path in paths)
    assert {"bitwise_kernel.cc", "ERRATA.md"} <= {path.name for path in paths}
    assert "bitwise_and" in done.stdout
