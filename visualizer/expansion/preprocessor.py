"""Directives, conditionals and includes, on pcpp; macro replacement, ours.

pcpp's `Preprocessor.parsegen` walks a file line by line, gathers text between directives into chunks,
and asks its methods to do the work. We override those methods. `group_lines` feeds it our tokens, and
has already settled every conditional, so that only lines that count get through; `expand_macros`
replaces macros with our recording expander; `define` and `include` bring positions and the messages
that gcc gives. pcpp keeps the loop over a file's lines and chunks, and the times of included files.

With `skip_included_text` only the main file goes this way; what it includes is left to
`directive_scan`, or to `include_cache`, which remembers what that did.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pcpp

from visualizer.expansion import constraints
from visualizer.expansion.ask_compiler import compiler_for
from visualizer.expansion.builtin_macros import builtin_macros, renumber
from visualizer.expansion.conditionals import CONDITIONALS, Conditional, decide, lines_count
from visualizer.expansion.conditions import Condition
from visualizer.expansion.definitions import VA_ARGS, VA_OPT, Definition, read_definition
from visualizer.expansion.diagnostics import Code, Diagnostic, Severity, SourceError, at_token
from visualizer.expansion.expander import PRAGMA_OPERATOR, Builtin, Expander, NeedMore
from visualizer.expansion.include_cache import IncludeCache
from visualizer.expansion.include_path import ASSUMED, BESIDE, Found, IncludePath
from visualizer.expansion.inclusion import Inclusion
from visualizer.expansion.language import language
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.macro_table import Written
from visualizer.expansion.options import Options
from visualizer.expansion.source_files import display_path, read_source
from visualizer.expansion.tokens import (
    IDENTIFIER,
    NUMBER,
    OTHER,
    PRAGMA,
    PUNCTUATOR,
    STRING,
    UNTERMINATED,
    AfterDirective,
    Source,
    Token,
    spell,
    spelled_at,
)
from visualizer.expansion.trace import Branch, Expansion, IncludedFile, Trace

if TYPE_CHECKING:
    from visualizer.expansion.directive_scan import DirectiveScan

INCLUDE_LIMIT = 200  # files inside files, as gcc has it
_UNTERMINATED = {
    '"': ('missing terminating " character', "close the string on this line", Code.OPEN_LITERAL),
    "'": (
        "missing terminating ' character",
        "close the character constant on this line",
        Code.OPEN_LITERAL,
    ),
    "/": ("unterminated comment", "close it with */", None),
}


@dataclass(slots=True)
class ReadFile:
    """A file being read: where it was found, its name as shown, and what `#line` makes of it."""

    found: Found
    name: str
    conditionals: list[Conditional] = field(default_factory=list)
    line_shift: int = 0
    presumed_name: str | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """What an include may have changed by the time that it must be done again."""

    macros: dict[str, Definition]
    once: dict[str, None]
    pushed: dict[str, list[Definition | None]]
    counter: int
    diagnostics: int
    builtins: dict[str, Builtin]


class Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no types
    """Preprocesses one translation unit and keeps the trace of its main file's invocations."""

    def __init__(self, options: Options, skip_included_text: bool = False) -> None:
        self.options = options
        self.skip_included_text = skip_included_text
        self.leave_out_includes = False
        self.language = language(options.std, options.dialect)
        self.diagnostics: list[Diagnostic] = []
        self._main = ""
        self.expansions: list[Expansion] = []
        self.explains_directives = False
        self.branches: list[Branch] = []
        self.entered: list[IncludedFile] = []
        super().__init__()
        self.macros: dict[str, Definition] = {}  # pcpp's own, `__DATE__` among them, are replaced
        self.expand_filemacro = False
        self.auto_pragma_once_enabled = False
        self.compiler = compiler_for(options.cc, options.std)
        self.include_path = IncludePath(
            options.include_folders, (*options.system_folders, *self.compiler.folders)
        )
        self.is_clang = "#define __clang__ 1" in self.compiler.macros
        self.inclusion = Inclusion(self.include_path, not self.is_clang, options.unsaved)
        self.condition = Condition(self)
        self.pushed: dict[str, list[Definition | None]] = {}  # by `#pragma push_macro`
        self.counter = 0
        self.builtins = builtin_macros(self)
        self.expander = Expander(
            self.macros,
            self.builtins,
            self.diagnostics.append,
            self.language,
            options.step_limit,
        )
        self.files: list[ReadFile] = []
        self._cache = IncludeCache(self)
        self._guards: dict[str, str | None] = {}
        self._between_directives: set[str] = set()  # files that begin and end with a directive
        self._texts: list[str] = []  # handed from parsegen to group_lines, past pcpp's trigraphs
        self._held: list[Token] = []  # an invocation that a directive has interrupted
        self._produced = 0
        self._at_end = False

    def run(self, path: Path) -> Trace:
        """Preprocess the file. Raises InputError if it cannot be read as source at all."""
        text = read_source(path, unsaved=self.options.unsaved)
        self._main = display_path(path)
        self._prologue()
        main = Found(os.path.abspath(path), BESIDE, False, str(path))
        output = [*self._forced(), *self.read(main, self._main, text)]
        return Trace(
            self._main,
            output,
            self.expansions,
            self.diagnostics,
            self.macros,
            included=list(self.inclusion.included),
            branches=self.branches,
            entered=[e for e in self.entered if e.depth and not e.file.startswith("<")],
        )

    def explain_directives(self) -> None:
        """Remember what directives do, and see each file do it."""
        self.explains_directives = True
        self._cache.distrust()

    @cached_property
    def scan(self) -> DirectiveScan:
        """For the directives of what is included; not needed where a cache knows what they do."""
        from visualizer.expansion.directive_scan import DirectiveScan

        return DirectiveScan(self)

    def _prologue(self) -> None:
        """What is defined before the first line: by the compiler, by `-D` and `-U`."""
        for n, line in enumerate(self.compiler.macros.splitlines(), 1):
            text = line.removeprefix("#define ")  # a compiler's own are all of one form
            name = text.partition(" ")[0].partition("(")[0]
            place = ("<built-in>", n, len("#define ") + 1)
            self.macros[name] = Written(name, text, *place, self.language)
        if self.options.macros:
            name = "<command-line>"
            found = Found(os.path.abspath(name), BESIDE, False)
            for _ in self.read(found, name, self.options.command_line()):
                pass

    def _forced(self) -> Iterator[Token]:
        for name in self.options.forced_includes:
            line = Found(os.path.abspath("<command-line>"), BESIDE, False)
            yield from self.read(line, "<command-line>", f'#include "{name}"\n')

    def read(self, found: Found, name: str, text: str) -> Iterator[Token]:
        """A file's expanded text. pcpp knows it by the path that `ReadFile` keeps for us."""
        with self.inside(found, name):
            yield from self.parsegen(text, name, found.path)

    @contextmanager
    def inside(self, found: Found, name: str = "") -> Iterator[ReadFile]:
        """Everything in here is read from this file."""
        file = ReadFile(found, name or display_path(found.path))
        self.files.append(file)
        entered = IncludedFile(file.name, len(self.files) - 1)
        self.entered.append(entered)
        started = time.perf_counter()
        try:
            yield file
        finally:
            entered.seconds = time.perf_counter() - started
            self.files.pop()

    # ------------------------------------------------------------------ lines

    def parsegen(
        self, input: str, source: str | None = None, abssource: str | None = None
    ) -> Iterator[Token]:
        self._texts.append(input)
        yield from super().parsegen("", source, abssource)

    def group_lines(self, input: str, abssource: str) -> Iterator[list[Token]]:
        """The lines that count: text and directives of the groups that are not skipped."""
        self._at_end = False
        text = self._texts.pop()
        lines = tokenize(text, self.files[-1].name, self.language)
        if lines and all(line[0].text in ("#", "%:") for line in (lines[0], lines[-1])):
            self._between_directives.add(self.files[-1].found.path)
        variadic = VA_ARGS in text or VA_OPT in text
        return self._lines_that_count(lines, self.files[-1], variadic)

    def _lines_that_count(
        self, lines: list[list[Token]], file: ReadFile, variadic: bool
    ) -> Iterator[list[Token]]:
        enabled = True
        after_directive = False
        for line in lines:
            first = line[0]
            if first.kind != PUNCTUATOR or first.text not in ("#", "%:"):
                if enabled:
                    if variadic:
                        self.warn(constraints.in_text(line))
                    if after_directive:
                        line[0] = AfterDirective(first.kind, first.text, first.space, first.origin)
                        after_directive = False
                    yield self._checked(line)
                continue
            after_directive = True
            if len(line) == 1:
                continue
            name = line[1].text
            if name in CONDITIONALS:
                if name in ("if", "elif") and any(map(self.expander.is_macro, line[2:])):
                    yield _FLUSH  # text before may count `__COUNTER__` that this asks for
                enabled = self._conditional(file, line[1], line[2:], enabled)
            elif enabled:
                yield from self.directive(first, line[1], self._checked(line[2:]), file)
        for conditional in file.conditionals:
            self.error(f"unterminated #{conditional.opened_by.text}", conditional.opened_by)
        self._at_end = True

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
                message, hint, code = _UNTERMINATED[quote]
                self.error(message, token, hint, code)
        return line

    def directive(
        self, sharp: Token, name: Token, rest: list[Token], file: ReadFile
    ) -> Iterator[list[Token]]:
        """Do what a directive says, or pass it on to pcpp, which first expands the text before it."""
        match name.text:
            case "define" | "undef":
                if not rest or rest[0].kind != IDENTIFIER:
                    found = f", not '{rest[0].text}'" if rest else ""
                    self.error(f"#{name.text} needs a macro name{found}", rest[0] if rest else name)
                    return
                if rest[0].text == "defined":
                    self.error("'defined' cannot be used as a macro name", rest[0])
                    return
                yield [Token(PUNCTUATOR, "#", True, sharp.origin), name, *rest]
            case "include" | "include_next" | "import":
                header = self.header(name, rest)
                if header is not None:
                    yield [
                        Token(PUNCTUATOR, "#", True, sharp.origin),
                        Token(IDENTIFIER, "include", False, name.origin),
                        Token(STRING, header, name.text == "include_next", rest[0].origin),
                    ]
            case "pragma":
                yield from self._pragma(sharp, rest, file)
            case "error" | "warning":
                text = f"#{name.text} {spell(rest)}"
                severity: Severity = "error" if name.text == "error" else "warning"
                self.diagnostics.append(at_token(severity, text, name))
            case "line":
                yield _FLUSH  # the text before has the numbers of before
                renumber(self, name, rest, file)
            case "embed":
                from visualizer.expansion.embed import embed

                yield from embed(self, name, rest)
            case "ident" | "sccs" | "assert" | "unassert":
                pass
            case _ if name.kind == NUMBER:
                yield _FLUSH
                renumber(self, name, [name, *rest], file)
            case _:
                self.error(f"invalid preprocessing directive #{name.text}", name)

    # ------------------------------------------------------------------ conditionals

    def _conditional(self, file: ReadFile, name: Token, rest: list[Token], enabled: bool) -> bool:
        """Whether the lines after this `#if`, `#elif`, `#else` or `#endif` count."""
        stack = file.conditionals
        if stack[-1].outer if stack and name.text in ("else", "endif") else enabled:
            self.warn(constraints.behind(name, rest))
        if len(self.files) > 1 or not self.explains_directives:
            return lines_count(
                stack, name, enabled, lambda: self.condition.holds(name, rest), self.error
            )
        branch = decide(self, stack, name, rest, enabled)
        self.branches.append(branch)
        return branch.counts

    # ------------------------------------------------------------------ macros

    def define(self, tokens: list[Token] | str) -> None:
        if isinstance(tokens, str):  # pcpp's constructor defines its own; we have ours
            return
        try:
            definition = read_definition(tokens, self.lastdirective)
        except SourceError as error:
            self.diagnostics.append(error.diagnostic())
            return
        self.warn(constraints.in_definition(definition, tokens))
        self.check_builtin("redefining", tokens[0])
        if len(self.files) == 1:
            self._cache.note("define", spell(tokens))
        known = self.macros.get(definition.name)
        if known is not None and not known.same_as(definition):
            self.warn_redefined(known, tokens[0])
        self.macros[definition.name] = definition

    def warn_redefined(self, known: Definition, name: Token) -> None:
        hint = f"the first definition is at {known.where.file}:{known.where.line}"
        self.diagnostics.append(at_token("warning", f'"{name.text}" redefined', name, hint))

    def undef(self, tokens: list[Token]) -> None:
        if tokens[0].kind == PRAGMA:
            self._push_or_pop(tokens[0])
            return
        if tokens[0].kind == OTHER:  # of _FLUSH
            return
        if len(self.files) == 1:
            self._cache.note("undef", tokens[0].text)
        self.warn(constraints.behind(_UNDEF, tokens))
        self.check_builtin("undefining", tokens[0])
        self.macros.pop(tokens[0].text, None)

    def check_builtin(self, doing: str, name: Token) -> None:
        """A built-in macro may be redefined and undefined, but hardly ever on purpose."""
        built_in = name.text in self.builtins or name.text in self.condition.operators
        if built_in or name.text == PRAGMA_OPERATOR:
            self.warn([(f"{doing} the built-in macro '{name.text}'", name)])
            self.builtins.pop(name.text, None)

    def expand_macros(
        self, tokens: list[Any], expanding_from: list[str] | None = None
    ) -> list[Any]:
        """pcpp's hook, for the text between two directives."""
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
            if any(s.macro == PRAGMA_OPERATOR and not s.insert for s in expansion.steps):
                self.inclusion.only_once(self.files[-1].found.path)
            for token in expansion.after:
                if token.kind == PRAGMA:
                    self._push_or_pop(token)
            i += len(expansion.before)
        self._produced += len(out)
        return out

    # ------------------------------------------------------------------ includes

    def header_name(self, tokens: list[Token]) -> str | None:
        """The header that these tokens name, perhaps by a macro, in its quotes or angle brackets."""
        if tokens and tokens[0].kind != STRING and tokens[0].text != "<":
            tokens = self.expander.expand_all(tokens)
        if tokens and tokens[0].kind == STRING and tokens[0].text.startswith('"'):
            return tokens[0].text
        closing = next((i for i, t in enumerate(tokens) if t.text == ">"), None)
        if tokens and tokens[0].text == "<" and closing is not None:
            return "<" + spell(tokens[1:closing]) + ">"
        return None

    def header(self, name: Token, rest: list[Token]) -> str | None:
        header = self.header_name(rest)
        if header is None:
            self.error(f'#{name.text} expects "FILENAME" or <FILENAME>', rest[0] if rest else name)
        self.warn(constraints.behind_header(name, rest))
        return header

    def find_header(self, header: str, after_current: bool = False) -> Found | None:
        """The file that an include directive of the current file names."""
        found = self.include_path.find(header, self.files[-1].found, after_current)
        if found is None and self.compiler.identity == "none" and header[0] == "<":
            from visualizer.expansion.standard_headers import STANDARD_HEADERS

            return ASSUMED if header[1:-1] in STANDARD_HEADERS else None
        return found

    def no_such_file(self, header: Token) -> None:
        searched = self.include_path.searched(header.text, self.files[-1].found)
        hint = f"searched in {searched}; add a folder with -I DIR"
        self.error(f"{header.text[1:-1]}: no such file", header, hint, Code.HEADER_MISSING)

    def may_enter(self, found: Found, header: Token) -> bool:
        """Whether a file is to be read: not if it said `#pragma once`, nor without end."""
        if found is ASSUMED or self.inclusion.is_done(found.path):
            return False
        if not self.skip_included_text and found.path in self.inclusion.included:
            guard = self._guard(found.path)
            if guard is not None and guard in self.macros:
                return False  # nothing in it would count
        if len(self.files) > INCLUDE_LIMIT:
            message = f"#include nested {INCLUDE_LIMIT} deep"
            self.error(message, header, "does a file include itself without a guard?")
            return False
        return True

    def _guard(self, path: str) -> str | None:
        """The macro whose `#ifndef` is around all of a file that was read before."""
        if path not in self._guards:
            from visualizer.expansion.directives import read_directives

            directives = read_directives(self.inclusion.text(path), self.language)
            guarded = directives is not None and path in self._between_directives
            self._guards[path] = directives.guard if directives and guarded else None
        return self._guards[path]

    def include(self, tokens: list[Token], original_line: list[Token]) -> Iterator[Token]:
        if self.leave_out_includes:
            return
        header = tokens[0]
        found = self.find_header(header.text, after_current=header.space)
        if found is None:
            self.no_such_file(header)
        elif self.may_enter(found, header):
            if self.skip_included_text and len(self.files) == 1:
                self._cache.include(found)
            elif self.skip_included_text:  # from a header that is read whole, for what it does
                self.scan.file(found)
            else:
                with self.inside(found) as file:  # few frames: a file may lie 200 deep
                    yield from self.parsegen(self.inclusion.text(found.path), file.name, found.path)
                self._at_end = False

    def include_whole(self, found: Found) -> None:
        """Read an included file token by token for what it does, and drop its text."""
        produced, held, at_end = self._produced, self._held, self._at_end
        self._held = []
        for _ in self.read(found, display_path(found.path), self.inclusion.text(found.path)):
            pass
        self._produced, self._held, self._at_end = produced, held, at_end

    # ------------------------------------------------------------------ pragmas

    def _pragma(self, sharp: Token, rest: list[Token], file: ReadFile) -> Iterator[list[Token]]:
        said = rest[0].text if rest else ""
        if said == "once":
            self.inclusion.only_once(file.found.path)
            return
        token = Token(PRAGMA, f"#pragma {spell(rest)}".rstrip(), True, sharp.origin)
        if said in ("push_macro", "pop_macro"):  # pcpp expands the text before, then asks `undef`
            yield [Token(PUNCTUATOR, "#", True, sharp.origin), _UNDEF, token]
        elif said == "GCC" and len(rest) > 1 and rest[1].text == "system_header":
            file.found = file.found._replace(system=True)
        yield [token]

    def _push_or_pop(self, pragma: Token) -> None:
        m = _PUSH_OR_POP.match(pragma.text)
        if m is None:
            return
        name = m[2]
        if len(self.files) == 1:
            self._cache.note(m[1], name)
        if m[1] == "push":
            self.pushed.setdefault(name, []).append(self.macros.get(name))
        elif self.pushed.get(name):
            definition = self.pushed[name].pop()
            if definition is None:
                self.macros.pop(name, None)
            else:
                self.macros[name] = definition

    # ------------------------------------------------------------------ what a scan may undo

    def save(self) -> Saved:
        return Saved(
            self.macros.copy(),
            self.inclusion.once.copy(),
            {name: stack.copy() for name, stack in self.pushed.items()},
            self.counter,
            len(self.diagnostics),
            self.builtins.copy(),
        )

    def restore(self, saved: Saved) -> None:
        self.macros.clear()
        self.macros.update(saved.macros)
        self.inclusion.once = saved.once.copy()
        self.pushed = {name: stack.copy() for name, stack in saved.pushed.items()}
        self.counter = saved.counter
        self.builtins.update(saved.builtins)
        del self.diagnostics[saved.diagnostics :]

    # ------------------------------------------------------------------ reporting

    def warn(self, warnings: Iterable[tuple[str, Token]]) -> None:
        for message, token in warnings:
            self.diagnostics.append(at_token("warning", message, token))

    def error(self, message: str, token: Token, hint: str = "", code: Code | None = None) -> None:
        self.diagnostics.append(at_token("error", message, token, hint, code))


