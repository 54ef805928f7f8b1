"""Chinese is broken between its characters, and no row begins with a mark that closes something; the
same in the panes, which are drawn, and in what Textual lays out. Who judges is the text: put together
again, it is what it was."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from visualizer.layout.row_breaks import rows_of
from visualizer.layout.tables import table
from visualizer.layout.words import prose
from visualizer.tui import terminal

CLOSING, OPENING = "，。、；：？！）》」』】", "（《「『【"
TEXT = (
    "把它放到 x 的位置之前，预处理器先把这个实参展开，就像除它以外什么都没有一样。"
    "这叫实参预展开（prescan）。（C 标准只说：实参在放进去之前要完全宏替换，"
    "例如 PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT) {}。）"
)
WORDS = st.lists(
    st.sampled_from([*"预处理器展开，。（）", "macro", "PD_CONCATENATE", "x", ". ", " "]),
    max_size=60,
).map("".join)


@pytest.mark.parametrize("width", [12, 20, 33, 45, 80])
def test_a_row_is_full_and_begins_with_no_closing_mark(width: int) -> None:
    rows = rows_of(TEXT, width)
    assert "".join(rows).replace(" ", "") == TEXT.replace(" ", "")
    for row, below in pairwise(rows):
        assert cell_len(row) <= width
        assert below[0] not in CLOSING
        assert row[-1] not in OPENING or cell_len(row) == width
        first = below.split("PD_")[0][:1]
        if first and cell_len(first) == 2 and below[1:2] not in CLOSING and first not in OPENING:
            assert cell_len(row) >= width - 3, "there was room for the character that comes next"


@given(WORDS, st.integers(8, 50))
def test_nothing_is_lost_and_nothing_is_too_wide(text: str, width: int) -> None:
    rows = rows_of(text, width)
    assert "".join("".join(rows).split()) == "".join(text.split())
    assert all(cell_len(row) <= width for row in rows)


@pytest.mark.parametrize("width", [1, 0, -1])
def test_a_pane_with_no_room_has_a_letter_a_row(width: int) -> None:
    assert "".join(rows_of(TEXT, width)).replace(" ", "") == TEXT.replace(" ", "")


def test_panes_and_textual_break_alike() -> None:
    assert terminal.content is not None  # Textual's way of breaking is replaced there
    drawn = ["".join(text for text, _ in row) for row in prose(TEXT, 40)]
    assert [line.plain.strip() for line in Content(TEXT).wrap(40)] == drawn


def test_english_is_broken_at_its_blanks() -> None:
    text = "An argument is expanded before it is put in, and the result is read once more."
    assert [line.plain.strip() for line in Content(text).wrap(30)] == [
        "An argument is expanded before",
        "it is put in, and the result",
        "is read once more.",
    ]


def test_columns_of_a_table_stand_below_each_other() -> None:
    """A Chinese character takes two cells."""
    rows = [("macros/2", "实参预展开与重新扫描", "one"), ("phi/1", "one", "另一列")]
    lines = list(table(("lesson", "title", "idea"), rows, 0))
    last = ("idea", "one", "另")
    at = {cell_len(line[: line.index(word)]) for line, word in zip(lines, last, strict=True)}
    assert len(at) == 1
