"""A migration held against an installed Paddle: both bodies run with its headers and its libraries."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.real.test_verify import needs
from visualizer.migration import migrate
from visualizer.migration.compiling import words_for
from visualizer.migration.migration import Migration
from visualizer.migration.proving import trials, with_proofs

pytestmark = [
    pytest.mark.compiler,
    pytest.mark.paddle,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not on PATH"),
]

OPERATOR = """\
#include "paddle/fluid/framework/op_registry.h"

namespace paddle {
namespace operators {

template <typename T, typename DeviceContext>
class PickedKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& ctx) const override {
    auto* x = ctx.Input<phi::DenseTensor>("X");
    auto* label = ctx.Input<phi::DenseTensor>("Label");
    auto* out = ctx.Output<phi::DenseTensor>("Out");
    T* to = out->mutable_data<T>(ctx.GetPlace());
    const int64_t width = x->dims()[1];
    for (int64_t i = 0; i < x->dims()[0]; ++i) {
      const int64_t at = label->data<int64_t>()[i];
      PADDLE_ENFORCE_LT(at, width, platform::errors::OutOfRange("%d", at));
      to[i] = x->data<T>()[i * width + at] * static_cast<T>(ctx.Attr<float>("factor"));
    }
  }
};

class PickedOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {
    auto dims = ctx->GetInputDim("X");
    PADDLE_ENFORCE_EQ(dims.size(), 2, platform::errors::InvalidArgument("X has two dims"));
    PADDLE_ENFORCE_EQ(
        ctx->GetInputDim("Label")[0], dims[0], platform::errors::InvalidArgument("a label a row"));
    ctx->SetOutputDim("Out", {dims[0], 1});
  }
};

class PickedOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("X", "");
    AddInput("Label", "");
    AddOutput("Out", "");
    AddAttr<float>("factor", "").SetDefault(0.5f);
    AddComment("");
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;
REGISTER_OP_WITHOUT_GRADIENT(picked, ops::PickedOp, ops::PickedOpMaker);
PD_REGISTER_STRUCT_KERNEL(picked, CPU, ALL_LAYOUT, ops::PickedKernel, float) {}
"""


def tried(folder: Path, wrong: tuple[str, str] = ("", "")) -> tuple[str, Migration]:
    """What is said of the operator, and its migration, in which something was put otherwise."""
    needs("paddle")
    path = folder / "picked_op.cc"
    path.write_text(OPERATOR)
    found = migrate(path)
    for piece in found.pieces:
        object.__setattr__(piece, "text", piece.text.replace(*wrong) if wrong[0] else piece.text)
    compiler, words = str(shutil.which("g++")), words_for(found, sys.executable)
    (trial,) = trials(found, compiler, words, sys.executable)
    return trial.told(), with_proofs(found, [trial])


def test_body_and_shapes_are_proved(tmp_path: Path) -> None:
    told, found = tried(tmp_path)
    assert told == (
        "picked: 6 calls gave the same in both worlds (float), with InferShape and InferMeta"
    )
    words = {mark.rule.key: mark.status for mark in found.marks}
    assert words["input"] == words["alloc"] == words["set_dims"] == "proved"


@pytest.mark.parametrize(
    "wrong", [("(factor)", "(factor + 1)"), ("{dims[0], 1}", "{dims[0], 2}")], ids=["body", "dims"]
)
def test_another_body_and_other_shapes_are_found_out(
    tmp_path: Path, wrong: tuple[str, str]
) -> None:
    told, found = tried(tmp_path, wrong)
    assert told.startswith("picked: the old body and the new one differ: float, inputs of [")
    assert found.left
