"""Which branches of the file's `#if`s are taken and why, and the tree of what it includes.

The trace that is stepped through doesn't hold this: the file is preprocessed once more for it, in a
thread, with every subexpression's value written down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work
from textual.content import Content

from visualizer.tui.dialogs.panel import Panel

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


_FRAME = 7  # columns that hold no text


class DirectivesScreen(Panel):
    def __init__(self, bench: Workbench) -> None:
        super().__init__("Conditionals and includes")
        self._bench = bench
        self._text = Content.styled("Preprocessing the file once more …", "$quiet")
        self._room = 0

    def on_mount(self) -> None:
        self._room = self.app.size.width * 96 // 100 - _FRAME  # as wide as it may become
        self._explain()

    @work(thread=True, exclusive=True)
    def _explain(self) -> None:
        from visualizer.expansion import InputError, preprocess
        from visualizer.export.directives import conditionals, includes

        try:
            trace = preprocess(
                self._bench.path,
                self._bench.options,
                skip_included_text=True,
                explain_directives=True,
            )
            lines = [*conditionals(trace), "", *includes(trace, self._room)]
        except InputError as error:
            lines = [str(error.diagnostic)]
        self.app.call_from_thread(self._finish, "\n".join(lines).strip())

    def _finish(self, text: str) -> None:
        self._text = Content(text or "This file has no conditionals, and includes nothing.")
        if self.is_mounted:
            self.show()

    def content(self) -> Content:
        return self._text
