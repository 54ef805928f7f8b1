"""The sweep: kernels × dtypes × sizes, each measured beside its peers.

The rows come one at a time, so that whoever asked can draw what is there already and can stop. All
contenders of a row work on the same memory, several sets of it in turn, and each call makes its own
output, as a user's call would.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime import kernels
from registry_runtime.benchmark import device_clock, peers, threads
from registry_runtime.kernels import device
from registry_runtime.kernels.template import Instance, KernelTemplate
from registry_runtime.lab.timing import NOISE, Contender, Stopwatch, Timing, by, measure
from registry_runtime.native.crash import BodyFailed
from registry_runtime.near import did_you_mean
from registry_runtime.phi.data_type import DataType, data_type_named

if TYPE_CHECKING:
    from registry_runtime.benchmark.operator_case import OperatorCase

SIZES = tuple(10**power for power in range(8))
OURS = "unfold"
BODY = "C++ -O3"  # among the peers: the kernel's own body, compiled

# Measured where nothing else is asked for: the first of these that a kernel is written for.
_USUAL_DTYPES = (DataType.FLOAT32, DataType.INT32, DataType.INT64, DataType.BOOL)
_NO_ELEMENTS = (DataType.UNDEFINED, DataType.PSTRING)
_CACHE_BYTES = 1 << 26  # arguments beyond this much never come out of a cache
_LEAST_SETS, _MOST_SETS = 2, 16


class BenchmarkError(Exception):
    """What was asked for can't be measured; the message says why and what to do."""


@dataclass(frozen=True)
class Case:
    """One row to be measured, on the kernel's sample, or on what `make` makes. `body` times its
    compiled C++ body, in a process of its own: not in turns with the others. It raises BodyFailed."""

    template: KernelTemplate
    dtype: DataType
    size: int
    backend: str = "CPU"
    make: Callable[[np.random.Generator], tuple[Any, ...]] | None = None
    body: Callable[[tuple[Any, ...]], Timing] | None = None

    @property
    def kernel(self) -> str:
        return kernel_name(self.template)

    @property
    def instance(self) -> Instance:
        computes = "OneDNN" if _by_onednn(self.template, self.backend) else self.backend
        return self.template.instantiate(self.dtype, f"{computes}Context")

    @property
    def peers_call_it(self) -> str:
        """Under which name the peers list their function."""
        return self.kernel

    def bind(self, *arguments: Any) -> tuple[Any, ...]:
        """The arguments as the peers can take them."""
        return self.template.bind(*arguments)

    def described(self, result: Any) -> tuple[str, tuple[int, ...]]:
        """The first output's dtype, as the peers print it, and its shape."""
        return str(DataType.of(first(result).dtype)), tuple(first(result).shape)


@dataclass(frozen=True)
class Peer:
    """A peer's seconds for one call; `ratio` is its time ÷ ours, the median over the rounds.

    told: whether the rounds tell the two apart.
    """

    seconds: float
    spread: float
    ratio: float
    told: bool = True


@dataclass(frozen=True)
class Row:
    """What was measured of one case. Seconds are of one call, spreads interquartile ranges.

    bytes: what a call must read and write at least.
    copy_share: bytes ÷ seconds, as a share of what the machine copies in that time.
    build_seconds: what building the kernel cost in this process, `from_cache` or not.
    absent: why the other libraries are not among the peers.
    """

    kernel: str
    dtype: str
    size: int
    backend: str
    seconds: float
    spread: float
    bytes: int
    copy_share: float
    build_seconds: float
    from_cache: bool
    peers: dict[str, Peer] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    @property
    def noisy(self) -> bool:
        """Whether the rounds differ so much that their median says little."""
        return self.spread > NOISE * self.seconds

    @property
    def fastest_peer(self) -> str | None:
        return min(self.peers, key=lambda name: self.peers[name].ratio, default=None)

    @property
    def wins(self) -> bool:
        """Whether our kernel is the fastest of all, for all that these rounds tell."""
        return bool(self.peers) and all(p.told and p.ratio >= 1 for p in self.peers.values())

    @property
    def ratio(self) -> float | None:
        """The fastest peer's time ÷ ours: above 1, our kernel is the fastest of all."""
        return None if self.fastest_peer is None else self.peers[self.fastest_peer].ratio


def _by_onednn(template: KernelTemplate, backend: str) -> bool:
    """Whether oneDNN, which computes on the CPU, is the one that has the kernel there."""
    return backend == "CPU" and "CPU" not in template.backends and "ONEDNN" in template.backends


