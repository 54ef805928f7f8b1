"""What the run pane tells, in rows: a kernel before it is run, what a run gave, what a clock said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.lab.values import shown_shape
from visualizer.layout.rows import (
    ACCENT,
    CHANGED,
    LABEL,
    QUIET,
    RIGHT,
    STRONG,
    WRONG,
    labelled,
)
from visualizer.layout.words import Parts, Styles, clipped, prose

if TYPE_CHECKING:
    from registry_runtime.benchmark.experiment import Timed
    from registry_runtime.kernels.template import Build
    from registry_runtime.lab.phi.experiment import Experiment
    from registry_runtime.lab.phi.operands import Outline
    from registry_runtime.lab.phi.outcome import Outcome
    from registry_runtime.lab.timing import Timing

_BAR = 30
_WIDE = 60  # cells, from which on three numbers at each end of a row fit
_WHOLE = 60  # numbers that are shown, and not only the first and the last
_LINES = 12  # that one array takes


def facts(experiment: Experiment, waiting: bool, width: int) -> list[Parts]:
    """What there is to know of a kernel that hasn't been run."""
    rows = list(_facts(experiment, width))
    if waiting:
        rows += labelled("waits", "in CustomKernelMap for its plug-in: no call finds it yet", width)
    return rows


def unmeasured(width: int) -> list[Parts]:
    return [[("m measures how long it takes", QUIET)]]


def outline(drawn: Outline, names: Iterable[str]) -> list[Parts]:
    """What comes out of it, and how much memory all of it takes."""
    names = [*names, "memory"]
    room = max(map(len, names)) + 1
    rows: list[Parts] = [
        [(name.ljust(room), QUIET), (shown_shape(meta.dims), ()), (f" {meta.dtype}", QUIET)]
        for name, meta in zip(names, drawn.outs, strict=False)
    ]
    size = drawn.bytes
    unit, divisor = ("GB", 1e9) if size >= 1e9 else ("MB", 1e6) if size >= 1e5 else ("kB", 1e3)
    return [*rows, [(f"{names[-1]:{room}}{size / divisor:,.1f} {unit}", QUIET)]]


def built(experiment: Experiment, build: Build, bits: int) -> str:
    """One line: how long it took, from the cache or not, and how wide its registers are."""
    cached = "from the cache on disk" if build.from_cache else "compiled"
    lanes = bits // (8 * experiment.instance.dtype.numpy.itemsize)
    width = f", SIMD {bits} bits wide: {lanes} × {experiment.instance.dtype}" if bits else ""
    return f"Built in {build.compile_seconds * 1e3:,.0f} ms, {cached}{width}"


def outcome(experiment: Experiment, there: Outcome, width: int) -> list[Parts]:
    """Inputs, result, NumPy's result, and whether they agree."""
    rows = [*_verdict(there, width), []]
    for name, value in there.inputs.items():
        rows += _value(name, value, width)
    for name, result in there.results.items():
        rows += [[], *_value(name, result, width)]
        rows += _value("NumPy", there.references[name], width)
    rows += [[], *labelled("took", f"{_time(there.seconds)} this once; m measures", width)]
    return rows + list(_facts(experiment, width))


def measured(experiment: Experiment, there: Timed, width: int) -> list[Parts]:
    """Ours beside NumPy's: the medians, their spreads, and a bar for each."""
    slowest = max(there.ours.median, there.numpy.median)
    rows: list[Parts] = []
    for name, timing in (("unfold", there.ours), ("NumPy", there.numpy)):
        rows += [
            [
                (name.ljust(LABEL), QUIET),
                (_time(timing.median).rjust(10), STRONG),
                (f"  ± {_time(timing.spread / 2)}", QUIET),
            ],
            [(" " * LABEL, ()), *_bar(timing, slowest, width - LABEL)],
        ]
    said, styles = _beside_numpy(there)
    rows += [[], *labelled("", said, width, styles), []]
    rate = there.elements / there.ours.median
    rows += labelled("throughput", f"{there.gigabytes_per_second:,.2f} GB/s", width)
    rows += labelled("", f"{rate / 1e6:,.0f} million elements a second", width)
    rows += labelled("moves", f"{there.bytes:,} bytes in a call, at least", width)
    rounds = f"{len(there.ours.rounds)} in turns; medians ± half the interquartile range"
    rows += labelled("rounds", rounds, width)
    rows += labelled("NumPy by", there.by, width)
    arguments = ", ".join(f"{name} {text}" for name, text in experiment.spelled.items())
    rows += labelled("arguments", arguments, width)
    return rows + labelled("data", experiment.data, width)


def _beside_numpy(there: Timed) -> tuple[str, Styles]:
    if not there.told:
        return "no difference that this run can tell", QUIET
    if there.ratio >= 1:
        return f"{there.ratio:.2f} × as fast as NumPy", RIGHT
    return f"NumPy is {1 / there.ratio:.2f} × as fast", CHANGED


def _facts(experiment: Experiment, width: int) -> Iterator[Parts]:
    kernel = experiment.kernel
    function = str(kernel.function) if kernel.function else kernel.fn.name
    yield from labelled("kernel", function, width)
    yield from labelled("key", str(experiment.key), width)
    template: Any = kernel.implementation
    if template is not None:
        module = template.signature.__module__.replace(".", "/")
        yield from labelled("source", f"{module}.py, in the C++ body's place", width)


def _verdict(there: Outcome, width: int) -> list[Parts]:
    if there.agrees:
        return [[("✓ the kernel and NumPy agree", RIGHT)]]
    rows: list[Parts] = [[("✗ the kernel and NumPy differ", WRONG)]]
    for difference in there.differences:
        rows += prose(str(difference), width)
    return rows


def _value(name: str, value: Any, width: int) -> list[Parts]:
    """A name, what kind of value it is, and as much of it as makes sense to see."""
    if not hasattr(value, "shape"):
        return labelled(name, str(value), width)
    kind = f"{value.dtype}[{', '.join(map(str, value.shape))}]"
    fine = width >= _WIDE or value.ndim < 2
    with np.errstate(all="ignore"):
        text = np.array2string(
            value,
            max_line_width=max(width - 2, 20),
            threshold=_WHOLE,
            edgeitems=3 if fine else 2,
            precision=6 if width >= _WIDE else 3,
        )
    lines = text.splitlines()
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], "…"]
    head: Parts = [(f"{name} ".ljust(LABEL), QUIET), (kind, ())]
    return [head, *(clipped([(f"  {line}", ())], width, "…") for line in lines)]


def _bar(timing: Timing, slowest: float, room: int) -> Parts:
    cells = max(min(room, _BAR), 4)
    filled = max(round(cells * timing.median / slowest), 1)
    return [("█" * filled, ACCENT), ("·" * (cells - filled), QUIET)]


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return (
                f"{seconds / scale:,.3g} {unit}" if seconds < 1000 * scale else f"{seconds:,.0f} s"
            )
    return f"{seconds * 1e9:,.3g} ns"
