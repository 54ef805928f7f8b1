"""A lesson as its author writes it: a folder with Markdown, front matter, and files of exercises.

The text is cut into pages at its second-level headings. What a page does stands in fenced blocks of
TOML between the paragraphs, so that the text can still be read as it is:

    ```toml go
    before = "PD_NARGS"
    ```

`go` leads the screen somewhere, `predict` asks a question whose answer the engine computes, `change`
gives something to change and says at once what the engine makes of it, `run` offers to run a registered
kernel, `exercise` gives a file to edit, and how it is checked. A translation stands beside the text,
`lesson.zh.md` beside `lesson.md`, and shares its files.

What a learner did is kept by the names of lesson, page and part: the folder's without its number, the
heading, and the question's text or the exercise's file. So a page may be put before others, and every
answer stays where it was given.

`lessons/README.md` is this format's manual.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visualizer.expansion.source_files import read_source
from visualizer.learning.course import lesson_folders
from visualizer.learning.parts import Asked, Exercise, Go, PagePart
from visualizer.learning.translations import NotFitting, held
from visualizer.workbench.samples import lessons_folder, samples_folder

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

TRACKS = ("macros", "phi", "aten", "fluid")
FRONT = "+++"
_ORIGINAL = "lesson.md"


class LessonError(Exception):
    """A lesson that can't be read: `FILE:LINE: what is wrong`."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")


@dataclass(frozen=True, slots=True)
class Page:
    """`name` is its title, in a translation that of the page that it translates; `line` is that of its
    heading, `lines` those in which its parts begin."""

    title: str
    parts: tuple[PagePart, ...]
    line: int
    lines: tuple[int, ...]
    name: str


@dataclass(frozen=True, eq=False)
class Lesson:
    """`id` is its folder below `lessons`, such as `phi/03-counting-arguments`. It may be what
    `continues` the lesson of that name: its pages were that one's once, and what was kept of them is
    its own."""

    id: str
    folder: Path
    title: str
    idea: str
    minutes: int
    pages: tuple[Page, ...]
    sample: str | None = None
    flags: tuple[str, ...] = ()
    translates: tuple[str, ...] = ()
    continues: str = ""

    @property
    def name(self) -> str:
        """`phi/counting-arguments`: what is kept of it is kept when it gets another number."""
        return without_number(self.id)

    def part_name(self, page: int, part: int) -> str:
        """By which a question or an exercise is remembered."""
        named = self.pages[page].parts[part]
        assert isinstance(named, Asked | Exercise)
        return f"{self.pages[page].name} / {named.name}"

    @property
    def track(self) -> str:
        return self.id.partition("/")[0]

    @property
    def short_id(self) -> str:
        """`phi/3`, for `phi/03-counting-arguments`."""
        return short_id(self.id)

    def followed(self, page: int, part: int) -> list[tuple[Page, int, Go]]:
        """Each `go` down to that part, with its page and place there, from the last one on that opens a
        file."""
        found: list[tuple[Page, int, Go]] = []
        for number, each in enumerate(self.pages[: page + 1]):
            parts = each.parts[: part + 1] if number == page else each.parts
            for at, go in enumerate(parts):
                if isinstance(go, Go):
                    found = [*found, (each, at, go)] if go.file is None else [(each, at, go)]
        return found

    def exercises(self) -> Iterator[tuple[int, Exercise]]:
        """Each exercise with the number of its page."""
        for number, page in enumerate(self.pages):
            yield from ((number, part) for part in page.parts if isinstance(part, Exercise))

    def file(self, name: str) -> Path:
        """A file of the lesson's folder, or of one beside it, or else of the samples."""
        own = Path(normpath(self.folder / name))
        return own if own.exists() else samples_folder() / name

    def text(self, name: str) -> str:
        """What stands in it. Raises InputError."""
        return read_source(self.file(name))


def short_id(id: str) -> str:
    track, _, name = id.partition("/")
    return f"{track}/{name.partition('-')[0].lstrip('0')}"


def without_number(id: str) -> str:
    return re.sub(r"(?<=/)\d+[a-z]?-", "", id)


def folders() -> list[Path]:
    """Every lesson's folder, track by track, in the order of their names. A course's own come first,
    and one of the same id takes the place of ours."""
    ours = (
        path.parent
        for track in TRACKS
        for path in sorted((lessons_folder() / track).glob("*/lesson.md"))
    )
    found: dict[str, Path] = {}
    for folder in (*lesson_folders(), *ours):
        found.setdefault(_id(folder), folder)
    return list(found.values())


