"""What real static initialisation registers from each sample: the facts to hold Unfold to."""

from pathlib import Path

import pytest

from tests.samples.native import SAMPLES, Entry, NativeError, TensorDef, registry_of

pytestmark = pytest.mark.compiler

ANY = "Undefined(AnyLayout)"

# As many types as one registration takes.
FIFTEEN = {
    "bool": "bool",
    "uint8_t": "uint8",
    "int8_t": "int8",
    "uint16_t": "uint16",
    "int16_t": "int16",
    "uint32_t": "uint32",
    "int": "int32",
    "uint64_t": "uint64",
    "int64_t": "int64",
    "float": "float32",
    "double": "float64",
    "phi::dtype::complex<float>": "complex64",
    "phi::dtype::complex<double>": "complex128",
    "phi::dtype::float16": "float16",
    "phi::dtype::bfloat16": "bfloat16",
}

COPY = """
#include "kernel_registry.h"
namespace phi {
template <typename T, typename Context>
void CopyKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
template <typename T, typename Context>
void OtherCopyKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}
"""


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return tmp_path / "sample.cc"


def keys(registry: list[Entry], name: str) -> list[tuple[str, str, str]]:
    return [(e["backend"], e["layout"], e["dtype"]) for e in registry if e["name"] == name]


def tensor(backend: str, dtype: str, type: str, layout: str = "NCHW") -> TensorDef:
    return {"backend": backend, "layout": layout, "dtype": dtype, "type": type}


def test_bitwise_and_has_six_keys_in_the_order_of_its_types(compiler: str) -> None:
    registry = registry_of(SAMPLES / "bitwise_kernel.cc", compiler=compiler)
    dtypes = ["bool", "uint8", "int8", "int16", "int32", "int64"]
    assert keys(registry, "bitwise_and") == [("CPU", ANY, dtype) for dtype in dtypes]
    assert [entry["name"] for entry in registry] == [
        name for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not") for _ in dtypes
    ]


def test_parameters_are_taken_down_from_the_kernels_type(compiler: str) -> None:
    registry = registry_of(SAMPLES / "bitwise_kernel.cc", compiler=compiler)
    (binary,) = [e for e in registry if (e["name"], e["dtype"]) == ("bitwise_and", "int32")]
    (unary,) = [e for e in registry if (e["name"], e["dtype"]) == ("bitwise_not", "int32")]
    x, out = tensor("CPU", "int32", "const DenseTensor&"), tensor("CPU", "int32", "DenseTensor*")
    assert (binary["inputs"], binary["outputs"], binary["attributes"]) == ([x, x], [out], [])
    assert (unary["inputs"], unary["outputs"], unary["attributes"]) == ([x], [out], [])
    assert {entry["reg_type"] for entry in registry} == {"INNER"}


def test_full_batch_size_like_takes_its_input_from_any_device(compiler: str) -> None:
    registry = registry_of(SAMPLES / "full_kernel.cc", compiler=compiler)
    dtypes = ["float32", "float64", "int32", "int64", "bool"]
    assert keys(registry, "full_batch_size_like") == [("CPU", ANY, dtype) for dtype in dtypes]
    for entry in registry:
        assert entry["inputs"] == [tensor("Undefined", entry["dtype"], "const DenseTensor&")]
        assert entry["outputs"] == [tensor("CPU", entry["dtype"], "DenseTensor*")]
        assert entry["attributes"] == ["vector<int>", "Scalar", "DataType", "int", "int"]


def test_with_cuda_full_batch_size_like_is_on_the_gpu_too(compiler: str) -> None:
    registry = registry_of(SAMPLES / "full_kernel.cc", ["PADDLE_WITH_CUDA"], compiler)
    dtypes = ["float32", "float64", "int32", "int64", "bool", "float16", "bfloat16"]
    on_gpu = [entry for entry in registry if entry["backend"] == "GPU"]
    assert [entry["dtype"] for entry in on_gpu] == dtypes
    assert {entry["inputs"][0]["backend"] for entry in on_gpu} == {"Undefined"}
    assert len(registry) == 5 + 7


