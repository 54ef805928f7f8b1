"""One operator of PyTorch, tried: called through the dispatcher on made-up tensors, compared with
NumPy, timed.

What to pass, the schema says: an array for each tensor, the default where there is one, a 1 for any
other number. What is shown is the first call, told the long way, which builds the loop; the time is
that of further calls, as Python code makes them.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.aten.calling import CallStory, find
from registry_runtime.aten.dispatch.hop import Hop
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.python_front.operators import ARITHMETIC
from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.tensor.checked_arrays import checked_scalar_type
from registry_runtime.aten.tensor.device import CPU, Device, DeviceType
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty, empty_strided
from registry_runtime.kernels.device import to_device
from registry_runtime.lab.aten.reference import agrees_with_numpy
from registry_runtime.lab.elements import elements, labelled
from registry_runtime.lab.timing import median_seconds
from registry_runtime.lab.values import made_up, on_host
from registry_runtime.near import did_you_mean
from registry_runtime.phi.kernel_template import KernelError

if TYPE_CHECKING:
    from registry_runtime.aten.schema.function_schema import Argument, FunctionSchema

# What `Runtime.front` has.
FRONT = {
    f"{of.name}.{of.overload_name}": of.name.removeprefix("aten::")
    for one in ARITHMETIC
    for of in (one.of, one.in_place)
}
_RUNS = 15
_CACHE_BYTES, _MOST_SETS = 1 << 26, 16
_DEVICES = {
    "CPU": DeviceType.CPU,
    "GPU": DeviceType.CUDA,
    "CUDA": DeviceType.CUDA,
    "META": DeviceType.Meta,
}
_NUMBERS: Mapping[str, Any] = {"Scalar": 1, "int": 1, "float": 1.0, "bool": True, "SymInt": 1}


@dataclass(frozen=True)
class OperatorTrial:
    """What came of it. `seconds` is one call's median, and `build_seconds` what the first call took
    more; `agrees` None where NumPy has no such function, or where there are no elements to compare.
    """

    story: CallStory
    inputs: tuple[Tensor, ...]
    result: Any
    agrees: bool | None
    seconds: float
    build_seconds: float
    bytes: int

    def values(self, name: str) -> tuple[str, ...]:
        results = _tensors(self.result)[:1]
        tensors = (*self.inputs, *results)
        if not results or any(tensor.device.type is not DeviceType.CPU for tensor in tensors):
            return ()
        *inputs, result = (tensor.numpy() for tensor in tensors)
        return tuple(elements(name, inputs, result))

    @property
    def results(self) -> Mapping[str, NDArray[Any]]:
        tensors = [t for t in _tensors(self.result) if t.device.type is not DeviceType.Meta]
        names = ["out"] if len(tensors) == 1 else [f"out{i}" for i in range(len(tensors))]
        arrays = (on_host(tensor.numpy_or_cupy()) for tensor in tensors)
        return dict(zip(names, arrays, strict=True))

    def report(self, values: Iterable[str] = ()) -> Iterator[str]:
        """Lines to read: where the call went, these values of it, whether NumPy agrees, and last how
        fast it was."""
        yield f"operator    {self.story.schema}"
        yield f"inputs      {', '.join(map(shown, self.inputs)) or 'no tensors'}"
        for result in _tensors(self.result):
            yield f"result      {shown(result)}"
        if self.result is not None and not _tensors(self.result):
            yield f"result      {self.result}"
        yield f"hops        {hops(self.story)}"
        last = own_hops(self.story)[-1]
        yield f"kernel      {last.kernel.kernel.function} for {last.key} [{last.reason}]"
        for choice in dict.fromkeys(self.story.stubs):
            filled = ", ".join(choice.filled)
            yield f"capability  {choice.slot}: {choice.stub} has {filled}"
        yield from labelled(values)
        if self.agrees is not None:
            yield f"NumPy       {'agrees' if self.agrees else 'DISAGREES'}"
        yield f"built       {self.build_seconds * 1e3:.0f} ms"
        yield f"time        {self.seconds * 1e6:,.1f} µs"
        if self.bytes:
            yield f"throughput  {self.bytes / self.seconds / 1e9:.2f} GB/s"


def hops(story: CallStory) -> str:
    """`AutogradCPU → ADInplaceOrView → CPU`"""
    return " → ".join(str(hop.key) for hop in own_hops(story))


def own_hops(story: CallStory) -> list[Hop]:
    """Those of the call itself, without those of operators that a kernel calls."""
    return [hop for hop in story.hops if hop.op == story.hops[0].op]


def shown(tensor: Tensor) -> str:
    """`float32[2, 3]`, with the device where it is not the CPU."""
    where = "" if tensor.device.type is DeviceType.CPU else f" on {tensor.device}"
    return f"{tensor.dtype.torch_name}{list(tensor.sizes)}{where}"


def schema_of(runtime: Runtime, name: str) -> FunctionSchema:
    """The schema of an operator that can be called. Raises KernelError, with what there is."""
    try:
        return find(runtime.world, name).schema()
    except TorchError as error:
        raise KernelError(f"{error.message.rstrip('.')}; {error.hint}") from error


def sample_arguments(
    schema: FunctionSchema, dtype: ScalarType, shape: Sequence[int], device: Device, seed: int = 0
) -> dict[str, Any]:
    """Values for all parameters that have no default. Raises KernelError for one of another type."""
    rng = np.random.default_rng(seed)
    return {
        argument.name: random_tensor(dtype, shape, rng, device)
        if str(argument.type) == "Tensor"
        else sample_value(argument)
        for argument in schema.arguments
        if not argument.has_default
    }


def device_named(backend: str | None) -> Device:
    """`CPU`, `GPU` or `Meta`. Raises KernelError for another."""
    kind = _DEVICES.get((backend or "CPU").upper())
    if kind is None:
        raise KernelError(f"no tensor can be on {backend} here; there are CPU, GPU and Meta")
    return Device.parse(str(kind))


def dtype_named(name: str) -> ScalarType:
    """`float32`, or `float` as C++ has it. Raises KernelError for another."""
    by_name = {t.torch_name: t for t in ScalarType} | {t.cpp: t for t in ScalarType}
    if name in by_name:
        return by_name[name]
    hint = did_you_mean(name, by_name, "float32 is one")
    raise KernelError(f"PyTorch has no dtype '{name}'; {hint}")


def try_operator(
    runtime: Runtime,
    name: str,
    dtype: str = "float32",
    shape: Sequence[int] = (1_000_000,),
    backend: str | None = None,
) -> OperatorTrial:
    """Call the operator on made-up tensors of this shape.

    Raises KernelError where there is no such operator, or where the call is refused.
    """
    schema, device = schema_of(runtime, name), device_named(backend)
    values = sample_arguments(schema, dtype_named(dtype), shape, device)
    with made_up_may_be_resized():
        return try_call(runtime, name, values)


@contextmanager
def made_up_may_be_resized() -> Iterator[None]:
    """Without PyTorch's warning of an `out` whose elements get lost: its shape was nobody's wish."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "An output with one or more elements was resized")
        yield


