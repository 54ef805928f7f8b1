"""Macro replacement, with every step recorded, or none.

The algorithm is that of gcc and clang. Tokens are read one at a time from a stack of *contexts*. The
lowest is the source; replacing a macro pushes its filled-in replacement list as a new context, so that
the replacement is *rescanned* together with everything behind it (C23 §6.10.5.5). While a macro's
context is on the stack, its name is not available for replacement: a token with that name that is met
now is *painted*, and stays a plain name for ever. That is why expansion always stops. When the last
token of a context has been read, the context goes, and its name may be replaced again; so a name at
the very end of a replacement can find its parenthesis in the tokens behind it.

Everything left of the reading position is final. A step is therefore a splice at that position:
`at` is the number of final tokens, `remove` the number of tokens read for the invocation.

Who wants the result alone has nothing recorded, neither steps nor where tokens come from, by the same
algorithm: it takes half the time and a fraction of the memory. What cannot be told without, a message
with its place or `__LINE__`, makes the invocation be expanded once more, recorded.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, pairwise

from visualizer.expansion import memory, under_way
from visualizer.expansion.arguments import Read, bind, read_arguments, read_from
from visualizer.expansion.definitions import Definition
from visualizer.expansion.depth import DEPTH_LIMIT, room_to_nest
from visualizer.expansion.diagnostics import Code, Diagnostic, Severity, SourceError, at_token
from visualizer.expansion.language import Language
from visualizer.expansion.options import STEP_LIMIT
from visualizer.expansion.parentheses import left_open
from visualizer.expansion.runaway import MOST, is_runaway
from visualizer.expansion.substitution import (
    UNRECORDED,
    LimitReached,
    MemoryReached,
    substitute,
)
from visualizer.expansion.tokens import (
    IDENTIFIER,
    NUMBER,
    PRAGMA,
    STRING,
    AfterDirective,
    Computed,
    Passed,
    Source,
    Token,
    standing_at,
)
from visualizer.expansion.trace import (
    Argument,
    Expansion,
    Frame,
    Operation,
    Prescan,
    Step,
    StepKind,
    replay,
)
from visualizer.expansion.wrong_arguments import never_closed, wrong_number

Builtin = Callable[[Token], tuple[str, str]]  # a name token → the kind and spelling it stands for


@dataclass(frozen=True, slots=True)
class Operator:
    """A built-in macro that takes an operand in parentheses, as `__has_attribute(noreturn)`: `answer`
    makes a number of its name and its operand, and reports what is wrong with them; None of one that is
    for `#if` alone. Conditions answer theirs before they expand what is left."""

    answer: Callable[[Token, list[Token]], str] | None


PRAGMA_OPERATOR = "_Pragma"
_SOME = 5_000  # steps, before it is asked where they lead
_LOOK = 20_000  # tokens put in, and steps, between two looks at the memory that is held
_MORE_STEPS = 4  # times as many, where none is recorded
_TOO_DEEP = f"arguments are nested more than {DEPTH_LIMIT} deep"


class NeedMore(Exception):
    """The tokens ended inside an invocation: what follows a directive may complete it."""


class _MustBeRecorded(Exception):
    """Something depends on where a token comes from."""


@dataclass(slots=True)
class _Context:
    tokens: list[Token]
    definition: Definition | None = None
    frame: Frame | None = None
    space: bool = False  # white space that its end leaves for the token behind it
    next: int = 0


@dataclass(slots=True)
class _Sequence:
    """One line being expanded: the tokens that are final, and the contexts still to be read.

    `source` is what lies behind the invocation in the file; its tokens are taken only when a macro
    reaches for them, and only one that reaches for them without its parenthesis gives one back.
    """

    contexts: list[_Context]
    source: Iterator[Token] | None = None
    taken: list[Token] = field(default_factory=list)  # from the source, in order
    returned: list[Token] = field(default_factory=list)  # a source token that was looked at only
    done: list[Token] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    space: bool = False  # white space that a vanished token left for the next one
    left: list[Token] = field(default_factory=list)  # function-like names without parenthesis
    waiting: Token | None = None  # MSVC: a macro's name in `done` that may yet find its parenthesis


class Expander:
    """Replaces macros in token sequences. Holds what outlives one invocation: the macro table
    (shared with the preprocessor), the names in use, and what has been reported."""

    def __init__(
        self,
        macros: Mapping[str, Definition],
        builtins: Mapping[str, Builtin | Operator],
        report: Callable[[Diagnostic], None],
        language: Language,
        step_limit: int = STEP_LIMIT,
    ) -> None:
        self.step_limit = step_limit
        self.macros = macros
        self.builtins = builtins
        self._report = report
        self._records = True
        self.in_text = False  # not in a directive
        self.language = language
        self.pragma_text: Callable[[str], str] = str  # what becomes of that of a `_Pragma`
        self.ends: dict[Source, int] = {}  # of invocations in the source: the line of their `)`
        self._never_closed: set[object] = set()  # parentheses in the source
        self._in_use: set[str] = set()
        self._under_way = under_way.current()
        self._depth = 0
        self._steps = 0
        self._unweighed = 0
        self._begun: Sequence[Token] = ()  # what is expanded, until it is known not to run away
        self.out_of_memory = False

    def is_macro(self, token: Token) -> bool:
        return token.kind == IDENTIFIER and (
            token.text in self.macros
            or token.text in self.builtins
            or token.text == PRAGMA_OPERATOR
        )

    def expand_invocation(
        self, source: Iterator[Token], last: bool, records: bool = True
    ) -> tuple[Expansion, list[Token]]:
        """Expand the macro name that `source` gives first, and whatever its replacement leads to.
        Unless it `records`, there are no steps, and of each token is known that it comes of this name.

        Returns the expansion, and the source tokens that were looked at but not used. Where the
        source ends inside an invocation: NeedMore, unless this is the `last` of the file; then it is
        reported and the name stays as it is.
        """
        name = next(source)
        if records:
            return self._expand_invocation(name, source, last)
        taken = [name]
        self._records = False
        try:
            expansion, returned = self._expand_invocation(name, _noted(source, taken), last)
        except _MustBeRecorded:
            self._records = True
            return self._expand_invocation(name, chain(taken[1:], source), last)
        finally:
            self._records = True
        by = Computed(name)
        expansion.after = [Token(t.kind, t.text, t.space, by) for t in expansion.after]
        return expansion, returned

    def _expand_invocation(
        self, name: Token, source: Iterator[Token], last: bool
    ) -> tuple[Expansion, list[Token]]:
        self._steps, self._begun = 0, [name]
        self.in_text = True
        sequence = _Sequence([_Context([name])], source, taken=[name])
        with _room_for_a_trace():
            try:
                self._scan(sequence, last)
            except LimitReached as limit:
                self.out_of_memory = isinstance(limit, MemoryReached)
                if not self._records and not self.out_of_memory:
                    raise _MustBeRecorded from None
                hint = limit.hint or "what was expanded so far can be stepped"
                self._report(at_token("error", str(limit), name, hint, Code.LIMIT_REACHED))
                sequence.done = replay(sequence.taken, sequence.steps)
            finally:
                self._in_use.clear()
                self._depth = 0
                self.in_text = False
        before = sequence.taken[: len(sequence.taken) - len(sequence.returned)]
        expansion = Expansion(before, sequence.steps, sequence.done, left=sequence.left)
        return expansion, sequence.returned

    def expand_all(self, tokens: list[Token], steps: list[Step] | None = None) -> list[Token]:
        """The tokens completely expanded, as in `#if` and `#include`. What leads to that is put behind
        `steps`, for who wants to know."""
        self._steps, self._begun = 0, tokens
        with _room_for_a_trace():
            sequence = _Sequence([_Context(tokens)])
            try:
                self._scan(sequence, last=True)
            finally:
                self._in_use.clear()
                self._depth = 0
        if steps is not None:
            steps += sequence.steps
        return sequence.done

    def report(self, diagnostic: Diagnostic) -> None:
        if not self._records:
            raise _MustBeRecorded
        self._report(diagnostic)

    # ------------------------------------------------------------------ reading

    def _next(self, sequence: _Sequence, peek_source: bool = False) -> Token | None:
        """The next token, or None at the end of the contexts. Finished contexts go away here, and
        their macros' names become available again."""
        contexts = sequence.contexts
        while contexts:
            context = contexts[-1]
            if context.next < len(context.tokens):
                token = context.tokens[context.next]
                context.next += 1
                if sequence.space:
                    sequence.space = False
                    if not token.space:
                        token = Token(token.kind, token.text, True, token.origin, token.painted)
                return token
            if context.definition is not None:
                self._in_use.discard(context.definition.name)
            sequence.space = sequence.space or context.space
            contexts.pop()
        if not peek_source:
            return None
        if sequence.returned:
            return sequence.returned.pop()
        token_or_none = next(sequence.source, None) if sequence.source is not None else None
        if token_or_none is not None:
            sequence.taken.append(token_or_none)
        return token_or_none

    def _give_back(self, sequence: _Sequence, token: Token) -> None:
        if not sequence.contexts and sequence.taken and sequence.taken[-1] is token:
            sequence.returned.append(token)
        else:
            sequence.contexts.append(_Context([token]))

    # ------------------------------------------------------------------ scanning

    def _scan(self, sequence: _Sequence, last: bool) -> None:
        macros, builtins, done = self.macros, self.builtins, sequence.done
        while True:
            self._pass_plain_tokens(sequence)
            token = self._next(sequence)
            if token is None:
                return
            if token.kind == IDENTIFIER and not token.painted:
                definition = macros.get(token.text)
                if definition is not None:
                    self._meet(sequence, token, definition, last)
                    continue
                builtin = builtins.get(token.text)
                if not self._records and (builtin or token.text == PRAGMA_OPERATOR):
                    raise _MustBeRecorded
                if isinstance(builtin, Operator):
                    if self.in_text:
                        self._ask(sequence, token, builtin, last)
                    else:
                        done.append(token)
                    continue
                if builtin is not None:
                    kind, text = builtin(token)
                    made = Token(kind, text, token.space, Computed(token))
                    frame = self._frame(sequence)
                    self._step(sequence, "builtin", token, None, 1, [made], frame=frame)
                    done.append(made)
                    continue
                if token.text == PRAGMA_OPERATOR:
                    self._pragma(sequence, token, last)
                    continue
            elif token.text == "(" and done and done[-1] is sequence.waiting:
                self._give_back(sequence, token)
                name = done.pop()
                self._meet_function_like(sequence, name, macros[name.text], last)
                continue
            done.append(token)

    def _pass_plain_tokens(self, sequence: _Sequence) -> None:
        """Take over the tokens up to the next one that could be a macro's name, all at once: most
        tokens are plain, and deep rescans see them again and again."""
        if not sequence.contexts or sequence.space or sequence.waiting is not None:
            return
        context = sequence.contexts[-1]
        tokens, start = context.tokens, context.next
        stop = self._first_name(tokens, start)
        if stop > start:
            sequence.done += tokens[start:stop]
            context.next = stop

    def _first_name(self, tokens: list[Token], start: int = 0) -> int:
        """Where the first token from `start` on stands that may be replaced; if none, their number."""
        macros, builtins = self.macros, self.builtins
        for i in range(start, len(tokens)):
            token = tokens[i]
            if token.kind == IDENTIFIER and not token.painted:
                text = token.text
                if text in macros or text in builtins or text == PRAGMA_OPERATOR:
                    return i
        return len(tokens)

    def _meet(self, sequence: _Sequence, token: Token, definition: Definition, last: bool) -> None:
        """A macro's name, not painted: replace it, paint it, or leave it alone."""
        frame = self._frame(sequence)
        if definition.name in self._in_use:
            painted = Token(token.kind, token.text, token.space, token.origin, painted=True)
            self._step(sequence, "painted", token, definition, 1, [painted], frame=frame)
            sequence.done.append(painted)
        elif definition.parameters is None:
            self._replace(sequence, token, definition, (), 1, frame)
        else:
            self._meet_function_like(sequence, token, definition, last)

    def _meet_function_like(
        self,
        sequence: _Sequence,
        token: Token,
        definition: Definition,
        last: bool,
    ) -> None:
        opening = self._next(sequence, peek_source=True)
        if opening is None:
            sequence.done.append(token)
            sequence.left.append(token)
            return
        if opening.text != "(" or (isinstance(opening, AfterDirective) and not sequence.contexts):
            self._give_back(sequence, opening)
            sequence.done.append(token)
            sequence.left.append(token)
            if self.language.msvc_traditional and self.is_macro(opening):
                sequence.waiting = token  # it replaces what follows before it decides
            return
        if opening.origin in self._never_closed:  # which has been said
            self._give_back(sequence, opening)
            sequence.done.append(token)
            return
        separates = None
        if self.language.msvc_traditional:
            separates = lambda comma: not self._is_packed(sequence, opening, comma)  # noqa: E731
        read = self._read_at_once(sequence) if separates is None else None
        if read is None:
            read = read_arguments(lambda: self._next(sequence, peek_source=True), separates)
        if not read.closed:
            if sequence.source is not None and not last:
                raise NeedMore
            self.report(never_closed(token, opening, read))
            behind = [opening, *read.tokens]
            self._never_closed |= {
                t.origin for t in left_open(behind) if isinstance(t.origin, Source)
            }
            if (
                sequence.taken[-len(behind) :] == behind
            ):  # go on behind the name, as if it were none
                sequence.returned += reversed(behind)
                behind = []
            sequence.done += [token, *behind]
            return
        frame = self._frame(sequence)  # reading the arguments may have left contexts behind
        arguments = self.arguments_of(definition, read, token)
        consumed = 2 + len(read.tokens)
        if arguments is None:
            self._step(sequence, "refused", token, definition, consumed, [token], frame=frame)
            sequence.done.append(token)
            return
        if isinstance(token.origin, Source):
            self.ends[token.origin] = standing_at(read.tokens[-1]).line
        try:
            if self._depth == 0 and self._nests_too_deep(read.tokens):
                raise LimitReached(_TOO_DEEP)
            self._replace(sequence, token, definition, arguments, consumed, frame)
        except LimitReached:
            kept = [token, opening, *read.tokens]
            step = Step("stopped", token, definition, len(sequence.done), consumed, kept, arguments)
            if not (sequence.steps and sequence.steps[-1].name is token):
                sequence.steps.append(step)
            raise

    def _pragma(self, sequence: _Sequence, token: Token, last: bool) -> None:
        """`_Pragma("…")` becomes the directive that its string spells (C23 §6.10.11)."""
        read: list[Token] = []
        for wanted in ("(", STRING, ")"):
            operand = self._next(sequence, peek_source=True)
            if operand is None and sequence.source is not None and not last:
                raise NeedMore
            if operand is None or wanted not in (operand.text, operand.kind):
                message = "_Pragma takes a parenthesized string literal"
                self.report(at_token("error", message, operand or token))
                if operand is not None:
                    self._give_back(sequence, operand)
                sequence.done += [token, *read]
                return
            read.append(operand)
        quoted = read[1].text.removeprefix("L")
        text = quoted[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        made = [Token(PRAGMA, f"#pragma {self.pragma_text(text)}", True, Computed(token))]
        if text.strip() == "once":
            made = []  # done with, as gcc and clang have it
        self._step(sequence, "builtin", token, None, 4, made, frame=self._frame(sequence))
        sequence.done += made

    def _ask(self, sequence: _Sequence, token: Token, operator: Operator, last: bool) -> None:
        """`__has_builtin(X)` and its like become the number that the compiler answers with."""
        if operator.answer is None:
            said = f'"{token.text}" used outside of preprocessing directive'
            self.report(at_token("error", said, token, "ask it in #if or #elif"))
            sequence.done.append(token)
            return
        opening = self._next(sequence, peek_source=True)
        if opening is None and sequence.source is not None and not last:
            raise NeedMore
        if opening is None or opening.text != "(":
            self.report(at_token("error", f"missing '(' after \"{token.text}\"", token))
            if opening is not None:
                self._give_back(sequence, opening)
            sequence.done.append(token)
            return
        read = read_arguments(lambda: self._next(sequence, peek_source=True), None)
        if not read.closed and sequence.source is not None and not last:
            raise NeedMore
        if not read.closed:
            self.report(at_token("error", f"missing ')' after \"{token.text}\"", token))
            sequence.done += [token, opening, *read.tokens]
            return
        frame = self._frame(sequence)
        operand = _Sequence([_Context(read.tokens[:-1])])
        self._scan(operand, last=True)
        made = Token(NUMBER, operator.answer(token, operand.done), token.space, Computed(token))
        self._step(sequence, "builtin", token, None, 2 + len(read.tokens), [made], frame=frame)
        sequence.done.append(made)

    def _frame(self, sequence: _Sequence) -> Frame | None:
        if not self._records:
            return None
        return next((c.frame for c in reversed(sequence.contexts) if c.frame is not None), None)

    # ------------------------------------------------------------------ arguments

    def _read_at_once(self, sequence: _Sequence) -> Read | None:
        """The arguments, if they all stand in the tokens that are being read: nearly always."""
        if not sequence.contexts or sequence.space:
            return None
        context = sequence.contexts[-1]
        read = read_from(context.tokens, context.next)
        if read is not None:
            context.next += len(read.tokens)
        return read

    def _is_packed(self, sequence: _Sequence, opening: Token, comma: Token) -> bool:
        """MSVC: an argument's commas do not separate while the replacement list that it was put into
        is rescanned, unless the parenthesis came with them; only through one more macro do they."""
        if not isinstance(comma.origin, Passed):
            return False
        around = sequence.contexts[-1].definition if sequence.contexts else None
        came_along = isinstance(opening.origin, Passed) and opening.origin.by is comma.origin.by
        return around is comma.origin.definition and not came_along

    def arguments_of(
        self, definition: Definition, read: Read, name: Token
    ) -> tuple[Argument, ...] | None:
        """The arguments that were read for a macro; where their number is wrong, that is reported."""
        arguments, right = bind(definition, read, self.language)
        if not right:
            severity: Severity = "error" if arguments is None else "warning"
            self.report(wrong_number(severity, definition, name, read, self.language))
        return arguments

    def _prescan(self, argument: Argument) -> list[Token]:
        """An argument completely expanded, once, when the first parameter asks for it."""
        if argument.prescan is not None:
            return argument.prescan.after
        if self._first_name(argument.raw) == len(argument.raw):
            argument.prescan = Prescan([], argument.raw)
            return argument.raw
        sequence = _Sequence([_Context(argument.raw)])
        self._depth += 1
        try:
            if self._depth > DEPTH_LIMIT:
                raise LimitReached(_TOO_DEEP)
            self._scan(sequence, last=True)
        except LimitReached:
            argument.prescan = Prescan(sequence.steps, replay(argument.raw, sequence.steps))
            raise
        self._depth -= 1
        argument.prescan = Prescan(sequence.steps, sequence.done, sequence.left)
        return sequence.done

    def _nests_too_deep(self, tokens: list[Token]) -> bool:
        """Whether invocations stand inside invocations beyond the limit: to be known before each of
        them has read all of those inside it."""
        if len(tokens) <= DEPTH_LIMIT:
            return False
        depth, invoked = 0, [False]
        for before, token in pairwise(tokens):
            if token.text == "(":
                definition = self.macros.get(before.text)
                invoked.append(definition is not None and definition.parameters is not None)
                depth += invoked[-1]
                if depth > DEPTH_LIMIT:
                    return True
            elif token.text == ")" and len(invoked) > 1:
                depth -= invoked.pop()
        return False

    # ------------------------------------------------------------------ replacing

    def _replace(
        self,
        sequence: _Sequence,
        token: Token,
        definition: Definition,
        arguments: tuple[Argument, ...],
        consumed: int,
        frame: Frame | None,
    ) -> None:
        try:
            by_name = {a.parameter: a for a in arguments}
            filled = substitute(
                definition, token, by_name, self._prescan, self.language, self._records
            )
        except SourceError as error:
            self.report(error.diagnostic())
            sequence.done.append(token)
            return
        for trouble in filled.trouble:
            self.report(trouble.diagnostic())
        kind: StepKind = "object" if definition.parameters is None else "function"
        self._step(
            sequence,
            kind,
            token,
            definition,
            consumed,
            filled.tokens,
            arguments,
            tuple(filled.operations),
            frame,
        )
        self._in_use.add(definition.name)
        inside = Frame(definition.name, frame) if self._records else None
        sequence.contexts.append(_Context(filled.tokens, definition, inside, filled.space))

    def _step(
        self,
        sequence: _Sequence,
        kind: StepKind,
        name: Token,
        definition: Definition | None,
        remove: int,
        insert: list[Token],
        arguments: tuple[Argument, ...] = (),
        operations: tuple[Operation, ...] = (),
        frame: Frame | None = None,
    ) -> None:
        self._steps += 1
        self._unweighed += 1 + len(insert)
        if self._unweighed >= _LOOK:
            self._look(0 if self._records else len(sequence.done))
        if not self._records:
            if self._steps >= _MORE_STEPS * self.step_limit:
                raise _MustBeRecorded  # where the limit will be reached before, and told
            return
        before = len(sequence.done)
        step = Step(kind, name, definition, before, remove, insert, arguments, operations, frame)
        sequence.steps.append(step)
        self._under_way.step()
        if self._steps >= self.step_limit:
            raise LimitReached(f"expansion stopped after {self.step_limit:,} steps")

    def _look(self, unpaid: int) -> None:
        """From time to time: is it wanted still, and can it go on? `unpaid` tokens take memory only in
        the end."""
        self._unweighed = 0
        self._under_way.step(0)
        if memory.is_spent(unpaid * UNRECORDED):
            raise MemoryReached
        if self._steps > _SOME and self._begun:
            begun, self._begun = self._begun, ()
            if is_runaway(begun, self.macros):
                raise LimitReached(f"expansion stopped, since it takes more than {MOST:,} steps")


def _noted(source: Iterator[Token], taken: list[Token]) -> Iterator[Token]:
    for token in source:
        taken.append(token)
        yield token


@contextmanager
def _room_for_a_trace() -> Iterator[None]:
    """Room for prescans inside prescans, and no garbage collection: nothing in a trace is garbage, but
    the collector would walk through all of it again each time that it has grown by a quarter."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        with room_to_nest():
            yield
    finally:
        if collecting:
            gc.enable()
