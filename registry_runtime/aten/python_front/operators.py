"""`at::_ops::add_Tensor`: an operator as C++ calls it, `call(self, other, alpha)`.

torchgen writes one such struct for each of PyTorch's operators. `call` needs the operator's handle,
and looking that up takes a lock and hashes a name; so the first call keeps it in a static of the
function, and every later one finds it there. With the handle goes a promise about the C++ type of
its kernels, which is checked once, when the handle is made *typed*.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.schema.cpp_signature import CppSignature
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor

Tell = Callable[[str], None]  # hears each step of a call, as a sentence


@dataclass(frozen=True, slots=True)
class OperatorStruct:
    """What torchgen writes into `ATen/ops/add_ops.h`: the operator's two names, its schema, and the
    C++ type that its kernels have."""

    name: str
    overload_name: str
    schema_str: str
    schema: CppSignature

    @property
    def struct(self) -> str:
        """The struct's own name: `add_Tensor`."""
        return "_".join(filter(None, (self.name.removeprefix("aten::"), self.overload_name)))


def _of_two(name: str, *, takes_alpha: bool) -> tuple[OperatorStruct, OperatorStruct]:
    """`NAME.Tensor`, and `NAME_.Tensor`, which writes into self."""
    alpha, number = (", *, Scalar alpha=1", ", c10::Scalar const&") if takes_alpha else ("", "")
    return (
        OperatorStruct(
            f"aten::{name}",
            "Tensor",
            f"{name}.Tensor(Tensor self, Tensor other{alpha}) -> Tensor",
            CppSignature(f"at::Tensor (at::Tensor const&, at::Tensor const&{number})"),
        ),
        OperatorStruct(
            f"aten::{name}_",
            "Tensor",
            f"{name}_.Tensor(Tensor(a!) self, Tensor other{alpha}) -> Tensor(a!)",
            CppSignature(f"at::Tensor& (at::Tensor&, at::Tensor const&{number})"),
        ),
    )


ADD_TENSOR, ADD__TENSOR = _of_two("add", takes_alpha=True)
SUB_TENSOR, SUB__TENSOR = _of_two("sub", takes_alpha=True)
MUL_TENSOR, MUL__TENSOR = _of_two("mul", takes_alpha=False)
DIV_TENSOR, DIV__TENSOR = _of_two("div", takes_alpha=False)
RSUB_SCALAR = OperatorStruct(
    "aten::rsub",
    "Scalar",
    "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    CppSignature("at::Tensor (at::Tensor const&, c10::Scalar const&, c10::Scalar const&)"),
)


def _of_one(name: str) -> OperatorStruct:
    schema = f"{name}(Tensor self) -> Tensor"
    return OperatorStruct(
        f"aten::{name}", "", schema, CppSignature("at::Tensor (at::Tensor const&)")
    )


NEG, RECIPROCAL = _of_one("neg"), _of_one("reciprocal")


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """One of Python's operators on two tensors: `-` asks for `__sub__` and calls `sub`; `word` is what
    our front calls it. Only of one that `commutes` PyTorch has the method for a number on the left in
    C++."""

    sign: str
    word: str
    name: str
    special: str
    of: OperatorStruct
    in_place: OperatorStruct
    commutes: bool
    takes_alpha: bool


ARITHMETIC = (
    Arithmetic("+", "plus", "add", "add", ADD_TENSOR, ADD__TENSOR, commutes=True, takes_alpha=True),
    Arithmetic(
        "-", "minus", "sub", "sub", SUB_TENSOR, SUB__TENSOR, commutes=False, takes_alpha=True
    ),
    Arithmetic(
        "*", "times", "mul", "mul", MUL_TENSOR, MUL__TENSOR, commutes=True, takes_alpha=False
    ),
    Arithmetic(
        "/",
        "divided_by",
        "div",
        "truediv",
        DIV_TENSOR,
        DIV__TENSOR,
        commutes=False,
        takes_alpha=False,
    ),
)


class TypedOperator:
    """One of those structs at work on one dispatcher. `tell` hears of the look-up."""

    __slots__ = ("_dispatcher", "_op", "of", "tell")

    def __init__(self, of: OperatorStruct, dispatcher: Dispatcher) -> None:
        self.of = of
        self.tell: Tell | None = None
        self._dispatcher = dispatcher
        self._op: OperatorHandle | None = (
            None  # `static auto op = create_add_Tensor_typed_handle();`
        )

    def call(self, self_: Tensor, *rest: Tensor | Scalar | None) -> Tensor:
        """Dispatch on the arguments. Raises TorchError if nobody has defined the operator."""
        op = self._op
        # Stepping back in time may have taken the definition away; in C++ it never goes.
        if op is None or not op.operatorDef_.def_count:
            op = self._create_typed_handle()
        elif self.tell is not None:
            self.tell(f"The typed handle of {op.operator_name()} is there from an earlier call.")
        result: Tensor = self._dispatcher.call(op, self_, *rest)
        return result

    def redispatch(
        self, keys: DispatchKeySet, self_: Tensor, *rest: Tensor | Scalar | None
    ) -> Tensor:
        """Go on with a call, for the keys that are left."""
        op = self._op or self._create_typed_handle()
        result: Tensor = self._dispatcher.redispatch(op, keys, self_, *rest)
        return result

    def _create_typed_handle(self) -> OperatorHandle:
        of = self.of
        if self.tell is not None:
            self.tell(
                f"The first call of at::_ops::{of.struct}::call looks its handle up: "
                f'findSchemaOrThrow("{of.name}", "{of.overload_name}")'
                f".typed<{of.schema}>(). A static keeps it."
            )
        found = self._dispatcher.findSchemaOrThrow(of.name, of.overload_name)
        self._op = found.typed(of.schema)
        return self._op
