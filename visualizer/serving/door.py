"""Who may connect, and how many at once.

asyncio's own server takes every connection that comes. When this process's table of open files is
full it takes none, but logs each attempt in twenty lines and tries on without a pause. So connections
are accepted here. There are at most so many, from all addresses and from one; half of the places are
left when one address has all that it may. One too many is told so and closed. The limit lies below
the number of files that may be open, visitors' pipes counted; where the table is full all the same,
whoever comes waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
from dataclasses import dataclass

from aiohttp import web

HEADERS_WITHIN = 10.0  # seconds, for the first request of a connection and for each further one
_BACKLOG = 128
_FULL = 0.5  # seconds until a full table of files is tried again
_EACH = 8  # connections of a browser: six for the page's files, its WebSocket, and one that closes
_PIPES = 8  # open files for the process of a visitor, while it is started
_OWN = 64  # open files of Python, of the event loop, and of answers
_REFUSED_AT_ONCE = 32
_GOODBYE = 1.0  # seconds in which who is refused is told so
_TOO_MANY = b"There are too many connections. Try again in a while.\n"
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nRetry-After: 10\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(_TOO_MANY), _TOO_MANY)
)


class TooFewFilesError(OSError):
    """This process may not open as many files as its visitors need."""


@dataclass(frozen=True)
class Places:
    """Connections at once: all, and of one address, behind which a whole class may sit."""

    all: int
    of_one: int


def places_for(visitors: int) -> Places:
    """Sees to it that so many files can be open. Raises TooFewFilesError."""
    most = 2 * _EACH * visitors
    others = _PIPES * visitors + _OWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if resource.RLIM_INFINITY not in (soft, hard):
        most = min(most, hard - others)
        if most < 2 * visitors:
            raise TooFewFilesError(
                f"{visitors} visitors need {2 * visitors + others} open files, and this process may "
                f"have {hard}: name fewer with --visitors, or raise the limit (ulimit -Hn)"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most + others), hard))
    return Places(most, most // 2)


class Door:
    """Accepts connections for a web server. To be closed."""

    def __init__(self, server: web.Server, places: Places) -> None:
        self._server = server
        self._places = places
        self._sockets: list[socket.socket] = []
        self._accepting: list[asyncio.Task[None]] = []
        self._refusing: set[asyncio.Task[None]] = set()

    async def open(self, host: str, port: int) -> int:
        """Listen there; returns the port. Raises OSError."""
        loop = asyncio.get_running_loop()
        bound = await loop.create_server(self._server, host, port, start_serving=False)
        try:
            self._sockets = [one.dup() for one in bound.sockets]
        finally:
            bound.close()
        for one in self._sockets:
            one.setblocking(False)
            one.listen(_BACKLOG)
        self._accepting = [loop.create_task(self._accept(one)) for one in self._sockets]
        number: int = self._sockets[0].getsockname()[1]
        return number

    async def close(self) -> None:
        """Nobody new comes in. Who is inside stays."""
        tasks = [*self._accepting, *self._refusing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for one in self._sockets:
            one.close()

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, (address, *_) = await loop.sock_accept(listening)
            except OSError:
                await asyncio.sleep(_FULL)
                continue
            if self._has_place(address):
                try:
                    await loop.connect_accepted_socket(self._server, connection)
                except OSError:  # it has gone again
                    connection.close()
            elif len(self._refusing) < _REFUSED_AT_ONCE:
                task = loop.create_task(_refuse(connection))
                self._refusing.add(task)
                task.add_done_callback(self._refusing.discard)
            else:
                connection.close()

    def _has_place(self, address: str) -> bool:
        here = [one.peername for one in self._server.connections]
        same = sum(name is not None and name[0] == address for name in here)
        return len(here) < self._places.all and same < self._places.of_one


async def _refuse(connection: socket.socket) -> None:
    """What was asked is read first: else the system tells of a lost connection, not of the answer."""
    loop = asyncio.get_running_loop()
    with connection, contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(_GOODBYE):
            await loop.sock_recv(connection, 65536)
            await loop.sock_sendall(connection, _REFUSAL)
