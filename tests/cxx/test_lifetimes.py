"""Objects of bodies: when they have a value and when they are gone, who may change them, and in which
order that happens."""

import pytest

from tests.cxx.toy import call, error_of, show

BEFORE = """
const int& same(const int& n) { return n; }
int& itself(int& n) { return n; }
int& gone() { int n = 3; return n; }
int add(int a, int b) { return a + b; }
"""
NO_VALUE, GONE = "has no value yet", "doesn't exist any more here"
MOVED, MAY_HAVE_MOVED = "was moved from", "this element may have moved"
NO_ORDER = "one operand changes what another one uses"
A_PROXY = "an element of a `std::vector<bool>` is no bool"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("int n; return n;", NO_VALUE),
        ("int n; n += 1; return n;", NO_VALUE),
        ("int n = 1; { int n = n; return n; }", NO_VALUE),
        ("int a[2]; a[0] = 1; return a[1];", NO_VALUE),
        ("int* p; return *p;", NO_VALUE),
        ("int n = 1; int* p = &n; { int m = 2; p = &m; } return *p;", GONE),
        ("auto f = [] { int n = 1; return [&] { return n; }; }; return f()();", GONE),
        ("return gone();", GONE),
        ("const int& r = same(3); return r;", GONE),
        ("int n = 2; const auto& r = std::max(n, 3); return r;", GONE),
        ('std::string s = "a"; const char& c = s[0]; s = "b"; return c;', GONE),
        ("std::vector<int> v{1}; auto w = std::move(v); return v.size();", MOVED),
        ('std::string s = "a"; std::string t = std::move(s); return s.size();', MOVED),
        ("std::vector<int> v{1}; auto& r = v[0]; v.push_back(2); return r;", MAY_HAVE_MOVED),
        ("std::vector<int> v{1}, w; auto& r = v[0]; v = w; return r;", MAY_HAVE_MOVED),
        (
            "std::vector<int> v{1}; auto i = v.begin(); v.push_back(2); v.erase(i); return 1;",
            "this iterator leads to no element",
        ),
        (
            "std::vector<int> v{1, 2}; for (int x : v) v = {x}; return 1;",
            "changes inside of its loop",
        ),
        ("int i = 1; return i++ + i;", NO_ORDER),
        ("int i = 1; return i * --i;", NO_ORDER),
        ("int i = 1; return (i = 2) + (i = 3);", NO_ORDER),
        ("int i = 1; return add(i++, i);", NO_ORDER),
        ("int i = 1; return i++ << i;", NO_ORDER),
        ("int i = 1; return std::max(i, ++i);", NO_ORDER),
        ("int i = 1; auto next = [&] { return ++i; }; return next() + next();", NO_ORDER),
        ("std::vector<int> v; return v.size() + (v.push_back(1), 1u);", NO_ORDER),
        ("std::vector<bool> v{true}; auto b = v[0]; return b;", A_PROXY),
        ("std::vector<bool> v{true}; const auto& b = v[0]; return b;", A_PROXY),
        ("std::vector<bool> v{true}; for (auto b : v) return b; return false;", A_PROXY),
        (
            "const std::vector<int> v; v.push_back(1); return 1;",
            "is const, and `push_back` changes it",
        ),
        ("std::vector<int> v; const auto& w = v; w.clear(); return 1;", "and `clear` changes it"),
        ("const std::vector<int> v{1}; v.at(0) = 2; return 1;", "`v.at(0)` is const"),
        ("const int n = 1; int& r = n; return r;", "`n` is const, and `int&` isn't"),
        ("const int n = 1; int* p = &n; return *p;", "a `const int*` where a `int*` is"),
        (
            "int n = 1; double* p = &n; return 1;",
            "a `int*` where a `double*` is wanted",
        ),
        ("int n = 1; int&& r = n; return r;", "can't be a reference to what has a name"),
        ("int a[2] = {1, 2, 3}; return 1;", "this array has 2 elements, and 3 are listed"),
    ],
)
def test_what_has_no_meaning_is_refused(body: str, message: str) -> None:
    error, _ = error_of(f"{BEFORE} auto f() {{ {body} }} static toy::Show s{{f()}};")
    assert message in error.message


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n; n = 3.9; return n;", 3),
        ("static int n; n += 2; return n;", 2),
        ("int n{}; return n;", 0),
        ("int a[3] = {1}; return a[0] + a[1] + a[2];", 1),
        ("const int a[] = {1, 2}; const int* p = a; return p[1] + *p;", 3),
        ("int a[2] = {1, 2}; auto b = a; b[0] = 9; return a[0];", 9),
        ("int n = 5; const auto& r = std::max(n, 3) + 0; n = 7; return r;", 5),
        ("int n = 5, m = 3; const auto& r = std::max(n, m); n = 7; return r;", 7),
        ("int n = 5, m = 3; const int& r = n > m ? n : m; n = 7; return r;", 7),
        ("int n = 5; const double& r = true ? n : 2.5; n = 7; return r;", 5.0),
        ("int n = 1; int& r = (n = 3); r = 8; return n;", 8),
        ("int n = 1; (++n) = 5; return n;", 5),
        ("int n = 1; int&& r = std::move(n) + 0; n = 6; return r;", 1),
        ("std::vector<int> v{1}; auto& r = v.back(); r = 7; return v[0];", 7),
        ("std::vector<int> v{1}; const auto& r = v.front(); v[0] = 9; return r;", 9),
        ("std::vector<int> v{1}; auto w = std::move(v); v = w; return v.size();", 1),
        ("std::vector<bool> v{true}; bool b = v[0]; v[0] = false; return b;", True),
        ("int i = 1; i = i++ + 1; return i;", 2),
        ("int i = 0; int a[2] = {7, 7}; a[i] = i++; return a[1] * 10 + a[0];", 7),
        ("int i = 1; return (i++, i) * 10 + 1;", 21),
        ("int i = 2; auto f = [n = i * 2, &i] { return n + i; }; i = 5; return f();", 9),
        ("const int n = 1; auto& r = n; return r;", 1),
        ("int n = 1; return static_cast<const int&>(n) + 1;", 2),
    ],
)
def test_a_reference_is_the_object_and_a_value_is_a_copy(body: str, value: object) -> None:
    assert call(body, parameters="") == value


def test_a_function_may_return_a_reference() -> None:
    text = (
        f"{BEFORE} int f() {{ int n = 1; itself(n) = 4; const int& r = same(n); n = 6; return r; }}"
    )
    assert show("f()", before=text) == (6,)
