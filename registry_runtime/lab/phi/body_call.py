"""The arguments of a compiled body: made up, typed or given, and as the words that its child reads.

Those of a kernel that has a Python kernel are what that is tried on, and its InferMeta says what the
outputs are. Of any other only the types are known: a tensor is random where nobody gives one, an
attribute has to be given, and an output that `outs` says nothing of has NOBODYS_DIMS, and so gets no
memory, until the body calls Resize.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.kernels.template import Instance
from registry_runtime.lab.given import given_as
from registry_runtime.lab.phi.trial import made_arguments
from registry_runtime.lab.values import made_up, parse_attribute
from registry_runtime.native.call import Words
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.parameter_types import Kind, Parameter, ParameterType
from registry_runtime.phi.scalar import Scalar

NOBODYS_DIMS = (-1,)  # phi/runtime.h's
_PASSED = "phi::DenseTensor"  # the class of tensors that the child has
_WORD: dict[str, Callable[[Words, Any], None]] = {
    "bool": lambda words, value: words.integer(int(value)),
    "int": Words.integer,
    "int64_t": Words.integer,
    "float": Words.real,
    "double": Words.real,
    "phi::DataType": lambda words, value: words.integer(int(value)),
    "phi::DataLayout": lambda words, value: words.integer(int(value)),
    "std::string": Words.text,
    "phi::Scalar": lambda words, value: _scalar(words, value),
    "phi::IntArray": lambda words, value: words.integers([int(one) for one in value]),
}


@dataclass(frozen=True)
class BodyCall:
    """Inputs and attributes in their order; `outs` are dims of outputs, by name, for a kernel that no
    InferMeta speaks for. In a list of several they are `name[0]`, `name[1]` …"""

    arguments: tuple[Any, ...]
    outs: Mapping[str, Sequence[int]] = field(default_factory=dict)


def can_pass(of: ParameterType) -> bool:
    """Whether the child can make an argument of this type."""
    if of.kind is Kind.CONTEXT:
        return True
    if of.kind in (Kind.INPUT, Kind.OUTPUT):
        return _class(of) == _PASSED
    return _element(of) in _WORD


def _class(of: ParameterType) -> str:
    """The class of a tensor, whatever optional, vector, const, reference or pointer is around it."""
    held = of.type_index.removeprefix("paddle::optional<").removesuffix(">" * of.is_optional)
    held = held.removeprefix("std::vector<").removesuffix(">" * of.is_list)
    return held.removeprefix("const ").removesuffix("*")


def _element(of: ParameterType) -> str:
    """An attribute's type, or that of the elements of a vector."""
    return of.type_index.removeprefix("std::vector<").removesuffix(">" * of.is_list)


def sample(instance: Instance, size: int, texts: Mapping[str, str], seed: int = 0) -> BodyCall:
    """What the Python kernel is tried on, or what `texts` spell. Raises KernelError where they can't be
    read."""
    return BodyCall(made_arguments(instance, size, seed, texts))


def typed(
    parameters: Sequence[Parameter],
    T: DataType,
    size: int,
    texts: Mapping[str, str],
    outs: Mapping[str, Sequence[int]],
    elementwise: bool = False,
) -> BodyCall:
    """The same for a kernel that nobody wrote in Python: tensors that `texts` don't spell are
    random, of `size` elements; an output of an `elementwise` body has the dims of what its inputs come
    to together. Raises KernelError for what can't be read, or has to be given."""
    rng = np.random.default_rng(0)
    taken = [p for p in parameters if p.type.kind in (Kind.INPUT, Kind.ATTRIBUTE)]
    names = {parameter.name for parameter in parameters}
    asked = (*texts, *(name.partition("[")[0] for name in outs))
    if unknown := next((name for name in asked if name not in names), None):
        there = ", ".join(parameter.name for parameter in parameters[1:])
        raise KernelError(f"there is no parameter '{unknown}'; there are {there}")
    attributes = [p.name for p in taken if p.type.kind is Kind.ATTRIBUTE]
    if missing := [name for name in attributes if name not in texts]:
        have, words = "has" if len(missing) == 1 else "have", (f"--attr {n}=VALUE" for n in missing)
        raise KernelError(f"{', '.join(missing)} {have} to be given: {' '.join(words)}")

    def one(name: str, text: str) -> NDArray[Any]:
        read = given_as(name, text)
        dtype = read.dtype(T)
        if read.values is None:
            return made_up(dtype.numpy, read.shape, rng)
        return read.values(dtype)

    def made(parameter: Parameter) -> Any:
        text = texts.get(parameter.name)
        if parameter.type.kind is Kind.ATTRIBUTE:
            try:
                return parse_attribute(texts[parameter.name], parameter.cpp_type)
            except ValueError as error:
                raise KernelError(f"{parameter.name}: {error}") from None
        if text is None and parameter.type.is_optional:
            return None
        each = [one(parameter.name, word) for word in (text or str(size)).split(";")]
        return each if parameter.type.is_list else each[0]

    arguments = tuple(map(made, taken))
    if elementwise:
        dims = _together([one for one in arguments if isinstance(one, np.ndarray)])
        outs = {p.name: dims for p in outputs_of(parameters)} | dict(outs)
    return BodyCall(arguments, outs)


