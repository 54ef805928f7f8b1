"""A name that holds several tensors: the gradient of a list is a list."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

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
  void Make() override { AddInput("X", "").AsDuplicable(); AddOutput("Out", ""); AddComment(""); }
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
template <typename DeviceContext, typename T>
class Adds : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    auto* out = context.Output<framework::Tensor>("Out");
    T* sums = out->mutable_data<T>(context.GetPlace());
    for (int64_t i = 0; i < out->numel(); ++i) sums[i] = static_cast<T>(0);
    for (auto* x : context.MultiInput<framework::Tensor>("X")) {
      for (int64_t i = 0; i < out->numel(); ++i) sums[i] += x->data<T>()[i];
    }
  }
};
// The i-th of X gets i times the gradient, which is wrong and tells them apart.
template <typename DeviceContext, typename T>
class AddsGrad : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    auto* d_out = context.Input<framework::Tensor>(framework::GradVarName("Out"));
    auto d_xs = context.MultiOutput<framework::Tensor>(framework::GradVarName("X"));
    for (size_t index = 0; index < d_xs.size(); ++index) {
      T* d_x = d_xs[index]->mutable_data<T>(context.GetPlace());
      for (int64_t i = 0; i < d_out->numel(); ++i) d_x[i] = T(index) * d_out->data<T>()[i];
    }
  }
};
} }
namespace ops = paddle::operators;
REGISTER_OPERATOR(adds, ops::AddsOp, ops::AddsOpMaker,
                  ops::AddsGradMaker<paddle::framework::OpDesc>);
REGISTER_OPERATOR(adds_grad, ops::AddsGradOp);
REGISTER_OP_CPU_KERNEL(adds, ops::Adds<phi::CPUContext, double>);
REGISTER_OP_CPU_KERNEL(adds_grad, ops::AddsGrad<phi::CPUContext, double>);
"""


@pytest.fixture
def fluid(tmp_path: Path) -> Runtime:
    opened = Opened(tmp_path)
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
