"""`torch::autograd` in the bodies of a text: `Function<T>` and its context, and what gradients are kept
from.

`Squared::apply` is a static member that `Squared` inherits of `Function<Squared>`; which arguments
`Squared::forward` gets, `apply` leaves to it. A compiler would have looked for the two static functions
when it read the call: here the call is refused that misses one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

from registry_runtime.aten.autograd.custom_function import (
    AutogradContext,
    SavedData,
    apply_function,
)
from registry_runtime.aten.autograd.grad_mode import AutoGradMode, is_enabled
from registry_runtime.aten.autograd.graph import Gradients
from registry_runtime.aten.bodies import run
from registry_runtime.aten.dispatch.dispatch_sentences import internal_assert
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.check_names import Arguments
from registry_runtime.aten.library.key_names import ScopeGuard
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.cxx import (
    Binding,
    Class,
    ClassTemplate,
    CxxClass,
    CxxFunction,
    Function,
    Method,
    NamedType,
    Vector,
    class_of,
)
from registry_runtime.cxx.access import check_access
from registry_runtime.cxx.arithmetic import plain
from registry_runtime.cxx.bindings import ByReference
from registry_runtime.cxx.class_parts import is_static
from registry_runtime.cxx.variables import Cell, Optional, Variable

_TENSOR = NamedType("at::Tensor")


def autograd_names() -> dict[str, Binding]:
    """What a text names, by full name."""
    no_grad = _guard(lambda: AutoGradMode(False))
    mode = _guard(lambda enabled: AutoGradMode(bool(enabled)))
    enabled = Class(_no_object, {"is_enabled": Function(is_enabled)}, registers=False)
    return {
        "torch::autograd::Function": ClassTemplate(_function),
        "torch::autograd::AutogradContext": Class(_no_object, registers=False),
        **{
            f"{space}::{name}": binding
            for space in ("c10", "at", "torch")
            for name, binding in (
                ("NoGradGuard", no_grad),
                ("AutoGradMode", mode),
                ("GradMode", enabled),
            )
        },
    }


def _guard(hold: Callable[..., AbstractContextManager[None]]) -> Class:
    return Class(lambda *values: ScopeGuard(hold(*values)), registers=False)


def _no_object(*values: object) -> object:
    raise TorchError("not understood: an object of this class")


# --- The function ---------------------------------------------------------------------------------


def _function(arguments: Arguments) -> dict[str, object]:
    """The static members of `Function<T>`."""
    of = class_of(arguments[0]) if len(arguments) == 1 else None
    if of is None:
        raise TorchError("Function<T> is for the class that is derived from it")
    forward = of.method("forward")
    runs = (forward,) if forward is not None else ()
    return {"apply": Function(ByReference(partial(_apply, of)), runs=runs), "is_traceable": False}


def _apply(of: CxxClass, *values: Variable) -> object:
    run_forward, run_backward = _member(of, "forward"), _member(of, "backward")
    found = [_tensor(value.cell.value) for value in values]
    several = False

    def forward(ctx: AutogradContext) -> Sequence[Tensor | None]:
        nonlocal several
        made: Any = of.program.execute(run_forward, (ctx, *values))
        several = isinstance(made, list)
        said = f"{of}::forward has to return an at::Tensor or a variable_list"
        return _tensors(made if several else [made], said)

    def backward(ctx: AutogradContext, given: Gradients) -> Gradients:
        made: Any = run(run_backward, ctx, Vector(given, _TENSOR))
        if not isinstance(made, list):
            raise TorchError(f"{of}::backward has to return a variable_list")
        return _tensors(made, f"{of}::backward returns something else than tensors")

    tensors = [tensor for tensor, is_variable in found if is_variable]
    name, variables = f"torch::autograd::CppNode<{of}>", [is_it for _, is_it in found]
    outputs = apply_function(name, forward, backward, tensors, variables)
    return Vector(outputs, _TENSOR) if several else outputs[0]


def _member(of: CxxClass, name: str) -> CxxFunction:
    """One of the two that every class has to have. Raises TorchError, or CxxError where it is
    private."""
    found = of.method(name)
    if found is None:
        raise TorchError(f"`{of}` has no function `{name}`, which Function<T>::apply needs")
    (declaration,) = found.declarations
    if not is_static(of.program, declaration.node):
        raise TorchError(f"`{of}::{name}` has to be static: it is called without an object")
    if of.definition is not None:
        check_access(of.program, of.definition.node, declaration.node, name, of.span)
    return found


def _tensor(value: object) -> tuple[Tensor | None, bool]:
    """The tensor that an argument of `apply` is, and whether it counts as one."""
    if isinstance(value, Optional):
        value = value.value
        return (value, True) if isinstance(value, Tensor) else (None, False)
    if value is None or isinstance(value, Tensor):
        return value, True
    listed = value if isinstance(value, list | tuple) and not isinstance(value, Vector) else ()
    if any(isinstance(one, Tensor) for one in listed):
        raise TorchError("not understood: a list of tensors among the arguments of apply")
    return None, False


# --- The context ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IValue:
    """`c10::IValue`, as `saved_data` holds it; `value` is a number, a string or a tensor."""

    value: object = None


class _Place(Cell):
    """A place of an IValue: what is assigned becomes one."""

    def end(self, held: object) -> None:
        value = held.value if isinstance(held, IValue) else plain(held)
        if not isinstance(value, bool | int | float | str | Tensor):
            raise TorchError(
                "not understood: what `saved_data` is to keep: numbers, strings, tensors"
            )
        super().end(IValue(value))


def _place(data: SavedData, name: object) -> Variable:
    if not isinstance(name, str):
        raise TorchError("`saved_data` is asked by a name, a string", argument=0)
    return Variable(data.setdefault(name, _Place(IValue())))


def _as(wanted: type, said: str) -> Callable[[IValue], object]:
    """What an IValue holds, if it is of that type; else PyTorch says this, and what it holds."""

    def taken(of: IValue) -> object:
        if not isinstance(of.value, wanted) or (isinstance(of.value, bool) and wanted is not bool):
            raise TorchError(said.format(held=_KINDS.get(type(of.value), "Tensor")))
        return of.value

    return taken


_IVALUE = "aten/src/ATen/core/ivalue"
_KINDS = {type(None): "None", bool: "Bool", int: "Int", float: "Double", str: "String"}


def autograd_methods() -> dict[type, dict[str, Method]]:
    """What the context is asked, and what it keeps."""

    def save(ctx: AutogradContext, tensors: object) -> None:
        ctx.to_save = _tensors(tensors, "save_for_backward takes a list of tensors")

    def mark(ctx: AutogradContext, tensors: object) -> None:
        marked = _tensors(tensors, "mark_non_differentiable takes a list of tensors")
        ctx.non_differentiable = [one for one in marked if one is not None]

    def materialize(ctx: AutogradContext, value: object) -> None:
        ctx.materialize_grads = bool(value)

    return {
        AutogradContext: {
            "save_for_backward": save,
            "get_saved_variables": lambda ctx: Vector(ctx.get_saved_variables(), _TENSOR),
            "mark_non_differentiable": mark,
            "set_materialize_grads": materialize,
            "needs_input_grad": AutogradContext.needs_input_grad,
        },
        SavedData: {"[]": _place},
        IValue: {
            "toInt": _as(int, internal_assert("0", f"{_IVALUE}.h:664", "expected int")),
            "toDouble": _as(float, internal_assert("0", f"{_IVALUE}.h:545", "expected double")),
            "toBool": _as(bool, internal_assert("0", f"{_IVALUE}.h:711", "expected bool")),
            "toStringRef": _as(
                str,
                internal_assert(
                    "isString()", f"{_IVALUE}_inl.h:2389", "Expected String but got {held}"
                ),
            ),
            "toTensor": _as(Tensor, "Expected Tensor but got {held}"),
        },
    }


def _tensors(given: object, said: str) -> list[Tensor | None]:
    """What a variable_list holds. Raises TorchError, which says so, where it is none."""
    listed = given if isinstance(given, list | tuple) else [given]
    tensors: list[Any] = [None if one == () else one for one in listed]  # `{}`: an undefined one
    if listed is not given or not all(one is None or isinstance(one, Tensor) for one in tensors):
        raise TorchError(said)
    return tensors


AUTOGRAD_FIELDS: dict[type, frozenset[str]] = {AutogradContext: frozenset({"saved_data"})}
AUTOGRAD_CLASSES = {"torch::autograd::AutogradContext": AutogradContext}
