"""What `unfold bench --file` and `--body` time: the files that register, and their bodies, compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.commands.preprocessor_flags import options_of_each
from visualizer.commands.terminal import working
from visualizer.expansion import InputError
from visualizer.workbench.samples import sample_files

if TYPE_CHECKING:
    from registry_runtime.benchmark.operator_case import OperatorCase
    from registry_runtime.benchmark.sweep import Case
    from registry_runtime.phi.runtime import Runtime
    from registry_runtime.program import Program
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.flags import Flags

_MOST_BODIES = 5


@cache
def registered_by(files: tuple[Path, ...], flags: Flags) -> tuple[Program, list[Workbench]]:
    """What these files register, or PHI's samples, and each on its bench. Raises InputError."""
    from registry_runtime.program import Program
    from visualizer.workbench.linking import open_files

    program, told = Program(), set[str]()
    options = partial(options_of_each, flags, told=told) if files else None
    return program, open_files(files or sample_files("phi"), program, options)


def written_in_python(program: Program) -> list[str]:
    """Which of the registered kernels there is Python of. Raises BenchmarkError where of none."""
    from registry_runtime.benchmark.sweep import BenchmarkError

    known = program.phi.factory.kernels
    if found := [name for name, keys in known.items() if any(k.runnable for k in keys.values())]:
        return found
    there = ", ".join(known) or "none"
    raise BenchmarkError(
        f"nobody wrote a kernel that these files register ({there}) in Python: "
        "`unfold kernel new FILE:LINE` writes one, and `unfold run NAME --body` times its C++ alone"
    )


def registry_of(registered: Callable[[], tuple[Program, list[Workbench]]]) -> Runtime | None:
    """What they register; None, with a warning, where one of them can't be read."""
    try:
        return registered()[0].phi
    except InputError as error:
        print(f"unfold: warning: calls are not split: {error.diagnostic}", file=sys.stderr)
        return None


def with_bodies(
    cases: list[Case | OperatorCase], program: Program, benches: list[Workbench]
) -> list[Case | OperatorCase]:
    """The cases of PHI's kernels on the CPU, each with its body, compiled by now."""
    from registry_runtime.benchmark.sweep import BenchmarkError, Case
    from registry_runtime.lab.phi.body import body_of, timing
    from registry_runtime.native.compiler import CompilerFailed
    from visualizer.personal import consent
    from visualizer.workbench.bodies import NoRuntime, registering, source_of
    from visualizer.workbench.machine_compiler import NoCompiler

    if reason := consent.why_not_here():
        raise BenchmarkError(reason)
    if len({case.kernel for case in cases}) > _MOST_BODIES:
        raise BenchmarkError(f"--body compiles each kernel: name {_MOST_BODIES} or fewer of them")

    def with_body(case: Case, show: Callable[[str], None]) -> Case:
        kernels = program.phi.factory.kernels.get(case.kernel, {})
        for key, kernel in kernels.items():
            if (str(key.backend), key.dtype) == (case.backend, case.dtype):
                show(f"compiling the body of {case.kernel}")
                source = source_of(registering(benches, kernel))
                body = body_of(case.kernel, key, kernel, source)
                return replace(case, body=partial(timing, body))
        return case

    try:
        with working() as show:
            return [with_body(c, show) if isinstance(c, Case) else c for c in cases]
    except (InputError, CompilerFailed, NoCompiler, NoRuntime, OSError) as error:
        raise BenchmarkError(str(error)) from None
