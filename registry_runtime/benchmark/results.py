"""What a benchmark found out, as one JSON document, and what became of an earlier one.

`{"rows": […], "geomean": R, …}`: R is the geometric mean over the rows of the fastest peer's time ÷
ours. Two runs are compared row by row. A kernel counts as faster or slower only where the middle
halves of the two runs' rounds don't touch, and by a twentieth: anything less may be the machine.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from registry_runtime.benchmark.build_cost import BuildCost
from registry_runtime.benchmark.call_cost import CallCost
from registry_runtime.benchmark.machine import Machine
from registry_runtime.benchmark.sweep import BenchmarkError, Peer, Row

VERSION = 1
_UNNOTICED = 0.05  # memory lies elsewhere in another process: that much comes of it alone


@dataclass(frozen=True)
class Results:
    """All of one run; `complete` is false where it was cancelled. The date is ISO 8601, in UTC."""

    date: str
    machine: Machine
    copy_bandwidth: float
    rows: tuple[Row, ...]
    calls: tuple[CallCost, ...] = ()
    builds: tuple[BuildCost, ...] = ()
    complete: bool = True

    @property
    def geomean(self) -> float | None:
        """None where no row has a peer."""
        return geomean(row.ratio for row in self.rows)


@dataclass(frozen=True)
class Change:
    """One row, now and then. `speedup` is the earlier seconds ÷ the later ones."""

    kernel: str
    dtype: str
    size: int
    backend: str
    speedup: float
    verdict: str  # faster, slower, same
    ratio: float | None
    earlier_ratio: float | None


def geomean(ratios: Iterable[float | None]) -> float | None:
    known = [math.log(ratio) for ratio in ratios if ratio is not None]
    return math.exp(sum(known) / len(known)) if known else None


def as_json(results: Results) -> dict[str, Any]:
    document = asdict(results) | {"version": VERSION, "geomean": results.geomean}
    for row, found in zip(document["rows"], results.rows, strict=True):
        row |= {"ratio": found.ratio, "fastest_peer": found.fastest_peer, "noisy": found.noisy}
    return document


def save(results: Results, path: Path) -> None:
    """Writes all or nothing: a reader never sees half a file. Raises OSError."""
    text = json.dumps(as_json(results), indent=1) + "\n"
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), 0o644)  # mkstemp's is for nobody else to read
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def load(path: Path) -> Results:
    """What `save` wrote. Raises BenchmarkError for a file that isn't there, or isn't one of those."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BenchmarkError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise BenchmarkError(f"{path} is not JSON; pass a file that --save wrote") from None
    try:
        if document["version"] != VERSION:
            raise BenchmarkError(f"{path} has version {document['version']}, not {VERSION}")
        return Results(
            date=str(document["date"]),
            machine=Machine(**document["machine"]),
            copy_bandwidth=float(document["copy_bandwidth"]),
            rows=tuple(_row(row) for row in document["rows"]),
            calls=tuple(CallCost(**call) for call in document["calls"]),
            builds=tuple(BuildCost(**build) for build in document["builds"]),
            complete=bool(document["complete"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BenchmarkError(
            f"{path} holds no benchmark results ({type(error).__name__}: {error}); "
            "pass a file that --save wrote"
        ) from None


def _row(document: dict[str, Any]) -> Row:
    known = {field.name: document[field.name] for field in fields(Row)}
    row = Row(**known | {"peers": {n: Peer(**peer) for n, peer in document["peers"].items()}})
    if not all(isinstance(name, str) for name in (row.kernel, row.dtype, row.backend)):
        raise TypeError(f"{row.kernel} {row.dtype} {row.backend} are not all names")
    if not (isinstance(row.seconds, int | float) and isinstance(row.size, int)) or not (
        row.seconds > 0 and row.size > 0
    ):
        raise ValueError(f"{row.kernel} took {row.seconds} seconds for {row.size} elements")
    return row


def compare(now: Results, earlier: Results) -> list[Change]:
    """The rows that both have, in the later one's order."""
    then = {(r.kernel, r.dtype, r.size, r.backend): r for r in earlier.rows}
    changes = []
    for row in now.rows:
        key = row.kernel, row.dtype, row.size, row.backend
        before = then.get(key)
        if before is not None:
            change = Change(
                *key,
                speedup=before.seconds / row.seconds,
                verdict=_verdict(row, before),
                ratio=row.ratio,
                earlier_ratio=before.ratio,
            )
            changes.append(change)
    return changes


def _verdict(now: Row, then: Row) -> str:
    difference = abs(then.seconds - now.seconds)
    if difference <= max((then.spread + now.spread) / 2, _UNNOTICED * then.seconds):
        return "same"
    return "faster" if now.seconds < then.seconds else "slower"
