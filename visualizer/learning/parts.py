"""What a page of a lesson is made of, besides its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Go:
    """Where the screen is led. `file` is of the lesson's folder or of the samples, and is read as
    PyTorch's build compiles it for the capability `compiled`, or as the file `main` includes it for the
    `nth_pass` time. What is None stays as it is; `seen` is a line of the file that is to be seen, LINE
    where `look` is "source:LINE". A `call` is told beside the page, down to the step or chapter `told`;
    the card draws a `picture`.
    `places.find` says what the other fields mean."""

    file: str | None = None
    compiled: str | None = None
    main: str | None = None
    nth_pass: int = 1
    line: int | None = None
    macro: str | None = None
    nth: int = 1
    before: str | None = None
    after: str | None = None
    replaced: str | None = None
    step: int | None = None
    at: str | None = None
    coarse: bool | None = None
    hide: tuple[str, ...] | None = None
    look: str | None = None
    seen: int | None = None
    follow: str | None = None
    call: str | None = None
    told: str | None = None
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class Predict:
    """A question. `truth` names what the engine computes at the place where the page has led. Its
    answers are kept by its name, by default its text. `consequences` tell of choices what would follow
    from them."""

    ask: str
    truth: str
    choices: tuple[str, ...] = ()
    because: str = ""
    name: str = ""
    consequences: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Changeable:
    """Something to change, until the engine says what it is to say. The learner's text stands in the
    questions in place of `{}`; where `is_in_file`, in place of `text` in the open file as well. `truth`
    is to be `gives`, as it is with `solution`; `shows` are more questions, each behind its label, which
    are answered beside it. The story of `call` is told beside the page."""

    ask: str
    text: str
    truth: str
    gives: str
    solution: str
    is_in_file: bool = False
    shows: tuple[tuple[str, str], ...] = ()
    label: str = ""
    call: str = ""
    because: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A registered kernel that can be run from the page."""

    kernel: str
    backend: str | None = None
    dtype: str | None = None
    size: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Exercise:
    """A file to edit. It counts as done when every one of its checks passes; `checks.py` reads them.
    That is kept by its name, by default its file's."""

    file: str
    checks: tuple[Mapping[str, Any], ...]
    solution: str
    hints: tuple[str, ...] = ()
    name: str = ""


Asked = Predict | Changeable  # what a page waits at until it has an answer
PagePart = str | Go | Predict | Changeable | Run | Exercise  # a str is Markdown
