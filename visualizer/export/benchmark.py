"""A benchmark as a table to read and as a plot of throughput over size, with the memory's limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from registry_runtime.benchmark.call_cost import CallCost
from registry_runtime.benchmark.results import Change, Results, geomean
from registry_runtime.benchmark.sweep import BODY, OURS, Peer, Row
from visualizer.expansion.wording import counted
from visualizer.layout.tables import table

_NOISY = (
    "Noisy: the middle half of the rounds differ by more than a quarter. Close what else runs; "
    "unfold bench --seconds gives them more time."
)
_UNCLEAR = (
    "Unclear: there is no difference that this run can tell: now one is ahead, now the other, or the "
    "rounds differ by more."
)
_BY_THE_DEVICE = " Times are the GPU's own, without what a call costs the host."
_CACHED = "Above 100% of copy, the tensors came from the cache: it is faster than the memory."
PARTS = ("selecting", "allocating", "launching", "computing")
Colour = tuple[int, int, int]

_NAMES = ("kernel", "dtype")

_WIDTH = 80  # of a terminal
_LONGEST_REASON = 120
_FRAME = 4  # rows of a plot that are its title, its frame and the sizes below
_UNNOTICED = 0.05  # of a ratio: that much is the machine
_LETTERS = {OURS: "u", "numpy": "n", "torch": "t", "paddle": "p", "cupy": "c", BODY: "+"}


def as_table(
    results: Results, changes: Sequence[Change] | None = None, width: int = 0
) -> Iterator[str]:
    """The rows, the ratios' mean, the parts of a call, the builds, and what has changed since; for a
    terminal of this width, or for a pipe."""
    machine = results.machine
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions.items())
    threads = f"{machine.threads} thread{'s' * (machine.threads != 1)}"
    yield from wrap(f"{machine.device}, {threads}; {versions}", _WIDTH)
    yield from wrap(roof(results), _WIDTH)
    yield ""
    rows = [(r.kernel, r.dtype, _short(r.size), *row_cells(r, results)[1:]) for r in results.rows]
    yield from table((*_NAMES, *header(results)), rows, width, numbers=2)
    yield ""
    yield from wrap(verdict(results), _WIDTH)
    for sentence in remarks(results.rows):
        yield from wrap(sentence, _WIDTH)
    yield from _absent(results.rows)
    if results.calls:
        yield ""
        yield "A call through the registry:"
        calls = [(c.kernel, c.dtype, *call_cells(c)) for c in results.calls]
        yield from table((*_NAMES, "size", *PARTS), calls, width, numbers=2)
    if results.builds:
        yield ""
        yield "Compiling, with an empty cache and from a full one:"
        lines = [(b.kernel, b.dtype, duration(b.cold), duration(b.cached)) for b in results.builds]
        yield from table((*_NAMES, "cold", "cached"), lines, width, numbers=2)
    if changes is not None:
        yield ""
        yield from _changes(changes, width, results.complete)


def header(results: Results) -> tuple[str, ...]:
    peers = (f"{name} is" for name in peer_names(results.rows))
    return ("size", OURS, "±", "GB/s", "of copy", *peers)


def row_cells(row: Row, results: Results) -> tuple[str, ...]:
    """A row of a kernel's table: size, time, spread, throughput, share of the roof, and how fast each
    peer is."""
    return (
        f"{row.size:,}",
        duration(row.seconds),
        f"{'noisy ' * row.noisy}{row.spread / row.seconds:.0%}",
        f"{row.bytes / row.seconds / 1e9:.2f}",
        f"{row.copy_share:.0%}",
        *(_beside(row.peers[p]) if p in row.peers else "–" for p in peer_names(results.rows)),
    )


def _beside(peer: Peer) -> str:
    return beside(peer.ratio) if peer.told else "unclear"


def call_cells(cost: CallCost) -> tuple[str, ...]:
    """The size, and what each of the `PARTS` of a call through the registry takes."""
    return (f"{cost.size:,}", *(duration(getattr(cost, part)) for part in PARTS))


def remarks(rows: Sequence[Row]) -> Iterator[str]:
    """What the table has that doesn't explain itself: more than a copy's speed, `noisy`, `unclear`."""
    if any(round(row.copy_share, 2) > 1 for row in rows):
        yield _CACHED
    if any(row.noisy for row in rows):
        yield _NOISY
    if not all(peer.told for row in rows for peer in row.peers.values()):
        yield _UNCLEAR


def _absent(rows: Iterable[Row]) -> Iterator[str]:
    """Why there is no number, once for each kernel and dtype."""
    for kernel, dtype, reason in dict.fromkeys(
        (row.kernel, row.dtype, reason.partition("\n")[0])
        for row in rows
        for reason in row.absent.values()
    ):
        yield from wrap(f"Absent: {kernel} {dtype}: {reason[:_LONGEST_REASON]}", _WIDTH)


def peer_names(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row.peers))


def roof(results: Results) -> str:
    copies = f"{results.copy_bandwidth / 1e9:.1f} GB/s, read and written"
    by = _BY_THE_DEVICE if any(row.backend == "GPU" for row in results.rows) else ""
    return f"Roof: memory copies at {copies}; of copy: the share of that.{by}"


def verdict(results: Results) -> str:
    """The sentence under the table."""
    partly = "" if results.complete else "Stopped early. "
    fastest = [row.peers[row.fastest_peer] for row in results.rows if row.fastest_peer]
    if not fastest:
        return f"{partly}No peer to compare with."
    told = [peer.ratio for peer in fastest if peer.told]
    mean = geomean(told)
    if mean is None:
        return f"{partly}Between {OURS} and the fastest peer, no difference that this run can tell."
    rows = counted(len(told), "row")
    if len(told) < len(fastest):
        rows += f" ({len(fastest) - len(told)} unclear)"
    return f"{partly}Beside {OURS}, the fastest peer is {beside(mean)}: geometric mean of {rows}."


def beside(ratio: float) -> str:
    """`1.69× faster`: how fast somebody is beside us, whose time ÷ ours is this."""
    if abs(ratio - 1) < _UNNOTICED:
        return "as fast"
    return f"{times(1 / ratio)} faster" if ratio < 1 else f"{times(ratio)} slower"


def times(ratio: float) -> str:
    """`0.59×`, `12.3×`, `1,200×`."""
    digits = 2 if ratio < 9.995 else 1 if ratio < 99.95 else 0
    return f"{ratio:,.{digits}f}×"


def duration(seconds: float) -> str:
    """Three digits and a unit, `41.4 µs`."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}" if seconds < 1e3 * scale else f"{seconds:,.0f} s"
    return f"{seconds * 1e9:.0f} ns"


