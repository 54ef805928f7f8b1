"""What is answered about a file as it is: hover, outline, definitions and uses, what is beside the
registrations, and what is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from lsprotocol import types as lsp

from visualizer.editor import hover, links, outline, problems, texts
from visualizer.editor.index import KernelName
from visualizer.editor.protocol import (
    AskedAbout,
    UnfoldServer,
    asked_about,
    range_of,
    whole_file,
)
from visualizer.editor.readings import OpenFile
from visualizer.editor.texts import EditedText, Span, Spot
from visualizer.editor.why_here import looked_into, may_be_macro, why_not, word_at
from visualizer.expansion import InputError
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import Source
from visualizer.expansion.why.answers import Answer
from visualizer.messages import _
from visualizer.workbench.background import in_background

_SEVERITY = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


def add_to(made: UnfoldServer) -> None:
    """Have the server answer these."""
    made.publish = partial(_publish, made)

    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def told(ls: UnfoldServer, params: lsp.HoverParams) -> lsp.Hover | None:
        asked = await asked_about(ls, params.text_document.uri, params.position)
        return await _hover(ls, asked) if asked is not None else None

    @made.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(
        ls: UnfoldServer, params: lsp.DocumentSymbolParams
    ) -> list[lsp.DocumentSymbol] | None:
        file = await whole_file(ls, params.text_document.uri)
        return [_symbol(one, file.text) for one in _registering(file)] if file else None

    @made.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(ls: UnfoldServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
        file = await whole_file(ls, params.text_document.uri)
        return [_hint(one, file.text) for one in _registering(file)] if file else None

    @made.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(ls: UnfoldServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        file = await whole_file(ls, params.text_document.uri)
        if file is None:
            return None
        uri = params.text_document.uri
        return [lens for one in _registering(file) for lens in _lenses(one, file.text, uri)]

    @made.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def defined(ls: UnfoldServer, params: lsp.DefinitionParams) -> lsp.Location | None:
        asked = await asked_about(ls, params.text_document.uri, params.position)
        where = await _defined(ls, asked) if asked is not None else None
        return next(_locations(ls, [where]), None) if where is not None else None

    @made.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def used(ls: UnfoldServer, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        asked = await asked_about(ls, params.text_document.uri, params.position, whole=True)
        name = word_at(asked.text, asked.offset)[0] if asked is not None else ""
        if asked is None or not name:
            return None
        each = await in_background(partial(links.uses, asked.bench, name))
        return list(_locations(ls, each))

    @made.feature(lsp.WORKSPACE_SYMBOL)
    async def named(
        ls: UnfoldServer, params: lsp.WorkspaceSymbolParams
    ) -> list[lsp.WorkspaceSymbol]:
        roots = map(texts.path_of, ls.workspace.folders)
        found = await ls.index.find(params.query, [root for root in roots if root is not None])
        return [_kernel(one) for one in found]


# ---------------------------------------------------------------------- hover


async def _hover(ls: UnfoldServer, asked: AskedAbout) -> lsp.Hover | None:
    text, at = asked.text, asked.at
    name, start = word_at(text, asked.offset)
    may_be = bool(name) and may_be_macro(asked.bench, text, name)
    if at is not None and (at.is_name or at.step is not None or not may_be):
        said = asked.file.told(hover.hover, at, asked.is_whole)
    elif may_be:
        found = await _looked_into(ls, asked)
        said = why_not(found) if found is not None else ""
    else:
        return None
    begin, end = (start, start + len(name)) if name or at is None else (at.begin, at.end)
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, said)
    return lsp.Hover(content, range_of(text.span(begin, end))) if said else None


async def _looked_into(ls: UnfoldServer, asked: AskedAbout) -> Answer | None:
    """Where it takes long, whoever asks about another place meanwhile has this one called off."""
    start = word_at(asked.text, asked.offset)[1]
    work = partial(looked_into, asked.bench, asked.text, start)
    try:
        return await ls.readings.looked_into(asked.file, start, work)
    except InputError:  # of a header that was there a moment ago
        return None


# ---------------------------------------------------------------------- registrations


def _registering(file: OpenFile) -> Iterable[outline.Registering]:
    return outline.registering(file.bench, file.text) if file.bench is not None else ()


def _symbol(one: outline.Registering, text: EditedText) -> lsp.DocumentSymbol:
    around = range_of(text.span(one.begin, one.end))
    each = []
    for entry in one.entries:
        place = range_of(text.span(*outline.key_at(entry, one, text)))
        name = f"{entry.registration.kernel_name} {hover.label(entry)}"
        each.append(lsp.DocumentSymbol(name, lsp.SymbolKind.Function, place, place))
    names = ", ".join(one.names) or one.macro
    kind = lsp.SymbolKind.Function
    return lsp.DocumentSymbol(names, kind, around, around, detail=one.in_short(), children=each)


def _kernel(one: KernelName) -> lsp.WorkspaceSymbol:
    place = range_of(Span(Spot(one.line - 1, 0), Spot(one.line - 1, 0)))
    location = lsp.Location(Path(one.path).as_uri(), place)
    return lsp.WorkspaceSymbol(location, one.name, lsp.SymbolKind.Function, container_name=one.keys)


def _hint(one: outline.Registering, text: EditedText) -> lsp.InlayHint:
    end = range_of(text.span(one.end, one.end)).start
    return lsp.InlayHint(end, one.in_short(), padding_left=True)


def _lenses(one: outline.Registering, text: EditedText, uri: str) -> Iterator[lsp.CodeLens]:
    around = range_of(text.span(one.begin, one.end))
    place = {"line": around.start.line, "character": around.start.character}
    for title, command in (
        (one.in_short(), "unfold.step"),
        (_("step"), "unfold.step"),
        (_("run"), "unfold.run"),
        (_("verify"), "unfold.verify"),
    ):
        yield lsp.CodeLens(around, lsp.Command(title, command, arguments=[uri, place]))


# ---------------------------------------------------------------------- links


async def _defined(ls: UnfoldServer, asked: AskedAbout) -> Source | None:
    name = word_at(asked.text, asked.offset)[0]
    if not name:
        return None
    known = links.definition_of(asked.bench, asked.at, name, asked.text)
    if known is None and may_be_macro(asked.bench, asked.text, name):
        found = await _looked_into(ls, asked)
        known = found.definition if found is not None else None
    return known.where if known is not None and not known.where.file.startswith("<") else None


def _locations(ls: UnfoldServer, each: Iterable[Source]) -> Iterator[lsp.Location]:
    """Places in files, as they are open or on disk; one that can't be read has none."""
    known: dict[str, EditedText | None] = {}
    for at in each:
        path = os.path.abspath(at.file)
        if path not in known:
            known[path] = _text_of(ls, path)
        text = known[path]
        if text is not None:
            begin = text.offset_of(at)
            word, start = word_at(text, begin)
            end = start + len(word) if start == begin else begin
            yield lsp.Location(Path(path).as_uri(), range_of(text.span(begin, end)))


