"""Operators called by names: mappings, base names, default signatures and registered InferMeta."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.phi import AlreadyExists, NotFound, Runtime
from registry_runtime.phi.arg_map_context import KernelSignature
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.op_utils import DefaultKernelSignatureMap
from registry_runtime.phi.selected_rows import SelectedRows
from registry_runtime.program import Program
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.linking import load

SAMPLES = Path(__file__).parents[2] / "cpp_samples"
KERNELS = [SAMPLES / "phi" / f"{name}_kernel.cc" for name in ("trace", "scale", "elementwise")]
FLUID = SAMPLES / "fluid"
MAPPINGS = [
    FLUID / f"{n}.cc" for n in ("trace_sig", "scale_sig", "elementwise_sig", "trace_infermeta")
]
X = np.arange(9, dtype="f4").reshape(3, 3)
AXES = {"offset": 0, "axis1": 0, "axis2": 1}


@pytest.fixture(scope="module")
def phi() -> Runtime:
    return load([*KERNELS, *MAPPINGS]).phi


def opened(program: Program, tmp_path: Path, text: str, header: str = "op_utils.h") -> Workbench:
    path = tmp_path / f"text{len(list(tmp_path.iterdir()))}.cc"
    path.write_text(f'#include "{FLUID / header}"\n{text}')
    return open_file(path, None, program)


def mapping(body: str, op: str = "trace_grad") -> str:
    return (
        "namespace phi {\nKernelSignature Map(const ArgumentMappingContext& ctx) {\n"
        f"{body}\n}}\n}}\nPD_REGISTER_ARG_MAPPING_FN({op}, phi::Map);\n"
    )


class TestCalls:
    def test_names_find_their_places(self, phi: Runtime) -> None:
        assert phi.call_op("trace", {"Input": X}, AXES)["Out"] == np.trace(X)

    def test_one_operator_has_two_kernels(self, phi: Runtime) -> None:
        rows = SelectedRows([0, 2], 5, np.ones((2, 2), "f4"))  # type: ignore[arg-type]
        assert phi.op_signature("scale", inputs={"X": X}).name == "scale"
        assert phi.op_signature("scale", inputs={"X": rows}).name == "scale_sr"
        assert phi.op_signature("scale", inputs={}).name == "unregistered"

    def test_an_attribute_comes_as_a_tensor(self, phi: Runtime) -> None:
        attrs = {"scale": 2.0, "bias": 1.0, "bias_after_scale": True}
        made = phi.call_op("scale", {"X": X, "ScaleTensor": np.float32([3])}, attrs)
        np.testing.assert_array_equal(made["Out"], X * 3 + 1)
        np.testing.assert_array_equal(phi.call_op("scale", {"X": X}, attrs)["Out"], X * 2 + 1)

    def test_a_base_name_and_a_default_signature(self) -> None:
        runtime = load([*KERNELS, *MAPPINGS]).phi
        name = runtime.op_utils.GetBaseKernelName("elementwise_sub")
        signature = KernelSignature(name, ("X", "Y"), (), ("Out",))
        runtime.default_signatures.Insert("elementwise_sub", signature)
        made = runtime.call_op("elementwise_sub", {"X": X, "Y": X + 1})
        np.testing.assert_array_equal(made["Out"], np.full((3, 3), -1))

    def test_a_signature_prints_as_paddle_prints_it(self, phi: Runtime) -> None:
        printed = str(phi.op_signature("trace_grad", inputs={}))
        assert printed == (
            "Kernel Signature - name: trace_grad; inputs: Input, Out@GRAD; "
            "attributes: offset, axis1, axis2; outputs: Input@GRAD"
        )


class TestMappings:
    @pytest.mark.parametrize(
        ("question", "inputs", "answer"),
        [
            ('ctx.HasInput("X")', {}, False),
            ('ctx.HasInput("X")', {"X": X}, True),
            ('ctx.InputSize("X") == 2', {"X": [X, X]}, True),
            ('ctx.IsDenseTensorInputs("X")', {"X": [X, X]}, True),
            ('ctx.IsSelectedRowsInput("X")', {"X": X}, False),
            ('ctx.IsSparseCooTensorInput("X")', {"X": X}, False),
            ('ctx.HasOutput("Out") && ctx.IsDenseTensorOutput("Out")', {}, True),
            ('ctx.IsForInferShape() || !ctx.IsRuntime() || ctx.IsVocabOutput("Out")', {}, False),
            ('paddle::any_cast<int>(ctx.Attr("axis")) == -1', {}, True),
        ],
    )
    def test_ask_about_the_call(
        self, tmp_path: Path, question: str, inputs: dict[str, Any], answer: bool
    ) -> None:
        program = Program()
        opened(
            program,
            tmp_path,
            mapping(f'return KernelSignature({question} ? "yes" : "no", {{}}, {{}}, {{}});'),
        )
        made = program.phi.op_signature("trace_grad", inputs=inputs, attrs={"axis": -1})
        assert made.name == ("yes" if answer else "no")

    def test_may_gather_names(self, tmp_path: Path) -> None:
        program = Program()
        body = (
            'paddle::small_vector<const char*> in{"X"};\n'
            'if (ctx.HasInput("Y")) { in.emplace_back("Y"); }\n'
            'return KernelSignature("k", std::move(in), {}, {"Out"});'
        )
        opened(program, tmp_path, mapping(body))
        assert program.phi.op_signature("trace_grad", inputs={"Y": X}).input_names == ("X", "Y")
        assert program.phi.op_signature("trace_grad", inputs={}).input_names == ("X",)


class TestErrors:
    def at(self, error: OpError) -> str:
        assert error.span is not None
        return error.source[error.span.start : error.span.end]

    def test_lists_of_the_wrong_length(self, tmp_path: Path) -> None:
        program = load(KERNELS)
        bench = opened(
            program,
            tmp_path,
            mapping('return KernelSignature("trace_grad", {"A", "B", "C"}, {}, {"D"});'),
        )
        with pytest.raises(OpError) as error:
            program.phi.call_op("trace_grad", {"A": X})
        assert (
            "The size of inputs_args names (3) must be equal to the size of kernel input_defs (2). "
            "[Hint: Expected input_names.size() == input_defs.size(), but received "
            "input_names.size():3 != input_defs.size():2.]"
        ) in str(error.value)
        assert self.at(error.value) == '"trace_grad"'
        assert error.value.span is not None
        assert bench.at_source(str(error.value), error.value.span).where.line == 4

    def test_a_kernel_that_nobody_registered(self, phi: Runtime) -> None:
        with pytest.raises(OpError, match="`add_raw` is not registered") as error:
            phi.call_op("elementwise_add", {"X": X, "Y": X}, {"axis": 1})
        assert self.at(error.value) == '"add_raw"'

    def test_a_name_that_the_call_has_not(self, phi: Runtime) -> None:
        with pytest.raises(OpError, match="did you mean Input where you passed Inputs") as error:
            phi.call_op("trace", {"Inputs": X}, AXES)
        assert self.at(error.value) == '"Input"'
        with pytest.raises(OpError, match="the attribute offset") as error:
            phi.call_op("trace", {"Input": X})
        assert self.at(error.value) == '"offset"'

    def test_an_attribute_that_the_mapping_asks_for(self, phi: Runtime) -> None:
        with pytest.raises(OpError, match=r"\(axis\) is not found in AttributeMap\.") as error:
            phi.call_op("elementwise_add", {"X": X, "Y": X})
        assert self.at(error.value) == '"axis"'
        with pytest.raises(OpError, match="bad any_cast") as error:
            phi.call_op("elementwise_add", {"X": X, "Y": X}, {"axis": 1.5})

    def test_no_signature_at_all(self, phi: Runtime) -> None:
        with pytest.raises(OpError, match="`elementwise_sub`'s kernel signature is not registered"):
            phi.call_op("elementwise_sub", {"X": X, "Y": X})

    def test_an_input_that_is_no_tensor(self, phi: Runtime) -> None:
        with pytest.raises(OpError, match="input Input must be a tensor"):
            phi.call_op("trace", {"Input": "x"}, AXES)

    @pytest.mark.parametrize(
        ("text", "message", "token"),
        [
            ("PD_REGISTER_ARG_MAPPING_FN(trace, phi::Mapp);", "phi::Mapp", "Mapp"),
            (
                "namespace phi { void F(int a); }\nPD_REGISTER_ARG_MAPPING_FN(trace, phi::F);",
                "no argument mapping",
                "F",
            ),
            (
                "namespace n { PD_REGISTER_BASE_KERNEL_NAME(elementwise_add, add); }",
                "must be called in global namespace",
                "",
            ),
            ("PD_DECLARE_ARG_MAPPING_FN(nobody);", "there is no `nobody`", ""),
            ("PD_DECLARE_BASE_KERNEL_NAME(op, nobody);", "there is no `nobody`", ""),
        ],
    )
    def test_a_registration_that_cannot_be(
        self, tmp_path: Path, text: str, message: str, token: str
    ) -> None:
        bench = opened(Program(), tmp_path, text)
        (found,) = [d for d in bench.diagnostics if message in d.message]
        written = bench.path.read_text().splitlines()[found.where.line - 1]
        assert token in written[found.where.column - 1 :]
        assert not bench.entries


class TestRegistrations:
    def test_are_entries(self) -> None:
        program = Program()
        entries = [e.registration for f in MAPPINGS for e in open_file(f, None, program).entries]
        assert {(e.kernel_name, str(e.key), e.function) for e in entries} >= {
            ("trace_grad", "argument mapping", "phi::TraceGradOpArgumentMapping"),
            ("elementwise_sub", "base kernel name", "subtract"),
            ("trace", "infer meta", "phi::TraceInferMeta"),
        }
        assert all(e.runnable and not e.replaced for e in entries)

    def test_the_first_stays_until_it_is_taken_back(self, tmp_path: Path) -> None:
        program = Program()
        first = mapping('return KernelSignature("first", {}, {}, {});')
        second = mapping('return KernelSignature("second", {}, {}, {});')
        texts = [opened(program, tmp_path, text) for text in (first, second)]
        assert program.phi.op_signature("trace_grad", inputs={}).name == "first"
        (warning,) = texts[1].diagnostics
        assert "has an argument mapping already" in warning.message
        texts[0].take_back()
        assert program.phi.op_signature("trace_grad", inputs={}).name == "second"
        texts[1].take_back()
        assert not program.phi.op_utils.Contains("trace_grad")

    def test_a_mapping_without_a_body_is_declared(self, tmp_path: Path) -> None:
        text = (
            "namespace phi { KernelSignature F(const ArgumentMappingContext& ctx); }\n"
            "PD_REGISTER_ARG_MAPPING_FN(trace, phi::F);"
        )
        (entry,) = opened(Program(), tmp_path, text).entries
        assert not entry.registration.runnable

    def test_a_default_signature_is_registered_once(self) -> None:
        signatures = DefaultKernelSignatureMap()
        with pytest.raises(NotFound, match="Operator `a`'s kernel signature is not registered"):
            signatures.Get("a")
        signatures.Insert("a", KernelSignature("a"))
        with pytest.raises(AlreadyExists, match=r"Operator \(a\)'s Kernel Signature has been"):
            signatures.Insert("a", KernelSignature("a"))


class TestInferMeta:
    def test_runs_on_the_same_call(self, phi: Runtime) -> None:
        made = phi.infer_op("trace", {"Input": X}, AXES)["Out"]
        assert (made.dims, made.dtype) == ((), DataType.FLOAT32)

    def test_leaves_what_it_has_no_parameter_for(self, phi: Runtime) -> None:
        made = phi.infer_op("trace_grad", {"Input": X, "Out@GRAD": X[0, 0]}, AXES)
        assert made["Input@GRAD"].dims == (3, 3)

    def test_a_dim_may_be_open_before_run_time(self, phi: Runtime) -> None:
        x = MetaTensor((-1, 4, 4), DataType.INT32)
        axes = {"offset": 0, "axis1": 1, "axis2": 2}
        assert phi.infer_op("trace", {"Input": x}, axes, is_runtime=False)["Out"].dims == (-1,)

    def test_a_wrong_call_is_refused_in_its_words(self, phi: Runtime) -> None:
        with pytest.raises(OpError, match="axis1 is out of range"):
            phi.infer_op("trace", {"Input": X}, {**AXES, "axis1": 7})
        with pytest.raises(
            OpError, match="`scale`'s Series Kernel's InferMetaFn is not registered"
        ):
            phi.infer_op("scale", {"X": X}, {"scale": 1.0, "bias": 0.0, "bias_after_scale": True})

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            (
                "MetaTensor* out, const MetaTensor& x",
                "InferMeta's Input should appear before Outputs",
            ),
            ("int a, const MetaTensor& x", "InferMeta's Input should appear before Attributes"),
            ("MetaTensor& x", "can't have a parameter of this type"),
            ("const MetaTensor& x, int axis1, int offset", "and the Python one (x, offset,"),
        ],
    )
    def test_parameters_that_it_cannot_have(
        self, tmp_path: Path, parameters: str, message: str
    ) -> None:
        text = (
            f"namespace phi {{ void TraceInferMeta({parameters}); }}\n"
            "PD_REGISTER_INFER_META_FN(trace, phi::TraceInferMeta);"
        )
        bench = opened(Program(), tmp_path, text, "infermeta_utils.h")
        assert message in bench.diagnostics[0].message
        assert bench.diagnostics[0].where.line == 2

    def test_one_that_nobody_wrote_is_declared_and_one_name_is_taken_once(
        self, tmp_path: Path
    ) -> None:
        program = Program()
        text = (
            "namespace phi { void MyInferMeta(const MetaTensor& x, MetaTensor* out); }\n"
            "PD_REGISTER_INFER_META_FN(my, phi::MyInferMeta);"
        )
        (entry,) = opened(program, tmp_path, text, "infermeta_utils.h").entries
        assert not entry.registration.runnable
        (again,) = opened(program, tmp_path, text, "infermeta_utils.h").diagnostics
        assert "`my`'s Series Kernel's InferMetaFn has been registered." in again.message


@pytest.mark.paddle
class TestAgainstPaddle:
    @pytest.mark.parametrize(
        ("op", "inputs", "attrs"),
        [
            ("trace_grad", {"Input": X, "Out@GRAD": X[0, 0]}, AXES),
            ("scale", {"X": X, "ScaleTensor": X[0, :1]}, {"bias": 1.0}),
            ("scale", {"X": X}, {"bias": 1.0}),
        ],
    )
    def test_the_samples_map_as_paddle_does(
        self, phi: Runtime, op: str, inputs: dict[str, Any], attrs: dict[str, Any]
    ) -> None:
        paddle = pytest.importorskip("paddle")
        from paddle.base import core, framework

        tensors = {
            name: [core.eager.Tensor(value=np.atleast_1d(x), place=paddle.CPUPlace())]
            for name, x in inputs.items()
        }
        tracer = framework._dygraph_tracer()
        theirs = tracer._get_kernel_signature(op, tensors, {}, attrs)
        ours = phi.op_signature(op, inputs=inputs, attrs=attrs)
        assert list(map(tuple, theirs)) == [ours.input_names, ours.attr_names, ours.output_names]

    @pytest.mark.parametrize("op", ["elementwise_add", "elementwise_sub", "trace_grad"])
    def test_base_kernel_names_are_paddles(self, phi: Runtime, op: str) -> None:
        pytest.importorskip("paddle")
        from paddle.base import core

        assert phi.op_utils.GetBaseKernelName(op) == core._get_phi_kernel_name(op)
