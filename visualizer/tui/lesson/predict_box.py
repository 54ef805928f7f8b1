"""A question: picked from a list, or typed. A wrong answer tells what would follow from it, and may be
tried again; then the box shows the truth and why it is so."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.css.styles import RulesMap
from textual.message import Message
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from visualizer.learning.parts import Predict
from visualizer.learning.player import Answered

TRIES = 2  # after which the truth is told
_PICK = "↑↓ choose, Enter answers, Esc leaves it"
_MARK = "• "
_TYPE = "your answer; Esc leaves it"
_AGAIN = "Try it again, or F2 tells you."


class PredictBox(Widget):
    """`part` is its number on the page. `answered` is what the learner said earlier, and the truth."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave the question", tooltip="The keys are the screen's again"),
        Binding("f2", "tell", "tell me", tooltip="The answer, once one has been tried"),
    ]

    class Given(Message):
        """An answer that is to be judged: `told` if the reader would rather hear the truth."""

        def __init__(self, box: PredictBox, tries: tuple[str, ...], told: bool = False) -> None:
            super().__init__()
            self.box, self.tries, self.told = box, tries, told

        @property
        def last(self) -> bool:
            """Whether the truth is told now, whatever it is."""
            return self.told or len(self.tries) >= TRIES

    class Placed(Message):
        """It has its place on the page."""

    class Left(Message):
        """The keys are to be somebody else's."""

    def __init__(self, part: int, predict: Predict, answered: Answered | None) -> None:
        super().__init__()
        self.part, self.predict = part, predict
        self._answered = answered
        self._tries: tuple[str, ...] = ()
        self._judged = True  # whether the last try has been

    @property
    def asks(self) -> bool:
        return self._answered is None

    def compose(self) -> ComposeResult:
        yield Static(Content(self.predict.ask), classes="predict-ask")
        if self._answered is not None:
            yield Static(_told(self.predict, self._answered), classes="predict-told")
        elif self.predict.choices:
            yield _Choices(*(Option(_Choice(choice)) for choice in self.predict.choices))
            yield Static(_PICK, classes="predict-keys")
        else:
            yield Input(placeholder=_TYPE)

    async def tell(self, answered: Answered) -> None:
        self._answered = answered
        await self.recompose()

    async def refuse(self, consequence: str) -> None:
        """The last try was wrong: what would follow from it, and another try."""
        self._judged = True
        for keys in self.query(".predict-keys"):
            await keys.remove()
        refused = Content.assemble(("✗ ", "bold $error"), (self._tries[-1], "bold"), ": not so. ")
        text = Content.assemble(refused, consequence, "\n", (_AGAIN, "$quiet"))
        told = Static(text, classes="predict-keys")
        await self.mount(told)
        self.call_after_refresh(told.scroll_visible, animate=False)
        for options in self.query(OptionList):
            options.disable_option_at_index(self.predict.choices.index(self._tries[-1]))
            options.highlighted = None
        for typed in self.query(Input):
            typed.value = ""

    def on_resize(self) -> None:
        self.post_message(self.Placed())

    def action_leave(self) -> None:
        self.post_message(self.Left())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "tell" or (self.asks and bool(self._tries) and self._judged)

    def action_tell(self) -> None:
        self._judged = False
        self.post_message(self.Given(self, self._tries, told=True))

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        event.stop()
        self._try(event.value.strip())

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._try(self.predict.choices[event.option_index])

    def _try(self, given: str) -> None:
        if given and self._judged:
            self._judged = False
            self._tries = (*self._tries, given)
            self.post_message(self.Given(self, self._tries))


class _Choice(Visual):
    """One choice behind its mark. What goes on in a second row begins where the first one does."""

    def __init__(self, text: str) -> None:
        self._text, self._content = text, Content(text)

    def __str__(self) -> str:
        return self._text

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        rows = self._content.render_strips(width - len(_MARK), height, style, options)
        marks = [_MARK] + [" " * len(_MARK)] * (len(rows) - 1)
        return [
            Strip.join([Strip([Segment(mark, style.rich_style)]), row])
            for mark, row in zip(marks, rows, strict=True)
        ]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        room = container_width - len(_MARK)
        return self._content.get_optimal_width(rules, room) + len(_MARK)

    def get_minimal_width(self, rules: RulesMap) -> int:
        return self._content.get_minimal_width(rules) + len(_MARK)

    def get_height(self, rules: RulesMap, width: int) -> int:
        return self._content.get_height(rules, width - len(_MARK))


class _Choices(OptionList):
    """None of them is chosen until the reader does: Enter alone chooses nothing."""

    def on_mount(self) -> None:
        self.highlighted = None


def _told(predict: Predict, answered: Answered) -> Content:
    tries, right = answered.tries, answered.right
    if right:
        later = ", at the second try" if len(tries) > 1 else ""
        lines = [Content.styled(f"✓ Right{later}.", "bold $success")]
    else:
        lines = [Content.styled("✗ Not so.", "bold $error")]
    wrong = " and ".join(tries[: len(tries) - right])
    if wrong:
        lines.append(Content.assemble(("you said  ", "$quiet"), wrong))
    lines.append(Content.assemble(("it is     ", "$quiet"), (answered.truth or "nothing", "bold")))
    if predict.because:
        lines.append(Content(predict.because))
    return Content("\n").join(lines)
