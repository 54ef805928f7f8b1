"""`unfold verify`: what a file registers when it is compiled, beside what was interpreted."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_told
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain, report
from visualizer.commands.terminal import columns, tell, working
from visualizer.workbench.flag_words import add_flags, flags_in

if TYPE_CHECKING:
    from registry_runtime.judge.compiling import Watch
    from registry_runtime.judge.facts import Facts
    from visualizer.workbench.verdict import Judgement

_EXAMPLES = """\
examples:
  unfold verify cpp_samples/phi/bitwise_kernel.cc
  unfold verify kernel.cc --paddle
  unfold verify muladd.cpp --torch --format json
  unfold verify --installed torchvision --torch
  unfold verify --installed torch --only 'quantized::*' --torch
  unfold verify --installed paddle --only 'bitwise_*' --paddle

The file is compiled by g++ or clang++, and its own static initialisation registers. A file with the
samples' headers registers in a native registry that only records (some 2 s). With --paddle (some 4 s
to compile, 2 s to import) and --torch (10 s and more, 3 s) it is loaded into the installed framework,
which says what it has then: names, keys and argument definitions of PHI's kernels; schemas, kernels by
key, and the computed table of PyTorch's operators, key by key. The table that is printed holds the
differences. Exit code 0: none; 1: some, or the file can't be compiled or loaded; 2: wrong usage.

The framework is that of the environment's python, or of the one that --torch=PATH or --paddle=PATH
names. All this runs code of the file, which you name for it, in a child process with limits on time,
memory and output. --installed runs what importing that package runs.
"""


def configure(commands: Commands) -> None:
    command = add(
        commands,
        "verify",
        "compare what a file registers with what it registers compiled",
        _EXAMPLES,
    )
    command.add_argument("file", metavar="FILE", type=Path, nargs="?")
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument(
        "--installed",
        metavar="PACKAGE",
        help="instead: list what this package, installed beside --torch's PyTorch or --paddle's "
        "Paddle, registers",
    )
    command.add_argument(
        "--only",
        metavar="NAME",
        help="with --installed: only operators or kernels of this name (a glob)",
    )
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    if (arguments.file is None) is (arguments.installed is None):
        return complain("verify takes a FILE, or --installed PACKAGE", USAGE_ERROR)
    if arguments.only and not arguments.installed:
        return complain("--only is for --installed", USAGE_ERROR)
    from visualizer.personal.consent import why_not_here

    if reason := why_not_here():
        return complain(reason)
    return _installed(arguments) if arguments.installed else _verify(arguments)


def _verify(arguments: argparse.Namespace) -> int:
    from registry_runtime.judge.compiling import JudgeFailed, Watch
    from registry_runtime.native.compiler import CompilerFailed
    from visualizer.export.verdict import as_json, lines
    from visualizer.workbench.bench import open_file
    from visualizer.workbench.machine_compiler import NoCompiler
    from visualizer.workbench.verdict import NoJudge, advice, verify

    flags, path = flags_in(arguments), arguments.file
    bench = open_file(path.absolute(), options_told(flags, path))
    code = report(bench.diagnostics)
    verdicts: list[Judgement] = []
    try:
        with working() as show:
            verdicts += verify(bench, flags, Watch(show))
    except NoJudge as none:
        return complain(str(none), USAGE_ERROR)
    except CompilerFailed as failed:
        for error in failed.errors[:_MOST_ERRORS] or (failed,):
            print(error, file=sys.stderr)
        for told in advice(bench):
            print(f"unfold: note: {told}", file=sys.stderr)
        code = INPUT_ERROR
    except (JudgeFailed, NoCompiler) as failed:
        code = complain(str(failed))
    if arguments.format == "json":
        print(json.dumps([as_json(path, verdict) for verdict in verdicts], indent=1))
    else:
        for verdict in verdicts:
            tell(lines(path, verdict, columns()))
    return max(code, *(INPUT_ERROR if v.differences else OK for v in verdicts), OK)


_MOST_ERRORS = 10


def _installed(arguments: argparse.Namespace) -> int:
    from registry_runtime.judge.compiling import JudgeFailed, Watch
    from visualizer.workbench.machine_compiler import NoCompiler

    only, package = arguments.only or "*", arguments.installed
    in_paddle = flags_in(arguments).paddle is not None or package == "paddle"
    try:
        with working() as show:
            whose, found = (_in_paddle if in_paddle else _in_torch)(arguments, Watch(show))
    except (JudgeFailed, NoCompiler) as failed:
        return complain(str(failed))
    facts = {entry: of for entry, of in found.items() if fnmatchcase(entry[0], only)}
    if not facts:
        said = f"importing {package} registers nothing in {whose}"
        return complain(f"{said} of the name '{only}'" if arguments.only else said)
    if arguments.format == "json":
        print(json.dumps(_by_name(facts), indent=1))
    else:
        tell((_kernels if in_paddle else _listed)(facts, columns()))
    return OK


def _in_torch(arguments: argparse.Namespace, watch: Watch) -> tuple[str, Facts]:
    from registry_runtime.judge.aten_facts import held
    from registry_runtime.judge.of_torch import registered_by_package
    from visualizer.workbench.verdict import torch_of

    torch = torch_of(flags_in(arguments).torch or "")
    namespaces = [arguments.only.partition("::")[0]] if arguments.only else []
    if arguments.installed == "torch":
        namespaces = namespaces or ["*"]
    answer = registered_by_package(arguments.installed, torch, watch, namespaces)
    return f"PyTorch {answer['version']}", held(answer).facts


def _in_paddle(arguments: argparse.Namespace, watch: Watch) -> tuple[str, Facts]:
    from registry_runtime.judge.of_paddle import registered_by_package
    from registry_runtime.judge.phi_facts import listed
    from visualizer.workbench.machine_compiler import cxx_compiler
    from visualizer.workbench.verdict import paddle_of

    flags = flags_in(arguments)
    paddle = paddle_of(flags.paddle or "")
    compiler = cxx_compiler(flags.cc)
    version, entries = registered_by_package(arguments.installed, compiler, paddle, watch)
    # Paddle's maps have no order.
    entries.sort(key=lambda e: (e["name"], e["backend"], e["layout"], e["dtype"]))
    return f"PaddlePaddle {version}", listed(entries).facts


def _by_name(facts: Facts) -> dict[str, list[dict[str, Any]]]:
    """As `unfold kernels --format json` has it: each name's entries, by their keys."""
    found: dict[str, list[dict[str, Any]]] = {}
    for (name, key), known in facts.items():
        found.setdefault(name, []).append({"key": key, **(known or {})})
    return found


def _listed(facts: Facts, width: int) -> Iterable[str]:
    from visualizer.layout.tables import table

    rows, last = [], ""
    for (name, key), known in facts.items():
        if key == "table" or known is None:
            continue
        if key == "schema":
            what, where = known["schema"], known.get("debug", "")
        else:
            what, where = known["schema of its type"], known["kernel"]
        rows.append((name if name != last else "", key, what, where))
        last = name
    return table(("operator", "key", "schema, or of its type", "where"), rows, width)


def _kernels(facts: Facts, width: int) -> Iterable[str]:
    from visualizer.layout.tables import table

    rows, last = [], ""
    for (name, key), known in facts.items():
        told = [f"{word}: {of}" for word, of in (known or {}).items() if word != "registered as"]
        rows.append((name if name != last else "", key, "; ".join(told)))
        last = name
    return table(("kernel", "key", "arguments"), rows, width)
