"""A kernel that looks at its own output: moving it to PHI would move the mistake with it.

PHI hands a kernel its outputs as parameters, but they are what it returns, and hold whatever the
memory's last owner left there. The guide warns of it, no compiler does, and the migrated kernel would
look quite right.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import early_reads_in
from registry_runtime.phi.output_reads import OF_CLASSES
from visualizer.migration.bodies.body import Body

_BEFORE_MEMORY = "asks output {} for memory before it has any: Alloc it first"
_BEFORE_WRITING = "reads output {} before anything wrote it: only write an output, read the inputs"


def note_output_reads(body: Body, block: Node) -> None:
    """A note at each expression that reads an output too early."""
    rewriter = body.rewriter
    for found in early_reads_in(block, rewriter.source.parsed, OF_CLASSES):
        node = block.descendant_for_byte_range(found.span.start, found.span.end)
        if node is not None:
            said = _BEFORE_WRITING if found.has_memory else _BEFORE_MEMORY
            rewriter.note(node, "output_read", f"this {said.format(found.output)}")
