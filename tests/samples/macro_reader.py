"""A small reader of ``#define`` lines, so that tests can compare headers without a compiler.

It knows what the headers under test use and no more: line splices, comments, and conditionals made
of ``defined``, ``!``, ``&&``, ``||`` and parentheses. A name that it doesn't know is false.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

TOKEN = re.compile(
    r"""
      [A-Za-z_]\w*                                            # a name
    | \.?\d(?:[eEpP][+-]|[\w.'])*                             # a number
    | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*'                   # a string, a character
    | \#\#|\.\.\.|::|->\*?|<<=?|>>=?|&&|\|\||\+\+|--|[-+*/%&|^=!<>]=
    | \S
    """,
    re.VERBOSE,
)
STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


@dataclass(frozen=True)
class Macro:
    """A definition: its parameters (`None` for an object-like macro) and replacement tokens."""

    parameters: tuple[str, ...] | None
    replacement: tuple[str, ...]


def tokens_of(text: str) -> tuple[str, ...]:
    """The preprocessing tokens of `text`."""
    return tuple(TOKEN.findall(text))


def without_comments(text: str) -> str:
    """`text` with every comment turned into a space, and spliced lines joined."""
    return STRING_OR_COMMENT.sub(lambda match: match[1] or " ", text.replace("\\\n", ""))


def with_includes(header: Path) -> str:
    """The text of `header`, each `#include "…"` of a neighbour in its place, once."""
    seen: set[Path] = set()

    def text_of(path: Path) -> str:
        if path in seen:
            return ""
        seen.add(path)
        return re.sub(
            r'^#include "([^"]+)".*$',
            lambda match: text_of((path.parent / match[1]).resolve()),
            path.read_text(),
            flags=re.MULTILINE,
        )

    return text_of(header)


def read_macros(text: str, defined: Collection[str] = ()) -> dict[str, Macro]:
    """The macros at the end of `text`, if the names in `defined` were defined at its beginning."""
    macros: dict[str, Macro] = {}
    # For each open #if: is this group read, and was one of its groups read already?
    groups: list[tuple[bool, bool]] = []
    for line in without_comments(text).splitlines():
        match = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not match:
            continue
        directive, rest = match[1], match[2].strip()
        reading = all(read for read, _ in groups)
        if directive in ("if", "ifdef", "ifndef"):
            test = {"if": rest, "ifdef": f"defined({rest})", "ifndef": f"!defined({rest})"}
            holds = reading and _holds(test[directive], {*defined, *macros})
            groups.append((holds, holds or not reading))
        elif directive in ("elif", "else"):
            _, done = groups.pop()
            holds = not done and (directive == "else" or _holds(rest, {*defined, *macros}))
            groups.append((holds, done or holds))
        elif directive == "endif":
            groups.pop()
        elif reading and directive == "define":
            name, macro = _definition(rest)
            macros[name] = macro
        elif reading and directive == "undef":
            macros.pop(rest, None)
    return macros


def _definition(text: str) -> tuple[str, Macro]:
    # A parameter list follows its name without a space.
    match = re.match(r"(\w+)(?:\(([^)]*)\))?(.*)", text)
    assert match, text
    name, parameters, replacement = match.groups()
    names = None
    if parameters is not None:
        names = tuple(part.strip() for part in parameters.split(",") if part.strip())
    return name, Macro(names, tokens_of(replacement))


def _holds(condition: str, defined: Collection[str]) -> bool:
    asked = re.sub(
        r"defined\s*(?:\(\s*(\w+)\s*\)|(\w+))",
        lambda match: str((match[1] or match[2]) in defined),
        condition,
    )
    words = {"!": "not", "&&": "and", "||": "or", "True": "True"}
    python = [
        words.get(token, "False" if token.isidentifier() else token) for token in tokens_of(asked)
    ]
    return bool(eval(" ".join(python), {"__builtins__": {}}))
