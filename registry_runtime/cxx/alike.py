"""What differs in names alone, and is looked at once for all that is like it.

A file that registers four hundred kernels has come to four hundred times the same dozen of
declarations, with other names. Whether one names something twice, or is no C++ after all though the
grammar takes it, depends on its tokens and on which of its names are the same, and not on what they
are. So where nothing is found in one, there is nothing in those of its *shape*: they are of one kind
in the grammar and hold as many nodes, and are spelled alike but for names, each of which stands at the
same places. What is said of one that is wrong is looked for in each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeVar

from tree_sitter import Node

from registry_runtime.cxx.grammar import language

Found = TypeVar("Found")

_WORD = re.compile(r"\b([^\W\d]\w*)")
# What is a word to the grammar, or to who looks at what it made, and no keyword that it lists.
_OTHER_WORDS = (
    *("auto", "bool", "char", "double", "float", "int", "void", "this", "true", "false"),
    *("const_cast", "dynamic_cast", "reinterpret_cast", "static_cast", "std", "export", "main"),
    *("L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"),
)


class Shapes:
    """Those of the nodes of a text, each found out once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._numbers: dict[tuple[object, ...], int] = {}
        self._known: dict[int, int] = {}  # by the node

    def of(self, node: Node) -> int:
        known = self._known.get(node.id)
        if known is None:
            shape = self._read(node)
            known = self._known[node.id] = self._numbers.setdefault(shape, len(self._numbers))
        return known

    def _read(self, node: Node) -> tuple[object, ...]:
        pieces = _WORD.split(self._text[node.start_byte : node.end_byte])
        names = map(_Names().__getitem__, pieces[1::2])
        return (node.type, node.descendant_count, *pieces[::2], *names)

    def in_each(
        self, nodes: Iterable[Node], look: Callable[[Node], list[Found]]
    ) -> Iterator[Found]:
        """What looking at each of them finds, of which none stands in another."""
        sound: set[int] = set()
        for node in nodes:
            # How the grammar finds its way on depends on what stands around.
            shape = None if node.has_error else self.of(node)
            if shape in sound:
                continue
            found = look(node)
            if not found and shape is not None:
                sound.add(shape)
            yield from found


class _Names(dict[str, object]):
    """The names of one node: each is the number of its first place, apart from those that only the
    implementation may use; keywords stay what they are."""

    def __missing__(self, name: str) -> object:
        known: object = len(self)
        if name in _words() or name.endswith("_t"):
            known = name
        elif name.startswith("__"):
            known = f"__{known}"
        self[name] = known
        return known


@cache
def _words() -> frozenset[str]:
    """Words that are no names to the grammar."""
    of = language()
    kinds = (of.node_kind_for_id(n) for n in range(of.node_kind_count))
    return frozenset((*(kind for kind in kinds if kind), *_OTHER_WORDS))
