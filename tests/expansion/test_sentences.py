"""What is told of a step: the shapes of macros that a reader knows, in words, for anybody's macros."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from macro_programs import macro_program

from visualizer.expansion import Options, preprocess
from visualizer.expansion.moments import Timeline
from visualizer.expansion.sentences import meeting, sentence
from visualizer.workbench.samples import sample_files

BITWISE = next(f for f in sample_files() if f.stem == "bitwise_kernel")

TOLD = {
    "counting": (
        "#define PICK(_1, _2, _3, N, ...) N\nPICK(a, b, 3, 2, 1, 0)",
        "PICK counts: 2 arguments push 2 into N.",
    ),
    "counting one": (
        "#define PICK(_1, _2, _3, N, ...) N\nPICK(a, 3, 2, 1, 0)",
        "PICK counts: 1 argument pushes 1 into N.",
    ),
    "counting as many as there is room for": (
        "#define PICK(_1, _2, _3, N, ...) N\nPICK(a, b, c, 3, 2, 1, 0)",
        "PICK counts: 3 arguments push 3 into N.",
    ),
    "numbers among the arguments that are counted": (
        "#define PICK(_1, _2, _3, N, ...) N\nPICK(5, 4, 3, 2, 1, 0)",
        "PICK counts: 2 arguments push 2 into N.",
    ),
    "a number that is picked but not pushed": (
        "#define SECOND(a, b, ...) b\nSECOND(x, 1, y)",
        "SECOND picks b out of its arguments: 1.",
    ),
    "a row that does not fall": (
        "#define PICK(_1, _2, _3, N, ...) N\nPICK(a, b, many, many, many, one)",
        "PICK picks N out of its arguments: many.",
    ),
    "the first": (
        "#define HEAD(x, ...) x\nHEAD(1, 2, 3)",
        "HEAD picks x out of its arguments: 1.",
    ),
    "all but the first": (
        "#define TAIL(x, ...) __VA_ARGS__\nTAIL(1, 2, 3)",
        "TAIL drops 1 and keeps the variable arguments: 2, 3.",
    ),
    "peeling": (
        "#define EACH_3(f, x, ...) f(x) EACH_2(f, __VA_ARGS__)\nEACH_3(g, a, b, c)",
        "EACH_3 takes a off the list for g; 2 are left for EACH_2.",
    ),
    "peeling the last but one": (
        "#define SUM_2(x, ...) x + SUM_1(__VA_ARGS__)\nSUM_2(1, 2)",
        "SUM_2 takes 1 off the list; 1 is left for SUM_1.",
    ),
    "a fold": (
        "#define SUM_3(x, ...) ADD(x, SUM_2(__VA_ARGS__))\nSUM_3(1, 2, 3)",
        "SUM_3 takes 1 off the list; 2 are left for SUM_2.",
    ),
    "a list that is one argument among others is not peeled": (
        "#define TYPES(type, name, ...) RUN(type, name, CASES(__VA_ARGS__))\nTYPES(a, b, c)",
        "TYPES hands its 3 arguments on to RUN, __VA_ARGS__ as CASES(c).",
    ),
    "a list that is handed on whole is not peeled": (
        "#define COUNTED(x, ...) CALL(N(__VA_ARGS__), x, __VA_ARGS__)\nCOUNTED(a, b, c)",
        "COUNTED hands its 3 arguments on to CALL, adding N(b, c).",
    ),
    "handing on": (
        "#define CAT(x, y) CAT_(x, y)\nCAT(a, b)",
        "CAT hands its 2 arguments on to CAT_.",
    ),
    "handing on through another": (
        "#define F(x) EXPAND(G(x, 1))\nF(a)",
        "F hands its argument on to G inside EXPAND, adding 1.",
    ),
    "handing on some": (
        "#define F(x, y) G(x)\nF(a, b)",
        "F hands 1 of its 2 arguments on to G. Argument y never appears in it.",
    ),
    "handing on inside a string's continuation": (
        '#define LOG(fmt, ...) printf(fmt "\\n", ##__VA_ARGS__)\nLOG("min %d", 3)',
        'LOG hands its 2 arguments on to printf, fmt as "min %d" "\\n".',
    ),
    "handing on between other words": (
        "#define PUSH(L, n, r) callk(L, (n), -(r)-1, 0)\nPUSH(s, 1, 2)",
        "PUSH hands its 3 arguments on to callk, n as (1), r as -(2)-1, adding 0.",
    ),
    "handing on two in one": (
        "#define PAIR(a, b, c) f(a + b, c)\nPAIR(1, 2, 3)",
        "PAIR hands its 3 arguments on to f, a and b as 1 + 2.",
    ),
    "handing on a name that is made longer": (
        "#define DEF(name, T) def(name##_t, T)\nDEF(foo, int)",
        "DEF hands its 2 arguments on to def, name as foo_t. ## pastes foo and _t into foo_t.",
    ),
    "handing on, and what is made of it": (
        "#define CHECK(x) check(x, #x)\nCHECK(a == b)",
        'CHECK hands its argument on to check, adding "a == b".',
    ),
    "handing on a list in parentheses": (
        "#define F(...) G((__VA_ARGS__, 0))\nF(a, b)",
        "F hands its 2 arguments on to G as one, in parentheses, adding 0.",
    ),
    "handing on to a name that is made": (
        "#define F(n, ...) CAT(F_, n)(__VA_ARGS__)\nF(2, a, b)",
        "F hands 2 of its 3 arguments on to CAT(F_, 2).",
    ),
    "handing on to an argument": (
        "#define CALL(f, x) f(x)\nCALL(g, 1)",
        "CALL hands its other argument on to g.",
    ),
    "an argument that brings the parentheses": (
        "#define APPLY(list) F list\nAPPLY((1, 2))",
        "APPLY puts F before its argument, which brings the parentheses of a call.",
    ),
    "a macro's name handed on": (
        "#define G(x) x\n#define CALL(f) some_long_prefix_that_stays_as_it_is<f> + other\nCALL(G)",
        "CALL is replaced: its argument fills 1 place. G stays a name until a ( follows it.",
    ),
    "an X-macro's name": (
        "#define FIELD(n) int n;\n#define LIST(X) X(a) X(b)\nLIST(FIELD)",
        "LIST becomes FIELD(a) FIELD(b). FIELD was only a name in the argument; now a ( follows it.",
    ),
    "an X-macro's name on its way": (
        "#define FIELD(n) int n;\n#define LIST(X) X(a)\n#define EACH(X) LIST(X)\nEACH(FIELD)",
        "EACH hands its argument on to LIST. FIELD stays a name until a ( follows it.",
    ),
    "names of two macros, one of them called": (
        "#define F(n) int n;\n#define G(n) n\n#define LIST(X, Y) X(a) Y\nLIST(F, G)",
        "LIST becomes F(a) G. "
        "F was only a name in the argument; now a ( follows it. G stays a name until a ( follows it.",
    ),
    "short results": ("#define SQR(x) ((x) * (x))\nSQR(2)", "SQR becomes ((2) * (2))."),
    "pasting": (
        "#define CAT(x, y) x ## y\nCAT(a, b)",
        "CAT: ## pastes a and b into ab.",
    ),
    "pasting many": (
        "#define CAT(w, x, y, z) w ## x ## y ## z\nCAT(a, b, c, d)",
        "CAT: ## pastes 4 pieces into abcd.",
    ),
    "stringizing": (
        "#define STR(x) #x\nSTR(a + b)",
        'STR makes a string of its argument, as written: "a + b".',
    ),
    "giving back": ("#define ID(x) x\nID(1 + 2)", "ID gives back its argument: 1 + 2."),
    "giving back several": (
        "#define ID(...) __VA_ARGS__\nID(1, 2)",
        "ID gives back its arguments: 1, 2.",
    ),
    "dropping": ("#define DROP(x, y) z\nDROP(1, 2)", "DROP drops its 2 arguments and becomes z."),
    "nothing": ("#define EMPTY()\nEMPTY()", "EMPTY is replaced by nothing"),
    "object-like": ("#define N 42\nN", "N stands for 42."),
    "object-like and empty": ("#define API\nAPI x", "API stands for nothing, so it vanishes."),
    "a comma that goes": (
        "#define LOG(f, ...) printf(f, ## __VA_ARGS__)\nLOG(x)",
        "LOG hands its argument on to printf. "
        "There are no variable arguments, so the comma before ## goes away.",
    ),
    "__VA_OPT__": (
        "#define F(...) f(0 __VA_OPT__(,) __VA_ARGS__)\nF(1)",
        "F becomes f(0 , 1). __VA_OPT__ is kept: there are variable arguments.",
    ),
}


def told_of(text: str, folder: Path) -> list[str]:
    file = folder / "program.cc"
    file.write_text(text + "\n")
    trace = preprocess(file, Options(std="gnu++20"))
    timeline = Timeline(trace.expansions[-1])
    return [(meeting if m.meeting else sentence)(m.step) for m in timeline.moments]


@pytest.mark.parametrize(("text", "wanted"), TOLD.values(), ids=TOLD)
def test_a_shape_is_told_in_words(text: str, wanted: str, tmp_path: Path) -> None:
    assert told_of(text, tmp_path)[0].startswith(wanted)


def test_a_painted_name_says_why(tmp_path: Path) -> None:
    assert told_of("#define SELF SELF + 1\nSELF", tmp_path)[1] == (
        "SELF turned up while it is itself being replaced, so it is painted: "
        "from here on it is an ordinary name, never a macro."
    )


def test_a_meeting_names_what_is_expanded_first(tmp_path: Path) -> None:
    told = told_of("#define N 1\n#define F(x, y) x f y f x\nF(N, N)", tmp_path)
    assert (
        told[0]
        == "F is met. Its arguments x and y are each expanded by themselves first: the prescan."
    )
    told = told_of("#define N 1\n#define F(x, y) x f y f x\nF(N, 2)", tmp_path)
    assert told[0] == "F is met. Its argument x is expanded by itself first: the prescan."


def test_long_names_lose_their_middle(tmp_path: Path) -> None:
    first, last = "x" * 60 + "_1", "y" * 60 + "_2"
    told = told_of(f"#define CAT(x, y) x ## y\nCAT({first}, {last})", tmp_path)[0]
    assert told.count("…") == 3
    assert "_1 and" in told
    assert told.endswith("_2.")


def test_a_registration_is_told_from_its_own_macros() -> None:
    trace = preprocess(BITWISE)
    registration = next(e for e in trace.expansions if e.macro == "PD_REGISTER_KERNEL")
    told = [sentence(m.step) for m in Timeline(registration).moments if not m.meeting]
    for wanted in (
        "PD_REGISTER_KERNEL hands its 10 arguments on to _PD_REGISTER_KERNEL, "
        "adding ::phi::RegType::INNER, ::phi::CPUContext and 4 more. "
        "## pastes CPU and Context into CPUContext.",
        "_PD_REGISTER_KERNEL is replaced: its 16 arguments (6 as __VA_ARGS__) fill 14 places. "
        "FUNCTION_KERNEL_INSTANTIATION and 3 more stay names until a ( follows them.",
        "_PD_ARG_N_EXPAND counts: 6 arguments push 6 into N.",
        "PD_CONCATENATE2: ## pastes _PD_KERNEL_INSTANTIATION_ and 6 into _PD_KERNEL_INSTANTIATION_6.",
        "_PD_KERNEL_INSTANTIATION_6 takes bool off the list for FUNCTION_KERNEL_INSTANTIATION; "
        "5 are left for _PD_KERNEL_INSTANTIATION_5.",
        "DATA_LAYOUT becomes phi::DataLayout::ALL_LAYOUT.",
    ):
        assert wanted in told


@pytest.mark.parametrize("sample", sample_files(), ids=lambda f: f.stem)
def test_every_sentence_is_one_that_a_screen_has_room_for(sample: Path) -> None:
    for expansion in preprocess(sample, skip_included_text=True).expansions:
        for moment in Timeline(expansion).moments:
            told = (meeting if moment.meeting else sentence)(moment.step)
            assert len(told) <= 180
            assert told.endswith(".")
            assert " 1 arguments" not in told


@pytest.mark.parametrize("seed", range(40))
def test_any_step_of_any_program_has_its_sentence(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "program.cc"
    file.write_text(macro_program(Random(seed)))
    for expansion in preprocess(file, Options(std="gnu++20")).expansions:
        for moment in Timeline(expansion).moments:
            told = (meeting if moment.meeting else sentence)(moment.step)
            assert told.endswith(".")
            assert " ." not in told.replace(" ...", "")
            assert "  " not in told


def test_tokens_that_end_like_a_sentence_stand_between_backticks(tmp_path: Path) -> None:
    listing = "#define FRUIT(name) name,\n#define ALL FRUIT(pear)\nint a[] = {ALL};\n"
    assert told_of(listing, tmp_path)[-1] == "FRUIT becomes `pear,`."
    assert told_of("#define END int x;\nEND\n", tmp_path) == ["END stands for `int x;`."]
    assert told_of("#define ONE 1\nONE\n", tmp_path) == ["ONE stands for 1."]
