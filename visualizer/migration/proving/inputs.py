"""Calls that are made up: tensors and attributes that an operator may be content with.

What suits it only the operator knows, so there are many tries: tensors of one shape and of shapes that
often go together, of the element types that the kernel asks them for, with and without levels of
detail; attributes as the maker sets them, or small numbers. An operator that is not content says why,
and another reason is a step forward. What the old body doesn't answer is no call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tree_sitter import Node

from registry_runtime.phi.data_type import DataType
from visualizer.migration.reading.declarations import Fluid
from visualizer.migration.reading.fluid_text import FluidText
from visualizer.migration.reading.functions import TENSORS, kept_in, locals_of, reads_of
from visualizer.migration.reading.handing import call_with, functions_below
from visualizer.migration.reading.names import method_of_call, parts_of_call, template_arguments
from visualizer.migration.reading.operators import FluidOperator
from visualizer.migration.reading.signature import Parameter

if TYPE_CHECKING:
    from registry_runtime.native.call import Words

TYPES = {"float": "FLOAT32", "double": "FLOAT64", "int": "INT32", "int64_t": "INT64"}
_ELEMENTS = {**TYPES, "bool": "BOOL", "uint8_t": "UINT8", "int8_t": "INT8", "int16_t": "INT16"}
_SHAPES = ((6,), (2, 3), (2, 3, 4), (4, 4), (2, 4, 3, 3), (3, 1), (1, 6))
_PLAIN = 5  # calls with all tensors of one shape, to begin with
_BELOW = 5  # what whole numbers are below


def passed(parameter: Parameter) -> Any:
    """The parameter to whoever makes a child's arguments."""
    from registry_runtime.phi.parameter_types import Parameter as Passed

    return Passed(parameter.name, parameter.type("phi::DenseTensor"))


@dataclass(frozen=True, slots=True)
class Asks:
    """Of an operator: the element types that its kernel asks inputs for, by their names in Fluid, ""
    for the kernel's own; whether it asks for levels of detail; and what its maker says of
    attributes."""

    types: dict[str, str]
    levels: bool
    defaults: dict[str, Any]


def asked_of(fluid: Fluid, operator: FluidOperator, source: FluidText, compute: Node) -> Asks:
    """What can be seen of it in the files."""
    types: dict[str, str] = {}
    levels = False
    for text, function in functions_below(fluid, (source, compute)):
        variables = locals_of(text, function)
        levels = levels or "lod()" in text.spell(function)
        for read in reads_of(fluid, text, function):
            kept = kept_in(variables, read.call)
            for use in (read.call, *(kept.uses if kept is not None else ())):
                spelled = _data_of(text, use)
                if read.name is None or read.method not in TENSORS:
                    continue
                if spelled in _ELEMENTS:
                    types.setdefault(read.name, spelled)
                elif spelled == "T" or _is_handed_to_a_template(text, use):
                    types.setdefault(read.name, "")
    defaults = {p.fluid_name: _default(p) for p in operator.signature.of("attribute")}
    return Asks(types, levels, {name: d for name, d in defaults.items() if d is not None})


def _is_handed_to_a_template(source: FluidText, use: Node) -> bool:
    """`EigenVector<T>::Flatten(*use)`: it is of the kernel's type."""
    outer = use.parent
    argument = outer if outer is not None and outer.type == "pointer_expression" else use
    call = call_with(argument)
    called, _ = parts_of_call(call) if call is not None else (None, [])
    return called is not None and "<T>" in source.spell(called)


def _data_of(source: FluidText, use: Node) -> str:
    """The type in `use->data<int64_t>()`, or "" where that isn't asked."""
    member = use.parent
    call = member.parent if member is not None and member.type == "field_expression" else None
    if call is None or call.type != "call_expression":
        return ""
    _, method, named = method_of_call(source, call)
    types = template_arguments(named)
    return source.spell(types[0]) if method == "data" and types else ""


_SET = re.compile(r"\.SetDefault\(\s*([^()]*?)\s*\)")


def _default(parameter: Parameter) -> Any:
    """What the maker sets where nobody says anything; None for what is no plain literal."""
    if parameter.node is None or parameter.source is None:
        return None
    statement = parameter.node
    while statement.parent is not None and statement.type != "expression_statement":
        statement = statement.parent
    found = _SET.search(parameter.source.spell(statement))
    if found is None:
        return None
    text = found[1].removeprefix("static_cast<int64_t>")
    if "vector" in parameter.cxx_type:
        items = [_literal(item) for item in re.findall(r"[^{},\s]+", text)]
        return None if None in items or "{" not in text else items
    value = _literal(text)
    fits = isinstance(value, str) == (parameter.cxx_type == "std::string")
    return value if fits else None


def _literal(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r'"[^"\\]*"', text):
        return text[1:-1]
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text.rstrip("fF"))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _Tensor:
    """`type` is "" for that which the kernel is registered for; an optional one may not be `there`."""

    shape: tuple[int, ...]
    type: str
    there: bool = True


