"""Bytes that are not UTF-8: taken and written out as the compiler has them, never shown as they are."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visualizer.cli import main
from visualizer.expansion import Options, preprocess
from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.source_files import read_source
from visualizer.migration.reading.fluid_text import read
from visualizer.workbench.opening import Opening, load

DRIVERS = [name for name in ("gcc", "clang") if shutil.which(name)]
TEXT = """\
/* {0} */
#include "{0}.h"
#define SAID "{0}"
#define STR(x) #x
SAID STR({0} a) L"{0}" SAID{0} b  // {0}
#if '{0}' < 0
negative
#else
positive
#endif
"""
_COMMON = st.characters(codec="gb2312", min_codepoint=0x80).filter(
    lambda letter: min(letter.encode("gbk")) > 0x80
)
WRITTEN = {"Latin-1": ("ä", "latin-1"), "GBK": ("你好", "gbk"), "Shift-JIS": ("日本", "shift_jis")}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(encoding: str) -> bytes:
    letters, codec = WRITTEN[encoding]
    Path("main.c").write_bytes(TEXT.format(letters).encode(codec))
    name = f"{letters}.h".encode(codec).decode("utf-8", "surrogateescape")
    Path(name).write_bytes(f"// {letters}\nSAID_IN_HEADER '{letters}'\n".encode(codec))
    return letters.encode(codec)


def by_the_compiler(driver: str, *words: str) -> bytes:
    command = [driver, "-E", "-P", "-w", *words, "main.c"]
    return subprocess.run(command, capture_output=True, check=True).stdout


@pytest.mark.compiler
@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("encoding", WRITTEN)
def test_they_are_written_out_unchanged(
    encoding: str, driver: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    letters = write(encoding)
    assert main(["expand", "-P", "--cc", driver, "main.c"]) == 0
    said = capsysbinary.readouterr()
    assert said.out.split() == by_the_compiler(driver).split()
    assert letters in said.out
    assert said.err == b""


@pytest.mark.compiler
@pytest.mark.skipif(not DRIVERS, reason="neither gcc nor clang is installed")
@settings(max_examples=30)
@given(st.binary(min_size=1, max_size=12))
def test_any_bytes_above_ascii_are(
    capsysbinary: pytest.CaptureFixture[bytes], drawn: bytes
) -> None:
    """Also where they happen to be letters of UTF-8, and no name may begin with one."""
    high = bytes(byte | 0x80 for byte in drawn)
    Path("main.c").write_bytes(
        b'#define F(x, ...) #x x "'
        + high
        + b'" // '
        + high
        + b"\nF('"
        + high
        + b"', "
        + high
        + b")\n"
    )
    command = [DRIVERS[0], "-E", "-P", "-w", "main.c"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert main(["expand", "-P", "--cc", DRIVERS[0], "main.c"]) == done.returncode
    said = capsysbinary.readouterr()
    assert done.returncode or said.out == done.stdout


@pytest.mark.parametrize("encoding", WRITTEN)
def test_a_reader_sees_replacements_at_the_same_places_and_one_note(
    encoding: str, capsys: pytest.CaptureFixture[str]
) -> None:
    letters = write(encoding)
    assert main(["steps", "--format", "json", "main.c"]) == 0
    said = capsys.readouterr()
    document = json.dumps(json.loads(said.out), ensure_ascii=False)
    assert ("\ufffd" in document) == (encoding != "GBK")
    assert ("你好" in document) == (encoding == "GBK")
    document.encode()  # raises for a lone surrogate
    assert said.err.count("warning") == said.err.count("main.c:1:4: warning: is not UTF-8") == 1
    assert f"byte 0x{letters[0]:02x}" in said.err
    for form in ("text", "md", "html"):
        assert main(["steps", "--format", form, "main.c"]) == 0
        capsys.readouterr().out.encode()


@pytest.mark.compiler
@pytest.mark.skipif(not DRIVERS, reason="neither gcc nor clang is installed")
@settings(max_examples=20, deadline=None)
@given(st.text(_COMMON, min_size=3, max_size=12))
def test_what_is_gbk_is_read_and_is_the_same_for_the_compiler(
    capsysbinary: pytest.CaptureFixture[bytes], drawn: str
) -> None:
    """Also in a string, a name and a comment, and where two bytes happen to be UTF-8."""
    text = f'// 在中国写的文件里有这样的注释 {drawn}\n#define F(x, ...) #x x "{drawn}"\n'
    Path("main.c").write_bytes(f'{text}F("{drawn}", {drawn})\n'.encode("gbk"))
    command = [DRIVERS[0], "-E", "-P", "-w", "main.c"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert main(["expand", "-P", "--cc", DRIVERS[0], "main.c"]) == done.returncode
    said = capsysbinary.readouterr()
    assert done.returncode or said.out == done.stdout
    trace = preprocess("main.c", Options())
    assert drawn in trace.output[0].text
    assert trace.diagnostics[0].hint == "shown as GBK"


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (
            "/* 镕 */ 中文".encode("gbk"),
            "/* \ufffdF */ 中文",
        ),  # a second byte of ASCII is code's too
        ("/* é à */ ü".encode("latin-1"), "/* \ufffd \ufffd */ \ufffd"),
        ("/* 日本語 */".encode("shift_jis"), "/* \ufffd\ufffd\ufffd{\ufffd\ufffd */"),
        (
            b"/* \x81\xb0\xb1\xb2\xb3\x81 */",
            "/* " + 6 * "\ufffd" + " */",
        ),  # \xb1\xb2 alone is frequent
        ("/* 模型 */".encode("gbk"), "/* 模型 */"),  # of which two bytes are UTF-8
        ("/* 中文 */".encode("gbk") + b"\xff\xff", "/* \ufffd\ufffd\ufffd\ufffd */\ufffd\ufffd"),
        ("/* 中文 */".encode(), "/* 中文 */"),
    ],
)
def test_gbk_is_shown_where_all_of_it_is_gbk(data: bytes, shown: str) -> None:
    Path("main.c").write_bytes(data)
    assert read_source("main.c") == shown


def test_the_file_lies_on_the_bench_and_its_lines_can_be_drawn() -> None:
    write("Latin-1")
    bench, _ = load(Opening(Path("main.c")))
    assert bench.source_lines[2] == '#define SAID "\ufffd"'
    assert [d.severity for d in bench.diagnostics] == ["warning"]


def test_a_condition_is_worth_what_its_bytes_are() -> None:
    """Also where U+FFFD stands for them: two of them would be another constant."""
    Path("main.c").write_bytes(b"#define E '\xe9'\n#if E == -23 && '\xe9' == E\nyes\n#endif\n")
    for exact in (True, False):
        trace = preprocess("main.c", Options(exact=exact))
        assert [t.text for t in trace.output] == ["yes"]


def test_standard_input_is_taken_as_it_comes(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Input:
        class buffer:
            read = staticmethod(lambda _: b'"\xb0\xa1"\n')

    monkeypatch.setattr("sys.stdin", Input)
    assert main(["expand", "-P", "-"]) == 0
    assert capsysbinary.readouterr().out == b'"\xb0\xa1"\n'


def test_what_would_be_written_out_as_another_text_is_not_migrated() -> None:
    Path("x_op.cc").write_bytes(b"int a;\n// \xb0\xa1\n")
    with pytest.raises(InputError, match=r"x_op\.cc:2:4: error: is not UTF-8: byte 0xb0"):
        read(Path("x_op.cc"))


@pytest.mark.compiler
def test_a_long_file_of_them_is_written_out_as_gcc_has_it(
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    """It is decoded in pieces, whose ends fall where they like."""
    chance = Random(1)
    each = [b"\xe9", b"\xc3\xa9", b"\xf0\x9f\x98", b"a", b"\xed\xa0\x80", "漢".encode()]
    lines = (b"".join(chance.choices(each, k=200)) for _ in range(3_000))
    Path("main.c").write_bytes(b"".join(b'"%b"\r\n' % line for line in lines))
    assert main(["expand", "-P", "main.c"]) == 0
    ours = capsysbinary.readouterr().out
    assert ours.split() == by_the_compiler("gcc").split()
    Path("main.c").write_bytes(b"int a;\n" * 100_000 + b"\xe9;\n")
    bench, _ = load(Opening(Path("main.c")))
    assert [d.where.line for d in bench.diagnostics][:1] == [100_001]
