"""Each framework's folder tells all that is asked of an entry, and in the same words."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import visualizer.frameworks
from registry_runtime.program import Registration
from visualizer.frameworks.presenter import Presenter

_HERE = Path(visualizer.frameworks.__file__).parent
_FOLDERS = sorted(p.parent.name for p in _HERE.glob("*/presenter.py"))
_ASKED = [name for name, _ in inspect.getmembers(Presenter, inspect.isfunction) if name[0] != "_"]


def test_every_registration_names_a_folder() -> None:
    assert sorted(kind.framework for kind in get_args(Registration)) == _FOLDERS


@pytest.mark.parametrize("folder", _FOLDERS)
@pytest.mark.parametrize("name", _ASKED)
def test_a_folder_answers_with_the_same_parameters(folder: str, name: str) -> None:
    function = getattr(import_module(f"visualizer.frameworks.{folder}.presenter"), name)
    wanted = [*inspect.signature(getattr(Presenter, name)).parameters][1:]
    assert [*inspect.signature(function).parameters] == wanted


@pytest.mark.parametrize("room", ["run", "entry"])
def test_the_screens_of_an_entry_know_no_framework(room: str) -> None:
    of_frameworks = {f"visualizer.frameworks.{folder}" for folder in _FOLDERS}
    of_frameworks |= {f"registry_runtime.{name}" for name in ("phi", "aten", "fluid", "lab.phi")}
    for path in (_HERE.parent / "tui" / room).glob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        modules = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        known = [m for m in modules if any(f"{m}.".startswith(f"{f}.") for f in of_frameworks)]
        assert not known, path
