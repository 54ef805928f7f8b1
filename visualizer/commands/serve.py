"""`unfold serve`: the app in a browser."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from visualizer.commands.parser import Commands, add
from visualizer.commands.reporting import OK, complain

_EXAMPLES = """\
examples:
  unfold serve                                 the current folder, on http://127.0.0.1:8000/
  unfold serve cpp_samples --port 9000
  unfold serve course --host 0.0.0.0 --name lab.example.org --visitors 40 --password-file secret

The address that is printed has a token in it, without which nobody is let in. With a password file,
visitors are asked for what stands on its first line.

Its lessons (each a folder TRACK/NN-name with a lesson.md) and its sources are listed first. Each
visitor works on a copy of the folder, without its hidden files, and can open nothing else but the
samples and the system's headers. A reload finds the copy again. It is removed an hour after its
visitor has left, and when the server ends.
"""


def configure(commands: Commands) -> None:
    command = add(commands, "serve", "show the app in a browser", _EXAMPLES)
    command.add_argument(
        "folder", metavar="DIR", nargs="?", type=Path, default=Path(), help="default: this folder"
    )
    command.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="default: this machine only"
    )
    command.add_argument(
        "--port", metavar="N", type=_port, help="default: the first free one from 8000 on"
    )
    command.add_argument(
        "--name",
        metavar="NAME",
        action="append",
        default=[],
        help="a host name by which visitors reach it; addresses need none",
    )
    command.add_argument(
        "--visitors", metavar="N", type=_count, default=20, help="at most so many pages (20)"
    )
    command.add_argument(
        "--memory",
        metavar="MIB",
        type=_count,
        help="what all visitors together may hold; default: three quarters of what is free",
    )
    asked = command.add_mutually_exclusive_group()
    asked.add_argument(
        "--password-file", metavar="FILE", type=Path, help="whose first line visitors are asked for"
    )
    asked.add_argument(
        "--no-password", action="store_true", help="let in whoever can reach this machine"
    )


def run(arguments: argparse.Namespace) -> int:
    import asyncio

    if sys.platform == "win32":
        return complain("serve needs Linux or macOS")
    from visualizer.serving import password
    from visualizer.serving.folder import FolderError
    from visualizer.serving.listen import ListenError, Wanted, serve

    try:
        if arguments.no_password:
            asked = password.Password(None)
        elif arguments.password_file is not None:
            asked = password.from_file(arguments.password_file)
        else:
            asked = password.made_up()
        wanted = Wanted(
            arguments.folder,
            asked,
            arguments.host,
            arguments.port,
            arguments.name,
            arguments.visitors,
            arguments.memory and arguments.memory << 20,
        )
        asyncio.run(serve(wanted, lambda line: print(line, flush=True)))
    except (FolderError, ListenError, password.PasswordError) as error:
        return complain(str(error))
    return OK


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port: 0 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)
