"""Rows of a line: all of it, no wider than the terminal, and the same wherever nothing changed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.pace import quickest, slowness
from visualizer.expansion.lexer import tokenize
from visualizer.layout.line_layout import GOES_ON, gap, lay_out, layout, row_of, shown_text
from visualizer.layout.words import fill, words_of


def tokens_of(text):
    return [token for line in tokenize(text, "text") for token in line]


def drawn(tokens, width):
    """The rows as text."""
    rows = []
    for row in lay_out(tokens, width):
        text = ""
        for i in range(row.first, row.last):
            blank = " " * gap(tokens[i - 1], tokens[i]) if i > row.first else ""
            text += blank + shown_text(tokens[i])[row.letters(i)]
        rows.append(" " * row.indent + text + GOES_ON * (row.stop is not None))
    return rows


def without_marks(rows):
    """What was laid out, blanks apart."""
    return "".join(rows).replace(" ", "").replace(GOES_ON, "")


def test_each_declaration_starts_a_row():
    assert drawn(tokens_of("int a; int b; struct S {}; f(1, 2);"), 80) == [
        "int a;",
        "int b;",
        "struct S {};",
        "f(1, 2);",
    ]


def test_a_body_is_indented_and_a_short_one_stays_in_its_row():
    assert drawn(tokens_of("int f() { return 0; } void g() { a = 1; b = 2; }"), 80) == [
        "int f() { return 0; }",
        "void g() {",
        "  a = 1;",
        "  b = 2;",
        "}",
    ]


def test_declarations_handed_to_a_macro_are_spread_out_like_a_body():
    assert drawn(tokens_of("EXPAND(int a; int b;) c"), 80) == [
        "EXPAND(",
        "  int a;",
        "  int b;",
        ") c",
    ]


def test_the_semicolons_of_a_for_do_not_break():
    assert drawn(tokens_of("for (int i = 0; i < n; ++i) f(i);"), 80) == [
        "for (int i = 0; i < n; ++i) f(i);"
    ]


def test_brackets_that_do_not_match_are_no_trouble():
    assert drawn(tokens_of(") } ( ; { ; ("), 80)


def test_a_row_breaks_between_arguments_rather_than_inside_of_one():
    rows = drawn(tokens_of("function(first<int, long>, second<int, long>);"), 40)
    assert rows == ["function(first<int, long>,", "    second<int, long>);"]


def test_a_name_wider_than_the_terminal_is_cut_and_marked():
    name = "x" * 50
    rows = drawn(tokens_of(f"int {name};"), 20)
    assert without_marks(rows) == f"int{name};"
    assert all(len(row) <= 20 for row in rows)
    cut = [row for row in rows if row.endswith(GOES_ON)]
    assert len(cut) == len(rows) - 1, "a name that goes on below is marked"


def test_tokens_that_would_fuse_are_kept_apart():
    plus, _, another = tokens_of("+ x +")
    another.space = False
    assert gap(plus, another) == 1


def test_a_token_is_found_in_the_row_where_it_begins():
    tokens = tokens_of("int a; " + "y" * 70 + " b;")
    rows = lay_out(tokens, 20)
    assert row_of(rows, 0) == 0
    assert row_of(rows, 3) == 1
    assert rows[row_of(rows, 4)].first <= 4 < rows[row_of(rows, 4)].last


def test_a_change_in_one_declaration_leaves_the_rows_of_the_others_alone():
    before = drawn(tokens_of("int a; f(1); int c = 7 * (a + b);"), 30)
    after = drawn(tokens_of("int a; f(1, 2, 3, 4, 5, 6, 7, 8, 9); int c = 7 * (a + b);"), 30)
    assert (before[0], before[-1]) == (after[0], after[-1])


def test_wide_characters_count_twice_and_control_characters_do_not_show():
    assert drawn(tokens_of('"漢字漢字" + "漢字"'), 14) == ['"漢字漢字" +', '    "漢字"']
    assert drawn(tokens_of('R"(a\nb\tc)"'), 40) == ['R"(a⏎b·c)"']


words = st.sampled_from(
    ["a", "int", "::", "<", ">", "(", ")", "{", "}", ";", ",", "x" * 30, "+", '"漢字漢字漢字"']
)


@given(st.lists(words, max_size=80), st.integers(10, 60))
def test_every_token_is_shown_once_and_no_row_is_too_wide(texts, width):
    tokens = tokens_of(" ".join(texts))
    rows = drawn(tokens, width)
    assert all(cell_len(row) <= width for row in rows)
    assert without_marks(rows) == "".join(t.text for t in tokens)


@given(st.lists(words, max_size=40), st.integers(6, 60), st.integers(0, 12))
def test_no_letter_is_lost_at_any_width_nor_any_name_broken_without_a_mark(texts, width, indent):
    tokens = tokens_of(" ".join(texts))
    rows = [
        "".join(text for text, _ in row)
        for row in fill(words_of(tokens, lambda _: ()), width, indent)
    ]
    assert all(cell_len(row) <= width for row in rows)
    assert without_marks(rows) == "".join(t.text for t in tokens)
    mended = re.sub(f"{GOES_ON} *", "", " ".join(rows))
    names = [text for text in texts if text.isidentifier()]
    assert [word for word in re.findall(r"\w+", mended) if word in names] == names


@given(st.data(), st.lists(words, max_size=60), st.integers(8, 60))
def test_what_is_known_of_other_states_changes_nothing(data, texts, width):
    tokens, known = tokens_of(" ".join(texts)), None
    for _ in range(4):
        known = layout(tokens, width, known)
        assert known.rows == lay_out(tokens, width)
        at = data.draw(st.integers(0, len(tokens)))
        removed = data.draw(st.integers(0, 8))
        inserted = tokens_of(" ".join(data.draw(st.lists(words, max_size=8))))
        tokens = [*tokens[:at], *inserted, *tokens[at + removed :]]


@pytest.mark.parametrize("text", ["f(a, b) ; ", "a + "], ids=["declarations", "one expression"])
def test_a_step_in_a_hundred_thousand_tokens_is_laid_out_within_a_frame(text):
    tokens = tokens_of(text * 20_000)[:100_000]
    middle = len(tokens) // 2
    stepped = [*tokens[:middle], *tokens_of("int x = 1"), *tokens[middle + 1 :]]
    known = layout(tokens, 100)
    best = quickest(lambda: layout(stepped, 100, known))
    print(f"a step in {len(tokens)} tokens in {best * 1e3:.1f} ms")
    assert best < (0.3 if ";" in text else 0.05) * slowness()  # it is a fifth of that
