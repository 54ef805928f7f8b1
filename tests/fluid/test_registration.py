"""What Fluid's macros enter, operators and kernels under their keys, and what can go wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from registry_runtime.fluid.op_info_filler import FILLERS
from registry_runtime.fluid.op_kernel_type import LibraryType, OpKernelType, VarType
from registry_runtime.fluid.registered import FRAMEWORK_CLASSES
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.kernel import KernelRegisteredType
from registry_runtime.phi.place import CPU_PLACE, GPUPlace
from registry_runtime.program import Program
from tests.fluid.texts import FLUID, Opened, told

OPERATOR = """\
class O : public paddle::framework::OperatorWithKernel {
 public:
  using paddle::framework::OperatorWithKernel::OperatorWithKernel;
};
"""
KERNEL = "template <typename D, typename T> class K : public paddle::framework::OpKernel<T> {};\n"
DTYPES = ["float", "double", "int", "int64_t", "float16", "complex<float>", "complex<double>"]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return Opened(tmp_path)


def entries(program: Program) -> dict[str, list[str]]:
    return {
        op: [str(key.data_type).removeprefix("::phi::dtype::") for key in kernels]
        for op, kernels in program.fluid.op_kernels.items()
    }


def test_before_the_migration_all_of_trace_is_fluids(opened: Opened) -> None:
    bench = opened.sample("trace_op.cc")
    assert told(bench) == []
    fluid = opened.program.fluid
    assert list(fluid.op_info_map.map()) == ["trace", "trace_grad"]
    assert entries(opened.program) == {"trace": DTYPES, "trace_grad": DTYPES}
    assert opened.program.phi.factory.kernels == {}
    trace, gradient = (fluid.op_info_map.Get(name) for name in ("trace", "trace_grad"))
    assert trace.proto is not None
    assert trace.HasNonEmptyGradOpMaker()
    assert str(trace.infer_shape) == "paddle::operators::TraceOp::InferShape"
    assert gradient.proto is None
    assert not gradient.HasGradOpMaker()
    assert gradient.no_need_buffer_vars == ("Input",)


def test_halfway_its_kernels_are_phis(opened: Opened) -> None:
    for name in ("between/trace_op.cc", "after/trace_kernel.cc", "trace_sig.cc"):
        assert told(opened.sample(name)) == []
    assert opened.program.fluid.op_kernels == {}
    assert list(opened.program.phi.factory.kernels) == ["trace", "trace_grad"]
    trace = opened.program.fluid.op_info_map.Get("trace")
    assert str(trace.infer_shape) == "TraceInferShapeFunctor::operator()"


def test_a_class_may_be_registered_with_phi_as_it_is(opened: Opened) -> None:
    for name in ("between/trace_op.cc", "trace_sig.cc", "between/trace_struct_kernel.cc"):
        assert told(opened.sample(name)) == []
    for keys in opened.program.phi.factory.kernels.values():
        assert {kernel.registered_type for kernel in keys.values()} == {
            KernelRegisteredType.STRUCTURE
        }
        assert all(not kernel.args_def.input_defs for kernel in keys.values())
    x = np.arange(6, dtype="f4").reshape(2, 3)
    out = opened.program.fluid.call_op("trace", {"Input": x}, {"offset": 1})
    np.testing.assert_array_equal(out["Out"], np.trace(x, 1))


def test_registrations_come_with_their_places_and_classes(opened: Opened) -> None:
    made = [entry.registration for entry in opened.sample("trace_op.cc").entries]
    operators = [r for r in made if getattr(r, "kind", "") == "operator"]
    assert [(r.kernel_name, str(r.key)) for r in operators] == [
        ("trace", "operator"),
        ("trace_grad", "operator"),
    ]
    kernel = made[2]
    assert kernel.function == "paddle::operators::TraceKernel<phi::CPUContext, float>"
    assert (kernel.runnable, kernel.replaced) == (True, False)
    assert kernel.body is not None
    assert str(kernel.key) == (
        "{data_type[float]; data_layout[Undefined(AnyLayout)]; "
        "place[Place(cpu)]; library_type[PLAIN]}"
    )


def test_a_key_is_of_type_place_and_library(opened: Opened) -> None:
    bench = opened.text(
        KERNEL
        + "REGISTER_OP_CUDA_KERNEL(x, K<phi::GPUContext, double>);\n"
        + "REGISTER_OP_KERNEL(x, CUDNN, ::phi::GPUPlace, K<phi::GPUContext, double>);\n"
        + "REGISTER_OP_KERNEL(x, MKLDNN, ::phi::CPUPlace, K<phi::CPUContext, float>);\n"
        + "REGISTER_OP_KERNEL_WITH_CUSTOM_TYPE(x, MKLDNN, ::phi::CPUPlace, INT8, 1,"
        + " K<phi::CPUContext, int8_t>);",
        "PADDLE_WITH_CUDA",
    )
    assert told(bench) == []
    any_, mkldnn = DataLayout.kAnyLayout, DataLayout.kMKLDNN
    assert list(opened.program.fluid.op_kernels["x"]) == [
        OpKernelType(VarType.FP64, GPUPlace(), any_, LibraryType.kPlain),
        OpKernelType(VarType.FP64, GPUPlace(), any_, LibraryType.kCUDNN),
        OpKernelType(VarType.FP32, CPU_PLACE, mkldnn, LibraryType.kMKLDNN),
        OpKernelType(VarType.INT8, CPU_PLACE, mkldnn, LibraryType.kMKLDNN, 1),
    ]
    devices = opened.program.phi._world.devices
    assert [str(key.phi_kernel_key(devices)) for key in opened.program.fluid.op_kernels["x"]] == [
        "(GPU, Undefined(AnyLayout), float64)",
        "(GPUDNN, Undefined(AnyLayout), float64)",
        "(ONEDNN, ONEDNN, float32)",
        "(ONEDNN, ONEDNN, int8)",
    ]


def test_functors_stand_behind_their_types(opened: Opened) -> None:
    text = (
        "struct F {}; struct G {};\nstatic ::paddle::framework::OpKernelRegistrarEx<::phi::CPUPlace,"
        ' float, F, int, G> r("x", "CPU", 0);\n'
    )
    assert told(opened.text(text)) == []
    assert entries(opened.program) == {"x": ["float", "int"]}
    assert told(opened.text(text.replace(", G>", ">").replace('"x"', '"y"'))) == [
        'error: `int` has no functor behind it @ int> r("y", "CPU", 0);'
    ]


def test_without_cuda_its_kernels_expand_to_nothing(opened: Opened) -> None:
    assert told(opened.sample("trace_op.cu.cc")) == []
    assert opened.program.phi.factory.kernels == {}


def test_a_kernel_whose_key_is_taken_replaces_in_silence(opened: Opened) -> None:
    first = opened.text(KERNEL + "REGISTER_OP_CPU_KERNEL(x, K<phi::CPUContext, int>);")
    changed = (
        KERNEL.replace("class K", "class Q") + "REGISTER_OP_CPU_KERNEL(x, Q<phi::CPUContext, int>);"
    )
    second = opened.text(changed)
    assert told(first) == told(second) == []
    assert [e.registration.replaced for e in (*first.entries, *second.entries)] == [False, True]
    kernels = opened.program.fluid.op_kernels["x"]
    assert list(map(str, kernels.values())) == ["Q<phi::CPUContext, int>"]
    second.take_back()
    assert list(map(str, opened.program.fluid.op_kernels["x"].values())) == [
        "K<phi::CPUContext, int>"
    ]
    first.take_back()
    assert opened.program.fluid.op_kernels == {}


def test_what_is_taken_back_can_be_registered_again(opened: Opened) -> None:
    bench = opened.sample("trace_op.cc")
    before = entries(opened.program)
    bench.take_back()
    assert opened.program.fluid.op_info_map.map() == {}
    assert told(opened.sample("trace_op.cc")) == []
    assert entries(opened.program) == before


# --- Bad input ------------------------------------------------------------------------------------


def test_an_operator_that_two_files_register(opened: Opened) -> None:
    opened.sample("trace_op.cc")
    before = entries(opened.program)
    assert told(opened.sample("between/trace_op.cc")) == [
        f"error: Operator '{name}' is registered more than once. @ {written}"
        for name, written in (
            ("trace", "trace,"),
            ("trace_grad", "trace_grad, ops::TraceOpGrad, ops::TraceGradNoNeedBufferVarsInferer);"),
        )
    ]
    assert entries(opened.program) == before


def test_an_operator_that_one_file_registers_twice(opened: Opened) -> None:
    bench = opened.text(OPERATOR + "REGISTER_OPERATOR(x, O);\nREGISTER_OPERATOR(x, O);")
    assert told(bench) == ["error: `x` is registered twice in this file @ x, O);"]
    line = "REGISTER_OP_CPU_KERNEL(x, K<phi::CPUContext, int>);\n"
    assert told(opened.text(KERNEL + line + line)) == [
        "error: `x` has its CPU kernels registered twice in this file @ x, K<phi::CPUContext, int>);"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "struct X {};\nREGISTER_OPERATOR(x, O, X);",
            "`X` is nothing that REGISTER_OPERATOR knows what to do with. @ X);",
        ),
        (
            "REGISTER_OPERATOR(x, ops::Gone);",
            "`ops::Gone` is nothing that REGISTER_OPERATOR knows what to do with. "
            "The text doesn't define it: is a header missing? @ ops::Gone);",
        ),
        (
            "struct P : paddle::framework::OperatorWithKernel {};\nREGISTER_OPERATOR(x, P);",
            "`P` has no constructor that takes (type, inputs, outputs, attrs), and Paddle makes its "
            "objects so @ P);",
        ),
        (
            "struct P : O {};\nREGISTER_OPERATOR(x, P);",
            "`P` has no constructor that takes (type, inputs, outputs, attrs), and Paddle makes its "
            "objects so @ P);",
        ),
        (
            "struct P : O { P(int, int, int, int) = delete; };\nREGISTER_OPERATOR(x, P);",
            "`P` has no constructor that takes (type, inputs, outputs, attrs), and Paddle makes its "
            "objects so @ P);",
        ),
        (
            "template <typename T> struct G : paddle::framework::SingleGradOpMaker<T> {};\n"
            "REGISTER_OPERATOR(x, O, G<paddle::framework::OpDesc>);",
            "`G<paddle::framework::OpDesc>` has no constructor that takes (fwd_op, no_grad_set, "
            "grad_to_var, grad_block), and Paddle makes its objects so "
            "@ G<paddle::framework::OpDesc>);",
        ),
        (
            "struct M : paddle::framework::OpProtoAndCheckerMaker {\n"
            "  explicit M(int) {}\n  void Make() override {}\n};\nREGISTER_OPERATOR(x, O, M);",
            "`M` has no constructor that takes nothing, and Paddle makes its objects so @ M);",
        ),
        (
            "struct M : paddle::framework::OpProtoAndCheckerMaker {\n"
            "  void Make() override {}\n};\nREGISTER_OPERATOR(x, O, M);",
            "Fail to initialize x's OpProto, because comment is not initialized. @ M);",
        ),
        (
            "class P : O { using O::O; };\nREGISTER_OPERATOR(x, P);",
            "`P` is privately derived @ P);",
        ),
        (
            "template <typename D, typename T>\nclass L : public paddle::framework::OpKernel<T> {\n"
            "  void Compute(const paddle::framework::ExecutionContext& ctx) const override {}\n};\n"
            "REGISTER_OP_CPU_KERNEL(x, L<phi::CPUContext, int>);",
            "`Compute` is not public in `L<phi::CPUContext, int>`, and Paddle calls it "
            "@ L<phi::CPUContext, int>);",
        ),
        ("REGISTER_OPERATOR(x, O, O);", "OpCreator of x has been registered @ O);"),
        (
            "struct N : paddle::framework::NoNeedBufferVarsInference {\n"
            "  int operator()(const paddle::framework::InferNoNeedBufferVarsContext&) const {\n"
            "    return 3;\n  }\n};\nREGISTER_OPERATOR(x, O, N);",
            "N's operator() returns no names @ N);",
        ),
        (
            "namespace a { REGISTER_OPERATOR(x, O); }",
            "REGISTER_OPERATOR must be called in global namespace @ REGISTER_OPERATOR(x, O); }",
        ),
        (
            "REGISTER_OP_CPU_KERNEL(x, K<phi::CPUContext, char*>);",
            "Not support char* as tensor data type. @ K<phi::CPUContext, char*>);",
        ),
        (
            "REGISTER_OP_CPU_KERNEL(x, K<phi::CPUContext, int>, O);",
            "`O` has no ELEMENT_TYPE: it is derived from no OpKernel<T> @ O);",
        ),
        ("REGISTER_OP_CPU_KERNEL(x, 3);", "a class is wanted here, not `3` @ 3);"),
        (
            "REGISTER_OP_KERNEL(x, CUBLAS, ::phi::GPUPlace, K<phi::GPUContext, int>);",
            "Unknown LibraryType string (CUBLAS), only support library type string include PLAIN, "
            "MKLDNN, CUDNN, CPU, CUDA, IPU, MLU, NPU, XPU and XP. "
            "@ CUBLAS, ::phi::GPUPlace, K<phi::GPUContext, int>);",
        ),
        (
            "REGISTER_OP_KERNEL(x, CPU, ::phi::Nowhere, K<phi::CPUContext, int>);",
            "`phi::Nowhere` is no place @ ::phi::Nowhere, K<phi::CPUContext, int>);",
        ),
    ],
)
def test_what_does_not_compile_registers_nothing(opened: Opened, text: str, message: str) -> None:
    assert told(opened.text(OPERATOR + KERNEL + text)) == [f"error: {message}"]
    fluid = opened.program.fluid
    assert (dict(fluid.op_info_map.map()), fluid.op_kernels) == ({}, {})


def test_an_operator_that_has_no_class_is_not_called(opened: Opened) -> None:
    maker = (
        "struct M : paddle::framework::OpProtoAndCheckerMaker {\n"
        '  void Make() override { AddComment(""); }\n};\n'
    )
    object_ = 'static paddle::framework::OperatorRegistrar<M> made("x");'
    assert told(opened.text(maker + object_)) == []
    fluid = opened.program.fluid
    for call in (fluid.call_op, fluid.infer_op):
        with pytest.raises(OpError, match="Operator's Creator has not been registered"):
            call("x", {})


@pytest.mark.parametrize(
    "operator",
    [
        "struct P : O { using O::O; };",
        "using B = paddle::framework::OperatorWithKernel;\nstruct P : B { using B::B; };",
        "struct P : O {\n"
        "  P(const std::string& type, const paddle::framework::VariableNameMap& in,\n"
        "    const paddle::framework::VariableNameMap& out,\n"
        "    const paddle::framework::AttributeMap& attrs) : O(type, in, out, attrs) {}\n};",
        "struct Q : O { using O::O; };\ntemplate <typename T> struct R : Q { using Q::Q; };\n"
        "struct P : R<int> { using R<int>::R; };",
    ],
)
def test_an_operators_class_has_the_constructor_that_makes_it(
    opened: Opened, operator: str
) -> None:
    assert told(opened.text(OPERATOR + operator + "\nREGISTER_OPERATOR(x, P);")) == []


def test_a_class_of_a_header_is_found_with_its_bases(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "base.h").write_text(
        f'#include "{FLUID / "op_registry.h"}"\n'
        "namespace n {\nclass Base : public paddle::framework::OpProtoAndCheckerMaker {\n"
        'public: void Make() override { AddInput("X", ""); AddComment(""); More(); }\n'
        "virtual void More() = 0; };\n}\n"
    )
    (tmp_path / "more.h").write_text(
        '#include "base.h"\n'
        'struct Maker : n::Base { void More() override { AddOutput("Out", ""); } };\n' + OPERATOR
    )
    bench = opened.text('#include "more.h"\nREGISTER_OPERATOR(x, O, Maker);')
    assert told(bench) == []
    proto = opened.program.fluid.op_info_map.Get("x").Proto()
    assert ([str(v) for v in proto.inputs], [str(v) for v in proto.outputs]) == (["X"], ["Out"])


def test_all_that_a_registration_goes_by_is_known_without_its_header() -> None:
    assert {*FILLERS, "framework::OpKernelBase", "framework::OpKernel"} == {*FRAMEWORK_CLASSES}


# --- What a linker would miss ---------------------------------------------------------------------


def test_use_op_of_what_nobody_registers(opened: Opened) -> None:
    lines = "USE_OP_ITSELF(trace);\nUSE_OP_DEVICE_KERNEL(trace, CUDA);"
    assert told(opened.text(lines)) == [
        "warning: undefined reference to `TouchOpRegistrar_trace()' @ trace);",
        "warning: undefined reference to `TouchOpKernelRegistrar_trace_CUDA_DEFAULT_TYPE()'"
        " @ CUDA);",
    ]


def test_use_op_links_while_the_kernels_are_fluids(opened: Opened) -> None:
    opened.sample("trace_op.cc")
    assert told(opened.text("USE_OP(trace);")) == []


def test_use_op_no_longer_links_when_the_kernels_have_moved(opened: Opened) -> None:
    opened.sample("between/trace_op.cc")
    opened.sample("after/trace_kernel.cc")
    bench = opened.text("USE_OP(trace);")
    assert told(bench) == [
        "warning: undefined reference to `TouchOpKernelRegistrar_trace_CPU_DEFAULT_TYPE()' @ trace);"
    ]
    (missing,) = bench.diagnostics
    assert missing.hint == "trace's kernels are PHI's: write USE_OP_ITSELF(trace) for USE_OP"
    assert told(opened.text("USE_OP_ITSELF(trace);")) == []
