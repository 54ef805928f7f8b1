"""Why a name is replaced, or why not: each verdict on a text made for it, and gcc as the judge of the
two that matter, that a name is replaced, and which definition it has."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from visualizer.expansion import InputError, Options
from visualizer.expansion.compiler import OPERATORS
from visualizer.expansion.includes import Includes
from visualizer.expansion.lexer import spellings
from visualizer.expansion.why.answers import Answer, why
from visualizer.expansion.why.history import Event, record
from visualizer.expansion.why.wording import history, reasons, sentence
from visualizer.expansion.wording import outline
from visualizer.workbench.samples import samples_folder

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")

HEADER = """\
#ifndef A_H
#define A_H
#ifdef FAST
#define MAX(a, b) fast_max(a, b)
#else
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
"""
FILE = """\
#include "a.h"
#define f(x) x
#define STR(x) #x
#define CAT(a, b) a##b
#define LIMIT 8
#define DROP(x) 1
int a = MAX(LIMIT, LATER); // MAX in a comment
#define LATER 9
#undef LIMIT
const char *s = "LATER" STR(LATER) 'LATER';
int c = CAT(LATER, LIMIT) + DROP(LATER) + f(f)(1) + f;
#if LATER > 20
int d = SKIPPED;
#define SKIPPED 4
#elif LATER > 5
int e = SKIPPED + __LINE__ + DROP(1, 2);
#elif LATER > 3
#endif
#pragma push_macro("NEVER")
#define NEVER 1
#pragma pop_macro("NEVER")
int k = NEVER + nothing
#pragma push_macro("LATER")
#undef LATER
#define LATER 77
#pragma pop_macro("LATER")
+ LATER;
#define LAST(x) LATER + x
int z = DROP(
  LATER);
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "a.h").write_text(HEADER)
    (tmp_path / "x.cc").write_text(FILE)
    return tmp_path / "x.cc"


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(FILE.splitlines(), 1) if text in line)


def said_of(path: Path, text: str, name: str) -> list[Answer]:
    """The answers to each time that the name stands on the line with this text."""
    return list(why(path, line_of(text), Options(), name=name).each)


@pytest.mark.parametrize(
    ("text", "name", "kinds"),
    [
        ("int a", "MAX", ["expands", "comment"]),
        ("int a", "LIMIT", ["expands"]),
        ("int a", "LATER", ["later"]),
        ("int a", "int", ["never"]),
        ("*s =", "LATER", ["string", "stringized", "character"]),
        ("int c", "LATER", ["pasted", "dropped"]),
        ("int c", "LIMIT", ["undefined"]),
        ("int c", "f", ["expands", "painted", "no-parenthesis"]),
        ("if LATER > 20", "LATER", ["expands"]),
        ("if LATER > 20", "if", ["branch"]),
        ("int d", "SKIPPED", ["skipped"]),
        ("define SKIPPED", "SKIPPED", ["skipped"]),
        ("int e", "SKIPPED", ["definition-skipped"]),
        ("int e", "__LINE__", ["expands"]),
        ("int e", "DROP", ["refused"]),
        ("elif LATER > 3", "LATER", ["not-asked"]),
        ("push_macro", "NEVER", ["pragma"]),
        ("int k", "NEVER", ["popped"]),
        ("+ LATER;", "LATER", ["expands"]),
        ("include", "a", ["header"]),
        ("define f", "f", ["defined-here"]),
        ("define f", "x", ["parameter", "parameter"]),
        ("undef LIMIT", "LIMIT", ["undefined-here"]),
        ("define LAST", "LATER", ["replacement"]),
        ("  LATER);", "LATER", ["dropped"]),
    ],
)
def test_each_name_has_its_answer(path: Path, text: str, name: str, kinds: Sequence[str]) -> None:
    assert [answer.kind for answer in said_of(path, text, name)] == kinds


@pytest.mark.parametrize("room", range(4, 80))
def test_what_is_cut_of_an_expansion_closes_its_brackets(tmp_path: Path, room: int) -> None:
    text = '#define f(x) (x + [g(x, {1, (2)})] * "(", h(x)) x + x\nf((1, 2))\n'
    (tmp_path / "x.c").write_text(text)
    (answer,) = (a for a in why(tmp_path / "x.c", 2, Options()).each if a.place.name == "f")
    whole = [token.text for token in answer.made]
    told = outline(answer.made, room)
    said, _, rest = told.rpartition(" (")
    if "left out" not in rest:
        assert told == '((1, 2) + [g((1, 2), {1, (2)})] * "(", h((1, 2))) (1, 2) + (1, 2)'
        return
    shown = spellings(said)
    assert len(said) <= max(room, 3)
    assert len(whole) - int(rest.split()[0]) == len([text for text in shown if text != "…"])
    assert shown[: shown.index("…")] == whole[: shown.index("…")]
    for left, right in ("()", "[]", "{}"):
        assert shown.count(left) == shown.count(right)


