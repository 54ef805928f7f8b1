"""`unfold bench`, run for a hundredth of a second a row."""

import json
import signal
import subprocess
import sys
import time

import pytest

from tests.waiting import PATIENCE
from visualizer.cli import main
from visualizer.commands import bench as command
from visualizer.commands import bench_files
from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi"
QUICK = ["--sizes", "1,1000", "--seconds", "0.01", "--against", "numpy"]


@pytest.fixture(autouse=True)
def _one_sample(monkeypatch):
    """One sample registers enough, and the variables that are set must not outlive the test."""
    for module in (command, bench_files):
        monkeypatch.setattr(
            module, "sample_files", lambda of: [samples_folder() / of / "bitwise_kernel.cc"]
        )
    bench_files.registered_by.cache_clear()
    monkeypatch.setattr(command.threads, "announce", lambda threads: None)


def test_json_has_the_rows_and_the_mean(capsys, tmp_path):
    saved = tmp_path / "first.json"
    assert main(["bench", "bitwise_and", *QUICK, "--format", "json", "--save", str(saved)]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert [(r["kernel"], r["size"]) for r in document["rows"]] == [
        ("bitwise_and", 1),
        ("bitwise_and", 1000),
    ]
    ratios = [r["peers"]["numpy"]["ratio"] for r in document["rows"]]
    assert document["geomean"] == pytest.approx((ratios[0] * ratios[1]) ** 0.5)
    assert document["complete"]
    assert [c["size"] for c in document["calls"]] == [1, 1000]
    parts = ("selecting", "allocating", "launching", "computing")
    assert all(c[part] >= 0 for c in document["calls"] for part in parts)  # 0 where all is noise
    assert err == ""
    assert json.loads(saved.read_text()) == document

    # With nothing named, what the earlier run has is measured again.
    assert main(["bench", "--seconds", "0.01", "--against", "numpy", "--compare", str(saved)]) == 0
    table = capsys.readouterr().out
    assert "A call through the registry" in table
    since = table[table.index("Since the earlier run") :]
    rows = [line.split() for line in since.splitlines()[2:]]
    assert [row[:-6] for row in rows] == [["bitwise_and", "int32", "1"], ["1,000"]]


def test_of_what_is_named_only_the_rest_is_taken_from_the_earlier_run(capsys, tmp_path):
    saved = tmp_path / "first.json"
    words = ["bench", "--seconds", "0.01", "--against", "numpy"]
    assert main([*words, "add", "softmax", "--sizes", "3", "--save", str(saved)]) == 0
    for named, measured in (
        (["softmax"], [("softmax", 3)]),
        (["softmax", "relu", "--sizes", "4"], [("softmax", 4), ("relu", 4)]),
    ):
        capsys.readouterr()
        assert main([*words, *named, "--compare", str(saved), "--format", "json"]) == 0
        rows = json.loads(capsys.readouterr().out)["rows"]
        assert [(row["kernel"], row["size"]) for row in rows] == measured


def test_builds_are_timed_cold_and_cached(capsys):
    words = ["bench", "bitwise_not", "--sizes", "1", "--seconds", "0.01", "--against", "numpy"]
    assert main([*words, "--builds", "--plot", "--dtypes", "int8", "--format", "json"]) == 0
    (build,) = json.loads(capsys.readouterr().out)["builds"]
    assert build["dtype"] == "int8"
    assert 0 < build["cached"] < build["cold"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["bitwise_an"], 1, "did you mean bitwise_and?"),
        (["zzz"], 1, "written in Python; `unfold kernels` lists what runs\n"),
        (["--against", "jax"], 2, "'jax' is nobody to compare with"),
        (["--sizes", "0"], 2, "sizes begin at 1"),
        (["--sizes", "-5"], 2, "not a number of elements"),
        (["--sizes", ","], 2, "nothing is named"),
        (["bitwise_and", "--sizes", "1e14"], 1, "take a smaller size"),
        (["bitwise_and", "--dtypes", "float32"], 1, "has no float32"),
        (["--threads", "0"], 2, "not a number of threads"),
        (["--seconds", "nan"], 2, "not a number of seconds"),
        (["bitwise_and", "--compare", "/nowhere/x.json"], 1, "cannot read /nowhere/x.json"),
        (["bitwise_and", "--save", "/nowhere/x.json"], 1, "cannot write /nowhere/x.json"),
    ],
)
def test_bad_input_is_answered(capsys, words, code, says):
    try:
        got = main(["bench", *words])
    except SystemExit as stopped:
        got = stopped.code
    out, err = capsys.readouterr()
    assert (got, out) == (code, "")
    assert err.startswith("unfold: error: ")
    assert says in err


