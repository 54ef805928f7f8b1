"""`unfold steps`: the trace, as text or data."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_told
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain, report
from visualizer.commands.terminal import tell
from visualizer.expansion import Diagnostic, Expansion, Options, Trace, preprocess
from visualizer.expansion.ask_compiler import system_folders
from visualizer.expansion.wording import counted
from visualizer.workbench.flag_words import add_flags, add_from, flags_in
from visualizer.workbench.opening import benches, file_and_line, nothing_at, why_nothing
from visualizer.workbench.wheels import advised

if TYPE_CHECKING:
    from visualizer.export.cut import Cut
    from visualizer.export.walkthrough import Telling
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
  unfold steps kernel.cc:40 --format json --steps 100-200 --max-depth 1
  unfold steps kernel.cc:40 --format md > walk-through.md
  unfold steps kernel.cc:40 --format html > steps.html
  unfold steps kernel.cc:12   # the #if, #elif, #include, #embed or #line on this line
  unfold steps kernel.cc --conditionals --includes
  unfold steps x.c:3                        the steps of "list.def", which line 3 includes
  unfold steps list.def:1 --from x.c        that line in each pass of list.def

Of FILE:LINE the invocations on that line are expanded, and of the others what is felt there; what is
wrong on the line is told, and what is known to be wrong elsewhere counted.

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
A directive's "macro" is "#if" or its like, and its "before" the line from # on. In a condition, steps
of kind "answered" are of defined and __has_include, "unknown" of names that count as 0, "computed" of
operators.
"note" says that an invocation above, which nobody closed, takes this one for an argument, or is null;
"included" lists the #includes that lead to an expansion's file, the main file's first.
With --steps and --max-depth, "before" is the line before the first of the steps and "after" the line
behind the last; all the steps of an argument that are left out are one, of kind "folded".
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
        help="instead: which branches were taken, in headers too, and the value of each subexpression",
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
    command.add_argument(
        "--steps",
        metavar="FROM-TO",
        type=_range,
        help="of text and json: only these, by the numbers of the text; FROM- goes to the end",
    )
    command.add_argument(
        "--max-depth",
        metavar="N",
        type=_depth,
        help="of text and json: leave out the steps of arguments inside more than N arguments",
    )
    add_from(command)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    path, line = arguments.file
    if arguments.format == "json" and (arguments.hide or arguments.until):
        return complain("--hide and --until are for --format text", USAGE_ERROR)
    cut = arguments.steps is not None or arguments.max_depth is not None
    if cut and (arguments.format in _DOCUMENTS or arguments.conditionals or arguments.includes):
        return complain("--steps and --max-depth are for --format text and json", USAGE_ERROR)
    if arguments.step is not None and arguments.format != "svg":
        return complain("--step is for --format svg", USAGE_ERROR)
    if arguments.format in _DOCUMENTS:
        return _print_document(arguments)
    if arguments.conditionals or arguments.includes:
        return _print_directives(arguments)
    told = benches(path, line, options_told(flags_in(arguments), path))
    each = [(bench, _on(bench, at, line)) for bench, at in told]
    first, asked = told[0]
    expansions = [e for _, found in each for e in found]
    if not expansions and asked is not None:
        return _nothing_at(first, asked)
    missing = ""
    if arguments.format == "json":
        from visualizer.export.json_trace import write_json_trace

        write_json_trace(sys.stdout.write, each, arguments.find, _cut(arguments))
        print()
    else:
        lines = ((bench.trace, expansion, bench) for bench, found in each for expansion in found)
        missing = print_walkthrough(lines, _telling(arguments, first.options))
    code = _report([(bench, at, found) for (bench, at), (_, found) in zip(told, each, strict=True)])
    if not expansions and code == OK:
        report([replace(nothing_at(first, None), severity="warning")])
    if missing:
        return complain(missing)
    return code


def _on(bench: Workbench, line: int | None, asked: int | None) -> list[Expansion]:
    """What to tell of a text: what stands on its line; all of one that the line asked for includes, its
    directives too; of a file, its invocations."""
    if line is not None:
        return [e for e in bench.expansions if e.stands_on(line)]
    if asked is not None:
        return sorted(bench.expansions, key=lambda e: (e.where.line, e.where.column))
    return bench.trace.expansions


def _nothing_at(bench: Workbench, line: int | None) -> int:
    if any(d.severity == "error" for d in _split(bench, line, ())[0]):
        return _report([(bench, line, ())])  # why there is nothing
    report([nothing_at(bench, line, why_nothing(line, bench) if line is not None else "")])
    _report([(bench, line, ())])
    return INPUT_ERROR


def _report(each: Sequence[tuple[Workbench, int | None, Sequence[Expansion]]]) -> int:
    """What is wrong on the lines that are asked about, where their expansions stand, and how much is
    wrong elsewhere in their unit; returns the exit code."""
    parts = [_split(*one) for one in each]
    here = list(dict.fromkeys(d for found, _ in parts for d in found))
    elsewhere = {d for _, others in parts for d in others}.difference(here)
    code = report(here)
    counts = Counter(d.severity for d in elsewhere)
    if counts:
        bench, _, _ = each[0]
        told = " and ".join(counted(counts[s], s) for s in ("error", "warning") if counts[s])
        told = f"at least {told}" if bench.trace.passed_over else told
        file, at = bench.trace.file, min(d.where for d in elsewhere)
        unit = f" --from {bench.main}" if bench.options.main else ""
        first = (
            f"at {at.file}:{at.line}"
            if len(elsewhere) == 1
            else f"the first at {at.file}:{at.line}"
        )
        print(
            f"{file}: note: {told} elsewhere, {first}; see unfold steps {file}{unit}",
            file=sys.stderr,
        )
    return INPUT_ERROR if counts["error"] else code


def _split(
    bench: Workbench, line: int | None, expansions: Sequence[Expansion]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What is wrong on a line, in its expansions too, and what elsewhere. It is with the macros; with
    the registrations too, if the file makes any."""
    every = bench.diagnostics if bench.registers else advised(bench.trace.diagnostics)
    parts: tuple[list[Diagnostic], list[Diagnostic]] = ([], [])
    for diagnostic in every:
        lines = [at.line for at in diagnostic.places() if at.file == bench.trace.file]
        is_here = line is None or line in lines
        is_here = is_here or any(e.stands_on(at) for e in expansions for at in lines)
        parts[0 if is_here else 1].append(diagnostic)
    return parts


