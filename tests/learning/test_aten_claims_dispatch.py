"""What lessons 4 to 7 of the PyTorch track claim and the engine can't compute by itself, and the
questions that they ask of the dispatcher.

PyTorch is asked where it is installed, and g++ takes every right answer.
"""

from __future__ import annotations

import gc
import itertools
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey, is_alias_dispatch_key
from registry_runtime.aten.dispatch.dispatch_table import RUNTIME_KEYS
from tests.samples.aten import SAMPLES, STANDARD_LIBRARY
from tests.samples.precompiled import precompiled
from visualizer.frameworks.answers import Place, Unanswerable
from visualizer.frameworks.aten import made_up_calls
from visualizer.learning import checks, lesson, questions
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.flag_words import read_flags

LESSONS = {f.name.partition("-")[0]: f for f in lesson.folders() if f.parent.name == "aten"}
OURS = [LESSONS[number] for number in ("04", "05", "06", "07")]
ANYWHERE = Place(0, 0)


def opened(path: Path) -> Workbench:
    options, _ = read_flags(("-I", str(SAMPLES))).options_for(path.parent)
    return open_file(path, options)


def answer(path: Path, question: str) -> str:
    return questions.answer(question, opened(path), ANYWHERE)


# --- The questions --------------------------------------------------------------------------------


class TestTheQuestions:
    def test_what_stands_before_a_question_is_checked(self) -> None:
        assert questions.unknown("here entry aten::add.Tensor CPU") == ""
        assert questions.unknown("without 12 says lesson::number [1,2]") == ""
        assert "'here' takes one of entry" in questions.unknown("here next")
        assert "'without' takes one of entry" in questions.unknown("without 12")
        assert "'entry' takes 2 words" in questions.unknown("here entry aten::add.Tensor")
        assert "'hops' takes at least 1 words" in questions.unknown("hops")

    def test_what_is_not_there_is_said(self) -> None:
        bench = opened(SAMPLES / "add.cc")
        for question, said in {
            "entry aten::sub.Tensor CPU": "no operator aten::sub.Tensor is registered",
            "entry aten::add.Tensor GPU": "PyTorch has no dispatch key 'GPU'",
            "entry aten::add.Tensor Autograd": "Autograd is an alias",
            "without 3 schema aten::add.Tensor": "there is no block on line 3",
            "carries float[3]": "PyTorch has no type 'float'",
            "carries Float[3]@GPU": "PyTorch has no device 'GPU'",
            "carries Float[3,2]{1}": "2 dimensions have 2 strides, not 1",
            "carries what": "'what' is no operand",
            "carries [[1],[2,3]]": "its rows have different lengths",
        }.items():
            with pytest.raises(Unanswerable, match=re.escape(said)):
                questions.answer(question, bench, ANYWHERE)

    @pytest.mark.parametrize(
        "operand", ["Float[4,3]", "Long[]", "Half[2]", "Float[3,2]{1,3}", "Int[2]@Meta", "Bool[0]"]
    )
    def test_an_operand_is_spelled_as_it_was_written(self, operand: str) -> None:
        assert made_up_calls.spelled(made_up_calls.operand(operand)) == operand

    def test_elements_lie_in_memory_in_their_order(self) -> None:
        assert made_up_calls.elements(made_up_calls.operand("Int[2,2]{1,2}")) == "[[0, 2], [1, 3]]"
        assert made_up_calls.spelled(made_up_calls.operand("[1.5,2]")) == "Float[2]"
        assert made_up_calls.spelled(made_up_calls.operand("[1,2]")) == "Long[2]"

    def test_a_call_works_in_a_file_that_holds_all_of_add_already(self) -> None:
        bench = opened(SAMPLES / "add.cc")
        for place in ("", "without 192 "):
            asked = f"{place}returns aten::add.Tensor [1,2] 2 alpha=3"
            assert questions.answer(asked, bench, ANYWHERE) == "[7, 8]"
        hops = "without 192 hops aten::add.Tensor [1,2] 2"
        assert questions.answer(hops, bench, ANYWHERE) == "AutogradCPU → CPU"
        assert answer(SAMPLES / "add.cc", "without 192 reason aten::add.Tensor AutogradCPU") == (
            "backend fallback"
        )

    def test_a_kernel_that_comes_back_to_itself_is_told(self) -> None:
        said = answer(LESSONS["06"] / "wrong" / "all_keys.cc", "says aten::add.Tensor [5] [2]")
        assert said == "nested too deeply, as where a function comes back to itself"

    def test_an_operator_that_an_exercise_asks_to_run_is_called(self) -> None:
        read = lesson.load(LESSONS["06"])
        ((_, exercise),) = read.exercises()
        asked = replace(exercise, checks=({"runs": {"kernel": "aten::add.Tensor"}},))
        for file, said in {
            "solution.cc": "",
            "swap.cc": "nested too deeply, as where a function comes back to itself",
        }.items():
            assert checks.check(read, asked, read.file(file).read_text()).failed == said
        unknown = replace(exercise, checks=({"runs": {"kernel": "lesson::none"}},))
        text = read.file("solution.cc").read_text()
        assert "Could not find schema" in checks.check(read, unknown, text).failed

    @pytest.mark.parametrize(
        ("question", "said"),
        [
            ("iterator compute_shape shape Float[4,1] Long[3]", "[4, 3]"),
            ("iterator compute_types common_dtype Float[4] Long[4]", "Float"),
            ("iterator end output0:stride_bytes Float[4,3]{1,4} 2.0", "[4]"),
            ("iterator fast_set_up fast_setup_type Float[4] Float[4]", "CONTIGUOUS"),
            ("iterator compute_strides shape Float[4] Float[4]", "not taken"),
            ("iterator end input0:is_read_write Float[4] Float[4] out=self", "False"),
            ("iterator mark_outputs output0:is_read_write Float[4] 1 out=self", "True"),
            ("iterator compute_types common_dtype Float[4] Float[4] out=Int[4]",
             "result type Float can't be cast to the desired output type Int"),
            ("loop AVX2 loop Float[100] Float[100]", "vectorized_loop"),
            ("loop AVX2 pairs Float[100] Float[100]", "6"),
            ("loop AVX512 tail Float[100] Float[100]", "4"),
            ("loop AVX2 S Float[100] 2.0", "2"),
            ("loop DEFAULT loop Float[100]{2} Float[100]", "basic_loop"),
            ("loop AVX2 steps Float[2,2,50,2]{1000,500,4,1} 1.5", "4"),
            ("ranges 32768 8", "1"),
            ("ranges 1000000 8", "8"),
        ],
    )  # fmt: skip
    def test_what_comes_below_a_kernel(self, question: str, said: str) -> None:
        assert answer(SAMPLES / "myops.cc", question) == said


