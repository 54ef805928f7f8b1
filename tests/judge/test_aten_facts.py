"""PyTorch's dumps read as facts. What they look like was printed by PyTorch 2.13.0."""

from __future__ import annotations

from registry_runtime.judge.aten_facts import Answer, compared, held
from registry_runtime.judge.facts import differences
from registry_runtime.program import Program

TEXT = """\
namespace at { class Tensor {}; }
at::Tensor twice(const at::Tensor& x) { return x; }
static void TORCH_LIBRARY_init_mine(torch::Library&);
static const torch::detail::TorchLibraryInit a(torch::Library::DEF, &TORCH_LIBRARY_init_mine, "mine",
    std::nullopt, "/here/a.cc", 3);
void TORCH_LIBRARY_init_mine(torch::Library& m) { m.def("twice(Tensor x) -> Tensor"); }
static void TORCH_LIBRARY_IMPL_init_mine_CPU_0(torch::Library&);
static const torch::detail::TorchLibraryInit b(torch::Library::IMPL,
    &TORCH_LIBRARY_IMPL_init_mine_CPU_0, "mine", c10::DispatchKey::CPU, "/here/a.cc", 4);
void TORCH_LIBRARY_IMPL_init_mine_CPU_0(torch::Library& m) { m.impl("twice", &twice); }
"""
DUMP = """\
name: mine::twice
schema: mine::twice(Tensor x) -> Tensor
debug: registered at /elsewhere/src/a.cc:3
alias analysis kind: FROM_SCHEMA
CPU: registered at /elsewhere/src/a.cc:4 :: (Tensor _0) -> Tensor _0 [ boxed unboxed ]
"""
NOTHING = "Meta: registered at /pytorch/MetaFallbackKernel.cpp:23 [backend fallback]\n"


def answer(dump: str, table: str, before: str = "") -> Answer:
    operators = {"mine::twice": {"before": before, "dump": dump, "table": table}}
    return Answer(version="2.13.0", operators=operators, fallbacks=[NOTHING, NOTHING])  # type: ignore[typeddict-item]


def interpreted() -> tuple[Program, list]:
    program = Program()
    made = program.run(TEXT)
    assert not made.diagnostics
    return program, list(made.aten.registrations)


def table_of(program: Program) -> str:
    return program.aten.dispatcher.findSchemaOrThrow("mine::twice").dumpComputedTable()


def test_the_same_registrations_of_a_file_that_lies_elsewhere_are_the_same_facts() -> None:
    program, made = interpreted()
    ours, theirs = compared(program.aten, made, answer(DUMP, table_of(program)))
    assert differences(ours.facts, theirs.facts) == ()
    assert ours.left_out == ()
    assert [key for _, key in theirs.facts] == ["schema", "CPU", "table"]


def test_another_line_and_another_slot_are_differences() -> None:
    program, made = interpreted()
    table = table_of(program).replace("/here/a.cc:4 [kernel]", "/here/a.cc:5 [kernel]")
    ours, theirs = compared(program.aten, made, answer(DUMP.replace("a.cc:4", "a.cc:5"), table))
    found = [(d.key, d.what, d.theirs) for d in differences(ours.facts, theirs.facts)]
    assert found == [
        ("CPU", "kernel", "registered at a.cc:5"),
        ("table", "CPU", "registered at a.cc:5 [kernel]"),
    ]


def test_of_an_operator_that_was_there_what_is_new_is_compared_and_its_table_is_not() -> None:
    program, made = interpreted()
    before = DUMP.rpartition("CPU:")[0]
    ours, theirs = compared(program.aten, made, answer(DUMP, "CPU: other [kernel]\n", before))
    assert [key for _, key in theirs.facts] == ["CPU"]
    assert ours.left_out == ("the table of mine::twice: PyTorch has kernels of its own there",)


def test_what_a_package_registers_is_told_without_anything_beside_it() -> None:
    facts = held(answer(DUMP, "CPU: other [kernel]\n")).facts
    assert facts["mine::twice", "schema"]["schema"] == "mine::twice(Tensor x) -> Tensor"
    assert facts["mine::twice", "table"] == {"CPU": "other [kernel]"}
