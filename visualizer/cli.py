"""The command `unfold`: each subcommand as a function from parsed arguments to an exit code.

Exit codes: 0 done, 1 the input has errors, 2 wrong usage. Diagnostics go to stderr as
`FILE:LINE:COL: error: TEXT`. Whatever a screen needs is imported only when a screen is opened.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable

from visualizer import command_line
from visualizer.expansion import Diagnostic, Expansion, InputError, preprocess
from visualizer.expansion.source_files import display_path
from visualizer.samples import sample_files

OK, INPUT_ERROR, USAGE_ERROR, INTERRUPTED = 0, 1, 2, 130


def main(argv: list[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    parser = command_line.parser()
    arguments = parser.parse_args(argv)
    try:
        if arguments.command is None:
            return _open_first_sample()
        return _COMMANDS[arguments.command](arguments)
    except InputError as error:
        _report([error.diagnostic])
        return INPUT_ERROR
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED


def _open_first_sample() -> int:
    first = sample_files()[0]
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        trace = preprocess(first)
        registering = next(e for e in trace.expansions if e.macro == "PD_REGISTER_KERNEL")
        _print_walkthrough([registering], detailed=False)
        return OK
    return main(["open", str(first)])


def _open(arguments: argparse.Namespace) -> int:
    from visualizer.tui.app import UnfoldApp
    from visualizer.workbench import open_file

    path, line = arguments.file
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("unfold: open needs a terminal; unfold steps prints the same steps", file=sys.stderr)
        return USAGE_ERROR
    bench = open_file(path, command_line.options(arguments))
    if line is not None and bench.expansion_at(line) is None:
        _report([_nothing_at(display_path(path), line, bench.trace.expansions)])
        return INPUT_ERROR
    wanted = bench.expansion_at(line) if line is not None else bench.first_registration()
    UnfoldApp(bench, wanted or 0).run()
    return OK


def _expand(arguments: argparse.Namespace) -> int:
    from visualizer.export.preprocessed import preprocessed

    trace = preprocess(arguments.file, command_line.options(arguments))
    for piece in preprocessed(trace.output, markers=not arguments.plain):
        sys.stdout.write(piece)
    return _report(trace.diagnostics)


def _steps(arguments: argparse.Namespace) -> int:
    path, line = arguments.file
    trace = preprocess(path, command_line.options(arguments))
    expansions = trace.expansions
    if line is not None:
        expansions = [e for e in expansions if e.where.line <= line <= e.last_line()]
        if not expansions:
            _report([*trace.diagnostics, _nothing_at(trace.file, line, trace.expansions)])
            return INPUT_ERROR
    if arguments.format == "json":
        from visualizer.export.json_trace import json_trace

        json.dump(json_trace(trace.file, expansions), sys.stdout, ensure_ascii=False)
        print()
    else:
        _print_walkthrough(expansions, detailed=arguments.depth == "all")
    return _report(trace.diagnostics)


def _kernels(arguments: argparse.Namespace) -> int:
    from visualizer.export.registry import as_json, as_table
    from visualizer.workbench import open_file

    benches = []
    code = OK
    for path in arguments.files or sample_files():
        try:
            bench = open_file(path, command_line.options(arguments))
        except InputError as error:
            code = _report([error.diagnostic])
            continue
        benches.append(bench)
        code = max(code, _report(bench.diagnostics))
    entries = [entry for bench in benches for entry in bench.entries]
    if arguments.format == "json":
        print(json.dumps(as_json(entries), indent=1))
    else:
        print("\n".join(as_table(entries)) or "no kernels registered")
    return code


def _run(arguments: argparse.Namespace) -> int:
    from registry_runtime.kernels import KernelError
    from registry_runtime.trial import find_registered, try_kernel
    from visualizer.workbench import load

    runtime = load(arguments.files or sample_files(), command_line.options(arguments))
    try:
        kernel = find_registered(runtime, arguments.kernel, arguments.backend, arguments.dtype)
        trial = try_kernel(kernel, arguments.size)
    except KernelError as error:
        print(f"unfold: error: {error}", file=sys.stderr)
        return INPUT_ERROR
    print("\n".join(trial.report()))
    return INPUT_ERROR if arguments.check and not trial.agrees else OK


def _print_walkthrough(expansions: Iterable[Expansion], detailed: bool) -> None:
    from visualizer.export.walkthrough import walkthrough

    for n, expansion in enumerate(expansions):
        if n:
            print()
        for line in walkthrough(expansion, detailed):
            print(line)


def _nothing_at(file: str, line: int, expansions: list[Expansion]) -> Diagnostic:
    from visualizer.expansion.tokens import Source

    lines = sorted({e.where.line for e in expansions})
    nearest = sorted(lines, key=lambda at: abs(at - line))[:3]
    places = ", ".join(map(str, sorted(nearest)))
    hint = f"the nearest are on line {places}" if lines else "this file invokes no macro"
    return Diagnostic("error", "no macro is invoked on this line", Source(file, line, 1), hint)


def _report(diagnostics: Iterable[Diagnostic]) -> int:
    """Diagnostics on stderr, each once; the exit code that they mean."""
    sys.stdout.flush()
    code = OK
    for text, severity in dict.fromkeys((str(d), d.severity) for d in diagnostics):
        print(text, file=sys.stderr)
        code = INPUT_ERROR if severity == "error" else code
    return code


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "open": _open,
    "expand": _expand,
    "steps": _steps,
    "kernels": _kernels,
    "run": _run,
}
