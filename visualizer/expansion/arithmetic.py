r"""The arithmetic of `#if` (C23 §6.10.2): all integers are 64 bits wide, signed or unsigned.

What `#if` is given has been macro-expanded, `defined X` and `__has_include(…)` have become numbers,
and a name that is left counts as 0. The rest is operator precedence, and four things that a quick
evaluator gets wrong: `-1 > 0u` is true, since one unsigned operand makes both unsigned; `1 || 1 / 0`
is no error, since what is not evaluated may divide by zero; `1 ? -1 : 0u` is unsigned, and so
positive, although the third operand is not evaluated; and a shift by a negative count goes the other
way.

The evaluator is gcc's own: one stack of pending operators, each with the operand behind it. It is
kept in gcc's shape so that each mistake gets gcc's sentence, at the token where gcc puts it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

_WIDTH = 64
_MASK = (1 << _WIDTH) - 1
_SIGN = 1 << (_WIDTH - 1)


class Value(NamedTuple):
    """64 bits, kept as 0 ≤ bits < 2⁶⁴, and how they are to be read."""

    bits: int
    unsigned: bool = False

    def number(self) -> int:
        return self.bits if self.unsigned or self.bits < _SIGN else self.bits - (1 << _WIDTH)


ZERO, ONE = Value(0), Value(1)


class Trouble(Exception):
    """What is wrong with an expression. `at` is the token's index, len(tokens) for its end."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


class _Operator(NamedTuple):
    priority: int
    left: bool = True  # associates to the left
    prefix: bool = False  # has no left operand


_END = ""
_OPERATORS = {
    _END: _Operator(0, left=False),
    ")": _Operator(0, left=False),
    "(": _Operator(1, left=False, prefix=True),
    "?": _Operator(4, left=False),
    ":": _Operator(4),
    ",": _Operator(4),
    "||": _Operator(5),
    "&&": _Operator(6),
    "|": _Operator(7),
    "^": _Operator(8),
    "&": _Operator(9),
    "==": _Operator(11),
    "!=": _Operator(11),
    "<": _Operator(12),
    ">": _Operator(12),
    "<=": _Operator(12),
    ">=": _Operator(12),
    "<<": _Operator(13),
    ">>": _Operator(13),
    "+": _Operator(14),
    "-": _Operator(14),
    "*": _Operator(15),
    "/": _Operator(15),
    "%": _Operator(15),
    "!": _Operator(16, left=False, prefix=True),
    "~": _Operator(16, left=False, prefix=True),
    "unary +": _Operator(16, left=False, prefix=True),
    "unary -": _Operator(16, left=False, prefix=True),
}
_SPELLED = {"and": "&&", "or": "||", "not": "!", "not_eq": "!=", "compl": "~"}
_SPELLED |= {"bitand": "&", "bitor": "|", "xor": "^"}
_SPELLED |= {"and_eq": "&=", "or_eq": "|=", "xor_eq": "^="}
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)(\w*)\Z")
_SUFFIX = re.compile(r"(?:u?(?:ll?|z|wb)?|(?:ll?|z|wb)u)\Z", re.IGNORECASE)
_FLOATING = re.compile(r"0[xX][0-9a-fA-F'.]*[pP.]|[0-9'.]*[.eE]")
_CHARACTER = re.compile(r"(u8|[uUL])?'((?:[^'\\]|\\.)+)'(\w*)\Z", re.DOTALL)
_ESCAPE = re.compile(
    r"\\(?:x(?P<hex>[0-9a-fA-F]+)|(?P<octal>[0-7]{1,3})"
    r"|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|(?P<simple>.))|(?P<plain>.)",
    re.DOTALL,
)
_BYTES = range(0xDC80, 0xDD00)  # as which Python reads bytes that are no UTF-8
_SIMPLE = dict(zip("abfnrtveE", (7, 8, 12, 10, 13, 9, 11, 27, 27), strict=True))


@dataclass(frozen=True, slots=True)
class Applied:
    """The operator at `at` applied to its operands, tokens `start` to `stop`, parentheses around it
    among them. `needless`: one operand decided, and the other was not evaluated. `mixed`: a negative
    operand was read as unsigned, since the other is that."""

    start: int
    stop: int
    at: int
    value: Value
    needless: bool = False
    mixed: bool = False


