"""Inputs that are no single dense tensor that is always there, and kernels that can't leave Fluid."""

from pathlib import Path

import pytest

from tests.migration.operator_text import MAKER, body_of, migrated, operator_text, piece

SEVERAL = """\
    AddInput("X", "several, or none").AsDuplicable().AsDispensable();
    AddOutput("Out", "several").AsDuplicable();
"""


def test_a_vector_that_may_be_missing(tmp_path: Path) -> None:
    shapes = """\
    if (ctx->HasInputs("X")) {
      F(ctx->GetInputsDim("X"), ctx->Inputs("X").size());
    }
    ctx->SetOutputsDim("Out", ctx->GetInputsDim("X"));
"""
    found = migrated(tmp_path, operator_text('F(ctx.InputSize("X"));', SEVERAL, shapes))
    assert body_of(piece(found, "cpu/scale_kernel.cc")) == "F(x ? x.get().size() : size_t(0));"
    meta = piece(found, "multiary.cc")
    assert "const paddle::optional<std::vector<const MetaTensor*>>& x," in meta
    assert "if (x.get_ptr() != nullptr) {" in meta
    assert "F(x ? phi::GetMetaTensorsDim(x.get()) : std::vector<phi::DDim>()," in meta
    assert "out[i]->set_dims(x.get()[i]->dims());" in meta
    (mark,) = found.left
    assert mark.reason.startswith("x may be missing: say of which type out is")


def test_how_many_one_tensor_is(tmp_path: Path) -> None:
    (mark,) = migrated(tmp_path, operator_text('F(ctx.InputSize("X"));')).left
    assert mark.reason.startswith("x is one tensor")


def test_selected_rows(tmp_path: Path) -> None:
    text = 'auto* x = ctx.Input<framework::SelectedRows>("X");\nF(x->value().dims());'
    found = migrated(tmp_path, operator_text(text))
    assert "const SelectedRows& x,\n" in piece(found, "kernels/scale_kernel.h")
    assert "DenseTensor* out)" in piece(found, "kernels/scale_kernel.h")
    (mark,) = found.left
    assert "scale_sr in phi/kernels/selected_rows" in mark.reason
    assert 'IsSelectedRowsInput("X")' in mark.reason


def test_a_maker_without_a_gradient_is_found(tmp_path: Path) -> None:
    maker = MAKER + '    AddInput("Bias", "may be missing").AsDispensable();\n'
    text = operator_text('F(ctx.Input<framework::Tensor>("Bias"));', maker)
    found = migrated(tmp_path, text.replace("REGISTER_OPERATOR", "REGISTER_OP_WITHOUT_GRADIENT"))
    header = piece(found, "kernels/scale_kernel.h")
    assert "const paddle::optional<DenseTensor>& bias," in header
    assert not found.left
    left = piece(found, "fluid/operators/test_op.cc")
    assert "REGISTER_OP_WITHOUT_GRADIENT(scale, ops::TestOp, ops::TestOpMaker, Scale" in left


@pytest.mark.parametrize(
    ("type_", "one"), [("int", "Scalar"), ("std::vector<int>", "IntArray")]
)  # fmt: skip
def test_what_could_be_one(type_: str, one: str, tmp_path: Path) -> None:
    maker = f'    AddAttr<{type_}>("axis", "");\n    AddInput("AxisTensor", "").AsDispensable();\n'
    text = 'F(ctx.Attr<int>("axis"), ctx.Input<framework::Tensor>("AxisTensor"));'
    (mark,) = migrated(tmp_path, operator_text(text, maker, "")).left
    assert mark.reason.startswith("a guess: axis and AxisTensor stay two, since the body does more")
    assert f"PHI has one {one} for both" in mark.reason


def test_phis_types_are_named_in_full_in_fluid(tmp_path: Path) -> None:
    maker = (
        MAKER
        + """\
    AddInput("AxisTensor", "").AsDispensable();
    AddAttr<int>("dtype", "a type");
"""
    )
    text = """\
    auto axis = ctx.Attr<int>("axis");
    if (ctx.HasInput("AxisTensor")) {
      axis = 1;
    }
    framework::Scope scope;
    F(axis);"""
    header = piece(migrated(tmp_path, operator_text(text, maker)), "operators/scale_kernel.h")
    assert "const phi::DenseTensor& x," in header
    assert "const phi::Scalar& axis," in header
    assert "phi::DataType dtype," in header


def test_a_list_that_may_be_missing_is_an_empty_one(tmp_path: Path) -> None:
    maker = MAKER.replace('"what goes in")', '"").AsDuplicable().AsDispensable()')
    body = """\
    auto x = ctx.MultiInput<Tensor>("X");
    for (size_t i = 0; i < x.size(); ++i) F(x[i]);
    G(ctx.MultiInput<Tensor>("X").size());
"""
    kernel = piece(migrated(tmp_path, operator_text(body, maker)), "cpu/scale_kernel.cc")
    assert body_of(kernel).split("\n") == [
        "auto x_value = x ? x.get() : std::vector<const DenseTensor*>();",
        "for (size_t i = 0; i < x_value.size(); ++i) F(x_value[i]);",
        "G((x ? x.get() : std::vector<const DenseTensor*>()).size());",
    ]
