"""What of a kernel's C++ parameters is remembered, and which a kernel may not have."""

import pytest

from registry_runtime.phi import AttributeType, DataLayout, KernelArgsDef
from tests.phi.registrations import kernel_with, only_error, registration, run

CONTEXT = "const Context& dev_ctx, "


@pytest.mark.parametrize(
    "spelling",
    [
        "const DenseTensor&",
        "DenseTensor const&",
        "const phi::DenseTensor &",
        "const SelectedRows&",
        "const SparseCooTensor&",
        "const StringTensor&",
        "const TensorArray&",
        "const paddle::optional<DenseTensor>&",
        "const paddle::optional<phi::SelectedRows>&",
        "const paddle::optional<std::vector<const DenseTensor*>>&",
        "const std::vector<const DenseTensor*>&",
        "const std::vector<const phi::SelectedRows *> &",
        "const std::vector<const TensorBase*>&",
    ],
)
def test_tensors_that_are_read_are_inputs(spelling: str) -> None:
    text = kernel_with(f"{CONTEXT}{spelling} x, DenseTensor* out") + registration(dtypes=("int",))
    result = run(text)
    assert result.diagnostics == ()
    (entry,) = result.registrations
    (tensor,) = entry.kernel.args_def.input_defs
    assert (str(tensor.backend), str(tensor.layout), str(tensor.dtype)) == ("CPU", "NCHW", "int32")


@pytest.mark.parametrize(
    "spelling",
    [
        "DenseTensor*",
        "SelectedRows *",
        "std::vector<DenseTensor*>",
        "TensorArray*",
        "StringTensor*",
    ],
)
def test_tensors_that_are_written_are_outputs(spelling: str) -> None:
    text = kernel_with(f"{CONTEXT}{spelling} out") + registration(dtypes=("int",))
    (entry,) = run(text).registrations
    assert len(entry.kernel.args_def.output_defs) == 1
    assert entry.kernel.args_def.input_defs == []


@pytest.mark.parametrize(
    ("spelling", "kind"),
    [
        ("bool", AttributeType.BOOL),
        ("const bool", AttributeType.BOOL),
        ("int", AttributeType.INT32),
        ("int32_t", AttributeType.INT32),
        ("int64_t", AttributeType.INT64),
        ("long", AttributeType.INT64),
        ("float", AttributeType.FLOAT32),
        ("double", AttributeType.FLOAT64),
        ("const std::string&", AttributeType.STRING),
        ("const std::vector<bool>&", AttributeType.BOOLS),
        ("const std::vector<int>&", AttributeType.INT32S),
        ("const std::vector<int64_t>&", AttributeType.INT64S),
        ("const std::vector<float>&", AttributeType.FLOAT32S),
        ("const std::vector<double>&", AttributeType.FLOAT64S),
        ("const std::vector<std::string>&", AttributeType.STRINGS),
        ("const Scalar&", AttributeType.SCALAR),
        ("const std::vector<phi::Scalar>&", AttributeType.SCALARS),
        ("const IntArray&", AttributeType.INT_ARRAY),
        ("DataType", AttributeType.DATA_TYPE),
        ("paddle::DataType", AttributeType.DATA_TYPE),
        ("DataLayout", AttributeType.DATA_LAYOUT),
        ("Place", AttributeType.PLACE),
    ],
)
def test_anything_else_is_an_attribute_of_its_type(spelling: str, kind: AttributeType) -> None:
    text = kernel_with(f"{CONTEXT}{spelling} a, DenseTensor* out") + registration(dtypes=("int",))
    (entry,) = run(text).registrations
    assert [a.type_index for a in entry.kernel.args_def.attribute_defs] == [kind]


def test_a_parameter_of_the_templates_own_type_is_what_the_type_is() -> None:
    text = kernel_with(f"{CONTEXT}T alpha, DenseTensor* out") + registration(
        dtypes=("float", "int64_t", "int8_t")
    )
    result = run(text)
    kinds = [e.kernel.args_def.attribute_defs[0].type_index for e in result.registrations]
    assert kinds == [AttributeType.FLOAT32, AttributeType.INT64]
    (diagnostic,) = result.diagnostics
    assert text[diagnostic.span.start : diagnostic.span.end] == "T alpha"


