"""What the registry knows of the selected entry: its C++ function, and each of its arguments.

The rows are PHI's own `KernelArgsDef`: on which backend, in which layout and with which dtype every
tensor is expected or will be left, and of what type each attribute is. What the braces behind the
registration have changed is marked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive

from registry_runtime.phi.kernel import KernelRegisteredType
from visualizer.tui.ink import Look, Parts, prose
from visualizer.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import TensorArgDef
    from visualizer.workbench import Shown

_QUIET: Look = ("pane--quiet",)


class EntryDetail(Pane):
    class Opened(Message):
        """A click: the reader wants to know all about the entry."""

    shown: reactive[Shown | None] = reactive["Shown | None"](None)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entitle("Entry", "Enter tells all")
        self._content: list[Parts] = []

    def watch_shown(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    def on_click(self) -> None:
        self.post_message(self.Opened())

    def _show(self) -> None:
        if not self.room:
            return
        self._content = [] if self.shown is None else _rows(self.shown, self.room)
        self.hold(len(self._content))
        self.repaint()

    def draw(self, row: int) -> Parts:
        return self._content[row]


def _rows(shown: Shown, width: int) -> list[Parts]:
    registration = shown.entry.registration
    where = shown.entry.where
    rows: list[Parts] = [
        [(registration.kernel_name, ("pane--strong",))],
        [(str(registration.key), ())],
        *prose(registration.function, width, _QUIET),
        [_state(shown), (f"  line {where.line}", _QUIET)],
    ]
    now, before = registration.kernel.args_def, registration.args_def_before
    for word, tensors, earlier in (
        ("input", now.input_defs, before.input_defs),
        ("output", now.output_defs, before.output_defs),
    ):
        for i, tensor in enumerate(tensors):
            old = earlier[i] if i < len(earlier) else None
            rows.append([(f"{word:>6} {i}  ", _QUIET), *_tensor(tensor, old)])
    for i, attribute in enumerate(now.attribute_defs):
        rows.append([(f"  attr {i}  ", _QUIET), (str(attribute.type_index), ())])
    return rows


def _state(shown: Shown) -> tuple[str, Look]:
    if shown.pending:
        return "… still being produced", _QUIET
    if shown.entry.registration.kernel.runnable:
        return "✓ runnable: r runs it", ("pane--good",)
    if shown.entry.registration.kernel.registered_type is KernelRegisteredType.STRUCTURE:
        return "declared: one of Fluid's structures", ("pane--accent",)
    return "declared: no Python kernel", ("pane--accent",)


def _tensor(tensor: TensorArgDef, before: TensorArgDef | None) -> Parts:
    """Backend, layout and dtype; starred where the braces have changed them."""
    parts: Parts = []
    for name in ("backend", "layout", "dtype"):
        value = getattr(tensor, name)
        changed = before is not None and getattr(before, name) != value
        parts.append((f"{value}*" if changed else str(value), ("pane--accent",) if changed else ()))
        parts.append(("  ", ()))
    return parts[:-1]
