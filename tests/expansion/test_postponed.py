"""Steps that are recorded when somebody asks are those that would have been recorded at once, to the
token and to where each token comes from; and a long file costs little beyond what it came to."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from macro_programs import macro_program
from untidy_texts import untidy_text

from visualizer.expansion import Expansion, Options, Trace, expander, preprocess
from visualizer.expansion.moments import Timeline
from visualizer.expansion.tokens import (
    Token,
    first_made,
    invocations_of,
    spelled_at,
    standing_at,
    written_at,
)
from visualizer.expansion.trace import Postponed, Step
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import sample_files, samples_folder

PHI = Options(include_folders=(str(samples_folder() / "phi"),), cc="none")
ASKED_LATER = """\
#define TWICE(x) x ID(x) LAST
#define ID(x) [x]
#define LAST ID
TWICE(a __COUNTER__) (b)
TWICE(ID(__FILE__)
  __LINE__ #)
#undef ID
#define ID(x) <x>
#define LAST
TWICE(__COUNTER__)
LAST ID
"""


@pytest.fixture
def postponed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is long from its first invocation on."""
    monkeypatch.setattr(expander, "AT_ONCE", -1)


def told_tokens(tokens: Iterable[Token]) -> list[object]:
    return [
        (
            *(t.kind, t.text, t.space, t.painted),
            *(spelled_at(t), standing_at(t), written_at(t), first_made(t).text),
            *((by.text, spelled_at(by)) for by in invocations_of(t)),
        )
        for t in tokens
    ]


def told_steps(steps: Sequence[Step]) -> Iterator[object]:
    for step in steps:
        inside = step.inside.names() if step.inside else []
        yield step.kind, step.macro, step.definition and step.definition.where, step.at, step.remove
        yield told_tokens(step.insert), inside
        for argument in step.arguments:
            yield argument.parameter, argument.start, argument.omitted, told_tokens(argument.raw)
            if argument.prescan is not None:
                yield from told_steps(argument.prescan.steps)
                yield told_tokens(argument.prescan.after)
        for done in step.operations:
            yield done.kind, done.index, done.operands, told_tokens(done.result)


def told(trace: Trace) -> list[object]:
    of_steps = [
        (e.at, told_tokens(e.before), list(told_steps(e.steps)), told_tokens(e.after))
        for e in trace.expansions
    ]
    return [of_steps, told_tokens(trace.output), [*map(str, trace.diagnostics)]]


def are_postponed(expansions: Iterable[Expansion]) -> list[bool]:
    return [isinstance(e.steps, Postponed) for e in expansions]


def test_any_text_has_the_same_steps_when_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, seen = tmp_path / "a.cc", 0
    texts = [ASKED_LATER]
    texts += [text(Random(seed)) for seed in range(60) for text in (macro_program, untidy_text)]
    texts += [text.replace("x1", "__COUNTER__") for text in texts if "x1" in text]
    for text in texts:
        file.write_text(text)
        at_once = preprocess(file)
        with monkeypatch.context() as changed:
            changed.setattr(expander, "AT_ONCE", -1)
            later = preprocess(file)
        seen += sum(are_postponed(later.expansions))
        assert told(later) == told(at_once), text
        assert not any(are_postponed(at_once.expansions))
    assert seen > 100


@pytest.mark.usefixtures("postponed")
def test_steps_are_of_the_macros_and_the_counter_that_there_were(tmp_path: Path) -> None:
    """Whatever is defined behind an invocation, and however often it is asked for."""
    file = tmp_path / "a.cc"
    file.write_text(ASKED_LATER)
    trace = preprocess(file, Options(std="gnu++20"))
    assert are_postponed(trace.expansions) == [True, False, True, True]  # __LINE__ asks where
    for _ in range(2):
        ends = [Timeline(e) for e in trace.expansions]
        spelled = [" ".join(t.text for t in line.state(len(line))) for line in ends]
        assert spelled[0] == "a 0 [ a 0 ] [ b ]"
        assert spelled[2:] == ["1 < 1 >", ""]
        assert [" ".join(t.text for t in e.after) for e in trace.expansions] == spelled


@pytest.mark.usefixtures("postponed")
def test_a_token_of_the_output_is_found_on_the_line(tmp_path: Path) -> None:
    file = tmp_path / "a.cc"
    file.write_text("#define ONE 1\n#define F(x) [x]\n#define G(x) F(x)\nG(ONE)\n")
    trace = preprocess(file)
    assert are_postponed(trace.expansions) == [True]
    timeline = Timeline(trace.expansions[0])
    births = {t.text: timeline.born(t) for t in trace.output}
    assert births["1"] < births["["] == len(timeline)


def told_bench(bench: Workbench) -> list[object]:
    entries = [
        (str(e.registration.key), e.where, e.expansion, bench.born(e)) for e in bench.entries
    ]
    return [entries, [*map(str, bench.diagnostics)]]


@pytest.mark.parametrize("framework", ["phi", "aten", "fluid"])
def test_entries_are_made_at_the_same_moments(
    framework: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = sample_files(framework)[0]
    at_once = told_bench(open_file(file))
    monkeypatch.setattr(expander, "AT_ONCE", -1)
    assert told_bench(open_file(file)) == at_once


def registrations(folder: Path, number: int) -> Path:
    file = folder / f"{number}.cc"
    each = (f"PD_REGISTER_KERNEL(k{i}, CPU, ALL_LAYOUT, f, float, int) {{}}" for i in range(number))
    file.write_text("\n".join(['#include "kernel_registry.h"', *each]))
    return file


def test_the_first_invocations_of_a_file_are_recorded_at_once(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    doubling = "".join(f"#define D{n} D{n - 1} D{n - 1}\n" for n in range(1, 12))
    file.write_text(f"#define D0 x\n{doubling}{'D11 ' * 40}D14")
    are = are_postponed(preprocess(file).expansions)
    assert (are[0], are[-1], sorted(are)) == (False, True, are)


@pytest.mark.usefixtures("postponed")
def test_a_registration_costs_little_more_than_the_text_it_becomes(tmp_path: Path) -> None:
    """With every step, it took half a megabyte. Whoever looks at all of them, one after the other, has
    a few of them at a time."""

    def held() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    few, many = registrations(tmp_path, 10), registrations(tmp_path, 20)
    preprocess(few, PHI, skip_included_text=True)  # what is remembered of headers is so now
    tracemalloc.start()
    try:
        before = held()
        traces = [preprocess(few, PHI, skip_included_text=True)]
        of_few = held() - before
        traces.append(preprocess(many, PHI, skip_included_text=True))
        of_many = held() - before - of_few
        trace = traces[-1]
        assert of_many - of_few < 200 * (len(trace.output) - len(traces[0].output))
        at_first, recorded = held(), []
        for expansion in trace.expansions:
            assert len(expansion.steps) > 1
            recorded.append(tracemalloc.get_traced_memory()[0])
        assert recorded[-1] - at_first < 1.2 * (recorded[9] - at_first)
    finally:
        tracemalloc.stop()
