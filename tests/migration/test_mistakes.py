"""Mistakes that a move to PHI would keep: each is shown at its place, and in the new file."""

from pathlib import Path

import pytest

from registry_runtime.program import Program
from tests.migration.operator_text import MAKER, migrated, operator_text, piece
from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file

TWO = MAKER + '    AddOutput("Mean", "another");\n'
SET_MEAN = 'ctx->SetOutputDim("Mean", {1});'
SET_OUT = 'ctx->SetOutputDim("Out", {1});'
OUT = 'auto* out = ctx.Output<framework::Tensor>("Out");\n'
TAKE = OUT + "T* data = out->mutable_data<T>(ctx.GetPlace());\n"


@pytest.mark.parametrize(
    ("shapes", "at", "reason"),
    [
        (SET_OUT, "InferShape", "nothing says the dims of Mean"),
        (
            f'{SET_OUT} if (ctx->HasInput("X")) {{ {SET_MEAN} }}',
            SET_MEAN[:-1],
            "Mean gets its dims only now and then",
        ),
        (
            f"{SET_OUT} if (ctx->IsRuntime()) return; {SET_MEAN}",
            "return;",
            "Mean has no dims yet where this returns",
        ),
        (
            f"{SET_OUT} if (ctx->IsRuntime()) {{ return; }} else {{ {SET_MEAN} }}",
            "return;",
            "Mean has no dims yet where this returns",
        ),
    ],
)
def test_a_shape_that_is_left_open(shapes: str, at: str, reason: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text("", TWO, f"    {shapes}\n"))
    (mark,) = found.left
    assert (mark.rule.key, mark.idiom) == ("open_shape", at)
    assert reason in mark.reason
    assert reason in piece(found, "infermeta/unary.cc")


@pytest.mark.parametrize(
    "shapes",
    [
        f"{SET_OUT} {SET_MEAN}",
        f'{SET_OUT} if (ctx->HasInput("X")) {{ {SET_MEAN} }} else {{ {SET_MEAN} }}',
        f'{SET_OUT} if (ctx->HasOutput("Mean")) {{ {SET_MEAN} }}',
        f'{SET_OUT} bool wanted = ctx->HasOutput("Mean"); if (wanted) {SET_MEAN}',
        f"if (ctx->IsRuntime()) {{ {SET_OUT} {SET_MEAN} return; }} {SET_MEAN} {SET_OUT}",
        f'{SET_OUT} if (ctx->IsRuntime()) {{ PADDLE_THROW("no"); }} else {SET_MEAN}',
        f"{SET_OUT} for (int i = 0; i < 2; ++i) {SET_MEAN}",
        f'{SET_OUT} ctx->ShareDim("X", "Mean");',
    ],
)
def test_a_shape_that_is_said_on_every_way(shapes: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text("", TWO, f"    {shapes}\n"))
    assert not [mark for mark in found.left if mark.rule.key == "open_shape"]


def test_an_infer_shape_that_stays_is_told_of_its_open_shape(tmp_path: Path) -> None:
    shapes = f'    ctx->SetLoDLevel("Out", 1);\n    {SET_OUT}\n'
    found = migrated(tmp_path, operator_text("", TWO, shapes))
    assert sorted(m.rule.key for m in found.left) == ["infer_meta", "open_shape"]
    assert "nothing says the dims of Mean" in piece(found, "fluid/operators/test_op.cc")


@pytest.mark.parametrize(
    ("body", "at", "reason"),
    [
        (TAKE + "if (data[0] > 0) F();", "data[0]", "reads output Out before anything wrote it"),
        (TAKE + "*data += 1;", "*data", "reads output Out before anything wrote it"),
        (OUT + "F(out->data<T>());", "out->data<T>()", "output Out for memory before it has any"),
    ],
)
def test_an_output_that_its_kernel_reads(
    body: str, at: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = operator_text(body)
    found = migrated(tmp_path, text)
    (mark,) = [m for m in found.left if m.status == "left to you"]
    assert (mark.rule.key, mark.idiom) == ("output_read", at)
    assert reason in piece(found, "cpu/scale_kernel.cc")
    assert main(["migrate", str(tmp_path / "test_op.cc"), "--check"]) == 1
    offset = text.index(at, text.index("void Compute"))
    line, column = text[:offset].count("\n") + 1, offset - text.rfind("\n", 0, offset)
    said = capsys.readouterr().out
    assert f"test_op.cc:{line}:{column}: left to you: {at}: this " in said
    assert reason in said


@pytest.mark.parametrize(
    "body", ["data[0] = 1; F(data[0]);", "F(data); data[0] += 1;", "(void)out->numel();"]
)
def test_an_output_that_is_written_first(body: str, tmp_path: Path) -> None:
    assert not migrated(tmp_path, operator_text(TAKE + body)).left


def test_a_name_that_only_the_running_maker_knows(tmp_path: Path) -> None:
    text = operator_text("", MAKER + '    AddInput(Name(), "?");\n')
    found = migrated(tmp_path, text)
    (mark,) = found.left
    assert (mark.rule.key, mark.idiom) == ("order", 'AddInput(Name(), "?")')
    assert mark.reason in piece(found, "cpu/scale_kernel.cc")


@pytest.mark.parametrize("body", ["if (data[0] > 0) return;", "data[0] = 1;", "data[0] += 1;"])
def test_what_is_flagged_here_the_registry_warns_of_too(body: str, tmp_path: Path) -> None:
    text = operator_text(TAKE + body)
    found = migrated(tmp_path, text)
    folders = tuple(str(Path("cpp_samples") / name) for name in ("phi", "fluid"))
    program = Program()
    bench = open_file(tmp_path / "test_op.cc", Options(include_folders=folders), program)
    warned = [d for d in bench.diagnostics if "nobody has written it yet" in d.message]
    assert len(warned) == len(found.left)
