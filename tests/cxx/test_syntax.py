"""Text that is not C++, or not the C++ that the grammar knows."""

import shutil
import subprocess

import pytest

from tests.cxx.toy import error_of, run


@pytest.mark.parametrize(
    ("text", "message", "shown"),
    [
        ("toy::Show a(1 @ 2); int x;", "not understood: `@` is not expected here", "@"),
        ("toy::Show a(1, ; int x;", "this `(` is never closed", "("),
        ("toy::Show a(1)  toy::Show b(2);", "`;` is missing after `)`", ")"),
        ("toy::Show a(1 2);", "a comma is missing before `2`", "2"),
        ('toy::Show a("one" two);', "a comma is missing before `two`", "two"),
        ("toy::Show a((1) 2);", "a comma is missing before `2`", "2"),
        ("toy::Show a(f<int int8_t>());", "a comma is missing before `int8_t`", "int8_t"),
        ("toy::Show a({1, 2 3});", "a comma is missing before `3`", "3"),
        (
            "void f(int& c const int& x) {} toy::Show a(&f);",
            "a comma is missing before `const`",
            "const",
        ),
        (
            "void f(int c, float x int o) {} toy::Show a(&f);",
            "a comma is missing before `int`",
            "int",
        ),
        ("void f(T& c, U x W o) {} toy::Show a(&f);", "a comma is missing before `W`", "W"),
        # A macro that nobody defined may be meant to mark the parameter: then no comma is missing.
        (
            "void f(T x UNUSED, int y) {} toy::Show a(&f);",
            "not understood: `x` is not expected here",
            "x",
        ),
        # Or an element.
        (
            "toy::Show a(1, UNLIKELY x);",
            "not understood: `x` is not expected here",
            "x",
        ),
        ("toy::Show x = ;", "not understood: `=` is not expected here", "="),
        ("int f() { return 1; }}", "this `}` closes nothing", "}"),
        ("DEFINE(x, y)", "`DEFINE` is not a macro and not a declaration", "DEFINE"),
        ("FOO;", "not understood: `FOO` is not a declaration", "FOO"),
    ],
)
def test_the_message_and_the_place(text: str, message: str, shown: str) -> None:
    error, found = error_of(text)
    assert error.message.startswith(message)
    assert found == shown


def test_what_stands_beside_a_broken_declaration_still_runs() -> None:
    text = "toy::Show a(1); toy::Show b(1 @ 2); namespace n { toy::Show c(3); } int = 3;"
    text += " toy::Show d(4);"
    assert [item.name for item in run(text).objects] == ["a", "n::c", "d"]


def test_an_unclosed_brace_is_told_where_it_opens() -> None:
    text = "int x; namespace n { toy::Show a(1);"
    error, shown = error_of(text)
    assert error.message == "this `{` is never closed, so everything below is inside it"
    assert error.span.start == text.index("{")
    assert shown == "{"
    assert [item.name for item in run(text).objects] == ["n::a"]


def test_braces_in_strings_and_comments_and_characters_do_not_count() -> None:
    text = """
    // {
    /* { */ const char* a = "{"; char b = '{'; const char* c = R"({)"; int d = 1'000;
    namespace n { toy::Show s("{"); }
    """
    assert run(text).errors == ()


@pytest.mark.parametrize(
    "text",
    [
        "int x = ;",
        '_Static_assert(sizeof(int) == 4, "an int has 4 bytes");',
        "__device__ void f(int n) { f(n); } int size = offsetof(struct s, b);",
    ],
)
def test_what_cannot_be_read_beside_a_registration_is_skipped_quietly(text: str) -> None:
    result = run(f"{text}\ntoy::Show s(1);")
    assert (result.errors, result.warnings) == ((), ())
    assert [item.name for item in result.objects] == ["s"]


def test_an_error_in_a_body_that_nobody_runs_is_skipped() -> None:
    text = "template <typename T> void f(T x) { x @ 1; } struct S { int = 3; }; toy::Show s(1);"
    result = run(text)
    assert result.errors == ()
    assert [text[w.span.start : w.span.end] for w in result.skipped] == ["x", "int"]
    assert len(result.objects) == 1


def test_an_error_in_a_body_that_may_have_swallowed_an_object_is_an_error() -> None:
    text = "void f() { if (x { } toy::Show s(1); }"
    assert run(text).errors != ()


