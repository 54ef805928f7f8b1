"""Small Fluid operators, made to measure: a body for Compute, the maker's lines, the rest around it."""

from pathlib import Path

from visualizer.migration import Migration, migrate

MAKER = """\
    AddInput("X", "what goes in");
    AddOutput("Out", "what comes out");
    AddAttr<int>("axis", "an axis");
"""
SHAPES = """\
    ctx->SetOutputDim("Out", ctx->GetInputDim("X"));
"""


def operator_text(
    body: str = "",
    maker: str = MAKER,
    shapes: str = SHAPES,
    before: str = "",
    head: str = "template <typename DeviceContext, typename T>",
    more: str = "",
    op_type: str = "scale",
) -> str:
    """`op_type`'s file: `before` the kernel's class, whose Compute is `body`; `more` at the end."""
    return f"""\
#include "op_registry.h"

namespace paddle {{
namespace operators {{

{before}{head}
class TestKernel : public framework::OpKernel<T> {{
 public:
  void Compute(const framework::ExecutionContext& ctx) const override {{
{body}
  }}
}};

class TestOp : public framework::OperatorWithKernel {{
 public:
  using framework::OperatorWithKernel::OperatorWithKernel;

  void InferShape(framework::InferShapeContext* ctx) const override {{
{shapes}  }}
}};

class TestOpMaker : public framework::OpProtoAndCheckerMaker {{
 public:
  void Make() override {{
    AddComment("");
{maker}  }}
}};

}}  // namespace operators
}}  // namespace paddle

namespace ops = paddle::operators;
namespace plat = paddle::platform;
REGISTER_OPERATOR({op_type}, ops::TestOp, ops::TestOpMaker);
REGISTER_OP_CPU_KERNEL({op_type},
                       ops::TestKernel<plat::CPUDeviceContext, float>,
                       ops::TestKernel<plat::CPUDeviceContext, plat::float16>);
{more}"""


def migrated(folder: Path, text: str, name: str = "test_op.cc") -> Migration:
    """What becomes of a file of that text."""
    path = folder / name
    path.write_text(text)
    return migrate(path)


def piece(migration: Migration, ending: str) -> str:
    """The text of the one piece whose path ends so."""
    (found,) = [p.text for p in migration.pieces if p.path.endswith(ending)]
    return found


def body_of(text: str) -> str:
    """What stands in the last function's braces of a kernel file, without its indentation."""
    inside = text.split(") {\n", 1)[1].split("\n}\n\n}  // namespace", 1)[0]
    return "\n".join(line.strip() for line in inside.split("\n")).strip()
