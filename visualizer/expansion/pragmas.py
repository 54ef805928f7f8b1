"""`#pragma`, and `_Pragma` where it does the same (C23 §6.10.8, §6.10.11).

Most pragmas speak to the compiler. They go through to the output as one token each, in their place
among the text. A few speak to the preprocessor: `once`, `push_macro` and `pop_macro`, GNU's
`system_header` and `poison`. A `push_macro` is a token of the output all the same, as it may come out
of an expansion as a `_Pragma`; whoever prints the output leaves it out.

What is said to OpenMP has its macros replaced, by clang always, by gcc where `-fopenmp` asks for it,
behind the name of a directive that it knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from visualizer.expansion.diagnostics import Diagnostic
from visualizer.expansion.expander import Expander
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.read_file import ReadFile
from visualizer.expansion.tokens import IDENTIFIER, PRAGMA, PUNCTUATOR, Source, Token, spell

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
    elif said == "GCC" and len(rest) > 1 and rest[1].text == "poison":
        from visualizer.expansion.gnu_directives import poison

        poison(p, rest[2:])
        return
    yield [token]


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
        return 1 if first == "omp" else len(rest)
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
