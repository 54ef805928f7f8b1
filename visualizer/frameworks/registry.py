"""The registries of a program as tables to read and as one JSON object.

Each framework has columns of its own, so each has a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from registry_runtime.program import Program
from visualizer.expansion.diagnostics import spelled_place
from visualizer.frameworks.presenter import Table, presenter_of
from visualizer.frameworks.tried import runs
from visualizer.layout.tables import Cells, table
from visualizer.workbench.entries import Entry, replacements
from visualizer.workbench.refusals import refused_at
from visualizer.workbench.stand_ins import told_of

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


def as_json(
    entries: Sequence[Entry],
    program: Program,
    only: Iterable[Entry] | None = None,
    benches: Sequence[Workbench] = (),
) -> dict[str, list[dict[str, Any]]]:
    """`{NAME: [{"key": …, "file": …, "line": …, "runnable": …, …}]}`, in the order of registration.

    Of PHI's entries, "inputs", "outputs" and "attributes" are what the braces left, "before" what
    they found, and "arguments" says of each C++ parameter what it became. Of PyTorch's, "kind" says
    what was registered, "statement" where in the block, and "table" what that made of the operator's
    computed table. Of Fluid's, an operator has its names and its gradient's call, a kernel the members
    of its key. "stands_in_for" is how the text's body relates to Python's, null where none of Python's
    runs in its place. "refused_at" is, by data type, where a body in the text of these `benches`
    refuses a call. `only` are those of the `entries` that are wanted.
    """
    replaced = replacements(entries)
    kernels: dict[str, list[dict[str, Any]]] = {}
    for entry in entries if only is None else only:
        registration = entry.registration
        presenter = presenter_of(registration)
        tried = presenter.dry_run(registration, program)
        record = presenter.record(entry, registration, replaced.get(entry), program, tried)
        if "refused" in record:
            record["refused_at"] = {
                dtype: {"file": at.file, "line": at.line, "column": at.column}
                for dtype, why in tried.items()
                if (at := refused_at(why, benches))
            }
        record["stands_in_for"] = entry.stand_in.body if entry.stand_in else None
        kernels.setdefault(registration.kernel_name, []).append(record)
    return kernels


def as_table(
    entries: Sequence[Entry],
    program: Program,
    only: Iterable[Entry] | None = None,
    width: int = 0,
    benches: Sequence[Workbench] = (),
) -> Iterator[str]:
    """Each key under its kernel's name: Fluid's operators and kernels, PHI's kernels, what joins
    operators of Fluid's to them, and PyTorch's operators. Below them, which bodies don't run, and
    where one in the text of these `benches` refuses a call. A row is a line unless a terminal has a
    `width` that it doesn't fit."""
    replaced = replacements(entries)
    tables: dict[Table, list[Cells]] = {}
    asked = entries if only is None else tuple(only)
    refusals: dict[str, None] = {}
    for entry in asked:
        registration, instead_of = entry.registration, replaced.get(entry)
        presenter = presenter_of(registration)
        tried = presenter.dry_run(registration, program)
        of, cells = presenter.row(entry, registration, instead_of, program, tried)
        for why in dict.fromkeys(() if runs(tried) else tried.values()):
            if at := refused_at(why, benches):
                name = registration.kernel_name
                refusals[f"{spelled_place(at)}: note: a call of {name}: {why}"] = None
        tables.setdefault(of, []).append(cells)
    for index, of in enumerate(sorted(tables)):
        if index:
            yield ""
        yield from table(of.columns, tables[of], width)
    for told in told_of(e for e in asked if e.stand_in is not None and e.stand_in.is_another):
        yield f"note: {told}"
    yield from refusals
