"""Makers, run: an operator's OpProto, its attributes' checks, its default signature, its gradient."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry_runtime.cxx import CxxError
from registry_runtime.fluid.grad_op_maker import OpDesc
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.enforce import EnforceNotMet, InvalidArgument, NotFound, OutOfRange
from tests.fluid.texts import Opened, told

MAKER = """
class O : public paddle::framework::OperatorWithKernel {
 public:
  using paddle::framework::OperatorWithKernel::OperatorWithKernel;
};
class M : public paddle::framework::OpProtoAndCheckerMaker {
 public:
  void Make() override { AddComment(""); %s }
};
REGISTER_OPERATOR(x, O, M);
"""
GRADIENT = """
namespace paddle { namespace operators {
class O : public framework::OperatorWithKernel {
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;
};
class M : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override { AddInput("X", ""); AddInput("Y", "").AsDispensable();
    AddOutput("Out", ""); AddComment(""); }
};
template <typename T>
class G : public framework::SingleGradOpMaker<T> {
 public:
  using framework::SingleGradOpMaker<T>::SingleGradOpMaker;
 protected:
  void Apply(GradOpPtr<T> op) const override { %s }
};
} }
namespace ops = paddle::operators;
REGISTER_OPERATOR(x, ops::O, ops::M, ops::G<paddle::framework::OpDesc>,
                  ops::G<paddle::imperative::OpBase>);
