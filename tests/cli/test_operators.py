"""PyTorch's operators on the command line: listed, run, told, timed, and refused in a sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.expansion.source_files import display_path
from visualizer.workbench.samples import samples_folder

ATEN = samples_folder() / "aten"
SAMPLES = [str(f) for f in sorted(ATEN.glob("*.cc"))]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]):
    """Runs a command line: its exit code, what it printed, what it complained about."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_kernels_has_pytorchs_operators_under_their_full_names(told) -> None:
    code, out, _ = told("kernels", *SAMPLES, "--format", "json")
    assert code == 0
    kernels = json.loads(out)
    add = {entry["key"]: entry for entry in kernels["aten::add.Tensor"]}
    assert {"schema", "CPU", "Meta", "Autograd"} <= set(add)
    assert add["CPU"]["runnable"] is True
    assert add["CPU"]["file"].endswith("add.cc")
    source = (ATEN / "add.cc").read_text().splitlines()
    assert source[add["CPU"]["line"] - 1] == "TORCH_LIBRARY_IMPL(aten, CPU, m) {"
    assert '"add.Tensor"' in source[add["CPU"]["statement"]["line"] - 1]
    assert add["CPU"]["table"] == {
        "CPU": {"kernel": "at::wrapper_CPU_add_Tensor", "reason": "kernel"}
    }


def test_a_file_that_is_compiled_three_times_fills_three_slots(told) -> None:
    _, out, _ = told("kernels", str(ATEN / "ufunc_add_kernel.cc"), "--format", "json")
    keys = [entry["key"] for entry in json.loads(out)["add_stub"]]
    assert sorted(keys) == ["CPU AVX2", "CPU AVX512", "CPU DEFAULT"]
    _, named, _ = told(
        "kernels", str(ATEN / "ufunc_add_kernel.cc"), "-p", str(ATEN), "--format", "json"
    )
    assert named == out


def test_the_table_tells_what_a_later_registration_replaces(told) -> None:
    _, out, _ = told("kernels", str(ATEN / "override.cc"))
    header, *rows = out.splitlines()
    assert header.split() == [
        "operator",
        "key",
        "kind",
        "schema",
        "or",
        "C++",
        "function",
        "runs",
        "where",
    ]
    last = [row for row in rows if ": note: " not in row][-1]
    assert [row for row in rows if "replaces" in row] == [last]


def test_without_files_both_frameworks_are_listed(told) -> None:
    _, out, _ = told("kernels", "--only", "*add*")
    assert "phi::AddKernel<float, phi::CPUContext>" in out
    assert "at::wrapper_CPU_add_Tensor" in out


def test_run_tells_the_hops_and_that_numpy_agrees(told) -> None:
    code, out, _ = told("run", "aten::add_.Tensor", "--size", "1000", "--dtype", "int32", "--check")
    assert code == 0
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines["hops"] == "AutogradCPU → ADInplaceOrView → CPU"
    assert lines["inputs"] == "int32[1000], int32[1000]"
    assert lines["NumPy"] == "agrees"


def test_run_on_meta_computes_a_shape_and_touches_nothing(told) -> None:
    code, out, _ = told("run", "aten::add.Tensor", "--size", "1e15", "--backend", "Meta")
    assert code == 0
    assert "result      float32[1000000000000000] on meta" in out
    assert "NumPy" not in out


@pytest.mark.parametrize(
    "name",
    [
        "aten::_assert_async",
        "aten::add.Scalar",
        "aten::add.out",
        "aten::div_.Scalar",
        "aten::mul_.Scalar",
        "aten::sub.Scalar",
        "composites::clipped",
        "composites::minus",
        "myops::lerp_to",
        "myops::twice",
    ],
)
def test_the_samples_operators_agree_with_numpy(told, name) -> None:
    code, out, _ = told("run", name, "--size", "1", "--check")
    assert code == 0
    assert "NumPy       agrees" in out


def test_an_out_that_was_made_up_is_resized_without_a_word(told) -> None:
    code, out, err = told("run", "aten::sum.IntList_out", "--size", "4")
    assert (code, err) == (0, "")  # a warning would be an error here
    assert "result      float32[]" in out


def test_what_computes_something_else_disagrees(told, tmp_path) -> None:
    code, out, _ = told("run", "myops::twice", "--size", "8", "--check", *_wrong(tmp_path, "twice"))
    assert code == 1
    assert "NumPy       DISAGREES" in out


