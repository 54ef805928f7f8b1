"""What g++ refuses is refused; what is run has the value that g++ gives it: one form at a time."""

import shutil
import subprocess
from pathlib import Path

import pytest

from registry_runtime.cxx import Bindings, CxxError, initialise
from tests.cxx.judge import judge
from tests.cxx.toy import BINDINGS, Box

needs_gxx = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")
pytestmark = needs_gxx

# --- Templates whose arguments the call leaves out ------------------------------------------------

TEMPLATES = """
template <typename T> struct Full { T of; };
template <typename T> T add(T a, T b, T c) { return a + c * b; }
template <typename T> int which(T) { return 1; }
template <typename T> int which(T*) { return 2; }
template <typename T> int which(std::vector<T>) { return 3; }
template <typename T> int which(std::vector<std::vector<T>>) { return 4; }
template <typename T> int nearest(T) { return 1; }
int nearest(double) { return 2; }
template <typename T, typename U = T> U half(T n) { return U(n) / 2; }
template <typename To, typename From> To as(From n) { return n; }
template <typename T> void put(T& to, const T& from) { to = from; }
template <typename T> T mixed(T a, int b) { return a + b; }
template <typename T> T of_pointer(const T* p) { return *p; }
"""
CALLS = (
    *("add(1, 2, 3)", "add(1.5f, 2.5f, 3.5f)", "add(1, 2.5, 3)", "add<double>(1, 2.5f, 3)"),
    *("add(int8_t(100), int8_t(3), int8_t(9))", "add('a', 'b', 'c')", "add(1u, 2u, 3u)"),
    *("add(1, 2)", "add(true, 2, 3)"),
    *("which(1)", "which(&n)", "which(v)", "which(w)", "which(p)", "which(a)", 'which("text")'),
    *("nearest(1)", "nearest(1.5)", "nearest(1.5f)", "nearest(n)"),
    *("half(5)", "half(5.0)", "half<int, double>(5)", "half<double>(5)", "as<int>(2.9)"),
    *("as<double>(n)", "as(2.9)", "as<int8_t, int>(300)", "mixed(2.5, 1.5)", "mixed(n, 2.5)"),
    *("of_pointer(&n)", "of_pointer(p)", "of_pointer(a)", "of_pointer(n)"),
    *("(put(n, 7), n)", "(put(n, 2.5), n)", "(put(c, 7), c)", "(put(v[0], 9), v[0])"),
    *("(put(v, {1}), v[0])", "(put(3, 4), n)"),
)


def call(name: str, expression: str) -> str:
    begin = "int n = 3; const int c = 4; const int* p = &c; int a[2] = {8, 9};"
    begin += " std::vector<int> v{5, 6}; std::vector<std::vector<int>> w{v};"
    return f"auto {name}() {{ {begin} return {expression}; }}\n"


