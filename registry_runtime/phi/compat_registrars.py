"""The constructors behind PHI's compatibility macros: what joins an operator of Fluid's to PHI.

Each is a static object like `KernelRegistrar`, and enters one thing into one map. `registered` says
what that was. Sources: `paddle/phi/core/compat/op_utils.cc`, `paddle/phi/core/infermeta_utils.h`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from registry_runtime.cxx import CxxFunction, unknown_call
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.infermeta_fn import InferMetaFn
from registry_runtime.phi.kernel_registrar import World

CompatKind = Literal["argument mapping", "base kernel name", "infer meta"]


@dataclass(frozen=True, slots=True)
class CompatRegistered:
    """One thing that a registrar entered.

    `name` is the operator's; of an `infer meta` the beginning of its kernels' names. `function` spells
    the mapping or the InferMeta, or is PHI's name for the operator; `cxx_function` is the C++ one,
    where there is one. `ignored` says that the map had the name already and kept what it had. `enter`
    enters it again; `has_body` asks whether there is something to run by now, all of which is
    understood.
    """

    name: str
    kind: CompatKind
    function: str
    cxx_function: CxxFunction | None
    has_body: Callable[[], bool]
    ignored: bool
    enter: Callable[[], object]


@dataclass(frozen=True, slots=True)
class CompatRegistrar:
    """An `ArgumentMappingFnRegistrar`, a `BaseKernelNameRegistrar` or an `InferMetaFnRegistrar`."""

    registered: CompatRegistered


def argument_mapping_fn_registrar(world: World, *arguments: object) -> CompatRegistrar:
    """`phi::ArgumentMappingFnRegistrar(op_type, arg_mapping_fn)`.

    Raises InvalidArgument for a function of another type than a mapping's.
    """
    op_type, fn = _two("ArgumentMappingFnRegistrar", arguments)
    if not isinstance(fn, CxxFunction):
        raise InvalidArgument("a function that maps arguments is wanted here", argument=1)
    if fn.type is not None and str(fn.type) != _MAPPING:
        raise InvalidArgument(
            f"`{fn.name}` is a {fn.type}, and no argument mapping",
            hint="write KernelSignature f(const ArgumentMappingContext& ctx)",
            argument=1,
        )
    ignored = world.op_utils.HasArgumentMappingFn(op_type)

    def enter() -> None:
        world.op_utils.InsertArgumentMappingFn(op_type, fn)

    def has_body() -> bool:
        found = world.defining(fn)
        return found.is_defined and unknown_call(found) is None

    enter()
    return CompatRegistrar(
        CompatRegistered(op_type, "argument mapping", fn.name, fn, has_body, ignored, enter)
    )


_MAPPING = "phi::KernelSignature (const phi::ArgumentMappingContext&)"


def base_kernel_name_registrar(world: World, *arguments: object) -> CompatRegistrar:
    """`phi::BaseKernelNameRegistrar(op_type, base_kernel_name)`."""
    op_type, name = _two("BaseKernelNameRegistrar", arguments)
    if not isinstance(name, str):
        raise InvalidArgument("a kernel's name is wanted here", argument=1)
    ignored = op_type in world.op_utils.fluid_op_to_phi_kernel()

    def enter() -> None:
        world.op_utils.InsertBaseKernelName(op_type, name)
        world.op_utils.InsertFluidOplName(op_type, name)

    enter()
    return CompatRegistrar(
        CompatRegistered(op_type, "base kernel name", name, None, lambda: True, ignored, enter)
    )


def infer_meta_fn_registrar(world: World, *arguments: object) -> CompatRegistrar:
    """`phi::InferMetaFnRegistrar(kernel_name_prefix, infer_meta_fn)`. Raises AlreadyExists."""
    prefix, fn = _two("InferMetaFnRegistrar", arguments)
    if not isinstance(fn, InferMetaFn):
        raise InvalidArgument("PD_INFER_META(function) is wanted here", argument=1)

    def enter() -> None:
        world.meta_fns.Insert(prefix, fn)

    def has_body() -> bool:
        return fn.can_run

    enter()
    return CompatRegistrar(
        CompatRegistered(prefix, "infer meta", fn.name, fn.declared, has_body, False, enter)
    )


def _two(registrar: str, arguments: tuple[object, ...]) -> tuple[str, object]:
    if len(arguments) != 2:
        raise InvalidArgument(f"{registrar} takes 2 arguments, and got {len(arguments)}")
    name, value = arguments
    if not isinstance(name, str):
        raise InvalidArgument("a name is wanted here", argument=0)
    return name, value