def test_a_check_without_anything_to_compare_fails_and_says_so(told, tmp_path) -> None:
    code, out, err = told("run", "myops::same", "--size", "8", "--check", *_wrong(tmp_path, "same"))
    assert code == 1
    assert "result      float32[8]" in out
    assert "NumPy has nothing to compare myops::same with" in err


def test_what_takes_or_gives_no_tensor_says_what_it_gives(told, tmp_path) -> None:
    file = tmp_path / "mine.cc"
    file.write_text(
        f'#include "{ATEN}/library.h"\n'
        "int64_t cut(double a) { int whole = a + 2.9; return whole; }\n"
        "int64_t many(const at::Tensor& x) { return x.numel(); }\n"
        "void nothing(const at::Tensor& x) {}\n"
        "TORCH_LIBRARY(myops, m) {\n"
        '  m.def("cut(float a) -> int", &cut);\n'
        '  m.def("many(Tensor x) -> int", &many);\n'
        '  m.def("nothing(Tensor x) -> ()", &nothing);\n'
        "}\n"
    )
    code, out, _ = told("run", "myops::cut", "--file", str(file))
    assert (code, "inputs      no tensors" in out, "result      3\n" in out) == (0, True, True)
    code, out, _ = told("run", "myops::many", "--size", "8", "--file", str(file))
    assert (code, "result      8\n" in out, "values" in out) == (0, True, False)
    code, out, _ = told("run", "myops::nothing", "--size", "8", "--file", str(file))
    assert (code, "result" in out, "values" in out) == (0, False, False)


def _wrong(folder: Path, name: str) -> tuple[str, str]:
    """A file with an operator of that name, which gives what it takes."""
    file = folder / "mine.cc"
    file.write_text(
        f'#include "{ATEN}/library.h"\n'
        "at::Tensor f(const at::Tensor& x) { return x; }\n"
        f'TORCH_LIBRARY(myops, m) {{ m.def("{name}(Tensor x) -> Tensor", &f); }}\n'
    )
    return "--file", str(file)


def test_the_story_has_every_layer(told) -> None:
    _, out, _ = told("run", "aten::add.Tensor", "--size", "20", "--story")
    for layer in ("Python", "Dispatcher", "TensorIterator.build", "Stub", "Loop", "Result"):
        assert f"\n{layer}\n" in f"\n{out}"
    assert "fast_set_up" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("aten::add.Tensr",), "did you mean aten::add.Tensor?"),
        (("aten::add",), "there is aten::add.Tensor, aten::add.out"),
        (("none::such",), "no file registers it; `unfold kernels` lists what is there"),
        (("add.Tensor",), "did you mean aten::add.Tensor?"),
        (("bitwise_an",), "did you mean bitwise_and?"),
        (("negate",), "PyTorch's operators are called with their namespace"),
        (("aten::_assert_async",), "pass a tensor of one element (--size 1)"),
        (("ad_stub",), "did you mean add_stub?"),
        (("aten::add.Tensor", "--dtype", "flot32"), "did you mean float32?"),
        (("aten::add.Tensor", "--backend", "TPU"), "there are CPU, GPU and Meta"),
        (("add_stub", "--capability", "sse", "--size", "64"), "no build is for SSE"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, tuple) else "",
)
def test_what_cannot_be_run_is_refused_in_a_sentence(told, words, said) -> None:
    code, out, err = told("run", *words)
    assert code == 1
    assert out == ""
    assert said in err
    in_a_body = f"{display_path(ATEN / 'assert_async.cc')}:22:10"
    assert err.startswith((f"{in_a_body}: error: ", "unfold: error: "))


def run_with(told, tmp_path: Path, operator: str, written: str, instead: str):
    """Runs an operator of unary_ops.cc, with something else written in the file of its kernels."""
    kernels = tmp_path / "kernels.cc"
    text = (ATEN / "unary_ops_kernel.cc").read_text(encoding="utf-8")
    assert written in text
    kernels.write_text(text.replace(written, instead), encoding="utf-8")
    files = ("--file", str(ATEN / "unary_ops.cc"), "--file", str(kernels), "-I", str(ATEN))
    return kernels, told("run", operator, *files, "--size", "4")


