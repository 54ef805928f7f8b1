"""The dispatcher by itself: registrations that undo, who hears of them, and calls hop by hop."""

from __future__ import annotations

import gc
import threading
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import (
    DispatchKeySet,
    after_ADInplaceOrView_keyset,
    after_autograd_keyset,
)
from registry_runtime.aten.dispatch.dispatch_table import RUNTIME_KEYS
from registry_runtime.aten.dispatch.dispatcher import (
    Dispatcher,
    Hop,
    OperatorHandle,
    RegistrationHandleRAII,
)
from registry_runtime.aten.dispatch.kernel_function import (
    KernelFunction,
    makeFallthrough,
    makeFromBoxedFunction,
    makeFromUnboxedFunction,
)
from registry_runtime.aten.dispatch.local_keys import (
    AutoDispatchBelowADInplaceOrView,
    AutoDispatchBelowAutograd,
    ExcludeDispatchKeyGuard,
    IncludeDispatchKeyGuard,
    tls_local_dispatch_key_set,
)
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import NotImplementedTorchError, TorchError
from registry_runtime.aten.schema.cpp_signature import CppSignature
from registry_runtime.aten.schema.function_schema_parser import parse_schema

K = DispatchKey
ADD = OperatorName("test::add_", "Tensor")
SCHEMA = parse_schema("test::add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)")


@dataclass(frozen=True)
class Tensor:
    key_set: DispatchKeySet


ON_CPU = Tensor(DispatchKeySet(K.CPU, K.AutogradCPU, K.ADInplaceOrView))
ON_META = Tensor(DispatchKeySet(K.Meta, K.AutogradMeta, K.ADInplaceOrView))


def answering(what: object) -> KernelFunction:
    return makeFromUnboxedFunction(lambda *_: what, function=f"answer_{what}")


def passing_by(dispatcher: Dispatcher, *keys: DispatchKey) -> list[RegistrationHandleRAII]:
    return [dispatcher.registerFallback(key, makeFallthrough(), f"{key}.cpp:1") for key in keys]


def test_a_call_of_an_in_place_operator_hops_from_autograd_to_the_backend() -> None:
    dispatcher = Dispatcher()

    def then(below: DispatchKeySet) -> KernelFunction:
        def kernel(keys: DispatchKeySet, self: Tensor, other: Tensor) -> object:
            return dispatcher.redispatch(op, keys & below, self, other)

        return makeFromUnboxedFunction(kernel, with_keyset=True)

    held = [
        *passing_by(dispatcher, K.BackendSelect),
        dispatcher.registerDef(SCHEMA, "add.cpp:1"),
        dispatcher.registerImpl(ADD, K.Autograd, then(after_autograd_keyset), debug="a.cpp:2"),
        dispatcher.registerImpl(ADD, K.ADInplaceOrView, then(after_ADInplaceOrView_keyset)),
        dispatcher.registerImpl(ADD, K.CPU, answering("sum")),
    ]
    op = dispatcher.findSchemaOrThrow("test::add_", "Tensor")
    hops: list[Hop] = []
    assert dispatcher.call(op, ON_CPU, ON_CPU) == "sum"
    dispatcher.tell = hops.append
    assert dispatcher.call(op, ON_CPU, ON_CPU) == "sum"
    assert [str(hop) for hop in hops] == [
        " [call] op=[test::add_.Tensor], key=[AutogradCPU]",
        "  [redispatch] op=[test::add_.Tensor], key=[ADInplaceOrView]",
        "   [redispatch] op=[test::add_.Tensor], key=[CPU]",
    ]
    assert [hop.reason for hop in hops] == ["autograd kernel", "kernel", "kernel"]
    assert hops[0].kernel.debug == "a.cpp:2"
    hops.clear()
    with AutoDispatchBelowAutograd():
        dispatcher.call(op, ON_CPU, ON_CPU)
    with AutoDispatchBelowADInplaceOrView():
        dispatcher.call(op, ON_CPU, ON_CPU)
    assert [str(hop.key) for hop in hops] == ["ADInplaceOrView", "CPU", "CPU"]
    assert held


