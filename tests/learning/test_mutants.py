"""Solutions with one token changed: each kind of change is made; none that gcc refuses is accepted."""

import random

import pytest

from tests.learning.mutants import mutants, survivors


def test_every_kind_of_change_is_made():
    text = "int a = 1;  // a comment\n"
    changed = {mutant.text for mutant in mutants(text, random.Random(0), 100)}
    assert {
        "a int = 1;  // a comment\n",
        " a = 1;  // a comment\n",
        "int a a = 1;  // a comment\n",
        "int a = 2;  // a comment\n",
        "int a = 1  // a comment\n",
    } <= changed
    assert all(one.endswith("// a comment\n") for one in changed)


@pytest.mark.compiler
@pytest.mark.parametrize("lesson", ["macros/1"])
def test_no_mutant_that_a_compiler_refuses_is_accepted(lesson):
    assert [line for line, is_wrong in survivors(20, [lesson]) if is_wrong] == []
