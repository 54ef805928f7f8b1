"""Classic mistakes, and their neighbours that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from visualizer.expansion import Options, preprocess
from visualizer.expansion.hints import Hint, hints
from visualizer.expansion.moments import Timeline
from visualizer.workbench.samples import sample_files

MISTAKES = {
    "a paste of a macro's name": (
        "#define N 3\n#define CAT(a, b) a ## b\nCAT(x, N)",
        (0, "N is a macro, but ## takes it as it is written; CAT needs one more level of macro"),
    ),
    "a string of a macro's name": (
        "#define N 3\n#define STR(x) #x\nSTR(N)",
        (0, "N is a macro, but # takes it as it is written; STR needs one more level of macro"),
    ),
    "a macro in its own replacement list": (
        "#define N N + 1\nN",
        (1, "N is in its own replacement list: a macro never expands inside itself"),
    ),
    "macros that call each other": (
        "#define A B\n#define B A\nA",
        (2, "A → B → A is a circle: a macro never expands inside itself"),
    ),
    "a function-like macro without parentheses": (
        "#define F(x) x\n#define G F + 1\nG",
        (0, "F is a function-like macro, but no ( follows it: it stays a name"),
    ),
    "a comma that is left": (
        "#define LOG(f, ...) printf(f, __VA_ARGS__)\nLOG(x)",
        (
            0,
            "__VA_ARGS__ is empty and leaves a comma before the ): "
            "write __VA_OPT__(,) __VA_ARGS__ instead of , __VA_ARGS__",
        ),
    ),
    "an expression without parentheses": (
        "#define SIZE n + 1\nint x = 2 * SIZE;",
        (
            0,
            "* binds tighter than what is in n + 1: "
            "put the replacement list of SIZE in parentheses",
        ),
    ),
    "an expression without parentheses, inside another macro": (
        "#define SIZE n + 1\n#define TWICE SIZE * 2\nTWICE",
        (
            1,
            "* binds tighter than what is in n + 1: "
            "put the replacement list of SIZE in parentheses",
        ),
    ),
    "a difference taken from something": (
        "#define D b - c\nint x = a - D;",
        (0, "- binds tighter than what is in b - c: put the replacement list of D in parentheses"),
    ),
    "a parameter without parentheses": (
        "#define SQR(x) x * x\nSQR(a + b)",
        (0, "* binds tighter than what is in a + b: write (x) in the definition of SQR"),
    ),
}

FINE = {
    "a level of macro is there": (
        "#define N 3\n#define CAT_(a, b) a ## b\n#define CAT(a, b) CAT_(a, b)\nCAT(x, N)"
    ),
    "a paste that makes a macro": "#define N 3\n#define xN 4\n#define CAT(a, b) a ## b\nCAT(x, N)",
    "an assertion shows its text": "#define N 3\n#define CHECK(x) check(x, #x)\nCHECK(N)",
    "a name that found its parenthesis": "#define F(x) x\n#define G F\nG(1)",
    "a name handed on": "#define F(x) x\n#define CALL(f) f(1)\nCALL(F)",
    "a comma that goes": "#define LOG(f, ...) printf(f, ## __VA_ARGS__)\nLOG(x)",
    "an empty argument on purpose": "#define F(a, b) a b\nF(1,)",
    "parentheses": "#define SIZE (n + 1)\nint x = 2 * SIZE;",
    "an operator that binds less": "#define SIZE n * 2\nint x = 2 + SIZE;",
    "a sum in a sum": "#define SIZE n + 1\nint x = 2 + SIZE;",
    "a sign": "#define SIZE n * 1\nint x = -SIZE;",
    "a list of names that are macros too": (
        "#define E2BIG 7\n#define EIO 5\n#define MAP(X) X(E2BIG) X(EIO)\n"
        "#define CASE(name) case UV_ ## name: return UV__ ## name;\nMAP(CASE)"
    ),
    "a list of names that calls a macro of its own": (
        "#define E2BIG 7\n#define EIO 5\n#define X(name) #name, UV_ ## name,\n"
        "#define MAP X(E2BIG) X(EIO)\nMAP"
    ),
    "a name of a constant that there is": (
        "#define EIO 5\nenum { UV_EIO = -5 };\n#define UV(name) UV_ ## name\nUV(EIO)"
    ),
    "a name beside one that is a macro": (
        "#define EIO 5\n#define UV__EIO -5\n#define UV(name) UV_ ## name = UV__ ## name\nUV(EIO)"
    ),
    "a name that is wanted as a string too": (
        "#define EIO 5\n#define UV(name) case UV_ ## name: return #name;\nUV(EIO)"
    ),
    "a macro that says that there is a variable": "#define stdin stdin\nstdin",
    "a member under its old name": "#define handler inner.handler\na.handler",
    "a member that is called as a macro is": (
        "#define max(a, b) a\n#define F(x) (x)\nF(spec->max)"
    ),
    "a parameter in parentheses": "#define SQR(x) (x) * (x)\nSQR(a + b)",
}


def hints_of(text: str, folder: Path, dialect: str = "standard") -> list[Hint]:
    file = folder / "program.cc"
    file.write_text(text + "\n")
    trace = preprocess(file, Options(std="gnu++20", dialect=dialect))
    return hints(trace, Timeline(trace.expansions[-1]))


@pytest.mark.parametrize(("text", "wanted"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_pointed_at(text: str, wanted: tuple[int, str], tmp_path: Path) -> None:
    assert hints_of(text, tmp_path)[0] == Hint(*wanted)


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_is_no_mistake_is_left_alone(text: str, tmp_path: Path) -> None:
    assert hints_of(text, tmp_path) == []


def test_a_missing_expand_is_a_mistake_for_one_preprocessor_only(tmp_path: Path) -> None:
    program = "#define TWO(a, b) [a|b]\n#define F(...) TWO(__VA_ARGS__)\nF(1, 2)"
    assert hints_of(program, tmp_path) == []
    (hint,) = hints_of(program, tmp_path, "msvc-traditional")
    assert hint.moment == 1
    assert hint.text.startswith("a got 2 arguments as one")
    assert "EXPAND(x) x" in hint.text
    mended = program.replace("TWO(__VA_ARGS__)", "EXPAND(TWO(__VA_ARGS__))")
    assert hints_of("#define EXPAND(x) x\n" + mended, tmp_path) == []


@pytest.mark.parametrize("sample", sample_files(), ids=lambda f: f.stem)
def test_phi_makes_none_of_these_mistakes(sample: Path) -> None:
    trace = preprocess(sample, skip_included_text=True)
    for expansion in trace.expansions:
        assert hints(trace, Timeline(expansion)) == []