def test_the_keys_that_are_passed_by_are_told() -> None:
    dispatcher = Dispatcher()
    held = [
        *passing_by(dispatcher, K.ADInplaceOrView, K.AutogradCPU, K.BackendSelect),
        dispatcher.registerDef(SCHEMA, ""),
        dispatcher.registerImpl(ADD, K.CPU, answering(1)),
    ]
    hops: list[Hop] = []
    dispatcher.tell = hops.append
    stack: list[Any] = ["below", ON_CPU, ON_CPU]
    dispatcher.callBoxed(dispatcher.findSchemaOrThrow("test::add_", "Tensor"), stack)
    assert stack == ["below", 1]
    assert hops[0].passed_by == (K.AutogradCPU, K.ADInplaceOrView, K.BackendSelect)
    assert held


def test_one_backend_may_pass_a_key_by_and_another_not() -> None:
    dispatcher = Dispatcher()
    held = [
        *passing_by(dispatcher, K.ADInplaceOrView, K.BackendSelect),
        dispatcher.registerDef(SCHEMA, ""),
        dispatcher.registerImpl(ADD, K.AutogradCPU, makeFallthrough()),
        dispatcher.registerImpl(ADD, K.AutogradMeta, answering("autograd")),
        dispatcher.registerImpl(ADD, K.CompositeExplicitAutograd, answering("backend")),
    ]
    op = dispatcher.findSchemaOrThrow("test::add_", "Tensor")
    assert dispatcher.call(op, ON_CPU, ON_CPU) == "backend"
    assert dispatcher.call(op, ON_CPU, [ON_META]) == "autograd"
    assert held


def test_a_missing_kernel_says_what_there_is() -> None:
    dispatcher = Dispatcher()
    held = [
        *passing_by(dispatcher, K.ADInplaceOrView, K.BackendSelect, K.AutogradMeta),
        dispatcher.registerDef(SCHEMA, "add.cpp:1"),
        dispatcher.registerImpl(ADD, K.CPU, answering(1), debug="add.cpp:2"),
    ]
    op = dispatcher.findSchemaOrThrow("test::add_", "Tensor")
    with pytest.raises(NotImplementedTorchError) as refused:
        dispatcher.call(op, ON_META, None)
    said = refused.value.message
    assert said.startswith(
        "Could not run 'test::add_.Tensor' with arguments from the 'Meta' backend"
    )
    assert "these backends: [CPU, BackendSelect, ADInplaceOrView, AutogradMeta]." in said
    assert "CPU: add.cpp:2 [kernel]\n" in said
    with pytest.raises(NotImplementedTorchError, match="There were no tensor arguments"):
        dispatcher.call(op, 1, 2)
    assert held


def test_a_kernel_that_nobody_wrote_can_be_registered_and_not_called() -> None:
    dispatcher = Dispatcher()
    held = dispatcher.registerImpl(
        ADD, K.Undefined, makeFromUnboxedFunction(None, function="at::native::add_")
    )
    assert not held_kernel(dispatcher).runnable
    op = dispatcher.findOp(ADD)
    assert op is not None
    with (
        ExcludeDispatchKeyGuard(DispatchKeySet(K.BackendSelect, K.ADInplaceOrView)),
        pytest.raises(TorchError, match=r"^at::native::add_ is registered, but nobody wrote it"),
    ):
        dispatcher.call(op)
    held.reset()


def held_kernel(dispatcher: Dispatcher) -> KernelFunction:
    return dispatcher.operators_[0].op.kernels_[K.Undefined][0].kernel


def test_a_boxed_kernel_serves_an_unboxed_call() -> None:
    dispatcher = Dispatcher()

    def count(op: OperatorHandle, keys: DispatchKeySet, stack: list[Any]) -> None:
        stack[:] = [str(op.operator_name()), str(keys.highest_priority_type_id()), len(stack)]

    held = [
        *passing_by(dispatcher, K.ADInplaceOrView, K.BackendSelect, K.AutogradCPU),
        dispatcher.registerFallback(K.CPU, makeFromBoxedFunction(count)),
        dispatcher.registerName(ADD),
    ]
    op = dispatcher.findOp(ADD)
    assert op is not None
    assert dispatcher.call(op, ON_CPU, 2, 3) == ("test::add_.Tensor", "CPU", 3)
    assert held


