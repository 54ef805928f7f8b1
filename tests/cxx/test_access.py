"""What of a class may be named from outside: as g++ has it, [class.access]."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from registry_runtime.cxx import Bindings, Class, initialise

KEEP = "struct Keep { template <typename T> Keep(T) {} };\n"


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not on PATH")
@pytest.mark.parametrize(
    "text",
    [
        "class A { static int g(int x) { return x; } }; Keep k(&A::g);",
        "struct A { static int g(int x) { return x; } }; Keep k(&A::g);",
        "class A { int n; public: static int g(int x) { return x; } }; Keep k(&A::g);",
        "struct A { protected: static int g(int x) { return x; } }; Keep k(&A::g);",
        "class A { friend void f(); static int g(int x) { return x; } }; Keep k(&A::g);",
        "class A { friend void f(); static int g(int x) { return x; } };\nvoid f() { Keep k(&A::g); }\n"
        "Keep k(&f);",
        "class A { using T = int; }; int f() { A::T t = 3; return t; } Keep k(&f);",
        "class A { public: using T = int; }; int f() { A::T t = 3; return t; } Keep k(&f);",
        "class A { typedef int T; static T f(); }; A::T A::f() { return 3; } Keep k(3);",
        "class A { using T = int; public: struct B { T t; }; }; Keep k(3);",
    ],
)
def test_a_member_is_named_where_gxx_lets_it_be_named(text: str) -> None:
    asked = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    refused = subprocess.run(asked, input=KEEP + text, text=True, capture_output=True).returncode
    kept: list[object] = []
    made = initialise(text, Bindings({"Keep": Class(kept.append)}))
    errors = [error.message for error in made.errors]
    for function in kept:
        if "int f()" in text:
            try:
                made.program.execute(function, ())
            except Exception as error:
                errors.append(str(error))
    assert bool(errors) == bool(refused), (errors, refused)
