"""Indentation after a move: a method stood deeper than a function does, and names changed length."""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit, render
from visualizer.migration.fluid_text import opaque, walk
from visualizer.migration.rewriting.rewriter import Rewriter


def shift_left(rewriter: Rewriter, node: Node, by: int) -> None:
    """Take `by` blanks off the lines of `node`, but of none that begins inside a literal.
    Called before anything is inserted there, which then has the new indentation."""
    rewriter.shift = by
    text = rewriter.source.text
    held = list(opaque(node))
    at = text.find("\n", node.start_byte, node.end_byte) + 1
    while 0 < at < node.end_byte:
        blanks = len(text[at : at + by]) - len(text[at : at + by].lstrip(" "))
        if blanks and not any(s.start < at <= s.end for s in held):
            rewriter.edits.add(Edit(Span(at, at + blanks), ()))
        at = text.find("\n", at, node.end_byte) + 1


def align(rewriter: Rewriter, node: Node) -> None:
    """Lines that stood below an opening parenthesis do so again. Called when all else is known."""
    text = rewriter.source.text
    held = list(opaque(node))
    done = 0
    for listed in walk(node):
        if listed.type not in ("argument_list", "parameter_list"):
            continue
        if listed.start_byte < done or listed.start_point.row == listed.end_point.row:
            continue
        line = text.rfind("\n", 0, listed.start_byte) + 1
        at = text.find("\n", listed.start_byte) + 1
        column = listed.start_byte + 1 - line
        if _indent(text, at) != column:
            continue
        before = render(text, Span(line, listed.start_byte + 1), rewriter.edits).text
        moved = len(before) - (before.rfind("\n") + 1) - column
        if moved == -rewriter.shift:
            continue  # and those inside of it are looked at
        done = listed.end_byte
        while 0 < at < listed.end_byte:
            indent = _indent(text, at)
            if indent and not any(s.start < at <= s.end for s in held):
                rewriter.put(Span(at, at + indent), " " * max(indent + moved, 0))
            at = text.find("\n", at) + 1


def _indent(text: str, at: int) -> int:
    """How many blanks a line begins with."""
    end = text.find("\n", at)
    line = text[at:end] if end >= 0 else text[at:]
    return len(line) - len(line.lstrip(" "))
