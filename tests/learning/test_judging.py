"""What a learner is told about a wrong answer, and what counts as the same answer."""

from dataclasses import replace

import pytest

from visualizer.learning import checks, lesson

READ = lesson.load(lesson.find("macros/1"))
(EXERCISE,) = (exercise for _, exercise in READ.exercises())


def judged(text, *tables):
    return checks.check(READ, replace(EXERCISE, checks=tables), text)


def test_strings_side_by_side_are_one_and_blanks_are_not_compared():
    for written in ('"a" "b"', '"ab"', '"a"   "b"'):
        assert judged(f"#define T {written}", {"yields": [["T", '"a" "b"']]}).passed
    assert judged('#define T "a", "b"', {"yields": [["T", '"ab"']]}).failed
    assert judged("#define T --1", {"yields": [["T", "- -1"]]}).failed


def test_of_a_long_result_only_what_differs_is_told():
    long = " ".join(f"word{i}" for i in range(60))
    told = judged(f"#define T {long} end", {"yields": [["T", f"{long} stop"]]}).failed
    assert told == "T becomes … end; it should be … stop"
    told = judged(f"#define T {long} end", {"yields": [["T", long]]}).failed
    assert told == "T becomes … end; it should be nothing more"


def test_the_preprocessors_own_error_is_told_before_what_follows_from_it():
    text = "#define ADD(a, b) a + b\n#define T ADD(1)\nint x = T;"
    for table in ({"yields": [["T", "1"]]}, {"values": [["T", 1]]}, {"preprocesses": True}):
        verdict = judged(text, table)
        assert "requires 2 arguments" in verdict.failed
        assert verdict.where.line == 3


def test_a_compilers_errors_are_none_of_the_preprocessors():
    text = "int x = ] ;"
    assert judged(text, {"preprocesses": True}).passed
    assert judged(text, {"errors": False}).failed
    assert judged(text, {"preprocesses": False}).failed


def test_what_must_be_left_is_looked_for_in_what_becomes_of_the_file():
    text = "#define f(x) (f)(x)\nint f(int);"
    assert judged(text, {"keeps": ["int f(int);"]}).passed
    assert judged(text, {"leaves": ["int f(int);"]}).failed
    assert judged(text, {"leaves": ["int (f)(int);"]}).passed


@pytest.mark.parametrize("text", ["/*", "#define F(x) x\nF(", "#if 1", '"'])
def test_a_text_that_ends_inside_of_something_is_judged_all_the_same(text):
    assert judged(text, {"yields": [["F(1)", "2"]]}).failed
    assert judged(text, {"values": [["F(1)", 2]]}).failed
