"""The machine code of C++'s operators on elements, as g++ makes it on this processor.

Integers wrap around and divide towards zero. Two things that C++ leaves undefined are what they are
on an ARM, where an x86 would end the program by a signal: an integer divided by 0 is 0, and the least
one divided by -1 is itself. A float that no integer is near becomes what the processor makes of it.

This module imports Numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from llvmlite import ir

from registry_runtime.aten.loops import element_forms as forms
from registry_runtime.aten.loops.complex_quotient import complex_quotient
from registry_runtime.aten.loops.narrow_floats import narrowed, splat, widened
from registry_runtime.aten.loops.vector_types import (
    COMPLEX,
    NARROW,
    VectorizedType,
    carrier,
    lower_as,
)
from registry_runtime.aten.tensor.scalar_type import ScalarType

_BOOL, _FLOAT, _DOUBLE = ScalarType.Bool, ScalarType.Float, ScalarType.Double
_UNSIGNED = (
    *(ScalarType.Bool, ScalarType.Byte),
    *(ScalarType.UInt16, ScalarType.UInt32, ScalarType.UInt64),
)
_FLOATING = (_FLOAT, _DOUBLE)


def _same(types: tuple[VectorizedType, ...]) -> VectorizedType | None:
    return types[0] if len(set(types)) == 1 and types[0].T not in COMPLEX else None


def _quotients(types: tuple[VectorizedType, ...]) -> VectorizedType | None:
    is_complex = types[0].T in COMPLEX and types[0].T not in NARROW
    return types[0] if is_complex and len(set(types)) == 1 else _same(types)


def _of(T: ScalarType, like: VectorizedType) -> VectorizedType:
    return VectorizedType(T, like.size, like.has_fma)


def _in_float(lower: Callable[..., Any]) -> Callable[..., Any]:
    """The same of BFloat16 and Half: computed in float, and rounded."""

    def wide(type_: VectorizedType, builder: Any, *values: Any) -> Any:
        if type_.T not in NARROW:
            return lower(type_, builder, *values)
        floats = [widened(type_.T, builder, value, type_.has_fma) for value in values]
        return narrowed(
            type_.T, builder, lower(_of(_FLOAT, type_), builder, *floats), type_.has_fma
        )

    return wide


# --- Arithmetic -----------------------------------------------------------------------------------


@_in_float
def _divided(type_: VectorizedType, builder: Any, a: Any, b: Any) -> Any:
    if type_.T in COMPLEX:
        return complex_quotient(builder, a, b, type_.has_fma, type_.has_fma or type_.apart)
    if type_.T in _FLOATING:
        return builder.fdiv(a, b)
    return _quotient(type_, builder, a, b)


def _quotient(type_: VectorizedType, builder: Any, a: Any, b: Any) -> Any:
    zero, one, minus = (splat(a.type, n) for n in (0, 1, -1))
    by_zero = builder.icmp_signed("==", b, zero)
    if type_.T in _UNSIGNED:
        made = builder.udiv(a, builder.select(by_zero, one, b))
        return builder.select(by_zero, zero, made)
    by_minus = builder.icmp_signed("==", b, minus)
    made = builder.sdiv(a, builder.select(builder.or_(by_zero, by_minus), one, b))
    made = builder.select(by_minus, builder.neg(a), made)
    return builder.select(by_zero, zero, made)


def _remainder(type_: VectorizedType, builder: Any, a: Any, b: Any) -> Any:
    return builder.sub(a, builder.mul(_quotient(type_, builder, a, b), b))


def _bitwise(name: str, type_: VectorizedType, builder: Any, a: Any, b: Any) -> Any:
    return getattr(builder, name)(a, b)


def _compared(order: str, type_: VectorizedType, builder: Any, a: Any, b: Any) -> Any:
    if type_.T in NARROW:
        a, b = (widened(type_.T, builder, x, type_.has_fma) for x in (a, b))
    if type_.T in NARROW or type_.T in _FLOATING:
        compare = builder.fcmp_unordered if order == "!=" else builder.fcmp_ordered
    else:
        compare = builder.icmp_unsigned if type_.T in _UNSIGNED else builder.icmp_signed
    return _as_bool(builder, compare(order, a, b))


def _as_bool(builder: Any, bits: Any) -> Any:
    return builder.zext(bits, ir.VectorType(ir.IntType(8), bits.type.count))


def _chosen(type_: VectorizedType, builder: Any, condition: Any, a: Any, b: Any) -> Any:
    decides = builder.icmp_unsigned("!=", condition, splat(condition.type, 0))
    return builder.select(decides, a, b)


def _magnitude(type_: VectorizedType, builder: Any, a: Any) -> Any:
    if type_.T in NARROW:
        return builder.and_(a, splat(a.type, 0x7FFF))
    if type_.T in _FLOATING:
        return _intrinsic("fabs", type_, builder, a)
    return builder.select(builder.icmp_signed("<", a, splat(a.type, 0)), builder.neg(a), a)


# --- Functions ------------------------------------------------------------------------------------


def _intrinsic(name: str, type_: VectorizedType, builder: Any, a: Any) -> Any:
    bits = 32 if type_.T is _FLOAT else 64
    full = f"llvm.{name}.v{a.type.count}f{bits}"
    function = builder.module.globals.get(full)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(a.type, [a.type]), full)
    return builder.call(function, [a])


def _in_libm(name: str, type_: VectorizedType, builder: Any, *values: Any) -> Any:
    """C's function, of one element after the other."""
    element = values[0].type.element
    spelled = f"{name}f" if type_.T is _FLOAT else name
    function = builder.module.globals.get(spelled)
    if function is None:
        of = ir.FunctionType(element, [element] * len(values))
        function = ir.Function(builder.module, of, spelled)
    made = ir.Constant(values[0].type, ir.Undefined)
    for lane in range(type_.size):
        at = ir.Constant(ir.IntType(32), lane)
        one = builder.call(function, [builder.extract_element(v, at) for v in values])
        made = builder.insert_element(made, one, at)
    return made