def test_contexts_are_skipped() -> None:
    text = kernel_with("const Context& dev_ctx") + registration(dtypes=("int",))
    (entry,) = run(text).registrations
    assert entry.kernel.args_def == KernelArgsDef()


def test_a_tensors_default_layout_is_nchw_unless_the_key_has_one() -> None:
    text = kernel_with(f"{CONTEXT}const DenseTensor& x, DenseTensor* out")
    for layout, expected in (("ALL_LAYOUT", "NCHW"), ("ANY", "NCHW"), ("NHWC", "NHWC")):
        (entry,) = run(text + registration(dtypes=("int",), layout=layout)).registrations
        assert entry.kernel.InputAt(0).layout is DataLayout[expected]
        assert entry.kernel.OutputAt(0).layout is DataLayout[expected]


@pytest.mark.parametrize(
    ("parameter", "hint"),
    [
        ("DenseTensor& x", "an input is written const DenseTensor&, an output DenseTensor*"),
        ("DenseTensor x", "an input is written const DenseTensor&, an output DenseTensor*"),
        ("const DenseTensor* x", "an input is written const DenseTensor&, an output DenseTensor*"),
        ("DenseTensor&& x", "an input is written const DenseTensor&, an output DenseTensor*"),
        ("std::string name", "write const std::string&"),
        ("Scalar value", "write const Scalar&"),
        ("const int& axis", "write int"),
        ("const Place& place", "write Place"),
        ("std::vector<DenseTensor*>& outs", "write std::vector<DenseTensor*>"),
        ("const DenseTensro& x", "did you mean DenseTensor?"),
        ("const phi::selectedRows& x", "did you mean SelectedRows?"),
    ],
)
def test_a_parameter_that_no_kernel_may_have_is_refused_at_its_declaration(
    parameter: str, hint: str
) -> None:
    text = kernel_with(f"{CONTEXT}{parameter}, DenseTensor* out") + registration()
    diagnostic, shown = only_error(text)
    assert diagnostic.message == f"`{parameter}`: a kernel can't have a parameter of this type"
    assert diagnostic.hint == hint
    assert shown == parameter
    assert run(text).registrations == ()


def test_a_context_that_is_not_const_is_refused() -> None:
    text = kernel_with("Context& dev_ctx, DenseTensor* out") + registration()
    diagnostic, shown = only_error(text)
    assert shown == "Context& dev_ctx"
    assert diagnostic.hint == "write const Context&"


def test_a_type_that_a_kernel_may_have_and_the_registry_does_not_know_is_unsupported() -> None:
    # KernelImpl takes it, SetKernelArgsDef throws: Paddle's two lists differ.
    text = kernel_with(f"{CONTEXT}const paddle::optional<SparseCooTensor>& x, DenseTensor* out")
    diagnostic, _ = only_error(text + registration())
    assert diagnostic.message == (
        "Unsupported kernel argument type `paddle::optional<phi::SparseCooTensor>`."
    )


@pytest.mark.parametrize(
    ("parameters", "late"),
    [
        ("const Context& c, DenseTensor* out, const DenseTensor& x", "const DenseTensor& x"),
        ("const Context& c, int axis, const DenseTensor& x", "const DenseTensor& x"),
        ("const Context& c, DenseTensor* out, int axis", "int axis"),
        ("const DenseTensor& x, const Context& c", "const Context& c"),
    ],
)
def test_context_inputs_attributes_and_outputs_stand_in_this_order(
    parameters: str, late: str
) -> None:
    diagnostic, shown = only_error(kernel_with(parameters) + registration())
    assert "comes too late" in diagnostic.message
    assert shown == late


def test_a_kernel_needs_a_context() -> None:
    text = kernel_with("const DenseTensor& x, DenseTensor* out") + registration()
    diagnostic, shown = only_error(text)
    assert diagnostic.message == "`phi::AddKernel` has no DeviceContext"
    assert shown == "AddKernel"


def test_a_kernel_returns_nothing() -> None:
    text = kernel_with("const Context& c, const DenseTensor& x").replace("void", "DenseTensor")
    diagnostic, shown = only_error(text + registration())
    assert "returns phi::DenseTensor" in diagnostic.message
    assert shown == "AddKernel"
