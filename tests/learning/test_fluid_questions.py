"""What is asked about Fluid's half of an operator, and what is said where there is no answer."""

import shutil
import subprocess
from pathlib import Path

import pytest

from visualizer.frameworks.answers import Unanswerable
from visualizer.learning import places, questions
from visualizer.learning.parts import Go
from visualizer.workbench.bench import Workbench, open_file

FLUID = Path(__file__).parents[2] / "cpp_samples" / "fluid"
LESSONS = Path(__file__).parents[2] / "lessons" / "fluid"


@pytest.fixture(scope="module")
def trace() -> Workbench:
    return open_file(FLUID / "trace_op.cc")


def answer(bench: Workbench, question: str, macro: str | None = None) -> str:
    assert questions.unknown(question) == ""
    return questions.answer(question, bench, places.find(bench, Go(macro=macro)))


@pytest.mark.parametrize(
    ("question", "truth"),
    [
        ("reads trace outputs", "Out"),
        ("reads trace_grad inputs", "Out@GRAD"),
        ("reads trace_grad attributes", "offset, axis1, axis2"),
        ("lists trace attributes", "offset, axis1, axis2"),
        ("listing trace axis2", "int axis2 = 1"),
        ("warning", "none"),
        ("pieces", "12"),
        ('migrated context.Attr<int>("axis1")', "axis1"),
        ('lands void InferShape', "phi/infermeta/unary.cc"),
        ("op-key trace Input=int64[2,2]", "{data_type[int64_t]; data_layout[Undefined(AnyLayout)]; "
         "place[Place(cpu)]; library_type[PLAIN]}"),
    ],
)  # fmt: skip
def test_what_the_engine_answers(trace: Workbench, question: str, truth: str) -> None:
    assert answer(trace, question) == truth


def test_who_computes_is_who_really_ran(trace: Workbench) -> None:
    call = "computed-by trace Input=float32[3,3]"
    assert answer(trace, call) == "paddle::operators::TraceKernel<CPUContext, float>"
    moved = f"beside fluid/after/trace_kernel.cc {call}"
    assert answer(trace, moved) == "phi::TraceKernel<float, CPUContext>"
    assert answer(trace, "computed-by trace Input=int16[3,3]").startswith(
        "Operator (trace) does not have kernel for {data_type[int16_t]"
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("reads scale inputs", "Fluid has no kernel of scale here"),
        ("reads trace names", "there are inputs, outputs, attributes, and no names"),
        ("lists trace_grad inputs", "no maker is registered for trace_grad"),
        ("listing trace axis3", "the maker of trace lists no axis3"),
        ("migrated int nothing_of_this", "nothing that the migration changes"),
    ],
)
def test_where_there_is_no_answer(trace: Workbench, question: str, said: str) -> None:
    with pytest.raises(Unanswerable, match=said):
        answer(trace, question)


def test_a_line_without_kernels_has_no_key(trace: Workbench) -> None:
    with pytest.raises(Unanswerable, match="registers no kernel of Fluid's"):
        answer(trace, "phi-key", "REGISTER_OPERATOR")
    assert answer(trace, "phi-key", "REGISTER_OP_CPU_KERNEL").startswith("(CPU, ")


def test_a_question_that_is_none() -> None:
    assert "takes 2 words" in questions.unknown("reads trace")
    assert "takes a file" in questions.unknown("beside trace_op.cc build-writes")


# cmake/operators.cmake of Paddle: its `find_register`, with what `op_library` does of the result.
_SEARCH = r"""
file(READ "{file}" CONTENT)
foreach(MACRO REGISTER_OPERATOR REGISTER_OP_CPU_KERNEL REGISTER_OP_CUDA_KERNEL)
  string(REGEX MATCH "${{MACRO}}\\([ \t\r\n]*[a-z0-9_]*," FOUND "${{CONTENT}}")
  if(NOT FOUND STREQUAL "")
    string(REPLACE "${{MACRO}}(" "" FOUND "${{FOUND}}")
    string(REGEX REPLACE "[, \t\r\n]+" "" FOUND "${{FOUND}}")
    message("${{MACRO}} ${{FOUND}}")
  endif()
endforeach()
"""
_USE = {
    "REGISTER_OPERATOR": "USE_OP_ITSELF({});",
    "REGISTER_OP_CPU_KERNEL": "USE_OP_DEVICE_KERNEL({}, CPU);",
    "REGISTER_OP_CUDA_KERNEL": "USE_OP_DEVICE_KERNEL({}, CUDA);",
}


@pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not on PATH")
@pytest.mark.parametrize(
    "file",
    [
        FLUID / "trace_op.cc",
        FLUID / "trace_op.cu.cc",
        FLUID / "between" / "trace_op.cc",
        *sorted((LESSONS / "10-deleting-the-old-one").glob("*_op.cc")),
        *sorted((LESSONS / "10-deleting-the-old-one").glob("*/*.cc")),
    ],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_the_build_finds_what_cmake_finds(file: Path, tmp_path: Path) -> None:
    script = tmp_path / "search.cmake"
    script.write_text(_SEARCH.format(file=file))
    done = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
    found = [line.split() for line in done.stderr.splitlines()]
    expected = " ".join(_USE[macro].format(name) for macro, name in found) or "nothing"
    folders = (str(FLUID), str(FLUID.parent / "phi"))
    from visualizer.expansion import Options

    bench = open_file(file, Options(include_folders=folders))
    assert questions.answer("build-writes", bench, places.Place(0, 0)) == expected
