"""Where moving a kernel takes more than replacing names."""

from pathlib import Path

import pytest

from tests.migration.operator_text import MAKER, body_of, migrated, operator_text, piece

BIAS = MAKER + '    AddInput("Bias", "may be missing").AsDispensable();\n'
GRADIENT = """
namespace paddle {
namespace operators {

template <typename T>
class TestGradMaker : public framework::SingleGradOpMaker<T> {
 protected:
  void Apply(GradOpPtr<T> grad_op) const override {
    grad_op->SetType("scale_grad");
    grad_op->SetInput(framework::GradVarName("Out"), this->OutputGrad("Out"));
    if (this->HasInput("X")) {
      grad_op->SetInput("X", this->Input("X"));
    }
    grad_op->SetInput("Out", this->Output("Out"));
    grad_op->SetOutput(framework::GradVarName("X"), this->InputGrad("X"));
    grad_op->SetAttrMap(this->Attrs());
  }
};

template <typename DeviceContext, typename T>
class TestGradKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override {
    auto* dx = ctx.Output<framework::Tensor>(framework::GradVarName("X"));
    auto* x = ctx.Input<framework::Tensor>("X");
    dx->mutable_data<T>(ctx.GetPlace());
    F(x);
  }
};

}  // namespace operators
}  // namespace paddle

REGISTER_OPERATOR(scale_grad, ops::TestGradOp);
REGISTER_OP_CPU_KERNEL(scale_grad, ops::TestGradKernel<plat::CPUDeviceContext, float>);
"""


def test_a_dispensable_input_is_optional(tmp_path: Path) -> None:
    text = 'auto* bias = ctx.Input<framework::Tensor>("Bias");\nif (bias != nullptr) F(*bias);'
    found = migrated(tmp_path, operator_text(text, BIAS))
    assert "const paddle::optional<DenseTensor>& bias," in piece(found, "kernels/scale_kernel.h")
    assert body_of(piece(found, "cpu/scale_kernel.cc")) == (
        "auto* bias_ptr = bias.get_ptr();\nif (bias_ptr != nullptr) F(*bias_ptr);"
    )
    # Fluid's own signature leaves it out
    assert '{"X", "Bias"}' in piece(found, "scale_sig.cc")


def test_whether_an_input_is_there(tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text('if (ctx.HasInput("Bias")) F();', BIAS))
    body = body_of(piece(found, "cpu/scale_kernel.cc"))
    assert body == "if (bias.get_ptr() != nullptr) F();"


def test_duplicable_inputs_and_outputs_are_vectors(tmp_path: Path) -> None:
    maker = """\
    AddInput("X", "several").AsDuplicable();
    AddOutput("Out", "several").AsDuplicable();
"""
    text = """\
    auto xs = ctx.MultiInput<framework::Tensor>("X");
    auto outs = ctx.MultiOutput<framework::Tensor>("Out");
    outs[0]->mutable_data<T>(ctx.GetPlace());
    F(xs[0]->numel());"""
    found = migrated(tmp_path, operator_text(text, maker, ""))
    header = piece(found, "kernels/scale_kernel.h")
    assert "const std::vector<const DenseTensor*>& x," in header
    assert "std::vector<DenseTensor*> out)" in header
    assert body_of(piece(found, "cpu/scale_kernel.cc")) == (
        "dev_ctx.template Alloc<T>(out[0]);\nF(x[0]->numel());"
    )


def test_a_gradients_parameters_have_their_order(tmp_path: Path) -> None:
    text = operator_text(more=GRADIENT).replace(
        "ops::TestOpMaker)", "ops::TestOpMaker, ops::TestGradMaker<paddle::framework::OpDesc>)"
    )
    found = migrated(tmp_path, text)
    header = piece(found, "scale_grad_kernel.h")
    listed = [line.strip(" ,);") for line in header.split("(", 1)[1].split("\n")[1:6]]
    assert listed == [
        "const paddle::optional<DenseTensor>& x",  # set inside an if
        "const DenseTensor& out",
        "const DenseTensor& out_grad",
        "int axis",
        "DenseTensor* x_grad",
    ]
    assert '{"X", "Out", "Out@GRAD"}' in piece(found, "scale_sig.cc")
    assert "auto* x_ptr = x.get_ptr();" in piece(found, "cpu/scale_grad_kernel.cc")


