"""Heads that the grammar takes without a stumble, and no compiler does: what to look for, before a long
text is read token by token."""

from __future__ import annotations

import re

from registry_runtime.cxx.head_tokens import RESERVED


def may_be_broken(text: str) -> bool:
    """Whether there are heads that the grammar takes without a stumble, and no compiler does."""
    return any(kind.search(text) for kind in _TAKEN_TOO_KINDLY) or any(
        _follows_a_name(text, found.start())
        for word in ("static_assert", "unsigned", "signed", "short", "long")
        for found in re.finditer(word, text)
    )


# Each begins with a word of its own: what begins with one of several takes ten times as long to search.
_TAKEN_TOO_KINDLY = (
    re.compile(r"static\s+(?:extern|static|typedef)\b"),
    re.compile(r"typedef\s+(?:extern|static|typedef)\b"),
    re.compile(r"static\s+inline\s+static\b"),
    re.compile(r"static\s+(?:thread_local|constinit)\s+(?:static|void)\b"),
    re.compile(r"typename\s+(?:struct|class|union|enum|static)\b"),
    re.compile(r"::\s*(?:struct|class|union|enum|static|namespace|using)\b"),
    re.compile(r"template\s+(?:static|extern|using|namespace)\b"),
    re.compile(r"template\s*<\s*>\s*(?:template\s*<\s*>|(?:struct|class|union)\s+\w+\s*[{:;])"),
    *(
        re.compile(rf"{word}\s+static\b")
        for word in (
            "thread_local",
            "register",
            "mutable",
            "virtual",
            "explicit",
            "friend",
            "constinit",
        )
    ),
    re.compile(r"extern\s+(?:(?:extern|static|typedef)\b|template\s*<)"),
    re.compile(r'extern\s*"C(?:\+\+)?"\s*(?:static|extern|thread_local|template)\b'),
    re.compile(r"template\s*<[^<>;{}()]+>\s*template\s*<\s*>"),
    *(
        re.compile(rf"{key}\s+(?:struct|class|union|enum)\b")
        for key in ("struct", "class", "union")
    ),
)
_LAST_WORD = re.compile(r"([A-Za-z_]\w*)\Z")


def _follows_a_name(text: str, at: int) -> bool:
    before = text[max(0, at - 80) : at]
    word = before.rstrip()
    if word == before or word.endswith((";", "}")):  # as most declarations do
        return False
    last = _LAST_WORD.search(word)
    return last is not None and last[1] not in RESERVED
