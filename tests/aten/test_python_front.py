"""From `a + 1` in Python to the operator: the method table, the parser, the typed handle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.dispatch.kernel_function import makeFromUnboxedFunction
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.python_front import PythonFront
from registry_runtime.aten.python_front.number_protocol import number
from registry_runtime.aten.python_front.numbers_as_tensors import should_allow_numbers_as_tensors
from registry_runtime.aten.python_front.operators import (
    ADD__TENSOR,
    ADD_TENSOR,
    ARITHMETIC,
    OperatorStruct,
)
from registry_runtime.aten.schema.cpp_signature import CppSignature
from registry_runtime.aten.schema.function_schema_parser import parse_schema
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor


def tensor(*values: float, dtype: str = "float32") -> Tensor:
    return Tensor.from_array(np.array(values, dtype))


class Recorder:
    """A dispatcher with `add` and `add_`, whose kernels keep what they were called with."""

    def __init__(self) -> None:
        self.calls: list[tuple[Tensor, Tensor, Scalar]] = []
        self.dispatcher = Dispatcher()
        self.handles = []
        for struct, kernel in ((ADD_TENSOR, self._add), (ADD__TENSOR, self._add_)):
            self.handles += self.define(struct, kernel)

    def define(self, of: OperatorStruct, kernel: Callable[..., Tensor]) -> list[Any]:
        schema = parse_schema(f"aten::{of.schema_str}")
        return [
            self.dispatcher.registerDef(schema, "here"),
            self.dispatcher.registerImpl(
                schema.name,
                DispatchKey.CompositeImplicitAutograd,
                makeFromUnboxedFunction(kernel),
                of.schema,
            ),
        ]

    def _add(self, self_: Tensor, other: Tensor, alpha: Scalar) -> Tensor:
        self.calls.append((self_, other, alpha))
        return Tensor.from_array(self_.numpy() + alpha.value * other.numpy())

    def _add_(self, self_: Tensor, other: Tensor, alpha: Scalar) -> Tensor:
        self.calls.append((self_, other, alpha))
        array = self_.numpy()
        array += alpha.value * other.numpy().astype(array.dtype)
        return self_


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def front(recorder: Recorder) -> PythonFront:
    return PythonFront(recorder.dispatcher)


@pytest.mark.parametrize("told", [False, True])
def test_a_number_on_either_side(recorder: Recorder, front: PythonFront, told: bool) -> None:
    front.tell = (lambda step: None) if told else None
    x = tensor(1, 2)
    for v, w in ((x, 1), (1, x)):
        assert front.plus(v, w).numpy().tolist() == [2.0, 3.0]
        self_, other, alpha = recorder.calls.pop()
        assert self_ is x
        assert (other.is_wrapped_number, other.dim(), str(other.dtype)) == (True, 0, "Long")
        assert alpha == Scalar(1)


@pytest.mark.parametrize("told", [False, True])
def test_in_place_the_tensor_itself_is_changed(front: PythonFront, told: bool) -> None:
    front.tell = (lambda step: None) if told else None
    x = tensor(1, 2)
    assert front.plus_equals(x, tensor(1, 1)) is x
    assert front.add_(x, tensor(1, 1), alpha=2) is x
    assert x.numpy().tolist() == [4.0, 5.0]


def test_two_tensors_are_passed_as_they_are(recorder: Recorder, front: PythonFront) -> None:
    x, y = tensor(1), tensor(2)
    assert front.add(x, y).numpy().tolist() == [3.0]
    assert recorder.calls[0][:2] == (x, y)
    assert front.add(x, x2=y, alpha=0.5).numpy().tolist() == [2.0]
    assert recorder.calls[1][2] == Scalar(0.5)


def test_the_table_shows_the_casts() -> None:
    table = PythonFront(Dispatcher()).methods
    lines = [str(line) for line in table.values() if "_add" in line.spelled]
    flags = "METH_VARARGS | METH_KEYWORDS, nullptr}"
    cast = "castPyCFunctionWithKeywords"
    wrapped = f"{cast}(TypeError_to_NotImplemented_"
    assert lines == [
        f'{{"__add__", {wrapped}<THPVariable_add>), {flags}',
        f'{{"__radd__", {wrapped}<THPVariable_add>), {flags}',
        f'{{"__iadd__", {wrapped}<THPVariable_add_>), {flags}',
        f'{{"add", {cast}(THPVariable_add), {flags}',
        f'{{"add_", {cast}(THPVariable_add_), {flags}',
    ]


def test_only_a_type_error_becomes_not_implemented(front: PythonFront) -> None:
    add = front.methods["__add__"].ml_meth
    assert add(tensor(1), ("a",), None) is NotImplemented
    with pytest.raises(ValueError, match="could not be broadcast"):  # NumPy's, from the kernel
        add(tensor(1, 2), (tensor(1, 2, 3),), None)


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        (("a",), {}, "add(): argument 'other' (position 1) must be Tensor, not str"),
        ((), {"other": 1, "alpha": "a"}, "add(): argument 'alpha' must be Number, not str"),
        (
            (1, 2, 3),
            {},
            "add() received an invalid combination of arguments - got (!int!, !int!, !int!), "
            "but expected (Tensor other, *, Number alpha = 1)",
        ),
    ],
)
def test_a_bad_call_is_told_what_is_wrong_with_it(
    front: PythonFront, arguments: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError) as caught:
        front.add(tensor(1), *arguments, **named)
    assert str(caught.value) == message


def test_a_sum_of_what_does_not_add_is_pythons_error(front: PythonFront) -> None:
    x = tensor(1)
    for sign, add in (("+", front.plus), ("+=", front.plus_equals)):
        with pytest.raises(TypeError) as caught:
            add(x, "a")
        expected = f"unsupported operand type(s) for {sign}: 'Tensor' and 'str'"
        assert str(caught.value) == expected
        with pytest.raises(TypeError, match="can only concatenate str"):
            add("a", x)


def test_the_other_operand_is_asked(front: PythonFront) -> None:
    class Other:
        def __radd__(self, left: object) -> str:
            return "mine"

    assert front.plus(tensor(1), Other()) == "mine"
    assert number(front.methods, ARITHMETIC[0], tensor(1), Other()) == "mine"


def test_a_deprecated_signature_is_tried_last_and_warned_of_once(recorder: Recorder) -> None:
    warnings: list[str] = []
    front = PythonFront(recorder.dispatcher, warnings.append)
    for _ in range(2):
        assert front.add(tensor(1), 2, tensor(10)).numpy().tolist() == [21.0]
    assert warnings == [
        "This overload of add is deprecated:\n\tadd(Number alpha, Tensor other)\n"
        "Consider using one of the following signatures instead:\n"
        "\tadd(Tensor other, *, Number alpha = 1)"
    ]


def test_torch_function_takes_the_call_over(recorder: Recorder, front: PythonFront) -> None:
    class Base:
        @classmethod
        def __torch_function__(
            cls, function: Any, types: Any, args: Any, kwargs: Any = None
        ) -> Any:
            return cls.__name__, function.__name__, [t.__name__ for t in types], len(args), kwargs

    class Derived(Base):
        pass

    class Unwilling:
        @classmethod
        def __torch_function__(cls, *arguments: object) -> object:
            return NotImplemented

    x = tensor(1)
    assert front.plus(x, Base()) == ("Base", "add", ["Base"], 2, None)
    given = {"alpha": Derived()}
    assert front.add(x, Base(), **given) == ("Derived", "add", ["Derived", "Base"], 2, given)
    assert front.add(x, Unwilling(), alpha=Base())[0] == "Base"
    with pytest.raises(TypeError, match=r"Multiple dispatch failed for 'torch\.Tensor\.add'; all"):
        front.add(x, Unwilling())
    assert recorder.calls == []


def test_the_handle_is_looked_up_once(recorder: Recorder, front: PythonFront) -> None:
    looked_up: list[str] = []
    find = recorder.dispatcher.findSchemaOrThrow

    def counting(name: str, overload_name: str = "") -> Any:
        looked_up.append(f"{name}.{overload_name}")
        return find(name, overload_name)

    recorder.dispatcher.findSchemaOrThrow = counting  # type: ignore[method-assign]
    for _ in range(3):
        front.add(tensor(1), tensor(2))
    assert looked_up == ["aten::add.Tensor"]


def test_a_handle_whose_operator_is_gone_is_not_used(
    recorder: Recorder, front: PythonFront
) -> None:
    front.add(tensor(1), tensor(2))
    for handle in recorder.handles:
        handle.reset()
    with pytest.raises(TorchError, match=r"Could not find schema for aten::add\.Tensor"):
        front.add(tensor(1), tensor(2))
    kept = recorder.define(ADD_TENSOR, lambda self, other, alpha: other)
    y = tensor(2)
    assert front.add(tensor(1), y) is y
    assert kept


def test_kernels_of_another_type_are_noticed_when_the_handle_is_made(recorder: Recorder) -> None:
    for handle in recorder.handles:
        handle.reset()
    wrong = OperatorStruct(
        ADD_TENSOR.name,
        ADD_TENSOR.overload_name,
        ADD_TENSOR.schema_str,
        CppSignature("at::Tensor (at::Tensor const&)"),
    )
    kept = recorder.define(wrong, lambda self: self)
    with pytest.raises(TorchError, match="call an operator with a wrong signature"):
        PythonFront(recorder.dispatcher).add(tensor(1), tensor(2))
    assert kept


def test_every_step_is_told_in_order(front: PythonFront) -> None:
    steps: list[str] = []
    front.tell = steps.append
    front.plus(2, tensor(1))
    landmarks = [
        "int's __add__ answers NotImplemented",
        'Python finds {"__radd__", castPyCFunctionWithKeywords(',
        "add(Tensor other, *, Number alpha = 1): it fits",
        "should_allow_numbers_as_tensors lists `add`",
        "`alpha` is not given: it is 1",
        "__torch_function__",
        "set_wrapped_number(true)",
        "The GIL is released",
        'findSchemaOrThrow("aten::add", "Tensor").typed<at::Tensor (at::Tensor const&, ',
        "The GIL is taken back",
    ]
    places = [next(i for i, step in enumerate(steps) if mark in step) for mark in landmarks]
    assert places == sorted(places)
    front.tell = None
    told = len(steps)
    front.plus(2, tensor(1))
    assert len(steps) == told


# Against the real one.

CALLS = [
    *('add("a")', "add()", "add(x, x, x)", "add(x, 2)", 'add(x, alpha="x")', "add(x, beta=2)"),
    *("add(x, other=x)", "add(x, alpha=2, foo=3)", "add(None)", "add([1, 2])", "add((x, x))"),
    *("add(alpha=2)", 'add("a", alpha=2)', 'add(1, "a")', "add(x, 1, 2)", "add(np.ones(2))"),
    *("add(2**64)", "add(-(2**63) - 1)", "add(x, alpha=2**64)", "add(x, alpha=None)"),
    *("add(x, alpha=object())", "add(object())", "add(self=x)", "add(x, **{1: 2})"),
    *('add(alpha=2, other="a")', "add(2, other=x, alpha=3)", "add(x, out=x)", 'add("a", x)'),
    *("add({1: 2})", 'add(x2="s")', 'add("s", alpha="s")', "add([x, 1], [2], 3)", "add(b=1, c=2)"),
    *('add_("a")', "add_()", "add_(x, x)", "add(np.uint64(2**63))", 'add(np.str_("a"))'),
    *('add(np.datetime64("2020"))', "add(x, alpha=np.array(2))", "add(x, alpha=x)", "add(Mute())"),
    *("add((), (1,), 2)", "add(x, alpha=Mute())"),
]
SUMS = [
    *('x + "a"', '"a" + x', "x + [1]", "[1] + x", "x + object()", "object() + x", "x + None"),
    *("(1,) + x", 'b"a" + x', "x + {}", "x + object", "x + Mute()", "Mute() + x"),
]
NUMBERS = [
    *("True", "2", "2.5", "1j", "np.int8(2)", "np.float32(2)", "np.longdouble(2)"),
    *("np.complex128(2j)", "np.bool_(True)"),
]


class Mute:
    """Has a `__torch_function__` that never answers."""

    @classmethod
    def __torch_function__(cls, *arguments: object) -> object:
        return NotImplemented


def _error(call: Callable[[], object]) -> str | None:
    try:
        call()
    except (TypeError, OverflowError) as error:
        return str(error)
    return None


def _operands(expression: str, x: object) -> list[Any]:
    return [eval(word, {"x": x, "np": np, "Mute": Mute}) for word in expression.split(" + ")]


@pytest.mark.torch
@pytest.mark.parametrize("call", CALLS)
def test_bad_calls_are_refused_in_torchs_words(front: PythonFront, call: str) -> None:
    torch = pytest.importorskip("torch")
    name, _, arguments = call.partition("(")
    names = {"np": np, "Mute": Mute, "front": front}
    theirs = _error(lambda: eval(f"x.{call}", {**names, "x": torch.ones(2)}))
    ours = _error(lambda: eval(f"front.{name}(x, {arguments}", {**names, "x": tensor(1, 1)}))
    assert theirs is not None
    assert ours == theirs


@pytest.mark.torch
@pytest.mark.parametrize("expression", SUMS)
def test_bad_sums_are_refused_in_pythons_words(front: PythonFront, expression: str) -> None:
    torch = pytest.importorskip("torch")
    left, right = _operands(expression, torch.ones(2))
    theirs = _error(lambda: left + right)
    assert theirs is not None
    assert _error(lambda: front.plus(*_operands(expression, tensor(1, 1)))) == theirs


@pytest.mark.torch
@pytest.mark.parametrize("number", NUMBERS)
def test_a_wrapped_number_has_torchs_type(
    recorder: Recorder, front: PythonFront, number: str
) -> None:
    torch = pytest.importorskip("torch")
    value = eval(number, {"np": np})
    front.add(tensor(1), value)
    other = recorder.calls[0][1]
    # Beside a tensor without dimensions of type bool, the number alone decides the type.
    decided = torch.ones((), dtype=torch.bool).add(value).dtype
    default = {"float64": "float32", "complex128": "complex64"}
    name = other.dtype.torch_name
    assert f"torch.{default.get(name, name)}" == str(decided)


@pytest.mark.torch
@pytest.mark.parametrize(
    "name", ["add", "sub", "mul", "div", "true_divide", "floor_divide", "copy_", "maximum", "atan2"]
)
def test_the_same_functions_take_numbers(name: str) -> None:
    torch = pytest.importorskip("torch")
    refused = _error(lambda: getattr(torch.ones(2), name)(2)) is not None
    assert refused is not should_allow_numbers_as_tensors(name)


@pytest.mark.torch
def test_the_warning_of_a_deprecated_call_is_torchs(recorder: Recorder) -> None:
    torch = pytest.importorskip("torch")
    ours: list[str] = []
    PythonFront(recorder.dispatcher, ours.append).add(tensor(1), 2, tensor(1))
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning, match="deprecated") as theirs:
            torch.ones(2).add(2, torch.ones(2))
    finally:
        torch.set_warn_always(before)
    assert str(theirs[0].message).startswith(ours[0])
