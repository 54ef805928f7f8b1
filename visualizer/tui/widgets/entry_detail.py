"""The kernel that the selected key leads to: its C++ function, and each of its arguments.

The rows are PHI's own `KernelArgsDef`: on which backend, in which layout and with which dtype every
tensor is expected or will be left, and of what type each attribute is. Where the braces behind the
registration have changed something, both stand there: before → after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive

from registry_runtime.phi.kernel import KernelRegisteredType
from visualizer.tui.ink import Look, Parts, clipped, prose
from visualizer.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import TensorArgDef
    from visualizer.workbench import Shown

_QUIET: Look = ("pane--quiet",)
_CHANGED: Look = ("pane--accent",)


class EntryDetail(Pane):
    class Opened(Message):
        """A click: the reader wants to know all about the entry."""

    shown: reactive[Shown | None] = reactive["Shown | None"](None)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.entitle("Kernel", "Enter tells all")
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
            rows += [
                [(label, _QUIET), *parts]
                for label, parts in zip(
                    (f"{word:>6} {i}  ", "  braces  "),
                    _tensor(tensor, old, width - 10),
                    strict=False,
                )
            ]
    for i, attribute in enumerate(now.attribute_defs):
        rows.append([(f"  attr {i}  ", _QUIET), (str(attribute.type_index), ())])
    return [clipped(row, width, "…") for row in rows]


def _state(shown: Shown) -> tuple[str, Look]:
    if shown.pending:
        return "… still being produced", _QUIET
    if shown.entry.registration.kernel.runnable:
        return "✓ runnable: r runs it", ("pane--good",)
    if shown.entry.registration.kernel.registered_type is KernelRegisteredType.STRUCTURE:
        return "declared: one of Fluid's structures", ("pane--accent",)
    return "declared: no Python kernel", ("pane--accent",)


def _tensor(tensor: TensorArgDef, before: TensorArgDef | None, width: int) -> list[Parts]:
    """Backend, layout and dtype, `before → after` where the braces have changed one of them; in two
    rows if one has no room for that."""
    whole: Parts = []
    for name in ("backend", "layout", "dtype"):
        value = str(getattr(tensor, name))
        old = value if before is None else str(getattr(before, name))
        whole += [(old, ()), (f" → {value}", _CHANGED)] if old != value else [(value, ())]
        whole.append(("  ", ()))
    if before is None or sum(len(text) for text, _ in whole) - 2 <= width:
        return [whole[:-1]]
    was = f"{before.backend}  {before.layout}  {before.dtype}"
    return [
        [(was, ())],
        [("→ ", _CHANGED), (f"{tensor.backend}  {tensor.layout}  {tensor.dtype}", _CHANGED)],
    ]
