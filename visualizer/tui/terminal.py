"""What an app owes the terminal that it runs in, whatever it shows there.

`NO_COLOR` takes all colour away, and what its ground made stand out is in reverse video. Without UTF-8,
what is drawn is drawn with ASCII. What had to be said beside the reader's own doings is said on the
screen, and once more on stderr when the app has ended: by then, a message that went by is gone. And
objects that stay are taken out of the garbage collector's sight, since looking through a long trace for
garbage again and again is what makes a key wait.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual.app import App

if TYPE_CHECKING:
    from textual.filter import LineFilter
    from textual.screen import Screen


class TerminalApp(App[None]):
    def __init__(self) -> None:
        colourless = bool(os.environ.get("NO_COLOR"))
        if not colourless:
            os.environ.pop("NO_COLOR", None)  # empty, it asks for nothing; Textual takes it as set
        # Of Textual's two filters, that for the terminal's own colours takes all of them away.
        super().__init__(ansi_color=True if colourless else None)
        self.said: list[str] = []
        self._grounds: list[LineFilter] = []
        self._plain: list[LineFilter] = []
        self._keeps = False
        if colourless:
            from visualizer.tui.ink.reverse_video import ReverseVideo

            self._grounds.append(ReverseVideo(self))

    def on_load(self) -> None:
        if not self.is_headless and not self.is_web:
            from visualizer.tui.ink.plain_letters import PlainLetters, has_utf8

            if not has_utf8():
                self._plain.append(PlainLetters())

    def on_mount(self) -> None:
        for text in self.said:
            self._show(text)

    async def _replace_screen(self, screen: Screen[Any]) -> Screen[Any]:
        """A screen is taken away once it stands. Textual takes it apart while it is still being made,
        and what it then looks for on itself is gone."""
        made: Any = screen  # whose event mypy can't tell the type of
        await made._mounted_event.wait()
        return await super()._replace_screen(screen)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*self._grounds, *super().get_line_filters(), *self._plain]

    def run(self, *arguments: Any, **options: Any) -> Any:
        """As Textual does; afterwards, what had to be said is on stderr too."""
        try:
            return super().run(*arguments, **options)
        finally:
            for text in self.said:
                print(f"unfold: {text}", file=sys.stderr)

    def say(self, text: str) -> None:
        """Tell the reader what went wrong beside what they do. Any thread may call this, and from the
        beginning on."""
        if text not in self.said:
            self.said.append(text)
            if self.is_running:
                self._show(text)

    def keep(self) -> None:
        """What there is now stays: a file has been opened. What was kept before may go."""
        if self.is_headless:
            return
        if self._keeps:
            gc.unfreeze()
            gc.collect()
        gc.freeze()
        self._keeps = True

    def _show(self, text: str) -> None:
        self.notify(text, severity="warning", timeout=10, markup=False)
