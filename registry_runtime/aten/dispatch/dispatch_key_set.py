"""A set of dispatch keys in one 64-bit integer, which is what every tensor carries.

The 16 lowest bits say on which backends, the others which functionalities: functionality number k is
bit 15 + k. So `{AutogradCPU, CPU}` is three bits: CPU, Dense, AutogradFunctionality. The price is
that backends and functionalities can't be paired at will: `{CPU, SparseCUDA}` also holds `CUDA` and
`SparseCPU`. The gain is that joining the keys of all arguments is an OR, and finding out whose turn
it is means finding the highest bit: this is done in every call (`c10/core/DispatchKeySet.h`).

That highest functionality, with the highest backend where it has one for each, is the index of a
slot in an operator's table.
"""

from __future__ import annotations

from collections.abc import Iterator

from registry_runtime.aten.dispatch.dispatch_key import (
    FULL_BACKEND_MASK,
    NUM_BACKENDS,
    NUM_FUNCTIONALITY_KEYS,
    BackendComponent,
    DispatchKey,
    is_per_backend_functionality_key,
    to_backend_component,
    to_functionality_key,
    to_runtime_per_backend_functionality_key,
)


def _repr_of(key: DispatchKey | BackendComponent) -> int:
    if isinstance(key, BackendComponent):
        return 1 << key >> 1
    functionality = to_functionality_key(key)
    bit = 1 << NUM_BACKENDS + functionality >> 1 if functionality else 0
    return bit | _repr_of(to_backend_component(key))


class DispatchKeySet:
    """`c10::DispatchKeySet`. Immutable; `raw_repr` is the integer.

    `DispatchKeySet(DispatchKey.CPU, DispatchKey.AutogradCPU)` makes one of keys or backends. An
    alias adds nothing: no tensor carries one.
    """

    __slots__ = ("raw_repr",)

    raw_repr: int

    def __init__(self, *keys: DispatchKey | BackendComponent) -> None:
        raw = 0
        for key in keys:
            raw |= _repr_of(key)
        self.raw_repr = raw

    @classmethod
    def from_raw_repr(cls, raw: int) -> DispatchKeySet:
        """The set that has that integer."""
        made = cls.__new__(cls)
        made.raw_repr = raw
        return made

    @classmethod
    def full(cls) -> DispatchKeySet:
        """Every key (`DispatchKeySet(FULL)`)."""
        return cls.from_raw_repr((1 << NUM_BACKENDS + NUM_FUNCTIONALITY_KEYS - 1) - 1)

    @classmethod
    def full_after(cls, key: DispatchKey) -> DispatchKeySet:
        """Every key that comes after `key` in a call, which are those below it; and
        `PythonDispatcher`, so that Python can step in before every hop (`FULL_AFTER`)."""
        below = (1 << NUM_BACKENDS + to_functionality_key(key) - 1) - 1
        return cls.from_raw_repr(below).add(DispatchKey.PythonDispatcher)

    def has(self, key: DispatchKey | BackendComponent) -> bool:
        """Whether all bits of that key are there."""
        return self.has_all(DispatchKeySet(key))

    def has_all(self, keys: DispatchKeySet) -> bool:
        """Whether every bit of `keys` is there too (`isSupersetOf`)."""
        return self.raw_repr & keys.raw_repr == keys.raw_repr

    def __or__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet.from_raw_repr(self.raw_repr | other.raw_repr)

    def __and__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet.from_raw_repr(self.raw_repr & other.raw_repr)

    def __sub__(self, other: DispatchKeySet) -> DispatchKeySet:
        """Takes away functionalities only: taking `AutogradCPU` away from a CPU tensor's keys must
        leave `CPU`, and so the backends stay."""
        return DispatchKeySet.from_raw_repr(self.raw_repr & (FULL_BACKEND_MASK | ~other.raw_repr))

    def __xor__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet.from_raw_repr(self.raw_repr ^ other.raw_repr)

    def add(self, key: DispatchKey | BackendComponent) -> DispatchKeySet:
        """The set with that key."""
        return DispatchKeySet.from_raw_repr(self.raw_repr | _repr_of(key))

    def remove(self, key: DispatchKey) -> DispatchKeySet:
        """The set without that key's functionality; as with `-`, the backends stay."""
        return self - DispatchKeySet(key)

    def remove_backend(self, backend: BackendComponent) -> DispatchKeySet:
        """The set without that backend."""
        return DispatchKeySet.from_raw_repr(self.raw_repr & ~_repr_of(backend))

    def highest_functionality_key(self) -> DispatchKey:
        """The functionality whose turn it is; `Undefined` if there is none."""
        return DispatchKey((self.raw_repr >> NUM_BACKENDS).bit_length())

    def highest_backend_key(self) -> BackendComponent:
        """The backend that counts; `InvalidBit` if there is none."""
        return BackendComponent((self.raw_repr & FULL_BACKEND_MASK).bit_length())

    def highest_priority_type_id(self) -> DispatchKey:
        """The key whose kernel is called (`highestPriorityTypeId`)."""
        functionality = self.highest_functionality_key()
        if is_per_backend_functionality_key(functionality):
            return to_runtime_per_backend_functionality_key(
                functionality, self.highest_backend_key()
            )
        return functionality

    def __iter__(self) -> Iterator[DispatchKey]:
        """The keys from the lowest to the highest; a functionality with backends gives one for each
        backend, and so none without."""
        backends = [b for b in BackendComponent if self.raw_repr & _repr_of(b)]
        functionalities = self.raw_repr >> NUM_BACKENDS << 1
        for number in range(NUM_FUNCTIONALITY_KEYS):
            if not functionalities >> number & 1:
                continue
            functionality = DispatchKey(number)
            if is_per_backend_functionality_key(functionality):
                for backend in backends:
                    yield to_runtime_per_backend_functionality_key(functionality, backend)
            else:
                yield functionality

    def __contains__(self, key: DispatchKey) -> bool:
        return self.has(key)

    def __bool__(self) -> bool:
        return self.raw_repr != 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DispatchKeySet) and self.raw_repr == other.raw_repr

    def __hash__(self) -> int:
        return hash(self.raw_repr)

    def __str__(self) -> str:
        return f"DispatchKeySet({', '.join(map(str, self))})"

    __repr__ = __str__


