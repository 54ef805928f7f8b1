"""A call beside the page, in place of the steps of a macro: what was called, and its story.

The page says which call, and how far it is told. The reader may write another one in the field above
it: the call is made, and the story follows, at the step that it stood at.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from visualizer.frameworks.answers import Unanswerable
from visualizer.frameworks.stories import story_of
from visualizer.messages import _
from visualizer.tui.story.pane import StoryPane
from visualizer.workbench.background import in_background

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


class CallPane(Vertical):
    class Left(Message):
        """The reader has done with the field."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._bench: Workbench | None = None
        self._told = ""

    def compose(self) -> ComposeResult:
        yield CallField(placeholder=_("a call, as aten::add.Tensor Float[2,3] 1"))
        yield StoryPane(id="call-story")

    def show(self, bench: Workbench, call: str, told: str) -> None:
        """That call in that file's program, down to the step or chapter `told`."""
        if (bench, call, told) != (self._bench, self.call, self._told):
            self._bench, self._told = bench, told
            self.query_one(Input).value = call
            self._tell(call, told)

    @property
    def call(self) -> str:
        return self.query_one(Input).value

    @property
    def story(self) -> StoryPane:
        return self.query_one(StoryPane)

    @on(Input.Submitted)
    def _written(self, event: Input.Submitted) -> None:
        event.stop()
        pane = self.story
        here = "" if pane.story is None else pane.story.steps[pane.at].name
        self._told = ""  # the page's own call can be shown anew
        self._tell(event.value, here)

    def _tell(self, call: str, told: str) -> None:
        self.run_worker(self._made(call, told), exclusive=True)

    async def _made(self, call: str, told: str) -> None:
        assert self._bench is not None
        pane = self.story
        try:
            story = await in_background(partial(story_of, self._bench, call))
        except Unanswerable as error:
            pane.refuse(str(error))
        else:
            named = story.end_of(told) if told else None
            pane.show(story, pane.at if named is None and not self._told else named)


class CallField(Input):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back to the page", tooltip="Leave the field", show=False)
    ]

    def action_leave(self) -> None:
        self.post_message(CallPane.Left())
