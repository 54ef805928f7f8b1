"""One live world of Fluid: which operators there are, and their kernels.

Two maps are all of Fluid's registry: OpInfoMap, where an operator's name leads to what describes it,
and AllOpKernels(), where it leads to its kernels. Both are filled before `main()`, and neither asks the
other: an operator without kernels registers, and so do kernels without an operator.

A world of Fluid's stands on one of PHI's, as Paddle's does since 2022: what Fluid has no kernel for may
be PHI's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from registry_runtime.cxx import Code, CxxFunction, StaticInitialisation, StaticObject
from registry_runtime.diagnostic import Diagnostic
from registry_runtime.fluid.compute import compute_function, refused
from registry_runtime.fluid.default_signature import default_signature
from registry_runtime.fluid.made_up_gradient import failing_makers
from registry_runtime.fluid.name_check import unknown_names, unknown_names_in_mapping
from registry_runtime.fluid.names import fluid_bindings
from registry_runtime.fluid.op_info import OpInfoMap
from registry_runtime.fluid.op_kernel_type import AllOpKernels, ClassKernel
from registry_runtime.fluid.registered import Initialisation, Registration
from registry_runtime.fluid.registrars import OperatorRegistrar, OpKernelRegistrar
from registry_runtime.fluid.world import World
from registry_runtime.phi.arg_map_context import KernelSignature
from registry_runtime.phi.output_reads import OF_CLASSES, output_reads
from registry_runtime.phi.registered import CompatRegistration
from registry_runtime.phi.registered import Registration as PhiRegistration
from registry_runtime.phi.runtime import Runtime as PhiRuntime

if TYPE_CHECKING:
    from registry_runtime.fluid.run_op import OpStory


@dataclass(frozen=True, slots=True)
class _Ran:
    registrations: tuple[Registration, ...]
    touchable: frozenset[str]


class Runtime:
    """Fluid's registries over `phi`, and the way to fill them.

    `bindings` is the table of C++ names for a text that registers here; it is to be joined to PHI's.
    """

    def __init__(self, phi: PhiRuntime) -> None:
        self.phi = phi
        self.world = World()
        self.bindings = fluid_bindings(self.world)
        self._ran: list[_Ran] = []

    @property
    def op_info_map(self) -> OpInfoMap:
        """Where operators are looked up."""
        return self.world.op_info_map

    @property
    def op_kernels(self) -> AllOpKernels:
        """`OperatorWithKernel::AllOpKernels()`: an operator's name to its kernels by their keys."""
        return self.world.op_kernels

    def default_signature(self, op_type: str) -> KernelSignature | None:
        """The signature that the operator's own list of names makes; None without a maker."""
        info = self.op_info_map.GetNullable(op_type)
        if info is None or info.proto is None:
            return None
        return default_signature(info.proto, self.phi.op_utils.GetBaseKernelName(op_type))

    def call_op(
        self,
        op_type: str,
        inputs: Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        outputs: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """Call an operator by names, by PHI's kernel if there is one and by Fluid's if not.

        `inputs` are arrays, tensors, or lists of them. Returns the outputs under their names: all of
        them, or those of `outputs`. Raises OpError and KernelError.
        """
        from registry_runtime.fluid.run_op import run_op  # which knows kernels, as we don't

        return run_op(self, op_type, inputs, attrs, outputs)

    def explain_op(
        self,
        op_type: str,
        inputs: Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        outputs: Sequence[str] | None = None,
    ) -> OpStory:
        """Make the call and tell each step; an error is part of the story."""
        from registry_runtime.fluid.run_op import tell_op

        return tell_op(self, op_type, inputs, attrs, outputs)

    def infer_op(
        self,
        op_type: str,
        inputs: Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        *,
        is_runtime: bool = True,
    ) -> dict[str, Any]:
        """What an operator's outputs look like, by its InferShape: MetaTensors by their names.

        Inputs may be MetaTensors too, whose dims may be -1 if not `is_runtime`. Raises OpError.
        """
        from registry_runtime.fluid.run_op import infer_op

        return infer_op(self, op_type, inputs, attrs, is_runtime=is_runtime)

    def call_gradient(
        self,
        op_type: str,
        inputs: Mapping[str, Any],
        out_grads: Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The gradients of a call's inputs, `{"Input@GRAD": …}`, from those of its outputs.

        The operator's grad op maker writes the call that is made. Raises OpError and KernelError.
        """
        from registry_runtime.fluid.gradient import run_gradient

        return run_gradient(self, op_type, inputs, out_grads, attrs)

    def took(
        self, result: StaticInitialisation, in_phi: Iterable[PhiRegistration] = ()
    ) -> Initialisation:
        """What a text that was run with `bindings` registered here. `in_phi` is what it registered
        there: some of Fluid's classes may be.

        Its diagnostics are those that only Fluid can make; `result.errors` are for the caller.
        """
        made = [o for o in result.objects if isinstance(o.value, _REGISTRARS)]
        registrations = tuple(r for one in made for r in _registrations(one))
        for structure in (one.kernel.fn.structure for one in in_phi):
            if structure is not None:
                refused(structure)  # what its body calls may be in a header
        if registrations:
            self._ran.append(_Ran(registrations, frozenset(map(_touchable, made))))
        diagnostics = (
            *unknown_names(self.world, registrations),
            *failing_makers(registrations),
            *output_reads(_compute_functions(registrations), OF_CLASSES),
            *self._unlinked(result),
        )
        return Initialisation(registrations, diagnostics)

    def unknown_names_in(self, compat: Iterable[CompatRegistration]) -> Iterator[Diagnostic]:
        """Where argument mappings, of a text that was just run, name what their operators of this
        world don't have. The text need not be one of Fluid's."""
        for entry in compat:
            function = entry.registered.cxx_function
            if entry.key == "argument mapping" and function is not None:
                yield from unknown_names_in_mapping(self.world, entry.kernel_name, function)

    def take_back(self, initialisation: Initialisation) -> None:
        """Leave the maps as if that text had not been run; what it replaced comes back."""
        gone = initialisation.registrations
        self._ran = [ran for ran in self._ran if ran.registrations is not gone]
        self.op_info_map.clear()
        self.op_kernels.clear()
        for registration in (r for ran in self._ran for r in ran.registrations):
            registration.enter(self.world)

    def _unlinked(self, result: StaticInitialisation) -> Iterator[Diagnostic]:
        """What USE_OP… names and nobody has registered: a linker would stop there."""
        touchable = {name for ran in self._ran for name in ran.touchable}
        for call in result.calls:
            symbol = _SYMBOL.fullmatch(call.function)
            if symbol is None or call.is_defined or call.function in touchable:
                continue
            yield Diagnostic(
                f"undefined reference to `{call.function}()'",
                call.span,
                self._what_to_link(*symbol.groups()),
                "warning",
                code=Code.UNDEFINED_REFERENCE,
            )

    def _what_to_link(self, of_kernel: str | None, name: str) -> str:
        if of_kernel is None:
            return f"no file registers the operator {name}: open the one that does before this"
        op_type, _, library = name.removesuffix("_DEFAULT_TYPE").rpartition("_")
        if self.phi.factory.HasCompatiblePhiKernel(op_type):
            return f"{op_type}'s kernels are PHI's: write USE_OP_ITSELF({op_type}) for USE_OP"
        macro = f"REGISTER_OP_{library}_KERNEL({op_type}, …)"
        return (
            f"no file has {macro}: open the one that does before this, or USE_OP_ITSELF({op_type})"
        )


def _compute_functions(registrations: Iterable[Registration]) -> Iterator[CxxFunction]:
    """What the class kernels of these registrations compute by, once for each class."""
    classes = [r.entered.kernel_type for r in registrations if isinstance(r.entered, ClassKernel)]
    for of in {of.name: of for of in classes}.values():
        compute = compute_function(of)
        if compute is not None:
            yield compute


_REGISTRARS = (OperatorRegistrar, OpKernelRegistrar)

# The functions that the macros define for others to call, so that a linker keeps the file.
_SYMBOL = re.compile(r"TouchOp(Kernel)?Registrar_(\w+)")


def _touchable(static_object: StaticObject) -> str:
    """The function that stands beside the object `__op_registrar_trace__`."""
    name = static_object.name.removesuffix("__")
    name = name.replace("__op_kernel_registrar_", "TouchOpKernelRegistrar_", 1)
    return name.replace("__op_registrar_", "TouchOpRegistrar_", 1)


def _registrations(static_object: StaticObject) -> Iterator[Registration]:
    made, span = static_object.value, static_object.span
    if isinstance(made, OperatorRegistrar):
        yield Registration(
            "operator",
            made.op_type,
            "operator",
            tuple(map(str, made.classes)),
            True,
            False,
            span,
            made.classes[0].body,
            made.info,
        )
    elif isinstance(made, OpKernelRegistrar):
        for one in made.kernels:
            kernel = one.kernel
            yield Registration(
                "kernel",
                made.op_type,
                one.key,
                (str(kernel),),
                kernel.runnable,
                one.replaced,
                span,
                kernel.kernel_type.body,
                kernel,
            )
