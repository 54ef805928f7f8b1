"""Pictures of Fluid's entries: in the registry, all about an operator and a kernel, and a call."""

from pathlib import Path

import pytest

from tests.tui.bare_app import BareApp
from tests.tui.settled import pressing
from tests.tui.test_fluid_entries import DOUBLE, entry_of
from visualizer.tui.app import UnfoldApp
from visualizer.tui.entry import opening as entry_screens
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=["80x24", "160x48"])

# Of its own, so that a line more in the samples changes no picture.
TEXT = """\
namespace paddle {
namespace operators {

class CropOp : public framework::OperatorWithKernel {
 public: using framework::OperatorWithKernel::OperatorWithKernel;
  void InferShape(framework::InferShapeContext* ctx) const override {
    ctx->SetOutputDim("Out", ctx->GetInputDim("X"));
  }
};

class CropOpMaker : public framework::OpProtoAndCheckerMaker {
 public:
  void Make() override {
    AddInput("X", "What is cropped.");
    AddInput("Offsets", "Where, if that isn't known before.").AsDispensable();
    AddOutput("Out", "What is left.");
    AddAttr<std::vector<int>>("offsets", "Where.").SetDefault({0, 0});
    AddAttr<bool>("use_cudnn", "Whether cuDNN does it.").SetDefault(false).AsExtra();
    AddComment("Cuts a piece out of a tensor.");
  }
};

template <typename T>
class CropGradOpMaker : public framework::SingleGradOpMaker<T> {
 public: using framework::SingleGradOpMaker<T>::SingleGradOpMaker; protected:
  void Apply(GradOpPtr<T> op) const override {
    op->SetType("crop_grad");
    op->SetInput(framework::GradVarName("Out"), this->OutputGrad("Out"));
    op->SetOutput(framework::GradVarName("X"), this->InputGrad("X"));
    op->SetAttrMap(this->Attrs());
  }
};

template <typename DeviceContext, typename T>
class CropKernel : public framework::OpKernel<T> {
 public:
  void Compute(const framework::ExecutionContext& context) const override {
    auto* x = context.Input<framework::Tensor>("X");
    auto* out = context.Output<framework::Tensor>("Out");
    auto offsets = context.Attr<std::vector<int>>("offsets");
  }
};

}  // namespace operators
}  // namespace paddle

namespace ops = paddle::operators;

REGISTER_OPERATOR(crop, ops::CropOp, ops::CropOpMaker,
                  ops::CropGradOpMaker<paddle::framework::OpDesc>);

REGISTER_OP_KERNEL(crop, CUDNN, phi::GPUPlace,
                   ops::CropKernel<phi::GPUContext, phi::dtype::float16>);
"""


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])


@pytest.fixture
def crop(tmp_path):
    path = tmp_path / "crop_op.cc"
    path.write_text(f'#include "{samples_folder()}/fluid/op_registry.h"\n{TEXT}')
    bench = open_file(path)
    assert not bench.diagnostics
    return bench


@pytest.fixture
def trace():
    return open_file(Path("cpp_samples/fluid/trace_op.cc"))


@SIZES
def test_the_registry_with_fluids_entries(snap_compare, trace, size):
    app = UnfoldApp(trace, entry_of(trace, "trace", DOUBLE).expansion, 3)
    assert snap_compare(app, terminal_size=size, run_before=pressing("3"))


@SIZES
@pytest.mark.parametrize("keys", ["1", "2"], ids=["registration", "call"])
def test_all_about_an_operator(snap_compare, crop, size, keys):
    app = BareApp(entry_screens.all_about(crop, crop.entries[0]))
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@SIZES
@pytest.mark.parametrize("keys", ["1", "2", "2l"], ids=["registration", "call", "library"])
def test_all_about_a_kernel(snap_compare, crop, size, keys):
    app = BareApp(entry_screens.all_about(crop, crop.entries[1]))
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


@SIZES
@pytest.mark.parametrize("keys", ["", "r", "r2"], ids=["form", "outputs", "steps"])
def test_a_call_by_names(snap_compare, trace, size, keys):
    app = BareApp(entry_screens.to_run(trace, entry_of(trace, "trace", DOUBLE), 0))
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))