def find(id: str) -> Path:
    """The folder of a lesson by its id, or by a beginning that fits one lesson only: `phi/3` or
    `phi/03` for `phi/03-counting-arguments`, `phi/9b` for what continues that. Raises LookupError."""
    track, _, name = id.strip("/").partition("/")
    short = re.fullmatch(r"(\d+)([a-z]?)", name)
    number = f"{int(short[1]):02d}{short[2]}-" if short else name
    fitting = [f for f in folders() if f.parent.name == track and f.name.startswith(number)]
    exact = [f for f in fitting if f.name == name]
    if len(exact or fitting) != 1 or not name:
        raise LookupError(id)
    return (exact or fitting)[0]


def following(lesson: Lesson) -> str | None:
    """The id of the lesson behind this one in its track, if there is one."""
    _before, behind = _around(lesson)
    return f"{lesson.track}/{behind[0].name}" if behind else None


def before(lesson: Lesson) -> list[Path]:
    """The folders of the lessons that stand before this one in its track."""
    return _around(lesson)[0]


def _around(lesson: Lesson) -> tuple[list[Path], list[Path]]:
    """The folders before and behind the lesson's in its track; of one that stands in none, there are
    none."""
    track = [f for f in folders() if f.parent.name == lesson.track]
    names = [f.name for f in track]
    if lesson.folder.name not in names:
        return [], []
    here = names.index(lesson.folder.name)
    return track[:here], track[here + 1 :]


def title(folder: Path) -> str:
    """A lesson's title, read off its front matter alone."""
    path = folder / "lesson.md"
    return str(_front_matter(path, path.read_text(encoding="utf-8"))[0]["title"])


def load(folder: Path, language: str = "") -> Lesson:
    """Read a lesson, in another language if there is such a translation, and it is this lesson's.
    Raises LessonError."""
    if _path(folder, language).name != _ORIGINAL:
        with suppress(LessonError):
            return translation(folder, language)
    return _load(folder)


@lru_cache(maxsize=64)
def translation(folder: Path, language: str) -> Lesson:
    """A lesson in a language into which it is translated. Raises LessonError, also for what is no
    translation of it."""
    path, text = _text(folder, language)
    front, start = _front_matter(path, text)
    own, original = tuple(_pages(path, text, start)), _load(folder)
    try:
        pages = tuple(held(own, original.pages, front.get("translates", ()), language))
    except NotFitting as error:
        line = 1 if error.page is None else own[error.page].line
        raise LessonError(path, line, str(error)) from None
    return replace(
        original,
        title=front["title"],
        idea=front["idea"],
        pages=pages,
        translates=tuple(front.get("translates", ())),
    )


def outline(folder: Path, language: str = "") -> Lesson:
    """A lesson without its pages, read off its front matter alone. Raises LessonError."""
    original = _lesson(folder, _front_matter(*_text(folder, ""))[0], ())
    if _path(folder, language).name == _ORIGINAL:
        return original
    front = _front_matter(*_text(folder, language))[0]
    return replace(original, title=front["title"], idea=front["idea"])


@lru_cache(maxsize=64)
def _load(folder: Path) -> Lesson:
    path, text = _text(folder, "")
    front, start = _front_matter(path, text)
    lesson = _lesson(folder, front, tuple(_pages(path, text, start)))
    _check_files(path, lesson)
    return lesson


def _path(folder: Path, language: str) -> Path:
    path = folder / f"lesson.{language}.md"
    return path if language and path.exists() else folder / _ORIGINAL


def _text(folder: Path, language: str) -> tuple[Path, str]:
    path = _path(folder, language)
    try:
        return path, path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise LessonError(path, 1, f"can't be read: {error}") from None


def _id(folder: Path) -> str:
    return f"{folder.parent.name}/{folder.name}"


def _lesson(folder: Path, front: dict[str, Any], pages: tuple[Page, ...]) -> Lesson:
    return Lesson(
        id=_id(folder),
        folder=folder,
        title=front["title"],
        idea=front["idea"],
        minutes=front.get("minutes", 10),
        pages=pages,
        sample=front.get("sample"),
        flags=tuple(front.get("flags", ())),
        continues=front.get("continues", ""),
    )


_FRONT_MATTER: dict[str, type] = {
    "title": str,
    "idea": str,
    "minutes": int,
    "sample": str,
    "continues": str,
    "flags": list,
    "translates": list,
}


