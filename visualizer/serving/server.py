"""The web server: one page, its WebSocket, and which requests are answered.

A browser sends requests to 127.0.0.1 for any page that asks it to. Two headers, which no page can
choose, tell those apart. `Host` is the name in the address bar: one that was made to mean this machine
(DNS rebinding) is none of ours. `Origin` is the page that opens the WebSocket: it must be one of this
server. Nothing on the page comes from elsewhere, and its policy says so to the browser. Besides the
static files, which are anybody's, a browser is shown nothing but the question for the password until
it has the cookie of one who is let in.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from pathlib import Path
from urllib.parse import parse_qs, quote

import textual_serve
from aiohttp import WSMsgType, web
from aiohttp.hdrs import CONTENT_ENCODING, ORIGIN
from textual_serve.download_manager import DownloadManager
from yarl import URL

from visualizer.serving import memory
from visualizer.serving.app_process import PATIENCE, AppProcess
from visualizer.serving.door import HEADERS_WITHIN
from visualizer.serving.environment import Common
from visualizer.serving.folder import FolderError
from visualizer.serving.password import Password, TooFastError
from visualizer.serving.visitors import FullError, Visitors

_PAGE = Path(__file__).parent / "page"
_TEXTUAL = Path(textual_serve.__file__).parent / "static"
_HEARTBEAT = 15.0  # seconds between asking a browser whether it is still there
_LARGEST = 500, 200  # columns and rows
_LARGEST_FORM = 4096  # bytes
_FORM = "application/x-www-form-urlencoded"
_LONGEST_PATH = 200  # characters: no file system has names of thousands
_HOST = re.compile(r"(\[[\da-f:.]+\]|[\w.-]+)(:\d+)?", re.ASCII | re.IGNORECASE)
TOKEN = "token"  # the password, in the address
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "  # of xterm.js
        "font-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # with none, a browser doesn't tell us a form's origin either
    "X-Content-Type-Options": "nosniff",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Answers for `visitors`, under addresses and under the names given. Their processes may together
    hold `most_memory` bytes; None is no bound."""

    def __init__(
        self,
        visitors: Visitors,
        common: Common,
        password: Password,
        names: Collection[str] = (),
        most_memory: int | None = None,
    ) -> None:
        self.visitors = visitors
        self._common = common
        self._password = password
        self._most_memory = most_memory
        self._names = {"localhost", *(name.lower() for name in names)}
        self._downloads = DownloadManager()
        self._processes: set[AppProcess] = set()

    def application(self) -> web.Application:
        application = web.Application(
            middlewares=[self._only_under_our_names], client_max_size=_LARGEST_FORM
        )
        application.add_routes(
            [
                web.get("/", self._page),
                web.post("/", self._guessed),
                web.get("/ws", self._websocket),
                web.get("/download/{key}", self._download),
                web.static("/page", _PAGE),
                web.static("/static", _TEXTUAL),
            ]
        )
        application.on_response_prepare.append(_with_headers)
        application.on_shutdown.append(self._end_everybody)
        if self._most_memory is not None:
            application.cleanup_ctx.append(self._watch_memory)
        return application

    @web.middleware
    async def _only_under_our_names(
        self, request: web.Request, handler: _Handler
    ) -> web.StreamResponse:
        try:
            name = URL(f"http://{request.host}").host if _HOST.fullmatch(request.host) else None
        except ValueError:  # no port has that number
            name = None
        if not name:
            raise web.HTTPBadRequest(text="The header Host names no host.\n")
        if not self._is_ours(name):
            raise web.HTTPForbidden(
                text=f"This server isn't known as {name}. "
                "Whoever runs it can start it with --name NAME.\n"
            )
        if len(request.path) > _LONGEST_PATH:
            raise web.HTTPNotFound
        return await handler(request)

    def _is_ours(self, name: str) -> bool:
        """Whether a browser that has this in its address bar was meant to come here. An address can't
        be made to mean another machine, a name can."""
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower() in self._names
        return True

    async def _page(self, request: web.Request) -> web.StreamResponse:
        name, guess = self._name(request), request.query.get(TOKEN)
        if name is None:
            if not await self._knows_it(request, guess or ""):
                return _file("password.html", 403)
            name = self._password.admit()
        if guess is not None:  # it stays out of the address bar, and out of the history
            return self._let_in(request, name)
        try:
            await self.visitors.wait_for_room()
        except FullError as error:
            raise web.HTTPServiceUnavailable(text=f"{error}\n") from None
        return _with_cookie(request, _file("index.html"), name)

    async def _guessed(self, request: web.Request) -> web.StreamResponse:
        """The password comes from its form."""
        _refuse_others_pages(request)
        if not await self._knows_it(request, await _typed(request)):
            raise web.HTTPSeeOther("/#wrong")
        return self._let_in(request, self._name(request) or self._password.admit())

    async def _knows_it(self, request: web.Request, guess: str) -> bool:
        try:
            return await self._password.is_right(guess, request.remote or "")
        except TooFastError:
            raise web.HTTPTooManyRequests(
                text="One guess at a time: try again in a second.\n"
            ) from None

    def _let_in(self, request: web.Request, name: str) -> web.StreamResponse:
        query = {key: value for key, value in request.query.items() if key != TOKEN}
        response = web.Response(status=303, headers={"Location": str(URL("/").with_query(query))})
        return _with_cookie(request, response, name)

    def _name(self, request: web.Request) -> str | None:
        """The name in a browser's cookie, if it was let in."""
        name = request.cookies.get(_cookie(request))
        return name if self._password.has_admitted(name) else None

    async def _websocket(self, request: web.Request) -> web.StreamResponse:
        _refuse_others_pages(request)
        name = self._name(request)
        if name is None:
            raise web.HTTPForbidden(text="Open the page first.\n")
        websocket = web.WebSocketResponse(heartbeat=_HEARTBEAT, timeout=PATIENCE)
        if not websocket.can_prepare(request):
            raise web.HTTPBadRequest(text="This is for a WebSocket.\n")
        try:
            async with self.visitors.visit(name) as visitor:
                await websocket.prepare(request)
                process = AppProcess(visitor, self._common, websocket, self._downloads)
                self._processes.add(process)
                try:
                    asked = request.query.get("width"), request.query.get("height")
                    await process.start(*_size(*asked))
                    await _listen(websocket, process)
                finally:
                    self._processes.discard(process)
                    await process.stop()
        except (FullError, FolderError) as error:
            raise web.HTTPServiceUnavailable(text=f"{error}\n") from None
        return websocket

    async def _download(self, request: web.Request) -> web.StreamResponse:
        """A file that the app hands to its visitor; only theirs may fetch it."""
        key = request.match_info["key"]
        try:
            delivery = await self._downloads.get_download_metadata(key)
        except KeyError:
            raise web.HTTPNotFound from None
        sender = delivery.app_service
        if not isinstance(sender, AppProcess) or sender.visitor.name != self._name(request):
            raise web.HTTPNotFound
        response = web.StreamResponse(
            headers={
                "Content-Type": "application/octet-stream",
                "Content-Disposition": f"attachment; filename*=UTF-8''{quote(delivery.file_name)}",
            }
        )
        await response.prepare(request)
        async for chunk in self._downloads.download(key):
            await response.write(chunk)
        await response.write_eof()
        return response

    async def _end_everybody(self, application: web.Application) -> None:
        await asyncio.gather(*(process.stop() for process in self._processes))

    async def _watch_memory(self, application: web.Application) -> AsyncIterator[None]:
        watching = asyncio.create_task(self._end_whoever_holds_too_much())
        yield
        watching.cancel()

    async def _end_whoever_holds_too_much(self) -> None:
        assert self._most_memory is not None
        while True:
            await asyncio.sleep(memory.EVERY)
            running = [one.number for one in self._processes if one.number is not None]
            worst = memory.one_too_many(running, self._most_memory)
            if worst is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(worst, signal.SIGKILL)


