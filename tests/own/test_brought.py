"""Kernels of one's own: a file is brought in a process with limits, and its errors are at its lines."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from visualizer.cli import main
from visualizer.workbench.samples import samples_folder

HEADER = samples_folder() / "phi" / "kernel_registry.h"
CC = """
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void SwishKernel(const Context& dev_ctx, const DenseTensor& x, float beta, DenseTensor* out) {
  const T* from = x.data<T>();
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) {
    to[i] = from[i] / (static_cast<T>(1) + std::exp(-beta * from[i]));
  }
}
template <typename T, typename Context>
void PickKernel(const Context& dev_ctx, const DenseTensor& x,
                const std::vector<const DenseTensor*>& more,
                const paddle::optional<DenseTensor>& weight, const std::vector<int>& axes,
                DenseTensor* out) {}
}  // namespace phi
PD_REGISTER_KERNEL(swish, CPU, ALL_LAYOUT, phi::SwishKernel, float, double, phi::dtype::float16) {}
PD_REGISTER_KERNEL(pick, CPU, ALL_LAYOUT, phi::PickKernel, float, double) {}
"""
SWISH, PICK = (
    1 + CC[: CC.index(f"PD_REGISTER_KERNEL({name}")].count("\n") for name in ("swish", "pick")
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for header in HEADER.parent.glob("*.h"):
        (tmp_path / header.name).write_bytes(header.read_bytes())
    (tmp_path / "own.cc").write_text(CC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def told(capfd: pytest.CaptureFixture[str]):
    def run(*words: str) -> tuple[int, str, str]:
        try:
            code = main(list(words))
        except SystemExit as left:
            code = int(str(left.code))
        out, err = capfd.readouterr()
        return code, out, err

    return run


RUN = ("run", "swish", "--file", "own.cc", "--kernels", "swish_kernel.py", "--size", "40")


def written(folder: Path, told, was: str = "", becomes: str = "") -> None:
    """`unfold kernel new`, with something changed in it."""
    code, _, err = told("kernel", "new", f"own.cc:{SWISH}")
    assert (code, err) == (0, "")
    file = folder / "swish_kernel.py"
    text = file.read_text()
    assert was in text
    file.write_text(text.replace(was, becomes) if was else text)


def test_the_file_that_is_written_runs_and_is_what_the_body_says(folder: Path, told) -> None:
    written(folder, told)
    np.save("x.npy", np.array([-2.0, 0, 0.5, 3]))
    given = ("--input", "x=x.npy", "--attr", "beta=2", "--save", "out.npy", "--check")
    code, out, err = told(*RUN, *given)
    assert (code, err) == (0, "")
    assert "swish_kernel.py stands in for the body of phi::SwishKernel" in out
    x = np.load("x.npy")
    np.testing.assert_allclose(np.load("out.npy"), x / (1 + np.exp(-2 * x)), rtol=1e-12)
    code, out, _ = told(*RUN, "--dtype", "float16", "--check")
    assert (code, "float16[40]" in out) == (0, True)


def test_a_file_that_is_there_stays_as_it_is(folder: Path, told) -> None:
    (folder / "swish_kernel.py").write_text("mine")
    code, _, err = told("kernel", "new", f"own.cc:{SWISH}")
    assert (code, "stays as it is" in err) == (1, True)
    assert (folder / "swish_kernel.py").read_text() == "mine"


def test_what_is_not_seen_is_said_and_left_to_fill_in(folder: Path, told) -> None:
    code, out, _ = told("kernel", "new", f"own.cc:{PICK}")
    assert code == 0
    assert "to fill in: what it computes" in out
    text = (folder / "pick_kernel.py").read_text()
    assert "more: Tensors, weight: OptionalTensor, axes: list[int], out: Out" in " ".join(
        text.replace(",\n", ", ").split()
    )
    code, _, err = told("run", "pick", "--file", "own.cc", "--kernels", "pick_kernel.py")
    assert code == 1
    place, _, said = err.partition(" error: ")
    assert place.startswith("pick_kernel.py:")
    assert said == "NotImplementedError: say in NumPy what the kernel computes\n"
    compute = "for i in range(out.size):\n        out.flat[i] = x[i] + more[0][i] * axes[0]"
    text = text.replace("for i in range(out.size):\n        out.flat[i] = 0", compute)
    numpy = "return np.asarray(x, np.float64) + np.asarray(more[0], np.float64) * axes[0]"
    text = text.replace(
        'raise NotImplementedError("say in NumPy what the kernel computes")  # TODO', numpy
    )
    (folder / "pick_kernel.py").write_text(text)
    words = ("run", "pick", "--file", "own.cc", "--kernels", "pick_kernel.py", "--check")
    code, out, err = told(*words, "--size", "30", "--attr", "axes=[3]")
    assert (code, err, "NumPy       agrees" in out) == (0, "", True)


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_the_cpp_body_is_run_beside_it(folder: Path, told) -> None:
    written(folder, told)
    code, out, err = told(*RUN, "--body")
    assert (code, err) == (0, "")
    assert "Python      agrees\nNumPy       agrees\n" in out
    code, _, err = told(*RUN, "--body", "--sanitize")
    assert (code, "--sanitize watches the C++ body alone" in err) == (2, True)


WRONG_TEXT = {
    "syntax": ("def element(", "def element((", "35:13: Function parameters cannot be paren"),
    "annotation": ("beta: float, out", "beta: np.ndarray, out", "no parameter of a kernel is a"),
    "name": ("beta: float, out", "beta: Flaot, out", "name 'Flaot' is not defined"),
    "import": (
        "import numpy as np\n",
        "import numpy as np\nimport no_such\n",
        "12:1: ModuleNotFound",
    ),
    "leaves": (
        "import numpy as np\n",
        "import numpy as np\nraise SystemExit(3)\n",
        "12:1: SystemExit",
    ),
    "allocates": (
        "import numpy as np\n",
        "import numpy as np\nbytes(1 << 60)\n",
        "12:1: MemoryError",
    ),
    "none": ("KERNEL = KernelTemplate(", "KERNEL = dict(", "no KernelTemplate stands in it"),
}


@pytest.mark.parametrize("bug", WRONG_TEXT)
def test_a_file_that_cannot_be_brought_says_where(
    folder: Path, told, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from registry_runtime.kernels import brought

    monkeypatch.setattr(brought, "_brought", {})
    was, becomes, said = WRONG_TEXT[bug]
    written(folder, told, was, becomes)
    file = folder / "swish_kernel.py"
    with pytest.raises(brought.KernelFileError) as refused:
        brought.bring(file, file.read_bytes())
    assert str(refused.value).startswith(f"{file}:")
    assert said in str(refused.value)
    assert brought.names() == ()


BUGS = {
    "wrong": ("return x / (type(x)(1)", "return x / (type(x)(2)", "DISAGREES"),
    "untyped": ("np.exp((-beta) * x))\n\n\ndef constants", "x.nope)\n\n\ndef constants", "Numba"),
    "parameters": ("beta: float, out: Out", "out: Out", "and its Python kernel"),
    "prints": ("import numpy as np\n", "import numpy as np\nwhile True: print('x' * 9999)\n", "MB"),
    "crashes": (
        "import numpy as np\n",
        "import numpy as np\nimport ctypes\nctypes.string_at(0)\n",
        "swish_kernel.py:13: <module>: it crashed (SIGSEGV)",
    ),
    "shape": ("out.set_dims(x.dims)", "out.set_dims((*x.dims, 2))", "out is float32[40, 2]"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_is_one_sentence(folder: Path, told, bug: str) -> None:
    was, becomes, said = BUGS[bug]
    written(folder, told, was, becomes)
    code, out, err = told(*RUN, "--check")
    assert (code, said in out + err) == (1, True), out + err
    assert "Traceback" not in out + err
    if bug != "wrong":
        assert len(err.strip().splitlines()) == 1, err


def test_a_loop_without_end_ends(folder: Path, told) -> None:
    from visualizer.commands.apart import KernelFile, run_apart
    from visualizer.personal import consent

    was = "import numpy as np\n"
    written(folder, told, was, f"{was}def turn():\n    while True:\n        pass\nturn()\n")
    file = folder / "swish_kernel.py"
    allowed = KernelFile(file, consent.digest(file.read_bytes()))
    code = run_apart(list(RUN), [allowed], seconds=3)
    told_of = told("--version")
    assert code == 1
    said = r"swish_kernel\.py:1[3-5]: turn: it ran for 3 seconds, and was ended"
    assert re.search(said, told_of[2])


def test_a_file_beside_the_text_runs_only_at_the_users_word(folder: Path, told) -> None:
    from visualizer.personal import consent

    mark = folder / "ran"
    first = f"import numpy as np\nopen({str(mark)!r}, 'w').close()\n"
    written(folder, told, "import numpy as np\n", first)
    words = ("run", "swish", "--file", "own.cc", "--size", "9")
    code, _, err = told(*words)
    assert (code, mark.exists()) == (1, False)
    assert "lies beside it and isn't run: name it with --kernels" in err
    assert "`unfold kernel new FILE:LINE` writes one" in err
    told("kernels", "own.cc")
    told("steps", f"own.cc:{SWISH}")
    assert not mark.exists()
    file = folder / "swish_kernel.py"
    consent.give(consent.digest(file.read_bytes()), file, print)
    code, out, _ = told(*words)
    assert (code, mark.exists()) == (0, True)
    assert "swish_kernel.py stands in" in out
    mark.unlink()
    file.write_text(file.read_text() + "# changed\n")
    assert told(*words)[0] == 1
    assert not mark.exists()


def test_a_file_that_changes_after_it_was_allowed_does_not_run(folder: Path, told) -> None:
    from visualizer.commands.apart import KernelFile, run_apart

    written(folder, told)
    code = run_apart(list(RUN), [KernelFile(folder / "swish_kernel.py", "0" * 64)], seconds=60)
    assert code == 1
    assert "changed since it was allowed" in told("--version")[2]


def test_the_registry_and_the_benchmark_know_it(
    folder: Path, told, monkeypatch: pytest.MonkeyPatch
) -> None:
    from registry_runtime.kernels import brought
    from visualizer.commands import apart, bench

    written(folder, told)
    code, out, _ = told(
        "kernels", "own.cc", "--kernels", "swish_kernel.py", "--only", "swish", "--format", "json"
    )
    assert code == 0
    assert [entry["runnable"] for entry in json.loads(out)["swish"]] == [True] * 3
    given = ("--kernels", "swish_kernel.py", "--sizes", "100", "--seconds", "0.01")
    words = ("bench", "swish", *given, "--against", "numpy", "--format", "json")
    with monkeypatch.context() as patch:  # as in the process of its own, and without the samples
        patch.setattr(brought, "_brought", {})
        patch.setattr(apart, "is_apart", True)
        patch.setattr(bench, "registry_of", lambda registered: None)
        file = folder / "swish_kernel.py"
        brought.bring(file, file.read_bytes())
        code, out, _ = told(*words)
    assert code == 0
    (row,) = json.loads(out)["rows"]
    assert (row["kernel"], row["size"]) == ("swish", 100)
    file.write_text("1 / 0\n")
    code, _, err = told(*words)
    assert (code, err.startswith("swish_kernel.py:1:1: error: ZeroDivisionError")) == (1, True)


def test_the_text_alone_fills_the_registry(folder: Path, told) -> None:
    """A Python kernel gives a body, never an entry."""
    written(folder, told)
    (folder / "own.cc").write_text(
        CC.replace("PD_REGISTER_KERNEL(swish", "PD_REGISTER_KERNEL(other")
    )
    code, _, err = told(*RUN)
    assert (code, "no kernel named 'swish' is registered" in err) == (1, True)


def test_in_a_served_app_nothing_is_brought(
    folder: Path, told, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder, told)
    monkeypatch.setattr("visualizer.personal.consent.is_confined", lambda: True)
    code, _, err = told(*RUN)
    assert (code, "nothing that a visitor brings is compiled or run" in err) == (1, True)


@pytest.mark.compiler
def test_the_dims_of_an_element_wise_body_are_its_inputs(folder: Path, told) -> None:
    whole = CC.replace(
        "phi::SwishKernel, float, double, phi::dtype::float16", "phi::SwishKernel, float"
    )
    (folder / "own.cc").write_text(whole.replace("from[i] / (", "from[i] + from[i] / ("))
    words = ("run", "swish", "--file", "own.cc", "--body", "--input", "x=3x5", "--attr", "beta=2")
    code, out, err = told(*words)
    assert (code, err) == (0, "")
    assert "result      float32[3, 5]" in out
    (folder / "own.cc").write_text(whole.replace("i < x.numel()", "i < 4"))
    code, _, err = told(*words)
    assert (code, "--dims out=" in err) == (1, True)


def test_an_installed_package_brings_kernels_by_its_entry_points(folder: Path, told) -> None:
    written(folder, told)
    site = folder / "site"
    info = site / "their_kernels-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "their_kernels.py").write_bytes((folder / "swish_kernel.py").read_bytes())
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-kernels\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[unfold.kernels]\nphi::SwishKernel = their_kernels:KERNEL\nphi::AddKernel = no_such:THING\n"
    )
    (folder / "swish_kernel.py").unlink()
    program = (
        f"import sys; sys.path.append({str(site)!r}); from visualizer.cli import main; "
        "sys.exit(main(['run', 'swish', '--file', 'own.cc', '--size', '9', '--check']))"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "NumPy       agrees" in ended.stdout
    whose = "their-kernels, installed here, stands in for the body of phi::SwishKernel in C++"
    assert f"body        {whose}\n" in ended.stdout
