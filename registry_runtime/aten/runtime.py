"""One live world of PyTorch: what texts registered in it, and calls through its dispatcher.

A text is run by `registry_runtime.program`, or here alone with `run`. Its static objects hold what
they registered by handles, as in C++; `took` says what that was, entry by entry, and `take_back`
drops the handles, the newest first. So stepping back leaves the dispatcher as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from registry_runtime.aten.call_plan import PlannedFront
from registry_runtime.aten.calling import CallStory, call, explain_call
from registry_runtime.aten.library.explain import explain
from registry_runtime.aten.library.names import aten_bindings
from registry_runtime.aten.library.registered import (
    Initialisation,
    Registered,
    Registration,
    StubRegistration,
)
from registry_runtime.aten.library.torch_library_init import TorchLibraryInit
from registry_runtime.aten.library.undefined_operators import (
    undefined_namespaces,
    undefined_operators,
)
from registry_runtime.aten.linking import link, new_world, unlink
from registry_runtime.cxx import (
    Bindings,
    CxxError,
    CxxFunction,
    Span,
    StaticInitialisation,
    body_span,
    initialise,
)
from registry_runtime.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from registry_runtime.aten.dispatch.dispatcher import Dispatcher
    from registry_runtime.aten.library.library import Library
    from registry_runtime.aten.python_front import PythonFront
    from registry_runtime.aten.stub.dispatch_stub import DispatchStub


class Runtime:
    """PyTorch's registries: `world` is what they are in."""

    def __init__(self) -> None:
        self.world = new_world()
        self._standing: list[TorchLibraryInit | StubRegistration] = []
        self._linked: list[CxxFunction] = []

    @cached_property
    def bindings(self) -> Bindings:
        """The table of C++ names for a text that registers here."""
        return aten_bindings(self.world)

    @property
    def dispatcher(self) -> Dispatcher:
        """Where operators and their kernels are."""
        return self.world.dispatcher

    @cached_property
    def front(self) -> PythonFront:
        """PyTorch as Python code sees it: `front.plus(a, b)` is `a + b`. See `call_plan`."""
        return PlannedFront(self.world)

    @property
    def stubs(self) -> dict[str, DispatchStub]:
        """The stubs by name: `add_stub`."""
        return self.world.stubs

    def run(self, text: str) -> Initialisation:
        """Run the static initialisation of expanded C++. Never raises for what the text holds.

        A block that fails gives a diagnostic and registers nothing; the others still run.
        """
        # Of the headers that it was expanded with nothing is known.
        result = initialise(text, self.bindings, elsewhere=lambda word: True)
        initialisation = self.took(result)
        diagnostics = [_explained(error) for error in result.errors]
        diagnostics += [_explained(warning, "warning") for warning in result.warnings]
        diagnostics += initialisation.diagnostics
        diagnostics.sort(key=lambda diagnostic: diagnostic.span.start)
        return replace(initialisation, diagnostics=tuple(diagnostics))

    def took(self, result: StaticInitialisation) -> Initialisation:
        """What a text that was run with `bindings` registered here.

        Its diagnostics are those that only PyTorch can make; `result.errors` are for the caller.
        """
        objects: list[TorchLibraryInit | StubRegistration] = []
        registrations: list[Registration] = []
        for static in result.objects:
            if isinstance(static.value, TorchLibraryInit | StubRegistration):
                objects.append(static.value)
                registrations += _registrations(static.value, static.span)
        self._standing += objects
        libraries = [made.lib_ for made in objects if isinstance(made, TorchLibraryInit)]
        undefined = [
            *undefined_namespaces(libraries),
            *undefined_operators(self.world, libraries),
        ]
        diagnostics = [*_warnings(libraries), *undefined, *dict.fromkeys(self.world.said)]
        diagnostics += (_explained(error) for library in libraries for error in library.errors)
        self.world.said.clear()
        link(self.world, result.members)
        self._linked += result.members
        return Initialisation(
            tuple(registrations), tuple(diagnostics), tuple(objects), result.members
        )

    def take_back(self, initialisation: Initialisation) -> None:
        """Drop the handles of what that text registered, as if it had not been run.

        What it replaced comes back. Does nothing for what has been taken back already.
        """
        for taken in reversed(initialisation.objects):
            if any(taken is standing for standing in self._standing):
                self._standing = [standing for standing in self._standing if standing is not taken]
                if isinstance(taken, TorchLibraryInit):
                    taken.lib_.reset()
                else:
                    taken.undo()
        gone = [f for f in initialisation.members if any(f is linked for linked in self._linked)]
        self._linked = [f for f in self._linked if not any(f is other for other in gone)]
        unlink(self.world, gone)

    def call(self, name: str, /, *arguments: Any, **named: Any) -> Any:
        """Call an operator, `aten::add.Tensor`, through the dispatcher.

        Arrays count as tensors and come back as arrays. Raises TorchError, in PyTorch's words.
        """
        return call(self.world, name, arguments, named)

    def explain_call(self, name: str, /, *arguments: Any, **named: Any) -> CallStory:
        """The same call the long way; an error is part of the story."""
        return explain_call(self.world, name, arguments, named)


def _warnings(libraries: list[Library]) -> Iterator[Diagnostic]:
    for library in libraries:
        for message, at, hint in library.warnings:
            yield Diagnostic(message, at, hint, "warning")


def _registrations(made: TorchLibraryInit | StubRegistration, span: Span) -> Iterator[Registration]:
    if isinstance(made, StubRegistration):
        kernel = made.kernel
        yield Registration(
            made.stub.name,
            made.key,
            "stub",
            kernel.function if kernel else "nullptr",
            kernel is not None and kernel.runnable,
            made.replaced,
            span,
            span,
            body_span(kernel.source) if kernel and isinstance(kernel.source, CxxFunction) else None,
            stood_in=kernel.stood_in if kernel is not None else None,
        )
        return
    body = body_span(made.function) if isinstance(made.function, CxxFunction) else None
    for registered in made.lib_.registered:
        yield _registration(registered, span, body)


def _registration(registered: Registered, span: Span, body: Span | None) -> Registration:
    return Registration(
        registered.kernel_name,
        registered.key,
        registered.kind,
        registered.function,
        registered.runnable,
        registered.replaced,
        span,
        span if registered.kind == "library" else registered.call,
        body,
        registered.before,
        registered.after,
        registered.stood_in,
    )


def _explained(error: CxxError, severity: Severity = "error") -> Diagnostic:
    said = explain(error, severity)
    return said or Diagnostic(error.message, error.span, error.hint, severity, code=error.code)
