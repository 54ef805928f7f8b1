"""What is made of a lambda and of a template's instance in code that never runs: as g++ takes it."""

import shutil
from pathlib import Path

import pytest

from tests.cxx.judge import judge

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")

# Each ends in `return n;`; `%` is what a number with a fraction hasn't got.
LAMBDAS = """
auto f = [](int a, int b = 3) { return a + b; }; if (false) n = f;
auto f = [](int a, int b = 3) { return a + b; }; if (false) f + 1;
auto f = [](int a, int b = 3) { return a + b; }; if (false) f = 3;
auto f = [](int a, int b = 3) { return a + b; }; if (false) f();
auto f = [](int a, int b = 3) { return a + b; }; if (false) f(1, 2, 3);
auto f = [](int a, int b = 3) { return a + b; }; if (false) f("a");
auto f = [](int a, int b = 3) { return a + b; }; if (false) f.x;
auto f = [](int a, int b = 3) { return a + b; }; if (false) f[0];
auto f = [](int a, int b = 3) { return a + 1.5; }; if (false) f(2) % 2;
auto f = [](int a, int b = 3) { return a + b; }; n = f(2);
auto f = [](int a, int b = 3) { return a + b; }; if (false) ++f;
auto f = [](int a, int b = "x") { return a; }; if (false) f(1);
auto f = [](int a, int b = unheard_of) { return a; };
auto f = [](int a, int b = n) { return a; };
auto f = [n](int a) { return a; }; if (f) n = 2;
auto f = [n](int a) { return a; }; if (false) f && n;
auto f = [n](int a) { return a; }; if (false) (int)f;
auto f = [n](int a) { return a; }; if (false) static_cast<bool>(f);
auto f = [n](int a) { return a; }; if (false) n += f;
auto f = [n](int a) { return a; }; if (false) f < n;
auto f = [n](int a) { return a; }; if (false) { n ? f : n; }
auto f = [n](int a) { return a; }; auto g = [n](int a) { return a; }; if (false) { n ? f : g; }
auto f = [n](int a) { return a; }; if (false) { for (int i : f) { } }
auto f = [n](int a) { return a; }; auto g = f; n = g(2);
auto f = [n](int a) { return a; }; if (false) { auto [x, y] = f; }
auto f = [](int a, ...) { return a; }; if (false) f();
auto f = [](auto... a) { return 1; }; if (false) n = f;
auto f = [](auto a) { return a % 2; }; if (false) f(1.5);
auto f = [](auto a) { return a * 2; }; if (false) f(1.5) % 2;
auto f = [](auto a) { return a * 2; }; n = f(1.5) + f(3);
auto f = [](auto a) { a = "x"; return 1; }; if (false) f(3);
auto f = [](auto& a) { a = 2; }; if (false) f(3);
auto f = [](auto& a) { a = 2; }; const int m = 2; if (false) f(m);
auto f = [](auto& a) { a = 2; }; f(n);
auto f = [](auto* a) { return 1; }; if (false) f(n);
auto f = [](auto* a) { return *a % 2; }; double d = 1; if (false) f(&d);
auto f = [](auto a, auto b) { return a + b; }; if (false) f(1, 2.5) % 2;
auto f = [](auto a) { if (a) return 1; return a; }; if (false) f(2.5);
auto f = [&](auto a) { n = a; }; if (false) f("x");
auto f = [](auto a) -> int { return a; }; if (false) f("x");
auto f = [](auto a) { auto g = [&](auto b) { return a % b; }; return g(2); }; if (false) f(1.5);
auto f = [](auto a) { auto g = [&](auto b) { return a % b; }; return g(2); }; n = f(7);
auto f = [](auto me, int a) { if (a == 0) return 1; return me(me, a - 1) * a; }; n = f(f, 3);
auto f = [](auto me, int a) -> int { return a ? me(me, a - 1) * a : 1; }; n = f(f, 4);
""".strip().splitlines()

INSTANCES = """
template <typename T> T {f}_g(T a) { return a % 2; } int {f}() { if (false) {f}_g(1.5); return {f}_g(3); }
template <typename T> T {f}_g(T a) { return a % 2; } int {f}() { return {f}_g(3); }
template <typename T> T {f}_g(T a) { return a % 2; } int {f}() { return 1; {f}_g<double>(3); }
template <typename T> auto {f}_g(T a) { return a * 2; } int {f}() { return 1; {f}_g(1.5) % 2; }
template <typename T> auto {f}_g(T a) { return a * 2; } int {f}() { return {f}_g(3) % 4; }
template <typename T> T {f}_g(T a) { T b = "x"; return b; } int {f}() { return 1; }
template <typename T> T {f}_g(T a) { T b = "x"; return b; } int {f}() { return 1; {f}_g(3); }
template <typename T> T {f}_g(T a) { return a; } template <typename T> T {f}_h(T a) { return {f}_g(a) % 2; } int {f}() { return 1; {f}_h(1.5); }
template <typename T> auto {f}_g(T a) { if (a < 2) return a; return {f}_g(a - 1); } int {f}() { return {f}_g(3); }
template <typename T> int {f}_g(T a) { if constexpr (sizeof(T) < 5) return a % 2; else return 1; } int {f}() { return 1; {f}_g(2.5); }
int {f}_g(int a, int b = unheard_of) { return a; } int {f}() { return {f}_g(1, 2); }
int {f}_g(int a, int b = "x") { return a; } int {f}() { return {f}_g(1, 2); }
int {f}_g(int a, int b = a) { return a; } int {f}() { return {f}_g(1, 2); }
int {f}_g(int (*p)(int)) { return p(2); } int {f}() { return {f}_g([](int a) { return a; }); }
""".strip().splitlines()  # noqa: E501


def test_a_lambda_is_taken_where_gxx_takes_it(tmp_path: Path) -> None:
    texts = (f"auto f{i}() {{ int n = 1; {line} return n; }}\n" for i, line in enumerate(LAMBDAS))
    verdict = judge({f"f{i}": text for i, text in enumerate(texts)}, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 7


def test_an_instance_is_taken_where_gxx_takes_it(tmp_path: Path) -> None:
    texts = (line.replace("{f}", f"f{i}") + "\n" for i, line in enumerate(INSTANCES))
    verdict = judge({f"f{i}": text for i, text in enumerate(texts)}, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 6
