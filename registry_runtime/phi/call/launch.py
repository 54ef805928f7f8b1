"""From a call to a running kernel: the key, the selection, the transforms, InferMeta, the launch.

This is what the code does that Paddle generates for each operator. The tensors make a key, the key
selects a kernel, the kernel's registration says how it expects its tensors, and they are made so;
InferMeta tells what comes out, and the kernel runs. Where only the CPU had a kernel for the key, the
inputs went there, and the outputs are brought back.

A call on one element must not pay for all that. So what a call resolved to is kept under the name and
the types of its arguments, as long as nothing had to be transformed; the next such call is one look-up
and the launch. One thing is left out then: Paddle copies a strided tensor into one piece for a kernel
that isn't registered as STRIDED, and the Python kernels take any strides.

Source: `paddle/phi/api/lib/data_transform.cc`, the generated `api.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.call.arguments import (
    as_tensor,
    check_data_types,
    input_defs,
    key_sentence,
    parameters_of,
    parse_key,
)
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.data_transform import PrepareData, TransDataBackend
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.int_array import IntArray
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_factory import KernelFactory, has_strided_kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import Instance, KernelError, as_tuple
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.place import AllocationType, TransToPhiPlace
from registry_runtime.phi.scalar import Scalar

__all__ = ["CallStory", "Step", "caller", "explain_call", "instance_of", "launch_registered"]

Call = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a call did. `fact` is the object behind the sentence.

    By kind: `key` a ParsedKey, `selection` a KernelResult, `transform` a Transform, `infer` a
    MetaTensor, `launch` an Instance, `output` the data type or the Transform that an output got.
    """

    kind: Literal["key", "selection", "transform", "infer", "launch", "output"]
    sentence: str
    fact: object


@dataclass(frozen=True, slots=True)
class CallStory:
    """A call, told: its steps in order, and what came of it, the result or an error."""

    kernel_name: str
    steps: tuple[Step, ...]
    result: Any = None
    error: str = ""
    refused: KernelError | None = None  # what ended it, which may know the token of a body


def caller(factory: KernelFactory, devices: CustomRegisteredDeviceMap) -> Call:
    """The function `call(kernel_name, *arguments)` on this registry: `launch_registered`, fast."""
    launchers, ndarray = factory.launchers, np.ndarray

    def call(name: str, x: Any = _ABSENT, y: Any = _ABSENT, *more: Any) -> Any:
        try:
            # One or two arrays are what most calls are. Spelling these two out, without a loop and
            # with the miss as an exception, leaves a fourth of such a call's time to everything but
            # the launch.
            if type(x) is ndarray and not more:
                if type(y) is ndarray:
                    try:
                        launch = launchers[name, x.dtype, y.dtype]
                    except KeyError:
                        pass
                    else:
                        return launch(x, y)
                elif y is _ABSENT and (known := launchers.get((name, x.dtype))):
                    return known(x)
            arguments = tuple(a for a in (x, y, *more) if a is not _ABSENT)
            types = _types(name, arguments)
            known = None if types is None else launchers.get(types)
            if known is not None:
                return known(*arguments)
            return _launch(factory, devices, name, arguments, types, _ignore)
        except MemoryError as error:
            raise _too_large(name, error) from None

    return call


def _too_large(name: str, error: MemoryError) -> KernelError:
    # Paddle says "Fail to alloc memory of 4000 size"; NumPy knows the array's shape, too.
    return KernelError(f"{name}: fail to alloc memory: {error}; pass smaller operands")


_ABSENT: Any = object()


def launch_registered(
    factory: KernelFactory,
    name: str,
    arguments: tuple[Any, ...],
    devices: CustomRegisteredDeviceMap | None = None,
) -> Any:
    """`name` on these arguments: arrays or tensors, and attributes, without context and outputs.

    Returns what `Runtime.call` does. Raises KernelError.
    """
    return caller(factory, devices or CustomRegisteredDeviceMap())(name, *arguments)


