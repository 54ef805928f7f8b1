"""The fallbacks that come with libtorch: which there are, and what a call that reaches one comes to.

Recorded from PyTorch 2.13.0's wheel for CPUs: `torch._C._dispatch_dump_table` of an operator for which
nothing is registered, and calls with a key included by `torch._C._ForceDispatchKeyGuard`.
`test_libtorch_fallbacks_torch.py` asks an installed PyTorch for all of it.
"""

from __future__ import annotations

import pytest

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet, default_excluded_set
from registry_runtime.aten.dispatch.local_keys import (
    ForceDispatchKeyGuard,
    tls_local_dispatch_key_set,
)
from registry_runtime.aten.errors import NotImplementedTorchError
from tests.aten.fallback_calls import (
    FALLTHROUGHS,
    FUNCTIONS,
    Carrying,
    Ours,
    outcome,
    with_operators,
)


@pytest.fixture(scope="module")
def ours() -> Ours:
    return with_operators("ours")


def test_libtorch_has_a_fallback_for_38_keys(ours: Ours) -> None:
    op = ours.op("number")
    table = op.operatorDef_.op.computed_table()
    found = {str(key): kernel for key, (kernel, why) in table.items() if why == "backend fallback"}
    assert len(FALLTHROUGHS + FUNCTIONS) == 38
    # A composite kernel goes first where there is one for the key.
    composite = {"Meta", *(name for name in FUNCTIONS if name.startswith("Autograd"))} - set(found)
    assert set(found) | composite == {*FALLTHROUGHS, *FUNCTIONS}
    assert {name for name in found if found[name].kernel.isFallthrough()} == set(FALLTHROUGHS)


@pytest.mark.parametrize(
    ("key", "operator", "told"),
    [
        ("Conjugate", "one", "ran"),
        ("Negative", "in_place", "ran"),
        ("ZeroTensor", "view", "ran"),
        ("PreDispatch", "two", "ran"),
        ("PythonTLSSnapshot", "of_list", "ran"),
        ("Python", "writes", "ran"),
        ("Functionalize", "of_list", "ran"),
        ("Tracer", "one", "ran"),
        ("AutocastCPU", "one", "ran"),
        ("Python", "number", "Hit Python dispatch key but no arguments had PyInterpreter"),
        ("Negative", "mixed", "Unsupported operator for negation fallback: ours::mixednegation "),
        ("Functionalize", "out", "Found a custom (non-ATen) operator whose output has alias "),
        ("FuncTorchBatched", "one", "maybe_level.has_value() INTERNAL ASSERT FAILED at "),
        ("FuncTorchBatched", "number", "Batching rule not implemented for ours::number. We could"),
        (
            "BatchedNestedTensor",
            "of_list",
            "Nested batching rule not implemented for ours::of_list",
        ),
        ("Batched", "view", "ours::view; the fallback path doesn't work on out= or view ops."),
        ("Batched", "in_place", '"aten/src/ATen/LegacyBatchedFallback.cpp":159'),
        ("FuncTorchGradWrapper", "one", "Should have at least one dead wrapper"),
        ("FuncTorchDynamicLayerFrontMode", "one", "!dynamicLayerStack.empty() INTERNAL ASSERT"),
        ("PythonDispatcher", "one", "PythonDispatcherTLS was not set"),
    ],
)
def test_what_a_call_that_reaches_a_fallback_comes_to(
    ours: Ours, key: str, operator: str, told: str
) -> None:
    assert told in outcome(ours, operator, DispatchKey[key])


def test_a_meta_tensor_is_told_that_there_is_no_kernel_for_it(ours: Ours) -> None:
    op = ours.op("one")
    meta = Carrying(DispatchKeySet(DispatchKey.Meta))
    with pytest.raises(NotImplementedTorchError, match="ours::one: attempted to run this operator"):
        ours.world.dispatcher.call(op, meta)


def test_an_operator_for_the_cpu_runs_under_autocast(ours: Ours) -> None:
    op = ours.op("one")
    local = tls_local_dispatch_key_set()
    tensor = Carrying()
    with ForceDispatchKeyGuard(local.included, local.excluded - default_excluded_set):
        assert ours.world.dispatcher.call(op, tensor) is tensor


def test_what_is_only_available_names_the_fallbacks_too(ours: Ours) -> None:
    op = ours.op("one")
    with pytest.raises(NotImplementedTorchError) as error:
        ours.world.dispatcher.call(op, Carrying(DispatchKeySet(DispatchKey.CUDA)))
    assert "available for these backends: [CPU, Meta, BackendSelect, Python, " in str(error.value)