def test_an_argument_of_a_refused_invocation_says_which_was_refused_and_why(tmp_path: Path) -> None:
    text = "#define ADD(a, b) a + b\n#define PAIR 1, 2\n#define OUT(x) x\n"
    path = tmp_path / "bad.c"
    path.write_text(text + "int x = ADD(PAIR) + OUT(ADD(1, 2, PAIR));\n")
    assert [sentence(a) for a in why(path, 4, Options(), name="PAIR").each] == [
        "is an argument of ADD, which is refused here, and goes unread: "
        'macro "ADD" requires 2 arguments, but only 1 given',
        "is an argument of ADD, which is refused here, and goes unread: "
        'macro "ADD" passed 3 arguments, but takes just 2',
    ]


def test_an_answer_says_which_if_decided_and_with_which_values(path: Path) -> None:
    (skipped,) = said_of(path, "int d", "SKIPPED")
    assert list(reasons(skipped)) == ["line 12: #if LATER > 20 does not hold: LATER = 9"]
    expands = said_of(path, "int a", "MAX")[0]
    assert sentence(expands) == "expands to ((8) > (LATER) ? (8) : (LATER))"
    assert [reason.strip() for reason in reasons(expands)][1:] == [
        f"included by {path}:1",
        "line 5: #else is taken, for line 3: #ifdef FAST does not hold",
    ]


def test_a_name_handed_on_is_painted_by_the_replacement_that_it_was_met_in(path: Path) -> None:
    painted = said_of(path, "int c", "f")[1]
    assert "the replacement of f itself" in sentence(painted)
    assert painted.step is not None
    assert painted.step.kind == "painted"


def test_a_raw_string_and_a_comment_may_have_begun_lines_before(tmp_path: Path) -> None:
    path = tmp_path / "x.cc"
    path.write_text('#define ONE 1\nauto s = R"(\nONE)" + ONE; /*\nONE */ int i = ONE;\n')
    assert [a.kind for a in why(path, 3, Options(), name="ONE").each] == ["raw string", "expands"]
    assert [a.kind for a in why(path, 4, Options(), name="ONE").each] == ["comment", "expands"]


def test_a_string_that_goes_on_behind_a_backslash_ends_where_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text('#define ONE 1\nchar *s = "a \\\nONE" ; int i = ONE;\n')
    assert [a.kind for a in why(path, 3, Options(), name="ONE").each] == ["string", "expands"]


def test_a_line_that_is_not_there_is_an_error(path: Path) -> None:
    with pytest.raises(InputError, match="no such line"):
        why(path, 400, Options())


def deeds(events: Sequence[Event]) -> list[tuple[str, int, bool]]:
    return [(e.deed, e.where.line, e.counts) for e in events]


def test_a_history_has_what_was_skipped_and_what_flags_did(path: Path) -> None:
    options = Options(macros=(("D", "MAX=1"), ("U", "LIMIT")))
    known = record(path, options, {"MAX", "LIMIT", "LATER"})
    assert deeds(known.of("MAX")) == [
        ("define", 1, True),
        ("define", 4, False),
        ("define", 6, True),
    ]
    assert deeds(known.of("LIMIT"))[0] == ("undef", 2, True)
    assert [deed for deed, *_ in deeds(known.of("LATER"))] == [
        *("define", "push", "undef", "define", "pop")
    ]
    told = [text for text, _ in history(known, "MAX")]
    assert told[0] == f"MAX is a macro at the end of {path}: ((a) > (b) ? (a) : (b))"
    assert [line for line in told if line.startswith("→")] == [
        f"→ {path.parent / 'a.h'}:6:9: #define MAX(a, b) ((a) > (b) ? (a) : (b))"
    ]


def test_what_a_header_does_a_second_time_counts_a_second_time(tmp_path: Path) -> None:
    (tmp_path / "x.def").write_text("#ifdef X\nX(1)\n#undef X\n#endif\n")
    path = tmp_path / "x.c"
    path.write_text('#include "x.def"\n#define X(n) n\n#include "x.def"\nint X;\n')
    known = record(path, Options(), {"X"})
    assert deeds(known.of("X")) == [("undef", 3, False), ("define", 2, True), ("undef", 3, True)]
    assert [a.kind for a in why(path, 4, Options(), name="X").each] == ["undefined"]


def test_what_an_operator_asks_about_is_no_name_that_counts_as_0(tmp_path: Path) -> None:
    path = tmp_path / "x.c"
    path.write_text("#if __has_include(<stdio.h>) && (defined __has_builtin) + nothing\n#endif\n")
    each = why(path, 1, Options()).each
    kinds = {answer.place.name: answer.kind for answer in each}
    assert kinds == {
        "if": "branch",
        "__has_include": "directive",
        "stdio": "operand",
        "h": "operand",
        "defined": "directive",
        "__has_builtin": "asked",
        "nothing": "never",
    }


