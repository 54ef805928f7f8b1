"""Tokens as text: the text reads back as the same tokens, however they are laid out."""

from __future__ import annotations

import pytest

from visualizer.expansion import preprocess
from visualizer.expansion.lexer import tokenize
from visualizer.scene.code import definition_lines, laid_out, source_lines

WRITTEN = """\
#define ALIGNED(a,      \\
                b)      \\
  do {                  \\
    a += b;             \\
  } while (0)
#define GNU(args...) g(args)
#define NONE
#define OBJECT (a) /* a comment */ + 1
#define \\
  LATE(a) \\
  a
#define EMPTY_LIST() 1
#define PACKED(a_long_parameter, another_long_parameter, a_third_long_parameter, \\
    a_fourth_long_parameter) \\
  a_fourth_long_parameter
"""


@pytest.fixture
def definitions(tmp_path):
    path = tmp_path / "definitions.h"
    path.write_text(WRITTEN)
    return preprocess(path).definitions


def spelled(text: str) -> list[str]:
    return [t.text for line in tokenize(text, "") for t in line]


def test_a_definition_is_laid_out_as_written(definitions):
    assert definition_lines(definitions["ALIGNED"]) == [
        "#define ALIGNED(a, \\",
        "                b) \\",
        "  do {             \\",
        "    a += b;        \\",
        "  } while (0)",
    ]
    assert definition_lines(definitions["GNU"]) == ["#define GNU(args...) g(args)"]
    assert definition_lines(definitions["NONE"]) == ["#define NONE"]
    assert definition_lines(definitions["OBJECT"]) == ["#define OBJECT (a) + 1"]
    assert definition_lines(definitions["EMPTY_LIST"]) == ["#define EMPTY_LIST() 1"]


def test_a_definition_reads_back_as_the_same(definitions, tmp_path):
    for name, definition in definitions.items():
        if not definition.where.file.startswith("<"):
            path = tmp_path / "again.h"
            path.write_text("\n".join(definition_lines(definition)) + "\n")
            assert preprocess(path).definitions[name].same_as(definition), name


@pytest.mark.parametrize(
    "text",
    [
        'R"(a raw\n  string; { }\n)" x',
        f"int {'long_name_' * 20} = {'1 + ' * 60} 2; f({'(' * 30}{')' * 30});",
        "for (;;) { a; { b; } } struct { int x; } y; - - 1 + + 2 .. . < :: a > > b",
        "漢字 u8 \"x\" L 'c' 1 .5",
    ],
)
def test_what_an_expansion_made_reads_back_as_the_same_tokens(of_text, text):
    toured = of_text(f"#define SAME(...) __VA_ARGS__\nSAME({text})\n")
    after = toured.expansion.after
    for width in (30, 100):
        assert spelled("\n".join(laid_out(after, width))) == [t.text for t in after]


def test_a_pragma_has_a_line_of_its_own(of_text):
    toured = of_text('#define LOOP(x) _Pragma("omp for") x\nLOOP(for (;;) ;)\n')
    assert laid_out(toured.expansion.after) == ["#pragma omp for", "for (;;) ;"]


def test_the_source_is_indented_as_it_was(of_text):
    toured = of_text("#define F(a, b) a\n    F(1, // one\n      2)\n")
    assert source_lines(toured) == ["F(1,", "  2)"]
