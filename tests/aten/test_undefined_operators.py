"""Kernels for operators that the file, which defines their namespace, doesn't define."""

from pathlib import Path

import pytest

from registry_runtime.program import Program
from tests.aten.texts import fragment, impl, library, run
from visualizer.workbench.bench import open_file

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "aten"
KERNEL = "at::Tensor k(const at::Tensor& a);"
SCALE = 'm.def("scale(Tensor a) -> Tensor");'


def warnings(text: str, program: Program | None = None) -> list[tuple[str, str, str]]:
    """The message of each diagnostic, its hint, and what it points at."""
    _, made, _ = run(f"{KERNEL}{text}", program)
    assert {d.severity for d in made.diagnostics} <= {"warning"}
    spans = [(d, d.span) for d in made.diagnostics]
    return [(d.message, d.hint, f"{KERNEL}{text}"[s.start : s.end]) for d, s in spans]


def test_a_slip_of_the_pen_is_told_at_its_statement() -> None:
    text = impl("mine", "CPU", 'm.impl("scael", k);') + library("mine", SCALE)
    ((message, hint, at),) = warnings(text)
    assert message == "a kernel for mine::scael, which no m.def defines"
    assert (hint, at) == ("did you mean scale?", 'm.impl("scael", k)')


def test_a_name_like_no_other_is_told_with_what_there_is() -> None:
    text = library("mine", SCALE) + impl("mine", "CPU", 'm.impl("roll", k);')
    ((_, hint, _),) = warnings(text)
    assert hint == "mine has scale"


@pytest.mark.parametrize(
    "text",
    [
        impl("mine", "CPU", 'm.impl("scale", k);') + library("mine", SCALE),
        library("mine", SCALE) + impl("others", "CPU", 'm.impl("scael", k);'),
        fragment("mine", SCALE) + impl("mine", "CPU", 'm.impl("roll", k);'),
    ],
    ids=["defined further down", "another namespace", "a fragment of a namespace"],
)
def test_no_warning_where_another_file_may_define_it(text: str) -> None:
    assert warnings(text) == []


def test_an_operator_that_an_earlier_file_defines_is_known() -> None:
    program, _, _ = run(fragment("mine", 'm.def("scael(Tensor a) -> Tensor");'))
    text = library("mine", SCALE) + impl("mine", "CPU", 'm.impl("scael", k);', 2)
    assert warnings(text, program) == []


def test_a_namespace_like_one_that_is_defined_is_told_at_its_block() -> None:
    text = library("mine", SCALE) + impl("mime", "CPU", 'm.impl("scale", k);')
    ((message, hint, at),) = warnings(text)
    assert message == "kernels for the namespace mime, which nothing here defines"
    assert hint == "did you mean mine?"
    assert "torch::Library::IMPL" in at


def test_a_namespace_may_be_another_files() -> None:
    other = impl("mime", "CPU", 'm.impl("roll", k);')
    assert warnings(library("mine", SCALE) + other) == []  # mine has no such operator
    short = library("at", SCALE) + impl("aten", "CPU", 'm.impl("scale", k);')
    assert warnings(short) == []
    program, _, _ = run(library("mime", 'm.def("scale(Tensor a) -> Tensor");'))
    text = library("mine", SCALE) + impl("mime", "CPU", 'm.impl("scale", k);', 2)
    assert warnings(text, program) == []


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.cc")), ids=lambda path: path.name)
def test_each_sample_alone_defines_what_it_implements(path: Path) -> None:
    assert not [d for d in open_file(path).diagnostics if "which no m.def defines" in d.message]