def test_impl_before_def_is_legal_until_the_schema_is_looked_up() -> None:
    dispatcher = Dispatcher()
    impl = dispatcher.registerImpl(ADD, K.CPU, answering(1))
    assert dispatcher.findSchema(ADD) is None
    assert [op.operator_name() for op in dispatcher.findDanglingImpls()] == [ADD]
    with pytest.raises(TorchError, match="but we found an implementation; did you forget to def"):
        dispatcher.findSchemaOrThrow("test::add_", "Tensor")
    definition = dispatcher.registerDef(SCHEMA, "add.cpp:1")
    assert dispatcher.findSchemaOrThrow("test::add_", "Tensor") == dispatcher.findOp(ADD)
    assert dispatcher.operators_[0].def_and_impl_count == 2
    impl.reset()
    definition.reset()
    assert not dispatcher.operators_
    assert not dispatcher.operatorLookupTable_


def test_a_refused_registration_leaves_nothing() -> None:
    dispatcher = Dispatcher()
    kernel = answering(1)
    one = dispatcher.registerImpl(
        ADD, K.CPU, kernel, CppSignature("at::Tensor ()"), None, "a.cpp:1"
    )
    before = dispatcher.operators_[0].op.dumpState()
    with pytest.raises(TorchError) as refused:
        dispatcher.registerImpl(ADD, None, kernel, CppSignature("void ()"), None, "a.cpp:2")
    assert refused.value.message == (
        "\nMismatch in kernel C++ signatures\n  operator: test::add_.Tensor\n    no debug info\n"
        "  kernel 1: at::Tensor ()\n    dispatch key: CPU\n    a.cpp:1\n"
        "  kernel 2: void ()\n    dispatch key: (catch all)\n    a.cpp:2\n"
    )
    assert dispatcher.operators_[0].op.dumpState() == before
    dispatcher.registerName(ADD)  # dropped at once
    keep = dispatcher.registerName(ADD)
    one.reset()
    # The operator is still there, and no kernel that could hold others to its type.
    dispatcher.registerImpl(ADD, None, kernel, CppSignature("void ()"), None, "a.cpp:2").reset()
    keep.reset()
    other = parse_schema("test::add_.Tensor(Tensor self) -> Tensor")
    named = dispatcher.registerImpl(ADD, K.CPU, kernel, None, other, "a.cpp:3")
    with pytest.raises(TorchError, match="doesn't match the expected function schema"):
        dispatcher.registerDef(SCHEMA, "a.cpp:4")
    named.reset()
    assert not dispatcher.operators_


def test_dropping_the_handle_deregisters() -> None:
    dispatcher = Dispatcher()
    handle = dispatcher.registerImpl(ADD, K.CPU, answering(1))
    assert dispatcher.getAllOpNames() == [ADD]
    del handle
    assert dispatcher.getAllOpNames() == []


def test_a_handle_may_outlive_the_dispatcher() -> None:
    class Listener:
        heard = 0

        def onOperatorRegistered(self, op: OperatorHandle) -> None: ...

        def onOperatorDeregistered(self, op: OperatorHandle) -> None:
            self.heard += 1

    dispatcher, listener = Dispatcher(), Listener()
    handles = [
        dispatcher.addRegistrationListener(listener),
        dispatcher.registerDef(SCHEMA, ""),
        dispatcher.registerLibrary("test", ""),
    ]
    guard = dispatcher.guard_
    del dispatcher
    gc.collect()
    assert not guard.alive
    for handle in handles:
        handle.reset()
    assert listener.heard == 0


def test_listeners_hear_of_definitions_only() -> None:
    heard: list[tuple[str, bool]] = []

    class Listener:
        def onOperatorRegistered(self, op: OperatorHandle) -> None:
            heard.append(("registered", op.hasSchema()))

        def onOperatorDeregistered(self, op: OperatorHandle) -> None:
            heard.append(("deregistered", op.hasSchema()))

    dispatcher = Dispatcher()
    first = dispatcher.registerDef(SCHEMA, "")
    listening = dispatcher.addRegistrationListener(Listener())
    impl = dispatcher.registerImpl(ADD, K.CPU, answering(1))
    first.reset()
    assert heard == [("registered", True), ("deregistered", True)]
    listening.reset()
    impl.reset()
    dispatcher.registerDef(SCHEMA, "").reset()
    assert len(heard) == 2


