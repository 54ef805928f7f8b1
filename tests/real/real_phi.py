"""The PHI inside the installed wheel, to be asked: what it registered, and whom it selects.

A small library is compiled against the wheel's headers, linked with its libraries and loaded into a
process that has imported paddle: a process of its own, because a wheel that crashes or hangs should
fail a test and not end the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

PROBE = Path(__file__).with_name("kernel_probe.cc")
_LIBRARIES = ("base/libpaddle.so", "libs/libphi_core.so", "libs/libphi.so", "libs/libcommon.so")
_PATIENCE = 180  # seconds; importing paddle on a busy machine takes some

_ASK = """\
import contextlib, ctypes, io, json, sys, warnings
warnings.simplefilter("ignore")
asked = json.load(sys.stdin)
with contextlib.redirect_stdout(io.StringIO()):
    import paddle
core = paddle.base.core
libraries = [ctypes.CDLL(path, ctypes.RTLD_GLOBAL) for path in asked["libraries"]]
answers = []
for function, *arguments in asked["calls"]:
    if not libraries or not hasattr(libraries[0], function):
        answers.append(getattr(core, function)(*arguments))
        continue
    call = getattr(libraries[0], function)
    call.restype = ctypes.c_char_p
    arguments = [a.encode() if isinstance(a, str) else a for a in arguments]
    answers.append(call(*arguments).decode())
print(json.dumps(answers), flush=True)
"""


def wheel() -> Path:
    """The folder `paddle` of the wheel in this Python's environment; skips where there is none."""
    found = find_spec("paddle")
    if found is None or not found.submodule_search_locations:
        pytest.skip("paddle is not installed for this Python: make test-real")
    return Path(found.submodule_search_locations[0])


def compiled(source: Path, folder: Path) -> Path:
    """A library of this C++ source, against the wheel. What the compiler says fails the test."""
    root = wheel()
    library = folder / f"{source.stem}.so"
    includes = [f"-I{root / 'include'}", f"-I{root / 'include/third_party'}"]
    command = ["g++", "-std=c++17", "-shared", "-fPIC", "-O0", "-w", *includes, str(source)]
    command += [str(root / name) for name in _LIBRARIES]
    done = subprocess.run([*command, "-o", str(library)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return library


def ask(calls: Sequence[tuple[object, ...]], libraries: Sequence[Path] = ()) -> list[object]:
    """Each call's answer. A call is a function of the first library or of `paddle.base.core`, and
    its arguments."""
    wheel()
    done = subprocess.run(
        [sys.executable, "-c", _ASK],
        input=json.dumps({"libraries": [str(p) for p in libraries], "calls": calls}),
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answers: list[object] = json.loads(done.stdout.splitlines()[-1])
    return answers
