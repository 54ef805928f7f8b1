"""What is wrong with the arguments of a PHI registration, said of the argument that a user wrote.

A macro takes any tokens for an argument. Where one is left out, the next stands in its place, is pasted
into names and lands where an enumerator belongs; what is no C++ then is text that nobody wrote. But
each argument has its role, and its form says which it can play: one word is a kernel's name, a backend
and a layout are words out of an enumeration, a kernel is a template's name. So a registration that is
no C++ is looked at here, argument by argument, before what the C++ reader says of it is believed.
Nothing is said that isn't certain: a word that no enumeration has may be an enumerator of a newer one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from registry_runtime.cxx import Code
from registry_runtime.phi.backend import SPELLINGS
from registry_runtime.phi.data_layout import DataLayout
from visualizer.expansion import Diagnostic, Expansion, Token
from visualizer.expansion.arguments import bind, read_from
from visualizer.expansion.diagnostics import at_token
from visualizer.expansion.language import Language
from visualizer.expansion.tokens import IDENTIFIER, STRING, spell
from visualizer.expansion.trace import Postponed, Step
from visualizer.workbench.registration_macros import C_API, MACROS, PHI, PLUG_IN, REST

_BACKENDS = [name for name in SPELLINGS if name != "Undefined"]
_LAYOUTS = ["ALL_LAYOUT"]
_LAYOUTS += [
    n for n in DataLayout.__members__ if n not in ("UNDEFINED", *_LAYOUTS) and n[:1] != "k"
]
_LAYOUTS.remove("NUM_DATA_LAYOUTS")
_ENUMERATED = {*_BACKENDS, *_LAYOUTS}
_FIXED_WIDTH = {f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
_ARITHMETIC = {
    *("bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"),
    *_FIXED_WIDTH,
}
_WHAT = {
    "kernel": "the kernel's name",
    "backend": "a backend",
    "layout": "a layout",
    "function": "the kernel's function template",
    "infer_meta": "the InferMeta function",
}
_ORDER = "the order is: name, backend, layout, kernel, types"
_MOST = 5  # enumerators that are told


@dataclass(frozen=True, slots=True)
class _Given:
    """An argument: its role, its tokens, and where to point if it has none."""

    role: str
    tokens: Sequence[Token]
    beside: Token


@dataclass(frozen=True, slots=True)
class _Wrong:
    message: str
    token: Token
    hint: str = ""


def wrong_argument(expansion: Expansion) -> Diagnostic | None:
    """The first that can't be what it stands for, in any registration that an invocation led to."""
    as_written = _as_written(expansion)
    steps = expansion.recorded().steps if as_written is None else [as_written]
    for n, step in enumerate(steps):
        given = _given(expansion.before if n == 0 else (), step)
        wrong = next(_wrong(given), None) if given else None
        if wrong is not None:
            return at_token("error", wrong.message, wrong.token, wrong.hint, Code.INCOMPLETE)
    return None


def _as_written(expansion: Expansion) -> Step | None:
    """The only step of a registration that has arguments to look at, where nothing was recorded yet: of
    most, the arguments are what stands in the source. None where it takes the steps to know that."""
    steps, read = expansion.steps, read_from(expansion.before, 2)
    if not isinstance(steps, Postponed) or read is None:
        return None
    name, met = expansion.before[0], steps.macros
    apart = len(read.tokens) + 2 != len(expansion.before) or met.keys() & MACROS.keys() != {
        name.text
    }
    if apart or any(token.text in met for token in read.tokens):
        return None
    arguments, right = bind(met[name.text], read, Language())
    if arguments is None or not right:
        return None
    return Step("function", name, met[name.text], 0, len(expansion.before), [], arguments)


def _given(written: Sequence[Token], step: Step) -> list[_Given]:
    """The arguments of a registration; none of any other macro, or of one with other parameters. As
    they are `written`, if it stands in the source."""
    macro = MACROS.get(step.macro)
    if macro is None or macro.framework not in (PHI, PLUG_IN, C_API) or step.definition is None:
        return []
    roles, variadic = macro.roles, step.definition.variadic
    if len(step.arguments) != len(roles) or roles[-1].endswith(REST) != (variadic is not None):
        return []
    given: list[_Given] = []
    for role, argument in zip(roles, step.arguments, strict=True):
        scanned = argument.prescan
        tokens = scanned.after if scanned is not None else argument.raw
        behind = argument.start + len(argument.raw)
        beside = written[behind] if behind < len(written) else step.name
        if argument.parameter != variadic:
            given.append(_Given(role, tokens, beside))
        elif not argument.omitted and tokens:
            listed = _separated(tokens)
            given += (_Given(role.removesuffix(REST), one, at or beside) for one, at in listed)
    return given


def _separated(tokens: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Token | None]]:
    """What stands between the commas of a list, each with the comma before it, or else behind it."""
    depth, begin = 0, 0
    comma: Token | None = None
    for i, token in enumerate(tokens):
        depth += (token.text == "(") - (token.text == ")")
        if token.text == "," and not depth:
            yield tokens[begin:i], comma or token
            begin, comma = i + 1, token
    yield tokens[begin:], comma


# --- One argument after the other -----------------------------------------------------------------


