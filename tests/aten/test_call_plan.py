"""The short way gives what the long way gives, and is gone as soon as anything changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten import call_plan
from registry_runtime.aten.call_plan import PlannedFront
from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.kernel_function import (
    Stack,
    makeFallthrough,
    makeFromBoxedFunction,
    makeFromUnboxedFunction,
)
from registry_runtime.aten.dispatch.local_keys import (
    AutoDispatchBelowADInplaceOrView,
    ExcludeDispatchKeyGuard,
    IncludeDispatchKeyGuard,
)
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.python_front import PythonFront
from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.structured import told_to
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor, wrapped_scalar_tensor
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.linking import load

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "aten"


@pytest.fixture
def runtime() -> Runtime:
    return load([SAMPLES / name for name in ("add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc")]).aten


def tensor(array: Any, dtype: Any = None) -> Tensor:
    return Tensor.from_array(np.asarray(array, dtype))


def watch(front: PlannedFront, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Counts the calls that go the long way."""
    calls = []
    real = call_plan._watched

    def counted(*arguments: Any) -> Any:
        calls.append(None)
        return real(*arguments)

    monkeypatch.setattr(call_plan, "_watched", counted)
    return lambda: len(calls)


def test_the_second_call_of_a_kind_is_short_and_the_same(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    front = runtime.front
    long_calls = watch(front, monkeypatch)
    rng = np.random.default_rng(0)
    for dims in ((1,), (), (7, 5), (0, 3), (70000,), (1,)):
        a, b = rng.standard_normal((2, *dims), np.float32)
        x, y = tensor(a, np.float32), tensor(b, np.float32)
        result = front.add(x, y)
        np.testing.assert_array_equal(result.numpy(), np.asarray(a + b))
        assert result.sizes == dims
        assert result.dtype is x.dtype
    assert long_calls() == 1


def test_alpha_belongs_to_the_plan(runtime: Runtime) -> None:
    front, x, y = runtime.front, tensor([1.0, 2.0]), tensor([3.0, -0.0])
    for alpha in (2, 0.5, True, -0.0, 0.0, 2, 0.5, -0.0, 0.0):
        if alpha is True:
            with pytest.raises(TorchError, match="Boolean alpha only supported"):
                front.add(x, y, alpha=True)
            continue
        got = front.add(x, y, alpha=alpha).numpy()
        expected = x.numpy() + alpha * y.numpy()
        np.testing.assert_array_equal(got, expected)
        np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([[1, 2], [3, 4]], [1, 2]),
        (np.arange(9).reshape(3, 3).T, np.arange(9).reshape(3, 3)),
        (np.arange(8)[::2], np.arange(4)),
        (np.arange(4), np.arange(4, dtype=np.int32)),
        (np.arange(4), 5),
    ],
)
def test_what_the_plan_does_not_cover_goes_the_long_way(runtime: Runtime, a: Any, b: Any) -> None:
    front = runtime.front
    front.plus(tensor(np.arange(4)), tensor(np.arange(4)))  # makes the plan for int64
    other = b if isinstance(b, int) else tensor(b)
    np.testing.assert_array_equal(front.plus(tensor(a), other).numpy(), np.asarray(a) + b)


def test_errors_are_the_long_ways(runtime: Runtime) -> None:
    x = tensor([1, 2])
    short, long = runtime.front, PythonFront(runtime.dispatcher)
    short.add(x, x)
    calls: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
        ((x, tensor([1, 2, 3])), {}),
        ((x, x), {"alpha": 1.5}),
        ((x, x), {"alpha": [1]}),
        ((x,), {}),
        ((x, x, 3), {}),
        ((x, x), {"beta": 3}),
    )
    for args, kwargs in calls:
        said = []
        for front in (short, long):
            with pytest.raises((TorchError, TypeError)) as error:
                front.add(*args, **kwargs)
            said.append((type(error.value), str(error.value)))
        assert said[0] == said[1]


def test_a_number_that_is_a_tensor_keeps_its_weak_type(runtime: Runtime) -> None:
    front, x = runtime.front, tensor(1.5)
    front.add(x, x)
    weak = wrapped_scalar_tensor(Scalar(1.5))
    assert front.add(weak, weak).dtype is not x.dtype  # of two numbers: the default type
    assert front.add(x, x).dtype is x.dtype