def _front_matter(path: Path, text: str) -> tuple[dict[str, Any], int]:
    """What stands between the two `+++`, and how many lines that takes."""
    lines = text.split("\n")
    if lines[0] != FRONT or FRONT not in lines[1:]:
        raise LessonError(path, 1, f"a lesson begins with front matter: TOML between two {FRONT}")
    end = lines.index(FRONT, 1)
    front = _toml(path, "\n".join(lines[1:end]), 2)
    for key, value in front.items():
        line = 2 + _line_of(key, lines[1:end])
        if key not in _FRONT_MATTER:
            known = ", ".join(_FRONT_MATTER)
            raise LessonError(path, line, f"front matter has no '{key}'; there are {known}")
        if not isinstance(value, _FRONT_MATTER[key]):
            raise LessonError(path, line, f"{key} must be a {_FRONT_MATTER[key].__name__}")
    for key in ("title", "idea"):
        if key not in front:
            raise LessonError(path, 1, f"front matter must have '{key}'")
    return front, end + 1


def _toml(path: Path, text: str, first: int) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = getattr(error, "lineno", None) or _told_line(str(error))
        raise LessonError(path, first + line - 1, f"not TOML: {error}") from None


def _told_line(message: str) -> int:
    """`… (at line 3, column 5)`"""
    _, _, rest = message.partition("at line ")
    number = rest.partition(",")[0]
    return int(number) if number.isdecimal() else 1


def _line_of(key: str, lines: list[str]) -> int:
    """How many lines stand before the one that sets a key."""
    return next((i for i, line in enumerate(lines) if line.split("=")[0].strip() == key), 0)


def _pages(path: Path, text: str, skipped: int) -> Iterator[Page]:
    lines = text.split("\n")
    body = "\n".join([*("" for _ in range(skipped)), *lines[skipped:]])
    tokens = [t for t in _blocks().parse(body) if t.level == 0]
    headings = [i for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag == "h2"]
    if not headings:
        raise LessonError(path, skipped + 1, "a lesson has at least one page: a heading with ##")
    names: set[str] = set()
    for i, at in enumerate(headings):
        stop = headings[i + 1] if i + 1 < len(headings) else len(tokens)
        first, last = tokens[at].map or [0, 0]
        heading = lines[first].lstrip("#").strip()
        if heading in names:
            raise LessonError(path, first + 1, f"another page is called '{heading}' as well")
        names.add(heading)
        until = (tokens[stop].map or [0])[0] if stop < len(tokens) else len(lines)
        placed = tuple(_parts(path, lines, tokens[at + 1 : stop], last, until))
        parts, begin = tuple(part for _, part in placed), tuple(line for line, _ in placed)
        yield Page(heading, parts, first + 1, begin, heading)


@cache
def _blocks() -> MarkdownIt:
    """Markdown's blocks alone: what stands inside a line is read when it is shown."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark").enable("table")
    markdown.core.ruler.disable(["inline", "text_join"])
    return markdown


def _parts(
    path: Path, lines: list[str], tokens: list[Token], at: int, until: int
) -> Iterator[tuple[int, PagePart]]:
    """The Markdown between the blocks, and what the blocks say, each with the line it begins in."""
    from visualizer.learning.blocks import COMMANDS  # home's first picture has no use for it

    names: set[str] = set()
    for token in tokens:
        language, _, command = token.info.strip().partition(" ")
        if token.type != "fence" or language != "toml" or not command:
            continue
        first, last = token.map or [0, 0]
        if text := "\n".join(lines[at:first]).strip():
            yield at + 1, text
        if command not in COMMANDS:
            known = ", ".join(COMMANDS)
            raise LessonError(path, first + 1, f"no command '{command}'; there are {known}")
        keys = _toml(path, token.content, first + 2)
        inside = token.content.split("\n")

        def wrong(key: str, message: str, first: int = first, inside: list[str] = inside) -> None:
            raise LessonError(path, first + 2 + _line_of(key, inside), message)

        part = COMMANDS[command](keys, wrong)
        if isinstance(part, Asked | Exercise):
            if part.name in names:
                wrong("name", "the page has another of this name: give each its own, name = …")
            names.add(part.name)
        yield first + 1, part
        at = last
    if text := "\n".join(lines[at:until]).strip():
        yield at + 1, text


def _check_files(path: Path, lesson: Lesson) -> None:
    """Every file that is named is there."""
    for page in lesson.pages:
        for line, part in zip(page.lines, page.parts, strict=True):
            names: list[str | None] = []
            if isinstance(part, Go):
                names = [part.file, part.main]
            elif isinstance(part, Exercise):
                names = [part.file, part.solution]
            for name in names:
                if name is not None and not lesson.file(name).is_file():
                    raise LessonError(path, line, f"there is no file {name}")
    if lesson.sample is not None and not lesson.file(lesson.sample).is_file():
        raise LessonError(path, 1, f"there is no sample {lesson.sample}")
