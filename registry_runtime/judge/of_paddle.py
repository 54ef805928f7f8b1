"""PHI's registrations judged by an installed Paddle: the file is loaded into it.

The file is compiled against the wheel's headers and linked with its libraries; so is a small library
that empties PHI's maps before and lists them after (`paddle_registry.cc`). A python of that Paddle
imports it, loads both, and prints what the maps hold then: what the file's own static objects put in.
A package that is installed there may stand in the file's place, Paddle itself too.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from registry_runtime.judge.compiling import (
    Compilation,
    JudgeFailed,
    Watch,
    compile_file,
    run_judge,
)
from registry_runtime.judge.phi_facts import Listed
from registry_runtime.native.child import Limits
from registry_runtime.native.compiler import CompilerFailed

_HERE = Path(__file__).parent
_LIBRARIES = ("base/libpaddle.so", "libs/libphi_core.so", "libs/libphi.so", "libs/libcommon.so")
_LIMITS = Limits(seconds=180, memory=8 << 30, output=64 << 20)
_LIBRARY = ("-shared", "-fPIC", "-Wl,-z,lazy")


class Paddle(NamedTuple):
    """An installed one: its python, its folder `paddle`, and its include folders."""

    python: str
    folder: Path
    includes: Sequence[str]


def registered_in_paddle(of: Compilation, paddle: Paddle, watch: Watch) -> tuple[str, list[Listed]]:
    """Paddle's version, and what the file registers in its PHI, in no order.

    Raises CompilerFailed where the file isn't compiled, JudgeFailed where it can't be loaded, or its
    static initialisation fails.
    """
    with tempfile.TemporaryDirectory(prefix="unfold-") as name:
        library = Path(name) / "library.so"
        doing = f"compiling {of.file.name} against Paddle (about 4 s)"
        compile_file(of.with_words(*_LIBRARY), library, watch, doing, _linked(paddle))
        doing = f"loading {of.file.name} into Paddle (about 2 s)"
        return _listed(of.compiler, paddle, watch, doing, library=str(library))


def registered_by_package(
    package: str, compiler: str, paddle: Paddle, watch: Watch
) -> tuple[str, list[Listed]]:
    """The same of a package that is imported there; of `paddle`, all that its PHI holds. `compiler`
    makes what asks Paddle. Raises JudgeFailed."""
    doing = f"importing {package} (about 2 s)"
    return _listed(compiler, paddle, watch, doing, package=package)


def _linked(paddle: Paddle) -> list[str]:
    return [str(paddle.folder / each) for each in _LIBRARIES]


def _listed(
    compiler: str, paddle: Paddle, watch: Watch, doing: str, library: str = "", package: str = ""
) -> tuple[str, list[Listed]]:
    with tempfile.TemporaryDirectory(prefix="unfold-") as name:
        folder = Path(name)
        registry = folder / "registry.so"
        system = [word for each in paddle.includes for word in ("-isystem", each)]
        lister = Compilation(
            _HERE / "paddle_registry.cc", compiler, ("-std=c++17", *system, *_LIBRARY)
        )
        try:
            making = "compiling what asks Paddle (about 4 s)"
            compile_file(lister, registry, watch, making, _linked(paddle))
        except CompilerFailed as failed:
            raise JudgeFailed(
                f"this Paddle's headers aren't those that are known: {failed}"
            ) from None
        asked = {"registry": str(registry), "library": library, "import": package}
        command = [paddle.python, "-I", str(_HERE / "asked_paddle.py")]
        answer = json.loads(
            run_judge(command, folder, watch, doing, _LIMITS, json.dumps(asked).encode())
        )
    return answer["version"], answer["entries"]
