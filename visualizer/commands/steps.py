"""`unfold steps`: the trace, as text or data."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_told
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain, report
from visualizer.commands.terminal import tell
from visualizer.expansion import Diagnostic, Expansion, Options, Trace, preprocess
from visualizer.workbench.flag_words import add_flags, flags_in
from visualizer.workbench.opening import file_and_line, nothing_at

if TYPE_CHECKING:
    from visualizer.export.walkthrough import Look
    from visualizer.scene.tour import Tour
    from visualizer.workbench.bench import Workbench


_DOCUMENTS = ("md", "html", "svg")
_EXAMPLES = """\
examples:
  unfold steps kernel.cc:40
  unfold steps kernel.cc --depth all
  unfold steps kernel.cc --paddle
  unfold steps kernel.cc:40 --hide PD_EXPAND --hide 'PD_CONCAT*'
  unfold steps kernel.cc:40 --until __COUNTER__
  unfold steps kernel.cc:40 --find '*Context'
  unfold steps kernel.cc --format json > trace.json
  unfold steps kernel.cc:40 --format md > walk-through.md
  unfold steps kernel.cc:40 --format html > steps.html
  unfold steps kernel.cc --conditionals --includes

--hide GLOB draws the steps of macros with such names together, those that their own text leads to
among them; with a dot or a slash in it, GLOB fits the file in which a macro is defined, and '<>' is
any system header. --until MACRO stops before the rest of the first expansion that comes to that macro.
--find TEXT tells only the steps that make (+) or use up (-) such tokens; a glob too. A line 'hint:'
points at a classic mistake.

The HTML page holds everything that it needs, and steps with the arrow keys. md and html tell one
invocation: the one on LINE, else the first that registers something.

