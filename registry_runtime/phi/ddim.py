"""A shape as C++ has it: a DDim, whose dims can be changed and whose rank can't.

For another rank, a body turns it into a vector and back: `make_ddim(vectorize(x.dims()))`.

Source: `paddle/common/ddim.h`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from registry_runtime.cxx import NamedType, Vector
from registry_runtime.phi.enforce import InvalidArgument


class DDim(list[int]):
    """`phi::DDim`. Prints as Paddle's: `3, 4`."""

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(map(str, self))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def at(self, index: object) -> int:
        """Raises InvalidArgument."""
        if isinstance(index, int) and 0 <= index < len(self):
            return self[index]
        raise InvalidArgument(
            "Invalid DDim index to be accessed. The valid index is between 0 and "
            f"{len(self)}, but received index is {index}.",
            argument=0,
        )


def make_ddim(dims: object) -> DDim:
    if isinstance(dims, list | tuple) and all(isinstance(dim, int) for dim in dims):
        return DDim(dims)
    raise InvalidArgument("make_ddim takes a list of numbers", argument=0)


def vectorize(dims: object) -> Vector:
    if isinstance(dims, DDim):
        return Vector(dims, NamedType("int64_t"))
    raise InvalidArgument("vectorize takes a DDim", argument=0)


def product(dims: object) -> int:
    return math.prod(vectorize(dims))


def slice_ddim(dims: object, begin: object, end: object) -> DDim:
    match dims, begin, end:
        case DDim(), int(), int() if 0 <= begin <= end <= len(dims):
            return DDim(dims[begin:end])
    raise InvalidArgument(f"slice_ddim({dims}, {begin}, {end}) reaches beyond the dims")


SHAPES: Mapping[str, Callable[..., object]] = {
    "make_ddim": make_ddim,
    "vectorize": vectorize,
    "product": product,
    "slice_ddim": slice_ddim,
}
