"""A text without the characters that would move a cursor, or that nobody sees: a raw string, and so any
token, may have them."""

from __future__ import annotations

from functools import lru_cache


def shown_chars(text: str) -> str:
    """As many characters: a dot for one that can't be seen, an arrow for a line's end."""
    return text if text.isprintable() else _shown(text)


@lru_cache(maxsize=4096)
def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else "⏎" if c == "\n" else "·" for c in text)
