"""Numbers in bodies have C++'s types: what they are converted to, and what is refused."""

import shutil
from pathlib import Path

import pytest

from registry_runtime.cxx import CxxError
from tests.cxx.judge import judge, programs
from tests.cxx.toy import call, error_of, run, show


@pytest.mark.compiler
def test_random_functions_have_the_values_that_gpp_gives_them(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    verdict = judge(programs("make test", 400), tmp_path)
    assert verdict.differences == []
    assert verdict.equal > 150
    assert verdict.ill_formed > 50


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = 3.9; return n;", 3),
        ("unsigned char n = 300; return n;", 44),
        ("int8_t n = 300; return n;", 44),
        ("bool b = 7; return b + b;", 2),
        ("float f = 0.1; return f == 0.1;", False),
        ("int n = 1; n = 2.9; n += 0.9; return n;", 2),
        ("unsigned n = 0; n -= 1; return n;", 4294967295),
        ("uint8_t n = 255; ++n; return n;", 0),
        ("char c = 'a'; c += 1; return c;", 98),
        ("return 7 / 2 + -7 / 2 + -7 % 3;", -1),
        ("return 7 / 2.0;", 3.5),
        ("return 1u < -1;", True),
        ("return true ? 7 : 2.5;", 7.0),
        ("return (true ? 7 : 2.5) / 2;", 3.5),
        ("int8_t h{100}; short w = {7}; return h + w;", 107),
        ("int n = 5; double& d = *(double*)nullptr; return n;", None),
        ("int n = 5; const double& d = n; n = 6; return d;", 5.0),
        ("int n = 5; int* p = &n; n = 6; *p += 1; return n + *p;", 14),
        ("int n = 0; decltype(n) m = 2.5; return m;", 2),
        ("auto f = [](int8_t a) -> int { return a + 0.9; }; return f(300);", 44),
        ("std::vector<int> v{1, 2}; for (auto& x : v) x *= 2.5; return v[0] + v[1];", 7),
        ("std::vector<int> v(2, 3.9); auto& x = v[1]; x = 7; return v[0] * 10 + v[1];", 37),
        ("std::vector<int> v; return v.size() - 1;", 2**64 - 1),
        ("return std::max<int64_t>(3, 4.9) + std::min(2, 1) + std::abs(-2);", 7),
        ("return std::sqrt(16) + std::floor(-0.5) + std::ceil(0.5f);", 4.0),
        ("int v[] = {4, 5}; v[0] = 1.9; return v[0] + v[1];", 6),
        ("switch (2) { case 1u: return 1; case 2ULL: return 2; } return 3;", 2),
    ],
)
def test_a_number_is_of_the_type_that_it_is_declared_with(body: str, value: object) -> None:
    if value is None:
        with pytest.raises(CxxError):
            call(body, parameters="")
        return
    made = call(body, parameters="")
    assert (made, type(made)) == (value, type(value))


def test_parameters_and_results_are_converted() -> None:
    narrow = "int8_t narrow(double x) { return static_cast<int>(x + 200); }"
    (f,) = show("&f", before=f"{narrow} int f() {{ return narrow(56.9f); }}")
    assert callable(f)
    assert f() == 0
    (g,) = show("&g", before="float g(int x, unsigned char y = 257) { return x + y + 0.1; }")
    assert callable(g)
    assert g(3.9) == 4.099999904632568


def test_an_integer_of_static_initialisation_has_its_width() -> None:
    before = "constexpr int8_t k = 300; const unsigned m{7}; static float f = 0.1;"
    assert show("k, m - 8, f", before) == (44, 4294967295, 0.10000000149011612)
    grows = "static int f() { int x = 3; while (x) { x = x * x; } return x; }"
    error, at = error_of(f"{grows} static toy::Show s{{f()}};")
    assert (error.message, at) == ("`43046721 * 43046721` overflows `int`", "x * x")
    assert error.hint == "what C++ makes of it is undefined"
    wraps = grows.replace("int x", "unsigned x")
    error, _ = error_of(f"{wraps} static toy::Show s{{f()}};")
    assert error.message == "stopped after 4096 rounds: does this loop end?"


