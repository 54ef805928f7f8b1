"""What would follow from an answer that isn't so, without telling the one that is.

A learner who hears only that it is wrong guesses again. So the answer is taken at its word: a macro
that is said to come next may not even stand on the line, and of tokens those are told that are right.
"""

from __future__ import annotations

from visualizer.expansion.lexer import tokenize
from visualizer.learning.parts import Predict
from visualizer.learning.player import Stand


def consequence(predict: Predict, stand: Stand, given: str, truth: str) -> str:
    """A sentence or two, or nothing where the engine can say no more than that it isn't so."""
    if given in predict.consequences:
        return predict.consequences[given]
    word = predict.truth.split()[0]
    if word == "next":
        return _of_next(stand, given)
    if word == "inside" and stand.place is not None:
        view = stand.bench.view(stand.place.expansion, stand.place.look)
        around = view.timeline.invocations(stand.place.state)
        return f"It happens inside {given} as well, but deeper." if given in around else ""
    if given.isdecimal() and truth.isdecimal():
        return f"The number is {'greater' if int(given) < int(truth) else 'smaller'}."
    return _first_difference(given, truth) if word in _TOKENS else ""


def _of_next(stand: Stand, given: str) -> str:
    place = stand.place
    if place is None:
        return ""
    line = stand.bench.view(place.expansion, place.look).timeline.state(place.state)
    named = [token for token in line if token.text == given]
    if not named:
        return f"{given} doesn't stand on the line."
    if all(token.painted for token in named):
        return f"{given} is painted there: it isn't a macro any more."
    return f"{given} stands on the line, and isn't what comes first."


def _first_difference(given: str, truth: str) -> str:
    """Up to where the tokens are the right ones."""
    theirs, ours = _spelled(given), _spelled(truth)
    pairs = enumerate(zip(theirs, ours, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(theirs), len(ours)))
    if at == len(theirs):
        return f"It is right so far, and something comes behind {theirs[-1]}." if at else ""
    if at == len(ours):
        return f"It is right up to {ours[-1]}: nothing comes behind that." if at else ""
    if at == 0:
        return f"It doesn't begin with {theirs[0]}." if len(theirs) > 1 else ""
    return f"It is right up to {theirs[at - 1]}; what comes then isn't {theirs[at]}."


def _spelled(text: str) -> list[str]:
    return [token.text for line in tokenize(text, "answer") for token in line]


_TOKENS = (
    *("line", "end", "result", "replacement", "argument", "prescan", "bound", "becomes"),
    *("hops", "inner-hops", "differing"),
)
