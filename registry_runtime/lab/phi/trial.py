"""One registered kernel, tried: built, run on random data, compared with NumPy, timed.

This is what `unfold run` and the key `r` show. The time is the median of a few runs after one that
does not count; the throughput follows from the bytes that must cross the memory bus at least.
"""

from __future__ import annotations

import difflib
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from registry_runtime.kernels import Instance, KernelTemplate, gpu
from registry_runtime.kernels.machine_code import hot_loop
from registry_runtime.lab.elements import labelled
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.call.launch import CallStory, expected_dtype
from registry_runtime.phi.data_type import DataType, cpp_type_to_data_type
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.place import CPU_PLACE, CustomPlace, GPUPlace
from registry_runtime.phi.runtime import Runtime

_RUNS = 7
_ENOUGH_SECONDS = 1.0  # a slow kernel is not run seven times


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
    """What came of it. `inputs` are the tensors among the arguments; `seconds` is one run's median.

    `more_results` are the second output and the following. `declared` has one entry for each output
    of a kernel whose registration describes its outputs.
    """

    function: str
    source: str
    backend: str
    inputs: tuple[NDArray[Any], ...]
    result: NDArray[Any]
    reference: NDArray[Any] | None
    agrees: bool | None
    seconds: float
    compile_seconds: float
    from_cache: bool
    gigabytes_per_second: float
    elements_per_second: float
    more_results: tuple[NDArray[Any], ...] = ()
    declared: tuple[Declared, ...] = ()

    def report(self, values: Iterable[str] = ()) -> Iterator[str]:
        """Lines to read: what ran, these values of it, whether NumPy agrees, and last how fast."""
        yield f"kernel      {self.function}"
        yield f"source      {self.source}: Python stands in for the C++ body, which is not compiled"
        shapes = ", ".join(f"{a.dtype}{list(a.shape)}" for a in self.inputs)
        yield f"inputs      {shapes}"
        for result in (self.result, *self.more_results):
            yield f"result      {result.dtype}{list(result.shape)}"
        for declared in self.declared:
            yield f"registered  {declared}"
        yield from labelled(values)
        if self.agrees is not None:
            yield f"NumPy       {'agrees' if self.agrees else 'DISAGREES'}"
        cached = ", from the cache on disk" if self.from_cache else ""
        yield f"built       {self.compile_seconds * 1e3:.0f} ms on {self.backend}{cached}"
        yield f"time        {self.seconds * 1e6:,.1f} µs"
        rate = f"{self.elements_per_second / 1e6:,.0f} million elements/s"
        yield f"throughput  {self.gigabytes_per_second:.2f} GB/s, {rate}"


def try_kernel(kernel: Kernel, size: int, seed: int = 0) -> Trial:
    """Build the kernel, run it on `size` random elements, compare with its NumPy reference.

    Raises KernelError for a kernel that is only declared, or whose device is missing.
    """
    instance: Instance = instance_of(kernel)
    try:
        arguments = instance.sample_inputs(size, np.random.default_rng(seed))
        build = instance.build()
        result = instance.launch(*arguments)
    except (MemoryError, ValueError, OverflowError):
        raise KernelError(
            f"{size:,} elements do not fit into memory: try fewer with --size"
        ) from None
    seconds = _median_seconds(instance, arguments)
    host = [_on_host(a) for a in arguments]
    reference = _as_tuple(instance.reference(*host))
    results = tuple(_on_host(r) for r in _as_tuple(result))
    on_host = results[0]
    tensors = tuple(np.asarray(a) for a in host if isinstance(a, np.ndarray | DenseTensor))
    return Trial(
        function=str(kernel.function),
        source=source_of(instance),
        backend=build.backend,
        inputs=tensors,
        result=on_host,
        reference=reference[0],
        agrees=instance.agrees(tuple(host), results),
        seconds=seconds,
        compile_seconds=build.compile_seconds,
        from_cache=build.from_cache,
        gigabytes_per_second=instance.bytes_moved(arguments, result) / seconds / 1e9,
        # Of the largest tensor: a sum has one element, and read a million.
        elements_per_second=max(t.size for t in (*tensors, *results)) / seconds,
        more_results=results[1:],
        declared=_declared(kernel, instance, results),
    )


