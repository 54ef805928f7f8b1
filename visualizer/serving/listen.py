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

from visualizer.serving import folder
from visualizer.serving.app_process import PATIENCE
from visualizer.serving.environment import common
from visualizer.serving.server import Server
from visualizer.serving.visitors import Visitors

FIRST_PORT, TRIED = 8000, 20  # where a free port is looked for


class ListenError(OSError):
    """There is no listening there. The message says why, and what to do."""


@dataclass(frozen=True)
class Wanted:
    """`port` None means the first that is free, 0 whichever the system gives. `names` are host names
    by which the server is known, beside its addresses."""

    folder: Path
    host: str = "127.0.0.1"
    port: int | None = None
    names: Collection[str] = ()
    visitors: int = 20


async def serve(wanted: Wanted, say: Callable[[str], None]) -> None:
    """Serve until a signal to end arrives.

    Raises FolderError if the folder can't be served, ListenError if there is no listening.
    """
    logging.getLogger("aiohttp.server").addFilter(_is_our_fault)
    served = wanted.folder.resolve()
    contents = await asyncio.to_thread(folder.look_through, served)
    names = {wanted.host, *wanted.names}
    visitors = Visitors(served, wanted.visitors)
    runner = web.AppRunner(
        Server(visitors, common(), names).application(),
        access_log=None,
        shutdown_timeout=2 * PATIENCE,
    )
    try:
        ended = _signal_to_end()
        await runner.setup()
        port = await _listen(runner, wanted.host, wanted.port)
        counted = f"{contents.files} file{'s' * (contents.files != 1)}"
        say(f"Unfold serves {served} ({counted}) at {url(wanted.host, port)}")
        if left_out := contents.left_out():
            say(f"Left out: {left_out}.")
        if not _is_loopback(wanted.host):
            say("Whoever can reach this machine can use it: nobody is asked for a password.")
        say("Each visitor works on a copy of the folder. Ctrl-C ends it all.")
        await ended.wait()
    finally:
        await runner.cleanup()
        visitors.close()


def url(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    shown = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    return f"http://{f'[{shown}]' if ':' in shown and shown[0] != '[' else shown}:{port}/"


async def _listen(runner: web.AppRunner, host: str, port: int | None) -> int:
    for tried in range(FIRST_PORT, FIRST_PORT + TRIED) if port is None else (port,):
        try:
            await web.TCPSite(runner, host, tried).start()
        except OSError as error:
            if error.errno == EADDRINUSE and port is None:
                continue
            raise _why_not(error, host, tried) from None
        address: tuple[str, int] = runner.addresses[0]
        return address[1]
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
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


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
