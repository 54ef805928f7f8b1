"""A trace as JSON, for other programs. `unfold steps --help` describes the format.

Tokens repeat their origin as file, line and column, so that a reader needs no other part of the
document. `kind` "source" says that the token's own spelling stands there, in the file or in the
`#define` that it was copied from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from visualizer.expansion.definitions import Definition
from visualizer.expansion.moments import Timeline
from visualizer.expansion.search import find
from visualizer.expansion.sentences import sentence
from visualizer.expansion.tokens import (
    Computed,
    Passed,
    Pasted,
    Source,
    Stringized,
    Token,
    first_made,
    spell,
    spelled_at,
)
from visualizer.expansion.trace import Argument, Expansion, Operation, Step, Trace
from visualizer.scene.tour import made_by

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench

Json = dict[str, Any]


def json_trace(each: Sequence[tuple[Workbench, Iterable[Expansion]]]) -> Json:
    """The document that `unfold steps --format json` prints of these of the file's expansions, in one
    pass of the file or in several."""
    writer = _Writer()
    traced = [
        writer.expansion(e) | _included(bench.trace) | _registered(e, bench)
        for bench, expansions in each
        for e in expansions
    ]
    bench, _ = each[0]
    return {
        "version": 1,
        "file": bench.trace.file,
        "std": bench.options.std,
        "definitions": [_definition(d) for d in writer.definitions],
        "expansions": traced,
    }


def _included(trace: Trace) -> Json:
    return {"included": [at._asdict() for at in trace.through]}


def _registered(expansion: Expansion, bench: Workbench) -> Json:
    index = bench.index_of(expansion)
    return {"registered": [asdict(made) for made in made_by(bench, index)]}


def json_found(expansions: Iterable[Expansion], glob: str) -> list[Json]:
    """What `--find` adds to the document: tokens of such a spelling, from birth to end."""
    return [
        {
            **_tokens([found.token])[0],
            "expansion": index,
            "born": found.born,
            "gone": None if found.gone is None else found.gone + 1,
            "fate": found.fate,
        }
        for index, expansion in enumerate(expansions)
        for found in find(Timeline(expansion), glob)
    ]


class _Writer:
    """Numbers the definitions in the order in which steps first use them."""

    def __init__(self) -> None:
        self.definitions: list[Definition] = []
        self.numbers: dict[int, int] = {}

    def expansion(self, expansion: Expansion) -> Json:
        where = expansion.where
        return {
            "file": where.file,
            "line": where.line,
            "column": where.column,
            "macro": expansion.macro,
            "before": _tokens(expansion.before),
            "steps": [self.step(s) for s in expansion.steps],
            "after": _tokens(expansion.after),
        }

    def step(self, step: Step) -> Json:
        return {
            "kind": step.kind,
            "macro": step.macro,
            "definition": self.number(step.definition),
            "at": step.at,
            "remove": step.remove,
            "insert": _tokens(step.insert),
            "arguments": [self.argument(a) for a in step.arguments],
            "operations": [_operation(o) for o in step.operations],
            "text": sentence(step),
        }

    def argument(self, argument: Argument) -> Json:
        prescan = argument.prescan and {
            "steps": [self.step(s) for s in argument.prescan.steps],
            "after": _tokens(argument.prescan.after),
        }
        return {
            "parameter": argument.parameter,
            "raw": _tokens(argument.raw),
            "prescan": prescan,
        }

    def number(self, definition: Definition | None) -> int | None:
        if definition is None:
            return None
        if id(definition) not in self.numbers:
            self.numbers[id(definition)] = len(self.definitions)
            self.definitions.append(definition)
        return self.numbers[id(definition)]


def _definition(definition: Definition) -> Json:
    parameters = definition.parameters
    return {
        "name": definition.name,
        "parameters": None if parameters is None else list(parameters),
        "variadic": definition.variadic,
        "replacement": _tokens(definition.replacement),
        "file": definition.where.file,
        "line": definition.where.line,
    }


def _operation(operation: Operation) -> Json:
    return {
        "kind": operation.kind,
        "index": operation.index,
        "parameter": operation.parameter,
        "operands": list(operation.operands),
        "result": spell(operation.result),
    }


def _tokens(tokens: Iterable[Token]) -> list[Json]:
    return [{"text": t.text, "space": t.space, "origin": _origin(t)} for t in tokens]


def _origin(token: Token) -> Json:
    file, line, column = spelled_at(token)
    at: Json = {"kind": "source", "file": file, "line": line, "column": column}
    origin = token.origin
    if not isinstance(origin, Source):
        at["macro"] = origin.by.text
    if isinstance(origin, Passed):
        at["parameter"] = origin.definition.replacement[origin.place].text
    origin = first_made(token).origin
    match origin:
        case Pasted():
            at |= {"kind": "paste", "parents": [_origin(origin.left), _origin(origin.right)]}
        case Stringized():
            at |= {"kind": "stringize", "tokens": [t.text for t in origin.tokens]}
        case Computed():
            at["kind"] = "builtin"
        case _:
            pass
    if file.startswith("<"):
        at["kind"] = "predefined" if at["kind"] == "source" else at["kind"]
    return at
