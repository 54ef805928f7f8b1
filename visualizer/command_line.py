"""What the command `unfold` accepts: its subcommands, their options and help, and nothing else."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TypeAlias

from visualizer.expansion import Diagnostic, Options
from visualizer.expansion.language import DIALECTS
from visualizer.expansion.options import COMPILERS
from visualizer.expansion.predefined import DEFAULT_STD, is_standard

SYSTEM_HEADERS = "<>"  # to --hide
PEERS = ("numpy", "torch", "paddle", "cupy")  # that kernels are measured against
FORMATS = ("table", "json", "csv", "parquet")  # of a survey
_EXAMPLES = {
    None: """\
examples:
  unfold                                       open the first sample
  unfold open kernel.cc:40 -I include          step through the macro on line 40
  unfold expand kernel.cc -P                   what the preprocessor makes of a file
  unfold steps kernel.cc:40                    the same steps, as text
  unfold kernels kernel.cc                     what the file registers
  unfold run bitwise_and --dtype int32 --check build a registered kernel, run it, check it
  unfold bench bitwise_and                     time it beside NumPy, PyTorch and Paddle
""",
    "open": """\
keys: right and left step, down and up step over, r runs a kernel, ? shows all

examples:
  unfold open cpp_samples/phi/bitwise_kernel.cc
  unfold open kernel.cc:40 -I include -D PADDLE_WITH_CUDA
""",
    "expand": """\
examples:
  unfold expand kernel.cc -P
  unfold expand kernel.cc -I include -D NDEBUG --std c++20
""",
    "steps": """\
examples:
  unfold steps kernel.cc:40
  unfold steps kernel.cc --depth all
  unfold steps kernel.cc --paddle
  unfold steps kernel.cc:40 --hide PD_EXPAND --hide 'PD_CONCAT*'
  unfold steps kernel.cc:40 --until __COUNTER__
  unfold steps kernel.cc:40 --find '*Context'
  unfold steps kernel.cc --format json > trace.json
  unfold steps kernel.cc --conditionals --includes

--hide GLOB draws the steps of macros with such names together, those that their own text leads to
among them; with a dot or a slash in it, GLOB fits the file in which a macro is defined, and '<>' is
any system header. --until MACRO stops before the rest of the first expansion that comes to that macro.
--find TEXT tells only the steps that make (+) or use up (-) such tokens; a glob too. A line 'hint:'
points at a classic mistake.

The JSON document holds "definitions" and "expansions". An expansion leads from "before" to "after"
by "steps"; each is a splice: at token "at" of the sequence, take "remove" out, put "insert" in. An
argument's "prescan" is a sequence with steps of its own that starts from its "raw" tokens. A token's
"origin" says where it came from; of kind "source", its spelling stands at that file, line and column.
With --find, "found" lists tokens: their place, "expansion" by its index, the moments (as the text
numbers them) at which they were "born" (0: in the source) and "gone" (null: never), and their "fate".
""",
    "kernels": """\
examples:
  unfold kernels
  unfold kernels kernel.cc -I include --format json
  unfold kernels --only 'bitwise_*'
  unfold kernels --select bitwise_and:GPU:int32
  unfold kernels --load CustomCPU --select softmax:CustomCPU:NCHW:float32

--select NAME:BACKEND[:LAYOUT]:DTYPE prints how a call with such tensors finds its kernel: found, or
fallen back to the CPU. A plug-in's kernels wait in CustomKernelMap, where no call finds them, until
--load DEVICE loads the runtime of their device. In JSON, "inputs", "outputs" and "attributes" are
what the braces behind a registration left, "before" is what they found, and "arguments" says what
became of each C++ parameter.
""",
    "run": """\
examples:
  unfold run bitwise_and --dtype int32 --size 1000000 --check
  unfold run full_batch_size_like --dtype float32
  unfold run my_kernel --file kernel.cc -I include
  unfold run softmax --asm
  unfold run bitwise_and --explain --load CustomCPU --inputs-on CustomCPU

