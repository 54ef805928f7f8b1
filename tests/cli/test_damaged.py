"""Files with damaged bytes, through every command: output, messages with a place, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import damaged

ROUNDS = 160  # each command eight times; more by hand: make fuzz
FOUND = {
    "half a pair of UTF-16, as bytes": b"#define A(x) #x\nint y = A(\xed\xa0\x80);\n",
    "Latin-1 in a macro's name": b"#define \xe9t\xe9 1\nint x = \xe9t\xe9;\n",
    "a null in a directive": b"#define A\0 1\n#if A\0\n#endif\nA\0\n",
    "an order to the terminal": b"#define A(x) \x1b]52;c;eA==\x07 #x\nA(\x1b[31m)\n",
    "a file that ends in a splice": b"#define A(x) x\nA(1\\",
    "a raw string without an end": b'#define A(x) x\nA(R"(x',
    "an invocation without an end": b"#define A(x) A(x\nA(A(A(1",
    "nothing but a mark": b"\xef\xbb\xbf",
    "brackets": b"[" * 3000 + b"\n#define A [[[\nA\n",
    "a conditional without an end": b"#if 1\n#else\n#elif\n#define A 1\nA\n",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_damage_makes_a_command_fall() -> None:
    fallen = [f"{n}: {command}\n{why}" for n, command, _, why in damaged.rounds(0, ROUNDS)]
    assert not fallen, "\n".join(fallen)


@pytest.mark.parametrize("command", damaged.COMMANDS)
@pytest.mark.parametrize("what", FOUND)
def test_what_made_one_fall_or_might(here: Path, what: str, command: str) -> None:
    (here / "x.cc").write_bytes(FOUND[what])
    lines = FOUND[what].count(b"\n") + 1
    for line in [lines] if command == "open" else range(1, lines + 1):
        assert not damaged.wrong(command, "x.cc", line)


@pytest.mark.parametrize(
    ("does", "said"),
    [
        (lambda words: 1 // 0, "ZeroDivisionError"),
        (lambda words: 77, "exit code 77"),
        (lambda words: 1, "fails without a word"),
    ],
)
def test_what_falls_is_told(monkeypatch: pytest.MonkeyPatch, does, said: str) -> None:
    monkeypatch.setattr(damaged, "main", does)
    assert said in damaged.wrong("expand", "x.cc", 1)
