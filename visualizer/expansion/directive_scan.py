"""Included files, directives only: what a header does to the macro table, with its text skipped.

Nobody steps through a header's text, so only its directives are run: those that the conditions let
through, in order, into the files that they include. Skipped text can still change what comes after it
in two ways: by `__COUNTER__`, which counts wherever it is expanded, and by `_Pragma` with `once`,
`push_macro` or `pop_macro`. Whether a file's text can do so is known only when all its macros are, at
the end. So we first run as if none could, and then look: a file whose text has the name of a macro
that may lead to one of these must be *expanded*, and everything is done again from the start, with
those files read whole. That is rare, and exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from visualizer.expansion import constraints
from visualizer.expansion.conditionals import CONDITIONALS
from visualizer.expansion.definitions import Definition, read_definition
from visualizer.expansion.diagnostics import SourceError
from visualizer.expansion.directives import Directive, Directives, read_directives
from visualizer.expansion.include_path import FoundFile
from visualizer.expansion.macro_table import NAME, WrittenDefinition, is_plain, read_line, same_text
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import (
    IDENTIFIER,
    PUNCTUATOR,
    STRING,
    Source,
    Token,
    spell,
    spelled_at,
)

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor
    from visualizer.expansion.read_file import ReadFile
    from visualizer.expansion.saved import Saved

_NAME_ALONE = re.compile(r"([A-Za-z_$][A-Za-z_0-9$]*)[ \t]*\Z")
_HEADER = re.compile(r'(?:"[^"\n]*"|<[^>\n]*>)')
_PRAGMA = re.compile(r"[ \t]*(once|push_macro|pop_macro|GCC[ \t]+(?:system_header|poison))\b")
_WORD = re.compile(r"[^\W\d]\w*")
_ONCE = re.compile(r'once[ \t]*[)"]')


class DirectiveScan:
    """Runs the directives of included files on a preprocessor's macro table."""

    def __init__(self, preprocessor: Preprocessor) -> None:
        self.preprocessor = preprocessor
        self.language = preprocessor.language
        self._read: dict[str, Directives | None] = {}
        self._whole: set[str] = set()  # files whose text must be expanded
        self._defined: list[tuple[str, str]] = []  # each definition that was run: name, text
        self._uses: dict[str, set[str]] = {}  # by a word: the macros that ever had it in their text
        self._known: set[tuple[str, str]] = set()  # the definitions that this was found in
        self._entered: set[str] = set()  # the files that were entered
        self.considered: dict[str, None] = {}  # those, and the ones whose guard was defined

    def include(self, found: FoundFile, at: Source) -> Saved:
        """What `#include` of this file there does to the preprocessor, its text aside. Gives the state
        before, and leaves the files that mattered in `considered`."""
        self.considered.clear()
        state = self.preprocessor.save()
        while True:
            self._defined.clear()
            self._entered.clear()
            self.file(found, at)
            counting = self._files_that_count(state.macros) - self._whole
            if not counting:
                return state
            self._whole |= counting
            self.preprocessor.restore(state)

    def file(self, found: FoundFile, at: Source) -> None:
        """One file, included there, and those that it includes."""
        p = self.preprocessor
        self.considered[found.path] = None
        try:
            directives = self._read[found.path]
        except KeyError:
            text = p.inclusion.text(found.path)
            directives = self._read[found.path] = read_directives(
                text, self.language, display_path(found.path)
            )
        if (
            directives is not None
            and directives.guard in p.macros
            and not p.includes.reads_again(found)
        ):
            return
        if directives is None or found.path in self._whole:
            p.includes.include_whole(found, at)
            return
        self._entered.add(found.path)
        with p.inside(found, at) as file:
            if self.explains():
                self.run_and_explain(directives, file)
            else:
                self.run(directives, file)

    def explains(self) -> bool:
        """Whether each conditional is to be seen, of the groups that are skipped too."""
        return self.preprocessor.explains_directives

    def run(self, directives: Directives, file: ReadFile) -> None:
        """The directives that conditions let through. Groups that are not taken are jumped over."""
        p = self.preprocessor
        each, jumps = directives.each, directives.jumps
        condition = p.condition.holds_quickly
        i, end = 0, len(each)
        while i < end:
            directive = each[i]
            name = directive.name
            if name == "define":
                self._define(directive, file)
            elif name in ("if", "ifdef", "ifndef"):
                while name not in ("endif", "else"):
                    holds = condition(name, directive.rest)
                    if holds is None:
                        holds = p.condition.holds(*self._tokens(directive, file))
                    if holds:
                        break
                    i = jumps[i]
                    directive = each[i]
                    name = directive.name
            elif name in ("else", "elif", "elifdef", "elifndef"):  # the group before was taken
                while each[i].name != "endif":
                    i = jumps[i]
            elif name != "endif":
                self._unconditional(directive, file)
            i += 1

    def run_and_explain(self, directives: Directives, file: ReadFile) -> None:
        """The same, one directive after the other: a reader asks for the conditionals as well."""
        enabled = True
        for directive in directives.each:
            if directive.name in CONDITIONALS:
                sharp, name, rest = self._line(directive, file)
                enabled = self.preprocessor.conditional(file, [sharp, name, *rest], enabled)
            elif enabled and directive.name == "define":
                self._define(directive, file)
            elif enabled:
                self._unconditional(directive, file)

    def _unconditional(self, directive: Directive, file: ReadFile) -> None:
        p, name = self.preprocessor, directive.name
        if name == "undef" and (m := _NAME_ALONE.match(directive.rest)) is not None:
            if m[1] in p.builtins:
                self._any_other(directive, file)
            else:
                p.macros.pop(m[1], None)
        elif name == "include" and (m := _HEADER.match(directive.rest)) is not None:
            self._include(m.group(), directive, file)
        elif name == "pragma" and _PRAGMA.match(directive.rest) is None:
            pass
        elif name not in ("ident", "sccs"):
            self._any_other(directive, file)

    def note(self, definition: Definition) -> None:
        """A file that is read whole has made this definition, perhaps not for long."""
        self._defined.append((definition.name, _text(definition)))

    def _define(self, directive: Directive, file: ReadFile) -> None:
        p = self.preprocessor
        text = directive.rest
        m = NAME.match(text)
        if m is None or not is_plain(m.group(), text):
            name, rest = self._tokens(directive, file)
            if not rest or rest[0].kind != IDENTIFIER:
                self._any_other(directive, file)
                return
            try:
                definition = read_definition(rest, name, self.language.assembler)
            except SourceError as error:
                p.diagnostics.append(error.diagnostic())
                return
            if not file.found.system:
                p.warn(constraints.in_definition(definition, rest))
                p.check_builtin("redefining", rest[0])
        else:
            definition = WrittenDefinition(
                m.group(), text, file.name, directive.line, directive.column, self.language
            )
        self._defined.append((definition.name, text))
        known = p.macros.get(definition.name)
        if known is not None:
            self._redefine(known, definition, directive, file)
        p.macros[definition.name] = definition
        p.look_at_memory(definition)

    def _redefine(
        self, known: Definition, definition: Definition, directive: Directive, file: ReadFile
    ) -> None:
        if not same_text(known, definition) and not known.same_as(definition):
            self.preprocessor.warn_redefined(known, self._tokens(directive, file)[1][0])

    def _include(self, header: str, directive: Directive, file: ReadFile) -> None:
        p = self.preprocessor
        found = p.includes.find(header)
        token = Token(STRING, header, True, Source(file.name, directive.line, directive.column))
        if found is None:
            p.includes.no_such_file(token)
        elif p.includes.may_enter(found, token):
            self.file(found, spelled_at(token))

    def _any_other(self, directive: Directive, file: ReadFile) -> None:
        """The rest is rare, and done as in the main file."""
        p = self.preprocessor
        sharp, name, rest = self._line(directive, file)
        if not name.text:
            return
        for line in p.directive(sharp, name, rest, file):
            match [token.text for token in line[1:2]]:
                case ["include"]:
                    header = line[2]
                    found = p.includes.find(header.text, after_current=bool(header.space))
                    if found is None:
                        p.includes.no_such_file(header)
                    elif p.includes.may_enter(found, header):
                        self.file(found, spelled_at(header))
                case ["define"]:
                    p.define(line[2:])
                case ["undef"]:
                    p.undef(line[2:])

    def _line(self, directive: Directive, file: ReadFile) -> tuple[Token, Token, list[Token]]:
        """A directive from its `#` on."""
        sharp = Token(PUNCTUATOR, "#", True, Source(file.name, directive.line, directive.sharp))
        return sharp, *self._tokens(directive, file)

    def _tokens(self, directive: Directive, file: ReadFile) -> tuple[Token, list[Token]]:
        """A directive's name and what stands behind it, as tokens with their places."""
        rest = read_line(directive.rest, file.name, directive.line, directive.column, self.language)
        column = directive.sharp + 1
        name = Token(IDENTIFIER, directive.name, False, Source(file.name, directive.line, column))
        return name, rest

    # ------------------------------------------------------------------ text that counts

    def _files_that_count(self, before: Mapping[str, Definition]) -> set[str]:
        """The files in whose text `__COUNTER__` may count, or a `_Pragma` change a macro."""
        texts = [*((d.name, _text(d)) for d in before.values()), *self._defined]
        entered = {path: self.preprocessor.inclusion.texts[path] for path in self._entered}
        self._learn(texts)
        counts = self.preprocessor.counts
        counting = _with_names(entered, self._leading_to("__COUNTER__")) if counts else set()
        carried = _changes_macros("\n".join(text for _, text in texts))
        changing = {
            path: text for path, text in entered.items() if carried or _changes_macros(text)
        }
        if changing:
            found = _with_names(changing, self._leading_to("_Pragma"))
            if not carried:
                found = {path for path in found if _changes_macros(_code(changing[path]))}
            counting |= found
        return counting

    def _learn(self, texts: list[tuple[str, str]]) -> None:
        """See which words these definitions use."""
        for name, text in set(texts) - self._known:
            for word in _WORD.findall(text, len(name)):
                self._uses.setdefault(word, set()).add(name)
        self._known.update(texts)

    def _leading_to(self, word: str) -> set[str]:
        """Names whose expansion may come to `word`: it, and macros with such a name in their text, if
        only in one that they had before."""
        leading, pending = {word}, [word]
        while pending:
            newest = self._uses.get(pending.pop(), set()) - leading
            leading |= newest
            pending += newest
        return leading


def _text(definition: Definition) -> str:
    if isinstance(definition, WrittenDefinition):
        return definition.written[0]
    return definition.name + " " + spell(definition.replacement)


def _with_names(texts: Mapping[str, str], names: set[str]) -> set[str]:
    """The files that have one of these names outside directives, comments and strings."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    hints = [n for n in names if not any(other in n for other in names if other != n)]
    return {
        path
        for path, text in texts.items()
        if any(hint in text for hint in hints) and pattern.search(_code(text))
    }


def _changes_macros(text: str) -> bool:
    return "push_macro" in text or "pop_macro" in text or _ONCE.search(text) is not None


_DIRECTIVE_LINE = re.compile(r"\n[ \t]*#(?:[^\\\n]|\\.)*", re.DOTALL)
_COMMENT = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|//[^\n]*|/\*.*?\*/""", re.DOTALL)


def _code(text: str) -> str:
    """A file's text without directives and comments."""
    outside = _DIRECTIVE_LINE.sub("\n", "\n" + text)
    return _COMMENT.sub(lambda m: " " if m.group()[0] == "/" else m.group(), outside)
