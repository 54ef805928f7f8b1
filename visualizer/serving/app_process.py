"""A visitor's process: started for them, fed with their keys, ended when they go.

textual-serve speaks with it over pipes. It would start it by a shell, with everything that the server
was told, and would wait without end for it to quit. Ours is started as it is, is told where it may go,
and is killed if it does not quit when asked.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from visualizer.serving.environment import Common, environment
from visualizer.serving.visitors import Visitor

PATIENCE = 2.0  # seconds for the app to quit
# -P: the working folder is the visitor's, and `import` must not look there.
_COMMAND = (sys.executable, "-P", "-m", "visualizer.serving.visitor_app")


class AppProcess(AppService):
    """The process behind one page."""

    def __init__(
        self,
        visitor: Visitor,
        common: Common,
        websocket: web.WebSocketResponse,
        downloads: DownloadManager,
    ) -> None:
        async def close() -> None:
            await websocket.close()

        super().__init__(
            "unfold",
            write_bytes=websocket.send_bytes,
            write_str=websocket.send_str,
            close=close,
            download_manager=downloads,
        )
        self.visitor = visitor
        self._common = common

    @property
    def number(self) -> int | None:
        """Of the process, while it runs."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    async def run(self) -> None:
        """Hand on what the app draws until it ends; then the page is told so."""
        with contextlib.suppress(ConnectionError):
            await super().run()
        await self.remote_close()

    async def stop(self) -> None:
        """Ask the app to quit, and see to it that it has."""
        process = self._process
        if process is None:
            return
        await self._download_manager.cancel_app_downloads(self.app_service_id)
        try:
            async with asyncio.timeout(PATIENCE):
                await self.send_meta({"type": "quit"})
                await process.wait()
        except TimeoutError:
            pass
        finally:
            with contextlib.suppress(ProcessLookupError):  # it, and what it may have started
                os.killpg(process.pid, signal.SIGKILL)
        if self._task is not None:
            await self._task

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        self._process = process = await asyncio.create_subprocess_exec(
            *_COMMAND,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=self.visitor.files,
            env=self._build_environment(width, height),
            start_new_session=True,  # Ctrl-C is for the server, which then ends its visitors
        )
        self._stdin = process.stdin
        return process

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        told = super()._build_environment(width, height)
        return told | environment(self.visitor, self._common)
