"""The samples held to Paddle's own headers: same macros, same parameters, same enumerators.

Set ``PADDLE_INCLUDE`` to the ``include`` folder of a Paddle wheel. From Paddle 3.3.1 our header
differs in how far two macros count and in one function's prefix, as listed here, and nowhere else.
"""

import os
import re
from pathlib import Path

import pytest

from tests.samples.macro_reader import Macro, read_macros, tokens_of, without_comments
from tests.samples.native import SAMPLES

PADDLE = Path(os.environ.get("PADDLE_INCLUDE", "")) / "paddle"

pytestmark = [
    pytest.mark.paddle,
    pytest.mark.skipif(
        "PADDLE_INCLUDE" not in os.environ or not PADDLE.is_dir(),
        reason="PADDLE_INCLUDE names no folder with Paddle's headers",
    ),
]

MACRO_HEADERS = (
    "common/macros.h",
    "utils/test_macros.h",
    "phi/core/kernel_utils.h",
    "phi/core/kernel_registry.h",
)

COUNTS_TO_17 = [str(n) for n in range(17, -1, -1)]
DIFFERENCES = {
    "_PD_ARG_N_EXPAND": Macro((*(f"_{n}" for n in range(1, 18)), "N", "..."), ("N",)),
    "_PD_RESQ_N": Macro((), tokens_of(", ".join(COUNTS_TO_17))),
}


def in_paddles_words(name: str, macro: Macro) -> Macro:
    """Our definition with the known differences undone."""
    if name == "_PD_KERNEL_REGISTRAR_INIT_1":
        renamed = {"TEST_API": "PADDLE_EXP_API"}
        return Macro(macro.parameters, tuple(renamed.get(t, t) for t in macro.replacement))
    return DIFFERENCES.get(name, macro)


@pytest.mark.parametrize("platform", ["", "_WIN32"])
def test_every_macro_has_paddles_tokens(platform: str) -> None:
    defined = {"__COUNTER__", platform}
    ours = read_macros((SAMPLES / "kernel_registry.h").read_text(), defined)
    theirs = read_macros("\n".join((PADDLE / h).read_text() for h in MACRO_HEADERS), defined)
    for name, macro in ours.items():
        assert theirs.get(name) == in_paddles_words(name, macro), name


def enumerators(text: str) -> dict[str, tuple[str, ...]]:
    pattern = r"enum class (?:TEST_API )?(\w+)[^{;]*\{(.*?),?\s*\}"
    found = re.findall(pattern, without_comments(text), re.DOTALL)
    return {name: tokens_of(body) for name, body in found}


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("phi/common/backend.h", "Backend"),
        ("common/layout.h", "DataLayout"),
        ("phi/common/data_type.h", "DataType"),
        ("phi/core/kernel_factory.h", "AttributeType"),
        ("phi/core/kernel_registry.h", "RegType"),
    ],
)
def test_every_enumerator_has_paddles_value(header: str, name: str) -> None:
    ours = enumerators((SAMPLES / "phi.h").read_text())
    theirs = enumerators((PADDLE / header).read_text())
    assert ours[name] == theirs[name]


def parameters(text: str, function: str) -> tuple[str, ...]:
    """The tokens between a function's parentheses; whether one is marked unused says nothing."""
    match = re.search(rf"void {function}\((.*?)\)", without_comments(text), re.DOTALL)
    assert match, function
    return tuple(token for token in tokens_of(match[1]) if token != "UNUSED")


@pytest.mark.parametrize(
    ("header", "function"),
    [
        ("bitwise_kernel.h", "BitwiseNotKernel"),
        ("full_kernel.h", "FullKernel"),
        ("full_kernel.h", "FullLikeKernel"),
        ("full_kernel.h", "FullBatchSizeLikeKernel"),
        ("batch_norm_kernel.h", "BatchNormInferKernel"),
    ],
)
def test_a_kernel_has_paddles_parameters(header: str, function: str) -> None:
    ours = (SAMPLES / header.replace(".h", ".cc")).read_text()
    theirs = (PADDLE / "phi" / "kernels" / header).read_text()
    assert parameters(ours, function) == parameters(theirs, function)


@pytest.mark.parametrize("op_type", ["And", "Or", "Xor"])
def test_a_kernel_made_by_a_macro_has_paddles_parameters(op_type: str) -> None:
    ours = (SAMPLES / "bitwise_kernel.cc").read_text()
    theirs = (PADDLE / "phi" / "kernels" / "bitwise_kernel.h").read_text()
    made = parameters(ours, "Bitwise##op_type##Kernel")
    assert made == parameters(theirs, f"Bitwise{op_type}Kernel")
