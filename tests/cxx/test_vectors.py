"""`std::vector` in bodies: what g++ makes of the same text is what the interpreter makes of it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from registry_runtime.cxx import Bindings, Class, CxxError, CxxFunction, initialise

BODIES = [
    "std::vector<int> v; v.push_back(3); v.push_back(4); return v;",
    "std::vector<int> v(3); v.pop_back(); v[1] += v.size(); return v;",
    "std::vector<int> v(2, 7); v.resize(4, 1); return v;",
    "std::vector<int> v{1, 2, 3, 4}; v.erase(v.begin() + 1); return v;",
    "std::vector<int> v{1, 2, 3, 4}; v.erase(v.begin() + 1, v.end() - 1); return v;",
    "std::vector<int> v{1, 4}; v.insert(v.begin() + 1, 9); v.insert(v.end(), 5); return v;",
    "std::vector<int> v{1, 2, 3}; std::vector<int> w(v.begin() + 1, v.end()); return w;",
    "std::vector<int> v{1, 2}; auto w = v; w.clear(); w.push_back(v[1]); v[0] = 5;"
    " w.insert(w.end(), v.begin(), v.end()); return w;",
    "std::vector<int> v; for (int i = 0; i < 3; ++i) v.push_back(std::max(i, 1)); return v;",
    "std::vector<int> v{3}; if (v.begin() + 1 == v.end() && !v.empty()) v[0] = std::abs(-2);"
    " return v;",
    "std::vector<std::vector<int>> v(2, std::vector<int>(1)); v[0].push_back(3); return v[1];",
    "std::vector<int> w{1}; std::vector<std::vector<int>> v{w}; v.push_back(w); v[0].push_back(3);"
    " w.push_back(4); return v[1];",
    "std::vector<std::vector<int>> v(1), w; w = v; w[0].push_back(2); return v[0];",
]


def function(body: str) -> CxxFunction:
    kept: list[CxxFunction] = []
    bindings = Bindings({"Keep": Class(kept.append)})
    made = initialise(f"std::vector<int> f() {{ {body} }}\nstatic Keep keep(&f);", bindings)
    assert not made.errors
    return kept[0]


@pytest.mark.compiler
def test_as_gpp_does(tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ is not installed")
    functions = "".join(f"std::vector<int> f{i}() {{ {b} }}\n" for i, b in enumerate(BODIES))
    calls = "".join(f"  print(f{i}());\n" for i in range(len(BODIES)))
    source = tmp_path / "v.cc"
    source.write_text(
        "#include <algorithm>\n#include <cstdio>\n#include <cstdlib>\n#include <vector>\n"
        f"{functions}void print(const std::vector<int>& v) {{\n"
        '  for (int i : v) std::printf("%d ", i);\n  std::puts("");\n}\n'
        f"int main() {{\n{calls}}}\n"
    )
    subprocess.run([compiler, "-std=c++17", source, "-o", tmp_path / "v"], check=True)
    printed = subprocess.run([tmp_path / "v"], capture_output=True, text=True, check=True).stdout
    theirs = [list(map(int, line.split())) for line in printed.splitlines()]
    assert [function(body)() for body in BODIES] == theirs


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("std::vector<int> v{1}; v.erase(v.end()); return v;", "leads to no element"),
        ("std::vector<int> v{1}, w{1}; v.erase(w.begin()); return v;", "leads to no element"),
        ("std::vector<int> v{1}; v.at(1); return v;", "at(1) is out of range"),
        ("std::vector<int> v(100000); return v;", "a vector of 100000 elements"),
        ("std::vector<int> v{1}; v[1] = 2; return v;", "out of range"),
        ("std::vector<int> v{1, 2}; v.erase(v.end(), v.begin()); return v;", "behind the second"),
        (
            "std::vector<int> v{1, 2}; std::vector<int> w(v.begin() - 1, v.end()); return w;",
            "leads",
        ),
        ("std::vector<int> v{1}; if (v.begin() < 3) v.clear(); return v;", "there is no `<`"),
        ('std::vector<int> v{1}; v[0] = std::abs("x"); return v;', "std::abs takes a number"),
    ],
)
def test_what_would_be_undefined_is_refused(body: str, message: str) -> None:
    with pytest.raises(CxxError) as error:
        function(body)()
    assert message in error.value.message
