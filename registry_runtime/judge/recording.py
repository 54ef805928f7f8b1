"""PHI's registrations judged without Paddle: by a native registry that only records.

The samples' headers declare what of PHI a registration touches; `native/recording_registry.h` has
bodies for that. A text with these headers, or with a copy of them that was changed, so becomes a
program whose static objects are constructed before `main`, which prints what they registered.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from registry_runtime.judge.compiling import Compilation, Watch, compile_file, run_judge
from registry_runtime.judge.phi_facts import Listed
from registry_runtime.native.child import Limits

HEADER = Path(__file__).parents[1] / "native" / "recording_registry.h"

# The samples include no system header; what they take from the standard library comes from here.
STANDARD_LIBRARY = (
    *("vector", "string", "type_traits", "cstdint"),
    *("algorithm", "array", "cmath", "tuple"),  # for the bodies
)
STRUCTURES = "struct_kernel.h"  # the samples' header that includes the others

_LIMITS = Limits(seconds=60, memory=2 << 30, output=64 << 20)


def recorded(of: Compilation, included: Sequence[Path], watch: Watch) -> list[Listed]:
    """What the file registers, in the order in which that happens. `included` are its headers, among
    them those that declare PHI.

    Raises CompilerFailed where it isn't compiled, JudgeFailed where its static initialisation fails.
    """
    before = [word for name in STANDARD_LIBRARY for word in ("-include", name)]
    registry = next((file for file in included if file.name == "kernel_registry.h"), None)
    if registry is not None and not any(file.name == STRUCTURES for file in included):
        before.append(f'-DRECORDING_HEADER="{registry}"')
    words = (*before, "-include", str(HEADER), "-ffunction-sections", "-Wl,--gc-sections")
    with tempfile.TemporaryDirectory(prefix="unfold-") as name:
        folder = Path(name)
        program = folder / "registry"
        compile_file(of.with_words(*words), program, watch, f"compiling {of.file.name} (about 2 s)")
        doing = f"the static initialisation of {of.file.name}"
        printed = run_judge([str(program)], folder, watch, doing, _LIMITS)
    return cast(list[Listed], json.loads(printed))
