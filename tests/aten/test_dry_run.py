"""The listing says `yes` only of what runs: each operator is called, dry, on a few elements."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry_runtime.lab.aten.dry_run import DRY_DTYPES, dry_run
from registry_runtime.lab.aten.trial import try_operator
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.program import Program
from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.linking import open_files
from visualizer.workbench.samples import sample_files, samples_folder

ATEN = samples_folder() / "aten"
TEXT = """\
#include "aten.h"
#include "library.h"
at::Tensor& asked(const at::Tensor& self, at::Tensor& out) { %s }
TORCH_LIBRARY(mine, m) {
  m.def("asked(Tensor self, Tensor(a!) out) -> Tensor(a!)");
  m.impl("asked", &asked);
}
"""


def runs(program: Program, name: str, dtype: str) -> bool:
    """Whether `unfold run` does, on as few elements as the operator takes."""
    for size in (2, 1):
        try:
            try_operator(program.aten, name, dtype, (size,))
        except KernelError:
            continue
        return True
    return False


def test_what_a_dry_run_lets_pass_runs() -> None:
    program = Program()
    benches = open_files(sample_files("aten"), program)
    names = {
        entry.registration.kernel_name
        for bench in benches
        for entry in bench.entries
        if entry.registration.framework == "aten" and entry.registration.kind == "impl"
    }
    tried = 0
    for name in sorted(names):
        for dtype, refused in dry_run(program.aten, name).items():
            if not refused and dtype in ("float32", "int32"):
                assert runs(program, name, dtype), f"{name} {dtype}"
                tried += 1
    assert tried > 8


@pytest.mark.parametrize(
    "body",
    [
        "float* to = out.data_ptr<at::Half>(); to[0] = 1; return out;",
        "return out.no_such_method(self);",
        "add_stub(out.device().type(), self, out); return out;",
    ],
)
def test_a_body_that_asks_for_what_is_not_there_does_not_run(
    body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.cc"
    path.write_text(TEXT % body)
    main(["kernels", str(path), "-I", str(ATEN)])
    row = next(line for line in capsys.readouterr().out.splitlines() if " impl " in line)
    assert " yes " not in row
    program = Program()
    open_file(path, Options(include_folders=(str(ATEN),)), program)
    assert not any(runs(program, "mine::asked", dtype) for dtype in DRY_DTYPES)


def test_a_body_that_runs_is_said_to_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.cc"
    path.write_text(TEXT % "return out;")
    main(["kernels", str(path), "-I", str(ATEN)])
    row = next(line for line in capsys.readouterr().out.splitlines() if " impl " in line)
    assert " yes " in row
