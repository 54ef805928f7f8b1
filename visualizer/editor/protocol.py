"""The server itself, and its terms: URIs, ranges, what a request asks about.

pygls reads and writes the messages. What it would do with the texts is done here: it ends lines at form
feeds too, which C has in the middle of them.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from visualizer import __version__
from visualizer.editor import texts
from visualizer.editor.index import Index
from visualizer.editor.readings import OpenFile, Readings
from visualizer.editor.standing import Standing, standing
from visualizer.editor.stepping import SCHEME, Walks
from visualizer.editor.texts import EditedText, Span, Spot
from visualizer.workbench.bench import Workbench
from visualizer.workbench.flags import Flags

_ENCODINGS: dict[str, texts.Encoding] = {
    lsp.PositionEncodingKind.Utf8.value: "utf-8",
    lsp.PositionEncodingKind.Utf32.value: "utf-32",
}


class _Protocol(LanguageServerProtocol):
    """pygls's, without its copies of the texts, and with documents that it doesn't know yet."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A request that can't be read is answered too: who sent it would wait for ever."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and "id" in data:
                self._send_response(data["id"], None, error.to_response_error())
            raise

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(
        self, params: lsp.InitializeParams
    ) -> Generator[Any, Any, lsp.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        if result.capabilities.workspace is not None:
            schemes = lsp.TextDocumentContentOptions([SCHEME])
            result.capabilities.workspace.text_document_content = schemes
        return result

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(
        self, params: lsp.DidOpenTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: lsp.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(
        self, params: lsp.DidCloseTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class UnfoldServer(LanguageServer):
    """One editor's server; `flags` are those of its command line."""

    def __init__(self, flags: Flags) -> None:
        super().__init__("unfold", __version__, protocol_cls=_Protocol)
        self.flags = flags
        self.readings = Readings(flags, self._read, self.say)
        self.walks = Walks()
        self.index = Index(flags)
        self.publish = self._nothing

    @property
    def encoding(self) -> texts.Encoding:
        """In which the two count: what they agreed on."""
        asked = self.workspace.position_encoding
        named = asked.value if isinstance(asked, lsp.PositionEncodingKind) else asked
        return _ENCODINGS.get(named or "", "utf-16")

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Errors go into the log: a message at each would cover what the user does."""
        logging.getLogger(__name__).error("%s", error)

    def say(self, text: str, is_error: bool = False) -> None:
        kind = lsp.MessageType.Error if is_error else lsp.MessageType.Info
        self.window_show_message(lsp.ShowMessageParams(kind, text))

    def _read(self, file: OpenFile) -> None:
        self.publish(file)

    def _nothing(self, file: OpenFile) -> None:
        """Until somebody publishes what was read."""


@dataclass(frozen=True, slots=True)
class AskedAbout:
    """The place that a request is about: its file and text, the offset, the bench that knows it, which
    may be that of the line alone, and what is invoked there."""

    file: OpenFile
    text: EditedText
    offset: int
    bench: Workbench
    at: Standing | None

    @property
    def is_whole(self) -> bool:
        """Whether all of the text has been read."""
        return self.file.is_read and self.bench is self.file.bench


async def asked_about(
    ls: UnfoldServer, uri: str, position: lsp.Position, whole: bool = False
) -> AskedAbout | None:
    """None where the file isn't open, can't be read, or has changed in the meantime. `whole`: all of
    the text is to be read for it."""
    path = texts.path_of(uri)
    file = ls.readings.files.get(path or "")
    if path is None or file is None:
        return None
    text = file.text
    offset = text.offset(spot(position))
    if whole:
        found = await ls.readings.whole(path)
    else:
        found = await ls.readings.at(path, text.place(offset).line)
    if found is None or file.text is not text or found[1].bench is None:
        return None
    bench = found[1].bench
    return AskedAbout(file, text, offset, bench, standing(bench, text, offset))


async def whole_file(ls: UnfoldServer, uri: str) -> OpenFile | None:
    """The file, read as it is now."""
    path = texts.path_of(uri)
    found = await ls.readings.whole(path) if path is not None else None
    return found[0] if found is not None else None


def spot(position: lsp.Position) -> Spot:
    return Spot(position.line, position.character)


def spots(place: lsp.Range) -> tuple[Spot, Spot]:
    return spot(place.start), spot(place.end)


def range_of(span: Span) -> lsp.Range:
    begin, end = (lsp.Position(at.line, at.unit) for at in span)
    return lsp.Range(begin, end)
