"""The walk-through in Markdown, read back by a Markdown parser and by a compiler."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from compilers import INSTALLED, needs_compiler, preprocessed_by, spellings
from hypothesis import given
from hypothesis import strategies as st
from macro_programs import macro_program
from markdown_it import MarkdownIt
from markdown_it.token import Token

from visualizer.expansion import preprocess
from visualizer.expansion.hiding import by_name
from visualizer.expansion.moments import Timeline
from visualizer.expansion.views import FINE, Look, view
from visualizer.export.markdown import cell, code, markdown, prose
from visualizer.scene.tour import Tour, tour

PARSER = MarkdownIt("commonmark").enable("table")
AWKWARD = st.text(alphabet="`|\\aB_1*<&#$[]~(; ").map(str.strip).filter(bool)


def parsed(toured: Tour) -> list[Token]:
    return PARSER.parse("".join(markdown(toured)))


def fences(toured: Tour) -> list[str]:
    return [token.content for token in parsed(toured) if token.type == "fence"]


def headings(toured: Tour) -> list[str]:
    tokens = parsed(toured)
    return [b.content for a, b in pairwise(tokens) if a.type == "heading_open"]


def rows(toured: Tour) -> list[list[str]]:
    """The cells of all tables, as a reader sees them."""
    found: list[list[str]] = []
    tokens = parsed(toured)
    for token, following in pairwise(tokens):
        if token.type == "tr_open":
            found.append([])
        elif token.type in ("td_open", "th_open"):
            found[-1].append(seen(following))
    return found


def seen(inline: Token) -> str:
    return "".join(child.content for child in inline.children or () if child.type != "html_inline")


def as_source(toured: Tour) -> tuple[str, list[str]]:
    """The document's definitions and its source line as a file, and the tokens that it ends with."""
    blocks = fences(toured)
    defines = [block for block in blocks if block.startswith("#define")]
    result = blocks[-1] if toured.expansion.after else ""
    return "".join([*defines, blocks[0]]), spellings(result)


@needs_compiler
@pytest.mark.compiler
@pytest.mark.parametrize("compiler", INSTALLED)
def test_a_compiler_makes_of_the_definitions_and_the_source_what_stands_at_the_end(
    compiler, registration, tmp_path
):
    text, result = as_source(registration)
    file = tmp_path / "from_markdown.cc"
    file.write_text(text)
    assert preprocessed_by(compiler, file) == result


@needs_compiler
@pytest.mark.compiler
def test_so_it_does_of_macros_that_have_nothing_to_do_with_kernels(tricky, tmp_path):
    text, result = as_source(tricky)
    file = tmp_path / "from_markdown.cc"
    line = tricky.expansion.where.line - text.count("\n")
    file.write_text(f"#line {line + 1}\n{text}")
    assert preprocessed_by(INSTALLED[0], file) == result


@pytest.mark.parametrize("seed", range(40))
def test_definitions_of_any_shape_read_back(seed, tmp_path):
    file = tmp_path / "program.cc"
    file.write_text(macro_program(Random(seed)))
    trace = preprocess(file)
    for expansion in trace.expansions[-2:] if not trace.has_errors() else ():
        text, result = as_source(tour(trace, expansion))
        again = tmp_path / "from_markdown.cc"
        again.write_text(text)
        assert [t.text for t in preprocess(again).output] == result


def test_each_definition_is_laid_out_as_in_the_source(registration):
    header = Path(registration.trace.definitions["PD_EXPAND"].where.file).read_text()
    squeezed = re.sub(r" +\\", r" \\", header)
    for block in fences(registration):
        if block.startswith("#define"):
            assert re.sub(r" +\\", r" \\", block).rstrip() in squeezed


def test_every_argument_stands_in_a_row_of_its_own(tricky):
    table = rows(tricky)
    for moment in tricky.timeline.moments:
        for argument in moment.step.arguments:
            assert any(row[0] == argument.parameter for row in table)
    assert {len(row) for row in table} <= {2, 3}


def test_what_an_argument_was_expanded_to_stands_beside_it(of_text):
    toured = of_text("#define ONE 1\n#define ID(x) x\nID(ONE)\n")
    assert ["x", "ONE", "1"] in rows(toured)


def test_hidden_macros_are_told_together_and_not_defined(registration):
    seen_so = view(Timeline(registration.expansion), FINE, by_name("PD_CONCATENATE*"))
    hidden = tour(registration.trace, registration.expansion, seen=seen_so)
    assert "16–18. Hidden macros" in headings(hidden)
    assert not any(block.startswith("#define PD_CONCATENATE") for block in fences(hidden))
    assert fences(hidden)[-1].rstrip() == fences(registration)[-1].rstrip().removesuffix(" {}")


def test_a_coarse_look_tells_an_invocation_as_one_step(registration):
    seen_so = view(Timeline(registration.expansion), Look(coarse=True))
    told = tour(registration.trace, registration.expansion, seen=seen_so)
    assert "8–14. `PD_NARGS`" in headings(told)
    assert ["__VA_ARGS__", "bool, uint8_t, int8_t, int16_t, int, int64_t"] in rows(told)
    assert any(block.startswith("#define PD_NARGS(") for block in fences(told))


def test_the_registry_entries_are_listed_with_the_step_that_completes_them(registration, bitwise):
    listed = rows(registration)[-6:]
    mine = [e for e in bitwise.entries if e.expansion == 3]
    assert [row[1] for row in listed] == [str(e.registration.key) for e in mine]
    assert [int(row[3].split(".")[0]) for row in listed] == [bitwise.born(e)[1] for e in mine]


def test_every_link_leads_to_a_heading(registration):
    text = "".join(markdown(registration))
    slugs = {re.sub(r"[`.]", "", h).lower().replace(" ", "-") for h in headings(registration)}
    links = re.findall(r"\]\(#([^)]*)\)", text)
    assert len(links) > 142
    assert set(links) <= slugs


@given(AWKWARD)
def test_code_is_read_back_as_it_was(text):
    (inline,) = (t for t in PARSER.parse(f"x {code(text)} x") if t.type == "inline")
    assert [c.content for c in inline.children or () if c.type == "code_inline"] == [text]


@given(AWKWARD, AWKWARD)
def test_code_in_a_table_stays_in_its_cell(left, right):
    tokens = PARSER.parse(f"| a | b |\n|---|---|\n| {cell(left)} | {cell(right)} |\n")
    cells = [seen(b) for a, b in pairwise(tokens) if a.type == "td_open"]
    assert cells == [left, right]


@given(AWKWARD, st.lists(AWKWARD, max_size=2))
def test_prose_is_read_back_as_it_was(text, known):
    text = " ".join(text.split())
    (inline,) = (t for t in PARSER.parse(prose(text, known)) if t.type == "inline")
    assert seen(inline) == text
    assert {c.type for c in inline.children or ()} <= {"text", "code_inline", "text_special"}


def test_what_a_sentence_quotes_is_code_once(of_text):
    document = "".join(markdown(of_text("#define FRUIT(name) name,\nFRUIT(pear)\n")))
    assert "\n`FRUIT` becomes `pear,`.\n" in document
