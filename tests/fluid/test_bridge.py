"""From Fluid's names to PHI's parameters: signatures by default, and what goes wrong on the way."""

import os
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.fluid.default_signature import default_signature
from registry_runtime.fluid.op_proto import Attr, OpProto, Var
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.program import Program
from tests.samples.macro_reader import read_macros
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

FLUID = Path(__file__).parents[2] / "cpp_samples" / "fluid"
X = np.arange(12.0).reshape(3, 4)
AXES = {"offset": 0, "axis1": 0, "axis2": 1}


def opened(program: Program, tmp_path: Path, text: str, *headers: str) -> Workbench:
    path = tmp_path / f"text{len(list(tmp_path.iterdir()))}.cc"
    includes = "".join(f'#include "{FLUID / header}"\n' for header in headers)
    path.write_text(includes + text)
    return open_file(path, None, program)


def token(error: OpError) -> str:
    assert error.span is not None
    return error.source[error.span.start : error.span.end]


def maker(names: str) -> str:
    return (
        "namespace paddle { namespace operators {\n"
        "class MyOp : public framework::OperatorWithKernel {\n"
        " public:\n  using framework::OperatorWithKernel::OperatorWithKernel;\n"
        "  void InferShape(framework::InferShapeContext* ctx) const override {\n"
        '    ctx->SetOutputDim("Out", ctx->GetInputDim("X"));\n  }\n};\n'
        "class MyOpMaker : public framework::OpProtoAndCheckerMaker {\n"
        f' public:\n  void Make() override {{\n    AddComment("");\n{names}\n  }}\n}};\n}} }}\n'
        "REGISTER_OPERATOR(trace, paddle::operators::MyOp, paddle::operators::MyOpMaker);\n"
    )


class TestDefaultSignature:
    def test_what_a_kernel_never_takes_is_left_out(self) -> None:
        proto = OpProto(
            "op",
            [Var("X", ""), Var("Y", "", dispensable=True), Var("Z", "", extra=True)],
            [Var("Out", ""), Var("Mask", "", quant=True), Var("XShape", "", intermediate=True)],
            [
                Attr("axis", "int", ""),
                Attr("use_mkldnn", "bool", ""),
                Attr("use_cudnn", "bool", ""),
                Attr("op_device", "std::string", ""),
                Attr("scale", "float", "", quant=True),
                Attr("seed", "int", "", extra=True),
                Attr("keep", "bool", ""),
            ],
        )
        assert str(default_signature(proto, "kernel")) == (
            "Kernel Signature - name: kernel; inputs: X; attributes: axis, keep; "
            "outputs: Out, XShape"
        )

    def test_trace_needs_no_mapping(self) -> None:
        program = load([FLUID / "between" / "trace_op.cc", FLUID / "after" / "trace_kernel.cc"])
        made = program.fluid.call_op("trace", {"Input": X}, {"offset": 1})
        assert made["Out"] == np.trace(X, 1)

    def test_a_base_name_leads_to_the_kernel(self, tmp_path: Path) -> None:
        program = load([FLUID / "after" / "trace_kernel.cc"])
        text = maker(
            '    AddInput("X", "");\n    AddOutput("Out", "");\n'
            '    AddAttr<int>("a", "").SetDefault(0);\n'
            '    AddAttr<int>("b", "").SetDefault(0);\n'
            '    AddAttr<int>("c", "").SetDefault(1);'
        ).replace("REGISTER_OPERATOR(trace,", "REGISTER_OPERATOR(my,")
        text = text.replace('ctx->GetInputDim("X")', "framework::make_ddim({1})")
        opened(
            program,
            tmp_path,
            f"{text}PD_REGISTER_BASE_KERNEL_NAME(my, trace);\n",
            "op_registry.h",
            "op_utils.h",
        )
        made = program.fluid.call_op("my", {"X": X})["Out"]
        np.testing.assert_array_equal(made, [np.trace(X)])

    def test_other_names_than_the_kernel_has_parameters(self, tmp_path: Path) -> None:
        program = load([FLUID / "after" / "trace_kernel.cc"])
        names = (
            '    AddInput("X", "");\n    AddInput("Y", "");\n    AddInput("Z", "");\n'
            '    AddOutput("Out", "");'
        )
        opened(program, tmp_path, maker(names), "op_registry.h")
        with pytest.raises(OpError) as error:
            program.fluid.call_op("trace", {"X": X, "Y": X, "Z": X})
        assert (
            "Expected input_names.size() == input_defs.size(), but received "
            "input_names.size():3 != input_defs.size():1.]"
        ) in str(error.value)
        assert "PD_REGISTER_ARG_MAPPING_FN(trace, …)" in str(error.value)
        assert token(error.value).startswith('AddInput("X", "")')  # the maker is to blame


