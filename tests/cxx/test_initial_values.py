"""What objects are made of and what is done with vectors, strings, pairs and iterators: as g++ takes
it, in code that never runs too."""

import shutil
from pathlib import Path

import pytest

from tests.cxx.crossings import functions, judged
from tests.cxx.judge import judge

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")

# Each stands behind `int n = 1;`, and `return n;` behind it where it returns nothing.
DONE = """
std::vector<int> v; std::string s; if (false) v.push_back(s);
auto p = std::make_pair(1.5, n); auto f = [=](int a) { return a; }; if (false) std::string s(p, f);
std::vector<int> v; if (false) std::string s(v, n);
if (false) { std::string s("a", "b"); }
if (false) { std::string s("abc", n); std::string t(s, n), u(s, n, 2), w(n, 'c'); }
if (false) { std::string s("abc"); std::string t(s, s); }
if (false) { std::string s("abc"); std::string t(s, "a"); }
if (false) { std::string s(n, "a"); }
if (false) { std::string s("abc", 1, "a"); }
if (false) { std::string s{n, 'c'}; }
if (false) { std::string s{65, 'c', 66}; }
if (false) { std::string s{"abc", 2}; }
if (false) { std::string s{n}; }
std::string s = std::string("abc", 2); return s.size();
if (false) std::string("abc", "d", n);
std::vector<int> v; std::string s; if (false) v.push_back("a");
std::vector<int> v; if (false) v.push_back();
std::vector<int> v; if (false) v.push_back(1, 2);
std::vector<int> v; if (false) v.push_back({});
std::vector<int> v; if (false) v.push_back({1, 2});
std::vector<int> v; if (false) v.size(1);
std::vector<int> v; if (false) v.resize("a");
std::vector<int> v; if (false) v.resize();
std::vector<int> v; if (false) v.at("a");
std::vector<int> v; if (false) v.assign("a", 2);
std::vector<int> v; if (false) v.insert(1, 2);
std::vector<int> v; if (false) v.insert(v.begin(), "a");
std::vector<int> v; if (false) v.erase(1);
std::vector<int> v; if (false) v.reserve("a");
std::vector<int> v; if (false) v.clear(1);
std::vector<int> v; if (false) v.empty(1);
std::vector<int> v; if (false) v.back(1);
std::vector<int> v; if (false) v.pop_back(1);
std::vector<int> v; if (false) v.begin(1);
std::string s; if (false) s.size(1);
std::string s; if (false) s.substr("a");
std::string s; if (false) s.substr(1,2,3);
std::string s; if (false) s.find(s, s);
std::string s; if (false) s.find(1.5);
std::string s; if (false) s.push_back("a");
std::string s; if (false) s.append(1);
std::string s; if (false) s.c_str(1);
std::string s; std::vector<int> v{s};
if (false) { std::vector<int> v{"a"}; }
if (false) { std::vector<int> v = {1.5}; }
if (false) { std::vector<int> v = {1, n, 2.5}; }
if (false) { std::vector<int> v("a"); }
if (false) { std::vector<int> v(1, "a"); }
if (false) { std::vector<std::string> v(1, 2); }
if (false) { std::vector<std::string> v{1}; }
if (false) { std::vector<std::string> v{"a", 1}; }
if (false) { std::vector<int> v(1, 2, 3); }
std::vector<int> v; if (false) v = 3;
std::vector<int> v; if (false) v = {"a"};
if (false) { 1.assign(n, n); }
auto s = "text"; if (false) for (auto c : s) n += c;
int a[2] = {1, 2}; int* p = a; if (false) for (int c : p) n += c;
int a[2] = {1, 2}; if (false) for (int c : a) n += c;
if (false) for (char c : "text") n += c;
std::vector<int> v; if (false) for (int c : v.data()) n += c;
int* p = &n; if (false) { std::vector<std::string> x{p, p}; }
const char* p = "a"; if (false) { std::vector<std::string> x(p, p); }
const char* p = "a"; if (false) { std::vector<std::string> x{p, p}; }
int* p = &n; std::vector<double> x{p, p + 1}; return x.size();
std::vector<int> v; if (false) { std::vector<std::string> x(v.begin(), v.end()); }
int* p = &n; std::vector<std::string> v; if (false) v.assign(p, p);
int* p = &n; std::vector<std::string> v; if (false) v.insert(v.begin(), p, p);
std::array<int, 2> v = {1, 2}; for (int x : v) n += x; for (auto& x : v) x++; return n + v[0];
if (false) { std::array<std::string, 2> v{&n, "a"}; }
std::array<int, 2> v{1, 2}; if (false) v + 1;
std::array<int, 2> v{1, 2}; if (false) { std::array<int, 3> w = v; }
std::array<int, 2> v{1, 2}; if (false) { std::array<int, 2> w{1, 2, 3}; std::array<int, 2> u(1, 2); }
std::array<int, 2> v{1, 2}; if (false) v.push_back(3);
std::array<int, 2> v{1, 2}; if (false) for (std::string s : v) n++;
std::array<int, 2> v{1, 2}; if (false) { auto [a] = v; }
std::tuple<int, double> v{1, 2}; if (false) std::get<2>(v);
std::tuple<int, double> v{1, 2}; if (false) std::get<0>(v) = "a";
std::tuple<int, double> v{1, 2}; if (false) { std::tuple<int, double> w(1, "a"); }
std::tuple<int, double> v{1, 2}; if (false) v[0];
auto f = [](std::tuple<int, int> a) { return 1; }; if (false) f(3);
std::tuple<long, double> t = std::make_tuple(n, 2); return std::get<0>(t);
int a, b; std::tie(a, b) = std::make_tuple(3, 4); return a * b;
switch (n) { case n: return 2; } return 1;
int m = 1; const int k = m; switch (n) { case k: return 2; } return 1;
const int k = 1; switch (n) { case k: return 2; } return 1;
constexpr int k = 2; switch (n) { case k: return 2; } return 1;
switch (n) { case 1.5: return 2; } return 1;
switch (n) { case 'a': return 2; case 97: return 3; } return 1;
switch (n) { case 1: return 2; case 0 + 1: return 3; } return 1;
if (false) { static_assert(n == 1, ""); }
static_assert(sizeof(n) == 4, "");
static_assert(sizeof(n) == 5, "");
if (false) { constexpr int k = n; }
if (false) { if constexpr (n) n = 2; }
const int k = 2; if constexpr (k) return 1; return 2;
if (false) { (int)(n) += 1; }
if (false) compl 1.5;
int b = 2; return (n ? b : n -= 3);
int b = 2; b = (n > 5 ? b : n = 3) + 1; return b + n;
std::pair<int, int> p{1, 2}; return (n ? p.first : p.second = 5) + p.second;
return sizeof (int)-1;
return sizeof (n)-1;
if (false) sizeof (int)n;
{double(n), n;}
{int((n)); n = 3;} return n;
int* p = &n; {int(*p);} return *p;
{uint8_t(n), 3;}
using T = int; {T(n);} return n;
std::string s; {std::string(s).size();} return s.size();
if (false) n bitand 1.5;
return (n or 2) + (compl n bitor 8) * (not n not_eq 1) + (n xor 3 and 2);
n and_eq 3; n or_eq 4; n xor_eq 16; return n;
int b = 2; if (false) n + b = 3;
int b = 2; if (false) n || b = 3;
int b = 2; n < b = 3;
if (false) -n = 2;
if (false) !n += 2;
int b = sizeof n = 1;
--n = 5;
int b = ++n *= 5; return b;
n ? n : n = 3;
int b = 0; b = n > 4 ? n : n = 3; return b;
return 1 + (++n += 2);
if (false) { ++(int)n; }
if (false) { ((long)n) = 2; }
if (false) { int& r = (int)n; }
if (false) { int* p = &(int)n; }
return (int)n + (int)2.5;
int a[1] = {3}; if (false) { auto [x, y] = a; }
int a[] = {3, 4}; if (false) { auto [x] = a; }
int a[] = {3, 4}; auto [x, y] = a; return x + y;
int a[2] = {3, 4}; auto& [x, y] = a; y = 5; return a[1];
int a[2][1] = {{3}, {4}}; if (false) { auto [x] = a; }
if (false) { 2.size(); }
if (false) { (n)(1); }
if (false) { (n + 1)(1); }
if (false) { 3(1); }
if (false) { "a"(1); }
std::vector<int> v; if (false) v[0](1);
std::vector<int> v; if (false) v.size()(1);
auto f = [=](int a) { return a; }; if (false) (f)(1);
auto f = [=](int a) { return a; }; if (false) (f)(1, 2);
auto f = [=](int a) { return [=](int b) { return a + b; }; }; return f(1)(2);
auto f = [=](int a) { return [=](int b) { return a + b; }; }; if (false) return f(1)(2, 3);
auto f = [=](int a) { return a; }; if (false) f(1)(2);
auto f = [=](int a) { return a; }; auto g = [=](int a) { return a + 1; }; if (false) (n ? f : g)(2);
return (n > 2 ? n : 2)(1);
std::vector<int> v; if (false) v = {1.5};
std::vector<int> v; std::vector<double> w; if (false) v = w;
std::vector<int> v; std::vector<double> w; if (false) v == w;
std::vector<int> v; if (false) v < 3;
std::vector<int> v; if (false) v[0] = "a";
std::vector<int> v; if (false) *v.begin() = "a";
std::vector<int> v; if (false) v.begin() = 3;
std::vector<int> v; if (false) n = v.begin();
std::vector<int> v; if (false) v.begin() * 2;
std::vector<int> v; auto i = v.begin(); if (false) i = 2;
std::vector<int> v; auto i = v.begin(); if (false) i.x = 2;
std::vector<int> v; auto i = v.begin(); if (false) i + 1.5;
std::vector<int> v; auto i = v.begin(); if (false) i == 1;
std::vector<int> v; auto i = v.begin(); if (false) !i;
std::vector<int> v; auto i = v.begin(); if (i) n = 2;
std::vector<int> v; auto i = v.begin(); if (false) int m = i;
std::vector<int> v; auto i = v.begin(); if (false) { int* p = i; }
const std::vector<int> v{1}; auto i = v.begin(); if (false) *i = 2;
std::vector<int> v{1}; auto i = v.cbegin(); if (false) *i = 2;
std::vector<int> v{1}; if (false) v.data();
std::vector<int> v{1}; if (false) v.swap(v);
std::string v; if (false) v.append("a");
std::vector<int> v; std::vector<int> w; if (false) v.assign(w);
std::vector<int> v; if (false) v.assign({1, 2});
std::vector<int> v; if (false) v.insert(v.end(), {1, 2});
std::vector<int> v; if (false) v.insert(v.end(), {1});
std::vector<int> v{1}; int a[2] = {1, 2}; v.assign(a, a + 2); return v.size();
std::vector<int> v{1}; int a[2] = {1, 2}; if (false) v.assign(a, a + 2);
std::vector<int> v{1}; int a[2] = {1, 2}; std::vector<int> w(a, a + 2); return w.size();
std::vector<int> v{1, 2}; std::vector<int> w(v.begin(), v.end()); return w.size();
std::vector<int> v{1, 2}; std::vector<double> w(v.begin(), v.end()); return w[1];
std::vector<int> v{1, 2}; std::vector<double> w(v); return w[1];
std::vector<std::string> v{"a", "b"}; return v.size();
std::vector<std::string> v{"a", "b", "c"}; return v.size();
std::vector<std::string> v(2, "b"); return v.size();
std::vector<std::vector<int>> v{{1, 2}, {3}}; return v[0].size();
std::vector<std::vector<int>> v(2, {3}); return v[0].size();
std::vector<std::vector<int>> v(2, std::vector<int>{3, 4}); return v[1].size();
std::vector<std::vector<int>> v{{1, "a"}, {3}};
if (false) { std::vector<std::vector<int>> v{{1, "a"}, {3}}; }
if (false) { std::vector<std::vector<int>> v{1, 2}; }
if (false) { std::vector<std::vector<int>> v{3}; }
if (false) { std::vector<std::pair<int, int>> v{{1, 2}, {3, "a"}}; }
std::vector<std::pair<int, int>> v{{1, 2}, {3, 4}}; return v[1].second;
if (false) { std::pair<int, int> p{1, "a"}; }
if (false) { std::pair<int, int> p{1, 2, 3}; }
if (false) { std::pair<int, int> p{1}; }
if (false) { std::pair<int, int> p("a", 2); }
std::pair<int, int> p; if (false) p = {1, "a"};
std::pair<int, int> p; p = {1, 2}; return p.second;
std::vector<int> v; auto f = [](std::vector<int> a) { return a.size(); }; return f({1, 2});
std::vector<int> v; auto f = [](std::vector<int> a) { return a.size(); }; if (false) f({"a"});
auto f = [](int a) { return a; }; return f({2});
auto f = [](int a) { return a; }; if (false) f({2, 3});
auto f = [](int a) { return a; }; if (false) f({"a"});
auto f = [](auto a) { return 1; }; if (false) f({2});
auto f = []() -> std::vector<int> { return {1, 2}; }; return f()[1];
auto f = []() -> std::vector<int> { return {1, "a"}; };
auto f = []() -> int { return {1, 2}; };
auto f = []() { return {1, 2}; };
if (false) n = {1, 2};
if (false) n = {"a"};
n = {2};
std::vector<int> v{1, 2}; auto i = v.begin(); i += 1; return *i;
std::vector<int> v{1, 2}; auto i = v.begin(); *(i + 1) = 7; return v[1];
std::vector<int> v{1, 2}; auto i = v.begin(); if (false) i += "a";
std::vector<int> v{1, 2}; auto i = v.begin(); if (false) *(i + 1) = "a";
std::vector<int> v{1, 2}; return v.end() - v.begin();
std::vector<int> v{1, 2}; if (false) (v.end() - v.begin()) % 2.5;
std::vector<int> v{1, 2}; if (false) v.end() + v.begin();
std::vector<int> v{1, 2}; return v.cend() == v.end();
std::vector<int> v{1, 2}; if (false) v.rend() == v.end();
std::vector<int> v{1, 2}; auto i = v.begin(); i = v.end(); return i == v.end();
std::vector<int> v{1, 2}; auto i = v.cbegin(); i = v.end(); return i == v.end();
std::vector<int> v{1, 2}; auto i = v.begin(); if (false) i = v.cend();
std::vector<int> v{1, 2}; auto i = n ? v.begin() : v.cend(); return *i;
std::vector<int> v{1, 2}; if (false) { n ? v.begin() : v.rend(); }
std::vector<std::pair<int, double>> v{{1, 2.5}}; auto i = v.begin(); return i->second;
std::vector<std::pair<int, double>> v{{1, 2.5}}; auto i = v.begin(); if (false) i->second % 2;
std::vector<std::pair<int, double>> v{{1, 2.5}}; auto i = v.begin(); if (false) i->third;
std::vector<std::pair<int, double>> v{{1, 2.5}}; auto i = v.begin(); if (false) i.second;
std::vector<std::string> v{"abc", "b", "c"}; auto i = v.begin(); return i->size();
std::vector<std::string> v{"abc", "b", "c"}; auto i = v.begin(); if (false) i->size(1);
std::vector<int> v{1, 2}; auto i = v.begin(); return i[1];
std::vector<int> v{1, 2}; auto i = v.begin(); if (false) i["a"];
std::vector<int> v{1, 2}; auto i = v.begin(); auto* p = &*i; return *p;
std::vector<int> v{1, 2}; auto i = v.begin(); if (false) { auto* p = i; }
std::vector<int> v{1, 2}; auto f = [](auto i) { return *i % 2; }; return f(v.begin());
std::vector<double> v{1, 2}; auto f = [](auto i) { return *i % 2; }; if (false) f(v.begin());
std::vector<double> v{1, 2}; for (auto i = v.begin(); i != v.end(); ++i) n += *i;
std::vector<double> v{1, 2}; for (auto i = v.begin(); i < v.end(); i++) *i += 2; return v[1];
std::vector<double> v{1, 2}; for (auto i = v.rbegin(); i != v.rend(); ++i) n += *i;
std::vector<double> v{1, 2}; auto r = v.rbegin(); return *(r.base() - 1);
std::vector<double> v{1, 2}; v.erase(v.begin(), v.begin() + 1); return v[0];
std::vector<double> v{1, 2}; v.erase(v.cbegin()); return v[0];
std::vector<double> v{1, 2}; if (false) v.erase(v.rbegin()); return v[0];
std::vector<double> v{1, 2}; std::vector<int> w; if (false) v.erase(w.begin()); return v[0];
std::vector<double> v{1, 2}; auto i = v.insert(v.begin(), 3); return *i;
const std::vector<double> v{1, 2}; if (false) v.begin()[0] = 2;
const std::vector<double> v{1, 2}; return *v.begin();
std::vector<int> v{3, 4}; auto i = std::find(v.begin(), v.end(), 4); return i - v.begin();
std::vector<int> v{3, 4}; return std::find(v.begin(), v.end(), 4) == v.end();
std::string s = "abc"; return s.find("b", 1);
std::string s = "abc"; return s.find('b');
std::string s = "abc"; if (false) s.at("a");
int a[2] = {1, 2}; int* p = a; return *(p + 1);
int a[2] = {1, 2}; int* p = a; if (false) *(p + 1) = "a";
int a[2] = {1, 2}; int* p = a; if (false) (p - a) % 2.5;
int a[2] = {1, 2}; int* p = a; p += 1; return *p;
int a[2] = {1, 2}; auto q = a + 1; return *q;
if (false) std::max(std::string("a"), "b");
if (false) std::max(n, "b");
std::vector<int> v{1}; if (false) std::max(v, n);
if (false) { double x(unheard_of, unheard_of); }
if (false) { bool x(n, n); }
enum class E { A }; E e(E::A); if (false) { bool x(e); }
enum class E { A }; auto e{E::A}; if (false) { e.first = 2; }
enum class E { A }; auto e{E::A}; if (false) { for (auto x : e) { } }
std::vector<short> v{2}; if (false) { for (auto x : v) { x = v; } }
std::vector<short> v{2}; for (auto& x : v) x += 3; return v[0];
std::vector<short> v{2}; if (false) { for (int& x : v) { } }
const std::vector<short> v{2}; if (false) { for (auto& x : v) { x = 3; } }
if (false) { static_cast<auto>(n); }
return static_cast<decltype(n)>(2.5);
if (false) { std::make_pair(n, n).first = 2; }
std::vector<int> v; if (false) { std::string{v}; }
auto f = [] { }; if (false) { std::swap(f, f); }
int* p = &n; if (false) { p(p); }
int a[2] = {1, 2}; if (false) { a = {}; }
int a[2] = {1, 2}; if (false) { a = a; }
if (false) { [](auto x, auto y = 2) { return x + y; }(n); }
if (false) { n.first = 2; }
std::vector<int> v; if (false) { v->size(); }
if (false) { true ? ("text" - n) : 2.5; }
""".strip().splitlines()

