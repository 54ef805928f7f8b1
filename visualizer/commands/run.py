"""`unfold run`: a kernel is selected, built and run; an operator of PyTorch's or Fluid's is called."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.phi.kernel_template import KernelError
from visualizer.commands.apart import complain_of, in_its_own_process
from visualizer.commands.kernel_files import add_kernel_files, add_registering_files, beside
from visualizer.commands.kernels import load_device
from visualizer.commands.numbers import element_count
from visualizer.commands.own_data import OwnData, add_data_flags, own_data, trouble_with_data
from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_of_each
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain
from visualizer.commands.run_body import named_dims
from visualizer.commands.run_body import run as run_body
from visualizer.commands.run_fluid import run as run_of_fluid
from visualizer.commands.run_operator import run as run_operator
from visualizer.commands.terminal import tell, working
from visualizer.commands.trial import size_of, tell_bodies, tell_report, tell_trial
from visualizer.messages import N_
from visualizer.workbench.flag_words import add_flags, flags_in
from visualizer.workbench.samples import sample_files

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import Kernel
    from registry_runtime.phi.runtime import Runtime
    from visualizer.expansion import Options
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_INSTEAD = "in the app, what else the file registers runs"
_IN_TORCH = (
    "the body of an operator of PyTorch's runs in an installed PyTorch: name the FILE that registers "
    "it with --file, and --torch"
)
_AS_BUILT_FOR_GPUS = "D", "PADDLE_WITH_CUDA"
_EXAMPLES = """\
examples:
  unfold run bitwise_and --dtype int32 --size 1000000 --check
  unfold run full_batch_size_like --dtype float32
  unfold run softmax --input x=a.npy --attr axis=0 --save out.npy
  unfold run bitwise_and --input "x=[12, 7]" --input "y=[10, 3]" --dtype int32
  unfold run my_kernel --file kernel.cc -I include
  unfold run my_kernel --file kernel.cc --kernels mine.py --check
  unfold run softmax --asm
  unfold run bitwise_not --body --check
  unfold run my_kernel --file kernel.cc -I cpp_samples/phi --body --sanitize
  unfold run my_kernel --file kernel.cc -I cpp_samples/phi --body --kernels mine.py
  unfold run trace --file trace_kernel.cc --paddle --body --check
  unfold run bitwise_and --explain --load CustomCPU --inputs-on CustomCPU
  unfold run aten::add.Tensor --dtype float32 --check
  unfold run aten::add_.Tensor --size 20 --story
  unfold run add_stub --capability AVX2 --asm
  unfold run trace --file cpp_samples/fluid/trace_op.cc --check
  unfold run aten::div.Tensor --dtype int64 --check
  unfold run aten::cumsum --torch
  unfold run extension_cpp::mymuladd --file muladd.cpp --torch

What isn't given is made up: tensors follow the first one's shape, attributes are those of the kernel's
sample. A file says by itself what its elements are, and the kernel is chosen by that; other values are
of --dtype. Nothing is converted. A file of Python objects (a pickle) is never loaded.

--explain (or --story) tells how a call comes to its kernel. For a kernel of PHI's: the key that its
inputs make, the selection, what is copied or converted for the kernel, what InferMeta says, and the
launch. For an operator of PyTorch's, which has a namespace in its name: Python's argument parser, the
dispatcher's hops, the steps of TensorIterator.build, the stub's choice, and the loop.

An operator of Fluid's is one that the files register with REGISTER_OPERATOR. It is called by names, and
goes to PHI's kernel if the files bring one, to Fluid's class if not; each step is told.

--body compiles the text as it is: with the samples' headers it runs on a small runtime of Unfold's,
with those of an installed Paddle (--paddle) on Paddle's own libraries. That takes some 20 s to
compile the first time, and half of it afterwards.

Of PyTorch's operators the samples define add, sub, rsub, mul, div, neg, relu, clamp_min and sum:
what a body calls of these runs here. Where it calls what no text defines, such as a.matmul(b), --torch
lets an installed PyTorch answer: the files of --file are compiled and loaded there, in a child
process, and its dispatcher makes the call. That runs their code.

