"""A translation stands beside the text and shares its files; where the text has changed since, its own
words are shown, and what was so once is not."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from visualizer.learning import lesson, proofread
from visualizer.learning.parts import Asked, Changeable, Exercise, Predict

TRANSLATED = [
    pytest.param(folder, path.name.split(".")[1], id=f"{folder.parent.name}/{folder.name}")
    for folder in lesson.folders()
    for path in sorted(folder.glob("lesson.*.md"))
]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A lesson's folder with its translation."""
    folder = tmp_path / "macros" / "02-prescan-and-rescan"
    shutil.copytree(lesson.find("macros/2"), folder)
    return folder


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    lesson._load.cache_clear()
    lesson.translation.cache_clear()


@pytest.mark.parametrize(("folder", "language"), TRANSLATED)
def test_a_translation_says_what_the_lesson_says_now(folder: Path, language: str) -> None:
    read, said = lesson.load(folder), lesson.translation(folder, language)
    assert [*map(str, proofread.faults_of_translations(read))] == []
    assert said.title != read.title
    for page, of in zip(said.pages, read.pages, strict=True):
        assert page.title != of.title
        for part, whose in zip(page.parts, of.parts, strict=True):
            if isinstance(whose, Asked | Exercise) or _is_prose(whose):
                assert part != whose, "it is not translated"


def _is_prose(part: object) -> bool:
    return isinstance(part, str) and not part.startswith("```")


@pytest.mark.parametrize(("folder", "language"), TRANSLATED)
def test_a_term_is_translated_in_one_way(folder: Path, language: str) -> None:
    glossary = tomllib.loads((folder.parents[1] / "glossary.toml").read_text(encoding="utf-8"))
    text = (folder / f"lesson.{language}.md").read_text(encoding="utf-8")
    for term, words in glossary.items():
        others = [word for word in words.get("not", ()) if word in text]
        assert not others, f"{term} is {words[language]}"


@pytest.mark.parametrize(("folder", "language"), TRANSLATED)
def test_code_is_not_translated(folder: Path, language: str) -> None:
    def code(name: str) -> list[str]:
        text = (folder / name).read_text(encoding="utf-8")
        blocks = re.findall(r"^```(?:c|cpp)\n(.*?)^```", text, re.M | re.S)
        return [re.sub(r" *//[^\n]*", "", block) for block in blocks]

    assert code(f"lesson.{language}.md") == code("lesson.md")


def test_a_translation_is_read_where_there_is_one(copied: Path) -> None:
    translated = lesson.load(copied, "zh")
    assert translated.title == "实参预展开与重新扫描"
    assert translated.file("solution.c").is_file()
    assert lesson.load(copied, "fr").title == lesson.load(copied).title
    told, whole = lesson.outline(copied, "zh"), lesson.load(copied, "zh")
    assert (told.title, told.sample, told.minutes) == (whole.title, whole.sample, whole.minutes)


def test_where_the_text_has_changed_its_own_words_are_shown(copied: Path) -> None:
    before = lesson.load(copied, "zh")
    changed(copied / "lesson.md", "`ADD` comes first.", "`ADD` is the first.")
    after = lesson.load(copied, "zh")
    assert isinstance(after.pages[0].parts[0], str)
    assert after.pages[0].parts[0].startswith("*(这一段的英文原文已经改动")
    assert "`ADD` is the first." in after.pages[0].parts[0]
    assert after.pages[0].parts[1:] == before.pages[0].parts[1:]
    (fault,) = map(str, proofread.faults_of_translations(lesson.load(copied)))
    assert "changed since it was translated: 'Before: the argument by itself'" in fault


def test_what_is_asked_is_what_the_lesson_asks(copied: Path) -> None:
    """A translation can't ask the engine anything else, nor let another answer pass."""
    changed(copied / "lesson.zh.md", 'truth = "times ONE"', 'truth = "value 1 + 1"')
    changed(copied / "lesson.zh.md", '["AREA_OF(HALL)", 200]', '["AREA_OF(HALL)", 0]')
    read, said = lesson.load(copied), lesson.load(copied, "zh")
    for page, of in zip(said.pages, read.pages, strict=True):
        for part, whose in zip(page.parts, of.parts, strict=True):
            if isinstance(part, Predict):
                assert isinstance(whose, Predict)
                assert (part.truth, part.name) == (whose.truth, whose.name)
            if isinstance(part, Changeable):
                assert isinstance(whose, Changeable)
                assert (part.solution, part.gives) == (whose.solution, whose.gives)
                assert [truth for _, truth in part.shows] == [truth for _, truth in whose.shows]
            if isinstance(part, Exercise):
                assert isinstance(whose, Exercise)
                unsaid = [{k: v for k, v in c.items() if k != "says"} for c in part.checks]
                assert unsaid == [{k: v for k, v in c.items() if k != "says"} for c in whose.checks]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## 轮到你了\n", "轮到你了\n", "it has 4 pages, and lesson.md 5"),
        ('```toml go\nline = 9\n```\n', "", "doesn't have the blocks of 'Once, however"),
        ('["一次也没有", "1", "2"]', '["一次也没有", "1"]', "doesn't have the choices of 'How many"),
    ],
)  # fmt: skip
def test_what_is_no_translation_is_told_and_the_lesson_is_shown(
    copied: Path, old: str, new: str, said: str
) -> None:
    changed(copied / "lesson.zh.md", old, new)
    assert lesson.load(copied, "zh").title == lesson.load(copied).title
    (fault,) = map(str, proofread.faults_of_translations(lesson.load(copied)))
    assert said in fault