# --- The lessons' files ---------------------------------------------------------------------------


@pytest.mark.compiler
@pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not on PATH")
@pytest.mark.parametrize("folder", OURS, ids=lambda folder: folder.name)
def test_a_compiler_takes_every_file(folder: Path) -> None:
    files = sorted(folder.glob("*.cc"))
    library = precompiled("g++", "-std=c++20", *STANDARD_LIBRARY)
    words = ["g++", *library, "-fsyntax-only", "-I", SAMPLES, *files]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# --- What PyTorch does ----------------------------------------------------------------------------

NAMESPACES = (f"unfold_lesson{number}" for number in itertools.count())


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch")


def reason(torch: Any, operator: str, key: str) -> str:
    """The word that PyTorch prints for a key of an operator's table, `fallthrough` before it."""
    for line in torch._C._dispatch_dump_table(operator).splitlines():
        if line.startswith(f"{key}: "):
            passed_by = "fallthrough " if line.startswith(f"{key}: fallthrough") else ""
            return passed_by + line.rpartition("[")[2].rstrip("]")
    return "missing"


def test_4_kernels_of_one_operator_have_one_type() -> None:
    bench = opened(LESSONS["04"] / "wrong" / "one_operator.cc")
    (error,) = (d.message for d in bench.diagnostics if d.severity == "error")
    assert "Mismatch in kernel C++ signatures" in error
    assert [int(line) for line in re.findall(r"one_operator.cc:(\d+)", error)][-2:] == [18, 18]


