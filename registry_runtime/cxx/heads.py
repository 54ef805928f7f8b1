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

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from registry_runtime.cxx.head_tokens import (
    BEGINNING,
    CLASS_KEYS,
    CONFLICTING,
    IN_BODIES,
    RESERVED,
    SPECIFYING,
    TYPES,
    TYPES_IN_PARTS,
    HeadTokens,
    LostError,
    head_tokens,
)
from registry_runtime.cxx.span import Span

_Kind = Literal[
    "alone",
    "unended",
    "unclosed",
    "unexpected",
    "idle",
    "conflicts",
    "of members",
    "of objects",
    "in a class",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at `span`: words that stand `alone` where another declaration begins behind them;
    what is `unended` by a `;`; the last of template parameters whose list is `unclosed`; what is
    `unexpected`; a word that is `idle`, as what follows is neither an object nor a function; one that
    `conflicts` with the next of its kind, or is said `of members` only, or only `of objects`; one
    that no compiler takes `in a class`.

    `type` is the name that stands for the type of the declaration, and is at fault itself if it names
    none. To mend it, `cut` is blanked out, and where something ends before `end`, a `;` put in, or the
    `>` of a list."""

    kind: _Kind
    span: Span
    type: Span | None = None
    cut: Span | None = None
    end: int = 0


def may_be_broken(text: str) -> bool:
    """Whether there are heads that the grammar takes without a stumble, and no compiler does."""
    return any(kind.search(text) for kind in _TAKEN_TOO_KINDLY) or any(
        _follows_a_name(text, found.start())
        for word in ("static_assert", "unsigned", "signed", "short", "long")
        for found in re.finditer(word, text)
    )


# Each begins with a word of its own: what begins with one of several takes ten times as long to search.
_TAKEN_TOO_KINDLY = (
    re.compile(r"static\s+(?:extern|static|typedef)\b"),
    re.compile(r"typedef\s+(?:extern|static|typedef)\b"),
    re.compile(r"static\s+inline\s+static\b"),
    re.compile(r"static\s+(?:thread_local|constinit)\s+(?:static|void)\b"),
    re.compile(r"typename\s+(?:struct|class|union|enum|static)\b"),
    re.compile(r"::\s*(?:struct|class|union|enum|static|namespace|using)\b"),
    re.compile(r"template\s+(?:static|extern|using|namespace)\b"),
    re.compile(r"template\s*<\s*>\s*(?:template\s*<\s*>|(?:struct|class|union)\s+\w+\s*[{:;])"),
    *(
        re.compile(rf"{word}\s+static\b")
        for word in (
            "thread_local",
            "register",
            "mutable",
            "virtual",
            "explicit",
            "friend",
            "constinit",
        )
    ),
    re.compile(r"extern\s+(?:(?:extern|static|typedef)\b|template\s*<)"),
    re.compile(r'extern\s*"C(?:\+\+)?"\s*(?:static|extern|thread_local|template)\b'),
    re.compile(r"template\s*<[^<>;{}()]+>\s*template\s*<\s*>"),
    *(
        re.compile(rf"{key}\s+(?:struct|class|union|enum)\b")
        for key in ("struct", "class", "union")
    ),
)
_LAST_WORD = re.compile(r"([A-Za-z_]\w*)\s+\Z")


def _follows_a_name(text: str, at: int) -> bool:
    before = _LAST_WORD.search(text[max(0, at - 80) : at])
    return before is not None and before[1] not in RESERVED


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


def mend_heads(text: str, faults: Sequence[Fault]) -> str:
    """`text`, as long as it was, without what is stray and with the `;` that are missing."""
    characters = list(text)
    for fault in faults:
        if fault.cut is not None:
            for at in range(fault.cut.start, fault.cut.end):
                characters[at] = "\n" if characters[at] == "\n" else " "
        at = fault.end - 1 if fault.cut is None else fault.cut.start
        if fault.end and characters[at].isspace():
            characters[at] = ">" if fault.kind == "unclosed" else ";"
    return "".join(characters)


def _next_end(t: HeadTokens, at: int) -> int:
    """What follows the next `;`, or the `}` of the namespace around."""
    while t(at) not in ("", ";"):
        if t(at) == "}":
            return at
        at = max(t.partners.get(at, at), at) + 1
    return at + 1


# Behind a declarator, these can only begin the next declaration.
_ANOTHER = (
    *(*CLASS_KEYS, *BEGINNING, *TYPES, "typename", "decltype"),
    *(SPECIFYING - {"const", "volatile", "mutable"}),
)
# And these behind a value, where others may belong to a lambda or to a template's arguments.
_BEHIND_A_VALUE = (*CLASS_KEYS, *BEGINNING, "static", "extern", "inline", "typedef", "void")
_NEVER_FIRST = (
    ")",
    "]",
    ",",
    ":",
    "*",
    "&",
    "&&",
    ".",
    "+",
    "-",
    "/",
    "<",
    ">",
    "?",
    "!",
    "~",
    "=",
    "\\",
)
# And these begin a declaration with what follows them, which is none by itself.
_INCOMPLETE = ("static_assert", "asm", "typename", "operator", "concept", "::")
_ACCESS = ("public", "private", "protected")
# What is said of members, and of objects.
_OF_MEMBERS = frozenset(("virtual", "friend", "mutable"))
_OF_OBJECTS = ("thread_local", "mutable", "constinit")
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
    if word in _INCOMPLETE and t(at + 1) in _ANOTHER:
        faults.append(_stray("alone", t.span(at, at)))
        return at + 1
    if word in _ACCESS and t(at + 1) == ":":
        faults.append(_stray("unexpected", t.span(at, at + 1)))
        return at + 2
    if word == "template" or (word == "extern" and t(at + 1) == "template"):
        first, at = at, at + 1 + (word == "extern")
        if word == "extern" and t(at) == "<":
            faults.append(_stray("alone", t.span(first, first)))
        if t(at) == "<" and (last := _unclosed(t, at)):
            faults.append(Fault("unclosed", t.span(last, last), end=t.starts[last + 1]))
            return last + 1
        behind = t.behind_angles(at) if t(at) == "<" else at
        if _is_of_nothing(t, at, behind):
            faults.append(_stray("alone", t.span(first, behind - 1)))
            return behind
        is_explicit = t(behind) == "template" and t(behind + 1) == "<" and t(behind + 2) == ">"
        if behind > at + 2 and is_explicit:
            faults.append(_stray("alone", t.span(first, behind - 1)))
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
        faults.append(_stray("unexpected", t.span(at, at)))
        return at + 1
    return _simple(t, at, faults)


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
            return at if t(at + 1) in _ANOTHER or t.is_name(at + 1) else 0
        at += 1


def _stray(kind: _Kind, span: Span) -> Fault:
    return Fault(kind, span, cut=span)


def _unended(t: HeadTokens, at: int, type: Span | None = None) -> Fault:
    """For a `;` that is missing before a token."""
    return Fault("unended", t.span(at - 1, at - 1), type, end=t.starts[at])


def _namespace(t: HeadTokens, first: int, faults: list[Fault]) -> int:
    at = first + 1 + (t(first) == "inline")
    if t(at) in _ANOTHER:
        faults.append(_stray("alone", t.span(first, at - 1)))
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
        faults.append(_stray("conflicts", t.span(at, at + 1)))
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
    return _behind_value(t, at + 1, faults) if t(at) == "=" else _ended(t, at, faults)


def _ended(t: HeadTokens, at: int, faults: list[Fault]) -> int:
    """Behind what only a `;` may follow."""
    if t(at) != ";":
        if t(at) not in _ANOTHER and not t.is_name(at):
            raise LostError
        faults.append(_unended(t, at))
        return at
    return at + 1


# --- Objects and functions ------------------------------------------------------------------------


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


def _simple(t: HeadTokens, first: int, faults: list[Fault]) -> int:
    of = _specified(t, first, faults)
    word = t(of.at)
    if of.is_call:
        return _behind_declared(t, of.at, of, faults)
    if of.type is None:
        if of.is_unknown and word in ("*", "&", "(", "operator"):
            return _declarator(t, of.at, of, faults)
        if of.is_unknown or of.at == first or word not in BEGINNING:
            raise LostError
        faults.append(_stray("alone", t.span(first, of.at - 1)))
        return of.at
    if word == ";":
        faults += _idle(t, of) if of.is_class else ()
        return of.at + 1
    if word in _ANOTHER:
        return _before_another_type(t, of, faults)
    if t.texts[of.type : of.end] == ["void"] and t.is_name(of.at) and t(of.at + 1) == "(":
        said = (n for n in range(of.first, of.at) if t(n) in _OF_OBJECTS)
        faults += (_stray("of objects", t.span(n, n)) for n in said)
    return _declarator(t, of.at, of, faults)


def _specified(t: HeadTokens, at: int, faults: list[Fault]) -> _Specified:
    of = _Specified(at, at)
    stored: int | None = None
    while True:
        word = t(at)
        if word in SPECIFYING:
            if word in CONFLICTING and stored is not None:
                faults.append(_stray("conflicts", t.span(stored, stored)))
            elif word == "register" and t(at + 1) in CONFLICTING:
                faults.append(_stray("conflicts", t.span(at, at)))
            stored = at if word in CONFLICTING else stored
            if word in _OF_MEMBERS or (word == "explicit" and t(at + 1) in _ANOTHER):
                faults.append(_stray("of members", t.span(at, at)))
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
        elif word in CLASS_KEYS and t(t.behind_key(at)) in _ANOTHER:
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
            yield _stray("idle", t.span(at, at))
            return


def _before_another_type(t: HeadTokens, of: _Specified, faults: list[Fault]) -> int:
    """Where another type stands behind the first, or another declaration."""
    assert of.type is not None
    if of.is_class:
        faults.append(_unended(t, of.end))
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
    if t(at) in _ANOTHER and at > begun:
        faults.append(_stray("alone", t.span(of.first, at - 1)))
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
            return _behind_value(t, at + 1, faults)
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
        elif of.is_call and (word in _ANOTHER or t.is_name(at)):
            return at  # what is said of NAME(…) says it all
        elif word in _ANOTHER or (word == "}" and at in t.partners):
            faults.append(_unended(t, at, _type(t, of)))
            return at
        elif word == "::" or t.is_name(at):
            return _behind_another_name(t, at, of, faults, name)
        elif word in (")", "]") or t.is_value(at) or word in IN_BODIES - {"try"}:
            faults.append(_stray("unexpected", t.span(at, at)))
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
            faults.append(_unended(t, of.end))
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
        faults.append(_stray("unexpected", span))
        return _behind_declared(t, behind, of, faults)
    if t(behind) in _ANOTHER:
        span = t.span(at, behind - 1)
        faults.append(Fault("unexpected", span, cut=span, end=t.starts[at]))
        return behind
    faults.append(_unended(t, at, type))
    return at


def _behind_value(t: HeadTokens, at: int, faults: list[Fault]) -> int:
    """Behind the `;` that ends what an object is initialised with."""
    first = at
    while t(at) not in ("", ";"):
        before, word = t(at - 1), t(at)
        ends = before in (")", "]", "}") or t.is_name(at - 1) or t.is_value(at - 1)
        of_lambda = before == ")" and t(at + 1) in ("{", "->", "mutable", "noexcept")
        if word in _BEHIND_A_VALUE and at > first and ends and not of_lambda:
            faults.append(_unended(t, at))
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
