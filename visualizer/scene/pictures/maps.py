"""A map of maps: a kernel's name leads to a map of its own, and in that a key leads to the kernel.

    KernelFactory     bitwise_and
    bitwise_and ────▸ (CPU, Undefined(AnyLayout), bool)
    bitwise_or        (CPU, Undefined(AnyLayout), uint8) ★

Plug-ins' kernels stand in a map of the same kind, in which no call looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from visualizer.layout.words import Parts, clipped
from visualizer.messages import _
from visualizer.scene.pictures.cells import ACCENT, QUIET, STRONG, cell

if TYPE_CHECKING:
    from visualizer.scene.scene import Scene
    from visualizer.workbench.entries import Shown

_MOST = 8  # rows of one map


def maps(scene: Scene, width: int) -> list[Parts]:
    """Of PHI's kernels; the names' column is as wide as they are."""
    if not scene.bench.registers:
        return []
    from registry_runtime.phi import Registration
    from visualizer.frameworks.phi.story import held_in

    held: dict[str, dict[str, list[Shown]]] = {}
    for shown in scene.registry:
        registration = shown.entry.registration
        if isinstance(registration, Registration) and not shown.pending:
            where = held_in(scene.bench.program.phi, registration)
            if where != "replaced":
                names = held.setdefault(where, {})
                names.setdefault(registration.kernel_name, []).append(shown)
    rows: list[Parts] = []
    for place in sorted(held, reverse=True):
        rows += [[]] if rows else []
        rows += _map(place, held[place], width)
    return [clipped(row, width, "…") for row in rows]


def _map(place: str, names: dict[str, list[Shown]], width: int) -> list[Parts]:
    newest = next((n for n, all_ in names.items() if any(s.newest for s in all_)), [*names][-1])
    column = min(max(map(cell_len, (place, *names))) + 6, max(width // 2, 12))
    keys = names[newest]
    first = next((n for n, shown in enumerate(keys) if shown.newest), len(keys) - 1)
    begin = max(min(first - _MOST + 2, len(keys) - _MOST), 0)
    right: list[Parts] = [[(newest, STRONG)]]
    for shown in keys[begin : begin + _MOST]:
        mark = [(" ★", ACCENT)] if shown.newest else []
        right.append([(str(shown.entry.registration.key), STRONG if shown.newest else ()), *mark])
    left: list[Parts] = [cell(place, column, QUIET)]
    listed = [*names]
    at = listed.index(newest)
    begin = max(min(at, len(listed) - _MOST), 0)
    for name in listed[begin : begin + _MOST]:
        if name == newest:
            line = "─" * max(column - cell_len(name) - 3, 1)
            left.append([(name, STRONG), (f" {line}▸ ", ACCENT)])
        else:
            left.append(cell(name, column))
    rows = []
    for n in range(max(len(left), len(right))):
        begun = left[n] if n < len(left) else [(" " * column, ())]
        rows.append([*begun, *(right[n] if n < len(right) else [])])
    if place == "CustomKernelMap":
        rows.append([(_("They wait for their plug-in: no call looks here."), QUIET)])
    return rows
