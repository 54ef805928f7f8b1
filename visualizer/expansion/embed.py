"""`#embed`: a file's bytes as a list of numbers (C23 §6.10.4).

`#embed "data.bin" limit(4) suffix(, 0)` becomes `1, 2, 3, 4, 0`. Of an empty resource, neither the
prefix nor the suffix is left, only what `if_empty` says. Where the line doesn't begin with a file's
name, macros are replaced in all of it first, and the parameters may be theirs too.

In a trace each byte is two tokens, which can be followed. So there are at most a million; more are
refused. Without a trace bytes stay bytes until some of them at a time become text (`passages`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from visualizer.expansion import memory
from visualizer.expansion.diagnostics import SourceError, at_token
from visualizer.expansion.parentheses import closing
from visualizer.expansion.passages import Passage
from visualizer.expansion.readable import read_regular
from visualizer.expansion.source_files import LARGEST
from visualizer.expansion.tokens import (
    NUMBER,
    PUNCTUATOR,
    STRING,
    Computed,
    Token,
    spelled_at,
)

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor

MOST = 1_000_000  # bytes in a trace
_AT_ONCE = 100_000  # bytes that become text
_LOOK = 1 << 14  # bytes between two looks at the memory that is held
PARAMETERS = ("limit", "prefix", "suffix", "if_empty")
_NUMBERS = [*map(str, range(256))]


def embed(p: Preprocessor, sharp: Token, name: Token, rest: list[Token]) -> Iterator[list[Any]]:
    """The line that stands for an `#embed` directive, if it stands for anything: tokens, and without a
    trace passages among them, some at a time. It is read for a compiler that has none too, which is
    told."""
    p.cache.asks_more = True
    if not p.compiler.embeds:
        hint = "it is read here as C23 has it"
        p.diagnostics.append(at_token("warning", "this compiler has no #embed", name, hint))
    with p.tracing(sharp, name, rest) as steps:
        rest = p.includes.named(rest, steps)
    last = (i for i, t in enumerate(rest) if t.kind == STRING or t.text == ">")
    end = next(last, len(rest) - 1) + 1
    header = p.includes.header(name, rest[:end])
    if header is None:
        return
    found = p.includes.find(header)
    if found is None:
        p.includes.no_such_file(Token(STRING, header, False, rest[0].origin))
        return
    try:
        data = _bytes(found.path, rest[0])
        before, data, after = embedded(name, data, rest[end:], lambda t: p.condition.value(t) or 0)
        numbers = _numbers(name, data, bool(before)) if p.traces else []
    except SourceError as error:
        p.diagnostics.append(error.diagnostic())
        return
    if not p.traces and data:
        final = len(data) - 1  # a token, for a blank would part what comes behind it from a passage
        for start in range(0, final, _AT_ONCE):
            yield [*before, _passage(name, data[start : min(start + _AT_ONCE, final)])]
            before = []
        numbers = [Token(NUMBER, _NUMBERS[data[final]], final > 0 or bool(before), Computed(name))]
    if made := [*before, *numbers, *after]:
        yield made


def _bytes(path: str, named: Token) -> bytes:
    try:
        return read_regular(path, LARGEST)
    except OSError as error:
        raise SourceError(f"#embed: {path} cannot be read: {error.strerror}", named) from None


def _numbers(directive: Token, data: bytes, behind: bool) -> list[Token]:
    if len(data) > MOST:
        said = f"#embed: these are {len(data):,} bytes, and a trace has no more than {MOST:,}"
        raise SourceError(said, directive, f"limit({MOST}) takes the first ones")
    origin = Computed(directive)
    numbers: list[Token] = []
    with memory.no_garbage():
        for n, byte in enumerate(data):
            if n % _LOOK == 0:
                memory.expect_room(spelled_at(directive))
            if n:
                numbers.append(Token(PUNCTUATOR, ",", False, origin))
            numbers.append(Token(NUMBER, _NUMBERS[byte], behind or n > 0, origin))
    return numbers


def _passage(directive: Token, data: bytes) -> Passage:
    """Bytes, and a comma behind each."""
    text = ", ".join(map(_NUMBERS.__getitem__, data))
    where = spelled_at(directive)
    return Passage(f"{text},", where.file, where.line, False)


def embedded(
    directive: Token,
    data: bytes,
    parameters: list[Token],
    value: Callable[[list[Token]], int],
) -> tuple[list[Token], bytes, list[Token]]:
    """What stands for the directive's line: tokens, bytes as numbers, tokens. `value` evaluates
    `limit`'s expression.

    Raises SourceError for a parameter that is unknown, given twice, or malformed.
    """
    given = _parameters(parameters)
    if "limit" in given:
        limit = value(given["limit"])
        if limit < 0:
            raise SourceError(f"#embed: limit is negative: {limit}", directive)
        data = data[:limit]
    if not data:
        return given.get("if_empty", []), data, []
    return given.get("prefix", []), data, given.get("suffix", [])


def _parameters(tokens: list[Token]) -> dict[str, list[Token]]:
    given: dict[str, list[Token]] = {}
    i = 0
    while i < len(tokens):
        name = tokens[i].text.strip("_") or tokens[i].text
        if name not in PARAMETERS:
            known = ", ".join(PARAMETERS)
            raise SourceError(
                f"#embed: unknown parameter '{tokens[i].text}'", tokens[i], f"it takes {known}"
            )
        if name in given:
            raise SourceError(f"#embed: '{name}' is given twice", tokens[i])
        end = closing(tokens, i + 1)
        if end is None:
            raise SourceError(f"#embed: '{name}' needs parentheses around its value", tokens[i])
        given[name] = tokens[i + 2 : end]
        i = end + 1
    return given
