"""Looking for a token through a whole expansion, and going to where it comes or goes.

What is typed is a glob; a plain word fits all tokens that it is a part of. Each line is one token's
life: the step that made it, and what became of it.
"""

from __future__ import annotations

from visualizer.expansion.moments import Timeline
from visualizer.expansion.search import FoundToken, find
from visualizer.expansion.wording import elided
from visualizer.tui.dialogs.choice import Candidate, ChoiceScreen

_WIDTH = 72  # columns


def a_token(timeline: Timeline) -> ChoiceScreen[FoundToken]:
    """Ends with the token that was chosen. `timeline` is the whole one."""

    def left(word: str) -> list[Candidate[FoundToken]]:
        glob = word if set(word) & set("*?[") else f"*{word}*"
        return [_candidate(found) for found in find(timeline, glob)] if word else []

    title = "Search the tokens of this expansion"
    return ChoiceScreen(title, left, "a word, or a pattern such as *Context", width=_WIDTH)


def _candidate(found: FoundToken) -> Candidate[FoundToken]:
    born = "in the source" if not found.born else f"step {found.born}"
    gone = "stays" if found.gone is None else f"step {found.gone + 1}: {found.fate}"
    return Candidate(elided(found.token.text or "(placemarker)"), found, f"{born} → {gone}")
