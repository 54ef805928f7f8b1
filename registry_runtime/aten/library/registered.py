"""What one statement of a library did: `m.def`, `m.impl`, `m.fallback`; and the table around it.

A registration changes slots of its operator's table, often many at once. To show which, the
registrations as they were before and after are kept; a table is computed from them when somebody
looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from registry_runtime.cxx import CxxFunction, Span
from registry_runtime.diagnostic import Diagnostic

if TYPE_CHECKING:
    from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
    from registry_runtime.aten.dispatch.dispatch_table import AnnotatedKernel
    from registry_runtime.aten.dispatch.dispatcher import Dispatcher
    from registry_runtime.aten.dispatch.operator_name import OperatorName
    from registry_runtime.aten.library.torch_library_init import TorchLibraryInit
    from registry_runtime.aten.stub.dispatch_stub import DispatchStub
    from registry_runtime.aten.stub.stub_kernel import StubKernel

RegistrationKind = Literal["def", "impl", "fallback", "fallthrough", "library", "stub"]
ComputedTable = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Registrations:
    """An operator's registrations at one moment, and the fallbacks of all operators."""

    kernels: Mapping[DispatchKey, Sequence[AnnotatedKernel]] = field(default_factory=dict)
    fallbacks: Sequence[AnnotatedKernel] = ()

    def table(self) -> ComputedTable:
        """What each runtime key leads to (the kernel's function), and PyTorch's word for why; keys
        that lead nowhere are left out."""
        # Paddle's programs know these classes too, and never look at a table.
        from registry_runtime.aten.dispatch import dispatch_table as tables

        found: dict[str, tuple[str, str]] = {}
        fallbacks = self.fallbacks or tables.no_fallbacks()
        for key in tables.RUNTIME_KEYS:
            annotated, reason = tables.compute_dispatch_table_entry(self.kernels, fallbacks, key)
            if annotated.kernel.isValid():
                found[str(key)] = spell(annotated), reason
        return found


NOTHING = Registrations()


def registrations_of(dispatcher: Dispatcher, name: OperatorName) -> Registrations:
    """What is registered for this operator now."""
    found = dispatcher.findOp(name)
    if found is None:
        return NOTHING
    entry = found.operatorDef_.op
    kernels = {key: tuple(kernels) for key, kernels in entry.kernels_.items()}
    return Registrations(kernels, tuple(dispatcher.backendFallbackKernels_))


def spell(annotated: AnnotatedKernel) -> str:
    """A kernel as a table shows it: its C++ function, or what it is instead of one."""
    if annotated.kernel.isFallthrough():
        return "fallthrough"
    return annotated.kernel.function or annotated.debug


@dataclass(frozen=True, slots=True)
class Registered:
    """One entry: see `Registration`, which adds the static object that it belongs to."""

    kernel_name: str
    key: str
    kind: RegistrationKind
    function: str
    runnable: bool
    replaced: bool
    call: Span
    before: Registrations = NOTHING
    after: Registrations = NOTHING
    stood_in: CxxFunction | None = None


@dataclass(frozen=True, slots=True)
class StubRegistration:
    """A slot or a pointer of a stub that a text filled; `undo` puts back what was there."""

    stub: DispatchStub
    key: str
    kernel: StubKernel | None
    replaced: bool
    undo: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Registration:
    """One thing that a text put into PyTorch's registries, and where that happened.

    `kernel_name` is the operator ("aten::add.Tensor"), the stub ("add_stub"), the namespace of a
    library, or `_` for a fallback. `key` is printed as PyTorch prints it: `CPU`,
    `CompositeImplicitAutograd`; `schema` for a def; `CPU AVX2` or `CUDA` for a stub. `function`
    spells the C++ function, or the schema. `runnable` is False for a kernel that can't be called
    here, and `replaced` says that the key had one before. `span` is the declaration of the static
    object that did it, `call` the `m.impl(...)` inside its function, `body` that function. `stood_in`
    is the C++ function that Python's runs in the place of, the kernel or one that it calls; None where
    all that the text has is interpreted.
    """

    framework: ClassVar[str] = "aten"
    linked: ClassVar[tuple[str, ...]] = ()
    kernel_name: str
    key: str
    kind: RegistrationKind
    function: str
    runnable: bool
    replaced: bool
    span: Span
    call: Span
    body: Span | None
    before: Registrations = field(default=NOTHING, repr=False, compare=False)
    after: Registrations = field(default=NOTHING, repr=False, compare=False)
    stood_in: CxxFunction | None = field(default=None, repr=False, compare=False)

    @property
    def table_before(self) -> ComputedTable:
        """The operator's computed table before: what each dispatch key led to, and why."""
        return self.before.table()

    @property
    def table_after(self) -> ComputedTable:
        """The same, behind this registration."""
        return self.after.table()


@dataclass(frozen=True, slots=True)
class Initialisation:
    """What running one text did: each tuple in the order of the text."""

    registrations: tuple[Registration, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    objects: tuple[TorchLibraryInit | StubRegistration, ...] = field(default=(), repr=False)
    members: tuple[CxxFunction, ...] = field(default=(), repr=False)
