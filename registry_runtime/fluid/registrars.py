"""The constructors behind Fluid's macros: `OperatorRegistrar` and `OpKernelRegistrar`.

Both are templates, and what they register is in their template arguments: a list of classes. In C++
the list is taken apart by templates that call themselves. `OperatorRegistrarRecursive<I>` fills an
OpInfo from class I by an `OpInfoFiller` (`op_info_filler`), and goes on with I + 1.
`OpKernelRegistrarFunctor<I>` enters one kernel, and does the same. Python has loops for that. But a
list that doesn't compile enters nothing, and so here all classes are looked at before the first is
entered.

Source: `paddle/fluid/framework/op_registry.h`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from registry_runtime.cxx import (
    CxxClass,
    CxxError,
    TemplateArgument,
    check_publicly_derived,
    class_of,
    has_public,
)
from registry_runtime.fluid.compute import refused
from registry_runtime.fluid.op_info import OpInfo
from registry_runtime.fluid.op_info_filler import fill
from registry_runtime.fluid.op_kernel_type import (
    ClassKernel,
    LibraryType,
    OpKernelType,
    VarType,
    string_to_library_type,
    to_data_type,
)
from registry_runtime.fluid.world import World
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.enforce import AlreadyExists, EnforceNotMet, InvalidArgument
from registry_runtime.phi.place import CPU_PLACE, AllocationType, Place


@dataclass(frozen=True, slots=True)
class OperatorRegistrar:
    """`framework::OperatorRegistrar<ops::TraceOp, …>`: what the object's construction entered."""

    op_type: str
    info: OpInfo
    classes: tuple[CxxClass, ...]


@dataclass(frozen=True, slots=True)
class RegisteredKernel:
    """One kernel of an `OpKernelRegistrar`; `replaced` says that the key had one before."""

    key: OpKernelType
    kernel: ClassKernel
    replaced: bool


@dataclass(frozen=True, slots=True)
class OpKernelRegistrar:
    """`framework::OpKernelRegistrar<::phi::CPUPlace, ops::TraceKernel<…>, …>`."""

    op_type: str
    kernels: tuple[RegisteredKernel, ...]


# --- Operators ------------------------------------------------------------------------------------


def operator_registrar(
    world: World, arguments: tuple[TemplateArgument, ...]
) -> Callable[..., object]:
    """The constructor of `OperatorRegistrar<ARGS...>`. It raises AlreadyExists for a name that is
    there, and what the fillers raise; then nothing is entered."""

    def construct(*values: object) -> OperatorRegistrar:
        op_type = _op_type(values, 1, "OperatorRegistrar")
        if world.op_info_map.Has(op_type):
            raise AlreadyExists(
                f"Operator '{op_type}' is registered more than once.",
                hint="remove one of the two: in Paddle the program would end here, before main()",
                argument=0,
            )
        if not arguments:
            raise InvalidArgument("OperatorRegistrar should be invoked at least by OpClass")
        info = OpInfo()
        classes = tuple(_class(argument) for argument in arguments)
        for of in classes:
            try:
                fill(op_type, info, of)
            except EnforceNotMet as error:
                raise CxxError(error.message, of.span, error.hint) from error
        world.op_info_map.Insert(op_type, info)
        return OperatorRegistrar(op_type, info, classes)

    return construct


# --- Kernels --------------------------------------------------------------------------------------


def op_kernel_registrar(
    world: World, arguments: tuple[TemplateArgument, ...]
) -> Callable[..., object]:
    """The constructor of `OpKernelRegistrar<PlaceType, KernelType...>`."""

    def construct(*values: object) -> OpKernelRegistrar:
        registering = _registering(world, arguments, values)
        classes = [_class(argument) for argument in arguments[1:]]
        made = [registering.kernel(of, element_type(of)) for of in classes]
        return OpKernelRegistrar(
            registering.op_type, tuple(registering.enter(*one) for one in made)
        )

    return construct


def op_kernel_registrar_ex(
    world: World, arguments: tuple[TemplateArgument, ...]
) -> Callable[..., object]:
    """The constructor of `OpKernelRegistrarEx<PlaceType, T, Functor, T, Functor...>`, behind the macros
    for kernels that are functors: each stands behind its type, as it has no OpKernel<T> to tell."""

    def construct(*values: object) -> OpKernelRegistrar:
        registering = _registering(world, arguments, values)
        kernels = arguments[1:]
        if len(kernels) % 2:
            raise CxxError(
                f"`{kernels[-1]}` has no functor behind it",
                kernels[-1].span,
                "write a type and its functor in turn: float, ops::SomeFunctor<float>",
            )
        pairs = zip(kernels[::2], kernels[1::2], strict=True)
        made = [registering.kernel(_class(functor), element) for element, functor in pairs]
        return OpKernelRegistrar(
            registering.op_type, tuple(registering.enter(*one) for one in made)
        )

    return construct


