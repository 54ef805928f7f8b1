"""Texts that are included, on the command line: by the line that includes them, and by `--from`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from visualizer.cli import main

FILES = {
    "list.def": "COLOUR(red)\nCOLOUR(green)\n",
    "x.c": (
        "#define COLOUR(n) n,\nenum {\n"
        '#include "list.def"\n};\n#undef COLOUR\n'
        '#define COLOUR(n) #n,\nconst char *names[] = {\n#include "list.def"\n};\n'
    ),
    "outer.c": '#include "x.c"\n',
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


def heads(told: str) -> list[str]:
    return [line for line in told.splitlines() if line.startswith(("list.def:", "x.c:"))]


def test_a_line_with_an_include_stands_for_what_is_read_there(capsys) -> None:
    assert main(["steps", "x.c:3"]) == 0
    told = capsys.readouterr().out
    assert heads(told) == [
        "list.def:1:1: COLOUR, included from x.c:3, pass 1 of 2",
        "list.def:2:1: COLOUR, included from x.c:3, pass 1 of 2",
    ]
    assert "  => red,\n" in told
    assert main(["steps", "x.c:8"]) == 0
    told = capsys.readouterr().out
    assert "pass 2 of 2" in told
    assert '  => "red",\n' in told


@pytest.mark.compiler
def test_the_directives_of_an_included_text_are_steps_too(capsys, tmp_path) -> None:
    for name, text in {
        "own.def": '#define SUB "sub.def"\n#if N(1) > 1\nif2\n#elif N(0)\nelif4\n#endif\n'
        "#include SUB\n",
        "sub.def": "#if defined N && N(1) > 1\nif2\n#endif\n#ifdef N\n#endif\n",
        "main.c": '#define OWN "own.def"\n#define N(x) (x + 1)\n#include OWN\n'
        '#undef N\n#define N(x) (x == 0)\n#include "own.def"\n',
    }.items():
        (tmp_path / name).write_text(text)
    told: list[str] = []
    for line in (3, 6):
        assert main(["steps", f"main.c:{line}"]) == 0
        told += capsys.readouterr().out.splitlines()
    where = [line.split(",")[0] for line in told if re.match(r"(main.c|own.def):\d", line)]
    assert where == [
        *("main.c:3:1: #include", "own.def:2:1: #if", "own.def:7:1: #include"),
        *("own.def:2:1: #if", "own.def:4:1: #elif", "own.def:7:1: #include"),
    ]
    assert main(["steps", "own.def:7", "--from", "main.c"]) == 0
    told += capsys.readouterr().out.splitlines()
    for compiler in filter(shutil.which, ("gcc", "clang")):
        theirs = subprocess.run(
            [compiler, "-E", "-P", "main.c"], capture_output=True, text=True, check=True
        )
        assert theirs.stdout.split() == ["if2", "if2", "elif4"]
    assert [line for line in told if re.match("  => #(if|elif)", line)] == [
        *("  => #if 1", "  => #if 0", "  => #elif 1"),
        *("  => #if 1", "  => #if 0"),  # sub.def, in each of its passes
    ]
    assert main(["steps", "sub.def:4", "--from", "main.c"]) == 1
    said = capsys.readouterr().err
    assert "N is asked for: it is a macro here: main.c:2:9: #define N(x) (x + 1)" in said


def test_what_is_wrong_elsewhere_is_told_once_for_all_passes(capsys, tmp_path) -> None:
    (tmp_path / "wrong.c").write_text((tmp_path / "x.c").read_text() + "#if 1 +\n#endif\n")
    assert main(["steps", "list.def:1", "--from", "wrong.c"]) == 1
    assert capsys.readouterr().err.count("1 error elsewhere") == 1


def test_an_include_of_what_only_includes_says_what_can_be_stepped(capsys, tmp_path) -> None:
    for name, text in {
        "one.h": "#define ONE 1\n",
        "uses.h": '#include "one.h"\nint one = ONE;\n',
        "all.h": '#include "one.h"\n#include "uses.h"\n',
        "none.h": '#include "one.h"\n',
        "main.c": '#include "all.h"\n#include "none.h"\nint n = ONE;\n',
    }.items():
        (tmp_path / name).write_text(text)
    assert main(["steps", "main.c:1"]) == 0
    told = capsys.readouterr().err
    assert "no macro is invoked in this file" not in told
    command = "unfold steps all.h:2 --from main.c"
    assert f"this file invokes no macro itself, it includes others ({command} steps" in told
    assert main(command.split()[1:]) == 0
    assert "uses.h:2:11: ONE" in capsys.readouterr().out
    assert main(["steps", "main.c:2"]) == 0
    told = capsys.readouterr().err
    assert "nor do these invoke any; unfold steps main.c steps through that file" in told


def test_a_text_of_ones_own_is_named_before_a_header_of_the_system(capsys, tmp_path) -> None:
    (tmp_path / "system").mkdir()
    for name, text in {
        "system/system.h": "#define VOID void\nVOID in_system(VOID);\n",
        "main.c": '#include <system.h>\n#define COLOUR(n) n,\nenum {\n#include "list.def"\n};\n',
        "only.c": "#include <system.h>\n",
    }.items():
        (tmp_path / name).write_text(text)
    for file, named in (
        ("main.c", "main.c:4 steps through list.def"),
        ("only.c", "only.c:1 steps"),
    ):
        assert main(["steps", file, "-isystem", "system"]) == 0
        assert f"(unfold steps {named}" in capsys.readouterr().err
    assert main(["steps", "main.c:4", "-isystem", "system"]) == 0
    assert heads(capsys.readouterr().out)[0].startswith("list.def:1:1: COLOUR")


def test_a_line_of_a_text_is_told_in_each_pass_or_in_the_one_that_is_named(capsys) -> None:
    assert main(["steps", "list.def:2", "--from", "x.c"]) == 0
    assert heads(capsys.readouterr().out) == [
        "list.def:2:1: COLOUR, included from x.c:3, pass 1 of 2",
        "list.def:2:1: COLOUR, included from x.c:8, pass 2 of 2",
    ]
    assert main(["steps", "list.def:2", "--from", "x.c", "--pass", "2"]) == 0
    assert heads(capsys.readouterr().out) == [
        "list.def:2:1: COLOUR, included from x.c:8, pass 2 of 2"
    ]
    assert main(["steps", "x.c:8", "--from", "outer.c"]) == 0
    assert heads(capsys.readouterr().out)[0].startswith("list.def:1:1: COLOUR, included from x.c:8")


@pytest.mark.parametrize("format", ["md", "html", "svg"])
def test_a_document_says_whose_text_it_tells_of(format: str, capsys) -> None:
    assert main(["steps", "list.def:1", "--from", "x.c", "--pass", "2", "--format", format]) == 0
    assert "list.def:1, included from x.c:8, pass 2 of 2" in capsys.readouterr().out


def test_what_is_wrong_elsewhere_is_looked_up_by_the_command_that_is_named(
    tmp_path, capsys
) -> None:
    (tmp_path / "later.def").write_text("#warning old\nCOLOUR(red)\n")
    (tmp_path / "later.c").write_text('#define COLOUR(n) n,\n#include "later.def"\n')
    assert main(["steps", "later.def:2", "--from", "later.c"]) == 0
    said = capsys.readouterr().err
    assert "later.def: note: 1 warning elsewhere, at later.def:1; see " in said
    words = said.partition("see unfold ")[2].split()
    assert main(words) == 0
    assert "later.def:1:2: warning: #warning old" in capsys.readouterr().err


def test_the_trace_of_all_passes_replays(capsys) -> None:
    assert main(["steps", "list.def", "--from", "x.c", "--format", "json"]) == 0
    trace = json.loads(capsys.readouterr().out)
    assert (trace["version"], trace["file"]) == (1, "list.def")
    places = [[(at["file"], at["line"]) for at in e["included"]] for e in trace["expansions"]]
    assert places == [[("x.c", 3)]] * 2 + [[("x.c", 8)]] * 2
    for expansion in trace["expansions"]:
        tokens = list(expansion["before"])
        for step in expansion["steps"]:
            tokens[step["at"] : step["at"] + step["remove"]] = step["insert"]
        assert tokens == expansion["after"]
    assert main(["steps", "x.c", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["expansions"] == []


def test_why_answers_for_each_pass(capsys) -> None:
    assert main(["why", "list.def:1", "COLOUR", "--from", "x.c"]) == 0
    told = capsys.readouterr().out
    assert "list.def:1, included from x.c:3, pass 1 of 2\n" in told
    assert "list.def:1:1: COLOUR expands to `red,`\n  x.c:1:9: #define COLOUR(n) n," in told
    assert 'COLOUR expands to `"red",`\n  x.c:6:9: #define COLOUR(n) #n,' in told
    assert main(["why", "list.def:1", "--from", "x.c", "--format", "json"]) == 0
    names = json.loads(capsys.readouterr().out)["names"]
    expanding = [(n["replacement"], n["included"][0]["line"]) for n in names if n["replacement"]]
    assert expanding == [("red,", 3), ('"red",', 8)]


def test_why_leads_on_where_a_text_is_included(capsys) -> None:
    assert main(["why", "x.c:3"]) == 0
    said = "x.c:3:10: list.def is read here: unfold steps x.c:3 tells what it invokes"
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "x.c:1 --from list.def",
            "x.c:1:1: error: list.def does not include this file (name a file",
        ),
        (
            "list.def:1 --from x.c --pass 3",
            "there is no pass 3 of this file (x.c includes it 2 times)",
        ),
        ("list.def:1 --pass 2", "--pass is for a text that another file includes"),
        ("list.def:1 --from nowhere.c", "nowhere.c:1:1: error: no such file"),
        ("list.def:9 --from x.c", "list.def:9:1: error: "),
    ],
)
@pytest.mark.parametrize("command", ["steps", "why"])
def test_what_is_asked_for_and_is_not_there(command: str, words: str, said: str, capsys) -> None:
    assert main([command, *words.split()]) == 1
    assert said in capsys.readouterr().err


def test_who_opens_a_list_alone_is_told_what_is_missing(capsys) -> None:
    for place in ("list.def", "list.def:1"):
        main(["steps", place])
        assert "a file that includes it is named with --from" in capsys.readouterr().err


def test_a_pass_has_a_number(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["steps", "list.def:1", "--from", "x.c", "--pass", "0"])
    assert "'0' is no number from 1 on" in capsys.readouterr().err
