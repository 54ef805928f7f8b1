"""The samples held to Paddle's own headers: same macros, same parameters, same enumerators.

Set ``PADDLE_INCLUDE`` to the ``include`` folder of a Paddle wheel. From Paddle 3.3.1 our header
differs in how far two macros count and in the mark of an exported function, and nowhere else.
"""

import os
import re
from pathlib import Path

import pytest

from tests.samples.macro_reader import (
    Macro,
    read_macros,
    tokens_of,
    with_includes,
    without_comments,
)
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


# Paddle marks the exported function with one of three macros, which come to the same.
EXPORTED = {"PADDLE_EXP_API": "TEST_API", "PADDLE_API": "TEST_API"}


def in_our_words(macro: Macro | None) -> Macro | None:
    """A definition of Paddle's, its marks for export by one name."""
    return macro and Macro(macro.parameters, tuple(EXPORTED.get(t, t) for t in macro.replacement))


@pytest.mark.parametrize("header", ["kernel_registry.h", "all_dtypes.h"])
@pytest.mark.parametrize(
    "build",
    [
        "",
        "_WIN32",
        "PADDLE_WITH_CUDA",
        "PADDLE_WITH_XPU",
        "PADDLE_WITH_CUSTOM_DEVICE",
        "PADDLE_WITH_CUSTOM_DEVICE PADDLE_WITH_CUDA",
        "PADDLE_WITH_CUSTOM_DEVICE _WIN32",
    ],
)
def test_every_macro_has_paddles_tokens(header: str, build: str) -> None:
    defined = {"__COUNTER__", *build.split()}
    ours = read_macros(with_includes(SAMPLES / header), defined)
    theirs = read_macros("\n".join((PADDLE / h).read_text() for h in MACRO_HEADERS), defined)
    assert ours
    for name, macro in ours.items():
        assert in_our_words(theirs.get(name)) == DIFFERENCES.get(name, macro), name


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
    ("sample", "header", "function"),
    [
        ("bitwise", "bitwise_kernel.h", "BitwiseNotKernel"),
        ("full", "full_kernel.h", "FullKernel"),
        ("full", "full_kernel.h", "FullLikeKernel"),
        ("full", "full_kernel.h", "FullBatchSizeLikeKernel"),
        ("batch_norm", "batch_norm_kernel.h", "BatchNormInferKernel"),
        ("batch_norm_train", "batch_norm_kernel.h", "BatchNormKernel"),
        ("bincount", "bincount_kernel.h", "BincountKernel"),
        ("complex", "abs_kernel.h", "AbsKernel"),
        ("complex", "eigh_kernel.h", "EighKernel"),
        ("complex", "fft_kernel.h", "FFTC2RKernel"),
        ("complex", "fft_kernel.h", "FFTR2CKernel"),
        ("concat_split", "concat_kernel.h", "ConcatKernel"),
        ("concat_split", "split_kernel.h", "SplitKernel"),
        ("flip", "flip_kernel.h", "FlipKernel"),
        ("selected_rows", "selected_rows/scale_kernel.h", "ScaleKernel"),
        ("selected_rows", "selected_rows/clip_kernel.h", "ClipSparseKernel"),
        ("sparse_unary", "sparse/unary_kernel.h", "prefix##CooKernel"),
        ("sparse_unary", "sparse/unary_kernel.h", "prefix##CsrKernel"),
        ("tensor_array", "array_kernel.h", "CreateArrayKernel"),
        ("tensor_array", "array_kernel.h", "ArrayReadKernel"),
        ("tensor_array", "array_kernel.h", "ArrayWriteKernel"),
    ],
)
def test_a_kernel_has_paddles_parameters(sample: str, header: str, function: str) -> None:
    ours = (SAMPLES / f"{sample}_kernel.cc").read_text()
    theirs = (PADDLE / "phi" / "kernels" / header).read_text()
    assert parameters(ours, function) == parameters(theirs, function)


@pytest.mark.parametrize("op_type", ["And", "Or", "Xor"])
def test_a_kernel_made_by_a_macro_has_paddles_parameters(op_type: str) -> None:
    ours = (SAMPLES / "bitwise_kernel.cc").read_text()
    theirs = (PADDLE / "phi" / "kernels" / "bitwise_kernel.h").read_text()
    made = parameters(ours, "Bitwise##op_type##Kernel")
    assert made == parameters(theirs, f"Bitwise{op_type}Kernel")