@pytest.mark.parametrize(
    ("type_", "read", "set_", "parameter", "value", "rule"),
    [
        (
            "int",
            "int axis",
            "axis = t->data<int>()[0];",
            "const Scalar& axis",
            "axis.to<int>()",
            "scalar",
        ),
        (
            "std::vector<int>",
            "std::vector<int> axis",
            "axis = Read(*t);",
            "const IntArray& axis",
            "axis.GetData()",
            "int_array",
        ),
    ],
)  # fmt: skip
def test_an_attribute_that_may_be_a_tensor(
    type_: str, read: str, set_: str, parameter: str, value: str, rule: str, tmp_path: Path
) -> None:
    maker = MAKER.replace("AddAttr<int>", f"AddAttr<{type_}>")
    maker += '    AddInput("AxisTensor", "").AsDispensable();\n'
    text = f"""\
    {read} = ctx.Attr<{type_}>("axis");
    if (ctx.HasInput("AxisTensor")) {{
      auto* t = ctx.Input<framework::Tensor>("AxisTensor");
      {set_}
    }}
    F(axis);"""
    found = migrated(tmp_path, operator_text(text, maker))
    assert f"{parameter}," in piece(found, "kernels/scale_kernel.h")
    body = body_of(piece(found, "cpu/scale_kernel.cc"))
    assert body == f"{read}_value = {value};\nF(axis_value);"
    assert rule in {m.rule.key for m in found.marks}
    mapping = piece(found, "scale_sig.cc")
    assert 'ctx.HasInput("AxisTensor") ? "AxisTensor" : "axis"' in mapping
    assert "{axis}" in mapping


def test_a_tensor_that_does_more_stays_beside_its_attribute(tmp_path: Path) -> None:
    maker = MAKER + '    AddInput("AxisTensor", "").AsDispensable();\n'
    text = """\
    int axis = ctx.Attr<int>("axis");
    auto* out = ctx.Output<framework::Tensor>("Out");
    if (ctx.HasInput("AxisTensor")) {
      axis = ctx.Input<framework::Tensor>("AxisTensor")->data<int>()[0];
      out->Resize({axis});
    }"""
    found = migrated(tmp_path, operator_text(text, maker))
    header = piece(found, "kernels/scale_kernel.h")
    assert "const paddle::optional<DenseTensor>& axis_tensor," in header
    assert "int axis," in header
    assert [m.rule.key for m in found.left] == ["scalar", "set_dtype"]


def test_names_are_snake_case_and_extras_go(tmp_path: Path) -> None:
    maker = """\
    AddInput("LnScale", "");
    AddInput("Cache", "").AsExtra();
    AddOutput("Out", "");
    AddInput("ROIs", "");
    AddInput("BatchRoINums", "");
    AddAttr<bool>("ISTest", "");
    AddAttr<bool>("use_mkldnn", "");
    AddAttr<int>("ringId", "").AsExtra();
    AddAttr<std::string>("pooltype", "");
"""
    found = migrated(tmp_path, operator_text("", maker, ""))
    header = piece(found, "kernels/scale_kernel.h")
    listed = [line.strip(" ,);") for line in header.split("(", 1)[1].split("\n")[1:7]]
    assert listed == [
        "const DenseTensor& ln_scale",
        "const DenseTensor& rois",
        "const DenseTensor& batch_roi_nums",
        "bool is_test",
        "const std::string& pooltype",
        "DenseTensor* out",
    ]
    assert not any(p.path.endswith("_sig.cc") for p in found.pieces)


def test_a_second_version_takes_the_plain_name(tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text(op_type="expand_v2"))
    assert "PD_REGISTER_BASE_KERNEL_NAME(expand_v2, expand);" in piece(found, "expand_sig.cc")
    assert "PD_REGISTER_KERNEL(expand,\n" in piece(found, "cpu/expand_kernel.cc")
    assert not found.left  # `expand` is one of Fluid's deprecated names
    other = migrated(tmp_path, operator_text(op_type="scale_v2"))
    assert "deprecated_op_names" in other.left[0].reason


