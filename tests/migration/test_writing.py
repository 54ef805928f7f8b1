"""Writing beside what is there: shared files are added to, and what was written can be loaded."""

import shlex
from pathlib import Path

import pytest

from tests.migration.operator_text import migrated, operator_text
from visualizer.cli import main

SHAPES = """\
    auto dims = ctx->GetInputDim("X");
    dims[0] = ctx->Attrs().Get<int>("axis");
    ctx->SetOutputDim("Out", dims);
"""
FORMER = {
    "unary.h": """\
// Mine.
#pragma once
#include "infermeta_utils.h"
#include "mine.h"

namespace phi {

  void  MineInferMeta(const MetaTensor& x, MetaTensor* out);   // as I like it

}  // namespace phi
int after;
""",
    "unary.cc": """\
#include "unary.h"

namespace phi {
void MineInferMeta(const MetaTensor& x, MetaTensor* out) { if (x) { out->set_dims({1}); } }
}
""",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "test_op.cc"
    path.write_text(operator_text("F();", shapes=SHAPES))
    return path


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out" / "phi" / "infermeta"
    folder.mkdir(parents=True)
    for name, text in FORMER.items():
        (folder / name).write_text(text)
    return tmp_path / "out"


@pytest.mark.parametrize("flags", [[], ["--overwrite"]])
def test_a_shared_file_is_added_to(flags: list[str], source: Path, out: Path) -> None:
    assert main(["migrate", str(source), "--output", str(out), *flags]) == 0
    for name, former in FORMER.items():
        text = (out / "phi" / "infermeta" / name).read_text()
        rest = iter(text)
        assert all(character in rest for character in former)  # each, in its order
        assert text.count("void ScaleInferMeta(") == 1
        assert text.index("ScaleInferMeta") < text.rindex("}")
        for line in former.rstrip().split("\n"):
            assert line in text
    header = (out / "phi" / "infermeta" / "unary.h").read_text()
    assert header.count("#include") == 2
    assert header.endswith("}  // namespace phi\nint after;\n")


def test_what_is_there_already_is_not_added_again(source: Path, out: Path) -> None:
    assert main(["migrate", str(source), "--output", str(out)]) == 0
    before = [path.read_bytes() for path in sorted((out / "phi" / "infermeta").iterdir())]
    assert main(["migrate", str(source), "--output", str(out), "--overwrite"]) == 0
    after = [path.read_bytes() for path in sorted((out / "phi" / "infermeta").iterdir())]
    assert before == after


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("namespace phi {\nint ScaleInferMeta(int);\n}\n", "has another ScaleInferMeta"),
        ("int x;\n", "has no namespace phi"),
        ("namespace phi {\nvoid f() {\n}\n", "has braces that don't pair up"),
    ],
)
def test_a_shared_file_that_cannot_be_added_to_is_kept(
    there: str, said: str, source: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = out / "phi" / "infermeta" / "unary.h"
    header.write_text(there)
    assert main(["migrate", str(source), "--output", str(out), "--overwrite"]) == 1
    assert f"nothing was written: {header} {said}" in capsys.readouterr().err
    assert header.read_text() == there
    assert not (out / "phi" / "kernels").exists()


def test_the_command_that_loads_it_is_told(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a folder"
    assert main(["migrate", str(source), "--output", str(folder)]) == 0
    told = capsys.readouterr().out.rstrip().split("\n")[-1]
    program, *arguments = shlex.split(told)
    assert program == "unfold"
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert "error" not in captured.err
    assert "phi::TestKernel<float, phi::CPUContext>" in captured.out


@pytest.mark.parametrize("place", ["paddle/fluid/operators", "mine"])
def test_the_command_for_paddles_own_tree(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / place / "test_op.cc"
    source.parent.mkdir(parents=True)
    source.write_text(operator_text().replace("op_", "paddle/fluid/framework/op_", 1))
    out = tmp_path / "out"
    assert main(["migrate", str(source), "--output", str(out)]) == 0
    told = shlex.split(capsys.readouterr().out.rstrip().split("\n")[-1])
    kernel = str(out / "paddle/phi/kernels/cpu/scale_kernel.cc")
    if place == "mine":
        assert told == ["unfold", "kernels", kernel, "-I", str(out), "--paddle"]
    else:
        left = str(out / "paddle/fluid/operators/test_op.cc")
        assert told == ["unfold", "kernels", kernel, left, "-I", str(out), "-I", str(tmp_path)]


def test_a_new_file_is_what_it_was_written_as_whatever_its_name(tmp_path: Path) -> None:
    migration = migrated(tmp_path, operator_text("F();", shapes=SHAPES), "test_kernel.cc")
    assert {piece.path: piece.role for piece in migration.pieces} == {
        "phi/kernels/scale_kernel.h": "kernel header",
        "phi/kernels/cpu/scale_kernel.cc": "CPU kernel",
        "phi/infermeta/unary.h": "InferMeta header",
        "phi/infermeta/unary.cc": "InferMeta",
        "fluid/operators/test_kernel.cc": "what stays Fluid's",
    }
    assert [p.path for p in migration.pieces if p.is_shared] == [
        "phi/infermeta/unary.h",
        "phi/infermeta/unary.cc",
    ]


@pytest.mark.parametrize("link", ["phi", "phi/infermeta", "phi/infermeta/unary.h"])
def test_no_link_leads_out_of_the_folder(
    link: str, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere, out = tmp_path / "elsewhere", tmp_path / "out"
    elsewhere.mkdir()
    target = elsewhere / "unary.h" if link.endswith(".h") else elsewhere
    (out / link).parent.mkdir(parents=True, exist_ok=True)
    (out / link).symlink_to(target)
    assert main(["migrate", str(source), "--output", str(out), "--overwrite"]) == 1
    assert f"leads out of {out}, to {elsewhere}" in capsys.readouterr().err
    assert not [*elsewhere.rglob("*")]


def test_a_link_inside_of_the_folder_is_followed(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "shared").mkdir(parents=True)
    (out / "phi").symlink_to(out / "shared")
    assert main(["migrate", str(source), "--output", str(out)]) == 0
    assert [*(out / "shared").rglob("*.cc")]
