"""Every kind of expression in every kind of place, in code that never runs: as g++ takes it.

`python -m tests.cxx.crossings` judges all of them, which takes minutes; a test takes one in many.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.cxx import judge

TYPES = "enum Old { OA, OB };\nenum class New { A, B };\nstruct Plain { int x; int y; };\n"
LOCALS = """int n = 1; double d = 2.5; bool b = true; char c = 'c'; unsigned char u = 3; const int k
= 4; Old o = OA; New w = New::A; Plain st{1, 2}; const char* t = "t"; std::string s = "s"; int* p =
&n; const int* q = &n; int ar[2] = {1, 2}; std::vector<int> v{1, 2}; std::vector<std::string>
vs{"a"}; std::array<int, 2> a{1, 2}; std::pair<int, int> pr{1, 2}; std::tuple<int, int> tu{1, 2};
std::optional<int> op; auto il = {1, 2}; auto f = [](int x) { return x; }; auto it = v.begin();"""
_EXPRESSIONS = """n d b c o w t s p q v vs a pr tu op il f st it u k ar nullptr "lit" 3 2.5 'x' true
0 n+1 v.size() v[0] *p &n f(1) OA New::A st.x pr.first v.begin() std::nullopt Plain{1,2}
std::string("z") std::vector<int>{1} std::make_pair(1,2) (n) -d !b"""
_OBJECTS = """bool; std::string; const char*; int*; const int*; std::vector<int>; std::array<int,
2>; std::pair<int, int>; std::tuple<int, int>; std::optional<int>; Old; New; Plain; auto; auto&;
const auto&; auto*; int&; const int&; int"""
_MADE = """double x{@}; std::string x((@)); std::vector<int> x(@); std::vector<int> x{@}; Plain
x{@}; std::vector<std::string> x{@}; std::array<int, 2> x{@}; std::optional<int> x(@); int x[2] =
{@};"""
_ASSIGNED = "n d s p v a pr tu op st o w b it"
_DONE = """f(@); v.push_back(@); vs.push_back(@); v.at(@); v[@]; @ + 1; 1 - @; @ + @; @ * 2.5; @ %
2; @ << 1; @ & 1; @ == @; @ < 1; @ != nullptr; @ == 0; @ && b; !@; -@; ~@; *@; &@; @[0]; @.size(); @
? 1 : 2; n ? @ : 1; b ? @ : @; b ? @ : nullptr; (int)@; static_cast<int>(@); static_cast<double>(@);
int(@); bool(@); std::string(@); (void)@; sizeof(@); @++; n += @; s += @; d *= @; p += @; @ += 1;
@(1); @->x; @.x; @.first; std::to_string(@); std::get<0>(@); std::move(@); std::make_pair(@, 1);
std::swap(@, @); std::max(@, 1); std::max(@, @); std::min<int>(@, 2); std::abs(@); std::sqrt(@);
std::pow(@, 2); s.find(@); v.insert(v.begin(), @); v.resize(@); op.value_or(@);"""
_STATEMENTS = """if (@) n = 2;
while (@) n = 2;
switch (@) { default: n = 2; }
for (auto x : @) n = 2;
auto [x, y] = @;
auto g = [&](int z = 1) { return @; }; n = g();"""
_RETURNED = "int; std::string; double"
_PASSED = "const std::string&; std::vector<int>; int&; const int&; int*; bool; auto; Old"


def places() -> list[str]:
    """Statements in which an expression stands for each `@`."""
    return [
        *(f"{type} x = @;" for type in _OBJECTS.replace("\n", " ").split("; ")),
        *(f"{one};" for one in _MADE.replace("\n", " ").rstrip(";").split("; ")),
        *(f"{name} = @;" for name in _ASSIGNED.split()),
        *(f"{one};" for one in _DONE.replace("\n", " ").rstrip(";").split("; ")),
        *_STATEMENTS.splitlines(),
        *(f"auto g = [&]() -> {type} {{ return @; }};" for type in _RETURNED.split("; ")),
        *(f"auto g = []({type} z) {{ return 1; }}; g(@);" for type in _PASSED.split("; ")),
    ]


def functions(first: int = 0, step: int = 1) -> dict[str, str]:
    """One function for each expression in each place, or one in `step`."""
    crossed = [place.replace("@", each) for place in places() for each in _EXPRESSIONS.split()]
    return {
        f"function{n}": f"int function{n}() {{ {LOCALS} if (false) {{ {crossed[n]} }} return n; }}\n"
        for n in range(first, len(crossed), step)
    }


def judged(texts: dict[str, str]) -> judge.Verdict:
    with tempfile.TemporaryDirectory(prefix="unfold-judge-") as folder:
        return judge.judge(texts, Path(folder), head=TYPES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=1, help="one function in so many")
    texts = list(functions(step=parser.parse_args().step).items())
    total = judge.Verdict()
    for at in range(0, len(texts), 400):
        total.add(judged(dict(texts[at : at + 400])))
    print(*total.differences, sep="\n")
    refused = sum(total.refused.values())
    print(f"{total.equal} equal, {refused} refused, of which g++ refuses {total.ill_formed}")
    return bool(total.differences)


if __name__ == "__main__":
    sys.exit(main())
