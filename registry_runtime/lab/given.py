"""A tensor as somebody gives it, in words that every framework's arguments are typed in.

    4096x1024             a shape, for somebody else to fill
    3x4:range             a shape, and what fills it
    [[1, 2], [3, nan]]    its values
    x.npy, many.npz:x     a file that NumPy wrote

What its elements are, a file knows by itself; for the others, who asks for it says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from registry_runtime.lab.array_file import ArrayFile, array_file, is_array_file
from registry_runtime.lab.values import made_up, parse_shape, parse_values
from registry_runtime.near import did_you_mean
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel_template import KernelError

Fill = Literal["random", "zeros", "ones", "range"]
FILLS: tuple[Fill, ...] = get_args(Fill)


@dataclass(frozen=True, slots=True)
class Given:
    """`values`, of the data type that is wanted; None for a shape that others fill. `file` is where
    they come from, if they do."""

    shape: tuple[int, ...]
    values: Callable[[DataType], NDArray[Any]] | None = None
    file: ArrayFile | None = None

    def dtype(self, wanted: DataType) -> DataType:
        """That of a file, or else what is wanted. Raises ValueError for one that PHI hasn't."""
        return wanted if self.file is None else DataType.of(self.file.dtype)


def given(text: str) -> Given:
    """Read the words; of a file, its head. Raises ValueError for what they can't mean."""
    text = text.strip()
    if text.startswith("["):
        read = parse_values(text, DataType.COMPLEX128)
        return Given(read.shape, lambda dtype: parse_values(text, dtype))
    if is_array_file(text):
        file = array_file(text)
        return Given(file.shape, lambda _: file.read(), file)
    dims, colon, fill = text.partition(":")
    if not colon:
        return Given(parse_shape(text))
    if fill.strip() not in FILLS:
        raise ValueError(f"'{fill.strip()}' fills nothing; there are {', '.join(FILLS)}")
    shape = parse_shape(dims)
    return Given(shape, lambda dtype: _filled(fill.strip(), shape, dtype))


def given_as(name: str, text: str) -> Given:
    """The same for the parameter of that name. Raises KernelError, which begins with it."""
    try:
        one = given(text)
        one.dtype(DataType.UNDEFINED)
    except (ValueError, TypeError) as error:
        raise KernelError(f"{name}: {error}") from None
    return one


def check_given(
    operator: str, kind: str, names: Iterable[str], taken: Sequence[str], others: Sequence[str]
) -> None:
    """Raises KernelError for a name that isn't among those of the kind that the operator takes;
    `others` are what it takes of the other kind, `input` or `attribute`."""
    for name in names:
        if name in taken:
            continue
        there = f"it takes {', '.join(taken)}" if taken else f"it takes no {kind}"
        if name in others:
            other = "--attr" if kind == "input" else "--input"
            raise KernelError(f"{name} is no {kind} of {operator}: give it with {other}")
        hint = did_you_mean(name, taken, there, 0.6)
        raise KernelError(f"{operator} has no {kind} '{name}'; {hint}")


def _filled(fill: str, shape: tuple[int, ...], dtype: DataType) -> NDArray[Any]:
    if fill == "random":
        return made_up(dtype.numpy, shape, np.random.default_rng(0))
    if fill == "range":
        return np.arange(math.prod(shape)).astype(dtype.numpy).reshape(shape)
    return np.full(shape, fill == "ones", dtype.numpy)
