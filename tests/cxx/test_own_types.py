"""Enumerations, plain structs and overloads of the text in bodies, and what is refused of them."""

import math
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from registry_runtime.cxx import CxxError, exponentials
from tests.cxx.judge import judge
from tests.cxx.toy import call, run, show

BEFORE = """
enum class Mode : uint8_t { kMin, kMax = 7, kLast = kMax + 1 };
enum Level { kLow = -1, kHigh };
struct Pool { int size = 2, stride; int steps(int n) const { return (n - size) / stride + 1; } };
int pick(int) { return 1; }
int pick(double) { return 2; }
int pick(const std::string&) { return 3; }
"""


def _of(body: str) -> object:
    (function,) = show("&f", before=f"{BEFORE} auto f() {{ {body} }}")
    assert callable(function)
    return function()


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("Mode m = Mode::kLast; return static_cast<int>(m);", 8),
        ("Mode m{}; return m == Mode::kMin ? 5 : 6;", 5),
        (
            "switch (Mode::kMax) { case Mode::kMin: return 1; case Mode::kMax: return 2; } return 3;",
            2,
        ),
        ("return kLow + kHigh * 2.5;", -1.0),
        ("Level l = kHigh; if (l) return 1; return l < kHigh ? 2 : 3;", 3),
        ("int k = 1; { enum E { k = 5 }; return k; }", 5),
        ("enum { kOnly = 9 }; return kOnly;", 9),
        ("Pool p{3, 2}; Pool q = p; q.size = 9; return p.steps(9) * 100 + q.size;", 409),
        ("Pool p; p.stride = 4; return p.size + p.stride;", 6),
        ("Pool p = {}; auto [a, b] = p; return a * 10 + b;", 20),
        ("Pool p{1, 1}; auto f = [p] { return p.size; }; p.size = 7; return f() + p.size;", 8),
        ("struct In { double d{1.5}; Mode m; }; In i; i.d = 3; return i.d;", 3.0),
        ("std::vector<Pool> v{{1, 2}}; for (auto& p : v) p.size += 4; return v[0].size;", 5),
        (
            "return pick(1) * 1000 + pick(2.5f) * 100 + pick(std::string(\"a\")) * 10 + pick('a');",
            1231,
        ),
        ("return pick(kLow);", 1),
    ],
)
def test_types_of_the_text_compute(body: str, value: object) -> None:
    made = _of(body)
    assert (made, type(made) is float) == (value, type(value) is float)


@pytest.mark.parametrize(
    "body",
    [
        "Mode m = 3; return 1;",
        "if (false) { int n = Mode::kMin; } return 1;",
        "if (Mode::kMax) return 1; return 2;",
        "return Mode::kMax + 1;",
        "Level l = kLow; l++; return 1;",
        "return *&kLow;",
        "int k = 1; enum E { k = 5 }; return 1;",
        "switch (1) { case Mode::kMin: return 1; } return 2;",
        "Pool p; return p.stride;",
        "Pool p{2.5, 1}; return 1;",
        "Pool p{1, 2, 3}; return 1;",
        "const Pool p{1, 2}; p.size = 3; return 1;",
        "Pool p{1, 2}; return p.width;",
        "Pool p{1, 2}; return p == p;",
        "struct Other { int size, stride; }; Other o{1, 2}; Pool p{1, 2}; p = o; return 1;",
        "struct Own { Own(int n) {} }; return 1;",
        "return pick(nullptr);",
        "if (false) { pick(1, 2); } return 1;",
        "return pick(1L);",
    ],
)
def test_what_gpp_refuses_of_them_is_refused(body: str) -> None:
    with pytest.raises(CxxError):
        _of(body)


@pytest.mark.parametrize(
    "body",
    [
        "enum class E { k }; enum class E { k }; return 1;",
        "struct S { int a; }; struct S { int a; }; return 1;",
    ],
)
def test_what_gpp_refuses_of_them_is_refused_as_the_text_is_read(body: str) -> None:
    (error,) = run(f"{BEFORE} auto f() {{ {body} }}").errors
    assert "is declared twice" in error.message


def test_an_enumeration_that_is_not_understood_is_only_a_name() -> None:
    text = "enum class E { A = sizeof(struct unheard) }; void f(E e) {} static toy::Show s(&f);"
    assert run(text).errors == ()


def test_two_member_functions_of_one_arity_are_no_guess() -> None:
    text = "struct S { int n; int f(int a) { return 1; } int f(double a) { return 2; } };"
    (function,) = show("&g", before=f"{text} int g() {{ S s{{1}}; return s.f(2.5); }}")
    assert callable(function)
    with pytest.raises(CxxError, match="not understood: a call of one of 2 functions"):
        function()


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("return std::pow(2.0f, 3.0f);", 8.0),
        ("return std::pow(2, 0.5);", 2**0.5),
        ("return std::log2(8) + std::exp2(3) + std::log10(1000);", 14.0),
        ("return std::exp(0) + std::log(1);", 1.0),
        ("return std::log(0) < 0;", True),
        ("return std::copysign(3, -0.0);", -3.0),
        ("return std::copysign(0.5f, -2);", -0.5),
        ("return std::fmod(-7, 3);", -1.0),
        ("return std::fmod(0.3f, 0.1f) == std::fmod(0.3, 0.1);", False),
        ("return std::fmod(1.0, 0.0) != std::fmod(1.0, 0.0);", True),
        ("return sizeof(std::copysign(1.0f, 2.0f)) + sizeof(std::fmod(1, 2.0f));", 12),
    ],
)
def test_exponentials_are_what_the_c_library_gives(body: str, value: object) -> None:
    assert call(body, parameters="") == value


def test_a_last_digit_that_compilers_do_not_agree_on_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def another(name: str, of: object) -> Callable[..., float]:
        return lambda *values: math.nextafter(math.pow(*values), math.inf)

    monkeypatch.setattr(exponentials, "_library", another)
    with pytest.raises(CxxError, match="no last digit that every compiler agrees on"):
        call("return std::pow(2.5, 7.3);", parameters="")


TYPEDEFS = (
    "typedef struct Named Named; struct Named { int n; }; int %s() { Named o{3}; return o.n; }",
    "typedef struct Same { int n = 4; } Same; int %s() { Same o; struct Same p; return o.n + p.n; }",
    "typedef struct Tag { int n; } Other; int %s() { Other o{5}; Tag p = o; return p.n; }",
    "typedef struct { int n; } Bare; int %s() { Bare o{6}; return o.n; }",
    "typedef class Hidden { int n = 7; } Hidden; int %s() { Hidden o; return o.n; }",
    "typedef struct One { int n; } One, *OneP; int %s() { One o{8}; OneP p = &o; return p->n; }",
    "typedef enum Colour { kRed = 3, kBlue } Colour; int %s() { Colour c = kBlue; return c; }",
    "typedef union Both { int n; float f; } Both; int %s() { Both b; b.n = 3; return b.n; }",
    "typedef struct Far Far; int %s() { Far f; return 1; }",
)


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
@pytest.mark.parametrize("form", TYPEDEFS)
def test_a_class_that_a_typedef_defines_is_one(form: str, tmp_path: Path) -> None:
    verdict = judge({"judged": form % "judged" + "\n"}, tmp_path)
    assert verdict.differences == []
