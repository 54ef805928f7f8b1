"""What the bodies of an operator's functions may call beyond what an InferMeta's may: the two contexts.

InferShape and GetExpectedKernelType are functions of the text, and they are interpreted. What they ask
is asked of an InferShapeContext or an ExecutionContext, or of the operator that they are members of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from registry_runtime.cxx import (
    Binding,
    Bindings,
    Function,
    FunctionTemplate,
    Method,
    Pointer,
    TemplateArgument,
    Vector,
)
from registry_runtime.fluid.attribute import AttrReader
from registry_runtime.fluid.build_infer_meta_context import BuildInferMetaContext
from registry_runtime.fluid.compute import OutputTensor
from registry_runtime.fluid.execution_context import ExecutionContext
from registry_runtime.fluid.infer_shape_context import InferShapeContext
from registry_runtime.fluid.native import check_context, link
from registry_runtime.fluid.op_kernel_type import VarType
from registry_runtime.fluid.operator_with_kernel import METHODS as OPERATOR_METHODS
from registry_runtime.phi import body_names as phi
from registry_runtime.phi.contexts import DeviceContext
from registry_runtime.phi.data_type import (
    DataType,
    trans_to_phi_data_type,
    trans_to_proto_var_type,
)
from registry_runtime.phi.ddim import DDim, make_ddim
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.memory import ELEMENT_TYPES, Address, data_type, elements
from registry_runtime.phi.place import AllocationType, Place
from registry_runtime.phi.selected_rows import SelectedRows


def _get(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    return lambda reader, name: reader.Get(name, _type_name(arguments))


def _attr(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    return lambda context, name: context.Attr(name, _type_name(arguments))


def _type_name(arguments: tuple[TemplateArgument, ...]) -> str:
    if len(arguments) != 1:
        raise InvalidArgument("one type is wanted between `<` and `>`")
    return str(arguments[0])


_TENSORS: Mapping[str, type] = {
    "Tensor": DenseTensor,
    "LoDTensor": DenseTensor,
    "DenseTensor": DenseTensor,
    "SelectedRows": SelectedRows,
}


def _variable(method: Callable[..., Any]) -> FunctionTemplate:
    # Input<phi::DenseTensor>("X"): a pointer, nullptr where there is none
    def instantiate(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
        name = _type_name(arguments).rpartition("::")[2]
        if name not in _TENSORS:
            raise InvalidArgument(f"a variable holds one of {', '.join(_TENSORS)}, no {name}")

        def get(context: ExecutionContext, slot: str) -> object:
            found = method(context, slot, _TENSORS[name])
            if isinstance(found, list):
                return Vector(None if one is None else Pointer(one) for one in found)
            return None if found is None else Pointer(found)

        return get

    return FunctionTemplate(instantiate)


def _device_context(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    def get(context: ExecutionContext) -> DeviceContext:
        for named in arguments:
            check_context(context.dev_ctx, named)
        return context.dev_ctx

    return get


def _element(arguments: tuple[TemplateArgument, ...]) -> DataType:
    found = data_type(arguments)
    if found is None:
        raise InvalidArgument("the elements' type is wanted between `<` and `>`")
    return found


def _mutable_data(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    dtype = _element(arguments)

    def take(tensor: DenseTensor, *where: Any) -> object:
        match where:
            case (Place() as place,):
                return _output(tensor).mutable_data(dtype, place)
            case (DDim() as dims, Place() as place):
                _output(tensor).Resize(tuple(dims))
                return _output(tensor).mutable_data(dtype, place)
        raise InvalidArgument("mutable_data takes a place: context.GetPlace()")

    return take


def _alloc(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    dtype = _element(arguments)
    return lambda dev_ctx, tensor: _output(tensor).mutable_data(dtype, dev_ctx.GetPlace())


def _output(tensor: object) -> OutputTensor:
    pointed = tensor.to if isinstance(tensor, Pointer) else tensor
    if isinstance(pointed, OutputTensor):
        return pointed
    raise InvalidArgument("memory is taken for an output: context.Output<Tensor>(…)")


def _data(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    dtype = _element(arguments)

    def read(tensor: DenseTensor) -> object:
        if not tensor.has_allocation():
            raise InvalidArgument(
                "the tensor has no memory", hint="mutable_data<T>(context.GetPlace()) takes it"
            )
        if tensor.dtype is not dtype:
            raise InvalidArgument(f"the tensor holds {tensor.dtype}, and data is asked for {dtype}")
        if isinstance(tensor, OutputTensor):
            return tensor.pointer()
        of = ELEMENT_TYPES.get(dtype)
        if tensor.backend == "GPU" or of is None:
            return Address(dtype)
        return elements(tensor, of)

    return read


def _queries(of: type, *left_out: str) -> dict[str, Method]:
    return {
        name: member
        for name, member in vars(of).items()
        if name[0].isupper() and callable(member) and name not in left_out
    }


_CONTEXT = ("Input", "Output", "MultiInput", "MultiOutput", "Attr", "Attrs", "InputVar")

_METHODS: Mapping[type, Mapping[str, Method]] = {
    **OPERATOR_METHODS,
    InferShapeContext: _queries(InferShapeContext),
    AttrReader: {"Get": FunctionTemplate(_get)},
    ExecutionContext: {
        **_queries(ExecutionContext, *_CONTEXT, "OutputVar", "InNameList"),
        "Input": _variable(ExecutionContext.Input),
        "Output": _variable(ExecutionContext.Output),
        "MultiInput": _variable(ExecutionContext.MultiInput),
        "MultiOutput": _variable(ExecutionContext.MultiOutput),
        "Attr": FunctionTemplate(_attr),
        "device_context": FunctionTemplate(_device_context),
    },
    DeviceContext: {"GetPlace": DeviceContext.GetPlace, "Alloc": FunctionTemplate(_alloc)},
    DenseTensor: {
        "data": FunctionTemplate(_data),
        "mutable_data": FunctionTemplate(_mutable_data),
        "Resize": lambda tensor, dims: tensor.Resize(tuple(make_ddim(dims))),
        "dims": lambda tensor: DDim(tensor.dims),
        "dtype": lambda tensor: tensor.dtype,
        "numel": lambda tensor: tensor.numel,
        "place": lambda tensor: tensor.place,
        "IsInitialized": DenseTensor.has_allocation,
    },
}


_CHANGING: Mapping[type, frozenset[str]] = {
    DenseTensor: frozenset({"mutable_data", "Resize"}),
    InferShapeContext: frozenset(
        name for name in _METHODS[InferShapeContext] if name.startswith(("Set", "Share"))
    ),
}


def _build_infer_meta_context(ctx: object, op_type: object) -> object:
    pointed = ctx.to if isinstance(ctx, Pointer) else ctx
    if not isinstance(pointed, InferShapeContext) or not isinstance(op_type, str):
        raise InvalidArgument("an InferShapeContext* and an operator's name are wanted here")
    return BuildInferMetaContext(pointed, op_type)


def _to_var_type(dtype: object) -> VarType:
    if isinstance(dtype, DataType):
        return VarType(trans_to_proto_var_type(dtype))
    raise InvalidArgument("a phi::DataType is wanted here", argument=0)


def _to_data_type(type: object) -> DataType:
    if isinstance(type, VarType):
        return trans_to_phi_data_type(type)
    raise InvalidArgument("a proto::VarType::Type is wanted here", argument=0)


def _is_place(kind: AllocationType, place: object) -> bool:
    if isinstance(place, Place):
        return place.type is kind
    raise InvalidArgument("a place is wanted here", argument=0)


def body_bindings() -> Bindings:
    """The table of what bodies use, to be joined to a framework's own."""
    framework: dict[str, Binding] = {
        "BuildInferMetaContext": Function(_build_infer_meta_context),
        "TransToProtoVarType": Function(_to_var_type),
        "TransToPhiDataType": Function(_to_data_type),
    }
    names = {f"paddle::framework::{name}": binding for name, binding in framework.items()}
    for kind in (AllocationType.CPU, AllocationType.GPU, AllocationType.XPU):
        is_kind = Function(partial(_is_place, kind))
        names[f"paddle::platform::is_{kind.name.lower()}_place"] = is_kind
    return phi.body_bindings() | Bindings(names, _METHODS, link=link, changing=_CHANGING)
