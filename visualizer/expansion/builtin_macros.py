"""The macros that no `#define` defines, for what they stand for changes: `__LINE__`, `__COUNTER__` …
(C23 §6.10.10.2, and GNU's), and `#line`, which changes what two of them say (§6.10.6)."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from visualizer.expansion import constraints
from visualizer.expansion.tokens import IDENTIFIER, NUMBER, STRING, Token, spelled_at, standing_at

if TYPE_CHECKING:
    from visualizer.expansion.expander import Builtin
    from visualizer.expansion.preprocessor import Preprocessor
    from visualizer.expansion.read_file import ReadFile
    from visualizer.expansion.text_operators import TextOperator
    from visualizer.expansion.trace import Step


_ESCAPE = re.compile(r"\\([0-7]{1,3}|x[0-9a-fA-F]+|.)")
_ESCAPES = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))


_PREFIX_MAP = re.compile(r"-f(?:macro|file)-prefix-map=(.*)", re.DOTALL)


class CounterAsked(Exception):
    """`__COUNTER__` is asked of a preprocessor that doesn't count."""


def builtin_macros(p: Preprocessor) -> dict[str, Builtin]:
    """Each name with the function from its token to the kind and spelling that it stands for."""
    prefixes = _prefixes(p.options.compiler_flags, p.is_clang)

    def mapped(path: str) -> str:
        old, new = next(((o, n) for o, n in prefixes if path.startswith(o)), ("", ""))
        return new + path.removeprefix(old)

    def count(_: Token) -> tuple[str, str]:
        if not p.counts and not p.expander.in_text:
            raise CounterAsked
        p.counter += 1
        return NUMBER, str(p.counter - 1)

    def line(token: Token) -> tuple[str, str]:
        """Of an invocation of several lines gcc takes the first, clang the last."""
        at = standing_at(token)
        line = p.expander.ends.get(at, at.line) if p.is_clang else at.line
        return NUMBER, str(line + p.files[-1].line_shift)

    def file(_: Token) -> tuple[str, str]:
        return STRING, _quoted(mapped(_presumed(p.files[-1])))

    def file_name(_: Token) -> tuple[str, str]:
        return STRING, _quoted(os.path.basename(_presumed(p.files[-1])))

    def timestamp(_: Token) -> tuple[str, str]:
        """Of the file that is being read, when it was last changed."""
        p.cache.asks_more = True
        try:
            changed = os.stat(p.files[-1].found.path).st_mtime
        except OSError:  # a text that an editor hasn't saved yet
            return STRING, '"??? ??? ?? ??:??:?? ????"'
        return STRING, time.strftime('"%a %b %e %H:%M:%S %Y"', time.localtime(changed))

    def base_file(_: Token) -> tuple[str, str]:
        p.cache.asks_more = True
        return STRING, _quoted(mapped(p.files[0].found.spelled))

    def now(form: str) -> tuple[str, str]:
        p.cache.asks_more = True
        return STRING, time.strftime(form)

    return {
        "__LINE__": line,
        "__FILE__": file,
        "__FILE_NAME__": file_name,
        "__TIMESTAMP__": timestamp,
        "__BASE_FILE__": base_file,
        "__COUNTER__": count,
        "__INCLUDE_LEVEL__": lambda _: (NUMBER, str(len(p.files) - 1)),
        "__DATE__": lambda _: now('"%b %e %Y"'),
        "__TIME__": lambda _: now('"%H:%M:%S"'),
    }


def operators(p: Preprocessor) -> dict[str, TextOperator]:
    """The compiler's `__has_…`, as they stand in text."""
    from visualizer.expansion.conditions import HAS_INCLUDE
    from visualizer.expansion.text_operators import TextOperator

    def answer(name: Token, operand: list[Token]) -> str:
        if not operand or operand[0].kind not in (IDENTIFIER, STRING):
            p.error(f'macro "{name.text}" requires an identifier', name)
            return "0"
        found = p.answer(name.text, "".join(t.text for t in operand))
        return f"{found}L" if p.is_clang and found > 1 else str(found)

    return {
        name: TextOperator(None if name in HAS_INCLUDE else answer) for name in p.compiler.operators
    }


def _prefixes(flags: Sequence[str], is_clang: bool) -> list[tuple[str, str]]:
    """What paths begin with and are to begin with, by `-fmacro-prefix-map` and `-ffile-prefix-map`:
    gcc takes the last that fits, and divides it at the last `=`; clang the longest, at the first."""
    found = [m[1] for m in map(_PREFIX_MAP.fullmatch, flags) if m is not None]
    if not is_clang:
        return [(old, new) for old, _, new in (said.rpartition("=") for said in reversed(found))]
    maps = [(old, new) for old, _, new in (said.partition("=") for said in found)]
    return sorted(maps, key=lambda m: m[0], reverse=True)


def _presumed(file: ReadFile) -> str:
    return file.presumed_name or file.found.spelled or file.name


def renumber(
    p: Preprocessor,
    name: Token,
    rest: list[Token],
    file: ReadFile,
    steps: list[Step] | None = None,
) -> None:
    """`#line 12 "file"`, or the line marker `# 12 "file"`. What macros make of it is put behind
    `steps`."""
    rest = p.expanded(rest, steps)
    if not rest or not rest[0].text.isdecimal():
        p.error("#line needs a positive number", rest[0] if rest else name)
        return
    if len(rest) > 1 and not rest[1].text.startswith('"'):
        p.error(f"'{rest[1].text}' is not a valid file name", rest[1])
        return
    file.line_shift = int(rest[0].text) - (spelled_at(name).line + 1)
    if len(rest) > 1:
        file.presumed_name = _ESCAPE.sub(_escaped, rest[1].text[1:-1])
    if len(rest) > 2 and name.kind != NUMBER:  # a line marker has flags there
        p.warn([constraints.extra_tokens(name, rest[2])])


def _escaped(m: re.Match[str]) -> str:
    said = m[1]
    if said[0] in "01234567x":
        return chr(int(said.lstrip("x"), 16 if said[0] == "x" else 8) & 0xFF)
    return _ESCAPES.get(said, said)


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
