"""Looking for a token through a whole expansion, and going to where it comes or goes.

What is typed is a glob; a plain word fits all tokens that it is a part of. Each line is one token's
life: the step that made it, and what became of it.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from visualizer.expansion.moments import Timeline
from visualizer.expansion.search import Found, find
from visualizer.expansion.tokens import Token
from visualizer.expansion.wording import elided, plural

_MOST = 500  # lines; more would say nothing more


class SearchScreen(ModalScreen[Found | None]):
    """Dismissed with the token that was chosen. `timeline` is the whole one."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "Close")]

    def __init__(self, timeline: Timeline) -> None:
        super().__init__()
        self._timeline = timeline
        self._found: list[Found] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="search") as frame:
            frame.border_title = "Search the tokens of this expansion"
            frame.border_subtitle = "Enter goes there, Esc closes"
            yield Input(placeholder="a word, or a pattern such as *Context")
            yield Static("", id="search-count")
            yield OptionList()

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        word = event.value.strip()
        glob = word if set(word) & set("*?[") else f"*{word}*"
        self._found = find(self._timeline, glob) if word else []
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options([Option(_line(found)) for found in self._found[:_MOST]])
        count = plural(len(self._found), "token", "tokens")
        more = f"; the first {_MOST} are listed" if len(self._found) > _MOST else ""
        self.query_one("#search-count", Static).update(count + more if word else "")
        if self._found:
            listed.highlighted = 0

    @on(Input.Submitted)
    def _submit(self) -> None:
        self.query_one(OptionList).action_select()

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._found[event.option_index])

    def on_key(self, event: events.Key) -> None:
        listed = self.query_one(OptionList)
        if isinstance(self.focused, Input) and event.key in ("down", "up"):
            if event.key == "down":
                listed.action_cursor_down()
            else:
                listed.action_cursor_up()
            event.stop()

    def action_close(self) -> None:
        self.dismiss(None)


def _line(found: Found) -> Content:
    born = "in the source" if not found.born else f"step {found.born}"
    gone = "stays" if found.gone is None else f"step {found.gone + 1}: {found.fate}"
    return Content.assemble(
        (elided(_shown(found.token)), "bold"), (f"   {born} → {gone}", "$quiet")
    )


def _shown(token: Token) -> str:
    return token.text or "(placemarker)"
