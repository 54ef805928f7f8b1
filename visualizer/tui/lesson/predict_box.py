"""A question: picked from a list, or typed. A wrong answer tells what would follow from it, and may be
tried again; then the box shows the truth and why it is so."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual import events, on
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

from visualizer.learning.consequences import Consequence
from visualizer.learning.parts import Predict
from visualizer.learning.player import Answered
from visualizer.messages import N_, _
from visualizer.tui.ink.footer import Footer

TRIES = 2  # after which the truth is told
PICK = N_("↑↓ choose, Enter answers")
_MARK = "• "
_TYPE = N_("your answer; Esc leaves it")
_TOLD = N_("The answer, once one has been tried")
_AGAIN = N_("Try it again, or F2 tells you.")


class PredictBox(Widget):
    """`part` is its number on the page. `answered` is what the learner said earlier, and the truth."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "leave the question", tooltip="The keys are the screen's again"),
        Binding("f2", "tell", "tell me", tooltip=_TOLD),
        Binding("f2", "untold", show=False),
    ]

    class Given(Message):
        """An answer that is to be judged: `told` if the reader would rather hear the truth."""

        def __init__(self, box: PredictBox, tries: tuple[str, ...], told: bool = False) -> None:
            super().__init__()
            self.box, self.tries, self.told = box, tries, told

        @property
        def last(self) -> bool:
            """Whether the truth is told now, whatever it is."""
            return self.told or not self.box.is_patient(len(self.tries))

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

    def is_patient(self, tries: int) -> bool:
        """Whether there may be another try after so many wrong ones."""
        return tries < TRIES

    @property
    def is_begun(self) -> bool:
        """Whether the reader is at an answer, which is yet to be right."""
        typed = any(field.value for field in self.query(Input))
        chosen = any(options.highlighted is not None for options in self.query(OptionList))
        return self.asks and (bool(self._tries) or typed or chosen)

    def compose(self) -> ComposeResult:
        yield Static(Content(self.predict.ask), classes="predict-ask")
        if self._answered is not None:
            yield Static(_told(self.predict, self._answered), classes="predict-told")
        elif self.predict.choices:
            yield _Choices(*(Option(_BehindMark(choice)) for choice in self.predict.choices))
            yield Static(_("↑↓ choose, Enter answers, Esc leaves it"), classes="predict-keys")
        else:
            yield Input(placeholder=_(_TYPE))

    async def tell(self, answered: Answered) -> None:
        self._answered = answered
        await self.recompose()

    async def refuse(self, consequence: Consequence) -> None:
        """The last try was wrong: what would follow from it, and another try. The characters that the
        consequence speaks of are underlined."""
        self._judged = True
        for keys in self.query(".predict-keys"):
            await keys.remove()
        given, at = self._tries[-1], consequence.parts_at
        right, rest = (given, "") if at is None else (given[:at], given[at:])
        answer = (right, "bold"), (rest, "bold underline")
        refused = Content.assemble(("✗ ", "bold $error"), "‘", *answer, _("’ is not so. "))
        text = Content.assemble(refused, consequence.said, "\n", (_(_AGAIN), "$quiet"))
        told = Static(text, classes="predict-keys")
        await self.mount(told)
        self.call_after_refresh(told.scroll_visible, animate=False)
        for options in self.query(_Choices):
            options.refuse(self.predict.choices.index(self._tries[-1]))
        for typed in self.query(Input):
            typed.value = ""

    def on_resize(self) -> None:
        self.post_message(self.Placed())

    def action_leave(self) -> None:
        self.post_message(self.Left())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        tried = self.asks and bool(self._tries) and self._judged
        return tried if action == "tell" else action != "untold" or (self.asks and not self._tries)

    def action_untold(self) -> None:
        self.notify(_("Try an answer first; then F2 tells you."))

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
        if not given:
            self.notify(_("Nothing is typed yet: Enter answers with what stands here."))
        elif self._judged:
            self._judged = False
            self._tries = (*self._tries, given)
            self.post_message(self.Given(self, self._tries))


class _BehindMark(Visual):
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
    """None of them is chosen until the reader does: Enter alone chooses nothing. After a wrong one the
    arrows go on from there. Letters with which one begins choose it; of others, those in the footer are
    the screen's keys, and none steps away from what is asked about."""

    refused: int | None = None
    _begun = ""  # the letters so far

    def on_mount(self) -> None:
        self.highlighted = None

    def refuse(self, index: int) -> None:
        self.disable_option_at_index(index)
        self.highlighted, self.refused = None, index

    def on_key(self, event: events.Key) -> None:
        if not event.is_printable:
            self._begun = ""
            return
        letter = event.character or ""
        for letters in (self._begun + letter, letter):
            for at, option in enumerate(self.options):
                begins = str(option.prompt).lower().startswith(letters.lower())
                if begins and not option.disabled:
                    self.highlighted, self._begun = at, letters
                    event.stop()
                    return
        if letter.isalpha() and not self._is_told_of(event.key):
            self.notify(_("No choice begins so: ↑↓ choose, Enter answers."))
            event.stop()

    def _is_told_of(self, key: str) -> bool:
        """Whether the footer, or a button of the page above, names this key."""
        if key == "a" and self.screen.check_action("watch", ()):
            return True
        return any(footer.tells(key) for footer in self.screen.query(Footer))

    def action_cursor_up(self) -> None:
        self._take_up()
        super().action_cursor_up()

    def action_cursor_down(self) -> None:
        self._take_up()
        super().action_cursor_down()

    def action_select(self) -> None:
        if self.highlighted is None:
            self.notify(_("Nothing is chosen yet: ↑↓ choose, Enter answers."))
        super().action_select()

    def _take_up(self) -> None:
        if self.highlighted is None and self.refused is not None:
            self.set_reactive(OptionList.highlighted, self.refused)


def _told(predict: Predict, answered: Answered) -> Content:
    tries, right = answered.tries, answered.right
    if right:
        said = _("✓ Right, at the second try.") if len(tries) > 1 else _("✓ Right.")
        lines = [Content.styled(said, "bold $success")]
    else:
        lines = [Content.styled(_("✗ Not so."), "bold $error")]
    wrong = _(" and ").join(tries[: len(tries) - right])
    if wrong:
        lines.append(Content.assemble((_("you said  "), "$quiet"), wrong))
    lines.append(
        Content.assemble((_("it is     "), "$quiet"), (answered.truth or "nothing", "bold"))
    )
    if predict.because:
        lines.append(Content(predict.because))
    return Content("\n").join(lines)
