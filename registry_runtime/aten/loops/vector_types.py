"""`Vectorized<T>` as a type that Numba can compile: its values lie in LLVM vectors.

A loop written in Python says `x + alpha * y`; where x, alpha and y are of this type, each operation
becomes one on a whole register, as PyTorch's headers get it from intrinsics. A single element is a
vector of one, so that a function of elements and the same function of vectors are compiled from one
source. What PyTorch's headers do with rounding is done here in the same order:

- Products of Float and Double are fused with the sum that they go to: `fmadd` of vectors is one
  instruction from AVX2 on, and in the code for single elements gcc makes it one by default.
- BFloat16 and Half are widened to float for each operation, and rounded after it.
- A product of complex numbers is four products, a difference and a sum, each rounded; but among
  single elements gcc fuses again, not among all: see `leftovers`.
- Bool adds by `or` and multiplies by `and`.

This module imports Numba, and reaches into names that Numba keeps private.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

from llvmlite import ir

from registry_runtime.aten.loops.exponential import exponential
from registry_runtime.aten.loops.narrow_floats import narrowed, splat, widened
from registry_runtime.aten.loops.vectorized import exp, fmadd
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.kernels.own_numba import numba

types: Any = numba.types
_extending: Any = numba.extending
_templates: Any = import_module("numba.core.typing.templates")

_I8, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))
_F32, _F64 = ir.FloatType(), ir.DoubleType()

_CARRIER = {
    ScalarType.Bool: _I8,
    ScalarType.Byte: _I8,
    ScalarType.Char: _I8,
    ScalarType.Short: _I16,
    ScalarType.Int: _I32,
    ScalarType.Long: _I64,
    ScalarType.UInt16: _I16,
    ScalarType.UInt32: _I32,
    ScalarType.UInt64: _I64,
    ScalarType.Half: _I16,
    ScalarType.BFloat16: _I16,
    ScalarType.Float: _F32,
    ScalarType.Double: _F64,
    ScalarType.ComplexHalf: _I16,
    ScalarType.ComplexFloat: _F32,
    ScalarType.ComplexDouble: _F64,
}


def carrier(T: ScalarType) -> Any:
    """The LLVM type that an element of T, or each part of it, is held in."""
    return _CARRIER[T]


def intrinsic(function: Callable[..., Any]) -> Any:
    """`numba.extending.intrinsic`, for mypy's sake a function of this module."""
    return _extending.intrinsic(function)


COMPLEX = frozenset({ScalarType.ComplexHalf, ScalarType.ComplexFloat, ScalarType.ComplexDouble})
NARROW = frozenset({ScalarType.BFloat16, ScalarType.Half, ScalarType.ComplexHalf})


class VectorizedType(types.Type):  # type: ignore[misc]
    """`size` elements of `T`, computed with as a build for AVX2 does if `has_fma`; `apart` where such a
    build doesn't fuse what it might: see `leftovers`."""

    def __init__(self, T: ScalarType, size: int, has_fma: bool, apart: bool = False) -> None:
        self.T, self.size, self.has_fma, self.apart = T, size, has_fma, apart
        fused = ", apart" if apart else ", fma" if has_fma else ""
        super().__init__(f"Vectorized<{T}, {size}{fused}>")

    @property
    def lanes(self) -> int:
        return self.size * (2 if self.T in COMPLEX else 1)

    @property
    def llvm(self) -> Any:
        return ir.VectorType(_CARRIER[self.T], self.lanes)


@_extending.register_model(VectorizedType)
class _Model(_extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: VectorizedType) -> None:
        super().__init__(manager, type_, type_.llvm)


Result = Callable[[tuple[VectorizedType, ...]], VectorizedType | None]


def _operation(function: Callable[..., Any], count: int, lower: Callable[..., Any]) -> None:
    """Numba's `function` of `count` vectors of one type is `lower(type, builder, *values)`."""
    lower_as(function, count, lambda types: types[0] if len(set(types)) == 1 else None, lower)