@dataclass(slots=True)
class _Pending:
    """An operator waiting for the end of its right operand, and that operand once it is read."""

    operator: str
    at: int
    value: Value = ZERO


def evaluate(
    tokens: Sequence[str], cxx: bool, directive: str = "#if", applied: list[Applied] | None = None
) -> Value:
    """The value of an expression given as token spellings. Raises Trouble where it has none. What is
    evaluated on the way to it is `applied`, in order."""
    evaluation = _Evaluation(tokens, cxx, directive)
    try:
        return evaluation.whole()
    finally:
        if applied is not None:
            applied += evaluation.applied


def is_name(text: str, cxx: bool) -> bool:
    """Whether an identifier that is left in an expression is a name, and not an operator spelled so."""
    return not (cxx and text in _SPELLED)


class _Evaluation:
    def __init__(self, tokens: Sequence[str], cxx: bool, directive: str) -> None:
        self.tokens = tokens
        self.cxx = cxx
        self.directive = directive
        self.stack = [_Pending(_END, -1)]
        self.applied: list[Applied] = []
        self.skipping = 0  # operands begun that are not to be evaluated

    def whole(self) -> Value:
        stack = self.stack
        want_value = True
        for at, text in enumerate((*self.tokens, _END)):
            operator = _SPELLED.get(text, text) if self.cxx else text
            known = _OPERATORS.get(operator)
            if known is None:
                if not want_value and not self._is_punctuator(text):
                    raise Trouble(f'missing binary operator before token "{text}"', at)
                stack[-1].value = self._operand(text, at)
                want_value = False
                continue
            if want_value and operator in ("+", "-"):
                operator = f"unary {operator}"
                known = _OPERATORS[operator]
            if known.prefix:
                if not want_value:
                    raise Trouble(f'missing binary operator before token "{text}"', at)
            elif want_value:
                self._no_operand(operator, text, at)
            if operator != "(":
                self._reduce(operator, known, at)
            if operator == _END:
                break
            if operator == ")":
                continue
            self._enter(operator, at)
            stack.append(_Pending(operator, at))
            want_value = True
        return stack[0].value

    def _enter(self, operator: str, at: int) -> None:
        """Short circuits: whether what follows this operator is to be evaluated."""
        true = bool(self.stack[-1].value.bits)
        if operator == "||":
            self.skipping += true
        elif operator in ("&&", "?"):
            self.skipping += not true
        elif operator == ":":
            if self.stack[-1].operator != "?":
                raise Trouble("':' without preceding '?'", at)
            self.skipping += 1 if self.stack[-2].value.bits else -1

    def _no_operand(self, operator: str, text: str, at: int) -> None:
        """Say why there is no value where one is wanted; a parenthesis too few is said later."""
        top = self.stack[-1]
        if operator == ")" and top.operator == "(":
            raise Trouble("missing expression between '(' and ')'", at)
        if operator == _END and top.operator == _END:
            raise Trouble(f"{self.directive} with no expression", at)
        if top.operator not in (_END, "("):
            raise Trouble(f"operator '{self.tokens[top.at]}' has no right operand", top.at)
        if operator not in (")", _END):
            raise Trouble(f"operator '{text}' has no left operand", at)

    def _reduce(self, operator: str, known: _Operator, at: int) -> None:
        """Apply the pending operators that bind tighter than the one that comes now."""
        stack = self.stack
        priority = known.priority - known.left
        while priority < _OPERATORS[stack[-1].operator].priority:
            top = stack.pop()
            right, under = top.value, stack[-1]
            match top.operator:
                case "(":
                    if operator != ")":
                        raise Trouble("missing ')' in expression", top.at)
                    under.value = right
                    if self.applied and (self.applied[-1].start, self.applied[-1].stop) == (
                        top.at + 1,
                        at,
                    ):
                        self.applied[-1] = replace(self.applied[-1], start=top.at, stop=at + 1)
                    return
                case "?":
                    if operator in (",", ":"):
                        stack.append(top)
                        return
                    raise Trouble("'?' without following ':'", at)
                case ":":
                    stack.pop()  # the `?`, whose value is the second operand
                    condition, second = stack[-1], under.value
                    if condition.value.bits:
                        self.skipping -= 1
                    chosen = second if condition.value.bits else right
                    condition.value = Value(chosen.bits, second.unsigned or right.unsigned)
                    self._apply(condition.at + 1, at, under.at, condition.value, needless=True)
                case "||" | "&&":
                    decided = bool(under.value.bits) == (top.operator == "||")
                    self.skipping -= decided
                    holds = bool(under.value.bits) if decided else bool(right.bits)
                    under.value = Value(int(holds))
                    self._apply(under.at + 1, at, top.at, under.value, needless=decided)
                case "!" | "~" | "unary +" | "unary -":
                    under.value = _prefixed(top.operator, right)
                    self._apply(top.at, at, top.at, under.value)
                case _:
                    left = under.value
                    under.value = self._binary(top, left, right)
                    self._apply(
                        under.at + 1, at, top.at, under.value, mixed=_mixes(left, right, top)
                    )
        if operator == ")":
            raise Trouble("missing '(' in expression", at)

    def _apply(
        self,
        start: int,
        stop: int,
        at: int,
        value: Value,
        needless: bool = False,
        mixed: bool = False,
    ) -> None:
        if not self.skipping:
            self.applied.append(Applied(start, stop, at, value, needless, mixed))

    def _binary(self, operator: _Pending, left: Value, right: Value) -> Value:
        if operator.operator in ("<<", ">>"):
            return _shift(operator.operator == "<<", left, right)
        unsigned = left.unsigned or right.unsigned
        a = Value(left.bits, unsigned).number()
        b = Value(right.bits, unsigned).number()
        match operator.operator:
            case ",":
                return right
            case "+":
                return Value((a + b) & _MASK, unsigned)
            case "-":
                return Value((a - b) & _MASK, unsigned)
            case "*":
                return Value((a * b) & _MASK, unsigned)
            case "/" | "%":
                if not b:
                    if not self.skipping:
                        raise Trouble(f"division by zero in {self.directive}", operator.at)
                    return Value(0, unsigned)
                quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
                result = quotient if operator.operator == "/" else a - quotient * b
                return Value(result & _MASK, unsigned)
            case "&":
                return Value(left.bits & right.bits, unsigned)
            case "|":
                return Value(left.bits | right.bits, unsigned)
            case "^":
                return Value(left.bits ^ right.bits, unsigned)
            case comparison:
                holds = {
                    "==": a == b,
                    "!=": a != b,
                    "<": a < b,
                    ">": a > b,
                    "<=": a <= b,
                    ">=": a >= b,
                }[comparison]
                return Value(int(holds))

    def _operand(self, text: str, at: int) -> Value:
        first = text[0]
        if first.isdigit() or (first == "." and len(text) > 1 and text[1].isdigit()):
            return _integer(text, at, self.cxx)
        if (m := _CHARACTER.match(text)) is not None:
            return _character(m[1] or "", m[2], m[3], at)
        if first in "\"'" or '"' in text:
            if first == "'" and not text.endswith("'"):
                raise Trouble("missing terminating ' character", at)
            raise Trouble(f'token "{text}" is not valid in preprocessor expressions', at)
        if not self._is_punctuator(text):
            return ONE if self.cxx and text == "true" else ZERO
        raise Trouble(f'token "{text}" is not valid in preprocessor expressions', at)

    def _is_punctuator(self, text: str) -> bool:
        first = text[0]
        if first == "." and len(text) > 1:
            return not text[1].isdigit()
        if text.endswith('"'):  # a string is as little of a value as a punctuator
            return True
        name_or_constant = first.isalnum() or first in "_$\\'" or ord(first) > 127
        return not name_or_constant or (self.cxx and text in _SPELLED)


