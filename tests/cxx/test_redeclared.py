"""What is declared twice: g++ judges each text."""

import shutil
import subprocess

import pytest

from tests.cxx.toy import error_of, run

TEXTS = """
struct S { int a; }; struct S { int a; };
struct S { int a; }; class S { int a; };
union S { int a; }; union S { int a; };
struct S final { int a; }; struct S final { int a; };
struct S; struct S { int a; }; struct S;
namespace n { struct S { int a; }; } struct S { int a; };
namespace n { struct S { int a; }; } namespace n { struct S { int a; }; }
namespace { struct S { int a; }; } struct S { int a; };
namespace { struct S { int a; }; } namespace { struct S { int a; }; }
inline namespace v1 { struct S { int a; }; } inline namespace v2 { struct S { int a; }; }
struct S { int a; }; int main_() { struct S { int b; }; return 0; }
enum E { A }; enum E { B };
enum E { A }; enum F { A };
enum class E { A }; enum class F { A };
enum class E : int; enum class E : int { A };
enum E { A }; struct E { int n; };
enum { A }; enum { A };
enum E { A }; int A = 3;
enum E { A }; int A() { return 3; }
using T = int; using T = double;
using T = int; using T = int;
using T = const int*; using T = const double*;
typedef int T; using T = signed;
typedef int T; struct T { int n; };
struct T { int n; }; using T = int;
struct T { int n; }; typedef struct T T;
typedef struct T { int n; } T;
typedef struct { int n; } T; typedef struct { int n; } T;
typedef enum { A } T; typedef enum { B } T;
template <class T> struct S { T a; }; template <class T> struct S { T a; };
template <class T> struct S; template <class T> struct S { T a; };
template <class T> struct S { T a; }; struct S { int a; };
template <class T> struct S { T a; }; template <> struct S<int> {}; template <> struct S<float> {};
template <class T> struct S { T a; }; template <> struct S<int> {}; template <> struct S<int> {};
template <class T> struct S { T a; }; template <class T> struct S<T*> {}; template <class T> struct S<T&> {};
template <class T> struct S { T a; }; template <class T> struct S<T*> {}; template <class U> struct S<U*> {};
int f() { return 1; } int f() { return 2; }
int f() { return 1; } double f() { return 2; }
int f(); double f();
int f(int) { return 1; } int f(double) { return 2; }
int f(int a) { return 1; } int f(const int b) { return 2; }
int f(int a); int f(int b) { return 2; } int f(int);
int f(int a[]) { return 1; } int f(int* b) { return 2; }
using I = int; int f(I a) { return 1; } int f(int b) { return 2; }
void f(int& a) {} void f(int&& a) {} void f(const int& a) {}
int f(int (*g)(int)) { return 1; } int f(int (*g)(double)) { return 2; }
static int f() { return 1; } static int f() { return 2; }
namespace { int f() { return 1; } } int f() { return 2; }
struct S { int f(); int f() const; }; int S::f() { return 1; } int S::f() const { return 1; }
struct S { int f(); }; int S::f() { return 1; } int S::f() { return 2; }
template <class T> int f(T a) { return 1; } template <class T> int f(T b) { return 2; }
template <class T> int f(T a) { return 1; } template <typename U> int f(U b) { return 2; }
template <class T> int f(T a) { return 1; } template <class T> int f(T* b) { return 2; } int f(int) { return 3; }
template <class T> int f(T a); template <class T> int f(T b) { return 2; }
template <class T> int f(int a) { return 1; } template <class T, class U> int f(int b) { return 2; }
template <class T> int f(int a) { return 1; } template <int T> int f(int b) { return 2; }
template <class T> int f(T a) { return 1; } template <> int f<int>(int a) { return 2; } template <> int f<int>(int b) { return 3; }
template <class T> int f(T a) { return 1; } template <> int f<int>(int a) { return 2; } template <> int f<double>(double a) { return 3; }
template <class T> struct S { int f(); }; template <class T> int S<T>::f() { return 1; } template <class U> int S<U>::f() { return 2; }
template <bool b, class T> struct If { using type = T; }; template <class T> typename If<sizeof(T) == 4, int>::type f(T a) { return 1; } template <class T> typename If<sizeof(T) == 8, int>::type f(T a) { return 1; }
int x = 1; int x = 2;
int x; int x;
extern int x; int x = 2; extern int x;
extern int x; double x = 2;
extern const int* x; extern const double* x;
int x = 1; int x() { return 1; }
int x() { return 1; } struct x { int a; };
int x = 1; struct x { int a; };
int x = 1; using x = int;
int x() { return 1; } using x = int;
namespace x { } int x = 1;
namespace x { } struct x { int n; };
namespace x { } int x() { return 1; }
namespace x { } namespace x { int x; }
struct S { operator int() { return 1; } operator int() { return 2; } };
template <class T> using V = T*; template <class T> using V = T&;
template <class T> using V = T*; template <class T> using V = T*;
template <class T> using V = T*; template <class U> using V = U*;
template <class T> using V = T*; struct V {};
template <class T> using V = T*; using V = int;
template <class T> using V = T*; int V = 1;
namespace a {} namespace b {} namespace n = a; namespace n = b;
namespace a {} namespace b {} namespace n = a; namespace n = a;
namespace a {} namespace n = a; namespace n {}
namespace a {} namespace n = a; int n = 1;
namespace a {} int n = 1; namespace n = a;
namespace a { namespace c {} } namespace n = a::c; namespace n = ::a::c;
namespace a {} namespace b = a; namespace n = a; namespace n = b;
template <class T, class T> using V = T*;
template <class T> int f(int T) { return T; }
int f(int a = 1); int f(int a = 1) { return a; }
int f(int a = 1); int f(int a = 2);
int f(int a = 1); int f(int a) { return a; }
int f(int a); int f(int a = 1);
int f(int a, int b = 1); int f(int a = 2, int b);
int f(int a = 1, int b);
int f(int a = 1, int b = 2);
struct S { int f(int a = 1); }; int S::f(int a = 1) { return a; }
struct S { int f(int a = 1); }; int S::f(int a) { return a; }
template <class T> int f(T a = 1); template <class T> int f(T a = 1) { return a; }
template <class T = int> int f(T a); template <class T = int> int f(T a) { return 1; }
template <class T = int> struct S; template <class T = int> struct S {};
template <class T> int f(T a) { return 1; } template <> int f(int a) { return 2; } template <> int f(int a) { return 3; }
template <class T> int f(T a) { return 1; } template <> int f(int a); template <> int f(int a) { return 3; }
template <class T> int f(T a) { return 1; } template <> int f(int a) { return 2; } template <> int f(double a) { return 3; }
template <> int f(int a) { return 2; }
template <> int f<int>(int a) { return 2; }
template <> struct S<int> {};
template <class T> struct S<T*> {};
int f(int a) { return 1; } template <> int f(int a) { return 2; }
struct S {}; template <> struct S<int> {};
namespace n { template <class T> int f(T a) { return 1; } } template <> int n::f(int a) { return 2; }
template <class T> struct S { int f(); }; template <> int S<int>::f() { return 1; }
template <class T> struct S { int f(); }; template <> int S<int>::f() { return 1; } template <> int S<int>::f() { return 2; }
template <class T> T x = 1; template <> int x<int> = 2; template <> double x<double> = 3;
namespace a {} namespace n { namespace m = a; } namespace n { namespace m = a; }
namespace a {} namespace n = a; namespace n = n;
namespace a {} namespace a = a;
template <class T> struct S { int f(T a = 1); }; template <class T> int S<T>::f(T a) { return 1; }
struct S { int f(int a); }; int S::f(int a = 1) { return a; }
struct S { int f(int a, int b = 1); int f(double a); }; int S::f(int a = 1, int b) { return a; } int S::f(double a = 2) { return 1; }
template <class T, class U = int> struct S; template <class T = int, class U> struct S {};
template <class... T> int f(int a = 1, T... b);
int f(int a = 1, ...);
template <class T> struct S; template <> struct S<int>; template <> struct S<int> { int a; }; template <> struct S<double>;
template <class T> using V = T; using W = V<int>; using W = int;
template <class T, class U> using V = U*; template <class A, class B> using V = B*; template <class A, class B> using V = A*;
template <class T> using V = const T*; template <class T> using V = T const*;
namespace m { template <class T> struct P {}; template <> struct P<int> {}; } template <> struct m::P<float> {};
template <class T> struct O { template <class U> struct I {}; }; template <> template <> struct O<int>::I<int> {};
template <class T> struct O { template <class U> int f(U); }; template <> template <> int O<int>::f(int) { return 1; }
template <class T> struct O { static int n; }; template <> int O<int>::n = 3;
inline namespace v { template <class T> int f(T) { return 1; } } template <> int f(int) { return 2; }
extern "C++" { template <class T> int f(T) { return 1; } } template <> int f(int) { return 2; }
template <class T> int operator+(T, struct X); template <> int operator+(int, X);
template <class T = int, class U> struct S {};
template <class T = int, class U> struct S;
template <class T = int, class U> using V = U;
template <class T, class U = int> struct S; template <class T = int, class U> struct S;
template <int n = 3, class U> struct S {};
template <class T = int, class... U> struct S {};
template <class T = int, class U> int f(U u);
template <class T> struct S { int f(); }; template <> int S<int>::g() { return 1; }
template <class T> struct S { int f(); }; template <> struct S<int> { int g(); }; template <> struct S<char>;
namespace n { template <class T> struct S { int f(); }; } template <> int n::S<int>::f() { return 1; }
namespace n { template <class T> struct S { int f(); }; } template <> int n::S<int>::g() { return 1; }
template <class T> int f(T x) { return 1; } template <> int f(int x) { return 2; } template <> int f<int>(int y) { return 3; }
template <class T> int f(T x) { return 1; } template <> int f<int>(int x) { return 2; } template <> int f(int y) { return 3; }
template <class T> int f(T x) { return 1; } template <> int f<int>(int x) { return 2; } template <> int f(long y) { return 3; }
template <class T> int f(int x) { return 1; } template <> int f<int>(int x) { return 2; } template <> int f<long>(int y) { return 3; }
template <class T> int f(T x) { return 1; } template <class T> int f(T* x) { return 1; } template <> int f(int* x) { return 2; } template <> int f<int*>(int* y) { return 3; }
namespace n { template <class T> int f(T x) { return 1; } } namespace m { template <> int n::f(int x) { return 2; } }
namespace n { template <class T> struct S {}; } namespace m { template <> struct n::S<int> {}; }
namespace n { template <class T> struct S { int f(); }; } namespace m { template <> int n::S<int>::f() { return 1; } }
namespace n { namespace m { template <class T> int f(T x) { return 1; } } template <> int m::f(int x) { return 2; } }
namespace n { namespace m { template <class T> struct S {}; } template <> struct m::S<int> {}; }
namespace n { template <class T> struct S {}; } namespace o = n; template <> struct o::S<int> {};
namespace n { template <class T> struct S {}; namespace m { template <> struct S<int> {}; } }
namespace n { template <class T> struct S {}; } using n::S; template <> struct S<int> {};
namespace n { template <class T> int f(T x) { return 1; } } using namespace n; template <> int f(int x) { return 2; }
namespace { template <class T> struct S {}; template <> struct S<int> {}; }
namespace n { inline namespace v { template <class T> struct S {}; } template <> struct S<int> {}; } template <> struct n::S<long> {};
struct C { template <class T> struct S {}; template <class T> int f(T); }; template <> struct C::S<int> {}; template <> int C::f(int) { return 1; }
int f(int n); static int f(int n) { return 1; }
static int f(int n); int f(int n) { return 1; }
static int f(int n); int f(long n) { return 1; }
int f(long n); static int f(int n) { return 1; }
namespace { int f(int n); static int f(int n) { return 1; } }
template <class T> int f(T n); template <class T> static int f(T n) { return 1; }
struct S { static int f(int n); }; int S::f(int n) { return n; } static int f(int n) { return n; }
""".strip().splitlines()  # noqa: E501


