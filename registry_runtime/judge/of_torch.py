"""PyTorch's registrations judged by an installed PyTorch: the file is loaded into it, or a package.

The file is compiled against the wheel's headers and linked with its libraries; a python of that PyTorch
imports it, loads the file, and prints what is in the dispatcher then that was not before. A package
that is installed there is imported in the file's stead: so its registrations are listed without its
source.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from registry_runtime.judge.aten_facts import Answer
from registry_runtime.judge.compiling import Compilation, Watch, compile_file, run_judge
from registry_runtime.native.child import Limits

_ASKED = Path(__file__).with_name("asked_torch.py")
_LIBRARIES = ("libtorch.so", "libtorch_cpu.so", "libtorch_python.so", "libc10.so")
_LIMITS = Limits(seconds=180, memory=8 << 30, output=256 << 20)
_CALLING = replace(_LIMITS, seconds=60)  # an operator of somebody's may never come back


class Torch(NamedTuple):
    """An installed one: its python, and its folder `torch`."""

    python: str
    folder: Path


def registered_in_torch(of: Compilation, torch: Torch, watch: Watch) -> Answer:
    """What the file registers in its dispatcher.

    Raises CompilerFailed where the file isn't compiled, JudgeFailed where it can't be loaded, or its
    static initialisation fails.
    """
    with _compiled([of], torch, watch) as libraries:
        doing = f"loading {of.file.name} into PyTorch (about 3 s)"
        answer: Answer = _ask(torch, watch, doing, load=libraries)
    return answer


def registered_by_package(
    package: str, torch: Torch, watch: Watch, namespaces: Sequence[str] = ()
) -> Answer:
    """What importing the package registers, and all operators of these namespaces: `*` for every one.
    Raises JudgeFailed."""
    doing = f"importing {package} (about 3 s)"
    answer: Answer = _ask(torch, watch, doing, package=package, namespaces=namespaces)
    return answer


def schema_in_torch(operator: str, torch: Torch, watch: Watch) -> str:
    """The schema of an operator that it has. Raises JudgeFailed where it has none."""
    doing = f"asking PyTorch for {operator} (about 3 s)"
    schema: str = _ask(torch, watch, doing, call=operator)["schema"]
    return schema


def called_in_torch(
    operator: str,
    arguments: Mapping[str, Any],
    files: Sequence[Compilation],
    torch: Torch,
    watch: Watch,
) -> dict[str, Any]:
    """What the operator gives there, once the files are compiled and loaded; see `asked_torch` for how
    a tensor is spelled. Raises CompilerFailed and JudgeFailed."""
    with _compiled(files, torch, watch) as libraries:
        doing = f"calling {operator} in PyTorch (about 3 s, at most {_CALLING.seconds:.0f})"
        asked: Any = {"load": libraries, "call": operator, "arguments": arguments}
        answer: dict[str, Any] = _ask(torch, watch, doing, _CALLING, **asked)
    return answer


@contextmanager
def _compiled(files: Sequence[Compilation], torch: Torch, watch: Watch) -> Iterator[list[str]]:
    """The libraries that the files are compiled to, for as long as it lasts."""
    libraries = [str(torch.folder / "lib" / each) for each in _LIBRARIES]
    made = []
    with tempfile.TemporaryDirectory(prefix="unfold-") as name:
        for n, of in enumerate(files):
            library = Path(name) / f"library{n}.so"
            doing = f"compiling {of.file.name} against PyTorch (about 10 s)"
            compile_file(of.with_words("-shared", "-fPIC"), library, watch, doing, libraries)
            made.append(str(library))
        yield made


def _ask(
    torch: Torch,
    watch: Watch,
    doing: str,
    limits: Limits = _LIMITS,
    load: Sequence[str] = (),
    package: str = "",
    namespaces: Sequence[str] = (),
    call: str = "",
    arguments: Mapping[str, Any] | None = None,
) -> Any:
    asked = {
        "load": list(load),
        "import": package,
        "namespaces": list(namespaces),
        "call": call,
        "arguments": arguments,
    }
    with tempfile.TemporaryDirectory(prefix="unfold-") as empty:
        command = [torch.python, "-I", str(_ASKED)]
        given = json.dumps(asked).encode()
        return json.loads(run_judge(command, Path(empty), watch, doing, limits, given))
