"""The files opened last, newest first, each with the flags that it was opened with.

They are kept as JSON in the user's state folder. Every change reads the list anew while it holds the
lock, so that two instances don't lose each other's files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from visualizer.messages import _, ngettext
from visualizer.personal import folders, safe_file
from visualizer.workbench.flags import Flags
from visualizer.workbench.opening import Opening

KEPT = 10


@dataclass(frozen=True, slots=True)
class RecentFile:
    opening: Opening
    opened: datetime

    @property
    def gone(self) -> bool:
        return not self.opening.path.is_file()


def recent_file_path() -> Path:
    return folders.state_folder() / "recent.json"


def recent_files(say: Callable[[str], None]) -> list[RecentFile]:
    """The list as it is now. What is wrong with it is said, and never raised."""
    path = recent_file_path()
    try:
        text = safe_file.read(path).decode("utf-8")
    except FileNotFoundError:
        return []
    except OSError as error:
        say(f"{path}: the recent files cannot be read: {error.strerror}")
        return []
    except UnicodeDecodeError:
        return _damaged(path, "it is not UTF-8", say)
    try:
        return [_from_json(entry) for entry in safe_file.parsed(text)["files"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return _damaged(path, "it is no list of recent files", say)


def remember(opening: Opening, say: Callable[[str], None], kept: int = KEPT) -> None:
    """Put a file first in the list. That it can't be written is said, and no more."""
    new = RecentFile(opening.absolute(), datetime.now(UTC))
    _change(lambda files: [new, *_without(files, new.opening)][:kept], say)


def forget(opening: Opening, say: Callable[[str], None]) -> None:
    """Take a file off the list."""
    _change(lambda files: _without(files, opening), say)


def ago(then: datetime, now: datetime) -> str:
    """`5 minutes ago`, `yesterday`, `3 weeks ago`."""
    seconds = max((now - then).total_seconds(), 0)
    if seconds < 60:
        return _("just now")
    days = seconds / 86_400
    for name, size in (("year", 365), ("month", 30), ("week", 7), ("day", 1)):
        if days >= size:
            count = int(days / size)
            return _("yesterday") if (count, name) == (1, "day") else _counted(count, name)
    return _counted(int(seconds // 3600), "hour") if seconds >= 3600 else _minutes(seconds)


def _minutes(seconds: float) -> str:
    return _counted(int(seconds // 60), "minute")


def _counted(count: int, name: str) -> str:
    said = {
        "minute": ngettext("{count} minute ago", "{count} minutes ago", count),
        "hour": ngettext("{count} hour ago", "{count} hours ago", count),
        "day": ngettext("{count} day ago", "{count} days ago", count),
        "week": ngettext("{count} week ago", "{count} weeks ago", count),
        "month": ngettext("{count} month ago", "{count} months ago", count),
        "year": ngettext("{count} year ago", "{count} years ago", count),
    }
    return said[name].format(count=count)


def _change(
    change: Callable[[list[RecentFile]], list[RecentFile]], say: Callable[[str], None]
) -> None:
    path = recent_file_path()
    try:
        with safe_file.taking_turns(path):
            files = [_to_json(f) for f in change(recent_files(say))]
            text = json.dumps({"version": 1, "files": files}, indent=1)
            safe_file.write(path, text + "\n")
    except OSError as error:
        say(f"{path}: the recent files cannot be written: {error.strerror}")


def _without(files: list[RecentFile], opening: Opening) -> list[RecentFile]:
    """A path with other flags is another way to see it, and stays."""
    same = opening.path, opening.flags
    return [f for f in files if (f.opening.path, f.opening.flags) != same]


def _damaged(path: Path, why: str, say: Callable[[str], None]) -> list[RecentFile]:
    try:
        say(f"{path} is damaged ({why}). It is kept as {safe_file.set_aside(path).name}.")
    except OSError as error:
        say(f"{path} is damaged ({why}) and cannot be set aside: {error.strerror}")
    return []


def _to_json(file: RecentFile) -> dict[str, Any]:
    opening = file.opening
    return {
        "path": str(opening.path),
        "line": opening.line,
        "flags": opening.flags.words(),
        "opened": file.opened.isoformat(timespec="seconds"),
    }


def _from_json(entry: dict[str, Any]) -> RecentFile:
    path, line, flags = entry["path"], entry.get("line"), entry.get("flags", [])
    if not isinstance(path, str) or not isinstance(line, int | None):
        raise TypeError
    if not all(isinstance(word, str) for word in flags):
        raise TypeError
    from visualizer.workbench.flag_words import read_flags  # argparse; most files have no flags

    opened = datetime.fromisoformat(entry["opened"])
    return RecentFile(
        Opening(Path(path), line, read_flags(flags) if flags else Flags()),
        opened if opened.tzinfo else opened.replace(tzinfo=UTC),
    )
