"""One registered kernel, tried: built, run on random data, compared with NumPy, timed.

This is what `unfold run` and the key `r` show. The time is the median of a few runs after one that
does not count; the throughput follows from the bytes that must cross the memory bus at least.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.kernels import brought
from registry_runtime.kernels.template import Build, Instance, KernelTemplate
from registry_runtime.lab.elements import elements, labelled
from registry_runtime.lab.phi import operands
from registry_runtime.lab.phi.experiment import in_words
from registry_runtime.lab.phi.outcome import Outcome, outcome_of
from registry_runtime.lab.phi.selection import key_named, listed
from registry_runtime.lab.timing import median_seconds
from registry_runtime.lab.values import on_host
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.call.launch import CallStory, Step, expected_dtype
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_transform import SPARSE_TENSORS
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.kernel import TO_RUN_IT, Kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelError, as_tuple
from registry_runtime.phi.place import CPU_PLACE, CustomPlace, GPUPlace
from registry_runtime.phi.runtime import Runtime

_RUNS = 7


@dataclass(frozen=True)
class Declared:
    """What the registration says that an output holds (`kernel->OutputAt(0)`), and what it held."""

    output: str
    index: int
    expected: DataType
    actual: DataType

    def __str__(self) -> str:
        where = f"OutputAt({self.index})"
        if self.expected is DataType.UNDEFINED:
            return f"{where} leaves {self.output} open; it holds {self.actual}"
        if self.expected is self.actual:
            return f"{where} says that {self.output} holds {self.expected}, and it does"
        return (
            f"{where} says that {self.output} holds {self.expected}, and the kernel wrote "
            f"{self.actual}: SetDataType in the braces can put it right"
        )


@dataclass(frozen=True)
class Trial:
    """What came of it. `seconds` is one run's median, `bytes` what a run must move at least. `declared`
    has one entry for each output of a kernel whose registration describes its outputs."""

    source: str
    build: Build
    outcome: Outcome
    seconds: float
    bytes: int
    declared: tuple[Declared, ...] = ()

    @property
    def inputs(self) -> tuple[NDArray[Any], ...]:
        """The tensors among the arguments."""
        return self.outcome.tensors

    @property
    def results(self) -> Mapping[str, NDArray[Any]]:
        return self.outcome.results

    @property
    def result(self) -> NDArray[Any]:
        """The first of them."""
        return next(iter(self.results.values()))

    @property
    def agrees(self) -> bool:
        return self.outcome.agrees

    def values(self, name: str) -> tuple[str, ...]:
        return tuple(elements(name, self.inputs, self.result))

    def report(self, values: Iterable[str] = ()) -> Iterator[str]:
        """Lines to read: what ran, these values of it, whether NumPy agrees, and last how fast."""
        yield f"kernel      {self.outcome.function}"
        yield f"source      {self.source}"
        shapes = ", ".join(f"{a.dtype}{list(a.shape)}" for a in self.inputs)
        yield f"inputs      {shapes}"
        for result in self.results.values():
            yield f"result      {result.dtype}{list(result.shape)}"
        for declared in self.declared:
            yield f"registered  {declared}"
        yield from labelled(values)
        yield f"NumPy       {'agrees' if self.agrees else 'DISAGREES'}"
        cached = ", from the cache on disk" if self.build.from_cache else ""
        yield f"built       {self.build.compile_seconds * 1e3:.0f} ms on {self.build.backend}{cached}"
        yield f"time        {self.seconds * 1e6:,.1f} µs"
        # Of the largest tensor: a sum has one element, and read a million.
        elements = max(tensor.size for tensor in (*self.inputs, *self.results.values()))
        rate = f"{elements / self.seconds / 1e6:,.0f} million elements/s"
        yield f"throughput  {self.bytes / self.seconds / 1e9:.2f} GB/s, {rate}"


def try_kernel(
    kernel: Kernel, size: int, seed: int = 0, texts: Mapping[str, str] | None = None
) -> Trial:
    """Build the kernel, run it on `size` random elements, compare with its NumPy reference. What
    `texts` give, by parameter, `operands` reads; the others follow it.

    Raises KernelError for a kernel that is only declared, whose device is missing, or whose
    arguments can't be read.
    """
    instance: Instance = instance_of(kernel)
    with in_words(instance.template.name) if texts else _fitting(size):
        arguments = made_arguments(instance, size, seed, texts)
        build = instance.build()
        result = instance.launch(*arguments)
    seconds = median_seconds(lambda _: _wait(instance.launch(*arguments)), _RUNS)
    results = tuple(map(on_host, as_tuple(result)))
    return Trial(
        source_of(instance),
        build,
        outcome_of(instance, str(kernel.function), arguments, results, seconds),
        seconds,
        instance.bytes_moved(arguments, result),
        _declared(kernel, instance, results),
    )


@contextmanager
def _fitting(size: int) -> Iterator[None]:
    """Of made-up arguments there is only one thing to refuse: how many elements they have."""
    try:
        yield
    except (MemoryError, ValueError, OverflowError):
        raise KernelError(
            f"{size:,} elements do not fit into memory: try fewer with --size"
        ) from None


def made_arguments(
    instance: Instance, size: int, seed: int, texts: Mapping[str, str] | None
) -> tuple[Any, ...]:
    """For `launch`: the kernel's sample, or what `texts` give. Raises KernelError."""
    rng = np.random.default_rng(seed)
    if not texts:
        return instance.sample_inputs(size, rng)
    template, T = instance.template, instance.dtype
    return instance.placed(operands.arguments(template, T, texts, "random", rng, size))


