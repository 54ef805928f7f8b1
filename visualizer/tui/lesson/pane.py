"""A page of a lesson: its text, its questions, the kernels to run and the files to edit.

It shows a page as far as a `OpenPage` of it goes. It knows nothing of the screen beside it but which
reading of the file that has, nor of what is right: what the reader does goes up as a message, and comes
back as another reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Button, Markdown, OptionList, Static

from visualizer.learning import lesson as lessons
from visualizer.learning import player
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Asked, Changeable, Exercise, PagePart, Predict, Run
from visualizer.learning.player import OpenPage
from visualizer.learning.progress import Left
from visualizer.messages import N_, _, ngettext
from visualizer.tui.lesson.change_box import ChangeBox
from visualizer.tui.lesson.predict_box import PICK, PredictBox
from visualizer.tui.lesson.run_box import RunBox

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench

_SCROLL = N_("Scroll the lesson, if it has the focus")
_GO_ON = N_("What is still to be read, the question, the exercise, or the next page")
ENDS = N_("next lesson"), N_("the lessons"), N_("next question")  # behind a lesson's last page
HERE = (
    N_("read on"),
    N_("answer"),
    N_("go on"),
    N_("exercise"),
)  # what a page wants before it is left
_WANTS = *HERE, N_("next page"), *ENDS
GLANCE = 0.4  # seconds: who presses Enter sooner has not seen what came


class LessonPane(VerticalScroll, inherit_bindings=False):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "up", tooltip=_SCROLL, show=False),
        Binding("down", "scroll_down", "down", tooltip=_SCROLL, show=False),
        *(Binding("enter", f"go_on('{want}')", want, tooltip=_GO_ON) for want in _WANTS),
        Binding("pageup", "page_up", "page up", tooltip=_SCROLL, show=False),
        Binding("pagedown", "read_on", "page down", tooltip=_SCROLL, show=False),
    ]

    wants: reactive[str] = reactive("go on", bindings=True)  # what Enter does

    class PageWanted(Message):
        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class MoreWanted(Message):
        """What was answered is read: the page may lead on."""

    class Reached(Message):
        """The question that waits has the keys."""

    class ExerciseWanted(Message):
        def __init__(self, part: int) -> None:
            super().__init__()
            self.part = part

    def __init__(
        self, lesson: Lesson, onward: str, here: Callable[[], Workbench], *, id: str | None = None
    ) -> None:
        """`onward` is what comes behind the last page, `here` gives the reading beside it."""
        super().__init__(id=id, can_focus=True)
        self._lesson, self._onward, self._here = lesson, onward, here
        self._reading: OpenPage | None = None
        self._shown = 0  # parts of the page that stand here
        self._came = inf  # when what is new here stood on the screen
        self._left = False  # the question, for other keys than its own
        self._took_at: Size | None = None  # of this pane, when a question took the keys by itself

    def compose(self) -> ComposeResult:
        yield Vertical(id="lesson-parts")
        yield Static(id="lesson-more")

    @property
    def _page(self) -> int:
        return self._reading.page if self._reading is not None else 0

    @property
    def _parts(self) -> Sequence[PagePart]:
        return self._lesson.pages[self._page].parts

    @property
    def asked(self) -> Asked | None:
        """The question that waits for its answer: then it is the last part that is shown."""
        if self._reading is None or not self._shown:
            return None
        last = self._shown - 1
        part = self._parts[last]
        return part if isinstance(part, Asked) and last not in self._reading.answered else None

    @property
    def asks(self) -> bool:
        return self.asked is not None

    @property
    def waits(self) -> bool:
        """Whether the page goes on once its reader does."""
        return not self.asks and self._shown < len(self._parts)

    @property
    def onward(self) -> str:
        """What comes behind this page."""
        last = self._page + 1 == len(self._lesson.pages)
        return self._onward if last else "next page"

    @property
    def unread(self) -> bool:
        """Whether text lies below what is seen. The foot is none."""
        foot = self.query("#lesson-foot")
        height = foot.first().outer_size.height + 1 if foot else 0
        return self.max_scroll_y - self.scroll_y > height

    def _wanted(self) -> str:
        """What the page wants of the reader next. Nothing that is still to be read is skipped."""
        question = self._question()
        if self.unread and not (question is not None and self._is_seen(question)):
            return "read on"
        if question is not None:
            return "answer"
        if self.waits:
            return "go on"
        return "exercise" if self.query(".exercise.-unsolved") else self.onward

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "go_on" or parameters[0] == self.wants

    def action_go_on(self, _: str) -> None:
        wanted, question = self._wanted(), self._question()
        if monotonic() < self._came + GLANCE:
            return  # it was meant for what stood here before
        if wanted == "read on":
            self.action_read_on()
        elif question is not None:
            self._took_at = None
            if not self._is_seen(question):
                self._whole(question).scroll_visible(animate=False)
            question.focus(scroll_visible=False)
            self.post_message(self.Reached())
        elif wanted == "go on":
            self.post_message(self.MoreWanted())
        elif wanted == "exercise":
            self.query(".exercise.-unsolved").first(Button).press()
        else:
            self.post_message(self.PageWanted(1))

    def action_scroll_up(self) -> None:
        """Also of a page that has no room to scroll in: else the screen would take a step."""
        self.scroll_relative(y=-1, animate=False)

    def action_scroll_down(self) -> None:
        self.scroll_relative(y=1, animate=False)

    def action_read_on(self) -> None:
        """A screen further down; its last line stays, and the row that tells of more hides one. What is
        to be changed stands at the bottom then, and all that is said of it."""
        by, question = self.scrollable_content_region.height - 2, self._question()
        if question is not None and (whole := self._whole(question)) is not question:
            by = min(by, whole.region.bottom - self._seen.bottom)
        self.scroll_relative(y=max(by, 1), animate=False)

    async def show(self, reading: OpenPage, at: int = 0) -> None:
        """Show a page, from its top, or from a part on that has not been read yet."""
        self._reading, self._shown = reading, 0
        self.border_title = Content(self._lesson.title)
        page = self._lesson.pages[reading.page]
        parts = self.query_one("#lesson-parts")
        with self.app.batch_update():
            await parts.remove_children()
            title = Static(Content.styled(page.title, "bold $accent"), classes="lesson-title")
            before = replace(reading, shown=at)
            above, below = [*self._behind(before)], [*self._behind(reading)]
            await parts.mount(title, *above, *below, *self._foot(reading))
        self._focus_question(below[0] if above and below else title)

    async def extend(self, reading: OpenPage) -> None:
        """The same page, further down: a question was answered, or the reader has gone on."""
        self._reading = reading
        answered = [
            box for box in self.query(PredictBox) if box.asks and box.part in reading.answered
        ]
        with self.app.batch_update():
            for box in answered:
                await box.tell(reading.answered[box.part])
            for exercise in self.query(_Edit):
                exercise.tell(reading)
            await self.query("#lesson-foot, #lesson-left, #recall").remove()
            more = [*self._behind(reading)]
            await self.query_one("#lesson-parts").mount(*more, *self._foot(reading))
        self._focus_question(None if answered or not more else more[0])

    def _focus_question(self, top: Widget | None) -> None:
        """The keys go to the question that waits, once it can be seen; until then they scroll. What
        has come goes to the `top`."""
        self._came, self._left = inf, False
        self.focus(scroll_visible=False)
        self.call_after_refresh(self._arrived, top)

    def _arrived(self, top: Widget | None) -> None:
        if top is not None:
            self.scroll_to_widget(top, top=True, animate=False, immediate=True)
        self._came = monotonic()
        self._seen_anew()

    def _seen_anew(self) -> None:
        if self._came == inf or not self.is_attached or not self.query("#lesson-more"):
            return  # nobody can say yet what lies below, or nobody sees it any more
        question = self._question()
        takes = self.has_focus and not self._left
        asked = question is not None and question.has_focus
        if question is not None and takes and self._is_seen(question):
            question.focus(scroll_visible=False)
            self.post_message(self.Reached())
            self._took_at = self.size
            asked = True
        self.wants = self._wanted()
        for exercise in self.query(_Edit):
            exercise.offer(self.wants == "exercise")
        page = _("page {page} of {count}").format(
            page=self._page + 1, count=len(self._lesson.pages)
        )
        watched = self._reading is not None and self._reading.watched is not None
        more = _("more ▾ Enter") if self.wants == "read on" else _("more ▾")
        if self.wants == "read on" and isinstance(self.asked, Changeable):
            more = _("something to change ▾ Enter")
        if asked and isinstance(question, OptionList):  # Enter is the question's
            more = _(PICK)
        watch = [_("a watch it happen")] * (watched and not asked)  # there, letters are an answer
        keys = " · ".join([more] * self.unread + watch)
        told = Content.assemble((f"{page}{' · ' * bool(keys)}", "$quiet"), (keys, "bold $accent"))
        self.query_one("#lesson-more", Static).update(told)

    def _question(self) -> Widget | None:
        """Where the answer is given that the page waits for."""
        return next(iter(self.query("PredictBox Input, PredictBox OptionList")), None)

    def _is_seen(self, question: Widget) -> bool:
        return self._seen.contains_region(self._whole(question).region)

    @property
    def _seen(self) -> Region:
        return self.scrollable_content_region.shrink(Spacing(0, 0, 1, 0))

    def _whole(self, question: Widget) -> Widget:
        """What is to be seen with a field: beside something to change, what comes of it too, if all of
        that finds room."""
        box = question.parent
        if isinstance(box, ChangeBox) and box.region.height <= self._seen.height:
            return box
        return question

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._left = False
        self.call_after_refresh(self._seen_anew)

    def watch_virtual_size(self) -> None:
        self.call_after_refresh(self._laid_out)  # Markdown lays itself out in its own time

    @on(PredictBox.Placed)
    def on_resize(self) -> None:
        self.call_after_refresh(self._laid_out)

    def _laid_out(self) -> None:
        """A question that has the keys stays in sight, whatever size the page has now. One that took
        them while the text above it was still growing gives them back: that is to be read."""
        question = self._question()
        if question is not None and question.has_focus and not self._is_seen(question):
            begun = any(box.is_begun for box in self.query(PredictBox))
            if begun or self.size != self._took_at:
                self._whole(question).scroll_visible(animate=False)
            else:
                self.focus(scroll_visible=False)
        self._seen_anew()

    def on_focus(self) -> None:
        self.call_after_refresh(self._seen_anew)

    def _behind(self, reading: OpenPage) -> Iterator[Widget]:
        """The parts that don't stand here yet."""
        first, self._shown = self._shown, reading.shown
        for number, part in enumerate(self._parts[first : self._shown], first):
            if isinstance(part, Predict):
                yield PredictBox(number, part, reading.answered.get(number))
            elif isinstance(part, Changeable):
                come_of = partial(player.changed, self._lesson, self._page, number)
                answered = reading.answered.get(number)
                yield ChangeBox(number, part, answered, come_of, self._here)
            elif isinstance(part, Run):
                yield RunBox(part, partial(_bench, self._lesson, self._page, number))
            elif isinstance(part, Exercise):
                yield _Edit(number, reading)
            elif isinstance(part, str):
                yield Markdown(part)

    def _foot(self, reading: OpenPage) -> Iterator[Widget]:
        ends = self._page + 1 == len(self._lesson.pages) and not self.asks and not self.waits
        if ends:
            yield Static(_told_left(reading.left), id="lesson-left")
            if lessons.before(self._lesson):
                recall = _("three questions from before (y)")
                yield Button(recall, id="recall", compact=True, action="screen.recall")
        on = f"{_('go on' if self.waits else self.onward)} ▸"
        buttons = [Button(_("◂ back"), id="page-back", compact=True)] if self._page else []
        if reading.watched is not None:
            buttons.append(
                Button(_("watch it happen (a)"), id="watch", compact=True, action="screen.watch")
            )
        yield Horizontal(
            *buttons, Button(on, id="page-next", compact=True, disabled=self.asks), id="lesson-foot"
        )

    @on(PredictBox.Left)
    def _question_left(self) -> None:
        self._left = True
        self.focus(scroll_visible=False)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        name = event.button.id or ""
        if name.startswith("exercise-"):
            self.post_message(self.ExerciseWanted(int(name.removeprefix("exercise-"))))
        elif name == "page-next" and self.waits:
            self.post_message(self.MoreWanted())
        else:
            self.post_message(self.PageWanted(1 if name == "page-next" else -1))


