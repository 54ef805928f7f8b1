"""Directives as steps, and the lines that they skip: what is told is what gcc and clang compute."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from visualizer.expansion import Expansion, Options, Trace, preprocess
from visualizer.expansion.sentences import ending, sentence
from visualizer.expansion.tokens import spell
from visualizer.expansion.trace import replay
from visualizer.expansion.why.wording import definition

COMPILERS = [c for c in ("gcc", "clang") if shutil.which(c)]
needs_compiler = pytest.mark.skipif(not COMPILERS, reason="neither gcc nor clang is installed")

MACROS = """\
#define A 7
#define B(x) ((x) > 1)
#define EMPTY
#define ON defined(A)
#define OFF defined A && defined NOTHING
#define BIG 0xffffffffffffffff
#define STR(x) #x
"""
CONDITIONS = [
    "A",
    "NOTHING",
    "defined A",
    "defined(NOTHING) || defined ( A )",
    "defined(A) && B(2)",
    "defined(NOTHING) && NOTHING > 2 / NOTHING",
    "ON && B(A)",
    "OFF || B(0)",
    "-1 > 0u",
    "-A < 0u",
    "BIG == -1",
    "BIG > 0",
    "(A ? NOTHING : 1 / 0) - 1",
    "NOTHING ? 1 / 0 : -3",
    "1 ? -1 : 0u",
    "((A))",
    "'a' == 97",
    "'a'",
    "!B(1) && !(A & 1) | ~0",
    "A - 2 - 1 == 4 && 2 * (A + 1) % 5 << 3 >> 1",
    "EMPTY A EMPTY == EMPTY 7",
    "B",
    "B == 0",
    "__has_include(<limits.h>) && !__has_include(<no/such.h>)",
    "__LINE__ > 1",
    "1 == 1L",
    "-A",
    "- - A",
    "+A > -A",
]


def trace_of(text: str, folder: Path, explain: bool = False) -> Trace:
    (folder / "main.c").write_text(text)
    return preprocess(folder / "main.c", Options(), True, explain_directives=explain)


def compiled(compiler: str, file: Path) -> str:
    """Without the lines that say where a line came from."""
    command = [compiler, "-E", "-P", "-w", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def value_of(line: str) -> int:
    """Of `#if 97`, or `#if 'a'`."""
    end = line.removeprefix("#if ").rstrip("u")
    return ord(end[1]) if end[0] == "'" else int(end, 0)


def values(expansion: Expansion) -> Iterator[tuple[str, int]]:
    """What steps claim: a text, and the number that it is."""
    for step in expansion.steps:
        if step.kind in ("answered", "unknown", "computed"):
            yield step.operations[0].operands[0], int(spell(step.insert).rstrip("u"))


@needs_compiler
@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_step_has_the_value_that_compilers_give_it(condition: str, tmp_path: Path) -> None:
    trace = trace_of(f"{MACROS}#if {condition}\nint yes;\n#endif\n", tmp_path)
    (expansion,) = trace.directives
    assert spell(expansion.before) == f"#if {condition}"
    assert [t.text for t in replay(expansion.before, expansion.steps)] == [
        t.text for t in expansion.after
    ]
    claims = [*values(expansion), (condition, value_of(spell(expansion.after)))]
    probe = MACROS + "".join(
        f"#if ({text}) == {value} && (({text}) < 0) == {int(value < 0)}\n{n}\n#endif\n"
        for n, (text, value) in enumerate(claims)
        if text != "__LINE__ > 1"
    )
    (tmp_path / "probe.c").write_text(probe)
    agreed = [str(n) for n, (text, _) in enumerate(claims) if text != "__LINE__ > 1"]
    for compiler in COMPILERS:
        assert compiled(compiler, tmp_path / "probe.c").split() == agreed
        holds = "yes" in compiled(compiler, tmp_path / "main.c")
        assert holds == ("not 0" in ending(expansion))


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        (
            "defined(A) && B(2) || FOO",
            [
                "defined(A) is 1: there is such a macro.",
                "B becomes ((2) > 1).",
                "FOO is left when all macros are replaced: in a condition, it counts as 0.",
                "((2) > 1) is 1.",
                "1 && 1 is 1.",
                "1 || 0 is 1. The left operand decides, and only that is evaluated.",
            ],
        ),
        (
            "-1 > 0u",
            ["-1 > 0u is 1. One operand is unsigned, so the negative one is read as unsigned too."],
        ),
        (
            "__has_include(<no/such.h>)",
            ["__has_include(<no/such.h>) is 0: no such file is found."],
        ),
        (
            "A ? 2 : 1 / 0",
            [
                "A stands for 7.",
                "7 ? 2 : 1 / 0 is 2. "
                "The first operand chooses one of the others, and only that is evaluated.",
            ],
        ),
        ("1", []),
        ("-1", []),
        ("A +", ["A stands for 7."]),
    ],
)
def test_the_steps_are_told(condition: str, told: list[str], tmp_path: Path) -> None:
    trace = trace_of(f"{MACROS}#if {condition}\n#endif\n", tmp_path)
    assert [sentence(s) for e in trace.directives for s in e.steps] == told


def test_what_a_directive_comes_to(tmp_path: Path) -> None:
    (tmp_path / "b.h").write_text("")
    trace = trace_of(
        '#define H "b.h"\n#define N 5\n#include H\n#line N "x.c"\n#if 0\n#elif N > 4\n#elif N\n'
        "#endif\n#include <b.h>\n#if N > 5\n#endif\n",
        tmp_path,
    )
    assert [(e.macro, e.where.line, spell(e.after)) for e in trace.directives] == [
        ("#include", 3, '#include "b.h"'),
        ("#line", 4, '#line 5 "x.c"'),
        ("#elif", 6, "#elif 1"),
        ("#if", 10, "#if 0"),
    ]
    assert [ending(e).partition(": ")[2] for e in trace.directives] == [
        "this is the file that is read.",
        "from the next line on, lines are counted so.",
        "the lines below it count.",
        "the lines below it are skipped.",
    ]
    assert trace.expansions == []


def test_an_embed_is_stepped_as_an_include_is(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"ab")
    text = '#define B "b" limit(N)\n#define N 1\nint b[] = {\n#embed B prefix(0,)\n};\n#embed "b"\n'
    (embed,) = trace_of(text, tmp_path).directives
    assert (embed.macro, embed.where.line) == ("#embed", 4)
    assert spell(embed.after) == '#embed "b" limit(1) prefix(0,)'
    assert replay(embed.before, embed.steps) == embed.after


def test_a_header_keeps_no_steps(tmp_path: Path) -> None:
    (tmp_path / "b.h").write_text("#define X 1\n#if X > 0\n#endif\n")
    for skip in (True, False):
        (tmp_path / "main.c").write_text('#include "b.h"\nX\n')
        trace = preprocess(tmp_path / "main.c", Options(), skip_included_text=skip)
        assert trace.directives == []


# ---------------------------------------------------------------------- lines that are skipped


def conditionals(rng: random.Random, depth: int = 0) -> Iterator[str]:
    """Lines `at`, to be numbered, in conditionals of all kinds, and definitions that decide others."""
    for _ in range(rng.randint(1, 4)):
        kind = rng.random()
        if kind < 0.35 or depth > 3:
            yield "at"
        elif kind < 0.5:
            yield f"#{rng.choice(('define', 'undef'))} M{rng.randrange(4)}"
        else:
            yield f"#{rng.choice(('ifdef', 'ifndef'))} M{rng.randrange(4)}"
            yield from conditionals(rng, depth + 1)
            for _ in range(rng.randrange(3)):
                some, other = rng.randrange(4), rng.randrange(4)
                yield f"#elif defined M{some} || \\"
                yield f"  !defined M{other}"
                yield from conditionals(rng, depth + 1)
            if rng.random() < 0.5:
                yield "#else"
                yield from conditionals(rng, depth + 1)
            yield "#endif"


def numbered(lines: Sequence[str]) -> str:
    return "".join(f"at{n}\n" if line == "at" else f"{line}\n" for n, line in enumerate(lines, 1))


@needs_compiler
@pytest.mark.parametrize("seed", range(20))
def test_the_lines_that_compilers_skip_are_skipped(seed: int, tmp_path: Path) -> None:
    lines = ["at", *conditionals(random.Random(seed))]
    text = numbered(lines)
    trace = trace_of(text, tmp_path)
    (tmp_path / "x.h").write_text(text)
    (tmp_path / "around.c").write_text('#include "x.h"\n')
    around = preprocess(tmp_path / "around.c", Options(), True, explain_directives=True)
    for skipped in (trace.skipped, around.entered[0].skipped):
        left = [
            n
            for n, line in enumerate(lines, 1)
            if line == "at" and not any(n in group for group in skipped)
        ]
        for compiler in COMPILERS:
            assert compiled(compiler, tmp_path / "main.c").split() == [f"at{n}" for n in left]
    explained = preprocess(tmp_path / "main.c", Options(), True, explain_directives=True)
    assert explained.skipped == trace.skipped
    told = [(b.where.line, b.counts, b.parts) for b in explained.branches]
    assert told == [(b.where.line, b.counts, b.parts) for b in around.entered[0].branches]


def test_a_group_is_skipped_to_the_end_of_a_file(tmp_path: Path) -> None:
    trace = trace_of("#if 0\nint a;\n\nint b;\n", tmp_path)
    assert trace.skipped == [range(2, 5)]


@needs_compiler
def test_an_ifdef_is_told_with_the_definition_that_compilers_have_there(tmp_path: Path) -> None:
    (tmp_path / "b.h").write_text(
        "#ifdef M\n#undef M\n#endif\n#define M(x, ...) x + 1\n#ifdef M\n#endif\n"
    )
    text = '#define M 7\n#include "b.h"\n#ifndef M\n#ifdef M\n#endif\n#endif\n'
    text += "#undef M\n#ifdef M\n#endif\n"
    (tmp_path / "main.c").write_text(text)
    trace = preprocess(tmp_path / "main.c", Options(), True, explain_directives=True)
    (entered,) = trace.entered
    told = [
        (b.directive, b.definition.where.line if b.definition is not None else 0)
        for b in (*entered.branches, *trace.branches)
        if b.directive != "#endif"
    ]
    assert told == [
        *(("#ifdef M", 1), ("#ifdef M", 4)),
        *(("#ifndef M", 4), ("#ifdef M", 0), ("#ifdef M", 0)),
    ]
    asked = trace.branches[0].definition
    assert asked is not None
    (tmp_path / "until.c").write_text("".join(text.splitlines(keepends=True)[:2]))
    for compiler in COMPILERS:
        command = [compiler, "-E", "-dM", str(tmp_path / "until.c")]
        macros = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        said = definition(asked).partition(" ")[2].replace(", ", ",")
        assert said in macros.replace(", ", ",").splitlines()
    (gnu,) = trace_of("#ifdef __STDC__\n#endif\n", tmp_path, explain=True).branches[:1]
    assert gnu.definition is not None
    assert definition(gnu.definition) == "#define __STDC__ 1, by the compiler itself"


def test_the_conditionals_of_headers_are_told_with_their_values(tmp_path: Path) -> None:
    (tmp_path / "b.h").write_text(
        "#ifndef B_H\n#define B_H\n#if N > 2 && defined M\n#elif N == 2\n#else\n#endif\n#endif\n"
    )
    (tmp_path / "main.c").write_text('#define N 2\n#include "b.h"\n#include "b.h"\n')
    trace = preprocess(tmp_path / "main.c", Options(), True, explain_directives=True)
    told = [(b.directive, b.counts, b.asked) for b in trace.entered[0].branches]
    assert told == [
        ("#ifndef B_H", True, True),
        ("#if N > 2 && defined M", False, True),
        ("#elif N == 2", True, True),
        ("#else", False, False),
        ("#endif", True, False),
        ("#endif", True, False),
    ]
    assert trace.entered[0].branches[1].parts == (
        ("N > 2 && defined M", 0),
        ("N > 2", 0),
        ("N", 2),
        ("defined M", None),
    )
    assert trace.branches == []