The JSON document holds "std", the language standard, "definitions" and "expansions". An expansion
leads from "before" to "after" by "steps"; each is a splice: at token "at" of the sequence, take
"remove" out, put "insert" in. An argument's "prescan" is a sequence with steps of its own that starts
from its "raw" tokens. A token's "origin" says where it came from; of kind "source", its spelling
stands at that file, line and column.
"registered" lists the registry entries that an expansion makes, "complete" after which moment.
With --find, "found" lists tokens: their place, "expansion" by its index, the moments (as the text
numbers them) at which they were "born" (0: in the source) and "gone" (null: never), and their "fate".
"""


def configure(commands: Commands) -> None:
    command = add(commands, "steps", "print every step of the expansions in a file", _EXAMPLES)
    command.add_argument("file", metavar="FILE[:LINE]", type=file_and_line)
    command.add_argument(
        "--format",
        choices=("text", "json", "md", "html", "svg"),
        default="text",
        help="md, html: a document to share; svg: one step of it as a picture",
    )
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
        help="of the text: a line for each call, or also definitions, arguments and operations; of md "
        "and html: only what makes declarations, or every step (default: calls; all for "
        "html, and for md of what makes none)",
    )
    command.add_argument(
        "--step", metavar="N", type=int, help="of svg: which one (default: the last)"
    )
    command.add_argument(
        "--hide",
        metavar="GLOB",
        action="append",
        default=[],
        help="draw these macros' steps together: a name, a file, '<>' or '<others>'; may be repeated",
    )
    command.add_argument("--until", metavar="MACRO", help="stop at this macro (a glob)")
    command.add_argument(
        "--find", metavar="TEXT", help="only the steps that make or use up this token (a glob)"
    )
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    path, line = arguments.file
    if arguments.format == "json" and (arguments.hide or arguments.until):
        return complain("--hide and --until are for --format text", USAGE_ERROR)
    if arguments.step is not None and arguments.format != "svg":
        return complain("--step is for --format svg", USAGE_ERROR)
    if arguments.format in _DOCUMENTS:
        return _print_document(arguments)
    if arguments.conditionals or arguments.includes:
        return _print_directives(arguments)
    from visualizer.workbench.bench import open_file

    bench = open_file(path, options_told(flags_in(arguments), path))
    trace = bench.trace
    expansions = trace.expansions
    if line is not None:
        expansions = [e for e in expansions if e.stands_on(line)]
        if not expansions:
            report([*bench.diagnostics, nothing_at(trace.file, line, trace.expansions)])
            return INPUT_ERROR
    missing = ""
    if arguments.format == "json":
        from visualizer.export.json_trace import json_found, json_trace

        document = json_trace(bench, expansions)
        if arguments.find is not None:
            document["found"] = json_found(expansions, arguments.find)
        # In one go: json.dump() takes ever longer the deeper arguments are nested.
        print(json.dumps(document, ensure_ascii=False))
    else:
        missing = print_walkthrough(trace, expansions, _look(arguments, bench.options), bench)
    code = report(_diagnostics(bench))
    if not expansions and code == OK:
        report([replace(nothing_at(trace.file, None, ()), severity="warning")])
    if missing:
        return complain(missing)
    return code


def _diagnostics(bench: Workbench) -> Sequence[Diagnostic]:
    """What is wrong with the macros; with the registrations too, if the file makes any."""
    return bench.diagnostics if bench.registers else bench.trace.diagnostics


def _print_directives(arguments: argparse.Namespace) -> int:
    from visualizer.export import directives

    path, _ = arguments.file
    options = options_told(flags_in(arguments), path)
    trace = preprocess(path, options, skip_included_text=True, explain_directives=True)
    if arguments.conditionals:
        print("\n".join(directives.conditionals(trace)))
    if arguments.includes:
        print("\n".join(directives.includes(trace)))
    return report(trace.diagnostics)


def _look(arguments: argparse.Namespace, options: Options) -> Look:
    """How the text is asked to look at a trace."""
    from visualizer.expansion.ask_compiler import system_folders
    from visualizer.expansion.breakpoints import at_macro
    from visualizer.expansion.hiding import policy_of
    from visualizer.export.walkthrough import Look

    return Look(
        detailed=arguments.depth == "all",
        hidden=policy_of(arguments.hide, lambda: system_folders(options), arguments.file[0]),
        until=at_macro(arguments.until) if arguments.until else None,
        find=arguments.find,
    )


def _print_document(arguments: argparse.Namespace) -> int:
    """One invocation as a document, with the registry that it fills."""
    from visualizer.expansion.views import Look, makes_declarations
    from visualizer.scene.tour import tour
    from visualizer.workbench.bench import open_file

    if arguments.until or arguments.find:
        return complain("--until and --find are for --format text", USAGE_ERROR)
    path, line = arguments.file
    bench = open_file(path, options_told(flags_in(arguments), path))
    expansions = bench.trace.expansions
    index = bench.first_registration() if line is None else bench.expansion_at(line)
    if index is None and line is None and expansions:
        index = 0
    if index is None:
        report([*bench.diagnostics, nothing_at(bench.trace.file, line, expansions)])
        return INPUT_ERROR
    folds = arguments.format == "md" and makes_declarations(bench.timeline(index))
    depth = arguments.depth or ("calls" if folds else "all")
    seen = bench.view(index, Look(depth == "calls", tuple(arguments.hide)))
    told = tour(bench.trace, expansions[index], bench, seen)
    last = len(seen.timeline)
    state = last if arguments.step is None else arguments.step
    if not 0 <= state <= last:
        return complain(f"--step {state}: the steps go from 0 to {last}", USAGE_ERROR)
    for piece in _document(arguments.format, told, state):
        sys.stdout.write(piece)
    return report(_diagnostics(bench))


def _document(format: str, told: Tour, state: int) -> Iterable[str]:
    if format == "md":
        from visualizer.export.markdown import markdown

        return markdown(told)
    if format == "html":
        from visualizer.export.html import html

        return html(told)
    from visualizer.export.svg import svg

    return svg(told, state)


def print_walkthrough(
    trace: Trace, expansions: Iterable[Expansion], look: Look, bench: Workbench | None = None
) -> str:
    """Prints them, and returns what was asked for and is nowhere, or nothing. `bench`, which has this
    trace, adds what was registered."""
    from visualizer.export.walkthrough import stops_in, walkthrough
    from visualizer.scene.tour import made_by

    printed = stopped = False
    for expansion in expansions:
        index = next(i for i, e in enumerate(trace.expansions) if e is expansion)
        made = list(made_by(bench, index)) if bench is not None else []
        lines = list(walkthrough(trace, expansion, look, made))
        if lines and printed:
            print()
        tell(lines)
        printed = printed or bool(lines)
        stopped = stops_in(expansion, look)
        if stopped:
            break
    if look.find is not None and not printed:
        return f"no token like '{look.find}' is made or used up"
    return "no step reaches the macro of --until" if look.until and not stopped else ""
