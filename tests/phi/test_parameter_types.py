"""The one table of the types that a kernel's parameters have in C++."""

from __future__ import annotations

import ast
from pathlib import Path

import registry_runtime
from registry_runtime.kernels import library
from registry_runtime.phi.parameter_types import ANYTHING, DESCRIBED, TAKEN, TYPES, Kind, type_of

FOLDER = Path(registry_runtime.__file__).parent


def test_each_type_stands_in_one_row() -> None:
    assert len({row.cpp for row in TYPES}) == len(TYPES)
    for row in TYPES:
        assert type_of(row.cpp) is type_of(row.short) is row
    assert type_of("const DenseTensor &") is ANYTHING


def test_what_a_kernel_in_python_takes_phi_describes_as_the_same() -> None:
    for template in library():
        for parameter in template.inputs:
            row = parameter.type
            assert DESCRIBED[row.type_index].kind is row.kind
            assert row.kind in (Kind.INPUT, Kind.ATTRIBUTE)
        for name in template.outputs:
            assert dict(template.parameters)[name] in {row.short for row in TAKEN.values()}


def test_no_other_module_spells_a_tensor_parameter() -> None:
    spelled = {
        s for row in TYPES if row.kind in (Kind.INPUT, Kind.OUTPUT) for s in (row.cpp, row.short)
    }
    for file in FOLDER.rglob("*.py"):
        if file.name == "parameter_types.py":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                assert node.value not in spelled, f"{file}:{node.lineno}"