@pytest.mark.parametrize(
    ("allocation", "said"),
    [
        ("out->mutable_data<T>(ctx.GetPlace());", ""),
        ("out->mutable_data<int>(ctx.GetPlace());", "INT32"),
        ("out->mutable_data<U>(ctx.GetPlace());", "UNDEFINED"),
        ("out->mutable_data<T>(ctx.GetPlace());\nout->mutable_data<int>(ctx.GetPlace());", ""),
    ],
)
def test_the_type_of_an_output_is_said_in_the_braces(
    allocation: str, said: str, tmp_path: Path
) -> None:
    text = f'auto* out = ctx.Output<framework::Tensor>("Out");\n{allocation}'
    found = migrated(tmp_path, operator_text(text, shapes='    ctx->SetOutputDim("Out", {1});\n'))
    kernel = piece(found, "cpu/scale_kernel.cc")
    meta = piece(found, "infermeta/unary.cc")
    if not said:
        assert kernel.endswith("phi::dtype::float16) {}\n")
        assert "out->set_dtype(x.dtype());" in meta
        return
    line = f"{{\n  kernel->OutputAt(0).SetDataType(phi::DataType::{said});\n}}\n"
    assert kernel.endswith(line)
    if said == "INT32":
        assert "out->set_dtype(phi::DataType::INT32);" in meta
    else:  # nobody but a person knows, and InferMeta must
        assert "set_dtype" in found.left[0].reason
        assert "// TODO(migrate): say of which type out is" in meta


def test_an_attribute_that_is_a_data_type(tmp_path: Path) -> None:
    maker = MAKER + '    AddAttr<int>("out_dtype", "");\n'
    text = """\
    auto* out = ctx.Output<framework::Tensor>("Out");
    auto out_dtype = static_cast<framework::proto::VarType::Type>(ctx.Attr<int>("out_dtype"));
    F(out_dtype, out);"""
    found = migrated(tmp_path, operator_text(text, maker))
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert "DataType out_dtype," in kernel
    assert body_of(kernel) == "F(out_dtype, out);"
    assert "SetDataType(phi::DataType::UNDEFINED)" in kernel
    assert "out->set_dtype(out_dtype);" in piece(found, "unary.cc")


def test_a_kernel_to_which_types_are_all_one(tmp_path: Path) -> None:
    text = operator_text(head="").replace(
        "TestKernel : public framework::OpKernel<T>", "TestKernel"
    )
    text = text.replace("void Compute(", "void operator()(").replace(
        " const override {\n\n", " const {\n"
    )
    start = text.index("REGISTER_OP_CPU_KERNEL(")
    text = text[:start] + "REGISTER_OP_CPU_KERNEL_FUNCTOR(scale, float, ops::TestKernel);\n"
    found = migrated(tmp_path, text)
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert "template <typename Context>\nvoid TestKernel(" in kernel
    assert "PD_REGISTER_KERNEL_FOR_ALL_DTYPE(scale," in kernel


def test_what_needs_a_scope_stays_in_fluid_as_a_function(tmp_path: Path) -> None:
    text = "framework::Scope* scope = nullptr;\nF(scope);\nframework::Tensor tmp;"
    found = migrated(tmp_path, operator_text(text))
    kernel = piece(found, "fluid/operators/scale_kernel.cc")
    assert "namespace paddle::operators {" in kernel
    assert "framework::Scope* scope = nullptr;\n" in kernel
    assert "phi::DenseTensor tmp;" in kernel
    assert "paddle::operators::TestKernel," in kernel
    assert "stays in Fluid" in found.left[0].reason


def test_one_class_for_two_devices_goes_to_impl(tmp_path: Path) -> None:
    more = "REGISTER_OP_CUDA_KERNEL(scale, ops::TestKernel<plat::CUDADeviceContext, float>);\n"
    found = migrated(tmp_path, operator_text("F();", more=more))
    paths = {p.path for p in found.pieces}
    assert {
        f"phi/kernels/{p}" for p in ("impl/scale_kernel_impl.h", "gpu/scale_kernel.cu")
    } <= paths
    assert "F();" not in piece(found, "cpu/scale_kernel.cc")


def test_fused_operators_have_their_own_folder(tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text(op_type="fused_scale"))
    assert "phi::fusion::TestKernel," in piece(
        found, "phi/kernels/fusion/cpu/fused_scale_kernel.cc"
    )


