"""A trace as JSON, for other programs. `unfold steps --help` describes the format.

Tokens repeat their origin as file, line and column, so that a reader needs no other part of the
document. `kind` "source" says that the token's own spelling stands there, in the file or in the
`#define` that it was copied from.

A trace of a heavy macro is hundreds of megabytes of JSON. So it is written piece by piece, as soon as a
step is told; a whole one is never held. What is too large to read may be cut (`cut`), and still leads
from "before" to "after".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from visualizer.expansion.definitions import Definition
from visualizer.expansion.depth import room_to_nest
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
from visualizer.expansion.trace import Argument, Expansion, Operation, Prescan, Step, Trace
from visualizer.expansion.wording import counted
from visualizer.export.cut import WHOLE, Cut
from visualizer.export.walkthrough import note_on
from visualizer.scene.tour import made_by

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench

Json = dict[str, Any]
_AT_ONCE = 1 << 16  # characters that are handed on together, at least
_REMEMBERED = (
    1 << 14
)  # tokens whose JSON is kept: one stands in several places, close to each other


def write_json_trace(
    write: Callable[[str], object],
    each: Sequence[tuple[Workbench, Sequence[Expansion]]],
    glob: str | None = None,
    cut: Cut = WHOLE,
) -> None:
    """Writes the document that `unfold steps --format json` prints of these of the file's expansions,
    in one pass of the file or in several; with the tokens that `glob` fits, if there is one."""
    parts = [(bench, e) for bench, expansions in each for e in expansions]
    numbers = _numbers((cut.steps(e)[1] for e in _told_apart(parts)), cut.depth)
    bench, _ = each[0]
    pieces = _Pieces(write)
    write = pieces.write
    write(
        f'{{"version":1,"file":{_quoted(bench.trace.file)},"std":{_quoted(bench.options.std)},'
        f'"definitions":{_dumps([_definition(d) for d in numbers])},"expansions":['
    )
    writer = _Writer(write, {id(d): n for n, d in enumerate(numbers)}, cut.depth)
    with room_to_nest():
        for n, (bench, expansion) in enumerate(parts):
            write("," if n else "")
            recorded = expansion.recorded()  # once for all that is told of it
            writer.expansion(expansion, *cut.steps(recorded))
            about = {"note": note_on(bench.trace, expansion) or None}
            about |= _included(bench.trace) | _registered(expansion, bench)
            write(f",{_dumps(about)[1:-1]}}}")
    write("]")
    if glob is not None:
        expansions = [e for _, some in each for e in some]
        write(f',"found":{_dumps(_found(expansions, glob))}')
    write("}")
    pieces.end()


class _Pieces:
    """Small pieces handed on as large ones."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._waiting: list[str] = []
        self._length = 0

    def write(self, piece: str) -> None:
        self._waiting.append(piece)
        self._length += len(piece)
        if self._length > _AT_ONCE:
            self.end()

    def end(self) -> None:
        """There is no more for now."""
        self._write("".join(self._waiting))
        self._waiting, self._length = [], 0


def _told_apart(parts: Iterable[tuple[Workbench, Expansion]]) -> Iterator[Expansion]:
    """One of those that take the same steps, by the same macros."""
    known: set[int] = set()
    for _, expansion in parts:
        alike = getattr(expansion.steps, "alike", None)
        if alike is None or id(alike) not in known:
            known.add(id(alike))
            yield expansion


def _numbers(parts: Iterable[Sequence[Step]], depth: int | None) -> list[Definition]:
    """The definitions in the order in which steps first use them."""
    known: dict[int, Definition] = {}
    for steps in parts:
        waiting = [(step, 0) for step in reversed(steps)]
        while waiting:
            step, inside = waiting.pop()
            if step.definition is not None:
                known.setdefault(id(step.definition), step.definition)
            if depth is not None and inside >= depth:
                continue
            for argument in reversed(step.arguments):
                if argument.prescan is not None:
                    waiting += ((s, inside + 1) for s in reversed(argument.prescan.steps))
    return list(known.values())


def _included(trace: Trace) -> Json:
    return {"included": [at._asdict() for at in trace.through]}


def _registered(expansion: Expansion, bench: Workbench) -> Json:
    index = bench.index_of(expansion)
    return {"registered": [asdict(made) for made in made_by(bench, index)]}


def _found(expansions: Iterable[Expansion], glob: str) -> list[Json]:
    """Tokens of such a spelling, from birth to end."""
    return [
        {
            "text": found.token.text,
            "space": bool(found.token.space),
            "origin": _origin(found.token),
            "expansion": index,
            "born": found.born,
            "gone": None if found.gone is None else found.gone + 1,
            "fate": found.fate,
        }
        for index, expansion in enumerate(expansions)
        for found in find(Timeline(expansion), glob)
    ]


