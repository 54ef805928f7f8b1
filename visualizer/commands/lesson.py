"""`unfold lesson`: one lesson, on the screen; or the check of an exercise's file, without one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.near import nearest
from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import OK, USAGE_ERROR, complain, has_screen, report
from visualizer.expansion import Diagnostic
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import Source

if TYPE_CHECKING:
    from visualizer.learning.lesson import Lesson

_EXAMPLES = """\
examples:
  unfold lesson macros/1
  unfold lesson phi/3
  unfold lesson phi/3 --check my_solution.cc
  unfold lesson mycourse/week/1     a lesson of one's own, in that folder

A lesson is called by its track and its number; unfold lessons lists them. --check prints what is not
right yet, and exits 1; with several exercises, --exercise says which.
"""


def configure(commands: Commands) -> None:
    command = add(commands, "lesson", "open a lesson, or check an exercise", _EXAMPLES)
    command.add_argument("id", metavar="ID", help="e.g. phi/3; or the folder of one's own")
    command.add_argument("--check", metavar="FILE", type=Path, help="is this file a solution?")
    command.add_argument(
        "--exercise",
        metavar="N",
        type=int,
        default=1,
        help="of --check: which (default: the first)",
    )
    command.add_argument(
        "--anew", action="store_true", help="forget its answers, and begin at the first page"
    )


def run(arguments: argparse.Namespace) -> int:
    from visualizer.learning import course, lesson

    try:
        folder = lesson.find(course.open_course(arguments.id) or arguments.id)
    except LookupError:
        ids = [f"{f.parent.name}/{f.name}" for f in lesson.folders()]
        name = arguments.id.rpartition("/")[2]
        if name.isdecimal():
            near = nearest(arguments.id, map(lesson.short_id, ids))
            close = [near] if near else []
        else:
            close = [i for i in ids if name in i][:3]
        hint = f"; do you mean {' or '.join(close)}?" if close else "; unfold lessons lists them"
        return complain(f"no lesson is called '{arguments.id}'{hint}", USAGE_ERROR)
    try:
        read = lesson.load(folder)
    except lesson.LessonError as error:
        return complain(str(error))
    if arguments.check is not None:
        return _check(read, arguments.check, arguments.exercise)
    if not has_screen():
        return complain("a lesson needs a terminal; --check FILE does not", USAGE_ERROR)
    from visualizer.tui.app import UnfoldApp

    if arguments.anew:
        from visualizer.learning import progress

        progress.begin_anew(read, lambda text: print(f"unfold: {text}", file=sys.stderr))
    app = UnfoldApp(lesson=read.id)
    app.run()
    return app.return_code or OK


def _check(read: Lesson, path: Path, number: int) -> int:
    from visualizer.expansion.wording import counted
    from visualizer.learning import checks

    exercises = [exercise for _, exercise in read.exercises()]
    if not 1 <= number <= len(exercises):
        return complain(f"{read.id} has {counted(len(exercises), 'exercise')}", USAGE_ERROR)
    verdict = checks.judged(read, exercises[number - 1], read_source(path))
    if verdict.passed:
        print(f"{path}: solved" + (f" ({verdict.note})" if verdict.note else ""))
        return OK
    where = Source(str(path), *(verdict.where[1:] if verdict.where else (1, 1)))
    return report([Diagnostic("error", verdict.failed, where, verdict.hint)])
