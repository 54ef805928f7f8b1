"""Something to change: a field whose text the engine takes at each key, and what it says by then.

Beside the page the screen follows: the file with the text in it, at the same place, or the story of the
call that is written. Enter ends it where all is as it is to be; before, one may try as often as one
likes, and after the first time be told.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from visualizer.expansion import InputError
from visualizer.learning.consequences import Consequence
from visualizer.learning.lesson import LessonError
from visualizer.learning.parts import Changeable, Predict
from visualizer.learning.player import Answered, Outcome, own_reading
from visualizer.messages import _
from visualizer.tui.lesson.predict_box import PredictBox
from visualizer.tui.workshop.settling import Settling
from visualizer.workbench.background import in_background

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench

_PAUSE = 0.08  # seconds after the last key
_MOST = 400  # characters of a row


class ChangeBox(PredictBox):
    """`come_of` says what comes of a text; a thread asks it. `here` gives the screen's reading."""

    class Came(Message):
        """The screen is to follow. `bench` is its own reading of what the outcome's is one."""

        def __init__(
            self, box: ChangeBox, text: str, change: Changeable, outcome: Outcome, bench: Workbench
        ) -> None:
            super().__init__()
            self.box, self.text = box, text
            self.change, self.outcome, self.bench = change, outcome, bench

        @property
        def is_late(self) -> bool:
            """Whether its reader has written something else since."""
            return self.text != self.box.written

    def __init__(
        self,
        part: int,
        change: Changeable,
        answered: Answered | None,
        come_of: Callable[[str], Outcome],
        here: Callable[[], Workbench],
    ) -> None:
        super().__init__(part, Predict(change.ask, change.truth, because=change.because), answered)
        self._change, self._come_of, self._here = change, come_of, here
        self._text = self._ended_with
        self._outcome: Outcome | None = None
        self._come_of_text = ""
        self._settling = Settling(self.run_worker, self._follow, _PAUSE)

    @property
    def _ended_with(self) -> str:
        """What stands in the field, or stood there in the end."""
        answered = self._answered
        if answered is None:
            return self._change.text
        return answered.tries[-1] if answered.right else answered.truth

    @property
    def written(self) -> str:
        """What stands in the field now."""
        return self._text

    @property
    def _is_late(self) -> bool:
        """Whether what is shown was said of another text."""
        return self._outcome is not None and self._come_of_text != self._text

    @property
    def is_begun(self) -> bool:
        return self.asks and (bool(self._tries) or self._text != self._change.text)

    def is_patient(self, tries: int) -> bool:
        return True

    def compose(self) -> ComposeResult:
        yield Static(Content(self._change.ask), classes="predict-ask")
        if self._answered is None:
            yield Input(self._text, select_on_focus=False)
        else:
            yield Static(Content.styled(self._text, "bold"), classes="change-text")
        yield Static(self._rows(), classes="change-rows")
        if self._answered is not None:
            yield Static(self._told(), classes="predict-told")
        else:
            yield Static(self._keys(), classes="predict-keys")

    def on_mount(self) -> None:
        self._settling.ask()

    async def tell(self, answered: Answered) -> None:
        self._answered = answered
        self._text = self._ended_with
        await self.recompose()
        self._settling.ask()

    async def refuse(self, consequence: Consequence) -> None:
        self._judged = True
        self._say_keys()

    @on(Input.Changed)
    def _edited(self, event: Input.Changed) -> None:
        event.stop()
        self._text = event.value.strip()
        if self._is_late:
            self._say_rows()
            self._say_keys()
        self._settling.ask()

    @on(Input.Submitted)
    def _ended(self, event: Input.Submitted) -> None:
        event.stop()
        event.prevent_default()  # that is for an answer
        if self._judged:
            self._judged = False
            self._tries = (*self._tries, self._text)
            self.post_message(self.Given(self, self._tries))

    async def _follow(self) -> None:
        text = self._text
        try:
            outcome, bench = await in_background(partial(self._come, text, self._here()))
        except (InputError, LessonError) as error:
            self.notify(str(error), severity="error", markup=False)
            return
        if not self.is_mounted or text != self._text:
            return
        self._outcome, self._come_of_text = outcome, text
        self._say_rows()
        self._say_keys()
        if self.asks:
            self.post_message(self.Came(self, text, self._change, outcome, bench))

    def _come(self, text: str, here: Workbench) -> tuple[Outcome, Workbench]:
        """What comes of it, and the screen's reading for it; where nothing is asked, it stays."""
        outcome = self._come_of(text)
        return outcome, own_reading(outcome.stand.bench, here) if self.asks else here

    def _say_rows(self) -> None:
        for rows in self.query(".change-rows").results(Static):
            rows.update(self._rows())

    def _say_keys(self) -> None:
        for keys in self.query(".predict-keys").results(Static):
            keys.update(self._keys())

    def _rows(self) -> Content:
        if self._outcome is None:
            return Content.styled("…", "$quiet")
        rows = self._outcome.rows
        widest = max(cell_len(label) for label, _said in rows)
        parts = []
        for number, (label, said) in enumerate(rows):
            gap = " " * (widest - cell_len(label) + 2)
            style = "bold $success" if number == 0 and self._outcome.reached else "bold"
            style = "$quiet" if self._is_late else style
            parts.append(Content.assemble((label + gap, "$quiet"), (_cut(said), style)))
        return Content("\n").join(parts)

    def _keys(self) -> Content:
        if self._outcome is not None and self._outcome.reached and not self._is_late:
            return Content.styled(_("✓ So it is to be: Enter goes on"), "bold $success")
        if self._tries:
            return Content.assemble(
                ("✗ ", "bold $error"),
                _("Not yet. It is to be {wanted}.").format(wanted=_cut(self._change.gives)),
                (_(" F2 shows a way."), "$quiet"),
            )
        return Content.styled(
            _("Change the text, and look. Enter ends it, Esc leaves it"), "$quiet"
        )

    def _told(self) -> Content:
        assert self._answered is not None
        if self._answered.right:
            lines = [Content.styled(_("✓ So it was to be."), "bold $success")]
        else:
            lines = [Content.styled(_("This is a way to it."), "bold")]
        if self._change.because:
            lines.append(Content(self._change.because))
        return Content("\n").join(lines)


def _cut(said: str) -> str:
    said = said or _("nothing")
    return said if len(said) <= _MOST else f"{said[:_MOST]} …"
