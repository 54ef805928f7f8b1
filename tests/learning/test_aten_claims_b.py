"""What lessons 8 to 13 of the PyTorch track claim and the engine can't compute by itself.

g++ takes every file and every right answer; PyTorch is asked where it is installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.samples import native
from tests.samples.aten import CAPABILITIES, SAMPLES
from tests.samples.precompiled import precompiled
from visualizer.frameworks.answers import Place, Unanswerable
from visualizer.learning import lesson, questions
from visualizer.learning.player import opened
from visualizer.workbench.samples import samples_folder
from visualizer.workshop import comparison

LESSONS = {f.name.partition("-")[0]: f for f in lesson.folders() if f.parent.name == "aten"}
OURS = [LESSONS[number] for number in ("08", "09", "10", "10b", "11", "12", "13", "13b")]
LIBRARY = [w for h in ("array", "cstdint", "optional", "string", "vector") for w in ("-include", h)]
NEEDS_PYTHON = {"python_add"}  # that file is for Python's headers, which nobody has to have


def sources() -> list[Any]:
    found = [path for f in OURS for path in (*f.glob("*.cc"), *f.glob("right/*.cc"))]
    return [
        pytest.param(path, id=f"{path.parent.name}/{path.stem}")
        for path in sorted(found)
        if path.stem not in NEEDS_PYTHON
    ]


@pytest.mark.compiler
@pytest.mark.parametrize("path", sources())
def test_a_compiler_takes_the_file(path: Path) -> None:
    done = compiled(path, "-fsyntax-only")
    assert done.returncode == 0, done.stderr


def compiled(path: Path, *flags: str | Path) -> subprocess.CompletedProcess[str]:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not on PATH")
    of_both = "kernel_registry.h" in path.read_text()
    libraries = (*LIBRARY, *(native.STANDARD_LIBRARY if of_both else ()))
    include = [f"-I{SAMPLES}", f"-I{samples_folder() / 'phi'}"]
    have = ["-DHAVE_AVX512_CPU_DEFINITION", "-DHAVE_AVX2_CPU_DEFINITION"]
    library = precompiled("g++", "-std=c++20", *libraries)
    command = ["g++", *library, *include, *have, *map(str, flags), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class TestTheQuestions:
    def test_their_words_are_counted(self) -> None:
        for question, said in {
            "asks Float[2] +": "'asks' takes 3 words, not 2",
            "signature Float[2]": "'signature' takes at least 2 words",
            "op add_stub Int": "'op' takes at least 3 words",
            "compiled MMX newest": "'compiled' takes a capability (DEFAULT, AVX2, AVX512)",
        }.items():
            assert said in questions.unknown(question)
        assert questions.unknown("compiled AVX2 newest") == ""

    def test_what_can_not_be_answered_is_said(self) -> None:
        bench = opened(lesson.load(LESSONS["11"]), "aten/ufunc_add_kernel.cc", "AVX2")
        for question, said in {
            "asks 1 + 2": "neither 1 nor 2 is a tensor",
            "asks Float[2] - 1": "a sum has + or +=, not -",
            "wraps Float[2]": "Float[2] is no number",
            "filled mul_stub": "no file registers anything in mul_stub",
            "chosen add_stub MMX": "no file is compiled for MMX here",
            "vector Quaternion AVX2": "PyTorch has no type Quaternion",
        }.items():
            with pytest.raises(Unanswerable, match=re.escape(said)):
                questions.answer(question, bench, Place(0, 0))

    def test_a_question_is_asked_of_one_compilation(self) -> None:
        bench = opened(lesson.load(LESSONS["11"]), "aten/ufunc_add_kernel.cc", "AVX2")
        place = Place(2, 0)
        keys = [questions.answer(f"{w}coming", bench, place) for w in ("", "compiled DEFAULT ")]
        assert keys == ["CPU AVX2", "CPU DEFAULT"]

    def test_op_and_vop_compute_what_the_lambdas_say(self) -> None:
        bench = opened(lesson.load(LESSONS["12"]), "aten/ufunc_add_kernel.cc")
        for question, truth in {
            "op add_stub Int 7 5 2": "17",
            "vop add_stub Int 7 5 2": "17",
            "op add_stub ComplexFloat 1j 5.0 2.0": "(10+1j)",
            "vop add_stub Bool 1 1 1": "none",
        }.items():
            assert questions.answer(question, bench, Place(0, 0)) == truth


def include() -> Path:
    torch = pytest.importorskip("torch")
    return Path(torch.__file__).parent / "include"


@pytest.mark.torch
class TestLesson8:
    def test_pytorch_asks_the_same_functions(self) -> None:
        torch: Any = pytest.importorskip("torch")
        a = torch.ones(2)
        assert a.__radd__(1).tolist() == a.__add__(1).tolist() == [2, 2]
        kept = a
        a += 1
        assert kept is a
        assert a.tolist() == [2, 2]

    def test_a_type_error_becomes_not_implemented_and_no_other_error_does(self) -> None:
        torch: Any = pytest.importorskip("torch")
        assert torch.ones(2).__add__("text") is NotImplemented
        with pytest.raises(RuntimeError, match="must match the size"):
            torch.ones(2).__add__(torch.ones(3))

    def test_the_sentence_about_a_second_positional_argument_is_torchs(self) -> None:
        torch: Any = pytest.importorskip("torch")
        bench = opened(lesson.load(LESSONS["08"]), None)
        ours = questions.answer("signature Float[2] Float[2] 2", bench, Place(0, 0))
        with pytest.raises(TypeError, match=re.escape(ours)):
            torch.ones(2).add(torch.ones(2), 2)

    def test_a_number_has_little_say_in_the_type(self) -> None:
        torch: Any = pytest.importorskip("torch")
        a = torch.ones(3, dtype=torch.int32)
        assert (a + 2).dtype is torch.int32
        assert (a + 2.5).dtype is torch.float32

    def test_the_macros_are_torchs(self) -> None:
        def defined(text: str, name: str) -> list[str]:
            found = re.search(rf"^#define {name}\b.*?[^\\]\n(?!\s*\\)", text, re.M | re.S)
            assert found is not None
            return re.findall(r"\w+|\S", found[0].replace("\\\n", ""))

        theirs = (include() / "torch" / "csrc" / "Exceptions.h").read_text()
        ours = (LESSONS["08"] / "python_add.cc").read_text()
        for name in ("HANDLE_TH_ERRORS", "END_HANDLE_TH_ERRORS_RET", "END_HANDLE_TH_ERRORS"):
            assert defined(ours, name) == defined(theirs, name)

    def test_other_threads_run_while_tensors_are_added(self) -> None:
        torch: Any = pytest.importorskip("torch")
        a = torch.ones(20_000_000)
        turns, stop = [0], threading.Event()

        def count() -> None:
            while not stop.is_set():
                turns[0] += 1

        thread = threading.Thread(target=count)
        before = sys.getswitchinterval()
        sys.setswitchinterval(0.3)  # nobody has to give the lock up that soon: it is let go of
        try:
            thread.start()
            started = turns[0]
            a + 1
            stop.set()
            assert turns[0] > started
        finally:
            stop.set()
            sys.setswitchinterval(before)
            thread.join()


@pytest.mark.compiler
def test_8_the_inner_block_tells_of_an_error_and_the_outer_one_translates_it(
    tmp_path: Path,
) -> None:
    macros = (LESSONS["08"] / "python_add.cc").read_text().partition("namespace")[0]
    program, built = tmp_path / "failing.cc", tmp_path / "failing"
    program.write_text(f"""{macros}
