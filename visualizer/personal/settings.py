"""The user's settings: a TOML file that is theirs, with a default for every key.

A value that can't be used is named with file, line and key, and its default holds; a key that Unfold
doesn't know is named too, and kept. A file that isn't TOML is set aside rather than overwritten. When
the app changes a setting, it changes that one value: comments, order and unknown keys stay.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from visualizer.personal import folders, safe_file

THEMES = ("dark", "light", "high-contrast")
GRANULARITIES = ("coarse", "fine")
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Settings:
    theme: str = "dark"
    granularity: Literal["coarse", "fine"] = "fine"
    hidden_macros: tuple[str, ...] = ()
    run_size: int = 1_000_000
    recent_files: int = 10
    language: str = ""


@dataclass(frozen=True, slots=True)
class _Key:
    """What a key is for, and what a value for it becomes. `reads` raises ValueError, which says what
    would be right."""

    about: str
    reads: Callable[[object], object]


def _one_of(*names: str) -> Callable[[object], object]:
    def reads(value: object) -> object:
        if value not in names:
            raise ValueError(f"choose from {', '.join(names)}")
        return value

    return reads


def _number(least: int, most: int) -> Callable[[object], object]:
    def reads(value: object) -> object:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"give a whole number from {least:,} to {most:,}")
        return value

    return reads


def _language(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(r"[a-z]{0,3}", value):
        raise ValueError('give a code such as "zh", or "" for the system\'s')
    return value


def _names(value: object) -> object:
    if not isinstance(value, list | tuple) or not all(isinstance(v, str) and v for v in value):
        raise ValueError('give a list of names, such as ["PD_EXPAND", "PD_CONCAT*"]')
    return tuple(value)


KEYS = {
    "theme": _Key("the colours: dark, light or high-contrast", _one_of(*THEMES)),
    "granularity": _Key("what a step is: coarse or fine", _one_of(*GRANULARITIES)),
    "hidden_macros": _Key("macros whose steps are drawn together, as globs", _names),
    "run_size": _Key("elements with which a kernel is tried", _number(1, 10**9)),
    "recent_files": _Key("how many files the home screen remembers", _number(1, 200)),
    "language": _Key("the language: en, zh … (default: the system's)", _language),
}


def settings_path() -> Path:
    return folders.config_folder() / "settings.toml"


def load(say: Say) -> Settings:
    """The settings as they are now. What is wrong with the file is said, and never raised."""
    text = _text(say)
    if text is None:
        return Settings()
    path, values = settings_path(), {}
    for key, value in tomllib.loads(text).items():
        place = f"{path}:{_line_of(key, text)}: {key}"
        if key not in KEYS:
            say(f"{place} is no setting of Unfold's; it stays, and changes nothing")
            continue
        try:
            values[key] = KEYS[key].reads(value)
        except ValueError as error:
            say(f"{place} = {_shown(value)} cannot be used: {error}")
    return Settings(**values)  # type: ignore[arg-type]


def language() -> str:
    """The language that the settings name, or "". What is wrong with them is said by who needs more."""
    return load(lambda _: None).language if settings_path().is_file() else ""


def change(say: Say, **values: Any) -> None:
    """Write these settings into the file, and leave all else in it as it stands. That it can't be
    written is said, and no more.

    Raises ValueError for a value that `load` would not take, KeyError for a key that is none.
    """
    for key, value in values.items():
        KEYS[key].reads(value)
    import tomlkit
    from tomlkit.exceptions import ParseError

    path = settings_path()
    try:
        with safe_file.taking_turns(path):
            text = _text(say)
            try:
                document = tomlkit.parse(_new_file() if text is None else text)
            except ParseError as error:  # what is nested deeper than it reads
                say(f"{path}: no setting can be changed there: {error}")
                return
            for key, value in values.items():
                document[key] = value
            safe_file.write(path, tomlkit.dumps(document))
    except OSError as error:
        say(f"{path}: the settings cannot be written: {error.strerror}")


def _text(say: Say) -> str | None:
    """The file's text if it is TOML, and None if there is no such file, or none any more."""
    path = settings_path()
    try:
        text = safe_file.read(path).decode("utf-8")
        tomllib.loads(text)
        return text
    except FileNotFoundError:
        return None
    except OSError as error:
        say(f"{path}: the settings cannot be read: {error.strerror}")
        return None
    except UnicodeDecodeError:
        why = "it is not UTF-8"
    except RecursionError:
        why = "it is nested too deep"
    except ValueError as error:  # no TOML, or a number of thousands of digits
        why = str(error)
    try:
        say(f"{path} is damaged ({why}). It is kept as {safe_file.set_aside(path).name}.")
    except OSError as error:
        say(f"{path} is damaged ({why}) and cannot be set aside: {error.strerror}")
    return None


def _new_file() -> str:
    """A first settings file: every key with what it is for, commented out."""
    lines = ["# Unfold's settings. A line without # in front of it counts."]
    defaults = Settings()
    for field in fields(Settings):
        value = getattr(defaults, field.name)
        lines += ["", f"# {KEYS[field.name].about}", f"# {field.name} = {_shown(value)}"]
    return "\n".join(lines) + "\n\n"


def _shown(value: object) -> str:
    """A value as TOML writes it, or nearly."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_shown(v) for v in value) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _line_of(key: str, text: str) -> int:
    """The line on which a key at the top of the file, or the table of that name, stands."""
    name = re.escape(key)
    pattern = re.compile(rf"""^\s*\[*\s*["']?{name}["']?\s*[=.\]]""")
    return next((n for n, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)
