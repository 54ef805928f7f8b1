"""What replaces what: the tables of Paddle's migration guide, as data.

The guide is the document of 2023 by which Paddle's own people moved operators from Fluid to PHI.
Its tables (3.2.3 and 4.1) are here with their misspellings corrected, and what it says in prose is
rows too, each under its section. Rows of section "3.3.1" are not the guide's: real operators use
these names, and Paddle 3.3.1's headers say where they went.

A row is found by its key. `fluid_names` has the names that fall under each; rows without any are
applied by a module of their own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """A row. `printed` is the guide's own spelling of the left or the right side, if it errs."""

    key: str
    fluid: str
    phi: str
    section: str
    printed: str = ""


# The guide's two tables, row for row.
GUIDE_ROWS: tuple[Rule, ...] = (
    Rule("tensor", "framework::Tensor", "DenseTensor", "3.2.3", "farmework::Tensor"),
    Rule("lod_tensor", "framework::LoDTensor", "DenseTensor", "3.2.3", "farmework::LoDTensor"),
    Rule("context", "template DeviceContext", "template Context", "3.2.3"),
    Rule(
        "alloc",
        "out->mutable_data<T>(ctx.GetPlace())",
        "dev_ctx.template Alloc<T>(out)",
        "3.2.3",
        "out->mutbale_data(ctx.GetPlace()/place) | dev_ctx.template Alloc(out)",
    ),
    Rule(
        "data",
        "out->mutable_data<T>()",
        "out->data<T>()",
        "3.2.3",
        "auto* ptr = out->mutbale_data() | auto* ptr = out->data()",
    ),
    Rule(
        "resize_alloc",
        "out->mutable_data<T>(dims, place)",
        "out->Resize(dims); dev_ctx.template Alloc<T>(out)",
        "3.2.3",
        "out->mutbale_data(dims, place) | out->Resize(dims); dev_ctx.template Alloc(out)",
    ),
    Rule(
        "alloc_dtype",
        "out->mutable_data(place, dtype)",
        "dev_ctx.Alloc(out, dtype)",
        "3.2.3",
        "out->mutbale_data(place, dtype)",
    ),
    Rule(
        "errors",
        "platform::errors::XXX",
        "errors::XXX",
        "3.2.3",
        "platform::erros::XXX | erros::XXX",
    ),
    Rule(
        "dtype",
        "platform::float16, bfloat16, complex64, complex128",
        "dtype::float16, bfloat16, complex<float>, complex<double>",
        "3.2.3",
        "dtype::float16/bfloat16/complex64/complex128",
    ),
    Rule("eigen", "framework::Eigen…", "Eigen…", "3.2.3"),
    Rule("place", "platform::XXXPlace", "phi::XXXPlace", "3.2.3"),
    Rule(
        "generator",
        "framework::DefaultCPUGenerator()",
        "dev_ctx.GetGenerator()",
        "3.2.3",
        "dev_ctx.GetGenerator()->GetCPUEngine()",
    ),
    Rule("lod", "framework::LoD", "phi::LoD", "3.2.3"),
    Rule("copy", "framework::TensorCopy, TensorCopySync", "phi::Copy", "3.2.3"),
    Rule(
        "is_place",
        "platform::is_xxx_place(place)",
        "place.GetType() == phi::AllocationType::XXX",
        "3.2.3",
        "platform::is_xxx_place",
    ),
    Rule("set_dims", "ctx->SetOutputDim", "out->set_dims", "4.1"),
    Rule("share_lod", "ctx->ShareLoD", "out->share_lod", "4.1", "ctx->ShareLod"),
)

