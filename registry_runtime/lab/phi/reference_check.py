"""What can be said of a GPU kernel where there is no GPU.

Some operators are for GPUs alone, and their kernels can't be held to their NumPy references here. The
halves of that can: NVRTC compiles the kernel's source, which takes no device, and the reference is held
to a second way to the same numbers. For a gradient that is finite differences of the forward pass.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from registry_runtime.kernels.device import NoDevice
from registry_runtime.kernels.nvrtc import NotInstalled
from registry_runtime.kernels.ptx import ptx
from registry_runtime.kernels.template import Instance
from registry_runtime.lab.phi.trial import source_of
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_template import KernelError, as_tuple

_MOST_ELEMENTS = 200  # finite differences run the forward pass twice for each of them
_NEAR = 1e-5


@dataclass(frozen=True)
class ReferenceCheck:
    """What came of it. `by` is the second way; `furthest` is how far it is off the reference at
    most, of the largest element of the output; `compiled` is None where NVRTC isn't installed."""

    function: str
    source: str
    missing: str
    compiled: bool | None
    compilation: str
    elements: int
    by: str
    furthest: float

    @property
    def agrees(self) -> bool:
        return self.furthest <= _NEAR

    @property
    def passed(self) -> bool:
        """Whether nothing that could be checked was wrong."""
        return self.agrees and self.compiled is not False

    def report(self) -> Iterator[str]:
        """Lines to read."""
        yield f"kernel      {self.function}"
        yield f"source      {self.source}"
        compiled = "compiled but not run" if self.compiled else "neither compiled nor run"
        yield f"CUDA        {compiled}: {self.compilation}"
        yield f"device      none: a GPU kernel needs {self.missing}"
        agrees = "agrees with" if self.agrees else "DISAGREES with"
        yield f"reference   NumPy's {agrees} {self.by}"
        yield f"            on {self.elements} elements, to {self.furthest:.0e} of the largest result"


def check_reference(kernel: Kernel, size: int, missing: NoDevice) -> ReferenceCheck:
    """Compile the kernel for a device that there isn't, and check its NumPy reference.

    `missing` says why it can't run; it is raised again for a kernel that has no second way, since one
    with a build for the CPU needs none. `size` elements are made up, or as many as are quick.
    """
    instance: Instance = instance_of(kernel)
    template = instance.template
    if template.second_way is None:
        raise missing
    compiled, compilation = _compiled(instance)
    elements = min(size, _MOST_ELEMENTS)
    # The reference computes in double precision whatever T is. A gradient's inputs are made by the
    # forward pass: in double precision they aren't rounded, and finite differences agree with them.
    T = DataType.FLOAT64 if DataType.FLOAT64 in template.dtypes else instance.dtype
    bound = template.bind(*template.sample(T, elements, np.random.default_rng(0)))
    with np.errstate(all="ignore"):
        ours, others = template.reference(*bound), template.second_way.results(*bound)
    furthest = max(map(_distance, as_tuple(ours), as_tuple(others)))
    return ReferenceCheck(
        function=str(kernel.function),
        source=source_of(instance),
        missing=missing.need,
        compiled=compiled,
        compilation=compilation,
        elements=elements,
        by=template.second_way.by,
        furthest=furthest,
    )


def _compiled(instance: Instance) -> tuple[bool | None, str]:
    started = time.perf_counter()
    try:
        text = ptx(instance.template, instance.dtype)
    except NotInstalled as error:
        return None, str(error)
    except KernelError as error:
        return False, str(error)
    seconds = time.perf_counter() - started
    return True, f"NVRTC made {len(text.splitlines())} lines of PTX in {seconds * 1e3:.0f} ms"


def _distance(reference: object, other: object) -> float:
    """The furthest that two arrays are apart, of the larger one's largest element; infinite if NaN."""
    a, b = np.asarray(reference, np.float64), np.asarray(other, np.float64)
    if a.shape != b.shape:
        return float("inf")
    apart = np.abs(a - b).max(initial=0)
    size = max(np.abs(a).max(initial=0), np.abs(b).max(initial=0), np.finfo(np.float64).tiny)
    return float(apart / size) if np.isfinite(apart) else float("inf")
