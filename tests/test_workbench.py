"""The link between the two sides: which tokens, at which moment, made which registry entry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.runtime import Runtime
from registry_runtime.program import Program
from tests.benchmarks import registrations
from tests.pace import quickest, slowness
from visualizer.expansion import InputError, Options
from visualizer.expansion.diagnostics import Code
from visualizer.workbench.bench import Workbench, open_file, reopen
from visualizer.workbench.entries import replacements
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

PHI = samples_folder() / "phi"


@pytest.fixture(scope="module")
def bench() -> Workbench:
    return open_file(PHI / "bitwise_kernel.cc")


def names(bench: Workbench, expansion: int, state: int) -> list[tuple[str, bool]]:
    shown = bench.registry_at(expansion, state)
    return [(str(s.entry.registration.key.dtype), s.pending) for s in shown]


def test_an_entry_appears_when_the_last_token_of_its_declaration_is_born(bench: Workbench) -> None:
    first = bench.first_registration()
    assert first is not None
    timeline = bench.timeline(first)
    entries = [e for e in bench.entries if e.expansion == first]
    complete = [bench.born(e)[1] for e in entries]
    assert complete == sorted(set(complete))
    for entry, state in zip(entries, complete, strict=True):
        spelled = " ".join(t.text for t in entry.tokens)
        assert spelled.startswith("static const :: phi :: KernelRegistrar __reg_phi_kernel_")
        on_screen = " ".join(t.text for t in timeline.state(state))
        assert spelled in on_screen
        assert spelled not in " ".join(t.text for t in timeline.state(state - 1))


def test_what_registers_nothing_is_not_read_as_cxx(tmp_path: Path) -> None:
    for name in ("a.c", "a.cc"):
        (tmp_path / name).write_text("int *template(int new) { return class[new]; }\n")
        assert open_file(tmp_path / name).diagnostics == ()


def test_the_registry_grows_one_dtype_at_a_time(bench: Workbench) -> None:
    first = bench.first_registration()
    assert first is not None
    end = len(bench.timeline(first))
    assert names(bench, first, 0) == []
    sizes = [sum(not p for _, p in names(bench, first, k)) for k in range(end + 1)]
    assert sizes == sorted(sizes)
    assert set(sizes) == set(range(7))
    pending = [sum(p for _, p in names(bench, first, k)) for k in range(end + 1)]
    assert max(pending) == 1
    newest = [s for s in bench.registry_at(first, end) if s.newest]
    assert [str(s.entry.registration.key.dtype) for s in newest] == ["int64"]


def test_earlier_invocations_stay_registered(bench: Workbench) -> None:
    second = (bench.first_registration() or 0) + 1
    assert len(names(bench, second, 0)) == 6
    assert len(names(bench, second, len(bench.timeline(second)))) == 12


def test_the_braces_behind_an_invocation_belong_to_it() -> None:
    bench = open_file(PHI / "full_kernel.cc")
    first = bench.first_registration()
    assert first is not None
    tail = "".join(t.text for t in bench.tail(first))
    assert tail == "{kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND);}"


def test_conditionals_decide_what_registers() -> None:
    cuda = open_file(PHI / "full_kernel.cc", Options(macros=(("D", "PADDLE_WITH_CUDA"),)))
    backends = [str(e.registration.key.backend) for e in cuda.entries]
    assert backends == ["CPU"] * 5 + ["GPU"] * 7


def test_a_broken_macro_registers_nothing(tmp_path: Path) -> None:
    header = (PHI / "kernel_registry.h").read_text()
    broken = header.replace(
        "static const ::phi::KernelRegistrar", "static const ::phi::KernelRegistrat"
    )
    assert broken != header
    (tmp_path / "kernel_registry.h").write_text(broken)
    for name in ("phi.h", "bitwise_kernel.cc"):
        (tmp_path / name).write_text((PHI / name).read_text())
    bench = open_file(tmp_path / "bitwise_kernel.cc")
    assert bench.entries == ()
    assert bench.has_errors()
    assert "KernelRegistrat" in str(bench.diagnostics[0])


def test_the_line_of_an_invocation_finds_its_expansion(bench: Workbench) -> None:
    first = bench.first_registration()
    assert first is not None
    line = bench.trace.expansions[first].where.line
    assert bench.expansion_at(line) == first
    assert bench.expansion_at(line + 3) == first
    assert bench.expansion_at(1) is None
    assert bench.expansion_at(100_000) is None


def test_a_python_user_loads_files_and_selects_a_kernel() -> None:
    program = load([PHI / "bitwise_kernel.cc", PHI / "full_kernel.cc"])
    assert {"bitwise_and", "full_batch_size_like"} <= set(program.phi.factory.kernels)
    x = np.arange(12, dtype=np.int32)
    assert np.array_equal(program.call("bitwise_and", x, x[::-1]), x & x[::-1])
    with pytest.raises(KernelError, match="`bitwise_an` is not registered") as misspelt:
        program.call("bitwise_an", x, x)
    assert misspelt.value.__notes__ == ["did you mean bitwise_and?"]


def test_hundreds_of_registrations_without_kernels_are_all_there_and_quickly(
    tmp_path: Path,
) -> None:
    made = registrations.made_up(100)
    path = tmp_path / "made_up.cc"
    bench = registrations.opened(path, made)
    errors = [d for d in bench.diagnostics if d.severity == "error"]
    assert [d.code for d in errors] == [Code.HEADER_MISSING]
    entries = iter(bench.entries)
    for number, (name, types) in enumerate(made.items()):
        for _ in types:
            entry = next(entries)
            assert entry.registration.kernel_name == name
            assert not entry.registration.kernel.runnable
            assert (entry.where.file, entry.where.line) == (str(path), number + 3)
    assert next(entries, None) is None
    took = quickest(lambda: Runtime(find).run(bench.expanded.text), tries=2)
    assert took < 1.6 * slowness()  # it is about 0.8


REGISTER = """\
#include "{header}"
namespace phi {{
template <typename T, typename Context>
void AnyKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {{}}
}}
"""


def written(path: Path, *lines: str) -> Path:
    header = PHI / "kernel_registry.h"
    path.write_text(REGISTER.format(header=header) + "".join(f"{line}\n" for line in lines))
    return path


def registration(name: str, types: str) -> str:
    return f"PD_REGISTER_KERNEL({name}, CPU, ALL_LAYOUT, phi::AnyKernel, {types}) {{}}"


def held(runtime: Runtime) -> dict[str, set[str]]:
    return {
        name: {str(key.dtype) for key in keys} for name, keys in runtime.factory.kernels.items()
    }


def test_a_reopened_file_takes_back_what_it_registered_and_nothing_else(tmp_path: Path) -> None:
    program = Program()
    runtime = program.phi
    one = written(
        tmp_path / "one.cc", registration("one", "int, bool"), registration("both", "int")
    )
    two = written(tmp_path / "two.cc", registration("two", "float"))
    bench = open_file(one, None, program)
    open_file(two, None, program)
    written(one, registration("one", "bool, double"))
    bench = reopen(bench)
    assert held(runtime) == {"one": {"bool", "float64"}, "two": {"float32"}}
    one.unlink()
    with pytest.raises(InputError):
        reopen(bench)
    assert held(runtime) == {"one": {"bool", "float64"}, "two": {"float32"}}
    bench.take_back()
    assert held(runtime) == {"two": {"float32"}}


def test_what_a_file_replaced_comes_back(tmp_path: Path) -> None:
    program = Program()
    runtime = program.phi
    line = registration("same", "int")
    first = open_file(written(tmp_path / "first.cc", line), None, program)
    second = open_file(written(tmp_path / "second.cc", line), None, program)
    (kernel,) = runtime.factory.kernels["same"].values()
    assert kernel is second.entries[0].registration.kernel
    entries = [*first.entries, *second.entries]
    assert replacements(entries) == {second.entries[0]: first.entries[0]}
    first.take_back()
    assert [*runtime.factory.kernels["same"].values()] == [kernel]
    again = open_file(first.path, None, program)
    again.take_back()
    (back,) = runtime.factory.kernels["same"].values()
    assert back is kernel


def test_taking_back_in_any_order_leaves_nothing(tmp_path: Path) -> None:
    program = Program()
    runtime = program.phi
    line = registration("same", "int")
    benches = [open_file(written(tmp_path / f"{name}.cc", line), None, program) for name in "abc"]
    for bench in benches:
        assert held(runtime) == {"same": {"int32"}}
        bench.take_back()
    assert held(runtime) == {}
    benches[0].take_back()  # once more does no harm
    assert held(runtime) == {}


def test_plugin_devices_are_loaded_one_by_one(tmp_path: Path) -> None:
    def plugin(name: str, device: str, reg_type: str = "OUTER") -> str:
        return (
            f"_PD_REGISTER_KERNEL(::phi::RegType::{reg_type}, {name}, {device}, "
            "::phi::CustomContext, ALL_LAYOUT, phi::AnyKernel, FUNCTION_KERNEL_INSTANTIATION, "
            "ARG_PARSE_FUNCTOR, PHI_KERNEL, PHI_VARIADIC_KERNEL, int) {}"
        )

    program = Program()
    runtime = program.phi
    lines = plugin("one", "NPU"), plugin("two", "MLU"), registration("own", "int")
    bench = open_file(written(tmp_path / "plug_in.cc", *lines), None, program)
    assert held(runtime) == {"own": {"int32"}}
    assert runtime.custom_devices == {"NPU": False, "MLU": False}
    runtime.load_custom_device("MLU")
    assert held(runtime) == {"own": {"int32"}, "two": {"int32"}}
    assert runtime.custom_devices == {"NPU": False, "MLU": True}
    runtime.load_custom_device("MLU")  # what is loaded stays
    own = written(tmp_path / "own.cc", plugin("two", "MLU", "INNER"))
    replacing = open_file(own, None, program)
    (kernel,) = runtime.factory.kernels["two"].values()
    assert kernel is replacing.entries[0].registration.kernel
    replacing.take_back()
    (kernel,) = runtime.factory.kernels["two"].values()
    assert kernel is bench.entries[1].registration.kernel
    runtime.unload_custom_device("MLU")
    assert held(runtime) == {"own": {"int32"}}
    assert set(runtime.custom_kernels.kernels) == {"one", "two"}
    runtime.load_custom_device("NPU")
    bench.take_back()
    assert held(runtime) == {}
    assert runtime.custom_kernels.kernels == {}


def test_a_call_after_taking_back_finds_nothing() -> None:
    program = Program()
    runtime = program.phi
    bench = open_file(PHI / "bitwise_kernel.cc", None, program)
    x = np.arange(3, dtype=np.int32)
    assert list(runtime.call("bitwise_and", x, x)) == [0, 1, 2]
    bench.take_back()
    with pytest.raises(KernelError, match="not registered"):
        runtime.call("bitwise_and", x, x)


def test_what_follows_from_an_error_is_counted_there(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cc"
    path.write_text(
        f'#include "{PHI.parent}/aten/library.h"\n'
        "at::Tensor f(const at::Tensor& x) { return x; }\n"
        "TORCH_LIBRARY(my, m)\n"  # its { is missing
        '  m.def("f(Tensor x) -> Tensor");\n'
        '  m.def("g(Tensor x) -> Tensor");\n'
        "}\n"
        'TORCH_LIBRARY_IMPL(my, CPU, m) { m.impl("f", &f) }\n'  # and here a semicolon
    )
    first, second = open_file(path).diagnostics
    assert first.where.line == 3
    assert first.hint.endswith("3 more errors follow from it")
    assert (second.where.line, second.message) == (7, "`;` is missing after `)`")


def test_a_sample_that_was_copied_alone_misses_its_header_and_nothing_else(tmp_path: Path) -> None:
    """What the header would have defined is told with it, a misspelt name as well."""
    alone = tmp_path / "alone.cc"
    alone.write_text((PHI / "bitwise_kernel.cc").read_text() + "PD_REGISTER_KERNL(abs, CPU) {}\n")
    (missing,) = open_file(alone).diagnostics
    assert missing.about == "kernel_registry.h"
    assert missing.hint.endswith("`PD_REGISTER_KERNEL`, `PD_REGISTER_KERNL` (5 uses)")


@pytest.mark.parametrize(
    "text",
    [
        "PD_REGISTER_KERNL(abs, CPU) {}",  # misspelt
        "TORCH_LIBRARY(aten, m) {}",  # nobody has defined it
        "#define MINE(x) PD_REGISTER_KERNEL(x)\n#define ALL_OF_MINE(x) MINE(x)\nALL_OF_MNE(x)",
    ],
)
def test_a_registration_that_came_to_nothing_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.cc").write_text(f"int f() {{ goto }}\n{text}\n")
    assert open_file(tmp_path / "mine.cc").has_errors()


@pytest.mark.parametrize("text", ["EXPECT_EQ(f(), 3)", "EVERY_KERNEL_LIBRARY(x)"])
def test_a_macro_that_is_like_none_that_registers_is_not_read_as_one(text: str, tmp_path: Path):
    """It is told to be none, as a compiler does, and what else is no C++ there isn't."""
    (tmp_path / "mine.cc").write_text(f"int f() {{ goto }}\n{text}\n")
    (told,) = open_file(tmp_path / "mine.cc").diagnostics
    assert (told.where.line, told.about) == (2, text.partition("(")[0])
    assert "did you mean" not in told.hint


