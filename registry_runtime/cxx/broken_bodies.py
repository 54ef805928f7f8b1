"""Where the statements of a body break off: a `;` or a `)` that is missing, a word too many.

tree-sitter's grammar goes on behind what it can't take, in bodies too, and it can't take all that is
C++. So where it stumbles, the statements are read once more, token by token, as [stmt.stmt] has them;
and only where no C++ goes on as the text does, something is said. A body is one by what stands before
its `{`: the parameters of a function, a condition, `else`.

Where a header is missing, a name may be a macro, and stand for what seems to be missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from registry_runtime.cxx.head_tokens import TYPES, HeadTokens, LostError, head_tokens
from registry_runtime.cxx.parse import Source, is_among_the_compilers
from registry_runtime.cxx.span import Code, CxxError


def errors_of_bodies(source: Source, *, macros_may_be_missing: bool) -> Iterator[CxxError]:
    """The first error in each body that the grammar stumbles over, in order."""
    braces = source.braces
    if not (source.root.has_error or source.too_kind) or braces.unclosed or braces.surplus:
        return
    t = head_tokens(source.text)
    if "@" in t.texts:  # Objective-C
        return
    reader = _Reader(t, macros_may_be_missing)
    told_until = -1
    for at in range(len(t.texts)):
        if t(at) in _BRACKETS and at not in t.partners and at >= told_until:
            node = source.root.descendant_for_byte_range(t.starts[at], t.starts[at])
            if node is not None and not is_among_the_compilers(source, node):
                yield reader.unpaired(at).error
            continue
        if at < told_until or t(at) != "{" or at not in t.partners or not _begins_body(t, at):
            continue
        if not _is_stumbled_over(source, t, at):
            continue
        try:
            _block(reader, at)
        except _Broken as broken:
            told_until = t.partners[at]
            yield broken.error
        except LostError:
            continue


def _is_stumbled_over(source: Source, t: HeadTokens, at: int) -> bool:
    span = t.span(at, t.partners[at])
    node = source.root.descendant_for_byte_range(span.start, span.end - 1)
    if node is None or is_among_the_compilers(source, node):
        return False
    around = node.parent
    if node.type == "initializer_list" and around is not None and around.type == "init_declarator":
        return True  # a body of one statement without its `;`
    return node.has_error or any(
        span.start < kind.start_byte < span.end for kind, _ in source.too_kind
    )


_BRACKETS = frozenset("()[]")


class _Broken(Exception):
    def __init__(self, error: CxxError) -> None:
        super().__init__(error.message)
        self.error = error


class _Reader(NamedTuple):
    t: HeadTokens
    macros_may_be_missing: bool

    def missing(self, token: str, behind: int) -> _Broken:
        """For what should stand behind a token."""
        said = f"`{token}` is missing after `{self.t(behind)}`"
        return _Broken(CxxError(said, self.t.span(behind, behind), "", Code.INCOMPLETE))

    def unexpected(self, at: int) -> _Broken:
        """For a token that can't follow the one before."""
        said, hint = f"`{self.t(at)}` is not expected here", "remove it, or write what is missing"
        return _Broken(CxxError(said, self.t.span(at, at), hint, Code.INCOMPLETE))

    def unpaired(self, at: int) -> _Broken:
        """For a bracket that has no partner."""
        if self.t(at) in (")", "]"):
            return self.unexpected(at)
        said, hint = f"this `{self.t(at)}` is never closed", "close it"
        return _Broken(CxxError(said, self.t.span(at, at), hint, Code.INCOMPLETE))

    def is_plain(self, at: int) -> bool:
        """Whether it is a name that is no macro's, nor an operator's or the implementation's."""
        word = self.t(at)
        is_name = self.t.is_name(at) and word not in _NO_NAMES
        may_be_macro = self.macros_may_be_missing and word.isupper()
        return is_name and not (may_be_macro or self.t.is_the_compilers(at))


