"""What a call is given: tensors and attributes, and the key that they make.

An argument is what the kernel's parameter of that place takes, and a tensor parameter's becomes a
tensor, whatever array it is. Of the tensors' backends and data types PHI makes the key; for some
operators `ops.yaml` names one argument that decides the data type alone. And the kernel that is found
says how it expects each tensor.

Source: `paddle/phi/api/lib/kernel_dispatch.h`, the generated `api.cc`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel import KernelArgsDef, TensorArgDef
from registry_runtime.phi.kernel_dispatch import ParsedKey, ParseKernelKeyByInputArgs
from registry_runtime.phi.kernel_factory import KernelFactory
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import Instance, KernelError, KernelTemplate
from registry_runtime.phi.parameter_types import ANYTHING, DENSE, Kind, Parameter


def parameters_of(
    factory: KernelFactory, name: str, arguments: tuple[Any, ...]
) -> Sequence[Parameter]:
    """What the operator takes, by any of its kernels; the arguments' own kinds if nobody wrote one."""
    template = _written(factory, name)
    if template is not None:
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


def _written(factory: KernelFactory, name: str) -> KernelTemplate | None:
    """The Python kernel behind the first registration of that name that has one."""
    kernels = factory.kernels.get(name, {}).values()
    return next((k.implementation for k in kernels if k.implementation is not None), None)


def as_tensor(name: str, position: int, parameter: Parameter, value: Any) -> Any:
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


# What an operator's definition in Paddle's ops.yaml names for the key's data type: a tensor, or an
# attribute, where UNDEFINED leaves it to the tensors, if there are any: `data_type: dtype > x`. By the
# kernel that the operator leads to: registered under another name, it is called for in the same way.
_DATA_TYPE_FROM = {
    "BatchNormInferKernel": "x",
    "CudnnLSTMKernel": "x",
    "CudnnLSTMGradKernel": "out_grad",
    "DistributedFusedLambKernel": "moment1",
    "EmbeddingKernel": "weight",
    "FullKernel": "dtype",
    "FullBatchSizeLikeKernel": "dtype",
    "FullLikeKernel": "dtype",
    "FusedAttentionKernel": "x",
    "FusedAttentionGradKernel": "x",
    "FusedBatchNormActKernel": "x",
    "FusedBatchNormActGradKernel": "y_grad",
    "GatherKernel": "x",
    "LayerNormKernel": "x",
    "Pow2DecayWithLinearWarmupKernel": "lr",
    "SequenceMaskKernel": "x",
    "SequenceMaskScalarKernel": "x",
    "SequencePoolKernel": "x",
    "SequencePoolGradKernel": "out_grad",
    "StftKernel": "x",
    "StftGradKernel": "x",
    "TraceGradKernel": "x",
}


def parse_key(
    factory: KernelFactory,
    devices: CustomRegisteredDeviceMap,
    name: str,
    parameters: Sequence[Parameter],
    tensors: Sequence[Any],
) -> tuple[KernelKey, ParsedKey]:
    """The key to look for, with any layout; and where its parts come from. Raises KernelError."""
    names = [parameter.name for parameter in parameters]
    parsed = ParseKernelKeyByInputArgs(
        zip(names, tensors, strict=True), devices, with_cuda=factory.with_cuda
    )
    template = _written(factory, name)
    named = _DATA_TYPE_FROM.get(template.name.rpartition("::")[2], "") if template else ""
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
    return KernelKey(parsed.key.backend, DataLayout.ALL_LAYOUT, parsed.key.dtype), parsed


def _data_type(name: str, position: int, argument: str, value: Any) -> DataType:
    try:
        return DataType.of(value)
    except TypeError:
        _not_a("DataType", name, position, argument, value)


def key_sentence(parsed: ParsedKey, key: KernelKey) -> str:
    backend = f"backend of {parsed.backend_from}" if parsed.backend_from else "backend CPU"
    dtype = "promoted data type" if parsed.promoted else f"data type of {parsed.dtype_from}"
    if parsed.dtype_from and not any(part.argument == parsed.dtype_from for part in parsed.parts):
        dtype = f"data type that {parsed.dtype_from} names"
    return f"the key is {key}: {backend}, {dtype}; any layout is looked for"


_ANYTHING = TensorArgDef(Backend.ALL_BACKEND, DataLayout.ALL_LAYOUT, DataType.ALL_DTYPE)


def input_defs(args_def: KernelArgsDef, parameters: Sequence[Parameter]) -> dict[int, TensorArgDef]:
    """What the registration says of each tensor argument, by the argument's position."""
    positions = [i for i, p in enumerate(parameters) if p.type.kind is Kind.INPUT]
    defs = args_def.input_defs
    otherwise = args_def.open_slot or _ANYTHING
    return {at: defs[i] if i < len(defs) else otherwise for i, at in enumerate(positions)}


def check_data_types(
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
