"""Fluid's samples, and what real C++ makes of them: compiled with `fluid_oracle.h`, and run."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.samples.native import DROP_WHAT_NOBODY_CALLS, LANGUAGE
from tests.samples.native import STANDARD_LIBRARY as OF_PHI
from visualizer.workbench.samples import samples_folder

HERE = Path(__file__).parent
SAMPLES = samples_folder() / "fluid"
OPERATORS = [
    SAMPLES / name
    for name in (
        *("trace_op.cc", "trace_op.cu.cc", "between/trace_op.cc"),
        *("between/trace_struct_kernel.cc", "after/trace_kernel.cc"),
    )
]
STANDARD_LIBRARY = (*OF_PHI, "-include", "tuple", "-include", "unordered_set")


def registered_by(sample: Path, compiler: str, defines: Sequence[str] = ()) -> list[list[Any]]:
    """What the sample's static initialisation registers, and what its makers say: a list for each
    call, its name first. Raises CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "registry")
        command = [compiler, *LANGUAGE, *DROP_WHAT_NOBODY_CALLS, *STANDARD_LIBRARY]
        command += [f"-D{define}" for define in defines]
        command += ["-I", str(SAMPLES), "-include", str(HERE / "fluid_oracle.h")]
        subprocess.run([*command, str(sample), "-o", program], check=True, capture_output=True)
        done = subprocess.run([program], check=True, capture_output=True, text=True)
    printed: list[list[Any]] = json.loads(done.stdout)
    return printed
