"""All arguments of one call in a box: what makes every kernel callable the same way.

A table of kernels can't know each one's parameters. So the caller puts the arguments into a
`KernelContext`, kind by kind, and the kernel's own `Compute` takes them out again. An argument that
is a list of tensors lies flat among the others; its *range* says from where to where.

Source: `paddle/phi/core/kernel_context.h`, `kernel_context.cc`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from registry_runtime.phi.contexts import DeviceContext
from registry_runtime.phi.enforce import InvalidArgument, OutOfRange, PreconditionNotMet
from registry_runtime.phi.parameter_types import type_of
from registry_runtime.phi.tensor_base import TensorBase

Tensor = TypeVar("Tensor")
Range = tuple[int, int]


class KernelContext:
    """`phi::KernelContext`. Each `…At` raises OutOfRange for an index that isn't there.

    C++ casts a tensor to the asked type without a look; here another type raises InvalidArgument.
    """

    def __init__(self, dev_ctx: DeviceContext | None = None) -> None:
        self._dev_ctx = dev_ctx
        self._inputs: list[TensorBase | None] = []
        self._outputs: list[TensorBase | None] = []
        self._attrs: list[Any] = []
        self._input_range: list[Range] = []
        self._output_range: list[Range] = []

    def GetDeviceContext(self) -> DeviceContext:
        """Raises PreconditionNotMet if none was set."""
        if self._dev_ctx is None:
            raise PreconditionNotMet("Kernel should pass DeviceContext as argument.")
        return self._dev_ctx

    def EmplaceBackInput(self, input: TensorBase | None) -> None:
        """None is an optional input that is absent."""
        self.EmplaceBackInputs([input])

    def EmplaceBackInputs(self, inputs: Iterable[TensorBase | None]) -> None:
        self._input_range.append(_append(self._inputs, inputs))

    def EmplaceBackOutput(self, output: TensorBase | None) -> None:
        self.EmplaceBackOutputs([output])

    def EmplaceBackOutputs(self, outputs: Iterable[TensorBase | None]) -> None:
        self._output_range.append(_append(self._outputs, outputs))

    def EmplaceBackAttr(self, attr: Any) -> None:
        self._attrs.append(attr)

    def InputRangeAt(self, idx: int) -> Range:
        return _at("InputRangeAt", self._input_range, idx)

    def OutputRangeAt(self, idx: int) -> Range:
        return _at("OutputRangeAt", self._output_range, idx)

    def InputAt(self, idx: int, tensor_type: type[Tensor]) -> Tensor:
        return _cast("Input", idx, _at("InputAt", self._inputs, idx), tensor_type)

    def OptionalInputAt(self, idx: int, tensor_type: type[Tensor]) -> Tensor | None:
        if _at("OptionalInputAt", self._inputs, idx) is None:
            return None
        return self.InputAt(idx, tensor_type)

    def InputsBetween(self, start: int, end: int, tensor_type: type[Tensor]) -> list[Tensor]:
        return [self.InputAt(i, tensor_type) for i in range(start, end)]

    def OptionalInputsBetween(
        self, start: int, end: int, tensor_type: type[Tensor]
    ) -> list[Tensor] | None:
        """None where the first is absent."""
        if start == end or _at("OptionalInputsBetween", self._inputs, start) is None:
            return None
        return self.InputsBetween(start, end, tensor_type)

    def MutableOutputAt(self, idx: int, tensor_type: type[Tensor]) -> Tensor | None:
        """None for an output that nobody wants."""
        output = _at("MutableOutputAt", self._outputs, idx)
        return None if output is None else _cast("Output", idx, output, tensor_type)

    def MutableOutputBetween(
        self, start: int, end: int, tensor_type: type[Tensor]
    ) -> list[Tensor | None]:
        """Empty where nobody wants any of them."""
        outputs = [self.MutableOutputAt(i, tensor_type) for i in range(start, end)]
        return outputs if any(output is not None for output in outputs) else []

    def AttrAt(self, idx: int, cpp_type: str = "") -> Any:
        """The attribute, which must be of this C++ type if one is given.

        `const Scalar&` and `const IntArray&` can be made of a tensor too, as in C++. Raises
        InvalidArgument for another type.
        """
        value = _at("AttrAt", self._attrs, idx)
        if not cpp_type:
            return value
        wanted = type_of(cpp_type).value
        if not wanted.fits(value):
            raise InvalidArgument(
                "Attribute cast error in Op Kernel Context. "
                f"Attribute {idx} is wanted as {cpp_type}, and is {value!r}"
            )
        return wanted.take(value)

    def InputsSize(self) -> int:
        return len(self._inputs)

    def OutputsSize(self) -> int:
        return len(self._outputs)

    def AttrsSize(self) -> int:
        return len(self._attrs)

    def InputRangesSize(self) -> int:
        """How many inputs there are if a list of tensors counts as one. Not in PHI."""
        return len(self._input_range)

    def OutputRangesSize(self) -> int:
        """How many outputs there are if a list of tensors counts as one. Not in PHI."""
        return len(self._output_range)


Held = TypeVar("Held")


def _append(held: list[Held], more: Iterable[Held]) -> Range:
    start = len(held)
    held.extend(more)
    return start, len(held)


def _at(method: str, held: Sequence[Held], idx: int) -> Held:
    if not 0 <= idx < len(held):
        raise OutOfRange(f"{method}({idx}) is out of range: this context has {len(held)}")
    return held[idx]


def _cast(kind: str, idx: int, tensor: object, wanted: type[Tensor]) -> Tensor:
    if not isinstance(tensor, wanted):
        raise InvalidArgument(
            f"{kind} {idx} is wanted as {wanted.__name__}, and is {_type_name(tensor)}"
        )
    return tensor


def _type_name(value: object) -> str:
    return "nullptr" if value is None else type(value).__name__
