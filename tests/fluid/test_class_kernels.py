"""A class kernel's Compute is what runs: as the text has it, or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.phi.call.op_call import OpError
from registry_runtime.program import Program
from tests.fluid.texts import FLUID, Opened
from visualizer.workbench.bench import open_file

OPERATOR = """
namespace paddle { namespace operators {
class ScaledOp : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputDim("Out", ctx->GetInputDim("X"));
  }
};
class ScaledOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddComment("");
    AddInput("X", "");
    AddOutput("Out", "");
    AddAttr<float>("by", "").SetDefault(2.f);
  }
};
%s
template <typename DeviceContext, typename T>
class ScaledKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {%s}
};
%s
} }
namespace ops = paddle::operators;
REGISTER_OPERATOR(scaled, ops::ScaledOp, ops::ScaledOpMaker);
REGISTER_OP_CPU_KERNEL(scaled, ops::ScaledKernel<phi::CPUContext, float>,
                       ops::ScaledKernel<phi::CPUContext, int>);
"""
BODY = """
    auto* x = context.Input<framework::Tensor>("X");
    auto* out = context.Output<framework::Tensor>("Out");
    const T by = static_cast<T>(context.Attr<float>("by"));
    const T* from = x->data<T>();
    T* to = out->mutable_data<T>(context.GetPlace());
    for (int64_t i = 0; i < x->numel(); ++i) {
      to[i] = from[i] * by - T(1);
    }
