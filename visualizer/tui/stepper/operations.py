"""What `#` and `##` do in a replacement, drawn: what goes in, and below an arrow what comes out.

    __reg_ ## kernel_name ## _ ## backend
      ╰─▶ __reg_bitwise_and_CPU

A chain of `##` is one drawing. Each piece has the hue of the parameter that brought it.
"""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.expansion.tokens import Pasted, Stringized, Token
from visualizer.expansion.trace import Operation, Step
from visualizer.expansion.wording import short
from visualizer.layout.words import Parts, Styles, Word, fill, hued
from visualizer.messages import N_, _
from visualizer.scene.marks import Piece, hue_of, pieces_of

_QUIET: Styles = ("pane--quiet",)
_OPERATOR: Styles = ("card--operator",)
_ARROW = "  ╰─▶ "
_SAID = {
    "va_opt": N_("__VA_OPT__: whether there are variable arguments decides"),
    "comma": N_(", ##__VA_ARGS__: the list is empty, so the comma goes too"),
}
_MOST = 6  # drawings; what a macro does so often is seen by then


def operation_rows(step: Step, width: int) -> list[Parts]:
    """The drawings of a step, each once."""
    drawn: dict[str, list[Parts]] = {}
    taken_up = {
        id(token.origin.left)
        for operation in step.operations
        for token in operation.result
        if isinstance(token.origin, Pasted)
    }
    for operation in step.operations:
        if operation.fails():
            said = _("{operands} makes no valid token: both stay").format(
                operands=" ## ".join(operation.operands)
            )
            drawn.setdefault(said, _told(said, width))
        for token in _finished(operation, taken_up):
            drawn.setdefault(token.text, _drawing(operation, token, step, width))
        if operation.kind == "placemarker" and operation.parameter:
            hue = hued(hue_of(step.definition, operation.parameter))
            named = Word(operation.parameter, 0, hue)
            drawn.setdefault(operation.parameter, _told(_empty(step, operation), width, named))
        if operation.kind in _SAID:
            text = _SAID[operation.kind]
            drawn.setdefault(text, _told(text, width))
    rows = [row for drawing in list(drawn.values())[:_MOST] for row in drawing]
    if len(drawn) > _MOST:
        rows.append([(_("… and {count} more").format(count=len(drawn) - _MOST), _QUIET)])
    return rows


def _told(said: str, width: int, *before: Word) -> list[Parts]:
    words = [*before]
    for text in said.split():
        words.append(Word(text, int(bool(words)), _QUIET))
    return fill(words, width)


def _empty(step: Step, operation: Operation) -> str:
    """What becomes of an empty argument: only beside `##` does something stand for it."""
    body = step.definition.replacement if step.definition is not None else []
    beside = (
        *body[max(operation.index - 1, 0) : operation.index],
        *body[operation.index + 1 :][:1],
    )
    if any(token.text in ("##", "%:%:") for token in beside):
        return _("is empty: a placemarker stands in its place beside ##, and vanishes")
    return _("is empty: nothing is put in for it")


def _finished(operation: Operation, taken_up: set[int]) -> Iterator[Token]:
    """What an operation made, unless another `##` takes it up."""
    if operation.pastes() or operation.kind == "stringize":
        yield from (token for token in operation.result if id(token) not in taken_up)


def _drawing(operation: Operation, token: Token, step: Step, width: int) -> list[Parts]:
    if isinstance(token.origin, Stringized):
        parameter = operation.parameter or ""
        hue = hued(hue_of(step.definition, parameter))
        words = [Word("#", 0, _OPERATOR), Word(parameter, 0, hue)]
        words += [Word(":", 0, _QUIET), Word(short(token.origin.tokens) or "nothing", 1, hue)]
    else:
        words = []
        for text, hue_ in _pieces(token, step):
            if words:
                words.append(Word("##", 1, _OPERATOR))
            words.append(Word(text or "(nothing)", int(bool(words)), hued(hue_)))
    result: list[Word] = [Word(token.text, 0, ("pane--strong",))]
    below = fill(result, width - len(_ARROW))
    arrows = [_ARROW, *(" " * len(_ARROW) for _ in below[1:])]
    return [
        *fill(words, width),
        *([(arrow, _QUIET), *row] for arrow, row in zip(arrows, below, strict=True)),
    ]


def _pieces(token: Token, step: Step) -> Iterator[Piece]:
    """What was pasted, from left to right, a placemarker as an empty text."""
    origin = token.origin
    if isinstance(origin, Pasted) and origin.by is step.name:
        yield from _pieces(origin.left, step)
        yield from _pieces(origin.right, step)
    else:
        hue = next((hue for _, hue in pieces_of(token, step.name)), None)
        yield token.text, hue
