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
with its place or `__LINE__`, makes the invocation be expanded once more, recorded; so does whoever asks
for steps that were `Postponed`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Literal

from visualizer.expansion import alike
from visualizer.expansion.allowance import Allowance, FileLimitReached, LimitReached, MemoryReached
from visualizer.expansion.arguments import ArgumentList, bind, nests_too_deep, read_arguments
from visualizer.expansion.contexts import Context, Line
from visualizer.expansion.definitions import Definition
from visualizer.expansion.depth import DEPTH_LIMIT, room_to_nest
from visualizer.expansion.diagnostics import Code, Diagnostic, Severity, SourceError, at_token
from visualizer.expansion.foresight import are_even, note_pasted, to_come
from visualizer.expansion.language import Language
from visualizer.expansion.memory import no_garbage, weighed
from visualizer.expansion.options import STEP_LIMIT
from visualizer.expansion.parentheses import left_open
from visualizer.expansion.spacing import KEPT, own
from visualizer.expansion.substitution import substitute
from visualizer.expansion.text_operators import PRAGMA_OPERATOR, TextOperator, ask, pragma
from visualizer.expansion.tokens import (
    IDENTIFIER,
    AfterDirective,
    Computed,
    Passed,
    Respaced,
    Source,
    Token,
    Unrecorded,
    standing_at,
)
from visualizer.expansion.trace import (
    Argument,
    Expansion,
    Frame,
    Operation,
    Postponed,
    Prescan,
    Step,
    StepKind,
    replay,
)
from visualizer.expansion.wrong_arguments import never_closed, wrong_number

Builtin = Callable[[Token], tuple[str, str]]  # a name token → the kind and spelling it stands for

Answer = tuple[str, str, str]  # a built-in macro's name, and that kind and spelling

# What stays of an invocation without its `)`, which reaches to the end of the file: for gcc its name,
# for clang nothing. Who looks at a text that is perhaps being written goes on behind the name.
LeftOfOpenCall = Literal["all", "name", "nothing"]
Recording = Literal["at once", "when asked", "never"]
AT_ONCE = 100_000  # tokens put in by the first invocations of a file, whose steps are not postponed
_ASKS_WHERE = "__LINE__"  # the only built-in macro to which it matters where its token comes from
_LONG = 50_000  # tokens put in by an invocation that is not expanded once more for those like it
_CHANGE = ("__COUNTER__", _ASKS_WHERE)  # from one place of an invocation to another
_RECENT = 8  # invocations whose steps were asked for last
_TOO_DEEP = f"arguments are nested more than {DEPTH_LIMIT} deep"


class _MustBeRecorded(Exception):
    """Something depends on where a token comes from."""


