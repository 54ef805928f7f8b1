"""A translation unit: its state, and the way of its text through pcpp.

pcpp's `Preprocessor.parsegen` walks a file line by line, gathers text between directives into chunks,
and asks its methods to do the work. We override those methods. `group_lines` feeds it our tokens, and
has already settled every conditional, so that only lines that count get through; `expand_macros`
replaces macros with our recording expander; `define`, `undef` and `include` bring positions and the
messages that gcc gives. pcpp keeps the loop over a file's lines and chunks, and the times of included
files.

What each of these does has a file of its own: `line_checks`, `conditionals`, `dispatch`, `pragmas`,
`includes`; `interrupted` tells of invocations with directives in them, `one_line` of those that nobody
asked for. What they share is here.

With `skip_included_text` only the main file goes this way; what it includes is left to
`directive_scan`, or to `include_cache`, which remembers what that did. Where an included text is to be
traced, one pass of it (`passes`), the files that lead there go this way too, and it itself.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pcpp

from visualizer.expansion import (
    constraints,
    dispatch,
    interrupted,
    memory,
    pragmas,
    saved,
    under_way,
)
from visualizer.expansion.allowance import LimitReached
from visualizer.expansion.ask_compiler import compiler_for
from visualizer.expansion.builtin_macros import CounterAsked, builtin_macros, operators
from visualizer.expansion.conditionals import CONDITIONALS, LATER, decide, lines_count
from visualizer.expansion.conditions import Condition
from visualizer.expansion.contexts import NeedMore
from visualizer.expansion.definitions import VA_ARGS, VA_OPT, Definition
from visualizer.expansion.diagnostics import Code, Diagnostic, at_token
from visualizer.expansion.directives import read_directives
from visualizer.expansion.dispatch import DIRECTIVES, FLUSH
from visualizer.expansion.expander import Builtin, Expander, Recording
from visualizer.expansion.include_cache import IncludeCache
from visualizer.expansion.include_path import BESIDE, FoundFile, IncludePath
from visualizer.expansion.includes import Includes, are_between_directives
from visualizer.expansion.inclusion import Inclusion
from visualizer.expansion.interrupted import Interrupted, MacroChange
from visualizer.expansion.language import Language, language
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.line_checks import checked, poisoned
from visualizer.expansion.macro_table import WrittenDefinition
from visualizer.expansion.one_line import OneLine
from visualizer.expansion.options import Options
from visualizer.expansion.passages import Passage, Reader
from visualizer.expansion.passes import NO_PASS, Sought, chosen, never_begun
from visualizer.expansion.read_file import ReadFile
from visualizer.expansion.saved import Saved
from visualizer.expansion.source_files import display_path, is_gbk, not_utf8, read_exactly
from visualizer.expansion.text_operators import PRAGMA_OPERATOR, TextOperator
from visualizer.expansion.tokens import (
    OTHER,
    PRAGMA,
    PUNCTUATOR,
    AfterDirective,
    SharpOfText,
    Source,
    Token,
    spelled_at,
)
from visualizer.expansion.trace import Branch, Expansion, IncludedFile, Step, Through, Trace
from visualizer.expansion.untraced import Groups
from visualizer.messages import N_

if TYPE_CHECKING:
    from visualizer.expansion.directive_scan import DirectiveScan
    from visualizer.expansion.gnu_directives import Assertions

_LOOK = 4096  # macros between two looks at the memory that is held
_PASSED_ON = 1 << 15  # tokens between two looks at whether somebody waits for them


@dataclass(frozen=True, slots=True)
class Expanded:
    """A unit's text: its tokens, some of them whole lines, which are made as they are asked for; what
    is wrong with it, as far as it has been read; and how it is printed (as of a `Trace`)."""

    tokens: Iterator[Token]
    diagnostics: list[Diagnostic]
    spelled: dict[str, str]
    ascii_names: bool
    language: Language


class Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no types
    """Preprocesses one translation unit and keeps the trace of one file's invocations in it: the main
    file's, or those of a text that is included, in one of its passes."""

    def __init__(
        self,
        options: Options,
        skip_included_text: bool = False,
        line: int | None = None,
        traces: bool = True,
        counted: int | None = None,
    ) -> None:
        self.options = options
        memory.allow(options.memory)
        self.skip_included_text = skip_included_text
        self.traces = traces
        self.counts = True  # `__COUNTER__`, wherever it is used; else only to see that it matters
        self.leave_out_includes = False
        self.diagnostics: list[Diagnostic] = []
        self._main = self._main_text = ""
        self.expansions: list[Expansion] = []
        self.directives: list[Expansion] = []
        self.explains_directives = False
        self.entered: list[IncludedFile] = []
        self.traced: ReadFile | None = None
        self.sought = Sought()
        self.passes: list[Through] = []  # of the file that is sought
        self.included_here: list[IncludedFile] = []  # by the text that is traced
        self.end: int | None = None  # where in the output that has been read
        super().__init__()
        self.macros: dict[str, Definition] = {}  # pcpp's own, `__DATE__` among them, are replaced
        self.expand_filemacro = False
        self.auto_pragma_once_enabled = False
        self.compiler = compiler_for(options.cc, options.std, options.compiler_flags)
        self.is_clang = "#define __clang__ 1" in self.compiler.macros
        self.language = language(
            options.std, options.dialect, options.compiler_flags, self.compiler.macros
        )
        self.include_path = IncludePath(
            options.include_folders,
            (*options.system_folders, *self.compiler.folders, *options.after_folders),
            options.quote_folders,
            "./" if self.is_clang else "",
            (*self.compiler.spelled, *options.spelled),
            shortens=not self.is_clang,
        )
        self.inclusion = Inclusion(
            self.include_path, not self.is_clang, options.unsaved, options.exact
        )
        self.condition = Condition(self)
        self.pushed: dict[str, list[Definition | None]] = {}  # by `#pragma push_macro`
        self.asserted: Assertions | None = None  # until one is asked for, or made
        self.poisoned: set[str] = set()
        self.counter = 0
        self._counted = counted  # from the first text of the traced file on
        self.builtins: dict[str, Builtin | TextOperator] = {
            **builtin_macros(self),
            **operators(self),
        }
        self.expander = Expander(
            self.macros,
            self.builtins,
            self.diagnostics.append,
            self.language,
            options.step_limit,
        )
        self.expander.pragma_text = partial(pragmas.text_of_operator, self)
        self.expander.counted = lambda: self.counter
        if options.exact:
            self.expander.left_of_open_call = "nothing" if self.is_clang else "name"
        self.one_line = OneLine(line, self.expander) if line is not None else None
        self.includes = Includes(self)
        self.files: list[ReadFile] = []
        self.spelled: dict[str, str] = {}  # as the file's first reading has it
        self.cache = IncludeCache(self)
        self._texts: list[str] = []  # handed from parsegen to group_lines, past pcpp's trigraphs
        self.interrupted = Interrupted()
        self.produced = 0  # tokens of output
        self.at_end = False  # of a file: nothing comes that could complete an invocation

    def run(self, path: str, through: Through | None = None) -> Trace:
        """Preprocess the file; in the unit of `options.main`, which includes it, if there is such.
        Then the pass is traced that these `#include`s lead to, or the one that the options name.
        Raises InputError if a file cannot be read as source at all, or is not included."""
        main = self.options.main or path
        exact = read_exactly(main, unsaved=self.options.unsaved)
        self._main = display_path(main)
        if self.options.main:
            read_exactly(path, True, self.options.unsaved)  # an error at once
            through = self._chosen(path, exact) if through is None else through
            self.sought = Sought(os.path.realpath(path), through)
        output = list(self._all_of(main, exact))
        self.diagnostics[:0] = [*self._of_the_compiler(), *self._of_bytes(exact)]
        if self.traced is None:
            raise never_begun(display_path(path), self.sought.through)
        return Trace(
            self.traced.name,
            output,
            self.expansions,
            self.diagnostics,
            self.macros,
            included=list(self.inclusion.included),
            branches=self.traced.entered.branches,
            directives=self.directives,
            skipped=self.traced.entered.skipped,
            entered=[e for e in self.entered if self.sought.has_inside(e)],
            includes=self.included_here,
            spelled=self.spelled,
            ascii_names=self.prints_ascii_names(),
            passed_over=frozenset(self.one_line.passed_over if self.one_line else ()),
            through=self.sought.through,
            passes=self.passes or [()],
            end=self.end,
        )

    def expand(self, path: str) -> Expanded:
        """The text of a unit, with no trace of it. Raises InputError if the file cannot be read."""
        main = self.options.main or path
        exact = read_exactly(main, unsaved=self.options.unsaved)
        self._main = display_path(main)
        self.diagnostics += [*self._of_the_compiler(), *self._of_bytes(exact)]
        tokens = pragmas.as_printed(self, self._all_of(main, exact))
        ascii_names = self.prints_ascii_names()
        return Expanded(tokens, self.diagnostics, self.spelled, ascii_names, self.language)

    def prints_ascii_names(self) -> bool:
        return not self.is_clang and self.compiler.identity != "none"

    def _all_of(self, main: str, exact: str) -> Iterator[Token]:
        text = self._main_text = self.inclusion.as_asked(exact, self._main)
        self._lines = text.count("\n") + 1
        self.prologue()
        path = os.path.abspath(main)
        found = FoundFile(path, BESIDE, False, dict(self.options.spelled).get(path, main))
        yield from self._forced()
        yield from self.read(found, self._main, text)

    def _chosen(self, path: str, exact: str) -> Through:
        """The pass that the options name, of those that are found as the unit is read once for it."""
        seeking = Preprocessor(self.options, skip_included_text=True)
        seeking._main, seeking.sought = self._main, Sought(os.path.realpath(path), NO_PASS)
        for _ in seeking._all_of(self.options.main, exact):
            pass
        return chosen(seeking.passes, display_path(path), self._main, self.options.nth)

    def _of_the_compiler(self) -> list[Diagnostic]:
        """Where it couldn't be asked what the flags say."""
        where = Source(self._main, 1, 1)
        return [Diagnostic("warning", said, where, hint) for said, hint in self.compiler.remarks]

    def _of_bytes(self, text: str) -> list[Diagnostic]:
        """Where the main file has one that can't be shown."""
        found = None if self.options.exact else not_utf8(text, self._main)
        if found is None:
            return []
        hint = N_("shown as GBK") if is_gbk(text) else N_("each such byte is shown as \ufffd")
        return [Diagnostic("warning", *found, hint, code=Code.NOT_UTF8)]

    def explain_directives(self) -> None:
        """Remember what directives do, and see each file do it."""
        self.explains_directives = True
        self.cache.distrust()

    @cached_property
    def scan(self) -> DirectiveScan:
        """For the directives of what is included; not needed where a cache knows what they do."""
        from visualizer.expansion.directive_scan import DirectiveScan

        return DirectiveScan(self)

    def prologue(self) -> None:
        """What is defined before the first line: by the compiler, by `-D` and `-U`."""
        for n, line in enumerate(self.compiler.macros.splitlines(), 1):
            text = line.removeprefix("#define ")  # a compiler's own are all of one form
            name = text.partition(" ")[0].partition("(")[0]
            place = ("<built-in>", n, len("#define ") + 1)
            self.macros[name] = WrittenDefinition(name, text, *place, self.language)
        if self.options.macros:
            name = "<command-line>"
            found = FoundFile(os.path.abspath(name), BESIDE, False)
            for _ in self.read(found, name, self.options.command_line()):
                pass

    def _forced(self) -> Iterator[Token]:
        """What `-include` adds to the output, behind the macros of `-imacros`."""
        line = FoundFile(os.path.abspath("<command-line>"), BESIDE, False, "./<command-line>")
        for n, name in enumerate(self.options.macro_files):
            for _ in self.read(line, "<command-line>", "\n" * n + f'#include "{name}"\n'):
                pass
            self.produced = 0
        for n, name in enumerate(self.options.forced_includes, len(self.options.macro_files)):
            yield from self.read(line, "<command-line>", "\n" * n + f'#include "{name}"\n')

    def read(self, found: FoundFile, name: str, text: str) -> Iterator[Token]:
        """The expanded text of a file that no other includes. pcpp knows it by the path that `ReadFile`
        keeps for us."""
        with self.inside(found, name=name):
            yield from self.parsegen(text, name, found.path)

    @contextmanager
    def inside(
        self, found: FoundFile, at: Source | None = None, name: str = ""
    ) -> Iterator[ReadFile]:
        """Everything in here is read from this file, which the one before includes `at` a place."""
        through = (*self.files[-1].through, at) if at is not None else ()
        entered = IncludedFile(name or display_path(found.path), through)
        file = ReadFile(found, entered.file, through, entered=entered)
        self.files.append(file)
        self.spelled.setdefault(file.name, found.spelled or file.name)
        if self.traces and through == self.sought.through and (through or file.name == self._main):
            self.traced = file
        if self.sought.is_file(found.path):
            self.passes.append(through)
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
        self.at_end = False
        text = self._texts.pop()
        file = self.files[-1]
        if not self.traces:
            directives = self.includes.directives(text, file.name)
            if directives is not None:
                groups = Groups(self, directives, text, file)
                self.includes.has_read(file.found.path, groups.are_between_directives())
                return iter(groups)
        lines = tokenize(text, file.name, self.language)
        self.includes.has_read(file.found.path, are_between_directives(lines))
        variadic = VA_ARGS in text or VA_OPT in text
        return self.lines_that_count(lines, self.files[-1], variadic)

    def lines_that_count(
        self, lines: Iterable[list[Token]], file: ReadFile, variadic: bool
    ) -> Iterator[list[Token]]:
        enabled = True
        after_directive = False
        waited_for = under_way.current()
        for line in lines:
            if self.expander.is_spent:
                return
            first = line[0]
            waited_for.at(file.name, spelled_at(first).line)
            if first.text == "#" and self._is_text(line):
                first = line[0] = SharpOfText(OTHER, first.text, first.space, first.origin)
            if first.kind != PUNCTUATOR or first.text not in ("#", "%:"):
                if enabled:
                    if variadic:
                        self.warn(constraints.in_text(line))
                    if after_directive and first.text == "(":
                        line[0] = AfterDirective(first.kind, first.text, first.space, first.origin)
                    after_directive = False
                    yield checked(self, line, self.diagnostics)
                continue
            after_directive = True
            if len(line) == 1:
                continue
            name = line[1].text
            if name in CONDITIONALS and (self.language.elifdef or name not in LATER):
                if enabled and self.poisoned:
                    self.diagnostics += poisoned(self.poisoned, line[2:])
                if name in ("if", "elif") and any(map(self.expander.is_macro, line[2:])):
                    yield FLUSH  # text before may count `__COUNTER__` that this asks for
                enabled = self.conditional(file, line, enabled)
            elif enabled:
                yield from self.directive(
                    first, line[1], checked(self, line[2:], self.diagnostics), file
                )
        if file.skips_from:
            file.skip_rest(line[-1])
        for conditional in file.conditionals:
            self.error(f"unterminated #{conditional.opened_by.text}", conditional.opened_by)
        self.at_end = True

    def _is_text(self, line: list[Token]) -> bool:
        """Whether a line that begins with `#` is one of text, as in assembler a comment may be."""
        if not self.language.assembler or len(line) == 1:
            return False
        return line[1].text not in DIRECTIVES and line[1].text not in CONDITIONALS

    def directive(
        self, sharp: Token, name: Token, rest: list[Token], file: ReadFile
    ) -> Iterator[list[Token]]:
        return dispatch.dispatch(self, sharp, name, rest, file)

    # ------------------------------------------------------------------ conditionals

    def conditional(self, file: ReadFile, line: list[Token], enabled: bool) -> bool:
        """Whether the lines after this `#if`, `#elif`, `#else` or `#endif` count. `line` begins with
        its `#`."""
        stack, name, rest = file.conditionals, line[1], line[2:]
        if stack[-1].outer if stack and name.text in ("else", "endif") else enabled:
            self.warn(constraints.behind(name, rest))

        def holds() -> bool:
            with self.tracing(line[0], name, rest) as steps:
                return self.condition.holds(name, rest, steps)

        if self.explains_directives:
            branch = decide(self, stack, line, enabled, holds)
            self.decided(branch, file)
            enabled = branch.counts
        else:
            enabled = lines_count(stack, name, enabled, holds, self.error)
        if enabled if name.text == "endif" else not stack or stack[-1].outer:
            file.skip(line, enabled)
        return enabled

    def decided(self, branch: Branch, file: ReadFile) -> None:
        file.entered.branches.append(branch)

    @contextmanager
    def tracing(self, sharp: Token, name: Token, rest: list[Token]) -> Iterator[list[Step] | None]:
        """Room for the steps of a directive's line. Those of the traced text are kept."""
        if self.files[-1] is not self.traced:
            yield None
            return
        steps: list[Step] = []
        yield steps
        if steps:
            from visualizer.expansion.condition_steps import expansion_of

            self.directives.append(expansion_of([sharp, name, *rest], steps))

    # ------------------------------------------------------------------ macros

    def define(self, tokens: list[Token] | str) -> None:
        if isinstance(tokens, str):  # pcpp's constructor defines its own; we have ours
            return
        dispatch.define(self, tokens)

    def warn_redefined(self, known: Definition, name: Token) -> None:
        if self.files[-1].found.system:
            return
        hint = f"the first definition is at {known.where.file}:{known.where.line}"
        self.diagnostics.append(at_token("warning", f'"{name.text}" redefined', name, hint))

    def undef(self, tokens: list[Token]) -> None:
        dispatch.undef(self, tokens)

    def push_or_pop(self, pragma: Token) -> None:
        pragmas.push_or_pop(self, pragma)

    def give(self, name: str, definition: Definition | None) -> None:
        """A name's new definition. An invocation that began before has what it read by the old one."""
        waiting = self.interrupted
        if waiting.tokens:
            change = MacroChange(len(waiting.tokens), name, self.macros.get(name), definition)
            waiting.changes.append(change)
        interrupted.put(self.macros, name, definition)
        if definition is not None:
            self.look_at_memory(definition)

    def look_at_memory(self, latest: Definition) -> None:
        """From time to time, as macros are defined. Raises InputError where they take too much."""
        if len(self.macros) % _LOOK == 0 and memory.is_spent():
            memory.expect_room(latest.where)

    def tell_cache(self, *event: str) -> None:
        """Of what the main file does to macros, as later includes may come out otherwise."""
        if len(self.files) == 1:
            self.cache.note(*event)

    def is_built_in(self, name: str) -> bool:
        operators = self.condition.operators
        return name in self.builtins or name in operators or name == PRAGMA_OPERATOR

    def check_builtin(self, doing: str, name: Token) -> None:
        """A built-in macro may be redefined and undefined, but hardly ever on purpose."""
        if self.is_built_in(name.text):
            self.warn([(f"{doing} the built-in macro '{name.text}'", name)])
            self.builtins.pop(name.text, None)

    def expand_macros(
        self, tokens: list[Any], expanding_from: list[str] | None = None
    ) -> Iterable[Any]:
        """pcpp's hook, for the text between two directives."""
        reads_no_more = self.expander.is_spent or self.expander.at_its_end
        expanded = [] if reads_no_more else self._expand_text(tokens)
        return expanded if len(expanded) < _PASSED_ON else _some_at_a_time(expanded)

    def _expand_text(self, chunk: list[Token | Passage]) -> list[Token]:
        waited_for = under_way.current()
        waited_for.step(0)
        if chunk and self._counted is not None and self.files[-1] is self.traced:
            self.counter, self._counted = self._counted, None
        tokens, changes = self.interrupted.tokens, self.interrupted.changes
        self.interrupted = Interrupted()
        interrupted.undo(self.macros, changes)
        out: list[Token] = []
        said: list[Diagnostic] = []  # of lines that were read, in an invocation perhaps
        reader = Reader(
            chunk,
            self.language,
            self.macros.keys(),
            self.builtins.keys() | self.poisoned,
            lambda line: self._looked_at(line, said),
        )
        first_name = self.expander.first_name
        one_line = self.one_line
        if one_line is not None:
            one_line.macros_changed()
        i = 0
        while True:
            if said:
                self.diagnostics += said
                said.clear()
            if i == len(tokens):
                tokens, i = reader.next_line(out), 0
                if not tokens:
                    break
            plain = i
            i = first_name(tokens, i)
            out += tokens[plain:i]
            if i == len(tokens):
                continue
            token = tokens[i]
            n = counted = 0
            if self.files[-1] is self.traced:
                waited_for.expanded(min(spelled_at(token).line / self._lines, 1.0))
            if one_line is not None and not changes:
                n, counted = one_line.passes_over(tokens, i, self._traces(token))
            if n:
                out += tokens[i : i + n]
                i += n
                self.counter += counted
                continue
            counter, reported = self.counter, len(self.diagnostics)
            inside: list[tuple[int, Token]] = []
            source = interrupted.as_read(self.macros, tokens, i, changes, reader.line, inside)
            recording = "at once" if changes else self._recording()
            try:
                expansion, _ = self.expander.expand_invocation(source, self.at_end, recording)
            except NeedMore:
                interrupted.make(self.macros, changes)
                self.interrupted = Interrupted(tokens[i:], changes)
                self.counter = counter
                self.diagnostics[reported:] = said
                break
            if one_line is not None:
                one_line.expanded(expansion, self.counter - counter)
            among = [t for at, t in inside if at < len(expansion.before)]
            if not self.expander.at_its_end:
                out += among
            if self.is_clang:
                for token in among:
                    self.error("a #pragma within macro arguments is not supported", token)
            asked = one_line is None or expansion.stands_on(one_line.line)
            shown = asked and self._traces(token)
            felt = shown or any(t.kind == PRAGMA for t in expansion.after)
            if not self.counts and self.counter != counter and felt:
                raise CounterAsked
            if shown and expansion.steps:
                expansion.at, expansion.counted = self.produced + len(out), counter
                self.expansions.append(expansion)
            if self.expander.is_spent:  # the trace is there to be stepped, and no text behind it
                break
            out += expansion.after
            obeys = PRAGMA_OPERATOR in expansion.macros()
            if obeys and any(s.macro == PRAGMA_OPERATOR and not s.insert for s in expansion.steps):
                self.inclusion.only_once(self.files[-1].found.path)
            i += len(expansion.before) + len(among)
            known = self.poisoned.copy()
            for token in expansion.after:
                if token.kind == PRAGMA:
                    self.push_or_pop(token)
                    pragmas.obey(self, pragmas.words_of(token))
            if made := self.poisoned - known:  # what was looked at already is behind it
                self.diagnostics += poisoned(made, tokens[i:])
                reader.watch(made)
            interrupted.make(self.macros, changes)
            changes = []
        self.produced += len(out)
        return out

    def _recording(self) -> Recording:
        if not self.traces:
            return "never"
        return "when asked" if self.expander.is_long() and self.one_line is None else "at once"

    def _looked_at(self, line: list[Token], said: list[Diagnostic]) -> list[Token]:
        """A line of text that was read by itself."""
        said += (at_token("warning", *warning) for warning in constraints.in_text(line))
        return checked(self, line, said)

    def expanded(self, tokens: list[Token], steps: list[Step] | None = None) -> list[Token]:
        """A directive's tokens, completely; none where they grow without end, which is reported."""
        try:
            return self.expander.expand_all(tokens, steps)
        except LimitReached as limit:
            self.error(str(limit), tokens[0], limit.hint, Code.LIMIT_REACHED)
            return []

    def answer(self, operator: str, operand: str) -> int:
        """What `__has_builtin(X)` and its like are worth. The compiler is started for it, so whatever
        the file asks besides is asked along with it."""
        text = self.inclusion.texts.get(self.files[-1].found.path, self._main_text)
        return self.compiler.answer(operator, operand, lambda: _asked_in(text))

    def _traces(self, token: Token) -> bool:
        """Whether an invocation that begins with this token is one of the traced text."""
        file = self.traced
        return file is not None and file is self.files[-1] and spelled_at(token).file == file.name

    # ------------------------------------------------------------------ includes

    def include(self, tokens: list[Token], original_line: list[Token]) -> Iterator[Token]:
        """pcpp's hook."""
        return self.includes.include(tokens[0])

    # ------------------------------------------------------------------ what a scan may undo

    def save(self) -> Saved:
        return saved.save(self)

    def restore(self, before: Saved) -> None:
        saved.restore(self, before)

    # ------------------------------------------------------------------ reporting

    def warn(self, warnings: Iterable[tuple[str, Token]]) -> None:
        for message, token in warnings:
            self.diagnostics.append(at_token("warning", message, token))

    def error(self, message: str, token: Token, hint: str = "", code: Code | None = None) -> None:
        self.diagnostics.append(at_token("error", message, token, hint, code))


