"""The keys of PyTorch's dispatcher: who wants to see a call, and in which order.

A key names a *functionality* (autograd, autocast, tracing, computing on dense tensors …). They are
numbered in the order in which a call is to pass them, the highest first: that number is their
priority. Six of them differ for each device, and so exist a second time as one key a backend: what
`Dense` is to `CPU` and `CUDA`, `AutogradFunctionality` is to `AutogradCPU` and `AutogradCUDA`. And
six are *aliases*: names for many keys at once, to register with, which no tensor ever carries.

Numbers and names are those of `c10/core/DispatchKey.h` in PyTorch 2.13.
"""

from __future__ import annotations

from enum import IntEnum
from types import MappingProxyType

from registry_runtime.cpp_enum import CppEnum


class BackendComponent(IntEnum):
    """`c10::BackendComponent`: where a tensor's data lies. One bit each in a `DispatchKeySet`."""

    InvalidBit = 0
    CPUBit = 1
    CUDABit = 2
    HIPBit = 3
    XLABit = 4
    MPSBit = 5
    IPUBit = 6
    XPUBit = 7
    HPUBit = 8
    VEBit = 9
    LazyBit = 10
    MTIABit = 11
    MAIABit = 12
    PrivateUse1Bit = 13
    PrivateUse2Bit = 14
    PrivateUse3Bit = 15
    MetaBit = 16  # the last, so that a Meta tensor among others is the one that counts

    def __str__(self) -> str:
        return self.name


NUM_BACKENDS = 16
FULL_BACKEND_MASK = (1 << NUM_BACKENDS) - 1


class DispatchKey(CppEnum):
    """`c10::DispatchKey`. `str()` gives what `c10::toString` prints.

    The `StartOf…Backends` are no keys: they stand where a functionality would have the backend
    `InvalidBit`.
    """

    # Functionalities: one bit each in a `DispatchKeySet`.
    Undefined = 0
    Dense = 1
    FPGA = 2
    Vulkan = 3
    Metal = 4
    Quantized = 5
    CustomRNGKeyId = 6
    MkldnnCPU = 7
    Sparse = 8
    SparseCsr = 9
    NestedTensor = 10
    BackendSelect = 11  # for operators without tensor arguments
    Fake = 12
    Python = 13  # __torch_dispatch__
    FuncTorchDynamicLayerBackMode = 14
    Functionalize = 15
    Conjugate = 16
    Negative = 17
    ZeroTensor = 18
    ADInplaceOrView = 19  # counts versions of what is written to, remembers whose view a view is
    AutogradOther = 20
    AutogradFunctionality = 21
    AutogradNestedTensor = 22
    Tracer = 23
    AutocastCPU = 24
    AutocastMTIA = 25
    AutocastMAIA = 26
    AutocastXPU = 27
    AutocastIPU = 28
    AutocastHPU = 29
    AutocastXLA = 30
    AutocastMPS = 31
    AutocastCUDA = 32
    AutocastPrivateUse1 = 33
    FuncTorchBatched = 34
    BatchedNestedTensor = 35
    FuncTorchVmapMode = 36
    Batched = 37
    VmapMode = 38
    FuncTorchGradWrapper = 39
    DeferredInit = 40
    PythonTLSSnapshot = 41
    FuncTorchDynamicLayerFrontMode = 42
    TESTING_ONLY_GenericWrapper = 43
    TESTING_ONLY_GenericMode = 44
    PreDispatch = 45
    PythonDispatcher = 46
    EndOfFunctionalityKeys = 47

    # Functionalities that differ for each backend, in the order of `BackendComponent`: no bits of
    # their own, but slots in an operator's table.
    # fmt: off
    (
        StartOfDenseBackends, CPU, CUDA, HIP, XLA, MPS, IPU, XPU, HPU, VE, Lazy, MTIA, MAIA,
        PrivateUse1, PrivateUse2, PrivateUse3, Meta,
    ) = range(48, 65)
    (
        StartOfQuantizedBackends, QuantizedCPU, QuantizedCUDA, QuantizedHIP, QuantizedXLA,
        QuantizedMPS, QuantizedIPU, QuantizedXPU, QuantizedHPU, QuantizedVE, QuantizedLazy,
        QuantizedMTIA, QuantizedMAIA, QuantizedPrivateUse1, QuantizedPrivateUse2,
        QuantizedPrivateUse3, QuantizedMeta,
    ) = range(65, 82)
    (
        StartOfSparseBackends, SparseCPU, SparseCUDA, SparseHIP, SparseXLA, SparseMPS, SparseIPU,
        SparseXPU, SparseHPU, SparseVE, SparseLazy, SparseMTIA, SparseMAIA, SparsePrivateUse1,
        SparsePrivateUse2, SparsePrivateUse3, SparseMeta,
    ) = range(82, 99)
    (
        StartOfSparseCsrBackends, SparseCsrCPU, SparseCsrCUDA, SparseCsrHIP, SparseCsrXLA,
        SparseCsrMPS, SparseCsrIPU, SparseCsrXPU, SparseCsrHPU, SparseCsrVE, SparseCsrLazy,
        SparseCsrMTIA, SparseCsrMAIA, SparseCsrPrivateUse1, SparseCsrPrivateUse2,
        SparseCsrPrivateUse3, SparseCsrMeta,
    ) = range(99, 116)
    (
        StartOfNestedTensorBackends, NestedTensorCPU, NestedTensorCUDA, NestedTensorHIP,
        NestedTensorXLA, NestedTensorMPS, NestedTensorIPU, NestedTensorXPU, NestedTensorHPU,
        NestedTensorVE, NestedTensorLazy, NestedTensorMTIA, NestedTensorMAIA,
        NestedTensorPrivateUse1, NestedTensorPrivateUse2, NestedTensorPrivateUse3,
        NestedTensorMeta,
    ) = range(116, 133)
    (
        StartOfAutogradFunctionalityBackends, AutogradCPU, AutogradCUDA, AutogradHIP, AutogradXLA,
        AutogradMPS, AutogradIPU, AutogradXPU, AutogradHPU, AutogradVE, AutogradLazy,
        AutogradMTIA, AutogradMAIA, AutogradPrivateUse1, AutogradPrivateUse2, AutogradPrivateUse3,
        AutogradMeta,
    ) = range(133, 150)
    # fmt: on

    # Aliases: neither bits nor slots.
    Autograd = 150
    CompositeImplicitAutograd = 151
    FuncTorchBatchedDecomposition = 152
    CompositeImplicitAutogradNestedTensor = 153
    CompositeExplicitAutograd = 154
    CompositeExplicitAutogradNonFunctional = 155

    # Other spellings that C++ accepts.
    CatchAll = 0
    CPUTensorId = 49
    CUDATensorId = 50
    DefaultBackend = 154
    PrivateUse1_PreAutograd = 146
    PrivateUse2_PreAutograd = 147
    PrivateUse3_PreAutograd = 148
    Autocast = 32

    def __str__(self) -> str:
        return _PRINTED.get(self, self.name)


