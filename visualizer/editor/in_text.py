"""A state of an invocation put into the file in its place, where that leaves the program as it is.

Half-expanded text often means something else. An argument that is expanded may have gained commas,
which now separate arguments; a painted name is free again; `__COUNTER__` has been asked already, and
`__LINE__` is another where lines were added. No rule tells all of these, so the edited text is
preprocessed, and it must give the same tokens.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from visualizer.editor.laid_out import in_one_row, laid_out
from visualizer.editor.standing import extent
from visualizer.editor.texts import EditedText
from visualizer.expansion import InputError, Token, preprocess
from visualizer.expansion.alike import COUNTER
from visualizer.expansion.source_files import is_compiled
from visualizer.expansion.tokens import standing_at
from visualizer.expansion.trace import every
from visualizer.expansion.wording import elided
from visualizer.messages import _
from visualizer.workbench.bench import Workbench

_DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:)", re.MULTILINE)
_INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Replacing:
    """An edit of the text: what is put between two offsets."""

    begin: int
    end: int
    new: str


def replacing(
    bench: Workbench, index: int, tokens: Sequence[Token], text: EditedText
) -> Replacing | str:
    """The edit that puts these tokens in the place of an invocation, or why there is none. The text is
    the bench's."""
    expansion = bench.expansions[index]
    if expansion.directive:
        return _("nothing is put into a directive")
    begin, end = extent(expansion, text)
    if _DIRECTIVE.search(text.text, begin, end):
        return _("a directive stands between the arguments")
    asks = any(step.macro == COUNTER for step in every(expansion.recorded().steps))
    if asks and not is_compiled(bench.trace.file):
        return _("{name} would be asked less often in whoever includes this file").format(
            name=COUNTER
        )
    why = ""
    for new in _ways(tokens, text, begin, end):
        why = _difference(bench, f"{text.text[:begin]}{new}{text.text[end:]}")
        if not why:
            return Replacing(begin, end, new)
    return why


def _ways(tokens: Sequence[Token], text: EditedText, begin: int, end: int) -> Iterator[str]:
    """In rows, indented as the line is; in one row, with as many line ends behind it as there were, so
    that all that follows stays on its line."""
    start = text.text.rfind("\n", 0, begin) + 1
    indent = _INDENT.match(text.text, start)
    before = indent[0] if indent is not None else ""
    yield laid_out(tokens).text.replace("\n", f"\n{before}")
    yield in_one_row(tokens) + "\n" * text.text.count("\n", begin, end)


def _difference(bench: Workbench, edited: str) -> str:
    """What would be another token, if the text were this; "" if nothing would."""
    own = os.path.abspath(bench.path)
    others = [(path, text) for path, text in bench.options.unsaved if path != own]
    options = replace(bench.options, unsaved=((own, edited), *others))
    try:
        trace = preprocess(bench.path, options, skip_included_text=True)
    except InputError as error:
        return error.diagnostic.message
    for now, then in zip_longest(bench.trace.output, trace.output):
        if now is None or then is None or now.text != then.text:
            return _told(now, then)
    return ""


def _told(now: Token | None, then: Token | None) -> str:
    if now is None:
        return _("there would be more: {token}").format(token=_quoted(then))
    line = standing_at(now).line
    if then is None:
        return _("{token} of line {line} would be missing").format(token=_quoted(now), line=line)
    return _("{token} of line {line} would be {other}").format(
        token=_quoted(now), line=line, other=_quoted(then)
    )


def _quoted(token: Token | None) -> str:
    return f"`{elided(token.text)}`" if token is not None else ""