def test_batch_norm_keeps_float16s_statistics_in_float32(compiler: str) -> None:
    registry = registry_of(SAMPLES / "batch_norm_kernel.cc", compiler=compiler)
    assert {entry["dtype"]: [out["dtype"] for out in entry["outputs"]] for entry in registry} == {
        "float32": ["float32", "float32", "float32"],
        "float64": ["float64", "float64", "float64"],
        "float16": ["float16", "float32", "float32"],
    }
    assert keys(registry, "batch_norm_infer")[0] == ("GPU", ANY, "float32")
    assert registry[0]["attributes"] == ["float", "float", "string"]
    assert len(registry[0]["inputs"]) == 5


def test_a_plug_ins_kernel_is_outer_and_on_its_own_device(compiler: str) -> None:
    registry = registry_of(SAMPLES / "plugin_softmax_kernel.cc", compiler=compiler)
    dtypes = ["float32", "float64", "float16"]
    assert keys(registry, "softmax") == [("CustomCPU", ANY, dtype) for dtype in dtypes]
    assert {entry["reg_type"] for entry in registry} == {"OUTER"}
    assert registry[0]["inputs"] == [tensor("CustomCPU", "float32", "const DenseTensor&")]
    assert registry[0]["attributes"] == ["int"]


def test_a_plug_ins_kernel_may_be_for_a_device_of_paddles(compiler: str) -> None:
    (entry,) = registry_of(SAMPLES / "plugin_dot_kernel.cc", compiler=compiler)
    assert keys([entry], "dot") == [("CPU", ANY, "int8")]
    assert entry["reg_type"] == "OUTER"


def test_plug_in_devices_are_numbered_from_one_above_the_last_backend(compiler: str) -> None:
    registry = registry_of(SAMPLES / "plugin_softmax_kernel.cc", compiler=compiler)
    assert {entry["backend_value"] for entry in registry} == {10}  # NUM_BACKENDS is 9


def test_a_structure_is_registered_without_parameters(compiler: str) -> None:
    registry = registry_of(SAMPLES / "send_v2_kernel.cc", compiler=compiler)
    dtypes = ["float32", "float64", "int32", "int64", "float16"]
    assert keys(registry, "send_v2") == [("CPU", ANY, dtype) for dtype in dtypes]
    for entry in registry:
        assert entry["registered_type"] == "STRUCTURE"
        assert (entry["inputs"], entry["outputs"], entry["attributes"]) == ([], [], [])


def test_where_paddle_has_a_custom_device_its_gpu_kernels_are_the_plug_ins(compiler: str) -> None:
    flip = SAMPLES / "flip_kernel.cc"
    assert {e["backend"] for e in registry_of(flip, compiler=compiler)} == {"CPU", "GPU"}
    registry = registry_of(flip, ["PADDLE_WITH_CUSTOM_DEVICE"], compiler)
    types = {(e["backend"], e["reg_type"]) for e in registry}
    assert types == {("CPU", "INNER"), ("metax_gpu", "OUTER")}
    assert len([e for e in registry if e["reg_type"] == "OUTER"]) == 5


def test_a_macro_of_the_files_own_registers_for_two_layouts(compiler: str) -> None:
    registry = registry_of(SAMPLES / "sparse_unary_kernel.cc", compiler=compiler)
    assert [entry["inputs"][0]["layout"] for entry in registry if entry["dtype"] == "float32"] == [
        *("SPARSE_COO", "SPARSE_CSR") * 2
    ]
    assert {entry["layout"] for entry in registry} == {ANY}


@pytest.mark.parametrize(
    "name", ["bitwise", "full", "batch_norm", "plugin_softmax", "as_strided", "strings_empty"]
)
def test_both_forms_of_the_macro_fill_the_same_registry(compiler: str, name: str) -> None:
    path = SAMPLES / f"{name}_kernel.cc"
    assert registry_of(path, ["_WIN32"], compiler) == registry_of(path, [], compiler)