# What the guide says without a table.
_IN_PROSE: tuple[Rule, ...] = (
    Rule("kernel", "a class with Compute", "a function", "3.2.1"),
    Rule("input", 'ctx.Input<Tensor>("X")', "const DenseTensor& x", "3.2.2"),
    Rule("output", 'ctx.Output<Tensor>("Out")', "DenseTensor* out", "3.2.2"),
    Rule("attribute", 'ctx.Attr<int>("axis")', "int axis", "3.2.2"),
    Rule("device_context", "ctx.device_context<DeviceContext>()", "dev_ctx", "3.2.2"),
    Rule("get_place", "ctx.GetPlace()", "dev_ctx.GetPlace()", "3.2.2"),
    Rule(
        "dispensable",
        "AsDispensable",
        "const paddle::optional<DenseTensor>&",
        "3.2.2",
    ),
    Rule("in_an_if", "an input set inside an if", "paddle::optional", "3.2.2"),
    Rule(
        "duplicable",
        "AsDuplicable",
        "const std::vector<const DenseTensor*>&, std::vector<DenseTensor*>",
        "3.1.1",
    ),
    Rule("context_alone", "a kernel without T", "template <typename Context>", "3.1.1"),
    Rule("order", "names, in any order", "inputs, attributes, outputs", "3.1.1"),
    Rule("snake_case", 'AddAttr<bool>("ISTest")', "bool is_test", "3.1.1"),
    Rule("gradient_order", "SingleGradOpMaker", "inputs, outputs, their gradients", "3.1.2"),
    Rule("function", "a function that kernels call", "beside the kernel or in funcs/", "3.2.4"),
    Rule("dependency", "a dependency that stays in Fluid", "the kernel stays there", "3.2.4"),
    Rule("include", '#include "paddle/fluid/…"', "PHI's headers", "3.2.5"),
    Rule("register", "REGISTER_OP_CPU_KERNEL", "PD_REGISTER_KERNEL", "3.3"),
    Rule("output_dtype", "an output of another type", "kernel->OutputAt(0)", "3.3"),
    Rule("mapping", "the op maker's names", "KernelSignature", "3.4"),
    Rule("deleted", "REGISTER_OP_CPU_KERNEL, REGISTER_OP_CUDA_KERNEL", "", "3.5"),
    Rule("infer_meta", "InferShape", "InferMeta", "4.1"),
    Rule("dims", 'ctx->GetInputDim("X")', "x.dims()", "4.1"),
    Rule("set_dtype", "", "out->set_dtype(x.dtype())", "4.1"),
    Rule("open_shape", "an output without dims", "out->set_dims", "4.1"),
    Rule("is_runtime", "ctx->IsRuntime()", "config.is_runtime", "4.1"),
    Rule("functor", "the class's InferShape", "DECLARE_INFER_SHAPE_FUNCTOR", "4.2"),
    Rule("output_read", "an output read by its own kernel", "written only", "5"),
    Rule("v2", "expand_v2", "PD_REGISTER_BASE_KERNEL_NAME", "6"),
    Rule("scalar", "axis and AxisTensor", "const Scalar& axis", "6"),
    Rule("int_array", "shape and ShapeTensor", "const IntArray& shape", "6", "ScalarArray"),
)

# What real operators need besides.
_OF_OUR_OWN: tuple[Rule, ...] = (
    Rule("checked", 'PADDLE_ENFORCE(ctx->HasInput("X"))', "", "3.3.1"),
    Rule("present", 'ctx.HasInput("X")', "x.get_ptr() != nullptr", "3.3.1"),
    Rule("variable", 'ctx.InputVar("X")->Get<LoDTensor>()', "x", "3.3.1"),
    Rule("selected_rows", 'ctx.Input<SelectedRows>("X")', "const SelectedRows& x", "3.3.1"),
    Rule("all_dims", "ctx->SetOutputsDim", "out[i]->set_dims", "3.3.1"),
    Rule("ddim", "framework::DDim, make_ddim, vectorize", "phi::…", "3.3.1"),
    Rule("dtype_of", "x->type()", "x.dtype()", "3.3.1"),
    Rule("data_type", "framework::proto::VarType::Type", "phi::DataType", "3.3.1"),
    Rule("device", "platform::CPUDeviceContext", "phi::CPUContext", "3.3.1"),
    Rule("funcs", "operators::math::…", "phi::funcs::…", "3.3.1"),
    Rule("unknown", "a name of Fluid's", "", "3.3.1"),
)

RULES: dict[str, Rule] = {r.key: r for r in (*GUIDE_ROWS, *_IN_PROSE, *_OF_OUR_OWN)}


# --- Where the guide errs -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Erratum:
    """What the guide says, and what is so. `lessons/ERRATA.md` has a row for each."""

    said: str
    so: str


ERRATA: tuple[Erratum, ...] = (
    Erratum("farmework::Tensor", "framework::Tensor"),
    Erratum("mutbale_data", "mutable_data"),
    Erratum("platform::erros::XXX", "platform::errors::XXX"),
    Erratum("framework::DefaultCPUGenerato", "framework::DefaultCPUGenerator"),
    Erratum("ctx->ShareLod", "ctx->ShareLoD"),
    Erratum("dev_ctx.template Alloc(out)", "dev_ctx.template Alloc<T>(out)"),
    Erratum("dtype::complex64", "dtype::complex<float>"),
    Erratum("dev_ctx.GetGenerator()->GetCPUEngine()", "dev_ctx.GetGenerator()"),
    Erratum("phi::CUDAPlace", "phi::GPUPlace"),
    Erratum("dim1", "axis1"),
    Erratum("kernels/fused", "kernels/fusion"),
    Erratum("ScalarArray", "IntArray"),
)
