"""The samples are legal C++: what a reader steps through is what a compiler accepts."""

from pathlib import Path

import pytest

from tests.samples.macro_reader import read_macros, tokens_of, with_includes
from tests.samples.native import LANGUAGE, OF_TYPES, SAMPLES, STANDARD_LIBRARY, TYPES, run
from tests.samples.precompiled import precompiled

KERNELS = sorted(SAMPLES.glob("*.cc"))
HEADERS = sorted(SAMPLES.glob("*.h"))

pytestmark = pytest.mark.compiler


@pytest.mark.parametrize("sample", KERNELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("define", ["UNFOLD", "PADDLE_WITH_CUDA", "PADDLE_WITH_CUSTOM_DEVICE"])
def test_a_compiler_accepts_the_sample(compiler: str, sample: Path, define: str) -> None:
    strict = ["-Wall", "-Werror", "-fsyntax-only"]
    if define == "PADDLE_WITH_CUSTOM_DEVICE":
        strict.append("-Wno-unused-function")  # Paddle's form leaves one behind, as its header says
    library = precompiled(compiler, *LANGUAGE, *STANDARD_LIBRARY, *OF_TYPES)
    types = ["-I", str(SAMPLES), "-include", str(TYPES)]  # bodies count with float16 and complex
    run(compiler, *library, *types, *strict, f"-D{define}", str(sample))


@pytest.mark.parametrize("sample", KERNELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("defines", [("_WIN32",), ("_WIN32", "PADDLE_WITH_CUSTOM_DEVICE")])
def test_the_windows_form_expands(compiler: str, sample: Path, defines: tuple[str, ...]) -> None:
    flags = [f"-D{define}" for define in defines]
    tokens = set(tokens_of(run(compiler, *LANGUAGE, "-E", "-P", *flags, str(sample))))
    macros = set().union(*(read_macros(with_includes(h), {*defines}) for h in HEADERS))
    assert "KernelRegistrar" in tokens
    # DATA_LAYOUT is an enumerator of AttributeType too, which no parenthesis follows.
    assert not tokens & macros - {"DATA_LAYOUT"}


@pytest.mark.parametrize("sample", KERNELS, ids=lambda path: path.stem)
def test_expanding_needs_no_system_header(compiler: str, sample: Path) -> None:
    entered = run(compiler, *LANGUAGE, "-M", "-nostdinc", "-nostdinc++", str(sample))
    names = {Path(word).name for word in entered.split(":", 1)[1].split() if word != "\\"}
    headers = {header.name for header in HEADERS} - {"custom_device.h"}
    assert {"kernel_registry.h", "phi.h"} <= names <= headers | {sample.name}