def kernel_name(template: KernelTemplate) -> str:
    """The name that PHI registers it under: `bitwise_and` for `phi::BitwiseAndKernel`."""
    return kernels.registered_name(template.name)


def plan(
    names: Sequence[str] = (),
    dtypes: Sequence[str] = (),
    sizes: Sequence[int] = SIZES,
    backend: str = "CPU",
) -> list[Case]:
    """The cases for these kernels (all, if none is named) and dtypes (the usual one, if none).

    Of a kernel and a dtype that don't go together there is no case. Raises BenchmarkError for a
    kernel or a dtype that there is nothing of, and for a size below 1, or that memory can't hold.
    """
    if bad := [size for size in sizes if size < 1]:
        raise BenchmarkError(f"a size of {bad[0]} elements: take 1 or more")
    by_name = {kernel_name(template): template for template in kernels.library()}
    templates = [_find(name) for name in dict.fromkeys(names)] or list(by_name.values())
    wanted = [data_type(dtype) for dtype in dict.fromkeys(dtypes)]
    cases = []
    for template in templates:
        if backend not in template.backends and not _by_onednn(template, backend):
            if names:
                there = " and ".join(sorted(template.backends))
                raise BenchmarkError(
                    f"{kernel_name(template)} is not written for the {backend}; it is for the {there}"
                )
            continue
        usual = [d for d in (*_USUAL_DTYPES, *sorted(template.dtypes)) if d in template.dtypes][:1]
        fitting = [d for d in wanted if d in template.dtypes] if wanted else usual
        if names and not fitting:
            there = ", ".join(map(str, sorted(template.dtypes)))
            asked = ", ".join(map(str, wanted))
            written = f"it is written in Python for {there}"
            raise BenchmarkError(f"{kernel_name(template)} has no {asked}; {written}")
        cases += [Case(template, dtype, size, backend) for dtype in fitting for size in sizes]
    for dtype in wanted:
        if all(case.dtype is not dtype for case in cases):
            raise BenchmarkError(f"no kernel that is to be measured has the dtype {dtype}")
    for case in cases:
        check_memory(case.kernel, case.dtype, case.size)
    return cases


def _find(name: str) -> KernelTemplate:
    known = {kernel_name(template): template for template in kernels.library()}
    template = known.get(name) or kernels.find(name)
    if template is None:
        hint = did_you_mean(name, known, "`unfold kernels` lists what runs")
        raise BenchmarkError(f"no kernel named '{name}' is written in Python; {hint}")
    return template


def data_type(spelling: str) -> DataType:
    """The dtype of this name. Raises BenchmarkError, with what there is."""
    try:
        found = data_type_named(spelling)
    except ValueError as error:
        raise BenchmarkError(str(error)) from None
    if found in _NO_ELEMENTS:
        raise BenchmarkError(
            f"no kernel can be timed for {found}: it has no elements of a fixed size"
        )
    return found


def check_memory(kernel: str, dtype: DataType, size: int) -> None:
    """Two inputs in two sets and an output, at least; on the GPU too, inputs are made on the host.
    Raises BenchmarkError."""
    needed = size * dtype.numpy.itemsize * (2 * _LEAST_SETS + 1)
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return
    if needed > there:
        raise BenchmarkError(
            f"{kernel} with {size:,} elements of {dtype} needs about "
            f"{needed / 1e9:,.0f} GB, and this machine has {there / 1e9:,.0f}: take a smaller size"
        )


def sweep(
    cases: Sequence[Case | OperatorCase],
    libraries: Sequence[peers.Library],
    *,
    bandwidth: float,
    seconds: float,
    thread_count: int,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Row]:
    """The rows, as they are measured, each for about `seconds`; `bandwidth` is the roof, in bytes/s.

    Raises `timing.Cancelled` soon after `cancelled()` becomes true, and BenchmarkError or
    KernelError where a kernel can't be built or run.
    """
    for case in cases:
        # In here, not around the loop: a generator must not leave its caller's thread changed.
        with contextlib.ExitStack() as stack:
            case.instance.build()  # which loads Numba, if nothing has
            stack.enter_context(threads.limited_to(thread_count))
            for library in libraries:
                stack.enter_context(library.measuring())
            row = _measured(case, libraries, bandwidth, seconds, cancelled)
        yield row