def _print_directives(arguments: argparse.Namespace) -> int:
    from visualizer.export import directives

    path, _ = arguments.file
    options = options_told(flags_in(arguments), path)
    trace = preprocess(path, options, skip_included_text=True, explain_directives=True)
    if arguments.conditionals:
        print("\n".join(directives.conditionals(trace)))
    if arguments.includes:
        print("\n".join(directives.includes(trace)))
    return report(advised(trace.diagnostics))


def _telling(arguments: argparse.Namespace, options: Options) -> Telling:
    """How the text is asked to look at a trace."""
    from visualizer.expansion.breakpoints import at_macro
    from visualizer.expansion.hiding import policy_of
    from visualizer.export.walkthrough import Telling

    return Telling(
        detailed=arguments.depth == "all",
        hidden=policy_of(arguments.hide, lambda: system_folders(options), arguments.file[0]),
        until=at_macro(arguments.until) if arguments.until else None,
        find=arguments.find,
        cut=_cut(arguments),
    )


def _cut(arguments: argparse.Namespace) -> Cut:
    from visualizer.export.cut import Cut

    first, last = arguments.steps or (1, None)
    return Cut(first, last, arguments.max_depth)


def _range(text: str) -> tuple[int, int | None]:
    """`12-40`, `12-` or `12`."""
    m = re.fullmatch(r"([0-9]+)(-)?([0-9]+)?", text)
    if m is None or (m[3] and not m[2]):
        raise argparse.ArgumentTypeError(f"'{text}' is no range of steps, as 12-40, 12- or 12")
    first = int(m[1])
    return first, int(m[3]) if m[3] else None if m[2] else first


def _depth(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number, as 0 or 2")
    return int(text)


def _print_document(arguments: argparse.Namespace) -> int:
    """One invocation as a document, with the registry that it fills."""
    from visualizer.expansion.views import Look, makes_declarations
    from visualizer.scene.tour import tour

    if arguments.until or arguments.find:
        return complain("--until and --find are for --format text", USAGE_ERROR)
    path, line = arguments.file
    each = benches(path, line, options_told(flags_in(arguments), path))
    there = ((one, at) for one, at in each if at is not None and one.expansion_at(at) is not None)
    bench, line = next(there, each[0])
    expansions = bench.expansions
    index = bench.first_registration() if line is None else bench.expansion_at(line)
    if index is None and line is None and bench.trace.expansions:
        index = 0
    if index is None:
        return _nothing_at(bench, line)
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
    return _report([(bench, line, [expansions[index]])])


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
    each: Iterable[tuple[Trace, Expansion, Workbench | None]], telling: Telling
) -> str:
    """Prints expansions of traces, and returns what was asked for and is nowhere, or nothing. The bench
    that has the trace adds what was registered."""
    from visualizer.export.walkthrough import stops_in, walkthrough
    from visualizer.scene.tour import made_by

    printed = stopped = False
    for trace, expansion, bench in each:
        made = list(made_by(bench, bench.index_of(expansion))) if bench is not None else []
        lines = list(walkthrough(trace, expansion, telling, made))
        if lines and printed:
            print()
        tell(lines)
        printed = printed or bool(lines)
        stopped = stops_in(expansion, telling)
        if stopped:
            break
    if telling.find is not None and not printed:
        return f"no token like '{telling.find}' is made or used up"
    return "no step reaches the macro of --until" if telling.until and not stopped else ""