def _bench(lesson: Lesson, page: int, part: int) -> Workbench:
    """What a kernel there runs in: neither the screen nor an answer sees what that does to it."""
    return player.stand(lesson, page, part).bench.apart()


def _told_left(left: Left) -> Content:
    """At the end of a lesson: what its reader has passed over."""
    if not str(left):
        return Content.styled(
            _("✓ All pages are read, all is answered and solved."), "bold $success"
        )
    rows = [
        *_at_pages(_("not read: "), "", left.unread),
        *_at_pages(_("not answered: "), "question", left.asked),
        *_at_pages(_("answered wrongly: "), "question", left.missed),
        *_at_pages(_("not solved: "), "exercise", left.unsolved),
        *_at_pages(_("solution shown: "), "exercise", left.shown),
    ]
    return Content.styled("\n".join([_("Still open in this lesson:"), *rows]), "$quiet")


def _at_pages(why: str, what: str, at: Sequence[int]) -> Iterator[str]:
    """`not answered: 3 questions on pages 1, 2`, or nothing."""
    if at:
        pages = sorted(set(at))
        count = len(at)
        some = {
            "": "",
            "question": ngettext("{count} question on ", "{count} questions on ", count),
            "exercise": ngettext("{count} exercise on ", "{count} exercises on ", count),
        }[what].format(count=count)
        on = ngettext("page {pages}", "pages {pages}", len(pages))
        yield f"{why}{some}{on.format(pages=', '.join(map(str, pages)))}"


_UNSOLVED = N_("Edit the file")


class _Edit(Button):
    """Opens an exercise."""

    def __init__(self, part: int, reading: OpenPage) -> None:
        super().__init__("", id=f"exercise-{part}", classes="exercise")
        self._part = part
        self.tell(reading)

    def tell(self, reading: OpenPage) -> None:
        solved, shown = self._part in reading.solved, self._part in reading.solution_shown
        again = _("the solution was shown: try it yourself") if shown else _(_UNSOLVED)
        self.label = _("✓ solved: look at it again") if solved else again
        self.update_classes({"-solved": solved, "-unsolved": not solved and not shown})

    def offer(self, at_enter: bool) -> None:
        """Whether Enter opens it from the page, too: what is still to be read comes before it."""
        if self.has_class("-unsolved"):
            self.label = f"{_(_UNSOLVED)} (Enter)" if at_enter else _(_UNSOLVED)
