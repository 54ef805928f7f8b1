"""trace, whole: the pieces, what they register, and what a C++ compiler says of them."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.program import Program
from tests.migration.operator_text import piece
from visualizer.cli import main
from visualizer.expansion import Options
from visualizer.migration import Migration, migrate
from visualizer.migration.writing import write
from visualizer.workbench.bench import open_file

SAMPLES = Path(__file__).parents[2] / "cpp_samples"
FOLDERS = (str(SAMPLES / "phi"), str(SAMPLES / "fluid"))
STANDARD = ("vector", "string", "type_traits", "cstdint", "unordered_set")
AXES = {"offset": 0, "axis1": 0, "axis2": 1}
X = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture(scope="module")
def trace() -> Migration:
    return migrate(SAMPLES / "fluid" / "trace_op.cc")


@pytest.fixture(scope="module")
def folder(trace: Migration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("phi")
    write(trace, place)
    return place


@pytest.fixture(scope="module")
def program(folder: Path) -> Program:
    """What the pieces register, and no other file."""
    program = Program()
    options = Options(include_folders=FOLDERS)
    files = ["trace_kernel.cc", "trace_grad_kernel.cc", "trace_sig.cc"]
    for path in [found for name in files for found in folder.rglob(name)]:
        bench = open_file(path, options, program)
        assert not bench.diagnostics, bench.diagnostics
    return program


def test_each_piece_has_its_place(trace: Migration) -> None:
    assert [p.path for p in trace.pieces] == [
        "phi/kernels/trace_kernel.h",
        "phi/kernels/impl/trace_kernel_impl.h",
        "phi/kernels/cpu/trace_kernel.cc",
        "phi/kernels/gpu/trace_kernel.cu.cc",
        "phi/kernels/trace_grad_kernel.h",
        "phi/kernels/impl/trace_grad_kernel_impl.h",
        "phi/kernels/cpu/trace_grad_kernel.cc",
        "phi/kernels/gpu/trace_grad_kernel.cu.cc",
        "phi/ops/compat/trace_sig.cc",
        "phi/infermeta/unary.h",
        "phi/infermeta/unary.cc",
        "fluid/operators/trace_op.cc",
    ]
    assert {p.name for p in trace.superseded} == {"trace_op.h", "trace_op.cu.cc"}


def test_nothing_is_left_for_a_person(trace: Migration) -> None:
    assert trace.left == ()
    assert not any("TODO(migrate)" in p.text for p in trace.pieces)


def test_only_the_gradient_needs_a_mapping(trace: Migration) -> None:
    mapping = piece(trace, "trace_sig.cc")
    assert '{"Input", "Out@GRAD"}' in mapping
    assert "PD_REGISTER_ARG_MAPPING_FN(trace_grad," in mapping
    assert "PD_REGISTER_ARG_MAPPING_FN(trace," not in mapping


def test_what_stays_in_fluid_has_no_kernels_left(trace: Migration) -> None:
    left = piece(trace, "trace_op.cc")
    assert "OpKernel<" not in left
    assert "REGISTER_OP_CPU_KERNEL" not in left  # a comment would be found by Paddle's build, too
    assert "InferShape(framework" not in left
    assert "PD_INFER_META(phi::TraceInferMeta)" in left
    assert "PD_INFER_META(phi::UnchangedInferMeta)" in left


def test_each_mark_spells_its_two_places(trace: Migration) -> None:
    assert len(trace.marks) > 50
    for mark in trace.marks:
        old = trace.old[mark.old.file].text
        assert old[mark.old.span.start : mark.old.span.end] == mark.idiom
        if mark.new is not None:
            new = trace.pieces[mark.new.file].text
            assert new[mark.new.span.start : mark.new.span.end] == mark.becomes


def test_a_read_is_tied_to_its_parameter(trace: Migration) -> None:
    (mark,) = [m for m in trace.marks if m.idiom.startswith("auto* d_out")]
    assert (mark.rule.key, mark.becomes) == ("input", "const DenseTensor& out_grad")


def test_the_kernels_register_with_the_old_types(program: Program) -> None:
    for name in ("trace", "trace_grad"):
        keys = {str(k) for k in program.phi.factory.kernels[name]}
        dtypes = ["float32", "float64", "int32", "int64", "float16", "complex64", "complex128"]
        assert keys == {f"(CPU, Undefined(AnyLayout), {dtype})" for dtype in dtypes}


def test_the_migrated_operator_runs(program: Program) -> None:
    np.testing.assert_array_equal(program.phi.call("trace", X, 0, 0, 1), np.trace(X))
    grad = program.phi.call_op("trace_grad", {"Input": X, "Out@GRAD": np.float32(2)}, AXES)[
        "Input@GRAD"
    ]
    np.testing.assert_array_equal(grad, 2 * np.eye(3, 4, dtype=np.float32))


def test_fluid_gets_the_same_from_the_new_kernels_as_from_the_old(folder: Path) -> None:
    old, new = Program(), Program()
    options = Options(include_folders=FOLDERS)
    open_file(SAMPLES / "fluid" / "trace_op.cc", options, old)
    for path in folder.rglob("*.cc"):
        if not path.name.endswith(".cu.cc"):
            assert not open_file(path, options, new).diagnostics
    assert [len(program.fluid.op_kernels) for program in (old, new)] == [2, 0]
    axes = {"offset": 1, "axis1": 1, "axis2": 0}
    gradients = [
        program.fluid.call_gradient("trace", {"Input": X}, {"Out": np.float32(2)}, axes)
        for program in (old, new)
    ]
    np.testing.assert_array_equal(gradients[0]["Input@GRAD"], gradients[1]["Input@GRAD"])
    (step,) = [
        s for s in new.fluid.explain_op("trace", {"Input": X}, axes).steps if s.kind == "shapes"
    ]
    assert "TraceInferShapeFunctor" in step.sentence
    made = [program.fluid.call_op("trace", {"Input": X}, axes)["Out"] for program in (old, new)]
    np.testing.assert_array_equal(np.ravel(made[0]), np.ravel(made[1]))
    np.testing.assert_array_equal(np.ravel(made[1]), np.trace(X, 1, 1, 0).ravel())


def test_the_report_as_json(trace: Migration, capsys: pytest.CaptureFixture[str]) -> None:
    path = SAMPLES / "fluid" / "trace_op.cc"
    assert main(["migrate", str(path), "--check", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [p["path"] for p in told["pieces"]] == [p.path for p in trace.pieces]
    assert len(told["marks"]) == len(trace.marks)
    (allocation,) = [m for m in told["marks"] if m["idiom"].startswith("d_x->mutable_data")]
    assert allocation["becomes"] == "dev_ctx.template Alloc<T>(input_grad)"
    assert (allocation["section"], allocation["in_a_table"]) == ("3.2.3", True)
    lines = (SAMPLES / "fluid" / "trace_op.h").read_text().split("\n")
    assert lines[allocation["line"] - 1][allocation["column"] - 1 :].startswith("d_x->mutable")


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_compiler_accepts_the_kernels_and_the_operator(compiler: str, folder: Path) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not on PATH")
    flags = [f for name in FOLDERS for f in ("-I", name)]
    flags += [f for name in STANDARD for f in ("-include", name)]
    left_out = ("unary.cc", ".cu.cc")  # to the samples MetaTensor is only a name
    files = [p for p in folder.rglob("*.cc") if not p.name.endswith(left_out)]
    assert len(files) == 4
    command = [compiler, "-std=c++17", "-fsyntax-only", *flags, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
