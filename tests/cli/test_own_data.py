"""`unfold run --input --attr --save`: data of one's own, for what each framework registers."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from visualizer.cli import main
from visualizer.workbench.samples import samples_folder

SAMPLES = samples_folder()
SOFTMAX = ("run", "softmax", "--file", str(SAMPLES / "phi" / "softmax_kernel.cc"))
BITWISE = ("run", "bitwise_and", "--file", str(SAMPLES / "phi" / "bitwise_kernel.cc"))
TRACE = ("run", "trace", "--file", str(SAMPLES / "fluid" / "trace_op.cc"))
X = np.array([[1.0, 2, 3], [0, -1, 5]])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", X)
    np.save("i.npy", np.array([12, 7], np.int32))
    np.savez("m.npz", x=X.astype(np.float32), y=np.array([1.0, 10, 100]))
    return tmp_path


def test_a_kernel_runs_on_a_file_and_its_result_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SOFTMAX, "--input", "x=a.npy", "--attr", "axis=0", "--save", "out.npy"]) == 0
    powers = np.exp(X)
    np.testing.assert_allclose(np.load("out.npy"), powers / powers.sum(0))
    told = capsys.readouterr().out
    assert "phi::SoftmaxKernel<double" in told  # the file says so
    assert told.endswith("\nsaved       out.npy\n")


def test_values_stand_before_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BITWISE, "--input", "x=i.npy", "--input", "y=[10, 3]", "--check"]) == 0
    told = capsys.readouterr().out
    assert "12 & 10 = 8" in told
    assert "7 & 3 = 3" in told
    assert told.index("12 & 10 = 8") < told.index("NumPy") < told.index("time ")


def test_standard_input_is_a_file_or_values(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for content in (Path("i.npy").read_bytes(), b"[12, 7]\n"):
        stdin = SimpleNamespace(buffer=io.BytesIO(content), isatty=lambda: False)
        monkeypatch.setattr("sys.stdin", stdin)
        words = ("--dtype", "int32", "--input", "x=-", "--input", "y=[10, 3]")
        assert main([*BITWISE, *words]) == 0
        assert "12 & 10 = 8" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-:x", "12 & 10 = 8"),
        ("-", "x: - holds several arrays: write -:NAME, of y, x"),
        ("-:z", "x: - has no array 'z': write -:NAME, of y, x"),
    ],
)
def test_of_an_archive_on_standard_input_one_array_is_named(
    words: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = io.BytesIO()
    np.savez(archive, y=np.zeros(2), x=np.array([12, 7], np.int32))
    archive.seek(0)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=archive, isatty=lambda: False))
    code = main([*BITWISE, "--input", f"x={words}", "--input", "y=[10, 3]"])
    told = capsys.readouterr()
    assert (code, said in (told.err if code else told.out)) == (int(words != "-:x"), True)


def test_an_operator_of_pytorch_takes_the_same_words(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--input", "self=a.npy", "--input", "other=m.npz:y", "--attr", "alpha=2")
    assert main(["run", "aten::add.Tensor", *words, "--save", "out.npz", "--check"]) == 0
    with np.load("out.npz") as saved:
        np.testing.assert_array_equal(saved["out"], X + 2 * np.array([1.0, 10, 100]))


def test_an_operator_of_fluid_takes_them_by_its_own_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("--input", "Input=a.npy", "--attr", "offset=1", "--save", "out.npy")
    assert main([*TRACE, *words, "--check"]) == 0
    assert np.load("out.npy").item() == np.trace(X, 1)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((*BITWISE, "--input", "x=a.npy"), 1, "is not registered for float64; it is for bool"),
        (
            (*SOFTMAX, "--dtype", "float32", "--input", "x=a.npy"),
            1,
            "x: a.npy holds float64, and this kernel takes float32",
        ),
        ((*BITWISE, "--input", "z=i.npy"), 1, "has no input 'z'; it takes x, y"),
        ((*SOFTMAX, "--attr", "axes=1"), 1, "has no attribute 'axes'; did you mean axis?"),
        ((*SOFTMAX, "--input", "axis=1"), 1, "axis is no input of phi::SoftmaxKernel"),
        ((*SOFTMAX, "--attr", "axis=one"), 1, "axis: 'one' is no number"),
        ((*SOFTMAX, "--input", "x=nowhere.npy"), 1, "x: cannot read nowhere.npy: No such file"),
        ((*SOFTMAX, "--input", "x=data.csv"), 1, "x: 'data.csv' is no shape"),
        ((*SOFTMAX, "--input", "a.npy"), 2, "names nothing: write NAME=VALUE"),
        ((*SOFTMAX, "--attr", "axis=0", "--attr", "axis=1"), 2, "--attr axis is given twice"),
        ((*SOFTMAX, "--save", "out.txt"), 2, "results are saved as .npy or .npz"),
        ((*SOFTMAX, "--save", "no/out.npy"), 2, "no is no folder to write into"),
        ((*SOFTMAX, "--asm", "--input", "x=a.npy"), 2, "show code, which no --input changes"),
        ((*BITWISE, "--input", "x=-", "--input", "y=-"), 2, "standard input can be read once"),
        (("run", "aten::add.Tensor", "--input", "x=a.npy"), 1, "it takes self, other"),
        (
            ("run", "aten::add.Tensor", "--dtype", "float32", "--input", "self=a.npy"),
            1,
            "self: a.npy holds float64, not float32",
        ),
        (("run", "add_stub", "--input", "self=a.npy"), 2, "run its operator with --input"),
        ((*TRACE, "--input", "input=a.npy"), 1, "has no input 'input'; did you mean Input?"),
    ],
)
def test_what_cannot_be_given_is_said_in_a_sentence(
    words: tuple[str, ...], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        ended = main(list(words))
    except SystemExit as left:
        ended = left.code
    assert (ended, said in " ".join(capsys.readouterr().err.split())) == (code, True)
