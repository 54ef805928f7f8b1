"""The invariants of a trace: replay, provenance, time travel, bounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from compilers import INSTALLED, preprocessed_by
from fuzz import REGRESSIONS, difference
from hypothesis import given, settings
from hypothesis import strategies as st
from macro_programs import macro_program

from visualizer.expansion import Options, Trace, preprocess
from visualizer.expansion.moments import Timeline
from visualizer.expansion.options import STEP_LIMIT
from visualizer.expansion.sentences import sentence
from visualizer.expansion.tokens import (
    Computed,
    Copied,
    Passed,
    Pasted,
    Source,
    Stringized,
    Token,
    spelled_at,
    standing_at,
)
from visualizer.expansion.trace import Step, replay
from visualizer.workbench.samples import sample_files


def trace_of(text: str, folder: Path, step_limit: int = STEP_LIMIT) -> Trace:
    file = folder / "program.cc"
    file.write_text(text)
    return preprocess(file, Options(std="gnu++20", step_limit=step_limit))


def all_steps(steps: list[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        for argument in step.arguments:
            if argument.prescan:
                yield from all_steps(argument.prescan.steps)


def check_replay(steps: list[Step], before: list[Token], after: list[Token]) -> None:
    assert [t.text for t in replay(before, steps)] == [t.text for t in after]
    for step in steps:
        for argument in step.arguments:
            if argument.prescan:
                check_replay(argument.prescan.steps, argument.raw, argument.prescan.after)


def check_provenance(token: Token, lines: dict[str, list[str]]) -> None:
    """Follow a token to characters of a file, and find its spelling there."""
    where = spelled_at(token)
    assert where.line >= 1
    assert where.column >= 1
    origin = token.origin
    while isinstance(origin, Passed | Copied):
        if isinstance(origin, Passed):
            assert (
                origin.definition.replacement[origin.place].text in origin.definition.all_parameters
            )
            origin = origin.token.origin
        else:
            assert origin.definition.replacement[origin.place].text == token.text
            origin = origin.definition.replacement[origin.place].origin
    match origin:
        case Source(file, line, column) if not file.startswith("<"):
            if file not in lines:
                lines[file] = Path(file).read_text().split("\n")
            assert lines[file][line - 1][column - 1 :].startswith(token.text.split("\n")[0])
        case Pasted():
            assert origin.left.text + origin.right.text == token.text
        case Stringized():
            assert token.text.startswith('"')
        case Computed():
            assert origin.by.text in ("__COUNTER__", "__LINE__", "__FILE__")
        case _:
            assert isinstance(origin, Source)


def check_invariants(trace: Trace) -> None:
    lines: dict[str, list[str]] = {}
    for expansion in trace.expansions:
        check_replay(expansion.steps, expansion.before, expansion.after)
        end = expansion.at + len(expansion.after)
        assert trace.output[expansion.at : end] == expansion.after
        timeline = Timeline(expansion)
        final = [t.text for t in timeline.state(len(timeline))]
        assert final == [t.text for t in expansion.after]
        for step in all_steps(expansion.steps):
            assert sentence(step).endswith(".")
            for token in step.insert:
                check_provenance(token, lines)
    for token in trace.output:
        check_provenance(token, lines)


@pytest.mark.parametrize("sample", sample_files(), ids=lambda f: f.stem)
def test_samples_keep_the_invariants(sample: Path) -> None:
    """Of what it includes, the text is that of a few headers: with each folder's first sample."""
    first = min(f for f in sample_files() if f.parent == sample.parent)
    with_cuda = Options(macros=(("D", "PADDLE_WITH_CUDA"),))
    check_invariants(preprocess(sample, with_cuda, skip_included_text=sample != first))


@settings(max_examples=300)
@given(seed=st.integers(0, 2**32 - 1))  # `make fuzz` draws each choice on its own, and shrinks it
def test_any_program_keeps_the_invariants(seed: int, tmp_path: Path) -> None:
    trace = trace_of(macro_program(Random(seed)), tmp_path)
    if not trace.has_errors():
        check_invariants(trace)


@pytest.mark.compiler
@pytest.mark.skipif(not INSTALLED, reason="neither g++ nor clang++ is installed")
@given(random=st.randoms(use_true_random=False))
def test_any_program_expands_as_the_compilers_expand_it(random: Random, tmp_path: Path) -> None:
    text = macro_program(random)
    trace = trace_of(text, tmp_path)
    wanted = [preprocessed_by(c, tmp_path / "program.cc") for c in INSTALLED]
    if None not in wanted and all(w == wanted[0] for w in wanted):
        assert [t.text for t in trace.output] == wanted[0], text


