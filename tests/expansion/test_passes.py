"""Included texts: what a file invokes becomes, each time that it is read, what gcc makes of it."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from tests.expansion.compilers import spellings
from visualizer.expansion import InputError, Options, Trace, preprocess
from visualizer.expansion.passes import told
from visualizer.expansion.tokens import spell
from visualizer.expansion.trace import replay
from visualizer.expansion.why.answers import why
from visualizer.expansion.why.history import record

FILES = {
    "list.def": 'COLOUR(red, 1)\nCOLOUR(green, __LINE__)\n#include "more.def"\n#undef COLOUR\n',
    "more.def": "COLOUR(blue, __INCLUDE_LEVEL__)\n",
    "names.h": (
        "#ifndef NAMES\n#define NAMES\n#define COLOUR(n, v) #n, COUNT\n#define COUNT __COUNTER__\n"
        'static const char *names[] = {\n#include "list.def"\n};\n#endif\n'
    ),
    "x.c": (
        "#include <stddef.h>\n#define COLOUR(n, v) n = v,\nenum {\n"
        '#include "list.def"\n};\n#include "names.h"\n#include "names.h"\n'
        "#if __COUNTER__ == 3\n#define COLOUR(n, v) n v;\n#endif\n"
        '#include "list.def"\n#define COLOUR(n, v)\n'
        '#if 0\n#include "list.def"\n#endif\nCOLOUR(own, 0) int end;\n'
    ),
    "once.h": "#pragma once\n#define ONE 1\nint one = ONE;\n",
    "self.c": '#ifndef N\n#define N 1\n#include "self.c"\n#undef N\n#define N 2\n#endif\nint n = N;\n',
    # As the kernel's TRACE_EVENT does it: a header has itself read again, by a name that a macro makes.
    "event.h": (
        "#if !defined(EVENT_H) || defined(MULTI_READ)\n#define EVENT_H\n"
        'EVENT(sched, int pid)\n#endif\n#include "define.h"\n'
    ),
    "define.h": (
        "#ifdef CREATE\n#undef CREATE\n#define MULTI_READ\n"
        "#define TEXT_(x) #x\n#define TEXT(x) TEXT_(x)\n"
        "#undef EVENT\n#define EVENT(name, proto) struct name { proto; };\n#include TEXT(FILE_NAME)\n"
        "#undef EVENT\n#define EVENT(name, proto) static const char *name = #name;\n"
        "#include TEXT(FILE_NAME)\n#endif\n"
    ),
    "event.c": (
        "#define EVENT(name, proto) void trace_##name(proto);\n#define FILE_NAME event.h\n"
        '#define CREATE\n#include "event.h"\n'
    ),
    "twice.c": '#include "once.h"\n#include "once.h"\n',
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def traced(file: str, main: str, nth: int = 0, **more: object) -> Trace:
    options = Options(main=main, nth=nth, cc="gcc", **more)
    return preprocess(file, options, skip_included_text=True)


def passes_of_gcc(main: str, *flags: str) -> dict[str, list[list[str]]]:
    """The tokens of each pass of each file, told apart by gcc's line markers."""
    done = subprocess.run(["gcc", "-E", *flags, main], capture_output=True, text=True, check=True)
    marker = re.compile(r'# \d+ "(.*)"(.*)')
    passes: dict[str, list[list[str]]] = defaultdict(list)
    stack: list[list[str]] = []
    for line in done.stdout.splitlines():
        entered = marker.fullmatch(line)
        if entered is None:
            stack[-1] += spellings(line)
        elif not stack or " 1" in entered[2].split("3")[0]:
            stack.append([])
            passes[entered[1]].append(stack[-1])
        elif " 2" in entered[2]:
            stack.pop()
    return passes


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("file", "main"), [("list.def", "x.c"), ("more.def", "x.c"), ("event.h", "event.c")]
)
def test_what_each_pass_invokes_becomes_what_gcc_makes_of_it(file: str, main: str) -> None:
    theirs = passes_of_gcc(main)[file]
    assert len(theirs) == 3
    for nth, tokens in enumerate(theirs, 1):
        trace = traced(file, main, nth)
        assert (trace.nth, len(trace.passes), trace.file) == (nth, 3, file)
        assert [t.text for e in trace.expansions for t in e.after] == tokens
        for expansion in trace.expansions:
            assert replay(expansion.before, expansion.steps) == expansion.after
            assert (
                trace.output[expansion.at : expansion.at + len(expansion.after)] == expansion.after
            )


