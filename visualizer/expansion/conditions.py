"""`#if`, `#ifdef` and their like: what a condition says.

Before its arithmetic, an expression is prepared in the order that C23 §6.10.2 gives: `defined X` and
the `__has_…` operators are answered, what is left is macro-expanded, names that remain are 0. A
macro's replacement may itself say `defined X`, which the standard leaves undefined and system headers
do everywhere; gcc and clang answer it as if it stood in the directive, with X not expanded.

Headers ask the same few questions thousands of times. So there is a second, quick way, for directives
that are still text: an expression is read into tokens once; if each macro in it stands for a single
number, those are filled in, and the value for these tokens is remembered. Whatever is not that simple
takes the first way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from visualizer.expansion.allowance import LimitReached
from visualizer.expansion.definitions import Definition
from visualizer.expansion.diagnostics import Diagnostic, at_token
from visualizer.expansion.expander import Expander
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.parentheses import closing
from visualizer.expansion.tokens import (
    IDENTIFIER,
    NUMBER,
    PUNCTUATOR,
    STRING,
    Computed,
    Source,
    Token,
    spell,
)
from visualizer.expansion.wording import short

if TYPE_CHECKING:
    from visualizer.expansion.preprocessor import Preprocessor
    from visualizer.expansion.trace import Step

HAS_INCLUDE = ("__has_include", "__has_include_next")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
# Most expressions are names, numbers and operators of one kind. What could be read in another way (a
# comment, an exponent, `++`) is left to the lexer.
_SIMPLE = re.compile(r"[\w \t()!&|<>=+*%?:,-]+", re.ASCII)
_OTHERWISE = re.compile(
    r"\b[0-9]\w*[eEpP][+-]|\+\+|--|->|[-+*%&|]=|<<=|>>=|<=>|::|<:|:>|<%|%>|%:|<!|\?\?", re.ASCII
)
_WORD = re.compile(r"([ \t]*)(\w+|<<|>>|<=|>=|==|!=|&&|\|\||[^\w \t])", re.ASCII)
_NOWHERE = Source("", 1, 1)
_MOST_SAID = 200  # characters of a condition, in a message
_ALONE = re.compile(r"[ \t]*([A-Za-z_$][A-Za-z_0-9$]*)[ \t]*(?://.*|/\*[^\n]*\*/[ \t]*)?\Z")


class _Misused(Exception):
    """An expression that has no value."""


@dataclass(slots=True)
class _Plan:
    """An expression as token spellings, and which of them to fill in: `defined X` by X's place."""

    parts: list[str]
    defined: list[tuple[int, str]]
    asked: list[tuple[int, str, str]]
    names: list[tuple[int, str]]


