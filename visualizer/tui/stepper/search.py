"""Looking for a token through a whole expansion, and going to where it comes or goes.

What is typed is a glob; a plain word fits all tokens that it is a part of. Each line is one token's
life: the step that made it, and what became of it.
"""

from __future__ import annotations

from visualizer.expansion.search import FoundToken, find
from visualizer.expansion.views import View
from visualizer.expansion.wording import elided
from visualizer.messages import _
from visualizer.tui.dialogs.choice import Candidate, ChoiceScreen

_WIDTH = 72  # columns


def a_token(view: View) -> ChoiceScreen[FoundToken]:
    """Ends with the token that was chosen: any of the whole timeline, with the steps of this view."""

    def left(word: str) -> list[Candidate[FoundToken]]:
        glob = word if set(word) & set("*?[") else f"*{word}*"
        return [_candidate(found, view) for found in find(view.whole, glob)] if word else []

    title = _("Search the tokens of this expansion")
    return ChoiceScreen(title, left, _("a word, or a pattern such as *Context"), width=_WIDTH)


def _candidate(found: FoundToken, view: View) -> Candidate[FoundToken]:
    born = (
        _("in the source")
        if not found.born
        else _("step {born}").format(born=view.from_whole(found.born))
    )
    about = f"{born} → stays"
    if found.gone is not None:
        about = _("{born} → step {gone}: {fate}").format(
            born=born, gone=view.from_whole(found.gone + 1), fate=found.fate
        )
    return Candidate(elided(found.token.text or "(placemarker)"), found, about)
