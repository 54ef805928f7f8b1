"""What is wrong with a text that was run, as only PHI can tell: what a compiler or a linker would miss,
and what Paddle passes over in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from registry_runtime.cxx import Code, CxxFunction, StaticInitialisation, nearest_name
from registry_runtime.diagnostic import Diagnostic, Severity
from registry_runtime.phi.kernel_registrar import World
from registry_runtime.phi.registered import CompatRegistration, Registration


def ignored(entry: CompatRegistration) -> Diagnostic:
    """Of a name that has been registered before: Paddle passes the second one over."""
    article = "an" if entry.key[0] in "aeiou" else "a"
    return Diagnostic(
        f"`{entry.kernel_name}` has {article} {entry.key} already, and this one is passed over",
        entry.span,
        "the first registration of a name stays: remove one of the two",
        "warning",
    )


def unlinked(world: World, result: StaticInitialisation) -> Iterator[Diagnostic]:
    """What PD_DECLARE_… names and nobody has registered: a linker would stop there."""
    utils = world.op_utils
    yield from _unlinked_symbols(
        result, "ARG_MAPPING_FN", "TouchArgumentMappingFnSymbol_", utils.HasArgumentMappingFn
    )
    yield from _unlinked_symbols(
        result,
        "BASE_KERNEL_NAME",
        "TouchBaseKernelNameSymbol_",
        utils.phi_kernel_to_fluid_op().__contains__,
    )
    for call in result.calls:
        symbol = call.function.removeprefix(_TOUCH)
        if call.is_defined or symbol == call.function:
            continue
        registered = [*world.factory.kernels.items(), *world.custom_kernels.kernels.items()]
        if not any(
            symbol.startswith(f"{name}_{key.backend}_") for name, keys in registered for key in keys
        ):
            yield Diagnostic(
                f"no file has registered what PD_DECLARE_KERNEL names: there is no `{symbol}`",
                call.span,
                f"the linker would miss {_TOUCH}{symbol}(): open the registering file before this",
                "warning",
            )


def _unlinked_symbols(
    result: StaticInitialisation, kind: str, touch: str, is_registered: Callable[[str], bool]
) -> Iterator[Diagnostic]:
    for call in result.calls:
        name = call.function.removeprefix(touch)
        if not call.is_defined and name != call.function and not is_registered(name):
            yield Diagnostic(
                f"no file has registered what PD_DECLARE_{kind} names: there is no `{name}`",
                call.span,
                f"the linker would miss {call.function}(): open the registering file before this",
                "warning",
            )


def undeclared(
    result: StaticInitialisation,
    registrations: tuple[Registration, ...],
    missing_headers: Sequence[str] | None,
) -> list[Diagnostic]:
    """Of kernels' functions that nothing declares: if no header is missing, a compiler would stop."""
    named = [i.function for i in result.instantiations]
    named += [r.kernel.function for r in registrations if r.kernel.function is not None]
    first: dict[str, CxxFunction] = {}
    for function in named:
        if function.type is None:
            first.setdefault(function.name, function)
    severity: Severity
    if missing_headers is not None and not missing_headers:
        message, severity = "`{}` is not declared: a compiler stops here", "error"
    else:
        message, severity = _OPEN_SLOTS, "warning"
    may_be = " or ".join(missing_headers or ())
    return [
        Diagnostic(
            message.format(name),
            function.span,
            f"it may be declared in {may_be}, which isn't found"
            if may_be
            else nearest_name(function)
            if len(first) <= _SLIPS
            else "is a header missing?",
            severity,
            code=Code.UNKNOWN_NAME,
        )
        for name, function in first.items()
    ]


_OPEN_SLOTS = "`{}` is not declared in this text: its kernels are registered with open slots"


# Each registration defines a function of this name, so that PD_DECLARE_KERNEL has one to call.
_TOUCH = "TouchKernelSymbolFor_"

# So many names may be misspelt. Where more are unknown, their header wasn't read, and comparing each
# with all others would take longer than the registrations.
_SLIPS = 20
