"""Which invocations change nothing but their own text, so that they may be passed over.

Who asks about one line needs no other line expanded, except for what is still felt behind it: each use
of `__COUNTER__` counts, and a `_Pragma` may push or pop a macro. An invocation comes to those only by
names that stand in it or in the replacement lists that it leads to, or by a name that `##` makes, which
begins with one of these pieces. So the words that it may come to are found without expanding anything:
more of them than it does come to, and never fewer. A replacement list with a parenthesis too many may
reach for what stands behind it, and is never passed over either.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from visualizer.expansion.definitions import PASTE, Definition
from visualizer.expansion.tokens import IDENTIFIER

FELT = ("__COUNTER__", "_Pragma")


@dataclass(frozen=True, slots=True)
class _Leads:
    """Where a replacement list leads: the names in it, and whether it pastes."""

    names: frozenset[str]
    pastes: bool
    closed: bool  # each parenthesis by one of its own


class Effects:
    """Of the invocations in a text, with the macros that there are at the moment."""

    def __init__(
        self,
        macros: Mapping[str, Definition],
        built_in: Collection[str],
        felt: Collection[str] = FELT,
    ) -> None:
        """`felt`: the names that are felt behind the invocation that comes to them."""
        self._felt = felt
        self._macros = macros
        self._built_in = built_in
        self._all_names = ""
        self._inert: dict[str, bool] = {}
        self._leads: dict[Definition, _Leads] = {}
        self._sorted: list[str] = []
        self._known: dict[frozenset[str], frozenset[str] | None] = {}

    def macros_changed(self) -> None:
        self._known.clear()
        self._sorted.clear()
        self._inert.clear()
        self._all_names = ""

    def is_inert(self, name: str) -> bool:
        """Whether a name makes no difference to what an invocation does: it is no part of any macro's,
        so that nothing pasted of it is one either."""
        inert = self._inert.get(name)
        if inert is None:
            self._all_names = self._all_names or "\n".join(
                {*self._macros, *self._built_in, *self._felt}
            )
            inert = self._inert[name] = name not in self._all_names
        return inert

    def counts_on(self, piece: str) -> bool:
        """Whether this and a number that is pasted to it may be a macro's name."""
        return any(n[len(piece) :][:1].isdigit() for n in self._beginning_with(piece))

    def words(self, names: Iterable[str]) -> frozenset[str] | None:
        """All names that an invocation with these names in it may come to, these among them; None if
        it may be felt elsewhere."""
        key = frozenset(names)
        if key not in self._known:
            self._known[key] = self._reached(key)
        return self._known[key]

    def _reached(self, names: frozenset[str]) -> frozenset[str] | None:
        reached: set[str] = set()
        pasted: set[str] = set()  # pieces whose names were looked for
        pending, pastes = set(names), False
        while pending:
            reached |= pending
            if not reached.isdisjoint(self._felt):
                return None
            leads = [self._of(self._macros[name]) for name in pending if name in self._macros]
            if not all(each.closed for each in leads):
                return None
            pastes = pastes or any(each.pastes for each in leads)
            pending = {name for each in leads for name in each.names} - reached
            if pastes:
                pieces = (reached | pending) - pasted
                pending |= {name for p in pieces for name in self._beginning_with(p)} - reached
                pasted |= pieces
        return frozenset(reached)

    def _of(self, definition: Definition) -> _Leads:
        if definition not in self._leads:
            own = definition.parameter_set
            body = definition.replacement
            names = {t.text for t in body if t.kind == IDENTIFIER and t.text not in own}
            # A comma before ## only goes, or stays.
            pastes = any(t.text in PASTE and body[i - 1].text != "," for i, t in enumerate(body))
            self._leads[definition] = _Leads(frozenset(names), pastes, _closes(definition))
        return self._leads[definition]

    def _beginning_with(self, piece: str) -> list[str]:
        """The macros whose names go on behind this."""
        if not self._sorted:
            self._sorted = sorted({*self._macros, *self._felt})
        start = bisect_right(self._sorted, piece)
        return self._sorted[start : bisect_right(self._sorted, piece + "\U0010ffff")]


def _closes(definition: Definition) -> bool:
    depth = 0
    for token in definition.replacement:
        depth += (token.text == "(") - (token.text == ")")
        if depth < 0:
            return False
    return depth == 0