def _wrong(given: Sequence[_Given]) -> Iterator[_Wrong]:
    for place, one in enumerate(given):
        for quoted in (t for t in one.tokens if t.kind == STRING):
            said = f"{quoted.text} is a string, and no name"
            yield _Wrong(said, quoted, "write it without the quotes")
        if one.role == "dtypes":
            yield from _of_types(given[place:])
            return
        if not one.tokens:
            yield _Wrong(f"{_WHAT[one.role]} is missing here", one.beside, _hint(one.role))
        elif comma := _without_comma(one):
            yield _Wrong(f"a comma is missing before `{comma.text}`", comma)
        elif one.role == "kernel" and len(one.tokens) > 1:
            yield _of_a_name(one.tokens)
        elif one.role == "function" and any(t.text == "<" for t in one.tokens):
            begun = _left_open(given[place:])
            yield from _of_types(given[place:]) if begun else _of_a_template(given[place:])
        elif not _may_be(one.role, one.tokens):
            yield _misplaced(given, place)


def _hint(role: str) -> str:
    names = {"backend": _BACKENDS, "layout": _LAYOUTS}.get(role)
    return f"there are {', '.join(names[:_MOST])}, …" if names else _ORDER


def _without_comma(one: _Given) -> Token | None:
    """The word that begins another argument, with no comma before it."""
    first, *others = one.tokens
    if not others:
        return None
    second = others[0]
    if one.role == "kernel":
        return second if second.text in _BACKENDS else None
    if one.role in ("backend", "layout"):
        begins = second.kind == IDENTIFIER or (second.text == "::" and first.text in _ENUMERATED)
        return second if first.kind == IDENTIFIER and begins else None
    if first.text in _ARITHMETIC or any(t.text in ("<", "template") for t in one.tokens):
        return None
    pairs = zip(one.tokens, others, strict=False)
    return next((b for a, b in pairs if a.kind == b.kind == IDENTIFIER), None)


def _of_a_name(tokens: Sequence[Token]) -> _Wrong:
    words = [t.text for t in tokens]
    if all(t.kind == IDENTIFIER for t in tokens):
        said = f"`{words[1]}` stands behind the kernel's name, which is one word"
        return _Wrong(said, tokens[1], f"did you mean `{'_'.join(words)}`?")
    wrong = next(t for t in tokens if t.kind != IDENTIFIER)
    said = f"`{spell(tokens)}` is no name of a kernel: it is one word"
    return _Wrong(said, wrong, "write it with letters, digits and _")


def _of_a_template(given: Sequence[_Given]) -> Iterator[_Wrong]:
    """Of a kernel with template arguments: the macro gives it its own. `A<…>::kernel` has none."""
    tokens = given[0].tokens
    at = next(i for i, t in enumerate(tokens) if t.text == "<")
    till = next(i for i in range(len(given)) if not _left_open(given[: i + 1]))
    if given[till].tokens[-1].text in (">", ">>"):
        listed = f"{spell(tokens[at:])}{', …>' if till else ''}"
        yield _Wrong(
            f"`{spell(tokens[:at])}` stands here without template arguments",
            tokens[at],
            f"take `{listed}` out: the macro gives the kernel each of the types behind it",
        )


def _left_open(given: Sequence[_Given]) -> list[Token]:
    """Each `<` that nothing closes; between parentheses, it is for comparing."""
    begun: list[Token] = []
    depth = 0
    for token in (token for one in given for token in one.tokens):
        depth += (token.text == "(") - (token.text == ")")
        if token.text == "<" and not depth:
            begun.append(token)
        elif token.text in (">", ">>") and not depth:
            del begun[-len(token.text) :]
    return begun


def _of_types(given: Sequence[_Given]) -> Iterator[_Wrong]:
    if begun := _left_open(given):
        yield _Wrong("this `<` is never closed", begun[-1], "write the missing `>`")
    for one in given:
        if not one.tokens:
            side = "before" if one is given[0] else "behind"
            said = f"a data type is missing {side} this comma"
            yield _Wrong(said, one.beside, "write one there, or take the comma out")


# --- One that is left out -------------------------------------------------------------------------


def _may_be(role: str, tokens: Sequence[Token], surely: bool = False) -> bool:
    """Whether these can play a role; `surely`, as far as is known of its words."""
    first = tokens[0].text
    is_word = len(tokens) == 1 and tokens[0].kind == IDENTIFIER
    match role:
        case "kernel":
            return is_word
        case "backend":
            return is_word and (first in _BACKENDS if surely else first not in _LAYOUTS)
        case "layout":
            return is_word and (first in _LAYOUTS if surely else first not in _BACKENDS)
        case "function":
            return first not in _ARITHMETIC | _ENUMERATED
    return not is_word or first not in _ENUMERATED


def _misplaced(given: Sequence[_Given], wrong: int) -> _Wrong:
    """Of an argument that can't be what stands there: if all of them fit with one more before it, or
    before one further left, that one is left out."""
    one = given[wrong]
    last = one.tokens[-1].text
    if last in {"backend": _BACKENDS, "layout": _LAYOUTS}.get(one.role, ()):
        said = f"`{spell(one.tokens)}` stands where one word belongs"
        return _Wrong(said, one.tokens[0], f"write `{last}`: the macro qualifies it")
    roles = [each.role for each in given]
    roles += [] if "dtypes" in roles else ["dtypes"]
    for place in range(wrong + 1):
        shifted = [roles[min(i + (i >= place), len(roles) - 1)] for i in range(len(given))]
        pairs = zip(shifted, given, strict=True)
        if all(one.tokens and _may_be(role, one.tokens, surely=True) for role, one in pairs):
            first, what = given[place].tokens[0], _WHAT[given[place].role]
            said = f"{what} is missing before `{spell(given[place].tokens)}`"
            return _Wrong(said, first, _hint(given[place].role))
    said = f"`{spell(one.tokens)}` is not {_WHAT[one.role]}"
    return _Wrong(said, one.tokens[0], _hint(one.role))
