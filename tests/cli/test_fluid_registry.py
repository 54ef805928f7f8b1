"""Fluid's registries on the command line: listed beside PHI's, searched, told with the steps."""

from __future__ import annotations

import json

import pytest

from visualizer.cli import main
from visualizer.workbench.samples import samples_folder

FLUID = samples_folder() / "fluid"
FILES = [str(f) for f in sorted(FLUID.glob("*.cc"))]
TRACE = str(FLUID / "trace_op.cc")


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]):
    """Runs a command line: its exit code, what it printed, what it complained about."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def line_of(text: str) -> int:
    """The line of the sample that begins so."""
    lines = (FLUID / "trace_op.cc").read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.startswith(text))


def test_operators_and_kernels_have_tables_beside_those_of_phi(told) -> None:
    code, out, err = told("kernels", *FILES, str(FLUID / "after" / "trace_kernel.cc"))
    (note,) = err.splitlines()  # on the one file whose kernels are the GPU's
    assert code == 0
    assert "trace_op.cu.cc: note: REGISTER_OP_CUDA_KERNEL registers nothing without" in note
    operators, kernels, phi, joins = (t.splitlines() for t in out.split("\n\n"))
    assert operators[0].split()[:5] == ["operator", "class", "inputs", "outputs", "attributes"]
    trace, gradient = operators[1:]
    assert "int offset = 0, int axis1 = 0, int axis2 = 1" in trace
    assert trace.split()[:4] == ["trace", "TraceOp", "Input", "Out"]
    assert f"trace_op.cc:{line_of('REGISTER_OPERATOR(trace,')}" in trace
    assert gradient.split()[:5] == [
        *("trace_grad", "TraceOpGrad", "Input,", "Out@GRAD", "Input@GRAD"),
    ]
    assert "complex<double>  Place(cpu)  Undefined(AnyLayout)  PLAIN" in kernels[7]
    assert "TraceKernel<CPUContext, complex<double>>" in kernels[7]
    assert phi[0].startswith("kernel ")
    assert "phi::TraceKernel<float, phi::CPUContext>" in "\n".join(phi)
    assert "phi::TraceOpArgumentMapping" in "\n".join(joins)


def test_json_has_the_operators_names_and_its_gradients_call(told) -> None:
    _, out, _ = told("kernels", TRACE, "--format", "json")
    operator, *kernels = json.loads(out)["trace"]
    assert operator["kind"] == "fluid operator"
    assert [var["name"] for var in operator["inputs"]] == ["Input"]
    own = {a["name"]: (a["type"], a["default"]) for a in operator["attributes"] if not a["flags"]}
    assert own == {"offset": ("int", "0"), "axis1": ("int", "0"), "axis2": ("int", "1")}
    extra = {a["name"] for a in operator["attributes"] if a["flags"] == ["extra"]}
    assert {"op_role", "op_device", "with_quant_attr"} <= extra
    assert operator["infer_shape"] == "paddle::operators::TraceOp::InferShape"
    assert operator["gradient"] == {
        "type": "trace_grad",
        "inputs": {"Input": ["Input"], "Out@GRAD": ["Out@GRAD"]},
        "outputs": {"Input@GRAD": ["Input@GRAD"]},
    }
    assert [k["data_type"] for k in kernels][:4] == ["float", "double", "int", "int64_t"]
    assert {k["library"] for k in kernels} == {"PLAIN"}
    assert kernels[0]["asks_for"] == {
        "inputs": ["Input"],
        "outputs": ["Out"],
        "attributes": ["offset", "axis1", "axis2"],
    }


def test_a_structure_runs_when_its_operator_is_called_by_names(told) -> None:
    structures = str(FLUID / "between" / "trace_struct_kernel.cc")
    _, out, _ = told("kernels", TRACE, structures, "--only", "trace")
    phi = [line for line in out.splitlines() if "TraceStructKernel" in line]
    assert len(phi) == 7
    assert all(" by names " in line for line in phi)
    _, out, _ = told("kernels", TRACE, structures, "--only", "trace", "--format", "json")
    records = [r for r in json.loads(out)["trace"] if r.get("registered_type") == "STRUCTURE"]
    assert [r["runnable"] for r in records] == [True] * 7


def test_only_keeps_what_has_that_name(told) -> None:
    _, out, _ = told("kernels", *FILES, "--only", "trace_grad", "--format", "json")
    assert set(json.loads(out)) == {"trace_grad"}


def test_an_operators_kernel_is_selected_by_fluids_key(told) -> None:
    code, out, _ = told("kernels", TRACE, "--select", "trace:CPU:float64")
    assert code == 0
    assert out.startswith("trace for {data_type[double];")
    assert "=> found in Fluid" in out
    assert "paddle::operators::TraceKernel<phi::CPUContext, double>" in out.splitlines()[-1]
    assert f":{line_of('REGISTER_OP_CPU_KERNEL(')}" in out.splitlines()[-1]


def test_a_migrated_operators_kernel_is_found_in_phi(told) -> None:
    files = [
        str(FLUID / f) for f in ("between/trace_op.cc", "trace_sig.cc", "after/trace_kernel.cc")
    ]
    code, out, _ = told("kernels", *files, "--select", "trace:CPU:float", "--format", "json")
    assert code == 0
    selected = json.loads(out)
    assert selected["outcome"] == "found in PHI"
    assert selected["function"] == "phi::TraceKernel<float, phi::CPUContext>"


@pytest.mark.parametrize(
    ("key", "said", "code"),
    [
        ("trace:GPU:float32", "does not have kernel for", 1),
        ("trace:CPU:uint16", "Fluid has no data type for uint16", 2),
        ("trace:NPU:float32", "PHI has no backend 'NPU'", 2),
    ],
)
def test_what_is_not_found_is_said(told, key: str, said: str, code: int) -> None:
    found, _, err = told("kernels", TRACE, "--select", key)
    assert found == code
    assert said in err


def test_the_steps_tell_what_they_registered(told) -> None:
    code, out, err = told("steps", f"{TRACE}:{line_of('REGISTER_OPERATOR(trace,')}")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].endswith("registers trace operator -> paddle::operators::TraceOp")
    _, out, _ = told("steps", f"{TRACE}:{line_of('REGISTER_OP_CPU_KERNEL(')}")
    registered = [line for line in out.splitlines() if " registers trace {data_type[" in line]
    assert len(registered) == 7
    assert len({line.split(" registers ")[0] for line in registered}) == 1


def test_json_steps_list_what_each_expansion_registered(told) -> None:
    _, out, _ = told("steps", TRACE, "--format", "json")
    made = {
        e["macro"]: [(m["name"], m["complete"] > 0) for m in e["registered"]]
        for e in json.loads(out)["expansions"]
    }
    assert made["REGISTER_OPERATOR"] == [("trace_grad", True)]
    assert made["REGISTER_OP_CPU_KERNEL"] == [("trace_grad", True)] * 7
    assert made["DECLARE_NO_NEED_BUFFER_VARS_INFERER"] == []


@pytest.mark.parametrize("format", ["md", "html"])
def test_documents_tell_what_was_registered(told, format: str) -> None:
    line = line_of("REGISTER_OP_CPU_KERNEL(")
    code, out, _ = told("steps", f"{TRACE}:{line}", "--format", format)
    assert code == 0
    for key in ("data_type[float]", "data_type[::phi::dtype::complex"):
        assert key in out
    assert "TraceKernel" in out


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "neg_op.cc"
    path.write_text(
        f'#include "{FLUID}/op_registry.h"\n'
        "namespace ops {\n"
        "class NegOp : public paddle::framework::OperatorWithKernel {"
        " public: using paddle::framework::OperatorWithKernel::OperatorWithKernel; };\n"
        "template <typename DeviceContext, typename T>\n"
        "class NegKernel {};\n"
        "}\n"
        "REGISTER_OPERATOR(neg, ops::NegOp, ops::NegOpMaker);\n"
        "REGISTER_OP_CPU_KERNEL(neg, ops::NegKernel<phi::CPUContext, float>);\n"
    )
    return str(path)


@pytest.mark.parametrize("words", [["kernels"], ["steps"], ["steps", "--format", "md"]])
def test_fluids_own_errors_have_their_place_through_the_expansion(told, broken, words) -> None:
    command, *flags = words
    code, _, err = told(command, broken, *flags)
    assert code == 1
    assert f"{broken}:7:36: error: `ops::NegOpMaker` is nothing that REGISTER_OPERATOR knows" in err
    assert f"{broken}:7:1: note: in expansion of macro 'REGISTER_OPERATOR'" in err
    assert f"{broken}:8:29: error: `ops::NegKernel<phi::CPUContext, float>` has no" in err
    assert "note: in expansion of macro 'REGISTER_OP_KERNEL_WITH_CUSTOM_TYPE'" in err
    assert f"{broken}:8:1: note: in expansion of macro 'REGISTER_OP_CPU_KERNEL'" in err
