"""Arrays of all kinds of shapes, and the two ways to hold a kernel to NumPy with them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

from registry_runtime.kernels import find
from registry_runtime.kernels.template import Instance, random_array
from registry_runtime.phi.data_type import DataType

FLOATS = [DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16, DataType.BFLOAT16]
SHAPES = array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=6) | st.sampled_from(
    [(40_000,), (3, 20_000), (700, 300), (2, 300, 5), (5, 1, 700)]
)


def built(name: str, dtype: DataType) -> Instance:
    template = find(f"phi::{name}Kernel")
    assert template is not None
    instance = template.instantiate(dtype, "CPUContext")
    instance.build()
    return instance


def random(dtype: DataType, shape: tuple[int, ...]) -> Any:
    return random_array(dtype, shape, np.random.default_rng(len(shape) + sum(shape)))


def assert_agrees(instance: Instance, *args: Any) -> None:
    """As it is, through an output with gaps, and with the first operand lying the other way round."""
    result = instance.launch(*args)
    assert instance.agrees(args, result), (args[1:], result, instance.reference(*args))
    if isinstance(result, np.ndarray):
        wide = np.empty(
            (*result.shape[:-1], 2 * result.shape[-1]) if result.ndim else (), result.dtype
        )
        out = wide[..., ::2] if result.ndim else wide
        assert instance.launch(*args, out=out) is out
        assert instance.agrees(args, out)
    if args[0].ndim > 1:
        turned = (np.asfortranarray(args[0]), *args[1:])
        assert instance.agrees(args, instance.launch(*turned))