def refused_by_gxx(text: str) -> bool:
    flags = "-std=c++17 -w -fsyntax-only -x c++ -"
    return (
        subprocess.run(
            ["g++", *flags.split()], input=text, text=True, capture_output=True
        ).returncode
        > 0
    )


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
def test_what_is_declared_twice_is_refused_where_gxx_refuses_it() -> None:
    theirs = {text for text in TEXTS if refused_by_gxx(text)}
    assert {text for text in TEXTS if run(text).errors} == theirs
    assert 35 < len(theirs) < len(TEXTS) - 25


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("struct S {}; struct S {};", "`S` is defined twice", 20),
        ("namespace n { int f() {} int f() {} }", "`n::f` is defined twice", 29),
        ("int x; using x = int;", "`x` is a variable above, and can't be another name", 13),
        ("int f(); double f();", "`f` returns another type above", 16),
        ("using T = int; using T = bool;", "`T` is of another type above", 21),
        ("int f(int a = 1); int f(int a = 2);", "this has a default above", 32),
        ("int f(int a = 1, int b);", "has a default, and this one has none", 17),
        (
            "namespace a {} namespace b {} namespace n = a; namespace n = b;",
            "another namespace",
            57,
        ),
        ("template <> int f(int a) { return 2; }", "`f` is no template", 16),
    ],
)
def test_the_second_of_two_is_pointed_at(text: str, message: str, at: int) -> None:
    error, _ = error_of(text)
    assert message in error.message
    assert error.span.start == at


def test_of_what_stands_behind_a_missing_brace_nothing_is_said() -> None:
    text = "int f() { int n = 1; int g() { int n = 2; } static toy::Show s{1};"
    assert not any("twice" in error.message for error in run(text).errors)


def test_of_a_specialised_function_the_general_body_is_not_run() -> None:
    text = "template <class T> int f(T a) { return 1; } template <> int f(int a) { return 2; }"
    error, shown = error_of(f"{text} static toy::Show s{{f(3)}};")
    assert "which is specialised" in error.message
    assert shown == "f"
