"""Surveying one file: what a worker does, on this machine or on another.

A task and its result are plain data, so that they travel between processes. Missing headers are no
errors here: a source tree is mostly surveyed on its own, and what its registrations need of those
headers, the stand-ins give. Other errors are: a registration may have got lost in them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from visualizer.expansion import Diagnostic, InputError, Options, memory, preprocess
from visualizer.expansion.diagnostics import Code
from visualizer.survey.recognise import Registered, registrations
from visualizer.survey.walk import Failure
from visualizer.workbench.registration_macros import STAND_INS


@dataclass(frozen=True, slots=True)
class Task:
    """A file to survey: where it is, the name to show, and cc's flags for it, folders absolute."""

    path: str
    name: str
    size: int
    options: Options


@dataclass(frozen=True, slots=True)
class FileResult:
    """What a file registers, as far as it could be read, and what is wrong with it."""

    name: str
    registrations: tuple[Registered, ...] = ()
    failure: Failure | None = None


@memory.together()
def survey_file(task: Task) -> FileResult:
    """Preprocess the file and find its registrations. Never raises."""
    options = replace(task.options, macros=(*STAND_INS, *task.options.macros))
    try:
        trace = preprocess(task.path, options, skip_included_text=True)
        found = tuple(registrations(trace, task.name))
    except InputError as error:
        return FileResult(task.name, (), _failure(task, [error.diagnostic]))
    except Exception as error:  # a fault of ours in one file must not cost the others
        reason = f"cannot be expanded: {type(error).__name__}: {error}"
        return FileResult(task.name, (), Failure(task.name, 1, 1, reason))
    wrong = (d for d in trace.diagnostics if d.severity == "error")
    errors = [d for d in wrong if d.code is not Code.HEADER_MISSING]
    return FileResult(task.name, found, _failure(task, errors) if errors else None)


def survey_files(tasks: list[Task]) -> list[FileResult]:
    """A batch of files."""
    return [survey_file(task) for task in tasks]


def _failure(task: Task, errors: list[Diagnostic]) -> Failure:
    """The first error in the text, which is often the cause of the others."""
    file = errors[0].where.file
    first = min((e for e in errors if e.where.file == file), key=lambda e: e.where)
    reason = first.message + (f" ({first.hint})" if first.hint else "")
    if len(errors) > 1:
        reason += f"; and {len(errors) - 1} more"
    # The engine names files from its own working folder, which on another machine may be another.
    file = task.name if task.path.endswith(file) else file
    return Failure(file, first.where.line, first.where.column, reason)
