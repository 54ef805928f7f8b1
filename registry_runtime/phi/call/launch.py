"""From a call to a running kernel: the key, the selection, the transforms, InferMeta, the launch.

This is what the code does that Paddle generates for each operator. The tensors make a key, the key
selects a kernel, the kernel's registration says how it expects its tensors, and they are made so;
InferMeta tells what comes out, and the kernel runs. Where only the CPU had a kernel for the key, the
inputs went there, and the outputs are brought back.

A call on one element must not pay for all that. So what a call resolved to is kept under the name and
the types of its arguments, as long as nothing had to be transformed; the next such call is one look-up
and the launch. One thing is left out then: Paddle copies a strided tensor into one piece for a kernel
that isn't registered as STRIDED, and the Python kernels take any strides.

Source: `paddle/phi/api/lib/kernel_dispatch.h`, `data_transform.cc`, the generated `api.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NoReturn

import numpy as np

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_transform import PrepareData, TransDataBackend
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.int_array import IntArray
from registry_runtime.phi.kernel import Kernel, KernelArgsDef, TensorArgDef
from registry_runtime.phi.kernel_dispatch import ParsedKey, ParseKernelKeyByInputArgs
from registry_runtime.phi.kernel_factory import KernelFactory, has_strided_kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import Instance, KernelError, as_tuple
from registry_runtime.phi.meta_tensor import MetaTensor
from registry_runtime.phi.parameter_types import ANYTHING, DENSE, Kind, Parameter
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
        return CallStory(name, tuple(steps), error=str(error))
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


def _launch(
    factory: KernelFactory,
    devices: CustomRegisteredDeviceMap,
    name: str,
    arguments: tuple[Any, ...],
    types: tuple[object, ...] | None,
    tell: Callable[[Step], None],
) -> Any:
    try:
        parameters = _parameters(factory, name, arguments)
        tensors = [
            _as_tensor(name, i, parameter, argument)
            for i, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True))
        ]
        key = _parse_key(factory, devices, name, parameters, tensors, tell)
        selected = factory.SelectKernelOrThrowError(name, key, has_strided_kernel(factory, name))
        on = Backend.CPU if selected.has_fallback_cpu else key.backend
        tell(Step("selection", _selection(name, key, selected.has_fallback_cpu), selected))
        instance: Instance = instance_of(selected.kernel)
        prepared, untouched = tensors, True
        defs = _input_defs(selected.kernel.args_def, parameters)
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
        _check_data_types(name, instance, defs, prepared)
        declared = _infer(instance, selected.kernel, prepared, tell)
        build = instance.build()
        launch = build.launch
        tell(Step("launch", f"{instance!r} runs on {on}", instance))
        results = launch(*prepared)
        outputs = list(as_tuple(results))
        for i, dtype in declared.items():
            if dtype is not DataType.of(outputs[i].dtype):
                outputs[i] = outputs[i].astype(dtype.numpy)
                untouched = False
                called = instance.template.result_names(len(outputs))[i]
                said = f"{called} becomes {dtype}, as the registration says"
                tell(Step("output", said, dtype))
        outputs = _brought_back(
            outputs, instance, on, key.backend, devices, selected.has_fallback_cpu, tell
        )
    except EnforceNotMet as error:
        raise KernelError(error.message) from None
    if types is not None and untouched and not selected.has_fallback_cpu:
        # Arrays of other data types have other types, and select another kernel.
        factory.launchers[types] = build.launch_known or launch
    return tuple(outputs) if isinstance(results, tuple) else outputs[0]


def _parameters(
    factory: KernelFactory, name: str, arguments: tuple[Any, ...]
) -> Sequence[Parameter]:
    """What the operator takes, by any of its kernels; the arguments' own kinds if nobody wrote one."""
    for kernel in factory.kernels.get(name, {}).values():
        if (template := kernel.implementation) is not None:
            if len(arguments) != len(template.inputs):
                names = ", ".join(parameter.name for parameter in template.inputs)
                raise KernelError(
                    f"{name} takes {len(template.inputs)} arguments ({names}), got {len(arguments)}"
                )
            return template.inputs
    return [
        Parameter(f"argument {i}", (DENSE if hasattr(argument, "shape") else ANYTHING).short)
        for i, argument in enumerate(arguments)
    ]


