"""One world of PyTorch: what in a process are its singletons.

A C++ program has one dispatcher and one object for each stub, and whoever names them gets the same.
Here each opened program has a world of its own, so that what one registers the other doesn't see.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.library.libtorch import Fallbacks
from registry_runtime.aten.library.registered import NOTHING, Registrations
from registry_runtime.aten.stub.dispatch_stub import DispatchStub
from registry_runtime.cxx import CxxFunction

Kernel = Callable[..., Any]
FindKernel = Callable[[str, "World"], "Kernel | None"]


def find_in_native(qualified_name: str, world: World) -> Kernel | None:
    """`registry_runtime.aten.native.find`, imported when the first kernel is looked for."""
    from registry_runtime.aten import native

    return native.find(qualified_name, world)


@dataclass(frozen=True, slots=True)
class StubChoice:
    """A stub was called: which slot it took (`AVX2`; a device's name where it has but one kernel),
    which function was there, and which slots are filled."""

    stub: str
    slot: str
    function: str
    filled: tuple[str, ...]


def _in_class(function: CxxFunction) -> str:
    return "::".join(function.name.split("::")[-2:])


class World:
    """`dispatcher` holds operators, `fallbacks` those that libtorch brings, `stubs` the stubs by
    name.

    `allow_list` is what a selective build keeps: a library for another key registers nothing. None
    keeps every key. `is_mobile` is what C10_MOBILE says: one kernel a key, and no schema inferred
    from a kernel's type. `warnings` are what PyTorch would have printed.
    """

    def __init__(
        self,
        find_kernel: FindKernel = find_in_native,
        allow_list: Collection[DispatchKey] | None = None,
        is_mobile: bool = False,
    ) -> None:
        self.allow_list, self.is_mobile = allow_list, is_mobile
        self.warnings: list[str] = []
        self.dispatcher = Dispatcher(
            warn=self.warnings.append, one_kernel_per_dispatch_key=is_mobile
        )
        self.fallbacks = Fallbacks(self.dispatcher)
        # Member functions that texts define: `structured_add_Tensor::meta`, the latest last.
        self.members: dict[str, list[CxxFunction]] = {}
        self.mismatches: list[Any] = []  # of `stand_ins`, until somebody tells them
        self.stubs: dict[str, DispatchStub] = {}
        self.filled: dict[tuple[str, str], list[Any]] = {}  # what texts put into each slot
        self.has_own_kernels_only = find_kernel is find_in_native
        self.plans: dict[str, dict[Any, Any]] = {}  # of `call_plan`
        self.version = 0  # counts what was registered and taken back
        self.dispatcher.changed = self._changed
        self._find_kernel = find_kernel
        self.stub_stories: list[list[StubChoice]] = []

    def _changed(self) -> None:
        self.version += 1
        for plans in self.plans.values():
            plans.clear()

    def is_watched(self) -> bool:
        """Whether somebody wants to be told what calls do."""
        return self.dispatcher.tell is not None or bool(self.stub_stories)

    def find(self, qualified_name: str) -> Kernel | None:
        """The Python function for a C++ one; None where nobody wrote it."""
        return self._find_kernel(qualified_name, self)

    def link(self, functions: Iterable[CxxFunction]) -> None:
        """Take member functions that a text defines into the program."""
        for function in functions:
            self.members.setdefault(_in_class(function), []).append(function)
            self._changed()

    def unlink(self, functions: Iterable[CxxFunction]) -> None:
        """Take them out again."""
        for function in functions:
            standing = self.members[_in_class(function)]
            standing[:] = [other for other in standing if other is not function]
            self._changed()

    def allows(self, key: DispatchKey) -> bool:
        """`c10::impl::dispatch_key_allowlist_check`."""
        return self.allow_list is None or key in self.allow_list

    def stub(self, class_name: str) -> DispatchStub:
        """The stub whose class is called so: `at::native::add_stub_DECLARE_DISPATCH_type`."""
        name = class_name.rpartition("::")[2].removesuffix("_DECLARE_DISPATCH_type")
        if name not in self.stubs:
            self.stubs[name] = DispatchStub(name, self._changed)
        return self.stubs[name]

    @contextmanager
    def stubs_told_to(self, choices: list[StubChoice]) -> Iterator[None]:
        """Inside, every stub of this world that is called says so in `choices`."""
        self.stub_stories.append(choices)
        try:
            yield
        finally:
            self.stub_stories.remove(choices)

    def tell_stub(self, choice: Callable[[], StubChoice]) -> None:
        """A stub's kernel has been called."""
        for story in self.stub_stories:
            story.append(choice())

    def registrations(self, name: OperatorName) -> Registrations:
        """What is registered for this operator now."""
        found = self.dispatcher.findOp(name)
        if found is None:
            return NOTHING
        entry = found.operatorDef_.op
        kernels = {key: tuple(kernels) for key, kernels in entry.kernels_.items()}
        return Registrations(kernels, tuple(self.dispatcher.backendFallbackKernels_))
