"""Every constraint of C23 §6.10 and §6.10.5 ([cpp], [cpp.replace]), each broken once: what is said, at
which token, and whether gcc has something to say about that line too."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from visualizer.expansion import Options, preprocess

STD = "gnu++20"

# The constraint: its text, and LINE:COLUMN: SEVERITY: the message's beginning.
CONSTRAINTS = {
    # §6.10.5.1: definitions
    "a macro needs a name": ("#define\n", "1:2: error: #define needs a macro name"),
    "a macro's name is an identifier": (
        "#define 3 x\n",
        "1:9: error: #define needs a macro name, not '3'",
    ),
    "defined is no macro": (
        "#define defined\n",
        "1:9: error: 'defined' cannot be used as a macro name",
    ),
    "defined is not undefined": (
        "#undef defined\n",
        "1:8: error: 'defined' cannot be used as a macro name",
    ),
    "white space behind an object-like macro's name": (
        '#define X"a"\nX\n',
        "1:9: warning: white space is required after the macro name 'X'",
    ),
    "parameters differ": (
        "#define F(a, a) a\n",
        "1:14: error: duplicate macro parameter 'a'",
    ),
    "parameters are identifiers": (
        "#define F(1) a\n",
        "1:11: error: expected a parameter name, found '1'",
    ),
    "parameters stand between commas": (
        "#define F(a b) a\n",
        "1:13: error: expected ',' or ')' after parameter 'a', found 'b'",
    ),
    "a comma is followed by a parameter": (
        "#define F(a,) a\n",
        "1:13: error: expected a parameter name, found ')'",
    ),
    "a parameter list is closed": (
        "#define F(a\n",
        "1:10: error: the parameter list of 'F' has no closing ')'",
    ),
    "a parameter list is closed behind a comma": (
        "#define F(a,\n",
        "1:10: error: the parameter list of 'F' has no closing ')'",
    ),
    "nothing stands behind the ellipsis": (
        "#define F(..., a) a\n",
        "1:14: error: expected ')' after '...'",
    ),
    "an ellipsis is closed": ("#define F(...\n", "1:11: error: expected ')' after '...'"),
    "__VA_ARGS__ is no parameter's name": (
        "#define F(__VA_ARGS__) a\n",
        "1:11: warning: __VA_ARGS__ can only appear in",
    ),
    "__VA_OPT__ is no parameter's name": (
        "#define F(__VA_OPT__) a\n",
        "1:11: warning: __VA_OPT__ can only appear in",
    ),
    "__VA_ARGS__ is no macro's name": (
        "#define __VA_ARGS__ 1\n",
        "1:9: warning: __VA_ARGS__ can only appear in",
    ),
    "__VA_OPT__ is no macro's name": (
        "#define __VA_OPT__ 1\n",
        "1:9: warning: __VA_OPT__ can only appear in",
    ),
    "__VA_ARGS__ only in a variadic macro, not an object-like one": (
        "#define O __VA_ARGS__\n",
        "1:11: warning: __VA_ARGS__ can only appear in",
    ),
    "__VA_ARGS__ only in a variadic macro": (
        "#define F(a) __VA_ARGS__\n",
        "1:14: warning: __VA_ARGS__ can only appear in",
    ),
    "__VA_ARGS__ only where the ellipsis has no name": (
        "#define F(a...) __VA_ARGS__\n",
        "1:17: warning: __VA_ARGS__ can only appear in",
    ),
    "__VA_ARGS__ not in text": (
        "a\n  __VA_ARGS__\n",
        "2:3: warning: __VA_ARGS__ can only appear in",
    ),
    "__VA_OPT__ only in a variadic macro": (
        "#define F(a) __VA_OPT__(x)\n",
        "1:14: warning: __VA_OPT__ can only appear in",
    ),
    "__VA_OPT__ not in text": (
        "__VA_OPT__(x)\n",
        "1:1: warning: __VA_OPT__ can only appear in",
    ),
    "__VA_OPT__ has parentheses": (
        "#define F(...) __VA_OPT__ x\n",
        "1:16: error: __VA_OPT__ must be followed by an open parenthesis",
    ),
    "__VA_OPT__ is closed": (
        "#define F(...) __VA_OPT__((x)\n",
        "1:16: error: unterminated __VA_OPT__",
    ),
    "__VA_OPT__ does not nest": (
        "#define F(...) __VA_OPT__(a __VA_OPT__(b))\n",
        "1:29: error: __VA_OPT__ may not appear in a __VA_OPT__",
    ),
    "## not at the start of __VA_OPT__": (
        "#define F(...) __VA_OPT__(## b)\n",
        "1:27: error: '##' cannot appear at either end of __VA_OPT__",
    ),
    "## not at the end of __VA_OPT__": (
        "#define F(...) __VA_OPT__(b ##)\n",
        "1:29: error: '##' cannot appear at either end of __VA_OPT__",
    ),
    "a redefinition has the same replacement list": (
        "#define A 1\n#define A 2\n",
        '2:9: warning: "A" redefined (the first definition is at',
    ),
    "a redefinition has white space in the same places": (
        "#define A (1)\n#define A ( 1)\n",
        '2:9: warning: "A" redefined',
    ),
    "a redefinition has the same parameters": (
        "#define F(a) a\n#define F(b) b\n",
        '2:9: warning: "F" redefined',
    ),
    "a redefinition is of the same kind": (
        "#define F (a)\n#define F(a)\n",
        '2:9: warning: "F" redefined',
    ),
    # §6.10.5.2, §6.10.5: invocations
    "not too many arguments": (
        "#define F(a) a\nF(1, 2)\n",
        '2:1: error: macro "F" passed 2 arguments, but takes just 1',
    ),
    "not too few arguments": (
        "#define F(a, b) a\nF(1)\n",
        '2:1: error: macro "F" requires 2 arguments, but only 1 given',
    ),
    "no argument where there is no parameter": (
        "#define F() a\nF(1)\n",
        '2:1: error: macro "F" passed 1 argument, but takes just 0',
    ),
    "as many arguments as named parameters": (
        "#define F(a, b, ...) a\nF(1)\n",
        '2:1: error: macro "F" requires at least 2 arguments, but only 1 given',
    ),
    "an invocation is closed": (
        "#define F(a) a\nx F(1\n",
        '2:3: error: unterminated argument list invoking macro "F"',
    ),
    "an invocation that a macro opened is closed": (
        "#define G(a) a\n#define F(a) G(a\nF(1)\n",
        '3:1: error: unterminated argument list invoking macro "G"',
    ),
    # §6.10.5.3, §6.10.5.4: # and ##
    "# is followed by a parameter": (
        "#define F(a) # b\n",
        "1:14: error: '#' is not followed by a macro parameter",
    ),
    "# is followed by something": (
        "#define F(a) a #\n",
        "1:16: error: '#' is not followed by a macro parameter",
    ),
    "# makes a string": (
        "#define S(a) #a\nS(\\)\n",
        "2:3: warning: '#a' does not give a valid string literal",
    ),
    "## not at the start": (
        "#define F(a) ## a\n",
        "1:14: error: '##' cannot stand at either end of a replacement list",
    ),
    "## not at the end": (
        "#define F(a) a ##\n",
        "1:16: error: '##' cannot stand at either end of a replacement list",
    ),
    "## not at the end of an object-like macro": (
        "#define O a ##\n",
        "1:13: error: '##' cannot stand at either end of a replacement list",
    ),
    "## makes one token": (
        "#define CAT(a, b) a ## b\nCAT(x, +)\n",
        '2:5: error: pasting "x" and "+" does not give a valid preprocessing token',
    ),
    # §6.10.5.6, §6.10.10: #undef and what is predefined
    "#undef needs a name": ("#undef\n", "1:2: error: #undef needs a macro name"),
    "#undef takes a name": ("#undef 3\n", "1:8: error: #undef needs a macro name, not '3'"),
    "#undef takes one name": (
        "#define A\n#undef A B\n",
        "2:10: warning: extra tokens at end of #undef directive",
    ),
    "__LINE__ is not defined": (
        "#define __LINE__ 1\n",
        "1:9: warning: redefining the built-in macro '__LINE__'",
    ),
    "__FILE__ is not undefined": (
        "#undef __FILE__\n",
        "1:8: warning: undefining the built-in macro '__FILE__'",
    ),
    "__has_include is not defined": (
        "#define __has_include 1\n",
        "1:9: warning: redefining the built-in macro '__has_include'",
    ),
    "_Pragma is not defined": (
        "#define _Pragma 1\n",
        "1:9: warning: redefining the built-in macro '_Pragma'",
    ),
    # §6.10.2: conditionals
    "nothing behind #else": (
        "#if 1\n#else x\n#endif\n",
        "2:7: warning: extra tokens at end of #else directive",
    ),
    "nothing behind #endif": (
        "#if 1\n#endif x\n",
        "2:8: warning: extra tokens at end of #endif directive",
    ),
    "one name behind #ifdef": (
        "#ifdef A B\n#endif\n",
        "1:10: warning: extra tokens at end of #ifdef directive",
    ),
    "one name behind #ifndef": (
        "#ifndef A B\n#endif\n",
        "1:11: warning: extra tokens at end of #ifndef directive",
    ),
    "#ifdef takes a name": ("#ifdef 3\n#endif\n", "1:2: error: #ifdef needs a macro name"),
    "no #elif behind #else": (
        "#if 1\n#else\n#elif 1\n#endif\n",
        "3:2: error: #elif after #else",
    ),
    "one #else": ("#if 1\n#else\n#else\n#endif\n", "3:2: error: #else after #else"),
    "#else belongs to an #if": ("#else\n", "1:2: error: #else without #if"),
    "#elif belongs to an #if": ("#elif 1\n", "1:2: error: #elif without #if"),
    "#endif belongs to an #if": ("#endif\n", "1:2: error: #endif without #if"),
    "an #if is closed": ("a\n#if 1\n", "2:2: error: unterminated #if"),
    "an #if has an expression": ("#if\n#endif\n", "1:2: error: #if with no expression"),
    "an #elif has an expression": (
        "#if 0\n#elif\n#endif\n",
        "2:2: error: #elif with no expression",
    ),
    "no division by zero": ("#if 1 / 0\n#endif\n", "1:5: error: #if 1 / 0: division by zero"),
    "an integer constant": ("#if 1.0\n#endif\n", "1:5: error: "),
    "defined takes a name": ("#if defined\n#endif\n", "1:"),
    "defined is closed": ("#if defined(A\n#endif\n", "1:"),
    # §6.10.4 to §6.10.9: the other directives
    "#include names a file": (
        "#include\n",
        '1:2: error: #include expects "FILENAME" or <FILENAME>',
    ),
    "#include names a file by quotes or brackets": (
        "#include x\n",
        '1:10: error: #include expects "FILENAME" or <FILENAME>',
    ),
    "#include's bracket is closed": (
        "#include <x\n",
        '1:10: error: #include expects "FILENAME" or <FILENAME>',
    ),
    "#include's file is there": (
        '#include "no/such.h"\n',
        "1:10: error: no/such.h: no such file",
    ),
    "nothing behind #include's file": (
        '#include "empty.h" x\n',
        "1:20: warning: extra tokens at end of #include directive",
    ),
    "#line takes a number": ("#line x\n", "1:7: error: #line needs a positive number"),
    "#line takes digits": ("#line 0x10\n", "1:7: error: #line needs a positive number"),
    "#line's file is a string": ("#line 3 x\n", "1:9: error: 'x' is not a valid file name"),
    "nothing behind #line's file": (
        '#line 3 "f" x\n',
        "1:13: warning: extra tokens at end of #line directive",
    ),
    "a directive is known": ("#nosuch\n", "1:2: error: invalid preprocessing directive #nosuch"),
    "#error": ("#error is wrong\n", "1:2: error: #error is wrong"),
    "#warning": ("#warning is odd\n", "1:2: warning: #warning is odd"),
    "_Pragma has parentheses": (
        "_Pragma x\n",
        "1:9: error: _Pragma takes a parenthesized string literal",
    ),
    "_Pragma takes a string": (
        "_Pragma(x)\n",
        "1:9: error: _Pragma takes a parenthesized string literal",
    ),
    "_Pragma takes one string": (
        '_Pragma("x" "y")\n',
        "1:13: error: _Pragma takes a parenthesized string literal",
    ),
}

FINE = {
    "# in a line of text": "a # b\n",
    "# in an object-like macro": "#define O # b\nO\n",
    "a null directive": "#\n",
    "the same definition again": "#define A 1\n#define A 1\n",
    "the same definition, other white space": "#define A ( 1 )\n#define A (  1\t)\n",
    "an unknown name undefined": "#undef nobody\n",
    "no variable arguments": "#define F(a, ...) a\nF(1)\n",
    "an unknown directive that is skipped": "#if 0\n#nosuch\n#error no\n#endif\n",
    "odd tokens behind what is skipped": "#if 0\n#if 1\n#else x\n#endif x\n#endif\n",
    "an #elif with no expression that is not looked at": "#if 1\n#elif\n#endif\n",
    "a directive among arguments": "#define F(a) a\nF(\n#define Z 2\nZ)\n",
    "an ellipsis with a name": "#define F(a, b...) a b\nF(1, 2, 3)\n",
    "an empty character constant in text": "''\n",
}

needs_gcc = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")


def said_of(text: str, folder: Path) -> list[str]:
    """The diagnostics of a program, one line each, without the file's name."""
    (folder / "empty.h").write_text("\n")
    file = folder / "program.cc"
    file.write_text(text)
    trace = preprocess(file, Options(std=STD))
    return [str(d).split("\n")[0].partition(".cc:")[2] for d in trace.diagnostics]


