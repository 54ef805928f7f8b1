"""A `.S` file is assembler that is preprocessed first: held to gcc and clang, token by token."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.expansion.language import language
from visualizer.expansion.lexer import tokenize

DRIVERS = [name for name in ("gcc", "clang") if shutil.which(name)]
INCLUDED = (
    "#ifdef __ASSEMBLER__\n# not a directive: FOO\n.set inc, FOO\n#endif\n#define FROM_INC inc\n"
)
TEXTS = {
    "comments": "#define FOO bar\n# a comment, don't FOO\n#comment FOO\n// gone FOO\n/* gone */ ; @ FOO"
    "\n\tmovl $FOO, %eax\t# trailing FOO\n#-dash FOO\n#\n# 12 FOO\n#error_is FOO\n# 'open FOO\n",
    "quotes that nobody closes": "#define FOO bar\n  mov r0, #'a\n  cmp $'x', %al\n"
    '"open FOO\n1: jmp 1b\n',
    "what C has in macros": "#define IMM(x) #x, $x, #4 - x\n#define LOCAL(n) .L##n\n"
    "#define S(s) .ascii #s\n#define ENTRY(name) .globl name; .type name, @function; name:\n"
    '#define OBJ # 4 #x\nIMM(3) LOCAL(x) S(a b "c")\nENTRY(main)\nOBJ\n#undef OBJ\nOBJ\n',
    "conditionals": "#if defined(__ASSEMBLER__) && !defined(__cplusplus)\nyes\n#elif nonsense '\n"
    "#else\n# no directive in here either\n#endif\n#if 0\n# don't\n#bogus\n#endif\n"
    "#ifdef __STDC__\nstd\n#endif\n",
    "no letter and no literal": "#define FOO bar\na$FOO $FOO .FOO FOO$ 0x1FOO ..FOO u8\"x\" L'a'\n"
    "FOO@PLT\n",
    "a letter before a string": "#define u8 Z\n#define u Y\n#define L W\n#define R V\n"
    ' u8"x" u"y" L"z" R"(q)" u8\'c\'\n',
    "a paste of no token": "#define P(a, b) a ## b\nP(., foo) P($, 3) P(%, rax) P(a, b)(P(@, x))\n",
    "included": '#define FOO bar\n#include "x.inc"\nFROM_INC __LINE__ __FILE__\n',
    "lines": "#define TWO(a) a; \\\n\t ret\n  TWO(nop)\n1:\n  .if \\x\n  .macro m a, b=FOO\n"
    "  \\a \\b\n  .endm\n",
}

pytestmark = pytest.mark.compiler


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.inc").write_text(INCLUDED)


def spellings(text: str) -> list[str]:
    return [t.text for line in tokenize(text, "", language("assembler")) for t in line]


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("name", TEXTS)
def test_it_is_what_the_compiler_makes_of_it(name: str, driver: str, capsys) -> None:
    Path("main.S").write_text(TEXTS[name])
    command = [driver, "-E", "-P", "-w", "main.S"]
    expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert main(["expand", "-P", "--cc", driver, "main.S"]) == 0
    said = capsys.readouterr()
    assert spellings(said.out) == spellings(expected)
    assert said.err == ""


@pytest.mark.parametrize("driver", DRIVERS)
def test_what_the_compiler_defines_for_assembler_is_defined(driver: str, capsys) -> None:
    names = "__ASSEMBLER__ __STDC_VERSION__ __STDC_UTF_16__ __OPTIMIZE__ __AVX2__ __CHAR_BIT__\n"
    for file, flags in (("main.S", []), ("main.s.txt", ["-x", "assembler-with-cpp"])):
        Path(file).write_text(names)
        words = [*flags, "-O2", "-mavx2", file]
        command = [driver, "-E", "-P", *words]
        expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert main(["expand", "-P", "--cc", driver, *words]) == 0
        assert capsys.readouterr().out.split() == expected.split()


def test_a_database_says_what_assembler_is_given_but_no_standard(capsys) -> None:
    Path("main.S").write_text("# don't\nX __ASSEMBLER__ __STDC_VERSION__\n")
    words = ["cc", "-std=gnu11", "-DX=found", "-c", "main.S"]
    entry = {"directory": ".", "file": "main.S", "arguments": words}
    Path("compile_commands.json").write_text(json.dumps([entry]))
    assert main(["expand", "-P", "--cc", "gcc", "main.S"]) == 0
    assert capsys.readouterr().out.split()[2:] == ["found", "1", "__STDC_VERSION__"]


def test_its_steps_can_be_seen(capsys) -> None:
    Path("main.S").write_text("#define FOO 3\n# don't\n  movl $FOO, %eax # FOO\n")
    assert main(["steps", "main.S"]) == 0
    said = capsys.readouterr()
    assert "FOO stands for 3" in said.out
    assert "error" not in said.err
