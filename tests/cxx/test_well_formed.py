"""What no compiler takes registers nothing, wherever in a body it stands."""

import pytest

from registry_runtime.cxx import CxxError
from tests.cxx.toy import call, error_of

BEFORE = "int g(int a, int b = 2) { return a + b; } void h(int& n) { n = 2; } "


@pytest.mark.parametrize(
    ("body", "message", "at"),
    [
        ("if (false) { return zz; }", "`zz` is not known here", "zz"),
        ("if (false) { unheard_of(3); }", "`unheard_of` is not known here", "unheard_of"),
        ("if (false) { g(); }", "`g` has 2 parameters and is called with 0", "g()"),
        ("if (false) { g(1, 2, 3); }", "`g` has 2 parameters and is called with 3", "g(1, 2, 3)"),
        ('if (false) { g("a"); }', "a string literal where a `int` is wanted", '"a"'),
        ("if (false) { h(3); }", "`int&` can't be a reference to `3`", "3"),
        ("const int n = 1; if (false) { h(n); }", "`n` is const", "n"),
        ("const int n = 1; if (false) { n = 2; }", "`n` is const", "n"),
        ("const int a[2] = {1, 2}; if (false) { a[0] = 2; }", "`a[0]` is const", "a[0]"),
        ('if (false) { int n = "a"; }', "a string literal where a `int` is wanted", '"a"'),
        ("if (false) { std::string s = 3; }", "a `int` where a `std::string` is wanted", "3"),
        ("if (false) { int n = nullptr; }", "nullptr where a `int` is wanted", "nullptr"),
        ("if (false) { int8_t n{300}; }", "`int` is narrowed to `int8_t` in braces", "300"),
        ("double d = 1; if (false) { d % 2; }", "there is no `%` for `double` and `int`", "d % 2"),
        ("int n = 1; if (false) { n++ + ++n++; }", "is a value, and can't be changed", "n++"),
        ("int n = 1; if (false) { (n + 1) = 2; }", "is a value, and can't be changed", "n + 1"),
        ("std::vector<int> v; if (false) { v.unheard_of(); }", "has no member", "unheard_of"),
        ("std::string s; if (s) {}", "`std::string` is no condition", "s"),
        ("int a[2] = {1, 2}; a.size();", "`a` is a pointer", "."),
        ("int n = 1; auto f = [n] { return n; }; !f;", "a lambda is no condition", "f"),
        (
            "auto f = [](int a) { return a; }; f = 3;",
            "`f` is a lambda, to which nothing is assigned",
            "f = 3",
        ),
        ("break;", "there is nothing to break out of here", "break;"),
        ("switch (1) { case 1: continue; }", "there is no loop to continue here", "continue;"),
        ("switch (1) { case 1: case 1: ; }", "`1` is a case of this switch already", "1"),
        ("switch (1) { case 1: int n = 2; case 2: ; }", "a later case jumps over", "int n = 2;"),
        ("switch (1) { int n = 2; case 1: ; }", "a later case jumps over", "int n = 2;"),
        ("for (int i = 0; i < 2; ++i) { int i = 1; }", "`i` is declared twice", "i"),
        ("if (int n = 1; n) { int n = 2; }", "`n` is declared twice", "n"),
        ("auto n = 1, m = 2.5;", "`auto` is a `int` in this declaration", "m = 2.5"),
        ("const int n;", "a variable without a value", "n"),
        (
            "double d = 1; if (false) { std::string& s = d; }",
            "can't be a reference to a `double`",
            "d",
        ),
        ("int n = 1; if (false) { std::max(n, 2) = 5; }", "can't be changed", "std::max(n, 2)"),
        ("int n = 1; if (false) { (n ? n : 8l) += 1; }", "can't be changed", None),
        ("unsigned n = 1; if (false) { std::abs(n); }", "std::abs is ambiguous", "std::abs(n)"),
        ("int& n;", "a variable without a value", "& n"),
        ("auto f = [&](int n) { return f(n); };", "`f` is used before its type is known", "f"),
        ("auto f = [f] { return 1; };", "`f` is used before its type is known", "f"),
        ("float n = 1; if (false) { auto m = std::max<int>(2, 1) * n; m <<= 1; }", "no `<<`", None),
        ("int n = 1; auto f = [] { return n; };", "`n` isn't captured by this lambda", "n"),
        ("int n = 1; auto f = [=] { n = 2; };", "`n` is const", "n"),
        (
            "auto f = [](int n) { if (n) return 1; return 2.5; };",
            "a `double` is returned where it was a `int` before",
            "2.5",
        ),
        ("auto f = [](int n) { return n; }; if (false) f();", "has 1 parameters", "f()"),
    ],
)
def test_what_does_not_compile_is_refused_where_it_never_runs(
    body: str, message: str, at: str | None
) -> None:
    text = f"{BEFORE} int f() {{ {body} return 0; }} static toy::Show s{{f()}};"
    error, shown = error_of(text)
    assert message in error.message
    assert at is None or shown == at


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("int f(int a, int a) { return a; }", "`a` is declared twice"),
        ("int f(int a, int b) { int a = 2; return a; }", "`a` is declared twice"),
        ("void f(int a, int b) { return 1; }", "a function that is `void` returns nothing"),
        ("int f(int a, int b) { return; }", "a `int` is to be returned here"),
        ("std::string f(int a, int b) { }", "`f` ends without a `return`"),
        ("auto f(int a, int b) { if (a) return a; return 2.5; }", "is returned where it was"),
    ],
)
def test_a_function_that_does_not_compile_is_refused(function: str, message: str) -> None:
    error, _ = error_of(
        f"{function} int main_() {{ f(1, 2); return 0; }} static toy::Show s{{main_()}};"
    )
    assert message in error.message


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = 1; { double n = 2.5; { int8_t n = 3; } } return n;", 1),
        ("int n = 1; auto f = [n](int a) { return n + a; }; n = 5; return f(1);", 2),
        ("using T = int; T n = 3; if (false) { T m = n; } return n;", 3),
        ("switch (3) { case 1: { int n = 2; } case 3: return 5; } return 1;", 5),
        ("while (true) { if (false) continue; break; } return 1;", 1),
        ('std::string s; if (false) { s = s + "a"; s += s; } return s.size();', 0),
        ("auto f = [](int n) { if (n) return 1; return 2; }; return f(0);", 2),
        ("auto f = [](int a, int b = 3) { return a + b; }; return f(1);", 4),
    ],
)
def test_what_compiles_is_not_refused(body: str, value: object) -> None:
    assert call(body, parameters="") == value


def test_a_body_is_checked_each_time_it_is_called() -> None:
    for _ in range(2):
        with pytest.raises(CxxError, match="`zz` is not known here"):
            call("if (false) return zz; return 1;", parameters="")
