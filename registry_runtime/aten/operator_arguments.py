"""The arguments of a call from Python, put in the order of the operator's schema.

What `torch.ops.aten.add.Tensor(x, y, alpha=2)` does before the dispatcher sees anything: arguments
find their places, defaults fill the rest, and each value becomes what its C++ type is. An array is a
tensor; a number where a tensor is wanted is wrapped in one of no dimensions, which then counts less
when types are promoted. Sentences are those of `FunctionSchema::checkArg` and of
`torch/csrc/jit/python/pybind_utils.h`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.schema.function_schema import Argument, FunctionSchema
from registry_runtime.aten.schema.jit_type import Type, TypeKind
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, wrapped_scalar_tensor


class Arguments:
    """`values` in the schema's order; `arrays` are the tensors that were made of arrays."""

    __slots__ = ("arrays", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.arrays: list[tuple[Tensor, Any]] = []


def bind(schema: FunctionSchema, given: Sequence[Any], named: Mapping[str, Any]) -> Arguments:
    """Raises TorchError for what doesn't fit the schema."""
    made, name = Arguments(), schema.name.name
    positional = [a for a in schema.arguments if not a.kwarg_only]
    if len(given) > len(positional):
        raise TorchError(
            f"{name}() takes {len(positional)} positional argument(s) but {len(given)} was/were "
            f"given.  Declaration: {schema}"
        )
    used = set()
    for index, argument in enumerate(schema.arguments):
        if index < len(given):
            value = given[index]
        elif argument.name in named:
            value = named[argument.name]
            used.add(argument.name)
        elif argument.has_default:
            value = argument.default_value
        else:
            raise TorchError(
                f"{name}() is missing value for argument '{argument.name}'. Declaration: {schema}"
            )
        made.values.append(_converted(made, schema, index, argument, value))
    for unknown in named:
        if unknown not in used:
            _refuse_named(schema, unknown)
    return made


def _refuse_named(schema: FunctionSchema, name: str) -> NoReturn:
    if schema.index_of(name) is not None:
        raise TorchError(
            f"Argument '{name}' specified both as positional and keyword argument. Schema: {schema}"
        )
    raise TorchError(
        f"Unknown keyword argument '{name}' for operator '{schema.name.name}'. Schema: {schema}"
    )


def _converted(
    made: Arguments, schema: FunctionSchema, index: int, argument: Argument, value: Any
) -> Any:
    try:
        return _value(made, argument.type, value)
    except _Unfit:
        raise TorchError(
            f"{schema.name.name}() Expected a value of type '{argument.type.annotation}' for "
            f"argument '{argument.name}' but instead found type '{type(value).__name__}'.\n"
            f"Position: {index}\nValue: {value!r}\nDeclaration: {schema}"
        ) from None


class _Unfit(Exception):
    pass


def _value(made: Arguments, type: Type, value: Any) -> Any:
    match type.kind:
        case TypeKind.TensorType:
            return _tensor(made, value)
        case TypeKind.NumberType if isinstance(value, Scalar | bool | int | float | complex):
            return Scalar.of(value)
        case TypeKind.NumberType if isinstance(value, np.generic):
            return Scalar.of(value.item())
        case TypeKind.OptionalType:
            return None if value is None else _value(made, type.element, value)
        case TypeKind.ListType if isinstance(value, list | tuple):
            return [_value(made, type.element, item) for item in value]
        case TypeKind.FloatType if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        case TypeKind.BoolType if isinstance(value, bool):
            return value
        case TypeKind.IntType if isinstance(value, ScalarType) or _is_int(value):
            return value
        case TypeKind.StringType if isinstance(value, str):
            return value
        case (
            TypeKind.NumberType
            | TypeKind.ListType
            | TypeKind.FloatType
            | TypeKind.BoolType
            | TypeKind.IntType
            | TypeKind.StringType
        ):
            raise _Unfit
    return value


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _tensor(made: Arguments, value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Scalar | bool | int | float | complex):
        return wrapped_scalar_tensor(Scalar.of(value))
    if isinstance(value, np.generic):
        return wrapped_scalar_tensor(Scalar.of(value.item()))
    # To ask a NumPy array for its interface would cost more than the call.
    if not isinstance(value, np.ndarray) and not any(hasattr(value, name) for name in _INTERFACES):
        raise _Unfit
    tensor = Tensor.from_array(value)
    made.arrays.append((tensor, value))
    return tensor


_INTERFACES = ("__array_interface__", "__cuda_array_interface__")