@pytest.mark.paddle
def test_default_signatures_are_paddles() -> None:
    """Of Paddle's own operators with neither optional inputs nor attributes that may be tensors, six
    in seven take what their makers list; the others have mappings that say otherwise."""
    paddle = pytest.importorskip("paddle")
    from paddle.base import core, framework
    from paddle.base.proto import framework_pb2

    tracer, equal, compared = framework._dygraph_tracer(), 0, 0
    tensor = core.eager.Tensor(value=np.ones((2, 2), "f4"), place=paddle.CPUPlace())
    for serialised in core.get_all_op_protos():
        theirs = framework_pb2.OpProto.FromString(bytes(serialised))
        slots = [*theirs.inputs, *theirs.outputs]
        if any(v.dispensable or v.extra or v.duplicable for v in slots):
            continue
        if any(a.support_tensor for a in theirs.attrs):
            continue
        try:
            inputs = {v.name: [tensor] for v in theirs.inputs}
            names = tracer._get_kernel_signature(theirs.type, inputs, {}, {})
        except (RuntimeError, ValueError):
            continue  # its mapping asks for an attribute
        if not any(names):
            continue  # PHI has no kernel for it
        proto = OpProto(
            theirs.type,
            [Var(v.name, "", quant=v.quant) for v in theirs.inputs],
            [Var(v.name, "", quant=v.quant) for v in theirs.outputs],
            [Attr(a.name, "", "", extra=a.extra, quant=a.quant) for a in theirs.attrs],
        )
        ours = default_signature(proto, theirs.type)
        compared += 1
        equal += list(map(tuple, names)) == [ours.input_names, ours.attr_names, ours.output_names]
    assert compared > 300
    assert equal > 0.86 * compared


PADDLE = Path(os.environ.get("PADDLE_INCLUDE", "")) / "paddle"


@pytest.mark.paddle
@pytest.mark.skipif(
    "PADDLE_INCLUDE" not in os.environ or not PADDLE.is_dir(),
    reason="PADDLE_INCLUDE names no folder with Paddle's headers",
)
def test_every_check_has_paddles_tokens() -> None:
    theirs = read_macros(
        "\n".join((PADDLE / "common" / f"{h}.h").read_text() for h in ("macros", "enforce")), set()
    )
    ours = read_macros((FLUID / "enforce.h").read_text(), set())
    del ours["OP_INOUT_CHECK"]  # of a header that no wheel brings along
    assert len(ours) > 9
    assert ours == {name: theirs.get(name) for name in ours}


class TestMappings:
    def test_to_a_kernel_that_nobody_registered(self, tmp_path: Path) -> None:
        program = load([FLUID / "between" / "trace_op.cc", FLUID / "after" / "trace_kernel.cc"])
        mapping = (
            "namespace phi {\nKernelSignature Map(const ArgumentMappingContext& ctx) {\n"
            '  return KernelSignature("tracee", {"Input"}, {"offset"}, {"Out"});\n}\n}\n'
            "PD_REGISTER_ARG_MAPPING_FN(trace, phi::Map);\n"
        )
        bench = opened(program, tmp_path, mapping, "op_utils.h")
        with pytest.raises(OpError, match="`tracee` is not registered; did you mean `trace`"):
            program.fluid.call_op("trace", {"Input": X})
        with pytest.raises(OpError) as error:
            program.fluid.call_op("trace", {"Input": X})
        assert token(error.value) == '"tracee"'
        assert error.value.span is not None
        assert bench.at_source("", error.value.span).where.line == 4

    def test_a_deprecated_name_is_never_phis(self, tmp_path: Path) -> None:
        program = load([FLUID / "after" / "trace_kernel.cc"])
        text = maker('    AddInput("X", "");\n    AddOutput("Out", "");')
        text = text.replace("REGISTER_OPERATOR(trace,", "REGISTER_OPERATOR(matmul,")
        mapping = (
            "namespace phi {\nKernelSignature Map(const ArgumentMappingContext& ctx) {\n"
            '  return KernelSignature("trace", {"X"}, {}, {"Out"});\n}\n}\n'
            "PD_REGISTER_ARG_MAPPING_FN(matmul, phi::Map);\n"
        )
        opened(program, tmp_path, text + mapping, "op_registry.h", "op_utils.h")
        with pytest.raises(OpError, match="There are no kernels which are registered in the matm"):
            program.fluid.call_op("matmul", {"X": X})


