"""A server put together: the texts that an editor hands over, and who answers what it asks."""

from __future__ import annotations

import gc
import logging
import os
import sys
from dataclasses import dataclass
from typing import BinaryIO, cast

from lsprotocol import types as lsp

from visualizer.editor import actions, answers, documents, texts
from visualizer.editor.protocol import UnfoldServer, spots
from visualizer.expansion.depth import make_room_to_nest
from visualizer.workbench.flags import Flags

_SWITCH = 0.0005  # seconds after which a thread that reads lets one in that answers


def serve(flags: Flags) -> None:
    """Speak with an editor on stdin and stdout until it says so, or is gone."""
    make_room_to_nest()
    gc.disable()  # `Readings` looks for garbage when there may be much, and nobody waits
    sys.setswitchinterval(_SWITCH)
    logging.basicConfig(stream=sys.stderr, level=logging.CRITICAL)
    said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")  # pygls closes what it is given
    sys.stdout = sys.stderr  # whatever else is printed would be taken for an answer
    server(flags).start_io(stdin=cast(BinaryIO, _Asked(sys.stdin.buffer)), stdout=said)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the editor writes. One that has bytes in its text that are no UTF-8 sends them as they are:
    each is read as half a character, which `texts` knows, and the message is no lost one."""

    stream: BinaryIO

    def readline(self) -> bytes:
        return self.stream.readline()

    def read(self, size: int) -> bytes:
        content = self.stream.read(size)
        try:
            content.decode()
        except UnicodeDecodeError:
            return content.decode(errors="surrogateescape").encode(errors="surrogatepass")
        return content


def server(flags: Flags) -> UnfoldServer:
    """One that knows what to answer."""
    made = UnfoldServer(flags)
    _keep_texts(made)
    answers.add_to(made)
    actions.add_to(made)
    documents.add_to(made)
    return made


def _keep_texts(made: UnfoldServer) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: UnfoldServer, params: lsp.DidOpenTextDocumentParams) -> None:
        path = texts.path_of(params.text_document.uri)
        if path is not None:
            ls.readings.opened(path, texts.read(params.text_document.text, ls.encoding))

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: UnfoldServer, params: lsp.DidChangeTextDocumentParams) -> None:
        path = texts.path_of(params.text_document.uri)
        file = ls.readings.files.get(path or "")
        if path is None or file is None:
            return
        text = file.text
        for change in params.content_changes:
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                text = text.edited(*spots(change.range), change.text)
            else:
                text = texts.read(change.text, ls.encoding)
        ls.readings.changed(path, text)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: UnfoldServer, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        path = texts.path_of(uri)
        if path is not None:
            ls.readings.closed(path)
            ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    @made.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: UnfoldServer, params: lsp.DidSaveTextDocumentParams) -> None:
        path = texts.path_of(params.text_document.uri)
        if path is not None:
            ls.readings.changed_on_disk(path)
            await ls.index.changed(path)

    @made.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_disk(ls: UnfoldServer, params: lsp.DidChangeWatchedFilesParams) -> None:
        each = [path for change in params.changes if (path := texts.path_of(change.uri))]
        for path in each:
            if path not in ls.readings.files:
                ls.readings.changed_on_disk(path)
        for path in each:
            await ls.index.changed(path)

    @made.feature(lsp.SHUTDOWN)
    def shut_down(ls: UnfoldServer, params: None) -> None:
        ls.readings.end()
