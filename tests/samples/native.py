"""What real C++ makes of a sample: compiled, run, and its registry read back.

``registry_of`` is the oracle for Unfold's own runtime, which reads the same sample in Python. Its
C++ half, ``recording_registry.h``, has bodies for what ``phi.h`` declares and a ``main`` that prints
what was registered.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypedDict, cast

from tests.samples.precompiled import kept, precompiled

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "cpp_samples" / "phi"
RECORDING = HERE.parents[1] / "registry_runtime" / "native" / "recording_registry.h"

# The samples include no system header; what they take from the standard library comes from here.
LANGUAGE = ("-std=c++17",)
STANDARD_LIBRARY = tuple(
    flag for name in ("vector", "string", "type_traits", "cstdint") for flag in ("-include", name)
)

TYPES = RECORDING.parent / "phi" / "types.h"
OF_TYPES = tuple(
    flag for name in ("algorithm", "array", "cmath", "tuple") for flag in ("-include", name)
)

# What that includes; to read it takes longer than to compile a sample.
OF_ORACLE = (*STANDARD_LIBRARY, *OF_TYPES, "-include", "iostream", "-include", "stdexcept")

# A sample may call functions that it only declares. Its kernels are never run, so let the linker
# drop them, and those calls with them.
DROP_WHAT_NOBODY_CALLS = ("-Wl,-dead_strip" if sys.platform == "darwin" else "-Wl,--gc-sections",)


class TensorDef(TypedDict):
    """A tensor parameter of a kernel: what is expected there, and its type in C++."""

    backend: str
    layout: str
    dtype: str
    type: str


class Entry(TypedDict):
    """One registered kernel, spelled as Paddle prints it."""

    name: str
    backend: str
    backend_value: int
    layout: str
    dtype: str
    reg_type: str
    registered_type: str
    inputs: list[TensorDef]
    outputs: list[TensorDef]
    attributes: list[str]


class NativeError(RuntimeError):
    """The compiler refused the sample, or its static initialisation failed."""


def compilers() -> list[str]:
    """The C++ compilers that are installed."""
    return [name for name in ("g++", "clang++") if shutil.which(name)]


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def registry_of(
    sample: Path, defines: Sequence[str] = (), compiler: str | None = None
) -> list[Entry]:
    """The kernels that `sample` registers, in the order in which they are registered.

    Raises `NativeError` with the compiler's or the program's own words. A key that is registered
    twice is listed once, where it stood first.
    """
    if compiler is None:
        if not compilers():
            raise NativeError("there is no C++ compiler on PATH")
        compiler = compilers()[0]
    others = sample.parent != SAMPLES and any(
        (sample.parent / header.name).exists() for header in SAMPLES.glob("*.h")
    )
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "registry"
        command = _compiling(compiler, defines, sample.parent)
        if not others:
            command += ["-DRECORDING_LINKED", str(_oracle(compiler, tuple(defines)))]
        _output_of([*command, *DROP_WHAT_NOBODY_CALLS, str(sample), "-o", str(program)])
        return cast("list[Entry]", json.loads(_output_of([str(program)])))


def _compiling(compiler: str, defines: Sequence[str], headers: Path) -> list[str]:
    return (
        [compiler, *precompiled(compiler, *LANGUAGE, *OF_ORACLE), "-ffunction-sections"]
        + [f"-D{define}" for define in defines]
        + ["-I", str(headers), "-I", str(SAMPLES), "-include", str(RECORDING)]
    )


@cache
def _oracle(compiler: str, defines: tuple[str, ...]) -> Path:
    """What is the same for every sample with our headers, compiled: it takes longer than a sample."""
    name = "_".join(("oracle", compiler, *defines))
    made, nothing = kept() / f"{name}.o", kept() / f"{name}.cc"
    nothing.touch()
    _output_of([*_compiling(compiler, defines, SAMPLES), "-c", str(nothing), "-o", str(made)])
    return made


def _output_of(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NativeError(done.stderr)
    return done.stdout