def _as_tensor(name: str, position: int, parameter: Parameter, value: Any) -> Any:
    """A tensor parameter's argument as a tensor; an attribute as it is."""
    wanted = parameter.type
    if wanted.kind is not Kind.INPUT or (value is None and wanted.is_optional):
        return value
    if not wanted.is_list:
        return _one_tensor(name, position, parameter.name, value)
    if not isinstance(value, list | tuple):
        _not_a("list of Tensors", name, position, parameter.name, value)
    return [_one_tensor(name, position, parameter.name, element) for element in value]


def _one_tensor(name: str, position: int, argument: str, value: Any) -> Any:
    if hasattr(value, "has_allocation"):
        return value
    if not (hasattr(value, "dtype") and hasattr(value, "shape")):
        _not_a("Tensor", name, position, argument, value)
    try:
        return DenseTensor.of(value)
    except TypeError as error:
        raise KernelError(
            f"{name}(): argument '{argument}' (position {position}): {error}"
        ) from None


def _not_a(wanted: str, name: str, position: int, argument: str, value: Any) -> NoReturn:
    got = type(value).__name__
    raise KernelError(
        f"{name}(): argument '{argument}' (position {position}) must be {wanted}, but got {got}"
    )


# Operators whose definition in Paddle's ops.yaml names an argument for the key's data type: a tensor,
# or an attribute, where UNDEFINED leaves it to the tensors, if there are any: `data_type: dtype > x`.
_DATA_TYPE_FROM = {
    "batch_norm_infer": "x",
    "cudnn_lstm": "x",
    "cudnn_lstm_grad": "out_grad",
    "distributed_fused_lamb": "moment1",
    "embedding": "weight",
    "full": "dtype",
    "full_batch_size_like": "dtype",
    "full_like": "dtype",
    "fused_attention": "x",
    "fused_attention_grad": "x",
    "fused_batch_norm_act": "x",
    "fused_batch_norm_act_grad": "y_grad",
    "gather": "x",
    "layer_norm": "x",
    "pow2_decay_with_linear_warmup": "lr",
    "sequence_mask": "x",
    "sequence_mask_scalar": "x",
    "sequence_pool": "x",
    "sequence_pool_grad": "out_grad",
    "stft": "x",
    "stft_grad": "x",
    "trace_grad": "x",
}


def _parse_key(
    factory: KernelFactory,
    devices: CustomRegisteredDeviceMap,
    name: str,
    parameters: Sequence[Parameter],
    tensors: Sequence[Any],
    tell: Callable[[Step], None],
) -> KernelKey:
    names = [parameter.name for parameter in parameters]
    parsed = ParseKernelKeyByInputArgs(
        zip(names, tensors, strict=True), devices, with_cuda=factory.with_cuda
    )
    named = _DATA_TYPE_FROM.get(name, "")
    dtype = tensors[names.index(named)] if named in names else DataType.UNDEFINED
    if isinstance(dtype, DenseTensor):
        dtype = dtype.dtype
    if not isinstance(dtype, DataType):
        dtype = _data_type(name, names.index(named), named, dtype)
    if dtype is not DataType.UNDEFINED:
        parsed = replace(
            parsed, key=replace(parsed.key, dtype=dtype), dtype_from=named, promoted=False
        )
    if not parsed.parts:
        if dtype is DataType.UNDEFINED:
            raise KernelError(f"{name} needs a tensor to be selected by, got none")
        # With no tensor and no place given, Paddle computes where the program runs: here, the CPU.
        parsed = replace(parsed, key=replace(parsed.key, backend=Backend.CPU))
    key = KernelKey(parsed.key.backend, DataLayout.ALL_LAYOUT, parsed.key.dtype)
    tell(Step("key", _key_sentence(parsed, key), parsed))
    return key


