"""From text to a syntax tree, with tree-sitter-cpp, and the places where the text is not C++.

tree-sitter counts bytes, we count characters. Rather than convert each offset, we parse a stand-in
for the text that has exactly one byte where the text has a character: a letter for every letter
beyond ASCII, a control character for everything else beyond ASCII. What a node spells is then cut
from the real text, at the same offsets. The stand-in also lets us blank out some spellings that
tree-sitter's grammar stumbles over and that mean nothing here: GNU attributes, `_Complex`, and the
`extern` before an explicit instantiation.

tree-sitter recovers from errors: it marks what it had to skip (ERROR) or to invent (MISSING) and
goes on. So one broken declaration costs a diagnostic and not the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from tree_sitter import Node, Parser, Tree

from registry_runtime.cxx.alike import Shapes
from registry_runtime.cxx.braces import UnpairedBraces, mend, unpaired_braces
from registry_runtime.cxx.grammar import language
from registry_runtime.cxx.head_faults import Fault, mend_heads
from registry_runtime.cxx.head_suspects import may_be_broken
from registry_runtime.cxx.heads import broken_heads
from registry_runtime.cxx.lenient import taken_too_kindly
from registry_runtime.cxx.span import Code, CxxError, Incomplete, NotUnderstood, Span, UnparsedText

_LONG, _SHORT = 1 << 15, 64  # bytes that take some milliseconds, and that nearly each name has
_SMALL = 1 << 11  # bytes that are read in no time, whatever they are
_LOOK = 100  # times that tree-sitter tells how far it is, between two looks whether it may go on
_STRETCH = 1 << 12  # bytes, and for so many
_MOST = 1 << 12  # times that tree-sitter tells how far it is; of what is written, ten times less


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed text. `root` is its translation unit, `braces` those that didn't pair up, `too_kind`
    what the grammar takes and a compiler doesn't (`lenient`), `faults` what was mended (`heads`);
    `shapes` are those of its nodes (`alike`). From `unread` on, nothing was read."""

    text: str
    root: Node
    braces: UnpairedBraces
    shapes: Shapes
    too_kind: tuple[tuple[Node, str], ...] = ()
    faults: tuple[Fault, ...] = ()
    unread: int | None = None

    def spell(self, node: Node) -> str:
        """The characters of `node`."""
        return self.text[node.start_byte : node.end_byte]

    def span(self, node: Node) -> Span:
        """Where `node` stands."""
        start, end = node.start_byte, node.end_byte
        return Span(start, end) if end <= len(self.text) else self.within(Span(start, end))

    def within(self, span: Span) -> Span:
        """`span` cut off at the end of the text, beyond which stand braces that we added."""
        end = len(self.text)
        return span if span.end <= end else Span(min(span.start, end), end)


def parse(text: str) -> Source:
    """Parse C++ as it is written. Never fails: what is not C++ is found by `syntax_errors`."""
    braces = unpaired_braces(text)
    return _parsed(text, mend(_stand_in(text), braces), braces)


def parse_expanded(text: str, look: Callable[[], object] = lambda: None) -> Source:
    """The same for C++ without macros: there the stray words between declarations are known for what
    they are, and mended. What `look` raises, now and then, ends it."""
    braces = unpaired_braces(text)
    stand_in = mend(_stand_in(text), braces)
    source = _parsed(text, stand_in, braces, look=look)
    stumbles = source.root.has_error or source.too_kind or may_be_broken(stand_in)
    faults = broken_heads(stand_in) if stumbles else ()
    return _parsed(text, mend_heads(stand_in, faults), braces, faults, look) if faults else source


def _parsed(
    text: str,
    stand_in: str,
    braces: UnpairedBraces,
    faults: tuple[Fault, ...] = (),
    look: Callable[[], object] = lambda: None,
) -> Source:
    unread = None
    try:
        root = _tree(stand_in.encode("ascii"), look).root_node
    except _NoEnd as error:
        unread = max(stand_in.rfind(end, 0, error.at) for end in ";{}") + 1
        unread += len(stand_in[unread:]) - len(stand_in[unread:].lstrip())
        stand_in = stand_in[:unread] + _blank(stand_in[unread:])
        stand_in = mend(stand_in, unpaired_braces(stand_in))
        root = _tree(stand_in.encode("ascii"), look).root_node
    look()
    shapes = Shapes(text)
    too_kind = taken_too_kindly(root, stand_in, shapes)
    return Source(text, root, braces, shapes, too_kind, faults, unread)


