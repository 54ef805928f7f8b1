"""Changes to a text, kept apart from the text until it is written out.

An edit replaces a stretch by parts, and a part may be a stretch of the old text again: then the
edits inside of that one count there. So `TensorCopy(*x, place, out)` can change the order of its
arguments while each argument changes on its own, and whatever no edit names is copied character by
character. A `Rewriter` collects the edits of one function (or one class, or one alias), and notes for
what no row of the table knows: a note is a comment above the statement, with the reason why a person
must see to it. At last the lines get in line again: a method stood deeper than a function does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.fluid_text import FluidText, line_start, opaque, span_of, walk
from visualizer.migration.reading.functions import Local, is_fluid_context, locals_of
from visualizer.migration.reading.names import Aliases, parts_of_call, qualified
from visualizer.migration.table import RULES, Rule


@dataclass(frozen=True, slots=True)
class Edit:
    """`parts` in place of `span`. An empty span inserts, no parts take out.

    rule: the row of the table that it follows, None for mere layout.
    reason: why a person must look at it; empty if it is done.
    anchor: where to find what took its place, if that stands elsewhere: a name of a parameter.
    """

    span: Span
    parts: tuple[str | Span, ...]
    rule: Rule | None = None
    reason: str = ""
    anchor: str = ""
    idiom: Span | None = None  # what a reader is shown of the old text, if not all of `span`


@dataclass(frozen=True, slots=True)
class Rendered:
    """New text, and where in it each edit came to stand."""

    text: str
    placed: tuple[tuple[Edit, Span], ...]


@dataclass(slots=True)
class Edits:
    """The edits of one stretch of a file. The first one that claims a span keeps it."""

    _at: dict[tuple[int, int], Edit] = field(default_factory=dict)
    _insertions: list[Edit] = field(default_factory=list)

    def add(self, edit: Edit) -> None:
        """Take an edit, unless its span has one already; insertions all count."""
        if edit.span.start == edit.span.end:
            self._insertions.append(edit)
        else:
            self._at.setdefault((edit.span.start, edit.span.end), edit)

    def within(self, span: Span) -> list[Edit]:
        """In the order of the text; of two that begin together, the insertion and the longer
        first."""
        both: Iterable[Edit] = (*self._insertions, *self._at.values())
        inside = [e for e in both if span.start <= e.span.start and e.span.end <= span.end]
        return sorted(
            inside,
            key=lambda e: (e.span.start, e.span.end != e.span.start, -e.span.end),
        )

    def taken_out(self) -> list[Span]:
        """The stretches of which nothing is left."""
        return [Span(*at) for at, edit in self._at.items() if not edit.parts]

    def covers(self, span: Span) -> bool:
        """Whether an edit replaces all of `span`."""
        return any(start <= span.start and span.end <= end for start, end in self._at)


def render(text: str, span: Span, edits: Edits) -> Rendered:
    """`span` of `text`, edited."""
    pieces: list[str] = []
    placed: list[tuple[Edit, Span]] = []
    length = 0
    for part, began, ended in _parts(text, span, edits, None):
        if began is not None:
            placed.append((began, Span(length, length)))
        pieces.append(part)
        length += len(part)
        if ended is not None:
            index = next(i for i in range(len(placed) - 1, -1, -1) if placed[i][0] is ended)
            placed[index] = (ended, Span(placed[index][1].start, length))
    return Rendered("".join(pieces), tuple(placed))


def _parts(
    text: str, span: Span, edits: Edits, around: Edit | None
) -> Iterator[tuple[str, Edit | None, Edit | None]]:
    """Text, the edit that begins before it, and the edit that ends behind it."""
    at = span.start
    for edit in edits.within(span):
        if edit is around or edit.span.start < at:
            continue  # inside of one that has been applied, which alone says what is left of it
        if around is not None and edit.span.start == edit.span.end == span.start:
            continue  # stands before the edit around, and has been written
        yield text[at : edit.span.start], None, None
        yield "", edit, None
        for part in edit.parts:
            if isinstance(part, str):
                yield part, None, None
            else:
                yield from _parts(text, part, edits, edit)
        yield "", None, edit
        at = edit.span.end
    yield text[at : span.end], None, None


# --- What a rewrite collects ----------------------------------------------------------------------


COMMENT = "// TODO(migrate): "
Fragment = str | Span


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
        *parts: Fragment,
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
        line = line_start(text, start)
        after = end + len(text[end:]) - len(text[end:].lstrip(" \t\r"))
        if not text[line:start].strip() and text[after : after + 1] == "\n":
            start, end = line, after + 1
        self.put(Span(start, end), rule=rule, anchor=anchor, idiom=statement)

    def note(self, node: Node, rule: str, reason: str) -> None:
        """A comment above the statement that holds `node`: a person must see to it."""
        statement = enclosing_statement(node)
        text = self.source.text
        start = statement.start_byte
        line = line_start(text, start)
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


# --- Indentation after a move ---------------------------------------------------------------------


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
        line = line_start(text, listed.start_byte)
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
