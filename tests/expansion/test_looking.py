"""Looking through a finished trace: hiding macros, breakpoints, search."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macro_programs import macro_program

from visualizer.expansion import Options, preprocess
from visualizer.expansion.breakpoints import at_event, at_macro, following, preceding
from visualizer.expansion.hiding import (
    Merged,
    any_of,
    by_file,
    by_name,
    by_system_header,
    hide,
    narration,
)
from visualizer.expansion.moments import Timeline
from visualizer.expansion.search import find
from visualizer.expansion.tokens import Source, spell
from visualizer.workbench.samples import sample_files

BITWISE = next(f for f in sample_files() if f.stem == "bitwise_kernel")
PROGRAM = """\
#define EXPAND(x) x
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a ## b
#define STR(x) #x
#define F(x) x + CAT(x, 1)
"""


def timeline_of(text: str, folder: Path) -> Timeline:
    file = folder / "program.cc"
    file.write_text(text + "\n")
    return Timeline(preprocess(file, Options(std="gnu++20")).expansions[-1])


def macros(timeline: Timeline) -> list[str]:
    return [m.step.macro for m in timeline.moments]


# ---------------------------------------------------------------------- hiding


def test_a_hidden_macro_hides_what_its_own_text_calls(tmp_path: Path) -> None:
    timeline = timeline_of(PROGRAM + "F(a)", tmp_path)
    assert macros(timeline) == ["F", "CAT", "CAT_"]
    hidden = hide(timeline, by_name("CAT"))
    assert macros(hidden.timeline) == ["F", "CAT"]
    assert hidden.spans == ((0, 0), (1, 2))
    assert spell(hidden.timeline.state(2)) == "a + a1"
    assert narration(hidden.timeline.moments[1]) == "2 steps are hidden: CAT and CAT_."


def test_what_the_reader_wrote_as_an_argument_stays_in_sight(tmp_path: Path) -> None:
    timeline = timeline_of(PROGRAM + "EXPAND(F(a))", tmp_path)
    hidden = hide(timeline, by_name("EXPAND"))
    assert macros(hidden.timeline) == ["F", "CAT", "CAT_", "EXPAND"]
    assert narration(hidden.timeline.moments[-1]) == "1 step is hidden: EXPAND."
    assert all(m.prescan is None for m in hidden.timeline.moments)


def test_a_name_that_a_hidden_macro_pastes_is_the_readers(tmp_path: Path) -> None:
    timeline = timeline_of(PROGRAM + "#define AB 7\nCAT(A, B)", tmp_path)
    assert macros(hide(timeline, by_name("CAT*")).timeline) == ["CAT", "AB"]


def test_policies_by_file_and_by_system_header() -> None:
    header = Source("/usr/include/sys/cdefs.h", 3, 9)
    ours = Source("cpp_samples/phi/kernel_registry.h", 3, 9)
    assert by_file("kernel_registry.h")("X", ours)
    assert by_file("*/phi/*.h")("X", ours)
    assert not by_file("kernel_registry.h")("X", header)
    assert by_system_header(["/usr/include"])("X", header)
    assert not by_system_header(["/usr/include"])("X", ours)
    assert not by_system_header(["/usr/include"])("__LINE__", None)
    assert any_of([by_name("A"), by_file("cdefs.h")])("X", header)


def test_with_everything_hidden_one_moment_is_left() -> None:
    for expansion in preprocess(BITWISE).expansions:
        hidden = hide(Timeline(expansion), by_name("*")).timeline
        assert len(hidden) == 1
        assert isinstance(hidden.moments[0], Merged)
        assert spell(hidden.state(1)) == spell(expansion.after)


def test_with_nothing_hidden_all_is_as_it_was() -> None:
    timeline = Timeline(preprocess(BITWISE).expansions[-1])
    hidden = hide(timeline, by_name("no such macro"))
    assert macros(hidden.timeline) == macros(timeline)
    for k, moment in enumerate(timeline.moments):
        assert hidden.timeline.moments[k].partner == moment.partner
        assert hidden.timeline.over(k) == timeline.over(k)
        assert hidden.timeline.invocations(k) == timeline.invocations(k)


@settings(max_examples=300)
@given(seed=st.integers(0, 2**32 - 1))
def test_hidden_or_not_the_states_are_the_same(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    file = tmp_path / "program.cc"
    file.write_text(macro_program(random))
    for expansion in preprocess(file, Options(std="gnu++20")).expansions:
        timeline = Timeline(expansion)
        names = {m.step.macro for m in timeline.moments}
        chosen = {name for name in sorted(names) if random.random() < 0.5}
        hidden = hide(timeline, lambda name, _: name in chosen)  # noqa: B023
        shown = hidden.timeline
        assert len(shown) == len(hidden.spans)
        for k, (_, last) in enumerate(hidden.spans):
            assert shown.state(k + 1) == timeline.state(last + 1)
            assert k < shown.over(k) <= len(shown)
            assert shown.moments[shown.moments[k].partner].partner == k or not (
                shown.moments[k].meeting
            )
        assert spell(shown.state(len(shown))) == spell(timeline.state(len(timeline)))


# ---------------------------------------------------------------------- breakpoints


def test_a_breakpoint_at_a_macro_is_found_forwards_and_backwards(tmp_path: Path) -> None:
    timeline = timeline_of(PROGRAM + "F(F(a))", tmp_path)
    stop = at_macro("CAT")
    found = []
    k: int | None = -1
    while (k := following(timeline, k, stop)) is not None:
        found.append(k)
    assert [timeline.moments[i].step.macro for i in found] == ["CAT"] * len(found)
    assert found
    back = []
    k = len(timeline)
    while (k := preceding(timeline, k, stop)) is not None:
        back.append(k)
    assert back == found[::-1]


@pytest.mark.parametrize(
    ("event", "text", "wanted"),
    [
        ("paste", "F(a)", "CAT_"),
        ("stringize", "EXPAND(STR(a))", "STR"),
        ("painted", "#define S S + 1\nS", "S"),
        ("builtin", "EXPAND(__LINE__)", "__LINE__"),
        ("prescan", "EXPAND(CAT(a, b))", "EXPAND"),
        ("va_opt", "#define V(...) __VA_OPT__(x)\nEXPAND(V(1))", "V"),
        ("refused", "EXPAND(CAT(a))", "CAT"),
        ("comma", "#define V(x, ...) x, ## __VA_ARGS__\nEXPAND(V(1))", "V"),
    ],
)
def test_a_breakpoint_at_an_event(event: str, text: str, wanted: str, tmp_path: Path) -> None:
    timeline = timeline_of(PROGRAM + text, tmp_path)
    k = following(timeline, -1, at_event(event))
    assert k is not None
    assert timeline.moments[k].step.macro == wanted


def test_what_does_not_happen_is_not_found(tmp_path: Path) -> None:
    timeline = timeline_of(PROGRAM + "F(a)", tmp_path)
    assert following(timeline, -1, at_event("stringize")) is None
    assert preceding(timeline, len(timeline), at_macro("NO*")) is None


# ---------------------------------------------------------------------- search


def test_a_token_is_followed_from_its_birth_to_its_end(tmp_path: Path) -> None:
    timeline = timeline_of(PROGRAM + "F(a)", tmp_path)
    ((pasted,), (made,)) = (find(timeline, "CAT_"), find(timeline, "a1"))
    assert (pasted.born, pasted.gone, pasted.fate) == (2, 2, "replaced")
    assert (made.born, made.gone, made.fate) == (3, None, None)
    (argument,) = find(timeline, "a")
    assert (argument.born, argument.gone) == (0, None)  # one of its two places is left
    (one,) = find(timeline, "1")
    assert (one.born, one.gone, one.fate) == (1, 2, "pasted")


def test_a_token_may_be_stringized_or_dropped(tmp_path: Path) -> None:
    timeline = timeline_of("#define P(x, y) #x\nP(a, b)", tmp_path)
    assert [f.fate for f in find(timeline, "[ab]")] == ["stringized", "dropped"]


def test_a_token_that_comes_back_out_of_a_prescan_has_not_gone(tmp_path: Path) -> None:
    timeline = timeline_of("#define ID(x) x\nID(ID(a))", tmp_path)
    (found,) = find(timeline, "a")
    assert (found.born, found.gone) == (0, None)


def test_a_registered_dtype_is_followed_through_the_whole_registration() -> None:
    trace = preprocess(BITWISE)
    timeline = Timeline(next(e for e in trace.expansions if e.macro == "PD_REGISTER_KERNEL"))
    (dtype,) = find(timeline, "bool")
    assert (dtype.born, dtype.gone) == (0, None)
    (made,) = find(timeline, "_PD_KERNEL_INSTANTIATION_6")
    assert made.fate == "replaced"
    assert made.gone is not None
    assert timeline.moments[made.gone].step.macro == "_PD_KERNEL_INSTANTIATION_6"
    assert len(find(timeline, "_PD_KERNEL_INSTANTIATION_[1-6]")) == 6