A dispatch stub is given by its name: its kernel is built for every capability that PyTorch builds
for, and the builds are timed against one another on 10,000 elements. ATEN_CPU_CAPABILITY chooses
the slot, as in PyTorch.
"""


def configure(commands: Commands) -> None:
    command = add(commands, "run", "select a kernel, build it, run it", _EXAMPLES)
    command.add_argument("kernel", metavar="KERNEL", help="bitwise_and, aten::add.Tensor, add_stub")
    command.add_argument("--backend", help="CPU, GPU, Meta … (default: CPU if it is registered)")
    command.add_argument("--dtype", help="e.g. int32 (default: the first that is registered)")
    command.add_argument(
        "--size",
        metavar="N",
        type=element_count,
        help="elements (default: 1000000)",
    )
    command.add_argument("--check", action="store_true", help="exit 1 unless NumPy agrees")
    command.add_argument(
        "--explain",
        "--story",
        action="store_true",
        help="tell how a call comes to the kernel, step by step",
    )
    command.add_argument(
        "--asm",
        nargs="?",
        const="loop",
        choices=("loop", "all"),
        help="show the machine code: the loop in which the time is spent, or all of it",
    )
    command.add_argument(
        "--capability",
        metavar="NAME",
        type=str.upper,
        help="of a stub, with --asm: which build, e.g. AVX2 (default: the one that a call takes)",
    )
    command.add_argument("--llvm", action="store_true", help="show it as LLVM IR")
    command.add_argument(
        "--inputs-on",
        metavar="DEVICE",
        help="with --explain: where the inputs are, e.g. GPU or CustomCPU (default: at the kernel)",
    )
    command.add_argument(
        "--load", metavar="DEVICE", help="load a plug-in's runtime, e.g. CustomCPU, before that"
    )
    add_registering_files(
        command, help=N_("register from this file instead of the samples; may be repeated")
    )
    add_data_flags(command)
    command.add_argument(
        "--body",
        action="store_true",
        help="compile the text's own C++ body with this machine's compiler, and run that",
    )
    command.add_argument(
        "--dims",
        metavar="NAME=SHAPE",
        type=named_dims,
        action="append",
        default=[],
        help="with --body, of a kernel that isn't in Python: the dims of an output, out=3x4; a list of "
        "outputs is one --dims for each",
    )
    command.add_argument(
        "--sanitize",
        action="store_true",
        help="with --body: watch every access; an index out of bounds is shown at its line",
    )
    add_kernel_files(command)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    from registry_runtime.program import Program
    from visualizer.workbench.linking import open_files

    program, flags = Program(), flags_in(arguments)
    of_pytorch = program.framework_of(arguments.kernel) == "aten"  # by its form, as yet
    files = arguments.files or sample_files("aten" if of_pytorch else "phi")
    if of_pytorch and not arguments.files:  # the samples have headers of their own
        flags = replace(flags, torch=None)
    if not of_pytorch and (arguments.backend or "").upper().startswith("GPU"):
        flags = replace(flags, macros=(*flags.macros, _AS_BUILT_FOR_GPUS))
    if arguments.inputs_on and not arguments.explain:
        return complain("--inputs-on says where --explain's inputs are", USAGE_ERROR)
    if arguments.capability and not of_pytorch:
        return complain("--capability is for PyTorch's stubs, such as add_stub", USAGE_ERROR)
    if trouble := trouble_with_data(arguments):
        return complain(trouble, USAGE_ERROR)
    if (arguments.sanitize or arguments.dims) and not arguments.body:
        return complain("--sanitize and --dims are for a C++ body: give --body too", USAGE_ERROR)
    if arguments.body and of_pytorch:
        if arguments.torch is None or not arguments.files:
            return complain(f"--body: {_IN_TORCH}", USAGE_ERROR)
        if arguments.sanitize or arguments.dims:
            return complain("--sanitize and --dims are for bodies of PHI's kernels", USAGE_ERROR)
    if arguments.sanitize and arguments.kernel_files:
        said = "--sanitize watches the C++ body alone, in more memory than --kernels allows: choose"
        return complain(said, USAGE_ERROR)
    found = () if arguments.sanitize else beside(arguments.files, arguments.kernel)
    if (code := in_its_own_process(arguments, found)) is not None:
        return code
    told: set[str] = set()
    with working() as show:

        def options_shown(path: str | Path) -> Sequence[Options]:
            show(f"reading {Path(path).name}")
            return options_of_each(flags, path, told)

        benches = open_files(files, program, options_shown, _INSTEAD)
    entries = [
        e for b in benches for e in b.entries if e.registration.kernel_name == arguments.kernel
    ]
    framework = program.framework_of(arguments.kernel)
    try:
        with own_data(arguments) as data:
            if arguments.body and framework == "phi":
                return run_body(program.phi, benches, arguments, data)
            if framework == "aten":
                return run_operator(program, benches, entries, arguments, data)
            if framework == "fluid" and not (arguments.asm or arguments.llvm):
                return run_of_fluid(program.fluid, benches, entries, arguments, data)
            return _run_kernel(program.phi, benches, entries, arguments, data)
    except ValueError as error:  # standard input
        return complain(str(error))


def _run_kernel(
    runtime: Runtime,
    benches: Sequence[Workbench],
    entries: Sequence[Entry],
    arguments: argparse.Namespace,
    data: OwnData,
) -> int:
    from registry_runtime.kernels.device import NoDevice
    from registry_runtime.lab.phi.code import listing
    from registry_runtime.lab.phi.reference_check import check_reference
    from registry_runtime.lab.phi.trial import tell_call, tell_declared, try_kernel

    size = size_of(arguments)
    if arguments.load is not None and (code := load_device(runtime, arguments.load)):
        return code
    try:
        kernel = _selected(runtime, arguments, data)
        of = [e for e in entries if getattr(e.registration, "kernel", None) is kernel]
        if arguments.asm or arguments.llvm:
            print("\n".join(listing(kernel, "llvm" if arguments.llvm else arguments.asm)))
            tell_bodies(of)
            return OK
        if arguments.explain:
            with working() as show:
                show(f"calling {arguments.kernel}")
                name, on = arguments.kernel, arguments.inputs_on
                if kernel.runnable:
                    story = tell_call(runtime, name, kernel, size, on, data.texts)
                else:
                    story = tell_declared(runtime, name, kernel, on)
            tell(f"{n}. {s.sentence}" for n, s in enumerate(story.steps, 1))
            if story.error:
                raise story.refused or KernelError(story.error)
            tell_bodies(of)
            return OK
        try:
            with working() as show:
                show(f"building and running {arguments.kernel}")
                trial = try_kernel(kernel, size, texts=data.texts)
        except NoDevice as missing:
            if not arguments.check:
                alone = "of one that is for GPUs alone, --check checks the reference"
                return complain(f"{missing}; {alone}")
            checked = check_reference(kernel, size, missing)
            tell_report(checked.report(), of)
            return OK if checked.passed else INPUT_ERROR
    except KernelError as error:
        return complain_of(error, benches)
    return tell_trial(trial, arguments, of)


def _selected(runtime: Runtime, arguments: argparse.Namespace, data: OwnData) -> Kernel:
    """The kernel that a call finds: by --dtype, or by what the files hold. Raises KernelError."""
    from registry_runtime.lab.phi.operands import check_names, dtype_given
    from registry_runtime.lab.phi.selection import find_registered
    from registry_runtime.phi.call.kernel_call import instance_of

    name, backend, dtype = arguments.kernel, arguments.backend, arguments.dtype
    kernel = find_registered(runtime, name, backend, dtype)
    if not data.texts:
        return kernel
    template = instance_of(kernel).template
    check_names(template, data.inputs, data.attributes)
    held = None if dtype else dtype_given(template, data.texts)
    return kernel if held is None else find_registered(runtime, name, backend, str(held))
