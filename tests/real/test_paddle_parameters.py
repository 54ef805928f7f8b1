"""Which parameters a kernel may have, held to the installed Paddle.

Two lists in Paddle say so, and they differ: the specialisations in `kernel_utils.h` that take an
argument out of a KernelContext, and the chain of ifs in `SetKernelArgsDef`, which is compiled into the
wheel and can be asked. Every way to pass every type is tried on both, and on ours.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from registry_runtime.phi import Registration
from tests.phi.registrations import kernel_with, registration, run
from tests.real import real_phi

pytestmark = pytest.mark.paddle

TENSORS = [
    *("DenseTensor", "ExtendedTensor", "SelectedRows", "SparseCooTensor", "SparseCsrTensor"),
    *("StringTensor", "TensorArray", "TensorBase", "Strings", "FeedList", "Vocab"),
]
TENSOR_FORMS = {
    "INPUT": "const {}&",
    "OPTIONAL_INPUT": "const paddle::optional<{}>&",
    "MULTI_INPUT": "const std::vector<const {}*>&",
    "OPTIONAL_MULTI_INPUT": "const paddle::optional<std::vector<const {}*>>&",
    "OUTPUT": "{}*",
    "MULTI_OUTPUT": "std::vector<{}*>",
}
ELEMENTS = ["bool", "int", "int64_t", "float", "double", "std::string", "phi::Scalar"]
VALUES = [
    *(*ELEMENTS, *(f"std::vector<{element}>" for element in ELEMENTS), "phi::IntArray"),
    *("phi::DataType", "phi::DataLayout", "phi::Place", "phi::dtype::float16"),
    *("int8_t", "uint8_t", "uint64_t", "std::vector<uint8_t>", "phi::dtype::bfloat16"),
]
VALUE_FORMS = {
    "ATTRIBUTE": "{}",
    "CONST_ATTRIBUTE_REF": "const {}&",
    "TENSOR_SCALAR": "const {}&",
    "TENSOR_INTARRAY": "const {}&",
}
PARAMETERS = list(
    dict.fromkeys(
        [form.format(f"phi::{tensor}") for tensor in TENSORS for form in TENSOR_FORMS.values()]
        + [form.format(value) for value in VALUES for form in VALUE_FORMS.values()]
    )
)


@cache
def registered_with(parameter: str) -> Registration | str:
    """Our registration of a kernel with this parameter, or why there is none."""
    text = kernel_with(f"const Context& dev_ctx, {parameter} p") + registration(dtypes=("float",))
    result = run(text)
    if result.registrations:
        return result.registrations[0]
    return result.diagnostics[0].message


def test_the_same_parameters_can_be_taken_out_of_a_context() -> None:
    header = (real_phi.wheel() / "include/paddle/phi/core/kernel_utils.h").read_text()
    calls = re.findall(
        r"^ +PD_SPECIALIZE_KernelCallHelper_FOR_(\w+)\(\s*([^)]+)\);", header, re.MULTILINE
    )
    forms = {**TENSOR_FORMS, **VALUE_FORMS}
    specialised = {
        forms[form].format(qualified(type)) for form, type in calls if form != "DEVICE_CONTEXT"
    }
    assert specialised <= {*PARAMETERS}
    refused = "a kernel can't have a parameter of this type"
    assert specialised == {p for p in PARAMETERS if refused not in str(registered_with(p))}


def qualified(type: str) -> str:
    """A type of phi's as it is called outside of it: `std::vector<phi::Scalar>`."""
    return re.sub(r"(?<!:)\b(?=[A-Z])", "phi::", type)


@pytest.mark.compiler
def test_the_same_is_taken_down_of_each(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    source = tmp_path / "argument_probe.cc"
    types = " ".join(f"X({parameter})" for parameter in PARAMETERS)
    probe = Path(__file__).with_name("argument_probe.cc").read_text()
    source.write_text(f"#define TYPES {types}\n{probe}")
    library = real_phi.compiled(source, tmp_path)
    answers = real_phi.ask([("taken_down", i) for i in range(len(PARAMETERS))], [library])
    compared = 0
    for parameter, answer in zip(PARAMETERS, answers, strict=True):
        ours = registered_with(parameter)
        if "can't have a parameter" in str(ours):
            continue  # which in C++ doesn't compile, so nothing is ever taken down of it
        compared += 1
        if isinstance(ours, str):
            assert "Unsupported kernel argument type" in ours
            assert "Unsupported kernel argument type" in str(answer), parameter
            continue
        args_def = ours.kernel.args_def
        counts = [len(args_def.input_defs), len(args_def.output_defs)]
        attributes = [a.type_index for a in args_def.attribute_defs]
        assert str(answer) == " ".join(map(str, [*counts, *attributes])), parameter
    assert compared > 40