_NO_NAMES = frozenset(
    (
        *("and", "or", "xor", "not", "bitand", "bitor", "compl", "and_eq", "or_eq", "xor_eq"),
        *("not_eq", "co_await", "co_yield", "co_return", "typeof", "final", "override", "requires"),
    )
)
_CONDITIONS = ("if", "for", "while", "switch", "catch", "constexpr")
_BEHIND_PARAMETERS = ("const", "noexcept", "override", "mutable")


# --- What is a body -------------------------------------------------------------------------------


def _begins_body(t: HeadTokens, brace: int) -> bool:
    before = t(brace - 1) if brace else ""
    if before in ("else", "do", "try"):
        return True
    behind = brace - 1 if before not in _BEHIND_PARAMETERS else brace - 2
    if behind < 1 or t(behind) != ")" or behind not in t.partners:
        return False
    head = t.partners[behind] - 1
    named, word = t.is_name(head), t(head)
    if head > 1 and "operator" in (t(head - 1), t(head - 2)):
        return True
    is_function = named and word not in _NO_NAMES and not t.is_the_compilers(head)
    return (is_function and not word.isupper()) or word in _CONDITIONS or word == "]"


# --- Statements -----------------------------------------------------------------------------------

# Where these stand, a statement begins.
_STATEMENTS = frozenset(
    (
        *("if", "else", "for", "while", "do", "switch", "return", "break", "continue", "goto"),
        *("case", "try", "catch"),
    )
)
_DECLARING = frozenset(
    (
        *("template", "using", "typedef", "namespace", "static_assert", "asm", "extern", "friend"),
        *("struct", "class", "union", "enum", "operator", "requires", "concept", "export"),
    )
)


def _block(reader: _Reader, brace: int) -> int:
    t = reader.t
    end, at = t.behind(brace) - 1, brace + 1
    while at < end:
        at = _statement(reader, at, end)
    return end + 1


def _statement(reader: _Reader, at: int, end: int) -> int:
    t, word = reader.t, reader.t(at)
    if at >= end:
        raise reader.missing("a statement", at - 1)
    if word == ";":
        return at + 1
    if word == "{":
        return _block(reader, at)
    if t.is_attribute(at):
        return _statement(reader, t.behind(at), end)
    if word in ("if", "while", "switch", "for"):
        return _controlled(reader, at, end)
    if word == "do":
        at = _statement(reader, at + 1, end)
        if t(at) != "while":
            raise reader.missing("while", at - 1)
        return _ended(reader, _behind_head(reader, at + 1, is_for=False))
    if word == "try":
        at = _block(reader, at + 1) if t(at + 1) == "{" else _lost()
        while t(at) == "catch":
            at = _behind_head(reader, at + 1, is_for=False)
            at = _block(reader, at) if t(at) == "{" else _lost()
        return at
    if word in ("else", "catch", ")", "]"):
        raise reader.unexpected(at)
    if word in ("break", "continue"):
        return _ended(reader, at + 1)
    if word in ("case", "default"):
        return _behind_label(reader, at, end)
    if t.is_name(at) and t(at + 1) == ":":
        return at + 2
    return _behind_semicolon(reader, at, end)


def _lost() -> int:
    raise LostError


def _controlled(reader: _Reader, first: int, end: int) -> int:
    t, at = reader.t, first + 1
    is_if = t(first) == "if"
    if is_if and t(at) == "!":
        at += 1
    if t(at) in ("constexpr", "co_await"):
        at += 1
    if t(at) == "consteval":
        at += 1
    elif t(at) != "(" and t.is_name(at) and not reader.is_plain(at):
        raise LostError  # `if LIKELY(x)`
    else:
        head, at = at, _behind_head(reader, at, is_for=t(first) != "while")
        if t(first) == "for":
            _for_head(reader, head)
    at = _statement(reader, at, end)
    return _statement(reader, at + 1, end) if is_if and t(at) == "else" else at


