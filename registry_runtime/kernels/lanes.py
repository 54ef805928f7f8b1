"""SIMD lanes in Numba: one value that is sixteen float32s, or eight float64s.

LLVM vectorises a loop by itself where it can see, or test in a few comparisons, that no store
changes what a later load reads. A butterfly of a Fourier transform loads and stores at so many
places that it gives up. Of lanes there is nothing to be seen: `load` and `store` move a whole
register, and +, - and * work on it. LLVM splits what is too wide for a processor. This module
imports Numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir

from registry_runtime.kernels.own_numba import numba

_types = numba.types
_extending: Any = numba.extending
_templates: Any = numba.core.typing.templates
_cgutils: Any = numba.core.cgutils
_Type: Any = _types.Type


def _intrinsic(function: Callable[..., Any]) -> Any:
    return _extending.intrinsic(function)


BYTES = 64  # of AVX-512's registers, the widest there are
_ELEMENTS = {_types.float32: (ir.FloatType(), 4), _types.float64: (ir.DoubleType(), 8)}


class Lanes(_Type):  # type: ignore[misc]
    """The Numba type of as many `element`s as fit into `BYTES`."""

    def __init__(self, element: Any) -> None:
        self.element = element
        super().__init__(name=f"Lanes({element})")

    @property
    def vector(self) -> ir.VectorType:
        in_llvm, size = _ELEMENTS[self.element]
        return ir.VectorType(in_llvm, BYTES // size)


@_extending.register_model(Lanes)
class _Model(_extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, type_.vector)


def _operator(function: Any, instruction: str) -> None:
    @_templates.infer_global(function)
    class _(_templates.AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and isinstance(args[0], Lanes) and args[0] == args[1]:
                return _templates.signature(args[0], *args)
            return None

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return getattr(builder, instruction)(*values, flags=("contract",))

    _extending.lower_builtin(function, Lanes, Lanes)(code)


_operator(operator.add, "fadd")
_operator(operator.sub, "fsub")
_operator(operator.mul, "fmul")


def _address(context: Any, builder: Any, signature: Any, values: Any, lanes: Lanes) -> Any:
    array = context.make_array(signature.args[0])(context, builder, values[0])
    element = builder.gep(array.data, [values[1]])
    return builder.bitcast(element, lanes.vector.as_pointer())


@_intrinsic
def load(typing_context: Any, array: Any, at: Any) -> Any:
    """The lanes that begin at element `at` of a flat array."""
    lanes, size = Lanes(array.dtype), _ELEMENTS[array.dtype][1]

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(_address(context, builder, signature, values, lanes), align=size)

    return lanes(array, _types.intp), code


@_intrinsic
def store(typing_context: Any, array: Any, at: Any, value: Any) -> Any:
    """Writes the lanes to a flat array, from element `at` on."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        address = _address(context, builder, signature, values, value)
        builder.store(values[2], address, align=_ELEMENTS[array.dtype][1])
        return context.get_dummy_value()

    return _types.void(array, _types.intp, value), code


@_intrinsic
def spread(typing_context: Any, number: Any) -> Any:
    """Lanes that all hold `number`."""
    lanes = Lanes(number)

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        vector, first = lanes.vector, ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), values[0], first)
        every = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), None)
        return builder.shuffle_vector(one, one, every)

    return lanes(number), code


@_intrinsic
def load_pairs(typing_context: Any, array: Any, at: Any, many: Any) -> Any:
    """The lanes of every other element from `at` on, and those of the elements between: of each the
    first `many`, and zeros."""
    lanes = Lanes(array.dtype)

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        address = _address(context, builder, signature, values, lanes)
        whole = ir.VectorType(lanes.vector.element, 2 * lanes.vector.count)
        there, align = _first_pairs(builder, values[2], lanes), _align(array)
        address = builder.bitcast(address, whole.as_pointer())
        pairs = _masked(builder, "load", whole, whole, [address, align, there, whole(None)])
        halves = [
            builder.shuffle_vector(pairs, pairs, _places(range(first, whole.count, 2)))
            for first in (0, 1)
        ]
        return context.make_tuple(builder, signature.return_type, halves)

    return _types.UniTuple(lanes, 2)(array, _types.intp, _types.intp), code