@dataclass(frozen=True, slots=True)
class MadeUp:
    """One that was made up: a tensor for each input, a value for each attribute; `below` is what whole
    numbers are below, `levels`: whether the inputs have a level of detail."""

    inputs: tuple[_Tensor, ...]
    attributes: tuple[Any, ...]
    levels: bool
    below: int
    seed: int

    def told(self) -> str:
        """What it is recognised by."""
        return f"inputs of {', '.join(str(list(one.shape)) for one in self.inputs)}"

    def words(self, operator: FluidOperator, dtype: DataType) -> Words:
        """What the child reads, of a kernel for this type."""
        import numpy as np

        from registry_runtime.lab.phi.body_call import BodyCall, words_of
        from registry_runtime.lab.values import made_up
        from registry_runtime.phi.dense_tensor import DenseTensor

        signature, rng = operator.signature, np.random.default_rng(self.seed)

        def tensor(one: _Tensor) -> Any:
            of = DataType[_ELEMENTS[one.type]] if one.type else dtype
            data = made_up(of.numpy, one.shape, rng, self.below)
            return DenseTensor(data, lod=_levels(one.shape[0], rng)) if self.levels else data

        def given(parameter: Parameter, one: _Tensor) -> Any:
            if not one.there:
                return None
            return [tensor(one), tensor(one)] if parameter.many else tensor(one)

        pairs = zip(signature.of("input"), self.inputs, strict=True)
        arguments = (*(given(p, one) for p, one in pairs), *self.attributes)
        shape = self.inputs[0].shape if self.inputs else _SHAPES[0]
        outs = {p.name: shape for p in signature.of("output")}
        parameters = [passed(p) for p in signature.parameters]
        return words_of(parameters, BodyCall(arguments, outs), None)[0]


class Search:
    """Calls one after the other. What an operator says against one that it hasn't said before is a step
    on the way to one that suits it: from there on the next are made, by changing one thing."""

    def __init__(self, operator: FluidOperator, asks: Asks) -> None:
        import numpy as np

        self._operator, self._asks = operator, asks
        self._rng = np.random.default_rng(0)
        self._heard: set[str] = set()
        self._number = 0
        self._here = self._plain(_SHAPES[0])
        self.good: list[MadeUp] = []

    def next(self) -> MadeUp:
        """The next one to try."""
        self._number += 1
        if self._number <= _PLAIN:
            return self._plain(_SHAPES[self._number - 1])
        if self.good and self._number % 2:
            return replace(self.good[-1], seed=self._number)
        return self._changed(self._here)

    def learn(self, call: MadeUp, said: str) -> None:
        """What came of it: what the operator said against it, "" where it was content."""
        if not said:
            self.good.append(call)
        heard = re.sub(r"[\d\W]+", " ", said)
        if not said or heard not in self._heard:
            self._here = call
        self._heard.add(heard)

    def _plain(self, shape: tuple[int, ...]) -> MadeUp:
        """All tensors of one shape, all attributes as the maker sets them."""
        signature = self._operator.signature
        tensors = (_Tensor(shape, self._type(p.fluid_name)) for p in signature.of("input"))
        values = (self._value(p, len(shape)) for p in signature.of("attribute"))
        return MadeUp(tuple(tensors), tuple(values), self._asks.levels, _BELOW, self._number)

    def _type(self, name: str) -> str:
        if name in self._asks.types:
            return self._asks.types[name]
        return "int64_t" if re.search(r"label|index|indices|ids", name.lower()) else ""

    def _value(self, parameter: Parameter, rank: int) -> Any:
        usual = self._asks.defaults.get(parameter.fluid_name)
        return usual if usual is not None else _attribute(parameter.cxx_type, rank, self._rng)

    def _changed(self, call: MadeUp) -> MadeUp:
        """With one thing otherwise, or two."""
        rng, signature = self._rng, self._operator.signature
        call = replace(call, seed=self._number, below=int(rng.integers(2, _BELOW + 1)))
        what = int(rng.integers(8))
        if what == 0 and self._asks.levels:
            return replace(call, levels=not call.levels)
        if what == 1 and call.attributes:
            at = int(rng.integers(len(call.attributes)))
            parameter = signature.of("attribute")[at]
            value = _attribute(parameter.cxx_type, len(_SHAPES[at % 3]), rng)
            return replace(call, attributes=_with(call.attributes, at, value))
        if not call.inputs:
            return call
        at = int(rng.integers(len(call.inputs)))
        one, parameter = call.inputs[at], signature.of("input")[at]
        if what == 2:
            of = str(rng.choice(("", "int64_t", "int")))
            one = replace(one, type=self._asks.types.get(parameter.fluid_name, of))
        elif what == 3 and parameter.optional:
            one = replace(one, there=not one.there)
        elif what == 4:
            return self._plain(_SHAPES[int(rng.integers(len(_SHAPES)))])
        else:
            other = call.inputs[int(rng.integers(len(call.inputs)))]
            one = replace(one, shape=_beside(other.shape, rng))
        return replace(call, inputs=_with(call.inputs, at, one))


def _with(all_of_them: tuple[Any, ...], at: int, one: Any) -> tuple[Any, ...]:
    return (*all_of_them[:at], one, *all_of_them[at + 1 :])


def _beside(shape: tuple[int, ...], rng: Any) -> tuple[int, ...]:
    """A shape that often goes with another one."""
    several = [
        *(shape, shape, shape[:1], (*shape[:1], 1), shape[-1:], (*shape[:-1], 1), (1,)),
        *((shape[-1], shape[-1]), shape[:-1] or shape, (shape[0], shape[0]), shape[1:2] or shape),
    ]
    return several[int(rng.integers(len(several)))]


def _levels(rows: int, rng: Any) -> tuple[tuple[int, ...], ...]:
    """One level of sequences, which end where the rows do."""
    middle = int(rng.integers(1, rows)) if rows > 1 else rows
    return (tuple(dict.fromkeys((0, middle, rows))),)


def _attribute(cxx_type: str, rank: int, rng: Any) -> Any:
    whole = int(rng.integers(0, rank if rng.integers(2) else _BELOW + 2))
    of = {"bool": bool(whole), "float": whole + 0.5, "double": whole + 0.5, "std::string": ""}
    return [whole] if "vector" in cxx_type else of.get(cxx_type, whole)