_UNDEF = Token(IDENTIFIER, "undef", False, Source("", 0, 0))
# pcpp expands the text that it has gathered when it meets a directive like this one.
_NOWHERE = Source("", 0, 0)
_FLUSH = [Token(PUNCTUATOR, "#", True, _NOWHERE), _UNDEF, Token(OTHER, "", True, _NOWHERE)]
_PUSH_OR_POP = re.compile(r'#pragma (push|pop)_macro ?\( ?"([^"]*)" ?\)')


def expand_alone(path: str, text: str, trace: Trace, options: Options) -> list[Token]:
    """An included file's own text, expanded with the macros that a finished trace has at its end;
    what it includes is left out, and so is what is wrong with it."""
    from visualizer.expansion.directives import read_directives

    preprocessor = Preprocessor(options)
    directives = read_directives(text, preprocessor.language)
    guard = directives.guard if directives is not None else None
    preprocessor.macros.update((k, d) for k, d in trace.definitions.items() if k != guard)
    preprocessor.leave_out_includes = True
    return list(preprocessor.read(Found(path, BESIDE, False), display_path(path), text))


def preprocess(
    path: str | Path,
    options: Options | None = None,
    skip_included_text: bool = False,
    explain_directives: bool = False,
) -> Trace:
    """Preprocess a file and trace each macro invocation in it. With `skip_included_text`, what it
    includes is run for its directives only, and the output is that of the file's own text. With
    `explain_directives`, the trace also has the branches and the included files, each of which is
    read for that, whatever an earlier run has kept on disk of it.

    Raises InputError if the file is missing, empty, binary or not UTF-8; everything else that is
    wrong with it is in the trace's diagnostics.
    """
    preprocessor = Preprocessor((options or Options()).settled(path), skip_included_text)
    if explain_directives:
        preprocessor.explain_directives()
    trace = preprocessor.run(Path(path))
    preprocessor.expansions = []  # it refers to itself: a trace should not wait for the collector
    return trace


__all__ = ["Preprocessor", "Source", "expand_alone", "preprocess"]
