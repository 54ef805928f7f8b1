"""One running program, with the registries of every framework that its texts register in.

A source file may include Paddle's headers and PyTorch's; a compiler doesn't mind, and the program
that comes out has both registries. Paddle itself has two, Fluid's and PHI's. So a text is read once,
with the tables of all the frameworks that it names merged, and then each takes what is its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import registry_runtime.aten.library.registered as pytorch
import registry_runtime.fluid.registered as paddle_fluid
import registry_runtime.phi.registered as paddle
from registry_runtime.aten.library.explain import explain as explain_pytorch
from registry_runtime.cxx import (
    Bindings,
    Class,
    CxxClass,
    CxxError,
    CxxFunction,
    Refusal,
    initialise,
    missing_bodies,
)
from registry_runtime.cxx.bindings import registers
from registry_runtime.cxx.never_run import never_run
from registry_runtime.diagnostic import Diagnostic, Severity
from registry_runtime.fluid.explain import explain as explain_fluid
from registry_runtime.near import did_you_mean
from registry_runtime.phi.explain import explain as explain_phi
from registry_runtime.phi.runtime import Runtime as PhiRuntime

if TYPE_CHECKING:
    from registry_runtime.aten.runtime import Runtime as PytorchRuntime
    from registry_runtime.fluid.runtime import Runtime as FluidRuntime
    from registry_runtime.phi.kernel_template import KernelTemplate

# What names a framework, and words of which it has one: a text without them needn't be searched.
_PYTORCH = (
    re.compile(r"\b(?:torch|at|c10)::|\bDispatchStub\b"),
    ("torch::", "at::", "c10::", "DispatchStub"),
)
_FLUID = (
    re.compile(
        r"\bOp(?:erator|Kernel)Registrar(?:Ex)? ?<|\bTouchOp(?:Kernel)?Registrar_"
        r"|\bStructKernelImpl ?<"
    ),
    ("OperatorRegistrar", "OpKernelRegistrar", "TouchOp", "StructKernelImpl"),
)
_C_API = (re.compile(r"\bPD_RegisterPhiKernel\b"), ("PD_RegisterPhiKernel",))

Framework = Literal["phi", "fluid", "aten"]
Registration = (
    paddle.Registration
    | paddle.CompatRegistration
    | paddle_fluid.Registration
    | pytorch.Registration
)


@dataclass(frozen=True, slots=True)
class Initialisation:
    """What running one text did: each tuple in the order of the text. `never_run` looks for what a
    compiler refuses though nothing ran it."""

    phi: paddle.Initialisation
    aten: pytorch.Initialisation
    registrations: tuple[Registration, ...]
    diagnostics: tuple[Diagnostic, ...]
    fluid: paddle_fluid.Initialisation = field(default_factory=paddle_fluid.Initialisation)
    unknown: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    unknown_types: frozenset[str] = frozenset()
    never_run: Callable[[], Sequence[Diagnostic]] = tuple

    @property
    def instantiations(self) -> tuple[paddle.Instantiation, ...]:
        """The explicit instantiations of kernels, which only PHI's macros write."""
        return self.phi.instantiations


def _is_named(framework: tuple[re.Pattern[str], Sequence[str]], text: str) -> bool:
    pattern, words = framework
    return any(word in text for word in words) and pattern.search(text) is not None


def find_kernel(qualified_name: str) -> KernelTemplate | None:
    """The kernel in Python that stands for this C++ function template, or None."""
    from registry_runtime import kernels  # many a text has none

    return kernels.known(qualified_name)


def written() -> Collection[str]:
    """The names under which the kernels in Python are registered."""
    from registry_runtime import kernels

    return kernels.registered_names()


