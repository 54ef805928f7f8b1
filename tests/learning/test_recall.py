"""Questions come back after a day, and then later each time; a wrong answer begins anew. They are asked
alone, where their lesson asked them."""

from datetime import date

import pytest

from visualizer.learning import lesson, player, progress, recall
from visualizer.learning.parts import Predict

TODAY = date.today().toordinal()


def silent(text):
    raise AssertionError(text)


def answer(read, page, at):
    progress.predicted(read, read.part_name(page, at), ("-",), silent)
    return read.part_name(page, at)


def overdue(read, today):
    return [r.overdue for r in recall.answered(progress.all_progress(silent), [read], today)]


def test_each_time_it_is_asked_later():
    read = lesson.load(lesson.find("macros/1"))
    assert overdue(read, TODAY) == [], "what nobody has answered doesn't come back"
    name = answer(read, 0, 2)
    assert overdue(read, TODAY) == [-1]
    assert recall.due(progress.all_progress(silent), [read], TODAY) == []
    assert len(recall.due(progress.all_progress(silent), [read], TODAY + 1)) == 1
    for days in (3, 8, 21, 55, 55):
        progress.came_back(read, name, True, silent)
        assert overdue(read, TODAY) == [-days]
    progress.came_back(read, name, False, silent)
    assert overdue(read, TODAY) == [-1]


def test_what_was_answered_before_days_were_kept_is_due():
    read = lesson.load(lesson.find("macros/1"))
    name = answer(read, 0, 2)
    path = progress.progress_path()
    path.write_text(path.read_text().replace("recalled", "forgotten"))
    assert progress.of_lesson(read, silent).predicted == {name: ("-",)}
    assert overdue(read, TODAY)[0] > 0


@pytest.mark.parametrize("id", ["macros/8", "aten/10", "fluid/8"])
def test_it_is_asked_where_its_lesson_asked_it(id):
    """In the same file, at the same place, with the same answer, and in its own words alone."""
    read = lesson.load(lesson.find(id))
    for number, page in enumerate(read.pages):
        for at, part in enumerate(page.parts):
            if isinstance(part, Predict):
                alone = recall.Recall(read, number, at, 0).alone()
                (only,) = alone.pages
                there = player.stand(alone, 0, len(only.parts) - 1)
                here = player.stand(read, number, at)
                assert there.bench.path == here.bench.path
                assert (there.place, there.call) == (here.place, here.call)
                assert only.parts[-1] is part
                assert not alone.name.startswith(read.track)


def test_the_most_overdue_comes_first():
    read = lesson.load(lesson.find("macros/1"))
    first, second = answer(read, 0, 2), answer(read, 0, 4)
    progress.came_back(read, first, True, silent)
    found = recall.answered(progress.all_progress(silent), [read], TODAY)
    assert [r.name for r in found] == [second, first]
