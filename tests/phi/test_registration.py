"""A registration as it runs: from expanded text to entries in the registry."""

import pytest

from registry_runtime.phi import (
    Backend,
    DataLayout,
    DataType,
    KernelKey,
    KernelRegisteredType,
    Registration,
    RegType,
    Runtime,
)
from tests.pace import slowness
from tests.phi.registrations import BINARY, kernel_with, registrar, registration, run


def keys(registrations: tuple[Registration, ...]) -> list[str]:
    return [str(entry.key) for entry in registrations]


def parameter_names(entry: Registration) -> list[str]:
    function = entry.kernel.function
    assert function is not None
    assert function.type is not None
    return [parameter.name for parameter in function.type.parameters]


def test_each_listed_type_becomes_one_entry_in_the_order_of_the_list() -> None:
    result = run(BINARY + registration(dtypes=("bool", "uint8_t", "int", "int64_t")))
    assert result.diagnostics == ()
    assert [entry.kernel_name for entry in result.registrations] == ["add"] * 4
    assert keys(result.registrations) == [
        "(CPU, Undefined(AnyLayout), bool)",
        "(CPU, Undefined(AnyLayout), uint8)",
        "(CPU, Undefined(AnyLayout), int32)",
        "(CPU, Undefined(AnyLayout), int64)",
    ]


def test_a_type_taken_out_of_the_list_is_gone_from_the_registry() -> None:
    runtime = Runtime(find_kernel=lambda name: None)
    runtime.run(BINARY + registration(dtypes=("float",)))
    cpu_int = KernelKey(Backend.CPU, DataLayout.ALL_LAYOUT, DataType.INT32)
    assert runtime.factory.HasKernel("add", cpu_int) is False
    runtime.run(BINARY + registration(dtypes=("float", "int")))
    assert runtime.factory.HasKernel("add", cpu_int) is True


def test_an_entry_knows_the_function_and_the_declaration_that_made_it() -> None:
    text = BINARY + registration(dtypes=("float", "int"))
    first, second = run(text).registrations
    assert first.function == "phi::AddKernel<float, phi::CPUContext>"
    assert second.function == "phi::AddKernel<int, phi::CPUContext>"
    declaration = text[second.span.start : second.span.end]
    assert declaration.startswith("static const ::phi::KernelRegistrar __reg_phi_kernel_add_CPU")
    assert declaration.endswith(");")
    assert parameter_names(second) == ["dev_ctx", "x", "y", "out"]


def test_an_entry_knows_the_braces_that_end_its_registration() -> None:
    text = BINARY + registration(braces="{ kernel->InputAt(0); }")
    for entry in run(text).registrations:
        assert entry.body is not None
        body = text[entry.body.start : entry.body.end]
        assert body.startswith("void __PD_KERNEL_args_def_FN_add_CPU_ALL_LAYOUT(")
        assert body.endswith("{ kernel->InputAt(0); }")


def test_explicit_instantiations_are_reported_where_they_stand() -> None:
    text = BINARY + registration(dtypes=("float", "int"))
    instantiations = run(text).instantiations
    assert [i.function for i in instantiations] == [
        "phi::AddKernel<float, phi::CPUContext>",
        "phi::AddKernel<int, phi::CPUContext>",
    ]
    shown = text[instantiations[0].span.start : instantiations[0].span.end]
    assert shown.startswith("template decltype(phi::AddKernel<float,")
    assert shown.endswith(";")


def test_the_braces_change_the_kernel_and_the_description_before_them_is_kept() -> None:
    braces = "{ kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND); }"
    (entry,) = run(BINARY + registration(dtypes=("float",), braces=braces)).registrations
    assert entry.kernel.InputAt(0).backend is Backend.UNDEFINED
    assert entry.args_def_before.input_defs[0].backend is Backend.CPU
    assert entry.kernel.InputAt(1) == entry.args_def_before.input_defs[1]


def test_the_braces_run_once_for_each_type_and_see_its_key() -> None:
    braces = """{
      if (kernel_key.dtype() == phi::DataType::FLOAT16) {
        kernel->OutputAt(0).SetDataType(phi::DataType::FLOAT32);
      } else if (kernel_key.dtype() == phi::DataType::COMPLEX64)
        kernel->OutputAt(0).SetDataType(phi::dtype::ToReal(kernel_key.dtype()));
    }"""
    dtypes = ("phi::dtype::float16", "phi::dtype::complex<float>", "double")
    result = run(BINARY + registration(dtypes=dtypes, braces=braces))
    outputs = [str(entry.kernel.OutputAt(0).dtype) for entry in result.registrations]
    assert outputs == ["float32", "float32", "float64"]


