"""What a lesson offers to run is run: where the page has led, as a learner's key has it done, and NumPy
agrees wherever it can be asked."""

import pytest

from visualizer.frameworks.by_name import try_by_name
from visualizer.learning import lesson, player
from visualizer.learning.parts import Run


def runs():
    for folder in lesson.folders():
        read = lesson.load(folder)
        for number, page in enumerate(read.pages):
            for at, part in enumerate(page.parts):
                if isinstance(part, Run):
                    yield pytest.param(read, number, at, id=f"{read.short_id}-{part.kernel}")


@pytest.mark.parametrize(("read", "page", "at"), runs())
def test_what_is_offered_runs_and_numpy_agrees(read, page, at):
    run = read.pages[page].parts[at]
    bench = player.stand(read, page, at).bench.apart()
    ran = try_by_name(bench, run.kernel, run.backend, run.dtype, min(run.size, 1000))
    assert ran.agrees or run.kernel.startswith("lesson::")  # which NumPy has never heard of
    assert ran.values(run.kernel)


def test_the_tracks_of_frameworks_run_what_they_speak_of():
    kernels = {run.id.rpartition("-")[0].partition("/")[0] for run in runs()}
    assert kernels == {"phi", "aten", "fluid"}