OWN = """\
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void BitwiseNotKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  out->Resize(x.dims());
  T* to = dev_ctx.template Alloc<T>(out);
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = ~x.data<T>()[i];
}
template <typename T, typename Context>
void MineKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}
"""
REGISTERED = {
    name: f"PD_REGISTER_KERNEL({name}, CPU, ALL_LAYOUT, phi::{of}, int) {{}}\n"
    for name, of in (("bitwise_not", "BitwiseNotKernel"), ("mine", "MineKernel"))
}


@pytest.mark.compiler
def test_a_file_s_own_body_is_timed_beside_python(capsys, tmp_path):
    """Named or not: what the file registers, and what there is Python of."""
    file = tmp_path / "own.cc"
    file.write_text(OWN + "".join(REGISTERED.values()))
    words = ["--file", str(file), "-I", str(PHI), "--body", "--seconds", "0.01", "--sizes", "10"]
    assert main(["bench", *words, "--against", "numpy", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["kernel"], row["dtype"]) == ("bitwise_not", "int32")
    assert set(row["peers"]) == {"C++ -O3", "numpy"}


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        (
            REGISTERED["mine"],
            [],
            "nobody wrote a kernel that these files register (mine) in Python",
        ),
        (REGISTERED["mine"], ["mine"], "no kernel named 'mine' is written in Python"),
        ("", [], "nobody wrote a kernel that these files register (none) in Python"),
        ("", ["aten::add.Tensor"], "--file is for PHI's kernels"),
        ("}", [], "own.cc:12:1: error: this `}` closes nothing"),
    ],
)
def test_a_file_that_has_nothing_to_time_is_told(capsys, tmp_path, text, words, says):
    file = tmp_path / "own.cc"
    file.write_text(OWN + text)
    assert main(["bench", *words, "--file", str(file), "-I", str(PHI), *QUICK]) == 1
    assert says in capsys.readouterr().err


def test_without_a_gpu_that_is_said(capsys):
    from registry_runtime.kernels import device
    from registry_runtime.phi.kernel_template import KernelError

    try:
        device.cupy()
    except KernelError:
        pass
    else:
        pytest.skip("there is a GPU")
    assert main(["bench", "bitwise_and", "--sizes", "1", "--backend", "gpu"]) == 1
    said = capsys.readouterr().err
    assert "a GPU kernel needs" in said
    assert "run the CPU kernel: without --backend, the CPU's is timed" in said
    assert "--check" not in said  # which is no flag of bench


def test_a_type_that_no_sample_registers_is_a_warning(capsys):
    words = ["--sizes", "1", "--seconds", "0.01", "--against", "numpy"]
    assert main(["bench", "bitwise_and", "--dtypes", "uint16,int32", *words]) == 0
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("unfold: warning: no sample registers bitwise_and for uint16: ")


def test_a_peer_that_is_missing_is_a_warning(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "registry_runtime.benchmark.peers.torch_calls", raising=False)
    words = ["--sizes", "1", "--seconds", "0.01", "--against", "torch,numpy"]
    assert main(["bench", "bitwise_and", *words]) == 0
    out, err = capsys.readouterr()
    assert "pip install torch" in err
    assert err.count("warning") == 1
    assert "numpy" in out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_what_was_measured_before_ctrl_c_is_kept(tmp_path):
    saved, started = tmp_path / "part.json", tmp_path / "started"
    code = (
        "import pathlib, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from registry_runtime.benchmark import run as r\n"
        "original = r.sweep\n"
        "def sweep(*a, **k):\n"
        "    for row in original(*a, **k):\n"
        "        yield row\n"
        f"        pathlib.Path({str(started)!r}).touch()\n"
        "r.sweep = sweep\n"
        "from visualizer.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    words = ["bench", "bitwise_and", "--sizes", "1,1000", "--seconds", "30", "--against", "numpy"]
    # The first row is quick, as its clock is short: 200 rounds are the most.
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words, "--save", str(saved)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + PATIENCE
    while not started.exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, "")
    assert "Stopped early." in out
    document = json.loads(saved.read_text())
    assert not document["complete"]
    assert document["rows"][0]["size"] == 1
