"""What to try fused_attention with: its arguments, of small sequences, whole or with parts missing."""

from __future__ import annotations

from typing import Any

from registry_runtime.phi.data_type import DataType
from tests.kernels.shapes import random


def attention_arguments(
    T: DataType,
    sizes: tuple[int, int, int, int] = (2, 5, 2, 3),
    cache: int = 0,
    mask: tuple[int, ...] | None = None,
    bias: bool = True,
    norm: bool = True,
    pre: bool = False,
    turned: bool = False,
    rates: tuple[float, float] = (0.0, 0.0),
    upscale: bool = True,
    is_test: bool = False,
    residual: bool = True,
) -> tuple[Any, ...]:
    """Batch, length, heads and numbers of each; `rates` of the shares' dropout and the output's."""
    batch, length, heads, head = sizes
    embed = heads * head
    U = DataType.FLOAT64 if T is DataType.FLOAT64 else DataType.FLOAT32
    small = T.numpy.type(embed**-0.5)
    weight = (embed, 3 * embed) if turned else (3, heads, head, embed)
    biases = (3 * embed,) if turned else (3, heads, head)
    scales = [random(U, (embed,)) * n for n in (1, 2, 3, 4)] if norm else [None] * 4
    drop = (True, 7, "upscale_in_train" if upscale else "downgrade_in_infer")
    return (
        random(T, (batch, length, embed)),
        *scales[:2],
        random(T, weight) * small,
        random(T, biases) if bias else None,
        random(T, (2, batch, heads, cache, head)) if cache else None,
        random(T, mask) if mask is not None else None,
        random(T, (embed, embed)) * small,
        random(T, (embed,)) if bias else None,
        *scales[2:],
        *(heads, turned, pre, 1e-5, rates[0], is_test, *drop),
        *(rates[1], *drop, 1e-5, residual, -1),
    )


ATTENTIONS: list[dict[str, Any]] = [
    {},
    {"pre": True, "turned": True, "mask": (2, 1, 5, 5), "rates": (0.3, 0.5)},
    {"turned": True, "mask": (2, 2, 5, 5), "rates": (0.3, 0.0), "upscale": False},
    {"pre": True, "bias": False, "norm": False, "rates": (0.0, 0.5), "residual": False},
    {"bias": False, "turned": True, "norm": False, "rates": (1.0, 1.0)},
    {"pre": True, "mask": (5, 5), "sizes": (1, 5, 1, 40), "residual": False},
    {"sizes": (1, 70, 2, 2), "rates": (0.1, 0.1), "mask": (1, 1, 1, 70)},
    {"sizes": (3, 1, 1, 1)},
    {"sizes": (0, 4, 2, 2), "pre": True},
    {"cache": 3, "mask": (2, 1, 5, 8), "is_test": True, "rates": (0.3, 0.5), "upscale": False},
    {"cache": 3, "pre": True, "is_test": True, "rates": (0.3, 0.5), "turned": True},
]
