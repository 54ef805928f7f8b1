"""What gcc has beside the standard's directives: `#assert`, and `#pragma GCC poison`.

`#assert machine(x86_64)` gives the predicate `machine` an answer, and `#if #machine(x86_64)` asks for
it; the two live apart from macros (GNU cpp, "Obsolete Features"). gcc asserts a few itself; clang has
none of it. A poisoned name is an error wherever it stands from then on, but in macros that were defined
before ("Pragmas").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from visualizer.expansion.parentheses import closing
from visualizer.expansion.tokens import IDENTIFIER, Token

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor

Answer: TypeAlias = tuple[str, ...]
Assertions: TypeAlias = dict[str, tuple[Answer, ...]]

# As gcc derives them from its target (`builtin_assert` in gcc/config).
_BUILT_IN = (
    ("__x86_64__", "machine", "x86_64"),
    ("__x86_64__", "cpu", "x86_64"),
    ("__i386__", "machine", "i386"),
    ("__i386__", "cpu", "i386"),
    ("__aarch64__", "machine", "aarch64"),
    ("__aarch64__", "cpu", "aarch64"),
    ("__linux__", "system", "linux"),
    ("__unix__", "system", "unix"),
    ("__unix__", "system", "posix"),
)


def assertions(p: Preprocessor) -> Assertions:
    """Those that hold now: gcc's own, until the text adds to them."""
    if p.asserted is None:
        p.asserted = {}
        own = () if p.is_clang or "-undef" in p.options.compiler_flags else _BUILT_IN
        for macro, predicate, answer in own:
            if macro in p.macros:
                p.asserted[predicate] = (*p.asserted.get(predicate, ()), (answer,))
    return p.asserted


def assert_or_not(p: Preprocessor, name: Token, rest: list[Token]) -> None:
    """Do `#assert P(A)`, `#unassert P(A)` or `#unassert P`."""
    if not rest or rest[0].kind != IDENTIFIER:
        p.error(f"#{name.text} needs a predicate", rest[0] if rest else name)
        return
    asserted = assertions(p)
    predicate, known = rest[0].text, asserted.get(rest[0].text, ())
    end = closing(rest, 1) if len(rest) > 1 and rest[1].text == "(" else None
    answer = tuple(t.text for t in rest[2:end])
    if len(rest) == 1 and name.text == "unassert":
        asserted.pop(predicate, None)
    elif end is None or not answer:
        p.error(f"#{name.text} {predicate} needs an answer in parentheses", rest[-1])
    elif name.text == "unassert":
        asserted[predicate] = tuple(a for a in known if a != answer)
    elif answer in known:
        p.warn([(f'"{predicate}" re-asserted', rest[0])])
    else:
        asserted[predicate] = (*known, answer)


def answer_to(asserted: Assertions, tokens: list[Token], at: int) -> tuple[bool, int] | None:
    """Whether the `#predicate` or `#predicate(answer)` at this place holds, and where the expression
    goes on behind it; None if there is no such thing here."""
    if at + 1 >= len(tokens) or tokens[at + 1].kind != IDENTIFIER:
        return None
    known = asserted.get(tokens[at + 1].text, ())
    if at + 2 >= len(tokens) or tokens[at + 2].text != "(":
        return bool(known), at + 2
    end = closing(tokens, at + 2)
    if end is None:
        return None
    return tuple(t.text for t in tokens[at + 3 : end]) in known, end + 1


def poison(p: Preprocessor, names: list[Token]) -> None:
    """Do what `#pragma GCC poison` says: macros of these names are gone."""
    for name in names:
        if name.kind != IDENTIFIER:
            p.error(f"'{name.text}' is no name to poison", name)
            return
        if name.text in p.macros:
            p.warn([(f'poisoning existing macro "{name.text}"', name)])
            if not p.is_clang:  # which goes on replacing what it has read already
                p.macros.pop(name.text)
        p.poisoned.add(name.text)