def try_call(runtime: Runtime, name: str, values: Mapping[str, Any]) -> OperatorTrial:
    """Call the operator on these arguments, by name. Raises KernelError where that is refused.

    An operator in place writes into them once; it is built and timed on copies of them.
    """
    tensors = {k: v for k, v in values.items() if isinstance(v, Tensor)}
    on_meta = any(t.device.type is DeviceType.Meta for t in tensors.values())
    before = {k: _copy(v) for k, v in tensors.items()}
    launch = _launcher(runtime, name)
    # What a call in place leaves behind is no input for the next one.
    own = _copies(values) if schema_of(runtime, name).is_mutable else values
    # The first call is the one that is shown: a body may keep a `static` variable from call to call.
    started = time.perf_counter()
    story = runtime.explain_call(name, **values)
    first = time.perf_counter() - started
    if story.error:
        said = story.error.partition("\n\n")[0]  # behind that comes the operator's whole table
        raise refusal(f"{said} ({story.hint})" if story.hint else said, story.refused)
    result = story.result
    agrees = None if on_meta else agrees_with_numpy(name, before, values, result)
    moved = {id(t): t.numel() * t.dtype.itemsize for t in (*tensors.values(), *_tensors(result))}
    total = 0 if on_meta else sum(moved.values())
    count = min(max(_CACHE_BYTES // max(total, 1), 1), _MOST_SETS)
    sets = [own, *(_copies(own) for _ in range(count - 1))]
    launch(own)  # which finds the short way, for those that are timed
    # One set after the other, which so are in no cache, as in a benchmark.
    seconds = median_seconds(lambda i: launch(sets[i % count]), _RUNS)
    built = max(first - seconds, 0.0)
    return OperatorTrial(story, tuple(before.values()), result, agrees, seconds, built, total)


def refusal(said: str, error: Exception | None) -> KernelError:
    """What is said of a call that this ended, at the place of the body that ran, if one did."""
    at = error.at if isinstance(error, TorchError) else None
    made = KernelError(said, at.span, at.text or "") if at is not None else KernelError(said)
    made.__cause__ = error
    return made


def sample_value(argument: Argument) -> Any:
    """What to pass for a parameter that is no tensor and has no default. Raises KernelError."""
    kind = str(argument.type)
    if kind in _NUMBERS:
        return _NUMBERS[kind]
    if kind == "Tensor" or kind.endswith("?"):
        return None
    raise KernelError(f"the parameter {argument.name} is a {kind}, and nothing is made up for that")


def random_tensor(
    dtype: ScalarType, shape: Sequence[int], rng: np.random.Generator, device: Device = CPU
) -> Tensor:
    """A contiguous tensor of made-up numbers. Raises KernelError where memory can't hold it."""
    try:
        if device.type is DeviceType.Meta:
            return empty(tuple(shape), dtype, device)
        return tensor_on(made_up(dtype.numpy, tuple(shape), rng), device)
    except (MemoryError, ValueError, OverflowError):
        raise KernelError(f"{shape} elements do not fit into memory: try fewer") from None


def tensor_on(array: NDArray[Any], device: Device) -> Tensor:
    """A tensor of these values on the device; of a meta device, one that has none. Raises KernelError
    where there is no such device."""
    if device.type is DeviceType.Meta:
        return empty(array.shape, checked_scalar_type(array), device)
    if device.type is DeviceType.CUDA:
        array = to_device(array)
    return Tensor.from_array(array)


def _copy(tensor: Tensor) -> Tensor:
    """One of the same layout."""
    if tensor.device.type is DeviceType.Meta:
        return tensor
    copy = empty_strided(tensor.sizes, tensor.strides, tensor.dtype, tensor.device)
    copy.numpy_or_cupy()[...] = tensor.numpy_or_cupy()
    return copy


def _copies(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _copy(v) if isinstance(v, Tensor) else v for k, v in values.items()}


def _launcher(runtime: Runtime, name: str) -> Callable[[Mapping[str, Any]], object]:
    """The call as Python code makes it, if the operator has a front; else by its name."""
    method = FRONT.get(name)
    if method is None:
        return lambda values: runtime.call(name, **values)
    call = getattr(runtime.front, method)
    only_named = {a.name for a in schema_of(runtime, name).arguments if a.kwarg_only}

    def launch(values: Mapping[str, Any]) -> object:
        named = {k: v for k, v in values.items() if k in only_named}
        return call(*(v for k, v in values.items() if k not in only_named), **named)

    return launch


def _tensors(result: Any) -> tuple[Tensor, ...]:
    found = result if isinstance(result, tuple | list) else (result,)
    return tuple(one for one in found if isinstance(one, Tensor))