class _Writer:
    """Writes expansions; the definitions have their numbers, by their identity."""

    def __init__(
        self, write: Callable[[str], object], numbers: dict[int, int], depth: int | None
    ) -> None:
        self._write = write
        self._numbers = numbers
        self._depth = depth
        self._written: dict[int, str] = {}  # of tokens, by their identity

    def expansion(
        self,
        expansion: Expansion,
        before: Sequence[Token],
        steps: Sequence[Step],
        after: Sequence[Token],
    ) -> None:
        where = expansion.where
        self._write(
            f'{{"file":{_quoted(where.file)},"line":{where.line},"column":{where.column},'
            f'"macro":{_quoted(expansion.macro)},"before":{self._tokens(before)},"steps":'
        )
        self._steps(steps, 0)
        self._write(f',"after":{self._tokens(after)}')

    def _steps(self, steps: Sequence[Step], depth: int) -> None:
        self._write("[")
        for n, step in enumerate(steps):
            self._step(step, depth, "," if n else "")
        self._write("]")

    def _step(self, step: Step, depth: int, separator: str) -> None:
        definition = step.definition
        number = "null" if definition is None else self._numbers[id(definition)]
        self._write(
            f'{separator}{{"kind":"{step.kind}","macro":{_quoted(step.macro)},'
            f'"definition":{number},"at":{step.at},"remove":{step.remove},'
            f'"insert":{self._tokens(step.insert)},"arguments":['
        )
        for n, argument in enumerate(step.arguments):
            self._argument(argument, depth, "," if n else "")
        operations = [_operation(o) for o in step.operations]
        told = _quoted(sentence(step))
        self._write(f'],"operations":{_dumps(operations)},"text":{told}}}')

    def _argument(self, argument: Argument, depth: int, separator: str) -> None:
        raw, prescan = self._tokens(argument.raw), argument.prescan
        self._write(
            f'{separator}{{"parameter":{_quoted(argument.parameter)},"raw":{raw},"prescan":'
        )
        if prescan is None:
            self._write("null}")
            return
        after = raw if prescan.after is argument.raw else self._tokens(prescan.after)
        self._write('{"steps":')
        if prescan.steps and self._depth is not None and depth >= self._depth:
            self._write(f"[{_folded(argument, prescan, after)}]")
        else:
            self._steps(prescan.steps, depth + 1)
        self._write(f',"after":{after}}}}}')

    def _tokens(self, tokens: Iterable[Token]) -> str:
        written = self._written
        if len(written) > _REMEMBERED:
            written.clear()
        texts = []
        for token in tokens:
            text = written.get(id(token))
            if text is None:
                space = "true" if token.space else "false"
                place = _dumped_origin(token)
                text = f'{{"text":{_quoted(token.text)},"space":{space},"origin":{place}}}'
                written[id(token)] = text
            texts.append(text)
        return f"[{','.join(texts)}]"


def _folded(argument: Argument, prescan: Prescan, after: str) -> str:
    """One step in the place of all those that an argument takes."""
    told = f"{counted(len(prescan.steps), 'step')} of its own, deeper than this document goes"
    return (
        f'{{"kind":"folded","macro":{_quoted(prescan.steps[0].macro)},"definition":null,'
        f'"at":0,"remove":{len(argument.raw)},"insert":{after},"arguments":[],'
        f'"operations":[],"text":{_quoted(told)}}}'
    )


def _definition(definition: Definition) -> Json:
    parameters = definition.parameters
    return {
        "name": definition.name,
        "parameters": None if parameters is None else list(parameters),
        "variadic": definition.variadic,
        "replacement": [
            {"text": t.text, "space": bool(t.space), "origin": _origin(t)}
            for t in definition.replacement
        ],
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


def _dumped_origin(token: Token) -> str:
    """`_origin` as JSON, in a tenth of the time for those that are most: copied from a replacement
    list, and perhaps handed on."""
    origin = token.origin
    if isinstance(origin, Source):
        return f"{{{_place(origin)}}}"
    made = first_made(token).origin
    if isinstance(made, Pasted | Stringized | Computed):
        return _dumps(_origin(token))
    more = f',"macro":{_quoted(origin.by.text)}'
    if isinstance(origin, Passed):
        more += f',"parameter":{_quoted(origin.definition.replacement[origin.place].text)}'
    return f"{{{_place(spelled_at(token))}{more}}}"


@lru_cache(maxsize=_REMEMBERED)
def _place(where: Source) -> str:
    kind = "predefined" if where.file.startswith("<") else "source"
    file, line, column = where
    return f'"kind":"{kind}","file":{_quoted(file)},"line":{line},"column":{column}'


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


def _dumps(value: object) -> str:
    # In one go: json.dump() takes ever longer the deeper lists are nested.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=_REMEMBERED)
def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
