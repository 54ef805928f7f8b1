"""The command `unfold`: home where it stands alone, or else a command line.

Whatever a screen needs is imported only when a screen is opened, and what a command line needs only
where there is one: home is drawn within half a second.
"""

from __future__ import annotations

import gc
import io
import os
import sys

from visualizer import interrupts


def main(argv: list[str] | None = None) -> int:
    """Run a command line; returns the exit code."""
    if argv is None:
        interrupts.end_at_once()
    try:
        return _run(argv)
    except KeyboardInterrupt:
        from visualizer.commands.reporting import INTERRUPTED

        if argv is None:
            interrupts.end_now(INTERRUPTED)
        return INTERRUPTED
    finally:
        if argv is None:
            interrupts.end_at_once()


def _run(argv: list[str] | None) -> int:
    words = sys.argv[1:] if argv is None else argv
    if words != ["--version"]:  # which is the same in every language
        words = _in_language(words)
    if words == ["--version"]:
        from visualizer.commands.version import print_version

        print_version()
        return 0
    from visualizer.commands.reporting import has_screen

    if argv is None:  # a process of its own, and mostly over before there is much to collect
        gc.set_threshold(200_000, 50, 50)
    _never_fail_on_a_character()
    if not words and has_screen():
        return _home()
    from visualizer.commands.command_line import run_words
    from visualizer.commands.legible import legible_streams

    with legible_streams():
        return run_words(words)


def _in_language(words: list[str]) -> list[str]:
    """The words without `--lang zh`, which may stand anywhere: help is in that language too."""
    from visualizer import messages

    messages.speak(_language_of_settings)
    for at, word in enumerate(words):
        if word == "--":
            break
        name, equals, language = word.partition("=")
        if name == "--lang":
            behind = at + 1 if equals else at + 2
            os.environ[messages.ASKED] = language if equals else "".join(words[at + 1 : behind])
            return [*words[:at], *words[behind:]] if os.environ[messages.ASKED] else words
    return words


def _language_of_settings() -> str:
    from visualizer.personal.settings import language

    return language()


def _home() -> int:
    from visualizer.tui.app import UnfoldApp

    app = UnfoldApp()
    interrupts.be_raised()
    app.run()
    return app.return_code or 0


def _never_fail_on_a_character() -> None:
    """Bars and arrows on a terminal that has none are shown as '?', not as a traceback."""
    if sys.stdout is None:  # `>&-`
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