def test_verify_waits_for_another_thread() -> None:
    dispatcher = Dispatcher(wait_for=5)
    held: list[RegistrationHandleRAII] = []
    other = threading.Timer(
        0.02, lambda: held.append(dispatcher.registerImpl(ADD, None, answering(1)))
    )
    other.start()
    dispatcher.waitForImpl(ADD, None)
    other.join()
    dispatcher.waitForDef(SCHEMA)
    impatient = Dispatcher(wait_for=0)
    with pytest.raises(
        TorchError, match=r"to implement CPU for test::add_.Tensor, but this didn't"
    ):
        impatient.waitForImpl(ADD, K.CPU)


def test_the_newest_kernel_counts_and_what_it_hid_comes_back() -> None:
    said: list[str] = []
    dispatcher = Dispatcher(warn=said.append)
    first, second, third = (
        dispatcher.registerImpl(ADD, K.CPU, answering(n), debug=f"a.cpp:{n}") for n in (1, 2, 3)
    )
    assert "CPU: a.cpp:3 [kernel]\n" in dispatcher.operators_[0].op.dumpComputedTable()
    second.reset()
    third.reset()
    assert "CPU: a.cpp:1 [kernel]\n" in dispatcher.operators_[0].op.dumpComputedTable()
    first.reset()
    assert [line.strip() for line in said[0].splitlines()][-1] == "new kernel: a.cpp:2"
    assert len(said) == 1


ALIASES = (K.Autograd, K.CompositeImplicitAutograd, K.CompositeExplicitAutograd)
some_keys = st.none() | st.sampled_from((*ALIASES, K.CPU, K.SparseCPU, K.NestedTensorCPU, K.FPGA))


def registered(
    dispatcher: Dispatcher, keys: list[tuple[DispatchKey | None, bool]]
) -> list[RegistrationHandleRAII]:
    return [
        dispatcher.registerImpl(ADD, key, makeFallthrough() if falls else answering(key))
        for key, falls in keys
    ]


@given(
    st.lists(st.tuples(some_keys, st.booleans()), max_size=5),
    st.lists(st.tuples(some_keys, st.booleans()), max_size=6),
    st.randoms(),
)
def test_withdrawing_in_any_order_leaves_the_table_as_it_was(
    before: list[tuple[DispatchKey | None, bool]],
    between: list[tuple[DispatchKey | None, bool]],
    random: Any,
) -> None:
    dispatcher = Dispatcher()
    held = [dispatcher.registerName(ADD), *registered(dispatcher, before)]
    entry = dispatcher.operators_[0].op
    table, state = list(entry.dispatchTable_), entry.dumpComputedTable()
    extractor = entry.dispatchKeyExtractor_.__dict__.copy()
    masks = list(extractor.pop("non_fallthrough_keys_per_backend"))
    handles = [
        *registered(dispatcher, between),
        dispatcher.registerFallback(K.AutogradCPU, makeFallthrough()),
        dispatcher.registerDef(SCHEMA, ""),
    ]
    random.shuffle(handles)
    for handle in handles:
        handle.reset()
    assert entry.dispatchTable_ == table
    assert entry.dumpComputedTable() == state
    after = entry.dispatchKeyExtractor_.__dict__.copy()
    assert after.pop("non_fallthrough_keys_per_backend") == masks
    assert after == extractor
    assert held


def test_every_slot_has_a_key() -> None:
    assert len(RUNTIME_KEYS) == len(Dispatcher().backendFallbackKernels_)


def test_what_a_thread_includes_and_excludes_is_its_own() -> None:
    found = tls_local_dispatch_key_set()
    with IncludeDispatchKeyGuard(K.Tracer), ExcludeDispatchKeyGuard(K.BackendSelect):
        assert tls_local_dispatch_key_set().included.has(K.Tracer)
        assert tls_local_dispatch_key_set().excluded.has(K.BackendSelect)
        elsewhere: list[object] = []
        other = threading.Thread(target=lambda: elsewhere.append(tls_local_dispatch_key_set()))
        other.start()
        other.join()
        assert elsewhere == [found]
        with IncludeDispatchKeyGuard(K.Tracer):
            pass
        assert tls_local_dispatch_key_set().included.has(K.Tracer)
    assert tls_local_dispatch_key_set() == found