def test_helpers_go_with_their_kernel(tmp_path: Path) -> None:
    helper = """\
// Doubles, as framework::Tensor can't.
template <typename DeviceContext, typename T>
void Double(const framework::ExecutionContext& ctx, const framework::Tensor& x, T* out) {
  auto& dev_ctx = ctx.template device_context<DeviceContext>();
  F(dev_ctx, x);
}

template <typename T>
void Unused() {}

"""
    text = 'Double<DeviceContext, T>(ctx, *ctx.Input<framework::Tensor>("X"), nullptr);'
    found = migrated(tmp_path, operator_text(text, before=helper))
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert (
        """\
// Doubles, as framework::Tensor can't.
template <typename Context, typename T>
void Double(const Context& dev_ctx, const DenseTensor& x, T* out) {
  F(dev_ctx, x);
}
"""
        in kernel
    )
    assert "Double<Context, T>(dev_ctx, x, nullptr);" in kernel
    left = piece(found, "fluid/operators/test_op.cc")
    assert "Unused" in left
    assert "Double" not in left


def test_helpers_of_several_kernels_get_a_header(tmp_path: Path) -> None:
    helper = "template <typename T>\nvoid Both(const framework::Tensor& x) {}\n\n"
    text = operator_text('Both<T>(*ctx.Input<framework::Tensor>("X"));', before=helper)
    other = GRADIENT.replace("F(x);", "Both<T>(*x);")
    found = migrated(tmp_path, text + other)
    assert "void Both(const DenseTensor& x) {}" in piece(found, "phi/kernels/funcs/both.h")
    for name in ("scale", "scale_grad"):
        kernel = piece(found, f"cpu/{name}_kernel.cc")
        assert '#include "../funcs/both.h"' in kernel
        assert "void Both" not in kernel


def test_a_kernel_of_another_file_stays_registered(tmp_path: Path) -> None:
    line = "REGISTER_OP_CUDA_KERNEL(scale, ops::ElsewhereKernel<plat::CUDADeviceContext, float>);\n"
    found = migrated(tmp_path, operator_text(more=line))
    assert line in piece(found, "fluid/operators/test_op.cc")
    assert "the class of this kernel is in none of test_op.cc" in found.left[0].reason


def test_shapes_and_checks(tmp_path: Path) -> None:
    shapes = """\
    OP_INOUT_CHECK(ctx->HasInput("X"), "Input", "X", "scale");
    PADDLE_ENFORCE_EQ(ctx->HasOutput("Out"), true, platform::errors::NotFound("no Out"));
    auto dims = ctx->GetInputDim("X");
    if (ctx->IsRuntime()) {
      dims[ctx->Attrs().Get<int>("axis")] = 1;
    }
    ctx->SetOutputDim("Out", dims);
    ctx->ShareLoD("X", /*->*/ "Out");
"""
    found = migrated(tmp_path, operator_text(shapes=shapes))
    assert piece(found, "infermeta/unary.cc").endswith("""\
void ScaleInferMeta(const MetaTensor& x,
                    int axis,
                    MetaTensor* out,
                    MetaConfig config) {
  auto dims = x.dims();
  if (config.is_runtime) {
    dims[axis] = 1;
  }
  out->set_dims(dims);
  out->share_lod(x);
  out->set_dtype(x.dtype());
}

}  // namespace phi
""")
    assert "MetaConfig config = MetaConfig());" in piece(found, "infermeta/unary.h")


@pytest.mark.parametrize(
    ("inputs", "file"),
    [
        ("", "nullary"),
        ('AddInput("X", "");', "unary"),
        ('AddInput("X", ""); AddInput("Y", "").AsDispensable();', "binary"),
        ('AddInput("X", ""); AddInput("Y", ""); AddInput("Z", "");', "ternary"),
        ('AddInput("W", ""); AddInput("X", ""); AddInput("Y", ""); AddInput("Z", "");', "multiary"),
        ('AddInput("X", ""); AddInput("Y", "").AsDuplicable();', "multiary"),
    ],
)
def test_inputs_are_counted_to_find_the_file(inputs: str, file: str, tmp_path: Path) -> None:
    maker = f'    {inputs}\n    AddOutput("Out", "");\n'
    text = """\
    auto* out = ctx.Output<framework::Tensor>("Out");
    out->mutable_data<int>(ctx.GetPlace());"""
    shapes = '    ctx->SetOutputDim("Out", {1});\n'
    found = migrated(tmp_path, operator_text(text, maker, shapes))
    assert f"phi/infermeta/{file}.cc" in {p.path for p in found.pieces}


def test_a_shape_that_is_copied_needs_no_function_of_its_own(tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text())
    assert "PD_INFER_META(phi::UnchangedInferMeta)" in piece(found, "fluid/operators/test_op.cc")
    assert not any(p.path.endswith("unary.cc") for p in found.pieces)


