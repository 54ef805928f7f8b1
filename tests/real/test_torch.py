"""PyTorch's own headers: the macro table is the compiler's, and registrations can be stepped."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from compilers import spellings
from headers import files_of, macros_of, scanned, shape

from tests.real.frameworks import torch
from visualizer.expansion import Options, preprocess

pytestmark = [pytest.mark.torch, pytest.mark.compiler]
LIBRARY = """\
#include <torch/library.h>
at::Tensor mine(const at::Tensor& self) { return self; }
TORCH_LIBRARY(mylib, m) { m.def("mine(Tensor self) -> Tensor"); }
TORCH_LIBRARY_IMPL(mylib, CPU, m) { m.impl("mine", &mine); }
TORCH_LIBRARY_IMPL(mylib, Meta, m) { m.impl("mine", &mine); }
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    "header", ["torch/library.h", "ATen/native/DispatchStub.h", "ATen/Dispatch.h", "ATen/ATen.h"]
)
def test_macros_and_files_are_the_compilers(header: str, compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    folders = torch()
    file = tmp_path / "main.cc"
    file.write_text(f"#include <{header}>\n")
    trace = scanned(compiler, file, "gnu++17", folders)
    assert trace.diagnostics == []
    assert {n: shape(d) for n, d in trace.definitions.items()} == macros_of(
        compiler, file, "gnu++17", folders
    )
    included = {os.path.realpath(f) for f in trace.included if "stdc-predef" not in f}
    expected = files_of(compiler, file, "gnu++17", folders)
    assert included == expected if compiler == "gcc" else included <= expected


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_registrations_expand_as_the_compiler_expands_them(compiler: str, tmp_path: Path) -> None:
    """`__COUNTER__` is in each of them: it must have counted what the skipped headers count."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    folders = torch()
    file = tmp_path / "main.cc"
    file.write_text(LIBRARY)
    flags = [f"-I{folder}" for folder in folders]
    command = [compiler, "-E", "-P", "-w", "-x", "c++", "-std=gnu++17", *flags, str(file)]
    theirs = spellings(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    options = Options(tuple(folders), cc=compiler)
    ours = preprocess(file, options, skip_included_text=True)
    assert len(ours.expansions) == 3
    mine = [t.text for t in ours.output]
    assert theirs[-len(mine) :] == mine
