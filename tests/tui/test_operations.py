"""What `#` and `##` do, as the card draws it."""

import pytest

from visualizer.layout.line_layout import GOES_ON
from visualizer.tui.stepper.operations import operation_rows


def drawn(bench, width=60):
    step = bench.trace.expansions[0].steps[0]
    return ["".join(text for text, _ in row) for row in operation_rows(step, width)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("#define C(a, b) a##b\nC(x, y)", ["x ## y", "  ╰─▶ xy"]),
        ("#define C(a) p_##a##_s\nC(x)", ["p_ ## x ## _s", "  ╰─▶ p_x_s"]),
        (
            "#define C(a) p_##a\nC()",
            ["a is empty: a placemarker stands in its place beside ##, and", "    vanishes"],
        ),
        ("#define F(a, b) f(a, b)\nF(, 1)", ["a is empty: nothing is put in for it"]),
        ("#define S(a) #a\nS(x + y)", ["#a: x + y", '  ╰─▶ "x + y"']),
        ("#define S(a) #a\nS()", ["#a: nothing", '  ╰─▶ ""']),
        ("#define T(a) a##1 a##1\nT(x)", ["x ## 1", "  ╰─▶ x1"]),
        ("#define N(a) a\nN(x)", []),
        (
            "#define G(f, ...) f(x, ##__VA_ARGS__)\nG(g)",
            [", ##__VA_ARGS__: the list is empty, so the comma goes too"],
        ),
    ],
)
def test_each_is_drawn_once(source, text, rows):
    assert drawn(source(text + "\n")) == rows


def test_a_long_name_goes_on_in_the_next_row(source):
    name = "a" * 70
    rows = drawn(source(f"#define C(a) {name}##a\nC(z)\n"), width=40)
    assert all(len(row) <= 40 for row in rows)
    result = "".join(row.strip(f"{GOES_ON} ") for row in rows[-3:])
    assert result.endswith("a" * 30 + "z")


def test_of_very_many_some_are_counted_only(source):
    pastes = " ".join(f"a##{n}" for n in range(20))
    rows = drawn(source(f"#define C(a) {pastes}\nC(z)\n"))
    assert rows[-1] == "… and 14 more"
