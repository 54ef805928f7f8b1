"""From the command line to a server that listens, and until it is told to end."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import signal
from collections.abc import Callable, Collection
from dataclasses import dataclass
from errno import EACCES, EADDRINUSE
from pathlib import Path

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from visualizer.serving import folder, memory
from visualizer.serving.app_process import PATIENCE
from visualizer.serving.door import HEADERS_WITHIN, Door, TooFewFilesError, places_for
from visualizer.serving.environment import common
from visualizer.serving.password import Password
from visualizer.serving.server import TOKEN, Server
from visualizer.serving.visitor_app import MOST_MEMORY
from visualizer.serving.visitors import Visitors

FIRST_PORT, TRIED = 8000, 20  # where a free port is looked for


class ListenError(OSError):
    """There is no listening there. The message says why, and what to do."""


@dataclass(frozen=True)
class Wanted:
    """`port` None means the first that is free, 0 whichever the system gives. `names` are host names
    by which the server is known, beside its addresses. `memory` is how many bytes all visitors
    together may hold, None a share of what is free."""

    folder: Path
    password: Password
    host: str = "127.0.0.1"
    port: int | None = None
    names: Collection[str] = ()
    visitors: int = 20
    memory: int | None = None


async def serve(wanted: Wanted, say: Callable[[str], None]) -> None:
    """Serve until a signal to end arrives.

    Raises FolderError if the folder can't be served, ListenError if there is no listening.
    """
    logging.getLogger("aiohttp.server").addFilter(_is_our_fault)
    served = wanted.folder.resolve()
    contents = await asyncio.to_thread(folder.look_through, served)
    try:
        places = places_for(wanted.visitors)
    except TooFewFilesError as error:
        raise ListenError(str(error)) from None
    most = wanted.memory or memory.for_visitors()
    visitors = Visitors(served, wanted.visitors)
    server = Server(visitors, common(), wanted.password, {wanted.host, *wanted.names}, most)
    runner = web.AppRunner(
        server.application(),
        access_log=None,
        shutdown_timeout=2 * PATIENCE,
        keepalive_timeout=HEADERS_WITHIN,
        auto_decompress=False,  # 300 KB can become 300 MB, before anybody is asked
    )
    door = None
    try:
        ended = _signal_to_end()
        await runner.setup()
        assert runner.server is not None
        door = Door(runner.server, places)
        port = await _listen(door, wanted.host, wanted.port)
        counted = f"{contents.files} file{'s' * (contents.files != 1)}"
        say(f"Unfold serves {served} ({counted}) at {url(wanted, port)}")
        if left_out := contents.left_out():
            say(f"Left out: {left_out}.")
        say(_who_is_let_in(wanted))
        if most is not None:
            say(
                f"At most {wanted.visitors} pages are open. All visitors together may hold "
                f"{_gigabytes(most)} of memory, each {_gigabytes(min(most, MOST_MEMORY))}: who holds "
                "most is ended when it is more, and can go on."
            )
        say("Each visitor works on a copy of the folder. Ctrl-C ends it all.")
        await ended.wait()
    finally:
        if door is not None:
            await door.close()
        await runner.cleanup()
        visitors.close()


def _who_is_let_in(wanted: Wanted) -> str:
    if wanted.password.is_told:
        return "Whoever has this address is let in, and nobody else: other users can't guess it."
    if wanted.password.secret is not None:
        return "Whoever knows the password is let in."
    return (
        "Whoever uses this machine can open it: nobody is asked for a password."
        if _is_loopback(wanted.host)
        else "Whoever can reach this machine can open it: nobody is asked for a password."
    )


def _gigabytes(size: int) -> str:
    return f"{size / 2**30:.1f} GiB"


def url(wanted: Wanted, port: int) -> str:
    """What to type into a browser on this machine."""
    host, told = wanted.host, wanted.password.is_told
    shown = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    shown = f"[{shown}]" if ":" in shown and shown[0] != "[" else shown
    return f"http://{shown}:{port}/" + f"?{TOKEN}={wanted.password.secret}" * told


async def _listen(door: Door, host: str, port: int | None) -> int:
    for tried in range(FIRST_PORT, FIRST_PORT + TRIED) if port is None else (port,):
        try:
            return await door.open(host, tried)
        except OSError as error:
            if error.errno == EADDRINUSE and port is None:
                continue
            raise _why_not(error, host, tried) from None
    last = FIRST_PORT + TRIED - 1
    raise ListenError(
        f"ports {FIRST_PORT} to {last} are all taken; --port 0 takes any that is free"
    )


def _why_not(error: OSError, host: str, port: int) -> ListenError:
    if error.errno == EADDRINUSE:
        return ListenError(f"port {port} is taken; leave --port out, or --port 0, for a free one")
    if error.errno == EACCES:
        return ListenError(f"port {port} is not for everybody; take one from 1024 on")
    return ListenError(f"cannot listen on {host}: {error.strerror}; --host 127.0.0.1 always works")


def _is_our_fault(record: logging.LogRecord) -> bool:
    """What a client gets wrong is answered, and not worth a traceback here."""
    theirs = HttpProcessingError, ConnectionResetError
    return not (record.exc_info and isinstance(record.exc_info[1], theirs))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _signal_to_end() -> asyncio.Event:
    """Set by Ctrl-C, by `kill`, and by the closing of the terminal."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, ended.set)
    return ended
