"""What a learner is told about a wrong answer, and what counts as the same answer."""

from dataclasses import replace

import pytest

from visualizer.learning import checks, lesson, player, questions
from visualizer.learning.consequences import Consequence, consequence
from visualizer.learning.parts import Predict
from visualizer.learning.progress import Progress

READ = lesson.load(lesson.find("macros/1"))
(EXERCISE,) = (exercise for _, exercise in READ.exercises())


def judged(text, *tables, file=EXERCISE.file):
    return checks.check(READ, replace(EXERCISE, checks=tables, file=file), text)


def test_strings_side_by_side_are_one_and_blanks_are_not_compared():
    for written in ('"a" "b"', '"ab"', '"a"   "b"'):
        assert judged(f"#define T {written}", {"yields": [["T", '"a" "b"']]}).passed
    assert judged('#define T "a", "b"', {"yields": [["T", '"ab"']]}).failed
    assert judged("#define T --1", {"yields": [["T", "- -1"]]}).failed


def test_of_a_long_result_only_what_differs_is_told():
    long = " ".join(f"word{i}" for i in range(60))
    told = judged(f"#define T {long} end", {"yields": [["T", f"{long} stop"]]}).failed
    assert told == "T becomes … end; it should be … stop"
    told = judged(f"#define T {long} end", {"yields": [["T", long]]}).failed
    assert told == "T becomes … end; it should be nothing more"


def test_the_preprocessors_own_error_is_told_before_what_follows_from_it():
    text = "#define ADD(a, b) a + b\n#define T ADD(1)\nint x = T;"
    for table in ({"yields": [["T", "1"]]}, {"values": [["T", 1]]}, {"preprocesses": True}):
        verdict = judged(text, table)
        assert "requires 2 arguments" in verdict.failed
        assert verdict.where.line == 3


def test_a_compilers_errors_are_none_of_the_preprocessors():
    text = "int x = ] ;"
    assert judged(text, {"preprocesses": True}).passed
    registers = "PD_REGISTER_KERNL(abs, CPU) {}"  # misspelt: C++ that would register is read
    assert judged(registers, {"preprocesses": True}, file="square.cc").passed
    assert judged(registers, {"errors": False}, file="square.cc").failed
    assert judged(text, {"preprocesses": False}).failed


def test_what_must_be_left_is_looked_for_in_what_becomes_of_the_file():
    text = "#define f(x) (f)(x)\nint f(int);"
    assert judged(text, {"keeps": ["int f(int);"]}).passed
    assert judged(text, {"leaves": ["int f(int);"]}).failed
    assert judged(text, {"leaves": ["int (f)(int);"]}).passed


def test_what_is_to_go_is_pointed_at():
    text = "#define T 1\n// goto\nint a = 1; goto  end;\n"
    verdict = judged(text, {"lacks": ["return", "goto end"]})
    assert verdict.failed == "do it without goto end"
    assert verdict.where[1:] == (3, 12)


@pytest.mark.parametrize("text", ["/*", "#define F(x) x\nF(", "#if 1", '"'])
def test_a_text_that_ends_inside_of_something_is_judged_all_the_same(text):
    assert judged(text, {"yields": [["F(1)", "2"]]}).failed
    assert judged(text, {"values": [["F(1)", 2]]}).failed


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("#define N ((int)(3))", 13, "int is neither a macro nor an integer constant"),
        (
            "#define F(x) x\n#define N F 3",
            11,
            "F is a macro with arguments, and no ( stands behind",
        ),
        ("enum { A, B, C, N };", None, "N becomes N: N is neither a macro nor"),
        ("#define N 3.0", 11, "floating constant"),
        ("#define N ((1) + (2)", 11, "missing ')' in expression"),
        ("#define N (1) + 2)", 18, "missing '(' in expression"),
        ("#define N 3 *", 13, "operator '*' has no right operand"),
        ("#define N (1, 2)) * [3]", 17, "missing '('"),
    ],
)
def test_what_the_preprocessor_cannot_compute_is_told_at_its_place(text, column, said):
    verdict = judged(text, {"values": [["N", 3]]})
    assert said in verdict.failed
    assert (verdict.where and verdict.where.column) == column


