"""The command `unfold` as a user meets it: output, exit codes, and what is said about bad input."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from compilers import INSTALLED, preprocessed_by, spellings

from visualizer.cli import main
from visualizer.commands.command_line import with_command
from visualizer.expansion.found_database import build_flags
from visualizer.workbench.samples import sample_files, samples_folder

BITWISE = samples_folder() / "phi" / "bitwise_kernel.cc"
PLUG_IN = str(samples_folder() / "phi" / "plugin_softmax_kernel.cc")
SIX_KEYS = [
    f"(CPU, Undefined(AnyLayout), {dtype})"
    for dtype in ("bool", "uint8", "int8", "int16", "int32", "int64")
]
TEMPLATE = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void BitwiseAndKernel(const Context& dev_ctx, const DenseTensor& x,
                      const DenseTensor& y, DenseTensor* out) {}
}  // namespace phi
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Writes a source file and gives its path."""

    def file(text: str | bytes) -> Path:
        path = tmp_path / "kernel.cc"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return file


def kernels_of(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict, str]:
    code = main(["kernels", str(path), "-I", str(samples_folder() / "phi"), "--format", "json"])
    captured = capsys.readouterr()
    return code, json.loads(captured.out), captured.err


@pytest.mark.compiler
@pytest.mark.parametrize("sample", sample_files(), ids=lambda f: f.stem)
@pytest.mark.parametrize(  # what a branch comes to, no compiler's own macros decide
    ("compiler", "defines"),
    [("g++", []), ("clang++", []), ("g++", ["PADDLE_WITH_CUDA"]), ("g++", ["_WIN32"])],
    ids=str,
)
def test_expand_prints_the_compilers_tokens(
    sample: Path,
    defines: list[str],
    compiler: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    flags = [f"-D{name}" for name in defines]
    cc = {"g++": "gcc", "clang++": "clang"}[compiler]
    assert main(["expand", str(sample), "-P", "--cc", cc, *flags]) == 0
    built = [f.options for f in build_flags(sample)[:1]]  # whose flags are found beside the sample
    flags[:0] = [f"-{letter}{text}" for o in built for letter, text in o.macros]
    flags[:0] = [flag for o in built for flag in o.compiler_flags]
    monkeypatch.chdir(sample.parent)  # where that build ran: `__FILE__` is spelled from there
    sample = Path(sample.name) if built else sample
    assert spellings(capsys.readouterr().out) == preprocessed_by(compiler, sample, flags)


def test_expand_of_a_line_says_which_command_takes_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["expand", f"{BITWISE}:40"]) == 1
    assert f"unfold steps {BITWISE}:40 prints" in capsys.readouterr().err


def test_a_lessons_name_alone_is_a_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    assert with_command(["macros/4", "--check"]) == ["lesson", "macros/4", "--check"]
    assert with_command(["lessons/README.md"]) == ["open", "lessons/README.md"]


def test_expand_marks_where_lines_come_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["expand", str(BITWISE)]) == 0
    markers = [line for line in capsys.readouterr().out.splitlines() if line.startswith("# ")]
    assert any("phi.h" in m for m in markers)
    assert any("bitwise_kernel.cc" in m for m in markers)