def test_an_infer_shape_beyond_the_table_may_stay(tmp_path: Path) -> None:
    shapes = '    ctx->SetLoDLevel("Out", 1);\n    ctx->SetOutputDim("Out", {1});\n'
    found = migrated(tmp_path, operator_text(shapes=shapes))
    left = piece(found, "fluid/operators/test_op.cc")
    assert (
        "    // TODO(migrate): InferShapeContext::SetLoDLevel has no row in the table; this InferShape "
        'may stay, since no output is UNDEFINED\n    ctx->SetLoDLevel("Out", 1);\n'
        '    ctx->SetOutputDim("Out", {1});\n'
    ) in left
    assert "DECLARE_INFER_SHAPE_FUNCTOR" not in left
    (mark,) = found.left
    assert mark.idiom == 'ctx->SetLoDLevel("Out", 1)'


@pytest.mark.parametrize(
    ("fluid", "phi"),
    [
        (
            'ctx->SetOutputsDim("Out", ctx->GetInputsDim("X"));',
            "for (size_t i = 0; i < out.size(); ++i) out[i]->set_dims(x[i]->dims());",
        ),
        (
            'auto all = ctx->GetInputsDim("X");\n    ctx->SetOutputsDim("Out", all);',
            "auto all = phi::GetMetaTensorsDim(x);\n"
            "  for (size_t i = 0; i < out.size(); ++i) out[i]->set_dims(all[i]);",
        ),
        ('ctx->ShareDim("X", "Out", 1, 0);', "out[0]->share_dims(*x[1]);"),
        ('ctx->ShareDim("X", "Out");', "out[0]->share_dims(*x[0]);"),
        (
            'ctx->ShareDim("X", "Out");\n    ctx->ShareAllLoD("X", "Out");',
            "out[0]->share_dims(*x[0]);\n"
            "  for (size_t i = 0; i < out.size(); ++i) out[i]->share_lod(*x[i]);",
        ),
    ],
)
def test_the_shapes_of_several_outputs(fluid: str, phi: str, tmp_path: Path) -> None:
    maker = """\
    AddInput("X", "several").AsDuplicable();
    AddOutput("Out", "several").AsDuplicable();
"""
    found = migrated(tmp_path, operator_text("", maker, f"    {fluid}\n"))
    assert f"  {phi}\n  for (auto* each" in piece(found, "infermeta/multiary.cc")
    assert not found.left


def test_dims_that_are_made_on_the_spot_are_left_to_a_person(tmp_path: Path) -> None:
    maker = MAKER.replace('comes out")', 'comes out").AsDuplicable()')
    shapes = '    ctx->SetOutputsDim("Out", {{1}, {2}});\n'
    found = migrated(tmp_path, operator_text("", maker, shapes))
    assert shapes in piece(found, "fluid/operators/test_op.cc")
    assert [m.rule.key for m in found.left] == ["infer_meta"]


@pytest.mark.parametrize(
    "tensor",
    [
        'ctx.Output<framework::Tensor>("Out")',
        'ctx.OutputVar("Out")->GetMutable<framework::LoDTensor>()',
        'ctx.MultiOutput<framework::Tensor>("Out")[0]',
    ],
)
def test_the_type_is_seen_however_the_output_is_reached(tensor: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text(f"{tensor}->mutable_data<int>(ctx.GetPlace());"))
    assert "SetDataType(phi::DataType::INT32)" in piece(found, "cpu/scale_kernel.cc")


def test_a_variable_is_a_parameter_without_a_maker_too(tmp_path: Path) -> None:
    body = """\
    auto* v = ctx.InputVar("X");
    F(v->Get<framework::LoDTensor>(), ctx.Output<framework::Tensor>("Out"));"""
    text = operator_text(body).replace("ops::TestOp, ops::TestOpMaker", "ops::TestOp")
    found = migrated(tmp_path, text)
    assert body_of(piece(found, "cpu/scale_kernel.cc")) == "F(x, out);"
    assert "const DenseTensor& x," in piece(found, "kernels/scale_kernel.h")


def test_an_attribute_has_the_type_that_the_makers_template_is_given(tmp_path: Path) -> None:
    text = operator_text('float d = ctx.Attr<float>("delta");\nF(d);')
    text = text.replace("class TestOpMaker", "template <typename AttrType>\nclass TestOpMaker")
    text = text.replace('AddAttr<int>("axis"', 'AddAttr<AttrType>("delta"')
    text = text.replace("ops::TestOpMaker)", "ops::TestOpMaker<float>)")
    found = migrated(tmp_path, text)
    for ending in ("kernels/scale_kernel.h", "cpu/scale_kernel.cc"):
        assert "float delta," in piece(found, ending)
    assert not any("AttrType" in p.text for p in found.pieces if "phi" in p.path)