def _measured(
    case: Case | OperatorCase,
    libraries: Sequence[peers.Library],
    bandwidth: float,
    seconds: float,
    cancelled: Callable[[], bool],
) -> Row:
    instance, build = case.instance, case.instance.build()
    try:
        sets, result = argument_sets(instance, case.size, case.make)
    except (MemoryError, OverflowError, ValueError):
        raise BenchmarkError(
            f"{case.kernel}: {case.size:,} elements of {case.dtype} do not fit into memory"
        ) from None
    on_gpu = case.backend == "GPU"
    contenders = [
        timed_by_device(OURS, instance.launch, sets)
        if on_gpu
        else Contender(OURS, instance.launch, sets)
    ]
    absent = {}
    for library in libraries:
        try:
            contenders.append(_contender(case, library, sets, result))
        except peers.Absent as error:
            absent[library.name] = str(error)
    timings = measure(contenders, seconds, cancelled=cancelled)
    ours = timings.pop(OURS)
    body: dict[str, Peer] = {}
    if isinstance(case, Case) and case.body is not None:
        try:
            body[BODY] = _apart(case.body(sets[0]), ours)
        except BodyFailed as error:
            absent[BODY] = str(error)
    moved = instance.bytes_moved(sets[0], result)
    return Row(
        kernel=case.kernel,
        dtype=str(case.dtype),
        size=case.size,
        backend=case.backend,
        seconds=ours.median,
        spread=ours.spread,
        bytes=moved,
        copy_share=moved / ours.median / bandwidth,
        build_seconds=build.compile_seconds,
        from_cache=build.from_cache,
        peers=body
        | {
            name: Peer(
                theirs.median,
                theirs.spread,
                ours.times_faster_than(theirs),
                ours.told_from(theirs),
            )
            for name, theirs in timings.items()
        },
        absent=absent,
    )


def _apart(theirs: Timing, ours: Timing) -> Peer:
    """Beside ours, and not in the same rounds: only the medians can be compared."""
    told = abs(theirs.median - ours.median) > theirs.spread + ours.spread
    return Peer(theirs.median, theirs.spread, theirs.median / ours.median, told)


def argument_sets(
    instance: Instance | OperatorCase,
    size: int,
    make: Callable[[np.random.Generator], tuple[Any, ...]] | None = None,
) -> tuple[list[tuple[Any, ...]], Any]:
    """So many sets of arguments that no cache holds them all, if sixteen are enough for that; and
    what the kernel makes of the first."""
    rng = np.random.default_rng(0)
    make = make or partial(instance.sample_inputs, size)
    sets = [make(rng)]
    result = instance.launch(*sets[0])
    moved = max(instance.bytes_moved(sets[0], result), 1)
    count = min(max(_CACHE_BYTES // moved, _LEAST_SETS), _MOST_SETS)
    # On a GPU the same numbers in other memory will do: to make new ones takes the host a while.
    on_gpu = instance.backend == "GPU"
    sets += [_copied(sets[0]) if on_gpu else make(rng) for _ in range(count - 1)]
    return sets, result


def _copied(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with each array on the GPU in memory of its own."""
    return tuple(x.copy() if hasattr(x, "__cuda_array_interface__") else x for x in args)


def _contender(
    case: Case | OperatorCase,
    library: peers.Library,
    sets: Sequence[tuple[Any, ...]],
    result: Any,
) -> Contender:
    """Raises `peers.Absent` where the library can't do this, or does something else."""
    calls = [peers.call(case.peers_call_it, library, case.bind(*arguments)) for arguments in sets]
    function = calls[0][0]
    try:
        theirs = function(*calls[0][1:])
        dtype, shape = case.described(result)
        same = library.dtype_of(theirs) == dtype and tuple(theirs.shape) == shape
    except Exception as error:  # each has errors of its own for a dtype that it lacks
        raise peers.Absent(f"{library.name}: {error}") from None
    if not same:
        raise peers.Absent(f"{library.name} makes another dtype or shape of it")
    passed = [call[1:] for call in calls]
    if library.in_line:
        return timed_by_device(library.name, function, passed)
    return Contender(library.name, function, passed, by(time.perf_counter, library.wait))


def timed_by_device(
    name: str, function: Callable[..., object], arguments: Sequence[tuple[Any, ...]]
) -> Contender:
    """What puts its work on the GPU into the queue that our kernels use."""
    stopwatch = device_clock.stopwatch(device.cupy())
    return Contender(name, function, arguments, stopwatch, device_clock.MOST_WAITING)


def first(result: Any) -> Any:
    """The output, or the first of several."""
    return result[0] if isinstance(result, tuple | list) else result


def host_clock(backend: str) -> Stopwatch:
    """The host's, from the call until the result is there. Raises KernelError where there is no GPU."""
    if backend != "GPU":
        return by(time.perf_counter)
    cupy = device.cupy()
    return by(time.perf_counter, lambda: cupy.cuda.get_current_stream().synchronize())
