"""Our registry beside the one that real C++ static initialisation fills from the same sample."""

import os
import subprocess
from functools import cache
from pathlib import Path

import pytest

from registry_runtime.cxx import without_namespaces
from registry_runtime.phi import Registration, Runtime, TensorArgDef
from tests.samples.native import SAMPLES, Entry, NativeError, TensorDef, compilers, registry_of

pytestmark = pytest.mark.compiler


def preprocess(sample: Path, *flags: str) -> str:
    if not compilers():
        pytest.skip("there is no C++ compiler on PATH")
    command = [compilers()[0], "-std=c++17", "-E", "-P", *flags, str(sample)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def as_entry(registration: Registration) -> Entry:
    key, args_def = registration.key, registration.kernel.args_def
    return {
        "name": registration.kernel_name,
        "backend": str(key.backend),
        "backend_value": int(key.backend),
        "layout": str(key.layout),
        "dtype": str(key.dtype),
        "reg_type": registration.reg_type.name,
        "registered_type": registration.kernel.registered_type.name,
        "inputs": [as_tensor(tensor) for tensor in args_def.input_defs],
        "outputs": [as_tensor(tensor) for tensor in args_def.output_defs],
        "attributes": [str(attribute.type_index) for attribute in args_def.attribute_defs],
    }


def as_tensor(tensor: TensorArgDef) -> TensorDef:
    # The oracle spells std:: but not phi::.
    spelling = tensor.type_index.replace("phi::", "")
    assert without_namespaces(spelling) == without_namespaces(tensor.type_index)
    return {
        "backend": str(tensor.backend),
        "layout": str(tensor.layout),
        "dtype": str(tensor.dtype),
        "type": spelling,
    }


BOTH = ("PADDLE_WITH_CUSTOM_DEVICE", "PADDLE_WITH_CUDA")
BUILDS = [
    (),
    ("PADDLE_WITH_CUDA",),
    ("PADDLE_WITH_HIP",),
    ("_WIN32",),
    ("PADDLE_WITH_CUSTOM_DEVICE",),
    BOTH,
]
native = cache(registry_of)
DECLARES = SAMPLES / "strings_empty_kernel.cc"


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.cc")), ids=lambda path: path.stem)
def test_a_sample_fills_the_registry_as_the_compiled_program_does(sample: Path) -> None:
    builds = [defines for defines in BUILDS if (sample, defines) != (DECLARES, BOTH)]
    # Many builds don't concern this sample: from one text comes one registry.
    texts = {preprocess(sample, *(f"-D{d}" for d in defines)): defines for defines in builds[::-1]}
    for text, defines in texts.items():
        result = Runtime(find_kernel=lambda name: None).run(text)
        assert result.diagnostics == (), defines
        entries = [as_entry(entry) for entry in result.registrations]
        # That Windows' form fills the same registry natively is tested beside the samples.
        assert entries == native(sample, tuple(d for d in defines if d != "_WIN32")), defines


def test_what_is_compiled_and_not_registered_can_not_be_declared() -> None:
    """In a build for both, `PD_REGISTER_KERNEL_FOR_ALL_DTYPE` leaves no symbol to touch."""
    flags = [f"-D{define}" for define in BOTH]
    result = Runtime(find_kernel=lambda name: None).run(preprocess(DECLARES, *flags))
    assert result.registrations == ()
    assert "strings_empty_CPU_ALL_LAYOUT" in result.diagnostics[0].message
    with pytest.raises(NativeError, match="TouchKernelSymbolFor_strings_empty_CPU_ALL_LAYOUT"):
        registry_of(DECLARES, BOTH)


EVERY_PARAMETER = """
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void EveryKernel(const Context& dev_ctx, const DenseTensor& x,
                 const paddle::optional<DenseTensor>& maybe,
                 const paddle::optional<std::vector<const DenseTensor*>>& maybe_many,
                 const std::vector<const SelectedRows*>& rows, const SparseCsrTensor& csr,
                 const TensorArray& array, bool b, int i, int64_t l, float f, double d,
                 const std::string& s, const Scalar& scalar, const std::vector<Scalar>& scalars,
                 const IntArray& shape, const std::vector<bool>& bs, const std::vector<int>& is,
                 const std::vector<std::string>& ss, DataType type, DataLayout layout, Place place,
                 DenseTensor* out, std::vector<DenseTensor*> outs, SparseCooTensor* coo,
                 std::vector<ExtendedTensor*> extended, StringTensor* text) {}
}  // namespace phi
PD_REGISTER_KERNEL(every, CPU, NHWC, phi::EveryKernel, float, phi::dtype::complex<double>) {
  kernel->OutputAt(1).SetDataType(phi::dtype::ToReal(kernel_key.dtype()));
}
"""


def test_every_kind_of_parameter_is_taken_down_as_natively(tmp_path: Path) -> None:
    sample = tmp_path / "every.cc"
    sample.write_text(EVERY_PARAMETER)
    result = Runtime(find_kernel=lambda name: None).run(preprocess(sample, "-I", str(SAMPLES)))
    assert result.diagnostics == ()
    entries = [as_entry(entry) for entry in result.registrations]
    assert len(entries[0]["inputs"]) + len(entries[0]["attributes"]) == 21
    assert entries == registry_of(sample)


REAL = """
#include "paddle/phi/core/kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void MixKernel(const Context& dev_ctx, const DenseTensor& x,
               const paddle::optional<DenseTensor>& mask UNUSED,
               const std::vector<const DenseTensor*>& list, const Scalar& s,
               const IntArray& shape, const std::string& mode, DataType dtype, Place place,
               std::vector<DenseTensor*> out) {}
template <typename Context>
void ShapeKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}  // namespace phi
PD_REGISTER_KERNEL(
    mix, CPU, ALL_LAYOUT, phi::MixKernel, float, phi::bfloat16, phi::complex64, int64_t) {
  kernel->InputAt(1).SetDataType(phi::dtype::ToReal(kernel_key.dtype()));
}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(shape, CPU, ALL_LAYOUT, phi::ShapeKernel<phi::CPUContext>) {}
PD_DECLARE_KERNEL(mix, CPU, ALL_LAYOUT);
"""


def test_paddles_own_headers_can_be_read(tmp_path: Path) -> None:
    include = Path(os.environ.get("PADDLE_INCLUDE", ""))
    if not (include / "paddle/phi/core/kernel_registry.h").is_file():
        pytest.skip("PADDLE_INCLUDE names no folder with Paddle's headers")
    sample = tmp_path / "real.cc"
    sample.write_text(REAL)
    text = preprocess(sample, "-I", str(include), "-I", str(include / "third_party"))
    result = Runtime(find_kernel=lambda name: None).run(text)
    assert [d.message for d in result.diagnostics if d.severity == "error"] == []
    mix = [entry for entry in result.registrations if entry.kernel_name == "mix"]
    assert [str(entry.key.dtype) for entry in mix] == ["float32", "bfloat16", "complex64", "int64"]
    assert [str(entry.kernel.InputAt(1).dtype) for entry in mix][2] == "float32"
    assert [str(a.type_index) for a in mix[0].kernel.args_def.attribute_defs] == [
        *("Scalar", "IntArray", "string", "DataType", "Place")
    ]
    assert len(result.registrations) == len(mix) + 14