HELPER = """\
template <typename DeviceContext, typename T>
void Fill(const framework::ExecutionContext& ctx, const framework::Tensor* x) {
  auto* out = ctx.Output<framework::Tensor>("Out");
  out->mutable_data<int>(ctx.GetPlace());
  F(x, ctx.Attr<int>("axis"));
}

"""


def test_a_function_that_the_context_is_handed_to_is_given_what_it_read(tmp_path: Path) -> None:
    body = (
        'auto* other = ctx.Input<framework::Tensor>("X");\n    Fill<DeviceContext, T>(ctx, other);'
    )
    found = migrated(tmp_path, operator_text(body, before=HELPER))
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert (
        "void Fill(const Context& dev_ctx, int axis, DenseTensor* out, const DenseTensor* x) {\n"
        "  dev_ctx.template Alloc<int>(out);\n"
        "  F(x, axis);\n}"
    ) in kernel
    assert "{\n  Fill<Context, T>(dev_ctx, axis, out, &x);\n}" in kernel
    assert "kernel->OutputAt(0).SetDataType(phi::DataType::INT32);" in kernel
    assert "out->set_dtype(phi::DataType::INT32);" in piece(found, "infermeta/unary.cc")
    assert not found.left


def test_without_a_maker_what_a_called_function_reads_is_a_parameter(tmp_path: Path) -> None:
    body = 'auto* x = ctx.Input<framework::Tensor>("X");\n    Fill<DeviceContext, T>(ctx, x);'
    text = operator_text(body, before=HELPER).replace(", ops::TestOpMaker);", ");")
    found = migrated(tmp_path, text)
    assert (
        '{"X"},\n                         {"axis"},\n                         {"Out"});'
        in piece(found, "scale_sig.cc")
    )
    assert "DenseTensor* out);" in piece(found, "kernels/scale_kernel.h")


def test_a_parameter_of_such_a_function_gets_out_of_the_way(tmp_path: Path) -> None:
    helper = HELPER.replace("Tensor* x)", "Tensor* out_grad, int axis)").replace(
        "F(x", "F(out_grad"
    )
    found = migrated(
        tmp_path, operator_text("Fill<DeviceContext, T>(ctx, nullptr, 2);", before=helper)
    )
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert "DenseTensor* out, const DenseTensor* out_grad, int axis_value) {" in kernel


def test_a_function_of_the_class_is_given_what_it_read(tmp_path: Path) -> None:
    body = """\
    Fill(ctx);
  }

 private:
  void Fill(const framework::ExecutionContext& context) const {
    context.Output<framework::Tensor>("Out")->mutable_data<T>(context.GetPlace());"""
    found = migrated(tmp_path, operator_text(body))
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert "void Fill(const Context& dev_ctx, DenseTensor* out) {\n" in kernel
    assert "  Fill<T, Context>(dev_ctx, out);\n" in kernel
    (mark,) = found.left
    assert mark.reason.startswith("a guess: functions of the class are functions of their own now")


def test_the_type_of_an_output_that_may_be_missing(tmp_path: Path) -> None:
    shapes = """\
    if (ctx->HasOutput("Out")) {
      ctx->SetOutputDim("Out", ctx->GetInputDim("X"));
    }
"""
    meta = piece(migrated(tmp_path, operator_text(TYPED, shapes=shapes)), "infermeta/unary.cc")
    assert "\n  if (out) out->set_dtype(x.dtype());\n" in meta


TYPED = 'ctx.Output<framework::Tensor>("Out")->mutable_data<T>(ctx.GetPlace());'
CHOSEN = """\
  framework::OpKernelType GetExpectedKernelType(
      const framework::ExecutionContext& ctx) const override {
    return framework::OpKernelType(
        OperatorWithKernel::IndicateVarDataType(ctx, "Y"), ctx.GetPlace());
  }
};

class TestOpMaker"""


