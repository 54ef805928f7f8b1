"""What an app owes the terminal that it runs in, whatever it shows there.

`NO_COLOR` takes all colour away, and what its ground made stand out is in reverse video. Without UTF-8,
what is drawn is drawn with ASCII. Keys act in the order in which they come, and each is spelled in one
way. What had to be said beside the reader's own doings is said on the screen, and once more on stderr
when the app has ended: by then, a message that went by is gone. Where the process is told to end
(SIGTERM), or its terminal goes (SIGHUP), the terminal is put back, and the reader's work kept. And
objects that stay are taken out of the garbage collector's sight, since looking through a long trace for
garbage again and again is what makes a key wait.
"""

from __future__ import annotations

import asyncio
import gc
import os
import re
import signal
import sys
from collections.abc import Sequence
from functools import partial
from time import time
from typing import TYPE_CHECKING, Any

from rich._wrap import divide_line
from textual import content, events
from textual.app import App
from textual.binding import Binding
from textual.notifications import Notify
from textual.widgets._toast import Toast

from visualizer.expansion.source_files import legible
from visualizer.layout.row_breaks import breaks, is_wide
from visualizer.messages import _
from visualizer.tui.in_order import InOrder
from visualizer.tui.ink.inked import Sheet
from visualizer.tui.ink.keyboard import sign_of

if TYPE_CHECKING:
    from textual.filter import LineFilter
    from textual.notifications import Notification
    from textual.screen import Screen

_TIMES = "  ×"
_PATH = re.compile(r"\S*/\S+")
_TOAST = 60  # columns of a wide one; it takes half of a narrow screen


def _divided(text: str, width: int, fold: bool = True) -> list[int]:
    """Textual breaks at blanks alone, as Rich does."""
    return breaks(text, max(width, 1), fold) if is_wide(text) else divide_line(text, width, fold)


content.divide_line = _divided  # type: ignore[attr-defined]


def _folded(room: int, path: re.Match[str]) -> str:
    """A path that has no room in a row goes on behind a `/`, not within a name."""
    rows, rest = [], path[0]
    while len(rest) > room and (end := rest.rfind("/", 1, room) + 1):
        rows.append(rest[:end])
        rest = rest[end:]
    return "\n".join([*rows, rest])


class TerminalApp(App[None]):
    def __init__(self) -> None:
        colourless = bool(os.environ.get("NO_COLOR"))
        if not colourless:
            os.environ.pop("NO_COLOR", None)  # empty, it asks for nothing; Textual takes it as set
        # Of Textual's two filters, that for the terminal's own colours takes all of them away.
        super().__init__(ansi_color=True if colourless else None)
        self.stylesheet = Sheet(variables=self.get_css_variables())
        self.said: list[str] = []
        self._grounds: list[LineFilter] = []
        self._plain: list[LineFilter] = []
        self._keeps = False
        self._spoken_over: Screen[Any] | None = None
        self.typed = InOrder(self, self._act)
        if colourless:
            from visualizer.tui.ink.reverse_video import ReverseVideo

            self._grounds.append(ReverseVideo(self))

    def on_load(self) -> None:
        if not self.is_headless and not self.is_web:
            from visualizer.tui.ink.plain_letters import PlainLetters, has_utf8

            if not has_utf8():
                self._plain.append(PlainLetters())

    def on_mount(self) -> None:
        if not self.is_headless and sys.platform != "win32":
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(number, self.exit, None, 128 + number)
        for text in self.said:
            self._show(text)

    def get_key_display(self, binding: Binding) -> str:
        return sign_of(binding)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self.typed.take(event)
        else:
            await super().on_event(event)

    async def _act(self, event: events.Event) -> None:
        """Esc ends what came last: a message of something that went wrong, unless a screen was opened
        over it. What was only told (*saved*) holds nobody up."""
        is_escape = isinstance(event, events.Key) and event.key == "escape"
        went_wrong = any(told.severity != "information" for told in self._notifications)
        if is_escape and went_wrong and self.screen is self._spoken_over:
            self.clear_notifications()
        else:
            await super().on_event(event)

    async def _replace_screen(self, screen: Screen[Any]) -> Screen[Any]:
        """A screen is taken away once it stands. Textual takes it apart while it is still being made,
        and what it then looks for on itself is gone."""
        made: Any = screen  # whose event mypy can't tell the type of
        await made._mounted_event.wait()
        return await super()._replace_screen(screen)

    def export_screenshot(self, **options: Any) -> str:
        """As Textual does. A file may have a name that is no UTF-8, which a picture can't hold."""
        return legible(super().export_screenshot(**options))

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

    def notify(self, message: str, **options: Any) -> None:
        message = _PATH.sub(partial(_folded, min(_TOAST, self.size.width // 2) - 3), _(message))
        self._spoken_over = self.screen_stack[-1] if self._screen_stack else None
        super().notify(message, **options)

    def _on_notify(self, event: Notify) -> None:
        """What is being said isn't said beside itself. It is said anew in its own place, with how often
        by now: a key that is pressed again is seen to act again, one that is held fills no screen."""
        words = event.notification.message
        for toast in self._notifications:
            said, _, times = toast.message.partition(_TIMES)
            if said == words:
                toast.message = f"{said}{_TIMES}{int(times or 1) + 1}"
                self._renew(toast)
                event.prevent_default()
                return

    def _renew(self, toast: Notification) -> None:
        toast.raised_at = time()
        for screen in self.screen_stack:
            for shown in screen.query(Toast).results():
                if shown._notification is toast:
                    for timer in list(shown._timers):
                        timer.stop()
                    shown.set_timer(toast.timeout, shown._expire)
                    shown.refresh(layout=True)

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