async def _typed(request: web.Request) -> str:
    """The password in the page's form, as browsers send it. Nothing else is read: what isn't let in
    yet may send what it likes, and for aiohttp much of it is an error of ours, told in the log."""
    if request.content_type != _FORM or CONTENT_ENCODING in request.headers:
        raise web.HTTPUnsupportedMediaType(text="This is for the form of the page.\n")
    try:
        async with asyncio.timeout(HEADERS_WITHIN):
            form = parse_qs((await request.read()).decode(), max_num_fields=2)
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except (ValueError, web.RequestPayloadError):
        raise web.HTTPBadRequest(text="This is no form.\n") from None
    return form.get("password", [""])[0]


def _refuse_others_pages(request: web.Request) -> None:
    origin, host = request.headers.get(ORIGIN, "").lower(), request.host.lower()
    if origin not in (f"http://{host}", f"https://{host}"):
        raise web.HTTPForbidden(text="Only a page of this server may do that.\n")


def _file(name: str, status: int = 200) -> web.StreamResponse:
    return web.FileResponse(_PAGE / name, status=status, headers={"Cache-Control": "no-store"})


def _with_cookie(
    request: web.Request, response: web.StreamResponse, name: str
) -> web.StreamResponse:
    response.set_cookie(_cookie(request), name, httponly=True, samesite="Lax")
    return response


async def _with_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


async def _listen(websocket: web.WebSocketResponse, process: AppProcess) -> None:
    """Hand on what the browser sends, until it goes. What textual.js would not send is passed over."""
    async for message in websocket:
        if message.type != WSMsgType.TEXT:
            continue
        try:
            said = json.loads(message.data)
        except (ValueError, RecursionError):
            continue
        match said:
            case ["stdin", str(keys)]:
                await process.send_bytes(keys.encode("utf-8", "replace"))
            case ["resize", {"width": int(width), "height": int(height)}]:
                await process.set_terminal_size(*_size(width, height))
            case ["ping", str(sent)]:
                await websocket.send_json(["pong", sent])
            case ["focus"]:
                await process.focus()
            case ["blur"]:
                await process.blur()


def _size(width: object, height: object) -> tuple[int, int]:
    """Columns and rows of a terminal, within reason."""

    def within(given: object, default: int, largest: int) -> int:
        try:
            return min(max(int(str(given)), 1), largest)
        except ValueError:
            return default

    return within(width, 80, _LARGEST[0]), within(height, 24, _LARGEST[1])


def _cookie(request: web.Request) -> str:
    """The cookie's name. All servers of a machine share its cookies, whatever their ports."""
    return f"unfold-{request.url.port}"
