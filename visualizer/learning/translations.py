"""A translation of a lesson, held to the lesson block by block.

`lesson.zh.md` stands beside `lesson.md`, with the same pages and blocks in the same order; only what
is read is in other words. What is asked of the engine, and where the screen is led, is the lesson's
own. The translation's front matter keeps in `translates` a mark of each block that it was made of, a
line a page. Where a block has changed since, its reader gets the lesson's own, with a note: never what
was so once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from hashlib import blake2b
from itertools import zip_longest
from typing import TYPE_CHECKING

from visualizer.learning.parts import Changeable, Exercise, Go, PagePart, Predict, Run

if TYPE_CHECKING:
    from visualizer.learning.lesson import Page

_NOTES = {"zh": "*(这一段的英文原文已经改动,译文尚未更新,以下是原文。)*"}
_NOTE = "*(This has changed since it was translated.)*"


class NotFitting(Exception):
    """It isn't this lesson's: a page or a block is missing, or another stands in its place. `page` is
    the number of the page, None for all of it."""

    def __init__(self, message: str, page: int | None = None) -> None:
        super().__init__(message)
        self.page = page


def marks(pages: Sequence[Page]) -> list[str]:
    """What `translates` says of these pages: a mark of each heading, and of each block below it."""
    return [" ".join(_marks(page)) for page in pages]


def _marks(page: Page) -> list[str]:
    return [_mark(part) for part in (page.title, *page.parts)]


def _mark(part: PagePart) -> str:
    said = part if isinstance(part, str) else repr([*_said(part)])
    return blake2b(said.encode(), digest_size=2).hexdigest()


def _said(part: Go | Predict | Changeable | Run | Exercise) -> Iterator[tuple[str, object]]:
    """What a block says itself, so that a field which it doesn't know yet changes no mark."""
    for one in fields(part):
        value = getattr(part, one.name)
        if value != one.default and value != {}:
            yield one.name, value


def held(
    pages: Sequence[Page], original: Sequence[Page], translates: Sequence[str], language: str
) -> Iterator[Page]:
    """The translation's pages, in which what is no longer so is the lesson's own. Raises NotFitting."""
    if len(pages) != len(original):
        raise NotFitting(f"it has {len(pages)} pages, and lesson.md {len(original)}")
    for number, (page, of) in enumerate(zip(pages, original, strict=True)):
        kinds = [type(part) for part in page.parts], [type(part) for part in of.parts]
        if kinds[0] != kinds[1]:
            said = f"'{page.title}' doesn't have the blocks of '{of.title}'"
            raise NotFitting(said, number)
        now = _marks(of)
        known = translates[number].split() if number < len(translates) else now
        fresh = [mark == then for mark, then in zip_longest(now, known[: len(now)])]
        parts = tuple(
            _in_words_of(part, whose) if is_fresh else _noted(whose, language)
            for part, whose, is_fresh in zip(page.parts, of.parts, fresh[1:], strict=True)
        )
        title = page.title if fresh[0] else of.title
        yield replace(page, title=title, name=of.name, parts=parts)


def stale(original: Sequence[Page], translates: Sequence[str]) -> Iterator[int]:
    """The pages of which a block has changed since."""
    for number, line in enumerate(marks(original)):
        if list(translates[number : number + 1]) != [line]:
            yield number


def _in_words_of(part: PagePart, of: PagePart) -> PagePart:
    """The lesson's block, with the translation's words."""
    match part, of:
        case Predict(), Predict():
            if len(part.choices) != len(of.choices):
                raise NotFitting(f"'{part.ask}' doesn't have the choices of '{of.ask}'")
            return replace(
                of,
                ask=part.ask,
                choices=part.choices,
                because=part.because,
                consequences=part.consequences,
            )
        case Changeable(), Changeable():
            if len(part.shows) != len(of.shows):
                raise NotFitting(f"'{part.ask}' doesn't show what '{of.ask}' does")
            labels = [label for label, _ in part.shows]
            shows = tuple((label, own) for label, (_, own) in zip(labels, of.shows, strict=True))
            return replace(of, ask=part.ask, label=part.label, because=part.because, shows=shows)
        case Exercise(), Exercise():
            if len(part.checks) != len(of.checks):
                raise NotFitting(f"{part.file} doesn't have the checks of the lesson")
            checks = (
                {**own, "says": said.get("says", own["says"])} if "says" in own else own
                for said, own in zip(part.checks, of.checks, strict=True)
            )
            return replace(of, hints=part.hints, checks=tuple(checks))
        case str(), str():
            return part
    return of


def _noted(part: PagePart, language: str) -> PagePart:
    return f"{_NOTES.get(language, _NOTE)}\n\n{part}" if isinstance(part, str) else part
