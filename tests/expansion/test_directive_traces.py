"""What is remembered of directives: branches and the values that decided them, files and times."""

from __future__ import annotations

from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.expansion import Options, Trace, preprocess


def trace_of(text: str, folder: Path, **files: bytes) -> Trace:
    for name, data in files.items():
        (folder / name.replace("_", ".")).write_bytes(data)
    (folder / "main.c").write_text(text + "\n")
    return preprocess(
        folder / "main.c", Options(), skip_included_text=True, explain_directives=True
    )


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("1", []),
        ("X", [("X", 0)]),
        ("A == 7", [("A == 7", 1), ("A", 7)]),
        ("!defined(A)", [("!defined(A)", 0), ("defined(A)", 1)]),
        ("A && X", [("A && X", 0), ("A", 7), ("X", 0)]),
        ("X && A", [("X && A", 0), ("X", 0), ("A", None)]),
        ("A || X", [("A || X", 1), ("A", 7), ("X", None)]),
        ("A ? X : A", [("A ? X : A", 0), ("A", 7), ("X", 0), ("A", None)]),
        ("2 - A - 1", [("2 - A - 1", -6), ("2 - A", -5), ("A", 7)]),
        ("-A < (3)", [("-A < (3)", 1), ("-A", -7), ("A", 7)]),
        ("F(1, 2) > 2", [("F(1, 2) > 2", 1), ("F(1, 2)", 3)]),
        ("((A))", [("A", 7)]),
    ],
)
def test_each_subexpression_has_its_value(
    expression: str, parts: list[tuple[str, int | None]], tmp_path: Path
) -> None:
    text = f"#define A 7\n#define F(x, y) (x + y)\n#if {expression}\n#endif"
    trace = trace_of(text, tmp_path)
    assert trace.diagnostics == []
    assert list(trace.branches[0].parts) == parts


def test_looking_at_a_condition_counts_nothing(tmp_path: Path) -> None:
    trace = trace_of("#if __COUNTER__ == 0 && __COUNTER__ == 1\nyes\n#endif\n__COUNTER__", tmp_path)
    assert [t.text for t in trace.output] == ["yes", "2"]
    assert list(trace.branches[0].parts) == [("__COUNTER__ == 0 && __COUNTER__ == 1", 1)]


def test_a_branch_is_taken_refused_or_not_asked(tmp_path: Path) -> None:
    trace = trace_of(
        "#if 0\n#elif 1\n#elif 1\n#else\n#endif\n#ifdef X\n# ifdef Y\n# endif\n#else\n#endif",
        tmp_path,
    )
    told = [(b.directive, b.depth, b.counts, b.asked) for b in trace.branches]
    assert [t for t in told if t[0] != "#endif"] == [
        ("#if 0", 0, False, True),
        ("#elif 1", 0, True, True),
        ("#elif 1", 0, False, False),
        ("#else", 0, False, False),
        ("#ifdef X", 0, False, True),
        ("#ifdef Y", 1, False, False),
        ("#else", 0, True, True),
    ]


def test_included_files_form_a_tree_with_times(tmp_path: Path) -> None:
    trace = trace_of(
        '#include "a.h"\n#include "c.h"\nx', tmp_path, a_h=b'#include "b.h"\n', b_h=b"", c_h=b""
    )
    assert [(Path(e.file).name, e.depth) for e in trace.entered] == [
        ("a.h", 1),
        ("b.h", 2),
        ("c.h", 1),
    ]
    outer, inner, _ = (e.seconds for e in trace.entered)
    assert outer >= inner > 0


def test_the_command_shows_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace_of('#include "a.h"\n#if defined(X) || 1\n#endif', tmp_path, a_h=b"")
    assert main(["steps", str(tmp_path / "main.c"), "--conditionals", "--includes"]) == 0
    told = capsys.readouterr().out
    assert "#if defined(X) || 1  taken" in told
    assert "defined(X) = 0" in told
    assert "a.h" in told.splitlines()[-1]


@pytest.mark.parametrize(
    ("directive", "tokens"),
    [
        ('#embed "data.bin"', "97 , 98 , 99"),
        ('#embed "data.bin" limit(1 + 1)', "97 , 98"),
        ('#embed "data.bin" prefix(0,) suffix(, 9) limit(1)', "0 , 97 , 9"),
        ('#embed "data.bin" __limit__(0) if_empty(none)', "none"),
        ('#embed "empty.bin" prefix(1)', ""),
        ('#define D "data.bin"\n#embed D', "97 , 98 , 99"),
        ('#define D "data.bin"\n#define N 1\n#embed D limit(N) suffix(, N)', "97 , 1"),
        ('#define D "data.bin" limit(2)\n#embed D prefix(0,)', "0 , 97 , 98"),
    ],
)
def test_embed_is_a_list_of_bytes(directive: str, tokens: str, tmp_path: Path) -> None:
    trace = trace_of(directive, tmp_path, data_bin=b"abc", empty_bin=b"")
    assert trace.diagnostics == []
    assert [t.text for t in trace.output] == tokens.split()


@pytest.mark.parametrize(
    ("directive", "said"),
    [
        ('#embed "nope.bin"', "1:8: error: nope.bin: no such file"),
        ('#embed "data.bin" huh(1)', "1:19: error: #embed: unknown parameter 'huh'"),
        ('#embed "data.bin" limit(1) limit(2)', "1:28: error: #embed: 'limit' is given twice"),
        ('#embed "data.bin" limit', "1:19: error: #embed: 'limit' needs parentheses"),
        ('#embed "data.bin" limit(-1)', "1:2: error: #embed: limit is negative: -1"),
    ],
)
def test_embed_says_what_is_wrong(directive: str, said: str, tmp_path: Path) -> None:
    trace = trace_of(directive, tmp_path, data_bin=b"abc")
    assert len(trace.diagnostics) == 1
    assert said in str(trace.diagnostics[0])
