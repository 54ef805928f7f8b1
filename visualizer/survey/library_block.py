"""The block behind `TORCH_LIBRARY(…)`: which operators its calls define and implement.

The macro itself only makes a function head. What is registered stands in the function's body, in
calls of the library object: `m.def("add(Tensor a) -> Tensor")`, `m.impl("add.out", fn)`. The body is
read after the preprocessor is done with it, so calls that came out of macros count, and those that
an `#if` took away don't.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from visualizer.expansion import Token
from visualizer.expansion.tokens import IDENTIFIER, STRING, spell
from visualizer.survey.token_lists import closing_of, split_at_commas

_METHODS = ("def", "impl", "fallback")
# A kernel without a dispatch key: autograd looks through it to the operators that it calls.
_NO_KEY = "CompositeImplicitAutograd"
# What a kernel's function is handed over in: as the argument of a call, or of a template.
_WRAPPERS = (
    *("TORCH_FN", "TORCH_BOX", "dispatch", "CppFunction"),
    *("makeFromUnboxedFunction", "makeFromUnboxedRuntimeFunction"),
)
_TEMPLATES = ("CompileTimeFunctionPointer", "makeFromBoxedFunction")


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """One call. `token` is the library object's name, at the place of the call."""

    token: Token
    method: str
    operator: str
    dispatch_key: str
    function: str


def calls_of_block(
    tokens: Sequence[Token], library: str, namespace: str, dispatch_key: str
) -> Iterator[LibraryCall]:
    """The calls of `library` in the block that `tokens` begin with; none if they begin with none."""
    if not tokens or tokens[0].text != "{":
        return
    block = tokens[1 : closing_of(tokens, 0)]
    i = 0
    while i < len(block) - 3:
        if block[i].kind != IDENTIFIER or block[i].text != library:
            i += 1
            continue
        name, i = block[i], i + 1
        while (  # `m.def(…).def(…)`: each call gives the library back
            i + 2 < len(block)
            and block[i].text == "."
            and block[i + 1].text in _METHODS
            and block[i + 2].text == "("
        ):
            method, end = block[i + 1].text, closing_of(block, i + 2)
            arguments = split_at_commas(block[i + 3 : end], templates=True)
            yield _call(name, method, arguments, namespace, dispatch_key)
            i = end + 1


def _call(
    token: Token, method: str, arguments: list[list[Token]], namespace: str, dispatch_key: str
) -> LibraryCall:
    function = spell(_unwrapped(arguments[-1]))
    if method == "fallback":
        return LibraryCall(token, method, f"{namespace}::*", dispatch_key, function)
    operator = _operator(arguments[0], namespace)
    if len(arguments) == 1:
        return LibraryCall(token, method, operator, "", "")
    key = _key_of(arguments) or dispatch_key or _NO_KEY
    return LibraryCall(token, method, operator, key, function)


def _unwrapped(words: list[Token]) -> list[Token]:
    """`f`, of `&f`, `TORCH_FN(f)`, what the macro becomes where it is defined, and
    `torch::dispatch(key, TORCH_FN(f))`. What else makes a kernel stays as it is."""
    if words and words[0].text == "&":
        return _unwrapped(words[1:])
    if not words or words[-1].text != ")":
        return words
    calls = (i for i, t in enumerate(words) if t.text == "(")
    opening = next(i for i in calls if closing_of(words, i) == len(words) - 1)
    angle = next((i for i, t in enumerate(words[:opening]) if t.text == "<"), opening)
    callee = words[angle - 1].text if angle else ""
    if callee in _WRAPPERS:
        return _unwrapped(split_at_commas(words[opening + 1 : -1], templates=True)[-1])
    if callee in _TEMPLATES and angle < opening:
        return _unwrapped(split_at_commas(words[angle + 1 : opening - 1], templates=True)[-1])
    return words


def _operator(argument: list[Token], namespace: str) -> str:
    """The full name of the operator, `aten::add.Tensor`, out of a name or a schema. The string may be
    wrapped, as in `TORCH_SELECTIVE_NAME("aten::add")`."""
    strings = [t.text for t in argument if t.kind == STRING]
    if not strings:
        return f"{namespace}::{spell(argument)}"
    name = "".join(map(_string, strings)).partition("(")[0].strip()
    return name if "::" in name else f"{namespace}::{name}"


def _string(literal: str) -> str:
    prefix, _, rest = literal.partition('"')
    if prefix.endswith("R"):
        delimiter, _, rest = rest.partition("(")
        return rest.rpartition(f"){delimiter}")[0]
    body = rest.rpartition('"')[0]
    try:
        value: str = ast.literal_eval(f'"{body}"')
    except (SyntaxError, ValueError):  # an escape of C's that Python doesn't share
        return body
    return value


def _key_of(arguments: list[list[Token]]) -> str:
    """A dispatch key among the arguments: `impl("f", torch::kCUDA, fn)`, or
    `impl("f", torch::dispatch(c10::DispatchKey::CUDA, fn))`."""
    if len(arguments) == 3:
        return _key(arguments[1])
    words = arguments[1]
    calls = [
        i for i, t in enumerate(words[:-1]) if t.text == "dispatch" and words[i + 1].text == "("
    ]
    if calls and (inner := split_at_commas(words[calls[0] + 2 : -1])):
        return _key(inner[0])
    return ""


def _key(words: list[Token]) -> str:
    names = [t.text for t in words if t.kind == IDENTIFIER]
    if not names:
        return ""
    last = names[-1]
    return last[1:] if last[:1] == "k" and last[1:2].isupper() else last
