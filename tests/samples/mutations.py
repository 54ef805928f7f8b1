"""One change to a C++ text at a time: what an editor, a slip or a merge makes of it.

Only tokens that compute or register are changed: no comment, no include, and no text of a message.
Each change is another program to a compiler, or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/|\s+|^[ \t]*\#[ \t]*(?:include|pragma|if|endif|else|elif)[^\n]*)
    |(?P<string>"(?:[^"\\\n]|\\.)*")
    |(?P<number>\b\d[\w.]*)
    |(?P<word>\w+)
    |(?P<operator>->|::|<<=?|>>=?|[-+*/%&|^<>=!]=|&&|\|\||\+\+|--|\.\.\.|\#\#|[^\w\s])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_OTHER_OPERATOR = {
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "<": "<=",
    "<=": "<",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "|": "&",
    "^": "|",
    "+=": "-=",
    "-=": "+=",
    "*=": "+=",
}
_OTHER_WORD = {
    "float": "double",
    "double": "float",
    "int": "int64_t",
    "int64_t": "int",
    "true": "false",
    "false": "true",
    "bool": "int",
}
_PAIRS = {"(": ")", "{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Mutation:
    """`text[start:end]` becomes `new`."""

    kind: str
    start: int
    end: int
    new: str

    def of(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]

    def told(self, text: str) -> str:
        """A line for a report."""
        line = text.count("\n", 0, self.start) + 1
        old = " ".join(text[self.start : self.end].split())
        return f"line {line}: {self.kind}: `{old}` becomes `{' '.join(self.new.split())}`"


def mutations(text: str) -> list[Mutation]:
    """Every change that is made to a text."""
    tokens = [
        Token(str(match.lastgroup), match.group(), match.start())
        for match in _TOKEN.finditer(text)
        if match.lastgroup != "skip"
    ]
    return [*_replaced(tokens), *_swapped(text, tokens), *_deleted(text, tokens)]


def _replaced(tokens: list[Token]) -> Iterator[Mutation]:
    for before, token, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        operand = before.kind in ("number", "word") or before.text in (")", "]")
        if token.kind == "number" and token.text.isdigit():
            yield Mutation("literal", token.start, token.end, str(int(token.text) + 1))
        elif token.kind == "string" and re.fullmatch(r'"\w+"', token.text):
            yield Mutation("literal", token.start, token.end, f'{token.text[:-1]}_"')
        elif token.text in _OTHER_WORD:
            yield Mutation("word", token.start, token.end, _OTHER_WORD[token.text])
        elif operand and token.text in _OTHER_OPERATOR and behind.kind in ("number", "word"):
            spaced = before.end < token.start and token.end < behind.start
            if spaced:  # `T* x` and `f<int>` are written without
                new = _OTHER_OPERATOR[token.text]
                yield Mutation("operator", token.start, token.end, new)


def _swapped(text: str, tokens: list[Token]) -> Iterator[Mutation]:
    for opening, token in enumerate(tokens):
        if token.text != "(":
            continue
        closing = _closing(tokens, opening)
        commas = [i for i in _outermost(tokens, opening, closing) if tokens[i].text == ","]
        if not commas:
            continue
        second = commas[1] if len(commas) > 1 else closing
        left = tokens[opening + 1].start, tokens[commas[0] - 1].end
        right = tokens[commas[0] + 1].start, tokens[second - 1].end
        one, other = text[slice(*left)], text[slice(*right)]
        if one != other and left[1] <= right[0] < right[1]:
            new = other + text[left[1] : right[0]] + one
            yield Mutation("swap", left[0], right[1], new)


def _deleted(text: str, tokens: list[Token]) -> Iterator[Mutation]:
    for opening, token in enumerate(tokens):
        if token.text != "{":
            continue
        closing = _closing(tokens, opening)
        if closing <= opening + 1 or closing >= len(tokens):
            continue
        is_scope = any(t.text == "namespace" for t in tokens[max(0, opening - 3) : opening])
        if is_scope:
            continue
        inner = tokens[opening + 1].start, tokens[closing - 1].end
        yield Mutation("empty", *inner, "")
        start = opening + 1
        for i in _outermost(tokens, opening, closing):
            if tokens[i].text in (";", "}"):
                yield Mutation("delete", tokens[start].start, tokens[i].end, "")
                start = i + 1


def _closing(tokens: list[Token], opening: int) -> int:
    depth, pair = 0, _PAIRS[tokens[opening].text]
    for i in range(opening, len(tokens)):
        depth += (tokens[i].text == tokens[opening].text) - (tokens[i].text == pair)
        if not depth:
            return i
    return len(tokens)


def _outermost(tokens: list[Token], opening: int, closing: int) -> Iterator[int]:
    """The places between two brackets that stand in no further ones."""
    depth = 0
    for i in range(opening + 1, closing):
        depth -= tokens[i].text in _PAIRS.values()
        if not depth:
            yield i
        depth += tokens[i].text in _PAIRS