def _offsets_and_masks() -> Iterator[tuple[int, int]]:
    offset = 0
    for number in range(NUM_FUNCTIONALITY_KEYS):
        per_backend = is_per_backend_functionality_key(DispatchKey(number))
        yield offset, FULL_BACKEND_MASK if per_backend else 0
        offset += NUM_BACKENDS if per_backend else 1


# For each functionality: where its slots begin, and which bits say which of them it is.
_OFFSETS_AND_MASKS = tuple(_offsets_and_masks())


def dispatch_table_index(raw_repr: int) -> int:
    """The slot that a set with that integer leads to."""
    offset, mask = _OFFSETS_AND_MASKS[(raw_repr >> NUM_BACKENDS).bit_length()]
    return offset + ((raw_repr & mask) >> 1).bit_length()


def get_dispatch_table_index_for_dispatch_key(key: DispatchKey) -> int:
    """The slot of a runtime key."""
    return dispatch_table_index(_repr_of(key))


def _keys(names: str) -> DispatchKeySet:
    return DispatchKeySet(*(DispatchKey[name] for name in names.split()))


backend_bitset_mask = DispatchKeySet.from_raw_repr(FULL_BACKEND_MASK)
autograd_dispatch_keyset = _keys("AutogradFunctionality AutogradOther AutogradNestedTensor")
autocast_dispatch_keyset = _keys(
    "AutocastCPU AutocastMPS AutocastCUDA AutocastXPU AutocastIPU AutocastHPU AutocastXLA "
    "AutocastPrivateUse1 AutocastMTIA AutocastMAIA"
)
default_included_set = _keys("BackendSelect ADInplaceOrView")
default_excluded_set = autocast_dispatch_keyset
autograd_dispatch_keyset_with_ADInplaceOrView = autograd_dispatch_keyset.add(
    DispatchKey.ADInplaceOrView
)
python_ks = _keys("Python PythonTLSSnapshot")
autogradother_backends = backend_bitset_mask | _keys(
    "FPGA Vulkan Metal CustomRNGKeyId MkldnnCPU Sparse SparseCsr Quantized"
)
after_autograd_keyset = DispatchKeySet.full_after(DispatchKey.AutogradOther)
after_ADInplaceOrView_keyset = DispatchKeySet.full_after(DispatchKey.ADInplaceOrView)
after_func_keyset = DispatchKeySet.full_after(DispatchKey.Functionalize).remove(
    DispatchKey.ADInplaceOrView
)
backend_functionality_keys = backend_bitset_mask | _keys("Dense Quantized Sparse SparseCsr")
