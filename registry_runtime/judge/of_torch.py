"""PyTorch's registrations judged by an installed PyTorch: the file is loaded into it, or a package.

The file is compiled against the wheel's headers and linked with its libraries; a python of that PyTorch
imports it, loads the file, and prints what is in the dispatcher then that was not before. A package
that is installed there is imported in the file's stead: so its registrations are listed without its
source.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from registry_runtime.judge.aten_facts import Answer
from registry_runtime.judge.compiling import Compilation, Watch, compile_file, run_judge
from registry_runtime.native.child import Limits

_ASKED = Path(__file__).with_name("asked_torch.py")
_LIBRARIES = ("libtorch.so", "libtorch_cpu.so", "libtorch_python.so", "libc10.so")
_LIMITS = Limits(seconds=180, memory=None, output=256 << 20)


class Torch(NamedTuple):
    """An installed one: its python, and its folder `torch`."""

    python: str
    folder: Path


def registered_in_torch(of: Compilation, torch: Torch, watch: Watch) -> Answer:
    """What the file registers in its dispatcher.

    Raises CompilerFailed where the file isn't compiled, JudgeFailed where it can't be loaded, or its
    static initialisation fails.
    """
    with tempfile.TemporaryDirectory(prefix="unfold-") as name:
        library = Path(name) / "library.so"
        libraries = [str(torch.folder / "lib" / each) for each in _LIBRARIES]
        doing = f"compiling {of.file.name} against PyTorch (about 10 s)"
        compile_file(of.with_words("-shared", "-fPIC"), library, watch, doing, libraries)
        return _ask(torch, watch, f"loading {of.file.name} into PyTorch (about 3 s)", str(library))


def registered_by_package(
    package: str, torch: Torch, watch: Watch, namespaces: Sequence[str] = ()
) -> Answer:
    """What importing the package registers, and all operators of these namespaces: `*` for every one.
    Raises JudgeFailed."""
    doing = f"importing {package} (about 3 s)"
    return _ask(torch, watch, doing, package=package, namespaces=namespaces)


def _ask(
    torch: Torch,
    watch: Watch,
    doing: str,
    load: str = "",
    package: str = "",
    namespaces: Sequence[str] = (),
) -> Answer:
    asked = {"load": load, "import": package, "namespaces": list(namespaces)}
    with tempfile.TemporaryDirectory(prefix="unfold-") as empty:
        command = [torch.python, "-I", str(_ASKED)]
        given = json.dumps(asked).encode()
        printed = run_judge(command, Path(empty), watch, doing, _LIMITS, given)
    answer: Answer = json.loads(printed)
    return answer
