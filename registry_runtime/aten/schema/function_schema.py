"""What an operator promises: its name, its arguments and what it returns.

`aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)` says that `self`
is written to and that the result is that very tensor: both carry the alias set `a`. A schema is
what a caller may rely on, whichever kernel runs in the end; so the dispatcher holds every kernel's
C++ type against it.

Printing a schema gives a string that parses to the same schema, in one spelling: `int[2] stride=1`
comes out as it went in, `Layout layout=strided` as the number that it stands for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum

from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.schema.jit_type import SYM_INT, Type, TypeKind, list_of, optional


class _NoDefault(Enum):
    NO_DEFAULT = "no default"


NO_DEFAULT = _NoDefault.NO_DEFAULT
WILDCARD = "*"


class AliasAnalysisKind(IntEnum):
    """`c10::AliasAnalysisKind`: whether a schema may be believed in what it says of writing to
    arguments and of sharing memory: FROM_SCHEMA if somebody wrote it, CONSERVATIVE if inferred."""

    INTERNAL_SPECIAL_CASE = 0
    CONSERVATIVE = 1
    FROM_SCHEMA = 2
    PURE_FUNCTION = 3

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class AliasInfo:
    """`(a! -> b|c)`: the sets that a value is in before and after the call, and whether the call
    writes to it.

    The sets stand in the order in which they print. `contained` are the annotations of what a list
    holds: `Tensor(a!)[]`.
    """

    is_write: bool = False
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    contained: tuple[AliasInfo, ...] = ()

    def __str__(self) -> str:
        after = "" if set(self.before) == set(self.after) else f" -> {'|'.join(self.after)}"
        return f"({'|'.join(self.before)}{'!' if self.is_write else ''}{after})"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument, or one of the results.

    `type` is its fake type and `real_type` what the schema says (see jit_type). `size` is the 2 of
    `int[2]`. `default_value` is NO_DEFAULT where there is none: None is a default too.
    """

    name: str
    type: Type
    real_type: Type
    size: int | None = None
    default_value: object = NO_DEFAULT
    kwarg_only: bool = False
    alias_info: AliasInfo | None = None

    @property
    def has_default(self) -> bool:
        return self.default_value is not NO_DEFAULT

    @property
    def is_write(self) -> bool:
        """Whether the call changes the argument."""
        return self.alias_info is not None and self.alias_info.is_write

    def __str__(self) -> str:
        type, alias = self.real_type, self.alias_info
        is_optional = type.kind is TypeKind.OptionalType
        inner = type.element if is_optional else type
        if inner.kind is TypeKind.ListType:
            contained = str(alias.contained[0]) if alias and alias.contained else ""
            spelled = f"{inner.element}{contained}[{'' if self.size is None else self.size}]"
        else:
            spelled = str(inner)
        # The question mark follows the annotation: `Tensor(a!)?` is what the parser takes.
        spelled += str(alias) if alias and alias.before else ""
        spelled += "?" if is_optional else ""
        spelled += f" {self.name}" if self.name else ""
        return spelled + (f"={self._spell_default(inner)}" if self.has_default else "")

    def _spell_default(self, inner: Type) -> str:
        value = self.default_value
        if inner.kind is TypeKind.StringType and isinstance(value, str):
            return _quote(value)
        of_ints = self.real_type.kind is TypeKind.ListType and (
            inner.element.kind is TypeKind.IntType
        )
        if of_ints and isinstance(value, tuple) and len(value) > 1 and len(set(value)) == 1:
            return spell_value(value[0])
        return spell_value(value)


@dataclass(frozen=True, slots=True)
class FunctionSchema:
    """An operator's schema. `is_vararg` and `is_varret` say that `...` stands at the end."""

    name: OperatorName
    arguments: tuple[Argument, ...] = ()
    returns: tuple[Argument, ...] = ()
    is_vararg: bool = False
    is_varret: bool = False
    alias_analysis: AliasAnalysisKind | None = field(default=None, compare=False)

    @property
    def is_mutable(self) -> bool:
        """Whether some argument is written to."""
        return any(argument.is_write for argument in self.arguments)

    def with_name(self, name: OperatorName) -> FunctionSchema:
        """The same schema under another name (`cloneWithName`)."""
        return replace(self, name=name)

    def with_real_types(self, with_symint: bool = True) -> FunctionSchema:
        """The schema with its real types only (`cloneWithRealTypes`): `ScalarType` is no `int` now.

        A kernel that takes no `c10::SymInt` is compared with `with_symint=False`, which leaves
        `int` where the schema says `SymInt`.
        """

        def retype(argument: Argument) -> Argument:
            type = argument.real_type
            if not with_symint and type in _SYMBOLIC:
                type = argument.type
            return replace(argument, type=type, real_type=type)

        returns = (replace(result, type=result.real_type) for result in self.returns)
        return replace(self, arguments=tuple(map(retype, self.arguments)), returns=tuple(returns))

    def index_of(self, argument: str) -> int | None:
        """Where the argument of that name stands."""
        names = (i for i, a in enumerate(self.arguments) if a.name == argument)
        return next(names, None)

    def __str__(self) -> str:
        words: list[str] = []
        for argument in self.arguments:
            if argument.kwarg_only and "*" not in words:
                words.append("*")
            words.append(str(argument))
        if self.is_vararg:
            words.append("...")
        returns = [*map(str, self.returns), *(["..."] if self.is_varret else [])]
        spelled = ", ".join(returns)
        # A lone tuple needs parentheses of its own, or it would read as several results.
        if len(returns) != 1 or (not self.is_varret and spelled.startswith("(")):
            spelled = f"({spelled})"
        return f"{self.name}({', '.join(words)}) -> {spelled}"


_SYMBOLIC = {
    SYM_INT,
    optional(SYM_INT),
    list_of(SYM_INT),
    optional(list_of(SYM_INT)),
}


def spell_value(value: object) -> str:
    """A default as PyTorch prints it (`operator<<` of IValue): `1.` for 1.0, `[1, 2]`."""
    match value:
        case float():
            return _spell_float(value)
        case complex():
            # The sign is the imaginary part's, and a minus zero's is a plus.
            sign = "+" if value.imag >= 0 else "-"
            return f"{_spell_float(value.real)}{sign}{_spell_float(abs(value.imag))}j"
        case tuple():
            return f"[{', '.join(map(spell_value, value))}]"
        case _:
            return str(value)


def _spell_float(value: float) -> str:
    if value.is_integer() and abs(value) < 1e10:
        sign = "-" if math.copysign(1, value) < 0 else ""
        return f"{sign}{abs(int(value))}."
    return f"{value:.17g}"


_ESCAPES = {
    "\\": "\\\\",
    "'": "\\'",
    '"': '\\"',
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


def _quote(text: str) -> str:
    def escape(character: str) -> str:
        if character in _ESCAPES:
            return _ESCAPES[character]
        if " " <= character <= "~":
            return character
        return "".join(f"\\{byte:03o}" for byte in character.encode())

    return f'"{"".join(map(escape, text))}"'
