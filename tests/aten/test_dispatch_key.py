"""Dispatch keys and their sets: by their own laws, and against `torch._C.DispatchKeySet`."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry_runtime.aten.dispatch import alias_keys, dispatch_key_set
from registry_runtime.aten.dispatch.alias_keys import (
    get_autograd_related_key_set_from_backend,
    get_backend_key_set_from_autograd,
    get_runtime_dispatch_key_set,
    is_included_in_alias,
)
from registry_runtime.aten.dispatch.dispatch_key import (
    NUM_BACKENDS,
    NUM_RUNTIME_ENTRIES,
    BackendComponent,
    DispatchKey,
    is_alias_dispatch_key,
    to_backend_component,
    to_functionality_key,
    to_runtime_per_backend_functionality_key,
)
from registry_runtime.aten.dispatch.dispatch_key_set import (
    DispatchKeySet,
    dispatch_table_index,
    get_dispatch_table_index_for_dispatch_key,
)

RUNTIME_KEYS = tuple(DispatchKeySet.full())
key_sets = st.integers(0, DispatchKeySet.full().raw_repr).map(DispatchKeySet.from_raw_repr)


def test_each_runtime_key_has_its_own_slot() -> None:
    slots = [get_dispatch_table_index_for_dispatch_key(key) for key in RUNTIME_KEYS]
    assert sorted(slots) == list(range(1, NUM_RUNTIME_ENTRIES))
    assert get_dispatch_table_index_for_dispatch_key(DispatchKey.Undefined) == 0


def test_a_per_backend_key_is_its_functionality_and_its_backend() -> None:
    per_backend = [key for key in RUNTIME_KEYS if to_backend_component(key)]
    assert len(per_backend) == 6 * NUM_BACKENDS
    for key in per_backend:
        parts = to_functionality_key(key), to_backend_component(key)
        assert to_runtime_per_backend_functionality_key(*parts) is key
        assert DispatchKeySet(key) == DispatchKeySet(*parts)


def test_keys_pair_with_every_backend_of_the_set() -> None:
    keys = DispatchKeySet(DispatchKey.CPU, DispatchKey.SparseCUDA)
    assert str(keys) == "DispatchKeySet(CPU, CUDA, SparseCPU, SparseCUDA)"
    assert keys.highest_priority_type_id() is DispatchKey.SparseCUDA


def test_taking_an_autograd_key_away_leaves_the_backend() -> None:
    keys = DispatchKeySet(DispatchKey.CPU, DispatchKey.AutogradCPU)
    assert keys - dispatch_key_set.autograd_dispatch_keyset == DispatchKeySet(DispatchKey.CPU)
    assert keys.remove(DispatchKey.AutogradCPU) == DispatchKeySet(DispatchKey.CPU)


def test_an_alias_has_no_bits() -> None:
    assert not DispatchKeySet(DispatchKey.CompositeImplicitAutograd)


@given(key_sets)
def test_the_key_that_is_called_is_the_last_of_the_set(some: DispatchKeySet) -> None:
    keys = some.add(BackendComponent.CPUBit)
    called = keys.highest_priority_type_id()
    assert called is [DispatchKey.Undefined, *keys][-1]
    slot = dispatch_table_index(keys.raw_repr)
    assert slot == get_dispatch_table_index_for_dispatch_key(called)


# Against the real one.


@pytest.fixture(scope="module")
def torch_c() -> ModuleType:
    torch = pytest.importorskip("torch")
    return torch._C  # type: ignore[no-any-return]


@pytest.mark.torch
def test_numbers_and_names_are_torchs(torch_c: ModuleType) -> None:
    for name, member in torch_c.DispatchKey.__members__.items():
        if not name.startswith("EndOf"):
            assert DispatchKey[name] == int(member)
    for key in DispatchKey:
        assert str(key) == torch_c._dispatch_key_name(torch_c.DispatchKey(int(key)))


@pytest.mark.torch
@given(key_sets, key_sets, st.sampled_from(RUNTIME_KEYS))
def test_sets_are_torchs(
    torch_c: ModuleType, first: DispatchKeySet, second: DispatchKeySet, key: DispatchKey
) -> None:
    theirs, others = (
        torch_c.DispatchKeySet.from_raw_repr(keys.raw_repr) for keys in (first, second)
    )
    their_key = torch_c.DispatchKey(int(key))
    assert str(first) == str(theirs)
    assert int(first.highest_priority_type_id()) == int(theirs.highestPriorityTypeId())
    assert (first | second).raw_repr == (theirs | others).raw_repr()
    assert (first & second).raw_repr == (theirs & others).raw_repr()
    assert (first - second).raw_repr == (theirs - others).raw_repr()
    assert first.add(key).raw_repr == theirs.add(their_key).raw_repr()
    assert first.remove(key).raw_repr == theirs.remove(their_key).raw_repr()
    assert first.has(key) == theirs.has(their_key)


@pytest.mark.torch
def test_what_stands_for_what_is_as_in_torch(torch_c: ModuleType) -> None:
    def theirs(key: DispatchKey) -> object:
        return torch_c.DispatchKey(int(key))

    for key in RUNTIME_KEYS:
        ours = get_backend_key_set_from_autograd(key).raw_repr
        assert ours == torch_c._dispatch_get_backend_keyset_from_autograd(theirs(key)).raw_repr(), (
            key
        )
        after = DispatchKeySet.full_after(key).raw_repr
        assert after == torch_c._dispatch_keyset_full_after(theirs(key)).raw_repr()
        for alias in DispatchKey:
            if is_alias_dispatch_key(alias):
                included = torch_c._dispatch_is_included_in_alias(theirs(key), theirs(alias))
                assert is_included_in_alias(key, alias) == included, (key, alias)
                assert (key in tuple(get_runtime_dispatch_key_set(alias))) == included
    assert (
        torch_c._dispatch_autogradother_backends.raw_repr()
        == dispatch_key_set.autogradother_backends.raw_repr
    )


@pytest.mark.torch
def test_a_tensors_keys_are_torchs(torch_c: ModuleType) -> None:
    torch = pytest.importorskip("torch")
    for device, backend in (("cpu", BackendComponent.CPUBit), ("meta", BackendComponent.MetaBit)):
        keys = (
            DispatchKeySet(DispatchKey.Dense, backend)
            | get_autograd_related_key_set_from_backend(backend)
            | alias_keys.get_autocast_related_key_set_from_backend(backend)
        )
        tensor = torch.empty(2, device=device)
        assert keys.raw_repr == torch_c._dispatch_keys(tensor).raw_repr()
