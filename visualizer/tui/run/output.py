"""What came of a run, in tabs: the result, how it came about, and what the kernel's code became."""

from __future__ import annotations

from collections.abc import Mapping

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from visualizer.frameworks.runnable import CodeTab, Done, Form, Tab
from visualizer.frameworks.story import Story
from visualizer.messages import N_, _
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.ink.listing import Listing
from visualizer.tui.story.pane import StoryList, StoryPane

_EARLIER = N_("of what was filled in before")


class RunOutput(Vertical):
    """A tab stays until another of its title comes, a run is refused, or something else is run."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._first: Mapping[str, Tab] = {}  # before anything is run
        self._tabs: Mapping[str, Tab] = {}
        self._index = 0
        self._is_earlier = False  # of another form than the one that is filled in now

    def compose(self) -> ComposeResult:
        yield TabRow(id="run-tabs")
        yield Listing(id="run-listing")
        yield StoryPane(id="run-story", whole=True)

    def introduce(self, form: Form) -> None:
        """Forget everything: something else is to be run."""
        self._first = self._tabs = {form.result: form.introduction, **form.tabs}
        self._is_earlier = False
        self.open(0)

    def show(self, done: Done) -> None:
        before = self._first if done.is_refusal else self._tabs
        self._tabs = {**before, **done.tabs}
        self._is_earlier = False
        self.open([*self._tabs].index(done.opened))

    def outdate(self) -> None:
        """What is shown was of other arguments than those that are filled in now."""
        self._is_earlier = True
        self._entitle()

    @property
    def count(self) -> int:
        return len(self._tabs)

    def open(self, index: int) -> None:
        """Show the tab of that number. Whoever reads in one reads on in the other: Textual gives up the
        focus of what is hidden."""
        reads = self.screen.focused is self.shown
        self._fill(index)
        if reads:
            self.shown.focus()

    def _fill(self, index: int) -> None:
        row, listing = self.query_one(TabRow), self.query_one(Listing)
        row.tabs, row.current = tuple(self._tabs), index
        tab = [*self._tabs.values()][index]
        self.set_class(isinstance(tab, Story), "-story")
        if isinstance(tab, Story):
            self.query_one(StoryPane).show(tab)
            return
        if isinstance(tab, CodeTab):
            listing.show_code(tab.text, tab.language)
        else:
            listing.show(tab)
        self._index = index
        self._entitle()

    def _entitle(self) -> None:
        """In small windows a frame has its upper edge only, and the mark is not to be missed there."""
        title, tab = [*self._tabs.items()][self._index]
        earlier = self._is_earlier and tab is not self._first.get(title)
        told = tab.told if isinstance(tab, CodeTab) else ""
        mark = _(_EARLIER) if earlier else ""
        self.query_one(Listing).entitle(mark, told, str(self._index + 1))

    @property
    def shown(self) -> Listing | StoryList:
        """What the open tab stands in, to be read or stepped through."""
        if self.has_class("-story"):
            return self.query_one(StoryList)
        return self.query_one(Listing)

    @on(TabRow.Wanted)
    def _tab_wanted(self, message: TabRow.Wanted) -> None:
        self.open(message.index)
