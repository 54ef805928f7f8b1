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
from visualizer.workbench.bench import Workbench, open_file

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


HEADER = """\
#include <ATen/ATen.h>
#include <ATen/native/DispatchStub.h>
#include <torch/csrc/autograd/variable.h>
namespace fb {
using Tensor = at::Tensor;
Tensor one(const Tensor& x);
torch::autograd::variable_list many(const Tensor& x);
#define DECLARE_ONE(name) Tensor name(const Tensor& x)
DECLARE_ONE(by_macro);
}
namespace at::native {
using scale_fn = void (*)(const at::Tensor&);
DECLARE_DISPATCH(scale_fn, scale_stub)
}
"""
DECLARED = """\
#include <torch/library.h>
#include "fb.h"
TORCH_LIBRARY(fb, m) {
  m.def("one(Tensor x) -> Tensor", TORCH_FN(fb::one));
  m.def("many(Tensor x) -> Tensor[]", fb::many);
  m.def("by_macro(Tensor x) -> Tensor", &fb::by_macro);
}
namespace at::native {
void scale(const at::Tensor& x) {}
REGISTER_CUDA_DISPATCH(scale_stub, &scale)
}
"""


def test_what_headers_declare_is_found_in_them(tmp_path: Path) -> None:
    (tmp_path / "fb.h").write_text(HEADER)
    file = tmp_path / "fb.cc"
    file.write_text(DECLARED)
    bench = open_file(file, Options(system_folders=torch(), cc="auto"))
    assert [str(d) for d in bench.diagnostics] == []
    found = {(e.registration.kernel_name, str(e.registration.key)) for e in bench.entries}
    assert {("fb::one", "schema"), ("fb::many", "schema"), ("fb::by_macro", "schema")} <= found
    assert {name for name, key in found if key == "CompositeImplicitAutograd"} == {
        "fb::one",
        "fb::many",
        "fb::by_macro",
    }
    assert ("scale_stub", "CUDA") in found


# Autocast's kernels are members of a class template, found in a header by way of three others.
AUTOCAST = """\
#include <torch/library.h>
#include <ATen/autocast_mode.h>
TORCH_LIBRARY(aten, m) { SCHEMAS }
TORCH_LIBRARY_IMPL(aten, AutocastCPU, m) {
  KERNEL_CPU(conv1d, lower_precision_fp)
  KERNEL_CPU(add, Tensor, promote)
  KERNEL_CPU(avg_pool3d, fp32)
}
"""


def test_a_wrapper_of_autocasts_has_the_signature_of_torchs_operator(tmp_path: Path) -> None:
    pytorch = pytest.importorskip("torch")
    aten = pytorch.ops.aten
    operators = (aten.conv1d.default, aten.add.Tensor, aten.avg_pool3d.default)
    schemas = [str(one._schema).removeprefix("aten::") for one in operators]
    file = tmp_path / "autocast.cc"

    def opened() -> Workbench:
        defined = " ".join(f'm.def("{schema}");' for schema in schemas)
        file.write_text(AUTOCAST.replace("SCHEMAS", defined))
        return open_file(file, Options(system_folders=torch(), cc="auto"))

    bench = opened()
    assert [str(d) for d in bench.diagnostics] == []
    kernels = [e.registration for e in bench.entries if e.registration.kind == "impl"]
    assert [r.key for r in kernels] == ["AutocastCPU"] * 3
    wrapper = "at::autocast::WrapFunction_<at::autocast::CastPolicy::promote, cpu, …, at::_ops::add"
    assert str(kernels[1].function).startswith(wrapper)
    schemas[2] = schemas[2].replace("bool ceil_mode=False", "int ceil_mode=0")
    assert "ceil_mode" in " ".join(str(d) for d in opened().diagnostics)


# `multiple backend fallbacks`: what an extension's loading says, and what Unfold says of its text.
FALLBACK = """\
#include <torch/library.h>
TORCH_LIBRARY_IMPL(_, VmapMode, m) { m.fallback(torch::CppFunction::makeFallthrough()); }
"""


def test_a_second_fallback_is_refused_in_torchs_words(tmp_path: Path) -> None:
    pytorch = pytest.importorskip("torch")
    file = tmp_path / "fallback.cc"
    file.write_text(FALLBACK)
    bench = open_file(file, Options(system_folders=torch(), cc="auto"))
    (told,) = bench.diagnostics
    library = pytorch._C._dispatch_library("IMPL", "_", "VmapMode", str(file), 2)
    with pytest.raises(RuntimeError) as theirs:
        library.fallback_fallthrough()
    said = str(theirs.value).replace("/__w/pytorch/pytorch/", "")
    assert said in str(told)