def test_what_counts_in_headers_is_read_where_the_line_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As gcc has it, the second line is 3; the first has nothing to do with that."""
    (tmp_path / "counts.h").write_text("#define ID __COUNTER__\nint a = ID;\nint b = ID + ID;\n")
    path = tmp_path / "x.c"
    path.write_text('#include "counts.h"\n#define ADD(x) x + 1\nADD(2)\nID\n')
    read: list[str] = []
    whole = Includes.include_whole
    monkeypatch.setattr(
        Includes, "include_whole", lambda *known: read.append(known[1].path) or whole(*known)
    )
    assert [a.kind for a in why(path, 3, Options()).each] == ["expands"]
    assert read == []
    (answer,) = why(path, 4, Options()).each
    assert (answer.kind, [t.text for t in answer.made]) == ("expands", ["3"])


# ---------------------------------------------------------------------- gcc is the judge


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_name_is_built_in_where_the_compiler_finds_it_though_nothing_defines_it(
    tmp_path: Path, compiler: str
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    path = tmp_path / "x.c"
    names = ("__LINE__", "nothing", "__has_embed", *OPERATORS)
    path.write_text("".join(f"#ifdef {name}\n{n}\n#endif\n" for n, name in enumerate(names)))
    printed = subprocess.run(
        [compiler, "-E", "-P", path], capture_output=True, text=True, check=True
    ).stdout
    found = {names[int(n)] for n in printed.split()}
    known = record(path, Options(cc=compiler), set(names))
    assert known.built_in.intersection(names) == found
    for n, name in enumerate(names):
        (answer,) = why(path, 3 * n + 1, Options(cc=compiler), name=name).each
        assert ("it is built in" in sentence(answer)) == (name in found)
        assert (f"{name} is built in" in next(history(known, name))[0]) == (name in found)


def made_by_gcc(path: Path, text: str) -> list[str]:
    done = subprocess.run(
        ["gcc", "-E", "-P", "-w", "-x", "c++", "-std=gnu++17", "-I", path.parent, "-"],
        input=text,
        capture_output=True,
        text=True,
        cwd=path.parent,
        check=False,
    )
    kept = [line for line in done.stdout.splitlines() if "_macro(" not in line]
    return spellings("\n".join(kept))


def alone(lines: Sequence[str]) -> list[int]:
    """The lines that are no directive, and whole: neither begun before nor gone on behind."""
    return [
        n
        for n, line in enumerate(lines, 1)
        if re.search(r"\b[A-Z_]{4,}\b", line)
        and not line.lstrip().startswith("#")
        and line.count("(") == line.count(")")
        and not line.endswith(("\\", ","))
        and not (n > 1 and lines[n - 2].endswith(("\\", ",", "(")))
    ]


def samples() -> list[Path]:
    found = sorted(samples_folder().rglob("*.cc"))
    return [path for path in found if any(alone(path.read_text().splitlines()))][::4]


@needs_gcc
@pytest.mark.compiler
@pytest.mark.parametrize("path", samples(), ids=lambda p: p.stem)
def test_a_name_is_said_to_expand_where_gcc_prints_something_else_without_its_macro(
    path: Path,
) -> None:
    """Undefined for just that line, a macro that was replaced there leaves other tokens."""
    text = path.read_text()
    lines = text.splitlines()
    options = Options(cc="gcc", std="gnu++17")
    whole = made_by_gcc(path, text)
    compared = 0
    for number in alone(lines)[::3][:12]:
        for name in dict.fromkeys(re.findall(r"\b[A-Z_][A-Z_]{3,}\b", lines[number - 1])):
            before = [f'#pragma push_macro("{name}")', f"#undef {name}", f"#line {number}"]
            after = [f'#pragma pop_macro("{name}")', f"#line {number + 1}"]
            edited = [*lines[: number - 1], *before, lines[number - 1], *after, *lines[number:]]
            kinds = {answer.kind for answer in why(path, number, options, name=name).each}
            differs = made_by_gcc(path, "\n".join(edited) + "\n") != whole
            assert ("expands" in kinds) == differs, (number, name, kinds)
            compared += 1
    if not compared:
        pytest.skip("no line of it names a macro")


@needs_gcc
@pytest.mark.compiler
@pytest.mark.parametrize("name", ["NULL", "INT_MAX", "assert", "EOF", "SIZE_MAX", "MAX", "LIMIT"])
def test_a_history_is_what_gcc_defines_and_undefines(path: Path, name: str) -> None:
    headers = ("stdio.h", "limits.h", "assert.h", "stdint.h", "stddef.h")
    text = "".join(f"#include <{h}>\n" for h in headers) + FILE
    path = path.with_name("y.c")
    path.write_text(text)
    done = subprocess.run(
        ["gcc", "-E", "-dD", "-w", path], capture_output=True, text=True, check=False
    )
    pattern = re.compile(rf"^#(define|undef) {name}\b")
    theirs = [m[1] for line in done.stdout.splitlines() if (m := pattern.match(line))]
    known = record(path, Options(cc="gcc"), {name})
    assert [
        e.deed for e in known.of(name) if e.counts and not known.seen_from(e).file.startswith("<")
    ] == theirs
