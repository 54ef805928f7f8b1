"""Where two registries differ: entries that one of them has, and what they say differently."""

from __future__ import annotations

from registry_runtime.judge.facts import REGISTERED, Difference, Facts, count, differences

OURS: Facts = {
    ("abs", "CPU"): {"input 0": "int32", "output 0": "int32"},
    ("exp", "CPU"): {},
    ("log", "CPU"): None,
}
THEIRS: Facts = {
    ("abs", "CPU"): {"input 0": "int64", "output 0": "int32", "attribute 0": "float"},
    ("log", "CPU"): {"input 0": "float32"},
    ("sin", "GPU"): {},
}


def test_each_difference_is_told_once_and_what_only_they_have_last() -> None:
    assert differences(OURS, THEIRS) == (
        Difference("abs", "CPU", "input 0", "int32", "int64"),
        Difference("abs", "CPU", "attribute 0", None, "float"),
        Difference("exp", "CPU", "", REGISTERED, None),
        Difference("sin", "GPU", "", None, REGISTERED),
    )


def test_a_registry_differs_from_itself_in_nothing() -> None:
    assert differences(OURS, OURS) == ()


def test_that_an_entry_is_there_is_a_fact() -> None:
    assert count(THEIRS) == 3 + 4
