"""What the lessons on the way from Fluid to PHI claim and their own questions don't show.

Each test names the lesson whose sentence it shows. Paddle is asked where it is installed, and g++ takes
every right answer and every file that a reader sees.
"""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.program import Program
from tests.samples.native import LANGUAGE, STANDARD_LIBRARY
from tests.samples.precompiled import precompiled
from visualizer.learning import lesson
from visualizer.learning.player import opened, options_of
from visualizer.workbench.bench import open_file
from visualizer.workbench.linking import load

SAMPLES = Path(__file__).parents[2] / "cpp_samples"
FLUID = SAMPLES / "fluid"
NUMBERS = ("06", "07", "08", "09")
LESSONS = {
    folder.name.partition("-")[0]: lesson.load(folder)
    for folder in lesson.folders()
    if folder.parent.name == "fluid" and folder.name.partition("-")[0] in NUMBERS
}
PADDLE = Path(os.environ.get("PADDLE_INCLUDE", "")) / "paddle"
needs_headers = pytest.mark.skipif(
    "PADDLE_INCLUDE" not in os.environ or not PADDLE.is_dir(),
    reason="PADDLE_INCLUDE names no folder with Paddle's headers",
)
MASK = {"X": np.array([1, 3])}


def program_of(number: str, *names: str) -> Program:
    """The lesson's files and the samples, in one program."""
    read, program = LESSONS[number], Program()
    for name in names:
        assert not open_file(read.file(name), options_of(read), program).diagnostics
    return program


# --- All of them ----------------------------------------------------------------------------------


@pytest.mark.compiler
@pytest.mark.parametrize("number", LESSONS)
def test_a_compiler_takes_all_files(number: str) -> None:
    if not shutil.which("g++"):
        pytest.skip("g++ is not on PATH")
    folder = LESSONS[number].folder
    files = [*folder.glob("*.cc"), *folder.glob("right/*.cc")]
    include = ["-I", str(SAMPLES / "phi"), "-I", str(FLUID)]
    library = precompiled("g++", *LANGUAGE, *STANDARD_LIBRARY, "-include", "unordered_set")
    command = ["g++", *library, "-Wall", "-fsyntax-only", *include]
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("number", LESSONS)
def test_nothing_on_the_screen_has_an_error(number: str) -> None:
    for path in LESSONS[number].folder.glob("*.cc"):
        assert not opened(LESSONS[number], path.name).diagnostics, path


# --- 6 Names that don't line up -------------------------------------------------------------------


def test_06_the_error_is_as_it_is_quoted() -> None:
    program = program_of("06", "sequence_mask_op.cc", "phi/sequence_mask_kernel.cc")
    with pytest.raises(OpError) as error:
        program.fluid.call_op("sequence_mask", MASK, {"maxlen": 4, "out_dtype": 3})
    (page,) = (p for p in LESSONS["06"].pages if p.title == "The error")
    quoted = next(p for p in page.parts if isinstance(p, str) and "```text" in p)
    hint = quoted.partition("```text\n")[2].partition("```")[0]
    assert " ".join(hint.split()) in " ".join(str(error.value).split())


def test_06_a_default_signature_leaves_out_more(tmp_path: Path) -> None:
    path = tmp_path / "op.cc"
    maker = (
        '    AddInput("A", "").AsExtra();\n    AddInput("B", "").AsQuant();\n'
        '    AddAttr<bool>("use_mkldnn", "").SetDefault(false);\n'
        '    AddAttr<bool>("use_cudnn", "").SetDefault(false);\n'
        '    AddAttr<int>("extra", "").SetDefault(0).AsExtra();\n'
    )
    text = LESSONS["06"].file("sequence_mask_op.cc").read_text()
    path.write_text(
        text.replace("  void Make() override {\n", f"  void Make() override {{\n{maker}")
    )
    program = Program()
    assert not open_file(path, options_of(LESSONS["06"]), program).diagnostics
    made = program.fluid.default_signature("sequence_mask")
    assert made is not None
    assert (made.input_names, made.attr_names) == (("X",), ("maxlen", "out_dtype"))


def test_06_an_input_that_is_not_optional_must_be_there() -> None:
    phi = load([FLUID / "trace_sig.cc", SAMPLES / "phi" / "trace_kernel.cc"]).phi
    with pytest.raises(OpError, match="the input Out@GRAD, which the call doesn't have"):
        phi.call_op("trace_grad", {"Input": np.eye(2)}, {"offset": 0, "axis1": 0, "axis2": 1})


