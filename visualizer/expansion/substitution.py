"""Filling in a replacement list: parameters, `#`, `##`, `__VA_OPT__`.

This is C23 §6.10.5.2 to §6.10.5.4, in one walk from left to right over the replacement list:

* a parameter beside `#` or `##` stands for its argument's tokens as they were written;
* any other parameter stands for them completely expanded;
* `#` turns an argument into a string, `##` makes one token of two;
* an empty argument beside `##` becomes a *placemarker*, so that there is always something to paste;
  placemarkers vanish at the end.

White space is carried on the side, since `#` makes it visible later (`spacing`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from visualizer.expansion.allowance import LimitReached, expect_memory, look
from visualizer.expansion.definitions import HASH, PASTE, VA_OPT, Definition
from visualizer.expansion.diagnostics import SourceError
from visualizer.expansion.language import Language
from visualizer.expansion.lexer import as_name, spell_one, spellings
from visualizer.expansion.parentheses import closing
from visualizer.expansion.spacing import behind, in_place_of, own
from visualizer.expansion.tokens import (
    CHARACTER,
    IDENTIFIER,
    LONGEST,
    NUMBER,
    OTHER,
    PLACEMARKER,
    STRING,
    Copied,
    Origin,
    Passed,
    Pasted,
    Respaced,
    Stringized,
    Token,
    first_made,
    spelled_at,
)
from visualizer.expansion.trace import Argument, Operation, OperationKind

_LONG = 10_000  # characters that are worth a look at the memory that is held


@dataclass(slots=True)
class Substituted:
    """What became of a replacement list. `space` is what vanished at its end leaves for what follows;
    `trouble` are pastes and strings that the standard leaves undefined, each with its token; `pasted`
    are the tokens that `##` made others of."""

    tokens: list[Token]
    operations: list[Operation]
    space: int | None = None
    trouble: list[SourceError] = field(default_factory=list)
    pasted: list[Token] = field(default_factory=list)


def substitute(
    definition: Definition,
    by: Token,
    arguments: Mapping[str, Argument],
    expanded: Callable[[Argument], list[Token]],
    language: Language,
    records: bool = True,
) -> Substituted:
    """The tokens that take the place of the invocation whose name is `by`.

    `expanded` gives an argument's prescan, and is only called for a parameter that needs one, in the
    order in which the replacement list needs them. Where nobody `records` where a token comes from, one
    token may stand in many places: those of the replacement list and of the arguments are put in as
    they are, and only where the white space before it differs, in a copy.
    """
    expect_memory(len(definition.replacement), records)
    if definition.parameters is None and not any(t.text in PASTE for t in definition.replacement):
        tokens = (
            [
                Token(t.kind, t.text, t.space, Copied(definition, i, by), t.painted)
                for i, t in enumerate(definition.replacement)
            ]
            if records
            else [*definition.replacement]
        )
        filled = Substituted(tokens, [])
    elif not records and definition.is_plain and not language.msvc_traditional:
        filled = _filled_in(definition, arguments, expanded, language.keeps_space)
    else:
        filled = _Walk(definition, by, arguments, expanded, language, records).whole()
    keeps = language.keeps_space
    if filled.tokens:
        _set_space(filled.tokens, 0, in_place_of(by.space, filled.tokens[0].space, keeps), records)
    else:
        filled.space = in_place_of(by.space, filled.space, keeps)
    return filled


def _filled_in(
    definition: Definition,
    arguments: Mapping[str, Argument],
    expanded: Callable[[Argument], list[Token]],
    keeps_space: bool,
) -> Substituted:
    """What `_Walk` gives, of a replacement list without operators, recording nothing."""
    out: list[Token] = []
    vanished: int | None = None
    for token in definition.replacement:
        argument = arguments.get(token.text)
        here, at, left = token.space, len(out), None
        if argument is None:
            out.append(token)
        else:
            tokens = expanded(argument)
            expect_memory(len(tokens), records=False)
            out += tokens
            left = _left(argument, keeps_space)
            here = in_place_of(here, tokens[0].space if tokens else left, keeps_space)
        if vanished is not None:
            here = behind(vanished, here)
        if at == len(out):
            vanished = here
            continue
        if out[at].space != here:
            _set_space(out, at, here, False)
        vanished = left
    return Substituted(out, [], vanished)


class _Walk:
    def __init__(
        self,
        definition: Definition,
        by: Token,
        arguments: Mapping[str, Argument],
        expanded: Callable[[Argument], list[Token]],
        language: Language,
        records: bool,
    ) -> None:
        self.records = records
        self.definition = definition
        self.body = definition.replacement
        self.by = by
        self.arguments = arguments
        self.expanded = expanded
        self.language = language
        self.filled = Substituted([], [])

    def whole(self) -> Substituted:
        self.filled.tokens, self.filled.space = _without_placemarkers(
            self._fill(0, len(self.body)), self.records
        )
        return self.filled

    def _fill(self, start: int, stop: int) -> list[Token]:
        """`replacement[start:stop]` filled in; placemarkers are still there."""
        out: list[Token] = []
        paste_at: int | None = None
        i = start
        while i < stop:
            token = self.body[i]
            if token.text in PASTE and out and paste_at is None and i + 1 < stop:
                paste_at = i
                i += 1
                continue
            if paste_at is not None and self._is_variadic_after_comma(token, out):
                self._comma(i, out)
                paste_at = None
                i += 1
                continue
            if (
                self.language.msvc_traditional
                and self._is_variadic_after_comma(token, out)
                and isinstance(out[-1].origin, Copied)
            ):
                self._comma(i, out)  # Microsoft's needs no ##
                i += 1
                continue
            beside_paste = paste_at is not None or (i + 1 < stop and self.body[i + 1].text in PASTE)
            piece, i = self._piece(i, stop, beside_paste)
            if paste_at is not None:
                out[-1:] = self._paste(paste_at, out[-1], piece[0])
                out += piece[1:]
                paste_at = None
            else:
                out += piece
        return out

    def _piece(self, i: int, stop: int, beside_paste: bool) -> tuple[list[Token], int]:
        """What stands for the element at `i` (never empty), and where the next element is."""
        token = self.body[i]
        function_like = self.definition.parameters is not None
        if token.text in HASH and function_like and i + 1 < stop:
            operand = self.body[i + 1].text
            if operand in self.arguments and self._is_missing(self.arguments[operand]):
                return [self._placemarker(i, token.space, operand)], i + 2
            if operand in self.arguments:
                return [self._stringize(i, operand, self.arguments[operand].raw)], i + 2
            if operand == VA_OPT and self.definition.variadic:
                tokens, after = self._optional(i + 1, stop)
                kept, _ = _without_placemarkers(tokens, self.records)
                return [self._stringize(i, VA_OPT, kept)], after
        if token.text in self.arguments:
            return self._parameter(i, self.arguments[token.text], beside_paste), i + 1
        if token.text == VA_OPT and self.definition.variadic:
            tokens, after = self._optional(i, stop)
            if tokens:
                space = in_place_of(token.space, tokens[0].space, self.language.keeps_space)
                _set_space(tokens, 0, space, self.records)
            return tokens or [self._placemarker(i, token.space, None)], after
        if not self.records:
            return [token], i + 1
        return [
            Token(
                token.kind,
                token.text,
                token.space,
                Copied(self.definition, i, self.by),
                token.painted,
            )
        ], i + 1

    def _parameter(self, i: int, argument: Argument, raw: bool) -> list[Token]:
        tokens = argument.raw if raw else self.expanded(argument)
        space, left = self.body[i].space, None
        if not raw:
            keeps, left = self.language.keeps_space, _left(argument, self.language.keeps_space)
            space = in_place_of(space, tokens[0].space if tokens else left, keeps)
        if not tokens:
            return [self._placemarker(i, space, argument.parameter)]
        at_end = [] if left is None else [self._placemarker(i, left, None)]
        expect_memory(len(tokens), self.records)
        if not self.records:
            shared = [*tokens, *at_end]
            _set_space(shared, 0, space, False)
            return shared
        definition, by = self.definition, self.by
        copies = [
            Token(t.kind, t.text, t.space, Passed(definition, i, by, t, first_made(t)), t.painted)
            for t in tokens
        ]
        copies[0].space = space
        self._note("substitute", i, argument.parameter, (), copies)
        return [*copies, *at_end]

    def _stringize(self, i: int, parameter: str, tokens: list[Token]) -> Token:
        _expect_room(sum(len(t.text) + t.space for t in tokens), "#")
        text, hint = stringized(tokens), ""
        plain = '"' not in text[1:-1] and "\\" not in text and "\n" not in text
        valid = plain or spell_one(text) is not None
        if not valid and tokens[-1].text == "\\":
            text, hint = text[:-2] + '"', "its final backslash is left out"  # as gcc and clang do
        origin: Origin = self.body[i].origin
        if self.records:
            origin = Stringized(self.definition, i, self.by, tuple(tokens))
        string = self._spaced(Token(STRING, text, False, origin), self.body[i].space)
        if not valid:
            message = f"'#{parameter}' does not give a valid string literal"
            self.filled.trouble.append(SourceError(message, string, hint, "warning"))
        self._note("stringize", i, parameter, (), [string])
        return string

    def _paste(self, i: int, left: Token, right: Token) -> list[Token]:
        if right.kind == PLACEMARKER:
            return [left]
        if left.kind == PLACEMARKER:
            pasted_alone = [right]
            _set_space(pasted_alone, 0, left.space, self.records)
            return pasted_alone
        _expect_room(len(left.text) + len(right.text), "##")
        self.filled.pasted += left, right
        text = left.text + right.text
        kind = _kind_of_both(left, right) or spell_one(text, self.language)
        origin = left.origin
        if self.records:
            origin = Pasted(self.definition, i, self.by, left, right)
        if kind is None and self.language.assembler:
            return [left, right]
        if kind is None:
            said = f'pasting "{left.text}" and "{right.text}" does not give a valid preprocessing token'
            made = Token(OTHER, text, left.space, origin)
            hint = "both tokens are kept"
            if spellings(text) == [left.text, right.text]:
                hint = self._of_an_argument(left, right) or f"{text} is two tokens: take the ## out"
            self.filled.trouble.append(SourceError(said, made, hint, between=(left, right)))
            self._note("paste", i, None, (left.text, right.text), [left, right])
            return [left, right]
        as_spelled = (
            left.kind == right.kind == IDENTIFIER and not self.language.universal_when_pasted
        )
        spelled = text if as_spelled else as_name(text)
        # Of a recorded token the origin says what stood before it: to follow it here, for each of ten
        # thousand ## in a row, takes the square of that.
        was = False if self.records else own(left)
        pasted = self._spaced(Token(kind, spelled, was, origin), left.space)
        self._note("paste", i, None, (left.text, right.text), [pasted])
        return [pasted]

    def _of_an_argument(self, left: Token, right: Token) -> str:
        """What to do where the `##` stands in a header, and one who invokes its macro elsewhere gave it
        what can't be pasted: that one can't take it out."""
        home = self.definition.where.file
        given = (t for t in (right, left) if t.kind != IDENTIFIER and spelled_at(t).file != home)
        wrong = next(given, None)
        if wrong is None:
            return ""
        if wrong.kind != STRING:
            return (
                f"{self.definition.name} pastes its argument: pass a name instead of {wrong.text}"
            )
        name = wrong.text.strip('"')
        bare = f": {name}" if name.isidentifier() else ""
        return f"a string can't be part of a name: write the name without quotes{bare}"

    def _is_variadic_after_comma(self, token: Token, out: list[Token]) -> bool:
        return self.definition.variadic == token.text and bool(out) and out[-1].text == ","

    def _is_missing(self, argument: Argument) -> bool:
        """MSVC lets arguments be missing, and makes no string of one, not even an empty one."""
        is_rest = argument.parameter == self.definition.variadic
        return self.language.msvc_traditional and argument.omitted and not is_rest

    def _comma(self, i: int, out: list[Token]) -> None:
        """GNU's `, ## __VA_ARGS__`: no paste; where no argument was given, not even an empty one,
        the comma goes away."""
        argument = self.arguments[self.body[i].text]
        omitted = argument.omitted or (self.language.msvc_traditional and not argument.raw)
        if not omitted:
            tokens = self._parameter(i, argument, raw=True)
            space = bool(argument.raw) and self._own(argument.raw[0])
            _set_space(tokens, 0, space, self.records)
            out += tokens
        else:
            out[-1] = self._placemarker(i, False, None)
            self._note("comma", i, argument.parameter, (), [])

    def _spaced(self, token: Token, space: int) -> Token:
        made = [token]
        _set_space(made, 0, space, self.records)
        return made[0]

    def _own(self, token: Token) -> int:
        return own(token) if self.language.keeps_space else token.space

    def _optional(self, i: int, stop: int) -> tuple[list[Token], int]:
        """`__VA_OPT__(…)` at `i`: its content filled in if there are variable arguments, else nothing;
        and the index after its `)`."""
        end = closing(self.body[:stop], i + 1)
        if end is None:
            raise SourceError(f"'{VA_OPT}' needs a pair of parentheses", self.body[i])
        assert self.definition.variadic is not None
        some = bool(self.expanded(self.arguments[self.definition.variadic]))
        tokens = self._fill(i + 2, end) if some else []
        self._note("va_opt", i, None, ("kept" if some else "dropped",), tokens)
        return tokens, end + 1

    def _placemarker(self, i: int, space: int, parameter: str | None) -> Token:
        marker = Token(PLACEMARKER, "", space, Copied(self.definition, i, self.by))
        if parameter is not None:
            self._note("placemarker", i, parameter, (), [])
        return marker

    def _note(
        self,
        kind: OperationKind,
        index: int,
        parameter: str | None,
        operands: tuple[str, ...],
        result: list[Token],
    ) -> None:
        if not self.records:
            return
        self.filled.operations.append(Operation(kind, index, parameter, operands, tuple(result)))


def _kind_of_both(left: Token, right: Token) -> str | None:
    """What two tokens are together, where that needs no look at all their characters: a name goes on
    with another, and with a number's letters and digits."""
    if left.kind != IDENTIFIER:
        return None
    is_name = right.kind == IDENTIFIER
    return IDENTIFIER if is_name or (right.kind == NUMBER and right.text.isalnum()) else None