def _for_head(reader: _Reader, first: int) -> None:
    """Raises _Broken where there are not two `;`, nor a `:` and what a loop runs over."""
    t, ends = reader.t, []
    last, at, chosen = t.behind(first) - 1, first + 1, 0
    while at < last:
        chosen += t(at) == "?"
        if t(at) == ":" and chosen == 0:
            return
        chosen -= t(at) == ":"
        ends += [at] if t(at) == ";" else []
        at = t.behind(at) if t(at) in ("(", "[", "{") else at + 1
    if len(ends) > 2:
        raise reader.unexpected(ends[2])
    if len(ends) < 2 and not reader.macros_may_be_missing:
        begun = ends[-1] + 2 if ends else first + 3
        names = (n for n in range(begun, last) if reader.is_plain(n) and reader.is_plain(n - 1))
        raise reader.missing(";", next(names, last) - 1)


def _behind_head(reader: _Reader, at: int, *, is_for: bool) -> int:
    if reader.t(at) != "(":
        raise reader.missing("(", at - 1)
    return _behind_group(reader, at, is_head=is_for)


def _ended(reader: _Reader, at: int) -> int:
    if reader.t(at) != ";":
        raise reader.missing(";", at - 1)
    return at + 1


def _behind_label(reader: _Reader, first: int, end: int) -> int:
    t, at, chosen = reader.t, first + 1, 0
    while at < end and t(at) not in (";", "{") and (t(at) != ":" or chosen):
        chosen += (t(at) == "?") - (t(at) == ":")
        at = _behind_group(reader, at) if t(at) in ("(", "[") else at + 1
    if t(at) == "{":
        raise LostError
    if t(at) != ":":
        raise reader.missing(":", first if t(first) == "default" else first + 1)
    return at + 1


def _behind_semicolon(reader: _Reader, first: int, end: int) -> int:
    """Behind an expression, or a declaration, that a `;` ends."""
    t, at = reader.t, first
    declares = t(first) in _DECLARING or t.is_the_compilers(first)
    is_value = t(first) in ("return", "throw")
    while t(at) != ";" or at >= end:
        if at >= end or (at > first and t(at) in _STATEMENTS):
            if declares or _may_be_ended(reader, first, at):
                raise LostError
            ends = t.is_word(at - 1) or t.is_value(at - 1) or t(at - 1) in (")", "]", "}", "+", "-")
            raise reader.missing(";", at - 1) if ends or at >= end else reader.unexpected(at)
        if at > first and not declares:
            _follows(reader, at)
            begins = reader.is_plain(at) or t(at) in TYPES
            if t(at) in (")", "]"):
                raise reader.unexpected(at)
            is_declared = not reader.macros_may_be_missing and (
                t(at - 2) == ">" or (at > first + 1 and reader.is_plain(at - 2))
            )
            if (is_value or is_declared) and reader.is_plain(at - 1) and begins:
                raise reader.missing(";", at - 1)
            if not reader.macros_may_be_missing and (last := _end_before(reader, first, at)):
                raise reader.missing(";", last)
        is_value = is_value or t(at) == "="
        if t(at) in ("(", "["):
            at = _behind_group(reader, at)
        else:
            at = t.behind(at) if t(at) == "{" else at + 1
    if at > first and not declares:
        _follows(reader, at)
    return at + 1


def _may_be_ended(reader: _Reader, first: int, at: int) -> bool:
    """Whether a macro that isn't known may be all of a statement, or end it."""
    if not reader.macros_may_be_missing:
        return False
    t = reader.t
    ends = t.is_name(at - 1) and not reader.is_plain(at - 1)
    return ends or (t.is_name(first) and t(first + 1) in ("(", "{")) or t(first).isupper()


# Behind an expression, these begin a declaration. (`mutable` and `noexcept` belong to a lambda.)
_BEGIN_ANOTHER = frozenset((*TYPES, "const", "static", "constexpr", "typename"))
_NO_EXPRESSION = ("alignas", "decltype", "explicit", "noexcept", "operator")


def _end_before(reader: _Reader, first: int, at: int) -> int:
    """The last token of the expression that surely ends before a word, or 0."""
    t = reader.t
    if reader.is_plain(at):
        name = _name_before(reader, first, at)
        if name > first and t(name - 1) in (")", "]", "}"):
            return name - 1
        is_ended = _is_ended(reader, at - 1)
    else:
        is_ended = t(at) in _BEGIN_ANOTHER and (
            t(at - 1) in ("]", "}") or _is_group(reader, at - 1)
        )
    return at - 1 if is_ended and t(at - 2) + t(at - 1) != "]]" else 0


