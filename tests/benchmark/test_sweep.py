"""What is measured: the plan, its errors, and rows of a tiny real run."""

from dataclasses import replace

import numpy as np
import pytest

from registry_runtime import kernels
from registry_runtime.benchmark import peers
from registry_runtime.benchmark.sweep import BODY, BenchmarkError, kernel_name, plan, sweep
from registry_runtime.lab.timing import Cancelled, Timing
from registry_runtime.native.crash import BodyFailed
from registry_runtime.phi.data_type import DataType


def test_a_kernel_is_called_what_phi_registers_it_under():
    names = {kernel_name(template): template.name for template in kernels.library()}
    assert names["bitwise_and"] == "phi::BitwiseAndKernel"
    assert names["full_batch_size_like"] == "phi::FullBatchSizeLikeKernel"


def test_without_names_each_kernel_comes_with_its_usual_dtype():
    cases = plan(sizes=[1])
    # A plug-in's kernel of the same name is the same kernel; oneDNN computes on the CPU.
    on_cpu = [kernel for kernel in kernels.library() if kernel.backends & {"CPU", "ONEDNN"}]
    assert len(cases) == len({kernel.name.rpartition("::")[2] for kernel in on_cpu})
    dtypes = {case.kernel: case.dtype for case in cases}
    assert dtypes["bitwise_and"] is DataType.INT32
    assert dtypes["full_batch_size_like"] is DataType.FLOAT32


def test_a_dtype_goes_to_the_kernels_that_have_it():
    cases = plan(dtypes=["float", "int64"], sizes=[1])
    assert {c.dtype for c in cases if c.kernel == "bitwise_and"} == {DataType.INT64}
    assert len([c for c in cases if c.kernel == "full_batch_size_like"]) == 2


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"names": ["bitwise_annd"]}, "did you mean bitwise_and?"),
        ({"dtypes": ["int31"]}, "did you mean int"),
        (
            {"names": ["bitwise_and"], "dtypes": ["float32"]},
            "bitwise_and has no float32; it is written in Python for bool",
        ),
        ({"names": ["bitwise_and"], "sizes": [0]}, "a size of 0 elements"),
        ({"names": ["bitwise_and"], "sizes": [10**15]}, "take a smaller size"),
        ({"names": ["bitwise_and"], "backend": "XPU"}, "not written for the XPU"),
    ],
)
def test_what_cannot_be_measured_is_said(asked, says):
    with pytest.raises(BenchmarkError, match=says.replace("?", r"\?")):
        plan(**asked)


def rows(cases, **options):
    library = peers.open_library("numpy", "CPU")
    defaults = {"bandwidth": 1e9, "seconds": 0.01, "thread_count": 1}
    return sweep(cases, [library], **defaults | options)


def test_a_row_holds_what_was_measured():
    small, large = rows(plan(["bitwise_and"], ["int32"], [1, 1000]))
    assert (large.kernel, large.dtype, large.size, large.backend) == (
        "bitwise_and",
        "int32",
        1000,
        "CPU",
    )
    assert large.bytes == 12_000
    assert large.copy_share == pytest.approx(12_000 / large.seconds / 1e9)
    assert large.fastest_peer == "numpy"
    assert large.ratio == large.peers["numpy"].ratio
    assert 0.05 < large.peers["numpy"].seconds / large.seconds / large.ratio < 20
    assert small.seconds < 1e-3


def test_rows_come_one_by_one_until_it_is_cancelled():
    stop = []
    measured = rows(plan(["bitwise_not"], ["uint8"], [1, 10]), cancelled=lambda: bool(stop))
    assert next(measured).size == 1
    stop.append(True)
    with pytest.raises(Cancelled):
        next(measured)


def test_a_peer_that_makes_another_dtype_is_absent(monkeypatch):
    library = peers.open_library("numpy", "CPU")
    calls = {"bitwise_not": lambda x: (np.isfinite, x)}
    monkeypatch.setitem(library.calls, "bitwise_not", calls["bitwise_not"])
    (row,) = sweep(
        plan(["bitwise_not"], ["int32"], [1]), [library], bandwidth=1, seconds=0.01, thread_count=1
    )
    assert row.peers == {}
    assert "another dtype" in row.absent["numpy"]
    assert row.ratio is None


def test_a_compiled_body_is_a_peer_that_is_timed_apart():
    (case,) = plan(["relu"], ["float32"], [100])
    slow = replace(case, body=lambda arguments: Timing((1.0, 1.0, 1.0)))
    crashed = replace(case, body=crashes)
    rows = list(sweep([slow, crashed], [], bandwidth=1e9, seconds=0.01, thread_count=1))
    assert rows[0].peers[BODY].ratio > 1
    assert rows[1].absent[BODY] == "it crashed"


def crashes(arguments):
    raise BodyFailed("it crashed")