# What braces alone are, a std::initializer_list: in code that runs, and in code that never does.
LISTS = """
auto f = [](auto q) { return 1; }; return f({1, 2});
auto f = [](std::initializer_list<int> q) { return (int)q.size(); }; return f({1, 2});
for (auto x : {1, 2}) return x; return 0;
for (auto& x : {1, 2}) { x = 3; return x; } return 0;
for (const auto& x : {1, 2}) { return x; } return 0;
auto v = {{1, 2}, {3}}; return 1;
std::string s = "a"; auto v = {s, s}; std::vector<std::string> u(v); return u.size();
auto v = {"a", "b"}; std::vector<std::string> u(v); return u.size();
auto v = {"a", "b"}; for (auto s : v) return 1; return 0;
auto v = {std::make_pair(1, 2)}; for (auto p : v) return p.first; return 0;
auto v = {1, 2}; auto f = [v] { int s = 0; for (int x : v) s += x; return s; }; return f();
auto v = {1, 2}; auto f = [&v] { int s = 0; for (int x : v) s += x; return s; }; return f();
auto f = [] { return {1, 2}; }; return 1;
static auto v = {1, 2}; for (int x : v) return x; return 0;
static const auto v = {1, 2}; return v.size();
const auto v = {1, 2}; for (auto& x : v) return x; return 0;
auto v = {1, 2}; auto w = {3, 4}; v = w; for (int x : v) return x; return 0;
auto v = {1, 2}; auto w = {3.0, 4.0}; v = w; for (int x : v) return x; return 0;
auto v = {1, 2}; auto w = {3}; v = w; int k = 0; for (int x : v) k++; return k;
auto v = {1, 2}; std::vector<int> w; w = v; return w[1];
auto v = {1, 2}; std::vector<double> w; w = v; return w[1];
auto v = {1, 2}; std::vector<int64_t> w(v); return w[1];
auto v = {1, 2}; std::vector<int> w; w.insert(w.end(), v); return w[1];
auto v = {1, 2}; std::vector<int> w; w.assign(v); return w[1];
auto v = {1, 2}; std::vector<std::vector<int>> w; w.push_back(v); return w[0][1];
auto v = {1, 2}; std::vector<std::vector<int>> w{v, v}; return w[0][1];
auto v = {1, 2}; std::optional<std::vector<int>> w = v; return (*w)[1];
auto v = {1, 2}; std::tuple<std::vector<int>, int> w{v, 1}; return std::get<1>(w);
auto v = {1, 2}; auto t = std::make_tuple(v, 1); return std::get<1>(t);
auto v = {1, 2}; auto t = std::make_pair(v, 1); return t.second;
auto v = {1, 2}; auto [a, b] = v; return a;
auto v = {1, 2}; auto t = std::move(v); for (int x : t) return x; return 0;
auto v = {1, 2}; return v.size() > 1 ? 1 : 0;
auto v = {1, 2}; auto f = [](const std::vector<int>& q) { return q[1]; }; return f(v);
auto v = {1, 2}; auto f = [](std::vector<double> q) { return q[1]; }; return f(v);
auto v = {1, 2}, w = {3, 4}; return w.size();
auto v = {1, 2}, w = {3.0}; return w.size();
auto v = {1, 2}; return std::max(v) + std::min(v);
auto v = {1, 2}; return std::max<int>(v);
auto v = {1.5, 2.0}; return std::max<int>(v);
return std::max({1, 2.0});
return std::max({1, 2});
return std::max<double>({1, 2});
auto v = {true, false}; return v.size();
auto v = {1, 2}; std::vector<int> w = {v.size() > 1, 2}; return w[0];
auto v = {1, 2}; auto* p = &v; for (int x : *p) return x; return 0;
auto v = {1, 2}; auto t = v.size() ? v : v; for (int x : t) return x; return 0;
const auto& v = {1, 2}; for (int x : v) return x; return 0;
auto&& v = {1, 2}; for (int x : v) return x; return 0;
auto& v = {1, 2}; for (int x : v) return x; return 0;
auto* v = {1, 2}; return 0;
const auto* v = {1, 2}; return 0;
auto v = {nullptr, nullptr}; return 0;
int a = 1; auto v = {&a, &a}; for (auto p : v) return *p; return 0;
auto v = {1, 2}; switch (v) { default: return 1; }
auto v = {1, 2}; while (v) return 1; return 0;
auto v = {1, 2}; return v && true;
auto v = {1, 2}; return -v;
auto v = {1, 2}; return (int)v;
auto v = {1, 2}; return int(v);
auto v = {1, 2}; return (bool)v;
auto v = {1, 2}; std::string s{v}; return 1;
auto v = {'a', 'b'}; std::string s(v); return s.size();
auto v = {'a', 'b'}; std::string s = v; return s.size();
auto v = {1, 2}; int a[2] = v; return 0;
auto v = {1, 2}; return std::get<0>(v);
auto v = {1, 2}; v = {3, 4, 5}; return v.size();
auto v = {1, 2}; std::swap(v, v); return 1;
auto v = {1, 2}; auto w = v; std::swap(v, w); return 1;
auto v = {2, 1}; std::sort(v.begin(), v.end()); return 1;
auto x = {1}; return x;
auto x = {1}; return x + 1;
auto x{1}; return x + 1;
auto x = int{1}; return x;
auto v = {3, 22}; return v[1];
auto v = {3, 22}; return v == v;
auto v = {3, 22}; std::tuple<int, int> t = v; return 1;
auto v = {3, 22}; std::array<int, 2> t = v; return 1;
auto v = {3, 22}; return *v.begin();
auto v = {3, 22}; auto p = &v; return (*p)[1];
auto v = {3, 22}; if (v) return 1; return 0;
""".strip().splitlines()


def test_what_is_made_and_done_is_taken_where_gxx_takes_it(tmp_path: Path) -> None:
    bodies = [f"{line} return n;" if "; return" not in line else line for line in DONE]
    texts = {f"f{i}": f"auto f{i}() {{ int n = 1; {body} }}\n" for i, body in enumerate(bodies)}
    verdict = judge(texts, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 40


def test_what_stands_in_braces_alone_is_a_list_where_it_is_one_for_gxx(tmp_path: Path) -> None:
    never = [f"bool no = false; if (no) {{ {body} }} return 7;" for body in LISTS]
    texts = {f"f{i}": f"int f{i}() {{ {body} }}\n" for i, body in enumerate(LISTS + never)}
    verdict = judge(texts, tmp_path)
    assert verdict.differences == []
    assert verdict.equal >= 60


def test_an_expression_is_taken_where_gxx_takes_it() -> None:
    verdict = judged(functions(first=7, step=23))
    assert verdict.differences == []
    assert verdict.equal >= 80