@pytest.mark.parametrize(
    ("spelling", "dtype"),
    [
        ("int32_t", "int32"),
        ("long", "int64"),
        ("unsigned char", "uint8"),
        ("signed char", "int8"),
        ("short int", "int16"),
        ("std::int64_t", "int64"),
        ("phi::float16", "float16"),
        ("::phi::dtype::bfloat16", "bfloat16"),
        ("phi::complex64", "complex64"),
        ("::phi::dtype::complex<double>", "complex128"),
        ("phi::dtype::pstring", "pstring"),
    ],
)
def test_a_type_is_known_by_every_spelling_of_it(spelling: str, dtype: str) -> None:
    (entry,) = run(BINARY + registration(dtypes=(spelling,))).registrations
    assert str(entry.key.dtype) == dtype


def test_an_alias_in_the_text_is_the_type_that_it_stands_for() -> None:
    text = "using Half = phi::dtype::float16; typedef long Index;\n" + BINARY
    result = run(text + registration(dtypes=("Half", "Index")))
    assert [str(entry.key.dtype) for entry in result.registrations] == ["float16", "int64"]


def test_an_inner_kernel_replaces_another_in_silence() -> None:
    other = BINARY.replace("AddKernel", "OtherAddKernel")
    text = BINARY + other + registration(dtypes=("int",))
    text += registration(dtypes=("int",), layout="ANY", function="phi::OtherAddKernel")
    runtime = Runtime(find_kernel=lambda name: None)
    result = runtime.run(text)
    assert result.diagnostics == ()
    assert [entry.replaced for entry in result.registrations] == [False, True]
    kernel = runtime.factory.kernels["add"][result.registrations[0].key]
    assert str(kernel.function) == "phi::OtherAddKernel<int, phi::CPUContext>"


def test_an_outer_kernel_waits_outside_the_factory() -> None:
    runtime = Runtime(find_kernel=lambda name: None)
    plugin = {"reg_type": "OUTER", "backend": "Ascend910", "context": "::phi::CustomContext"}
    (entry,) = runtime.run(BINARY + registration(dtypes=("int",), **plugin)).registrations
    assert entry.reg_type is RegType.OUTER
    assert str(entry.key) == "(Ascend910, Undefined(AnyLayout), int32)"
    assert entry.key.backend == Backend.NUM_BACKENDS + 1
    assert runtime.factory.kernels == {}
    assert runtime.custom_kernels.kernels["add"][entry.key] is entry.kernel
    runtime.custom_kernels.RegisterCustomKernels(runtime.factory)
    assert runtime.factory.kernels["add"][entry.key] is entry.kernel


def test_an_outer_kernel_registered_twice_already_exists() -> None:
    plugin = {"reg_type": "OUTER", "backend": "Ascend910", "context": "::phi::CustomContext"}
    other = BINARY.replace("AddKernel", "OtherAddKernel")
    text = BINARY + other + registration(dtypes=("int",), **plugin)
    text += registration(dtypes=("int",), function="phi::OtherAddKernel", layout="ANY", **plugin)
    result = run(text)
    assert len(result.registrations) == 1
    (diagnostic,) = result.diagnostics
    assert "[add:(Ascend910, Undefined(AnyLayout), int32)] already exists" in diagnostic.message
    shown = text[diagnostic.span.start : diagnostic.span.end]
    assert shown.startswith(
        "static const ::phi::KernelRegistrar __reg_phi_kernel_add_Ascend910_ANY"
    )


def test_devices_are_numbered_as_they_are_first_named() -> None:
    runtime = Runtime(find_kernel=lambda name: None)
    text = BINARY
    for backend in ("Ascend910", "MLU", "Ascend910"):
        name = f"on_{backend}_{len(text)}"
        function = f"phi::{name}Kernel"
        text += BINARY.replace("AddKernel", f"{name}Kernel")
        text += registration(name, function, ("int",), backend, context="::phi::CustomContext")
    values = [int(entry.key.backend) for entry in runtime.run(text).registrations]
    first = Backend.NUM_BACKENDS + 1
    assert values == [first, first + 1, first]


def test_two_worlds_share_nothing() -> None:
    one, other = (Runtime(find_kernel=lambda name: None) for _ in range(2))
    one.run(BINARY + registration())
    assert "add" in one.factory.kernels
    assert other.factory.kernels == {}


def test_several_texts_fill_one_world() -> None:
    runtime = Runtime(find_kernel=lambda name: None)
    runtime.run(BINARY + registration())
    runtime.run(BINARY + registration("sum"))
    assert list(runtime.factory.kernels) == ["add", "sum"]


