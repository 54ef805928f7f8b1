"""What answers a question: a function of an open file, a place in it, and the question's own words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion.tokens import Token
from visualizer.expansion.views import FINE, Look

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


@dataclass(frozen=True, slots=True)
class Place:
    """An expansion, one of its states as it is looked at, the token that is followed, and the line of
    the file that is to be seen."""

    expansion: int
    state: int
    look: Look = FINE
    token: Token | None = None
    seen: int | None = None


_MOST = 1 << 27  # elements
Answer = Callable[["Workbench", Place, list[str]], str]


def numbers(text: str) -> tuple[int, ...]:
    """Dims or strides as a question has them, `2,3`; those of a scalar are none."""
    return tuple(int(number) for number in text.split(",") if number)


def first_sentence(text: str) -> str:
    """The first of what an error says, without its full stop."""
    return re.split(r"\. +(?=[A-Z])|\n", text.strip(), maxsplit=1)[0].removesuffix(".")


def words_of(text: str) -> list[str]:
    """A call's words: blanks part them, but for those within brackets, which mean nothing there."""
    joined, depth = "", 0
    for character in text:
        depth = max(depth + (character == "[") - (character == "]"), 0)
        joined += "" if depth and character.isspace() else character
    return joined.split()


def no_words_behind(word: str, tensor: str) -> None:
    """Raises Unanswerable for a word that begins as a tensor and goes on behind its bracket."""
    if found := re.match(tensor, word):
        behind = word[found.end() :]
        raise Unanswerable(f"behind {found[0]} stands '{behind}': write a blank between the two")


def affordable(elements: int) -> int:
    """So many elements, if a tensor of them is made for a question. Raises Unanswerable."""
    if elements > _MOST:
        raise Unanswerable(f"{elements:,} elements are more than are made here: {_MOST:,}")
    return elements


class Unanswerable(Exception):
    """The question can't be asked at this place."""


class EndsWithError(Unanswerable):
    """What the question would have the file do ends with an error."""
