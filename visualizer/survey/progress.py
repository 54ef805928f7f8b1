"""A progress bar, for somebody who is there to see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from visualizer.survey import Progress


@contextmanager
def progress_bar(text: str, stream: TextIO) -> Iterator[Progress]:
    """Gives what is to be called with the number of files done and the number in all. The bar goes
    away at the end; where `stream` is no terminal, there is none."""
    if not stream.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn(text), BarColumn(), MofNCompleteColumn(), TextColumn("files"))
    with Progress(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
