"""What a call comes to, worked out once: the outputs' dims and data types, and the attributes' values.

InferMeta and the conversion of attributes depend on the shapes and data types of the tensors and on
the attributes, and on nothing that the tensors hold. A program makes the same call over and over; so
a launch keeps what it found under these, and the next such call starts with allocating.

On one element to tell the key is half of the work. Where the signature has only what a key can be
told of in an expression, `keys_for` writes a function for just this signature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign
from typing import Any, Generic, TypeVar

import numpy as np

from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.parameter_types import ParameterType
from registry_runtime.phi.scalar import Scalar

Plan = TypeVar("Plan")
Key = tuple[Any, ...]

_MOST = 256  # different calls of one kernel that are remembered
_PLAIN = frozenset({bool, int, str, type(None), DataType})
_ndarray = np.ndarray


def key_of(args: tuple[Any, ...]) -> Key | None:
    """What a plan depends on; None for arguments that it can't be told of at a glance.

    Types are part of it, and the sign of a zero: True, 1 and 1.0 are equal, and so are 0.0 and -0.0.
    """
    key: list[Any] = []
    for arg in args:
        type_ = type(arg)
        if type_ is _ndarray:
            key += arg.dtype, arg.shape
        elif type_ in _PLAIN:
            key += type_, arg
        elif type_ is list:
            if not all(type(element) is int for element in arg):
                return None
            key.append(tuple(arg))
        else:
            if type_ is Scalar:
                key.append(Scalar)
                arg = arg.value
            if hasattr(arg, "__cuda_array_interface__"):
                key += "device", arg.dtype, arg.shape
            elif type(arg) is float and arg == arg:
                key += float, arg, copysign(1.0, arg)
            elif type(arg) in _PLAIN:
                key += type(arg), arg
            else:
                return None
    return tuple(key)


def keys_for(
    types: Sequence[ParameterType], ragged: Sequence[int] = ()
) -> Callable[..., Key | None]:
    """`key(*args)`, for a signature of these types, in which the tensors at `ragged` have a LoD.

    It raises whatever arguments raise that are no such things. A plan may be kept under the key of
    arguments of which `key_of` gives one too.
    """
    if not all(type_.key for type_ in types):
        return lambda *args: key_of(args)
    names = [f"a{i}" for i in range(len(types))]
    parts = [
        f"type({name}), {type_.key.format(f'{name}.data')}, {name}.lod"
        if i in ragged
        else type_.key.format(name)
        for i, (name, type_) in enumerate(zip(names, types, strict=True))
    ]
    key: Callable[..., Key] = eval(
        f"lambda {', '.join(names)}: ({', '.join(parts)},)", {"Scalar": Scalar}
    )
    return key


class Plans(dict[Key | None, Plan], Generic[Plan]):
    """The plans of one kernel's calls. `keep` forgets all of them when there are too many."""

    def keep(self, key: Key | None, plan: Plan) -> None:
        if key is not None:
            if len(self) >= _MOST:
                self.clear()
            self[key] = plan
