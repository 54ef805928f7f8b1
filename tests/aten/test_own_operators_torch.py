"""`mul`, `sub`, `div`, `neg`, `reciprocal`, `clamp_min` and `relu` as torch has them: values bit for
bit, types, what is refused in which words, and for which keys there are kernels."""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

torch: Any = pytest.importorskip("torch")

from registry_runtime.aten.errors import TorchError  # noqa: E402
from registry_runtime.aten.stub.cpu_capability import family  # noqa: E402
from registry_runtime.aten.tensor.scalar import Scalar  # noqa: E402
from registry_runtime.aten.tensor.scalar_type import ScalarType  # noqa: E402
from registry_runtime.aten.tensor.tensor import Tensor, wrapped_scalar_tensor  # noqa: E402
from tests.aten.own_operators import SAMPLES, own_operators  # noqa: E402
from tests.aten.test_loops_torch import bits, ours, random_tensor  # noqa: E402

# ComplexHalf is experimental, torch says.
QUIET = "ignore:ComplexHalf support is experimental"
pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings(QUIET)]

REAL = ("Byte", "Char", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double")
COMPLEX = ("ComplexHalf", "ComplexFloat", "ComplexDouble")
BINARY, UNARY = ("mul", "sub", "rsub", "div"), ("neg", "reciprocal", "relu")
on_x86 = pytest.mark.skipif(family() != "x86", reason="its vectors are those compared")


def call(name: str, *values: Any, **named: Any) -> Tensor:
    """Ours, through the dispatcher; torch's tensors share their memory, numbers are wrapped."""
    world = own_operators().aten.world
    overload = name if "." in name or name in (*UNARY, "clamp_min", "clamp_min_") else ""
    full = overload or f"{name}.Tensor"
    handle = world.dispatcher.findSchemaOrThrow(*f"aten::{full}".partition(".")[::2])
    given = [ours(v) if isinstance(v, torch.Tensor) else v for v in values]
    if full.endswith(".Tensor"):
        given = [v if isinstance(v, Tensor) else wrapped_scalar_tensor(Scalar(v)) for v in given]
        if "sub" in full:
            given.append(Scalar(named.get("alpha", 1)))
    elif "clamp" in full:
        given[1] = Scalar(given[1])
    made = world.dispatcher.call(handle, *given)
    assert isinstance(made, Tensor)
    return made


def same(name: str, *values: Any, **named: Any) -> None:
    expected = getattr(torch, name)(*values, **named)
    made = call(name, *values, **named)
    assert made.dtype.torch_name == str(expected.dtype).removeprefix("torch.")
    assert (made.sizes, made.strides) == (tuple(expected.size()), tuple(expected.stride()))
    array = np.ascontiguousarray(made.numpy()).reshape(-1)
    got = torch.from_numpy(array.view(np.uint8)).view(expected.dtype).reshape(expected.size())
    torch.testing.assert_close(bits(got), bits(expected.contiguous()), rtol=0, atol=0)


def kinds_of(name: str) -> list[str]:
    """The types that torch takes, by what it says itself."""
    taken = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for T in ("Bool", *REAL, *COMPLEX):
            x = torch.zeros(1).to(getattr(torch, ScalarType[T].torch_name))
            try:
                getattr(torch, name)(*[x] * (2 if name in BINARY else 1))
                taken.append(T)
            except (RuntimeError, NotImplementedError):
                pass
    return taken


CASES = [(name, T) for name in (*BINARY, *UNARY) for T in kinds_of(name)]


@on_x86
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_every_type_and_layout(name: str, kind: str) -> None:
    T = ScalarType[kind]
    torch.manual_seed(int(T))
    for count in (1, 5, 37, 1000):
        x, y = random_tensor(T, (count,)), random_tensor(T, (count,))
        same(name, *((x, y) if name in BINARY else (x,)))
    a, b = random_tensor(T, (53, 37)), random_tensor(T, (37, 53))
    four = random_tensor(T, (4, 6, 5, 7)).permute(2, 0, 3, 1)
    if name not in BINARY:
        for x in (a, a.t(), a[::2, ::3], four, a[0, 0]):
            same(name, x)
        return
    same(name, a.t(), b)
    same(name, random_tensor(T, (400,))[::2], random_tensor(T, (600,))[::3])
    same(name, four, random_tensor(T, (7, 6)))
    same(name, a, random_tensor(T, (53, 1)))
    same(name, random_tensor(T, (1,)), b)
    same(name, b, random_tensor(T, (1,))[0])


NUMBERS = (True, 3, -2, 0.1, 1e-3, 1e300, 0.3 - 0.7j)


@on_x86
@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("kind", ["Bool", *REAL, "ComplexFloat", "ComplexDouble"])
def test_numbers_beside_a_tensor(name: str, kind: str) -> None:
    x = random_tensor(ScalarType[kind], (37,))
    for number in NUMBERS:
        try:
            getattr(torch, name)(x, number)
        except (RuntimeError, NotImplementedError):
            continue  # told below
        same(name, x, number)


@on_x86
@pytest.mark.parametrize(
    "name", ["add", "add_", "sub", "sub_", "rsub", "mul", "mul_", "div", "div_"]
)
@pytest.mark.parametrize("kind", ["Bool", "Byte", "Int", "Half", "Float", "ComplexFloat"])
def test_what_is_made_of_a_number_in_cpp(name: str, kind: str) -> None:
    world = own_operators().aten.world
    handle = world.dispatcher.findSchemaOrThrow(f"aten::{name}", "Scalar")
    x = random_tensor(ScalarType[kind], (37,))
    rest = (2,) if name[:3] in ("add", "sub", "rsu") else ()
    for number in NUMBERS:

        def of(number: Any = number) -> Tensor:
            made = world.dispatcher.call(handle, ours(x.clone()), *map(Scalar, (number, *rest)))
            assert isinstance(made, Tensor)
            return made

        def theirs(number: Any = number) -> Any:
            return getattr(torch.ops.aten, name).Scalar(x.clone(), number, *rest)

        assert told(of) == told(theirs), number
        if " " not in told(theirs):
            got = torch.from_numpy(of().numpy().reshape(-1).view(np.uint8)).view(theirs().dtype)
            if kind == "ComplexFloat" and name.endswith("_"):
                # g++ has made two loops of torch's last few elements: for operands that overlap the
                # output it rounds elsewhere.
                torch.testing.assert_close(got, theirs(), equal_nan=True)
            else:
                torch.testing.assert_close(bits(got), bits(theirs()), rtol=0, atol=0)


@on_x86
@pytest.mark.parametrize("kind", ["Bool", "Int", "Half", "Float", "ComplexFloat"])
@pytest.mark.parametrize("sign", ["/", "-"])
def test_a_number_before_a_tensor(kind: str, sign: str) -> None:
    front = own_operators().aten.front
    of = front.divided_by if sign == "/" else front.minus
    theirs = operator.truediv if sign == "/" else operator.sub
    x = random_tensor(ScalarType[kind], (37,))
    for number in NUMBERS:
        made = partial(of, number, ours(x)), partial(theirs, number, x)
        assert told(made[0]) == told(made[1])
        if " " not in told(made[1]):
            expected = made[1]()
            got = torch.from_numpy(made[0]().numpy().view(np.uint8)).view(expected.dtype)
            torch.testing.assert_close(bits(got), bits(expected), rtol=0, atol=0)


def test_what_is_no_number_before_a_tensor_is_pythons_error() -> None:
    front = own_operators().aten.front
    for value in ("a", None, [1], {}):
        for of, theirs in ((front.divided_by, operator.truediv), (front.minus, operator.sub)):
            with pytest.raises(TypeError) as ours_says:
                of(value, ours(ONES))
            with pytest.raises(TypeError) as torch_says:
                theirs(value, ONES)
            assert str(ours_says.value) == str(torch_says.value)


@on_x86
@pytest.mark.parametrize("kind", REAL)
def test_what_clamp_min_takes(kind: str) -> None:
    x = random_tensor(ScalarType[kind], (100,))
    for bound in (0, 3, -2.5, True, float("nan"), float("-inf")):
        same("clamp_min", x, bound)


@on_x86
@pytest.mark.parametrize("name", ["mul", "div"])
@pytest.mark.parametrize("kind", COMPLEX[1:])
def test_what_no_vector_takes_of_complex_numbers(name: str, kind: str) -> None:
    T = ScalarType[kind]
    torch.manual_seed(int(T))
    for n in (*range(1, 20), 53):
        row, column, each = (random_tensor(T, s) for s in ((5, n), (5, 1), (10 * n,)))
        same(name, random_tensor(T, (n,)), each[:n])
        same(name, random_tensor(T, (n,)), each[: 2 * n : 2])
        same(name, row, column)
        same(name, column, row)
        same(name, row.t(), random_tensor(T, (n, 5)))


def test_nan_and_the_sign_of_zero_stay() -> None:
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        x = torch.tensor([float("nan"), -0.0, 0.0, -1.0, float("-inf")] * 9, dtype=dtype)
        for name in UNARY:
            same(name, x)


@pytest.mark.parametrize("name", BINARY)
def test_two_types_meet_where_torchs_meet(name: str) -> None:
    kinds = ["Bool", *REAL, *COMPLEX]
    tensors = [torch.ones(3).to(getattr(torch, ScalarType[kind].torch_name)) for kind in kinds]
    for x in [t for one in tensors for t in (one, one[0])]:
        for y in tensors:
            assert told(lambda x=x, y=y: call(name, x, y)) == told(
                lambda x=x, y=y: getattr(torch, name)(x, y)
            ), (x.dtype, y.dtype)


def told(made: Callable[[], Any]) -> str:
    """The type of what comes out, or what is said instead."""
    try:
        dtype = made().dtype
        return dtype.torch_name if isinstance(dtype, ScalarType) else str(dtype)[6:]
    except TorchError as error:
        return error.message
    except (RuntimeError, NotImplementedError, ValueError) as error:
        return str(error)


ONES, BOOLS, WHOLE = (
    torch.ones(3),
    torch.ones(3, dtype=torch.bool),
    torch.ones(3, dtype=torch.int64),
)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("sub", (BOOLS, BOOLS)),
        ("sub", (BOOLS, ONES)),
        ("rsub", (BOOLS, ONES)),
        ("sub", (ONES, BOOLS)),
        ("neg", (BOOLS,)),
        ("relu", (BOOLS,)),
        ("relu", (torch.ones(3, dtype=torch.complex64),)),
        ("clamp_min", (torch.ones(3, dtype=torch.complex64), 1)),
        ("clamp_min", (BOOLS, True)),
        ("div", (torch.ones(3, dtype=torch.complex32),) * 2),
        ("mul", (ONES, torch.ones(4))),
        ("neg", (torch.ones(3, dtype=torch.uint16),)),
    ],
)
def test_what_torch_refuses_is_refused_in_its_words(name: str, values: Any) -> None:
    theirs = told(lambda: getattr(torch, name)(*values))
    assert told(lambda: call(name, *values)) == theirs
    assert " " in theirs


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("mul_", (WHOLE, ONES)),
        ("div_", (WHOLE, WHOLE)),
        ("sub_", (ONES, torch.ones(2, 3))),
        ("clamp_min_", (WHOLE, 1.5)),
    ],
)
def test_in_place_what_does_not_fit_is_refused(method: str, values: Any) -> None:
    name = method if method in ("clamp_min_",) else f"{method}.Tensor"
    theirs = told(lambda: getattr(values[0].clone(), method)(*values[1:]))
    x = values[0].clone()
    assert told(lambda: call(name, x, *values[1:])) == theirs
    assert " " in theirs


