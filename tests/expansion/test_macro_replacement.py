"""Macro replacement, clause by clause. Expected results are the standard's own, and wherever a
compiler is installed it is asked too: a case in which we all agree cannot be wrong in one of us."""

from __future__ import annotations

from pathlib import Path

import pytest
from compilers import INSTALLED, preprocessed_by, spellings

from visualizer.expansion import Options, preprocess
from visualizer.expansion.preprocessor import expand
from visualizer.export.preprocessed import preprocessed

CASES = {
    "object-like macro (C23 6.10.5 p10)": ("#define N 42\nN + N", "42 + 42"),
    "a name without parentheses is left alone (p12)": ("#define F(x) [x]\nF + F (1)", "F + [1]"),
    "an argument may be empty (p4)": ("#define F(x, y) [x|y]\nF(,) F(1,) F(,2)", "[|] [1|] [|2]"),
    "no parameters, no arguments": ("#define F() f\nF() F( )", "f f"),
    "parentheses protect commas (p12)": ("#define F(x, y) x-y\nF((1,2), 3)", "(1,2)-3"),
    "invocations may span lines (p12)": ("#define F(x, y) x-y\nF (1\n,\n2)", "1-2"),
    "arguments are prescanned (6.10.5.2)": (
        "#define ONE 1\n#define F(x) x x\nF(ONE)",
        "1 1",
    ),
    "a prescan is by itself, a rescan reaches out for its parenthesis": (
        "#define LP (\n#define F(x) x\n#define G(y) g\nF(G LP 1)) ",
        "g",
    ),
    "# takes the argument as it was written (6.10.5.3)": (
        "#define ONE 1\n#define S(x) #x\nS( ONE  +\n  ONE )",
        '"ONE + ONE"',
    ),
    "# escapes inside strings and characters only": (
        r"""#define S(x) #x
S("a\n" '"' \n)""",
        r'''"\"a\\n\" '\"' \n"''',
    ),
    "# of nothing is an empty string": ("#define S(x) #x\nS()", '""'),
    "## pastes unexpanded arguments (6.10.5.4)": (
        "#define A 1\n#define CAT(x, y) x ## y\nCAT(A, A) CAT(A, 2)",
        "AA A2",
    ),
    "## with placemarkers (6.10.5.4 example)": (
        "#define t(x,y,z) x ## y ## z\n"
        "int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\n t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
    ),
    "## in an object-like macro": ("#define P a ## b\nP", "ab"),
    "## made by ## is no operator (6.10.5.4 example)": (
        "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
        "#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);",
        'char p[] = "x ## y";',
    ),
    "## from an argument is no operator": ("#define F(x) x\nF(a ## b)", "a ## b"),
    "## may make a macro's name": ("#define AB done\n#define CAT(x, y) x ## y\nCAT(A, B)", "done"),
    "a pasted macro name in an argument is prescanned before": (
        "#define N() 6\n#define CAT3(a, b) a##b\n#define CAT2(a, b) CAT3(a, b)\n"
        "#define INIT_6 six\nCAT2(INIT_, N()) CAT3(INIT_, 6)",
        "six six",
    ),
    "the replacement is rescanned with what follows (6.10.5.5)": (
        "#define F g\n#define g(x) [x]\nF (1)",
        "[1]",
    ),
    "a name is not replaced inside itself (6.10.5.5 p2)": (
        "#define SELF SELF + 1\nSELF",
        "SELF + 1",
    ),
    "two macros that name each other": (
        "#define a b\n#define b a\na b",
        "a b",
    ),
    "a painted name stays painted": (
        "#define F(x) x\n#define SELF SELF\nF(SELF) F(F)(SELF)",
        "SELF F(SELF)",
    ),
    "f(2)(9), which both compilers replace further": (
        "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)",
        "2*9*g",
    ),
    "rescanning examples (6.10.5.5 example 3)": (
        "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n"
        "#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n"
        "#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n"
        "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n"
        "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
        "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n"
        "char c[2][6] = { str(hello), str() };",
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);\n"
        "f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);\n"
        "int i[] = { 1, 23, 4, 5, };\n"
        'char c[2][6] = { "hello", "" };',
    ),
    "variable arguments (6.10.5.1 example)": (
        "#define showlist(...) puts(#__VA_ARGS__)\nshowlist(The first, second, and third items.);",
        'puts("The first, second, and third items.");',
    ),
    "__VA_OPT__ (6.10.5.2 example)": (
        "#define F(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)\n#define EMPTY\n"
        "F(a, b, c) F() F(EMPTY, EMPTY) F(a)",
        "f(a , b, c) f() f() f(a )",
    ),
    "__VA_OPT__ beside ##": (
        "#define H(x, ...) x ## __VA_OPT__(a) ## b\nH(, 1) H(c, 1) H(c)",
        "ab cab cb",
    ),
    "#__VA_OPT__": (
        "#define H4(X, ...) #__VA_OPT__(X##X X##X)\nH4(1, 2) H4(1)",
        '"11 11" ""',
    ),
    "GNU: comma before ## __VA_ARGS__": (
        "#define F(x, ...) f(x, ## __VA_ARGS__)\nF(1) F(1,) F(1, 2, 3)",
        "f(1) f(1,) f(1,2, 3)",
    ),
    "GNU: named variable arguments": ("#define F(x, rest...) x:rest\nF(1, 2, 3)", "1:2, 3"),
    "deferred expansion": (
        "#define EMPTY()\n#define DEFER(id) id EMPTY()\n#define A() 123\n"
        "#define EXPAND(...) __VA_ARGS__\n"
        "DEFER(A)() EXPAND(DEFER(A)())",
        "A () 123",
    ),
    "counting arguments": (
        "#define NARGS(...) PICK((__VA_ARGS__, RESQ()))\n#define PICK(args) PICK_ args\n"
        "#define PICK_(_1, _2, _3, N, ...) N\n#define RESQ() 3, 2, 1, 0\n"
        "NARGS(a) NARGS(a, b) NARGS(a, b, c)",
        "1 2 3",
    ),
    "__COUNTER__ counts from 0": ("__COUNTER__ __COUNTER__ __COUNTER__", "0 1 2"),
    "__LINE__ is the line of the invocation": ("#define L __LINE__\n\nL L\n__LINE__", "3 3 4"),
    "directives inside an invocation are obeyed": (
        "#define F(x, y) x-y\nF(1,\n#define TWO 2\nTWO)\n#undef TWO\nTWO",
        "1-2 TWO",
    ),
    "tokens do not fuse in print": (
        "#define EMPTY\n+EMPTY+ -EMPTY- <EMPTY< x EMPTY y",
        "+ + - - < < x y",
    ),
    "a pp-number is one token (6.4.9)": (
        "#define e 1\n#define L 2\n0xe+1 1.5e+3L e+1",
        "0xe+1 1.5e+3L 1+1",
    ),
    "strings hide macros": (
        '#define X 1\n"X" \'X\' u8"X" L"X" R"(X)" X',
        '"X" \'X\' u8"X" L"X" R"(X)" 1',
    ),
    "digraphs (6.4.6)": ("%:define X <: :> <% %>\nX", "<: :> <% %>"),
    "a splice inside a name (5.1.1.2 phase 2)": ("#define LONG 1\nLO\\\nNG LO\\\nNGER", "1 LONGER"),
    "a comment is one blank (5.1.1.2 phase 3)": (
        "#define S(x) #x\nS(a/* b */c) S(a // b\n)",
        '"a c" "a"',
    ),
    "undef, and define again": ("#define X 1\nX\n#undef X\nX\n#define X 2\nX", "1 X 2"),
}


