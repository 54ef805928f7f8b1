"""One live world of PHI: give it expanded C++, and its registry fills.

Nothing registers itself. What is in the factory after `run` is there because the text's static
objects were constructed, from first to last; take a type out of a registration, and its kernel is
gone. Each opened file can have a world of its own, and several texts can be run into one, as the
object files of a program are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from registry_runtime.cxx import (
    Bindings,
    Span,
    StaticInitialisation,
    initialise,
)
from registry_runtime.diagnostic import Diagnostic
from registry_runtime.phi.backend import CustomRegisteredDeviceMap, string_to_backend
from registry_runtime.phi.complaints import ignored, undeclared, unlinked
from registry_runtime.phi.explain import explain
from registry_runtime.phi.infermeta_fn import MetaFnFactory
from registry_runtime.phi.kernel_factory import (
    CustomKernelMap,
    KernelFactory,
    KernelNameMap,
    remove,
)
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_names import slips, unknown_kernels
from registry_runtime.phi.kernel_registrar import RegType, World
from registry_runtime.phi.kernel_template import (
    FindKernel,
    KernelNames,
    KernelTemplate,
    Mismatch,
    compare_parameters,
    find_none,
)
from registry_runtime.phi.names import phi_bindings
from registry_runtime.phi.op_utils import DefaultKernelSignatureMap, OpUtilsMap
from registry_runtime.phi.output_reads import OF_FUNCTIONS, output_reads
from registry_runtime.phi.registered import (
    CompatRegistration,
    Initialisation,
    Instantiation,
    Registration,
    compat_registrations,
    registrations,
)

if TYPE_CHECKING:
    from registry_runtime.phi.arg_map_context import KernelSignature
    from registry_runtime.phi.call.launch import CallStory
    from registry_runtime.phi.meta_tensor import MetaTensor
    from registry_runtime.phi.op_utils import ArgumentMappingFn
    from registry_runtime.phi.selection import Selection


class Runtime:
    """A registry of PHI's, and the way to fill it.

    `find_kernel` finds the Python kernel for the qualified name of a C++ function template, and
    `written` tells the names under which such kernels are registered. `with_cuda` says that the text
    was expanded with `PADDLE_WITH_CUDA`, under which the backend `KPS` is another name for `GPU`.
    `bindings` is the table of C++ names for a text that registers here.
    """

    def __init__(
        self,
        find_kernel: FindKernel = find_none,
        with_cuda: bool = False,
        written: KernelNames = tuple,
    ) -> None:
        self._world = World(KernelFactory(with_cuda=with_cuda), written=written)
        self.bindings = phi_bindings(self._world)
        self._find_kernel = find_kernel
        self._ran: list[tuple[tuple[Registration, ...], tuple[CompatRegistration, ...]]] = []
        self._loaded: KernelNameMap = {}

    @cached_property
    def c_api_bindings(self) -> Bindings:
        """The table for a text that registers through Paddle's C API: to be joined to `bindings`."""
        from registry_runtime.phi.c_api import c_api_bindings  # for few texts

        return c_api_bindings(self._world)

    @property
    def factory(self) -> KernelFactory:
        """Where kernels are looked up."""
        return self._world.factory

    @property
    def op_utils(self) -> OpUtilsMap:
        """Which kernel an operator of Fluid's is, and what maps its arguments."""
        return self._world.op_utils

    @property
    def devices(self) -> CustomRegisteredDeviceMap:
        """The devices of plug-ins, by which a place of theirs finds its backend."""
        return self._world.devices

    @property
    def default_signatures(self) -> DefaultKernelSignatureMap:
        """The signatures of operators without a mapping. No text registers them: in Paddle they are
        made of the operators' own lists of names."""
        return self._world.default_signatures

    @property
    def meta_fns(self) -> MetaFnFactory:
        """The InferMeta functions, by the beginning of their kernels' names."""
        return self._world.meta_fns

    @property
    def custom_kernels(self) -> CustomKernelMap:
        """Where kernels of plug-ins wait for `RegisterCustomKernels(factory)`."""
        return self._world.custom_kernels

    def run(self, text: str) -> Initialisation:
        """Run the static initialisation of expanded C++. Never raises for what the text holds.

        A declaration that fails gives a diagnostic and registers nothing; the others still run.
        """
        # Of the headers that it was expanded with nothing is known.
        result = initialise(text, self.bindings, elsewhere=lambda word: True)
        initialisation = self.took(result)
        diagnostics = [explain(error, text) for error in result.errors]
        diagnostics += [explain(warning, text, "warning") for warning in result.warnings]
        diagnostics += initialisation.diagnostics
        diagnostics.sort(key=lambda diagnostic: diagnostic.span.start)
        return replace(initialisation, diagnostics=tuple(diagnostics))

    def took(
        self, result: StaticInitialisation, missing_headers: Sequence[str] | None = None
    ) -> Initialisation:
        """What a text that was run with `bindings` registered here: kernels find their Python side.

        Its diagnostics are those that only PHI can make; `result.errors` are for the caller to tell.
        A kernel that isn't declared is an error if no header is missing.
        """
        self._world.texts.append(result.program)
        made = tuple(registrations(result))
        is_whole = missing_headers is not None and not missing_headers
        diagnostics = self._find_implementations(made, is_whole)
        self.factory.launchers.clear()
        diagnostics += undeclared(result, made, missing_headers)
        compat = tuple(compat_registrations(result))
        diagnostics += (ignored(entry) for entry in compat if entry.registered.ignored)
        diagnostics += (slip for entry in compat for slip in slips(self._world, entry))
        diagnostics += unlinked(self._world, result)
        functions = (r.kernel.function for r in made)
        diagnostics += output_reads((f for f in functions if f is not None), OF_FUNCTIONS)
        initialisation = Initialisation(
            made,
            tuple(diagnostics),
            tuple(Instantiation(str(i.function), i.span) for i in result.instantiations),
            compat,
            result.program,
        )
        self._ran.append((initialisation.registrations, compat))
        return initialisation

    def take_back(self, initialisation: Initialisation) -> None:
        """Leave the registry as if that text had not been run; what it replaced comes back.

        Does nothing for what has been taken back already. No such thing is in Paddle, where a
        registration lasts as long as the program.
        """
        gone = initialisation.registrations, initialisation.compat
        self._ran = [ran for ran in self._ran if ran[0] is not gone[0] or ran[1] is not gone[1]]
        self._world.texts[:] = [t for t in self._world.texts if t is not initialisation.text]
        self._decide({(r.kernel_name, r.key) for r in initialisation.registrations})
        if initialisation.compat:
            self._world.op_utils.clear()
            self._world.meta_fns.clear()
            for _, compat in self._ran:
                for entry in compat:
                    entry.registered.enter()

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
        for registration in (r for ran, _ in self._ran for r in ran):
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
        from registry_runtime.phi.call.launch import caller  # many a program calls nothing

        return caller(self.factory, self._world.devices)

    def explain_call(self, kernel_name: str, *arguments: Any) -> CallStory:
        """Make the call the long way and tell each step; an error is part of the story."""
        from registry_runtime.phi.call.launch import explain_call

        return explain_call(self.factory, kernel_name, arguments, self._world.devices)

    def check_call(self, kernel_name: str, *arguments: Any) -> None:
        """Make the call up to its launch; no kernel is built. Raises what `call` does until then."""
        from registry_runtime.phi.call.launch import check_call

        check_call(self.factory, kernel_name, arguments, self._world.devices)

    def argument_mapping_fn(self, op_type: str) -> ArgumentMappingFn | None:
        """The operator's mapping, with its body from whichever text has it."""
        return self._world.argument_mapping_fn(op_type)

    def base_name_place(self, op_type: str) -> tuple[Span, str] | None:
        """Where in which text an operator got its base kernel name; None for one that has none."""
        for _, compat in self._ran:
            for entry in compat:
                named = entry.key == "base kernel name" and not entry.registered.ignored
                if named and entry.kernel_name == op_type and entry.text is not None:
                    return entry.name_span, entry.text.source.text
        return None

    def unknown_kernels(self, registration: CompatRegistration) -> Collection[str]:
        """The kernels that a mapping, or a base kernel name, leads to and that nobody has by now."""
        return unknown_kernels(self._world, registration)

    def op_signature(self, op_type: str, **given: Any) -> KernelSignature:
        """Which kernel an operator's call goes to and in what order: by its mapping, or by default.

        Takes what `call_op` takes, and `is_for_infer_shape`. Raises OpError.
        """
        from registry_runtime.phi.call.op_call import signature_of

        return signature_of(self._world, op_type, **given)

    def call_op(
        self,
        op_type: str,
        inputs: Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Call an operator as Fluid does, by names: `inputs` are arrays, tensors, or lists of them.

        Its signature says which kernel that is, and puts the names in order; then it is a `call`.
        `outputs` gives the kind of tensor wanted under each name, by default DenseTensors under all.
        Returns the outputs under their names. Raises OpError, with the token of the mapping that is to
        blame if one is, and KernelError for what the kernel refuses.
        """
        from registry_runtime.phi.call.op_call import call_op

        return call_op(self._world, self.call, op_type, inputs, attrs or {}, outputs)

    def infer_op(
        self,
        op_type: str,
        inputs: Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        *,
        is_runtime: bool = True,
    ) -> dict[str, MetaTensor]:
        """What an operator's outputs look like: its registered InferMeta, run on the same call.

        Inputs may be MetaTensors too, whose dims may be -1 if not `is_runtime`. Raises OpError.
        """
        from registry_runtime.phi.call.op_call import infer_op

        return infer_op(self._world, op_type, inputs, attrs or {}, is_runtime)

    def explain_selection(self, kernel_name: str, key: KernelKey) -> Selection:
        """How a call whose tensors make this key finds its kernel, step by step."""
        from registry_runtime.phi.selection import explain_selection

        return explain_selection(self._world, kernel_name, key)

    def _find_implementations(
        self, registrations: tuple[Registration, ...], is_whole: bool
    ) -> list[Diagnostic]:
        """Where the text `is_whole`, no header missing, nothing runs for a function that isn't declared
        in it: it would not compile."""
        templates: dict[str, KernelTemplate | None] = {}
        mismatches: dict[str, Mismatch] = {}
        for registration in registrations:
            function = registration.kernel.function
            if function is None or (is_whole and function.type is None):
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
