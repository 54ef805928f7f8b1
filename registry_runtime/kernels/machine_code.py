"""Finding, in a long listing of assembly, the loop in which the time is spent.

A compiler writes a loop down several times: for whole registers, for what is left over, for operands
that overlap. The one that works on most elements at a time is the one that large arrays go through. In
the listing it is a basic block that ends by jumping back to its own label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Widest first: a register's name, or a lane arrangement on ARM, and its width in bits.
_REGISTERS = (
    ("%zmm", 512),
    ("%ymm", 256),
    ("%xmm", 128),
    (".4s", 128),
    (".2d", 128),
    (".16b", 128),
)
_LABEL = re.compile(r"^([.\w$]+):", re.MULTILINE)
_JUMP = re.compile(r"^\s+(?:j\w+|b\.\w+|b|cbn?z|tbn?z)\s+(?:.*,\s*)?([.\w$]+)\s*$")
_NO_INSTRUCTION = re.compile(r"^\s*(?:[.#/;@]|$)")


@dataclass(frozen=True, slots=True)
class HotLoop:
    """`text` is the loop, `instructions` counts its instructions and `bits` is the register width."""

    text: str
    instructions: int
    bits: int


def simd_width(assembly: str) -> int:
    """The widest vector register that is named, in bits; 0 where there is none."""
    return next((bits for register, bits in _REGISTERS if register in assembly), 0)


def hot_loop(assembly: str) -> HotLoop | None:
    """The loop with the widest registers, and of these the one with most vector instructions."""
    found = [HotLoop(text, len(lines), simd_width(text)) for text, lines in _loops(assembly)]
    return max(found, key=lambda loop: (loop.bits, _vector_instructions(loop)), default=None)


def _vector_instructions(loop: HotLoop) -> int:
    return sum(any(name in line for name, _ in _REGISTERS) for line in loop.text.splitlines())


def _loops(assembly: str) -> Iterator[tuple[str, list[str]]]:
    labels = list(_LABEL.finditer(assembly))
    for i, label in enumerate(labels):
        end = labels[i + 1].start() if i + 1 < len(labels) else len(assembly)
        lines = assembly[label.start() : end].splitlines()
        for n, line in enumerate(lines):
            jump = _JUMP.match(line)
            if jump is not None and jump[1] == label[1]:
                block = lines[: n + 1]
                yield "\n".join(block), [s for s in block[1:] if not _NO_INSTRUCTION.match(s)]
                break