def test_a_registrar_without_a_type_registers_every_type_but_those_fluid_lacks() -> None:
    text = """
    namespace phi { template <typename Context>
    void ShapeKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {} }
    void braces(const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel) {}
    """
    instance = "phi::ShapeKernel<phi::CPUContext>"
    layout = "phi::DataLayout::ALL_LAYOUT"
    text += registrar("shape", instance, '"shape", "CPU"', layout, "", "&braces")
    text += registrar("strings", instance, '"strings_shape", "CPU"', layout, "", "&braces")
    registered: dict[str, list[str]] = {}
    for entry in run(text).registrations:
        registered.setdefault(entry.kernel_name, []).append(str(entry.key.dtype))
    assert registered["shape"] == [
        *("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64"),
        *("complex64", "complex128", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"),
    ]
    assert set(registered["strings_shape"]) - set(registered["shape"]) == {"pstring"}


def test_a_kernel_without_a_variadic_function_is_a_structure() -> None:
    text = """
    void braces(const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel) {}
    static const ::phi::KernelRegistrar r(::phi::RegType::INNER, "lookup", "CPU",
        phi::DataLayout::ALL_LAYOUT, ::phi::CppTypeToDataType<float>::Type(), nullptr, &braces,
        ::paddle::framework::StructKernelImpl<ops::LookupKernel<float, ::phi::CPUContext>>::Compute,
        nullptr);
    """
    result = run(text)
    assert result.diagnostics == ()
    (entry,) = result.registrations
    assert entry.kernel.registered_type is KernelRegisteredType.STRUCTURE
    assert entry.kernel.args_def.input_defs == []
    assert entry.function == "ops::LookupKernel<float, phi::CPUContext>"


def test_a_kernel_that_nobody_declared_gets_the_slots_that_the_braces_mention() -> None:
    braces = "{ kernel->InputAt(2).SetBackend(phi::Backend::CPU); kernel->OutputAt(0); }"
    text = registration(dtypes=("float",), backend="GPU", braces=braces)
    result = run(text)
    (entry,) = result.registrations
    assert [str(slot.backend) for slot in entry.kernel.args_def.input_defs] == ["GPU", "GPU", "CPU"]
    assert entry.kernel.OutputAt(0).layout is DataLayout.NCHW
    assert entry.args_def_before.input_defs == []
    (warning,) = result.diagnostics
    assert warning.severity == "warning"
    assert "`phi::AddKernel` is not declared" in warning.message
    assert text[warning.span.start : warning.span.end].startswith("phi::AddKernel<float")


def test_kps_means_gpu_in_a_build_with_cuda_only() -> None:
    text = BINARY + registration(dtypes=("float",), backend="KPS")
    for with_cuda, backend in ((False, Backend.KPS), (True, Backend.GPU)):
        runtime = Runtime(find_kernel=lambda name: None, with_cuda=with_cuda)
        (entry,) = runtime.run(text).registrations
        assert entry.key.backend is backend


def test_a_kernel_may_stand_in_any_namespace() -> None:
    text = """
    namespace plugin::cpu { using namespace phi;
    template <typename T, typename Context>
    void NegKernel(const Context& dev_ctx, const DenseTensor& x, phi::DenseTensor* out) {} }
    """
    (entry,) = run(text + registration("neg", "plugin::cpu::NegKernel", ("int",))).registrations
    assert entry.function == "plugin::cpu::NegKernel<int, phi::CPUContext>"
    assert len(entry.kernel.args_def.input_defs) == len(entry.kernel.args_def.output_defs) == 1


def test_a_declaration_in_a_header_and_its_definition_are_one_kernel() -> None:
    header = kernel_with("const Context& ctx, const DenseTensor&, DenseTensor* out").replace(
        "{} }", "; }"
    )
    definition = kernel_with(
        "const C& dev_ctx, const DenseTensor& x, DenseTensor* out", "typename Type, typename C"
    )
    (entry,) = run(header + definition + registration(dtypes=("int",))).registrations
    assert parameter_names(entry) == ["dev_ctx", "x", "out"]


def test_hundreds_of_registrations_are_quick() -> None:
    import time

    dtypes = ("bool", "uint8_t", "int8_t", "int16_t", "int", "int64_t", "float", "double")
    text = ""
    for number in range(50):
        text += BINARY.replace("AddKernel", f"K{number}Kernel")
        text += registration(f"k{number}", f"phi::K{number}Kernel", dtypes)
    start = time.process_time()
    result = run(text)
    assert len(result.registrations) == 400
    assert time.process_time() - start < 3 * slowness()  # it is 0.25 s