@pytest.mark.parametrize("kind", ["Bool", *REAL, *COMPLEX[1:]])
def test_sums_are_torchs_to_its_own_tolerance(kind: str) -> None:
    T = ScalarType[kind]
    torch.manual_seed(int(T))
    handle = own_operators().aten.world.dispatcher.findSchemaOrThrow("aten::sum", "dim_IntList")
    four = random_tensor(T, (4, 6, 50, 7))
    if four.is_floating_point() or four.is_complex():  # of one size: torch sums in another order
        four = torch.rand(4, 6, 50, 7).to(four.dtype)
    for x in (four, four.permute(2, 0, 3, 1), four[::2, :, ::3], four[0, 0, 0, 0], four[:0]):
        for dim in (None, [0], [-1], [0, -1], list(range(x.dim()))):
            if x.dim() == 0 and dim == [0, -1]:
                continue
            for keep in (False, True):
                expected = torch.sum(x, dim, keep)
                made = own_operators().aten.world.dispatcher.call(handle, ours(x), dim, keep, None)
                assert made.dtype.torch_name == str(expected.dtype)[6:]
                assert (made.sizes, made.strides) == (tuple(expected.size()), expected.stride())
                array = np.ascontiguousarray(made.numpy()).reshape(-1)
                got = torch.from_numpy(array.view(np.uint8)).view(expected.dtype)
                torch.testing.assert_close(got.reshape(expected.size()), expected)


