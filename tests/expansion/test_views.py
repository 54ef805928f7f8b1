"""A view leads from the same line to the same line, with fewer stops, and knows where it is."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.expansion.hiding import Merged, by_name, narration
from visualizer.expansion.tokens import spell
from visualizer.expansion.views import FINE, Look, view
from visualizer.workbench.bench import open_file

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "phi"


@pytest.fixture(scope="module")
def bench():
    return open_file(SAMPLES / "bitwise_kernel.cc")


LOOKS = [
    FINE,
    Look(coarse=True),
    Look(hidden=("PD_*",)),
    Look(True, ("*_INIT*", "PD_EXPAND")),
    Look(levels=1),
    Look(levels=3),
    Look(hidden=("PD_*",), levels=4),
]


@pytest.mark.parametrize("look", LOOKS)
def test_each_state_of_a_view_is_one_of_the_whole(bench, look):
    for expansion in range(len(bench.trace.expansions)):
        seen = bench.view(expansion, look)
        states = [seen.in_whole(k) for k in range(len(seen.timeline) + 1)]
        assert states[0] == 0
        assert states[-1] == len(seen.whole)
        assert states == sorted(set(states))
        for k, state in enumerate(states):
            assert seen.timeline.state(k) == seen.whole.state(state)
            assert seen.from_whole(state) == k


@given(state=st.integers(0, 142), look=st.sampled_from(LOOKS))
def test_the_way_back_never_shows_too_little(bench, state, look):
    seen = bench.view(3, look)
    k = seen.from_whole(state)
    assert seen.in_whole(k) >= state
    assert k == 0 or seen.in_whole(k - 1) < state


def test_coarse_steps_make_declarations(bench):
    seen = bench.view(3, Look(coarse=True))
    told = [narration(moment) for moment in seen.timeline.moments]
    assert "PD_NARGS is expanded to the end, in 6 steps: 6." in told
    assert len(told) < 100
    assert not any(moment.meeting for moment in seen.timeline.moments)
    assert sum(m.step.macro == "_PD_CREATE_REGISTRAR_OBJECT" for m in seen.timeline.moments) == 6


def test_an_expression_is_one_coarse_step(tmp_path):
    path = tmp_path / "sample.c"
    path.write_text("#define SQUARE(x) ((x) * (x))\n#define N 3\nint n = SQUARE(SQUARE(N));\n")
    timeline = open_file(path).timeline(0)
    assert len(view(timeline, FINE).timeline) == 5
    (moment,) = view(timeline, Look(coarse=True)).timeline.moments
    assert spell(moment.insert) == "((((3) * (3))) * (((3) * (3))))"
    assert narration(moment).startswith("SQUARE is expanded to the end, in 5 steps"), "all of them"


def test_each_level_more_is_stepped_through(tmp_path):
    path = tmp_path / "sample.c"
    path.write_text("#define A(x) B(x) B(2)\n#define B(x) C(x) x\n#define C(x) [x]\nA(N)\n")
    timeline = open_file(path).timeline(0)
    stops = [
        [m.step.macro for m in view(timeline, Look(levels=n)).timeline.moments] for n in range(1, 5)
    ]
    assert stops == [["A"], ["A", "B", "B"], ["A", "B", "C", "B", "C"], ["A", "B", "C", "B", "C"]]


def test_coarse_and_hidden_go_together(bench):
    seen = view(bench.timeline(3), Look(coarse=True), by_name("PD_CONCATENATE"))
    whole_calls = [m for m in seen.timeline.moments if isinstance(m, Merged) and m.whole_call]
    assert len([m for m in whole_calls if m.step.macro == "PD_NARGS"]) == 2
    assert not any(
        moment.step.macro == "PD_CONCATENATE" and "hidden" not in narration(moment)
        for moment in seen.timeline.moments
    )