@pytest.mark.paddle
@needs_headers
def test_06_a_list_of_numbers_is_an_int_array() -> None:
    assert (PADDLE / "phi/common/int_array.h").exists()
    assert not (PADDLE / "phi/common/scalar_array.h").exists()


@pytest.mark.paddle
@pytest.mark.parametrize(
    ("op", "inputs", "attrs"),
    [
        ("sequence_mask", MASK, {"maxlen": 4, "out_dtype": 3}),
        ("sequence_mask", {**MASK, "MaxLenTensor": np.array([5], "i4")}, {"out_dtype": 3}),
        ("trace", {"Input": np.eye(3)}, {"offset": 0, "axis1": 0, "axis2": 1}),
    ],
)
def test_06_signatures_are_paddles(op, inputs, attrs) -> None:
    paddle = pytest.importorskip("paddle")
    from paddle.base import core, framework

    ours = program_of("06", "sequence_mask_sig.cc", "fluid/between/trace_op.cc")
    mine = ours.phi.op_signature(
        op, inputs=inputs, attrs=attrs, default=ours.fluid.default_signature(op)
    )
    tensors = {
        name: [core.eager.Tensor(value=x, place=paddle.CPUPlace())] for name, x in inputs.items()
    }
    theirs = framework._dygraph_tracer()._get_kernel_signature(op, tensors, {}, attrs)
    assert list(map(tuple, theirs)) == [mine.input_names, mine.attr_names, mine.output_names]


# --- 7 From InferShape to InferMeta ---------------------------------------------------------------


def test_07_without_the_mapping_the_outputs_are_swapped() -> None:
    read = LESSONS["07"]
    x = DenseTensor(np.zeros((4, 1), "f4"), lod=((0, 1, 4),))
    found = []
    for names in (("solution.cc",), ("solution.cc", "huber_loss_sig.cc")):
        program = Program()
        for name in names:
            open_file(read.file(name), options_of(read), program)
        given = {"X": x, "Y": np.zeros((4, 1), "f4")}
        metas = program.fluid.infer_op("huber_loss", given, {"delta": 1.0})
        found.append([name for name, meta in metas.items() if meta.lod])
    assert found == [["Residual"], ["Out"]]


@pytest.mark.paddle
def test_07_the_trace_of_a_matrix_has_no_axes() -> None:
    paddle = pytest.importorskip("paddle")
    assert paddle.trace(paddle.eye(3)).shape == []


# --- 8 Outputs of another type --------------------------------------------------------------------


def test_08_max_index_is_an_int_whatever_the_row_says() -> None:
    phi = load([SAMPLES / "phi" / "sequence_pool_kernel.cc"]).phi
    x = DenseTensor(np.arange(6, dtype="f4").reshape(3, 2), lod=((0, 2, 3),))
    _, max_index = phi.call("sequence_pool", x, False, "MAX", 0.0)
    assert max_index.dtype == np.int32
    rows = {
        kernel.args_def.output_defs[1].dtype
        for kernel in phi.factory.kernels["sequence_pool"].values()
    }
    assert rows == {DataType.FLOAT32, DataType.FLOAT64}


# --- 9 Gradient kernels ---------------------------------------------------------------------------


@pytest.mark.paddle
@needs_headers
def test_09_a_mapping_spells_a_gradients_name() -> None:
    for header in ("op_utils.h", "arg_map_context.h"):
        assert "GradVarName" not in (PADDLE / "phi/core/compat" / header).read_text()
    declared = (PADDLE / "phi/kernels/trace_grad_kernel.h").read_text()
    assert declared.index("& x,") < declared.index("& out_grad,") < declared.index("* in_grad")


def test_09_the_names_of_the_exercise_are_those_of_the_kernel() -> None:
    text = (SAMPLES / "phi" / "sequence_pool_kernel.cc").read_text()
    kernel = text.partition("void SequencePoolGradKernel(")[2].partition(")")[0]
    shown = (LESSONS["09"].folder / "lesson.md").read_text()
    in_lesson = shown.rpartition("void SequencePoolGradKernel(")[2].partition(")")[0]
    assert kernel.split() == in_lesson.split()
