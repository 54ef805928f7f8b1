"""What the command `unfold` accepts: its subcommands, their options and help, and nothing else."""

from __future__ import annotations

import argparse
from importlib.metadata import version
from pathlib import Path

from visualizer.expansion import Options
from visualizer.expansion.language import DIALECTS
from visualizer.expansion.predefined import DEFAULT_STD, is_standard

_EXAMPLES = {
    None: """\
examples:
  unfold                                       open the first sample
  unfold open kernel.cc:40 -I include          step through the macro on line 40
  unfold expand kernel.cc -P                   what the preprocessor makes of a file
  unfold steps kernel.cc:40                    the same steps, as text
  unfold kernels kernel.cc                     what the file registers
  unfold run bitwise_and --dtype int32 --check build a registered kernel, run it, check it
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
  unfold steps kernel.cc --format json > trace.json

The JSON document holds "definitions" and "expansions". An expansion leads from "before" to "after"
by "steps"; each is a splice: at token "at" of the sequence, take "remove" out, put "insert" in. An
argument's "prescan" is a sequence with steps of its own that starts from its "raw" tokens. A token's
"origin" says where it came from; of kind "source", its spelling stands at that file, line and column.
""",
    "kernels": """\
examples:
  unfold kernels
  unfold kernels kernel.cc -I include --format json
""",
    "run": """\
examples:
  unfold run bitwise_and --dtype int32 --size 1000000 --check
  unfold run full_batch_size_like --dtype float32
  unfold run my_kernel --file kernel.cc -I include
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
    top.add_argument("--version", action="version", version=f"unfold {version('unfold')}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    command = _command(commands, "open", "step through a file in the terminal")
    command.add_argument("file", metavar="FILE[:LINE]", type=_file_and_line)

    command = _command(commands, "expand", "print a file preprocessed, as cc -E does")
    command.add_argument("file", metavar="FILE", type=Path)
    command.add_argument("-P", dest="plain", action="store_true", help="no line markers")

    command = _command(commands, "steps", "print every step of the expansions in a file")
    command.add_argument("file", metavar="FILE[:LINE]", type=_file_and_line)
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument(
        "--depth",
        choices=("calls", "all"),
        default="calls",
        help="of the text: a line for each call, or also definitions, arguments and operations",
    )

    command = _command(commands, "kernels", "list the kernels that files register")
    command.add_argument("files", metavar="FILE", type=Path, nargs="*", help="default: all samples")
    command.add_argument("--format", choices=("table", "json"), default="table")

    command = _command(commands, "run", "select a kernel, build it, run it")
    command.add_argument("kernel", metavar="KERNEL", help="its registered name, e.g. bitwise_and")
    command.add_argument("--backend", help="CPU, GPU … (default: CPU if it is registered)")
    command.add_argument("--dtype", help="e.g. int32 (default: the first that is registered)")
    command.add_argument(
        "--size", metavar="N", type=_size, default=1_000_000, help="elements (default: %(default)s)"
    )
    command.add_argument("--check", action="store_true", help="exit 1 unless NumPy agrees")
    command.add_argument(
        "--file",
        metavar="FILE",
        dest="files",
        type=Path,
        action="append",
        default=[],
        help="register from this file instead of the samples; may be repeated",
    )
    return top


def options(arguments: argparse.Namespace) -> Options:
    """The preprocessor's options among parsed arguments."""
    return Options(
        include_folders=tuple(arguments.include_folders),
        system_folders=tuple(arguments.system_folders),
        macros=tuple(arguments.macros),
        forced_includes=tuple(arguments.forced_includes),
        std=arguments.std,
        dialect=arguments.dialect,
    )


class _Parser(argparse.ArgumentParser):
    """argparse, but a wrong word is answered in one line that says where to look."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"unfold: error: {message}\nTry '{self.prog} --help'.\n")


def _command(
    commands: argparse._SubParsersAction[_Parser], name: str, summary: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=_EXAMPLES[name],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    flags = command.add_argument_group("preprocessor")
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
        "--std",
        metavar="NAME",
        type=_standard,
        default=DEFAULT_STD,
        help="language standard by gcc's name (default: %(default)s)",
    )
    flags.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=DIALECTS[0],
        help="msvc-traditional: as Microsoft's older preprocessor has it",
    )
    return command


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
    path, colon, line = text.rpartition(":")
    if colon and line.isdecimal() and not Path(text).exists():
        return Path(path), int(line)
    return Path(text), None


def _size(text: str) -> int:
    try:
        size = int(text.replace("_", ""))
    except ValueError:
        size = int(float(text)) if text.replace(".", "").replace("e", "").isdecimal() else -1
    if size < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of elements")
    return size


def _standard(text: str) -> str:
    name = text.lower()
    if not is_standard(name):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a standard that gcc knows, such as c++17"
        )
    return name