"""
CALL = OpDesc("x", {"X": ["a"]}, {"Out": ["c"]}, {"axis": 1})


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return Opened(tmp_path)


def info(opened: Opened, text: str) -> OpInfo:
    assert told(opened.text(text)) == []
    return opened.program.fluid.op_info_map.Get("x")


# --- Op makers ------------------------------------------------------------------------------------


def test_a_proto_holds_what_the_maker_said_in_its_order(opened: Opened) -> None:
    proto = info(
        opened,
        MAKER
        % """
        AddInput("X", "a list").AsDuplicable();
        AddInput("Bias", "").AsDispensable();
        AddInput("Scale", "").AsDispensable().AsQuant();
        AddOutput("Out", "").AsExtra();
        AddOutput("Mean", "").AsIntermediate();
        AddAttr<std::vector<int>>("axes", "").SetDefault({0, 2}).SupportTensor();
        AddAttr<float>("epsilon", "").SetDefault(1);
        AddAttr<int64_t>("must", "");
        AddAttr<bool>("use_cudnn", "").SetDefault(false).AsExtra();
        AddComment("Nothing.");
        """,
    ).Proto()
    assert list(map(str, proto.inputs)) == [
        "X (duplicable)",
        "Bias (dispensable)",
        "Scale (dispensable, quant)",
    ]
    assert list(map(str, proto.outputs)) == ["Out (extra)", "Mean (intermediate)"]
    assert list(map(str, proto.attrs))[:4] == [
        "std::vector<int> axes = (0, 2) (support_tensor)",
        "float epsilon = 1.0",
        "int64_t must",
        "bool use_cudnn = False (extra)",
    ]
    assert [attr.name for attr in proto.attrs if attr.extra][1:] == [
        *("op_role", "op_role_var", "op_namescope", "op_callstack", "op_device", "with_quant_attr"),
    ]
    assert (proto.comment, proto.inputs[0].comment) == ("Nothing.", "a list")


def test_a_maker_may_use_its_own_functions_and_loops(opened: Opened) -> None:
    text = MAKER % 'for (int i = 0; i < 2; ++i) { AddInput(Name(), ""); }'
    text = text.replace("};\nREGISTER", '  std::string Name() { return "X"; }\n};\nREGISTER')
    assert told(opened.text(text)) == [
        'error: Attribute [X] is duplicated. @ AddInput(Name(), ""); } }'
    ]


@pytest.mark.parametrize(
    ("body", "message", "at"),
    [
        ('AddInput("X", ""); AddOutput("X", "");', "Attribute [X] is duplicated.", "AddOutput("),
        (
            'AddAttr<int>("a", "").SetDefault(1).SetDefault(2);',
            "Attribute (a) has a default value and cannot be set repeatedly.",
            "AddAttr<int>(",
        ),
        (
            'AddAttr<int>("a", "").SetDefault("no");',
            "a is a int, and its default a std::string",
            '"no"',
        ),
        (
            'AddInput("X", "").AsDispensible();',
            "`VariableBuilder` has no member `AsDispensible`",
            "AsDispensible",
        ),
        ('AddAttr<char*>("a", "");', "an attribute can't be a char*", "AddAttr<char*>("),
        ('AddInputs("X", "");', "`AddInputs` is not known here", "AddInputs("),
        ('AddInput("X");', "wrong number of arguments: 1 instead of 2", "AddInput("),
    ],
)
def test_what_is_wrong_in_a_maker(opened: Opened, body: str, message: str, at: str) -> None:
    (error,) = told(opened.text(MAKER % body))
    said, _, where = error.partition(" @ ")
    assert said == f"error: {message}"
    assert where.startswith(at)
    assert not opened.program.fluid.op_info_map.Has("x")


def test_attributes_are_checked_and_filled_in(opened: Opened) -> None:
    checker = info(
        opened,
        MAKER
        % """
        AddAttr<int>("axis", "").SetDefault(-1).EqualGreaterThan(-1);
        AddAttr<float>("rate", "").SetDefault(0.5f).GreaterThan(0.0f);
        AddAttr<std::string>("mode", "").InEnum({"up", "down"});
        AddAttr<int>("even", "").SetDefault(0).AddCustomChecker([](const int& even) {
          if (even == 1) { 1 / (even - 1); }
        });
        """,
    ).checker
    assert checker is not None
    filled = checker.Check({"mode": "up"})
    assert [filled[name] for name in ("axis", "rate", "mode", "even")] == [-1, 0.5, "up", 0]
    for attrs, error, message in (
        ({}, InvalidArgument, r"Attribute \(mode\) is not set correctly."),
        ({"mode": "left"}, NotFound, r"Value left is not in enum container \[up ,down\]."),
        ({"mode": "up", "axis": -2}, OutOfRange, "equal or greater than a certain value failed"),
        ({"mode": "up", "rate": 0.0}, OutOfRange, "greater than a certain value failed"),
        ({"mode": "up", "even": 1}, CxxError, "`1 / 0` divides by zero"),
    ):
        with pytest.raises(error, match=message):
            checker.Check(attrs)


LISTS = """
class O : public paddle::framework::OperatorWithKernel {
 public:
  using paddle::framework::OperatorWithKernel::OperatorWithKernel;
  void InferShape(paddle::framework::InferShapeContext* ctx) const override {
    auto axes = ctx->Attrs().Get<std::vector<int>>("axes");
    axes.push_back(7);
    ctx->SetOutputDim("Out", phi::make_ddim(axes));
  }
};
class M : public paddle::framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddComment("");
    AddOutput("Out", "");
    AddAttr<std::vector<int>>("axes", "").SetDefault({1, 2}).AddCustomChecker(
        [](const std::vector<int>& axes) { axes.at(0); });
  }
};
REGISTER_OPERATOR(x, O, M);
"""


def test_a_list_belongs_to_who_reads_it(opened: Opened) -> None:
    info(opened, LISTS)
    infer, mine = opened.program.fluid.infer_op, [5]
    found = [infer("x", {}, attrs)["Out"].dims for attrs in ({}, {"axes": mine}, {})]
    assert found == [(1, 2, 7), (5, 7), (1, 2, 7)]
    assert mine == [5]


def test_what_is_no_name_is_refused_where_a_name_is_wanted(opened: Opened) -> None:
    info(opened, LISTS.replace('"Out", phi::make_ddim(axes)', 'phi::make_ddim(axes), "Out"'))
    with pytest.raises(OpError, match="the name of an output is wanted here"):
        opened.program.fluid.infer_op("x", {}, {})


def test_a_check_of_the_makers_own_is_told_at_its_place(opened: Opened) -> None:
    info(opened, LISTS)
    fluid = opened.program.fluid
    attrs: dict[str, object] = {"axes": []}
    for call in (fluid.infer_op, lambda *given: fluid.call_gradient(*given[:2], {}, given[2])):
        with pytest.raises(OpError, match=r"at\(0\) is out of range") as error:
            call("x", {}, attrs)
        span = error.value.span
        assert span is not None
        assert error.value.source[span.start : span.end] == "0"


def test_a_default_signature_leaves_out_what_no_kernel_has(opened: Opened) -> None:
    info(
        opened,
        MAKER
        % """
        AddInput("X", ""); AddInput("Bias", "").AsDispensable(); AddInput("Q", "").AsQuant();
        AddInput("Y", ""); AddOutput("Out", ""); AddOutput("Space", "").AsExtra();
        AddAttr<int>("b", "").SetDefault(0); AddAttr<int>("a", "").SetDefault(0);
        AddAttr<bool>("use_mkldnn", "").SetDefault(false);
        AddAttr<bool>("use_cudnn", "").SetDefault(false);
        AddAttr<int>("c", "").SetDefault(0).AsExtra();
        AddAttr<int>("d", "").SetDefault(0).AsQuant();
        """,
    )
    assert str(opened.program.fluid.default_signature("x")) == (
        "Kernel Signature - name: x; inputs: X, Y; attributes: b, a; outputs: Out"
    )
    opened.program.phi.op_utils.InsertBaseKernelName("x", "phi_x")
    signature = opened.program.fluid.default_signature("x")
    assert signature is not None
    assert signature.name == "phi_x"
    assert opened.program.fluid.default_signature("nobody") is None


# --- Grad op makers -------------------------------------------------------------------------------


def test_a_gradients_call_is_made_of_the_forward_call(opened: Opened) -> None:
    of = info(
        opened,
        GRADIENT
        % """
        op->SetType("x_grad");
        op->SetInput("X", this->Input("X"));
        if (this->HasInput("Y")) { op->SetInput("Y", this->Input("Y")); }
        op->SetInput(framework::GradVarName("Out"), this->OutputGrad("Out"));
        op->SetOutput(framework::GradVarName("X"), this->InputGrad("X"));
        op->SetAttrMap(this->Attrs());
        """,
    )
    (made,) = of.GradOpMaker(CALL)
    assert made == OpDesc(
        "x_grad", {"X": ["a"], "Out@GRAD": ["c@GRAD"]}, {"X@GRAD": ["a@GRAD"]}, {"axis": 1}
    )
    (both,) = of.GradOpMaker(OpDesc("x", {"X": ["a"], "Y": ["b"]}, {"Out": ["c"]}))
    assert both.inputs["Y"] == ["b"]
    (unwanted,) = of.GradOpMaker(CALL, ["a@GRAD"])
    assert unwanted.outputs == {"X@GRAD": []}


def test_a_list_has_a_gradient_for_each_or_says_so(opened: Opened) -> None:
    of = info(opened, GRADIENT % 'op->SetOutput("G", this->InputGrad("X", false));')
    (made,) = of.GradOpMaker(OpDesc("x", {"X": ["a", "b"]}), ["b@GRAD"])
    assert made.outputs["G"] == ["a@GRAD", "@EMPTY@"]


def test_a_list_may_not_drop_its_empty_gradients(opened: Opened) -> None:
    of = info(opened, GRADIENT % 'op->SetOutput("G", this->InputGrad("X"));')
    with pytest.raises(CxxError, match="BUG from operator developer"):
        of.GradOpMaker(OpDesc("x", {"X": ["a", "b"]}))


def test_a_name_that_the_call_does_not_have(opened: Opened) -> None:
    of = info(opened, GRADIENT % 'op->SetInput("Y", this->Input("Y"));')
    with pytest.raises(CxxError, match=r"Input Y cannot be found in operator x."):
        of.GradOpMaker(CALL)


@pytest.mark.parametrize(
    ("maker", "made"),
    [
        ("EmptyGradOpMaker", []),
        (
            "DefaultGradOpMaker",
            [
                OpDesc(
                    "x_grad",
                    {"X": ["a"], "Out": ["c"], "Out@GRAD": ["c@GRAD"]},
                    {"X@GRAD": ["a@GRAD"]},
                    {"axis": 1},
                )
            ],
        ),
    ],
)
def test_makers_that_fluid_brings_along(opened: Opened, maker: str, made: list[OpDesc]) -> None:
    of = info(
        opened,
        (MAKER % "").replace(
            "O, M", f"O, M, paddle::framework::{maker}<paddle::framework::OpDesc>"
        ),
    )
    assert of.GradOpMaker(CALL) == made
    assert of.HasNonEmptyGradOpMaker() == bool(made)


def test_an_operator_without_a_gradient(opened: Opened) -> None:
    with pytest.raises(EnforceNotMet, match="Operator x's GradOpMaker has not been registered"):
        info(opened, MAKER % "").GradOpMaker(CALL)
