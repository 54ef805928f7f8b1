"""What a kernel's class has beside its functions, and what is registered without a Compute."""

from pathlib import Path

from tests.migration.operator_text import MAKER, body_of, migrated, operator_text, piece
from visualizer.cli import main

WRITES = 'ctx.Output<Tensor>("Out")->mutable_data<T>(ctx.GetPlace());'


def with_members(members: str, body: str = WRITES) -> str:
    return operator_text(body).replace(
        "OpKernel<T> {\n public:", f"OpKernel<T> {{\n public:\n{members}\n"
    )


def test_a_type_of_the_class_comes_along(tmp_path: Path) -> None:
    found = migrated(tmp_path, with_members("  struct Segment {\n    int begin;\n  };"))
    kernel = piece(found, "cpu/scale_kernel.cc")
    assert "namespace phi {\n\nstruct Segment {\n  int begin;\n};\n" in kernel
    assert not found.left


def test_a_type_that_is_one_over_t_is_left_to_a_person(tmp_path: Path) -> None:
    found = migrated(tmp_path, with_members("  struct Box {\n    T x;\n  };"))
    assert "template <typename T>\nstruct Box {\n  T x;\n};" in piece(found, "cpu/scale_kernel.cc")
    (mark,) = found.left
    assert mark.reason == "Box is a template over T outside of its class: say of what"


def test_a_constant_comes_along_and_a_field_is_left_to_a_person(tmp_path: Path) -> None:
    found = migrated(tmp_path, with_members("  static constexpr int kOne = 1;\n  int times_ = 2;"))
    assert "static constexpr int kOne = 1;\n" in piece(found, "cpu/scale_kernel.cc")
    (mark,) = found.left
    assert mark.reason == "a function has no fields, and the class had `int times_ = 2;`"


def test_another_kernels_class_is_no_class_any_more(tmp_path: Path) -> None:
    (mark,) = migrated(tmp_path, operator_text("TestKernel<A, T>::Shape(1);")).left
    assert mark.reason == "TestKernel is no class any more: say what its Shape has become"


def test_a_class_with_another_ones_compute_says_so(tmp_path: Path) -> None:
    text = operator_text(
        before="template <typename D, typename T>\nclass Other : public Base<T> {};\n\n"
    )
    found = migrated(tmp_path, text.replace("ops::TestKernel<", "ops::Other<"))
    assert any(m.reason.startswith("Other has its Compute from another class") for m in found.left)


def test_instantiations_go_with_what_they_instantiate(tmp_path: Path) -> None:
    fill = "template <typename T>\nstruct Fill {\n  void operator()() {}\n};\n"
    before = f"{fill}\ntemplate struct Fill<float>;\n\n"
    found = migrated(tmp_path, operator_text("Fill<T>()();", before=before))
    assert "struct Fill {" in piece(found, "cpu/scale_kernel.cc")
    assert "Fill" not in piece(found, "operators/test_op.cc")


def test_what_phi_declares_is_not_declared_again(tmp_path: Path) -> None:
    declared = "}\nnamespace framework {\nclass Tensor;\n}\nnamespace operators {\n"
    body = 'framework::Tensor* out = ctx.Output<Tensor>("Out");'
    found = migrated(tmp_path, operator_text(body, before=declared))
    assert not any(
        "class Tensor" in p.text or "class DenseTensor" in p.text for p in found.pieces[:2]
    )


def test_a_name_that_no_parameter_can_have(tmp_path: Path) -> None:
    text = operator_text(
        'ctx.Input<Tensor>("F1-Score")->data<T>();', MAKER.replace('"X"', '"F1-Score"')
    )
    kernel = piece(migrated(tmp_path, text), "cpu/scale_kernel.cc")
    assert "const DenseTensor& f1_score" in kernel
    assert body_of(kernel) == "f1_score.data<T>();"


def test_what_is_not_compiled_says_why(tmp_path: Path, capsys) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "test_op.cc").write_text(operator_text(WRITES))
    (tmp_path / "test_op.cu").write_text(
        "namespace ops = paddle::operators;\n"
        "REGISTER_OP_CUDA_KERNEL(scale, ops::TestKernel<paddle::platform::CUDADeviceContext, float>);\n"
    )
    main(["migrate", str(tmp_path / "test_op.cc"), "--check"])
    out = capsys.readouterr().out
    assert " lines, not compiled: CUDA's compiler would have to" in out
    assert "fluid/operators/test_op.cc: " in out
    assert "not compiled: what stays in Fluid needs all of Fluid" in out
