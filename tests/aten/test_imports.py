"""Who imports whom in PyTorch's room, read off the syntax trees: also what functions import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
ROOM = "registry_runtime/aten"


class Import(NamedTuple):
    """A name that a file imports, and whether one of its functions does."""

    name: str
    line: int
    in_function: bool


def name_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(file): file for file in sorted((ROOT / ROOM).rglob("*.py"))}


def imports(node: ast.AST, in_function: bool = False) -> Iterator[Import]:
    """All of them but those for types."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.Import():
            yield from (Import(of.name, node.lineno, in_function) for of in node.names)
        case ast.ImportFrom():
            for of in node.names:
                name = f"{node.module}.{of.name}"
                known = name if name in FILES else str(node.module)
                yield Import(known, node.lineno, in_function)
        case ast.FunctionDef():
            in_function = True
    for child in ast.iter_child_nodes(node):
        yield from imports(child, in_function)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """One way round, if there is one."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_of_the_room_import_each_other() -> None:
    graph = {
        name: {of.name for of in imports(ast.parse(file.read_text()))} & FILES.keys() - {name}
        for name, file in FILES.items()
    }
    assert sum(map(len, graph.values())) > 400
    assert circle(graph) == []
    # A circle that is hidden behind a function would have been found.
    graph["registry_runtime.aten.world"].add("registry_runtime.aten.runtime")
    assert "registry_runtime.aten.world" in circle(graph)


def test_a_function_imports_only_what_is_heavy_and_says_so() -> None:
    unexplained = []
    for file in FILES.values():
        text = file.read_text()
        lines = text.splitlines()
        for of in imports(ast.parse(text)):
            around = "".join(lines[of.line - 2 : of.line])
            if of.in_function and "#" not in around:
                unexplained.append(f"{file.relative_to(ROOT)}:{of.line}")
    assert unexplained == []
