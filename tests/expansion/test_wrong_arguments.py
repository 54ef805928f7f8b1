"""Arguments that are too many, too few or never closed, and pastes that make no token: what is told of
them, and what gcc and clang say."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from compilers import INSTALLED, spellings

from visualizer.cli import main
from visualizer.expansion import Diagnostic, Options, preprocess
from visualizer.expansion.diagnostics import Note

STD = "gnu++20"


def told(text: str, folder: Path, std: str = STD) -> tuple[Diagnostic, ...]:
    (folder / "program.cc").write_text(text)
    return tuple(preprocess(folder / "program.cc", Options(std=std)).diagnostics)


def notes_of(diagnostic: Diagnostic) -> list[tuple[str, int, int]]:
    return [(text, at.line, at.column) for text, at in diagnostic.notes]


ADD = "#define ADD(a, b) ((a) + (b))\n#define WRAP(x) ADD(x)\n#define ONE(a) a\n#define NO() 0\n"
WRONG = {
    "too many": ADD + "int n = ADD(1, 2, 3);\n",
    "too few": ADD + "int n = ADD(1) + 2;\n",
    "an empty one": ADD + "int n = ADD();\n",
    "one where there is none": ADD + "int n = NO(1);\n",
    "over several lines": ADD + "int n = ADD(1,\n  2,\n  3);\n",
    "braces": ADD + "int n = ONE({1, 2});\n",
    "out of another macro": ADD + "int n = WRAP(4);\n",
    "an operator pasted to a number": "#define CAT(a, b) a ## b\nint n = CAT(+, 3);\n",
    "a name pasted to an arrow": "#define CAT(a, b) a ## b\nint n = CAT(foo, ->);\n",
    "an open list": ADD + "int n = ADD(1,\n  2;\nint m = ADD(1, 2);\n",
}


def test_what_was_taken_is_told_where_it_is_spelled(tmp_path: Path) -> None:
    """An X-macro's list: the comma is missing there, and not where the list is used."""
    text = "#define LIST(X) X(red, 1) X(blue 8)\n#define AS(name, n) name = n,\nint x = LIST(AS);\n"
    (found,) = told(text, tmp_path)
    assert notes_of(found) == [
        ("argument 1 is name: blue 8", 1, 29),
        ("no argument is left for n", 1, 35),
    ]


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", INSTALLED)
@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_compiler_finds_the_same_error_where_we_do(
    text: str, compiler: str, tmp_path: Path
) -> None:
    (found,) = told(text, tmp_path)
    command = [compiler, "-E", "-fno-diagnostics-color", f"-std={STD}", "program.cc"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    errors = re.findall(r"^program\.cc:(\d+):(\d+): error: ", done.stderr, re.MULTILINE)
    assert len(errors) == 1
    place = int(errors[0][0]), int(errors[0][1])
    behind = found.end[1:] if found.end is not None else (found.where.line, 99)
    if "unterminated" in found.message:  # gcc says it at the end of the file
        behind = len(text.splitlines()), 99
    chain = [at[1:] for at in found.places()]  # clang points at the invocation of a ## first
    assert found.where[1:] <= place <= behind or place in chain


def test_it_is_told_what_was_taken_for_each(tmp_path: Path) -> None:
    (many,) = told(ADD + "int n = ADD(1, (2, 3), f(x));\n", tmp_path)
    assert notes_of(many) == [
        ("argument 1 is a: 1", 5, 13),
        ("argument 2 is b: (2, 3)", 5, 16),
        ("argument 3 has no parameter: f(x)", 5, 24),
    ]
    assert (many.where.column, many.end and many.end.column) == (9, 29)
    (few,) = told(ADD + "int n = ADD(\n);\n", tmp_path)
    assert few.message == 'macro "ADD" requires 2 arguments, but only 1 given'
    assert notes_of(few) == [("argument 1 is a: empty", 6, 1), ("no argument is left for b", 6, 1)]
    (long,) = told(ADD + f"int n = ONE({', '.join('x' * 30)});\n", tmp_path)
    assert len(long.notes) == 9
    assert long.notes[-1].text == "and 22 more arguments"


def test_an_open_list_is_told_where_it_begins_and_where_a_statement_ends_in_it(
    tmp_path: Path,
) -> None:
    (found,) = told(WRONG["an open list"], tmp_path)
    assert found.message == 'unterminated argument list invoking macro "ADD"'
    assert (found.where.line, found.where.column) == (5, 9)
    assert found.notes == (
        Note(
            "no ')' stands before this ;: to the compiler, all below is an argument too",
            found.where._replace(line=6, column=4),
        ),
    )
    (lambda_,) = told(ADD + "int n = ADD([] { return 1; }(),\n", tmp_path)
    assert lambda_.notes == ()  # that ; ends a statement inside the argument


# What a writer thought was one argument, in a program that would be right if it were; and what the
# cure is to say of it. « and » are around that argument.
DOTS = "make the parameter {} `...`, which is __VA_ARGS__ in the definition"
TORN = {
    "a value with template arguments": (
        "#include <utility>\n#define ONE(a) a\nauto n = ONE(«std::pair<int, int>()»);\n",
        "commas inside <> separate arguments: wrap the argument in parentheses, or "
        + DOTS.format("a"),
    ),
    "template arguments that close together": (
        "#include <map>\n#include <vector>\n#define TWO(a, b) a\n"
        "auto n = TWO(«std::map<int, std::vector<int>>().size()», 1);\n",
        "commas inside <> separate arguments: wrap the argument in parentheses",
    ),
    "the captures of a lambda": (
        "#define ONE(a) a\nint f(int x, int y) { return ONE(«[x, y] { return x + y; }»)(); }\n",
        "commas inside [] separate arguments: wrap the argument in parentheses, or "
        + DOTS.format("a"),
    ),
    "a type with braces": (
        "struct P { int x, y; };\n#define ONE(a) a\nauto n = ONE(«P{1, 2}»);\n",
        "commas inside {} separate arguments: wrap the argument in parentheses, or "
        + DOTS.format("a"),
    ),
    "braces alone": (
        "#define ONE(a) a\nint n[] = ONE(«{1, 2}»);\n",
        "commas inside {} separate arguments: " + DOTS.format("a"),
    ),
    "braces alone, before another argument": (
        "#define TWO(a, b) a\nint n[] = TWO(«{1, 2}», 3);\n",
        "commas inside {} separate arguments: give it a name first, and pass that",
    ),
    "a type": (
        "#include <utility>\n#define ONE(a) a\nONE(«std::pair<int, int>») n;\n",
        "commas inside <> separate arguments: " + DOTS.format("a"),
    ),
    "a type, before another argument": (
        "#include <utility>\n#define TWO(a, b) a b\nTWO(«std::pair<int, int>», n);\n",
        "commas inside <> separate arguments: name the type with `using` first, and pass that",
    ),
}


@pytest.mark.parametrize(("text", "cure"), TORN.values(), ids=TORN)
def test_the_cure_of_a_torn_argument_is_told(text: str, cure: str, tmp_path: Path) -> None:
    (found,) = (d for d in told(as_written(text), tmp_path) if d.severity == "error")
    assert found.hint.startswith(cure + "; ")


def as_written(text: str) -> str:
    return text.replace("«", "").replace("»", "")


def in_parentheses(text: str) -> str:
    return text.replace("«", "(").replace("»", ")")


def with_dots(text: str) -> str:
    return as_written(text).replace("ONE(a) a", "ONE(...) __VA_ARGS__")


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", INSTALLED)
@pytest.mark.parametrize(("text", "cure"), TORN.values(), ids=TORN)
def test_the_cure_is_one(text: str, cure: str, compiler: str, tmp_path: Path) -> None:
    def compiles(program: str) -> bool:
        (tmp_path / "cured.cc").write_text(program)
        command = [compiler, "-x", "c++", "-fsyntax-only", f"-std={STD}", tmp_path / "cured.cc"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    assert not compiles(as_written(text))
    assert compiles(in_parentheses(text)) == ("parentheses" in cure)
    if "ONE" in text:
        assert compiles(with_dots(text))
        assert "..." in cure
    else:
        assert "..." not in cure  # the parameter is not the last


NOT_TORN = {
    "arguments too many": "#define F(a) a\nF(1, 2)\n",
    "brackets that would leave too few": "#define F(a, b) a\nF({1, 2, 3})\n",
    "a comparison": "#define F(a) a\nF(x < 1, y > 2)\n",
    "a bracket that nothing closes": "#define F(a) a\nF({1, 2)\n",
    "a variadic macro": "#define F(a, b, ...) a\nF(1)\n",
}


@pytest.mark.parametrize("text", NOT_TORN.values(), ids=NOT_TORN)
def test_no_cure_is_told_where_it_is_none(text: str, tmp_path: Path) -> None:
    found = told(text, tmp_path)
    assert found
    assert not [d.hint for d in found if "separate arguments" in d.hint]


# What a header defines, its user leaves alone: each text, what to do, and the text with that done.
OF_A_HEADER = {
    "a value with template arguments": (
        "#define CALL(a) a()\n",
        "template <int n, int d> int f() { return n; }\nint n = CALL(f<1, 2>);\n",
        "commas inside <> separate arguments: wrap the argument in parentheses; "
        "if it is a type, name it with `using` first, and pass that; ",
        "template <int n, int d> int f() { return n; }\nint n = CALL((f<1, 2>));\n",
    ),
    "a list in braces": (
        "#define SIZE(a) sizeof(a)\n",
        "struct P { int x, y; };\nint n = SIZE(P{1, 2});\n",
        "commas inside {} separate arguments: wrap the argument in parentheses; ",
        "struct P { int x, y; };\nint n = SIZE((P{1, 2}));\n",
    ),
    "a name in quotes": (
        "#define NAMED(name) int name_##name\n",
        'NAMED("blue") = 3;\n',
        "a string can't be part of a name: write the name without quotes: blue",
        "NAMED(blue) = 3;\n",
    ),
    "a name in quotes, handed on": (
        "#define NAMED(name) DECLARED(name_, name)\n#define DECLARED(a, b) int a##b\n",
        'NAMED("light blue") = 3;\n',
        "a string can't be part of a name: write the name without quotes",
        "NAMED(light_blue) = 3;\n",
    ),
    "an operator for a name": (
        "#define NAMED(name) int name_##name\n",
        "NAMED(+) = 3;\n",
        "NAMED pastes its argument: pass a name instead of +",
        "NAMED(plus) = 3;\n",
    ),
}


@pytest.mark.parametrize(("header", "text", "cure", "cured"), OF_A_HEADER.values(), ids=OF_A_HEADER)
def test_nobody_is_told_to_change_a_header(
    header: str, text: str, cure: str, cured: str, tmp_path: Path
) -> None:
    (tmp_path / "header.h").write_text(header)
    (found,) = told('#include "header.h"\n' + text, tmp_path)
    assert found.where.file.endswith("program.cc")
    assert found.hint.startswith(cure)
    assert "..." not in found.hint
    assert told('#include "header.h"\n' + cured, tmp_path) == ()


def test_who_writes_the_paste_is_told_to_take_it_out(tmp_path: Path) -> None:
    (found,) = told('#define NAMED(name) int name_##name\nNAMED("blue") = 3;\n', tmp_path)
    assert found.hint == 'name_"blue" is two tokens: take the ## out'


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", INSTALLED)
@pytest.mark.parametrize(("header", "text", "cure", "cured"), OF_A_HEADER.values(), ids=OF_A_HEADER)
def test_what_its_user_can_do_is_a_cure(
    header: str, text: str, cure: str, cured: str, compiler: str, tmp_path: Path
) -> None:
    (tmp_path / "header.h").write_text(header)
    codes = []
    for program in (text, cured):
        (tmp_path / "program.cc").write_text('#include "header.h"\n' + program)
        command = [compiler, "-fsyntax-only", f"-std={STD}", tmp_path / "program.cc"]
        codes.append(subprocess.run(command, capture_output=True, check=False).returncode == 0)
    assert codes == [False, True]


def test_a_c_file_has_no_template_arguments(tmp_path: Path) -> None:
    (found,) = told("#define F(a) a\nint n = F(a<b, c>d);\n", tmp_path, "gnu17")
    assert found.hint.startswith("F(a) is defined at")


F = "#define F(a) [a]\n#define Q 7\n"
OPEN = {
    "to the end": F + "x F(Q\nQ F(2)\n",
    "in one that is open": F + "F(F(Q) F(2\nF(3) z\n",
    "out of a macro": F + "#define G F(Q\nx G more F(2) end\n",
    "in a whole argument": F + "#define G F(1\n#define H(x) <x> y\nH(G more) F(2) end\n",
    "around directives": F + "F(1\n#if 1\na\n#define F(a) again\n#endif\nF(2)\n",
    "around a pragma": F + 'y F(1\n#pragma foo\na\n_Pragma("bar") x\n',
    "in an included file": F + '#include "open.h"\nafter F(3) R\n#pragma last\n',
    "too few": F + "#define T(a, b) a-b\nT(Q) T(T(1), Q) T T(2\n",
    "too many": F + "x F(Q, 2) y F(F(1, 2)) z F(\n",
}


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", INSTALLED)
@pytest.mark.parametrize("text", OPEN.values(), ids=OPEN)
def test_what_is_printed_of_a_wrong_call_is_what_its_compiler_prints(
    text: str, compiler: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    """Of one that is never closed, gcc prints the name, clang nothing, of it or of any file behind."""
    monkeypatch.chdir(tmp_path)
    Path("main.c").write_text(text)
    Path("open.h").write_text("before Q F(1 Q\nx\n#define R 8\nR F(2)\n")
    command = [compiler, "-E", "-P", "-w", "main.c"]
    theirs = subprocess.run(command, capture_output=True, text=True, check=False)
    assert main(["expand", "-P", "--cc", compiler, "main.c"]) == theirs.returncode == 1
    assert spellings(capsys.readouterr().out) == spellings(theirs.stdout)