class Program:
    """`phi`, `fluid` and `aten` are the frameworks' own runtimes; texts are run here, into all.
    `with_cuda` says that Paddle is built with `PADDLE_WITH_CUDA`."""

    def __init__(self, phi: PhiRuntime | None = None, *, with_cuda: bool = False) -> None:
        self.phi = phi or PhiRuntime(find_kernel, with_cuda=with_cuda, written=written)
        self._joined: dict[tuple[bool, ...], Bindings] = {}

    @cached_property
    def aten(self) -> PytorchRuntime:
        """PyTorch's registries, made when a text first names PyTorch: most of Paddle's never do."""
        from registry_runtime.aten.runtime import Runtime

        return Runtime()

    @cached_property
    def fluid(self) -> FluidRuntime:
        """Fluid's registries over PHI's, made when a text first names Fluid."""
        from registry_runtime.fluid.runtime import Runtime

        return Runtime(self.phi)

    def _bindings(self, text: str, *, is_fluid: bool, is_pytorch: bool) -> Bindings:
        key = is_fluid, is_pytorch, (is_c_api := _is_named(_C_API, text))
        if key not in self._joined:
            joined = self.phi.bindings
            joined = joined | self.phi.c_api_bindings if is_c_api else joined
            joined = joined | self.fluid.bindings if is_fluid else joined
            self._joined[key] = joined | self.aten.bindings if is_pytorch else joined
        return self._joined[key]

    @property
    def derivable(self) -> Collection[str]:
        """The last names of the bound classes that a text's may be derived from."""
        names = self.aten.bindings.names if "aten" in vars(self) else {}
        bases = (n for n, of in names.items() if isinstance(of, Class) and of.base is not None)
        return {name.rpartition("::")[2] for name in bases}

    def registers(self, text: str) -> bool:
        """Whether expanded C++ names a class whose objects register, however it is qualified."""
        is_fluid, is_pytorch = _is_named(_FLUID, text), _is_named(_PYTORCH, text)
        bound = self._bindings(text, is_fluid=is_fluid, is_pytorch=is_pytorch)
        names = (name for name, binding in bound.names.items() if registers(binding))
        last = "|".join(re.escape(name.rpartition("::")[2]) for name in names)
        return re.search(rf"\b(?:{last})\b", text) is not None

    def run(
        self,
        text: str,
        missing_headers: Sequence[str] | None = None,
        elsewhere: Callable[[str], bool] = lambda word: True,
        is_at: Callable[[float], None] = lambda share: None,
    ) -> Initialisation:
        """Run the static initialisation of expanded C++. Never raises for what the text holds.
        `is_at` hears from time to time which share of it has run, and may end it by an exception.

        A declaration that fails gives a diagnostic and registers nothing; the others still run. What
        the text includes and nobody found may declare what it doesn't; None: that isn't known.
        `elsewhere` says whether any header may declare a word.
        """
        is_pytorch, is_fluid = _is_named(_PYTORCH, text), _is_named(_FLUID, text)
        bindings = self._bindings(text, is_fluid=is_fluid, is_pytorch=is_pytorch)
        if is_pytorch:
            self.aten.world.missing_headers = missing_headers or ()
        result = initialise(text, bindings, elsewhere, is_at)
        in_phi = self.phi.took(result, missing_headers)
        in_fluid = paddle_fluid.Initialisation()
        if is_fluid:
            in_fluid = self.fluid.took(result, in_phi.registrations)
        in_aten = self.aten.took(result) if is_pytorch else pytorch.Initialisation()
        diagnostics = [_explain(error, text) for error in result.errors]
        diagnostics += [_explain(warning, text, "warning") for warning in result.warnings]
        diagnostics += (
            *in_phi.diagnostics,
            *in_fluid.diagnostics,
            *in_aten.diagnostics,
        )
        if "fluid" in vars(self):
            diagnostics += self.fluid.unknown_names_in(in_phi.compat)
        registrations: tuple[Registration, ...] = (
            *in_phi.registrations,
            *in_phi.compat,
            *in_fluid.registrations,
            *in_aten.registrations,
        )
        return Initialisation(
            in_phi,
            in_aten,
            tuple(sorted(registrations, key=lambda registration: registration.span.start)),
            tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.span.start)),
            in_fluid,
            frozenset(result.program.unknown),
            frozenset(result.program.called).union(*map(missing_bodies, _stood_in(registrations))),
            frozenset(result.program.unknown_types),
            lambda: [_explain(error, text) for error in never_run(result.program)],
        )

    def take_back(self, initialisation: Initialisation) -> None:
        """Leave the registries as if that text had not been run; what it replaced comes back."""
        self.phi.take_back(initialisation.phi)
        if initialisation.fluid.registrations:
            self.fluid.take_back(initialisation.fluid)
        if initialisation.aten.objects or initialisation.aten.members:
            self.aten.take_back(initialisation.aten)

    def framework_of(self, name: str) -> Framework:
        """Whose registry has something to run under a name. One that no registry has, before a file is
        read say, is told by its form: PyTorch's have a namespace or an overload, or are stubs."""
        made = vars(self)
        if "aten" in made and name in self.aten.stubs:
            return "aten"
        if "fluid" in made and self.fluid.op_info_map.Has(name):
            return "fluid"
        if name in self.phi.factory.kernels or name in self.phi.custom_kernels.kernels:
            return "phi"
        if "::" in name or "." in name or name.endswith("_stub"):
            return "aten"
        return "fluid" if "fluid" in made and self.fluid.op_info_map.map() else "phi"

    def call(self, name: str, /, *arguments: Any, **named: Any) -> Any:
        """Call a kernel by name: `aten::add.Tensor` is PyTorch's operator, `add` PHI's kernel."""
        call: Callable[..., Any] = self.aten.call if "::" in name else self.phi.call
        try:
            return call(name, *arguments, **named)
        except Exception as error:
            self._note(name, error)
            raise

    def explain_call(self, name: str, /, *arguments: Any, **named: Any) -> Any:
        """The same call the long way, each step told: a CallStory of the framework's own."""
        if "::" in name:
            return self.aten.explain_call(name, *arguments, **named)
        return self.phi.explain_call(name, *arguments, **named)

    def _note(self, name: str, error: Exception) -> None:
        """Under the error of a call, what to do instead."""
        if isinstance(error, Refusal):
            hint = error.hint
        elif "::" in name or name in self.phi.factory.kernels:
            hint = ""
        else:
            hint = self._meant(name)
        if hint:
            error.add_note(hint)

    def _meant(self, name: str) -> str:
        """Which kernel or operator somebody may have meant by a name that no kernel has."""
        if "aten" in vars(self):
            from registry_runtime.aten.calling import nearest_operator

            if operator := nearest_operator(self.aten.world, name):
                return f"did you mean {operator}?"
        return did_you_mean(name, self.phi.factory.kernels)


def _stood_in(registrations: Sequence[Registration]) -> Sequence[CxxFunction | CxxClass]:
    """What Python runs in the place of, once for all instances of a template."""
    stood = (registration.stood_in for registration in registrations)
    return [*{of.name: of for of in stood if of is not None}.values()]


def _explain(error: CxxError, text: str, severity: Severity = "error") -> Diagnostic:
    return (
        explain_pytorch(error, severity)
        or explain_fluid(error, severity)
        or explain_phi(error, text, severity)
    )