def test_the_value_of_integer_constants_is_told():
    told = judged("#define N 1 + 1", {"values": [["2 * N", 4]]}).failed
    assert told == "2 * N becomes 2 * 1 + 1, and that is 3; it should be 4"


def test_another_layout_is_told_by_the_name_that_the_registry_prints():
    read = lesson.load(lesson.find("phi/1"))
    ((_, exercise),) = read.exercises()
    text = read.file(exercise.solution).read_text().replace("ALL_LAYOUT", "NCHW")
    told = checks.check(read, exercise, text).failed
    assert told == "relu is registered on CPU for the layout NCHW; it should be ALL_LAYOUT"


def test_colons_in_front_of_a_kernels_name_are_told_as_a_compiler_takes_them():
    read = lesson.load(lesson.find("phi/1"))
    ((_, exercise),) = read.exercises()
    text = (read.folder / "wrong" / "leading_colons.cc").read_text()
    assert "`::` behind it are one name to a compiler" in checks.check(read, exercise, text).failed


def test_a_check_may_read_the_file_without_the_lessons_flags():
    read = replace(READ, flags=("-D", "GIVEN"))
    text = "#ifdef GIVEN\n#define N 1\n#else\n#define N 2\n#endif"
    tables = ({"values": [["N", 1]]}, {"values": [["N", 2]], "flags": []})
    assert checks.check(read, replace(EXERCISE, checks=tables), text).passed


SHAPES = {
    "[2, 3, 4]": ("[2,3,4]", "(2,3,4)", "2, 3, 4", "{2, 3, 4}", "2 3 4", "( 2, 3, 4, )"),
    "[4, 6]": ("4, 6", "4,6", "(4, 6)", " [4 ,6] "),
    "[24]": ("24", "(24,)", "[ 24 ]"),
    "[]": ("[]", "()", ""),
}


@pytest.mark.parametrize(
    ("typed", "truth"), [(typed, truth) for truth, all_ in SHAPES.items() for typed in all_]
)
def test_a_shape_is_the_same_in_whatever_brackets(typed, truth):
    assert questions.same(typed, truth)


@pytest.mark.parametrize(
    ("typed", "truth", "is_it"),
    [
        ("\uff13", "3", True),
        ("［２，３］", "[2, 3]", True),
        ("ＣＯＵＮＴ（ａ，ｂ）", "COUNT(a, b)", True),
        ("“a”", '"a"', True),
        ("1、2", "[1, 2]", True),
        ("２　６", "[2.0, 6.0]", True),
        ("2, 6", "[2.0, 6.0]", True),
        ("[2,6.5]", "[2.0, 6.0]", False),
        ("４", "3", False),
        ("说，明", "说,明", False),
    ],
)
def test_what_an_input_method_wrote_full_width_is_meant_as_the_answer_has_it(typed, truth, is_it):
    assert questions.answers(typed, truth) == is_it


@pytest.mark.parametrize(
    ("typed", "truth"),
    [
        ("[2, 4, 3]", "[2, 3, 4]"),
        ("2, 3", "[2, 3, 4]"),
        ("46", "[4, 6]"),
        ("[4], 6", "[4, 6]"),
        ("Float[4,6]", "[4, 6]"),
        ("", "[24]"),
        ("(f)(x)", "f(x)"),
        ("[2, 6]", "[2.0, 6.0]"),
    ],
)
def test_another_shape_is_another_answer(typed, truth):
    assert not questions.same(typed, truth)


