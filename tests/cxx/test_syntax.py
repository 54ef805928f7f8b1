"""Text that is not C++, or not the C++ that the grammar knows."""

import pytest

from tests.cxx.toy import error_of, run


@pytest.mark.parametrize(
    ("text", "message", "shown"),
    [
        ("toy::Show a(1 @ 2); int x;", "not understood: `@` is not expected here", "@"),
        ("toy::Show a(1, ; int x;", "not understood: `(` is not expected here", "("),
        ("toy::Show a(1)  toy::Show b(2);", "`;` is missing after `)`", ")"),
        ("toy::Show a(1 2);", "a comma is missing before `2`", "2"),
        ('toy::Show a("one" two);', "a comma is missing before `two`", "two"),
        ("toy::Show a((1) 2);", "a comma is missing before `2`", "2"),
        ("toy::Show a(f<int int8_t>());", "a comma is missing before `int8_t`", "int8_t"),
        ("toy::Show a({1, 2 3});", "a comma is missing before `3`", "3"),
        # A macro that nobody defined may be meant to mark the element: then no comma is missing.
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
        "1 + 2;",
        "struct class { int new; }; int *f(int class) { return class[new]; }",
        '_Static_assert(sizeof(int) == 4, "an int has 4 bytes");',
        "device void f(int n) { f(n) } int size = offsetof(struct s, b);",
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
