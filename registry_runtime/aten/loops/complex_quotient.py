"""The quotient of complex numbers, without the overflow that c² + d² would bring.

(a + bi) / (c + di) is (ac + bd) + (bc - ad)i over c² + d², and of numbers beyond the square root of
the largest that sum is infinite. So all is divided by the larger of c and d first, as NumPy does it
(Smith's method). PyTorch's vectors take their elements apart and do the same to each.

Sources: `torch/headeronly/util/complex.h`, `ATen/cpu/vec/vec256/vec256_complex_float.h` of PyTorch
2.13.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from registry_runtime.aten.loops.narrow_floats import splat

_I1, _I32 = ir.IntType(1), ir.IntType(32)


def complex_quotient(builder: Any, a: Any, b: Any, fuses: bool, fuses_below: bool) -> Any:
    """a / b, the real parts in the even lanes. gcc makes one instruction of a product and the sum that
    it goes to: in the numerator if `fuses`, in the denominator if `fuses_below`. Divided by zero, each
    part is divided by it."""
    c, d, zero = _real(builder, b), _imaginary(builder, b), splat(b.type, 0.0)
    c_size, d_size = (_intrinsic(builder, "fabs", part) for part in (c, d))
    c_is_larger = builder.fcmp_ordered(">=", c_size, d_size)
    large, small = builder.select(c_is_larger, c, d), builder.select(c_is_larger, d, c)
    ratio = builder.fdiv(small, large)
    scale = builder.fdiv(
        splat(b.type, 1.0), _product_sum(builder, small, ratio, large, fuses_below)
    )
    # The lanes are a and b, those crossed b and -a.
    crossed = _conjugated(builder, _crossed(builder, a))
    by_c = _product_sum(builder, crossed, ratio, a, fuses)  # a + b·(d/c), b - a·(d/c)
    by_d = _product_sum(builder, a, ratio, crossed, fuses)  # a·(c/d) + b, b·(c/d) - a
    made = builder.fmul(builder.select(c_is_larger, by_c, by_d), scale)
    by_zero = builder.and_(builder.fcmp_ordered("==", c, zero), builder.fcmp_ordered("==", d, zero))
    return builder.select(by_zero, builder.fdiv(a, c_size), made)


def _real(builder: Any, a: Any) -> Any:
    return _shuffled(builder, a, [i & ~1 for i in range(a.type.count)])


def _imaginary(builder: Any, a: Any) -> Any:
    return _shuffled(builder, a, [i | 1 for i in range(a.type.count)])


def _crossed(builder: Any, a: Any) -> Any:
    return _shuffled(builder, a, [i ^ 1 for i in range(a.type.count)])


def _shuffled(builder: Any, a: Any, lanes: list[int]) -> Any:
    mask = ir.Constant(ir.VectorType(_I32, len(lanes)), lanes)
    return builder.shuffle_vector(a, ir.Constant(a.type, ir.Undefined), mask)


def _conjugated(builder: Any, a: Any) -> Any:
    n = a.type.count
    odd = ir.Constant(ir.VectorType(_I1, n), [i % 2 == 1 for i in range(n)])
    return builder.select(odd, builder.fneg(a), a)


def _product_sum(builder: Any, a: Any, b: Any, c: Any, fuses: bool) -> Any:
    """a * b + c."""
    if fuses:
        return _intrinsic(builder, "fma", a, b, c)
    return builder.fadd(builder.fmul(a, b), c)


def _intrinsic(builder: Any, name: str, *values: Any) -> Any:
    of = values[0].type
    full = f"llvm.{name}.v{of.count}f{32 if isinstance(of.element, ir.FloatType) else 64}"
    function = builder.module.globals.get(full)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(of, [of] * len(values)), full)
    return builder.call(function, values)