def _some_at_a_time(tokens: list[Token]) -> Iterator[Token]:
    """pcpp passes on each by itself, which takes its time. Raises CalledOff."""
    waited_for = under_way.current()
    for start in range(0, len(tokens), _PASSED_ON):
        waited_for.step(0)
        yield from tokens[start : start + _PASSED_ON]


def _asked_in(text: str) -> list[tuple[str, str]]:
    return [(m[1], m[2]) for m in _ASKS.finditer(text)]


_ASKS = re.compile(
    r"(__has_(?:attribute|cpp_attribute|c_attribute|builtin))[ \t]*\(([A-Za-z_]\w*)\)"
)


@memory.reading()
def expand_alone(path: str, text: str, trace: Trace, options: Options) -> list[Token]:
    """An included file's own text, expanded with the macros that a finished trace has at its end;
    what it includes is left out, and so is what is wrong with it."""
    preprocessor = Preprocessor(options)
    directives = read_directives(text, preprocessor.language, display_path(path))
    guard = directives.guard if directives is not None else None
    preprocessor.macros.update((k, d) for k, d in trace.definitions.items() if k != guard)
    preprocessor.leave_out_includes = True
    return list(preprocessor.read(FoundFile(path, BESIDE, False), display_path(path), text))


@memory.reading()
def preprocess(
    path: str | Path,
    options: Options | None = None,
    skip_included_text: bool = False,
    explain_directives: bool = False,
    line: int | None = None,
    through: Through | None = None,
    counted: int | None = None,
) -> Trace:
    """Preprocess a file and trace each macro invocation in it. With `skip_included_text`, what it
    includes is run for its directives only, and the output is that of the file's own text. With
    `explain_directives`, the trace also has the branches and the included files, each of which is
    read for that, whatever an earlier run has kept on disk of it. With a `line`, the trace has the
    expansions of the invocations on that line of the file, and the others are expanded only where that
    is felt there: the output has them as they are written. `counted` is how often `__COUNTER__` was
    asked above the file's first text, which its includes alone don't say.

    Where the options name a main file, the file is one that it includes, and the trace is of one pass
    of it: of that which the `#include`s `through` lead to, or else of the options' `nth`.

    Raises InputError if the file is missing, binary or not included; everything else that is
    wrong with it is in the trace's diagnostics.
    """
    options = (options or Options()).settled(path)
    preprocessor = Preprocessor(options, skip_included_text, line, counted=counted)
    if explain_directives:
        preprocessor.explain_directives()
    trace = preprocessor.run(os.fspath(path), through)
    preprocessor.expansions = []  # it refers to itself: a trace should not wait for the collector
    return trace


def expand(path: str | Path, options: Options | None = None) -> Expanded:
    """The file preprocessed, and no trace of it. Raises InputError if it can't be read as source."""
    return Preprocessor((options or Options()).settled(path), traces=False).expand(os.fspath(path))


__all__ = ["Expanded", "Preprocessor", "Source", "expand", "expand_alone", "preprocess"]