class TestOpenShapes:
    def test_an_infermeta_that_forgets_a_way(self, tmp_path: Path) -> None:
        program = load([FLUID / "trace_sig.cc"])
        text = (
            "namespace phi {\n"
            "void MyInferMeta(const MetaTensor& x, int offset, int a, int b, MetaTensor* out) {\n"
            "  if (x.dims().size() > 2) {\n"
            "    auto sizes = phi::vectorize(x.dims());\n"
            "    sizes.erase(sizes.begin() + std::max(a, b));\n"
            "    sizes.erase(sizes.begin() + std::min(a, b));\n"
            "    out->set_dims(phi::make_ddim(sizes));\n  }\n"
            "  out->set_dtype(x.dtype());\n}\n}\n"
            "PD_REGISTER_INFER_META_FN(trace, phi::MyInferMeta);\n"
        )
        opened(program, tmp_path, text, "infermeta_utils.h")
        made = program.phi.infer_op("trace", {"Input": X.reshape(3, 2, 2)}, AXES)["Out"]
        assert made.dims == (2,)
        with pytest.raises(OpError, match=r"MyInferMeta leaves the dims of output Out open") as e:
            program.phi.infer_op("trace", {"Input": X}, AXES)
        assert token(e.value) == "MyInferMeta"

    def test_an_infershape_that_does(self, tmp_path: Path) -> None:
        program = Program()
        names = '    AddInput("X", "");\n    AddOutput("Out", "");\n    AddOutput("Mask", "");'
        opened(program, tmp_path, maker(names), "op_registry.h")
        with pytest.raises(OpError, match="InferShape leaves the dims of output Mask open") as e:
            program.fluid.infer_op("trace", {"X": X})
        assert token(e.value) == "InferShape"

    def test_an_operator_that_has_none(self, tmp_path: Path) -> None:
        program = Program()
        text = maker('    AddInput("X", "");\n    AddOutput("Out", "");')
        text = text.replace("InferShape(framework::InferShapeContext* ctx)", "Nothing(int ctx)")
        opened(program, tmp_path, text, "op_registry.h")
        with pytest.raises(OpError, match="The default InferShape function of OperatorWithKernel"):
            program.fluid.infer_op("trace", {"X": X})


class TestTheGradientOfTrace:
    """Its InferMeta looks at x alone, so that its kernel has to."""

    @pytest.mark.parametrize(
        ("x", "out_grad", "axes", "message"),
        [
            (X[0], X[0, 0], (0, 0, 1), r"Input\(x\)'s dim is out of range \(expected at least 2"),
            (X, X[0, 0], (0, 0, 5), "axis2 is out of range"),
            (X, X[0, 0], (0, 1, 1), "The dimensions should not be identical 1 vs 1"),
            (X, X[0], (0, 0, 1), r"out_grad has dims \[4\], and the trace of x"),
        ],
    )
    def test_of_what_has_no_trace(
        self, x: object, out_grad: object, axes: tuple[int, ...], message: str
    ) -> None:
        program = load([FLUID / "after" / "trace_kernel.cc"])
        with pytest.raises(KernelError, match=message):
            program.call("trace_grad", x, np.asarray(out_grad), *axes)

    def test_a_matrix_takes_the_one_element_of_fluids_times(self) -> None:
        program = load([FLUID / "after" / "trace_kernel.cc"])
        made = [program.call("trace_grad", X, np.full(d, 2.0), 0, 0, 1) for d in ((), (1,))]
        np.testing.assert_array_equal(made[0], made[1])
        np.testing.assert_array_equal(made[0], 2 * np.eye(3, 4))


