"""`unfold kernels`: the registry that files fill, and the way through it to a kernel."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.near import nearest
from registry_runtime.phi.enforce import AlreadyExists, EnforceNotMet
from visualizer.commands.apart import in_its_own_process
from visualizer.commands.kernel_files import add_kernel_files
from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_of_each
from visualizer.commands.reporting import OK, USAGE_ERROR, complain, report
from visualizer.commands.terminal import columns, tell
from visualizer.expansion import Diagnostic, InputError
from visualizer.expansion.tokens import spell
from visualizer.workbench.flag_words import add_flags, flags_in
from visualizer.workbench.samples import files_of_one_program

if TYPE_CHECKING:
    from registry_runtime.phi.runtime import Runtime
    from registry_runtime.program import Program
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_EXAMPLES = """\
examples:
  unfold kernels
  unfold kernels kernel.cc -I include --format json
  unfold kernels --only 'bitwise_*'
  unfold kernels cpp_samples/aten/*.cc --only 'aten::*'
  unfold kernels --select bitwise_and:GPU:int32
  unfold kernels cpp_samples/fluid/*.cc --select trace:CPU:int64
  unfold kernels --load CustomCPU --select softmax:CustomCPU:NCHW:float32

--select NAME:BACKEND[:LAYOUT]:DTYPE prints how a call with such tensors finds its kernel: found, or
fallen back to the CPU. A plug-in's kernels wait in CustomKernelMap, where no call finds them, until
--load DEVICE loads the runtime of their device. In JSON, "inputs", "outputs" and "attributes" are
what the braces behind a registration left, "before" is what they found, and "arguments" says what
became of each C++ parameter.

"runs" is found out by a dry run, a call on a few elements that compiles nothing: "in Python" where
Unfold's kernel runs in the place of the C++ body, "yes" where that body is interpreted, "declared"
where there is neither, "undeclared" where no compiler finds the function, and "no" with the reason why
a call is refused. In JSON that is "refused", by data type. Where a body of the text refuses it, its
file, line and column stand below the table, in JSON in "refused_at".

Kernels for the GPU are registered as Paddle is built for one: REGISTER_OP_CUDA_KERNEL expands to
nothing without -D PADDLE_WITH_CUDA.

Fluid's operators stand in a table of their own, with the names that their makers list; so do its
kernels, with the members of their keys. A kernel of PHI's that runs "by names" is one of Fluid's
structures: nobody can hand it arguments in order, but a call of its operator runs it. --select of an
operator tells the way of a call by names: whether PHI is asked, under which key, and what
AllOpKernels() has. In JSON they have a "kind".

PyTorch's operators stand under their full name, aten::add.Tensor, with an entry for each m.def and
m.impl of the TORCH_LIBRARY blocks; dispatch stubs under theirs, with an entry for each slot: CPU AVX2.
"statement" is the place in the block, and "table" holds the slots of the operator's computed table
that lead elsewhere since: what to, and why.

A file that is compiled several times, as PyTorch compiles its loops for several processors, is read
once for each entry that it has in the database of -p, or else in the compile_commands.json beside it.
"""


def configure(commands: Commands) -> None:
    command = add(commands, "kernels", "list the kernels that files register", _EXAMPLES)
    command.add_argument("files", metavar="FILE", type=Path, nargs="*", help="default: all samples")
    command.add_argument("--format", choices=("table", "json"), default="table")
    command.add_argument("--only", metavar="NAME", help="only kernels of this name (a glob)")
    command.add_argument(
        "--select",
        metavar="KEY",
        type=_kernel_and_key,
        help="instead: the way to the kernel for NAME:BACKEND[:LAYOUT]:DTYPE",
    )
    command.add_argument(
        "--load", metavar="DEVICE", help="load a plug-in's runtime, e.g. CustomCPU, before that"
    )
    add_kernel_files(command)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    if (code := in_its_own_process(arguments)) is not None:
        return code
    from visualizer.frameworks.registry import as_json, as_table
    from visualizer.workbench.bench import open_file
    from visualizer.workbench.reading import program_with

    flags = flags_in(arguments)
    program = program_with(flags.macros)
    entries: list[Entry] = []
    every: list[Workbench] = []
    told: set[str] = set()
    code, opened = OK, False
    asked = arguments.select[0] if arguments.select else arguments.only or "*"
    for path in arguments.files or files_of_one_program():
        try:
            each = options_of_each(flags, path, told)
            benches = [open_file(path, o, program) for o in each]
        except InputError as error:
            code = report([error.diagnostic])
            continue
        opened = True
        every += benches
        for bench in benches:
            entries += bench.entries
            code = max(code, report(_about(bench, asked)))
            _note_left_out(bench, asked)
    if not opened and arguments.format == "table":
        return code
    if arguments.load is not None and (refused := load_device(program.phi, arguments.load)):
        return refused
    if arguments.select is not None:
        by_names = any(_is_of_fluid(e, arguments.select[0]) for e in entries)
        select = _select_by_names if by_names else _select
        return max(code, select(program, entries, arguments))
    named = [e for e in entries if _is_asked(e, arguments.only or "*")]
    if entries and not named:
        near = nearest(arguments.only, {e.registration.kernel_name for e in entries})
        hint = f"; did you mean {near}?" if near else ""
        return complain(f"no kernel is named '{arguments.only}'{hint}")
    if arguments.format == "json":
        print(json.dumps(as_json(entries, program, named, every), indent=1))
    else:
        rows = list(as_table(entries, program, named, columns(), every))
        tell(rows or ["no kernels registered"])
    return code


def _about(bench: Workbench, asked: str) -> Sequence[Diagnostic]:
    """What is wrong with a file; what is only odd about it, if it registers what was asked for."""
    if asked == "*" or any(_is_asked(entry, asked) for entry in bench.entries):
        return bench.diagnostics
    return [d for d in bench.diagnostics if d.severity == "error"]


def _is_asked(entry: Entry, asked: str) -> bool:
    return fnmatchcase(entry.registration.kernel_name, asked)


def load_device(runtime: Runtime, device: str) -> int:
    waiting = {
        str(k.backend) for kernels in runtime.custom_kernels.kernels.values() for k in kernels
    }
    try:
        if device in waiting:
            runtime.load_custom_device(device)
            return OK
        there = f"they wait for {', '.join(sorted(waiting))}" if waiting else "none waits"
        said = f"no plug-in's kernel waits for {device}: {there}"
    except AlreadyExists as error:
        said = f"(AlreadyExists) {error}"
    return complain(said)


def _is_of_fluid(entry: Entry, name: str) -> bool:
    registration = entry.registration
    return registration.framework == "fluid" and registration.kernel_name == name


def _select_by_names(program: Program, entries: list[Entry], arguments: argparse.Namespace) -> int:
    """The way of a call of one of Fluid's operators, which may lead to PHI."""
    from registry_runtime.fluid.selection import explain_selection, op_kernel_type
    from registry_runtime.lab.phi.selection import key_named
    from visualizer.frameworks.fluid.table import selection_json, selection_text

    name, *words = arguments.select
    try:
        key = op_kernel_type(program.fluid, key_named(program.phi, *words))
    except (EnforceNotMet, ValueError) as error:
        return complain(f"--select: {error}", USAGE_ERROR)
    selection = explain_selection(program.fluid, name, key)
    if arguments.format == "json":
        print(json.dumps(selection_json(selection), indent=1))
    else:
        tell(selection_text(selection, entries))
    if selection.error:
        sys.stdout.flush()
        return complain(selection.error)
    return OK


def _select(program: Program, entries: list[Entry], arguments: argparse.Namespace) -> int:
    from registry_runtime.lab.phi.selection import key_named
    from visualizer.frameworks.phi.table import selection_json, selection_text

    runtime = program.phi
    name, *words = arguments.select
    try:
        selection = runtime.explain_selection(name, key_named(runtime, *words))
    except ValueError as error:
        return complain(f"--select: {error}", USAGE_ERROR)
    if arguments.format == "json":
        print(json.dumps(selection_json(name, selection), indent=1))
    else:
        tell(selection_text(name, selection, entries))
    if selection.error:
        sys.stdout.flush()
        return complain(selection.error + _meant(program, entries, name))
    return OK


def _meant(program: Program, entries: list[Entry], name: str) -> str:
    """Behind an error: which name can be selected in the stead of one that no kernel has."""
    kernels = program.phi.factory.kernels
    if name in kernels:
        return ""
    base = program.phi.op_utils.GetBaseKernelName(name)
    if base != name:
        there = "" if base in kernels else ", which these files don't register"
        return f" The operator {name} is PHI's kernel {base}{there}."
    known = {
        *kernels,
        *(e.registration.kernel_name for e in entries if e.registration.framework != "compat"),
    }
    near = nearest(name, known - {name})
    return f" Did you mean {near}?" if near else " `unfold kernels` lists what is."


def _note_left_out(bench: Workbench, asked: str) -> None:
    """On stderr, where a file registers such kernels for the GPU and was not expanded for one."""
    invoked = (e for e in bench.trace.expansions if e.macro == "REGISTER_OP_CUDA_KERNEL")
    left_out = any(
        fnmatchcase(spell(a.raw), asked)
        for expansion in invoked
        for step in expansion.steps[:1]
        for a in step.arguments[:1]
    )
    with_cuda = any(m.startswith("PADDLE_WITH_") for _, m in bench.options.macros)
    if left_out and not with_cuda:
        said = "REGISTER_OP_CUDA_KERNEL registers nothing without -D PADDLE_WITH_CUDA"
        print(f"{bench.path}: note: {said}", file=sys.stderr)


def _near(name: str) -> str:
    """A kernel of a name that is written much like this one."""
    from registry_runtime import kernels

    names = (kernels.registered_name(template.name) for template in kernels.library())
    return nearest(name, names) or "bitwise_and"


def _kernel_and_key(text: str) -> tuple[str, str, str, str]:
    """Name, backend, layout and data type; the layout may be left out."""
    namespace, separator, rest = text.partition("::")
    if separator:
        operator = f"{namespace}::{rest.partition(':')[0]}"
        raise argparse.ArgumentTypeError(
            f"{operator} is an operator of PyTorch's, whose kernel the dispatcher finds: "
            f"`unfold run {operator} --explain` tells the way"
        )
    words = text.split(":")
    if len(words) == 3:
        words.insert(2, "ALL_LAYOUT")
    if len(words) != 4 or not all(words):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not NAME:BACKEND:DTYPE, such as {_near(words[0])}:CPU:int32"
        )
    name, backend, layout, dtype = words
    return name, backend, layout, dtype
