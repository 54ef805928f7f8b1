"""`unfold run aten::add.Tensor`: an operator of PyTorch's is called through the dispatcher, and
`unfold run add_stub`: the builds of a kernel for each instruction set, beside one another."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.commands.apart import complain_of
from visualizer.commands.own_data import OwnData
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain
from visualizer.commands.terminal import tell, working
from visualizer.commands.trial import size_of, tell_bodies, tell_trial
from visualizer.expansion.source_files import display_path
from visualizer.workbench.samples import sample_files

if TYPE_CHECKING:
    from registry_runtime.program import Program
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry


def is_stub(name: str) -> bool:
    """Whether a name is a dispatch stub's; PyTorch calls them all so."""
    return name.endswith("_stub")


def run(
    program: Program,
    benches: Sequence[Workbench],
    entries: Sequence[Entry],
    arguments: argparse.Namespace,
    data: OwnData,
) -> int:
    from registry_runtime.phi.kernel_template import KernelError

    if arguments.body:
        return _in_torch(program, benches, arguments, data)
    if arguments.llvm:
        return complain("--llvm is for PHI's kernels; --asm shows a stub's code", USAGE_ERROR)
    try:
        if is_stub(arguments.kernel) or arguments.kernel in program.aten.stubs:
            if data.texts or arguments.save:
                said = "a stub's builds are timed on made-up elements"
                return complain(f"{said}: run its operator with --input", USAGE_ERROR)
            return _run_stub(program, entries, arguments)
        return _run_operator(program, benches, entries, arguments, data)
    except KernelError as error:
        if arguments.torch is not None and not arguments.explain:
            return _in_torch(program, benches, arguments, data)
        return complain_of(error, benches, _left_out(error, program, arguments.files))


def _in_torch(
    program: Program, benches: Sequence[Workbench], arguments: argparse.Namespace, data: OwnData
) -> int:
    from visualizer.commands.run_in_torch import run as run_in_torch

    return run_in_torch(program, benches, arguments, data)


def _left_out(error: Exception, program: Program, files: Sequence[Path]) -> str:
    """Who has what is missing: a sample that --file has left out, or an installed PyTorch; nothing
    where one of the files has an operator of that name, which takes other arguments."""
    from registry_runtime.aten.errors import undefined_operator

    namespace, _, missing = (undefined_operator(error) or "").partition("::")
    there = program.aten.dispatcher.operatorLookupTable_
    names = {str(known).partition(".")[0] for known, of in there.items() if of.hasSchema()}
    if not namespace or f"{namespace}::{missing}" in names:
        return ""
    if namespace != "aten":
        whose = f"a file with TORCH_LIBRARY({namespace}, …), or a package that brings it, has it"
        return f"; {whose}: name the file with --file"
    if not files:
        return "; PyTorch has it: with --torch an installed one makes the call"
    for sample in sample_files("aten"):
        if re.search(rf'm\.def\("{re.escape(missing)}\b', sample.read_text(encoding="utf-8")):
            return f"; --file leaves the samples out: add --file {display_path(sample)}"
    return "; PyTorch has it: with --torch an installed one loads the file and makes the call"


def _run_operator(
    program: Program,
    benches: Sequence[Workbench],
    entries: Sequence[Entry],
    arguments: argparse.Namespace,
    data: OwnData,
) -> int:
    from registry_runtime.lab.aten import trial as operator_trial
    from registry_runtime.lab.aten.experiment import check_names, on_own_data
    from visualizer.frameworks.aten import operator_story
    from visualizer.frameworks.story import as_lines

    name, dtype = arguments.kernel, arguments.dtype or "float32"
    size, on = size_of(arguments), arguments.backend or "CPU"
    if data.texts:
        check_names(program.aten, name, data.inputs, data.attributes)
        one = on_own_data(program.aten, name, data.texts, arguments.dtype, size, on)
        values = one.arguments(program.aten)
    else:
        values = operator_trial.sample_arguments(
            operator_trial.schema_of(program.aten, name),
            operator_trial.dtype_named(dtype),
            (size,),
            operator_trial.device_named(on),
        )
    quiet = nullcontext() if data.texts else operator_trial.made_up_may_be_resized()
    if arguments.explain:
        with working() as show, quiet:
            show(f"calling {name}")
            story = operator_story.story(program.aten, name, values)
        tell(as_lines(story))
        tell_bodies(entries)
        if story.refused is not None:
            said = str(story.refused).partition("\n")[0]
            complain_of(operator_trial.refusal(said, story.refused), benches)
        return INPUT_ERROR if story.failed else OK
    with working() as show, quiet:
        show(f"building and calling {name}")
        trial = operator_trial.try_call(program.aten, name, values)
    if arguments.asm:
        stubs = [choice.stub for choice in trial.story.stubs]
        if not stubs:
            return complain(f"{name} went through no stub: there is no loop to show")
        arguments.kernel = stubs[-1]
        return _run_stub(program, entries, arguments)
    return tell_trial(trial, arguments, entries)


def _run_stub(program: Program, entries: Sequence[Entry], arguments: argparse.Namespace) -> int:
    from registry_runtime.lab.aten.capabilities import SAMPLE_SIZE, builds, report

    with working() as show:
        show(f"building {arguments.kernel} for each instruction set")
        found = builds(
            program.aten,
            arguments.kernel,
            arguments.dtype or "float32",
            SAMPLE_SIZE if arguments.size is None else arguments.size,
        )
    wanted = arguments.capability
    chosen = next((b for b in found if str(b.capability) == wanted), None)
    if wanted is not None and chosen is None:
        there = ", ".join(str(b.capability) for b in found)
        return complain(f"no build is for {wanted}; there are {there}")
    if arguments.asm:
        chosen = chosen or next((b for b in found if b.chosen), found[0])
        print(f"{chosen.capability}, registers of {chosen.bits} bits\n")
        print((chosen.assembly if arguments.asm == "all" else chosen.loop) + "\n")
    print("\n".join(report(found)))
    tell_bodies(entries)
    return OK
