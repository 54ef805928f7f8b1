"""An opened file before its judges: what it registers when it is compiled, beside what was interpreted.

Who judges follows from what the file was opened with. `--paddle` and `--torch` name installed
frameworks, whose own registries it is loaded into; without them, a file with the samples' headers is
compiled with a native registry that only records. Each judge takes what is its own framework's, and a
verdict says what was compared, where the two differ, and what could not be compared.

All that is compiled and run here is in child processes with limits (`registry_runtime.judge`); whoever
calls has asked whether the file may run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from registry_runtime.judge import aten_facts, phi_facts
from registry_runtime.judge.compiling import Compilation, JudgeFailed, Watch
from registry_runtime.judge.facts import Difference, Holding, count, differences
from registry_runtime.judge.of_paddle import Paddle, registered_in_paddle
from registry_runtime.judge.of_torch import Torch, registered_in_torch, schema_in_torch
from registry_runtime.judge.recording import recorded
from visualizer.expansion import Options
from visualizer.expansion.diagnostics import Code
from visualizer.workbench import wheels
from visualizer.workbench.bench import Workbench
from visualizer.workbench.flags import Flags
from visualizer.workbench.machine_compiler import cxx_compiler, words_for
from visualizer.workbench.samples import samples_folder

_BLAS = "paddle/phi/kernels/funcs/blas/blas.h"
_HEADER = "kernel_registry.h"
_PADDLES = tuple(f"phi/{folder}/{_HEADER}" for folder in ("core", "capi/include"))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one judge says: who it is, how many entries it holds of the file and how many facts were
    compared, the differences, and sentences about what could not be compared."""

    judge: str
    entries: int
    facts: int
    differences: tuple[Difference, ...]
    left_out: tuple[str, ...]


class NoJudge(Exception):
    """Nobody here can judge this file. The message says what to name."""


def verify(bench: Workbench, flags: Flags, watch: Watch) -> Iterator[Judgement]:
    """The file before each of its judges, one after the other. `bench` is its own program's.

    Raises NoJudge; NoCompiler; InputError for a wheel that isn't installed; CompilerFailed and
    JudgeFailed where the file can't be compiled, loaded or initialised.
    """
    if flags.paddle is None and flags.torch is None:
        yield _by_recording(bench, flags, watch)
    if flags.paddle is not None:
        yield _by_paddle(bench, flags, watch)
    if flags.torch is not None:
        yield _by_torch(bench, flags, watch)


def judges_of(options: Options) -> Flags:
    """The installed frameworks whose headers a file was opened with, as `--paddle` and `--torch` name
    them."""
    return Flags(
        paddle=wheels.opened_with(wheels.PADDLE, options),
        torch=wheels.opened_with(wheels.TORCH, options),
    )


def advice(bench: Workbench) -> Iterator[str]:
    """What is missing on this machine for a linker, where all headers are found."""
    if any(file.endswith(_BLAS) for file in bench.trace.included):
        yield (
            "Paddle's blas.h takes CBLAS from a library that the wheel doesn't bring: "
            "apt install libopenblas-dev, and -D PADDLE_USE_OPENBLAS"
        )


def _missing(bench: Workbench) -> tuple[str, ...]:
    """The headers that it includes and that aren't found."""
    return tuple(d.about for d in bench.trace.diagnostics if d.code is Code.HEADER_MISSING)


def doing(bench: Workbench, flags: Flags) -> str:
    """What is about to be done, and how long that takes, for a question."""
    file = bench.path.name
    if flags.paddle is not None:
        return f"{file} will be compiled (4 s) and loaded into Paddle (2 s)"
    if flags.torch is not None:
        return f"{file} will be compiled (10 s and more) and loaded into PyTorch (3 s)"
    return f"{file} will be compiled (2 s), and its static initialisation run"


def _by_recording(bench: Workbench, flags: Flags, watch: Watch) -> Judgement:
    included = [Path(file) for file in bench.trace.included]
    if _made(bench, "fluid"):
        raise NoJudge(f"{bench.path} registers in Fluid, whose registry no judge here has")
    if not any(map(_is_of_samples, included)):
        if missing := next(iter(_missing(bench)), None):
            raise JudgeFailed(
                f"{missing} isn't found, so nothing was compiled: -I DIR names its folder"
            )
        raise NoJudge(
            f"{bench.path} doesn't include the samples' {_HEADER}: name an installed framework as "
            "its judge, --paddle or --torch"
        )
    of = compilation(bench, "-I", str(samples_folder() / "phi"))
    theirs = phi_facts.listed(recorded(of, included, watch))
    who = f"{Path(of.compiler).name}, with a registry that only records"
    return _verdict(
        who, phi_facts.interpreted(_made(bench, "phi")), theirs, _beside(bench, flags, "phi")
    )


