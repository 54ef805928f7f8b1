"""Braces that don't pair up.

A missing `}` is the worst that can happen to a parser: everything below is suddenly inside something,
and what it then reports is far from the mistake. So braces are counted before the parser's word is
taken, and if they don't pair up, they are mended the way a C++ compiler would read them: what is
never closed reaches to the end of the text, and what closes nothing is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKENS = re.compile(
    r"""
      R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)" | "(?:[^"\\\n]|\\.)*"
    | \d[\w'.]* | '(?:[^'\\\n]|\\.)*' | //[^\n]* | /\*.*?\*/
    | (?P<brace> [{}] )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class UnpairedBraces:
    """Where the `{` stand that nothing closes, and the `}` that close nothing."""

    unclosed: tuple[int, ...]
    surplus: tuple[int, ...]


def unpaired_braces(text: str) -> UnpairedBraces:
    """Find the braces that have no partner. Those in strings and comments don't count."""
    if text.count("{") == text.count("}"):
        return UnpairedBraces((), ())  # a glance is enough for nearly every text
    open_braces: list[int] = []
    surplus: list[int] = []
    for token in _TOKENS.finditer(text):
        if token["brace"] == "{":
            open_braces.append(token.start())
        elif token["brace"] == "}" and open_braces:
            open_braces.pop()
        elif token["brace"] == "}":
            surplus.append(token.start())
    return UnpairedBraces(tuple(open_braces), tuple(surplus))


def mend(text: str, braces: UnpairedBraces) -> str:
    """`text` with surplus braces blanked out and the missing ones appended."""
    if not (braces.surplus or braces.unclosed):
        return text
    characters = list(text)
    for position in braces.surplus:
        characters[position] = " "
    return "".join(characters) + "}" * len(braces.unclosed)
