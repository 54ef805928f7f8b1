"""What the listing says runs is called; what it says doesn't, a call refuses in the same words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from registry_runtime.lab.phi.dry_run import dry_run
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.registered import Registration
from registry_runtime.phi.runtime import Runtime
from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.reading import program_with
from visualizer.workbench.samples import sample_files, samples_folder

PHI = samples_folder() / "phi"
HEAD = '#include "kernel_registry.h"\n'


def called(runtime: Runtime, registration: Registration) -> str:
    """Why a call on the kernel's own sample is refused; nothing where it runs."""
    instance = instance_of(registration.kernel)
    arguments = instance.template.sample(instance.dtype, 2, np.random.default_rng(0))
    try:
        runtime.call(registration.kernel_name, *arguments)
    except KernelError as error:
        return str(error).partition("\n")[0]
    return ""


def opened(path: Path, *macros: tuple[str, str]) -> tuple[Runtime, list[Registration]]:
    program = program_with(macros)
    bench = open_file(path, Options(include_folders=(str(PHI),), macros=macros), program)
    made = [e.registration for e in bench.entries if isinstance(e.registration, Registration)]
    return program.phi, [one for one in made if one.runnable]


def renamed(folder: Path, sample: str) -> Path:
    """The sample with each of its kernels under a name that nobody knows."""
    text = (PHI / sample).read_text(encoding="utf-8")
    path = folder / sample
    path.write_text(text.replace("PD_REGISTER_KERNEL(", "PD_REGISTER_KERNEL(my_"))
    return path


@pytest.mark.parametrize("sample", [path.name for path in sample_files("phi")])
def test_each_kernel_of_the_samples_runs_under_any_name(sample: str, tmp_path: Path) -> None:
    for path in (PHI / sample, renamed(tmp_path, sample)):
        runtime, made = opened(path, ("D", "PADDLE_WITH_CUDA"))
        assert [(one.function, dry_run(runtime, one)) for one in made] == [
            (one.function, {str(one.key.dtype): ""}) for one in made
        ]


@pytest.mark.parametrize(
    "sample", ["gather_kernel.cc", "full_like_kernel.cc", "where_kernel.cc", "trace_kernel.cc"]
)
def test_what_a_dry_run_lets_pass_is_called(sample: str, tmp_path: Path) -> None:
    runtime, made = opened(renamed(tmp_path, sample))
    tried = [one for one in made if str(one.key.dtype) in ("float32", "int64")]
    assert [called(runtime, one) for one in tried] == [""] * len(tried)
    assert tried


_DECLARED = """\
namespace phi {
template <typename T, typename Context>
void BitwiseAndKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {}
}
"""
_BRACES = {
    "": "",
    "kernel->InputAt(0).SetDataType(phi::DataType::FLOAT64);": "",
    "kernel->OutputAt(0).SetDataType(phi::DataType::INT64);": "",
    "kernel->InputAt(1).SetBackend(phi::Backend::GPU);": "GPU",
}


_KERNEL = "PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, int, bool) {"


@pytest.mark.parametrize("braces", _BRACES)
def test_a_dry_run_says_what_a_call_does(
    braces: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.cc"
    path.write_text(f"{HEAD}{_DECLARED}{_KERNEL} {braces} }}\n")
    runtime, made = opened(path)
    for one in made:
        refused = called(runtime, one)
        assert dry_run(runtime, one) == {str(one.key.dtype): refused}
        assert bool(refused) is bool(_BRACES[braces])
    main(["kernels", str(path), "-I", str(PHI)])
    rows = [row for row in capsys.readouterr().out.splitlines() if "Undefined" in row]
    assert len(rows) == len(made) == 2
    assert all(("  no: " in row) is bool(_BRACES[braces]) for row in rows)


@pytest.mark.parametrize(
    ("header", "runs"), [("", "undeclared"), ('#include "nowhere.h"\n', "in Python")]
)
def test_nothing_runs_for_what_no_compiler_finds_declared(
    header: str, runs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.cc"
    path.write_text(f"{header}{HEAD}{_KERNEL} }}\n")
    assert bool(opened(path)[1]) is (runs == "in Python")
    main(["kernels", str(path), "-I", str(PHI)])
    rows = [row for row in capsys.readouterr().out.splitlines() if "Undefined" in row]
    assert len(rows) == 2
    assert all(f"  {runs}  " in row for row in rows)


def test_a_kernel_that_another_has_replaced_is_not_said_to_run(tmp_path: Path) -> None:
    program, made = program_with(()), []
    for name in ("And", "Or"):
        path = tmp_path / f"{name}.cc"
        kernel = f"PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, phi::Bitwise{name}Kernel, int) {{}}\n"
        declared = _DECLARED.replace("BitwiseAnd", f"Bitwise{name}")
        path.write_text(f"{HEAD}{declared}{kernel}")
        made += open_file(path, Options(include_folders=(str(PHI),)), program).entries
    registered = [e.registration for e in made if isinstance(e.registration, Registration)]
    gone = "another registration has taken its place"
    assert [dry_run(program.phi, one) for one in registered] == [{"int32": gone}, {"int32": ""}]