def test_the_type_that_the_kernel_is_chosen_by(tmp_path: Path) -> None:
    maker = MAKER + '    AddInput("Y", "whose type counts");\n'
    text = operator_text(TYPED, maker).replace("};\n\nclass TestOpMaker", f"\n{CHOSEN}")
    found = migrated(tmp_path, text)
    assert "  out->set_dtype(y.dtype());\n" in piece(found, "infermeta/binary.cc")
    assert not found.left
    text = text.replace('IndicateVarDataType(ctx, "Y")', "IndicateDataType(ctx)")
    (mark,) = migrated(tmp_path, text).left
    assert mark.reason == (
        "a guess: out is taken to be of x's type: look in GetExpectedKernelType, which names no one "
        "input"
    )


def test_an_attribute_that_may_come_as_a_tensor(tmp_path: Path) -> None:
    maker = MAKER.replace('"an axis")', '"an axis").SupportTensor()')
    (mark,) = migrated(tmp_path, operator_text(TYPED, maker)).left
    assert mark.reason.startswith("a guess: axis stays a int, which the kernel reads, though its")


def test_an_operator_whose_kernels_name_is_anothers(tmp_path: Path) -> None:
    found = migrated(tmp_path, operator_text(TYPED, op_type="expand"))
    (mark,) = found.left
    assert mark.reason.startswith("PHI has a kernel expand that is no kernel of this operator's")


def test_one_of_several_gradients_may_be_missing(tmp_path: Path) -> None:
    shapes = """\
class TestGradOp : public framework::OperatorWithKernel {
 public:
  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputDim(framework::GradVarName("X"), ctx->GetInputDim("X"));
    if (ctx->HasOutput("More")) {
      ctx->SetOutputDim("More", ctx->GetInputDim("X"));
    }
  }
};

template <typename DeviceContext"""
    more = 'grad_op->SetOutput("More", this->InputGrad("Y"));\n    grad_op->SetAttrMap'
    text = GRADIENT.replace("grad_op->SetAttrMap", more)
    text = text.replace("template <typename DeviceContext", shapes)
    text = text.replace('if (this->HasInput("X")) {', "{")
    registered = "ops::TestOp, ops::TestOpMaker"
    whole = operator_text(TYPED, more=text).replace(
        registered, f"{registered}, ops::TestGradMaker<paddle::framework::OpDesc>"
    )
    meta = piece(migrated(tmp_path, whole), "infermeta/backward.cc")
    assert "\n  if (x_grad) x_grad->set_dims(x.dims());\n" in meta
    assert "\n    more->set_dims(x.dims());\n" in meta


def test_what_stood_in_an_if_stands_in_one_again(tmp_path: Path) -> None:
    """Each of two of one name was there, and neither `#if` was: a compiler refuses that."""
    before = """\
#ifdef FAST
int Many(int n) { return n; }
#elif defined(SLOW) || \\
    defined(OLD)
int Many(int n) { return n + 1; }
#else
int Many(int n) { return n + 2; }
#endif

"""
    more = """\
#ifndef PADDLE_WITH_HIP
REGISTER_OP_CUDA_KERNEL(scale, ops::TestKernel<plat::CUDADeviceContext, double>);
#else
REGISTER_OP_CUDA_KERNEL(scale, ops::TestKernel<plat::CUDADeviceContext, float>);
#endif
"""
    found = migrated(tmp_path, operator_text("Many(1);", before=before, more=more))
    shared = piece(found, "kernels/impl/scale_kernel_impl.h")
    kept = shared[shared.index("#ifdef FAST") : shared.index("template <typename T")]
    assert kept.split("\n") == [
        *("#ifdef FAST", "inline int Many(int n) { return n; }", "#endif", ""),
        *("#ifndef FAST", "#if defined(SLOW) || \\", "    defined(OLD)"),
        *("inline int Many(int n) { return n + 1; }", "#endif", "#endif", ""),
        *("#ifndef FAST", "#if !(defined(SLOW) || \\", "    defined(OLD))"),
        *("inline int Many(int n) { return n + 2; }", "#endif", "#endif", "", ""),
    ]
    registered = piece(found, "gpu/scale_kernel.cu")
    lines = [line for line in registered.split("\n") if line.startswith(("#if", "#end"))]
    assert lines == ["#ifndef PADDLE_WITH_HIP", "#endif", "#ifdef PADDLE_WITH_HIP", "#endif"]


