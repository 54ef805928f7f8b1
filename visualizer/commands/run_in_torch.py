"""`unfold run NS::OPERATOR --torch`, where nothing here can run it: an installed PyTorch does.

The files that --file names are compiled and loaded there first: to name one so is the user's word that
it may run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from visualizer.commands.own_data import OwnData
from visualizer.commands.reporting import INPUT_ERROR, complain
from visualizer.commands.terminal import working
from visualizer.commands.trial import size_of, tell_trial

if TYPE_CHECKING:
    from registry_runtime.judge.compiling import Watch
    from registry_runtime.judge.of_torch import Torch
    from registry_runtime.program import Program
    from visualizer.workbench.bench import Workbench

_LONG = 15  # seconds


def run(
    program: Program,
    benches: Sequence[Workbench],
    arguments: argparse.Namespace,
    data: OwnData,
) -> int:
    from registry_runtime.judge.compiling import JudgeFailed, Watch
    from registry_runtime.judge.torch_call import call_in_torch
    from registry_runtime.native.compiler import CompilerFailed
    from registry_runtime.phi.kernel_template import KernelError
    from visualizer.personal.consent import why_not_here
    from visualizer.workbench.machine_compiler import NoCompiler
    from visualizer.workbench.verdict import compilation, torch_of

    if reason := why_not_here():
        return complain(reason)
    torch = torch_of(arguments.torch)
    try:
        with working() as show:
            watch = Watch(_told_in_a_pipe(show))
            values = _values(program, arguments, data, torch, watch)
            files = [compilation(bench) for bench in benches if arguments.files]
            called = call_in_torch(arguments.kernel, values, files, torch, watch)
    except (JudgeFailed, KernelError, NoCompiler) as error:
        return complain(str(error))
    except CompilerFailed as failed:
        for told in failed.errors or (failed,):
            print(told, file=sys.stderr)
        return INPUT_ERROR
    return tell_trial(called, arguments, ())


def _told_in_a_pipe(show: Callable[[str], None]) -> Callable[[str], None]:
    """The same, and where nobody sees that: once, what takes long."""
    begun = time.monotonic()
    told = sys.stderr.isatty()

    def say(doing: str) -> None:
        nonlocal told
        show(doing)
        if not told and time.monotonic() - begun > _LONG and doing.startswith("calling "):
            told = True
            print(f"unfold: note: {doing}", file=sys.stderr, flush=True)

    return say


def _values(
    program: Program, arguments: argparse.Namespace, data: OwnData, torch: Torch, watch: Watch
) -> dict[str, Any]:
    """The arguments, by the schema that is here, or else by PyTorch's."""
    from registry_runtime.aten.errors import TorchError
    from registry_runtime.aten.schema.function_schema_parser import parse_schema
    from registry_runtime.judge.of_torch import schema_in_torch
    from registry_runtime.lab.aten import trial
    from registry_runtime.lab.aten.experiment import check_names, on_own_data
    from registry_runtime.phi.kernel_template import KernelError

    name, size = arguments.kernel, size_of(arguments)
    try:
        schema = trial.schema_of(program.aten, name)
    except KernelError:
        if arguments.files:
            raise
        try:
            schema = parse_schema(schema_in_torch(name, torch, watch))
            _held = program.aten.dispatcher.registerDef(schema, "PyTorch")  # while the handle is
        except TorchError as error:
            raise KernelError(error.message) from error
    if data.texts:
        check_names(program.aten, name, data.inputs, data.attributes)
        one = on_own_data(program.aten, name, data.texts, arguments.dtype, size, "CPU")
        return dict(one.arguments(program.aten))
    dtype = trial.dtype_named(arguments.dtype or "float32")
    return trial.sample_arguments(schema, dtype, (size,), trial.device_named("CPU"))
