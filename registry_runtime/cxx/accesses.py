"""What C++ leaves unsequenced: [intro.execution], [expr.call].

Of the operands of `+`, and of the arguments of a call, C++ doesn't say which is evaluated first. So
`i++ + i` and `f(i++, i)` have no value that anybody can foresee, nor has `f(x) + g(x)` where both
change `x`. Objects say when they are read and changed; an object that one operand changes and
another touches is a `Refusal`.
"""

from __future__ import annotations

import threading
from itertools import pairwise

from registry_runtime.cxx.span import Refusal


class _Noted(threading.local):
    # What was read and changed so far, and whether; None where nobody wants to know.
    log: list[tuple[object, bool]] | None = None


_noted = _Noted()


def note(object: object, *, changes: bool) -> None:
    """An object is read, or is changed."""
    if _noted.log is not None:
        _noted.log.append((object, changes))


class Unsequenced:
    """Around evaluations in no order: `next()` is to be called behind each, and `compare()` then."""

    def __enter__(self) -> Unsequenced:
        self._outermost = _noted.log is None
        self._log = [] if _noted.log is None else _noted.log
        _noted.log = self._log
        self._starts = [len(self._log)]
        return self

    def __exit__(self, *error: object) -> None:
        if self._outermost:
            _noted.log = None

    def next(self) -> None:
        """One of them is evaluated."""
        self._starts.append(len(self._log))

    def compare(self) -> None:
        """Raises Refusal if one of them changes what another touches."""
        first, last = self._starts[0], self._starts[-1]
        if not any(changes for _, changes in self._log[first:last]):
            return
        # Objects stay in the log, so that no two have one identity.
        touched_before: set[int] = set()
        changed_before: set[int] = set()
        for start, end in pairwise(self._starts):
            touched = {id(object) for object, _ in self._log[start:end]}
            changed = {id(object) for object, changes in self._log[start:end] if changes}
            if changed_before & touched or touched_before & changed:
                raise Refusal(
                    "one operand changes what another one uses, and C++ says no order",
                    hint="make two statements of it",
                )
            touched_before |= touched
            changed_before |= changed