def _changes(changes: Sequence[Change], width: int, complete: bool) -> Iterator[str]:
    if not changes and complete:
        yield "The earlier run has none of these rows."
    elif not changes:
        yield "Stopped before there was a row that the earlier run has too."
    if not changes:
        return
    yield "Since the earlier run (its time ÷ this one's):"
    columns = (*_NAMES, "size", "speed-up", "peer was", "peer is", "")
    rows = [
        (
            change.kernel,
            change.dtype,
            f"{change.size:,}",
            times(change.speedup),
            "–" if change.earlier_ratio is None else beside(change.earlier_ratio),
            "–" if change.ratio is None else beside(change.ratio),
            change.verdict,
        )
        for change in changes
    ]
    yield from table(columns, rows, width, numbers=2)


def series(rows: Sequence[Row]) -> dict[str, list[tuple[int, float]]]:
    """For us and for each peer, the GB/s at each size."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        for name, seconds in [(OURS, row.seconds), *((n, p.seconds) for n, p in row.peers.items())]:
            lines.setdefault(name, []).append((row.size, row.bytes / seconds / 1e9))
    return lines


def plot(
    rows: Sequence[Row],
    bandwidth: float,
    width: int,
    height: int,
    colours: Mapping[str, Colour] | None = None,
) -> str:
    """Throughput over size of one kernel and dtype, both logarithmic, under the roof.

    Each line's points are its name's first letter, so that it can be told without a colour; without
    `colours` there are no escape sequences in the text.
    """
    import plotext

    figure: Any = plotext
    figure.clear_figure()
    figure.theme("clear")
    figure.plot_size(width, height)
    lines = series(rows)
    sizes = sorted({row.size for row in rows})
    at: Callable[[float], float] = math.log10
    for name, points in reversed(lines.items()):  # ours comes last, and lies on top
        look = {"color": colours[name]} if colours and name in colours else {}
        x, y = [at(size) for size, _ in points], [at(speed) for _, speed in points]
        figure.plot(x, y, marker="braille", **look)
        figure.scatter(x, y, marker=_LETTERS[name], **look)
    ceiling = bandwidth / 1e9
    figure.hline(at(ceiling))
    speeds = [speed for points in lines.values() for _, speed in points]
    powers = range(math.floor(at(min(speeds))), math.ceil(at(max(*speeds, ceiling))) + 1)
    top = at(max(*speeds, ceiling)) + 0.2
    figure.ylim(powers[0], top)
    rows_between = max(height - _FRAME - 1, 1)  # plotext drops a label where two come to one row
    told = powers[:: math.ceil((top - powers[0]) / rows_between)]
    figure.yticks(list(told), [f"{10.0**power:g}" for power in told])
    figure.xticks([at(size) for size in sizes], [_short(size) for size in sizes])
    legend = ", ".join(f"{_LETTERS[name]} {name}" for name in lines)
    figure.title(f"GB/s over elements: {legend}, ─ copy")
    text: str = figure.build()
    return text if colours else figure.uncolorize(text)


def _short(size: int) -> str:
    """`10^7`, `2000`."""
    digits = str(size)
    zeros = len(digits) - 1
    return f"10^{zeros}" if size >= 1000 and digits == "1" + "0" * zeros else digits
