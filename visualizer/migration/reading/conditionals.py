"""Conditional groups that no tree can hold: `#if` inside of an argument list, or around half an `if`.

A syntax tree of unpreprocessed text has a node for `#if`, where whole statements stand in it. Fluid's
files have others: types in a registration that only a newer NCCL knows, an `else` that only one build
has, a brace that is opened in one group and closed in another. There the first group is read as if it
were all there is; the directives are blank, and so are the other groups, which nobody reads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tree_sitter import Node

from registry_runtime.cxx import Span, blanked

if TYPE_CHECKING:
    from visualizer.migration.reading.fluid_text import FluidText

# A literal or a comment, in which nothing is what it seems.
OPAQUE = r"""
      (?P<opaque> R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)" | "(?:[^"\\\n]|\\.)*"
                | (?<!\w)'(?:[^'\\\n]|\\.)*' | //[^\n]* | /\*.*?\*/ )
"""
_PARTS = re.compile(
    OPAQUE
    + r"""
    | (?P<directive> ^[ \t]*\#[ \t]*(?P<name>\w+)(?:[^\\\n]|\\.|\\\n)* )
    | (?P<bracket> [(){}] )
    | (?P<other> \w+|\S )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_OPENS, _PARTS_ANEW = ("if", "ifdef", "ifndef"), ("else", "elif")


@dataclass(slots=True)
class _Conditional:
    """An open `#if`: its directives, the brackets that were open before it, and those behind each of
    its groups; whether a group, or what follows, begins with `else`, or a group closes one of them."""

    directives: list[Span]
    before: tuple[str, ...]
    behind: list[tuple[str, ...]] = field(default_factory=list)
    goes_on: bool = False

    def is_odd(self) -> bool:
        """Whether its groups are no statements of their own."""
        inside = self.before[-1:] == ("(",)
        return inside or self.goes_on or any(each != self.before for each in self.behind)


def read_as_one(text: str) -> tuple[str, tuple[Span, ...]]:
    """The text as it is to be parsed, of the same length, and the groups that are blank in it."""
    gone: list[Span] = []
    unread: list[Span] = []
    waiting: list[_Conditional] = []
    closed: _Conditional | None = None  # right before what comes next
    brackets: tuple[str, ...] = ()
    begins = False  # whether a group begins here
    for part in _PARTS.finditer(text):
        if part["opaque"]:
            continue
        if part["directive"] is None:
            if part[0] == "else" and begins:
                waiting[-1].goes_on = True
            if closed is not None:
                closed.goes_on = closed.goes_on or part[0] == "else"
                _close(text, closed, gone, unread)
            closed, begins = None, False
            if part[0] in "({":
                brackets = (*brackets, part[0])
            elif part[0] in ")}":
                brackets = brackets[:-1]
                for around in waiting:
                    around.goes_on = around.goes_on or len(brackets) < len(around.before)
            continue
        if closed is not None:
            _close(text, closed, gone, unread)
            closed = None
        name, span = part["name"], Span(*part.span())
        if name in _OPENS:
            waiting.append(_Conditional([span], brackets))
            begins = True
        elif name in _PARTS_ANEW and waiting:
            waiting[-1].behind.append(brackets)
            waiting[-1].directives.append(span)
            brackets, begins = waiting[-1].before, True
        elif name == "endif" and waiting:
            closed = waiting.pop()
            closed.behind.append(brackets)
            closed.directives.append(span)
            brackets = closed.behind[0]
    if closed is not None:
        _close(text, closed, gone, unread)
    return blanked(text, [*gone, *unread]), tuple(unread)


def _close(text: str, one: _Conditional, gone: list[Span], unread: list[Span]) -> None:
    if not one.is_odd():
        return
    gone += one.directives
    for directive, behind in zip(one.directives[1:], one.directives[2:], strict=False):
        group = Span(directive.end, behind.start)
        if text[group.start : group.end].strip():
            unread.append(group)


# --- What a tree holds ----------------------------------------------------------------------------


def directives_around(source: FluidText, node: Node) -> list[str]:
    """The `#if`s that say when a node of the tree is compiled, from the outermost on, each as a line
    of its own: `#if !(defined(__NVCC__))` for what stands behind `#else`. A header's guard is none."""
    found: list[str] = []
    below, around = node, node.parent
    while around is not None:
        if around.type in ("preproc_if", "preproc_elif"):
            condition = around.child_by_field_name("condition")
            said = source.spell(condition) if condition is not None else "1"
            found.append(f"#if !({said})" if _is_alternative(around, below) else f"#if {said}")
        elif around.type == "preproc_ifdef":
            name = around.child_by_field_name("name")
            is_not = source.spell(around.children[0]).endswith("ndef")
            if not (is_not and name is not None and _is_guard(source, around, name)):
                given = is_not is _is_alternative(around, below)
                found.append(f"#if{'' if given else 'n'}def {source.spell(name) if name else ''}")
        below, around = around, around.parent
    return found[::-1]


def _is_alternative(around: Node, below: Node) -> bool:
    other = around.child_by_field_name("alternative")
    return other is not None and other.id == below.id


def _is_guard(source: FluidText, around: Node, name: Node) -> bool:
    """`#ifndef X` over `#define X`."""
    first = next((child for child in around.named_children if child.id != name.id), None)
    defined = first.child_by_field_name("name") if first is not None else None
    is_defined = first is not None and first.type == "preproc_def" and defined is not None
    return is_defined and defined is not None and source.spell(defined) == source.spell(name)