def test_what_an_included_text_registers_stands_behind_what_its_unit_registered_before(tmp_path):
    lines = (PHI / "bitwise_kernel.cc").read_text().splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if line.startswith("PD_REGISTER_KERNEL"))
    before, registering = "".join(lines[:first]), "".join(lines[first:])
    each = [f"PD_REGISTER_KERNEL{text}" for text in registering.split("PD_REGISTER_KERNEL")[1:]]
    (tmp_path / "k.inc").write_text(each[1])
    (tmp_path / "k.cc").write_text(f'{before}{each[0]}#include "k.inc"\n{each[2]}')
    options = Options(include_folders=(str(PHI),), main=str(tmp_path / "k.cc"))
    bench = open_file(tmp_path / "k.inc", options)
    assert not bench.diagnostics
    whole = open_file(PHI / "bitwise_kernel.cc")
    kernels = list(dict.fromkeys(e.registration.kernel_name for e in whole.entries))
    at_start = {shown.entry.registration.kernel_name for shown in bench.registry_at(0, 0)}
    at_end = bench.registry_at(0, len(bench.timeline(0)))
    assert at_start == {kernels[0]}
    assert {shown.entry.registration.kernel_name for shown in at_end} == {kernels[0], kernels[1]}
    assert {e.registration.kernel_name for e in bench.entries if e.expansion == 0} == {kernels[1]}
