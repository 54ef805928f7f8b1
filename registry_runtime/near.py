"""Which of the names that are known somebody may have meant by one that isn't."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], least: float = 0.7) -> str:
    """The one that is most like `name`, or "" where none is at `least` so much like it, of 1. In the
    wrong case a letter is the same letter."""
    from difflib import get_close_matches  # only where something is wrong

    by_letters: dict[str, list[str]] = {}
    for each in known:
        by_letters.setdefault(each.casefold(), []).append(each)
    alike = get_close_matches(name.casefold(), by_letters, 1, least)
    return get_close_matches(name, by_letters[alike[0]], 1, 0)[0] if alike else ""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "", least: float = 0.7) -> str:
    """A question about the nearest name, or else this."""
    near = nearest(name, known, least)
    return f"did you mean {near}?" if near else otherwise
