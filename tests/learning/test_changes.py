"""What a learner changes is taken at its word: the file with it in place of what stood there, or the
question with it; and a lesson whose change can't be reached, or is so from the start, is told."""

from pathlib import Path

import pytest

from visualizer.learning import lesson, player, proofread
from visualizer.learning.lesson import LessonError
from visualizer.learning.parts import Changeable

SOURCE = """\
#define FOURTH(a, b, c, d, ...) d
#define COUNT(...) FOURTH(__VA_ARGS__, 3, 2, 1, 0)
int first = COUNT(x, y);
int second = COUNT(x, y);
"""
FRONT = """\
+++
title = "Changed"
idea = "What is changed"
sample = "count.c"
+++

## Change

```toml go
line = 4
before = "FOURTH"
```
"""
IN_FILE = """
```toml change
edits = "x, y"
ask = "Let it count three."
truth = "end"
gives = "3"
solution = "x, y, z"
label = "it counts"
[shows]
"its first" = "bound FOURTH a"
```
"""
ASKED = """
```toml change
text = "COUNT(x)"
ask = "Let it count three."
truth = "becomes {}"
gives = "3"
solution = "COUNT((a, b), c, d)"
```
"""


@pytest.fixture
def made(tmp_path: Path):
    folder = tmp_path / "macros" / "01-changed"
    folder.mkdir(parents=True)
    (folder / "count.c").write_text(SOURCE)

    def write(text: str) -> lesson.Lesson:
        (folder / "lesson.md").write_text(FRONT + text)
        lesson._load.cache_clear()
        return lesson.load(folder)

    return write


def test_the_file_has_what_was_written_where_the_page_has_led(made):
    read = made(IN_FILE)
    came = player.changed(read, 0, 1, "a, b, c")
    assert came.rows == (("it counts", "3"), ("its first", "a"))
    assert came.reached
    bench = came.stand.bench
    assert bench.source_lines[2:] == ["int first = COUNT(x, y);", "int second = COUNT(a, b, c);"]
    moments = bench.timeline(came.stand.place.expansion).moments
    assert moments[came.stand.place.state].step.macro == "FOURTH"
    assert player.opened(read, None).source_lines == SOURCE.splitlines(), "the lesson's own stays"


def test_where_the_page_would_lead_nowhere_any_more_it_stays_at_the_line(made):
    read = made(IN_FILE.replace('"x, y"', '"COUNT(x, y)"'))
    came = player.changed(read, 0, 1, "FOURTH(1, 2, 3, 4)")
    assert came.rows[0] == ("it counts", "4")
    (place,) = [came.stand.place]
    assert came.stand.bench.expansions[place.expansion].where.line == 4
    nothing = player.changed(read, 0, 1, "0")
    assert nothing.stand.bench.expansions[nothing.stand.place.expansion].where.line == 3


def test_a_question_has_what_was_written(made):
    read = made(ASKED)
    assert player.changed(read, 0, 1, "COUNT(x)").rows == (("it is", "1"),)
    assert player.changed(read, 0, 1, "COUNT(x, (y), z)").reached
    assert player.changed(read, 0, 1, "COUNT(x").rows == (("it is", "COUNT(x"),)
    assert player.changed(read, 0, 1, "").rows == (("it is", "('becomes' takes a text)"),)
    assert player.answer(read, 0, 1) == "COUNT((a, b), c, d)"
    assert player.judged(read, 0, 1, ("COUNT()", "COUNT(1, 2, 3)")).right
    assert not player.judged(read, 0, 1, ("COUNT(1, 2)",)).right


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (IN_FILE.replace('gives = "3"', 'gives = "2"'), "it is so already, with 'x, y'"),
        (IN_FILE.replace("x, y, z", "x"), "with 'x' it is 1"),
        (IN_FILE.replace("bound FOURTH a", "bound FOURTH nobody"), "no FOURTH with a parameter"),
        (ASKED.replace("COUNT(x)", "COUNT(x, y, z)"), "it is so already"),
    ],
)
def test_what_is_wrong_with_it_is_told(made, text, told):
    assert any(told in str(fault) for fault in proofread.faults_of_pages(made(text)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (IN_FILE.replace("edits", "text"), "truth has {} where the text is to stand"),
        (ASKED.replace("text = ", 'edits = "x"\ntext = '), "text is what the field begins with"),
        (ASKED.replace("becomes {}", "becoms {}"), "no truth 'becoms'"),
        (ASKED.replace("solution", "solutoin"), "no 'solutoin' here"),
    ],
)
def test_what_its_author_has_mistaken_is_told_at_its_line(made, text, told):
    with pytest.raises(LessonError, match=r"lesson\.md:\d+: .*" + told[:12]):
        made(text)


def test_its_file_must_hold_what_is_to_be_changed(made):
    faults = [*proofread.faults_of_pages(made(IN_FILE.replace('"x, y"', '"x, z"')))]
    assert any("'x, z' doesn't stand in" in str(fault) for fault in faults)


WRITTEN = (
    "",
    "(",
    '"',
    "\\",
    "#",
    "//",
    "{}",
    "1 2 3 4 5 6",
    "x=",
    "Float[",
    "Float[-1]",
    "a b",
    "é",
)
ABOUT_TENSORS = (
    "Float[99999999999]",
    "Float[2]{1,2,3}",
    "X=int64:[1",
    "Input=float32[99999,99999]",
)


@pytest.mark.parametrize(
    ("read", "page", "at"),
    [
        pytest.param(lesson.load(folder), number, at, id=f"{lesson.load(folder).short_id}-{number}")
        for folder in lesson.folders()
        for number, page in enumerate(lesson.load(folder).pages)
        for at, part in enumerate(page.parts)
        if isinstance(part, Changeable)
    ],
)
def test_whatever_a_learner_writes_something_is_said_of_it(read, page, at):
    written = WRITTEN if read.pages[page].parts[at].is_in_file else (*WRITTEN, *ABOUT_TENSORS)
    for text in written[page % 3 :: 3]:  # the others are for other pages: each takes a while
        came = player.changed(read, page, at, text)
        assert len(came.rows) == 1 + len(read.pages[page].parts[at].shows)


def test_each_lesson_gives_something_to_change_if_only_in_its_other_half():
    read = [lesson.load(folder) for folder in lesson.folders()]
    giving = {
        name
        for each in read
        if any(isinstance(part, Changeable) for page in each.pages for part in page.parts)
        for name in (each.name, each.continues)
    }
    assert [each.id for each in read if not giving & {each.name, each.continues or each.name}] == []