class _NoEnd(Exception):
    """tree-sitter goes through what stands there again and again."""

    def __init__(self, at: int) -> None:
        self.at = at


class _Progress:
    """What tree-sitter tells how far it is. Of `a<1>::a<1>::a<1>::` each `<` may be an operator, and it
    follows all ways: the next one takes as long as all before it."""

    def __init__(self, end: int, look: Callable[[], object]) -> None:
        self.look = look
        self.calls = 0
        self.next = _STRETCH  # where another stretch begins
        self.times = 0  # in this one
        self.end = end  # where it works on the tree, and not on the text

    def __call__(self, at: int, _: object) -> bool:
        self.calls += 1
        if self.calls % _LOOK == 0:
            self.look()
        if at >= self.next:
            self.next, self.times = at + _STRETCH, 0
        self.times += at < self.end
        if self.times > _MOST:
            raise _NoEnd(at)
        return False


def _tree(text: bytes, look: Callable[[], object]) -> Tree:
    """A long text is handed over piece by piece, and tree-sitter tells how far it is: Python has no
    other chance to let another thread go on, such as one that waits for keys. That one may come here
    too, so each such text has a parser of its own. Raises _NoEnd."""
    if len(text) < _SMALL:
        return _parser().parse(text)
    pieces = _Pieces(text)
    progress = _Progress(len(text.rstrip()) - 1, look)
    tree = Parser(language()).parse(pieces, progress_callback=progress)
    pieces.size = _SHORT
    return tree