def test_registering_and_taking_back_forget_the_plans(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    front, x = runtime.front, tensor([1, 2])
    long_calls = watch(front, monkeypatch)
    front.add(x, x)
    seen = []

    def mine(self: Tensor, other: Tensor, alpha: Scalar) -> Tensor:
        seen.append(alpha)
        return self

    handle = runtime.dispatcher.registerImpl(
        OperatorName("aten::add", "Tensor"),
        DispatchKey.CPU,
        makeFromUnboxedFunction(mine),
    )
    # Somebody else's function is called each time: no plan is made of it.
    assert front.add(x, x).numpy().tolist() == front.add(x, x).numpy().tolist() == [1, 2]
    assert len(seen) == 2
    handle.reset()
    assert front.add(x, x).numpy().tolist() == front.add(x, x).numpy().tolist() == [2, 4]
    assert long_calls() == 4


def test_another_kernel_in_the_stub_forgets_the_plans(runtime: Runtime) -> None:
    front, x = runtime.front, tensor([1, 2])
    front.add(x, x)
    stub = runtime.stubs["add_stub"]
    for capability in CPUCapability:
        stub.set_slot(capability, lambda iter, alpha: iter.output().numpy().fill(7))
    assert front.add(x, x).numpy().tolist() == front.add(x, x).numpy().tolist() == [7, 7]


def test_whoever_listens_hears_of_every_call(runtime: Runtime) -> None:
    front, x = runtime.front, tensor([1, 2])
    front.add(x, x)
    stories: list[Any] = []
    with told_to(stories):
        front.add(x, x)
    hops: list[Any] = []
    runtime.dispatcher.tell = hops.append
    front.add(x, x)
    runtime.dispatcher.tell = None
    said: list[str] = []
    front.tell = said.append
    front.add(x, x)
    front.tell = None
    assert stories
    assert hops
    assert said
    count = len(said)
    front.add(x, x)
    assert len(said) == count


def test_a_threads_own_keys_go_the_long_way(runtime: Runtime) -> None:
    front, x = runtime.front, tensor([1, 2])
    front.add(x, x)
    hops: list[Any] = []
    with AutoDispatchBelowADInplaceOrView():
        assert front.add(x, x).numpy().tolist() == [2, 4]
        runtime.dispatcher.tell = hops.append
        front.add(x, x)
        runtime.dispatcher.tell = None
    assert [str(hop.key) for hop in hops] == ["CPU"]


def test_what_was_resized_is_seen(runtime: Runtime) -> None:
    front, x = runtime.front, tensor([1, 2, 3, 4])
    front.add(x, x)
    x.as_strided_((2,), (2,))
    assert front.add(x, x).numpy().tolist() == [2, 6]


NAME = "aten::add.Tensor"


def python_calls(function: Callable[[], object]) -> int:
    """How many Python functions run in one call of this one, itself counted."""
    count = 0

    def heard(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(heard)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


def test_the_second_call_by_name_is_short(runtime: Runtime) -> None:
    x, y = np.arange(4.0), np.ones(4)
    for named in ({}, {"alpha": 2}):
        runtime.call(NAME, x, y, **named)
        assert python_calls(lambda named=named: runtime.call(NAME, x, y, **named)) <= 60


def test_a_call_by_name_and_one_from_python_have_one_plan(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_calls, x = watch(runtime.front, monkeypatch), tensor([1, 2])
    runtime.front.add(x, x, alpha=2)
    runtime.front.plus(x, x)
    assert runtime.call(NAME, x, x, alpha=2).numpy().tolist() == [3, 6]
    assert runtime.call(NAME, x, x).numpy().tolist() == [2, 4]
    assert long_calls() == 2


def test_a_registration_between_two_calls_by_name_is_seen(runtime: Runtime) -> None:
    x = np.array([1, 2])
    assert runtime.call(NAME, x, x).tolist() == runtime.call(NAME, x, x).tolist() == [2, 4]
    name = OperatorName("aten::add", "Tensor")
    first = makeFromUnboxedFunction(lambda self, other, alpha: self)
    handle = runtime.dispatcher.registerImpl(name, DispatchKey.CPU, first)
    assert runtime.call(NAME, x, x).tolist() == [1, 2]
    handle.reset()
    assert runtime.call(NAME, x, x).tolist() == [2, 4]


def test_a_fallback_between_two_calls_by_name_is_seen(runtime: Runtime) -> None:
    def refuse(op: OperatorHandle, keys: DispatchKeySet, stack: Stack) -> None:
        raise TorchError("the wrapper was asked")

    key, x = DispatchKey.TESTING_ONLY_GenericWrapper, np.array([1, 2])
    handle = runtime.dispatcher.registerFallback(key, makeFallthrough())
    with IncludeDispatchKeyGuard(key):
        runtime.call(NAME, x, x)
        assert python_calls(lambda: runtime.call(NAME, x, x)) <= 60
        handle.reset()
        handle = runtime.dispatcher.registerFallback(key, makeFromBoxedFunction(refuse))
        for _ in range(2):
            with pytest.raises(TorchError, match="the wrapper was asked"):
                runtime.call(NAME, x, x)
    assert runtime.call(NAME, x, x).tolist() == [2, 4]
    handle.reset()


def test_a_key_excluded_between_two_calls_by_name_is_seen(runtime: Runtime) -> None:
    x = np.array([1, 2])
    runtime.call(NAME, x, x)
    with ExcludeDispatchKeyGuard(DispatchKey.Dense):
        for _ in range(2):
            with pytest.raises(TorchError, match="There were no tensor arguments"):
                runtime.call(NAME, x, x)
    assert runtime.call(NAME, x, x).tolist() == [2, 4]


def test_the_half_of_a_structured_kernel_between_two_calls_is_seen() -> None:
    program = load([SAMPLES / name for name in ("add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc")])
    x = np.ones(2, np.int32)
    for _ in range(2):
        program.call(NAME, x, x)
    path = SAMPLES / "ufunc_add.cc"
    check = "native::alpha_check(dtype(), alpha);"
    source = path.read_text()
    assert check in source
    changed = source.replace(check, f'{check} TORCH_CHECK(self.dim() == 2, "two dimensions");')
    open_file(path, Options(unsaved=((str(path), changed),)), program)
    for _ in range(2):
        with pytest.raises(TorchError, match="two dimensions"):
            program.call(NAME, x, x)


def test_a_body_that_looks_at_sizes_is_run_in_every_call() -> None:
    program = load([SAMPLES / name for name in ("add.cc", "ufunc_add_kernel.cc")])
    path = SAMPLES / "ufunc_add.cc"
    check = "native::alpha_check(dtype(), alpha);"
    changed = path.read_text().replace(
        check, f'{check} TORCH_CHECK(self.dim() == 2, "two dimensions");'
    )
    open_file(path, Options(unsaved=((str(path), changed),)), program)
    for _ in range(2):
        program.call(NAME, np.ones((2, 2)), np.ones((2, 2)))
        with pytest.raises(TorchError, match="two dimensions"):
            program.call(NAME, np.ones(2), np.ones(2))
