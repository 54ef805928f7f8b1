r"""Names with other letters than ASCII's, spelled as they are or as `\u00e9`, held to gcc and clang."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from compilers import spellings
from hypothesis import given, settings
from hypothesis import strategies as st

from visualizer.cli import main

DRIVERS = [name for name in ("gcc", "clang") if shutil.which(name)]
LANGUAGES = ("c99", "gnu17", "c2x", "c++98", "c++17", "c++2b")
SAME = r"""
#define é E1
#define \u00e8 E2
#define STR(x) #x
#define XSTR(x) STR(x)
#define ID(x) x
#define cat(a, b) a##b
é \u00e9 \U000000E9 è \u00e8 caf\u00e9 café ID(\u00e9) ID(caf\u00e9) a\u0024 1\u00e9
STR(\u00e9) STR(é) XSTR(caf\u00e9) XSTR(café) STR(ID(caf\u00e9) \u00e9)
#ifdef \u00e9
yes
#endif
#if caf\u00e9 == 0 && L'\u00e9' && defined(\u00e8)
yes
#endif
cat(x, é) cat(é, y) "\u00e9" L"\u0041" '\u00e9'
#undef é
\u00e9
"""
JOINED = r"""
#define cat(a, b) a##b
#define later(a, b) cat(a, b)
#define str(x) #x
#define xstr(x) str(x)
#define é E1
#define f\u00e9(x) [x]
#define caf\u00e91 numbered
cat(caf, \u00e9) cat(\u00e9, caf) cat(f, \u00e9)(1) cat(f\u00e9,)(2) cat(f, é)(3)
cat(x\u00e8, \U000000E9)
later(caf\u00e9, 1) cat(, \u00e9) xstr(cat(caf, \u00e9)) later(cat(a, \u00e9), b)
"""
IN_NO_NAME = r"""
#define x\u00e9 1
#define S(a) #a
x int caf\u00e9 y\u00e9; S(a\u00e9) S(\u00e9) a\u0041 1\u00e9
"""
# what is shown for a byte that is no UTF-8 may itself stand in a file
SHOWN_SO = '#define a\ufffdb 3\na\ufffdb x\ufffdy "\ufffd"\n'
REFUSED = (
    *(r"\u0041", r"a\u0041", r"a\u0020b", r"\u009f", r"1\u0041", r"STR(\u0041)"),
    *(r"a\ud8001", r"#define a\u0041 1"),
)
OF_GCC_ONLY = (r"\U00110000", r"a\u00d7b", r"\u0301", "\u0301", r"a\u0040")

pytestmark = pytest.mark.compiler


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def words(driver: str, std: str, text: str) -> list[str]:
    Path("main.c").write_text(text)
    return ["-x", "c++" if "++" in std else "c", f"-std={std}", "main.c"]


def by_the_compiler(driver: str, std: str, text: str) -> str | None:
    command = [driver, "-E", "-P", "-w", *words(driver, std, text)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def by_us(driver: str, std: str, text: str, capsys: pytest.CaptureFixture[str]) -> str | None:
    code = main(["expand", "-P", "--cc", driver, *words(driver, std, text)])
    said = capsys.readouterr().out
    return said if code == 0 else None


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("std", LANGUAGES)
def test_a_name_is_the_same_however_it_is_spelled(driver: str, std: str, capsys) -> None:
    """And is printed as this compiler prints it: gcc in ASCII."""
    assert (expected := by_the_compiler(driver, std, SAME)) is not None
    assert (found := by_us(driver, std, SAME, capsys)) is not None
    assert found.split() == expected.split()


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(
    ("std", "text"),
    [
        *((std, text) for std in LANGUAGES for text in (JOINED, SHOWN_SO)),
        *((std, text) for std in ("gnu89", "c90") for text in (IN_NO_NAME, SHOWN_SO)),
    ],
)
def test_a_name_with_other_letters_is_what_its_compiler_makes_of_it(
    driver, std, text, capsys
) -> None:
    """clang takes what `##` makes of two names as it is spelled, and knows no `\\u00e9` in C90."""
    assert (expected := by_the_compiler(driver, std, text)) is not None
    assert (found := by_us(driver, std, text, capsys)) is not None
    assert found.split() == expected.split()


def test_a_byte_that_is_no_utf8_ends_a_name_where_it_is_looked_at_too(capsys) -> None:
    Path("main.c").write_bytes(b"#define A 7\n#define B\xef\xbf\xbd 8\nA\xefA B\xef\xbf\xbd\n")
    assert main(["steps", "main.c"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("1 ")]
    assert told == ["1 A stands for 7.", "1 A stands for 7.", "1 B\ufffd stands for 8."]


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("std", LANGUAGES)
@pytest.mark.parametrize("text", REFUSED)
def test_a_universal_name_of_a_basic_character_is_refused(driver, std, text, capsys) -> None:
    whole = f"#define STR(x) #x\n{text}\n"
    if (driver, std, text) != ("clang", "c++98", r"a\ud8001"):  # it has no such rule there
        assert by_the_compiler(driver, std, whole) is None
    assert by_us(driver, std, whole, capsys) is None
    assert by_us(driver, std, f"#if 0\n{whole}#endif\nx\n", capsys) == "x\n"


@pytest.mark.skipif("gcc" not in DRIVERS, reason="gcc is not installed")
@pytest.mark.parametrize("std", LANGUAGES)
@pytest.mark.parametrize("text", OF_GCC_ONLY)
def test_what_no_name_may_have_is_refused_as_gcc_does(std, text, capsys) -> None:
    assert by_the_compiler("gcc", std, text + "\n") is None
    assert by_us("gcc", std, text + "\n", capsys) is None


def test_the_message_names_the_character_and_its_place(capsys) -> None:
    Path("main.c").write_text("int x = a\\u0041;\n")
    assert main(["expand", "-P", "main.c"]) == 1
    said = r"main.c:1:9: error: universal character \u0041 is not valid in an identifier"
    assert said in capsys.readouterr().err


@pytest.mark.skipif("gcc" not in DRIVERS, reason="gcc is not installed")
@settings(max_examples=40)
@given(st.characters(min_codepoint=0xA0, exclude_categories=["Cs"]))
def test_gcc_takes_the_same_letters_for_parts_of_names(capsys, letter: str) -> None:
    text = f"#define A one\n#define B two\nA{letter}B {letter}A A{letter} {letter}\n"
    for std in ("gnu17", "gnu++17"):
        expected, found = by_the_compiler("gcc", std, text), by_us("gcc", std, text, capsys)
        assert (found and spellings(found)) == (expected and spellings(expected))


# ---------------------------------------------------------------------- definitions in between

INTERRUPTED = {
    "undefined": "#define F(x) [x]\nF(1\n#undef F\n2) F(3)\n",
    "what it yields is undefined": "#define G(x) {x}\n#define H(a) G(a)\nH(1\n#undef G\n2) G(3)\n",
    "redefined": "#define K(x) <x>\nK(1\n#define K(x) again x\n2) K(4)\n",
    "both": "#define M(x) old x\nM(\n#undef M\n#define M(x) new x\nM(1)\n) M(2)\n",
    "an argument": "#define N n1\n#define P(x) x x\nP(N\n#undef N\n#define N n2\nN)\n",
    "begun by another": "#define Q(x) q x\n#define R Q(\nR 1\n#undef Q\n2) Q(9) R\n",
    "itself among them": "#define S(x, y) x - y\nS(\n#undef S\n1, S(1,2))\n",
    "under #if": "#define T(x) #x t\nT(a\n#if 1\n#undef T\nb\n#else\nc\n#endif\n) T(1)\n",
    "pushed": '#define U(x) u x\nU(1\n#undef U\n2 U(3\n#define U(x) v x\n)) U(4)\n',
    "of several lines": "#define V(x) <x\n#define W V(\nW\n#undef V\n1\n#define V(x) no\n2) V(3)\n",
}  # fmt: skip


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("what", INTERRUPTED)
def test_a_macro_is_what_it_was_where_its_name_stands(what: str, driver: str, capsys) -> None:
    """Whatever directives among its arguments do to it."""
    expected = by_the_compiler(driver, "gnu17", INTERRUPTED[what])
    found = by_us(driver, "gnu17", INTERRUPTED[what], capsys)
    assert expected is not None
    assert found is not None
    assert spellings(found) == spellings(expected)