@pytest.mark.parametrize(
    ("body", "message", "at"),
    [
        ("int n = 2147483647; return n + 1;", "`2147483647 + 1` overflows `int`", "n + 1"),
        ("return -2147483647 - 2;", "overflows `int`", "-2147483647 - 2"),
        ("int n = 2147483647; ++n;", "overflows `int`", "++n"),
        ("int n = 0; return 1 / n;", "`1 / 0` divides by zero", "1 / n"),
        ("int n = 0; return 1 % n;", "`1 % 0` divides by zero", "1 % n"),
        ("double d = 0; return 1 / d;", "`1 / 0` divides by zero", "1 / d"),
        ("int n = 32; return 1 << n;", "is too far: `int` has 32 bits", "1 << n"),
        ("int n = -1; return n << 1;", "overflows `int`", "n << 1"),
        ("int n = 3e9;", "3e+09 is out of range for `int`", "3e9"),
        ("float f = 1e300;", "1e+300 is out of range for `float`", "1e300"),
        ("int n{3.9};", "`double` is narrowed to `int` in braces", "3.9"),
        ("int8_t n{300};", "`int` is narrowed to `int8_t` in braces", "300"),
        ("int n = 3; int8_t m{n};", "`int` is narrowed to `int8_t` in braces", "n"),
        ("std::vector<int> v{1, 2.5};", "`double` is narrowed to `int` in braces", None),
        ("return 5.0 % 2;", "there is no `%` for `double` and `int`", "5.0 % 2"),
        ("return ~2.5;", "there is no `~` for `double`", "~2.5"),
        ("bool b = true; ++b;", "there is no `++` for `bool`", "++b"),
        ("int n = 1; double& d = n;", "can't be a reference to a `int`", "n"),
        ("int& n = 1;", "can't be a reference to the value `1`", "1"),
        ("const int n = 1; const int* p = &n; *p = 2;", "`*p` is const", "*p"),
        ("int n = 1; const int* p = &n; *p = 2;", "`*p` is const", "*p"),
        ("int n = 1; int n = 2;", "`n` is declared twice", "n"),
        ('int n = "3";', "a string literal where a `int` is wanted", '"3"'),
        ("toy::Colour c = 1;", "this is no `toy::Colour`", "1"),
        ("return std::max(1, 2.5);", "std::max takes two objects of one type", None),
        ("return 1.0L;", "not understood: the number `1.0L`", "1.0L"),
        ("long double d = 1.5;", "`long double` isn't read here", "long double"),
        ("switch (2.5) { default: return 1; }", "a switch takes an integer", "2.5"),
    ],
)
def test_what_cpp_leaves_undefined_or_refuses_is_refused(
    body: str, message: str, at: str | None
) -> None:
    text = f"int f() {{ {body} return 0; }} static toy::Show s{{f()}};"
    error, shown = error_of(text)
    assert message in error.message
    assert at is None or shown == at


def test_a_function_that_forgets_its_result_is_refused() -> None:
    error, _ = error_of("int f(int n) { if (n) return 1; } static toy::Show s{f(0)};")
    assert error.message == "`f` ends without a `return`"


UNREAD = "struct X { X(int); }; struct Y; using Z = X;"


@pytest.mark.parametrize(
    "body",
    [
        *("X x;", "X x(3);", "int a = 3; X x(a);", "X x{3};", "X x = 3;", "auto x = X(3);"),
        *("auto x = X{3};", "Z z(3);", "const X x(3);", "static X x(3);", "X x = {3};", "X(3);"),
        *("Unknown u;", "Unknown u(3);", "std::mutex m;", "int a = 3; std::atomic<int> n(a);"),
    ],
)
def test_an_object_of_a_class_that_nobody_reads_is_refused(body: str) -> None:
    result = run(f"{UNREAD} int f() {{ {body} return 0; }} static toy::Show s{{f()}};")
    assert len(result.errors) == 1
    assert result.objects == ()


def test_a_variable_of_a_class_that_nobody_reads_has_no_value() -> None:
    error, _ = error_of(f"{UNREAD} static X x(3); static toy::Show s{{x}};")
    assert error.message == "`X` isn't read here: nobody knows what makes an object of it"
    assert error.hint == "use numbers, strings, vectors, and the framework's own classes"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ('std::string s("NCHW"); return s.find("H") != std::string::npos;', True),
        ("std::string s = \"NCHW\"; return s.find('x') == std::string::npos;", True),
        ("int n = 0; for (char c : std::string(\"abc\")) n += c - 'a'; return n;", 3),
        ('int n = 0; for (auto& s : {"a", "bc"}) n += std::string(s).size(); return n;', 3),
        ('std::string s; s += "a"; s = s + "b" + s; return s == "aba";', True),
        ("std::string s(3, 'x'); return s + s.substr(1, 1) + s[0];", None),
        ('if (getenv("NO_SUCH")) return 1; return std::getenv("NO_SUCH") == nullptr ? 2 : 3;', 2),
    ],
)
def test_strings_and_the_environment(body: str, value: object) -> None:
    if value is None:
        with pytest.raises(CxxError, match="there is no `\\+` for `std::string` and `char`"):
            call(body, parameters="")
        return
    assert call(body, parameters="") == value