def test_any_number_of_types_up_to_fifteen(sample: Path, compiler: str) -> None:
    types = list(FIFTEEN)
    # A kernel each, as one may not be instantiated twice for one type.
    registrations = [
        f"""
        namespace n{n} {{
        template <typename T, typename Context>
        void Kernel(const Context& dev_ctx, const phi::DenseTensor& x, phi::DenseTensor* out) {{}}
        }}
        PD_REGISTER_KERNEL(n{n}, CPU, ALL_LAYOUT, n{n}::Kernel, {", ".join(types[:n])}) {{}}
        """
        for n in range(1, 16)
    ]
    sample.write_text('#include "kernel_registry.h"\n' + "".join(registrations))
    registry = registry_of(sample, compiler=compiler)
    for n in range(1, 16):
        dtypes = [FIFTEEN[name] for name in types[:n]]
        assert keys(registry, f"n{n}") == [("CPU", ANY, dtype) for dtype in dtypes]


def test_a_sixteenth_type_is_too_many(sample: Path, compiler: str) -> None:
    types = ", ".join([*FIFTEEN, "phi::dtype::pstring"])
    sample.write_text(
        COPY + f"PD_REGISTER_KERNEL(copy, CPU, ALL_LAYOUT, phi::CopyKernel, {types}) {{}}"
    )
    with pytest.raises(NativeError, match="_PD_KERNEL_INSTANTIATION_phi"):
        registry_of(sample, compiler=compiler)


def test_a_layout_in_the_key_is_the_tensors_layout(sample: Path, compiler: str) -> None:
    sample.write_text(COPY + "PD_REGISTER_KERNEL(copy, CPU, NHWC, phi::CopyKernel, int) {}")
    (entry,) = registry_of(sample, compiler=compiler)
    assert entry["layout"] == "NHWC"
    assert entry["inputs"] == [tensor("CPU", "int32", "const DenseTensor&", layout="NHWC")]


def test_a_registration_inside_a_namespace_is_refused(sample: Path, compiler: str) -> None:
    register = "PD_REGISTER_KERNEL(copy, CPU, ALL_LAYOUT, phi::CopyKernel, int) {}"
    sample.write_text(COPY + "namespace inside { " + register + " }")
    with pytest.raises(NativeError, match="__test_global_namespace_"):
        registry_of(sample, compiler=compiler)


def test_a_parameter_that_no_kernel_may_have_is_refused(sample: Path, compiler: str) -> None:
    register = "PD_REGISTER_KERNEL(copy, CPU, ALL_LAYOUT, phi::CopyKernel, int) {}"
    sample.write_text(COPY.replace("const DenseTensor& x", "DenseTensor& x") + register)
    with pytest.raises(NativeError, match="can't have a parameter of this type"):
        registry_of(sample, compiler=compiler)


# ANY and ALL_LAYOUT are one value under two names, so two registrations can share a key.
TWICE = """
{macro}(copy, CPU, ALL_LAYOUT, phi::CopyKernel, int) {{}}
{macro}(copy, CPU, ANY, phi::OtherCopyKernel, int) {{
  kernel->OutputAt(0).SetDataType(phi::DataType::BOOL);
}}
"""


def test_an_inner_kernel_replaces_another_in_silence(sample: Path, compiler: str) -> None:
    sample.write_text(COPY + TWICE.format(macro="PD_REGISTER_KERNEL"))
    (entry,) = registry_of(sample, compiler=compiler)
    assert entry["outputs"][0]["dtype"] == "bool"


def test_an_outer_kernel_may_not_replace_another(sample: Path, compiler: str) -> None:
    sample.write_text(COPY + TWICE.format(macro="PD_REGISTER_PLUGIN_KERNEL"))
    with pytest.raises(NativeError, match="AlreadyExists"):
        registry_of(sample, compiler=compiler)
