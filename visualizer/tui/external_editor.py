"""The reader's own editor at a line, with the app put aside meanwhile: `VISUAL`, else `EDITOR`.

Most editors take `+LINE FILE`, as `vi` has it; those that want it said in another way are listed here.
In a browser there is no terminal to hand over, and no program of the server's is a visitor's to start.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from visualizer.messages import N_, _

if TYPE_CHECKING:
    from textual.app import App

_NONE = N_("Name your editor first: VISUAL or EDITOR in the environment, as in EDITOR=vim unfold.")
_BEHIND_A_COLON = {"hx", "helix", "subl", "zed", "micro"}
_GOTO = {"code", "code-insiders", "codium", "cursor"}


def edit(app: App[None], path: Path, line: int) -> None:
    """Open it, and come back when it ends. Where that can't be done, a message says why."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if app.is_web:
        _say(app, _("Your editor can't be opened from a browser."))
    elif not editor.strip():
        _say(app, _(_NONE))
    elif not path.is_file():
        _say(app, _("There is no file {path} that an editor could open.").format(path=path))
    else:
        try:
            _run(app, command(editor, path, line))
        except ValueError as error:  # quotes that nobody closed
            _say(app, _("The name of your editor can't be read: {error}.").format(error=error))


def command(editor: str, path: Path, line: int) -> list[str]:
    """What to run. Raises ValueError where the editor's words can't be told apart."""
    words, file = shlex.split(editor), str(path.absolute())
    name = Path(words[0]).name
    if name in _GOTO:
        return [*words, "--goto", f"{file}:{line}"]
    if name in _BEHIND_A_COLON:
        return [*words, f"{file}:{line}"]
    return [*words, f"+{line}", file]


def _run(app: App[None], words: list[str]) -> None:
    said = ""
    try:
        with app.suspend():
            try:  # in here: what leaves this block by an exception leaves the app put aside
                status = subprocess.run(words, check=False).returncode
                said = (
                    _("{program} ended with status {status}.").format(
                        program=words[0], status=status
                    )
                    if status
                    else ""
                )
            except OSError as error:
                said = _("{program} can't be run: {strerror}.").format(
                    program=words[0], strerror=error.strerror
                )
    except SuspendNotSupported:
        said = _("This terminal can't be handed over to an editor.")
    if said:
        _say(app, said)


def _say(app: App[None], text: str) -> None:
    app.notify(text, severity="warning", markup=False)
