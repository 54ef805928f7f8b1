"""What is asked about a call by names: how it is written, and what is said where there is no answer."""

from pathlib import Path

import pytest

from visualizer.expansion import Options
from visualizer.frameworks.answers import Place, Unanswerable, words_of
from visualizer.frameworks.fluid.call_questions import read
from visualizer.learning import questions
from visualizer.workbench.bench import Workbench, open_file

FLUID = Path(__file__).parents[2] / "cpp_samples" / "fluid"
WHERE = "offset=0 axis1=0 axis2=1"


@pytest.fixture(scope="module")
def mapped() -> Workbench:
    return open_file(FLUID / "trace_sig.cc")


def answer(bench: Workbench, question: str) -> str:
    assert questions.unknown(question) == ""
    return questions.answer(question, bench, Place(0, 0))


def test_a_call_is_read_by_its_names() -> None:
    tensors = ["X=int64:[1,3]", "X=float64[2,3]"]
    call = read(["concat", *tensors, "axis=1", "out_dtype=int64", "mode=MAX", "sizes=[1,2]"])
    first, second = call.inputs["X"]
    assert (first.tolist(), second.shape, str(second.dtype)) == ([1, 3], (2, 3), "float64")
    assert {name: str(value) for name, value in call.attrs.items()} == {
        "axis": "1",
        "out_dtype": "int64",
        "mode": "MAX",
        "sizes": "[1, 2]",
    }
    (ragged,) = read(["pool", "X=float32[3,2]{0,2,3}"]).inputs["X"]
    assert (ragged.dims, ragged.lod) == ((3, 2), ((0, 2, 3),))
    (rows,) = read(["scale", "X=float32[3,2]@SelectedRows"]).inputs["X"]
    assert list(rows.rows) == [0, 1, 2]


def test_blanks_within_brackets_part_no_words(mapped: Workbench) -> None:
    assert words_of("f X=int64:[1, 2] [[1, 2], [3 ,4]] a=b") == [
        *("f", "X=int64:[1,2]", "[[1,2],[3,4]]", "a=b"),
    ]
    spaced = answer(mapped, f"mapped inputs trace Input=float32[3, 3] {WHERE}")
    assert spaced == answer(mapped, f"mapped inputs trace Input=float32[3,3] {WHERE}")
    assert answer(mapped, "becomes [a, b]") == "[a, b]"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("float32[2]", "has no name"),
        ("X=float33[2]", "no data type 'float33'"),
        ("X=int64:[1,", None),
        ("X=int64:[a]", "no value"),
        ("X=float32[2]@Sparse", "no tensor"),
        ("X=int64:[1,2]axis=3", "stands 'axis=3': write a blank"),
        ("X=float32[2],axis=3", "stands ',axis=3': write a blank"),
    ],
)
def test_a_word_that_is_no_part_of_a_call(word: str, said: str | None) -> None:
    if said is None:
        assert read(["op", word]).attrs  # a string
        return
    with pytest.raises(Unanswerable, match=said):
        read(["op", word])


def test_what_a_call_leads_to(mapped: Workbench) -> None:
    grad = f"trace_grad Input=float32[2,2] Out@GRAD=float32:[5] {WHERE}"
    for question, right in {
        f"mapped kernel {grad}": "trace_grad",
        f"mapped inputs {grad}": "Input, Out@GRAD",
        f"mapped attributes {grad}": "offset, axis1, axis2",
        f"mapped outputs {grad}": "Input@GRAD",
        f"op-gives {grad}": "float32[2,2]",
        f"op-returns {grad}": "[[5.0, 0.0], [0.0, 5.0]]",
        f"op-says {grad}": "none",
        f"op-says trace Input=float32[2,2] {WHERE} axis1=7": (
            "phi::TraceKernel: axis1 is out of range (expected to be in range of [-2, 1], but got 7)"
        ),
    }.items():
        assert answer(mapped, question) == right


def test_nothing_but_the_kernel_is_fetched(mapped: Workbench) -> None:
    assert "InferMetaFn is not registered" in answer(
        mapped, f"infers trace Input=float32[2,2] {WHERE}"
    )
    beside = "beside fluid/trace_infermeta.cc"
    assert answer(mapped, f"{beside} infers trace Input=float64[2,2] {WHERE}") == "float64[]"
    assert answer(mapped, f"{beside} known-type Out trace Input=float64[2,2] {WHERE}") == "float64"
    built = f"{beside} infers-built trace Input=float64[-1,2,2] offset=0 axis1=1 axis2=2"
    assert answer(mapped, built) == "float64[-1]"
    assert answer(mapped, "op-says elementwise_add X=float32[2] Y=float32[2] axis=-1") != "none"
    assert not mapped.program.phi.factory.kernels  # the questions have a program of their own


def test_the_gradients_call_is_written_by_its_maker() -> None:
    bench = open_file(FLUID / "trace_op.cc")
    call = "trace Input=float32[2,2]"
    assert answer(bench, f"gradient operator {call}") == "trace_grad"
    assert answer(bench, f"gradient inputs {call}") == "Input, Out@GRAD"
    assert answer(bench, f"gradient outputs {call}") == "Input@GRAD"
    with pytest.raises(Unanswerable, match="not registered"):
        answer(bench, "gradient inputs relu X=float32[2]")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("mapped colour trace", "no colour"),
        ("known-type In trace Input=float32[2,2]", "no output In"),
        ("beside nowhere.cc mapped kernel trace", "no file nowhere.cc"),
        ("known-type Out trace Input=int8[2,2]", "no kernel trace is registered on the CPU"),
    ],
)
def test_what_cannot_be_asked(mapped: Workbench, question: str, said: str) -> None:
    with pytest.raises(Unanswerable, match=said):
        answer(mapped, question)


def test_what_is_no_question() -> None:
    assert "takes a file" in questions.unknown("beside fluid/trace_sig.cc")
    assert "takes a file" in questions.unknown("beside fluid/trace_sig.cc next")
    assert questions.unknown("beside a.cc beside b.cc op-says trace") == ""
    assert "at least 2" in questions.unknown("mapped inputs")


SHRINK = Path(__file__).parents[2] / "lessons" / "fluid" / "12-the-body-moved-and-checked"


def test_an_int_will_do_for_an_attribute_that_is_a_float() -> None:
    """As Paddle's ExtractAttribute<float> has it, which the maker's checker asks."""
    bench = open_file(SHRINK / "shrink_op.cc", Options(include_folders=(str(FLUID),)))
    whole, point = (
        answer(bench, f"op-returns soft_shrink X=float32:[2.0,0.25] lambda={number}")
        for number in ("1", "1.0")
    )
    assert whole == point == "[1.0, 0.0]"