--explain tells how a call comes to its kernel: the key that its inputs make, the selection, what is
copied or converted for the kernel, what InferMeta says, and the launch.
""",
    "bench": """\
examples:
  unfold bench bitwise_and --plot
  unfold bench --sizes 1,1000,1e6 --against numpy,torch
  unfold bench add --dtypes float32,float64 --save before.json
  unfold bench add --compare before.json --format json

Each row's peers are the time of a call in that library ÷ ours. Press Ctrl-C to stop early: what is
measured by then is printed and saved. "geomean" is the geometric mean of (fastest peer's time ÷ ours).
""",
    "survey": """\
examples:
  unfold survey paddle/phi/kernels
  unfold survey paddle -I . -D PADDLE_WITH_CUDA --format csv -o kernels.csv
  unfold survey . -p build --scheduler tcp://10.0.0.1:8786 --format parquet -o kernels.parquet

Missing headers are no errors. No compiler is asked for its macros unless you say --cc.
""",
}


def parser() -> argparse.ArgumentParser:
    """The command line of design: subcommands share the preprocessor's flags, which are cc's own."""
    top = _Parser(
        prog="unfold",
        description="Step through kernel-registration macros, watch the registry that they fill, and "
        "run the kernels in it. Alone, it opens the first sample; without a terminal, it prints it.",
        epilog=_EXAMPLES[None],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and stop")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    for add in (_open, _expand, _steps, _kernels, _run, _bench, _survey):
        add(commands)
    return top


def _open(commands: _Commands) -> None:
    command = _command(commands, "open", "step through a file in the terminal")
    command.add_argument("file", metavar="FILE[:LINE]", type=_file_and_line)


def _expand(commands: _Commands) -> None:
    command = _command(commands, "expand", "print a file preprocessed, as cc -E does")
    command.add_argument("file", metavar="FILE", type=Path)
    command.add_argument("-P", dest="plain", action="store_true", help="no line markers")


def _steps(commands: _Commands) -> None:
    command = _command(commands, "steps", "print every step of the expansions in a file")
    command.add_argument("file", metavar="FILE[:LINE]", type=_file_and_line)
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument(
        "--conditionals",
        action="store_true",
        help="instead: which branches were taken, and the value of each subexpression",
    )
    command.add_argument(
        "--includes",
        action="store_true",
        help="instead: the tree of included files, with times",
    )
    command.add_argument(
        "--depth",
        choices=("calls", "all"),
        default="calls",
        help="of the text: a line for each call, or also definitions, arguments and operations",
    )
    command.add_argument(
        "--hide",
        metavar="GLOB",
        action="append",
        default=[],
        help="draw these macros' steps together: a name, a file or '<>'; may be repeated",
    )
    command.add_argument("--until", metavar="MACRO", help="stop at this macro (a glob)")
    command.add_argument(
        "--find", metavar="TEXT", help="only the steps that make or use up this token (a glob)"
    )


def _kernels(commands: _Commands) -> None:
    command = _command(commands, "kernels", "list the kernels that files register")
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


def _run(commands: _Commands) -> None:
    command = _command(commands, "run", "select a kernel, build it, run it")
    command.add_argument("kernel", metavar="KERNEL", help="its registered name, e.g. bitwise_and")
    command.add_argument("--backend", help="CPU, GPU … (default: CPU if it is registered)")
    command.add_argument("--dtype", help="e.g. int32 (default: the first that is registered)")
    command.add_argument(
        "--size", metavar="N", type=_size, default=1_000_000, help="elements (default: %(default)s)"
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


def _bench(commands: _Commands) -> None:
    command = commands.add_parser(
        "bench",
        help="time kernels beside NumPy, PyTorch, Paddle and CuPy",
        description="Time kernels beside NumPy, PyTorch, Paddle and CuPy, and beside a memory copy.",
        epilog=_EXAMPLES["bench"],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "kernels", metavar="KERNEL", nargs="*", help="e.g. bitwise_and (default: all)"
    )
    command.add_argument(
        "--sizes",
        metavar="N,…",
        type=_sizes,
        default=[10**power for power in range(8)],
        help="elements (default: 1,10,100 … 1e7)",
    )
    command.add_argument(
        "--dtypes",
        metavar="NAME,…",
        type=_words,
        default=[],
        help="e.g. int32,float32 (default: float32, or what the kernel has)",
    )
    command.add_argument(
        "--against",
        metavar="NAME,…",
        type=_peers,
        help="of numpy, torch, paddle, cupy (default: those that are installed)",
    )
    command.add_argument("--backend", choices=("CPU", "GPU"), type=str.upper, default="CPU")
    command.add_argument("--format", choices=("table", "json"), default="table")
    command.add_argument("--plot", action="store_true", help="also draw throughput over size")
    command.add_argument(
        "--builds", action="store_true", help="also time compiling, without a cache and with one"
    )
    command.add_argument("--save", metavar="FILE", type=Path, help="keep the results, as JSON")
    command.add_argument("--compare", metavar="FILE", type=Path, help="with what --save kept")
    command.add_argument(
        "--seconds",
        metavar="S",
        type=_seconds,
        default=0.3,
        help="for each row, about (default: %(default)s)",
    )
    command.add_argument(
        "--threads", metavar="N", type=_threads, help="for everybody (default: all cores)"
    )


def _survey(commands: _Commands) -> None:
    command = _command(commands, "survey", "list every kernel registration in a source tree")
    command.add_argument("folders", metavar="DIR", type=Path, nargs="+")
    command.add_argument("--format", choices=FORMATS, default="table")
    command.add_argument("-o", dest="output", metavar="FILE", type=Path, help="default: stdout")
    command.add_argument(
        "-j", dest="jobs", metavar="N", type=_jobs, help="processes (default: by the cores)"
    )
    command.add_argument(
        "--scheduler", metavar="ADDRESS", help="spread the work over this Dask cluster"
    )
    command.set_defaults(cc="none")


def options_for(
    arguments: argparse.Namespace, path: str | Path, given: Options | None = None
) -> tuple[Options, Diagnostic | None]:
    """The preprocessor's options for one file, with what `-p` adds to those `given`, and what to say
    of it. Raises InputError if there is no such database, or a damaged one."""
    given = given or options(arguments)
    if arguments.database is None:
        return given, None
    from visualizer.expansion import compile_commands

    flags = compile_commands.flags_for(arguments.database, path)
    merged = compile_commands.with_flags(flags.options, given, arguments.std)
    return merged, flags.note(path)


def with_command(words: list[str]) -> list[str]:
    """`unfold FILE…` means `unfold open FILE…`: a command line without a command, but with a file."""
    a_file = bool(words) and words[0] not in _EXAMPLES and _file_and_line(words[0])[0].is_file()
    return ["open", *words] if a_file else words


def options(arguments: argparse.Namespace) -> Options:
    """The preprocessor's options among parsed arguments. Raises InputError if `--paddle` or `--torch`
    asks for a wheel that is not installed."""
    system_folders = list(arguments.system_folders)
    if arguments.paddle or arguments.torch:
        from visualizer import wheels

        for wanted, wheel in ((arguments.paddle, wheels.PADDLE), (arguments.torch, wheels.TORCH)):
            system_folders += wheels.include_folders(wheel) if wanted else ()
    return Options(
        include_folders=tuple(arguments.include_folders),
        system_folders=tuple(system_folders),
        macros=tuple(arguments.macros),
        forced_includes=tuple(arguments.forced_includes),
        std=arguments.std or DEFAULT_STD,
        cc=arguments.cc,
        dialect=arguments.dialect,
    )


class _Parser(argparse.ArgumentParser):
    """argparse, but a wrong word is answered in one line that says where to look."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"unfold: error: {message}\nTry '{self.prog} --help'.\n")


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _command(commands: _Commands, name: str, summary: str) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=_EXAMPLES[name],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    flags = command.add_argument_group("preprocessor")
    flags.add_argument(
        "-p",
        dest="database",
        metavar="DIR",
        help="each file's flags from DIR/compile_commands.json, before those given here",
    )
    flags.add_argument("-I", dest="include_folders", metavar="DIR", action="append", default=[])
    flags.add_argument(
        "-isystem", dest="system_folders", metavar="DIR", action="append", default=[]
    )
    flags.add_argument("-D", dest="macros", metavar="NAME[=VALUE]", action=_Macro, default=[])
    flags.add_argument("-U", dest="macros", metavar="NAME", action=_Macro, default=[])
    flags.add_argument(
        "-include", dest="forced_includes", metavar="FILE", action="append", default=[]
    )
    flags.add_argument(
        "--cc",
        choices=COMPILERS,
        default="auto",
        help="whose predefined macros and include path to use: an installed compiler's, or built-in "
        "tables (default: gcc, else clang, else none)",
    )
    flags.add_argument(
        "--paddle", action="store_true", help="add the headers of the installed paddlepaddle"
    )
    flags.add_argument(
        "--torch", action="store_true", help="add the headers of the installed torch"
    )
    flags.add_argument(
        "--std",
        "-std",
        metavar="NAME",
        type=_standard,
        help=f"language standard by gcc's name (default: {DEFAULT_STD})",
    )
    flags.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=DIALECTS[0],
        help="msvc-traditional: as Microsoft's older preprocessor has it",
    )
    return command


