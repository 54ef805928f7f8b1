"""One registered kernel on arguments that somebody chose: built, run, compared with NumPy, timed.

`trial` tries a kernel on made-up data of some size. Here every tensor's shape, what fills it and every
attribute is chosen, and the four things are asked for one at a time. An experiment says
what is to be tried and holds nothing else, so that it can be handed on: to a benchmark, say.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from registry_runtime.benchmark import peers
from registry_runtime.benchmark.sweep import Case, first, gpu_wait, kernel_name
from registry_runtime.kernels import Build, Instance, gpu
from registry_runtime.kernels.machine_code import hot_loop, simd_width
from registry_runtime.kernels.ptx import ptx
from registry_runtime.lab.phi import operands
from registry_runtime.lab.timing import Contender, Timing, measure
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelError

Language = Literal["assembly", "LLVM IR", "CUDA", "PTX"]


@dataclass(frozen=True)
class Experiment:
    """`kernel`, registered as `kernel_name` for `key`, on the arguments that `texts` spell.

    texts: by parameter, what `operands` reads; the sample's where there is none.
    data: what fills the tensors that are given by their shape.
    size: how many elements the sample has.
    """

    kernel_name: str
    key: KernelKey
    kernel: Kernel
    texts: Mapping[str, str] = field(default_factory=dict)
    data: operands.Data = "random"
    size: int = operands.SAMPLE_SIZE

    @property
    def instance(self) -> Instance:
        """Raises KernelError for a kernel that is only declared."""
        instance: Instance = instance_of(self.kernel)
        return instance

    @property
    def spelled(self) -> Mapping[str, str]:
        """What each parameter's blank says, typed or not. Raises KernelError as `instance`."""
        instance = self.instance
        return operands.spelled(instance.template, instance.dtype, self.texts, self.size)

    def outline(self) -> operands.Outline:
        """Raises KernelError for arguments that can't be read, or that the kernel refuses."""
        instance = self.instance
        return operands.outline(instance.template, instance.dtype, self.texts, self.size)

    def arguments(self, rng: np.random.Generator) -> tuple[Any, ...]:
        """For `launch`, where the kernel runs. Raises KernelError as `outline`, and out of memory."""
        instance = self.instance
        made = operands.arguments(
            instance.template, instance.dtype, self.texts, self.data, rng, self.size
        )
        return instance.placed(made)

    def case(self) -> Case:
        """Exactly this, as a row of a benchmark."""
        instance = self.instance
        size = self.outline().largest
        device = "GPU" if instance.backend == "GPU" else "CPU"
        return Case(instance.template, instance.dtype, size, device, make=self.arguments)


@dataclass(frozen=True, slots=True)
class Code:
    """A text that a kernel became on its way to the machine."""

    title: str
    language: Language
    text: str
    told: str = ""


def build(experiment: Experiment) -> Build:
    """Compiles, or takes what was compiled. Raises KernelError, as `Instance.build` does."""
    return experiment.instance.build()


def codes(experiment: Experiment) -> Iterator[Code]:
    """What there is to read. On the CPU, where it is built: the loop in which the time is spent, all
    of the assembly, the LLVM IR. For the GPU, whether there is one or not: CUDA source and PTX."""
    instance = experiment.instance
    if instance.backend == "GPU":
        source = gpu.source(instance.template, instance.dtype)
        told = "" if source else "a library's functions do the work: it has no CUDA source of ours"
        yield Code("CUDA", "CUDA", source, told)
        try:
            yield Code("PTX", "PTX", ptx(instance.template, instance.dtype), told)
        except KernelError as error:
            yield Code("PTX", "PTX", "", str(error))
        return
    built = instance.build()
    assembly = built.code()
    loop = hot_loop(assembly)
    if loop is not None:
        lanes = loop.bits // (8 * instance.dtype.numpy.itemsize)
        width = f"{loop.bits} bits, {lanes} of {instance.dtype} at a time"
        told = f"{loop.instructions} instructions; {width if loop.bits else 'no vectors'}"
        yield Code("Loop", "assembly", loop.text, told)
    widest = simd_width(assembly)
    yield Code("Asm", "assembly", assembly, f"registers up to {widest} bits" * bool(widest))
    llvm = built.llvm()
    yield Code("LLVM", "LLVM IR", llvm, "" if llvm else "Numba keeps no LLVM IR of this kernel")


@dataclass(frozen=True, slots=True)
class Difference:
    """How an output is off NumPy's. `index` is that of the first element that is."""

    output: str
    count: int
    total: int
    index: tuple[int, ...]
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        if not self.total:
            return f"{self.output} is {self.ours}, and NumPy's is {self.theirs}"
        at = f"[{', '.join(map(str, self.index))}]"
        with np.errstate(all="ignore"):
            by = self.ours - self.theirs if not isinstance(self.ours, bool) else None
        said = f"{self.count:,} of {self.total:,} elements of {self.output} differ; the first is"
        said += f" {at}: {self.ours}, and NumPy has {self.theirs}"
        return said if by is None or by != by else f"{said}, off by {by:g}"


