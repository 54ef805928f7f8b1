"""`unfold why`: what a name is where it stands, and how it came to be that."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from registry_runtime.near import did_you_mean
from visualizer.commands.parser import Commands, add
from visualizer.commands.preprocessor_flags import options_told
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain, report
from visualizer.commands.terminal import tell
from visualizer.expansion import Diagnostic, Options
from visualizer.expansion.diagnostics import spelled_place
from visualizer.expansion.passes import told
from visualizer.expansion.tokens import Source
from visualizer.workbench.flag_words import add_flags, add_from, flags_in
from visualizer.workbench.opening import file_and_place

if TYPE_CHECKING:
    from visualizer.expansion.why.answers import Answers

_EXAMPLES = """\
examples:
  unfold why kernel.cc:40           each name on line 40
  unfold why kernel.cc:40:12        the name in column 12
  unfold why kernel.cc:40 PD_NARGS  what PD_NARGS is on line 40, and its history
  unfold why kernel.cc PD_NARGS     all that was done to it, newest first
  unfold why server.c:12 -p build --format json
  unfold why list.def:1 --from x.c  the line in each pass of list.def, which x.c includes

A name expands, or it does not, and then there is a reason: nothing defines it, or only a later line
does; it was undefined; its definition or the line itself is skipped by an #if; no ( follows; it stands
in a string or a comment; it is an operand of # or ##; it was painted. A history lists every #define,
#undef, push_macro and pop_macro and flag, in headers too, those that were skipped among them, and the
conditions that decided; → marks the definition that won.

The JSON document holds "names", an object for each name on the line: "kind" is what it is, "text" says
so, "because" what made it so, "note" that an invocation above, which nobody closed, takes the line for
an argument, or null; and "history", the events of each name that was asked for, newest first.
"""
_NAME = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")


def configure(commands: Commands) -> None:
    command = add(commands, "why", "tell why a name is replaced, or why it is not", _EXAMPLES)
    command.add_argument("file", metavar="FILE[:LINE[:COLUMN]]", type=file_and_place)
    command.add_argument("name", metavar="NAME", nargs="?", help="of a macro")
    command.add_argument("--format", choices=("text", "json"), default="text")
    add_from(command)
    add_flags(command)


def run(arguments: argparse.Namespace) -> int:
    from visualizer.expansion.why.answers import Answers, why
    from visualizer.expansion.why.history import record

    (path, line, column), name = arguments.file, arguments.name
    if line is None and name is None:
        return complain(f"name a line, {path}:LINE, or a macro, {path} NAME", USAGE_ERROR)
    if name is not None and not _NAME.fullmatch(name):
        return complain(f"{name!r} is no name", USAGE_ERROR)
    options = options_told(flags_in(arguments), path)

    def ask(options: Options) -> Answers:
        if line is None:
            return Answers((), record(path, options, {name}))
        return why(path, line, options, column, name)

    each = [ask(options)]
    if line is not None and options.main and not options.nth:
        passes = each[0].record.trace.passes
        each += [ask(replace(options, nth=n)) for n, _ in enumerate(passes[1:], 2)]
    missing = _missing(each[0], line, column, name)
    if missing is not None:
        report([missing])
        return INPUT_ERROR
    if arguments.format == "json":
        from visualizer.export.json_why import json_why

        print(json.dumps(json_why(each, line, name), ensure_ascii=False))
        return OK
    for n, found in enumerate(each):
        tell([""] * bool(n))
        tell(_told(found, line, name))
    return OK


def _missing(
    found: Answers, line: int | None, column: int | None, name: str | None
) -> Diagnostic | None:
    """The error where there is nothing to tell of."""
    known = found.record
    file = known.trace.file
    where = Source(file, line or 1, column or 1)
    if name is None:
        if found.each:
            return None
        what = "on this line" if column is None else "in this column"
        hint = "" if column is None else f"unfold why {file}:{line} tells of each name on the line"
        return Diagnostic("error", f"no name stands {what}", where, hint)
    if found.each or known.of(name) or name in known.built_in:
        return None
    said = f"nothing defines {name}, here or in what is included"
    return Diagnostic("error", said, where, did_you_mean(name, known.trace.definitions, least=0.6))


def _told(found: Answers, line: int | None, name: str | None) -> Iterator[str]:
    from visualizer.expansion.why.answers import note_on
    from visualizer.expansion.why.wording import history, sentences

    trace = found.record.trace
    if line is not None and trace.through:
        yield f"{trace.file}:{line}, {told(trace)}"
    yield from sentences(found.each)
    notes = dict.fromkeys(note_on(found.record, answer) for answer in found.each)
    yield from (f"{trace.file}:{line}: {note}" for note in notes if note)
    for text in (one for one in trace.includes if one.through[-1].line == line):
        unit = f" --from {trace.through[0].file} --pass {trace.nth}" if trace.through else ""
        steps = f"unfold steps {trace.file}:{line}{unit}"
        where = spelled_place(text.through[-1])
        yield f"{where}: {text.file} is read here: {steps} tells what it invokes"
    if name is not None:
        yield from [""] * bool(found.each)
        yield from (text for text, _ in history(found.record, name, line))
