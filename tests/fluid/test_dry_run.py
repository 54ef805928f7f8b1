"""The listing says `yes` of a class kernel that `unfold run` runs, and nothing is compiled for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry_runtime.fluid.registered import Registration
from registry_runtime.kernels.template import Instance
from registry_runtime.lab.fluid.dry_run import dry_run
from registry_runtime.lab.fluid.trial import try_op
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.program import Program
from tests.fluid.texts import FLUID, Opened
from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.linking import open_files
from visualizer.workbench.stand_ins import told_of

SAMPLES = sorted(p for p in FLUID.rglob("*.cc"))
TRACE = "trace_op.cc"


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return Opened(tmp_path)


def kernels(bench: Workbench) -> list[Registration]:
    made = [e.registration for e in bench.entries if isinstance(e.registration, Registration)]
    return [one for one in made if one.kind == "kernel"]


def runs(program: Program, op_type: str, dtype: str) -> bool:
    try:
        try_op(program.fluid, op_type, dtype, 2)
    except KernelError:
        return False
    return True


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda p: p.relative_to(FLUID).as_posix())
def test_what_a_dry_run_lets_pass_runs(sample: Path) -> None:
    program = Program()
    [bench] = open_files([sample], program)
    tried = {
        (one.op_type, dtype): why
        for one in kernels(bench)
        for dtype, why in dry_run(program.fluid, one).items()
    }
    for (op_type, dtype), why in tried.items():
        if not why and dtype in ("float32", "int64"):
            assert runs(program, op_type, dtype), f"{op_type} {dtype}"
    assert sample.name != TRACE or not any(tried.values())


def test_a_dry_run_builds_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_build(self: Instance) -> None:
        raise AssertionError(f"{self!r} is built")

    monkeypatch.setattr(Instance, "build", no_build)
    program = Program()
    [bench] = open_files([FLUID / TRACE], program)
    assert {why for one in kernels(bench) for why in dry_run(program.fluid, one).values()} == {""}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('context.Output<framework::Tensor>("Out")', 'context.Output<framework::Tensor>("Into")'),
        ("SumLastAxis<DeviceContext, T>(", "SumLastAxis<DeviceContext, double>("),
        ("out->mutable_data<T>(context.GetPlace());", ""),
    ],
)
def test_a_body_that_a_call_refuses_does_not_run(
    old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("trace_op.h", TRACE):
        text = (FLUID / name).read_text()
        (tmp_path / name).write_text(text.replace(old, new))
    assert (tmp_path / "trace_op.h").read_text() != (FLUID / "trace_op.h").read_text()
    main(["kernels", str(tmp_path / TRACE), "-I", str(FLUID)])
    rows = [row for row in capsys.readouterr().out.splitlines() if " TraceKernel<" in row]
    said = [" yes " in row for row in rows]
    program = Program()
    bench = open_file(tmp_path / TRACE, Options(include_folders=(str(FLUID),)), program)
    of_trace = [one for one in kernels(bench) if one.op_type == "trace"]
    tried = [dry_run(program.fluid, one).items() for one in of_trace]
    assert said == [not why for found in tried for _, why in found]
    assert said == [runs(program, "trace", dtype) for found in tried for dtype, _ in found]
    assert not all(said)


def test_a_kernel_that_another_has_replaced_is_not_said_to_run(opened: Opened) -> None:
    bench = opened.sample(TRACE)
    second = opened.text(
        f'#include "{FLUID / "trace_op.h"}"\n'
        "REGISTER_OP_CPU_KERNEL(trace, "
        "paddle::operators::TraceKernel<phi::CPUContext, float>);"
    )
    gone = "another registration has taken its place"
    old = next(one for one in kernels(bench) if one.op_type == "trace")
    assert dry_run(opened.program.fluid, old) == {"float32": gone}
    [new] = kernels(second)
    assert dry_run(opened.program.fluid, new) == {"float32": ""}


def test_a_kernel_whose_operator_is_elsewhere_is_not_tried(opened: Opened) -> None:
    bench = opened.text(
        f'#include "{FLUID / "trace_op.h"}"\n'
        "REGISTER_OP_CPU_KERNEL(trace, "
        "paddle::operators::TraceKernel<phi::CPUContext, float>);"
    )
    assert [dry_run(opened.program.fluid, one) for one in kernels(bench)] == [{}]


def test_it_is_said_for_which_functions_python_stands_in(opened: Opened) -> None:
    bench = opened.sample(TRACE)
    told = {
        op: told_of(e for e in bench.entries if e.registration.kernel_name == op)
        for op in ("trace", "trace_grad")
    }
    behind = "which the text's body calls and only declares"
    assert told == {
        "trace": (f"Python stands in for Diagonal and SumLastAxis, {behind}",),
        "trace_grad": (f"Python stands in for FillDiagonals, {behind}",),
    }
