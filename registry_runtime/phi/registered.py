"""What a text registered in PHI, and where in the text that happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from registry_runtime.cxx import (
    CxxFunction,
    Span,
    StaticInitialisation,
    StaticObject,
    body_span,
)
from registry_runtime.cxx.program import Program as Text
from registry_runtime.diagnostic import Diagnostic
from registry_runtime.phi.compat_registrars import CompatKind, CompatRegistered, CompatRegistrar
from registry_runtime.phi.kernel import Kernel, KernelArgsDef
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_names import name_token
from registry_runtime.phi.kernel_registrar import KernelRegistrar, Registered, RegType


@dataclass(frozen=True, slots=True)
class Registration:
    """One kernel that entered the registry, and where in the text that happened.

    `span` is the registrar object's declaration, `body` the function that the trailing braces are
    the body of. `function` spells the kernel's C++ function with its template arguments.
    `args_def_before` is the description of its arguments before the braces ran; the kernel holds
    the one after.
    """

    framework: ClassVar[str] = "phi"
    call: ClassVar[None] = None  # the static object registers, and no statement elsewhere
    linked: ClassVar[tuple[str, ...]] = ()  # no body is interpreted that could call another
    kernel_name: str
    key: KernelKey
    kernel: Kernel
    reg_type: RegType
    replaced: bool
    span: Span
    body: Span | None
    function: str
    args_def_before: KernelArgsDef

    @property
    def runnable(self) -> bool:
        """Whether somebody wrote the kernel in Python, so that a call can run it."""
        return self.kernel.runnable

    @property
    def stood_in(self) -> CxxFunction | None:
        """What of the text Python runs in the place of: a kernel's body is never interpreted, and a
        structure's, which is one of Fluid's classes, always."""
        return self.kernel.function if self.runnable else None


@dataclass(frozen=True, slots=True)
class CompatRegistration:
    """What joins an operator of Fluid's to PHI, and where in the text that was registered.

    `kernel_name` is the operator's name; of an `infer meta` the beginning of its kernels' names.
    `function` spells the mapping or the InferMeta, and for a base kernel name is that. `body` is the
    mapping's, where this text has it, `name_span` that of the function or name in the declaration.
    These maps replace nothing.
    """

    framework: ClassVar[str] = "compat"
    call: ClassVar[None] = None  # the static object registers, and no statement elsewhere
    linked: ClassVar[tuple[str, ...]] = ()
    kernel_name: str
    key: CompatKind
    function: str
    span: Span
    body: Span | None
    name_span: Span
    registered: CompatRegistered
    replaced: bool = False
    text: Text | None = field(default=None, repr=False, compare=False)

    @property
    def runnable(self) -> bool:
        """Whether there is something to run: not for a function that has a body nowhere, by now."""
        return self.registered.has_body()

    @property
    def stood_in(self) -> None:
        """A body that the text has is interpreted; Python's InferMeta is for those without one."""
        return


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
    compat: tuple[CompatRegistration, ...] = ()
    text: Text | None = field(default=None, repr=False, compare=False)


def registrations(result: StaticInitialisation) -> Iterator[Registration]:
    """The kernels that a text's static objects registered, in its order."""
    for static_object in result.objects:
        match static_object.value:
            case KernelRegistrar(registered=made) | tuple(made):
                for one in made:
                    if isinstance(one, Registered):
                        yield _registration(static_object, one)


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


def compat_registrations(result: StaticInitialisation) -> Iterator[CompatRegistration]:
    """What it registered that joins Fluid's operators to PHI."""
    for static_object in result.objects:
        if isinstance(static_object.value, CompatRegistrar):
            made = static_object.value.registered
            fn = made.cxx_function
            mapped = fn is not None and fn.is_defined and made.kind == "argument mapping"
            yield CompatRegistration(
                made.name,
                made.kind,
                made.function,
                static_object.span,
                body_span(fn) if fn is not None and mapped else None,
                name_token(made.function, result.program.source.text, static_object.span),
                made,
                text=result.program,
            )
