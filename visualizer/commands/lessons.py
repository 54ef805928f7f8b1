"""`unfold lessons`: what there is to learn, and how far one has come."""

from __future__ import annotations

import argparse
import json
import sys

from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import INPUT_ERROR, OK, USAGE_ERROR, complain

_EXAMPLES = """\
examples:
  unfold lessons
  unfold lessons phi
  unfold lesson phi/3
"""
_BAR = 10  # cells


def configure(commands: Commands) -> None:
    command = add(commands, "lessons", "list the lessons, with progress", _EXAMPLES)
    command.add_argument("track", metavar="TRACK", nargs="?", help="macros, phi … (default: all)")
    command.add_argument("--format", choices=("table", "json"), default="table")


def run(arguments: argparse.Namespace) -> int:
    from visualizer.learning import lesson
    from visualizer.learning.overview import overview

    def say(text: str) -> None:
        print(f"unfold: warning: {text}", file=sys.stderr)

    tracks = dict.fromkeys(folder.parent.name for folder in lesson.folders())
    if arguments.track not in (None, *tracks):
        there = ", ".join(tracks)
        return complain(f"no track is called '{arguments.track}'; there are {there}", USAGE_ERROR)
    rows = list(overview(say, arguments.track))
    if not rows:
        return INPUT_ERROR
    if arguments.format == "json":
        listed = [
            {"id": r.id, "title": r.title, "idea": r.idea, "minutes": r.minutes, "progress": share}
            for r, share in rows
        ]
        print(json.dumps(listed, indent=1, ensure_ascii=False))
        return OK
    width = max(len(read.title) for read, _ in rows)
    track = ""
    for read, share in rows:
        if read.track != track:
            print(f"\n{read.track}" if track else read.track)
            track = read.track
        filled = round(share * _BAR)
        bar = "█" * filled + "░" * (_BAR - filled)
        print(f"  {read.short_id:10} {bar} {share:4.0%}  {read.title:{width}}  {read.idea}")
    return OK
