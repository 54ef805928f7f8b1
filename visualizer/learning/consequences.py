"""What would follow from an answer that isn't so, without telling the one that is.

A learner who hears only that it is wrong guesses again. So the answer is taken at its word. What its
author writes of a choice comes first. Of the others the engine tells what it can: a macro that is said
to come next may not even stand on the line, a name that is said to be left may still be a macro, and of
tokens those are shown that are right.
"""

from __future__ import annotations

from dataclasses import dataclass

from visualizer.expansion.lexer import spellings, tokenize
from visualizer.expansion.tokens import spelled_at
from visualizer.learning.parts import Predict
from visualizer.learning.player import Stand
from visualizer.learning.probes import number, replaced_in
from visualizer.messages import _


@dataclass(frozen=True, slots=True)
class Consequence:
    """A sentence or two, or nothing where the engine can say no more than that it isn't so. Where
    `parts_at` is a number, the answer's characters from there on are what it speaks of. `is_little`:
    it is enough for what somebody types, and not for a choice of the author's."""

    said: str = ""
    parts_at: int | None = None
    is_little: bool = False


def consequence(predict: Predict, stand: Stand, given: str, truth: str) -> Consequence:
    if given in predict.consequences:
        return Consequence(predict.consequences[given])
    word = predict.truth.split()[0]
    if word == "next":
        return Consequence(_of_next(stand, given))
    if word == "inside" and stand.place is not None:
        view = stand.bench.view(stand.place.expansion, stand.place.look)
        around = view.timeline.invocations(stand.place.state)
        said = _("It happens inside {name} as well, but deeper.") if given in around else ""
        return Consequence(said.format(name=given))
    if given.isdecimal() and truth.isdecimal():
        greater = int(given) < int(truth)
        return Consequence(_("The number is greater.") if greater else _("The number is smaller."))
    if word in _LEFT and given.isdecimal() and number(truth) == int(given):
        return Consequence(_("That is what a compiler computes of it. The preprocessor doesn't."))
    macro = _still_replaced(stand, given, truth) if word in _LEFT else None
    if macro is not None:
        return Consequence(
            _("It doesn't end there: {name} is a macro, and is replaced too.").format(name=macro)
        )
    return _first_difference(given, truth) if word in _TOKENS else Consequence()


def _of_next(stand: Stand, given: str) -> str:
    place = stand.place
    if place is None:
        return ""
    line = stand.bench.view(place.expansion, place.look).timeline.state(place.state)
    named = [token for token in line if token.text == given]
    if not named:
        return _("{name} doesn't stand on the line.").format(name=given)
    if all(token.painted for token in named):
        return _("{name} is painted there: it isn't a macro any more.").format(name=given)
    return _("{name} stands on the line, and isn't what comes first.").format(name=given)


def _still_replaced(stand: Stand, given: str, truth: str) -> str | None:
    """The macro that would be replaced in it first. None if one would be in the truth: then the names
    that are left there are painted, or were put off, and so may those be that the answer has."""
    bench = stand.bench
    text = "\n".join(bench.source_lines)
    left = [replaced_in(bench.path, bench.options, text, each) for each in (given, truth)]
    return left[0] if left[1] is None else None


def _first_difference(given: str, truth: str) -> Consequence:
    """Where the tokens are no longer the right ones."""
    theirs = [token for line in tokenize(given, "answer") for token in line]
    ours = spellings(truth)
    pairs = enumerate(zip(theirs, ours, strict=False))
    at = next((i for i, (a, b) in pairs if a.text != b), min(len(theirs), len(ours)))
    if at == 0:
        isnt = _("The first token isn't {token}.").format(token=theirs[0].text if theirs else "")
        said = isnt if len(theirs) > 1 else ""
        return Consequence(said, is_little=True)
    if at == len(theirs):
        return Consequence(_("It is right so far, and more comes behind it."))
    rest = spelled_at(theirs[at]).column - 1
    if at == len(ours):
        return Consequence(_("It is right so far, and ends before what is underlined."), rest)
    return Consequence(_("It is right up to what is underlined."), rest)


_LEFT = ("end", "result", "prescan", "becomes")  # what is so when all macros in it are replaced
_TOKENS = (
    *("line", "end", "result", "replacement", "argument", "prescan", "bound", "becomes"),
    *("hops", "inner-hops", "differing"),
)
