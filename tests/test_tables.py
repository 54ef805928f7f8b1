"""A table in a pipe and on a terminal: nothing is cut, and no line is broken within a word."""

from __future__ import annotations

import pytest

from visualizer.layout.tables import table

COLUMNS = ("kernel", "key", "function", "where")
ROWS = [
    ("bitwise_and", "(CPU, bool)", "phi::AndKernel<bool>", "bitwise.cc:72"),
    ("bitwise_and", "(CPU, int8)", "phi::AndKernel<int8_t>", "bitwise.cc:72"),
    ("exp", "(CPU, float32)", "phi::ExpKernel<float>", "activation.cc:25"),
]


def shown(width: int) -> list[str]:
    return list(table(COLUMNS, ROWS, width))


@pytest.mark.parametrize("width", [0, 69, 200])
def test_a_row_is_a_line_where_it_fits(width: int) -> None:
    assert shown(width) == [
        "kernel       key             function                where",
        "bitwise_and  (CPU, bool)     phi::AndKernel<bool>    bitwise.cc:72",
        "             (CPU, int8)     phi::AndKernel<int8_t>  bitwise.cc:72",
        "exp          (CPU, float32)  phi::ExpKernel<float>   activation.cc:25",
    ]


def test_on_a_narrow_terminal_what_rows_share_stands_beside_their_name() -> None:
    assert shown(60) == [
        "kernel  key  function  where",
        "bitwise_and  bitwise.cc:72",
        "  (CPU, bool)  phi::AndKernel<bool>",
        "  (CPU, int8)  phi::AndKernel<int8_t>",
        "exp  (CPU, float32)  phi::ExpKernel<float>  activation.cc:25",
    ]


def test_what_is_still_too_long_goes_on_below_between_cells() -> None:
    assert shown(32)[2:] == [
        "  (CPU, bool)",
        "    phi::AndKernel<bool>",
        "  (CPU, int8)",
        "    phi::AndKernel<int8_t>",
        "exp  (CPU, float32)",
        "  phi::ExpKernel<float>",
        "  activation.cc:25",
    ]


def test_a_cell_that_is_longer_than_a_line_is_broken_between_words() -> None:
    schema = "add(Tensor self, Tensor other, *, Scalar alpha) -> Tensor"
    assert list(table(("operator", "schema"), [("add", schema)], 40))[1:] == [
        "add",
        "  add(Tensor self, Tensor other, *,",
        "    Scalar alpha) -> Tensor",
    ]


def test_rows_that_are_one_and_the_same_are_as_many_on_any_terminal() -> None:
    rows = [("exp", "(CPU, float32)", "phi::ExpKernel<float>", "activation.cc:25")] * 2
    assert sum("float32" in line for line in table(COLUMNS, rows, 40)) == 2


TIMES = [("and", "bool", "1", "9 ns"), ("and", "bool", "100", "12 ns"), ("or", "int8", "1", "8 ns")]


def test_numbers_stand_to_the_right_and_on_a_narrow_terminal_below_their_own_head() -> None:
    columns = ("kernel", "dtype", "size", "time")
    assert list(table(columns, TIMES, 0, numbers=2)) == [
        "kernel  dtype  size   time",
        "and     bool      1   9 ns",
        "                100  12 ns",
        "or      int8      1   8 ns",
    ]
    assert list(table(columns, TIMES, 20, numbers=2)) == [
        "and  bool",
        "  size   time",
        "     1   9 ns",
        "   100  12 ns",
        "or  int8",
        "  size   time",
        "     1   8 ns",
    ]
    assert max(map(len, table(columns, TIMES, 11, numbers=2))) <= 11
