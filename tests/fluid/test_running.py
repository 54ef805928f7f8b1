"""An operator of Fluid's, run: before, between and after its move to PHI, with equal results."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.fluid.infer_shape_context import InferShapeContext
from registry_runtime.lab.fluid.trial import try_op
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.program import Program
from visualizer.workbench.linking import load

FLUID = Path(__file__).parents[2] / "cpp_samples" / "fluid"
BEFORE = [FLUID / "trace_op.cc"]
KERNELS = [FLUID / "after" / "trace_kernel.cc"]
MAPPING = [FLUID / "trace_sig.cc"]
BETWEEN = [FLUID / "between" / "trace_op.cc", *MAPPING, *KERNELS]
AFTER = [*MAPPING, *KERNELS]
AXES = {"offset": 1, "axis1": -2, "axis2": -1}
X = np.random.default_rng(0).standard_normal((4, 3, 5))


@pytest.fixture(scope="module")
def before() -> Program:
    return load(BEFORE)


@pytest.fixture(scope="module")
def between() -> Program:
    return load(BETWEEN)


@pytest.fixture(scope="module")
def after() -> Program:
    return load(AFTER)


def launched(program: Program, op: str, *call: Any) -> str:
    """The name of what ran."""
    story = program.fluid.explain_op(op, *call)
    assert story.error is None
    return str(story.steps[-1].fact)


class TestTheSameInBothWorlds:
    @pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "c8", "c16"])
    def test_forward(self, before: Program, between: Program, after: Program, dtype: str) -> None:
        x = (X * 10).astype(dtype)
        wanted = np.trace(x, 1, -2, -1)
        for program in (before, between, after):
            made = program.fluid.call_op("trace", {"Input": x}, AXES)["Out"]
            assert made.dtype == np.dtype(dtype)
            np.testing.assert_allclose(made, wanted, rtol=1e-5)

    def test_gradient(self, before: Program, between: Program) -> None:
        out_grad = np.arange(1.0, 5.0)
        gradients = [
            program.fluid.call_gradient("trace", {"Input": X}, {"Out": out_grad}, AXES)
            for program in (before, between)
        ]
        np.testing.assert_array_equal(gradients[0]["Input@GRAD"], gradients[1]["Input@GRAD"])
        step, found = 1e-6, np.zeros_like(X)  # against finite differences
        for at in np.ndindex(X.shape):
            moved = X.copy()
            moved[at] += step
            difference = np.trace(moved, 1, -2, -1) - np.trace(X, 1, -2, -1)
            found[at] = (out_grad * difference).sum() / step
        np.testing.assert_allclose(gradients[0]["Input@GRAD"], found, atol=1e-5)

    def test_by_another_kernel_each_time(self, before: Program, between: Program) -> None:
        assert launched(before, "trace", {"Input": X}, AXES) == (
            "paddle::operators::TraceKernel<phi::CPUContext, double>"
        )
        assert launched(between, "trace", {"Input": X}, AXES) == (
            "phi::TraceKernel<double, phi::CPUContext>"
        )

    def test_a_matrix_has_a_trace_of_one_axis_in_fluid(
        self, before: Program, between: Program
    ) -> None:
        assert before.fluid.call_op("trace", {"Input": X[0]})["Out"].shape == (1,)
        assert between.fluid.call_op("trace", {"Input": X[0]})["Out"].shape == ()

    def test_phi_is_asked_first_and_fluid_for_the_rest(self, tmp_path: Path) -> None:
        only_float = tmp_path / "k.cc"
        only_float.write_text(
            f'#include "{FLUID}/after/trace_kernel.h"\n'
            f'#include "{FLUID.parent}/phi/kernel_registry.h"\n'
            "PD_REGISTER_KERNEL(trace, CPU, ALL_LAYOUT, phi::TraceKernel, float) {}"
        )
        program = load([*BEFORE, only_float])
        assert launched(program, "trace", {"Input": X.astype("f4")}).startswith("phi::")
        assert launched(program, "trace", {"Input": X}).startswith("paddle::operators::")

    def test_the_dims_are_infershapes(self, tmp_path: Path) -> None:
        # The operator's InferShape is Fluid's still, its kernel is PHI's already.
        program = load([*BEFORE, *AFTER])
        assert launched(program, "trace", {"Input": X[0]}).startswith("phi::")
        assert program.fluid.call_op("trace", {"Input": X[0]})["Out"].shape == (1,)

    def test_tried_on_random_data(self, before: Program, between: Program) -> None:
        for program in (before, between):
            for op in ("trace", "trace_grad"):
                assert try_op(program.fluid, op, "float64", 100).agrees


class TestKeys:
    @pytest.mark.parametrize(
        "data_type",
        [
            'IndicateVarDataType(ctx, framework::GradVarName("Out"))',
            'this->IndicateVarDataType(ctx, framework::GradVarName("Out"))',
            'OperatorWithKernel::IndicateVarDataType(ctx, framework::GradVarName("Out"))',
            'IndicateOrPromoteVarDataTypes(ctx, "Input", framework::GradVarName("Out"))',
            'framework::TransToProtoVarType(ctx.Input<framework::Tensor>("Input")->dtype())',
            "IndicateDataType(ctx)",
            "framework::proto::VarType::FP64",
        ],
    )
    @pytest.mark.parametrize("place", ["ctx.GetPlace()", "ctx.device_context()"])
    def test_are_what_the_operator_says(self, tmp_path: Path, data_type: str, place: str) -> None:
        text = BEFORE[0].read_text().replace('#include "', f'#include "{FLUID}/')
        start = text.index("framework::OpKernelType(Indicate")
        end = text.index(";", start)
        path = tmp_path / "k.cc"
        made = f"framework::OpKernelType({data_type}, {place})"
        path.write_text(text[:start] + made + text[end:])
        given = {"Input": X, "Out@GRAD": X[:, 0, 0]}
        story = load([path]).fluid.explain_op("trace_grad", given, AXES)
        assert story.error is None
        assert str(story.steps[0].fact).startswith("{data_type[double]; ")

    def test_inputs_without_memory_give_none(self, before: Program) -> None:
        given = {"Input": X, "Out@GRAD": DenseTensor()}
        with pytest.raises(OpError, match="Input Variable `Out@GRAD` contains uninitialized"):
            before.fluid.call_op("trace_grad", given, AXES)


class TestStructures:
    def test_a_class_in_phis_registry_gets_its_context(self) -> None:
        program = load([*BETWEEN[:1], *MAPPING, FLUID / "between" / "trace_struct_kernel.cc"])
        assert launched(program, "trace", {"Input": X}, AXES) == (
            "paddle::operators::TraceStructKernel<double, phi::CPUContext>"
        )
        made = program.fluid.call_op("trace", {"Input": X}, AXES)["Out"]
        np.testing.assert_allclose(made, np.trace(X, 1, -2, -1))


class TestShapes:
    @pytest.mark.parametrize("name", ["before", "between"])
    def test_a_dim_may_be_open_before_run_time(
        self, name: str, request: pytest.FixtureRequest
    ) -> None:
        fluid = request.getfixturevalue(name).fluid
        x = MetaTensor((-1, 4, 5), DataType.FLOAT32)
        made = fluid.infer_op("trace", {"Input": x}, {"axis1": 1, "axis2": 2}, is_runtime=False)
        assert made["Out"].dims == (-1,)

    def test_a_lod_is_shared(self) -> None:
        from registry_runtime.fluid.execution_context import RuntimeContext

        x, out = MetaTensor((5, 2), lod=((0, 2, 5),)), MetaTensor()
        ctx = InferShapeContext(RuntimeContext("op", {"X": [x]}, {"Out": [out]}, {}))
        ctx.ShareDim("X", "Out")
        ctx.ShareLoD("X", "Out")
        assert (out.dims, out.lod, ctx.forgotten()) == ((5, 2), ((0, 2, 5),), [])


class TestRefused:
    """What Fluid says: the messages are Paddle's."""

    @pytest.mark.parametrize(
        ("inputs", "attrs", "message"),
        [
            (
                {"Input": X[0, 0]},
                {},
                "Input's dim is out of range (expected at least 2, but got 1).\n  [Hint: Expected "
                "x_dims.size() >= 2, but received x_dims.size():1 < 2:2.]",
            ),
            (
                {"Input": X},
                {"axis1": 3},
                "Attr(dim1) is out of range (expected to be in range of [-3, 2], but got 3).",
            ),
            ({"Input": X}, {"axis2": -3}, "The dimensions should not be identical 0 vs -3."),
            ({"Input": X}, {"axis1": 0.5}, "Cannot get attribute (axis1) by type int, its type is"),
            ({"Inputs": X}, {}, "does not have the input Inputs; did you mean Input?"),
            ({"Input": X}, {"axis": 1}, "does not have the attribute axis; did you mean axis"),
            ({}, {}, "Operator trace's input (Input) is not set"),
            ({"Input": "x"}, {}, "input Input must be a tensor"),
            (
                {"Input": X > 0},
                {},
                "Operator (trace) does not have kernel for {data_type[bool]; "
                "data_layout[Undefined(AnyLayout)]; place[Place(cpu)]; library_type[PLAIN]}.",
            ),
        ],
    )
    def test_in_fluids_words(
        self, before: Program, inputs: dict[str, Any], attrs: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(OpError) as error:
            before.fluid.call_op("trace", inputs, attrs)
        assert message in str(error.value)

    def test_an_operator_without_kernels(self) -> None:
        program = load([FLUID / "between" / "trace_op.cc"])
        with pytest.raises(OpError, match="There are no kernels which are registered in the trace"):
            program.fluid.call_op("trace", {"Input": X})

    def test_an_operator_that_nobody_registered(self, before: Program) -> None:
        with pytest.raises(OpError, match=r"Operator \(trac\) is not registered.*`trace`"):
            before.fluid.call_op("trac", {"Input": X})

    def test_a_gradient_that_has_no_mapping(self) -> None:
        program = load([*BEFORE, *KERNELS])
        with pytest.raises(OpError, match="`trace_grad`'s kernel signature is not registered"):
            program.fluid.call_op("trace_grad", {"Input": X, "Out@GRAD": X[:, 0, 0]}, AXES)

    def test_a_name_that_the_gradients_call_has_not(self, before: Program) -> None:
        with pytest.raises(OpError, match="does not have the input Out@GRAD") as error:
            before.fluid.call_op("trace_grad", {"Input": X}, AXES)
        span = error.value.span
        assert span is not None
        assert error.value.source[span.start : span.end] == 'framework::GradVarName("Out")'

    @pytest.mark.parametrize(
        ("op", "inputs", "message", "token"),
        [
            ("trace", {"Input": X > 0}, "does not have kernel for", "ops::TraceKernel<"),
            (
                "trace_grad",
                {"Input": X[0, 0], "Out@GRAD": X[0, 0, :1]},
                "out of range (expected at least 2, but got 1)",
                "ops::TraceGradKernel<",
            ),
        ],
    )
    def test_at_the_kernels_registration(
        self, before: Program, op: str, inputs: dict[str, Any], message: str, token: str
    ) -> None:
        with pytest.raises(OpError) as error:
            before.fluid.call_op(op, inputs, AXES if op == "trace_grad" else {})
        assert message in str(error.value)
        span = error.value.span
        assert span is not None
        assert error.value.source[span.start : span.end].startswith(token)

    def test_at_the_function_that_was_registered(self, between: Program) -> None:
        given = {"Input": X[0, 0], "Out@GRAD": X[0, 0, :1]}
        with pytest.raises(OpError, match="expected at least 2") as error:
            between.fluid.call_op("trace_grad", given, AXES)
        span = error.value.span
        assert span is not None
        assert "TraceGradKernel" in error.value.source[span.start : span.end]


@pytest.mark.paddle
class TestAgainstPaddle:
    def test_trace_and_its_gradient(self, before: Program, between: Program) -> None:
        paddle = pytest.importorskip("paddle")
        x = paddle.to_tensor(X, stop_gradient=False)
        out = paddle.trace(x, 1, -2, -1)
        out.backward(paddle.to_tensor(np.arange(1.0, 5.0)))
        for program in (before, between):
            made = program.fluid.call_op("trace", {"Input": X}, AXES)["Out"]
            np.testing.assert_allclose(made, out.numpy())
            gradient = program.fluid.call_gradient(
                "trace", {"Input": X}, {"Out": np.arange(1.0, 5.0)}, AXES
            )
            np.testing.assert_array_equal(gradient["Input@GRAD"], x.grad.numpy())
