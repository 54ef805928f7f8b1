"""What can be done where the cursor is: an invocation expanded, as a document first, and into the file
where that changes nothing; and what is wrong, cured."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from visualizer.editor import documents, problems, stepping
from visualizer.editor.in_text import Replacing, replacing
from visualizer.editor.protocol import (
    AskedAbout,
    UnfoldServer,
    asked_about,
    range_of,
    spots,
    whole_file,
)
from visualizer.editor.readings import OpenFile
from visualizer.editor.standing import Standing
from visualizer.editor.stepping import ARGUMENT, LEVEL, WHOLE, Address
from visualizer.expansion import Token
from visualizer.expansion.wording import elided
from visualizer.messages import _
from visualizer.workbench.background import in_background
from visualizer.workbench.bench import Workbench

_KINDS = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorInline]


def add_to(made: UnfoldServer) -> None:
    """Have the server do these."""
    _add_actions(made)
    _add_commands(made)


def _add_actions(made: UnfoldServer) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(_KINDS))
    async def offered(
        ls: UnfoldServer, params: lsp.CodeActionParams
    ) -> list[lsp.CodeAction] | None:
        uri, place = params.text_document.uri, params.range.start
        if stepping.address(uri) is not None:
            return list(_in_document(uri, place))
        asked = await asked_about(ls, uri, place)
        if asked is None:
            return None
        cures = list(_cures(asked.file, params)) if asked.file.is_read else []
        each = [*cures, *(_of_place(asked, uri, place) if asked.at is not None else ())]
        only = tuple(str(getattr(kind, "value", kind)) for kind in params.context.only or ())
        return [one for one in each if not only or _is_of(one, only)]


def _add_commands(made: UnfoldServer) -> None:
    @made.command("unfold.intoText")
    async def into_text(ls: UnfoldServer, uri: str, position: lsp.Position, how: str) -> Any:
        asked = await asked_about(ls, uri, position, whole=True)
        if asked is None or asked.at is None:
            return _not_applied(ls, _("no macro is invoked here"))
        tokens = _tokens(asked.at, how)
        return await _put(ls, asked.file, asked.bench, asked.at.index, tokens)

    @made.command("unfold.keep")
    async def keep(ls: UnfoldServer, uri: str) -> Any:
        where = stepping.address(uri)
        found = await documents.bench_of(ls, where) if where is not None else None
        shown = await documents.shown_now(ls, uri)
        if where is None or found is None or shown is None:
            return _not_applied(ls, _("no macro is invoked here"))
        index = stepping.index_of(found[1], where) or 0
        return await _put(ls, found[0], found[1], index, shown.tokens)

    for name in ("open", "run", "verify"):
        _add_words(made, name)


def _add_words(made: UnfoldServer, name: str) -> None:
    @made.command(f"unfold.{name}")
    async def words(ls: UnfoldServer, uri: str, position: lsp.Position) -> Any:
        return await _words(ls, name, uri, position)


# ---------------------------------------------------------------------- what is offered


def _of_place(asked: AskedAbout, uri: str, place: lsp.Position) -> Iterator[lsp.CodeAction]:
    at = asked.at
    assert at is not None
    macro = elided(at.step.macro if at.step is not None else at.expansion.macro)
    titles = [
        (_("Step through {macro}"), "unfold.step", ()),
        (_("Expand {macro} by one level"), "unfold.expand", (LEVEL,)),
        (_("Expand {macro} wholly"), "unfold.expand", (WHOLE,)),
    ]
    is_expanded = at.argument is not None and at.argument[1].changed()
    if is_expanded:
        titles.append((_("Expand the argument {parameter}"), "unfold.expand", (ARGUMENT,)))
    if not at.expansion.directive:
        titles += [
            (_("Put {macro}, expanded by one level, into the text"), "unfold.intoText", (LEVEL,)),
            (_("Put {macro}, expanded wholly, into the text"), "unfold.intoText", (WHOLE,)),
        ]
        if is_expanded:
            title = _("Put the argument {parameter}, expanded, into the text")
            titles.append((title, "unfold.intoText", (ARGUMENT,)))
    parameter = at.argument[1].parameter if at.argument is not None else ""
    for text, command, more in titles:
        title = text.format(macro=macro, parameter=parameter)
        yield _action(title, command, uri, place, *more)


def _is_of(one: lsp.CodeAction, kinds: tuple[str, ...]) -> bool:
    """Whether it is of a kind that was asked for, or of one below that: kinds have dots."""
    kind = str(getattr(one.kind, "value", one.kind))
    return any(kind == asked or not asked or kind.startswith(f"{asked}.") for asked in kinds)


def _in_document(uri: str, place: lsp.Position) -> Iterator[lsp.CodeAction]:
    yield _action(_("Next step"), "unfold.next", uri)
    yield _action(_("Step back"), "unfold.back", uri)
    yield _action(_("Expand this by one level"), "unfold.expandHere", uri, place, LEVEL)
    yield _action(_("Expand this wholly"), "unfold.expandHere", uri, place, WHOLE)
    yield _action(_("Put this into the text"), "unfold.keep", uri)


def _action(title: str, command: str, uri: str, *more: Any) -> lsp.CodeAction:
    kind = lsp.CodeActionKind.RefactorInline
    return lsp.CodeAction(title, kind, command=lsp.Command(title, command, arguments=[uri, *more]))


def _cures(file: OpenFile, params: lsp.CodeActionParams) -> Iterator[lsp.CodeAction]:
    """Of what is wrong there."""
    if file.tried is None:
        return
    begin, end = (file.text.offset(one) for one in spots(params.range))
    for one in problems.problems(file.tried, file.text):
        if one.end < begin or one.begin > end:
            continue
        for cure in one.cures:
            places = [at.file for edit in cure.edits for at in edit[:2]]
            if any(os.path.abspath(place) != file.path for place in places):
                continue
            edits = [
                lsp.TextEdit(
                    range_of(file.text.span(file.text.offset_of(a), file.text.offset_of(b))), new
                )
                for a, b, new in cure.edits
            ]
            yield lsp.CodeAction(
                cure.title,
                lsp.CodeActionKind.QuickFix,
                edit=lsp.WorkspaceEdit({params.text_document.uri: edits}),
            )


# ---------------------------------------------------------------------- into the text


def _tokens(at: Standing, how: str) -> Sequence[Token]:
    if how == ARGUMENT and at.argument is not None:
        where = at.expansion.where
        address = Address(where.file, where.line, where.column, at.argument[0] + 1)
        shown = stepping.page(at.bench, address, 0)
        return shown.tokens if shown is not None else ()
    return at.bench.timeline(at.index).state(stepping.state_of(at, how))


async def _put(
    ls: UnfoldServer, file: OpenFile, bench: Workbench, index: int, tokens: Sequence[Token]
) -> Any:
    """Have the editor put tokens in the place of an invocation, or say why not."""
    text = file.text
    made = await in_background(partial(replacing, bench, index, tokens, text))
    if not isinstance(made, Replacing):
        return _not_applied(ls, _("not put into the text: {why}").format(why=made))
    if file.text is not text:
        return _not_applied(ls, _("not put into the text: it has changed in the meantime"))
    place = range_of(text.span(made.begin, made.end))
    edit = lsp.TextEdit(place, text.as_in_file(made.new))
    changes = lsp.WorkspaceEdit({Path(file.path).as_uri(): [edit]})
    label = _("Expand {macro}").format(macro=elided(bench.expansions[index].macro))
    done = await ls.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(changes, label))
    return {"applied": bool(done is not None and done.applied), "why": ""}


def _not_applied(ls: UnfoldServer, why: str) -> Any:
    ls.say(why)
    return {"applied": False, "why": why}


# ---------------------------------------------------------------------- elsewhere


async def _words(ls: UnfoldServer, name: str, uri: str, position: lsp.Position) -> Any:
    """The command line that goes on there, for the editor to run in a terminal; nothing is run here."""
    file = await whole_file(ls, uri)
    if file is None or file.bench is None:
        return None
    line = position.line + 1
    place = f"{file.path}:{line}" if name == "open" else file.path
    words = ["unfold", name, place]
    if name == "run":
        index = file.bench.expansion_at(line)
        made = file.bench.entries_by_expansion.get(index, ())
        if not made:
            ls.say(_("nothing is registered here"))
            return None
        words = ["unfold", "run", made[0].registration.kernel_name, "--file", file.path]
    return {"words": [*words, *ls.flags.words()]}