def test_an_include_that_stood_in_an_if_stands_in_one_again(tmp_path: Path) -> None:
    text = operator_text("auto place = ctx.GetPlace();")
    text = text.replace(
        "namespace paddle {",
        "#ifdef __NVCC__\n"
        '#include "paddle/phi/backends/gpu/gpu_primitives.h"\n'
        '#include "paddle/fluid/platform/for_range.h"\n'
        '#endif\n#include "paddle/fluid/platform/for_range.h"\n'
        "#ifdef PADDLE_WITH_HIP\n"
        '#include "paddle/phi/backends/gpu/gpu_primitives.h"\n'
        "#endif\n\nnamespace paddle {",
        1,
    )
    text = text.replace('"op_registry.h"', '"paddle/fluid/framework/op_registry.h"')
    lines = piece(migrated(tmp_path, text), "cpu/scale_kernel.cc").split("\n")
    for build in ("__NVCC__", "PADDLE_WITH_HIP"):
        at = lines.index(f"#ifdef {build}")
        header = '#include "paddle/phi/backends/gpu/gpu_primitives.h"'
        assert lines[at : at + 3] == [f"#ifdef {build}", header, "#endif"]
    assert lines.count('#include "paddle/phi/kernels/funcs/for_range.h"') == 1


def test_what_comes_along_is_named_without_fluid_s_namespace(tmp_path: Path) -> None:
    before = "struct Doubled { int of; };\nint Twice(int n) { return 2 * n; }\n"
    body = "paddle::operators::Doubled d{operators::Twice(1)};"
    found = migrated(tmp_path, operator_text(body, before=before))
    assert body_of(piece(found, "cpu/scale_kernel.cc")) == "Doubled d{Twice(1)};"
    assert not [m for m in found.left if m.rule.key in ("unknown", "dependency")]


def test_a_gpu_s_files_have_nothing_of_a_cc(tmp_path: Path) -> None:
    """Each has a function of one name, and two kernels call it: CUDA's compiler would see both."""
    many = "static int Many(int n) { return n WHAT; }\n"
    (tmp_path / "test_op.cu").write_text(
        "namespace paddle {\nnamespace operators {\n"
        + many.replace("WHAT", "* 2")
        + "".join(
            f"template <typename T>\nclass {name}CUDA : public framework::OpKernel<T> {{\n public:\n"
            "  void Compute(const framework::ExecutionContext& ctx) const override {\n"
            "    Many(1);\n  }\n};\n"
            for name in ("One", "Two")
        )
        + "}\n}\nnamespace ops = paddle::operators;\n"
        "REGISTER_OP_CUDA_KERNEL(scale, ops::OneCUDA<float>);\n"
        "REGISTER_OP_CUDA_KERNEL(other, ops::TwoCUDA<float>);\n"
    )
    other = operator_text("Many(1);", op_type="other").replace("Test", "Other")
    other = other[other.index("template <") : other.index("class OtherOp ")]
    more = "REGISTER_OPERATOR(other, ops::TestOp, ops::TestOpMaker);\n"
    more += "REGISTER_OP_CPU_KERNEL(other, ops::OtherKernel<plat::CPUDeviceContext, float>);\n"
    before = many.replace("WHAT", "+ 1") + other
    found = migrated(tmp_path, operator_text("Many(1);", before=before, more=more))
    assert "n * 2" in piece(found, "funcs/many.cu.h")
    assert "many.h" not in piece(found, "funcs/many.cu.h")
    for name in ("scale", "other"):
        assert "funcs/many.h" not in piece(found, f"gpu/{name}_kernel.cu")
        assert "funcs/many.h" in piece(found, f"cpu/{name}_kernel.cc")


def test_a_gradient_s_name_in_a_message_is_that_name(tmp_path: Path) -> None:
    body = 'PADDLE_ENFORCE(1, "no %s", framework::GradVarName("X"));\nF(framework::GradVarName(a));'
    found = migrated(tmp_path, operator_text(body))
    assert body_of(piece(found, "cpu/scale_kernel.cc")).split("\n") == [
        'PADDLE_ENFORCE(1, "no %s", "X@GRAD");',
        "// TODO(migrate): the gradient of what name, is only known when this runs",
        "F(framework::GradVarName(a));",
    ]


def test_paddle_s_headers_are_known_in_either_brackets(tmp_path: Path) -> None:
    text = operator_text("").replace(
        "namespace paddle {",
        "#include <paddle/fluid/platform/device_context.h>\nnamespace paddle {",
        1,
    )
    text = text.replace('"op_registry.h"', '"paddle/fluid/framework/op_registry.h"')
    assert "platform/device_context.h" not in piece(migrated(tmp_path, text), "cpu/scale_kernel.cc")
