"""Reads the types of a schema, with their alias annotations: `Tensor(a!)[]`, `Dict(str, int)?`.

An annotation on a list's element belongs to the element, one behind the brackets to the list
itself. `Tensor!` is short for a set that nothing else is in.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from functools import partial

from registry_runtime.aten.schema.function_schema import WILDCARD, AliasInfo
from registry_runtime.aten.schema.jit_type import (
    INT,
    SPELLINGS,
    TENSOR,
    ImpossibleType,
    Type,
    TypeKind,
    dict_of,
    list_of,
    optional,
    union,
)
from registry_runtime.aten.schema.schema_lexer import Lexer, SchemaError, Token, report

_BASE_TYPES = {
    spelling: Type(kind)
    for kind, spelling in SPELLINGS.items()
    if kind not in (TypeKind.TensorType, TypeKind.SymFloatType)
} | {
    "None": Type(TypeKind.NoneType),
    "ConstQuantizerPtr": INT,
    "DeviceIndex": INT,
}
# What a kernel sees as `int`.
_FAKED = {
    TypeKind.ScalarTypeType,
    TypeKind.MemoryFormatType,
    TypeKind.LayoutType,
    TypeKind.SymIntType,
}
_INSTEAD = {
    "double": "Use `float` instead of `double` in an operator's schema string. "
    "`float` in schema corresponds to the double type in C++",
    "int64_t": "Use `SymInt` or `int` instead of `int64_t` in an operator's schema string. "
    "`SymInt` corresponds to c10::SymInt in C++ while `int` in schema corresponds "
    "to the int64_t type in C++.",
}
_UNKNOWN = (
    "unknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, "
    "Scalar; for a full list, please see "
    "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/README.md#func "
)
_WRAPPERS = {
    "Future": TypeKind.FutureType,
    "Await": TypeKind.AwaitType,
    "RRef": TypeKind.RRefType,
}


class SchemaTypeParser:
    """Parses types from a lexer. `allow_typevars` takes an unknown lower-case name for a type
    variable, as TorchScript's own operators have them; `custom_classes` are the names of the
    classes that `torch::class_` has registered, `__torch__.torch.classes.ns.Name`."""

    def __init__(
        self, lexer: Lexer, allow_typevars: bool, custom_classes: Container[str] = ()
    ) -> None:
        self.lexer = lexer
        self.allow_typevars = allow_typevars
        self.custom_classes = custom_classes
        self._fresh = 0

    def parse_type(self) -> tuple[Type, Type, AliasInfo | None]:
        """The fake type, the real one and the annotation (`parseFakeAndRealType`).

        Raises SchemaError.
        """
        start = self.lexer.current
        real, alias = self._parse_unsuffixed()
        fake = INT if real.kind in _FAKED else real
        while True:
            if self.lexer.current.kind == "[" and self.lexer.lookahead().kind == "]":
                self.lexer.next()
                self.lexer.next()
                fake, real = list_of(fake), list_of(real)
                alias = self.annotate_container(alias)
            elif self.lexer.next_if("?"):
                fake = self._checked(start, partial(optional, fake))
                real = optional(real)
            else:
                return fake, real, alias

    def annotate_container(self, of_element: AliasInfo | None) -> AliasInfo | None:
        """The annotation of a list whose brackets were just read and whose elements have one."""
        container = self.parse_alias_annotation()
        if of_element is None:
            return container
        if container is None:
            container = AliasInfo(of_element.is_write)
        return replace(container, contained=(*container.contained, of_element))

    def _parse_unsuffixed(self) -> tuple[Type, AliasInfo | None]:
        lexer = self.lexer
        start = lexer.current
        if start.kind == "(":
            return Type(TypeKind.TupleType, self._parse_members()), None
        if start.kind == "ident":
            match start.text:
                case "Tensor":
                    lexer.next()
                    return TENSOR, self.parse_alias_annotation()
                case "Future" | "Await" | "RRef":
                    lexer.next()
                    lexer.expect("(")
                    of = self.parse_type()[0]
                    lexer.expect(")")
                    return Type(_WRAPPERS[start.text], (of,)), None
                case "Dict":
                    lexer.next()
                    lexer.expect("(")
                    key = self.parse_type()[0]
                    lexer.expect(",")
                    value = self.parse_type()[0]
                    lexer.expect(")")
                    alias = self.parse_alias_annotation()
                    return self._checked(start, lambda: dict_of(key, value)), alias
                case "Union":
                    lexer.next()
                    members = self._parse_members(at_least_one=True)
                    alias = self.parse_alias_annotation()
                    return self._checked(start, lambda: union(members)), alias
                case "__torch__":
                    return self._parse_class(), None
        return self._parse_base_type(), self.parse_alias_annotation()

    def _parse_members(self, at_least_one: bool = False) -> tuple[Type, ...]:
        self.lexer.expect("(")
        members: list[Type] = []
        if at_least_one or self.lexer.current.kind != ")":
            members.append(self.parse_type()[0])
            while self.lexer.next_if(","):
                members.append(self.parse_type()[0])
        if at_least_one and self.lexer.current.kind != ")":
            self.lexer.expect(",")
        self.lexer.expect(")")
        return tuple(members)

    def _parse_class(self) -> Type:
        self.lexer.next()
        for word in ("torch", "classes"):
            self.lexer.expect(".")
            token = self.lexer.expect("ident")
            if token.text != word:
                sentence = f"Expected classes namespace but got {token.text}"
                raise report(sentence, self.lexer.text, token)
        self.lexer.expect(".")
        namespace = self.lexer.expect("ident").text
        self.lexer.expect(".")
        token = self.lexer.expect("ident")
        name = f"{namespace}.{token.text}"
        qualified = f"__torch__.torch.classes.{name}"
        if qualified not in self.custom_classes:
            sentence = f"Unknown custom class type {name}. Please ensure it is registered."
            raise report(sentence, self.lexer.text, token)
        return Type(TypeKind.ClassType, name=qualified)

    def _parse_base_type(self) -> Type:
        lexer = self.lexer
        start = lexer.current
        if start.kind in ("None", "NoneType"):
            lexer.next()
        else:
            lexer.expect("ident")
        text = start.text
        while lexer.current.kind == "." and lexer.lookahead().kind == "ident":
            lexer.next()
            text += f".{lexer.next().text}"
        known = _BASE_TYPES.get(text)
        if known is not None:
            return known
        if self.allow_typevars and "a" <= text[0] <= "z":
            return Type(TypeKind.VarType, name=text)
        raise report(_INSTEAD.get(text, _UNKNOWN), lexer.text, start)

    def _checked(self, at: Token, make: Callable[[], Type]) -> Type:
        try:
            return make()
        except ImpossibleType as error:
            raise SchemaError(str(error), self.lexer.text, at.start, at.end) from None

    def parse_alias_annotation(self) -> AliasInfo | None:
        """`(a)`, `(a! -> a|b)`, `!`, or nothing."""
        if self.lexer.next_if("!"):
            fresh = f"${self._fresh}"
            self._fresh += 1
            return AliasInfo(is_write=True, before=(fresh,))
        if not self.lexer.next_if("("):
            return None
        before = self._parse_sets()
        is_write = self.lexer.next_if("!")
        after = self._parse_sets() if self.lexer.next_if("arrow") else before
        self.lexer.expect(")")
        return AliasInfo(is_write, before, after)

    def _parse_sets(self) -> tuple[str, ...]:
        # PyTorch keeps them in a std::unordered_set, and GCC's hands out the newest first.
        sets: dict[str, None] = {}
        while True:
            if self.lexer.next_if("*"):
                sets[WILDCARD] = None
            elif WILDCARD not in sets:
                sets[self.lexer.expect("ident").text] = None
            if not self.lexer.next_if("|"):
                return tuple(reversed(sets))