@pytest.mark.parametrize("name", CASES)
def test_rule(name: str, tmp_path: Path) -> None:
    source, expected = CASES[name]
    file = tmp_path / "case.cc"
    file.write_text(source + "\n")
    trace = preprocess(file, Options(std="gnu++20"))
    assert [str(d) for d in trace.diagnostics] == []
    assert [t.text for t in trace.output] == spellings(expected)
    assert spellings("".join(preprocessed(trace.output, markers=False))) == spellings(expected)
    assert (
        spellings("".join(preprocessed(trace.output, markers=True)))[-1:]
        == spellings(expected)[-1:]
    )


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("name", CASES)
def test_rule_as_the_compiler_has_it(name: str, compiler: str, tmp_path: Path) -> None:
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    source, expected = CASES[name]
    file = tmp_path / "case.cc"
    file.write_text(source + "\n")
    assert preprocessed_by(compiler, file) == spellings(expected)


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize(
    "text",
    [
        "#define L(x) __LINE__ x\n\nL(\n1\n)\n",
        "#define L(x) __LINE__ x\n#define TWICE(x) x L(x)\nTWICE(\nL(\n1\n)\n)\n",
        "#define L() __LINE__\n#define WRAP(x) [x L()]\nWRAP(WRAP(L(\n)\n))\n__LINE__\n",
        "#define ID(x) x\nID(\n__LINE__\n)\n",
    ],
    ids=["one", "in an argument", "in a replacement", "handed on"],
)
def test_the_line_of_an_invocation_of_several_lines(
    text: str, compiler: str, tmp_path: Path
) -> None:
    """There the compilers differ: gcc takes its first line, clang its last."""
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    file = tmp_path / "case.cc"
    file.write_text(text)
    cc = {"g++": "gcc", "clang++": "clang"}[compiler]
    trace = preprocess(file, Options(std="gnu++20", cc=cc))
    assert [t.text for t in trace.output] == preprocessed_by(compiler, file)


