"""What is sure to come behind what was done: never more than comes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from macro_programs import macro_program

from visualizer.cli import main
from visualizer.expansion import Options, allowance, expander, preprocess
from visualizer.expansion.allowance import Allowance
from visualizer.expansion.trace import Step

PASTED = "#define C(a, b) C_(a, b)\n#define C_(a, b) a##b\n"
NEVER_ENDING = [
    "#define A0() 1\n#define A{0}() C(A, {1})() C(A, {1})()",
    "#define A0() 1\n#define A{0}() (C(A, {1})()) + [C(A, {1})()]",
    "#define A0(x) x\n#define A{0}(x) C(A, {1})(x) C(A, {1})(x)",
    "#define I(x) x\n#define A0()\n#define A{0}() I(C(A, {1})() C(A, {1})())",
    "#define A0(x)\n#define A{0}(x) C(A, {1})(x 0) C(A, {1})(x 1)",
    "#define A0(x) +\n#define A{0}(x) C(A, {1})(a x -) C(A, {1})(b x +)",
]


@pytest.mark.parametrize(
    "text",
    NEVER_ENDING,
    ids=["names", "in parentheses", "arguments", "in arguments", "other arguments", "more others"],
)
def test_doubling_by_names_that_are_pasted_is_known_soon(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *first, each = text.split("\n")
    lines = [*first, *(each.format(i, i - 1) for i in range(1, 40)), "int x = A39(1);"]
    given = PASTED + "\n".join(lines).replace("A39(1)", "A39()" if "A0()" in text else "A39(1)")
    (tmp_path / "a.c").write_text(given + "\n")
    assert main(["expand", "-P", str(tmp_path / "a.c")]) == 1
    assert "since it takes more than 2,000,000 steps" in capsys.readouterr().err


def test_no_more_is_foreseen_than_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked at each step of random programs, in which much stands twice; in some, parentheses pair with
    others elsewhere, and names at an end find theirs behind it."""
    foreseen: list[list[int]] = []
    to_come, begin = expander.to_come, Allowance.begin

    def foresee(lines, steps, is_macro, pasted) -> int:
        foreseen[-1].append(steps + to_come(lines, steps, is_macro, pasted))
        return 0

    def begun(self: Allowance, tokens) -> None:
        foreseen.append([0])
        begin(self, tokens)

    monkeypatch.setattr(expander, "to_come", foresee)
    monkeypatch.setattr(Allowance, "begin", begun)
    monkeypatch.setattr(allowance, "_BETWEEN", 0)
    monkeypatch.setattr(
        Allowance, "_next_look", property(lambda _: -1, lambda *_: None), raising=False
    )
    checked = 0
    unlike = (
        "#define Q 1\n#define a1 Q Q Q Q\n#define P(x) x##1\n#define F P(a) P(b) P(b) P(b)\nF\n"
    )
    for seed in range(200):
        (tmp_path / "a.c").write_text(doubled(Random(seed)) if seed else unlike)
        foreseen.clear()
        trace = preprocess(tmp_path / "a.c", Options(step_limit=2_000))
        if trace.has_errors() or len(foreseen) != len(trace.expansions):
            continue
        for expansion, least in zip(trace.expansions, foreseen, strict=True):
            assert max(least) <= number(expansion.steps), seed
            checked += max(least) > 3
    assert checked > 100


def doubled(random: Random) -> str:
    """A macro program with most replacement lists twice, often with other words the second time; some
    of these make names of macros where they are pasted."""
    lines = ["#define a1 a A(1, 2) B(1)", "#define ab b A(a) C", "#define bc1 A B"]
    for line in re.sub("#undef .*", "", macro_program(random)).splitlines():
        m = re.match(r"(#define [A-H](?:\(.*?\))?) (.*)", line)
        if m and random.random() < 0.7:
            line = (
                f"{m[1]} {m[2]}{random.choice([' ', ' + ', ' ( ) ', ' , '])}{other(m[2], random)}"
            )
        elif not line.startswith("#"):
            line = line.replace(";", "")
            line += other(line, random) + ";"
        lines.append(line)
    return "\n".join(lines) + "\n"


def other(text: str, random: Random) -> str:
    if random.random() < 0.5:
        return text
    return re.sub(r"\b[abc12]\b", lambda _: random.choice("abc12"), text)


def number(steps: Sequence[Step]) -> int:
    """Of these, and of those that their arguments took."""
    inside = (a.prescan.steps for s in steps for a in s.arguments if a.prescan is not None)
    return len(steps) + sum(map(number, inside))
