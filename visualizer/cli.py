"""The command `unfold`: each subcommand as a function from parsed arguments to an exit code.

Exit codes: 0 done, 1 the input has errors, 2 wrong usage. Diagnostics go to stderr as
`FILE:LINE:COL: error: TEXT`. Whatever a screen needs is imported only when a screen is opened.
"""

from __future__ import annotations

import argparse
import difflib
import gc
import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer import command_line
from visualizer.expansion import (
    Diagnostic,
    Expansion,
    InputError,
    Options,
    Trace,
    preprocess,
)
from visualizer.expansion.depth import room_to_nest
from visualizer.expansion.source_files import display_path
from visualizer.samples import sample_files

if TYPE_CHECKING:
    from registry_runtime.phi.runtime import Runtime
    from visualizer.export.walkthrough import Look
    from visualizer.workbench import Entry

OK, INPUT_ERROR, USAGE_ERROR, INTERRUPTED = 0, 1, 2, 130


def main(argv: list[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    if argv is None:  # a process of its own, and mostly over before there is much to collect
        gc.set_threshold(200_000, 50, 50)
    _never_fail_on_a_character()
    parser = command_line.parser()
    arguments = parser.parse_args(command_line.with_command(sys.argv[1:] if argv is None else argv))
    try:
        if arguments.command is None:
            return _open_first_sample()
        with room_to_nest():
            code = _COMMANDS[arguments.command](arguments)
        sys.stdout.flush()
        return code
    except InputError as error:
        _report([error.diagnostic])
        return INPUT_ERROR
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:  # input is read with messages of its own, so this is the output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"unfold: error: cannot write: {error.strerror}", file=sys.stderr)
        return INPUT_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED


def _never_fail_on_a_character() -> None:
    """Bars and arrows on a terminal that has none are shown as '?', not as a traceback."""
    if sys.stdout is None:  # `>&-`
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _has_screen() -> bool:
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    return sys.stdin.isatty() and sys.stdout.isatty() and not dumb


def _open_first_sample() -> int:
    first = sample_files()[0]
    if not _has_screen():
        trace = preprocess(first, skip_included_text=True)
        registering = next(e for e in trace.expansions if e.macro == "PD_REGISTER_KERNEL")
        from visualizer.export.walkthrough import Look

        _print_walkthrough(trace, [registering], Look())
        return OK
    return main(["open", str(first)])


def _open(arguments: argparse.Namespace) -> int:
    from visualizer.tui.app import UnfoldApp
    from visualizer.workbench import open_file

    path, line = arguments.file
    if not _has_screen():
        print("unfold: open needs a terminal; unfold steps prints the same steps", file=sys.stderr)
        return USAGE_ERROR
    bench = open_file(path, _options(arguments, path))
    wanted = bench.first_registration() if line is None else bench.expansion_at(line)
    if line is not None and wanted is None:
        _report([_nothing_at(display_path(path), line, bench.trace.expansions)])
        return INPUT_ERROR
    UnfoldApp(bench, wanted or 0).run()
    return OK


def _expand(arguments: argparse.Namespace) -> int:
    from visualizer.export.preprocessed import preprocessed

    trace = preprocess(arguments.file, _options(arguments, arguments.file))
    for piece in preprocessed(trace.output, markers=not arguments.plain):
        sys.stdout.write(piece)
    return _report(trace.diagnostics)


def _steps(arguments: argparse.Namespace) -> int:
    path, line = arguments.file
    if arguments.format == "json" and (arguments.hide or arguments.until):
        print("unfold: error: --hide and --until are for --format text", file=sys.stderr)
        return USAGE_ERROR
    of_directives = arguments.conditionals or arguments.includes
    trace = preprocess(
        path, _options(arguments, path), skip_included_text=True, explain_directives=of_directives
    )
    if of_directives:
        return _print_directives(trace, arguments)
    expansions = trace.expansions
    if line is not None:
        expansions = [e for e in expansions if e.stands_on(line)]
        if not expansions:
            _report([*trace.diagnostics, _nothing_at(trace.file, line, trace.expansions)])
            return INPUT_ERROR
    missing = ""
    if arguments.format == "json":
        from visualizer.export.json_trace import json_found, json_trace

        document = json_trace(trace.file, expansions)
        if arguments.find is not None:
            document["found"] = json_found(expansions, arguments.find)
        # In one go: json.dump() takes ever longer the deeper arguments are nested.
        print(json.dumps(document, ensure_ascii=False))
    else:
        missing = _print_walkthrough(trace, expansions, _look(arguments))
    code = _report(trace.diagnostics)
    if missing:
        print(f"unfold: {missing}", file=sys.stderr)
        return INPUT_ERROR
    return code


def _print_directives(trace: Trace, arguments: argparse.Namespace) -> int:
    from visualizer.export import directives

    if arguments.conditionals:
        print("\n".join(directives.conditionals(trace)))
    if arguments.includes:
        print("\n".join(directives.includes(trace)))
    return _report(trace.diagnostics)


def _look(arguments: argparse.Namespace) -> Look:
    """How `unfold steps` is asked to look at a trace."""
    from visualizer.expansion.breakpoints import at_macro
    from visualizer.expansion.hiding import any_of, by_file, by_name, by_system_header
    from visualizer.export.walkthrough import Look

    policies = []
    for glob in arguments.hide:
        if glob == command_line.SYSTEM_HEADERS:
            policies.append(
                by_system_header(_system_folders(_options(arguments, arguments.file[0])))
            )
        else:
            policies.append(by_file(glob) if "/" in glob or "." in glob else by_name(glob))
    return Look(
        detailed=arguments.depth == "all",
        hidden=any_of(policies) if policies else None,
        until=at_macro(arguments.until) if arguments.until else None,
        find=arguments.find,
    )


def _system_folders(options: Options) -> list[str]:
    from visualizer.expansion.ask_compiler import compiler_for

    return [*options.system_folders, *compiler_for(options.cc, options.std).folders]


def _kernels(arguments: argparse.Namespace) -> int:
    from registry_runtime import kernels
    from registry_runtime.phi.runtime import Runtime
    from visualizer.export.registry import as_json, as_table
    from visualizer.workbench import open_file

    runtime = Runtime(find_kernel=kernels.find)
    entries: list[Entry] = []
    code = OK
    for path in arguments.files or sample_files():
        try:
            bench = open_file(path, _options(arguments, path), runtime)
        except InputError as error:
            code = _report([error.diagnostic])
            continue
        entries += bench.entries
        code = max(code, _report(bench.diagnostics))
    if arguments.load is not None:
        code = max(code, _load(runtime, arguments.load))
    if arguments.select is not None:
        return max(code, _select(runtime, entries, arguments))
    named = [e for e in entries if fnmatchcase(e.registration.kernel_name, arguments.only or "*")]
    if entries and not named:
        close = difflib.get_close_matches(
            arguments.only, {e.registration.kernel_name for e in entries}, 1
        )
        hint = f"; did you mean {close[0]}?" if close else ""
        print(f"unfold: error: no kernel is named '{arguments.only}'{hint}", file=sys.stderr)
        return INPUT_ERROR
    if arguments.format == "json":
        print(json.dumps(as_json(named, runtime), indent=1))
    else:
        print("\n".join(as_table(named, runtime)) or "no kernels registered")
    return code


def _load(runtime: Runtime, device: str) -> int:
    from registry_runtime.phi.enforce import AlreadyExists

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
    print(f"unfold: error: {said}", file=sys.stderr)
    return INPUT_ERROR


def _select(runtime: Runtime, entries: list[Entry], arguments: argparse.Namespace) -> int:
    from visualizer.entry_story import key_named
    from visualizer.export.registry import selection_json, selection_text

    name, *words = arguments.select
    try:
        selection = runtime.explain_selection(name, key_named(runtime, *words))
    except ValueError as error:
        print(f"unfold: error: --select: {error}", file=sys.stderr)
        return USAGE_ERROR
    if arguments.format == "json":
        print(json.dumps(selection_json(name, selection), indent=1))
    else:
        print("\n".join(selection_text(name, selection, entries)))
    if selection.error:
        sys.stdout.flush()
        print(f"unfold: error: {selection.error}", file=sys.stderr)
        return INPUT_ERROR
    return OK


def _run(arguments: argparse.Namespace) -> int:
    from registry_runtime.kernels import KernelError
    from registry_runtime.trial import find_registered, listing, tell_call, try_kernel
    from visualizer.workbench import load

    files = arguments.files or sample_files()
    if arguments.inputs_on and not arguments.explain:
        print("unfold: error: --inputs-on says where --explain's inputs are", file=sys.stderr)
        return USAGE_ERROR
    runtime = load(files, lambda path: _options(arguments, path))
    if arguments.load is not None and (code := _load(runtime, arguments.load)):
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
        print(f"unfold: error: {error}", file=sys.stderr)
        return INPUT_ERROR
    print("\n".join(trial.report()))
    return INPUT_ERROR if arguments.check and not trial.agrees else OK


def _bench(arguments: argparse.Namespace) -> int:
    from visualizer.bench import bench

    return bench(arguments)


def _survey(arguments: argparse.Namespace) -> int:
    from visualizer.survey import SurveyError, report, survey
    from visualizer.survey.progress import progress_bar

    if arguments.format == "parquet" and arguments.output is None:
        print("unfold: error: --format parquet needs -o FILE", file=sys.stderr)
        return USAGE_ERROR
    try:
        if arguments.format == "parquet":
            report.check_parquet()
        given = command_line.options(arguments)
        with progress_bar("surveying") as progress:
            found = survey(
                arguments.folders,
                lambda path: command_line.options_for(arguments, path, given)[0],
                jobs=arguments.jobs,
                scheduler=arguments.scheduler,
                progress=progress,
            )
        report.write(found, arguments.format, arguments.output)
    except (SurveyError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        print(f"unfold: error: {error}", file=sys.stderr)
        return INPUT_ERROR
    for failure in found.failures:
        print(failure, file=sys.stderr)
    return INPUT_ERROR if found.failures else OK


def _options(arguments: argparse.Namespace, path: str | Path) -> Options:
    """A file's options; what `-p` has to say about them goes to stderr."""
    options, note = command_line.options_for(arguments, path)
    _report([note] if note else [])
    return options


def _print_walkthrough(trace: Trace, expansions: Iterable[Expansion], look: Look) -> str:
    """Prints them, and returns what was asked for and is nowhere, or nothing."""
    from visualizer.export.walkthrough import stops_in, walkthrough

    printed = stopped = False
    for expansion in expansions:
        lines = list(walkthrough(trace, expansion, look))
        if lines and printed:
            print()
        for line in lines:
            print(line)
        printed = printed or bool(lines)
        stopped = stops_in(expansion, look)
        if stopped:
            break
    if look.find is not None and not printed:
        return f"no token like '{look.find}' is made or used up"
    return "no step reaches the macro of --until" if look.until and not stopped else ""


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
    "bench": _bench,
    "survey": _survey,
}