def gcc_says_of(text: str, folder: Path) -> set[tuple[str, str]]:
    """Line and severity of each of gcc's messages."""
    (folder / "empty.h").write_text("\n")
    (folder / "program.cc").write_text(text)
    command = ["g++", "-E", f"-std={STD}", str(folder / "program.cc")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    messages = [line.partition(".cc:")[2] for line in done.stderr.splitlines()]
    return {
        (message.split(":")[0], severity)
        for message in messages
        for severity in ("error", "warning")
        if f" {severity}: " in message and "the conditional began here" not in message
    }


@pytest.mark.parametrize(("text", "wanted"), CONSTRAINTS.values(), ids=CONSTRAINTS)
def test_a_broken_constraint_is_told_at_its_token(text: str, wanted: str, tmp_path: Path) -> None:
    said = said_of(text, tmp_path)
    assert len(said) == 1
    assert said[0].startswith(wanted)


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_is_allowed_is_not_told(text: str, tmp_path: Path) -> None:
    assert said_of(text, tmp_path) == []


@pytest.mark.compiler
@needs_gcc
@pytest.mark.parametrize(
    "text",
    [*(text for text, _ in CONSTRAINTS.values()), *FINE.values()],
    ids=[*CONSTRAINTS, *FINE],
)
def test_gcc_has_something_to_say_where_we_have(text: str, tmp_path: Path) -> None:
    ours = [
        (line, rest.split(":")[1].strip())
        for line, _, rest in (said.partition(":") for said in said_of(text, tmp_path))
    ]
    assert set(ours) == gcc_says_of(text, tmp_path)


def test_a_chain_of_macros_leads_to_a_bad_paste(tmp_path: Path) -> None:
    file = tmp_path / "program.cc"
    file.write_text(
        "#define CAT(a, b) a ## b\n#define OUTER(x) INNER(x)\n#define INNER(x) CAT(x, +)\nOUTER(y)\n"
    )
    (diagnostic,) = preprocess(file, Options(std=STD)).diagnostics
    assert [name for name, _ in diagnostic.through] == ["CAT", "INNER", "OUTER"]
    assert [where.line for _, where in diagnostic.through] == [3, 2, 4]
    assert diagnostic.where.line == 4
    assert str(diagnostic).count("note: in expansion of macro") == 3


def test_a_chain_of_macros_leads_to_a_wrong_number_of_arguments(tmp_path: Path) -> None:
    file = tmp_path / "program.cc"
    file.write_text("#define TWO(a, b) a b\n#define F(x) TWO(x)\nF(1)\n")
    (diagnostic,) = preprocess(file, Options(std=STD)).diagnostics
    assert [name for name, _ in diagnostic.through] == ["F"]
    assert "TWO(a, b) is defined at" in diagnostic.hint


def test_an_invocation_ends_with_the_included_file_that_it_stands_in(tmp_path: Path) -> None:
    (tmp_path / "open.h").write_text("F(1\n")
    file = tmp_path / "program.cc"
    file.write_text('#define F(x) [x]\n#include "open.h"\n) b\n')
    trace = preprocess(file, Options(std=STD))
    (diagnostic,) = trace.diagnostics
    assert diagnostic.where.file.endswith("open.h")
    assert diagnostic.message == 'unterminated argument list invoking macro "F"'


# Nothing is looked for behind a directive: both gcc and clang leave the name alone.
BEHIND_A_DIRECTIVE = {
    "#define": "#define F(x) [x]\nF\n#define X\n(1) F\n#undef X\n(2)",
    "#if": "#define F(x) [x]\nF\n#if 1\n(1)\n#endif\nF\n#if 0\n#endif\n(2)",
    "#line, and nothing": "#define F(x) [x]\nF\n#line 40\n(1) F\n#\n(2)",
    "among arguments": "#define F(x) [x]\nF(F\n#if 1\n(1)\n#endif\n)",
    "reached by a macro": "#define F(x) [x]\n#define G F\nG\n#if 1\n(1)\n#endif\nG (2)",
}


@pytest.mark.compiler
@needs_gcc
@pytest.mark.parametrize("text", BEHIND_A_DIRECTIVE.values(), ids=BEHIND_A_DIRECTIVE)
def test_a_name_finds_no_parenthesis_behind_a_directive(text: str, tmp_path: Path) -> None:
    file = tmp_path / "program.cc"
    file.write_text(text + "\n")
    command = ["g++", "-E", "-P", f"-std={STD}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ours = [token.text for token in preprocess(file, Options(std=STD)).output]
    assert "".join(ours) == "".join(done.stdout.split())


def test_what_is_undefined_although_built_in_is_a_name(tmp_path: Path) -> None:
    file = tmp_path / "program.cc"
    file.write_text("#undef __LINE__\n__LINE__\n#define __COUNTER__ 7\n__COUNTER__\n")
    trace = preprocess(file, Options(std=STD))
    assert [t.text for t in trace.output] == ["__LINE__", "7"]


def test_a_system_header_may_redefine_a_macro(tmp_path: Path) -> None:
    """As `assert.h` does, of a program that brings its own `assert`. gcc tells nobody either."""
    headers, main = tmp_path / "headers", tmp_path / "main.c"
    headers.mkdir()
    (headers / "h.h").write_text("#define A 2\n")
    main.write_text("#define A 1\n#include <h.h>\n")
    assert not preprocess(main, Options(system_folders=(str(headers),))).diagnostics
    assert preprocess(main, Options(include_folders=(str(headers),))).diagnostics
