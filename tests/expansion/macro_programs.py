"""Writes macro programs at random, for comparing our expansion with the compilers'.

Most of what it writes is valid, because gcc and clang stop agreeing where the standard stops saying;
but parentheses may close outside of a macro, names may meet themselves, and arguments may be empty.
The random choices come from outside, so that Hypothesis can make them, and shrink them.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

NAMES = ("A", "B", "C", "D", "E", "F", "G", "H")
WORDS = ("a", "b", "c", "x1", "1", "2")
SYMBOLS = ('"s"', "'c'", '"\\n"', "+", "-", "::", ".", "<", "#")


@dataclass(frozen=True)
class Signature:
    name: str
    parameters: tuple[str, ...] | None
    variadic: str | None

    def names(self) -> list[str]:
        return [*(self.parameters or ()), *([self.variadic] if self.variadic else [])]

    def head(self) -> str:
        if self.parameters is None:
            return self.name
        dots = {None: [], "__VA_ARGS__": ["..."]}.get(self.variadic, [f"{self.variadic}..."])
        return f"{self.name}({', '.join([*self.parameters, *dots])})"


def macro_program(random: Random) -> str:
    """A translation unit: definitions, then invocations, some of them stringized after expansion."""
    signatures = [_signature(random, name) for name in NAMES[: random.randint(2, len(NAMES))]]
    lines = [f"#define {s.head()} {_body(random, s, signatures)}".rstrip() for s in signatures]
    lines += ["#define STR(...) #__VA_ARGS__", "#define XSTR(...) STR(__VA_ARGS__)"]
    for _ in range(random.randint(1, 4)):
        text = _text(random, signatures, 0)
        lines += [f"{text} ;", f"XSTR({text}) ;"]
        if random.random() < 0.1:
            gone = random.choice(signatures)
            lines += [f"#undef {gone.name}", f"{gone.name} {text} ;"]
    return "\n".join(lines) + "\n"


def _signature(random: Random, name: str) -> Signature:
    if random.random() < 0.3:
        return Signature(name, None, None)
    parameters = ("x", "y", "z")[: random.randint(0, 3)]
    variadic = None
    if random.random() < 0.35:
        variadic = random.choice(("__VA_ARGS__", "__VA_ARGS__", "rest"))
    return Signature(name, parameters, variadic)


def _body(random: Random, own: Signature, known: list[Signature], depth: int = 0) -> str:
    parts: list[str] = []
    can_paste = False
    for n in range(random.randint(0, 5 if depth == 0 else 3)):
        element, word = _element(random, own, known, depth)
        if n:
            paste = can_paste and word and random.random() < 0.3
            parts.append(random.choice((" ## ", "##")) if paste else random.choice((" ", " ", "")))
        parts.append(element)
        can_paste = word
    return "".join(parts)


def _element(
    random: Random, own: Signature, known: list[Signature], depth: int
) -> tuple[str, bool]:
    """A piece of a replacement list, and whether it may stand beside `##`."""
    choice = random.random()
    names = own.names()
    if names and choice < 0.35:
        return random.choice(names), True
    if choice < 0.5:
        return random.choice(known).name, True
    if choice < 0.65 and depth < 2:
        return _call(
            random, random.choice(known), lambda: _body(random, own, known, depth + 1)
        ), False
    if choice < 0.72 and names and own.parameters is not None:
        return "#" + random.choice((" ", "")) + random.choice(names), False
    if choice < 0.78 and own.variadic and depth == 0:
        sharp = random.choice(("", "", "#"))
        return f"{sharp}__VA_OPT__({_body(random, own, known, 1)})", False
    if choice < 0.81 and own.variadic and depth == 0:
        return f", ## {own.variadic}", False
    if choice < 0.86:
        return random.choice(("(", ")", ",")) if random.random() < 0.4 else "()", False
    if choice < 0.93:
        symbol = random.choice(SYMBOLS)
        return ("+" if symbol == "#" and own.parameters is not None else symbol), False
    return random.choice(WORDS), True


def _call(random: Random, callee: Signature, argument) -> str:  # type: ignore[no-untyped-def]
    if callee.parameters is None:
        return callee.name
    count = len(callee.parameters)
    if callee.variadic:
        count += random.randint(0, 3)
    if random.random() < 0.03:
        count += 1
    space = random.choice(("", "", " "))
    separator = random.choice((", ", ",", " , "))
    return f"{callee.name}{space}({separator.join(argument() for _ in range(count))})"


def _text(random: Random, known: list[Signature], depth: int) -> str:
    choice = random.random()
    if depth > 3 or choice < 0.2:
        return random.choice((*WORDS, random.choice(known).name))
    if choice < 0.75:
        return _call(random, random.choice(known), lambda: _argument(random, known, depth))
    return (
        _text(random, known, depth + 1)
        + random.choice((" ", "", "  ", "\n"))
        + _text(random, known, depth + 1)
    )


def _argument(random: Random, known: list[Signature], depth: int) -> str:
    if random.random() < 0.15:
        return ""
    return _text(random, known, depth + 1)
