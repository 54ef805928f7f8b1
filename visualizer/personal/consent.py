"""Whether a file that came from elsewhere may run: this user's word, once for its contents.

Opening a file runs nothing of it. A Python kernel beside it, or a body that would be compiled, runs
only where the user named the file on the command line to be run, or has said yes to exactly these
contents before: what is kept is a digest of all that runs, so that a changed file is asked about
anew. Samples are ours, and need no word. In `unfold serve` there is nobody who may give it:
`why_not_here` says so, and whoever compiles or runs a user's text asks that first.

    if reason := consent.why_not_here(): …refuse, with that sentence
    what = consent.digest(text, *headers)
    if not (named or consent.is_given(what)): …ask; then consent.give(what, path, say)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from visualizer.expansion.readable import is_confined
from visualizer.personal import folders, safe_file

_KEPT = 500


def why_not_here() -> str:
    """Why nothing of a user's may be compiled or run in this process; empty where it may."""
    if is_confined():
        return "in a served app nothing that a visitor brings is compiled or run"
    return ""


def digest(*contents: bytes) -> str:
    """Of all that would run; each part counts by itself."""
    whole = blake2b(digest_size=32)
    for part in contents:
        whole.update(len(part).to_bytes(8, "little"))
        whole.update(part)
    return whole.hexdigest()


def is_given(what: str) -> bool:
    """Whether this user has said yes to these contents. A list that can't be read says no."""
    return what in _given()


def give(what: str, path: Path, say: Callable[[str], None]) -> None:
    """Remember the user's yes. That it can't be written is said: then they are asked again."""
    kept = _file()
    try:
        with safe_file.taking_turns(kept):
            given = {k: v for k, v in _given().items() if k != what}
            newest = dict(list({**given, what: str(path.absolute())}.items())[-_KEPT:])
            safe_file.write(kept, json.dumps({"version": 1, "given": newest}, indent=1) + "\n")
    except OSError as error:
        say(f"{kept}: that this may run cannot be remembered: {error.strerror}")


def _file() -> Path:
    return folders.state_folder() / "may_run.json"


def _given() -> dict[str, str]:
    """The files that may run, by digest, the newest last."""
    try:
        content = safe_file.parsed(safe_file.read(_file()))
        given = content["given"]
        if not all(isinstance(word, str) for pair in given.items() for word in pair):
            return {}
        return dict(given)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
