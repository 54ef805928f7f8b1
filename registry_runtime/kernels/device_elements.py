"""Launching a statement on each element, on the device.

A GPU moves up to 16 bytes with one instruction, and memory is what an element-wise kernel waits for. So
where all operands lie in one piece, a thread takes as many elements as that makes. Where one broadcasts
or has gaps, a thread takes one element, and finds it by the strides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from registry_runtime.kernels import nvrtc
from registry_runtime.kernels.cuda_source import BESIDE, HEADERS, MOST_DIMS, Elements

_EXACTLY = "--fmad=false"  # a product is rounded before it is added to, as on the CPU
Strides = list[int]


def launcher(
    cupy: Any, elements: Elements
) -> Callable[[Sequence[Any], Sequence[np.generic], Any], None]:
    """`launch(operands, numbers, out)`, compiled.

    The operands are of the right data types and broadcast to `out`, which is C-contiguous, and whose
    memory an operand shares wholly or not at all. Raises as `nvrtc.ptx` does.
    """
    text = HEADERS + elements.in_one_piece()
    in_one_piece = nvrtc.loaded(cupy, text, elements.name, _EXACTLY).get_function(elements.name)
    together = elements.together
    held = (*elements.tensors.values(), elements.out)
    whole = [together * dtype.numpy.itemsize - 1 for dtype in held]
    block = (BESIDE,)

    @cache
    def by_strides() -> Any:
        text = HEADERS + elements.by_strides()
        module = nvrtc.loaded(cupy, text, elements.name, _EXACTLY)
        return module.get_function(f"{elements.name}_by_strides")

    def launch(operands: Sequence[Any], numbers: Sequence[np.generic], out: Any) -> None:
        n, shape = out.size, out.shape
        if n == 0:
            return
        for x, mask in zip(operands, whole, strict=False):
            if x.shape != shape or not x.flags.c_contiguous or x.data.ptr & mask:
                break
        else:
            if not out.data.ptr & whole[-1]:
                grid = (-(-n // (BESIDE * together)),)
                in_one_piece(grid, block, (*operands, *numbers, out, np.int64(n)))
                return
        spread = [cupy.broadcast_to(x, shape) for x in operands]
        dims, strides = _fewest_dims(shape, [list(x.strides) for x in spread])
        if len(dims) > MOST_DIMS:
            spread = [cupy.ascontiguousarray(x) for x in spread]
            dims, strides = _fewest_dims(shape, [list(x.strides) for x in spread])
        missing = MOST_DIMS - len(dims)
        sizes = [*[1] * missing, *dims][1:]
        steps = [step for steps in strides for step in (*[0] * missing, *steps)]
        layout = map(np.int64, (*sizes, *steps))
        # Of memory that isn't contiguous CuPy passes the address all the same.
        addresses = [np.uintp(x.data.ptr) for x in spread]
        by_strides()((-(-n // BESIDE),), block, (*addresses, *numbers, *layout, out, np.int64(n)))

    return launch


def _fewest_dims(shape: tuple[int, ...], strides: list[Strides]) -> tuple[list[int], list[Strides]]:
    """The same elements in the same order by as few dims as can be: those of 1 go, and one whose
    stride is all of the next one joins it."""
    dims: list[int] = []
    steps: list[Strides] = [[] for _ in strides]
    for at in reversed(range(len(shape))):
        if shape[at] == 1:
            continue
        joins = dims and all(
            of[at] == kept[0] * dims[0] for of, kept in zip(strides, steps, strict=True)
        )
        if joins:
            dims[0] *= shape[at]
        else:
            dims.insert(0, shape[at])
            for of, kept in zip(strides, steps, strict=True):
                kept.insert(0, of[at])
    assert math.prod(dims) == math.prod(shape)
    return dims, steps
