"""Whose headers `--torch` and `--paddle` add, and which programs are started to find that out."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.workbench.flag_words import FlagError, read_flags

HEADERS = {
    "torch/include/torch/library.h": "#define WHOSE {}\n",
    "torch/include/torch/headeronly/version.h": "#define TORCH_VERSION_MAJOR 2\n"
    "#define TORCH_VERSION_MINOR {minor}\n",
}


def site(folder: Path, whose: str, minor: int = 7) -> Path:
    """A folder of packages with PyTorch's headers."""
    for name, text in HEADERS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.format(whose, minor=minor))
    return folder


def python(file: Path, packages: Path) -> Path:
    """A python that has these packages, and leaves a file beside it where it is started."""
    file.parent.mkdir(parents=True, exist_ok=True)
    code = f"import sys; sys.path.insert(0, {str(packages)!r}); exec(sys.argv[-1])"
    file.write_text(
        f'#!/bin/sh\necho "$1 $PWD" >> {file}.started\n[ "$1" = -I ] && shift\n'
        f'exec {sys.executable} -I -c "{code}" "$@"\n'
    )
    file.chmod(0o755)
    return file


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is opened, with no environment activated and no python on PATH."""
    here = tmp_path / "project"
    here.mkdir()
    (here / "a.cc").write_text("#include <torch/library.h>\nWHOSE __cplusplus\n")
    monkeypatch.chdir(here)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return here


def whose(capsys: pytest.CaptureFixture[str], flag: str, *flags: str) -> list[str]:
    assert main(["expand", "-P", "--cc", "none", flag, *flags, "a.cc"]) == 0
    return capsys.readouterr().out.split()


def test_a_path_may_be_a_python_its_packages_or_a_checkout(tmp_path: Path, capsys) -> None:
    packages = site(tmp_path / "site", "packages")
    environment = tmp_path / "env"
    site(environment / "lib" / "python3.12" / "site-packages", "environment")
    tree = tmp_path / "pytorch"
    (tree / "torch").mkdir(parents=True)
    (tree / "torch" / "library.h").write_text("#define WHOSE checkout\n")
    (tree / "version.txt").write_text("2.13.0a0\n")
    asked = python(tmp_path / "some" / "python", site(tmp_path / "of", "python"))
    for path, said in (
        (packages, "packages 201703L"),
        (packages / "torch", "packages 201703L"),
        (environment, "environment 201703L"),
        (tree, "checkout 202002L"),
        (asked, "python 201703L"),
        (asked, "python 201703L"),  # and again, from what it said before
    ):
        assert whose(capsys, f"--torch={path}") == said.split()


def test_without_one_the_environment_comes_first_then_paths_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    site(tmp_path / "conda" / "lib" / "python3.11" / "site-packages", "conda")
    site(tmp_path / "virtual" / "lib" / "python3.11" / "site-packages", "virtual")
    started = python(tmp_path / "bin" / "python3", site(tmp_path / "of", "python"))
    assert whose(capsys, "--torch")[0] == "python"
    monkeypatch.setenv("CONDA_PREFIX", str(tmp_path / "conda"))
    assert whose(capsys, "--torch")[0] == "conda"
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "virtual"))
    assert whose(capsys, "--torch")[0] == "virtual"
    flag, folder = Path(f"{started}.started").read_text().splitlines()[0].split()
    assert flag == "-I"
    assert folder != os.getcwd()


def test_a_python_of_the_opened_folder_is_never_started(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    """However PATH leads there."""
    site(tmp_path / "virtual" / "lib" / "python3.11" / "site-packages", "virtual")
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "virtual"))
    for folder in (".", "bin", ".venv/bin", "venv/bin"):
        for name in ("python", "python3"):
            python(project / folder / name, tmp_path / "of")
    monkeypatch.setenv("PATH", os.pathsep.join((".", "", "bin", "./.venv/bin")))
    assert whose(capsys, "--torch")[0] == "virtual"
    assert not list(project.rglob("*.started"))


def test_a_pytorch_of_2_13_is_read_as_cxx20_where_nobody_says_otherwise(
    tmp_path: Path, capsys
) -> None:
    new = site(tmp_path / "site", "new", minor=13)
    assert whose(capsys, f"--torch={new}") == ["new", "202002L"]
    assert whose(capsys, f"--torch={new}", "--std", "c++17") == ["new", "201703L"]
    Path("b.c").write_text("__STDC_VERSION__\n")
    assert main(["expand", "-P", "--cc", "none", f"--torch={new}", "b.c"]) == 0
    assert capsys.readouterr().out == "201710L\n"


def test_what_has_no_headers_is_refused_with_what_to_name(tmp_path: Path, capsys) -> None:
    assert main(["expand", f"--torch={tmp_path}", "a.cc"]) == 1
    said = capsys.readouterr().err
    assert f"--torch={tmp_path}: no headers of torch there" in said
    assert "name a python, its site-packages folder, or a checkout" in said


def test_the_words_are_those_that_were_read(tmp_path: Path) -> None:
    for words in (("--torch",), ("--torch=/x y", "--paddle"), ("--paddle=/p",)):
        assert set(read_flags(words).words()) == set(words)
    assert read_flags(["--torch=x"]).absolute().torch == str(Path("x").absolute())


@pytest.mark.parametrize("word", ["--torch=./python", "--paddle=x", "--torch-of=x", "@flags"])
def test_a_lesson_can_name_no_python(word: str) -> None:
    with pytest.raises(FlagError, match="only the user says"):
        read_flags(["-I", "x", word], of_the_user=False)
    assert read_flags(["--torch"], of_the_user=False).torch == ""
