"""The macros that join Fluid to PHI: legal C++, Paddle's tokens, and what the seed's order would do."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.program import Program
from tests.samples.macro_reader import read_macros, with_includes
from tests.samples.native import LANGUAGE, STANDARD_LIBRARY
from tests.samples.precompiled import precompiled
from visualizer.workbench.bench import open_file
from visualizer.workbench.linking import load

SAMPLES = Path(__file__).parents[2] / "cpp_samples"
FLUID = SAMPLES / "fluid"
FILES = [
    FLUID / f"{n}.cc" for n in ("trace_sig", "scale_sig", "elementwise_sig", "trace_infermeta")
]
PADDLE = Path(os.environ.get("PADDLE_INCLUDE", "")) / "paddle"
AXES = {"offset": 0, "axis1": 0, "axis2": 1}


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("sample", FILES, ids=lambda path: path.stem)
def test_a_compiler_accepts_the_sample(compiler: str, sample: Path) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not on PATH")
    library = precompiled(compiler, *LANGUAGE, *STANDARD_LIBRARY)
    command = [compiler, *library, "-Wall", "-Werror", "-fsyntax-only"]
    done = subprocess.run([*command, str(sample)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("op_utils.h", "PD_DECLARE_ARG_MAPPING_FN(trace);"),
        ("op_utils.h", "PD_DECLARE_BASE_KERNEL_NAME(elementwise_add, add);"),
    ],
)
def test_what_another_file_declares_compiles(header: str, line: str, tmp_path: Path) -> None:
    if not shutil.which("g++"):
        pytest.skip("g++ is not on PATH")
    (tmp_path / "other.cc").write_text(f'#include "{FLUID / header}"\n{line}\n')
    command = ["g++", *LANGUAGE, "-fsyntax-only", *STANDARD_LIBRARY, str(tmp_path / "other.cc")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.paddle
@pytest.mark.skipif(
    "PADDLE_INCLUDE" not in os.environ or not PADDLE.is_dir(),
    reason="PADDLE_INCLUDE names no folder with Paddle's headers",
)
@pytest.mark.parametrize(
    "build", ["", "_WIN32", "_WIN32 PADDLE_DLL_EXPORT", "_WIN32 STATIC_PADDLE"]
)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("op_utils.h", ["common/macros.h", "phi/core/compat/op_utils.h"]),
        ("infermeta_utils.h", ["common/macros.h", "phi/core/infermeta_utils.h"]),
    ],
)
def test_every_macro_has_paddles_tokens(ours: str, theirs: list[str], build: str) -> None:
    defined = set(build.split())
    in_phi = read_macros(with_includes(SAMPLES / "phi" / "kernel_registry.h"), defined)
    made = read_macros(with_includes(FLUID / ours), defined)
    paddles = read_macros("\n".join((PADDLE / h).read_text() for h in theirs), defined)
    new = made.keys() - in_phi.keys()
    assert {name for name in new if name.startswith("PD_")}
    for name in new:
        assert made[name] == paddles.get(name), name


# Seed 003, 3.4: what it prints for trace_grad. The kernel's parameters are (x, out_grad).
SEEDS_ORDER = """
#include "op_utils.h"
namespace phi {
KernelSignature TraceGradOpArgumentMapping(const ArgumentMappingContext& ctx) {
  return KernelSignature("trace_grad",
                         {GradVarName("Out"), "Input"},
                         {"offset", "axis1", "axis2"},
                         {GradVarName("Input")});
}
}  // namespace phi
PD_REGISTER_ARG_MAPPING_FN(trace_grad, phi::TraceGradOpArgumentMapping);
"""


def test_the_seeds_order_swaps_two_tensors(tmp_path: Path) -> None:
    x, out_grad = np.ones((2, 2, 3), "f4"), np.arange(12, dtype="f4").reshape(2, 2, 3)[0, 0]
    given = {"Input": x, "Out@GRAD": out_grad}
    kernels, infermeta = SAMPLES / "phi" / "trace_kernel.cc", FLUID / "trace_infermeta.cc"
    ours = load([kernels, infermeta, FLUID / "trace_sig.cc"]).phi
    gradient = ours.call_op("trace_grad", given, AXES)["Input@GRAD"]
    np.testing.assert_array_equal(gradient, np.eye(2)[..., None] * out_grad)

    wrong = tmp_path / "seed.cc"
    wrong.write_text(SEEDS_ORDER.replace('"op_utils.h"', f'"{FLUID / "op_utils.h"}"'))
    program = Program()
    for path in (kernels, infermeta, wrong):
        assert not [d for d in open_file(path, None, program).diagnostics if d.severity == "error"]
    signature = program.phi.op_signature("trace_grad", inputs=given)
    assert signature.input_names == ("Out@GRAD", "Input")
    # The gradient is taken for x: what comes out has the gradient's shape.
    assert program.phi.infer_op("trace_grad", given, AXES)["Input@GRAD"].dims == (3,)
    assert ours.infer_op("trace_grad", given, AXES)["Input@GRAD"].dims == (2, 2, 3)
