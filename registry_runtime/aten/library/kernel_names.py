"""What the bodies of kernels are made of, as far as they are interpreted.

Kernels that only hand on: `at::_ops::add_Tensor::redispatch`, methods of tensors, and `key_names`. The
two halves of a structured kernel: the iterator's methods. And a switch over types: `check_names`, and
the loops. Nothing here computes an element; what does is in `native` and `loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from registry_runtime.aten.autograd.missing_derivatives import noted_as_pytorchs
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.argument_types import takes
from registry_runtime.aten.library.autograd_names import (
    AUTOGRAD_CLASSES,
    AUTOGRAD_FIELDS,
    autograd_methods,
    autograd_names,
)
from registry_runtime.aten.library.check_names import Arguments, checks, converted, scalar_type
from registry_runtime.aten.library.dispatcher_names import (
    TYPED,
    dispatcher_methods,
    dispatcher_names,
)
from registry_runtime.aten.library.key_names import ScopeGuard, keys_and_guards
from registry_runtime.aten.library.memory_names import (
    TypeMeta,
    filled_like,
    looking,
    memory_methods,
    memory_names,
)
from registry_runtime.aten.library.type_names import cpp_type
from registry_runtime.aten.linking import linked_member
from registry_runtime.aten.loops.element_forms import BY_PROCESSOR, OF_ONE, OF_TWO
from registry_runtime.aten.native import find, instead_of
from registry_runtime.aten.operators_by_name import method_of, operator_named
from registry_runtime.aten.schema.jit_type import TypeKind
from registry_runtime.aten.structured import BASES
from registry_runtime.aten.stub.formula import Traced, clamped_from_below, full, vector
from registry_runtime.aten.stub.reductions import binary_kernel_reduce_vec, cascade_sum
from registry_runtime.aten.stub.stub_kernel import cpu_kernel, cpu_kernel_vec
from registry_runtime.aten.stub.traced import ArgumentScalar, fused, std
from registry_runtime.aten.tensor.contiguity import contiguous_strides
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor.tensor_meta import MetaBase, TensorOptions
from registry_runtime.aten.tensor_iterator import TensorIteratorBase
from registry_runtime.aten.tensor_iterator.reduction import (
    get_dtype_from_self,
    make_reduction_from_out_ty,
    resize_reduction,
)
from registry_runtime.aten.world import World
from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    ClassTemplate,
    Function,
    FunctionTemplate,
    Method,
    NamedType,
    Namespace,
    Opaque,
    Pointer,
)
from registry_runtime.cxx.arithmetic import ARITHMETIC, SIZE_T, Integer, number, plain
from registry_runtime.cxx.bindings import TakesOptionals, Typed
from registry_runtime.cxx.numbers import NUMBERS
from registry_runtime.cxx.variables import Nullopt, Optional, what_it_holds


def kernel_bindings(world: World) -> Bindings:
    """The part of the table that bodies of kernels reach."""
    operators = partial(_operator, world)
    return Bindings(
        {
            **keys_and_guards(),
            **checks(),
            **_loops(),
            **_REDUCTIONS,
            **memory_names(),
            **autograd_names(),
            **dispatcher_names(world),
            **dict.fromkeys(("at::Scalar", "c10::Scalar"), Class(Scalar.of, registers=False)),
            **BASES,
            **dict.fromkeys(("at::Tensor", "torch::Tensor"), Class(_tensor, registers=False)),
            "at::_ops": Namespace(operators),
            "at::namedinference::propagate_names": Function(_propagate_names),
        },
        {**_methods(world), **autograd_methods(), **dispatcher_methods(world)},
        AUTOGRAD_FIELDS,
        operators={
            DispatchKeySet: frozenset({"&", "|", "-", "==", "!="}),
            TypeMeta: frozenset({"==", "!="}),
            Scalar: frozenset("-"),
            Tensor: _tensor_operators(world),
        },
        destructors={ScopeGuard: ScopeGuard.end},
        link=lambda function: (
            find(function.name)
            or _REDUCTION_LOOPS.get(function.name)
            or _linked_operator(operators, function.name)
        ),
        link_member=partial(linked_member, world),
        instead=instead_of,
        classes={
            "at::Tensor": (Tensor, type(None)),
            **AUTOGRAD_CLASSES,
            # What a number is rounded to as one of these isn't computed here.
            **dict.fromkeys(_HALVES, Traced),
        },
        type_of=_type_of,
        changing={
            TensorIteratorBase: frozenset((*_BUILDING, "original_scalar_value", "remove_operand")),
            MetaBase: frozenset(
                {"maybe_get_output", "set_output_raw_strided", "set_output_strided"}
            ),
        },
    )


def _type_of(value: object) -> NamedType | None:
    """The C++ type of a number that `Scalar::to` gives, and of PyTorch's own objects."""
    match value:
        case np.generic():
            return cpp_type(ScalarType.of(value.dtype))
        case Tensor():
            return NamedType("at::Tensor")
        case Scalar():
            return NamedType("c10::Scalar")
        case TensorIteratorBase():
            return NamedType("at::TensorIteratorBase")
    return None


