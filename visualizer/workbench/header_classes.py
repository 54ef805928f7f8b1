"""Classes that stand in included headers, found when a registration names them.

`REGISTER_OP_CPU_KERNEL(trace, ops::TraceKernel<…, float>)` hands over a class, and what it is for its
base class says. The class is in a header, as a rule, whose text was skipped. So the headers that
have a class of such a name in their text are expanded, each alone, and of their tokens the
definitions are kept: these classes, and those that they are derived from, up to the framework's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from registry_runtime.fluid.registered import FRAMEWORK_CLASSES
from visualizer.expansion import Options, Token, Trace
from visualizer.expansion.tokens import IDENTIFIER, PUNCTUATOR
from visualizer.workbench.namespace_scope import headers_with, items

_REGISTRARS = (
    *("OperatorRegistrar", "OpKernelRegistrar", "OpKernelRegistrarEx"),
    "StructKernelImpl",  # in PHI's registry
)
_KNOWN = frozenset(
    {*(name.rpartition("::")[2] for name in FRAMEWORK_CLASSES)}
    | {f"{device}Place" for device in ("CPU", "GPU", "XPU", "IPU", "CUDA")}
)
_CLASS = ("class", "struct")


def missing_classes(trace: Trace, options: Options) -> list[Token]:
    """Definitions of classes that the file registers, and of their bases, from included headers."""
    wanted = _registered(trace.output)
    if not wanted or not trace.included:
        return []
    here = {name: bases for name, bases, _ in _definitions(trace.output)}
    found: list[Token] = []
    done: set[str] = set()
    while wanted := wanted - done - _KNOWN:
        done |= wanted
        bases = {base for name in wanted for base in here.get(name, ())}
        for _, further, definition in classes_in_headers(trace, options, wanted - here.keys()):
            bases |= set(further)
            found = [*definition, *found]  # a base before what is derived from it
        wanted = bases
    return found


def _registered(tokens: Sequence[Token]) -> set[str]:
    """Last names of the classes that are listed between a registrar's `<` and `>`."""
    names: set[str] = set()
    for i, token in enumerate(tokens[:-1]):
        if token.text in _REGISTRARS and tokens[i + 1].text == "<":
            names |= _outermost_names(tokens, i + 2)
    return names


def _outermost_names(tokens: Sequence[Token], i: int) -> set[str]:
    names: set[str] = set()
    depth = 1
    while depth > 0 and i + 1 < len(tokens) and tokens[i].text not in (";", "{"):
        text = tokens[i].text
        if text in ("<", ">", ">>"):
            depth += 1 if text == "<" else -len(text)
        elif depth == 1 and tokens[i].kind == IDENTIFIER and tokens[i + 1].text != "::":
            names.add(text)
        i += 1
    return names


_Definition = tuple[str, tuple[str, ...], list[Token]]


def classes_in_headers(trace: Trace, options: Options, wanted: set[str]) -> Iterator[_Definition]:
    """The classes of these last names that included headers define: name, bases, and all of it."""
    if not wanted:
        return
    defined = re.compile(rf"\b(?:class|struct)\s+(?:{'|'.join(map(re.escape, sorted(wanted)))})\b")
    for tokens in headers_with(trace, options, wanted, defined):
        for definition in _definitions(tokens):
            if definition[0] in wanted:
                yield definition


def _definitions(tokens: Sequence[Token]) -> Iterator[_Definition]:
    """The classes that are defined at namespace scope: name, bases, and all of it in its namespaces."""
    for item in items(tokens):
        if item.body and item.is_closed:
            name, bases = _class_head(item.head)
            if name:
                yield name, bases, item.alone(item.body)


def _class_head(head: list[Token]) -> tuple[str, tuple[str, ...]]:
    """What `template <typename T> class TraceKernel : public framework::OpKernel<T>` declares."""
    texts = [t.text for t in head]
    depth, at = 0, None
    for i, text in enumerate(texts):
        depth += (text == "<") - (text.count(">") if text in (">", ">>") else 0)
        if text in ("(", "enum", "="):
            return "", ()  # a function, an enumeration, a variable
        if text in _CLASS and not depth:
            at = i
    if at is None or at + 1 >= len(head) or head[at + 1].kind != IDENTIFIER:
        return "", ()
    colon = next((i for i in range(at, len(texts)) if texts[i] == ":"), None)
    end = Token(PUNCTUATOR, ";", False, head[-1].origin)
    bases = _outermost_names([*head[colon + 1 :], end], 0) if colon is not None else set()
    return texts[at + 1], tuple(sorted(bases - {"public", "protected", "private", "virtual"}))
