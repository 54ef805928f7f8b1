"""What one list, one class or one block names twice: g++ judges each text."""

import shutil

import pytest

from tests.cxx.test_redeclared import refused_by_gxx
from tests.cxx.toy import error_of, run

TEXTS = """
template <class T> int f() { int T = 1; return T; }
template <class T> int f() { { int T = 1; } return 1; }
template <class T> int f() { int U = 1; return U; }
template <int n> int f() { for (int n = 0; n < 3; ++n) {} return 1; }
template <int n> int f() { for (int m = 0; m < n; ++m) {} return n; }
template <class T> int f() { using T = int; return T(1); }
template <class T> int f() { using U = T; return U(1); }
template <class T> int f() { struct T {}; return 1; }
template <class T> struct S { int T; };
template <class T> struct S { void T(); };
template <class T> struct S { using T = int; };
template <class T> struct S { template <class U> int f(U u) { int T = 1; return T; } };
template <class T> struct S { template <class U> int f(U u) { U T2 = u; return T2; } };
template <class T> struct S { struct In { T t; int f() { T u = t; return u; } }; };
template <class T> struct S { T f(T t) { return T(t); } T t; };
template <class T> T f(T x) { auto g = [](auto y) { return y; }; return g(x); }
int f() { for (int i = 0, i = 1;;) {} return 1; }
int f() { for (int i = 0, i = 1;;) ; return 1; }
int f() { for (int i = 0, j = 1; i < j; ++i) ; return 1; }
int f() { struct A { int x; }; struct A { int y; }; return 1; }
int f() { struct A { int x; }; { struct A { int y; }; } return 1; }
int f() { struct A; struct A { int y; }; struct A a; return 1; }
int f() { enum E { A }; enum E { B }; return 1; }
int f() { struct A { int x; } a; struct A { int y; } b; return 1; }
int f() { struct A { int x; } A; return A.x; }
struct S { static int f(int n); int f(int n); };
struct S { static int f(int n); int f(int n) const; };
struct S { static int f(int n); int f(long n) const; };
struct S { int f(int n) const; static int* f(int m) { return 0; } };
struct S { int f(int n); int f(int n) const; static int g(int n); };
struct S { int a; int a; };
struct S { int a; double a; };
struct S { int a; int a(); };
struct S { int a(); int a(); };
struct S { int a(); int a() const; };
struct S { int a(int); int a(double); };
struct S { int a(int x); int a(const int y); };
struct S { int a(int x) { return 1; } int a(int y) { return 2; } };
struct S { int a(); double a(); };
struct S { struct T {}; struct T {}; };
struct S { struct T; struct T {}; };
struct S { using T = int; using T = double; };
struct S { using T = int; using T = int; };
struct S { typedef int T; typedef int T; };
struct S { enum E { A }; enum F { A }; };
struct S { enum E { A }; int A; };
struct S { enum E { A, B }; int E; };
struct S { int T; struct T {}; };
struct S { using T = int; int T; };
struct S { S(int); S(int); };
struct S { S(int); S(double); S(); ~S(); };
struct S { ~S(); ~S(); };
struct S { int a, a; };
struct S { int a[2]; int a; };
struct S { int *a; int a; };
struct S { int a; static int a; };
struct S { int x; int f() { int x = 1; return x; } };
struct S { template <class T> int f(T); int f(int); };
struct S { template <class T> int f(T); template <class U> int f(U); };
struct S { template <class T> int f(T); template <class T> int f(T*); };
struct S { int S; };
struct S { friend int f(int); friend int f(int); };
struct S { friend int f(int) { return 1; } int f; };
struct S { operator int() { return 1; } operator double() { return 2; } };
struct S { bool operator==(const S& o) const; bool operator==(const S& o) const; };
struct S { bool operator==(const S& o) const; bool operator!=(const S& o) const; };
struct S { int a : 3; int a : 2; };
struct S { int : 3; int : 2; };
struct S { union { int a; float b; }; int c; };
struct S { union { int a; float b; }; int a; };
struct B { int a; }; struct S : B { int a; };
class S { int a; public: int a; };
union S { int a; float a; };
enum class E { A, A };
enum E { A, A };
enum E { A, B = A, C };
enum { A, A };
enum class E { A, B };
namespace n { enum class E { A, A }; }
void f() { enum E { A, A }; }
void f() { enum class E { A, A }; E e = E::A; }
int A = 1; namespace n { enum E { A }; }
void f() { int A = 1; { enum E { A }; } }
template <class T, class T> int f(T a);
template <class T, int T> int f(T a);
template <class T, class T> struct S {};
template <class T, class U> struct S {};
template <class T> struct S { template <class T> int f(T a); };
template <class T> struct S { template <class U> int f(U a); };
template <class T> struct T {};
template <class T = int> struct S; template <class T> struct S {};
template <class T = int, class U> int f(U u) { return 1; }
int f(int a, int a);
int f(int a, int a) { return a; }
int f(int a, double a);
int f(int, int);
struct S { int f(int a, int a); };
template <class T> int f(T a, T a);
auto f = [](int a, int a) { return 1; };
int f(int a, int (*g)(int a));
using F = int (*)(int a, int a);
int f(int a) { int a = 1; return a; }
int f(int a) { { int a = 1; return a; } }
int w = 1, h = 2, m = 3; struct R { R(int, int); }; static R r(w * m, h * m);
int w = 1, h = 2, m = 3; struct R { R(int, int); }; static R r(w & m, h & m);
int w = 1, h = 2; int f() { int m = 3; w * m; h * m; return m; }
struct A { template <class T> A& operator&(T&) { return *this; } }; struct Q { int a; template <class X> void s(X& ar) { ar & a; ar & a; } };
void f() { extern int x; extern int x; }
void f() { int g(int); int g(int); }
void f() { int g; int g; }
void f() { using T = int; using T = int; }
void f() { int S; struct S {}; }
void f() { for (int i = 0; i < 2; ++i) { int i = 3; } }
void f() { for (int i = 0; i < 2; ++i) { { int i = 3; } } }
void f() { int a[2] = {1, 2}; for (int i : a) { int i = 3; } }
void f() { int a; for (int a = 0; a < 2; ++a) {} }
void f(int a) { auto g = [](int a) { return a; }; }
void f(int a) { auto g = [a] { int a = 2; return a; }; }
void f(int a) { try { } catch (int a) { } }
void f(int* a, int (*a)(int));
void f(int (*a)(int b), int (*c)(int b));
struct S { int (*a)(int); int (*a)(int); };
struct S { int f() const; int f() volatile; int f() const volatile; };
struct S { int f() &; int f() &&; };
struct S { void f(const int*); void f(int*); };
struct S { void f(const char* a = "x,y"); void f(const char*); };
struct S { S() = default; S(const S&) = default; S(S&&) = default; };
struct S { S() = default; S() {} };
struct S { S& operator=(const S&); S& operator=(S&&); };
struct S { S& operator=(const S&); S& operator=(const S& o) { return *this; } };
struct S { bool operator()(int) const; bool operator()(double) const; };
struct S { enum A { X }; enum B { Y }; int Z; };
struct S { enum A : int; enum A : int { X }; };
struct S { typedef struct T {} T; };
struct S { struct { int a; } x; struct { int a; } y; };
struct S { struct { int a; }; struct { int b; }; };
struct S { struct { int a; }; struct { int a; }; };
struct S { template <class T> struct Q; template <class T> struct Q {}; template <class T> struct Q<T*> {}; };
struct S { template <class T> void f(T); template <class T, class U> void f(T, U); template <class T> void f(T*); };
struct S { template <class T> T f(); template <class T> T* f(); };
struct S { static int a, b; int c; }; int S::a; int S::b;
struct S { friend bool operator==(const S&, const S&) { return 1; } bool operator==(const S&) const; };
struct S { using T = int; void T(); };
struct S { void f(); struct f {}; };
template <class T> struct S { T a; T a; };
template <class T> struct S { void f(T); void f(T*); void f(const T&); };
template <class T> struct S { S(const S&); template <class U> S(const S<U>&); };
template <class T> struct S { template <class U> void f(U); }; template <class T> template <class U> void S<T>::f(U) {}
template <class T> struct S { template <class U> void f(U); }; template <class T> template <class T> void S<T>::f(T) {}
template <class T, class = int> struct S {}; template <class, class> struct U {};
template <class... T> struct S {}; template <int N, int M> struct U {};
template <class T> int f(T); template <class T> int g(T);
namespace n { enum A { X, Y }; } enum A { X, Y };
enum { X, Y, Z = X, W = sizeof(int) };
enum class A { X = 1, Y, X };
void f(int unused, int) {} void g(int, int) {}
void f() { switch (1) { case 1: { int a; } case 2: { int a; } } }
void f() { if (int a = 1) { } else { } int a = 2; }
void f() { auto [a, b] = 1; auto [a, c] = 2; }
void f() { static int a = 1; int a = 2; }
void f() { int a = 1; a: int b = 2; }
template <class T> void f(T& x) { T y = x; { T y = x; } T z(x), w{x}; }
""".strip().splitlines()  # noqa: E501


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
def test_what_one_scope_names_twice_is_refused_where_gxx_refuses_it() -> None:
    theirs = {text for text in TEXTS if refused_by_gxx(text)}
    assert {text for text in TEXTS if run(text).errors} == theirs
    assert 50 < len(theirs) < len(TEXTS) - 60


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("struct S { int a; double a; };", 25),
        ("enum class E { A, B, A };", 21),
        ("void f(int n) { if (n) { int m = 1, m = 2; } }", 36),
        ("template <class T, class T> struct S {};", 25),
        ("int f(int a, int a);", 17),
    ],
)
def test_the_second_of_two_is_pointed_at(text: str, at: int) -> None:
    error, shown = error_of(text)
    assert error.message == f"`{shown}` is declared twice"
    assert error.span.start == at


@pytest.mark.parametrize(
    "text",
    [
        "static R r(w * m, h * m);",  # two products, or two parameters
        "void f() { ar & a; ar & a; }",
        "int f(T *UNUSED(a), T *UNUSED(b)) { return 1; }",  # whose header wasn't found
        "namespace std { struct S { int a; int a; }; }",
        "int f() { int n = 1; { int n = 2; }",  # a brace is missing
    ],
)
def test_of_what_may_be_something_else_nothing_is_said(text: str) -> None:
    assert not any("twice" in error.message for error in run(text).errors)
