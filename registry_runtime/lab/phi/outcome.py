"""What a kernel made of its arguments, beside what its NumPy reference makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.kernels.template import Instance
from registry_runtime.lab.values import on_host
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_template import KernelError, as_tuple


@dataclass(frozen=True, slots=True)
class Difference:
    """How an output is off NumPy's. `index` is that of the first element that is."""

    output: str
    count: int
    total: int
    index: tuple[int, ...]
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        if not self.total:
            return f"{self.output} is {self.ours}, and NumPy's is {self.theirs}"
        at = f"[{', '.join(map(str, self.index))}]"
        with np.errstate(all="ignore"):
            by = self.ours - self.theirs if not isinstance(self.ours, bool) else None
        said = f"{self.count:,} of {self.total:,} elements of {self.output} differ; the first is"
        said += f" {at}: {self.ours}, and NumPy has {self.theirs}"
        return said if by is None or by != by else f"{said}, off by {by:g}"


@dataclass(frozen=True)
class Outcome:
    """What a run gave: arrays in host memory, attributes as they were passed, by parameter.
    `seconds` are those of this one call, which made its outputs."""

    function: str
    inputs: Mapping[str, Any]
    results: Mapping[str, NDArray[Any]]
    references: Mapping[str, NDArray[Any]]
    differences: tuple[Difference, ...]
    seconds: float

    @property
    def agrees(self) -> bool:
        return not self.differences

    @property
    def tensors(self) -> tuple[NDArray[Any], ...]:
        """The elements of those among the inputs."""
        values = self.inputs.values()
        return tuple(np.asarray(v) for v in values if isinstance(v, np.ndarray | DenseTensor))


def outcome_of(
    instance: Instance,
    function: str,
    arguments: tuple[Any, ...],
    results: tuple[NDArray[Any], ...],
    seconds: float,
) -> Outcome:
    """`results`, in host memory, of `function` on these arguments, compared. Raises what the reference
    raises, and KernelError where InferMeta had promised another shape or data type."""
    template = instance.template
    host = tuple(on_host(argument) for argument in arguments)
    _check_promise(instance, host, results)
    references = as_tuple(instance.reference(*host))
    masks = instance.off(host, results, references)
    names = template.result_names(len(results))
    differences = [
        _difference(name, result, reference, mask)
        for name, result, reference, mask in zip(names, results, references, masks, strict=True)
    ]
    return Outcome(
        function,
        {p.name: value for p, value in zip(template.inputs, host, strict=True)},
        dict(zip(names, results, strict=True)),
        dict(zip(names, references, strict=True)),
        tuple(d for d in differences if d is not None),
        seconds,
    )


def _check_promise(
    instance: Instance, arguments: tuple[Any, ...], results: tuple[NDArray[Any], ...]
) -> None:
    """An element-wise kernel has its shape from its inputs: who asked InferMeta has to get the same."""
    template = instance.template
    bound = template.bind(*arguments)
    metas = template.resized(bound, template.infer(instance.dtype, bound))
    names = template.result_names(len(results))
    for name, meta, result in zip(names, metas, results, strict=True):
        promised = f"{meta.dtype}{list(meta.dims)}"
        if promised != _kind(result):
            said = f"InferMeta says that {name} is {promised}, and the kernel made {_kind(result)}"
            raise KernelError(f"{template.name}: {said}")


def _difference(
    name: str, result: NDArray[Any], reference: NDArray[Any], mask: NDArray[np.bool] | None
) -> Difference | None:
    if mask is None:
        return Difference(name, 1, 0, (), _kind(result), _kind(reference))
    if not mask.any():
        return None
    index = tuple(int(i) for i in np.unravel_index(int(mask.argmax()), mask.shape))
    count = int(np.count_nonzero(mask))
    return Difference(name, count, mask.size, index, result[index].item(), reference[index].item())


def _kind(array: NDArray[Any]) -> str:
    return f"{array.dtype}{list(array.shape)}"