def _text_of(ls: UnfoldServer, path: str) -> EditedText | None:
    file = ls.readings.files.get(path)
    if file is not None:
        return file.text
    try:
        return texts.read(read_source(path, included=True), ls.encoding)
    except InputError:
        return None


# ---------------------------------------------------------------------- what is wrong


def _publish(ls: UnfoldServer, file: OpenFile) -> None:
    """What was found wrong, and that what is beside the registrations may be other."""
    uri = Path(file.path).as_uri()
    found = [] if file.tried is None else list(problems.problems(file.tried, file.text))
    each = [_diagnostic(ls, one, file.text) for one in found]
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, each))
    there = ls.client_capabilities.workspace
    if there is None:
        return
    if there.code_lens is not None and there.code_lens.refresh_support:
        ls.workspace_code_lens_refresh(None)
    if there.inlay_hint is not None and there.inlay_hint.refresh_support:
        ls.workspace_inlay_hint_refresh(None)


def _diagnostic(ls: UnfoldServer, one: problems.Problem, text: EditedText) -> lsp.Diagnostic:
    said = one.found.message + (f"\n{one.found.hint}" if one.found.hint else "")
    beside = [
        lsp.DiagnosticRelatedInformation(place, note)
        for note, at in one.beside
        for place in _locations(ls, [at])
    ]
    return lsp.Diagnostic(
        range_of(text.span(one.begin, one.end)),
        said,
        _SEVERITY[one.found.severity],
        code=one.code or None,
        source="unfold",
        related_information=beside or None,
    )
