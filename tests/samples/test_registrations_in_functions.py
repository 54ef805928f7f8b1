"""A registration that stands in a function, or in a class: g++ refuses what is told as an error, and
takes what is a warning, since a mere object is constructed when the function runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.samples import aten
from tests.samples.fluid import STANDARD_LIBRARY
from tests.samples.precompiled import precompiled
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

KERNEL = """namespace phi {
template <typename T, typename Context>
void AKernel(const Context& c, const DenseTensor& x, DenseTensor* out) {}
}
"""
HEADS = {
    "phi/kernel_registry.h": KERNEL,
    "aten/library.h": "void one(int64_t) {}\n",
    "fluid/op_registry.h": "class O : public paddle::framework::OperatorWithKernel {"
    " public: using paddle::framework::OperatorWithKernel::OperatorWithKernel; };\n",
}
A_KERNEL = "PD_REGISTER_KERNEL(a, CPU, ALL_LAYOUT, phi::AKernel, float, double) {}"
IN_PADDLE = "it stands in a function: move it out"
PHI = "PD_REGISTER_KERNEL must be called in global namespace."
OPERATOR = "REGISTER_OPERATOR must be called in global namespace"
TORCH = "what registers here defines a function, and C++ takes no definition in another function"
IN_A_CLASS = "it stands in a class: move it out"
MEMBER = "this is an object, and in a class such parentheses would hold parameters"
OUT = "move it out of the function"

# What is written, with ^ before each place that is told.
WRONG = [
    ("phi/kernel_registry.h", f"void f() {{ ^{A_KERNEL} }}", PHI, IN_PADDLE),
    ("phi/kernel_registry.h", f"namespace n {{ int f() {{ if (1) {{ ^{A_KERNEL} }} return 0; }} }}"
     f"\n{A_KERNEL}", PHI, IN_PADDLE),
    ("phi/kernel_registry.h", f"auto f = [] {{ ^{A_KERNEL} }};", PHI, IN_PADDLE),
    ("phi/kernel_registry.h", f"template <typename> void f() {{ ^{A_KERNEL} ^"
     f"{A_KERNEL.replace('(a', '(b')} }}", PHI, IN_PADDLE),
    ("phi/kernel_registry.h", f"struct S {{ void f() {{ ^{A_KERNEL} }} }};", PHI, IN_PADDLE),
    ("phi/kernel_registry.h", f"struct S {{ int n; ^{A_KERNEL} int m; }};", PHI, IN_A_CLASS),
    ("phi/kernel_registry.h", f"namespace n {{ template <class T> class S {{ ^{A_KERNEL} }}; }}", PHI,
     IN_A_CLASS),
    ("fluid/op_registry.h", "struct S { int n; ^REGISTER_OPERATOR(x, O); };", OPERATOR,
     IN_A_CLASS),
    ("aten/library.h", "struct S { ^TORCH_LIBRARY(n, m) {} };", MEMBER, IN_A_CLASS),
    ("aten/library.h", "struct S { ^TORCH_LIBRARY_IMPL(n, CPU, m) { m.impl(\"one\", one); } };", MEMBER,
     IN_A_CLASS),
    ("fluid/op_registry.h", "void f() { ^REGISTER_OPERATOR(x, O); }", OPERATOR, IN_PADDLE),
    ("aten/library.h", "void f() { ^TORCH_LIBRARY(n, m) {} }", TORCH, OUT),
    ("aten/library.h", "void f() { ^TORCH_LIBRARY_FRAGMENT(n, m) { m.def(\"one(int x) -> ()\"); } }",
     TORCH, OUT),
    ("aten/library.h", "void f() { { ^TORCH_LIBRARY_IMPL(n, CPU, m) { m.impl(\"one\", one); } }\n"
     "^TORCH_LIBRARY_FRAGMENT(n, m) {} ^TORCH_LIBRARY_FRAGMENT(n, k) {} }", TORCH, OUT),
]  # fmt: skip
FINE = [
    ("phi/kernel_registry.h", A_KERNEL),
    (
        "aten/library.h",
        'struct S { int n = 3; S(int a = 3) : n(a) {} int f(const char* = "f"); };',
    ),
    ("aten/library.h", 'void f(); TORCH_LIBRARY(n, m) { m.def("one(int x) -> ()", one); }'),
    ("fluid/op_registry.h", "void f() {} REGISTER_OPERATOR(x, O);"),
]
# An object alone, beside what has functions of its own.
OBJECTS = [
    (
        "fluid/op_registry.h",
        'void f() {{ static ::paddle::framework::OperatorRegistrar<O> r("x"); {} }}',
    ),
    (
        "aten/library.h",
        "void block(torch::Library&);\nvoid f() {{ static torch::detail::TorchLibraryInit r("
        'torch::Library::DEF, &block, "n", std::nullopt, "a.cc", 1); {} }}',
    ),
]
BESIDE = [
    "",
    "struct S { int g() { return 1; } };",
    "auto g = [] { return 1; };",
    "struct A {}; static_assert(!std::is_same<::O1, A>::value);",
]


def written(header: str, text: str, folder: Path) -> Path:
    path = folder / "a.cc"
    include = f'#include "{samples_folder() / header}"'
    path.write_text(f"{include}\nstruct O1 {{}};\n{HEADS[header]}{text}\n")
    return path


def refused(path: Path) -> bool:
    words = precompiled("g++", "-std=c++17", *STANDARD_LIBRARY, *aten.STANDARD_LIBRARY)
    command = ["g++", *words, "-w", "-fsyntax-only", str(path)]
    return subprocess.run(command, capture_output=True).returncode != 0


judged = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ judges")


@judged
@pytest.mark.compiler
@pytest.mark.parametrize(("header", "marked", "message", "hint"), WRONG)
def test_one_that_no_compiler_takes_there_is_told_once_at_its_macro(
    header: str, marked: str, message: str, hint: str, tmp_path: Path
) -> None:
    path = written(header, marked.replace("^", ""), tmp_path)
    bench = open_file(path, Options(std="c++17"))
    assert refused(path)
    assert {(d.severity, d.message, d.hint) for d in bench.diagnostics} == {
        ("error", message, hint)
    }
    rows = list(bench.source_lines)
    for found in reversed(bench.diagnostics):
        row, at = rows[found.where.line - 1], found.where.column - 1
        rows[found.where.line - 1] = f"{row[:at]}^{row[at:]}"
    assert "\n".join(rows).rstrip().endswith(marked)


@judged
@pytest.mark.compiler
@pytest.mark.parametrize(("header", "text"), FINE)
def test_one_at_namespace_scope_is_right(header: str, text: str, tmp_path: Path) -> None:
    path = written(header, text, tmp_path)
    assert not refused(path)
    assert open_file(path, Options(std="c++17")).diagnostics == ()


@judged
@pytest.mark.compiler
@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize(("header", "text"), OBJECTS)
def test_an_object_in_a_function_compiles_and_is_warned_of(
    header: str, text: str, beside: str, tmp_path: Path
) -> None:
    path = written(header, text.format(beside), tmp_path)
    assert not refused(path)
    (found,) = open_file(path, Options(std="c++17")).diagnostics
    assert found.severity == "warning"
    assert found.hint == "the function that it stands in would have to run first"
