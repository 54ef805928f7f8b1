"""Which type two types meet in, and which may be stored as which.

Promotion is a lattice: bool below the integers, these below the floating-point types, these below the
complex ones; and of two types of one kind the one that can hold both.

Source: `c10/core/ScalarType.h` and `.cpp` of PyTorch 2.13.
"""

from __future__ import annotations

from functools import cache

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.scalar_type import (
    FLOAT8,
    ScalarType,
    is_complex_type,
    is_floating_type,
    is_integral_type,
    to_complex_type,
    to_real_value_type,
)

_QUANTIZED = frozenset(kind for kind in ScalarType if kind.name.startswith(("QInt", "QUInt")))
_BITS = frozenset(kind for kind in ScalarType if kind.name.startswith("Bits"))
_BAREBONES_UNSIGNED = frozenset(kind for kind in ScalarType if kind.name.startswith("UInt"))
_SMALL_SIGNED = frozenset(
    kind for kind in ScalarType if kind.torch_name in map("int{}".format, range(1, 8))
)


def can_cast(source: ScalarType, target: ScalarType) -> bool:
    """`c10::canCast`: whether a result of one type may be stored in an output of another.

    Width doesn't matter, only the kind: complex → real, floating → integral and anything → bool
    would lose what the type stands for.
    """
    if is_complex_type(source) and not is_complex_type(target):
        return False
    if is_floating_type(source) and is_integral_type(target, include_bool=False):
        return False
    return target is not ScalarType.Bool or source is ScalarType.Bool


@cache
def promote_types(a: ScalarType, b: ScalarType) -> ScalarType:
    """`c10::promoteTypes`: the smallest type that holds both, kinds first, then widths.

    Undefined where PyTorch says so (one is Undefined, or one is of raw bits). Raises TorchError, in
    PyTorch's words, for types that take no part in promotion.
    """
    undefined = ScalarType.Undefined
    if undefined in (a, b):
        return undefined
    if a is b:
        return a
    either = {a, b}
    if either & _QUANTIZED:
        raise TorchError(
            "promoteTypes with quantized numbers is not handled yet; "
            f"figure out what the correct rules should be, offending types: {a} {b}"
        )
    if either & _BITS:
        return undefined
    if either & FLOAT8:
        raise TorchError(
            f"Promotion for Float8 Types is not supported, attempted to promote {a} and {b}"
        )
    if either & _BAREBONES_UNSIGNED:
        for kind in (a, b):
            if is_floating_type(kind):
                return kind
        raise TorchError(
            "Promotion for uint16, uint32, uint64 types is not supported, "
            f"attempted to promote {a} and {b}"
        )
    for kind, name in ((a, "ix_a"), (b, "ix_b")):
        if kind in _SMALL_SIGNED or kind is ScalarType.Float4_e2m1fn_x2:
            raise TorchError(f"{name} != -1 INTERNAL ASSERT FAILED, promoting {a} and {b}")
    if is_complex_type(a) or is_complex_type(b):
        return to_complex_type(_promote_real(to_real_value_type(a), to_real_value_type(b)))
    return _promote_real(a, b)


def _promote_real(a: ScalarType, b: ScalarType) -> ScalarType:
    if a is ScalarType.Bool or b is ScalarType.Bool or a is b:
        return b if a is ScalarType.Bool else a
    if is_floating_type(a) != is_floating_type(b):
        return a if is_floating_type(a) else b
    if a.itemsize != b.itemsize:
        return max(a, b, key=lambda kind: kind.itemsize)
    # Equally wide and different: neither holds the other. Byte and Char, or Half and BFloat16.
    return ScalarType.Short if is_integral_type(a, include_bool=False) else ScalarType.Float
