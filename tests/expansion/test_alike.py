"""Invocations that differ in names alone come to what each would come to by itself, to the token and to
where it comes from; what isn't that simple is expanded like any other. And they are expanded once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from both_ways import CXX, by_itself
from compilers import INSTALLED, preprocessed_by, spellings
from macro_programs import macro_program
from test_postponed import PHI, registrations, told
from untidy_texts import untidy_text

from visualizer.cli import main
from visualizer.expansion import alike, expander, preprocess
from visualizer.expansion.preprocessor import expand
from visualizer.expansion.tokens import Token
from visualizer.workbench.bench import open_file
from visualizer.workshop.attempt import attempt

# Pasted of `p` and `q`, and of a word and a number; a string may begin with the last.
MORE = "#define pq <pq>\n#define A1 <A1>\n#define qx1 qx1 F\n"
OTHERS = (
    "p",
    "q",
    "x1",
    "A",
    "B",
    "F",
    "pq",
    "L",
    "u8",
    "R",
    "defined",
    "café",
    "a_long_name",
    "_",
)
_WORD = re.compile(r"(?<![\w\\\"'#])(?:a|b|c|x1|x)(?!\w)")


@pytest.fixture(autouse=True)
def any_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expander, "AT_ONCE", -1)
    monkeypatch.setattr(alike, "WORTH_IT", 1)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many invocations were found to be like others, and filled in."""
    seen: Counter[str] = Counter()
    holds = alike.Pattern.holds

    def counted(*given: object) -> bool:
        seen[str(found := holds(*given))] += 1  # type: ignore[arg-type]
        return found

    monkeypatch.setattr(alike.Pattern, "holds", counted)
    return seen


def renamed(text: str, random: Random) -> str:
    """The same text several times, with other names in its lines but directives."""
    defined = [line for line in text.splitlines() if line.startswith("#define")]
    rest = "\n".join(text.splitlines()[len(defined) :])
    texts = ["\n".join(defined), MORE, rest, rest]
    texts += [_WORD.sub(rf"\g<0>_{n}", rest) for n in range(2)]
    texts += [_WORD.sub(lambda _: random.choice(OTHERS), rest) for _ in range(3)]
    return "\n".join(texts) + "\n"


SIMPLE = """\
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define STR(x) #x
#define WRAP(x) NOT_YET x STR(x) XCAT(x, __COUNTER__) XCAT(key_, x) CAT(x, _fn)
WRAP(one) WRAP(two) WRAP(three) WRAP(four) WRAP( five )
#define key_six 6
WRAP(six) WRAP(seven)
#define NOT_YET now
WRAP(eight) WRAP(nine) WRAP(ten) WRAP(eleven)
#define eleven11 taken
#define twelve12 taken
WRAP(eleven) WRAP(twelve) WRAP(thirteen) WRAP(fourteen)
#undef NOT_YET
#define BEHIND(x) x STR
BEHIND(a)(b) BEHIND(b)(c) BEHIND(c) BEHIND(d)(e)
#define PREFIX(x) x##"text"
PREFIX(L) PREFIX(u8) PREFIX(U)
#define NUMBERED(x) CAT(1, x) STR(x 1.5 "s" 'c') CAT(x, 2)
NUMBERED(a) NUMBERED(b) NUMBERED(c) NUMBERED(d)
#define VA(...) __VA_OPT__(<CAT(v, __VA_ARGS__)>) STR(__VA_ARGS__) , ## __VA_ARGS__
VA() VA(a) VA(b) VA(c) VA(d) VA() VA() VA()
#define ve again
VA(e) VA(f) VA(STR(x)) VA(STR(y)) VA(STR(z)) VA(STR(w))
"""


def test_any_text_is_what_it_is_when_each_invocation_is_expanded_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Counter[str]
) -> None:
    file = tmp_path / "a.cc"
    texts = [SIMPLE]
    for seed in range(25):
        for written in (macro_program, untidy_text):
            random = Random(seed)
            texts.append(renamed(written(random), random))
    texts += [text.replace("x1", "__COUNTER__") for text in texts if "x1" in text]
    for text in texts:
        file.write_text(text)
        later, alone = preprocess(file, CXX), by_itself(file, CXX, markers=True)
        with monkeypatch.context() as changed:
            changed.setattr(alike, "WORTH_IT", 1 << 60)
            assert by_itself(file, CXX, markers=True) == alone, text
            changed.setattr(expander, "AT_ONCE", 1 << 60)
            assert told(preprocess(file, CXX)) == told(later), text
    assert made["True"] > 400
    assert made["False"] > 5


@pytest.mark.parametrize("compiler", INSTALLED)
def test_compilers_come_to_the_same(tmp_path: Path, compiler: str, made: Counter[str]) -> None:
    file, options = tmp_path / "a.cc", CXX
    for seed in range(30):
        random = Random(1000 + seed)
        text = renamed(macro_program(random), random)
        for written in (SIMPLE, text) if seed == 0 else (text,):
            file.write_text(written)
            wanted = preprocessed_by(compiler, file)
            if wanted is not None and not expand(file, options).diagnostics:
                told_here = "".join(by_itself(file, options, markers=False)[0])
                assert spellings(told_here) == wanted, written
    assert made["True"] > 100


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often an invocation is expanded once more, for its steps."""
    seen: Counter[str] = Counter()
    again = expander._recorded

    def counted(source: list[Token], *given: object) -> object:
        seen[source[2].text] += 1
        return again(source, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(expander, "_recorded", counted)
    return seen


def test_where_a_mistake_stands_takes_no_recording(tmp_path: Path, recorded: Counter[str]) -> None:
    """Nobody declares the kernels' function."""
    bench = open_file(registrations(tmp_path, 30), PHI)
    assert len(bench.diagnostics) == 30
    assert {d.where.line for d in bench.diagnostics} == set(range(2, 32))
    assert len(recorded) < 6


def test_each_invocation_is_recorded_once_for_its_steps(
    tmp_path: Path, recorded: Counter[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = registrations(tmp_path, 30)
    for words in (["steps"], ["steps", "--format", "json"]):
        recorded.clear()
        main([*words, str(file), "-I", PHI.include_folders[0]])
        capsys.readouterr()
        assert len(recorded) == 30
        assert sum(n > 1 for n in recorded.values()) < 6


def test_an_attempt_looks_at_the_steps_of_one_for_all(
    tmp_path: Path, recorded: Counter[str]
) -> None:
    file = registrations(tmp_path, 30)
    tried = attempt(file, PHI, {})
    alone = registrations(tmp_path, 1)
    assert set(tried.outlines) == set(attempt(alone, PHI, {}).outlines)
    assert len(tried.outlines) == 30
    assert len(recorded) < 6


def test_registrations_are_expanded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted is how often a replacement list is filled in."""
    filled: Counter[int] = Counter()
    substitute = expander.substitute

    def counted(*given: object) -> object:
        filled[number] += 1
        return substitute(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(expander, "substitute", counted)
    for number in (10, 100):
        trace = preprocess(registrations(tmp_path, number), PHI, skip_included_text=True)
        assert len(trace.expansions) == number
    assert filled[10] == filled[100]