@_intrinsic
def store_pairs(
    typing_context: Any, array: Any, at: Any, many: Any, first: Any, second: Any
) -> Any:
    """Writes the two lanes' elements by turns, from `at` on: of each the first `many`."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        count = first.vector.count
        order = [half * count + i for i in range(count) for half in (0, 1)]
        pairs = builder.shuffle_vector(values[3], values[4], _places(order))
        address = _address(context, builder, signature, values, first)
        address = builder.bitcast(address, pairs.type.as_pointer())
        there, align = _first_pairs(builder, values[2], first), _align(array)
        _masked(builder, "store", pairs.type, ir.VoidType(), [pairs, address, align, there])
        return context.get_dummy_value()

    return _types.void(array, _types.intp, _types.intp, first, first), code


def _first_pairs(builder: Any, many: Any, lanes: Lanes) -> Any:
    """Of twice as many places as there are lanes, whether each is one of the first `many` pairs."""
    count, number = 2 * lanes.vector.count, ir.IntType(32)
    every = ir.VectorType(number, count)
    nothing = ir.Constant(every, ir.Undefined)
    one = builder.insert_element(nothing, builder.trunc(many, number), number(0))
    end = builder.shuffle_vector(one, one, ir.Constant(every, None))
    return builder.icmp_signed("<", _places([i // 2 for i in range(count)]), end)


def _align(array: Any) -> ir.Constant:
    return ir.IntType(32)(_ELEMENTS[array.dtype][1])


def _masked(builder: Any, what: str, vector: ir.VectorType, result: Any, arguments: Any) -> Any:
    """LLVM's `masked.load` or `masked.store`: of what is masked, nothing is touched in memory."""
    element = 32 if isinstance(vector.element, ir.FloatType) else 64
    name = f"llvm.masked.{what}.v{vector.count}f{element}.p0"
    type_ = ir.FunctionType(result, [argument.type for argument in arguments])
    function = _cgutils.get_or_insert_function(builder.module, type_, name)
    return builder.call(function, arguments)


@_intrinsic
def turn(
    typing_context: Any, source: Any, at: Any, step: Any, target: Any, to: Any, apart: Any
) -> Any:
    """Copies a square: its rows, `step` apart in `source`, are columns in `target`, whose rows are
    `apart`."""
    lanes, size = Lanes(source.dtype), _ELEMENTS[source.dtype][1]

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        def addresses(array: int, start: Any, step: Any) -> list[Any]:
            made = context.make_array(signature.args[array])(context, builder, values[array])
            places = (builder.mul(step, step.type(i)) for i in range(lanes.vector.count))
            return [
                builder.bitcast(
                    builder.gep(made.data, [builder.add(start, place)]), lanes.vector.as_pointer()
                )
                for place in places
            ]

        rows = [builder.load(a, align=size) for a in addresses(0, values[1], values[2])]
        count = lanes.vector.count
        for half in (1 << bit for bit in range(count.bit_length() - 1)):
            # Of two rows, the part of one that is above the diagonal changes places with the
            # part of the other below: first of squares of two elements, at last of the whole.
            above = [i + (count - half if i & half else 0) for i in range(count)]
            below = [i + (count if i & half else half) for i in range(count)]
            for i in (i for i in range(count) if not i & half):
                pair = rows[i], rows[i + half]
                rows[i], rows[i + half] = (
                    builder.shuffle_vector(*pair, _places(order)) for order in (above, below)
                )
        for row, address in zip(rows, addresses(3, values[4], values[5]), strict=True):
            builder.store(row, address, align=size)
        return context.get_dummy_value()

    index = _types.intp
    return _types.void(source, index, index, target, index, index), code


def _places(order: Any) -> ir.Constant:
    places = [*order]
    return ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
