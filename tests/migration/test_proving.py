"""`--check --run`: the old body and the new one, compiled and run beside each other."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.migration.operator_text import MAKER, migrated, operator_text
from visualizer.cli import main
from visualizer.migration.proving import trials, with_proofs

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not on PATH"),
]

SCALED = """\
    auto* x = ctx.Input<framework::Tensor>("X");
    auto* out = ctx.Output<framework::Tensor>("Out");
    T* to = out->mutable_data<T>(ctx.GetPlace());
    for (int64_t i = 0; i < x->numel(); ++i) to[i] = Twice(x->data<T>()[i]) * ctx.Attr<int>("axis");
"""
HELPER = "template <typename T>\nT Twice(T x) {\n  return x + x;\n}\n\n"


def scaled() -> str:
    return operator_text(SCALED, before=HELPER).replace("plat::float16", "int64_t")


def test_bodies_that_leave_the_same_are_proved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "test_op.cc"
    path.write_text(scaled())
    assert main(["migrate", str(path), "--check", "--run"]) == 0
    *_, ran, counts = capsys.readouterr().out.splitlines()
    assert ran == "scale: 12 calls gave the same in both worlds (float, int64_t)"
    assert not counts.startswith("0 proved")


def test_a_file_beside_it_that_is_not_understood_hinders_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "test_op.cc"
    path.write_text(scaled())
    (tmp_path / "test_op.cu").write_text("int a(;\n")
    assert main(["migrate", str(path), "--check", "--run"]) == 1
    assert "scale: 12 calls gave the same in both worlds" in capsys.readouterr().out


def test_a_compiler_that_is_not_there_refuses_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(trials(migrated(tmp_path, scaled()), "no-such-compiler"))


def test_a_body_that_leaves_something_else_is_left_to_you(tmp_path: Path) -> None:
    found = migrated(tmp_path, scaled())
    wrong = tuple(replace(p, text=p.text.replace("x + x", "x + x + 1")) for p in found.pieces)
    found = replace(found, pieces=wrong)
    (trial,) = trials(found, str(shutil.which("g++")))
    assert trial.told() == ("scale: the old body and the new one differ: float, inputs of [2, 3]")
    (mark,) = with_proofs(found, [trial]).left
    assert mark.reason.startswith("run beside the old body, this one leaves something else")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (operator_text("Unheard(ctx);"), "the compiler refuses it: "),
        (operator_text("throw 1;"), "for float too few random inputs suit it: 0"),
        (
            operator_text("", MAKER.replace("<int>", "<std::vector<std::vector<int>>>")),
            "axis is a const std::vector<std::vector<int>>&",
        ),
    ],
)
def test_what_can_not_be_run_is_not_proved(text: str, why: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, text)
    (trial,) = trials(found, str(shutil.which("g++")))
    assert trial.told().startswith(f"scale: not run: {why}")
    assert with_proofs(found, [trial]) == found


def test_running_is_part_of_a_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", str(tmp_path / "test_op.cc"), "--run"]) == 2
    assert "--run needs --check" in capsys.readouterr().err
