"""`#if`, `#ifdef` and their like: what a condition says.

pcpp evaluates the arithmetic. It rewrites tokens as it goes (`defined X` becomes 0 or 1 in place), so
it gets copies, `Operand`s, and our tokens stay as the source has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion.diagnostics import at_token
from visualizer.expansion.tokens import (
    CHARACTER,
    IDENTIFIER,
    NUMBER,
    STRING,
    Token,
    spell,
)

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor

_PCPP_TYPES = {
    "+": "CPP_PLUS",
    "-": "CPP_MINUS",
    "*": "CPP_STAR",
    "/": "CPP_FSLASH",
    "%": "CPP_PERCENT",
    "|": "CPP_BAR",
    "&": "CPP_AMPERSAND",
    "~": "CPP_TILDE",
    "^": "CPP_HAT",
    "<": "CPP_LESS",
    ">": "CPP_GREATER",
    "!": "CPP_EXCLAMATION",
    "?": "CPP_QUESTION",
    "(": "CPP_LPAREN",
    ")": "CPP_RPAREN",
    ",": "CPP_COMMA",
    ":": "CPP_COLON",
    "<<": "CPP_LSHIFT",
    ">>": "CPP_RSHIFT",
    "<=": "CPP_LESSEQUAL",
    ">=": "CPP_GREATEREQUAL",
    "||": "CPP_LOGICALOR",
    "&&": "CPP_LOGICALAND",
    "==": "CPP_EQUALITY",
    "!=": "CPP_INEQUALITY",
}
_CXX_OPERATORS = {"and": "&&", "or": "||", "not": "!", "not_eq": "!=", "compl": "~"}
_CXX_OPERATORS |= {"bitand": "&", "bitor": "|", "xor": "^"}
_HAS_INCLUDE = ("__has_include", "__has_include_next")


@dataclass(slots=True)
class Operand:
    """A token as pcpp's evaluator wants it."""

    type: str
    value: str
    lineno: int
    source: str
    token: Token
    lexpos: int = 0


def as_operands(tokens: list[Token]) -> list[Operand]:
    return [Operand(_pcpp_type(t), _value(t), t.lineno, t.source, t) for t in tokens]


def as_tokens(operands: list[Operand]) -> list[Token]:
    """Back again; what pcpp rewrote has become a number."""
    return [
        o.token
        if o.value == o.token.text
        else Token(NUMBER, o.value, o.token.space, o.token.origin)
        for o in operands
    ]


def _pcpp_type(token: Token) -> str:
    if token.kind == NUMBER:
        return "CPP_INTEGER"
    if token.kind == CHARACTER:
        return "CPP_CHAR"
    if token.kind == STRING:
        return "CPP_STRING"
    if token.kind == IDENTIFIER:
        return "CPP_ID"
    return _PCPP_TYPES.get(token.text, token.text)


def _value(token: Token) -> str:
    return token.text.replace("'", "") if token.kind == NUMBER else token.text


class Condition:
    """Evaluates the conditions of one preprocessor, which it asks for macros and headers."""

    operators = frozenset(
        (
            "__has_include",
            "__has_include_next",
            "__has_attribute",
            "__has_cpp_attribute",
            "__has_builtin",
        )
    )

    def __init__(self, preprocessor: Preprocessor) -> None:
        self.preprocessor = preprocessor
        self.trouble = ""

    def holds(self, directive: Token, tokens: list[Token]) -> bool:
        """Whether the group after this directive is to be taken. Reports what is wrong with it."""
        if directive.text in ("ifdef", "ifndef", "elifdef", "elifndef"):
            if not tokens or tokens[0].kind != IDENTIFIER:
                self._report(f"#{directive.text} needs a macro name", directive)
                return False
            return self._defined(tokens[0].text) == (not directive.text.endswith("ndef"))
        if not tokens:
            self._report(f"#{directive.text} with no expression", directive)
            return False
        self.trouble = ""
        prepared = self._prepare(tokens)
        value = 0 if self.trouble else self.preprocessor.evalexpr(prepared)[0]
        trouble: str = self.trouble
        if trouble:
            self._report(f"#{directive.text} {spell(tokens)}: {trouble}", tokens[0])
        return bool(value)

    def failed(self, message: str) -> None:
        """pcpp could not evaluate the condition at hand."""
        self.trouble = "division by zero" if "division" in message else "not a constant expression"

    def _defined(self, name: str) -> bool:
        p = self.preprocessor
        return name in p.macros or name in p.builtins or name in self.operators

    def _prepare(self, tokens: list[Token]) -> list[Token]:
        """`__has_include(…)` answered, C++'s spelled operators as symbols, unknown `__has_…` as 0."""
        cxx = "__cplusplus" in self.preprocessor.macros
        prepared: list[Token] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            following = tokens[i + 1].text if i + 1 < len(tokens) else ""
            if token.text in self.operators and following == "(":
                end = next((k for k in range(i, len(tokens)) if tokens[k].text == ")"), None)
                if end is None:
                    self.trouble = f"missing ')' after {token.text}"
                    return []
                answer = token.text in _HAS_INCLUDE and self._has_include(
                    token, tokens[i + 2 : end]
                )
                prepared.append(Token(NUMBER, str(int(answer)), token.space, token.origin))
                i = end + 1
                continue
            if cxx and token.kind == IDENTIFIER and token.text in _CXX_OPERATORS:
                text = _CXX_OPERATORS[token.text]
                prepared.append(Token("punctuator", text, token.space, token.origin))
            else:
                prepared.append(token)
            i += 1
        return prepared

    def _has_include(self, operator: Token, operand: list[Token]) -> bool:
        p = self.preprocessor
        if operand and operand[0].kind != STRING and operand[0].text != "<":
            operand = p.expander.expand_all(operand)
        header = "".join(" " * (t.space and n > 0) + t.text for n, t in enumerate(operand))
        after_current = operator.text == "__has_include_next"
        return p.includes.find(header, str(p.source), after_current) is not None

    def _report(self, message: str, token: Token) -> None:
        self.preprocessor.diagnostics.append(at_token("error", message, token))
