"""Macro definitions: what stands behind a name.

A `#define` line gives a name, perhaps a list of parameters, and a *replacement list*: the tokens that
take the name's place. A macro is *function-like* exactly when a `(` follows its name with no white
space between; `#define F (x)` is object-like, and its replacement begins with a parenthesis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from visualizer.expansion.diagnostics import SourceError
from visualizer.expansion.parentheses import closing
from visualizer.expansion.tokens import IDENTIFIER, Source, Token, spelled_at

VA_ARGS = "__VA_ARGS__"
VA_OPT = "__VA_OPT__"
HASH = ("#", "%:")
PASTE = ("##", "%:%:")


@dataclass(frozen=True, eq=False, repr=False)
class Definition:
    """A macro as its `#define` gives it.

    `parameters` are the named ones, None for an object-like macro. `variadic` is the name under
    which the trailing arguments are known: `__VA_ARGS__`, or GNU's `args` of `args...`.
    """

    name: str
    parameters: tuple[str, ...] | None
    variadic: str | None
    replacement: tuple[Token, ...]
    where: Source

    def __repr__(self) -> str:
        return f"<#define {self.head()} of {self.where.file}:{self.where.line}>"

    @cached_property
    def all_parameters(self) -> tuple[str, ...]:
        return (*(self.parameters or ()), *((self.variadic,) if self.variadic else ()))

    @cached_property
    def parameter_set(self) -> frozenset[str]:
        return frozenset(self.all_parameters)

    @cached_property
    def is_plain(self) -> bool:
        """Whether nothing in the replacement list is an operator."""
        operators = {*HASH, *PASTE, VA_OPT}
        return operators.isdisjoint(token.text for token in self.replacement)

    def head(self) -> str:
        """The macro as its definition names it: `F`, or `F(a, b, ...)`."""
        if self.parameters is None:
            return self.name
        dots = {None: [], VA_ARGS: ["..."]}.get(self.variadic, [f"{self.variadic}..."])
        return f"{self.name}({', '.join([*self.parameters, *dots])})"

    def same_as(self, other: Definition) -> bool:
        """Whether a second `#define` of this name is allowed (C23 §6.10.5.1 paragraph 2)."""
        return (
            self.parameters == other.parameters
            and self.variadic == other.variadic
            and [t.text for t in self.replacement] == [t.text for t in other.replacement]
            and [t.space for t in self.replacement[1:]] == [t.space for t in other.replacement[1:]]
        )


def read_definition(line: list[Token], directive: Token, assembler: bool = False) -> Definition:
    """The definition in a `#define` line's tokens, those after the word `define`.

    Raises SourceError where C23 §6.10.5 is broken: no name, a malformed parameter list, `##` at an
    end of the replacement list, `#` before something that is not a parameter, `__VA_OPT__` without
    its parentheses. To `assembler` a `#` may be something else. What compilers only
    warn of is in `constraints.py`.
    """
    if not line:
        raise SourceError("#define needs a macro name", directive)
    name = line[0]
    if name.kind != IDENTIFIER:
        raise SourceError(f"a macro name must be an identifier, not '{name.text}'", name)
    if name.text == "defined":
        raise SourceError(f"'{name.text}' cannot be used as a macro name", name)
    parameters: tuple[str, ...] | None = None
    variadic = None
    rest = line[1:]
    if rest and rest[0].text == "(" and not rest[0].space:
        parameters, variadic, rest = _read_parameters(rest, name)
    if rest:  # white space before and after a replacement list is no part of it
        rest = [replace(rest[0], space=False), *rest[1:]]
    definition = Definition(name.text, parameters, variadic, tuple(rest), spelled_at(name))
    _check_operators(definition, assembler)
    return definition


def _read_parameters(
    line: list[Token], name: Token
) -> tuple[tuple[str, ...], str | None, list[Token]]:
    """Parameters and variadic name of a list that starts at `(`, and the tokens after its `)`."""
    parameters: dict[str, None] = {}
    i = 1
    if len(line) > 1 and line[1].text == ")":
        return (), None, line[2:]
    while i < len(line):
        token = line[i]
        following = line[i + 1] if i + 1 < len(line) else None
        if token.text == "...":
            if VA_ARGS in parameters:
                raise SourceError(f"duplicate macro parameter '{VA_ARGS}'", token)
            variadic = VA_ARGS
        elif token.kind != IDENTIFIER:
            raise SourceError(f"expected a parameter name, found '{token.text}'", token)
        elif token.text in parameters:
            raise SourceError(f"duplicate macro parameter '{token.text}'", token)
        elif following is not None and following.text == "...":
            variadic, i = token.text, i + 1
        else:
            parameters[token.text] = None
            if following is None:
                break
            if following.text == ")":
                return tuple(parameters), None, line[i + 2 :]
            if following.text != ",":
                raise SourceError(
                    f"expected ',' or ')' after parameter '{token.text}', found '{following.text}'",
                    following,
                )
            i += 2
            continue
        closing = line[i + 1] if i + 1 < len(line) else None
        if closing is None or closing.text != ")":
            raise SourceError("expected ')' after '...'", closing or line[i])
        return tuple(parameters), variadic, line[i + 2 :]
    raise SourceError(f"the parameter list of '{name.text}' has no closing ')'", line[0])


def _check_operators(definition: Definition, assembler: bool) -> None:
    body = definition.replacement
    for end in (0, -1):
        if body and body[end].text in PASTE:
            raise SourceError("'##' cannot stand at either end of a replacement list", body[end])
    if definition.parameters is None:
        return
    allowed = definition.parameter_set | ({VA_OPT} if definition.variadic else set())
    for token, following in zip(body, (*body[1:], None), strict=False):
        if assembler:  # `#4` is a number there
            break
        if token.text in HASH and (following is None or following.text not in allowed):
            raise SourceError("'#' is not followed by a macro parameter", token)
    if definition.variadic is not None and any(t.text == VA_OPT for t in body):
        _check_optional(body)


def _check_optional(body: tuple[Token, ...]) -> None:
    """`__VA_OPT__ ( content )` (C23 §6.10.5.2 paragraph 4)."""
    i = 0
    while i < len(body):
        if body[i].text != VA_OPT:
            i += 1
            continue
        if i + 1 == len(body) or body[i + 1].text != "(":
            raise SourceError(f"{VA_OPT} must be followed by an open parenthesis", body[i])
        end = closing(body, i + 1)
        content = body[i + 2 : end]
        for token in content:
            if token.text == VA_OPT:
                raise SourceError(f"{VA_OPT} may not appear in a {VA_OPT}", token)
        if end is None:
            raise SourceError(f"unterminated {VA_OPT}", body[i], "write the missing ')'")
        for edge in (content[:1], content[-1:]):
            if edge and edge[0].text in PASTE:
                raise SourceError(f"'##' cannot appear at either end of {VA_OPT}", edge[0])
        i = end + 1
