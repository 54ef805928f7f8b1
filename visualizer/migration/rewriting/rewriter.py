"""What a rewrite of a stretch of C++ collects: edits, and notes for what no row of the table knows.

A `Rewriter` is for one function (or one class, or one alias). The modules beside this one find
Fluid's idioms there and put what PHI has for them; a note is a comment above the statement, with
the reason why a person must see to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.edits import Edit, Edits
from visualizer.migration.fluid_text import FluidText, span_of
from visualizer.migration.names import Aliases, qualified
from visualizer.migration.reading.calls import parts_of_call
from visualizer.migration.reading.context_reads import is_fluid_context
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.scopes import Local, locals_of
from visualizer.migration.table import RULES

COMMENT = "// TODO(migrate): "
Part = str | Span


@dataclass(slots=True)
class Rewriter:
    """Collects the edits of one stretch of a file.

    fluid_context: the variable that is an ExecutionContext or an InferShapeContext.
    device_types: what the template calls its DeviceContext. device: the new context's name.
    """

    fluid: Fluid
    source: FluidText
    edits: Edits
    device_types: frozenset[str] = frozenset()
    device: str = ""
    in_namespace_phi: bool = True
    headers: set[str] = field(default_factory=set)
    stays_in_fluid: list[str] = field(default_factory=list)
    locals: list[Local] = field(default_factory=list)
    shift: int = 0
    _noted: set[tuple[int, str]] = field(default_factory=set)

    @property
    def aliases(self) -> Aliases:
        return self.fluid.aliases[self.source.index]

    def put(
        self,
        where: Node | Span,
        *parts: Part,
        rule: str = "",
        anchor: str = "",
        idiom: Node | None = None,
    ) -> None:
        """Replace `where` by `parts`."""
        span = where if isinstance(where, Span) else span_of(where)
        shown = span_of(idiom) if idiom is not None else None
        row = RULES[rule] if rule else None
        self.edits.add(Edit(span, parts, row, "", anchor, shown))

    def take_out(self, statement: Node, rule: str, anchor: str = "") -> None:
        """A whole statement, with its line if it has one of its own."""
        start, end = statement.start_byte, statement.end_byte
        text = self.source.text
        line = text.rfind("\n", 0, start) + 1
        after = end + len(text[end:]) - len(text[end:].lstrip(" \t\r"))
        if not text[line:start].strip() and text[after : after + 1] == "\n":
            start, end = line, after + 1
        self.put(Span(start, end), rule=rule, anchor=anchor, idiom=statement)

    def note(self, node: Node, rule: str, reason: str) -> None:
        """A comment above the statement that holds `node`: a person must see to it."""
        statement = enclosing_statement(node)
        text = self.source.text
        start = statement.start_byte
        line = text.rfind("\n", 0, start) + 1
        indent = text[line:start]
        if (start, reason) in self._noted:
            return
        self._noted.add((start, reason))
        if indent.strip():
            at, parts = start, f"/* {COMMENT[3:]}{reason} */ "
        else:
            at, parts = line, f"{indent[self.shift :]}{COMMENT}{reason}\n"
        row = RULES[rule]
        self.edits.add(Edit(Span(at, at), (parts,), row, reason, "", span_of(node)))

    def full_name(self, node: Node) -> tuple[str, ...]:
        """The parts of a name, its aliases resolved."""
        return self.aliases.in_full(qualified(self.source, node).parts)

    def function(self, node: Node) -> None:
        """Resolve the variables of a function_definition; called before its idioms are looked for."""
        self.locals = locals_of(self.source, node)

    def local_of(self, use: Node) -> Local | None:
        """The variable that an identifier means."""
        return next((v for v in self.locals if any(use.id == u.id for u in v.uses)), None)

    def is_fluid_context(self, node: Node) -> bool:
        """Whether `node` names an ExecutionContext or an InferShapeContext."""
        while node.type in ("pointer_expression", "parenthesized_expression"):
            node = node.named_children[-1]
        local = self.local_of(node) if node.type == "identifier" else None
        return local is not None and is_fluid_context(self.source, local)

    def called(self, call: Node) -> str:
        """The full name of a plain function that is called; "" for a method."""
        function, _ = parts_of_call(call)
        if function is None or function.type not in ("qualified_identifier", "identifier"):
            return ""
        return "::".join(self.full_name(function))


def enclosing_statement(node: Node) -> Node:
    """The statement, member or declaration that holds `node`."""
    while node.parent is not None and node.parent.type not in _BLOCKS:
        node = node.parent
    return node


_BLOCKS = (
    "compound_statement",
    "translation_unit",
    "declaration_list",
    "field_declaration_list",
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
    "case_statement",
)
