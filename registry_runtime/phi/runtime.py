"""One live world of PHI: give it expanded C++, and its registry fills.

Nothing registers itself. What is in the factory after `run` is there because the text's static
objects were constructed, from first to last; take a type out of a registration, and its kernel is
gone. Each opened file can have a world of its own, and several texts can be run into one, as the
object files of a program are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from registry_runtime.cxx import (
    CxxFunction,
    Span,
    StaticInitialisation,
    StaticObject,
    body_span,
    initialise,
    nearest_name,
)
from registry_runtime.phi.backend import string_to_backend
from registry_runtime.phi.explain import Diagnostic, explain
from registry_runtime.phi.kernel import Kernel, KernelArgsDef
from registry_runtime.phi.kernel_factory import (
    CustomKernelMap,
    KernelFactory,
    KernelNameMap,
    remove,
)
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_registrar import KernelRegistrar, Registered, RegType, World
from registry_runtime.phi.kernel_template import (
    FindKernel,
    KernelTemplate,
    Mismatch,
    compare_parameters,
    find_in_kernels,
)
from registry_runtime.phi.names import phi_bindings

if TYPE_CHECKING:
    from registry_runtime.launch import CallStory
    from registry_runtime.phi.selection import Selection


@dataclass(frozen=True, slots=True)
class Registration:
    """One kernel that entered the registry, and where in the text that happened.

    `span` is the registrar object's declaration, `body` the function that the trailing braces are
    the body of. `function` spells the kernel's C++ function with its template arguments.
    `args_def_before` is the description of its arguments before the braces ran; the kernel holds
    the one after.
    """

    kernel_name: str
    key: KernelKey
    kernel: Kernel
    reg_type: RegType
    replaced: bool
    span: Span
    body: Span | None
    function: str
    args_def_before: KernelArgsDef


@dataclass(frozen=True, slots=True)
class Instantiation:
    """An explicit instantiation of a kernel: where C++ compiles `function` for its arguments."""

    function: str
    span: Span


@dataclass(frozen=True, slots=True)
class Initialisation:
    """What running one text did: each tuple in the order of the text."""

    registrations: tuple[Registration, ...]
    diagnostics: tuple[Diagnostic, ...]
    instantiations: tuple[Instantiation, ...] = ()


class Runtime:
    """A registry of PHI's, and the way to fill it.

    `find_kernel` finds the Python kernel for the qualified name of a C++ function template; by
    default `registry_runtime.kernels.find`. `with_cuda` says that the text was expanded with
    `PADDLE_WITH_CUDA`, under which the backend `KPS` is another name for `GPU`.
    """

    def __init__(self, find_kernel: FindKernel = find_in_kernels, with_cuda: bool = False) -> None:
        self._world = World(KernelFactory(with_cuda=with_cuda))
        self._bindings = phi_bindings(self._world)
        self._find_kernel = find_kernel
        self._ran: list[Initialisation] = []
        self._loaded: KernelNameMap = {}

    @property
    def factory(self) -> KernelFactory:
        """Where kernels are looked up."""
        return self._world.factory

    @property
    def custom_kernels(self) -> CustomKernelMap:
        """Where kernels of plug-ins wait for `RegisterCustomKernels(factory)`."""
        return self._world.custom_kernels

    def run(self, text: str) -> Initialisation:
        """Run the static initialisation of expanded C++. Never raises for what the text holds.

        A declaration that fails gives a diagnostic and registers nothing; the others still run.
        """
        result = initialise(text, self._bindings)
        registrations = tuple(
            _registration(static_object, registered)
            for static_object in result.objects
            if isinstance(static_object.value, KernelRegistrar)
            for registered in static_object.value.registered
        )
        diagnostics = [explain(error, text) for error in result.errors]
        diagnostics += [explain(warning, text, "warning") for warning in result.warnings]
        diagnostics += self._find_implementations(registrations)
        self.factory.launchers.clear()
        diagnostics += _undeclared(result, registrations)
        diagnostics += self._unknown_symbols(result)
        initialisation = Initialisation(
            registrations,
            tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.span.start)),
            tuple(Instantiation(str(i.function), i.span) for i in result.instantiations),
        )
        self._ran.append(initialisation)
        return initialisation

    def take_back(self, initialisation: Initialisation) -> None:
        """Leave the registry as if that text had not been run; what it replaced comes back.

        Does nothing for what has been taken back already. No such thing is in Paddle, where a
        registration lasts as long as the program.
        """
        self._ran = [ran for ran in self._ran if ran is not initialisation]
        self._decide({(r.kernel_name, r.key) for r in initialisation.registrations})

    def load_custom_device(self, name: str) -> KernelNameMap:
        """Load a plug-in for this backend: its kernels go from CustomKernelMap to KernelFactory.

        Most bring a device with them, and that is there now; some bring kernels for the CPU. Returns
        those kernels. Raises AlreadyExists, as Paddle does, where a key is taken; then nothing is
        loaded.
        """
        devices = self._world.devices
        backend = string_to_backend(name, devices, with_cuda=self.factory.with_cuda)
        moved = self.custom_kernels.RegisterCustomKernels(self.factory, backend)
        devices.loaded.add(name)
        for kernel_name, kernels in moved.items():
            self._loaded.setdefault(kernel_name, {}).update(kernels)
        return moved

    def unload_custom_device(self, name: str) -> None:
        """Unload it again: its kernels wait in CustomKernelMap as before."""
        self._world.devices.loaded.discard(name)
        places = {
            (n, k) for n, kernels in self._loaded.items() for k in kernels if str(k.backend) == name
        }
        for kernel_name, key in places:
            remove(self._loaded, kernel_name, key)
        self._decide(places)

    @property
    def custom_devices(self) -> Mapping[str, bool]:
        """The plug-ins' devices that were named so far, then other backends that plug-ins brought
        kernels for; and whether each is loaded."""
        devices = self._world.devices
        waiting = (
            str(k.backend) for kernels in self.custom_kernels.kernels.values() for k in kernels
        )
        names = (*devices.device_types(), *waiting, *sorted(devices.loaded))
        return {name: name in devices.loaded for name in names}

    def _decide(self, places: Collection[tuple[str, KernelKey]]) -> None:
        """Put under these names and keys what the texts that stand registered, the latest last."""
        factory, waiting = self.factory.kernels, self.custom_kernels.kernels
        for name, key in places:
            for table in (factory, waiting):
                if key in table.get(name, {}):
                    remove(table, name, key)
        for registration in (r for ran in self._ran for r in ran.registrations):
            name, key, kernel = registration.kernel_name, registration.key, registration.kernel
            if (name, key) in places:
                loaded = self._loaded.get(name, {}).get(key) is kernel
                inner = registration.reg_type is RegType.INNER or loaded
                (factory if inner else waiting).setdefault(name, {})[key] = kernel
        self.factory.launchers.clear()

    @cached_property
    def call(self) -> Callable[..., Any]:
        """`call(kernel_name, *arguments)`: select a kernel for these arguments, and run it.

        The arguments are those of the kernel's C++ function, without context and outputs: arrays or
        tensors, and attributes. Their places and data types make the key, as `KernelKeyParser` finds
        it (`paddle/phi/api/lib/kernel_dispatch.h`); they are transformed to what the kernel expects.
        Returns the output, or a tuple of outputs, as arrays; on a plug-in's device, where an array
        can't tell its place, as DenseTensors. Raises KernelError, in Paddle's words where it has some.
        """
        from registry_runtime.launch import caller  # which knows kernels, as we don't

        return caller(self.factory, self._world.devices)

    def explain_call(self, kernel_name: str, *arguments: Any) -> CallStory:
        """Make the call the long way and tell each step; an error is part of the story."""
        from registry_runtime.launch import explain_call

        return explain_call(self.factory, kernel_name, arguments, self._world.devices)

    def explain_selection(self, kernel_name: str, key: KernelKey) -> Selection:
        """How a call whose tensors make this key finds its kernel, step by step."""
        from registry_runtime.phi.selection import explain_selection  # which needs NumPy

        return explain_selection(self._world, kernel_name, key)

    def _unknown_symbols(self, result: StaticInitialisation) -> Iterator[Diagnostic]:
        """What PD_DECLARE_KERNEL names and nobody has registered: a linker would stop there."""
        for call in result.calls:
            symbol = call.function.removeprefix(_TOUCH)
            if call.is_defined or symbol == call.function:
                continue
            registered = [*self.factory.kernels.items(), *self.custom_kernels.kernels.items()]
            if not any(
                symbol.startswith(f"{name}_{key.backend}_")
                for name, keys in registered
                for key in keys
            ):
                yield Diagnostic(
                    f"no file has registered what PD_DECLARE_KERNEL names: there is no `{symbol}`",
                    call.span,
                    f"the linker would miss {_TOUCH}{symbol}(): open the registering file before this",
                    "warning",
                )

    def _find_implementations(self, registrations: tuple[Registration, ...]) -> list[Diagnostic]:
        templates: dict[str, KernelTemplate | None] = {}
        mismatches: dict[str, Mismatch] = {}
        for registration in registrations:
            function = registration.kernel.function
            if function is None:
                continue
            if function.name not in templates:
                templates[function.name] = self._find_kernel(function.name)
            template = templates[function.name]
            mismatch = compare_parameters(function, template) if template else None
            if mismatch is None:
                registration.kernel.implementation = template
            else:
                mismatches.setdefault(function.name, mismatch)
        hint = "make the two agree; until then the kernel is registered and can't be run"
        return [Diagnostic(m.message, m.span, hint, "error") for m in mismatches.values()]


def _registration(static_object: StaticObject, registered: Registered) -> Registration:
    braces = registered.args_def_fn
    return Registration(
        registered.kernel_name,
        registered.key,
        registered.kernel,
        registered.reg_type,
        registered.replaced,
        static_object.span,
        body_span(braces) if isinstance(braces, CxxFunction) else None,
        registered.kernel.fn.name,
        registered.args_def_before,
    )


def _undeclared(
    result: StaticInitialisation, registrations: tuple[Registration, ...]
) -> list[Diagnostic]:
    named = [i.function for i in result.instantiations]
    named += [r.kernel.function for r in registrations if r.kernel.function is not None]
    first: dict[str, CxxFunction] = {}
    for function in named:
        if function.type is None:
            first.setdefault(function.name, function)
    return [
        Diagnostic(
            f"`{name}` is not declared in this text: its kernels are registered with open slots",
            function.span,
            nearest_name(function) if len(first) <= _SLIPS else "is a header missing?",
            "warning",
        )
        for name, function in first.items()
    ]


# Each registration defines a function of this name, so that PD_DECLARE_KERNEL has one to call.
_TOUCH = "TouchKernelSymbolFor_"

# So many names may be misspelt. Where more are unknown, their header wasn't read, and comparing each
# with all others would take longer than the registrations.
_SLIPS = 20