def _name_before(reader: _Reader, first: int, at: int) -> int:
    """Where the `a::b` begins that ends before a token; 0 if there is none."""
    name = at - 1
    while name > first + 1 and reader.is_plain(name) and reader.t(name - 1) == "::":
        name -= 2
    return name if reader.is_plain(name) else 0


def _is_group(reader: _Reader, at: int) -> bool:
    """Whether a `)` ends here that belongs to an expression."""
    t = reader.t
    head = t.partners.get(at, 0) - 1 if t(at) == ")" else -1
    return head >= 0 and t(head) not in _NO_EXPRESSION and not t.is_the_compilers(head)


def _is_ended(reader: _Reader, at: int) -> bool:
    """Whether a call ends with this token, or an element, or a list: no cast, behind which its operand
    would follow."""
    t = reader.t
    if t(at) == "]":
        return t(t.partners.get(at, at) - 1) != "delete"
    if t(at) != ")" or at not in t.partners:
        return t(at) == "}"
    head = t.partners[at] - 1
    if t(head) == ">":
        return head == at - 2 or _ends_template(reader, head)
    is_function = reader.is_plain(head) and t(head - 1) != "operator"
    return is_function or t(head) in TYPES


def _ends_template(reader: _Reader, at: int) -> bool:
    """Whether a `>` surely closes template arguments: those of a cast, a type, what stands behind
    `template`, or one name: nobody compares what a comparison gave with a cast."""
    t, depth, close = reader.t, 0, at
    has_type = False
    while at > 0 and t(at) not in (";", "{", "}", "(", ")"):
        depth += (t(at) == ">") - (t(at) == "<")
        has_type = has_type or t(at) in TYPES
        if depth == 0:
            between = range(at + 1, close)
            is_one = all(t.is_name(k) or t(k) == "::" for k in between)
            return has_type or is_one or t(at - 1).endswith("_cast") or t(at - 2) == "template"
        at -= 1
    return False


# --- What follows what ----------------------------------------------------------------------------


def _behind_group(reader: _Reader, first: int, *, is_head: bool = False) -> int:
    t = reader.t
    if t.partners.get(first, first) <= first:
        raise reader.unpaired(first)
    if reader.macros_may_be_missing and (t(first) == "[" or t.is_name(first - 1)):
        return t.behind(first)  # to a macro, anything may be an argument
    last, at = t.partners[first], first + 1
    while at < last:
        if t(at) == ";" and not is_head:
            raise reader.unexpected(at)
        if t(at) in _STATEMENTS:
            raise reader.unexpected(at)
        _follows(reader, at, is_head=is_head)
        if t(at) in ("(", "["):
            at = _behind_group(reader, at)
        else:
            at = t.behind(at) if t(at) == "{" else at + 1
    _follows(reader, last, is_head=is_head)
    return last + 1


_OPERATORS = ("+", "-", "/", "%", "^", "|", "!", "~", "=", "?", ".", "->")
_CLOSING = (")", "]", ";")


def _follows(reader: _Reader, at: int, *, is_head: bool = False) -> None:
    """Raises _Broken if a token can't follow the one before it, in whatever expression."""
    t = reader.t
    before, word = t(at - 1), t(at)
    if "operator" in (t(at - 1), t(at - 2), t(at - 3), t(at - 4)):
        return
    if before in _OPERATORS and word in _CLOSING:
        is_capture = before == "=" and word == "]"
        is_twice = before in ("+", "-") and t(at - 2) == before
        if not (is_capture or is_twice):
            raise reader.unexpected(at)
    if not reader.macros_may_be_missing:
        if before == "," and word in (")", "]", ";", ","):
            raise reader.unexpected(at)
        if before in ("(", "[") and word == ",":
            raise reader.unexpected(at)
    is_number = before[:1].isdigit() or before[-1:] == "'"
    if is_number and (word[:1].isdigit() or reader.is_plain(at)):
        raise reader.unexpected(at)
    if word[:1].isdigit() and reader.is_plain(at - 1):
        raise reader.unexpected(at)
