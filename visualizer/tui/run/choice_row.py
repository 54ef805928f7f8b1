"""One of several words, in one row: the arrow keys go through them, Enter or a click lists them all."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from visualizer.frameworks.presenter import Choice
from visualizer.messages import N_

LABEL = 9  # cells for what stands before the word

FIELDS = N_("The field above, the field below")
_TURN = "The choice before, the choice behind"


class ChoiceRow(Widget, can_focus=True):
    """`options` in order, of which `value` is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", "choice before", tooltip=_TURN, show=False),
        Binding("right", "turn(1)", "choice behind", tooltip=_TURN, show=False),
        Binding("enter,space", "list", "list", tooltip="All there is to choose from", show=False),
    ]

    options: reactive[tuple[str, ...]] = reactive[tuple[str, ...]](())
    value: reactive[str] = reactive("")

    class Changed(Message):
        """The reader chose another word."""

        def __init__(self, row: ChoiceRow) -> None:
            super().__init__()
            self.row = row

        @property
        def control(self) -> ChoiceRow:
            return self.row

    def __init__(self, choice: Choice, *, name: str) -> None:
        super().__init__(name=name)
        self._label = choice.title
        self.offer(choice)

    def offer(self, choice: Choice) -> None:
        self.options, self.value = tuple(choice.words), choice.value

    def render(self) -> Content:
        room = self.content_size.width - LABEL - 4
        value = self.value if len(self.value) <= room else f"{self.value[: max(room - 1, 0)]}…"
        label = Content.styled(self._label.ljust(LABEL), "$quiet")
        arrows = "$accent" if len(self.options) > 1 else "$rule"
        return label + Content.assemble(("‹ ", arrows), (value, "bold"), (" ›", arrows))

    def choose(self, value: str) -> None:
        if value in self.options and value != self.value:
            self.value = value
            self.post_message(self.Changed(self))

    def action_turn(self, by: int) -> None:
        if self.value in self.options:
            here = self.options.index(self.value)
            self.choose(self.options[(here + by) % len(self.options)])

    def action_list(self) -> None:
        from visualizer.tui.dialogs.choice import one_of

        def answered(value: str | None) -> None:
            if value is not None:
                self.choose(value)

        self.app.push_screen(one_of(self._label, self.options, self.value), answered)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        self.focus()
        end = LABEL + 2 + len(self.value)
        if LABEL <= offset.x < LABEL + 2:
            self.action_turn(-1)
        elif end <= offset.x < end + 2:
            self.action_turn(1)
        else:
            self.action_list()
