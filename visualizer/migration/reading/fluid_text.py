"""A Fluid file as a syntax tree, before any preprocessing: macros are still macros in it.

The grammar knows C++ and no CUDA, and some macros stand where C++ has nothing: HOSTDEVICE before a
function. So what is parsed is a stand-in of the same length, in which such words are blank and the
brackets of a kernel launch, `<<<grid, block>>>`, are parentheses. Likewise for a loop that is a
macro, and for a type where a macro or `typeid` takes one. What a node spells is cut from the real text.
Comments aren't part of what they belong to in such a tree: they are found by where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tree_sitter import Node

from registry_runtime.cxx import Span
from registry_runtime.cxx import parse as cxx
from visualizer.expansion import InputError
from visualizer.expansion.source_files import display_path, not_utf8, read_exactly
from visualizer.expansion.tokens import Source
from visualizer.migration.reading.conditionals import OPAQUE, read_as_one

if TYPE_CHECKING:
    from visualizer.migration.reading.functions import Local


@dataclass(frozen=True, slots=True)
class FluidText:
    """A parsed Fluid file. `index` counts the files of one migration; `unread` are groups of its
    conditionals that are in no tree. `locals` are the variables of its functions, as far as somebody
    asked for them (`locals_of`)."""

    index: int
    path: Path
    parsed: cxx.Source
    unread: tuple[Span, ...] = ()
    locals: dict[int, list[Local]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def text(self) -> str:
        return self.parsed.text

    @property
    def root(self) -> Node:
        return self.parsed.root

    def spell(self, node: Node) -> str:
        """The characters of a node."""
        return self.text[node.start_byte : node.end_byte]

    def cut(self, span: Span) -> str:
        """The characters of a stretch."""
        return self.text[span.start : span.end]


def span_of(node: Node) -> Span:
    """Where a node stands, in characters: the stand-in has one byte for each."""
    return Span(node.start_byte, node.end_byte)


def read(path: Path, index: int = 0) -> FluidText:
    """Raises InputError for a file that can't be read, or isn't UTF-8, so that another text
    would be written out; and at the first thing in it that isn't C++."""
    text = read_exactly(path)
    found = not_utf8(text, display_path(path))
    if found is not None:
        raise InputError(*found, f"convert it: iconv -f ENCODING -t UTF-8 {display_path(path)}")
    return parse(path, text, index)


def parse(path: Path, text: str, index: int = 0) -> FluidText:
    """Raises InputError at the first thing in the text that isn't C++."""
    found, unread = _read(text)
    for error in cxx.syntax_errors(found):
        hint = error.hint or "a Fluid file must parse before it can be migrated: correct it here"
        raise InputError(error.message, source_at(path, text, error.span.start), hint)
    return FluidText(index, path, found, unread)


def syntax_error(text: str) -> tuple[str, Span] | None:
    """The first thing in `text` that isn't C++, and where."""
    errors = cxx.syntax_errors(parse_text(text))
    return next(((e.message, e.span) for e in errors), None)


def parse_text(text: str) -> cxx.Source:
    """The tree of a text, whatever stands in it."""
    return _read(text)[0]


def _read(text: str) -> tuple[cxx.Source, tuple[Span, ...]]:
    stand_in, unread = read_as_one(_stand_in(text))
    parsed = cxx.parse(stand_in)
    return cxx.Source(text, parsed.root, parsed.braces, parsed.shapes), unread


def line_start(text: str, offset: int) -> int:
    """Where the line begins in which a character stands."""
    return text.rfind("\n", 0, offset) + 1


def source_at(path: Path, text: str, offset: int) -> Source:
    """The place of a character as a reader is told it; line and column count from 1."""
    line = text.count("\n", 0, offset) + 1
    return Source(display_path(path), line, offset - line_start(text, offset) + 1)


def walk(node: Node) -> Iterator[Node]:
    """A node and everything below it, in the order of the text."""
    pending = [node]
    while pending:
        here = pending.pop()
        yield here
        pending += reversed(here.children)


def is_inside(node: Node, span: Span) -> bool:
    """Whether all of a node stands in a stretch."""
    return span.start <= node.start_byte and node.end_byte <= span.end


def includes_of(source: FluidText) -> list[tuple[Node, str]]:
    """The #include lines, each with what it names: "x.h" in its quotes, <x> in its brackets."""
    lines = [node for node in walk(source.root) if node.type == "preproc_include"]
    paths = [node.child_by_field_name("path") for node in lines]
    return [
        (n, source.spell(p) if p is not None else "") for n, p in zip(lines, paths, strict=True)
    ]


