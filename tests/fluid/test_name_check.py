"""Names that the op maker doesn't have, in each place that may ask for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fluid.texts import Opened, told


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return Opened(tmp_path)


def missing(op_type: str, kind: str, name: str) -> str:
    return f"warning: {op_type} has no {kind} `{name}`, and this will fail when it runs"


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        (
            'Get<int>("axis1")',
            'Get<int>("dim1")',
            missing("trace", "attribute", "dim1"),
            "the attributes of trace's maker are offset, axis1, axis2",
        ),
        (
            'SetOutputDim("Out"',
            'SetOutputDim("out"',
            missing("trace", "output", "out"),
            "did you mean `Out`, as trace's maker has it?",
        ),
        (
            'this->Input("Input")',
            'this->Input("Inputs")',
            missing("trace", "input", "Inputs"),
            "did you mean `Input`, as trace's maker has it?",
        ),
        (
            'IndicateVarDataType(ctx, framework::GradVarName("Out"))',
            'IndicateVarDataType(ctx, framework::GradVarName("Ou"))',
            missing("trace_grad", "input", "Ou@GRAD"),
            "did you mean `Out@GRAD`, as the grad op maker of trace has it?",
        ),
    ],
)
def test_in_an_operators_classes(
    opened: Opened, old: str, new: str, message: str, hint: str
) -> None:
    bench = opened.edited("trace_op.cc", (old, new))
    (found,) = bench.diagnostics
    assert (told(bench)[0].partition(" @ ")[0], found.hint) == (message, hint)
    assert opened.program.fluid.op_kernels  # it compiles


KERNEL = """
namespace paddle { namespace operators {
template <typename DeviceContext, typename T>
class K : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    auto* x = context.Input<framework::Tensor>("X");
    auto* out = context.template Output<framework::Tensor>("Out");
    auto axis = context.Attr<int>("axis1");
  }
};
} }
REGISTER_OP_CPU_KERNEL(trace, paddle::operators::K<phi::CPUContext, float>,
                       paddle::operators::K<phi::CPUContext, double>);
"""


def test_in_a_kernel_of_another_file_and_once(opened: Opened) -> None:
    opened.sample("trace_op.cc")
    assert told(opened.text(KERNEL)) == [missing("trace", "input", "X") + ' @ "X");']


def test_in_a_kernel_whose_operator_nobody_knows(opened: Opened) -> None:
    assert told(opened.text(KERNEL)) == []


def test_in_an_argument_mapping(opened: Opened) -> None:
    opened.sample("trace_op.cc")
    bench = opened.edited(
        "trace_sig.cc", ('{"Input"}', '{"Inputs"}'), ('{"Input@GRAD"}', '{"X@GRAD"}')
    )
    assert [line.partition(" @ ")[0] for line in told(bench)] == [
        missing("trace", "input", "Inputs"),
        missing("trace_grad", "output", "X@GRAD"),
    ]


def test_an_input_may_stand_for_an_attribute(opened: Opened) -> None:
    opened.sample("trace_op.cc")
    assert told(opened.edited("trace_sig.cc", ('{"offset",', '{"Input",'))) == []