class Expander:
    """Replaces macros in lines of tokens. Holds what outlives one invocation: the macro table
    (shared with the preprocessor), the names in use, and what has been reported."""

    def __init__(
        self,
        macros: Mapping[str, Definition],
        builtins: Mapping[str, Builtin | TextOperator],
        report: Callable[[Diagnostic], None],
        language: Language,
        step_limit: int = STEP_LIMIT,
    ) -> None:
        self.macros = macros
        self.builtins = builtins
        self._report = report
        self._records = True
        self._postpones = False
        self._put_in = 0  # by all invocations that were recorded
        self._met: dict[str, Definition] = {}  # by this invocation
        self._patterns = alike.Patterns()
        self._answers: list[Answer] = []  # of built-in macros in it
        self._given: Iterator[Answer] = iter(())  # the same, where it is expanded once more
        self._recent: deque[Expansion] = deque(maxlen=_RECENT)
        self._places: list[int] = []  # the same few objects, for all tokens that know their place
        self._step_limit = step_limit
        self.in_text = False  # not in a directive
        self.language = language
        self.pragma_text: Callable[[str], str] = str  # what becomes of that of a `_Pragma`
        self.counted: Callable[[], int] = int  # by `__COUNTER__` so far
        self.ends: dict[Source, int] = {}  # of invocations in the source: the line of their `)`
        self._never_closed: set[object] = set()  # parentheses in the source
        self.left_of_open_call: LeftOfOpenCall = "all"
        self.at_its_end = False  # clang reads no file on behind such an invocation
        self._in_use: set[str] = set()
        self._depth = 0
        self._lines: list[Line] = []  # that are scanned, each in an argument of the one before
        self._changes = (
            False  # of a built-in macro in this invocation: it may not give the same again
        )
        self._pasted: set[Source] = set()  # in this invocation: where what ## took is spelled
        self._allowance = Allowance(step_limit, macros, self._to_come)
        self.is_spent = False  # what reading the file may take: nothing more is expanded

    def is_macro(self, token: Token) -> bool:
        return token.kind == IDENTIFIER and (
            token.text in self.macros
            or token.text in self.builtins
            or token.text == PRAGMA_OPERATOR
        )

    def expand_invocation(
        self, source: Iterator[Token], last: bool, recording: Recording = "at once"
    ) -> tuple[Expansion, list[Token]]:
        """Expand the macro name that `source` gives first, and whatever its replacement leads to.
        Where nothing is recorded, there are no steps, and of each token is known that it comes of this
        name.

        Returns the expansion, and the source tokens that were looked at but not used. Where the
        source ends inside an invocation: NeedMore, unless this is the `last` of the file; then it is
        reported and the name stays as it is.
        """
        name = next(source)
        if recording == "at once":
            return self._expand_recorded(name, source, last)
        written, read = None, list[Token]()
        if self._patterns.is_worth(name.text) and self._is_sure():
            written = alike.read(name, source, self.macros, self.builtins, read)
            source = chain(read, source)
        pattern = self._patterns.known(written.shape) if written is not None else None
        if written is not None and pattern is not None:
            expansion = self._like(pattern, written, recording)
            if expansion is not None:
                return expansion, []
        taken = [name]
        self._answers = []
        self._records, self._postpones = False, recording == "when asked"
        try:
            expansion, returned = self._expand_invocation(name, _noted(source, taken), last)
        except _MustBeRecorded:
            self._records, self._postpones = True, False
            self._given = iter(self._answers)
            return self._expand_recorded(name, chain(taken[1:], source), last)
        finally:
            self._records, self._postpones = True, False
            self._given = iter(())
        self._patterns.put_in(name.text, self._allowance.put_in)
        if written is not None and len(taken) == len(written.tokens):
            self._learn(written, expansion)
        if recording == "never":
            by = Computed(name)
            expansion.after = [Token(t.kind, t.text, t.space, by) for t in expansion.after]
        elif self._allowance.put_in:
            self._postpone(expansion, expansion.after)
        return expansion, returned

    def _learn(self, written: alike.Written, expansion: Expansion) -> None:
        """What others of this shape come to, behind one that was expanded by itself."""
        if self._patterns.may_learn(written.shape) and self._allowance.put_in < _LONG:
            source, met = expansion.before, self._met
            recorded = _recorded(source, met, self._answers, self.language, self._step_limit)
            found = alike.pattern(
                written, expansion.after, recorded, met, self.macros, self.builtins
            )
            self._patterns.learn(written.shape, found)

    def _like(
        self, pattern: alike.Pattern, written: alike.Written, recording: Recording
    ) -> Expansion | None:
        """What an invocation comes to as others did, if it does."""
        coming = range(self.counted(), self.counted() + pattern.counts)
        names = [*written.names, *map(str, coming)]
        if not pattern.holds(names, self.macros, self.builtins):
            return None
        try:
            self._allowance.at_once(pattern.steps, pattern.put_in)
        except MemoryReached:
            return None
        name, self.in_text = written.tokens[0], True
        self._answers = [(alike.COUNTER, *self._count(name)) for _ in coming]
        self.in_text = False
        self._met = pattern.met
        expansion = Expansion(list(written.tokens), [], [])
        if recording == "never":
            by = Computed(name)
            expansion.after = [Token(t.kind, t.text, t.space, by) for t in pattern.like]
        else:
            twins = pattern.twins(written, names)
            self._postpone(expansion, pattern.like, pattern, twins)
        for at, text in pattern.texts(names):
            expansion.after[at].text = text
        return expansion

    def is_long(self) -> bool:
        """Whether so much was recorded by now that the steps of what comes are better postponed."""
        return self._put_in > AT_ONCE and self._is_sure()

    def _is_sure(self) -> bool:
        """Whether an invocation comes to the same wherever it stands."""
        return not self._never_closed and not self.language.msvc_traditional

    def _postpone(
        self,
        expansion: Expansion,
        like: Sequence[Token],
        pattern: alike.Pattern | None = None,
        twins: Callable[[int], Token] | None = None,
    ) -> None:
        """What stood behind it isn't needed: a name that found no parenthesis there won't find one."""
        source = expansion.before
        again = partial(
            _recorded, source, self._met, self._answers, self.language, self._step_limit
        )
        steps = Postponed(source[0], self._met, again, self._recent, pattern, twins)
        self._places += range(len(self._places), len(like))
        each = zip(like, self._places, strict=False)
        expansion.steps = steps
        expansion.after = [Unrecorded(token, steps, place) for token, place in each]

    def _expand_recorded(
        self, name: Token, source: Iterator[Token], last: bool
    ) -> tuple[Expansion, list[Token]]:
        expanded = self._expand_invocation(name, source, last)
        self._put_in += self._allowance.put_in
        self._patterns.put_in(name.text, self._allowance.put_in)
        return expanded

    def _expand_invocation(
        self, name: Token, source: Iterator[Token], last: bool
    ) -> tuple[Expansion, list[Token]]:
        self._met = {}
        self.in_text = True
        line = Line([Context([name])], self._in_use, source, taken=[name])
        self._allowance.begin(line.taken)
        self._changes = False
        self._pasted.clear()
        with _room_for_a_trace():
            try:
                self._scan(line, last)
            except LimitReached as limit:
                is_spent = isinstance(limit, FileLimitReached)
                if self._postpones or not (self._records or is_spent or limit.took_long):
                    raise _MustBeRecorded from None
                self.is_spent = is_spent
                hint = limit.hint or "what was expanded so far can be stepped"
                self._report(at_token("error", str(limit), name, hint, Code.LIMIT_REACHED))
                line.done = replay(line.taken, line.steps)
            finally:
                self._in_use.clear()
                self._lines.clear()
                self._depth = 0
                self.in_text = False
        before = line.taken[: len(line.taken) - len(line.returned)]
        expansion = Expansion(before, line.steps, line.done, left=line.left)
        return expansion, line.returned

    def expand_all(self, tokens: list[Token], steps: list[Step] | None = None) -> list[Token]:
        """The tokens completely expanded, as in `#if` and `#include`. What leads to that is put behind
        `steps`, for who wants to know."""
        self._allowance.begin(tokens)
        self._changes = False
        self._pasted.clear()
        with _room_for_a_trace():
            line = Line([Context(tokens)], self._in_use)
            try:
                self._scan(line, last=True)
            except FileLimitReached:
                self.is_spent = True
                raise
            finally:
                self._in_use.clear()
                self._lines.clear()
                self._depth = 0
        if steps is not None:
            steps += line.steps
        return line.done

    def expanded_apart(self, tokens: list[Token]) -> list[Token]:
        """Tokens completely expanded by themselves, in an invocation that is under way."""
        line = Line([Context(tokens)], self._in_use)
        self._scan(line, last=True)
        return line.done

    def report(self, diagnostic: Diagnostic) -> None:
        if not self._records:
            raise _MustBeRecorded
        self._report(diagnostic)

    # ------------------------------------------------------------------ scanning

    def _scan(self, line: Line, last: bool) -> None:
        self._lines.append(line)
        macros, builtins, done = self.macros, self.builtins, line.done
        while True:
            self._pass_plain_tokens(line)
            token = line.next()
            if token is None:
                self._lines.pop()
                return
            if token.kind == IDENTIFIER and not token.painted:
                definition = macros.get(token.text)
                if definition is not None:
                    context = line.contexts[-1]
                    context.begun, context.steps = context.next - 1, self._allowance.steps
                    self._meet(line, token, definition, last)
                    continue
                builtin = builtins.get(token.text)
                if not self._records and not self._may_answer(token, builtin):
                    raise _MustBeRecorded
                if isinstance(builtin, TextOperator):
                    if self.in_text:
                        ask(self, line, token, builtin, last)
                    else:
                        done.append(token)
                    continue
                if builtin is not None:
                    kind, text = self._answer(token, builtin)
                    made = Respaced(Token(kind, text, False, Computed(token)), token.space)
                    frame = self._frame(line)
                    self.step(line, "builtin", token, None, 1, [made], frame=frame)
                    done.append(made)
                    continue
                if token.text == PRAGMA_OPERATOR and not self._depth:  # else it may become a string
                    pragma(self, line, token, last)
                    continue
            elif token.text == "(" and done and done[-1] is line.waiting:
                line.give_back(token)
                name = done.pop()
                self._meet_function_like(line, name, macros[name.text], last)
                continue
            done.append(token)

    def _count(self, name: Token) -> tuple[str, str]:
        counter = self.builtins[alike.COUNTER]
        assert not isinstance(counter, TextOperator)
        return counter(name)

    def _to_come(self) -> int:
        """The steps that are sure to come, as far as they are like those before."""
        if self._changes or self.language.msvc_traditional or not are_even(self.macros.values()):
            return 0
        return to_come(self._lines, self._allowance.steps, self.is_macro, self._pasted)

    def _may_answer(self, token: Token, builtin: Builtin | TextOperator | None) -> bool:
        """Whether it is the same for a token of which nothing is known but its spelling."""
        apart = token.text in (PRAGMA_OPERATOR, _ASKS_WHERE)
        return not apart and not isinstance(builtin, TextOperator)

    def _answer(self, token: Token, builtin: Builtin) -> tuple[str, str]:
        self._changes |= token.text in _CHANGE
        answer = next(self._given, None) or (token.text, *builtin(token))
        if not self._records:
            self._answers.append(answer)
        return answer[1:]

    def _pass_plain_tokens(self, line: Line) -> None:
        """Take over the tokens up to the next one that could be a macro's name, all at once: most
        tokens are plain, and deep rescans see them again and again."""
        if not line.contexts or line.space is not None or line.waiting is not None:
            return
        context = line.contexts[-1]
        tokens, start = context.tokens, context.next
        stop = self.first_name(tokens, start)
        if stop > start:
            line.done += tokens[start:stop]
            context.next = stop

    def first_name(self, tokens: list[Token], start: int = 0) -> int:
        """Where the first token from `start` on stands that may be replaced; if none, their number."""
        macros, builtins = self.macros, self.builtins
        for i in range(start, len(tokens)):
            token = tokens[i]
            if token.kind == IDENTIFIER and not token.painted:
                text = token.text
                if text in macros or text in builtins or text == PRAGMA_OPERATOR:
                    return i
        return len(tokens)

    def _meet(self, line: Line, token: Token, definition: Definition, last: bool) -> None:
        """A macro's name, not painted: replace it, paint it, or leave it alone."""
        frame = self._frame(line)
        self._met[token.text] = definition
        if definition.name in self._in_use:
            painted = Token(token.kind, token.text, token.space, token.origin, painted=True)
            self.step(line, "painted", token, definition, 1, [painted], frame=frame)
            line.done.append(painted)
        elif definition.parameters is None:
            self._replace(line, token, definition, (), 1, frame)
        else:
            self._meet_function_like(line, token, definition, last)

    def _meet_function_like(
        self,
        line: Line,
        token: Token,
        definition: Definition,
        last: bool,
    ) -> None:
        opening = line.reach()
        if opening is None:
            line.done.append(token)
            line.left.append(token)
            return
        if opening.text != "(" or (isinstance(opening, AfterDirective) and not line.contexts):
            if self.language.keeps_space and not opening.space and own(opening):
                opening = Respaced(
                    opening, True
                )  # gcc looks for it behind what vanished, if anything
            line.give_back(opening)
            line.done.append(token)
            line.left.append(token)
            if self.language.msvc_traditional and self.is_macro(opening):
                line.waiting = token  # it replaces what follows before it decides
            return
        if opening.origin in self._never_closed:  # which has been said
            line.give_back(opening)
            line.done.append(token)
            return
        separates = None
        if self.language.msvc_traditional:
            separates = lambda comma: not self._is_packed(line, opening, comma)  # noqa: E731
        read = line.read_at_once() if separates is None else None
        if read is None:
            read = read_arguments(line.reach, separates)
        if not read.closed:
            line.expect_end(last)
            reads_file = line.source is not None
            self.report(never_closed(token, opening, read, reads_file=reads_file))
            if self.left_of_open_call != "all":
                line.done += [token] if self.left_of_open_call == "name" else []
                self.at_its_end |= self.left_of_open_call == "nothing" and reads_file
                return
            behind = [opening, *read.tokens]
            self._never_closed |= {
                t.origin for t in left_open(behind) if isinstance(t.origin, Source)
            }
            if line.taken[-len(behind) :] == behind:  # go on behind the name, as if it were none
                line.returned += reversed(behind)
                behind = []
            line.done += [token, *behind]
            return
        frame = self._frame(line)  # reading the arguments may have left contexts behind
        arguments = self.arguments_of(definition, read, token)
        consumed = 2 + len(read.tokens)
        if arguments is None:
            self.step(line, "refused", token, definition, consumed, [token], frame=frame)
            line.done.append(token)
            return
        if isinstance(token.origin, Source):
            self.ends[token.origin] = standing_at(read.tokens[-1]).line
        try:
            if self._depth == 0 and nests_too_deep(read.tokens, self.macros):
                raise LimitReached(_TOO_DEEP)
            self._replace(line, token, definition, arguments, consumed, frame)
        except LimitReached:
            kept = [token, opening, *read.tokens]
            step = Step("stopped", token, definition, len(line.done), consumed, kept, arguments)
            if self._records and not (line.steps and line.steps[-1].name is token):
                line.steps.append(step)
            raise

    def _frame(self, line: Line) -> Frame | None:
        return line.frame() if self._records else None

    # ------------------------------------------------------------------ arguments

    def _is_packed(self, line: Line, opening: Token, comma: Token) -> bool:
        """MSVC: an argument's commas do not separate while the replacement list that it was put into
        is rescanned, unless the parenthesis came with them; only through one more macro do they."""
        if not isinstance(comma.origin, Passed):
            return False
        around = line.contexts[-1].definition if line.contexts else None
        came_along = isinstance(opening.origin, Passed) and opening.origin.by is comma.origin.by
        return around is comma.origin.definition and not came_along

    def arguments_of(
        self, definition: Definition, read: ArgumentList, name: Token
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
        raw = _begun_anew(argument.raw)
        if self.first_name(raw) == len(raw):
            argument.prescan = Prescan([], raw)
            return raw
        line = Line([Context(raw)], self._in_use)
        self._depth += 1
        try:
            if self._depth > DEPTH_LIMIT:
                raise LimitReached(_TOO_DEEP)
            self._scan(line, last=True)
        except LimitReached:
            argument.prescan = Prescan(line.steps, replay(argument.raw, line.steps))
            raise
        self._depth -= 1
        argument.prescan = Prescan(line.steps, line.done, line.left, line.space)
        return line.done

    # ------------------------------------------------------------------ replacing

    def _replace(
        self,
        line: Line,
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
            line.done.append(token)
            return
        for trouble in filled.trouble:
            self.report(trouble.diagnostic())
        if filled.pasted:
            note_pasted(filled.pasted, self._pasted)
        kind: StepKind = "object" if definition.parameters is None else "function"
        self.step(
            line,
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
        line.contexts.append(Context(filled.tokens, definition, inside, filled.space))

    def step(
        self,
        line: Line,
        kind: StepKind,
        name: Token,
        definition: Definition | None,
        remove: int,
        insert: list[Token],
        arguments: tuple[Argument, ...] = (),
        operations: tuple[Operation, ...] = (),
        frame: Frame | None = None,
    ) -> None:
        self._allowance.take(len(insert), () if self._records else line.done)
        if not self._records:
            if self._postpones:
                if self._allowance.is_spent_postponed():
                    raise _MustBeRecorded
            else:
                self._allowance.unrecorded()
            return
        before = len(line.done)
        step = Step(kind, name, definition, before, remove, insert, arguments, operations, frame)
        line.steps.append(step)
        self._allowance.recorded()


def _begun_anew(argument: list[Token]) -> list[Token]:
    """What vanished before an argument is no part of it."""
    if not argument or argument[0].space != KEPT:
        return argument
    return [Respaced(argument[0], True), *argument[1:]]


def _recorded(
    source: list[Token],
    macros: Mapping[str, Definition],
    answers: Sequence[Answer],
    language: Language,
    step_limit: int,
) -> Expansion:
    """The invocation that these tokens begin with, once more. There was nothing to report of it, and it
    met no other macros than these and those that gave these answers."""
    given = iter(answers)
    builtins: dict[str, Builtin | TextOperator] = {
        name: lambda _: next(given)[1:] for name, *_ in answers
    }
    expander = Expander(macros, builtins, lambda _: None, language, step_limit)
    with weighed():
        return expander.expand_invocation(iter(source), last=True)[0]


def _noted(source: Iterator[Token], taken: list[Token]) -> Iterator[Token]:
    for token in source:
        taken.append(token)
        yield token


@contextmanager
def _room_for_a_trace() -> Iterator[None]:
    """Room for prescans inside prescans, and no garbage collection."""
    with no_garbage(), room_to_nest():
        yield
