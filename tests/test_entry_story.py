"""What is told of an entry is what the runtime does: parameter by parameter, and key by key."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry_runtime.lab.phi.selection import key_named
from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import NotFound
from registry_runtime.phi.kernel_key import KernelKey
from visualizer.frameworks.phi.story import argument_steps, held_in, peeling
from visualizer.workbench.bench import open_file
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi"


def test_each_parameter_is_told_before_and_after_the_braces() -> None:
    first = open_file(PHI / "full_kernel.cc").entries[0].registration
    steps = argument_steps(first)
    assert [step.becomes for step in steps] == [
        "context",
        "input 0",
        *(f"attribute {i}" for i in range(5)),
        "output 0",
    ]
    assert [step.parameter for step in steps][1:3] == [
        "const DenseTensor& x",
        "const std::vector<int>& shape",
    ]
    dtype = first.key.dtype
    assert (steps[1].before, steps[1].after) == (f"CPU NCHW {dtype}", f"Undefined NCHW {dtype}")
    assert steps[2].before == "vector<int>"
    assert steps[0].note == "in every build"


def test_compute_peels_one_parameter_at_a_time_down_to_the_type_tag() -> None:
    registration = open_file(PHI / "full_kernel.cc").entries[0].registration
    peels = peeling(registration)
    assert [peel.at for peel in peels[:3]] == [(0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0)]
    assert (peels[-1].specialisation, peels[-1].at) == ("TypeTag<int>", (1, 1, 5, 1))


def test_a_function_that_is_not_declared_has_no_steps(tmp_path: Path) -> None:
    (tmp_path / "k.cc").write_text(
        f'#include "{PHI / "kernel_registry.h"}"\n'
        "PD_REGISTER_KERNEL(lost, CPU, ALL_LAYOUT, phi::LostKernel, int) {}\n"
    )
    registration = open_file(tmp_path / "k.cc").entries[0].registration
    assert argument_steps(registration) == []
    assert peeling(registration) == []


@pytest.mark.parametrize("with_cuda", [False, True])
@pytest.mark.parametrize("fallback", [False, True])
def test_the_path_ends_where_the_selection_does(with_cuda: bool, fallback: bool) -> None:
    """Every key that a call can have, for kernels on the CPU, on the GPU, and waiting."""
    runtime = load(
        [PHI / f"{name}_kernel.cc" for name in ("bitwise", "batch_norm", "plugin_softmax")]
    ).phi
    runtime.factory.with_cuda = with_cuda
    runtime.factory.enable_api_kernel_fallback = fallback
    outcomes = set()
    for name in ("bitwise_and", "batch_norm_infer", "softmax", "nobody"):
        for backend in (Backend.CPU, Backend.GPU, Backend.GPUDNN, Backend.XPU):
            for dtype in (DataType.INT32, DataType.FLOAT16):
                key = KernelKey(backend, DataLayout.NCHW, dtype)
                told = runtime.explain_selection(name, key)
                outcomes.add(told.outcome)
                if told.result is None:
                    with pytest.raises(NotFound) as caught:
                        runtime.factory.SelectKernelOrThrowError(name, key)
                    assert told.error == f"(NotFound) {caught.value}"
                    assert "is registered" not in told.steps[-1]
                else:
                    result = runtime.factory.SelectKernelOrThrowError(name, key)
                    assert told.result == result
                    assert told.steps[-1].endswith("is registered")
                    assert bool(told.transforms) == result.has_fallback_cpu
    assert outcomes == {"found", "not found"} | ({"fell back to the CPU"} if fallback else set())


def test_a_plugins_kernels_move_when_their_runtime_is_loaded_and_back() -> None:
    bench = open_file(PHI / "plugin_softmax_kernel.cc")
    runtime, registration = bench.program.phi, bench.entries[0].registration
    key = registration.key
    assert held_in(runtime, registration) == "CustomKernelMap"
    told = runtime.explain_selection("softmax", key)
    assert told.outcome == "not found"
    assert told.steps[0] == "no runtime of CustomCPU is loaded, so no tensor can be on it"
    assert told.steps[1].startswith("3 named softmax wait in CustomKernelMap")
    runtime.load_custom_device("CustomCPU")
    assert held_in(runtime, registration) == "KernelFactory"
    assert runtime.explain_selection("softmax", key).outcome == "found"
    runtime.unload_custom_device("CustomCPU")
    assert held_in(runtime, registration) == "CustomKernelMap"
    assert runtime.factory.kernels == {}


def test_a_kernel_that_takes_strided_tensors_is_looked_for_first() -> None:
    runtime = load([PHI / "as_strided_kernel.cc"]).phi
    told = runtime.explain_selection("as_strided", key_named(runtime, "CPU", "ANY", "float32"))
    assert told.outcome == "found for strided tensors"
    assert told.steps[-1] == (
        "the call may be on strided tensors: (CPU, STRIDED, float32) is registered"
    )
    runtime.factory.use_stride_kernel = False  # FLAGS_use_stride_kernel
    told = runtime.explain_selection("as_strided", key_named(runtime, "CPU", "ANY", "float32"))
    assert told.outcome == "not found"


def test_no_call_makes_a_sparse_tensor_of_a_dense_one() -> None:
    runtime = load([PHI / "sparse_unary_kernel.cc"]).phi
    told = runtime.explain_selection("sin_csr", key_named(runtime, "CPU", "NCHW", "float32"))
    assert told.transforms == (
        "input 0 must be a SparseCsrTensor: nothing makes one of a tensor in NCHW",
    )
    told = runtime.explain_selection("sin_csr", key_named(runtime, "CPU", "SPARSE_CSR", "float32"))
    assert told.transforms == ()


def test_what_a_call_must_change_is_told_with_the_selection(tmp_path: Path) -> None:
    path = tmp_path / "mixed.cc"
    path.write_text(
        f"""#include "{PHI}/kernel_registry.h"
namespace phi {{
template <typename T, typename Context>
void MixKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y,
               DenseTensor* out) {{}}
}}
PD_REGISTER_KERNEL(mix, CPU, ALL_LAYOUT, phi::MixKernel, float) {{
  kernel->InputAt(0).SetDataLayout(phi::DataLayout::NHWC);
  kernel->InputAt(1).SetDataType(phi::DataType::COMPLEX64);
}}
"""
    )
    runtime = load([path]).phi
    told = runtime.explain_selection("mix", key_named(runtime, "GPU", "NHWC", "float32"))
    assert told.outcome == "fell back to the CPU"
    assert told.transforms == (
        "input 0 is copied from GPU to CPU before the call",
        "input 1 is cast from float32 to complex64 before the call",
        "input 1 is copied from GPU to CPU before the call",
    )
    told = runtime.explain_selection("mix", key_named(runtime, "CPU", "NCHW", "float32"))
    assert told.transforms[0] == "input 0 is transposed from NCHW to NHWC before the call"


def test_a_key_is_named_as_it_is_printed_or_spelt() -> None:
    runtime = load([PHI / "plugin_softmax_kernel.cc"]).phi
    assert str(key_named(runtime, "gpu", "nchw", "int")) == "(GPU, NCHW, int32)"
    assert (
        str(key_named(runtime, "CustomCPU", "ANY", "float16"))
        == "(CustomCPU, Undefined(AnyLayout), float16)"
    )
    for words, said in (
        (("CPUU", "ANY", "int"), "no backend 'CPUU'"),
        (("CPU", "HCWN", "int"), "no layout 'HCWN'"),
        (("CPU", "ANY", "half"), "no data type 'half'"),
    ):
        with pytest.raises(ValueError, match=said):
            key_named(runtime, *words)
