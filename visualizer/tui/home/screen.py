"""Home: what one can open, in one list that a typed word makes shorter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from visualizer.messages import _
from visualizer.personal.recent_files import forget
from visualizer.tui.home.choices import ListedLesson, choices
from visualizer.tui.home.list import HomeList
from visualizer.tui.home.preview import HomePreview
from visualizer.tui.ink.footer import Footer
from visualizer.workbench.background import in_background

if TYPE_CHECKING:
    from visualizer.workbench.opening import Opening

_MOVES = {"up": "move(-1)", "down": "move(1)", "pageup": "page(-1)", "pagedown": "page(1)"}
_FILTER = "Show only what has a word"
_ALL = "Show all again"
_FILTERED = "Open what the list stands at"
WIDE = 110  # columns from which on the preview stands beside the list


class HomeFilter(Input):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "open", tooltip=_FILTERED),
        Binding("escape", "screen.unfilter", "show all", tooltip=_ALL),
    ]


class HomeScreen(Screen[None]):
    """`open_file` is called with what the reader chose, `open_lesson` with a lesson's id, and `say`
    with what is wrong with the list of recent files. `glance` gives the lessons as far as they are
    known at once, `lessons` as they are."""

    AUTO_FOCUS = "HomeList"
    HORIZONTAL_BREAKPOINTS = [(0, "-too-narrow"), (60, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-too-low"), (16, "-flat")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "filter", tooltip=_FILTER, priority=True),
        Binding("ctrl+o", "app.ask", "open a file", tooltip="Open any file"),
        Binding("delete", "forget", "forget", tooltip="Take a recent file off the list"),
        Binding("escape", "unfilter", "show all", tooltip=_ALL, show=False),
    ]

    def __init__(
        self,
        open_file: Callable[[Opening], None],
        open_lesson: Callable[[str], None],
        glance: Callable[[], Sequence[ListedLesson]],
        lessons: Callable[[], Sequence[ListedLesson]],
        say: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._open_file, self._open_lesson = open_file, open_lesson
        self._glance, self._lessons, self._say = glance, lessons, say

    def compose(self) -> ComposeResult:
        title = Content.assemble(("Unfold", "bold"), (_("  from a macro to the kernel"), "$quiet"))
        yield Static(title, id="home-heading")
        yield HomeFilter(placeholder=_("/ filters"), max_length=200, compact=True, id="home-filter")
        with Horizontal(id="home-panes"):
            yield HomeList(id="home-list")
            yield HomePreview(id="home-preview")
        yield Footer()
        yield Static(
            _("Unfold needs a terminal of at least 60 columns and 16 rows."), id="too-small"
        )

    @work(exclusive=True)
    async def say_anew(self) -> None:
        """In another language."""
        await self.recompose()
        self.query_one(HomeList).focus()
        self._offer_at_once()
        self.offer()

    @on(events.Mount)
    def _offer_at_once(self) -> None:
        """The first picture waits for no lesson to be read through."""
        self.query_one(HomeList).offer(choices(self._glance(), self._say))

    @on(events.ScreenResume)
    def _offer_anew(self) -> None:
        """What there is may have changed since this screen was looked at."""
        # Twice: at the start, what the first time waits for is drawn before the rows are laid out.
        self.call_after_refresh(self.call_after_refresh, self.offer)

    @work(exclusive=True)
    async def offer(self) -> None:
        """A thread reads the lessons through, while the list stands as it is."""
        if self.is_active:  # and not only on the way from one screen to another
            there_are = await in_background(lambda: choices(self._lessons(), self._say))
            self.query_one(HomeList).offer(there_are)

    async def on_key(self, event: events.Key) -> None:
        """While one types, the list still moves."""
        listed, typed = self.query_one(HomeList), self.query_one(Input)
        if typed.has_focus and event.key in _MOVES:
            event.stop()
            await listed.run_action(_MOVES[event.key])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "filter":  # where something is typed already, `/` is a letter of it
            return not any(typed.has_focus and typed.value for typed in self.query(Input))
        if action == "forget":
            choice = self.query_one(HomeList).cursor
            return choice is not None and bool(choice.note) and choice.opening is not None
        return True

    def action_filter(self) -> None:
        self.query_one(Input).focus()

    def action_unfilter(self) -> None:
        self.query_one(Input).value = ""
        self.query_one(HomeList).focus()

    def action_forget(self) -> None:
        choice = self.query_one(HomeList).cursor
        if choice is not None and choice.opening is not None:
            forget(choice.opening, self._say)
            self.offer()

    @on(Input.Changed, "#home-filter")
    def _filtered(self, message: Input.Changed) -> None:
        self.query_one(HomeList).filter(message.value)

    @on(Input.Submitted, "#home-filter")
    def _first_wanted(self) -> None:
        self.query_one(HomeList).action_open()

    @on(HomeList.Moved)
    def _moved(self, message: HomeList.Moved) -> None:
        self.query_one(HomePreview).choice = message.choice
        self.refresh_bindings()

    @on(HomeList.Opened)
    async def _opened(self, message: HomeList.Opened) -> None:
        choice = message.choice
        self.query_one(HomeList).focus()  # whoever comes back has keys, not a field to type in
        if choice.lesson:
            self._open_lesson(choice.lesson)
        elif choice.opening is not None:
            self._open_file(choice.opening)
        else:
            await self.run_action("app.ask")
