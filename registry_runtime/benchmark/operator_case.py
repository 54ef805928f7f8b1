"""A row of the benchmark about an operator of PyTorch's: our whole chain, from the Python front
through the dispatcher and the iterator to the loop, beside the peers' functions.

`aten::add.Tensor` is called as Python calls it, `front.add(x, y)`, and so are the peers. Operators
without a front are called by their name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.benchmark.sweep import BenchmarkError, check_memory, data_type
from registry_runtime.lab.aten.trial import (
    FRONT,
    device_named,
    dtype_named,
    sample_arguments,
    schema_of,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError

_PEERS = {"aten::add.Tensor": "add"}
_USUAL = DataType.FLOAT32


@dataclass(frozen=True)
class Prepared:
    """What an operator needs no time for: it is built when it is first called."""

    compile_seconds: float = 0.0
    from_cache: bool = False


@dataclass(frozen=True)
class OperatorCase:
    """One row to be measured. It stands for its own `instance`: `launch` calls the operator."""

    runtime: Runtime
    kernel: str
    dtype: DataType
    size: int
    launch: Callable[..., Any]
    backend: str = "CPU"
    make: Callable[[np.random.Generator], tuple[Any, ...]] | None = None

    @property
    def instance(self) -> OperatorCase:
        return self

    @property
    def peers_call_it(self) -> str:
        """Under which name the peers list their function."""
        return _PEERS.get(self.kernel, self.kernel)

    def build(self) -> Prepared:
        """Call it once: the loop for this dtype is compiled, or comes from the cache."""
        self.launch(*self.sample_inputs(1, np.random.default_rng(0)))
        return Prepared()

    def sample_inputs(self, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
        """Made-up tensors for the parameters that have no default."""
        values = sample_arguments(
            schema_of(self.runtime, self.kernel),
            dtype_named(str(self.dtype)),
            (size,),
            device_named(self.backend),
            int(rng.integers(1 << 31)),
        )
        return tuple(values.values())

    def bytes_moved(self, arguments: Sequence[Any], result: Any) -> int:
        """What must be read and written at least."""
        tensors = {id(t): t for t in (*arguments, result) if isinstance(t, Tensor)}
        return sum(t.numel() * t.dtype.itemsize for t in tensors.values())

    def bind(self, *arguments: Any) -> tuple[Any, ...]:
        """The arguments as the peers can take them."""
        return tuple(a.numpy_or_cupy() if isinstance(a, Tensor) else a for a in arguments)

    def described(self, result: Any) -> tuple[str, tuple[int, ...]]:
        """The result's dtype, as the peers print it, and its shape."""
        return result.dtype.torch_name, tuple(result.sizes)


def plan_operators(
    runtime: Runtime,
    names: Sequence[str],
    dtypes: Sequence[str],
    sizes: Sequence[int],
    backend: str = "CPU",
) -> list[OperatorCase]:
    """The cases for these operators; float32, if no dtype is named. Raises BenchmarkError."""
    cases = []
    for name in dict.fromkeys(names):
        try:
            schema = schema_of(runtime, name)
            sample_arguments(schema, dtype_named(str(_USUAL)), (1,), device_named(backend))
        except KernelError as error:
            raise BenchmarkError(str(error)) from None
        launch = _launcher(runtime, name)
        wanted = [data_type(dtype) for dtype in dict.fromkeys(dtypes)] or [_USUAL]
        cases += [
            OperatorCase(runtime, name, dtype, size, launch, backend)
            for dtype in wanted
            for size in sizes
        ]
    for case in cases:
        check_memory(case.kernel, case.dtype, case.size)
    return cases


def _launcher(runtime: Runtime, name: str) -> Callable[..., Any]:
    if name in FRONT:
        launch: Callable[..., Any] = getattr(runtime.front, FRONT[name])
        return launch
    return lambda *arguments: runtime.call(name, *arguments)
