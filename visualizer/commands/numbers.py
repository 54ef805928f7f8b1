"""Numbers and lists of words on the command line."""

from __future__ import annotations

import argparse


def element_count(text: str) -> int:
    """`1000000`, `1_000_000` or `1e6`."""
    try:
        count = int(text.replace("_", ""))
    except ValueError:
        count = int(float(text)) if text.replace(".", "").replace("e", "").isdecimal() else -1
    if count < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of elements")
    return count


def words(text: str) -> list[str]:
    """What stands between the commas."""
    found = [word.strip() for word in text.split(",") if word.strip()]
    if not found:
        raise argparse.ArgumentTypeError("nothing is named")
    return found