# --- Conversions ----------------------------------------------------------------------------------


def _converted(to: ScalarType, type_: VectorizedType, builder: Any, a: Any) -> Any:
    T = type_.T
    if T in NARROW:
        wide = widened(T, builder, a, type_.has_fma)
        return _converted(to, _of(_FLOAT, type_), builder, wide) if to is not _FLOAT else wide
    if to in NARROW:
        wide = _converted(_FLOAT, type_, builder, a) if T is not _FLOAT else a
        return narrowed(to, builder, wide, type_.has_fma)
    if to is _BOOL:
        compare = builder.fcmp_unordered if T in _FLOATING else builder.icmp_unsigned
        return _as_bool(builder, compare("!=", a, splat(a.type, 0)))
    target = ir.VectorType(carrier(to), a.type.count)
    if T in _FLOATING:
        return _of_float(to, builder, a, target)
    if to in _FLOATING:
        return (builder.uitofp if T in _UNSIGNED else builder.sitofp)(a, target)
    if target.element.width <= a.type.element.width:
        return builder.trunc(a, target) if target != a.type else a
    return (builder.zext if T in _UNSIGNED else builder.sext)(a, target)


def _of_float(to: ScalarType, builder: Any, a: Any, target: Any) -> Any:
    if to in _FLOATING:
        return (builder.fpext if to is _DOUBLE else builder.fptrunc)(a, target)
    if to is ScalarType.UInt64:
        return builder.fptoui(a, target)
    # Processors make an int of it first, of which what is narrower is the low part.
    width = 64 if to is ScalarType.UInt32 else max(32, target.element.width)
    made = builder.fptosi(a, ir.VectorType(ir.IntType(width), a.type.count))
    return builder.trunc(made, target) if made.type != target else made


# --- All of them ----------------------------------------------------------------------------------


def _cast_to(to: ScalarType, types: tuple[VectorizedType, ...]) -> VectorizedType | None:
    return _of(to, types[0])


def _boolean(types: tuple[VectorizedType, ...]) -> VectorizedType | None:
    like = _same(types)
    return None if like is None else _of(_BOOL, like)


def _branches(types: tuple[VectorizedType, ...]) -> VectorizedType | None:
    return types[1] if types[0].T is _BOOL and types[1] == types[2] else None


lower_as(forms.DIVIDED, 2, _quotients, _divided)
lower_as(operator.truediv, 2, _quotients, _divided)
lower_as(forms.REMAINDER, 2, _same, _remainder)
for _operator, _name in {"&": "and_", "|": "or_", "^": "xor"}.items():
    lower_as(forms.BITWISE[_operator], 2, _same, partial(_bitwise, _name))
for _order, _form in forms.COMPARED.items():
    lower_as(_form, 2, _boolean, partial(_compared, _order))
lower_as(forms.CHOSEN, 3, _branches, _chosen)
lower_as(forms.MAGNITUDE, 1, _same, _magnitude)
for _name, _form in forms.BY_PROCESSOR.items():
    lower_as(_form, 1, _same, _in_float(partial(_intrinsic, _name)))
for _name, _form in (forms.OF_ONE | forms.OF_TWO).items():
    lower_as(_form, 2 if _name in forms.OF_TWO else 1, _same, _in_float(partial(_in_libm, _name)))
for _T, _form in forms.CAST.items():
    lower_as(_form, 1, partial(_cast_to, _T), partial(_converted, _T))


def know_numbers(formula: Callable[..., Any]) -> None:
    """Make the text's numbers that a formula calls known to Numba."""
    for name in formula.__code__.co_names:
        number = getattr(formula.__globals__.get(name), "number", None)
        if number is not None:
            _lower_number(*number)


@cache
def _lower_number(T: ScalarType, value: float) -> None:
    def lowered(type_: VectorizedType, builder: Any, like: Any) -> Any:
        return splat(ir.VectorType(carrier(T), type_.size), value)

    lower_as(forms.constant(T, value), 1, partial(_cast_to, T), lowered)
