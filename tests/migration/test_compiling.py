"""`--compile`: what was written before the machine's compiler, with a Paddle of next to nothing."""

import os
import shutil
from pathlib import Path

import pytest

from tests.migration.operator_text import SHAPES, body_of, migrated, operator_text, piece
from visualizer.cli import main
from visualizer.migration import migrate

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not on PATH"),
]

PADDLE = """\
#pragma once
namespace phi {
struct DenseTensor { int numel() const; };
struct CPUContext { template <typename T> T* Alloc(DenseTensor* out) const; };
struct MetaTensor { int dims() const; int dtype() const; void set_dims(int); void set_dtype(int);
                    void share_lod(const MetaTensor&); };
struct MetaConfig { bool is_runtime = true; };
namespace dtype { struct float16 {}; }
}
#define PD_REGISTER_KERNEL(name, backend, layout, function, ...) void register_##name()
"""
HEADERS = (
    *("paddle/phi/core/dense_tensor.h", "paddle/phi/core/kernel_registry.h"),
    *("paddle/phi/core/meta_tensor.h", "paddle/phi/backends/cpu/cpu_context.h"),
)


@pytest.fixture
def paddle(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    for name in HEADERS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('#include "paddle/all.h"\n')
    (folder / "paddle/all.h").write_text(PADDLE)
    return folder


def told(
    folder: Path, paddle: Path, body: str, capsys: pytest.CaptureFixture[str], *words: str
) -> list[str]:
    """The lines that the command prints of an operator with this body."""
    return told_of(folder, paddle, operator_text(body), capsys, *words)


def told_of(
    folder: Path, paddle: Path, text: str, capsys: pytest.CaptureFixture[str], *words: str
) -> list[str]:
    """The same of a whole operator."""
    text = text.replace('"op_registry.h"', '"paddle/fluid/framework/op_registry.h"')
    path = folder / "test_op.cc"
    path.write_text(text)
    main(["migrate", str(path), "--compile", f"--paddle={paddle}", *words])
    return capsys.readouterr().out.splitlines()


def verdict(lines: list[str], path: str) -> str:
    """What is said behind a file's number of lines."""
    (line,) = [each for each in lines if path in each and " lines" in each]
    return line.partition(" lines, ")[2]


def test_what_the_compiler_takes_is_compiled(
    tmp_path: Path, paddle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = 'auto* out = ctx.Output<Tensor>("Out");\nout->mutable_data<T>(ctx.GetPlace());'
    lines = told(tmp_path, paddle, body, capsys, "--check")
    assert verdict(lines, "cpu/scale_kernel.cc") == "compiled"


NVCC = """\
#!/bin/sh
for file; do :; done
case "$*" in *-DPADDLE_WITH_CUDA*) ;; *) exit 3 ;; esac
line=$(grep -n unheard_of "$file" | cut -d: -f1)
[ -z "$line" ] && exit 0
echo "$file($line): error: identifier \\"unheard_of\\" is undefined" >&2
echo "1 error detected in the compilation of \\"$file\\"." >&2
exit 1
"""


@pytest.mark.parametrize("word", ["unheard_of", "x"])
def test_what_is_for_a_gpu_is_compiled_where_cudas_compiler_is(
    word: str,
    tmp_path: Path,
    paddle: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/nvcc").write_text(NVCC)
    (tmp_path / "bin/nvcc").chmod(0o755)
    text = operator_text(f"int {word} = 1;")
    text = text.replace("OP_CPU_KERNEL", "OP_CUDA_KERNEL").replace("plat::CPUD", "plat::CUDAD")
    without = told_of(tmp_path, paddle, text, capsys, "--check")
    if shutil.which("nvcc") is None:
        assert "no nvcc is on PATH" in verdict(without, "gpu/scale_kernel.cu")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    lines = told_of(tmp_path, paddle, text, capsys, "--check")
    if word == "x":
        assert verdict(lines, "gpu/scale_kernel.cu") == "compiled"
    else:
        said = 'the compiler: identifier "unheard_of" is undefined  (paddle/phi/kernels/gpu/'
        assert any(said in line for line in lines)


def test_what_it_refuses_is_for_a_person_at_its_line(
    tmp_path: Path, paddle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = told(tmp_path, paddle, "int a = 1;\nunheard_of(a);", capsys, "--check")
    assert verdict(lines, "cpu/scale_kernel.cc") == "refused by the compiler, 1 error"
    (line,) = [each for each in lines if "left to you: " in each]
    assert "the compiler: " in line
    assert "'unheard_of'" in line
    # A form feed ends no line.
    lines = told(tmp_path, paddle, "int a = 1;\n\f\nunheard_of(a);", capsys, "--format", "text")
    at = next(i for i, line in enumerate(lines) if "unheard_of(a);" in line)
    assert lines[at - 1].startswith("// TODO(migrate): the compiler: ")
    assert "'unheard_of'" in lines[at - 1]


def test_a_header_that_is_not_there_is_no_error_of_the_file(
    tmp_path: Path, paddle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (paddle / "paddle/phi/backends/cpu/cpu_context.h").write_text("#include <Eigen/Core>\n")
    lines = told(tmp_path, paddle, "", capsys, "--check")
    said = verdict(lines, "cpu/scale_kernel.cc")
    assert said == "not compiled: Eigen/Core isn't found (-I DIR names its folder)"


HELPED = '    ctx->SetOutputDim("Out", Twice(ctx->GetInputDim("X")));\n'


def test_what_infer_shape_calls_comes_along(
    tmp_path: Path, paddle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    helper = "int Twice(int dims) { return 2 * dims; }\n\n"
    text = operator_text("", shapes=HELPED, before=helper)
    lines = told_of(tmp_path, paddle, text, capsys, "--check")
    assert verdict(lines, "infermeta/unary.cc") == "compiled"
    found = migrate(tmp_path / "test_op.cc")
    assert "inline int Twice(int dims) {" in piece(found, "funcs/twice.h")
    assert "Twice" not in piece(found, "operators/test_op.cc")


def test_a_member_of_the_operators_class_comes_along(
    tmp_path: Path, paddle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    member = "  static int Twice(int dims) {\n    return 2 * dims;\n  }\n\n  void InferShape("
    text = operator_text('TestOp::Twice(ctx.Attr<int>("axis"));', shapes=HELPED)
    text = text.replace("  void InferShape(", member)
    lines = told_of(tmp_path, paddle, text, capsys, "--check")
    assert verdict(lines, "infermeta/unary.cc") == "compiled"
    assert verdict(lines, "cpu/scale_kernel.cc") == "compiled"
    found = migrate(tmp_path / "test_op.cc")
    assert "\nstatic int Twice(int dims) {\n  return 2 * dims;\n}\n" in piece(found, "twice.h")
    assert body_of(piece(found, "cpu/scale_kernel.cc")) == "Twice(axis);"


def test_what_the_rest_of_the_operator_calls_stays_as_well(tmp_path: Path) -> None:
    helper = "int Twice(int dims) { return 2 * dims; }\n\n"
    text = operator_text("Twice(1);", before=helper)
    text = text.replace('AddComment("");', 'AddComment("");\n    Twice(2);')
    found = migrated(tmp_path, text)
    assert "int Twice(int dims) {" in piece(found, "cpu/scale_kernel.cc")
    assert "int Twice(int dims) {" in piece(found, "test_op.cc")


def test_exits_1_while_anything_is_left_and_says_each_word(
    tmp_path: Path, paddle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, flags = tmp_path / "test_op.cc", ["--check", "--compile", f"--paddle={paddle}"]
    body = 'ctx.Output<Tensor>("Out")->mutable_data<T>(ctx.GetPlace());'
    for more, code, counts in (
        ("", 0, "0 guesses, 0 left to you"),
        ("unheard_of();", 1, "0 guesses, 1 left to you"),
    ):
        path.write_text(
            operator_text(body + more).replace("op_registry", "paddle/fluid/framework/op_registry")
        )
        assert main(["migrate", str(path), *flags]) == code
        assert capsys.readouterr().out.splitlines()[-1].endswith(counts)


def test_the_samples_headers_are_asked_for_what_includes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "test_op.cc"
    path.write_text(operator_text('ctx.Output<Tensor>("Out")->mutable_data<T>(ctx.GetPlace());'))
    assert main(["migrate", str(path), "--check"]) == 0
    assert verdict(capsys.readouterr().out.splitlines(), "cpu/scale_kernel.cc") == "compiled"
    assert main(["migrate", str(path), "--check", "--no-compile"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == "not compiled: --no-compile"


def test_what_is_added_to_a_header_of_paddles_does_not_hide_it(
    tmp_path: Path, paddle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = paddle / "paddle/phi/infermeta/unary.h"
    theirs.parent.mkdir(parents=True)
    theirs.write_text('#pragma once\n#include "paddle/all.h"\nnamespace phi { void Theirs(); }\n')
    text = operator_text("Theirs();", shapes=SHAPES + "    ctx->IsRuntime();\n")
    text = text.replace(
        '#include "op_registry.h"',
        '#include "op_registry.h"\n#include "paddle/phi/infermeta/unary.h"',
    )
    lines = told_of(tmp_path, paddle, text, capsys, "--check")
    assert verdict(lines, "cpu/scale_kernel.cc") == "compiled"
