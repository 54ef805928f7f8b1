"""What the body of a C++ kernel visibly does to each element, as a formula.

Two forms are seen: a loop, `for (i = 0; i < n; ++i) out[i] = f(x[i], y[i]);`, and a functor that is
handed to `ElementwiseCompute`. Functors and lambdas are followed to what they return, local variables
to what they are. Whatever else stands in a body, or would mean something else in Python, gives no
formula but the reason: `NotSeen`. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tree_sitter import Node

from registry_runtime.cxx import CxxFunction
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
from registry_runtime.kernels.skeleton.functors import (
    Functor,
    NotSeen,
    bare_name,
    call_of,
    class_named,
    constructor_of,
    is_class,
    members_of,
    spell,
    taken,
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
        self.functors: dict[str, Functor] = {}
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
            elif not self._allocates(statement) and not self._sets_member(statement):
                raise NotSeen(
                    f"`{self._start(statement)}` is neither a loop nor ElementwiseCompute"
                )
        if found is None:
            raise NotSeen("no loop over the elements stands in it")
        return found

    def _start(self, node: Node) -> str:
        words = " ".join(spell(node).split())
        return words if len(words) <= 40 else f"{words[:39]}…"

    def _allocates(self, statement: Node) -> bool:
        """Or gives the output the dims that it has anyway, of its only input."""
        said = spell(statement).strip().removesuffix(";").strip()
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
        if declarator.type == "function_declarator":  # `Scale<T> f(alpha);`, which reads as one
            listed = declarator.child_by_field_name("parameters")
            name = spell(declarator.named_children[0])
            self.functors[name] = self._functor(kind, listed.named_children if listed else ())
            return
        if declarator.type != "init_declarator":
            self.functors[spell(declarator)] = self._functor(kind)
            return
        value = declarator.child_by_field_name("value")
        named = declarator.child_by_field_name("declarator")
        assert value is not None
        assert named is not None
        name = re.sub(r"[*&\s]|const", "", spell(named))
        said = spell(value).strip()
        if (match := _READ.fullmatch(said) or _ALLOCATED.fullmatch(said)) and match[1] in self.of:
            self.pointers[name] = match[1]
        elif value.type == "lambda_expression":
            self.functors[name] = self._lambda(value)
        elif value.type in ("argument_list", "initializer_list") and self._is_functor(kind):
            self.functors[name] = self._functor(kind, value.named_children)
        elif (made := self._made(value)) is not None:
            self.functors[name] = made
        elif self._counts(said):
            self.counts.add(name)
        else:
            self.known[name] = self._typed(spell(kind), self._formula(value))

    def _typed(self, kind: str, of: Formula) -> Formula:
        if kind in ("T", "auto", "const T", "const auto"):
            return of
        if kind in ("float", "double"):
            return self._cast(kind, of)
        raise NotSeen(f"a local variable is {kind}")

    def _is_functor(self, kind: Node) -> bool:
        return is_class(self.texts, bare_name(kind))

    def _made(self, node: Node) -> Functor | None:
        """Of `Scale<T>(alpha)` and `Scale<T>{alpha}`; None for anything else."""
        kind = node.child_by_field_name("function") or node.child_by_field_name("type")
        given = node.child_by_field_name("arguments") or node.child_by_field_name("value")
        if node.type not in ("call_expression", "compound_literal_expression"):
            return None
        if kind is None or given is None or not self._is_functor(kind):
            return None
        return self._functor(kind, given.named_children)

    def _functor(self, kind: Node, given: Sequence[Node] = ()) -> Functor:
        """The class named so, made of these arguments: its one `operator()` returns something, and its
        members are what they were given."""
        name = bare_name(kind)
        node = class_named(self.texts, name)
        functor = self._called(*call_of(node, name), name)
        members = members_of(node)
        types = {member.name: member.type for member in members}
        arguments = [n for n in given if n.type != "comment"]
        made = constructor_of(node, name, len(arguments))
        known: dict[str, Formula] = {}
        gives = {m.name: m.default for m in members if m.default is not None}
        values = [self._argument(argument) for argument in arguments]
        if made is not None:
            gives |= made.gives
            for (parameter, type), value in zip(made.parameters, values, strict=True):
                known[parameter] = self._converted(type, value)
        elif len(values) > len(members):
            raise NotSeen(f"`{name}` is given more than it has members")
        held = {
            member: self._converted(types[member], self._in_class(known, expression))
            for member, expression in gives.items()
            if member in types
        }
        if made is None:
            listed = zip(types.items(), values, strict=False)
            held |= {member: self._converted(type, value) for (member, type), value in listed}
        return replace(functor, members=held, types=types)

    def _argument(self, node: Node) -> Formula:
        if node.type == "parameter_declaration":  # of what reads as a function's declaration
            name = spell(node).strip()
            if name not in self.known:
                raise NotSeen(f"`{self._start(node)}` isn't understood")
            return self.known[name]
        return self._formula(node)

    def _converted(self, kind: str, of: Formula) -> Formula:
        """As a member or a parameter of this type holds it."""
        kind = kind.removeprefix("const ").removesuffix(" const")
        own = next((p.cpp_type for p in self.of.values() if of == Name(p.name)), "")
        if kind == own or (kind in WHOLE and isinstance(of, Number) and of.type == "int"):
            return of
        if kind in ("T", "float", "double") and (self.only_floats or isinstance(of, Number)):
            return self._cast(kind, of)
        raise NotSeen(f"what it is given is kept as a {kind}")

    def _in_class(self, known: dict[str, Formula], node: Node) -> Formula:
        """An expression of a class's text, which sees nothing of this body."""
        return self._elsewhere(known, lambda: self._formula(node))

    def _elsewhere(self, known: dict[str, Formula], read: Callable[[], Formula]) -> Formula:
        outer = self.known, self.functors, self.pointers, self.index
        self.known, self.functors, self.pointers, self.index = known, {}, {}, ""
        try:
            return read()
        finally:
            self.known, self.functors, self.pointers, self.index = outer

    def _sets_member(self, statement: Node) -> bool:
        """`f.factor = alpha;` of a functor that stands above."""
        stored = statement.named_children[0] if statement.named_children else None
        if stored is None or stored.type != "assignment_expression":
            return False
        left, right = (stored.child_by_field_name(name) for name in ("left", "right"))
        match = re.fullmatch(r"(\w+)\s*\.\s*(\w+)", spell(left)) if left is not None else None
        functor = self.functors.get(match[1]) if match is not None else None
        if match is None or functor is None or match[2] not in functor.types or right is None:
            return False
        if spell(stored.children[1]) != "=":
            return False
        value = self._converted(functor.types[match[2]], self._formula(right))
        members = {**(functor.members or {}), match[2]: value}
        self.functors[match[1]] = replace(functor, members=members)
        return True

    def _lambda(self, node: Node) -> Functor:
        captures = node.child_by_field_name("captures")
        if captures is not None and spell(captures).replace(" ", "") not in (
            "[]",
            "[=]",
            "[&]",
        ):
            raise NotSeen("a lambda captures under other names")
        declarator = node.child_by_field_name("declarator")
        if declarator is None:
            raise NotSeen("a lambda takes nothing")
        return self._called(declarator, node.child_by_field_name("body"), "a lambda")

    def _called(self, declarator: Node, body: Node | None, name: str) -> Functor:
        parameters = [name for name, _ in taken(declarator)]
        statements = [
            n for n in (body.named_children if body is not None else ()) if n.type != "comment"
        ]
        if len(statements) != 1 or statements[0].type != "return_statement":
            raise NotSeen(f"the body of `{name}` is more than what it returns")
        (result,) = statements[0].named_children
        return Functor(tuple(parameters), result)

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
        if bare_name(function) != "ElementwiseCompute":
            return None
        self.stores_each = True
        given: list[str] = []
        functor: Functor | None = None
        for argument in listed.named_children:
            word = spell(argument).strip().removeprefix("*")
            if word in self.functors:
                functor = self.functors[word]
            elif argument.type in ("call_expression", "compound_literal_expression"):
                kind = argument.child_by_field_name("function")
                kind = kind or argument.child_by_field_name("type")
                listed_too = argument.child_by_field_name("arguments")
                listed_too = listed_too or argument.child_by_field_name("value")
                if kind is not None:
                    functor = self._functor(kind, listed_too.named_children if listed_too else ())
            elif word in self.inputs:
                given.append(word)
            elif word not in self.of and not word.lstrip("-").isdecimal():
                raise NotSeen(f"ElementwiseCompute is given `{self._start(argument)}`")
        if functor is None or len(functor.parameters) != len(given):
            raise NotSeen("what ElementwiseCompute is to do to each element isn't seen")
        return self._apply(functor, [Name(self.of[name].name) for name in given])

    def _loop(self, node: Node) -> Formula:
        parts = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
        said = [re.sub(r"\s+", " ", spell(part)) if part is not None else "" for part in parts]
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
        if self._element(left) != self.output or (operator is not None and spell(operator) != "="):
            raise NotSeen(f"its loop stores into `{self._start(left)}`")
        self.stores_each = True
        return self._without_last_cast(right)

    def _without_last_cast(self, node: Node) -> Formula:
        """Storing makes a T of it anyway."""
        cast = re.match(r"static_cast\s*<\s*T\s*>", spell(node))
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
        if re.sub(r"[\[\]\s]", "", spell(index)) != self.index:
            return ""
        read = _READ.fullmatch(spell(array).strip())
        if read is not None and read[1] in self.inputs:
            return read[1]
        return self.pointers.get(spell(array), "")

    def _apply(self, functor: Functor, arguments: Sequence[Formula]) -> Formula:
        if len(functor.parameters) != len(arguments):
            raise NotSeen("a functor is called with another number of elements than it takes")
        given = dict(zip(functor.parameters, arguments, strict=True))

        def read() -> Formula:
            return self._without_last_cast(functor.result)

        if functor.members is not None:
            return self._elsewhere({**functor.members, **given}, read)
        outer, self.known = self.known, {**self.known, **given}
        try:
            return read()
        finally:
            self.known = outer

    # --- Expressions

    def _formula(self, node: Node) -> Formula:
        if node.type == "parenthesized_expression":
            return self._formula(node.named_children[0])
        if node.type == "number_literal":
            return self._number(spell(node))
        if node.type in ("true", "false"):
            return Number(node.type.capitalize(), "int")
        name = spell(node).removeprefix("this->")
        if node.type in ("identifier", "field_expression") and name in self.known:
            return self.known[name]
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
            return self._operation(spell(operator), [self._formula(part) for part in parts])
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
        scalar = _TO_T.fullmatch(spell(node).strip())
        if scalar and scalar[1] in self.of and self.of[scalar[1]].type is SCALAR:
            return Name(self.of[scalar[1]].name)
        function, listed = (
            node.child_by_field_name("function"),
            node.child_by_field_name("arguments"),
        )
        assert function is not None
        assert listed is not None
        arguments = [n for n in listed.named_children if n.type != "comment"]
        name = re.sub(r"\s", "", spell(function))
        if cast := re.fullmatch(r"(?:static_cast<)?(T|float|double)>?", name):
            (argument,) = arguments
            return self._cast(cast[1], self._formula(argument))
        if name in self.functors:
            return self._apply(self.functors[name], [self._formula(a) for a in arguments])
        if (made := self._made(function)) is not None:  # Functor<T>()(x)
            return self._apply(made, [self._formula(a) for a in arguments])
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