@pytest.mark.skipif("g++" not in INSTALLED, reason="g++ is not installed")
@pytest.mark.parametrize(
    ("file", "flags"),
    [
        ("main.c", ["-I", "inc"]),
        ("./main.c", ["-I", "./inc/"]),
        ("../here/main.c", ["-I", "{here}/inc"]),
        ("{here}/main.c", ["-I", "../here/inc", "-include", "./forced.h"]),
    ],
)
def test_markers_name_files_as_gcc_does(
    file: str,
    flags: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here = tmp_path / "here"
    (here / "inc" / "deep").mkdir(parents=True)
    (here / "main.c").write_text('#include "beside.h"\n#include <a.h>\nint end;\n')
    (here / "beside.h").write_text("int beside;\n")
    (here / "forced.h").write_text("int forced;\n")
    (here / "inc" / "a.h").write_text('#include "deep/../deep/b.h"\nint a;\n')
    (here / "inc" / "deep" / "b.h").write_text("int b;\n")
    monkeypatch.chdir(here)
    words = [word.format(here=here) for word in (*flags, file)]
    assert main(["expand", *words]) == 0
    ours = names_in_markers(capsys.readouterr().out)
    command = ["gcc", "-E", *words]
    theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert ours
    assert ours == names_in_markers(theirs)


def names_in_markers(text: str) -> list[str]:
    """The files whose text comes, in the order in which it does."""
    names, current = [], ""
    for line in text.splitlines():
        marker = re.match(r'# \d+ "(.*)"', line)
        if marker is not None:
            current = marker[1]
        elif line.strip() and current not in names[-1:]:
            names.append(current)
    return names


def test_steps_tells_each_step_of_the_invocation_on_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = BITWISE.read_text().split("\n").index("PD_REGISTER_KERNEL(bitwise_and,") + 1
    assert main(["steps", f"{BITWISE}:{line}"]) == 0
    told = capsys.readouterr().out
    assert "_PD_ARG_N_EXPAND counts: 6 arguments push 6 into N." in told
    assert "## pastes _PD_KERNEL_REGISTRAR_INIT_ and 6 into _PD_KERNEL_REGISTRAR_INIT_6" in told
    assert "bitwise_or" not in told
    assert main(["steps", f"{BITWISE}:{line}", "--depth", "all"]) == 0
    detailed = capsys.readouterr().out
    assert '#kernel_name => "bitwise_and"' in detailed
    assert "#define PD_EXPAND(x) x" in detailed


def test_steps_tells_the_standard_of_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, words, std in (
        ("a.h", [], "gnu++17"),
        ("a.h", ["-x", "c"], "gnu17"),
        ("a.c", [], "gnu17"),
        ("a.c", ["--std", "C99"], "c99"),
    ):
        (tmp_path / name).write_text("#define ONE 1\nint new = ONE;\n")
        assert main(["steps", str(tmp_path / name), "--format", "json", *words]) == 0
        assert json.loads(capsys.readouterr().out)["std"] == std


def registration() -> str:
    line = BITWISE.read_text().split("\n").index("PD_REGISTER_KERNEL(bitwise_and,") + 1
    return f"{BITWISE}:{line}"


def test_steps_hides_macros_by_name_and_by_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["steps", registration()]) == 0
    whole = capsys.readouterr().out.splitlines()
    assert main(["steps", registration(), "--hide", "PD_NARGS", "--hide", "PD_EXPAND"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert any("6 steps are hidden: PD_NARGS, _PD_NARGS and 3 more." in line for line in told)
    assert not any("PD_EXPAND is met" in line for line in told)
    assert any("_PD_REGISTER_2TA_KERNEL is replaced" in line for line in told)
    assert told[-1] == whole[-1]
    assert main(["steps", registration(), "--hide", "kernel_registry.h"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert len([line for line in told if " registers " not in line]) == 4
    assert told[-1] == whole[-1]


def test_steps_stops_at_a_macro(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["steps", str(BITWISE), "--until", "__COUNTER__"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "__COUNTER__ gives 0" in told[-2]
    assert told[-1].startswith("  => struct")
    assert main(["steps", str(BITWISE), "--until", "NOBODY"]) == 1
    assert "no step reaches" in capsys.readouterr().err


LINES = """\
#define ADD(a, b) ((a) + (b))
#define CAT(a, b) a ## b
int a = ADD(1);
int b = ADD(1, 2);
int c = CAT(+, 3);
int d = ADD(1,
  2;
"""


@pytest.mark.parametrize(
    ("line", "here", "elsewhere"),
    [
        (
            3,
            ["3:9: error: macro", "3:13: note: argument 1", "3:14: note: no argument"],
            "at least 1 error",
        ),
        (4, [], "at least 2 errors"),
        (
            5,
            ["5:13: error: pasting", "5:9: note: in expansion of macro 'CAT'"],
            "at least 2 errors",
        ),
        (6, ["6:9: error: unterminated argument list", "7:4: note: no ')'"], "2 errors"),
    ],
)
def test_steps_of_a_line_show_its_errors_and_count_the_others(
    line: int, here: list[str], elsewhere: str, write, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(LINES)
    assert main(["steps", f"{file}:{line}"]) == 1
    *told, last = capsys.readouterr().err.splitlines()
    assert len(told) == len(here)
    for text, wanted in zip(told, here, strict=True):
        assert text.startswith(f"{file}:{wanted}")
    assert last.startswith(f"{file}: note: {elsewhere} elsewhere, ")
    assert f"at {file}:{6 if line == 3 else 3}; see unfold steps {file}" in last


OPEN = """\
#define M(a, b) a+b
#if M(1
#endif
int w = M(1, 2);
int x = M(1, 2;
int y = M(3, 4); // M
#if M(1, 2)
// M
int z = M(5,
  6);
#endif
"""
BELOW = "M( on line 5 is never closed: to the compiler, this line is an argument of it"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc judges")
def test_what_stands_below_an_invocation_that_nobody_closed_is_told_to_be_its_argument(
    write, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(OPEN)
    done = subprocess.run(["gcc", "-E", "-P", file], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["int w = 1 +2;", "int x = M"]
    main(["steps", str(file)])
    told = {part.partition(": M")[0]: part for part in capsys.readouterr().out.split("\n\n")}
    assert [place for place, part in told.items() if f"  note: {BELOW}\n" in part] == [
        f"{file}:6:9",
        f"{file}:9:9",
    ]
    assert f"{file}:4:9" in told
    told_of = []
    for line in range(1, 12):
        main(["steps", f"{file}:{line}"])
        steps = BELOW in capsys.readouterr().out
        main(["why", f"{file}:{line}"])
        why = f"{file}:{line}: {BELOW}" in capsys.readouterr().out.splitlines()
        told_of.append((line, steps, why))
        assert steps is (BELOW in _notes(["steps", f"{file}:{line}"], "expansions", capsys))
        assert why is (BELOW in _notes(["why", f"{file}:{line}"], "names", capsys))
    assert [line for line, steps, _ in told_of if steps] == [6, 9, 10]
    assert [line for line, _, why in told_of if why] == [6, 9]


def _notes(command: list[str], listed: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    main([*command, "--format", "json"])
    told = capsys.readouterr().out
    return [one["note"] for one in json.loads(told)[listed]] if told else []


def test_a_paste_that_makes_no_token_is_told_so(write, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(LINES)
    main(["steps", f"{file}:5", "--depth", "all"])
    told = capsys.readouterr().out
    assert "1 CAT: ## makes no valid token of + and 3: both stay." in told
    assert "+ ## 3 => no valid token" in told


def test_steps_finds_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["steps", registration(), "--find", "_PD_KERNEL_INSTANTIATION_6"]) == 0
    told = capsys.readouterr().out
    assert "+ _PD_KERNEL_INSTANTIATION_6" in told
    assert "- _PD_KERNEL_INSTANTIATION_6 (replaced)" in told
    assert len(told.splitlines()) == 7
    assert main(["steps", registration(), "--find", "b??l", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["found"]
    assert (found["text"], found["expansion"], found["born"], found["gone"]) == ("bool", 0, 0, None)
    assert main(["steps", registration(), "--find", "nobody"]) == 1
    assert "no token like 'nobody'" in capsys.readouterr().err


def test_steps_gives_hints(write, capsys: pytest.CaptureFixture[str]) -> None:
    file = write("#define N 3\n#define CAT(a, b) a ## b\nCAT(x, N)\n")
    assert main(["steps", str(file)]) == 0
    assert "  hint: N is a macro, but ## takes it as it is written" in capsys.readouterr().out


def test_what_only_text_can_show_is_wrong_usage_for_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["steps", str(BITWISE), "--format", "json", "--until", "X"]) == 2
    assert "--format text" in capsys.readouterr().err


def test_steps_as_json_is_a_trace(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["steps", str(BITWISE), "--format", "json"]) == 0
    trace = json.loads(capsys.readouterr().out)
    assert trace["version"] == 1
    assert [e["macro"] for e in trace["expansions"]][3:] == ["PD_REGISTER_KERNEL"] * 4
    for expansion in trace["expansions"]:
        tokens = list(expansion["before"])
        for step in expansion["steps"]:
            tokens[step["at"] : step["at"] + step["remove"]] = step["insert"]
        assert [t["text"] for t in tokens] == [t["text"] for t in expansion["after"]]


def test_kernels_lists_exactly_what_is_registered(
    write, capsys: pytest.CaptureFixture[str]
) -> None:
    code, kernels, _ = kernels_of(BITWISE, capsys)
    assert code == 0
    assert [k["key"] for k in kernels["bitwise_and"]] == SIX_KEYS
    assert all(k["runnable"] for k in kernels["bitwise_and"])
    text = BITWISE.read_text().replace("int16_t,\n", "\n", 1)
    code, kernels, _ = kernels_of(write(text), capsys)
    assert code == 0
    assert [k["key"] for k in kernels["bitwise_and"]] == [k for k in SIX_KEYS if "int16" not in k]
    assert [k["key"] for k in kernels["bitwise_or"]] == SIX_KEYS


def test_kernels_without_files_lists_all_samples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels"]) == 0
    table = capsys.readouterr().out
    for name in (
        "bitwise_and",
        "bitwise_not",
        "full_batch_size_like",
        "batch_norm_infer",
        "softmax",
    ):
        assert name in table


def test_trailing_braces_change_what_is_registered(capsys: pytest.CaptureFixture[str]) -> None:
    full = samples_folder() / "phi" / "full_kernel.cc"
    _, kernels, _ = kernels_of(full, capsys)
    assert {k["inputs"][0]["backend"] for k in kernels["full_batch_size_like"]} == {"Undefined"}
    assert {k["changed_by_braces"] for k in kernels["full_batch_size_like"]} == {True}
    norm = samples_folder() / "phi" / "batch_norm_kernel.cc"
    _, kernels, _ = kernels_of(norm, capsys)
    outputs = {
        k["key"].split(", ")[-1][:-1]: [o["dtype"] for o in k["outputs"]]
        for k in kernels["batch_norm_infer"]
    }
    assert outputs["float16"] == ["float16", "float32", "float32"]
    assert outputs["float64"] == ["float64", "float64", "float64"]
    changed = [k["changed_by_braces"] for k in kernels["batch_norm_infer"]]
    assert changed == [False, False, True, False, False]
    assert all(k["runnable"] for k in kernels["batch_norm_infer"])


def test_kernels_tells_arguments_before_and_after_the_braces(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, kernels, _ = kernels_of(samples_folder() / "phi" / "full_kernel.cc", capsys)
    first = kernels["full_batch_size_like"][0]
    assert first["before"]["inputs"][0]["backend"] == "CPU"
    assert first["inputs"][0]["backend"] == "Undefined"
    assert first["arguments"][1] == {
        "parameter": "const DenseTensor& x",
        "kind": "input",
        "index": 0,
        "before": "CPU NCHW float32",
        "after": "Undefined NCHW float32",
        "note": "",
        "type_index": "const phi::DenseTensor&",
    }
    assert (first["registration"], first["held_in"], first["replaces"]) == (
        *("INNER", "KernelFactory"),
        None,
    )


def test_kernels_tells_who_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "a.cc", tmp_path / "b.cc"]
    for file in files:
        file.write_text(TEMPLATE + REGISTER + "int) {}\n")
    words = ["kernels", *map(str, files), "-I", str(samples_folder() / "phi")]
    assert main([*words, "--format", "json"]) == 0
    one, other = json.loads(capsys.readouterr().out)["bitwise_and"]
    assert (one["held_in"], one["replaces"]) == ("replaced", None)
    assert (other["held_in"], other["replaces"]) == ("KernelFactory", f"{files[0]}:7")
    assert main(words) == 0
    assert f"{files[1]}:7, replaces {files[0]}:7" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "told", "said"),
    [
        (["bitwise_and:CPU:int32"], 0, "=> found\n", ""),
        (["bitwise_and:gpu:NCHW:int"], 0, "=> fell back to the CPU\n", ""),
        (["bitwise_and:GPU:int"], 0, "input 1 is copied from GPU to CPU before the call", ""),
        (["bitwise_and:CPU:float"], 1, "=> not found", "Selected wrong DataType `float32`."),
        (["softmax:CustomCPU:float32"], 1, "3 named softmax wait in CustomKernelMap", "(NotFound)"),
        (["softmax:CustomCPU:float32", "--load", "CustomCPU"], 0, "=> found\n", ""),
        (["bitwise_and:CPU:int", "--load", "Mine"], 1, "", "they wait for CustomCPU"),
        (["bitwise_and:CPUU:int"], 2, "", "PHI has no backend 'CPUU'; it has"),
    ],
)
def test_kernels_tells_how_a_key_finds_its_kernel(
    words: list[str], code: int, told: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        str(samples_folder() / "phi" / f"{f}_kernel.cc") for f in ("bitwise", "plugin_softmax")
    ]
    assert main(["kernels", *files, "--select", *words]) == code
    captured = capsys.readouterr()
    assert told in captured.out
    assert bool(told) == bool(captured.out)
    assert said in captured.err
    assert captured.err.count("unfold: error:") == bool(said)
    if code == 0:
        assert main(["kernels", *files, "--format", "json", "--select", *words]) == 0
        assert json.loads(capsys.readouterr().out)["outcome"] in told + "fell back to the CPU"


@pytest.mark.parametrize(
    ("flags", "key", "outcome"),
    [
        ((), "equal:GPU:float32", "=> fell back to the CPU"),
        (("-D", "PADDLE_WITH_CUDA"), "equal:GPU:float32", "=> found"),  # registered as KPS
        (("-D", "PADDLE_WITH_CUDA"), "equal:GPUDNN:float32", "=> found"),
        (("-D", "PADDLE_WITH_CUDA", "-U", "PADDLE_WITH_CUDA"), "equal:GPU:float32", "=> fell back"),
    ],
)
def test_a_build_for_cuda_finds_what_stands_for_the_gpu(
    flags: tuple[str, ...], key: str, outcome: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = samples_folder() / "phi" / "compare_kernel.cc"
    assert main(["kernels", str(file), *flags, "--select", key]) == 0
    assert outcome in capsys.readouterr().out


def test_kernels_shows_where_a_plugins_kernels_are(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(samples_folder() / "phi" / "plugin_softmax_kernel.cc")
    for words, held in (([], "CustomKernelMap"), (["--load", "CustomCPU"], "KernelFactory")):
        assert main(["kernels", file, *words]) == 0
        assert capsys.readouterr().out.count(held) == 3


def test_kernels_can_be_picked_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", str(BITWISE), "--only", "bitwise_[ax]*"]) == 0
    told = capsys.readouterr().out
    assert "bitwise_and" in told
    assert "bitwise_xor" in told
    assert "bitwise_or " not in told
    assert main(["kernels", str(BITWISE), "--only", "bitwise_nad"]) == 1
    assert "no kernel is named 'bitwise_nad'; did you mean bitwise_and?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["expnd", "a.cc"], 2, "did you mean expand?"),
        (["steps", "a.cc", "--format", "jsno"], 2, "did you mean json?"),
        (["nowhere.cc"], 1, "nowhere.cc:1:1: error: no such file (check the path; a new"),
        (["survey", ".", "-o", "nowhere/x"], 1, "cannot write nowhere/x: nowhere is no folder"),
        (["survey", ".", "-o", "."], 1, "cannot write .: it is a folder"),
    ],
)
def test_a_mistake_is_said_before_any_work_and_with_what_was_meant(
    words: list[str],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cc").write_text("#error this is read late\n")
    with pytest.raises(SystemExit) as stopped:  # as argparse ends
        sys.exit(main(words))
    assert stopped.value.code == code
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""


def test_kernels_warns_of_what_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    samples = samples_folder()
    files = [str(samples / f) for f in ("aten/override.cc", "fluid/trace_op.cu.cc")]
    files.append(str(BITWISE))
    for words, warned in (
        ([], "override left_out"),
        (["--only", "bitwise_*"], ""),
        (["--select", "bitwise_and:CPU:int32"], ""),
        (["--only", "overrides::*"], "override"),
        (["--select", "trace:CPU:int64"], "left_out"),
    ):
        main(["kernels", *files, *words])
        said = capsys.readouterr().err
        assert ("overrides::negate" in said) == ("override" in warned), words
        assert ("-D PADDLE_WITH_CUDA" in said) == ("left_out" in warned), words
    assert main(["kernels", str(BITWISE.parent / "none.cc"), str(BITWISE), "--only", "bitwise_*"])
    assert "none.cc:1:1: error: no such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "beside"),
    [("x.c", "./y.h"), ("./x.c", "././y.h"), (".//x.c", ".//./y.h"), ("../{}/x.c", "../{}/./y.h")],
)
def test_a_file_is_named_as_it_was_asked_for(
    path: str,
    beside: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As gcc and clang spell `__FILE__`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.c").write_text('f(__FILE__);\n#include "./y.h"\n')
    (tmp_path / "y.h").write_text("g(__FILE__, __BASE_FILE__, __FILE_NAME__);\n")
    path, beside = path.format(tmp_path.name), beside.format(tmp_path.name)
    assert main(["expand", "-P", path]) == 0
    assert capsys.readouterr().out == f'f("{path}");\ng("{beside}", "{path}", "y.h");\n'
    assert main(["steps", path]) == 0
    assert f'here it stands for "{path}"' in capsys.readouterr().out


def test_files_that_cannot_be_read_say_nothing_of_a_registry(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in ([], ["--select", "a:CPU:int32"], ["--only", "a"]):
        assert main(["kernels", "none.cc", *words]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == "none.cc:1:1: error: no such file (check the path)\n"


def test_a_key_that_is_not_whole_is_shown_with_a_name_that_is_near(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["kernels", "--select", "sofmax:"])
    assert "such as softmax:CPU:int32" in capsys.readouterr().err
    main(["kernels", "--select", "nope:CPU:int32"])
    assert "`unfold kernels` lists what is" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["expand"], ["steps"], ["steps", "--includes"], ["kernels"]])
def test_a_missing_header_says_once_where_it_was_sought_and_what_would_bring_it(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "op.cc"
    names = ("<torch/extension.h>", "<ATen/ATen.h>", '"paddle/extension.h"', '"own.h"')
    file.write_text("".join(f"#include {name}\n" for name in names))
    command, *flags = words
    (sought := tmp_path / "sought").mkdir()
    assert main([command, str(file), *flags, "-I", str(sought)]) == 1
    said = [row for row in capsys.readouterr().err.splitlines() if "no such file" in row]
    assert [row.count(str(sought)) for row in said] == [1, 0, 0, 0]
    assert [row.count("--torch adds the headers of the installed torch") for row in said] == [
        1,
        0,
        0,
        0,
    ]
    assert [row.count("--paddle adds") for row in said] == [0, 0, 1, 0]
    assert all("add a folder with -I DIR" in row for row in said)


@pytest.mark.parametrize("words", [["expand"], ["steps"], ["steps", "--includes"], ["kernels"]])
def test_a_misspelt_header_is_told_with_the_one_that_is_there(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch
) -> None:
    folder = tmp_path / "sought" / "op"
    folder.mkdir(parents=True)
    for name in ("registry.h", "registers.txt"):
        (folder / name).touch()
    (mine := tmp_path / "mine").mkdir()
    (mine / "owned.h").touch()
    (mine / "gpgrt.h").touch()
    file = mine / "op.cc"
    names = ("<op/registri.h>", '"ownde.h"', "<op/tensor.h>", '"port.h"')
    file.write_text("".join(f"#include {name}\n" for name in names))
    command, *flags = words
    found = [command, str(file), *flags, "-I", str(tmp_path / "sought")]
    assert main(found) == 1
    assert _asked(capsys.readouterr().err) == [["op/registry.h"], ["owned.h"], [], []]
    monkeypatch.setenv("UNFOLD_ROOTS", str(mine))  # as for a visitor of `serve`
    assert main(found) == 1
    assert _asked(capsys.readouterr().err) == [[], ["owned.h"], [], []]


@pytest.mark.parametrize("command", ["expand", "steps"])
@pytest.mark.parametrize(
    ("word", "meant"), [("inlcude", "include"), ("ifdfe", "ifdef"), ("prgama", "pragma"), ("x", "")]
)
def test_a_misspelt_directive_is_told_with_the_one_that_is_meant(
    command: str, word: str, meant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "a.c").write_text(f"#{word} A\n")
    assert main([command, str(file)]) == 1
    said = capsys.readouterr().err.splitlines()[0]
    hint = f" (did you mean {meant}?)" if meant else ""
    assert said.endswith(f"error: invalid preprocessing directive #{word}{hint}")


def _asked(errors: str) -> list[list[str]]:
    missing = [row for row in errors.splitlines() if "no such file" in row]
    return [re.findall(r"did you mean (.*?)\?", row) for row in missing]


def test_run_builds_runs_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "bitwise_and", "--dtype", "int32", "--size", "100_000", "--check"]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "phi::BitwiseAndKernel<int, phi::CPUContext>" in told
    first, *others = told[told.index("values ") :].splitlines()
    x, sign, y, _, made = first.removeprefix("values").split()
    assert (int(x) & int(y), sign) == (int(made), "&")
    assert [line.split(" ")[0] for line in others] == [
        *("", "", "", "NumPy", "built", "time", "throughput")
    ]
    assert "GB/s" in told
    assert "NumPy       agrees" in told


def test_an_element_is_told_as_a_sum_only_where_it_is_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", "softmax", "--size", "6"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("values"))
    assert line.startswith("values      softmax(float32[1, 6]) = float32[1, 6]: 0.")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bitwise_nd"], "did you mean bitwise_and?"),
        (
            ["bitwise_and", "--dtype", "float32"],
            "not registered for float32; it is for bool, uint8",
        ),
        (["bitwise_and", "--backend", "GPU"], "it is for CPU"),
        (
            ["concat"],
            "nobody wrote the kernel in Python; `unfold kernel new FILE:LINE` writes one beside the "
            "registration, and `unfold run NAME --body` compiles the C++ body",
        ),
        (["softmax", "--file", PLUG_IN], "waits in CustomKernelMap"),
    ],
)
def test_run_says_why_a_kernel_cannot_run(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *words]) == 1
    assert said in capsys.readouterr().err


def test_run_shows_machine_code(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "bitwise_and", "--dtype", "int32"]
    assert main([*words, "--asm"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "kernel  phi::BitwiseAndKernel<int, phi::CPUContext>"
    assert "bits, " in told[1]
    assert told[4].endswith(":")
    assert main([*words, "--asm", "all"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > len(told)
    assert main([*words, "--llvm"]) == 0
    assert "target triple" in capsys.readouterr().out


def test_run_explains_what_a_call_moves(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "bitwise_and", "--dtype", "int32", "--size", "10", "--explain"]
    words += ["--load", "CustomCPU", "--inputs-on", "customcpu"]
    assert main(words) == 0
    *told, body = capsys.readouterr().out.splitlines()
    assert body.startswith("body")
    assert [line.partition(".")[0] for line in told] == list("1234567")
    assert "bitwise_and has no kernel for (CustomCPU, Undefined(AnyLayout), int32)" in told[1]
    assert told[2] == "3. x is copied from Place(CustomCPU:0) to Place(cpu), where the kernel works"
    assert told[-1].startswith("7. out is copied from Place(cpu) back to Place(CustomCPU:0)")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--explain", "--inputs-on", "CustomCPU"], 1, "Invalid CustomPlace(CustomCPU, 0)"),
        (["--explain", "--inputs-on", "Mars"], 1, "there are CPU, GPU, CustomCPU"),
        (["--inputs-on", "CPU"], 2, "--inputs-on says where --explain's inputs are"),
        (["--load", "Mars"], 1, "no plug-in's kernel waits for Mars: they wait for CPU, CustomCPU"),
    ],
)
def test_run_says_where_no_input_can_be(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "bitwise_and", "--size", "10", *words]) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["run", "bitwise_and", "--dtype", "flot32"],
        [
            "run",
            "trace",
            "--dtype",
            "flot32",
            "--file",
            str(samples_folder() / "fluid" / "trace_op.cc"),
        ],
        ["run", "cast", "--size", "8", "--attr", "out_dtype=flot32"],
        ["kernels", str(BITWISE), "--select", "bitwise_and:CPU:flot32"],
        ["bench", "bitwise_and", "--dtype", "flot32"],
    ],
)
def test_a_data_type_that_is_misspelt_is_told_the_one_that_is_meant(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) in (1, 2)
    assert "PHI has no data type 'flot32'; did you mean float32?" in capsys.readouterr().err


def test_an_axis_out_of_range_is_told_with_the_range_and_what_was_given(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", "softmax", "--input", "x=2x3:range", "--attr", "axis=7"]) == 1
    assert "R is 2 here, and axis 7 is not in [-2, 2)." in capsys.readouterr().err


REGISTER = "PD_REGISTER_KERNEL(bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, "
WRONG_SOURCES = {
    "an unknown macro": (
        TEMPLATE + "PD_REGISTER_KERNELS(bitwise_and, CPU, int) {}\n",
        "7:1: error: `PD_REGISTER_KERNELS` is not a macro",
    ),
    "too few arguments": (
        TEMPLATE + "PD_REGISTER_KERNEL(bitwise_and, CPU) {}\n",
        '7:1: error: macro "PD_REGISTER_KERNEL" requires at least 4 arguments, but only 2 given',
    ),
    "an unterminated invocation": (
        TEMPLATE + REGISTER + "int {}\n",
        '7:1: error: unterminated argument list invoking macro "PD_REGISTER_KERNEL"',
    ),
    "an unterminated string": (
        TEMPLATE + 'const char* s = "abc;\n' + REGISTER + "int) {}\n",
        '7:17: error: missing terminating " character',
    ),
    "a missing include": (
        '#include "nope.h"\n' + TEMPLATE + REGISTER + "int) {}\n",
        "1:10: error: nope.h: no such file",
    ),
    "a dtype that PHI does not have": (
        TEMPLATE + REGISTER + "int,\n  long double) {}\n",
        "8:3: error: PHI has no data type for `long double`",
    ),
    "half a name of a dtype": (
        TEMPLATE + REGISTER + "int,\n  bfloat16) {}\n",
        "8:3: error: PHI has no data type for `bfloat16` (did you mean phi::dtype::bfloat16?",
    ),
    "a dtype twice": (
        TEMPLATE + REGISTER + "int, int) {}\n",
        "error: `phi::BitwiseAndKernel<int, phi::CPUContext>` is instantiated twice (once is enough",
    ),
    "a registration for each dtype": (
        TEMPLATE + REGISTER + "int) {}\n" + REGISTER + "bool) {}\n",
        "error: `bitwise_and_CPU_ALL_LAYOUT` is registered twice in this file (list all types of",
    ),
    "a context that nobody knows": (
        TEMPLATE.replace("const Context&", "const Contxt&") + REGISTER + "int) {}\n",
        "a kernel can't have a parameter of this type (did you mean Context?)",
    ),
    "a semicolon where the braces belong": (
        TEMPLATE + REGISTER + "int);\n",
        "7:77: error: the braces that end PD_REGISTER_KERNEL(...) are missing: write {} instead of ;",
    ),
    "parameters unlike the Python kernel's": (
        TEMPLATE.replace("const DenseTensor& y", "int y") + REGISTER + "int) {}\n",
        "5:23: error: `phi::BitwiseAndKernel` takes",
    ),
    "a registration inside a namespace": (
        TEMPLATE + "namespace mine {\n" + REGISTER + "int) {}\n}\n",
        "8:1: error: PD_REGISTER_KERNEL must be called in global namespace.",
    ),
    "a list of types with nothing in it": (
        TEMPLATE + REGISTER.removesuffix(", ") + ") {}\n",
        "7:1: error: the list of types of PD_REGISTER_KERNEL is empty (write at least one behind",
    ),
    "more types than the header counts": (
        TEMPLATE + REGISTER + ", ".join(16 * ["int"]) + ") {}\n",
        "7:148: error: `_PD_KERNEL_INSTANTIATION_int` is not a macro: 16 arguments in the list",
    ),
    "a signature that is no C++": (
        TEMPLATE.replace("& dev_ctx,", "& dev_ctx,,") + REGISTER + "int) {}\n",
        "4:45: error: not understood: `,` is not expected here",
    ),
    "a parameter that no kernel can have": (
        TEMPLATE.replace("const DenseTensor& y", "std::map<int, int> y") + REGISTER + "int) {}\n",
        "5:23: error: `std::map<int, int> y`: a kernel can't have a parameter of this type",
    ),
    "braces that call a method that is not there": (
        TEMPLATE + REGISTER + "int) {\n  kernel->InptAt(0).SetBackend(phi::Backend::CPU);\n}\n",
        "8:11: error: `Kernel` has no member `InptAt` (did you mean `InputAt`?)",
    ),
    "braces that call a function that is not there": (
        TEMPLATE + REGISTER + "int) {\n  Nobody(kernel);\n}\n",
        "8:3: error: `Nobody` is not known here",
    ),
    "an index past the last input": (
        TEMPLATE + REGISTER + "int) {\n  kernel->InputAt(2).SetBackend(phi::Backend::CPU);\n}\n",
        "8:3: error: InputAt(2) is out of range: this kernel has 2 inputs (they count from 0)",
    ),
    "two headers that include each other": (
        '#include "other.h"\n' + TEMPLATE + REGISTER + "int) {}\n",
        "another.h:1:10: error: #include nested 200 deep",
    ),
    "an #if without its #endif": ("#if 1\nint x;\n", "1:2: error: unterminated #if"),
    "an #if that is no expression": ("#if 1 +\n#endif\nint x;\n", "1:5: error: #if 1 +"),
    "an #error": ("#error stop here\n", "1:2: error: #error stop here"),
    "a file that includes itself": ('#include "kernel.cc"\n', "#include nested 200 deep"),
    "a binary file": (b"\x7fELF\0\0", "1:5: error: is a binary file"),
}


OTHER = """\
namespace phi {
template <typename T, typename Context>
void OtherKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}  // namespace phi
PD_REGISTER_KERNEL(other, CPU, ALL_LAYOUT, phi::OtherKernel, float) {}
"""


@pytest.mark.parametrize(
    "what", [w for w, (t, _) in WRONG_SOURCES.items() if REGISTER[:60] in str(t)]
)
def test_what_is_wrong_with_one_registration_leaves_the_others(
    what: str, write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    text = WRONG_SOURCES[what][0]
    assert isinstance(text, str)
    path = write(text + OTHER)
    (path.parent / "other.h").write_text('#include "another.h"\n')
    (path.parent / "another.h").write_text('#include "other.h"\n')
    code, kernels, _ = kernels_of(path, capsys)
    assert code == 1
    assert [k["key"] for k in kernels["other"]] == ["(CPU, Undefined(AnyLayout), float32)"]


def test_a_missing_parenthesis_does_not_hide_the_other_registrations(
    write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    broken = REGISTER + "int {}\n"
    whole = REGISTER.replace("(bitwise_and", "(other") + "bool) {}\n"
    code, kernels, error = kernels_of(
        write(TEMPLATE + whole + broken + whole.replace("other", "more")), capsys
    )
    assert code == 1
    assert "8:1: error: unterminated argument list" in error
    assert "PD_REGISTER_KERNEL` is not a macro" not in error.replace("8:1", "")
    assert "other" in kernels


@pytest.mark.parametrize("what", WRONG_SOURCES)
def test_bad_input_gets_one_message_at_its_place(
    what: str, write, capsys: pytest.CaptureFixture[str]
) -> None:
    text, said = WRONG_SOURCES[what]
    path = write(text)
    (path.parent / "other.h").write_text('#include "another.h"\n')
    (path.parent / "another.h").write_text('#include "other.h"\n')
    code, _, error = kernels_of(path, capsys)
    assert code == 1
    assert f"kernel.cc:{said}" in error or said in error
    errors = [line for line in error.splitlines() if ": error: " in line]
    assert len(errors) == 1, errors
    assert "Traceback" not in error


def test_a_missing_file_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("expand", "steps", "kernels"):
        assert main([command, str(tmp_path / "nope.cc")]) == 1
        assert "nope.cc:1:1: error: no such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["bogus"],
        ["expand"],
        ["expand", "x.cc", "-D", "1x"],
        ["expand", "x.cc", "--std", "c++99"],
        ["run", "bitwise_and", "--size", "many"],
        ["kernels", "--select", "bitwise_and"],
    ],
)
def test_wrong_usage_exits_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("unfold: error:")
    assert "--help" in error


@pytest.mark.parametrize("command", ["open", "expand", "steps", "kernels", "run"])
def test_help_has_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    assert "examples:" in capsys.readouterr().out


def run_unfold(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-c",
        "import sys; from visualizer.cli import main; sys.exit(main())",
    ]
    return subprocess.run(
        [*command, *words], capture_output=True, text=True, check=False, **options
    )


def test_alone_and_without_a_terminal_it_prints_the_first_sample() -> None:
    done = run_unfold(stdin=subprocess.DEVNULL)
    assert done.returncode == 0
    assert "bitwise_kernel.cc" in done.stdout.splitlines()[0]
    assert "PD_REGISTER_KERNEL hands its 10 arguments on" in done.stdout


def test_open_without_a_terminal_says_what_to_do() -> None:
    done = run_unfold("open", str(BITWISE), stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert "unfold steps" in done.stderr


def test_a_reader_who_stops_early_is_no_error() -> None:
    read, write = os.pipe()
    command = [
        sys.executable,
        "-c",
        "import sys; from visualizer.cli import main; sys.exit(main())",
    ]
    with subprocess.Popen(
        [*command, "expand", str(BITWISE)], stdout=write, stderr=subprocess.PIPE, text=True
    ) as process:
        os.close(write)
        os.close(read)
        _, error = process.communicate()
    assert process.returncode == 0
    assert "BrokenPipe" not in error


@pytest.mark.parametrize(
    ("words", "unwanted"),
    [
        (["kernels", str(BITWISE)], r"numba|cupy|textual|llvmlite"),
        (["steps", str(BITWISE)], r"numba|cupy|textual|llvmlite"),
        (
            ["--version"],
            r"argparse|visualizer\.(?!cli$|commands$|commands\.version$|interrupts$)|registry_runtime",
        ),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_start_up_imports_no_more_than_it_needs(words: list[str], unwanted: str) -> None:
    code = (
        f"import re, sys; from visualizer.cli import main; assert main({words}) == 0; "
        f"unwanted = [name for name in sys.modules if re.match({unwanted!r}, name)]; "
        "sys.exit(str(unwanted) if unwanted else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("format", "first"), [("md", "# `PD_REGISTER_KERNEL`"), ("html", "<!doctype"), ("svg", "<svg")]
)
def test_an_invocation_as_a_document(capsys, format, first):
    assert main(["steps", f"{BITWISE}:72", "--format", format]) == 0
    document = capsys.readouterr().out
    assert document.lower().startswith(first.lower())
    assert "bitwise_and" in document


def test_a_document_without_a_line_is_of_the_first_registration(capsys):
    assert main(["steps", str(BITWISE), "--format", "md"]) == 0
    assert "bitwise_kernel.cc:72`" in capsys.readouterr().out.partition("\n")[0]


def test_a_document_of_nothing(capsys, tmp_path):
    path = tmp_path / "plain.c"
    path.write_text("int x;\n")
    assert main(["steps", str(path), "--format", "html"]) == 1
    assert "plain.c:1:1: error: no macro is invoked in this file" in capsys.readouterr().err
    assert main(["steps", str(path)]) == 0
    assert "plain.c:1:1: warning: no macro is invoked in this file" in capsys.readouterr().err


def test_documents_take_no_search(capsys):
    assert main(["steps", str(BITWISE), "--format", "md", "--find", "x"]) == 2
    assert main(["steps", f"{BITWISE}:72", "--format", "svg", "--step", "999"]) == 2
    assert "the steps go from 0 to 142" in capsys.readouterr().err


@pytest.mark.parametrize("format", ["text", "json", "md", "html", "svg"])
def test_every_format_tells_a_broken_registration(write, capsys, format):
    path = write(
        f'#include "{samples_folder()}/aten/library.h"\n'
        'TORCH_LIBRARY(my, m) { m.def("f(Tensr a) -> Tensor"); }\n',
    )
    assert main(["steps", str(path), "--format", format]) == 1
    assert "unknown type specifier" in capsys.readouterr().err


@pytest.mark.parametrize("format", ["text", "json", "md", "html", "svg"])
def test_macros_that_make_no_declarations_are_no_error(write, capsys, format):
    path = write("#define TWICE(x) x x\nTWICE(foo bar)\n")
    assert main(["steps", str(path), "--format", format]) == 0
    assert capsys.readouterr().err == ""


C_FILE = """\
#define SQ(x) ((x)*(x))
#define ADD(a, b) (a)+(b)
#define TWICE(f, x) f(f(x))
int y = TWICE(SQ, ADD(1, 2));
#define ONCE SQ(4)
int z = ONCE;
"""


def test_a_document_of_macros_without_declarations_tells_every_step(capsys, tmp_path):
    path = tmp_path / "sample.c"
    path.write_text(C_FILE)
    assert main(["steps", f"{path}:4", "--format", "md"]) == 0
    document = capsys.readouterr().out
    assert document.count("### ") == 6
    assert "drawn together" not in document
    assert main(["steps", f"{path}:4", "--format", "md", "--depth", "calls"]) == 0
    assert capsys.readouterr().out.count("### ") == 1
    assert main(["steps", f"{BITWISE}:72", "--format", "md"]) == 0
    assert "Some are drawn together here" in capsys.readouterr().out


def test_the_code_in_a_document_is_in_the_files_language(capsys, tmp_path):
    path = tmp_path / "sample.c"
    path.write_text(C_FILE)
    for flags, language in (([], "c"), (["-x", "c++"], "cpp")):
        assert main(["steps", f"{path}:4", "--format", "md", *flags]) == 0
        fences = [line for line in capsys.readouterr().out.split("\n") if line.startswith("```")]
        assert set(fences) == {f"```{language}", "```"}


def test_the_nearest_lines_are_listed_as_one_says_them(capsys, tmp_path):
    path = tmp_path / "sample.c"
    path.write_text(C_FILE)
    assert main(["steps", f"{path}:1"]) == 1
    assert "(the nearest are on lines 4 and 6; " in capsys.readouterr().err
    path.write_text("#define ONE 1\nint one = ONE;\n")
    assert main(["steps", f"{path}:1"]) == 1
    assert "(the nearest is on line 2; " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "bitwise_and", "--asm", "--capability", "AVX2"], "--capability is for PyTorch's"),
        (["steps", str(BITWISE), "--step", "3"], "--step is for --format svg"),
        (["lesson", "phi/1", "--check", "x.cc", "--exercise", "9"], " has 1 exercise\n"),
    ],
)
def test_a_flag_without_a_meaning_is_not_passed_over(words, says, capsys):
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("unfold: error: ")
    assert says in err


@pytest.mark.parametrize(
    "words",
    [
        ("run", "bitwise_and", "--file", "{file}"),
        ("lesson", "phi/3", "--check", "{file}"),
        ("kernels", "{file}", "--format", "json"),
        ("migrate", "{file}", "--format", "json"),
        ("survey", "{file}"),
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("missing.cc", "1:1: error: no such file"),
        ("binary.cc", "2:2: error: is a binary file"),
        ("folder", "1:1: error: is a folder"),
    ],
)
def test_what_is_no_source_text_is_one_message_at_its_place(
    words: tuple[str, ...],
    file: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "binary.cc").write_bytes(b"int x;\na\0b")
    (tmp_path / "folder").mkdir()
    if (words[0], file) == ("survey", "folder"):
        pytest.skip("a folder is what a survey is of")
    path = tmp_path / file
    assert main([word.format(file=path) for word in words]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"{path}:{said}")
    assert error.count("\n") == 1


def test_an_exercise_that_is_not_solved_is_said_at_a_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lesson", "macros/1", "--check", str(BITWISE)]) == 1
    assert re.match(rf"{BITWISE}:\d+:\d+: error: ", capsys.readouterr().err)


def test_a_line_behind_the_last_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("steps", "why", "open"):
        assert main([command, f"{BITWISE}:9999"]) == 1
        assert "error: there is no such line (it has 114 lines)" in capsys.readouterr().err


def test_a_word_too_many_is_answered_by_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in [
        (
            ["run", "cube", "cube.cc"],
            "cube.cc; a file is named with --file\nTry 'unfold run --help'.",
        ),
        (["expand", "a.c", "b.c"], "b.c\nTry 'unfold expand --help'."),
    ]:
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 2
        error = capsys.readouterr().err.strip()
        assert error == f"unfold: error: unrecognized arguments: {said}"


def test_an_empty_file_is_one_to_the_compiler_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new.c"
    assert main(["open", str(path)]) == 1
    assert "a new file is made in the app: unfold, then Ctrl+O" in capsys.readouterr().err
    path.touch()
    assert main(["expand", "-P", str(path)]) == 0
    theirs = subprocess.run(["gcc", "-E", "-P", path], capture_output=True, text=True, check=True)
    assert capsys.readouterr() == (theirs.stdout, "")