def _data_type(name: str, position: int, argument: str, value: Any) -> DataType:
    try:
        return DataType.of(value)
    except TypeError:
        _not_a("DataType", name, position, argument, value)


def _key_sentence(parsed: ParsedKey, key: KernelKey) -> str:
    backend = f"backend of {parsed.backend_from}" if parsed.backend_from else "backend CPU"
    dtype = "promoted data type" if parsed.promoted else f"data type of {parsed.dtype_from}"
    if parsed.dtype_from and not any(part.argument == parsed.dtype_from for part in parsed.parts):
        dtype = f"data type that {parsed.dtype_from} names"
    return f"the key is {key}: {backend}, {dtype}; any layout is looked for"


def _selection(name: str, key: KernelKey, fallback: bool) -> str:
    if fallback:
        return f"{name} has no kernel for {key}: the CPU's is taken instead"
    return f"{name} has a kernel for {key}"


_ANYTHING = TensorArgDef(Backend.ALL_BACKEND, DataLayout.ALL_LAYOUT, DataType.ALL_DTYPE)


def _input_defs(
    args_def: KernelArgsDef, parameters: Sequence[Parameter]
) -> dict[int, TensorArgDef]:
    """What the registration says of each tensor argument, by the argument's position."""
    positions = [i for i, p in enumerate(parameters) if p.type.kind is Kind.INPUT]
    defs = args_def.input_defs
    otherwise = args_def.open_slot or _ANYTHING
    return {at: defs[i] if i < len(defs) else otherwise for i, at in enumerate(positions)}


def _check_data_types(
    name: str, instance: Instance, defs: dict[int, TensorArgDef], tensors: Sequence[Any]
) -> None:
    """What `tensor.data<T>()` checks in C++. Of a tensor on any backend no element is read."""
    for i, definition in defs.items():
        if definition.backend is Backend.ALL_BACKEND:
            continue
        argument = instance.template.inputs[i].name
        accepted = instance.template.accepts.get(argument, frozenset({instance.dtype}))
        for tensor in tensors[i] if isinstance(tensors[i], list) else [tensors[i]]:
            if isinstance(tensor, DenseTensor) and tensor.dtype not in accepted:
                wanted = " or ".join(map(str, sorted(accepted)))
                raise KernelError(
                    f"{name}(): argument '{argument}' (position {i}): The type of data we are "
                    f"trying to retrieve ({wanted}) does not match the type of data "
                    f"({tensor.dtype}) currently contained in the container."
                )


def _infer(
    instance: Instance, kernel: Kernel, tensors: Sequence[Any], tell: Callable[[Step], None]
) -> dict[int, DataType]:
    """The data types that the registration decides: of outputs that InferMeta leaves UNDEFINED."""
    template = instance.template
    bound = template.bind(*tensors)
    metas = template.infer(instance.dtype, bound, leave_open=True)
    resized = template.resized(bound, metas)
    declared: dict[int, DataType] = {}
    for i, (name, meta, own) in enumerate(zip(template.outputs, metas, resized, strict=True)):
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
    instance: Instance,
    on: Backend,
    wanted: Backend,
    devices: CustomRegisteredDeviceMap,
    fallback: bool,
    tell: Callable[[Step], None],
) -> list[Any]:
    place = TransToPhiPlace(wanted, devices)
    custom = place.type is AllocationType.CUSTOM
    if not fallback:
        return [DenseTensor(out, held_at=place) for out in outputs] if custom else outputs
    back: list[Any] = []
    for name, out in zip(instance.template.result_names(len(outputs)), outputs, strict=True):
        tensor, transform = TransDataBackend(name, DenseTensor(out), wanted, devices)
        tell(Step("output", transform.sentence, transform))
        back.append(tensor if custom else tensor.data)
    return back
