"""Whoever waits for a reading may call it off, and soon: how much is done between two looks at that is
counted in calls, of Python's and of C's, so that a busy machine counts no more than a quiet one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from registry_runtime.program import Program
from visualizer.expansion import Options, preprocess
from visualizer.expansion.under_way import CalledOff, UnderWay, given
from visualizer.workbench.bench import open_file
from visualizer.workbench.registration_macros import first_invoked

MOST = 1_500_000  # calls: about 0.1 s on a machine of today
OPTIONS = Options(cc="none", memory=150 << 20)
FOURS = "".join(f"#define E{i + 1}(x) E{i}(E{i}(E{i}(E{i}(x))))\n" for i in range(5))
DOUBLING = "".join(f"#define A{i} A{i - 1} + A{i - 1}\n" for i in range(1, 60))
BOMBS = {
    "EVAL": f"#define E0(x) x\n{FOURS}int y = E5(1);\n",
    "nested": "#define F(x) x\n" + f"int a = {'F(' * 900}1{')' * 900};\n" * 6,
    "a long line": f"int x = {'1 + ' * 100_000}1;\n",
    "empty lines": "int x;" + "\n" * 400_000 + "int y;\n",
    "splices": "\\\n" * 500_000,
    "embedded": 'char x[] = {\n#embed "data.bin"\n};\n',
    "embedded in arguments": '#define F(...) __VA_ARGS__\nint x[] = { F(\n#embed "data.bin"\n) };\n',
    "a long condition": f"#if {'1 + ' * 10_000}1\nint x;\n#endif\n",
    "arguments": f"#define F(...) __VA_ARGS__\nint x[] = {{ F({'1,' * 60_000}1) }};\n",
    "doubling": f"#define A0 1\n{DOUBLING}int x = A59;\n",
}


@dataclass
class Counting(UnderWay):
    calls: int = 0  # since it was looked at
    most: int = 0
    looks: int = 0
    unwanted_at: int = 0  # the look that says so

    def _look(self) -> None:
        self.most, self.calls = max(self.most, self.calls), 0
        self.looks += 1
        if self.looks == self.unwanted_at:
            self.wanted = False

    def at(self, file: str, line: int) -> None:
        self._look()
        super().at(file, line)

    def step(self, more: int = 1) -> None:
        self._look()
        super().step(more)

    @contextmanager
    def given(self) -> Iterator[None]:
        outside, before = given.set(self), sys.getprofile()
        sys.setprofile(self._count)
        try:
            yield
        finally:
            sys.setprofile(before)
            given.reset(outside)
            self._look()

    def _count(self, frame: FrameType, event: str, of: Any) -> None:
        self.calls += 1


@pytest.mark.parametrize("name", BOMBS)
def test_it_is_asked_often_whether_a_reading_is_wanted(name: str, tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(bytes(40_000))
    (tmp_path / "a.c").write_text(BOMBS[name])
    through = Counting()
    with through.given():
        preprocess(tmp_path / "a.c", OPTIONS)
    assert through.most < MOST
    halfway = Counting(unwanted_at=max(1, through.looks // 2))
    with halfway.given(), pytest.raises(CalledOff):
        preprocess(tmp_path / "a.c", OPTIONS)


def test_so_is_what_looks_for_the_first_registration() -> None:
    """A long text is looked through before it is read: in pieces, of whole lines."""
    looks = Counting(unwanted_at=3)
    with looks.given(), pytest.raises(CalledOff):
        first_invoked("\\\n" * 2_000_000)
    register = "  TORCH_LIBRARY (a, m) {}\n"
    assert first_invoked("int a;\n" * 2_000_000 + f"int b; {register}{register}") == 2_000_002
    assert first_invoked(register) == 1
    assert first_invoked("x" * 2_000_000 + register) is None


def test_so_is_the_parser_of_what_a_text_expands_to(tmp_path: Path) -> None:
    """Before anything of it runs: a program is left as it was."""

    class Unwanted(UnderWay):
        def read(self, share: float) -> None:
            self.wanted = share > 0
            super().read(share)

    (tmp_path / "a.cc").write_text("int f(int a) { return (a + 1) * 2; }\n" * 2_000)
    program = Program()
    outside = given.set(Unwanted())
    try:
        with pytest.raises(CalledOff):
            open_file(tmp_path / "a.cc", OPTIONS, program)
    finally:
        given.reset(outside)
    assert not program.phi.factory.kernels
