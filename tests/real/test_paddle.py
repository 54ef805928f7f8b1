"""Paddle's own headers: the macro table is the compiler's, and our samples are true to them."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from headers import files_of, macros_of, scanned, shape

from tests.real.frameworks import paddle
from visualizer.expansion import Options, preprocess
from visualizer.expansion.tokens import spell
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

pytestmark = [pytest.mark.paddle, pytest.mark.compiler]
REGISTRY = '#include "paddle/phi/core/kernel_registry.h"\n'
KERNEL = (
    REGISTRY
    + """\
namespace phi {
template <typename T, typename Context>
void MineKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}
}  // namespace phi
PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, phi::MineKernel, float, double, int, int64_t) {}
"""
)
SAMPLES = sorted((samples_folder() / "phi").glob("*.cc"))

# What 3.3.1 has otherwise than our headers, as pairs of token runs: so far nothing.
VERSION_DIFFERENCES: list[tuple[str, str]] = []


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def file(text: str) -> Path:
        path = tmp_path / "main.cc"
        path.write_text(text)
        return path

    return file


@pytest.mark.parametrize("std", ["gnu++17", "c++20"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    "header",
    [
        "paddle/phi/core/kernel_registry.h",
        "paddle/phi/kernels/bitwise_kernel.h",
        "paddle/phi/api/all.h",
    ],
)
def test_macros_and_files_are_the_compilers(
    header: str, compiler: str, std: str, write: Callable[[str], Path]
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    folders = paddle()
    if not Path(folders[0], header).is_file():
        pytest.skip(f"{header} is not among these headers")
    file = write(f'#include "{header}"\n')
    trace = scanned(compiler, file, std, folders)
    assert trace.diagnostics == []
    assert {n: shape(d) for n, d in trace.definitions.items()} == macros_of(
        compiler, file, std, folders
    )
    included = {os.path.realpath(f) for f in trace.included if "stdc-predef" not in f}
    expected = files_of(compiler, file, std, folders)
    assert included == expected if compiler == "gcc" else included <= expected


def test_a_registration_expands_as_it_does_read_whole(write: Callable[[str], Path]) -> None:
    file = write(KERNEL)
    options = Options(system_folders=paddle(), cc="auto")
    skipped = preprocess(file, options, skip_included_text=True)
    again = preprocess(file, options, skip_included_text=True)  # from the cache
    for trace in (skipped, again):
        assert [e.macro for e in trace.expansions] == ["PD_REGISTER_KERNEL"]
    tokens = [(t.text, t.space) for t in skipped.output]
    assert [(t.text, t.space) for t in again.output] == tokens


def test_paddles_registration_fills_the_registry(write: Callable[[str], Path]) -> None:
    bench = open_file(write(KERNEL), Options(system_folders=paddle(), cc="auto"))
    assert [str(d) for d in bench.diagnostics] == []
    dtypes = [str(e.registration.key.dtype) for e in bench.entries]
    assert dtypes == ["float32", "float64", "int32", "int64"]
    assert len(bench.entries[0].registration.kernel.args_def.input_defs) == 1


def test_a_declaration_is_found_in_a_skipped_header(write: Callable[[str], Path]) -> None:
    text = REGISTRY + (
        '#include "paddle/phi/kernels/bitwise_kernel.h"\n'
        "PD_REGISTER_KERNEL(bitwise_and, CPU, ALL_LAYOUT, phi::BitwiseAndKernel, int, bool) {}\n"
    )
    bench = open_file(write(text), Options(system_folders=paddle(), cc="auto"))
    assert [str(d) for d in bench.diagnostics] == []
    kernel = bench.entries[0].registration.kernel
    assert [len(kernel.args_def.input_defs), len(kernel.args_def.output_defs)] == [2, 1]
    assert kernel.implementation is not None


@pytest.mark.parametrize(
    ("header", "function", "parameters"),
    [
        ("compare_kernel.h", "LessThanKernel", (2, 0, 1)),
        ("isfinite_kernel.h", "IsfiniteKernel", (1, 0, 1)),
        ("activation_kernel.h", "ReluKernel", (1, 0, 1)),
        ("activation_kernel.h", "LeakyReluKernel", (1, 1, 1)),
    ],
)
def test_a_declaration_that_a_macro_of_a_header_makes_is_found(
    header: str, function: str, parameters: tuple[int, int, int], write: Callable[[str], Path]
) -> None:
    text = REGISTRY + f'#include "paddle/phi/kernels/{header}"\n'
    text += f"PD_REGISTER_KERNEL(mine, CPU, ALL_LAYOUT, phi::{function}, float) {{}}\n"
    bench = open_file(write(text), Options(system_folders=paddle(), cc="auto"))
    assert [str(d) for d in bench.diagnostics] == []
    made = bench.entries[0].registration.kernel.args_def
    assert (*(len(made.input_defs), len(made.attribute_defs), len(made.output_defs)),) == parameters


def own_macros(sample: Path) -> str:
    """What a sample defines itself, and what the wheel has no header for."""
    text = sample.read_text()
    if '"struct_kernel.h"' in text:
        text += sample.with_name("struct_kernel.h").read_text()
    return "".join(re.findall(r"^#define (?:.*\\\n)*.*\n", text, re.MULTILINE))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_samples_registrations_expand_as_through_paddles_header(
    sample: Path, write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ours = preprocess(sample, Options(cc="auto"), skip_included_text=True).expansions
    ours = [e for e in ours if e.macro.startswith("PD_")]
    assert ours
    calls = "".join(f"{spell(e.before)}\n" for e in ours)
    file = write(REGISTRY + own_macros(sample) + calls)
    options = Options(system_folders=paddle(), cc="auto")
    theirs = preprocess(file, options, skip_included_text=True).expansions
    assert [e.macro for e in theirs] == [e.macro for e in ours]
    found = []
    for mine, original in zip(ours, theirs, strict=True):
        found += differences([t.text for t in mine.after], [t.text for t in original.after])
    with capsys.disabled():
        print(f"\n{sample.name}: {len(ours)} registrations, differences of version: {found}")
    assert found == VERSION_DIFFERENCES


def differences(mine: list[str], original: list[str]) -> list[tuple[str, str]]:
    matcher = SequenceMatcher(None, mine, original, autojunk=False)
    return [
        (" ".join(mine[a:b]), " ".join(original[c:d]))
        for what, a, b, c, d in matcher.get_opcodes()
        if what != "equal"
    ]
