"""PyTorch's registrations on the bench: whose tokens they are, and how many times a file is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from registry_runtime.program import Program
from visualizer.expansion import Options
from visualizer.scene.code import source_lines
from visualizer.scene.tour import tour
from visualizer.workbench.bench import Workbench, open_file, reopen
from visualizer.workbench.compilations import compilations
from visualizer.workbench.linking import linked, load
from visualizer.workbench.samples import samples_folder
from visualizer.workshop.comparison import what_to_compare
from visualizer.workshop.registry_changes import registry_changes

ATEN = samples_folder() / "aten"
KERNEL = ATEN / "ufunc_add_kernel.cc"
TWO = """\
#include "library.h"
TORCH_LIBRARY(mine, m) {
  m.def("f(Tensor x) -> Tensor");
  m.def("g(Tensor x) -> Tensor");
}
"""


@pytest.fixture(scope="module")
def add() -> Workbench:
    return open_file(ATEN / "add.cc")


@pytest.fixture
def two(tmp_path: Path):
    """A file of two operators, and how to write it anew."""

    def written(text: str) -> Workbench:
        (tmp_path / "two.cc").write_text(text)
        return open_file(tmp_path / "two.cc", Options(include_folders=(str(ATEN),)))

    return written


def of_cpu(bench: Workbench):
    impl = [e for e in bench.entries if e.registration.key == "CPU"]
    assert [e.registration.kernel_name for e in impl] == [
        "aten::add.Tensor",
        "aten::add.out",
        "aten::add_.Tensor",
    ]
    return impl


def test_entries_of_one_block_share_the_declaration_and_its_birth(add: Workbench) -> None:
    first, *others = of_cpu(add)
    assert {other.tokens for other in others} == {first.tokens}
    assert {add.born(e) for e in others} == {add.born(first)}
    assert first.tokens[0].text == "static"
    assert first.tokens[-1].text == ";"
    assert first.expansion is not None
    born = add.born(first)[1]
    line = add.timeline(first.expansion).state(born)
    assert "TORCH_LIBRARY_IMPL_static_init_aten_CPU_0" in [t.text for t in line]


def test_an_entrys_own_statement_is_a_part_of_the_tail(add: Workbench) -> None:
    for entry, name in zip(of_cpu(add), ("add.Tensor", "add.out", "add_.Tensor"), strict=True):
        assert entry.expansion is not None
        tail = list(map(id, add.tail(entry.expansion)))
        start = tail.index(id(entry.statement[0]))
        assert tail[start : start + len(entry.statement)] == list(map(id, entry.statement))
        assert f'"{name}"' in [t.text for t in entry.statement]
        assert entry.statement_at.line > entry.where.line
    written = [t.text for t in add.tail_as_written(of_cpu(add)[0].expansion or 0)]
    assert "TORCH_FN" in written
    assert "CompileTimeFunctionPointer" not in written


def test_the_block_is_pending_until_the_object_is_whole(add: Workbench) -> None:
    entry = of_cpu(add)[0]
    assert entry.expansion is not None
    begun, complete = add.born(entry)
    states = {
        state: {s.entry: s.pending for s in add.registry_at(entry.expansion, state)}.get(entry)
        for state in (begun, complete - 1, complete)
    }
    assert states == {begun: True, complete - 1: True, complete: False}


def test_taking_back_leaves_the_dispatcher_as_it_was(two) -> None:
    bench = two(TWO)
    assert len(bench.program.aten.dispatcher.operators_) == 2
    bench.path.write_text(TWO.replace('  m.def("g(Tensor x) -> Tensor");\n', ""))
    again = reopen(bench)
    assert again.program is bench.program
    assert [e.registration.kernel_name for e in again.entries] == ["mine", "mine::f"]
    assert len(again.program.aten.dispatcher.operators_) == 1
    again.take_back()
    assert again.program.aten.dispatcher.operators_ == []


def test_what_an_edit_does_to_operators(two) -> None:
    before = two(TWO).entries
    after = two(TWO.replace("g(Tensor x)", "g(Tensor y)").replace('"f(', '"h(')).entries
    told = {(c.sign, c.kernel_name): c.note for c in registry_changes(before, after)}
    assert told == {
        (" ", "mine"): "",
        ("+", "mine::h"): "",
        ("−", "mine::f"): "",
        ("~", "mine::g"): "was mine::g(Tensor x) -> Tensor",
    }


def test_a_file_is_compiled_as_often_as_its_database_says() -> None:
    labels = [one.label for one in compilations(KERNEL)]
    assert sorted(labels) == [f"CPU_CAPABILITY={c}" for c in ("AVX2", "AVX512", "DEFAULT")]
    assert [one.label for one in compilations(ATEN / "add.cc")] == [""]


def test_a_database_that_is_damaged_and_unasked_for_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text("[{")
    assert [one.label for one in compilations(tmp_path / "x.cc")] == [""]


def test_three_compilations_fill_three_slots() -> None:
    slots = load([KERNEL]).aten.stubs["add_stub"].slots
    assert {str(slot): kernel is not None for slot, kernel in slots.items()} == {
        "DEFAULT": True,
        "AVX2": True,
        "AVX512": False,  # a null pointer: PyTorch's own choice
    }


@pytest.mark.parametrize("capability", ["DEFAULT", "AVX2", "AVX512"])
def test_the_compilations_can_be_compared(capability: str) -> None:
    macros = (("D", f"CPU_CAPABILITY={capability}"), ("D", f"CPU_CAPABILITY_{capability}"))
    bench = open_file(KERNEL, Options(macros=macros))
    expansion = bench.first_registration()
    assert expansion is not None
    sides = what_to_compare(bench, expansion)
    assert sides is not None
    texts = {s.label: [t.text for t in s.invocation.after] for s in sides}
    assert {f"CPU_CAPABILITY={c}" for c in ("AVX2", "AVX512", "DEFAULT")} <= set(texts)
    for name in ("AVX2", "AVX512", "DEFAULT"):
        assert name in texts[f"CPU_CAPABILITY={name}"]


def test_a_program_is_linked_from_the_files_that_its_build_lists(add: Workbench) -> None:
    assert add.program.aten.stubs == {}
    whole = linked(add)
    assert {"add_stub"} <= set(whole.aten.stubs)
    assert whole is linked(add)


def test_a_file_that_no_database_lists_is_its_own_program(two) -> None:
    bench = two(TWO)
    assert linked(bench) is bench.program


def test_both_frameworks_fill_one_program() -> None:
    program = load([samples_folder() / "phi" / "bitwise_kernel.cc", ATEN / "add.cc"])
    assert isinstance(program, Program)
    assert "bitwise_and" in program.phi.factory.kernels
    assert program.aten.dispatcher.operators_


def test_a_tour_names_what_a_block_registered_and_shows_it_as_written(add: Workbench) -> None:
    entry = of_cpu(add)[0]
    assert entry.expansion is not None
    told = tour(add.trace, add.trace.expansions[entry.expansion], add)
    assert [(m.name, m.key) for m in told.made] == [
        ("aten::add.Tensor", "CPU"),
        ("aten::add.out", "CPU"),
        ("aten::add_.Tensor", "CPU"),
    ]
    first = entry.where.line - 1
    written = (ATEN / "add.cc").read_text().splitlines()[first : first + 5]
    assert source_lines(told) == written


def errors_of(tmp_path: Path, text: str) -> list[tuple[int, int, str, str]]:
    path = tmp_path / "kernel.cc"
    path.write_text(f'#include "{ATEN}/library.h"\n{text}')
    found = open_file(path).diagnostics
    return [(d.where.line, d.where.column, d.message, d.hint) for d in found]


@pytest.mark.parametrize(
    ("schema", "column"),
    [
        ('"f(Tensor a, Tensr b) -> Tensor"', 9 + len('"f(Tensor a, ')),
        ('"f(Tensor a, " "Tensr b) -> Tensor"', 9),  # two literals: where they begin
    ],
)
def test_a_schemas_error_stands_in_the_string(tmp_path: Path, schema: str, column: int) -> None:
    text = f"TORCH_LIBRARY(my, m) {{\n  m.def({schema});\n}}\n"
    ((line, found, message, _),) = errors_of(tmp_path, text)
    assert (line, found) == (3, column)
    assert message.startswith("unknown type specifier")


def test_a_second_block_names_the_first(tmp_path: Path) -> None:
    ((line, _, message, hint),) = errors_of(
        tmp_path, "TORCH_LIBRARY(my, m) {}\n\nTORCH_LIBRARY(my, m) {}\n"
    )
    assert line == 4
    assert message.startswith("a second TORCH_LIBRARY block for the namespace my")
    assert "TORCH_LIBRARY_FRAGMENT(my, m)" in hint
    assert hint.endswith("the first is on line 2")
