"""Member functions that are defined out of their class: g++ judges each text."""

import shutil
import subprocess

import pytest

from tests.cxx.toy import error_of, run

TEXTS = """
struct S { int f(const S& a); }; int S::f(const S& a) { return 1; }
struct S { int f(const S& a); }; int S::f(const self& a) { return 1; }
struct S { int f(const S& a); }; int S::f(S& a) { return 1; }
struct S { int f(const S& a); }; int S::f(S const& b) { return 1; }
struct S { int f(const S& a); }; int S::f(const S& a) const { return 1; }
struct S { int f(int a) const; }; int S::f(const int a) const { return 1; }
struct S { int f(int a); }; int S::f(int a, int b) { return 1; }
struct S { int f(int a); }; int S::f() { return 1; }
struct S { int f(int a); }; int S::g(int a) { return 1; }
struct S { int f(int a); int f(double a); }; int S::f(double a) { return 1; }
struct S { int f(int a); int f(double a); }; int S::f(float a) { return 1; }
struct S { int f(int a) { return 1; } }; int S::f(double a) { return 1; }
struct S { template <class T> int f(T a); }; template <class T> int S::f(T a) { return 1; }
struct S { static int f(int a = 1); }; int S::f(int a) { return a; }
struct S { virtual int f(int a[]); }; int S::f(int* a) { return 1; }
struct S { using I = int; int f(I a); }; int S::f(int a) { return 1; }
struct S { using I = int; I f(I a); }; S::I S::f(I a) { return 1; }
struct A { int f(); }; struct B : A {}; int B::f() { return 1; }
struct S { S(int a); ~S(); }; S::S(int a) {} S::~S() {}
namespace n { struct S { int f(const S& a); }; int S::f(const n::S& a) { return 1; } }
namespace n { struct S { int f(const S& a); }; } int n::S::f(const S& a) { return 1; }
namespace n { struct S { int f(const S& a); }; } int n::S::f(const S* a) { return 1; }
struct A {}; struct S { int f(A a); }; int S::f(struct A a) { return 1; }
struct A {}; using B = A; struct S { int f(A& a); }; int S::f(B& a) { return 1; }
struct A {}; struct B {}; struct S { int f(A& a); }; int S::f(B& a) { return 1; }
struct S { int f(int (*g)(int)); }; int S::f(int g(int)) { return 1; }
""".strip().splitlines()


def refused_by_gxx(text: str) -> bool:
    command = ["g++", "-std=c++17", "-w", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True).returncode > 0


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
def test_what_its_class_does_not_declare_is_refused_where_gxx_refuses_it() -> None:
    theirs = {text for text in TEXTS if refused_by_gxx(text)}
    assert {text for text in TEXTS if run(text).errors} == theirs
    assert 10 < len(theirs) < len(TEXTS) - 10


def test_the_definition_is_pointed_at_and_told_what_the_class_has() -> None:
    error, shown = error_of("struct S { int f(int a); }; int S::f(double a) { return 1; }")
    assert error.message == "no declaration of `f` in `S` is this one's"
    assert (error.hint, shown) == ("there is `int f(int a);`", "S::f")
