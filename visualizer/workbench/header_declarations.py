"""Declarations that stand in included headers, found when somebody needs them.

A registration names a function: `&phi::FullKernel<float, phi::CPUContext>`, `TORCH_FN(mine::one)`. To
know the kernel's arguments the runtime must see its declaration, then the aliases that this is written
with, and all of it may stand in headers whose text was skipped. So the runtime says which names mean
nothing to it; the headers that may declare one of them are expanded, each alone, with the macros as
they are at the end of the file; and of their tokens only the declarations that were asked for are kept,
each in its namespaces. They are tokens like all others: a message about one points into the header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from visualizer.expansion import Options, Token, Trace
from visualizer.expansion.preprocessor import expand_alone
from visualizer.expansion.tokens import IDENTIFIER
from visualizer.workbench.namespace_scope import Item, header_texts, items


@dataclass(frozen=True, slots=True)
class Missing:
    """Names that a text uses and doesn't declare, as they are written there. `types` may be aliases,
    or classes that nobody has to know; the others have to be declared."""

    names: frozenset[str]
    types: frozenset[str]


class Headers:
    """The headers that a file includes, and what was looked up in them."""

    def __init__(self, trace: Trace, options: Options) -> None:
        self._trace, self._options = trace, options
        self._asked: set[str] = set()
        self._expanded: dict[str, list[Item]] = {}
        self._aliases: dict[str, Item] = {}  # by how they are spelled
        self._others: dict[str, Item] = {}

    @cached_property
    def _texts(self) -> list[tuple[str, str]]:
        return list(header_texts(self._trace, self._options))

    def look_up(self, missing: Missing) -> bool:
        """Look for aliases that are missing, and for declarations of the other names: whether there is
        one that wasn't known. Nothing is looked for twice."""
        types, names = missing.types - self._asked, missing.names - self._asked
        self._asked |= types | names
        known = len(self._aliases) + len(self._others)
        self._aliases |= self._found(types, _aliasing, _aliased)
        others = self._found(names, _declaring, _declared)
        self._others |= others or self._found(names, _pasting, _declared)
        return len(self._aliases) + len(self._others) > known

    def declarations(self) -> list[Token]:
        """All that was found, each declaration behind those that it is written with."""
        placed: dict[str, list[Token]] = {}
        begun: set[str] = set()
        for spelled in self._aliases:
            self._place(spelled, placed, begun)
        placed |= {spelled: _alone(item) for spelled, item in self._others.items()}
        return [token for declaration in placed.values() for token in declaration]

    def _place(self, spelled: str, placed: dict[str, list[Token]], begun: set[str]) -> None:
        if spelled in begun:
            return
        begun.add(spelled)
        words = {t.text for t in self._aliases[spelled].head}
        for other, alias in self._aliases.items():
            if _aliased(alias) & words:
                self._place(other, placed, begun)
        placed[spelled] = _alone(self._aliases[spelled])

    def _found(
        self,
        names: Collection[str],
        pattern_for: Callable[[Collection[str]], re.Pattern[str]],
        declared: Callable[[Item], set[str]],
    ) -> dict[str, Item]:
        if not names or not self._trace.included:
            return {}
        wanted = {_last(name) for name in names}
        pattern, spaces = pattern_for(wanted), {_last(name.rpartition("::")[0]) for name in names}
        found: dict[str, Item] = {}
        for path, text in self._texts:
            # The namespaces first: a pattern takes longer.
            if any(space in text for space in spaces) and pattern.search(text):
                for item in self._items(path, text):
                    if declared(item) & wanted:
                        found.setdefault(" ".join(t.text for t in _alone(item)), item)
        return found

    def _items(self, path: str, text: str) -> list[Item]:
        if path not in self._expanded:
            tokens = expand_alone(path, text, self._trace, self._options)
            self._expanded[path] = list(items(tokens))
        return self._expanded[path]


def _alone(item: Item) -> list[Token]:
    """Its declaration. A class that is derived from another comes with what is in it."""
    is_class = _derived_class(item.head) is not None and item.is_closed
    return item.alone(item.body if is_class else ())


# --- What text may declare ------------------------------------------------------------------------


def _last(name: str) -> str:
    return name.rpartition("::")[2]


def _any_of(names: Collection[str]) -> str:
    return rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b"


def _aliasing(names: Collection[str]) -> re.Pattern[str]:
    name = _any_of(names)
    return re.compile(rf"\busing\s+(?:[\w:]+::)?{name}\s*[=;]|\btypedef\b[^;{{}}]*{name}[^;{{}}]*;")


def _declaring(names: Collection[str]) -> re.Pattern[str]:
    name = _any_of(names)
    return re.compile(
        rf"{name}\s*\(|\bextern\b[^;{{}}()]*{name}\s*;|\busing\s+[\w:]+::{name}\s*;"
        rf"|^[ \t]*[A-Z]\w*\([^;{{}}]*{name}",  # handed to a macro that declares it
        re.MULTILINE,
    )


def _pasting(names: Collection[str]) -> re.Pattern[str]:
    """Text that hands a part of one of the names to a macro, which may make the name by `##`."""
    parts = {name[:end] for name in names for end in range(3, len(name))}
    parts |= {name[start:] for name in names for start in range(1, len(name) - 2)}
    handed = _any_of(parts) if parts else r"(?!)"
    return re.compile(rf"^[ \t]*\w+\([^;{{}}()]*{handed}[^;{{}}()]*\)", re.MULTILINE)


# --- What tokens declare --------------------------------------------------------------------------


def _aliased(item: Item) -> set[str]:
    """The name that `using X = …;`, `using a::X;` or a typedef makes known."""
    words = [t.text for t in item.head]
    if words[:1] == ["using"] and words[1:2] != ["namespace"]:
        return {words[1] if words[2:3] == ["="] else words[-1]}
    if words[:1] != ["typedef"]:
        return set()
    pointed_to = [w for before, w in pairwise(words) if before == "*"]
    return {words[-1]} if item.head[-1].kind == IDENTIFIER else set(pointed_to)


def _declared(item: Item) -> set[str]:
    """Names of functions and objects that an item declares, and of a class that has a base."""
    head, words = item.head, [t.text for t in item.head]
    if name := _derived_class(head):
        return {name}
    if words[:1] == ["extern"] and head[-1].kind == IDENTIFIER:
        return {words[-1]}
    return _aliased(item) or {
        token.text
        for before, token, behind in zip(head, head[1:], head[2:], strict=False)
        if token.kind == IDENTIFIER
        and behind.text == "("
        and (before.kind == IDENTIFIER or before.text in ("*", "&", ">"))
        and before.text != "return"
    }


def _derived_class(head: Sequence[Token]) -> str | None:
    """`add_stub` of `struct add_stub final : DispatchStub<fn, add_stub>`."""
    words = [t.text for t in head if t.text != "final"]
    if not words or words[0] not in ("class", "struct") or ":" not in words:
        return None
    return words[words.index(":") - 1]
