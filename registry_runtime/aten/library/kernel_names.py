"""What the bodies of kernels are made of, as far as they are interpreted.

Kernels that only hand on: key sets, guards, `at::_ops::add_Tensor::redispatch`, methods of tensors.
The two halves of a structured kernel: the iterator's methods, `alpha_check`. And a switch over types:
enumerators that become C++ types, checks that throw, the loops. Nothing here computes an element; what
does is in `native` and `loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from registry_runtime.aten.dispatch import dispatch_key_set
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.local_keys import (
    AutoDispatchBelowADInplaceOrView,
    AutoDispatchBelowAutograd,
    ExcludeDispatchKeyGuard,
    IncludeDispatchKeyGuard,
)
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.errors import (
    IndexTorchError,
    NotImplementedTorchError,
    TorchError,
    TypeTorchError,
    ValueTorchError,
)
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
from registry_runtime.aten.tensor.alpha_check import alpha_check
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
    Constant,
    Function,
    FunctionTemplate,
    Method,
    NamedType,
    Namespace,
    Pointer,
    TemplateArgument,
    Type,
    TypeTemplate,
)

Arguments = tuple[TemplateArgument, ...]


def kernel_bindings(world: World) -> Bindings:
    """The part of the table that bodies of kernels reach."""
    return Bindings(
        {**_keys_and_guards(), **_checks(), **_loops(), "at::_ops": _operators(world)},
        _methods(world),
        operators={
            DispatchKeySet: frozenset({"&", "|", "-", "==", "!="}),
            Traced: OPERATORS,
            Captured: SIGNS,
            Broadcast: SIGNS,
        },
        destructors={Guard: Guard.end},
        conversions={Traced: cast, Widened: cast},
        link=world.find,
    )


# --- Handing on -----------------------------------------------------------------------------------


class Guard:
    """A C++ object that holds something for as long as its block lasts."""

    def __init__(self, held: AbstractContextManager[None]) -> None:
        self._held = held
        held.__enter__()

    def end(self) -> None:
        """What its destructor does."""
        self._held.__exit__(None, None, None)


def _keys_and_guards() -> dict[str, Binding]:
    def guard(hold: Callable[..., AbstractContextManager[None]]) -> Class:
        return Class(lambda *values: Guard(hold(*values)), registers=False)

    key_sets = {
        f"c10::{name}": Constant(value)
        for name, value in vars(dispatch_key_set).items()
        if isinstance(value, DispatchKeySet)
    }
    return {
        **key_sets,
        "c10::DispatchKeySet": Class(_key_set, _KEY_SETS, registers=False),
        "at::AutoDispatchBelowAutograd": guard(AutoDispatchBelowAutograd),
        "at::AutoDispatchBelowADInplaceOrView": guard(AutoDispatchBelowADInplaceOrView),
        "c10::impl::ExcludeDispatchKeyGuard": guard(ExcludeDispatchKeyGuard),
        "c10::impl::IncludeDispatchKeyGuard": guard(IncludeDispatchKeyGuard),
    }


# c10::DispatchKeySet later(c10::DispatchKeySet::FULL_AFTER, key)
_KEY_SETS: Mapping[str, object] = {"FULL": "FULL", "FULL_AFTER": "FULL_AFTER"}


def _key_set(*values: object) -> DispatchKeySet:
    match values:
        case ("FULL",):
            return DispatchKeySet.full()
        case ("FULL_AFTER", DispatchKey() as key):
            return DispatchKeySet.full_after(key)
    keys = DispatchKeySet()
    for value in values[0] if values and isinstance(values[0], tuple) else values:
        if isinstance(value, DispatchKeySet):
            keys = keys | value
        elif isinstance(value, DispatchKey):
            keys = keys.add(value)
        else:
            raise TorchError("a DispatchKeySet is made of dispatch keys")
    return keys


def _operators(world: World) -> Namespace:
    def find(name: str) -> object:
        struct, _, member = name.rpartition("::")
        if member == "call":
            return Function(
                lambda *values: world.dispatcher.call(operator_named(world, struct), *values)
            )
        if member == "redispatch":
            return Function(
                lambda keys, *values: world.dispatcher.redispatch(
                    operator_named(world, struct), keys, *values
                )
            )
        return None

    return Namespace(find)


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
            "dim": Tensor.dim,
            "numel": Tensor.numel,
            "is_contiguous": Tensor.is_contiguous,
            "requires_grad": lambda tensor: tensor.requires_grad,
            "item": FunctionTemplate(lambda arguments: Tensor.item),
            **{name: partial(method_of, world, name) for name in _TENSOR_METHODS},
        },
        Scalar: {
            "to": _converted(lambda scalar, T: scalar.to(T)),
            "isBoolean": Scalar.is_boolean,
            "isFloatingPoint": Scalar.is_floating_point,
            "isComplex": Scalar.is_complex,
            "isIntegral": Scalar.is_integral,
        },
        Traced: {"exp": _vector_exp},
        ArgumentScalar: {"to": _converted(ArgumentScalar.to)},
        TensorIteratorBase: {
            "common_dtype": lambda iter: _built(iter).common_dtype,
            "dtype": lambda iter, arg=0: _built(iter).dtype(arg),
            "device_type": lambda iter, arg=0: _built(iter).device_type(arg),
            "numel": lambda iter: _built(iter).numel,
            "ntensors": lambda iter: _built(iter).ntensors,
            "build_borrowing_binary_op": TensorIteratorBase.build_borrowing_binary_op,
            "build_borrowing_unary_op": TensorIteratorBase.build_borrowing_unary_op,
            "maybe_get_output": lambda iter, index=0: iter.maybe_get_output(index),
        },
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


# --- Types and checks -----------------------------------------------------------------------------

_BY_CPP_TYPE = {T.cpp: T for T in ScalarType}


def _scalar_type(arguments: Arguments) -> ScalarType:
    spelled = str(arguments[0]) if len(arguments) == 1 else ""
    if spelled not in _BY_CPP_TYPE:
        raise TorchError(f"`{spelled}` is no type that a tensor can have")
    return _BY_CPP_TYPE[spelled]


def _converted(to: Callable[[Any, ScalarType], object]) -> FunctionTemplate:
    def instantiate(arguments: Arguments) -> Callable[..., object]:
        T = _scalar_type(arguments)
        return lambda scalar: to(scalar, T)

    return FunctionTemplate(instantiate)


def _cpp_type(arguments: Arguments) -> Type:
    T = arguments[0].value if len(arguments) == 1 else None
    if not isinstance(T, ScalarType) or not T.cpp:
        raise TorchError("ScalarTypeToCPPTypeT takes an at::ScalarType")
    template, _, inner = T.cpp.removesuffix(">").partition("<")
    return NamedType(template, (TemplateArgument(NamedType(inner)),) if inner else ())


def _checks() -> dict[str, Binding]:
    def error(of: type[TorchError]) -> Class:
        return Class(lambda location, message: of(message), registers=False)

    names: dict[str, Binding] = {
        f"{ns}::impl::ScalarTypeToCPPTypeT": TypeTemplate(_cpp_type)
        for ns in ("c10", "torch::headeronly")
    }
    names |= {f"{ns}::toString": Function(str) for ns in ("c10", "at", "torch::headeronly")}
    return names | {
        "detail::scalar_type": Function(lambda T: T),
        "at::should_include_kernel_dtype": Function(lambda name, T: True),
        "__builtin_expect": Function(lambda value, likely: value),
        "c10::str": Function(_message),
        "c10::detail::torchCheckMsgImpl": Function(
            lambda default, *parts: _message(*parts) or default
        ),
        "c10::detail::torchCheckFail": Function(_fail),
        "c10::detail::torchInternalAssertFail": Function(_assert_fail),
        "c10::Error": error(TorchError),
        "c10::NotImplementedError": error(NotImplementedTorchError),
        "c10::IndexError": error(IndexTorchError),
        "c10::ValueError": error(ValueTorchError),
        "c10::TypeError": error(TypeTorchError),
        "at::native::alpha_check": Function(alpha_check),
    }


def _message(*parts: object) -> str:
    return "".join(str(int(p)) if isinstance(p, bool) else str(p) for p in parts)


def _fail(function: str, file: str, line: int, message: str) -> None:
    raise TorchError(message)


def _assert_fail(function: str, file: str, line: int, assertion: str, message: str) -> None:
    raise TorchError(assertion + message)


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