_PRINTED = MappingProxyType(
    {
        DispatchKey.EndOfFunctionalityKeys: "UnknownUnknown",
        DispatchKey.StartOfDenseBackends: "Undefined",
        DispatchKey.StartOfQuantizedBackends: "QuantizedUndefined",
        DispatchKey.StartOfSparseBackends: "SparseUndefined",
        DispatchKey.StartOfSparseCsrBackends: "SparseCsrUndefined",
        DispatchKey.StartOfNestedTensorBackends: "NestedTensorUndefined",
        DispatchKey.StartOfAutogradFunctionalityBackends: "AutogradUndefined",
    }
)

NUM_FUNCTIONALITY_KEYS = int(DispatchKey.EndOfFunctionalityKeys)

# Where each functionality's block of backends begins.
_BLOCKS = MappingProxyType(
    {
        DispatchKey.Dense: DispatchKey.StartOfDenseBackends,
        DispatchKey.Quantized: DispatchKey.StartOfQuantizedBackends,
        DispatchKey.Sparse: DispatchKey.StartOfSparseBackends,
        DispatchKey.SparseCsr: DispatchKey.StartOfSparseCsrBackends,
        DispatchKey.NestedTensor: DispatchKey.StartOfNestedTensorBackends,
        DispatchKey.AutogradFunctionality: DispatchKey.StartOfAutogradFunctionalityBackends,
    }
)
NUM_RUNTIME_ENTRIES = NUM_FUNCTIONALITY_KEYS + len(_BLOCKS) * (NUM_BACKENDS - 1)


def is_per_backend_functionality_key(key: DispatchKey) -> bool:
    """Whether a functionality has one slot for each backend."""
    return key in _BLOCKS


def is_alias_dispatch_key(key: DispatchKey) -> bool:
    """Whether a key stands for several others and is never called itself."""
    return key >= DispatchKey.Autograd


def to_backend_component(key: DispatchKey) -> BackendComponent:
    """The backend of a per-backend key; `InvalidBit` for the others. `SparseCPU` → `CPUBit`."""
    if not DispatchKey.StartOfDenseBackends <= key <= DispatchKey.AutogradMeta:
        return BackendComponent.InvalidBit
    return BackendComponent((key - DispatchKey.StartOfDenseBackends) % (NUM_BACKENDS + 1))


def to_functionality_key(key: DispatchKey) -> DispatchKey:
    """`SparseCPU` → `Sparse`, `Tracer` → `Tracer`; aliases have none: `Undefined`."""
    if key <= DispatchKey.EndOfFunctionalityKeys:
        return key
    if is_alias_dispatch_key(key):
        return DispatchKey.Undefined
    block = (key - DispatchKey.StartOfDenseBackends) // (NUM_BACKENDS + 1)
    return tuple(_BLOCKS)[block]


def to_runtime_per_backend_functionality_key(
    functionality: DispatchKey, backend: BackendComponent
) -> DispatchKey:
    """`(Sparse, CPUBit)` → `SparseCPU`; `Undefined` if the functionality has no backends."""
    start = _BLOCKS.get(functionality)
    return DispatchKey.Undefined if start is None else DispatchKey(start + backend)


# The backends that share `AutogradOther`, as functionalities without backends do.
_WITHOUT_AUTOGRAD_KEY = (
    BackendComponent.InvalidBit,
    BackendComponent.HIPBit,
    BackendComponent.VEBit,
)


def get_autograd_key_from_backend(backend: BackendComponent) -> DispatchKey:
    """The autograd key of a backend's tensors: `AutogradCPU`, or `AutogradOther`."""
    if backend in _WITHOUT_AUTOGRAD_KEY:
        return DispatchKey.AutogradOther
    return to_runtime_per_backend_functionality_key(DispatchKey.AutogradFunctionality, backend)