@pytest.mark.torch
class TestLesson4:
    def test_the_table_has_137_places(self, torch: Any, tmp_path: Path) -> None:
        assert len(RUNTIME_KEYS) == 137
        if not shutil.which("g++"):
            pytest.skip("g++ is not on PATH")
        headers = Path(torch.__file__).parent / "include"
        text = (
            "#include <c10/core/DispatchKeySet.h>\nstatic_assert(c10::num_runtime_entries == 137);"
        )
        words = ["g++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-", "-I", str(headers)]
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def test_a_kernel_may_come_before_its_operator(self, torch: Any) -> None:
        ns = next(NAMESPACES)
        library = torch._C._dispatch_library("IMPL", ns, "CPU").impl_t_t("grow")
        assert f"{ns}::grow" in "".join(torch._C._dispatch_find_dangling_impls())
        with pytest.raises(RuntimeError, match=r"did you forget to def\(\) the operator"):
            torch._C._dispatch_find_schema_or_throw(f"{ns}::grow", "")
        del library

    def test_what_is_registered_for_another_device_does_not_serve(self, torch: Any) -> None:
        ns = next(NAMESPACES)
        library = torch._C._dispatch_library("FRAGMENT", ns, "")
        library.def_("grow(Tensor x) -> Tensor").impl_t_t("grow", "CPU")
        assert reason(torch, f"{ns}::grow", "CUDA") == "missing"
        library.impl_t_t("grow", "CompositeExplicitAutograd")
        assert reason(torch, f"{ns}::grow", "CUDA") == "default backend kernel"
        assert reason(torch, f"{ns}::grow", "CPU") == "kernel"
        del library


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:Warning only once for all operators")
class TestLesson5:
    def test_handles_undo_in_any_order(self, torch: Any) -> None:
        for order in itertools.permutations(range(3)):
            ns = next(NAMESPACES)
            definition = torch.library.Library(ns, "DEF")
            definition.define("number(Tensor x) -> Tensor")
            kernels = [torch.library.Library(ns, "IMPL", "CPU") for _ in range(3)]
            for number, library in enumerate(kernels):
                library.impl(
                    "number", lambda x, n=number: x * 0 + n, allow_override=True, with_keyset=False
                )
            operator, there = getattr(torch.ops, ns).number, [0, 1, 2]
            for gone in order[:2]:
                assert int(operator(torch.zeros(1))) == max(there)
                kernels[gone]._destroy()
                there.remove(gone)
            assert int(operator(torch.zeros(1))) == there[0]
            definition._destroy()

    def test_the_schema_goes_and_the_kernels_stay(self, torch: Any) -> None:
        ns = next(NAMESPACES)
        definition = torch._C._dispatch_library("FRAGMENT", ns, "").def_("f(Tensor x) -> Tensor")
        kernel = torch._C._dispatch_library("IMPL", ns, "CPU").impl_t_t("f")
        del definition
        gc.collect()
        assert f"{ns}::f" in "".join(torch._C._dispatch_find_dangling_impls())
        del kernel
        gc.collect()
        assert f"{ns}::f" not in torch._C._dispatch_get_all_op_names()

    def test_a_later_block_may_say_another_schema_only_once_the_first_is_gone(
        self, torch: Any
    ) -> None:
        ns = next(NAMESPACES)
        first = torch._C._dispatch_library("FRAGMENT", ns, "").def_("f(Tensor x) -> Tensor")
        second = torch._C._dispatch_library("FRAGMENT", ns, "")
        with pytest.raises(RuntimeError, match="Tried to register an operator"):
            second.def_("f(Tensor x, Tensor y) -> Tensor")
        del first
        gc.collect()
        second.def_("f(Tensor x, Tensor y) -> Tensor")


@pytest.mark.torch
class TestLesson6:
    def test_a_tensor_carries_the_same_keys_whether_a_gradient_is_wanted(self, torch: Any) -> None:
        told = answer(SAMPLES / "add.cc", "carries Float[3]").split(", ")
        for wanted in (False, True):
            keys = torch._C._dispatch_keys(torch.ones(3, requires_grad=wanted))
            assert str(keys) == f"DispatchKeySet({', '.join(_in_torchs_order(told))})"

    def test_what_is_made_for_inference_goes_without_autograds_keys(self, torch: Any) -> None:
        with torch.inference_mode():
            made = torch.ones(3)
        assert str(torch._C._dispatch_keys(made)) == "DispatchKeySet(CPU, AutocastCPU)"

    def test_what_a_thread_adds_and_leaves_out(self, torch: Any) -> None:
        included = torch._C._dispatch_tls_local_include_set()
        assert str(included) == "DispatchKeySet(BackendSelect, ADInplaceOrView)"
        excluded = torch._C._dispatch_tls_local_exclude_set()
        assert "AutocastCPU" in str(excluded)
        with torch.autocast("cpu"):
            assert "AutocastCPU" not in str(torch._C._dispatch_tls_local_exclude_set())

    @pytest.mark.parametrize(
        "question",
        [
            f"reason aten::{name} {key}"
            for name in ("add.Tensor", "add_.Tensor", "add.out")
            for key in ("CPU", "Meta", "AutogradCPU", "AutogradMeta", "ADInplaceOrView")
        ],
    )
    def test_the_places_that_a_call_of_add_visits(self, torch: Any, question: str) -> None:
        ours, theirs = answer(SAMPLES / "add.cc", question), reason(torch, *question.split()[1:])
        assert theirs.removeprefix("fallthrough ") == ours
        fallthrough = answer(SAMPLES / "add.cc", question.replace("reason", "entry"))
        assert theirs.startswith("fallthrough ") is (fallthrough == "fallthrough")

    def test_the_guard_keeps_autograd_away_from_what_is_called_inside(self, torch: Any) -> None:
        x = torch.ones(2, requires_grad=True)
        with torch._C._AutoDispatchBelowAutograd():
            assert x.add(x).grad_fn is None
        assert x.add(x).grad_fn is not None


