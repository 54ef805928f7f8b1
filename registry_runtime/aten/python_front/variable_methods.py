"""The methods of `torch.Tensor` that are written in C++, and the table that Python finds them in.

Python calls a C function in one of several ways, and `PyMethodDef` has room for only one of them,
`PyCFunction(self, args)`. A function that takes keywords is cast to that type and put in all the
same; the flag METH_KEYWORDS tells Python to call it with three arguments, as what it really is.

`__add__` and `__radd__` share one function: adding is symmetric, so `1 + a` may be computed as
`a + 1`. `__iadd__` has another, which writes into its tensor. So it is with `*`. What `1 - a` and
`1 / a` ask for, `__rsub__` and `__rtruediv__`, PyTorch writes in Python: see `tensor_methods`.

Sources: `tools/autograd/templates/python_variable_methods.cpp`, `tools/autograd/deprecated.yaml`,
`torch/csrc/utils/pycfunction_helpers.h`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntFlag
from typing import Any

from registry_runtime.aten.python_front.function_parameter import ParameterType
from registry_runtime.aten.python_front.function_signature import NOT_GIVEN
from registry_runtime.aten.python_front.gil import gil_scoped_release
from registry_runtime.aten.python_front.not_implemented import (
    PyCFunctionWithKeywords,
    TypeError_to_NotImplemented_,
)
from registry_runtime.aten.python_front.operators import ARITHMETIC, Tell, TypedOperator
from registry_runtime.aten.python_front.python_arg_parser import PythonArgParser, PythonArgs
from registry_runtime.aten.python_front.python_numbers import check_scalar
from registry_runtime.aten.python_front.torch_function import handle_torch_function
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor


class MethodFlags(IntFlag):
    """CPython's `METH_…`."""

    METH_VARARGS = 0x0001
    METH_KEYWORDS = 0x0002


@dataclass(frozen=True, slots=True)
class PyMethodDef:
    """A line of the table: `spelled` is how the C++ source has its second column."""

    ml_name: str
    ml_meth: PyCFunctionWithKeywords
    spelled: str
    ml_flags: MethodFlags

    wrapper = "TypeError_to_NotImplemented_"

    def __str__(self) -> str:
        flags = " | ".join(flag.name or "" for flag in self.ml_flags)
        return f'{{"{self.ml_name}", {self.spelled}, {flags}, nullptr}}'

    @property
    def found(self) -> str:
        return f"Python finds {self} and calls it with (self, args, kwargs)."


def castPyCFunctionWithKeywords(function: PyCFunctionWithKeywords) -> PyCFunctionWithKeywords:
    """`reinterpret_cast<PyCFunction>(function)`. Nothing happens to the function: its type in the
    table is a lie that the flags set right."""
    return function


WITH_KEYWORDS = MethodFlags.METH_VARARGS | MethodFlags.METH_KEYWORDS


def signatures(name: str, *, takes_alpha: bool) -> tuple[str, ...]:
    """What the parser of a method of two tensors is made with."""
    if not takes_alpha:
        return (f"{name}(Tensor other)",)
    return (
        f"{name}(Scalar alpha, Tensor other)|deprecated",
        f"{name}(Tensor other, *, Scalar alpha=1)",
    )


ADD_SIGNATURES = signatures("add", takes_alpha=True)


class BinaryMethod:
    """`THPVariable_add`; around the operator that writes in place, `THPVariable_add_`; and the same of
    `sub`, `mul` and `div`.

    `tell` hears each step as a sentence, `warn` of a deprecated signature, once.
    """

    def __init__(
        self,
        signatures: tuple[str, ...],
        operator: TypedOperator,
        warn: Callable[[str], object],
    ) -> None:
        self.parser = PythonArgParser(signatures)
        self.operator = operator
        self.warn = warn
        self.tell: Tell | None = None
        self.torch_api: Callable[..., Any] | None = None
        self.__name__ = f"THPVariable_{self.parser.function_name}"

    def __call__(
        self, self_: Tensor, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
    ) -> Any:
        """Parse, ask `__torch_function__`, call the operator. Raises TypeTorchError and whatever
        the operator raises."""
        tell = self.tell
        if tell is None:
            r = self.parser.parse(self_, args, kwargs, self.warn)
        else:
            try:
                r = self.parser.parse(self_, args, kwargs, self.warn)
            except TypeError as error:
                tell(f"PythonArgParser finds no signature that fits. {error}")
                raise
            _tell_parsed(tell, self.parser, r)
        if r.has_torch_function():
            return self._handled_elsewhere(r, self_, args, kwargs)
        if r.signature.deprecated:  # aten::add(Tensor self, Scalar alpha, Tensor other) -> Tensor
            rest: tuple[Tensor | Scalar | None, ...] = r.tensor(1), r.scalar(0)
        elif len(r.args) == 1:  # aten::mul.Tensor(Tensor self, Tensor other) -> Tensor
            rest = (r.tensor(0),)
        else:  # aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
            rest = r.tensor(0), r.scalar(1)
        if tell is None:
            return self.operator.call(self_, *rest)
        _tell_unpacked(tell, r, *rest)
        with gil_scoped_release(tell):
            given = ", ".join(("other", "alpha")[: len(rest)])
            tell(f"self.{self.parser.function_name}({given}) calls the operator.")
            return self.operator.call(self_, *rest)

    def _handled_elsewhere(
        self,
        r: PythonArgs,
        self_: Tensor,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any] | None,
    ) -> object:
        assert self.torch_api is not None
        if self.tell is not None:
            names = ", ".join(type(value).__name__ for value in r.overloaded_args)
            self.tell(f"The call is handed to __torch_function__ of {names}.")
        return handle_torch_function(
            r.overloaded_args, self.torch_api, (self_, *args), kwargs, "torch.Tensor"
        )


