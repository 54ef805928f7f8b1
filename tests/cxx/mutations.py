"""Random changes to a C++ function: most of what comes of them no compiler takes.

A line is left out, said twice or moved, a name, an operator or a type becomes another. Braces are left
alone, so that what g++ says of one function stays in it. Whatever still compiles has to have the value
that g++ gives it, and what doesn't has to be refused.
"""

from __future__ import annotations

import re
from random import Random

_TYPES = ("int", "double", "bool", "int8_t", "size_t", "std::string", "std::vector<int>", "auto")
_OPERATORS = ("+", "-", "*", "%", "<<", "&", "==", "<", "&&", "=", "+=")
_STATEMENTS = (
    *(
        "break;",
        "continue;",
        "return;",
        "return 1;",
        'return "no";',
        "int x1 = 3;",
        "x1 = 2;",
        "++x1;",
    ),
    *("if (false) { unheard_of = 1; }", "if (false) { x1 = x2; }", "const int c1 = 2; c1 = 3;"),
    *("if (false) { const int c2 = 1; ++c2; }", "{ int x1 = 2; x1 += 1; }", "int x1 = x1;"),
    *(
        "int y1; y1 = 4;",
        "int y2; int y3 = y2;",
        "const int y4;",
        "int& y5 = 3;",
        "const int& y6 = 3;",
    ),
    *("auto y7;", "auto y8 = 1, y9 = 2.5;", "v2.push_back(1);", "v2.unheard_of();", "v3.clear();"),
    *(
        "s1 = s1 + 1;",
        "s1 = 2 * s1;",
        'int y10 = "no";',
        "std::string y11 = 3;",
        "x1++ = 2;",
        "1 = x1;",
    ),
    *("std::vector<int> y12 = 3;", "int y13[2] = {1, 2, 3};", "int y14[2] = {1}; y14[1] = 2;"),
    *("int8_t y15{300};", "int y16 = 1; int8_t y17{y16};", "int* y18 = 5;", "int y19 = nullptr;"),
    *("auto y20 = [] { return x1; };", "auto y21 = [y20] { return 1; };", "x1(3);", "x1[0] = 1;"),
    *("switch (1) { case 1: int y22 = 1; case 2: ; }", "switch (1) { case 1: case 1: ; }"),
    *("while (false) { break; } continue;", "for (int i0 = 0; i0 < 2; ++i0) { int i0 = 2; }"),
    *(
        "for (int y23 : x1) { }",
        "const std::vector<int> y24{1}; y24.push_back(2);",
        "~1.5;",
        "!s1;",
    ),
    *(
        "const std::vector<int> y25{1}; y25[0] = 2;",
        "if (s1) { }",
        "int y26 = s1 == 3;",
        "*x1 = 2;",
    ),
    *("auto y27 = [](int a) { if (a) return 1; return 2.5; };", "auto y28 = [](int a, int a) { };"),
    *(
        "const int y29 = 1; int& y30 = y29;",
        "const int y31 = 1; int* y32 = &y31;",
        "&1;",
        "double* y33 = &x1;",
    ),
)


def mutated(random: Random, text: str) -> str:
    """The function with one change, or two."""
    for _ in range(random.choice((1, 1, 2))):
        text = random.choice((_line, _line, _word, _word, _operator, _type, _insert, _insert))(
            random, text
        )
    return text


def _own_lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _statements(lines: list[str]) -> list[int]:
    # Those whose braces pair up, but for the head and the end of the function.
    return [i for i, line in enumerate(lines) if line.startswith("  ") and _is_whole(line)]


def _is_whole(line: str) -> bool:
    return line.count("{") == line.count("}") and not line.strip().startswith("}") and ";" in line


def _line(random: Random, text: str) -> str:
    lines = _own_lines(text)
    whole = _statements(lines)
    if not whole:
        return text
    chosen, other = random.choice(whole), random.choice(whole)
    match random.randrange(3):
        case 0:
            del lines[chosen]
        case 1:
            lines.insert(other, lines[chosen])
        case _:
            lines[chosen], lines[other] = lines[other], lines[chosen]
    return "".join(lines)


def _insert(random: Random, text: str) -> str:
    lines = _own_lines(text)
    whole = _statements(lines)
    if whole:
        lines.insert(random.choice(whole), f"  {random.choice(_STATEMENTS)}\n")
    return "".join(lines)


def _word(random: Random, text: str) -> str:
    names = list(re.finditer(r"\b[a-z]+\d+\b(?!\()", text.partition("{")[2]))
    start = len(text.partition("{")[0]) + 1
    if not names:
        return text
    at = random.choice(names)
    other = random.choice([*(n[0] for n in names), "unheard_of", "1", '"text"', "2.5"])
    return text[: start + at.start()] + other + text[start + at.end() :]


def _operator(random: Random, text: str) -> str:
    found = list(re.finditer(r"(?<= )(?:[-+*/%&|^<]|==|<<|\+=|=)(?= )", text))
    if not found:
        return text
    at = random.choice(found)
    return text[: at.start()] + random.choice(_OPERATORS) + text[at.end() :]


def _type(random: Random, text: str) -> str:
    found = list(
        re.finditer(r"(?m)(?<=^  )(?:const )?(?:auto|[\w:]+(?:<\w+>)?)(?=&? [a-z]+\d+ )", text)
    )
    if not found:
        return text
    at = random.choice(found)
    made = random.choice((*_TYPES, f"const {at[0].removeprefix('const ')}"))
    return text[: at.start()] + made + text[at.end() :]
