"""What a kernel of one's own imports: the types of its parameters, its data types, and its builders.

`unfold kernel new FILE:LINE` writes such a file. `KernelTemplate` says what each part is for; `loop`
is the builder for a kernel that is no function of single elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from registry_runtime.kernels import cpu, dtypes, gpu
from registry_runtime.kernels.template import (
    Builder,
    Context,
    Double,
    Int64,
    IntArray,
    KernelTemplate,
    OptionalTensor,
    OptionalTensors,
    Out,
    Outs,
    Place,
    Tensors,
    random_array,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.parameter_types import type_of
from registry_runtime.phi.scalar import Scalar

__all__ = [
    "Attribute",
    "Context",
    "DataType",
    "DenseTensor",
    "Double",
    "Int64",
    "IntArray",
    "InvalidArgument",
    "KernelTemplate",
    "MetaTensor",
    "OptionalTensor",
    "OptionalTensors",
    "Out",
    "Outs",
    "Place",
    "Scalar",
    "Tensors",
    "cpu",
    "gpu",
    "loop",
    "random_array",
    "wide",
]


def Attribute(cpp_type: str) -> Any:
    """The annotation of a parameter whose C++ type has no name of its own here."""
    return Annotated[object, type_of(cpp_type)]


def wide(tensor: DenseTensor) -> Any:
    """The elements as a kernel computes with them: half precision as float32, others as they are."""
    array = np.asarray(tensor)
    return array.astype(np.float32) if tensor.dtype in dtypes.HALF else array


def loop(function: Callable[..., None]) -> Builder:
    """Builds a kernel of `function(*inputs, *attributes, *outputs)`, a loop in plain Python.

    Numba compiles it. It gets arrays, of half precision as float32; an absent tensor as None, several
    tensors as a tuple, a list of numbers as an array; and it fills the outputs.
    """

    def build(template: KernelTemplate, T: DataType) -> Any:
        def make(loops: Any, T: DataType) -> cpu.Compiled:
            from registry_runtime.kernels.own_numba import numba

            compiled = numba.njit(function, nogil=True, error_model="numpy")
            outputs = len(template.outputs)

            def run(*args: Any) -> None:
                given = [_as_numba_takes_it(arg, T) for arg in args]
                compiled(*given)
                for array, filled in zip(args[-outputs:], given[-outputs:], strict=True):
                    if array is not filled:
                        array[...] = filled

            _compile(template, T, run)
            return cpu.Compiled(
                run,
                False,
                lambda: "\n".join(map(str, compiled.inspect_asm().values())),
                lambda: "\n".join(map(str, compiled.inspect_llvm().values())),
            )

        return cpu.function(make)(template, T)

    return build


def _compile(template: KernelTemplate, T: DataType, run: Callable[..., None]) -> None:
    """Run it on the sample: what Numba makes depends on the arguments' types."""
    bound = template.bind(*template.sample(T, 16, np.random.default_rng(0)))
    metas = template.resized(bound, template.infer(T, bound))
    arrays = [_array(value) for value in bound]
    run(*arrays, *(np.empty(meta.dims, meta.dtype.numpy) for meta in metas))


def _array(value: Any) -> Any:
    if isinstance(value, list) and value and isinstance(value[0], DenseTensor):
        return [np.asarray(tensor) for tensor in value]
    return np.asarray(value) if isinstance(value, DenseTensor) else value


def _as_numba_takes_it(value: Any, T: DataType) -> Any:
    if isinstance(value, np.ndarray):
        half = DataType.of(value.dtype) in dtypes.HALF
        return value.astype(np.float32) if half else value
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], np.ndarray):
            return tuple(_as_numba_takes_it(array, T) for array in value)
        return np.asarray(value)
    if isinstance(value, Scalar):
        return _as_numba_takes_it(np.asarray(value.to(T)), T)[()]
    return int(value) if isinstance(value, DataType) else value
