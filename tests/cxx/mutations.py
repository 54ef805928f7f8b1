"""Random changes to a C++ function: most of what comes of them no compiler takes.

A line is left out, said twice or moved, a name, an operator or a type becomes another. Braces are left
alone, so that what g++ says of one function stays in it. Whatever still compiles has to have the value
that g++ gives it, and what doesn't has to be refused.
"""

from __future__ import annotations

import re
from random import Random

_TYPES = ("int", "double", "bool", "int8_t", "size_t", "std::string", "std::vector<int>", "auto")
_TYPES += ("std::optional<int>",)
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

# What is done with two names, a and b, which may be anything: O is an operator, T a type.
_SPELLED = """
a O b   a O b   a O b   b O 2   1.5 O a   a = b   a += b   a()   a(b)   a[b]   *a   &a   !a   -a
~a   ++a   a--   T(a)   (T)a   T{a}   static_cast<T>(a)   T x = a   T x(a)   T x{a}   T& x = a
T* x = &a   T* x = a   const T& x = a   auto x = a   auto* x = a   auto& x = a; x = b
const auto& x = a; x = b   auto x = a; x O b   auto x = &a; *x = b   a = {b}   a = {}
for (auto x : a) { x = b; }   for (T& x : a) { }   if (a) { }   while (a) { }   return a
switch (a) { case 1: ; }   a.size()   a.size(b)   a->size()   a.first   a.first = b   a.second O b
a.c_str()   a.push_back(b)   a.resize(b)   a.at(b)   a.back() = b   a.insert(a.begin(), b)
a.erase(b)   a.substr(b)   a.find(b)   a.begin() O b   a.begin()[b]   auto x = a.begin(); *x = b
*a = b   *(a + 1) = b   std::abs(a)   std::sqrt(a)   a ? a : b   a ? b : 1   a(b, b)   T x{a, b}
T x = {a, b}   T x(a, b)   auto [x, y] = a   a = {b, b}   a.assign(b, b)   std::max(a, b)
std::min<T>(a, b)   std::swap(a, b)   std::make_pair(a, b).first = a   std::pair<T, T> x{a, b}
std::vector<T> x(a, b)   std::vector<T> x{a, b}   [&] { return a O b; }()   [=] { a = b; }()
[a] { return a; }(b)   [](T x) { return x; }(a)   [](T& x) { }(a)
[](auto x) { return x O x; }(a)   [](auto& x) { x = 2; }(a)   [](auto x, auto y) { x = y; }(a, b)
a.has_value()   a.value() = b   a.value_or(b)   a.reset()   a = std::nullopt   a.emplace(b)
a == std::nullopt   a ? *a : b   if (auto x = a) { b; }   while (T x = a) { b; }
if (T x = a; x) { x = b; }   std::make_optional(a) O b   *std::optional<T>(a) O b
[](auto x, T y = 2) { return x O y; }(a)   auto x = [](T y) { }; x O b
"""
_DONE = re.split(r"\s{2,}|\n", _SPELLED.strip())


def mutated(random: Random, text: str) -> str:
    """The function with one change, or two."""
    ways = (_line, _line, _word, _word, _operator, _type, _insert, _insert, _done, _done)
    for _ in range(random.choice((1, 1, 2))):
        text = random.choice(ways)(random, text)
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


def _done(random: Random, text: str) -> str:
    # Something that is done in a branch that never runs.
    names = re.findall(r"\b[a-z]+\d+\b", text.partition("{")[2])
    lines, other = _own_lines(text), {"O": _OPERATORS, "T": _TYPES, "a": names, "b": names}
    whole = _statements(lines)
    if not names or not whole:
        return text
    form = random.choice(_DONE)
    made = re.sub(r"\b[abTO]\b", lambda found: random.choice(other[found[0]]), form)
    lines.insert(random.choice((*whole, whole[-1] + 1)), f"  if (false) {{ {made}; }}\n")
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