def test_the_compilers_own_namespaces_are_not_judged() -> None:
    text = (
        "namespace std { template <typename T> = 3; void f() { @ } } namespace __gnu { int = 1; }"
    )
    assert (run(text).errors, run(text).warnings) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "static int x __attribute__((unused)) = 1;",
        "void f(int x __attribute__((unused)), int* y __attribute__ ((__unused__(1)))) {}",
        "__attribute__((visibility(\"default\"))) int g() { return 0; }",
        "extern template class Q<int>; toy::Show s(1);",
        "typedef _Complex float cfloat;",
        "template <typename T> tuple(T) -> tuple<T>;",
        "S::S(int x) {} S::~S() {} bool S::operator==(const S& s) {} using a::operator!=;",
    ],
)  # fmt: skip
def test_c_plus_plus_that_the_grammar_stumbles_over_is_no_error(text: str) -> None:
    assert run(text).errors == ()


def test_positions_are_characters_of_the_text_that_was_given() -> None:
    text = "// 中文 é 🚀 \ud800 \0\n"
    text += 'namespace 名 { toy::Show 对象("строка", toy::nothing); } toy::Show s("é");'
    result = run(text)
    (error,) = result.errors
    assert text[error.span.start : error.span.end] == "nothing"
    (item,) = result.objects
    assert text[item.span.start : item.span.end] == 'toy::Show s("é");'
    assert item.value.values == ("é",)  # type: ignore[attr-defined]


def test_a_character_that_no_identifier_may_hold_is_told_where_it_stands() -> None:
    error, shown = error_of("int a; toy::Show s(🚀 1);")
    assert "🚀" in error.message
    assert shown == "🚀"


# The grammar takes each of these; what the compiler says of it stands beside what we say.
TOO_KIND = (
    ("struct S {}; void f(const S& void);", "`void` is a keyword, and can't be a name"),
    ("struct S {}; void f(S* return, int x);", "`return` is a keyword, and can't be a name"),
    ("int f(long n, int struct);", "`struct` is a keyword, and can't be a name"),
    ("void* p = reinterpret_cast<reinterpret_cast*>(0);", "`reinterpret_cast` is a keyword"),
    ("namespace n { struct S {}; } n::::S s;", "`::S` stands behind a `::`"),
    (
        "namespace n { struct S {}; template <class T> int g(); } int x = n::g<n::::S>();",
        "`::S` st",
    ),
    ("const const int x = 1;", "`const` stands here twice"),
    ("template <typename T T> int f();", "`T` stands behind `typename`, and has no `::`"),
    ("template <class T> struct A {}; typename A<int> a;", "`A<int>` stands behind `typename`"),
    ("template <typename return> int f();", "`return` is a keyword, and can't be a name"),
    # Their neighbours, which a compiler takes.
    ("namespace n { struct S {}; } ::n::S s; int f(const n::S&);", ""),
    ("int f(void); int (*g)(void); unsigned w = unsigned(3); unsigned int z; long long q;", ""),
    ("const char* const* const p = 0; int const volatile v = 1; extern char** const e;", ""),
    ("struct S { S(const S&) = default; static const int n = static_cast<int>(1.5); };", ""),
    (
        "template <class T, typename U = typename T::type> typename T::type f(typename T::type t);",
        "",
    ),
    ("template <class T> typename T::template of<int>::type f(); template <typename> int g();", ""),
    ("template <int N> struct A {}; A<static_cast<int>(sizeof(int))> a;", ""),
    ("struct S {}; void f(S* S); void g(const S& s, int void_, int const_);", ""),
)


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize(("text", "said"), TOO_KIND)
def test_what_only_the_grammar_takes_is_refused_as_by_gxx(text: str, said: str) -> None:
    gxx = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    taken = subprocess.run(gxx, input=text, text=True, capture_output=True).returncode == 0
    assert taken == (not said)
    told = [error.message for error in run(text).errors]
    assert len(told) == (not taken)
    assert all(message.startswith(said) for message in told)


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize("comma", [",", ""])
def test_between_a_string_and_a_functions_address_a_comma_is_missing(comma: str) -> None:
    text = "void f(); namespace toy { struct Show { Show(const char*, void (*)()); }; }"
    text += f'toy::Show a("one"{comma} &f);'
    gxx = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    taken = subprocess.run(gxx, input=text, text=True, capture_output=True).returncode == 0
    told = [(error.message, text[error.span.start :]) for error in run(text).errors]
    assert told == ([] if taken else [("a comma is missing before `&`", "&f);")])


def test_what_only_the_grammar_takes_constructs_nothing() -> None:
    made = run("const const toy::Show a(1); toy::Show b(2);")
    assert [item.name for item in made.objects] == ["b"]
    assert [error.message for error in made.errors] == ["`const` stands here twice"]


def test_in_the_compilers_own_namespaces_the_grammar_may_lose_its_way() -> None:
    assert run("namespace std { void f(int void); } toy::Show a(1);").errors == ()
