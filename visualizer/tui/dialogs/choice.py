"""One of many: a field, and the rows that what is typed leaves. The arrow and page keys go through the
rows while one types, and Enter or a click takes one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Generic

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from visualizer.messages import N_, _
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.dialog import Dialog, Result

_FRAME = 6  # rows and columns that are not words


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Result]):
    """What a row says, what stands at its end, and what it stands for."""

    words: str
    value: Result
    note: str = ""


class ChoiceScreen(Dialog[Result]):
    """Ends with the value of the row that was taken, or None. `left` gives the rows that fit what is
    typed; the cursor begins at `first`."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "above", show=False),
        Binding("down", "move(1)", "below", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
    ]

    def __init__(
        self,
        title: str,
        left: Callable[[str], Sequence[Candidate[Result]]],
        typed: str = N_("letters of it"),
        first: str = "",
        width: int = 34,
        none: str = "",
    ) -> None:
        super().__init__(title, _("Enter takes it, Esc closes"))
        self._title, self._left, self._typed, self._first = title, left, typed, first
        self._none = none  # said where there is nothing to choose from
        self._candidates: Sequence[Candidate[Result]] = ()
        self._width, self._height = width, 0

    def inside(self) -> ComposeResult:
        yield Input(placeholder=_(self._typed), compact=True)
        yield ChoiceList()

    def on_mount(self) -> None:
        self._offer("", self._first)

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        self._offer(event.value.strip(), self.query_one(ChoiceList).value)

    def _offer(self, typed: str, here: str | None) -> None:
        self._candidates = self._left(typed)
        words, notes = [c.words for c in self._candidates], [c.note for c in self._candidates]
        none = _("none has these letters") if typed else self._none
        self.query_one(ChoiceList).offer(words, here, notes, none)
        self.entitle(f"{self._title}: {len(words):,}" if typed and words else self._title)
        self._grow(max((cell_len(f"{c.words}  {c.note}") for c in self._candidates), default=0))

    def _grow(self, width: int) -> None:
        """Make room for the rows; with fewer, the frame stays as it is while one types."""
        self._width = max(self._width, width + _FRAME)
        self._height = max(self._height, len(self._candidates) + _FRAME)
        self.frame.styles.width, self.frame.styles.height = self._width, self._height

    @on(Input.Submitted)
    @on(ChoiceList.Taken)
    def _take(self) -> None:
        if self._candidates:
            self.dismiss(self._candidates[self.query_one(ChoiceList).here].value)

    def action_move(self, by: int) -> None:
        self.query_one(ChoiceList).action_move(by)

    def action_page(self, by: int) -> None:
        self.query_one(ChoiceList).action_page(by)


def fitting(found: Sequence[Candidate[Result]], typed: str) -> list[Candidate[Result]]:
    """The rows that have all that is typed, in any order."""
    letters = typed.lower().split()
    return [row for row in found if all(some in row.words.lower() for some in letters)]


def one_of(title: str, words: Sequence[str], first: str) -> ChoiceScreen[str]:
    """Ends with one of the words."""
    return ChoiceScreen(title, partial(fitting, [Candidate(w, w) for w in words]), first=first)