def _together(inputs: Sequence[NDArray[Any]]) -> Sequence[int]:
    try:
        return np.broadcast_shapes(*(one.shape for one in inputs))
    except ValueError:
        return NOBODYS_DIMS


def words_of(
    parameters: Sequence[Parameter], given: BodyCall, instance: Instance | None
) -> tuple[Words, tuple[NDArray[Any], ...]]:
    """What the child reads, and the tensors in it."""
    words = Words()
    inputs: list[NDArray[Any]] = []
    places: dict[str, int] = {}  # of inputs, by their parameter
    arguments = given.arguments
    if instance is not None:
        arguments = instance.template.bind(*given.arguments)
    outs = _outs(parameters, given, instance)
    left = iter(arguments)
    for parameter in parameters:
        kind = parameter.type.kind
        if kind is Kind.INPUT:
            places[parameter.name] = len(inputs)
            inputs += _input(words, parameter.type, next(left))
        elif kind is Kind.ATTRIBUTE:
            _attribute(words, parameter.type, next(left))
        elif kind is Kind.OUTPUT:
            of = instance.template.in_place.get(parameter.name) if instance else None
            carried = instance is not None and parameter.name in instance.template.carried
            words.integer(len(outs[parameter.name]))
            for dtype, dims in outs[parameter.name]:
                words.integer(-1 if of is None else places[of])
                zeros = np.zeros(dims, dtype.numpy) if carried and of is None else None
                words.tensor(int(dtype), dims, (), zeros)
    return words, tuple(inputs)


def outputs_of(parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """Those that the kernel fills, in their order; a list of tensors is one."""
    return tuple(p for p in parameters if p.type.kind is Kind.OUTPUT)


def several(name: str, number: int) -> Sequence[str]:
    """The names of so many tensors of an output."""
    return [name] if number == 1 else [f"{name}[{i}]" for i in range(number)]


def dims_of(name: str, outs: Mapping[str, Sequence[int]]) -> list[tuple[int, ...]]:
    """Those of an output's tensors; nobody's where there are none."""
    if name in outs:
        return [tuple(outs[name])]
    numbered = takewhile(outs.__contains__, (f"{name}[{i}]" for i in count()))
    return [tuple(outs[one]) for one in numbered] or [NOBODYS_DIMS]


def _outs(
    parameters: Sequence[Parameter], given: BodyCall, instance: Instance | None
) -> dict[str, list[tuple[DataType, tuple[int, ...]]]]:
    """Of each output, its tensors. Of what InferMeta says, the last list takes the rest."""
    outputs = outputs_of(parameters)
    if instance is None:
        return {
            p.name: [(DataType.UNDEFINED, d) for d in dims_of(p.name, given.outs)] for p in outputs
        }
    bound = instance.template.bind(*given.arguments)
    metas = instance.template.infer(instance.dtype, bound)
    made = iter([(meta.dtype, tuple(meta.dims)) for meta in metas])
    return {p.name: list(made) if p.type.is_list else [next(made)] for p in outputs}


def _input(words: Words, of: ParameterType, value: Any) -> list[NDArray[Any]]:
    if of.is_optional:
        words.integer(int(value is not None))
        if value is None:
            return []
    if not of.is_list:
        return [_tensor(words, value)]
    words.integer(len(value))
    return [_tensor(words, one) for one in value]


def _tensor(words: Words, value: Any) -> NDArray[Any]:
    tensor = DenseTensor.of(value)
    data = np.asarray(tensor.data)
    words.tensor(int(tensor.dtype), data.shape, tensor.lod, data)
    return data


def _attribute(words: Words, of: ParameterType, value: Any) -> None:
    write = _WORD[_element(of)]
    if not of.is_list:
        write(words, value)
        return
    words.integer(len(value))
    for one in value:
        write(words, one)


def _scalar(words: Words, value: Any) -> None:
    scalar = Scalar.of(value)
    words.scalar(int(scalar.dtype), np.asarray(scalar.value).item())