def lower_as(
    function: Callable[..., Any], count: int, result: Result, lower: Callable[..., Any]
) -> None:
    """The same of vectors of any types; `result` says of which type the result is, or None for types
    that it isn't for. `lower` gets the first one's."""

    def generic(self: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        if len(args) == count and all(isinstance(one, VectorizedType) for one in args):
            made = result(args)
            return None if made is None else _templates.signature(made, *args)
        return None

    name = f"Vectorized_{function.__name__}"
    template = type(name, (_templates.AbstractTemplate,), {"generic": generic})
    _templates.infer_global(function, typing_key=function)(template)

    def lowered(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return lower(signature.args[0], builder, *values)

    _extending.lower_builtin(function, *[VectorizedType] * count)(lowered)


def _add(type_: VectorizedType, builder: Any, a: Any, b: Any) -> Any:
    T = type_.T
    if T is ScalarType.Bool:
        return builder.or_(a, b)
    if T in NARROW:
        wide = builder.fadd(
            widened(T, builder, a, type_.has_fma), widened(T, builder, b, type_.has_fma)
        )
        return narrowed(T, builder, wide, type_.has_fma)
    if T in COMPLEX:
        return builder.fadd(a, b)
    if _is_float(type_):
        for product, other in ((b, a), (a, b)):
            # As gcc does. LLVM would too, had it not moved products of constants out of the loop.
            if type_.has_fma and getattr(product, "opname", "") == "fmul":
                return _fma(builder, product.operands[0], product.operands[1], other)
        return builder.fadd(a, b)
    return builder.add(a, b)


def _mul(type_: VectorizedType, builder: Any, a: Any, b: Any) -> Any:
    T = type_.T
    if T is ScalarType.Bool:
        return builder.and_(a, b)
    if T in NARROW:
        wide_a, wide_b = (widened(T, builder, x, type_.has_fma) for x in (a, b))
        multiply = _complex_product if T in COMPLEX else ir.IRBuilder.fmul
        return narrowed(T, builder, multiply(builder, wide_a, wide_b), type_.has_fma)
    if T in COMPLEX:
        fused = type_.has_fma and type_.size == 1
        return (_fused_complex_product if fused else _complex_product)(builder, a, b)
    return builder.fmul(a, b) if _is_float(type_) else builder.mul(a, b)


def _fmadd(type_: VectorizedType, builder: Any, a: Any, b: Any, c: Any) -> Any:
    T = type_.T
    if T in (ScalarType.BFloat16, ScalarType.Half) and type_.has_fma:
        wide_a, wide_b, wide_c = (widened(T, builder, x, True) for x in (a, b, c))
        return narrowed(T, builder, _fma(builder, wide_a, wide_b, wide_c), True)
    if _is_float(type_) and type_.has_fma:
        return _fma(builder, a, b, c)
    return _add(type_, builder, _mul(type_, builder, a, b), c)


def _sub(type_: VectorizedType, builder: Any, a: Any, b: Any) -> Any:
    if type_.T is ScalarType.Bool:
        return builder.xor(a, b)  # true - true is 0
    if _is_float(type_) and type_.has_fma and getattr(b, "opname", "") == "fmul":
        return _fma(builder, builder.fneg(b.operands[0]), b.operands[1], a)
    return _add(type_, builder, a, _neg(type_, builder, b))


def _neg(type_: VectorizedType, builder: Any, a: Any) -> Any:
    T = type_.T
    if T is ScalarType.Bool:
        return a  # -1 is as true as 1
    if T in NARROW:
        return builder.xor(a, splat(a.type, 0x8000))
    return builder.fneg(a) if _CARRIER[T] in (_F32, _F64) else builder.neg(a)


def _exp(type_: VectorizedType, builder: Any, a: Any) -> Any:
    T, fma = type_.T, None
    if type_.has_fma:
        fma = functools.partial(_fma, builder)
    if T in COMPLEX or not (T in NARROW or _is_float(type_)):
        raise NotImplementedError(f"exp of {T}")
    x = widened(T, builder, a, type_.has_fma) if T in NARROW else a
    alone = type_.size == 1 and T is not ScalarType.Double
    if alone:
        x = builder.fpext(x, ir.VectorType(_F64, 1))
    x = exponential(builder, x, fma)
    if alone:
        x = builder.fptrunc(x, ir.VectorType(_F32, 1))
    return narrowed(T, builder, x, type_.has_fma) if T in NARROW else x


_operation(operator.add, 2, _add)
_operation(operator.sub, 2, _sub)
_operation(operator.mul, 2, _mul)
_operation(operator.neg, 1, _neg)
_operation(fmadd, 3, _fmadd)
_operation(exp, 1, _exp)


def _fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    width = 64 if a.type.element is _F64 else 32
    name = f"llvm.fma.v{a.type.count}f{width}"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(a.type, [a.type] * 3), name)
    return builder.call(function, [a, b, c])


def _is_float(type_: VectorizedType) -> bool:
    return type_.T in (ScalarType.Float, ScalarType.Double)


def _shuffled(builder: Any, a: Any, lanes: list[int]) -> Any:
    mask = ir.Constant(ir.VectorType(_I32, len(lanes)), lanes)
    return builder.shuffle_vector(a, ir.Constant(a.type, ir.Undefined), mask)


def _complex_product(builder: Any, a: Any, b: Any) -> Any:
    """(ac - bd, ad + bc), the real parts in the even lanes and the imaginary ones in the odd."""
    n = a.type.count
    real = _shuffled(builder, b, [i & ~1 for i in range(n)])
    imaginary = _shuffled(builder, b, [i | 1 for i in range(n)])
    straight = builder.fmul(a, real)
    crossed = builder.fmul(_shuffled(builder, a, [i ^ 1 for i in range(n)]), imaginary)
    even = ir.Constant(ir.VectorType(ir.IntType(1), n), [i % 2 == 0 for i in range(n)])
    return builder.select(even, builder.fsub(straight, crossed), builder.fadd(straight, crossed))


def _fused_complex_product(builder: Any, a: Any, b: Any) -> Any:
    """The same of single elements, where gcc fuses the first product of each part with the sum."""
    n = a.type.count
    real = _shuffled(builder, a, [i & ~1 for i in range(n)])
    imaginary = _shuffled(builder, a, [i | 1 for i in range(n)])
    crossed = builder.fmul(imaginary, _shuffled(builder, b, [i ^ 1 for i in range(n)]))
    even = ir.Constant(ir.VectorType(ir.IntType(1), n), [i % 2 == 0 for i in range(n)])
    signed = builder.select(even, builder.fneg(crossed), crossed)
    return _fma(builder, real, b, signed)


def loader(type_: VectorizedType) -> Any:
    """`loadu(address)`: the elements that lie there, aligned as one element is at most."""

    @intrinsic
    def loadu(typing_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            value = builder.load(builder.inttoptr(values[0], type_.llvm.as_pointer()), align=1)
            if type_.T is ScalarType.Bool:  # any byte but 0 is true
                value = builder.zext(
                    builder.icmp_unsigned("!=", value, splat(value.type, 0)), value.type
                )
            return value

        return type_(types.intp), code

    return loadu


def broadcaster(type_: VectorizedType) -> Any:
    """`broadcast(address)`: the one element that lies there, in each place."""
    width = type_.lanes // type_.size

    @intrinsic
    def broadcast(typing_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            one = ir.VectorType(_CARRIER[type_.T], width).as_pointer()
            element = builder.load(builder.inttoptr(values[0], one), align=1)
            return _shuffled(builder, element, [i % width for i in range(type_.lanes)])

        return type_(types.intp), code

    return broadcast


@intrinsic
def store(typing_context: Any, address: Any, vector: Any) -> Any:
    """`store(address, vector)`."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], values[1].type.as_pointer())
        builder.store(values[1], pointer, align=1)
        return context.get_dummy_value()

    return types.void(types.intp, vector), code


def _prefetcher(to_write: int) -> Any:
    @intrinsic
    def prefetch(typing_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            byte, i32 = ir.IntType(8).as_pointer(), ir.IntType(32)
            function = builder.module.declare_intrinsic(
                "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, i32, i32, i32])
            )
            # 3: into the nearest cache; 1: data, not code.
            kind = [ir.Constant(i32, number) for number in (to_write, 3, 1)]
            builder.call(function, [builder.inttoptr(values[0], byte), *kind])
            return context.get_dummy_value()

        return types.void(types.intp), code

    return prefetch


# The cache line at an address, wanted soon. It may lie beyond an array's end: nothing is read.
prefetch, prefetch_to_write = _prefetcher(0), _prefetcher(1)


@intrinsic
def word(typing_context: Any, address: Any, index: Any) -> Any:
    """`word(address, i)`: the i-th of the 64-bit integers that lie there."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], _I64.as_pointer())
        return builder.load(builder.gep(pointer, [values[1]]))

    return types.intp(types.intp, types.intp), code
