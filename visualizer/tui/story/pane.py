"""A call gone through like an expansion: its steps in a list with a cursor, and below it what there was
after the step that the cursor is on.

The list leads and the table follows. Beside a lesson, what is still to come stands there with its name
alone, as a line shows no token before its time; whoever asked for the whole story reads it in grey.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from visualizer.frameworks import story_rows
from visualizer.frameworks.story import Story
from visualizer.frameworks.story_rows import CHANGED, HERE, StoryRow
from visualizer.layout.rows import BAD
from visualizer.layout.words import Parts, prose
from visualizer.messages import _
from visualizer.scene.pictures.strides import TITLE, of_story
from visualizer.tui.ink.code import LOOKS
from visualizer.tui.ink.pane import Pane

_MOVES = "One step of the story back, one on"
_CHAPTERS = "To the chapter before, to the next one"
_ENDS = "The call as it was made, what became of it"


class StoryPane(Vertical):
    """`at` is the step that the cursor is on. `whole`: what is still to come is told too."""

    def __init__(self, *, id: str, whole: bool = False) -> None:
        super().__init__(id=id)
        self.story: Story | None = None
        self.at = 0
        self.pictured = False
        self._whole = whole

    def compose(self) -> ComposeResult:
        yield StoryList(self._whole)
        yield StoryTable()

    def show(self, story: Story, at: int | None = None) -> None:
        """Another story, at that step; at its last one, if it is told whole."""
        last = len(story.steps) - 1
        self.story = story
        self.stand(last if at is None and self._whole else min(at or 0, last))

    def refuse(self, why: str) -> None:
        """There is no such call, and so no story."""
        self.story, self.at = None, 0
        listed = self.query_one(StoryList)
        listed.entitle(_("No such call"), "")
        listed.say(why)
        self.query_one(StoryTable).stand(None, 0)

    def move(self, by: int) -> bool:
        """Whether there was such a step."""
        there = self.at + by
        if self.story is None or not 0 <= there < len(self.story.steps):
            return False
        self.stand(there)
        return True

    def to_chapter(self, by: int) -> bool:
        """To the first step of the chapter before or behind this one."""
        if self.story is None:
            return False
        of = [chapter for chapter, _ in self.story]
        firsts = [n for n, chapter in enumerate(of) if n == 0 or chapter is not of[n - 1]]
        there = [n for n in firsts if (n > self.at if by > 0 else n < self.at)]
        if there:
            self.stand(there[0] if by > 0 else there[-1])
        return bool(there)

    def to_end(self, last: bool) -> None:
        if self.story is not None:
            self.stand(len(self.story.steps) - 1 if last else 0)

    def told_until(self, name: str) -> int:
        """Where the step or chapter of that name ends; here, if the story has none."""
        end = None if self.story is None else self.story.end_of(name)
        return self.at if end is None else end

    def stand(self, at: int) -> None:
        assert self.story is not None
        self.at = at
        listed = self.query_one(StoryList)
        listed.entitle(
            _("Story of the call"),
            _("step {at} of {count}").format(at=at + 1, count=len(self.story.steps)),
        )
        listed.stand(self.story, at)
        self.query_one(StoryTable).stand(self.story, at)

    def picture(self, pictured: bool) -> None:
        """The operands drawn as a loop reads them, in the place of the table; or the table again."""
        self.pictured = pictured
        self.query_one(StoryTable).picture(pictured)

    def has_picture(self) -> bool:
        """Whether there is something to draw at this step."""
        return bool(of_story(self.story, self.at, 80))

    def on_story_list_wanted(self, message: StoryList.Wanted) -> None:
        message.stop()
        self.stand(message.step)


class StoryList(Pane):
    COMPONENT_CLASSES: ClassVar[set[str]] = {*LOOKS, *HERE}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,left", "move(-1)", "step before", tooltip=_MOVES, show=False),
        Binding("down,right", "move(1)", "step behind", tooltip=_MOVES, show=False),
        Binding("ctrl+up", "chapter(-1)", "chapter before", tooltip=_CHAPTERS, show=False),
        Binding("ctrl+down", "chapter(1)", "chapter behind", tooltip=_CHAPTERS, show=False),
        Binding("home", "end(False)", "the call", tooltip=_ENDS, show=False),
        Binding("end", "end(True)", "what became of it", tooltip=_ENDS, show=False),
    ]

    class Wanted(Message):
        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, whole: bool) -> None:
        super().__init__()
        self._whole = whole
        self._story: Story | None = None
        self._at = 0
        self._refusal = ""
        self._rows: list[StoryRow] = []

    def stand(self, story: Story, at: int) -> None:
        self._story, self._at, self._refusal = story, at, ""
        self._lay_out()

    def say(self, why: str) -> None:
        self._story, self._refusal = None, why
        self._lay_out()

    def _lay_out(self) -> None:
        if not self.room:
            return
        if self._story is None:
            self._rows = [StoryRow(row, None) for row in prose(self._refusal, self.room, BAD)]
        else:
            told = story_rows.listing(self._story, self._at, self.room, self._whole)
            self._rows = list(told)
        self.hold(len(self._rows))
        here = [n for n, row in enumerate(self._rows) if row.step == self._at]
        if here:
            self.reveal(here[0], here[-1])
        self.repaint()

    def on_resize(self) -> None:
        self._lay_out()

    def draw(self, row: int) -> Parts:
        return self._rows[row].parts

    @property
    def text(self) -> str:
        """All of it, without colour."""
        return "\n".join("".join(text for text, _ in row.parts) for row in self._rows)

    @property
    def _pane(self) -> StoryPane:
        pane = self.parent
        assert isinstance(pane, StoryPane)
        return pane

    def action_move(self, by: int) -> None:
        self._pane.move(by)

    def action_chapter(self, by: int) -> None:
        self._pane.to_chapter(by)

    def action_end(self, last: bool) -> None:
        self._pane.to_end(last)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        row = None if offset is None else self.row_at(offset.y)
        step = None if row is None else self._rows[row].step
        if step is not None:
            self.post_message(self.Wanted(step))


class StoryTable(Pane):
    """Hidden where there is nothing to see."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*CHANGED, *LOOKS}

    def __init__(self) -> None:
        super().__init__()
        self._story: Story | None = None
        self._at = 0
        self._pictured = False
        self._rows: list[Parts] = []

    def picture(self, pictured: bool) -> None:
        self._pictured = pictured
        self._lay_out()

    def stand(self, story: Story | None, at: int) -> None:
        self._story, self._at = story, at
        self._lay_out()

    def _lay_out(self) -> None:
        width = self.room or self.size.width or 80
        drawn = of_story(self._story, self._at, width) if self._pictured else []
        table = story_rows.grid(self._story, self._at, width) if self._story else []
        self._rows = drawn or table
        if drawn:
            self.entitle(_(TITLE), _("P or Esc: the table"))
        else:
            is_there = bool(of_story(self._story, self._at, width))
            self.entitle("", _("P: what is read where") if is_there else "")
        self.display = bool(self._rows)
        self.styles.height = len(self._rows) + self.gutter.height
        self.hold(len(self._rows))
        self.repaint()

    def on_resize(self) -> None:
        self._lay_out()

    def draw(self, row: int) -> Parts:
        return self._rows[row]

    @property
    def text(self) -> str:
        return "\n".join("".join(text for text, _ in parts) for parts in self._rows)
