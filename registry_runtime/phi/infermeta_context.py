"""All arguments of one InferMeta in a box: `phi::InferMetaContext`.

It is to an InferMeta function what a `KernelContext` is to a kernel: MetaTensors and attributes go in,
kind by kind, and the function's wrapper takes them out. Source: `paddle/phi/core/infermeta_utils.h`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from registry_runtime.phi.kernel_context import KernelContext, Range
from registry_runtime.phi.meta_tensor import AT_RUN_TIME, MetaConfig, MetaTensor

if TYPE_CHECKING:
    from registry_runtime.phi.infermeta_fn import InferMetaFn


class InferMetaContext:
    """`phi::InferMetaContext`. Each `…At` raises OutOfRange for an index that isn't there.

    `called` is the function that was last called with it, for who must tell what that forgot.
    """

    def __init__(self, config: MetaConfig = AT_RUN_TIME) -> None:
        self._config = config
        self.called: InferMetaFn | None = None
        self._held = KernelContext()  # which keeps ranges and attributes in the same way

    def GetMetaConfig(self) -> MetaConfig:
        return self._config

    def EmplaceBackInput(self, input: MetaTensor | None) -> None:
        """None is an optional input that is absent."""
        self.EmplaceBackInputs([input])

    def EmplaceBackInputs(self, inputs: Iterable[MetaTensor | None]) -> None:
        self._held.EmplaceBackInputs(inputs)  # type: ignore[arg-type]

    def EmplaceBackOutput(self, output: MetaTensor | None) -> None:
        """None is an output that nobody wants."""
        self.EmplaceBackOutputs([output])

    def EmplaceBackOutputs(self, outputs: Iterable[MetaTensor | None]) -> None:
        self._held.EmplaceBackOutputs(outputs)  # type: ignore[arg-type]

    def EmplaceBackAttr(self, attr: Any) -> None:
        self._held.EmplaceBackAttr(attr)

    def InputRangeAt(self, idx: int) -> Range:
        return self._held.InputRangeAt(idx)

    def OutputRangeAt(self, idx: int) -> Range:
        return self._held.OutputRangeAt(idx)

    def InputAt(self, idx: int) -> MetaTensor | None:
        """None for an optional input that is absent."""
        return self._held.OptionalInputAt(idx, MetaTensor)

    def InputsBetween(self, start: int, end: int) -> list[MetaTensor | None]:
        return [self.InputAt(i) for i in range(start, end)]

    def OptionalInputsBetween(self, start: int, end: int) -> list[MetaTensor | None] | None:
        """None where the first is absent."""
        found = self.InputsBetween(start, end)
        return found if found and found[0] is not None else None

    def MutableOutputAt(self, idx: int) -> MetaTensor | None:
        return self._held.MutableOutputAt(idx, MetaTensor)

    def MutableOutputBetween(self, start: int, end: int) -> list[MetaTensor | None]:
        return self._held.MutableOutputBetween(start, end, MetaTensor)

    def AttrAt(self, idx: int, cpp_type: str = "") -> Any:
        """The attribute, of this C++ type if one is given. Raises InvalidArgument for another type."""
        return self._held.AttrAt(idx, cpp_type)

    def InputsSize(self) -> int:
        return self._held.InputsSize()

    def OutputsSize(self) -> int:
        return self._held.OutputsSize()

    def AttrsSize(self) -> int:
        return self._held.AttrsSize()
