"""A survey on paper: a table to read, JSON, CSV, and Parquet for those who go on with data frames.

All but the table have one row for a kernel and a key, with the same columns; JSON has the failures
too.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import TextIO

from visualizer.expansion.wording import counted
from visualizer.layout.tables import table
from visualizer.survey import Registered, Survey, SurveyError

COLUMNS = tuple(field.name for field in fields(Registered))
_SHOWN = ("kernel", "backend", "layout", "dtype", "function", "framework", "where")


def write(survey: Survey, form: str, path: Path | None, width: int = 0) -> None:
    """Writes the survey as `table`, `json`, `csv` or `parquet`: to a file, or to stdout, which may be a
    terminal of some `width`."""
    if form == "parquet":
        assert path is not None  # columns have no place on a terminal
        _write_parquet(survey, path)
    elif path is not None:
        with path.open("w", encoding="utf-8", newline="") as file:
            _WRITERS[form](survey, file)
    elif form == "table":
        _write_table(survey, sys.stdout, width)
    else:
        _WRITERS[form](survey, sys.stdout)


def _write_json(survey: Survey, file: TextIO) -> None:
    document = {
        "registrations": [asdict(r) for r in survey.registrations],
        "failures": [asdict(f) for f in survey.failures],
    }
    json.dump(document, file, indent=1, ensure_ascii=False)
    file.write("\n")


def _write_csv(survey: Survey, file: TextIO) -> None:
    rows = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    rows.writeheader()
    rows.writerows(asdict(r) for r in survey.registrations)


def _write_table(survey: Survey, file: TextIO, width: int = 0) -> None:
    file.writelines(f"{line}\n" for line in _table(survey, width))


_WRITERS: dict[str, Callable[[Survey, TextIO], None]] = {
    "table": _write_table,
    "json": _write_json,
    "csv": _write_csv,
}


def check_parquet() -> None:
    """Raises SurveyError if Parquet files cannot be written: said before the work, not after."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise SurveyError(
            "--format parquet needs the package pyarrow: pip install 'unfold[parquet]'"
        ) from None


def _write_parquet(survey: Survey, path: Path) -> None:
    """The registrations as a Parquet file. Strings are kept once each: most of them repeat."""
    import pyarrow
    import pyarrow.parquet

    kept_once = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    columns = {
        name: pyarrow.array(
            [getattr(r, name) for r in survey.registrations],
            type=pyarrow.int32() if name == "line" else kept_once,
        )
        for name in COLUMNS
    }
    pyarrow.parquet.write_table(pyarrow.table(columns), path)


def _table(survey: Survey, width: int) -> Iterator[str]:
    """The keys, under the kernel's name; then a sentence that counts."""
    rows = [
        (r.kernel, r.backend, r.layout, r.dtype, r.function, r.framework, f"{r.file}:{r.line}")
        for r in survey.registrations
    ]
    if rows:
        yield from table(_SHOWN, rows, width)
        yield ""
    yield _summary(survey)


def _summary(survey: Survey) -> str:
    kernels = len({(r.framework, r.kernel) for r in survey.registrations})
    inside = len({r.file for r in survey.registrations})
    failed = f"; {counted(len(survey.failures), 'file')} failed" if survey.failures else ""
    if not kernels:
        return f"no registrations in {counted(survey.files, 'file')}{failed}"
    return (
        f"{counted(len(survey.registrations), 'registration')} of {counted(kernels, 'kernel')} "
        f"in {inside:,} of {counted(survey.files, 'file')}{failed}"
    )
