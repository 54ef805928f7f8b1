"""What an `#include` does: from the tokens behind it to the file that is read (C23 §6.10.3).

Four questions come one after the other. Which header do the tokens name, perhaps by a macro? Which file
is that, from where it is asked for? May it be read, or did it say `#pragma once`, or is a guard around
all of it whose macro is defined? And how: for its text, or only for what its directives do, as nobody
steps through that?
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from visualizer.expansion import constraints
from visualizer.expansion.diagnostics import Code, at_token
from visualizer.expansion.directives import read_directives
from visualizer.expansion.include_path import ASSUMED, FoundFile
from visualizer.expansion.interrupted import Interrupted
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.source_files import display_path, legible
from visualizer.expansion.tokens import STRING, Source, Token, spell, spelled_at
from visualizer.expansion.trace import IncludedFile, Step
from visualizer.expansion.untraced import directives_of

if TYPE_CHECKING:
    from visualizer.expansion.directives import Directives
    from visualizer.expansion.preprocessor import Preprocessor

INCLUDE_LIMIT = 200  # files inside files, as gcc has it


class Includes:
    """The includes of one preprocessor, and what is known of the files that it has read."""

    def __init__(self, preprocessor: Preprocessor) -> None:
        self.preprocessor = preprocessor
        self._directives: dict[str, Directives | None] = {}  # by the text
        self._guards: dict[str, str | None] = {}
        self._between_directives: set[str] = set()  # files that begin and end with a directive
        self._told_where_searched = False
        self._too_deep = False

    # ------------------------------------------------------------------ which header, which file

    def header_name(self, tokens: list[Token], steps: list[Step] | None = None) -> str | None:
        """The header that these tokens name, perhaps by a macro, in its quotes or angle brackets. What
        macros make of them is put behind `steps`."""
        p = self.preprocessor
        tokens = self.named(tokens, steps)
        if tokens and tokens[0].kind == STRING and tokens[0].text.startswith('"'):
            return p.inclusion.exactly(tokens[0])
        closing = next((i for i, t in enumerate(tokens) if t.text == ">"), None)
        if tokens and tokens[0].text == "<" and closing is not None:
            return "<" + spell(tokens[1:closing]) + ">"
        return None

    def named(self, tokens: list[Token], steps: list[Step] | None = None) -> list[Token]:
        """What a directive says, with its macros replaced where it doesn't begin with a file's name."""
        if not tokens or tokens[0].kind == STRING or tokens[0].text == "<":
            return tokens
        return self.preprocessor.expanded(tokens, steps)

    def header(self, name: Token, rest: list[Token], steps: list[Step] | None = None) -> str | None:
        """The same, of a directive; that it names none is reported."""
        p = self.preprocessor
        header = self.header_name(rest, steps)
        if header is None:
            p.error(f'#{name.text} expects "FILENAME" or <FILENAME>', rest[0] if rest else name)
        p.warn(constraints.behind_header(name, rest))
        return header

    def is_imported_again(self, name: Token, header: str) -> bool:
        """`#import` reads no file that was read before, in whichever way."""
        found = self.find(header) if name.text == "import" else None
        return found is not None and found.path in self.preprocessor.inclusion.included

    def find(self, header: str, after_current: bool = False) -> FoundFile | None:
        """The file that an include directive of the current file names."""
        p = self.preprocessor
        found = p.include_path.find(header, p.files[-1].found, after_current)
        if found is None and p.compiler.identity == "none" and header[0] == "<":
            from visualizer.expansion.standard_headers import STANDARD_HEADERS

            return ASSUMED if header[1:-1] in STANDARD_HEADERS else None
        return found

    def no_such_file(self, header: Token) -> None:
        p = self.preprocessor
        searched = p.include_path.searched(
            header.text, p.files[-1].found, self._told_where_searched
        )
        self._told_where_searched = True
        beside = p.include_path.beside(header.text, p.files[-1].found)
        hint = f"searched in {searched}; add a folder with -I DIR"
        name, code = legible(header.text[1:-1]), Code.HEADER_MISSING
        missing = at_token("error", f"{name}: no such file", header, hint, code)
        p.diagnostics.append(replace(missing, about=name, beside=beside))

    # ------------------------------------------------------------------ whether it is read

    def may_enter(self, found: FoundFile, header: Token) -> bool:
        """Whether a file is to be read: not if it said `#pragma once`, nor without end."""
        p = self.preprocessor
        if found is ASSUMED or p.inclusion.is_done(found.path):
            return False
        if not p.skip_included_text and found.path in p.inclusion.included:
            guard = self._guard(found.path)
            if guard is not None and guard in p.macros:
                return False  # nothing in it would count
        if self._too_deep and any(file.found.path == found.path for file in p.files):
            return False  # one that includes itself twice has two to the 200th includes
        if len(p.files) > INCLUDE_LIMIT:
            self._too_deep = True
            message = f"#include nested {INCLUDE_LIMIT} deep"
            p.error(message, header, "does a file include itself without a guard?")
            return False
        return True

    def reads_again(self, found: FoundFile) -> bool:
        """Whether a file has text beside its guard that matters: where its passes are counted."""
        return self.preprocessor.sought.is_file(found.path) and self._guard(found.path) is None

    def has_read(self, path: str, between_directives: bool) -> None:
        """A file was read whole, and there is text outside of its first and last directive, or not."""
        if between_directives:
            self._between_directives.add(path)

    def directives(self, text: str, file: str) -> Directives | None:
        """Those of a file's text, which may be read more than once; None of one that is read whole."""
        if text not in self._directives:
            self._directives[text] = directives_of(text, self.preprocessor.language, file)
        return self._directives[text]

    def _guard(self, path: str) -> str | None:
        """The macro whose `#ifndef` is around all of a file that was read before."""
        if path not in self._guards:
            p = self.preprocessor
            directives = read_directives(p.inclusion.text(path), p.language, display_path(path))
            guarded = directives is not None and self._is_between_directives(path)
            self._guards[path] = directives.guard if directives and guarded else None
        return self._guards[path]

    def _is_between_directives(self, path: str) -> bool:
        """A file that was read whole is known to be."""
        p = self.preprocessor
        if path in self._between_directives or not p.skip_included_text:
            return path in self._between_directives
        return are_between_directives(tokenize(p.inclusion.text(path), path, p.language))

    # ------------------------------------------------------------------ how it is read

    def include(self, header: Token) -> Iterator[Token]:
        """The expanded text of a header, as far as its text is read at all. A blank before its name
        says that it is looked for behind the folder of the current file, as `#include_next` does."""
        p = self.preprocessor
        if p.leave_out_includes:
            return iter(())
        found = self.find(header.text, after_current=bool(header.space))
        if found is None:
            self.no_such_file(header)
        elif self.may_enter(found, header):
            by, at = p.files[-1], spelled_at(header)
            if by is p.traced:
                p.included_here.append(IncludedFile(display_path(found.path), (*by.through, at)))
            if by.scanned:  # a header that is read whole, for what it does
                p.scan.file(found, at)
            elif p.skip_included_text and not p.sought.is_reached_through((*by.through, at)):
                p.cache.include(found, at)
            elif not p.skip_included_text or self._guard(found.path) not in p.macros:
                if p.skip_included_text:
                    p.cache.distrust()
                is_kept = not p.traces and len(p.files) == 1
                return p.cache.text(found, at) if is_kept else self.text(found, at)
        return iter(())

    def text(self, found: FoundFile, at: Source) -> Iterator[Token]:
        """The expanded text of a file that is included there."""
        p = self.preprocessor
        with p.inside(found, at) as file:  # few frames: a file may lie 200 deep
            yield from p.parsegen(p.inclusion.text(found.path), file.name, found.path)
        p.at_end = False
        if file is p.traced:
            p.end = p.produced

    def include_whole(self, found: FoundFile, at: Source) -> None:
        """Read an included file token by token for what it does, and drop its text."""
        p = self.preprocessor
        produced, interrupted, at_end = p.produced, p.interrupted, p.at_end
        p.interrupted = Interrupted()
        with p.inside(found, at) as file:
            file.scanned = True
            for _ in p.parsegen(p.inclusion.text(found.path), file.name, found.path):
                pass
        p.produced, p.interrupted, p.at_end = produced, interrupted, at_end


def are_between_directives(lines: list[list[Token]]) -> bool:
    """Whether a text begins and ends with a directive."""
    ends = (lines[0], lines[-1]) if lines else ()
    return bool(ends) and all(line[0].text in ("#", "%:") for line in ends)