@pytest.mark.parametrize(
    ("operator", "written", "instead", "token", "said"),
    [
        ("aten::neg", "-self;", "selff;", "selff", "not known here (did you mean `self`?)"),
        ("aten::relu", "clamp_min(self", "clamp_minn(self", "clamp_minn", "is not known here"),
        ("aten::neg", "return -self;", "for (;;) {} return self;", "for (;;) {} r", "4096 rounds"),
        ("aten::relu", "at::vec::clamp_min(self, all)", "self + 1", "self + 1", "there is no `+`"),
        ("aten::neg", "self.neg()", "self.negg()", "negg", "has no member `negg`"),
    ],
)  # fmt: skip
def test_what_a_body_that_runs_refuses_is_told_at_its_token(
    told, tmp_path: Path, operator, written, instead, token, said
) -> None:
    kernels, (code, out, err) = run_with(told, tmp_path, operator, written, instead)
    lines = kernels.read_text(encoding="utf-8").splitlines()
    line, column = next((n, row.find(token)) for n, row in enumerate(lines, 1) if token in row)
    assert (code, out) == (1, "")
    assert err.startswith(f"{kernels}:{line}:{column + 1}: error: ")
    assert said in err.partition("\n")[0]


REFUSING = """#include "library.h"
at::Tensor picky(const at::Tensor& a) {
  TORCH_CHECK(a.dim() == 7, "seven dimensions are wanted");
  return a;
}
TORCH_LIBRARY(mine, m) { m.def("picky(Tensor a) -> Tensor"); }
TORCH_LIBRARY_IMPL(mine, CPU, m) { m.impl("picky", &picky); }
"""


def test_the_story_of_a_refusal_ends_at_its_token(told, tmp_path: Path) -> None:
    file = tmp_path / "picky.cc"
    file.write_text(REFUSING)
    words = ("mine::picky", "--file", str(file), "-I", str(ATEN), "--explain")
    code, out, err = told("run", *words)
    assert (code, "seven dimensions are wanted" in out) == (1, True)
    assert err.startswith(f"{file}:3:3: error: seven dimensions are wanted")


def test_the_registry_says_where_a_body_refuses_a_call(told, tmp_path: Path) -> None:
    file = tmp_path / "picky.cc"
    file.write_text(REFUSING)
    words = ("kernels", str(file), "-I", str(ATEN))
    said = f"{file}:3:3: note: a call of mine::picky: seven dimensions are wanted"
    assert told(*words)[1].splitlines()[-1] == said
    entry = json.loads(told(*words, "--format", "json")[1])["mine::picky"][1]
    assert entry["refused"]["float32"] == "seven dimensions are wanted"
    assert entry["refused_at"]["float32"] == {"file": str(file), "line": 3, "column": 3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bench", "add_stub"), "`unfold run add_stub` times its builds"),
        (("bench", "add.Tensor"), "did you mean aten::add.Tensor?"),
        (("kernels", "--select", "softmx:CPU:float32"), "Did you mean softmax?"),
    ],
)
def test_other_commands_say_what_was_meant(told, words, said) -> None:
    code, _, err = told(*words)
    assert code == 1
    assert said in err


def test_the_way_to_an_operators_kernel_is_asked_of_run(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["kernels", "--select", "aten::add.Tensor:CPU:float32"])
    assert "`unfold run aten::add.Tensor --explain`" in capsys.readouterr().err


def test_a_sample_that_file_leaves_out_is_named(told, tmp_path) -> None:
    file = tmp_path / "mine.cc"
    file.write_text(
        f'#include "{ATEN}/library.h"\n'
        "at::Tensor f(const at::Tensor& x) { return x.add(x, 1); }\n"
        'TORCH_LIBRARY(my, m) { m.def("f(Tensor x) -> Tensor", &f); }\n'
    )
    _, _, err = told("run", "my::f", "--file", str(file), "--size", "8")
    assert "add --file " in err
    assert err.endswith("add.cc\n")


def test_an_operator_that_is_only_declared_says_so(told, tmp_path) -> None:
    file = tmp_path / "mine.cc"
    file.write_text(
        '#include "library.h"\n'
        "at::Tensor halved(const at::Tensor& x);\n"
        'TORCH_LIBRARY(mine, m) { m.def("halved(Tensor x) -> Tensor"); }\n'
        'TORCH_LIBRARY_IMPL(mine, CPU, m) { m.impl("halved", TORCH_FN(halved)); }\n'
    )
    flags = ("--file", str(file), "-I", str(ATEN))
    code, _, err = told("run", "mine::halved", *flags)
    assert code == 1
    assert "halved" in err
    assert "nobody wrote it in Python" in err


def test_the_builds_of_a_stub_differ_in_their_code(told) -> None:
    loops = {}
    for capability in ("DEFAULT", "AVX2", "AVX512"):
        words = ("add_stub", "--capability", capability, "--asm", "--size", "1000")
        code, out, _ = told("run", *words)
        assert code == 0
        loops[capability], _, table = out.partition("\ncapability ")
        assert "AVX512" in table
    assert "xmm" in loops["DEFAULT"]
    assert "ymm" in loops["AVX2"]
    assert "zmm" in loops["AVX512"]


