"""The link between the two sides: which tokens, at which moment, made which registry entry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from visualizer.expansion import Options
from visualizer.samples import samples_folder
from visualizer.workbench import Workbench, load, open_file

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
    runtime = load([PHI / "bitwise_kernel.cc", PHI / "full_kernel.cc"])
    assert {"bitwise_and", "full_batch_size_like"} <= set(runtime.factory.kernels)
    x = np.arange(12, dtype=np.int32)
    assert np.array_equal(runtime.call("bitwise_and", x, x[::-1]), x & x[::-1])
