"""One running program, with the registries of every framework that its texts register in.

A source file may include Paddle's headers and PyTorch's; a compiler doesn't mind, and the program
that comes out has both registries. So a text is read once, with the tables of both frameworks
merged, and then each framework takes what is its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import registry_runtime.aten.library.registered as pytorch
import registry_runtime.phi.runtime as paddle
from registry_runtime.aten.library.explain import explain as explain_pytorch
from registry_runtime.cxx import Bindings, CxxError, initialise
from registry_runtime.diagnostic import Diagnostic, Severity
from registry_runtime.phi.explain import explain as explain_phi

if TYPE_CHECKING:
    from registry_runtime.aten.runtime import Runtime as PytorchRuntime

_PYTORCH = re.compile(r"\b(?:torch|at|c10)::|\bDispatchStub\b")

Registration = paddle.Registration | paddle.CompatRegistration | pytorch.Registration


@dataclass(frozen=True, slots=True)
class Initialisation:
    """What running one text did: each tuple in the order of the text."""

    phi: paddle.Initialisation
    aten: pytorch.Initialisation
    registrations: tuple[Registration, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def instantiations(self) -> tuple[paddle.Instantiation, ...]:
        """The explicit instantiations of kernels, which only PHI's macros write."""
        return self.phi.instantiations


class Program:
    """`phi` and `aten` are the frameworks' own runtimes; texts are run here, into both."""

    def __init__(self, phi: paddle.Runtime | None = None) -> None:
        self.phi = phi or paddle.Runtime()

    @cached_property
    def aten(self) -> PytorchRuntime:
        """PyTorch's registries, made when a text first names PyTorch: most of Paddle's never do."""
        from registry_runtime.aten.runtime import Runtime

        return Runtime()

    @cached_property
    def _both(self) -> Bindings:
        return self.phi.bindings | self.aten.bindings

    def run(self, text: str) -> Initialisation:
        """Run the static initialisation of expanded C++. Never raises for what the text holds.

        A declaration that fails gives a diagnostic and registers nothing; the others still run.
        """
        is_pytorch = _PYTORCH.search(text) is not None
        result = initialise(text, self._both if is_pytorch else self.phi.bindings)
        in_phi = self.phi.took(result)
        in_aten = self.aten.took(result) if is_pytorch else pytorch.Initialisation()
        diagnostics = [_explain(error, text) for error in result.errors]
        diagnostics += [_explain(warning, text, "warning") for warning in result.warnings]
        diagnostics += (*in_phi.diagnostics, *in_aten.diagnostics)
        registrations: tuple[Registration, ...] = (
            *in_phi.registrations,
            *in_phi.compat,
            *in_aten.registrations,
        )
        return Initialisation(
            in_phi,
            in_aten,
            tuple(sorted(registrations, key=lambda registration: registration.span.start)),
            tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.span.start)),
        )

    def take_back(self, initialisation: Initialisation) -> None:
        """Leave both registries as if that text had not been run; what it replaced comes back."""
        self.phi.take_back(initialisation.phi)
        if initialisation.aten.objects or initialisation.aten.members:
            self.aten.take_back(initialisation.aten)

    def call(self, name: str, /, *arguments: Any, **named: Any) -> Any:
        """Call a kernel by name: `aten::add.Tensor` is PyTorch's operator, `add` PHI's kernel."""
        call: Callable[..., Any] = self.aten.call if "::" in name else self.phi.call
        return call(name, *arguments, **named)

    def explain_call(self, name: str, /, *arguments: Any, **named: Any) -> Any:
        """The same call the long way, each step told: a CallStory of the framework's own."""
        if "::" in name:
            return self.aten.explain_call(name, *arguments, **named)
        return self.phi.explain_call(name, *arguments, **named)


def _explain(error: CxxError, text: str, severity: Severity = "error") -> Diagnostic:
    return explain_pytorch(error, severity) or explain_phi(error, text, severity)
