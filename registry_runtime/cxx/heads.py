"""Where the declarations of a namespace break off: a stray word, or a `;` that is missing.

tree-sitter's grammar takes `oops struct A {};` for a variable named `struct`, and what it can't take
it skips to a place of its own choosing. So where it stumbles, the heads of declarations are read once
more, token by token, as [dcl.dcl] has them: words that specify, a type, declarators, and a `;` or a
body. Where what follows can only begin another declaration, what stands before it is at fault. It is
mended as its writer will: a stray word is blanked out, a missing `;` put in. So the registration
behind it is read as it was meant, and one mistake is told once.

Whatever isn't surely wrong is passed over. A name that the implementation keeps for itself
(`__global__`) may stand for anything.
"""

from __future__ import annotations

from registry_runtime.cxx.head_faults import Fault, stray, unended
from registry_runtime.cxx.head_tokens import (
    BEGINNING,
    CLASS_KEYS,
    IN_BODIES,
    TYPES,
    HeadTokens,
    LostError,
    head_tokens,
)
from registry_runtime.cxx.simple_declarations import ANOTHER, behind_value, simple_declaration


def broken_heads(text: str) -> tuple[Fault, ...]:
    """The faults in expanded C++ whose braces pair up, in order."""
    t = head_tokens(text)
    if "@" in t.texts:  # Objective-C
        return ()
    faults: list[Fault] = []
    at = 0
    while at < len(t.texts):
        try:
            at = max(_declaration(t, at, faults), at + 1)
        except LostError:
            at = max(_next_end(t, at), at + 1)
    return tuple(faults)


def _next_end(t: HeadTokens, at: int) -> int:
    """What follows the next `;`, or the `}` of the namespace around."""
    while t(at) not in ("", ";"):
        if t(at) == "}":
            return at
        at = max(t.partners.get(at, at), at) + 1
    return at + 1


_NEVER_FIRST = (*")],:*&.+-/<>?!~=\\", "&&")
# And these begin a declaration with what follows them, which is none by itself.
_INCOMPLETE = ("static_assert", "asm", "typename", "operator", "concept", "::")
_ACCESS = ("public", "private", "protected")
_LINKAGES = ("static", "extern", "thread_local")


def _declaration(t: HeadTokens, at: int, faults: list[Fault]) -> int:
    """Read what begins at a token of namespace scope; where the next begins. Raises LostError."""
    word = t(at)
    if word in (";", "}"):
        return at + 1
    if word == "namespace" or (word == "inline" and t(at + 1) == "namespace"):
        return _namespace(t, at, faults)
    if word == "extern" and t.is_value(at + 1):
        return _linkage(t, at, faults)
    if word in _INCOMPLETE and t(at + 1) in ANOTHER:
        faults.append(stray("alone", t.span(at, at)))
        return at + 1
    if word in _ACCESS and t(at + 1) == ":":
        faults.append(stray("unexpected", t.span(at, at + 1)))
        return at + 2
    if word == "template" or (word == "extern" and t(at + 1) == "template"):
        first, at = at, at + 1 + (word == "extern")
        if word == "extern" and t(at) == "<":
            faults.append(stray("alone", t.span(first, first)))
        if t(at) == "<" and (last := _unclosed(t, at)):
            faults.append(Fault("unclosed", t.span(last, last), end=t.starts[last + 1]))
            return last + 1
        behind = t.behind_angles(at) if t(at) == "<" else at
        if _is_of_nothing(t, at, behind):
            faults.append(stray("alone", t.span(first, behind - 1)))
            return behind
        is_explicit = t(behind) == "template" and t(behind + 1) == "<" and t(behind + 2) == ">"
        if behind > at + 2 and is_explicit:
            faults.append(stray("alone", t.span(first, behind - 1)))
        return behind
    if word == "export":
        return at + 1
    if word == "using":
        return _using(t, at, faults)
    if word in ("static_assert", "asm") and t(at + 1) == "(":
        return _ended(t, t.behind(at + 1), faults)
    is_closed = at in t.partners
    if word in IN_BODIES or word in _NEVER_FIRST or t.is_value(at) or word == "(":
        if is_closed:
            raise LostError
        faults.append(stray("unexpected", t.span(at, at)))
        return at + 1
    return simple_declaration(t, at, faults)


def _is_of_nothing(t: HeadTokens, at: int, behind: int) -> bool:
    """Whether what follows `template` or `template <>` is of no template, but a declaration."""
    if behind > at + 2:
        return False
    if t(behind) in CLASS_KEYS:
        named = t.behind_key(behind)
        return t.is_name(named) and t(named + 1) in ("{", ":", ";")
    if behind > at and t(behind) == "template":
        return t(behind + 1) == "<" and t(behind + 2) == ">" and _names_a_class(t, behind + 3)
    return behind == at and t(behind) in ("static", "extern", *BEGINNING)


def _names_a_class(t: HeadTokens, at: int) -> bool:
    """Whether a member follows whose template arguments declare a class: `D<F, struct stub>::X = f;`. A
    template could have one of its own, and g++ lets one `template <>` too many pass where none does."""
    while t(at) not in ("=", ";", "(", "{", ""):
        if t(at) in CLASS_KEYS and t(at - 1) in ("<", ","):
            return True
        at += 1
    return False


def _unclosed(t: HeadTokens, at: int) -> int:
    """The last parameter in the list that a `<` begins, if nothing closes that and another declaration
    begins behind; else 0."""
    try:
        t.behind_angles(at)
        return 0
    except LostError:
        pass
    while True:
        at += 1
        if t(at) in ("typename", "class"):
            at += 1 + (t(at + 1) == "...")
        elif t(at) in TYPES:
            while t(at) in TYPES:
                at += 1
        else:
            return 0
        if not t.is_name(at):
            return 0
        if t(at + 1) != ",":
            return at if t(at + 1) in ANOTHER or t.is_name(at + 1) else 0
        at += 1


def _namespace(t: HeadTokens, first: int, faults: list[Fault]) -> int:
    at = first + 1 + (t(first) == "inline")
    if t(at) in ANOTHER:
        faults.append(stray("alone", t.span(first, at - 1)))
        return at
    name = t(at)
    while t(at) not in ("{", ";", "=", ""):
        at = t.behind(at) if t(at) in ("(", "[") else at + 1
    if t(at) == "=":
        return _next_end(t, at)
    is_the_compilers = name == "std" or name.startswith("__")
    return t.behind(at) if is_the_compilers and t(at) == "{" else at + 1


def _linkage(t: HeadTokens, at: int, faults: list[Fault]) -> int:
    if t(at + 2) == "{":
        return at + 3
    if t(at + 2) in _LINKAGES or (t(at + 1) == '"C"' and t(at + 2) == "template"):
        faults.append(stray("conflicts", t.span(at, at + 1)))
    return at + 2


def _using(t: HeadTokens, at: int, faults: list[Fault]) -> int:
    at += 1 + (t(at + 1) == "namespace")
    while t(at) in ("typename", "::") or t.is_name(at):
        at = t.behind_name(at + (t(at) == "typename"))
        if t(at - 1) == "operator":
            raise LostError
        if t(at) != ",":
            break
        at += 1
    return behind_value(t, at + 1, faults) if t(at) == "=" else _ended(t, at, faults)


def _ended(t: HeadTokens, at: int, faults: list[Fault]) -> int:
    """Behind what only a `;` may follow."""
    if t(at) != ";":
        if t(at) not in ANOTHER and not t.is_name(at):
            raise LostError
        faults.append(unended(t, at))
        return at
    return at + 1
