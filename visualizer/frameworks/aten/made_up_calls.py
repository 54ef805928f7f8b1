"""A call as a lesson writes it: an operator, and operands that nobody has to make first.

    aten::add.Tensor Float[4,3] Long[] alpha=2

An operand is a tensor or a number. `Float[4,3]` is a tensor of that type and shape, whose elements are
0, 1, 2 … as they lie in memory; `Float[4,3]{1,4}` one with these strides, counted in elements;
`Float[4,3]@CUDA` one on another device, which nothing can be computed with here. `2`, `1.5`, `True`
and `2j` are Python's numbers, and a list is what `torch.tensor` makes of it. `NAME=OPERAND` is for the
parameter of that name. Blanks part operands, so there are none in one.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from visualizer.frameworks.answers import Unanswerable, affordable, no_words_behind, numbers

if TYPE_CHECKING:
    from registry_runtime.aten.tensor.tensor import Tensor

_TENSOR = re.compile(r"(\w+)\[([\d,]*)\](?:\{([\d,]*)\})?(?:@(\w+))?")
_NAMED = re.compile(r"([A-Za-z_]\w*)=(.+)")


@dataclass(frozen=True, slots=True)
class Operands:
    """By their places, and by their names."""

    given: tuple[Any, ...]
    named: Mapping[str, Any]


def read(words: Sequence[str]) -> Operands:
    """The operands of a call. Raises Unanswerable for a word that is none."""
    given: list[Any] = []
    named: dict[str, Any] = {}
    for word in words:
        if match := _NAMED.fullmatch(word):
            named[match[1]] = operand(match[2])
        else:
            given.append(operand(word))
    return Operands(tuple(given), named)


def operand(word: str) -> Any:
    """A tensor, or a Python number. Raises Unanswerable."""
    if match := _TENSOR.fullmatch(word):
        return _tensor(*match.groups())
    try:
        value = ast.literal_eval(word)
    except (ValueError, SyntaxError):
        no_words_behind(word, r"\w*\[[^\]]*\](?=.)")
        raise Unanswerable(
            f"'{word}' is no operand: Float[4,3], Float[4,3]{{1,4}}, Float[3]@Meta, [1,2] and 2 are"
        ) from None
    if isinstance(value, dict | set | tuple | bytes):
        raise Unanswerable(f"'{word}' is neither a tensor nor a number")
    return _of_list(value) if isinstance(value, list) else value


def spelled(value: Any) -> str:
    """A result in the same language; strides only where they aren't those of a contiguous tensor."""
    from registry_runtime.aten.tensor.device import DeviceType
    from registry_runtime.aten.tensor.tensor import Tensor

    if isinstance(value, tuple | list):
        return ", ".join(map(spelled, value))
    if not isinstance(value, Tensor):
        return str(value)
    strides = "" if value.is_contiguous() else f"{{{_listed(value.strides)}}}"
    where = "" if value.device.type is DeviceType.CPU else f"@{value.device.type.name}"
    return f"{value.dtype}[{_listed(value.sizes)}]{strides}{where}"


def elements(value: Any) -> str:
    """The elements of a tensor as Python writes a list of them; of a number, the number."""
    from registry_runtime.aten.tensor.tensor import Tensor

    if isinstance(value, tuple | list):
        return ", ".join(map(elements, value))
    if not isinstance(value, Tensor):
        return str(value)
    return str(value.numpy().tolist()) if math.prod(value.sizes) else "[]"


def _tensor(dtype: str, sizes: str, strides: str | None, device: str | None) -> Tensor:
    from registry_runtime.aten.errors import TorchError
    from registry_runtime.aten.tensor.contiguity import contiguous_strides, storage_numel
    from registry_runtime.aten.tensor.copy import to
    from registry_runtime.aten.tensor.device import META, Device, DeviceType
    from registry_runtime.aten.tensor.scalar_type import ScalarType
    from registry_runtime.aten.tensor.tensor import Tensor, empty_strided

    if dtype not in ScalarType.__members__:
        raise Unanswerable(f"PyTorch has no type '{dtype}'; Float, Double, Int and Long are some")
    if device is not None and device not in DeviceType.__members__:
        raise Unanswerable(f"PyTorch has no device '{device}'; CPU, CUDA and Meta are some")
    T, shape = ScalarType[dtype], numbers(sizes)
    steps = contiguous_strides(shape) if strides is None else numbers(strides)
    if len(steps) != len(shape):
        raise Unanswerable(f"{len(shape)} dimensions have {len(shape)} strides, not {len(steps)}")
    if device in (None, "CPU"):
        import numpy as np

        elements = affordable(storage_numel(shape, steps))

        try:
            memory = to(Tensor.from_array(np.arange(elements)), T)
            return memory.as_strided(shape, steps)
        except (TorchError, TypeError) as error:
            raise Unanswerable(f"no elements can be made for {dtype}: {error}") from None
    tensor = empty_strided(shape, steps, T, META)
    # What tells the dispatcher where a tensor is needs no memory there.
    tensor.device = Device.parse(str(DeviceType[device or "Meta"]))
    return tensor


def _of_list(values: list[Any]) -> Tensor:
    import numpy as np

    from registry_runtime.aten.tensor.tensor import Tensor

    try:
        array = np.asarray(values)
    except ValueError:
        raise Unanswerable(f"{values} is no tensor: its rows have different lengths") from None
    # Python's floats and complex numbers become PyTorch's default types, half as long.
    narrow = {"f": np.float32, "c": np.complex64}.get(array.dtype.kind, array.dtype)
    return Tensor.from_array(array.astype(narrow if array.size else np.float32))


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