def _is_of_samples(file: Path) -> bool:
    return file.name == _HEADER and not file.as_posix().endswith(_PADDLES)


def _by_paddle(bench: Workbench, flags: Flags, watch: Watch) -> Judgement:
    whose = flags.paddle or ""
    if any(_is_of_samples(Path(file)) for file in bench.trace.included):
        raise NoJudge(
            f"{bench.path} includes the samples' {_HEADER}, which Paddle can't load: verify it without "
            f"--paddle, or include paddle/{_PADDLES[0]}"
        )
    version, entries = registered_in_paddle(compilation(bench), paddle_of(whose), watch)
    ours = phi_facts.interpreted(_made(bench, "phi"))
    return _verdict(
        f"PaddlePaddle {version}", ours, phi_facts.listed(entries), _beside(bench, flags, "phi")
    )


def _by_torch(bench: Workbench, flags: Flags, watch: Watch) -> Judgement:
    torch = torch_of(flags.torch or "")
    _defines_nothing_of_torchs(bench, torch, watch)
    answer = registered_in_torch(compilation(bench), torch, watch)
    ours, theirs = aten_facts.compared(bench.program.aten, _made(bench, "aten"), answer)
    return _verdict(f"PyTorch {answer['version']}", ours, theirs, _beside(bench, flags, "aten"))


def _defines_nothing_of_torchs(bench: Workbench, torch: Torch, watch: Watch) -> None:
    """Raises JudgeFailed for a text that defines an operator which PyTorch has: a second definition
    ends the process that loads it."""
    defined = (made.kernel_name for made in _made(bench, "aten") if made.kind == "def")
    own = next((name for name in defined if name.startswith("aten::")), None)
    if own is None:
        return
    try:
        schema_in_torch(own, torch, watch)
    except JudgeFailed:
        return  # it has none of this name: loading says more
    raise JudgeFailed(
        f"{bench.path} defines {own}, which PyTorch has itself and takes from nobody else, so none can "
        "load it: define it in a namespace of your own, or give PyTorch's operator a kernel by "
        "TORCH_LIBRARY_IMPL alone"
    )


def paddle_of(whose: str) -> Paddle:
    """The installed Paddle that `--paddle` names. Raises InputError if there is none."""
    includes = wheels.include_folders(wheels.PADDLE, whose)
    return Paddle(wheels.python_of(wheels.PADDLE, whose), Path(includes[0]).parent, includes)


def torch_of(whose: str) -> Torch:
    """The installed PyTorch that `--torch` names. Raises InputError if there is none."""
    folder = Path(wheels.include_folders(wheels.TORCH, whose)[0]).parent
    return Torch(wheels.python_of(wheels.TORCH, whose), folder)


def compilation(bench: Workbench, *more: str) -> Compilation:
    """How a compiler is told to compile it. Raises NoCompiler; JudgeFailed for an unsaved text."""
    if bench.options.unsaved:
        raise JudgeFailed("what is compiled is the file as it is saved: save it first")
    words = (*words_for(bench.options, bench.path), *more)
    return Compilation(bench.path.absolute(), cxx_compiler(bench.options.cc), words)


def _made(bench: Workbench, framework: str) -> list[Any]:
    made = (entry.registration for entry in bench.entries)
    return [one for one in made if one.framework == framework]


def _beside(bench: Workbench, flags: Flags, framework: str) -> Iterator[str]:
    """What of the file no judge of these takes."""
    told = {
        "aten": "PyTorch's: --torch names its judge",
        "phi": "PHI's: --paddle names its judge",
        "fluid": "Fluid's, whose registry no judge here has",
        "compat": "what joins Fluid's operators to PHI, which no judge lists",
    }
    named = {"aten": flags.torch, "phi": flags.paddle}
    for name in (name for name in told if name != framework and named.get(name) is None):
        if number := len(_made(bench, name)):
            yield f"{number} {'entry' if number == 1 else 'entries'} of {told[name]}"


def _verdict(who: str, ours: Holding, theirs: Holding, more: Iterator[str]) -> Judgement:
    return Judgement(
        who,
        len(theirs.facts),
        count(theirs.facts),
        differences(ours.facts, theirs.facts),
        (*ours.left_out, *theirs.left_out, *more),
    )
