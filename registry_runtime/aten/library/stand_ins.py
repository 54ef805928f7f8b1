"""What runs when a kernel of the C++ text is called.

The body that the text has is interpreted, if everything that it calls is known: autograd's, a
composite's, the wrapper of a structured kernel. A function without a body is found by its qualified
name among the Python functions of `registry_runtime.aten.native`. Otherwise the kernel is *declared*:
it is registered, and calling it is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature

from registry_runtime.aten.bodies import run
from registry_runtime.aten.dispatch.kernel_function import KernelFunction
from registry_runtime.aten.native import Kernel, find, instead_of
from registry_runtime.aten.world import World
from registry_runtime.cxx import (
    CxxFunction,
    Lambda,
    Span,
    name_span,
    replaced_calls,
    unknown_call,
    without_namespaces,
    without_reference_and_const,
)
from registry_runtime.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where a C++ kernel and the Python function for it disagree: what to say, and the place."""

    message: str
    span: Span


def mismatch(function: CxxFunction, kernel: Kernel) -> Mismatch | None:
    """The first difference between the parameters of the two: a type, or one too few or too many.

    Types count by their last name, without const and references; names of parameters only where
    another parameter has that name.
    """
    if function.type is None:
        return None
    theirs = function.type.parameters
    ours = [(p.name.rstrip("_"), str(p.annotation)) for p in signature(kernel).parameters.values()]
    span = name_span(function) if len(ours) == len(theirs) else None
    for parameter, (name, annotation) in zip(theirs, ours, strict=False):
        spelled = without_namespaces(str(without_reference_and_const(parameter.type)))
        swapped = parameter.name != name and parameter.name in {other for other, _ in ours}
        if spelled != annotation or swapped:
            span = parameter.span
            break
    else:
        if span is not None:
            return None
    source = function.program.source
    in_cxx = ", ".join(" ".join(source.text[p.span.start : p.span.end].split()) for p in theirs)
    in_python = ", ".join(f"{annotation} {name}" for name, annotation in ours)
    return Mismatch(
        f"`{function.name}` takes ({in_cxx}) here, and its Python function ({in_python})",
        span or name_span(function),
    )


def unboxed_kernel(function: CxxFunction | Lambda, world: World) -> Kernel | None:
    """What to call for this C++ function, or None where nobody can."""
    written = _written(function)
    if written is not None and isinstance(function, CxxFunction):
        different = mismatch(function, written)
        if different is not None:
            hint = "make the two agree; until then the kernel is registered and can't be run"
            world.said.append(Diagnostic(different.message, different.span, hint, "error"))
            return None
    if written is not None or unknown_call(function) is not None:
        return written

    def interpreted(*values: object) -> object:
        return run(function, *values)

    return interpreted


def _written(function: CxxFunction | Lambda) -> Kernel | None:
    if isinstance(function, Lambda):
        return None
    return instead_of(function) if function.is_defined else find(function.name)


def stood_in(kernel: KernelFunction) -> CxxFunction | None:
    """The C++ function that Python's runs in the place of: the kernel itself, or the first that it
    calls; None where all of it is interpreted."""
    source = kernel.source
    if source is None or not kernel.runnable:
        return None
    return source if _written(source) is not None else next(iter(replaced_calls(source)), None)


def boxed_kernel(function: CxxFunction, world: World) -> Kernel | None:
    """The same for a boxed kernel `(op, keyset, stack)`; in C++ the key set may be left out."""
    kernel = unboxed_kernel(function, world)
    takes = len(function.type.parameters) if function.type is not None else 3
    if kernel is None or takes == 3:
        return kernel
    return lambda op, keyset, stack: kernel(op, stack)
