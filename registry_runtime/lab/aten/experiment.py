"""One call of an operator on arguments that somebody chose, for those who try it by hand.

A tensor is given by its shape and dtype, a number as it is typed. `strided` makes tensors whose
elements lie apart, as those of a transposed one do, so that the loop takes another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.tensor.device import Device
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.lab.aten.trial import (
    device_named,
    dtype_named,
    random_tensor,
    sample_value,
    schema_of,
    tensor_on,
)
from registry_runtime.lab.given import Given, check_given, given, given_as
from registry_runtime.lab.values import DTYPES, parse_attribute, shown_shape
from registry_runtime.phi.attribute_text import literal
from registry_runtime.phi.data_type import DataType
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
        return self.kind.removesuffix("?") == "Tensor"


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
                if text or one.kind == "Tensor":
                    dtype = self.dtypes.get(one.name, "")
                    values[one.name] = self._tensor(one.name, text, dtype, rng)
            elif text and not (one.has_default and text == one.text):
                values[one.name] = _number(one.name, text)
        return values

    def _tensor(self, name: str, text: str, dtype: str, rng: np.random.Generator) -> Tensor:
        device = device_named(self.device)
        try:
            one = given(text)
            if one.values is not None:
                return self._laid_out(_own(name, one, dtype), device)
            shape = one.shape
        except (ValueError, TypeError) as error:
            raise KernelError(f"{name}: {error}") from None
        T = dtype_named(dtype or DTYPES[0])
        if self.layout == "strided" and shape:
            whole = random_tensor(T, (*shape[:-1], 2 * shape[-1]), rng, device)
            strides = (*whole.strides[:-1], 2)
            return whole.as_strided(shape, strides)
        if self.layout == "expanded" and shape:
            row = random_tensor(T, (1,) * (len(shape) - 1) + shape[-1:], rng, device)
            return row.as_strided(shape, (0,) * (len(shape) - 1) + (1,))
        return random_tensor(T, shape, rng, device)

    def _laid_out(self, array: NDArray[Any], device: Device) -> Tensor:
        """A tensor of these values."""
        if self.layout == "expanded":
            raise ValueError("an expanded tensor repeats one row: give its shape, not its values")
        if self.layout == "strided" and array.ndim:
            whole = tensor_on(np.repeat(array, 2, axis=-1), device)
            return whole.as_strided(array.shape, (*whole.strides[:-1], 2))
        return tensor_on(array, device)


def _own(name: str, one: Given, dtype: str) -> NDArray[Any]:
    """The values, of that data type; a file's own where none is asked for."""
    assert one.values is not None
    wanted = parse_attribute(dtype or DTYPES[0], "DataType")
    held = one.dtype(wanted)
    if dtype and held is not wanted:
        raise ValueError(f"{one.file} holds {held}, not {dtype}: choose {held}")
    return one.values(wanted)


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
    """A number, or a list of them."""
    try:
        return literal(text)
    except ValueError:
        raise KernelError(f"{name}: '{text}' is no number: write 2, 0.5 or 1+2j") from None


def check_names(
    runtime: Runtime, operator: str, inputs: Iterable[str], attributes: Iterable[str]
) -> None:
    """Raises KernelError for a name that no tensor, or no other argument, of the operator has."""
    there = fields(runtime, operator, "")
    tensors = [one.name for one in there if one.is_tensor]
    others = [one.name for one in there if not one.is_tensor]
    check_given(operator, "input", inputs, tensors, others)
    check_given(operator, "attribute", attributes, others, tensors)


def on_own_data(
    runtime: Runtime, operator: str, texts: Mapping[str, str], dtype: str | None, size: int, on: str
) -> OperatorExperiment:
    """The call with what is given; tensors that aren't are of the first one's shape and data type, or
    of `size` elements. Raises KernelError for a tensor that can't be read."""
    there = [one for one in fields(runtime, operator, str(size)) if one.is_tensor]
    first = next(
        (given_as(one.name, texts[one.name]) for one in there if texts.get(one.name)), None
    )
    kind = dtype or (str(first.dtype(DataType.FLOAT32)) if first is not None else DTYPES[0])
    shape = str(size) if first is None else shown_shape(first.shape)
    filled = {one.name: shape for one in there if one.kind == "Tensor"} | dict(texts)
    dtypes = {name: dtype or ("" if name in texts else kind) for name in filled}
    return OperatorExperiment(operator, filled, dtypes, on)
