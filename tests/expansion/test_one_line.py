"""Asking about one line: its expansion is the one that the whole file gives, and the other lines are
left alone, but for those that are felt on it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from random import Random

import pytest
from compilers import INSTALLED
from macro_programs import macro_program

from tests.pace import quickest
from visualizer.expansion import Options, Trace, preprocess
from visualizer.expansion.expander import Expander
from visualizer.expansion.tokens import spell
from visualizer.workbench.bench import open_line

OPTIONS = Options(std="gnu++20")

# Each ends with the line that is asked about. What is felt there stands above it: how often
# __COUNTER__ was asked, and which definitions are pushed and popped.
FELT = {
    "a counter": "#define ID __COUNTER__\nID ID\nID",
    "a counter that is an argument": "#define DROP(x)\n#define KEEP(x) x x\nDROP(__COUNTER__)\n"
    "KEEP(__COUNTER__)\n__COUNTER__",
    "a counter under a name that is pasted": "#define CAT(a, b) a ## b\n"
    "CAT(__COUN, TER__)\n__COUNTER__",
    "a counter behind a name that is pasted": "#define CAT(a, b) a ## b\n#define ONE_UID __COUNTER__\n"
    "#define GET(x) CAT(x, _UID)\nGET(ONE)\n__COUNTER__",
    "a counter behind two pastes": "#define CAT(a, b) a ## b\n#define NEXT CAT(__COUNTER, __)\n"
    "#define CALL(x) CAT(NE, x)\nCALL(XT)\n__COUNTER__",
    "c10's": "#define C10_CONCATENATE(a, b) a ## b\n#define C10_UID __COUNTER__\n"
    "#define C10_NAME(x) C10_CONCATENATE_(x, C10_UID)\n"
    "#define C10_CONCATENATE_(a, b) C10_CONCATENATE(a, b)\nC10_NAME(a) C10_NAME(b)\nC10_NAME(c)",
    "a definition pushed by a macro": "#define X 1\n"
    '#define PUSH _Pragma("push_macro(\\"X\\")")\n#define POP _Pragma("pop_macro(\\"X\\")")\n'
    "PUSH\n#undef X\n#define X 2\nPOP\nX",
    "a list that begins in a macro": "#define F(x) [x|__COUNTER__]\n#define BEGIN F(\n"
    "BEGIN 1 )\n__COUNTER__",
    "a list that ends on the line": "#define F(x) [x]\n#define G F\n#define X 1\nG\n(1,\nX",
    "a name that takes the list behind it": "#define F(x) __COUNTER__\n#define G F\nG (1)\n__COUNTER__",
    "a line of a longer invocation": "#define F(x, y) x y\n#define A 1\nF(A,\nA",
    "an invocation with a definition among its arguments": (
        "#define F(x) x\n#define X 1\nF(X\n#undef X\n#define X __COUNTER__\nX)\nX"
    ),
    "counters of invocations that are alike": (
        "#define ID __COUNTER__\n#define CAT_(a, b) a ## b\n#define CAT(a, b) CAT_(a, b)\n"
        '#define EACH(a, ...) int CAT(a, ID), CAT(__VA_OPT__(ID) a, ID); __VA_OPT__("s" ID)\n'
        "EACH(one) EACH(two, 2) EACH(three)\nEACH(four, 'x') EACH(five, \"5\") EACH(six,)\nEACH(seven)"
    ),
    "one that is alike but for a name that is pasted": (
        "#define CAT(a, b) a ## b\n#define DO_two __COUNTER__ __COUNTER__\n"
        "#define F(x) CAT(DO_, x) __COUNTER__\nF(one)\nF(two)\nF(three)\n__COUNTER__"
    ),
    "those that are alike but for the number in them": (
        "#define CAT_(a, b) a ## b\n#define CAT(a, b) CAT_(a, b)\n"
        "#define DO_1 __COUNTER__ __COUNTER__\n"
        "#define F(x) x CAT(DO_, __COUNTER__)\nF(one)\nF(two)\nF(three)\n__COUNTER__"
    ),
    "those that are alike but for the line": (
        "#define CAT_(a, b) a ## b\n#define CAT(a, b) CAT_(a, b)\n"
        "#define DO_6 __COUNTER__ __COUNTER__\n"
        "#define F(x) x __COUNTER__ CAT(DO_, __LINE__)\nF(one)\nF(two)\nF(three)\n__COUNTER__"
    ),
    "one that is alike and takes what is behind it": (
        "#define G(x) __COUNTER__\n#define F(x) __COUNTER__ x\nF(one)\nF(G)\n"
        "F(two) F(G) (2)\n__COUNTER__"
    ),
    "those that are alike and push": (
        '#define X 1\n#define F(x) __COUNTER__ _Pragma("push_macro(\\"X\\")")\nF(a)\nF(b)\n'
        '#undef X\n#define X 2\n#define G(x) __COUNTER__ _Pragma("pop_macro(\\"X\\")")'
        "\n#define H X __COUNTER__\nG(a)\nH"
    ),
    "a condition that counts": "#if __COUNTER__\n#endif\n#define ID __COUNTER__\nID\n__COUNTER__",
}


def of_line(text: str, line: int, folder: Path) -> tuple[Trace, Trace]:
    """The whole file, and one line of it."""
    file = folder / "program.cc"
    file.write_text(text)
    return preprocess(file, OPTIONS), preprocess(file, OPTIONS, line=line)


def steps_of(trace: Trace, line: int) -> list[tuple[str, str, list[str]]]:
    return [
        (spell(e.before), spell(e.after), [s.macro for s in e.steps])
        for e in trace.expansions
        if e.stands_on(line)
    ]


@pytest.mark.parametrize("text", FELT.values(), ids=FELT)
def test_what_is_felt_on_a_line_is_expanded(text: str, tmp_path: Path) -> None:
    text += ")\n" if text.endswith(("(1,\nX", "F(A,\nA")) else "\n"
    line = text.count("\n")
    whole, one = of_line(text, line, tmp_path)
    assert steps_of(one, line) == steps_of(whole, line) != []
    assert all(e.stands_on(line) for e in one.expansions)


@pytest.mark.compiler
@pytest.mark.parametrize("compiler", INSTALLED)
@pytest.mark.parametrize(
    "what", [what for what in FELT if "longer" not in what and "ends" not in what]
)
def test_compilers_make_the_same_of_the_line(what: str, compiler: str, tmp_path: Path) -> None:
    text = FELT[what] + "\n"
    _, one = of_line(text, text.count("\n"), tmp_path)
    command = [compiler, "-E", "-P", "-std=gnu++20", str(tmp_path / "program.cc")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert spell(one.expansions[-1].after) == done.stdout.splitlines()[-1].strip()


@pytest.mark.parametrize("seed", range(40))
def test_each_line_of_a_random_file_is_as_in_the_whole(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    text = "#define P(x) __COUN ## x\n#define Q(x, y) x ## y\n" + macro_program(random)
    felt = ("__COUNTER__", "P(TER__)", "Q(__COUNTER, __)", '_Pragma("push_macro(\\"B\\")")')
    text = re.sub(r"\bc\b", lambda _: random.choice(felt), text)
    text = re.sub(r"\b2\b", '_Pragma("pop_macro(\\"B\\")")', text)
    for line in range(1, text.count("\n") + 1):
        whole, one = of_line(text, line, tmp_path)
        assert steps_of(one, line) == steps_of(whole, line)
        assert one.definitions.keys() == whole.definitions.keys()


def test_the_work_does_not_grow_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expanded = []
    expand = Expander.expand_invocation

    def counting(self: Expander, *args, **kwargs):  # type: ignore[no-untyped-def]
        expanded.append(1)
        return expand(self, *args, **kwargs)

    monkeypatch.setattr(Expander, "expand_invocation", counting)
    head = (
        "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define CAT(a, b) a ## b\n"
        "#define WARN _Pragma(\"GCC warning\")\n#define UNIQUE CAT(v, __COUNTER__)\n"
        "#define ENTRY(n) int CAT(entry_, n) = MAX(n, 3); log(#n, ## n);\n"
    )  # fmt: skip
    file = tmp_path / "entries.c"
    for many in (30, 3000):
        file.write_text(head + "".join(f"ENTRY({n})\n" for n in range(many)) + "UNIQUE\n")
        expanded.clear()
        bench = open_line(file, Options(std="gnu17"), 5 + many // 2)
        assert [e.where.line for e in bench.trace.expansions] == [5 + many // 2]
        assert len(expanded) == 2  # and the one that is felt


def test_of_those_that_count_alike_one_is_expanded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expanded = []
    expand = Expander.expand_invocation

    def counting(self: Expander, *args, **kwargs):  # type: ignore[no-untyped-def]
        expanded.append(1)
        return expand(self, *args, **kwargs)

    monkeypatch.setattr(Expander, "expand_invocation", counting)
    head = "#define CAT_(a, b) a ## b\n#define CAT(a, b) CAT_(a, b)\n"
    head += "#define ENTRY(n) Entry CAT(n, __COUNTER__)(#n), CAT(n, __COUNTER__);\n"
    file = tmp_path / "entries.c"
    for many in (30, 3000):
        file.write_text(head + "".join(f"ENTRY(name_{n})\n" for n in range(many)))
        expanded.clear()
        trace = preprocess(file, OPTIONS, line=4 + many // 2)
        assert f"name_{many // 2}{many}" in spell(trace.expansions[0].after)
        assert len(expanded) == 2


@pytest.mark.parametrize(
    "text",
    [
        "#define F(x) x\n#define MAKE(n) REGISTER_OPERATOR(n)\nF(1)\nMAKE(a)\n",
        "#define F(x) x\n#define MAKE(n) static phi::KernelRegistrar n;\nF(1)\nMAKE(a)\n",
        "#define F(x) x\nF(1)\n\nREGISTER_OPERATR(a, b);\n",
    ],
)
def test_a_file_that_may_register_is_opened_whole(text: str, tmp_path: Path) -> None:
    file = tmp_path / "program.cc"
    file.write_text(text)
    line = text[: text.index("F(1)")].count("\n") + 1
    assert not open_line(file, OPTIONS, line).trace.passed_over
    file.write_text(re.sub("MAKE.*|REG.*", "F(2)", text))
    assert open_line(file, OPTIONS, line).trace.passed_over


def test_what_one_line_takes_grows_as_the_file_does(tmp_path: Path) -> None:
    def opened(lines: int) -> float:
        path = tmp_path / f"{lines}.c"
        invocations = "".join(f"int v{n} = TWICE({n});\n" for n in range(lines))
        path.write_text(f"#define ADD(a, b) a + b\n#define TWICE(x) ADD(x, x)\n{invocations}")
        return quickest(lambda: open_line(path, OPTIONS, lines), 2)

    assert opened(12_000) < 9 * opened(
        3_000
    )  # about 4.5; a copy of what is behind each makes it 17
