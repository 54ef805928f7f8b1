"""The documents that step, as commands and as what an editor asks of their texts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from lsprotocol import types as lsp

from visualizer.editor import stepping, texts
from visualizer.editor.protocol import UnfoldServer, asked_about, spot
from visualizer.editor.readings import OpenFile
from visualizer.editor.stepping import ARGUMENT, WHOLE, Address, Still
from visualizer.messages import _
from visualizer.workbench.background import in_background
from visualizer.workbench.bench import Workbench

_LEGEND = lsp.SemanticTokensLegend(["macro", "variable"], ["modification"])
_TAKEN, _CHANGED = (0, 0), (1, 1)  # type and modifiers of what is taken next, of what was changed


def add_to(made: UnfoldServer) -> None:
    """Have the server show these."""
    _add_commands(made)
    _add_texts(made)


def _add_commands(made: UnfoldServer) -> None:
    @made.command("unfold.step")
    async def step(ls: UnfoldServer, uri: str, position: lsp.Position) -> Any:
        return await _begun(ls, uri, position, "")

    @made.command("unfold.expand")
    async def expand(ls: UnfoldServer, uri: str, position: lsp.Position, how: str) -> Any:
        return await _begun(ls, uri, position, how)

    @made.command("unfold.next")
    async def further(ls: UnfoldServer, uri: str) -> Any:
        return await _moved(ls, uri, by=1)

    @made.command("unfold.back")
    async def back(ls: UnfoldServer, uri: str) -> Any:
        return await _moved(ls, uri, by=-1)

    @made.command("unfold.to")
    async def to(ls: UnfoldServer, uri: str, state: int) -> Any:
        return await _moved(ls, uri, to=state)

    @made.command("unfold.steps")
    async def steps(ls: UnfoldServer, uri: str, first: int, last: int) -> Any:
        return await _steps(ls, uri, first, last)

    @made.command("unfold.expandHere")
    async def expand_here(ls: UnfoldServer, uri: str, position: lsp.Position, how: str) -> Any:
        return await _expanded_in(ls, uri, position, how)

    @made.command("unfold.content")
    async def content(ls: UnfoldServer, uri: str) -> Any:
        return await _document(ls, uri)


def _add_texts(made: UnfoldServer) -> None:
    @made.feature(lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def content(
        ls: UnfoldServer, params: lsp.TextDocumentContentParams
    ) -> lsp.TextDocumentContentResult:
        shown = await shown_now(ls, params.uri)
        text = shown.text if shown is not None else "// " + _("the file isn't open") + "\n"
        return lsp.TextDocumentContentResult(text)

    selector = [lsp.TextDocumentFilterScheme(scheme=stepping.SCHEME)]
    options = lsp.SemanticTokensRegistrationOptions(_LEGEND, document_selector=selector, full=True)

    @made.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, options)
    async def marked(
        ls: UnfoldServer, params: lsp.SemanticTokensParams
    ) -> lsp.SemanticTokens | None:
        shown = await shown_now(ls, params.text_document.uri)
        return lsp.SemanticTokens(list(_marks(ls, shown))) if shown is not None else None


async def _begun(ls: UnfoldServer, uri: str, position: lsp.Position, how: str) -> Any:
    """The document of what is invoked at a place, expanded so far."""
    asked = await asked_about(ls, uri, position, whole=True)
    at = asked.at if asked is not None else None
    if asked is None or at is None:
        ls.say(_("no macro is invoked here"))
        return None
    where = at.expansion.where
    number = at.argument[0] + 1 if how == ARGUMENT and at.argument is not None else 0
    shown = Address(asked.file.path, where.line, where.column, number)
    ls.walks.put(shown, stepping.state_of(at, how))
    return await _show(ls, shown.uri())


async def _moved(ls: UnfoldServer, uri: str, by: int = 0, to: int | None = None) -> Any:
    where = stepping.address(uri)
    shown = await shown_now(ls, uri)
    if where is None or shown is None:
        return None
    now = min(ls.walks.state(where), shown.last)  # another key may have come in the meantime
    ls.walks.put(where, min(now + by if to is None else to, shown.last))
    return await _show(ls, uri)


async def _steps(ls: UnfoldServer, uri: str, first: int, last: int) -> Any:
    """The steps of a document from one up to another, for a client that lists them beside it; those
    inside of one are asked for when they are looked at."""
    where = stepping.address(uri)
    found = await bench_of(ls, where) if where is not None else None
    if where is None or found is None:
        return None
    each = await in_background(partial(stepping.rows, found[1], where, first, last))
    return [row._asdict() for row in each]


async def _expanded_in(ls: UnfoldServer, uri: str, position: lsp.Position, how: str) -> Any:
    where = stepping.address(uri)
    found = await bench_of(ls, where) if where is not None else None
    shown = await shown_now(ls, uri)
    if where is None or found is None or shown is None:
        return None
    index = stepping.index_of(found[1], where)
    offset = texts.read(shown.text, ls.encoding).offset(spot(position))
    token = stepping.token_at(shown, offset)
    to = None
    if index is not None and token is not None and not where.argument:
        find = stepping.whole_of if how == WHOLE else stepping.next_of
        to = find(found[1], index, shown.state, token)
    if to is None:
        ls.say(_("nothing is invoked here any more"))
        return await _document(ls, uri)
    ls.walks.put(where, to)
    return await _show(ls, uri)


async def _show(ls: UnfoldServer, uri: str) -> Any:
    """Have the document seen as it is now, by who can show it, and hand it to who asked."""
    there, window = ls.client_capabilities.workspace, ls.client_capabilities.window
    if there is not None and there.text_document_content is not None:
        ls.workspace_text_document_content_refresh(lsp.TextDocumentContentRefreshParams(uri))
        if window is not None and window.show_document is not None and window.show_document.support:
            ls.window_show_document(lsp.ShowDocumentParams(uri, take_focus=True))
    return await _document(ls, uri)


async def _document(ls: UnfoldServer, uri: str) -> Any:
    """A document as a client draws it that knows no more of it than this."""
    shown = await shown_now(ls, uri)
    if shown is None:
        return None
    text = texts.read(shown.text, ls.encoding)
    changed = [
        {"line": begin.line, "start": begin.unit, "end": end.unit}
        for begin, end in (text.span(*place) for place in _places(shown, shown.changed))
    ]
    return {
        "uri": uri,
        "text": shown.text,
        "state": shown.state,
        "last": shown.last,
        "code": text.spot(shown.code).line,
        "changed": changed,
    }


async def bench_of(ls: UnfoldServer, where: Address) -> tuple[OpenFile, Workbench] | None:
    """The file that a document is of, read as it is now; None if it isn't open, or isn't text."""
    found = await ls.readings.whole(where.path)
    bench = found[1].bench if found is not None else None
    return (found[0], bench) if found is not None and bench is not None else None


async def shown_now(ls: UnfoldServer, uri: str) -> Still | None:
    """The document at the state that it has come to; None where nothing is invoked any more."""
    where = stepping.address(uri)
    found = await bench_of(ls, where) if where is not None else None
    if where is None or found is None:
        return None
    return await in_background(partial(stepping.page, found[1], where, ls.walks.state(where)))


def _places(shown: Still, which: range) -> Iterator[tuple[int, int]]:
    """Where tokens stand that end on their line."""
    for at in which:
        token, start = shown.tokens[at], shown.starts[at]
        if "\n" not in token.text:
            yield start, start + len(token.text)


def _marks(ls: UnfoldServer, shown: Still) -> Iterator[int]:
    """Semantic tokens: each by its distance from the one before."""
    text = texts.read(shown.text, ls.encoding)
    each = [(*place, _CHANGED) for place in _places(shown, shown.changed)]
    known = {place[0] for place in each}
    each += [(*p, _TAKEN) for p in _places(shown, shown.taken) if p[0] not in known]
    line = unit = 0
    for start, stop, (kind, modifiers) in sorted(each):
        begin, end = text.span(start, stop)
        unit = unit if begin.line == line else 0
        yield from (begin.line - line, begin.unit - unit, end.unit - begin.unit, kind, modifiers)
        line, unit = begin.line, begin.unit
