"""ARCHITECTURE.md, held against the code: `make check` has the layers, here are the circles."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Known, and to be undone: a kernel that runs on a GPU copies its sample's arrays there.
KNOWN = {("registry_runtime.kernels.template", "registry_runtime.kernels.gpu")}


def modules(package: str) -> dict[str, Path]:
    found = {}
    for path in (ROOT / package).rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a file imports, inside functions too; not those that only types need."""
    names: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= inner & known.keys() or {node.module}
        waiting += ast.iter_child_nodes(node)
    return names & known.keys()


@pytest.mark.parametrize("package", ["visualizer", "registry_runtime"])
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    known = modules(package)
    graph = {name: imported(path, known) - {name} for name, path in known.items()}
    for user, used in KNOWN:
        graph.get(user, set()).discard(used)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(reversed(error.args[1])))
