"""Macros that a file means and doesn't name, or invokes without their `(`: told where g++ refuses."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

HEADERS = {
    "phi": '#include "kernel_registry.h"\nnamespace phi {\n'
    "template <typename T, typename Context>\n"
    "void AKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}\n}\n",
    "aten": '#include "library.h"\n',
    "fluid": '#include "op_registry.h"\n',
    "": "",
}
STANDARD = ("vector", "string", "type_traits", "cstdint")
_MISSPELT = [
    ("phi", "pd_register_kernel(a, CPU, ALL_LAYOUT, phi::AKernel, bool, int) {}", "PD_REGISTER_KERNEL"),
    ("phi", "Pd_Register_Kernel(a, CPU, ALL_LAYOUT, phi::AKernel, bool) {}", "PD_REGISTER_KERNEL"),
    ("phi", "PD_REGISTER(a, CPU, ALL_LAYOUT, phi::AKernel, bool, int) {}", "PD_REGISTER_KERNEL"),
    ("phi", "pd_register_kernel(a, CPU, ALL_LAYOUT, phi::AKernel, bool, int);", "PD_REGISTER_KERNEL"),
    ("aten", "torch_library_impl(aten, CPU, m) { m.impl(1); }", "TORCH_LIBRARY_IMPL"),
    ("aten", "TORCH_LIB(myops, m) {}", "TORCH_LIBRARY"),
    ("fluid", "register_operator(a, b, c);", "REGISTER_OPERATOR"),
    ("", "#define MAKE_IT(x) int x;\nMAKE_lT(three)", "MAKE_IT"),
    ("", "Register_Dispatch(add_stub, add_kernel);", "REGISTER_DISPATCH"),
    ("", "f(1) {}", ""),
]  # fmt: skip
_UNOPENED = [
    ("phi", "PD_REGISTER_KERNEL a, CPU, ALL_LAYOUT, phi::AKernel, bool, int) {}", "PD_REGISTER_KERNEL"),
    ("phi", "PD_REGISTER_KERNEL {a, CPU, ALL_LAYOUT, phi::AKernel, int} {}", "PD_REGISTER_KERNEL"),
    ("aten", "TORCH_LIBRARY_IMPL aten, CPU, m) { m.impl(1); }", "TORCH_LIBRARY_IMPL"),
    ("fluid", "REGISTER_OPERATOR;", "REGISTER_OPERATOR"),
]  # fmt: skip
_VALID = [
    "struct A { A(int); ~A(); operator int(); };\nA::A(int) {}\nA::~A() {}\nA::operator int() {}",
    "template <class T> struct B { B(T); };\ntemplate <class T> B<T>::B(T) {}\nB(int) -> B<int>;",
    "main() {}",
    "enum { PD_REGISTER_KERNELS, REGISTER_DISPATCHED, TORCH_LIBRARY_KIND };",
    "#define MAKE_IT(x) int x;\nMAKE_IT(three)\nint MAKE_IT = 3;",
    "int register_operator(int a, int b);\nint two = register_operator(1, 2);",
]


def _refused(text: str, folder: Path) -> bool:
    """Whether g++ takes the text with its `include`s."""
    given = [word for name in STANDARD for word in ("-include", name)]
    command = [
        "g++",
        "-std=c++17",
        "-fsyntax-only",
        "-w",
        *given,
        "-I",
        str(folder),
        "-x",
        "c++",
        "-",
    ]
    return (
        subprocess.run(command, input=text, text=True, capture_output=True, check=False).returncode
        > 0
    )


def _told(framework: str, text: str, folder: Path) -> list[tuple[int, str, str]]:
    file = folder / "it.cc"
    file.write_text(HEADERS[framework] + text + "\n")
    options = (
        Options(include_folders=(str(samples_folder() / framework),)) if framework else Options()
    )
    errors = [d for d in open_file(file, options).diagnostics if d.severity == "error"]
    return [(d.where.line, d.about, d.hint) for d in errors]


@pytest.mark.parametrize(("framework", "text", "meant"), _MISSPELT)
def test_a_name_that_is_no_macro_is_told_with_the_one_that_is_meant(
    framework, text, meant, tmp_path
):
    ((line, about, hint),) = _told(framework, text, tmp_path)
    assert line == (HEADERS[framework] + text).count("\n") + 1
    assert about == text.splitlines()[-1].partition("(")[0]
    assert (f"did you mean {meant}?" in hint) == bool(meant)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("PD_REGISTER_KERNEL(a, CPU, ALL_LAYOUT, phi::AKernel, int) {}", "kernel_registry.h"),
        ("TORCH_LIBRARY_IMPL(aten, CPU, m) {}", "torch/library.h"),
        ("REGISTER_OPERATOR(a, AOp);", "op_registry.h"),
    ],
)
def test_a_macro_whose_header_is_not_included_is_told_with_that_header(text, header, tmp_path):
    ((line, about, hint),) = _told("", text, tmp_path)
    assert (line, about) == (1, text.partition("(")[0])
    assert re.fullmatch(rf"include [\w/]*{header}, which defines it", hint)


@pytest.mark.parametrize(("framework", "text", "name"), _UNOPENED)
def test_an_invocation_without_its_parenthesis_is_told_at_its_name(framework, text, name, tmp_path):
    ((line, about, hint),) = _told(framework, text, tmp_path)
    assert (line, about) == ((HEADERS[framework] + text).count("\n") + 1, name)
    assert f"write {name}( before" in hint


def test_a_name_that_runs_into_its_first_argument_is_told(tmp_path):
    text = "PD_REGISTER_KERNELabc, CPU, ALL_LAYOUT, phi::AKernel, bool) {}"
    ((_, about, hint),) = _told("phi", text, tmp_path)
    assert about == "PD_REGISTER_KERNELabc"
    assert hint == "write PD_REGISTER_KERNEL( before `abc`"


def test_a_header_that_was_not_found_may_define_it(tmp_path):
    ((line, _, hint),) = _told("", '#include "absent.h"\ntorch_library(myops, m) {}', tmp_path)
    assert line == 1
    assert "it may define what nothing here does: `torch_library`" in hint


@pytest.mark.parametrize("text", _VALID)
def test_what_a_compiler_takes_is_no_misspelt_macro(text, tmp_path):
    assert not _told("", text, tmp_path)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_gxx_refuses_the_same():
    for framework, text, *_ in (*_MISSPELT, *_UNOPENED):
        folder = samples_folder() / framework if framework else Path.cwd()
        assert _refused(HEADERS[framework] + text, folder), text
    assert not _refused(HEADERS["phi"], samples_folder() / "phi")
    for text in _VALID:
        assert not _refused(text, Path.cwd()), text


@pytest.mark.parametrize(("name", "told"), [("list.def", 0), ("list.h", 0), ("list.cc", 1)])
def test_a_text_that_others_include_may_be_theirs_to_define_macros_for(name, told, tmp_path):
    (tmp_path / name).write_text('FRUIT(apple, "red")\n')
    assert len(open_file(tmp_path / name, Options(std="gnu++17")).diagnostics) == told


def test_who_misspells_hundreds_is_told_of_the_first_ones(tmp_path: Path) -> None:
    """Each is compared with all that are known: 2,000 with 20,000 would take minutes."""
    path = tmp_path / "a.cc"
    path.write_text(
        "#define MAKE_IT(x) int x;\n" + "".join(f"MAKE_lT_{n}(a)\n" for n in range(100))
    )
    found = open_file(path, Options(cc="none")).diagnostics
    assert len(found) == 100
    meant = ["did you mean MAKE_IT" in d.hint for d in found]
    assert meant == sorted(meant, reverse=True)
    assert 0 < sum(meant) < 100


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("int f() {", "{"),
        ("namespace n {\nint a;", "{"),
        ("int a;\n}", "}"),
        ("#define BEGIN {\nint f() BEGIN", "{"),
    ],
)
def test_a_brace_without_its_partner_is_told_where_nothing_registers(text, about, tmp_path):
    ((_, told, _),) = _told("", text, tmp_path)
    assert told == about
    assert shutil.which("g++") is None or _refused(text, tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("it.cc", '#include "absent.h"\nint f() {'),  # which may define what closes it
        ("it.inc", "int f() {"),
        ("it.cc", "#define BOTH { }\nint f() BOTH"),
    ],
)
def test_what_stands_elsewhere_may_close_a_brace(name, text, tmp_path):
    (tmp_path / name).write_text(text + "\n")
    said = open_file(tmp_path / name, Options(std="gnu++17")).diagnostics
    assert not [d for d in said if "clos" in d.message]
