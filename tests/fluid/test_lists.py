"""A name that holds several tensors: the gradient of a list is a list."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from registry_runtime.fluid.class_kernels import OpKernel
from registry_runtime.fluid.execution_context import ExecutionContext
from registry_runtime.fluid.runtime import Runtime
from tests.fluid.texts import Opened, told

TEXT = """
namespace paddle { namespace operators {
class AddsOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputDim("Out", ctx->GetInputsDim("X")[0]);
  }
};
class AddsOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override { AddInput("X", "").AsDuplicable(); AddOutput("Out", ""); }
};
template <typename T>
class AddsGradMaker : public framework::SingleGradOpMaker<T> {
 public:
  using framework::SingleGradOpMaker<T>::SingleGradOpMaker;
 protected:
  void Apply(GradOpPtr<T> op) const override {
    op->SetType("adds_grad");
    op->SetInput("X", this->Input("X"));
    op->SetInput(framework::GradVarName("Out"), this->OutputGrad("Out"));
    op->SetOutput(framework::GradVarName("X"), this->InputGrad("X", false));
  }
};
class AddsGradOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputsDim(framework::GradVarName("X"), ctx->GetInputsDim("X"));
  }
};
template <typename DeviceContext, typename T> class Adds : public framework::OpKernel<T> {};
template <typename DeviceContext, typename T> class AddsGrad : public framework::OpKernel<T> {};
} }
namespace ops = paddle::operators;
REGISTER_OPERATOR(adds, ops::AddsOp, ops::AddsOpMaker,
                  ops::AddsGradMaker<paddle::framework::OpDesc>);
REGISTER_OPERATOR(adds_grad, ops::AddsGradOp);
REGISTER_OP_CPU_KERNEL(adds, ops::Adds<phi::CPUContext, double>);
REGISTER_OP_CPU_KERNEL(adds_grad, ops::AddsGrad<phi::CPUContext, double>);
"""


class Adds(OpKernel):
    """The sum of all of X."""

    def Compute(self, context: ExecutionContext) -> None:
        out = context.device_context().Alloc(context.Output("Out"), self.T)
        out[...] = sum(x.data for x in context.MultiInput("X"))


class AddsGrad(OpKernel):
    """The i-th of X gets i times the gradient, which is wrong and tells them apart."""

    def Compute(self, context: ExecutionContext) -> None:
        for index, x_grad in enumerate(context.MultiOutput("X@GRAD")):
            made = context.device_context().Alloc(x_grad, self.T)
            made[...] = index * context.Input("Out@GRAD").data


@pytest.fixture
def fluid(tmp_path: Path) -> Runtime:
    opened = Opened(tmp_path)
    world = opened.program.fluid.world
    known = {"Adds": Adds, "AddsGrad": AddsGrad}
    world.find_kernel = lambda name: known.get(name.rpartition("::")[2])
    assert told(opened.text(TEXT)) == []
    return opened.program.fluid


def test_the_gradient_of_a_list_is_a_list(fluid: Runtime) -> None:
    given = {"X": [np.ones(3), np.full(3, 2.0), np.full(3, 4.0)]}
    np.testing.assert_array_equal(fluid.call_op("adds", given)["Out"], np.full(3, 7.0))
    made = fluid.call_gradient("adds", given, {"Out": np.arange(3.0)})
    assert list(made) == ["X[0]@GRAD", "X[1]@GRAD", "X[2]@GRAD"]
    for index, gradient in enumerate(made.values()):
        np.testing.assert_array_equal(gradient, index * np.arange(3.0))


def test_so_is_that_of_a_list_of_one(fluid: Runtime) -> None:
    made = fluid.call_gradient("adds", {"X": [np.ones(2)]}, {"Out": np.ones(2)})
    assert list(made) == ["X[0]@GRAD"]
    assert made["X[0]@GRAD"].shape == (2,)
