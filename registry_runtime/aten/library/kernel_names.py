"""What the bodies of kernels are made of, as far as they are interpreted.

Kernels that only hand on: `at::_ops::add_Tensor::redispatch`, methods of tensors, and `key_names`. The
two halves of a structured kernel: the iterator's methods. And a switch over types: `check_names`, and
the loops. Nothing here computes an element; what does is in `native` and `loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.check_names import checks, converted
from registry_runtime.aten.library.key_names import Guard, keys_and_guards
from registry_runtime.aten.loops.cpu_kernel_vec import noting
from registry_runtime.aten.native import find
from registry_runtime.aten.operators_by_name import method_of, operator_named
from registry_runtime.aten.stub.stub_kernel import cpu_kernel, cpu_kernel_vec
from registry_runtime.aten.stub.traced import (
    OPERATORS,
    SIGNS,
    ArgumentScalar,
    Broadcast,
    Captured,
    Traced,
    Widened,
    applied,
    cast,
    std_exp,
)
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator import TensorIteratorBase
from registry_runtime.aten.world import World
from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    ClassTemplate,
    Function,
    FunctionTemplate,
    Method,
    Namespace,
    Pointer,
)


def kernel_bindings(world: World) -> Bindings:
    """The part of the table that bodies of kernels reach."""
    return Bindings(
        {
            **keys_and_guards(),
            **checks(),
            **_loops(),
            **dict.fromkeys(("at::Scalar", "c10::Scalar"), Class(Scalar.of, registers=False)),
            "at::_ops": _operators(world),
        },
        _methods(world),
        operators={
            DispatchKeySet: frozenset({"&", "|", "-", "==", "!="}),
            Traced: OPERATORS,
            Captured: SIGNS,
            Broadcast: SIGNS,
            Scalar: SIGNS,
        },
        destructors={Guard: Guard.end},
        conversions={Traced: cast, Widened: cast},
        link=lambda name: find(name, world),
    )


# --- Handing on -----------------------------------------------------------------------------------


def _operators(world: World) -> Namespace:
    def find(name: str) -> object:
        struct, _, member = name.rpartition("::")
        if member == "call":
            return Function(
                lambda *values: world.dispatcher.call(_taking(world, struct, values), *values)
            )
        if member == "redispatch":
            return Function(
                lambda keys, *values: world.dispatcher.redispatch(
                    _taking(world, struct, values), keys, *values
                )
            )
        return None

    return Namespace(find)


def _taking(world: World, struct: str, values: tuple[Any, ...]) -> OperatorHandle:
    """The operator, if it takes so many arguments: a compiler would have counted them."""
    operator = operator_named(world, struct)
    wanted = len(operator.schema().arguments)
    if len(values) != wanted:
        raise TorchError(f"at::_ops::{struct} takes {wanted} arguments, and gets {len(values)}")
    return operator


def _methods(world: World) -> dict[type, Mapping[str, Method]]:
    def redispatch_boxed(op: OperatorHandle, keys: DispatchKeySet, stack: object) -> None:
        world.dispatcher.redispatchBoxed(op, keys, _stack(stack))

    return {
        DispatchKeySet: {
            "has": DispatchKeySet.has,
            "add": DispatchKeySet.add,
            "remove": DispatchKeySet.remove,
            "highestPriorityTypeId": DispatchKeySet.highest_priority_type_id,
        },
        OperatorHandle: {
            "operator_name": OperatorHandle.operator_name,
            "redispatchBoxed": redispatch_boxed,
            "callBoxed": lambda op, stack: world.dispatcher.callBoxed(op, _stack(stack)),
        },
        Tensor: {
            "scalar_type": lambda tensor: tensor.dtype,
            "dim": _looking(Tensor.dim),
            "numel": _looking(Tensor.numel),
            "is_contiguous": Tensor.is_contiguous,
            "requires_grad": lambda tensor: tensor.requires_grad,
            "item": FunctionTemplate(lambda arguments: _looking(Tensor.item)),
            **{name: partial(method_of, world, name) for name in _TENSOR_METHODS},
        },
        Scalar: {
            "to": converted(lambda scalar, T: scalar.to(T)),
            **{name: partial(_scalar_as, T) for name, T in _SCALAR_TYPES.items()},
            "isBoolean": Scalar.is_boolean,
            "isFloatingPoint": Scalar.is_floating_point,
            "isComplex": Scalar.is_complex,
            "isIntegral": Scalar.is_integral,
        },
        Traced: {"exp": _vector_exp},
        ArgumentScalar: {"to": converted(ArgumentScalar.to)},
        TensorIteratorBase: {
            "common_dtype": lambda iter: _built(iter).common_dtype,
            "dtype": lambda iter, arg=0: _built(iter).dtype(arg),
            "device_type": lambda iter, arg=0: _built(iter).device_type(arg),
            "numel": _looking(lambda iter: _built(iter).numel),
            "ntensors": lambda iter: _built(iter).ntensors,
            "build_borrowing_binary_op": TensorIteratorBase.build_borrowing_binary_op,
            "build_borrowing_unary_op": TensorIteratorBase.build_borrowing_unary_op,
            "maybe_get_output": lambda iter, index=0: iter.maybe_get_output(index),
        },
    }


def _looking(method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The method; a body that asks it may do something else the next time, so it is noted."""

    def asked(of: Any) -> Any:
        if (noted := noting.get()) is not None:
            noted.looked = True
        return method(of)

    return asked


def _scalar_as(T: ScalarType, scalar: Scalar) -> Any:
    return scalar.to(T)


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


def _stack(stack: object) -> list[Any]:
    found = stack.to if isinstance(stack, Pointer) else stack
    if not isinstance(found, list):
        raise TorchError("a stack is wanted here")
    return found


_TENSOR_METHODS = (
    *("add", "add_", "sub", "mul", "div", "neg", "abs", "exp", "relu", "sum", "matmul", "clone"),
)


# --- Loops ----------------------------------------------------------------------------------------


def _loops() -> dict[str, Binding]:
    add = partial(applied, "({0} + {2} * {1})", "fmadd({1}, {2}, {0})")
    return {
        "std::exp": Function(std_exp),
        "at::native::cpu_kernel": Function(cpu_kernel),
        "at::native::cpu_kernel_vec": Function(cpu_kernel_vec),
        "at::native::ufunc::add": Function(add),
        "at::vec::fmadd": Function(partial(applied, "({0} * {1} + {2})", "fmadd({0}, {1}, {2})")),
        "at::vec::Vectorized": ClassTemplate(constructor=lambda arguments: Broadcast),
    }


def _vector_exp(value: Traced) -> Traced:
    if not value.is_vector:
        raise TorchError("a single element has no method exp; there is std::exp")
    return value.formula("exp({0})", value)
