"""Kernels that a program makes for itself: from an expression to CUDA, and to what it should give.

A pass over a program finds operations that only hand each element on to the next, and writes one
kernel for the whole group, so that what lies between them never goes to memory. What it wrote is
compiled at run time and waits under a name in the `DeviceCodePool`. Here the group is an expression,

    kept = sigmoid(x0) * x1; y0 = kept + tanh(x2); y1 = relu(kept)

with inputs x0, x1 …, outputs y0, y1 …, and any other names for what lies between. It is read with
Python's own parser, walked once to write CUDA, and walked again on arrays for the numbers.

Source: `paddle/phi/backends/device_code.h`, `paddle/fluid/framework/ir/fusion_group` of the time when
Paddle had it.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.kernels.cuda_source import CUDA_TYPES
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import InvalidArgument, NotFound


class UnaryFunction(NamedTuple):
    """A function of one number: on arrays, on Python's floats, its slope `(x, value)`, and its value
    in CUDA where CUDA doesn't have it."""

    on_arrays: Callable[[Any], Any]
    on_floats: Callable[[float], float]
    slope: Callable[[Any, Any], Any]
    cuda: str


OPERATIONS = {
    "exp": UnaryFunction(np.exp, math.exp, lambda x, value: value, ""),
    "relu": UnaryFunction(
        lambda x: np.maximum(x, 0),
        lambda x: max(x, 0.0),
        lambda x, value: x > 0,
        "x > Real(0) ? x : Real(0)",
    ),
    "sigmoid": UnaryFunction(
        lambda x: 1 / (1 + np.exp(-x)),
        lambda x: 0.5 * (1 + math.tanh(x / 2)),
        lambda x, value: value * (1 - value),
        "Real(1) / (Real(1) + exp(-x))",
    ),
    "sqrt": UnaryFunction(np.sqrt, math.sqrt, lambda x, value: 0.5 / value, ""),
    "square": UnaryFunction(np.square, lambda x: x**2, lambda x, value: 2 * x, "x * x"),
    "tanh": UnaryFunction(np.tanh, math.tanh, lambda x, value: 1 - value * value, ""),
}
_PRELUDE = "".join(
    f"template <typename Real>\n__device__ Real {name}(Real x) {{ return {operation.cuda}; }}\n"
    for name, operation in OPERATIONS.items()
    if operation.cuda
)
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_GIVEN, _WANTED = re.compile(r"x\d+"), re.compile(r"y\d+")


@dataclass(frozen=True)
class DeviceCode:
    """One generated kernel. `inputs` and `outputs` are how many it has.

    Raises InvalidArgument for an expression that can't be read, at the place.
    """

    name: str
    expression: str

    @cached_property
    def statements(self) -> tuple[tuple[str, ast.expr], ...]:
        """Each name that is assigned to, with what it gets."""
        try:
            body = ast.parse(self.expression.strip()).body
        except SyntaxError as error:
            raise self._wrong(f"{error.msg} at column {error.offset}") from None
        known, made = set[str](), list[tuple[str, ast.expr]]()
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._check(value, known)
                    if name in known or _GIVEN.fullmatch(name) or name in OPERATIONS:
                        raise self._wrong(f"'{name}' can't be assigned to: take another name")
                    known.add(name)
                    made.append((name, value))
                case _:
                    raise self._wrong(f"'{ast.unparse(statement)}' is no assignment")
        if not any(_WANTED.fullmatch(name) for name, _ in made):
            raise self._wrong("nothing is assigned to y0")
        return tuple(made)

    @cached_property
    def inputs(self) -> int:
        named = (
            node.id
            for _, value in self.statements
            for node in ast.walk(value)
            if isinstance(node, ast.Name)
        )
        return 1 + max((int(name[1:]) for name in named if _GIVEN.fullmatch(name)), default=-1)

    @cached_property
    def outputs(self) -> int:
        numbers = [int(name[1:]) for name, _ in self.statements if _WANTED.fullmatch(name)]
        if sorted(numbers) != list(range(len(numbers))):
            raise self._wrong(f"the outputs are y0 to y{len(numbers) - 1}, each assigned to once")
        return len(numbers)

    def cuda(self, inputs: Sequence[DataType], outputs: Sequence[DataType]) -> str:
        """The kernel for elements of these types. It computes in float, or in double if one is."""
        U = DataType.FLOAT64 if DataType.FLOAT64 in (*inputs, *outputs) else DataType.FLOAT32
        parameters = [f"const {CUDA_TYPES[t]}* at_x{i}" for i, t in enumerate(inputs)]
        parameters += [f"{CUDA_TYPES[t]}* at_y{i}" for i, t in enumerate(outputs)]
        read = [f"    U x{i} = U(at_x{i}[i]);\n" for i in range(len(inputs))]
        made = [f"    U {name} = {_cuda(value)};\n" for name, value in self.statements]
        written = [f"    at_y{i}[i] = {CUDA_TYPES[t]}(y{i});\n" for i, t in enumerate(outputs)]
        return (
            f"typedef {CUDA_TYPES[U]} U;\n{_PRELUDE}"
            f'extern "C" __global__ void {self.name}(\n'
            f"    long long n, {', '.join(parameters)}) {{\n"
            "  CUPY_FOR(i, n) {\n" + "".join(read + made + written) + "  }\n}\n"
        )

    def run(
        self, inputs: Sequence[Any], operations: Mapping[str, Callable[[Any], Any]]
    ) -> list[Any]:
        """The outputs, of whatever has + - * / and these operations."""
        values = {f"x{i}": x for i, x in enumerate(inputs)}
        for name, value in self.statements:
            values[name] = _value(value, values, operations)
        return [values[f"y{i}"] for i in range(self.outputs)]

    def _check(self, node: ast.expr, known: set[str]) -> None:
        match node:
            case ast.Name(id=name):
                if name not in known and not _GIVEN.fullmatch(name):
                    there = ", ".join(["x0, x1 …", *sorted(known)])
                    raise self._wrong(f"'{name}' is not known yet; there are {there}")
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                pass
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
                self._check(node.left, known)
                self._check(node.right, known)
            case ast.UnaryOp(op=ast.USub()):
                self._check(node.operand, known)
            case ast.Call(func=ast.Name(id=name), args=[operand], keywords=[]) if (
                name in OPERATIONS
            ):
                self._check(operand, known)
            case _:
                raise self._wrong(
                    f"'{ast.unparse(node)}' can't be fused: there are +, -, *, / and "
                    f"{', '.join(OPERATIONS)} of one number"
                )

    def _wrong(self, what: str) -> InvalidArgument:
        return InvalidArgument(f"device code '{self.name}': {what}, in '{self.expression}'")


