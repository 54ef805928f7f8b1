"""What a literal of C++ stands for."""

from __future__ import annotations

import re

from tree_sitter import Node

from registry_runtime.cxx.parse import Source
from registry_runtime.cxx.span import NotUnderstood

LITERALS = frozenset(
    {
        "number_literal",
        "string_literal",
        "char_literal",
        "raw_string_literal",
        "concatenated_string",
        "true",
        "false",
        "null",
    }
)


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
            return "".join(_string(source, part) for part in node.named_children)
    return _string(source, node)


_INTEGER = re.compile(
    r"(0[xX][\da-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU])"
)
_FLOAT = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFlL]?")


def _number(source: Source, node: Node) -> int | float:
    spelling = source.spell(node).replace("'", "")
    if spelling.startswith("-"):  # as an argument, the grammar takes `-1` for one literal
        return -_unsigned(source, node, spelling[1:].lstrip())
    return _unsigned(source, node, spelling)


def _unsigned(source: Source, node: Node, spelling: str) -> int | float:
    if len(spelling) > 40:
        raise NotUnderstood("a number this long", source.span(node))
    if match := _INTEGER.fullmatch(spelling):
        digits = match[1].lower()
        if digits.startswith(("0x", "0b")):
            return int(digits, 0)
        return int(digits, 8 if digits.startswith("0") else 10)
    if match := _FLOAT.fullmatch(spelling):
        return float(match[1])
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


def _character(source: Source, node: Node) -> str:
    # Where messages are put together, a character is a short string; nobody counts with them.
    spelling = source.spell(node)
    if not spelling.startswith("'"):
        raise NotUnderstood(f"`{spelling}`", source.span(node))
    inner = spelling[1:-1]
    return _ESCAPE.sub(lambda escape: _unescape(escape[1]), inner)


def _unescape(escape: str) -> str:
    if escape[0] in "xuU":
        return chr(int(escape[1:], 16) % 0x110000) if len(escape) > 1 else escape
    if escape[0] in "01234567":
        return chr(int(escape, 8))
    return _SIMPLE.get(escape, escape)
