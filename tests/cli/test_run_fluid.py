"""`unfold run` of an operator of Fluid's: by its own kernel, by PHI's, and refused in a sentence."""

from __future__ import annotations

import pytest

from visualizer.cli import main
from visualizer.workbench.samples import samples_folder

FLUID = samples_folder() / "fluid"
BEFORE = ("--file", str(FLUID / "trace_op.cc"))
BETWEEN = tuple(
    word
    for name in ("between/trace_op.cc", "trace_sig.cc", "after/trace_kernel.cc")
    for word in ("--file", str(FLUID / name))
)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]):
    """Runs a command line: its exit code, what it printed, what it complained about."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.mark.parametrize(
    ("files", "ran"),
    [
        (BEFORE, "paddle::operators::TraceGradKernel<phi::CPUContext, double> reads its"),
        (BETWEEN, "phi::TraceGradKernel<double, phi::CPUContext> gets its arguments in order"),
    ],
)
def test_each_step_is_told_and_numpy_agrees(told, files: tuple[str, ...], ran: str) -> None:
    words = ("--dtype", "float64", "--size", "100", "--check")
    code, out, _ = told("run", "trace_grad", *files, *words)
    assert code == 0
    assert f"launch      {ran}" in out
    assert "InferShape finds the dims: Input@GRAD [10, 10]" in out
    told_last = [line.split(" ")[0] for line in out.splitlines()[-3:]]
    assert told_last == ["values", "NumPy", "time"]  # what came of it, then how fast
    assert "NumPy       agrees" in out


def test_the_story_alone(told) -> None:
    code, out, _ = told("run", "trace", *BETWEEN, "--explain", "--size", "9")
    assert code == 0
    assert out.splitlines()[1] == (
        "2. Kernel Signature - name: trace; inputs: Input; attributes: offset, axis1, axis2; "
        "outputs: Out"
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("trace", *BETWEEN[:2]), 1, "There are no kernels which are registered in the trace"),
        (("trac", *BEFORE), 1, "Operator (trac) is not registered. (did you mean `trace`?)"),
        (("trace", *BEFORE, "--dtype", "bool"), 1, "trace is not registered for bool; it is for"),
        (("trace", *BEFORE, "--backend", "GPU"), 2, "leave out --backend"),
        (("trace", *BEFORE, "--load", "CustomCPU"), 2, "--load are for PHI's kernels"),
    ],
)
def test_what_cannot_be(told, words: tuple[str, ...], code: int, said: str) -> None:
    done, out, error = told("run", *words)
    assert (done, out) == (code, "")
    assert said in error
    assert "Traceback" not in error


def test_without_a_file_of_fluids_it_is_phis_kernel(told) -> None:
    code, out, _ = told("run", "trace", "--size", "100", "--check")
    assert code == 0
    assert out.startswith("kernel      phi::TraceKernel<float, phi::CPUContext>")
