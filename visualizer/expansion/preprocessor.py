"""Directives, conditionals and includes, on pcpp; macro replacement, ours.

pcpp's `Preprocessor.parsegen` walks a file line by line, gathers text between directives into chunks,
and asks its methods to do the work. We override those methods. `group_lines` feeds it our tokens, and
has already settled every conditional, so that only lines that count get through; `expand_macros`
replaces macros with our recording expander; `define`, `include` and `evalexpr` bring positions and
the messages that gcc gives. pcpp keeps the loop, the nesting of files, `#if` arithmetic and the times.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pcpp

from visualizer.expansion.conditions import Condition, Operand, as_operands, as_tokens
from visualizer.expansion.definitions import Definition, read_definition
from visualizer.expansion.diagnostics import Diagnostic, Severity, SourceError, at_token
from visualizer.expansion.expander import Expander, NeedMore
from visualizer.expansion.language import language
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.options import Options
from visualizer.expansion.predefined import predefined
from visualizer.expansion.source_files import Includes, display_path, read_source
from visualizer.expansion.tokens import (
    IDENTIFIER,
    NUMBER,
    PRAGMA,
    PUNCTUATOR,
    STRING,
    UNTERMINATED,
    Source,
    Token,
    spell,
    spelled_at,
    standing_at,
)
from visualizer.expansion.trace import Expansion, Trace

INCLUDE_LIMIT = 200  # files inside files, as gcc has it
_UNTERMINATED = {
    '"': ('missing terminating " character', "close the string on this line"),
    "'": ("missing terminating ' character", "close the character constant on this line"),
    "/": ("unterminated comment", "close it with */"),
}


@dataclass(slots=True)
class _Conditional:
    """An open `#if`: whether a group was taken, and whether what is around it is taken at all."""

    opened_by: Token
    outer: bool
    taken: bool
    seen_else: bool = False


@dataclass(slots=True)
class _File:
    """A file being read: its name as shown, and what `#line` makes of it."""

    name: str
    conditionals: list[_Conditional] = field(default_factory=list)
    line_shift: int = 0
    presumed_name: str | None = None


class Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no types
    """Preprocesses one translation unit and keeps the trace of its main file's invocations."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.language = language(options.std, options.dialect)
        self.diagnostics: list[Diagnostic] = []
        self._main = ""
        self.expansions: list[Expansion] = []
        self._condition = Condition(self)
        super().__init__()
        self.macros: dict[str, Definition] = {}  # pcpp's own, `__DATE__` among them, are replaced
        self.expand_filemacro = False
        self.auto_pragma_once_enabled = False
        self.includes = Includes(options)
        self.counter = 0
        self.builtins = {
            "__LINE__": self._line_number,
            "__FILE__": self._file_name,
            "__BASE_FILE__": lambda _: (STRING, f'"{self._main}"'),
            "__COUNTER__": self._count,
            "__INCLUDE_LEVEL__": lambda _: (NUMBER, str(len(self._files) - 1)),
            "__DATE__": lambda _: (STRING, time.strftime('"%b %e %Y"')),
            "__TIME__": lambda _: (STRING, time.strftime('"%H:%M:%S"')),
        }
        self.expander = Expander(self.macros, self.builtins, self.diagnostics.append, self.language)
        self._files: list[_File] = []
        self._texts: list[str] = []  # handed from parsegen to group_lines, past pcpp's trigraphs
        self._held: list[Token] = []  # an invocation that a directive has interrupted
        self._produced = 0
        self._at_end = False

    def run(self, path: Path) -> Trace:
        """Preprocess the file. Raises InputError if it cannot be read as source at all."""
        text = read_source(path)
        self._main = display_path(path)
        for name, prologue in (("<built-in>", self._prologue()), *self._forced()):
            list(self.parsegen(prologue, name, name))
        output = list(self.parsegen(text, self._main, str(path)))
        return Trace(self._main, output, self.expansions, self.diagnostics, self.macros)

    def _prologue(self) -> str:
        return predefined(self.options.std) + self.options.command_line()

    def _forced(self) -> Iterator[tuple[str, str]]:
        for name in self.options.forced_includes:
            yield "<command-line>", f'#include "{name}"\n'

    # ------------------------------------------------------------------ lines

    def parsegen(
        self, input: str, source: str | None = None, abssource: str | None = None
    ) -> Iterator[Token]:
        self._texts.append(input)
        self._files.append(_File(source or ""))
        yield from super().parsegen("", source, abssource)
        self._files.pop()

    def group_lines(self, input: str, abssource: str) -> Iterator[list[Token]]:
        """The lines that count: text and directives of the groups that are not skipped."""
        self._at_end = False
        lines = tokenize(self._texts.pop(), self._files[-1].name, self.language)
        return self._lines_that_count(lines, self._files[-1])

    def _lines_that_count(self, lines: list[list[Token]], file: _File) -> Iterator[list[Token]]:
        enabled = True
        for line in lines:
            first = line[0]
            if first.kind != PUNCTUATOR or first.text not in ("#", "%:"):
                if enabled:
                    yield self._checked(line)
                continue
            if len(line) == 1:
                continue
            name = line[1].text
            if name in _CONDITIONALS:
                enabled = self._conditional(file, line[1], line[2:], enabled)
            elif enabled:
                yield from self._directive(first, line[1], self._checked(line[2:]), file)
        for conditional in file.conditionals:
            self._error(f"unterminated #{conditional.opened_by.text}", conditional.opened_by)
        self._at_end = len(self._files) == 1

    def _checked(self, line: list[Token]) -> list[Token]:
        """Reports quotes that are not closed; frees a macro's name that touches a string, as in
        `"%"PRId64`, from being the string's suffix (gcc and clang do so too)."""
        for i, token in enumerate(line):
            if token.kind == STRING and token.text[-1] != '"':
                text, _, suffix = token.text.rpartition('"')
                if suffix in self.macros:
                    file, at, column = spelled_at(token)
                    behind = Source(file, at, column + len(text) + 1)
                    line[i : i + 1] = [
                        Token(STRING, text + '"', token.space, token.origin),
                        Token(IDENTIFIER, suffix, False, behind),
                    ]
            if token.kind == UNTERMINATED:
                quote = token.text.lstrip("uUL8R")[0]
                message, hint = _UNTERMINATED[quote]
                self._error(message, token, hint)
        return line

    def _directive(
        self, sharp: Token, name: Token, rest: list[Token], file: _File
    ) -> Iterator[list[Token]]:
        """Do what a directive says, or pass it on to pcpp, which first expands the text before it."""
        match name.text:
            case "define" | "undef":
                if not rest or rest[0].kind != IDENTIFIER:
                    found = f", not '{rest[0].text}'" if rest else ""
                    self._error(
                        f"#{name.text} needs a macro name{found}", rest[0] if rest else name
                    )
                    return
                yield [Token(PUNCTUATOR, "#", True, sharp.origin), name, *rest]
            case "include" | "include_next" | "import":
                header = self._header(name, rest)
                if header is not None:
                    yield [
                        Token(PUNCTUATOR, "#", True, sharp.origin),
                        Token(IDENTIFIER, "include", False, name.origin),
                        Token(STRING, header, name.text == "include_next", rest[0].origin),
                    ]
            case "pragma":
                if rest and rest[0].text == "once":
                    self.include_once[self.source] = None
                else:
                    yield [Token(PRAGMA, f"#pragma {spell(rest)}".rstrip(), True, sharp.origin)]
            case "error" | "warning":
                text = f"#{name.text} {spell(rest)}"
                severity: Severity = "error" if name.text == "error" else "warning"
                self.diagnostics.append(at_token(severity, text, name))
            case "line":
                self._renumber(name, rest, file)
            case "ident" | "sccs" | "assert" | "unassert":
                pass
            case _ if name.kind == NUMBER:
                self._renumber(name, [name, *rest], file)
            case _:
                self._error(f"invalid preprocessing directive #{name.text}", name)

    # ------------------------------------------------------------------ conditionals

    def _conditional(self, file: _File, name: Token, rest: list[Token], enabled: bool) -> bool:
        """Whether the lines after this `#if`, `#elif`, `#else` or `#endif` count."""
        stack = file.conditionals
        if name.text in ("if", "ifdef", "ifndef"):
            taken = enabled and self._condition.holds(name, rest)
            stack.append(_Conditional(name, enabled, taken))
            return taken
        if not stack:
            self._error(f"#{name.text} without #if", name)
            return enabled
        top = stack[-1]
        if name.text == "endif":
            return stack.pop().outer
        if top.seen_else:
            self._error(f"#{name.text} after #else", name)
            return False
        if name.text == "else":
            top.seen_else = True
            taken = top.outer and not top.taken
        else:
            taken = top.outer and not top.taken and self._condition.holds(name, rest)
        top.taken = top.taken or taken
        return taken

    def evalexpr(self, tokens: list[Token]) -> tuple[int, object]:
        result, rewritten = super().evalexpr(as_operands(tokens))
        return int(result), rewritten

    def on_unknown_macro_in_defined_expr(self, tok: Token | Operand) -> bool:
        return tok.value in self.builtins or tok.value in self._condition.operators

    def on_unknown_macro_in_expr(self, ident: str) -> int:
        return int(ident == "true" and "__cplusplus" in self.macros)

    # ------------------------------------------------------------------ macros

    def define(self, tokens: list[Token] | str) -> None:
        if isinstance(tokens, str):  # pcpp's constructor defines its own; we have ours
            return
        try:
            definition = read_definition(tokens, self.lastdirective)
        except SourceError as error:
            self.diagnostics.append(error.diagnostic())
            return
        known = self.macros.get(definition.name)
        if known is not None and not known.same_as(definition):
            hint = f"the first definition is at {known.where.file}:{known.where.line}"
            message = f'"{definition.name}" redefined'
            self.diagnostics.append(at_token("warning", message, tokens[0], hint))
        self.macros[definition.name] = definition

    def undef(self, tokens: list[Token]) -> None:
        self.macros.pop(tokens[0].text, None)

    def expand_macros(
        self, tokens: list[Any], expanding_from: list[str] | None = None
    ) -> list[Any]:
        """pcpp's hook: for a chunk of text (tokens), and for an `#if` (operands)."""
        if tokens and isinstance(tokens[0], Operand):
            return as_operands(self.expander.expand_all(as_tokens(tokens)))
        return self._expand_text(tokens)

    def _expand_text(self, chunk: list[Token]) -> list[Token]:
        tokens, self._held = [*self._held, *chunk], []
        out: list[Token] = []
        is_macro = self.expander.is_macro
        i, end = 0, len(tokens)
        while i < end:
            token = tokens[i]
            if not is_macro(token):
                out.append(token)
                i += 1
                continue
            counter, reported = self.counter, len(self.diagnostics)
            try:
                expansion, _ = self.expander.expand_invocation(
                    map(tokens.__getitem__, range(i, end)), last=self._at_end
                )
            except NeedMore:
                self.counter = counter
                del self.diagnostics[reported:]
                self._held = tokens[i:]
                break
            if expansion.steps and spelled_at(token).file == self._main:
                expansion.at = self._produced + len(out)
                self.expansions.append(expansion)
            out += expansion.after
            i += len(expansion.before)
        self._produced += len(out)
        return out

    # ------------------------------------------------------------------ includes

    def _header(self, name: Token, rest: list[Token]) -> str | None:
        """What an include names, with its quotes or angle brackets."""
        if rest and rest[0].kind != STRING and rest[0].text != "<":
            rest = self.expander.expand_all(rest)
        if rest and rest[0].kind == STRING and rest[0].text.startswith('"'):
            return rest[0].text
        closing = next((i for i, t in enumerate(rest) if t.text == ">"), None)
        if rest and rest[0].text == "<" and closing is not None:
            return "<" + spell(rest[1:closing]) + ">"
        self._error(f'#{name.text} expects "FILENAME" or <FILENAME>', rest[0] if rest else name)
        return None

    def include(self, tokens: list[Token], original_line: list[Token]) -> Iterator[Token]:
        header = tokens[0]
        found = self.includes.find(header.text, str(self.source), after_current=header.space)
        if found is None:
            searched = self.includes.searched(header.text, str(self.source))
            hint = f"searched in {searched}; add a folder with -I DIR"
            self._error(f"{header.text[1:-1]}: no such file", header, hint)
            return
        if str(found) in self.include_once:
            return
        if len(self._files) > INCLUDE_LIMIT:
            message = f"#include nested {INCLUDE_LIMIT} deep"
            self._error(message, header, "does a file include itself without a guard?")
            return
        yield from self.parsegen(read_source(found, included=True), display_path(found), str(found))

    # ------------------------------------------------------------------ built-in macros

    def _count(self, _: Token) -> tuple[str, str]:
        self.counter += 1
        return NUMBER, str(self.counter - 1)

    def _line_number(self, token: Token) -> tuple[str, str]:
        return NUMBER, str(standing_at(token).line + self._files[-1].line_shift)

    def _file_name(self, _: Token) -> tuple[str, str]:
        file = self._files[-1]
        return STRING, '"' + (file.presumed_name or file.name).replace("\\", "\\\\") + '"'

    def _renumber(self, name: Token, rest: list[Token], file: _File) -> None:
        rest = self.expander.expand_all(rest)
        if not rest or not rest[0].text.isdecimal():
            self._error("#line needs a positive number", rest[0] if rest else name)
            return
        file.line_shift = int(rest[0].text) - (spelled_at(name).line + 1)
        if len(rest) > 1 and rest[1].kind == STRING:
            file.presumed_name = rest[1].text[1:-1]

    # ------------------------------------------------------------------ reporting

    def on_error(self, file: str, line: int, msg: str) -> None:
        """pcpp's own errors: of `#if` arithmetic, the only ones that get past our checks."""
        self._condition.failed(msg)

    def _error(self, message: str, token: Token, hint: str = "") -> None:
        self.diagnostics.append(at_token("error", message, token, hint))


_CONDITIONALS = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"))


def preprocess(path: str | Path, options: Options | None = None) -> Trace:
    """Preprocess a file and trace each macro invocation in it.

    Raises InputError if the file is missing, empty, binary or not UTF-8; everything else that is
    wrong with it is in the trace's diagnostics.
    """
    return Preprocessor(options or Options()).run(Path(path))


__all__ = ["Preprocessor", "Source", "preprocess"]
