"""Static data members that are defined out of their class: g++ judges each text."""

import shutil
import subprocess

import pytest

from tests.cxx.toy import error_of, run

# What stands in front of many of them.
BEFORE = {
    "TEMPLATE": "template <class T> struct S",
    "POINTERS": "template <class T> struct S<T*> { static int q; };",
    "FUNCTIONS": "template <class T> struct S; template <class R, class A> struct S<R (*)(A)> {"
    " using F = R (*)(A); static F m; }; using F = int (*)(int);",
}

TEXTS = """
struct S { static int m; }; int S::m = 3;
struct S { static int m; }; int S::n = 3;
struct S { static int m; int k; }; int S::k = 3;
struct S { static int m; int f(); }; int S::f = 3;
struct S { static int m; }; float S::m = 3;
struct S { static int m; }; const int S::m = 3;
struct S { static int m; }; static int S::m = 3;
struct S { static int m; }; int S::m; int S::m;
struct S { static int m, n; }; int S::m = 1, S::n = 2;
struct S { static inline int m = 3; }; int S::m = 3;
struct S { static const int m = 3; }; const int S::m;
struct S { static const int m = 3; }; const int S::m = 3;
struct S { static constexpr int m = 3; }; constexpr int S::m;
struct S { static constexpr int m = 3; }; const int S::m;
struct S { static int m[3]; }; int S::m[3] = {1};
struct S { static int m[3]; }; int S::m[4] = {1};
struct S { static int m[]; }; int S::m[4] = {1};
struct S { static const char* m; }; const char* S::m = "x";
struct S { static const char* m; }; char* S::m = nullptr;
struct S { static int (*m)(int); }; int (*S::m)(int) = nullptr;
struct S { static S* m; }; S* S::m = nullptr;
struct S { using I = int; static I m; }; int S::m = 1;
struct S { using I = int; static I m; }; S::I S::m = 1;
struct S { struct T { static int m; }; }; int S::T::m = 1;
struct S { struct T { static int m; }; }; int S::T::n = 1;
struct S { struct T { int m; }; }; int S::T::m = 1;
struct S { struct T { struct U { static int m; }; }; }; int S::T::U::m = 1, S::T::U::n = 2;
struct S { class T { using I = int; static I m; }; }; int S::T::m = 1;
struct S { struct T { static int m; }; struct U { static int n; }; }; int S::T::n = 1;
struct S { struct T { enum E { a }; static E m; }; }; S::T::E S::T::m = S::T::a;
struct S { struct T { static int m; } t; static T u; }; int S::T::m = 1; S::T S::u;
struct A { static int m; }; struct S : A {}; int S::m = 1;
enum class E { a }; struct S { static E m; }; E S::m = E::a;
namespace n { struct S { static int m; }; } int n::S::m = 1;
namespace n { struct S { static int m; }; } int n::S::k = 1;
namespace n { inline namespace v { struct S { static int m; }; } } int n::v::S::m = 1;
int S::m = 3; struct S { static int m; };
int S::m = 3;
int S::f() { return 1; }
template <> int S<int>::m = 3;
template <> int S<int>::f() { return 1; }
TEMPLATE { static int m; }; template <> int S<int>::m = 3;
TEMPLATE { static int m; }; template <> int S<int>::n = 3;
TEMPLATE { static int m; int k; }; template <> int S<int>::k = 3;
TEMPLATE { static int f(); }; template <> int S<int>::f = 1;
TEMPLATE { static int m; }; template <> float S<int>::m = 3;
TEMPLATE { static T m; }; template <> int S<int>::m = 3;
TEMPLATE { static T m; }; template <> float S<int>::m = 3;
TEMPLATE { static T* m; }; template <> int S<int>::m = 3;
TEMPLATE { static T m; }; template <> int S<int>::m = 3; template <> int S<int>::m = 3;
TEMPLATE { static T m; }; template <> int S<int>::m = 3; template <> float S<float>::m = 3;
TEMPLATE { static T m; }; template <> int S<int>::m; template <> int S<int>::m;
TEMPLATE { static int m; }; int S<int>::m = 3;
TEMPLATE { static int m; }; int S::m = 3;
TEMPLATE { static T m; }; template <class T> T S<T>::m = 1;
TEMPLATE { static T m; }; template <class U> U S<U>::m = 1;
TEMPLATE { static T m; }; template <class T> T S<T>::n = 1;
TEMPLATE { static T m; }; template <class T> int S<T>::m = 1;
TEMPLATE { static T m; }; template <class T> T S<T>::m = 1; template <class U> U S<U>::m = 2;
TEMPLATE { static const int m = 3; }; template <class T> const int S<T>::m;
template <class T, int n> struct S { static T m; }; template <class T, int n> T S<T, n>::m = 1;
TEMPLATE { static int m; }; template <> struct S<int> { static int q; }; int S<int>::q = 3;
TEMPLATE { static int m; }; template <> struct S<int> { static int q; }; int S<int>::m = 3;
TEMPLATE { static int m; }; template <> struct S<int> { static int q; }; float S<int>::q = 3;
TEMPLATE { static int m; }; template <> struct S<int> { int q; }; int S<int>::q = 3;
TEMPLATE { static int m; }; template <> struct S<int> { static int q; }; int S<long>::m = 3;
TEMPLATE { static T m; }; POINTERS template <class T> int S<T*>::q = 1;
TEMPLATE { static T m; }; POINTERS template <class T> int S<T*>::m = 1;
FUNCTIONS template <> F S<F>::m = nullptr;
FUNCTIONS template <> F S<F>::n = nullptr;
""".strip()
for word, meant in BEFORE.items():
    TEXTS = TEXTS.replace(word, meant)


def refused_by_gxx(text: str) -> bool:
    command = ["g++", "-std=c++17", "-w", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True).returncode > 0


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
def test_what_its_class_does_not_declare_is_refused_where_gxx_refuses_it() -> None:
    theirs = {text for text in TEXTS.splitlines() if refused_by_gxx(text)}
    assert {text for text in TEXTS.splitlines() if run(text).errors} == theirs
    assert 25 < len(theirs) < TEXTS.count("\n") - 25


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int S<int>::^m = 3;", "`S` is a template: a value for some arguments has `template <>`"),
        ("template <> int S<int>::^k = 3;", "`S` declares no `k`"),
        ("template <> float S<int>::^m = 3;", "`m` is of another type in `S`"),
    ],
)
def test_the_definition_is_pointed_at(text: str, message: str) -> None:
    before, _, behind = text.partition("^")
    error, _ = error_of(f"template <class T> struct S {{ static int m; }}; {before}{behind}")
    assert error.message.startswith(message)