def variable_methods(functions: Mapping[str, BinaryMethod]) -> dict[str, PyMethodDef]:
    """`PyMethodDef variable_methods[]`: those of its lines that are arithmetic of two tensors, whose
    `functions` are given by name, `add` and `add_`."""

    def wrapped(name: str, function: PyCFunctionWithKeywords) -> PyMethodDef:
        spelled = f"TypeError_to_NotImplemented_<{function.__name__}>"
        meth = castPyCFunctionWithKeywords(TypeError_to_NotImplemented_(function))
        return PyMethodDef(name, meth, f"castPyCFunctionWithKeywords({spelled})", WITH_KEYWORDS)

    def plain(name: str, function: PyCFunctionWithKeywords) -> PyMethodDef:
        spelled = f"castPyCFunctionWithKeywords({function.__name__})"
        return PyMethodDef(name, castPyCFunctionWithKeywords(function), spelled, WITH_KEYWORDS)

    table: list[PyMethodDef] = []
    for one in ARITHMETIC:
        function, in_place = functions[one.name], functions[f"{one.name}_"]
        table += [
            wrapped(f"__{one.special}__", function),
            *([wrapped(f"__r{one.special}__", function)] if one.commutes else []),
            wrapped(f"__i{one.special}__", in_place),
            plain(one.name, function),
            plain(f"{one.name}_", in_place),
        ]
    return {line.ml_name: line for line in table}


def _tell_parsed(tell: Tell, parser: PythonArgParser, r: PythonArgs) -> None:
    name = parser.function_name
    for signature in parser.signatures:
        fits = signature is r.signature
        last = " (deprecated, so tried last)" if signature.deprecated else ""
        tell(
            f"PythonArgParser tries signature {signature.index}, {name}{signature}{last}: "
            f"it {'fits' if fits else 'does not fit'}."
        )
        if fits:
            break
    for parameter, value in zip(r.signature.parameters, r.args, strict=True):
        if value is NOT_GIVEN:
            tell(f"`{parameter.name}` is not given: it is {parameter.default}.")
        elif parameter.type is ParameterType.TENSOR and check_scalar(value):
            tell(
                f"`{parameter.name}` is {value!r}, a number; should_allow_numbers_as_tensors "
                f"lists `{name}`, so it may stand for a Tensor."
            )
    if not r.has_torch_function():
        tell("No argument's class has a __torch_function__ that wants the call.")


def _tell_unpacked(tell: Tell, r: PythonArgs, *rest: Tensor | Scalar | None) -> None:
    of_tensor, of_scalar = (1, 0) if r.signature.deprecated else (0, 1)
    value, other = r.args[of_tensor], rest[0]
    if other is value:
        tell(
            f"tensor({of_tensor}): THPVariable_CheckExact says that it is a Tensor, so it is only "
            "unpacked."
        )
    elif isinstance(other, Tensor):
        tell(
            f"tensor({of_tensor}) is no Tensor, so tensor_slow takes it: {value!r} becomes a "
            f"Scalar, scalar_to_tensor a tensor of type {other.dtype} without dimensions, and "
            "set_wrapped_number(true) marks it."
        )
    if len(rest) > 1 and isinstance(alpha := rest[1], Scalar):
        tell(f"scalar({of_scalar}): alpha is {alpha.value!r}, a Scalar of type {alpha.type}.")
