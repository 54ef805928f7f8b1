"""What a kernel's file says of it before its body begins, read without running the file.

A registration asks of its Python kernel what it takes, and for which data types and devices it is
written; only a call asks for more. Running the file brings NumPy, which takes longer than all else that
a reader of macros waits for. So those three are read off the file's text, where they stand plainly in
it: in `KernelTemplate(signature=…, dtypes=…, builders={…})`, or in a function that returns such a one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from registry_runtime.kernels import dtypes
from registry_runtime.phi import parameter_types as types
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.parameter_types import Parameter

_ANNOTATIONS = {
    "Context": types.CONTEXT,
    "DenseTensor": types.DENSE,
    "OptionalTensor": types.OPTIONAL,
    "Tensors": types.LIST,
    "OptionalTensors": types.OPTIONAL_LIST,
    "Scalar": types.SCALAR,
    "IntArray": types.INT_ARRAY,
    "list[int]": types.INTS,
    "bool": types.BOOL,
    "int": types.INT,
    "Int64": types.INT64,
    "float": types.FLOAT,
    "Double": types.DOUBLE,
    "str": types.STRING,
    "DataType": types.DATA_TYPE,
    "Place": types.PLACE,
    "Out": types.OUTPUT,
    "Outs": types.OUTPUTS,
}
_SETS = {name: kept for name, kept in vars(dtypes).items() if isinstance(kept, frozenset)}


@dataclass(frozen=True, slots=True)
class Head:
    parameters: tuple[Parameter, ...]
    dtypes: frozenset[DataType]
    backends: frozenset[str]


class Unread:
    """A kernel template of which the head is known. Its file is run when it is asked for more."""

    def __init__(self, name: str, head: Head, read: Callable[[], Any]) -> None:
        self.name, self._read = name, read
        self.parameters, self.dtypes, self.backends = head.parameters, head.dtypes, head.backends

    def __getattr__(self, wanted: str) -> Any:
        if wanted.startswith("_"):
            raise AttributeError(wanted)
        found = getattr(self._read(), wanted)
        setattr(self, wanted, found)  # no call asks twice
        return found


def head_of(module: Path, variable: str) -> Head | None:
    """The head of the template that a file keeps under this name; None where the text doesn't tell."""
    try:
        text = _text(module)
        made = text.template(text.assigned[variable])
        return Head(
            text.parameters(made["signature"]),
            text.data_types(made["dtypes"]),
            frozenset(_keys(made["builders"])),
        )
    except (OSError, KeyError, _Unclear):
        return None


class _Unclear(Exception):
    """The text doesn't tell."""


@cache
def _text(module: Path) -> _Text:
    return _Text(ast.parse(module.read_bytes()).body)


class _Text:
    """A module's definitions, of which one may lead to the next."""

    def __init__(self, body: list[ast.stmt]) -> None:
        self.functions = {one.name: one for one in body if isinstance(one, ast.FunctionDef)}
        self.assigned = {
            target.id: one.value
            for one in body
            if isinstance(one, ast.Assign)
            for target in one.targets
            if isinstance(target, ast.Name)
        }

    def template(self, made: ast.expr) -> Mapping[str, ast.expr]:
        """What `KernelTemplate(…)` is given by name, or by a function that returns one."""
        if not (isinstance(made, ast.Call) and isinstance(made.func, ast.Name)):
            raise _Unclear
        given = {one.arg: one.value for one in made.keywords if one.arg is not None}
        if made.func.id == "KernelTemplate":
            return given
        function = self.functions[made.func.id]
        given |= zip((one.arg for one in function.args.args), made.args, strict=False)
        last = function.body[-1]
        if not isinstance(last, ast.Return) or last.value is None:
            raise _Unclear
        inside = self.template(last.value)
        return {name: _put(value, given) for name, value in inside.items()}

    def parameters(self, signature: ast.expr) -> tuple[Parameter, ...]:
        if not isinstance(signature, ast.Name):
            raise _Unclear
        listed = self.functions[signature.id].args.args
        spelled = ((one.arg, ast.unparse(one.annotation or _NOTHING)) for one in listed)
        return tuple(Parameter(name, _ANNOTATIONS[type].short) for name, type in spelled)

    def data_types(self, made: ast.expr) -> frozenset[DataType]:
        """A set of them: written out, of `kernels.dtypes`, or made of such by `|` and `-`."""
        match made:
            case ast.BinOp(left, ast.BitOr(), right):
                return self.data_types(left) | self.data_types(right)
            case ast.BinOp(left, ast.Sub(), right):
                return self.data_types(left) - self.data_types(right)
            case ast.Call(ast.Name("frozenset"), [ast.Name("DataType")]):
                return frozenset(DataType)
            case ast.Call(ast.Name("frozenset"), [listed]):
                return self.data_types(listed)
            case ast.Set(listed):
                return frozenset(map(_data_type, listed))
            case ast.Attribute(ast.Name("dtypes"), name):
                return _SETS[name]
            case ast.Name(name) if name in self.assigned:
                return self.data_types(self.assigned[name])
            case ast.Name(name):
                return _SETS[name]
        raise _Unclear


_NOTHING = ast.Constant(None)


def _put(value: ast.expr, given: Mapping[str, ast.expr]) -> ast.expr:
    """A parameter's argument in its place."""
    return given.get(value.id, value) if isinstance(value, ast.Name) else value


def _data_type(written: ast.expr) -> DataType:
    match written:
        case ast.Attribute(ast.Name("DataType"), name):
            return DataType[name]
    raise _Unclear


def _keys(written: ast.expr) -> list[str]:
    if not isinstance(written, ast.Dict):
        raise _Unclear
    keys = [one.value for one in written.keys if isinstance(one, ast.Constant)]
    if len(keys) < len(written.keys):
        raise _Unclear
    return [str(key) for key in keys]
