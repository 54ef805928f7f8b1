"""What `unfold why` knows, as JSON; `unfold why --help` describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from visualizer.expansion.definitions import Definition
from visualizer.expansion.tokens import Source, spell
from visualizer.expansion.why.answers import Answer, Answers, note_on
from visualizer.expansion.why.groups import Group
from visualizer.expansion.why.history import Event
from visualizer.expansion.why.wording import reasons, sentence

Json = dict[str, Any]


def json_why(each: Sequence[Answers], line: int | None, name: str | None) -> Json:
    """Of one pass of the file, or of several: each name says in which it stands."""
    known = each[0].record
    asked = [name] if name is not None else []
    return {
        "version": 1,
        "file": known.trace.file,
        "line": line,
        "names": [
            _answer(answer)
            | {"note": note_on(found.record, answer) or None}
            | {"included": [_place(at) for at in found.record.trace.through]}
            for found in each
            for answer in found.each
        ],
        "history": {n: [_event(e) for e in reversed(known.of(n))] for n in asked},
    }


def _answer(answer: Answer) -> Json:
    return {
        "name": answer.place.name,
        **_place(answer.place.where),
        "kind": answer.kind,
        "text": sentence(answer),
        "because": [reason.strip() for reason in reasons(answer)],
        "definition": _definition(answer.definition),
        "replacement": spell(answer.made) if answer.kind == "expands" else None,
    }


def _event(event: Event) -> Json:
    return {
        "deed": event.deed,
        "text": event.text,
        **_place(event.where),
        "counts": event.counts,
        "included": [_place(at) for at in event.through],
        "conditions": [_group(group) for group in event.groups],
        "definition": _definition(event.after),
    }


def _group(group: Group) -> Json:
    branch = group[-1]
    return {
        "directive": branch.directive,
        **_place(branch.where),
        "counts": branch.counts,
        "values": dict(branch.parts),
    }


def _definition(definition: Definition | None) -> Json | None:
    if definition is None:
        return None
    body = spell(definition.replacement)
    return {"head": definition.head(), "replacement": body, **_place(definition.where)}


def _place(where: Source) -> Json:
    return {"file": where.file, "line": where.line, "column": where.column}
