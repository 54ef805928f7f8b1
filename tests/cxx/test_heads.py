"""Stray words and missing `;` between declarations: g++ refuses each, and so do we, at the word."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from registry_runtime.cxx.heads import broken_heads
from tests.cxx.toy import run

BEFORE = """namespace toy { struct Show { Show(int); }; } using toy::Show;
template <typename T> struct Box { static T n; }; template <> struct Box<int> { static int n; };
"""
FUNCTION = "static void f(int);"
CLASS = "struct A {};"
TEMPLATE = "template <> struct Box<char> {};"
OBJECT = "static const toy::Show b(2);"


def refused_by_gxx(text: str) -> bool:
    gxx = ["g++", "-std=c++17", "-fsyntax-only", "-w", "-x", "c++", "-"]
    return subprocess.run(gxx, input=text, text=True, capture_output=True).returncode != 0


# What stands before a declaration, what is said of it, and which of its words that is said of.
STRAY = (
    ("oops", "`oops` does not name a type", "oops"),
    ("statc", "`statc` does not name a type", "statc"),
    ("oops again", "`oops` does not name a type", "oops"),
    ("n::oops<int>", "`n::oops<int>` does not name a type", "n::oops<int>"),
    ("int", "`int` stands alone: another declaration begins behind it", "int"),
    ("toy::Show", "`toy::Show` stands alone: another declaration begins behind it", "toy::Show"),
    ("class", "`class` stands alone: another declaration begins behind it", "class"),
    ("namespace", "`namespace` stands alone: another declaration begins behind it", "namespace"),
    (")", "`)` is not expected here", ")"),
    ("(", "`(` is not expected here", "("),
    (",", "`,` is not expected here", ","),
    ("*", "`*` is not expected here", "*"),
    ("3", "`3` is not expected here", "3"),
    ('"a"', '`"a"` is not expected here', '"a"'),
    ("return", "`return` is not expected here", "return"),
    ("int x", "`;` is missing after `x`", "x"),
    ("int x = 3", "`;` is missing after `3`", "3"),
    ("toy::Show x(1)", "`;` is missing after `)`", ")"),
    ("void g(int)", "`;` is missing after `)`", ")"),
    ("void g(int) oops", "`oops` is not expected here", "oops"),
    ("struct S {}", "`;` is missing after `}`", "}"),
    ("struct S", "`;` is missing after `S`", "S"),
    ("enum E { e }", "`;` is missing after `}`", "}"),
    ("using namespace toy", "`;` is missing after `toy`", "toy"),
    ("typedef int q", "`;` is missing after `q`", "q"),
    ("using q = int*; int z, y", "`;` is missing after `y`", "y"),
)


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize("arguments", ["", "f", "1, &f", "int x"])
def test_of_a_macro_that_is_none_no_semicolon_is_missing(arguments: str) -> None:
    text = f"namespace n {{ {FUNCTION} FOO({arguments}) }}"
    assert refused_by_gxx(text)
    (error,) = run(text).errors
    assert error.message.startswith("`FOO` is not a macro and not a declaration")


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
def test_beside_a_macro_that_is_none_a_missing_semicolon_is_told() -> None:
    text = f"namespace n {{ {FUNCTION} struct A {{}} int x; FOO(f) }}"
    assert refused_by_gxx(text)
    assert [text[e.span.start : e.span.end] for e in run(text).errors] == ["}", "FOO"]


NUMBERS = "template <int, int, int> struct Of {}; struct S { Of<1, 2, 3> f(Of<1, 2, 3> a); };"
OF = "template <class A, class B> struct Of { static long n; };"
MEMBER = "template <> long Of<long, struct s>::n = 3;"


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize("behind", [FUNCTION, CLASS, TEMPLATE, OBJECT])
@pytest.mark.parametrize(("stray", "message", "word"), STRAY)
def test_what_stands_before_a_declaration_is_told_once_and_at_its_word(
    stray: str, message: str, word: str, behind: str
) -> None:
    text = f"{BEFORE}int before;\n{stray}\n{behind}\nstatic const toy::Show c(3);"
    assert refused_by_gxx(text)
    made = run(text)
    told = [(e.message, text[e.span.start : e.span.end]) for e in made.errors]
    assert told == [(message, word)]
    assert made.errors[0].span.start > text.index("before;")
    assert [made.name for made in made.objects][-1] == "c"
    assert behind != OBJECT or "b" in [made.name for made in made.objects]


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize(
    ("text", "message", "word"),
    [
        ("static struct A {};", "`static` is for objects and functions", "static"),
        ("inline struct A {};", "`inline` is for objects and functions", "inline"),
        ("const class B;", "`const` is for objects and functions", "const"),
        ("static static void f();", "`static` can't stand before what follows", "static"),
        ("extern static int x;", "`extern` can't stand before what follows", "extern"),
        ('extern "C" static void f();', '`extern "C"` can\'t stand', 'extern "C"'),
        ('extern "C" template <> struct Box<char>;', '`extern "C"` can\'t stand', 'extern "C"'),
        ("extern template <> struct Box<char>;", "`extern` stands alone", "extern"),
        ("static template <> struct Box<char>;", "`static` stands alone", "static"),
        ("template <class T> template <> int Box<T>::n;", "`template <class T>` stands", None),
        ("thread_local static void f();", "`thread_local` is for objects", "thread_local"),
        ("register static void f();", "`register` can't stand before what", "register"),
        ("mutable static int x;", "`mutable` is for what a class declares", "mutable"),
        ("virtual static void f();", "`virtual` is for what a class declares", "virtual"),
        ("explicit static void f();", "`explicit` is for what a class declares", "explicit"),
        ("friend struct A {};", "`friend` is for what a class declares", "friend"),
        ("static inline static void f();", "`static` can't stand before what", "static"),
        ("void f(); volatile void f();", "`f` returns another type above", "f"),
        ("public: static void f();", "`public:` is not expected here", "public"),
        ("public: struct A {};", "`public:` is not expected here", "public:"),
        ("template static void f();", "`template` stands alone", "template"),
        ("template struct A {};", "`template` stands alone", "template"),
        ("template <> struct A {};", "`template <>` stands alone", "template <>"),
        (f"{OF} template <> {MEMBER}", "`template <>` stands alone", "template <>"),
        ("static_assert struct A {};", "`static_assert` stands alone", "static_assert"),
        ("typename struct A {};", "`typename` stands alone", "typename"),
        ("operator struct A {};", "`operator` stands alone", "operator"),
        (":: struct A {};", "`::` stands alone", "::"),
        ("~ static void f();", "`~` is not expected here", "~"),
        (f"{NUMBERS} oops unsigned n;", "`oops` does not name a type", "oops"),
        ("oops static_assert(true);", "`oops` does not name a type", "oops"),
        ("oops unsigned n;", "`oops` does not name a type", "oops"),
        ("oops toy::Show b(2);", "`oops` does not name a type", "oops"),
        ("oops static Box<int> b;", "`oops` does not name a type", "oops"),
        ("int f() { return 1; } )", "`)` is not expected here", ")"),
        ("namespace n { int x } int y;", "`;` is missing after `x`", "x"),
        ("int x oops;", "`oops` is not expected here", "oops"),
    ],
)
def test_words_that_cannot_stand_together_are_told_once(
    text: str, message: str, word: str | None
) -> None:
    text = f"{BEFORE}{text}\nstatic const toy::Show c(3);"
    assert refused_by_gxx(text)
    made = run(text)
    (error,) = made.errors
    assert error.message.startswith(message)
    assert word is None or text[error.span.start : error.span.end] == word
    assert [made.name for made in made.objects][-1] == "c"


# A list of template parameters that isn't closed, with ^ before the last, and what is declared behind.
UNCLOSED = (
    ("template <typename ^T", "struct A { T x; }; A<toy::Show>* p; void f(A<int>);"),
    ("template <class ^T", "class A; A<int>* p;"),
    ("template <typename T, typename... ^Ts", "void f(T a, Ts... rest) { g(a > 1); }"),
    ("template <typename U, unsigned int ^n", "U f(U a);"),
    ("template <int ^n", "using Alias = Numbered<n>;"),
    ("namespace n { template <typename ^T", "inline T f(T a) { return a; } }"),
)


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize(("unclosed", "behind"), UNCLOSED)
def test_a_template_whose_parameters_nothing_closes_is_told_once_and_mended(
    unclosed: str, behind: str
) -> None:
    before = "template <typename T> bool g(T); template <int n> struct Numbered;\n" + BEFORE
    text = f"{before}\n{unclosed.replace('^', '')}\n{behind}\n{OBJECT}"
    name = unclosed.partition("^")[2]
    assert refused_by_gxx(text)
    assert not refused_by_gxx(text.replace(f"{name}\n", f"{name}>\n"))
    result = run(text)
    (error,) = result.errors
    assert error.message == f"`>` is missing after `{name}`"
    assert error.span.start == text.index(f"{name}\n{behind}")
    assert [made.name for made in result.objects] == ["b"]


VALID = r"""
template <int n, bool b = (n > 3), typename T = int, class... Ts> struct Parameters { int x; };
template <int m, bool b = (m < 3)> void below(); template <template <typename T> class C> void take();
template <typename T> struct Q { template <typename U> U get() const; static T t; };
template <typename T> template <typename U> U Q<T>::get() const { return U(); }
template <> struct Q<char> { int operator()(int) const; operator bool() const; ~Q(); Q(); int a; };
int Q<char>::operator()(int x) const { return x; } Q<char>::operator bool() const { return true; }
Q<char>::Q() : a(1) {} Q<char>::~Q() {} template struct Q<long>; extern template struct Q<short>;
unsigned long long int const static u = 1; int typedef i_t; long signed unsigned_; double long ld;
struct { int x; } static const anonymous = {}, *another; enum class E : unsigned char { a, b };
static struct P { int x; } p, *pp; typedef struct T_ { int a; } T_, *T_p; class F final {};
extern "C" { void c1(); typedef int (*fp)(int, ...); } extern "C" int c2; extern "C++" { int c3; }
auto g() -> decltype(u); auto h(int) noexcept(true) -> int*; int (*fpp(int))(int); int (&r())[3];
int a1[] = {1, 2}, *a2 = a1, (*a3)[2] = &a1; auto [s1, s2] = a1; int b1{3}, b2(4);
auto l = [](int x) mutable -> struct P { return P{x}; }; auto m = [] (auto x) constexpr { return x; };
bool less = 1 < 2, more = 3 > 2; bool both = u < 3 and not more; int t = sizeof(struct P) > 2 ? 1 : 2;
inline namespace v1 { namespace { int hidden; } } namespace w = v1;
namespace x1::x2 { using v1::hidden; }
[[maybe_unused]] static int attributed [[maybe_unused]] = 1; alignas(8) int aligned; void none() {} ;
__attribute__((unused)) static inline int __f1(void) { return 0; } __extension__ typedef long __x_t;
int __v = 3; struct __attribute__((packed)) packed { int x; }; void u1() __attribute__((cold));
int Q<char>::*member = &Q<char>::a; int (Q<char>::*method)(int) const = &Q<char>::operator();
asm(""); static_assert(sizeof(int) == 4, "four"); static_assert(true); struct ::P elaborated;
template <typename... Ts> void pack(Ts&&... ts); template <int N, typename = void> constexpr int n = N;
template <template <typename> class K> void kk(); using al = const struct P*; using un = unsigned;
bool operator==(const P&, const P&) { return true; } P operator"" _p(unsigned long long); ::P global;
int try_it() try { return 1; } catch (...) { return 2; } const char* text = "a" "b" R"(;{)";
thread_local int tl;
void f1() {} void f2(), f3(int); extern int e1, e2; constexpr auto e3 = E::a; volatile bool vb;
struct P *sp;
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
def test_whatever_a_compiler_takes_is_no_broken_head() -> None:
    gxx = ["g++", "-std=c++17", "-fsyntax-only", "-w", "-x", "c++", "-"]
    taken = subprocess.run(gxx, input=VALID, text=True, capture_output=True)
    assert not taken.stderr
    assert [VALID[f.span.start : f.span.end + 40] for f in broken_heads(VALID)] == []


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ has the headers")
def test_no_head_of_the_standard_librarys_is_broken() -> None:
    headers = "#include <functional>\n#include <iostream>\n#include <map>\n#include <thread>\n"
    gxx = ["g++", "-std=c++17", "-E", "-P", "-x", "c++", "-"]
    text = subprocess.run(gxx, input=headers, text=True, capture_output=True, check=True).stdout
    # So that what is in the compiler's own namespaces is read as well.
    text = text.replace("namespace std", "namespace its").replace("namespace __", "namespace x")
    assert [text[f.span.start : f.span.end + 40] for f in broken_heads(text)] == []
