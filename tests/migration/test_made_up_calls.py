"""Calls that are made up for a trial: what an operator says against one leads to the next."""

from pathlib import Path

from tests.migration.operator_text import operator_text
from visualizer.migration.proving.inputs import MadeUp, Search, asked_of
from visualizer.migration.reading.fluid_text import parse
from visualizer.migration.reading.operators import FluidOperator, operators
from visualizer.migration.reading.sorting import understand

MAKER = """\
    AddInput("X", "");
    AddInput("Which", "").AsDispensable();
    AddOutput("Out", "");
    AddAttr<int>("axis", "").SetDefault(-1);
    AddAttr<std::vector<int>>("pads", "").SetDefault({1, 2});
    AddAttr<float>("eps", "").SetDefault(1e-5f);
"""
BODY = """\
    auto* which = ctx.Input<Tensor>("Which");
    const int64_t* data = which->data<int64_t>();
"""


def searched() -> tuple[FluidOperator, Search]:
    fluid = understand((parse(Path("test_op.cc"), operator_text(BODY, MAKER)),))
    (operator,) = operators(fluid)
    (found,) = fluid.kernels.values()
    assert found.compute is not None
    return operator, Search(operator, asked_of(fluid, operator, found.source, found.compute))


def refusal(call: MadeUp) -> str:
    """What an operator says that wants two tensors of the same rows, and one number in each of the
    second's."""
    x, which = call.inputs
    if len(x.shape) != 2:
        return "X must have two dims"
    if len(which.shape) != 2:
        return "Which must have as many dims as X"
    return "" if which.shape == (x.shape[0], 1) else "Which must have one number in a row"


def test_what_the_kernel_and_the_maker_say_is_where_it_begins() -> None:
    _, search = searched()
    call = search.next()
    assert [one.type for one in call.inputs] == ["", "int64_t"]
    assert call.attributes == (-1, [1, 2], 1e-5)


def test_each_new_refusal_is_a_step_towards_a_call_that_suits() -> None:
    _, search = searched()
    for _ in range(200):
        call = search.next()
        search.learn(call, refusal(call))
    assert len(search.good) > 10
    assert len({call.seed for call in search.good}) > 10