def listing(kernel: Kernel, how: Literal["loop", "all", "llvm"]) -> Iterator[str]:
    """The machine code behind a kernel: its hot loop, all of it, or LLVM's form of it.

    For a GPU it is CUDA source. Raises KernelError for a kernel that is only declared.
    """
    instance: Instance = instance_of(kernel)
    if instance.backend == "GPU":  # which nobody need have, to read it
        text = gpu.source(instance.template, instance.dtype)
        yield text or "This kernel is cuBLAS's work: it has no source of ours."
        return
    build = instance.build()
    if how == "llvm":
        yield build.llvm() or "Numba keeps no LLVM IR of this kernel."
        return
    code = build.code()
    loop = hot_loop(code)
    if how == "all" or loop is None:
        yield code
        return
    total = sum(line.startswith("\t") and not line.startswith("\t.") for line in code.splitlines())
    lanes = loop.bits // (8 * instance.dtype.numpy.itemsize)
    width = (
        f"{loop.bits} bits, {lanes} of {instance.dtype} at a time" if loop.bits else "no vectors"
    )
    yield f"kernel  {kernel.function}"
    yield f"width   {width}"
    yield f"loop    {loop.instructions} of {total} instructions; --asm all shows the others"
    yield ""
    yield loop.text


def tell_call(
    runtime: Runtime, name: str, kernel: Kernel, size: int, inputs_on: str | None = None
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
        there = _listed(dict.fromkeys([*_PLACES, *runtime.custom_devices]))
        raise KernelError(f"no tensor can be on {here}; there are {there}")
    arguments = instance.sample_inputs(size, np.random.default_rng(0))
    try:
        placed = [
            DenseTensor.at(_on_host(a), place) if _is_array(a) or isinstance(a, DenseTensor) else a
            for a in arguments
        ]
    except EnforceNotMet as error:
        raise KernelError(error.message) from None
    return runtime.explain_call(name, *placed)


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


def find_registered(
    runtime: Runtime, name: str, backend: str | None = None, dtype: str | None = None
) -> Kernel:
    """The kernel that is registered under this name for this backend and dtype, as they are printed.

    What is left open is chosen: the CPU if it is registered for it, then the first dtype. Raises
    KernelError, with what there is, for what is not registered.
    """
    kernels = runtime.factory.kernels.get(name)
    if kernels is None and name in runtime.custom_kernels.kernels:
        raise KernelError(
            f"{name} waits in CustomKernelMap: a plug-in registered it, and it can't be selected "
            "before the plug-in's runtime is loaded and RegisterCustomKernels moves it"
        )
    if kernels is None:
        close = difflib.get_close_matches(name, runtime.factory.kernels, 1, 0.7)
        hint = (
            f"did you mean {close[0]}?"
            if close
            else "`unfold kernels` lists what is there; PyTorch's operators are called with their "
            "namespace, as in aten::add.Tensor"
        )
        raise KernelError(f"no kernel named '{name}' is registered; {hint}")
    backends = list(dict.fromkeys(str(key.backend) for key in kernels))
    if dtype is not None:
        dtype = _as_printed(dtype)
    if backend is None:
        backend = "CPU" if "CPU" in backends else backends[0]
    for key, kernel in kernels.items():
        if str(key.backend).lower() == backend.lower() and dtype in (None, str(key.dtype)):
            return kernel
    if backend not in backends:
        raise KernelError(f"{name} is not registered for {backend}; it is for {_listed(backends)}")
    dtypes = _listed(str(key.dtype) for key in kernels if str(key.backend) == backend)
    raise KernelError(f"{name} on {backend} is not registered for {dtype}; it is for {dtypes}")


def _as_printed(dtype: str) -> str:
    """`int` is registered in C++ and printed as `int32`: either will do."""
    try:
        return str(cpp_type_to_data_type(dtype))
    except KeyError:
        return dtype


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def source_of(instance: Instance) -> str:
    """The Python module that the kernel's template was written in, or the package's folder."""
    name = instance.template.name.rpartition("::")[2]
    written_in = instance.template.signature.__module__  # it may be shared between modules
    for module_name, module in list(sys.modules.items()):
        ours = module_name.startswith("registry_runtime.kernels.")
        if ours and getattr(module, name, None) is instance.template:
            written_in = module_name
    is_package = hasattr(sys.modules[written_in], "__path__")
    return written_in.replace(".", "/") + ("/" if is_package else ".py")


def _median_seconds(instance: Instance, arguments: tuple[Any, ...]) -> float:
    times: list[float] = []
    while len(times) < _RUNS and sum(times) < _ENOUGH_SECONDS:
        started = time.perf_counter()
        _wait(instance.launch(*arguments))
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def _wait(result: Any) -> None:
    """A GPU kernel is only started by its launch."""
    for output in _as_tuple(result):
        synchronize = getattr(getattr(output, "device", None), "synchronize", None)
        if synchronize is not None:
            synchronize()


def _as_tuple(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def _on_host(value: Any) -> Any:
    return value.get() if hasattr(value, "get") and hasattr(value, "shape") else value
