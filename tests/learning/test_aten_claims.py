"""What PyTorch's lessons say about compilers and linkers, which Unfold's engine can't work out.

Each test names the lesson whose sentence it shows. The files are the ones that the reader sees.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.samples.aten import SAMPLES
from tests.samples.precompiled import precompiled
from visualizer.learning import lesson

HEADERS = [word for h in ("cstdint", "optional", "string", "vector") for word in ("-include", h)]
LESSONS = {f.name.partition("-")[0]: f for f in lesson.folders() if f.parent.name == "aten"}

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not on PATH"),
]

# What the headers only declare, so that a sample becomes a program: each call says what it does.
RUNTIME = """
torch::Library::Library(
    Kind kind, std::string ns, std::optional<c10::DispatchKey>, const char*, uint32_t) {
  std::printf("library %d %s\\n", kind, ns.c_str());
}
torch::Library& torch::Library::def(const char* schema) {
  std::printf("def %s\\n", schema);
  return *this;
}
template <typename Name, typename Func>
torch::Library& torch::Library::impl(Name name, Func&&) {
  std::printf("impl %s\\n", name);
  return *this;
}
int main() { std::puts("main"); }
"""


def gcc(*arguments: str | Path, expect_failure: bool = False, text: str | None = None) -> str:
    library = precompiled("g++", "-std=c++20", *HEADERS)
    words = ["env", "LC_ALL=C", "g++", *library, "-I", SAMPLES, *arguments]
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, input=text
    )
    assert (done.returncode != 0) is expect_failure, done.stderr
    return done.stderr


def output_of(text: str, tmp_path: Path) -> list[str]:
    """What a program of this text prints, with the runtime above behind it."""
    program = tmp_path / "program"
    gcc("-include", "cstdio", "-x", "c++", "-", "-o", program, text=text + RUNTIME)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def refused(file: Path) -> str:
    return gcc("-fsyntax-only", file, expect_failure=True)


@pytest.mark.parametrize("number", LESSONS)
def test_a_compiler_takes_each_solution(number: str) -> None:
    read = lesson.load(LESSONS[number])
    for _, exercise in read.exercises():
        for file in (exercise.solution, *(f"right/{f.name}" for f in read.folder.glob("right/*"))):
            gcc("-fsyntax-only", "-I", SAMPLES.parent / "phi", read.file(file))


# --- 1: one macro, three declarations -------------------------------------------------------------


def test_1_the_block_runs_before_main_though_its_body_comes_last(tmp_path: Path) -> None:
    text = (LESSONS["01"] / "solution.cc").read_text()
    wrapper = text.replace("x.add(x, x.item<double>() - 1)", "x")
    assert output_of(wrapper, tmp_path) == [
        "library 0 lesson",
        "def square(Tensor x) -> Tensor",
        "library 1 lesson",
        "impl square",
        "main",
    ]


def test_1_without_a_block_a_compiler_warns_and_the_linker_gives_up(tmp_path: Path) -> None:
    text = (LESSONS["01"] / "no_block.cc").read_text()
    out = tmp_path / "no_block.o"
    warned = gcc("-c", "-x", "c++", "-", "-o", out, text=text)
    assert "used but never defined" in warned
    linked = gcc(
        "-include",
        "cstdio",
        "-x",
        "c++",
        "-",
        "-o",
        tmp_path / "p",
        text=text + RUNTIME,
        expect_failure=True,
    )
    assert "undefined reference to `TORCH_LIBRARY_IMPL_init_myops_CPU_0" in linked


def test_1_a_namespace_is_opened_once(tmp_path: Path) -> None:
    file = tmp_path / "twice.cc"
    file.write_text('#include "library.h"\n' + "TORCH_LIBRARY(myops, m) {}\n" * 2)
    assert "redefinition of" in refused(file)
    file.write_text('#include "library.h"\n' + "TORCH_LIBRARY_FRAGMENT(myops, m) {}\n" * 2)
    gcc("-fsyntax-only", file)


def test_1_the_text_of_a_macro_is_its_value_and_the_name_is_not(tmp_path: Path) -> None:
    text = (LESSONS["01"] / "named.cc").read_text().replace('m.def("twice", &twice)', "")
    assert output_of(text, tmp_path) == ["library 0 myops", "main"]
    assert "TORCH_LIBRARY_init_OPS_OF_THIS_BUILD" in _symbols(text, tmp_path)
    for macro, name in [
        ("TORCH_LIBRARY_FRAGMENT(OPS_OF_THIS_BUILD, m)", "TORCH_LIBRARY_FRAGMENT_init_myops_"),
        ("TORCH_LIBRARY_IMPL(OPS_OF_THIS_BUILD, CPU, m)", "TORCH_LIBRARY_IMPL_init_myops_CPU_"),
    ]:
        assert name in _symbols(
            text.replace("TORCH_LIBRARY(OPS_OF_THIS_BUILD, m)", macro), tmp_path
        )


def _symbols(text: str, tmp_path: Path) -> str:
    out = tmp_path / "symbols.o"
    gcc("-c", "-x", "c++", "-", "-o", out, text=text)
    return subprocess.run(["nm", out], capture_output=True, text=True, check=True).stdout


# --- 2: why a unique name -------------------------------------------------------------------------


def test_2_numbers_that_are_asked_for_in_place_do_not_meet() -> None:
    assert "'init_myops_CPU_2' was not declared" in refused(LESSONS["02"] / "in_place.cc").replace(
        "\u2018", "'"
    ).replace("\u2019", "'")


def test_2_a_word_that_is_glued_on_collides() -> None:
    assert "redefinition of" in refused(LESSONS["02"] / "glued.cc")


def test_2_one_block_on_a_line_can_be_numbered_by_it() -> None:
    gcc("-fsyntax-only", LESSONS["02"] / "by_line.cc")
    assert "redefinition of" in refused(LESSONS["02"] / "wrong" / "by_line.cc")


# --- 3: a function known at compile time ----------------------------------------------------------

SHAPES = """
#include "library.h"
at::Tensor f(const at::Tensor&);
using Type = at::Tensor(const at::Tensor&);
template <typename T> constexpr bool same = std::is_same_v<typename T::FuncType, Type>;
static_assert(same<TORCH_FN_TYPE(f)> && same<TORCH_FN_TYPE(&f)> && same<TORCH_FN_TYPE((f))>);
static_assert(std::is_same_v<TORCH_FN_TYPE(f), TORCH_FN_TYPE(&f)>);
static_assert(std::is_same_v<TORCH_FN_TYPE(f), TORCH_FN_TYPE((f))>);
static_assert(std::is_same_v<decltype((f)), Type&> && std::is_same_v<decltype(f), Type>);
static_assert(std::is_empty_v<TORCH_FN_TYPE(f)>);
static_assert(TORCH_FN_TYPE((f))::func_ptr() == &f);
at::Tensor g(const at::Tensor&);
static_assert(std::is_same_v<decltype(&f), decltype(&g)>);
static_assert(!std::is_same_v<TORCH_FN_TYPE(f), TORCH_FN_TYPE(g)>);
"""


def test_3_a_function_its_address_and_a_name_in_parentheses_come_to_the_same() -> None:
    gcc("-fsyntax-only", "-x", "c++", "-", text=SHAPES)
    without = SHAPES.replace(
        '#include "library.h"',
        '#include "library.h"\n#undef TORCH_FN_TYPE\n'
        "#define TORCH_FN_TYPE(func) \\\n"
        "  ::c10::CompileTimeFunctionPointer<std::remove_pointer_t<decltype(func)>, func>\n",
    )
    gcc("-fsyntax-only", "-x", "c++", "-", text=without, expect_failure=True)


# A kernel is called through a wrapper whose type is not the kernel's, as it is when it is boxed.
CALLS = """
#include "library.h"
int kernel(int x) { return x * 7; }
template <typename Func> struct Wrapper {
  Func* f;
  int operator()(int x) const { return f(x) + 1; }
};
template <typename Packed> struct Inlined {
  int operator()(int x) const { return Packed::func_ptr()(x) + 1; }
};
int by_address(const Wrapper<int(int)>& w, int x) { return w(x); }
int by_type(const Inlined<TORCH_FN_TYPE(kernel)>& w, int x) { return w(x); }
int (*address_of())(int) { return &kernel; }
"""


def test_3_a_function_that_is_a_type_is_called_without_an_address(tmp_path: Path) -> None:
    out = tmp_path / "calls.s"
    gcc("-O2", "-S", "-x", "c++", "-", "-o", out, text=CALLS)
    bodies = dict(
        re.findall(
            r"^_Z\d+(by_\w+?)RK\w+:\n(.*?)\n\s*\.cfi_endproc", out.read_text(), re.M | re.DOTALL
        )
    )
    assert re.search(r"\b(call|blr|jmp|br)\b", bodies["by_address"])
    assert not re.search(r"\b(call|blr|bl|jmp|br)\b", bodies["by_type"])


def test_3_a_variable_is_no_template_argument() -> None:
    assert "not a valid template argument" in refused(LESSONS["03"] / "chosen.cc")


def test_3_a_comma_between_angles_parts_arguments() -> None:
    assert 'macro "TORCH_FN" passed 2 arguments, but takes just 1' in refused(
        LESSONS["03"] / "two_thirds.cc"
    )
    gcc("-fsyntax-only", LESSONS["03"] / "part.cc")