@dataclass(frozen=True)
class Outcome:
    """What a run gave: arrays in host memory, attributes as they were passed, by parameter.
    `seconds` are those of this one call, which made its outputs."""

    function: str
    inputs: Mapping[str, Any]
    results: Mapping[str, NDArray[Any]]
    references: Mapping[str, NDArray[Any]]
    differences: tuple[Difference, ...]
    seconds: float

    @property
    def agrees(self) -> bool:
        return not self.differences


def run(experiment: Experiment, seed: int = 0) -> Outcome:
    """One call, and NumPy's reference on the same arguments.

    Raises KernelError: for arguments that can't be read, that the kernel refuses, or that memory
    doesn't suffice for; for a kernel that is only declared, or whose device is missing.
    """
    instance = experiment.instance
    with _in_words(experiment.kernel_name):
        built = instance.build()
        arguments = experiment.arguments(np.random.default_rng(seed))
        started = time.perf_counter()
        outputs = _as_tuple(built.launch(*arguments))
        results = tuple(_on_host(output) for output in outputs)
        seconds = time.perf_counter() - started
        host = tuple(_on_host(argument) for argument in arguments)
        references = _as_tuple(instance.reference(*host))
        masks = instance.off(host, results, references)
    template = instance.template
    names = template.result_names(len(results))
    differences = [
        _difference(name, result, reference, mask)
        for name, result, reference, mask in zip(names, results, references, masks, strict=True)
    ]
    return Outcome(
        str(experiment.kernel.function),
        {p.name: value for p, value in zip(template.inputs, host, strict=True)},
        dict(zip(names, results, strict=True)),
        dict(zip(names, references, strict=True)),
        tuple(d for d in differences if d is not None),
        seconds,
    )


@contextmanager
def _in_words(name: str) -> Iterator[None]:
    """What InferMeta let pass and NumPy or the compiled loop refuses, told with the kernel's name."""
    try:
        yield
    except MemoryError as error:
        raise KernelError(f"{name}: fail to alloc memory: {error}") from None
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        raise KernelError(f"{name}: {error}") from None


def _difference(
    name: str, result: NDArray[Any], reference: NDArray[Any], mask: NDArray[np.bool] | None
) -> Difference | None:
    if mask is None:
        return Difference(name, 1, 0, (), _kind(result), _kind(reference))
    if not mask.any():
        return None
    index = tuple(int(i) for i in np.unravel_index(int(mask.argmax()), mask.shape))
    count = int(np.count_nonzero(mask))
    return Difference(name, count, mask.size, index, result[index].item(), reference[index].item())


def _kind(array: NDArray[Any]) -> str:
    return f"{array.dtype}{list(array.shape)}"


@dataclass(frozen=True)
class Timed:
    """`ours` and NumPy's time, taken in turns. `by` names what NumPy computed it with."""

    ours: Timing
    numpy: Timing
    by: str
    bytes: int
    elements: int

    @property
    def gigabytes_per_second(self) -> float:
        return self.bytes / self.ours.median / 1e9

    @property
    def ratio(self) -> float:
        """NumPy's time ÷ ours: above 1, the kernel is faster."""
        return self.ours.times_faster_than(self.numpy)


def time_it(
    experiment: Experiment, seconds: float = 1.0, cancelled: Callable[[], bool] = lambda: False
) -> Timed:
    """Measure the kernel beside NumPy for about `seconds`. Raises KernelError as `run` does, and
    `timing.Cancelled`."""
    instance = experiment.instance
    with _in_words(experiment.kernel_name):
        built = instance.build()
        arguments = experiment.arguments(np.random.default_rng(0))
        result = built.launch(*arguments)
        host = tuple(_on_host(argument) for argument in arguments)
        wait = gpu_wait() if instance.backend == "GPU" else lambda: None
        numpy, by = _numpy(instance, host, result)
        contenders = [Contender("unfold", built.launch, [arguments], wait), numpy]
        with np.errstate(all="ignore"):
            timings = measure(contenders, seconds, cancelled=cancelled)
    return Timed(
        timings["unfold"],
        timings["numpy"],
        by,
        instance.bytes_moved(arguments, result),
        experiment.outline().largest,
    )


def _numpy(instance: Instance, host: tuple[Any, ...], result: Any) -> tuple[Contender, str]:
    """NumPy's own function for this; where it has none, the reference that checks the results."""
    try:
        library = peers.open_library("numpy", "CPU")
        function, *passed = peers.call(
            kernel_name(instance.template), library, instance.template.bind(*host)
        )
        with np.errstate(all="ignore"):
            theirs = np.asarray(function(*passed))
        same = (theirs.dtype, theirs.shape) == (first(result).dtype, first(result).shape)
    except Exception:  # NumPy has errors of its own for a dtype that it lacks
        same = False
    if same:
        return Contender("numpy", function, [tuple(passed)]), "its own functions"
    return Contender("numpy", instance.reference, [host]), "the reference that checks the result"


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _on_host(value: Any) -> Any:
    return value.get() if hasattr(value, "get") and hasattr(value, "shape") else value
