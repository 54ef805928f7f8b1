"""Building and launching on the CPU.

What a call costs is decided here. One element takes longer to check than to compute, so a launch
makes the few tests that make the common case safe and hands over to the ufunc; whatever fails them
goes the long way, which says what is wrong, converts, threads. Threads pay only where the memory
that moves is worth waking them; below that one core is faster.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import starmap
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from registry_runtime.kernels.cores import elements_for_one_core, on_all_cores, start_threads
from registry_runtime.kernels.plan import Plans, key_of, keys_for
from registry_runtime.kernels.template import Build, Builder, KernelTemplate
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_template import KernelError, as_tuple
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.parameter_types import Kind

Array = NDArray[Any]

_COMPILING = threading.Lock()


Scalar = Callable[..., Any]


def elementwise(
    scalar: Scalar | None = None,
    for_bool: Scalar | None = None,
    *,
    choose: Callable[[DataType], Scalar] | None = None,
    constants: Callable[..., tuple[Any, ...]] | None = None,
) -> Builder:
    """Builds a kernel that applies `scalar` to the elements of its tensors.

    `for_bool` takes its place where T is bool: C++ would specialise the functor; `choose(T)` does
    so for any T. `constants(T, *attributes)` gives NumPy numbers that `scalar` takes after the
    elements. Half precision reaches it as float32.
    """

    def build(template: KernelTemplate, dtype: DataType) -> Build:
        function = choose(dtype) if choose else scalar
        if for_bool and dtype is DataType.BOOL:
            function = for_bool
        tensors = [p.name for p in template.inputs if p.type.kind is Kind.INPUT]
        ins = tuple(min(template.accepts.get(name, (dtype,))) for name in tensors)
        out = template.out_dtype(dtype)
        attributes = [type(c) for c in constants(dtype)] if constants else []

        def compiled(loops: ModuleType) -> Compiled:
            made = loops.elementwise(
                function,
                (*ins, *(DataType.of(a) for a in attributes), out),
                (False,) * len(ins) + (True,) * len(attributes),
            )
            start_threads(
                made.threaded,
                *(
                    np.empty(1 - (i == len(made.carriers) - 1), c)
                    for i, c in enumerate(made.carriers)
                ),
            )
            long_way = _long_way(template, dtype, made, constants)
            launch = long_way
            known: Callable[..., Any] | None = None
            carried = *[dtype.numpy] * len(ins), template.out_dtype(dtype).numpy
            plain = carried == (*made.carriers[: len(ins)], made.carriers[-1])
            if plain and constants and len(ins) == 1:
                launch = _constant_launch(long_way, template, dtype, made.ufunc, constants)
            elif plain and len(ins) == len(template.inputs) < 3:
                short = _unary_launch if len(ins) == 1 else _binary_launch
                launch, known = short(long_way, dtype, made.ufunc)
            return Compiled(launch, made.from_cache, made.code, made.llvm, known)

        return timed(template, dtype, compiled)

    return build


class Compiled(NamedTuple):
    """What Numba made: a function, whether it came from the cache, and how to read it."""

    run: Callable[..., Any]
    from_cache: bool
    code: Callable[[], str]
    llvm: Callable[[], str] = lambda: ""
    run_known: Callable[..., Any] | None = None


def function(
    make: Callable[[ModuleType, DataType], Compiled],
    *,
    attributes: Callable[..., tuple[Any, ...]] | None = None,
) -> Builder:
    """Builds a kernel of any other shape: the function that fills its outputs.

    `make(loops, T)` compiles it. `run(*inputs and attributes, *outputs)` then gets the inputs as
    arrays of any strides that share no memory with the outputs, absent ones as None, the attributes
    as their C++ types, and the outputs as aligned C-contiguous arrays of the dims and data types that
    InferMeta found, or `resize`.
    If given, `attributes(metas of the outputs, *attributes)` makes what is passed in place of the
    attributes; it is called once for many launches that are alike.
    """

    def build(template: KernelTemplate, dtype: DataType) -> Build:
        def compiled(loops: ModuleType) -> Compiled:
            made = make(loops, dtype)

            def plan(metas: tuple[MetaTensor, ...], *given: Any) -> tuple[Any, tuple[Any, ...]]:
                return made.run, given if attributes is None else attributes(metas, *given)

            return made._replace(run=_inferring(template, dtype, plan))

        return timed(template, dtype, compiled)

    return build


def planned(make: Callable[[ModuleType, DataType], Compiled]) -> Builder:
    """As `function`, for kernels of which much can be settled before the tensors are there.

    `run(metas of the outputs, *LoDs of the ragged inputs, *attributes)` is called once for many
    launches that are alike, and gives the function that fills the outputs of each: of the inputs,
    of which the ragged ones are `DenseTensor`s, and the outputs.
    """

    def build(template: KernelTemplate, dtype: DataType) -> Build:
        def compiled(loops: ModuleType) -> Compiled:
            made = make(loops, dtype)

            def plan(*given: Any) -> tuple[Any, tuple[Any, ...]]:
                return made.run(*given), ()

            return made._replace(run=_inferring(template, dtype, plan))

        return timed(template, dtype, compiled)

    return build


# What runs, what it gets in place of the attributes, and the outputs: their metas, and the dims and
# NumPy dtypes of the first and of the others.
_Plan = tuple[
    Callable[..., None],
    tuple[Any, ...],
    tuple[MetaTensor, ...],
    tuple[Any, ...],
    list[tuple[Any, ...]],
]


def _inferring(
    template: KernelTemplate,
    dtype: DataType,
    plan_for: Callable[..., tuple[Callable[..., None], tuple[Any, ...]]],
) -> Callable[..., Any]:
    types = [parameter.type for parameter in template.inputs]
    # In PHI's signatures the tensors come first, then the attributes, then the outputs.
    tensors = [p.name for p in template.inputs if p.type.kind is Kind.INPUT]
    ragged = [i for i, name in enumerate(tensors) if name in template.ragged]
    count, empty, key_for = len(tensors), np.empty, keys_for(types, ragged)
    plans: Plans[_Plan] = Plans()

    def host(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [host(name, tensor) for tensor in value]
        array = None if value is None else operand(template, dtype, name, value)
        return value if name in template.ragged else array

    def find(args: tuple[Any, ...]) -> tuple[list[Any], _Plan]:
        bound = template.bind(*args)
        inferred = template.infer(dtype, bound)
        metas = template.resized(bound, inferred)
        lods = [bound[i].lod for i in ragged]
        run, fixed = plan_for(metas, *lods, *bound[count:])
        arrays = [host(name, value) for name, value in zip(tensors, bound, strict=False)]
        first, *others = ((meta.dims, meta.dtype.numpy) for meta in metas)
        plan = run, fixed, metas, first, others
        if metas == inferred or ragged:  # otherwise what a tensor holds decides
            plain = tuple(a.data if i in ragged else a for i, a in enumerate(args))
            if key_of(plain) is not None:
                plans.keep(key_for(*args), plan)
        return arrays, plan

    def launch(*args: Any, out: Any = None) -> Any:
        arrays: Sequence[Any] = args[:count]
        try:
            plan = plans[key_for(*args)]
        except Exception:  # a new call, or a wrong one: `find` says what is wrong with it
            arrays, plan = find(args)
        run, fixed, metas, first, others = plan
        if out is None:
            result = empty(*first)
            if not others:
                run(*arrays, *fixed, result)
                return result
            results = result, *starmap(empty, others)
            run(*arrays, *fixed, *results)
            return results
        outs = _given(template, metas, out)
        filled = [o if o.flags.carray else np.empty(o.shape, o.dtype) for o in outs]
        run(*[_apart(array, outs) for array in arrays], *fixed, *filled)
        for array, result in zip(outs, filled, strict=True):
            if array is not result:
                array[...] = result
        return outs[0] if len(outs) == 1 else tuple(outs)

    return launch


def _given(template: KernelTemplate, metas: tuple[MetaTensor, ...], out: Any) -> list[Array]:
    given = as_tuple(out)
    if len(given) != len(metas):
        wanted = ", ".join(template.outputs)
        raise KernelError(
            f"{template.name} has {len(metas)} outputs ({wanted}), and out has {len(given)}"
        )
    return [
        output(template, meta.dtype, meta.dims, array)
        for meta, array in zip(metas, given, strict=True)
    ]


def _apart(value: Any, outs: list[Array]) -> Any:
    """An input that shares no memory with the outputs: a copy of it where it does."""
    if isinstance(value, DenseTensor):
        return replace(value, data=_apart(np.asarray(value.data), outs))
    if isinstance(value, list):
        return [_apart(element, outs) for element in value]
    if isinstance(value, np.ndarray) and any(np.may_share_memory(value, o) for o in outs):
        return value.copy()
    return value


def timed(
    template: KernelTemplate, dtype: DataType, compiled: Callable[[ModuleType], Compiled]
) -> Build:
    """The build around `compiled(loops)`, whose `run` is the launch.

    Only one build runs at a time. Raises KernelError where Numba can't compile.
    """
    # Imported before the clock starts: half a second of Numba is no kernel's compile time.
    from registry_runtime.kernels import loops
    from registry_runtime.kernels.own_numba import numba

    with _COMPILING:
        started = time.perf_counter()
        try:
            made = compiled(loops)
        except (numba.core.errors.NumbaError, NotImplementedError) as error:
            reason = str(error).strip().splitlines()[0]
            raise KernelError(f"Numba can't build {template.name} for {dtype}: {reason}") from None
        seconds = time.perf_counter() - started
        cached, code, llvm = made.from_cache, made.code, made.llvm
        return Build("CPU", made.run, seconds, cached, code, llvm, made.run_known)


def _unary_launch(
    long_way: Callable[..., Array], dtype: DataType, ufunc: np.ufunc
) -> tuple[Callable[..., Array], Callable[..., Array]]:
    T, few, ndarray = dtype.numpy, elements_for_one_core(dtype), np.ndarray

    def launch_known(x: Any) -> Array:
        if x.size <= few:
            result = ufunc(x)
            if type(result) is ndarray:
                return result
        return long_way(x)

    def launch(x: Any, out: Any = None) -> Array:
        try:
            if x.dtype is T and out is None:
                return launch_known(x)
        except (AttributeError, TypeError):
            pass  # no array at all: the long way says so
        return long_way(x, out=out)

    return launch, launch_known


def _binary_launch(
    long_way: Callable[..., Array], dtype: DataType, ufunc: np.ufunc
) -> tuple[Callable[..., Array], Callable[..., Array]]:
    T, few, ndarray = dtype.numpy, elements_for_one_core(dtype), np.ndarray

    def launch_known(x: Any, y: Any) -> Array:
        # A small x with a large y is fine: operands that broadcast don't go to threads anyway.
        if x.size <= few:
            try:
                result = ufunc(x, y)
                if type(result) is ndarray:
                    return result
            except ValueError:
                pass  # shapes that don't broadcast: the long way says so
        return long_way(x, y)

    def launch(x: Any, y: Any, out: Any = None) -> Array:
        try:
            # Without the test of the dtypes a ufunc would cast in silence.
            if x.dtype is T is y.dtype and out is None:
                return launch_known(x, y)
        except (AttributeError, TypeError):
            pass  # no array: the long way says so
        return long_way(x, y, out=out)

    return launch, launch_known


def _constant_launch(
    long_way: Callable[..., Array],
    template: KernelTemplate,
    dtype: DataType,
    ufunc: np.ufunc,
    constants: Callable[..., tuple[Any, ...]],
) -> Callable[..., Array]:
    """Of one tensor and attributes; what those come to is remembered."""
    T, few, ndarray = dtype.numpy, elements_for_one_core(dtype), np.ndarray
    key_for = keys_for([parameter.type for parameter in template.inputs[1:]])
    plans: Plans[tuple[Array, ...]] = Plans()

    def launch(x: Any, *attributes: Any, out: Any = None) -> Array:
        try:
            if x.dtype is T and out is None and x.size <= few:
                result = ufunc(x, *plans[key_for(*attributes)])
                if type(result) is ndarray:
                    return result
        except Exception:  # new attributes, or a wrong call: the long way says what is wrong
            pass
        result = long_way(x, *attributes, out=out)
        if key_of(attributes) is not None:
            fixed = constants(dtype, *template.bind(x, *attributes)[1:])
            # A ufunc takes arrays sooner than numbers.
            plans.keep(key_for(*attributes), tuple(map(np.asarray, fixed)))
        return result

    return launch


def _long_way(
    template: KernelTemplate,
    dtype: DataType,
    made: Any,
    constants: Callable[..., tuple[Any, ...]] | None,
) -> Callable[..., Array]:
    few = elements_for_one_core(dtype)
    names = [parameter.name for parameter in template.inputs]
    plans: Plans[tuple[int, MetaTensor, tuple[Any, ...]]] = Plans()

    def launch(*args: Any, out: Any = None) -> Array:
        key = key_of(args)
        plan = plans.get(key) if key is not None else None
        if plan is not None:
            count, meta, fixed = plan
            return apply(template, made, meta.dtype, meta.dims, args[:count], fixed, out, few)
        bound = template.bind(*args)
        arrays = tuple(
            operand(template, dtype, name, value)
            for name, value in zip(names, bound, strict=True)
            if isinstance(value, DenseTensor)
        )
        (meta,) = template.infer(dtype, bound)
        fixed = constants(dtype, *bound[len(arrays) :]) if constants else ()
        plans.keep(key, (len(arrays), meta, fixed))
        return apply(template, made, meta.dtype, meta.dims, arrays, fixed, out, few)

    return launch


def apply(
    template: KernelTemplate,
    made: Any,
    dtype: DataType,
    dims: tuple[int, ...],
    arrays: tuple[Array, ...],
    fixed: tuple[Any, ...],
    out: Any,
    few: int,
) -> Array:
    """The output, new or `out`: on one core, or on all where the memory is flat and large."""
    carriers = made.carriers
    operands = tuple(
        x if x.dtype is c else x.view(c) for x, c in zip(arrays, carriers, strict=False)
    )
    large = math.prod(dims) > few
    if out is None and not large:
        few_results = made.ufunc(*operands, *fixed)
        if type(few_results) is np.ndarray:
            return few_results if carriers[-1] is dtype.numpy else few_results.view(dtype.numpy)
    result = None if out is None else output(template, dtype, dims, out)
    if large and (order := _common_order(dims, operands)):
        fresh = result is None
        result = np.empty(dims, dtype.numpy, order) if result is None else result
        if fresh or (_common_order(dims, (result,)) == order and _in_step(operands, result)):
            ends = [np.asarray(f) for f in fixed]
            flat = [*(x.ravel(order) for x in operands), *ends, result.ravel(order)]
            if on_all_cores(made.threaded, result.nbytes, *flat):
                return result
    if result is None:
        result = np.empty(dims, dtype.numpy, "F" if _common_order(dims, operands) == "F" else "C")
    made.ufunc(*operands, *fixed, result.view(carriers[-1]))
    return result


def _common_order(dims: tuple[int, ...], arrays: tuple[Array, ...]) -> Literal["C", "F"] | None:
    """The order in which all arrays are one flat piece of memory with these dims, if there is one."""
    if any(x.shape != dims or not x.flags.aligned for x in arrays):
        return None
    if all(x.flags.c_contiguous for x in arrays):
        return "C"
    return "F" if all(x.flags.f_contiguous for x in arrays) else None


def _in_step(operands: tuple[Array, ...], out: Array) -> bool:
    """Whether each operand is out itself, element for element, or shares no memory with it."""
    return all(
        x.ctypes.data == out.ctypes.data or not np.may_share_memory(x, out) for x in operands
    )


def operand(template: KernelTemplate, dtype: DataType, name: str, tensor: DenseTensor) -> Array:
    """The tensor's array, if it holds `dtype` in host memory. Raises KernelError otherwise."""
    kernel = f"{template.name}<{dtype}, CPUContext>"
    if tensor.backend != "CPU":
        raise KernelError(
            f"{kernel}: {name} lies on the GPU; copy it with .get(), or run the GPU kernel"
        )
    accepted = template.accepts.get(name, frozenset({dtype}))
    if tensor.dtype not in accepted:
        wanted = " or ".join(map(str, sorted(accepted)))
        raise KernelError(
            f"{kernel}: {name} is {tensor.dtype}; cast it to {wanted}, "
            f"or run the kernel that is registered for {tensor.dtype}"
        )
    return np.asarray(tensor.data)


def output(template: KernelTemplate, dtype: DataType, dims: tuple[int, ...], out: Any) -> Array:
    """A new array of these dims, or `out` if it can take the result. Raises KernelError."""
    if out is None:
        return np.empty(dims, dtype.numpy)
    kernel = f"{template.name}<{dtype}, CPUContext>"
    array = out.data if isinstance(out, DenseTensor) else out
    if not isinstance(array, np.ndarray):
        raise KernelError(
            f"{kernel}: out must be a NumPy array or a DenseTensor, not {type(out).__name__}"
        )
    if array.dtype != dtype.numpy or array.shape != dims:
        raise KernelError(
            f"{kernel}: out is {array.dtype} of shape {array.shape}; it must be {dtype} of shape {dims}"
        )
    if not array.flags.writeable:
        raise KernelError(f"{kernel}: out is read-only; pass a writable array, or none")
    return array
