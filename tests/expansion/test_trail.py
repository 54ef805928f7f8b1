"""A trail ends at characters of a source file, and each hop names the place that explains it."""

from pathlib import Path

import pytest

from visualizer.expansion.tokens import Source
from visualizer.expansion.trail import sources, trail
from visualizer.workbench.bench import open_file

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "phi"
TEXT = """\
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define STR(x) #x
#define WRAP(x) [x]
CAT(left, right) STR(one + two) WRAP(WRAP(deep)) __LINE__
"""


@pytest.fixture
def expansions(tmp_path):
    path = tmp_path / "sample.c"
    path.write_text(TEXT)
    return open_file(path).trace.expansions


def told(token):
    return [(hop.depth, hop.token.text, hop.text, hop.where.line) for hop in trail(token)]


def test_a_pasted_name_has_two_parents(expansions):
    assert told(expansions[0].after[0]) == [
        (0, "leftright", "pasted by ## in CAT_", 2),
        (1, "left", "the argument a of CAT_", 2),
        (1, "left", "the argument a of CAT", 1),
        (1, "left", "written in the source", 5),
        (1, "right", "the argument b of CAT_", 2),
        (1, "right", "the argument b of CAT", 1),
        (1, "right", "written in the source", 5),
    ]


def test_a_string_has_as_many_as_the_argument_had_tokens(expansions):
    (token,) = expansions[1].after
    columns = {source.column for source in sources(token)}
    assert {TEXT.splitlines()[4][c - 1 :].split()[0].rstrip(")") for c in columns} == {
        "one",
        "+",
        "two",
    }


def test_what_a_macro_wrote_leads_to_its_invocation(expansions):
    bracket, inner, deep, *_ = expansions[2].after
    assert told(bracket) == [
        (0, "[", "in WRAP's replacement list", 4),
        (0, "WRAP", "the invocation in the source", 5),
    ]
    assert told(inner)[0] == (0, "[", "the argument x of WRAP", 4)
    assert [text for _, _, text, _ in told(deep)] == [
        "the argument x of WRAP",
        "the argument x of WRAP",
        "written in the source",
    ]


def test_what_the_preprocessor_computes(expansions):
    (token,) = expansions[3].after
    assert told(token) == [(0, "5", "computed for __LINE__", 5)]


def test_every_trail_of_a_registration_ends_in_the_source():
    bench = open_file(SAMPLES / "bitwise_kernel.cc")
    for expansion in bench.trace.expansions:
        for token in expansion.after:
            hops = list(trail(token))
            last = hops[-1].token.origin
            assert isinstance(last, Source) or hops[-1].text.startswith("computed")
            for hop in hops:
                if hop.definition is not None:
                    name = hop.text.removesuffix("'s replacement list").rpartition(" ")[2]
                    assert name == hop.definition.name
