"""An entry of PyTorch's registries, in rows.

A call looks into a table that no registration writes by itself: each slot is computed from all that
was registered for the operator. So what matters of a registration is what it changed there, one row
for each run of keys that lead to the same for the same reason, before → after.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.operator_name import OperatorName
from visualizer.expansion.tokens import standing_at
from visualizer.frameworks.aten.dispatch_table import TableRow, table_rows
from visualizer.frameworks.bodies import another_body
from visualizer.frameworks.tried import mark, why_not
from visualizer.layout.rows import ACCENT, CHANGED, GOOD, QUIET, STRONG, TITLE, labelled
from visualizer.layout.words import Parts, Styles, Word, clipped, fill, prose

if TYPE_CHECKING:
    from registry_runtime.aten.dispatch.operator_entry import OperatorEntry
    from registry_runtime.aten.library.registered import Registration
    from registry_runtime.program import Program
    from visualizer.frameworks.tried import Tried
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry, Shown

_KINDS = {
    "def": "the operator: its name and its schema",
    "impl": "a kernel for a dispatch key",
    "fallthrough": "a fallthrough: calls pass by this key to the next",
    "fallback": "what is called for this key where an operator has no kernel of its own",
    "library": "a library: its block registers operators or kernels",
    "stub": "a slot of a dispatch stub, below the dispatcher",
}

KERNELS = ("impl", "fallback", "stub")  # kinds that a Python function can stand in for


def label(registration: Registration) -> str:
    """What stands for the entry below its operator's name: the key, and of what kind it is."""
    if registration.kind in ("def", "stub", "impl"):
        return registration.key
    return f"{registration.key} {registration.kind}"


def detail(
    shown: Shown, registration: Registration, width: int, tried: Tried | None
) -> list[Parts]:
    """The registration in a few rows: what kind it is, its function, and what it changed."""
    rows: list[Parts] = [
        [(registration.kernel_name, STRONG)],
        [(registration.key, ()), (f"  {registration.kind}", QUIET)],
        *prose(registration.function, width, QUIET),
        [_state(shown, registration, tried), (f"  line {shown.entry.statement_at.line}", QUIET)],
        *why_not(tried, width),
        *another_body(shown.entry, width),
    ]
    changed = [row for row in table_rows(registration) if row.changed]
    if changed:
        keys = sum(len(row.keys) for row in changed)
        rows.append([(f"changes {keys} {'slot' if keys == 1 else 'slots'} of the table", STRONG)])
        for row in changed:
            rows += _table_row(row, width)
    return [clipped(row, width, "…") for row in rows]


def all_about(
    bench: Workbench, entry: Entry, registration: Registration, width: int
) -> list[Parts]:
    """What was registered, by which statement, and the whole computed table after it."""
    rows = list(_facts(bench, entry, registration, width))
    table = table_rows(registration)
    if table:
        rows += [[], [("The operator's table, right after this registration", TITLE)]]
        for row in table:
            rows += _table_row(row, width)
        rows += prose("● is a row that this registration changed.", width, QUIET)
    return rows


def _facts(
    bench: Workbench, entry: Entry, registration: Registration, width: int
) -> Iterator[Parts]:
    entry_of = operator_entry(bench.program, registration)
    yield from labelled(registration.kind, _KINDS[registration.kind], width)
    if entry_of is not None:
        schema = entry_of.schema_.schema if entry_of.schema_ else "none yet: no file defines it"
        yield from labelled("schema", str(schema), width)
    if registration.kind != "def":
        yield from labelled("function", registration.function or "its block", width)
        yield from labelled("key", registration.key, width)
    yield from labelled("line", str(entry.statement_at.line), width)
    yield from labelled("statement", _as_written(bench, entry), width)
    debug = _debug(entry_of, registration) if entry_of is not None else ""
    if debug:
        yield from labelled("debug", debug, width)
    if registration.kind in KERNELS:
        runs = entry.stand_in.told if entry.stand_in else "its body is interpreted"
        empty = registration.function == "nullptr"
        why_not = "no: a null pointer stands for no kernel" if empty else "declared only"
        yield from labelled("runs", runs if registration.runnable else why_not, width)
    if registration.replaced:
        text = "a kernel for this key that stays below it: withdraw this one, and that is back"
        yield from labelled("hides", text, width)


def operator_entry(program: Program, registration: Registration) -> OperatorEntry | None:
    """The dispatcher's entry of the operator that was registered for; None for what serves others."""
    if "::" not in registration.kernel_name:
        return None
    found = program.aten.dispatcher.findOp(OperatorName.parse(registration.kernel_name))
    return found.operatorDef_.op if found is not None else None


def _debug(entry: OperatorEntry, registration: Registration) -> str:
    """What PyTorch keeps to say who registered it: `registered at add.cc:85`."""
    if registration.kind == "def":
        return entry.schema_.debug if entry.schema_ is not None else ""
    kernels = entry.kernels_.get(
        DispatchKey.__members__.get(registration.key, DispatchKey.Undefined), ()
    )
    return next((k.debug for k in kernels if k.kernel.function == registration.function), "")


def _as_written(bench: Workbench, entry: Entry) -> str:
    """The lines of the source from the statement's first token to its last."""
    tokens = [t for t in map(standing_at, entry.statement) if t.file == bench.trace.file]
    if not tokens:
        return bench.source_lines[entry.where.line - 1].strip()
    lines = bench.source_lines[tokens[0].line - 1 : max(t.line for t in tokens)]
    return " ".join(line.strip() for line in lines)


def _state(shown: Shown, registration: Registration, tried: Tried | None) -> tuple[str, Styles]:
    if shown.pending:
        return "… still being produced", QUIET
    if registration.kind not in KERNELS:
        return "✓ registered", GOOD
    if registration.runnable:
        # r runs it together with the files that are linked with this one.
        return mark("✓ runnable: r runs it", "✗ not by this file alone", tried)
    if registration.function == "nullptr":
        return "a null pointer: no kernel", QUIET
    return "declared: no Python kernel", ACCENT


def _table_row(row: TableRow, width: int) -> list[Parts]:
    """`● CPU  before → after  [reason]`, in as many rows as it takes."""
    mark = ("● ", CHANGED) if row.changed else ("  ", ())
    words = [Word(row.spelled_keys, 0, STRONG if row.changed else ())]
    if row.changed and row.before:
        words += _words(row.before, row.reason_before, QUIET)
    if row.changed:
        words.append(Word("→", 1, CHANGED))
    words += _words(row.after, row.reason, ACCENT if row.changed else ())
    return [
        [mark if i == 0 else ("  ", ()), *parts]
        for i, parts in enumerate(fill(words, max(width - 2, 8), 0, hanging=2))
    ]


def _words(kernel: str, reason: str, styles: Styles) -> list[Word]:
    told = [Word(word, 1, styles) for word in kernel.replace("at::", "").split()]
    return told + [Word(word, 1, QUIET) for word in f"[{reason}]".split()]