def _registering(
    world: World, arguments: tuple[TemplateArgument, ...], values: tuple[object, ...]
) -> _Registering:
    """What all the kernels of one registration share."""
    op_type = _op_type(values, 3, "OpKernelRegistrar")
    library_type, customized = values[1:]
    if not isinstance(library_type, str) or not isinstance(customized, int):
        raise InvalidArgument("a library and a number are wanted here", argument=1)
    if not arguments:
        raise InvalidArgument("OpKernelRegistrar takes a place, and the kernels")
    if len(arguments) == 1:
        raise CxxError(
            f"no kernel is registered for {op_type}",
            arguments[0].span,
            "list the kernels behind the operator's name: ops::SomeKernel<DeviceContext, float>",
        )
    library = string_to_library_type(library_type)
    place = _place(arguments[0])
    return _Registering(world, op_type, place, library, library_type, customized)


@dataclass(frozen=True, slots=True)
class _Registering:
    world: World
    op_type: str
    place: Place
    library: LibraryType
    library_name: str
    customized_type_value: int

    def kernel(
        self, kernel_type: CxxClass, element: TemplateArgument
    ) -> tuple[OpKernelType, ClassKernel]:
        """The key and the kernel of one class, for elements of this type."""
        mkldnn = self.library_name == "MKLDNN"
        key = OpKernelType(
            _data_type(element),
            self.place,
            DataLayout.kMKLDNN if mkldnn else DataLayout.kAnyLayout,
            self.library,
            self.customized_type_value,
        )
        return key, ClassKernel(kernel_type, refused(kernel_type))

    def enter(self, key: OpKernelType, kernel: ClassKernel) -> RegisteredKernel:
        """`RegisterKernelClass`: a key that is there already is overwritten in silence."""
        kernels = self.world.op_kernels.setdefault(self.op_type, {})
        replaced = key in kernels
        kernels[key] = kernel
        return RegisteredKernel(key, kernel, replaced)


def element_type(kernel_type: CxxClass) -> TemplateArgument:
    """`KERNEL_TYPE::ELEMENT_TYPE`: the T of the OpKernel<T> that the class is derived from.

    Raises CxxError at the class, where there is none.
    """
    for base in kernel_type.bases():
        if base.name == _OP_KERNEL and base.arguments:
            check_publicly_derived(kernel_type)
            if not has_public(kernel_type, "Compute"):
                said = f"`Compute` is not public in `{kernel_type}`, and Paddle calls it"
                raise CxxError(said, kernel_type.span, "write `public:` before it")
            return TemplateArgument(base.arguments[0].value, kernel_type.span)
    known = "it is derived from no OpKernel<T>"
    if kernel_type.definition is None:
        known = "it is not declared in this text"
    raise CxxError(
        f"`{kernel_type}` has no ELEMENT_TYPE: {known}",
        kernel_type.span,
        "a kernel is a class template <typename DeviceContext, typename T>, and : public OpKernel<T>",
    )


_OP_KERNEL = "paddle::framework::OpKernel"


def _data_type(element: TemplateArgument) -> VarType:
    try:
        return to_data_type(str(element))
    except EnforceNotMet as error:
        raise CxxError(error.message, element.span, error.hint) from error


def _place(argument: TemplateArgument) -> Place:
    name = str(argument)
    if name not in PLACES:
        known = ", ".join(place.removeprefix("phi::") for place in PLACES)
        raise CxxError(f"`{name}` is no place", argument.span, f"there are {known}")
    return PLACES[name]


PLACES = {
    "phi::CPUPlace": CPU_PLACE,
    "phi::GPUPlace": Place(AllocationType.GPU),
    "phi::XPUPlace": Place(AllocationType.XPU),
    "phi::IPUPlace": Place(AllocationType.IPU),
}


def _op_type(values: tuple[object, ...], wanted: int, registrar: str) -> str:
    if len(values) != wanted:
        raise InvalidArgument(f"{registrar} takes {wanted} arguments, and got {len(values)}")
    if not isinstance(values[0], str):
        raise InvalidArgument("an operator's name is wanted here", argument=0)
    return values[0]


def _class(argument: TemplateArgument) -> CxxClass:
    of = class_of(argument)
    if of is None:
        raise CxxError(f"a class is wanted here, not `{argument}`", argument.span)
    return of
