"""What is told of PyTorch's dispatcher is what it does: slot by slot, hop by hop, stub by stub."""

from __future__ import annotations

import numpy as np
import pytest

from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.program import Program
from visualizer.frameworks.aten import stub_story
from visualizer.frameworks.aten.dispatch_story import keys_of, way
from visualizer.frameworks.aten.dispatch_table import table_rows
from visualizer.frameworks.aten.operator_story import story
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.linking import load
from visualizer.workbench.samples import sample_files, samples_folder

ATEN = samples_folder() / "aten"
CPU = DeviceType.CPU


@pytest.fixture(scope="module")
def program() -> Program:
    return load(sample_files("aten"))


@pytest.fixture(scope="module")
def add() -> Workbench:
    return open_file(ATEN / "add.cc")


def entry_of(program: Program, name: str):
    return program.aten.dispatcher.findOp(OperatorName.parse(name)).operatorDef_.op


@pytest.mark.parametrize("name", ["aten::add.Tensor", "aten::add_.Tensor"])
def test_the_way_that_is_told_is_the_one_that_a_call_goes(program: Program, name: str) -> None:
    x = np.arange(6, dtype=np.float32)
    story = program.explain_call(name, x, x.copy())
    told = way(entry_of(program, name), [CPU, CPU])
    assert told.hops == " → ".join(str(hop.key) for hop in story.hops)
    assert [stop.keys for stop in told.stops] == [hop.keyset for hop in story.hops]
    assert [stop.reason for stop in told.stops] == [hop.reason for hop in story.hops]
    assert told.stops[0].passed_by == story.hops[0].passed_by


def test_only_the_operator_that_writes_stops_at_adinplaceorview(program: Program) -> None:
    ways = [way(entry_of(program, f"aten::{n}.Tensor"), [CPU]).hops for n in ("add", "add_")]
    assert ways == ["AutogradCPU → CPU", "AutogradCPU → ADInplaceOrView → CPU"]


def test_a_thread_below_autograd_goes_on_below_it(program: Program) -> None:
    told = way(entry_of(program, "aten::add_.Tensor"), [CPU], "below autograd")
    assert told.hops == "ADInplaceOrView → CPU"
    assert way(entry_of(program, "aten::add_.Tensor"), [CPU]).hops.startswith("AutogradCPU")


def test_where_nothing_is_registered_the_dispatchers_own_sentence_is_told(program: Program) -> None:
    told = way(entry_of(program, "aten::add.Tensor"), [DeviceType.XLA])
    assert told.error.startswith("Could not run 'aten::add.Tensor' with arguments from the 'XLA'")


def test_a_meta_tensor_for_which_nobody_knows_a_shape_ends_in_libtorchs_fallback(
    program: Program,
) -> None:
    told = way(entry_of(program, "fallbacks::is_negated"), [DeviceType.Meta])
    assert told.hops == "AutogradMeta → Meta"
    assert told.stops[-1].kernel == "metaFallback"
    assert told.error.startswith("fallbacks::is_negated: attempted to run this operator with Meta")


def test_a_tracing_thread_and_autocast_are_no_hindrance(program: Program) -> None:
    entry = entry_of(program, "fallbacks::is_negated")
    assert way(entry, [DeviceType.PrivateUse1], "tracing").hops.startswith("Tracer → ")
    assert not way(entry, [DeviceType.PrivateUse1], "autocast").error


def test_the_keys_of_a_device_are_those_of_a_tensor_there() -> None:
    assert keys_of(CPU) == Tensor.from_array(np.zeros(1)).key_set


def test_a_tables_rows_hold_every_slot_that_is_filled_once(add: Workbench) -> None:
    for entry in add.entries:
        registration = entry.registration
        rows = table_rows(registration)
        keys = [key for row in rows for key in row.keys]
        assert len(keys) == len(set(keys))
        assert set(keys) == {*registration.table_before, *registration.table_after}
        for row in rows:
            for key in row.keys:
                assert registration.table_after.get(key, ("", "missing")) == (row.after, row.reason)


def test_a_registration_changes_the_slots_of_its_key(add: Workbench) -> None:
    changed = {
        entry.registration.key: [
            k for r in table_rows(entry.registration) if r.changed for k in r.keys
        ]
        for entry in add.entries
        if entry.registration.kernel_name == "aten::add_.Tensor"
    }
    assert changed["CPU"] == ["CPU"]
    assert changed["ADInplaceOrView"] == ["ADInplaceOrView"]
    assert {"AutogradCPU", "AutogradCUDA"} <= set(changed["Autograd"])
    assert "CPU" not in changed["Autograd"]


def test_a_stub_takes_the_slot_that_is_told(program: Program) -> None:
    stub = program.aten.stubs["add_stub"]
    (chosen,) = [s.name for s in stub_story.slots(stub, CPU, stub_story.THIS_MACHINE) if s.chosen]
    assert chosen == str(stub.chosen())
    held = {s.name: s.function for s in stub_story.slots(stub, CPU, "AVX512")}
    assert held["AVX512"] == ""  # REGISTER_DISPATCH puts a null pointer there
    assert held["CUDA"] == "at::native::add_kernel"
    told = list(stub_story.choice(stub, CPU, "AVX512"))
    assert told[2] == "The slot AVX512 holds a null pointer: choose_cpu_impl takes AVX2 instead."


def test_an_empty_slot_is_told_with_pytorchs_error() -> None:
    stub = open_file(ATEN / "ufunc_add_kernel.cc").program.aten.stubs["add_stub"]
    assert set(stub.slots) == {CPUCapability.DEFAULT}
    assert "no other slots" in list(stub_story.choice(stub, CPU, "AVX2"))[2]
    stub.set_slot(CPUCapability.AVX2, None)
    assert "missing AVX2 kernel" in list(stub_story.choice(stub, CPU, "AVX2"))[-1]
    with pytest.raises(TorchError, match="missing AVX2 kernel"):
        stub.impl.choose_cpu_impl({CPUCapability.AVX2: None, CPUCapability.AVX512: None})


def test_a_story_goes_from_python_to_the_loop(program: Program) -> None:
    x = Tensor.from_array(np.ones((3, 4), np.float32))
    told = {
        c.title: c.steps
        for c in story(program.aten, "aten::add.Tensor", {"self": x, "other": x}).chapters
    }
    assert list(told) == [
        "Python",
        "Dispatcher",
        "structured_ufunc_add_CPU_functional",
        "TensorIterator.build",
        "structured_ufunc_add_CPU_functional: impl",
        "Stub",
        "Loop",
        "Python again",
        "Result",
    ]
    assert [step.name for step in told["Dispatcher"]] == ["AutogradCPU", "CPU"]
    assert "fast_set_up" in [step.name for step in told["TensorIterator.build"]]
    assert "12 elements" in told["Loop"][1].sentence


def test_the_story_of_a_refused_call_ends_with_its_error(program: Program) -> None:
    x, y = (Tensor.from_array(np.ones(n, np.float32)) for n in (3, 4))
    told = story(program.aten, "aten::add.Tensor", {"self": x, "other": y})
    assert told.failed
    assert told.chapters[-1].title == "Error"
    assert "must match the size of tensor b (4)" in told.chapters[-1].steps[0].sentence
