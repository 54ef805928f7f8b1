"""`unfold run`: a kernel is selected, built and run."""

from __future__ import annotations

import argparse
from pathlib import Path

from visualizer.commands.kernels import load_device
from visualizer.commands.numbers import element_count
from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import add_flags, options_told
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain
from visualizer.samples import sample_files

_EXAMPLES = """\
examples:
  unfold run bitwise_and --dtype int32 --size 1000000 --check
  unfold run full_batch_size_like --dtype float32
  unfold run my_kernel --file kernel.cc -I include
  unfold run softmax --asm
  unfold run bitwise_and --explain --load CustomCPU --inputs-on CustomCPU

--explain tells how a call comes to its kernel: the key that its inputs make, the selection, what is
copied or converted for the kernel, what InferMeta says, and the launch.
"""


def configure(commands: Commands) -> None:
    command = add(commands, "run", "select a kernel, build it, run it", _EXAMPLES)
    command.add_argument("kernel", metavar="KERNEL", help="its registered name, e.g. bitwise_and")
    command.add_argument("--backend", help="CPU, GPU … (default: CPU if it is registered)")
    command.add_argument("--dtype", help="e.g. int32 (default: the first that is registered)")
    command.add_argument(
        "--size",
        metavar="N",
        type=element_count,
        default=1_000_000,
        help="elements (default: %(default)s)",
    )
    command.add_argument("--check", action="store_true", help="exit 1 unless NumPy agrees")
    command.add_argument(
        "--explain", action="store_true", help="tell how a call comes to the kernel, step by step"
    )
    command.add_argument(
        "--asm",
        nargs="?",
        const="loop",
        choices=("loop", "all"),
        help="show the machine code: the loop in which the time is spent, or all of it",
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
    command.add_argument(
        "--file",
        metavar="FILE",
        dest="files",
        type=Path,
        action="append",
        default=[],
        help="register from this file instead of the samples; may be repeated",
    )
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    from registry_runtime.kernels import KernelError
    from registry_runtime.trial import find_registered, listing, tell_call, try_kernel
    from visualizer.workbench import load

    files = arguments.files or sample_files()
    if (arguments.backend or "").upper().startswith("GPU"):
        arguments.macros = [
            *arguments.macros,
            ("D", "PADDLE_WITH_CUDA"),
        ]  # as Paddle is built for it
    if arguments.inputs_on and not arguments.explain:
        return complain("--inputs-on says where --explain's inputs are", USAGE_ERROR)
    runtime = load(files, lambda path: options_told(arguments, path))
    if arguments.load is not None and (code := load_device(runtime, arguments.load)):
        return code
    try:
        kernel = find_registered(runtime, arguments.kernel, arguments.backend, arguments.dtype)
        if arguments.asm or arguments.llvm:
            print("\n".join(listing(kernel, "llvm" if arguments.llvm else arguments.asm)))
            return OK
        if arguments.explain:
            story = tell_call(
                runtime, arguments.kernel, kernel, arguments.size, arguments.inputs_on
            )
            print("\n".join(f"{n}. {s.sentence}" for n, s in enumerate(story.steps, 1)))
            if story.error:
                raise KernelError(story.error)
            return OK
        trial = try_kernel(kernel, arguments.size)
    except KernelError as error:
        return complain(str(error))
    print("\n".join(trial.report()))
    return INPUT_ERROR if arguments.check and not trial.agrees else OK
