"""`#pragma`, and `_Pragma` where it does the same (C23 §6.10.8, §6.10.11).

Most pragmas speak to the compiler. They go through to the output as one token each, in their place
among the text. A few speak to the preprocessor: `once`, `push_macro` and `pop_macro`, GNU's
`system_header` and `poison`. A `push_macro` is a token of the output all the same, as it may come out
of an expansion as a `_Pragma`; whoever prints the output leaves it out.

What is said to OpenMP has its macros replaced, by clang always, by gcc where `-fopenmp` asks for it,
behind the name of a directive that it knows.

A compiler is done with a few when it has read them, and prints none of those: in gcc `GCC error "…"`,
which it reports, in clang a `diagnostic` of a warning that it doesn't know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from visualizer.expansion.diagnostics import Diagnostic
from visualizer.expansion.expander import Expander
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.read_file import ReadFile
from visualizer.expansion.tokens import (
    IDENTIFIER,
    PRAGMA,
    PUNCTUATOR,
    STRING,
    Source,
    Token,
    spell,
)

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor

PUSH_OR_POP = re.compile(r'#pragma (push|pop)_macro ?\( ?"([^"]*)" ?\)')
# The directives of OpenMP 5.2, those that `-fopenmp-simd` is for, and of OpenACC 2.7; what gcc expands
# without being asked.
_SIMD = "declare distribute for loop masked master ordered parallel scan simd target taskloop teams"
_OMP = (
    "allocate assume assumes atomic barrier begin cancel cancellation critical depobj dispatch end "
)
_OMP += "error flush interop metadirective nothing requires scope section sections single task "
_OMP += "taskgroup taskwait taskyield threadprivate tile unroll"
_ACC = "atomic cache data declare enter exit host_data kernels loop parallel routine serial update wait"
_BEHIND = {  # in gcc, by the flag and the first word: the second words
    ("-fopenmp", "omp"): frozenset((*_SIMD.split(), *_OMP.split())),
    ("-fopenmp-simd", "omp"): frozenset(_SIMD.split()),
    ("-fopenacc", "acc"): frozenset(_ACC.split()),
}
_OF_GCC = ("message", "redefine_extname")
_REPORTS = ("warning", "error")
_SEVERITIES = ("ignored", "warning", "error", "fatal")  # of clang's warnings
# What is not printed, by its first word or two.
_DONE: set[tuple[str, ...]] = {
    ("GCC", second) for second in ("poison", "system_header", "dependency")
}
_DONE_IN_GCC = _DONE | {("GCC", second) for second in _REPORTS}
_DONE_IN_CLANG = _DONE | {("clang", second) for _, second in _DONE}
_DONE_IN_CLANG |= {("clang", second) for second in ("deprecated", "restrict_expansion", "final")}
_DONE_IN_CLANG |= {("region",), ("endregion",), ("mark",)}
UNDEF = Token(IDENTIFIER, "undef", False, Source("", 0, 0))


def pragma(
    p: Preprocessor, sharp: Token, rest: list[Token], file: ReadFile
) -> Iterator[list[Token]]:
    """Do what a `#pragma` says, or pass it on."""
    said = rest[0].text if rest else ""
    if said == "once":
        p.inclusion.only_once(file.found.path)
        return
    start = _expands_from(p, rest)
    rest = [*rest[:start], *(p.expanded(rest[start:]) if start < len(rest) else ())]
    token = Token(PRAGMA, f"#pragma {spell(rest)}".rstrip(), True, sharp.origin)
    if said in ("push_macro", "pop_macro"):  # pcpp expands the text before, then asks `undef`
        yield [Token(PUNCTUATOR, "#", True, sharp.origin), UNDEF, token]
    elif said == "GCC" and len(rest) > 1 and rest[1].text == "system_header":
        if len(p.files) > 1:
            file.found = file.found._replace(system=True)
        else:
            p.warn([("#pragma system_header ignored outside include file", rest[1])])
        return
    obey(p, rest)
    yield [token]


def obey(p: Preprocessor, rest: list[Token]) -> None:
    """Do what the words of a pragma say: `GCC poison`, and `GCC warning "…"` or `error`, which report
    that. Of a `_Pragma`, they are the `words_of` its token."""
    first, second = [*(t.text for t in rest[:2]), "", ""][:2]
    if second == "poison" and first in (("GCC", "clang") if p.is_clang else ("GCC",)):
        from visualizer.expansion.gnu_directives import poison

        poison(p, rest[2:])
    elif first == "GCC" and second in _REPORTS:
        said = _joined(rest[2:])
        if said is None:
            p.error(f'invalid "#pragma GCC {second}" directive', rest[1])
        elif second == "error":
            p.error(said, rest[1])
        else:
            p.warn([(said, rest[1])])


def words_of(token: Token) -> list[Token]:
    """What stands behind `#pragma` in a pragma's token."""
    lines = tokenize(token.text.removeprefix("#pragma"), "")
    return [Token(t.kind, t.text, t.space, token.origin) for line in lines for t in line]


