"""The web server: one page, its WebSocket, and which requests are answered.

A browser sends requests to 127.0.0.1 for any page that asks it to. Two headers, which no page can
choose, tell those apart. `Host` is the name in the address bar: one that was made to mean this machine
(DNS rebinding) is none of ours. `Origin` is the page that opens the WebSocket: it must be one of this
server. Nothing on the page comes from elsewhere, and its policy says so to the browser.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from urllib.parse import quote

import textual_serve
from aiohttp import WSMsgType, web
from aiohttp.hdrs import ORIGIN
from textual_serve.download_manager import DownloadManager
from yarl import URL

from visualizer.serving.app_process import PATIENCE, AppProcess
from visualizer.serving.environment import Common
from visualizer.serving.folder import FolderError
from visualizer.serving.visitors import FullError, Visitors, token_of

_PAGE = Path(__file__).parent / "page"
_TEXTUAL = Path(textual_serve.__file__).parent / "static"
_HEARTBEAT = 15.0  # seconds between asking a browser whether it is still there
_LARGEST = 500, 200  # columns and rows
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "  # of xterm.js
        "font-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Answers for `visitors`, under addresses and under the names given."""

    def __init__(self, visitors: Visitors, common: Common, names: Collection[str] = ()) -> None:
        self.visitors = visitors
        self._common = common
        self._names = {"localhost", *(name.lower() for name in names)}
        self._downloads = DownloadManager()
        self._processes: set[AppProcess] = set()

    def application(self) -> web.Application:
        application = web.Application(middlewares=[self._only_under_our_names])
        application.add_routes(
            [
                web.get("/", self._page),
                web.get("/ws", self._websocket),
                web.get("/download/{key}", self._download),
                web.static("/page", _PAGE),
                web.static("/static", _TEXTUAL),
            ]
        )
        application.on_response_prepare.append(_with_headers)
        application.on_shutdown.append(self._end_everybody)
        return application

    @web.middleware
    async def _only_under_our_names(
        self, request: web.Request, handler: _Handler
    ) -> web.StreamResponse:
        if not self._is_ours(request.host):
            raise web.HTTPForbidden(
                text=f"This server isn't known as {request.host}. "
                "Whoever runs it can start it with --name NAME.\n"
            )
        return await handler(request)

    def _is_ours(self, host: str) -> bool:
        """Whether a browser that has this in its address bar was meant to come here. An address can't
        be made to mean another machine, a name can."""
        try:
            name = URL(f"http://{host}").host or ""
        except ValueError:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower() in self._names
        return True

    async def _page(self, request: web.Request) -> web.StreamResponse:
        try:
            await self.visitors.wait_for_room()
        except FullError as error:
            raise web.HTTPServiceUnavailable(text=f"{error}\n") from None
        response = web.FileResponse(_PAGE / "index.html", headers={"Cache-Control": "no-store"})
        name = _cookie(request)
        token = token_of(request.cookies.get(name))
        response.set_cookie(name, token, httponly=True, samesite="Lax")
        return response

    async def _websocket(self, request: web.Request) -> web.StreamResponse:
        origin, host = request.headers.get(ORIGIN, "").lower(), request.host.lower()
        if origin not in (f"http://{host}", f"https://{host}"):
            raise web.HTTPForbidden(text="Only a page of this server may connect.\n")
        token = token_of(request.cookies.get(_cookie(request)))
        websocket = web.WebSocketResponse(heartbeat=_HEARTBEAT, timeout=PATIENCE)
        if not websocket.can_prepare(request):
            raise web.HTTPBadRequest(text="This is for a WebSocket.\n")
        try:
            async with self.visitors.visit(token) as visitor:
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
        token = request.cookies.get(_cookie(request))
        try:
            delivery = await self._downloads.get_download_metadata(key)
        except KeyError:
            raise web.HTTPNotFound from None
        sender = delivery.app_service
        if not isinstance(sender, AppProcess) or sender.visitor.token != token:
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


async def _with_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


async def _listen(websocket: web.WebSocketResponse, process: AppProcess) -> None:
    """Hand on what the browser sends, until it goes. What textual.js would not send is passed over."""
    async for message in websocket:
        if message.type != WSMsgType.TEXT:
            continue
        try:
            said = json.loads(message.data)
        except ValueError:
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
