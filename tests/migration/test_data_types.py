"""Attributes that are an element type: a DataType in PHI, and what says the type of an output."""

from pathlib import Path

import pytest

from tests.migration.operator_text import SHAPES, migrated, operator_text, piece
from visualizer.migration import migrate

LESSONS = Path(__file__).parents[2] / "lessons" / "fluid"
MAKER = """\
    AddInput("X", "what goes in");
    AddOutput("Out", "what comes out");
    AddAttr<int>("{}", "a type"){};
"""
CAST = "static_cast<framework::proto::VarType::Type>"
OUT = 'auto* out = ctx.Output<framework::Tensor>("Out");\n'
BY_ATTRIBUTE = """\
 protected:
  framework::OpKernelType GetExpectedKernelType(
      const framework::ExecutionContext& ctx) const override {
    return framework::OpKernelType(
        static_cast<framework::proto::VarType::Type>(ctx.Attr<int>("dtype")), ctx.GetPlace());
  }
};

class TestOpMaker"""


def last_line(text: str) -> str:
    return text.split("\n}\n", 1)[0].split("\n")[-1].strip()


@pytest.mark.parametrize("name", ["dtype", "out_dtype", "kind"])
@pytest.mark.parametrize(
    "body",
    [
        f'Make({CAST}(ctx.Attr<int>("NAME")), out);',
        f'int kind = ctx.Attr<int>("NAME");\nMake({CAST}(kind), out);',
    ],
)
def test_what_is_cast_to_a_type_is_one(name: str, body: str, tmp_path: Path) -> None:
    body = body.replace("NAME", name)
    found = migrated(tmp_path, operator_text(OUT + body, MAKER.format(name, "")))
    assert f"DataType {name}," in piece(found, "kernels/scale_kernel.h")
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert "SetDataType(phi::DataType::UNDEFINED)" in kernel
    assert last_line(piece(found, "unary.cc")) == f"out->set_dtype({name});"
    assert not found.left


def test_a_type_that_is_used_as_a_number_is_for_a_person(tmp_path: Path) -> None:
    body = OUT + 'int dtype = ctx.Attr<int>("dtype");\nif (dtype == 5) F(out);'
    found = migrated(tmp_path, operator_text(body, MAKER.format("dtype", "")))
    assert [m.idiom for m in found.left] == ["dtype"]
    assert "dtype is a DataType now, and was an int" in found.left[0].reason


def test_the_type_by_which_the_kernel_is_chosen(tmp_path: Path) -> None:
    body = OUT + "out->mutable_data<T>(ctx.GetPlace());"
    text = operator_text(body, MAKER.format("dtype", ""))
    chosen = text.replace("};\n\nclass TestOpMaker", BY_ATTRIBUTE)
    found = migrated(tmp_path, chosen)
    assert last_line(piece(found, "unary.cc")) == "out->set_dtype(dtype);"
    assert not found.left
    unclear = migrated(tmp_path, text)
    (mark,) = unclear.left
    assert mark.reason.startswith("say whether the type of out is dtype or that of x")
    assert "set_dtype(x.dtype())" not in piece(unclear, "unary.cc")


def test_a_type_that_may_be_unset_is_for_a_person(tmp_path: Path) -> None:
    body = OUT + f'Make({CAST}(ctx.Attr<int>("out_dtype")), out);'
    maker = MAKER.format("out_dtype", ".SetDefault(-1)")
    (mark,) = migrated(tmp_path, operator_text(body, maker)).left
    assert mark.reason.startswith("out_dtype may be unset")


def test_the_type_that_goes_in_is_none_of_an_output(tmp_path: Path) -> None:
    shapes = SHAPES + "    Log();\n"
    found = migrated(tmp_path, operator_text("", MAKER.format("in_dtype", ""), shapes))
    assert last_line(piece(found, "unary.cc")) == "out->set_dtype(x.dtype());"


def test_sequence_mask_says_its_type() -> None:
    (path,) = LESSONS.glob("11-*/before/sequence_mask_op.cc")
    found = migrate(path)
    kernel = piece(found, "cpu/sequence_mask_kernel.cc")
    assert "DataType out_dtype," in kernel
    assert "kernel->OutputAt(0).SetDataType(phi::DataType::UNDEFINED);" in kernel
    assert "y->set_dtype(out_dtype);" in piece(found, "unary.cc")
    (mark,) = found.left  # WriteMask takes an int
    assert mark.idiom == 'ctx.Attr<int>("out_dtype")'


FUNCTOR = """\
template <typename DeviceContext, typename T>
struct Compare {
  void operator()(const framework::ExecutionContext& ctx, framework::Tensor* output) {
    Fill<T>(output, 1);
  }
};

"""
FILL = """\
template <typename T>
void Fill(framework::Tensor* to, int n) {
  to->mutable_data<bool>(platform::CPUPlace());
}

"""
NO_TYPE = MAKER.rpartition("    AddAttr")[0]


def test_the_type_that_a_functors_function_allocates(tmp_path: Path) -> None:
    body = OUT + "Compare<DeviceContext, T>()(ctx, out);"
    found = migrated(tmp_path, operator_text(body, NO_TYPE, before=FILL + FUNCTOR))
    assert last_line(piece(found, "unary.cc")) == "out->set_dtype(phi::DataType::BOOL);"
    assert "SetDataType(phi::DataType::BOOL)" in piece(found, "cpu/scale_kernel.cc")


def test_a_type_that_nothing_shows_is_a_guess(tmp_path: Path) -> None:
    body = OUT + "Compare<DeviceContext, T>()(ctx, out);"
    found = migrated(tmp_path, operator_text(body, NO_TYPE, before=FUNCTOR))
    meta = piece(found, "unary.cc")
    assert (
        "// TODO(migrate): a guess: nothing here shows of which type out is allocated: look "
        in meta
    )
    assert last_line(meta) == "out->set_dtype(x.dtype());"
    assert any("a guess" in mark.reason for mark in found.left)