"""
X = np.arange(6, dtype="f4").reshape(2, 3)


@pytest.fixture
def scaled(tmp_path: Path):
    """Opens the operator with this body, and calls it."""

    def call(body: str = BODY, before: str = "", behind: str = "", x: np.ndarray = X):
        opened = Opened(tmp_path)
        assert not opened.text(OPERATOR % (before, body, behind)).has_errors()
        return opened.program.fluid.call_op("scaled", {"X": x}, {"by": 2.5})["Out"]

    return call


def test_a_loop_over_elements_runs(scaled) -> None:
    np.testing.assert_array_equal(scaled(), X * 2.5 - 1)


def test_its_numbers_are_of_the_instances_type(scaled) -> None:
    x = X.astype("i4")
    np.testing.assert_array_equal(scaled(x=x), x * 2 - 1)  # static_cast<int>(2.5f)


def test_what_the_body_calls_is_run_too(scaled) -> None:
    helper = "template <typename T> T Scale(T x, T by) { T made = x * by; return made - T(1); }"
    body = BODY.replace("from[i] * by - T(1)", "Scale<T>(from[i], by)")
    np.testing.assert_array_equal(scaled(body, helper), X * 2.5 - 1)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("* by - T(1)", "- T(1) * by", X - 2.5),
        ("* by", "/ by", X / np.float32(2.5) - 1),
        ("T(1)", "T(3)", X * 2.5 - 3),
        ("from[i]", "from[0]", np.full_like(X, -1)),
    ],
)
def test_another_body_computes_another_thing(scaled, old: str, new: str, expected) -> None:
    assert old in BODY
    np.testing.assert_allclose(scaled(BODY.replace(old, new)), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (BODY, "", "gave its output Out no memory"),
        ("to[i] = from[i] * by - T(1);", "", "left 6 of 6 elements of Out unwritten"),
        ("i < x->numel()", "i < x->numel() - 1", "left 1 of 6 elements of Out unwritten"),
        ("i < x->numel()", "i <= x->numel()", "`from[i]` is out of range: there are 6"),
        ("to[i] = from[i]", "to[i] = to[i]", "there is no `*` for nullptr"),
        ('"X"', '"Y"', "Operator scaled does not have the input Y"),
        ('Output<framework::Tensor>("Out")', 'Output<framework::Tensor>("O")', "output called O"),
        ('"by"', '"scale"', "(scale) is not found in AttributeMap"),
        ('Attr<float>("by")', 'Attr<int>("by")', "by"),
        ("x->data<T>()", "x->data<double>()", "data is asked for float64"),
        ("T* to", "double* to", "a pointer to `float` where a `double*` is wanted"),
        ("const T* from", "const int* from", "a pointer to `float` where"),
        ("auto* x", "auto* y", "`x` is not known here"),
        ("x->data", "x.data", "`x` is a pointer"),
        (
            "out->mutable_data<T>(context.GetPlace())",
            "out->data<T>()",
            "the tensor has no memory",
        ),
        (
            "out->mutable_data",
            "x->mutable_data",
            "memory is taken for an output",
        ),
        ("to[i] = from[i]", "from[i] = from[i]", "`from[i]` is const"),
        ("for (int64_t", "goto end; for (int64_t", "declared only: `goto end;`"),
        ("T(1)", "Eigen::One<T>()", "declared only: `Eigen::One<T>` in its Compute"),
    ],
)
def test_what_cant_be_run_is_refused_at_its_token(scaled, old: str, new: str, said: str) -> None:
    assert old in BODY
    with pytest.raises(OpError) as error:
        scaled(BODY.replace(old, new, 1))
    assert said in str(error.value)
    assert error.value.span is not None


def test_a_class_that_is_specialised_is_not_run(scaled) -> None:
    special = (
        "template <typename T> class ScaledKernel<phi::GPUContext, T> : public framework::OpKernel<T>"
        " { void Compute(const framework::ExecutionContext& context) const override {} };"
    )
    with pytest.raises(OpError, match="declared only"):
        scaled(behind=special)


# --- The sample -----------------------------------------------------------------------------------

SUM = "SumLastAxis<DeviceContext, T>"
MATRIX = np.arange(12.0).reshape(3, 4)


@pytest.fixture
def traced(tmp_path: Path):
    """Changes trace_op.h and calls trace."""

    def call(*changes: tuple[str, str]):
        folder = tmp_path / "cpp_samples"
        shutil.copytree(FLUID.parent, folder, dirs_exist_ok=True)
        header = folder / "fluid" / "trace_op.h"
        text = header.read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        header.write_text(text)
        bench = open_file(folder / "fluid" / "trace_op.cc", None, Program())
        assert not bench.has_errors()
        attrs = {"offset": 1, "axis1": 0, "axis2": 1}
        return bench.program.fluid.call_op("trace", {"Input": MATRIX}, attrs)["Out"]

    return call


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("offset, dim1, dim2);\n    SumLast", "offset, dim2, dim1);\n    SumLast", -1),
        ("offset, dim1, dim2);\n    SumLast", "0, dim1, dim2);\n    SumLast", 0),
        ('context.Attr<int>("offset")', 'context.Attr<int>("axis1")', 0),
        ('context.Attr<int>("offset")', '-context.Attr<int>("offset")', -1),
    ],
)
def test_the_attributes_are_those_that_the_body_reads(
    traced, old: str, new: str, expected: int
) -> None:
    np.testing.assert_array_equal(traced((old, new)), [np.trace(MATRIX, expected)])


BEHIND = f"\n{' ' * 27}int64_t "  # the next of `Diagonal`'s parameters


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("out->mutable_data<T>(context.GetPlace());", "", "out has no memory yet"),
        (f"{SUM}(dev_ctx, diag, out);", "", "1 of 1 elements of Out"),
        (f"{SUM}(dev_ctx, diag", f"{SUM}(dev_ctx, *input", "dims"),
        (f"{SUM}(", "SumLastAxis<DeviceContext, float>(", "asked for float32"),
        (f"{SUM}(", "SumLastAxis<phi::GPUContext, T>(", "phi::CPUContext"),
        (f"offset,{BEHIND}dim1", f"dim1,{BEHIND}offset", "declared only: `Diagonal<"),
        ("Tensor& x, framework::Tensor* out", "Tensor& x", "declared only: `SumLastAxis<"),
        ("Tensor* out);", "Tensor* out) { Eigen::Sum(x, out); }", "declared only: `Eigen::Sum`"),
        ("diag = Diagonal<", "diag = Diagonals<", "declared only: `Diagonals<"),
        (f"{SUM}(dev_ctx, diag", f"{SUM}(diag, dev_ctx", "takes a `const DeviceContext& dev_ctx`"),
        ("(context, input", "(context, *input", "takes a `const Tensor* input`"),
        ('Attr<int>("offset")', 'Attr<int64_t>("offset")', "by type int64_t, its type is int"),
    ],
)
def test_what_is_handed_on_is_what_the_text_declares(traced, old: str, new: str, said: str) -> None:
    with pytest.raises(OpError) as error:
        traced((old, new))
    assert said in str(error.value)


def test_a_body_in_a_header_comes_before_what_is_linked(traced) -> None:
    summed = """{
  for (int64_t i = 0; i < out->numel(); ++i) out->data<T>()[i] = T(7);
}"""
    made = traced(("framework::Tensor* out);", f"framework::Tensor* out) {summed}"))
    np.testing.assert_array_equal(made, [7])