#include <cstdio>
#include <exception>
#include <stdexcept>
namespace torch {{
struct PyWarningHandler {{
  PyWarningHandler() {{ std::puts("collects"); }}
  ~PyWarningHandler() {{ std::puts("gone"); }}
  void set_in_exception() {{ std::puts("told"); }}
}};
void translate_exception_to_python(const std::exception_ptr&) {{ std::puts("translated"); }}
}}
void* fails() {{
  HANDLE_TH_ERRORS
  throw std::runtime_error("no");
  END_HANDLE_TH_ERRORS
}}
int main() {{ std::puts(fails() == nullptr ? "null" : "not null"); }}
""")
    done = compiled(program, "-o", built)
    assert done.returncode == 0, done.stderr
    told = subprocess.run([built], capture_output=True, text=True, check=True).stdout.split()
    assert told == ["collects", "told", "gone", "translated", "null"]


@pytest.mark.torch
class TestLesson9:
    def test_the_chain_of_classes(self) -> None:
        headers = {
            "ATen/TensorIterator.h": "TensorIteratorBase : public impl::MetaBase",
            "ATen/ops/add_meta.h": "structured_add_Tensor : public TensorIteratorBase",
            "ATen/ops/add_native.h": (
                "structured_ufunc_add_CPU : public at::meta::structured_add_Tensor"
            ),
        }
        for name, derived in headers.items():
            assert derived in " ".join((include() / name).read_text().split())

    def test_what_torch_refuses_and_resizes(self) -> None:
        torch: Any = pytest.importorskip("torch")
        a, b = torch.ones(3), torch.ones(4, 3)
        with pytest.raises(RuntimeError, match=r"output with shape \[3\] doesn't match the broad"):
            a += b
        c = torch.ones(0)
        torch.add(a, b, out=c)
        assert list(c.shape) == [4, 3]
        with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
            torch.add(a, b, out=torch.ones(1))

    def test_one_that_is_given_an_output_may_refuse_more(self) -> None:
        torch: Any = pytest.importorskip("torch")
        whole = torch.ones(2, dtype=torch.int64)
        assert (whole + 2.5).dtype is torch.float32
        with pytest.raises(RuntimeError, match="result type Float can't be cast"):
            whole += 2.5

    def test_alpha_is_held_against_the_result(self) -> None:
        torch: Any = pytest.importorskip("torch")
        a = torch.ones(2, dtype=torch.int64)
        assert a.add(2.5, alpha=0.5).tolist() == [2.25, 2.25]
        with pytest.raises(RuntimeError, match="For integral input tensors, argument alpha"):
            a.add(2, alpha=0.5)

    def test_a_meta_tensor_has_a_shape_and_no_memory(self) -> None:
        torch: Any = pytest.importorskip("torch")
        made = torch.ones(2, 3, device="meta") + 1
        assert list(made.shape) == [2, 3]
        assert made.is_meta

    def test_sub_is_add_with_minus_alpha(self) -> None:
        torch: Any = pytest.importorskip("torch")
        assert torch.ones(2).sub(torch.ones(2), alpha=3).tolist() == [-2, -2]


@pytest.mark.torch
class TestLesson10:
    def test_the_steps_are_torchs(self) -> None:
        header = (include() / "ATen" / "TensorIterator.h").read_text()
        shown = (LESSONS["10"] / "build.cc").read_text()
        steps = re.findall(r"iterator\.(\w+)\(", shown)
        assert len(steps) == 11
        assert [step for step in steps if f" {step}(" not in header] == []
        assert "compute_names(" not in header

    def test_an_output_may_have_gaps_and_may_not_be_partly_an_input(self) -> None:
        torch: Any = pytest.importorskip("torch")
        out = torch.zeros(8)[::2]
        torch.add(torch.ones(4), 1, out=out)
        assert out.tolist() == [2, 2, 2, 2]
        a = torch.ones(4)
        with pytest.raises(RuntimeError, match="refer to a single memory location"):
            torch.add(a[:3], 1, out=a[1:])
        with pytest.raises(RuntimeError, match="single memory location"):
            torch.ones(1).expand(4).add_(torch.ones(4))

    def test_the_first_operand_that_can_tell_decides(self) -> None:
        torch: Any = pytest.importorskip("torch")
        by_row, by_column = torch.ones(4, 3), torch.ones(3, 4).t()
        assert (by_row + by_column).stride() == (3, 1)
        assert (by_column + by_row).stride() == (1, 4)
        assert (torch.ones(3) + by_column).stride() == (1, 4)
        assert (by_column + by_column).stride() == (1, 4)

    def test_pytorch_has_the_same_dimensions_in_the_end(self) -> None:
        torch: Any = pytest.importorskip("torch")
        a, b = torch.ones(2, 3, 4), torch.ones(3, 1, dtype=torch.int32)
        assert (a + b).dtype is torch.float32
        assert (a + b).shape == (2, 3, 4)
        with pytest.raises(RuntimeError, match="must match the size of tensor b"):
            torch.ones(4, 3) + torch.ones(4)


class TestLesson11:
    def test_compilations_side_by_side_differ_in_one_word(self) -> None:
        bench = opened(lesson.load(LESSONS["11"]), "aten/ufunc_add_kernel.cc", "AVX2")
        sides = comparison.what_to_compare(bench, 2)
        assert sides is not None
        left = {
            side.label: {t.text for t in side.bench.trace.expansions[side.expansion].after}
            for side in sides[:2]
        }
        assert list(left) == ["CPU_CAPABILITY=AVX2", "CPU_CAPABILITY=DEFAULT"]
        here, there = left.values()
        assert (here - there, there - here) == ({"AVX2"}, {"DEFAULT"})

    @pytest.mark.compiler
    @pytest.mark.parametrize(("name", "links"), [("kernels.cc", False), ("solution.cc", True)])
    def test_a_linker_complains_of_a_slot_that_is_filled_twice(
        self, name: str, links: bool, tmp_path: Path
    ) -> None:
        objects = []
        for capability, flags in CAPABILITIES.items():
            objects.append(tmp_path / f"{capability}.o")
            of_it = (f"-DCPU_CAPABILITY={capability}", f"-DCPU_CAPABILITY_{capability}")
            done = compiled(LESSONS["11"] / name, "-c", "-o", objects[-1], *of_it, *flags)
            assert done.returncode == 0, done.stderr
        command = ["ld", "-r", "-o", str(tmp_path / "all.o"), *map(str, objects)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) is links
        if not links:
            assert "multiple definition" in done.stderr

    @pytest.mark.torch
    def test_the_variable_decides_in_pytorch_too(self) -> None:
        pytest.importorskip("torch")
        asked = "import torch; print(torch.backends.cpu.get_cpu_capability())"
        environ = {**os.environ, "ATEN_CPU_CAPABILITY": "default"}
        command = [sys.executable, "-c", asked]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "DEFAULT"

    @pytest.mark.torch
    def test_pytorchs_header_registers_a_null_pointer_for_avx_512(self) -> None:
        header = (include() / "ATen" / "native" / "DispatchStub.h").read_text()
        after = header.partition("#ifdef CPU_CAPABILITY_AVX512")[2].partition("#else")[0]
        assert "nullptr" in after
        assert "#define REGISTER_DISPATCH(name, fn)" in after
        assert "#define ALSO_REGISTER_AVX512_DISPATCH(name, fn)" in header


class TestLesson12:
    @pytest.mark.compiler
    @pytest.mark.slow
    @pytest.mark.parametrize("compiler", ["g++", "clang++"])
    def test_what_is_measured_can_be_built(self, compiler: str, tmp_path: Path) -> None:
        from tests.benchmarks.vectors_at_a_time import TARGETS, build

        if shutil.which(compiler) is None:
            pytest.skip(f"{compiler} is not on PATH")
        for target in TARGETS:
            assert build(compiler, target, tmp_path).exists()

    @pytest.mark.compiler
    def test_gcc_moves_a_vector_of_twice_the_length_through_memory(self, tmp_path: Path) -> None:
        through_memory = {}
        for length in (32, 64):
            source = tmp_path / f"of_{length}.cc"
            source.write_text(
                f"typedef float V __attribute__((vector_size({length})));\n"
                "struct Add { V operator()(V a, V b) const { return a + 2.0f * b; } };\n"
                "void loop(float* out, const float* a, const float* b, long n) {\n"
                f"  for (long i = 0; i <= n - {length // 4}; i += {length // 4}) {{\n"
                f"    V x, y; __builtin_memcpy(&x, a + i, {length});\n"
                f"    __builtin_memcpy(&y, b + i, {length}); V r = Add()(x, y);\n"
                f"    __builtin_memcpy(out + i, &r, {length});\n  }}\n}}\n"
            )
            made = tmp_path / "made.s"
            flags = ("-O3", "-mavx2", "-mfma", "-Wno-psabi", "-S", "-o", made)
            assert compiled(source, *flags).returncode == 0
            through_memory[length] = "(%rsp)" in made.read_text()
        version = subprocess.run(
            ["g++", "-dumpversion"], capture_output=True, text=True, check=True
        )
        assert not through_memory[32]
        assert (
            through_memory[64] or version.stdout.split(".")[0] != "12"
        )  # the one that we measured

    @pytest.mark.torch
    def test_pytorchs_loop_asks_for_two_vectors_and_has_no_other_turn(self) -> None:
        loops = (include() / "ATen" / "native" / "cpu" / "Loops.h").read_text()
        body = loops.partition("vectorized_loop(char**")[2].partition("\ntemplate")[0]
        assert "i <= n - 2 * Vec::size(); i += 2 * Vec::size()" in " ".join(body.split())
        assert body.count("for (; ") == 1
        assert "basic_loop(" in body


class TestLesson13:
    @pytest.mark.torch
    def test_in_pytorch_the_newest_is_called_and_can_be_undone(self) -> None:
        torch: Any = pytest.importorskip("torch")
        library = torch.library.Library("unfold_lesson_13", "DEF")
        library.define("twice(Tensor x) -> Tensor")
        library.impl("twice", lambda x: x + x, "CPU")
        later = torch.library.Library("unfold_lesson_13", "IMPL")
        with warnings.catch_warnings(action="ignore"):  # that one kernel overrides another
            later.impl("twice", lambda x: x + 1, "CPU", allow_override=True)
        asked = torch.ops.unfold_lesson_13.twice
        assert asked(torch.tensor([5])).tolist() == [6]
        later._destroy()
        assert asked(torch.tensor([5])).tolist() == [10]
        with pytest.raises(NotImplementedError, match="Could not run 'unfold_lesson_13::twice'"):
            asked(torch.ones(2).to_sparse())
        library._destroy()
