"""What the body of a C++ kernel visibly does to each element, as a formula.

Two forms are seen: a loop, `for (i = 0; i < n; ++i) out[i] = f(x[i], y[i]);`, and a functor that is
handed to `ElementwiseCompute`. Functors and lambdas are followed to what they return, local variables
to what they are. Whatever else stands in a body, or would mean something else in Python, gives no
formula but the reason: `NotSeen`. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import CxxFunction
from registry_runtime.cxx.context import inside
from registry_runtime.cxx.definitions import body_node
from registry_runtime.cxx.program import Program
from registry_runtime.kernels import dtypes
from registry_runtime.kernels.skeleton.formula import (
    FUNCTIONS,
    Call,
    Cast,
    Formula,
    Name,
    Number,
    Operation,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.parameter_types import SCALAR, Kind, Parameter

_ARITHMETIC, _BITS = frozenset("+-*/"), frozenset("&|^")
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_LOGICAL = frozenset({"&&", "||"})
_READ = re.compile(
    r"(\w+)\s*(?:\.|->)\s*(?:template\s+)?(?:data|mutable_data)\s*<\s*T\s*>\s*\(.*\)", re.S
)
_ALLOCATED = re.compile(r"\w+\s*\.\s*(?:template\s+)?(?:Host)?Alloc\s*<\s*T\s*>\s*\(\s*(\w+)\s*\)")
_RESIZED = re.compile(r"(\w+)\s*->\s*Resize\s*\(\s*(\w+)\s*\.\s*dims\s*\(\s*\)\s*\)")
_COUNT = re.compile(r"(\w+)\s*(?:\.|->)\s*numel\s*\(\s*\)")
_TO_T = re.compile(r"(\w+)\s*\.\s*(?:template\s+)?to\s*<\s*T\s*>\s*\(\s*\)")
_NUMBER = re.compile(r"(\d+)|(\d*\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(f?)")


class NotSeen(Exception):
    """Why the body gives no formula, for a sentence. `missing` is a class that the text only names: an
    included header may define it."""

    def __init__(self, reason: str, missing: str = "") -> None:
        super().__init__(reason)
        self.missing = missing


def is_elementwise(
    function: CxxFunction, parameters: Sequence[Parameter], T: frozenset[DataType]
) -> bool:
    """Whether the body visibly stores into each element of its one output, as many as an input has:
    whatever it stores there."""
    body = body_node(function)
    outputs = [p for p in parameters if p.type.kind is Kind.OUTPUT]
    inputs = [p for p in parameters if p.type.kind is Kind.INPUT]
    if body is None or len(outputs) != 1 or not inputs:
        return False
    reading = _Body(function, parameters, T, ())
    try:
        reading.read(body)
    except NotSeen:
        return reading.stores_each
    return True


def formula_of(
    function: CxxFunction,
    parameters: Sequence[Parameter],
    T: frozenset[DataType],
    headers: Sequence[Program] = (),
) -> Formula:
    """What one element of the output is, for every data type of `T`; `headers` are texts that define
    functors too. Raises NotSeen."""
    body = body_node(function)
    if body is None:
        raise NotSeen("the text has no body of it")
    if not body.named_children:
        raise NotSeen("its body is empty")
    inputs = [p for p in parameters if p.type.kind is Kind.INPUT]
    if sum(p.type.kind is Kind.OUTPUT for p in parameters) != 1:
        raise NotSeen("it has several outputs")
    if any(p.type.is_list or p.type.is_optional for p in inputs) or not inputs:
        raise NotSeen("not each of its inputs is one tensor that is always there")
    return _Body(function, parameters, T, headers).read(body)


@dataclass(frozen=True, slots=True)
class _Functor:
    """What is called: its parameters' names, and what it returns."""

    parameters: tuple[str, ...]
    result: Node


def _spell(node: Node) -> str:
    """As it stands in the text that it is of."""
    return (node.text or b"").decode()


