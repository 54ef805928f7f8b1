"""A client as plain as can be: what it writes and reads are the protocol's own bytes, so that no
library that the server uses stands on both sides."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-P", "-m", "visualizer", "lsp"]
Message = dict[str, Any]


class Editor:
    """Speaks with one server. What it says without being asked is in `heard`; what it asks for itself
    is answered with null, and an edit is applied to `texts`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.heard: list[Message] = []
        self.texts: dict[str, str] = {}
        self._ids = 0

    def write(self, content: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def send(self, **message: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, **params: Any) -> None:
        self.send(method=method, params=params)

    def start(self, method: str, params: Any) -> int:
        """A request, whose answer is read later."""
        self._ids += 1
        self.send(id=self._ids, method=method, params=params)
        return self._ids

    def answer(self, number: int) -> Message:
        """The message that answers a request."""
        while True:
            message = self.read()
            if message.get("id") == number and "method" not in message:
                return message

    def ask(self, method: str, **params: Any) -> Any:
        """What a request is answered with."""
        answered = self.answer(self.start(method, params))
        assert "error" not in answered, answered
        return answered["result"]

    def command(self, name: str, *arguments: Any) -> Any:
        return self.ask("workspace/executeCommand", command=name, arguments=list(arguments))

    def hear(self, method: str, wanted: Callable[[Message], bool] = lambda _: True) -> Message:
        """The params of the next notification of that kind that is wanted."""
        while True:
            for at, message in enumerate(self.heard):
                if message["method"] == method and wanted(message.get("params", {})):
                    del self.heard[at]
                    return message.get("params", {})
            self.read()

    def read(self) -> Message:
        """The next message; raises EOFError where the server has gone."""
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise EOFError
            name, _, value = line.partition(b":")
            length = int(value) if name == b"Content-Length" else length
        message = json.loads(self.process.stdout.read(length))
        if "method" in message:
            self.heard.append(message)
            if "id" in message:
                self.send(id=message["id"], result=self._done(message))
        return message

    def _done(self, message: Message) -> Any:
        if message["method"] != "workspace/applyEdit":
            return None
        for uri, edits in message["params"]["edit"]["changes"].items():
            self.texts[uri] = edited(self.texts[uri], edits)
        return {"applied": True}

    # ------------------------------------------------------------------ texts

    def open(self, path: Path, text: str, language: str = "cpp") -> str:
        uri = path.as_uri()
        self.texts[uri] = text
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        return uri

    def change(self, uri: str, *changes: Message) -> None:
        document = {"uri": uri, "version": 2}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def at(self, uri: str, line: int, character: int) -> Message:
        """The params of a request about a place, counted from 0."""
        place = {"line": line, "character": character}
        return {"textDocument": {"uri": uri}, "position": place}

    def hover(self, uri: str, line: int, character: int) -> str:
        told = self.ask("textDocument/hover", **self.at(uri, line, character))
        return "" if told is None else told["contents"]["value"]


def edited(text: str, edits: list[Message]) -> str:
    """A text behind edits whose places are counted in UTF-16."""
    rows = text.split("\n")

    def offset(place: Message) -> int:
        row = rows[place["line"]].encode("utf-16-le")[: 2 * place["character"]]
        return sum(len(r) + 1 for r in rows[: place["line"]]) + len(row.decode("utf-16-le"))

    spans = [(offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in edits]
    for begin, end, new in sorted(spans, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


@contextmanager
def started(folder: Path, *flags: str, **capabilities: Any) -> Iterator[Editor]:
    """An editor with its server, which has been greeted, and is dismissed at the end."""
    root = str(Path(__file__).parents[2])
    process = subprocess.Popen(
        [*COMMAND, *flags],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    )
    editor = Editor(process)
    try:
        editor.greeted = editor.ask(  # type: ignore[attr-defined]
            "initialize",
            processId=os.getpid(),
            rootUri=folder.as_uri(),
            capabilities=capabilities,
            workspaceFolders=[{"uri": folder.as_uri(), "name": folder.name}],
        )
        editor.notify("initialized")
        yield editor
        if process.poll() is None:
            editor.ask("shutdown")
            editor.notify("exit")
            assert process.wait() == 0
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
