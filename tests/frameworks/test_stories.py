"""A call as a story: it tells what NumPy says of the same arrays, and hides what is to come."""

import numpy as np
import pytest

from visualizer.frameworks import story_rows
from visualizer.frameworks.answers import Unanswerable
from visualizer.frameworks.stories import story_of
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

OURS = "aten::add.Tensor Float[2,3,4] Int[3,1]"


@pytest.fixture(scope="module")
def bench():
    return open_file(samples_folder() / "aten" / "add.cc")


@pytest.fixture(scope="module")
def story(bench):
    return story_of(bench, OURS)


def grid_of(story, name):
    step = story.steps[story.end_of(name)]
    assert step.grid is not None
    return {row[0]: dict(zip(step.grid.columns, row, strict=True)) for row in step.grid.rows}


def test_the_chapters_are_the_layers_that_a_call_goes_through(story):
    titles = [chapter.title for chapter in story.chapters]
    assert titles[:2] == ["Python", "Dispatcher"]
    assert titles[-1] == "Result"
    assert not story.failed


def test_the_operands_are_those_of_numpys_broadcast(story):
    a, b = np.empty((2, 3, 4), np.float32), np.empty((3, 1), np.float32)
    both = np.broadcast_arrays(a, b)
    after = grid_of(story, "compute_strides")
    for name, array in zip(("input 0", "input 1"), both, strict=True):
        assert after[name]["in bytes"] == str(list(array.strides))
    assert after["iterator"]["shape"] == str(list(both[0].shape))
    assert "a copy" in after["input 1"][""], "it was an Int"


def test_what_is_to_come_shows_its_name_and_no_more(story):
    def told(whole):
        rows = story_rows.listing(story, story.end_of("mark_outputs"), 80, whole)
        return " ".join("".join(text for text, _ in row.parts).strip() for row in rows)

    assert "Output 0 will be written" in told(whole=False)
    assert "compute_shape" in told(whole=False)
    assert "broadcast to" not in told(whole=False)
    assert "Stub: 1 step" in told(whole=False), "of a chapter that has not begun, no name is told"
    assert "add_stub" not in told(whole=False)
    assert "broadcast to" in told(whole=True)


def test_the_table_is_the_last_one_that_was_and_marks_what_the_step_changed(story):
    def changed(name):
        rows = story_rows.grid(story, story.end_of(name), 80)
        return {text for row in rows for text, styles in row if styles == story_rows.CHANGED}

    assert changed("compute_shape") == {"[2, 3, 4]"}
    assert changed("Loop") == set(), "no operand changes there, and all are still to be seen"
    assert story_rows.grid(story, story.end_of("Loop"), 80)
    assert story_rows.grid(story, 0, 80) == []


def test_a_call_that_fails_is_told_down_to_its_error(bench):
    story = story_of(bench, "aten::add.Tensor Float[4,3] Float[4]")
    assert story.failed
    with pytest.raises(ValueError, match="broadcast"):
        np.empty((4, 3)) + np.empty(4)
    assert "size of tensor a (3)" in story.steps[-1].sentence


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("", "that is no call"),
        ("add 1", "relu GPU NCHW float32"),
        ("cast CPU NCHW int23", "no data type 'int23'"),
        ("trace Input=float33[3]", "no data type 'float33'"),
        ("aten::ad.Tensor Float[2] 1", "aten::ad"),
        ("aten::add.Tensor Float[2] 1 2 3", "takes 3 operands: self, other, alpha"),
        ("aten::add.Tensor Flaot[2] 1", "Flaot"),
    ],
)
def test_what_is_no_call_is_said(bench, call, said):
    with pytest.raises(Unanswerable, match=None) as refused:
        story_of(bench, call)
    assert said in str(refused.value)


def test_a_call_of_phis_is_told_from_the_parameters_to_compute():
    story = story_of(open_file(samples_folder() / "phi" / "cast_kernel.cc"), "cast GPU NHWC int32")
    described = grid_of(story, "DenseTensor* out")
    assert [*described] == ["input 0", "attribute 0", "output 0"]
    assert described["output 0"]["data type"] == "int32"
    assert grid_of(story, "the braces")["output 0"]["data type"] == "Undefined"
    told = " ".join(step.text for step in story.steps)
    assert "fell back to the CPU" in told
    assert "copied from GPU to CPU" in told
    assert story.steps[-1].name == "TypeTag<int>"


def test_a_key_that_finds_nothing_ends_the_story():
    story = story_of(open_file(samples_folder() / "phi" / "cast_kernel.cc"), "cats GPU NHWC int32")
    assert story.failed
    assert [chapter.title for chapter in story.chapters] == ["SelectKernelOrThrowError"]


def test_a_call_of_fluids_is_told_from_its_names_to_what_numpy_computes():
    call = "trace Input=float32[3,3]"
    story = story_of(open_file(samples_folder() / "fluid" / "between" / "trace_op.cc"), call)
    names = grid_of(story, "The names, put in order")
    assert names["input 0"]["name of the operator's"] == "Input"
    result = grid_of(story, "Result")["Out"]
    assert result["elements"] == f"[{np.trace(np.arange(9).reshape(3, 3)):.0f}.]"
    assert not story.failed


def test_a_name_that_the_operator_has_not_ends_its_story():
    bench = open_file(samples_folder() / "fluid" / "trace_op.cc")
    assert story_of(bench, "trace Inpt=float32[3,3]").failed