def test_a_call_of_a_template_reaches_what_it_reaches_in_cxx(tmp_path: Path) -> None:
    functions = {f"f{i}": call(f"f{i}", one) for i, one in enumerate(CALLS)}
    functions = {"f0": TEMPLATES + functions.pop("f0"), **functions}
    verdict = judge(functions, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 26


# --- What is const, and what doesn't exist, of a framework ----------------------------------------

TOY = """
#include <string>
#include <vector>
namespace toy {
enum class Colour { RED, GREEN };
struct Box {
  Box& paint(Colour);
  Colour colour() const;
  Colour label;
};
}
"""
TOY_BINDINGS = BINDINGS | Bindings(changing={Box: frozenset({"paint"})})
BODIES = (
    "toy::Box b; b.paint(toy::Colour::GREEN);",
    "const toy::Box b{}; b.colour();",
    "const toy::Box b{}; b.paint(toy::Colour::GREEN);",
    "const toy::Box b{}; b.label = toy::Colour::GREEN;",
    "toy::Box b; const toy::Box& c = b; c.colour();",
    "toy::Box b; const toy::Box& c = b; c.paint(toy::Colour::GREEN);",
    "toy::Box b; const auto& c = b; c.paint(toy::Colour::GREEN);",
    "toy::Box b; const auto& c = b; toy::Box& d = c;",
    "toy::Box b; const auto& c = b; auto& d = c; d.paint(toy::Colour::GREEN);",
    "toy::Box b; const auto* c = &b; c->paint(toy::Colour::GREEN);",
    "toy::Box b; const auto* c = &b; toy::Box* d = c;",
    "toy::Box b; const auto& c = b; toy::Box* d = &c;",
    "toy::Box b; toy::Box* const c = &b; c->paint(toy::Colour::GREEN);",
    "toy::Box b; auto f = [](const toy::Box& c) { c.paint(toy::Colour::GREEN); }; f(b);",
    "toy::Box b; auto f = [](toy::Box& c) { c.paint(toy::Colour::GREEN); }; f(b);",
    "const toy::Box b{}; auto f = [](toy::Box& c) { c.colour(); }; f(b);",
    "if (false) { toy::nothing(1); }",
    "if (false) { nowhere::f(1); }",
    "if (false) { nowhere::f<int>(1); }",
    "if (false) { int n = nowhere::n; }",
    "if (false) { nowhere::T x; }",
    "if (false) { std::vector<nowhere::T> x; }",
    "if (false) { static_cast<nowhere::T>(1); }",
    "if (false) { toy::Colour x = toy::Colour::BLUE; }",
    "if (false) { toy::Colour x = toy::Colour::RED; }",
    "if (false) { toy::Nothing x; }",
    "if (false) { Nothing x; }",
    "if (false) { nothing<int>(1); }",
    "if (false) { std::nothing(1); }",
)


@pytest.mark.parametrize("body", BODIES)
def test_a_body_is_refused_where_gxx_refuses_it(body: str) -> None:
    text = f"int f() {{ {body} return 1; }}\n"
    gxx = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    taken = subprocess.run(gxx, input=TOY + text, text=True, capture_output=True).returncode == 0
    made = initialise(f"{text} static const toy::Show shown(&f);", TOY_BINDINGS)
    (function,) = made.objects[0].value.values  # type: ignore[attr-defined]
    if taken:
        assert function() == 1
        return
    with pytest.raises(CxxError):
        function()


# --- Sizes, pairs, names for parts, iterators -----------------------------------------------------

FORMS = (
    *("return sizeof(int);", "return sizeof(double) * 2;", "return sizeof(bool) + sizeof(char*);"),
    *(
        "int8_t x = 3; return sizeof(x);",
        "short x; return sizeof x;",
        "return sizeof(1 ? 1 : 2.5);",
    ),
    *("int a[3] = {1, 2, 3}; return sizeof(a) / sizeof(a[0]);", "return sizeof(unheard_of);"),
    *("std::vector<short> v{1}; return sizeof(v[0]);", "int n = 0; sizeof(n++); return n;"),
    *("int64_t* p = nullptr; return sizeof(p) + sizeof(*p);", "return sizeof(int8_t(1) + 1);"),
    "std::pair<int, double> p{1, 2.5}; return p.first + p.second;",
    "std::pair<int, double> p(2.9, 2); return p.first + p.second;",
    "std::pair<int, int8_t> p = {1, 2}; p.second = 300; return p.second;",
    "std::pair<int, int> p; return p.first;",
    "auto p = std::make_pair(1, 2.5); p.first = 3.9; return p.first;",
    "auto p = std::make_pair(1, 2.5); auto q = p; q.first = 7; return p.first;",
    "auto p = std::make_pair(1, 2); int& r = p.first; p = std::make_pair(5, 6); return r;",
    "auto p = std::make_pair(1, 2); p = {p.second, p.first}; return p.first * 10 + p.second;",
    "const auto p = std::make_pair(1, 2); p.first = 3; return p.first;",
    "auto p = std::make_pair(1, 2); return p == std::make_pair(1, 2);",
    "auto p = std::make_pair(1, 2); return p.third;",
    "std::vector<std::pair<int, int>> v{{1, 2}}; auto w = v; w[0].first = 9; return v[0].first;",
    "std::vector<std::pair<int, int>> v{{1, 2}}; v.push_back({5, 6}); return v[1].second;",
    "std::vector<std::pair<int, int>> v(2); v[0] = {3, 4}; return v[0].first + v[1].first;",
    "auto [a, b] = std::make_pair(1, 2.5); return a + b;",
    "auto p = std::make_pair(1, 2); auto [a, b] = p; a = 9; return p.first;",
    "auto p = std::make_pair(1, 2); auto& [a, b] = p; a = 9; return p.first;",
    "auto p = std::make_pair(1, 2); const auto& [a, b] = p; p.first = 4; return a;",
    "auto p = std::make_pair(1, 2); const auto& [a, b] = p; a = 4; return a;",
    "const auto p = std::make_pair(1, 2); auto& [a, b] = p; a = 4; return a;",
    "auto& [a, b] = std::make_pair(1, 2); return a;",
    "auto [a, b, c] = std::make_pair(1, 2); return a;",
    "auto [a, a] = std::make_pair(1, 2); return a;",
    "int a[2] = {1, 2}; auto [x, y] = a; x = 5; return a[0] + y;",
    "int a[2] = {1, 2}; auto& [x, y] = a; x = 5; return a[0] + y;",
    "std::vector<std::pair<int, int>> v{{1, 2}, {3, 4}}; int t = 0; "
    "for (const auto& [a, b] : v) t += a * b; return t;",
    "std::vector<std::pair<int, int>> v{{1, 2}}; for (auto& [a, b] : v) a = 8; return v[0].first;",
    "std::vector<std::pair<int, int>> v{{1, 2}}; for (auto [a, b] : v) a = 8; return v[0].first;",
    "std::vector<int> v{1, 2, 3}; int t = 0; "
    "for (auto it = v.begin(); it != v.end(); ++it) t += *it; return t;",
    "std::vector<int> v{1, 2, 3}; for (auto it = v.begin(); it < v.end(); it += 2) *it *= 5; "
    "return v[0] + v[1] + v[2];",
    "std::vector<int8_t> v{1}; auto it = v.begin(); *it = 300; return v[0];",
    "const std::vector<int> v{1}; auto it = v.begin(); *it = 3; return v[0];",
    "std::vector<int> v{1}; auto it = v.cbegin(); *it = 3; return v[0];",
    "std::vector<int> v{4, 5}; auto it = v.begin(); return *it++ * 10 + *it;",
    "std::vector<int> v{4, 5}; auto it = v.end(); return *--it;",
    "std::vector<int> v{4, 5}; auto it = v.begin(); return *(it + 1) - it[0];",
    "std::vector<std::pair<int, int>> v{{1, 2}}; auto it = v.begin(); it->second = 7; "
    "return v[0].second + it->first;",
    "std::vector<int> v{4, 5, 6}; return *v.rbegin() * 10 + *(v.rend() - 1);",
    "std::vector<int> v{4, 5, 6}; int t = 0; for (auto it = v.rbegin(); it != v.rend(); ++it) "
    "t = t * 10 + *it; return t;",
    "std::vector<int> v{4, 5, 6}; std::vector<int> w(v.rbegin(), v.rend()); return w[0] * 10 + w[2];",
    "std::vector<int> v{4, 5, 6}; return (v.rbegin() < v.rend()) * 10 + (v.rend() - v.rbegin());",
    "std::vector<int> v{4, 5, 6}; v.insert((v.rbegin() + 1).base(), 9); return v[2];",
    "std::vector<int> v{4, 5, 6}; *v.rbegin() = 7; return v[2];",
    "std::vector<int> v{4, 5, 6}; v.erase(v.rbegin()); return v[0];",
    "std::vector<int> v{4, 5, 6}; return v.rbegin() == v.begin();",
    "std::vector<int> v{4, 5, 6}; auto it = v.crbegin(); *it = 3; return v[2];",
    "const std::vector<int> v{4, 5}; auto it = v.rbegin(); *it = 3; return v[0];",
    "std::vector<int> v{4, 5}; return v.begin().base() == v.begin();",
    "std::vector<int> v{4, 5}; return *v.rend();",
    "struct S { int a; }; S s{1}; if (false) std::max(s, s); return 1;",
    "struct S { int a; }; S s{1}; if (false) std::min<S>(s, s); return 1;",
    "struct S { int a; }; std::vector<S> v; if (false) std::find(v.begin(), v.end(), S{1}); return 1;",
    "std::vector<int> v; if (false) std::find(v.begin(), v.end(), std::string()); return 1;",
    "std::vector<int> v; if (false) std::max(v, v).size(); return 1;",
    "enum class E { A }; if (false) std::max(E::A, E::A); return 1;",
    "enum class E { A }; std::vector<E> v; std::find(v.begin(), v.end(), E::A); return 1;",
    "enum E { A }; std::vector<int> v; std::find(v.begin(), v.end(), A); return 1;",
    "struct S { int a; }; std::vector<S> v; if (false) v == v; return 1;",
    "struct S { int a; }; std::pair<S, int> p; if (false) p < p; return 1;",
    "struct S { int a; }; std::optional<S> o; if (false) o < o; return 1;",
    "std::vector<std::pair<int, std::string>> v; if (false) v == v; return 1;",
    "std::pair<std::vector<int>, int> p; if (false) p < p; return 1;",
    "int x; auto f = [x] { return 1; }; return f();",
    "int x; auto f = [=] { return 1; }; return f();",
    "int x; auto f = [&] { x = 2; return x; }; return f();",
    "int x; auto f = [=] { if (false) return x; return 1; }; return f();",
    "int x = 3, y; auto f = [=] { auto g = [=] { return x; }; return g(); }; return f();",
    "std::vector<int> v{4, 5, 6}; return *std::find(v.begin(), v.end(), 5);",
    "std::vector<int> v{4, 5, 6}; return std::find(v.begin(), v.end(), 9) == v.end();",
    "std::vector<int> v{4, 5, 6}; return std::find(v.begin(), v.end(), 5.5) == v.end();",
    "std::vector<int8_t> v{4, -5}; return std::find(v.begin(), v.end(), 251) == v.end();",
    "std::vector<int> v{4, 5, 4}; return std::find(v.begin() + 1, v.end(), 4) - v.begin();",
    "std::vector<int> v{4, 5, 4}; return std::find(v.rbegin(), v.rend(), 4) - v.rbegin();",
    "std::vector<int> v{4, 5}; std::vector<int> w{5}; "
    "return std::find(v.begin(), w.end(), 5) == v.end();",
    'std::vector<std::string> v{"a", "b"}; return std::find(v.begin(), v.end(), "b") - v.begin();',
    "std::tuple<int, double> t{1, 2.5}; return std::get<0>(t) + std::get<1>(t);",
    "std::tuple<int, int8_t> t(1.5, 2); std::get<1>(t) = 300; return std::get<1>(t);",
    "std::tuple<int, int, int> t; return std::get<2>(t);",
    "std::tuple<int, int> t = {3, 4}; auto u = t; std::get<0>(u) = 9; return std::get<0>(t);",
    "std::tuple<int, int> t{3, 4}; auto& u = t; std::get<0>(u) = 9; return std::get<0>(t);",
    "const std::tuple<int, int> t{3, 4}; std::get<0>(t) = 9; return std::get<0>(t);",
    "std::tuple<int, int> t{3, 4}; return std::get<2>(t);",
    "std::tuple<int, int> t{3}; return std::get<0>(t);",
    "std::tuple<int, int> t{3, 4.5}; return std::get<1>(t);",
    "auto t = std::make_tuple(1, 2.5, 3); auto [a, b, c] = t; return a + b + c;",
    "auto t = std::make_tuple(1, 2); auto& [a, b] = t; a = 5; return std::get<0>(t);",
    "int a; double b; std::tie(a, b) = std::make_tuple(2.9, 7); return a + b / 2;",
    "int a = 1; int b = 2; std::tie(a, b) = std::make_pair(b, a); return a * 10 + b;",
    "int a = 1; std::tie(std::ignore, a) = std::make_tuple(5, 6); return a;",
    "int a = 1; int b = 2; std::tie(a, b) = std::make_tuple(5, 6, 7); return a;",
    "const int a = 1; int b = 2; std::tie(a, b) = std::make_tuple(5, 6); return a;",
    "int b = 2; std::tie(3, b) = std::make_tuple(5, 6); return b;",
    "int a; int8_t b; std::tie(a, b) = std::tuple<int, int>{1, 300}; return b;",
    "std::vector<int> v{1, 2}; int n; std::tie(v, n) = std::make_pair(3, 4); return n;",
    "std::pair<int, int> p{1, 2}; std::get<1>(p) = 8; return p.second;",
    "std::pair<int, int> p = std::make_tuple(1, 2); return p.second;",
    "std::tuple<int, int> t = std::make_pair(1, 2); return std::get<1>(t);",
    "std::array<int, 2> a{{3, 4}}; std::get<1>(a) = 6; return a[1];",
    "int a[2] = {3, 4}; return std::get<1>(a);",
    'std::array<const char, 5> a = {"Cond"}; return a[1] + a[4];',
    "std::array<const int, 2> a = {1, 2}; a[0] = 2; return a[0];",
    "std::array<const int8_t, 2> a = {1, 2}; return a[0] + a[1];",
    'std::array<char, 6> a{"Cond"}; return a[3] * 2 + a[5] + a.size();',
    'std::array<char, 4> a = {"Cond"}; return a[1];',
    "std::array<int, 4> a = {1, 2}; return a[1] + a[3];",
    "std::array<int, 2> a = {1, 2, 3}; return a[1];",
    "std::array<double, 3> a{}; return a[2] + 1;",
    "std::vector<int> v{4, 5}; return *v.end();",
    "std::vector<int> v{4, 5}; auto it = v.begin(); v.push_back(6); return *it;",
)
UNDEFINED = ("*v.end()", "*v.rend()", "w.end(), 5)", "v.push_back(6)")


NUMBERS = (
    "int n = 2; return sizeof(int64_t(int64_t(n)));",
    "int n = 2; return sizeof(int64_t(n));",
    "std::vector<unsigned> v{1, 2, 3}; v.resize(2, std::sqrt(-2.5)); return v.size();",
    "std::vector<unsigned> v{1, 2, 3}; v.resize(5, 2.5); return v[4];",
    "auto v = {1.5f, 2.5}; return 1;",
    "auto v = {1, 2}; return 1;",
    "std::pair<int, double> p = std::make_pair(1.5, 2); return p.first + p.second;",
    'auto p = std::make_pair("a", 2); return p.second;',
    "int a[2] = {1, 2}; auto p = std::make_pair(a, 2); return p.second;",
    "std::vector<bool> v{true}; return v[0];",
    "std::vector<bool> v{true}; return v.back();",
    "std::vector<bool> v{true}; auto f = [&] { return v[0]; }; return f() + 1;",
    "std::vector<bool> v{true}; auto f = [&]() -> bool { return v[0]; }; return f() + 1;",
    "const unsigned n && uint8_t{5}; return 1;",
    "return std::numeric_limits<int8_t>::max();",
    "return std::numeric_limits<bool>::max();",
    "return std::numeric_limits<unsigned>::max();",
    "return std::numeric_limits<int64_t>::min();",
    "return std::numeric_limits<long long>::lowest();",
    "return std::numeric_limits<float>::min();",
    "return std::numeric_limits<float>::max();",
    "return std::numeric_limits<float>::epsilon();",
    "return std::numeric_limits<float>::lowest();",
    "return std::numeric_limits<double>::min();",
    "return std::numeric_limits<double>::max();",
    "return std::numeric_limits<double>::epsilon();",
    "return std::numeric_limits<double>::infinity();",
    "return std::numeric_limits<float>::quiet_NaN();",
    "int n = 9; return n < std::numeric_limits<int8_t>::max() ? n : std::numeric_limits<int>::max();",
    "return std::numeric_limits<int>::max() + 1;",
    "return std::numeric_limits<int>::max(2);",
    "return std::numeric_limits<float>::unheard_of();",
    "std::vector<int> v{3, 1, 2}; std::sort(v.begin(), v.end()); return v[0] * 100 + v[1] * 10 + v[2];",
    "std::vector<int> v{3, 2, 1}; std::sort(v.begin() + 1, v.end()); return v[0] * 10 + v[1];",
    "std::vector<float> v{3, 2.5, -1}; std::sort(v.begin(), v.end()); return v[1];",
    "std::vector<double> v{0.0, -0.0}; std::sort(v.begin(), v.end()); return v[1];",
    "std::vector<int> v{3, 2, 1}; std::reverse(v.begin(), v.end() - 1); return v[0];",
    "std::vector<int> v{3, 2, 1}; std::reverse(v.begin(), v.end()); return v[0];",
    "const std::vector<int> v{3, 1}; std::sort(v.begin(), v.end()); return v[0];",
    "std::vector<int> v{3, 1}; std::sort(v.cbegin(), v.cend()); return v[0];",
    "std::vector<int> v{3, 1}, w{2}; std::sort(v); return v[0];",
    "std::vector<int> v{3, 1}; if (false) std::sort(v.begin()); return v[0];",
    "return -(int()) + 1;",
    "return (int()) + 1;",
    "return (int());",
    "return sizeof(int());",
    "return 1 + int();",
    "return sizeof(int64_t(int()));",
    "int a[2][2] = {{1, 2}, {3, 4}}; return a[1][0];",
    "return int{3};",
    "return int{2.5};",
    "if (false) { int n = int{2.5}; } return 1;",
    'if (false) { int n = int{"a"}; } return 1;',
    "return float{3};",
    "int n = 3; return float{n};",
    "int n = 3; return int8_t{n};",
    "int n = 3; return int64_t{n};",
    "return double{};",
    "return int();",
    "return double() + bool();",
    "auto n = unsigned{4}; return n;",
    "auto n = char(); return n;",
    "return std::trunc(-2.5) + std::trunc(2.7f);",
    "return std::round(2.5);",
    "return std::round(-2.5);",
    "return std::round(-0.3);",
    "return std::round(0.49999999999999994);",
    "return std::round(2.5f) + std::round(3.5f);",
    "return std::round(7);",
    "return std::round(4503599627370497.5);",
    "return std::round(1e300);",
    "return std::fabs(-3) + std::fabs(-2.5f);",
    "return std::fabs(-2.5f);",
    "int a = 1, b = 2; std::swap(a, b); return a * 10 + b;",
    "int a = 1; double b = 2; std::swap(a, b); return a;",
    "int a = 1; const int b = 2; std::swap(a, b); return a;",
    "std::vector<int> v{3, 1, 2}; std::swap(v[0], v[1]); return v[0] * 10 + v[1];",
    "std::swap(1, 2); return 1;",
    "int a = 1; std::swap(a, a); return a;",
    "int8_t a = 1, b = 2; std::swap(a, b); return a;",
)
FUNCTIONS = (
    "int {0}_of(int n) {{ return n; }}\nauto {0}() {{ if (false) {0}_of(3) = 4; return 1; }}\n",
    "int& {0}_of(int& n) {{ return n; }}\nauto {0}() {{ int n = 1; {0}_of(n) = 4; return n; }}\n",
    "auto {0}_of(int n) {{ return n; }}\nauto {0}() {{ if (false) {0}_of(3) = 4; return 1; }}\n",
    "auto {0}_of(double n) {{ return n; }}\nauto {0}() {{ return sizeof({0}_of(3) | 4); }}\n",
    "auto {0}_of(int n) {{ if (n > 3) return n; return {0}_of(n + 1); }}\n"
    "auto {0}() {{ return sizeof({0}_of(3) | 4) + {0}_of(1); }}\n",
    "auto {0}_of(int n) -> double {{ return n / 2; }}\nauto {0}() {{ return {0}_of(5); }}\n",
    "auto {0}_of(int n) -> int8_t {{ return n; }}\nauto {0}() {{ return {0}_of(300); }}\n",
    "template <typename T> auto {0}_of(T n) -> T {{ return n / 2; }}\n"
    "auto {0}() {{ return {0}_of(5.0) + {0}_of(5); }}\n",
)


def test_numbers_that_are_made_rounded_and_swapped_are_those_of_cxx(tmp_path: Path) -> None:
    functions = {f"f{i}": f"auto f{i}() {{ {one} }}\n" for i, one in enumerate(NUMBERS)}
    functions |= {f"g{i}": one.format(f"g{i}") for i, one in enumerate(FUNCTIONS)}
    verdict = judge(functions, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 28


def test_sizes_pairs_and_iterators_are_those_of_cxx(tmp_path: Path) -> None:
    defined = [form for form in FORMS if not any(one in form for one in UNDEFINED)]
    functions = {f"f{i}": f"auto f{i}() {{ {one} }}\n" for i, one in enumerate(defined)}
    verdict = judge(functions, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 60


# --- What never runs, and compiles no more for it ------------------

DEAD = (
    "auto p = std::make_pair(1, 2l); p[0];",
    "struct S { int a; }; S s{1}; s[0];",
    "enum class E { k }; E e{}; e[0];",
    "auto f = [](int n) { return n; }; f[0];",
    "std::fabs(2.5) += 1;",
    "int(3) = 1;",
    "float{3} = 1;",
    "std::numeric_limits<int>::max() = 1;",
    "const std::vector<int> v{1}; std::sort(v.begin(), v.end());",
    "std::sort(1, 2);",
    "int n = 0; (int)n = 1;",
    "int n = 0; (int&)n = 1;",
    "int n = 0; sizeof(n)++;",
    "int n; static_cast<int>(n) = 1;",
    "int n; static_cast<int&>(n) = 1;",
    "auto f = [](int n) { return n; }; f(3) = 1;",
    "auto f = [](int& n) -> int& { return n; }; int n; f(n) = 1;",
    "auto f = [](int n) { return n; }; int& r = f(3);",
    "auto f = [](int n) { return n; }; const int& r = f(3);",
    "std::vector<int> v{1}; v.size() = 1;",
    "std::vector<int> v{1}; v.back() = 1;",
    "std::vector<int> v{1}; &v.back();",
    "std::vector<int> v{1}; &v.size();",
    "std::vector<int> v{1}; v.size()++;",
    "int a[2] = {1, 2, 3};",
    'int a[2] = {1, "x"};',
    "int a[] = {1, 2.5};",
    "double a[] = {1, 2.5};",
    'const char* a[] = {"a", "b"};',
    "int n; int* a[] = {&n, nullptr};",
    'std::string a[] = {"a", "b"};',
    "int a[2][2] = {{1, 2}, {3, 4}};",
    'char a[] = "abc";',
    'int n = (int)("text");',
    'bool n = (bool)("text");',
    'int n = static_cast<int>("text");',
    'long n = static_cast<long>("text");',
    'int n = int("text");',
    'bool n = static_cast<bool>("text");',
    "int n = 1; double* p = static_cast<double*>(&n);",
    "int n = 1; const int* p = static_cast<const int*>(&n);",
    "int n = 1; const int* p = &n; int* q = static_cast<int*>(p);",
    "int n = 1; void* p = &n; int* q = static_cast<int*>(p);",
    "int* q = static_cast<int*>(3);",
    "int* q = static_cast<int*>(nullptr);",
    "std::string s; int* q = static_cast<int*>(s);",
    'std::string s = static_cast<std::string>("a");',
    "std::string s = std::string(3);",
    "auto v = {1, 2.5};",
    "auto v{1, 2};",
    "auto v{1};",
    "auto p = std::make_pair(1.5f, 2); p.first >> 2;",
    "auto p = std::make_pair(1.5f, 2); p.second >> 2;",
    "auto p = std::make_pair(1.5f, 2); auto [a, b] = p; a >> 2;",
    "auto p = std::make_pair(1.5f, 2); auto [a, b] = p; b >> 2;",
    "auto p = std::make_pair(1.5f, 2); const auto [a, b] = p; b = 2;",
    "const auto p = std::make_pair(1.5f, 2); auto& [a, b] = p; b = 2;",
    "const auto p = std::make_pair(1.5f, 2); p.first = 2;",
    "const auto p = std::make_pair(1.5f, 2); auto [a, b] = p; b = 2;",
    'auto p = std::make_pair(1.5f, 2); p.first = "x";',
    "auto p = std::make_pair(1.5f, 2); p.third = 2;",
    "auto p = std::make_pair(1.5f, 2); if (p) {}",
    "auto p = std::make_pair(1.5f, 2); p + 1;",
    "auto p = std::make_pair(1.5f, 2); p == 1;",
    "auto p = std::make_pair(1.5f, 2); p == p;",
    "auto p = std::make_pair(1.5f, 2); int n = p;",
    "auto p = std::make_pair(1.5f, 2); std::string n = p;",
    "auto p = std::make_pair(1.5f, 2); auto q = std::make_pair(1, 2); p = q;",
    "std::pair<int, int8_t> p{1, 2}; int n = p.second; p.first = 2.5;",
    "auto p = std::make_pair(1.5f, 2); p = 3;",
    "auto p = std::make_pair(1.5f, 2); p = std::make_pair(1, 2.5);",
    'auto p = std::make_pair(1.5f, 2); p = std::make_pair("a", 2);',
    'std::pair<std::string, int> p; p = std::make_pair("a", 2.5);',
    'std::pair<int, std::string> p{1, "a"}; int n = p.second;',
    'std::pair<int, std::string> p(1, "a"); p.second = "b";',
    "std::vector<std::pair<int, float>> v{{1, 2}}; for (auto& [a, b] : v) b % 2;",
    "std::vector<std::pair<int, float>> v{{1, 2}}; for (auto& [a, b] : v) a % 2;",
    "std::vector<std::pair<int, float>> v{{1, 2}}; v[0].second % 2;",
    "std::vector<std::pair<int, float>> v{{1, 2}}; v[0].second = 2;",
    "const std::vector<std::pair<int, float>> v{{1, 2}}; v[0].second = 2;",
    "auto [a, b, c] = std::make_pair(1, 2);",
    "int n = 1; auto [a, b] = n;",
    'std::string s{"a"}; auto& [a, b] = s;',
    "std::vector<int> v{1, 2}; auto [a, b] = v;",
    "int n = true ? 1.second : 4ul;",
    "const unsigned n && int{5};",
    "auto f = [](std::pair<int, int> p) { return p.first; }; f(std::make_pair(1, 2)); f({1, 2});",
    "auto f = [](const std::pair<int, int>& p) { return p.first; }; f(std::make_pair(1.5, 2));",
    "auto f = []() -> std::pair<int, int> { return {1, 2}; }; f().first + 1;",
    "auto f = []() -> std::pair<int, int> { return std::make_pair(1, 2.5); }; f().first + 1;",
    "std::swap(1, 2);",
    "int a; double b; std::swap(a, b);",
    "int& r = 3;",
    "auto& r = 3;",
    "const int n = 1; int& r = n;",
    "const int n = 1; auto& r = n;",
    "const int n = 1; auto& r = n; r = 2;",
    "int n = 1; int& r = n; r = 2;",
    "int n = 1; int& r = n + 1;",
    "int n = 1; int&& r = n + 1;",
    "int n = 1; int& r = ++n;",
    "int n = 1; int& r = n++;",
    'const float* p = "text";',
    'const char* p = "text";',
    'char* p = "text";',
    'const void* p = "text";',
    'void* p = "text";',
    'const auto* p = "text";',
    "int n = 1; const int* p = &n;",
    "const int n = 1; int* p = &n;",
    "const int n = 1; const int* p = &n;",
    "const int n = 1; auto* p = &n; *p = 3;",
    "const int n = 1; auto* p = &n; int* q = p;",
    "int n = 1; const auto* p = &n; int* q = p;",
    "int n = 1; const auto* p = &n; *p = 2;",
    "int n = 1; const int* p = &n; *p = 2;",
    "int n = 1; const int* p = &n; p = nullptr;",
    "int n = 1; int* const p = &n; p = nullptr;",
    "int n = 1; int* const p = &n; *p = 2;",
    "int n = 1; auto* const p = &n; p = nullptr;",
    "int n = 1; auto p = &n; p = nullptr;",
    "int n = 1; const auto p = &n; p = nullptr;",
    "int n = 1; const auto p = &n; *p = 3;",
    "int n = 1; double* p = &n;",
    "int n = 1; void* p = &n;",
    "int n = 1; void* p = &n; int* q = p;",
    "int n = 1; const void* p = &n;",
    "int n = 1; int* p = &n; int** q = &p; const int** r = q;",
    "int n = 1; int* p = &n; int** q = &p; const int* const* r = q;",
    "int n = 1; int* p = &n; int** q = &p; void* r = q;",
    "int n = 1; int* p = &n; int** q = &p; void** r = q;",
    "int* p = 5;",
    "int* p = 0;",
    "int* p = 0L;",
    "int* p = 0x0;",
    "int* p = 00;",
    "int* p = 0b0;",
    "int* p = 0.0;",
    "int* p = '\\0';",
    "int* p = false;",
    "int* p = NULL;",
    "int* p = (0);",
    "int* p{nullptr};",
    "int* p(0);",
    "int a[3] = {1}; int* p = a;",
    "const int a[3] = {1}; int* p = a;",
    "int a[3] = {1}; double* p = a;",
    "int a[3] = {1}; const int* p = a;",
    "int a[3] = {1}; const int* p = &a[1];",
    "const int a[3] = {1}; int* p = &a[1];",
    "std::vector<int> v{1}; int* p = &v[0];",
    "const std::vector<int> v{1}; int* p = &v[0];",
    "const std::vector<int> v{1}; const int* p = &v[0];",
    "std::vector<int> v{1}; double* p = &v[0];",
    "std::vector<int> v{1}; int* p = v;",
    "std::vector<int> v{1}; std::vector<int>* p = &v;",
    "std::vector<int> v{1}; std::vector<double>* p = &v;",
    'std::string v{"a"}; std::string* p = &v;',
    'std::string v{"a"}; const char* p = v;',
    'std::string v{"a"}; const char* p = v.c_str();',
    'std::string v{"a"}; char* p = v.c_str();',
    "long long n = 1; long* p = &n;",
    "int64_t n = 1; long* p = &n;",
    "unsigned n = 1; int* p = &n;",
    "char n = 1; signed char* p = &n;",
    "int n = 1; int& r = n; int* p = &r;",
    "int n = 1; const int& r = n; int* p = &r;",
    "int n = 1; const auto& r = n; int* p = &r;",
    "int n = 1; int* p = &n; int m = p;",
    "int n = 1; int* p = &n; int m = *p;",
    "int n = 1; int* p = &n; double m = *p;",
    "int n = 1; int* p = &n; const double* q = p;",
    'int n = 1; int* p = &n; p = "t";',
    "int n = 1; const int m = 2; int* p = &n; p = &m;",
    "int n = 1; const int m = 2; const int* p = &n; p = &m;",
    "int n = 1; double m = 2; int* p = true ? &n : &m;",
    "int n = 1; const int m = 2; int* p = true ? &n : &m;",
    "int n = 1; int* p = true ? &n : nullptr;",
    "int n = 1; double* p = true ? &n : nullptr;",
)


def test_what_never_runs_is_refused_where_gxx_refuses_it(tmp_path: Path) -> None:
    functions = {
        f"f{i}": f"int f{i}() {{ if (false) {{ {one} }} return 1; }}\n"
        for i, one in enumerate(DEAD)
    }
    verdict = judge(functions, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 30
    assert verdict.ill_formed >= 40


# --- Classes that are written again for some arguments --------------------------------------------

WRAPPERS = """
#include <cstdint>
#include <string>
#include <vector>
double k(const std::vector<int>& v, int64_t n, std::string&& s) { return n; }
void nothing() {}
template <typename F, F f> struct Pointed { static int call(F of); };
template <typename Return, typename... Args, Return (*f)(Args...)>
struct Pointed<Return (*)(Args...), f> { static Return call(Args... args) { return f(args...); } };
template <typename F, F* f> struct Named {};
template <typename Return, typename... Args, Return (*f)(Args...)>
struct Named<Return(Args...), f> { static Return call(bool first, Args... args); };
template <typename F, typename T = float> struct Whole { static T call(const F& of, T* to); };
template <typename T> struct Some { static int call(T); };
template <typename T> struct Some<T*> { static T call(const T&, T*); };
template <typename T> struct Some<std::vector<T>> { static double call(std::vector<T>, T); };
template <> struct Some<bool> { static void call(); };
namespace list { template <typename... Ts> struct typelist {}; }
enum class Policy { low, high };
template <typename F> struct traits {};
template <typename R, typename... A> struct traits<R(A...)> {
  using returns = R;
  typedef list::typelist<A...> parameters;
  using swapped = list::typelist<R, const A&...>;
};
template <Policy p, typename To, To* f, typename R, typename L> struct Cast_ {};
template <typename To, To* f, typename R, typename... A>
struct Cast_<Policy::low, To, f, R, list::typelist<A...>> {
  static R call(A... a) { return (*f)(a...); }
};
template <typename To, To* f, typename R, typename... A>
struct Cast_<Policy::high, To, f, R, list::typelist<A...>> { static void call(const R* r, A... a); };
template <typename To, To* f, typename R, typename First, typename... A>
struct Cast_<Policy::low, To, f, R, list::typelist<R, First, A...>> {
  static First call(const A&... a);
};
template <Policy p, typename Of, typename To, To* f>
struct Cast final {
  using type = Cast_<p, To, f, typename traits<Of>::returns, typename traits<Of>::parameters>;
};
template <Policy p, typename Of, Of* f>
struct Swap {
  using type = Cast_<p, Of, f, typename traits<Of>::returns, typename traits<Of>::swapped>;
};
"""
MEMBERS = (
    *("Pointed<decltype(&k), &k>", "Pointed<decltype(&nothing), &nothing>", "Pointed<int, 3>"),
    *("Named<decltype(k), k>", "Named<decltype(nothing), nothing>"),
    *("Whole<int>", "Whole<std::string, int64_t>"),
    *(
        "Cast<Policy::low, decltype(k), decltype(k), &k>::type",
        "Swap<Policy::low, decltype(k), k>::type",
    ),
    "Cast<Policy::high, decltype(nothing), decltype(nothing), nothing>::type",
    *("Some<int>", "Some<int*>", "Some<std::vector<double>>", "Some<bool>"),
)


def test_the_type_of_a_static_member_is_the_one_that_gxx_finds(tmp_path: Path) -> None:
    shown = ", ".join(f"&{one}::call" for one in MEMBERS)
    made = initialise(f"{WRAPPERS}static const toy::Show shown{{{shown}}};", BINDINGS)
    assert [error.message for error in made.errors] == []
    functions = made.objects[0].value.values  # type: ignore[attr-defined]
    text = WRAPPERS + "template <typename A, typename B> constexpr bool same = false;\n"
    text += "template <typename A> constexpr bool same<A, A> = true;\n"
    for one, function in zip(MEMBERS, functions, strict=True):
        spelled = f"{function.type.returns} (*)({function.type.spell_parameters()})"
        text += f'static_assert(same<decltype(&{one}::call), {spelled}>, "{one}: {spelled}");\n'
    gxx = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    ran = subprocess.run(gxx, input=text, text=True, capture_output=True)
    assert ran.stderr == ""


# --- What a random program came upon --------------------------------------------------------------

CAME_UPON = """
int {f}() { auto f = [](int a) { if (a > 3) return a; }; const auto x = f(0); return 4; }
int {f}() { auto f = [](int a) { if (a > 3) return; }; f(0); return 4; }
int {f}() { auto f = [](int a) { return a; }; return 6; f.first = 3; }
int {f}() { std::vector<int> v = [](int a, double b = 2) { return a + b; }; return 1; }
int {f}() { bool b = [](int a, double b = 2) { return a + b; }; return b; }
template <class T> T {f}_other(T a, T b = T(2)) { return a + b; } int {f}() { if (false) ~{f}_other(7.0f); return 1; }
template <class T> T {f}_other(T a, T b = T(2)) { return a + b; } int {f}() { return {f}_other(7); }
template <class T> T {f}_other(T a, int b = 2) { return a * b; } double {f}() { return {f}_other(7.25f); }
template <class T> T {f}_other(T a, T b = T(2)) { return a + b; } int {f}() { return {f}_other(7, 2.5); }
template <class T> T {f}_other(T a, T b) { return a + b; } int {f}() { return {f}_other(7); }
int {f}() { enum E { k }; if (false) std::exp(k); return 1; }
int {f}() { enum E { k }; if (false) std::trunc(k); return 1; }
int {f}() { enum E { k = 3 }; return std::floor(k); }
int {f}() { enum E { k }; if (false) std::abs(k); return 1; }
int {f}() { std::string s; if (false) std::round(s); return 1; }
int {f}() { auto f = [] { return std::min<int>(3, "text"); }; return 1; }
int {f}() { auto f = [] { return std::max<int>({3, 4, 5}); }; return f(); }
float {f}() { int x = 3; switch (1) { case 2: x & static_cast<float>(x); } return 1; }
int {f}() { int x = 3; if (false) x & std::abs(x); return 1; }
int {f}() { auto v = std::move("text"); return v.size(); }
int {f}() { auto v = std::move("text"); return v[1]; }
int {f}() { std::string s = "text"; auto v = std::move(s); return v.size(); }
template <class T> T {f}_other(T a, T b) { return a + b; } int {f}() { return 1; {f}_other<double>(3, 4u) | 2; }
template <class T> T {f}_other(T a, T b) { return a + b; } int {f}() { return 1; {f}_other<double>(3, "text"); }
template <class T> T {f}_other(T a, T b) { return a + b; } int {f}() { return 1; {f}_other<int>(3); }
template <class T> void {f}_other(T& a) { a = 2; } int {f}() { return 1; const int c = 3; {f}_other(c); }
template <class T> void {f}_other(T& a) { a = 2; } int {f}() { return 1; {f}_other(3); }
template <class T> T {f}_other(const T& a) { return a; } int {f}() { if (false) return {f}_other(3); return {f}_other(4); }
template <class T> T {f}_other(T* a) { return *a; } int {f}() { int n[2] = {3, 4}; if (n[0] > 5) return {f}_other(&n[0]); return {f}_other(n); }
template <class T, class U> T {f}_other(U a) { return a; } int {f}() { if (false) {f}_other<int>(2.5); return {f}_other<float>(2.5) * 2; }
template <class T, class U> T {f}_other(T a, U b) { return a + b; } int {f}() { return {f}_other<int>(2.5, 3.5) * 2; }
int {f}() { return 1; return (int)(x4); }
int {f}() { switch (1) { case 2: return (int)(x4); } return 1; }
int {f}() { auto f = [](int a) { return (int)(x4); }; return 1; }
int {f}() { return 1; return sizeof(std::abs((short)(x4))); }
int {f}() { int n = 3; return sizeof(int(*)[2]) + sizeof(n); }
int {f}() { enum class E { A }; E e(E::A); if (false) e * E::A; return 1; }
int {f}() { int n = 3; int m(n); return m * 2; }
double {f}() { static double x = 1; auto f = [=] { return x; }; x = 0; return f(); }
int {f}() { static int x = 1; auto f = [=] { x = 5; }; f(); return x; }
int {f}() { static auto x = 1; auto f = [] { return ++x; }; return f() + f(); }
int {f}() { static int x = 1; { int x = 2; auto f = [] { return x; }; } return 1; }
int {f}() { static int x = 1; auto f = [=] { auto g = [] { return x; }; return g(); }; x = 7; return f(); }
int {f}() { int x = 1; auto f = [=] { return x; }; x = 0; return f(); }
""".strip().splitlines()  # noqa: E501


def test_what_a_random_program_came_upon_is_as_in_cxx(tmp_path: Path) -> None:
    texts = (line.replace("{f}", f"f{i}") + "\n" for i, line in enumerate(CAME_UPON))
    verdict = judge({f"f{i}": text for i, text in enumerate(texts)}, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 12
