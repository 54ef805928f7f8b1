"""Reads an operator's schema: `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> …`.

A `*` ends the positional arguments, `...` takes any further ones. Errors are `SchemaError`s:
PyTorch's sentences, with the place in the string.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import NoReturn

from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.schema.function_schema import (
    NO_DEFAULT,
    AliasInfo,
    Argument,
    FunctionSchema,
)
from registry_runtime.aten.schema.jit_type import Type, TypeKind, list_of, optional
from registry_runtime.aten.schema.schema_default_parser import integer, parse_default
from registry_runtime.aten.schema.schema_lexer import Lexer, SchemaError, report
from registry_runtime.aten.schema.schema_type_parser import SchemaTypeParser


def parse_schema(
    text: str, *, allow_typevars: bool = True, custom_classes: Container[str] = ()
) -> FunctionSchema:
    """The schema that `text` spells (`torch::jit::parseSchema`).

    A library's `def` passes `allow_typevars=False`: there an unknown lower-case type is an error.
    Raises SchemaError.
    """
    parsed = parse_schema_or_name(
        text, allow_typevars=allow_typevars, custom_classes=custom_classes
    )
    if isinstance(parsed, OperatorName):
        raise _whole("Tried to parse a function schema but only the operator name was given", text)
    return parsed


def parse_name(text: str) -> OperatorName:
    """The operator name that `text` spells (`torch::jit::parseName`). Raises SchemaError."""
    parsed = parse_schema_or_name(text)
    if not isinstance(parsed, OperatorName):
        raise _whole("Tried to parse an operator name but function schema was given", text)
    return parsed


def parse_schema_or_name(
    text: str, *, allow_typevars: bool = True, custom_classes: Container[str] = ()
) -> FunctionSchema | OperatorName:
    """Either of the two (`torch::jit::parseSchemaOrName`): a name has no argument list behind it.

    Raises SchemaError.
    """
    allow_typevars = allow_typevars or text.startswith(("aten::", "prim::"))
    parser = _SchemaParser(text, allow_typevars, custom_classes)
    try:
        parsed = parser.parse_declaration()
    except RecursionError:
        raise _whole("types are nested too deeply", text) from None
    parser.lexer.next_if("newline")
    parser.lexer.expect("eof")
    return parsed


def _whole(message: str, text: str) -> SchemaError:
    return SchemaError(message, text, 0, len(text))


class _SchemaParser:
    def __init__(self, text: str, allow_typevars: bool, custom_classes: Container[str]) -> None:
        self.lexer = Lexer(text)
        self.types = SchemaTypeParser(self.lexer, allow_typevars, custom_classes)

    def parse_declaration(self) -> FunctionSchema | OperatorName:
        name = self.parse_name()
        lexer = self.lexer
        if lexer.current.kind != "(":
            return name
        arguments: list[Argument] = []
        kwarg_only = is_vararg = False

        def argument() -> None:
            nonlocal kwarg_only, is_vararg
            if is_vararg:
                self._fail("... must be the last element of the argument list")
            if lexer.next_if("*"):
                kwarg_only = True
            elif lexer.next_if("dots"):
                is_vararg = True
            else:
                arguments.append(self.parse_argument(kwarg_only))

        self._parse_list(argument)
        if is_vararg and any(argument.has_default for argument in arguments):
            self._fail("schemas with vararg (...) can't have default value args")
        lexer.expect("arrow")
        returns, is_varret = self._parse_returns()
        schema = FunctionSchema(name, tuple(arguments), tuple(returns), is_vararg, is_varret)
        _check_defaults_stand_last(schema, lexer.text)
        return schema

    def _parse_returns(self) -> tuple[list[Argument], bool]:
        if self.lexer.next_if("dots"):
            return [], True
        if self.lexer.current.kind != "(":
            return [self.parse_return()], False
        returns: list[Argument] = []
        is_varret = False

        def result() -> None:
            nonlocal is_varret
            if is_varret:
                self._fail("... must be the last element of the return list")
            if self.lexer.next_if("dots"):
                is_varret = True
            else:
                returns.append(self.parse_return())

        self._parse_list(result)
        return returns, is_varret

    def parse_name(self) -> OperatorName:
        name = self.lexer.expect("ident").text
        if self.lexer.next_if(":"):
            self.lexer.expect(":")
            name += f"::{self.lexer.expect('ident').text}"
        if not self.lexer.next_if("."):
            return OperatorName(name, "")
        token = self.lexer.expect("ident")
        # Python's torch.ops says `default` for no overload name, and owns the dunder names.
        if token.text == "default" or token.text.startswith("__"):
            sentence = f"{token.text} is not a legal overload name for aten operators"
            raise SchemaError(sentence, self.lexer.text, token.start, token.end)
        return OperatorName(name, token.text)

    def parse_argument(self, kwarg_only: bool) -> Argument:
        fake, real, size, alias = self._parse_sized_type()
        name = self.lexer.expect("ident").text
        default: object = NO_DEFAULT
        if self.lexer.next_if("="):
            default = parse_default(self.lexer, fake, real, size)
        return Argument(name, fake, real, size, default, kwarg_only, alias)

    def parse_return(self) -> Argument:
        fake, real, size, alias = self._parse_sized_type()
        name = self.lexer.next().text if self.lexer.current.kind == "ident" else ""
        return Argument(name, fake, real, size, alias_info=alias)

    def _parse_sized_type(self) -> tuple[Type, Type, int | None, AliasInfo | None]:
        fake, real, alias = self.types.parse_type()
        if not self.lexer.next_if("["):
            return fake, real, None, alias
        # A list with a size stands for itself only at the top: `int[2][]` is no type.
        fake, real = list_of(fake), list_of(real)
        number = self.lexer.expect("number")
        size = integer(self.lexer, number.text, number)
        self.lexer.expect("]")
        alias = self.types.annotate_container(alias)
        if self.lexer.next_if("?"):
            fake, real = optional(fake), optional(real)
        return fake, real, size, alias

    def _parse_list(self, element: Callable[[], None]) -> None:
        self.lexer.expect("(")
        if self.lexer.current.kind != ")":
            element()
            while self.lexer.next_if(","):
                element()
        self.lexer.expect(")")

    def _fail(self, sentence: str) -> NoReturn:
        raise report(sentence, self.lexer.text, self.lexer.current)


def _check_defaults_stand_last(schema: FunctionSchema, text: str) -> None:
    seen = False
    for argument in schema.arguments:
        if argument.has_default:
            seen = True
        # Lists may stand anywhere: old models were saved with broadcasting lists without default.
        elif seen and not argument.kwarg_only and argument.type.kind is not TypeKind.ListType:
            raise _whole(
                "Non-default positional argument follows default argument. "
                f"Parameter {argument.name} in {schema}",
                text,
            )