def tell_call(
    runtime: Runtime,
    name: str,
    kernel: Kernel,
    size: int,
    inputs_on: str | None = None,
    texts: Mapping[str, str] | None = None,
) -> CallStory:
    """Call `name` on `size` made-up elements of the kernel's data type, and tell each step.

    `inputs_on` is the backend whose memory the inputs are in: a device, loaded or not, or the CPU;
    by default the kernel's own. Another one shows what a call has to bring where. Raises KernelError
    for a kernel that is only declared.
    """
    instance: Instance = instance_of(kernel)
    here = inputs_on or _backend_of(runtime, name, kernel)
    here = "CPU" if here in _ON_THE_CPU else here
    plugin = next((d for d in runtime.custom_devices if d.lower() == here.lower()), None)
    if here.upper() in _PLACES:
        place = _PLACES[here.upper()]
    elif plugin is not None:
        place = CustomPlace(plugin)
    else:
        there = listed([*_PLACES, *runtime.custom_devices])
        raise KernelError(f"no tensor can be on {here}; there are {there}")
    arguments = made_arguments(instance, size, 0, texts)
    try:
        placed = [
            DenseTensor.at(on_host(a), place) if _is_array(a) or isinstance(a, DenseTensor) else a
            for a in arguments
        ]
    except EnforceNotMet as error:
        raise KernelError(error.message) from None
    return runtime.explain_call(name, *placed)


def tell_declared(
    runtime: Runtime, name: str, kernel: Kernel, inputs_on: str | None = None
) -> CallStory:
    """The call of a kernel that nobody wrote in Python, told as far as the registry decides it: the key
    that such inputs make, the selection, what becomes of the inputs, and what is launched."""
    key = _key_of(runtime, name, kernel)
    if inputs_on is not None:
        try:
            key = key_named(runtime, inputs_on, str(key.layout), str(key.dtype))
        except ValueError as error:
            raise KernelError(str(error)) from None
    selection = runtime.explain_selection(name, key)
    steps = [Step("key", f"inputs of {key.dtype} on {key.backend} make the key {key}", key)]
    steps += [Step("selection", said, selection) for said in selection.steps]
    steps += [Step("transform", said, selection) for said in selection.transforms]
    if selection.result is None:
        return CallStory(name, tuple(steps), error=selection.error)
    found = selection.result.kernel
    on = "the CPU" if selection.result.has_fallback_cpu else key.backend
    said = (
        f"{found.fn.name} is launched on {on}; its C++ body is not run here, and nobody wrote it "
    )
    said += f"in Python; {TO_RUN_IT}"
    return CallStory(name, (*steps, Step("launch", said, found)))


def _key_of(runtime: Runtime, name: str, kernel: Kernel) -> KernelKey:
    """The key of a call that finds the kernel, in a layout that tensors have."""
    held = runtime.factory.kernels.get(name, {})
    key = next(key for key, one in held.items() if one is kernel)
    if key.layout is not DataLayout.ALL_LAYOUT:
        return key
    taken = (d.layout for d in kernel.args_def.input_defs)
    layout = next((one for one in taken if one in SPARSE_TENSORS), DataLayout.NCHW)
    return replace(key, layout=layout)


_PLACES = {"CPU": CPU_PLACE, "GPU": GPUPlace()}
_ON_THE_CPU = frozenset({"ONEDNN"})  # a library, whose tensors lie in the host's memory


def _backend_of(runtime: Runtime, name: str, kernel: Kernel) -> str:
    kernels = runtime.factory.kernels.get(name, {})
    return next((str(key.backend) for key, held in kernels.items() if held is kernel), "CPU")


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def _declared(
    kernel: Kernel, instance: Instance, results: tuple[NDArray[Any], ...]
) -> tuple[Declared, ...]:
    if not kernel.args_def.output_defs:
        return ()
    return tuple(
        Declared(name, i, expected_dtype(kernel, i), DataType.of(result.dtype))
        for i, name, result in _outputs(instance.template, results)
    )


def _outputs(
    template: KernelTemplate, results: tuple[NDArray[Any], ...]
) -> Iterator[tuple[int, str, NDArray[Any]]]:
    """Each result with the index of the output that it is, or is one of."""
    last = len(template.outputs) - 1
    for i, (name, result) in enumerate(
        zip(template.result_names(len(results)), results, strict=True)
    ):
        yield min(i, last), name, result


def source_of(instance: Instance) -> str:
    """The Python module that the kernel's template was written in, or the package's folder; or the
    file that brought it."""
    if (file := brought.file_of(instance.template.name)) is not None:
        return str(file)
    name = instance.template.name.rpartition("::")[2]
    written_in = instance.template.signature.__module__  # it may be shared between modules
    for module_name, module in list(sys.modules.items()):
        ours = module_name.startswith("registry_runtime.kernels.")
        if ours and getattr(module, name, None) is instance.template:
            written_in = module_name
    is_package = hasattr(sys.modules[written_in], "__path__")
    return written_in.replace(".", "/") + ("/" if is_package else ".py")


def _wait(result: Any) -> None:
    """A GPU kernel is only started by its launch."""
    for output in as_tuple(result):
        synchronize = getattr(getattr(output, "device", None), "synchronize", None)
        if synchronize is not None:
            synchronize()