def explain_call(
    factory: KernelFactory,
    name: str,
    arguments: tuple[Any, ...],
    devices: CustomRegisteredDeviceMap | None = None,
) -> CallStory:
    """Make the call the long way and tell each step. What goes wrong is the story's `error`."""
    steps: list[Step] = []
    try:
        result = _launch(
            factory, devices or CustomRegisteredDeviceMap(), name, arguments, None, steps.append
        )
    except KernelError as error:
        return CallStory(name, tuple(steps), error=str(error), refused=error)
    except MemoryError as error:
        return CallStory(name, tuple(steps), error=str(_too_large(name, error)))
    return CallStory(name, tuple(steps), result)


def _ignore(step: Step) -> None: ...


def _types(name: str, arguments: tuple[Any, ...]) -> tuple[object, ...] | None:
    """What selection depends on; None if it is more than the types, as a tensor's layout is."""
    types: list[object] = [name]
    for argument in arguments:
        type_ = type(argument)
        if type_ is np.ndarray:
            types.append(argument.dtype)
        elif type_ in _ATTRIBUTES:
            types.append(type_)
        elif type_ is DataType:
            types.append(argument)
        elif type_ is list and all(type(element) is int for element in argument):
            types.append(list)
        elif hasattr(type_, "__cuda_array_interface__"):
            types.append((type_, argument.dtype))
        else:
            return None
    return tuple(types)


_ATTRIBUTES = frozenset({bool, int, float, complex, str, type(None), Scalar, IntArray})


# --- The long way ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Planned:
    """A call, all but its launch. `declared` holds what the registration decides of the outputs;
    nothing is transformed for who is `untouched`."""

    wanted: Backend
    on: Backend
    fallback: bool
    instance: Instance
    tensors: Sequence[Any]
    declared: dict[int, DataType]
    untouched: bool


def check_call(
    factory: KernelFactory,
    name: str,
    arguments: tuple[Any, ...],
    devices: CustomRegisteredDeviceMap,
) -> None:
    """Make the call up to its launch: nothing is built. Raises KernelError as the call does."""
    try:
        _plan(factory, devices, name, arguments, _ignore)
    except EnforceNotMet as error:
        raise KernelError(error.message) from None


def _plan(
    factory: KernelFactory,
    devices: CustomRegisteredDeviceMap,
    name: str,
    arguments: tuple[Any, ...],
    tell: Callable[[Step], None],
) -> _Planned:
    parameters = parameters_of(factory, name, arguments)
    tensors = [
        as_tensor(name, i, parameter, argument)
        for i, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True))
    ]
    key, parsed = parse_key(factory, devices, name, parameters, tensors)
    tell(Step("key", key_sentence(parsed, key), parsed))
    selected = factory.SelectKernelOrThrowError(name, key, has_strided_kernel(factory, name))
    fallback = selected.has_fallback_cpu
    on = Backend.CPU if fallback else key.backend
    tell(Step("selection", _selection(name, key, fallback), selected))
    instance: Instance = instance_of(selected.kernel)
    prepared, untouched = tensors, True
    defs = input_defs(selected.kernel.args_def, parameters)
    for i, definition in defs.items():
        prepared[i], transforms = PrepareData(
            parameters[i].name,
            tensors[i],
            definition,
            devices,
            kernel_backend=on,
            is_stride_kernel=selected.is_stride_kernel,
            use_stride_kernel=factory.use_stride_kernel,
        )
        untouched = untouched and not transforms
        for transform in transforms:
            tell(Step("transform", transform.sentence, transform))
    check_data_types(name, instance, defs, prepared)
    declared = _infer(instance, selected.kernel, prepared, tell)
    return _Planned(key.backend, on, fallback, instance, prepared, declared, untouched)


