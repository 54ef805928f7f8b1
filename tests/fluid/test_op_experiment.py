"""An operator tried by hand: what there is to fill in, and what comes out, compared with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from registry_runtime.lab.fluid.experiment import OpExperiment, fields
from registry_runtime.phi.kernel_template import KernelError
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder


@pytest.fixture(scope="module")
def fluid():
    return open_file(samples_folder() / "fluid" / "trace_op.cc").program.fluid


def test_the_maker_says_what_there_is_to_fill_in(fluid) -> None:
    found = {f.name: (f.kind, f.text, f.type) for f in fields(fluid, "trace")}
    assert found == {
        "Input": ("input", "4x5", ""),
        "offset": ("attribute", "0", "int"),
        "axis1": ("attribute", "0", "int"),
        "axis2": ("attribute", "1", "int"),
    }


def test_a_gradients_output_gradient_has_the_dims_that_the_operator_gives(fluid) -> None:
    found = {f.name: f.text for f in fields(fluid, "trace_grad")}
    assert found == {"Input": "4x5", "Out@GRAD": "1", "offset": "0", "axis1": "0", "axis2": "1"}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex128"])
def test_what_comes_out_is_what_numpy_gives(fluid, dtype: str) -> None:
    tried = OpExperiment("trace", {"Input": "6x7", "offset": "2"}, {"Input": dtype})
    story = tried.call(fluid)
    assert story.error is None
    wanted = np.trace(tried.inputs(fluid)["Input"], 2)
    assert story.outputs["Out"].dtype == dtype
    np.testing.assert_allclose(story.outputs["Out"], [wanted], rtol=1e-5)


def test_values_in_brackets_are_taken_as_they_are(fluid) -> None:
    story = OpExperiment("trace", {"Input": "[[1, 2], [3, 4]]"}).call(fluid)
    assert story.outputs["Out"].tolist() == [5.0]


def test_a_gradient_is_called_by_hand(fluid) -> None:
    story = OpExperiment("trace_grad", {"Input": "2x3", "Out@GRAD": "[7]"}).call(fluid)
    assert story.outputs["Input@GRAD"].tolist() == [[7, 0, 0], [0, 7, 0]]


def test_an_error_of_the_operator_is_part_of_the_story(fluid) -> None:
    story = OpExperiment("trace", {"axis2": "5"}).call(fluid)
    assert story.outputs is None
    assert "out of range" in str(story.error)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({"axis1": "one"}, "axis1: 'one' is no number"),
        ({"axis1": ""}, "axis1: write a value of the type int"),
        ({"Input": "4xa"}, "Input: '4xa' is no shape"),
    ],
)
def test_what_cannot_be_read_is_refused(fluid, texts, said: str) -> None:
    with pytest.raises(KernelError, match=said):
        OpExperiment("trace", texts).call(fluid)


def test_nobody_knows_the_names_of_an_operator_without_a_maker(fluid) -> None:
    with pytest.raises(KernelError, match="nobody says which names neg has"):
        fields(fluid, "neg")
