"""What Fluid's C++ names are bound to: the registrars, and what the bodies of its classes may call.

The names are those that the expanded macros mention, and those that makers, grad op makers and
InferShape functions use in Paddle's own sources. Everything else of Fluid is unknown to the
interpreter, on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    ClassTemplate,
    Enumeration,
    NamedType,
    Type,
)
from registry_runtime.fluid import grad_op_maker, op_proto_maker, operator_with_kernel
from registry_runtime.fluid.body_names import body_bindings
from registry_runtime.fluid.op_kernel_type import LibraryType, OpKernelType, VarType
from registry_runtime.fluid.registered import FRAMEWORK_CLASSES
from registry_runtime.fluid.registrars import (
    PLACES,
    op_kernel_registrar,
    op_kernel_registrar_ex,
    operator_registrar,
)
from registry_runtime.fluid.world import World
from registry_runtime.phi.contexts import DeviceContext
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.place import Place


def fluid_bindings(world: World) -> Bindings:
    """The table for one world: what is constructed from it registers there."""
    methods = {
        **op_proto_maker.METHODS,
        **grad_op_maker.METHODS,
        **operator_with_kernel.METHODS,
    }
    return body_bindings() | Bindings(_names(world), methods, types=_TYPES)


def _names(world: World) -> dict[str, Binding]:
    framework: Mapping[str, Binding] = {
        "OperatorRegistrar": ClassTemplate(
            constructor=partial(operator_registrar, world), registers=True
        ),
        "OpKernelRegistrar": ClassTemplate(
            constructor=partial(op_kernel_registrar, world), registers=True
        ),
        "OpKernelRegistrarEx": ClassTemplate(
            constructor=partial(op_kernel_registrar_ex, world), registers=True
        ),
        "OpKernelType": Class(_op_kernel_type, {"kDefaultCustomizedTypeValue": 0}, registers=False),
        "proto::VarType": Class(_no_object, VarType.__members__, registers=False),
        "LibraryType": Enumeration(LibraryType),
        "DataLayout": Enumeration(DataLayout),
    }
    return {f"paddle::framework::{name}": binding for name, binding in framework.items()}


def _op_kernel_type(*values: object) -> OpKernelType:
    """`OpKernelType(data_type, place)`: a context stands for its place."""
    match values:
        case (VarType() as data_type, (Place() | DeviceContext()) as where, *rest):
            place = where.GetPlace() if isinstance(where, DeviceContext) else where
            match (*rest, *_DEFAULTS[len(rest) :]):
                case (DataLayout() as layout, LibraryType() as library, int() as customized):
                    return OpKernelType(data_type, place, layout, library, customized)
    raise InvalidArgument(
        "an OpKernelType is made of a data type, a place, and perhaps a layout and a library"
    )


_DEFAULTS = (DataLayout.kAnyLayout, LibraryType.kPlain, 0)


def _no_object(*values: object) -> object:
    raise InvalidArgument("VarType has the names of types, and nobody makes one")


# What belongs to devices stood in a namespace of its own, and its names outlived the move to PHI.
_OF_THE_PLATFORM = {
    "float16": "phi::dtype::float16",
    "bfloat16": "phi::dtype::bfloat16",
    "complex": "phi::dtype::complex",
    "Place": "phi::Place",
    "CPUPlace": "phi::CPUPlace",
    "CUDAPlace": "phi::GPUPlace",
    "XPUPlace": "phi::XPUPlace",
    "CPUDeviceContext": "phi::CPUContext",
    "CUDADeviceContext": "phi::GPUContext",
}
_OTHERS = (
    *("framework::OpDesc", "imperative::OpBase", "framework::GradOpPtr"),
    *("framework::InferShapeContext", "framework::ExecutionContext", "framework::Tensor"),
    *("framework::LoDTensor", "framework::InferNoNeedBufferVarsContext"),
)
_TYPES: Mapping[str, Type] = {
    **{f"paddle::platform::{name}": NamedType(of) for name, of in _OF_THE_PLATFORM.items()},
    **{f"paddle::{name}": NamedType(f"paddle::{name}") for name in (*FRAMEWORK_CLASSES, *_OTHERS)},
    **{place: NamedType(place) for place in PLACES},
}