@pytest.mark.parametrize(
    ("question", "given", "truth", "said"),
    [
        ("value a", "10", "8", "The number is smaller."),
        ("steps", "1", "3", "The number is greater."),
        ("end", "5", "2 + 3", "That is what a compiler computes of it. The preprocessor doesn't."),
        (
            "end",
            "SUM * 2",
            "2 + 3 * 2",
            "It doesn't end there: SUM is a macro, and is replaced too.",
        ),
        ("replacement", "SUM * 2", "2 + 3 * 2", "The first token isn't SUM."),
        ("end", "2 + 3", "2 + 3 * 2", "It is right so far, and more comes behind it."),
        ("end", "( 8 )", "2", "The first token isn't (."),
        ("argument x", "nothing", "2", ""),
    ],
)
def test_a_wrong_answer_is_taken_at_its_word(question, given, truth, said):
    stand = player.read(READ, 0, Progress()).stand
    found = consequence(Predict("What?", question), stand, given, truth)
    assert (found.said, found.parts_at) == (said, None)
    assert found.is_little is (not said or said.startswith("The first")), "enough for a choice?"


@pytest.mark.parametrize(
    ("given", "truth", "right", "said"),
    [
        ("((8) / 2)", "(x) ((x) / 2)(8)", "(", "It is right up to what is underlined."),
        ("ping + 1 + 2", "ping + 2 + 1", "ping + ", "It is right up to what is underlined."),
        ("2 + 3 * 2", "2 + 3", "2 + 3 ", "It is right so far, and ends before what is underlined."),
    ],
)
def test_where_a_wrong_answer_parts_from_what_is_so_is_shown_in_it(given, truth, right, said):
    stand = player.read(READ, 0, Progress()).stand
    assert consequence(Predict("What?", "end"), stand, given, truth) == Consequence(
        said, len(right)
    )


def test_a_name_that_is_left_in_the_truth_too_is_not_said_to_be_a_macro():
    """It may be painted there, as loop is."""
    read = lesson.load(lesson.find("macros/4"))
    stand = player.read(read, 0, Progress()).stand
    found = consequence(Predict("What?", "end"), stand, "loop + 1 + 1", "loop + 1")
    assert found.said == "It is right so far, and ends before what is underlined."


@pytest.mark.parametrize(
    ("id", "old", "new", "place"),
    [
        ("fluid/6", "ctx) {", "ctx)) {", (6, 81)),
        ("fluid/6", "namespace phi", "namespace phi phi", (4, 15)),
        ("fluid/6", "& ctx", "& & ctx", (6, 77)),
        ("phi/6", "void Mult", "void void Mult", (9, 1)),
        ("aten/9", "public at", "public public at", (17, 43)),
        ("aten/9", "alpha, const Tensor& out) {", "alpha, Tensor& out) {", (38, 17)),
        (
            "aten/9",
            "Scalar& alpha, const Tensor& out) {",
            "self& alpha, const Tensor& out) {",
            (38, 17),
        ),
        ("fluid/4", "static_cast<T>(by)", "static_castT<>(by)", (21, 37)),
        ("fluid/4", "void Divide", "void axis", (21, 3)),
        ("fluid/4", "typename Context, typename T>", "typename Alloc, typename T>", (7, 27)),
        ("fluid/4", "typename T, typename Context>", "const T, typename Context>", (12, 17)),
        ("aten/1", "const at::Tensor& x)", "const at::Tensor&)", (4, 16)),
        ("aten/4", "const at::Tensor& y)", "const at::Tensor&)", (4, 16)),
        ("phi/15", "typename T", "PD_REGISTER_KERNEL T", (6, 11)),
        ("phi/6", "::phi::CPUContext>));", "::cpu::CPUContext>));", (25, 1)),
    ],
)
def test_what_no_compiler_takes_solves_nothing(id, old, new, place):
    read = lesson.load(lesson.find(id))
    _, exercise = next(read.exercises())
    text = read.file(exercise.solution).read_text()
    assert old in text
    assert checks.check(read, exercise, text).passed
    verdict = checks.check(read, exercise, text.replace(old, new, 1))
    assert verdict.failed
    assert verdict.where[1:] == place
