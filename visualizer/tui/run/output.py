"""What came of an experiment, in tabs: the result, the time, and what the kernel's code became."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from visualizer.frameworks.phi import report as run_report
from visualizer.layout.words import Parts
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.ink.listing import Listing

if TYPE_CHECKING:
    from registry_runtime.lab.phi.code import Code

Tell = Callable[[int], list[Parts]]  # a width to rows

RESULT, TIME, CODE = range(3)


def _unmeasured(width: int) -> list[Parts]:
    return [[("m measures how long it takes", ("pane--quiet",))]]


def _nothing(width: int) -> list[Parts]:
    return []


class RunOutput(Vertical):
    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._introduction: Tell = _nothing
        self._result: Tell | None = None
        self._times: Tell | None = None
        self._codes: Sequence[Code] = ()

    def compose(self) -> ComposeResult:
        yield TabRow(id="run-tabs")
        yield Listing(id="run-listing")

    def introduce(self, introduction: Tell) -> None:
        """Forget everything: another kernel is to be run."""
        self._introduction, self._result, self._times = introduction, None, None
        self.hold_codes(())
        self.open(RESULT)

    def hold_codes(self, codes: Sequence[Code]) -> None:
        """Have a tab for each of them, and open none."""
        self._codes = codes
        self.query_one(TabRow).tabs = ("Result", "Time", *(code.title for code in codes))

    def show_result(self, result: Tell) -> None:
        self._result = result
        self.open(RESULT)

    def show_times(self, times: Tell) -> None:
        self._times = times
        self.open(TIME)

    def show_refusal(self, text: str) -> None:
        """Why there is no result. The CUDA source of a kernel that lacks its device is shown anyway."""
        self._result = partial(run_report.refused, text)
        readable = any(code.language == "CUDA" and code.text for code in self._codes)
        self.open(CODE if readable else RESULT)

    def outdate(self) -> None:
        """What is shown was of other arguments than those that are filled in now."""
        if self._result is not None or self._times is not None:
            self.query_one(Listing).entitle("", "the arguments have changed since")

    def open(self, index: int) -> None:
        """Show a tab; nothing happens where there is none of that number."""
        tabs, listing = self.query_one(TabRow), self.query_one(Listing)
        if index >= len(tabs.tabs):
            return
        tabs.current = index
        told = ""
        if index == RESULT:
            listing.show(self._result or self._introduction)
        elif index == TIME:
            listing.show(self._times or _unmeasured)
        else:
            code = self._codes[index - CODE]
            if code.text:
                told = code.told
                listing.show_code(code.text, code.language)
            else:
                listing.show(partial(run_report.refused, code.told))
        listing.entitle("", told)

    @on(TabRow.Wanted)
    def _tab_wanted(self, message: TabRow.Wanted) -> None:
        self.open(message.index)
