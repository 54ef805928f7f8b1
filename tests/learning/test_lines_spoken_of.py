"""A line of a file that a page leads to is the one that its text speaks of: edit a sample, and a number
in a lesson may point at another line, which exists too."""

import re

import pytest

from visualizer.learning import lesson, player
from visualizer.learning.parts import Go, PagePart, Predict

PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")  # of `LessThanKernel`, `less_than`, of words
EVERYWHERE = frozenset(
    {"const", "void", "return", "include", "define", "this", "that", "what", "auto"}
)


def names(text: str) -> set[str]:
    found = {part.lower() for part in PARTS.findall(text)}
    return {part for part in found if len(part) > 3} - EVERYWHERE


def words(part: PagePart) -> str:
    if isinstance(part, Predict):
        return " ".join((part.ask, part.truth, part.because, *part.choices))
    return part if isinstance(part, str) else ""


def spoken(parts: tuple[PagePart, ...], at: int) -> set[str]:
    """The names in what stands around a part, up to where the page leads elsewhere."""
    stops = [n for n, part in enumerate(parts) if isinstance(part, Go) and n != at]
    first = max((n for n in stops if n < at), default=-1) + 1
    last = min((n for n in stops if n > at), default=len(parts))
    return names("\n".join(map(words, parts[first:last])))


LED = [
    (folder, page, at)
    for folder in lesson.folders()
    for page, each in enumerate(lesson.load(folder).pages)
    for at, part in enumerate(each.parts)
    if isinstance(part, Go) and part.seen is not None
]


@pytest.mark.parametrize(("folder", "page", "at"), LED, ids=lambda v: getattr(v, "name", str(v)))
def test_the_line_that_is_looked_at_is_spoken_of(folder, page, at):
    read = lesson.load(folder)
    parts, here = read.pages[page].parts, player.stand(read, page, at)
    assert here.place is not None
    assert here.place.seen is not None
    lines, number, told = here.bench.source_lines, here.place.seen, spoken(parts, at)
    shared = [len(names(line) & told) for line in lines[max(number - 2, 0) : number + 1]]
    mine = len(names(lines[number - 1]) & told)
    said = f"{here.bench.path.name}:{number} {lines[number - 1]!r}"
    assert mine, f"nothing on the page speaks of {said}"
    assert mine >= max(shared) / 2, f"the page rather speaks of a line beside {said}"
