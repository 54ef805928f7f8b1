"""`unfold serve` as a process of its own, and a page of it as a browser's WebSocket."""

import asyncio
import re
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from tests.waiting import PATIENCE

_ESCAPE = re.compile(r"\x1b(\[[0-9;?<>=]*[a-zA-Z$]|\][^\x07]*\x07|[()][A-Z0-9])")


@dataclass
class Served:
    """A server that runs. `temporary` is where it puts visitors' folders."""

    process: subprocess.Popen[str]
    url: str
    temporary: Path
    token: str | None

    @property
    def address(self) -> str:
        """As it is printed."""
        return self.url if self.token is None else f"{self.url}?token={self.token}"

    def children(self) -> list[int]:
        return children(self.process.pid)

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[aiohttp.ClientSession]:
        """Somebody new, who keeps cookies."""
        jar = aiohttp.CookieJar(unsafe=True)  # for addresses too
        async with aiohttp.ClientSession(self.url, cookie_jar=jar) as session:
            async with session.get(self.address) as response:
                response.raise_for_status()
            yield session

    @asynccontextmanager
    async def page(self, session: aiohttp.ClientSession) -> AsyncIterator["Page"]:
        size = {"width": "100", "height": "30"}
        origin = {"Origin": self.url.rstrip("/")}
        async with session.ws_connect("/ws", params=size, headers=origin) as socket:
            yield Page(socket)


@dataclass
class Page:
    socket: aiohttp.ClientWebSocketResponse
    drawn: str = ""

    async def press(self, keys: str) -> None:
        await self.socket.send_json(["stdin", keys])

    async def until(self, text: str) -> None:
        """Until the app has drawn this, from now on."""
        self.drawn = ""
        try:
            async with asyncio.timeout(PATIENCE):
                while text not in self.drawn:
                    message = await self.socket.receive()
                    assert message.type == aiohttp.WSMsgType.BINARY, (message, self.drawn)
                    self.drawn += _ESCAPE.sub("", message.data.decode(errors="replace"))
        except TimeoutError:
            raise AssertionError(f"waited for {text!r}, and saw {self.drawn}") from None

    async def open_sample(self) -> None:
        """From home, the first of the samples."""
        await self.until("macros/1")
        await self.press("/")
        await self.until("/ filter")  # the keys are the filter's now, and the footer says so
        await self.press("bitwise_k")
        await self.until("Four kernels")
        await self.press("\r")

    async def until_closed(self) -> None:
        async with asyncio.timeout(PATIENCE):
            async for _ in self.socket:
                pass


@contextmanager
def sockets(served: Served, count: int, source: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """So many connections from an address that is this machine's."""
    host, port = served.url.removeprefix("http://").rstrip("/").split(":")
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                socket.create_connection((host, int(port)), PATIENCE, source_address=(source, 0))
            )
            for _ in range(count)
        ]


def children(process: int) -> list[int]:
    """The processes that this one has started and that still run."""
    try:
        return [*map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    except FileNotFoundError:
        return []


def is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
