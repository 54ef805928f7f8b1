"""What nobody runs has to compile too: g++ refuses each of these texts, and so do we, at the word."""

import shutil
import subprocess

import pytest

from registry_runtime.cxx import initialise
from registry_runtime.cxx.never_run import never_run
from tests.cxx.toy import BINDINGS

PLAIN = "template <typename A> A twice(const A& a, long n);\nstruct Box { int n; };\n"

REFUSED = [
    ("template <typename T> int f(Tensr* x) { return 1; }", "Tensr"),
    ("template <typename T> T f(T x) { return twice<T>(y, 2); }", "y"),
    ("template <const T> int f() { return 1; }", "T"),
    ("template <typename T> T f(T x) { return static_castT<>(x); }", "static_castT"),
    ("template <typename T, typename U = V> int f(T x) { return 1; }", "V"),
    ("int f(int n) { if (n) return m; return n; }", "m"),
    ("inline void f(const int n) { n = 2; }", "n"),
    ("Bx f(int n);", "Bx"),
    ("template <typename T> int f(T* x, int n) { return const[n]; }", "const"),
    ("Bx b;", "Bx"),
    ("twice b;", "twice"),
    ("const Box* b = static_cast<const Bx*>(nullptr);", "Bx"),
    ("long n = twice<Bx::inner>(1, 2);", "Bx"),
    ("int n = 1; inline void f(n m) {}", "n"),
    ("template <typename T> T f(T x) { return x; twice twice<T>(x, 2); }", "twice<T>"),
    ('int n = "n";', '"n"'),
    ('struct S { static int n; }; int S::n = "n";', '"n"'),
    ('template <class T> struct S { static T n; }; template <> int S<int>::n = "n";', '"n"'),
    ("int n = m;", "m"),
    ("struct S { int f(bx::Box b) { return 1; } };", "bx"),
    ("template <typename T> struct S { T f() { return bx::make<T>(1); } };", "bx"),
]

TAKEN = [
    "template <int n, typename T> T f(T x) { T y = T(n); return y; }",
    "template <template <typename> class M, typename T> M<T> f(T x) { M<T> y(x); return y; }",
    "template <typename T> using Same = T; template <typename T> T f(Same<T> x) { return Same<T>(x); }",
    "template <typename T> constexpr bool is = true; template <typename T> bool f() { return is<T>; }",
    "template <typename T> struct S { T f(T x) { return x + n; } T n; };",
    "template <typename... Ts> int f(Ts... all) { return sizeof...(all); }",
    "template <typename T> auto f(T x) -> decltype(x + 1) { return x + 1; }",
    "struct stub { int n; } stub; void f(struct stub* s) { s->n = 1; }",
    "struct both {}; both f(both b) { return b; } both g(both n) { both f(n); return f; }",
    "int g(int n) { return n; } template <int (*f)(int)> int h(); int i() { return h<g>(); }",
    "template <int n> int f() { return n; } constexpr int m = 3; int g = f<m>() + sizeof(Box);",
    "template <class T> bool f(T x) { return std::is_integral_v<T> && std::is_same_v<T, int>; }",
    "struct S { static const int n = 2; static int m; }; const int S::n; int S::m = n;",
    "template <class T> struct S { static T n; }; template <class T> T S<T>::n = T(1);",
    "int f(int n) { again: if (n > 3) goto again; return n; }",
    "int f(int n) { using Number = int; struct P { Number x; }; P p{n}; return p.x; }",
    "int f(int n) { auto g = [&](auto a) { return a + n; }; return g(2); }",
]


def _refused(text: str) -> list[str]:
    program = initialise(PLAIN + text, BINDINGS).program
    return [program.source.text[e.span.start : e.span.end] for e in never_run(program)]


def _gxx(text: str) -> bool:
    command = ["g++", "-std=c++17", "-fsyntax-only", "-w", "-x", "c++", "-"]
    return not subprocess.run(
        command, input=f"#include <type_traits>\n{text}", text=True, capture_output=True
    ).returncode


@pytest.mark.parametrize(("text", "word"), REFUSED)
def test_what_no_compiler_takes_is_told_at_its_word(text: str, word: str) -> None:
    assert _refused(text) == [word]


@pytest.mark.parametrize("text", TAKEN)
def test_what_a_compiler_takes_is_not_refused(text: str) -> None:
    assert _refused(text) == []


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ isn't installed")
def test_a_compiler_says_so_too() -> None:
    assert [text for text, _ in REFUSED if _gxx(PLAIN + text)] == []
    assert [text for text in TAKEN if not _gxx(PLAIN + text)] == []
