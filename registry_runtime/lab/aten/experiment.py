"""One call of an operator on arguments that somebody chose, for those who try it by hand.

A tensor is given by its shape and dtype, a number as it is typed. `strided` makes tensors whose
elements lie apart, as those of a transposed one do, so that the loop takes another way.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.lab.aten.trial import (
    device_named,
    dtype_named,
    random_tensor,
    sample_value,
    schema_of,
)
from registry_runtime.lab.values import parse_shape
from registry_runtime.phi.kernel_template import KernelError

LAYOUTS = ("contiguous", "strided", "expanded")


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter of the operator: `text` stands there at first. A tensor has a dtype too."""

    name: str
    kind: str
    text: str
    has_default: bool = False

    @property
    def is_tensor(self) -> bool:
        return self.kind == "Tensor"


@dataclass(frozen=True)
class OperatorExperiment:
    """`texts` are shapes and numbers by parameter, `dtypes` those of tensors."""

    operator: str
    texts: Mapping[str, str] = field(default_factory=dict)
    dtypes: Mapping[str, str] = field(default_factory=dict)
    device: str = "CPU"
    layout: str = "contiguous"

    def arguments(self, runtime: Runtime) -> dict[str, Any]:
        """By name, for `Runtime.call`. Raises KernelError for what can't be read."""
        rng, values = np.random.default_rng(0), {}
        for one in fields(runtime, self.operator, ""):
            text = self.texts.get(one.name, one.text)
            if one.is_tensor:
                dtype = self.dtypes.get(one.name, "float32")
                values[one.name] = self._tensor(one.name, text, dtype, rng)
            elif text and not (one.has_default and text == one.text):
                values[one.name] = _number(one.name, text)
        return values

    def _tensor(self, name: str, text: str, dtype: str, rng: np.random.Generator) -> Tensor:
        try:
            shape = parse_shape(text)
        except ValueError as error:
            raise KernelError(f"{name}: {error}") from None
        T, device = dtype_named(dtype), device_named(self.device)
        if self.layout == "strided" and shape:
            whole = random_tensor(T, (*shape[:-1], 2 * shape[-1]), rng, device)
            strides = (*whole.strides[:-1], 2)
            return whole.as_strided(shape, strides)
        if self.layout == "expanded" and shape:
            row = random_tensor(T, (1,) * (len(shape) - 1) + shape[-1:], rng, device)
            return row.as_strided(shape, (0,) * (len(shape) - 1) + (1,))
        return random_tensor(T, shape, rng, device)


def fields(runtime: Runtime, operator: str, shape: str) -> Sequence[Field]:
    """The operator's parameters, tensors of that shape. Raises KernelError where it can't be called,
    or where nobody could fill one in."""
    found = []
    for argument in schema_of(runtime, operator).arguments:
        kind = str(argument.type)
        default = argument.default_value if argument.has_default else sample_value(argument)
        text = shape if kind == "Tensor" else "" if default is None else str(default)
        found.append(Field(argument.name, kind, text, argument.has_default))
    return found


def _number(name: str, text: str) -> Any:
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError):
        value = None
    if not isinstance(value, bool | int | float | complex):
        raise KernelError(f"{name}: '{text}' is no number: write 2, 0.5 or 1+2j")
    return value
