"""Every kernel registration in a source tree: `unfold survey`.

A regular expression finds the letters PD_REGISTER_KERNEL. It doesn't find the kernels behind a
wrapper macro, and it finds those that an `#if` takes away. So registrations are recognised from what
the preprocessor does: each file is preprocessed with its trace kept, and each replacement of a
registration macro in it, at any depth, is a registration, its arguments read from the trace.

`walk` finds the files, `one_file` surveys one, `spread` does so with many at once, `report` prints.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from visualizer.expansion import Options
from visualizer.expansion.source_files import display_path
from visualizer.survey.one_file import FileResult, Task
from visualizer.survey.recognise import Registered
from visualizer.survey.spread import SurveyError, here, over_dask
from visualizer.survey.walk import Failure, select, source_files


@dataclass(frozen=True, slots=True)
class Survey:
    """What a tree registers, in the order of its files, and the files that could not be read."""

    registrations: tuple[Registered, ...]
    failures: tuple[Failure, ...]
    files: int


Progress = Callable[[int, int], None]  # files done, files to do


def survey(
    roots: Iterable[str | Path],
    options: Options | Callable[[Path], Options] | None = None,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    progress: Progress = lambda done, total: None,
) -> Survey:
    """Survey all C and C++ files below `roots`. `options` may depend on the file.

    Raises InputError for a root that is not there, SurveyError where `scheduler` names no cluster.
    """
    options_of = options if callable(options) else lambda _: options or Options()
    files, unreadable = source_files(roots)
    absolute = lru_cache(maxsize=None)(_absolute)  # few files have flags that no other has
    options_by_file = {path: absolute(options_of(path)) for path in files}
    distinct = set(options_by_file.values())
    selection = select(files, _headers(files, distinct), _definitions(distinct))
    tasks = [
        Task(os.path.abspath(path), display_path(path), size, options_by_file[path])
        for path, size in selection.files
    ]
    results: dict[str, FileResult] = {}
    progress(0, len(tasks))
    surveyed = over_dask(tasks, scheduler) if scheduler and tasks else here(tasks, jobs)
    with closing(surveyed):  # its processes end here, though Ctrl-C may come between two results
        for result in surveyed:
            results[result.name] = result
            progress(len(results), len(tasks))
    in_order = [results[task.name] for task in tasks]
    failures = [*unreadable, *selection.failures, *(r.failure for r in in_order if r.failure)]
    place = {display_path(path): n for n, path in enumerate(files)}
    return Survey(
        tuple(registered for result in in_order for registered in result.registrations),
        tuple(sorted(failures, key=lambda failure: place.get(failure.file, -1))),
        selection.looked_at,
    )


def _absolute(options: Options) -> Options:
    """The same options for a worker with another working folder."""

    def folders(given: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(os.path.abspath, given))

    def headers(given: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(os.path.abspath(name) if os.path.isfile(name) else name for name in given)

    return replace(
        options,
        include_folders=folders(options.include_folders),
        system_folders=folders(options.system_folders),
        quote_folders=folders(options.quote_folders),
        after_folders=folders(options.after_folders),
        forced_includes=headers(options.forced_includes),
        macro_files=headers(options.macro_files),
    )


def _headers(files: list[Path], options: Iterable[Options]) -> list[Path]:
    """Files that may define wrapper macros though they are not in the tree."""
    folders = {
        folder
        for o in options
        for folder in (*o.quote_folders, *o.include_folders)
        if os.path.isdir(folder)
    }
    forced = {
        name
        for o in options
        for name in (*o.macro_files, *o.forced_includes)
        if os.path.isfile(name)
    }
    inside = set(map(os.path.realpath, files))
    found, _ = source_files([*sorted(folders), *sorted(forced)])
    return [path for path in found if os.path.realpath(path) not in inside]


def _definitions(options: Iterable[Options]) -> str:
    return "\n".join(dict.fromkeys(o.command_line() for o in options))


__all__ = ["Failure", "Registered", "Survey", "SurveyError", "survey"]
