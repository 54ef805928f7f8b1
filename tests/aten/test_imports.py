"""What PyTorch's room imports inside functions, read off the syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOM = "registry_runtime/aten"


def imported_by_functions(node: ast.AST, in_function: bool = False) -> Iterator[int]:
    """The lines of those imports."""
    if in_function and isinstance(node, ast.Import | ast.ImportFrom):
        yield node.lineno
    for child in ast.iter_child_nodes(node):
        yield from imported_by_functions(child, in_function or isinstance(node, ast.FunctionDef))


def test_a_function_imports_only_what_is_heavy_and_says_so() -> None:
    unexplained, found = [], 0
    for file in sorted((ROOT / ROOM).rglob("*.py")):
        lines = file.read_text().splitlines()
        for line in imported_by_functions(ast.parse("\n".join(lines))):
            found += 1
            if "#" not in "".join(lines[line - 2 : line]):
                unexplained.append(f"{file.relative_to(ROOT)}:{line}")
    assert found
    assert unexplained == []