def _tensor(*of: Tensor) -> Tensor | None:
    """`at::Tensor()`, which is undefined, and `at::Tensor(other)`."""
    if len(of) > 1 or not all(isinstance(one, Tensor | None) for one in of):
        raise TorchError("a tensor is made of nothing, or of another tensor")
    return of[0] if of else None


# --- Handing on -----------------------------------------------------------------------------------


def _operator(world: World, name: str) -> Function | None:
    """`add_Tensor::call`, and `add_Tensor::redispatch`."""
    struct, _, member = name.rpartition("::")
    if member == "call":

        def call(*values: Any) -> Any:
            operator, *given = _taking(world, struct, values)
            made = world.dispatcher.call(operator, *given)
            return noted_as_pytorchs(str(operator.operator_name()), given, made)

        return Function(Typed(call))
    if member == "redispatch":

        def redispatch(keys: Any, *values: Any) -> Any:
            operator, *given = _taking(world, struct, values)
            return world.dispatcher.redispatch(operator, keys, *given)

        return Function(Typed(redispatch))
    return None


def _linked_operator(
    operators: Callable[[str], Function | None], name: str
) -> Callable[..., object] | None:
    """The same of a text that has the struct from a header."""
    inside = name.removeprefix("at::_ops::")
    found = operators(inside) if inside != name else None
    return found.call if found is not None else None


