"""Bodies that break off: what nobody runs is told at the token all the same, where g++ refuses it."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from registry_runtime.cxx import initialise
from tests.cxx.test_heads import refused_by_gxx
from tests.cxx.toy import BINDINGS, run

AROUND = """namespace toy {{ struct Show {{ Show(int); }}; }}
int g(int); int h(int, int); template <typename T> T of(T);
struct F {{ template <typename T> T operator()(const T a, const T b) const {{ {} }} }};
static toy::Show last(3);
"""

# A body, what is said of it, and the token at which it is said.
BROKEN = (
    ("return a & b", "`;` is missing after `b`", "b"),
    ("return g(a)", "`;` is missing after `)`", ")"),
    ("int n = 3 return n;", "`;` is missing after `3`", "3"),
    ("int n = a int m = b; return m;", "`;` is missing after `a`", "a"),
    ("g(a) return b;", "`;` is missing after `)`", ")"),
    ("g(a) g(b); return a;", "`;` is missing after `)`", ")"),
    ("if (a) g(a) else g(b); return a;", "`;` is missing after `)`", ")"),
    ("for (int i = 0; i < 3; ++i) { g(i) } return a;", "`;` is missing after `)`", ")"),
    ("while (a) { break } return a;", "`;` is missing after `break`", "break"),
    ("if (a { return b; } return a;", "this `(` is never closed", "("),
    ("return g(a;", "this `(` is never closed", "("),
    ("return h((a, b);", "this `(` is never closed", "("),
    ("return g(a));", "`)` is not expected here", ")"),
    ("int m[3; return a;", "this `[` is never closed", "["),
    ("return h(a,);", "`)` is not expected here", ")"),
    ("return h(,b);", "`,` is not expected here", ","),
    ("return a +;", "`;` is not expected here", ";"),
    ("return g(a /);", "`)` is not expected here", ")"),
    ("return a b;", "`;` is missing after `a`", "a"),
    ("return a + 3 b;", "`b` is not expected here", "b"),
    ("if a { return b; } return a;", "`(` is missing after `if`", "if"),
    ("else { return b; } return a;", "`else` is not expected here", "else"),
    ("do { g(a); } while (a) return b;", "`;` is missing after `)`", ")"),
    ("switch (g(1)) { case 1 return a; } return b;", "`:` is missing after `1`", "1"),
    ("auto f = [](int x) { return x }; return a;", "`;` is missing after `x`", "x"),
    ("toy::Show s(3) toy::Show u(4); return a;", "`;` is missing after `)`", ")"),
    ("F f; T x f(a, b); return a;", "`;` is missing after `x`", "x"),
    ("for (int i = 0; i < 3) { g(i); } return a;", "`;` is missing after `3`", "3"),
    ("for (int i = 0; i < b i++) { g(i); } return a;", "`;` is missing after `b`", "b"),
    ("for (int i = 0 i < 3; i++) { g(i); } return a;", "`i` is not expected here", "i"),
    ("for (int i = a ? 1 : 2) { g(i); } return a;", "`;` is missing after `2`", "2"),
    ("for (;) { g(1); } return a;", "`;` is missing after `;`", ";"),
    ("for () { g(1); } return a;", "`;` is missing after `(`", "("),
    ("for (;;;) { g(1); } return a;", "`;` is not expected here", ";"),
    ("F(a) toy::Show s(3); return a;", "`;` is missing after `)`", ")"),
    ("std::pair<T, T>(a, b) toy::Show s(3); return a;", "`;` is missing after `)`", ")"),
    ("(T)(a) toy::Show s(3); return a;", "`;` is missing after `)`", ")"),
    ("static_cast<T>(a) g(1); return a;", "`;` is missing after `)`", ")"),
    ("F().operator()<int>(1, 2) g(1); return a;", "`;` is missing after `)`", ")"),
    ("g(1) auto n = a; return n;", "`;` is missing after `)`", ")"),
    ("int(b) g(1); return a;", "`;` is missing after `)`", ")"),
    ("int m[3] g(1); return a;", "`;` is missing after `]`", "]"),
    ("int n{3} const int m = 3; return m;", "`;` is missing after `}`", "}"),
    ("F f; T n = f.template operator()<T>(a, b) g(1); return n;", "`;` is missing after `)`", ")"),
    ("T n = of<T>(a) g(1); return n;", "`;` is missing after `)`", ")"),
    ("toy::of<T>(a) g(1); return a;", "`;` is missing after `)`", ")"),
    ("int x = ; return a;", "`;` is not expected here", ";"),
)
VALID = (
    "return a++;",
    "auto f = [=](int x) mutable -> int { return x; }; return f(a);",
    "auto f = [&, n = 3](auto... x) { return (x + ... + n); }; return f(a);",
    "struct L { int x; int get() const { return x; } } l{3}; return l.get();",
    "int m[] = {1, 2, 3,}; for (int i : m) g(i); return a;",
    "do g(a); while (a); return b;",
    "if (int n = g(1); n) return a; else if (n > 3) { return b; } else; return a;",
    "again: switch (g(1)) { case 1 ? 2 : 3: return a; case 7: { break; } default: goto again; }",
    "try { g(1); } catch (...) { throw; } return a;",
    "return a and not b ? (T) -1 : T{} xor 3;",
    "int (*p)(int) = &g; int (F::*q)(int) const = nullptr; return p(1), a;",
    "enum E { one, two }; E e = two; using U = T; typedef int I; static_assert(sizeof(U), \"\");",
    "for (;;) { if constexpr (sizeof(T) > 8) break; else continue; } return a;",
    "return ({ int n = 3; n; });",
    "return __builtin_expect(a > b, 1) ? a : b;",
    "T x = a, y(b), z{a}; x += y -= z; return x--, y ? x : z;",
    "[[maybe_unused]] int n = 3; asm volatile (\"\" : : \"r\"(n)); return a;",
    "return (int[]){1, 2}[0];",
    "T* p = new T[3]; delete[] p; return (T)(a) + T(b);",
    "for (auto f = [] { int n; return n; }; a;) f(); return a;",
    "int m[2] = {1}; for (int n : m) g(n); for (auto& [x, y] : {F{}}) g(x); return a;",
    "alignas(8) int n = 3; decltype(a) m = a; auto f = [](T x) -> const T { return x; }; return m;",
    "bool c = h(a < b, b > (T) a); return a < b && b > (T) b;",
    "bool (*p)(int) noexcept(true) = nullptr; auto q = new (&a) T; return *q;",
)  # fmt: skip


def _said(text: str) -> list[tuple[str, str]]:
    return [(e.message, text[e.span.start : e.span.end]) for e in run(text).errors]


@pytest.mark.parametrize(
    "body", ["FOR_EACH(i, 3) { g(i); } return a;", "COMPARED(a, <); return a;"]
)
def test_what_a_missing_header_may_define_is_not_judged(body):
    text = AROUND.format(body) + "void other() { int n = 3 }\n"
    made = initialise(text, BINDINGS, lambda word: True)
    assert [e.message for e in made.errors] == ["`;` is missing after `3`"]


@pytest.mark.parametrize(("body", "message", "shown"), BROKEN)
def test_a_broken_body_is_told_once_at_the_token(body, message, shown):
    assert _said(AROUND.format(body)) == [(message, shown)]


def test_a_bracket_without_its_partner_is_told_outside_of_bodies_too():
    text = AROUND.format("return a;").replace("const T b)", "const T b")
    assert _said(text) == [("this `(` is never closed", "(")]
    assert refused_by_gxx(text) or shutil.which("g++") is None


@pytest.mark.parametrize("body", VALID)
def test_a_valid_body_is_read_to_its_end(body):
    """Also where something else is broken, so that the bodies are looked at."""
    assert not _said(AROUND.format(body))
    broken = AROUND.format(body) + "void other() { return 3 }\n"
    assert [message for message, _ in _said(broken)] == ["`;` is missing after `3`"]


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_gxx_refuses_the_same():
    for body, *_ in BROKEN:
        assert refused_by_gxx(AROUND.format(body)), body
    for body in VALID:
        assert not refused_by_gxx(AROUND.format(body)), body


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_no_body_of_the_library_is_broken():
    names = ("vector", "map", "functional", "string", "memory", "algorithm")
    text = "".join(f"#include <{name}>\n" for name in names)
    command = ["g++", "-std=c++17", "-E", "-P", "-x", "c++", "-"]
    expanded = subprocess.run(
        command, input=text, text=True, capture_output=True, check=True
    ).stdout
    expanded = "".join(line for line in expanded.splitlines(True) if not line.startswith("#"))
    spread = expanded.replace("namespace std", "namespace own")  # as if it were nobody's
    for each in (expanded, spread):
        assert not [e.message for e in run(each + "void f() {}").errors if "missing" in e.message]