BLANKS = {
    "what vanished before the first": "#define C(y, x) y #x\nX(+C(, a)) X(+ C(, a)) X(+C(b, a))\n",
    "__VA_OPT__ that vanished": "#define V(x, ...) __VA_OPT__() x\nX(+V(a)) X(+V(a, b))\n",
    "of an argument": "#define I(x) +x\n#define E\nX(I(E b)) X(I(E E b)) X(I(b E))\n",
    "at the end of an argument": "#define I(x) [x]\n#define E\nX(I(a E)) X(I(E E)) X(I(E) a)\n",
    "handed on": "#define I(x) +x\n#define C(y, x) y x\nX(I(C(,a))) X(I(I(C(,a)))) X(I( C(, C(,a))))\n",
    "an argument begins anew": "#define I(x) +x\n#define C(y, x) I(y x)\nX(C(, a))\n",
    "a GNU comma keeps an argument's own": (
        "#define F(x, ...) f(x, ## __VA_ARGS__)\n#define G(x) F(1, x)\n#define H(x) G( x) F(1,x)\n"
        "X(F(1, 2)) X(F(1,2)) X(G(2)) X(G( 2)) X(H(2)) X(H( 2))\n"
    ),
    "beside ##": "#define P(w, x, y) w x##y\nX(+P(, , b)) X(+P(,a,)) X(+P(,,) c)\n",
    "a parameter first in __VA_OPT__": "#define V(x, ...) [__VA_OPT__(x b)]\nX(V(, 1)) X(V(a, 1))\n",
    "a name that finds none": "#define f(x)\n#define F(...) [f __VA_ARGS__\nX(F( , 1)) X(F( a))\n",
    "a name at the end that finds none": "#define f(x)\n#define g(y) f y\nX([g()]) X(g(g()) 1)\n",
    "a name that finds its parenthesis behind": "#define f(x) [x]\n#define g(y) f y\nX(+g()(1) 2)\n",
}


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("name", BLANKS)
def test_the_blanks_that_vanished_tokens_leave(name: str, compiler: str, tmp_path: Path) -> None:
    """There the compilers differ, where the result is made a string."""
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    file = tmp_path / "case.cc"
    file.write_text(f"#define S(...) #__VA_ARGS__\n#define X(...) S(__VA_ARGS__)\n{BLANKS[name]}")
    options = Options(std="gnu++20", cc={"g++": "gcc", "clang++": "clang"}[compiler])
    wanted = preprocessed_by(compiler, file)
    assert [t.text for t in preprocess(file, options).output] == wanted
    assert [t.text for t in expand(file, options).tokens] == wanted


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("std", ["gnu++20", "gnu++98"])
def test_a_macro_that_touches_a_literal(std: str, compiler: str, tmp_path: Path) -> None:
    """It is a suffix where a user may have made it one, `_km`, in C++ from 2011 on."""
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    file = tmp_path / "case.cc"
    file.write_text(
        "'a'M \"s\"M 'a'_km \"s\"_km\n#define M 1\n#define _km 2\n#define __m 3\n"
        '\'a\'M "s"M L\'a\'M L"s"M \'a\'_km "s"_km "s"__m "s"__LINE__ \'a\'__LINE__\n'
    )
    options = Options(std=std, cc={"g++": "gcc", "clang++": "clang"}[compiler])
    output = "".join(preprocessed(preprocess(file, options).output, markers=False))
    flags = [f"-std={std}", "-Wno-reserved-user-defined-literal"]  # which clang makes an error
    assert spellings(output) == preprocessed_by(compiler, file, flags)
