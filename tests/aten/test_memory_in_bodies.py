"""Bodies that read and write a tensor's memory run as they stand: PyTorch's own tutorial, for one."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.cxx import CxxError
from registry_runtime.program import Program
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

ATEN = samples_folder() / "aten"
TEXT = """\
#include "aten.h"
#include "library.h"
at::Tensor made(const at::Tensor& a, const at::Tensor& b, double c) { %s }
TORCH_LIBRARY(mine, m) {
  m.def("made(Tensor a, Tensor b, float c) -> Tensor");
  m.impl("made", &made);
}
"""
MULADD = """
  if (!(a.sizes() == b.sizes()) || a.dtype() != at::kFloat || b.dtype() != a.dtype()) return a;
  at::Tensor x = a.contiguous();
  at::Tensor y = b.contiguous();
  at::Tensor result = torch::empty(x.sizes(), x.options());
  const float* p = x.data_ptr<float>();
  const float* q = y.const_data_ptr<float>();
  float* to = result.mutable_data_ptr<float>();
  for (int64_t i = 0; i < result.numel(); i++) {
    to[i] = p[i] * q[i] + c;
  }
  return result;
"""


def _call(body: str, tmp_path: Path, *values: object) -> Tensor:
    path = tmp_path / "mine.cc"
    path.write_text(TEXT % body)
    program = Program()
    bench = open_file(path, Options(include_folders=(str(ATEN),)), program)
    assert [d.message for d in bench.diagnostics] == []
    dispatcher = program.aten.world.dispatcher
    made = dispatcher.call(dispatcher.findSchemaOrThrow("mine::made", ""), *values)
    assert isinstance(made, Tensor)
    return made


def test_the_tutorials_loop_computes(tmp_path: Path) -> None:
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    b = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3).T
    made = _call(MULADD, tmp_path, Tensor.from_array(a), Tensor.from_array(b), 0.1)
    # float * float is one rounding, + double another, and the store a third.
    wanted = ((a * b).astype(np.float64) + 0.1).astype(np.float32)
    assert np.array_equal(made.numpy(), wanted)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("a.data_ptr<double>(); return a;", "expected scalar type Double but found Float"),
        ("const float* p = a.data_ptr<float>(); p[0] = 1; return a;", "`p[0]` is const"),
        ("a.data_ptr<float>()[99] = 1; return a;", "is out of range: there are 4"),
        (
            "return a.size(5) > 0 ? a : b;",
            "Dimension out of range (expected to be in range of [-1, 0]",
        ),
        ("return at::empty({-1});", "negative dimension -1: [-1]"),
    ],
)
def test_what_is_wrong_with_memory_is_refused(body: str, said: str, tmp_path: Path) -> None:
    a = Tensor.from_array(np.ones(4, np.float32))
    with pytest.raises((TorchError, CxxError), match=re.escape(said)):
        _call(body, tmp_path, a, a, 1.0)


def test_a_view_is_written_through(tmp_path: Path) -> None:
    base = np.zeros(6, np.float64)
    view = Tensor.from_array(base).as_strided((2,), (1,), 3)
    _call("a.data_ptr<double>()[1] = 7.5; return a;", tmp_path, view, view, 1.0)
    assert base.tolist() == [0, 0, 0, 0, 7.5, 0]