def _launch(
    factory: KernelFactory,
    devices: CustomRegisteredDeviceMap,
    name: str,
    arguments: tuple[Any, ...],
    types: tuple[object, ...] | None,
    tell: Callable[[Step], None],
) -> Any:
    try:
        planned = _plan(factory, devices, name, arguments, tell)
        instance, untouched = planned.instance, planned.untouched
        build = instance.build()
        launch = build.launch
        tell(Step("launch", f"{instance!r} runs on {planned.on}", instance))
        results = launch(*planned.tensors)
        outputs = list(as_tuple(results))
        for i, dtype in planned.declared.items():
            if dtype is not DataType.of(outputs[i].dtype):
                outputs[i] = outputs[i].astype(dtype.numpy)
                untouched = False
                called = instance.template.result_names(len(outputs))[i]
                said = f"{called} becomes {dtype}, as the registration says"
                tell(Step("output", said, dtype))
        outputs = _brought_back(outputs, planned, devices, tell)
    except EnforceNotMet as error:
        raise KernelError(error.message) from None
    if types is not None and untouched and not planned.fallback:
        # Arrays of other data types have other types, and select another kernel.
        factory.launchers[types] = build.launch_known or launch
    return tuple(outputs) if isinstance(results, tuple) else outputs[0]


def _selection(name: str, key: KernelKey, fallback: bool) -> str:
    if fallback:
        return f"{name} has no kernel for {key}: the CPU's is taken instead"
    return f"{name} has a kernel for {key}"


def _infer(
    instance: Instance, kernel: Kernel, tensors: Sequence[Any], tell: Callable[[Step], None]
) -> dict[int, DataType]:
    """The data types that the registration decides: of outputs that InferMeta leaves UNDEFINED."""
    template = instance.template
    bound = template.bind(*tensors)
    metas = template.infer(instance.dtype, bound, leave_open=True)
    resized = template.resized(bound, metas)
    declared: dict[int, DataType] = {}
    names = template.result_names(len(metas))
    for i, (name, meta, own) in enumerate(zip(names, metas, resized, strict=True)):
        by = "InferMeta"
        if meta != own:  # the body knows better, and what it allocates counts
            own.set_dtype(own.dtype or expected_dtype(kernel, i))
            tell(Step("infer", _inferred(name, own, "the kernel itself"), own))
            continue
        if meta.dtype is DataType.UNDEFINED:
            at = min(i, len(template.outputs) - 1)
            by = f"OutputAt({at})"
            expected = expected_dtype(kernel, at)
            if expected is not DataType.UNDEFINED:
                declared[i] = expected
            meta.set_dtype(expected)
        tell(Step("infer", _inferred(name, meta, by), meta))
    return declared


def expected_dtype(kernel: Kernel, output: int) -> DataType:
    """What the registration says that an output holds; UNDEFINED where it says nothing."""
    defs = kernel.args_def.output_defs
    if output < len(defs):
        return defs[output].dtype
    slot = kernel.args_def.open_slot
    return DataType.UNDEFINED if slot is None else slot.dtype


def _inferred(name: str, meta: MetaTensor, by: str) -> str:
    return f"{name} will have dims {list(meta.dims)}, and be {meta.dtype} by {by}"


def _brought_back(
    outputs: list[Any],
    planned: _Planned,
    devices: CustomRegisteredDeviceMap,
    tell: Callable[[Step], None],
) -> list[Any]:
    place = TransToPhiPlace(planned.wanted, devices)
    custom = place.type is AllocationType.CUSTOM
    if not planned.fallback:
        return [DenseTensor(out, held_at=place) for out in outputs] if custom else outputs
    back: list[Any] = []
    names = planned.instance.template.result_names(len(outputs))
    for name, out in zip(names, outputs, strict=True):
        tensor, transform = TransDataBackend(name, DenseTensor(out), planned.wanted, devices)
        tell(Step("output", transform.sentence, transform))
        back.append(tensor if custom else tensor.data)
    return back