def _taking(world: World, struct: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operator and its arguments, if it takes so many, and an optional where one is handed over: a
    compiler would have looked."""
    operator = operator_named(world, struct)
    listed = operator.schema().arguments
    if len(values) != len(listed):
        raise TorchError(
            f"at::_ops::{struct} takes {len(listed)} arguments, and gets {len(values)}"
        )
    for argument, value in zip(listed, values, strict=True):
        is_optional = isinstance(value, Optional | Nullopt)
        if is_optional and argument.type.kind is not TypeKind.OptionalType:
            raise TorchError(f"an optional where `{argument.name}` is a {argument.type}")
    return (operator, *(plain(what_it_holds(value)) for value in values))


def _methods(world: World) -> dict[type, Mapping[str, Method]]:
    def redispatch_boxed(op: OperatorHandle, keys: DispatchKeySet, stack: object) -> None:
        world.dispatcher.redispatchBoxed(op, keys, _stack(stack))

    memory = memory_methods()
    return {
        **memory,
        DispatchKeySet: {
            "has": DispatchKeySet.has,
            "add": DispatchKeySet.add,
            "remove": DispatchKeySet.remove,
            "highestPriorityTypeId": DispatchKeySet.highest_priority_type_id,
        },
        OperatorHandle: {
            "operator_name": OperatorHandle.operator_name,
            "typed": TYPED,
            "redispatchBoxed": redispatch_boxed,
            "callBoxed": lambda op, stack: world.dispatcher.callBoxed(op, _stack(stack)),
        },
        Tensor: {
            **memory[Tensor],
            "scalar_type": lambda tensor: tensor.dtype,
            "dim": looking(Tensor.dim),
            "sizes": looking(lambda tensor: tensor.sizes),
            "options": lambda tensor: TensorOptions(tensor.dtype, tensor.device),
            "numel": looking(Tensor.numel),
            "is_contiguous": Tensor.is_contiguous,
            "requires_grad": lambda tensor: tensor.requires_grad,
            "item": FunctionTemplate(lambda arguments: looking(Tensor.item)),
            **{name: Typed(partial(method_of, world, name)) for name in _TENSOR_METHODS},
        },
        Scalar: {
            "to": converted(_scalar_as),
            **{name: _to(T) for name, T in _SCALAR_TYPES.items()},
            "isBoolean": Scalar.is_boolean,
            "isFloatingPoint": Scalar.is_floating_point,
            "isComplex": Scalar.is_complex,
            "isIntegral": Scalar.is_integral,
        },
        Traced: {"exp": _vector_exp, "neg": _vector_neg, "reciprocal": _vector_reciprocal},
        ArgumentScalar: {"to": converted(ArgumentScalar.to)},
        TensorIteratorBase: {
            "common_dtype": lambda iter: _built(iter).common_dtype,
            "dtype": lambda iter, arg=0: _built(iter).dtype(arg),
            "device_type": lambda iter, arg=0: _built(iter).device_type(arg),
            "numel": looking(lambda iter: _built(iter).numel),
            "ntensors": lambda iter: _built(iter).ntensors,
            "is_scalar": looking(lambda iter, arg: _built(iter).is_scalar(arg)),
            "original_scalar_value": converted(_original_scalar_value),
            "remove_operand": lambda iter, arg: _built(iter).remove_operand(arg),
            **{
                name: _method(build, *["at::Tensor"] * tensors)
                for name, (build, tensors) in _BUILDING.items()
            },
            "set_output_raw_strided": _setting(TensorIteratorBase.set_output_raw_strided),
        },
        MetaBase: {
            "maybe_get_output": _method(_maybe_get_output, "int64_t"),
            "set_output_raw_strided": _setting(MetaBase.set_output_raw_strided),
            "set_output_strided": _setting(MetaBase.set_output_strided),
            "set_output_contiguous": _method(
                _set_output_contiguous, "int64_t", *_OUTPUT[1:], "at::DimnameList"
            ),
        },
        # An ArrayRef, as the sizes of a tensor and the names of its dimensions are.
        tuple: {"empty": lambda of: not of, "size": lambda of: Integer(len(of), SIZE_T)},
    }


_HALVES = ("c10::Half", "c10::BFloat16")
_BUILDING: Mapping[str, tuple[Callable[..., None], int]] = {
    "build_borrowing_binary_op": (TensorIteratorBase.build_borrowing_binary_op, 3),
    "build_borrowing_binary_float_op": (TensorIteratorBase.build_borrowing_binary_float_op, 3),
    "build_borrowing_unary_op": (TensorIteratorBase.build_borrowing_unary_op, 2),
    "build_borrowing_unary_float_op": (TensorIteratorBase.build_borrowing_unary_float_op, 2),
    # Whether an operand is borrowed or kept makes no difference in Python.
    "build_unary_op": (TensorIteratorBase.build_borrowing_unary_op, 2),
}
_OUTPUT = ("at::IntArrayRef", "at::IntArrayRef", "at::TensorOptions")
_method = partial(takes, method=True)


def _setting(method: Callable[..., None]) -> Callable[..., None]:
    """`set_output_strided(index, sizes, strides, options, names = {})` and its kin."""

    def call(of: Any, index: int, sizes: Any, strides: Any, options: Any, names: Any = ()) -> None:
        _unnamed(names)
        method(of, index, sizes, strides, options)

    return _method(call, "int64_t", *_OUTPUT, "at::DimnameList")


def _set_output_contiguous(
    of: MetaBase, index: int, sizes: Any, options: TensorOptions, names: Any = ()
) -> None:
    _unnamed(names)
    of.set_output_strided(index, sizes, contiguous_strides(tuple(sizes)), options)


def _unnamed(names: object) -> None:
    if names:
        raise TorchError("not understood: names of dimensions, which no tensor has here")


def _propagate_names(*_: object) -> None:
    _unnamed(True)


def _maybe_get_output(of: MetaBase, index: int = 0) -> Tensor | None:
    return of.maybe_get_output(index)


def _scalar_as(scalar: Scalar, T: ScalarType) -> Any:
    """A number that C++'s operators take, or c10's."""
    value = scalar.to(T)
    if T.cpp in ARITHMETIC:
        return number(ARITHMETIC[T.cpp], value.item())
    return Traced(T, "number", (), value) if T.cpp in _HALVES else value


def _to(T: ScalarType) -> Callable[[Scalar], Any]:
    return lambda scalar: _scalar_as(scalar, T)


_SCALAR_TYPES = {
    "toDouble": ScalarType.Double,
    "toFloat": ScalarType.Float,
    "toInt": ScalarType.Int,
    "toLong": ScalarType.Long,
}


def _built(iter: TensorIteratorBase) -> TensorIteratorBase:
    # C++ would read operands_[0] of an empty list here.
    if not hasattr(iter, "operands"):
        raise TorchError("the iterator has no operands yet: it is not built")
    return iter


def _original_scalar_value(iter: TensorIteratorBase, T: ScalarType, arg: int) -> Traced:
    """The one value of an operand, as a number that a lambda captures: one loop serves all values.

    What is too large becomes infinite, unlike that of a Scalar."""
    with np.errstate(over="ignore"):
        value = np.asarray(_built(iter).original_scalar_value(arg)).astype(T.numpy)
    return Traced(T, "captured", (), Scalar(value))


def _tensor_operators(world: World) -> dict[str, Callable[..., object]]:
    """`a - b`, `a -= b` and `-a`: `a.sub(b)`, `a.sub_(b)` and `a.neg()`; of a number before a tensor
    the tensor's operator where that is the same, else one on a tensor that the number fills
    (`ATen/TensorOperators.h`)."""

    def operation(name: str) -> Callable[..., object]:
        def call(self: object, *other: object) -> object:
            if isinstance(self, Tensor):
                return method_of(world, name, self, *other)
            (tensor,) = other
            if name in ("add", "mul"):
                return method_of(world, name, tensor, self)
            return method_of(world, f"{name}_", filled_like(tensor, self), tensor)

        return call

    named = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
    return {
        "unary -": operation("neg"),
        **{sign: operation(name) for sign, name in named.items()},
        **{f"{sign}=": operation(f"{name}_") for sign, name in named.items()},
    }


def _stack(stack: object) -> list[Any]:
    found = stack.to if isinstance(stack, Pointer) else stack
    if not isinstance(found, list):
        raise TorchError("a stack is wanted here")
    return found


_TENSOR_METHODS = (
    *("add", "sub", "mul", "div", "neg", "relu", "clamp_min", "sum"),
    *("abs", "exp", "matmul", "reciprocal"),
    *("add_", "sub_", "mul_", "div_", "neg_", "reciprocal_", "relu_", "clamp_min_"),
)


_REDUCTION_LOOPS = {"at::native::cascade_sum": FunctionTemplate(cascade_sum)}
_REDUCTIONS: dict[str, Binding] = {
    "at::native::get_dtype_from_self": Function(TakesOptionals(get_dtype_from_self)),
    "at::meta::resize_reduction": Function(resize_reduction),
    "at::meta::make_reduction_from_out_ty": Function(make_reduction_from_out_ty),
}


# --- Loops ----------------------------------------------------------------------------------------


def _loops() -> dict[str, Binding]:
    # Those of numbers come with the reader of C++.
    functions = [
        name for name in (*OF_ONE, *OF_TWO, *BY_PROCESSOR) if f"std::{name}" not in NUMBERS
    ]
    return {
        **{f"std::{name}": Function(std(name)) for name in functions},
        "at::native::cpu_kernel": Function(cpu_kernel),
        "at::native::cpu_kernel_vec": Function(cpu_kernel_vec),
        "at::native::binary_kernel_reduce_vec": Function(binary_kernel_reduce_vec),
        # A functor's object, and threads on a device: see `native` for what runs instead.
        "at::native::gpu_kernel": Opaque(),
        "at::vec::fmadd": Function(fused),
        "at::vec::clamp_min": Function(clamped_from_below),
        "at::vec::Vectorized": ClassTemplate(constructor=_full_vector),
    }


def _full_vector(arguments: Arguments) -> Callable[..., object]:
    """`Vectorized<T>(number)`: a register full of the same number."""
    T = scalar_type(arguments)
    return Typed(lambda number: full(T, number))


def _vector_neg(value: Traced) -> Traced:
    if not value.is_vector:
        raise TorchError("a single element has no method neg; there is the operator `-`")
    return vector(value.T, "negated", value)


def _vector_reciprocal(value: Traced) -> Traced:
    if not value.is_vector:
        raise TorchError("a single element has no method reciprocal; there is 1 / x")
    return full(value.T, 1).operated("/", full(value.T, 1), value)


def _vector_exp(value: Traced) -> Traced:
    if not value.is_vector:
        raise TorchError("a single element has no method exp; there is std::exp")
    return vector(value.T, "vector exp", value)
