"""What an invocation would become behind the text of a file, though it doesn't stand there.

Invocations are written behind the text, each between two marks, and the whole is preprocessed once.
So an exercise is judged by invocations that the learner has never seen, and a lesson can ask what
something would become that it has not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from visualizer.expansion import Options, preprocess
from visualizer.expansion.arithmetic import Trouble, evaluate
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.tokens import Token, spelled_at

_MARK = "unfold_probe_"


def probed(
    path: Path, options: Options, text: str, invocations: Sequence[str]
) -> Iterator[list[Token] | None]:
    """The tokens that each becomes behind `text`, the text of the file `path`. None where the text ends
    inside of something, so that there is no behind."""
    probes = "".join(f"\n{_MARK}{i}\n{each}" for i, each in enumerate(invocations))
    whole = f"{text}{probes}\n{_MARK}{len(invocations)}\n"
    options = options.with_text(path, whole)
    output = preprocess(path, options, skip_included_text=True).output
    marks = {t.text: i for i, t in enumerate(output) if t.text.startswith(_MARK)}
    for i in range(len(invocations)):
        first, last = marks.get(f"{_MARK}{i}"), marks.get(f"{_MARK}{i + 1}")
        yield None if first is None or last is None else output[first + 1 : last]


def error_in(path: Path, options: Options, text: str, invocation: str) -> str | None:
    """The first error that the preprocessor would report in it."""
    whole = f"{text}\n{invocation}\n"
    options = options.with_text(path, whole)
    first = text.count("\n") + 2
    found = preprocess(path, options, skip_included_text=True).diagnostics
    errors = (d.message for d in found if d.severity == "error" and d.where.line >= first)
    return next(errors, None)


def replaced_in(path: Path, options: Options, text: str, tokens: str) -> str | None:
    """The first macro that would be replaced in tokens behind `text`."""
    options = options.with_text(path, f"{text}\n{tokens}\n")
    first = text.count("\n") + 2
    found = preprocess(path, options, skip_included_text=True).expansions
    return next((e.macro for e in found if spelled_at(e.before[0]).line >= first), None)


def number(text: str) -> int | None:
    """The integer that a compiler makes of an expression, or None."""
    spelled = [t.text for line in tokenize(text, "probe") for t in line]
    try:
        return evaluate(spelled, cxx=True).number()
    except Trouble:
        return None
