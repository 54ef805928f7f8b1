"""The state of a translation unit before an include, to be had again.

Whether the text of a header matters is known only when all of its macros are (`directive_scan`). If it
does, the include is done again, from the state that there was before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion.definitions import Definition

if TYPE_CHECKING:
    from visualizer.expansion.expander import Builtin
    from visualizer.expansion.gnu_directives import Assertions
    from visualizer.expansion.preprocessor import Preprocessor
    from visualizer.expansion.text_operators import TextOperator


@dataclass(frozen=True, slots=True)
class Saved:
    """What an include may have changed by the time that it must be done again."""

    macros: dict[str, Definition]
    once: dict[str, None]
    pushed: dict[str, list[Definition | None]]
    counter: int
    diagnostics: int
    passes: int
    builtins: dict[str, Builtin | TextOperator]
    asserted: Assertions | None
    poisoned: set[str]


def save(p: Preprocessor) -> Saved:
    return Saved(
        p.macros.copy(),
        p.inclusion.once.copy(),
        {name: stack.copy() for name, stack in p.pushed.items()},
        p.counter,
        len(p.diagnostics),
        len(p.passes),
        p.builtins.copy(),
        p.asserted and p.asserted.copy(),
        p.poisoned.copy(),
    )


def restore(p: Preprocessor, saved: Saved) -> None:
    p.macros.clear()
    p.macros.update(saved.macros)
    p.inclusion.once = saved.once.copy()
    p.pushed = {name: stack.copy() for name, stack in saved.pushed.items()}
    p.counter = saved.counter
    p.builtins.update(saved.builtins)
    p.asserted = saved.asserted and saved.asserted.copy()
    p.poisoned = saved.poisoned.copy()
    del p.diagnostics[saved.diagnostics :]
    del p.passes[saved.passes :]