class Condition:
    """Evaluates the conditions of one preprocessor, which it asks for macros and headers."""

    def __init__(self, preprocessor: Preprocessor) -> None:
        self.preprocessor = preprocessor
        self.operators = preprocessor.compiler.operators
        self._plans: dict[str, _Plan | None] = {}
        self._values: dict[tuple[str, ...], bool] = {}
        self._cxx = preprocessor.language.cxx

    # ------------------------------------------------------------------ the whole way

    def holds(self, directive: Token, tokens: list[Token], steps: list[Step] | None = None) -> bool:
        """Whether the group after this directive is to be taken. Reports what is wrong with it. What
        led to the answer is put behind `steps`, for who wants to know."""
        if directive.text in ("ifdef", "ifndef", "elifdef", "elifndef"):
            if not tokens or tokens[0].kind != IDENTIFIER:
                self._report(f"#{directive.text} needs a macro name", directive)
                return False
            return self.defined(tokens[0].text) == (not directive.text.endswith("ndef"))
        if not tokens:
            self._report(f"#{directive.text} with no expression", directive)
            return False
        try:
            prepared = self._prepared(tokens, steps)
            if steps is not None:
                return self._computed(prepared, directive.text, steps)
            spellings = self._spelled(prepared)
            value = self._values.get(spellings)
            if value is None:
                value = self._values[spellings] = self._evaluate(spellings, directive.text)
        except (_Misused, LimitReached) as trouble:
            said = short(tokens, _MOST_SAID)
            self._report(f"#{directive.text} {said}: {trouble}", tokens[0])
            return False
        return value

    def value(self, tokens: list[Token]) -> int | None:
        """What a part of a condition is worth by itself, or None if nothing."""
        from visualizer.expansion.arithmetic import Trouble, evaluate

        try:
            return evaluate(self._spelled(self._prepared(tokens)), self._cxx).number()
        except (_Misused, Trouble, LimitReached):
            return None

    def _evaluate(self, spellings: tuple[str, ...], directive: str) -> bool:
        # Imported here, as are others: a file whose includes are cached may have no #if at all.
        from visualizer.expansion.arithmetic import Trouble, evaluate

        try:
            return bool(evaluate(spellings, self._cxx, f"#{directive}").bits)
        except Trouble as trouble:
            raise _Misused(trouble.message) from None

    def _computed(self, prepared: list[Token], directive: str, steps: list[Step]) -> bool:
        from visualizer.expansion.arithmetic import Trouble
        from visualizer.expansion.condition_steps import computed

        try:
            return bool(
                computed(prepared, self._spelled(prepared), self._cxx, f"#{directive}", steps).bits
            )
        except Trouble as trouble:
            raise _Misused(trouble.message) from None

    def defined(self, name: str) -> bool:
        p = self.preprocessor
        return name in p.macros or name in p.builtins

    def _spelled(self, tokens: list[Token]) -> tuple[str, ...]:
        return tuple(map(self.preprocessor.inclusion.exactly, tokens))

    def _prepared(self, tokens: list[Token], steps: list[Step] | None = None) -> list[Token]:
        expander = self.preprocessor.expander
        tokens = self._answered(tokens, steps)
        if not any(expander.is_macro(t) for t in tokens):
            return tokens
        at_once: list[Step] = []
        expanded = expander.expand_all(tokens, at_once)
        if any(self._is_operator(t) for t in expanded):
            around = self._around_operands(tokens).expand_all(tokens, steps)
            expanded = expander.expand_all(self._answered(around, steps), steps)
        elif steps is not None:
            steps += at_once
        return expanded

    def _is_operator(self, token: Token) -> bool:
        return token.text == "defined" or self._is_asked(token.text)

    def _is_asked(self, name: str) -> bool:
        """Whether it is the compiler's operator still: a `#define` may have made it a macro."""
        p = self.preprocessor
        return name in self.operators and name in p.builtins and name not in p.macros

    def _around_operands(self, tokens: list[Token]) -> Expander:
        """An expander to which the operands of operators inside replacement lists are no macros."""
        p = self.preprocessor
        operands = self._operands_behind_macros(tokens)
        seen: set[str] = set()
        reached = [t.text for t in tokens if t.kind == IDENTIFIER]
        while reached:
            name = reached.pop()
            if name in seen or name not in p.macros:
                continue
            seen.add(name)
            replacement = p.macros[name].replacement
            for i, token in enumerate(replacement):
                if self._is_operator(token):
                    operands |= {t.text for t in self._operand_of(replacement[i + 1 :])}
                elif token.kind == IDENTIFIER:
                    reached.append(token.text)
        macros = {name: d for name, d in p.macros.items() if name not in operands}
        ignore: list[Diagnostic] = []  # reported already, when all of it was expanded
        return Expander(macros, p.builtins, ignore.append, p.language)

    def _operands_behind_macros(self, tokens: list[Token]) -> set[str]:
        """The names that a macro's last word takes for its operand: `defined` ends its replacement."""
        found: set[str] = set()
        for i, token in enumerate(tokens):
            definition = self.preprocessor.macros.get(token.text)
            for _ in range(20):
                last = definition.replacement[-2:] if definition is not None else ()
                if last and (
                    last[-1].text == "defined" or [t.text for t in last] == ["defined", "("]
                ):
                    found |= {t.text for t in self._operand_of(tuple(tokens[i + 1 :]))}
                    break
                definition = self.preprocessor.macros.get(last[-1].text) if last else None
        return found

    def _operand_of(self, behind: tuple[Token, ...]) -> tuple[Token, ...]:
        if not behind or behind[0].text != "(":
            return behind[:1]
        end = next((i for i, t in enumerate(behind) if t.text == ")"), len(behind))
        return behind[1:end]

    # ------------------------------------------------------------------ operators

    def _answered(self, tokens: list[Token], steps: list[Step] | None = None) -> list[Token]:
        """`defined X` and `__has_include(…)` with their answers in their place."""
        answered: list[Token] = []
        i = 0
        while i < len(tokens):
            token, asked = tokens[i], i
            if token.text == "defined" and token.kind == IDENTIFIER:
                answer, i = self._answer_defined(tokens, i)
            elif self._is_asked(token.text):
                answer, i = self._answer_has(tokens, i)
            elif token.text == "#" and (found := self._asserted(tokens, i)) is not None:
                answer, i = int(found[0]), found[1]
            else:
                answered.append(token)
                i += 1
                continue
            made = Token(NUMBER, str(answer), token.space, Computed(token))
            if steps is not None:
                from visualizer.expansion.condition_steps import answered as step_of

                steps.append(step_of(len(answered), tokens[asked:i], made))
            answered.append(made)
        return answered

    def _asserted(self, tokens: list[Token], at: int) -> tuple[bool, int] | None:
        from visualizer.expansion.gnu_directives import answer_to, assertions

        return answer_to(assertions(self.preprocessor), tokens, at)

    def _answer_defined(self, tokens: list[Token], at: int) -> tuple[int, int]:
        parenthesized = at + 1 < len(tokens) and tokens[at + 1].text == "("
        at += 2 if parenthesized else 1
        if at >= len(tokens) or tokens[at].kind != IDENTIFIER:
            raise _Misused('operator "defined" requires an identifier')
        if parenthesized and (at + 1 >= len(tokens) or tokens[at + 1].text != ")"):
            raise _Misused("missing ')' after \"defined\"")
        return int(self.defined(tokens[at].text)), at + 1 + parenthesized

    def _answer_has(self, tokens: list[Token], at: int) -> tuple[int, int]:
        operator = tokens[at].text
        headers = operator in HAS_INCLUDE
        if at + 1 >= len(tokens) or tokens[at + 1].text != "(":
            where = f'before "{operator}" operand' if headers else f'after "{operator}"'
            raise _Misused(f"missing '(' {where}")
        end = closing(tokens, at + 1) or len(tokens)
        operand = tokens[at + 2 : end]
        if headers:
            header = self.preprocessor.includes.header_name(operand)
            if header is None:
                raise _Misused(f'operator "{operator}" requires a header-name')
            answer = self._has_include(operator, header)
        else:
            if any(self.preprocessor.expander.is_macro(t) for t in operand):
                operand = self.preprocessor.expander.expand_all(operand)
            if not operand or operand[0].kind not in (IDENTIFIER, STRING):
                raise _Misused(f'macro "{operator}" requires an identifier')
            answer = self.preprocessor.answer(operator, "".join(t.text for t in operand))
        if end >= len(tokens):
            where = f'after "{operator}" operand' if headers else f'after "{operator}"'
            raise _Misused(f"missing ')' {where}")
        return answer, end + 1

    def _has_include(self, operator: str, header: str) -> int:
        p = self.preprocessor
        return int(p.includes.find(header, operator == "__has_include_next") is not None)

    def _report(self, message: str, token: Token) -> None:
        self.preprocessor.diagnostics.append(at_token("error", message, token))

    # ------------------------------------------------------------------ the quick way

    def holds_quickly(self, directive: str, rest: str) -> bool | None:
        """What `holds` says of a directive's text; None where it takes the whole way to know."""
        if directive in ("ifdef", "ifndef", "elifdef", "elifndef"):
            m = _ALONE.match(rest)
            if m is None:
                return None
            return self.defined(m[1]) == (not directive.endswith("ndef"))
        try:
            plan = self._plans[rest]
        except KeyError:
            plan = self._plans[rest] = self._plan(rest)
        if plan is None:
            return None
        macros = self.preprocessor.macros
        parts = plan.parts.copy()
        for i, name in plan.defined:
            parts[i] = "1" if self.defined(name) else "0"
        for i, operator, operand in plan.asked:
            if not self._is_asked(operator):
                return None
            if operator in HAS_INCLUDE:
                parts[i] = str(self._has_include(operator, operand))
            else:
                if any(name in macros for name in _NAME.findall(operand)):
                    return None
                parts[i] = str(self.preprocessor.answer(operator, operand))
        for i, name in plan.names:
            definition = macros.get(name)
            if definition is None:
                if name in self.preprocessor.builtins:
                    return None
                continue
            number = self._number(definition)
            if number is None:
                return None
            parts[i] = number
        spellings = tuple(parts)
        value = self._values.get(spellings)
        if value is None:
            try:
                value = self._values[spellings] = self._evaluate(spellings, directive)
            except _Misused:
                return None
        return value

    def _number(self, definition: Definition) -> str | None:
        """The number that an object-like macro stands for, perhaps through other names."""
        for _ in range(20):
            if definition.parameters is not None or len(definition.replacement) != 1:
                return None
            token = definition.replacement[0]
            if token.kind == NUMBER:
                return token.text
            if token.kind != IDENTIFIER or token.text in self.preprocessor.builtins:
                return None
            following = self.preprocessor.macros.get(token.text)
            if following is None:
                return None if self._is_operator(token) else token.text
            definition = following
        return None

    def _plan(self, rest: str) -> _Plan | None:
        """An expression's text read for the quick way, or None if that is not for it."""
        tokens = self._tokens(rest)
        if not tokens:
            return None
        plan = _Plan([], [], [], [])
        i = 0
        while i < len(tokens):
            token = tokens[i]
            at = len(plan.parts)
            plan.parts.append(token.text)
            if token.text == "defined":
                operand = self._operand_of(tuple(tokens[i + 1 :]))
                parenthesized = tokens[i + 1 : i + 2] != [*operand]
                closed = not parenthesized or i + 3 < len(tokens)
                if len(operand) != 1 or operand[0].kind != IDENTIFIER or not closed:
                    return None
                plan.defined.append((at, operand[0].text))
                i += 4 if parenthesized else 2
            elif token.text in self.operators:
                operand = self._operand_of(tuple(tokens[i + 1 :]))
                closed = i + 2 + len(operand) < len(tokens) and tokens[i + 1].text == "("
                headers = token.text in HAS_INCLUDE
                if not closed or not operand or (operand[0].kind == IDENTIFIER) == headers:
                    return None
                if headers and operand[0].kind != STRING and operand[0].text != "<":
                    return None
                text = spell(operand) if headers else "".join(t.text for t in operand)
                plan.asked.append((at, token.text, text))
                i += len(operand) + 3
            elif token.kind == IDENTIFIER:
                plan.names.append((at, token.text))
                i += 1
            else:
                i += 1
        return plan

    def _tokens(self, rest: str) -> list[Token] | None:
        """An expression's tokens, without their places; None if it does not take one line."""
        if _SIMPLE.fullmatch(rest) is None or _OTHERWISE.search(rest) is not None:
            lines = tokenize(rest, "", self.preprocessor.language)
            return lines[0] if len(lines) == 1 else None
        return [
            Token(_kind(m.group(2)), m.group(2), bool(m.group(1)), _NOWHERE)
            for m in _WORD.finditer(rest)
        ]


def _kind(text: str) -> str:
    if text[0].isdigit():
        return NUMBER
    return IDENTIFIER if text[0].isalpha() or text[0] == "_" else PUNCTUATOR
