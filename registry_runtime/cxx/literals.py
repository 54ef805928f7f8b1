"""What a literal of C++ stands for, and of which type a number is: [lex.icon], [lex.fcon]."""

from __future__ import annotations

import re

from tree_sitter import Node

from registry_runtime.cxx.arithmetic import (
    ARITHMETIC,
    CHAR,
    DOUBLE,
    FLOAT,
    Number,
    convert,
    number,
    unary,
)
from registry_runtime.cxx.operators import Literal
from registry_runtime.cxx.parse import Source
from registry_runtime.cxx.span import NotUnderstood

# Of the literals these alone are objects: arrays of const characters, [lex.string].
STRING_LITERALS = frozenset({"string_literal", "raw_string_literal", "concatenated_string"})
LITERALS = STRING_LITERALS | {"number_literal", "char_literal", "true", "false", "null"}


def literal(source: Source, node: Node) -> object:
    """The value of a literal; `nullptr` is None."""
    match node.type:
        case "true":
            return True
        case "false":
            return False
        case "null":
            return None
        case "char_literal":
            return _character(source, node)
        case "number_literal":
            return _number(source, node)
        case "concatenated_string":
            return Literal("".join(_string(source, part) for part in node.named_children))
    return Literal(_string(source, node))


_INTEGER = re.compile(
    r"(0[xX][\da-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)((?:[uU]?(?:[lL]|ll|LL)?|(?:[lL]|ll|LL)[uU]))"
)
_FLOAT = re.compile(r"((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)([fF]?)")
# The types that an integer may have, by its suffix: the first in which it fits.
_MAY_BE = {
    "": ("int", "uint32_t", "int64_t", "uint64_t"),
    "u": ("uint32_t", "uint64_t"),
    "l": ("int64_t", "uint64_t"),
    "lu": ("uint64_t",),
    "ll": ("long long", "unsigned long long"),
    "llu": ("unsigned long long",),
}


def _number(source: Source, node: Node) -> Number:
    spelling = source.spell(node).replace("'", "")
    if spelling[0] in "-+":  # as an argument, the grammar takes `-1` for one literal
        return unary(spelling[0], _unsigned(source, node, spelling[1:].lstrip()))
    return _unsigned(source, node, spelling)


def _unsigned(source: Source, node: Node, spelling: str) -> Number:
    if len(spelling) > 40:
        raise NotUnderstood("a number this long", source.span(node))
    if match := _INTEGER.fullmatch(spelling):
        digits, suffix = match[1].lower(), "".join(sorted(match[2].lower()))
        base = 0 if digits.startswith(("0x", "0b")) else 8 if digits.startswith("0") else 10
        value, must_be_signed = int(digits, base), base == 10 and "u" not in suffix
        for type in (ARITHMETIC[name] for name in _MAY_BE[suffix]):
            if value <= type.greatest and (type.is_signed or not must_be_signed):
                return number(type, value)
    if match := _FLOAT.fullmatch(spelling):
        return convert(FLOAT if match[2] else DOUBLE, float(match[1]))
    raise NotUnderstood(f"the number `{spelling}`", source.span(node))


_ESCAPE = re.compile(r"\\(x[\da-fA-F]+|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3}|.)", re.DOTALL)
_RAW_STRING = re.compile(r'(?:u8)?R"([^(]*)\((.*)\)\1"', re.DOTALL)
_STRING = re.compile(r'(?:u8)?"(.*)"', re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _string(source: Source, node: Node) -> str:
    spelling = source.spell(node)
    if match := _RAW_STRING.fullmatch(spelling):
        return match[2]
    if match := _STRING.fullmatch(spelling):
        return _ESCAPE.sub(lambda escape: _unescape(escape[1]), match[1])
    raise NotUnderstood(f"the string {spelling}", source.span(node))


def _character(source: Source, node: Node) -> Number:
    spelling = source.spell(node)
    inner = _ESCAPE.sub(lambda escape: _unescape(escape[1]), spelling[1:-1])
    if not spelling.startswith("'") or len(inner) != 1 or not inner < "\x80":
        raise NotUnderstood(f"`{spelling}`", source.span(node))
    return number(CHAR, ord(inner))


def _unescape(escape: str) -> str:
    if escape[0] in "xuU":
        return chr(int(escape[1:], 16) % 0x110000) if len(escape) > 1 else escape
    if escape[0] in "01234567":
        return chr(int(escape, 8))
    return _SIMPLE.get(escape, escape)
