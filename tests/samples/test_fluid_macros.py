"""Fluid's macros have Paddle's tokens, and compilers expand them as we do.

No wheel brings the headers along. So here are digests of the tokens of `paddle/fluid/framework/`
`op_registry.h` and `infershape_utils.h` at commit 0ab6998c, and of
`no_need_buffer_vars_inference.h` at 0db80478: read as `macro_reader` reads our own.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from compilers import spellings

from tests.samples.aten import COMPILERS
from tests.samples.fluid import OPERATORS, SAMPLES, STANDARD_LIBRARY
from tests.samples.macro_reader import Macro, read_macros, with_includes
from tests.samples.native import LANGUAGE, run
from tests.samples.precompiled import precompiled
from visualizer.expansion import Options, preprocess
from visualizer.export.preprocessed import preprocessed

PADDLES = {
    "STATIC_ASSERT_GLOBAL_NAMESPACE": "18a5deedbc9f",
    "REGISTER_OPERATOR": "dee99f5b9a99",
    "REGISTER_OP_WITHOUT_GRADIENT": "26d2dc78b685",
    "REGISTER_OP_KERNEL_WITH_CUSTOM_TYPE": "df21627b8531",
    "REGISTER_OP_KERNEL": "274f1c24f641",
    "REGISTER_OP_CUDA_KERNEL": "68e9d7042754",
    "REGISTER_OP_CPU_KERNEL": "c83bae6e2436",
    "REGISTER_OP_IPU_KERNEL": "e990f8967318",
    "REGISTER_OP_XPU_KERNEL": "35fe3f7ddb87",
    "USE_OP_ITSELF": "0f5e4e7082f0",
    "USE_OP_DEVICE_KERNEL_WITH_CUSTOM_TYPE": "e920fb53030a",
    "USE_OP_DEVICE_KERNEL": "344b00965810",
    "USE_OP_KERNEL": "0805da99a0f7",
    "USE_NO_KERNEL_OP": "e59340b93104",
    "USE_CPU_ONLY_OP": "99fb8ad0edfb",
    "USE_CUDA_ONLY_OP": "e86c9a7c13d9",
    "USE_OP": "467e7f22f824",
    "DECLARE_NO_NEED_BUFFER_VARS_INFERER": "d768143759f5",
    "DECLARE_INFER_SHAPE_FUNCTOR": "c57a5f91174b",
}
WITH_CUDA = {
    "REGISTER_OP_CUDA_KERNEL": "38071108d344",
    "USE_OP_KERNEL": "79279f828432",
}


def digest(macro: Macro) -> str:
    tokens = repr((macro.parameters, macro.replacement))
    return hashlib.sha256(tokens.encode()).hexdigest()[:12]


@pytest.mark.parametrize(
    ("defined", "theirs"), [((), PADDLES), (("PADDLE_WITH_CUDA",), PADDLES | WITH_CUDA)]
)
def test_every_macro_has_paddles_tokens(defined: tuple[str, ...], theirs: dict[str, str]) -> None:
    made = {
        name: digest(macro)
        for header in ("op_registry.h", "infershape_utils.h")
        for name, macro in read_macros(with_includes(SAMPLES / header), defined).items()
    }
    assert {name: made.get(name) for name in theirs} == theirs


@pytest.mark.compiler
@pytest.mark.parametrize("define", ["UNFOLD", "PADDLE_WITH_CUDA"])
@pytest.mark.parametrize("sample", OPERATORS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_compiler_accepts_the_sample(compiler: str, sample: Path, define: str) -> None:
    strict = ["-Wall", "-Werror", "-fsyntax-only", f"-D{define}"]
    run(compiler, *strict, *precompiled(compiler, *LANGUAGE, *STANDARD_LIBRARY), str(sample))


@pytest.mark.compiler
@pytest.mark.parametrize("define", ["UNFOLD", "PADDLE_WITH_CUDA"])
@pytest.mark.parametrize("sample", OPERATORS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_sample_expands_as_the_compiler_expands_it(
    compiler: str, sample: Path, define: str
) -> None:
    options = Options(macros=(("D", define),), std="c++17", cc=COMPILERS[compiler])
    trace = preprocess(sample, options)
    assert trace.diagnostics == []
    theirs = run(compiler, "-E", "-P", "-w", *LANGUAGE, f"-D{define}", str(sample))
    assert spellings("".join(preprocessed(trace.output, markers=False))) == spellings(theirs)


@pytest.mark.compiler
@pytest.mark.parametrize("sample", OPERATORS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_expanding_needs_no_system_header(compiler: str, sample: Path) -> None:
    entered = run(compiler, *LANGUAGE, "-M", "-nostdinc", "-nostdinc++", str(sample))
    read = {Path(word).resolve() for word in entered.split(":", 1)[1].split() if word != "\\"}
    assert {path.parent for path in read} <= {
        *(SAMPLES / folder for folder in (".", "between", "after")),
        SAMPLES.parent / "phi",
    }


LINES = (
    "USE_OP(a);",
    "USE_OP_ITSELF(b);",
    "USE_OP_DEVICE_KERNEL(c, CUDA);",
    "USE_NO_KERNEL_OP(d)",
    "USE_CPU_ONLY_OP(e)",
    "USE_CUDA_ONLY_OP(f);",
)


@pytest.mark.compiler
@pytest.mark.parametrize("define", ["UNFOLD", "PADDLE_WITH_CUDA"])
def test_what_another_file_uses_compiles(compiler: str, define: str, tmp_path: Path) -> None:
    other = tmp_path / "other.cc"
    other.write_text("\n".join((f'#include "{SAMPLES / "op_registry.h"}"', *LINES, "")))
    run(compiler, *LANGUAGE, "-fsyntax-only", f"-D{define}", *STANDARD_LIBRARY, str(other))
