"""What lessons 9 to 16 of the PHI track claim and the engine can't compute by itself.

Real C++ is the judge where there is a compiler: every sample and every right answer registers there
what it registers here. Paddle itself is asked where it is installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.phi.test_native import as_entry
from tests.real import real_phi
from tests.samples.native import (
    LANGUAGE,
    SAMPLES,
    STANDARD_LIBRARY,
    Entry,
    NativeError,
    compilers,
    registry_of,
)
from tests.samples.precompiled import precompiled
from visualizer.frameworks.answers import Place, Unanswerable
from visualizer.learning import lesson, questions
from visualizer.workbench import wheels
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.flag_words import read_flags
from visualizer.workbench.samples import lessons_folder

FOLDERS = [f for f in sorted((lessons_folder() / "phi").glob("*")) if "09" <= f.name[:2] <= "16"]
# What isn't a program, or isn't one yet: exercises before they are solved, files that show an error,
# and what only a preprocessor is meant to read.
UNFINISHED = {
    *("by_hand", "scale", "counted_mean", "five_calls", "softmax", "declare", "seventeen"),
    *("less_than", "on_the_gpu"),
}
SHOWN_BROKEN = {"no_const", "two_halves", "two_plug_ins", "first", "real"}


def folder(number: int | str) -> Path:
    return lesson.find(f"phi/{number}")


def sources() -> list[Path]:
    """Every file of these lessons that a compiler is to make a program of."""
    found = [path for f in FOLDERS for path in f.glob("*.cc")]
    without_declare = [p for p in found if "14-" not in str(p) or p.stem in ("with", "without")]
    return sorted(p for p in without_declare if p.stem not in UNFINISHED | SHOWN_BROKEN)


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.compiler
@pytest.mark.parametrize("number", ["9b", "10b", "11b", 12, 13, 15, "15b", 16])
def test_a_compiler_takes_the_other_right_answers(number: int | str) -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    answers = sorted(map(str, folder(number).glob("right*/*.cc")))
    library = precompiled("g++", *LANGUAGE, *STANDARD_LIBRARY)
    command = ["g++", *library, "-fsyntax-only", "-DPADDLE_WITH_CUDA"]
    command += ["-I", str(folder(number)), "-I", str(SAMPLES), *answers]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answers
    assert done.returncode == 0, done.stderr


class TestTheQuestions:
    def test_what_stands_before_a_question_is_checked_as_well(self) -> None:
        assert questions.unknown("in standard loaded CustomCPU selects relu CPU NCHW int") == ""
        assert "'in' takes a dialect" in questions.unknown("in msdos entries-of-file")
        assert "'loaded' takes a device" in questions.unknown("loaded CustomCPU")
        assert "no truth 'nothing'" in questions.unknown("in standard nothing")
        assert "'count' takes 3 words" in questions.unknown("loaded CustomCPU count relu")

    def test_a_plug_in_is_loaded_for_one_question_only(self) -> None:
        bench = opened(folder(13) / "solution.cc")
        asked = "selects softmax CustomCPU NCHW float32"
        answers = [
            questions.answer(question, bench, Place(0, 0))
            for question in (asked, f"loaded CustomCPU {asked}", asked)
        ]
        assert answers == ["not found", "found", "not found"]

    def test_what_is_not_there_is_said(self) -> None:
        bench = opened(folder(12) / "three_relus.cc")
        for question, said in {
            "slot relu XPU input 0 dtype": "no kernel relu is registered for XPU",
            "slot relu CPU:int8 input 0 dtype": "no kernel relu is registered for CPU:int8",
            "slot relu CPU input 7 dtype": "relu has no input 7",
            "slot relu CPU input 0 colour": "an input has no colour",
            "selects relu TPU NCHW float32": "PHI has no backend 'TPU'",
            "transforms relu CPU NCHW int8": "no kernel relu is found there",
        }.items():
            with pytest.raises(Unanswerable, match=re.escape(said)):
                questions.answer(question, bench, Place(0, 0))


def opened(path: Path, *flags: str) -> Workbench:
    folders = ("-I", str(lesson_of(path)), "-I", str(SAMPLES))
    options, _ = read_flags((*flags, *folders)).options_for(path.parent)
    return open_file(path, options)


def lesson_of(path: Path) -> Path:
    return path.parent if path.parent in FOLDERS else path.parent.parent


@pytest.mark.compiler
@pytest.mark.parametrize("source", sources(), ids=name_of)
def test_cxx_registers_the_same(source: Path) -> None:
    if not compilers():
        pytest.skip("there is no C++ compiler on PATH")
    defines = ["PADDLE_WITH_CUDA"]
    if "#define PADDLE_WITH_CUSTOM_DEVICE" in source.read_text():
        defines.append("PADDLE_WITH_CUSTOM_DEVICE")  # the oracle includes the header before that
    there = {_place(entry): entry for entry in registry_of(source, defines)}
    ours = [as_entry(e.registration) for e in opened(source, "-D", "PADDLE_WITH_CUDA").entries]
    assert {_place(entry): entry for entry in ours} == there


def _place(entry: Entry) -> tuple[str, ...]:
    return entry["name"], entry["backend"], entry["layout"], entry["dtype"]


class TestLesson9:
    def test_without_a_dtype_the_constructor_registers_for_all_but_a_few(self) -> None:
        bench = opened(folder("9b") / "wrong" / "no_dtype.cc")
        assert len(bench.entries) == 14

    @pytest.mark.compiler
    def test_the_second_of_one_key_replaces_the_first_without_a_word(self) -> None:
        if not compilers():
            pytest.skip("there is no C++ compiler on PATH")
        assert len(registry_of(folder("9b") / "twice.cc")) == 1


class TestLesson10:
    @pytest.mark.compiler
    def test_typeid_ignores_references_and_an_outermost_const(self, tmp_path: Path) -> None:
        if shutil.which("g++") is None:
            pytest.skip("g++ is not installed")
        source = tmp_path / "typeid.cc"
        source.write_text(
            "#include <typeinfo>\nclass T {};\nint main() {\n"
            "  bool same = typeid(T&) == typeid(const T&) && typeid(const T) == typeid(T);\n"
            "  return same && typeid(T*) != typeid(const T*) ? 0 : 1;\n}\n"
        )
        program = tmp_path / "typeid"
        subprocess.run(["g++", *LANGUAGE, str(source), "-o", str(program)], check=True)
        subprocess.run([str(program)], check=True)

    @pytest.mark.paddle
    @pytest.mark.compiler
    @pytest.mark.slow
    def test_paddle_parses_it_and_refuses_it_elsewhere(self, tmp_path: Path) -> None:
        includes = _paddle_includes()
        text = (
            '#include "paddle/phi/core/kernel_registry.h"\n'
            "template <typename T, typename Context>\n"
            "void Kernel(const Context& dev_ctx, phi::DenseTensor& x, phi::DenseTensor* out) {}\n"
        )
        parsed = "auto use = ARG_PARSE_FUNCTOR(Kernel, float, phi::CPUContext);\n"
        computed = (
            "void (*use)(phi::KernelContext*) = PHI_KERNEL(Kernel<float, phi::CPUContext>);\n"
        )
        source = tmp_path / "kernel.cc"
        messages = []
        for used in (parsed, computed):
            source.write_text(text + used)
            done = subprocess.run(
                ["g++", *LANGUAGE, "-fsyntax-only", *includes, str(source)],
                capture_output=True,
                text=True,
                check=False,
            )
            messages.append([line for line in done.stderr.splitlines() if "error" in line])
        assert messages[0] == []
        assert "KernelCallHelper" in messages[1][0]


class TestLesson12:
    @pytest.mark.paddle
    def test_paddle_gives_up_the_backend_and_never_the_dtype(self) -> None:
        real_phi.wheel()
        paddle = pytest.importorskip("paddle")
        with pytest.raises(
            RuntimeError, match=r"\(NotFound\) The kernel with key \(CPU, Und.* int8"
        ):
            paddle._C_ops.gelu(paddle.to_tensor([1], dtype="int8"), False)


class TestLesson13:
    @pytest.mark.compiler
    def test_a_plug_ins_key_is_refused_the_second_time(self) -> None:
        if not compilers():
            pytest.skip("there is no C++ compiler on PATH")
        with pytest.raises(NativeError, match="AlreadyExists"):
            registry_of(folder(13) / "two_plug_ins.cc")


class TestLesson14:
    @pytest.mark.compiler
    @pytest.mark.parametrize("compiler", ["g++", "clang++"])
    @pytest.mark.parametrize("windows", [(), ("-D_WIN32",)])
    def test_without_pd_expand_a_compiler_makes_the_same_tokens(
        self, compiler: str, windows: tuple[str, ...]
    ) -> None:
        texts = [
            _preprocessed(compiler, folder(14) / f"{w}.cc", *windows) for w in ("with", "without")
        ]
        assert "KernelRegistrar" in texts[0]
        assert texts[0] == texts[1]

    @pytest.mark.compiler
    @pytest.mark.parametrize("compiler", ["g++", "clang++"])
    def test_the_exercise_works_with_a_compiler_from_the_start(self, compiler: str) -> None:
        wanted = "void take(float); void take(double); void take(int);"
        for name in ("declare.cc", "solution.cc", *_right(14)):
            text = _preprocessed(compiler, folder(14) / name)
            assert text.replace(" ", "").endswith(wanted.replace(" ", "")), name

    @pytest.mark.parametrize("windows", [(), ("-D", "_WIN32")])
    def test_no_pd_expand_is_left(self, windows: tuple[str, ...]) -> None:
        left = {}
        for name in ("with", "without"):
            moments = opened(folder(14) / f"{name}.cc", *windows).timeline(0).moments
            left[name] = any(moment.step.macro == "PD_EXPAND" for moment in moments)
        assert left == {"with": True, "without": False}


def _right(number: int) -> list[str]:
    return [f"right/{path.name}" for path in sorted((folder(number) / "right").glob("*.cc"))]


def _preprocessed(compiler: str, path: Path, *flags: str) -> str:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    command = [compiler, *LANGUAGE, "-E", "-P", *flags, "-I", str(lesson_of(path))]
    command += ["-I", str(SAMPLES), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split())


class TestLesson16:
    @pytest.mark.paddle
    def test_paddles_header_takes_the_same_steps(self, tmp_path: Path) -> None:
        real = folder(16) / "real.cc"
        ours = tmp_path / "ours.cc"
        ours.write_text(
            real.read_text().replace("paddle/phi/core/kernel_registry.h", "kernel_registry.h")
        )
        folders = [flag for f in _paddle_folders() for flag in ("-isystem", f)]
        theirs, here = _registration(real, *folders), _registration(ours)
        names = [name.replace("PADDLE_EXP_API", "TEST_API") for name in theirs[0]]
        assert (names, theirs[1]) == here
        assert len(names) == 106


def _registration(path: Path, *flags: str) -> tuple[list[str], list[str]]:
    """The macros of the steps, and the tokens in the end."""
    options, _ = read_flags((*flags, "-I", str(SAMPLES))).options_for(path.parent)
    bench = open_file(path, options)
    number = bench.first_registration()
    assert number is not None
    macros = [moment.step.macro for moment in bench.timeline(number).moments]
    return macros, [token.text for token in bench.trace.expansions[number].after]


def _paddle_folders() -> tuple[str, ...]:
    real_phi.wheel()
    return wheels.include_folders(wheels.PADDLE)


def _paddle_includes() -> list[str]:
    return [f"-isystem{f}" for f in _paddle_folders()]


# Lesson 9: is it so?


@pytest.mark.compiler
@pytest.mark.skipif(not compilers(), reason="no C++ compiler is on PATH")
def test_09_the_file_goes_before_a_registry_that_only_records():
    from registry_runtime.judge.compiling import Watch
    from visualizer.workbench.flags import Flags
    from visualizer.workbench.verdict import verify

    options, _ = read_flags(("-I", str(SAMPLES))).options_for(folder("9b"))
    (verdict,) = verify(open_file(folder("9b") / "solution.cc", options), Flags(), Watch())
    assert (verdict.differences, verdict.left_out) == ((), ())
    assert verdict.facts > verdict.entries > 0


@pytest.mark.compiler
@pytest.mark.paddle
def test_09_a_file_with_paddles_header_goes_before_paddle(tmp_path, capsys):
    from visualizer.cli import main

    real_phi.wheel()
    file = tmp_path / "kernel.cc"
    file.write_text(
        '#include "paddle/phi/core/kernel_registry.h"\nnamespace phi {\n'
        "template <typename T, typename Context>\n"
        "void OwnKernel(const Context&, const DenseTensor& x, DenseTensor* out) {}\n}\n"
        "PD_REGISTER_KERNEL(unfold_own, CPU, ALL_LAYOUT, phi::OwnKernel, float) {}\n"
    )
    assert main(["verify", str(file), f"--paddle={sys.executable}"]) == 0
    assert "1 entry, 4 facts by PaddlePaddle" in capsys.readouterr().out
    sample = str(SAMPLES / "bitwise_kernel.cc")
    assert main(["verify", sample, f"--paddle={sys.executable}"]) == 2
    assert "which Paddle can't load" in capsys.readouterr().err


def test_09_paddles_own_header_of_that_name_is_not_the_samples(tmp_path, capsys):
    from visualizer.cli import main

    for folder in ("core", "capi/include"):
        header = tmp_path / f"paddle/phi/{folder}/kernel_registry.h"
        header.parent.mkdir(parents=True)
        header.write_text("")
        file = tmp_path / "kernel.cc"
        file.write_text(f'#include "{header.relative_to(tmp_path)}"\n')
        assert main(["verify", str(file), "-I", str(tmp_path)]) == 2
        assert "doesn't include the samples' kernel_registry.h" in capsys.readouterr().err


# Lesson 17: a kernel from nothing, held against NumPy


@pytest.mark.parametrize("shape", [(3, 2), (1, 5), (4, 1)])
def test_17_infermeta_and_body_give_what_numpy_gives(shape: tuple[int, int]) -> None:
    bench = opened(folder(17) / "row_sums.cc", "-I", str(SAMPLES.parent / "fluid"))
    x = np.random.default_rng(0).integers(-9, 9, shape).astype("float32")
    written = str(x.tolist()).replace(" ", "")
    expected = x.sum(axis=1)
    assert questions.answer(f"body row_sums float32 {written}", bench, Place(0, 0)) == str(
        expected.tolist()
    )
    dims = ",".join(map(str, shape))
    assert (
        questions.answer(f"meta row_sums float64[{dims}]", bench, Place(0, 0))
        == f"float64[{expected.size}]"
    )
    assert questions.answer(f"refuses row_sums float32[{dims}]", bench, Place(0, 0)) == "no"
    assert questions.answer(f"refuses row_sums float32[{dims},2]", bench, Place(0, 0)) == "yes"


def test_17_what_is_no_tensor_and_what_has_no_infermeta_is_said() -> None:
    bench = opened(folder(17) / "row_sums.cc", "-I", str(SAMPLES.parent / "fluid"))
    for question, told in (
        ("meta row_sums float32[a]", "float32\\[4,3\\] is one"),
        ("meta row_sums x", "neither a tensor nor a number"),
        ("meta col_sums float32[2]", "no InferMeta is registered"),
        ("body row_sums float32 [[1],[2,3]]", "its rows differ in length"),
    ):
        with pytest.raises(Unanswerable, match=told):
            questions.answer(question, bench, Place(0, 0))
