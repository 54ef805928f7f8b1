"""`add(Tensor other, *, Scalar alpha=1)`: one way in which Python may call a function.

A signature either binds a call's arguments to its parameters or says no. It says why only if it is
asked to, for a call tries several signatures and the reason of most is nobody's concern.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from registry_runtime.aten.errors import TorchError, TypeTorchError
from registry_runtime.aten.python_front.function_parameter import FunctionParameter
from registry_runtime.aten.python_front.invalid_arguments import tp_name
from registry_runtime.aten.python_front.numbers_as_tensors import should_allow_numbers_as_tensors
from registry_runtime.aten.python_front.torch_function import (
    append_overloaded_arg,
    check_has_torch_function,
)

Named = Mapping[str, Any]


class NotGiven:
    """What a parameter holds whose argument was left out, or was None where None is allowed."""

    def __repr__(self) -> str:
        return "(not given)"


NOT_GIVEN = NotGiven()


@dataclass(frozen=True, slots=True)
class FunctionSignature:
    """`torch::FunctionSignature`. `index` counts as the parser was given its signatures.

    A hidden signature is tried and never shown; a deprecated one is hidden, and tried last.
    """

    name: str
    parameters: tuple[FunctionParameter, ...]
    index: int
    hidden: bool
    deprecated: bool
    min_args: int
    max_args: int
    max_pos_args: int

    @classmethod
    def parse(cls, text: str, index: int) -> FunctionSignature:
        """From `add(Scalar alpha, Tensor other)|deprecated`. Raises TorchError."""
        name, opening, rest = text.partition("(")
        inside, closing, mark = rest.rpartition(")")
        if not opening:
            raise TorchError(f"missing opening parenthesis: {text}")
        if not closing:
            raise TorchError(f"missing closing parenthesis: {text}")
        numbers = should_allow_numbers_as_tensors(name)
        parameters: list[FunctionParameter] = []
        keyword_only = False
        for word in inside.split(", ") if inside else ():
            if not word:
                raise TorchError(f"malformed signature: {text}")
            if word == "*":
                keyword_only = True
            else:
                parameters.append(FunctionParameter.parse(word, keyword_only, numbers))
        deprecated = mark == "|deprecated"
        hidden = deprecated or mark == "|hidden"
        return cls(
            name,
            tuple(parameters),
            index,
            hidden,
            deprecated,
            min_args=sum(not parameter.optional for parameter in parameters),
            max_args=len(parameters),
            max_pos_args=sum(not parameter.keyword_only for parameter in parameters),
        )

    def bind(
        self, self_: object, arguments: tuple[Any, ...], named: Named | None
    ) -> tuple[list[Any], list[object]] | None:
        """The argument of each parameter, and those that have `__torch_function__`; or None."""
        return self._bind(self_, arguments, named, raises=False)

    def explain(self, self_: object, arguments: tuple[Any, ...], named: Named | None) -> None:
        """Raises TypeTorchError, saying why the call doesn't fit; returns if it does."""
        self._bind(self_, arguments, named, raises=True)

    def _bind(
        self, self_: object, arguments: tuple[Any, ...], named: Named | None, raises: bool
    ) -> tuple[list[Any], list[object]] | None:
        given = len(arguments)
        if given > self.max_pos_args:
            return self._extra_args(given) if raises else None
        overloaded: list[object] = []
        if self_ is not None and check_has_torch_function(self_):
            append_overloaded_arg(overloaded, self_)
        bound: list[Any] = []
        left = len(named) if named else 0
        for position, parameter in enumerate(self.parameters):
            by_name = position >= given
            value = _named(parameter, named) if by_name else arguments[position]
            if value is NOT_GIVEN and not parameter.optional:
                return self._missing_args(position) if raises else None
            if value is not NOT_GIVEN and by_name:
                left -= 1
            if value is NOT_GIVEN or (value is None and parameter.allow_none):
                bound.append(NOT_GIVEN)
            elif parameter.check(value, overloaded):
                bound.append(value)
            else:
                return self._wrong_type(parameter, position, by_name, value) if raises else None
        if left:
            return self._extra_kwargs(named or {}, given) if raises else None
        return bound, overloaded

    def _wrong_type(
        self, parameter: FunctionParameter, position: int, by_name: bool, value: object
    ) -> NoReturn:
        where = "" if by_name else f" (position {position + 1})"
        raise TypeTorchError(
            f"{self.name}(): argument '{parameter.name}'{where} must be {parameter.type.value}, "
            f"not {tp_name(value)}"
        )

    def _extra_args(self, given: int) -> NoReturn:
        if self.min_args != self.max_pos_args:
            raise TypeTorchError(
                f"{self.name}() takes from {self.min_args} to {self.max_pos_args} positional "
                f"arguments but {given} were given"
            )
        raise TypeTorchError(
            f"{self.name}() takes {self.max_pos_args} positional "
            f"argument{'' if self.max_pos_args == 1 else 's'} but {given} "
            f"{'was' if given == 1 else 'were'} given"
        )

    def _missing_args(self, position: int) -> NoReturn:
        missing = [f'"{p.name}"' for p in self.parameters[position:] if not p.optional]
        # The plural stands where one is missing: PyTorch has it so.
        raise TypeTorchError(
            f"{self.name}() missing {len(missing)} required positional "
            f"argument{'s' if len(missing) == 1 else ''}: {', '.join(missing)}"
        )

    def _extra_kwargs(self, named: Named, given: int) -> NoReturn:
        names = [parameter.name for parameter in self.parameters]
        for key in named:
            if not isinstance(key, str):
                raise TypeTorchError("keywords must be strings")
            if key not in names:
                raise TypeTorchError(f"{self.name}() got an unexpected keyword argument '{key}'")
            if names.index(key) < given:
                raise TypeTorchError(f"{self.name}() got multiple values for argument '{key}'")
        raise TypeTorchError("invalid keyword arguments")

    def __str__(self) -> str:
        """As errors show it: `(Tensor other, *, Number alpha = 1)`."""
        words: list[str] = []
        for parameter in self.parameters:
            if parameter.keyword_only and "*" not in words:
                words.append("*")
            words.append(str(parameter))
        return f"({', '.join(words)})"


def _named(parameter: FunctionParameter, named: Named | None) -> Any:
    if named:
        for name in (parameter.name, *parameter.numpy_names):
            if name in named:
                return named[name]
    return NOT_GIVEN