def _cuda(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=value):
            return f"U({value!r})"
        case ast.BinOp(left=left, op=op, right=right):
            return f"({_cuda(left)} {_SIGNS[type(op)]} {_cuda(right)})"
        case ast.UnaryOp(operand=operand):
            return f"(-{_cuda(operand)})"
        case ast.Call(func=ast.Name(id=name), args=[operand]):
            return f"{name}({_cuda(operand)})"
    raise AssertionError(node)


def _value(
    node: ast.expr, values: Mapping[str, Any], operations: Mapping[str, Callable[[Any], Any]]
) -> Any:
    match node:
        case ast.Name(id=name):
            return values[name]
        case ast.Constant(value=value):
            return value
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _value(left, values, operations), _value(right, values, operations)
            match op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
            return a / b
        case ast.UnaryOp(operand=operand):
            return -_value(operand, values, operations)
        case ast.Call(func=ast.Name(id=name), args=[operand]):
            return operations[name](_value(operand, values, operations))
    raise AssertionError(node)


@dataclass(frozen=True)
class Rounded:
    """A number with the error that rounding may have brought so far, in units in the last place of 1.

    Each operation adds what it rounds off, and passes on what its operands came with.
    """

    value: Any
    error: Any

    def __add__(self, other: Any) -> Rounded:
        other = rounded(other)
        return _once_more(self.value + other.value, self.error + other.error)

    def __sub__(self, other: Any) -> Rounded:
        return self + -rounded(other)

    def __neg__(self) -> Rounded:
        return Rounded(-self.value, self.error)

    def __mul__(self, other: Any) -> Rounded:
        other = rounded(other)
        passed = np.abs(self.value) * other.error + np.abs(other.value) * self.error
        return _once_more(self.value * other.value, passed)

    def __truediv__(self, other: Any) -> Rounded:
        other = rounded(other)
        quotient = self.value / other.value
        passed = (self.error + np.abs(quotient) * other.error) / np.abs(other.value)
        return _once_more(quotient, passed)

    def __radd__(self, other: Any) -> Rounded:
        return rounded(other) + self

    def __rsub__(self, other: Any) -> Rounded:
        return rounded(other) - self

    def __rmul__(self, other: Any) -> Rounded:
        return rounded(other) * self

    def __rtruediv__(self, other: Any) -> Rounded:
        return rounded(other) / self


def rounded(number: Any) -> Rounded:
    """A number as it is stored."""
    return number if isinstance(number, Rounded) else Rounded(number, np.abs(number))


def _once_more(value: Any, passed_on: Any) -> Rounded:
    return Rounded(value, passed_on + np.abs(value))


def _of_rounded(operation: UnaryFunction) -> Callable[[Any], Rounded]:
    def applied(x: Any) -> Rounded:
        x = rounded(x)
        value = operation.on_arrays(x.value)
        return _once_more(value, np.abs(operation.slope(x.value, value)) * x.error + np.abs(value))

    return applied


ON_ARRAYS = {name: operation.on_arrays for name, operation in OPERATIONS.items()}
ON_FLOATS = {name: operation.on_floats for name, operation in OPERATIONS.items()}
ON_ROUNDED = {name: _of_rounded(operation) for name, operation in OPERATIONS.items()}


class DeviceCodePool:
    """`phi::DeviceCodePool`: the generated kernels, by name."""

    def __init__(self) -> None:
        self._codes: dict[str, DeviceCode] = {}

    def set(self, name: str, expression: str) -> DeviceCode:
        """Read an expression and keep it under a name, which an older one gives up to it.

        Raises InvalidArgument for a name that C++ wouldn't take, and what DeviceCode does.
        """
        if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
            raise InvalidArgument(f"'{name}' is no name for a function in C++")
        code = DeviceCode(name, expression)
        _ = code.inputs, code.outputs
        self._codes[name] = code
        return code

    def get(self, name: str) -> DeviceCode:
        """Raises NotFound, as Paddle does."""
        if name not in self._codes:
            there = ", ".join(self._codes)
            raise NotFound(
                f"Device code named {name} for place Place(gpu:0) does not exist. "
                f"There are {there}; device_code.POOL.set makes one of an expression."
            )
        return self._codes[name]


POOL = DeviceCodePool()
"""`DeviceCodePool::Instance()`."""
POOL.set("fused_elementwise_0", "kept = sigmoid(x0) * x1; y0 = kept + tanh(x2); y1 = relu(kept)")