CLASS = """
namespace paddle {{ namespace operators {{
template <typename DeviceContext, typename T>
class MyKernel : public framework::OpKernel<T> {{
 public:
  void Compute(const framework::ExecutionContext& context) const override {{
    auto* out = context.Output<framework::Tensor>("Out");
    {}
  }}
}};
}} }}
REGISTER_OP_CPU_KERNEL(
    my, paddle::operators::MyKernel<paddle::platform::CPUDeviceContext, float>);
"""
FUNCTION = """
namespace phi {{
template <typename T, typename Context>
void MyKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {{
  {}
}}
}}
PD_REGISTER_KERNEL(my, CPU, ALL_LAYOUT, phi::MyKernel, float, double) {{}}
"""
TAKEN = "T* data = out->mutable_data<T>(context.GetPlace());"
ALLOCATED = "T* data = dev_ctx.template Alloc<T>(out);"


class TestOutputs:
    @pytest.mark.parametrize(
        ("text", "body", "said"),
        [
            (CLASS, "auto* p = out->data<T>();", "`out->data<T>()` asks output `Out` for memory"),
            (CLASS, f"{TAKEN} if (data[0] > 0) data[0] = 1;", "`data[0]` reads output `Out`"),
            (CLASS, f"{TAKEN} *data += 1;", "`*data` reads output `Out`"),
            (FUNCTION, "T* p = out->data<T>();", "`out->data<T>()` asks output `out` for memory"),
            (FUNCTION, f"{ALLOCATED} while (*data > 0) {{}}", "`*data` reads output `out`"),
            (CLASS, f"{TAKEN} data[0] = 1; data[1] = data[0];", ""),
            (CLASS, f"{TAKEN} std::fill(data, data + 3, 0); if (data[1] > 0) {{}}", ""),
            (CLASS, "auto dims = out->dims();", ""),
            (FUNCTION, f"{ALLOCATED} Fill(dev_ctx, out); T first = *data;", ""),
            (FUNCTION, f"{ALLOCATED} data[0] = x.data<T>()[0];", ""),
            (FUNCTION, f"{ALLOCATED} T* row = data + 3; row[0] = 1; T third = data[3];", ""),
            (CLASS, f"{TAKEN} T* row = &data[3]; *row = 1; T third = data[3];", ""),
        ],
    )
    def test_read_inside_their_own_kernel(
        self, tmp_path: Path, text: str, body: str, said: str
    ) -> None:
        bench = opened(
            Program(), tmp_path, text.format(body), "op_registry.h", "../phi/kernel_registry.h"
        )
        found = [d for d in bench.diagnostics if "output `" in d.message]
        assert [d.message.startswith(said) for d in found] == ([True] if said else [])
        if said:
            line = bench.path.read_text().splitlines()[found[0].where.line - 1]
            shown = said.partition("`")[2].partition("`")[0]
            assert line[found[0].where.column - 1 :].startswith(shown)


@pytest.mark.parametrize(
    ("condition", "runs"), [('ctx.HasInput("X")', True), ("nowhere::is_so(ctx)", False)]
)
def test_a_mapping_whose_body_is_not_understood_has_nothing_to_run(
    tmp_path: Path, condition: str, runs: bool
) -> None:
    path = tmp_path / "a_sig.cc"
    path.write_text(
        '#include "op_utils.h"\nnamespace phi {\n'
        "KernelSignature AOpArgumentMapping(const ArgumentMappingContext& ctx) {\n"
        f'  if ({condition}) {{}} return KernelSignature("a", {{"X"}}, {{}}, {{"Out"}});\n'
        "}\n}\nPD_REGISTER_ARG_MAPPING_FN(a, phi::AOpArgumentMapping);\n"
    )
    options = Options(include_folders=(str(samples_folder() / "fluid"),))
    [entry] = open_file(path, options).entries
    assert entry.registration.runnable is runs
