"""Bytes that are not UTF-8: taken and written out as the compiler has them, never shown as they are."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visualizer.cli import main
from visualizer.expansion import Options, preprocess
from visualizer.expansion.diagnostics import InputError
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
    assert "\ufffd" in document
    document.encode()  # raises for a lone surrogate
    assert said.err.count("warning") == said.err.count("main.c:1:4: warning: is not UTF-8") == 1
    assert f"byte 0x{letters[0]:02x}" in said.err
    for form in ("text", "md", "html"):
        assert main(["steps", "--format", form, "main.c"]) == 0
        capsys.readouterr().out.encode()


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
            read = staticmethod(lambda: b'"\xb0\xa1"\n')

    monkeypatch.setattr("sys.stdin", Input)
    assert main(["expand", "-P", "-"]) == 0
    assert capsysbinary.readouterr().out == b'"\xb0\xa1"\n'


def test_what_would_be_written_out_as_another_text_is_not_migrated() -> None:
    Path("x_op.cc").write_bytes(b"int a;\n// \xb0\xa1\n")
    with pytest.raises(InputError, match=r"x_op\.cc:2:4: error: is not UTF-8: byte 0xb0"):
        read(Path("x_op.cc"))
