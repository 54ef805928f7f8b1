"""Where a name is defined, as it is defined at its place, and where it is used.

A name that `##` makes stands nowhere in the source. It is used where the pieces of it were written: so
the uses of `BitwiseAndKernel` are found in what the macros came to, and followed back.
"""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.editor.standing import Standing
from visualizer.editor.texts import EditedText
from visualizer.editor.why_here import is_changed_in
from visualizer.expansion.definitions import Definition
from visualizer.expansion.tokens import IDENTIFIER, Source, written_at
from visualizer.expansion.trace import every
from visualizer.workbench.bench import Workbench


def definition_of(
    bench: Workbench, at: Standing | None, name: str, text: EditedText
) -> Definition | None:
    """The definition of a macro that holds where its name stands; None where it isn't known without
    reading the headers again, or there is none."""
    step = at.step if at is not None else None
    if step is not None:
        return step.definition
    known = bench.trace.definitions.get(name)
    return None if known is None or is_changed_in(text.text, name) else known


def uses(bench: Workbench, name: str) -> list[Source]:
    """Where a name is written, or the pieces that it is pasted of; of a macro, where it is replaced,
    and its definition. In the order of the text, those of headers last."""
    found = dict.fromkeys(_uses(bench, name))
    own = bench.trace.file
    return sorted(found, key=lambda at: (at.file != own, at))


def _uses(bench: Workbench, name: str) -> Iterator[Source]:
    for token in bench.trace.output:
        if token.text == name and token.kind == IDENTIFIER:
            yield written_at(token)
    for expansion in bench.expansions:
        if name in expansion.macros():
            for step in every(expansion.steps):
                if step.macro == name:
                    yield written_at(step.name)
    definition = bench.trace.definitions.get(name)
    if definition is not None and not definition.where.file.startswith("<"):
        yield definition.where
