"""A file before the native registry that only records: `unfold verify`, with a compiler as judge."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from registry_runtime.judge.compiling import JudgeFailed, Watch
from registry_runtime.native.compiler import CompilerFailed
from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.workbench import verdict
from visualizer.workbench.bench import open_file
from visualizer.workbench.flags import Flags
from visualizer.workbench.samples import samples_folder
from visualizer.workbench.verdict import NoJudge, verify

pytestmark = pytest.mark.compiler
PHI = samples_folder() / "phi"
FUNCTION = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void CopyKernel(const Context& dev_ctx, const DenseTensor& x, int n, DenseTensor* out) {}
}
"""
REGISTERED = (
    FUNCTION + "PD_REGISTER_KERNEL(copy, CPU, ALL_LAYOUT, phi::CopyKernel, int, float) {}\n"
)
IN_SAMPLES = Options(include_folders=(str(PHI),), cc="auto")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "copy_kernel.cc"
    path.write_text(REGISTERED)
    return path


@pytest.mark.parametrize("name", ["full", "plugin_softmax", "send_v2", "sparse_unary"])
def test_a_sample_is_compiled_as_it_is_interpreted(name: str) -> None:
    (told,) = verify(open_file(PHI / f"{name}_kernel.cc", Options(cc="auto")), Flags(), Watch())
    assert told.differences == ()
    assert told.facts > told.entries > 0
    assert told.left_out == ()


def test_what_was_read_before_the_file_was_changed_differs(file: Path) -> None:
    bench = open_file(file, IN_SAMPLES)
    changed = REGISTERED.replace("int, float", "float, double").replace("int n", "bool n")
    braces = "{\n kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);}\n"
    file.write_text(changed.removesuffix("{}\n") + braces)
    (told,) = verify(bench, Flags(), Watch())
    same = "CPU, NCHW, float32, DenseTensor*", "CPU, NCHW, bool, DenseTensor*"
    assert [(d.key, d.what, d.ours, d.theirs) for d in told.differences] == [
        ("(CPU, Undefined(AnyLayout), int32)", "", "registered", None),
        ("(CPU, Undefined(AnyLayout), float32)", "output 0", *same),
        ("(CPU, Undefined(AnyLayout), float32)", "attribute 0", "int", "bool"),
        ("(CPU, Undefined(AnyLayout), float64)", "", None, "registered"),
    ]


def test_a_folder_with_headers_of_its_own_is_judged_by_those(tmp_path: Path) -> None:
    for name in ("kernel_registry.h", "phi.h", "all_dtypes.h"):
        shutil.copy(PHI / name, tmp_path)
    (tmp_path / "copy_kernel.cc").write_text(REGISTERED)
    bench = open_file(tmp_path / "copy_kernel.cc", Options(cc="auto"))
    assert str(tmp_path / "kernel_registry.h") in bench.trace.included
    (told,) = verify(bench, Flags(), Watch())
    assert (told.entries, told.differences) == (2, ())


def test_what_a_compiler_refuses_is_told_at_its_place(file: Path) -> None:
    file.write_text(REGISTERED + "int n = nobody;\n")
    with pytest.raises(CompilerFailed) as failed:
        list(verify(open_file(file, IN_SAMPLES), Flags(), Watch()))
    (error,) = failed.value.errors
    assert (error.where.file, error.where.line) == (str(file), REGISTERED.count("\n") + 1)


def test_a_static_initialisation_that_fails_is_told_in_its_own_words(file: Path) -> None:
    twice = REGISTERED.partition("PD_")[2].replace("ALL_LAYOUT", "ANY")
    text = REGISTERED + "namespace phi { template <typename T, typename C> void Other(const C& c, "
    text += f"const DenseTensor& x, int n, DenseTensor* out) {{}} }}\nPD_{twice}"
    text = text.replace("REGISTER_KERNEL", "REGISTER_PLUGIN_KERNEL")
    file.write_text(text[::-1].replace("CopyKernel"[::-1], "Other"[::-1], 1)[::-1])
    with pytest.raises(JudgeFailed, match=r"failed \(SIGABRT\): AlreadyExists: copy"):
        list(verify(open_file(file, IN_SAMPLES), Flags(), Watch()))


def test_one_that_never_ends_is_called_off(file: Path) -> None:
    file.write_text(REGISTERED + "int forever() { for (;;) {} }\nint n = forever();\n")
    said: list[str] = []
    watch = Watch(said.append, lambda: any("static initialisation" in line for line in said))
    with pytest.raises(JudgeFailed, match="called off"):
        list(verify(open_file(file, IN_SAMPLES), Flags(), watch))
    assert said[0].startswith("compiling copy_kernel.cc (about 2 s)")


def test_without_the_samples_headers_a_framework_has_to_judge(tmp_path: Path) -> None:
    path = tmp_path / "plain.cc"
    path.write_text("int n = 1;\n")
    with pytest.raises(NoJudge, match="--paddle or --torch"):
        list(verify(open_file(path, Options()), Flags(), Watch()))


def test_a_header_that_is_missing_is_all_that_is_said(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(file)]) == 1
    said = capsys.readouterr().err
    assert "kernel_registry.h isn't found, so nothing was compiled: -I DIR" in said
    assert "--paddle" not in said


def test_for_fluids_registry_there_is_no_judge() -> None:
    bench = open_file(samples_folder() / "fluid" / "trace_op.cc", Options(cc="auto"))
    with pytest.raises(NoJudge, match="no judge here"):
        list(verify(bench, Flags(), Watch()))


def test_what_another_framework_registers_is_told() -> None:
    bench = open_file(samples_folder() / "aten" / "myops.cc", Options(cc="auto"))
    told = list(verdict._beside(bench, Flags(), "phi"))
    assert told == [f"{len(bench.entries)} entries of PyTorch's: --torch names its judge"]
    assert list(verdict._beside(bench, Flags(torch=""), "phi")) == []


def test_the_command_says_that_nothing_differs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(PHI / "softmax_kernel.cc")]) == 0
    said = "2 entries, 10 facts by g++, with a registry that only records: as interpreted"
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "verify takes a FILE, or --installed PACKAGE"),
        (("x.cc", "--installed", "torch"), 2, "verify takes a FILE, or --installed PACKAGE"),
        (("x.cc", "--only", "a*"), 2, "--only is for --installed"),
        (("nowhere.cc",), 1, "nowhere.cc"),
    ],
)
def test_wrong_usage(
    words: tuple[str, ...], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", *words]) == code
    assert said in capsys.readouterr().err


def test_differences_as_json_and_exit_code(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A judge whose registry drops one kernel."""
    recorded = verdict.recorded
    monkeypatch.setattr(verdict, "recorded", lambda *given: recorded(*given)[1:])
    assert main(["verify", str(file), "-I", str(PHI), "--format", "json"]) == 1
    (told,) = json.loads(capsys.readouterr().out)
    (one,) = told["differences"]
    assert (told["entries"], one["what"], one["interpreted"], one["compiled"]) == (
        1,
        "entry",
        "registered",
        None,
    )
    assert main(["verify", str(file), "-I", str(PHI)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("1 difference")
    assert lines[1].split() == ["name", "key", "what", "interpreted", "compiled"]


def test_a_machine_without_a_compiler(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(shutil.which("sh")).rpartition("/")[0] + "/nowhere")
    assert main(["verify", str(file), "-I", str(PHI), "--cc", "none"]) == 1
    assert "install g++ or clang++" in capsys.readouterr().err