def test_bench_has_operators_in_the_same_table(told) -> None:
    sizes = ("--sizes", "1,1000", "--seconds", "0.02")
    words = ("bench", "aten::add.Tensor", "bitwise_and", "--against", "numpy", *sizes)
    code, out, _ = told(*words, "--format", "json")
    assert code == 0
    rows = json.loads(out)["rows"]
    assert [(r["kernel"], r["dtype"], r["size"]) for r in rows] == [
        ("bitwise_and", "int32", 1),
        ("bitwise_and", "int32", 1000),
        ("aten::add.Tensor", "float32", 1),
        ("aten::add.Tensor", "float32", 1000),
    ]
    assert all("numpy" in row["peers"] for row in rows)


def test_bench_refuses_an_operator_that_nobody_registered(told) -> None:
    code, _, err = told("bench", "aten::ad.Tensor", "--sizes", "1")
    assert code == 1
    assert "did you mean aten::add.Tensor?" in err


def test_run_times_what_bench_times(told) -> None:
    """A call of a thousand elements by its plan: the long way takes a hundred times as long."""
    _, ran, _ = told("run", "aten::add.Tensor", "--size", "1000")
    lines = dict(line.split(maxsplit=1) for line in ran.splitlines())
    assert lines["built"].endswith(" ms")
    seconds = float(lines["time"].split()[0].replace(",", "")) * 1e-6
    words = ("--sizes", "1000", "--seconds", "0.05", "--against", "numpy", "--format", "json")
    _, measured, _ = told("bench", "aten::add.Tensor", *words)
    assert seconds < 10 * json.loads(measured)["rows"][0]["seconds"]


def test_what_a_call_lacks_of_the_samples_is_named_where_file_leaves_them_out(
    told, tmp_path: Path
) -> None:
    code, _, said = told("run", "aten::add.Tensor", "--file", str(ATEN / "exp_kernel.cc"))
    assert (code, said.strip().endswith("add.cc")) == (1, True)
    doubles = tmp_path / "doubles.cc"
    doubles.write_text(
        '#include "library.h"\n'
        "at::Tensor doubled(const at::Tensor& self) { return self.add(self, 1); }\n"
        'TORCH_LIBRARY(mine, m) { m.def("doubled(Tensor self) -> Tensor", doubled); }\n'
    )
    words = ("run", "mine::doubled", "--file", str(doubles), "-I", str(ATEN))
    code, _, said = told(*words)
    assert (code, said.strip().endswith("add.cc")) == (1, True), said


def test_the_call_that_is_shown_is_the_first(told, tmp_path: Path) -> None:
    """As a program's own first call: what a body keeps from call to call is as it was initialised."""
    file = tmp_path / "mine.cc"
    file.write_text(
        f'#include "{ATEN}/library.h"\n'
        "int64_t f(const at::Tensor& x) { static int calls = 0; ++calls; return calls; }\n"
        'TORCH_LIBRARY(my, m) { m.def("f(Tensor x) -> int", &f); }\n'
    )
    code, out, err = told("run", "my::f", "--file", str(file), "--size", "4")
    assert (code, err) == (0, "")
    assert re.search(r"^result +1$", out, re.MULTILINE), out


def test_no_file_is_named_for_an_operator_that_a_given_file_defines(told, tmp_path: Path) -> None:
    text = (ATEN / "unary_ops.cc").read_text(encoding="utf-8")
    call = "self.clamp_min(0)"
    assert call in text
    mine = tmp_path / "mine.cc"
    mine.write_text(text.replace(call, 'self.clamp_min(std::string("a"))'), encoding="utf-8")
    code, _, said = told("run", "aten::relu", "--file", str(mine), "-I", str(ATEN), "--size", "4")
    assert code == 1
    assert "none of aten::clamp_min, " in said
    assert "--file" not in said


def test_what_no_sample_has_an_installed_torch_has(told, tmp_path) -> None:
    file = tmp_path / "mine.cc"
    file.write_text(
        f'#include "{ATEN}/library.h"\n'
        "at::Tensor f(const at::Tensor& x) { return x.exp(); }\n"
        'TORCH_LIBRARY(my, m) { m.def("f(Tensor x) -> Tensor", &f); }\n'
    )
    code, _, err = told("run", "my::f", "--file", str(file), "--size", "8")
    assert code == 1
    assert "Could not find schema for aten::exp" in err
    assert err.endswith("with --torch an installed one loads the file and makes the call\n")
