"""Kernels that look at their own outputs, found before anything runs.

`DenseTensor* out` is a return value in all but name: the kernel writes it. What it holds before that
is left over from whoever had the memory, and a kernel that decides by it computes something else on
another day. The guide for moving kernels to PHI warns of it, for no compiler does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from registry_runtime.cxx import CxxFunction, EarlyRead, Vocabulary
from registry_runtime.cxx.early_reads import early_reads
from registry_runtime.diagnostic import Diagnostic

# A function of PHI's has its outputs for parameters; a class of Fluid's asks its context for them.
OF_FUNCTIONS = Vocabulary(
    type="DenseTensor",
    allocating=frozenset({"Alloc", "HostAlloc"}),
    reading=frozenset({"data"}),
)
OF_CLASSES = Vocabulary(
    given_by=frozenset({"Output"}),
    allocating=frozenset({"mutable_data", "Alloc", "HostAlloc"}),
    reading=frozenset({"data"}),
)


def output_reads(functions: Iterable[CxxFunction], words: Vocabulary) -> Iterator[Diagnostic]:
    """A warning at each expression that reads an output too early; each function is read once."""
    told: set[str] = set()
    for function in functions:
        if function.name not in told:
            told.add(function.name)
            for found in early_reads(function, words):
                yield _told(function, found, words)


def _told(function: CxxFunction, found: EarlyRead, words: Vocabulary) -> Diagnostic:
    text = function.program.source.text[found.span.start : found.span.end]
    shown = " ".join(text.split())
    if not found.has_memory:
        takes = (
            "out->mutable_data<T>(context.GetPlace())"
            if words is OF_CLASSES
            else "dev_ctx.template Alloc<T>(out)"
        )
        return Diagnostic(
            f"`{shown}` asks output `{found.output}` for memory that nobody has taken",
            found.span,
            f"Paddle throws here, unless it is an input's, in place; take it first: {takes}",
            "warning",
        )
    return Diagnostic(
        f"`{shown}` reads output `{found.output}`, and nobody has written it yet",
        found.span,
        "it holds what its memory's last owner left: only write an output, and read the inputs",
        "warning",
    )
