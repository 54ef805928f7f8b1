"""What a step marks in the line: what it consumes, what it produced, and each parameter's hue.

Every view of a step uses the same signs, a screen, a page and a picture alike, so they are worked out
here, as ranges of tokens and as numbers of hues. What a sign looks like is for the view to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from visualizer.expansion.definitions import Definition
from visualizer.expansion.hiding import Merged
from visualizer.expansion.moments import Moment
from visualizer.expansion.tokens import Copied, Passed, Pasted, Stringized, Token
from visualizer.layout.words import HUES

Piece = tuple[str, int | None]  # a part of a token's text, and its hue
Bound = tuple[range, int]  # the line's tokens that are one argument, and its parameter's hue


def consumed(moment: Moment) -> range:
    """The tokens that a moment takes out, or whose arguments it is going to prescan."""
    return range(moment.at, moment.at + (moment.step.remove if moment.meeting else moment.remove))


def produced(moment: Moment) -> range:
    """The tokens that a moment puts in, in the line after it."""
    return range(moment.at, moment.at + len(moment.insert))


def hue_of(definition: Definition | None, parameter: str) -> int | None:
    """The number of a parameter's hue. With more parameters than hues, they come round again."""
    if definition is None or parameter not in definition.parameter_set:
        return None
    return definition.all_parameters.index(parameter) % HUES


def pieces_of(token: Token, by: Token) -> Sequence[Piece]:
    """A token's text, in parts if `##` made it, each with the hue of the parameter that brought it
    in the invocation `by`."""
    match token.origin:
        case Passed(definition, place, by=name) if name is by:
            return ((token.text, hue_of(definition, definition.replacement[place].text)),)
        case Stringized(definition, place, by=name) if name is by:
            operand = definition.replacement[place + 1].text
            return ((token.text, hue_of(definition, operand)),)
        case Pasted(by=name, left=left, right=right) if name is by:
            return (*pieces_of(left, by), *pieces_of(right, by))
        case Copied(definition, place, by=name) if name is by and not token.text:
            return ()  # a placemarker
        case _:
            return ((token.text, None),)


def arguments_in_line(moment: Moment) -> list[Bound]:
    """Where the arguments of an invocation stand in the line before its moment. At the moment of its
    replacement, they have been prescanned where they stood, and those behind have moved."""
    step = moment.step
    as_written = moment.meeting or (isinstance(moment, Merged) and moment.whole_call)
    found, grown = [], 0
    for argument in sorted(step.arguments, key=lambda a: a.start):
        length = len(argument.raw)
        if not as_written and argument.prescan and argument.prescan.steps:
            length = len(argument.prescan.after)
        start = moment.at + argument.start + grown
        grown += length - len(argument.raw)
        hue = hue_of(step.definition, argument.parameter)
        if hue is not None and length:
            found.append((range(start, start + length), hue))
    return found
