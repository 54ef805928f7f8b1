"""`unfold run trace --file trace_op.cc`: an operator of Fluid's is called, whoever has its kernel."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from visualizer.commands.apart import complain_of
from visualizer.commands.own_data import OwnData
from visualizer.commands.reporting import OK, USAGE_ERROR, complain
from visualizer.commands.terminal import tell, working
from visualizer.commands.trial import size_of, tell_bodies, tell_trial

if TYPE_CHECKING:
    from registry_runtime.fluid.runtime import Runtime
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry


def run(
    fluid: Runtime,
    benches: Sequence[Workbench],
    entries: Sequence[Entry],
    arguments: argparse.Namespace,
    data: OwnData,
) -> int:
    """Call the operator and print what each step did. Exits 1 for an error, or where NumPy disagrees
    and --check was given."""
    from registry_runtime.lab.fluid.experiment import check_names
    from registry_runtime.lab.fluid.trial import try_op
    from registry_runtime.phi.kernel_template import KernelError

    if (arguments.backend or "CPU").upper() != "CPU":
        said = (
            f"{arguments.kernel} is an operator of Fluid's, and runs where its inputs are: the CPU"
        )
        return complain(f"{said}; leave out --backend", USAGE_ERROR)
    if arguments.inputs_on or arguments.load:
        return complain("--inputs-on and --load are for PHI's kernels", USAGE_ERROR)
    try:
        with working() as show:
            show(f"calling {arguments.kernel}")
            op_type, dtype, size = arguments.kernel, arguments.dtype, size_of(arguments)
            check_names(fluid, op_type, data.inputs, data.attributes)
            trial = try_op(fluid, op_type, dtype, size, texts=data.texts)
    except KernelError as error:
        return complain_of(error, benches)
    if arguments.explain:
        steps = trial.story.steps
        tell(f"{n}. {step.sentence}" for n, step in enumerate(steps, 1))
        tell_bodies(entries)
        return OK
    return tell_trial(trial, arguments, entries)