class _Version(argparse.Action):
    """argparse's own wants the version at once; finding it takes longer than most commands."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        from importlib.metadata import version

        print(f"unfold {version('unfold')}")
        parser.exit()


class _Macro(argparse.Action):
    """-D and -U keep their order: the last word on a name wins."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        name = str(values).partition("=")[0]
        if not name.partition("(")[0].replace("$", "_").isidentifier():
            parser.error(f"{option_string} {values}: '{name}' is not a macro name")
        macros = [*getattr(namespace, self.dest), ((option_string or "-D")[1], str(values))]
        setattr(namespace, self.dest, macros)


def _file_and_line(text: str) -> tuple[Path, int | None]:
    match = re.fullmatch(r"(.+?):(\d+)(?::\d*)?", text)
    if match is None or Path(text).exists():
        return Path(text), None
    return Path(match[1]), int(match[2])


def _jobs(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of processes")
    return int(text)


def _kernel_and_key(text: str) -> tuple[str, str, str, str]:
    """Name, backend, layout and data type; the layout may be left out."""
    words = text.split(":")
    if len(words) == 3:
        words.insert(2, "ALL_LAYOUT")
    if len(words) != 4 or not all(words):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not NAME:BACKEND:DTYPE, such as bitwise_and:GPU:int32"
        )
    name, backend, layout, dtype = words
    return name, backend, layout, dtype


def _size(text: str) -> int:
    try:
        size = int(text.replace("_", ""))
    except ValueError:
        size = int(float(text)) if text.replace(".", "").replace("e", "").isdecimal() else -1
    if size < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of elements")
    return size


def _sizes(text: str) -> list[int]:
    sizes = [_size(word) for word in _words(text)]
    if 0 in sizes:
        raise argparse.ArgumentTypeError("0 elements take no time: sizes begin at 1")
    return list(dict.fromkeys(sizes))


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise argparse.ArgumentTypeError("nothing is named")
    return words


def _peers(text: str) -> list[str]:
    peers = _words(text.lower())
    for peer in peers:
        if peer not in PEERS:
            raise argparse.ArgumentTypeError(
                f"'{peer}' is nobody to compare with: choose from {', '.join(PEERS)}"
            )
    return peers


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds for a row")
    return seconds


def _threads(text: str) -> int:
    from registry_runtime.benchmark.threads import cores

    if not text.isdecimal() or not 1 <= int(text) <= cores():
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of threads from 1 to {cores()}, the cores of this machine"
        )
    return int(text)


def _standard(text: str) -> str:
    name = text.lower()
    if not is_standard(name):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a standard that gcc knows, such as c++17"
        )
    return name
