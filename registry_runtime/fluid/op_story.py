"""What a call of an operator did, in order: for those who want to see how a kernel was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from registry_runtime.phi.kernel_template import KernelError


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a call did. `fact` is the object behind the sentence.

    By kind: `key` an OpKernelType, `signature` a KernelSignature, `kernel` a Kernel of PHI's, a
    ClassKernel of Fluid's, or None where PHI has none, `shapes` the outputs' dims by name, `launch` the
    name of what ran.
    """

    kind: Literal["key", "signature", "kernel", "shapes", "launch"]
    sentence: str
    fact: object


@dataclass(frozen=True, slots=True)
class OpStory:
    """A call, told: its steps in order, and what came of it, the outputs or an error."""

    op_type: str
    steps: tuple[Step, ...]
    outputs: Mapping[str, Any] | None = None
    error: KernelError | None = None


Tell = Callable[[Step], None]