def _in_torchs_order(from_the_highest: list[str]) -> list[str]:
    return sorted(from_the_highest, key=lambda name: _functionality(DispatchKey[name]))


def _functionality(key: DispatchKey) -> int:
    from registry_runtime.aten.dispatch.dispatch_key import to_functionality_key

    return int(to_functionality_key(key))


def test_7_three_aliases_are_left_out() -> None:
    text = (LESSONS["07"] / "lesson.md").read_text()
    rule = text.partition("## Who goes first")[2].partition("##")[0]
    aliases = [key.name for key in DispatchKey if is_alias_dispatch_key(key)]
    assert "Three more aliases" in rule
    assert sum(f"`{name}`" not in rule for name in dict.fromkeys(aliases)) == 3


@pytest.mark.torch
class TestLesson7:
    def test_a_kernel_for_the_cpu_takes_the_gradient_away_there(self, torch: Any) -> None:
        ns = next(NAMESPACES)
        library = torch.library.Library(ns, "DEF")
        library.define("twice(Tensor x) -> Tensor")
        library.impl("twice", lambda x: x + x, "CompositeImplicitAutograd")
        x = torch.ones(2, requires_grad=True)
        getattr(torch.ops, ns).twice(x).sum().backward()
        assert x.grad.tolist() == [2.0, 2.0]
        library.impl("twice", lambda x: torch.from_numpy(x.detach().numpy() * 2), "CPU")
        assert reason(torch, f"{ns}::twice", "AutogradCPU") == "backend fallback"
        assert reason(torch, f"{ns}::twice", "AutogradCUDA") == "math kernel"
        x.grad = None
        with pytest.warns(UserWarning, match="an autograd kernel was not registered"):
            getattr(torch.ops, ns).twice(x).sum().backward()
        assert x.grad is None
        library._destroy()

    @pytest.mark.parametrize(
        ("registered", "key", "why"),
        [
            ("CPU CompositeExplicitAutograd CompositeImplicitAutograd", "CPU", "kernel"),
            (
                "CompositeImplicitAutograd CompositeExplicitAutograd",
                "CPU",
                "default backend kernel",
            ),
            ("Autograd CompositeImplicitAutograd", "AutogradCPU", "math kernel"),
            ("Autograd CompositeImplicitAutograd", "CPU", "math kernel"),
            ("Autograd CompositeImplicitAutograd CPU", "AutogradCPU", "autograd kernel"),
            ("Autograd CompositeExplicitAutograd", "AutogradCPU", "autograd kernel"),
            ("CPU", "AutogradCPU", "backend fallback"),
            ("CPU", "CUDA", "missing"),
        ],
    )
    def test_who_goes_first_in_whichever_order(
        self, torch: Any, registered: str, key: str, why: str
    ) -> None:
        for order in itertools.permutations(registered.split()):
            ns = next(NAMESPACES)
            library = torch._C._dispatch_library("FRAGMENT", ns, "").def_("f(Tensor x) -> Tensor")
            for one in order:
                library.impl_t_t("f", one)
            assert reason(torch, f"{ns}::f", key) == why
            del library


# --- What explanations of 2023 say ----------------------------------------------------------------


@pytest.mark.torch
class TestErrata:
    def test_the_deprecated_signature_is_tried_last(self, torch: Any) -> None:
        """Both fit a call that names its arguments, and only one of them warns."""
        text = """if True:
            import sys, warnings, torch
            x = torch.ones(1)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                x.add(alpha=2, other=x)
                assert not caught
                x.add(2, x)
                assert "This overload of add is deprecated" in str(caught[0].message)
        """
        subprocess.run([sys.executable, "-c", text], check=True)

    def test_add_changes_nothing(self, torch: Any) -> None:
        x = torch.ones(2)
        x.add(x, alpha=3)
        assert x.tolist() == [1.0, 1.0]


@pytest.mark.compiler
@pytest.mark.torch
def test_04_a_sample_goes_before_pytorch(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    from visualizer.cli import main

    assert main(["verify", str(SAMPLES / "myops.cc"), f"--torch={sys.executable}"]) == 0
    assert re.search(r"7 entries, \d+ facts by PyTorch 2\.", capsys.readouterr().out)
    words = ["verify", "--installed", "torch", "--only", "quantized::add"]
    assert main([*words, f"--torch={sys.executable}"]) == 0
    assert "quantized::add(Tensor qa, Tensor qb" in capsys.readouterr().out
