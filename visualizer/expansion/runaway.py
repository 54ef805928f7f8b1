"""Expansions that nobody will see the end of, known before they are tried.

Sixty definitions, each with the one before it twice in its replacement list, ask for 2^60 steps. What
is sure to be replaced whenever a macro is can be added up once a macro instead of once an invocation:
what stands in its list, and in the arguments of what is invoked there, where they are asked for. That
is no more than what is sure. What `##` makes is not counted, nor what comes of an argument as it is
rescanned, nor what stands in parentheses that a name before them may take for its own; and a name that
leads back to itself is painted somewhere. A library that does much in few lines is left alone, unless
its definitions say by themselves that it is too much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from visualizer.expansion.definitions import HASH, PASTE, VA_OPT, Definition
from visualizer.expansion.tokens import IDENTIFIER, Token

_MOST = 1 << 60  # of what is counted: more is as good as that
_STAYS = ""  # the name, among those of parameters, of a token that stays


@dataclass(slots=True)
class Sure:
    """What is sure to come of something: steps, and what is left, so many tokens that stay and so many
    times what each parameter stands for. The parameters that are `asked` for are expanded for it. A
    parenthesis of an `uneven` one pairs with one that stands elsewhere, whatever is between them."""

    steps: int = 0
    left: Counter[str] = field(default_factory=Counter)
    asked: set[str] = field(default_factory=set)
    uneven: bool = False

    @property
    def tokens(self) -> int:
        return self.left[_STAYS]

    def take(self, steps: int, left: Mapping[str, int], times: int = 1) -> None:
        self.steps = min(self.steps + steps, _MOST)
        for name, count in left.items():
            self.left[name] = min(self.left[name] + times * count, _MOST)

    def stay(self, tokens: int = 1) -> None:
        self.left[_STAYS] += tokens


@dataclass(slots=True)
class _Parentheses:
    """What stands in a pair of them, an argument each where a macro is `invoked`: so many before commas
    that an argument brings. What may be taken by something else is not `counted`."""

    counted: bool
    invoked: Definition | None = None
    arguments: list[Sure] = field(default_factory=lambda: [Sure()])
    whole: int | None = None


# A macro's name, and whether its variable arguments are sure to have a token.
_Key = tuple[str, bool]


def sure(tokens: Sequence[Token], macros: Mapping[str, Definition]) -> Sure:
    """What is sure to come of these tokens."""
    known: dict[_Key, Sure] = {}
    while True:
        begun = _List(tokens, None, False, macros, known, set())
        found = begun.sure()
        if not begun.unseen:
            return found
        _see(begun.unseen, macros, known)


def _see(waiting: list[_Key], macros: Mapping[str, Definition], known: dict[_Key, Sure]) -> None:
    """What comes of these macros, which is put into `known`."""
    in_use: set[str] = set()
    while waiting:
        name, some = waiting[-1]
        if (name, some) in known:
            waiting.pop()
            continue
        in_use.add(name)
        begun = _List(macros[name].replacement, macros[name], some, macros, known, in_use)
        found = begun.sure()
        if begun.unseen:
            waiting += begun.unseen
            continue
        found.take(1, {})
        known[name, some] = found
        in_use.discard(name)


class _List:
    """A replacement list, of a macro with perhaps `some` variable arguments, or other tokens."""

    def __init__(
        self,
        tokens: Sequence[Token],
        home: Definition | None,
        some: bool,
        macros: Mapping[str, Definition],
        known: Mapping[_Key, Sure],
        in_use: set[str],
    ) -> None:
        self.tokens = tokens
        self.parameters = home.parameter_set if home is not None else frozenset[str]()
        self.variadic = home.variadic if home is not None else None
        self.some = some
        self.macros = macros
        self.known = known
        self.in_use = in_use
        self.uneven = False
        self.unseen: list[_Key] = []  # what is needed to know more

    def sure(self) -> Sure:
        asked: set[str] = set()
        around = [_Parentheses(True)]
        for i, token in enumerate(self.tokens):
            inside, text = around[-1], token.text
            here = inside.arguments[-1]
            if text == self.variadic and inside.whole is None:
                inside.whole = len(inside.arguments) - 1
            if text == "(":
                around.append(self._opened(i, inside.counted))
            elif text == ")":
                if len(around) == 1:
                    self.uneven = True
                    break
                self._close(around)
            elif text == "," and inside.invoked is not None:
                inside.arguments.append(Sure())
            elif not inside.counted or self._is_operand(i):
                continue
            elif text in self.parameters:
                asked.add(text)
                here.left[text] += 1
            elif (macro := self._macro(i)) is None:
                here.stay(text != VA_OPT)
            elif macro.parameters is None:
                self._put(here, self._of(macro, False))
            if self.uneven:
                break
        while len(around) > 1:
            self.uneven = True
            self._close(around, whole=False)
        found = around[0].arguments[0]
        found.asked, found.uneven = asked, self.uneven
        return found

    def _text(self, i: int) -> str:
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def _is_operand(self, i: int) -> bool:
        """Whether it is an operator, or stands beside one, and is no name by itself."""
        before, here = self._text(i - 1), self._text(i)
        return (
            here in PASTE
            or here in HASH
            or before in PASTE
            or before in HASH
            or (self._text(i + 1) in PASTE)
        )

    def _macro(self, i: int) -> Definition | None:
        return self.macros.get(self._text(i)) if self.tokens[i].kind == IDENTIFIER else None

    def _opened(self, i: int, counted: bool) -> _Parentheses:
        before = self._text(i - 1)
        if not before:
            return _Parentheses(counted)
        if self._is_operand(i - 1) or before == ")" or before in self.parameters:
            return _Parentheses(False)
        if before == VA_OPT and self.variadic:
            return _Parentheses(counted and self.some)
        macro = self._macro(i - 1)
        if macro is None:
            return _Parentheses(counted)
        return _Parentheses(counted and macro.parameters is not None, macro)

    def _close(self, around: list[_Parentheses], whole: bool = True) -> None:
        inside, here = around.pop(), around[-1].arguments[-1]
        if not inside.counted:
            return
        found = inside.arguments[0]
        if inside.invoked is not None:
            named = len(inside.invoked.parameters or ())
            whole &= inside.whole is None or inside.whole >= named or len(inside.arguments) == 1
            found = self._of_invocation(inside.invoked, inside.arguments if whole else [])
        self._put(here, found)

    def _put(self, here: Sure, found: Sure) -> None:
        here.take(found.steps, found.left)
        self.uneven |= found.uneven

    def _of_invocation(self, macro: Definition, given: list[Sure]) -> Sure:
        named = macro.parameters or ()
        arguments = dict(zip(named, given, strict=False))
        some = False
        if macro.variadic is not None:
            rest = arguments[macro.variadic] = Sure()
            rest.stay(max(0, len(given) - len(named) - 1))
            for argument in given[len(named) :]:
                rest.take(argument.steps, argument.left)
            some = bool(rest.tokens or (self.some and rest.left[self.variadic or _STAYS]))
        of_macro = self._of(macro, some)
        found = Sure(of_macro.steps, uneven=of_macro.uneven)
        found.stay(of_macro.tokens)
        for name, argument in arguments.items():
            if name in of_macro.asked:
                found.take(argument.steps, argument.left, of_macro.left[name])
        return found

    def _of(self, macro: Definition, some: bool) -> Sure:
        if macro.name in self.in_use:  # it will be painted
            return Sure()
        key = macro.name, some
        if key not in self.known:
            self.unseen.append(key)
        return self.known.get(key, Sure())
