"""The methods of `torch.Tensor` that are written in Python.

`class Tensor(torch._C.TensorBase)` inherits the lines of the C++ table, and adds to them. `1 - a` and
`1 / a` come here: what isn't symmetric can't share the function of the other order, and has no operator
in C++ that takes the number first. So `__rsub__` calls `rsub`, and a quotient is the reciprocal times
the number: two operators, each of which rounds.

Source: `torch/_tensor.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from registry_runtime.aten.errors import TypeTorchError
from registry_runtime.aten.python_front.not_implemented import (
    PyCFunctionWithKeywords,
    TypeError_to_NotImplemented_,
)
from registry_runtime.aten.python_front.operators import Tell, TypedOperator
from registry_runtime.aten.python_front.python_numbers import check_scalar, unpack_scalar
from registry_runtime.aten.python_front.torch_function import (
    append_overloaded_arg,
    check_has_torch_function,
    handle_torch_function,
)
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor


@dataclass(frozen=True, slots=True)
class PythonMethod:
    """One of them, called as a line of the table is; `spelled` is its body."""

    ml_name: str
    ml_meth: PyCFunctionWithKeywords
    spelled: str

    wrapper = "_handle_torch_function_and_wrap_type_error_to_not_implemented"

    @property
    def found(self) -> str:
        return f"Python finds {self.ml_name} in torch/_tensor.py, `{self.spelled}`, and calls it."


class ReversedMethods:
    """`__rsub__` and `__rtruediv__` of a front whose product of a tensor and a number is `times`.
    `tell` hears which operator is called."""

    def __init__(
        self, rsub: TypedOperator, reciprocal: TypedOperator, times: Callable[[Any, Any], Any]
    ) -> None:
        self._rsub, self._reciprocal, self._times = rsub, reciprocal, times
        self.tell: Tell | None = None

    def methods(self) -> dict[str, PythonMethod]:
        """By name, as Python finds them."""
        of = (
            ("__rsub__", self._difference, "return _C._VariableFunctions.rsub(self, other)"),
            ("__rtruediv__", self._quotient, "return self.reciprocal() * other"),
        )
        return {name: PythonMethod(name, _wrapped(name, f), body) for name, f, body in of}

    def _difference(self, self_: Tensor, other: Any) -> Any:
        if not check_scalar(other):
            raise TypeTorchError(f"rsub(): argument 'other' must be a number, not {_named(other)}")
        self._say("rsub(self, other) calls the operator.")
        return self._rsub.call(self_, unpack_scalar(other), Scalar(1))

    def _quotient(self, self_: Tensor, other: Any) -> Any:
        self._say("self.reciprocal() calls the operator.")
        made = self._reciprocal.call(self_)
        self._say("What it gave is multiplied by other.")
        return self._times(made, other)

    def _say(self, sentence: str) -> None:
        if self.tell is not None:
            self.tell(sentence)


def _named(value: object) -> str:
    return type(value).__name__


def _wrapped(name: str, function: Callable[[Tensor, Any], Any]) -> PyCFunctionWithKeywords:
    def method(self_: Tensor, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None) -> Any:
        overloaded: list[object] = []
        for value in (self_, *args):
            if check_has_torch_function(value):
                append_overloaded_arg(overloaded, value)
        if overloaded:
            given = (self_, *args)
            return handle_torch_function(overloaded, method, given, kwargs, "torch.Tensor")
        return function(self_, *args)

    method.__name__ = name
    return TypeError_to_NotImplemented_(method)
