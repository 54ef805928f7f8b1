"""What a scene says there is to see: ranges, hues and sentences, without any terminal."""

import pytest

from visualizer.expansion import Options
from visualizer.expansion.tokens import spell
from visualizer.scene.scene import Scene
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

PASTE = """\
#define BOTH(first, second) first##second(second)
#define LOOP LOOP + 1
#define ID(x) x
BOTH(And, Kernel)
LOOP
ID(ID(ID)(7))
"""


def spelled(scene, places):
    return spell([scene.tokens[i] for i in places])


def hues(scene):
    """The line's text by hue."""
    found = {}
    for i in range(len(scene.tokens)):
        for text, hue in scene.pieces(i):
            if hue is not None:
                found.setdefault(hue, []).append(text)
    return found


def test_the_consumed_tokens_are_those_that_the_next_step_takes_out(bitwise):
    for state in range(len(bitwise.timeline(3))):
        scene = Scene(bitwise, 3, state)
        moment = scene.timeline.moments[state]
        assert scene.tokens[scene.consumed.start].text == moment.step.macro
        if not moment.meeting:
            assert len(scene.consumed) == moment.remove


def test_the_produced_tokens_are_those_that_the_last_step_put_in(bitwise):
    for state in range(1, len(bitwise.timeline(3)) + 1):
        scene = Scene(bitwise, 3, state)
        moment = scene.timeline.moments[state - 1]
        assert [scene.tokens[i] for i in scene.produced] == moment.insert


def test_the_braces_behind_a_registration_are_its_tail(bitwise):
    scene = Scene(bitwise, 3, 0)
    assert spelled(scene, scene.tail) == "{}"


def test_facing_forward_hues_lie_on_the_arguments(source):
    scene = Scene(source(PASTE), 0, 0)
    assert hues(scene) == {0: ["And"], 1: ["Kernel"]}


def test_facing_back_hues_lie_on_what_the_parameters_brought_even_inside_a_pasted_name(source):
    scene = Scene(source(PASTE), 0, 1, "last")
    assert spell(scene.tokens) == "AndKernel(Kernel)"
    assert hues(scene) == {0: ["And"], 1: ["Kernel", "Kernel"]}


def test_hues_follow_an_argument_that_the_prescan_has_made_longer(bitwise):
    for state in range(len(bitwise.timeline(3))):
        scene = Scene(bitwise, 3, state)
        moment = scene.upcoming
        if moment is None or moment.meeting or moment.step.kind != "function":
            continue
        for (places, _), argument in zip(
            scene.bound, [a for a in moment.step.arguments if a.raw], strict=False
        ):
            expected = argument.prescan.after if argument.prescan else argument.raw
            if len(scene.bound) == len(moment.step.arguments):
                assert spelled(scene, places) == spell(expected)


def test_at_the_beginning_the_card_faces_forward_whatever_was_chosen(source):
    bench = source(PASTE)
    assert Scene(bench, 0, 0, "last").card is Scene(bench, 0, 0).card


def test_at_the_end_nothing_comes_next(source):
    scene = Scene(source(PASTE), 0, 1)
    assert scene.card is None
    assert not scene.consumed
    assert "Nothing is left" in scene.upcoming_text()
    assert scene.summary().startswith("1 step turned 6 tokens into 4.")


def test_a_painted_name_is_said_to_be_painted(source):
    bench = source(PASTE)
    texts = [Scene(bench, 1, k).happened_text() for k in range(len(bench.timeline(1)) + 1)]
    assert any("painted" in text for text in texts)


def test_births_are_the_states_in_which_entries_become_complete(bitwise):
    births = Scene(bitwise, 3, 0).births
    assert len(births) == 6
    for birth in births:
        before, after = (Scene(bitwise, 3, k).registry for k in (birth - 1, birth))
        assert sum(not s.pending for s in after) == sum(not s.pending for s in before) + 1


@pytest.mark.parametrize(
    ("library", "said"),
    [
        (
            'TORCH_LIBRARY(my, m) { m.def("f(Tensor x) -> Tensor"); m.def("g() -> ()"); }',
            " 3 entries are in the registry because of it.",
        ),
        (
            "TORCH_LIBRARY_IMPL(_, Autocast, m) { m.fallback(torch::CppFunction::makeFallthrough()); }",
            " 1 entry is in the registry because of it.",
        ),
    ],
)
def test_a_library_without_kernels_has_nothing_to_run(tmp_path, library, said):
    file = tmp_path / "library.cc"
    file.write_text(f'#include "library.h"\n{library}\n')
    bench = open_file(file, Options(include_folders=(str(samples_folder() / "aten"),)))
    summary = Scene(bench, 0, len(bench.timeline(0))).summary()
    assert summary.endswith(said)


def test_where_there_are_kernels_r_runs_them(bitwise):
    add = open_file(samples_folder() / "aten" / "add.cc")
    for bench, word in ((bitwise, "kernels are"), (add, "entries are")):
        texts = [Scene(bench, e.expansion, 0).summary() for e in bench.entries]
        assert any(
            f"{word} in the registry because of it; r runs the one that is selected." in text
            for text in texts
        )