@pytest.mark.compiler
@pytest.mark.skipif(not INSTALLED, reason="neither g++ nor clang++ is installed")
@pytest.mark.parametrize("file", sorted(REGRESSIONS.glob("*.cc")), ids=lambda f: f.stem)
def test_what_the_fuzzer_once_found_stays_mended(file: Path) -> None:
    assert difference(file) is None


def test_every_state_is_reachable_from_every_other(tmp_path: Path) -> None:
    trace = trace_of(
        "#define A(x) B(x) B(x)\n#define B(x) C(x) C(x)\n#define C(x) x x\nA(A(A(1)))\n", tmp_path
    )
    timeline = Timeline(trace.expansions[0])
    forwards = [[t.text for t in timeline.state(k)] for k in range(len(timeline) + 1)]
    fresh = Timeline(trace.expansions[0])
    backwards = [[t.text for t in fresh.state(k)] for k in range(len(fresh), -1, -1)]
    assert backwards[::-1] == forwards
    for moment, before, after in zip(timeline.moments, forwards, forwards[1:], strict=False):
        changed = before[: moment.at] + [t.text for t in moment.insert]
        assert after == changed + before[moment.at + moment.remove :]


def test_stepping_over_finishes_what_is_next_and_comes_back(tmp_path: Path) -> None:
    trace = trace_of(
        "#define ONE 1\n#define INNER(x) ONE x\n#define OUTER(x) x INNER(2)\nOUTER(INNER(ONE))\n",
        tmp_path,
    )
    timeline = Timeline(trace.expansions[0])
    assert timeline.moments[0].meeting
    assert timeline.over(0) == len(timeline)
    assert timeline.back_over(len(timeline)) == 0
    inner = timeline.over(1)
    assert [t.text for t in timeline.state(inner)] == ["OUTER", "(", "1", "1", ")"]
    assert timeline.back_over(inner) == 1


def test_a_token_is_born_when_it_first_shows(tmp_path: Path) -> None:
    trace = trace_of("#define ONE 1\n#define F(x) [x]\n#define G(x) F(x)\nG(ONE)\n", tmp_path)
    timeline = Timeline(trace.expansions[0])
    births = {t.text: timeline.born(t) for t in trace.output}
    replaced = [m.step.macro for m in timeline.moments if not m.meeting]
    assert replaced == ["ONE", "G", "F"]
    assert births["1"] < births["["] == len(timeline)


def test_memory_follows_what_was_spliced(tmp_path: Path) -> None:
    doubling = "".join(f"#define D{n} D{n - 1} D{n - 1}\n" for n in range(1, 13))
    trace = trace_of(f"#define D0 x\n{doubling}D12\n", tmp_path)
    (expansion,) = trace.expansions
    assert len(expansion.after) == 2**12
    assert len(expansion.steps) == 2**13 - 1
    assert sum(len(s.insert) for s in expansion.steps) < 3 * 2**12


def test_runaway_expansion_stops_with_a_message_and_can_still_be_stepped(
    tmp_path: Path,
) -> None:
    doubling = "".join(f"#define D{n} D{n - 1} D{n - 1}\n" for n in range(1, 40))
    for invocation in ("D39", "ID(D39)"):
        trace = trace_of(
            f"#define ID(x) x\n#define D0 x\n{doubling}{invocation} y\n", tmp_path, step_limit=1000
        )
        assert "expansion stopped after 1,000 steps" in str(trace.diagnostics[0])
        (expansion,) = trace.expansions
        check_replay(expansion.steps, expansion.before, expansion.after)
        timeline = Timeline(expansion)
        assert len(timeline) >= 900
        assert timeline.state(len(timeline))
        assert trace.output[-1].text == "y"


def test_invocations_nested_a_thousand_deep_expand(tmp_path: Path) -> None:
    trace = trace_of("#define F(x) x+\n" + "F(" * 1000 + "1" + ")" * 1000 + "\n", tmp_path)
    assert not trace.diagnostics
    assert len(trace.output) == 1001


def test_a_token_knows_the_invocation_that_it_stands_for(tmp_path: Path) -> None:
    trace = trace_of("#define IN(x) x y\n#define OUT(x) IN(x) z\n\n  OUT(1)\n", tmp_path)
    assert {standing_at(t)[1:] for t in trace.output} == {(4, 3), (4, 7)} - {(4, 7)}
