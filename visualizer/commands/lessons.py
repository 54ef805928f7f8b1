"""`unfold lessons`: what there is to learn, and how far one has come; `unfold lessons check`: what is
wrong with a course of one's own."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain
from visualizer.commands.terminal import columns, tell, working
from visualizer.expansion.wording import counted
from visualizer.layout.tables import Cells, table
from visualizer.messages import spoken

if TYPE_CHECKING:
    from visualizer.learning.lesson import Lesson
    from visualizer.learning.progress import Left

_EXAMPLES = """\
examples:
  unfold lessons
  unfold lessons phi
  unfold lesson phi/3
  unfold lessons check mycourse     each lesson.md below that folder: is every claim of it so?
"""
_COLUMNS = ("lesson", "progress", "left", "title", "idea")
_BAR = 10  # cells
_CHECK = "check"


def configure(commands: Commands) -> None:
    command = add(commands, "lessons", "list the lessons, with progress", _EXAMPLES)
    command.add_argument(
        "track",
        metavar="TRACK",
        nargs="?",
        help="macros, phi … (default: all); or check, which looks through lessons of one's own",
    )
    command.add_argument(
        "course", metavar="DIR", nargs="?", type=Path, help="with check: the folder of them"
    )
    command.add_argument("--format", choices=("table", "json"), default="table")


def run(arguments: argparse.Namespace) -> int:
    if arguments.track == _CHECK:
        return _check(arguments)
    if arguments.course is not None:
        return complain(f"a folder goes with {_CHECK}: unfold lessons check DIR", USAGE_ERROR)
    from visualizer.learning import lesson
    from visualizer.learning.overview import overview

    def say(text: str) -> None:
        print(f"unfold: warning: {text}", file=sys.stderr)

    tracks = dict.fromkeys(folder.parent.name for folder in lesson.folders())
    if arguments.track not in (None, *tracks):
        there = ", ".join(tracks)
        return complain(f"no track is called '{arguments.track}'; there are {there}", USAGE_ERROR)
    rows = list(overview(say, arguments.track, spoken()))
    if not rows:
        return INPUT_ERROR
    if arguments.format == "json":
        listed = [
            {
                "id": read.id,
                "title": read.title,
                "idea": read.idea,
                "minutes": read.minutes,
                "progress": left.share,
                "left": asdict(left),
            }
            for read, left in rows
        ]
        print(json.dumps(listed, indent=1, ensure_ascii=False))
        return OK
    print("\n".join(table(_COLUMNS, [_row(*row) for row in rows], columns())))
    return OK


def _check(arguments: argparse.Namespace) -> int:
    from visualizer.learning.proofread import lessons_below, proofread

    course = arguments.course
    if arguments.format == "json":
        return complain("check prints FILE:LINE: TEXT, and no JSON", USAGE_ERROR)
    if course is None or not course.is_dir():
        there = "names no folder" if course is None else f"finds no folder {course}"
        return complain(f"check {there}: unfold lessons check DIR", USAGE_ERROR)
    folders = lessons_below(course)
    if not folders:
        return complain(f"no lesson.md lies below {course}; lessons/README.md says what one is")
    faults = 0
    for folder in folders:
        with working() as show:
            found = list(proofread(folder, show))
        faults += len(found)
        tell(map(str, found))
    print(f"{counted(len(folders), 'lesson')}, {counted(faults, 'fault')}")
    return INPUT_ERROR if faults else OK


def _row(read: Lesson, left: Left) -> Cells:
    filled = int(left.share * _BAR)
    bar = "█" * filled + "░" * (_BAR - filled)
    open = str(left) if left.begun else ""
    return (read.short_id, f"{bar} {left.share:4.0%}", open, read.title, read.idea)
