"""What of an opened file a compiler needs to make its bodies run: text, flags, headers.

The text is the one on the bench, saved or not, and the flags are the file's own. Our runtime implements
what the samples' `phi.h` declares; a text with the headers of an installed Paddle runs with Paddle's
libraries; and one that includes neither has nothing to run it in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.native.program import OF_SAMPLES, Source, of_paddle
from visualizer.expansion.source_files import read_exactly
from visualizer.workbench.bench import Workbench
from visualizer.workbench.machine_compiler import cxx_compiler, words_for
from visualizer.workbench.wheels import PADDLE, opened_with

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import Kernel

# Paddle and our runtime are C++17; a compiler's own standard may be older. A run says what it was.
_OLDER = re.compile(r"(?:c|gnu)\+\+(?:98|03|0x|11|1y|14)")
_USUAL = "gnu++17"
_DECLARES = "phi.h"  # in the samples' folder, and in a lesson's or a user's copy of it


class NoRuntime(Exception):
    """The text's headers aren't those that a runtime is there for; the message says which are."""


def registering(benches: Sequence[Workbench], kernel: Kernel) -> Workbench:
    """The file that registered a kernel of the registry last: that one's is in it."""
    for bench in reversed(benches):
        if any(getattr(entry.registration, "kernel", None) is kernel for entry in bench.entries):
            return bench
    raise AssertionError("a registered kernel has its file")


def source_of(bench: Workbench) -> Source:
    """The bench's text for a compiler. Raises NoRuntime, NoCompiler."""
    files = bench.files()
    header = next((file for file in files if file.name == _DECLARES), None)
    options = bench.options
    paddle = opened_with(PADDLE, options) if header is None else None
    if header is None and paddle is None:
        if any(file.as_posix().endswith(PADDLE.source) for file in files):
            raise NoRuntime(
                f"{bench.path.name} has Paddle's headers from a folder without its libraries, and a "
                "body can't run without these: name an installed Paddle (--paddle=PYTHON)"
            )
        raise NoRuntime(
            f"{bench.path.name} includes no {_DECLARES}: bodies run with the headers of "
            "cpp_samples/phi (-I cpp_samples/phi), or of an installed Paddle (--paddle)"
        )
    try:
        runtime = OF_SAMPLES if paddle is None else of_paddle(Path(paddle) / "paddle")
    except FileNotFoundError as error:
        raise NoRuntime(str(error)) from None
    main = Path(bench.main)
    if _OLDER.fullmatch(options.settled(main).std):
        options = replace(options, std=_USUAL)
    unsaved = {os.path.abspath(name) for name, _ in options.unsaved}
    for file in files:
        if str(file) in unsaved and file != main.absolute():
            raise NoRuntime(f"{file.name} has changes that aren't saved: save it first")
    text = read_exactly(main, True, options.unsaved).encode(errors="surrogateescape")
    return Source(
        text,
        str(main.absolute()),
        cxx_compiler(options.cc),
        tuple(words_for(options, main)),
        str(header.parent) if header is not None else "",
        tuple(file.read_bytes() for file in files if file != main.absolute() and file.is_file()),
        runtime,
    )