def _joined(words: list[Token]) -> str | None:
    """What strings say, perhaps in parentheses; None where anything else is among them."""
    if len(words) > 1 and words[0].text == "(" and words[-1].text == ")":
        words = words[1:-1]
    if not words or not all(word.kind == STRING and word.text[0] == '"' for word in words):
        return None
    return "".join(word.text[1:-1] for word in words)


def as_printed(p: Preprocessor, tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens of the output, with its pragmas as the compiler prints them, if it does."""
    for token in tokens:
        if token.kind != PRAGMA:
            yield token
        elif text := _printed(p, token):
            yield replace(token, text=text)


def _printed(p: Preprocessor, token: Token) -> str:
    words = words_of(token)
    first, second, third = [*(t.text for t in words[:3]), "", "", ""][:3]
    if not (_DONE_IN_CLANG if p.is_clang else _DONE_IN_GCC).isdisjoint(((first,), (first, second))):
        return ""
    if p.is_clang and first == "message" and (said := _joined(words[1:])) is not None:
        return f'#pragma message("{said}")'
    if p.is_clang and first in ("GCC", "clang") and second == "diagnostic":
        if third in ("push", "pop"):
            return token.text if len(words) == 3 else ""
        said = _joined(words[3:]) if third in _SEVERITIES else None
        return f'#pragma {first} diagnostic {third} "{said}"' if _has_warning(p, said) else ""
    return token.text


def _has_warning(p: Preprocessor, option: str | None) -> bool:
    if option is None or not option.startswith(("-W", "-R")):
        return False
    known = option == "-Weverything" or option.startswith("-R")  # of which it can't be asked
    return known or bool(p.answer("__has_warning", f'"{option}"'))


def text_of_operator(p: Preprocessor, text: str) -> str:
    """What the string of a `_Pragma` says, in an expansion that is under way."""
    rest = [token for line in tokenize(text, "", p.language) for token in line]
    start = _expands_from(p, rest)
    if start >= len(rest):
        return text
    ignore: list[Diagnostic] = []  # of a macro that is wrong there, too
    apart = Expander(p.macros, p.builtins, ignore.append, p.language)
    return spell([*rest[:start], *apart.expand_all(rest[start:])])


def _expands_from(p: Preprocessor, rest: list[Token]) -> int:
    """How many words of a pragma stand before those whose macros are replaced."""
    first, second = [*(t.text for t in rest[:2]), "", ""][:2]
    if p.is_clang:
        reports = first == "GCC" and second in _REPORTS
        return 2 if reports else 1 if first in ("omp", "message") else len(rest)
    if p.compiler.identity == "none":
        return len(rest)
    if first in _OF_GCC:
        return 1
    flags = p.options.compiler_flags
    known = any(second in _BEHIND.get((flag, first), ()) for flag in flags)
    return 2 if known and second not in p.macros else len(rest)


def push_or_pop(p: Preprocessor, token: Token) -> None:
    """Do what a pragma says that is one of these two: keep a macro's definition, or put back the one
    that was kept last."""
    m = PUSH_OR_POP.match(token.text)
    if m is None:
        return
    name = m[2]
    if p.one_line is not None:
        p.one_line.macros_changed()
    p.tell_cache(m[1], name)
    if m[1] == "push":
        p.pushed.setdefault(name, []).append(p.macros.get(name))
    elif p.pushed.get(name):
        p.give(name, p.pushed[name].pop())