class _Pieces:
    """A tree that was made from them asks for one again when a node is asked for its `text`."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.size = _LONG

    def __call__(self, start: int, _: object) -> bytes:
        return self.text[start : start + self.size]


@cache
def _parser() -> Parser:
    return Parser(language())


# --- The stand-in ---------------------------------------------------------------------------------

_FOREIGN = re.compile(r"[^\x01-\x7f]")
# Each way begins with a letter of its own, and none with `\b`: so they are found eight times as fast.
_STUMBLING = re.compile(
    r"""
      "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | //[^\n]* | /\*.*?\*/
    | __attribute(?:__)?\b\s*(?=\(\() | extern(?=\s+template\b(?!\s*<)) | _Complex\b
    """,
    re.VERBOSE | re.DOTALL,
)


def _stand_in(text: str) -> str:
    if not text.isascii() or "\0" in text:
        text = _FOREIGN.sub(lambda m: "_" if f"_{m[0]}".isidentifier() else "\x7f", text)
    if not any(word in text for word in ("__attribute", "extern", "_Complex")):
        return text
    pieces: list[str] = []
    kept = 0
    for match in _STUMBLING.finditer(text):
        at, end = match.span()
        if at < kept or text[at] in "\"'/" or goes_on(text, at):
            continue
        if text.startswith("__", at):
            end = _after_parentheses(text, end)
        pieces += text[kept:at], _blank(text[at:end])
        kept = end
    return "".join([*pieces, text[kept:]])


def goes_on(text: str, at: int) -> bool:
    """Whether what stands there is the end of a longer word."""
    return at > 0 and (text[at - 1] == "_" or text[at - 1].isalnum())


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _after_parentheses(text: str, start: int) -> int:
    depth = 0
    for parenthesis in re.compile(r"[()]").finditer(text, start):
        depth += 1 if parenthesis[0] == "(" else -1
        if depth == 0:
            return parenthesis.end()
    return start


# --- What is not C++ ------------------------------------------------------------------------------


_UNREAD = "names and `<` are nested here so deeply that nothing from here on is read"


def syntax_errors(source: Source, within: Node | None = None) -> Iterator[UnparsedText]:
    """What of the text (or of one node) is not C++, in order.

    The grammar is not quite C++'s. The compiler's own headers give it a few hundred stumbles; what
    stands in namespace std or `__…` is C++ beyond doubt, and passed over. Elsewhere most stumbles
    are inside bodies and templates, and `UnparsedText.within` says so.

    A macro that was never expanded usually still looks like a declaration to the parser; those are
    found where declarations are collected.
    """
    if within is None:
        yield from _unpaired(source.braces)
        if source.unread is not None:
            yield UnparsedText(CxxError(_UNREAD, Span(source.unread, source.unread + 1)), None)
    pending: list[tuple[Node, Node | None]] = [(within or source.root, None)]
    while pending:
        node, inside = pending.pop()
        if node.is_missing:
            if not _only_seems_missing(node):
                yield UnparsedText(_missing(source, node), _span_or_none(source, inside))
        elif _is_guide(node):
            continue
        elif node.is_error:
            yield UnparsedText(_unexpected(source, node), _span_or_none(source, inside))
        elif node.has_error and not _is_the_compilers(source, node):
            inside = inside or (node if node.type in _INSIDES else None)
            pending += ((child, inside) for child in reversed(node.children))


def refused_by_compilers(source: Source, within: Node | None = None) -> Iterator[CxxError]:
    """What the grammar takes and a compiler doesn't, of the text or of one node, in order."""
    start, end = (within.start_byte, within.end_byte) if within else (0, len(source.text))
    for node, against in source.too_kind:
        if start <= node.start_byte < end and not is_among_the_compilers(source, node):
            yield CxxError(f"`{source.spell(node)}` {against}", source.span(node))


def no_syntax_errors(source: Source, node: Node) -> None:
    """Raise the first syntax error inside `node`: what holds one can't be given a meaning."""
    if node.has_error:
        for error in syntax_errors(source, node):
            raise error
    for refused in refused_by_compilers(source, node):
        raise refused


_INSIDES = (
    "compound_statement",
    "field_declaration_list",
    "enumerator_list",
    "template_declaration",
    "type_definition",
    "alias_declaration",
)


def _is_the_compilers(source: Source, node: Node) -> bool:
    name = node.child_by_field_name("name") if node.type == "namespace_definition" else None
    return name is not None and is_the_compilers(source.spell(name))


def is_among_the_compilers(source: Source, node: Node) -> bool:
    """Whether `node` stands in one of the compiler's own namespaces."""
    return any(_is_the_compilers(source, around) for around in surrounding(source, node))


def certain(source: Source, nodes: Iterable[Node]) -> list[Node]:
    """Those that are not damaged, and stand in none of the compiler's own namespaces; in the order of
    the text, where each stands in much of what the one before it does."""
    found: list[Node] = []
    around: list[tuple[Node, bool]] = [(source.root, source.root.is_error)]
    for node in sorted(nodes, key=lambda node: node.start_byte):
        while len(around) > 1 and around[-1][0].end_byte < node.end_byte:
            around.pop()
        at, apart = around[-1]
        while (at_next := at.child_with_descendant(node)) is not None and at_next != node:
            at = at_next
            apart |= at.is_error or _is_the_compilers(source, at)
            around.append((at, apart))
        if not (apart or node.has_error):
            found.append(node)
    return found


def outside_of_the_compilers(source: Source) -> Iterator[Node]:
    """What stands in the text and in none of the compiler's own namespaces, each as a whole."""
    return (node for node in source.root.children if not _is_the_compilers(source, node))


def is_damaged(source: Source, node: Node) -> bool:
    """Whether it can't be told what stands here, as behind a brace that is missing."""
    if not source.root.has_error:
        return False
    return node.has_error or any(around.is_error for around in surrounding(source, node))


def surrounding(source: Source, node: Node) -> Sequence[Node]:
    """What `node` stands in, from the inside to the whole text. That is one way down from there, where
    to ask each for its parent is one for each: tree-sitter keeps none."""
    found: list[Node] = []
    around: Node | None = source.root
    while around is not None and around != node:
        found.append(around)
        around = around.child_with_descendant(node)
    return found[::-1]


def namespaces_around(source: Source, node: Node) -> tuple[str, ...]:
    """The namespaces that it stands in, with those that a full name leaves out: unnamed and inline
    ones."""
    spaces = (
        around for around in surrounding(source, node) if around.type == "namespace_definition"
    )
    names = (space.child_by_field_name("name") for space in spaces)
    return tuple(source.spell(name) if name is not None else "" for name in names)


def is_the_compilers(namespace: str) -> bool:
    """Whether only the compiler's own headers may declare something in this namespace."""
    return namespace.startswith("__") or namespace.partition("::")[0] == "std"


def _unpaired(braces: UnpairedBraces) -> Iterator[UnparsedText]:
    for position in braces.unclosed:
        said = "this `{` is never closed, so everything below is inside it", "add the missing `}`"
        yield _unpaired_brace(position, *said)
    for position in braces.surplus:
        yield _unpaired_brace(position, "this `}` closes nothing")


def _unpaired_brace(position: int, message: str, hint: str = "") -> UnparsedText:
    error = CxxError(message, Span(position, position + 1), hint, Code.INCOMPLETE)
    return UnparsedText(error, None)


def _span_or_none(source: Source, node: Node | None) -> Span | None:
    return source.span(node) if node else None


def _only_seems_missing(node: Node) -> bool:
    # The grammar wants a declarator even in `template class X<int>;`, which has none. And that a
    # statement lacks its semicolon is no matter where no statement may stand at all.
    parent = node.parent
    if parent is None or parent.type == "template_instantiation":
        return True
    before = node.prev_sibling
    if before is not None and before.type == "init_declarator":
        # `void f() {{}}` is read as a function initialised with a list of lists.
        declarator = before.child_by_field_name("declarator")
        value = before.child_by_field_name("value")
        only_braces = value is not None and not (value.text or b"").strip(b"{} \t\n")
        if only_braces and declarator is not None and declarator.type == "function_declarator":
            return True
    around = parent.parent
    if around is not None and around.type == "optional_parameter_declaration":
        return parent.type == "compound_literal_expression"  # `f(X x = {})`
    blocks = ("translation_unit", "declaration_list")
    return parent.type == "expression_statement" and around is not None and around.type in blocks


_LAST_TOKEN = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\w+|::|->|[^\w\s])\s*$""")


def _is_guide(node: Node) -> bool:
    # `B(int) -> B<int>;`, which the grammar only takes behind `template <…>`
    declarator = node.children[0] if node.is_error and len(node.children) == 1 else None
    if declarator is None or declarator.type != "function_declarator":
        return False
    return any(part.type == "trailing_return_type" for part in declarator.named_children)


def _missing(source: Source, node: Node) -> CxxError:
    body = unfinished_body(node.parent) if node.parent is not None else None
    if body is not None:
        return _missing_before(source, ";", body.end_byte - 1)
    return _missing_before(source, "" if node.is_named else node.type, node.start_byte)


def _missing_before(source: Source, token: str, position: int) -> CxxError:
    # What is missing has no characters to point at, so we point at what it should follow.
    before = _LAST_TOKEN.search(source.text, max(0, position - 400), position)
    wanted = f"`{token}`" if token else "a name"
    if before is None:
        return Incomplete(f"{wanted} is missing", Span(position, position))
    return Incomplete(f"{wanted} is missing after `{before[1]}`", Span(*before.span(1)))


def unfinished_body(declaration: Node) -> Node | None:
    """The braces in `void f() { g() }`, which lacks a semicolon.

    Without it the grammar takes them for the initial value of a variable.
    """
    declarator = declaration.child_by_field_name("declarator")
    if declarator is None or declarator.type != "init_declarator":
        return None
    declared = declarator.child_by_field_name("declarator")
    value = declarator.child_by_field_name("value")
    if declared is None or declared.type != "function_declarator" or value is None:
        return None
    return value if value.type == "initializer_list" else None


def missing_semicolon(source: Source, body: Node) -> CxxError:
    """The error for an `unfinished_body`."""
    return _missing_before(source, ";", body.end_byte - 1)


_FIRST_TOKEN = re.compile(r'"[^"\n]*"?|[A-Za-z_]\w*|\d[\w.]*|::|->|\.\.\.|[^\w\s]')


def _unexpected(source: Source, node: Node) -> CxxError:
    for first in node.children[:1]:
        name = first.children[0] if first.children else first
        called = first.type in ("function_declarator", "call_expression")
        if called and name.type == "identifier":
            return not_a_declaration(source, name)
    token = _FIRST_TOKEN.search(source.text, node.start_byte, node.end_byte)
    if token is None:
        return Incomplete("something is missing here", source.span(node))
    if taking := _MACRO_OF_A_TYPE.search(source.text, max(0, token.start() - 80), token.start()):
        said = f"`{taking[1]}` takes a type, and is not a macro here"
        hint = "is it misspelled, or the header that defines it missing?"
        return CxxError(said, Span(*taking.span(1)), hint, Code.NOT_A_MACRO)
    if missing := _missing_comma(source, node) or _left_open(source, node):
        return missing
    return NotUnderstood(f"`{token[0]}` is not expected here", Span(*token.span()))


def _left_open(source: Source, node: Node) -> CxxError | None:
    """The first `(` in what the grammar skips that has no partner there: `f(x` before a `}`."""
    opened: list[re.Match[str]] = []
    for token in _FIRST_TOKEN.finditer(source.text, node.start_byte, node.end_byte):
        if token[0] == "(":
            opened.append(token)
        elif token[0] == ")" and opened:
            opened.pop()
    if not opened:
        return None
    return CxxError(
        "this `(` is never closed", Span(*opened[0].span()), "close it", Code.INCOMPLETE
    )


def _missing_comma(source: Source, node: Node) -> CxxError | None:
    """In a list, the word that the grammar skips stands right behind another element, or before one.
    A name in capitals may be a macro that marks the element."""
    if (begun := _run_together(source, node)) is not None:
        return Incomplete(f"a comma is missing before `{source.spell(begun)}`", source.span(begun))
    listed = node.parent is not None and node.parent.type in _LISTS
    if not listed or not _ELEMENT.fullmatch(source.spell(node)):
        return None
    before, behind = node.prev_sibling, node.next_sibling
    first, second = (before, node) if before is not None and before.is_named else (node, behind)
    if second is None or not (second is node or second.is_named):
        return None
    if _IN_CAPITALS.fullmatch(source.spell(first)):
        return None
    token = _FIRST_TOKEN.search(source.text, second.start_byte, second.end_byte)
    return token and Incomplete(f"a comma is missing before `{token[0]}`", Span(*token.span()))


def _run_together(source: Source, node: Node) -> Node | None:
    """Where the next parameter begins that no comma stands before. The grammar skips that word, or the
    name of the first and that word. A name in capitals may be a macro that marks the parameter."""
    around = node.parent
    while around is not None and around.type in _DECLARATORS:
        around = around.parent
    if around is None or around.type not in _RUN_TOGETHER:
        return None
    is_name = around.type == "parameter_declaration"
    beside = node.children if is_name else [node.prev_sibling, *node.children]
    for first, word in pairwise(beside):
        if first is None or first.type != _RUN_TOGETHER[around.type] or word is None:
            continue
        marks = any(_IN_CAPITALS.fullmatch(source.spell(n)) for n in (first, word))
        return word if word.type == "identifier" and not marks else None
    return None


# Within which node, behind which one.
_RUN_TOGETHER = {
    "parameter_declaration": "identifier",
    "parameter_list": "parameter_declaration",
}
_DECLARATORS = ("reference_declarator", "pointer_declarator")
_LISTS = ("argument_list", "template_argument_list", "initializer_list")
_ELEMENT = re.compile(r"\w+|'[^']*'|\"[^\"]*\"")
_IN_CAPITALS = re.compile(r"[A-Z_][A-Z_0-9]+")

_MACRO_OF_A_TYPE = re.compile(r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\s*\(\s*$")  # BOOST_GET_CONST(int, …)


def not_a_declaration(source: Source, name: Node) -> CxxError:
    """For `NAME(…)` where a declaration should be: the macro that nobody expanded."""
    return CxxError(
        f"`{source.spell(name)}` is not a macro and not a declaration:"
        " is it misspelled, or its header not included?",
        source.span(name),
        "check the name against its #define, and the #include lines above it",
        Code.NOT_A_MACRO,
    )
