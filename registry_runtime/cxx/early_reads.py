"""Elements that a function reads of what it is only given to fill.

An output comes without memory, or with memory that holds whatever the last owner left there. A body
that looks at such an element before it wrote one computes with leftovers, now and then with the right
ones. Nobody has to run it to see that: the body is gone through from top to bottom, and what is handed
on to another function counts as filled, for that may have filled it.

What an output is, and what gives it memory, each framework calls by its own names; they are handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from registry_runtime.cxx.calls_by_name import called_name
from registry_runtime.cxx.context import argument_nodes
from registry_runtime.cxx.declarators import declared_name
from registry_runtime.cxx.definitions import definition
from registry_runtime.cxx.functions import CxxFunction
from registry_runtime.cxx.literals import LITERALS, literal
from registry_runtime.cxx.parse import Source
from registry_runtime.cxx.span import CxxError, Span


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A framework's names: `given_by` are functions that return an output by its name, `type` is the
    type of a parameter that is one; `allocating` give it memory, and return that; `reading` return the
    memory that it has."""

    given_by: frozenset[str] = frozenset()
    type: str = ""
    allocating: frozenset[str] = frozenset()
    reading: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EarlyRead:
    """`output` is read at `span`; `has_memory` says whether it had been given some."""

    output: str
    has_memory: bool
    span: Span


def early_reads(function: CxxFunction, words: Vocabulary) -> Iterator[EarlyRead]:
    """What the function's body reads of its outputs before anything wrote them, in order."""
    try:
        found = definition(function)
    except CxxError:
        return
    if found.body is None or found.node.has_error:
        return
    listed = found.declarator.child_by_field_name("parameters")
    parameters = listed.named_children if listed else ()
    yield from early_reads_in(found.body, function.program.source, words, parameters)


def early_reads_in(
    body: Node, source: Source, words: Vocabulary, parameters: Iterable[Node] = ()
) -> Iterator[EarlyRead]:
    """The same for a body that was found some other way, with its parameters' declarations."""
    reader = _Reader(source, words)
    for parameter in parameters:
        reader.parameter(parameter)
    yield from reader.read(body)


@dataclass
class _Reader:
    # Variables by name: which output each leads to, itself or its memory.
    source: Source
    words: Vocabulary
    outputs: dict[str, str] = field(default_factory=dict)
    memory: dict[str, str] = field(default_factory=dict)
    allocated: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)

    def parameter(self, node: Node) -> None:
        spelled = "".join(self.source.spell(node).split())
        name = declared_name(node.child_by_field_name("declarator"))
        if name is not None and self.words.type:
            short = spelled.removesuffix(self.source.spell(name)).rpartition("::")[2]
            is_const = any(part.type == "type_qualifier" for part in node.named_children)
            if short == f"{self.words.type}*" and not is_const:
                self.outputs[self.source.spell(name)] = self.source.spell(name)

    def read(self, node: Node) -> Iterator[EarlyRead]:
        match node.type:
            case "init_declarator":
                yield from self._declared(node)
                return
            case "assignment_expression":
                yield from self._assigned(node)
                return
            case "call_expression":
                yield from self._called(node)
                return
            case "pointer_expression" if self._operator(node) == "&":
                target = node.child_by_field_name("argument")
                self._escapes(None if target is None else self._element_of(target))
            case "subscript_expression" | "pointer_expression":
                yield from self._element(node)
            case "identifier":
                self._escapes(self.memory.get(self.source.spell(node)))
        for inner in node.named_children:
            yield from self.read(inner)

    def _declared(self, node: Node) -> Iterator[EarlyRead]:
        value, name = node.child_by_field_name("value"), declared_name(node)
        if value is None or name is None:
            return
        variable = self.source.spell(name)
        if (output := self._given(value)) is not None:
            self.outputs[variable] = output
        elif (output := self._memory_of(value)) is not None:
            yield from self.read(value)
            self.memory[variable] = output
            return
        yield from self.read(value)

    def _assigned(self, node: Node) -> Iterator[EarlyRead]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if right is not None:
            yield from self.read(right)
        if left is None:
            return
        output = self._element_of(left)
        if output is None or self._operator(node) != "=":
            yield from self.read(left)
        if output is not None:
            self.written.add(output)

    def _called(self, node: Node) -> Iterator[EarlyRead]:
        function, arguments = (node.child_by_field_name(f) for f in ("function", "arguments"))
        called, owner = called_name(self.source, function), self._owner(function)
        passed = argument_nodes(arguments) if arguments is not None else []
        if called in self.words.reading and owner is not None:
            if owner not in self.allocated | self.written:
                yield EarlyRead(owner, False, self.source.span(node))
                self.allocated.add(owner)  # told once
            return
        for argument in passed:
            name = self.source.spell(argument)
            handed = self.outputs.get(name.removeprefix("*")) or self.memory.get(name)
            if handed is None:
                yield from self.read(argument)
            elif called in self.words.allocating:
                self.allocated.add(handed)
            else:
                self.written.add(handed)
        if called in self.words.allocating and owner is not None:
            self.allocated.add(owner)

    def _escapes(self, output: str | None) -> None:
        # `data + 3` and `&data[3]`: from here on, another pointer may write there.
        if output is not None:
            self.written.add(output)

    def _operator(self, node: Node) -> str:
        operator = node.child_by_field_name("operator")
        return "" if operator is None else self.source.spell(operator)

    def _element(self, node: Node) -> Iterator[EarlyRead]:
        output = self._element_of(node)
        if output is not None and output not in self.written:
            yield EarlyRead(output, True, self.source.span(node))
            self.written.add(output)  # told once

    # --- Which output an expression leads to ---

    def _given(self, value: Node) -> str | None:
        """Of `context.Output<Tensor>("Out")`: its name."""
        if value.type != "call_expression":
            return None
        if (
            called_name(self.source, value.child_by_field_name("function"))
            not in self.words.given_by
        ):
            return None
        arguments = value.child_by_field_name("arguments")
        texts = argument_nodes(arguments) if arguments is not None else []
        if len(texts) != 1:
            return None
        if texts[0].type in LITERALS:
            return str(literal(self.source, texts[0]))
        return self.source.spell(texts[0])

    def _memory_of(self, value: Node) -> str | None:
        """Of `out->mutable_data<T>(place)`, `dev_ctx.Alloc<T>(out)` and `out->data<T>()`."""
        if value.type != "call_expression":
            return None
        function = value.child_by_field_name("function")
        called = called_name(self.source, function)
        if called not in self.words.allocating | self.words.reading:
            return None
        arguments = value.child_by_field_name("arguments")
        passed = argument_nodes(arguments) if arguments is not None else []
        named = [self.outputs.get(self.source.spell(argument)) for argument in passed]
        return self._owner(function) or next((output for output in named if output), None)

    def _element_of(self, node: Node) -> str | None:
        """Of `data[i]` and `*data`: the output."""
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            return self._element_of(node.named_children[0])
        if node.type == "pointer_expression":
            if self._operator(node) != "*":
                return None
        elif node.type != "subscript_expression":
            return None
        target = node.child_by_field_name("argument")
        if target is None:
            return None
        return self.memory.get(self.source.spell(target)) or self._memory_of(target)

    def _owner(self, function: Node | None) -> str | None:
        """Of `out->data<T>`: the output that `out` is."""
        if function is None or function.type != "field_expression":
            return None
        owner = function.child_by_field_name("argument")
        return self.outputs.get(self.source.spell(owner)) if owner is not None else None