class _Body:
    """`pointers` are local names for the elements of tensors, `known` those of values."""

    def __init__(
        self,
        function: CxxFunction,
        parameters: Sequence[Parameter],
        T: frozenset[DataType],
        headers: Sequence[Program],
    ) -> None:
        self.texts = [program.declarations for program in (function.program, *headers)]
        declared = function.type.parameters if function.type is not None else ()
        # The file's own names for the parameters, which a template's file may have other ones for.
        self.of = {d.name or p.name: p for d, p in zip(declared, parameters, strict=True)}
        self.T, self.only_floats = T, T <= dtypes.FLOATS
        self.pointers: dict[str, str] = {}
        self.functors: dict[str, _Functor] = {}
        self.known: dict[str, Formula] = {
            name: Name(p.name)
            for name, p in self.of.items()
            if p.cpp_type in (NUMERIC if self.only_floats else WHOLE)
        }
        self.index = ""
        self.counts: set[str] = set()  # local names for how many elements there are
        self.stores_each = False

    @property
    def output(self) -> str:
        return next(name for name, p in self.of.items() if p.type.kind is Kind.OUTPUT)

    @property
    def inputs(self) -> list[str]:
        return [name for name, p in self.of.items() if p.type.kind is Kind.INPUT]

    def read(self, body: Node) -> Formula:
        found: Formula | None = None
        for statement in body.named_children:
            if statement.type == "comment":
                continue
            if found is not None:
                raise NotSeen(f"there is more behind: `{self._start(statement)}`")
            if statement.type == "declaration":
                self._declare(statement)
            elif statement.type == "for_statement":
                found = self._loop(statement)
            elif (called := self._elementwise_call(statement)) is not None:
                found = called
            elif not self._allocates(statement):
                raise NotSeen(
                    f"`{self._start(statement)}` is neither a loop nor ElementwiseCompute"
                )
        if found is None:
            raise NotSeen("no loop over the elements stands in it")
        return found

    def _start(self, node: Node) -> str:
        words = " ".join(_spell(node).split())
        return words if len(words) <= 40 else f"{words[:39]}…"

    def _allocates(self, statement: Node) -> bool:
        """Or gives the output the dims that it has anyway, of its only input."""
        said = _spell(statement).strip().removesuffix(";").strip()
        resized = _RESIZED.fullmatch(said)
        if resized is not None and [resized[2]] == self.inputs:
            return resized[1] == self.output
        return _ALLOCATED.fullmatch(said) is not None

    def _counts(self, said: str) -> bool:
        """`x.numel()`, of a tensor that is passed."""
        match = _COUNT.fullmatch(said)
        return match is not None and match[1] in (*self.inputs, self.output)

    # --- Declarations

    def _declare(self, declaration: Node) -> None:
        declarator = declaration.child_by_field_name("declarator")
        kind = declaration.child_by_field_name("type")
        if declarator is None or kind is None:
            raise NotSeen(f"`{self._start(declaration)}` isn't understood")
        if declarator.type != "init_declarator":
            name = _spell(declarator)
            self.functors[name] = self._functor(kind)
            return
        value = declarator.child_by_field_name("value")
        named = declarator.child_by_field_name("declarator")
        assert value is not None
        assert named is not None
        name = re.sub(r"[*&\s]|const", "", _spell(named))
        said = _spell(value).strip()
        if (match := _READ.fullmatch(said) or _ALLOCATED.fullmatch(said)) and match[1] in self.of:
            self.pointers[name] = match[1]
        elif value.type == "lambda_expression":
            self.functors[name] = self._lambda(value)
        elif self._counts(said):
            self.counts.add(name)
        else:
            self.known[name] = self._typed(_spell(kind), self._formula(value))

    def _typed(self, kind: str, of: Formula) -> Formula:
        if kind in ("T", "auto", "const T", "const auto"):
            return of
        if kind in ("float", "double"):
            return self._cast(kind, of)
        raise NotSeen(f"a local variable is {kind}")

    def _functor(self, kind: Node) -> _Functor:
        """The class named so, which has one `operator()` that returns something."""
        name = re.split(r"<", _spell(kind))[0].rpartition("::")[2].strip()
        found = [
            definition.node
            for declarations in self.texts
            for qualified, definition in declarations.class_definitions.items()
            if qualified.rpartition("::")[2] == name
        ]
        if len(found) != 1:
            raise NotSeen(f"`{name}` is no class of this text", name)
        special = (n for declarations in self.texts for n in declarations.specialised)
        if any(n.rpartition("::")[2] == name for n in special):
            raise NotSeen(f"`{name}` is specialised: not every data type is computed alike")
        calls = [
            node
            for node in inside(found[0])
            if node.type == "function_definition"
            and "operator()" in _spell(node).partition("{")[0].replace(" ", "")
        ]
        if len(calls) != 1:
            raise NotSeen(f"`{name}` has no single operator()")
        declarator = next((n for n in inside(calls[0]) if n.type == "function_declarator"), None)
        body = calls[0].child_by_field_name("body")
        assert declarator is not None
        return self._called(declarator, body, name)

    def _lambda(self, node: Node) -> _Functor:
        captures = node.child_by_field_name("captures")
        if captures is not None and _spell(captures).replace(" ", "") not in (
            "[]",
            "[=]",
            "[&]",
        ):
            raise NotSeen("a lambda captures under other names")
        declarator = node.child_by_field_name("declarator")
        if declarator is None:
            raise NotSeen("a lambda takes nothing")
        return self._called(declarator, node.child_by_field_name("body"), "a lambda")

    def _called(self, declarator: Node, body: Node | None, name: str) -> _Functor:
        listed = declarator.child_by_field_name("parameters")
        parameters = [
            re.findall(r"\w+", _spell(node))[-1]
            for node in (listed.named_children if listed is not None else ())
            if node.type == "parameter_declaration"
        ]
        statements = [
            n for n in (body.named_children if body is not None else ()) if n.type != "comment"
        ]
        if len(statements) != 1 or statements[0].type != "return_statement":
            raise NotSeen(f"the body of `{name}` is more than what it returns")
        (result,) = statements[0].named_children
        return _Functor(tuple(parameters), result)

    # --- What is done to each element

    def _elementwise_call(self, statement: Node) -> Formula | None:
        call = statement.named_children[0] if statement.named_children else None
        if (
            statement.type != "expression_statement"
            or call is None
            or call.type != "call_expression"
        ):
            return None
        function = call.child_by_field_name("function")
        listed = call.child_by_field_name("arguments")
        if function is None or listed is None:
            return None
        if re.split("<", _spell(function))[0].rpartition("::")[2] != "ElementwiseCompute":
            return None
        self.stores_each = True
        given: list[str] = []
        functor: _Functor | None = None
        for argument in listed.named_children:
            word = _spell(argument).strip().removeprefix("*")
            if word in self.functors:
                functor = self.functors[word]
            elif argument.type in ("call_expression", "compound_literal_expression"):
                made = argument.child_by_field_name("function") or argument.child_by_field_name(
                    "type"
                )
                functor = self._functor(made) if made is not None else None
            elif word in self.inputs:
                given.append(word)
            elif word not in self.of and not word.lstrip("-").isdecimal():
                raise NotSeen(f"ElementwiseCompute is given `{self._start(argument)}`")
        if functor is None or len(functor.parameters) != len(given):
            raise NotSeen("what ElementwiseCompute is to do to each element isn't seen")
        return self._apply(functor, [Name(self.of[name].name) for name in given])

    def _loop(self, node: Node) -> Formula:
        parts = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
        said = [re.sub(r"\s+", " ", _spell(part)) if part is not None else "" for part in parts]
        begin = re.fullmatch(r"[\w:\s]+?\s(\w+)\s*=\s*0;?", said[0])
        i = begin[1] if begin else ""
        if not i or not re.match(rf"{i} (?:<|!=) ", said[1]) or said[2] not in (f"++{i}", f"{i}++"):
            raise NotSeen("its loop is none over all elements, one after the other")
        bound = re.split("<|!=", said[1], maxsplit=1)[1].strip().removesuffix(";").strip()
        if bound not in self.counts and not self._counts(bound):
            raise NotSeen(f"its loop goes to `{bound}`, which isn't a tensor's numel()")
        self.index = i
        body = node.child_by_field_name("body")
        assert body is not None
        return self._stored(body)

    def _stored(self, node: Node) -> Formula:
        """What is stored in the output's element."""
        if node.type == "compound_statement":
            *before, last = [n for n in node.named_children if n.type != "comment"]
            for statement in before:
                if statement.type != "declaration":
                    raise NotSeen(f"`{self._start(statement)}` in its loop isn't understood")
                self._declare(statement)
            return self._stored(last)
        if node.type == "if_statement":
            condition = node.child_by_field_name("condition")
            yes, no = (node.child_by_field_name(n) for n in ("consequence", "alternative"))
            if condition is None or yes is None or no is None:
                raise NotSeen("an `if` in its loop has no `else`")
            no = no.named_children[-1] if no.type == "else_clause" else no
            asked = condition.child_by_field_name("value") or condition.named_children[-1]
            return Operation("?:", (self._formula(asked), self._stored(yes), self._stored(no)))
        stored = node.named_children[0] if node.type == "expression_statement" else None
        if stored is None or stored.type != "assignment_expression":
            raise NotSeen(f"`{self._start(node)}` in its loop isn't understood")
        left, right = (stored.child_by_field_name(name) for name in ("left", "right"))
        operator = stored.child_by_field_name("operator")
        assert left is not None
        assert right is not None
        if self._element(left) != self.output or (operator is not None and _spell(operator) != "="):
            raise NotSeen(f"its loop stores into `{self._start(left)}`")
        self.stores_each = True
        return self._without_last_cast(right)

    def _without_last_cast(self, node: Node) -> Formula:
        """Storing makes a T of it anyway."""
        cast = re.match(r"static_cast\s*<\s*T\s*>", _spell(node))
        arguments = node.child_by_field_name("arguments") if cast else None
        if arguments is not None and len(arguments.named_children) == 1:
            return self._formula(arguments.named_children[0])
        return self._formula(node)

    def _element(self, node: Node) -> str:
        """The tensor whose element `node` is; empty for anything else."""
        if node.type != "subscript_expression":
            return ""
        array, index = (node.child_by_field_name(name) for name in ("argument", "indices"))
        if array is None or index is None:
            return ""
        if re.sub(r"[\[\]\s]", "", _spell(index)) != self.index:
            return ""
        read = _READ.fullmatch(_spell(array).strip())
        if read is not None and read[1] in self.inputs:
            return read[1]
        return self.pointers.get(_spell(array), "")

    def _apply(self, functor: _Functor, arguments: Sequence[Formula]) -> Formula:
        if len(functor.parameters) != len(arguments):
            raise NotSeen("a functor is called with another number of elements than it takes")
        outer, self.known = (
            self.known,
            {**self.known, **dict(zip(functor.parameters, arguments, strict=True))},
        )
        try:
            return self._without_last_cast(functor.result)
        finally:
            self.known = outer

    # --- Expressions

    def _formula(self, node: Node) -> Formula:
        if node.type == "parenthesized_expression":
            return self._formula(node.named_children[0])
        if node.type == "number_literal":
            return self._number(_spell(node))
        if node.type in ("true", "false"):
            return Number(node.type.capitalize(), "int")
        if node.type == "identifier" and _spell(node) in self.known:
            return self.known[_spell(node)]
        if (tensor := self._element(node)) in self.inputs:
            return Name(self.of[tensor].name)
        if node.type == "call_expression":
            return self._call(node)
        parts = [n for n in node.named_children if n.type != "comment"]
        if node.type == "conditional_expression":
            return Operation("?:", tuple(map(self._formula, parts)))
        if node.type in ("unary_expression", "binary_expression"):
            operator = node.child_by_field_name("operator")
            assert operator is not None
            return self._operation(_spell(operator), [self._formula(part) for part in parts])
        raise NotSeen(f"`{self._start(node)}` isn't understood")

    def _number(self, text: str) -> Number:
        match = _NUMBER.fullmatch(text)
        if match is None:
            raise NotSeen(f"the number `{text}` isn't understood")
        if match[1]:
            return Number(text, "int")
        if not self.only_floats:
            raise NotSeen(f"`{text}` is no integer, and some of the data types are")
        return Number(match[2], "float" if match[3] else "double")

    def _operation(self, operator: str, parts: list[Formula]) -> Formula:
        floats, has_bool = self.only_floats, DataType.BOOL in self.T
        plain = all(isinstance(part, Name | Number) for part in parts)
        if operator in _LOGICAL or operator == "!":
            return Operation(operator, tuple(parts))
        if operator in _COMPARISONS and (floats or plain):
            return Operation(operator, tuple(map(self._as_T, parts)))
        if (
            len(parts) == 1
            and (operator == "-" or (operator == "~" and not floats))
            and not has_bool
        ):
            return Operation(operator, tuple(parts))
        allowed = _ARITHMETIC if floats else (_ARITHMETIC - {"/"}) | _BITS
        if has_bool:
            allowed -= {"-"}
        if len(parts) == 2 and operator in allowed and not all(map(self._is_whole, parts)):
            return Operation(operator, tuple(map(self._as_T, parts)))
        raise NotSeen(f"`{operator}` would mean something else in Python here")

    def _is_whole(self, part: Formula) -> bool:
        """Whether C++ computes with it as with whole numbers, whatever T is."""
        if isinstance(part, Number):
            return part.type == "int"
        whole = {p.name for p in self.of.values() if p.cpp_type in WHOLE}
        return isinstance(part, Name) and part.of in whole

    def _as_T(self, part: Formula) -> Formula:
        """A whole number beside an element becomes a T, as in C++ it becomes what that is."""
        if not isinstance(part, Number) or part.type != "int" or not part.text.isdecimal():
            return part
        if int(part.text) > (1 if DataType.BOOL in self.T else _LEAST_MAXIMUM):
            raise NotSeen(f"`{part.text}` is more than the narrowest data types hold")
        return Number(part.text, "T")

    def _call(self, node: Node) -> Formula:
        scalar = _TO_T.fullmatch(_spell(node).strip())
        if scalar and scalar[1] in self.of and self.of[scalar[1]].type is SCALAR:
            return Name(self.of[scalar[1]].name)
        function, listed = (
            node.child_by_field_name("function"),
            node.child_by_field_name("arguments"),
        )
        assert function is not None
        assert listed is not None
        arguments = [n for n in listed.named_children if n.type != "comment"]
        name = re.sub(r"\s", "", _spell(function))
        if cast := re.fullmatch(r"(?:static_cast<)?(T|float|double)>?", name):
            (argument,) = arguments
            return self._cast(cast[1], self._formula(argument))
        if name in self.functors:
            return self._apply(self.functors[name], [self._formula(a) for a in arguments])
        if function.type == "call_expression":  # Functor<T>()(x)
            made = function.child_by_field_name("function")
            assert made is not None
            return self._apply(self._functor(made), [self._formula(a) for a in arguments])
        bare = name.removeprefix("std::")
        if re.fullmatch(r"(?:max|min)(?:<T>)?", bare) and len(arguments) == 2:
            a, b = (self._as_T(self._formula(argument)) for argument in arguments)
            first = (a, b) if bare.startswith("max") else (b, a)
            # C++ gives the first where neither is less: so it does for a NaN.
            return Operation("?:", (Operation("<", first), b, a))
        if bare in FUNCTIONS and self.only_floats:
            return Call(bare, tuple(self._formula(argument) for argument in arguments))
        raise NotSeen(f"`{name}` is no function that is known here")

    def _cast(self, kind: str, of: Formula) -> Formula:
        if isinstance(of, Number):
            if kind == "T" and of.type != "int" and not self.only_floats:
                raise NotSeen(f"`{of.text}` is made an integer")
            return Number(of.text, kind)
        if kind != "T" and not self.only_floats:
            raise NotSeen(f"an element is made a {kind}")
        if kind == "T":
            if isinstance(of, Name):
                return of
            raise NotSeen("something is rounded to T before it is computed with")
        return Cast(kind, of)


_LEAST_MAXIMUM = 127  # of the integer types, and more than half precision's whole numbers need
WHOLE = frozenset({"bool", "int", "int64_t"})
NUMERIC = WHOLE | {"float", "double"}