def _prefixed(operator: str, right: Value) -> Value:
    match operator:
        case "!":
            return Value(int(not right.bits))
        case "~":
            return Value(right.bits ^ _MASK, right.unsigned)
        case "unary -":
            return Value(-right.bits & _MASK, right.unsigned)
        case _:
            return right


def _mixes(left: Value, right: Value, operator: _Pending) -> bool:
    negative = left if right.unsigned else right
    mixes = left.unsigned != right.unsigned and operator.operator not in (",", "<<", ">>")
    return mixes and negative.number() < 0


def _shift(to_the_left: bool, left: Value, right: Value) -> Value:
    count = right.number()
    if count < 0:
        to_the_left, count = not to_the_left, -count
    count = min(count, _WIDTH)
    shifted = left.bits << count if to_the_left else left.number() >> count
    return Value(shifted & _MASK, left.unsigned)


def _integer(text: str, at: int, cxx: bool) -> Value:
    if (m := _INTEGER.match(text)) is None or m[1].endswith("'"):
        if _FLOATING.match(text):
            raise Trouble("floating constant in preprocessor expression", at)
        raise Trouble(f'invalid integer constant "{text}"', at)
    digits, suffix = m[1].replace("'", ""), m[2]
    if not _SUFFIX.match(suffix):
        if suffix[0] in "eE" and digits[:2] not in ("0x", "0X"):
            raise Trouble("floating constant in preprocessor expression", at)
        if suffix[0] in "pP" and digits[:2] in ("0x", "0X"):
            raise Trouble("floating constant in preprocessor expression", at)
        if cxx:
            raise Trouble("user-defined literal in preprocessor expression", at)
        raise Trouble(f'invalid suffix "{suffix}" on integer constant', at)
    decimal = digits[0] != "0"
    if not decimal and digits[1:2] not in tuple("xXbB"):
        wrong = next((d for d in digits if d in "89"), None)
        if wrong is not None:
            raise Trouble(f'invalid digit "{wrong}" in octal constant', at)
        digits = f"0o{digits}"
    try:
        value = int(digits, 0)
    except ValueError:  # thousands of digits
        value = _MASK + 1
    if value > _MASK:  # clang's error; gcc warns, and keeps the last 64 bits
        raise Trouble("integer constant is too large for its type", at)
    # Too large for a signed number: unsigned. gcc does so for decimal ones too, and warns.
    unsigned = "u" in suffix.lower() or value >= _SIGN
    return Value(value & _MASK, unsigned)


