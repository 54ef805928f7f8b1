"""The macros that no `#define` defines, for what they stand for changes: `__LINE__`, `__COUNTER__` …
(C23 §6.10.10.2, and GNU's), and `#line`, which changes what two of them say (§6.10.6)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from visualizer.expansion import constraints
from visualizer.expansion.tokens import NUMBER, STRING, Token, spelled_at, standing_at

if TYPE_CHECKING:
    from visualizer.expansion.expander import Builtin
    from visualizer.expansion.preprocessor import Preprocessor, ReadFile


def builtin_macros(p: Preprocessor) -> dict[str, Builtin]:
    """Each name with the function from its token to the kind and spelling that it stands for."""

    def count(_: Token) -> tuple[str, str]:
        p.counter += 1
        return NUMBER, str(p.counter - 1)

    def line(token: Token) -> tuple[str, str]:
        """Of an invocation of several lines gcc takes the first, clang the last."""
        at = standing_at(token)
        line = p.expander.ends.get(at, at.line) if p.is_clang else at.line
        return NUMBER, str(line + p.files[-1].line_shift)

    def file(_: Token) -> tuple[str, str]:
        current = p.files[-1]
        return STRING, _quoted(current.presumed_name or current.found.spelled or current.name)

    return {
        "__LINE__": line,
        "__FILE__": file,
        "__BASE_FILE__": lambda _: (STRING, _quoted(p.files[0].found.spelled)),
        "__COUNTER__": count,
        "__INCLUDE_LEVEL__": lambda _: (NUMBER, str(len(p.files) - 1)),
        "__DATE__": lambda _: (STRING, time.strftime('"%b %e %Y"')),
        "__TIME__": lambda _: (STRING, time.strftime('"%H:%M:%S"')),
    }


def renumber(p: Preprocessor, name: Token, rest: list[Token], file: ReadFile) -> None:
    """`#line 12 "file"`, or the line marker `# 12 "file"`."""
    rest = p.expander.expand_all(rest)
    if not rest or not rest[0].text.isdecimal():
        p.error("#line needs a positive number", rest[0] if rest else name)
        return
    file.line_shift = int(rest[0].text) - (spelled_at(name).line + 1)
    if len(rest) > 1 and rest[1].kind != STRING:
        p.error(f"'{rest[1].text}' is not a valid file name", rest[1])
        return
    if len(rest) > 1:
        file.presumed_name = rest[1].text[1:-1]
    if len(rest) > 2 and name.kind != NUMBER:  # a line marker has flags there
        p.warn([constraints.extra_tokens(name, rest[2])])


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\") + '"'
