"""What the invocation under the cursor becomes: its last state, and how far away that is.

A macro that goes wrong can make millions of tokens. The pane lays out the first few thousand and says
how many there are; the stepper shows all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from visualizer.expansion.tokens import CHARACTER, NUMBER, PUNCTUATOR, STRING, Token
from visualizer.layout.line_layout import gap, layout, shown_text
from visualizer.layout.words import Parts, clipped, goes_on
from visualizer.messages import _
from visualizer.tui.ink.pane import Pane

SHOWN = 4_000  # tokens
_STYLES = {
    PUNCTUATOR: "outcome--punctuation",
    STRING: "outcome--literal",
    CHARACTER: "outcome--literal",
    NUMBER: "outcome--literal",
}


class OutcomePane(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"outcome--punctuation", "outcome--literal"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "step through", tooltip="Step through this invocation"),
    ]

    class Opened(Message):
        """The reader wants to step through what is shown."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entitle(_("Expansion"))
        self._tokens: Sequence[Token] = ()
        self._line = layout([], 0)
        self._notes: list[str] = []

    def show(self, title: str, tokens: Sequence[Token]) -> None:
        """The tokens of a state, below a title. No tokens: the invocation expands to nothing."""
        more = len(tokens) - SHOWN
        self._tokens = tokens[:SHOWN]
        self._notes = [] if tokens else [_("expands to nothing")]
        if more > 0:
            self._notes = [
                _("… and {more:,} more tokens: the stepper has them all").format(more=more)
            ]
        self.entitle(_("Expansion"), title)
        self._arrange()

    def say(self, why: str) -> None:
        """There is nothing to show, and why."""
        self._tokens, self._notes = (), [why]
        self.entitle(_("Expansion"))
        self._arrange()

    def on_resize(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        if not self.room:  # hidden: what it held is of other tokens when it is seen again
            self._line = layout([], 0)
            self.hold(0)
            return
        self._line = layout(self._tokens, self.room - 1, self._line)
        self.hold(len(self._line.rows) + len(self._notes))
        self.repaint()

    def draw(self, row: int) -> Parts:
        if row >= len(self._line.rows):
            note = self._notes[row - len(self._line.rows)]
            return clipped([(f" {note}", ("pane--quiet",))], self.room, "…")
        here = self._line.rows[row]
        parts: Parts = [(" " * (here.indent + 1), ())]
        for i in range(here.first, here.last):
            token = self._tokens[i]
            if i > here.first and gap(self._tokens[i - 1], token):
                parts.append((" ", ()))
            look = (_STYLES[token.kind],) if token.kind in _STYLES else ()
            parts.append((shown_text(token)[here.letters(i)], look))
        return clipped([*parts, *goes_on(here)], self.room)

    def action_open(self) -> None:
        self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        if event.chain == 2:
            self.action_open()