def test_a_sum_of_a_million_is_torchs_to_its_own_tolerance() -> None:
    torch.manual_seed(1)
    for dtype in (torch.float32, torch.bfloat16, torch.complex64):
        x = torch.rand(1_000_003, dtype=torch.float32).to(dtype)
        made = own_operators().call("aten::sum", ours(x))
        got = torch.from_numpy(made.numpy().reshape(1).view(np.uint8)).view(dtype)[0]
        torch.testing.assert_close(got, x.sum())


def registrations(sample: str) -> list[tuple[str, str]]:
    text = (SAMPLES / sample).read_text()
    blocks = re.findall(r"^TORCH_LIBRARY_IMPL\(aten, (\w+), m\) \{(.*?)^\}", text, re.M | re.DOTALL)
    return [(key, op) for key, body in blocks for op in re.findall(r'm\.impl\("([^"]+)"', body)]


@pytest.mark.parametrize(
    "sample", ["binary_ops.cc", "scalar_ops.cc", "unary_ops.cc", "reduce_ops.cc"]
)
def test_torch_has_these_operators_and_these_kernels_and_no_others(sample: str) -> None:
    """Of the keys that the samples register for. What torch has in Python alone (`Meta` of relu, of
    sum) may be here or not."""
    text = re.sub(r'"\n *"', "", (SAMPLES / sample).read_text())
    schemas = re.findall(r'm\.def\("([^"]+)"\)', text)
    found = registrations(sample)
    keys = {key for key, _ in found}
    for schema in schemas:
        operator = schema.split("(")[0]
        dumped = torch._C._dispatch_dump(f"aten::{operator}")
        assert f"schema: aten::{schema}\n" in dumped
        pattern = r"(?m)^(\w+)(?:\[alias\]| \(inactive\))?: registered at (\S+):"
        theirs = [(key, file) for key, file in re.findall(pattern, dumped) if key in keys]
        ours = {key for key, op in found if op == operator}
        in_cpp = {key for key, file in theirs if not file.endswith(".py")}
        assert in_cpp <= ours <= {key for key, _ in theirs}, operator