def _expect_room(length: int, operator: str) -> None:
    if length > LONGEST:
        said = (
            f"expansion stopped where {operator} makes a token of more than {LONGEST:,} characters"
        )
        raise LimitReached(said)
    if length > _LONG:
        look(length)


def stringized(tokens: list[Token]) -> str:
    """A string literal of the tokens' spellings (C23 §6.10.5.3): white space between two of them is
    one blank; `"` and `\\` inside strings and character constants are escaped."""
    parts = []
    for n, token in enumerate(tokens):
        if n and token.space:
            parts.append(" ")
        text = token.text
        if token.kind in (STRING, CHARACTER):
            text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        parts.append(text)
    return '"' + "".join(parts) + '"'


def _without_placemarkers(tokens: list[Token], records: bool) -> tuple[list[Token], int | None]:
    """The tokens without placemarkers, and what those at the end leave."""
    kept: list[Token] = []
    vanished: int | None = None
    for token in tokens:
        if token.kind == PLACEMARKER:
            vanished = behind(vanished, token.space)
            continue
        kept.append(token)
        if vanished is not None:
            _set_space(kept, -1, behind(vanished, token.space), records)
            vanished = None
    return kept, vanished


def _left(argument: Argument, keeps_space: bool) -> int | None:
    """What vanished at the end of an expanded argument leaves; for clang that is no part of it."""
    return argument.prescan.space if keeps_space and argument.prescan is not None else None


def _set_space(tokens: list[Token], i: int, space: int, records: bool) -> None:
    """White space before a token, or none: one that stands nowhere else is changed, another copied."""
    token = tokens[i]
    if records:
        token.space = space
    elif token.space != space:
        tokens[i] = Respaced(token, space)