def _character(prefix: str, body: str, suffix: str, at: int) -> Value:
    """A character constant. One with several characters is 8 bits each, the last one lowest."""
    if suffix:
        raise Trouble("user-defined literal in preprocessor expression", at)
    wide = prefix in ("u", "U", "L")
    units: list[int] = []
    for m in _ESCAPE.finditer(body):
        code = _code(m)
        raw = m["hex"] or m["octal"]
        if wide and code in _BYTES:
            raise Trouble("a character that is not UTF-8 has no wide value", at)
        units += [code] if wide or raw else _bytes_of(code)
    if wide:
        bits = {"u": 16, "U": 32, "L": 32}[prefix]
        value = units[-1] & ((1 << bits) - 1)
        if prefix == "L" and value >= 1 << 31:
            value -= 1 << 32
        return Value(value & _MASK, prefix != "L")
    if len(units) == 1:
        value = units[0] & 0xFF
        negative = value > 127 and prefix != "u8"
        return Value((value - 256 if negative else value) & _MASK)
    value = 0
    for unit in units[-4:]:
        value = (value << 8 | (unit & 0xFF)) & 0xFFFF_FFFF
    return Value((value - (1 << 32) if value >= 1 << 31 else value) & _MASK)


def _bytes_of(code: int) -> list[int]:
    """UTF-8; of a byte that is none, as the source has it, itself."""
    return [code & 0xFF] if code in _BYTES else list(chr(code).encode("utf-8", "surrogatepass"))


def _code(m: re.Match[str]) -> int:
    if m["hex"] is not None:
        return int(m["hex"], 16)
    if m["octal"] is not None:
        return int(m["octal"], 8)
    if m["u"] is not None or m["U"] is not None:
        return int(m["u"] or m["U"], 16)
    if m["plain"] is not None:
        return ord(m["plain"])
    return _SIMPLE.get(m["simple"], ord(m["simple"]))
