"""Where the declaration of an object or a function breaks off: words that specify, a type, declarators
and what follows them ([dcl.dcl]).

`int f() int g();` lacks a `;`, and so does `int n = 3 static S s;`; in `oops X y(1);` a word is one too
many. What tells is the next word, where it can only begin another declaration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from registry_runtime.cxx.head_faults import Fault, stray, unended
from registry_runtime.cxx.head_tokens import (
    BEGINNING,
    CLASS_KEYS,
    CONFLICTING,
    IN_BODIES,
    SPECIFYING,
    TYPES,
    TYPES_IN_PARTS,
    HeadTokens,
    LostError,
)
from registry_runtime.cxx.span import Span

# Behind a declarator, these can only begin the next declaration.
ANOTHER = (
    *(*CLASS_KEYS, *BEGINNING, *TYPES, "typename", "decltype"),
    *(SPECIFYING - {"const", "volatile", "mutable"}),
)
# And these behind a value, where others may belong to a lambda or to a template's arguments.
BEHIND_A_VALUE = (*CLASS_KEYS, *BEGINNING, "static", "extern", "inline", "typedef", "void")
# What is said of members, and of objects.
_OF_MEMBERS = frozenset(("virtual", "friend", "mutable"))
_OF_OBJECTS = ("thread_local", "mutable", "constinit")


class _Specified(NamedTuple):
    """The words before the token `at`, where a declarator should begin. The type among them begins at
    `type` and ends before `end`."""

    first: int
    at: int
    type: int | None = None
    end: int = 0
    is_name: bool = False
    is_class: bool = False
    is_unknown: bool = False  # a word of the implementation's may be the type
    is_call: bool = False  # NAME(…): a constructor, or a macro that isn't one


def simple_declaration(t: HeadTokens, first: int, faults: list[Fault]) -> int:
    of = _specified(t, first, faults)
    word = t(of.at)
    if of.is_call:
        return _behind_declared(t, of.at, of, faults)
    if of.type is None:
        if of.is_unknown and word in ("*", "&", "(", "operator"):
            return _declarator(t, of.at, of, faults)
        if of.is_unknown or of.at == first or word not in BEGINNING:
            raise LostError
        faults.append(stray("alone", t.span(first, of.at - 1)))
        return of.at
    if word == ";":
        faults += _idle(t, of) if of.is_class else ()
        return of.at + 1
    if word in ANOTHER:
        return _before_another_type(t, of, faults)
    if t.texts[of.type : of.end] == ["void"] and t.is_name(of.at) and t(of.at + 1) == "(":
        said = (n for n in range(of.first, of.at) if t(n) in _OF_OBJECTS)
        faults += (stray("of objects", t.span(n, n)) for n in said)
    return _declarator(t, of.at, of, faults)


def _specified(t: HeadTokens, at: int, faults: list[Fault]) -> _Specified:
    of = _Specified(at, at)
    stored: int | None = None
    while True:
        word = t(at)
        if word in SPECIFYING:
            if word in CONFLICTING and stored is not None:
                faults.append(stray("conflicts", t.span(stored, stored)))
            elif word == "register" and t(at + 1) in CONFLICTING:
                faults.append(stray("conflicts", t.span(at, at)))
            stored = at if word in CONFLICTING else stored
            if word in _OF_MEMBERS or (word == "explicit" and t(at + 1) in ANOTHER):
                faults.append(stray("of members", t.span(at, at)))
            at += 1
        elif word == "alignas":
            at = t.behind_word(at)
        elif t.is_attribute(at):
            at = t.behind(at)
        elif t.is_the_compilers(at) and (of.type is None or t.is_extension(at)):
            of = of._replace(is_unknown=True)
            at = t.behind_word(at)
        elif of.type is not None and not (
            word in TYPES_IN_PARTS and t(of.end - 1) in TYPES_IN_PARTS
        ):
            return of._replace(at=at)
        elif word in TYPES:
            of = of._replace(type=at if of.type is None else of.type, end=at + 1)
            at += 1
        elif word in CLASS_KEYS and t(t.behind_key(at)) in ANOTHER:
            return of._replace(type=at, end=at + 1, at=at + 1)
        elif word in CLASS_KEYS:
            behind = t.behind_class(at)
            faults += _in_class(t, behind - 1) if t(behind - 1) == "}" else ()
            of = of._replace(type=at, end=behind, is_class=True)
            at = behind
        elif word == "decltype":
            behind = t.behind_word(at)
            behind = t.behind_name(behind) if t(behind) == "::" else behind
            of = of._replace(type=at, end=behind)
            at = behind
        elif word in ("typename", "::") or t.is_name(at):
            behind = t.behind_name(at + (word == "typename"))
            if t(behind - 1) == "operator":
                return of._replace(at=t.behind_operator(behind - 1), is_call=True)
            if t(behind - 1) == "~":
                return of._replace(at=behind + 1, is_call=True)
            if t(behind) == "(":
                return of._replace(at=behind, is_call=True)
            of = of._replace(type=at, end=behind, is_name=True)
            at = behind
        else:
            return of._replace(at=at)


def _type(t: HeadTokens, of: _Specified) -> Span | None:
    """Where the type stands, if it is a name."""
    return t.span(of.type, of.end - 1) if of.is_name and of.type is not None else None


def _in_class(t: HeadTokens, end: int) -> Iterator[Fault]:
    """The first member up to the `}` at `end` that can be in a namespace only, with all behind it: an
    assertion that this is the global one, or an object whose parentheses hold a string."""
    begun = at = t.partners[end] + 1
    while at < end:
        behind = t.behind(at) if t(at) in ("(", "[", "{") else at + 1
        if t(at) == "(" and (_is_global(t, at, behind) or _is_object(t, at, behind)):
            yield Fault("in a class", t.span(begun, behind - 1), cut=t.span(begun, end - 1))
            return
        if t(at) in (";", "}"):
            begun = behind
        at = behind


def _is_global(t: HeadTokens, at: int, behind: int) -> bool:
    return _IS_GLOBAL.match(" ".join(t.texts[at - 1 : behind])) is not None


_IS_GLOBAL = re.compile(r"static_assert \( (?::: )?std :: is_same < :: (\w+) , \1 > :: value [,)]")


def _is_object(t: HeadTokens, at: int, behind: int) -> bool:
    if not t.is_name(at - 1) or t.is_extension(at - 1):
        return False
    # A number may stand behind a comma in template arguments, too.
    given = (n for n in range(at, behind) if t(n)[-1:] == '"')
    return any(t(n - 1) in ("(", ",") for n in given) and (t.is_name(at - 2) or t(at - 2) == ">")


def _idle(t: HeadTokens, of: _Specified) -> Iterator[Fault]:
    """`static struct A {};`, which declares no object that could be static."""
    for at in range(of.first, of.at):
        within = of.type is not None and of.type <= at < of.end
        if not within and t(at) in SPECIFYING - {"typedef", *_OF_MEMBERS}:
            yield stray("idle", t.span(at, at))
            return


def _before_another_type(t: HeadTokens, of: _Specified, faults: list[Fault]) -> int:
    """Where another type stands behind the first, or another declaration."""
    assert of.type is not None
    if of.is_class:
        faults.append(unended(t, of.end))
        return of.end
    type = t.span(of.type, of.end - 1)
    is_whole = t(of.at) in BEGINNING or t(of.at) in CLASS_KEYS
    cut = t.span(of.first, of.at - 1) if is_whole else type
    faults.append(Fault("alone", type, _type(t, of), cut))
    return of.at


def _declarator(t: HeadTokens, at: int, of: _Specified, faults: list[Fault]) -> int:
    begun = at
    while t(at) in ("*", "&", "&&", "const", "volatile", "...") or t.is_extension(at):
        at = t.behind_word(at) if t.is_word(at) else at + 1
    while t.is_attribute(at):
        at = t.behind(at)
    if t(at) == "operator":
        return _behind_declared(t, t.behind_operator(at), of, faults)
    if t(at) in ("(", "["):  # `(*f)(int)`, `[a, b] = …`
        return _behind_declared(t, t.behind(at), of, faults)
    if t(at) in ANOTHER and at > begun:
        faults.append(stray("alone", t.span(of.first, at - 1)))
        return at
    if t(at) != "::" and not t.is_name(at):
        raise LostError
    behind = t.behind_name(at)
    if t(behind - 1) == "operator":
        behind = t.behind_operator(behind - 1)
    elif t(behind - 1) in ("~", "::"):
        raise LostError
    return _behind_declared(t, behind, of, faults, at if at == begun else None)


def _behind_declared(
    t: HeadTokens, at: int, of: _Specified, faults: list[Fault], name: int | None = None
) -> int:
    """Read on behind what a declarator names: the `name` that begins here, if that is all of it."""
    is_function = False
    while True:
        word = t(at)
        if word == ";":
            return at + 1
        if word == ",":
            return _declarator(t, at + 1, of, faults)
        if word == "=":
            return behind_value(t, at + 1, faults)
        if word == ":" and of.is_call:
            return _behind_initialisers(t, at + 1)
        if word == "{":
            at = t.behind(at)
            if is_function:
                return at
            if t(at) not in (",", ";"):
                raise LostError
        elif word in ("(", "["):
            is_function = is_function or word == "("
            at, name = t.behind(at), None
        elif is_function and word in _BEHIND_PARAMETERS:
            at += 1
        elif word in ("noexcept", "throw", "alignas", "asm") or t.is_the_compilers(at):
            at = t.behind_word(at)
        elif word == "->":
            at = _behind_trailing_type(t, at + 1)
        elif of.is_call and (word in ANOTHER or t.is_name(at)):
            return at  # what is said of NAME(…) says it all
        elif word in ANOTHER or (word == "}" and at in t.partners):
            faults.append(unended(t, at, _type(t, of)))
            return at
        elif word == "::" or t.is_name(at):
            return _behind_another_name(t, at, of, faults, name)
        elif word in (")", "]") or t.is_value(at) or word in IN_BODIES - {"try"}:
            faults.append(stray("unexpected", t.span(at, at)))
            at += 1
        else:
            raise LostError


_BEHIND_PARAMETERS = ("const", "volatile", "&", "&&", "override", "final")


def _behind_another_name(
    t: HeadTokens, at: int, of: _Specified, faults: list[Fault], name: int | None
) -> int:
    """`oops X y(1)`, `int x oops;`, `void f() X y(1)`: a name where the declaration should end."""
    behind, type = t.behind_name(at), _type(t, of)
    is_last = t(behind) in ("(", "{", "=", ";", ",", "[", "")
    if is_last and name is not None and of.type is not None:
        # What seemed to be declared is the type of what is.
        is_apart = of.end < name or name < at - 1
        if of.is_class:
            faults.append(unended(t, of.end))
            return of.end
        if is_apart or (type is not None and name == of.at):
            cut = t.span(of.type, of.end - 1)
            at_fault = cut if is_apart else t.span(at - 1, at - 1)
            faults.append(Fault("alone" if is_apart else "unended", at_fault, type, cut))
            return name
    if is_last:  # a macro, perhaps, that was never defined
        span = t.span(at, behind - 1)
        if t(behind) == "(":
            faults.append(Fault("unexpected", span, end=t.starts[at]))
            return at
        faults.append(stray("unexpected", span))
        return _behind_declared(t, behind, of, faults)
    if t(behind) in ANOTHER:
        span = t.span(at, behind - 1)
        faults.append(Fault("unexpected", span, cut=span, end=t.starts[at]))
        return behind
    faults.append(unended(t, at, type))
    return at


def behind_value(t: HeadTokens, at: int, faults: list[Fault]) -> int:
    """Behind the `;` that ends what an object is initialised with."""
    first = at
    while t(at) not in ("", ";"):
        before, word = t(at - 1), t(at)
        ends = before in (")", "]", "}") or t.is_name(at - 1) or t.is_value(at - 1)
        of_lambda = before == ")" and t(at + 1) in ("{", "->", "mutable", "noexcept")
        if word in BEHIND_A_VALUE and at > first and ends and not of_lambda:
            faults.append(unended(t, at))
            return at
        if word in (")", "]", "}"):
            raise LostError
        at = t.behind(at) if word in ("(", "[", "{") else at + 1
    return at + 1


def _behind_trailing_type(t: HeadTokens, at: int) -> int:
    """Behind `-> const X&`: where its words can't be told from what follows, all of them."""
    while True:
        if t(at) in (*TYPES, *CLASS_KEYS, "const", "volatile", "typename", "decltype"):
            at = t.behind_word(at)
        elif t(at) in ("(", "["):
            at = t.behind(at)
        elif t(at) in ("*", "&", "&&", "...", "->"):
            at += 1
        elif t(at) == "::" or (t.is_name(at) and t(at) not in ("override", "final")):
            at = t.behind_name(at)
        else:
            return at


def _behind_initialisers(t: HeadTokens, at: int) -> int:
    """Behind the body that follows `: a(1), b{2}`."""
    while True:
        at = t.behind_name(at)
        if t(at) not in ("(", "{"):
            raise LostError
        at = t.behind(at)
        at += t(at) == "..."
        if t(at) != ",":
            break
        at += 1
    if t(at) != "{":
        raise LostError
    return t.behind(at)