@pytest.mark.compiler
def test_the_text_of_a_header_is_traced_as_its_only_pass() -> None:
    trace = traced("names.h", "x.c")
    (tokens,) = (one for one in passes_of_gcc("x.c")["names.h"] if one)
    assert trace.passes == [trace.through]
    assert not trace.expansions  # what it invokes is invoked by what it includes
    assert [text.file for text in trace.includes] == ["list.def"]
    assert tokens == ["static", "const", "char", "*", "names", "[", "]", "=", "{", "}", ";"]


def test_a_pass_is_told_by_the_includes_that_lead_to_it() -> None:
    lines = [[(at.file, at.line) for at in through] for through in traced("list.def", "x.c").passes]
    assert lines == [[("x.c", 4)], [("x.c", 6), ("names.h", 6)], [("x.c", 11)]]
    assert told(traced("list.def", "x.c", 2)) == "included from names.h:6, pass 2 of 3"
    assert told(traced("names.h", "x.c")) == "included from x.c:6"
    assert told(preprocess("x.c")) == ""


def test_the_main_file_knows_what_it_includes_and_leads_there() -> None:
    options = Options(cc="gcc")
    main = preprocess("x.c", options, skip_included_text=True)
    assert [spell(e.before) for e in main.expansions] == ["COLOUR(own, 0)"]
    assert [(text.file, text.through[-1].line) for text in main.includes][1:] == [
        ("list.def", 4),
        ("names.h", 6),
        ("names.h", 7),
        ("list.def", 11),
    ]
    for text in main.includes[1:3]:
        there = Options(main="x.c", cc="gcc")
        trace = preprocess(text.file, there, skip_included_text=True, through=text.through)
        assert trace.through == text.through
    guarded = main.includes[3]
    with pytest.raises(InputError, match=r"x.c:7:10: error: names.h is not read here .*guard"):
        preprocess(guarded.file, there, skip_included_text=True, through=guarded.through)


def test_a_file_that_includes_itself_has_a_pass_in_each_reading() -> None:
    made = [[spell(e.after) for e in traced("self.c", "self.c", nth).expansions] for nth in (1, 2)]
    assert made == [["2"], ["1"]]


def test_a_text_that_is_not_included_is_refused_with_a_reason() -> None:
    with pytest.raises(InputError, match=r"once.h:1:1: error: x.c does not include this file"):
        traced("once.h", "x.c")
    with pytest.raises(
        InputError, match=r"there is no pass 4 of this file .x.c includes it 3 times"
    ):
        traced("list.def", "x.c", 4)
    with pytest.raises(
        InputError, match=r"there is no pass 2 of this file .twice.c includes it once"
    ):
        traced("once.h", "twice.c", 2)
    with pytest.raises(InputError, match="no such file"):
        traced("list.def", "nowhere.c")


def test_it_is_read_as_the_main_file_is() -> None:
    """In its language, with what is unsaved of either, and forced to be read by a flag."""
    assert Options(main="x.c").settled("list.def").std.endswith("17")
    assert "++" not in Options(main="x.c").settled("list.def").std
    here = str(Path.cwd())
    unsaved = ((f"{here}/x.c", '#define COLOUR(n, v) n;\n#include "list.def"\n'),)
    assert [spell(e.after) for e in traced("list.def", "x.c", unsaved=unsaved).expansions] == [
        "red;",
        "green;",
    ]
    forced = traced("once.h", "x.c", forced_includes=("once.h",))
    assert [spell(e.after) for e in forced.expansions] == ["1"]


def test_what_decides_on_a_name_is_what_was_done_before_it_in_this_pass() -> None:
    options = Options(main="x.c", cc="gcc")
    defined = []
    for nth in (1, 2, 3):
        found = why("list.def", 1, Options(main="x.c", nth=nth, cc="gcc"), name="COLOUR")
        (answer,) = found.each
        assert answer.kind == "expands"
        assert answer.event is not None
        defined.append((answer.event.where.file, answer.event.where.line))
    assert defined == [("x.c", 2), ("names.h", 3), ("x.c", 9)]
    (later,) = why("list.def", 2, options, name="green").each
    assert later.kind == "never"
    known = record("list.def", options, {"COLOUR"})
    undone = [e for e in known.of("COLOUR") if e.deed == "undef"]
    assert [known.seen_from(e).line for e in undone] == [4, 6, 11]


def test_the_order_of_what_is_done_is_that_of_the_files() -> None:
    """Each event of a name comes behind the one before it, whatever files they stand in."""
    known = record("more.def", Options(main="x.c", cc="gcc"), {"COLOUR"})
    moments = [e.at for e in known.of("COLOUR")]
    assert len(moments) > 5
    assert moments == sorted(moments)