def opaque(node: Node) -> Iterator[Span]:
    """Comments and literals below `node`: nothing in them is ever changed."""
    for below in walk(node):
        if below.type in _OPAQUE:
            yield span_of(below)


_OPAQUE = ("comment", "string_literal", "raw_string_literal", "char_literal")

# --- The stand-in ---------------------------------------------------------------------------------

_WORDS = r"""(?:\b(?:HOSTDEVICE|DEVICE|HOST|INLINE|__global__|__host__|__device__|__forceinline__
                |__shared__|__restrict__|__inline__|UNUSED|PADDLE_RESTRICT)\b
                | \b__launch_bounds__\s*\([^()]*\) )"""
_SPELLINGS = re.compile(
    OPAQUE
    + r"""
    | (?P<launch> <<< )
    | (?P<loop> \bCUDA_KERNEL_LOOP(?:_TYPE)?(?=\() )
    | (?P<type> \b(?:bool|char|u?int(?:\d+_t)?|float|double)\b(?=\s*,\s*(?:\w+::)*\w+Kernel\b)
              | (?<=\btypeid\()\w+(?=\)) )
    | (?P<typed> \b(?:PADDLE|BOOST)_GET(?:_CONST|_MUTABLE)?\( )
    | (?P<words> """
    + _WORDS
    + r""" )
    """,
    re.VERBOSE | re.DOTALL,
)
_WORDS_BEFORE = re.compile(rf"(?:{_WORDS}\s+)+\Z", re.VERBOSE)


def with_words(source: FluidText, span: Span) -> Span:
    """A declaration with the words before it that its tree hasn't: `__global__ void Fill() {}`."""
    line = source.text.rfind("\n\n", 0, span.start) + 1
    found = _WORDS_BEFORE.search(source.text[line : span.start])
    return span if found is None else Span(line + found.start(), span.end)


def _stand_in(text: str) -> str:
    pieces: list[str] = []
    kept = at = 0
    while (found := _SPELLINGS.search(text, at)) is not None:
        at = found.end()
        if found["opaque"]:
            continue
        if found["typed"]:  # a variant's type, and what has one
            end = _comma(text, at)
            pieces += text[kept:at], _name(text[at:end])
            kept = at = end
            continue
        if found["loop"]:
            at = _closing(text, at)
        put = _blank(text[found.start() : at])
        if found["launch"] or found["type"]:
            put = "(  " if found["launch"] else "_" * len(found[0])
        pieces += text[kept : found.start()], put
        kept = at
        closing = text.find(">>>", at) if found["launch"] else -1
        if closing >= 0:
            pieces += text[kept:closing], ")  "
            kept = at = closing + 3
    return "".join([*pieces, text[kept:]])


def _closing(text: str, opening: int) -> int:
    """Behind the parenthesis that closes the one at `opening`."""
    depth = 0
    for found in re.compile(r"[()]").finditer(text, opening):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return found.end()
    return opening


def _comma(text: str, at: int) -> int:
    """The comma behind a macro's first argument, whatever brackets this has; or the place itself."""
    depth = 0
    for found in re.compile(r"[()<>,]").finditer(text, at):
        if found[0] == "," and depth == 0:
            return found.start()
        depth += {"(": 1, "<": 1, ",": 0}.get(found[0], -1)
        if depth < 0:
            break
    return at


def _name(text: str) -> str:
    """A name as long as a text, on its last line."""
    end = text.rfind("\n") + 1
    return _blank(text[:end]) + "_" * (len(text) - end)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


# --- Comments -------------------------------------------------------------------------------------


def comment_above(source: FluidText, item: Span) -> Span | None:
    """The comments that stand directly above a declaration."""
    node = source.root.named_descendant_for_byte_range(item.start, item.start + 1)
    while node is not None and node.parent is not None and node.parent.start_byte == item.start:
        node = node.parent
    if node is None:
        return None
    first: Node | None = None
    here = node.prev_sibling
    while here is not None and here.type == "comment":
        below = first.start_byte if first is not None else item.start
        if source.text[here.end_byte : below].count("\n") != 1:
            break
        first, here = here, here.prev_sibling
    if first is None:
        return None
    return Span(first.start_byte, len(source.text[: item.start].rstrip()))


def license_of(source: FluidText) -> str:
    """The comment that a file begins with, if it is about whose the file is."""
    first = source.root.children[0] if source.root.children else None
    if first is None or first.type != "comment":
        return ""
    last = first
    while last.next_sibling is not None and last.next_sibling.type == "comment":
        if source.text[last.end_byte : last.next_sibling.start_byte].count("\n") > 1:
            break
        last = last.next_sibling
    text = source.text[first.start_byte : last.end_byte]
    return f"{text}\n\n" if "Copyright" in text else ""
